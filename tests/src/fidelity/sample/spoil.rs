//! Near misses: a value with one spot broken.

use serde_json::{Number, Value, json};

use crate::fidelity::random::Random;

/// Breaks one spot of a value: wrong kind, null, missing or extra property, near-miss text, bounds.
pub(super) fn spoil(mut value: Value, schema: &Value, random: &mut Random) -> Value {
    let mut spots = Vec::new();
    collect(&value, String::new(), &mut spots);
    let Some(pointer) = random.pick(&spots).cloned() else {
        return value;
    };
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    let Some(spot) = value.pointer_mut(&pointer) else {
        return value;
    };
    *spot = match (random.below(5), spot.take()) {
        (0, _) => Value::Null,
        (1, Value::Object(mut members)) => {
            let names: Vec<String> = members.keys().cloned().collect();
            if let Some(name) = random.pick(&names) {
                members.shift_remove(name);
            }
            Value::Object(members)
        }
        (2, Value::Object(mut members)) => {
            members.insert(
                if closed { "unknwon" } else { "extra" }.to_owned(),
                json!({ "a": [1] }),
            );
            Value::Object(members)
        }
        (_, Value::String(text)) => match random.below(4) {
            0 => json!(format!("{text}x")),
            1 => json!(text.to_uppercase()),
            2 => json!(7),
            _ => json!(""),
        },
        (_, Value::Number(number)) => match random.below(5) {
            0 => json!(number.to_string()),
            1 => json!(moved(&number, 0.5)),
            2 => json!(moved(&number, -1e9)),
            3 => json!(u64::MAX),
            _ => json!(moved(&number, 1e9)),
        },
        (_, Value::Bool(flag)) => json!(flag.to_string()),
        (3, Value::Array(items)) => json!({ "items": items }),
        (_, Value::Array(mut items)) => {
            items.push(json!({ "odd": null }));
            Value::Array(items)
        }
        (_, other @ Value::Object(_)) => json!(other.to_string()),
        (_, Value::Null) => json!(false),
    };
    value
}

/// Fractions are read as 64 bits of floating point, which beyond 2^53 are not what was written.
fn moved(number: &Number, by: f64) -> f64 {
    (number.as_f64().unwrap_or(0.0) + by).clamp(-9.0e15, 9.0e15)
}

fn collect(value: &Value, pointer: String, spots: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                collect(member, format!("{pointer}/{name}"), spots);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, format!("{pointer}/{index}"), spots);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    spots.push(pointer);
}
