//! Calls that were made to servers of the Python and TypeScript SDKs, made again to generated ones, in both eras.

use mcp_codegen_tests::{
    expect_file,
    parity::{self, Differences, Table},
    shared, workspace,
};

#[test]
fn generated_servers_answer_as_the_other_sdks_do() {
    let Some(folder) = shared("wire") else {
        return;
    };
    let runs = parity::run(&folder).expect("the recordings can be made again");
    let list = workspace().join("tests/parity/differences.json");
    let differences = Differences::read(&list).expect("the list of differences can be read");
    let table = Table {
        runs: &runs,
        differences: &differences,
    };
    print(&table);
    let sorted = differences.sort(&runs);
    assert!(
        sorted.unlisted.is_empty(),
        "differences without a reason in tests/parity/differences.json:\n{}",
        sorted.unlisted.join("\n")
    );
    assert!(
        sorted.stale.is_empty(),
        "no longer different:\n{}",
        sorted.stale.join("\n")
    );
    expect_file(&workspace().join("docs/parity.md"), &table.to_string());
}

#[expect(
    clippy::print_stdout,
    reason = "who runs the test with --nocapture wants to see it"
)]
fn print(table: &Table<'_>) {
    println!("{table}");
}
