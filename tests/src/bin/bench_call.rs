//! What one call costs: this runtime against a handler written by hand on the same SDK that validates both ways.
//!
//! ```sh
//! cargo run --release -p mcp-codegen-tests --bin bench-call
//! ```
//!
//! counts instructions with callgrind where `valgrind` is installed, else takes times, and prints ratios. Both servers
//! give the same results over the same in-memory pipe; only ours also names itself in each (`_meta`, which 2026-07-28 asks for).
//! What differs is the way from request to answer.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program that prints a table"
)]

use std::{
    env,
    error::Error,
    process::Command,
    time::{Duration, Instant},
};

use mcp_codegen_runtime::{
    CallError, Contract, ToolCall, ToolOutput, Toolset,
    serde_json::{self, Value, json},
    serve_io,
};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{CallToolRequestParams, CallToolResponse, CallToolResult, ErrorCode},
    service::{RequestContext, serve_server},
};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};

static CONTRACT: Contract = Contract::new(include_str!("bench_call.json"));

/// The cases: a tool, its arguments, and how many calls are counted.
const CASES: [(&str, &str, usize); 2] = [
    (
        "get_weather",
        r#"{"location":"Oslo","units":"metric","days":3}"#,
        400,
    ),
    ("list_stations", "{}", 20),
];

/// Ours first: a ratio is ours divided by the other.
const SERVERS: [&str; 2] = ["mcp-codegen", "by_hand"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WeatherInput {
    location: String,
    units: Option<Units>,
    days: Option<i64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Units {
    Metric,
    Imperial,
}

#[derive(Serialize)]
struct WeatherOutput {
    temperature: f64,
    conditions: String,
    days: Option<i64>,
}

#[derive(Deserialize)]
struct Empty {}

#[derive(Serialize)]
struct Station {
    id: i64,
    name: String,
    country: String,
    latitude: f64,
    longitude: f64,
    altitude: i64,
    active: bool,
    operator: Option<String>,
    sensors: Vec<String>,
    since: String,
}

#[derive(Serialize)]
struct Stations {
    stations: Vec<Station>,
}

fn weather(input: &WeatherInput) -> WeatherOutput {
    WeatherOutput {
        temperature: match input.units {
            Some(Units::Imperial) => 40.1,
            Some(Units::Metric) | None => 4.5,
        },
        conditions: format!("sunny in {}", input.location),
        days: input.days,
    }
}

fn stations() -> Stations {
    let station = |id: i32| Station {
        id: id.into(),
        name: format!("Station {id}"),
        country: "NO".to_owned(),
        latitude: 59.91 + f64::from(id) / 100.0,
        longitude: 10.75 - f64::from(id) / 100.0,
        altitude: i64::from(id) * 7,
        active: id % 3 != 0,
        operator: (id % 2 == 0).then(|| "met.no".to_owned()),
        sensors: vec!["wind".to_owned(), "rain".to_owned()],
        since: "1998-04-01".to_owned(),
    };
    Stations {
        stations: (0..100).map(station).collect(),
    }
}

/// The server as generated code has it.
struct Generated;

impl Toolset for Generated {
    fn contract(&self) -> &'static Contract {
        &CONTRACT
    }

    async fn call(&self, call: ToolCall) -> Result<ToolOutput, CallError> {
        match call.name() {
            "get_weather" => {
                let body = |input: WeatherInput, _| async move { Ok(weather(&input)) };
                call.structured(CONTRACT.tool(0), body).await
            }
            "list_stations" => {
                let body = |_: Empty, _| async { Ok(stations()) };
                call.structured(CONTRACT.tool(1), body).await
            }
            _ => Err(call.unknown_tool()),
        }
    }
}

/// The same server by hand: validators built once, arguments and results validated.
struct ByHand {
    tools: [(jsonschema::Validator, jsonschema::Validator); 2],
}

impl ByHand {
    fn new() -> Result<Self, Box<dyn Error>> {
        let validators = |index: usize| -> Result<_, Box<dyn Error>> {
            let tool = CONTRACT.tool(index).definition();
            let of = |key: &str| jsonschema::validator_for(&tool[key]);
            Ok((
                of("inputSchema").map_err(|error| error.to_string())?,
                of("outputSchema").map_err(|error| error.to_string())?,
            ))
        };
        Ok(Self {
            tools: [validators(0)?, validators(1)?],
        })
    }

    fn answer<I: for<'de> Deserialize<'de>, O: Serialize>(
        &self,
        index: usize,
        arguments: Value,
        body: impl FnOnce(I) -> O,
    ) -> Result<CallToolResponse, ErrorData> {
        let (input, output) = &self.tools[index];
        if let Err(error) = input.validate(&arguments) {
            return Err(ErrorData::invalid_params(error.to_string(), None));
        }
        let failed = |error: String| ErrorData::internal_error(error, None);
        let arguments =
            serde_json::from_value(arguments).map_err(|error| failed(error.to_string()))?;
        let value =
            serde_json::to_value(body(arguments)).map_err(|error| failed(error.to_string()))?;
        if let Err(error) = output.validate(&value) {
            return Err(failed(error.to_string()));
        }
        Ok(CallToolResult::structured(value).into())
    }
}

impl ServerHandler for ByHand {
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        match request.name.as_ref() {
            "get_weather" => self.answer(0, arguments, |input: WeatherInput| weather(&input)),
            "list_stations" => self.answer(1, arguments, |_: Empty| stations()),
            name => Err(ErrorData::new(
                ErrorCode::INVALID_PARAMS,
                format!("unknown tool `{name}`"),
                None,
            )),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [server, case, calls] = arguments.as_slice() {
        // What this program starts itself as, to be counted.
        return run(server, case.parse()?, calls.parse()?).map(|_| ());
    }
    let counted = Command::new("valgrind").arg("--version").output().is_ok();
    if !counted {
        eprintln!("`valgrind` is not installed: times, which vary, instead of instructions");
    }
    let unit = if counted { "instructions" } else { "ns" };
    println!(
        "{:<16}{:>16}{:>16}{:>8}   {unit} per call",
        "tool", SERVERS[0], SERVERS[1], "ratio"
    );
    for (case, (tool, _, calls)) in CASES.into_iter().enumerate() {
        let cost = |server: &str| {
            if counted {
                instructions(server, case, calls)
            } else {
                nanoseconds(server, case, calls)
            }
        };
        let (ours, by_hand) = (cost(SERVERS[0])?, cost(SERVERS[1])?);
        let thousandths = ours * 1000 / by_hand;
        let ratio = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
        println!("{tool:<16}{ours:>16}{by_hand:>16}{ratio:>8}");
    }
    Ok(())
}

/// What one call more costs: the difference of two runs, so that start-up does not count.
fn instructions(server: &str, case: usize, calls: usize) -> Result<u64, Box<dyn Error>> {
    let few = collected(server, case, calls / 2)?;
    let many = collected(server, case, calls + calls / 2)?;
    Ok((many - few) / calls as u64)
}

fn collected(server: &str, case: usize, calls: usize) -> Result<u64, Box<dyn Error>> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(env::current_exe()?)
        .args([server, &case.to_string(), &calls.to_string()])
        .output()?;
    let log = String::from_utf8_lossy(&output.stderr);
    let count = log
        .lines()
        .find_map(|line| line.split_once("Collected :"))
        .and_then(|(_, count)| count.trim().parse().ok());
    count.ok_or_else(|| format!("callgrind counted nothing:\n{log}").into())
}

/// The best of several rounds.
fn nanoseconds(server: &str, case: usize, calls: usize) -> Result<u64, Box<dyn Error>> {
    let mut best = Duration::MAX;
    for _ in 0..20 {
        best = best.min(run(server, case, calls * 5)?);
    }
    Ok(u64::try_from(best.as_nanos())? / (calls as u64 * 5))
}

/// Makes the calls on one thread; the time without start-up.
fn run(server: &str, case: usize, calls: usize) -> Result<Duration, Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()?;
    runtime.block_on(async {
        let (client, far_end) = tokio::io::duplex(1 << 20);
        let (reader, writer) = tokio::io::split(far_end);
        if server == SERVERS[0] {
            tokio::spawn(serve_io(Generated, reader, writer));
        } else {
            let by_hand = ByHand::new()?;
            tokio::spawn(async move {
                if let Ok(running) = serve_server(by_hand, (reader, writer)).await {
                    // An error would be seen by the client, which would miss its answers.
                    let _ = running.waiting().await;
                }
            });
        }
        call(client, case, calls).await
    })
}

async fn call(client: DuplexStream, case: usize, calls: usize) -> Result<Duration, Box<dyn Error>> {
    let (tool, arguments, _) = CASES[case];
    let arguments: Value = serde_json::from_str(arguments)?;
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "bench", "version": "0" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let line = format!("{request}\n");

    let (reader, mut out) = tokio::io::split(client);
    let mut reader = BufReader::with_capacity(1 << 16, reader.take(u64::MAX));
    let mut answer = Vec::new();
    let mut begun = Instant::now();
    for round in 0..=calls {
        answer.clear();
        out.write_all(line.as_bytes()).await?;
        reader.read_until(b'\n', &mut answer).await?;
        if round == 0 {
            // The first call builds the validators.
            let text = String::from_utf8_lossy(&answer);
            if !text.contains("structuredContent") {
                return Err(format!("no result: {text}").into());
            }
            begun = Instant::now();
        }
    }
    Ok(begun.elapsed())
}
