//! Sorting what a union allows: one alternative per structured type, per scalar kind, and for all
//! literal values together.

use std::collections::{BTreeMap, btree_map::Entry};

use serde_json::Value;

use super::{
    constraint::rules,
    keywords::equal,
    kinds::Kinds,
    number,
    union::{Alternative, Choice, Content, Flat},
    view::{Key, View},
};
use crate::graph::{Docs, Int, JsonKind, Shape};

/// What the flat views allow, sorted.
#[derive(Default)]
pub(super) struct Found<'d> {
    /// With the position of each, so that variants keep the author's order.
    views: Vec<(usize, Alternative<'d>)>,
    /// Which of them has which identity.
    known: BTreeMap<Key, usize>,
    scalars: Option<(usize, Scalars<'d>)>,
    literals: Option<(usize, Literals<'d>)>,
    /// Kinds of arrays and objects that no schema says anything about.
    pub(super) free: Kinds,
    position: usize,
}

/// All literal values, with the branch that brought them if it was only one.
struct Literals<'d> {
    values: Vec<(Value, Docs)>,
    choices: Vec<Choice<'d>>,
}

/// The scalar kinds that are allowed whole.
struct Scalars<'d> {
    kinds: Kinds,
    /// Each kind with the branch that brought it, and where that stood.
    origins: Vec<(Kinds, usize, Vec<Choice<'d>>)>,
    integers: Vec<Int>,
    /// Those of them that are limited.
    limited: Vec<(Kinds, View<'d>)>,
}

impl<'d> Found<'d> {
    pub(super) fn add_literals(&mut self, values: Vec<(Value, Docs)>, choices: Vec<Choice<'d>>) {
        self.position += 1;
        match &mut self.literals {
            None => self.literals = Some((self.position, Literals { values, choices })),
            Some((_, known)) => {
                known.choices.clear();
                for (value, docs) in values {
                    if !known.values.iter().any(|(it, _)| equal(it, &value)) {
                        known.values.push((value, docs));
                    }
                }
            }
        }
    }

    pub(super) fn add_scalars(&mut self, kinds: Kinds, flat: &Flat<'d>) {
        self.position += 1;
        if kinds.is_empty() {
            return;
        }
        let position = self.position;
        let (_, scalars) = self.scalars.get_or_insert_with(|| {
            (
                position,
                Scalars {
                    kinds: Kinds::NONE,
                    origins: Vec::new(),
                    integers: Vec::new(),
                    limited: Vec::new(),
                },
            )
        });
        if kinds.and(Kinds::NUMBER) == Kinds::INTEGER {
            scalars.integers.push(number::integer(&flat.view));
        }
        scalars
            .origins
            .push((kinds.without(scalars.kinds), position, flat.choices.clone()));
        scalars.kinds = scalars.kinds.union(kinds);
        if !flat.view.limits.is_empty() {
            scalars.limited.push((kinds, flat.view.clone()));
        }
    }

    pub(super) fn add_view(
        &mut self,
        view: View<'d>,
        kinds: Kinds,
        choices: Vec<Choice<'d>>,
        split: bool,
    ) {
        self.position += 1;
        match self.known.entry(view.key()) {
            Entry::Occupied(known) => {
                self.views[*known.get()].1.others.push(choices);
                return;
            }
            Entry::Vacant(new) => new.insert(self.views.len()),
        };
        let content = Content::View(Box::new(view));
        let alternative = Alternative {
            choices,
            split,
            ..Alternative::new(content, kinds)
        };
        self.views.push((self.position, alternative));
    }

    /// `untyped`: kinds that no schema says anything about are one variant that holds anything.
    pub(super) fn finish(self, untyped: bool) -> Vec<Alternative<'d>> {
        let mut all = self.views;
        let mut plain = self.free;
        if let Some((_, scalars)) = self.scalars {
            plain = plain.union(scalars.kinds);
            if !untyped {
                all.extend(scalars.alternatives());
            }
        }
        if untyped && !plain.is_empty() {
            let content = Content::Plain(Shape::Any);
            let other = Alternative {
                split: true,
                ..Alternative::new(content, plain)
            };
            all.push((usize::MAX, other));
        }
        if let Some((
            position,
            Literals {
                mut values,
                choices,
            },
        )) = self.literals
        {
            // `anyOf: [string, "a"]` is a string.
            values.retain(|(it, _)| !Kinds::of(it).within(plain));
            let kinds = values
                .iter()
                .map(|(it, _)| Kinds::of(it))
                .fold(Kinds::NONE, Kinds::union);
            if !values.is_empty() {
                let content = Content::Literals(values);
                all.push((
                    position,
                    Alternative {
                        choices,
                        ..Alternative::new(content, kinds)
                    },
                ));
            }
        }
        all.sort_by_key(|(position, _)| *position);
        all.into_iter().map(|(_, it)| it).collect()
    }
}

impl<'d> Scalars<'d> {
    fn alternatives(self) -> Vec<(usize, Alternative<'d>)> {
        let one = |(kinds, kind): (Kinds, JsonKind)| {
            let shape = match kind {
                JsonKind::Null => Shape::Null,
                JsonKind::Boolean => Shape::Boolean,
                JsonKind::Integer => Shape::Integer(common(&self.integers)),
                JsonKind::Number => Shape::Number,
                JsonKind::String => Shape::String,
                JsonKind::Array | JsonKind::Object => Shape::Any,
            };
            let limited = self.limited.iter().find(|(it, _)| it.meets(kinds));
            let rules = limited.map(|(_, view)| rules(view, &shape));
            let shape = Shape::limited(shape, rules.unwrap_or_default());
            let origin = self.origins.iter().find(|(it, ..)| it.meets(kinds));
            let (position, choices) = origin.map_or((0, Vec::new()), |it| (it.1, it.2.clone()));
            let split = origin.is_some_and(|it| it.0 != kinds);
            let content = Content::Plain(shape);
            (
                position,
                Alternative {
                    choices,
                    split,
                    ..Alternative::new(content, kinds)
                },
            )
        };
        self.kinds.each().map(one).collect()
    }
}

/// A type for all integers of several types.
fn common(integers: &[Int]) -> Int {
    match integers {
        [first, rest @ ..] if rest.iter().all(|it| it == first) => *first,
        _ => Int::I64,
    }
}
