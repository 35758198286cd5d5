//! Unions: which alternatives a view has, which of them are one, and what each is called.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    Job, Lowering,
    found::Found,
    keywords::docs,
    kinds::{Kinds, kind_label},
    literal::literal_text,
    names::{Site, Wish},
    object::declared,
    select::Selection,
    view::{GroupId, View},
};
use crate::{
    diagnostics::{Diagnostic, Id},
    graph::{Docs, JsonKind, Shape, TypeId, TypeKind, Union, Variant},
    naming::{Scope, VariantName, exact_variant_name},
    resolve::{Node, Reference},
};

/// More alternatives than this widen.
const MAX_ALTERNATIVES: usize = 1024;
/// More alternatives than this widen when they come from several unions that multiply.
const MAX_PRODUCT: usize = 64;

/// One way to satisfy all unions of a view.
#[derive(Clone, Debug)]
pub(super) struct Flat<'d> {
    /// Without unions.
    pub(super) view: View<'d>,
    /// The branches that were taken, outermost first.
    pub(super) choices: Vec<Choice<'d>>,
}

#[derive(Clone, Debug)]
pub(super) struct Choice<'d> {
    pub(super) group: GroupId,
    pub(super) index: usize,
    pub(super) branch: Node<'d>,
}

/// A variant in the making.
#[derive(Clone, Debug)]
pub(super) struct Alternative<'d> {
    pub(super) content: Content<'d>,
    pub(super) kinds: Kinds,
    /// The branches that lead to it.
    pub(super) choices: Vec<Choice<'d>>,
    /// Other branches that lead to the same type.
    pub(super) others: Vec<Vec<Choice<'d>>>,
    /// The branch allows other kinds too, which are other alternatives.
    pub(super) split: bool,
}

impl<'d> Alternative<'d> {
    /// One that no branch leads to alone.
    pub(super) fn new(content: Content<'d>, kinds: Kinds) -> Self {
        Self {
            content,
            kinds,
            choices: Vec::new(),
            others: Vec::new(),
            split: false,
        }
    }

    /// The branches that lead to it, in every way.
    pub(super) fn ways(&self) -> impl Iterator<Item = &[Choice<'d>]> {
        self.others.iter().chain([&self.choices]).map(Vec::as_slice)
    }
}

#[derive(Clone, Debug)]
pub(super) enum Content<'d> {
    /// Arrays or objects.
    View(Box<View<'d>>),
    Literals(Vec<(Value, Docs)>),
    Plain(Shape),
}

/// A union type that is promised.
#[derive(Debug)]
pub(super) struct Plan<'d> {
    pub(super) alternatives: Vec<Alternative<'d>>,
    pub(super) selection: Selection,
    pub(super) node: Node<'d>,
}

impl<'d> Lowering<'_, 'd> {
    /// The shape of a view that allows several things.
    pub(super) fn union(&mut self, view: &View<'d>, site: &Site<'d>) -> Shape {
        self.warn_duplicates(view);
        let mut flats = Vec::new();
        if !self.flatten(view.clone(), &mut Vec::new(), &mut flats) {
            let why = "the unions here combine to too many alternatives, any value is accepted";
            return self.any(&site.node, why, None);
        }
        if let [only] = flats.as_slice()
            && !(only.view.limits.is_empty() && only.view.foreign.is_empty())
        {
            let Flat { view, choices } = flats.swap_remove(0);
            let node = self.home(&view, &choices, site);
            return self.memoized(&view, &node, site.wish.clone());
        }
        let untyped = self.is_untyped(view);
        let Some(mut alternatives) = self.alternatives(flats, untyped, site) else {
            let why = "one branch of the union accepts any value";
            return self.any(&site.node, why, Some("give every branch a `type`"));
        };
        if alternatives.len() < 2 {
            return match alternatives.pop() {
                Some(only) => self.single(only, site),
                None => Shape::Never,
            };
        }
        let Some(selection) = self.selection(&mut alternatives, site) else {
            let why = "the branches of the union overlap so that no type keeps all they declare";
            return self.any(&site.node, why, None);
        };
        let plan = Plan {
            alternatives,
            selection,
            node: site.node,
        };
        Shape::Named(self.promise(site, |id| Job::Union(id, plan)))
    }

    /// What is left of a union that has only one alternative.
    fn single(&mut self, only: Alternative<'d>, site: &Site<'d>) -> Shape {
        match only.content {
            Content::Plain(shape) => shape,
            Content::Literals(values) => self
                .defined_literals(&values, &only.choices, &site.wish)
                .unwrap_or_else(|| self.literal_shape(values, site)),
            Content::View(view) => {
                let node = self.home(&view, &only.choices, site);
                self.memoized(&view, &node, site.wish.clone())
            }
        }
    }

    /// Where the type of a branch is at home: with the branch if a definition names it.
    fn home(&mut self, view: &View<'d>, choices: &[Choice<'d>], site: &Site<'d>) -> Node<'d> {
        let key = view.key();
        let branch = choices.last().map(|it| it.branch);
        let home = branch.filter(|it| self.site(it, &key, site.wish.clone()).definition);
        home.unwrap_or(site.node)
    }

    /// The type of the definition that lists exactly these values, if a branch is one:
    /// `anyOf: [{"$ref": "#/$defs/colour"}, {"type": "null"}]` is the definition's enum.
    fn defined_literals(
        &mut self,
        values: &[(Value, Docs)],
        choices: &[Choice<'d>],
        wish: &Wish,
    ) -> Option<Shape> {
        let texts =
            |values: &[(Value, Docs)]| values.iter().map(|(it, _)| it.clone()).collect::<Vec<_>>();
        for branch in choices.iter().rev().map(|it| it.branch) {
            let view = self.view(&branch);
            // A union has `null` among its own kinds.
            let view = self.normal((*view).clone().only(Kinds::ALL.without(Kinds::NULL)));
            let listed = self.literals(&view);
            let same = listed.is_some_and(|it| texts(&it) == texts(values));
            if same && self.site(&branch, &view.key(), wish.clone()).definition {
                return Some(self.memoized(&view, &branch, wish.clone()));
            }
        }
        None
    }

    /// All ways to satisfy the unions of a view; `false` when there are too many.
    fn flatten(
        &mut self,
        view: View<'d>,
        choices: &mut Vec<Choice<'d>>,
        flats: &mut Vec<Flat<'d>>,
    ) -> bool {
        let mut view = self.normal(view);
        if view.kinds.is_empty() || self.is_contradiction(&view) {
            return true;
        }
        if view.groups.is_empty() {
            flats.push(Flat {
                view,
                choices: choices.clone(),
            });
            let limit = if choices.len() > 1 {
                MAX_PRODUCT
            } else {
                MAX_ALTERNATIVES
            };
            return flats.len() <= limit;
        }
        if choices.len() > 16 {
            return false;
        }
        let group = view.groups.remove(0);
        for (index, branch) in group.branches.iter().enumerate() {
            let merged = view.clone().and(&self.view(branch));
            choices.push(Choice {
                group: group.id(),
                index,
                branch: *branch,
            });
            let fits = self.flatten(merged, choices, flats);
            choices.pop();
            if !fits {
                return false;
            }
        }
        true
    }

    /// Whether no instance can satisfy a view of objects: a required property has no value.
    fn is_contradiction(&mut self, view: &View<'d>) -> bool {
        if self.literals(view).is_some_and(|it| it.is_empty()) {
            return true;
        }
        if view.kinds != Kinds::OBJECT {
            return false;
        }
        self.members(view).values().any(|member| {
            let impossible = member.view.kinds.is_empty()
                || self.literals(&member.view).is_some_and(|it| it.is_empty());
            member.required && impossible
        })
    }

    /// Sorts what the flat views allow by kind; `None` when one of them allows anything.
    fn alternatives(
        &mut self,
        mut flats: Vec<Flat<'d>>,
        untyped: bool,
        site: &Site<'d>,
    ) -> Option<Vec<Alternative<'d>>> {
        let mut found = Found::default();
        let foreign = self.foreign_flats(&flats);
        self.retain_common_limits(&mut flats);
        for (flat, foreign) in flats.into_iter().zip(foreign) {
            if foreign {
                let kinds = flat.view.kinds;
                found.add_view(flat.view, kinds, flat.choices, false);
                continue;
            }
            if flat.view.unknowable.is_some() && flat.view.kinds.meets(Kinds::STRUCTURED) {
                return None;
            }
            if let Some(values) = self.literals(&flat.view) {
                found.add_literals(values, flat.choices);
                continue;
            }
            let scalars = flat.view.kinds.and(Kinds::SCALARS.union(Kinds::NULL));
            let structured = flat.view.kinds.and(Kinds::STRUCTURED);
            let free = untyped && self.is_untyped(&flat.view);
            if free && !flat.view.is_structured() {
                return None;
            }
            found.add_scalars(scalars, &flat);
            for (kinds, _) in structured.each() {
                let view = self.normal(flat.view.clone().only(kinds));
                if free && !view.is_structured() {
                    found.free = found.free.union(kinds);
                } else {
                    let split = kinds != flat.view.kinds;
                    found.add_view(view, kinds, flat.choices.clone(), split);
                }
            }
        }
        if untyped {
            self.note_untyped(site);
        }
        Some(found.finish(untyped))
    }

    /// Which of the flat views have Rust types of their own that can be variants. Not scalars beside
    /// others of their kind: a text that such a type refuses may be valid as the other one.
    fn foreign_flats(&mut self, flats: &[Flat<'d>]) -> Vec<bool> {
        let own = |(at, flat): (usize, &Flat<'d>)| {
            let kinds = flat.view.kinds;
            let overlaps =
                |(other, it): (usize, &Flat<'d>)| other != at && it.view.kinds.meets(kinds);
            let ambiguous = kinds.meets(Kinds::SCALARS) && flats.iter().enumerate().any(overlaps);
            let excluded = ambiguous || kinds.meets(Kinds::NULL) || flat.view.foreign.is_empty();
            !excluded && self.is_foreign(&flat.view)
        };
        flats.iter().enumerate().map(own).collect()
    }

    fn note_untyped(&mut self, site: &Site<'d>) {
        let why = "without `type`, values of every other kind are valid too";
        let note =
            Diagnostic::new(Id::Widened, why).help("add `type`, mostly `\"type\": \"object\"`");
        self.note_once(note, site.node.place(), "becomes a union with `Other`");
    }

    /// The variants of a promised union.
    pub(super) fn fill_union(&mut self, id: TypeId, plan: Plan<'d>) {
        let Plan {
            alternatives,
            selection,
            node,
        } = plan;
        let names = self.variant_names(&alternatives, &selection);
        let mut variants = Vec::new();
        for (name, alternative) in names.into_iter().zip(&alternatives) {
            let wish = Wish::inside(id).then(name.as_str());
            let branch = alternative.choices.last().map(|it| it.branch);
            let docs = match &alternative.content {
                // The prose of a branch that became several variants describes none of them.
                Content::View(_) | Content::Plain(_) if !alternative.split => {
                    branch.as_ref().map(docs).unwrap_or_default()
                }
                Content::View(_) | Content::Plain(_) | Content::Literals(_) => Docs::default(),
            };
            let node = branch.unwrap_or(node);
            let shape = match &alternative.content {
                Content::Plain(shape) => shape.clone(),
                Content::View(view) => self.memoized(view, &node, wish),
                Content::Literals(values) => {
                    let defined = self.defined_literals(values, &alternative.choices, &wish);
                    let site = Site {
                        wish,
                        node,
                        definition: false,
                    };
                    defined.unwrap_or_else(|| self.literal_shape(values.clone(), &site))
                }
            };
            if let Some(branch) = branch.filter(|_| !alternative.split)
                && self.chosen_type(&branch).is_some()
            {
                // By the variant, if not by its type.
                self.use_name(&branch);
            }
            variants.push(Variant { name, docs, shape });
        }
        let select = self.select(selection, &alternatives);
        self.types[id.0].kind = TypeKind::Union(Union { variants, select });
    }

    /// The names of variants: those that the author chose, and for the others what their branches suggest.
    fn variant_names(
        &mut self,
        alternatives: &[Alternative<'d>],
        selection: &Selection,
    ) -> Vec<VariantName> {
        let labels = self.labels(alternatives, selection);
        let mut scope = Scope::new();
        let mut chosen = Vec::new();
        for alternative in alternatives {
            let branch = alternative.choices.last().filter(|_| !alternative.split);
            let name = branch.and_then(|it| self.chosen_definition(&it.branch));
            let name = name.and_then(|it| exact_variant_name(&it).ok());
            chosen.push(name.filter(|it| scope.reserve(it)));
        }
        let others = labels.iter().zip(&chosen).filter(|(_, it)| it.is_none());
        let texts: Vec<&str> = others.map(|(label, _)| label.as_str()).collect();
        let mut claimed = scope.claim_all::<VariantName>(texts).into_iter();
        let next = |it: Option<VariantName>| it.or_else(|| claimed.next().map(|it| it.name));
        chosen.into_iter().filter_map(next).collect()
    }

    /// What the variants would like to be called.
    fn labels(&mut self, alternatives: &[Alternative<'d>], selection: &Selection) -> Vec<String> {
        let mut labels = Vec::new();
        for (index, alternative) in alternatives.iter().enumerate() {
            let branch = alternative.choices.last().map(|it| it.branch);
            let branch = branch.filter(|_| !alternative.split);
            let label = match &alternative.content {
                Content::Plain(Shape::Any) => "Other".to_owned(),
                Content::Plain(_) => kind_of(alternative.kinds)
                    .map_or("Other", kind_label)
                    .to_owned(),
                Content::Literals(values) => match values.as_slice() {
                    [(only, _)] => literal_text(only),
                    _ => branch
                        .and_then(|it| self.definition_name(&it))
                        .unwrap_or_else(|| "Literal".to_owned()),
                },
                Content::View(view) => {
                    let tag = selection.tag_of(index).map(literal_text);
                    self.view_label(view, alternative, alternatives, tag)
                }
            };
            labels.push(label);
        }
        labels
    }

    fn view_label(
        &mut self,
        view: &View<'d>,
        alternative: &Alternative<'d>,
        all: &[Alternative<'d>],
        tag: Option<String>,
    ) -> String {
        let kind = kind_of(alternative.kinds).map_or("Other", kind_label);
        let alone = all
            .iter()
            .filter(|it| it.kinds.meets(alternative.kinds))
            .count()
            == 1;
        let branch = alternative.choices.last().map(|it| it.branch);
        let defined = branch.as_ref().and_then(|it| self.definition_name(it));
        let titled = branch.and_then(|it| docs(&it).title);
        if alternative.split {
            return kind.to_owned();
        }
        if let Some(label) = defined.or(tag).or(titled) {
            return label;
        }
        if alone {
            return kind.to_owned();
        }
        // What only this one requires tells it apart best, then what only it declares.
        let mut own: Vec<(bool, String)> = Vec::new();
        let members = self.members(view);
        // What a variant keeps only for the sake of others is not its own.
        let own_keys = |view: &View<'d>| {
            let mut keys = declared(view);
            keys.retain(|it| !view.soft.contains(it));
            keys
        };
        for key in own_keys(view) {
            let elsewhere = all.iter().any(|other| match &other.content {
                Content::View(other) => other.key() != view.key() && own_keys(other).contains(&key),
                Content::Literals(_) | Content::Plain(_) => false,
            });
            if !elsewhere {
                own.push((!members.get(&key).is_some_and(|it| it.required), key));
            }
        }
        own.sort_by_key(|(optional, _)| *optional);
        own.into_iter()
            .next()
            .map_or_else(|| kind.to_owned(), |(_, key)| key)
    }

    /// Reports branches of a `oneOf` that are the same: what fits them is never valid.
    fn warn_duplicates(&mut self, view: &View<'d>) {
        for group in view.groups.iter().filter(|it| it.exclusive) {
            let mut known: BTreeMap<String, Node<'d>> = BTreeMap::new();
            for branch in &group.branches {
                let text = without_prose(target(branch).value()).to_string();
                let Some(first) = known.get(&text) else {
                    known.insert(text, *branch);
                    continue;
                };
                let message =
                    "two branches of `oneOf` are the same, so what fits them is never valid";
                let warning = Diagnostic::new(Id::DuplicateBranch, message)
                    .and_at(first.place(), "first here")
                    .help("remove one, or use `anyOf`");
                self.note_once(warning, branch.place(), "the same again");
            }
        }
    }
}

/// The kind of a set that has only one.
fn kind_of(kinds: Kinds) -> Option<JsonKind> {
    let mut each = kinds.each();
    each.next()
        .filter(|_| each.next().is_none())
        .map(|(_, kind)| kind)
}

/// What a schema refers to in the end, if it is nothing but a reference.
fn target<'d>(branch: &Node<'d>) -> Node<'d> {
    let mut at = *branch;
    for _ in 0..64 {
        let only_reference = at.value().as_object().is_some_and(|it| it.len() == 1);
        match at.reference() {
            Some(Reference::To(next)) if only_reference => at = next,
            _ => break,
        }
    }
    at
}

/// A schema without the keywords that only describe.
fn without_prose(schema: &Value) -> Value {
    let Some(members) = schema.as_object() else {
        return schema.clone();
    };
    let prose = [
        "title",
        "description",
        "$comment",
        "examples",
        "default",
        "deprecated",
    ];
    let kept = members
        .iter()
        .filter(|(key, _)| !prose.contains(&key.as_str()));
    Value::Object(
        kept.map(|(key, value)| (key.clone(), value.clone()))
            .collect(),
    )
}
