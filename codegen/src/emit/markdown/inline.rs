//! One line of prose: code spans and web links stay, all else that rustdoc would read is escaped.

use std::borrow::Cow;

/// The line with everything escaped that rustdoc could take for an item link or an HTML tag.
pub(super) fn safe(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while !rest.is_empty() {
        let (len, text) = piece(rest, out.ends_with('!'));
        out.push_str(&text);
        rest = &rest[len..];
    }
    out
}

/// The next piece of a line: how long it is there, and how to write it.
fn piece(rest: &str, after_bang: bool) -> (usize, Cow<'_, str>) {
    let next = rest.chars().next().map_or(0, char::len_utf8);
    let kept = match &rest[..next] {
        // It would escape the bracket that the URL gets.
        "\\" if !web_url(&rest[1..]).is_empty() => return (1, "\\\\".into()),
        "\\" => escape(rest),
        "`" => return code_span(rest),
        // An image would be fetched by whoever reads the docs.
        "[" if after_bang => 0,
        "[" => web_link(rest),
        "<" => autolink(rest),
        "h" => {
            let url = web_url(rest);
            if !url.is_empty() {
                return (url.len(), format!("<{url}>").into());
            }
            next
        }
        _ => next,
    };
    match (kept, &rest[..next]) {
        (0, "[") => (next, "\\[".into()),
        (0, "<") if opens_tag(&rest[next..]) => (next, "\\<".into()),
        (0, _) => (next, rest[..next].into()),
        (kept, _) => (kept, rest[..kept].into()),
    }
}

/// The length of a backslash escape that the author wrote.
fn escape(text: &str) -> usize {
    let escapes = text.as_bytes().get(1).is_some_and(u8::is_ascii_punctuation);
    if escapes { 2 } else { 1 }
}

/// A code span; a run of backticks that nothing closes is written out escaped.
fn code_span(text: &str) -> (usize, Cow<'_, str>) {
    let run = |from: usize| text[from..].bytes().take_while(|&it| it == b'`').count();
    let ticks = run(0);
    let mut from = ticks;
    while let Some(at) = text[from..].find('`') {
        from += at;
        let len = run(from);
        from += len;
        if len == ticks {
            return (from, text[..from].into());
        }
    }
    (ticks, "\\`".repeat(ticks).into())
}

/// The length of `[text](https://…)` with plain text and a plain URL.
fn web_link(text: &str) -> usize {
    let plain = |it: &str, stop: &[char]| !it.is_empty() && !it.contains(stop);
    let Some((label, tail)) = text[1..].split_once("](") else {
        return 0;
    };
    let Some((url, _)) = tail.split_once(')') else {
        return 0;
    };
    let is_link = plain(label, &['[', ']', '`', '<', '\\', '!'])
        && !label.contains("://")
        && url
            .split_once("://")
            .is_some_and(|(scheme, _)| matches!(scheme, "http" | "https"))
        && plain(url, &[' ', '(', '<', '>', '\\', '`', '"']);
    if is_link {
        1 + label.len() + 2 + url.len() + 1
    } else {
        0
    }
}

/// The length of `<https://…>`.
fn autolink(text: &str) -> usize {
    let url = web_url(&text[1..]);
    let closed = !url.is_empty() && text[1 + url.len()..].starts_with('>');
    if closed { url.len() + 2 } else { 0 }
}

/// The URL a text begins with, without the punctuation of the sentence around it.
fn web_url(text: &str) -> &str {
    let Some(scheme) = ["https://", "http://"]
        .into_iter()
        .find(|it| text.starts_with(it))
    else {
        return "";
    };
    let ends =
        |it: char| !it.is_ascii_graphic() || matches!(it, '<' | '>' | '"' | '`' | '|' | '\\');
    let mut url = &text[..text.find(ends).unwrap_or(text.len())];
    loop {
        let unbalanced = |open, close| {
            url.ends_with(close) && url.matches(open).count() < url.matches(close).count()
        };
        let cut = url.ends_with(['.', ',', ';', ':', '!', '?', '\'', '*', '_', '~'])
            || unbalanced('(', ')')
            || unbalanced('[', ']')
            || unbalanced('{', '}');
        if !cut {
            break;
        }
        url = &url[..url.len() - 1];
    }
    if url.len() > scheme.len() { url } else { "" }
}

/// Whether `<` before this text would open a tag, a comment or a declaration.
fn opens_tag(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_alphabetic() || matches!(it, '/' | '!' | '?'))
}
