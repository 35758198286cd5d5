//! Compiles the contracts in `schemas`; `mcp-codegen.toml` says which types are not to be generated.

fn main() -> Result<(), mcp_codegen_build::Error> {
    mcp_codegen_build::compile("schemas")
}
