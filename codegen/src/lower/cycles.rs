//! Recursion: boxes where a type would contain itself, newtypes where an alias would.

use std::collections::BTreeSet;

use crate::graph::{Shape, TypeDef, TypeId, TypeKind};

/// Makes every type of finite size.
pub(super) fn box_recursion(types: &mut [TypeDef]) {
    unalias_cycles(types);
    let by_value: Vec<Vec<TypeId>> = types
        .iter()
        .map(|draft| {
            let mut held = Vec::new();
            draft
                .kind
                .held()
                .into_iter()
                .for_each(|it| held_by_value(it, &mut held));
            held
        })
        .collect();
    let back = back_edges(&by_value);
    for (index, draft) in types.iter_mut().enumerate() {
        let targets: BTreeSet<TypeId> = back
            .iter()
            .filter(|(from, _)| *from == index)
            .map(|(_, to)| *to)
            .collect();
        if !targets.is_empty() {
            draft
                .kind
                .held_mut()
                .into_iter()
                .for_each(|it| box_targets(it, &targets));
        }
    }
}

/// The named types that a shape holds without a heap allocation between.
fn held_by_value(shape: &Shape, held: &mut Vec<TypeId>) {
    match shape {
        Shape::Named(id) => held.push(*id),
        Shape::Tuple(items) => items.iter().for_each(|it| held_by_value(it, held)),
        // It may hold its parameters by value.
        Shape::Foreign(it) => it.parameters.iter().for_each(|it| held_by_value(it, held)),
        Shape::Nullable(inner) => held_by_value(inner, held),
        Shape::Limited(it) => held_by_value(&it.shape, held),
        Shape::Any
        | Shape::Never
        | Shape::Null
        | Shape::Boolean
        | Shape::Integer(_)
        | Shape::Number
        | Shape::String
        | Shape::List(_)
        | Shape::Map(_)
        | Shape::Boxed(_) => {}
    }
}

fn box_targets(shape: &mut Shape, targets: &BTreeSet<TypeId>) {
    match shape {
        Shape::Named(id) if targets.contains(id) => {
            *shape = Shape::Boxed(Box::new(Shape::Named(*id)));
        }
        Shape::Tuple(items) => items.iter_mut().for_each(|it| box_targets(it, targets)),
        Shape::Foreign(it) => it
            .parameters
            .iter_mut()
            .for_each(|it| box_targets(it, targets)),
        Shape::Nullable(inner) => box_targets(inner, targets),
        Shape::Limited(it) => box_targets(&mut it.shape, targets),
        Shape::Any
        | Shape::Never
        | Shape::Null
        | Shape::Boolean
        | Shape::Integer(_)
        | Shape::Number
        | Shape::String
        | Shape::List(_)
        | Shape::Map(_)
        | Shape::Boxed(_)
        | Shape::Named(_) => {}
    }
}

/// The edges that lead back to a type that is still being visited, depth first: without them
/// there is no cycle. With its own stack, for chains of thousands of types.
fn back_edges(edges: &[Vec<TypeId>]) -> BTreeSet<(usize, TypeId)> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; edges.len()];
    let mut back = BTreeSet::new();
    for root in 0..edges.len() {
        if states[root] != State::New {
            continue;
        }
        states[root] = State::Open;
        let mut stack = vec![(root, 0)];
        while let Some((at, next)) = stack.last_mut() {
            let Some(target) = edges[*at].get(*next) else {
                states[*at] = State::Done;
                stack.pop();
                continue;
            };
            *next += 1;
            match states[target.0] {
                State::Open => {
                    back.insert((*at, *target));
                }
                State::New => {
                    states[target.0] = State::Open;
                    stack.push((target.0, 0));
                }
                State::Done => {}
            }
        }
    }
    back
}

/// `type X = Vec<X>` is no Rust: aliases that reach themselves through aliases become newtypes.
fn unalias_cycles(types: &mut [TypeDef]) {
    let targets: Vec<Vec<TypeId>> = types
        .iter()
        .map(|draft| match &draft.kind {
            TypeKind::Alias(shape) => {
                let mut mentioned = Vec::new();
                shape.each_named(&mut |id| mentioned.push(id));
                mentioned
            }
            TypeKind::Struct(_)
            | TypeKind::Literals(_)
            | TypeKind::Constant(_)
            | TypeKind::Union(_)
            | TypeKind::Newtype(_)
            | TypeKind::Constrained(_) => Vec::new(),
        })
        .collect();
    for start in 0..types.len() {
        let mut seen = BTreeSet::new();
        let mut stack = targets[start].clone();
        while let Some(at) = stack.pop() {
            if seen.insert(at) {
                stack.extend(targets[at.0].iter().copied());
            }
        }
        if seen.contains(&TypeId(start))
            && let TypeKind::Alias(shape) = &types[start].kind
        {
            types[start].kind = TypeKind::Newtype(shape.clone());
        }
    }
}
