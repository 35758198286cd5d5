//! Hand-made graphs, and the code a person would expect for them.

use serde_json::{Value, json};

use super::{imports, types};
use crate::{
    diagnostics::Place,
    graph::{
        Docs, Extra, Field, Int, JsonKind, Literal, Presence, Select, Selectable, ServerTypes,
        Shape, Struct, TypeDef, TypeId, TypeKind, Union, Unknown, Variant,
    },
    naming::{field_name, type_name, variant_name},
    print,
    source::{Format, SourceMap},
};

fn check(kinds: Vec<(&str, TypeKind)>, expected: &str) {
    let place = Place::file(SourceMap::default().add(
        String::new(),
        String::new(),
        Format::Json,
        String::new(),
    ));
    let types = kinds.into_iter().map(|(name, kind)| TypeDef {
        name: type_name(name),
        docs: Docs::default(),
        kind,
        tool: None,
        place: place.clone(),
        extra: Extra::default(),
    });
    let graph = ServerTypes {
        tools: Vec::new(),
        inputs: Vec::new(),
        types: types.collect(),
        selectable: Selectable::default(),
    };
    let blocks = imports::imports(&[], &graph)
        .into_iter()
        .chain(types::all(&graph, &types::Roles::new()));
    let text = print::rust("", blocks);
    assert!(text == expected, "expected:\n{expected}\nfound:\n{text}");
}

fn field(key: &str, shape: Shape, presence: Presence) -> Field {
    Field {
        name: field_name(key),
        key: key.to_owned(),
        docs: Docs::default(),
        shape,
        presence,
    }
}

fn described(mut field: Field, description: &str) -> Field {
    field.docs.description = Some(description.to_owned());
    field
}

fn structure(fields: Vec<Field>, unknown: Unknown) -> TypeKind {
    TypeKind::Struct(Struct {
        fields,
        unknown,
        patterns: false,
    })
}

fn literals(values: &[Value]) -> TypeKind {
    let literal = |value: &Value| Literal {
        name: variant_name(value.as_str().unwrap_or(&value.to_string())),
        value: value.clone(),
        docs: Docs::default(),
    };
    TypeKind::Literals(values.iter().map(literal).collect())
}

fn union(variants: &[(&str, Shape)], select: Select) -> TypeKind {
    let variant = |(name, shape): &(&str, Shape)| Variant {
        name: variant_name(name),
        docs: Docs::default(),
        shape: shape.clone(),
    };
    TypeKind::Union(Union {
        variants: variants.iter().map(variant).collect(),
        select,
    })
}

fn list(item: Shape) -> Shape {
    Shape::List(Box::new(item))
}

fn nullable(inner: Shape) -> Shape {
    Shape::Nullable(Box::new(inner))
}

#[test]
fn presence_and_null_are_kept_apart() {
    let fields = vec![
        described(
            field("location", Shape::String, Presence::Required),
            "City name or `lat,lon`.",
        ),
        field("days", Shape::Integer(Int::U8), Presence::Optional),
        field("note", nullable(Shape::String), Presence::Optional),
        field(
            "parent",
            nullable(Shape::Named(TypeId(0))),
            Presence::Required,
        ),
        field("type", Shape::Boolean, Presence::Default(json!(false))),
        field("max-depth", Shape::Number, Presence::Default(json!(2))),
    ];
    check(
        vec![("GetInput", structure(fields, Unknown::Deny))],
        r#"use mcp_codegen_runtime::{CallError, Contract, ToolCall, ToolOutput, Toolset, de};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GetInput {
    /// City name or `lat,lon`.
    pub location: String,
    #[serde(default, deserialize_with = "de::some", skip_serializing_if = "Option::is_none")]
    pub days: Option<u8>,
    #[serde(default, deserialize_with = "de::some", skip_serializing_if = "Option::is_none")]
    pub note: Option<Option<String>>,
    #[serde(deserialize_with = "de::required")]
    pub parent: Option<GetInput>,
    #[serde(default)]
    pub r#type: bool,
    #[serde(rename = "max-depth", default = "GetInput::default_max_depth")]
    pub max_depth: f64,
}

impl GetInput {
    fn default_max_depth() -> f64 {
        2.0
    }
}
"#,
    );
}

#[test]
fn defaults_are_expressions() {
    let default =
        |key: &str, shape: Shape, value: Value| field(key, shape, Presence::Default(value));
    let fields = vec![
        default("a", Shape::Integer(Int::I64), json!(-3.0)),
        default("b", Shape::String, json!("x\u{202e}\"")),
        default("c", list(Shape::String), json!(["x"])),
        default("d", Shape::Map(Box::new(Shape::Number)), json!({})),
        default("e", nullable(Shape::Number), json!(-0.5)),
        default("f", Shape::Named(TypeId(1)), json!("on")),
        default("g", Shape::Named(TypeId(2)), json!({})),
        default("h", Shape::Named(TypeId(2)), json!({ "x": 1 })),
        default("i", Shape::Any, json!([1])),
        default("j", Shape::Integer(Int::U8), json!(1e300)),
        default("k", Shape::Number, json!(-1e300)),
    ];
    let empty = structure(
        vec![field("x", Shape::Any, Presence::Optional)],
        Unknown::Keep(field_name("rest"), Shape::Any),
    );
    check(
        vec![
            ("All", structure(fields, Unknown::Drop)),
            ("Mode", literals(&[json!("on"), json!("Off")])),
            ("Open", empty),
        ],
        DEFAULTS,
    );
}

const DEFAULTS: &str = r#"use std::collections::BTreeMap;

use mcp_codegen_runtime::{CallError, Contract, ToolCall, ToolOutput, Toolset, Value, de};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct All {
    #[serde(default = "All::default_a")]
    pub a: i64,
    #[serde(default = "All::default_b")]
    pub b: String,
    #[serde(default = "All::default_c")]
    pub c: Vec<String>,
    #[serde(default)]
    pub d: BTreeMap<String, f64>,
    #[serde(default = "All::default_e")]
    pub e: Option<f64>,
    #[serde(default = "All::default_f")]
    pub f: Mode,
    #[serde(default)]
    pub g: Open,
    #[serde(default = "All::default_h")]
    pub h: Open,
    #[serde(default = "All::default_i")]
    pub i: Value,
    #[serde(default = "All::default_j")]
    pub j: u8,
    #[serde(default = "All::default_k")]
    pub k: f64,
}

impl All {
    fn default_a() -> i64 {
        -3
    }

    fn default_b() -> String {
        "x\u{202e}\"".to_owned()
    }

    fn default_c() -> Vec<String> {
        vec!["x".to_owned()]
    }

    fn default_e() -> Option<f64> {
        Some(-0.5)
    }

    fn default_f() -> Mode {
        Mode::On
    }

    fn default_h() -> Open {
        mcp_codegen_runtime::de::from_json("{\"x\":1}")
    }

    fn default_i() -> Value {
        mcp_codegen_runtime::de::from_json("[1]")
    }

    fn default_j() -> u8 {
        mcp_codegen_runtime::de::from_json("1e+300")
    }

    fn default_k() -> f64 {
        -1e300
    }
}

impl Default for All {
    fn default() -> Self {
        Self {
            a: Self::default_a(),
            b: Self::default_b(),
            c: Self::default_c(),
            d: BTreeMap::new(),
            e: Self::default_e(),
            f: Self::default_f(),
            g: Open::default(),
            h: Self::default_h(),
            i: Self::default_i(),
            j: Self::default_j(),
            k: Self::default_k(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Mode {
    #[serde(rename = "on")]
    On,
    Off,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Open {
    #[serde(default, deserialize_with = "de::some", skip_serializing_if = "Option::is_none")]
    pub x: Option<Value>,
    /// Properties that the schema does not declare.
    #[serde(flatten, deserialize_with = "de::rest")]
    pub rest: BTreeMap<String, Value>,
}
"#;

#[test]
fn everything_else_takes_a_macro_of_the_runtime() {
    let tags = Select::Tag {
        property: "kind".to_owned(),
        values: vec![vec![json!("circle")], vec![json!("square"), json!("sq")]],
        absent: Some(0),
    };
    let kinds = Select::Kind(vec![
        vec![JsonKind::String],
        vec![JsonKind::Integer, JsonKind::Number],
    ]);
    let square = Shape::Tuple(vec![Shape::Number, Shape::Null]);
    check(
        vec![
            ("Level", literals(&[json!(1), json!(0.5), json!(null)])),
            ("CircleKind", TypeKind::Constant(json!("circle"))),
            (
                "Shape",
                union(
                    &[("Circle", Shape::Named(TypeId(1))), ("Square", square)],
                    tags,
                ),
            ),
            (
                "TextOrNumber",
                union(&[("Text", Shape::String), ("Number", Shape::Number)], kinds),
            ),
            (
                "Filter",
                union(
                    &[("ById", Shape::Never), ("ByName", Shape::Any)],
                    Select::Schema(vec![json!(true); 2]),
                ),
            ),
            ("Tree", TypeKind::Newtype(list(Shape::Named(TypeId(5))))),
            (
                "Names",
                TypeKind::Alias(list(Shape::Boxed(Box::new(Shape::String)))),
            ),
        ],
        MACROS,
    );
}

const MACROS: &str = r#"use mcp_codegen_runtime::{
    CallError, Contract, Never, ToolCall, ToolOutput, Toolset, Value,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    V1,
    V0_5,
    Null,
}
mcp_codegen_runtime::literals! { Level { V1 = "1", V0_5 = "0.5", Null = "null" } }

/// The value `circle`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CircleKind;
mcp_codegen_runtime::constant! { CircleKind = "\"circle\"" }

#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Where `kind` is `"circle"` or absent.
    Circle(CircleKind),
    /// Where `kind` is `"square"` or `"sq"`.
    Square((f64, ())),
}
mcp_codegen_runtime::tagged_union! {
    Shape by "kind" {
        Circle = ["\"circle\""],
        Square = ["\"square\"", "\"sq\""],
    } else Circle
}

#[derive(Clone, Debug, PartialEq)]
pub enum TextOrNumber {
    Text(String),
    Number(f64),
}
mcp_codegen_runtime::kind_union! { TextOrNumber { Text = [string], Number = [integer, number] } }

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Filter {
    ById(Never),
    ByName(Value),
}
mcp_codegen_runtime::schema_union! { Filter in CONTRACT { ById, ByName } }

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tree(pub Vec<Tree>);

pub type Names = Vec<Box<String>>;
"#;
