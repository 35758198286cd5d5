//! Which keywords there are: those of the dialects' meta-schemas, and those that our own code reads.

use std::{collections::BTreeSet, fs};

use mcp_codegen_tests::workspace;
use referencing::meta;
use serde_json::Value;

/// The dialects by name, oldest first.
const DIALECTS: [&str; 5] = ["draft-04", "draft-06", "draft-07", "2019-09", "2020-12"];

/// What `$schema` says.
pub(super) fn uri(dialect: &str) -> &'static str {
    match dialect {
        "draft-04" => "http://json-schema.org/draft-04/schema#",
        "draft-06" => "http://json-schema.org/draft-06/schema#",
        "draft-07" => "http://json-schema.org/draft-07/schema#",
        "2019-09" => "https://json-schema.org/draft/2019-09/schema",
        "2020-12" => "https://json-schema.org/draft/2020-12/schema",
        other => panic!("no dialect is called `{other}`"),
    }
}

/// Every keyword that a dialect has, or that code generation looks for.
pub(super) fn keywords() -> BTreeSet<String> {
    let mut all: BTreeSet<String> = DIALECTS.into_iter().flat_map(keywords_of).collect();
    all.extend(read_by_lowering());
    all
}

/// From when to when a keyword is one; empty for those of every dialect.
pub(super) fn dialects(keyword: &str) -> String {
    let has = DIALECTS.map(|it| current(it, keyword));
    let first = has.iter().position(|it| *it);
    let last = has.iter().rposition(|it| *it);
    match (first, last) {
        (None, _) | (_, None) => "no dialect's".to_owned(),
        (Some(0), Some(4)) => String::new(),
        (Some(first), Some(4)) if first == 4 => format!("{} only", DIALECTS[first]),
        (Some(first), Some(4)) => format!("since {}", DIALECTS[first]),
        (Some(first), Some(last)) if first == last => format!("{} only", DIALECTS[first]),
        (Some(_), Some(last)) => format!("up to {}", DIALECTS[last]),
    }
}

/// Whether a dialect has a keyword, and not only mentions that older ones had it.
fn current(dialect: &str, keyword: &str) -> bool {
    let vocabularies = vocabularies(dialect);
    // `$ref` is in no list of draft-04, which uses it all the same.
    let used = format!("{keyword:?}:\"#");
    if keyword.starts_with('$') && vocabularies.iter().any(|it| it.to_string().contains(&used)) {
        return true;
    }
    let found = vocabularies
        .into_iter()
        .find_map(|it| it.pointer("/properties")?.get(keyword).cloned());
    found.is_some_and(|it| {
        let comment = it.get("$comment").and_then(Value::as_str);
        let gone = comment.is_some_and(|it| it.contains("no longer"));
        it.get("deprecated") != Some(&Value::Bool(true)) && !gone
    })
}

fn keywords_of(dialect: &str) -> Vec<String> {
    let keys = |schema: &Value| -> Vec<String> {
        let properties = schema["properties"].as_object();
        properties
            .into_iter()
            .flat_map(|it| it.keys().cloned())
            .collect()
    };
    vocabularies(dialect).into_iter().flat_map(keys).collect()
}

/// The meta-schemas whose properties are the keywords of a dialect.
fn vocabularies(dialect: &str) -> Vec<&'static Value> {
    match dialect {
        "draft-04" => vec![&meta::DRAFT4],
        "draft-06" => vec![&meta::DRAFT6],
        "draft-07" => vec![&meta::DRAFT7],
        "2019-09" => vec![
            &meta::DRAFT201909,
            &meta::DRAFT201909_APPLICATOR,
            &meta::DRAFT201909_CONTENT,
            &meta::DRAFT201909_CORE,
            &meta::DRAFT201909_FORMAT,
            &meta::DRAFT201909_META_DATA,
            &meta::DRAFT201909_VALIDATION,
        ],
        _ => vec![
            &meta::DRAFT202012,
            &meta::DRAFT202012_APPLICATOR,
            &meta::DRAFT202012_CONTENT,
            &meta::DRAFT202012_CORE,
            &meta::DRAFT202012_FORMAT_ANNOTATION,
            &meta::DRAFT202012_META_DATA,
            &meta::DRAFT202012_UNEVALUATED,
            &meta::DRAFT202012_VALIDATION,
        ],
    }
}

/// What `lower` takes out of schema objects, found in its sources.
fn read_by_lowering() -> BTreeSet<String> {
    const READS: [&str; 6] = [
        ".get(\"",
        ".contains_key(\"",
        ".child(&[\"",
        ".children(\"",
        "const RUST_TYPE: &str = \"",
        "const RUST_NAME: &str = \"",
    ];
    // Members of `x-rust-type`.
    const OTHERS: [&str; 4] = ["crate", "parameters", "path", "version"];
    let folder = workspace().join("codegen/src/lower");
    let mut all = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("the sources can be read") {
        let path = entry.expect("its entries can be read").path();
        // Tests read their own data.
        if path.extension().is_none_or(|it| it != "rs") || path.ends_with("tests.rs") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("sources are UTF-8");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for read in READS {
            let keys = code.split(read).skip(1);
            all.extend(keys.filter_map(|it| Some(it.split_once('"')?.0.to_owned())));
        }
    }
    all.retain(|it| !OTHERS.contains(&it.as_str()));
    all
}
