//! Letters of other scripts that look like Latin ones: rustc warns of them, so they are spelled out.
//!
//! `mixed_script_confusables` fires where all letters of a script in a crate could be mistaken for
//! letters of another one, such as a lone Cyrillic `с`, and can only be allowed for a whole crate, which
//! is not ours. A name that has a letter of the script that looks like no other (`имя`, `日本`) is
//! fine as it is. The tables are those of rustc.

use unicode_security::{
    is_potential_mixed_script_confusable_char, mixed_script::AugmentedScriptSet,
};

/// The names of the letters from U+03B1 on.
const GREEK: [&str; 25] = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
    "lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "sigma", "tau", "upsilon", "phi",
    "chi", "psi", "omega",
];

/// What `make` makes of a text, or of the text with its letters spelled out where the name would be
/// one that rustc warns of: `u0441` for a lone Cyrillic `с`, `alpha` for a lone `α`.
pub(super) fn readable(text: &str, make: impl Fn(&str) -> String) -> String {
    let name = make(text);
    if name.is_ascii() || is_unmistakable(&name) {
        return name;
    }
    make(&text.chars().map(spelled).collect::<String>())
}

/// Whether every script of a name other than Latin has a letter that looks like no other.
fn is_unmistakable(name: &str) -> bool {
    let script = AugmentedScriptSet::for_char;
    let letters = || name.chars().filter(|it| !is_latin(*it));
    letters().all(|letter| {
        letters().any(|it| {
            script(it) == script(letter) && !is_potential_mixed_script_confusable_char(it)
        })
    })
}

/// ASCII, and what is of the Latin script beyond it.
fn is_latin(letter: char) -> bool {
    letter.is_ascii() || AugmentedScriptSet::for_char(letter) == AugmentedScriptSet::for_char('a')
}

/// A letter as a word of ASCII, if it is not Latin.
fn spelled(letter: char) -> String {
    if is_latin(letter) {
        return letter.to_string();
    }
    let small = letter.to_lowercase().next().unwrap_or(letter);
    let index = (small as usize).checked_sub('α' as usize);
    match index.and_then(|it| GREEK.get(it)) {
        Some(name) => format!(" {name} "),
        None => format!(" u{:04x} ", letter as u32),
    }
}

#[cfg(test)]
mod tests {
    use crate::naming::{field_name, type_name};

    #[test]
    fn letters_that_look_like_latin_ones_are_spelled_out() {
        for (text, field, type_) in [
            // Cyrillic.
            ("\u{441}", "u0441", "U0441"),
            ("\u{441}ount", "u0441_ount", "U0441Ount"),
            ("имя", "имя", "Имя"),
            // Greek.
            ("α", "alpha", "Alpha"),
            ("Δ", "delta", "Δ"),
            ("größe", "größe", "Größe"),
            ("日本", "日本", "日本"),
        ] {
            assert_eq!(field_name(text).as_str(), field, "{text}");
            assert_eq!(type_name(text).as_str(), type_, "{text}");
        }
    }
}
