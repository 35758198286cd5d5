//! The command line as its users meet it: console sessions in `tests/cli/*.trycmd`.
//!
//! A session `x.trycmd` runs in a copy of `x.in/`; where there is an `x.out/`, its commands share
//! that copy and the files that are there at the end are compared. `TRYCMD=overwrite` blesses.

use std::{path::PathBuf, process::Command, sync::OnceLock};

use mcp_codegen_tests::workspace;

/// The command, built as its users build it: `cargo test` alone does not build another package's binary.
pub(crate) fn command() -> &'static PathBuf {
    static COMMAND: OnceLock<PathBuf> = OnceLock::new();
    COMMAND.get_or_init(|| {
        let output = Command::new(env!("CARGO"))
            .args([
                "build",
                "--package",
                "mcp-codegen",
                "--bin",
                "mcp-codegen",
                "--message-format",
                "json",
            ])
            .current_dir(workspace())
            .output()
            .expect("cargo starts");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let messages = String::from_utf8(output.stdout).expect("cargo's messages are UTF-8");
        messages
            .lines()
            .filter_map(|it| serde_json::from_str::<serde_json::Value>(it).ok())
            .find_map(|it| it["executable"].as_str().map(PathBuf::from))
            .expect("cargo names the executable it built")
    })
}

#[test]
fn sessions_are_as_written() {
    trycmd::TestCases::new()
        .register_bin("mcp-codegen", command().as_path())
        .env("CARGO_TERM_COLOR", "never")
        .case("cli/*.trycmd")
        // One command whose output holds the fences that end a session.
        .case("cli/explain-one.toml")
        .run();
}
