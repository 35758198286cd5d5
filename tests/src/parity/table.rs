//! The page of the docs that a run makes.

use std::fmt::{self, Write as _};

use super::{
    Differences, Run,
    differences::{Entry, Kind},
};

/// Runs and the reasons for what differs, as Markdown.
#[derive(Clone, Copy, Debug)]
pub struct Table<'r> {
    /// What was compared.
    pub runs: &'r [Run],
    /// Why it differs.
    pub differences: &'r Differences,
}

const BEGINNING: &str = "\
# Parity with the Python and TypeScript SDKs

Servers of the Python SDK 2.3.0 and the TypeScript SDK 2.4.0 were recorded, tool by tool, in both protocol eras. A test derives
contracts from what they list, implements the same functions against the generated traits, makes every recorded call again
over stdio, and compares each member of the results and each entry of the listings. It fails for a difference that is not
named here, and for a name here that is no difference.

| server | its contract | settings |
| --- | --- | --- |
| `python` | what the Python SDK lists, word by word; its `{\"result\": …}` wrappers are recognised, so methods give the inner value | `text = \"python\"` |
| `python-natural` | the results as one would write them by hand, without wrappers | `text = \"python\"`, `wrap = \"always\"` |
| `typescript` | what the TypeScript SDK lists for 2026-07-28 | `text = \"none\"`, and `\"compact\"` for results that are no objects |

Compared are `structuredContent`, `content`, `isError`, `_meta`, `resultType`, code and data of JSON-RPC errors, and listings but for
their order: contracts are listed by name.

";

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(BEGINNING)?;
        f.write_str("| server | revision | tools listed | listed alike | calls | answered alike | but for the words of an error | otherwise different |\n")?;
        f.write_str("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n")?;
        for run in self.runs {
            self.summary(f, run)?;
        }
        f.write_str("\n## What differs\n\n| | server | what | where | why |\n| --- | --- | --- | --- | --- |\n")?;
        let mut entries: Vec<&Entry> = self.differences.differences.iter().collect();
        entries.sort_by_key(|it| it.kind);
        entries.into_iter().try_for_each(|it| row(f, it))
    }
}

impl Table<'_> {
    fn summary(&self, f: &mut fmt::Formatter<'_>, run: &Run) -> fmt::Result {
        let (listing, answers): (Vec<_>, Vec<_>) = run
            .differences
            .iter()
            .partition(|it| it.aspect.to_string() == "listing");
        let (mut alike, mut worded) = (0, 0);
        for call in &run.calls {
            let mut about = answers.iter().filter(|it| it.case == *call).peekable();
            if about.peek().is_none() {
                alike += 1;
            } else if about.all(|it| self.differences.kind(run, it) == Some(Kind::Words)) {
                worded += 1;
            }
        }
        let (listed, calls) = (run.listed, run.calls.len());
        writeln!(
            f,
            "| `{}` | {} | {listed} | {} | {calls} | {alike} | {worded} | {} |",
            run.subject,
            run.revision,
            listed.saturating_sub(listing.len()),
            calls - alike - worded
        )
    }
}

fn row(f: &mut fmt::Formatter<'_>, entry: &Entry) -> fmt::Result {
    let mut servers = code(&entry.subjects);
    if let Some(revisions) = &entry.revisions {
        // Writing to a String cannot fail.
        let _ = write!(servers, ", {} only", revisions.join(", "));
    }
    writeln!(
        f,
        "| {} | {servers} | {} | {} | {} |",
        entry.kind.as_str(),
        code(&entry.aspects),
        code(&entry.cases),
        entry.reason
    )
}

fn code<T: fmt::Display>(all: &[T]) -> String {
    all.iter()
        .map(|it| format!("`{it}`"))
        .collect::<Vec<_>>()
        .join(", ")
}
