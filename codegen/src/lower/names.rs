//! Names of types: what each would like to be called, and who gets it.

use std::collections::{BTreeMap, BTreeSet};

use super::Draft;
use crate::{
    config::{Config, UnknownPolicy},
    contract::Server,
    diagnostics::{Diagnostic, Diagnostics, Id},
    graph::{Shape, ToolTypes, TypeDef, TypeId, TypeKind, Unknown},
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
        Self {
            base: Base::Root(name),
            tail: Vec::new(),
        }
    }

    pub(super) fn definition(key: &str) -> Self {
        Self {
            base: Base::Definition(type_name(key)),
            tail: Vec::new(),
        }
    }

    pub(super) fn inside(id: TypeId) -> Self {
        Self {
            base: Base::Inside(id),
            tail: Vec::new(),
        }
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

/// Names the types of a server.
pub(super) fn name_types(
    drafts: Vec<Draft>,
    server: &Server<'_>,
    tools: &[ToolTypes],
    config: &Config,
    diagnostics: &mut Diagnostics,
) -> Vec<TypeDef> {
    let names = assign(&drafts, server, diagnostics);
    let users = users(&drafts, tools);
    let module = server.module.as_str();
    drafts
        .into_iter()
        .zip(names)
        .zip(users)
        .map(|((draft, name), users)| {
            let mut kind = draft.kind;
            if config.type_settings(module, name.as_str()).unknown == UnknownPolicy::Keep {
                keep_unknown(&mut kind);
            }
            let tool = if users.len() == 1 {
                users.first().copied()
            } else {
                None
            };
            TypeDef {
                name,
                docs: draft.docs,
                kind,
                tool,
                place: draft.place,
            }
        })
        .collect()
}

fn assign(drafts: &[Draft], server: &Server<'_>, diagnostics: &mut Diagnostics) -> Vec<TypeName> {
    let mut scope = Scope::new();
    scope.reserve(&server.trait_name);
    scope.reserve(&naming::server_name(&server.trait_name));
    scope.reserve(&naming::client_name(&server.trait_name));
    let mut order: Vec<usize> = (0..drafts.len()).collect();
    order.sort_by_key(|it| (drafts[*it].wish.rank(), *it));
    let mut names: BTreeMap<usize, TypeName> = BTreeMap::new();
    for index in order {
        let draft = &drafts[index];
        let wanted = wanted(&draft.wish, &names);
        let mut name = wanted.clone();
        if !scope.reserve(&name) {
            let tool = type_name(&server.tools[draft.tool].name);
            let qualified = joined_type_name(&tool, wanted.as_str());
            name = if draft.wish.rank() == 1 && scope.reserve(&qualified) {
                qualified
            } else {
                scope.claim_name(&wanted).name
            };
            let message = format!(
                "this type is called `{name}`, because `{wanted}` is the name of another one"
            );
            diagnostics
                .push(Diagnostic::new(Id::Renamed, message).at(draft.place.clone(), "renamed"));
        }
        names.insert(index, name);
    }
    names.into_values().collect()
}

/// The plain name of a wish. A type that others stand in is named before them: it has a better
/// rank, or was declared earlier.
fn wanted(wish: &Wish, names: &BTreeMap<usize, TypeName>) -> TypeName {
    let base = match &wish.base {
        Base::Root(name) | Base::Definition(name) => name.clone(),
        Base::Inside(id) => names
            .get(&id.0)
            .cloned()
            .unwrap_or_else(|| type_name("inner")),
    };
    wish.tail.iter().fold(base, |name, part| {
        joined_type_name(&naming::shortened(&name, MAX_PARENT), part)
    })
}

/// The tools that reach each type.
fn users(drafts: &[Draft], tools: &[ToolTypes]) -> Vec<BTreeSet<usize>> {
    let mut users = vec![BTreeSet::new(); drafts.len()];
    for (tool, types) in tools.iter().enumerate() {
        let mut stack: Vec<TypeId> = Vec::new();
        types.input.each_named(&mut |id| stack.push(id));
        if let Some(output) = &types.output {
            output.each_named(&mut |id| stack.push(id));
        }
        while let Some(id) = stack.pop() {
            if users[id.0].insert(tool) {
                for shape in drafts[id.0].kind.shapes() {
                    shape.each_named(&mut |id| stack.push(id));
                }
            }
        }
    }
    users
}

/// The setting `unknown = "keep"`: an open struct gets a map for what it does not declare.
fn keep_unknown(kind: &mut TypeKind) {
    let TypeKind::Struct(it) = kind else { return };
    if let Unknown::Drop = it.unknown {
        let mut scope = Scope::new();
        for field in &it.fields {
            scope.reserve(&field.name);
        }
        it.unknown = Unknown::Keep(scope.claim::<FieldName>("rest").name, Shape::Any);
    }
}
