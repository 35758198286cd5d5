//! What makes a pattern none of ECMA-262, where the engine behind the validator would take it.

/// The properties of Unicode that `\p` knows without a value, by ECMA-262.
const BINARY: &str = "\
    AHex ASCII ASCII_Hex_Digit Alpha Alphabetic Any Assigned Bidi_C Bidi_Control Bidi_M \
    Bidi_Mirrored CI CWCF CWCM CWKCF CWL CWT CWU Case_Ignorable Cased \
    Changes_When_Casefolded Changes_When_Casemapped Changes_When_Lowercased \
    Changes_When_NFKC_Casefolded Changes_When_Titlecased Changes_When_Uppercased DI Dash \
    Default_Ignorable_Code_Point Dep Deprecated Dia Diacritic EBase EComp EMod EPres Emoji \
    Emoji_Component Emoji_Modifier Emoji_Modifier_Base Emoji_Presentation Ext ExtPict \
    Extended_Pictographic Extender Gr_Base Gr_Ext Grapheme_Base Grapheme_Extend Hex \
    Hex_Digit IDC IDS IDSB IDST IDS_Binary_Operator IDS_Trinary_Operator ID_Continue \
    ID_Start Ideo Ideographic Join_C Join_Control LOE Logical_Order_Exception Lower \
    Lowercase Math NChar Noncharacter_Code_Point Pat_Syn Pat_WS Pattern_Syntax \
    Pattern_White_Space QMark Quotation_Mark RI Radical Regional_Indicator SD STerm \
    Sentence_Terminal Soft_Dotted Term Terminal_Punctuation UIdeo Unified_Ideograph Upper \
    Uppercase VS Variation_Selector White_Space XIDC XIDS XID_Continue XID_Start space";

/// The values of `General_Category`.
const CATEGORIES: &str = "\
    C Cased_Letter Cc Cf Close_Punctuation Cn Co Combining_Mark Connector_Punctuation \
    Control Cs Currency_Symbol Dash_Punctuation Decimal_Number Enclosing_Mark \
    Final_Punctuation Format Initial_Punctuation L LC Letter Letter_Number Line_Separator Ll \
    Lm Lo Lowercase_Letter Lt Lu M Mark Math_Symbol Mc Me Mn Modifier_Letter Modifier_Symbol \
    N Nd Nl No Nonspacing_Mark Number Open_Punctuation Other Other_Letter Other_Number \
    Other_Punctuation Other_Symbol P Paragraph_Separator Pc Pd Pe Pf Pi Po Private_Use Ps \
    Punctuation S Sc Separator Sk Sm So Space_Separator Spacing_Mark Surrogate Symbol \
    Titlecase_Letter Unassigned Uppercase_Letter Z Zl Zp Zs cntrl digit punct";

/// A property of Unicode in a pattern that ECMA-262 does not know: it takes names only as they are
/// spelled in its tables, where the engine is lenient.
pub(super) fn unknown_property(pattern: &str) -> Option<String> {
    let mut rest = pattern;
    while let Some(at) = rest.find('\\') {
        rest = &rest[at + 1..];
        if let Some(property) = rest.strip_prefix(['p', 'P'])
            && let Some((name, _)) = property.strip_prefix('{').and_then(|it| it.split_once('}'))
            && !is_property(name)
        {
            return Some(format!(
                "ECMA-262 knows no property of Unicode that is written `{name}`"
            ));
        }
        let mut letters = rest.chars();
        letters.next();
        rest = letters.as_str();
    }
    None
}

fn is_property(name: &str) -> bool {
    match name.split_once('=') {
        None => is_one_of(BINARY, name) || is_one_of(CATEGORIES, name),
        Some(("General_Category" | "gc", value)) => is_one_of(CATEGORIES, value),
        // That there is such a script, the engine knows.
        Some(("Script" | "sc" | "Script_Extensions" | "scx", script)) => {
            let is_word = |it: &str| it.starts_with(|it: char| it.is_ascii_uppercase());
            script.split('_').all(is_word)
        }
        Some(_) => false,
    }
}

fn is_one_of(names: &str, name: &str) -> bool {
    names.split(' ').any(|it| it == name)
}

/// What in a pattern is of another language than ECMA-262, said shortly; `None` where nothing known is.
pub(super) fn foreign_syntax(pattern: &str) -> Option<String> {
    let letters: Vec<char> = pattern.chars().collect();
    let mut at = 0;
    let mut in_class = false;
    while let Some(letter) = letters.get(at) {
        let rest = &letters[at + 1..];
        let found = match letter {
            '\\' => foreign_escape(rest),
            '[' if !in_class => {
                in_class = true;
                None
            }
            ']' if in_class => {
                in_class = false;
                None
            }
            _ if in_class => None,
            ']' | '}' => Some(format!("write `\\{letter}` for `{letter}`")),
            '{' if !is_count(rest) => Some("write `\\{` for `{`".to_owned()),
            '(' => foreign_group(rest),
            '*' | '+' | '?' if matches!(rest, ['+', ..]) => {
                Some("ECMA-262 has no possessive quantifiers".to_owned())
            }
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        at += match letter {
            '\\' => 2 + braces(rest.get(1..).unwrap_or_default()),
            '{' => rest.iter().take_while(|it| **it != '}').count() + 2,
            _ => 1,
        };
    }
    None
}

/// The length of `{…}` behind an escape, if that stands there.
fn braces(rest: &[char]) -> usize {
    match rest {
        ['{', ..] => rest.iter().take_while(|it| **it != '}').count() + 1,
        _ => 0,
    }
}

fn is_count(rest: &[char]) -> bool {
    let inner = rest.iter().take_while(|it| **it != '}');
    rest.first().is_some_and(char::is_ascii_digit)
        && inner
            .into_iter()
            .all(|it| it.is_ascii_digit() || *it == ',')
}

fn foreign_escape(rest: &[char]) -> Option<String> {
    let letter = rest.first()?;
    let meant = match letter {
        'A' => "write `^` for it",
        'z' | 'Z' => "write `$` for it",
        'p' | 'P' if rest.get(1) != Some(&'{') => "write `\\p{…}`",
        'x' if rest.get(1) == Some(&'{') => "write `\\u{…}`",
        'b' | 'B' | 'c' | 'd' | 'D' | 'f' | 'k' | 'n' | 'p' | 'P' | 'r' | 's' | 'S' | 't' | 'u'
        | 'v' | 'w' | 'W' | 'x' => return None,
        it if it.is_ascii_alphabetic() => "ECMA-262 does not know it",
        _ => return None,
    };
    Some(format!("`\\{letter}` is of another language: {meant}"))
}

fn foreign_group(rest: &[char]) -> Option<String> {
    match rest {
        ['?', 'P', ..] => Some(
            "ECMA-262 writes named groups `(?<name>…)`, and references to them `\\k<name>`"
                .to_owned(),
        ),
        ['?', '>', ..] => Some("ECMA-262 has no atomic groups".to_owned()),
        ['?', '#', ..] => Some("ECMA-262 has no comments".to_owned()),
        ['?', flags @ ..] => {
            let count = flags
                .iter()
                .take_while(|it| it.is_ascii_alphabetic() || **it == '-')
                .count();
            let alone = count > 0 && flags.get(count) == Some(&')');
            alone.then(|| "ECMA-262 has flags for a group only: `(?i:…)`".to_owned())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::check_pattern;

    #[test]
    fn what_is_not_of_ecma_is_told() {
        for (pattern, reason) in [
            ("]", "write `\\]` for `]`"),
            ("^[^}]+}$", "write `\\}` for `}`"),
            ("^a{,2}$", "write `\\{` for `{`"),
            (r"\Aa", r"`\A` is of another language: write `^` for it"),
            (r"a\z", r"`\z` is of another language: write `$` for it"),
            (
                r"\h",
                r"`\h` is of another language: ECMA-262 does not know it",
            ),
            (r"\pL", r"`\p` is of another language: write `\p{…}`"),
            (r"\x{61}", r"`\x` is of another language: write `\u{…}`"),
            ("(?i)a", "ECMA-262 has flags for a group only: `(?i:…)`"),
            (
                "(?P<n>a)",
                "ECMA-262 writes named groups `(?<name>…)`, and references to them `\\k<name>`",
            ),
            ("(?>a)", "ECMA-262 has no atomic groups"),
            ("a++", "ECMA-262 has no possessive quantifiers"),
            (
                r"\p{lu}",
                "ECMA-262 knows no property of Unicode that is written `lu`",
            ),
            (
                r"\p{Greek}",
                "ECMA-262 knows no property of Unicode that is written `Greek`",
            ),
            (
                r"\p{Script=greek}",
                "ECMA-262 knows no property of Unicode that is written `Script=greek`",
            ),
            (
                r"^(?:(a)|b)*\1$",
                "the validator cannot run its back-references as ECMA-262 means them",
            ),
            (
                "^(?:a{1000}){1000}$",
                "its counts make it larger than the validator takes",
            ),
            (
                "a{4294967296}",
                "its counts make it larger than the validator takes",
            ),
            ("([a-z", "invalid character class (at character 5)"),
            (r"(a)\2", "invalid back reference to group 2"),
        ] {
            assert_eq!(check_pattern(pattern), Err(reason.to_owned()), "{pattern}");
        }
        for pattern in [
            r"^(?<n>x)\k<n>$",
            r"^\0$",
            r"^\cJ$",
            r"^[\b]$",
            r"^\u{1F600}$",
            r"^\ud83d\ude00$",
            "[]",
            "[^]",
            r"^\p{Script=Greek}$",
            r"^\p{L}\P{Lu}\p{gc=Nd}$",
            "(?i:a)",
            r"\-\_\@",
            "/",
            r"^[\w\-.]+$",
            "^a{0,99999999999999999999}$",
            r"\{\}\]",
        ] {
            assert_eq!(check_pattern(pattern), Ok(()), "{pattern}");
        }
    }
}
