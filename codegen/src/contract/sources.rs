//! The tools of a folder as they stand in its files: objects, pairs of schemas, or both.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::{
    diagnostics::{Diagnostic, Diagnostics, Id, Place, Pointer},
    resolve::{Document, Kind, type_name},
};

/// Where the parts of one tool stand.
#[derive(Clone, Debug)]
pub(super) struct Source<'d> {
    /// The MCP tool object, when there is one.
    pub(super) object: Option<Object<'d>>,
    pub(super) input: Option<Part<'d>>,
    pub(super) output: Option<Part<'d>>,
    /// The name of a tool that does not name itself: the stem of its files. The tools of a list
    /// have none.
    pub(super) stem: Option<&'d str>,
    /// Where reports about the tool as a whole point to.
    pub(super) place: Place,
    /// Whether the files of its name include a `.tool.json` that could not be read.
    pub(super) lacks_object: bool,
    /// Whether they include an `.input.json` that could not be read.
    pub(super) lacks_input: bool,
}

impl<'d> Source<'d> {
    /// The description: that of the object, else that of a separate input schema.
    pub(super) fn description(&self) -> Option<&'d Value> {
        let own = self.object.as_ref();
        own.and_then(|it| it.members.get("description"))
            .or_else(|| self.separate_text("description"))
    }

    /// A text at the root of a separate input schema: it speaks for the tool where nothing else does.
    pub(super) fn separate_text(&self, key: &str) -> Option<&'d Value> {
        let separate = self.input.as_ref().filter(|it| it.at == Pointer::root());
        separate?.value.get(key).filter(|it| it.is_string())
    }
}

/// An MCP tool object.
#[derive(Clone, Debug)]
pub(super) struct Object<'d> {
    pub(super) document: &'d Document,
    pub(super) at: Pointer,
    pub(super) members: &'d Map<String, Value>,
}

/// A JSON Schema of a tool.
#[derive(Clone, Debug)]
pub(super) struct Part<'d> {
    pub(super) document: &'d Document,
    pub(super) at: Pointer,
    pub(super) value: &'d Value,
}

/// The tools of one folder, in file order. `lacks` tells of files that could not be read, by kind and
/// stem: what only they could have said is not missing.
pub(super) fn collect<'d>(
    documents: &[&'d Document],
    lacks: impl Fn(Kind, &str) -> bool,
    diagnostics: &mut Diagnostics,
) -> Vec<Source<'d>> {
    let mut inputs = by_stem(documents, Kind::Input, diagnostics);
    let mut outputs = by_stem(documents, Kind::Output, diagnostics);
    let mut sources = Vec::new();
    for document in documents.iter().copied() {
        for at in &document.tools {
            let Some(source) = from_object(document, at, diagnostics) else {
                continue;
            };
            let source = match source.stem {
                Some(stem) => {
                    let pair = (inputs.remove(stem), outputs.remove(stem));
                    let mut source = with_pair(source, pair, diagnostics);
                    source.lacks_input = lacks(Kind::Input, stem);
                    source
                }
                None => source,
            };
            sources.push(source);
        }
    }
    for (stem, input) in inputs {
        sources.push(Source {
            object: None,
            input: Some(whole(input)),
            output: outputs.remove(stem).map(whole),
            stem: Some(stem),
            place: input.place(),
            lacks_object: lacks(Kind::Tool, stem),
            lacks_input: false,
        });
    }
    for (stem, output) in outputs {
        if lacks(Kind::Input, stem) || lacks(Kind::Tool, stem) {
            continue;
        }
        diagnostics.push(
            Diagnostic::new(
                Id::MissingInputSchema,
                format!("tool `{stem}` has an output schema but no input schema"),
            )
            .at(output.place(), "")
            .help(format!(
                "add `{stem}.input.json`; for a tool without arguments: {{\"type\": \"object\"}}"
            )),
        );
    }
    sources
}

fn by_stem<'d>(
    documents: &[&'d Document],
    kind: Kind,
    diagnostics: &mut Diagnostics,
) -> BTreeMap<&'d str, &'d Document> {
    let mut found: BTreeMap<&str, &Document> = BTreeMap::new();
    for document in documents.iter().copied().filter(|it| it.kind == kind) {
        if let Some(first) = found.insert(&document.stem, document) {
            diagnostics.push(given_twice(&document.stem, document.place(), first.place()));
        }
    }
    found
}

fn given_twice(stem: &str, again: Place, first: Place) -> Diagnostic {
    Diagnostic::new(
        Id::DuplicateTool,
        format!("a schema of tool `{stem}` is given twice"),
    )
    .at(again, "here again")
    .and_at(first, "first here")
    .help("keep one of the two")
}

fn whole(document: &Document) -> Part<'_> {
    Part {
        document,
        at: Pointer::root(),
        value: &document.value,
    }
}

fn from_object<'d>(
    document: &'d Document,
    at: &Pointer,
    diagnostics: &mut Diagnostics,
) -> Option<Source<'d>> {
    let value = document.value.pointer(at.as_str())?;
    let Value::Object(members) = value else {
        diagnostics.push(
            Diagnostic::new(
                Id::InvalidTool,
                format!("a tool is an object, not {}", type_name(value)),
            )
            .at(document.place_of(at.clone()), "expected an object"),
        );
        return None;
    };
    // A null schema is a missing one, and reported as such.
    let part = |key: &str| {
        let value = members.get(key).filter(|it| !it.is_null())?;
        Some(Part {
            document,
            at: at.child(key),
            value,
        })
    };
    let named = if members.contains_key("name") {
        at.child("name")
    } else {
        at.clone()
    };
    Some(Source {
        object: Some(Object {
            document,
            at: at.clone(),
            members,
        }),
        input: part("inputSchema"),
        output: part("outputSchema"),
        stem: (document.kind == Kind::Tool).then_some(document.stem.as_str()),
        place: document.place_of(named),
        lacks_object: false,
        lacks_input: false,
    })
}

/// A `.tool.json` beside a pair of the same stem: the object says what the tool is called, the
/// pair what it takes and gives.
fn with_pair<'d>(
    mut source: Source<'d>,
    (input, output): (Option<&'d Document>, Option<&'d Document>),
    diagnostics: &mut Diagnostics,
) -> Source<'d> {
    let stem = source.stem.unwrap_or_default();
    let mut merge = |own: &mut Option<Part<'d>>, beside: Option<&'d Document>| {
        let Some(beside) = beside else { return };
        match own {
            Some(part) => diagnostics.push(given_twice(
                stem,
                beside.place(),
                part.document.place_of(part.at.clone()),
            )),
            None => *own = Some(whole(beside)),
        }
    };
    merge(&mut source.input, input);
    merge(&mut source.output, output);
    source
}
