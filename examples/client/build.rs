//! Compiles two contract roots: what the reference servers say of themselves, and the contract of the weather example.

use std::{env, path::Path};

use mcp_codegen_build::{Builder, Error};

fn main() -> Result<(), Error> {
    // Where `include_contract!` looks. A second root needs a folder of its own.
    mcp_codegen_build::compile("schemas")?;
    let out = env::var_os("OUT_DIR").expect("cargo sets it for build scripts");
    Builder::new()
        .schemas("../../schemas/weather")
        .out_dir(Path::new(&out).join("weather"))
        .compile()
}
