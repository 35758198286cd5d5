//! The macros that generated code calls: enums with a reading of their own, and the include.

/// Serde for an enum of JSON literals that are not all strings.
///
/// Numbers compare by value: `1.0` is `1`, `true` is neither.
///
/// # Examples
///
/// ```
/// use mcp_codegen_runtime::{decode, serde_json::json};
///
/// #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
/// pub enum Level { One, Off }
/// mcp_codegen_runtime::literals! { Level { One = "1", Off = "null" } }
///
/// assert_eq!(decode::<Level>(&json!(1.0)).unwrap(), Level::One);
/// assert_eq!(mcp_codegen_runtime::serde_json::to_value(Level::Off).unwrap(), json!(null));
/// ```
#[macro_export]
macro_rules! literals {
    ($name:ident { $($variant:ident = $json:literal),+ $(,)? }) => {
        const _: () = {
            static LITERALS: $crate::__private::Literals =
                $crate::__private::Literals::new(&[$($json),+]);
            const VARIANTS: &[$name] = &[$($name::$variant),+];

            impl $crate::__private::serde::Serialize for $name {
                fn serialize<S>(
                    &self,
                    serializer: S,
                ) -> ::core::result::Result<S::Ok, S::Error>
                where
                    S: $crate::__private::serde::Serializer,
                {
                    let index = *self as usize;
                    $crate::__private::serialize_literal(&LITERALS, index, serializer)
                }
            }

            impl<'de> $crate::__private::serde::Deserialize<'de> for $name {
                fn deserialize<D>(deserializer: D) -> ::core::result::Result<Self, D::Error>
                where
                    D: $crate::__private::serde::Deserializer<'de>,
                {
                    $crate::__private::deserialize(deserializer, |value| {
                        LITERALS.find(value).map(|index| VARIANTS[index])
                    })
                }
            }
        };
    };
}

/// Serde for a unit struct that stands for one JSON value.
///
/// # Examples
///
/// ```
/// use mcp_codegen_runtime::{decode, serde_json::json};
///
/// #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
/// pub struct CircleKind;
/// mcp_codegen_runtime::constant! { CircleKind = "\"circle\"" }
///
/// assert_eq!(decode::<CircleKind>(&json!("circle")).unwrap(), CircleKind);
/// assert!(decode::<CircleKind>(&json!("square")).is_err());
/// ```
#[macro_export]
macro_rules! constant {
    ($name:ident = $json:literal) => {
        const _: () = {
            static LITERALS: $crate::__private::Literals =
                $crate::__private::Literals::new(&[$json]);

            impl $crate::__private::serde::Serialize for $name {
                fn serialize<S>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error>
                where
                    S: $crate::__private::serde::Serializer,
                {
                    $crate::__private::serialize_literal(&LITERALS, 0, serializer)
                }
            }

            impl<'de> $crate::__private::serde::Deserialize<'de> for $name {
                fn deserialize<D>(deserializer: D) -> ::core::result::Result<Self, D::Error>
                where
                    D: $crate::__private::serde::Deserializer<'de>,
                {
                    $crate::__private::deserialize(deserializer, |value| {
                        LITERALS.find(value).map(|_| $name)
                    })
                }
            }
        };
    };
}

/// Serde for an enum of newtype variants, given an expression with a `find` that tells the variant's index.
#[doc(hidden)]
#[macro_export]
macro_rules! __union {
    ($name:ident { $($variant:ident $({ $($keyword:ident = $json:literal),+ })?),+ } by $find:expr) => {
        impl $crate::__private::serde::Serialize for $name {
            fn serialize<S>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error>
            where
                S: $crate::__private::serde::Serializer,
            {
                match self {
                    $(Self::$variant(inner) => {
                        $crate::__private::serde::Serialize::serialize(inner, serializer)
                    })+
                }
            }
        }

        impl<'de> $crate::__private::serde::Deserialize<'de> for $name {
            fn deserialize<D>(deserializer: D) -> ::core::result::Result<Self, D::Error>
            where
                D: $crate::__private::serde::Deserializer<'de>,
            {
                type Read = fn(&$crate::Value) -> ::core::result::Result<$name, $crate::DecodeError>;
                const READ: &[Read] = &[
                    $(|value| {
                        $(
                            static CHECKS: $crate::__private::Checks =
                                $crate::__private::Checks::new(&[$((stringify!($keyword), $json)),+]);
                            CHECKS.check(value)?;
                        )?
                        $crate::__private::decode_variant(value, $name::$variant)
                    }),+
                ];
                $crate::__private::deserialize(deserializer, |value| {
                    READ[$find.find(value)?](value)
                })
            }
        }
    };
}

/// Serde for an enum whose variant is told by the value of one property.
///
/// `else X` names the variant of an object without the property.
///
/// # Examples
///
/// ```
/// use std::collections::BTreeMap;
///
/// use mcp_codegen_runtime::{Value, decode, serde_json::json};
///
/// #[derive(Clone, Debug, PartialEq)]
/// pub enum Shape { Circle(BTreeMap<String, Value>), Square(BTreeMap<String, Value>) }
/// mcp_codegen_runtime::tagged_union! {
///     Shape by "kind" { Circle = ["\"circle\""], Square = ["\"square\"", "\"sq\""] } else Circle
/// }
///
/// assert!(matches!(decode(&json!({ "kind": "sq" })), Ok(Shape::Square(_))));
/// assert!(matches!(decode(&json!({})), Ok(Shape::Circle(_))));
/// assert_eq!(decode::<Shape>(&json!({ "kind": "x" })).unwrap_err().pointer, "/kind");
/// ```
#[macro_export]
macro_rules! tagged_union {
    ($name:ident by $property:literal { $($variant:ident = [$($json:literal),+ $(,)?] $({ $($rule:tt)+ })?),+ $(,)? } $(else $absent:ident)?) => {
        const _: () = {
            static TAGS: $crate::__private::Tags = $crate::__private::Tags::new(
                $property,
                &[$((stringify!($variant), &[$($json),+])),+],
                $crate::__absent!($($absent)?),
            );
            $crate::__union! { $name { $($variant $({ $($rule)+ })?),+ } by TAGS }
        };
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __absent {
    () => {
        ::core::option::Option::None
    };
    ($variant:ident) => {
        ::core::option::Option::Some(stringify!($variant))
    };
}

/// Serde for an enum whose variant is told by the kind of the JSON value.
///
/// Kinds are `null boolean integer number string array object`. An integral number is an `integer` where some
/// variant claims that kind, else a `number`. What a variant holds may have rules: `Text = [string] { minLength = "1" }`.
///
/// # Examples
///
/// ```
/// use mcp_codegen_runtime::{decode, serde_json::json};
///
/// #[derive(Clone, Debug, PartialEq)]
/// pub enum StringOrList { Text(String), List(Vec<String>) }
/// mcp_codegen_runtime::kind_union! { StringOrList { Text = [string], List = [array] } }
///
/// assert_eq!(decode::<StringOrList>(&json!("a")).unwrap(), StringOrList::Text("a".to_owned()));
/// ```
#[macro_export]
macro_rules! kind_union {
    ($name:ident { $($variant:ident = [$($kind:ident),+ $(,)?] $({ $($rule:tt)+ })?),+ $(,)? }) => {
        const _: () = {
            static KINDS: $crate::__private::Kinds =
                $crate::__private::Kinds::new(&[$(&[$(stringify!($kind)),+]),+]);
            $crate::__union! { $name { $($variant $({ $($rule)+ })?),+ } by KINDS }
        };
    };
}

/// Serde for an enum whose variant is the first whose own schema accepts the value.
///
/// The schemas are the union's of that name in the contract.
#[macro_export]
macro_rules! schema_union {
    ($name:ident in $contract:path { $($variant:ident $({ $($rule:tt)+ })?),+ $(,)? }) => {
        const _: () = {
            static SCHEMAS: $crate::__private::Schemas =
                $crate::__private::Schemas::new(&$contract, stringify!($name));
            $crate::__union! { $name { $($variant $({ $($rule)+ })?),+ } by SCHEMAS }
        };
    };
}

/// Functions that read the fields of a struct and check what they read: keywords of JSON Schema with the JSON texts of their
/// values.
///
/// `value` reads the field's own type, `some` an optional property, `rest` the map of undeclared ones.
///
/// # Examples
///
/// ```
/// use mcp_codegen_runtime::{decode, serde_json::json};
/// use serde::Deserialize;
///
/// #[derive(Debug, Deserialize)]
/// pub struct Trip {
///     #[serde(deserialize_with = "Trip::read_city")]
///     pub city: String,
///     #[serde(default, deserialize_with = "Trip::read_days")]
///     pub days: Option<i64>,
/// }
/// mcp_codegen_runtime::checks! {
///     Trip {
///         read_city: value { minLength = "1", maxLength = "80" },
///         read_days: some { minimum = "1", maximum = "14" },
///     }
/// }
///
/// assert!(decode::<Trip>(&json!({ "city": "Oslo", "days": 3 })).is_ok());
/// let error = decode::<Trip>(&json!({ "city": "Oslo", "days": 15 })).unwrap_err();
/// assert_eq!(error.to_string(), "at /days: expected at most 14, got 15");
/// ```
#[macro_export]
macro_rules! checks {
    ($owner:ident { $($read:ident: $how:ident { $($keyword:ident = $json:literal),+ $(,)? }),+ $(,)? }) => {
        impl $owner {
            $($crate::__check! { $read $how [$((stringify!($keyword), $json)),+] })+
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __check {
    ($read:ident value $rules:tt) => {
        fn $read<'de, D, T>(deserializer: D) -> ::core::result::Result<T, D::Error>
        where
            D: $crate::__private::serde::Deserializer<'de>,
            T: $crate::__private::serde::de::DeserializeOwned,
        {
            static CHECKS: $crate::__private::Checks = $crate::__private::Checks::new(&$rules);
            CHECKS.read(deserializer)
        }
    };
    ($read:ident some $rules:tt) => {
        fn $read<'de, D, T>(
            deserializer: D,
        ) -> ::core::result::Result<::core::option::Option<T>, D::Error>
        where
            D: $crate::__private::serde::Deserializer<'de>,
            T: $crate::__private::serde::de::DeserializeOwned,
        {
            static CHECKS: $crate::__private::Checks = $crate::__private::Checks::new(&$rules);
            CHECKS.read(deserializer).map(::core::option::Option::Some)
        }
    };
    ($read:ident rest $rules:tt) => {
        fn $read<'de, D, T>(
            deserializer: D,
        ) -> ::core::result::Result<$crate::__private::Rest<T>, D::Error>
        where
            D: $crate::__private::serde::Deserializer<'de>,
            T: $crate::__private::serde::de::DeserializeOwned,
        {
            static CHECKS: $crate::__private::Checks = $crate::__private::Checks::new(&$rules);
            CHECKS.read_rest(deserializer)
        }
    };
}

/// Includes what `mcp-codegen-build` generated: all servers, or the named one.
///
/// Call it at most once per module: `include_contract!("weather")` puts the items of the server `weather` into the module
/// around it, `include_contract!()` a module per server.
///
/// # Examples
///
/// ```text
/// mod weather {
///     mcp_codegen_runtime::include_contract!("weather");
/// }
/// ```
#[macro_export]
macro_rules! include_contract {
    () => {
        include!(concat!(env!("OUT_DIR"), "/mod.rs"));
    };
    ($server:literal) => {
        #[allow(
            dead_code,
            deprecated,
            unused_imports,
            unreachable_pub,
            missing_docs,
            clippy::all,
            clippy::pedantic,
            reason = "generated code; a server need not use every type of its contract"
        )]
        mod generated_contract {
            include!(concat!(env!("OUT_DIR"), "/", $server, ".rs"));
        }

        #[allow(
            unused_imports,
            reason = "a server need not use every type of its contract"
        )]
        pub use generated_contract::*;
    };
}
