//! The process in which typify runs: a schema a line comes in, code or a reason a line goes out.

use std::{
    any::Any,
    io::{self, BufRead, Write},
    panic,
};

use schemars_08::schema::{RootSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use typify::{TypeId, TypeSpace, TypeSpaceSettings};

use super::Generated;

/// Code longer than this is taken for an explosion, which would hold up the whole run.
const LONGEST: usize = 4 << 20;

/// The name of a root that has none; typify leaves untitled roots out.
const ROOT: &str = "UnderTest";

/// Answers until standard input ends.
///
/// # Errors
///
/// When the lines cannot be read or written.
pub fn work() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let schema: Value = serde_json::from_str(&line?)?;
        let mut answer = serde_json::to_string(&generate(&schema))?;
        answer.push('\n');
        out.write_all(answer.as_bytes())?;
        out.flush()?;
    }
    Ok(())
}

/// How typify gets to know the root.
#[derive(Clone, Copy)]
enum Root {
    /// As a root schema, whose name is its title.
    Titled,
    /// As a type with a suggested name beside the definitions: `#` is not known then, but typify panics where it
    /// looks for the name of a titled root whose title it has lost.
    Named,
}

/// The schema as it is, and with its definitions where draft-07 has them; the root in either way.
fn generate(schema: &Value) -> Generated {
    let mut schemas = vec![schema.clone()];
    let renamed = with_definitions(schema);
    if renamed != *schema {
        schemas.push(renamed);
    }
    let mut codes = Vec::new();
    let mut failure = None;
    for root in [Root::Titled, Root::Named] {
        for schema in &schemas {
            match panic::catch_unwind(|| module(schema, root)) {
                Ok(Ok(code)) => codes.push(code),
                Ok(Err(reason)) => failure = failure.or(Some(Generated::Refused(reason))),
                Err(payload) => {
                    failure = failure.or(Some(Generated::Died(message(payload.as_ref()))));
                }
            }
        }
    }
    match failure {
        Some(failure) if codes.is_empty() => failure,
        _ => Generated::Code(codes),
    }
}

/// The code for a schema, and a function `under_test` that asks its root type.
fn module(schema: &Value, root: Root) -> Result<String, String> {
    let mut types = TypeSpace::new(&TypeSpaceSettings::default());
    let root = add(&mut types, schema, root)?;
    let root = types.get_type(&root).map_err(|error| error.to_string())?;
    let (items, root) = (types.to_stream().to_string(), root.ident().to_string());
    if items.len() > LONGEST {
        return Err(format!("{} bytes of code", items.len()));
    }
    Ok(format!(
        "{items}\n\npub fn under_test(value: ::serde_json::Value) -> crate::probe::Answer {{\n    \
         crate::probe::ask::<{root}>(value)\n}}\n"
    ))
}

fn add(types: &mut TypeSpace, schema: &Value, root: Root) -> Result<TypeId, String> {
    let Value::Object(members) = schema else {
        // `true` and `false` are schemas to typify, but no root schemas.
        let schema: Schema = read(schema.clone())?;
        return named(types, &schema);
    };
    match root {
        Root::Titled => types
            .add_root_schema(read(titled(members))?)
            .map_err(|error| error.to_string())?
            .ok_or_else(|| "no type for the root".to_owned()),
        Root::Named => {
            let schema: RootSchema = read(schema.clone())?;
            types
                .add_ref_types(schema.definitions)
                .map_err(|error| error.to_string())?;
            named(types, &Schema::Object(schema.schema))
        }
    }
}

fn named(types: &mut TypeSpace, schema: &Schema) -> Result<TypeId, String> {
    types
        .add_type_with_name(schema, Some(ROOT.to_owned()))
        .map_err(|error| error.to_string())
}

fn read<T: DeserializeOwned>(schema: Value) -> Result<T, String> {
    serde_json::from_value(schema).map_err(|error| error.to_string())
}

fn titled(members: &Map<String, Value>) -> Value {
    let mut members = members.clone();
    members.entry("title").or_insert_with(|| json!(ROOT));
    Value::Object(members)
}

/// `$defs` renamed to `definitions` wherever it stands, and in what refers to it.
fn with_definitions(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let mut renamed = Map::new();
            for (name, value) in members {
                match (name.as_str(), value) {
                    ("$ref", Value::String(target)) => {
                        let target = target.replace("/$defs/", "/definitions/");
                        renamed.insert(name.clone(), json!(target));
                    }
                    ("$defs" | "definitions", Value::Object(_)) => {
                        add_definitions(&mut renamed, value);
                    }
                    _ => {
                        renamed.insert(name.clone(), with_definitions(value));
                    }
                }
            }
            Value::Object(renamed)
        }
        Value::Array(elements) => elements.iter().map(with_definitions).collect(),
        other => other.clone(),
    }
}

/// A schema may have both keywords; the members of the two become one object.
fn add_definitions(schema: &mut Map<String, Value>, definitions: &Value) {
    let entry = schema
        .entry("definitions")
        .or_insert_with(|| Value::Object(Map::new()));
    if let (Value::Object(all), Value::Object(more)) = (entry, with_definitions(definitions)) {
        all.extend(more);
    }
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without words")
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_of_either_name_become_one() {
        let schema = json!({
            "$defs": { "a": { "$ref": "#/$defs/b" } },
            "definitions": { "b": { "enum": ["$defs"] } },
        });
        let expected = json!({
            "definitions": { "a": { "$ref": "#/definitions/b" }, "b": { "enum": ["$defs"] } },
        });
        assert_eq!(with_definitions(&schema), expected);
    }

    #[test]
    fn panics_and_errors_are_answers() {
        let made = |schema: Value| generate(&schema);
        assert!(matches!(made(json!({ "type": "string" })), Generated::Code(it) if it.len() == 2));
        // Only as a named type, and only as a root.
        assert!(matches!(made(json!({ "enum": [1, 2] })), Generated::Code(it) if it.len() == 1));
        let recursive = json!({ "type": "object", "properties": { "a": { "$ref": "#" } } });
        assert!(matches!(made(recursive), Generated::Code(it) if it.len() == 1));
        assert!(matches!(made(json!(true)), Generated::Code(_)));
        assert!(matches!(
            made(json!({ "$ref": "no-slash" })),
            Generated::Died(_)
        ));
        assert!(matches!(
            made(json!({ "type": "strin" })),
            Generated::Refused(_)
        ));
    }
}
