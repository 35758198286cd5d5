//! JSON values as Rust types: a serde `Deserializer` over `&Value`.
//!
//! `serde_json` has one too. This one differs where JSON Schema does: an integral `3.0` is an integer; a tuple refuses
//! extra elements; errors say where. It reads numbers alike with `serde_json`'s `arbitrary_precision` on and off.

mod access;
mod error;

use serde::{
    Deserializer,
    de::{DeserializeOwned, Error as _, Visitor},
    forward_to_deserialize_any,
};
use serde_json::{Number, Value};

use self::access::{Elements, Members, Variant};
pub use self::error::DecodeError;
use crate::{checks, number};

/// Reads a value as a `T`.
///
/// # Errors
///
/// The first place that does not fit.
///
/// # Examples
///
/// ```
/// use mcp_codegen_runtime::{decode, serde_json::json};
///
/// assert_eq!(decode::<Vec<i64>>(&json!([1, 2.0])).unwrap(), [1, 2]);
/// assert_eq!(decode::<Vec<i64>>(&json!([1, "2"])).unwrap_err().pointer, "/1");
/// ```
pub fn decode<T: DeserializeOwned>(value: &Value) -> Result<T, DecodeError> {
    T::deserialize(Reader(value))
}

/// The kind of a value, as JSON Schema names it.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(it) if number::is_integral(it) => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[derive(Clone, Copy)]
struct Reader<'de>(&'de Value);

impl<'de> Reader<'de> {
    fn mismatch(self, expected: &str) -> DecodeError {
        DecodeError::new(format!("expected {expected}, got {}", kind_of(self.0)))
    }

    /// An integer of a type that has those from `least` to `greatest`.
    fn integer<V: Visitor<'de>>(
        self,
        least: i128,
        greatest: i128,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        let Value::Number(number) = self.0 else {
            return Err(self.mismatch("integer"));
        };
        if !number::is_integral(number) {
            return Err(DecodeError::new("expected integer").with_got(number.to_string()));
        }
        let value = number::integer(number).filter(|it| (least..=greatest).contains(it));
        match value.map(|it| (i64::try_from(it), u64::try_from(it))) {
            Some((Ok(value), _)) => visitor.visit_i64(value),
            Some((_, Ok(value))) => visitor.visit_u64(value),
            _ => {
                let range = format!("expected a whole number from {least} to {greatest}");
                Err(DecodeError::new(range).with_got(number.to_string()))
            }
        }
    }

    fn float<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let Value::Number(number) = self.0 else {
            return Err(self.mismatch("number"));
        };
        match number.as_f64().filter(|value| value.is_finite()) {
            Some(value) => visitor.visit_f64(value),
            None => {
                Err(DecodeError::new("expected a number of 64 bits").with_got(number.to_string()))
            }
        }
    }

    fn text<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.0 {
            Value::String(text) => visitor.visit_borrowed_str(text),
            _ => Err(self.mismatch("string")),
        }
    }

    /// An array, all of it: what the visitor leaves over is an error.
    fn array<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let Value::Array(items) = self.0 else {
            return Err(self.mismatch("array"));
        };
        let mut elements = Elements::new(items);
        let out = visitor.visit_seq(&mut elements)?;
        match elements.taken() {
            taken if taken == items.len() => Ok(out),
            taken => Err(DecodeError::new(format!(
                "expected {taken} elements, got {}",
                items.len()
            ))),
        }
    }

    fn object<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.0 {
            Value::Object(members) => visitor.visit_map(Members::new(members)),
            _ => Err(self.mismatch("object")),
        }
    }
}

/// A number as `serde_json` itself hands it out, so that a `Value` takes it verbatim in either mode.
fn verbatim<'de, V: Visitor<'de>>(number: &Number, visitor: V) -> Result<V::Value, DecodeError> {
    number.deserialize_any(visitor).map_err(DecodeError::custom)
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => verbatim(number, visitor),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(_) => self.array(visitor),
            Value::Object(_) => self.object(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.0 {
            Value::Bool(value) => visitor.visit_bool(*value),
            _ => Err(self.mismatch("boolean")),
        }
    }

    fn deserialize_i8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.integer(i8::MIN.into(), i8::MAX.into(), visitor)
    }

    fn deserialize_i16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.integer(i16::MIN.into(), i16::MAX.into(), visitor)
    }

    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.integer(i32::MIN.into(), i32::MAX.into(), visitor)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.integer(i64::MIN.into(), i64::MAX.into(), visitor)
    }

    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.integer(u8::MIN.into(), u8::MAX.into(), visitor)
    }

    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.integer(u16::MIN.into(), u16::MAX.into(), visitor)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.integer(u32::MIN.into(), u32::MAX.into(), visitor)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.integer(u64::MIN.into(), u64::MAX.into(), visitor)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.float(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.float(visitor)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.text(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.text(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.text(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            _ => Err(self.mismatch("null")),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        if name == checks::NAME {
            checks::answer(self.0)?;
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.array(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.array(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.array(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.object(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        // Not from an array, as serde_json would: no schema of an object accepts one.
        self.object(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match Variant::new(self.0) {
            Some(variant) => visitor.visit_enum(variant),
            None => Err(self.mismatch("string")),
        }
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.text(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! { bytes byte_buf }
}

#[cfg(test)]
mod tests;
