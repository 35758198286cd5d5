//! The core schema of YAML 1.2 (§10.3.2): what an unquoted scalar means.

use saphyr_parser::ScalarStyle;
use serde_json::{Number, Value};

/// A scalar that YAML understands and JSON cannot say.
#[derive(Debug)]
pub(super) struct NoJson {
    pub(super) message: String,
    pub(super) help: &'static str,
}

/// The value of a scalar.
pub(super) fn resolve(text: &str, style: ScalarStyle) -> Result<Value, NoJson> {
    if style != ScalarStyle::Plain {
        return Ok(Value::String(text.to_owned()));
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Ok(Value::Null),
        "true" | "True" | "TRUE" => return Ok(Value::Bool(true)),
        "false" | "False" | "FALSE" => return Ok(Value::Bool(false)),
        ".nan" | ".NaN" | ".NAN" => return Err(not_finite(text)),
        _ => {}
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        return Err(not_finite(text));
    }
    let radix = text
        .strip_prefix("0o")
        .map(|digits| (digits, 8))
        .or_else(|| text.strip_prefix("0x").map(|digits| (digits, 16)));
    if let Some((digits, radix)) = radix.filter(|(it, radix)| all_digits(it, *radix)) {
        return u64::from_str_radix(digits, radix)
            .map(Value::from)
            .map_err(|_| too_large(text));
    }
    match decimal(text) {
        Some(json) => serde_json::from_str::<Number>(&json)
            .map(Value::Number)
            .map_err(|_| too_large(text)),
        None => Ok(Value::String(text.to_owned())),
    }
}

/// The number as JSON writes it, when the text is `[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?`.
fn decimal(text: &str) -> Option<String> {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (&unsigned[..at], Some(&unsigned[at + 1..])),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    let exponent_digits = exponent.map(|it| it.strip_prefix(['+', '-']).unwrap_or(it));
    let well_formed = digits(whole)
        && fraction.is_none_or(digits)
        && exponent_digits.is_none_or(|it| !it.is_empty() && digits(it))
        && !(whole.is_empty() && fraction.is_none_or(str::is_empty));
    if !well_formed {
        return None;
    }
    let mut json = String::with_capacity(text.len() + 2);
    json.push_str(if negative { "-" } else { "" });
    // JSON knows neither leading zeros nor bare points.
    let whole = whole.trim_start_matches('0');
    json.push_str(if whole.is_empty() { "0" } else { whole });
    if let Some(fraction) = fraction {
        json.push('.');
        json.push_str(if fraction.is_empty() { "0" } else { fraction });
    }
    if let Some(exponent) = exponent {
        json.push('e');
        json.push_str(exponent);
    }
    Some(json)
}

fn all_digits(text: &str, radix: u32) -> bool {
    !text.is_empty() && text.chars().all(|it| it.is_digit(radix))
}

fn not_finite(text: &str) -> NoJson {
    NoJson {
        message: format!("JSON has no number `{text}`"),
        help: "quote it if it is meant as text",
    }
}

fn too_large(text: &str) -> NoJson {
    let shown: String = text.chars().take(40).collect();
    NoJson {
        message: format!("the number `{shown}` is out of range"),
        help: "quote it if it is meant as text",
    }
}
