//! Defaults that no value of their type can be: those too large for it, and those without end.
//!
//! A default is valid under its schema, but it becomes a value of the type when a property is
//! absent. `{"properties": {"next": {"$ref": "#", "default": {}}}}` would fill in `next` inside of
//! `next` until the stack is full. Such a property is optional instead.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{
    diagnostics::{Diagnostic, Diagnostics, Id},
    graph::{Field, Presence, Shape, Struct, TypeDef, TypeId, TypeKind, Unknown, reaches_foreign},
};

/// Takes away, with a warning, the defaults that cannot be applied.
pub(super) fn drop_inapplicable(types: &mut [TypeDef], diagnostics: &mut Diagnostics) {
    for index in 0..types.len() {
        let owner = TypeId(index);
        for (position, problem) in inapplicable(types, owner) {
            let place = types[index].place.clone();
            if let TypeKind::Struct(it) = &mut types[index].kind {
                let field = &mut it.fields[position];
                field.presence = Presence::Optional;
                let message = format!(
                    "the default of `{}` {problem}, and is not applied",
                    field.key
                );
                let warning = Diagnostic::new(Id::DefaultIgnored, message);
                diagnostics.push(warning.at(place, "in this object"));
            }
        }
    }
}

/// The fields of a struct whose defaults cannot be applied, and why.
fn inapplicable(types: &[TypeDef], owner: TypeId) -> Vec<(usize, &'static str)> {
    let TypeKind::Struct(it) = &types[owner.0].kind else {
        return Vec::new();
    };
    let problem = |field: &Field| match &field.presence {
        Presence::Required | Presence::Optional => None,
        Presence::Default(value) => {
            let endless = fills(&field.shape, value) && reaches(types, &field.shape, owner);
            if endless {
                Some("can contain itself without end")
            } else if is_foreign(types, &field.shape, value) {
                Some("cannot be checked against a type that is not generated")
            } else if fits(types, &field.shape, value) {
                None
            } else {
                Some("holds an integer that its type has no room for")
            }
        }
    };
    let fields = it.fields.iter().enumerate();
    fields
        .filter_map(|(index, field)| Some((index, problem(field)?)))
        .collect()
}

/// Whether a value can make objects whose own defaults are then filled in.
fn fills(shape: &Shape, value: &Value) -> bool {
    if let Shape::Limited(it) = shape {
        return fills(&it.shape, value);
    }
    match value {
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty() || !matches!(shape, Shape::Map(_)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Whether a shape mentions a type, at any depth.
fn reaches(types: &[TypeDef], shape: &Shape, wanted: TypeId) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = Vec::new();
    shape.each_named(&mut |id| open.push(id));
    while let Some(id) = open.pop() {
        if id == wanted {
            return true;
        }
        if seen.insert(id) {
            for shape in types[id.0].kind.shapes() {
                shape.each_named(&mut |id| open.push(id));
            }
        }
    }
    false
}

/// Whether a value, or a part of it, becomes a value of a type that is not generated. Where a union decides
/// what it becomes, any such type in the union counts.
fn is_foreign(types: &[TypeDef], shape: &Shape, value: &Value) -> bool {
    match (shape, value) {
        (Shape::Limited(it), value) => is_foreign(types, &it.shape, value),
        (Shape::Nullable(_), Value::Null) => false,
        (Shape::List(_) | Shape::Tuple(_), Value::Array(items)) if items.is_empty() => false,
        (Shape::Map(_), Value::Object(members)) if members.is_empty() => false,
        (shape, _) => reaches_foreign(types, shape),
    }
}

/// Whether every integer of a value has room in the shape. Where a union or a set of literals
/// decides, it does: those are read as they are written.
fn fits(types: &[TypeDef], shape: &Shape, value: &Value) -> bool {
    match (shape, value) {
        (Shape::Integer(int), Value::Number(it)) => int.read(it).is_some(),
        (Shape::List(item), Value::Array(values)) => values.iter().all(|it| fits(types, item, it)),
        (Shape::Tuple(items), Value::Array(values)) => items
            .iter()
            .zip(values)
            .all(|(item, it)| fits(types, item, it)),
        (Shape::Map(item), Value::Object(members)) => {
            members.values().all(|it| fits(types, item, it))
        }
        (Shape::Nullable(inner) | Shape::Boxed(inner), it) => fits(types, inner, it),
        (Shape::Limited(of), it) => fits(types, &of.shape, it),
        (Shape::Named(id), it) => match &types[id.0].kind {
            TypeKind::Alias(inner) | TypeKind::Newtype(inner) => fits(types, inner, it),
            TypeKind::Constrained(of) => fits(types, &of.shape, it),
            TypeKind::Struct(of) => members_fit(types, of, it),
            TypeKind::Literals(_) | TypeKind::Constant(_) | TypeKind::Union(_) => true,
        },
        (
            Shape::Any
            | Shape::Never
            | Shape::Null
            | Shape::Boolean
            | Shape::Integer(_)
            | Shape::Number
            | Shape::String
            | Shape::List(_)
            | Shape::Tuple(_)
            | Shape::Map(_)
            | Shape::Foreign(_),
            _,
        ) => true,
    }
}

fn members_fit(types: &[TypeDef], of: &Struct, value: &Value) -> bool {
    let Value::Object(members) = value else {
        return true;
    };
    members.iter().all(|(key, value)| {
        let declared = of
            .fields
            .iter()
            .find(|it| it.key == *key)
            .map(|it| &it.shape);
        let shape = declared.or(match &of.unknown {
            Unknown::Deny | Unknown::Drop => None,
            Unknown::Keep(_, rest) => Some(rest),
        });
        shape.is_none_or(|it| fits(types, it, value))
    })
}

#[cfg(test)]
mod tests {
    use crate::tests::messages;

    #[test]
    fn a_default_that_no_value_can_be_is_not_applied() {
        let cases = [
            (
                r##"{ "$ref": "#", "default": {} }"##,
                "can contain itself without end",
            ),
            (
                r##"{ "type": "array", "items": { "$ref": "#" }, "default": [{}] }"##,
                "can contain itself without end",
            ),
            (
                r##"{ "type": "array", "items": { "$ref": "#" }, "default": [] }"##,
                "",
            ),
            (
                r#"{ "type": "integer", "default": 1e300 }"#,
                "holds an integer that its type has no room for",
            ),
            (
                r#"{ "type": "array", "items": { "type": "integer" }, "default": [1e300] }"#,
                "holds an integer that its type has no room for",
            ),
            (
                r#"{ "type": "integer", "minimum": 0, "default": 18446744073709551615 }"#,
                "",
            ),
            (r#"{ "type": "number", "default": 1e300 }"#, ""),
        ];
        for (property, problem) in cases {
            let tool = format!(
                r#"{{
                    "name": "t",
                    "description": "A tool.",
                    "inputSchema": {{ "type": "object", "properties": {{ "p": {property} }} }}
                }}"#
            );
            let expected = match problem {
                "" => Vec::new(),
                _ => vec![format!("the default of `p` {problem}, and is not applied")],
            };
            assert_eq!(
                messages(&[("s/t.tool.json", &tool)]),
                expected,
                "{property}"
            );
        }
    }
}
