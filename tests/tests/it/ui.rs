//! Mistakes in user code, and what rustc says about them.

#[test]
fn mistakes_are_explained_by_the_compiler() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*.rs");
}
