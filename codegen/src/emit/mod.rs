//! Contract and types as Rust code: small `quote!` functions, one construct each.
//!
//! What comes out is what a person would write on top of the runtime: a trait with a method per
//! tool, a type that serves it, and plain serde types.

mod checks;
mod client;
mod defaults;
mod derives;
mod docs;
mod document;
mod enums;
mod imports;
mod markdown;
mod offers;
mod rename;
mod server;
mod shape;
mod structs;
mod types;

use proc_macro2::TokenStream;
use quote::quote;

pub(crate) use markdown::hides;
pub(crate) use server::output;
pub(crate) use shape::Types;

use crate::{
    contract::{Contract, Server},
    graph::{ServerTypes, TypeGraph},
    naming::ModuleName,
    prove::{Proofs, ServerProofs},
};

/// A generated file before it is printed.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// Relative to the output folder: `weather.rs`.
    pub(crate) path: String,
    pub(crate) body: Body,
}

/// What is in a [`Unit`].
#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// Rust code: a first comment line, then blocks with an empty line between them. The items
    /// within a block stand close together.
    Rust {
        header: String,
        blocks: Vec<TokenStream>,
    },
    /// Finished text.
    Json(String),
}

/// All files: `mod.rs`, and code and document of each server. `origin` is what the header of
/// `mod.rs` names as the source: the contract root, relative.
pub(crate) fn emit(
    contract: &Contract<'_>,
    graph: &TypeGraph,
    proofs: &Proofs,
    origin: &str,
) -> Vec<Unit> {
    let mut units = vec![root(contract, origin)];
    let servers = contract
        .servers
        .iter()
        .zip(&graph.servers)
        .zip(&proofs.servers);
    for ((server, types), proofs) in servers {
        units.extend([module(server, types), document(server, types, proofs)]);
    }
    units
}

/// The path of a server's code, relative to the output folder.
pub(crate) fn module_path(module: &ModuleName) -> String {
    format!("{module}.rs")
}

/// The path of a server's document; it stands beside the code.
fn document_path(module: &ModuleName) -> String {
    format!("{module}.json")
}

/// `mod.rs`. Attributes stand here, outside of the modules, so that those also work when they are
/// taken in by `include!`, which allows no inner attributes.
fn root(contract: &Contract<'_>, origin: &str) -> Unit {
    let modules = contract.servers.iter().map(|server| {
        let name = &server.module;
        let origin = markdown::code(&server.origin).unwrap_or_default();
        let docs = format!(" Types, trait and server of {origin}.");
        // rustc looks for the files of such modules only where it is told to (E0754).
        let path = (!name.as_str().is_ascii()).then(|| {
            let path = module_path(name);
            quote!(#[path = #path])
        });
        quote! {
            #[doc = #docs]
            #[allow(
                dead_code,
                deprecated,
                missing_copy_implementations,
                missing_docs,
                unreachable_pub,
                unused_qualifications,
                clippy::all,
                clippy::nursery,
                clippy::pedantic,
                clippy::restriction,
                reason = "generated: names, docs and nesting are those of the contract"
            )]
            #[rustfmt::skip]
            #path
            pub mod #name;
        }
    });
    let header = format!("// {}", mark(origin));
    Unit {
        path: "mod.rs".to_owned(),
        body: Body::Rust {
            header,
            blocks: modules.collect(),
        },
    }
}

fn module(server: &Server<'_>, types: &ServerTypes) -> Unit {
    let mut blocks = imports::imports(
        &[offers::imports(server), client::imports(server)].concat(),
        types,
    );
    blocks.extend(server::all(server, types));
    blocks.extend(types::all(types, &types::roles(server, types)));
    let header = format!("// {}", mark(&server.origin));
    Unit {
        path: module_path(&server.module),
        body: Body::Rust { header, blocks },
    }
}

fn document(server: &Server<'_>, types: &ServerTypes, proofs: &ServerProofs) -> Unit {
    let mark = mark(&server.origin);
    // The key of the member is `@generated` already.
    let mark = mark.strip_prefix("@generated ").unwrap_or(&mark);
    let text = document::document(server, types, proofs, mark);
    Unit {
        path: document_path(&server.module),
        body: Body::Json(text),
    }
}

/// The sentence by which `sync` knows a file as ours.
fn mark(origin: &str) -> String {
    format!(
        "{}{} from {}. Do not edit.",
        crate::sync::MARK,
        env!("CARGO_PKG_VERSION"),
        markdown::comment(origin)
    )
}

#[cfg(test)]
mod tests;
