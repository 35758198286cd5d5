//! The insides of arrays, objects and enums, each error with its place.

use std::slice;

use serde::{
    Deserializer,
    de::{
        DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess,
        Visitor, value::BorrowedStrDeserializer,
    },
};
use serde_json::{Map, Value, map};

use super::{DecodeError, Reader};

/// The elements of an array.
pub(super) struct Elements<'de> {
    items: slice::Iter<'de, Value>,
    taken: usize,
}

impl<'de> Elements<'de> {
    pub(super) fn new(items: &'de [Value]) -> Self {
        Self {
            items: items.iter(),
            taken: 0,
        }
    }

    pub(super) fn taken(&self) -> usize {
        self.taken
    }
}

impl<'de> SeqAccess<'de> for Elements<'de> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, DecodeError> {
        let Some(item) = self.items.next() else {
            return Ok(None);
        };
        let index = self.taken;
        self.taken += 1;
        seed.deserialize(Reader(item))
            .map(Some)
            .map_err(|error| error.under(&index.to_string()))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

/// The members of an object.
pub(super) struct Members<'de> {
    members: map::Iter<'de>,
    current: Option<(&'de str, &'de Value)>,
}

impl<'de> Members<'de> {
    pub(super) fn new(members: &'de Map<String, Value>) -> Self {
        Self {
            members: members.iter(),
            current: None,
        }
    }
}

impl<'de> MapAccess<'de> for Members<'de> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, DecodeError> {
        self.current = self
            .members
            .next()
            .map(|(key, value)| (key.as_str(), value));
        match self.current {
            Some((key, _)) => seed
                .deserialize(BorrowedStrDeserializer::new(key))
                .map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, DecodeError> {
        let Some((key, value)) = self.current.take() else {
            return Err(DecodeError::new("a value was asked for before its key"));
        };
        seed.deserialize(Reader(value))
            .map_err(|error| error.under(key))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.members.len())
    }
}

/// An enum as serde writes it: a string, or an object with one member.
pub(super) struct Variant<'de> {
    name: &'de str,
    content: Option<&'de Value>,
}

impl<'de> Variant<'de> {
    pub(super) fn new(value: &'de Value) -> Option<Self> {
        match value {
            Value::String(name) => Some(Self {
                name,
                content: None,
            }),
            Value::Object(members) if members.len() == 1 => {
                members.iter().next().map(|(name, content)| Self {
                    name,
                    content: Some(content),
                })
            }
            _ => None,
        }
    }

    fn content(self) -> Result<Reader<'de>, DecodeError> {
        self.content
            .map(Reader)
            .ok_or_else(|| DecodeError::new("expected object, got string"))
    }
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = DecodeError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Self), DecodeError> {
        let name: BorrowedStrDeserializer<'de, DecodeError> =
            BorrowedStrDeserializer::new(self.name);
        Ok((seed.deserialize(name.into_deserializer())?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<(), DecodeError> {
        match self.content {
            None => Ok(()),
            Some(_) => Err(DecodeError::new("expected string, got object")),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<T::Value, DecodeError> {
        let name = self.name;
        seed.deserialize(self.content()?)
            .map_err(|error| error.under(name))
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        let name = self.name;
        self.content()?
            .deserialize_tuple(len, visitor)
            .map_err(|error| error.under(name))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        let name = self.name;
        self.content()?
            .deserialize_struct("", fields, visitor)
            .map_err(|error| error.under(name))
    }
}
