//! A type graph as text, for tests: one line per type and per member.
//!
//! ```text
//! tool 0: GetWeatherInput -> f64
//! struct GetWeatherInput closed
//!   location: string
//!   units: Units = "metric"
//!   days?: i64
//!   self_ "self"?: string?
//! literals Units
//!   Metric = "metric"
//! union Shape by tag kind
//!   Circle(Circle) = "circle"
//! ```

use std::fmt::Write as _;

use super::{
    Field, Int, Presence, Select, ServerTypes, Shape, Struct, TypeDef, TypeKind, Union, Unknown,
};

/// The types of one server as text.
pub(crate) fn dump(server: &ServerTypes) -> String {
    let mut out = String::new();
    for (index, tool) in server.tools.iter().enumerate() {
        let input = shape(&tool.input, server);
        let output = tool
            .output
            .as_ref()
            .map_or("content".to_owned(), |it| shape(it, server));
        line(&mut out, &format!("tool {index}: {input} -> {output}"));
    }
    for (index, input) in server.inputs.iter().enumerate() {
        let input = shape(input, server);
        line(&mut out, &format!("input {index}: {input}"));
    }
    for it in &server.types {
        type_def(&mut out, it, server);
    }
    out
}

fn line(out: &mut String, text: &str) {
    writeln!(out, "{text}").expect("writing to a string does not fail");
}

fn type_def(out: &mut String, it: &TypeDef, server: &ServerTypes) {
    let name = &it.name;
    match &it.kind {
        TypeKind::Struct(it) => struct_def(out, name.as_str(), it, server),
        TypeKind::Literals(literals) => {
            line(out, &format!("literals {name}"));
            for it in literals {
                line(out, &format!("  {} = {}", it.name, it.value));
            }
        }
        TypeKind::Constant(value) => line(out, &format!("constant {name} = {value}")),
        TypeKind::Union(it) => union_def(out, name.as_str(), it, server),
        TypeKind::Alias(it) => line(out, &format!("alias {name} = {}", shape(it, server))),
        TypeKind::Newtype(it) => line(out, &format!("newtype {name} = {}", shape(it, server))),
        TypeKind::Constrained(it) => {
            let rules = it.rules.iter();
            let rules: Vec<_> = rules
                .map(|it| format!("{} {}", it.keyword, it.value))
                .collect();
            let (inner, rules) = (shape(&it.shape, server), rules.join(", "));
            line(out, &format!("constrained {name} = {inner} with {rules}"));
        }
    }
}

fn struct_def(out: &mut String, name: &str, it: &Struct, server: &ServerTypes) {
    let unknown = match &it.unknown {
        Unknown::Deny => " closed".to_owned(),
        Unknown::Drop => String::new(),
        Unknown::Keep(name, it) => format!(" keeps {name}: {}", shape(it, server)),
    };
    line(out, &format!("struct {name}{unknown}"));
    for it in &it.fields {
        line(out, &format!("  {}", field(it, server)));
    }
}

fn field(it: &Field, server: &ServerTypes) -> String {
    let plain = it.name.as_str() == it.key;
    let key = if plain {
        String::new()
    } else {
        format!(" {:?}", it.key)
    };
    let shape = shape(&it.shape, server);
    let (absent, default) = match &it.presence {
        Presence::Required => ("", String::new()),
        Presence::Optional => ("?", String::new()),
        Presence::Default(value) => ("", format!(" = {value}")),
    };
    format!("{}{key}{absent}: {shape}{default}", it.name)
}

fn union_def(out: &mut String, name: &str, it: &Union, server: &ServerTypes) {
    let by = match &it.select {
        Select::Tag { property, .. } => format!("tag {property}"),
        Select::Kind(_) => "kind".to_owned(),
        Select::Schema(_) => "schema".to_owned(),
    };
    line(out, &format!("union {name} by {by}"));
    for (index, variant) in it.variants.iter().enumerate() {
        let chosen = match &it.select {
            Select::Tag { values, absent, .. } => {
                let values: Vec<_> = values[index].iter().map(ToString::to_string).collect();
                let or_absent = if *absent == Some(index) {
                    " or absent"
                } else {
                    ""
                };
                format!(" = {}{or_absent}", values.join(" | "))
            }
            Select::Kind(kinds) => {
                let kinds: Vec<_> = kinds[index]
                    .iter()
                    .map(|it| format!("{it:?}").to_lowercase())
                    .collect();
                format!(" = {}", kinds.join(" | "))
            }
            Select::Schema(_) => String::new(),
        };
        line(
            out,
            &format!(
                "  {}({}){chosen}",
                variant.name,
                shape(&variant.shape, server)
            ),
        );
    }
}

fn shape(it: &Shape, server: &ServerTypes) -> String {
    match it {
        Shape::Any => "any".to_owned(),
        Shape::Never => "never".to_owned(),
        Shape::Null => "null".to_owned(),
        Shape::Boolean => "bool".to_owned(),
        Shape::Integer(int) => int_name(*int).to_owned(),
        Shape::Number => "f64".to_owned(),
        Shape::String => "string".to_owned(),
        Shape::List(inner) => format!("[{}]", shape(inner, server)),
        Shape::Tuple(items) => {
            let items: Vec<_> = items.iter().map(|it| shape(it, server)).collect();
            format!("({})", items.join(", "))
        }
        Shape::Map(inner) => format!("{{{}}}", shape(inner, server)),
        Shape::Nullable(inner) => format!("{}?", shape(inner, server)),
        Shape::Boxed(inner) => format!("box {}", shape(inner, server)),
        Shape::Named(id) => server.types[id.0].name.to_string(),
        Shape::Limited(it) => {
            let rules = it.rules.iter();
            let rules: Vec<_> = rules
                .map(|it| format!("{} {}", it.keyword, it.value))
                .collect();
            format!("{} ({})", shape(&it.shape, server), rules.join(", "))
        }
        Shape::Foreign(it) => {
            let parameters = it.parameters.iter();
            let parameters: Vec<_> = parameters.map(|it| shape(it, server)).collect();
            match parameters.as_slice() {
                [] => it.path.clone(),
                all => format!("{}<{}>", it.path, all.join(", ")),
            }
        }
    }
}

fn int_name(int: Int) -> &'static str {
    match int {
        Int::I8 => "i8",
        Int::I16 => "i16",
        Int::I32 => "i32",
        Int::I64 => "i64",
        Int::U8 => "u8",
        Int::U16 => "u16",
        Int::U32 => "u32",
        Int::U64 => "u64",
    }
}
