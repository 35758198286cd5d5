//! A first implementation of every trait, for the user to fill in.

use std::str::FromStr;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::{
    contract::{Contract, Server},
    emit::{self, Types},
    graph::{ServerTypes, TypeGraph},
    mount::Mount,
    naming::{self, MethodName, ModuleName, TypeName},
    print,
};

/// What a first implementation is made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stubs {
    servers: Vec<ServerStub>,
}

#[derive(Clone, Debug)]
struct ServerStub {
    module: ModuleName,
    trait_name: TypeName,
    wrapper: TypeName,
    methods: Vec<MethodStub>,
}

/// Types are Rust text: tokens cannot move between threads, and this is part of a public result.
#[derive(Clone, Debug)]
struct MethodStub {
    tool: String,
    method: MethodName,
    input: String,
    output: String,
}

/// Collects what [`Stubs::render`] needs.
pub(crate) fn stubs(contract: &Contract<'_>, graph: &TypeGraph) -> Stubs {
    let servers = contract.servers.iter().zip(&graph.servers);
    Stubs {
        servers: servers
            .map(|(server, types)| server_stub(server, types))
            .collect(),
    }
}

fn server_stub(server: &Server<'_>, graph: &ServerTypes) -> ServerStub {
    let types = Types {
        types: &graph.types,
        module: Some(&server.module),
    };
    let methods = server
        .tools
        .iter()
        .zip(&graph.tools)
        .map(|(tool, it)| MethodStub {
            tool: tool.name.clone(),
            method: tool.method.clone(),
            input: types.rust(&it.input).to_string(),
            output: emit::output(types, it).to_string(),
        });
    ServerStub {
        module: server.module.clone(),
        trait_name: server.trait_name.clone(),
        wrapper: naming::server_name(&server.trait_name),
        methods: methods.collect(),
    }
}

impl Stubs {
    /// The file, for a crate that has the generated tree at `mount`.
    pub(crate) fn render(&self, mount: &Mount) -> String {
        let path = &mount.path();
        let mut blocks = self.imports(path);
        for server in &self.servers {
            blocks.extend([service(server), implementation(server)]);
        }
        print::rust(&self.header(path), blocks)
    }

    /// Who wrote this, and how to serve it.
    fn header(&self, path: &str) -> String {
        let serve = match self.servers.as_slice() {
            [server] => format!(
                "{}::{}::new({})",
                server.module,
                server.wrapper,
                service_name(server)
            ),
            servers => {
                let servers = servers
                    .iter()
                    .map(|it| format!("{}::{}::new({})", it.module, it.wrapper, service_name(it)));
                format!(
                    "mcp_codegen_runtime::combine(({}))?",
                    servers.collect::<Vec<_>>().join(", ")
                )
            }
        };
        format!(
            "//! The work behind the tools of `{path}`: a first version, made by `mcp-codegen generate --stubs`.\n\
             //!\n\
             //! It is yours now; mcp-codegen never writes to it again. Serve it from `main` with\n\
             //!\n\
             //! ```text\n\
             //! mcp_codegen_runtime::serve_stdio({serve}).await\n\
             //! ```\n"
        )
    }

    /// The `use` lines, one block per origin as rustfmt leaves them.
    fn imports(&self, path: &str) -> Vec<TokenStream> {
        let text = |wanted: &str| {
            self.servers
                .iter()
                .flat_map(|it| &it.methods)
                .any(|it| it.mentions(wanted))
        };
        let map = text("BTreeMap").then(|| {
            quote!(
                use std::collections::BTreeMap;
            )
        });
        let mut names: Vec<Ident> = Vec::new();
        if self.servers.iter().any(|it| !it.methods.is_empty()) {
            names
                .extend(["CallContext", "ToolError", "ToolResult"].map(|it| format_ident!("{it}")));
        }
        names.extend(
            ["Content", "Never", "Value"]
                .into_iter()
                .filter(|it| text(it))
                .map(|it| format_ident!("{it}")),
        );
        names.sort();
        let runtime = (!names.is_empty()).then(|| quote!(use mcp_codegen_runtime::{#(#names),*};));
        let path = tokens(path);
        let modules = self.servers.iter().map(|it| &it.module);
        let modules = quote!(#(use #path::#modules;)*);
        map.into_iter().chain(runtime).chain([modules]).collect()
    }
}

impl MethodStub {
    /// Whether a type of the runtime or of `std` appears. Types of the contract stand behind their
    /// module, and none of them has such a name.
    fn mentions(&self, name: &str) -> bool {
        let words = |it: &str| {
            it.split(|it: char| !it.is_alphanumeric() && it != '_')
                .any(|it| it == name)
        };
        words(&self.input) || words(&self.output)
    }
}

/// The type that implements a trait: `WeatherService`.
fn service_name(server: &ServerStub) -> Ident {
    format_ident!("{}Service", server.trait_name.as_str())
}

fn service(server: &ServerStub) -> TokenStream {
    let name = service_name(server);
    let docs = format!(
        " Does the work of [`{}::{}`].",
        server.module, server.trait_name
    );
    quote! {
        #[doc = #docs]
        #[derive(Clone, Debug, Default)]
        pub struct #name;
    }
}

fn implementation(server: &ServerStub) -> TokenStream {
    let ServerStub {
        module, trait_name, ..
    } = server;
    let name = service_name(server);
    let methods = server.methods.iter().map(method);
    quote! {
        impl #module::#trait_name for #name {
            #(#methods)*
        }
    }
}

fn method(it: &MethodStub) -> TokenStream {
    let name = &it.method;
    let input = tokens(&it.input);
    let output = tokens(&it.output);
    let message = format!("{} is not implemented yet", it.tool);
    quote! {
        async fn #name(&self, _input: #input, _cx: CallContext) -> ToolResult<#output> {
            Err(ToolError::new(#message))
        }
    }
}

fn tokens(text: &str) -> TokenStream {
    TokenStream::from_str(text).expect("types and paths are Rust text")
}
