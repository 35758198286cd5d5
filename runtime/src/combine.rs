//! Several contracts served as one.

use std::fmt;

use crate::{CallError, Contract, Tool, ToolCall, ToolOutput, Toolset};

/// Serves several toolsets as one server, which has the first one's name and version.
///
/// The instructions follow one another in the order of the toolsets. Call it once per server: the
/// merged contract lives as long as the process, like those it is made of.
///
/// # Errors
///
/// When two of the toolsets have a tool of the same name.
pub fn combine<S: Combine>(toolsets: S) -> Result<Combined<S>, DuplicateTool> {
    let members = toolsets.contracts();
    for (index, member) in members.iter().enumerate() {
        for tool in member.tools() {
            if let Some(first) = members[..index]
                .iter()
                .find(|it| it.find(tool.name()).is_some())
            {
                return Err(DuplicateTool::new(tool, first, member));
            }
        }
    }
    let contract = Box::leak(Box::new(Contract::merged(&members)));
    Ok(Combined {
        toolsets,
        members,
        contract,
    })
}

/// Several toolsets as one. Made by [`combine()`].
#[derive(Clone)]
pub struct Combined<S> {
    toolsets: S,
    members: Vec<&'static Contract>,
    contract: &'static Contract,
}

impl<S: Combine> Toolset for Combined<S> {
    fn contract(&self) -> &'static Contract {
        self.contract
    }

    async fn call(&self, call: ToolCall) -> Result<ToolOutput, CallError> {
        match self
            .members
            .iter()
            .position(|member| member.find(call.name()).is_some())
        {
            Some(member) => self.toolsets.call_member(member, call).await,
            None => Err(call.unknown_tool()),
        }
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

    /// Hands a call to one member.
    #[doc(hidden)]
    fn call_member(
        &self,
        member: usize,
        call: ToolCall,
    ) -> impl Future<Output = Result<ToolOutput, CallError>> + Send;
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

            async fn call_member(&self, member: usize, call: ToolCall) -> Result<ToolOutput, CallError> {
                match member {
                    $($index => self.$index.call(call).await,)+
                    _ => Err(call.unknown_tool()),
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

/// Two toolsets have a tool of the same name, so a call could mean either.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DuplicateTool {
    /// The tool's name.
    pub tool: String,
    /// The names of the two servers.
    pub servers: [String; 2],
}

impl DuplicateTool {
    fn new(tool: &Tool, first: &'static Contract, second: &'static Contract) -> Self {
        let servers = [first, second].map(|it| it.server().name().to_owned());
        Self {
            tool: tool.name().to_owned(),
            servers,
        }
    }
}

impl fmt::Display for DuplicateTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.servers;
        write!(
            f,
            "the servers `{first}` and `{second}` both have a tool `{}`",
            self.tool
        )
    }
}

impl std::error::Error for DuplicateTool {}
