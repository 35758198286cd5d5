//! The tables, as Markdown.

use std::fmt::Write as _;

use serde_json::Value;

use super::{Example, Keyword, Outcome, known, rust};

/// The sections, in their order.
const TOPICS: [(&str, &str); 9] = [
    ("any", "Any value"),
    ("texts", "Texts"),
    ("numbers", "Numbers"),
    ("lists", "Lists"),
    ("objects", "Objects"),
    ("logic", "Combinations and conditions"),
    ("references", "References and definitions"),
    ("remarks", "Remarks"),
    ("own", "Not of JSON Schema"),
];

/// All tables, and what is wrong with their examples.
pub(super) fn tables(keywords: &[Keyword]) -> (String, Vec<String>) {
    let mut text = String::new();
    let mut wrong: Vec<String> = keywords
        .iter()
        .filter(|it| !TOPICS.iter().any(|(topic, _)| *topic == it.topic))
        .map(|it| format!("{}: no section is called `{}`", it.name, it.topic))
        .collect();
    for (topic, title) in TOPICS {
        let _ = write!(
            text,
            "\n## {title}\n\n| keyword | example | Rust | the type refuses | the validator refuses |\n| --- | --- | --- | --- | --- |\n"
        );
        for keyword in keywords.iter().filter(|it| it.topic == topic) {
            for (number, example) in keyword.examples.iter().enumerate() {
                let row = example
                    .run()
                    .and_then(|outcome| row(keyword, number == 0, example, &outcome));
                match row {
                    Ok(row) => text.push_str(&row),
                    Err(why) => wrong.push(format!("{} [{number}]: {why}", keyword.name)),
                }
            }
        }
    }
    (text, wrong)
}

fn row(
    keyword: &Keyword,
    first: bool,
    example: &Example,
    outcome: &Outcome,
) -> Result<String, String> {
    if let Some(passed) = outcome.invalid.iter().find(|it| it.violations.is_empty()) {
        return Err(format!("the validator accepts {}", passed.value));
    }
    if let Some(refused) = outcome.valid.iter().find(|it| !it.violations.is_empty()) {
        return Err(format!("{}: {:?}", refused.value, refused.violations));
    }
    if let Some(passed) = outcome.invalid.iter().find(|it| !it.refused_by_type)
        && outcome.exact
    {
        return Err(format!("a type proved exact takes {}", passed.value));
    }
    let name = if first { name(keyword) } else { String::new() };
    let cells = [
        name,
        shown_example(example, outcome),
        shown_rust(keyword, example, outcome),
        refused_by_type(outcome),
        refused_by_validator(outcome),
    ];
    Ok(format!("| {} |\n", cells.join(" | ")))
}

fn name(keyword: &Keyword) -> String {
    let dialects = known::dialects(&keyword.name);
    let name = code(&keyword.name);
    if dialects.is_empty() || keyword.topic == "own" {
        name
    } else {
        format!("{name}<br>{dialects}")
    }
}

fn shown_example(example: &Example, outcome: &Outcome) -> String {
    let mut lines = vec![json(&example.schema)];
    if let Some(dialect) = &example.dialect {
        lines.push(format!("in {dialect}"));
    }
    if !example.settings.is_empty() {
        let settings: Vec<String> = example.settings.iter().map(|it| code(it)).collect();
        lines.push(format!("with {}", settings.join(" ")));
    }
    if !outcome.valid.is_empty() {
        let values: Vec<String> = outcome.valid.iter().map(|it| json(&it.value)).collect();
        lines.push(format!("takes {}", values.join(", ")));
    }
    if let Some(note) = &example.note {
        lines.push(escaped(note));
    }
    lines.join("<br>")
}

fn shown_rust(keyword: &Keyword, example: &Example, outcome: &Outcome) -> String {
    // Otherwise it would only repeat what the generator says of any type.
    let prose = matches!(keyword.name.as_str(), "title" | "description");
    let mut lines: Vec<String> = rust::declarations(&outcome.code, example.root, prose)
        .iter()
        .flat_map(|it| it.lines().map(code))
        .collect();
    let mut findings = outcome.findings.clone();
    findings.dedup();
    lines.extend(
        findings
            .iter()
            .map(|it| format!("says [`{it}`](diagnostics.md#{it})")),
    );
    lines.join("<br>")
}

fn refused_by_type(outcome: &Outcome) -> String {
    let refused: Vec<String> = outcome
        .invalid
        .iter()
        .filter(|it| it.refused_by_type)
        .map(|it| json(&it.value))
        .collect();
    let mut lines = Vec::new();
    if outcome.exact {
        lines.push("all: exact".to_owned());
    } else if refused.is_empty() {
        lines.push("–".to_owned());
    }
    if !refused.is_empty() {
        lines.push(refused.join(", "));
    }
    lines.join("<br>")
}

fn refused_by_validator(outcome: &Outcome) -> String {
    if outcome.invalid.is_empty() {
        return "–".to_owned();
    }
    let lines = outcome.invalid.iter().map(|it| {
        let violations: Vec<String> = it.violations.iter().map(|it| code(it)).collect();
        format!("{}: {}", json(&it.value), violations.join(" and "))
    });
    lines.collect::<Vec<_>>().join("<br>")
}

/// JSON in one line, with room between its members.
fn json(value: &Value) -> String {
    code(&spaced(value))
}

fn spaced(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(spaced).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(key, it)| format!("{}: {}", Value::from(key.as_str()), spaced(it)))
                .collect();
            format!("{{ {} }}", members.join(", "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

/// A code span in a cell: a bar would end the cell, and backticks inside need more of them outside.
fn code(text: &str) -> String {
    let text = text.replace('|', "\\|");
    if text.contains('`') {
        format!("`` {text} ``")
    } else {
        format!("`{text}`")
    }
}

/// Prose in a cell.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|")
}
