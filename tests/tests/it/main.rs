//! The cross-crate tests, as one program: one link, and cases that share what they build.
#![deny(warnings)]

mod cli;
mod client;
mod compiled;
mod corpus;
mod determinism;
mod diagnostics;
mod golden;
mod hygiene;
mod keywords;
mod meta;
mod offers;
mod parity;
mod rebuild;
mod ui;
