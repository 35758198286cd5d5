//! Which traits a type derives, always in one order.

use proc_macro2::TokenStream;
use quote::quote;

use crate::graph::{Presence, Shape, Struct, TypeDef, TypeId, TypeKind, Unknown};

/// What the types of a module can derive beyond `Clone`, `Debug` and `PartialEq`.
#[derive(Clone, Debug)]
pub(super) struct Derives {
    /// By type: whether it has `Eq` and `Hash`. One answer for both: `f64` alone lacks them.
    total: Vec<bool>,
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
            total: vec![true; types.len()],
        };
        // Recursive types are total unless something in them is not: start from yes and take away
        // until nothing changes.
        loop {
            let total: Vec<_> = types
                .iter()
                .map(|it| this.is_total_kind(&it.kind))
                .collect();
            if total == this.total {
                return this;
            }
            this.total = total;
        }
    }

    fn is_total_kind(&self, kind: &TypeKind) -> bool {
        match kind {
            TypeKind::Struct(it) => {
                let rest = match &it.unknown {
                    Unknown::Deny | Unknown::Drop => true,
                    Unknown::Keep(_, shape) => self.is_total(shape),
                };
                rest && it.fields.iter().all(|it| self.is_total(&it.shape))
            }
            TypeKind::Literals(_) | TypeKind::Constant(_) => true,
            TypeKind::Union(it) => it.variants.iter().all(|it| self.is_total(&it.shape)),
            TypeKind::Alias(it) | TypeKind::Newtype(it) => self.is_total(it),
        }
    }

    fn is_total(&self, shape: &Shape) -> bool {
        match shape {
            Shape::Number => false,
            Shape::Any
            | Shape::Never
            | Shape::Null
            | Shape::Boolean
            | Shape::Integer(_)
            | Shape::String => true,
            Shape::List(it) | Shape::Map(it) | Shape::Nullable(it) | Shape::Boxed(it) => {
                self.is_total(it)
            }
            Shape::Tuple(items) => items.iter().all(|it| self.is_total(it)),
            Shape::Named(TypeId(index)) => self.total[*index],
        }
    }

    /// The `#[derive]` of a type that holds other types.
    pub(super) fn composite(&self, id: TypeId, default: bool, codec: Codec) -> TokenStream {
        let default = default.then(|| quote!(Default,));
        let total = self.total[id.0].then(|| quote!(Eq, Hash,));
        let codec = (codec == Codec::Serde).then(|| quote!(Serialize, Deserialize,));
        quote!(#[derive(Clone, Debug, #default PartialEq, #total #codec)])
    }
}

/// The `#[derive]` of an enum without fields.
pub(super) fn fieldless(codec: Codec) -> TokenStream {
    let codec = (codec == Codec::Serde).then(|| quote!(Serialize, Deserialize));
    quote!(#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, #codec)])
}

/// The `#[derive]` of a unit struct.
pub(super) fn unit() -> TokenStream {
    quote!(#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)])
}

/// Whether a struct has `Default`: every property may be absent.
pub(super) fn has_default(it: &Struct) -> bool {
    it.fields.iter().all(|it| match it.presence {
        Presence::Required => false,
        Presence::Optional | Presence::Default(_) => true,
    })
}
