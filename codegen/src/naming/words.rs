//! Text to words to identifiers: the only place that knows heck and the names of symbols.

use heck::{ToSnakeCase, ToUpperCamelCase};

use super::scripts;

/// The letter before a name that would begin with a digit: `V1`, `v1`. Not `_`, because lints
/// read a leading underscore as "unused" or "private".
const DIGIT_PREFIX: &str = "v";

/// `GetWeather` from any text; never empty, never begins with a digit.
pub(super) fn upper_camel(text: &str) -> String {
    let name = upper_camel_part(text);
    if name.starts_with(|it: char| it.is_ascii_digit() || !is_start(it)) {
        format!("{}{name}", DIGIT_PREFIX.to_uppercase())
    } else {
        name
    }
}

/// Like [`upper_camel`], for text that will stand behind other text: may begin with a digit.
pub(super) fn upper_camel_part(text: &str) -> String {
    scripts::readable(text, plain_upper_camel)
}

fn plain_upper_camel(text: &str) -> String {
    let spoken = speak(text);
    // heck joins `1` and `0` of `1.0` into `10`; a digit boundary must stay visible, also
    // because `1.0` and `10` are often members of one enum.
    let mut name = String::new();
    for word in spoken
        .split(|it: char| !is_word(it))
        .filter(|it| !it.is_empty())
    {
        name = join(&name, &word.to_upper_camel_case());
    }
    if name.is_empty() {
        "Empty".to_owned()
    } else {
        name
    }
}

/// `get_weather` from any text; never empty, never begins with a digit.
pub(super) fn snake(text: &str) -> String {
    scripts::readable(text, plain_snake)
}

fn plain_snake(text: &str) -> String {
    let name = speak(text).to_snake_case();
    let name: String = name.chars().filter(|it| is_continue(*it)).collect();
    match name.chars().next() {
        None => "empty".to_owned(),
        Some(first) if is_start(first) => name,
        Some(_) => format!("{DIGIT_PREFIX}{name}"),
    }
}

/// The text with every symbol as a word, for names that would collide otherwise: `C++`, `C#`, `-date`.
/// `None` when that makes no difference. What mostly separates words does so here too; but a `-` is a
/// sign where nothing stands on one of its sides, and everywhere in texts that are told apart by `+` and `-`.
pub(super) fn spelled(text: &str, minus: Minus) -> Option<String> {
    let letters: Vec<char> = text.chars().collect();
    let is_word_at = |at: Option<usize>| {
        at.and_then(|it| letters.get(it))
            .is_some_and(|it| is_word(*it))
    };
    let mut out = String::new();
    let mut names_any = false;
    for (at, symbol) in letters.iter().enumerate() {
        let wanted = match symbol {
            ' ' | '_' => false,
            '-' => {
                minus == Minus::Everywhere
                    || !(is_word_at(at.checked_sub(1)) && is_word_at(Some(at + 1)))
            }
            other => !is_word(*other),
        };
        names_any |= wanted;
        out.push_str(&spell(symbol.encode_utf8(&mut [0; 4]), |_| wanted));
    }
    (names_any && out != speak(text)).then_some(out)
}

/// Where a `-` is more than what separates words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Minus {
    AtEdges,
    Everywhere,
}

/// Replaces what cannot be part of an identifier. Symbols separate words, as they do for a
/// reader, unless they carry the meaning: a sign before a number, or a text of symbols alone.
fn speak(text: &str) -> String {
    if !text.chars().any(is_word) {
        return spell(text, |_| true);
    }
    let mut out = String::new();
    let mut before = None;
    let mut rest = text.chars();
    while let Some(symbol) = rest.next() {
        let signs = match symbol {
            '+' => true,
            // Between letters or digits it separates: `2025-06-18`.
            '-' => before.is_none_or(|it| !is_word(it)),
            _ => false,
        };
        let word = signs && rest.as_str().starts_with(is_digit);
        out.push_str(&spell(symbol.encode_utf8(&mut [0; 4]), |_| word));
        before = Some(symbol);
    }
    out
}

/// Replaces the symbols that `wanted` picks by their names, other symbols by spaces.
fn spell(text: &str, wanted: impl Fn(char) -> bool) -> String {
    let mut out = String::new();
    for symbol in text.chars() {
        if is_word(symbol) {
            out.push(symbol);
        } else {
            out.push(' ');
            if wanted(symbol) {
                out.push_str(&symbol_name(symbol));
                out.push(' ');
            }
        }
    }
    out
}

fn symbol_name(symbol: char) -> String {
    let name = match symbol {
        ' ' => "space",
        '\t' => "tab",
        '\n' => "newline",
        '!' => "not",
        '"' => "double quote",
        '#' => "hash",
        '$' => "dollar",
        '%' => "percent",
        '&' => "and",
        '\'' => "quote",
        '(' => "open paren",
        ')' => "close paren",
        '*' => "star",
        '+' => "plus",
        ',' => "comma",
        '-' => "minus",
        '.' => "dot",
        '/' => "slash",
        ':' => "colon",
        ';' => "semicolon",
        '<' => "less",
        '=' => "equal",
        '>' => "greater",
        '?' => "question",
        '@' => "at",
        '[' => "open bracket",
        '\\' => "backslash",
        ']' => "close bracket",
        '^' => "caret",
        '_' => "underscore",
        '`' => "backtick",
        '{' => "open brace",
        '|' => "pipe",
        '}' => "close brace",
        '~' => "tilde",
        '€' => "euro",
        '£' => "pound",
        '°' => "degree",
        '±' => "plus minus",
        '×' => "times",
        '÷' => "divided",
        '≠' => "not equal",
        '≤' => "less equal",
        '≥' => "greater equal",
        '→' => "right arrow",
        '←' => "left arrow",
        other => return format!("u{:04x}", other as u32),
    };
    name.to_owned()
}

/// Whether a text is an identifier, keywords included.
pub(super) fn is_identifier(text: &str) -> bool {
    text.starts_with(is_start) && text.chars().all(is_continue)
}

/// A letter or digit that an identifier may hold; `_` separates words.
fn is_word(it: char) -> bool {
    it != '_' && is_continue(it)
}

fn is_digit(it: char) -> bool {
    it.is_ascii_digit()
}

fn ends_in_digit(name: &str) -> bool {
    name.ends_with(is_digit)
}

/// `first` and `second` as one name; digits that meet stay apart.
pub(super) fn join(first: &str, second: &str) -> String {
    let apart = ends_in_digit(first) && second.starts_with(is_digit);
    format!("{first}{}{second}", if apart { "_" } else { "" })
}

/// Whether an identifier may begin with this; asked of the lexer, which owns the Unicode tables.
fn is_start(it: char) -> bool {
    it.is_ascii_alphabetic() || (!it.is_ascii() && !is_compatibility(it) && lexes(&it.to_string()))
}

/// Whether an identifier may hold this behind its first character. Combining marks may not:
/// rustc composes them, so two names that differ here would be one there.
fn is_continue(it: char) -> bool {
    it.is_ascii_alphanumeric()
        || it == '_'
        || (!it.is_ascii()
            && !matches!(it, '\u{300}'..='\u{36f}')
            && !is_compatibility(it)
            && lexes(&format!("a{it}")))
}

/// Other forms of common characters, such as `µ`, `ﬁ` and `Ａ`: rustc warns of them
/// (`uncommon_codepoints`), and that lint can only be allowed for a whole crate.
fn is_compatibility(it: char) -> bool {
    matches!(it,
        '\u{aa}' | '\u{b5}' | '\u{ba}' | '\u{132}'..='\u{133}' | '\u{13f}'..='\u{140}' | '\u{149}'
        | '\u{17f}' | '\u{1c4}'..='\u{1cc}' | '\u{1f1}'..='\u{1f3}' | '\u{2b0}'..='\u{2ff}'
        | '\u{37a}' | '\u{3d0}'..='\u{3d6}' | '\u{3f0}'..='\u{3ff}' | '\u{1d00}'..='\u{1dbf}'
        | '\u{1e9a}'..='\u{1e9b}' | '\u{2000}'..='\u{2bff}' | '\u{3130}'..='\u{318f}'
        | '\u{3200}'..='\u{33ff}' | '\u{f900}'..='\u{ffef}' | '\u{1d400}'..='\u{1d7ff}'
        | '\u{2f800}'..='\u{2fa1f}'
    )
}

fn lexes(text: &str) -> bool {
    syn::parse_str::<proc_macro2::Ident>(text).is_ok_and(|it| it == text)
}
