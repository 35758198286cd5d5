//! Objects with declared properties as structs.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{
    checks,
    defaults::{DefaultValue, default_value},
    derives::{Codec, has_default},
    docs::Doc,
    rename::Rule,
    types::{Module, deprecated},
};
use crate::{
    graph::{Field, Presence, Shape, Struct, TypeId, Unknown},
    naming::FieldName,
};

/// The struct, the functions that make its defaults, and its `Default`.
pub(super) fn structure(
    module: Module<'_>,
    id: TypeId,
    docs: &TokenStream,
    it: &Struct,
) -> Vec<TokenStream> {
    let name = module.name(id);
    let defaults: Vec<_> = it
        .fields
        .iter()
        .map(|field| Filled::of(module, field))
        .collect();
    let derivable = has_default(it) && defaults.iter().all(Filled::is_rust_default);
    let extra = &module.def(id).extra;
    let derive = module.derives.composite(id, derivable, Codec::Serde, extra);
    let deny = matches!(it.unknown, Unknown::Deny).then(|| quote!(#[serde(deny_unknown_fields)]));
    let names = it.fields.iter().map(|it| (bare(&it.name), it.key.as_str()));
    let rule = Rule::of_fields(&names.collect::<Vec<_>>());
    let rename_all = rule.attribute();
    let fields = it
        .fields
        .iter()
        .zip(&defaults)
        .map(|(it, filled)| field(module, id, it, filled, rule));
    let rest = rest(module, id, it);
    let mut items = vec![quote! {
        #docs
        #derive
        #deny
        #rename_all
        pub struct #name {
            #(#fields,)*
            #rest
        }
    }];
    if let (Some(checks), Some(declaration)) =
        (checks::of_struct(module, id, it), items.first_mut())
    {
        declaration.extend(checks);
    }
    items.extend(default_functions(module, id, it, &defaults));
    if has_default(it) && !derivable {
        items.push(default_impl(module, id, it, &defaults));
    }
    items
}

/// What stands in for an absent property.
enum Filled {
    /// Nothing: it must be present.
    Never,
    /// `None`.
    Absent,
    Value(DefaultValue),
}

impl Filled {
    fn of(module: Module<'_>, field: &Field) -> Self {
        match &field.presence {
            Presence::Required => Self::Never,
            Presence::Optional => Self::Absent,
            Presence::Default(value) => {
                Self::Value(default_value(module.types, &field.shape, value))
            }
        }
    }

    fn is_rust_default(&self) -> bool {
        match self {
            Self::Never => false,
            Self::Absent => true,
            Self::Value(it) => it.is_rust_default,
        }
    }
}

fn field(
    module: Module<'_>,
    id: TypeId,
    field: &Field,
    filled: &Filled,
    rule: Rule,
) -> TokenStream {
    let docs = Doc::of(&field.docs, &field.key).attributes();
    let deprecated = deprecated(&field.docs);
    let name = &field.name;
    let inner = module.types.rust(&field.shape);
    let ty = match field.presence {
        Presence::Optional => quote!(Option<#inner>),
        Presence::Required | Presence::Default(_) => inner,
    };
    let serde = serde_attributes(module, id, field, filled, rule);
    quote! {
        #docs
        #deprecated
        #serde
        pub #name: #ty
    }
}

/// What serde must know beyond name and type. `print` joins the attributes where they fit on a line.
fn serde_attributes(
    module: Module<'_>,
    id: TypeId,
    field: &Field,
    filled: &Filled,
    rule: Rule,
) -> TokenStream {
    let rename = (!rule.gives_field(bare(&field.name), &field.key)).then(|| {
        let key = &field.key;
        quote!(#[serde(rename = #key)])
    });
    let checked = checks::reader(module.types, &field.name, &field.shape);
    let checked = checked.map(|it| format!("{}::{it}", module.name(id)));
    let read = checked
        .as_ref()
        .map(|it| quote!(#[serde(deserialize_with = #it)]));
    let presence = match filled {
        Filled::Never if read.is_some() => read,
        Filled::Never if absent_reads_as_none(module, &field.shape) => {
            Some(quote!(#[serde(deserialize_with = "de::required")]))
        }
        Filled::Never => None,
        Filled::Absent => {
            let reader = checked.as_deref().unwrap_or("de::some");
            Some(quote! {
                #[serde(
                    default,
                    deserialize_with = #reader,
                    skip_serializing_if = "Option::is_none"
                )]
            })
        }
        Filled::Value(it) if it.is_rust_default => Some(quote!(#[serde(default)] #read)),
        Filled::Value(_) => {
            let path = format!("{}::{}", module.name(id), default_function(&field.name));
            Some(quote!(#[serde(default = #path)] #read))
        }
    };
    quote!(#rename #presence)
}

/// Whether serde would take an absent property of this shape for `null`.
pub(super) fn absent_reads_as_none(module: Module<'_>, shape: &Shape) -> bool {
    matches!(module.types.behind(shape), Shape::Nullable(_))
}

/// The map of undeclared properties.
fn rest(module: Module<'_>, id: TypeId, it: &Struct) -> Option<TokenStream> {
    let Unknown::Keep(name, value) = &it.unknown else {
        return None;
    };
    let reader = match checks::reader(module.types, name, value) {
        Some(reader) => format!("{}::{reader}", module.name(id)),
        None => "de::rest".to_owned(),
    };
    let value = module.types.rust(value);
    let docs = if it.patterns {
        " Properties whose names match a pattern of the schema."
    } else {
        " Properties that the schema does not declare."
    };
    Some(quote! {
        #[doc = #docs]
        #[serde(flatten, deserialize_with = #reader)]
        pub #name: BTreeMap<String, #value>,
    })
}

fn default_functions(
    module: Module<'_>,
    id: TypeId,
    it: &Struct,
    filled: &[Filled],
) -> Option<TokenStream> {
    let functions: Vec<_> = it
        .fields
        .iter()
        .zip(filled)
        .filter_map(|(field, filled)| match filled {
            Filled::Value(DefaultValue {
                expression,
                is_rust_default: false,
            }) => {
                let name = default_function(&field.name);
                let ty = module.types.rust(&field.shape);
                Some(quote!(fn #name() -> #ty { #expression }))
            }
            Filled::Value(_) | Filled::Never | Filled::Absent => None,
        })
        .collect();
    let name = module.name(id);
    (!functions.is_empty()).then(|| quote!(impl #name { #(#functions)* }))
}

/// `Default` as an empty object would give it.
fn default_impl(module: Module<'_>, id: TypeId, it: &Struct, filled: &[Filled]) -> TokenStream {
    let name = module.name(id);
    let fields = it.fields.iter().zip(filled).map(|(field, filled)| {
        let name = &field.name;
        match filled {
            Filled::Never | Filled::Absent => quote!(#name: None),
            Filled::Value(DefaultValue {
                expression,
                is_rust_default: true,
            }) => quote!(#name: #expression),
            Filled::Value(_) => {
                let function = default_function(name);
                quote!(#name: Self::#function())
            }
        }
    });
    let rest = match &it.unknown {
        Unknown::Deny | Unknown::Drop => None,
        Unknown::Keep(name, _) => Some(quote!(#name: BTreeMap::new(),)),
    };
    quote! {
        impl Default for #name {
            fn default() -> Self {
                Self { #(#fields,)* #rest }
            }
        }
    }
}

fn default_function(field: &FieldName) -> Ident {
    format_ident!("default_{}", bare(field))
}

/// The name as serde sees it.
fn bare(name: &FieldName) -> &str {
    name.as_str().strip_prefix("r#").unwrap_or(name.as_str())
}
