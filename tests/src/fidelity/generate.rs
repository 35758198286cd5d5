//! Real code for each subject, made by the product: one contract root, one server, one tool each.

use std::{fs, io, path::Path};

use mcp_codegen::{
    config::{Config, DialectName, ToolOverrides, TypeOverrides, UnknownPolicy, UnresolvedPolicy},
    proof::{self, Exactness, Proof},
    sync,
};
use serde_json::{Value, json};

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
    /// Whether the type is said to read nothing that the schema refuses. For an output that is another
    /// question than whether it writes nothing such, which the contract document answers.
    pub reads_exactly: bool,
    /// What the type of the default mode accepts by itself, as the generator models it.
    pub stated: Value,
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
    if subject.row == "published" {
        read_as_published(&mut config);
    }
    if let Some(formats) = subject.formats {
        let mut overrides = ToolOverrides::default();
        overrides.formats = Some(formats);
        config.tools.insert("*".to_owned(), overrides);
    }
    let default = match mcp_codegen::generate(&config) {
        Ok(generated) => generated,
        Err(failure) => return Ok(Product::Refused(failure.to_string())),
    };
    let stated = match stated(&config, subject.side) {
        Ok(stated) => stated,
        Err(failure) => return Ok(Product::Refused(failure)),
    };
    let mut overrides = TypeOverrides::default();
    overrides.unknown = Some(UnknownPolicy::Keep);
    config.types.insert("*".to_owned(), overrides);
    let keep = match mcp_codegen::generate(&config) {
        Ok(generated) => generated.files,
        Err(failure) => return Ok(Product::Refused(failure.to_string())),
    };
    let reads_exactly = reads_exactly(&default.proofs, subject.side);
    let default = texts(&default.files);
    let exact = is_exact(&default, subject.side);
    Ok(Product::Code(Box::new(Code {
        default,
        keep: texts(&keep),
        exact,
        reads_exactly,
        stated,
    })))
}

/// Real schemas refer to others that are not kept beside them, and two name a meta-schema of their own that,
/// as they say, only adds to 2020-12.
fn read_as_published(config: &mut Config) {
    config.unresolved = UnresolvedPolicy::Any;
    for meta in [
        "https://docs.oasis-open.org/csaf/csaf/v2.1/schema/meta.json",
        "https://www.first.org/cvss/meta.json",
    ] {
        config
            .dialects
            .insert(meta.to_owned(), DialectName::Draft202012);
    }
}

fn reads_exactly(proofs: &[Proof], side: Side) -> bool {
    proofs.iter().any(|it| {
        let is_root = match (&it.subject, side) {
            (proof::Subject::Input(_), Side::Input) => true,
            (proof::Subject::Type(name), Side::Output) => name == "TOutput",
            _ => false,
        };
        is_root && it.exactness == Exactness::Exact
    })
}

/// The model of the only tool's type.
fn stated(config: &Config, side: Side) -> Result<Value, String> {
    let all = proof::stated(config).map_err(|failure| failure.to_string())?;
    let tool = all
        .into_iter()
        .next()
        .ok_or("the only tool is not stated")?;
    match side {
        Side::Input => Ok(tool.input),
        Side::Output => tool
            .output
            .ok_or_else(|| "the output is not stated".to_owned()),
    }
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
        .filter_map(|(_, text)| serde_json::from_str::<Value>(text).ok())
        .any(|it| it["settings"]["t"][member] == true)
}
