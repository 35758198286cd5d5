//! Closed sets of values and unions as enums, constants as unit structs.

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use super::{
    checks,
    derives::{self, Codec},
    docs::{self, Doc},
    rename::Rule,
    types::{Module, deprecated},
};
use crate::graph::{JsonKind, Literal, Select, TypeId, Union};

/// A set of literals. Strings alone are what serde derives; other values take the runtime's macro.
pub(super) fn literals(
    module: Module<'_>,
    id: TypeId,
    docs: &TokenStream,
    all: &[Literal],
) -> Vec<TokenStream> {
    let name = module.name(id);
    let codec = literals_codec(all);
    let derive = derives::fieldless(codec, &module.def(id).extra);
    let rule = match codec {
        Codec::Serde => {
            let names = all
                .iter()
                .filter_map(|it| Some((it.name.as_str(), it.value.as_str()?)));
            Rule::of_variants(&names.collect::<Vec<_>>())
        }
        Codec::Runtime => Rule::Same,
    };
    let rename_all = rule.attribute();
    let variants = all.iter().map(|it| literal(it, codec, rule));
    let declaration = quote! {
        #docs
        #derive
        #rename_all
        pub enum #name { #(#variants,)* }
    };
    let (names, texts): (Vec<_>, Vec<_>) = all
        .iter()
        .map(|it| (&it.name, it.value.to_string()))
        .unzip();
    let codec = match codec {
        Codec::Serde => None,
        Codec::Runtime => Some(quote! {
            mcp_codegen_runtime::literals! { #name { #(#names = #texts),* } }
        }),
    };
    vec![quote!(#declaration #codec)]
}

/// Who serializes a set of literals.
pub(super) fn literals_codec(all: &[Literal]) -> Codec {
    if all.iter().all(|it| it.value.is_string()) {
        Codec::Serde
    } else {
        Codec::Runtime
    }
}

fn literal(it: &Literal, codec: Codec, rule: Rule) -> TokenStream {
    let docs = Doc::of(&it.docs, it.name.as_str()).attributes();
    let deprecated = deprecated(&it.docs);
    let rename = match (codec, it.value.as_str()) {
        (Codec::Serde, Some(text)) if !rule.gives_variant(it.name.as_str(), text) => {
            Some(quote!(#[serde(rename = #text)]))
        }
        (Codec::Serde | Codec::Runtime, _) => None,
    };
    let name = &it.name;
    quote!(#docs #deprecated #rename #name)
}

/// Exactly one value.
pub(super) fn constant(
    module: Module<'_>,
    id: TypeId,
    docs: &TokenStream,
    value: &Value,
) -> Vec<TokenStream> {
    let name = module.name(id);
    let derive = derives::unit(&module.def(id).extra);
    let text = value.to_string();
    vec![quote! {
        #docs
        #derive
        pub struct #name;
        mcp_codegen_runtime::constant! { #name = #text }
    }]
}

/// Several shapes under one roof.
pub(super) fn union(
    module: Module<'_>,
    id: TypeId,
    docs: &TokenStream,
    it: &Union,
) -> Vec<TokenStream> {
    let name = module.name(id);
    let extra = &module.def(id).extra;
    let derive = module.derives.composite(id, false, Codec::Runtime, extra);
    let variants = it.variants.iter().enumerate().map(|(index, variant)| {
        let mut docs = Doc::of(&variant.docs, variant.name.as_str());
        if let Some(tag) = docs::tag(it, index) {
            docs = docs.or(tag);
        }
        let docs = docs.attributes();
        let deprecated = deprecated(&variant.docs);
        let name = &variant.name;
        let shape = module.types.rust(&variant.shape);
        quote!(#docs #deprecated #name(#shape))
    });
    let codec = union_codec(module, id, it);
    vec![quote! {
        #docs
        #derive
        pub enum #name { #(#variants,)* }
        #codec
    }]
}

fn union_codec(module: Module<'_>, id: TypeId, it: &Union) -> TokenStream {
    let name = module.name(id);
    let variants: Vec<_> = it.variants.iter().map(|it| &it.name).collect();
    let rules: Vec<_> = it
        .variants
        .iter()
        .map(|it| checks::rules(module.types, &it.shape))
        .map(|it| (!it.is_empty()).then(|| checks::braced(&it)))
        .collect();
    match &it.select {
        Select::Tag {
            property,
            values,
            absent,
        } => {
            let tags = variants.iter().zip(values).zip(&rules);
            let tags = tags.map(|((variant, values), rules)| {
                let texts = values.iter().map(Value::to_string);
                quote!(#variant = [#(#texts),*] #rules)
            });
            let absent = absent.map(|index| {
                let variant = variants[index];
                quote!(else #variant)
            });
            quote! {
                mcp_codegen_runtime::tagged_union! { #name by #property { #(#tags),* } #absent }
            }
        }
        Select::Kind(kinds) => {
            let kinds = variants.iter().zip(kinds).zip(&rules);
            let kinds = kinds.map(|((variant, kinds), rules)| {
                let kinds = kinds.iter().map(|it| kind(*it));
                quote!(#variant = [#(#kinds),*] #rules)
            });
            quote!(mcp_codegen_runtime::kind_union! { #name { #(#kinds),* } })
        }
        Select::Schema(_) => {
            quote!(
                mcp_codegen_runtime::schema_union! { #name in CONTRACT { #(#variants #rules),* } }
            )
        }
    }
}

fn kind(kind: JsonKind) -> TokenStream {
    match kind {
        JsonKind::Null => quote!(null),
        JsonKind::Boolean => quote!(boolean),
        JsonKind::Integer => quote!(integer),
        JsonKind::Number => quote!(number),
        JsonKind::String => quote!(string),
        JsonKind::Array => quote!(array),
        JsonKind::Object => quote!(object),
    }
}
