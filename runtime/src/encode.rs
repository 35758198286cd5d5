//! Rust values as JSON values: a serde `Serializer` that refuses what JSON cannot hold.
//!
//! `serde_json` has one too. It writes NaN and infinities as `null`, and of two members of one name it keeps the last: the
//! result is another value than the tool returned. This one refuses both, and errors say where. So a type that cannot
//! otherwise break its schema never does, and needs no validator.

use std::fmt;

use serde::{
    Serialize, Serializer,
    ser::{
        self, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
        SerializeTupleStruct, SerializeTupleVariant,
    },
};
use serde_json::{Map, Value, value::Serializer as Verbatim};

use crate::violation::Violation;

/// What `serde_json` names the structs by which numbers and raw texts are passed on as they are.
const PRIVATE: &str = "$serde_json::private::";

/// A value as JSON.
///
/// # Errors
///
/// The first place that JSON cannot hold.
pub(crate) fn encode<T: Serialize + ?Sized>(value: &T) -> Result<Value, EncodeError> {
    value.serialize(Writer)
}

/// Why a value cannot be written, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EncodeError(Box<Violation>);

impl EncodeError {
    fn new(message: &str) -> Self {
        Self(Box::new(Violation::new("", message)))
    }

    /// The same error, seen from one level up.
    fn under(mut self, segment: &str) -> Self {
        self.0.pointer = under(segment, &self.0.pointer);
        self
    }

    /// The same error, seen from the enum that has the value in this variant, where one does.
    fn of_variant(self, name: Option<&str>) -> Self {
        match name {
            Some(name) => self.under(name),
            None => self,
        }
    }

    pub(crate) fn into_violation(self) -> Violation {
        *self.0
    }
}

/// `pointer` seen from one level up.
pub(crate) fn under(segment: &str, pointer: &str) -> String {
    format!(
        "/{}{pointer}",
        segment.replace('~', "~0").replace('/', "~1")
    )
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for EncodeError {}

impl ser::Error for EncodeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        let violation = Violation::new("", "cannot be written as JSON");
        Self(Box::new(violation.with_detail(message.to_string())))
    }
}

fn scalar<T: Serialize + ?Sized>(value: &T) -> Result<Value, EncodeError> {
    value.serialize(Verbatim).map_err(ser::Error::custom)
}

fn float(is_finite: bool, value: impl Into<Value>) -> Result<Value, EncodeError> {
    if is_finite {
        Ok(value.into())
    } else {
        Err(EncodeError::new("not a number that JSON can hold"))
    }
}

/// As serde writes enums: the value alone, or as the only member of an object.
fn variant(name: Option<&'static str>, value: Value) -> Value {
    match name {
        Some(name) => Value::Object(Map::from_iter([(name.to_owned(), value)])),
        None => value,
    }
}

/// Writes one value.
#[derive(Clone, Copy)]
struct Writer;

impl Serializer for Writer {
    type Ok = Value;
    type Error = EncodeError;
    type SerializeSeq = Elements;
    type SerializeTuple = Elements;
    type SerializeTupleStruct = Elements;
    type SerializeTupleVariant = Elements;
    type SerializeMap = Members;
    type SerializeStruct = Fields;
    type SerializeStructVariant = Members;

    fn serialize_bool(self, value: bool) -> Result<Value, EncodeError> {
        Ok(value.into())
    }

    fn serialize_i8(self, value: i8) -> Result<Value, EncodeError> {
        Ok(value.into())
    }

    fn serialize_i16(self, value: i16) -> Result<Value, EncodeError> {
        Ok(value.into())
    }

    fn serialize_i32(self, value: i32) -> Result<Value, EncodeError> {
        Ok(value.into())
    }

    fn serialize_i64(self, value: i64) -> Result<Value, EncodeError> {
        Ok(value.into())
    }

    fn serialize_i128(self, value: i128) -> Result<Value, EncodeError> {
        scalar(&value)
    }

    fn serialize_u8(self, value: u8) -> Result<Value, EncodeError> {
        Ok(value.into())
    }

    fn serialize_u16(self, value: u16) -> Result<Value, EncodeError> {
        Ok(value.into())
    }

    fn serialize_u32(self, value: u32) -> Result<Value, EncodeError> {
        Ok(value.into())
    }

    fn serialize_u64(self, value: u64) -> Result<Value, EncodeError> {
        Ok(value.into())
    }

    fn serialize_u128(self, value: u128) -> Result<Value, EncodeError> {
        scalar(&value)
    }

    fn serialize_f32(self, value: f32) -> Result<Value, EncodeError> {
        float(value.is_finite(), value)
    }

    fn serialize_f64(self, value: f64) -> Result<Value, EncodeError> {
        float(value.is_finite(), value)
    }

    fn serialize_char(self, value: char) -> Result<Value, EncodeError> {
        Ok(value.to_string().into())
    }

    fn serialize_str(self, value: &str) -> Result<Value, EncodeError> {
        Ok(value.into())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Value, EncodeError> {
        Ok(value.iter().copied().map(Value::from).collect())
    }

    fn serialize_none(self) -> Result<Value, EncodeError> {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, EncodeError> {
        encode(value)
    }

    fn serialize_unit(self) -> Result<Value, EncodeError> {
        Ok(Value::Null)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<Value, EncodeError> {
        Ok(Value::Null)
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<Value, EncodeError> {
        Ok(variant.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<Value, EncodeError> {
        encode(value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        name: &'static str,
        value: &T,
    ) -> Result<Value, EncodeError> {
        let value = encode(value).map_err(|error| error.under(name))?;
        Ok(variant(Some(name), value))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Elements, EncodeError> {
        Ok(Elements::new(None, length.unwrap_or(0)))
    }

    fn serialize_tuple(self, length: usize) -> Result<Elements, EncodeError> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        length: usize,
    ) -> Result<Elements, EncodeError> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Elements, EncodeError> {
        Ok(Elements::new(Some(variant), length))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Members, EncodeError> {
        Ok(Members::new(None, length.unwrap_or(0)))
    }

    fn serialize_struct(self, name: &'static str, length: usize) -> Result<Fields, EncodeError> {
        if name.starts_with(PRIVATE) {
            let verbatim = Verbatim.serialize_struct(name, length);
            return verbatim.map(Fields::Verbatim).map_err(ser::Error::custom);
        }
        Ok(Fields::Members(Members::new(None, length)))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Members, EncodeError> {
        Ok(Members::new(Some(variant), length))
    }
}

/// An array in the making.
struct Elements {
    variant: Option<&'static str>,
    items: Vec<Value>,
}

impl Elements {
    fn new(variant: Option<&'static str>, length: usize) -> Self {
        Self {
            variant,
            items: Vec::with_capacity(length),
        }
    }

    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        let place = |error: EncodeError| {
            let index = self.items.len().to_string();
            error.under(&index).of_variant(self.variant)
        };
        let item = encode(value).map_err(place)?;
        self.items.push(item);
        Ok(())
    }

    fn finish(self) -> Value {
        variant(self.variant, Value::Array(self.items))
    }
}

impl SerializeSeq for Elements {
    type Ok = Value;
    type Error = EncodeError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        self.push(value)
    }

    fn end(self) -> Result<Value, EncodeError> {
        Ok(self.finish())
    }
}

impl SerializeTuple for Elements {
    type Ok = Value;
    type Error = EncodeError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        self.push(value)
    }

    fn end(self) -> Result<Value, EncodeError> {
        Ok(self.finish())
    }
}

impl SerializeTupleStruct for Elements {
    type Ok = Value;
    type Error = EncodeError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        self.push(value)
    }

    fn end(self) -> Result<Value, EncodeError> {
        Ok(self.finish())
    }
}

impl SerializeTupleVariant for Elements {
    type Ok = Value;
    type Error = EncodeError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        self.push(value)
    }

    fn end(self) -> Result<Value, EncodeError> {
        Ok(self.finish())
    }
}

/// An object in the making.
struct Members {
    variant: Option<&'static str>,
    written: Map<String, Value>,
    /// The name whose value comes next.
    key: Option<String>,
}

impl Members {
    fn new(variant: Option<&'static str>, length: usize) -> Self {
        Self {
            variant,
            written: Map::with_capacity(length),
            key: None,
        }
    }

    fn insert<T: Serialize + ?Sized>(&mut self, key: String, value: &T) -> Result<(), EncodeError> {
        let place = |error: EncodeError, key: &str| error.under(key).of_variant(self.variant);
        let value = encode(value).map_err(|error| place(error, &key))?;
        match self.written.entry(key) {
            serde_json::map::Entry::Vacant(entry) => {
                entry.insert(value);
                Ok(())
            }
            // A map of undeclared properties that repeats a declared one. Which of the two is meant, nobody knows.
            serde_json::map::Entry::Occupied(entry) => {
                let error = EncodeError::new("the property is there twice");
                Err(place(error, entry.key()))
            }
        }
    }

    fn finish(self) -> Value {
        variant(self.variant, Value::Object(self.written))
    }
}

/// A name of a member; numbers and booleans become texts, as with `serde_json`.
fn name<T: Serialize + ?Sized>(key: &T) -> Result<String, EncodeError> {
    match encode(key)? {
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(value) => Ok(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => {
            Err(EncodeError::new("a property name that is no text"))
        }
    }
}

impl SerializeMap for Members {
    type Ok = Value;
    type Error = EncodeError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), EncodeError> {
        self.key = Some(name(key)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        match self.key.take() {
            Some(key) => self.insert(key, value),
            None => Err(EncodeError::new("a value without a property name")),
        }
    }

    fn serialize_entry<K: Serialize + ?Sized, V: Serialize + ?Sized>(
        &mut self,
        key: &K,
        value: &V,
    ) -> Result<(), EncodeError> {
        self.insert(name(key)?, value)
    }

    fn end(self) -> Result<Value, EncodeError> {
        Ok(self.finish())
    }
}

impl SerializeStructVariant for Members {
    type Ok = Value;
    type Error = EncodeError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), EncodeError> {
        self.insert(key.to_owned(), value)
    }

    fn end(self) -> Result<Value, EncodeError> {
        Ok(self.finish())
    }
}

/// A struct in the making.
enum Fields {
    Members(Members),
    /// One that means something to `serde_json`, which alone can make a value of it.
    Verbatim(<Verbatim as Serializer>::SerializeStruct),
}

impl SerializeStruct for Fields {
    type Ok = Value;
    type Error = EncodeError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), EncodeError> {
        match self {
            Self::Members(members) => members.insert(key.to_owned(), value),
            Self::Verbatim(inner) => inner
                .serialize_field(key, value)
                .map_err(ser::Error::custom),
        }
    }

    fn end(self) -> Result<Value, EncodeError> {
        match self {
            Self::Members(members) => Ok(members.finish()),
            Self::Verbatim(inner) => SerializeStruct::end(inner).map_err(ser::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::collections::{BTreeMap, HashMap};

    use serde_json::{from_str, json, to_value};

    use super::*;

    #[derive(Serialize)]
    struct Open {
        a: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        b: Option<f32>,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }

    #[derive(Serialize)]
    enum Any {
        Unit,
        New(f64),
        Tuple(u8, f64),
        Struct { x: f64 },
    }

    #[derive(Serialize)]
    struct Pair(Any, char);

    fn open(a: f64, b: Option<f32>, rest: &[&str]) -> Open {
        let rest = rest.iter().map(|key| ((*key).to_owned(), json!([1])));
        Open {
            a,
            b,
            rest: rest.collect(),
        }
    }

    #[test]
    fn what_json_can_hold_is_written_as_serde_json_does() {
        fn same(value: &impl Serialize) {
            assert_eq!(encode(value).unwrap(), to_value(value).unwrap());
        }
        same(&open(1.5, Some(0.1), &["c", "d"]));
        same(&(1_i8, -2_i64, u64::MAX, 3_u128, 1e300, true, 'é', "x", ()));
        same(&[Any::Unit, Any::New(1.0), Any::Tuple(1, 2.0)]);
        same(&vec![Pair(Any::Struct { x: 0.5 }, 'c')]);
        same(&HashMap::from([(7_u8, Some("seven"))]));
        same(&BTreeMap::from([(true, None::<u8>)]));
        same(&json!({ "z": [1, 2.5, null, { "a": u64::MAX }], "a": "t" }));
        // More digits than f64 has, where serde_json keeps them at all.
        same(&from_str::<Value>("[0.10000000000000000555111512312578270]").unwrap());
        let written = encode(&open(1.0, None, &["z", "b"])).unwrap();
        assert_eq!(written.to_string(), r#"{"a":1.0,"b":[1],"z":[1]}"#);
    }

    #[test]
    fn what_json_cannot_hold_is_refused_with_its_place() {
        fn told(value: &impl Serialize) -> String {
            encode(value).unwrap_err().into_violation().to_string()
        }
        let number = "not a number that JSON can hold";
        assert_eq!(told(&f64::NAN), number);
        assert_eq!(
            told(&open(f64::INFINITY, None, &[])),
            format!("/a: {number}")
        );
        assert_eq!(
            told(&[open(0.0, Some(f32::NAN), &[])]),
            format!("/0/b: {number}")
        );
        let nested = BTreeMap::from([("a/b", Pair(Any::Tuple(1, f64::NAN), 'x'))]);
        assert_eq!(told(&nested), format!("/a~1b/0/Tuple/1: {number}"));
        assert_eq!(
            told(&Any::Struct { x: f64::NAN }),
            format!("/Struct/x: {number}")
        );
        assert_eq!(told(&Any::New(f64::NAN)), format!("/New: {number}"));
        assert_eq!(
            told(&[open(0.0, None, &["a"])]),
            "/0/a: the property is there twice"
        );
        assert_eq!(
            told(&BTreeMap::from([(vec![1], 1)])),
            "a property name that is no text"
        );
    }
}
