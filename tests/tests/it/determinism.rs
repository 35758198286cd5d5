//! The same contract gives the same bytes: in any directory order, from any working directory.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use mcp_codegen_tests::{scratch::Scratch, workspace};

use crate::cli::command;

/// Paths and texts of a folder's files, by path.
type Tree = BTreeMap<PathBuf, Vec<u8>>;

#[test]
fn order_of_files_does_not_matter() {
    let contracts: Vec<_> = tree(&workspace().join("schemas")).into_iter().collect();
    let mut outputs = Vec::new();
    // Directories list files in an order that depends on how they came to be, on most file systems.
    for seed in [0_u32, 1, 7, 1234] {
        let project = Scratch::new("order").expect("scratch folders can be made");
        for (path, text) in shuffled(&contracts, seed) {
            put(&project.path().join("schemas").join(path), text);
        }
        outputs.push(generated(project.path(), "schemas", "gen", project.path()));
    }
    assert!(outputs[0].len() > 4, "{:?}", outputs[0].keys());
    for other in &outputs[1..] {
        assert_same(&outputs[0], other);
    }
}

#[test]
fn working_directory_does_not_matter() {
    let parent = Scratch::new("place").expect("scratch folders can be made");
    let project = parent.path().join("project");
    for (path, text) in tree(&workspace().join("schemas")) {
        put(&project.join("schemas").join(path), &text);
    }
    let absolute = project.join("schemas");
    let absolute = absolute.to_string_lossy();
    let first = generated(&project, "schemas", "gen", &project);
    for (schemas, out, working) in [
        ("./schemas/", "gen2", project.clone()),
        (
            "project/schemas",
            "project/gen3",
            parent.path().to_path_buf(),
        ),
        (".", "../gen4", project.join("schemas")),
        (
            "../../schemas",
            "../../gen5",
            project.join("schemas/weather"),
        ),
        (&absolute, "gen6", project.clone()),
    ] {
        assert_same(&first, &generated(&working, schemas, out, &working));
    }
}

/// Runs the command in `working` and reads what it wrote.
fn generated(working: &Path, schemas: &str, out: &str, base: &Path) -> Tree {
    let run = Command::new(command())
        .args(["generate", schemas, "--out", out, "--quiet"])
        .current_dir(working)
        .output()
        .expect("the command starts");
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    tree(&base.join(out))
}

fn assert_same(one: &Tree, other: &Tree) {
    assert!(
        one.keys().eq(other.keys()),
        "{:?} {:?}",
        one.keys(),
        other.keys()
    );
    for (path, text) in one {
        assert!(other[path] == *text, "{} differs", path.display());
    }
}

/// Another order of the same items for each seed: a Fisher-Yates shuffle by a small generator.
fn shuffled<T>(items: &[T], seed: u32) -> Vec<&T> {
    let mut all: Vec<&T> = items.iter().collect();
    let mut state = seed;
    for last in (1..all.len()).rev() {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        all.swap(last, (state >> 8) as usize % (last + 1));
    }
    all
}

fn put(path: &Path, text: &[u8]) {
    fs::create_dir_all(path.parent().expect("contract files stand in a folder"))
        .expect("scratch folders can be made");
    fs::write(path, text).expect("scratch files can be written");
}

fn tree(root: &Path) -> Tree {
    fn collect(root: &Path, folder: &Path, files: &mut Tree) {
        for entry in fs::read_dir(folder).expect("folders can be read") {
            let path = entry.expect("entries can be read").path();
            if path.is_dir() {
                collect(root, &path, files);
            } else {
                let name = path
                    .strip_prefix(root)
                    .expect("entries stand below the root")
                    .to_path_buf();
                files.insert(name, fs::read(&path).expect("files can be read"));
            }
        }
    }
    let mut files = Tree::new();
    collect(root, root, &mut files);
    files
}
