//! Two answers side by side.

use std::{collections::BTreeSet, fmt};

use serde::Deserialize;
use serde_json::{Value, json};

/// A part of an answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(transparent)]
pub struct Aspect(String);

/// A part of an answer that is not the recorded one.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The call, or the tool of a listing.
    pub case: String,
    /// `listing`, `error`, or a member of the result.
    pub aspect: Aspect,
    /// As recorded; `None` where there is nothing.
    pub theirs: Option<Value>,
    /// As answered here.
    pub ours: Option<Value>,
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Compares the entries of two listings; order is not compared, since contracts are listed by name.
pub(super) fn listing(theirs: &[Value], ours: &Value) -> Vec<Difference> {
    let entry =
        |tools: &[Value], name: &Value| tools.iter().find(|it| it["name"] == *name).cloned();
    let ours = ours["result"]["tools"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let names: BTreeSet<&str> = theirs
        .iter()
        .chain(ours)
        .filter_map(|it| it["name"].as_str())
        .collect();
    let pairs = names.into_iter().map(|name| {
        let key = Value::from(name);
        (name, entry(theirs, &key), entry(ours, &key))
    });
    pairs
        .filter_map(|(name, theirs, ours)| difference(name, "listing", theirs, ours))
        .collect()
}

/// Compares two JSON-RPC responses to a `tools/call`: member by member, but the words of an error.
pub(super) fn answer(case: &str, theirs: &Value, ours: &Value) -> Vec<Difference> {
    let error = |it: &Value| {
        it.get("error")
            .map(|it| json!({ "code": it["code"], "data": it["data"] }))
    };
    let (their_error, our_error) = (error(theirs), error(ours));
    if their_error.is_some() || our_error.is_some() {
        // There is nothing else to compare.
        return difference(case, "error", their_error, our_error)
            .into_iter()
            .collect();
    }
    let members = |it: &Value| it["result"].as_object().cloned().unwrap_or_default();
    let (theirs, ours) = (members(theirs), members(ours));
    let keys: BTreeSet<&String> = theirs.keys().chain(ours.keys()).collect();
    let member = |members: &serde_json::Map<String, Value>, key: &str| {
        // Absent means `false`.
        let missing = (key == "isError").then_some(Value::Bool(false));
        members.get(key).cloned().or(missing)
    };
    keys.into_iter()
        .filter_map(|key| difference(case, key, member(&theirs, key), member(&ours, key)))
        .collect()
}

fn difference(
    case: &str,
    aspect: &str,
    theirs: Option<Value>,
    ours: Option<Value>,
) -> Option<Difference> {
    let same = match (&theirs, &ours) {
        (Some(theirs), Some(ours)) => same(theirs, ours),
        (None, None) => true,
        _ => false,
    };
    (!same).then(|| Difference {
        case: case.to_owned(),
        aspect: Aspect(aspect.to_owned()),
        theirs,
        ours,
    })
}

/// Equal as JSON: members in any order, numbers by value.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}
