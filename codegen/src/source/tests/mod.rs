//! Texts to values, faults and positions.
#![expect(clippy::unwrap_used, reason = "tests")]

mod faults;
mod positions;
mod values;

use serde_json::Value;

use super::{FileId, Format, SourceMap, parse_value};
use crate::diagnostics::{Diagnostics, render};

fn source(format: Format, text: &str) -> (SourceMap, FileId) {
    let mut sources = SourceMap::default();
    let label = if format == Format::Json {
        "s/a.tool.json"
    } else {
        "s/a.tool.yaml"
    };
    let id = sources.add(
        label.to_owned(),
        label[2..].to_owned(),
        format,
        text.to_owned(),
    );
    (sources, id)
}

fn value(format: Format, text: &str) -> Value {
    let (sources, id) = source(format, text);
    let mut diagnostics = Diagnostics::new();
    let value = parse_value(sources.file(id), &mut diagnostics);
    assert!(
        diagnostics.is_empty(),
        "{}",
        render(&sources, &diagnostics, false)
    );
    value.unwrap()
}

/// The rendered faults, without the summary line.
fn faults(format: Format, text: &str) -> String {
    let (sources, id) = source(format, text);
    let mut diagnostics = Diagnostics::new();
    assert_eq!(parse_value(sources.file(id), &mut diagnostics), None);
    let report = render(&sources, &diagnostics, false);
    report.trim_end().rsplit_once("\n\n").unwrap().0.to_owned()
}
