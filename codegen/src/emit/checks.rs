//! The rules that whoever holds a value checks when it reads it.
//!
//! They stand beside the type as the keywords of a small schema, `items` and the like for what lies inside of it:
//! a plain `Vec<String>` stays one.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use serde_json::{Map, Value, json};

use super::{markdown::hides, shape::Types, types::Module};
use crate::{
    graph::{Field, Presence, Rule, Shape, Struct, TypeId, TypeKind, Unknown},
    naming::FieldName,
};

/// The rules for the values of a shape and for what lies inside of them, named types aside: those
/// check themselves.
pub(super) fn rules(types: Types<'_>, shape: &Shape) -> Vec<Rule> {
    rules_within(types, shape, 0)
}

fn rules_within(types: Types<'_>, shape: &Shape, depth: usize) -> Vec<Rule> {
    let inside = |shape: &Shape| schema(rules_within(types, shape, depth));
    let one = |keyword: &str, value: Value| Rule {
        keyword: keyword.to_owned(),
        value,
    };
    match shape {
        Shape::Limited(it) => {
            let mut rules = it.rules.clone();
            rules.extend(rules_within(types, &it.shape, depth));
            rules
        }
        // A keyword says nothing about values of other kinds, such as `null`.
        Shape::Nullable(inner) | Shape::Boxed(inner) => rules_within(types, inner, depth),
        Shape::List(item) => inside(item)
            .map(|it| one("items", it))
            .into_iter()
            .collect(),
        Shape::Map(value) => {
            let values = inside(value).map(|it| one("additionalProperties", it));
            values.into_iter().collect()
        }
        Shape::Tuple(items) => {
            let items: Vec<_> = items.iter().map(inside).collect();
            if items.iter().all(Option::is_none) {
                return Vec::new();
            }
            let items = items.into_iter().map(|it| it.unwrap_or(Value::Bool(true)));
            vec![one("prefixItems", items.collect())]
        }
        // Aliases never contain themselves; the count is there to end the walk all the same.
        Shape::Named(id) if depth <= types.types.len() => match &types.types[id.0].kind {
            TypeKind::Alias(inner) => rules_within(types, inner, depth + 1),
            TypeKind::Struct(_)
            | TypeKind::Literals(_)
            | TypeKind::Constant(_)
            | TypeKind::Union(_)
            | TypeKind::Newtype(_)
            | TypeKind::Constrained(_) => Vec::new(),
        },
        Shape::Named(_)
        | Shape::Any
        | Shape::Never
        | Shape::Null
        | Shape::Boolean
        | Shape::Integer(_)
        | Shape::Number
        | Shape::String
        | Shape::Foreign(_) => Vec::new(),
    }
}

/// Rules as one schema; `None` where there are none.
fn schema(rules: Vec<Rule>) -> Option<Value> {
    let mut schema = Map::new();
    let mut more = Vec::new();
    for Rule { keyword, value } in rules {
        if schema.contains_key(&keyword) {
            more.push(json!({ keyword: value }));
        } else {
            schema.insert(keyword, value);
        }
    }
    if !more.is_empty() {
        schema.insert("allOf".to_owned(), more.into());
    }
    (!schema.is_empty()).then(|| schema.into())
}

/// `{ minLength = "1", … }`, as the runtime's macros take rules.
pub(super) fn braced(rules: &[Rule]) -> TokenStream {
    let rules = rules.iter().map(|Rule { keyword, value }| {
        let keyword = format_ident!("{keyword}");
        let json = text(value);
        quote!(#keyword = #json)
    });
    quote!({ #(#rules),* })
}

/// The JSON text of a value as a Rust literal: raw where escapes would hide it, but not where something would hide in
/// it: rustc refuses raw characters that turn the direction of text.
fn text(value: &Value) -> Literal {
    let json = value.to_string();
    let plain = !json.contains(['"', '\\']) || json.contains("\"#") || json.contains(hides);
    let raw = (!plain)
        .then(|| format!("r#\"{json}\"#").parse().ok())
        .flatten();
    raw.unwrap_or_else(|| Literal::string(&json))
}

/// The function that reads a field, where it has rules.
pub(super) fn reader(types: Types<'_>, name: &FieldName, shape: &Shape) -> Option<Ident> {
    let bare = name.as_str().trim_start_matches("r#");
    (!rules(types, shape).is_empty()).then(|| format_ident!("read_{bare}"))
}

/// The functions that read the fields of a struct.
pub(super) fn of_struct(module: Module<'_>, id: TypeId, it: &Struct) -> Option<TokenStream> {
    let field = |Field {
                     name,
                     shape,
                     presence,
                     ..
                 }: &Field| {
        let how = match presence {
            Presence::Optional => quote!(some),
            Presence::Required | Presence::Default(_) => quote!(value),
        };
        entry(module.types, name, shape, &how)
    };
    let mut entries: Vec<_> = it.fields.iter().filter_map(field).collect();
    if let Unknown::Keep(name, value) = &it.unknown {
        entries.extend(entry(module.types, name, value, &quote!(rest)));
    }
    let name = module.name(id);
    (!entries.is_empty()).then(|| quote!(mcp_codegen_runtime::checks! { #name { #(#entries),* } }))
}

fn entry(
    types: Types<'_>,
    name: &FieldName,
    shape: &Shape,
    how: &TokenStream,
) -> Option<TokenStream> {
    let reader = reader(types, name, shape)?;
    let rules = braced(&rules(types, shape));
    Some(quote!(#reader: #how #rules))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_raw_where_that_hides_nothing() {
        for (value, expected) in [
            (json!(3), r#""3""#),
            (json!("^\\d$"), "r#\"\"^\\\\d$\"\"#"),
            (json!("\"#"), r##""\"\\\"#\"""##),
            (json!("\u{202e}\""), r#""\"\u{202e}\\\"\"""#),
        ] {
            assert_eq!(text(&value).to_string(), expected);
        }
    }
}
