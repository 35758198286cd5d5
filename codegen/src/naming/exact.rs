//! Names that authors choose themselves: taken as they are, or refused with the reason.

use super::{FieldName, TypeName, VariantName, field_name, reserved, words};

/// A type name that an author chose.
///
/// # Errors
///
/// Why it cannot be one, to stand behind "`X` ".
pub(crate) fn exact_type_name(text: &str) -> Result<TypeName, String> {
    upper_camel(text)?;
    if reserved::free_type(text.to_owned()) != text {
        return Err("is a name of Rust's prelude, or one that generated code imports".to_owned());
    }
    Ok(TypeName(text.to_owned()))
}

/// A variant name that an author chose.
///
/// # Errors
///
/// As [`exact_type_name`].
pub(crate) fn exact_variant_name(text: &str) -> Result<VariantName, String> {
    upper_camel(text)?;
    if reserved::free_variant(text.to_owned()) != text {
        return Err("is a keyword of Rust".to_owned());
    }
    Ok(VariantName(text.to_owned()))
}

/// A field name that an author chose; keywords become raw identifiers.
///
/// # Errors
///
/// As [`exact_type_name`].
pub(crate) fn exact_field_name(text: &str) -> Result<FieldName, String> {
    let name = field_name(text);
    if name.0.strip_prefix("r#").unwrap_or(&name.0) == text {
        Ok(name)
    } else {
        Err("is no name in snake_case".to_owned())
    }
}

/// Whether a text is written like a field: it begins with a small letter.
pub(crate) fn is_field_like(text: &str) -> bool {
    text.starts_with(char::is_lowercase)
}

/// What rustc's own lint on names of types accepts: acronyms may stay in capitals, and `_` stands
/// between digits only.
fn upper_camel(text: &str) -> Result<(), String> {
    let chars: Vec<char> = text.chars().collect();
    let separates = |at: usize| {
        let digit = |at: Option<usize>| {
            at.and_then(|it| chars.get(it))
                .is_some_and(char::is_ascii_digit)
        };
        digit(at.checked_sub(1)) && digit(Some(at + 1))
    };
    let camel = chars.first().is_some_and(|it| !it.is_lowercase())
        && chars
            .iter()
            .enumerate()
            .all(|(at, it)| *it != '_' || separates(at));
    if camel && words::is_identifier(text) {
        Ok(())
    } else {
        Err("is no name in UpperCamelCase".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_as_they_are_or_refused() {
        for name in ["Units", "URL", "V1_0", "Größe", "日本"] {
            assert_eq!(
                exact_type_name(name).as_ref().map(TypeName::as_str),
                Ok(name)
            );
            assert_eq!(
                exact_variant_name(name).as_ref().map(VariantName::as_str),
                Ok(name)
            );
        }
        for name in [
            "", "units", "My_Type", "_A", "1A", "A-B", "A b", "Self", "r#Type", "A::B",
        ] {
            assert!(exact_type_name(name).is_err(), "{name}");
            assert!(exact_variant_name(name).is_err(), "{name}");
        }
        assert!(exact_type_name("Option").is_err());
        assert!(exact_variant_name("Option").is_ok());
        for (text, name) in [
            ("id", Ok("id")),
            ("type", Ok("r#type")),
            ("v1_0", Ok("v1_0")),
        ] {
            assert_eq!(
                exact_field_name(text).as_ref().map(FieldName::as_str),
                name.as_ref().map(|it| *it)
            );
        }
        for name in ["", "_id", "Id", "a-b", "self", "1", "a__b"] {
            let name: Result<_, _> = exact_field_name(name);
            assert_eq!(name, Err("is no name in snake_case".to_owned()));
        }
    }
}
