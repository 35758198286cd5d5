//! Random schemas: whatever is proved holds for values that are tried.

use serde_json::{Map, Value, json};

use super::{super::witness, Direction, Proved, Range, Verdict, proved};
use crate::resolve::engine::Checker;

const SCHEMAS: u64 = 400;

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % limit as u64).unwrap_or(0)
    }

    fn often(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn schema(&mut self, depth: usize) -> Value {
        match self.below(if depth > 2 { 8 } else { 15 }) {
            0 => self.with(json!({ "type": "string" }), "minLength", json!(1)),
            1 => self.with(json!({ "type": "integer" }), "minimum", json!(0)),
            2 => self.with(json!({ "type": "number" }), "maximum", json!(10)),
            3 => json!({ "type": "boolean" }),
            4 => json!({ "enum": first(&json!(["a", "b", 1, null]), self.below(4)) }),
            5 => json!({ "const": "a" }),
            6 => json!({ "type": first(&json!(["string", "null", "integer"]), self.below(3)) }),
            7 => [json!(true), json!({}), json!({ "type": "null" })][self.below(3)].clone(),
            8 => {
                let items = self.schema(depth + 1);
                self.with(
                    json!({ "type": "array", "items": items }),
                    "maxItems",
                    json!(2),
                )
            }
            9 => {
                let values = self.schema(depth + 1);
                json!({ "type": "object", "additionalProperties": values })
            }
            10 => self.union(depth),
            11 => json!({ "allOf": [self.object(depth), self.object(depth)] }),
            12 => {
                let items = [self.schema(depth + 1), self.schema(depth + 1)];
                json!({ "type": "array", "prefixItems": items, "items": false, "minItems": self.below(3) })
            }
            _ => self.object(depth),
        }
    }

    fn with(&mut self, mut schema: Value, keyword: &str, value: Value) -> Value {
        if self.often(30) {
            schema[keyword] = value;
        }
        schema
    }

    fn object(&mut self, depth: usize) -> Value {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for key in ["kind", "a", "b"] {
            if self.often(60) {
                let schema = match key {
                    "kind" => {
                        let tag = ["x", "y", "z"][self.below(3)];
                        json!({ "const": tag })
                    }
                    _ => self.schema(depth + 1),
                };
                properties.insert(key.to_owned(), schema);
                if self.often(50) {
                    required.push(key);
                }
            }
        }
        let mut schema =
            json!({ "type": "object", "properties": properties, "required": required });
        match self.below(6) {
            0 | 1 => schema["additionalProperties"] = json!(false),
            2 => schema["additionalProperties"] = self.schema(depth + 1),
            3 => schema["patternProperties"] = json!({ "^x-": self.schema(depth + 1) }),
            _ => {}
        }
        self.with(schema, "minProperties", json!(1))
    }

    fn union(&mut self, depth: usize) -> Value {
        let keyword = ["anyOf", "oneOf"][self.below(2)];
        let objects = self.often(50);
        let branches: Vec<_> = (0..2 + self.below(2))
            .map(|_| {
                if objects {
                    self.object(depth)
                } else {
                    self.schema(depth + 1)
                }
            })
            .collect();
        json!({ keyword: branches })
    }
}

/// The elements up to one.
fn first(all: &Value, last: usize) -> Value {
    all.as_array()
        .into_iter()
        .flatten()
        .take(last + 1)
        .cloned()
        .collect()
}

#[test]
fn no_proof_is_wrong_about_the_values_that_are_tried() {
    let mut random = Random(7);
    let (mut exact, mut wider, mut unknown) = (0, 0, 0);
    for _ in 0..SCHEMAS {
        let schema = random.schema(0);
        let Some(proved) = proved(&schema) else {
            continue;
        };
        check(&proved);
        match proved.input {
            Verdict::Exact => exact += 1,
            Verdict::Refuted(_) => wider += 1,
            Verdict::Unknown(_) => unknown += 1,
            Verdict::Unsound(why) => panic!("{schema}: {why}"),
        }
    }
    println!("{exact} exact, {wider} wider, {unknown} unknown");
    assert!(exact > 100 && wider > 50 && unknown < 40);
}

/// Values of the type, and values made for other types.
fn check(proved: &Proved) {
    let author = Checker::new(&proved.schema).expect("the schema was compiled before");
    for (direction, verdict) in [
        (Direction::Input, &proved.input),
        (Direction::Output, &proved.output),
    ] {
        let model = proved.stated(direction, Range::Exact);
        let wide = proved.stated(direction, Range::Wide);
        for value in witness::values(&proved.types.types, proved.shape(), direction) {
            let known = model.accepts(&value);
            assert!(
                direction == Direction::Input || known,
                "{value} is written, but not stated: {}",
                proved.schema
            );
            let leaks = known && !author.accepts(&value);
            assert!(
                !(leaks && *verdict == Verdict::Exact),
                "{value} leaks through {}",
                proved.schema
            );
            if direction == Direction::Input {
                assert!(
                    wide.accepts(&value) || !author.accepts(&value),
                    "{value} is valid under {} and refused by the type",
                    proved.schema
                );
            }
        }
    }
}
