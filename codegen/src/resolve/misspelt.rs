//! Keys of schemas that are probably misspelt keywords: JSON Schema ignores them, so nobody would notice.

use serde_json::Value;

use super::{
    dialect::Dialect,
    documents::Kind,
    index::{Index, NodeId},
    schemas::Schemas,
};
use crate::diagnostics::{Diagnostic, Diagnostics, Id, Place, misspelt};

use Dialect::{Draft4, Draft6, Draft7, Draft201909, Draft202012};

/// Every keyword, with the first and the last dialect that has it.
const KEYWORDS: &[(&str, Dialect, Dialect)] = &[
    ("$anchor", Draft201909, Draft202012),
    ("$comment", Draft7, Draft202012),
    ("$defs", Draft201909, Draft202012),
    ("$dynamicAnchor", Draft202012, Draft202012),
    ("$dynamicRef", Draft202012, Draft202012),
    ("$id", Draft6, Draft202012),
    ("$recursiveAnchor", Draft201909, Draft201909),
    ("$recursiveRef", Draft201909, Draft201909),
    ("$ref", Draft4, Draft202012),
    ("$schema", Draft4, Draft202012),
    ("$vocabulary", Draft201909, Draft202012),
    ("additionalItems", Draft4, Draft201909),
    ("additionalProperties", Draft4, Draft202012),
    ("allOf", Draft4, Draft202012),
    ("anyOf", Draft4, Draft202012),
    ("const", Draft6, Draft202012),
    ("contains", Draft6, Draft202012),
    ("contentEncoding", Draft7, Draft202012),
    ("contentMediaType", Draft7, Draft202012),
    ("contentSchema", Draft201909, Draft202012),
    ("default", Draft4, Draft202012),
    // Still read by many tools, and by the meta-schemas, in every dialect.
    ("definitions", Draft4, Draft202012),
    ("dependencies", Draft4, Draft202012),
    ("dependentRequired", Draft201909, Draft202012),
    ("dependentSchemas", Draft201909, Draft202012),
    ("deprecated", Draft201909, Draft202012),
    ("description", Draft4, Draft202012),
    ("else", Draft7, Draft202012),
    ("enum", Draft4, Draft202012),
    ("examples", Draft6, Draft202012),
    ("exclusiveMaximum", Draft4, Draft202012),
    ("exclusiveMinimum", Draft4, Draft202012),
    ("format", Draft4, Draft202012),
    ("id", Draft4, Draft4),
    ("if", Draft7, Draft202012),
    ("items", Draft4, Draft202012),
    ("maxContains", Draft201909, Draft202012),
    ("maxItems", Draft4, Draft202012),
    ("maxLength", Draft4, Draft202012),
    ("maxProperties", Draft4, Draft202012),
    ("maximum", Draft4, Draft202012),
    ("minContains", Draft201909, Draft202012),
    ("minItems", Draft4, Draft202012),
    ("minLength", Draft4, Draft202012),
    ("minProperties", Draft4, Draft202012),
    ("minimum", Draft4, Draft202012),
    ("multipleOf", Draft4, Draft202012),
    ("not", Draft4, Draft202012),
    ("oneOf", Draft4, Draft202012),
    ("pattern", Draft4, Draft202012),
    ("patternProperties", Draft4, Draft202012),
    ("prefixItems", Draft202012, Draft202012),
    ("properties", Draft4, Draft202012),
    ("propertyNames", Draft6, Draft202012),
    ("readOnly", Draft7, Draft202012),
    ("required", Draft4, Draft202012),
    ("then", Draft7, Draft202012),
    ("title", Draft4, Draft202012),
    ("type", Draft4, Draft202012),
    ("unevaluatedItems", Draft201909, Draft202012),
    ("unevaluatedProperties", Draft201909, Draft202012),
    ("uniqueItems", Draft4, Draft202012),
    ("writeOnly", Draft7, Draft202012),
];

/// Keys of `OpenAPI`, of form builders and of editors that look like misspelt keywords and are none.
const OTHERS: &[&str] = &["example", "when", "units"];

/// Warns of every key that is near to a keyword and is none. Keys that are near to nothing are
/// somebody's own annotations.
pub(super) fn check(index: &Index<'_>, schemas: &Schemas, diagnostics: &mut Diagnostics) {
    for id in schemas.order() {
        // Copies of other people's files are not for the author to correct.
        if index.document(*id).kind != Kind::Remote {
            check_keys(index, schemas, *id, diagnostics);
        }
    }
}

fn check_keys(index: &Index<'_>, schemas: &Schemas, id: NodeId, diagnostics: &mut Diagnostics) {
    let (Some(facts), Value::Object(members)) = (schemas.facts(id), index.value(id)) else {
        return;
    };
    for key in members.keys() {
        // In another dialect it may be right, and is then misplaced, not misspelt.
        let known = KEYWORDS.iter().any(|(it, ..)| it == key) || OTHERS.contains(&key.as_str());
        if known || key.starts_with(['$', '@']) || key.starts_with("x-") {
            continue;
        }
        let keywords = KEYWORDS
            .iter()
            .filter(|(_, first, last)| (*first..=*last).contains(&facts.dialect));
        if let Some(meant) = misspelt(key, keywords.map(|(it, ..)| *it)) {
            let place = Place::key(index.document(id).file, index.pointer(id).child(key));
            diagnostics.push(
                Diagnostic::new(
                    Id::UnknownKeyword,
                    format!("`{key}` is no keyword of JSON Schema"),
                )
                .at(place, "means nothing here")
                .help(format!(
                    "did you mean `{meant}`? A key of your own begins with `x-`"
                )),
            );
        }
    }
}
