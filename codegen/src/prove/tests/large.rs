//! Large contracts: what is proved of them, and that the work grows with them and not faster.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::{Direction, Range, Verdict, proved, state, with_lowered};
use crate::{graph::TypeId, prove::Walk};

/// A definition of a family: to which others it refers, and whether and how it lets something
/// through.
#[derive(Clone, Copy)]
struct Member {
    refers: [usize; 2],
    leak: Leak,
}

#[derive(Clone, Copy, PartialEq)]
enum Leak {
    None,
    Possible,
    Certain,
}

/// Definitions that refer to each other, behind one that refers to all.
fn family(members: &[Member]) -> Value {
    let to = |at: usize| json!({ "$ref": format!("#/$defs/D{at}") });
    let definitions = members.iter().enumerate().map(|(at, member)| {
        let [left, right] = member.refers;
        let mut schema =
            json!({ "type": "object", "properties": { "left": to(left), "right": to(right) } });
        match member.leak {
            Leak::None => {}
            Leak::Possible => schema["not"] = json!({ "required": ["absent"] }),
            Leak::Certain => schema["maxProperties"] = json!(1),
        }
        (format!("D{at}"), schema)
    });
    let definitions: Map<_, _> = definitions.collect();
    let all = (0..members.len()).map(|at| (format!("p{at}"), to(at)));
    let all: Map<_, _> = all.collect();
    json!({ "type": "object", "properties": all, "$defs": definitions })
}

/// Whether a definition reaches one that leaks so.
fn reaches(members: &[Member], from: usize, leak: Leak) -> bool {
    let mut seen = BTreeSet::new();
    let mut left = vec![from];
    while let Some(at) = left.pop() {
        if seen.insert(at) {
            left.extend(members[at].refers);
        }
    }
    seen.into_iter().any(|it| members[it].leak == leak)
}

/// What is proved of every definition by its name, and how many comparisons that took.
fn compared(schema: &Value) -> Option<(BTreeMap<String, Verdict>, usize)> {
    with_lowered(schema, |contract, graph| {
        let types = graph.servers.first()?;
        let mut walk = Walk::new(&types.types, Direction::Input);
        walk.root(
            &contract.servers[0].tools[0].output?,
            types.tools[0].output.as_ref()?,
        );
        let verdicts = types.types.iter().enumerate().filter_map(|(at, def)| {
            let report = walk.named_type(TypeId(at))?;
            Some((def.name.to_string(), super::super::of_report(&report)))
        });
        let verdicts = verdicts.collect();
        Some((verdicts, walk.walked))
    })
}

#[test]
fn a_cycle_lets_through_what_any_of_it_does() {
    let mut state = 7_usize;
    let mut random = |limit: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005_usize)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    for round in 0..60 {
        let count = 2 + random(12);
        let members: Vec<_> = (0..count)
            .map(|_| Member {
                refers: [random(count), random(count)],
                leak: match random(if round % 2 == 0 { 6 } else { 20 }) {
                    0 => Leak::Possible,
                    1 => Leak::Certain,
                    _ => Leak::None,
                },
            })
            .collect();
        let schema = family(&members);
        let (verdicts, _) = compared(&schema).expect("the schema is right");
        for at in 0..count {
            let verdict = &verdicts[&format!("D{at}")];
            let fits = match verdict {
                Verdict::Exact => [Leak::Possible, Leak::Certain]
                    .into_iter()
                    .all(|it| !reaches(&members, at, it)),
                Verdict::Refuted(_) => reaches(&members, at, Leak::Certain),
                Verdict::Unknown(_) => {
                    reaches(&members, at, Leak::Possible) && !reaches(&members, at, Leak::Certain)
                }
                Verdict::Unsound(_) => false,
            };
            assert!(fits, "D{at} is {verdict:?} in {schema}");
        }
    }
}

#[test]
fn definitions_that_refer_to_each_other_are_compared_about_once() {
    const COUNT: usize = 300;
    for leak in [Leak::None, Leak::Possible, Leak::Certain] {
        let members: Vec<_> = (0..COUNT)
            .map(|at| Member {
                refers: [(at * 7 + 1) % COUNT, (at * 3 + 1) % COUNT],
                leak: if at == COUNT / 2 { leak } else { Leak::None },
            })
            .collect();
        let (verdicts, walked) = compared(&family(&members)).expect("the schema is right");
        // Three properties' worth each: two references, and what is not declared.
        let most = 12 * COUNT;
        assert!(walked < most, "{walked} comparisons of {COUNT} definitions");
        if leak == Leak::None {
            assert!(verdicts.values().all(|it| *it == Verdict::Exact));
        }
    }
}

#[test]
fn large_sets_and_unions_are_exact() {
    const COUNT: usize = 600;
    let texts: Vec<_> = (0..COUNT).map(|it| format!("value {it}")).collect();
    let constants: Vec<_> = texts.iter().map(|it| json!({ "const": it })).collect();
    let tagged = texts.iter().map(|it| {
        let properties = json!({ "kind": { "const": it }, "v": { "type": "string" } });
        json!({ "type": "object", "properties": properties, "required": ["kind"] })
    });
    let tagged: Vec<_> = tagged.collect();
    for schema in [
        json!({ "enum": texts }),
        json!({ "anyOf": constants }),
        json!({ "oneOf": tagged }),
    ] {
        let found = proved(&schema).expect("the schema is right");
        assert_eq!(found.input, Verdict::Exact);
        assert_eq!(found.output, Verdict::Exact);
    }
}

#[test]
fn values_are_listed_as_json_schema_compares_them() {
    let all = json!({ "allOf": [
        { "enum": [1.0, { "a": 1, "b": [2] }, "1", 0.5] },
        { "anyOf": [{ "const": 1 }, { "const": { "b": [2.0], "a": 1 } }, { "enum": [0.5, 2] }] },
    ] });
    let held = json!({ "type": "object", "properties": { "p": all }, "required": ["p"] });
    let found = proved(&held).expect("the schema is right");
    assert_eq!(found.input, Verdict::Exact);
}

#[test]
fn nothing_is_stated_that_is_too_large() {
    let mut schema = json!({ "type": "string" });
    for level in 0..3 {
        let other = json!({ "type": "object", "properties": { "k": schema, "t": { "const": level } }, "required": ["t"] });
        schema = json!({ "anyOf": [schema, other] });
    }
    let found = proved(&schema).expect("the schema is right");
    let dialect = super::resolve::Dialect::Draft202012;
    let (types, shape, input) = (&found.types.types, found.shape(), Direction::Input);
    let whole = state::state(types, shape, input, dialect, Range::Exact);
    let size = super::super::algebra::size(&whole);
    let within = |most| state::state_within(types, shape, input, dialect, Range::Exact, most);
    assert_eq!(within(size), Some(whole));
    assert_eq!(within(size / 2), None);
    // What is made for a validator means the same.
    let shared = state::state_for_validator(types, shape, input, dialect);
    assert!(super::super::algebra::size(&shared) < size);
    let whole = found.stated(input, Range::Exact);
    let shared = super::Checker::new(&shared).expect("it is a schema");
    let mut accepted = 0;
    for value in super::super::witness::values(types, shape, input) {
        assert_eq!(whole.accepts(&value), shared.accepts(&value), "{value}");
        accepted += usize::from(whole.accepts(&value));
    }
    assert!(accepted > 8, "{accepted}");
}
