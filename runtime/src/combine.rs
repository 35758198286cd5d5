//! Several contracts served as one.

use std::{collections::HashMap, fmt};

use crate::{
    CallError, Complete, CompletionTarget, Completions, Contract, GetPrompt, PromptOutput,
    ReadResource, ResourceOutput, ResourceUpdates, ToolCall, ToolOutput, Toolset,
};

/// Serves several toolsets as one server, which has the first one's name, version and list settings.
///
/// The instructions follow one another in the order of the toolsets. Call it once per server: the
/// merged contract lives as long as the process, like those it is made of.
///
/// A URI that templates of two toolsets match is the first one's.
///
/// # Errors
///
/// When two of the toolsets have a tool or a prompt of the same name, or a resource of the same URI or URI template.
pub fn combine<S: Combine>(toolsets: S) -> Result<Combined<S>, Duplicate> {
    let members = toolsets.contracts();
    let mut owners = HashMap::new();
    for (index, member) in members.iter().enumerate() {
        for entry in entries(member) {
            if let Some(first) = owners.insert(entry, index) {
                let servers = [members[first], member].map(|it| it.server().name().to_owned());
                let (kind, name) = entry;
                let name = name.to_owned();
                return Err(Duplicate {
                    kind,
                    name,
                    servers,
                });
            }
        }
    }
    let contract = Box::leak(Box::new(Contract::merged(&members)));
    Ok(Combined {
        toolsets,
        members,
        contract,
        owners,
    })
}

/// What of several contracts can be there only once: its kind, and what requests call it.
type Entry = (&'static str, &'static str);

const TOOL: &str = "tool";
const RESOURCE: &str = "resource";
const TEMPLATE: &str = "resource template";
const PROMPT: &str = "prompt";

fn entries(contract: &'static Contract) -> impl Iterator<Item = Entry> {
    let tools = contract.tools().iter().map(|it| (TOOL, it.name()));
    let resources = contract.resources().iter();
    let templates = contract.resource_templates().iter();
    let prompts = contract.prompts().iter();
    tools
        .chain(resources.map(|it| (RESOURCE, it.uri())))
        .chain(templates.map(|it| (TEMPLATE, it.uri_template())))
        .chain(prompts.map(|it| (PROMPT, it.name())))
}

/// Several toolsets as one. Made by [`combine()`].
#[derive(Clone)]
pub struct Combined<S> {
    toolsets: S,
    members: Vec<&'static Contract>,
    contract: &'static Contract,
    /// Which member has an entry.
    owners: HashMap<Entry, usize>,
}

impl<S> Combined<S> {
    fn owner(&self, kind: &str, name: &str) -> Option<usize> {
        self.owners.get(&(kind, name)).copied()
    }
}

impl<S: Combine> Toolset for Combined<S> {
    fn contract(&self) -> &'static Contract {
        self.contract
    }

    async fn call(&self, call: ToolCall) -> Result<ToolOutput, CallError> {
        match self.owner(TOOL, call.name()) {
            Some(member) => self.toolsets.call_member(member, call).await,
            None => Err(call.unknown_tool()),
        }
    }

    async fn read(&self, read: ReadResource) -> Result<ResourceOutput, CallError> {
        let owner = match read.uri_template() {
            Some(template) => self.owner(TEMPLATE, template),
            None => self.owner(RESOURCE, read.uri()),
        };
        match owner {
            Some(member) => self.toolsets.read_member(member, read).await,
            None => Err(read.unknown_resource()),
        }
    }

    async fn prompt(&self, get: GetPrompt) -> Result<PromptOutput, CallError> {
        match self.owner(PROMPT, get.name()) {
            Some(member) => self.toolsets.prompt_member(member, get).await,
            None => Err(get.unknown_prompt()),
        }
    }

    async fn complete(&self, complete: Complete) -> Result<Completions, CallError> {
        let owner = match complete.target() {
            CompletionTarget::Prompt(..) => self.owner(PROMPT, complete.of()),
            CompletionTarget::Template(..) => self.owner(TEMPLATE, complete.of()),
            CompletionTarget::Unknown => None,
        };
        match owner {
            Some(member) => self.toolsets.complete_member(member, complete).await,
            None => complete.from_contract(),
        }
    }

    fn updates(&self) -> Option<ResourceUpdates> {
        self.toolsets.updates()
    }
}

impl<S> fmt::Debug for Combined<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Combined")
            .field("members", &self.members)
            .finish_non_exhaustive()
    }
}

/// Tuples of two to six toolsets.
pub trait Combine: sealed::Sealed + Send + Sync + 'static {
    /// The members' contracts, in order.
    #[doc(hidden)]
    fn contracts(&self) -> Vec<&'static Contract>;

    /// Where the members tell that resources changed, as one.
    #[doc(hidden)]
    fn updates(&self) -> Option<ResourceUpdates>;

    /// Hands a call to one member.
    #[doc(hidden)]
    fn call_member(
        &self,
        member: usize,
        call: ToolCall,
    ) -> impl Future<Output = Result<ToolOutput, CallError>> + Send;

    /// Hands a read to one member.
    #[doc(hidden)]
    fn read_member(
        &self,
        member: usize,
        read: ReadResource,
    ) -> impl Future<Output = Result<ResourceOutput, CallError>> + Send;

    /// Hands a request for a prompt to one member.
    #[doc(hidden)]
    fn prompt_member(
        &self,
        member: usize,
        get: GetPrompt,
    ) -> impl Future<Output = Result<PromptOutput, CallError>> + Send;

    /// Hands a completion to one member.
    #[doc(hidden)]
    fn complete_member(
        &self,
        member: usize,
        complete: Complete,
    ) -> impl Future<Output = Result<Completions, CallError>> + Send;
}

mod sealed {
    #[expect(unnameable_types, reason = "that is what seals it")]
    pub trait Sealed {}
}

macro_rules! combine_tuple {
    ($($name:ident $index:tt),+) => {
        impl<$($name: Toolset),+> sealed::Sealed for ($($name,)+) {}

        impl<$($name: Toolset),+> Combine for ($($name,)+) {
            fn contracts(&self) -> Vec<&'static Contract> {
                vec![$(self.$index.contract()),+]
            }

            fn updates(&self) -> Option<ResourceUpdates> {
                let members = [$(self.$index.updates()),+];
                members.into_iter().flatten().reduce(ResourceUpdates::and)
            }

            async fn call_member(&self, member: usize, call: ToolCall) -> Result<ToolOutput, CallError> {
                match member {
                    $($index => self.$index.call(call).await,)+
                    _ => Err(call.unknown_tool()),
                }
            }

            async fn read_member(&self, member: usize, read: ReadResource) -> Result<ResourceOutput, CallError> {
                match member {
                    $($index => self.$index.read(read).await,)+
                    _ => Err(read.unknown_resource()),
                }
            }

            async fn prompt_member(&self, member: usize, get: GetPrompt) -> Result<PromptOutput, CallError> {
                match member {
                    $($index => self.$index.prompt(get).await,)+
                    _ => Err(get.unknown_prompt()),
                }
            }

            async fn complete_member(&self, member: usize, complete: Complete) -> Result<Completions, CallError> {
                match member {
                    $($index => self.$index.complete(complete).await,)+
                    _ => complete.from_contract(),
                }
            }
        }
    };
}

combine_tuple!(A 0, B 1);
combine_tuple!(A 0, B 1, C 2);
combine_tuple!(A 0, B 1, C 2, D 3);
combine_tuple!(A 0, B 1, C 2, D 3, E 4);
combine_tuple!(A 0, B 1, C 2, D 3, E 4, F 5);

/// Two toolsets have something of the same name, so a request could mean either.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Duplicate {
    /// What it is: `tool`, `resource`, `resource template` or `prompt`.
    pub kind: &'static str,
    /// Its name, URI or URI template.
    pub name: String,
    /// The names of the two servers.
    pub servers: [String; 2],
}

impl fmt::Display for Duplicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.servers;
        let (kind, name) = (self.kind, &self.name);
        write!(
            f,
            "the servers `{first}` and `{second}` both have a {kind} `{name}`"
        )
    }
}

impl std::error::Error for Duplicate {}
