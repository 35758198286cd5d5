//! Unified diffs of generated files that are not up to date.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use similar::{ChangeTag, TextDiff};

const STRONG: Style = Style::new().bold();
const HUNK: Style = AnsiColor::Cyan.on_default();
const OLD: Style = AnsiColor::Red.on_default();
const NEW: Style = AnsiColor::Green.on_default();

/// The difference between what stands at `path` and what would be generated, as `diff -u` and git
/// print it: `None` is a file that is not there. With ANSI colours; a stream may drop them.
pub(super) fn unified(path: &str, old: Option<&str>, new: Option<&str>) -> String {
    let label = |side: &str, text: Option<&str>| match text {
        Some(_) => format!("{side}/{path}"),
        None => "/dev/null".to_owned(),
    };
    let mut text = format!(
        "{STRONG}--- {}{STRONG:#}\n{STRONG}+++ {}{STRONG:#}\n",
        label("a", old),
        label("b", new)
    );
    let diff = TextDiff::from_lines(old.unwrap_or_default(), new.unwrap_or_default());
    for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
        writeln!(text, "{HUNK}{}{HUNK:#}", hunk.header()).expect("a String can be written to");
        for change in hunk.iter_changes() {
            let style = match change.tag() {
                ChangeTag::Delete => OLD,
                ChangeTag::Insert => NEW,
                ChangeTag::Equal => Style::new(),
            };
            let line = change.value().trim_end_matches('\n');
            writeln!(text, "{style}{}{line}{style:#}", change.tag())
                .expect("a String can be written to");
            if change.missing_newline() {
                text.push_str("\\ No newline at end of file\n");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_additions_and_removals() {
        let plain =
            |old, new| anstream::adapter::strip_str(&unified("gen/a.rs", old, new)).to_string();
        assert_eq!(
            plain(Some("a\nb\nc\n"), Some("a\nB\nc")),
            "--- a/gen/a.rs\n+++ b/gen/a.rs\n@@ -1,3 +1,3 @@\n a\n-b\n-c\n+B\n+c\n\\ No newline at end of file\n"
        );
        assert_eq!(
            plain(None, Some("a\n")),
            "--- /dev/null\n+++ b/gen/a.rs\n@@ -0,0 +1 @@\n+a\n"
        );
        assert_eq!(
            plain(Some("a\n"), None),
            "--- a/gen/a.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
        );
    }
}
