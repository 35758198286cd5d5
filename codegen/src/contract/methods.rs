//! The methods of a trait, all together: no two may have one name.

use std::collections::BTreeMap;

use super::Server;
use crate::{
    diagnostics::{Diagnostic, Diagnostics, Id, Place},
    naming::MethodName,
};

/// A method and what it is for.
struct Method<'s> {
    name: &'s MethodName,
    what: String,
    place: &'s Place,
    /// Of two with one name it has been reported that they are there twice.
    owner: (Group, &'s str),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Tools,
    Resources,
    Prompts,
}

/// Reports methods that would have the name of another one.
pub(super) fn report_collisions(server: &Server<'_>, diagnostics: &mut Diagnostics) {
    let mut seen: BTreeMap<&MethodName, Method<'_>> = BTreeMap::new();
    for method in methods(server) {
        match seen.get(method.name) {
            None => _ = seen.insert(method.name, method),
            Some(first) if first.is_reported_with(&method) => {}
            Some(first) => diagnostics.push(
                Diagnostic::new(
                    Id::NameCollision,
                    format!(
                        "{} and {} would both be the method `{}`",
                        first.what, method.what, method.name
                    ),
                )
                .at(method.place.clone(), "this one")
                .and_at(first.place.clone(), "and this one")
                .help("rename one of the two, or move it to another server"),
            ),
        }
    }
}

impl Method<'_> {
    /// Whether a collision has been reported already: of two tools always, of others where they have one name.
    fn is_reported_with(&self, other: &Self) -> bool {
        let both_tools = self.owner.0 == Group::Tools && other.owner.0 == Group::Tools;
        both_tools || self.owner == other.owner
    }
}

fn methods<'s>(server: &'s Server<'_>) -> Vec<Method<'s>> {
    let tools = server.tools.iter().map(|it| Method {
        name: &it.method,
        what: format!("tool `{}`", it.name),
        place: &it.place,
        owner: (Group::Tools, it.name.as_str()),
    });
    let mut methods: Vec<_> = tools.collect();
    let resources = server
        .resources
        .iter()
        .map(|it| (Group::Resources, &it.offer, "resource", [].as_slice()));
    let templates = server.templates.iter();
    let templates = templates.map(|it| {
        (
            Group::Resources,
            &it.offer,
            "resource template",
            it.completions.as_slice(),
        )
    });
    let prompts = server.prompts.iter();
    let prompts = prompts.map(|it| {
        (
            Group::Prompts,
            &it.offer,
            "prompt",
            it.completions.as_slice(),
        )
    });
    for (group, offer, noun, completions) in resources.chain(templates).chain(prompts) {
        let owner = (group, offer.name.as_str());
        let what = format!("{noun} `{}`", offer.name);
        methods.extend(completions.iter().map(|it| Method {
            name: &it.method,
            what: format!("the completion of `{}` of {what}", it.argument),
            place: &offer.place,
            owner,
        }));
        methods.push(Method {
            name: &offer.method,
            what,
            place: &offer.place,
            owner,
        });
    }
    methods
}
