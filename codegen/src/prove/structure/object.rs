//! Structs and maps beside object schemas.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    All, Walk,
    conjunction::{is_closed, properties_named, requires},
    leaf::others,
};
use crate::{
    graph::{Field, Presence, Shape, Struct, Unknown},
    lower::{
        keywords::{count, object, strings},
        kinds::Kinds,
    },
    prove::{
        Direction,
        keywords::{is_free, quoted, refuses},
        report::Report,
    },
    resolve::Node,
};

/// Keywords that this module compares.
const HANDLED: &[&str] = &[
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "minProperties",
    "maxProperties",
];
/// And that it compares for maps.
const HANDLED_FOR_MAPS: &[&str] = &["propertyNames"];

impl<'d> Walk<'_, 'd> {
    pub(super) fn structure(&mut self, all: &All<'d>, it: &Struct, scope: Kinds) -> Report {
        let mut report = self.compare_kinds(all, Kinds::OBJECT, scope);
        others(all, Kinds::OBJECT, HANDLED, &mut report);
        for field in &it.fields {
            self.field(all, field, &it.unknown, &mut report);
        }
        let fields: BTreeSet<&str> = it.fields.iter().map(|it| it.key.as_str()).collect();
        let needed = it
            .fields
            .iter()
            .filter(|it| self.is_always_there(&it.presence))
            .count();
        let open = match (&it.unknown, self.direction) {
            (Unknown::Keep(..), _) | (Unknown::Drop, Direction::Input) => true,
            (Unknown::Deny, _) | (Unknown::Drop, Direction::Output) => false,
        };
        self.sizes(all, needed, (!open).then_some(fields.len()), &mut report);
        for key in missing(all, &fields) {
            if requires(all, &key) {
                report.leak(true, format!("objects without the property `{key}`"));
            }
            self.undeclared(&schemas_of(all, &key), &it.unknown, &key, &mut report);
        }
        self.rest(all, &it.unknown, &mut report);
        report
    }

    pub(super) fn map(&mut self, all: &All<'d>, value: &Shape, scope: Kinds) -> Report {
        let mut report = self.compare_kinds(all, Kinds::OBJECT, scope);
        let handled = [HANDLED, HANDLED_FOR_MAPS].concat();
        others(all, Kinds::OBJECT, &handled, &mut report);
        self.sizes(all, 0, None, &mut report);
        for part in &all.parts {
            let names = part.value().get("propertyNames");
            let speaking = names.filter(|it| !refuses(part, "propertyNames", it).is_empty());
            if let Some(names) = speaking.filter(|it| !self.has_rule("propertyNames", it)) {
                let what = quoted("propertyNames", names);
                report.leak(false, format!("what {what} refuses"));
            }
        }
        for key in missing(all, &BTreeSet::new()) {
            if requires(all, &key) {
                report.leak(true, format!("objects without the property `{key}`"));
            }
            self.below(&schemas_of(all, &key), value, &key, &mut report);
        }
        self.kept(all, value, &mut report);
        report
    }

    /// `minProperties` and `maxProperties`, for a type with at least and at most so many.
    fn sizes(&self, all: &All<'d>, least: usize, most: Option<usize>, report: &mut Report) {
        for schema in all.parts.iter().filter_map(object) {
            let too_few = count(schema, "minProperties").is_some_and(|it| it > least as u64);
            let most_allowed = count(schema, "maxProperties");
            let too_many = most_allowed.is_some_and(|it| most.is_none_or(|most| it < most as u64));
            for (keyword, leaks) in [("minProperties", too_few), ("maxProperties", too_many)] {
                if leaks && !self.has_rule(keyword, &schema[keyword]) {
                    let what = quoted(keyword, &schema[keyword]);
                    report.leak(true, format!("what {what} refuses"));
                }
            }
        }
    }

    fn is_always_there(&self, presence: &Presence) -> bool {
        match (presence, self.direction) {
            (Presence::Required, _) | (Presence::Default(_), Direction::Output) => true,
            (Presence::Optional, _) | (Presence::Default(_), Direction::Input) => false,
        }
    }

    fn field(&mut self, all: &All<'d>, field: &Field, unknown: &Unknown, report: &mut Report) {
        let key = field.key.as_str();
        let required = requires(all, key);
        if required && !self.is_always_there(&field.presence) {
            let mut absent = Report::default();
            absent.leak(true, "absence");
            report.absorb(absent, key);
        }
        if !required && matches!(field.presence, Presence::Required) {
            report.doubt(format!("`{key}` may be absent"));
        }
        let schemas = schemas_of(all, key);
        self.below(&schemas, &field.shape, key, report);
        // Where the field is absent, the map of undeclared properties may have its name. Where it is not, the runtime refuses to
        // write the name twice.
        if let (Unknown::Keep(_, rest), Direction::Output, Presence::Optional) =
            (unknown, self.direction, &field.presence)
        {
            let mut repeated = Report::default();
            self.below(&schemas, rest, key, &mut repeated);
            report
                .join(repeated.told(|it| {
                    format!("when it stands in the map of undeclared properties, {it}")
                }));
        }
    }

    /// One property that a schema mentions and the type does not.
    fn undeclared(
        &mut self,
        schemas: &[Node<'d>],
        unknown: &Unknown,
        key: &str,
        report: &mut Report,
    ) {
        match (unknown, self.direction) {
            (Unknown::Deny, _) => {
                if !self.kinds(&All::of(schemas)).is_empty() {
                    report.doubt(format!("`{key}` is no field"));
                }
            }
            (Unknown::Drop, Direction::Input) => self.below(schemas, &Shape::Any, key, report),
            // Never written.
            (Unknown::Drop, Direction::Output) => {}
            (Unknown::Keep(_, rest), _) => self.below(schemas, rest, key, report),
        }
    }

    /// Properties that nothing mentions.
    fn rest(&mut self, all: &All<'d>, unknown: &Unknown, report: &mut Report) {
        match (unknown, self.direction) {
            (Unknown::Deny, direction) => {
                if !all.parts.iter().any(is_closed) {
                    report.doubt("undeclared properties");
                }
                // A pattern may say something about a field.
                if direction == Direction::Input {
                    patterns(all, report);
                }
            }
            (Unknown::Drop, Direction::Input) => self.kept(all, &Shape::Any, report),
            (Unknown::Drop, Direction::Output) => patterns(all, report),
            (Unknown::Keep(_, rest), _) => self.kept(all, rest, report),
        }
    }

    /// Properties that nothing mentions, and that the type takes.
    fn kept(&mut self, all: &All<'d>, value: &Shape, report: &mut Report) {
        let is_any = *value == Shape::Any;
        let (with, without): (Vec<&Node<'d>>, Vec<&Node<'d>>) =
            all.parts.iter().partition(|it| has_patterns(it));
        let schemas: Vec<_> = without
            .iter()
            .filter_map(|it| it.child(&["additionalProperties"]))
            .collect();
        self.below(&schemas, value, "*", report);
        patterns(all, report);
        if !with.is_empty() && !is_any {
            report.doubt("`patternProperties`");
        }
        for part in with {
            let additional = part.value().get("additionalProperties");
            if let Some(value) = additional.filter(|it| !is_free(it)) {
                report.leak(
                    false,
                    format!("what {} refuses", quoted("additionalProperties", value)),
                );
            }
        }
    }
}

/// The schemas of one property. Which patterns match its name is not asked.
fn schemas_of<'d>(all: &All<'d>, key: &str) -> Vec<Node<'d>> {
    let mut schemas = properties_named(all, key);
    let silent = all
        .parts
        .iter()
        .filter(|it| it.child(&["properties", key]).is_none());
    let silent = silent.filter(|it| !has_patterns(it));
    schemas.extend(silent.filter_map(|it| it.child(&["additionalProperties"])));
    schemas
}

/// The properties that schemas mention and the type does not.
fn missing(all: &All<'_>, fields: &BTreeSet<&str>) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for schema in all.parts.iter().filter_map(object) {
        let declared = schema.get("properties").and_then(Value::as_object);
        let declared = declared
            .into_iter()
            .flat_map(serde_json::Map::keys)
            .map(String::as_str);
        let mentioned = declared.chain(strings(schema, "required"));
        keys.extend(
            mentioned
                .filter(|it| !fields.contains(it))
                .map(str::to_owned),
        );
    }
    keys
}

fn patterns(all: &All<'_>, report: &mut Report) {
    for part in &all.parts {
        let patterns = part
            .value()
            .get("patternProperties")
            .and_then(Value::as_object);
        let speaking = patterns
            .into_iter()
            .flatten()
            .find(|(_, schema)| !is_free(schema));
        if let Some((pattern, _)) = speaking {
            report.leak(
                false,
                format!("what `patternProperties` refuses for names like `{pattern}`"),
            );
        }
    }
}

fn has_patterns(part: &Node<'_>) -> bool {
    let patterns = part
        .value()
        .get("patternProperties")
        .and_then(Value::as_object);
    patterns.is_some_and(|it| !it.is_empty())
}
