//! Settings that are Rust text: they must be what they claim, or generated code would not compile.

use syn::parse::Parser;

use super::{Located, RustType};
use crate::diagnostics::{Diagnostics, Id};

/// What stands in the prelude, and what needs no path.
const PLAIN: &[&str] = &[
    "Box", "Option", "String", "Vec", "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64",
    "i8", "isize", "u128", "u16", "u32", "u64", "u8", "usize",
];

/// Checks that a text is the path of a Rust type that means the same in every module.
///
/// # Errors
///
/// Why it is not, to stand behind "`X` ".
pub(crate) fn check_path(text: &str) -> Result<(), String> {
    let Ok(syn::Type::Path(syn::TypePath {
        qself: None, path, ..
    })) = syn::parse_str(text)
    else {
        return Err("is no path of a Rust type".to_owned());
    };
    let first = path
        .segments
        .first()
        .map(|it| it.ident.to_string())
        .unwrap_or_default();
    if matches!(first.as_str(), "self" | "super" | "Self") {
        return Err(format!(
            "begins with `{first}`, which means another module where it is used"
        ));
    }
    let alone = path.segments.len() == 1 && path.leading_colon.is_none();
    if alone && !PLAIN.contains(&first.as_str()) {
        return Err("does not say where the type is".to_owned());
    }
    Ok(())
}

fn check_derive(text: &str) -> Result<(), String> {
    match syn::parse_str::<syn::Path>(text) {
        Ok(path) if path.segments.iter().all(|it| it.arguments.is_none()) => Ok(()),
        _ => Err("is no path of a derive macro".to_owned()),
    }
}

fn check_attribute(text: &str) -> Result<(), String> {
    let parsed = syn::Attribute::parse_outer.parse_str(text);
    let Some(attributes) = parsed.ok().filter(|it| !it.is_empty()) else {
        return Err("is no attribute".to_owned());
    };
    for attribute in attributes {
        if attribute.path().is_ident("serde") {
            return Err(
                "would change what is on the wire, which the contract alone decides".to_owned(),
            );
        }
        if attribute.path().is_ident("derive") {
            return Err("belongs into `derives`, without `#[derive(…)]`".to_owned());
        }
    }
    Ok(())
}

/// Reports every setting of types that is no Rust of its kind.
pub(crate) fn check_types(settings: Located<'_>, diagnostics: &mut Diagnostics) {
    let config = settings.config;
    let mut refuse = |text: &str, why: String, help: &str, path: &[&str]| {
        let message = format!("`{text}` {why}");
        diagnostics.push(settings.value(Id::InvalidSetting, message, path).help(help));
    };
    for (selector, overrides) in &config.types {
        let lists: [(&str, &[String], Check, &str); 2] = [
            ("derives", &overrides.derives, check_derive, DERIVE),
            (
                "attributes",
                &overrides.attributes,
                check_attribute,
                ATTRIBUTE,
            ),
        ];
        for (key, texts, check, help) in lists {
            for (at, text) in texts.iter().enumerate() {
                if let Err(why) = check(text) {
                    refuse(text, why, help, &["types", selector, key, &at.to_string()]);
                }
            }
        }
    }
    for (table, types) in [("replace", &config.replace), ("formats", &config.formats)] {
        for (key, RustType { path, derives }) in types {
            if let Err(why) = check_path(path) {
                refuse(path, why, PATH, &[table, key]);
            }
            for unknown in derives
                .iter()
                .filter(|it| !RustType::DERIVES.contains(&it.as_str()))
            {
                let why = "is nothing that makes a difference here".to_owned();
                refuse(
                    unknown,
                    why,
                    "allowed: `Copy`, `Eq`, `Hash`",
                    &[table, key, "derives"],
                );
            }
        }
    }
}

type Check = fn(&str) -> Result<(), String>;

const DERIVE: &str = "write a path such as `schemars::JsonSchema`";
const ATTRIBUTE: &str = "write it as in Rust: `#[non_exhaustive]`";
const PATH: &str = "write a path from `crate` or a crate: `crate::geo::Place`, `uuid::Uuid`";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_derives_and_attributes() {
        for path in [
            "uuid::Uuid",
            "crate::geo::Place",
            "::a::B",
            "std::collections::HashSet<String>",
            "i128",
            "Vec<u8>",
        ] {
            assert_eq!(check_path(path), Ok(()), "{path}");
        }
        for path in [
            "",
            "Place",
            "self::A",
            "super::A",
            "&str",
            "(a::B, c::D)",
            "a::B; fn x() {}",
            "<A as B>::C",
        ] {
            assert!(check_path(path).is_err(), "{path}");
        }
        assert_eq!(check_derive("schemars::JsonSchema"), Ok(()));
        for derive in ["", "a b", "A<B>", "#[derive(A)]"] {
            assert!(check_derive(derive).is_err(), "{derive}");
        }
        assert_eq!(check_attribute("#[non_exhaustive]"), Ok(()));
        assert_eq!(check_attribute("#[a(b = \"c\")] #[d]"), Ok(()));
        for attribute in [
            "",
            "non_exhaustive",
            "#![a]",
            "#[a",
            "#[a] x",
            "#[serde(default)]",
            "#[derive(A)]",
        ] {
            assert!(check_attribute(attribute).is_err(), "{attribute}");
        }
    }
}
