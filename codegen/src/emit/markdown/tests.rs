//! What authors write, and what rustdoc gets to see.

use super::{code, comment, safe, safe_line};

#[test]
fn prose_is_escaped_where_rustdoc_would_read_more_into_it() {
    let cases: &[(&str, &str)] = &[
        ("City name or `lat,lon`.", "City name or `lat,lon`."),
        (" \n\t\n", ""),
        ("  first\r\n\r\n\r\n\r\nsecond  \r\n", "first\n\nsecond"),
        // links to items
        (
            "see [Vec] and [x](y) and [a][b]",
            r"see \[Vec] and \[x](y) and \[a]\[b]",
        ),
        (
            "[docs](https://example.com/a_b)",
            "[docs](https://example.com/a_b)",
        ),
        (
            "![img](https://example.com/x.png)",
            r"!\[img](<https://example.com/x.png>)",
        ),
        (
            "[`x`](https://e.com) [u]: https://e.com",
            r"\[`x`](<https://e.com>) \[u]: <https://e.com>",
        ),
        (
            r"already \[escaped] and \\[not]",
            r"already \[escaped] and \\\[not]",
        ),
        ("inside `[x] <y>` nothing", "inside `[x] <y>` nothing"),
        (
            r"C:\dir \https://e.com/[x]",
            r"C:\dir \\<https://e.com/[x]>",
        ),
        // tags
        (
            "a < b, <tag> </tag> <!-- c --> <?php",
            r"a < b, \<tag> \</tag> \<!-- c --> \<?php",
        ),
        (
            "List<String> and <me@e.com>",
            r"List\<String> and \<me@e.com>",
        ),
        // URLs
        (
            "at https://e.com/a(b)?c=[d]. Then",
            "at <https://e.com/a(b)?c=[d]>. Then",
        ),
        (
            "<https://e.com/{id}> (http://e.com/x),",
            "<https://e.com/{id}> (<http://e.com/x>),",
        ),
        (
            "**https://e.com** http:// xhttp://e.com、",
            "**<https://e.com>** http:// x<http://e.com>、",
        ),
        // backticks that nothing closes
        ("a ` b", r"a \` b"),
        ("a ``b` c", r"a \`\`b\` c"),
        ("`a``b`", "`a``b`"),
        ("```x``` inline", "```x``` inline"),
        // characters that hide or reorder
        ("a\u{202e}b\u{0}c\u{7}d */ /* \u{feff}", "abcd */ /*"),
    ];
    for (text, expected) in cases {
        assert_eq!(safe(text).join("\n"), *expected, "{text:?}");
    }
}

#[test]
fn no_code_block_is_ever_rust() {
    let cases: &[(&str, &str)] = &[
        (
            "x\n```rust\nlet [a] = 1;\n```\ny",
            "x\n```text\nlet [a] = 1;\n```\ny",
        ),
        ("~~~\n```\n[x]\n~~~", "````text\n```\n[x]\n````"),
        ("```json\n{}", "```text\n{}\n```"),
        (
            "- a\n  ```sh\n  ls\n    -l\n  ```\n- b",
            "- a\n```text\nls\n  -l\n```\n- b",
        ),
        (
            "> ```\n> code\n> ```\n> quote",
            "```text\ncode\n```\n> quote",
        ),
        (
            "Example:\n\n    let x = [1];\n\n      y\n\nEnd",
            "Example:\n\n```text\nlet x = [1];\n\n  y\n```\n\nEnd",
        ),
        // a docstring: indentation that all lines but the first share is not meant
        (
            "Gets it.\n\n    Args:\n        x: the [x]\n    ",
            "Gets it.\n\nArgs:\n   x: the \\[x]",
        ),
        // below a list item indentation means nesting
        ("- a\n    - b\n\n        c", "- a\n   - b\n\n   c"),
        (
            "-       code\n>     code\n1.\t\tcode",
            "- code\n> code\n1. code",
        ),
        ("\ta\n\tb\n\t\tc", "a\nb\n   c"),
    ];
    for (text, expected) in cases {
        assert_eq!(safe(text).join("\n"), *expected, "{text:?}");
    }
}

#[test]
fn names_and_titles_stay_on_one_line() {
    assert_eq!(safe_line(" A\n title <x> "), r"A title \<x>");
    assert_eq!(code("x"), Some("`x`".to_owned()));
    assert_eq!(code("a`b``c"), Some("```a`b``c```".to_owned()));
    assert_eq!(code("`a\nb\u{202e}"), Some("`` `a b\u{fffd} ``".to_owned()));
    assert_eq!(code(" \n"), None);
    assert_eq!(code(&"x".repeat(90)).map(|it| it.chars().count()), Some(83));
    assert_eq!(comment("a\nb"), "a b");
}

/// Whatever the text, no line can open a doctest and no tag or item link is left.
#[test]
fn any_mix_is_safe() {
    const PARTS: &[&str] = &[
        "`",
        "```",
        "~~~",
        "[",
        "]",
        "(",
        ")",
        "<",
        ">",
        "!",
        "\\",
        "\n",
        "\n\n",
        "    ",
        "\t",
        "- ",
        "1. ",
        "> ",
        "https://e.com",
        "word",
        "é",
        "#",
        "|",
        "*",
        "&",
        "\u{202e}",
    ];
    let mut seed = 7_u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..12 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let next = usize::try_from(seed >> 33).unwrap_or(0);
            text.push_str(PARTS[next % PARTS.len()]);
        }
        let mut fenced = None;
        for line in safe(&text) {
            let ticks = line.bytes().take_while(|&it| it == b'`').count();
            match fenced {
                None if ticks >= 3 && line[ticks..] == *"text" => fenced = Some(ticks),
                None => {
                    assert!(!line.starts_with("    "), "{text:?} → {line:?}");
                    let opens = ticks >= 3 && !line[ticks..].contains('`');
                    assert!(
                        !opens && !line.trim_start().starts_with("~~~"),
                        "{text:?} → {line:?}"
                    );
                }
                Some(open) if ticks == open && line.len() == open => fenced = None,
                Some(_) => {}
            }
        }
        assert_eq!(fenced, None, "{text:?}");
    }
}
