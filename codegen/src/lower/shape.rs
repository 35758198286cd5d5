//! From a view to a shape: which kind of type it is, and who decides that.

use super::{
    Job, Lowering,
    kinds::Kinds,
    names::{Site, Wish},
    view::View,
};
use crate::{
    graph::{Shape, TypeKind},
    resolve::Node,
};

/// Lists, maps and tuples inside one another, without a named type between them.
const MAX_DEPTH: usize = 64;

impl<'d> Lowering<'_, 'd> {
    /// The arguments of a tool: an object, and a struct even without properties, so that the
    /// trait's method can name it.
    pub(super) fn input(&mut self, node: &Node<'d>, wish: Wish) -> Shape {
        let view = self.view(node);
        let view = self.normal((*view).clone().only(Kinds::OBJECT));
        if !view.foreign.is_empty() && self.is_foreign(&view) {
            return self.memoized(&view, node, wish);
        }
        if view.groups.is_empty() && view.unknowable.is_none() && self.is_bare_object(&view) {
            let site = self.site(node, &view.key(), wish);
            let id = self.promise(&site, |id| Job::Struct(id, view.clone()));
            // Nothing but `type: object` is no identity.
            if !view.parts.is_empty() {
                self.shapes.insert(view.key(), Shape::Named(id));
            }
            return Shape::Named(id);
        }
        self.shape(view, node, wish)
    }

    /// The type of one schema.
    pub(super) fn node(&mut self, node: &Node<'d>, wish: Wish) -> Shape {
        let view = self.view(node);
        self.shape((*view).clone(), node, wish)
    }

    /// The type of schemas that all apply to one instance.
    pub(super) fn nodes(&mut self, nodes: &[Node<'d>], wish: Wish) -> Shape {
        let [first, rest @ ..] = nodes else {
            return Shape::Any;
        };
        if rest.is_empty() {
            return self.node(first, wish);
        }
        let view = self.view_of_all(nodes);
        let view = self.normal(view);
        // A sibling that adds nothing must not hide the definition that the other one names.
        let key = view.key();
        let home = nodes
            .iter()
            .find(|it| self.site(it, &key, wish.clone()).definition);
        let home = *home.unwrap_or(first);
        self.shape(view, &home, wish)
    }

    /// The type of a view; `node` is where it stands.
    pub(super) fn shape(&mut self, view: View<'d>, node: &Node<'d>, wish: Wish) -> Shape {
        let view = self.normal(view);
        if view.kinds.is_empty() {
            return Shape::Never;
        }
        let untyped = self.is_untyped(&view);
        if !view.foreign.is_empty() && self.is_foreign(&view) {
            let whole = untyped || view.kinds == Kinds::NULL || !view.kinds.meets(Kinds::NULL);
            let inner = if whole {
                view
            } else {
                view.only(Kinds::ALL.without(Kinds::NULL))
            };
            let shape = self.memoized(&inner, node, wish);
            return if whole { shape } else { nullable(shape) };
        }
        if let Some(keyword) = view.unknowable
            && view.kinds.meets(Kinds::STRUCTURED)
        {
            let why = format!("`{keyword}` has no Rust type here, any value is accepted");
            return self.any(node, &why, None);
        }
        if view.kinds == Kinds::NULL {
            return Shape::Null;
        }
        if untyped && view.groups.is_empty() && !view.is_structured() {
            return self.untyped(node);
        }
        // A schema without `type` takes `null` as one more kind that it says nothing about.
        if !untyped && view.kinds.meets(Kinds::NULL) {
            let inner = view.only(Kinds::ALL.without(Kinds::NULL));
            return nullable(self.memoized(&inner, node, wish));
        }
        self.memoized(&view, node, wish)
    }

    fn untyped(&mut self, node: &Node<'d>) -> Shape {
        let schema = node.value().as_object();
        if self.is_let_open(node) {
            // The warning about the reference says it.
            return Shape::Any;
        }
        if schema.is_some_and(|it| it.contains_key("not")) {
            let help = "add `type` to give it a Rust type";
            let why = "`not` gives no Rust type, any value is accepted";
            return self.any(node, why, Some(help));
        }
        if schema.is_some_and(|it| !it.is_empty()) {
            let help = "add `type` to give it a Rust type";
            self.any(
                node,
                "the schema names no `type`, any value is accepted",
                Some(help),
            )
        } else {
            self.any(node, "the schema accepts any value", None)
        }
    }

    /// Whether a schema refers, in the end, to what the settings let be anything.
    fn is_let_open(&mut self, node: &Node<'d>) -> bool {
        let end = self.chain(node).pop().unwrap_or(*node);
        let refers = |keyword: &str| end.value().get(keyword).is_some();
        end.reference().is_none()
            && ["$ref", "$dynamicRef", "$recursiveRef"]
                .into_iter()
                .any(refers)
    }

    pub(super) fn memoized(&mut self, view: &View<'d>, node: &Node<'d>, wish: Wish) -> Shape {
        let key = view.key();
        if let Some(known) = self.shapes.get(&key) {
            return known.clone();
        }
        let foreign = if view.foreign.is_empty() {
            None
        } else {
            self.foreign(view, &wish)
        };
        if let Some(foreign) = foreign {
            self.shapes.insert(key, foreign.clone());
            return foreign;
        }
        let site = self.site(node, &key, wish);
        if view.parts.is_empty() && view.groups.is_empty() && view.limits.is_empty() {
            return self.build(view, &site);
        }
        if let Some(stand_in) = self.active.get(&key).copied() {
            // It contains itself, with no struct or union between.
            let id = stand_in.unwrap_or_else(|| self.declare(&site, TypeKind::Newtype(Shape::Any)));
            self.active.insert(key, Some(id));
            return Shape::Named(id);
        }
        if self.depth >= MAX_DEPTH {
            let why = format!("the schema nests more than {MAX_DEPTH} lists or maps");
            return self.any(node, &why, None);
        }
        let may_be_constrained = self.constraints && !view.limits.is_empty();
        if site.definition && !may_be_constrained && self.is_composite(view) {
            let id = self.promise(&site, |id| {
                let site = Site {
                    wish: Wish::inside(id),
                    ..site.clone()
                };
                Job::Alias(id, view.clone(), site)
            });
            self.shapes.insert(key, Shape::Named(id));
            return Shape::Named(id);
        }
        self.active.insert(key.clone(), None);
        self.depth += 1;
        let shape = self.build(view, &site);
        self.depth -= 1;
        let shape = match self.active.remove(&key).flatten() {
            Some(id) => {
                self.types[id.0].kind = TypeKind::Newtype(shape);
                Shape::Named(id)
            }
            None => shape,
        };
        self.shapes.insert(key, shape.clone());
        shape
    }

    /// Whether a view without unions is a list, tuple or map: what an alias can name.
    fn is_composite(&mut self, view: &View<'d>) -> bool {
        if !view.groups.is_empty() || self.literals(view).is_some() {
            return false;
        }
        view.kinds == Kinds::ARRAY || (view.kinds == Kinds::OBJECT && self.is_map(view))
    }

    /// The shape of a normal view whose kinds are not empty and, unless it is untyped, without
    /// `null`.
    pub(super) fn build(&mut self, view: &View<'d>, site: &Site<'d>) -> Shape {
        if let Some(values) = self.literals(view) {
            return self.literal_shape(values, site);
        }
        if !view.groups.is_empty() {
            return self.union(view, site);
        }
        if !view.limits.is_empty()
            && let Some(shape) = self.constrained(view, site)
        {
            return shape;
        }
        let kinds = view.kinds;
        if kinds == Kinds::OBJECT {
            self.object(view, site)
        } else if kinds == Kinds::ARRAY {
            self.array(view, site)
        } else if kinds == Kinds::BOOLEAN {
            Shape::Boolean
        } else if kinds == Kinds::STRING {
            Shape::String
        } else if kinds == Kinds::INTEGER {
            Shape::Integer(super::number::integer(view))
        } else if kinds.within(Kinds::NUMBER) {
            Shape::Number
        } else {
            self.union(view, site)
        }
    }
}

/// The shape, or `null`.
pub(super) fn nullable(shape: Shape) -> Shape {
    match shape {
        Shape::Any | Shape::Null | Shape::Nullable(_) => shape,
        Shape::Never => Shape::Null,
        other => Shape::Nullable(Box::new(other)),
    }
}
