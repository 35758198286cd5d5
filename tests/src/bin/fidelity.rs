//! `fidelity`: does generated code say exactly what the schemas say? See [`mcp_codegen_tests::fidelity`].
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program that prints a table"
)]

use std::process::ExitCode;

use mcp_codegen_tests::fidelity::{self, args};

fn main() -> ExitCode {
    #[cfg(feature = "peer")]
    if std::env::args().nth(1).as_deref() == Some(fidelity::peer::WORKER) {
        return match fidelity::peer::typify::work() {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(2),
        };
    }
    let args = match args::Args::parse(std::env::args().skip(1)) {
        Ok(args) => args,
        Err(message) => {
            eprintln!("fidelity: {message}\n\n{}", args::USAGE);
            return ExitCode::from(2);
        }
    };
    let table = match fidelity::run(&args) {
        Ok(table) => table,
        Err(error) => {
            eprintln!("fidelity: {error}");
            return ExitCode::from(2);
        }
    };
    println!("{table}");
    for few in table.few() {
        println!("{few}");
    }
    for fault in table.faults() {
        println!("{fault}");
    }
    if let Some(path) = &args.json
        && let Err(error) = table.write_json(path)
    {
        eprintln!("fidelity: {}: {error}", path.display());
        return ExitCode::from(2);
    }
    if table.is_clean() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    }
}
