//! Which settings win, and what cargo is told. Real builds are tested with the workspace's tests.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::{env, fs, path::PathBuf, process};

use super::*;
use crate::{OutputPolicy, TextPolicy, UnknownPolicy};

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = env::temp_dir().join(format!("mcp-codegen-build-{name}-{}", process::id()));
        for (path, text) in files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A leftover in the temporary folder harms nobody.
        let _removed = fs::remove_dir_all(&self.0);
    }
}

fn package() -> Package {
    Package {
        name: "station".to_owned(),
        version: "1.2.3".to_owned(),
    }
}

#[test]
fn the_builder_wins_over_the_file_and_the_file_over_the_package() {
    let folder = Folder::new(
        "settings",
        &[(
            "mcp-codegen.toml",
            "schemas = 'contracts'\nversion = '2.0.0'\n\
             [tools.get_weather]\ntext = 'none'\noutput = 'warn'\n",
        )],
    );
    let mut instructions = Instructions::default();
    let config = Builder::new()
        .config(folder.0.join("mcp-codegen.toml"))
        .tool("get_weather", |it| it.text = Some(TextPolicy::Pretty))
        .types("*", |it| it.unknown = Some(UnknownPolicy::Keep))
        .settings(&package(), &mut instructions)
        .unwrap();
    assert_eq!(config.schemas, folder.0.join("contracts"));
    assert_eq!(
        (config.root_name.as_str(), config.version.as_str()),
        ("station", "2.0.0")
    );
    let tool = config.settings_for("weather", "get_weather");
    assert_eq!(
        (tool.text, tool.output),
        (TextPolicy::Pretty, OutputPolicy::Warn)
    );
    assert_eq!(
        config.type_settings("weather", "Place").unknown,
        UnknownPolicy::Keep
    );

    let config = Builder::new()
        .schemas("interfaces")
        .name("weather")
        .settings(&package(), &mut instructions)
        .unwrap();
    assert_eq!(config.schemas_label, "interfaces");
    assert_eq!(
        (config.root_name.as_str(), config.version.as_str()),
        ("weather", "1.2.3")
    );
}

#[test]
fn what_was_read_is_watched_and_warnings_are_lines() {
    let tool = r#"{ "name": "add",
      "inputSchema": { "type": "object" } }"#;
    let folder = Folder::new("watch", &[("schemas/math/add.tool.json", tool)]);
    let root = folder.0.join("schemas");
    let mut instructions = Instructions::default();
    let out = folder.0.join("out");
    Builder::new()
        .schemas(&root)
        .run(&package(), &out, &mut instructions)
        .unwrap();
    assert!(out.join("math.rs").is_file() && out.join("mod.rs").is_file());
    let shown = instructions.to_string();
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(
        lines[..3],
        [
            format!("cargo::rerun-if-changed={}", root.display()),
            format!("cargo::rerun-if-changed={}", root.join("math").display()),
            format!(
                "cargo::rerun-if-changed={}",
                root.join("math/add.tool.json").display()
            ),
        ]
    );
    assert!(
        lines[3].starts_with("cargo::warning=schemas/math/add.tool.json:1:"),
        "{shown}"
    );
    assert!(lines[3].ends_with("[missing-description]"), "{shown}");
    assert_eq!(lines.len(), 4, "{shown}");
}

#[test]
fn an_error_is_the_report() {
    let folder = Folder::new(
        "report",
        &[("schemas/math/add.tool.json", "{ \"name\": \"add\", }")],
    );
    let mut instructions = Instructions::default();
    let error = Builder::new()
        .schemas(folder.0.join("schemas"))
        .run(&package(), &folder.0.join("out"), &mut instructions)
        .unwrap_err();
    let shown = error.to_string();
    assert!(shown.starts_with("error[bad-json]: "), "{shown}");
    assert!(
        shown.contains("--> schemas/math/add.tool.json:1:"),
        "{shown}"
    );
    assert_eq!(
        format!("{error:?}"),
        format!("the contract could not be compiled\n\n{shown}\n")
    );
    assert!(
        instructions.to_string().contains("add.tool.json"),
        "a repair must be noticed"
    );
}
