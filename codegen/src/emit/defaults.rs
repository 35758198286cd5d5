//! Declared defaults as Rust expressions.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use serde_json::{Number, Value};

use super::{derives, shape::Types};
use crate::graph::{Int, Shape, TypeKind};

/// A default value of a shape.
#[derive(Clone, Debug)]
pub(super) struct DefaultValue {
    /// The expression that makes it.
    pub(super) expression: TokenStream,
    /// Whether it is what `Default::default()` of the type gives.
    pub(super) is_rust_default: bool,
}

/// The Rust expression for a JSON value of this shape. Whatever has no short one is read from its
/// JSON text: the value is valid under the schema, so the type accepts it.
pub(super) fn default_value(types: Types<'_>, shape: &Shape, value: &Value) -> DefaultValue {
    plain(types, shape, value).unwrap_or_else(|| {
        let text = value.to_string();
        other(quote!(mcp_codegen_runtime::de::from_json(#text)))
    })
}

fn plain(types: Types<'_>, shape: &Shape, value: &Value) -> Option<DefaultValue> {
    Some(match (shape, value) {
        (Shape::Null, Value::Null) => rust_default(quote!(())),
        (Shape::Boolean, Value::Bool(it)) => by_rule(quote!(#it), !it),
        (Shape::Integer(int), Value::Number(it)) => by_rule(integer(*int, it)?, is_zero(it)),
        (Shape::Number, Value::Number(it)) => by_rule(float(it)?, is_zero(it)),
        (Shape::String, Value::String(it)) if it.is_empty() => rust_default(quote!(String::new())),
        (Shape::String, Value::String(it)) => other(quote!(#it.to_owned())),
        (Shape::List(item), Value::Array(values)) => list(types, item, values)?,
        (Shape::Map(_), Value::Object(it)) if it.is_empty() => {
            rust_default(quote!(BTreeMap::new()))
        }
        (Shape::Any, Value::Null) => rust_default(quote!(Value::Null)),
        (Shape::Any, Value::Bool(it)) => other(quote!(Value::Bool(#it))),
        (Shape::Nullable(_), Value::Null) => rust_default(quote!(None)),
        (Shape::Nullable(inner), it) => {
            let inner = default_value(types, inner, it).expression;
            other(quote!(Some(#inner)))
        }
        (Shape::Limited(of), it) => plain(types, &of.shape, it)?,
        (Shape::Boxed(inner), it) => {
            let DefaultValue {
                expression,
                is_rust_default,
            } = default_value(types, inner, it);
            by_rule(quote!(Box::new(#expression)), is_rust_default)
        }
        (Shape::Named(id), it) => named(types, id.0, it)?,
        // A tuple, a filled map or object, or a value that only the validator can judge.
        _ => return None,
    })
}

fn named(types: Types<'_>, index: usize, value: &Value) -> Option<DefaultValue> {
    let def = &types.types[index];
    let name = &def.name;
    match &def.kind {
        TypeKind::Alias(shape) => Some(default_value(types, shape, value)),
        TypeKind::Literals(literals) => {
            let variant = &literals.iter().find(|it| &it.value == value)?.name;
            Some(other(quote!(#name::#variant)))
        }
        TypeKind::Constant(it) if it == value => Some(rust_default(quote!(#name))),
        TypeKind::Struct(it) if value.as_object()?.is_empty() && derives::has_default(it) => {
            Some(rust_default(quote!(#name::default())))
        }
        TypeKind::Constant(_)
        | TypeKind::Struct(_)
        | TypeKind::Union(_)
        | TypeKind::Newtype(_)
        | TypeKind::Constrained(_) => None,
    }
}

fn list(types: Types<'_>, item: &Shape, values: &[Value]) -> Option<DefaultValue> {
    if values.is_empty() {
        return Some(rust_default(quote!(Vec::new())));
    }
    let items: Option<Vec<_>> = values
        .iter()
        .map(|it| Some(plain(types, item, it)?.expression))
        .collect();
    items.map(|items| other(quote!(vec![#(#items),*])))
}

fn integer(int: Int, number: &Number) -> Option<TokenStream> {
    let value = int.read(number)?;
    Some(signed(
        value < 0,
        &Literal::u128_unsuffixed(value.unsigned_abs()),
    ))
}

fn float(number: &Number) -> Option<TokenStream> {
    let value = number.as_f64().filter(|it| it.is_finite())?;
    let size = value.abs();
    let literal = if size == 0.0 || (1e-5..1e16).contains(&size) {
        Literal::f64_unsuffixed(size)
    } else {
        // Without an exponent it would be hundreds of digits long.
        let text = format!("{size:e}");
        text.parse()
            .expect("Rust reads the numbers that it writes with an exponent")
    };
    Some(signed(value.is_sign_negative(), &literal))
}

/// The sign is a token of its own: a negative literal token is nothing a parser makes.
fn signed(negative: bool, literal: &Literal) -> TokenStream {
    if negative {
        quote!(-#literal)
    } else {
        quote!(#literal)
    }
}

fn is_zero(number: &Number) -> bool {
    number
        .as_f64()
        .is_some_and(|it| it == 0.0 && it.is_sign_positive())
}

fn by_rule(expression: TokenStream, is_rust_default: bool) -> DefaultValue {
    DefaultValue {
        expression,
        is_rust_default,
    }
}

fn rust_default(expression: TokenStream) -> DefaultValue {
    by_rule(expression, true)
}

fn other(expression: TokenStream) -> DefaultValue {
    by_rule(expression, false)
}
