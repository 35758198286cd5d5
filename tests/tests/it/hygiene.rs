//! Rules of the repository that a compiler does not check: STYLE rules 1, 4, 11, 12.

use std::{
    fs,
    path::{Path, PathBuf},
};

use mcp_codegen_tests::workspace;

/// Foreign crates and the only files that may name them (path prefixes below the workspace).
const OWNERS: &[(&str, &[&str])] = &[
    ("walkdir::", &["codegen/src/load"]),
    ("prettyplease::", &["codegen/src/print"]),
    ("heck::", &["codegen/src/naming"]),
    ("unicode_security::", &["codegen/src/naming"]),
    ("jsonc_parser::", &["codegen/src/source/"]),
    ("saphyr_parser::", &["codegen/src/source/"]),
    ("annotate_snippets::", &["codegen/src/diagnostics/"]),
    (
        "jsonschema::",
        &[
            "codegen/src/resolve/engine.rs",
            "codegen/src/prove/algebra.rs",
            "runtime/src/validate",
        ],
    ),
    ("referencing::", &["codegen/src/resolve/"]),
    // `toolbox` adds tools written by hand, for the SDK; the tests of `balanced` ask with its client.
    (
        "rmcp::",
        &[
            "runtime/src/rmcp/",
            "examples/toolbox/",
            "examples/balanced/tests/",
        ],
    ),
    ("reqwest::", &["runtime/src/rmcp/client/"]),
    ("rustls::", &["runtime/src/rmcp/client/"]),
    ("clap::", &["codegen/src/bin/"]),
];

#[test]
fn files_say_what_they_are_and_stay_small() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        if !text.starts_with("//!") {
            wrong.push(format!("{path}: does not begin with a `//!` line"));
        }
        let lines = text.lines().count();
        if lines > 600 {
            wrong.push(format!("{path}: {lines} lines"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn foreign_crates_have_one_owner() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        for (name, owners) in OWNERS {
            if owners.iter().any(|it| path.starts_with(it)) || path.starts_with("tests/") {
                continue;
            }
            let named = text.lines().enumerate().find(|(_, line)| {
                let code = line.split("//").next().unwrap_or_default();
                mentions(code, name)
            });
            if let Some((line, _)) = named {
                wrong.push(format!(
                    "{path}:{}: names `{name}`, which belongs to {owners:?}",
                    line + 1
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What clippy does not refuse, tests included. `unwrap`, `todo!` and the like it does.
#[test]
fn no_shortcuts() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let in_generated_code = WRITERS.contains(&path.as_str());
        for (number, line) in text.lines().enumerate() {
            let line = line.split("//").next().unwrap_or_default().trim_start();
            let attribute = line.starts_with("#[ignore")
                || line.starts_with("#[should_panic")
                || (line.starts_with("#[allow(") || line.starts_with("#![allow("))
                    && !in_generated_code;
            if attribute {
                wrong.push(format!("{path}:{}: {line}", number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where code for other crates is written, in which an expectation could go unfulfilled.
const WRITERS: [&str; 2] = ["codegen/src/emit/mod.rs", "runtime/src/macros.rs"];

/// A path at the start of a word: `rmcp::` but not `crate::rmcp::` or `my_rmcp::`.
fn mentions(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        before.is_none_or(|it| !it.is_alphanumeric() && it != '_' && it != ':')
    })
}

/// Every hand-written Rust file of the published crates, the tests and the examples.
fn sources() -> Vec<(String, String)> {
    let root = workspace();
    let mut files = Vec::new();
    for part in [
        "codegen/src",
        "runtime/src",
        "build-support/src",
        "tests/src",
        "tests/tests",
        "examples",
    ] {
        collect(&root.join(part), &mut files);
    }
    let mut all: Vec<(String, String)> = files
        .into_iter()
        .map(|it| {
            let name = it
                .strip_prefix(&root)
                .unwrap_or(&it)
                .to_string_lossy()
                .replace('\\', "/");
            (name, fs::read_to_string(&it).expect("sources are UTF-8"))
        })
        .filter(|(_, text)| !text.starts_with("// @generated"))
        .collect();
    all.sort();
    all
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("entries of source folders can be read").path();
        if path.is_dir() && !path.ends_with("target") {
            collect(&path, files);
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
}
