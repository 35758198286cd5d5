//! Instances made from schemas: valid ones by construction where that is possible, and near misses.
//!
//! Everything here is a *candidate*: whether an instance is valid is said by the independent judge
//! ([`super::judge`]), never by this module.

use serde_json::{Map, Number, Value, json};

use super::subjects::Instance;

/// How many candidates are made before the judge picks; enough for 20 of each verdict.
const TRIES: usize = 160;

/// Candidates for a schema. The same schema and seed give the same candidates.
pub fn candidates(schema: &Value, seed: &str) -> Vec<Instance> {
    let mut random = Random::new(seed);
    let mut made: Vec<Value> = Vec::new();
    for attempt in 0..TRIES {
        let mut maker = Maker {
            root: schema,
            random: &mut random,
            fill: attempt % 4,
        };
        let whole = maker.value(schema, 0);
        let value = if attempt % 2 == 0 {
            whole
        } else {
            spoil(whole, schema, &mut random)
        };
        if !made.contains(&value) {
            made.push(value);
        }
    }
    for value in [
        json!(null),
        json!([]),
        json!({}),
        json!("x"),
        json!(0),
        json!(true),
    ] {
        if !made.contains(&value) {
            made.push(value);
        }
    }
    let named = made.into_iter().enumerate();
    named
        .map(|(index, value)| Instance {
            name: format!("sample {index}"),
            value,
            valid: false,
        })
        .collect()
}

/// A small deterministic generator (splitmix64); quality matters little, stability does.
struct Random(u64);

impl Random {
    fn new(seed: &str) -> Self {
        Self(seed.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        }))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % (limit.max(1) as u64)).unwrap_or(0)
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }
}

/// Makes one value that tries to satisfy a schema.
struct Maker<'a> {
    root: &'a Value,
    random: &'a mut Random,
    /// 0: required properties only; 1: all; otherwise some.
    fill: usize,
}

impl<'a> Maker<'a> {
    fn value(&mut self, schema: &'a Value, depth: usize) -> Value {
        let Value::Object(keywords) = schema else {
            return json!(1);
        };
        if depth > 8 {
            return Value::Null;
        }
        if let Some(reference) = keywords.get("$ref").and_then(Value::as_str) {
            let target = reference
                .strip_prefix('#')
                .and_then(|it| self.root.pointer(it));
            return target.map_or(Value::Null, |it| self.value(it, depth + 1));
        }
        if let Some(constant) = keywords.get("const") {
            return constant.clone();
        }
        if let Some(values) = keywords.get("enum").and_then(Value::as_array) {
            return self.random.pick(values).cloned().unwrap_or_default();
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(branches) = keywords.get(keyword).and_then(Value::as_array) {
                let Some(branch) = self.random.pick(branches) else {
                    continue;
                };
                let chosen = self.value(branch, depth + 1);
                return self.beside(keywords, chosen, depth);
            }
        }
        if let Some(parts) = keywords.get("allOf").and_then(Value::as_array) {
            let mut merged = self.by_type(keywords, depth);
            for part in parts {
                merged = merge(merged, self.value(part, depth + 1));
            }
            return merged;
        }
        self.by_type(keywords, depth)
    }

    /// The properties that stand beside a union, merged into the chosen branch.
    fn beside(&mut self, keywords: &'a Map<String, Value>, chosen: Value, depth: usize) -> Value {
        if keywords.contains_key("properties") && chosen.is_object() {
            return merge(self.object(keywords, depth), chosen);
        }
        chosen
    }

    fn by_type(&mut self, keywords: &'a Map<String, Value>, depth: usize) -> Value {
        let name = match keywords.get("type") {
            Some(Value::String(name)) => name.as_str(),
            Some(Value::Array(names)) => self
                .random
                .pick(names)
                .and_then(Value::as_str)
                .unwrap_or("null"),
            _ if keywords.contains_key("properties") || keywords.contains_key("required") => {
                "object"
            }
            _ if keywords.contains_key("items") || keywords.contains_key("prefixItems") => "array",
            _ => ["string", "integer", "object", "null"][self.random.below(4)],
        };
        match name {
            "object" => self.object(keywords, depth),
            "array" => self.array(keywords, depth),
            "string" => self.string(keywords),
            "integer" => self.integer(keywords),
            "number" => self.number(keywords),
            "boolean" => json!(self.random.below(2) == 0),
            _ => Value::Null,
        }
    }

    fn object(&mut self, keywords: &'a Map<String, Value>, depth: usize) -> Value {
        let mut made = Map::new();
        let required: Vec<&str> = strings(keywords.get("required"));
        for (name, schema) in keywords
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            let wanted = required.contains(&name.as_str())
                || self.fill == 1
                || (self.fill > 1 && depth < 5 && self.random.below(2) == 0);
            if wanted {
                made.insert(name.clone(), self.value(schema, depth + 1));
            }
        }
        if let Some(rest @ Value::Object(_)) = keywords.get("additionalProperties") {
            for index in 0..self.random.below(3) {
                made.insert(format!("key{index}"), self.value(rest, depth + 1));
            }
        }
        if let Some(patterns) = keywords.get("patternProperties").and_then(Value::as_object) {
            for schema in patterns.values().take(2) {
                made.insert(
                    format!("x-{}", self.random.below(9)),
                    self.value(schema, depth + 1),
                );
            }
        }
        for name in required {
            made.entry(name.to_owned()).or_insert(json!("x"));
        }
        Value::Object(made)
    }

    fn array(&mut self, keywords: &'a Map<String, Value>, depth: usize) -> Value {
        let least = number(keywords, "minItems").unwrap_or(0);
        let most = number(keywords, "maxItems").unwrap_or(least + 3).max(least);
        let mut made = Vec::new();
        let prefix = keywords
            .get("prefixItems")
            .or_else(|| keywords.get("items").filter(|it| it.is_array()));
        for schema in prefix.and_then(Value::as_array).into_iter().flatten() {
            made.push(self.value(schema, depth + 1));
        }
        let length = least + self.random.below(most.saturating_sub(least).min(4) + 1);
        let item = keywords.get("items").filter(|it| it.is_object());
        while made.len() < length.min(40) {
            made.push(item.map_or(json!(made.len()), |it| self.value(it, depth + 1)));
        }
        Value::Array(made)
    }

    fn string(&mut self, keywords: &Map<String, Value>) -> Value {
        let formatted = keywords
            .get("format")
            .and_then(Value::as_str)
            .and_then(example);
        if let Some(text) = formatted {
            return json!(text);
        }
        if keywords.contains_key("pattern") {
            return json!(*self.random.pick(PATTERNED).unwrap_or(&"a"));
        }
        let least = number(keywords, "minLength").unwrap_or(0);
        let most = number(keywords, "maxLength")
            .unwrap_or(least + 8)
            .max(least);
        // Length is counted in code points: one of four letters has more than one UTF-16 unit.
        let letters = ["a", "é", "z", "😀"];
        let length = [least, most.min(300), (least + 1).min(most)][self.random.below(3)];
        json!(
            (0..length)
                .map(|_| letters[self.random.below(4)])
                .collect::<String>()
        )
    }

    fn integer(&mut self, keywords: &Map<String, Value>) -> Value {
        let (low, high) = bounds(keywords);
        let step = keywords
            .get("multipleOf")
            .and_then(Value::as_f64)
            .unwrap_or(1.0)
            .max(1.0);
        let choices = [
            low,
            high,
            (low + step).min(high),
            f64::midpoint(low, high).round(),
        ];
        let chosen = (choices[self.random.below(4)] / step).ceil() * step;
        if self.random.below(4) == 0 {
            // `3.0` is an integer.
            return Number::from_f64(chosen).map_or(Value::Null, Value::Number);
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "bounds are clamped to the range of i64"
        )]
        let whole = chosen as i64;
        json!(whole)
    }

    fn number(&mut self, keywords: &Map<String, Value>) -> Value {
        let (low, high) = bounds(keywords);
        let choices = [low, high, f64::midpoint(low, high), (low + 0.5).min(high)];
        json!(choices[self.random.below(4)])
    }
}

/// Strings that common patterns accept.
const PATTERNED: &[&str] = &[
    "a",
    "abc",
    "A1",
    "0",
    "1",
    "123",
    "a-b",
    "x_y",
    "2026-11-30",
    "#1d4ed8",
    "1.2.3",
    "a/b",
    "@a/b",
    "PT1H",
    "1h",
    "https://example.com/a",
    "550e8400-e29b-41d4-a716-446655440000",
    "user@example.com",
    "GET",
    "",
];

fn example(format: &str) -> Option<&'static str> {
    Some(match format {
        "date-time" => "2026-11-30T12:00:00+02:00",
        "date" => "2026-11-30",
        "time" => "12:00:00Z",
        "email" => "user@example.com",
        "uri" | "url" | "iri" | "uri-reference" => "https://example.com/a?b=c",
        "uuid" => "550e8400-e29b-41d4-a716-446655440000",
        "ipv4" => "127.0.0.1",
        "ipv6" => "::1",
        "hostname" => "example.com",
        "regex" => "^a+$",
        "duration" => "P1D",
        _ => return None,
    })
}

/// Breaks one spot of a value: wrong kind, null, missing or extra property, near-miss text, bounds.
fn spoil(mut value: Value, schema: &Value, random: &mut Random) -> Value {
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
            1 => json!(number.as_f64().unwrap_or(0.0) + 0.5),
            2 => json!(number.as_f64().unwrap_or(0.0) - 1e9),
            3 => json!(u64::MAX),
            _ => json!(number.as_f64().unwrap_or(0.0) + 1e9),
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

fn merge(one: Value, other: Value) -> Value {
    match (one, other) {
        (Value::Object(mut one), Value::Object(other)) => {
            one.extend(other);
            Value::Object(one)
        }
        (_, other) => other,
    }
}

fn strings(value: Option<&Value>) -> Vec<&str> {
    value
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn number(keywords: &Map<String, Value>, name: &str) -> Option<usize> {
    keywords
        .get(name)
        .and_then(Value::as_u64)
        .and_then(|it| usize::try_from(it).ok())
}

fn bounds(keywords: &Map<String, Value>) -> (f64, f64) {
    let read = |name: &str| keywords.get(name).and_then(Value::as_f64);
    let low = read("minimum").or_else(|| read("exclusiveMinimum").map(|it| it + 1.0));
    let high = read("maximum").or_else(|| read("exclusiveMaximum").map(|it| it - 1.0));
    let low = low.unwrap_or_else(|| high.map_or(-5.0, |it| it - 100.0));
    let high = high.unwrap_or(low + 100.0);
    (low.max(-9.0e18), high.min(9.0e18))
}
