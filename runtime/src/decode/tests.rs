//! Values that fit and values that do not, by type.

#![expect(
    clippy::unwrap_used,
    clippy::option_option,
    clippy::needless_pass_by_value,
    reason = "tests"
)]

use std::{collections::BTreeMap, fmt::Debug};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, from_str, json};

use super::*;

fn fits<T: DeserializeOwned + PartialEq + Debug>(text: &str, expected: T) {
    assert_eq!(
        decode::<T>(&from_str(text).unwrap()).as_ref(),
        Ok(&expected),
        "{text}"
    );
}

fn error<T: DeserializeOwned + Debug>(text: &str) -> String {
    decode::<T>(&from_str(text).unwrap())
        .unwrap_err()
        .to_string()
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Closed {
    a: i64,
    #[serde(default, deserialize_with = "crate::de::some")]
    b: Option<i64>,
    #[serde(default, deserialize_with = "crate::de::some")]
    c: Option<Option<i64>>,
    #[serde(deserialize_with = "crate::de::required")]
    d: Option<i64>,
}

#[derive(Debug, Deserialize, Serialize, PartialEq)]
struct Open {
    a: Option<u8>,
    #[serde(flatten, deserialize_with = "crate::de::rest")]
    rest: BTreeMap<String, Vec<u8>>,
}

#[derive(Debug, Deserialize, PartialEq)]
enum Word {
    #[serde(rename = "one")]
    One,
}

#[derive(Debug, PartialEq)]
enum Shape {
    Address(std::net::Ipv4Addr),
    Tree(BTreeMap<String, Open>),
}
crate::kind_union! { Shape { Address = [string], Tree = [object] } }

#[derive(Debug, Deserialize, PartialEq)]
struct Wrapper(Vec<Word>);

#[test]
fn numbers() {
    fits("3.0", 3_i64);
    fits("-3e2", -300_i64);
    fits("18446744073709551615", u64::MAX);
    fits("-9223372036854775808", i64::MIN);
    fits("1e18", 1_000_000_000_000_000_000_i64);
    fits("255.0", 255_u8);
    fits("3", 3.0_f64);
    fits("1.7976931348623157e308", f64::MAX);
    assert_eq!(
        error::<i64>("18446744073709551615"),
        "expected a whole number from -9223372036854775808 to 9223372036854775807, got 18446744073709551615"
    );
    for (told, expected) in [
        (error::<u8>("256"), "from 0 to 255, got 256"),
        (error::<u64>("-1"), "from 0 to 18446744073709551615, got -1"),
        (error::<i8>("1e30"), "from -128 to 127, got 1e30"),
    ] {
        let expected = format!("expected a whole number {expected}");
        assert_eq!(told.replace("1e+30", "1e30"), expected);
    }
    assert_eq!(error::<i64>("1.5"), "expected integer, got 1.5");
    assert_eq!(error::<i64>("\"3\""), "expected integer, got string");
    assert_eq!(error::<f64>("null"), "expected number, got null");
}

#[test]
fn structures() {
    fits(
        r#"{"a": 1.0, "d": null}"#,
        Closed {
            a: 1,
            b: None,
            c: None,
            d: None,
        },
    );
    fits(
        r#"{"a": 1, "b": 2, "c": null, "d": 4}"#,
        Closed {
            a: 1,
            b: Some(2),
            c: Some(None),
            d: Some(4),
        },
    );
    fits(r#"["a", 1]"#, ("a".to_owned(), 1_i64));
    fits(r#"["one"]"#, Wrapper(vec![Word::One]));
    fits("null", ());
    fits("null", None::<i64>);
    fits(
        r#"{"a": 3.0, "x": [1.0]}"#,
        Open {
            a: Some(3),
            rest: BTreeMap::from([("x".to_owned(), vec![1])]),
        },
    );
}

#[test]
fn errors_say_where() {
    let cases = [
        (
            error::<Closed>(r#"{"a": 1}"#),
            "missing required property `d`",
        ),
        (
            error::<Closed>(r#"{"a": 1, "b": null, "d": 1}"#),
            "at /b: expected integer, got null",
        ),
        (
            error::<Closed>(r#"{"a": 1, "x/y": 1, "d": 1}"#),
            "at /x~1y: unknown property",
        ),
        (
            error::<Closed>("[1, 2, 3, 4]"),
            "expected object, got array",
        ),
        (
            error::<(String, i64)>(r#"["a", 1, 2]"#),
            "expected 2 elements, got 3",
        ),
        (
            error::<(String, i64)>(r#"["a"]"#),
            "expected a tuple of size 2, got 1 elements",
        ),
        (
            error::<BTreeMap<String, Vec<bool>>>(r#"{"k": [true, 1]}"#),
            "at /k/1: expected boolean, got integer",
        ),
        (
            error::<Word>("\"two\""),
            "expected one of \"one\", got \"two\"",
        ),
        (
            error::<Word>(r#"{"one": null}"#),
            "expected string, got object",
        ),
        (error::<()>("0"), "expected null, got integer"),
        (
            error::<Open>(r#"{"x": [1, 2.5]}"#),
            "at /x/1: expected integer, got 2.5",
        ),
        (
            error::<crate::Never>("1"),
            "must be absent: no value is allowed here",
        ),
    ];
    for (told, expected) in cases {
        assert_eq!(told, expected);
    }
}

#[test]
fn values_are_taken_verbatim() {
    for text in [
        "1",
        "1.5",
        "18446744073709551615",
        r#"{"b":[null,true,"x"],"a":-1}"#,
    ] {
        let value: Value = from_str(text).unwrap();
        assert_eq!(decode::<Value>(&value).unwrap().to_string(), text);
    }
    // More digits than f64 has: kept where serde_json keeps them at all.
    let value: Value = from_str("0.10000000000000000555111512312578270").unwrap();
    assert_eq!(decode::<Value>(&value).unwrap(), value);
    assert_eq!(
        decode::<BTreeMap<String, Value>>(&json!({"a": value})).unwrap()["a"],
        value
    );
}

#[test]
fn redaction_reaches_errors_of_others() {
    let told = |value: Value| {
        let error = decode::<Shape>(&value).unwrap_err();
        let violation = error.into_violation();
        assert!(!violation.clone().redacted().to_string().contains("77"));
        violation.to_string()
    };
    // Through unions and maps of undeclared properties, errors keep their place and their words.
    assert_eq!(
        told(json!({ "x": { "n": [1, 777] } })),
        "/x/n/1: expected a whole number from 0 to 255, got 777"
    );
    assert_eq!(
        told(json!("1.2.3.77.4")),
        "not acceptable: invalid IPv4 address syntax"
    );
    assert_eq!(told(json!(77)), "expected string or object, got integer");
}
