//! Faults that users of other generators reported: no valid instance is refused or changed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::resolve::fixture::shared;

use super::{
    lower_output,
    model::{Dropped, lost, round_trip},
};

pub(super) fn json_files(folder: &str) -> Vec<(String, Value)> {
    shared(folder).map(|it| files_in(&it)).unwrap_or_default()
}

/// The valid documents of a published schema; only some have any.
pub(super) fn valid_documents(stem: &str) -> Vec<(String, Value)> {
    let folder = shared("published/instances").map(|it| it.join(stem).join("valid"));
    let folder = folder.filter(|it| it.is_dir());
    folder.map(|it| files_in(&it)).unwrap_or_default()
}

fn files_in(folder: &Path) -> Vec<(String, Value)> {
    let entries = fs::read_dir(folder).expect("the folder was found");
    let mut files: Vec<PathBuf> = entries.filter_map(|it| Some(it.ok()?.path())).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "json"));
    files.sort();
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("the file was listed");
        let name = path
            .file_name()
            .expect("it is a file")
            .to_string_lossy()
            .into_owned();
        (
            name,
            serde_json::from_str(&text).expect("test data is JSON"),
        )
    };
    files.iter().map(read).collect()
}

#[test]
fn valid_instances_of_reported_faults_survive() {
    let mut instances = 0;
    let mut faults = Vec::new();
    for (name, case) in json_files("cases") {
        let refused = ["schema_invalid", "dangling"]
            .iter()
            .any(|it| case.get(it).is_some());
        if refused || name.starts_with("097") {
            continue;
        }
        let lowered = lower_output(&case["schema"]);
        let server = lowered.server();
        let shape = server.tools[0]
            .output
            .as_ref()
            .expect("the tool has an output");
        for value in case["valid"].as_array().expect("a list of instances") {
            instances += 1;
            let mut dropped = Dropped::default();
            match round_trip(server, shape, value, &mut dropped) {
                Err(fault) => faults.push(format!("{name}: {fault}")),
                Ok(after) => {
                    faults.extend(lost(value, &after, &dropped).map(|it| format!("{name}: {it}")));
                }
            }
        }
    }
    println!("{instances} instances");
    assert!(faults.is_empty(), "{faults:#?}");
}
