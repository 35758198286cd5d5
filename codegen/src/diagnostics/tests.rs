//! The catalogue and the reports.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

use serde_json::{Value, json};

use super::*;
use crate::source::Format;

const TOOL: &str = "{\n  \"name\": \"get_weather\",\n  \"inputSchema\": {\n    \"$ref\": \"#/$defs/Plase\",\n    \"$defs\": { \"Place\": {} }\n  }\n}\n";

fn sources() -> (SourceMap, FileId, FileId) {
    let mut sources = SourceMap::default();
    let mut add = |path: &str, text: &str| {
        sources.add(
            format!("schemas/{path}"),
            path.to_owned(),
            Format::Json,
            text.to_owned(),
        )
    };
    let (a, b) = (
        add("weather/a.tool.json", TOOL),
        add("weather/b, c.tool.json", TOOL),
    );
    (sources, a, b)
}

fn pointer(text: &str) -> Pointer {
    Pointer::parse(text)
}

/// One finding of every form: with and without place, related places in the same and another file.
fn findings(a: FileId, b: FileId) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(
        Diagnostic::new(Id::Widened, "`not` is not part of the type")
            .at(Place::value(a, pointer("/name")), ""),
    );
    diagnostics.push(
        Diagnostic::new(Id::DuplicateTool, "the tool `get_weather` is defined twice")
            .at(Place::value(b, pointer("/name")), "again")
            .and_at(Place::value(a, pointer("/name")), "first"),
    );
    diagnostics.push(
        Diagnostic::new(Id::UnresolvedRef, "`#/$defs/Plase` leads nowhere")
            .at(Place::value(a, pointer("/inputSchema/$ref")), "not found")
            .and_at(
                Place::value(a, pointer("/inputSchema/$defs")),
                "definitions are here",
            )
            .help("did you mean `#/$defs/Place`?"),
    );
    diagnostics.push(
        Diagnostic::new(Id::MissingDescription, "the tool has no description")
            .at(Place::file(a), ""),
    );
    diagnostics.push(Diagnostic::new(
        Id::EmptyContractRoot,
        "nothing\u{1b}[31m here, 100 %",
    ));
    diagnostics
}

#[test]
fn the_report_for_people() {
    let (sources, a, b) = sources();
    assert_eq!(
        render(&sources, &findings(a, b), false),
        r##"error[empty-contract-root]: nothing\u{1b}[31m here, 100 %

warning[missing-description]: the tool has no description
--> schemas/weather/a.tool.json

error[unresolved-ref]: `#/$defs/Plase` leads nowhere
 --> schemas/weather/a.tool.json:4:13
  |
4 |     "$ref": "#/$defs/Plase",
  |             ^^^^^^^^^^^^^^^ not found
5 |     "$defs": { "Place": {} }
  |              --------------- definitions are here
  |
  = help: did you mean `#/$defs/Place`?

error[duplicate-tool]: the tool `get_weather` is defined twice
 --> schemas/weather/b, c.tool.json:2:11
  |
2 |   "name": "get_weather",
  |           ^^^^^^^^^^^^^ again
  |
 ::: schemas/weather/a.tool.json:2:11
  |
2 |   "name": "get_weather",
  |           ------------- first

note[widened]: `not` is not part of the type
 --> schemas/weather/a.tool.json:2:11
  |
2 |   "name": "get_weather",
  |           ^^^^^^^^^^^^^

error: 3 errors, 1 warning, 1 note
"##
    );
}

#[test]
fn colours_are_optional() {
    let (sources, a, b) = sources();
    let plain = render(&sources, &findings(a, b), false);
    let colored = render(&sources, &findings(a, b), true);
    assert!(!plain.contains('\u{1b}'));
    let mut stripped = String::new();
    let mut parts = colored.split('\u{1b}');
    stripped.push_str(parts.next().unwrap());
    parts.for_each(|it| stripped.push_str(it.split_once('m').unwrap().1));
    assert_eq!(stripped, plain);
}

#[test]
fn nothing_found_is_an_empty_report() {
    let (sources, ..) = sources();
    assert_eq!(render(&sources, &Diagnostics::new(), false), "");
    assert_eq!(github(&sources, &Diagnostics::new()), "");
}

#[test]
fn many_notes_are_summarised_unless_verbose() {
    let (sources, a, _) = sources();
    let report = |count: usize, verbose: bool| {
        let mut diagnostics = Diagnostics::new();
        for _ in 0..count {
            let place = Place::value(a, pointer("/name"));
            diagnostics.push(Diagnostic::new(Id::Widened, "wider").at(place, ""));
        }
        diagnostics.push(Diagnostic::new(Id::Renamed, "renamed"));
        render_with(
            &sources,
            &diagnostics,
            RenderOptions {
                color: false,
                verbose,
            },
        )
    };
    assert_eq!(report(10, false).matches("note[widened]").count(), 10);
    let short = report(42, false);
    assert_eq!(short.matches("note[widened]").count(), 5);
    assert!(
        short.ends_with(
            "note: … and 37 more `widened` notes (--verbose shows all)\n\nnote: 43 notes\n"
        ),
        "{short}"
    );
    assert_eq!(report(42, true).matches("note[widened]").count(), 42);
}

/// A minified file of one huge line, with many findings in it.
#[test]
fn long_lines_are_cut_around_the_span() {
    let members: Vec<String> = (0..40_000)
        .map(|it| format!("\"naïve{it}\":{{\"a\":1}}"))
        .collect();
    let text = format!("{{{}}}", members.join(","));
    let mut sources = SourceMap::default();
    let id = sources.add(
        "min.json".to_owned(),
        "min.json".to_owned(),
        Format::Json,
        text,
    );
    let mut diagnostics = Diagnostics::new();
    for member in [0, 20_000, 39_999] {
        let at = pointer(&format!("/naïve{member}/a"));
        diagnostics.push(Diagnostic::new(Id::Renamed, "here").at(Place::value(id, at), "this"));
    }
    diagnostics.push(Diagnostic::new(Id::Renamed, "all").at(Place::value(id, pointer("")), "this"));
    assert_eq!(
        render(&sources, &diagnostics, false),
        r#"note[renamed]: all
 --> min.json:1:1
  |
1 | {"naïve0":{"a":1},"naïve1":{"a":1},"naïve2":{"a":1},"naïve3":{"a":1},"naïve4":{"a":1},"naï…
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ this

note[renamed]: here
 --> min.json:1:16
  |
1 | {"naïve0":{"a":1},"naïve1":{"a":1},"naïve2":{"a":1},"naïve3":{"a":1},"naïve…
  |                ^ this

note[renamed]: here
 --> min.json:1:408910
  |
1 | …naïve19998":{"a":1},"naïve19999":{"a":1},"naïve20000":{"a":1},"naïve20001":{"a":1},"naïve20002":{"a":1},"naïve20003":{"…
  |                                                             ^ this

note[renamed]: here
 --> min.json:1:828889
  |
1 | …naïve39997":{"a":1},"naïve39998":{"a":1},"naïve39999":{"a":1}}
  |                                                             ^ this

note: 4 notes
"#
    );
}

#[test]
fn the_report_as_json() {
    let (sources, a, b) = sources();
    let report: Value = serde_json::from_str(&json(&sources, &findings(a, b))).unwrap();
    assert_eq!(
        report["summary"],
        json!({"errors": 3, "warnings": 1, "notes": 1})
    );
    assert_eq!(
        report["diagnostics"][2],
        json!({
            "id": "unresolved-ref",
            "severity": "error",
            "message": "`#/$defs/Plase` leads nowhere",
            "place": {
                "file": "schemas/weather/a.tool.json", "pointer": "/inputSchema/$ref",
                "line": 4, "column": 13, "endLine": 4, "endColumn": 28, "label": "not found",
            },
            "related": [{
                "file": "schemas/weather/a.tool.json", "pointer": "/inputSchema/$defs",
                "line": 5, "column": 14, "endLine": 5, "endColumn": 29,
                "label": "definitions are here",
            }],
            "help": "did you mean `#/$defs/Place`?",
        })
    );
}

#[test]
fn the_report_as_github_commands() {
    let (sources, a, b) = sources();
    assert_eq!(
        github(&sources, &findings(a, b)),
        "::error title=empty-contract-root::nothing\\u{1b}[31m here, 100 %25\n\
         ::warning file=schemas/weather/a.tool.json,title=missing-description::the tool has no description\n\
         ::error file=schemas/weather/a.tool.json,line=4,col=13,endLine=4,endColumn=28,title=unresolved-ref\
         ::`#/$defs/Plase` leads nowhere%0Ahelp: did you mean `#/$defs/Place`?\n\
         ::error file=schemas/weather/b%2C c.tool.json,line=2,col=11,endLine=2,endColumn=24,title=duplicate-tool\
         ::the tool `get_weather` is defined twice\n\
         ::notice file=schemas/weather/a.tool.json,line=2,col=11,endLine=2,endColumn=24,title=widened\
         ::`not` is not part of the type\n"
    );
}

#[test]
fn the_report_as_sarif() {
    let (sources, a, b) = sources();
    let report: Value = serde_json::from_str(&sarif(&sources, &findings(a, b))).unwrap();
    let run = &report["runs"][0];
    assert_eq!(report["version"], "2.1.0");
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 5);
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(
            run["tool"]["driver"]["rules"][index]["id"],
            result["ruleId"]
        );
    }
    assert_eq!(
        results[3]["locations"][0]["physicalLocation"],
        json!({
            "artifactLocation": { "uri": "schemas/weather/b%2C%20c.tool.json" },
            "region": { "startLine": 2, "startColumn": 11, "endLine": 2, "endColumn": 24 },
        })
    );
    assert_eq!(
        results[3]["relatedLocations"][0]["message"]["text"],
        "first"
    );
}

#[test]
fn the_catalogue_is_complete_and_well_formed() {
    let mut seen = BTreeSet::new();
    for id in Id::ALL {
        let text = id.as_str();
        assert!(seen.insert(text), "{text} twice");
        assert!(
            text.bytes().all(|it| it.is_ascii_lowercase() || it == b'-'),
            "{text}"
        );
        assert_eq!(text.parse(), Ok(*id));
        assert!(
            !id.summary().ends_with('.') && id.summary().len() < 90,
            "{text}"
        );
        let explanation = id.explanation();
        assert!(
            explanation.contains("\nFix: "),
            "{text} does not say how to fix it"
        );
        assert!(
            explanation.lines().all(|it| it.chars().count() <= 120),
            "{text} is too wide"
        );
        assert!(explanation.ends_with(".\n"), "{text}");
    }
    assert_eq!("no-such".parse::<Id>(), Err(UnknownId));
}

/// `docs/diagnostics.md` is the catalogue; `BLESS=1 cargo test` writes it.
#[test]
fn the_guide_lists_the_catalogue() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/diagnostics.md");
    let expected = guide();
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    // The guide is not part of the published crate.
    if path.parent().is_some_and(Path::is_dir) {
        let found = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            found == expected,
            "docs/diagnostics.md is stale: BLESS=1 cargo test writes it"
        );
    }
}

fn guide() -> String {
    let mut out = String::from(
        "# Diagnostics\n\n\
         Everything `mcp-codegen` reports, as `mcp-codegen explain <id>` prints it. Errors stop the run, \
         warnings and notes do\nnot. This file is made from the catalogue in \
         `codegen/src/diagnostics/catalog.rs`; `BLESS=1 cargo test` rewrites it.\n\n\
         | id | severity | meaning |\n| --- | --- | --- |\n",
    );
    for id in Id::ALL {
        writeln!(
            out,
            "| [`{id}`](#{id}) | {} | {} |",
            id.severity(),
            id.summary()
        )
        .unwrap();
    }
    for id in Id::ALL {
        write!(
            out,
            "\n## {id}\n\n*{}*: {}.\n\n{}",
            id.severity(),
            id.summary(),
            id.explanation()
        )
        .unwrap();
    }
    out
}

#[test]
fn pointers_are_escaped_once() {
    let pointer = Pointer::root().child("a/b").child("~1").child(0).child("");
    assert_eq!(pointer.as_str(), "/a~1b/~01/0/");
    assert_eq!(
        pointer.segments().collect::<Vec<_>>(),
        ["a/b", "~1", "0", ""]
    );
    assert_eq!(Pointer::root().segments().count(), 0);
}
