//! Real code for each subject, made by the product: one contract root, one server, one tool each.

use std::{fs, io, path::Path};

use mcp_codegen::{
    config::{
        Config, ConstraintPolicy, DialectName, TypeOverrides, UnknownPolicy, UnresolvedPolicy,
        UnwrapPolicy,
    },
    proof::{self, Exactness, Proof},
    sync,
};
use serde_json::{Value, json};

use super::{
    args::Args,
    batch,
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
    /// What is proved of the type: an input's is read, an output's written.
    pub proof: Exactness,
    /// Proofs that a type refuses values of its schema, in words; there must be none.
    pub unsound: Vec<String>,
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
        products.push(one(index, subject, &root, args.constraints)?);
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

fn one(
    index: usize,
    subject: &Subject,
    root: &Path,
    constraints: ConstraintPolicy,
) -> io::Result<Product> {
    write_contract(subject, &root.join(module(index)))?;
    let mut config = configured(subject, root);
    let mut overrides = TypeOverrides::default();
    overrides.constraints = Some(constraints);
    config.types.insert("*".to_owned(), overrides.clone());
    let default = match mcp_codegen::generate(&config) {
        Ok(generated) => generated,
        Err(failure) => return Ok(Product::Refused(failure.to_string())),
    };
    let stated = match stated(&config, subject.side) {
        Ok(stated) => stated,
        Err(failure) => return Ok(Product::Refused(failure)),
    };
    overrides.unknown = Some(UnknownPolicy::Keep);
    config.types.insert("*".to_owned(), overrides);
    let keep = match mcp_codegen::generate(&config) {
        Ok(generated) => generated,
        Err(failure) => return Ok(Product::Refused(failure.to_string())),
    };
    let Some(proof) = proved(&default.proofs, subject.side) else {
        return Err(io::Error::other(format!("{}: no proof", subject.id)));
    };
    let proofs = default.proofs.iter().chain(&keep.proofs);
    let unsound = proofs
        .filter(|it| matches!(it.exactness, Exactness::Unsound(_)))
        .map(ToString::to_string)
        .collect();
    let texts_of_default = texts(&default.files);
    let own = format!("{}.rs", module(index));
    let own = texts_of_default.iter().find(|(path, _)| *path == own);
    let root = own.and_then(|(_, text)| batch::root_type(text, subject.side));
    Ok(Product::Code(Box::new(Code {
        exact: is_exact(&texts_of_default, subject.side),
        default: texts_of_default,
        keep: texts(&keep.files),
        proof,
        unsound,
        reads_exactly: reads_exactly(&default.proofs, subject.side, &root.unwrap_or_default()),
        stated,
    })))
}

/// One contract root with the subject as one half of its only tool.
fn write_contract(subject: &Subject, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    // The other half has a type with a name, since `*` has to match one.
    let object = json!({ "type": "object", "properties": { "other": { "type": "boolean" } } });
    let tool = match subject.side {
        Side::Input => {
            json!({ "name": "t", "description": "T.", "inputSchema": subject.schema, "outputSchema": object })
        }
        Side::Output => {
            json!({ "name": "t", "description": "T.", "inputSchema": object, "outputSchema": subject.schema })
        }
    };
    let text = serde_json::to_string_pretty(&tool)?;
    fs::write(folder.join("t.tool.json"), text)
}

fn configured(subject: &Subject, root: &Path) -> Config {
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
    let settings = config.tools.entry("*".to_owned()).or_default();
    settings.formats = subject.formats;
    // A subject is its schema, also where an SDK made it for a wrapper.
    settings.unwrap = Some(UnwrapPolicy::Never);
    config
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

/// Proofs of outputs are about writing; about reading there is one where the root is a type with a name, and not, say,
/// an `Option` of one.
fn reads_exactly(proofs: &[Proof], side: Side, root: &str) -> bool {
    proofs.iter().any(|it| {
        let is_root = match (&it.subject, side) {
            (proof::Subject::Input(_), Side::Input) => true,
            (proof::Subject::Type(name), Side::Output) => name == root,
            _ => false,
        };
        is_root && it.exactness == Exactness::Exact
    })
}

/// What is proved of the tool's side.
fn proved(proofs: &[Proof], side: Side) -> Option<Exactness> {
    let mut sides = proofs.iter().filter(|it| {
        matches!(
            (&it.subject, side),
            (proof::Subject::Input(_), Side::Input) | (proof::Subject::Output(_), Side::Output)
        )
    });
    sides.next().map(|it| it.exactness.clone())
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
