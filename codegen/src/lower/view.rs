//! Views: the schemas that all apply to one instance, flattened.
//!
//! References, `allOf` and single-branch unions dissolve here, so that everything behind this
//! module sees a flat list of schema objects (the parts) and the unions that still have to be
//! chosen from (the groups). Two views with the same [`Key`] have the same type.

use std::{collections::BTreeSet, rc::Rc};

use serde_json::Value;

use super::{
    Lowering,
    keywords::{Topics, is_never, object, strings},
    kinds::Kinds,
};
use crate::resolve::{Node, NodeId, Reference};

/// More schemas than this on one instance are not merged: the type widens.
const MAX_PARTS: usize = 512;
/// Nesting of references and `allOf` that is followed.
const MAX_DEPTH: usize = 128;

/// A union keyword: `anyOf`, or `oneOf` when exclusive.
#[derive(Clone, Debug)]
pub(super) struct Group<'d> {
    pub(super) owner: Node<'d>,
    pub(super) exclusive: bool,
    pub(super) branches: Vec<Node<'d>>,
}

/// The identity of a group: where it stands, and whether it is the `oneOf` there.
pub(super) type GroupId = (NodeId, bool);

impl Group<'_> {
    pub(super) fn id(&self) -> GroupId {
        (self.owner.id(), self.exclusive)
    }
}

/// Schemas that all apply to one instance.
#[derive(Clone, Debug)]
pub(super) struct View<'d> {
    /// Schema objects whose own keywords apply; their references and unions are dissolved.
    pub(super) parts: Vec<Node<'d>>,
    pub(super) groups: Vec<Group<'d>>,
    pub(super) kinds: Kinds,
    /// A part says which kinds it allows, be it all of them.
    pub(super) typed: bool,
    /// Properties that a condition mentions: kept as fields that hold anything.
    pub(super) soft: BTreeSet<String>,
    /// Those of them that only other alternatives of a union declare: no identity, but prose.
    pub(super) of_others: BTreeSet<String>,
    /// Declared properties whose types could lose what another schema declares: hold anything.
    pub(super) opaque: BTreeSet<String>,
    /// Undeclared properties are kept although no schema here says so.
    pub(super) keep: bool,
    /// Schemas that may have a Rust type of their own: see `extension`.
    pub(super) foreign: Vec<Node<'d>>,
    /// Schemas that limit texts, numbers or lists: see `constraint`.
    pub(super) limits: Vec<Node<'d>>,
    /// Why no type can be given: a keyword.
    pub(super) unknowable: Option<&'static str>,
}

/// The identity of a [`View`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    parts: BTreeSet<NodeId>,
    groups: BTreeSet<GroupId>,
    kinds: Kinds,
    typed: bool,
    soft: BTreeSet<String>,
    opaque: BTreeSet<String>,
    keep: bool,
    foreign: BTreeSet<NodeId>,
    limits: BTreeSet<NodeId>,
}

impl<'d> View<'d> {
    /// The view that allows everything.
    pub(super) fn any() -> Self {
        Self {
            parts: Vec::new(),
            groups: Vec::new(),
            kinds: Kinds::ALL,
            typed: false,
            soft: BTreeSet::new(),
            of_others: BTreeSet::new(),
            opaque: BTreeSet::new(),
            keep: false,
            foreign: Vec::new(),
            limits: Vec::new(),
            unknowable: None,
        }
    }

    /// Identity, of a normal view. Whether `null` is allowed is no part of it: `Option` says so.
    pub(super) fn key(&self) -> Key {
        Key {
            parts: self.parts.iter().map(Node::id).collect(),
            groups: self.groups.iter().map(Group::id).collect(),
            kinds: self.kinds.without(Kinds::NULL),
            // Only where all kinds are allowed does it matter who says so.
            typed: self.typed || self.kinds.union(Kinds::NULL) != Kinds::ALL,
            soft: self.soft.clone(),
            opaque: self.opaque.clone(),
            keep: self.keep,
            foreign: self.foreign.iter().map(Node::id).collect(),
            limits: self.limits.iter().map(Node::id).collect(),
        }
    }

    /// This view and another one on the same instance.
    pub(super) fn and(mut self, other: &Self) -> Self {
        for part in &other.parts {
            self.add_part(part);
        }
        for group in &other.groups {
            if !self.groups.iter().any(|it| it.id() == group.id()) {
                self.groups.push(group.clone());
            }
        }
        self.kinds = self.kinds.and(other.kinds);
        self.typed |= other.typed;
        self.soft.extend(other.soft.iter().cloned());
        self.of_others.extend(other.of_others.iter().cloned());
        self.opaque.extend(other.opaque.iter().cloned());
        self.keep |= other.keep;
        other.foreign.iter().for_each(|it| self.add_foreign(it));
        other.limits.iter().for_each(|it| self.add_limit(it));
        self.unknowable = self.unknowable.or(other.unknowable);
        self
    }

    /// This view, for instances of some kinds only.
    pub(super) fn only(mut self, kinds: Kinds) -> Self {
        self.kinds = self.kinds.and(kinds);
        self
    }

    /// The schema objects of the parts.
    pub(super) fn schemas(&self) -> impl Iterator<Item = &'d serde_json::Map<String, Value>> + '_ {
        self.parts.iter().filter_map(object)
    }

    /// Whether a part says anything about the inside of arrays or objects.
    pub(super) fn is_structured(&self) -> bool {
        self.schemas()
            .map(Topics::of)
            .any(|it| it.items || it.members)
    }

    pub(super) fn add_foreign(&mut self, node: &Node<'d>) {
        add(&mut self.foreign, node);
    }

    pub(super) fn add_limit(&mut self, node: &Node<'d>) {
        add(&mut self.limits, node);
    }

    fn add_part(&mut self, part: &Node<'d>) {
        if self.parts.len() >= MAX_PARTS {
            self.unknowable = Some("allOf");
        } else if !self.parts.iter().any(|it| it.id() == part.id()) {
            self.parts.push(*part);
        }
    }
}

impl<'d> Lowering<'_, 'd> {
    /// The view of one schema, not yet normal.
    pub(super) fn view(&mut self, node: &Node<'d>) -> Rc<View<'d>> {
        if let Some(view) = self.views.get(&node.id()) {
            return Rc::clone(view);
        }
        let mut view = View::any();
        self.collect(node, &mut view, &mut BTreeSet::new(), 0);
        let view = Rc::new(view);
        self.views.insert(node.id(), Rc::clone(&view));
        view
    }

    /// The view of several schemas on one instance, not yet normal.
    pub(super) fn view_of_all(&mut self, nodes: &[Node<'d>]) -> View<'d> {
        nodes
            .iter()
            .fold(View::any(), |all, node| all.and(&self.view(node)))
    }

    fn collect(
        &mut self,
        node: &Node<'d>,
        view: &mut View<'d>,
        seen: &mut BTreeSet<NodeId>,
        depth: usize,
    ) {
        let Some(schema) = object(node) else {
            if is_never(node.value()) {
                view.kinds = Kinds::NONE;
            }
            return;
        };
        if depth > MAX_DEPTH {
            view.unknowable = Some("allOf");
            return;
        }
        if !seen.insert(node.id()) {
            return;
        }
        // Fields keep the order in which the author mentions where they come from.
        let own_first = schema
            .keys()
            .find(|it| matches!(it.as_str(), "properties" | "allOf" | "$ref"))
            .is_none_or(|it| it == "properties");
        let hides = node.ref_hides_siblings();
        if !hides {
            self.collect_extensions(node, view);
        }
        if own_first && !hides {
            collect_own(node, view);
        }
        match node.reference() {
            Some(Reference::To(target)) => {
                let target = self.shared_definition(&target);
                self.collect(&target, view, seen, depth + 1);
            }
            Some(Reference::Dynamic) => view.unknowable = Some("$dynamicRef"),
            None => {}
        }
        // Beside `$ref`, which is the one that `reference` gives.
        let dynamic = ["$dynamicRef", "$recursiveRef"]
            .iter()
            .any(|it| schema.contains_key(*it));
        if dynamic && schema.contains_key("$ref") && !hides {
            view.unknowable = Some("$dynamicRef");
        }
        if hides {
            return;
        }
        for (_, branch) in node.children("allOf") {
            self.collect(&branch, view, seen, depth + 1);
        }
        if !own_first {
            collect_own(node, view);
        }
        for (keyword, exclusive) in [("anyOf", false), ("oneOf", true)] {
            let branches: Vec<_> = node
                .children(keyword)
                .into_iter()
                .map(|(_, it)| it)
                .collect();
            match branches.as_slice() {
                [] => {}
                [only] => self.collect(only, view, seen, depth + 1),
                _ => view.groups.push(Group {
                    owner: *node,
                    exclusive,
                    branches,
                }),
            }
        }
    }

    /// The kinds that a view allows, its unions included.
    pub(super) fn kinds(&mut self, view: &View<'d>) -> Kinds {
        self.kinds_within(view, 0)
    }

    fn kinds_within(&mut self, view: &View<'d>, depth: usize) -> Kinds {
        let mut kinds = view.kinds;
        if depth > MAX_DEPTH {
            return kinds;
        }
        for group in &view.groups {
            let id = group.id();
            let branches = if let Some(known) = self.group_kinds.get(&id) {
                *known
            } else {
                let mut all = Kinds::NONE;
                for branch in &group.branches {
                    let branch = self.view(branch);
                    all = all.union(self.kinds_within(&branch, depth + 1));
                }
                self.group_kinds.insert(id, all);
                all
            };
            kinds = kinds.and(branches);
        }
        kinds
    }

    /// Whether a view allows every kind of value because nothing in it says which ones.
    pub(super) fn is_untyped(&mut self, view: &View<'d>) -> bool {
        view.kinds == Kinds::ALL && !self.names_kinds(view, 0)
    }

    fn names_kinds(&mut self, view: &View<'d>, depth: usize) -> bool {
        if view.typed {
            return true;
        }
        if depth > MAX_DEPTH {
            return false;
        }
        view.groups.iter().any(|group| {
            if let Some(known) = self.typed_groups.get(&group.id()) {
                return *known;
            }
            let typed = group.branches.iter().all(|branch| {
                let branch = self.view(branch);
                self.names_kinds(&branch, depth + 1)
            });
            self.typed_groups.insert(group.id(), typed);
            typed
        })
    }

    /// A view without what makes no difference to its type, so that equal types have equal keys.
    pub(super) fn normal(&mut self, mut view: View<'d>) -> View<'d> {
        view.kinds = self.kinds(&view);
        if view.kinds.meets(Kinds::OBJECT) {
            self.soften(&mut view);
        } else {
            view.soft.clear();
            view.opaque.clear();
            view.keep = false;
        }
        super::extension::retain_foreign(&mut view);
        super::constraint::retain_limits(&mut view);
        let kinds = view.kinds;
        let positional = view.schemas().any(is_positional);
        let first = view.parts.first().copied();
        view.parts.retain(|part| {
            object(part).map(Topics::of).is_some_and(|it| {
                it.literals
                    || (it.numbers && kinds.meets(Kinds::INTEGER))
                    || (it.items && kinds.meets(Kinds::ARRAY))
                    || (it.lengths && positional && kinds.meets(Kinds::ARRAY))
                    || (it.members && kinds.meets(Kinds::OBJECT))
            })
        });
        // `type: [string, number]` says nothing but becomes a named type, which must not be
        // shared with every other place that says the same.
        let several = !self.is_untyped(&view) && kinds.without(Kinds::NULL).each().count() > 1;
        let named = several || !view.soft.is_empty() || view.keep;
        if named && view.parts.is_empty() && view.groups.is_empty() {
            view.parts.extend(first);
        }
        view
    }

    /// Replaces unions that only say which properties must be there, and conditions, by the
    /// properties that they mention.
    fn soften(&mut self, view: &mut View<'d>) {
        let groups = std::mem::take(&mut view.groups);
        let mut mentioned: Vec<(String, bool)> = Vec::new();
        for group in groups {
            match presence_only(&group) {
                Some(names) => mentioned.extend(names.into_iter().map(|it| (it, false))),
                None => view.groups.push(group),
            }
        }
        for part in view.parts.clone() {
            mentioned.extend(self.conditional(&part).iter().cloned());
        }
        let declared: BTreeSet<String> = view
            .schemas()
            .flat_map(|it| {
                let names = it.get("properties").and_then(Value::as_object);
                let names = names
                    .into_iter()
                    .flat_map(serde_json::Map::keys)
                    .map(String::as_str);
                names
                    .chain(strings(it, "required"))
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            })
            .collect();
        for (name, structured) in mentioned {
            if !declared.contains(&name) {
                view.soft.insert(name);
            } else if structured {
                view.opaque.insert(name);
            }
        }
        view.soft.retain(|it| !declared.contains(it));
    }

    /// The properties that the conditions of a part mention, each with whether its schema there
    /// says anything about the inside of its value.
    fn conditional(&mut self, part: &Node<'d>) -> Rc<Vec<(String, bool)>> {
        if let Some(known) = self.conditions.get(&part.id()) {
            return Rc::clone(known);
        }
        let mut mentioned = Vec::new();
        let branches = ["if", "then", "else"]
            .into_iter()
            .filter_map(|it| part.child(&[it]));
        let dependent = ["dependentSchemas", "dependencies"]
            .into_iter()
            .flat_map(|it| part.children(it))
            .map(|(_, it)| it)
            .filter(|it| !it.value().is_array());
        for branch in branches.chain(dependent).collect::<Vec<_>>() {
            self.mention(&branch, &mut mentioned, 0);
        }
        let mentioned = Rc::new(mentioned);
        self.conditions.insert(part.id(), Rc::clone(&mentioned));
        mentioned
    }

    fn mention(&mut self, branch: &Node<'d>, mentioned: &mut Vec<(String, bool)>, depth: usize) {
        if depth > 8 {
            return;
        }
        let view = self.view(branch);
        for part in &view.parts {
            for (name, property) in part.children("properties") {
                let property = self.view(&property);
                let kinds = self.kinds(&property);
                let structured = kinds.meets(Kinds::STRUCTURED)
                    && (property.is_structured() || !property.groups.is_empty());
                mentioned.push((name, structured));
            }
            if let Some(schema) = object(part) {
                let required = strings(schema, "required");
                mentioned.extend(required.into_iter().map(|it| (it.to_owned(), false)));
            }
            for keyword in ["if", "then", "else"] {
                if let Some(nested) = part.child(&[keyword]) {
                    self.mention(&nested, mentioned, depth + 1);
                }
            }
        }
        for group in &view.groups {
            for branch in &group.branches {
                self.mention(branch, mentioned, depth + 1);
            }
        }
    }
}

fn add<'d>(nodes: &mut Vec<Node<'d>>, node: &Node<'d>) {
    if !nodes.iter().any(|it| it.id() == node.id()) {
        nodes.push(*node);
    }
}

/// Whether an array schema gives items by position.
pub(super) fn is_positional(schema: &serde_json::Map<String, Value>) -> bool {
    schema.contains_key("prefixItems") || schema.get("items").is_some_and(Value::is_array)
}

/// The kinds that a schema's own `type`, `enum` and `const` allow.
fn own_kinds(node: &Node<'_>, schema: &serde_json::Map<String, Value>) -> Kinds {
    let mut kinds = Kinds::declared(schema);
    if let Some(Value::Array(values)) = schema.get("enum") {
        kinds = kinds.and(values.iter().map(Kinds::of).fold(Kinds::NONE, Kinds::union));
    }
    if let Some(value) = super::literal::constant(node, schema) {
        kinds = kinds.and(Kinds::of(value));
    }
    kinds
}

/// Adds what a schema says with its own keywords.
fn collect_own<'d>(node: &Node<'d>, view: &mut View<'d>) {
    let Some(schema) = object(node) else { return };
    if is_never(node.value()) {
        view.kinds = Kinds::NONE;
    }
    if Topics::of(schema).any() {
        view.kinds = view.kinds.and(own_kinds(node, schema));
        view.typed |= ["type", "enum"].iter().any(|it| schema.contains_key(*it))
            || super::literal::constant(node, schema).is_some();
        view.add_part(node);
    }
}

/// The properties that a union requires in one branch or another, if it says nothing else.
fn presence_only(group: &Group<'_>) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for branch in &group.branches {
        let schema = object(branch)?;
        let only_presence = schema.keys().all(|it| {
            !matches!(
                it.as_str(),
                "$ref" | "$dynamicRef" | "$recursiveRef" | "allOf" | "anyOf" | "oneOf"
            )
        });
        let topics = Topics {
            kinds: false,
            members: false,
            ..Topics::of(schema)
        };
        let members_only_required = schema.keys().all(|it| {
            !matches!(
                it.as_str(),
                "properties"
                    | "additionalProperties"
                    | "patternProperties"
                    | "unevaluatedProperties"
                    | "if"
                    | "dependentSchemas"
                    | "dependencies"
            )
        });
        let kinds_are_no_choice = Kinds::declared(schema).meets(Kinds::OBJECT)
            && (!schema.contains_key("type") || schema["type"] == "object");
        if !only_presence || topics.any() || !members_only_required || !kinds_are_no_choice {
            return None;
        }
        names.extend(strings(schema, "required").into_iter().map(str::to_owned));
    }
    Some(names)
}
