//! Fidelity: does the generated code accept, keep and refuse exactly what the schemas say?
//!
//! The run is a pipeline of values: [`subjects`] reads schemas with judged instances, [`generate`]
//! makes real code for each with the product, [`batch`] compiles it and sends every instance
//! through the public decoding path, [`verdict`] compares, [`table`] prints. [`peer`] does the same with another generator, to compare.

pub mod args;
pub mod batch;
pub mod exceptions;
pub mod few;
pub mod generate;
pub mod judge;
mod model;
pub mod peer;
mod random;
pub mod sample;
pub mod subjects;
pub mod table;
pub mod verdict;

use std::io;

use args::Args;
use exceptions::Exceptions;
use table::Table;

/// Runs everything that `args` names.
///
/// # Errors
///
/// When files cannot be read or written, or cargo or the judge cannot be started.
pub fn run(args: &Args) -> io::Result<Table> {
    let exceptions = Exceptions::read(&args.exceptions)?;
    let subjects = subjects::read(args)?;
    // First, since it starts this program anew, and a build meanwhile may replace the file.
    let peer = if args.peer {
        Some(peer::run(&subjects, args)?)
    } else {
        None
    };
    let products = generate::all(&subjects, args)?;
    let outcomes = batch::run(&subjects, &products, args)?;
    let faults = verdict::compare(&subjects, &products, &outcomes);
    Ok(Table::new(
        args,
        &subjects,
        &products,
        &outcomes,
        exceptions.apply(faults, args),
        peer.as_deref(),
    ))
}
