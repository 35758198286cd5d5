//! Names that generated code cannot use as they are, and what it uses instead.

/// Keywords of every edition, reserved ones included: generated code compiles in all of them.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Keywords that cannot be raw identifiers.
const NEVER_RAW: &[&str] = &["_", "crate", "self", "super", "Self"];

/// What a generated module finds in the prelude or imports, and type names that would read as
/// something else. Growing this list renames types of users: only ever for a new import.
const TYPES: &[&str] = &[
    // the prelude
    "AsMut",
    "AsRef",
    "Box",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Future",
    "Hash",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Vec",
    // what generated modules import
    "BTreeMap",
    "CallContext",
    "CallError",
    "Complete",
    "CompletionTarget",
    "Completions",
    "Content",
    "Contract",
    "Deserialize",
    "Deserializer",
    "Elicitation",
    "GetPrompt",
    "Never",
    "Partial",
    "PromptMessages",
    "PromptOutput",
    "ReadResource",
    "ResourceContents",
    "ResourceOutput",
    "Serialize",
    "Serializer",
    "Tool",
    "ToolCall",
    "ToolError",
    "ToolOutput",
    "ToolResult",
    "Toolset",
    "Value",
    "Violation",
];

/// A field or method: a raw identifier where the language allows it, else a trailing `_`.
pub(super) fn free_value(name: String) -> String {
    if NEVER_RAW.contains(&name.as_str()) {
        format!("{name}_")
    } else if KEYWORDS.contains(&name.as_str()) {
        format!("r#{name}")
    } else {
        name
    }
}

/// A module: a trailing `_`, because its name is also a file name. `mod` is taken by `mod.rs`.
pub(super) fn free_module(name: String) -> String {
    let taken = NEVER_RAW.contains(&name.as_str())
        || KEYWORDS.contains(&name.as_str())
        || matches!(name.as_str(), "main" | "lib" | "std" | "core" | "serde");
    if taken { format!("{name}_") } else { name }
}

/// A type: reads on as `…Type`.
pub(super) fn free_type(name: String) -> String {
    if name == "Self" || TYPES.contains(&name.as_str()) {
        format!("{name}Type")
    } else {
        name
    }
}

/// A variant: only `Self` cannot be one.
pub(super) fn free_variant(name: String) -> String {
    if name == "Self" {
        "Self_".to_owned()
    } else {
        name
    }
}
