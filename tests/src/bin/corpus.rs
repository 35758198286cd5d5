//! `corpus [FOLDER]`: generates and compiles every server of a corpus, and prints what it took.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program that prints a table"
)]

use std::{path::PathBuf, process::ExitCode};

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os()
        .nth(1)
        .map(PathBuf::from)
        .or_else(|| mcp_codegen_tests::shared("corpus"))
    else {
        return ExitCode::SUCCESS;
    };
    let report = match mcp_codegen_tests::corpus::run(&folder) {
        Ok(report) => report,
        Err(error) => {
            eprintln!("corpus: {}: {error}", folder.display());
            return ExitCode::from(2);
        }
    };
    println!("servers              {}", report.servers);
    println!("tools                {}", report.tools);
    println!("refused              {}", report.refused.len());
    println!("seconds to generate  {:.2}", report.generate.as_secs_f64());
    println!("lines of Rust        {}", report.lines);
    println!("widened places       {}", report.widened);
    for (side, shares) in ["inputs", "outputs", "types"].iter().zip(&report.proofs) {
        println!("{side:<20} {shares}");
    }
    println!("seconds to check     {:.2}", report.check.as_secs_f64());
    for (server, text) in &report.refused {
        eprintln!("{server}:\n{text}");
    }
    report.unsound.iter().for_each(|it| eprintln!("{it}"));
    if let Some(text) = &report.compiler {
        eprintln!("{text}");
    }
    if report.refused.is_empty() && report.unsound.is_empty() && report.compiler.is_none() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    }
}
