//! Builds a value and its positions from YAML events, refusing what JSON cannot say.

use std::{collections::BTreeMap, ops::Range};

use saphyr_parser::{Event, ScalarStyle, Tag};
use serde_json::{Map, Value};

use super::{
    super::spans::{Children, Node},
    Fault, MAX_DEPTH, MAX_EXPANSION, Yaml, scalar, too_deep,
};
use crate::diagnostics::Id;

/// The rest of the text cannot be read in a useful way; the fault is recorded.
#[derive(Debug)]
pub(super) struct Stop;

/// A value with what is known of it.
#[derive(Clone)]
struct Built {
    value: Value,
    /// Nodes and bytes of text in it: what one more alias to it expands to.
    cost: usize,
    /// Levels of lists and mappings in it.
    height: usize,
}

/// A list or mapping that is not closed yet.
struct Frame {
    open: Open,
    start: usize,
    /// Where the last thing inside ended. Block collections end there: their own end event comes
    /// after blank lines and comments.
    end: usize,
    anchor: usize,
    cost: usize,
    height: usize,
}

enum Open {
    Sequence(Vec<Value>, Vec<Node>),
    Mapping(
        Map<String, Value>,
        Vec<(String, Node)>,
        Option<(String, Range<usize>)>,
    ),
}

/// The state between two events.
pub(super) struct Builder<'t> {
    text: &'t str,
    stack: Vec<Frame>,
    root: Option<Yaml>,
    anchors: BTreeMap<usize, Built>,
    expanded: usize,
    faults: Vec<Fault>,
}

impl<'t> Builder<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            stack: Vec::new(),
            root: None,
            anchors: BTreeMap::new(),
            expanded: 0,
            faults: Vec::new(),
        }
    }

    pub(super) fn fail(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    pub(super) fn finish(mut self) -> Result<Yaml, Vec<Fault>> {
        if self.faults.is_empty() && self.root.is_none() {
            let fault = Fault::new(Id::BadYaml, 0..0, "the file is empty")
                .help("a contract file holds one object; remove the file if it is not needed");
            self.faults.push(fault);
        }
        match self.root {
            Some(root) if self.faults.is_empty() => Ok(root),
            _ => Err(self.faults),
        }
    }

    /// Takes the next event in.
    ///
    /// # Errors
    ///
    /// [`Stop`] when going on would only produce follow-up faults.
    pub(super) fn event(&mut self, event: Event<'_>, at: Range<usize>) -> Result<(), Stop> {
        let at = self.without_trailing_space(at);
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            Event::DocumentStart(_) => self.document(at)?,
            Event::Alias(anchor) => self.alias(anchor, at)?,
            Event::Scalar(text, style, anchor, tag) => {
                self.refuse_tag(tag.as_deref(), &at);
                self.scalar(&text, style, anchor, at)?;
            }
            Event::SequenceStart(anchor, tag) => {
                self.refuse_tag(tag.as_deref(), &at);
                self.open(Open::Sequence(Vec::new(), Vec::new()), anchor, at)?;
            }
            Event::MappingStart(anchor, tag) => {
                self.refuse_tag(tag.as_deref(), &at);
                self.open(Open::Mapping(Map::new(), Vec::new(), None), anchor, at)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(at.end),
        }
        Ok(())
    }

    fn document(&mut self, at: Range<usize>) -> Result<(), Stop> {
        if self.root.is_none() {
            return Ok(());
        }
        self.fail(
            Fault::new(Id::BadYaml, at, "a contract file holds one document")
                .label("a second one begins here")
                .help("put each tool into its own file, or all of them into one `*.tools.yaml`"),
        );
        Err(Stop)
    }

    fn refuse_tag(&mut self, tag: Option<&Tag>, at: &Range<usize>) {
        if let Some(tag) = tag {
            let suffix = &tag.suffix;
            let shown = if tag.is_yaml_core_schema() {
                format!("!!{suffix}")
            } else {
                tag.to_string()
            };
            self.fail(
                Fault::new(
                    Id::BadYaml,
                    at.clone(),
                    format!("JSON has no tags such as `{shown}`"),
                )
                .help("remove the tag; quote what is meant as text"),
            );
        }
    }

    fn awaits_key(&self) -> bool {
        matches!(
            self.stack.last(),
            Some(Frame {
                open: Open::Mapping(_, _, None),
                ..
            })
        )
    }

    fn scalar(
        &mut self,
        text: &str,
        style: ScalarStyle,
        anchor: usize,
        at: Range<usize>,
    ) -> Result<(), Stop> {
        let value = match scalar::resolve(text, style) {
            Ok(value) => value,
            Err(no_json) => {
                self.fail(Fault::new(Id::BadYaml, at.clone(), no_json.message).help(no_json.help));
                Value::Null
            }
        };
        let cost = 1 + value.as_str().map_or(0, str::len);
        let built = Built {
            value,
            cost,
            height: 0,
        };
        if anchor != 0 {
            self.anchors.insert(anchor, built.clone());
        }
        if self.awaits_key() {
            let plain = style == ScalarStyle::Plain;
            return self.key(&built.value, text, plain, at);
        }
        self.complete(built, Node::leaf(at));
        Ok(())
    }

    fn key(
        &mut self,
        value: &Value,
        text: &str,
        plain: bool,
        at: Range<usize>,
    ) -> Result<(), Stop> {
        if plain && text == "<<" {
            self.fail(
                Fault::new(
                    Id::BadYaml,
                    at.clone(),
                    "merge keys are not part of YAML 1.2",
                )
                .help("share parts of a schema through `$ref` and `$defs`"),
            );
            return Err(Stop);
        }
        if !value.is_string() {
            let kind = kind(value);
            let fault = Fault::new(
                Id::BadYaml,
                at.clone(),
                format!("a key must be text, not {kind}"),
            );
            self.fail(fault.help(format!("quote it: `\"{text}\"`")));
        }
        let key = value.as_str().unwrap_or(text).to_owned();
        let Some(Frame {
            open: Open::Mapping(map, members, pending),
            ..
        }) = self.stack.last_mut()
        else {
            return Ok(());
        };
        // The map answers at once; the list of a large mapping is searched only for the message.
        let first = map
            .contains_key(&key)
            .then(|| members.iter().find(|(it, _)| *it == key))
            .flatten()
            .and_then(|(_, it)| it.key.clone());
        *pending = Some((key.clone(), at.clone()));
        if let Some(first) = first {
            self.fail(Fault::duplicate_key(&key, first, at));
        }
        Ok(())
    }

    fn alias(&mut self, anchor: usize, at: Range<usize>) -> Result<(), Stop> {
        let Some(built) = self.anchors.get(&anchor) else {
            self.fail(
                Fault::new(
                    Id::BadYaml,
                    at,
                    "an alias stands inside the value it repeats",
                )
                .help("describe recursive types with `$ref`"),
            );
            return Err(Stop);
        };
        self.expanded = self.expanded.saturating_add(built.cost);
        if self.expanded > MAX_EXPANSION {
            let message = format!("aliases expand to more than {MAX_EXPANSION} nodes and bytes");
            self.fail(
                Fault::new(Id::LimitExceeded, at, message)
                    .help("share repeated parts through `$ref` and `$defs`"),
            );
            return Err(Stop);
        }
        if self.stack.len() + built.height > MAX_DEPTH {
            self.fail(too_deep(at));
            return Err(Stop);
        }
        let built = built.clone();
        if self.awaits_key() {
            return self.key(&built.value, &self.text[at.clone()], false, at);
        }
        // What stands below the alias has no text of its own: it is shown at the alias.
        self.complete(built, Node::leaf(at));
        Ok(())
    }

    fn open(&mut self, open: Open, anchor: usize, at: Range<usize>) -> Result<(), Stop> {
        if self.awaits_key() {
            self.fail(
                Fault::new(
                    Id::BadYaml,
                    at,
                    "a key must be text, not a list or a mapping",
                )
                .help("quote a text that begins with `[`, `{` or `?`"),
            );
            return Err(Stop);
        }
        if self.stack.len() >= MAX_DEPTH {
            self.fail(too_deep(at));
            return Err(Stop);
        }
        self.stack.push(Frame {
            open,
            start: at.start,
            end: at.end,
            anchor,
            cost: 1,
            height: 1,
        });
        Ok(())
    }

    fn close(&mut self, end: usize) {
        let Some(frame) = self.stack.pop() else {
            return;
        };
        let flow = self.text[frame.start..].starts_with(['[', '{']);
        let span = frame.start..if flow {
            end.max(frame.start)
        } else {
            frame.end
        };
        let (value, children) = match frame.open {
            Open::Sequence(values, nodes) => (Value::Array(values), Children::Elements(nodes)),
            Open::Mapping(map, nodes, _) => (Value::Object(map), Children::Members(nodes)),
        };
        let built = Built {
            value,
            cost: frame.cost,
            height: frame.height,
        };
        if frame.anchor != 0 {
            self.anchors.insert(frame.anchor, built.clone());
        }
        self.complete(
            built,
            Node {
                key: None,
                value: span,
                children,
            },
        );
    }

    /// Puts a finished value where it belongs.
    fn complete(&mut self, built: Built, mut node: Node) {
        let Some(frame) = self.stack.last_mut() else {
            self.root = Some(Yaml {
                value: built.value,
                spans: node,
            });
            return;
        };
        frame.end = frame.end.max(node.value.end);
        frame.cost = frame.cost.saturating_add(built.cost);
        frame.height = frame.height.max(built.height + 1);
        match &mut frame.open {
            Open::Sequence(values, nodes) => {
                values.push(built.value);
                nodes.push(node);
            }
            Open::Mapping(map, nodes, pending) => {
                if let Some((key, at)) = pending.take() {
                    node.key = Some(at);
                    map.insert(key.clone(), built.value);
                    nodes.push((key, node));
                }
            }
        }
    }

    fn without_trailing_space(&self, at: Range<usize>) -> Range<usize> {
        at.start..at.start + self.text[at.clone()].trim_end().len()
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}
