//! The small languages inside of contracts: patterns of ECMA-262, URI templates, percent-encoding.
//!
//! Code generation and runtime must read them alike, and neither depends on the other: what a contract says may not be
//! accepted at build time and meant otherwise at run time. Not for use by hand: it changes without notice.

pub mod ecma;
pub mod percent;
pub mod uri_template;
