//! What the serde attributes of generated fields name.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, de::DeserializeOwned, de::Error as _};
use serde_json::Value;

use crate::decode::{self, DecodeError};

/// For an optional field: absent is `None` (by `#[serde(default)]`), present is `Some` of the type's
/// own reading. So `null` is refused where the type refuses it, and `Option<Option<T>>` keeps absent
/// and `null` apart.
///
/// # Errors
///
/// Those of `T`.
pub fn some<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// For a field that must be present although its type could be absent (`Option<T>`): serde
/// fills in `None` for absent options, but not for fields that name their own function.
///
/// # Errors
///
/// Those of `T`.
pub fn required<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer)
}

/// For the flattened map of undeclared properties. serde's own buffer reads `3.0` as float, loses
/// places, and trips over big numbers; this reads the values as [`decode`](crate::decode()) does.
///
/// # Errors
///
/// Those of `V`, with the place in the map.
pub fn rest<'de, D, V>(deserializer: D) -> Result<BTreeMap<String, V>, D::Error>
where
    D: Deserializer<'de>,
    V: DeserializeOwned,
{
    rest_by(deserializer, decode::decode)
}

/// The same, with a reading of the values.
pub(crate) fn rest_by<'de, D, V>(
    deserializer: D,
    read: impl Fn(&Value) -> Result<V, DecodeError>,
) -> Result<BTreeMap<String, V>, D::Error>
where
    D: Deserializer<'de>,
{
    let mut out = BTreeMap::new();
    for (key, value) in BTreeMap::<String, Value>::deserialize(deserializer)? {
        let decoded = read(&value).map_err(|error| D::Error::custom(error.under(&key)))?;
        out.insert(key, decoded);
    }
    Ok(out)
}

/// A value from a JSON text that codegen wrote: a default that is more than a literal.
///
/// # Panics
///
/// When the text does not fit `T`; codegen proved that it does.
pub fn from_json<T: DeserializeOwned>(text: &str) -> T {
    let value: Value = serde_json::from_str(text).expect("codegen writes defaults as JSON");
    decode::decode(&value).expect("codegen proves that a default is valid under its schema")
}
