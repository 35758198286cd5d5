//! Why no branch of an `anyOf` or `oneOf` accepts: told by the branch that was most likely meant.

use std::cmp::Reverse;

use jsonschema::{ValidationError, error::ValidationErrorKind as Kind};

use super::{
    Subject,
    explain::{self, literal_mismatch, type_mismatch},
};
use crate::violation::Violation;

/// How far a branch is from what was meant; smaller is closer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// Some details are wrong.
    Details,
    /// A constant property says that another branch was meant.
    Tag,
    /// It is for another kind of JSON value.
    Kind,
}

/// How many alternatives a message tells of.
const SHOWN: usize = 5;

/// How a branch fails.
type Branch = Vec<ValidationError<'static>>;

/// The violations of the best branch: the right kind of value, then the right tag, then the fewest and
/// deepest errors. Where branches are equally good, what they ask for is told together.
pub(super) fn explain(
    subject: Subject<'_>,
    error: &ValidationError<'_>,
    branches: &[Branch],
) -> Vec<Violation> {
    let pointer = error.instance_path().as_str();
    let value = error.instance();
    let fit = |branch: &Branch| fit(branch, pointer);
    let Some(best) = branches.iter().map(fit).min() else {
        return vec![Violation::new(pointer, "matches no alternative")];
    };
    if best == Fit::Kind {
        let mut kinds = Vec::new();
        branches
            .iter()
            .flatten()
            .for_each(|error| collect_kinds(error, pointer, &mut kinds));
        return vec![type_mismatch(&kinds, value, pointer)];
    }
    let closest: Vec<&Branch> = branches
        .iter()
        .filter(|branch| fit(branch) == best)
        .collect();
    if let Some(literals) = shared_literals(&closest) {
        return vec![literals];
    }
    if let Some(message) = missing(&closest, pointer) {
        return vec![Violation::new(pointer, message)];
    }
    let score = |branch: &Branch| (branch.len(), Reverse(depth(branch)));
    let Some(top) = closest.iter().map(|branch| score(branch)).min() else {
        return Vec::new();
    };
    let tied: Vec<Vec<Violation>> = closest
        .iter()
        .filter(|branch| score(branch) == top)
        .map(|branch| {
            branch
                .iter()
                .flat_map(|error| explain::explain(subject, error))
                .collect()
        })
        .collect();
    match tied.as_slice() {
        [first, others @ ..] if others.iter().all(|other| other == first) => first.clone(),
        tied => vec![Violation::new(pointer, together(tied, pointer))],
    }
}

fn fit(branch: &Branch, pointer: &str) -> Fit {
    let one = |error: &ValidationError<'_>| {
        let place = error.instance_path().as_str();
        let member = place
            .strip_prefix(pointer)
            .and_then(|rest| rest.strip_prefix('/'));
        match error.kind() {
            Kind::Type { .. } if place == pointer => Fit::Kind,
            // A branch that is itself a union fails for its kind only if all of its own do.
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } if place == pointer => {
                context
                    .iter()
                    .map(|branch| fit(branch, pointer))
                    .min()
                    .unwrap_or(Fit::Details)
            }
            Kind::Constant { .. } | Kind::Enum { .. }
                if member.is_some_and(|member| !member.contains('/')) =>
            {
                Fit::Tag
            }
            _ => Fit::Details,
        }
    };
    branch.iter().map(one).max().unwrap_or(Fit::Details)
}

fn collect_kinds(error: &ValidationError<'_>, pointer: &str, out: &mut Vec<String>) {
    match error.kind() {
        Kind::Type { kind } if error.instance_path().as_str() == pointer => {
            for kind in explain::expected_types(kind) {
                if !out.contains(&kind) {
                    out.push(kind);
                }
            }
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            context
                .iter()
                .flatten()
                .for_each(|error| collect_kinds(error, pointer, out));
        }
        _ => {}
    }
}

/// Where each branch asks for other literals at one and the same place: all of them, as one.
fn shared_literals(branches: &[&Branch]) -> Option<Violation> {
    let mut options = Vec::new();
    let mut found: Option<&ValidationError<'static>> = None;
    for branch in branches {
        let literal = |error: &&ValidationError<'static>| {
            matches!(error.kind(), Kind::Constant { .. } | Kind::Enum { .. })
        };
        let error = branch.iter().find(literal)?;
        if found.is_some_and(|first| first.instance_path() != error.instance_path()) {
            return None;
        }
        found = Some(error);
        match error.kind() {
            Kind::Constant { expected_value } => options.push((**expected_value).clone()),
            Kind::Enum { options: more } => options.extend(explain::literals(more)),
            _ => return None,
        }
    }
    let first = found.filter(|_| branches.len() > 1)?;
    Some(literal_mismatch(
        &options,
        first.instance(),
        first.instance_path().as_str(),
    ))
}

/// Where all that each branch lacks are properties: what each would need.
///
/// The one that lacks the fewest is not for that the one that was meant.
fn missing(branches: &[&Branch], pointer: &str) -> Option<String> {
    let mut sets: Vec<Vec<String>> = Vec::new();
    for branch in branches {
        let needs = branch.iter().map(|error| match error.kind() {
            Kind::Required { property } if error.instance_path().as_str() == pointer => {
                property.as_str().map(|name| format!("`{name}`"))
            }
            _ => None,
        });
        let needs: Vec<String> = needs.collect::<Option<_>>()?;
        if !sets.contains(&needs) {
            sets.push(needs);
        }
    }
    let single = sets.iter().all(|needs| needs.len() == 1);
    let more = sets.len().saturating_sub(SHOWN);
    sets.truncate(SHOWN);
    let mut sets: Vec<String> = sets.iter().map(|needs| needs.join(" and ")).collect();
    if more > 0 {
        sets.push(format!("what {more} other alternatives need"));
    }
    let sets = if single {
        explain::alternatives(&sets)
    } else {
        sets.join(", or ")
    };
    Some(format!("missing required property {sets}"))
}

fn depth(branch: &Branch) -> usize {
    let deep = |error: &ValidationError<'_>| error.instance_path().as_str().matches('/').count();
    branch.iter().map(deep).max().unwrap_or(0)
}

fn together(tied: &[Vec<Violation>], pointer: &str) -> String {
    let clause = |violations: &Vec<Violation>| {
        let one = |violation: &Violation| {
            let place = violation
                .pointer
                .strip_prefix(pointer)
                .unwrap_or(&violation.pointer);
            let place = if place.is_empty() {
                String::new()
            } else {
                format!("{place}: ")
            };
            format!("{place}{}", violation.message)
        };
        violations.iter().map(one).collect::<Vec<_>>().join(" and ")
    };
    let mut clauses: Vec<String> = Vec::new();
    for text in tied.iter().map(clause) {
        if !clauses.contains(&text) {
            clauses.push(text);
        }
    }
    let more = clauses.len().saturating_sub(SHOWN);
    clauses.truncate(SHOWN);
    let tail = if more > 0 {
        format!("; or {more} other alternatives")
    } else {
        String::new()
    };
    format!("matches no alternative: {}{tail}", clauses.join("; or "))
}
