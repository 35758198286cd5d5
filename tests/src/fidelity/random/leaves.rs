//! Schemas without schemas in them: texts, numbers, and values listed one by one.

use serde_json::{Map, Value, json};

use super::{Draft, Random};

/// Patterns of ECMA-262, in the ways in which they differ from what other engines do.
const PATTERNS: &[&str] = &[
    "^[a-z]+$",
    "ab+",
    "^\\d{2,4}$",
    "\\d",
    "^(?=.*\\d)[a-z0-9]+$",
    "^(?!x-)[a-z-]+$",
    "^(a|b)\\1$",
    "^[^-]*$",
    "^\\w+( \\w+)*$",
    "^(?<year>\\d{4})-\\d{2}$",
    "^.{2}$",
    "^$",
    "^#[0-9a-fA-F]{6}$",
    "[\\u00e0-\\u00ff]",
    "^\\S+$",
    "(?<=a)b",
];

pub(super) fn text(random: &mut Random) -> Map<String, Value> {
    let mut made = Map::new();
    made.insert("type".to_owned(), json!("string"));
    match random.below(8) {
        0 => insert(&mut made, "minLength", json!(random.below(4))),
        1 => insert(&mut made, "maxLength", json!(random.below(6))),
        2 => {
            let least = random.below(4);
            insert(&mut made, "minLength", json!(least));
            insert(&mut made, "maxLength", json!(least + random.below(3)));
        }
        3 | 4 => insert(&mut made, "pattern", json!(random.pick(PATTERNS))),
        5 => {
            let formats = ["date-time", "uuid", "uri", "email", "x-own"];
            insert(&mut made, "format", json!(random.pick(&formats)));
        }
        _ => {}
    }
    made
}

/// A pattern, for names.
pub(super) fn pattern(random: &mut Random) -> &'static str {
    let names = ["^x-", "^[a-z]+$", "\\d$", "_", "^k"];
    random.pick(&names).copied().unwrap_or("^x-")
}

pub(super) fn integer(draft: Draft, random: &mut Random) -> Map<String, Value> {
    let bounds = [
        json!(0),
        json!(1),
        json!(-3),
        json!(10),
        json!(255),
        json!(-2.5),
        json!(9_007_199_254_740_993_i64),
        json!(i64::MAX),
        json!(u64::MAX),
    ];
    let mut made = number_of("integer", draft, &bounds, random);
    match random.below(10) {
        0 => insert(&mut made, "multipleOf", json!([2, 3, 10][random.below(3)])),
        1 => insert(&mut made, "multipleOf", json!(0.5)),
        2 => insert(
            &mut made,
            "format",
            json!(["int32", "int64", "uint8"][random.below(3)]),
        ),
        _ => {}
    }
    made
}

pub(super) fn number(draft: Draft, random: &mut Random) -> Map<String, Value> {
    let bounds = [
        json!(0),
        json!(-1),
        json!(0.5),
        json!(-0.25),
        json!(100),
        json!(1e3),
        json!(2.75),
    ];
    let mut made = number_of("number", draft, &bounds, random);
    if random.percent(15) {
        let steps = [json!(0.5), json!(0.01), json!(2), json!(0.25)];
        insert(&mut made, "multipleOf", json!(random.pick(&steps)));
    }
    made
}

fn number_of(
    name: &str,
    draft: Draft,
    bounds: &[Value],
    random: &mut Random,
) -> Map<String, Value> {
    let mut made = Map::new();
    insert(&mut made, "type", json!(name));
    let chosen = random.below(4);
    let two: Vec<Value> = random.some(bounds, 2).into_iter().cloned().collect();
    let [low, high] = two.as_slice() else {
        return made;
    };
    // Either order may come: a pair that leaves nothing is worth little, so the smaller is the lower one.
    let (low, high) = if low.as_f64() <= high.as_f64() {
        (low, high)
    } else {
        (high, low)
    };
    if chosen == 1 || chosen == 3 {
        bound(&mut made, "minimum", low, draft, random);
    }
    if chosen == 2 || chosen == 3 {
        bound(&mut made, "maximum", high, draft, random);
    }
    made
}

/// A bound, inclusive or not, as the dialect writes it.
fn bound(
    made: &mut Map<String, Value>,
    name: &str,
    value: &Value,
    draft: Draft,
    random: &mut Random,
) {
    let exclusive = if name == "minimum" {
        "exclusiveMinimum"
    } else {
        "exclusiveMaximum"
    };
    if random.percent(65) {
        insert(made, name, value.clone());
    } else if draft == Draft::Four {
        insert(made, name, value.clone());
        insert(made, exclusive, json!(random.percent(80)));
    } else {
        insert(made, exclusive, value.clone());
    }
}

/// Values listed one by one.
pub(super) fn listed(random: &mut Random) -> Map<String, Value> {
    let texts = [
        "metric", "a-b", "a_b", "A", "", "1", "self", "none", "été", "a b",
    ];
    let others = [
        json!(1),
        json!(0.5),
        json!(true),
        json!(null),
        json!(-7),
        json!([]),
        json!({ "a": 1 }),
        json!([1, "x"]),
        json!("text"),
        json!(false),
    ];
    let count = 1 + random.below(4);
    let mut made = Map::new();
    match random.below(5) {
        0 | 1 => {
            if random.percent(50) {
                insert(&mut made, "type", json!("string"));
            }
            insert(&mut made, "enum", json!(random.some(&texts, count)));
        }
        2 => {
            insert(&mut made, "type", json!("integer"));
            insert(
                &mut made,
                "enum",
                json!(random.some(&[-1, 0, 1, 2, 100], count)),
            );
        }
        // Some of the values are not of the type.
        3 => {
            insert(&mut made, "type", json!(["string", "null"]));
            let mut values = json!(random.some(&texts, count));
            if let Value::Array(values) = &mut values {
                values.push(Value::Null);
                values.push(json!(5));
            }
            insert(&mut made, "enum", values);
        }
        _ => insert(&mut made, "enum", json!(random.some(&others, count))),
    }
    made
}

/// One value.
pub(super) fn constant(draft: Draft, random: &mut Random) -> Map<String, Value> {
    let values = [
        json!("fixed"),
        json!(""),
        json!(3),
        json!(2.5),
        json!(true),
        json!(null),
        json!({ "a": [1, 2] }),
        json!([null]),
        json!(9_007_199_254_740_993_i64),
    ];
    let value = json!(random.pick(&values));
    only(draft, value)
}

/// The schema of one value, as the dialect writes it.
pub(super) fn only(draft: Draft, value: Value) -> Map<String, Value> {
    let mut made = Map::new();
    if draft >= Draft::Six {
        insert(&mut made, "const", value);
    } else {
        insert(&mut made, "enum", json!([value]));
    }
    made
}

pub(super) fn insert(made: &mut Map<String, Value>, name: &str, value: Value) {
    made.insert(name.to_owned(), value);
}
