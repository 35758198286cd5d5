//! Did you mean: the known word that a misspelt one was probably meant to be.

/// The candidate nearest to `word`, when it is near enough to be worth saying.
///
/// The first of equally near ones wins, so the answer depends only on the order given.
pub fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let plain = word.to_lowercase();
    // One slip in a short word, two in a middling one, a third of a long one.
    let allowed = (plain.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .filter(|it| *it != word)
        .map(|it| (strsim::damerau_levenshtein(&plain, &it.to_lowercase()), it))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, it)| it)
}

/// The candidate that a key is a slip of the fingers for: one that differs in two letters at most, in one
/// if it is short, or in case and `_` alone. Stricter than [`did_you_mean`], since the key may well be right.
pub(crate) fn misspelt<'a>(
    key: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let plain = |it: &str| it.to_lowercase().replace(['_', '-'], "");
    let key = plain(key);
    let allowed = match key.chars().count() {
        0..=2 => return None,
        3..=6 => 1,
        _ => 2,
    };
    candidates
        .into_iter()
        // Too much is one letter away from `id`, `if` and `not`.
        .filter(|it| it.len() > 3)
        .map(|it| (strsim::damerau_levenshtein(&key, &plain(it)), it))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, it)| it)
}

#[cfg(test)]
mod tests {
    use super::{did_you_mean, misspelt};

    #[test]
    fn slips_of_the_fingers_are_told_from_other_words() {
        let keywords = [
            "properties",
            "propertyNames",
            "required",
            "not",
            "type",
            "inputSchema",
        ];
        let cases = [
            ("propertys", Some("properties")),
            ("require", Some("required")),
            ("input_schema", Some("inputSchema")),
            ("Type", Some("type")),
            ("tpye", Some("type")),
            ("propertyOrder", None),
            ("note", None),
            ("optional", None),
        ];
        for (key, meant) in cases {
            assert_eq!(misspelt(key, keywords), meant, "{key}");
        }
    }

    #[test]
    fn nearest_wins_and_far_is_silent() {
        let keys = ["text", "output", "wrap"];
        assert_eq!(did_you_mean("txt", keys), Some("text"));
        assert_eq!(did_you_mean("Output", keys), Some("output"));
        assert_eq!(did_you_mean("warp", keys), Some("wrap"));
        assert_eq!(did_you_mean("timeout_seconds", keys), None);
        assert_eq!(did_you_mean("", keys), None);
    }
}
