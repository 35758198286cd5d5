//! The whole pipeline on contracts in memory: what is around the types, and that it is stable.

use std::path::Path;

use crate::{
    Output,
    config::{Config, TextPolicy, ToolOverrides},
    diagnostics::{Diagnostics, Failed, render},
    mount::{Edition, Mount},
    resolve::fixture::sources,
    run,
};

/// All files of a contract. Its findings must be free of errors.
fn generate(files: &[(&str, &str)], config: &Config) -> Output {
    let sources = sources(files);
    let mut diagnostics = Diagnostics::new();
    match run(config, &sources, &mut diagnostics) {
        Ok(output) => output,
        Err(Failed) => panic!("{}", render(&sources, &diagnostics, false)),
    }
}

/// What is found in a contract that has no errors.
pub(crate) fn messages(files: &[(&str, &str)]) -> Vec<String> {
    let sources = sources(files);
    let mut diagnostics = Diagnostics::new();
    let done = run(&Config::new("schemas"), &sources, &mut diagnostics);
    assert!(done.is_ok(), "{}", render(&sources, &diagnostics, false));
    diagnostics.iter().map(|it| it.message.clone()).collect()
}

const CONTRACT: &[(&str, &str)] = &[
    (
        "weather/get_weather.tool.json",
        r#"{
            "name": "get_weather",
            "description": "Current weather.\n\nUse [Vec].",
            "inputSchema": { "type": "object", "properties": { "city": { "type": "string" } } },
            "outputSchema": { "type": "integer" },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
    ),
    (
        "weather/into.tool.json",
        r#"{ "name": "into", "title": "Turn into", "description": "a\u202eb", "inputSchema": { "type": "object" } }"#,
    ),
    (
        "weather/weather.server.json",
        r#"{ "name": "weather", "version": "1.2.0", "description": "Weather for any city.", "instructions": "Ask." }"#,
    ),
];

fn contract() -> Output {
    let mut config = Config::new("schemas");
    let pretty = ToolOverrides {
        text: Some(TextPolicy::Pretty),
        ..ToolOverrides::default()
    };
    config.tools.insert("get_weather".to_owned(), pretty);
    generate(CONTRACT, &config)
}

/// The text with the version of this crate in place of `@`.
fn versioned(text: &str) -> String {
    text.replace('@', env!("CARGO_PKG_VERSION"))
        .replace("#mark", "@generated")
}

#[test]
fn a_module_holds_trait_server_and_contract() {
    let expected = versioned(
        r#"// #mark by mcp-codegen @ from schemas/weather. Do not edit.

use std::future::Future;

use mcp_codegen_runtime::{
    CallContext, CallError, Content, Contract, ToolCall, ToolOutput, ToolResult, Toolset,
    de,
};
use serde::{Deserialize, Serialize};

/// Weather for any city.
///
/// Implement this trait and serve it with [`WeatherServer`].
pub trait Weather: Send + Sync + 'static {
    /// Current weather.
    ///
    /// Use \[Vec].
    ///
    /// Tool `get_weather`; read-only, closed world.
    fn get_weather(
        &self,
        input: GetWeatherInput,
        cx: CallContext,
    ) -> impl Future<Output = ToolResult<i64>> + Send;

    /// Turn into
    ///
    /// ab
    ///
    /// Tool `into`; no output schema.
    fn into(
        &self,
        input: IntoTypeInput,
        cx: CallContext,
    ) -> impl Future<Output = ToolResult<Content>> + Send;
}

/// Serves a [`Weather`] implementation.
#[derive(Clone, Debug)]
pub struct WeatherServer<T>(T);

impl<T: Weather> WeatherServer<T> {
    /// A server around `implementation`.
    pub const fn new(implementation: T) -> Self {
        Self(implementation)
    }
}

impl<T: Weather> Toolset for WeatherServer<T> {
    fn contract(&self) -> &'static Contract {
        &CONTRACT
    }

    async fn call(&self, call: ToolCall) -> Result<ToolOutput, CallError> {
        match call.name() {
            "get_weather" => {
                let run = |input, cx| T::get_weather(&self.0, input, cx);
                call.structured(CONTRACT.tool(0), run).await
            }
            "into" => {
                let run = |input, cx| T::into(&self.0, input, cx);
                call.content(CONTRACT.tool(1), run).await
            }
            _ => Err(call.unknown_tool()),
        }
    }
}

/// The contract as it is published.
pub static CONTRACT: Contract = Contract::new(include_str!("weather.json"));

// Fails to compile when generated code and runtime do not match.
const _: () = mcp_codegen_runtime::assert_format::<1>();

/// Arguments of [`Weather::get_weather`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GetWeatherInput {
    #[serde(default, deserialize_with = "de::some", skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
}

/// Arguments of [`Weather::into`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct IntoTypeInput {}
"#,
    );
    let files = contract().files;
    let found = files.get("weather.rs").unwrap_or_default();
    assert!(found == expected, "expected:\n{expected}\nfound:\n{found}");
}

#[test]
fn the_document_holds_what_is_published_and_nothing_hidden() {
    let expected = versioned(
        r##"{
  "#mark": "by mcp-codegen @ from schemas/weather. Do not edit.",
  "server": {
    "name": "weather",
    "version": "1.2.0",
    "description": "Weather for any city."
  },
  "instructions": "Ask.",
  "tools": [
    {
      "name": "get_weather",
      "description": "Current weather.\n\nUse [Vec].",
      "inputSchema": {
        "type": "object",
        "properties": {
          "city": {
            "type": "string"
          }
        }
      },
      "outputSchema": {
        "type": "integer"
      },
      "annotations": {
        "readOnlyHint": true,
        "openWorldHint": false
      }
    },
    {
      "name": "into",
      "title": "Turn into",
      "description": "a\u202eb",
      "inputSchema": {
        "type": "object"
      }
    }
  ],
  "settings": {
    "get_weather": {
      "text": "pretty",
      "exactInput": true,
      "exactOutput": true
    },
    "into": {
      "exactInput": true
    }
  }
}
"##,
    );
    assert_eq!(
        contract().files.get("weather.json"),
        Some(expected.as_str())
    );
}

#[test]
fn the_root_declares_the_modules() {
    let files = contract().files;
    let root = files.get("mod.rs").unwrap_or_default();
    assert!(root.starts_with(&versioned(
        "// #mark by mcp-codegen @ from schemas. Do not edit.\n\n/// "
    )));
    assert!(
        root.ends_with("#[rustfmt::skip]\npub mod weather;\n"),
        "{root}"
    );
}

#[test]
fn shared_results_and_modules_beyond_ascii() {
    let tool = |name: &str| {
        format!(
            r#"{{ "name": "{name}", "description": "d", "inputSchema": {{ "type": "object" }},
                "outputSchema": {{ "$ref": "../shared.schema.json#/$defs/Both" }} }}"#
        )
    };
    let both = r#"{ "$defs": { "Both": { "type": "object", "properties": { "x": { "type": "string" } } } } }"#;
    let files = generate(
        &[
            ("größe/a.tool.json", &tool("a")),
            ("größe/b.tool.json", &tool("b")),
            ("shared.schema.json", both),
        ],
        &Config::new("schemas"),
    )
    .files;
    let module = files.get("größe.rs").unwrap_or_default();
    assert!(!module.contains("/// Result of"), "{module}");
    let root = files.get("mod.rs").unwrap_or_default();
    let declared = "#[path = \"größe.rs\"]\npub mod größe;\n";
    assert!(root.ends_with(declared), "{root}");
}

#[test]
fn a_trait_called_like_a_type_parameter_gets_another_one() {
    let tool = r#"{ "name": "a", "description": "d", "inputSchema": { "type": "object" } }"#;
    let files = generate(&[("t/a.tool.json", tool)], &Config::new("schemas")).files;
    let module = files.get("t.rs").unwrap_or_default();
    for code in [
        "pub trait T: Send",
        "pub struct TServer<S>(S);",
        "impl<S: T> Toolset for TServer<S>",
        "S::a(&self.0, input, cx)",
        "fn new(implementation: S)",
    ] {
        assert!(module.contains(code), "{module}");
    }
}

#[test]
fn stubs_implement_every_tool() {
    let expected = r#"//! The work behind the tools of `crate::r#gen`: a first version, made by `mcp-codegen generate --stubs`.
//!
//! It is yours now; mcp-codegen never writes to it again. Serve it from `main` like this.
//!
//! ```text
//! mcp_codegen_runtime::serve_stdio(crate::r#gen::weather::WeatherServer::new(crate::server::WeatherService)).await
//! ```

use mcp_codegen_runtime::{CallContext, Content, ToolError, ToolResult};

use crate::r#gen::weather;

/// Does the work of [`weather::Weather`].
#[derive(Clone, Debug, Default)]
pub struct WeatherService;

impl weather::Weather for WeatherService {
    async fn get_weather(
        &self,
        _input: weather::GetWeatherInput,
        _cx: CallContext,
    ) -> ToolResult<i64> {
        Err(ToolError::new("get_weather is not implemented yet"))
    }

    async fn into(&self, _input: weather::IntoTypeInput, _cx: CallContext) -> ToolResult<Content> {
        Err(ToolError::new("into is not implemented yet"))
    }
}
"#;
    let found = contract().stubs.render(
        &Mount::new(Path::new("src/gen"), Edition::E2024),
        &Mount::of_file(Path::new("src/server.rs"), Edition::E2024),
    );
    assert!(found == expected, "expected:\n{expected}\nfound:\n{found}");
}

#[test]
fn the_same_contract_gives_the_same_bytes() {
    let files: Vec<_> = contract()
        .files
        .iter()
        .map(|(path, text)| (path.to_owned(), text.to_owned()))
        .collect();
    let again = contract().files;
    assert_eq!(files.len(), again.len());
    for (path, text) in &files {
        assert_eq!(again.get(path), Some(text.as_str()), "{path}");
    }
}
