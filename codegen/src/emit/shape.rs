//! Shapes as Rust types.

use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    graph::{Int, Shape, TypeDef, TypeKind},
    naming::ModuleName,
};

/// Writes the types of one module, as seen from a place in Rust code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Types<'g> {
    pub(crate) types: &'g [TypeDef],
    /// The generated module, where the code stands outside of it.
    pub(crate) module: Option<&'g ModuleName>,
}

impl<'g> Types<'g> {
    /// Inside the generated module.
    pub(crate) fn inside(types: &'g [TypeDef]) -> Self {
        Self {
            types,
            module: None,
        }
    }

    /// The Rust type of a shape.
    pub(crate) fn rust(self, shape: &Shape) -> TokenStream {
        match shape {
            Shape::Any => quote!(Value),
            Shape::Never => quote!(Never),
            Shape::Null => quote!(()),
            Shape::Boolean => quote!(bool),
            Shape::Integer(int) => integer(*int),
            Shape::Number => quote!(f64),
            Shape::String => quote!(String),
            Shape::List(item) => wrap(&quote!(Vec), &self.rust(item)),
            Shape::Tuple(items) => {
                let items = items.iter().map(|it| self.rust(it));
                quote!((#(#items,)*))
            }
            Shape::Map(value) => {
                let value = self.rust(value);
                quote!(BTreeMap<String, #value>)
            }
            Shape::Nullable(inner) => wrap(&quote!(Option), &self.rust(inner)),
            Shape::Boxed(inner) => wrap(&quote!(Box), &self.rust(inner)),
            Shape::Limited(it) => self.rust(&it.shape),
            Shape::Foreign(it) => {
                let path: TokenStream = it
                    .path
                    .parse()
                    .expect("paths are checked where they are read");
                if it.parameters.is_empty() {
                    return path;
                }
                let parameters = it.parameters.iter().map(|it| self.rust(it));
                quote!(#path<#(#parameters),*>)
            }
            Shape::Named(id) => {
                let name = &self.types[id.0].name;
                let module = self.module.map(|it| quote!(#it::));
                quote!(#module #name)
            }
        }
    }

    /// The shape behind aliases, newtypes and boxes: what serde sees in the end.
    pub(crate) fn behind<'s>(self, mut shape: &'s Shape) -> &'s Shape
    where
        'g: 's,
    {
        // A newtype that contains only itself has no value; the count ends the walk there.
        for _ in 0..=self.types.len() {
            shape = match shape {
                Shape::Boxed(inner) => inner,
                Shape::Limited(it) => &it.shape,
                Shape::Named(id) => match &self.types[id.0].kind {
                    TypeKind::Alias(inner) | TypeKind::Newtype(inner) => inner,
                    TypeKind::Struct(_)
                    | TypeKind::Literals(_)
                    | TypeKind::Constant(_)
                    | TypeKind::Union(_)
                    | TypeKind::Constrained(_) => return shape,
                },
                other => return other,
            };
        }
        shape
    }
}

fn wrap(outer: &TokenStream, inner: &TokenStream) -> TokenStream {
    quote!(#outer<#inner>)
}

fn integer(int: Int) -> TokenStream {
    match int {
        Int::I8 => quote!(i8),
        Int::I16 => quote!(i16),
        Int::I32 => quote!(i32),
        Int::I64 => quote!(i64),
        Int::U8 => quote!(u8),
        Int::U16 => quote!(u16),
        Int::U32 => quote!(u32),
        Int::U64 => quote!(u64),
    }
}
