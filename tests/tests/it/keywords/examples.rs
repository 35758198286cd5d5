//! Examples of keywords: read from `tests/keywords`, and run.

use std::fs;

use mcp_codegen::{
    config::Config,
    proof::{self, Exactness, Subject},
};
use mcp_codegen_runtime::Contract;
use mcp_codegen_tests::{scratch::Scratch, workspace};
use serde::Deserialize;
use serde_json::{Value, json};

/// The module, and the tool, that every example becomes.
const SERVER: &str = "guide";
const TOOL: &str = "t";

/// One keyword with its examples.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Keyword {
    #[serde(skip)]
    pub(super) name: String,
    /// The section of the guide.
    pub(super) topic: String,
    pub(super) examples: Vec<Example>,
}

/// A schema with values that it accepts and refuses.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Example {
    /// As `[dialects]` calls it; 2020-12 without.
    #[serde(default)]
    pub(super) dialect: Option<String>,
    /// The schema of the required property `value`; of all arguments if `root`.
    pub(super) schema: Value,
    #[serde(default)]
    pub(super) root: bool,
    /// Lines of `mcp-codegen.toml`.
    #[serde(default)]
    pub(super) settings: Vec<String>,
    #[serde(default)]
    valid: Vec<Value>,
    #[serde(default)]
    invalid: Vec<Value>,
    #[serde(default)]
    pub(super) note: Option<String>,
}

/// What became of an example.
#[derive(Debug)]
pub(super) struct Outcome {
    /// The generated module.
    pub(super) code: String,
    /// The ids of what was said of it.
    pub(super) findings: Vec<&'static str>,
    /// Whether the type alone is the schema.
    pub(super) exact: bool,
    pub(super) valid: Vec<Tried>,
    pub(super) invalid: Vec<Tried>,
}

/// A value that was held against the type and the validator.
#[derive(Debug)]
pub(super) struct Tried {
    pub(super) value: Value,
    pub(super) refused_by_type: bool,
    /// What the runtime says, one line each.
    pub(super) violations: Vec<String>,
}

/// All keywords that have examples, by name.
pub(super) fn all() -> Vec<Keyword> {
    let folder = workspace().join("tests/keywords");
    let mut all: Vec<Keyword> = fs::read_dir(&folder)
        .expect("the folder of examples can be read")
        .map(|entry| {
            let path = entry.expect("its entries can be read").path();
            let text = fs::read_to_string(&path).expect("examples can be read");
            let mut keyword: Keyword = serde_json::from_str(&text)
                .unwrap_or_else(|why| panic!("{}: {why}", path.display()));
            let name = path.file_stem().expect("files of examples have names");
            keyword.name = name.to_string_lossy().into_owned();
            keyword
        })
        .collect();
    // `$id` beside `id`, whatever the case.
    all.sort_by_key(|it| {
        (
            it.name.trim_start_matches('$').to_lowercase(),
            it.name.clone(),
        )
    });
    all
}

impl Example {
    /// Generates the example and tries its values.
    pub(super) fn run(&self) -> Result<Outcome, String> {
        let folder = Scratch::new("keywords").expect("scratch folders can be made");
        let config = self.config(&folder);
        let generated = mcp_codegen::generate(&config).map_err(|failure| failure.to_string())?;
        let stated = proof::stated(&config).map_err(|failure| failure.to_string())?;
        let document = generated.files.get(&format!("{SERVER}.json"));
        let published: Value = document
            .and_then(|it| serde_json::from_str(it).ok())
            .expect("the server has a document, which is JSON");
        let contract = contract(&published);
        // What the type says by itself, judged by the same validator: patterns mean the same to both.
        let of_type = contract_of_type(&stated[0].input);
        let try_all = |values: &[Value]| -> Vec<Tried> {
            let tries = values.iter().map(|value| {
                let arguments = self.arguments(value);
                let answer = contract.tool(0).decode_input::<Value>(&arguments);
                let violations = answer.err().into_iter();
                Tried {
                    value: value.clone(),
                    refused_by_type: of_type.tool(0).decode_input::<Value>(&arguments).is_err(),
                    violations: violations
                        .flat_map(|it| it.iter().map(ToString::to_string).collect::<Vec<_>>())
                        .collect(),
                }
            });
            tries.collect()
        };
        let input = Subject::Input(TOOL.to_owned());
        let proof = generated.proofs.iter().find(|it| it.subject == input);
        let code = generated.files.get(&format!("{SERVER}.rs"));
        Ok(Outcome {
            code: code.expect("the server has a module").to_owned(),
            findings: generated
                .diagnostics
                .iter()
                .map(|it| it.id.as_str())
                .collect(),
            exact: proof.is_some_and(|it| it.exactness == Exactness::Exact),
            valid: try_all(&self.valid),
            invalid: try_all(&self.invalid),
        })
    }

    /// Puts the example into a contract root of its own.
    fn config(&self, folder: &Scratch) -> Config {
        let mut schema = if self.root {
            self.schema.clone()
        } else {
            json!({
                "type": "object",
                "properties": { "value": self.schema },
                "required": ["value"]
            })
        };
        if let Some(dialect) = &self.dialect {
            schema["$schema"] = super::known::uri(dialect).into();
        }
        let tool = json!({ "name": TOOL, "description": "An example.", "inputSchema": schema });
        let write = |path: &str, text: &str| {
            let written = folder.write(path, text);
            written.expect("scratch files can be written")
        };
        write("schemas/t.tool.json", &tool.to_string());
        let mut config = Config::new(folder.path().join("schemas"));
        SERVER.clone_into(&mut config.root_name);
        if !self.settings.is_empty() {
            let text = self.settings.join("\n");
            let path = write("mcp-codegen.toml", &text);
            config.apply_toml(&path, "mcp-codegen.toml", &text);
        }
        config
    }

    fn arguments(&self, value: &Value) -> Value {
        if self.root {
            value.clone()
        } else {
            json!({ "value": value })
        }
    }
}

/// A contract with its validator at work, also where the type alone would do.
fn contract(document: &Value) -> &'static Contract {
    let mut document = document.clone();
    if let Some(settings) = document.pointer_mut(&format!("/settings/{TOOL}")) {
        let settings = settings.as_object_mut().expect("settings are an object");
        settings.shift_remove("exactInput");
    }
    // A contract lives as long as the program; these are small and few.
    let document: &'static str = document.to_string().leak();
    Box::leak(Box::new(Contract::new(document)))
}

/// A contract that accepts what a type accepts.
fn contract_of_type(stated: &Value) -> &'static Contract {
    contract(&json!({
        "server": { "name": SERVER, "version": "0" },
        "tools": [{ "name": TOOL, "inputSchema": stated }]
    }))
}
