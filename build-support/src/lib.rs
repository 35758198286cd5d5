//! Compiles MCP tool contracts in `build.rs`: JSON Schema files become Rust types and one trait per server.
//!
//! ```no_run
//! // build.rs
//! fn main() -> Result<(), mcp_codegen_build::Error> {
//!     mcp_codegen_build::compile("schemas")
//! }
//! ```
//!
//! ```text
//! // src/main.rs: `schemas/weather/` is the server `weather`
//! mcp_codegen_runtime::include_contract!("weather");
//! ```
//!
//! The build script runs again when a file below the contract root, or the configuration, is new, changed or
//! gone, and not otherwise. Files that come out the same are not rewritten.
//!
//! Settings live in `mcp-codegen.toml` beside the package's `Cargo.toml`; the command line
//! (`mcp-codegen generate`) reads the same file and makes the same code. [`Builder`] is for what a build
//! script must decide itself.

mod builder;
mod cargo;
mod error;

use std::path::Path;

pub use mcp_codegen::config::{
    OutputPolicy, TextPolicy, ToolOverrides, TypeOverrides, UnknownPolicy, UnwrapPolicy, WrapPolicy,
};

pub use crate::{builder::Builder, error::Error};

/// Compiles the contracts below `schemas` into `OUT_DIR`.
///
/// The path is relative to the package's folder. Same as `Builder::new().schemas(schemas).compile()`.
///
/// # Errors
///
/// When a contract is wrong: the error is the whole report, so `main` may return it and `unwrap` shows it.
/// Also when a file cannot be read or written, or outside of a build script.
pub fn compile(schemas: impl AsRef<Path>) -> Result<(), Error> {
    Builder::new().schemas(schemas.as_ref()).compile()
}
