//! A first implementation of every trait, for the user to fill in.

use std::str::FromStr;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::{
    contract::{Completion, Contract, Input, Offer, Server},
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
    /// What it is for: the name of a tool, `prompt review`.
    what: String,
    method: MethodName,
    /// Its arguments but for the context: names and types.
    arguments: Vec<(&'static str, String)>,
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
            what: tool.name.clone(),
            method: tool.method.clone(),
            arguments: vec![("_input", types.rust(&it.input).to_string())],
            output: emit::output(types, it).to_string(),
        });
    ServerStub {
        module: server.module.clone(),
        trait_name: server.trait_name.clone(),
        wrapper: naming::server_name(&server.trait_name),
        methods: methods.chain(offers(server, graph, types)).collect(),
    }
}

/// The methods of resources, templates, prompts and completions, as the trait has them.
fn offers(server: &Server<'_>, graph: &ServerTypes, types: Types<'_>) -> Vec<MethodStub> {
    let stub = |offer: &Offer, noun: &str, arguments, output: &str| MethodStub {
        what: format!("{noun} {}", offer.name),
        method: offer.method.clone(),
        arguments,
        output: output.to_owned(),
    };
    let completer = |offer: &Offer, it: &Completion| MethodStub {
        what: format!("the completion of {} of {}", it.argument, offer.name),
        method: it.method.clone(),
        arguments: vec![("_partial", "Partial".to_owned())],
        output: "Vec<String>".to_owned(),
    };
    let resources = server.resources.iter();
    let mut stubs: Vec<_> = resources
        .map(|it| stub(&it.offer, "resource", Vec::new(), "ResourceContents"))
        .collect();
    for (input, shape) in server.inputs().zip(&graph.inputs) {
        let input_type = types.rust(shape).to_string();
        match input {
            Input::Variables(it) => {
                let arguments = vec![("_variables", input_type)];
                stubs.push(stub(&it.offer, "resource", arguments, "ResourceContents"));
                let completions = it.completions.iter();
                stubs.extend(completions.map(|completion| completer(&it.offer, completion)));
            }
            Input::Arguments(it) => {
                let arguments = vec![("_arguments", input_type)];
                stubs.push(stub(&it.offer, "prompt", arguments, "PromptMessages"));
                let completions = it.completions.iter();
                stubs.extend(completions.map(|completion| completer(&it.offer, completion)));
            }
            Input::Answer(_) => {}
        }
    }
    stubs
}

/// How many toolsets `combine` of the runtime takes.
const MOST_COMBINED: usize = 6;

impl Stubs {
    /// The file, for a crate that has the generated tree at `mount` and this file at `own`.
    pub(crate) fn render(&self, mount: &Mount, own: &Mount) -> String {
        let path = &mount.path();
        let mut blocks = self.imports(path);
        for server in &self.servers {
            blocks.extend([service(server), implementation(server)]);
        }
        as_rustfmt(&print::rust(&self.header(path, &own.path()), blocks))
    }

    /// Who wrote this, and how to serve it. The paths hold anywhere in the crate.
    fn header(&self, path: &str, own: &str) -> String {
        let one = |it: &ServerStub| {
            let service = service_name(it);
            format!(
                "{path}::{}::{}::new({own}::{service})",
                it.module, it.wrapper
            )
        };
        let serve = match self.servers.as_slice() {
            [] => Vec::new(),
            all if (2..=MOST_COMBINED).contains(&all.len()) => {
                let members = all.iter().map(|it| format!("    {},", one(it)));
                std::iter::once("let toolset = mcp_codegen_runtime::combine((".to_owned())
                    .chain(members)
                    .chain(
                        ["))?;", "mcp_codegen_runtime::serve_stdio(toolset).await"]
                            .map(str::to_owned),
                    )
                    .collect()
            }
            [first, ..] => vec![format!(
                "mcp_codegen_runtime::serve_stdio({}).await",
                one(first)
            )],
        };
        let others = if self.servers.len() > MOST_COMBINED {
            " The other servers\n//! are served alike; `combine` makes one of up to six."
        } else {
            ""
        };
        let serve = format!("//! {}\n", serve.join("\n//! "));
        format!(
            "//! The work behind the tools of `{path}`: a first version, made by `mcp-codegen generate --stubs`.\n\
             //!\n\
             //! It is yours now; mcp-codegen never writes to it again. Serve it from `main` like this.{others}\n\
             //!\n\
             //! ```text\n\
             {serve}\
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
            let std = self.outer("std");
            quote!(
                use #std::collections::BTreeMap;
            )
        });
        let mut names: Vec<Ident> = Vec::new();
        if self.servers.iter().any(|it| !it.methods.is_empty()) {
            names
                .extend(["CallContext", "ToolError", "ToolResult"].map(|it| format_ident!("{it}")));
        }
        names.extend(
            [
                "Content",
                "Never",
                "Partial",
                "PromptMessages",
                "ResourceContents",
                "Value",
            ]
            .into_iter()
            .filter(|it| text(it))
            .map(|it| format_ident!("{it}")),
        );
        names.sort();
        let crate_name = self.outer("mcp_codegen_runtime");
        let runtime = (!names.is_empty()).then(|| quote!(use #crate_name::{#(#names),*};));
        let path = tokens(path);
        let modules = self.servers.iter().map(|it| &it.module);
        let modules = quote!(#(use #path::#modules;)*);
        map.into_iter().chain(runtime).chain([modules]).collect()
    }

    /// The name of a crate; with `::` where a module that is imported here has the same one.
    fn outer(&self, name: &str) -> TokenStream {
        let hidden = self.servers.iter().any(|it| it.module.as_str() == name);
        tokens(&format!("{}{name}", if hidden { "::" } else { "" }))
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
        self.arguments.iter().any(|(_, it)| words(it)) || words(&self.output)
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
    let arguments = it.arguments.iter().map(|(name, rust)| {
        let (name, rust) = (format_ident!("{name}"), tokens(rust));
        quote!(#name: #rust)
    });
    let output = tokens(&it.output);
    let message = format!("{} is not implemented yet", it.what);
    quote! {
        async fn #name(&self, #(#arguments,)* _cx: CallContext) -> ToolResult<#output> {
            Err(ToolError::new(#message))
        }
    }
}

fn tokens(text: &str) -> TokenStream {
    TokenStream::from_str(text).expect("types and paths are Rust text")
}

/// rustfmt's default for a line, and for the arguments of a call that stay on one.
const WIDTH: usize = 100;
const CALL_WIDTH: usize = 60;

/// What prettyplease lays out otherwise than rustfmt: the file is the user's, who has `cargo fmt --check`.
fn as_rustfmt(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("    async fn ") && line.ends_with('(') {
            let rest = lines.clone();
            let arguments: Vec<_> = rest.take_while(|it| !it.starts_with("    )")).collect();
            let end = lines.clone().nth(arguments.len()).unwrap_or_default();
            let joined: Vec<_> = arguments.iter().map(|it| it.trim()).collect();
            let joined = joined.join(" ");
            let whole = format!("{line}{}{}", joined.trim_end_matches(','), end.trim_start());
            if whole.chars().count() <= WIDTH {
                out.push_str(&whole);
                out.push('\n');
                lines.nth(arguments.len());
                continue;
            }
        } else if line.starts_with("        Err(") {
            let rest = lines.clone().take_while(|it| it.starts_with("        "));
            let further: Vec<_> = rest.map(str::trim).collect();
            let call = format!("{}{}", line.trim(), further.concat());
            push_failure(&mut out, &call.replace(",)", ")"));
            if let Some(last) = further.len().checked_sub(1) {
                lines.nth(last);
            }
            continue;
        } else if line == "    ) -> ToolResult<" {
            let output = lines.next().unwrap_or_default().trim();
            let end = lines.next().unwrap_or_default().trim();
            let output = output.trim_end_matches(',');
            out.extend([line, output, end, "\n"]);
            continue;
        } else if line.starts_with("use ") && line.ends_with("::{") {
            let rest = lines.clone().take_while(|it| *it != "};");
            let names: Vec<_> = rest.map(str::trim).collect();
            push_names(&mut out, line, &names.join(" "));
            lines.nth(names.len());
            continue;
        } else if line.starts_with("impl ") && !line.ends_with(['{', '}']) {
            let rest = lines.next().unwrap_or_default().trim();
            if line.chars().count() + 1 + rest.chars().count() <= WIDTH {
                out.extend([line, " ", rest, "\n"]);
            } else {
                let rest = rest.trim_end_matches(" {");
                out.extend([line, "\n    ", rest, "\n{\n"]);
            }
            continue;
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// `use a::{` and names with a comma behind each, as many on a line as there is room for.
fn push_names(out: &mut String, line: &str, names: &str) {
    let one = format!("{line}{}}};", names.trim_end_matches(','));
    if one.chars().count() <= WIDTH {
        out.extend([&one, "\n"]);
        return;
    }
    out.push_str(line);
    let mut column = WIDTH;
    for name in names.split(' ') {
        if column + 1 + name.chars().count() > WIDTH {
            out.push_str("\n   ");
            column = 3;
        }
        out.extend([" ", name]);
        column += 1 + name.chars().count();
    }
    out.push_str("\n};\n");
}

/// `Err(ToolError::new("…"))`, on one line or on three.
fn push_failure(out: &mut String, call: &str) {
    let inner = call
        .strip_prefix("Err(")
        .and_then(|it| it.strip_suffix(')'));
    let message = inner
        .filter(|it| it.chars().count() > CALL_WIDTH)
        .and_then(|it| it.strip_prefix("ToolError::new(")?.strip_suffix(')'));
    match message {
        None => out.extend(["        ", call, "\n"]),
        Some(message) => out.extend([
            "        Err(ToolError::new(\n            ",
            message,
            ",\n        ))\n",
        ]),
    }
}

#[cfg(test)]
mod tests {
    use super::as_rustfmt;

    #[test]
    fn short_signatures_stand_on_one_line_and_long_messages_on_their_own() {
        let text = "\
use mcp_codegen_runtime::{
    CallContext, Content, Partial, PromptMessages, ResourceContents, ToolError,
    ToolResult,
};
use mcp_codegen_runtime::{
    CallContext, Content, ToolError,
    ToolResult,
};
impl a::A for AService {
    async fn a(
        &self,
        _input: a::AInput,
        _cx: CallContext,
    ) -> ToolResult<Content> {
        Err(ToolError::new(\"a is not implemented yet\"))
    }

    async fn get_weather_report_of_tomorrow(
        &self,
        _input: a::GetWeatherReportOfTomorrowInput,
        _cx: CallContext,
    ) -> ToolResult<a::GetWeatherReportOfTomorrowOutput> {
        Err(ToolError::new(\"get_weather_report_of_tomorrow is not implemented yet\"))
    }

    async fn b(&self, _input: a::BInput, _cx: CallContext) -> ToolResult<()> {
        Err(
            ToolError::new(
                \"b is not implemented yet\",
            ),
        )
    }
}
";
        let expected = "\
use mcp_codegen_runtime::{
    CallContext, Content, Partial, PromptMessages, ResourceContents, ToolError, ToolResult,
};
use mcp_codegen_runtime::{CallContext, Content, ToolError, ToolResult};
impl a::A for AService {
    async fn a(&self, _input: a::AInput, _cx: CallContext) -> ToolResult<Content> {
        Err(ToolError::new(\"a is not implemented yet\"))
    }

    async fn get_weather_report_of_tomorrow(
        &self,
        _input: a::GetWeatherReportOfTomorrowInput,
        _cx: CallContext,
    ) -> ToolResult<a::GetWeatherReportOfTomorrowOutput> {
        Err(ToolError::new(
            \"get_weather_report_of_tomorrow is not implemented yet\",
        ))
    }

    async fn b(&self, _input: a::BInput, _cx: CallContext) -> ToolResult<()> {
        Err(ToolError::new(\"b is not implemented yet\"))
    }
}
";
        assert_eq!(as_rustfmt(text), expected);
    }
}
