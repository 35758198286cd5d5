//! Instances made from schemas: valid ones by construction where that is possible, and near misses.
//!
//! Everything here is a *candidate*: whether an instance is valid is said by the independent judge
//! ([`super::judge`]), never by this module.

mod spoil;
mod text;

use serde_json::{Map, Number, Value, json};

use super::{
    random::{self, Random},
    subjects::Instance,
};

/// How many candidates a round makes before the judge picks.
const TRIES: usize = 160;

/// Candidates for a schema. The same schema, seed and round give the same candidates; every round gives others.
pub fn candidates(schema: &Value, seed: &str, round: usize) -> Vec<Instance> {
    let mut random = Random::new(&format!("{seed}{}", "+".repeat(round)));
    let mut made: Vec<Value> = Vec::new();
    for attempt in 0..TRIES {
        let value = match attempt % 8 {
            // What no schema had a part in.
            7 => random::value(&mut random, 3),
            odd if odd % 2 == 1 => {
                let whole = whole(schema, &mut random, attempt % 3);
                spoil::spoil(whole, schema, &mut random)
            }
            _ => whole(schema, &mut random, attempt / 2 % 4),
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
            name: format!("sample {round}.{index}"),
            value,
            valid: false,
        })
        .collect()
}

/// One value that tries to satisfy a schema.
pub(super) fn one(schema: &Value, random: &mut Random) -> Value {
    let fill = random.below(4);
    whole(schema, random, fill)
}

fn whole(schema: &Value, random: &mut Random, fill: usize) -> Value {
    let mut maker = Maker {
        root: schema,
        random,
        fill,
    };
    maker.value(schema, 0)
}

/// Makes one value that tries to satisfy a schema.
struct Maker<'a, 'r> {
    root: &'a Value,
    random: &'r mut Random,
    /// 0: required properties only; 1: all; otherwise some.
    fill: usize,
}

impl<'a> Maker<'a, '_> {
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
                .and_then(|it| self.root.pointer(&it.replace("%20", " ")));
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
        if self.random.percent(60)
            && let Some(made) = self.conditional(keywords, depth)
        {
            return made;
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

    /// What `then` or `else` asks for, beside what stands here.
    fn conditional(&mut self, keywords: &'a Map<String, Value>, depth: usize) -> Option<Value> {
        let test = keywords.get("if")?;
        let plain = self.by_type(keywords, depth);
        let branch = if self.random.percent(50) {
            let passing = self.value(test, depth + 1);
            let then = keywords.get("then").map(|it| self.value(it, depth + 1));
            return Some(merge(merge(plain, then.unwrap_or(json!({}))), passing));
        } else {
            keywords.get("else")?
        };
        Some(merge(plain, self.value(branch, depth + 1)))
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
        let is_open = !matches!(
            keywords.get("additionalProperties"),
            Some(Value::Bool(false) | Value::Object(_))
        );
        if is_open && self.fill > 0 && self.random.percent(20) {
            let name = format!("extra{}", self.random.below(4));
            made.insert(name, random::value(self.random, 1));
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
            .and_then(text::example);
        // The judge takes `format` for an annotation, so other texts have a chance too.
        if let Some(text) = formatted
            && self.random.percent(60)
        {
            return json!(text);
        }
        if let Some(pattern) = keywords.get("pattern").and_then(Value::as_str) {
            return json!(text::matching(pattern, keywords, self.random));
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
        let (low, high) = bounds(keywords, true);
        let step = keywords
            .get("multipleOf")
            .and_then(Value::as_f64)
            .unwrap_or(1.0)
            .max(1.0);
        let choices = [
            low.ceil(),
            high.floor(),
            (low.ceil() + step).min(high.floor()),
            f64::midpoint(low, high).round(),
            low.ceil() + self.random.number_below(40),
        ];
        let chosen = (choices[self.random.below(5)] / step).ceil() * step;
        // What 64 bits do not hold is tried by one value only, which the list of exceptions can name.
        let chosen = chosen.clamp(-9.2e18, 9.2e18);
        if self.random.below(4) == 0 && chosen.abs() < 9.0e15 {
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
        let (low, high) = bounds(keywords, false);
        let choices = [
            low,
            high,
            f64::midpoint(low, high),
            (low + 0.5).min(high),
            low + (high - low) * self.random.number_below(64) / 64.0,
        ];
        let chosen = choices[self.random.below(5)];
        let step = keywords.get("multipleOf").and_then(Value::as_f64);
        let chosen = step.map_or(chosen, |it| (chosen / it).ceil() * it);
        // Beyond 2^53 a fraction is not read as it is written.
        json!(chosen.clamp(-9.0e15, 9.0e15))
    }
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

/// The least and the greatest number, as near as matters.
fn bounds(keywords: &Map<String, Value>, whole: bool) -> (f64, f64) {
    let read = |name: &str| keywords.get(name).and_then(Value::as_f64);
    // In draft-04 `exclusiveMinimum` says of `minimum` that it is.
    let flag = |name: &str| keywords.get(name) == Some(&Value::Bool(true));
    let nudge = if whole { 1.0 } else { 0.125 };
    let bound = |name: &str, exclusive: &str, nudge: f64| {
        let own = read(name).map(|it| if flag(exclusive) { it + nudge } else { it });
        let other = read(exclusive).map(|it| it + nudge);
        match (own, other) {
            (Some(one), Some(other)) if nudge > 0.0 => Some(one.max(other)),
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    };
    let low = bound("minimum", "exclusiveMinimum", nudge);
    let high = bound("maximum", "exclusiveMaximum", -nudge);
    let low = low.unwrap_or_else(|| high.map_or(-5.0, |it| it - 100.0));
    let high = high.unwrap_or(low + 100.0);
    (low.max(-9.0e18), high.min(9.0e18))
}
