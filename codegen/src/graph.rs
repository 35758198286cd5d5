//! What `lower` makes and `emit` reads: the Rust types of every server, as shapes.
//!
//! A [`Shape`] is a type at the place where it is used; a [`TypeDef`] is a named type that is
//! declared once. Nothing here knows Rust syntax, serde, or JSON Schema keywords.

#[cfg(test)]
mod dump;

use std::collections::BTreeSet;

use serde_json::{Number, Value};

#[cfg(test)]
pub(crate) use dump::dump;

use crate::{
    diagnostics::Place,
    naming::{FieldName, TypeName, VariantName},
};

/// The types of all servers, in the order of the contract's servers.
#[derive(Clone, Debug, Default)]
pub(crate) struct TypeGraph {
    pub(crate) servers: Vec<ServerTypes>,
}

/// The types of one server: they share one Rust module.
#[derive(Clone, Debug, Default)]
pub(crate) struct ServerTypes {
    /// Input and output of each tool, in the order of the server's tools.
    pub(crate) tools: Vec<ToolTypes>,
    /// What else clients pass, in the order of the server's inputs: variables of templates, arguments of prompts, answers
    /// to forms.
    pub(crate) inputs: Vec<Shape>,
    /// The named types; a [`TypeId`] is an index into this.
    pub(crate) types: Vec<TypeDef>,
    /// What selectors of the settings may name.
    pub(crate) selectable: Selectable,
}

/// The names that selectors of the settings may use for the types of one server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Selectable {
    /// Types by their final names, those that another type replaces included.
    pub(crate) types: Vec<String>,
    /// Types, `Type.field` and `Type::Variant`, by the names that they have unless they are renamed.
    pub(crate) renames: Vec<String>,
    /// Values of `format`.
    pub(crate) formats: Vec<String>,
}

/// An index into [`ServerTypes::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TypeId(pub(crate) usize);

/// What a tool takes and gives.
#[derive(Clone, Debug)]
pub(crate) struct ToolTypes {
    pub(crate) input: Shape,
    /// `None` for a tool without output schema: its method returns `Content`.
    pub(crate) output: Option<Shape>,
}

/// A named type.
#[derive(Clone, Debug)]
pub(crate) struct TypeDef {
    pub(crate) name: TypeName,
    pub(crate) docs: Docs,
    pub(crate) kind: TypeKind,
    /// The tool that needs it, by index, then the input; `None` when several do. Decides where it is printed.
    pub(crate) tool: Option<usize>,
    pub(crate) place: Place,
    /// What the settings add to it.
    pub(crate) extra: Extra,
}

/// Derives and attributes that the settings add to a type: Rust text that has been checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extra {
    pub(crate) derives: Vec<String>,
    pub(crate) attributes: Vec<String>,
}

/// Prose of the schema, raw: `emit` makes it safe for rustdoc.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Docs {
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) deprecated: bool,
}

/// What a named type is.
#[derive(Clone, Debug)]
pub(crate) enum TypeKind {
    Struct(Struct),
    /// A closed set of JSON values.
    Literals(Vec<Literal>),
    /// Exactly one JSON value: a unit struct.
    Constant(Value),
    Union(Union),
    /// A name for another shape (`type X = …`); never recursive.
    Alias(Shape),
    /// A tuple struct around another shape: what an alias becomes when it is recursive.
    Newtype(Shape),
    /// A tuple struct around a text, number or list that refuses what its rules refuse.
    Constrained(Constrained),
}

/// A shape, and keywords of JSON Schema that every value of the type obeys.
#[derive(Clone, Debug)]
pub(crate) struct Constrained {
    /// `String`, `Integer`, `Number` or `List`.
    pub(crate) shape: Shape,
    /// In the order of the schemas; one keyword may stand here twice.
    pub(crate) rules: Vec<Rule>,
}

/// A keyword of JSON Schema with its value, as draft 2020-12 reads it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rule {
    pub(crate) keyword: String,
    pub(crate) value: Value,
}

/// An object with declared properties.
#[derive(Clone, Debug)]
pub(crate) struct Struct {
    /// In declared order.
    pub(crate) fields: Vec<Field>,
    pub(crate) unknown: Unknown,
    /// The undeclared properties that it takes all have names that a pattern of the schema matches.
    pub(crate) patterns: bool,
}

/// What happens to properties that are not declared.
#[derive(Clone, Debug)]
pub(crate) enum Unknown {
    /// Refused: `additionalProperties: false`.
    Deny,
    /// Accepted and dropped: the schema says nothing.
    Drop,
    /// Kept in a map field of this name, whose values have this shape.
    Keep(FieldName, Shape),
}

/// A declared property.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: FieldName,
    /// The property, exactly as on the wire.
    pub(crate) key: String,
    pub(crate) docs: Docs,
    /// Without the `Option` that `presence` adds; `Nullable` where `null` is allowed.
    pub(crate) shape: Shape,
    pub(crate) presence: Presence,
}

/// Whether a property may be absent.
#[derive(Clone, Debug)]
pub(crate) enum Presence {
    /// `T`; a `Nullable` shape is `Option<T>` that writes `null` and must be present.
    Required,
    /// `Option<T>`, absent when `None`; a `Nullable` shape is `Option<Option<T>>`.
    Optional,
    /// `T`, filled in when absent. The default is valid under the property's schema.
    Default(Value),
}

/// One value of [`TypeKind::Literals`].
#[derive(Clone, Debug)]
pub(crate) struct Literal {
    pub(crate) name: VariantName,
    pub(crate) value: Value,
    pub(crate) docs: Docs,
}

/// Several shapes under one roof.
#[derive(Clone, Debug)]
pub(crate) struct Union {
    pub(crate) variants: Vec<Variant>,
    pub(crate) select: Select,
}

/// One variant of a [`Union`]: a newtype variant around a shape.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    pub(crate) name: VariantName,
    pub(crate) docs: Docs,
    pub(crate) shape: Shape,
}

/// How the variant of an instance is found; indices are those of [`Union::variants`].
#[derive(Clone, Debug)]
pub(crate) enum Select {
    /// By the value of one property.
    Tag {
        property: String,
        /// The tag values of each variant, in the variants' order.
        values: Vec<Vec<Value>>,
        /// The variant of an instance without the property, where one variant allows that.
        absent: Option<usize>,
    },
    /// By JSON kind: each variant has its own kinds; no kind appears twice.
    Kind(Vec<Vec<JsonKind>>),
    /// The first variant whose own schema accepts. Each schema is self-contained
    /// (its references are bundled into its own `$defs`) and names its dialect.
    Schema(Vec<Value>),
}

/// The kinds of JSON value that a union can tell apart. An integral number (`3`, `3.0`) is an
/// `Integer` where a variant claims `Integer`, else a `Number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum JsonKind {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

/// A type where it is used.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    /// Any JSON value.
    Any,
    /// No value at all: the schema `false`.
    Never,
    Null,
    Boolean,
    Integer(Int),
    Number,
    String,
    List(Box<Shape>),
    /// Exactly these elements; 1 to 12 of them.
    Tuple(Vec<Shape>),
    Map(Box<Shape>),
    /// `Option<T>`: the instance may be `null`. Never nested.
    Nullable(Box<Shape>),
    /// A heap-allocated indirection, where recursion needs one.
    Boxed(Box<Shape>),
    Named(TypeId),
    /// A type that is not generated.
    Foreign(Box<Foreign>),
    /// The type of another shape, whose values obey rules. Whoever holds the value checks them when it is read.
    Limited(Box<Limited>),
}

/// A shape, and keywords of JSON Schema that every value obeys which is read in its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Limited {
    /// `String`, `Integer`, `Number`, `List` or `Map`.
    pub(crate) shape: Shape,
    /// In the order of the schemas; one keyword may stand here twice.
    pub(crate) rules: Vec<Rule>,
}

/// A type that is not generated: `x-rust-type`, `[formats]` or `[replace]` names it. What it reads
/// and writes is its own affair.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Foreign {
    /// The Rust path, checked.
    pub(crate) path: String,
    /// Its generic parameters, beside those in the path.
    pub(crate) parameters: Vec<Shape>,
    /// It implements `Eq`.
    pub(crate) eq: bool,
    /// It implements `Hash`.
    pub(crate) hash: bool,
}

/// Rust's integer types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Int {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
}

impl Int {
    /// The value of a JSON number, where it is an integer that this type holds: `3.0` is `3`.
    pub(crate) fn read(self, number: &Number) -> Option<i128> {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the guard lets only small integers by"
        )]
        let value = match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(it), _, _) => it.into(),
            (None, Some(it), _) => it.into(),
            // Beyond 2^53 a float is no longer sure to be the number that was written.
            (None, None, Some(it)) if it.fract() == 0.0 && it.abs() <= 9_007_199_254_740_992.0 => {
                it as i128
            }
            (None, None, _) => return None,
        };
        let (least, greatest) = self.range();
        (least..=greatest).contains(&value).then_some(value)
    }

    /// The least and the greatest value.
    pub(crate) fn range(self) -> (i128, i128) {
        match self {
            Self::I8 => (i8::MIN.into(), i8::MAX.into()),
            Self::I16 => (i16::MIN.into(), i16::MAX.into()),
            Self::I32 => (i32::MIN.into(), i32::MAX.into()),
            Self::I64 => (i64::MIN.into(), i64::MAX.into()),
            Self::U8 => (0, u8::MAX.into()),
            Self::U16 => (0, u16::MAX.into()),
            Self::U32 => (0, u32::MAX.into()),
            Self::U64 => (0, u64::MAX.into()),
        }
    }
}

impl TypeKind {
    /// The shapes that the type is made of, in declared order.
    pub(crate) fn shapes(&self) -> Vec<&Shape> {
        let mut shapes = self.held();
        if let Self::Struct(Struct {
            unknown: Unknown::Keep(_, rest),
            ..
        }) = self
        {
            shapes.push(rest);
        }
        shapes
    }

    /// The shapes that the type holds by value: all but those in the map of undeclared properties.
    pub(crate) fn held(&self) -> Vec<&Shape> {
        match self {
            Self::Struct(it) => it.fields.iter().map(|it| &it.shape).collect(),
            Self::Union(it) => it.variants.iter().map(|it| &it.shape).collect(),
            Self::Alias(shape) | Self::Newtype(shape) => vec![shape],
            Self::Constrained(it) => vec![&it.shape],
            Self::Literals(_) | Self::Constant(_) => Vec::new(),
        }
    }

    /// The same as [`TypeKind::shapes`], to put other shapes in.
    pub(crate) fn shapes_mut(&mut self) -> Vec<&mut Shape> {
        if let Self::Struct(it) = self {
            let mut shapes: Vec<_> = it.fields.iter_mut().map(|it| &mut it.shape).collect();
            if let Unknown::Keep(_, rest) = &mut it.unknown {
                shapes.push(rest);
            }
            shapes
        } else {
            self.held_mut()
        }
    }

    /// The same as [`TypeKind::held`], to put boxes in.
    pub(crate) fn held_mut(&mut self) -> Vec<&mut Shape> {
        match self {
            Self::Struct(it) => it.fields.iter_mut().map(|it| &mut it.shape).collect(),
            Self::Union(it) => it.variants.iter_mut().map(|it| &mut it.shape).collect(),
            Self::Alias(shape) | Self::Newtype(shape) => vec![shape],
            Self::Constrained(it) => vec![&mut it.shape],
            Self::Literals(_) | Self::Constant(_) => Vec::new(),
        }
    }
}

/// Whether a shape mentions a type that is not generated, at any depth.
pub(crate) fn reaches_foreign(types: &[TypeDef], shape: &Shape) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = Vec::new();
    shape.each_named(&mut |id| open.push(id));
    let mut found = shape.mentions_foreign();
    while let (false, Some(id)) = (found, open.pop()) {
        if seen.insert(id) {
            for shape in types[id.0].kind.shapes() {
                found |= shape.mentions_foreign();
                shape.each_named(&mut |id| open.push(id));
            }
        }
    }
    found
}

impl Shape {
    /// A shape with rules, if there are any.
    pub(crate) fn limited(shape: Self, rules: Vec<Rule>) -> Self {
        if rules.is_empty() {
            return shape;
        }
        Self::Limited(Box::new(Limited { shape, rules }))
    }

    /// Takes out the rules that stand in the shape itself, outside of named types.
    pub(crate) fn drop_rules(&mut self) {
        match self {
            Self::Limited(it) => {
                *self = std::mem::replace(&mut it.shape, Self::Any);
                self.drop_rules();
            }
            Self::List(inner) | Self::Map(inner) | Self::Nullable(inner) | Self::Boxed(inner) => {
                inner.drop_rules();
            }
            Self::Tuple(items) => items.iter_mut().for_each(Self::drop_rules),
            Self::Foreign(it) => it.parameters.iter_mut().for_each(Self::drop_rules),
            Self::Any
            | Self::Never
            | Self::Null
            | Self::Boolean
            | Self::Integer(_)
            | Self::Number
            | Self::String
            | Self::Named(_) => {}
        }
    }

    /// Whether a type that is not generated stands in the shape itself, outside of named types.
    pub(crate) fn mentions_foreign(&self) -> bool {
        match self {
            Self::Foreign(_) => true,
            Self::List(inner) | Self::Map(inner) | Self::Nullable(inner) | Self::Boxed(inner) => {
                inner.mentions_foreign()
            }
            Self::Tuple(items) => items.iter().any(Self::mentions_foreign),
            Self::Limited(it) => it.shape.mentions_foreign(),
            Self::Any
            | Self::Never
            | Self::Null
            | Self::Boolean
            | Self::Integer(_)
            | Self::Number
            | Self::String
            | Self::Named(_) => false,
        }
    }

    /// Calls `change` for each named type in the shape, with the place that it has there.
    pub(crate) fn each_named_mut(&mut self, change: &mut impl FnMut(&mut Self, TypeId)) {
        match self {
            Self::Named(id) => {
                let id = *id;
                change(self, id);
            }
            Self::List(inner) | Self::Map(inner) | Self::Nullable(inner) | Self::Boxed(inner) => {
                inner.each_named_mut(change);
            }
            Self::Tuple(items) => items.iter_mut().for_each(|it| it.each_named_mut(change)),
            Self::Foreign(it) => {
                let parameters = it.parameters.iter_mut();
                parameters.for_each(|it| it.each_named_mut(change));
            }
            Self::Limited(it) => it.shape.each_named_mut(change),
            Self::Any
            | Self::Never
            | Self::Null
            | Self::Boolean
            | Self::Integer(_)
            | Self::Number
            | Self::String => {}
        }
    }

    /// Calls `found` for each named type in the shape.
    pub(crate) fn each_named(&self, found: &mut impl FnMut(TypeId)) {
        match self {
            Self::Named(id) => found(*id),
            Self::List(inner) | Self::Map(inner) | Self::Nullable(inner) | Self::Boxed(inner) => {
                inner.each_named(found);
            }
            Self::Tuple(items) => items.iter().for_each(|it| it.each_named(found)),
            Self::Foreign(it) => it.parameters.iter().for_each(|it| it.each_named(found)),
            Self::Limited(it) => it.shape.each_named(found),
            Self::Any
            | Self::Never
            | Self::Null
            | Self::Boolean
            | Self::Integer(_)
            | Self::Number
            | Self::String => {}
        }
    }
}
