//! What the phase reports, where references lead, and that bundles say what the files say.
#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

mod bundles;
mod own_dialects;
mod published;
mod references;
mod reports;
mod settings;
