//! Values that a type accepts, tried on its schema: one that the schema refuses proves that the
//! type is not exact.

use serde_json::{Map, Value, json};

use super::Direction;
use crate::graph::{
    Int, Presence, Select, Shape, Struct, TypeDef, TypeId, TypeKind, Union, Unknown,
};

/// How many values are tried.
const TRIES: u64 = 48;
/// How deep optional parts go.
const MAX_DEPTH: usize = 6;
/// Values inside one value.
const MAX_VALUES: usize = 400;

/// Values of a type; the same ones every time. For [`Direction::Input`] some may be refused by a
/// union that chooses by schema, so ask the type's model before drawing a conclusion.
pub(super) fn values<'g>(
    types: &'g [TypeDef],
    shape: &'g Shape,
    direction: Direction,
) -> impl Iterator<Item = Value> + 'g {
    (0..TRIES).filter_map(move |seed| {
        // The first ones are the smallest, the second ones the fullest; then anything goes.
        let style = match seed {
            0..4 => Style::Least,
            4..8 => Style::Most,
            _ => Style::Any,
        };
        let mut maker = Maker {
            types,
            direction,
            style,
            state: seed,
            left: MAX_VALUES,
        };
        maker.shape(shape, 0)
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Least,
    Most,
    Any,
}

struct Maker<'g> {
    types: &'g [TypeDef],
    direction: Direction,
    style: Style,
    state: u64,
    left: usize,
}

impl Maker<'_> {
    /// A number below `limit`, by `SplitMix64`.
    fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed % (limit.max(1) as u64)).unwrap_or_default()
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        let at = self.below(from.len());
        from.get(at).cloned()
    }

    fn includes(&mut self, depth: usize) -> bool {
        match self.style {
            _ if depth >= MAX_DEPTH => false,
            Style::Least => false,
            Style::Most => true,
            Style::Any => self.below(2) == 0,
        }
    }

    fn shape(&mut self, shape: &Shape, depth: usize) -> Option<Value> {
        self.left = self.left.checked_sub(1)?;
        Some(match shape {
            Shape::Any => self.pick(&[
                json!(null),
                json!(0),
                json!(0.5),
                json!(""),
                json!(true),
                json!([]),
                json!({}),
            ])?,
            Shape::Never | Shape::Foreign(_) => return None,
            Shape::Null => Value::Null,
            Shape::Boolean => json!(self.below(2) == 0),
            Shape::Integer(int) => self.integer(*int),
            Shape::Number => {
                self.pick(&[json!(0), json!(0.5), json!(-1.5), json!(1e9), json!(-1e9)])?
            }
            Shape::String => json!(self.pick(&["", "a", "0", "\n", "A b", "é"])?),
            Shape::List(item) => self.list(item, depth)?,
            Shape::Tuple(items) => items
                .iter()
                .map(|it| self.shape(it, depth + 1))
                .collect::<Option<Vec<_>>>()?
                .into(),
            Shape::Map(value) => {
                let mut members = Map::new();
                for key in ["", "a", "x-a"] {
                    if self.includes(depth) {
                        members.insert(key.to_owned(), self.shape(value, depth + 1)?);
                    }
                }
                members.into()
            }
            Shape::Nullable(inner) => {
                if self.includes(depth) {
                    self.shape(inner, depth)?
                } else {
                    Value::Null
                }
            }
            Shape::Boxed(inner) => self.shape(inner, depth)?,
            // Whether the rules are kept is asked of the model.
            Shape::Limited(it) => self.shape(&it.shape, depth)?,
            Shape::Named(id) => self.named(*id, depth)?,
        })
    }

    fn integer(&mut self, int: Int) -> Value {
        let (least, greatest) = int.range();
        let near = [0, 1, 2, 7, -1]
            .into_iter()
            .filter(|it| (least..=greatest).contains(it));
        let mut all: Vec<i128> = near.collect();
        all.extend([least, greatest]);
        let chosen = self.pick(&all).unwrap_or_default();
        let small = i64::try_from(chosen).map(Value::from);
        small
            .or_else(|_| u64::try_from(chosen).map(Value::from))
            .unwrap_or_default()
    }

    fn list(&mut self, item: &Shape, depth: usize) -> Option<Value> {
        let mut items = Vec::new();
        while items.len() < 3 && self.includes(depth) {
            items.push(self.shape(item, depth + 1)?);
        }
        // Equal elements are what `uniqueItems` refuses.
        if let Some(first) = items.first().cloned().filter(|_| self.style == Style::Most) {
            items.push(first);
        }
        Some(items.into())
    }

    fn named(&mut self, id: TypeId, depth: usize) -> Option<Value> {
        let types = self.types;
        match &types[id.0].kind {
            TypeKind::Struct(it) => self.structure(it, depth),
            TypeKind::Literals(all) => {
                let at = self.below(all.len());
                all.get(at).map(|it| it.value.clone())
            }
            TypeKind::Constant(value) => Some(value.clone()),
            TypeKind::Union(it) => self.union(it, depth),
            TypeKind::Alias(shape) | TypeKind::Newtype(shape) => self.shape(shape, depth),
            // Whether the rules are kept is asked of the model.
            TypeKind::Constrained(it) => self.shape(&it.shape, depth),
        }
    }

    fn structure(&mut self, it: &Struct, depth: usize) -> Option<Value> {
        let mut members = Map::new();
        for field in &it.fields {
            let always = match field.presence {
                Presence::Required => true,
                Presence::Default(_) => self.direction == Direction::Output,
                Presence::Optional => false,
            };
            if always {
                members.insert(field.key.clone(), self.shape(&field.shape, depth + 1)?);
            } else if self.includes(depth)
                && let Some(value) = self.shape(&field.shape, depth + 1)
            {
                members.insert(field.key.clone(), value);
            }
        }
        let extra = "an undeclared property";
        match (&it.unknown, self.direction) {
            (Unknown::Deny, _) | (Unknown::Drop, Direction::Output) => {}
            (Unknown::Drop, Direction::Input) => {
                if self.includes(depth) {
                    members.insert(extra.to_owned(), self.shape(&Shape::Any, depth + 1)?);
                }
            }
            (Unknown::Keep(_, shape), _) => {
                if self.includes(depth)
                    && let Some(value) = self.shape(shape, depth + 1)
                {
                    members.insert(extra.to_owned(), value);
                }
            }
        }
        Some(members.into())
    }

    fn union(&mut self, union: &Union, depth: usize) -> Option<Value> {
        let at = self.below(union.variants.len());
        let mut value = self.shape(&union.variants.get(at)?.shape, depth + 1)?;
        if let (
            Select::Tag {
                property,
                values,
                absent,
            },
            Direction::Input,
        ) = (&union.select, self.direction)
            && let Some(members) = value.as_object_mut()
            && !(members.contains_key(property) || *absent == Some(at))
        {
            members.insert(property.clone(), values.get(at)?.first()?.clone());
        }
        Some(value)
    }
}
