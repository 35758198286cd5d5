//! Integers: the Rust type that holds every value between the bounds.

use serde_json::{Map, Value};

use super::{
    keywords::{ceiling, floor, integral},
    view::View,
};
use crate::graph::Int;

/// `i64`; `u64` where nothing is negative; what `format` names where the bounds keep within it.
///
/// Bounds are compared as integers: `9007199254740993` is no `f64`.
pub(super) fn integer(view: &View<'_>) -> Int {
    let least = view.schemas().filter_map(least).max();
    let greatest = view.schemas().filter_map(greatest).min();
    let narrow = view
        .schemas()
        .filter_map(|it| it.get("format").and_then(Value::as_str))
        .filter_map(named)
        .find(|(_, from, to)| {
            least.is_some_and(|it| it >= *from) && greatest.is_some_and(|it| it <= *to)
        });
    match narrow {
        Some((int, ..)) => int,
        None if least.is_some_and(|it| it >= 0) => Int::U64,
        None => Int::I64,
    }
}

pub(crate) fn least(schema: &Map<String, Value>) -> Option<i128> {
    let minimum = schema.get("minimum").and_then(Value::as_number);
    match schema.get("exclusiveMinimum") {
        // Draft 4: a mark on `minimum`.
        Some(Value::Bool(true)) => minimum.and_then(floor).map(|it| it.saturating_add(1)),
        Some(Value::Number(bound)) => {
            let above = floor(bound).map(|it| it.saturating_add(1));
            above.max(minimum.and_then(ceiling))
        }
        _ => minimum.and_then(ceiling),
    }
}

pub(crate) fn greatest(schema: &Map<String, Value>) -> Option<i128> {
    let maximum = schema.get("maximum").and_then(Value::as_number);
    let below = |bound| ceiling(bound).map(|it| it.saturating_sub(1));
    match schema.get("exclusiveMaximum") {
        Some(Value::Bool(true)) => maximum.and_then(below),
        Some(Value::Number(bound)) => match (below(bound), maximum.and_then(floor)) {
            (Some(left), Some(right)) => Some(left.min(right)),
            (left, right) => left.or(right),
        },
        _ => maximum.and_then(floor),
    }
}

/// The integer type that a `format` names, with its range.
fn named(format: &str) -> Option<(Int, i128, i128)> {
    Some(match format {
        "int8" => (Int::I8, i8::MIN.into(), i8::MAX.into()),
        "int16" => (Int::I16, i16::MIN.into(), i16::MAX.into()),
        "int32" => (Int::I32, i32::MIN.into(), i32::MAX.into()),
        "uint8" => (Int::U8, 0, u8::MAX.into()),
        "uint16" => (Int::U16, 0, u16::MAX.into()),
        "uint32" => (Int::U32, 0, u32::MAX.into()),
        _ => return None,
    })
}

/// An integral number as Rust's integer literals are written: `5` for `5.0`.
pub(super) fn without_fraction(value: Value) -> Value {
    let integer = value.as_number().and_then(integral);
    let small = integer
        .and_then(|it| i64::try_from(it).ok())
        .map(Value::from);
    let large = integer
        .and_then(|it| u64::try_from(it).ok())
        .map(Value::from);
    small.or(large).unwrap_or(value)
}
