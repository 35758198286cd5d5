//! Values without parts, closed sets of values, and what holds anything.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{
    All, Walk,
    values::{Judge, finite, lists},
};
use crate::{
    graph::{Int, Shape},
    lower::{
        constraint::own_bound,
        keywords::{canonical_text, integral, object},
        kinds::Kinds,
        literal::constant,
        number::{greatest, least},
    },
    prove::{
        keywords::{quoted, refuses},
        report::Report,
    },
    resolve::{Dialect, Node, engine::Checker},
};

/// Texts that most patterns and formats refuse one of.
const TEXTS: &[&str] = &["", "a", "A", "0", "\n", " ", "é", "-", "{}"];

impl<'d> Walk<'_, 'd> {
    pub(super) fn nullable(&mut self, all: &All<'d>, inner: &Shape, scope: Kinds) -> Report {
        let mut report = self.on(all.clone(), inner, scope.without(Kinds::NULL));
        if scope.meets(Kinds::NULL) {
            match Judge::new(all).accepts(&Value::Null) {
                Some(true) => {}
                Some(false) => report.leak(true, "`null`"),
                None => report.leak(false, "`null`"),
            }
        }
        report
    }

    /// A type that holds any value.
    pub(super) fn any(&mut self, all: &All<'d>, scope: Kinds) -> Report {
        let mut report = Report::default();
        if all.is_free() {
            return report;
        }
        let refused = scope.without(self.kinds(all));
        if !refused.is_empty() || finite(all, 0).is_some() {
            report.leak(true, "values that are not of the schema's type");
            return report;
        }
        for part in &all.parts {
            strict_integers(part, scope, &mut report);
            for (keyword, value) in object(part).into_iter().flatten() {
                if refuses(part, keyword, value).meets(scope) {
                    report.leak(false, format!("what {} refuses", quoted(keyword, value)));
                }
            }
        }
        if !all.groups.is_empty() {
            report.leak(false, "what the branches of the union refuse");
        }
        report
    }

    /// Text, numbers, booleans, `null`.
    pub(super) fn scalar(&mut self, all: &All<'d>, shape: &Shape, scope: Kinds) -> Report {
        let kinds = self.kinds_of_shape(shape, 0).and(scope);
        let mut report = self.compare_kinds(all, kinds, scope);
        if let Shape::Integer(int) = shape {
            self.bounds(all, *int, &mut report);
        }
        let here = kinds.and(self.kinds(all));
        for part in &all.parts {
            let is_integer = matches!(shape, Shape::Integer(_));
            strict_integers(part, kinds, &mut report);
            listed(part, shape, &mut report);
            for (keyword, value) in object(part).into_iter().flatten() {
                let bound = is_integer && BOUNDS.contains(&keyword.as_str());
                let ruled = bound || self.has_rule(own_bound(part, keyword), value);
                if refuses(part, keyword, value).meets(here) && !ruled {
                    constraint(part, keyword, value, &mut report);
                }
            }
        }
        report
    }

    /// A closed set of values.
    pub(super) fn literals(&mut self, all: &All<'d>, values: &[&Value], scope: Kinds) -> Report {
        let mut report = Report::default();
        let judge = Judge::new(all);
        for value in values.iter().filter(|it| Kinds::of(it).meets(scope)) {
            match judge.accepts(value) {
                Some(true) => {}
                Some(false) => report.leak(true, format!("the value `{value}`")),
                None => report.leak(false, format!("the value `{value}`")),
            }
            for part in &all.parts {
                strict_integers(part, Kinds::of(value), &mut report);
            }
        }
        let allowed = finite(all, 0);
        let texts: BTreeSet<String> = values.iter().map(|it| canonical_text(it)).collect();
        let all_here = allowed.is_some_and(|it| {
            let mut scoped = it.iter().filter(|it| Kinds::of(it).meets(scope));
            scoped.all(|it| texts.contains(&canonical_text(it)))
        });
        if !all_here && self.kinds(all).meets(scope) {
            report.doubt("the schema lists other values");
        }
        report
    }

    /// Compares the range of an integer type with the bounds of its schemas.
    ///
    /// Soundness is meant modulo the range of 64 bits: an integer that no Rust integer holds is
    /// refused although a schema without bounds allows it, see `state`.
    fn bounds(&self, all: &All<'d>, int: Int, report: &mut Report) {
        let schemas = || all.parts.iter().filter_map(object);
        let lowest = schemas().filter_map(least).max();
        let highest = schemas().filter_map(greatest).min();
        let (mut from, mut to) = int.range();
        for rule in &self.rules {
            let rule = Map::from_iter([(rule.keyword.clone(), rule.value.clone())]);
            from = from.max(least(&rule).unwrap_or(from));
            to = to.min(greatest(&rule).unwrap_or(to));
        }
        if let Some(bound) = lowest.filter(|it| *it > from) {
            report.leak(true, format!("integers below {bound}"));
        }
        if let Some(bound) = highest.filter(|it| *it < to) {
            report.leak(true, format!("integers above {bound}"));
        }
        let (least, greatest) = int.range();
        let endless_down = int == Int::I64 && from == least;
        let endless_up = matches!(int, Int::I64 | Int::U64) && to == greatest;
        let reaches_down = endless_down || lowest.is_some_and(|it| it >= from);
        let reaches_up = endless_up || highest.is_some_and(|it| it <= to);
        if !(reaches_down && reaches_up) {
            report.doubt("the schema allows integers beyond the type's");
        }
    }
}

/// What keywords about some kinds refuse and no type expresses, but for those the caller deals with.
pub(super) fn others(all: &All<'_>, kinds: Kinds, handled: &[&str], report: &mut Report) {
    for part in &all.parts {
        for (keyword, value) in object(part).into_iter().flatten() {
            let known = handled.contains(&keyword.as_str());
            if !known && refuses(part, keyword, value).meets(kinds) {
                report.leak(false, format!("what {} refuses", quoted(keyword, value)));
            }
        }
        if let Some(keyword) = lists_values(part) {
            report.leak(false, format!("what `{keyword}` does not list"));
        }
    }
}

const BOUNDS: &[&str] = &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];

/// In draft-04 `3.0` is no integer, and every type takes it for one.
fn strict_integers(part: &Node<'_>, kinds: Kinds, report: &mut Report) {
    if part.dialect() != Dialect::Draft4 || !kinds.meets(Kinds::INTEGER) {
        return;
    }
    let declared = object(part).map_or(Kinds::ALL, Kinds::declared);
    if declared.meets(Kinds::INTEGER) && !declared.meets(Kinds::FRACTION) {
        report.leak(true, "integers that are written with a fraction (`3.0`)");
    }
}

/// The keyword by which a schema lists its values; `const` is none in draft-04.
fn lists_values(part: &Node<'_>) -> Option<&'static str> {
    let schema = object(part)?;
    if schema.contains_key("enum") {
        return Some("enum");
    }
    constant(part, schema).map(|_| "const")
}

/// `enum` and `const` beside a type that is no closed set.
fn listed(part: &Node<'_>, shape: &Shape, report: &mut Report) {
    let values: &[Value] = match shape {
        Shape::Null => &[Value::Null],
        Shape::Boolean => &[Value::Bool(true), Value::Bool(false)],
        _ => {
            if lists_values(part).is_some() {
                report.leak(true, "values that the schema does not list");
            }
            return;
        }
    };
    for value in values.iter().filter(|it| !lists(part, it)) {
        report.leak(true, format!("the value `{value}`"));
    }
}

/// A keyword that a plain type does not express.
fn constraint(part: &Node<'_>, keyword: &str, value: &Value, report: &mut Report) {
    let certain = match keyword {
        "minLength" | "maxLength" | "minimum" | "maximum" | "exclusiveMinimum"
        | "exclusiveMaximum" => true,
        "multipleOf" => {
            if value.as_number().and_then(integral) == Some(1) {
                // Trivial for integers; plain numbers have fractions.
                let only_integers = object(part).map_or(Kinds::ALL, Kinds::declared);
                if !only_integers.meets(Kinds::FRACTION) {
                    return;
                }
            }
            true
        }
        "pattern" | "format" | "contentEncoding" | "contentMediaType" => {
            let checker = Checker::new(&part.bundle());
            checker.is_some_and(|it| TEXTS.iter().any(|text| !it.accepts(&Value::from(*text))))
        }
        _ => false,
    };
    report.leak(certain, format!("what {} refuses", quoted(keyword, value)));
}
