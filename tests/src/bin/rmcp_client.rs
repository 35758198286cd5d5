//! The client of `rmcp`, told what to do by `tests/clients/lines.py`: a request per line, an answer per line.
//!
//! ```text
//! rmcp-client modern|legacy <JSON: the URL of a server, or its command as a list>
//! ```
#![expect(clippy::print_stdout, reason = "its answers")]

use std::{
    collections::VecDeque,
    error::Error,
    io::stdin,
    sync::{Mutex, PoisonError},
};

use rmcp::{
    ClientHandler, ErrorData, RoleClient,
    model::{
        ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, Implementation,
        ProtocolVersion,
    },
    service::{
        ClientLifecycleMode, ClientServiceExt, RequestContext, RunningService, ServiceError,
    },
    transport::{StreamableHttpClientTransport, TokioChildProcess},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(run())
}

async fn run() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [era, target] = arguments.as_slice() else {
        return Err("usage: rmcp-client modern|legacy TARGET".into());
    };
    let client = connect(era, serde_json::from_str(target)?).await?;
    let info = client.peer().peer_info().ok_or("no server")?;
    println!("{}", json!({ "revision": info.protocol_version }));
    for line in stdin().lines() {
        let request: Request = serde_json::from_str(&line?)?;
        client.service().set(request.answers);
        let outcome = match ask(&client, &request.method, request.params).await {
            Ok(result) => json!({ "result": result }),
            Err(Fault::Refused(error)) => json!({ "error": error }),
            Err(Fault::Other(error)) => json!({ "error": { "message": error.to_string() } }),
        };
        println!("{outcome}");
    }
    client.cancel().await?;
    Ok(())
}

#[derive(Deserialize)]
struct Request {
    method: String,
    params: Value,
    answers: VecDeque<ElicitResult>,
}

/// Where a server is.
#[derive(Deserialize)]
#[serde(untagged)]
enum Target {
    Url(String),
    Command(Vec<String>),
}

async fn connect(era: &str, target: Target) -> Result<Client, Box<dyn Error>> {
    let lifecycle = match era {
        "modern" => ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        },
        _ => ClientLifecycleMode::Initialize,
    };
    let user = User::default();
    Ok(match target {
        Target::Url(url) => {
            let transport = StreamableHttpClientTransport::from_uri(url);
            user.serve_with_lifecycle(transport, lifecycle).await?
        }
        Target::Command(command) => {
            let (program, arguments) = command.split_first().ok_or("an empty command")?;
            let mut process = tokio::process::Command::new(program);
            process.args(arguments);
            let transport = TokioChildProcess::new(process)?;
            user.serve_with_lifecycle(transport, lifecycle).await?
        }
    })
}

type Client = RunningService<RoleClient, User>;

/// Fills in forms as it was told.
#[derive(Default)]
struct User(Mutex<VecDeque<ElicitResult>>);

impl User {
    fn set(&self, answers: VecDeque<ElicitResult>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = answers;
    }
}

impl ClientHandler for User {
    fn get_info(&self) -> ClientConfig {
        let capabilities = ClientCapabilities::builder().enable_elicitation().build();
        let info = Implementation::new("rmcp-client", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(capabilities, info).with_protocol_version(ProtocolVersion::V_2025_11_25)
    }

    async fn create_elicitation(
        &self,
        _request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let nobody = || ErrorData::internal_error("nobody is there to ask", None);
        answers.pop_front().ok_or_else(nobody)
    }
}

/// Why there is no result.
enum Fault {
    /// The server said so.
    Refused(ErrorData),
    Other(Box<dyn Error>),
}

impl From<ServiceError> for Fault {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::McpError(error) => Self::Refused(error),
            other => Self::Other(other.into()),
        }
    }
}

impl From<serde_json::Error> for Fault {
    fn from(error: serde_json::Error) -> Self {
        Self::Other(error.into())
    }
}

/// Makes one request through the method that the SDK has for it.
async fn ask(client: &Client, method: &str, params: Value) -> Result<Value, Fault> {
    let peer = client.peer();
    match method {
        "server" => written(peer.peer_info().and_then(|it| it.server_info.clone())),
        "tools/list" => Ok(json!({ "tools": peer.list_all_tools().await? })),
        "tools/call" => written(client.call_tool(read(params)?).await?),
        "resources/list" => Ok(json!({ "resources": peer.list_all_resources().await? })),
        "resources/templates/list" => {
            let templates = peer.list_all_resource_templates().await?;
            Ok(json!({ "resourceTemplates": templates }))
        }
        "resources/read" => written(client.read_resource(read(params)?).await?),
        "prompts/list" => Ok(json!({ "prompts": peer.list_all_prompts().await? })),
        "prompts/get" => written(client.get_prompt(read(params)?).await?),
        "completion/complete" => written(peer.complete(read(params)?).await?),
        other => Err(Fault::Other(format!("asks nothing called {other}").into())),
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, Fault> {
    Ok(serde_json::from_value(params)?)
}

fn written<T: Serialize>(result: T) -> Result<Value, Fault> {
    Ok(serde_json::to_value(result)?)
}
