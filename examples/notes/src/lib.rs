//! A notebook: the generated trait `Notes`, implemented on an embedded database. `main.rs` serves it over HTTP, other
//! examples in other ways.

/// What `mcp-codegen generate` made of the contracts.
pub mod r#gen;
mod notebook;
mod store;

pub use crate::{
    notebook::Notebook,
    store::{Store, StoreError},
};
