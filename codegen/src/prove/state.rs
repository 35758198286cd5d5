//! What a generated type accepts, or writes, as a JSON Schema: the model of its serde code.
//!
//! The model must tell the truth about three things elsewhere: the code that `emit` writes, the
//! runtime's union macros, and its `decode`. The program `fidelity` compares it with compiled code.
//!
//! Integers: a type accepts the integers of its 64 bits or fewer, and the model says so. A schema
//! without bounds allows more; that the type refuses those is a decision and no fault, so a
//! comparison that asks whether a type accepts enough reads the model as [`Range::Wide`], in which
//! `i64` and the upper end of `u64` have no bounds. Whether a type accepts too much is asked of
//! the exact model: whatever the type refuses beyond the schema cannot make it accept too much.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Direction, algebra};
use crate::{
    graph::{
        Int, JsonKind, Presence, Rule, Select, Shape, Struct, TypeDef, TypeId, TypeKind, Union,
        Unknown,
    },
    resolve::{Dialect, encode},
};

/// How integers are stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Range {
    /// As the Rust type has them.
    Exact,
    /// Without the bounds that only 64 bits make.
    Wide,
}

/// The self-contained schema of a type, in a dialect: what it accepts as [`Direction::Input`],
/// what it can serialize to as [`Direction::Output`].
pub(super) fn state(
    types: &[TypeDef],
    shape: &Shape,
    direction: Direction,
    dialect: Dialect,
    range: Range,
) -> Value {
    State::new(types, direction, dialect, range).document(shape)
}

/// The same, unless it certainly has more than `most` JSON values in it: then it is not made.
pub(super) fn state_within(
    types: &[TypeDef],
    shape: &Shape,
    direction: Direction,
    dialect: Dialect,
    range: Range,
    most: usize,
) -> Option<Value> {
    let mut state = State::new(types, direction, dialect, range);
    state.left = Some(most);
    let document = state.document(shape);
    (!document.is_null()).then_some(document)
}

/// The exact schema for a validator. It has what decides between variants among its definitions,
/// once, which the comparison of schemas does not like and a large union needs.
pub(super) fn state_for_validator(
    types: &[TypeDef],
    shape: &Shape,
    direction: Direction,
    dialect: Dialect,
) -> Value {
    let mut state = State::new(types, direction, dialect, Range::Exact);
    state.shares = true;
    state.document(shape)
}

struct State<'g> {
    types: &'g [TypeDef],
    direction: Direction,
    dialect: Dialect,
    range: Range,
    definitions: BTreeMap<String, Value>,
    resources: usize,
    /// The schemas that choose variants become definitions.
    shares: bool,
    /// How many values there is room for; `None` for any number.
    left: Option<usize>,
    full: bool,
}

impl<'g> State<'g> {
    const fn new(
        types: &'g [TypeDef],
        direction: Direction,
        dialect: Dialect,
        range: Range,
    ) -> Self {
        Self {
            types,
            direction,
            dialect,
            range,
            definitions: BTreeMap::new(),
            resources: 0,
            shares: false,
            left: None,
            full: false,
        }
    }

    /// `null` where there is no room for it.
    fn document(mut self, shape: &Shape) -> Value {
        let root = self.shape(shape);
        if self.full {
            return Value::Null;
        }
        let mut document = Map::new();
        document.insert("$schema".to_owned(), self.dialect.uri().into());
        document.insert("allOf".to_owned(), json!([root]));
        if !self.definitions.is_empty() {
            let definitions: Map<_, _> = self.definitions.into_iter().collect();
            document.insert(self.dialect.definitions().to_owned(), definitions.into());
        }
        Value::Object(document)
    }

    /// Takes room for some of the values to come: `false` when there is none.
    fn take(&mut self, values: usize) -> bool {
        if let Some(left) = self.left {
            self.left = left.checked_sub(values);
            self.full |= self.left.is_none();
            self.left = self.left.or(Some(0));
        }
        !self.full
    }
}

impl State<'_> {
    fn shape(&mut self, shape: &Shape) -> Value {
        match shape {
            // What a foreign type reads is its own affair; at most, anything.
            Shape::Any | Shape::Foreign(_) => json!({}),
            Shape::Never => json!({ "not": {} }),
            Shape::Null => json!({ "type": "null" }),
            Shape::Boolean => json!({ "type": "boolean" }),
            Shape::Integer(int) => self.integer(*int),
            // What is NaN or infinite is not written at all: the runtime refuses it.
            Shape::Number => json!({ "type": "number" }),
            Shape::String => json!({ "type": "string" }),
            Shape::List(item) => json!({ "type": "array", "items": self.shape(item) }),
            Shape::Tuple(items) => self.tuple(items),
            Shape::Map(value) => {
                json!({ "type": "object", "additionalProperties": self.shape(value) })
            }
            Shape::Nullable(inner) => json!({ "anyOf": [self.shape(inner), { "type": "null" }] }),
            Shape::Boxed(inner) => self.shape(inner),
            // Nothing checks what is written.
            Shape::Limited(it) if self.direction == Direction::Output => self.shape(&it.shape),
            Shape::Limited(it) => self.ruled(&it.shape, &it.rules),
            Shape::Named(id) => self.named(*id),
        }
    }

    fn integer(&self, int: Int) -> Value {
        let (least, greatest) = int.range();
        let wide = self.range == Range::Wide;
        let mut schema = self.kind(JsonKind::Integer);
        if !(wide && int == Int::I64)
            && let Ok(least) = i64::try_from(least)
        {
            schema["minimum"] = least.into();
        }
        if !(wide && matches!(int, Int::I64 | Int::U64))
            && let Ok(greatest) = u64::try_from(greatest)
        {
            schema["maximum"] = greatest.into();
        }
        schema
    }

    /// All values of a kind. `3.0` is an integer here in every dialect, as the decoder has it.
    fn kind(&self, kind: JsonKind) -> Value {
        let name = crate::lower::kinds::kind_keyword(kind);
        if kind == JsonKind::Integer && self.dialect == Dialect::Draft4 {
            return json!({ "type": "number", "multipleOf": 1 });
        }
        json!({ "type": name })
    }

    fn tuple(&mut self, items: &[Shape]) -> Value {
        let length = items.len();
        let items: Vec<_> = items.iter().map(|it| self.shape(it)).collect();
        match self.dialect {
            Dialect::Draft202012 => {
                json!({ "type": "array", "prefixItems": items, "items": false, "minItems": length })
            }
            Dialect::Draft4 | Dialect::Draft6 | Dialect::Draft7 | Dialect::Draft201909 => {
                json!({ "type": "array", "items": items, "additionalItems": false, "minItems": length })
            }
        }
    }

    fn named(&mut self, id: TypeId) -> Value {
        let types = self.types;
        let def = &types[id.0];
        let name = def.name.to_string();
        if !self.definitions.contains_key(&name) && self.take(content(&def.kind)) {
            // Before its content: a type may contain itself.
            self.definitions.insert(name.clone(), Value::Null);
            let schema = match &def.kind {
                TypeKind::Struct(it) => self.structure(it),
                TypeKind::Literals(all) => {
                    json!({ "enum": all.iter().map(|it| &it.value).collect::<Vec<_>>() })
                }
                TypeKind::Constant(value) => json!({ "enum": [value] }),
                TypeKind::Union(it) => self.union(it),
                TypeKind::Alias(shape) | TypeKind::Newtype(shape) => self.shape(shape),
                TypeKind::Constrained(it) => self.ruled(&it.shape, &it.rules),
            };
            self.definitions.insert(name.clone(), schema);
        }
        self.reference(&name)
    }

    fn ruled(&mut self, shape: &Shape, rules: &[Rule]) -> Value {
        let mut parts = vec![self.shape(shape)];
        parts.extend(rules.iter().map(|rule| self.rule(rule)));
        json!({ "allOf": parts })
    }

    /// A rule, in the words of the dialect.
    fn rule(&self, Rule { keyword, value }: &Rule) -> Value {
        let marked = keyword
            .strip_prefix("exclusive")
            .filter(|_| self.dialect == Dialect::Draft4);
        match marked {
            Some(bound) => json!({ bound.to_lowercase(): value, keyword: true }),
            None => json!({ keyword: value }),
        }
    }

    fn reference(&self, name: &str) -> Value {
        // Names of types may have letters that a URI cannot.
        let name = encode(name);
        json!({ "$ref": format!("#/{}/{name}", self.dialect.definitions()) })
    }

    fn structure(&mut self, it: &Struct) -> Value {
        let output = self.direction == Direction::Output;
        let rest = match &it.unknown {
            Unknown::Deny => json!(false),
            Unknown::Drop => json!(!output),
            Unknown::Keep(_, shape) => self.shape(shape),
        };
        let kept = matches!(it.unknown, Unknown::Keep(..));
        let mut properties = Map::new();
        let mut required = Vec::new();
        for field in &it.fields {
            let mut schema = self.shape(&field.shape);
            if output && kept && matches!(field.presence, Presence::Optional) {
                // Where the field is absent, the map of undeclared properties may have its name. Where it is not, the
                // runtime refuses to write the name twice.
                schema = json!({ "anyOf": [schema, rest] });
            }
            properties.insert(field.key.clone(), schema);
            match field.presence {
                Presence::Required => required.push(&field.key),
                Presence::Default(_) if output => required.push(&field.key),
                Presence::Default(_) | Presence::Optional => {}
            }
        }
        let mut schema = json!({ "type": "object", "properties": properties });
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema["additionalProperties"] = rest;
        schema
    }

    fn union(&mut self, union: &Union) -> Value {
        let variants: Vec<_> = union
            .variants
            .iter()
            .map(|it| self.shape(&it.shape))
            .collect();
        if self.direction == Direction::Output {
            return json!({ "anyOf": variants });
        }
        let variants: Vec<Value> = match &union.select {
            Select::Tag {
                property,
                values,
                absent,
            } => {
                let tags = values.iter().enumerate().map(|(at, values)| {
                    let mut tag =
                        json!({ "type": "object", "properties": { property: { "enum": values } } });
                    if *absent != Some(at) {
                        tag["required"] = json!([property]);
                    }
                    tag
                });
                tags.zip(variants)
                    .map(|(tag, it)| json!({ "allOf": [tag, it] }))
                    .collect()
            }
            Select::Kind(kinds) => {
                let claims = kinds.iter().map(|it| self.claim(it, kinds));
                claims
                    .zip(variants)
                    .map(|(claim, it)| json!({ "allOf": [claim, it] }))
                    .collect()
            }
            Select::Schema(schemas) => {
                let schemas: Vec<_> = schemas.iter().map(|it| self.resource(it)).collect();
                // Every schema stands with its own variant, and with all later ones.
                let copies = schemas.iter().rev().enumerate();
                let copies = copies.map(|(later, it)| (later + 1) * algebra::size(it));
                if !self.take(copies.sum()) {
                    return Value::Null;
                }
                let all = variants.into_iter().enumerate();
                all.map(|(at, variant)| {
                    // The first schema that accepts decides, so none before it did.
                    let before = schemas[..at].iter().map(|it| json!({ "not": it }));
                    let mut parts = vec![schemas[at].clone(), variant];
                    parts.extend(before);
                    json!({ "allOf": parts })
                })
                .collect()
            }
        };
        json!({ "anyOf": variants })
    }

    /// The values that a variant of a union by kind is asked about.
    fn claim(&self, own: &[JsonKind], all: &[Vec<JsonKind>]) -> Value {
        let elsewhere = |it: &JsonKind| *it == JsonKind::Integer && !own.contains(it);
        let taken = all.iter().flatten().any(elsewhere);
        let schemas: Vec<_> = own
            .iter()
            .map(|it| match it {
                JsonKind::Number if taken => {
                    json!({ "type": "number", "not": self.kind(JsonKind::Integer) })
                }
                other => self.kind(*other),
            })
            .collect();
        json!({ "anyOf": schemas })
    }

    /// A schema that decides at run time, as a resource of its own: `#/$defs/…` in it keeps its
    /// meaning. One without references needs none.
    fn resource(&mut self, schema: &Value) -> Value {
        let Value::Object(members) = schema else {
            return schema.clone();
        };
        let mut members = members.clone();
        let dialect = members.get("$schema").and_then(Value::as_str);
        if !refers(schema) && dialect == Some(self.dialect.uri()) {
            members.shift_remove("$schema");
            if !self.shares {
                return Value::Object(members);
            }
            self.resources += 1;
            let name = format!("variant {}", self.resources);
            self.definitions.insert(name.clone(), members.into());
            return self.reference(&name);
        }
        let draft4 = dialect == Some(Dialect::Draft4.uri());
        let keyword = if draft4 { "id" } else { "$id" };
        self.resources += 1;
        for member in members.values_mut() {
            rename_branches(member, self.resources);
        }
        let uri = format!("urn:mcp-codegen:variant:{}", self.resources);
        // Up to draft-07 a reference would hide the id beside it.
        if let Some(target) = members.shift_remove("$ref") {
            let parts = members.entry("allOf").or_insert_with(|| json!([]));
            if let Some(parts) = parts.as_array_mut() {
                parts.push(json!({ "$ref": target }));
            }
        }
        members.entry(keyword).or_insert_with(|| json!(uri));
        let uri = members[keyword].clone();
        self.definitions
            .insert(format!("variant {}", self.resources), members.into());
        json!({ "$ref": uri })
    }
}

/// How many JSON values the statement of a type has, at least, without those of other types.
fn content(kind: &TypeKind) -> usize {
    match kind {
        TypeKind::Struct(it) => it.fields.len(),
        TypeKind::Literals(all) => all.len(),
        TypeKind::Union(it) => it.variants.len(),
        TypeKind::Constant(_)
        | TypeKind::Alias(_)
        | TypeKind::Newtype(_)
        | TypeKind::Constrained(_) => 1,
    }
}

/// The resources that `lower` names are numbered per variant; here they stand in one document.
fn rename_branches(value: &mut Value, variant: usize) {
    const BRANCH: &str = "urn:mcp-codegen:branch:";
    match value {
        Value::String(text) => {
            if let Some(number) = text.strip_prefix(BRANCH) {
                *text = format!("{BRANCH}{variant}:{number}");
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|it| rename_branches(it, variant)),
        Value::Object(members) => {
            members
                .values_mut()
                .for_each(|it| rename_branches(it, variant));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Whether a schema has a reference anywhere.
fn refers(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => members.iter().any(|(key, it)| {
            matches!(key.as_str(), "$ref" | "$dynamicRef" | "$recursiveRef") || refers(it)
        }),
        Value::Array(items) => items.iter().any(refers),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}
