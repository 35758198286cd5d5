//! Every fault of a text, as it is reported.

use super::{Format, faults};

const BILLION_LAUGHS: &str = "\
a: &a [x,x,x,x,x,x,x,x,x,x]
b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]
c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]
d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]
e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]
f: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]
";

fn check(format: Format, text: &str, expected: &str) {
    assert_eq!(faults(format, text), expected.trim_matches('\n'));
}

#[test]
fn json_faults() {
    check(
        Format::Json,
        "",
        r"
error[bad-json]: the file is empty
--> s/a.tool.json
 = help: a contract file holds one JSON object; remove the file if it is not needed
",
    );
    check(
        Format::Json,
        "{\n  \"a\": 1,\n}\n",
        r#"
error[bad-json]: a comma without a value after it
 --> s/a.tool.json:2:9
  |
2 |   "a": 1,
  |         ^
  |
  = help: JSON allows no comma before a closing bracket
"#,
    );
    check(
        Format::Json,
        "{ // why\n}",
        r"
error[bad-json]: a key must stand in double quotes
 --> s/a.tool.json:1:3
  |
1 | { // why
  |   ^
  |
  = help: JSON has no comments; YAML contract files may have them
",
    );
    check(
        Format::Json,
        "{\"a\": [1, 2\n",
        r#"
error[bad-json]: the text ends while parsing a list
 --> s/a.tool.json:1:12
  |
1 | {"a": [1, 2
  |       -    ^
  |       |
  |       this is never closed
"#,
    );
    check(
        Format::Json,
        "{\"a\": 'x'}",
        r#"
error[bad-json]: a value is missing or unknown here
 --> s/a.tool.json:1:7
  |
1 | {"a": 'x'}
  |       ^
  |
  = help: JSON strings and keys stand in double quotes
"#,
    );
}

#[test]
fn json_faults_between_values() {
    check(
        Format::Json,
        "{}\n{}\n",
        r"
error[bad-json]: the text goes on after the end of the value
 --> s/a.tool.json:2:1
  |
2 | {}
  | ^
  |
  = help: a file holds one value; several tools stand in an array, in a `*.tools.json`
",
    );
    check(
        Format::Json,
        "{\"é\": \"ü\", \"b\" 1}",
        r#"
error[bad-json]: expected `:`
 --> s/a.tool.json:1:16
  |
1 | {"é": "ü", "b" 1}
  |                ^
"#,
    );
    check(
        Format::Json,
        "{\"a\": 1e999}",
        r#"
error[bad-json]: number out of range
 --> s/a.tool.json:1:11
  |
1 | {"a": 1e999}
  |           ^
"#,
    );
    check(
        Format::Json,
        "{\r\n  \"a\": 1,\r\n  \"b\": tru\r\n}\r\n",
        r#"
error[bad-json]: an unknown word; values are `true`, `false`, `null`, or in quotes
 --> s/a.tool.json:3:11
  |
3 |   "b": tru
  |           ^
"#,
    );
}

#[test]
fn json_faults_deeper_in() {
    check(
        Format::Json,
        "{\"a\": {\"x\": 1,\n       \"x\": 2}, \"a\": 2}",
        r#"
error[duplicate-key]: the key `x` appears twice in one object
 --> s/a.tool.json:2:8
  |
1 | {"a": {"x": 1,
  |        --- first here
2 |        "x": 2}, "a": 2}
  |        ^^^ here again
  |
  = help: remove or rename one of the two

error[duplicate-key]: the key `a` appears twice in one object
 --> s/a.tool.json:2:17
  |
1 | {"a": {"x": 1,
  |  --- first here
2 |        "x": 2}, "a": 2}
  |                 ^^^ here again
  |
  = help: remove or rename one of the two
"#,
    );
}

#[test]
fn yaml_that_json_cannot_say() {
    check(
        Format::Yaml,
        "# nothing\n",
        r"
error[bad-yaml]: the file is empty
 --> s/a.tool.yaml:1:1
  |
1 | # nothing
  | ^
  |
  = help: a contract file holds one object; remove the file if it is not needed
",
    );
    check(
        Format::Yaml,
        "a: 1\nb: 2\na: 3\n",
        r"
error[duplicate-key]: the key `a` appears twice in one object
 --> s/a.tool.yaml:3:1
  |
1 | a: 1
  | - first here
2 | b: 2
3 | a: 3
  | ^ here again
  |
  = help: remove or rename one of the two
",
    );
    check(
        Format::Yaml,
        "200: x\nb:\n  ~: z\n",
        r#"
error[bad-yaml]: a key must be text, not a number
 --> s/a.tool.yaml:1:1
  |
1 | 200: x
  | ^^^
  |
  = help: quote it: `"200"`

error[bad-yaml]: a key must be text, not null
 --> s/a.tool.yaml:3:3
  |
3 |   ~: z
  |   ^
  |
  = help: quote it: `"~"`
"#,
    );
    check(
        Format::Yaml,
        "a: [.nan, -.inf]\n",
        r"
error[bad-yaml]: JSON has no number `.nan`
 --> s/a.tool.yaml:1:5
  |
1 | a: [.nan, -.inf]
  |     ^^^^
  |
  = help: quote it if it is meant as text

error[bad-yaml]: JSON has no number `-.inf`
 --> s/a.tool.yaml:1:11
  |
1 | a: [.nan, -.inf]
  |           ^^^^^
  |
  = help: quote it if it is meant as text
",
    );
}

#[test]
fn yaml_syntax_faults() {
    check(
        Format::Yaml,
        "a: !!str 1\nb: !foo [1]\n",
        r"
error[bad-yaml]: JSON has no tags such as `!!str`
 --> s/a.tool.yaml:1:4
  |
1 | a: !!str 1
  |    ^^^^^^^
  |
  = help: remove the tag; quote what is meant as text

error[bad-yaml]: JSON has no tags such as `!foo`
 --> s/a.tool.yaml:2:4
  |
2 | b: !foo [1]
  |    ^^^^^^
  |
  = help: remove the tag; quote what is meant as text
",
    );
    check(
        Format::Yaml,
        "a: 1\n---\nb: 2\n",
        r"
error[bad-yaml]: a contract file holds one document
 --> s/a.tool.yaml:2:1
  |
2 | ---
  | ^^^ a second one begins here
  |
  = help: put each tool into its own file, or all of them into one `*.tools.yaml`
",
    );
    check(
        Format::Yaml,
        "a: &x {b: 1}\nc:\n  <<: *x\n",
        r"
error[bad-yaml]: merge keys are not part of YAML 1.2
 --> s/a.tool.yaml:3:3
  |
3 |   <<: *x
  |   ^^
  |
  = help: share parts of a schema through `$ref` and `$defs`
",
    );
    check(
        Format::Yaml,
        "a:\n\tb: 1\n",
        r"
error[bad-yaml]: tabs disallowed within this context (block indentation)
 --> s/a.tool.yaml:2:2
  |
2 |     b: 1
  |     ^
  |
  = help: YAML is indented with spaces, never with tabs
",
    );
}

#[test]
fn yaml_faults_of_texts_and_aliases() {
    check(
        Format::Yaml,
        "a: b: c\n",
        r"
error[bad-yaml]: mapping values are not allowed in this context
 --> s/a.tool.yaml:1:5
  |
1 | a: b: c
  |     ^
  |
  = help: quote a text that holds `: `
",
    );
    check(
        Format::Yaml,
        "a: *nope\n",
        r"
error[bad-yaml]: while parsing node, found unknown anchor
 --> s/a.tool.yaml:1:4
  |
1 | a: *nope
  |    ^
  |
  = help: quote a text that begins with `*`; an alias needs its `&anchor` before it
",
    );
    check(
        Format::Yaml,
        "a: &a [*a]\n",
        r"
error[bad-yaml]: an alias stands inside the value it repeats
 --> s/a.tool.yaml:1:8
  |
1 | a: &a [*a]
  |        ^^
  |
  = help: describe recursive types with `$ref`
",
    );
}

#[test]
fn yaml_more() {
    check(
        Format::Yaml,
        "? [a]\n: b\n",
        r"
error[bad-yaml]: a key must be text, not a list or a mapping
 --> s/a.tool.yaml:1:3
  |
1 | ? [a]
  |   ^
  |
  = help: quote a text that begins with `[`, `{` or `?`
",
    );
    check(
        Format::Yaml,
        "é: 1e999\n",
        r"
error[bad-yaml]: the number `1e999` is out of range
 --> s/a.tool.yaml:1:4
  |
1 | é: 1e999
  |    ^^^^^
  |
  = help: quote it if it is meant as text
",
    );
}

#[test]
fn nesting_and_expansion_are_limited() {
    check(
        Format::Json,
        &"[".repeat(100_000),
        r"
error[limit-exceeded]: values are nested deeper than 127 levels
 --> s/a.tool.json:1:128
  |
1 | …[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[…
  |                                                             ^ too deep
  |
  = help: share repeated parts through `$ref` and `$defs`
",
    );
    check(
        Format::Yaml,
        &"- ".repeat(300),
        r"
error[limit-exceeded]: values are nested deeper than 127 levels
 --> s/a.tool.yaml:1:255
  |
1 | …- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - …
  |                                                              ^ too deep
  |
  = help: share repeated parts through `$ref` and `$defs`
",
    );
    check(
        Format::Yaml,
        BILLION_LAUGHS,
        r"
error[limit-exceeded]: aliases expand to more than 4000000 nodes and bytes
 --> s/a.tool.yaml:6:56
  |
6 | f: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]
  |                                                        ^^
  |
  = help: share repeated parts through `$ref` and `$defs`
",
    );
}
