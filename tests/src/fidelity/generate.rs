//! Real code for each subject, made by the product: one contract root, one server, one tool each.

use std::{fs, io, path::Path};

use mcp_codegen::{
    config::{Config, TypeOverrides, UnknownPolicy},
    sync,
};
use serde_json::json;

use super::{
    args::Args,
    subjects::{Side, Subject},
};
use crate::scratch::Scratch;

/// What `generate` made of a subject.
#[derive(Clone, Debug)]
pub enum Product {
    /// The generated trees: as by default, and with `unknown = "keep"`.
    Code(Box<Code>),
    /// The rendered report.
    Refused(String),
}

/// The two generated trees of a subject.
#[derive(Clone, Debug)]
pub struct Code {
    /// The default mode.
    pub default: Vec<(String, String)>,
    /// `unknown = "keep"`: nothing an open object holds is dropped.
    pub keep: Vec<(String, String)>,
    /// Whether the type is said to be exact, by its contract document.
    pub exact: bool,
}

/// Generates every subject.
///
/// # Errors
///
/// When the scratch folder cannot be written.
pub fn all(subjects: &[Subject], args: &Args) -> io::Result<Vec<Product>> {
    let scratch = Scratch::new("fidelity-contracts")?;
    let mut products = Vec::with_capacity(subjects.len());
    for (index, subject) in subjects.iter().enumerate() {
        let root = scratch.path().join(format!("{index}"));
        products.push(one(index, subject, &root)?);
        if !args.keep {
            fs::remove_dir_all(&root)?;
        }
    }
    Ok(products)
}

/// The name of the server, and so of the module, of a subject.
pub fn module(index: usize) -> String {
    format!("s{index:05}")
}

fn one(index: usize, subject: &Subject, root: &Path) -> io::Result<Product> {
    let folder = root.join(module(index));
    fs::create_dir_all(&folder)?;
    let object = json!({ "type": "object" });
    let tool = match subject.side {
        Side::Input => json!({ "name": "t", "description": "T.", "inputSchema": subject.schema }),
        Side::Output => {
            json!({ "name": "t", "description": "T.", "inputSchema": object, "outputSchema": subject.schema })
        }
    };
    fs::write(
        folder.join("t.tool.json"),
        serde_json::to_string_pretty(&tool)?,
    )?;
    let mut config = Config::new(root);
    "schemas".clone_into(&mut config.schemas_label);
    if let Some(remotes) = &subject.remotes {
        config
            .remotes
            .insert("http://localhost:1234/".to_owned(), remotes.clone());
    }
    let default = match mcp_codegen::generate(&config) {
        Ok(generated) => generated.files,
        Err(failure) => return Ok(Product::Refused(failure.to_string())),
    };
    let mut overrides = TypeOverrides::default();
    overrides.unknown = Some(UnknownPolicy::Keep);
    config.types.insert("*".to_owned(), overrides);
    let keep = match mcp_codegen::generate(&config) {
        Ok(generated) => generated.files,
        Err(failure) => return Ok(Product::Refused(failure.to_string())),
    };
    let default = texts(&default);
    let exact = is_exact(&default, subject.side);
    Ok(Product::Code(Box::new(Code {
        default,
        keep: texts(&keep),
        exact,
    })))
}

fn texts(files: &sync::Files) -> Vec<(String, String)> {
    files
        .iter()
        .map(|(path, text)| (path.to_owned(), text.to_owned()))
        .collect()
}

/// Reads the claim of exactness from the contract document, where the runtime reads it.
fn is_exact(files: &[(String, String)], side: Side) -> bool {
    let member = match side {
        Side::Input => "exactInput",
        Side::Output => "exactOutput",
    };
    let documents = files
        .iter()
        .filter(|(path, _)| Path::new(path).extension().is_some_and(|it| it == "json"));
    documents
        .filter_map(|(_, text)| serde_json::from_str::<serde_json::Value>(text).ok())
        .any(|it| it["settings"]["t"][member] == true)
}
