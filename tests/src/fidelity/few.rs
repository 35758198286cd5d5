//! Schemas of which there are fewer instances than wanted, and why.

use serde_json::{Map, Value, json};

use super::{
    judge::{self, WANTED},
    subjects::Subject,
};

/// A schema with too few instances of one verdict.
#[derive(Clone, Debug)]
pub struct Few {
    /// The subject's id.
    pub subject: String,
    /// Its row.
    pub row: String,
    /// How many valid ones there are.
    pub valid: usize,
    /// How many invalid ones there are.
    pub invalid: usize,
    /// Why there are no more.
    pub why: String,
    /// A made-up schema, which is nowhere else to be read.
    pub schema: Option<Value>,
}

impl Few {
    pub(super) fn to_json(&self) -> Value {
        json!({
            "subject": self.subject,
            "valid": self.valid,
            "invalid": self.invalid,
            "why": self.why,
            "schema": self.schema,
        })
    }
}

/// All such among the sampled subjects.
pub fn all(subjects: &[Subject]) -> Vec<Few> {
    let sampled = subjects.iter().filter(|it| it.sampled);
    sampled
        .filter_map(|subject| {
            let (valid, invalid) = judge::counts(subject);
            (valid.min(invalid) < WANTED).then(|| Few {
                subject: subject.id.clone(),
                row: subject.row.clone(),
                valid,
                invalid,
                why: why(subject, valid, invalid),
                schema: subject
                    .id
                    .starts_with("random/")
                    .then(|| subject.schema.clone()),
            })
        })
        .collect()
}

fn why(subject: &Subject, valid: usize, invalid: usize) -> String {
    if let Some(error) = &subject.unjudged {
        return format!("the judge cannot say: {error}");
    }
    if invalid == 0 {
        return "no candidate is refused".to_owned();
    }
    if valid == 0 {
        return "no candidate is accepted".to_owned();
    }
    match size(&subject.schema, &subject.schema, 0) {
        Some(most) if valid < WANTED && most < WANTED => format!("accepts at most {most} values"),
        _ => "no more were found".to_owned(),
    }
}

/// An upper bound of how many values a schema accepts, where it is finite and easy to see.
fn size(schema: &Value, root: &Value, depth: usize) -> Option<usize> {
    let Value::Object(keywords) = schema else {
        return (schema == false).then_some(0);
    };
    if depth > 16 {
        return None;
    }
    if let Some(target) = keywords.get("$ref").and_then(Value::as_str) {
        return size(root.pointer(target.strip_prefix('#')?)?, root, depth + 1);
    }
    if keywords.contains_key("const") {
        return Some(1);
    }
    if let Some(values) = keywords.get("enum").and_then(Value::as_array) {
        return Some(values.len());
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(branches) = keywords.get(keyword).and_then(Value::as_array) {
            let sizes = branches.iter().map(|it| size(it, root, depth + 1));
            return sizes.sum();
        }
    }
    match keywords.get("type")? {
        Value::String(name) => of_type(name, keywords, root, depth),
        Value::Array(names) => names
            .iter()
            .map(|it| of_type(it.as_str()?, keywords, root, depth))
            .sum(),
        _ => None,
    }
}

fn of_type(name: &str, keywords: &Map<String, Value>, root: &Value, depth: usize) -> Option<usize> {
    match name {
        "null" => Some(1),
        "boolean" => Some(2),
        "integer" => {
            let bound = |it: &str| keywords.get(it).and_then(Value::as_i64);
            let width = bound("maximum")?.checked_sub(bound("minimum")?)?;
            usize::try_from(width).ok()?.checked_add(1)
        }
        "object" if keywords.get("additionalProperties") == Some(&Value::Bool(false)) => {
            if keywords.contains_key("patternProperties") {
                return None;
            }
            let required = keywords.get("required").and_then(Value::as_array);
            let properties = keywords.get("properties").and_then(Value::as_object);
            let mut all = 1_usize;
            for (name, schema) in properties.into_iter().flatten() {
                let absent = !required.is_some_and(|it| it.iter().any(|it| it == name));
                let ways = size(schema, root, depth + 1)?.checked_add(usize::from(absent))?;
                all = all.checked_mul(ways)?;
            }
            Some(all)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finite_schemas_are_counted() {
        let count = |schema: Value| size(&schema, &schema, 0);
        let closed = |properties: Value, required: Value| json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
        let flag = json!({ "type": "boolean" });
        assert_eq!(count(closed(json!({}), json!([]))), Some(1));
        assert_eq!(
            count(closed(json!({ "a": flag, "b": flag }), json!(["a"]))),
            Some(6)
        );
        assert_eq!(
            count(closed(json!({ "a": { "type": "string" } }), json!([]))),
            None
        );
        assert_eq!(
            count(json!({ "type": ["integer", "null"], "minimum": 1, "maximum": 3 })),
            Some(4)
        );
        assert_eq!(
            count(json!({ "anyOf": [{ "enum": [1, 2] }, { "const": 3 }] })),
            Some(3)
        );
        assert_eq!(count(json!({ "type": "object" })), None);
    }
}
