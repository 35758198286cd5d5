//! Objects: structs, maps, and what happens to properties that nobody declared.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    Job, Lowering,
    keywords::{is_free, is_never, object, strings},
    kinds::Kinds,
    names::{Site, Wish},
    number::without_fraction,
    view::View,
};
use crate::{
    diagnostics::{Diagnostic, Id, Place, Spot},
    graph::{Docs, Field, Presence, Shape, Struct, TypeId, TypeKind, Unknown},
    naming::{Claimed, FieldName, Scope, exact_field_name},
    resolve::{Node, engine},
};

/// What a view says about properties that it does not declare.
enum Rest<'d> {
    Deny,
    Drop,
    /// They are kept; all these schemas apply to each, or it holds anything when there is none.
    Keep(Vec<Node<'d>>),
    /// They are kept; this or another schema applies to each, of the same type but for its rules.
    Plain(Node<'d>),
}

/// The schemas of one declared property, and where it is mentioned.
#[derive(Default)]
struct Property<'d> {
    schemas: Vec<Node<'d>>,
    required: bool,
    /// Further schemas may apply that cannot be told: it holds anything.
    opaque: bool,
}

impl<'d> Lowering<'_, 'd> {
    /// Whether an object schema declares nothing and keeps nothing.
    pub(super) fn is_bare_object(&mut self, view: &View<'d>) -> bool {
        self.literals(view).is_none()
            && declared(view).is_empty()
            && matches!(self.rest(view), Rest::Drop)
    }

    /// Whether a view of objects becomes a map.
    pub(super) fn is_map(&mut self, view: &View<'d>) -> bool {
        declared(view).is_empty() && !matches!(self.rest(view), Rest::Deny)
    }

    /// A struct or a map.
    pub(super) fn object(&mut self, view: &View<'d>, site: &Site<'d>) -> Shape {
        if !declared(view).is_empty() {
            return Shape::Named(self.promise(site, |id| Job::Struct(id, view.clone())));
        }
        let rest = self.rest(view);
        if matches!(rest, Rest::Deny) {
            return Shape::Named(self.promise(site, |id| Job::Struct(id, view.clone())));
        }
        let value = self.rest_shape(&rest, site.wish.then("value"));
        let map = Shape::Map(Box::new(value.unwrap_or(Shape::Any)));
        Shape::limited(map, super::constraint::of_map(view))
    }

    /// The fields of a promised struct.
    pub(super) fn fill_struct(&mut self, id: TypeId, view: &View<'d>) {
        let mut scope = Scope::new();
        let properties = self.properties(view);
        let names = self.field_names(&properties, &mut scope);
        let mut fields = Vec::new();
        for (claimed, (key, property)) in names.into_iter().zip(&properties) {
            if claimed.renamed {
                self.note_renamed_field(key, &claimed.name, property, id);
            }
            self.note_hazards(key, property);
            let mut field = self.field(claimed.name, key, property, id);
            if view.of_others.contains(key) && view.soft.contains(key) {
                let whose = "Declared by another alternative of this union.";
                field.docs.description = Some(whose.to_owned());
            }
            fields.push(field);
        }
        let unknown = match self.rest(view) {
            Rest::Deny => Unknown::Deny,
            Rest::Drop => Unknown::Drop,
            rest @ (Rest::Keep(_) | Rest::Plain(_)) => {
                let name = scope.claim::<FieldName>("rest").name;
                let shape = self.rest_shape(&rest, Wish::inside(id).then("rest"));
                Unknown::Keep(name, shape.unwrap_or(Shape::Any))
            }
        };
        self.types[id.0].kind = TypeKind::Struct(Struct {
            fields,
            unknown,
            patterns: view.schemas().any(only_patterns),
        });
    }

    /// The names of fields: those that the author chose, and for the others what their properties suggest.
    fn field_names(
        &mut self,
        properties: &[(String, Property<'d>)],
        scope: &mut Scope,
    ) -> Vec<Claimed<FieldName>> {
        let mut chosen = Vec::new();
        for (_, property) in properties {
            let name = property
                .schemas
                .iter()
                .find_map(|it| Some((*it, self.chosen_field(it)?)));
            chosen.push(name.and_then(|(node, text)| {
                let name = exact_field_name(&text).ok()?;
                self.use_name(&node);
                if !scope.reserve(&name) {
                    let why = format!("`{text}` is the name of another field already");
                    self.invalid_extension(&node, &[super::extension::RUST_NAME], &why);
                    return None;
                }
                Some(Claimed {
                    name,
                    renamed: false,
                })
            }));
        }
        let others = properties
            .iter()
            .zip(&chosen)
            .filter(|(_, it)| it.is_none());
        let keys: Vec<&str> = others.map(|((key, _), _)| key.as_str()).collect();
        let mut claimed = scope.claim_all::<FieldName>(keys).into_iter();
        chosen
            .into_iter()
            .filter_map(|it| it.or_else(|| claimed.next()))
            .collect()
    }

    fn note_renamed_field(
        &mut self,
        key: &str,
        name: &FieldName,
        property: &Property<'d>,
        id: TypeId,
    ) {
        let place = match property.schemas.first() {
            Some(schema) => key_place(schema),
            None => self.types[id.0].place.clone(),
        };
        let message = format!(
            "{} becomes the field `{name}`, because another property has the same plain name",
            the_property(key)
        );
        let note = Diagnostic::new(Id::Renamed, message).at(place, "two properties read alike");
        self.diagnostics.push(note);
    }

    /// Notes what is valid here but means trouble, or nothing, elsewhere.
    fn note_hazards(&mut self, key: &str, property: &Property<'d>) {
        let Some(schema) = property.schemas.first() else {
            return;
        };
        let portable = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '.' | '-');
        let length = key.chars().count();
        // What JavaScript finds on every object.
        let special = matches!(key, "__proto__" | "constructor" | "prototype");
        if special || !(1..=64).contains(&length) || !key.chars().all(portable) {
            let place = key_place(schema);
            let message = if key.is_empty() {
                "some clients have trouble with a property whose name is empty".to_owned()
            } else {
                format!("some clients have trouble with a property called `{key}`")
            };
            let help = "use 1 to 64 of the characters A-Z a-z 0-9 _ . -";
            let note = Diagnostic::new(Id::HazardousPropertyName, message);
            self.note_once(note.help(help), place, "not portable");
        }
        let nullable = object(schema).and_then(|it| it.get("nullable")) == Some(&Value::Bool(true));
        if let (true, Some(keyword)) = (nullable, schema.child(&["nullable"])) {
            let message = "`nullable` is no keyword of JSON Schema: `null` is not valid here";
            let help = "write `\"type\": [\"string\", \"null\"]`, with the type that it has";
            let note = Diagnostic::new(Id::IgnoredKeyword, message);
            self.note_once(note.help(help), keyword.place(), "ignored");
        }
    }

    fn field(&mut self, name: FieldName, key: &str, property: &Property<'d>, id: TypeId) -> Field {
        let shape = if property.opaque {
            Shape::Any
        } else {
            self.nodes(&property.schemas, Wish::field(id, key))
        };
        let docs = match property.schemas.first() {
            None => Docs::default(),
            Some(first) if mentions_type(&shape) => super::keywords::docs(first),
            Some(first) => self.inherited_docs(first),
        };
        let presence = if property.required {
            Presence::Required
        } else {
            match self.default(key, property) {
                Some(value) if is_integer(&shape) => Presence::Default(without_fraction(value)),
                Some(value) => Presence::Default(value),
                None => Presence::Optional,
            }
        };
        Field {
            name,
            key: key.to_owned(),
            docs,
            shape,
            presence,
        }
    }

    /// The default of a property, if it is valid where it stands.
    fn default(&mut self, key: &str, property: &Property<'d>) -> Option<Value> {
        let first = property.schemas.first()?;
        let (holder, value) = self.chain(first).into_iter().find_map(|node| {
            let hidden = node.ref_hides_siblings();
            let value = object(&node).filter(|_| !hidden)?.get("default")?;
            Some((node, value.clone()))
        })?;
        if property
            .schemas
            .iter()
            .all(|it| engine::is_valid(it, &value, self.formats))
        {
            return Some(value);
        }
        let message = format!(
            "the default of {} violates its own schema and is not applied",
            if key.is_empty() {
                the_property(key)
            } else {
                format!("`{key}`")
            }
        );
        let place = holder
            .child(&["default"])
            .map_or_else(|| holder.place(), |it| it.place());
        let warning = Diagnostic::new(Id::DefaultIgnored, message).at(place, "not valid here");
        self.diagnostics.push(if value.is_null() {
            warning.help("remove it, or allow `null` in `type`")
        } else {
            warning.help("change the default, or the schema that it stands in")
        });
        None
    }

    /// The declared properties in order of mention, without those that no instance can have.
    fn properties(&mut self, view: &View<'d>) -> Vec<(String, Property<'d>)> {
        let mut properties: Vec<(String, Property<'d>)> = declared(view)
            .into_iter()
            .map(|key| (key, Property::default()))
            .collect();
        let closed = closed_parts(view);
        for part in &view.parts {
            let own: BTreeMap<String, Node<'d>> = part.children("properties").into_iter().collect();
            let patterns = part.children("patternProperties");
            let additional = part.child(&["additionalProperties"]);
            let required = object(part)
                .map(|it| strings(it, "required"))
                .unwrap_or_default();
            let loses = patterns.iter().any(|(_, it)| self.may_lose(it));
            for (key, property) in &mut properties {
                property.required |= required.contains(&key.as_str());
                // Which patterns match is the validator's to know.
                property.opaque |= loses || view.opaque.contains(key) || view.soft.contains(key);
                match (own.get(key), &additional) {
                    (Some(schema), _) => property.schemas.push(*schema),
                    (None, Some(schema)) if patterns.is_empty() => {
                        property.schemas.push(*schema);
                    }
                    (None, Some(schema)) => property.opaque |= self.may_lose(schema),
                    (None, None) => {}
                }
            }
        }
        properties.retain(|(key, property)| {
            let forbidden = closed.iter().any(|part| {
                let own = object(part).and_then(|it| it.get("properties")?.get(key.as_str()));
                own.is_none()
            });
            let view = self.view_of_all(&property.schemas);
            property.required || !(forbidden || self.kinds(&view).is_empty())
        });
        for (_, property) in &mut properties {
            // A schema that allows everything says nothing beside others.
            if property.schemas.len() > 1 {
                let says_nothing = |it: &Node<'d>| it.value() == &Value::Bool(true);
                property.schemas.retain(|it| !says_nothing(it));
            }
        }
        properties
    }

    /// Whether a type for this schema could lose a part of an instance that it does not know.
    fn may_lose(&mut self, node: &Node<'d>) -> bool {
        let view = self.view(node);
        self.kinds(&view).meets(Kinds::STRUCTURED)
            && (view.is_structured() || !view.groups.is_empty())
    }

    fn rest(&mut self, view: &View<'d>) -> Rest<'d> {
        if !closed_parts(view).is_empty() {
            return Rest::Deny;
        }
        let mut sources: Vec<Vec<Node<'d>>> = Vec::new();
        let mut anything = view.keep;
        for part in &view.parts {
            let mut own: Vec<Node<'d>> = part
                .children("patternProperties")
                .into_iter()
                .map(|(_, it)| it)
                .collect();
            let patterns = !own.is_empty();
            match part.child(&["additionalProperties"]) {
                Some(schema) if is_never(schema.value()) => {}
                Some(schema) => own.push(schema),
                // What matches no pattern is free.
                None => anything |= patterns,
            }
            let unevaluated = part.child(&["unevaluatedProperties"]);
            anything |= unevaluated.is_some_and(|it| !is_never(it.value()));
            if !own.is_empty() {
                sources.push(own);
            }
        }
        match sources.as_slice() {
            _ if anything => Rest::Keep(Vec::new()),
            [] => Rest::Drop,
            [only] if only.len() > 1 => self.if_alike(only),
            sources if sources.iter().all(|it| it.len() == 1) => {
                Rest::Keep(sources.iter().flatten().copied().collect())
            }
            _ => Rest::Keep(Vec::new()),
        }
    }

    /// One of several alternative schemas if all have the same type; else none.
    fn if_alike(&mut self, nodes: &[Node<'d>]) -> Rest<'d> {
        let (mut types, mut keys) = (Vec::new(), Vec::new());
        for node in nodes {
            let view = self.view(node);
            let view = self.normal((*view).clone());
            types.push((view.kinds, self.identity(&view)));
            keys.push(view.key());
        }
        if types.windows(2).any(|it| it[0] != it[1]) {
            Rest::Keep(Vec::new())
        } else if keys.windows(2).all(|it| it[0] == it[1]) {
            Rest::Keep(nodes[..1].to_vec())
        } else {
            Rest::Plain(nodes[0])
        }
    }

    /// What the map of undeclared properties holds, if there is one.
    fn rest_shape(&mut self, rest: &Rest<'d>, wish: Wish) -> Option<Shape> {
        match rest {
            Rest::Deny | Rest::Drop => None,
            // `additionalProperties: true` asks for any value; that deserves no note.
            Rest::Keep(schemas) if schemas.iter().all(|it| is_free(it.value())) => Some(Shape::Any),
            Rest::Keep(schemas) => Some(self.nodes(schemas, wish)),
            Rest::Plain(schema) => {
                let mut shape = self.node(schema, wish);
                shape.drop_rules();
                Some(shape)
            }
        }
    }
}

/// The properties that a view declares, requires or mentions in a condition, in that order.
pub(super) fn declared(view: &View<'_>) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    let mut keys = Vec::new();
    let mut add = |key: &str| {
        if seen.insert(key.to_owned()) {
            keys.push(key.to_owned());
        }
    };
    for schema in view.schemas() {
        let properties = schema.get("properties").and_then(Value::as_object);
        properties
            .into_iter()
            .flat_map(serde_json::Map::keys)
            .for_each(|it| add(it));
    }
    for schema in view.schemas() {
        strings(schema, "required").into_iter().for_each(&mut add);
    }
    view.soft.iter().for_each(|it| add(it));
    keys
}

/// Where the key stands that a property's schema belongs to.
fn key_place(schema: &Node<'_>) -> Place {
    let Place { file, spot } = schema.place();
    match spot {
        Spot::Value(pointer) => Place::key(file, pointer),
        other => Place { file, spot: other },
    }
}

/// A property, for messages.
fn the_property(key: &str) -> String {
    if key.is_empty() {
        "the property with an empty name".to_owned()
    } else {
        format!("the property `{key}`")
    }
}

/// Whether a schema refuses the properties that it does not declare.
fn refuses_undeclared(schema: &serde_json::Map<String, Value>) -> bool {
    schema.get("additionalProperties").is_some_and(is_never)
}

fn has_patterns(schema: &serde_json::Map<String, Value>) -> bool {
    let patterns = schema.get("patternProperties").and_then(Value::as_object);
    patterns.is_some_and(|it| !it.is_empty())
}

/// Whether a schema takes undeclared properties by their patterns only.
fn only_patterns(schema: &serde_json::Map<String, Value>) -> bool {
    refuses_undeclared(schema) && has_patterns(schema)
}

/// The parts that refuse every property that they do not declare.
pub(super) fn closed_parts<'d>(view: &View<'d>) -> Vec<Node<'d>> {
    let is_closed = |schema: &serde_json::Map<String, Value>| {
        refuses_undeclared(schema) && !has_patterns(schema)
    };
    view.parts
        .iter()
        .filter(|it| object(it).is_some_and(is_closed))
        .copied()
        .collect()
}

/// Whether a named type in the shape carries the prose of its definition.
fn mentions_type(shape: &Shape) -> bool {
    match shape {
        Shape::Named(_) => true,
        Shape::Foreign(it) => it.parameters.iter().any(mentions_type),
        Shape::List(inner) | Shape::Map(inner) | Shape::Nullable(inner) | Shape::Boxed(inner) => {
            mentions_type(inner)
        }
        Shape::Tuple(items) => items.iter().any(mentions_type),
        Shape::Limited(it) => mentions_type(&it.shape),
        Shape::Any
        | Shape::Never
        | Shape::Null
        | Shape::Boolean
        | Shape::Integer(_)
        | Shape::Number
        | Shape::String => false,
    }
}

fn is_integer(shape: &Shape) -> bool {
    match shape {
        Shape::Integer(_) => true,
        Shape::Nullable(inner) => is_integer(inner),
        Shape::Limited(it) => is_integer(&it.shape),
        Shape::Any
        | Shape::Never
        | Shape::Null
        | Shape::Boolean
        | Shape::Number
        | Shape::String
        | Shape::List(_)
        | Shape::Tuple(_)
        | Shape::Map(_)
        | Shape::Boxed(_)
        | Shape::Named(_)
        | Shape::Foreign(_) => false,
    }
}
