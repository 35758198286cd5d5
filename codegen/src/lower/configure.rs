//! What the settings say about named types: other names, types that stand in, constraints, derives.
//!
//! Each selector means the name that stands in the generated code, but for those of `[rename]`,
//! which mean the name that would stand there.

use std::collections::{BTreeMap, BTreeSet};

use super::{Draft, cycles, names, rename};
use crate::{
    config::{ConstraintPolicy, Located, TypeSettings, UnknownPolicy},
    contract::Server,
    diagnostics::{Diagnostics, Id},
    graph::{
        Extra, Foreign, Selectable, ServerTypes, Shape, ToolTypes, TypeDef, TypeId, TypeKind,
        Unknown,
    },
    naming::{FieldName, Scope, TypeName},
};

/// Finishes the types of a server: `graph` has what tools and other inputs need.
pub(super) fn configure(
    mut drafts: Vec<Draft>,
    mut graph: ServerTypes,
    server: &Server<'_>,
    settings: Located<'_>,
    diagnostics: &mut Diagnostics,
) -> ServerTypes {
    let module = server.module.as_str();
    let plain_names = names::assign(&drafts, server, diagnostics);
    let (names, renamed) = rename::types(&plain_names, server, settings, diagnostics);
    let fates = fates(&drafts, &names, module, settings);
    let live = fates.iter().zip(&names).enumerate();
    let live = live.filter(|(_, (fate, _))| !matches!(fate, Fate::Gone(_) | Fate::Replaced(_)));
    let live = live.map(|(index, (_, name))| (index, name)).collect();
    rename::collisions(&live, &renamed, server, settings, diagnostics);
    let mut selectable = Selectable::default();
    for (index, draft) in drafts.iter_mut().enumerate() {
        let (plain, name) = (&plain_names[index], &names[index]);
        let members = match fates[index] {
            Fate::Gone(_) => {
                // `constraints = "validator"` for this type alone, beside "newtype" for many.
                selectable.types.extend(refused(name, module, settings));
                continue;
            }
            Fate::Replaced(_) => Vec::new(),
            Fate::Kept | Fate::Plain => {
                plain.note(&draft.place, diagnostics);
                rename::members(draft, plain.name.as_str(), module, settings, diagnostics)
            }
        };
        selectable.types.push(name.to_string());
        selectable.renames.push(plain.name.to_string());
        selectable.renames.extend(members);
    }
    let finished = drafts.into_iter().zip(names).zip(&fates);
    let mut types: Vec<TypeDef> = finished
        .map(|((draft, name), fate)| {
            let settings = settings.config.type_settings(module, name.as_str());
            finished_type(draft, name, fate, settings)
        })
        .collect();
    let instead = instead(&types, fates);
    let shapes = types.iter_mut().flat_map(|it| it.kind.shapes_mut());
    shapes.for_each(|it| put_in(it, &instead));
    roots(&mut graph).for_each(|it| put_in(it, &instead));
    graph.types = types;
    graph.selectable = selectable;
    prune(&mut graph);
    drop_unheld(&mut graph);
    cycles::box_recursion(&mut graph.types);
    check_aliases(&graph, module, settings, diagnostics);
    graph
}

/// What the tools take and give, and what else clients pass.
fn roots(graph: &mut ServerTypes) -> impl Iterator<Item = &mut Shape> {
    let of_tools = graph.tools.iter_mut().flat_map(|it| {
        let ToolTypes { input, output } = it;
        std::iter::once(input).chain(output)
    });
    of_tools.chain(&mut graph.inputs)
}

/// What becomes of a draft.
enum Fate {
    /// It is a type.
    Kept,
    /// Another type stands in for it.
    Replaced(Shape),
    /// Nobody asked for it: its own shape stands in its places.
    Gone(Shape),
    /// Nobody asked for its constraints, but it has a name all the same.
    Plain,
}

fn fates(drafts: &[Draft], names: &[TypeName], module: &str, settings: Located<'_>) -> Vec<Fate> {
    let config = settings.config;
    let fate = |(draft, name): (&Draft, &TypeName)| {
        let TypeKind::Constrained(it) = &draft.kind else {
            return replaced(name, module, settings).unwrap_or(Fate::Kept);
        };
        let wanted =
            config.type_settings(module, name.as_str()).constraints == ConstraintPolicy::Newtype;
        match (wanted, draft.speculative) {
            (true, _) => replaced(name, module, settings).unwrap_or(Fate::Kept),
            (false, false) => replaced(name, module, settings).unwrap_or(Fate::Plain),
            (false, true) => Fate::Gone(Shape::limited(it.shape.clone(), it.rules.clone())),
        }
    };
    drafts.iter().zip(names).map(fate).collect()
}

/// The name of a constrained type that a setting for it alone refuses.
fn refused(name: &TypeName, module: &str, settings: Located<'_>) -> Option<String> {
    let selectors = [name.to_string(), format!("{module}.{name}")];
    let mut overrides = selectors
        .iter()
        .filter_map(|it| settings.config.types.get(it));
    let refused = overrides.any(|it| it.constraints.is_some());
    refused.then(|| name.to_string())
}

fn replaced(name: &TypeName, module: &str, settings: Located<'_>) -> Option<Fate> {
    let it = settings.config.replacement(module, name.as_str())?;
    let foreign = Foreign {
        path: it.path.clone(),
        parameters: Vec::new(),
        eq: it.has("Eq"),
        hash: it.has("Hash"),
    };
    Some(Fate::Replaced(Shape::Foreign(Box::new(foreign))))
}

fn finished_type(draft: Draft, name: TypeName, fate: &Fate, settings: TypeSettings) -> TypeDef {
    let mut kind = match (draft.kind, fate) {
        (TypeKind::Constrained(it), Fate::Plain | Fate::Gone(_)) => {
            TypeKind::Alias(Shape::limited(it.shape, it.rules))
        }
        (kind, Fate::Kept | Fate::Replaced(_) | Fate::Plain | Fate::Gone(_)) => kind,
    };
    if settings.unknown == UnknownPolicy::Keep {
        keep_unknown(&mut kind);
    }
    let extra = Extra {
        derives: settings.derives,
        attributes: settings.attributes,
    };
    TypeDef {
        name,
        docs: draft.docs,
        kind,
        tool: None,
        place: draft.place,
        extra,
    }
}

/// The shapes that stand in for types. A list that contains itself keeps its name: without one it would
/// have no end.
fn instead(types: &[TypeDef], fates: Vec<Fate>) -> BTreeMap<TypeId, Shape> {
    let mut instead = BTreeMap::new();
    for (index, fate) in fates.into_iter().enumerate() {
        let id = TypeId(index);
        match fate {
            Fate::Kept | Fate::Plain => {}
            Fate::Replaced(shape) => _ = instead.insert(id, shape),
            Fate::Gone(shape) => {
                if !reaches_itself(types, id) {
                    instead.insert(id, shape);
                }
            }
        }
    }
    instead
}

/// Whether an alias contains itself, with nothing but aliases between.
fn reaches_itself(types: &[TypeDef], id: TypeId) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![id];
    while let Some(at) = open.pop() {
        if let TypeKind::Alias(shape) = &types[at.0].kind {
            let mut mentioned = Vec::new();
            shape.each_named(&mut |it| mentioned.push(it));
            if mentioned.contains(&id) {
                return true;
            }
            open.extend(mentioned.into_iter().filter(|it| seen.insert(*it)));
        }
    }
    false
}

/// Puts shapes in the places of named types, also in those shapes.
fn put_in(shape: &mut Shape, instead: &BTreeMap<TypeId, Shape>) {
    shape.each_named_mut(&mut |shape, id| {
        if let Some(other) = instead.get(&id) {
            *shape = other.clone();
            put_in(shape, instead);
        }
    });
}

/// Takes out the types that no tool needs any more, and tells for the others which tools need them.
fn prune(graph: &mut ServerTypes) {
    let users = users(graph);
    let mut ids: BTreeMap<TypeId, TypeId> = BTreeMap::new();
    let mut kept = Vec::new();
    for (index, (mut def, users)) in std::mem::take(&mut graph.types)
        .into_iter()
        .zip(users)
        .enumerate()
    {
        if users.is_empty() {
            continue;
        }
        def.tool = users.first().copied().filter(|_| users.len() == 1);
        ids.insert(TypeId(index), TypeId(kept.len()));
        kept.push(def);
    }
    let renumber = |shape: &mut Shape| {
        shape.each_named_mut(&mut |shape, id| *shape = Shape::Named(ids[&id]));
    };
    kept.iter_mut()
        .flat_map(|it| it.kind.shapes_mut())
        .for_each(renumber);
    roots(graph).for_each(renumber);
    graph.types = kept;
}

/// Drops the rules of values that no struct or union holds: nobody checks what a tool takes or gives as a whole.
fn drop_unheld(graph: &mut ServerTypes) {
    let mut open = Vec::new();
    for root in roots(graph) {
        root.drop_rules();
        root.each_named(&mut |id| open.push(id));
    }
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if let TypeKind::Alias(shape) = &mut graph.types[id.0].kind
            && seen.insert(id)
        {
            shape.drop_rules();
            shape.each_named(&mut |id| open.push(id));
        }
    }
}

/// The tools, and behind them the other inputs, that reach each type.
fn users(graph: &ServerTypes) -> Vec<BTreeSet<usize>> {
    let mut users = vec![BTreeSet::new(); graph.types.len()];
    let tools = graph.tools.iter().map(|it| (&it.input, it.output.as_ref()));
    let inputs = graph.inputs.iter().map(|it| (it, None));
    for (tool, (input, output)) in tools.chain(inputs).enumerate() {
        let mut stack: Vec<TypeId> = Vec::new();
        input.each_named(&mut |id| stack.push(id));
        if let Some(output) = output {
            output.each_named(&mut |id| stack.push(id));
        }
        while let Some(id) = stack.pop() {
            if users[id.0].insert(tool) {
                for shape in graph.types[id.0].kind.shapes() {
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

/// Reports derives and attributes for aliases, which can have none. Those for many types pass them by.
fn check_aliases(
    graph: &ServerTypes,
    module: &str,
    settings: Located<'_>,
    diagnostics: &mut Diagnostics,
) {
    for def in graph
        .types
        .iter()
        .filter(|it| matches!(it.kind, TypeKind::Alias(_)))
    {
        for selector in [def.name.to_string(), format!("{module}.{}", def.name)] {
            let Some(overrides) = settings.config.types.get(&selector) else {
                continue;
            };
            for (key, texts) in [
                ("derives", &overrides.derives),
                ("attributes", &overrides.attributes),
            ] {
                if !texts.is_empty() {
                    let message = format!(
                        "`{}` is a name for another type and cannot have `{key}`",
                        def.name
                    );
                    let finding =
                        settings.key(Id::InvalidSetting, message, &["types", &selector, key]);
                    diagnostics
                        .push(finding.help("remove it, or set it for the type behind the name"));
                }
            }
        }
    }
}
