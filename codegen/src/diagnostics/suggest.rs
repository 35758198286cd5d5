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

#[cfg(test)]
mod tests {
    use super::did_you_mean;

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
