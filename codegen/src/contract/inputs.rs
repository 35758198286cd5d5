//! The schemas of what clients pass to templates and prompts: texts by name, as the template or prompt itself says.

use serde_json::Value;

use super::offers::Source;
use crate::{
    diagnostics::{Diagnostic, Diagnostics, Id, Place, Pointer, did_you_mean},
    resolve::{Document, Kind, Node, Reference, SchemaSet, engine},
};

/// A variable or argument, as the template or prompt itself says.
#[derive(Clone, Debug)]
pub(super) struct Declared<'d> {
    pub(super) name: &'d str,
    /// Whether it has to be there; `None` where only the schema can tell.
    pub(super) required: Option<bool>,
    pub(super) place: Place,
}

/// The schema of what is declared: that of the file beside, else the one that was made.
pub(super) fn schema<'d>(
    set: &'d SchemaSet<'d>,
    source: Source<'d>,
    kind: Kind,
    declared: &[Declared<'_>],
    diagnostics: &mut Diagnostics,
) -> Option<Node<'d>> {
    let (document, node) = beside(set, source, kind, diagnostics)?;
    if document.made {
        return Some(node);
    }
    let noun = noun(kind);
    let properties = node.children("properties");
    let mut agrees = true;
    for it in declared {
        let Some((_, property)) = properties.iter().find(|(name, _)| name == it.name) else {
            let message = format!(
                "{} has the {noun} `{}`, which its schema does not have",
                source.what(),
                it.name
            );
            let finding = disagreement(message).at(node.place(), "no such property");
            diagnostics.push(finding.and_at(it.place.clone(), format!("the {noun}")));
            agrees = false;
            continue;
        };
        let required = requires(&node, it.name);
        if it.required.is_some_and(|it| it != required) {
            let (here, there) = if required {
                ("required", "not required")
            } else {
                ("not required", "required")
            };
            let what = source.what();
            let message = format!(
                "the {noun} `{}` of {what} is {there}, but {here} in its schema",
                it.name
            );
            let finding = disagreement(message).at(property.place(), here);
            diagnostics.push(finding.and_at(it.place.clone(), there));
            agrees = false;
        }
    }
    for (name, property) in &properties {
        if declared.iter().all(|it| it.name != name) {
            diagnostics.push(undeclared(source, noun, name, property, declared));
            agrees = false;
        }
    }
    agrees.then_some(node)
}

/// The schema of a prompt that lists no arguments itself: the schema's properties are all there are.
pub(super) fn unlisted<'d>(
    set: &'d SchemaSet<'d>,
    source: Source<'d>,
    kind: Kind,
    diagnostics: &mut Diagnostics,
) -> Option<Node<'d>> {
    Some(beside(set, source, kind, diagnostics)?.1)
}

/// The names of the properties of such a schema.
pub(super) fn names(schema: &Node<'_>) -> Vec<String> {
    let properties = schema.children("properties").into_iter();
    properties.map(|(name, _)| name).collect()
}

/// Whether a schema says that a property has to be there.
pub(super) fn requires(schema: &Node<'_>, name: &str) -> bool {
    let required = schema.value().get("required").and_then(Value::as_array);
    required.is_some_and(|it| it.iter().any(|it| it == name))
}

/// Reports schemas beside something that has no use for them.
pub(super) fn report_stray(
    set: &SchemaSet<'_>,
    source: Source<'_>,
    kind: Kind,
    diagnostics: &mut Diagnostics,
) {
    for document in set.documents().beside(source.document, kind) {
        let message = format!("{} has no {}s", source.what(), noun(kind));
        diagnostics.push(
            Diagnostic::new(Id::StrayFile, message)
                .at(document.place(), "the schema of none")
                .and_at(source.place("name"), "this one")
                .help("remove the file"),
        );
    }
}

/// Reports schemas of variables and arguments whose template or prompt is not there.
pub(super) fn report_orphans(
    set: &SchemaSet<'_>,
    documents: &[&Document],
    diagnostics: &mut Diagnostics,
) {
    for document in documents.iter().copied() {
        let (kind, what) = match document.kind {
            Kind::Variables => (Kind::Resource, "resource"),
            Kind::Arguments => (Kind::Prompt, "prompt"),
            _ => continue,
        };
        let stem = &document.stem;
        let all = set.documents();
        if all.beside(document, kind).next().is_none()
            && !all.lacks(document.folder.as_deref(), kind, Some(stem))
        {
            let message = format!(
                "there is no `{stem}.{what}.json` for these {}s",
                noun(document.kind)
            );
            let siblings = documents.iter().filter(|it| it.kind == kind);
            let near = did_you_mean(stem, siblings.map(|it| it.stem.as_str()));
            let finding = Diagnostic::new(Id::StrayFile, message).at(document.place(), "");
            diagnostics.push(match near {
                Some(near) => finding.help(format!("call the file as it is called: `{near}.…`")),
                None => finding.help(format!("add `{stem}.{what}.json`, or remove this file")),
            });
        }
    }
}

fn noun(kind: Kind) -> &'static str {
    match kind {
        Kind::Variables => "variable",
        _ => "argument",
    }
}

/// The one schema of a kind beside a template or prompt, if it is of texts.
fn beside<'d>(
    set: &'d SchemaSet<'d>,
    source: Source<'d>,
    kind: Kind,
    diagnostics: &mut Diagnostics,
) -> Option<(&'d Document, Node<'d>)> {
    let mut all = set.documents().beside(source.document, kind);
    let document = all.next()?;
    for other in all {
        let message = format!("the schema of {} is given twice", source.what());
        diagnostics.push(
            disagreement(message)
                .at(other.place(), "here again")
                .and_at(document.place(), "first here")
                .help("keep one of the two"),
        );
    }
    let root = Pointer::root();
    let node = set.at(document, &root)?;
    let what = format!("the {}s of {}", noun(kind), source.what());
    let fits = document.made
        || are_texts(&node, &what, diagnostics)
            & requires_what_is_there(document, &node, &what, diagnostics);
    fits.then_some((document, node))
}

/// Whether a schema is one of texts by name; reports what else it is.
fn are_texts(node: &Node<'_>, what: &str, diagnostics: &mut Diagnostics) -> bool {
    let root_type = node.value().get("type").and_then(Value::as_str);
    if root_type != Some("object") {
        let message =
            format!("the schema of {what} does not say `\"type\": \"object\"` at its root");
        let finding = Diagnostic::new(Id::WrongRootType, message);
        diagnostics.push(finding.at(node.place(), "they are texts by name"));
        return false;
    }
    let mut fits = true;
    for (name, property) in node.children("properties") {
        if !is_text(&property, 0) {
            let message = format!("`{name}` of {what} is not a text");
            let finding = disagreement(message).at(property.place(), "not `\"type\": \"string\"`");
            diagnostics.push(finding.help(
                "the protocol passes nothing but texts here: say `\"type\": \"string\"`, \
                 with `enum`, `pattern` or lengths beside it",
            ));
            fits = false;
        }
    }
    // Of one with faults it is known why it does not compile.
    if node.is_sound()
        && let Err(fault) = engine::check_compiles(&node.published())
    {
        let message = format!("the schema of {what} cannot be compiled");
        diagnostics
            .push(Diagnostic::new(Id::InvalidSchema, message).at(node.place(), fault.message));
    }
    fits
}

/// Whether a schema requires nothing but its properties. What else it requires no client could know of, so that every request
/// would be refused.
fn requires_what_is_there(
    document: &Document,
    node: &Node<'_>,
    what: &str,
    diagnostics: &mut Diagnostics,
) -> bool {
    let required = node.value().get("required").and_then(Value::as_array);
    let properties = node.children("properties");
    let known = || properties.iter().map(|(name, _)| name.as_str());
    let at = Pointer::root().child("required");
    let mut fits = true;
    for (number, name) in required.into_iter().flatten().enumerate() {
        let Some(name) = name.as_str().filter(|name| known().all(|it| it != *name)) else {
            continue;
        };
        let message = format!("the schema of {what} requires `{name}`, which is none of them");
        let place = document.place_of(at.child(number));
        let finding = disagreement(message).at(place, "no such property");
        diagnostics.push(match did_you_mean(name, known()) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding.help("add it to `properties`, or do not require it"),
        });
        fits = false;
    }
    fits
}

/// Whether everything that a schema accepts is a text, as far as it says so itself.
fn is_text(node: &Node<'_>, depth: usize) -> bool {
    // Deep enough for real schemas; ends circles.
    if depth > 16 {
        return false;
    }
    let value = node.value();
    let follow = |it: &Node<'_>| is_text(it, depth + 1);
    if let Some(kind) = value.get("type") {
        return kind == "string";
    }
    if let Some(values) = value.get("enum").and_then(Value::as_array) {
        return values.iter().all(Value::is_string);
    }
    if value.get("const").is_some_and(Value::is_string) {
        return true;
    }
    if let Some(Reference::To(target)) = node.reference()
        && follow(&target)
    {
        return true;
    }
    let branches = |key: &str| node.children(key).into_iter().map(|(_, it)| it);
    let one_of = ["oneOf", "anyOf"].into_iter().any(|key| {
        let mut all = branches(key).peekable();
        all.peek().is_some() && all.all(|it| follow(&it))
    });
    one_of || branches("allOf").any(|it| follow(&it))
}

fn disagreement(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Id::InputsDisagree, message)
}

fn undeclared(
    source: Source<'_>,
    noun: &str,
    name: &str,
    property: &Node<'_>,
    declared: &[Declared<'_>],
) -> Diagnostic {
    let key = if source.members.contains_key("uriTemplate") {
        "uriTemplate"
    } else {
        "arguments"
    };
    let message = format!("{} has no {noun} `{name}`", source.what());
    let finding = disagreement(message)
        .at(property.place(), "in its schema only")
        .and_at(source.place(key), format!("these are its {noun}s"));
    match did_you_mean(name, declared.iter().map(|it| it.name)) {
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None => finding,
    }
}
