//! Why a reference leads nowhere, and what was probably meant.

use referencing::{Uri, uri};
use serde_json::Value;

use super::{
    documents::{Documents, Kind},
    index::{Index, NodeId},
    registries::is_uri,
    schemas::{ROOT_URI, Resource, Schemas},
};
use crate::diagnostics::{Diagnostic, Id, Place, Pointer, did_you_mean};

/// What a reference could have led to.
pub(super) struct Unresolved<'a, 'd> {
    pub(super) documents: &'a Documents,
    pub(super) index: &'a Index<'d>,
    pub(super) schemas: &'a Schemas,
}

impl Unresolved<'_, '_> {
    fn file_by_uri(&self, target: &Uri<String>) -> Option<NodeId> {
        let mut files = self.documents.all().zip(self.index.roots());
        files
            .find(|(document, _)| document.uri == *target)
            .map(|(_, root)| root)
    }

    /// What a report says about a reference that leads nowhere.
    pub(super) fn explain(
        &self,
        site: NodeId,
        text: &str,
        resource: &Resource,
        place: Place,
    ) -> Diagnostic {
        let (address, fragment) = text.split_once('#').unwrap_or((text, ""));
        if !is_uri(text) {
            let message = format!("`{text}` is not a URI reference");
            return Diagnostic::new(Id::UnresolvedRef, message)
                .at(place, "not a URI reference (RFC 3986)")
                .help("use forward slashes, and write other characters as `%20`");
        }
        if address.is_empty() {
            return self.inside(resource.root, text, fragment, place);
        }
        let Some(target) = without_fragment(text, resource) else {
            return Diagnostic::new(
                Id::UnresolvedRef,
                format!("`{text}` is not a URI reference"),
            )
            .at(place, "not a URI reference (RFC 3986)");
        };
        if let Some(root) = self
            .file_by_uri(&target)
            .or_else(|| self.resource_by_uri(&target))
        {
            return self.inside(root, text, fragment, place);
        }
        match target.scheme().as_str() {
            "contract" if target.as_str().starts_with(ROOT_URI) => {
                self.no_such_file(site, text, target.as_str(), place)
            }
            "contract" | "file" => {
                Diagnostic::new(Id::RefOutsideRoot, format!("`{text}` leaves the contract root"))
                    .at(place, "outside the contract root")
                    .help("move the shared types below the contract root, and refer to them relative to this file")
            }
            "http" | "https" => self.network(text, &target, place),
            _ => Diagnostic::new(Id::UnresolvedRef, format!("no schema of this contract is named `{text}`"))
                .at(place, "leads nowhere")
                .help("give the schema that is meant this `$id`, or refer to its file by a relative path"),
        }
    }

    fn resource_by_uri(&self, target: &Uri<String>) -> Option<NodeId> {
        self.schemas
            .order()
            .iter()
            .filter_map(|id| Some(self.schemas.resource(self.schemas.facts(*id)?.resource)))
            .find(|resource| resource.base == *target)
            .map(|resource| resource.root)
    }

    fn network(&self, text: &str, target: &Uri<String>, place: Place) -> Diagnostic {
        let target = target.as_str();
        let mut remotes = self.documents.remotes().iter();
        if let Some(remotes) = remotes.find(|it| target.starts_with(&it.prefix)) {
            let file = &target[remotes.prefix.len()..];
            let folder = remotes.label.as_str();
            let found = Diagnostic::new(
                Id::UnresolvedRef,
                format!(
                    "there is no `{file}` in `{folder}`, where `{}` is kept",
                    remotes.prefix
                ),
            )
            .at(place, "no such file");
            let others = self.documents.all().filter(|it| it.kind == Kind::Remote);
            let others = others.filter_map(|it| it.path.strip_prefix(&remotes.prefix));
            return match did_you_mean(file, others) {
                Some(meant) => found.help(format!("did you mean `{}{meant}`?", remotes.prefix)),
                None => found.help("save the schema there under this name"),
            };
        }
        let message = if target == before_fragment(text) {
            format!(
                "`{text}` is not part of this contract, and nothing is fetched over the network"
            )
        } else {
            format!(
                "`{text}` is `{target}` here, which is not part of this contract, and nothing is fetched over the network"
            )
        };
        let name = target.rsplit('/').next();
        let mut files = self.documents.iter();
        let same_name = files.find(|it| it.path.rsplit('/').next() == name);
        let help = if let Some(file) = same_name {
            format!("give `{}` the `$id` `{target}`", file.path)
        } else {
            let prefix = target.rsplit_once('/').map_or(target, |(prefix, _)| prefix);
            format!(
                "save the schema in a folder that `[remotes]` of mcp-codegen.toml names: `\"{prefix}/\" = \"vendor\"`; \
                 or as a `*.schema.json` below the contract root, and refer to it by a relative path"
            )
        };
        Diagnostic::new(Id::NetworkRef, message)
            .at(place, "needs the network")
            .help(help)
    }

    fn no_such_file(&self, site: NodeId, text: &str, target: &str, place: Place) -> Diagnostic {
        let path = target.strip_prefix(ROOT_URI).unwrap_or(target);
        let found = Diagnostic::new(
            Id::UnresolvedRef,
            format!("there is no contract file `{path}`"),
        )
        .at(place, "no such file");
        let others = self.documents.iter().map(|it| it.path.as_str());
        if let Some(meant) = did_you_mean(path, others) {
            let here = &self.index.document(site).path;
            let fragment = text
                .split_once('#')
                .map_or(String::new(), |(_, it)| format!("#{it}"));
            return found.help(format!(
                "did you mean `{}{fragment}`?",
                relative(here, meant)
            ));
        }
        let is_schema = [".schema.json", ".schema.yaml", ".schema.yml"]
            .iter()
            .any(|it| path.ends_with(it));
        if is_schema {
            return found.help("paths are relative to the folder of this file");
        }
        found.help("shared types are kept in `*.schema.json` files; paths are relative to the folder of this file")
    }

    /// The resource is there, but not what the fragment names.
    fn inside(&self, root: NodeId, text: &str, fragment: &str, place: Place) -> Diagnostic {
        let found = Diagnostic::new(Id::UnresolvedRef, format!("`{text}` leads nowhere"));
        if !fragment.is_empty() && !fragment.starts_with('/') {
            let anchors = self.anchors(root);
            let found = found.at(place, format!("no anchor `{fragment}`"));
            return match did_you_mean(fragment, anchors.iter().copied()) {
                Some(meant) => {
                    found.help(format!("did you mean `{}#{meant}`?", before_fragment(text)))
                }
                None => found
                    .help("an anchor is a name that `$anchor` gives; a pointer starts with `#/`"),
            };
        }
        let mut at = root;
        let mut walked = Pointer::root();
        for segment in Pointer::parse(fragment).segments() {
            match self.index.step(at, &segment) {
                Some(next) => at = next,
                None => return self.missing_member(at, &walked, &segment, text, found, place),
            }
            walked = walked.child(&segment);
        }
        found.at(place, "leads nowhere")
    }

    fn missing_member(
        &self,
        at: NodeId,
        walked: &Pointer,
        segment: &str,
        text: &str,
        found: Diagnostic,
        place: Place,
    ) -> Diagnostic {
        let holder = if *walked == Pointer::root() {
            "the schema".to_owned()
        } else {
            format!("`{walked}`")
        };
        let found = found.at(place, format!("{holder} has no `{segment}`"));
        let Value::Object(members) = self.index.value(at) else {
            return found;
        };
        let before = before_fragment(text);
        if let Some(meant) = did_you_mean(segment, members.keys().map(String::as_str)) {
            return found.help(format!("did you mean `{before}#{}`?", walked.child(meant)));
        }
        // The two names of the same thing in older and newer dialects.
        let other = match segment {
            "definitions" => "$defs",
            "$defs" => "definitions",
            _ => return found,
        };
        if members.contains_key(other) {
            return found.help(format!("this schema keeps its definitions in `{other}`"));
        }
        found
    }

    fn anchors(&self, root: NodeId) -> Vec<&str> {
        let schemas = self
            .schemas
            .order()
            .iter()
            .filter(|id| self.index.contains(root, **id));
        schemas
            .flat_map(|id| ["$anchor", "$dynamicAnchor"].map(|it| self.index.value(*id).get(it)))
            .filter_map(|it| it.and_then(Value::as_str))
            .collect()
    }
}

fn without_fragment(text: &str, resource: &Resource) -> Option<Uri<String>> {
    uri::resolve_against(&resource.base.borrow(), before_fragment(text)).ok()
}

fn before_fragment(text: &str) -> &str {
    text.split_once('#').map_or(text, |(address, _)| address)
}

/// How a file at `from` refers to the one at `to`; both below the contract root.
fn relative(from: &str, to: &str) -> String {
    let folder: Vec<_> = from.split('/').collect();
    let folder = &folder[..folder.len() - 1];
    let target: Vec<_> = to.split('/').collect();
    let shared = folder
        .iter()
        .zip(&target[..target.len() - 1])
        .take_while(|(a, b)| a == b)
        .count();
    let up = std::iter::repeat_n("..", folder.len() - shared);
    up.chain(target[shared..].iter().copied())
        .collect::<Vec<_>>()
        .join("/")
}
