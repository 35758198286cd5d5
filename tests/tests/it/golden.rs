//! Golden folders: contract files, and the tree that is generated from them, byte for byte.
//!
//! `tests/golden/<case>/schemas` is the input (with an optional `mcp-codegen.toml` beside it),
//! `gen/` what `generate` writes, `notes.txt` what it says. Every tree is also compiled into this
//! program, under `deny(warnings)`, by [`super::compiled`], and in edition 2021.

use std::{fs, path::Path};

use mcp_codegen::{
    config::Config,
    diagnostics::{RenderOptions, render_with},
};
use mcp_codegen_tests::{
    cases, compare_file,
    scratch::{self, Scratch},
    workspace,
};

#[test]
fn generated_trees_are_as_blessed() {
    let mut wrong = Vec::new();
    for case in cases(&workspace().join("tests/golden")) {
        let generated = generate(&case);
        for (path, text) in generated.files.iter() {
            wrong.extend(compare_file(&case.join("gen").join(path), text).err());
        }
        let made: Vec<&str> = generated.files.iter().map(|(path, _)| path).collect();
        let expected = file_names(&case.join("gen"));
        if made != expected {
            wrong.push(format!(
                "{}: made {made:?}, not {expected:?}",
                case.display()
            ));
        }
        let options = RenderOptions {
            color: false,
            verbose: true,
        };
        let notes = render_with(&generated.sources, &generated.diagnostics, options);
        wrong.extend(compare_file(&case.join("notes.txt"), &notes).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_golden_tree_is_compiled() {
    let text = include_str!("compiled.rs");
    for case in cases(&workspace().join("tests/golden")) {
        let name = name(&case);
        assert!(
            text.contains(&format!("golden/{name}/gen/mod.rs")),
            "add tests/golden/{name} to compiled.rs"
        );
    }
}

/// What the strictest of users deny. Clippy's groups are seen by the lint of the workspace.
const STRICT: &str = "//! Every golden tree.
#![deny(warnings, future_incompatible, nonstandard_style, rust_2018_idioms, unused)]
#![deny(missing_copy_implementations, missing_debug_implementations, missing_docs, unreachable_pub)]
#![deny(trivial_casts, trivial_numeric_casts, unused_lifetimes, unused_qualifications, unused_results)]
";

#[test]
fn golden_trees_compile_in_edition_2021() {
    let project = Scratch::new("golden-2021").expect("scratch folders can be made");
    let write = |path: &str, text: &str| {
        project
            .write(path, text)
            .expect("scratch files can be written")
    };
    write("Cargo.toml", &scratch::manifest("golden-2021", "2021", &[]));
    let mut root = STRICT.to_owned();
    for case in cases(&workspace().join("tests/golden")) {
        let name = name(&case);
        scratch::copy_tree(&case.join("gen"), &project.path().join("src").join(&name))
            .expect("golden trees can be copied");
        root.extend(["/// A golden tree.\npub mod ", &name, ";\n"]);
    }
    write("src/lib.rs", &root);
    let output = scratch::cargo(project.path(), &["check", "--quiet"]).expect("cargo starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Generates a case as a user would whose working directory is the case's folder.
fn generate(case: &Path) -> mcp_codegen::Generated {
    let toml = case.join("mcp-codegen.toml");
    let mut config = Config::new(case.join("schemas"));
    config.root_name = name(case);
    if toml.is_file() {
        let text = fs::read_to_string(&toml).expect("the case's configuration can be read");
        config.apply_toml(&toml, "mcp-codegen.toml", &text);
    }
    "schemas".clone_into(&mut config.schemas_label);
    mcp_codegen::generate(&config)
        .unwrap_or_else(|failure| panic!("{}:\n{failure}", case.display()))
}

/// The name of a case's folder: a Rust module too.
fn name(case: &Path) -> String {
    case.file_name()
        .expect("a case has a name")
        .to_string_lossy()
        .into_owned()
}

fn file_names(folder: &Path) -> Vec<String> {
    let mut all: Vec<String> = fs::read_dir(folder)
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
