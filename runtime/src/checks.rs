//! What the macro `checks!` expands to calls of: values held against rules while they are read.
//!
//! The rules are judged on the JSON value itself, not on what becomes of it: an `f64` has forgotten the last digits
//! of an integer, and two equal ones may have been different. So the reader of values checks before it hands
//! out, without a copy; other deserializers have their value collected first.

use std::{cell::Cell, collections::BTreeMap, fmt, marker::PhantomData, sync::OnceLock};

use serde::{
    Deserialize, Deserializer,
    de::{
        DeserializeOwned, MapAccess, SeqAccess, Visitor,
        value::{MapAccessDeserializer, SeqAccessDeserializer},
    },
};
use serde_json::{Map, Value};

use crate::{
    contract::FormatPolicy,
    de,
    decode::{DecodeError, decode},
    validate::LazyChecker,
};

/// The name by which the reader of values is asked for a check.
pub(crate) const NAME: &str = "\u{1}mcp-codegen\u{1}checked";

thread_local! {
    /// What passes between [`Checks::read`] and the reader of values, which serde lets say nothing to each other.
    static TALK: Cell<Talk> = const { Cell::new(Talk::Silence) };
}

/// Each word is taken back by the next one who looks, so none is ever heard by a third.
#[derive(Clone, Copy, Default)]
enum Talk {
    #[default]
    Silence,
    Asked(&'static Checks),
    Done,
}

/// The undeclared properties of an object.
#[doc(hidden)]
pub type Rest<V> = BTreeMap<String, V>;

/// Keywords of a schema that a value obeys which a struct or union holds.
#[doc(hidden)]
pub struct Checks {
    /// Keywords with the JSON texts of their values; one may come twice.
    keywords: &'static [(&'static str, &'static str)],
    built: OnceLock<LazyChecker>,
}

impl Checks {
    /// The rules with these keywords.
    pub const fn new(keywords: &'static [(&'static str, &'static str)]) -> Self {
        Self {
            keywords,
            built: OnceLock::new(),
        }
    }

    /// Whether a value keeps the rules.
    ///
    /// # Errors
    ///
    /// The first rule that it breaks, and where.
    pub fn check(&self, value: &Value) -> Result<(), DecodeError> {
        self.checker()
            .get()
            .check(value)
            .map_err(|it| DecodeError::from_violations(&it))
    }

    /// Reads a value that keeps the rules.
    ///
    /// # Errors
    ///
    /// The first rule that it breaks, or where it is no `T`.
    pub fn read<'de, D, T>(&'static self, deserializer: D) -> Result<T, D::Error>
    where
        D: Deserializer<'de>,
        T: DeserializeOwned,
    {
        TALK.set(Talk::Asked(self));
        deserializer.deserialize_newtype_struct(NAME, Checked(self, PhantomData))
    }

    /// Reads the map of undeclared properties, each of which keeps the rules.
    ///
    /// # Errors
    ///
    /// As [`Checks::read`], with the place in the map.
    pub fn read_rest<'de, D, V>(&'static self, deserializer: D) -> Result<Rest<V>, D::Error>
    where
        D: Deserializer<'de>,
        V: DeserializeOwned,
    {
        de::rest_by(deserializer, |value| self.decode(value))
    }

    fn decode<T: DeserializeOwned>(&self, value: &Value) -> Result<T, DecodeError> {
        self.check(value)?;
        decode(value)
    }

    fn checker(&self) -> &LazyChecker {
        self.built.get_or_init(|| {
            let schema = schema(self.keywords);
            LazyChecker::new(schema.into(), FormatPolicy::Dialect)
        })
    }
}

impl fmt::Debug for Checks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Checks").field(&self.keywords).finish()
    }
}

/// The schema with these keywords; what comes twice stands in its `allOf`.
pub(crate) fn schema(keywords: &[(&str, &str)]) -> Map<String, Value> {
    let mut schema = Map::new();
    let mut again = Vec::new();
    for (keyword, text) in keywords {
        let value: Value = serde_json::from_str(text).expect("codegen writes rules as JSON");
        if schema.contains_key(*keyword) {
            let alone = Map::from_iter([((*keyword).to_owned(), value)]);
            again.push(Value::Object(alone));
        } else {
            schema.insert((*keyword).to_owned(), value);
        }
    }
    if !again.is_empty() {
        schema.insert("allOf".to_owned(), again.into());
    }
    schema
}

/// Does the check that was asked for, if one was, on a value that is about to be handed out.
pub(crate) fn answer(value: &Value) -> Result<(), DecodeError> {
    if let Talk::Asked(checks) = TALK.take() {
        checks.check(value)?;
        TALK.set(Talk::Done);
    }
    Ok(())
}

/// Takes a value that has been checked, or checks it.
struct Checked<T>(&'static Checks, PhantomData<T>);

impl<T: DeserializeOwned> Checked<T> {
    fn late<E: serde::de::Error>(self, value: &Value) -> Result<T, E> {
        self.0.decode(value).map_err(E::custom)
    }
}

impl<'de, T: DeserializeOwned> Visitor<'de> for Checked<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that keeps its schema")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        match TALK.take() {
            Talk::Done => T::deserialize(deserializer),
            Talk::Silence | Talk::Asked(_) => self.late(&Value::deserialize(deserializer)?),
        }
    }

    // What deserializers call that know no newtypes.

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<T, E> {
        self.late(&value.into())
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<T, E> {
        self.late(&value.into())
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<T, E> {
        self.late(&value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<T, E> {
        self.late(&value.into())
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<T, E> {
        self.late(&value.into())
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<T, E> {
        self.late(&Value::Null)
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<T, E> {
        self.late(&Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        self.late(&Value::deserialize(deserializer)?)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<T, A::Error> {
        self.late(&Value::deserialize(SeqAccessDeserializer::new(items))?)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<T, A::Error> {
        self.late(&Value::deserialize(MapAccessDeserializer::new(members))?)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    #![expect(
        clippy::option_option,
        reason = "so a field that may be absent and may be null is generated"
    )]

    use serde::{Deserialize, de::DeserializeOwned};
    use serde_json::{from_value, json};

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Trip {
        #[serde(deserialize_with = "Trip::read_city")]
        city: String,
        #[serde(default, deserialize_with = "Trip::read_days")]
        days: Option<i64>,
        #[serde(default, deserialize_with = "Trip::read_note")]
        note: Option<Option<String>>,
        #[serde(default, deserialize_with = "Trip::read_ratio")]
        ratio: f64,
        #[serde(default, deserialize_with = "Trip::read_tags")]
        tags: Vec<Option<String>>,
        #[serde(flatten, deserialize_with = "Trip::read_rest")]
        rest: BTreeMap<String, u64>,
    }
    crate::checks! { Trip {
        read_city: value { minLength = "2", maxLength = "3", pattern = r#""^\\D""#, pattern = r#""\\w$""# },
        read_days: some { minimum = "1", maximum = "7" },
        read_note: some { minLength = "1" },
        read_ratio: value { exclusiveMaximum = "9007199254740993", multipleOf = "0.1" },
        read_tags: value { maxItems = "2", uniqueItems = "true", items = r#"{"maxLength":1}"# },
        read_rest: rest { multipleOf = "2" },
    } }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(transparent)]
    struct Tree(#[serde(deserialize_with = "Tree::read_value")] Vec<Tree>);
    crate::checks! { Tree { read_value: value { maxItems = "1" } } }

    #[derive(Clone, Debug, PartialEq)]
    enum Either {
        Text(String),
        List(Vec<String>),
        Number(f64),
    }
    crate::kind_union! { Either {
        Text = [string] { minLength = "1" }, List = [array] { items = r#"{"minLength":1}"# }, Number = [number]
    } }

    /// What our reader says, which is also what that of `serde_json` says.
    fn read<T: DeserializeOwned + PartialEq + fmt::Debug>(
        value: &Value,
    ) -> Result<T, (String, String)> {
        let ours = decode::<T>(value);
        let other = from_value::<T>(value.clone());
        assert_eq!(ours.is_ok(), other.is_ok(), "{value}: {other:?}");
        ours.map_err(|it| (it.pointer.clone(), it.to_string()))
    }

    #[test]
    fn values_keep_the_rules_of_their_fields() {
        let cases = [
            (json!({ "city": "Rom" }), ""),
            (
                json!({ "city": "é\u{1f600}a", "days": 7, "tags": [null, "a"] }),
                "",
            ),
            (
                json!({ "city": "Rom", "note": null, "x": 4, "ratio": 0.3 }),
                "",
            ),
            (json!({ "city": "R" }), "/city"),
            (json!({ "city": "1ab" }), "/city"),
            (json!({ "city": 12 }), "/city"),
            (json!({ "city": null }), "/city"),
            (json!({ "city": "Rom", "days": 0 }), "/days"),
            (json!({ "city": "Rom", "days": null }), "/days"),
            (json!({ "city": "Rom", "note": "" }), "/note"),
            (json!({ "city": "Rom", "ratio": 0.35 }), "/ratio"),
            (
                json!({ "city": "Rom", "ratio": 9_007_199_254_740_993_u64 }),
                "/ratio",
            ),
            (json!({ "city": "Rom", "tags": ["a", "bc"] }), "/tags/1"),
            (json!({ "city": "Rom", "tags": ["a", "a"] }), "/tags"),
            (json!({ "city": "Rom", "tags": ["a", "b", "c"] }), "/tags"),
            (json!({ "city": "Rom", "x": 3 }), "/x"),
        ];
        for (value, place) in cases {
            let found = read::<Trip>(&value);
            assert_eq!(
                found.map_or_else(|it| it.0, |_| String::new()),
                place,
                "{value}"
            );
        }
        let missing = read::<Trip>(&json!({})).unwrap_err();
        assert_eq!(missing.1, "missing required property `city`");
        // An integral float is an integer for our reader, before and after the check.
        let trip: Trip = decode(&json!({ "city": "Rom", "days": 3.0 })).unwrap();
        assert_eq!((trip.days, trip.note), (Some(3), None));
    }

    #[test]
    fn recursion_and_unions_too() {
        assert!(read::<Tree>(&json!([[[]]])).is_ok());
        assert_eq!(read::<Tree>(&json!([[[], []]])).unwrap_err().0, "/0");
        assert!(read::<Either>(&json!("a")).is_ok() && read::<Either>(&json!(0.5)).is_ok());
        assert_eq!(
            read::<Either>(&json!("")).unwrap_err().1,
            "expected at least 1 character, got 0"
        );
        assert_eq!(read::<Either>(&json!(["a", ""])).unwrap_err().0, "/1");
    }

    #[test]
    fn any_deserializer_will_do() {
        use serde::de::value::{Error, MapDeserializer, StrDeserializer};

        static NOTHING: Checks = Checks::new(&[]);

        let members = |city: &'static str| {
            let city = StrDeserializer::<Error>::new(city);
            Trip::deserialize(MapDeserializer::new(std::iter::once(("city", city))))
        };
        assert!(members("Rom").is_ok() && members("R").is_err());
        assert!(
            serde_json::from_str::<Trip>(r#"{"city":"Rom","tags":["a","b"],"days":7}"#).is_ok()
        );
        assert!(serde_json::from_str::<Trip>(r#"{"city":"Rom","tags":["a","bb"]}"#).is_err());
        // A question that nobody answered is not taken for an answer to the next one.
        TALK.set(Talk::Asked(&NOTHING));
        assert!(members("R").is_err());
    }
}
