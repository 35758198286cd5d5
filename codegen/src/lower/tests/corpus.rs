//! The official test suite, published schemas and real tools: everything lowers, and no valid
//! instance is refused or changed.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    Lowered,
    cases::{json_files, valid_documents},
    model::{Dropped, lost, round_trip},
    tool, try_lower,
};
use crate::{
    config::{Config, ConstraintPolicy, TypeOverrides, UnknownPolicy},
    graph::{ServerTypes, Shape},
    resolve::{engine, fixture::shared},
};

/// Types keep undeclared properties, so that nothing at all may be lost.
fn keep() -> Config {
    let mut config = Config::new("schemas");
    let overrides = TypeOverrides {
        unknown: Some(UnknownPolicy::Keep),
        ..TypeOverrides::default()
    };
    config.types = BTreeMap::from([("*".to_owned(), overrides)]);
    config
}

/// Bounds, lengths and patterns are types, which must refuse no valid instance.
fn constrained() -> Config {
    let mut config = Config::new("schemas");
    let overrides = TypeOverrides {
        constraints: Some(ConstraintPolicy::Newtype),
        ..TypeOverrides::default()
    };
    config.types = BTreeMap::from([("*".to_owned(), overrides)]);
    config
}

fn fault(server: &ServerTypes, value: &Value) -> Option<String> {
    let shape = server.tools[0].output.as_ref()?;
    let mut dropped = Dropped::default();
    match round_trip(server, shape, value, &mut dropped) {
        Err(fault) => Some(fault),
        Ok(after) => lost(value, &after, &dropped),
    }
}

/// Numbers that Rust's numbers do not hold, which the design accepts.
fn is_huge(value: &Value) -> bool {
    match value {
        Value::Number(it) => it.as_f64().is_none_or(|it| it.abs() >= 9.2e18),
        Value::Array(items) => items.iter().any(is_huge),
        Value::Object(members) => members.values().any(is_huge),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

/// A property of the root that was dropped although a keyword evaluates it. The validator knows:
/// it also accepts the instance when nothing unevaluated is allowed.
fn drops_declared(server: &ServerTypes, schema: &Value, value: &Value) -> Option<String> {
    if !schema["$schema"]
        .as_str()
        .is_some_and(|it| it.contains("/20"))
    {
        return None;
    }
    let shape = server.tools[0].output.as_ref()?;
    let before = value.as_object()?;
    let after = round_trip(server, shape, value, &mut Dropped::default()).ok()?;
    let lost = before.keys().find(|it| after.get(it).is_none())?;
    let mut strict = schema.clone();
    strict
        .as_object_mut()?
        .entry("unevaluatedProperties")
        .or_insert(json!(false));
    engine::accepts(&strict, value).then(|| format!("drops {lost}"))
}

fn suite_faults(folder: &str, dialect: &str) -> (usize, usize, Vec<String>) {
    let (mut schemas, mut instances, mut faults) = (0, 0, Vec::new());
    for (file, groups) in json_files(&format!("suite/tests/{folder}")) {
        for group in groups.as_array().expect("a list of groups") {
            let mut schema = group["schema"].clone();
            if let Value::Object(members) = &mut schema {
                members.entry("$schema").or_insert_with(|| json!(dialect));
            } else if dialect.contains("draft-04") {
                continue;
            }
            for config in [Config::new("schemas"), keep(), constrained()] {
                // Remote references are errors here, and tested elsewhere.
                let Ok(lowered) = try_lower(&[("s/t.tool.json", tool(&schema))], &config) else {
                    continue;
                };
                schemas += 1;
                for test in group["tests"].as_array().expect("a list of tests") {
                    if test["valid"] != true || is_huge(&test["data"]) {
                        continue;
                    }
                    instances += 1;
                    let (server, data) = (lowered.server(), &test["data"]);
                    let fault =
                        fault(server, data).or_else(|| drops_declared(server, &schema, data));
                    faults.extend(fault.map(|it| {
                        format!(
                            "{file}: {} / {}: {it}",
                            group["description"], test["description"]
                        )
                    }));
                }
            }
        }
    }
    (schemas, instances, faults)
}

#[test]
fn valid_instances_of_the_official_suite_survive() {
    for (folder, dialect) in [
        (
            "draft2020-12",
            "https://json-schema.org/draft/2020-12/schema",
        ),
        (
            "draft2019-09",
            "https://json-schema.org/draft/2019-09/schema",
        ),
        ("draft7", "http://json-schema.org/draft-07/schema#"),
        ("draft6", "http://json-schema.org/draft-06/schema#"),
        ("draft4", "http://json-schema.org/draft-04/schema#"),
    ] {
        let (schemas, instances, faults) = suite_faults(folder, dialect);
        println!(
            "{folder}: {schemas} schemas, {instances} instances, {} faults",
            faults.len()
        );
        assert!(faults.is_empty(), "{folder}: {faults:#?}");
    }
}

#[test]
fn valid_documents_of_published_schemas_survive() {
    let mut faults = Vec::new();
    let (mut lowered_count, mut documents) = (0, 0);
    for (name, schema) in json_files("published/schemas") {
        let stem = name.trim_end_matches(".json");
        let files = [
            ("s/t.tool.json", tool(&json!({ "$ref": "x.schema.json" }))),
            ("s/x.schema.json", schema.to_string()),
        ];
        // References to the network are errors, and tested elsewhere.
        let Ok(lowered) = try_lower(&files, &Config::new("schemas")) else {
            continue;
        };
        lowered_count += 1;
        if let Ok(limited) = try_lower(&files, &constrained()) {
            let documents = valid_documents(stem);
            let found = documents.into_iter().filter_map(|(file, document)| {
                Some(format!(
                    "{name}/{file}, constrained: {}",
                    fault(limited.server(), &document)?
                ))
            });
            faults.extend(found);
        }
        for (file, document) in valid_documents(stem) {
            documents += 1;
            faults.extend(fault(lowered.server(), &document).map(|it| {
                let it: String = it.chars().take(300).collect();
                format!("{name} {file}: {it}")
            }));
        }
    }
    println!("{lowered_count} schemas, {documents} documents");
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Places in the types, and those of them that hold anything.
fn shares(lowered: &Lowered) -> (usize, usize) {
    fn count(shape: &Shape, all: &mut (usize, usize)) {
        all.0 += 1;
        match shape {
            Shape::Any => all.1 += 1,
            Shape::List(inner)
            | Shape::Map(inner)
            | Shape::Nullable(inner)
            | Shape::Boxed(inner) => {
                all.0 -= 1;
                count(inner, all);
            }
            Shape::Limited(it) => {
                all.0 -= 1;
                count(&it.shape, all);
            }
            Shape::Tuple(items) => items.iter().for_each(|it| count(it, all)),
            Shape::Never
            | Shape::Null
            | Shape::Boolean
            | Shape::Integer(_)
            | Shape::Number
            | Shape::String
            | Shape::Named(_)
            | Shape::Foreign(_) => {}
        }
    }
    let mut all = (0, 0);
    for server in &lowered.graph.servers {
        for shape in server.types.iter().flat_map(|it| it.kind.shapes()) {
            count(shape, &mut all);
        }
    }
    all
}

#[test]
fn real_tools_lower_to_types() {
    let mut total = (0, 0);
    let mut tools = 0;
    for (name, file) in json_files("corpus") {
        let lowered = try_lower(
            &[("s/all.tools.json", file.to_string())],
            &Config::new("schemas"),
        )
        .unwrap_or_else(|found| panic!("{name}: {found:#?}"));
        let (all, any) = shares(&lowered);
        tools += lowered.server().tools.len();
        total = (total.0 + all, total.1 + any);
    }
    println!(
        "{tools} tools: {} of {} places hold any value",
        total.1, total.0
    );
    if shared("corpus").is_some() {
        assert!(
            total.1 * 100 < total.0 * 5,
            "more than 5 % of the places are `Value`"
        );
    }
}
