//! The official JSON Schema Test Suite: validity, explanations, and wrapped schemas.

#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use super::LazyChecker;
use crate::{
    contract::{FormatPolicy, only_objects, wrapped},
    decode,
};

/// The schemas of the suite with their dialect named, and the tests of each.
fn cases() -> Vec<(Value, Vec<Value>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/suite/tests");
    if !root.is_dir() {
        assert_ne!(
            env::var("CI").as_deref(),
            Ok("true"),
            "the test suite is missing"
        );
        eprintln!("skipped: the test suite is not beside the repository");
        return Vec::new();
    }
    let dialects = [
        ("draft4", "http://json-schema.org/draft-04/schema#"),
        ("draft6", "http://json-schema.org/draft-06/schema#"),
        ("draft7", "http://json-schema.org/draft-07/schema#"),
        (
            "draft2019-09",
            "https://json-schema.org/draft/2019-09/schema",
        ),
        (
            "draft2020-12",
            "https://json-schema.org/draft/2020-12/schema",
        ),
    ];
    let mut out = Vec::new();
    for (folder, dialect) in dialects {
        for file in files(&root.join(folder)) {
            let groups: Vec<Value> =
                serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
            for mut group in groups {
                let mut schema = group["schema"].take();
                if let Some(members) = schema.as_object_mut() {
                    members.entry("$schema").or_insert_with(|| dialect.into());
                }
                // Some refer to schemas elsewhere, which a published schema never does.
                if LazyChecker::new(schema.clone(), FormatPolicy::Dialect).compiles() {
                    out.push((
                        schema,
                        group["tests"].as_array().cloned().unwrap_or_default(),
                    ));
                }
            }
        }
    }
    out
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut out: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    out.retain(|path| path.extension().is_some_and(|it| it == "json"));
    out.sort();
    out
}

#[test]
fn what_is_invalid_is_explained() {
    for (schema, tests) in cases() {
        let checker = LazyChecker::new(schema.clone(), FormatPolicy::Dialect);
        for test in tests {
            let value = &test["data"];
            match checker.get().check(value) {
                Ok(()) => assert!(checker.get().accepts(value)),
                Err(violations) => {
                    assert!(!checker.get().accepts(value));
                    assert!(!violations.is_empty(), "{schema} {value}");
                    for violation in violations.iter() {
                        let place = &violation.pointer;
                        assert!(
                            !violation.message.contains("breaks the rule"),
                            "{violation} {schema}"
                        );
                        assert!(
                            value.pointer(place).is_some(),
                            "{place:?} is nowhere in {value}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn wrapped_schemas_accept_what_is_wrapped() {
    let mut wrong = Vec::new();
    for (schema, tests) in cases() {
        let outer = LazyChecker::new(wrapped(&schema), FormatPolicy::Dialect);
        let inner = LazyChecker::new(schema.clone(), FormatPolicy::Dialect);
        if !outer.compiles() {
            wrong.push(format!("does not compile: {schema}"));
            continue;
        }
        for test in tests {
            let value = &test["data"];
            let expected = inner.get().accepts(value);
            if outer.get().accepts(&json!({ "result": value })) != expected {
                wrong.push(format!("{value} is {expected} by {schema}"));
            }
            if expected && only_objects(&schema, &schema, 0) && !value.is_object() {
                wrong.push(format!("{value} is no object but valid by {schema}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn any_value_survives_decoding() {
    for (_, tests) in cases() {
        for test in tests {
            let value = &test["data"];
            assert_eq!(decode::<Value>(value).as_ref(), Ok(value));
        }
    }
}
