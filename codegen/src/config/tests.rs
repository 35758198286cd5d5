//! The configuration file and its selectors.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::path::Path;

use super::*;
use crate::{
    diagnostics::{Diagnostics, render},
    source::{Format, SourceMap},
};

fn read(text: &str) -> Config {
    let config = Config::from_toml(Path::new("app/mcp-codegen.toml"), FILE_NAME, text);
    config.check().unwrap();
    config
}

/// The rendered findings, without the summary line.
fn check(text: &str, expected: &str) {
    let config = Config::from_toml(Path::new(FILE_NAME), FILE_NAME, text);
    let failure = config.check().unwrap_err();
    let report = failure.to_string();
    let report = report.trim_end().rsplit_once("\n\n").unwrap().0;
    assert_eq!(report, expected.trim_matches('\n'));
}

#[test]
fn everything_that_can_be_set() {
    let config = read(
        "schemas = './contracts'\nout = 'src/gen'\nname = 'weather'\nversion = '2.0.0'\nunresolved = 'any'\nclient = true\n\
         [tools.'*']\ntext = 'pretty'\noutput = 'warn'\nwrap = 'always'\nunwrap = 'result'\nformats = 'assert'\n\
         [types.'weather.Place']\nunknown = 'keep'\n\
         [remotes]\n'https://example.com/schemas' = 'vendor/example'\n\
         [dialects]\n'https://example.com/meta' = 'draft-07'\n\
         [completion]\nmethods = ['review.asset']\n\
         [lists]\nttl-ms = 60_000\ncache-scope = 'public'\npage-size = 0x10\n",
    );
    assert!(config.completes("brand", "review", "asset"));
    assert!(!config.completes("brand", "review", "tone"));
    let lists = ListSettings {
        ttl_ms: Some(60_000),
        cache_scope: Some(CacheScope::Public),
        page_size: NonZeroUsize::new(16),
    };
    assert_eq!(config.lists, lists);
    assert_eq!(config.schemas, Path::new("app/contracts"));
    assert_eq!(config.schemas_label, "contracts");
    assert_eq!(config.out.as_deref(), Some(Path::new("app/src/gen")));
    assert_eq!(
        (config.root_name.as_str(), config.version.as_str()),
        ("weather", "2.0.0")
    );
    let all = ToolSettings {
        text: TextPolicy::Pretty,
        output: OutputPolicy::Warn,
        wrap: WrapPolicy::Always,
        unwrap: UnwrapPolicy::Result,
        formats: FormatPolicy::Assert,
    };
    assert_eq!(config.settings_for("weather", "get_weather"), all);
    assert_eq!(
        config.type_settings("weather", "Place").unknown,
        UnknownPolicy::Keep
    );
    assert_eq!(
        config.type_settings("notes", "Place").unknown,
        UnknownPolicy::Drop
    );
    let vendored = Path::new("app/vendor/example");
    assert_eq!(config.remotes["https://example.com/schemas"], vendored);
    assert_eq!(config.unresolved, UnresolvedPolicy::Any);
    assert!(config.client);
    let meta = config.dialects["https://example.com/meta"];
    assert_eq!(meta, DialectName::Draft7);
}

/// What is read does not depend on faults elsewhere in the file, so that its findings can be told too.
#[test]
fn faults_leave_what_is_read() {
    let rest = "out = 'o'\n[remotes]\n'http://a/' = 'v'\n";
    for (text, schemas) in [
        (format!("schemas = 3\n{rest}"), "app/schemas"),
        (format!("schemas = 's'\nname = ''\n{rest}"), "app/s"),
        (
            format!("schemas = 's'\n{rest}[tools.a]\ntxt = 1\n"),
            "app/s",
        ),
        (format!("schemas = 's'\n{rest}[tools\n"), "app/s"),
    ] {
        let config = Config::from_toml(Path::new("app/mcp-codegen.toml"), FILE_NAME, &text);
        assert!(config.check().is_err(), "{text}");
        assert_eq!(config.schemas, Path::new(schemas), "{text}");
        assert_eq!(config.out.as_deref(), Some(Path::new("app/o")), "{text}");
        assert_eq!(config.remotes["http://a/"], Path::new("app/v"), "{text}");
    }
}

#[test]
fn an_empty_file_is_the_defaults() {
    let config = read("");
    assert_eq!(config.schemas, Path::new("app/schemas"));
    assert_eq!(
        (config.schemas_label.as_str(), config.root_name.as_str()),
        ("schemas", "app")
    );
    assert_eq!(config.settings_for("a", "b"), ToolSettings::default());
}

#[test]
fn labels_never_name_the_machine() {
    for (path, label) in [
        ("schemas", "schemas"),
        ("./schemas/", "schemas"),
        ("a/./b//c", "a/b/c"),
        ("../shared", "../shared"),
        (".", "."),
        ("", "."),
        ("/srv/build/schemas", "schemas"),
    ] {
        assert_eq!(Config::new(path).schemas_label, label, "{path}");
    }
}

#[test]
fn unknown_settings() {
    check(
        "schema = 'x'\n\n[tools.get_weather]\ntxt = 'pretty'\nlimit = 3\n[tools.weather.get_weather]\ntext = 'none'\n",
        r#"
error[unknown-setting]: unknown setting `schema`
 --> mcp-codegen.toml:1:1
  |
1 | schema = 'x'
  | ^^^^^^
  |
  = help: did you mean `schemas`?

error[unknown-setting]: unknown setting `txt`
 --> mcp-codegen.toml:4:1
  |
4 | txt = 'pretty'
  | ^^^
  |
  = help: did you mean `text`?

error[unknown-setting]: unknown setting `limit`
 --> mcp-codegen.toml:5:1
  |
5 | limit = 3
  | ^^^^^
  |
  = help: known here: `text`, `output`, `wrap`, `unwrap`, `formats`

error[unknown-setting]: unknown setting `get_weather`
 --> mcp-codegen.toml:6:16
  |
6 | [tools.weather.get_weather]
  |                ^^^^^^^^^^^
  |
  = help: quote a selector with a dot: `[tools."weather.get_weather"]`
"#,
    );
}

#[test]
fn invalid_settings() {
    check(
        "schemas = 3\nout = ''\ntypes = 'keep'\nremotes = 'vendor'\n[tools]\na = 'pretty'\n[tools.b]\ntext = 'prety'\noutput = 'shout'\nwrap = true\n",
        r#"
error[invalid-setting]: `schemas` must be a text, not a number
 --> mcp-codegen.toml:1:11
  |
1 | schemas = 3
  |           ^

error[invalid-setting]: `out` must not be empty
 --> mcp-codegen.toml:2:7
  |
2 | out = ''
  |       ^^

error[invalid-setting]: `types` must be a table, not a text
 --> mcp-codegen.toml:3:9
  |
3 | types = 'keep'
  |         ^^^^^^
  |
  = help: write `[types."<selector>"]`

error[invalid-setting]: `remotes` must be a table, not a text
 --> mcp-codegen.toml:4:11
  |
4 | remotes = 'vendor'
  |           ^^^^^^^^
  |
  = help: write `[remotes]`, and below it `"https://…/" = "<folder>"`

error[invalid-setting]: the selector `a` must have a table, not a text
 --> mcp-codegen.toml:6:5
  |
6 | a = 'pretty'
  |     ^^^^^^^^
  |
  = help: settings stand below a selector: `[tools."*"]`

error[invalid-setting]: `text` cannot be `"prety"`
 --> mcp-codegen.toml:8:8
  |
8 | text = 'prety'
  |        ^^^^^^^
  |
  = help: did you mean `"pretty"`? allowed: `"compact"`, `"pretty"`, `"items"`, `"python"`, `"none"`

error[invalid-setting]: `output` cannot be `"shout"`
 --> mcp-codegen.toml:9:10
  |
9 | output = 'shout'
  |          ^^^^^^^
  |
  = help: allowed: `"deny"`, `"warn"`, `"off"`

error[invalid-setting]: `wrap` must be a text, not a boolean
  --> mcp-codegen.toml:10:8
   |
10 | wrap = true
   |        ^^^^
   |
   = help: allowed: `"legacy"`, `"always"`
"#,
    );
}

#[test]
fn bad_toml() {
    check(
        "schemas = \n[tools\n",
        r"
error[bad-toml]: string values must be quoted, expected literal string
 --> mcp-codegen.toml:1:11
  |
1 | schemas = 
  |           ^

error[bad-toml]: unclosed table, expected `]`
 --> mcp-codegen.toml:2:7
  |
2 | [tools
  |       ^
",
    );
}

/// The keys that the check knows are those that serde reads.
#[test]
fn the_check_and_serde_agree() {
    fn fields<T: serde::de::DeserializeOwned + std::fmt::Debug>() -> String {
        toml::from_str::<T>("no_such_key = 1")
            .unwrap_err()
            .message()
            .to_owned()
    }
    assert_eq!(
        fields::<file::File>(),
        "unknown field `no_such_key`, expected one of `schemas`, `out`, `name`, `version`, `tools`, `types`, `replace`, `rename`, `formats`, `remotes`, `dialects`, `client`, `completion`, `lists`, `unresolved`"
    );
    assert_eq!(
        fields::<ToolOverrides>(),
        "unknown field `no_such_key`, expected one of `text`, `output`, `wrap`, `unwrap`, `formats`"
    );
    assert_eq!(
        fields::<TypeOverrides>(),
        "unknown field `no_such_key`, expected one of `unknown`, `constraints`, `derives`, `attributes`"
    );
    assert_eq!(
        fields::<file::Completion>(),
        "unknown field `no_such_key`, expected `methods`"
    );
    assert_eq!(
        fields::<ListSettings>(),
        "unknown field `no_such_key`, expected one of `ttl-ms`, `cache-scope`, `page-size`"
    );
    for (keys, known) in [
        (
            file::ROOT,
            "schemas out name version tools types replace rename formats remotes dialects client completion lists unresolved",
        ),
        (file::TOOL, "text output wrap unwrap formats"),
        (file::TYPE, "unknown constraints derives attributes"),
        (file::RUST_TYPE, "path derives"),
        (file::COMPLETION, "methods"),
        (file::LISTS, "ttl-ms cache-scope page-size"),
    ] {
        assert_eq!(
            keys.iter().map(|(it, _)| *it).collect::<Vec<_>>().join(" "),
            known
        );
    }
}

#[test]
fn the_more_specific_selector_wins_setting_by_setting() {
    let config = read(
        "[tools.'*']\ntext = 'pretty'\noutput = 'off'\n\
         [tools.'weather.*']\ntext = 'items'\noutput = 'warn'\n\
         [tools.get_weather]\ntext = 'none'\n\
         [tools.'notes.get_weather']\ntext = 'compact'\n\
         [tools.'a.b']\nwrap = 'always'\n",
    );
    for (module, tool, text, output) in [
        ("weather", "get_weather", "none", "warn"),
        ("weather", "other", "items", "warn"),
        ("notes", "get_weather", "compact", "off"),
        ("notes", "other", "pretty", "off"),
    ] {
        let settings = config.settings_for(module, tool);
        assert_eq!(
            (settings.text.as_str(), settings.output.as_str()),
            (text, output),
            "{tool}"
        );
    }
    // a tool's own name may hold a dot
    assert_eq!(config.settings_for("notes", "a.b").wrap, WrapPolicy::Always);
    assert_eq!(config.settings_for("a", "b").wrap, WrapPolicy::Always);
}

const UNMATCHED: &str = r"error[unmatched-selector]: the selector `get_wether` matches no tool
 --> mcp-codegen.toml:1:8
  |
1 | [tools.get_wether]
  |        ^^^^^^^^^^
  |
  = help: did you mean `get_weather`?

error[unmatched-selector]: the selector `wether.*` matches no tool
 --> mcp-codegen.toml:3:8
  |
3 | [tools.'wether.*']
  |        ^^^^^^^^^^
  |
  = help: did you mean `weather.*`?

error[unmatched-selector]: the selector `zzzzzzzzzzz` matches no tool
 --> mcp-codegen.toml:4:8
  |
4 | [tools.zzzzzzzzzzz]
  |        ^^^^^^^^^^^
  |
  = help: a selector is `<tool>`, `<server>.<tool>`, `<server>.*` or `*`

error[unmatched-selector]: the selector `weather.GetWeatherOutput` matches no type
 --> mcp-codegen.toml:6:8
  |
6 | [types.'weather.GetWeatherOutput']
  |        ^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
  = help: did you mean `weather.GetWeatherInput`?

error[unmatched-selector]: the selector `weather.*` matches no type
 --> mcp-codegen.toml:8:1
  |
8 | 'weather.*' = 'a::B'
  | ^^^^^^^^^^^
  |
  = help: a selector is `<type>` or `<server>.<type>`

error[unmatched-selector]: the selector `GetWeatherInput.unit` matches no type, field or variant
  --> mcp-codegen.toml:11:1
   |
11 | 'GetWeatherInput.unit' = 'a'
   | ^^^^^^^^^^^^^^^^^^^^^^
   |
   = help: did you mean `GetWeatherInput.units`?

error[unmatched-selector]: the selector `datetime` matches no `format` of the contract
  --> mcp-codegen.toml:14:1
   |
14 | datetime = 'a::B'
   | ^^^^^^^^
   |
   = help: did you mean `date-time`?

error: 7 errors
";

#[test]
fn selectors_that_match_nothing() {
    let config = read(
        "[tools.get_wether]\n[tools.'weather.*']\n[tools.'wether.*']\n[tools.zzzzzzzzzzz]\n\
         [types.GetWeatherInput]\n[types.'weather.GetWeatherOutput']\n\
         [replace]\n'weather.*' = 'a::B'\nGetWeatherInput = 'a::B'\n\
         [rename]\n'GetWeatherInput.unit' = 'a'\n'weather.GetWeatherInput.units' = 'u'\n\
         [formats]\ndatetime = 'a::B'\n",
    );
    let mut sources = SourceMap::default();
    let text = config.file.as_ref().unwrap().text.clone();
    sources.add(
        FILE_NAME.to_owned(),
        FILE_NAME.to_owned(),
        Format::Toml,
        text,
    );
    let types = ["GetWeatherInput".to_owned()];
    let renames = ["GetWeatherInput", "GetWeatherInput.units"].map(str::to_owned);
    let servers = [Named {
        module: "weather",
        tools: vec!["get_weather"],
        types: &types,
        renames: &renames,
        formats: &["date-time".to_owned()],
        arguments: vec!["review.asset".to_owned()],
    }];
    let mut diagnostics = Diagnostics::new();
    let settings = Located::new(&config, &sources);
    unmatched_selectors(settings, &servers, &mut diagnostics);
    assert_eq!(render(&sources, &diagnostics, false), UNMATCHED);
}

#[test]
fn settings_of_types() {
    let config = read(
        "[types.'*']\nderives = ['a::A', 'Ord']\n\
         [types.'weather.*']\nconstraints = 'newtype'\n\
         [types.Place]\nderives = ['b::B', 'Ord']\nattributes = ['#[non_exhaustive]']\n\
         [replace]\n'weather.Place' = 'crate::Place'\nPlace = { path = 'a::Place', derives = ['Eq'] }\n\
         [formats]\nuuid = { path = 'uuid::Uuid' }\n",
    );
    let settings = config.type_settings("weather", "Place");
    assert_eq!(settings.derives, ["a::A", "Ord", "b::B"]);
    assert_eq!(settings.attributes, ["#[non_exhaustive]"]);
    assert_eq!(settings.constraints, ConstraintPolicy::Newtype);
    assert_eq!(
        config.type_settings("notes", "Place").constraints,
        ConstraintPolicy::Validator
    );
    let replacement = |module| config.replacement(module, "Place").unwrap();
    assert_eq!(replacement("weather"), &RustType::new("crate::Place"));
    assert_eq!(
        replacement("notes"),
        &RustType::new("a::Place").deriving(["Eq"])
    );
    assert_eq!(config.formats["uuid"], RustType::new("uuid::Uuid"));
}

#[test]
fn settings_of_types_with_faults() {
    check(
        "[types.A]\nderives = 'Ord'\nattributes = [1]\n\
         [replace]\nA = { derives = ['Ord'] }\nB = 1\n[formats]\nuuid = ''\n",
        r#"
error[invalid-setting]: `derives` must be a list, not a text
 --> mcp-codegen.toml:2:11
  |
2 | derives = 'Ord'
  |           ^^^^^
  |
  = help: write `derives = ["…"]`

error[invalid-setting]: `attributes` must be a text, not a number
 --> mcp-codegen.toml:3:15
  |
3 | attributes = [1]
  |               ^

error[invalid-setting]: `A` does not say which type
 --> mcp-codegen.toml:5:5
  |
5 | A = { derives = ['Ord'] }
  |     ^^^^^^^^^^^^^^^^^^^^^
  |
  = help: write `{ path = "uuid::Uuid", derives = ["Eq", "Hash"] }`

error[invalid-setting]: `derives` cannot be `"Ord"`
 --> mcp-codegen.toml:5:18
  |
5 | A = { derives = ['Ord'] }
  |                  ^^^^^
  |
  = help: allowed: `"Copy"`, `"Eq"`, `"Hash"`

error[invalid-setting]: `B` must be a text, not a number
 --> mcp-codegen.toml:6:5
  |
6 | B = 1
  |     ^

error[invalid-setting]: `uuid` must not be empty
 --> mcp-codegen.toml:8:8
  |
8 | uuid = ''
  |        ^^
"#,
    );
}
