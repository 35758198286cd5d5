//! Names of types: what each would like to be called, and who gets it.

use std::collections::{BTreeMap, BTreeSet};

use super::Draft;
use crate::{
    config::{Config, UnknownPolicy},
    contract::Server,
    diagnostics::{Diagnostic, Diagnostics, Id},
    graph::{FieldNames, Shape, ToolTypes, TypeDef, TypeId, TypeKind, Unknown, each_shape},
    naming::{self, FieldName, Scope, TypeName, joined_type_name, type_name},
    resolve::Node,
};

/// Longer parents are cut in the names of what stands in them, or deep nesting would give names
/// of thousands of letters.
const MAX_PARENT: usize = 80;

/// Where a type stands: decides its name, prose and place.
#[derive(Clone, Debug)]
pub(super) struct Site<'d> {
    pub(super) wish: Wish,
    pub(super) node: Node<'d>,
    /// It is the type of a definition, not of the place that refers to it.
    pub(super) definition: bool,
}

/// What a type would like to be called.
#[derive(Clone, Debug)]
pub(super) struct Wish {
    base: Base,
    tail: Vec<String>,
}

#[derive(Clone, Debug)]
enum Base {
    /// The input or output of a tool.
    Root(TypeName),
    Definition(TypeName),
    /// Something inside another type.
    Inside(TypeId),
}

impl Wish {
    /// The type of a tool's input or output.
    pub(super) fn root(name: TypeName) -> Self {
        Self { base: Base::Root(name), tail: Vec::new() }
    }

    pub(super) fn definition(key: &str) -> Self {
        Self { base: Base::Definition(type_name(key)), tail: Vec::new() }
    }

    pub(super) fn inside(id: TypeId) -> Self {
        Self { base: Base::Inside(id), tail: Vec::new() }
    }

    /// A part of what this names.
    pub(super) fn then(&self, part: &str) -> Self {
        let mut wish = self.clone();
        wish.tail.push(part.to_owned());
        wish
    }

    /// Who is asked first: tools' roots, then definitions, then what stands inside others.
    fn rank(&self) -> u8 {
        match self.base {
            Base::Root(_) if self.tail.is_empty() => 0,
            Base::Definition(_) if self.tail.is_empty() => 1,
            Base::Root(_) | Base::Definition(_) | Base::Inside(_) => 2,
        }
    }
}
