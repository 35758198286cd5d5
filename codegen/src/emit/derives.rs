//! Which traits a type derives, always in one order.

use proc_macro2::TokenStream;
use quote::quote;

use crate::graph::{Extra, Presence, Shape, Struct, TypeDef, TypeId, TypeKind, Unknown};

/// What the types of a module can derive beyond `Clone`, `Debug` and `PartialEq`.
#[derive(Clone, Debug)]
pub(super) struct Derives {
    /// By type.
    total: Vec<Total>,
}

/// Whether a type has `Eq` and `Hash`. `f64` lacks both; a type that is not generated may have either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Total {
    eq: bool,
    hash: bool,
}

impl Total {
    const BOTH: Self = Self {
        eq: true,
        hash: true,
    };
    const NONE: Self = Self {
        eq: false,
        hash: false,
    };

    fn and(self, other: Self) -> Self {
        Self {
            eq: self.eq && other.eq,
            hash: self.hash && other.hash,
        }
    }
}

/// How a type reaches serde.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    /// Its derive macros.
    Serde,
    /// A macro of the runtime.
    Runtime,
}

impl Derives {
    /// Looks at all types of a module.
    pub(super) fn of(types: &[TypeDef]) -> Self {
        let mut this = Self {
            total: vec![Total::BOTH; types.len()],
        };
        // Recursive types are total unless something in them is not: start from yes and take away
        // until nothing changes.
        loop {
            let total: Vec<_> = types.iter().map(|it| this.of_kind(&it.kind)).collect();
            if total == this.total {
                return this;
            }
            this.total = total;
        }
    }

    fn of_kind(&self, kind: &TypeKind) -> Total {
        match kind {
            TypeKind::Struct(it) => {
                let rest = match &it.unknown {
                    Unknown::Deny | Unknown::Drop => Total::BOTH,
                    Unknown::Keep(_, shape) => self.of_shape(shape),
                };
                rest.and(self.of_all(it.fields.iter().map(|it| &it.shape)))
            }
            TypeKind::Literals(_) | TypeKind::Constant(_) => Total::BOTH,
            TypeKind::Union(it) => self.of_all(it.variants.iter().map(|it| &it.shape)),
            TypeKind::Alias(it) | TypeKind::Newtype(it) => self.of_shape(it),
            TypeKind::Constrained(it) => self.of_shape(&it.shape),
        }
    }

    fn of_shape(&self, shape: &Shape) -> Total {
        match shape {
            Shape::Number => Total::NONE,
            Shape::Any
            | Shape::Never
            | Shape::Null
            | Shape::Boolean
            | Shape::Integer(_)
            | Shape::String => Total::BOTH,
            Shape::List(it) | Shape::Map(it) | Shape::Nullable(it) | Shape::Boxed(it) => {
                self.of_shape(it)
            }
            Shape::Tuple(items) => self.of_all(items),
            Shape::Limited(it) => self.of_shape(&it.shape),
            Shape::Named(TypeId(index)) => self.total[*index],
            Shape::Foreign(it) => {
                let own = Total {
                    eq: it.eq,
                    hash: it.hash,
                };
                own.and(self.of_all(&it.parameters))
            }
        }
    }

    fn of_all<'s>(&self, shapes: impl IntoIterator<Item = &'s Shape>) -> Total {
        let shapes = shapes.into_iter();
        shapes.fold(Total::BOTH, |all, it| all.and(self.of_shape(it)))
    }

    /// The `#[derive]` of a type that holds other types, and what the settings add.
    pub(super) fn composite(
        &self,
        id: TypeId,
        default: bool,
        codec: Codec,
        extra: &Extra,
    ) -> TokenStream {
        let mut derives = vec!["Clone", "Debug"];
        derives.extend(default.then_some("Default"));
        derives.push("PartialEq");
        derives.extend(self.total(id));
        derives.extend(codec.derives());
        attributes(&derives, extra)
    }

    /// The `#[derive]` of a type around a text, number or list, and what the settings add.
    pub(super) fn constrained(&self, id: TypeId, shape: &Shape, extra: &Extra) -> TokenStream {
        let mut derives = vec!["Clone"];
        derives.extend(matches!(shape, Shape::Integer(_) | Shape::Number).then_some("Copy"));
        derives.extend(["Debug", "PartialEq"]);
        derives.extend(self.total(id));
        attributes(&derives, extra)
    }

    fn total(&self, id: TypeId) -> impl Iterator<Item = &'static str> + use<> {
        let Total { eq, hash } = self.total[id.0];
        let all = [eq.then_some("Eq"), hash.then_some("Hash")];
        all.into_iter().flatten()
    }
}

impl Codec {
    fn derives(self) -> &'static [&'static str] {
        match self {
            Self::Serde => &["Serialize", "Deserialize"],
            Self::Runtime => &[],
        }
    }
}

/// The `#[derive]` of an enum without fields, and what the settings add.
pub(super) fn fieldless(codec: Codec, extra: &Extra) -> TokenStream {
    let mut derives = vec!["Clone", "Copy", "Debug", "PartialEq", "Eq", "Hash"];
    derives.extend(codec.derives());
    attributes(&derives, extra)
}

/// The `#[derive]` of a unit struct, and what the settings add.
pub(super) fn unit(extra: &Extra) -> TokenStream {
    let derives = [
        "Clone",
        "Copy",
        "Debug",
        "Default",
        "PartialEq",
        "Eq",
        "Hash",
    ];
    attributes(&derives, extra)
}

/// One `#[derive]`, and the attributes that the settings add.
fn attributes(derives: &[&str], extra: &Extra) -> TokenStream {
    let own = derives.iter().map(|it| rust(it));
    let added = extra.derives.iter().filter(|it| !is_among(it, derives));
    let added = added.map(|it| rust(it));
    let attributes = extra.attributes.iter().map(|it| rust(it));
    quote!(#[derive(#(#own,)* #(#added,)*)] #(#attributes)*)
}

/// Whether a type has the trait that a path derives anyway: by its own derive, or because every
/// type is read and written.
fn is_among(path: &str, derives: &[&str]) -> bool {
    let (holder, name) = path.rsplit_once("::").unwrap_or(("", path));
    let standard = matches!(
        holder.trim_start_matches("::").split("::").next(),
        Some("" | "std" | "core" | "serde")
    );
    standard && (derives.contains(&name) || Codec::Serde.derives().contains(&name))
}

fn rust(text: &str) -> TokenStream {
    text.parse()
        .expect("settings that are Rust are checked before code is made")
}

/// Whether a struct has `Default`: every property may be absent.
pub(super) fn has_default(it: &Struct) -> bool {
    it.fields.iter().all(|it| match it.presence {
        Presence::Required => false,
        Presence::Optional | Presence::Default(_) => true,
    })
}
