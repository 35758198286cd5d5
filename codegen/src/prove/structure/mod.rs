//! A type beside the schemas that it was made from, keyword by keyword.
//!
//! Most types are exact, or certainly are not, for reasons that can be read off: the schema says
//! nothing that the type does not say, or it has a `minLength` on a plain string. This walk finds
//! those reasons without comparing schemas as sets, which is slow; what it leaves open is for
//! `witness` and `algebra`.
//!
//! Recursion is met with induction, see `pairs`: a pair of type and schemas that is being compared
//! counts as compared when it comes back deeper in the value.

mod array;
mod conjunction;
mod leaf;
mod object;
mod pairs;
mod tags;
mod union;
mod values;

use std::collections::BTreeMap;

use serde_json::Value;

use self::{conjunction::All, pairs::Pairs};
use super::{Direction, report::Report};
use crate::{
    graph::{JsonKind, Limited, Rule, Select, Shape, TypeDef, TypeId, TypeKind, Union},
    lower::{
        keywords::equal,
        kinds::{Kinds, kind_keyword},
    },
    resolve::{Node, NodeId},
};

/// Comparisons per root; what needs more is left open. It counts and never looks at a clock: the
/// outcome is part of what is generated.
const MAX_STEPS: usize = 20_000;

/// Compares the types of one server with their schemas, in one direction.
pub(super) struct Walk<'g, 'd> {
    types: &'g [TypeDef],
    direction: Direction,
    steps: usize,
    /// Comparisons for all roots.
    #[cfg(test)]
    pub(super) walked: usize,
    /// How deep in the value the walk is.
    depth: usize,
    pairs: Pairs,
    kinds: BTreeMap<NodeId, Kinds>,
    /// What the type at work refuses beside what its shape does.
    rules: Vec<Rule>,
    /// Where each named type was first met.
    met: BTreeMap<TypeId, (All<'d>, Kinds)>,
}

impl<'g, 'd> Walk<'g, 'd> {
    pub(super) fn new(types: &'g [TypeDef], direction: Direction) -> Self {
        Self {
            types,
            direction,
            steps: 0,
            #[cfg(test)]
            walked: 0,
            depth: 0,
            pairs: Pairs::new(),
            kinds: BTreeMap::new(),
            rules: Vec::new(),
            met: BTreeMap::new(),
        }
    }

    /// What the type of a whole schema lets through.
    pub(super) fn root(&mut self, node: &Node<'d>, shape: &Shape) -> Report {
        self.steps = 0;
        self.on(All::of(&[*node]), shape, Kinds::ALL)
    }

    /// What a named type lets through, where it was first met; `None` for one that was not.
    pub(super) fn named_type(&mut self, id: TypeId) -> Option<Report> {
        self.steps = 0;
        let (all, kinds) = self.met.get(&id)?.clone();
        Some(self.on(all, &Shape::Named(id), kinds))
    }

    /// Compares a type with all schemas that apply to its values, for values of some kinds.
    fn on(&mut self, all: All<'d>, shape: &Shape, scope: Kinds) -> Report {
        self.steps += 1;
        #[cfg(test)]
        {
            self.walked += 1;
        }
        let mut report = Report::default();
        if self.steps > MAX_STEPS {
            report.leak(false, "anything: the type is too large to be compared");
            report.doubt("the type is too large");
            return report;
        }
        if all.opaque {
            report.leak(false, "what a dynamic reference refuses");
            report.doubt("a dynamic reference");
        }
        let all = self.reduce(all, scope, &mut |_| true);
        match shape {
            Shape::Boxed(inner) => report.join(self.on(all, inner, scope)),
            Shape::Limited(it) => report.join(self.limited(&all, it, scope)),
            Shape::Named(id) => report.join(self.named(&all, *id, scope)),
            Shape::Nullable(inner) => report.join(self.nullable(&all, inner, scope)),
            Shape::Any => report.join(self.any(&all, scope)),
            Shape::Foreign(it) => {
                if !all.is_free() {
                    report.leak(
                        false,
                        format!("what `{}` accepts and the schema refuses", it.path),
                    );
                }
                report.doubt("a foreign type");
            }
            Shape::Never => {
                if self.kinds(&all).meets(scope) {
                    report.doubt("a type without values");
                }
            }
            Shape::Null
            | Shape::Boolean
            | Shape::Integer(_)
            | Shape::Number
            | Shape::String
            | Shape::List(_)
            | Shape::Tuple(_)
            | Shape::Map(_) => report.join(self.plain(&all, shape, scope)),
        }
        report
    }

    fn plain(&mut self, all: &All<'d>, shape: &Shape, scope: Kinds) -> Report {
        if !all.groups.is_empty() {
            return self.choice(all, shape, scope);
        }
        match shape {
            Shape::List(item) => self.list(all, item, scope),
            Shape::Tuple(items) => self.tuple(all, items, scope),
            Shape::Map(value) => self.map(all, value, scope),
            _ => self.scalar(all, shape, scope),
        }
    }

    fn named(&mut self, all: &All<'d>, id: TypeId, scope: Kinds) -> Report {
        self.met.entry(id).or_insert_with(|| (all.clone(), scope));
        let key = (all.identity(), scope, id);
        if let Some(known) = self.pairs.recall(&key, self.depth) {
            return known;
        }
        let begun = self.pairs.begin(&key, self.depth);
        // What is known of a named type holds wherever it stands.
        let rules = std::mem::take(&mut self.rules);
        let report = self.kind(all, id, scope);
        self.rules = rules;
        let complete = self.steps <= MAX_STEPS;
        self.pairs.end(key, &begun, &report, complete);
        report
    }

    fn kind(&mut self, all: &All<'d>, id: TypeId, scope: Kinds) -> Report {
        let types = self.types;
        match &types[id.0].kind {
            TypeKind::Alias(shape) | TypeKind::Newtype(shape) => self.on(all.clone(), shape, scope),
            TypeKind::Struct(_) if !all.groups.is_empty() => {
                self.choice(all, &Shape::Named(id), scope)
            }
            TypeKind::Struct(it) => self.structure(all, it, scope),
            TypeKind::Literals(literals) => {
                let values: Vec<_> = literals.iter().map(|it| &it.value).collect();
                self.literals(all, &values, scope)
            }
            TypeKind::Constant(value) => self.literals(all, &[value], scope),
            TypeKind::Union(it) => self.union(all, it, scope),
            TypeKind::Constrained(it) => self.ruled(all, &it.shape, &it.rules, scope),
        }
    }

    /// A shape whose rules are checked where it is read.
    fn limited(&mut self, all: &All<'d>, it: &Limited, scope: Kinds) -> Report {
        match self.direction {
            Direction::Input => self.ruled(all, &it.shape, &it.rules, scope),
            Direction::Output => self.on(all.clone(), &it.shape, scope),
        }
    }

    fn ruled(&mut self, all: &All<'d>, shape: &Shape, rules: &[Rule], scope: Kinds) -> Report {
        let outer = std::mem::replace(&mut self.rules, rules.to_vec());
        let report = self.on(all.clone(), shape, scope);
        self.rules = outer;
        report
    }

    /// Compares what is below a member or element.
    fn below(&mut self, nodes: &[Node<'d>], shape: &Shape, segment: &str, report: &mut Report) {
        self.depth += 1;
        let rules = std::mem::take(&mut self.rules);
        let found = self.on(All::of(nodes), shape, Kinds::ALL);
        self.rules = rules;
        self.depth -= 1;
        report.absorb(found, segment);
    }

    /// A type that a union of schemas has in common: exact if one branch alone refuses all that
    /// the type refuses.
    fn choice(&mut self, all: &All<'d>, shape: &Shape, scope: Kinds) -> Report {
        let mut rest = all.clone();
        let group = rest.groups.remove(0);
        let mut report = Report::default();
        let mut exact = false;
        for branch in &group.branches {
            let found = self.on(rest.clone().and(branch), shape, scope);
            exact |= found.is_exact();
            found.doubts.into_iter().for_each(|it| report.doubt(it));
        }
        if group.exclusive {
            report.leak(
                false,
                "what none, or more than one, of the branches of `oneOf` accepts",
            );
        } else if !exact {
            report.leak(false, "what no branch of `anyOf` accepts");
        }
        report
    }

    /// Whether the type around the shape at work has this rule.
    fn has_rule(&self, keyword: &str, value: &Value) -> bool {
        self.rules
            .iter()
            .any(|it| it.keyword == keyword && equal(&it.value, value))
    }

    /// Compares the kinds of value that a type has with those that its schemas allow.
    fn compare_kinds(&mut self, all: &All<'d>, shape: Kinds, scope: Kinds) -> Report {
        let mut report = Report::default();
        let schema = self.kinds(all).and(scope);
        let shape = shape.and(scope);
        for (_, kind) in shape.without(schema).each() {
            report.leak(true, kind_text(kind));
        }
        if !schema.within(shape) {
            report.doubt("the schema allows more kinds of value");
        }
        report
    }

    /// The kinds of value that a type reads or writes.
    fn kinds_of_shape(&self, shape: &Shape, depth: usize) -> Kinds {
        // Only aliases can nest without end, and all kinds are the safe guess.
        if depth > self.types.len() {
            return Kinds::ALL;
        }
        match shape {
            Shape::Any | Shape::Foreign(_) => Kinds::ALL,
            Shape::Never => Kinds::NONE,
            Shape::Null => Kinds::NULL,
            Shape::Boolean => Kinds::BOOLEAN,
            Shape::Integer(_) => Kinds::INTEGER,
            Shape::Number => Kinds::NUMBER,
            Shape::String => Kinds::STRING,
            Shape::List(_) | Shape::Tuple(_) => Kinds::ARRAY,
            Shape::Map(_) => Kinds::OBJECT,
            Shape::Nullable(inner) => self.kinds_of_shape(inner, depth + 1).union(Kinds::NULL),
            Shape::Boxed(inner) => self.kinds_of_shape(inner, depth + 1),
            Shape::Limited(it) => self.kinds_of_shape(&it.shape, depth + 1),
            Shape::Named(id) => match &self.types[id.0].kind {
                TypeKind::Struct(_) => Kinds::OBJECT,
                TypeKind::Literals(all) => all
                    .iter()
                    .map(|it| Kinds::of(&it.value))
                    .fold(Kinds::NONE, Kinds::union),
                TypeKind::Constant(value) => Kinds::of(value),
                TypeKind::Union(it) => self.kinds_of_union(it, depth),
                TypeKind::Constrained(it) => self.kinds_of_shape(&it.shape, depth + 1),
                TypeKind::Alias(inner) | TypeKind::Newtype(inner) => {
                    self.kinds_of_shape(inner, depth + 1)
                }
            },
        }
    }

    fn kinds_of_union(&self, union: &Union, depth: usize) -> Kinds {
        let variants = union.variants.iter();
        let all = variants
            .map(|it| self.kinds_of_shape(&it.shape, depth + 1))
            .fold(Kinds::NONE, Kinds::union);
        match (self.direction, &union.select) {
            (Direction::Input, Select::Kind(kinds)) => {
                let claimed = kinds
                    .iter()
                    .map(|it| union::of(it))
                    .fold(Kinds::NONE, Kinds::union);
                all.and(claimed)
            }
            _ => all,
        }
    }
}

fn kind_text(kind: JsonKind) -> String {
    match kind {
        JsonKind::Null => "`null`".to_owned(),
        JsonKind::Number => "numbers with a fraction".to_owned(),
        _ => format!("values of type {}", kind_keyword(kind)),
    }
}
