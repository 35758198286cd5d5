//! From schemas to Rust types: JSON Schema keywords become shapes.
//!
//! Invariant: types over-approximate. Every instance that is valid under a schema fits its type
//! and comes out equal, undeclared properties of open objects aside. Where no type can promise
//! that, the type widens to any value, with a note.
//!
//! The work of one server: each schema becomes a [`view::View`] (`view`), views become shapes
//! (`shape` and the modules per kind), named types are filled in from a queue, so that deep
//! chains of definitions need no deep stack; at the end types get their names (`names`) and
//! recursion its boxes (`cycles`).

mod array;
mod cycles;
mod defaults;
mod definitions;
mod found;
pub(crate) mod keywords;
pub(crate) mod kinds;
pub(crate) mod literal;
mod names;
pub(crate) mod number;
mod object;
mod overlap;
mod select;
mod shape;
#[cfg(test)]
mod tests;
mod union;
mod view;

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    rc::Rc,
};

use self::{
    kinds::Kinds,
    names::{Site, Wish},
    union::Plan,
    view::{Key, View},
};
use crate::{
    config::{Config, FormatPolicy},
    contract::{Contract, Server},
    diagnostics::{Diagnostic, Diagnostics, Id, Place},
    graph::{Docs, ServerTypes, Shape, ToolTypes, TypeGraph, TypeId, TypeKind},
    naming::joined_type_name,
    resolve::{Node, NodeId},
};

/// The types of every server of the contract.
pub(crate) fn lower(
    contract: &Contract<'_>,
    config: &Config,
    diagnostics: &mut Diagnostics,
) -> TypeGraph {
    let servers = contract
        .servers
        .iter()
        .map(|it| lower_server(it, config, diagnostics))
        .collect();
    TypeGraph { servers }
}

fn lower_server(
    server: &Server<'_>,
    config: &Config,
    diagnostics: &mut Diagnostics,
) -> ServerTypes {
    // Tools share types: a default has to be valid for the strictest of them.
    let formats = server.tools.iter().map(|it| it.settings.formats);
    let formats = formats.max_by_key(|it| it.strictness()).unwrap_or_default();
    let mut lowering = Lowering::new(formats, diagnostics);
    let mut tools = Vec::new();
    for (index, tool) in server.tools.iter().enumerate() {
        lowering.tool = index;
        let name = crate::naming::type_name(&tool.name);
        let root = |part: &str| Wish::root(joined_type_name(&name, part));
        let input = lowering.input(&tool.input, root("input"));
        let output = tool
            .output
            .as_ref()
            .map(|it| lowering.node(it, root("output")));
        tools.push(ToolTypes { input, output });
        lowering.finish_jobs();
    }
    let mut drafts = lowering.types;
    cycles::box_recursion(&mut drafts);
    let mut types = names::name_types(drafts, server, &tools, config, diagnostics);
    defaults::drop_inapplicable(&mut types, diagnostics);
    ServerTypes { tools, types }
}

/// A named type in the making.
#[derive(Debug)]
struct Draft {
    wish: Wish,
    docs: Docs,
    place: Place,
    /// The tool that met it first: qualifies its name where definitions of two tools clash.
    tool: usize,
    kind: TypeKind,
}

/// What a named type still needs.
enum Job<'d> {
    Struct(TypeId, View<'d>),
    Union(TypeId, Plan<'d>),
    /// A definition that is no struct, union or enum of its own: an alias.
    Alias(TypeId, View<'d>, Site<'d>),
}

/// The state of lowering one server.
struct Lowering<'a, 'd> {
    diagnostics: &'a mut Diagnostics,
    /// What `format` means for defaults.
    formats: FormatPolicy,
    /// The tool at work, by index.
    tool: usize,
    types: Vec<Draft>,
    jobs: VecDeque<(usize, Job<'d>)>,
    /// Shapes that are known.
    shapes: BTreeMap<Key, Shape>,
    /// Shapes in the making, with the type that stands in for one that contains itself.
    active: BTreeMap<Key, Option<TypeId>>,
    /// How deep shapes nest at the moment.
    depth: usize,
    /// Places that have been noted as widened: one note each.
    noted: BTreeSet<Place>,
    definitions: definitions::Definitions<'d>,
    views: BTreeMap<NodeId, Rc<View<'d>>>,
    group_kinds: BTreeMap<(NodeId, bool), Kinds>,
    conditions: BTreeMap<NodeId, Rc<Vec<(String, bool)>>>,
}

impl<'a, 'd> Lowering<'a, 'd> {
    fn new(formats: FormatPolicy, diagnostics: &'a mut Diagnostics) -> Self {
        Self {
            diagnostics,
            formats,
            tool: 0,
            types: Vec::new(),
            jobs: VecDeque::new(),
            shapes: BTreeMap::new(),
            active: BTreeMap::new(),
            depth: 0,
            noted: BTreeSet::new(),
            definitions: definitions::Definitions::default(),
            views: BTreeMap::new(),
            group_kinds: BTreeMap::new(),
            conditions: BTreeMap::new(),
        }
    }

    /// Fills in the named types that have been promised, and those that they promise in turn.
    fn finish_jobs(&mut self) {
        while let Some((tool, job)) = self.jobs.pop_front() {
            self.tool = tool;
            match job {
                Job::Struct(id, view) => self.fill_struct(id, &view),
                Job::Union(id, plan) => self.fill_union(id, plan),
                Job::Alias(id, view, site) => {
                    let shape = self.build(&view, &site);
                    self.types[id.0].kind = TypeKind::Alias(shape);
                }
            }
        }
    }

    /// A new named type at a site, to be filled in by a job.
    fn promise(&mut self, site: &Site<'d>, job: impl FnOnce(TypeId) -> Job<'d>) -> TypeId {
        let id = self.declare(site, TypeKind::Alias(Shape::Any));
        self.jobs.push_back((self.tool, job(id)));
        id
    }

    /// A new named type at a site.
    fn declare(&mut self, site: &Site<'d>, kind: TypeKind) -> TypeId {
        let id = TypeId(self.types.len());
        self.types.push(Draft {
            wish: site.wish.clone(),
            docs: keywords::docs(&site.node),
            place: site.node.place(),
            tool: self.tool,
            kind,
        });
        id
    }

    /// Any value, with a note that says why.
    fn any(&mut self, node: &Node<'d>, why: &str, help: Option<&str>) -> Shape {
        let mut widened = Diagnostic::new(Id::Widened, why);
        widened.help = help.map(str::to_owned);
        self.note_once(widened, node.place(), "becomes `Value`");
        Shape::Any
    }

    /// Adds a finding, unless this place has one already: definitions are met many times.
    fn note_once(&mut self, note: Diagnostic, place: Place, label: &str) {
        if self.noted.insert(place.clone()) {
            self.diagnostics.push(note.at(place, label));
        }
    }
}
