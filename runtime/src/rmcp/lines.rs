//! Newline-delimited JSON-RPC messages, the way in: every line is read, and every line that is no message is answered.
//!
//! rmcp's own reader passes over what it cannot parse. A client that sent a request in such a line, with a lone surrogate or
//! nested beyond the parser's depth, would wait for its answer for ever.

use rmcp::{
    model::{ClientJsonRpcMessage, ErrorCode, ErrorData, JsonRpcError, RequestId},
    transport::async_rw::DEFAULT_MAX_LINE_LENGTH,
};
use serde::Deserialize as _;
use serde_json::{Value, error::Category};
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// The byte order mark, which JSON texts may begin with.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// What a line holds.
#[derive(Debug)]
pub(super) enum Line {
    /// A message; boxed, as it is large.
    Message(Box<ClientJsonRpcMessage>),
    /// No message: what to answer.
    Wrong(Box<JsonRpcError>),
}

/// Reads lines.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// The line is longer than any may be, and what is left of it is passed over.
    too_long: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input: BufReader::new(input),
            line: Vec::new(),
            too_long: false,
        }
    }

    /// What the next line holds that holds anything; `None` at the end.
    ///
    /// Dropping the future loses nothing: what was read of a line stays here, and nothing is awaited once it is whole.
    pub(super) async fn next(&mut self) -> Option<Line> {
        loop {
            let is_more = self.read_line().await;
            let line = std::mem::take(&mut self.line);
            if std::mem::take(&mut self.too_long) {
                let text = format!("the message exceeds {DEFAULT_MAX_LINE_LENGTH} bytes");
                let error = ErrorData::invalid_request(text, None);
                return Some(Line::Wrong(Box::new(JsonRpcError::new(None, error))));
            }
            let found = read(&line);
            // Its memory serves the next line, unless that would keep much for the rare large one.
            if line.capacity() <= 64 * 1024 {
                self.line = line;
                self.line.clear();
            }
            match found {
                Some(found) => return Some(found),
                None if is_more => {}
                None => return None,
            }
        }
    }

    /// Reads to the end of a line; `false` at the end of the input.
    async fn read_line(&mut self) -> bool {
        loop {
            let bytes = match self.input.fill_buf().await {
                Ok([]) => return false,
                Ok(bytes) => bytes,
                Err(error) => {
                    tracing::error!(%error, "cannot read from the client");
                    return false;
                }
            };
            let end = bytes.iter().position(|it| *it == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            if self.too_long || self.line.len() + part.len() > DEFAULT_MAX_LINE_LENGTH {
                self.too_long = true;
                self.line.clear();
            } else {
                self.line.extend_from_slice(part);
            }
            let taken = end.map_or(bytes.len(), |end| end + 1);
            self.input.consume(taken);
            if end.is_some() {
                return true;
            }
        }
    }
}

/// `None` for a line that asks for no answer.
fn read(line: &[u8]) -> Option<Line> {
    let line = line.strip_prefix(MARK).unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return None;
    }
    match serde_json::from_slice(line) {
        Ok(message) => Some(Line::Message(Box::new(message))),
        Err(error) => explain(line, &error).map(|it| Line::Wrong(Box::new(it))),
    }
}

fn explain(line: &[u8], error: &serde_json::Error) -> Option<JsonRpcError> {
    tracing::debug!(%error, "a line that is no message");
    if matches!(error.classify(), Category::Syntax | Category::Eof) {
        let text = format!("the message is not JSON: {error}");
        let error = ErrorData::new(ErrorCode::PARSE_ERROR, text, None);
        return Some(JsonRpcError::new(None, error));
    }
    let value = serde_json::from_slice::<Value>(line).unwrap_or_default();
    let id = value.get("id");
    if value.get("method").is_some() && id.is_none() {
        // A notification that nobody here knows. Those are never answered.
        return None;
    }
    let text = if value.is_array() {
        "batches are not served: send one message a line"
    } else {
        "the line is not a JSON-RPC 2.0 message"
    };
    // Where it can be read, the client is told which of its requests this answers: it waits for it.
    let id = id.and_then(|it| RequestId::deserialize(it).ok());
    Some(JsonRpcError::new(
        id,
        ErrorData::invalid_request(text, None),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn codes(input: &[u8]) -> Vec<i32> {
        let mut lines = Lines::new(input);
        let mut codes = Vec::new();
        while let Some(line) = lines.next().await {
            codes.push(match line {
                Line::Message(_) => 0,
                Line::Wrong(answer) => answer.error.code.0,
            });
        }
        codes
    }

    #[tokio::test]
    async fn every_line_that_wants_an_answer_gets_one() {
        let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let deep = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"a":{}{}}}}}"#,
            "[".repeat(500),
            "]".repeat(500)
        );
        let surrogate = r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"\ud800"}}"#;
        let foreign = r#"{"jsonrpc":"2.0","method":"$/progress","params":[1]}"#;
        let cases: [(&[u8], &[i32]); 9] = [
            (ping.as_bytes(), &[0]),
            (deep.as_bytes(), &[-32700]),
            (surrogate.as_bytes(), &[-32700]),
            (b"\xff\xfe", &[-32700]),
            (b"GET / HTTP/1.1", &[-32700]),
            (b"[1]", &[-32600]),
            (b"{\"id\":1}", &[-32600]),
            (b"  \r", &[]),
            (foreign.as_bytes(), &[]),
        ];
        for (line, expected) in cases {
            let shown = String::from_utf8_lossy(line);
            assert_eq!(codes(line).await, expected, "{shown}");
            let more = [line, b"\r\n\n\xEF\xBB\xBF", ping.as_bytes(), b"\n"].concat();
            assert_eq!(codes(&more).await, [expected, &[0]].concat(), "{shown}");
        }
    }

    #[tokio::test]
    async fn an_answer_names_its_request_where_that_can_be_read() {
        for (line, expected) in [
            (
                r#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":5}"#,
                Some("7"),
            ),
            (r#"{"id":"a","method":"ping"}"#, Some("a")),
            (r#"{"jsonrpc":"2.0","id":[7],"method":"ping"}"#, None),
            (r#"[{"jsonrpc":"2.0","id":7,"method":"ping"}]"#, None),
            (r#"{"jsonrpc":"2.0","id":7,"#, None),
        ] {
            let Some(Line::Wrong(answer)) = Lines::new(line.as_bytes()).next().await else {
                panic!("{line}");
            };
            let id = answer.id.map(|it| it.to_string());
            assert_eq!(id.as_deref(), expected, "{line}");
        }
    }

    #[tokio::test]
    async fn a_line_without_end_costs_no_memory() {
        let mut input = vec![b'x'; DEFAULT_MAX_LINE_LENGTH + 1];
        assert_eq!(codes(&input).await, [-32600]);
        input.extend_from_slice(b"\n{}\n");
        assert_eq!(codes(&input).await, [-32600, -32600]);
    }
}
