//! Each keyword by itself: what it becomes.

use serde_json::json;

use super::{check, lower_files, tool};
use crate::{config::Config, diagnostics::Id, graph::dump};

#[test]
fn scratch() {
    println!("{}", super::dumped(&super::lower_output(&json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": ["array","object"]}))));
    println!("{}", super::dumped(&super::lower_output(&json!({"type": ["array","object", "null"]}))));
}
