//! Generated Rust, short enough for a table: one line per item, without what says how serde does it.

/// What the type of the arguments begins with.
const ARGUMENTS: &str = "pub struct TInput { ";

/// The declarations that an example became, most telling first. Prose, where it is asked for, stands on lines of its own.
pub(super) fn declarations(code: &str, root: bool, prose: bool) -> Vec<String> {
    let types = code
        .split_once("assert_format::<")
        .and_then(|(_, rest)| rest.split_once(";\n"))
        .map_or("", |(_, rest)| rest);
    let items = items(types, prose);
    if root {
        return items;
    }
    // The arguments are only what the example stands in.
    let (arguments, others): (Vec<_>, Vec<_>) =
        items.into_iter().partition(|it| it.starts_with(ARGUMENTS));
    let field = arguments.first().and_then(|it| {
        let members = it.strip_prefix(ARGUMENTS)?;
        Some(members.strip_suffix(" }").unwrap_or(members).to_owned())
    });
    field.into_iter().chain(others).collect()
}

/// The items of a module as one line each.
fn items(code: &str, prose: bool) -> Vec<String> {
    let mut items = Vec::new();
    let mut item: Vec<&str> = Vec::new();
    let mut depth = 0;
    for line in code.lines() {
        if line.is_empty() && depth == 0 {
            continue;
        }
        depth += line.matches(['{', '(', '[']).count();
        depth -= line.matches(['}', ')', ']']).count().min(depth);
        item.push(line.trim());
        let ends = line.ends_with(['}', ';']) || line.trim_start() == "}";
        if depth == 0 && ends {
            let one = one_line(&std::mem::take(&mut item), prose);
            if shown(&one) {
                items.push(one);
            }
        }
    }
    items
}

/// Types, what checks them, and defaults; not the code between.
fn shown(item: &str) -> bool {
    let of_a_trait = item.starts_with("impl ") && item.contains(" for ");
    !(item.is_empty() || of_a_trait)
}

/// An item without the attributes that say how serde does it.
fn one_line(lines: &[&str], prose: bool) -> String {
    let mut text = String::new();
    let mut open = 0;
    for line in lines {
        if line.starts_with("///") {
            if prose && !line.starts_with("/// Arguments of") {
                text.extend([line, "\n"]);
            }
            continue;
        }
        let attribute = open > 0
            || line.starts_with("#[derive(")
            || line.starts_with("#[serde(default, deserialize_with")
            || line.starts_with("#[serde(deserialize_with");
        if attribute {
            open += line.matches(['(', '[']).count();
            open -= line.matches([')', ']']).count().min(open);
            continue;
        }
        text.extend([line, " "]);
    }
    text.trim_end()
        .replace("mcp_codegen_runtime::", "")
        .replace(", }", " }")
}
