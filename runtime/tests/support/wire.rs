//! Raw JSON-RPC messages in the form of either era.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses a part of it"
)]
#![expect(clippy::unwrap_used, reason = "tests")]

use mcp_codegen_runtime::{Toolset, Value, serve_io};
use serde_json::json;
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};

/// Both eras of the protocol, and the revisions in them that tests speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// 2025-06-18, opened with `initialize`.
    Old,
    /// 2025-11-25, opened with `initialize`.
    Legacy,
    /// 2026-07-28, without any opening.
    Modern,
}

impl Era {
    pub const ALL: [Self; 3] = [Self::Old, Self::Legacy, Self::Modern];

    pub const fn revision(self) -> &'static str {
        match self {
            Self::Old => "2025-06-18",
            Self::Legacy => "2025-11-25",
            Self::Modern => "2026-07-28",
        }
    }

    pub fn is_modern(self) -> bool {
        self == Self::Modern
    }

    /// A request in the words of this era.
    pub fn request(self, id: u64, method: &str, mut params: Value) -> Value {
        if self.is_modern() && params.is_object() {
            let meta = &mut params["_meta"];
            meta["io.modelcontextprotocol/protocolVersion"] = json!(self.revision());
            meta["io.modelcontextprotocol/clientInfo"] = json!({ "name": "wire", "version": "0" });
            meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
        }
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
    }

    pub fn initialize(self) -> Value {
        let client = json!({ "name": "wire", "version": "0" });
        let params =
            json!({ "protocolVersion": self.revision(), "capabilities": {}, "clientInfo": client });
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })
    }
}

/// A client that speaks lines of JSON to a server in this process.
#[derive(Debug)]
pub struct Wire {
    pub era: Era,
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    out: WriteHalf<DuplexStream>,
    next: u64,
    /// What came before the last answer.
    pub notifications: Vec<Value>,
}

impl Wire {
    /// Serves `toolset`, and opens a session where the era has one.
    pub async fn open(era: Era, toolset: impl Toolset) -> Self {
        let mut wire = Self::connect(era, toolset);
        if !era.is_modern() {
            wire.send(&era.initialize()).await;
            let answer = wire.receive().await;
            assert_eq!(
                answer["result"]["protocolVersion"],
                era.revision(),
                "{answer}"
            );
            wire.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
                .await;
        }
        wire
    }

    /// Serves `toolset` and says nothing yet.
    pub fn connect(era: Era, toolset: impl Toolset) -> Self {
        let (client, server) = tokio::io::duplex(64 * 1024);
        let (reader, writer) = tokio::io::split(server);
        tokio::spawn(serve_io(toolset, reader, writer));
        let (reader, out) = tokio::io::split(client);
        Self {
            era,
            lines: BufReader::new(reader).lines(),
            out,
            next: 1,
            notifications: Vec::new(),
        }
    }

    pub async fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string()).await;
    }

    pub async fn send_line(&mut self, line: &str) {
        self.out
            .write_all(format!("{line}\n").as_bytes())
            .await
            .unwrap();
    }

    /// The next response; notifications before it are put aside.
    pub async fn receive(&mut self) -> Value {
        self.notifications.clear();
        loop {
            let line = self.lines.next_line().await.unwrap().unwrap();
            let message: Value = serde_json::from_str(&line).unwrap();
            if message.get("method").is_none() {
                return message;
            }
            self.notifications.push(message);
        }
    }

    /// An id that no request had.
    pub fn id(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    /// The next message, whatever it is.
    pub async fn message(&mut self) -> Value {
        let line = self.lines.next_line().await.unwrap().unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// The response to a request.
    pub async fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.id();
        self.send(&self.era.request(id, method, params)).await;
        let answer = self.receive().await;
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// The response to a call of a tool.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        )
        .await
    }
}
