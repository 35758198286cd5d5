//! Serving over the standard streams of a real process: what it prints, and how it ends.
//!
//! Without the test harness, because the process under test is this program itself: started with [`SERVE`] in its
//! environment it is the server, and a harness would print to its standard output.
#![cfg(feature = "stdio")]
#![expect(clippy::unwrap_used, reason = "tests")]
#![expect(clippy::print_stderr, reason = "this is the harness")]

#[path = "support/mod.rs"]
mod support;
#[path = "support/wire.rs"]
mod wire;

use std::{
    io::{BufRead, BufReader, Read, Write},
    os::unix::net::UnixStream,
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use mcp_codegen_runtime::Value;
use serde_json::json;

use self::{support::Probe, wire::Era};

const SERVE: &str = "MCP_CODEGEN_TEST_SERVE";

fn main() {
    if std::env::var_os(SERVE).is_some() {
        return serve();
    }
    let tests: [(&str, fn()); 8] = [
        (
            "the_end_of_input_lets_a_call_under_way_finish",
            the_end_of_input_lets_a_call_under_way_finish,
        ),
        (
            "standard_output_is_the_protocol_alone",
            standard_output_is_the_protocol_alone,
        ),
        ("the_end_of_input_is_the_end", the_end_of_input_is_the_end),
        (
            "causes_reach_standard_error_where_nobody_subscribed",
            causes_reach_standard_error_where_nobody_subscribed,
        ),
        (
            "a_signal_is_the_end_though_input_stays_open",
            a_signal_is_the_end_though_input_stays_open,
        ),
        (
            "a_signal_lets_a_call_under_way_finish",
            a_signal_lets_a_call_under_way_finish,
        ),
        (
            "a_socket_does_as_well_as_a_pipe",
            a_socket_does_as_well_as_a_pipe,
        ),
        (
            "a_client_that_reads_no_more_is_no_panic",
            a_client_that_reads_no_more_is_no_panic,
        ),
    ];
    let filter = std::env::args().skip(1).find(|it| !it.starts_with('-'));
    for (name, test) in tests {
        if filter.as_ref().is_none_or(|filter| name.contains(filter)) {
            test();
            eprintln!("test {name} ... ok");
        }
    }
}

fn serve() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime
        .block_on(mcp_codegen_runtime::serve_stdio(Probe::default()))
        .unwrap();
    // As `#[tokio::main]` does: dropping the runtime must not wait for standard input.
    drop(runtime);
}

/// The server as a process of its own, without its standard streams.
fn server() -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .env(SERVE, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn say(input: &mut impl Write, message: &Value) {
    writeln!(input, "{message}").unwrap();
    input.flush().unwrap();
}

fn call(era: Era, id: u64, tool: &str) -> Value {
    era.request(
        id,
        "tools/call",
        json!({ "name": tool, "arguments": { "a": 1, "b": 2, "how": "error" } }),
    )
}

/// The exit status, within ten seconds.
fn end(child: &mut Child) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if start.elapsed() > Duration::from_secs(10) {
            child.kill().unwrap();
            panic!("the server did not end");
        }
        thread::sleep(Duration::from_millis(10));
    }
}

fn standard_output_is_the_protocol_alone() {
    for era in Era::ALL {
        let mut child = server().spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        if !era.is_modern() {
            say(&mut input, &era.initialize());
        }
        for (id, tool) in (1..).zip(["add", "panics", "fails", "wether", "weather"]) {
            say(&mut input, &call(era, id, tool));
        }
        drop(input);
        assert!(end(&mut child).success());
        let mut ids: Vec<u64> = BufReader::new(child.stdout.take().unwrap())
            .lines()
            .map(|line| {
                serde_json::from_str::<Value>(&line.unwrap()).unwrap()["id"]
                    .as_u64()
                    .unwrap()
            })
            .filter(|id| *id > 0)
            .collect();
        ids.sort_unstable();
        assert_eq!(ids, [1, 2, 3, 4, 5]);
    }
}

fn causes_reach_standard_error_where_nobody_subscribed() {
    let mut child = server().spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    for (id, tool) in (1..).zip(["add", "fails", "panics"]) {
        say(&mut input, &call(Era::Modern, id, tool));
    }
    drop(input);
    assert!(end(&mut child).success());
    let (mut out, mut err) = (String::new(), String::new());
    let (mut stdout, mut stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    stdout.read_to_string(&mut out).unwrap();
    stderr.read_to_string(&mut err).unwrap();
    let failed = "tool `fails`: it failed: invalid digit found in string";
    for line in [failed, "tool `panics`: it panicked: "] {
        assert!(err.contains(line), "{err}");
    }
    assert!(!err.contains("`add`"), "{err}");
    assert!(!out.contains("invalid digit"), "{out}");
}

fn the_end_of_input_is_the_end() {
    let mut child = server().spawn().unwrap();
    drop(child.stdin.take());
    assert!(end(&mut child).success());
    let mut text = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    assert_eq!(text, "");
}

fn a_signal_is_the_end_though_input_stays_open() {
    for signal in ["-INT", "-TERM"] {
        let mut child = server().spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        say(&mut input, &call(Era::Modern, 1, "add"));
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap())
            .read_line(&mut line)
            .unwrap();
        assert!(line.contains("\"id\":1"), "{line}");
        assert!(
            Command::new("kill")
                .args([signal, &child.id().to_string()])
                .status()
                .unwrap()
                .success()
        );
        assert!(end(&mut child).success(), "{signal}");
        drop(input);
    }
}

fn the_end_of_input_lets_a_call_under_way_finish() {
    finishes(|_, input| drop(input));
}

fn a_signal_lets_a_call_under_way_finish() {
    finishes(|child, input| {
        terminate(child);
        // The server ends although its input does not.
        std::mem::forget(input);
    });
}

/// A call that tells of its progress gets to its end although the server was asked to end.
fn finishes(ask_to_end: fn(&Child, ChildStdin)) {
    let mut child = server().spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let slow =
        json!({ "name": "slow", "arguments": { "steps": 200 }, "_meta": { "progressToken": 1 } });
    say(&mut input, &Era::Modern.request(1, "tools/call", slow));
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    assert!(first.contains("notifications/progress"), "{first}");
    ask_to_end(&child, input);
    let last = lines.last().unwrap().unwrap();
    assert!(last.contains("\"text\":\"done\""), "{last}");
    assert!(end(&mut child).success());
}

fn terminate(child: &Child) {
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &id])
            .status()
            .unwrap()
            .success()
    );
}

/// Node starts its children with sockets for standard streams.
fn a_socket_does_as_well_as_a_pipe() {
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    let output = std::os::fd::OwnedFd::from(theirs.try_clone().unwrap());
    let mut child = server()
        .stdin(std::os::fd::OwnedFd::from(theirs))
        .stdout(output)
        .spawn()
        .unwrap();
    say(&mut ours, &call(Era::Modern, 1, "add"));
    let mut line = String::new();
    BufReader::new(ours.try_clone().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert!(line.contains("\"structuredContent\":3"), "{line}");
    terminate(&child);
    assert!(end(&mut child).success());
}

fn a_client_that_reads_no_more_is_no_panic() {
    let mut child = server().spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    drop(child.stdout.take());
    for id in 1..10 {
        say(&mut input, &call(Era::Modern, id, "add"));
    }
    drop(input);
    assert!(end(&mut child).success());
    let mut text = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    assert!(!text.contains("panicked"), "{text}");
}
