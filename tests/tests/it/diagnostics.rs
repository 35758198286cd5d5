//! Diagnostics folders: wrong contracts, and the report a user reads.
//!
//! `tests/diagnostics/<id>[.<variant>]/schemas` is the input (with an optional
//! `mcp-codegen.toml` beside it), `report.txt` the rendered report.

use std::{collections::BTreeSet, fs, path::Path};

use mcp_codegen::{
    config::Config,
    diagnostics::{Diagnostics, Id, RenderOptions, render_with},
    source::SourceMap,
};
use mcp_codegen_tests::{cases, compare_file, workspace};

/// Ids that no contract folder can show, and the test that shows each.
const ELSEWHERE: &[(&str, &str)] = &[
    (
        "unreadable-file",
        "load's own tests: it needs a file without permission",
    ),
    (
        "empty-contract-root",
        "the command line's tests: an empty folder cannot be committed",
    ),
];

#[test]
fn reports_are_as_blessed() {
    let mut wrong = Vec::new();
    for case in cases(&workspace().join("tests/diagnostics")) {
        let (sources, diagnostics) = run(&case);
        let options = RenderOptions {
            color: false,
            verbose: true,
        };
        let report = render_with(&sources, &diagnostics, options);
        wrong.extend(compare_file(&case.join("report.txt"), &report).err());
        let name = case
            .file_name()
            .expect("a case has a name")
            .to_string_lossy()
            .into_owned();
        let id = name.split('.').next().unwrap_or_default();
        if !diagnostics.iter().any(|it| it.id.as_str() == id) {
            wrong.push(format!(
                "{name}: the report does not have `{id}`:\n{report}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_id_has_a_case() {
    let folders = cases(&workspace().join("tests/diagnostics"));
    let shown: BTreeSet<String> = folders
        .iter()
        .filter_map(|it| {
            it.file_name()?
                .to_str()?
                .split('.')
                .next()
                .map(str::to_owned)
        })
        .collect();
    let missing: Vec<&str> = Id::ALL
        .iter()
        .map(|it| it.as_str())
        .filter(|id| !shown.contains(*id))
        .filter(|id| !ELSEWHERE.iter().any(|(other, _)| other == id))
        .collect();
    assert!(
        missing.is_empty(),
        "ids without a folder in tests/diagnostics: {missing:?}"
    );
}

fn run(case: &Path) -> (SourceMap, Diagnostics) {
    let toml = case.join("mcp-codegen.toml");
    let mut config = Config::new(case.join("schemas"));
    if toml.is_file() {
        let text = fs::read_to_string(&toml).expect("the case's configuration can be read");
        config.apply_toml(&toml, "mcp-codegen.toml", &text);
    }
    "schemas".clone_into(&mut config.schemas_label);
    match mcp_codegen::generate(&config) {
        Ok(generated) => (generated.sources, generated.diagnostics),
        Err(failure) => (failure.sources, failure.diagnostics),
    }
}
