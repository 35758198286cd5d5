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
mod configure;
pub(crate) mod constraint;
mod cycles;
mod defaults;
mod definitions;
mod extension;
mod found;
pub(crate) mod keywords;
pub(crate) mod kinds;
pub(crate) mod literal;
mod names;
pub(crate) mod number;
mod object;
mod overlap;
mod rename;
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
    config::{FormatPolicy, Located},
    contract::{Contract, Server},
    diagnostics::{Diagnostic, Diagnostics, Id, Place},
    graph::{Docs, ServerTypes, Shape, ToolTypes, TypeGraph, TypeId, TypeKind},
    naming::{exact_type_name, joined_type_name},
    resolve::{Node, NodeId},
};

/// The types of every server of the contract.
pub(crate) fn lower(
    contract: &Contract<'_>,
    settings: Located<'_>,
    diagnostics: &mut Diagnostics,
) -> TypeGraph {
    let servers = contract
        .servers
        .iter()
        .map(|it| lower_server(it, settings, diagnostics))
        .collect();
    TypeGraph { servers }
}

fn lower_server(
    server: &Server<'_>,
    settings: Located<'_>,
    diagnostics: &mut Diagnostics,
) -> ServerTypes {
    // Tools share types: a default has to be valid for the strictest of them.
    let formats = server.tools.iter().map(|it| it.settings.formats);
    let formats = formats.max_by_key(|it| it.strictness()).unwrap_or_default();
    let mut lowering = Lowering::new(formats, settings, diagnostics);
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
    let mut inputs = Vec::new();
    for (index, input) in server.inputs().enumerate() {
        lowering.tool = server.tools.len() + index;
        let wish = Wish::root(input.type_name());
        inputs.push(lowering.input(&input.schema(), wish));
        lowering.finish_jobs();
    }
    lowering.note_unused_names();
    let formats = lowering.formats_met;
    let drafts = lowering.types;
    let roots = ServerTypes {
        tools,
        inputs,
        ..ServerTypes::default()
    };
    let mut types = configure::configure(drafts, roots, server, settings, diagnostics);
    defaults::drop_inapplicable(&mut types.types, diagnostics);
    types.selectable.formats = formats.into_iter().collect();
    types
}

/// A named type in the making.
#[derive(Debug)]
struct Draft {
    wish: Wish,
    docs: Docs,
    place: Place,
    /// The tool or input that met it first: qualifies its name where definitions of two tools clash.
    tool: usize,
    kind: TypeKind,
    /// Only settings can tell whether it is wanted.
    speculative: bool,
}

/// What a named type still needs.
enum Job<'d> {
    Struct(TypeId, View<'d>),
    Union(TypeId, Plan<'d>),
    /// The elements of a constrained list.
    List(TypeId, View<'d>, Site<'d>),
    /// A definition that is no struct, union or enum of its own: an alias.
    Alias(TypeId, View<'d>, Site<'d>),
}

/// The state of lowering one server.
struct Lowering<'a, 'd> {
    diagnostics: &'a mut Diagnostics,
    settings: Located<'a>,
    /// Some type may want its constraints.
    constraints: bool,
    /// What `format` means for defaults.
    formats: FormatPolicy,
    /// The tool at work, by index; behind the tools come the other inputs.
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
    group_kinds: BTreeMap<view::GroupId, Kinds>,
    /// Whether every branch of a union says which kinds it allows.
    typed_groups: BTreeMap<view::GroupId, bool>,
    conditions: BTreeMap<NodeId, Rc<Vec<(String, bool)>>>,
    /// Foreign types whose parameters are being made.
    foreign_active: BTreeSet<NodeId>,
    formats_met: BTreeSet<String>,
    /// Schemas with an `x-rust-name`, and whether something has that name.
    named: BTreeMap<Place, bool>,
}

impl<'a, 'd> Lowering<'a, 'd> {
    fn new(formats: FormatPolicy, settings: Located<'a>, diagnostics: &'a mut Diagnostics) -> Self {
        Self {
            diagnostics,
            settings,
            constraints: settings.config.wants_constraints(),
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
            typed_groups: BTreeMap::new(),
            conditions: BTreeMap::new(),
            foreign_active: BTreeSet::new(),
            formats_met: BTreeSet::new(),
            named: BTreeMap::new(),
        }
    }

    /// Fills in the named types that have been promised, and those that they promise in turn.
    fn finish_jobs(&mut self) {
        while let Some((tool, job)) = self.jobs.pop_front() {
            self.tool = tool;
            match job {
                Job::Struct(id, view) => self.fill_struct(id, &view),
                Job::Union(id, plan) => self.fill_union(id, plan),
                Job::List(id, view, site) => self.fill_list(id, &view, &site),
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
        let chosen = self
            .chosen_type(&site.node)
            .filter(|_| self.use_name(&site.node));
        let chosen = chosen.and_then(|it| exact_type_name(&it).ok());
        self.types.push(Draft {
            wish: chosen.map_or_else(|| site.wish.clone(), Wish::chosen),
            docs: keywords::docs(&site.node),
            place: site.node.place(),
            tool: self.tool,
            kind,
            speculative: false,
        });
        id
    }

    /// Marks the `x-rust-name` of a schema as used; `false` when something has the name already, such as
    /// the union whose variant asks now.
    fn use_name(&mut self, node: &Node<'d>) -> bool {
        !std::mem::replace(self.named.entry(node.place()).or_insert(false), true)
    }

    /// Notes the names that nothing has.
    fn note_unused_names(&mut self) {
        let unused: Vec<Place> = self
            .named
            .iter()
            .filter(|(_, used)| !**used)
            .map(|(it, _)| it.clone())
            .collect();
        for place in unused {
            let message = "`x-rust-name` names nothing: no type, field or variant is made for this schema alone";
            let note = Diagnostic::new(Id::IgnoredKeyword, message);
            self.diagnostics.push(note.at(place, "ignored"));
        }
    }

    /// Any value, with a note that says why.
    fn any(&mut self, node: &Node<'d>, why: &str, help: Option<&str>) -> Shape {
        self.widen(node, why, help, "becomes `Value`");
        Shape::Any
    }

    /// A list of any values, with a note that says why.
    fn any_list(&mut self, node: &Node<'d>, why: &str, help: Option<&str>) -> Shape {
        self.widen(node, why, help, "becomes `Vec<Value>`");
        Shape::List(Box::new(Shape::Any))
    }

    fn widen(&mut self, node: &Node<'d>, why: &str, help: Option<&str>, label: &str) {
        let mut widened = Diagnostic::new(Id::Widened, why);
        widened.help = help.map(str::to_owned);
        self.note_once(widened, node.place(), label);
    }

    /// Adds a finding, unless this place has one already: definitions are met many times.
    fn note_once(&mut self, note: Diagnostic, place: Place, label: &str) {
        if self.noted.insert(place.clone()) {
            self.diagnostics.push(note.at(place, label));
        }
    }
}
