//! Random JSON, of the names and values that schemas like to speak of.

use serde_json::{Map, Value, json};

use super::Random;

/// Names that random schemas declare, and one that they do not.
const NAMES: &[&str] = &[
    "a", "b", "kind", "type", "x-one", "k1", "foo_bar", "fooBar", "extra",
];

/// Any value; `depth` counts down.
pub(in crate::fidelity) fn value(random: &mut Random, depth: usize) -> Value {
    let kinds = if depth == 0 { 5 } else { 8 };
    match random.below(kinds) {
        0 => Value::Null,
        1 => json!(random.percent(50)),
        2 => text(random),
        3 => number(random),
        4 => json!(random.below(4)),
        5 => {
            let length = random.below(4);
            (0..length).map(|_| value(random, depth - 1)).collect()
        }
        _ => {
            let count = random.below(5);
            let names = random.some(NAMES, count);
            let members: Map<String, Value> = names
                .into_iter()
                .map(|it| ((*it).to_owned(), value(random, depth - 1)))
                .collect();
            Value::Object(members)
        }
    }
}

fn text(random: &mut Random) -> Value {
    let texts = [
        "", "a", "ab", "abc", "x-one", "12", "2026", "metric", "fixed", "circle", "square", "é",
        "😀😀", "٣", "a b", "a\n", "2026-11", "aa",
    ];
    json!(random.pick(&texts))
}

fn number(random: &mut Random) -> Value {
    let numbers = [
        json!(0),
        json!(-1),
        json!(1),
        json!(3.0),
        json!(0.5),
        json!(2.75),
        json!(100),
        json!(256),
        json!(i64::MAX),
        json!(9_007_199_254_740_993_i64),
        json!(-1e3),
        json!(0.1),
    ];
    json!(random.pick(&numbers))
}
