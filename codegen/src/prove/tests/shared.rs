//! The shared data: the official test suite, reported faults, and real tools.

use std::time::Instant;

use serde_json::Value;

use super::{
    super::{Walk, algebra, algebra::Answer},
    Direction, Range, Verdict, fixture, prove, proved, state,
};
use crate::{
    config::{Config, Located},
    contract,
    diagnostics::Diagnostics,
    lower::lower,
    resolve,
    resolve::engine::Checker,
};

#[test]
fn no_proof_contradicts_the_test_suite() {
    let Some(folder) = fixture::shared("suite/tests") else {
        return;
    };
    let drafts = [
        (
            "draft2020-12",
            "https://json-schema.org/draft/2020-12/schema",
        ),
        ("draft7", "http://json-schema.org/draft-07/schema#"),
        ("draft4", "http://json-schema.org/draft-04/schema#"),
    ];
    let mut seen = [0_usize; 3];
    for (draft, dialect) in drafts {
        for (file, text) in fixture::json_files(&folder.join(draft)) {
            for group in fixture::json(&text).as_array().into_iter().flatten() {
                let mut schema = group["schema"].clone();
                if let Some(members) = schema.as_object_mut() {
                    members.entry("$schema").or_insert_with(|| dialect.into());
                }
                let tests = group["tests"].as_array().into_iter().flatten();
                let judged = tests.map(|it| (&it["data"], it["valid"] == true));
                suite_case(&format!("{draft}/{file}"), &schema, judged, &mut seen);
            }
        }
    }
    println!("{} exact, {} wider, {} unknown", seen[0], seen[1], seen[2]);
}

#[test]
fn no_proof_contradicts_reported_faults() {
    let Some(folder) = fixture::shared("cases") else {
        return;
    };
    let mut seen = [0_usize; 3];
    for (name, text) in fixture::json_files(&folder) {
        let case = fixture::json(&text);
        let all = |key: &str| case[key].as_array().cloned().unwrap_or_default();
        let (valid, invalid) = (all("valid"), all("invalid"));
        let judged = valid
            .iter()
            .map(|it| (it, true))
            .chain(invalid.iter().map(|it| (it, false)));
        suite_case(&name, &case["schema"], judged, &mut seen);
    }
    println!("{} exact, {} wider, {} unknown", seen[0], seen[1], seen[2]);
}

fn suite_case<'a>(
    name: &str,
    schema: &Value,
    judged: impl Iterator<Item = (&'a Value, bool)>,
    seen: &mut [usize; 3],
) {
    let Some(proved) = proved(schema) else { return };
    match &proved.input {
        Verdict::Exact => seen[0] += 1,
        Verdict::Refuted(_) => seen[1] += 1,
        Verdict::Unknown(_) => seen[2] += 1,
        Verdict::Unsound(why) => panic!("{name}: {schema}: {why}"),
    }
    let model = proved.stated(Direction::Input, Range::Exact);
    let wide = proved.stated(Direction::Input, Range::Wide);
    for (value, valid) in judged {
        if valid {
            assert!(
                wide.accepts(value),
                "{name}: the type of {schema} is said to refuse {value}"
            );
        } else {
            let leaks = model.accepts(value) && proved.input == Verdict::Exact;
            assert!(
                !leaks,
                "{name}: {schema} is said to be exact, and {value} leaks"
            );
        }
    }
}

/// The walk beside the algebra, which knows nothing of it.
#[test]
fn walk_and_algebra_agree_on_real_tools() {
    let Some(folder) = fixture::shared("corpus") else {
        return;
    };
    let files: Vec<_> = fixture::json_files(&folder)
        .into_iter()
        .map(|(name, text)| (format!("{}/t.tools.json", name.replace('.', "_")), text))
        .collect();
    let sources = fixture::sources(&files);
    let config = Config::new("schemas");
    let mut diagnostics = Diagnostics::new();
    let start = Instant::now();
    let documents = resolve::parse(&sources, &mut diagnostics);
    let set = resolve::resolve(&documents, &mut diagnostics);
    let contract = contract::contract(&set, &config, &mut diagnostics);
    let graph = lower(&contract, Located::nowhere(&config), &mut diagnostics);
    let before = start.elapsed();
    let start = Instant::now();
    let proofs = prove(&contract, &graph);
    println!("understanding {before:?}, proving {:?}", start.elapsed());

    let (mut agreed, mut open) = (0, 0);
    for ((server, types), proofs) in contract
        .servers
        .iter()
        .zip(&graph.servers)
        .zip(&proofs.servers)
    {
        for ((tool, shapes), proof) in server.tools.iter().zip(&types.tools).zip(&proofs.tools) {
            let unsound = |it: &Verdict| matches!(it, Verdict::Unsound(_));
            assert!(!unsound(&proof.input), "{}: {:?}", tool.name, proof.input);
            let author = tool.input.bundle();
            let stated = |range| {
                let dialect = tool.input.dialect();
                state::state(
                    &types.types,
                    &shapes.input,
                    Direction::Input,
                    dialect,
                    range,
                )
            };
            let model = stated(Range::Exact);
            assert!(Checker::new(&model).is_some(), "{}: {model:#}", tool.name);
            let report = Walk::new(&types.types, Direction::Input).root(&tool.input, &shapes.input);
            match algebra::is_within(&stated(Range::Exact), &author) {
                Answer::Yes => assert!(!report.is_refuted(), "{}: {report:?}", tool.name),
                Answer::No(gap) => assert!(!report.is_exact(), "{}: {gap:?}", tool.name),
                Answer::Unknown(_) => {
                    open += 1;
                    continue;
                }
            }
            agreed += 1;
            let sound = algebra::is_within(&author, &stated(Range::Wide));
            assert!(!matches!(sound, Answer::No(_)), "{}: {sound:?}", tool.name);
        }
    }
    println!("the algebra agrees on {agreed}, and says nothing on {open}");
    assert!(agreed > 500);
}
