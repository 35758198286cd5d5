//! Names of the generated code: every one is made here, from text of the contract.
//!
//! Each function is total: any text, the empty one included, gives a valid identifier. That a
//! name is also unique is the work of a [`Scope`].

mod exact;
mod reserved;
mod scope;
mod scripts;
#[cfg(test)]
mod tests;
mod words;

use std::fmt;

pub(crate) use exact::{exact_field_name, exact_type_name, exact_variant_name, is_field_like};
pub(crate) use scope::{Claimed, Scope};

macro_rules! name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) struct $name(String);

        impl $name {
            pub(crate) fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl quote::ToTokens for $name {
            fn to_tokens(&self, tokens: &mut proc_macro2::TokenStream) {
                ident(&self.0).to_tokens(tokens);
            }
        }
    };
}

name! {
    /// A Rust type or trait: `GetWeatherInput`.
    TypeName
}
name! {
    /// A struct field: `location`, `r#type`.
    FieldName
}
name! {
    /// An enum variant: `Metric`.
    VariantName
}
name! {
    /// A trait method: `get_weather`.
    MethodName
}
name! {
    /// A static: `CONFIRM_DELETE`.
    ConstantName
}
name! {
    /// A module and its file: `weather`. Never a raw identifier, so that it is a file name too.
    ModuleName
}

/// A type or trait name; steps aside for the prelude and for what generated modules import.
pub(crate) fn type_name(text: &str) -> TypeName {
    TypeName(reserved::free_type(words::upper_camel(text)))
}

/// A type name made of parts that are joined as words: `GetWeatherInput` + `location`.
pub(crate) fn joined_type_name(first: &TypeName, rest: &str) -> TypeName {
    TypeName(reserved::free_type(words::join(
        &first.0,
        &words::upper_camel_part(rest),
    )))
}

/// A name cut to at most `length` characters, to stand before more text.
pub(crate) fn shortened(name: &TypeName, length: usize) -> TypeName {
    let cut: String = name.0.chars().take(length).collect();
    TypeName(cut.trim_end_matches('_').to_owned())
}

/// A struct field name; keywords become raw identifiers.
pub(crate) fn field_name(text: &str) -> FieldName {
    FieldName(reserved::free_value(words::snake(text)))
}

/// An enum variant name.
pub(crate) fn variant_name(text: &str) -> VariantName {
    VariantName(reserved::free_variant(words::upper_camel(text)))
}

/// A trait method name; keywords become raw identifiers.
pub(crate) fn method_name(text: &str) -> MethodName {
    MethodName(reserved::free_value(words::snake(text)))
}

/// The name of a static. One letter would also be a type's name, and `CONTRACT` is there already.
pub(crate) fn constant_name(text: &str) -> ConstantName {
    let name = words::snake(text).to_uppercase();
    let is_free = name.chars().count() > 1 && name != "CONTRACT";
    ConstantName(if is_free {
        name
    } else {
        format!("{name}_FORM")
    })
}

/// A module name; keywords get a trailing underscore.
pub(crate) fn module_name(text: &str) -> ModuleName {
    ModuleName(reserved::free_module(words::snake(text)))
}

/// The name of the server that serves a trait: `WeatherServer`.
pub(crate) fn server_name(trait_name: &TypeName) -> TypeName {
    TypeName(format!("{trait_name}Server"))
}

/// The name that the typed client of a trait has: `WeatherClient`.
pub(crate) fn client_name(trait_name: &TypeName) -> TypeName {
    TypeName(format!("{trait_name}Client"))
}

/// The identifier of a name; `r#` names become raw identifiers.
fn ident(name: &str) -> proc_macro2::Ident {
    match name.strip_prefix("r#") {
        Some(raw) => proc_macro2::Ident::new_raw(raw, proc_macro2::Span::call_site()),
        None => proc_macro2::Ident::new(name, proc_macro2::Span::call_site()),
    }
}
