//! The corpus of real tools: all of it generates, and compiles in one crate under `deny(warnings)`.

use mcp_codegen_tests::{corpus, shared};

#[test]
fn real_tools_generate_and_compile() {
    let Some(folder) = shared("corpus") else {
        return;
    };
    let report = corpus::run(&folder).expect("the corpus can be read and cargo started");
    assert!(report.refused.is_empty(), "{}", report.refused[0].1);
    assert!(
        report.compiler.is_none(),
        "{}",
        report.compiler.unwrap_or_default()
    );
    assert!(report.servers >= 36 && report.tools >= 1153, "{report:?}");
}
