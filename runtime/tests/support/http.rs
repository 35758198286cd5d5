//! Raw HTTP/1.1 requests, so that a test sees exactly what is sent and what comes back.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses a part of it"
)]
#![expect(clippy::unwrap_used, reason = "tests")]

use std::net::SocketAddr;

use mcp_codegen_runtime::{HttpConfig, HttpServer, ShutdownHandle, Toolset, Value};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinHandle,
};

use super::wire::Era;

/// A running server.
pub struct Server {
    pub address: SocketAddr,
    pub handle: ShutdownHandle,
    pub running: JoinHandle<()>,
}

impl Server {
    pub async fn start(toolset: impl Toolset, config: HttpConfig) -> Self {
        let server = HttpServer::bind(toolset, "127.0.0.1:0", config)
            .await
            .unwrap();
        let (address, handle) = (server.local_addr(), server.shutdown_handle());
        Self {
            address,
            handle,
            running: tokio::spawn(server.serve()),
        }
    }

    pub fn post(&self) -> Post {
        Post::to(self.address)
    }

    /// The JSON-RPC answer to a request in the words of an era.
    pub async fn ask(&self, era: Era, method: &str, params: Value) -> Value {
        let answer = self.post().rpc(&era.request(1, method, params)).await;
        assert_eq!(
            answer.header("content-type"),
            Some("application/json"),
            "{answer:?}"
        );
        answer.json()
    }
}

/// A request in the making: a proper POST of JSON until a test spoils it.
#[derive(Clone, Debug)]
pub struct Post {
    address: SocketAddr,
    method: &'static str,
    path: String,
    headers: Vec<(String, String)>,
}

impl Post {
    pub fn to(address: SocketAddr) -> Self {
        let headers = [
            ("host", address.to_string()),
            ("accept", "application/json, text/event-stream".to_owned()),
            ("content-type", "application/json".to_owned()),
            ("user-agent", "raw".to_owned()),
            ("connection", "close".to_owned()),
        ];
        let headers = headers
            .map(|(name, value)| (name.to_owned(), value))
            .to_vec();
        Self {
            address,
            method: "POST",
            path: "/mcp".to_owned(),
            headers,
        }
    }

    pub fn method(mut self, method: &'static str) -> Self {
        self.method = method;
        self
    }

    pub fn path(mut self, path: &str) -> Self {
        path.clone_into(&mut self.path);
        self
    }

    /// Sets a header.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(other, _)| other != name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sends a JSON-RPC message, with the headers that 2026-07-28 asks for.
    pub async fn rpc(self, message: &Value) -> Answer {
        let version = &message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
        let post = match version.as_str() {
            Some(version) => {
                let post = self
                    .with("mcp-protocol-version", version)
                    .with("mcp-method", message["method"].as_str().unwrap());
                match message["params"]["name"].as_str() {
                    Some(name) => post.with("mcp-name", name),
                    None => post,
                }
            }
            None => self,
        };
        post.send(message.to_string().as_bytes()).await
    }

    pub async fn send(self, body: &[u8]) -> Answer {
        let length = body.len().to_string();
        let mut stream = self.with("content-length", &length).begin(body).await;
        let mut bytes = Vec::new();
        // A server that refuses a body may reset the connection after its answer.
        let _ = stream.read_to_end(&mut bytes).await;
        Answer::parse(&bytes)
    }

    /// Sends what there is of the body and gives the connection.
    pub async fn begin(self, body: &[u8]) -> TcpStream {
        let mut lines = vec![format!("{} {} HTTP/1.1", self.method, self.path)];
        lines.extend(
            self.headers
                .iter()
                .map(|(name, value)| format!("{name}: {value}")),
        );
        let head = lines.join("\r\n");
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream
            .write_all(format!("{head}\r\n\r\n").as_bytes())
            .await
            .unwrap();
        let _ = stream.write_all(body).await;
        stream
    }
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    head: String,
    pub body: String,
}

impl Answer {
    pub fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let chunked = head
            .to_ascii_lowercase()
            .contains("transfer-encoding: chunked");
        let body = if chunked {
            unchunk(body)
        } else {
            body.to_owned()
        };
        Self {
            status,
            head: head.to_ascii_lowercase(),
            body,
        }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The messages of a stream of server-sent events.
    pub fn events(&self) -> Vec<Value> {
        let data = self
            .body
            .lines()
            .filter_map(|line| line.strip_prefix("data:"));
        data.map(|text| serde_json::from_str(text.trim()).unwrap())
            .collect()
    }
}

fn unchunk(mut body: &str) -> String {
    let mut out = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            break;
        }
        out += &rest[..size];
        body = &rest[size + 2..];
    }
    out
}
