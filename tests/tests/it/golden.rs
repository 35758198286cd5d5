//! Golden folders: contract files, and the tree that is generated from them, byte for byte.
//!
//! `tests/golden/<case>/schemas` is the input (with an optional `mcp-codegen.toml` beside it),
//! `gen/` what `generate` writes, `notes.txt` what it says. Every tree is also compiled into this
//! binary, under `deny(warnings)`, by [`compiled`].

use std::path::Path;

use mcp_codegen::{
    config::Config,
    diagnostics::{Diagnostics, RenderOptions},
};
use mcp_codegen_tests::{cases, expect_file, workspace};

#[test]
fn generated_trees_are_as_blessed() {
    for case in cases(&workspace().join("tests/golden")) {
        let generated = generate(&case);
        for (path, text) in generated.files.iter() {
            expect_file(&case.join("gen").join(path), text);
        }
        let expected: Vec<String> = file_names(&case.join("gen"));
        let made: Vec<String> = generated.files.iter().map(|(path, _)| path.to_owned()).collect();
        assert_eq!(made, expected, "{}: files of gen/", case.display());
        let options = RenderOptions { color: false, verbose: true };
        let notes =
            mcp_codegen::diagnostics::render(&generated.sources, &generated.diagnostics, &options);
        expect_file(&case.join("notes.txt"), &notes);
    }
}

#[test]
fn every_golden_tree_is_compiled() {
    let text = include_str!("golden.rs");
    for case in cases(&workspace().join("tests/golden")) {
        let name = case.file_name().expect("a case has a name").to_string_lossy().into_owned();
        assert!(
            text.contains(&format!("golden/{name}/gen/mod.rs")),
            "add tests/golden/{name} to the module `compiled` in golden.rs"
        );
    }
}

/// Generates a case as a user would whose working directory is the case's folder.
fn generate(case: &Path) -> mcp_codegen::Generated {
    let toml = case.join("mcp-codegen.toml");
    let mut config = if toml.is_file() {
        let mut diagnostics = Diagnostics::new();
        Config::from_file(&toml, &mut diagnostics).expect("the case's configuration is right")
    } else {
        Config::new(case.join("schemas"))
    };
    config.schemas = case.join("schemas");
    "schemas".clone_into(&mut config.schemas_label);
    mcp_codegen::generate(&config).unwrap_or_else(|failure| panic!("{}:\n{failure}", case.display()))
}

fn file_names(folder: &Path) -> Vec<String> {
    let mut all: Vec<String> = std::fs::read_dir(folder)
        .map(|entries| {
            entries
                .map(|it| it.expect("entries of gen/ can be read"))
                .map(|it| it.file_name().to_string_lossy().into_owned())
                .collect()
        })
        .unwrap_or_default();
    all.sort();
    all
}
