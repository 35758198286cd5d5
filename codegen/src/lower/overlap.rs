//! Untagged unions: the order of choice, and what each variant must keep for the others' sake.
//!
//! The first variant whose schema accepts an instance gets it. Under `anyOf` a later one may
//! accept it too and declare properties that the first does not know; these must not be lost.

use super::{
    Lowering,
    keywords::{equal, is_never, object},
    kinds::Kinds,
    names::Site,
    object::{closed_parts, declared},
    select::Member,
    union::{Alternative, Choice, Content},
    view::View,
};
use serde_json::Value;

/// Fields that a variant has only for the sake of others, before it gets a map instead.
const MAX_FOREIGN: usize = 8;

impl<'d> Lowering<'_, 'd> {
    /// Orders alternatives, most specific first, and lets each keep what later ones declare.
    pub(super) fn separate(&mut self, alternatives: &mut Vec<Alternative<'d>>, site: &Site<'d>) {
        let mut ranked = Vec::new();
        for alternative in alternatives.drain(..) {
            ranked.push((self.rank(&alternative), alternative));
        }
        ranked.sort_by_key(|(rank, _)| *rank);
        alternatives.extend(ranked.into_iter().map(|(_, it)| it));
        self.join_arrays(alternatives, site);
        for first in 0..alternatives.len() {
            for later in first + 1..alternatives.len() {
                let later = alternatives[later].clone();
                self.keep_for(&mut alternatives[first], &later);
            }
        }
    }

    /// Sort key: objects with many required and declared properties come first, then arrays that
    /// lose nothing, then the rest.
    fn rank(&mut self, alternative: &Alternative<'d>) -> (u8, std::cmp::Reverse<(usize, usize)>) {
        match &alternative.content {
            Content::View(view) if alternative.kinds == Kinds::OBJECT => {
                let members = self.members(view);
                let required = members.values().filter(|it| it.required).count();
                (0, std::cmp::Reverse((required, members.len())))
            }
            Content::View(view) => {
                let view = (**view).clone();
                (
                    if self.keeps_all(&view, 0) { 1 } else { 2 },
                    std::cmp::Reverse((0, 0)),
                )
            }
            Content::Literals(_) => (3, std::cmp::Reverse((0, 0))),
            Content::Plain(_) => (4, std::cmp::Reverse((0, 0))),
        }
    }

    /// Arrays that overlap, and could lose what another declares about the elements, become one.
    fn join_arrays(&mut self, alternatives: &mut Vec<Alternative<'d>>, site: &Site<'d>) {
        let mut lossy = false;
        for first in 0..alternatives.len() {
            for later in first + 1..alternatives.len() {
                let (first, later) = (&alternatives[first], &alternatives[later]);
                let both = first.kinds == Kinds::ARRAY && later.kinds == Kinds::ARRAY;
                if let (true, Content::View(view)) =
                    (both && !excludes(first, later), &first.content)
                {
                    let view = (**view).clone();
                    lossy |= !self.keeps_all(&view, 0);
                }
            }
        }
        if !lossy {
            return;
        }
        let why = "the arrays of this union overlap, any elements are accepted";
        let shape = self.any_list(&site.node, why, None);
        let at = alternatives
            .iter()
            .position(|it| it.kinds == Kinds::ARRAY)
            .unwrap_or(0);
        let choices = alternatives[at].choices.clone();
        alternatives.retain(|it| it.kinds != Kinds::ARRAY);
        let content = Content::Plain(shape);
        let joined = Alternative {
            choices,
            split: true,
            ..Alternative::new(content, Kinds::ARRAY)
        };
        alternatives.insert(at.min(alternatives.len()), joined);
    }

    /// Lets `first` keep what `later` declares, where one instance can belong to both.
    fn keep_for(&mut self, first: &mut Alternative<'d>, later: &Alternative<'d>) {
        if excludes(first, later) || !first.kinds.meets(later.kinds) {
            return;
        }
        let (Content::View(view), Content::View(other)) = (&mut first.content, &later.content)
        else {
            // Closed sets and plain kinds hold whatever they take.
            return;
        };
        if first.kinds != Kinds::OBJECT || self.is_foreign(view) {
            return;
        }
        let known = self.members(view);
        let wanted = self.members(other);
        if self.contradict(view, &known, other, &wanted) {
            return;
        }
        let closed = !closed_parts(view).is_empty();
        for (key, member) in &wanted {
            match known.get(key) {
                None if closed => {}
                None => {
                    view.soft.insert(key.clone());
                    view.of_others.insert(key.clone());
                }
                Some(own) => {
                    let same = self.identity(&own.view) == self.identity(&member.view);
                    let loses =
                        member.view.kinds.meets(Kinds::STRUCTURED) && !self.keeps_all(&own.view, 0);
                    if !same && loses {
                        view.opaque.insert(key.clone());
                    }
                }
            }
        }
        let keeps_undeclared = other.schemas().any(|it| {
            let open = |key: &str| it.get(key).is_some_and(|it| !is_never(it));
            open("additionalProperties")
                || open("patternProperties")
                || open("unevaluatedProperties")
        });
        view.keep |= !closed && (keeps_undeclared || other.keep);
        if view.soft.len() > MAX_FOREIGN {
            // A map reads better than a long list of fields that belong to other variants.
            view.soft.clear();
            view.keep = true;
        }
    }

    /// Whether no object can belong to both: one requires what the other refuses, or a property
    /// that both require has different values.
    fn contradict(
        &mut self,
        left: &View<'d>,
        left_members: &std::collections::BTreeMap<String, Member<'d>>,
        right: &View<'d>,
        right_members: &std::collections::BTreeMap<String, Member<'d>>,
    ) -> bool {
        let refuses = |view: &View<'d>, key: &str| {
            closed_parts(view).iter().any(|part| {
                object(part)
                    .and_then(|it| it.get("properties")?.get(key))
                    .is_none()
            })
        };
        let requires = |members: &std::collections::BTreeMap<String, Member<'d>>,
                        other: &View<'d>| {
            members
                .iter()
                .any(|(key, it)| it.required && refuses(other, key))
        };
        if requires(left_members, right) || requires(right_members, left) {
            return true;
        }
        left_members.iter().any(|(key, own)| {
            let Some(other) = right_members.get(key) else {
                return false;
            };
            if !(own.required || other.required) {
                return false;
            }
            if !own.view.kinds.meets(other.view.kinds) {
                return own.required || other.required;
            }
            match (self.literals(&own.view), self.literals(&other.view)) {
                (Some(own), Some(other)) => !own
                    .iter()
                    .any(|(it, _)| other.iter().any(|(other, _)| equal(it, other))),
                _ => false,
            }
        })
    }

    /// Whether the type of a view holds every part of whatever it takes.
    fn keeps_all(&mut self, view: &View<'d>, depth: usize) -> bool {
        if depth > 4 || !view.groups.is_empty() {
            return false;
        }
        if !view.kinds.meets(Kinds::STRUCTURED) || self.literals(view).is_some() {
            return true;
        }
        let arrays = !view.kinds.meets(Kinds::ARRAY) || {
            let mut elements = Vec::new();
            for part in &view.parts {
                elements.extend(part.child(&["items"]).filter(|it| !it.value().is_array()));
                elements.extend(part.children("prefixItems").into_iter().map(|(_, it)| it));
                elements.extend(part.child(&["additionalItems"]));
                if object(part).is_some_and(|it| it.get("items").is_some_and(Value::is_array)) {
                    elements.extend(part.children("items").into_iter().map(|(_, it)| it));
                }
            }
            elements.iter().all(|it| {
                let view = self.view(it);
                let view = self.normal((*view).clone());
                self.keeps_all(&view, depth + 1)
            })
        };
        let objects = !view.kinds.meets(Kinds::OBJECT) || {
            let open = declared(view).is_empty() || !closed_parts(view).is_empty() || view.keep;
            let mut inside: Vec<View<'d>> =
                self.members(view).into_values().map(|it| it.view).collect();
            for part in &view.parts {
                let patterns = part
                    .children("patternProperties")
                    .into_iter()
                    .map(|(_, it)| it);
                for schema in patterns.chain(part.child(&["additionalProperties"])) {
                    let schema = self.view(&schema);
                    inside.push(self.normal((*schema).clone()));
                }
            }
            open && inside.iter().all(|it| self.keeps_all(it, depth + 1))
        };
        arrays && objects
    }
}

/// Whether `oneOf` puts two alternatives apart: different branches of the same one.
fn excludes(left: &Alternative<'_>, right: &Alternative<'_>) -> bool {
    let apart = |left: &[Choice<'_>], right: &[Choice<'_>]| {
        left.iter().any(|it| {
            let same_group =
                |other: &Choice<'_>| it.group == other.group && it.index != other.index;
            it.group.1 && right.iter().any(same_group)
        })
    };
    left.ways()
        .all(|left| right.ways().all(|right| apart(left, right)))
}
