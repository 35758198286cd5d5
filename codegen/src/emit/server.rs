//! The trait of a server, the type that serves it, and its contract.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::{client, docs, offers, shape::Types};
use crate::{
    contract::{Server, Tool},
    graph::{ServerTypes, ToolTypes},
    naming::{self, TypeName},
};

/// The version of the agreement between generated code and runtime: macros, paths, the document.
/// A build with another runtime fails with a sentence instead of a page of type errors.
const FORMAT: u32 = 1;

/// The names of what is generated around a server's tools.
pub(super) struct Facade {
    /// `WeatherServer`.
    pub(super) server: TypeName,
    /// The type parameter for an implementation: `T`, but beside a trait of that name.
    implementation: Ident,
}

impl Facade {
    pub(super) fn of(server: &Server<'_>) -> Self {
        Self {
            server: naming::server_name(&server.trait_name),
            implementation: format_ident!(
                "{}",
                if server.trait_name.as_str() == "T" {
                    "S"
                } else {
                    "T"
                }
            ),
        }
    }
}

/// Everything in a module but its imports and named types.
pub(super) fn all(server: &Server<'_>, graph: &ServerTypes) -> Vec<TokenStream> {
    let facade = Facade::of(server);
    let mut items = vec![
        tool_trait(server, graph, &facade),
        wrapper(server, &facade),
        constructor(server, &facade),
        toolset(server, graph, &facade),
    ];
    items.extend(client::all(server, graph));
    items.push(contract(server));
    items.extend(offers::elicitations(server, graph));
    items.push(handshake());
    items
}

fn tool_trait(server: &Server<'_>, graph: &ServerTypes, facade: &Facade) -> TokenStream {
    let docs = docs::server_trait(server, facade).attributes();
    let name = &server.trait_name;
    let types = Types::inside(&graph.types);
    let methods = server
        .tools
        .iter()
        .zip(&graph.tools)
        .map(|(tool, it)| method(types, tool, it));
    let offers = offers::methods(server, graph);
    quote! {
        #docs
        pub trait #name: Send + Sync + 'static {
            #(#methods)*
            #(#offers)*
        }
    }
}

fn method(types: Types<'_>, tool: &Tool<'_>, it: &ToolTypes) -> TokenStream {
    let docs = docs::tool_method(tool).attributes();
    let name = &tool.method;
    let input = types.rust(&it.input);
    let output = output(types, it);
    quote! {
        #docs
        fn #name(
            &self,
            input: #input,
            cx: CallContext,
        ) -> impl Future<Output = ToolResult<#output>> + Send;
    }
}

/// What a tool's method gives: its output type, or content where the contract promises nothing.
pub(crate) fn output(types: Types<'_>, tool: &ToolTypes) -> TokenStream {
    tool.output
        .as_ref()
        .map_or_else(|| quote!(Content), |it| types.rust(it))
}

fn wrapper(server: &Server<'_>, facade: &Facade) -> TokenStream {
    let Facade {
        server: name,
        implementation,
    } = facade;
    let docs = format!(
        " Serves {} [`{}`] implementation.",
        article(server),
        server.trait_name
    );
    quote! {
        #[doc = #docs]
        #[derive(Clone, Debug)]
        pub struct #name<#implementation>(#implementation);
    }
}

fn article(server: &Server<'_>) -> &'static str {
    let vowel = server
        .trait_name
        .as_str()
        .starts_with(['A', 'E', 'I', 'O', 'U']);
    if vowel { "an" } else { "a" }
}

fn constructor(server: &Server<'_>, facade: &Facade) -> TokenStream {
    let Facade {
        server: name,
        implementation: it,
    } = facade;
    let trait_name = &server.trait_name;
    quote! {
        impl<#it: #trait_name> #name<#it> {
            /// A server around `implementation`.
            pub const fn new(implementation: #it) -> Self {
                Self(implementation)
            }
        }
    }
}

fn toolset(server: &Server<'_>, graph: &ServerTypes, facade: &Facade) -> TokenStream {
    let Facade {
        server: name,
        implementation: it,
    } = facade;
    let trait_name = &server.trait_name;
    let arms = server
        .tools
        .iter()
        .zip(&graph.tools)
        .enumerate()
        .map(|(index, (tool, types))| arm(it, index, tool, types));
    let offers = offers::toolset(server, it);
    let call = if server.tools.is_empty() {
        quote!(Err(call.unknown_tool()))
    } else {
        quote! {
            match call.name() {
                #(#arms)*
                _ => Err(call.unknown_tool()),
            }
        }
    };
    quote! {
        impl<#it: #trait_name> Toolset for #name<#it> {
            fn contract(&self) -> &'static Contract {
                &CONTRACT
            }

            async fn call(&self, call: ToolCall) -> Result<ToolOutput, CallError> {
                #call
            }

            #(#offers)*
        }
    }
}

/// `T::method(&self.0, …)`, not `self.0.method(…)`: a tool may be called `into`, which every type
/// already has as a method.
fn arm(implementation: &Ident, index: usize, tool: &Tool<'_>, types: &ToolTypes) -> TokenStream {
    let name = &tool.name;
    let method = &tool.method;
    let index = Literal::usize_unsuffixed(index);
    let how = if types.output.is_some() {
        quote!(structured)
    } else {
        quote!(content)
    };
    quote! {
        #name => {
            let run = |input, cx| #implementation::#method(&self.0, input, cx);
            call.#how(CONTRACT.tool(#index), run).await
        }
    }
}

fn contract(server: &Server<'_>) -> TokenStream {
    let document = super::document_path(&server.module);
    quote! {
        /// The contract as it is published.
        pub static CONTRACT: Contract = Contract::new(include_str!(#document));
    }
}

fn handshake() -> TokenStream {
    let format = Literal::u32_unsuffixed(FORMAT);
    quote! {
        #[comment = " Fails to compile when generated code and runtime do not match."]
        const _: () = mcp_codegen_runtime::assert_format::<#format>();
    }
}
