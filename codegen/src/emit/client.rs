//! The typed client of a server: one method for each thing that the contract offers.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{docs, shape::Types};
use crate::{
    contract::{Input, Server},
    graph::ServerTypes,
    naming,
};

/// The client and its methods, if the settings ask for one.
pub(super) fn all(server: &Server<'_>, graph: &ServerTypes) -> Vec<TokenStream> {
    if !server.client {
        return Vec::new();
    }
    vec![structure(server), connect(server), methods(server, graph)]
}

/// What a module imports for it.
pub(super) fn imports(server: &Server<'_>) -> Vec<&'static str> {
    server.client.then_some("client").into_iter().collect()
}

fn structure(server: &Server<'_>) -> TokenStream {
    let name = naming::client_name(&server.trait_name);
    let docs = docs::client(server, &name).attributes();
    quote! {
        #docs
        #[derive(Clone, Debug)]
        pub struct #name(client::Client);
    }
}

fn connect(server: &Server<'_>) -> TokenStream {
    let name = naming::client_name(&server.trait_name);
    quote! {
        impl client::Connect for #name {
            fn over(client: client::Client) -> Self {
                Self(client)
            }

            fn client(&self) -> &client::Client {
                &self.0
            }
        }
    }
}

fn methods(server: &Server<'_>, graph: &ServerTypes) -> TokenStream {
    let name = naming::client_name(&server.trait_name);
    let methods = [
        tools(server, graph),
        resources(server),
        inputs(server, graph),
    ]
    .concat();
    quote! {
        impl #name {
            #(#methods)*
        }
    }
}

fn tools(server: &Server<'_>, graph: &ServerTypes) -> Vec<TokenStream> {
    let types = Types::inside(&graph.types);
    let tools = server.tools.iter().zip(&graph.tools).enumerate();
    let methods = tools.map(|(index, (tool, it))| {
        let docs = docs::tool_method(tool).attributes();
        let name = &tool.method;
        let input = types.rust(&it.input);
        let index = Literal::usize_unsuffixed(index);
        let (output, how) = match &it.output {
            Some(output) => (types.rust(output), quote!(call)),
            None => (quote!(client::Reply), quote!(reply)),
        };
        quote! {
            #docs
            pub async fn #name(&self, input: &#input) -> Result<#output, client::ClientError> {
                self.0.#how(CONTRACT.tool(#index), input).await
            }
        }
    });
    methods.collect()
}

fn resources(server: &Server<'_>) -> Vec<TokenStream> {
    let resources = server.resources.iter().enumerate();
    let methods = resources.map(|(index, it)| {
        let docs = docs::resource_method(it).attributes();
        let name = &it.offer.method;
        let index = Literal::usize_unsuffixed(index);
        quote! {
            #docs
            pub async fn #name(&self) -> Result<client::ContentsReply, client::ClientError> {
                self.0.read(&CONTRACT.resources()[#index]).await
            }
        }
    });
    methods.collect()
}

/// Templates and prompts. Forms are not asked for: they are the server's questions.
fn inputs(server: &Server<'_>, graph: &ServerTypes) -> Vec<TokenStream> {
    let types = Types::inside(&graph.types);
    let (mut template_index, mut prompt_index) = (0.., 0..);
    let next =
        |indices: &mut std::ops::RangeFrom<usize>| indices.next().map(Literal::usize_unsuffixed);
    let inputs = server.inputs().zip(&graph.inputs);
    let methods = inputs.filter_map(|(input, shape)| {
        let input_type = types.rust(shape);
        match input {
            Input::Variables(it) => {
                let docs = docs::template_method(it).attributes();
                let name = &it.offer.method;
                let index = next(&mut template_index);
                Some(quote! {
                    #docs
                    pub async fn #name(&self, variables: &#input_type)
                        -> Result<client::ContentsReply, client::ClientError> {
                        self.0.read_template(&CONTRACT.resource_templates()[#index], variables).await
                    }
                })
            }
            Input::Arguments(it) => {
                let docs = docs::prompt_method(it).attributes();
                let name = &it.offer.method;
                let index = next(&mut prompt_index);
                Some(quote! {
                    #docs
                    pub async fn #name(&self, arguments: &#input_type)
                        -> Result<client::PromptReply, client::ClientError> {
                        self.0.prompt(&CONTRACT.prompts()[#index], arguments).await
                    }
                })
            }
            Input::Answer(_) => None,
        }
    });
    methods.collect()
}
