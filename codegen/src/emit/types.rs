//! The named types of a module: tool by tool, then those that several tools share.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    checks,
    derives::{Codec, Derives},
    docs::{Doc, constant},
    enums,
    shape::Types,
    structs,
};
use crate::{
    contract::{Input, Server},
    graph::{Constrained, Docs, ServerTypes, Shape, TypeDef, TypeId, TypeKind},
    naming::{MethodName, TypeName},
};

/// What every emitter of a type looks at.
#[derive(Clone, Copy)]
pub(super) struct Module<'g> {
    pub(super) types: Types<'g>,
    pub(super) derives: &'g Derives,
}

impl<'g> Module<'g> {
    pub(super) fn def(self, id: TypeId) -> &'g TypeDef {
        &self.types.types[id.0]
    }

    pub(super) fn name(self, id: TypeId) -> &'g TypeName {
        &self.def(id).name
    }
}

/// All types of a server, in printing order.
pub(super) fn all(graph: &ServerTypes, roles: &Roles) -> Vec<TokenStream> {
    let derives = Derives::of(&graph.types);
    let module = Module {
        types: Types::inside(&graph.types),
        derives: &derives,
    };
    order(graph)
        .flat_map(|id| {
            let role = roles.get(&id).map(String::as_str);
            item(module, id, role)
        })
        .collect()
}

/// Types by the tool that needs them; shared ones (`None`) last. A stable sort: within a tool
/// the order of the graph stays, which is that of the schema.
fn order(graph: &ServerTypes) -> impl Iterator<Item = TypeId> {
    let mut ids: Vec<_> = (0..graph.types.len()).map(TypeId).collect();
    ids.sort_by_key(|id| graph.types[id.0].tool.unwrap_or(usize::MAX));
    ids.into_iter()
}

/// What a tool's own types say when their schemas say nothing.
pub(super) type Roles = BTreeMap<TypeId, String>;

pub(super) fn roles(server: &Server<'_>, graph: &ServerTypes) -> Roles {
    let mut roles = Roles::new();
    let trait_name = &server.trait_name;
    for (index, (tool, types)) in server.tools.iter().zip(&graph.tools).enumerate() {
        // rustdoc knows raw identifiers by their plain names.
        let method = tool.method.as_str().trim_start_matches("r#");
        let sides = [
            ("Arguments", Some(&types.input)),
            ("Result", types.output.as_ref()),
        ];
        for (what, shape) in sides {
            // What several tools share is the result of none of them.
            let own = |it: &TypeId| graph.types[it.0].tool == Some(index);
            if let Some(id) = shape.and_then(root).filter(own) {
                roles
                    .entry(id)
                    .or_insert_with(|| format!("{what} of [`{trait_name}::{method}`]."));
            }
        }
    }
    let first = server.tools.len();
    for (index, (input, shape)) in server.inputs().zip(&graph.inputs).enumerate() {
        let method = |it: &MethodName| it.as_str().trim_start_matches("r#").to_owned();
        let role = match input {
            Input::Variables(it) => {
                format!(
                    "Variables of [`{trait_name}::{}`].",
                    method(&it.offer.method)
                )
            }
            Input::Arguments(it) => {
                format!(
                    "Arguments of [`{trait_name}::{}`].",
                    method(&it.offer.method)
                )
            }
            Input::Answer(it) => format!("The answer to [`{}`].", it.constant.as_str()),
        };
        let own = |it: &TypeId| graph.types[it.0].tool == Some(first + index);
        if let Some(id) = root(shape).filter(own) {
            roles.entry(id).or_insert(role);
        }
    }
    roles
}

fn root(shape: &Shape) -> Option<TypeId> {
    match shape {
        Shape::Named(id) => Some(*id),
        Shape::Nullable(inner) | Shape::Boxed(inner) => root(inner),
        Shape::Limited(it) => root(&it.shape),
        Shape::Any
        | Shape::Never
        | Shape::Null
        | Shape::Boolean
        | Shape::Integer(_)
        | Shape::Number
        | Shape::String
        | Shape::List(_)
        | Shape::Tuple(_)
        | Shape::Map(_)
        | Shape::Foreign(_) => None,
    }
}

/// A type with what belongs to it, one element per block of code.
fn item(module: Module<'_>, id: TypeId, role: Option<&str>) -> Vec<TokenStream> {
    let def = module.def(id);
    let mut docs = Doc::of(&def.docs, def.name.as_str());
    if let Some(role) = role {
        docs = docs.or(role);
    } else if let TypeKind::Constant(value) = &def.kind {
        docs = docs.or(constant(value));
    }
    let docs = docs.attributes();
    let deprecated = deprecated(&def.docs);
    let docs = quote!(#docs #deprecated);
    match &def.kind {
        TypeKind::Struct(it) => structs::structure(module, id, &docs, it),
        TypeKind::Literals(it) => enums::literals(module, id, &docs, it),
        TypeKind::Constant(it) => enums::constant(module, id, &docs, it),
        TypeKind::Union(it) => enums::union(module, id, &docs, it),
        TypeKind::Alias(it) => vec![alias(module, id, &docs, it)],
        TypeKind::Newtype(it) => vec![newtype(module, id, &docs, it)],
        TypeKind::Constrained(it) => vec![constrained(module, id, &docs, it)],
    }
}

fn alias(module: Module<'_>, id: TypeId, docs: &TokenStream, shape: &Shape) -> TokenStream {
    let name = module.name(id);
    let shape = module.types.rust(shape);
    quote!(#docs pub type #name = #shape;)
}

fn newtype(module: Module<'_>, id: TypeId, docs: &TokenStream, shape: &Shape) -> TokenStream {
    let name = module.name(id);
    let rules = checks::rules(module.types, shape);
    let checked = (!rules.is_empty()).then(|| {
        let rules = checks::braced(&rules);
        let reader = format!("{name}::read_value");
        let reads = quote!(#[serde(deserialize_with = #reader)]);
        let checks = quote!(mcp_codegen_runtime::checks! { #name { read_value: value #rules } });
        (reads, checks)
    });
    let (reads, checks) = checked.unzip();
    let shape = module.types.rust(shape);
    let extra = &module.def(id).extra;
    let derive = module.derives.composite(id, false, Codec::Serde, extra);
    quote! {
        #docs
        #derive
        #[serde(transparent)]
        pub struct #name(#reads pub #shape);
        #checks
    }
}

/// A value that the rules of its schema hold for. Its field is private: nothing gets in unchecked.
fn constrained(
    module: Module<'_>,
    id: TypeId,
    docs: &TokenStream,
    it: &Constrained,
) -> TokenStream {
    let name = module.name(id);
    let shape = module.types.rust(&it.shape);
    let derive = module
        .derives
        .constrained(id, &it.shape, &module.def(id).extra);
    let kind = match it.shape {
        Shape::List(_) => quote!(list),
        Shape::Integer(_) | Shape::Number => quote!(number),
        _ => quote!(text),
    };
    // Elements that are no types of their own are held by the list, which answers for them.
    let mut rules = it.rules.clone();
    rules.extend(checks::rules(module.types, &it.shape));
    let rules = checks::braced(&rules);
    quote! {
        #docs
        #derive
        pub struct #name(#shape);
        mcp_codegen_runtime::constrained! { #name(#shape) #kind #rules }
    }
}

/// The `#[deprecated]` that a schema asks for. The module allows its own uses.
pub(super) fn deprecated(docs: &Docs) -> Option<TokenStream> {
    docs.deprecated.then(|| quote!(#[deprecated]))
}
