//! Names of types: what each would like to be called, and who gets it.

use std::collections::BTreeMap;

use super::Draft;
use crate::{
    contract::Server,
    diagnostics::{Diagnostic, Diagnostics, Id, Place},
    graph::TypeId,
    naming::{self, Scope, TypeName, joined_type_name, type_name},
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
    /// It is the type of a property.
    field: bool,
}

#[derive(Clone, Debug)]
enum Base {
    /// The input or output of a tool.
    Root(TypeName),
    Definition(TypeName),
    /// `x-rust-name` says so.
    Chosen(TypeName),
    /// Something inside another type.
    Inside(TypeId),
}

impl Wish {
    /// The type of a tool's input or output.
    pub(super) fn root(name: TypeName) -> Self {
        Self {
            base: Base::Root(name),
            tail: Vec::new(),
            field: false,
        }
    }

    pub(super) fn definition(key: &str) -> Self {
        Self {
            base: Base::Definition(type_name(key)),
            tail: Vec::new(),
            field: false,
        }
    }

    /// Exactly this name.
    pub(super) fn chosen(name: TypeName) -> Self {
        Self {
            base: Base::Chosen(name),
            tail: Vec::new(),
            field: false,
        }
    }

    pub(super) fn inside(id: TypeId) -> Self {
        Self {
            base: Base::Inside(id),
            tail: Vec::new(),
            field: false,
        }
    }

    /// The type of a property.
    pub(super) fn field(id: TypeId, key: &str) -> Self {
        Self {
            field: true,
            ..Self::inside(id).then(key)
        }
    }

    /// A part of what this names.
    pub(super) fn then(&self, part: &str) -> Self {
        let mut wish = self.clone();
        wish.tail.push(part.to_owned());
        wish.field = false;
        wish
    }

    /// Whether it names what people would name: a tool's input or output, a definition, a property.
    pub(super) fn is_place(&self) -> bool {
        self.field
            || (self.tail.is_empty() && matches!(self.base, Base::Root(_) | Base::Definition(_)))
    }

    /// Who is asked first: names that the author chose, then tools' roots, then definitions, then what stands inside others.
    fn rank(&self) -> u8 {
        match self.base {
            Base::Chosen(_) => 0,
            Base::Root(_) if self.tail.is_empty() => 1,
            Base::Definition(_) if self.tail.is_empty() => 2,
            Base::Root(_) | Base::Definition(_) | Base::Inside(_) => 3,
        }
    }
}

/// The names of the types of a server, by index. Speculative types come last, so that they take no
/// name from another one.
pub(super) fn assign(
    drafts: &[Draft],
    server: &Server<'_>,
    diagnostics: &mut Diagnostics,
) -> Vec<Named> {
    let mut scope = Scope::new();
    for own in own_names(&server.trait_name) {
        scope.reserve(&own);
    }
    let mut order: Vec<usize> = (0..drafts.len()).collect();
    order.sort_by_key(|it| (drafts[*it].speculative, drafts[*it].wish.rank(), *it));
    let mut names: BTreeMap<usize, Named> = BTreeMap::new();
    for index in order {
        let draft = &drafts[index];
        let wanted = wanted(&draft.wish, &names);
        let mut name = wanted.clone();
        if !scope.reserve(&name) {
            if let Base::Chosen(_) = draft.wish.base {
                let message = format!("`{wanted}` is the name of something else already");
                let finding = Diagnostic::new(Id::NameCollision, message);
                diagnostics.push(finding.at(draft.place.clone(), "`x-rust-name` of this schema"));
                // No note beside the error.
                let name = scope.claim_name(&wanted).name;
                let wanted = name.clone();
                names.insert(index, Named { name, wanted });
                continue;
            }
            let tool = type_name(server.root_name(draft.tool));
            let qualified = joined_type_name(&tool, wanted.as_str());
            name = if draft.wish.rank() == 2 && scope.reserve(&qualified) {
                qualified
            } else {
                scope.claim_name(&wanted).name
            };
        }
        names.insert(index, Named { name, wanted });
    }
    names.into_values().collect()
}

/// The names that stand beside those of the types.
pub(super) fn own_names(trait_name: &TypeName) -> [TypeName; 3] {
    [
        trait_name.clone(),
        naming::server_name(trait_name),
        naming::client_name(trait_name),
    ]
}

/// The name that a type got, and the one that it would have liked.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) name: TypeName,
    pub(super) wanted: TypeName,
}

impl Named {
    /// Notes that a type is not called what the contract suggests.
    pub(super) fn note(&self, place: &Place, diagnostics: &mut Diagnostics) {
        let Self { name, wanted } = self;
        if name != wanted {
            let message = format!(
                "this type is called `{name}`, because `{wanted}` is the name of another one"
            );
            let note = Diagnostic::new(Id::Renamed, message);
            diagnostics.push(note.at(place.clone(), "renamed"));
        }
    }
}

/// The plain name of a wish. A type that others stand in is named before them: it has a better
/// rank, or was declared earlier.
fn wanted(wish: &Wish, names: &BTreeMap<usize, Named>) -> TypeName {
    let base = match &wish.base {
        Base::Root(name) | Base::Definition(name) | Base::Chosen(name) => name.clone(),
        Base::Inside(id) => names
            .get(&id.0)
            .map_or_else(|| type_name("inner"), |it| it.name.clone()),
    };
    wish.tail.iter().fold(base, |name, part| {
        joined_type_name(&naming::shortened(&name, MAX_PARENT), part)
    })
}
