//! Compiles the contracts in `schemas/brand-kit` into Rust, anew whenever one of them changes.

fn main() -> Result<(), mcp_codegen_build::Error> {
    mcp_codegen_build::compile("../../schemas/brand-kit")
}
