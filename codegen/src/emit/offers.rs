//! What a server offers beside tools, as methods of its trait and as code that calls them: resources, prompts, completions.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{docs, shape::Types};
use crate::{
    contract::{Completion, Input, Offer, Server},
    graph::ServerTypes,
    naming::MethodName,
};

/// The methods of the trait, in the order of the lists.
pub(super) fn methods(server: &Server<'_>, graph: &ServerTypes) -> Vec<TokenStream> {
    let types = Types::inside(&graph.types);
    let resources = server.resources.iter().map(|it| {
        let docs = docs::resource_method(it).attributes();
        let name = &it.offer.method;
        quote! {
            #docs
            fn #name(&self, cx: CallContext)
                -> impl Future<Output = ToolResult<ResourceContents>> + Send;
        }
    });
    let mut methods: Vec<_> = resources.collect();
    for (input, shape) in server.inputs().zip(&graph.inputs) {
        let input_type = types.rust(shape);
        match input {
            Input::Variables(it) => {
                let docs = docs::template_method(it).attributes();
                let name = &it.offer.method;
                methods.push(quote! {
                    #docs
                    fn #name(&self, variables: #input_type, cx: CallContext)
                        -> impl Future<Output = ToolResult<ResourceContents>> + Send;
                });
                methods.extend(completers(&it.offer, "resource template", &it.completions));
            }
            Input::Arguments(it) => {
                let docs = docs::prompt_method(it).attributes();
                let name = &it.offer.method;
                methods.push(quote! {
                    #docs
                    fn #name(&self, arguments: #input_type, cx: CallContext)
                        -> impl Future<Output = ToolResult<PromptMessages>> + Send;
                });
                methods.extend(completers(&it.offer, "prompt", &it.completions));
            }
            Input::Answer(_) => {}
        }
    }
    methods
}

fn completers<'c>(
    offer: &Offer,
    noun: &str,
    completions: &'c [Completion],
) -> impl Iterator<Item = TokenStream> + use<'c> {
    let of = docs::completed(offer, noun);
    completions.iter().map(move |it| {
        let docs = docs::completion_method(&it.argument, &of).attributes();
        let name = &it.method;
        quote! {
            #docs
            fn #name(&self, partial: Partial, cx: CallContext)
                -> impl Future<Output = ToolResult<Vec<String>>> + Send;
        }
    })
}

/// The methods of `Toolset` that call them. What a server does not offer, the trait's own answers.
pub(super) fn toolset(server: &Server<'_>, implementation: &Ident) -> Vec<TokenStream> {
    let all = [
        read(server, implementation),
        prompt(server, implementation),
        complete(server, implementation),
    ];
    all.into_iter().flatten().collect()
}

fn read(server: &Server<'_>, it: &Ident) -> Option<TokenStream> {
    let resources = server.resources.iter().map(|resource| {
        let Offer { name, method, .. } = &resource.offer;
        quote! {
            #name => {
                let run = |cx| #it::#method(&self.0, cx);
                read.resource(run).await
            }
        }
    });
    let templates = server.templates.iter().map(|template| {
        let Offer { name, method, .. } = &template.offer;
        quote! {
            #name => {
                let run = |variables, cx| #it::#method(&self.0, variables, cx);
                read.template(run).await
            }
        }
    });
    let arms: Vec<_> = resources.chain(templates).collect();
    (!arms.is_empty()).then(|| {
        quote! {
            async fn read(&self, read: ReadResource) -> Result<ResourceOutput, CallError> {
                match read.name() {
                    #(#arms)*
                    _ => Err(read.unknown_resource()),
                }
            }
        }
    })
}

fn prompt(server: &Server<'_>, it: &Ident) -> Option<TokenStream> {
    let arms = server.prompts.iter().map(|prompt| {
        let Offer { name, method, .. } = &prompt.offer;
        quote! {
            #name => {
                let run = |arguments, cx| #it::#method(&self.0, arguments, cx);
                get.messages(run).await
            }
        }
    });
    let arms: Vec<_> = arms.collect();
    (!arms.is_empty()).then(|| {
        quote! {
            async fn prompt(&self, get: GetPrompt) -> Result<PromptOutput, CallError> {
                match get.name() {
                    #(#arms)*
                    _ => Err(get.unknown_prompt()),
                }
            }
        }
    })
}

fn complete(server: &Server<'_>, it: &Ident) -> Option<TokenStream> {
    let arm = |kind: &TokenStream, offer: &Offer, argument: &str, method: &MethodName| {
        let name = &offer.name;
        quote! {
            CompletionTarget::#kind(#name, #argument) => {
                let run = |partial, cx| #it::#method(&self.0, partial, cx);
                complete.values(run).await
            }
        }
    };
    let mut arms = Vec::new();
    let (template, prompt) = (quote!(Template), quote!(Prompt));
    let templates = server.templates.iter();
    let templates = templates.map(|it| (&template, &it.offer, &it.completions));
    let prompts = server.prompts.iter();
    let prompts = prompts.map(|it| (&prompt, &it.offer, &it.completions));
    for (kind, offer, completions) in templates.chain(prompts) {
        let completions = completions.iter();
        arms.extend(completions.map(|it| arm(kind, offer, &it.argument, &it.method)));
    }
    (!arms.is_empty()).then(|| {
        quote! {
            async fn complete(&self, complete: Complete) -> Result<Completions, CallError> {
                match complete.target() {
                    #(#arms)*
                    _ => complete.from_contract(),
                }
            }
        }
    })
}

/// What a module imports for what it offers.
pub(super) fn imports(server: &Server<'_>) -> Vec<&'static str> {
    let mut names = Vec::new();
    let has_resources = !server.resources.is_empty() || !server.templates.is_empty();
    let of_templates = server.templates.iter().map(|it| &it.completions);
    let of_prompts = server.prompts.iter().map(|it| &it.completions);
    let has_completions = of_templates.chain(of_prompts).any(|it| !it.is_empty());
    if has_resources || !server.prompts.is_empty() {
        names.extend(["CallContext", "ToolResult"]);
    }
    if has_resources {
        names.extend(["ReadResource", "ResourceContents", "ResourceOutput"]);
    }
    if !server.prompts.is_empty() {
        names.extend(["GetPrompt", "PromptMessages", "PromptOutput"]);
    }
    if has_completions {
        names.extend(["Complete", "CompletionTarget", "Completions", "Partial"]);
    }
    if !server.forms.is_empty() {
        names.push("Elicitation");
    }
    names
}

/// A static for each form, by which a method asks.
pub(super) fn elicitations(server: &Server<'_>, graph: &ServerTypes) -> Vec<TokenStream> {
    let types = Types::inside(&graph.types);
    let inputs = server.inputs().zip(&graph.inputs);
    let statics = inputs.filter_map(|(input, shape)| {
        let Input::Answer(form) = input else {
            return None;
        };
        let docs = docs::form(form).attributes();
        let (constant, name) = (&form.constant, &form.name);
        let answer = types.rust(shape);
        Some(quote! {
            #docs
            pub static #constant: Elicitation<#answer> = Elicitation::new(&CONTRACT, #name);
        })
    });
    statics.collect()
}
