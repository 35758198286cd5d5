//! Diagnostics folders: wrong contracts, and the report a user reads.
//!
//! `tests/diagnostics/<id>[.<variant>]/schemas` is the input (with an optional
//! `mcp-codegen.toml` beside it), `report.txt` the rendered report.

use std::{collections::BTreeSet, path::Path};

use mcp_codegen::{
    config::Config,
    diagnostics::{Diagnostics, Id, RenderOptions, render},
    source::SourceMap,
};
use mcp_codegen_tests::{cases, expect_file, workspace};

/// Ids that no contract folder can show, and the test that shows each.
const ELSEWHERE: &[(&str, &str)] = &[
    ("unreadable-file", "load's own tests: it needs a file without permission"),
    ("empty-contract-root", "the command line's tests: an empty folder cannot be committed"),
];

#[test]
fn reports_are_as_blessed() {
    for case in cases(&workspace().join("tests/diagnostics")) {
        let (sources, diagnostics) = run(&case);
        let report = render(&sources, &diagnostics, &RenderOptions { color: false, verbose: true });
        expect_file(&case.join("report.txt"), &report);
        let name = case.file_name().expect("a case has a name").to_string_lossy().into_owned();
        let id = name.split('.').next().unwrap_or_default();
        assert!(
            diagnostics.iter().any(|it| it.id.as_str() == id),
            "{name}: the report does not have `{id}`:\n{report}"
        );
    }
}

#[test]
fn every_id_has_a_case() {
    let folders = cases(&workspace().join("tests/diagnostics"));
    let shown: BTreeSet<String> = folders
        .iter()
        .filter_map(|it| it.file_name()?.to_str()?.split('.').next().map(str::to_owned))
        .collect();
    let missing: Vec<&str> = Id::ALL
        .iter()
        .map(|it| it.as_str())
        .filter(|id| !shown.contains(*id))
        .filter(|id| !ELSEWHERE.iter().any(|(other, _)| other == id))
        .collect();
    assert!(missing.is_empty(), "ids without a folder in tests/diagnostics: {missing:?}");
}

fn run(case: &Path) -> (SourceMap, Diagnostics) {
    let toml = case.join("mcp-codegen.toml");
    let mut config = Config::new(case.join("schemas"));
    if toml.is_file() {
        let mut diagnostics = Diagnostics::new();
        match Config::from_file(&toml, &mut diagnostics) {
            Ok(read) => config = read,
            Err(sources) => return (sources, diagnostics),
        }
        config.schemas = case.join("schemas");
    }
    "schemas".clone_into(&mut config.schemas_label);
    match mcp_codegen::generate(&config) {
        Ok(generated) => (generated.sources, generated.diagnostics),
        Err(failure) => (failure.sources, failure.diagnostics),
    }
}
