//! What generated code does with JSON, played on the type graph: decode, then encode.
//!
//! It follows the serde code that `emit` writes and the runtime's union macros.

use serde_json::{Map, Value, json};

use crate::{
    graph::{
        Field, Int, JsonKind, Presence, Rule, Select, ServerTypes, Shape, Struct, TypeKind, Union,
        Unknown,
    },
    resolve::engine::{self, Checker},
};

/// Properties that were dropped on the way, as `Type.key`.
#[derive(Default)]
pub(super) struct Dropped(pub(super) Vec<String>);

/// The instance as it comes out again; `Err` says where the type refuses it.
pub(super) fn round_trip(
    types: &ServerTypes,
    shape: &Shape,
    value: &Value,
    dropped: &mut Dropped,
) -> Result<Value, String> {
    let refused = || Err(format!("{shape:?} refuses {value}"));
    match (shape, value) {
        (Shape::Any, _)
        | (Shape::Null | Shape::Nullable(_), Value::Null)
        | (Shape::Boolean, Value::Bool(_))
        | (Shape::Number, Value::Number(_))
        | (Shape::String, Value::String(_)) => Ok(value.clone()),
        (Shape::Integer(int), Value::Number(_)) if fits(*int, value) => Ok(value.clone()),
        (Shape::Nullable(inner) | Shape::Boxed(inner), _) => {
            round_trip(types, inner, value, dropped)
        }
        (Shape::Limited(it), _) => {
            if !keeps(&it.rules, value) {
                return refused();
            }
            round_trip(types, &it.shape, value, dropped)
        }
        (Shape::List(inner), Value::Array(items)) => items
            .iter()
            .map(|it| round_trip(types, inner, it, dropped))
            .collect(),
        (Shape::Tuple(shapes), Value::Array(items)) if shapes.len() == items.len() => {
            let both = shapes.iter().zip(items);
            both.map(|(shape, it)| round_trip(types, shape, it, dropped))
                .collect()
        }
        (Shape::Map(inner), Value::Object(members)) => {
            let mut out = Map::new();
            for (key, it) in members {
                out.insert(key.clone(), round_trip(types, inner, it, dropped)?);
            }
            Ok(Value::Object(out))
        }
        (Shape::Named(id), _) => {
            let def = &types.types[id.0];
            named(types, def.name.as_str(), &def.kind, value, dropped)
        }
        _ => refused(),
    }
}

fn keeps(rules: &[Rule], value: &Value) -> bool {
    let rules = rules.iter().map(|it| json!({ &it.keyword: it.value }));
    let schema = json!({ "allOf": rules.collect::<Vec<_>>() });
    let checker = Checker::new(&schema).expect("rules are keywords of JSON Schema");
    checker.accepts(value)
}

fn named(
    types: &ServerTypes,
    name: &str,
    kind: &TypeKind,
    value: &Value,
    dropped: &mut Dropped,
) -> Result<Value, String> {
    match kind {
        TypeKind::Alias(shape) | TypeKind::Newtype(shape) => {
            round_trip(types, shape, value, dropped)
        }
        TypeKind::Constrained(it) => {
            if !keeps(&it.rules, value) {
                return Err(format!("{name} refuses {value}"));
            }
            round_trip(types, &it.shape, value, dropped)
        }
        TypeKind::Constant(only) if same(only, value) => Ok(value.clone()),
        TypeKind::Literals(literals) if literals.iter().any(|it| same(&it.value, value)) => {
            Ok(value.clone())
        }
        TypeKind::Constant(_) | TypeKind::Literals(_) => Err(format!("{name} refuses {value}")),
        TypeKind::Union(union) => {
            let index = chosen(union, value).ok_or(format!("no variant of {name} for {value}"))?;
            round_trip(types, &union.variants[index].shape, value, dropped)
        }
        TypeKind::Struct(it) => {
            let Value::Object(members) = value else {
                return Err(format!("{name} refuses {value}"));
            };
            struct_value(types, name, it, members, dropped)
        }
    }
}

fn struct_value(
    types: &ServerTypes,
    name: &str,
    it: &Struct,
    members: &Map<String, Value>,
    dropped: &mut Dropped,
) -> Result<Value, String> {
    let mut out = Map::new();
    for Field {
        key,
        shape,
        presence,
        ..
    } in &it.fields
    {
        match (members.get(key), presence) {
            (Some(value), _) => {
                out.insert(key.clone(), round_trip(types, shape, value, dropped)?);
            }
            (None, Presence::Required) => return Err(format!("{name} misses {key}")),
            (None, Presence::Optional) => {}
            // The default must fit the type as well.
            (None, Presence::Default(value)) => {
                round_trip(types, shape, value, &mut Dropped::default())?;
            }
        }
    }
    for (key, value) in members {
        if it.fields.iter().any(|it| it.key == *key) {
            continue;
        }
        match &it.unknown {
            Unknown::Deny => return Err(format!("{name} refuses the property {key}")),
            Unknown::Drop => dropped.0.push(format!("{name}.{key}")),
            Unknown::Keep(_, shape) => {
                out.insert(key.clone(), round_trip(types, shape, value, dropped)?);
            }
        }
    }
    Ok(Value::Object(out))
}

fn chosen(union: &Union, value: &Value) -> Option<usize> {
    match &union.select {
        Select::Tag {
            property,
            values,
            absent,
        } => match value.as_object()?.get(property) {
            None => *absent,
            Some(tag) => values
                .iter()
                .position(|it| it.iter().any(|it| same(it, tag))),
        },
        Select::Kind(kinds) => {
            let claims = |kind| kinds.iter().position(|it| it.contains(&kind));
            match value {
                Value::Null => claims(JsonKind::Null),
                Value::Bool(_) => claims(JsonKind::Boolean),
                Value::Number(_) if fits(Int::I64, value) || fits(Int::U64, value) => {
                    claims(JsonKind::Integer).or(claims(JsonKind::Number))
                }
                Value::Number(_) => claims(JsonKind::Number),
                Value::String(_) => claims(JsonKind::String),
                Value::Array(_) => claims(JsonKind::Array),
                Value::Object(_) => claims(JsonKind::Object),
            }
        }
        Select::Schema(schemas) => schemas.iter().position(|it| engine::accepts(it, value)),
    }
}

fn fits(int: Int, value: &Value) -> bool {
    let (least, greatest): (f64, f64) = match int {
        Int::I8 => (-128.0, 127.0),
        Int::I16 => (-32768.0, 32767.0),
        Int::I32 => (-2_147_483_648.0, 2_147_483_647.0),
        // Integers that no integer type holds are refused on purpose.
        Int::I64 => (-9.3e18, 9.3e18),
        Int::U8 => (0.0, 255.0),
        Int::U16 => (0.0, 65535.0),
        Int::U32 => (0.0, 4_294_967_295.0),
        Int::U64 => (0.0, 1.9e19),
    };
    value
        .as_f64()
        .is_some_and(|it| it.fract() == 0.0 && it >= least && it <= greatest)
}

fn same(left: &Value, right: &Value) -> bool {
    crate::lower::keywords::equal(left, right)
}

/// What the round trip lost, apart from properties that were dropped on purpose.
pub(super) fn lost(before: &Value, after: &Value, dropped: &Dropped) -> Option<String> {
    match (before, after) {
        (Value::Object(left), Value::Object(right)) => {
            left.iter().find_map(|(key, value)| match right.get(key) {
                Some(other) => lost(value, other, dropped),
                None if dropped.0.iter().any(|it| it.ends_with(&format!(".{key}"))) => None,
                None => Some(format!("lost {key}")),
            })
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => left
            .iter()
            .zip(right)
            .find_map(|(left, right)| lost(left, right, dropped)),
        _ if same(before, after) => None,
        _ => Some(format!("{before} became {after}")),
    }
}
