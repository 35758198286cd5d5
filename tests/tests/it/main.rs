//! The cross-crate tests, as one program: one link, and cases that share what they build.
#![deny(warnings)]

mod cli;
mod compiled;
mod corpus;
mod determinism;
mod diagnostics;
mod golden;
mod hygiene;
mod meta;
mod rebuild;
mod ui;
