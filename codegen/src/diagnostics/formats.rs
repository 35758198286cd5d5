//! The report for machines: JSON, GitHub workflow commands, SARIF 2.1.0.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::{
    Diagnostic, Diagnostics, Id, Locator, Place, Severity, Spot, locate::Location,
    render::printable,
};
use crate::source::SourceMap;

/// One JSON object: `diagnostics`, each with its id, severity, message, places (line and column count
/// characters from one), help; and `summary`, with the counts.
pub fn json(sources: &SourceMap, diagnostics: &Diagnostics) -> String {
    let mut locator = Locator::new(sources);
    let found: Vec<Value> = locator
        .sorted(diagnostics)
        .into_iter()
        .map(|it| json_finding(it, &mut locator))
        .collect();
    pretty(&json!({
        "diagnostics": found,
        "summary": {
            "errors": diagnostics.count(Severity::Error),
            "warnings": diagnostics.count(Severity::Warning),
            "notes": diagnostics.count(Severity::Note),
        },
    }))
}

fn json_finding(diagnostic: &Diagnostic, locator: &mut Locator<'_>) -> Value {
    let mut finding = Map::new();
    finding.insert("id".to_owned(), diagnostic.id.as_str().into());
    finding.insert(
        "severity".to_owned(),
        diagnostic.id.severity().as_str().into(),
    );
    finding.insert("message".to_owned(), diagnostic.message.as_str().into());
    if let Some((place, label)) = &diagnostic.place {
        finding.insert("place".to_owned(), json_place(place, label, locator));
    }
    if !diagnostic.related.is_empty() {
        let related = diagnostic.related.iter();
        let related: Vec<_> = related
            .map(|(it, label)| json_place(it, label, locator))
            .collect();
        finding.insert("related".to_owned(), related.into());
    }
    if let Some(help) = &diagnostic.help {
        finding.insert("help".to_owned(), help.as_str().into());
    }
    Value::Object(finding)
}

fn json_place(place: &Place, label: &str, locator: &mut Locator<'_>) -> Value {
    let mut out = Map::new();
    out.insert("file".to_owned(), locator.file(place).label.as_str().into());
    if let Spot::Value(pointer) | Spot::Key(pointer) = &place.spot {
        out.insert("pointer".to_owned(), pointer.as_str().into());
    }
    if let Some(it) = locator.locate(place) {
        out.insert("line".to_owned(), it.start.line.into());
        out.insert("column".to_owned(), it.start.column.into());
        out.insert("endLine".to_owned(), it.end.line.into());
        out.insert("endColumn".to_owned(), it.end.column.into());
    }
    if !label.is_empty() {
        out.insert("label".to_owned(), label.into());
    }
    Value::Object(out)
}

/// One GitHub workflow command a finding, so that it shows in the pull request's diff.
///
/// Source: "Workflow commands for GitHub Actions", `error`, `warning` and `notice`.
pub fn github(sources: &SourceMap, diagnostics: &Diagnostics) -> String {
    let mut locator = Locator::new(sources);
    let mut out = String::new();
    for diagnostic in locator.sorted(diagnostics) {
        let command = match diagnostic.id.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let mut properties = String::new();
        if let Some((place, _)) = &diagnostic.place {
            let file = github_property(&locator.file(place).label);
            properties.push_str("file=");
            properties.push_str(&file);
            properties.push(',');
            if let Some(it) = locator.locate(place) {
                push_position(&mut properties, &it);
            }
        }
        let mut text = diagnostic.message.clone();
        if let Some(help) = &diagnostic.help {
            text.push_str("\nhelp: ");
            text.push_str(help);
        }
        let text = github_data(&text);
        writeln!(
            out,
            "::{command} {properties}title={}::{text}",
            diagnostic.id
        )
        .expect("writing to a String cannot fail");
    }
    out
}

fn push_position(properties: &mut String, at: &Location) {
    write!(
        properties,
        "line={},col={},endLine={},endColumn={},",
        at.start.line, at.start.column, at.end.line, at.end.column
    )
    .expect("writing to a String cannot fail");
}

/// A value that runs to the end of the line.
fn github_data(text: &str) -> String {
    printable(text)
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A value that ends at a comma or a colon.
fn github_property(text: &str) -> String {
    github_data(text).replace(':', "%3A").replace(',', "%2C")
}

/// A SARIF 2.1.0 log of one run, with the catalogue's rules that were hit.
///
/// Source: OASIS "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
pub fn sarif(sources: &SourceMap, diagnostics: &Diagnostics) -> String {
    let mut locator = Locator::new(sources);
    let sorted = locator.sorted(diagnostics);
    let used: Vec<Id> = Id::ALL
        .iter()
        .copied()
        .filter(|id| sorted.iter().any(|it| it.id == *id))
        .collect();
    let rules: Vec<Value> = used.iter().map(|it| sarif_rule(*it)).collect();
    let results: Vec<Value> = sorted
        .into_iter()
        .map(|it| sarif_result(it, &used, &mut locator))
        .collect();
    pretty(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "mcp-codegen",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    }))
}

fn sarif_rule(id: Id) -> Value {
    json!({
        "id": id.as_str(),
        "shortDescription": { "text": id.summary() },
        "fullDescription": { "text": id.explanation(), },
        "defaultConfiguration": { "level": id.severity().as_str() },
    })
}

fn sarif_result(diagnostic: &Diagnostic, used: &[Id], locator: &mut Locator<'_>) -> Value {
    let mut text = diagnostic.message.clone();
    if let Some(help) = &diagnostic.help {
        text.push_str("\nhelp: ");
        text.push_str(help);
    }
    let mut result = Map::new();
    result.insert("ruleId".to_owned(), diagnostic.id.as_str().into());
    if let Some(index) = used.iter().position(|it| *it == diagnostic.id) {
        result.insert("ruleIndex".to_owned(), index.into());
    }
    result.insert("level".to_owned(), diagnostic.id.severity().as_str().into());
    result.insert("message".to_owned(), json!({ "text": text }));
    if let Some((place, label)) = &diagnostic.place {
        result.insert(
            "locations".to_owned(),
            json!([sarif_location(place, label, locator)]),
        );
    }
    if !diagnostic.related.is_empty() {
        let related = diagnostic.related.iter();
        let related: Vec<_> = related
            .map(|(it, label)| sarif_location(it, label, locator))
            .collect();
        result.insert("relatedLocations".to_owned(), related.into());
    }
    Value::Object(result)
}

fn sarif_location(place: &Place, label: &str, locator: &mut Locator<'_>) -> Value {
    let uri = uri_of(&locator.file(place).label);
    let mut physical = Map::new();
    physical.insert("artifactLocation".to_owned(), json!({ "uri": uri }));
    if let Some(it) = locator.locate(place) {
        let region = json!({
            "startLine": it.start.line,
            "startColumn": it.start.column,
            "endLine": it.end.line,
            "endColumn": it.end.column,
        });
        physical.insert("region".to_owned(), region);
    }
    let mut location = Map::new();
    location.insert("physicalLocation".to_owned(), Value::Object(physical));
    if !label.is_empty() {
        location.insert("message".to_owned(), json!({ "text": label }));
    }
    Value::Object(location)
}

/// A path as a relative URI reference (RFC 3986): other bytes than unreserved ones and `/` are escaped.
fn uri_of(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            write!(out, "%{byte:02X}").expect("writing to a String cannot fail");
        }
    }
    out
}

fn pretty(value: &Value) -> String {
    // The alternate form of `Value` is indented JSON and, unlike the functions, has no error to handle.
    format!("{value:#}\n")
}
