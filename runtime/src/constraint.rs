//! Types that hold only what a schema's bounds, lengths and patterns allow.
//!
//! The rules are judged by the validator that judges whole contracts, so type and contract never
//! differ: patterns are ECMA's, lengths are counted in code points, `0.1` is a multiple of `0.1`.

use std::{fmt, sync::OnceLock};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    checks,
    contract::FormatPolicy,
    decode::{DecodeError, decode},
    validate::{LazyChecker, echo},
    violation::Violations,
};

/// Why a value is none of a type that a schema constrains.
///
/// Displays as `expected at least 1 character`, one reason after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstraintError {
    reasons: String,
}

impl ConstraintError {
    fn new(violations: &Violations) -> Self {
        let reasons = violations
            .iter()
            .map(|it| it.clone().redacted().to_string());
        Self {
            reasons: reasons.collect::<Vec<_>>().join("; "),
        }
    }

    /// An error for a text that is not even a value of the inner type.
    #[doc(hidden)]
    pub fn unreadable(reason: &dyn fmt::Display) -> Self {
        Self {
            reasons: reason.to_string(),
        }
    }
}

impl fmt::Display for ConstraintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reasons)
    }
}

impl std::error::Error for ConstraintError {}

/// Keywords of a schema that all values of a type obey.
#[doc(hidden)]
pub struct Rules {
    /// The JSON type of the values.
    kind: &'static str,
    /// Keywords with the JSON texts of their values; one may come twice.
    keywords: &'static [(&'static str, &'static str)],
    built: OnceLock<LazyChecker>,
}

impl Rules {
    /// The rules for values of a JSON type.
    pub const fn new(
        kind: &'static str,
        keywords: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self {
            kind,
            keywords,
            built: OnceLock::new(),
        }
    }

    /// Checks a value of the inner type.
    ///
    /// # Errors
    ///
    /// Every rule that it breaks.
    pub fn check<T: Serialize>(&self, value: &T) -> Result<(), ConstraintError> {
        let value = serde_json::to_value(value).map_err(|it| ConstraintError::unreadable(&it))?;
        let checked = self.checker().get().check(&value);
        checked.map_err(|it| ConstraintError::new(&it))
    }

    /// Reads a value of the inner type that keeps the rules.
    ///
    /// # Errors
    ///
    /// Where it is no such value, or the first rule that it breaks.
    pub fn decode<T: DeserializeOwned>(&self, value: &Value) -> Result<T, DecodeError> {
        let inner = decode(value)?;
        match self.checker().get().check(value) {
            Ok(()) => Ok(inner),
            Err(violations) => {
                let error = ConstraintError::new(&violations);
                Err(DecodeError::new(error.reasons).with_got(echo(value)))
            }
        }
    }

    fn checker(&self) -> &LazyChecker {
        self.built.get_or_init(|| {
            let mut schema = checks::schema(self.keywords);
            schema.insert("type".to_owned(), self.kind.into());
            LazyChecker::new(schema.into(), FormatPolicy::Dialect)
        })
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rules").field(&self.keywords).finish()
    }
}

/// What a struct around a text, number or list needs to hold only what a schema allows: `new`, `into_inner`,
/// `TryFrom`, `Deref`, `AsRef` and serde; for texts and numbers also `Display` and `FromStr`.
///
/// # Examples
///
/// ```
/// use mcp_codegen_runtime::{decode, serde_json::json};
///
/// #[derive(Clone, Debug, PartialEq, Eq, Hash)]
/// pub struct City(String);
/// mcp_codegen_runtime::constrained! { City(String) text { minLength = "1", pattern = "\"^[A-Z]\"" } }
///
/// let oslo: City = "Oslo".parse()?;
/// assert_eq!(oslo.len(), 4);
/// assert!(City::new(String::new()).is_err());
/// assert_eq!(decode::<City>(&json!("Oslo")).ok(), Some(oslo));
/// assert!(decode::<City>(&json!("oslo")).is_err());
/// # Ok::<(), mcp_codegen_runtime::ConstraintError>(())
/// ```
#[macro_export]
macro_rules! constrained {
    ($name:ident($inner:ty) text { $($keyword:ident = $json:literal),+ $(,)? }) => {
        $crate::__constrained! { $name($inner) "string" { $($keyword = $json),+ } {
            impl ::core::convert::AsRef<str> for $name {
                fn as_ref(&self) -> &str {
                    &self.0
                }
            }

            impl ::core::str::FromStr for $name {
                type Err = $crate::ConstraintError;

                fn from_str(text: &str) -> ::core::result::Result<Self, Self::Err> {
                    Self::new(<$inner as ::core::convert::From<&str>>::from(text))
                }
            }

            impl ::core::convert::TryFrom<&str> for $name {
                type Error = $crate::ConstraintError;

                fn try_from(text: &str) -> ::core::result::Result<Self, Self::Error> {
                    <Self as ::core::str::FromStr>::from_str(text)
                }
            }

            $crate::__constrained_display! { $name }
        } }
    };
    ($name:ident($inner:ty) number { $($keyword:ident = $json:literal),+ $(,)? }) => {
        $crate::__constrained! { $name($inner) "number" { $($keyword = $json),+ } {
            impl ::core::convert::AsRef<$inner> for $name {
                fn as_ref(&self) -> &$inner {
                    &self.0
                }
            }

            impl ::core::str::FromStr for $name {
                type Err = $crate::ConstraintError;

                fn from_str(text: &str) -> ::core::result::Result<Self, Self::Err> {
                    match <$inner as ::core::str::FromStr>::from_str(text) {
                        ::core::result::Result::Ok(value) => Self::new(value),
                        ::core::result::Result::Err(error) => ::core::result::Result::Err(
                            $crate::ConstraintError::unreadable(&error),
                        ),
                    }
                }
            }

            $crate::__constrained_display! { $name }
        } }
    };
    ($name:ident($inner:ty) list { $($keyword:ident = $json:literal),+ $(,)? }) => {
        $crate::__constrained! { $name($inner) "array" { $($keyword = $json),+ } {
            impl ::core::convert::AsRef<$inner> for $name {
                fn as_ref(&self) -> &$inner {
                    &self.0
                }
            }
        } }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __constrained_display {
    ($name:ident) => {
        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(&self.0, f)
            }
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __constrained {
    ($name:ident($inner:ty) $kind:literal { $($keyword:ident = $json:literal),+ } { $($more:item)* }) => {
        const _: () = {
            static RULES: $crate::__private::Rules = $crate::__private::Rules::new(
                $kind,
                &[$((stringify!($keyword), $json)),+],
            );

            impl $name {
                /// Takes a value that the schema allows.
                ///
                /// # Errors
                ///
                /// Every rule of the schema that it breaks.
                pub fn new(value: $inner) -> ::core::result::Result<Self, $crate::ConstraintError> {
                    RULES.check(&value)?;
                    ::core::result::Result::Ok(Self(value))
                }

                /// The value.
                pub fn into_inner(self) -> $inner {
                    self.0
                }
            }

            impl ::core::ops::Deref for $name {
                type Target = $inner;

                fn deref(&self) -> &$inner {
                    &self.0
                }
            }

            impl ::core::convert::TryFrom<$inner> for $name {
                type Error = $crate::ConstraintError;

                fn try_from(value: $inner) -> ::core::result::Result<Self, Self::Error> {
                    Self::new(value)
                }
            }

            impl ::core::convert::From<$name> for $inner {
                fn from(value: $name) -> Self {
                    value.0
                }
            }

            impl $crate::__private::serde::Serialize for $name {
                fn serialize<S>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error>
                where
                    S: $crate::__private::serde::Serializer,
                {
                    $crate::__private::serde::Serialize::serialize(&self.0, serializer)
                }
            }

            impl<'de> $crate::__private::serde::Deserialize<'de> for $name {
                fn deserialize<D>(deserializer: D) -> ::core::result::Result<Self, D::Error>
                where
                    D: $crate::__private::serde::Deserializer<'de>,
                {
                    $crate::__private::deserialize(deserializer, |value| {
                        RULES.decode(value).map($name)
                    })
                }
            }

            $($more)*
        };
    };
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use std::ops::Deref;

    use serde_json::json;

    use crate::{ConstraintError, decode};

    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct Code(String);
    crate::constrained! { Code(String) text { maxLength = "3", pattern = "\"^(?!.0)\"", pattern = "\"^\\\\d\"", pattern = "\"[^9]$\"" } }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Ratio(f64);
    crate::constrained! { Ratio(f64) number { exclusiveMinimum = "0", maximum = "1", multipleOf = "0.1" } }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Days(u64);
    crate::constrained! { Days(u64) number { minimum = "1", maximum = "7" } }

    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Codes(Vec<Code>);
    crate::constrained! { Codes(Vec<Code>) list { minItems = "1", uniqueItems = "true" } }

    #[test]
    fn texts_are_judged_as_the_schema_judges_them() {
        for (text, fits) in [
            ("1a", true),
            ("1\u{1f600}b", true),
            ("", false),
            ("10", false),
            ("12345", false),
            ("129", false),
            // `\d` is ECMA's, and no digit of another script.
            ("\u{661}a", false),
        ] {
            assert_eq!(text.parse::<Code>().is_ok(), fits, "{text}");
            assert_eq!(Code::new(text.to_owned()).is_ok(), fits, "{text}");
            assert_eq!(decode::<Code>(&json!(text)).is_ok(), fits, "{text}");
        }
        let code = Code::try_from("1a").unwrap();
        assert_eq!(
            (code.len(), code.to_string(), code.as_ref()),
            (2, "1a".to_owned(), "1a")
        );
        assert_eq!(serde_json::to_value(&code).unwrap(), json!("1a"));
        assert_eq!(String::from(code.clone()), code.into_inner());
    }

    #[test]
    fn numbers_and_lists_too() {
        for (number, fits) in [
            (0.3, true),
            (1.0, true),
            (0.0, false),
            (0.35, false),
            (1.1, false),
            (f64::NAN, false),
        ] {
            assert_eq!(Ratio::new(number).is_ok(), fits, "{number}");
        }
        assert_eq!("0.3".parse::<Ratio>().unwrap().to_string(), "0.3");
        assert_eq!(
            "x".parse::<Ratio>().unwrap_err().to_string(),
            "invalid float literal"
        );
        assert_eq!(decode::<Days>(&json!(7.0)).map(Days::into_inner), Ok(7));
        assert!(decode::<Days>(&json!(8)).is_err() && decode::<Days>(&json!("1")).is_err());
        let list = |codes: &[&str]| -> Result<Codes, ConstraintError> {
            Codes::new(
                codes
                    .iter()
                    .map(|it| it.parse())
                    .collect::<Result<_, _>>()?,
            )
        };
        assert_eq!(list(&["1a", "1b"]).unwrap().deref().len(), 2);
        assert!(list(&[]).is_err() && list(&["1a", "1a"]).is_err());
        assert_eq!(
            decode::<Codes>(&json!(["1a", 3])).unwrap_err().pointer,
            "/1"
        );
    }

    #[test]
    fn errors_name_every_rule_and_not_the_value() {
        let error = Code::new("abcd9".to_owned()).unwrap_err().to_string();
        assert_eq!(error.matches("; ").count(), 2, "{error}");
        assert!(!error.contains("abcd9"), "{error}");
        let error = decode::<Days>(&json!(9)).unwrap_err();
        assert_eq!(error.to_string(), "expected at most 7, got 9");
    }
}
