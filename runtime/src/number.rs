//! JSON numbers compared as numbers, however they are written and however `serde_json` keeps them.
//!
//! With `serde_json`'s `arbitrary_precision`, which any crate of a build may turn on, a number is its text;
//! without, it is an `i64`, `u64` or `f64`. Text is what both have, so odd cases go through it.

use serde_json::{Number, Value};

/// A number as sign, digits and exponent, without zeros at either end: equal for equal numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Decimal {
    negative: bool,
    /// Neither first nor last is `0`; empty for zero.
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// `None` for an exponent beyond 64 bits.
    fn new(number: &Number) -> Option<Self> {
        let text = number.to_string();
        let (text, negative) = match text.strip_prefix('-') {
            Some(rest) => (rest, true),
            None => (text.as_str(), false),
        };
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let digits = all.trim_start_matches('0').trim_end_matches('0');
        if digits.is_empty() {
            return Some(Self {
                negative: false,
                digits: String::new(),
                exponent: 0,
            });
        }
        let trailing = all.len() - all.trim_end_matches('0').len();
        let exponent = exponent
            .checked_sub(i64::try_from(fraction.len()).ok()?)?
            .checked_add(i64::try_from(trailing).ok()?)?;
        Some(Self {
            negative,
            digits: digits.to_owned(),
            exponent,
        })
    }

    fn integer(&self) -> Option<i128> {
        let zeros = u32::try_from(self.exponent).ok()?;
        let digits: i128 = if self.digits.is_empty() {
            0
        } else {
            self.digits.parse().ok()?
        };
        let magnitude = digits.checked_mul(10_i128.checked_pow(zeros)?)?;
        Some(if self.negative { -magnitude } else { magnitude })
    }
}

/// Whether the number has no fraction: `3`, `3.0`, `3e2`.
pub(crate) fn is_integral(number: &Number) -> bool {
    number.is_i64() || number.is_u64() || Decimal::new(number).is_some_and(|it| it.exponent >= 0)
}

/// The number as integer, if it is one of at most 127 bits: `3.0` is 3.
pub(crate) fn integer(number: &Number) -> Option<i128> {
    match (number.as_i64(), number.as_u64()) {
        (Some(value), _) => Some(value.into()),
        (_, Some(value)) => Some(value.into()),
        _ => Decimal::new(number)?.integer(),
    }
}

/// Whether two values are equal as JSON Schema has it: numbers by value, objects in any order.
pub(crate) fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => same_number(left, right),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| equal(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            let same =
                |(key, left): (&String, &Value)| right.get(key).is_some_and(|it| equal(left, it));
            left.len() == right.len() && left.iter().all(same)
        }
        _ => left == right,
    }
}

fn same_number(left: &Number, right: &Number) -> bool {
    match (Decimal::new(left), Decimal::new(right)) {
        _ if left == right => true,
        (Some(left), Some(right)) => left == right,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::from_str;

    use super::*;

    fn number(text: &str) -> Number {
        from_str(text).expect("test data is JSON")
    }

    #[test]
    fn numbers_compare_by_value() {
        let equal_pairs = [
            ("1", "1.0"),
            ("100", "1e2"),
            ("0", "-0.0"),
            ("0.5", "5e-1"),
            ("-10", "-1.0e1"),
            ("1e300", "10e299"),
        ];
        for (left, right) in equal_pairs {
            assert!(same_number(&number(left), &number(right)), "{left} {right}");
        }
        for (left, right) in [
            ("1", "-1"),
            ("1", "1.5"),
            ("0", "1e-300"),
            ("9007199254740993", "9007199254740992"),
        ] {
            assert!(
                !same_number(&number(left), &number(right)),
                "{left} {right}"
            );
        }
        assert!(!equal(&Value::Bool(true), &Value::from(1)));
        assert!(equal(
            &from_str(r#"{"a":[1.0],"b":2}"#).expect("JSON"),
            &from_str(r#"{"b":2e0,"a":[1]}"#).expect("JSON")
        ));
    }

    #[test]
    fn integers_however_written() {
        let cases = [
            ("3", Some(3)),
            ("3.0", Some(3)),
            ("-3.0e2", Some(-300)),
            ("1e20", Some(100_000_000_000_000_000_000)),
            ("18446744073709551615", Some(u64::MAX.into())),
            ("-9223372036854775808", Some(i64::MIN.into())),
            ("-0.0", Some(0)),
            ("3.5", None),
            ("1e-2", None),
            ("1e300", None),
        ];
        for (text, expected) in cases {
            assert_eq!(integer(&number(text)), expected, "{text}");
        }
        assert!(is_integral(&number("1e300")) && !is_integral(&number("0.1")));
    }
}
