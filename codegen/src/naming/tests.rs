//! Names of hostile texts.

use super::*;

#[test]
fn names_read_well_and_are_identifiers() {
    for (text, type_, field, variant) in [
        ("get_weather", "GetWeather", "get_weather", "GetWeather"),
        ("getWeather", "GetWeather", "get_weather", "GetWeather"),
        (
            "kebab-case.dotted",
            "KebabCaseDotted",
            "kebab_case_dotted",
            "KebabCaseDotted",
        ),
        ("type", "Type", "r#type", "Type"),
        ("gen", "Gen", "r#gen", "Gen"),
        ("self", "SelfType", "self_", "Self_"),
        ("Self", "SelfType", "self_", "Self_"),
        ("super", "Super", "super_", "Super"),
        ("option", "OptionType", "option", "Option"),
        ("Value", "ValueType", "value", "Value"),
        ("", "Empty", "empty", "Empty"),
        ("_", "Underscore", "underscore", "Underscore"),
        ("_id", "Id", "id", "Id"),
        ("$eq", "EqType", "eq", "Eq"),
        ("{{userName}}", "UserName", "user_name", "UserName"),
        ("rule_name[]", "RuleName", "rule_name", "RuleName"),
        ("0", "V0", "v0", "V0"),
        ("1.0", "V1_0", "v1_0", "V1_0"),
        ("2025-06-18", "V2025_06_18", "v2025_06_18", "V2025_06_18"),
        ("+1", "Plus1", "plus_1", "Plus1"),
        ("-1", "Minus1", "minus_1", "Minus1"),
        (
            "reactions-+1",
            "ReactionsPlus1",
            "reactions_plus_1",
            "ReactionsPlus1",
        ),
        (
            "reactions--1",
            "ReactionsMinus1",
            "reactions_minus_1",
            "ReactionsMinus1",
        ),
        ("utc+2", "UtcPlus2", "utc_plus_2", "UtcPlus2"),
        ("-1.5", "Minus1_5", "minus_1_5", "Minus1_5"),
        ("*/*", "StarSlashStar", "star_slash_star", "StarSlashStar"),
        ("<=", "LessEqual", "less_equal", "LessEqual"),
        ("N/A", "NA", "n_a", "NA"),
        ("日本", "日本", "日本", "日本"),
        ("größe", "Größe", "größe", "Größe"),
        ("\u{301}a", "A", "a", "A"),
        ("e\u{301}t\u{e9}", "ETé", "e_té", "ETé"),
        ("🎉", "U1f389", "u1f389", "U1f389"),
    ] {
        assert_eq!(type_name(text).as_str(), type_, "type of {text:?}");
        assert_eq!(field_name(text).as_str(), field, "field of {text:?}");
        assert_eq!(variant_name(text).as_str(), variant, "variant of {text:?}");
    }
    assert_eq!(module_name("type").as_str(), "type_");
    assert_eq!(method_name("move").as_str(), "r#move");
}

#[test]
fn every_text_gives_valid_identifiers() {
    let mut texts: Vec<String> = (0..0x3000)
        .filter_map(char::from_u32)
        .map(String::from)
        .collect();
    texts.extend(
        (0..0x3000)
            .filter_map(char::from_u32)
            .map(|it| format!("{it}a{it}1")),
    );
    texts.extend(
        [
            "a\u{0}b",
            "\u{202e}evil",
            "r#type",
            "'a",
            "__",
            "--",
            "9_9",
            "ﬁ",
            "ẞ",
        ]
        .map(String::from),
    );
    for text in &texts {
        for name in [
            type_name(text).0,
            field_name(text).0,
            variant_name(text).0,
            method_name(text).0,
            module_name(text).0,
            joined_type_name(&type_name("Base"), text).0,
        ] {
            // Panics, and so fails, on what is no identifier.
            let _ = ident(&name);
            assert!(
                syn::parse_str::<syn::Ident>(&name).is_ok(),
                "{text:?} gives {name:?}, which is no identifier"
            );
        }
    }
}

#[test]
fn clashes_get_readable_names_and_say_so() {
    fn variants(texts: &[&str]) -> Vec<(String, bool)> {
        Scope::new()
            .claim_all::<VariantName>(texts.iter().copied())
            .into_iter()
            .map(|it| (it.name.0, it.renamed))
            .collect()
    }
    let named = |it: &[(&str, bool)]| -> Vec<(String, bool)> {
        it.iter()
            .map(|(name, renamed)| ((*name).to_owned(), *renamed))
            .collect()
    };
    assert_eq!(
        variants(&["count", "__count__", "Count"]),
        named(&[("Count", false), ("Count2", true), ("Count3", true)])
    );
    assert_eq!(
        variants(&["C", "C++", "C#"]),
        named(&[("C", false), ("CPlusPlus", true), ("CHash", true)])
    );
    // Signs tell them apart, in any order; the one without has the plain name.
    assert_eq!(
        variants(&["+date", "-date", "date"]),
        named(&[("PlusDate", true), ("MinusDate", true), ("Date", false)])
    );
    for (texts, names) in [
        (&["+date", "-date"][..], &["PlusDate", "MinusDate"][..]),
        (&["-date", "+price"], &["Date", "Price"]),
        (&["A+", "A-", "AB+"], &["APlus", "AMinus", "Ab"]),
        (&["a+b", "a-b"], &["APlusB", "AMinusB"]),
        (
            &["a-b", "a_b", "a b", "a/b"],
            &["AB", "AB2", "AB3", "ASlashB"],
        ),
        (&["c++", "c#", "c"], &["CPlusPlus", "CHash", "C"]),
        (
            &[">=", "<=", ">", "<"],
            &["GreaterEqual", "LessEqual", "Greater", "Less"],
        ),
        (&["a>=", "a<=", "a"], &["AGreaterEqual", "ALessEqual", "A"]),
        (&["N/A", "n/a"], &["NA", "NSlashA"]),
        (&["@id", "id"], &["AtId", "Id"]),
        (
            &["+date", "date", "plus_date"],
            &["PlusDate2", "Date", "PlusDate"],
        ),
        (
            &["2025-06-18", "2025_06_18"],
            &["V2025_06_18", "V2025_06_18_2"],
        ),
    ] {
        let given: Vec<String> = variants(texts).into_iter().map(|it| it.0).collect();
        assert_eq!(given, names, "{texts:?}");
    }
    assert_eq!(
        variants(&["1", "v1"]),
        named(&[("V1", false), ("V1_2", true)])
    );
    // The loser `A` does not take the plain name of the third.
    let fields: Vec<String> = Scope::new()
        .claim_all::<FieldName>(["a", "A", "a_2", "self", "Self", "type", "Type"])
        .into_iter()
        .map(|it| it.name.0)
        .collect();
    assert_eq!(
        fields,
        ["a", "a_3", "a_2", "self_", "self_2", "r#type", "type_2"]
    );
}

#[test]
fn parts_join_as_words() {
    let base = type_name("get_weather_input");
    assert_eq!(
        joined_type_name(&base, "location").as_str(),
        "GetWeatherInputLocation"
    );
    assert_eq!(joined_type_name(&base, "0").as_str(), "GetWeatherInput0");
    assert_eq!(joined_type_name(&type_name("v1"), "0").as_str(), "V1_0");
}
