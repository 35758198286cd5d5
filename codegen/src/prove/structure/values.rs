//! What schemas say about single values: which of them they list, which they accept.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::conjunction::{All, Group, MAX_DEPTH};
use crate::{
    lower::{
        keywords::{canonical_text, equal, object},
        kinds::Kinds,
        literal::constant,
    },
    prove::keywords::refuses,
    resolve::Node,
};

/// Schemas that apply to one value, made ready for many values: sets of values and unions may have
/// thousands of members.
pub(super) struct Judge {
    never: bool,
    /// Some schema cannot be told, or is too deep.
    opaque: bool,
    kinds: Kinds,
    listed: Option<BTreeSet<String>>,
    /// The kinds of value that other keywords may refuse.
    refused: Kinds,
    unions: Vec<Alternatives>,
}

struct Alternatives {
    exclusive: bool,
    branches: Vec<Judge>,
    /// The branches that list a value; they accept no other one.
    by_value: BTreeMap<String, Vec<usize>>,
    /// The branches that list none.
    others: Vec<usize>,
}

impl Judge {
    pub(super) fn new(all: &All<'_>) -> Self {
        Self::at(all, 0)
    }

    fn at(all: &All<'_>, depth: usize) -> Self {
        let opaque = all.opaque || depth > MAX_DEPTH;
        let mut judge = Self {
            never: all.never,
            opaque,
            kinds: Kinds::ALL,
            listed: None,
            refused: Kinds::NONE,
            unions: Vec::new(),
        };
        if all.never || opaque {
            return judge;
        }
        for part in &all.parts {
            judge.add(part);
        }
        let groups = all.groups.iter();
        judge.unions = groups.map(|it| Alternatives::of(it, depth + 1)).collect();
        judge
    }

    fn add(&mut self, part: &Node<'_>) {
        let Some(schema) = object(part) else { return };
        self.kinds = self.kinds.and(own_kinds(part));
        let list = schema.get("enum").and_then(Value::as_array);
        let list = list.map(|it| it.iter().map(canonical_text).collect());
        let only = constant(part, schema).map(|it| BTreeSet::from([canonical_text(it)]));
        for mut values in [list, only].into_iter().flatten() {
            if let Some(listed) = self.listed.take() {
                values.retain(|it| listed.contains(it));
            }
            self.listed = Some(values);
        }
        let refused = schema.iter().map(|(key, it)| refuses(part, key, it));
        self.refused = refused.fold(self.refused, Kinds::union);
    }

    /// Whether a value satisfies the schemas, where only their simplest keywords decide that.
    pub(super) fn accepts(&self, value: &Value) -> Option<bool> {
        self.verdict(Kinds::of(value), &canonical_text(value))
    }

    fn verdict(&self, kind: Kinds, text: &str) -> Option<bool> {
        if self.never {
            return Some(false);
        }
        if self.opaque {
            return None;
        }
        let listed = self.listed.as_ref().is_none_or(|it| it.contains(text));
        if !kind.within(self.kinds) || !listed {
            return Some(false);
        }
        let mut decided = !self.refused.meets(kind);
        for union in &self.unions {
            let verdicts: Vec<_> = union
                .concerned(text)
                .map(|it| it.verdict(kind, text))
                .collect();
            let yes = verdicts.iter().filter(|it| **it == Some(true)).count();
            let open = verdicts.iter().any(Option::is_none);
            match (yes, open, union.exclusive) {
                (0, false, _) | (2.., _, true) => return Some(false),
                (1.., _, false) | (1, false, true) => {}
                (0, true, _) | (1, true, true) => decided = false,
            }
        }
        decided.then_some(true)
    }
}

impl Alternatives {
    fn of(group: &Group<'_>, depth: usize) -> Self {
        let mut union = Self {
            exclusive: group.exclusive,
            branches: Vec::new(),
            by_value: BTreeMap::new(),
            others: Vec::new(),
        };
        for (at, branch) in group.branches.iter().enumerate() {
            let judge = Judge::at(&All::of(&[*branch]), depth);
            match &judge.listed {
                Some(listed) => {
                    for text in listed {
                        union.by_value.entry(text.clone()).or_default().push(at);
                    }
                }
                None => union.others.push(at),
            }
            union.branches.push(judge);
        }
        union
    }

    /// The branches that may accept a value.
    fn concerned(&self, text: &str) -> impl Iterator<Item = &Judge> {
        let listing = self.by_value.get(text).into_iter().flatten();
        listing.chain(&self.others).map(|at| &self.branches[*at])
    }
}

/// All values that can satisfy these schemas, where they list them.
pub(super) fn finite(all: &All<'_>, depth: usize) -> Option<Vec<Value>> {
    if all.never {
        return Some(Vec::new());
    }
    if depth > MAX_DEPTH {
        return None;
    }
    let own = all.parts.iter().find_map(|part| {
        let schema = object(part)?;
        let only = constant(part, schema).map(|it| vec![it.clone()]);
        only.or_else(|| schema.get("enum")?.as_array().cloned())
    });
    let listed = own.or_else(|| {
        all.groups.iter().find_map(|group| {
            let mut values = Vec::new();
            for branch in &group.branches {
                values.extend(finite(&All::of(&[*branch]), depth + 1)?);
            }
            Some(values)
        })
    });
    let mut values = listed?;
    let judge = Judge::at(all, depth);
    values.retain(|it| judge.accepts(it) != Some(false));
    Some(values)
}

/// The kinds that a schema's own `type`, `enum` and `const` allow.
pub(super) fn own_kinds(part: &Node<'_>) -> Kinds {
    let Some(schema) = object(part) else {
        return Kinds::ALL;
    };
    let mut kinds = Kinds::declared(schema);
    if let Some(Value::Array(values)) = schema.get("enum") {
        kinds = kinds.and(values.iter().map(Kinds::of).fold(Kinds::NONE, Kinds::union));
    }
    if let Some(value) = constant(part, schema) {
        kinds = kinds.and(Kinds::of(value));
    }
    kinds
}

/// Whether `enum` and `const` of a schema, if it has them, list the value.
pub(super) fn lists(part: &Node<'_>, value: &Value) -> bool {
    let Some(schema) = object(part) else {
        return true;
    };
    let listed = schema.get("enum").and_then(Value::as_array);
    listed.is_none_or(|it| it.iter().any(|it| equal(it, value)))
        && constant(part, schema).is_none_or(|it| equal(it, value))
}
