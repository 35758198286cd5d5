//! Unions beside `anyOf`, `oneOf` and types of several kinds.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    All, Walk,
    conjunction::Group,
    tags::{Tag, Tags, always_requires, tags_within},
};
use crate::{
    graph::{JsonKind, Select, Shape, TypeKind, Union},
    lower::{
        keywords::{canonical_text, equal},
        kinds::Kinds,
    },
    prove::{Direction, report::Report},
    resolve::Node,
};

impl<'d> Walk<'_, 'd> {
    pub(super) fn union(&mut self, all: &All<'d>, union: &Union, scope: Kinds) -> Report {
        match &union.select {
            Select::Kind(kinds) => self.by_kind(all, union, kinds, scope),
            Select::Tag {
                property,
                values,
                absent,
            } => {
                let tags: Vec<_> = values
                    .iter()
                    .enumerate()
                    .map(|(at, values)| Tag {
                        property,
                        values,
                        or_absent: *absent == Some(at),
                    })
                    .collect();
                self.by_tag(all, union, &tags, scope)
            }
            Select::Schema(schemas) => self.by_schema(all, union, schemas, scope),
        }
    }

    fn by_kind(
        &mut self,
        all: &All<'d>,
        union: &Union,
        kinds: &[Vec<JsonKind>],
        scope: Kinds,
    ) -> Report {
        let integers = kinds.iter().flatten().any(|it| *it == JsonKind::Integer);
        let mut report = Report::default();
        let mut claimed = Kinds::NONE;
        for (variant, kinds) in union.variants.iter().zip(kinds) {
            let mut own = of(kinds);
            if integers && !kinds.contains(&JsonKind::Integer) {
                own = own.without(Kinds::INTEGER);
            }
            claimed = claimed.union(own);
            if self.direction == Direction::Output {
                // Nobody asks a value for its kind before it is written.
                own = own.union(self.kinds_of_shape(&variant.shape, 0));
            }
            report.join(self.on(all.clone(), &variant.shape, own.and(scope)));
        }
        if !self.kinds(all).and(scope).within(claimed) {
            report.doubt("the schema allows more kinds than the union");
        }
        report
    }

    fn by_tag(&mut self, all: &All<'d>, union: &Union, tags: &[Tag<'_>], scope: Kinds) -> Report {
        let mut report = Report::default();
        if !self.kinds(all).and(scope).within(Kinds::OBJECT) {
            report.doubt("the schema allows more than objects");
        }
        let Some(property) = tags.first().map(|it| it.property) else {
            return report;
        };
        if !tags.iter().any(|it| it.or_absent) && !always_requires(all, property, 0) {
            report.doubt("the tag may be absent");
        }
        let texts = |tag: &Tag<'_>| tag.values.iter().map(canonical_text).collect();
        let texts: Vec<BTreeSet<String>> = tags.iter().map(texts).collect();
        let known = texts.iter().flatten().cloned().collect();
        if !tags_within(all, property, &known, 0) {
            report.doubt("the schema allows other tags");
        }
        let mut asked = Tags::new(property);
        for ((variant, tag), texts) in union.variants.iter().zip(tags).zip(&texts) {
            // What is written has the tag that its field holds.
            let held = self.direction == Direction::Input || self.holds(&variant.shape, tag);
            let own = self.reduce(all.clone(), Kinds::OBJECT, &mut |it| {
                !held || asked.may_have(it, texts, tag.or_absent)
            });
            report.join(self.on(own, &variant.shape, scope.and(Kinds::OBJECT)));
        }
        report
    }

    /// Whether a struct writes only tags of its own.
    fn holds(&self, shape: &Shape, tag: &Tag<'_>) -> bool {
        let mut shape = shape;
        for _ in 0..=self.types.len() {
            match shape {
                Shape::Boxed(inner) => shape = inner,
                Shape::Limited(it) => shape = &it.shape,
                Shape::Named(id) => match &self.types[id.0].kind {
                    TypeKind::Alias(inner) | TypeKind::Newtype(inner) => shape = inner,
                    TypeKind::Struct(it) => {
                        let field = it.fields.iter().find(|it| it.key == tag.property);
                        return field.is_some_and(|it| self.is_within(&it.shape, tag.values));
                    }
                    TypeKind::Literals(_)
                    | TypeKind::Constant(_)
                    | TypeKind::Union(_)
                    | TypeKind::Constrained(_) => {
                        return false;
                    }
                },
                _ => return false,
            }
        }
        false
    }

    fn is_within(&self, shape: &Shape, values: &[Value]) -> bool {
        let known = |value: &Value| values.iter().any(|it| equal(it, value));
        match shape {
            Shape::Named(id) => match &self.types[id.0].kind {
                TypeKind::Literals(all) => all.iter().all(|it| known(&it.value)),
                TypeKind::Constant(value) => known(value),
                TypeKind::Alias(inner) => self.is_within(inner, values),
                TypeKind::Struct(_)
                | TypeKind::Union(_)
                | TypeKind::Newtype(_)
                | TypeKind::Constrained(_) => false,
            },
            Shape::Boolean => known(&Value::Bool(true)) && known(&Value::Bool(false)),
            _ => false,
        }
    }

    /// The first variant whose own schema accepts.
    fn by_schema(
        &mut self,
        all: &All<'d>,
        union: &Union,
        schemas: &[Value],
        scope: Kinds,
    ) -> Report {
        let mut report = Report::default();
        let [group] = all.groups.as_slice() else {
            report.leak(false, "what the branches of several unions refuse");
            report.doubt("several unions");
            return report;
        };
        let mut rest = all.clone();
        rest.groups.clear();
        let bundles: Vec<_> = group.branches.iter().map(|it| (*it, it.bundle())).collect();
        for (variant, schema) in union.variants.iter().zip(schemas) {
            let branch = bundles
                .iter()
                .find(|(_, it)| it == schema)
                .map(|(it, _)| it);
            let Some(branch) = branch else {
                // A part of a branch, or several branches at once.
                let mut kinds = plain_kinds(schema);
                if self.direction == Direction::Output {
                    kinds = kinds.union(self.kinds_of_shape(&variant.shape, 0));
                }
                let found = self.on(all.clone(), &variant.shape, kinds.and(scope));
                report.join(found.uncertain());
                continue;
            };
            let own = self.on(rest.clone().and(branch), &variant.shape, scope);
            own.doubts.iter().for_each(|it| report.doubt(it.clone()));
            let leaks = match self.direction {
                // The variant's schema has accepted already: only what stands beside the union is left.
                Direction::Input if rest.is_free() => Report::default(),
                Direction::Input | Direction::Output => own.uncertain(),
            };
            report.join(leaks);
        }
        if group.exclusive && !self.are_all_disjoint(group) {
            report.leak(false, "what more than one branch of `oneOf` accepts");
        }
        report
    }

    fn are_all_disjoint(&mut self, group: &Group<'d>) -> bool {
        let branches: &[Node<'d>] = &group.branches;
        branches.iter().enumerate().all(|(at, left)| {
            branches[at + 1..]
                .iter()
                .all(|right| self.are_disjoint(left, right))
        })
    }
}

/// The kinds of a schema that is nothing but `type`; else all.
fn plain_kinds(schema: &Value) -> Kinds {
    match schema.as_object() {
        Some(members) if members.keys().all(|it| it == "$schema" || it == "type") => {
            Kinds::declared(members)
        }
        _ => Kinds::ALL,
    }
}

/// The kinds of value that a variant claims.
pub(super) fn of(kinds: &[JsonKind]) -> Kinds {
    let one = |kind: &JsonKind| match kind {
        JsonKind::Null => Kinds::NULL,
        JsonKind::Boolean => Kinds::BOOLEAN,
        JsonKind::Integer => Kinds::INTEGER,
        JsonKind::Number => Kinds::NUMBER,
        JsonKind::String => Kinds::STRING,
        JsonKind::Array => Kinds::ARRAY,
        JsonKind::Object => Kinds::OBJECT,
    };
    kinds.iter().map(one).fold(Kinds::NONE, Kinds::union)
}
