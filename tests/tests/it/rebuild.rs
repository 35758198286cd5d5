//! Real `cargo build`s of a crate whose build.rs compiles contracts: what makes it run again, and what does not.

use std::{fs, process::Output};

use mcp_codegen_tests::{
    scratch::{self, Scratch},
    workspace,
};

const TOOL: &str = r#"{
  "name": "get_weather",
  "description": "Current weather for a location.",
  "inputSchema": {
    "type": "object",
    "properties": { "location": { "type": "string", "description": "City name." } },
    "required": ["location"],
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": { "celsius": { "type": "number" } },
    "required": ["celsius"]
  }
}
"#;

const BUILD: &str = r#"
use std::{fs::OpenOptions, io::Write};

fn main() -> Result<(), mcp_codegen_build::Error> {
    let mut runs = OpenOptions::new().create(true).append(true).open("runs.log").expect("the log can be opened");
    writeln!(runs, "run").expect("the log can be written");
    mcp_codegen_build::compile("schemas")
}
"#;

const LIB: &str = r#"
#![deny(warnings)]
mcp_codegen_runtime::include_contract!("weather");

/// The generated types are usable under their own names.
pub fn output(input: &GetWeatherInput) -> GetWeatherOutput {
    GetWeatherOutput { celsius: if input.location.is_empty() { 0.0 } else { 20.0 } }
}
"#;

/// A crate in a scratch folder, with one contract.
struct Project(Scratch);

impl Project {
    fn new(name: &str, edition: &str) -> Self {
        let scratch = Scratch::new(name).expect("scratch folders can be made");
        let build = workspace().join("build-support");
        let build = build.to_string_lossy();
        // Without debug info the build script's and the library's dependencies are the same units, and built once.
        let manifest = format!(
            "{}\n[build-dependencies]\nmcp-codegen-build = {{ path = {build:?} }}\n\n[profile.dev]\ndebug = 0\n",
            scratch::manifest(name, edition, &[])
        );
        let project = Self(scratch);
        project.write("Cargo.toml", &manifest);
        project.write("build.rs", BUILD);
        project.write("src/lib.rs", LIB);
        project.write("schemas/weather/get_weather.tool.json", TOOL);
        project
    }

    fn write(&self, path: &str, text: &str) {
        self.0
            .write(path, text)
            .expect("scratch files can be written");
    }

    fn remove(&self, path: &str) {
        fs::remove_file(self.0.path().join(path)).expect("scratch files can be removed");
    }

    /// What cargo said.
    fn cargo(&self) -> (Output, String) {
        let output = scratch::cargo(self.0.path(), &["build"]).expect("cargo starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output, said)
    }

    /// Builds, and tells whether the build script ran.
    fn build(&self) -> bool {
        let before = self.runs();
        let (output, said) = self.cargo();
        assert!(output.status.success(), "{said}");
        self.runs() > before
    }

    fn runs(&self) -> usize {
        fs::read_to_string(self.0.path().join("runs.log")).map_or(0, |it| it.lines().count())
    }
}

#[test]
fn what_reruns_the_build_script() {
    let project = Project::new("rebuild", "2024");
    assert!(project.build(), "the first build runs it");
    assert!(!project.build(), "nothing changed");

    project.write("src/other.rs", "// not part of the contract\n");
    project.write("notes.txt", "not part of the contract\n");
    assert!(
        !project.build(),
        "files outside of the contract root changed"
    );

    project.write(
        "schemas/weather/get_weather.tool.json",
        &TOOL.replace("City name.", "City or village."),
    );
    assert!(project.build(), "a contract file changed");
    assert!(!project.build(), "nothing changed");

    project.write(
        "schemas/weather/get_time.tool.json",
        &TOOL.replace("get_weather", "get_time"),
    );
    assert!(project.build(), "a contract file was added");

    project.remove("schemas/weather/get_time.tool.json");
    assert!(project.build(), "a contract file was removed");

    project.write(
        "schemas/notes/note.tool.json",
        &TOOL.replace("get_weather", "note"),
    );
    assert!(project.build(), "a server was added");
    assert!(!project.build(), "nothing changed");
}

#[test]
fn the_configuration_is_part_of_the_contract() {
    let project = Project::new("rebuild-config", "2024");
    project.write(
        "mcp-codegen.toml",
        "[tools.get_weather]\ntext = \"pretty\"\n",
    );
    assert!(project.build());
    assert!(!project.build(), "nothing changed");
    project.write("mcp-codegen.toml", "[tools.get_weather]\ntext = \"none\"\n");
    assert!(project.build(), "the configuration changed");

    project.write("mcp-codegen.toml", "[tools.get_wether]\ntext = \"none\"\n");
    let (output, said) = project.cargo();
    assert!(!output.status.success());
    assert!(
        said.contains("unmatched-selector") && said.contains("mcp-codegen.toml:1:"),
        "{said}"
    );
}

#[test]
fn generated_code_compiles_in_edition_2021() {
    assert!(Project::new("rebuild-2021", "2021").build());
}

#[test]
fn errors_and_warnings_reach_the_user() {
    let project = Project::new("rebuild-errors", "2024");
    project.write(
        "schemas/weather/get_weather.tool.json",
        &TOOL.replace("\"description\": \"Current weather for a location.\",", ""),
    );
    let (output, said) = project.cargo();
    assert!(output.status.success(), "{said}");
    let warning = said
        .lines()
        .find(|it| it.contains("missing-description"))
        .unwrap_or_default();
    assert!(
        warning.contains("schemas/weather/get_weather.tool.json:"),
        "{said}"
    );

    project.write(
        "schemas/weather/get_weather.tool.json",
        &TOOL.replace(
            r#"{ "type": "number" }"#,
            r##"{ "$ref": "#/$defs/Nowhere" }"##,
        ),
    );
    let (output, said) = project.cargo();
    assert!(!output.status.success());
    assert!(said.contains("error[unresolved-ref]"), "{said}");
    assert!(
        said.contains("--> schemas/weather/get_weather.tool.json:12:"),
        "{said}"
    );
    assert!(!said.contains("panicked at"), "{said}");

    project.write("schemas/weather/get_weather.tool.json", TOOL);
    assert!(project.build(), "a repaired contract builds");
}
