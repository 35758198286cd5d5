//! `x-mcp-header`: arguments that clients repeat in HTTP headers. Held to the rules that clients hold it to, because they drop a
//! tool that breaks one of them.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::sources::Part;
use crate::{
    diagnostics::{Diagnostic, Diagnostics, Id, Place, Pointer},
    resolve::type_name,
};

const KEYWORD: &str = "x-mcp-header";

/// Keywords whose members are schemas by name, so that a member's key is no keyword.
const BY_NAME: [&str; 5] = [
    "$defs",
    "definitions",
    "dependencies",
    "dependentSchemas",
    "patternProperties",
];

/// Keywords that hold instances, or names of properties: what looks like a keyword in there is none.
const NO_SCHEMAS: [&str; 5] = ["const", "default", "dependentRequired", "enum", "examples"];

/// Reports every `x-mcp-header` of an input schema for which clients drop the tool.
///
/// `published` is the same schema with the definitions from elsewhere that it needs.
pub(super) fn check(
    input: &Part<'_>,
    published: &Value,
    what: &str,
    diagnostics: &mut Diagnostics,
) {
    let mut own = Vec::new();
    find(input.value, &Pointer::root(), Stand::Root, &mut own);
    let mut first = BTreeMap::new();
    for found in &own {
        let at = found
            .at
            .segments()
            .fold(input.at.clone(), |at, it| at.child(it));
        let place = input.document.place_of(at.child(KEYWORD));
        let faults = faults(found, what);
        if let (true, Some(name)) = (faults.is_empty(), found.name.as_str()) {
            let key = name.to_ascii_lowercase();
            if let Some((other, before)) = first.insert(key, (name, place.clone())) {
                diagnostics.push(duplicate(name, other, what, place.clone(), before));
            }
        }
        for fault in faults {
            diagnostics.push(fault.at(place.clone()));
        }
    }
    let mut all = Vec::new();
    find(published, &Pointer::root(), Stand::Root, &mut all);
    let elsewhere = |it: &&Found<'_>| own.iter().all(|own| own.at != it.at);
    for found in all.iter().filter(elsewhere) {
        let place = input.document.place_of(input.at.clone());
        let mut fault = misplaced(what);
        fault.label = format!(
            "refers to a schema that has one, published at `{}`",
            found.at
        );
        diagnostics.push(fault.at(place));
    }
}

/// An `x-mcp-header` and the schema that it stands in.
struct Found<'v> {
    /// Where the schema is.
    at: Pointer,
    stand: Stand,
    schema: &'v Map<String, Value>,
    name: &'v Value,
}

/// How a schema is reached from the root of the input schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stand {
    Root,
    /// Through `properties` alone: it is of one argument, which is always in the same place.
    Property,
    /// In any other way.
    Elsewhere,
}

fn find<'v>(value: &'v Value, at: &Pointer, stand: Stand, found: &mut Vec<Found<'v>>) {
    let schema = match value {
        Value::Object(schema) => schema,
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                find(item, &at.child(number), Stand::Elsewhere, found);
            }
            return;
        }
        _ => return,
    };
    for (key, value) in schema {
        let below = at.child(key);
        match key.as_str() {
            KEYWORD => found.push(Found {
                at: at.clone(),
                stand,
                schema,
                name: value,
            }),
            "properties" => {
                let stand = match stand {
                    Stand::Root | Stand::Property => Stand::Property,
                    Stand::Elsewhere => Stand::Elsewhere,
                };
                find_by_name(value, &below, stand, found);
            }
            key if BY_NAME.contains(&key) => {
                find_by_name(value, &below, Stand::Elsewhere, found);
            }
            key if NO_SCHEMAS.contains(&key) => {}
            _ => find(value, &below, Stand::Elsewhere, found),
        }
    }
}

fn find_by_name<'v>(schemas: &'v Value, at: &Pointer, stand: Stand, found: &mut Vec<Found<'v>>) {
    for (name, schema) in schemas.as_object().into_iter().flatten() {
        find(schema, &at.child(name), stand, found);
    }
}

/// What is wrong, but for the place.
struct Fault {
    message: String,
    label: String,
    help: &'static str,
}

impl Fault {
    fn at(self, place: Place) -> Diagnostic {
        Diagnostic::new(Id::InvalidHeader, self.message)
            .at(place, self.label)
            .help(self.help)
    }
}

fn faults(found: &Found<'_>, what: &str) -> Vec<Fault> {
    if found.stand != Stand::Property {
        // Where it is of no argument, the rest does not matter.
        return vec![misplaced(what)];
    }
    let faults = [fault_of_name(found, what), fault_of_type(found, what)];
    faults.into_iter().flatten().collect()
}

fn misplaced(what: &str) -> Fault {
    Fault {
        message: format!("an `{KEYWORD}` of {what} is not on an argument of its own"),
        label: "clients drop the tool".to_owned(),
        help: "put it on a property of the input schema, or of an object among those, written out there: not in `items`, \
               `$defs`, a branch or a condition",
    }
}

fn fault_of_name(found: &Found<'_>, what: &str) -> Option<Fault> {
    let label = match found.name {
        Value::String(name) if name.is_empty() => "it is empty".to_owned(),
        Value::String(name) => {
            let wrong = name.chars().find(|it| !is_token(*it))?;
            format!("it holds {wrong:?}")
        }
        other => format!("expected a string, not {}", type_name(other)),
    };
    Some(Fault {
        message: format!("an `{KEYWORD}` of {what} cannot be the name of a header"),
        label,
        help: "it is the end of the header's name: \"Region\" makes `Mcp-Param-Region`; letters, digits and !#$%&'*+-.^_`|~",
    })
}

/// A character of a `token`, RFC 9110 section 5.6.2.
fn is_token(it: char) -> bool {
    it.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(it)
}

fn fault_of_type(found: &Found<'_>, what: &str) -> Option<Fault> {
    let kind = found.schema.get("type");
    if matches!(
        kind.and_then(Value::as_str),
        Some("string" | "integer" | "boolean")
    ) {
        return None;
    }
    Some(Fault {
        message: format!("an `{KEYWORD}` of {what} is on an argument that no header can hold"),
        label: match kind {
            None => "beside it there is no `type`".to_owned(),
            Some(kind) => format!("beside it, `type` is {kind}"),
        },
        help: "write \"type\": \"string\", \"integer\" or \"boolean\" beside it; an argument that may be missing is left out of \
               `required`",
    })
}

fn duplicate(name: &str, other: &str, what: &str, place: Place, before: Place) -> Diagnostic {
    let message = if name == other {
        format!("two arguments of {what} have the header `{name}`")
    } else {
        format!(
            "the headers `{other}` and `{name}` of {what} are one: case does not tell them apart"
        )
    };
    Diagnostic::new(Id::InvalidHeader, message)
        .at(place, "here again")
        .and_at(before, "first here")
        .help("give each argument a header of its own")
}

#[cfg(test)]
mod tests {
    use crate::{
        config::Config,
        contract::contract,
        diagnostics::Diagnostics,
        resolve::{
            self,
            fixture::{found, sources},
        },
    };

    /// What is found in a tool with this input schema, without the file's name, which is always the same.
    fn faults(input: &str) -> Vec<String> {
        let tool = format!(r#"{{"name": "t", "description": "d", "inputSchema": {input}}}"#);
        let files = [
            ("s/t.tool.json", tool.as_str()),
            (
                "s/region.schema.json",
                r#"{"type": "string", "x-mcp-header": "Region"}"#,
            ),
        ];
        let sources = sources(&files);
        let mut diagnostics = Diagnostics::new();
        let documents = resolve::parse(&sources, &mut diagnostics);
        let set = resolve::resolve(&documents, &mut diagnostics);
        contract(&set, &Config::new("schemas"), &mut diagnostics);
        let found = found(&sources, &diagnostics).into_iter();
        found
            .map(|it| it.replace("invalid-header s/t.tool.json#/inputSchema", ""))
            .map(|it| it.split(" help: ").next().unwrap_or_default().to_owned())
            .collect()
    }

    #[track_caller]
    fn check(properties: &str, expected: &[&str]) {
        let found = faults(&format!(
            r#"{{"type": "object", "properties": {{{properties}}}}}"#
        ));
        assert_eq!(found, expected);
    }

    #[test]
    fn arguments_of_their_own_may_have_headers() {
        check(
            r#""a": {"type": "string", "x-mcp-header": "Region"},
               "b": {"type": "integer", "x-mcp-header": "b!#$%&'*+-.^_`|~9"},
               "properties": {"type": "object", "properties": {"default": {"type": "boolean", "x-mcp-header": "Inner"}}},
               "x-mcp-header": {"type": "string", "default": "x-mcp-header", "examples": [{"x-mcp-header": ""}]}"#,
            &[],
        );
    }

    #[test]
    fn names_are_tokens_and_differ() {
        let names = r#""a": {"type": "string", "x-mcp-header": ""}, "b": {"type": "string", "x-mcp-header": "a b"},
            "c": {"type": "string", "x-mcp-header": "Größe"}, "d": {"type": "string", "x-mcp-header": 1},
            "e": {"type": "string", "x-mcp-header": "Same"}, "f": {"type": "object", "properties": {"g": {"type": "string", "x-mcp-header": "SAME"}}}"#;
        let no_name = "an `x-mcp-header` of tool `t` cannot be the name of a header";
        check(
            names,
            &[
                &format!("/properties/a/x-mcp-header: {no_name} [it is empty]"),
                &format!("/properties/b/x-mcp-header: {no_name} [it holds ' ']"),
                &format!("/properties/c/x-mcp-header: {no_name} [it holds 'ö']"),
                &format!("/properties/d/x-mcp-header: {no_name} [expected a string, not a number]"),
                "/properties/f/properties/g/x-mcp-header: the headers `Same` and `SAME` of tool `t` are one: case does not tell them \
                 apart [here again] (s/t.tool.json#/inputSchema/properties/e/x-mcp-header: first here)",
            ],
        );
    }

    #[test]
    fn types_are_those_that_a_header_can_hold() {
        let types = r#""a": {"type": "number", "x-mcp-header": "A"}, "b": {"type": ["string", "null"], "x-mcp-header": "B"},
            "c": {"enum": ["x"], "x-mcp-header": "C"}, "d": {"type": "array", "x-mcp-header": "D"}"#;
        let no_type = "an `x-mcp-header` of tool `t` is on an argument that no header can hold";
        check(
            types,
            &[
                &format!("/properties/a/x-mcp-header: {no_type} [beside it, `type` is \"number\"]"),
                &format!(
                    "/properties/b/x-mcp-header: {no_type} [beside it, `type` is [\"string\",\"null\"]]"
                ),
                &format!("/properties/c/x-mcp-header: {no_type} [beside it there is no `type`]"),
                &format!("/properties/d/x-mcp-header: {no_type} [beside it, `type` is \"array\"]"),
            ],
        );
    }

    #[test]
    fn arguments_are_reached_through_properties_alone() {
        let elsewhere = r#""a": {"type": "array", "items": {"type": "string", "x-mcp-header": "A"}},
            "b": {"oneOf": [{"type": "string", "x-mcp-header": "B"}]}, "c": {"$ref": "region.schema.json"},
            "d": {"type": "object", "additionalProperties": {"properties": {"x": {"type": "string", "x-mcp-header": "D"}}}}"#;
        let misplaced = "an `x-mcp-header` of tool `t` is not on an argument of its own";
        let drop = "[clients drop the tool]";
        check(
            elsewhere,
            &[
                &format!("/properties/a/items/x-mcp-header: {misplaced} {drop}"),
                &format!("/properties/b/oneOf/0/x-mcp-header: {misplaced} {drop}"),
                &format!(
                    "/properties/d/additionalProperties/properties/x/x-mcp-header: {misplaced} {drop}"
                ),
                &format!(
                    ": {misplaced} [refers to a schema that has one, published at `/$defs/region`]"
                ),
            ],
        );
        assert_eq!(
            faults(r#"{"type": "object", "x-mcp-header": "Root"}"#),
            [format!("/x-mcp-header: {misplaced} {drop}")]
        );
    }
}
