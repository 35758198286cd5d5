//! The guide's table of keywords, made from running code: `docs/keywords.md`.
//!
//! `tests/keywords/<keyword>.json` has the examples. Each one is generated, its Rust is what came out, what the type refuses is
//! what the model behind the proofs says, and what the validator refuses it says itself. A keyword that a dialect or our own
//! code knows and that has no example fails.

mod examples;
mod known;
mod rust;
mod table;

use std::{collections::BTreeSet, fs};

use mcp_codegen_tests::{compare_file, workspace};

use self::examples::{Example, Keyword, Outcome};

/// The guide up to here is written by hand, and from here on by this test.
const MARK: &str = "<!-- From here on `BLESS=1 cargo test` writes it, from tests/keywords. -->\n";

#[test]
fn the_guide_says_what_the_code_does() {
    let (tables, wrong) = table::tables(&examples::all());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let path = workspace().join("docs/keywords.md");
    let guide = fs::read_to_string(&path).expect("the guide can be read");
    let (head, _) = guide
        .split_once(MARK)
        .expect("the guide says where the tables begin");
    if let Err(difference) = compare_file(&path, &format!("{head}{MARK}{tables}")) {
        panic!("{difference}");
    }
}

#[test]
fn every_keyword_has_an_example() {
    let described: BTreeSet<String> = examples::all().into_iter().map(|it| it.name).collect();
    let known = known::keywords();
    let missing: Vec<_> = known.difference(&described).collect();
    assert!(missing.is_empty(), "tests/keywords lacks {missing:?}");
    let unknown: Vec<_> = described.difference(&known).collect();
    assert!(unknown.is_empty(), "nothing reads {unknown:?}");
}

#[test]
fn examples_mention_their_keyword() {
    for keyword in examples::all() {
        for example in &keyword.examples {
            let text = example.schema.to_string();
            let mentions = text.contains(&format!("{:?}:", keyword.name));
            let names_the_dialect = keyword.name == "$schema" && example.dialect.is_some();
            assert!(
                mentions || names_the_dialect || example.schema.is_boolean(),
                "{}: {text}",
                keyword.name
            );
        }
    }
}

/// The law behind the table, on its rows.
#[test]
fn what_a_type_refuses_its_schema_refuses() {
    for keyword in examples::all() {
        for example in &keyword.examples {
            let outcome = example
                .run()
                .unwrap_or_else(|why| panic!("{}: {why}", keyword.name));
            for valid in &outcome.valid {
                assert!(
                    !valid.refused_by_type && valid.violations.is_empty(),
                    "{}: {valid:?}",
                    keyword.name
                );
            }
        }
    }
}
