//! Code that was generated for a runtime of another format.

// What generated modules end with; the number is that of the generator that wrote them.
const _: () = mcp_codegen_runtime::assert_format::<999>();

fn main() {}
