//! Wire names that follow from Rust names: one `rename_all` instead of a `rename` on every line.
//!
//! The rules are serde's own (`serde_derive`, `internals/case.rs`); a name that the chosen rule
//! does not yield keeps a `rename` of its own.

use proc_macro2::TokenStream;
use quote::quote;

/// How a container's wire names follow from its Rust names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// They are the same.
    Same,
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

/// `Same` first: of rules that yield equally many names, the first is taken.
const VARIANT_RULES: [Rule; 8] = [
    Rule::Same,
    Rule::Lower,
    Rule::Snake,
    Rule::Kebab,
    Rule::Camel,
    Rule::Upper,
    Rule::ScreamingSnake,
    Rule::ScreamingKebab,
];

const FIELD_RULES: [Rule; 7] = [
    Rule::Same,
    Rule::Camel,
    Rule::Kebab,
    Rule::Pascal,
    Rule::Upper,
    Rule::ScreamingSnake,
    Rule::ScreamingKebab,
];

impl Rule {
    /// The rule for an enum's variants, given their Rust and wire names.
    pub(super) fn of_variants(names: &[(&str, &str)]) -> Self {
        best(&VARIANT_RULES, names, Self::variant)
    }

    /// The rule for a struct's fields, given their Rust and wire names.
    pub(super) fn of_fields(names: &[(&str, &str)]) -> Self {
        best(&FIELD_RULES, names, Self::field)
    }

    /// Whether a variant has its wire name by this rule, and a reader sees why.
    pub(super) fn gives_variant(self, name: &str, wire: &str) -> bool {
        let given = self.variant(name) == wire;
        given && (name == wire || is_plain(name))
    }

    /// Whether a field has its wire name by this rule, and a reader sees why.
    pub(super) fn gives_field(self, name: &str, wire: &str) -> bool {
        let given = self.field(name) == wire;
        given && (name == wire || is_plain(name))
    }

    /// What serde calls a variant under this rule.
    fn variant(self, name: &str) -> String {
        let snake = || {
            let mut text = String::new();
            for (at, letter) in name.char_indices() {
                if at > 0 && letter.is_uppercase() {
                    text.push('_');
                }
                text.push(letter.to_ascii_lowercase());
            }
            text
        };
        match self {
            Self::Same | Self::Pascal => name.to_owned(),
            Self::Lower => name.to_ascii_lowercase(),
            Self::Upper => name.to_ascii_uppercase(),
            Self::Camel => first(name, |it| it.to_ascii_lowercase()),
            Self::Snake => snake(),
            Self::ScreamingSnake => snake().to_ascii_uppercase(),
            Self::Kebab => snake().replace('_', "-"),
            Self::ScreamingKebab => snake().to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// What serde calls a field under this rule.
    fn field(self, name: &str) -> String {
        let pascal = || {
            let words = name.split('_');
            words
                .map(|it| first(it, |it| it.to_ascii_uppercase()))
                .collect::<String>()
        };
        match self {
            Self::Same | Self::Lower | Self::Snake => name.to_owned(),
            Self::Upper | Self::ScreamingSnake => name.to_ascii_uppercase(),
            Self::Pascal => pascal(),
            Self::Camel => first(&pascal(), |it| it.to_ascii_lowercase()),
            Self::Kebab => name.replace('_', "-"),
            Self::ScreamingKebab => name.to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// The container's attribute.
    pub(super) fn attribute(self) -> Option<TokenStream> {
        let rule = match self {
            Self::Same => return None,
            Self::Lower => "lowercase",
            Self::Upper => "UPPERCASE",
            Self::Pascal => "PascalCase",
            Self::Camel => "camelCase",
            Self::Snake => "snake_case",
            Self::ScreamingSnake => "SCREAMING_SNAKE_CASE",
            Self::Kebab => "kebab-case",
            Self::ScreamingKebab => "SCREAMING-KEBAB-CASE",
        };
        Some(quote!(#[serde(rename_all = #rule)]))
    }
}

/// The rule that yields most of the names, if at least two of them need it: for one alone a
/// `rename` says more.
fn best(rules: &[Rule], names: &[(&str, &str)], apply: fn(Rule, &str) -> String) -> Rule {
    // serde_derive slices off the first byte of a name, and panics within a longer character.
    if !names.iter().all(|(name, _)| name.is_ascii()) {
        return Rule::Same;
    }
    // Digits and underscores that stand for something else yield wire names by accident.
    let digits = |name: &str| name.contains(|it: char| it.is_ascii_digit());
    let telling = || {
        names
            .iter()
            .filter(|(name, _)| is_plain(name) && !digits(name))
    };
    let yields = |rule| {
        telling()
            .filter(|(name, wire)| apply(rule, name) == *wire)
            .count()
    };
    let needed = |rule| {
        let needs = |(name, wire): &&(&str, &str)| name != wire && apply(rule, name) == *wire;
        telling().filter(needs).count() > 1
    };
    let mut best = (Rule::Same, yields(Rule::Same));
    for rule in rules {
        let count = yields(*rule);
        if count > best.1 && needed(*rule) {
            best = (*rule, count);
        }
    }
    best.0
}

/// Whether every underscore in a name stands between two words.
fn is_plain(name: &str) -> bool {
    let word = |it: &str| it.starts_with(|it: char| it.is_ascii_alphabetic());
    name.split('_').all(word)
}

/// The text with its first character changed.
fn first(text: &str, change: impl Fn(char) -> char) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |it| {
        format!("{}{}", change(it), letters.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::Rule;

    #[test]
    fn variants_take_the_rule_that_yields_most_names() {
        let table: [(&[(&str, &str)], Rule); 9] = [
            (&[("Open", "open"), ("Done", "done")], Rule::Lower),
            (
                &[("Open", "open"), ("InProgress", "in-progress")],
                Rule::Kebab,
            ),
            (
                &[("Open", "Open"), ("InProgress", "InProgress")],
                Rule::Same,
            ),
            (&[("Get", "GET"), ("Post", "POST")], Rule::Upper),
            (&[("Plus1", "+1"), ("Minus1", "-1")], Rule::Same),
            // One name needs no rule, and is no reason for one.
            (&[("InProgress", "in_progress")], Rule::Same),
            (&[("On", "on"), ("Off", "Off")], Rule::Same),
            // Digits prove nothing.
            (&[("V1", "v1"), ("V2", "v2")], Rule::Same),
            (&[("Self_", "self"), ("Id", "id")], Rule::Same),
        ];
        for (names, rule) in table {
            assert_eq!(Rule::of_variants(names), rule, "{names:?}");
        }
    }

    #[test]
    fn fields_take_the_rule_that_yields_most_names() {
        let table: [(&[(&str, &str)], Rule); 6] = [
            (
                &[("city", "city"), ("wind_speed", "wind_speed")],
                Rule::Same,
            ),
            (&[("city", "city"), ("wind_speed", "windSpeed")], Rule::Same),
            (
                &[
                    ("city", "city"),
                    ("wind_speed", "windSpeed"),
                    ("wind_from", "windFrom"),
                ],
                Rule::Camel,
            ),
            (
                &[("dry_run", "dry-run"), ("no_color", "no-color")],
                Rule::Kebab,
            ),
            (
                &[("city", "City"), ("wind_speed", "WindSpeed")],
                Rule::Pascal,
            ),
            // `_` beside the keyword and before digits is ours, not the contract's.
            (
                &[("self_", "self"), ("self_2", "self2"), ("v_1", "v1")],
                Rule::Same,
            ),
        ];
        for (names, rule) in table {
            assert_eq!(Rule::of_fields(names), rule, "{names:?}");
        }
        assert!(!Rule::Camel.gives_field("self_", "self"));
        assert!(Rule::Camel.gives_field("line2_text", "line2Text"));
    }
}
