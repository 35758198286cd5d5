//! Recordings of other SDKs, in the two ways in which they are written.
//!
//! One file is a map of cases (`arguments`, `tool`, `result`, `error`), or a list of JSON-RPC exchanges; its name ends with the
//! revision.

use std::{collections::BTreeMap, fs, io, path::Path};

use serde_json::{Map, Value, json};

/// The key of a result's `_meta` under which a server says who it is.
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// What one server answered in one revision.
#[derive(Clone, Debug)]
pub(super) struct Recording {
    pub(super) revision: String,
    /// Who the server is, where the recording says so.
    pub(super) server: Option<Value>,
    /// As listed, in order.
    pub(super) tools: Vec<Value>,
    pub(super) exchanges: Vec<Exchange>,
}

/// One call.
#[derive(Clone, Debug)]
pub(super) struct Exchange {
    /// `tool` for the first call of a tool, `tool#2` for the second.
    pub(super) case: String,
    /// What `tools/call` got, without `_meta`.
    pub(super) params: Value,
    /// A JSON-RPC response: `result` or `error`.
    pub(super) response: Value,
}

/// The recordings whose file names start with `prefix`, by revision.
pub(super) fn read(folder: &Path, prefix: &str) -> io::Result<Vec<Recording>> {
    let mut recordings = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if !stem.starts_with(prefix) {
            continue;
        }
        let revision = stem.rsplit('.').next().unwrap_or_default().to_owned();
        let value: Value = serde_json::from_str(&fs::read_to_string(&path)?)?;
        recordings.push(match value {
            Value::Object(cases) => of_cases(revision, &cases),
            Value::Array(exchanges) => of_exchanges(revision, &exchanges),
            _ => {
                return Err(io::Error::other(format!(
                    "{stem}: neither cases nor exchanges"
                )));
            }
        });
    }
    recordings.sort_by(|a, b| a.revision.cmp(&b.revision));
    if recordings.is_empty() {
        return Err(io::Error::other(format!(
            "no recording starts with {prefix}"
        )));
    }
    Ok(recordings)
}

fn of_cases(revision: String, cases: &Map<String, Value>) -> Recording {
    let mut tools: Vec<Value> = Vec::new();
    let mut exchanges = Vec::new();
    for (case, value) in cases {
        let tool = &value["tool"];
        // Later cases of a tool repeat it.
        if tool.is_object() && !tools.contains(tool) {
            tools.push(tool.clone());
        }
        let name = case.split('#').next().unwrap_or_default();
        let response = match &value["error"] {
            Value::Null => json!({ "result": value["result"] }),
            error => json!({ "error": error }),
        };
        exchanges.push(Exchange {
            case: case.clone(),
            params: json!({ "name": name, "arguments": value["arguments"] }),
            response,
        });
    }
    Recording {
        server: server(exchanges.iter().map(|it| &it.response)),
        revision,
        tools,
        exchanges,
    }
}

fn of_exchanges(revision: String, all: &[Value]) -> Recording {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut tools = Vec::new();
    let mut exchanges = Vec::new();
    for it in all {
        let (request, response) = (&it["request"], &it["response"]);
        match request["method"].as_str() {
            Some("tools/list") => {
                tools = response["result"]["tools"]
                    .as_array()
                    .cloned()
                    .unwrap_or_default();
            }
            Some("tools/call") => {
                let mut params = request["params"].clone();
                if let Value::Object(members) = &mut params {
                    members.shift_remove("_meta");
                }
                let name = params["name"].as_str().unwrap_or("(no name)").to_owned();
                let count = counts.entry(name.clone()).or_default();
                *count += 1;
                let case = if *count == 1 {
                    name
                } else {
                    format!("{name}#{count}")
                };
                exchanges.push(Exchange {
                    case,
                    params,
                    response: response.clone(),
                });
            }
            _ => {}
        }
    }
    Recording {
        server: server(all.iter().map(|it| &it["response"])),
        revision,
        tools,
        exchanges,
    }
}

fn server<'v>(mut responses: impl Iterator<Item = &'v Value>) -> Option<Value> {
    responses.find_map(|it| {
        let result = &it["result"];
        let info = [&result["_meta"][SERVER_INFO], &result["serverInfo"]];
        info.into_iter().find(|it| it.is_object()).cloned()
    })
}
