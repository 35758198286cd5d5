//! A random schema: of every applicator that its dialect has, satisfiable more often than not.

use serde_json::{Map, Value, json};

use super::{
    Draft, Random,
    leaves::{self, insert},
};
use crate::fidelity::sample;

/// Names of definitions, and how a reference writes them.
const DEFINITIONS: &[(&str, &str)] = &[
    ("node", "node"),
    ("Vec", "Vec"),
    ("a b", "a%20b"),
    ("x/y~z", "x~1y~0z"),
];

/// Names of properties: plain ones, keywords, and such that collide once they are Rust.
const PROPERTIES: &[&str] = &[
    "a", "b", "c", "kind", "type", "self", "x-one", "k1", "foo_bar", "fooBar", "a b", "", "1st",
    "$ref", "été", "rest", "None",
];

/// Prose that does harm where it is not written with care.
const PROSE: &[&str] = &[
    "Plain.",
    "An `unclosed tick, a [link], <b>html, */ and \\ and \"quotes\".",
    "Two\n\nparagraphs\n    indented",
];

/// A whole document.
pub(super) fn document(draft: Draft, random: &mut Random) -> Value {
    let definitions = random.below(DEFINITIONS.len() + 1);
    let left = [3, 8, 20][random.below(3)];
    let mut maker = Maker {
        draft,
        random,
        definitions,
        reach: Reach::From(0),
        left,
    };
    let mut root = Map::new();
    insert(&mut root, "$schema", json!(draft.url()));
    let body = if maker.random.percent(60) {
        let mut object = maker.object();
        insert(&mut object, "type", json!("object"));
        object
    } else {
        maker.keywords()
    };
    root.extend(body);
    let mut all = Map::new();
    for (index, (name, _)) in DEFINITIONS.iter().take(definitions).enumerate() {
        maker.reach = Reach::From(index + 1);
        maker.left = 6;
        let schema = maker.schema();
        insert(&mut all, name, schema);
    }
    if !all.is_empty() {
        insert(&mut root, draft.definitions(), Value::Object(all));
    }
    Value::Object(root)
}

/// What a reference may name without standing, in the end, for itself.
#[derive(Clone, Copy)]
enum Reach {
    /// Applied to the same value as the definition before this one: later definitions only.
    From(usize),
    /// Applied to a part of the value: everything, the root too.
    All,
}

struct Maker<'r> {
    draft: Draft,
    random: &'r mut Random,
    definitions: usize,
    reach: Reach,
    /// How many more schemas may hold schemas.
    left: usize,
}

impl Maker<'_> {
    /// A schema for the same value.
    fn schema(&mut self) -> Value {
        if self.random.percent(3) {
            return self.truth(true);
        }
        if self.random.percent(1) {
            return self.truth(false);
        }
        Value::Object(self.keywords())
    }

    /// A schema for a part of the value.
    fn part(&mut self) -> Value {
        let reach = std::mem::replace(&mut self.reach, Reach::All);
        let made = self.schema();
        self.reach = reach;
        made
    }

    fn truth(&self, all: bool) -> Value {
        match (self.draft >= Draft::Six, all) {
            (true, _) => json!(all),
            (false, true) => json!({}),
            (false, false) => json!({ "not": {} }),
        }
    }

    fn keywords(&mut self) -> Map<String, Value> {
        let mut made = if self.left == 0 {
            self.leaf()
        } else {
            self.left -= 1;
            self.any()
        };
        // Up to draft-07 siblings of a reference say nothing, which is worth a try too.
        if self.random.percent(12) {
            insert(&mut made, "description", json!(self.random.pick(PROSE)));
        }
        if self.random.percent(8) {
            let titles = ["Thing", "a thing", "type", "Option", "1"];
            insert(&mut made, "title", json!(self.random.pick(&titles)));
        }
        made
    }

    fn leaf(&mut self) -> Map<String, Value> {
        let (draft, random) = (self.draft, &mut *self.random);
        match random.below(9) {
            0 | 1 => leaves::text(random),
            2 | 3 => leaves::integer(draft, random),
            4 => leaves::number(draft, random),
            5 => leaves::listed(random),
            6 => leaves::constant(draft, random),
            7 => self.reference().unwrap_or_default(),
            _ => typed(["boolean", "null"][random.below(2)]),
        }
    }

    fn any(&mut self) -> Map<String, Value> {
        match self.random.below(22) {
            0..=2 => self.leaf(),
            3..=6 => self.object(),
            7 | 8 => self.array(),
            9 => self.tuple(),
            10 => self.map(),
            11 | 12 => self.union(),
            13 | 14 => self.tagged(),
            15 => self.nullable(),
            16 => self.all_of(),
            17 => self.conditional(),
            18 => self.negated(),
            19 => self.many_types(),
            20 => self.unevaluated(),
            _ => self.reference().unwrap_or_else(|| self.object()),
        }
    }

    /// A reference, where there is something to refer to.
    fn reference(&mut self) -> Option<Map<String, Value>> {
        let first = match self.reach {
            Reach::From(first) => first,
            Reach::All if self.random.percent(15) => return Some(pointing("#")),
            Reach::All => 0,
        };
        let names = DEFINITIONS.get(first..self.definitions)?;
        let (_, name) = self.random.pick(names)?;
        let mut made = pointing(&format!("#/{}/{name}", self.draft.definitions()));
        if self.random.percent(15) {
            insert(&mut made, "maxLength", json!(3));
            insert(&mut made, "maxProperties", json!(2));
        }
        Some(made)
    }

    fn object(&mut self) -> Map<String, Value> {
        let count = self.random.below(5);
        let names = self.random.some(PROPERTIES, count);
        let mut properties = Map::new();
        let mut required = Vec::new();
        for name in &names {
            let mut schema = self.part();
            if self.random.percent(12)
                && let Value::Object(keywords) = &mut schema
            {
                let value = sample::one(&Value::Object(keywords.clone()), self.random);
                insert(keywords, "default", value);
            }
            insert(&mut properties, name, schema);
            if self.random.percent(45) {
                required.push(json!(name));
            }
        }
        let mut made = typed("object");
        if !properties.is_empty() {
            insert(&mut made, "properties", Value::Object(properties));
        }
        if !required.is_empty() {
            insert(&mut made, "required", Value::Array(required));
        }
        self.rest_of(&mut made);
        if self.random.percent(5) && made.get("additionalProperties") != Some(&json!(false)) {
            let required = made.entry("required").or_insert_with(|| json!([]));
            if let Value::Array(names) = required {
                names.push(json!("extra"));
            }
        }
        self.limits_of(&mut made, &names);
        made
    }

    /// What is said of undeclared properties.
    fn rest_of(&mut self, made: &mut Map<String, Value>) {
        match self.random.below(10) {
            0..=3 => insert(made, "additionalProperties", json!(false)),
            4 => {
                let schema = self.part();
                insert(made, "additionalProperties", schema);
            }
            5 => insert(made, "additionalProperties", json!(true)),
            _ => {}
        }
        if self.random.percent(12) {
            let schema = self.part();
            let pattern = leaves::pattern(self.random);
            insert(made, "patternProperties", json!({ pattern: schema }));
        }
    }

    fn limits_of(&mut self, made: &mut Map<String, Value>, names: &[&&str]) {
        if self.random.percent(5) {
            insert(made, "minProperties", json!(self.random.below(3)));
        }
        if self.random.percent(5) {
            insert(made, "maxProperties", json!(1 + self.random.below(4)));
        }
        if self.random.percent(5) && self.draft >= Draft::Six {
            let pattern = leaves::pattern(self.random);
            insert(made, "propertyNames", json!({ "pattern": pattern }));
        }
        if let [one, other, ..] = names
            && self.random.percent(10)
        {
            self.dependent(made, one, other);
        }
    }

    fn dependent(&mut self, made: &mut Map<String, Value>, one: &str, other: &str) {
        let old = self.draft < Draft::Nineteen;
        if self.random.percent(50) {
            let keyword = if old {
                "dependencies"
            } else {
                "dependentRequired"
            };
            insert(made, keyword, json!({ one: [other] }));
        } else {
            let part = self.part();
            let keyword = if old {
                "dependencies"
            } else {
                "dependentSchemas"
            };
            insert(
                made,
                keyword,
                json!({ one: { "properties": { other: part } } }),
            );
        }
    }

    fn array(&mut self) -> Map<String, Value> {
        let mut made = typed("array");
        if self.random.percent(85) {
            let items = self.part();
            insert(&mut made, "items", items);
        }
        if self.random.percent(20) {
            insert(&mut made, "minItems", json!(self.random.below(3)));
        }
        if self.random.percent(20) {
            insert(&mut made, "maxItems", json!(1 + self.random.below(4)));
        }
        if self.random.percent(12) {
            insert(&mut made, "uniqueItems", json!(self.random.percent(80)));
        }
        if self.random.percent(12) && self.draft >= Draft::Six {
            let schema = self.part();
            insert(&mut made, "contains", schema);
            if self.random.percent(50) && self.draft >= Draft::Nineteen {
                insert(&mut made, "minContains", json!(self.random.below(3)));
                insert(&mut made, "maxContains", json!(2));
            }
        }
        made
    }

    fn tuple(&mut self) -> Map<String, Value> {
        let count = 1 + self.random.below(3);
        let parts: Vec<Value> = (0..count).map(|_| self.part()).collect();
        let rest = match self.random.below(3) {
            0 => Some(self.truth(false)),
            1 => Some(self.part()),
            _ => None,
        };
        let (items, more) = if self.draft >= Draft::Twenty {
            ("prefixItems", "items")
        } else {
            ("items", "additionalItems")
        };
        let mut made = typed("array");
        insert(&mut made, items, Value::Array(parts));
        if let Some(rest) = rest {
            // Draft-04 knows no schema `false` but here.
            let closed = rest == self.truth(false);
            insert(&mut made, more, if closed { json!(false) } else { rest });
        }
        if self.random.percent(50) {
            insert(&mut made, "minItems", json!(count));
        }
        if self.random.percent(15) {
            insert(&mut made, "maxItems", json!(count));
        }
        made
    }

    fn map(&mut self) -> Map<String, Value> {
        let schema = self.part();
        let mut made = typed("object");
        if self.random.percent(75) {
            insert(&mut made, "additionalProperties", schema);
        } else {
            let pattern = leaves::pattern(self.random);
            insert(&mut made, "patternProperties", json!({ pattern: schema }));
            if self.random.percent(60) {
                insert(&mut made, "additionalProperties", json!(false));
            }
        }
        self.limits_of(&mut made, &[]);
        made
    }

    fn branches(&mut self) -> Vec<Value> {
        let count = 2 + self.random.below(2);
        (0..count).map(|_| self.schema()).collect()
    }

    fn union(&mut self) -> Map<String, Value> {
        let branches = self.branches();
        let mut made = if self.random.percent(20) {
            self.object()
        } else {
            Map::new()
        };
        insert(&mut made, self.one_or_any(), Value::Array(branches));
        made
    }

    fn one_or_any(&mut self) -> &'static str {
        ["anyOf", "oneOf"][self.random.below(2)]
    }

    /// Objects told apart by the value of a property, which need not be required.
    fn tagged(&mut self) -> Map<String, Value> {
        let tags = ["circle", "square", "a-b", "a_b"];
        let count = 2 + self.random.below(3);
        let mut branches = Vec::new();
        for tag in tags.iter().take(count) {
            let mut branch = self.object();
            let kind = Value::Object(leaves::only(self.draft, json!(tag)));
            let properties = branch.entry("properties").or_insert_with(|| json!({}));
            properties["kind"] = kind;
            if self.random.percent(80) {
                let required = branch.entry("required").or_insert_with(|| json!([]));
                if let Value::Array(names) = required
                    && !names.contains(&json!("kind"))
                {
                    names.push(json!("kind"));
                }
            }
            branches.push(Value::Object(branch));
        }
        let mut made = Map::new();
        insert(&mut made, self.one_or_any(), Value::Array(branches));
        made
    }

    fn nullable(&mut self) -> Map<String, Value> {
        let mut inner = self.keywords();
        if let Some(Value::String(name)) = inner.get("type")
            && name != "null"
            && self.random.percent(50)
        {
            let both = json!([name, "null"]);
            insert(&mut inner, "type", both);
            return inner;
        }
        let branches = vec![Value::Object(inner), Value::Object(typed("null"))];
        let mut made = Map::new();
        insert(&mut made, self.one_or_any(), Value::Array(branches));
        made
    }

    fn all_of(&mut self) -> Map<String, Value> {
        if self.random.percent(30) {
            let integers = [
                leaves::integer(self.draft, self.random),
                leaves::number(self.draft, self.random),
            ];
            let mut made = Map::new();
            insert(&mut made, "allOf", json!(integers));
            return made;
        }
        let mut made = self.object();
        let second = if self.random.percent(40) {
            json!({ "required": [self.declared(&made)] })
        } else {
            self.schema()
        };
        let mut parts = vec![second];
        if self.random.percent(40) {
            parts.push(self.schema());
        }
        insert(&mut made, "allOf", Value::Array(parts));
        made
    }

    /// A property of an object schema, if it declares any; closed objects accept no other.
    fn declared(&mut self, object: &Map<String, Value>) -> String {
        let properties = object.get("properties").and_then(Value::as_object);
        let names: Vec<&String> = properties.into_iter().flat_map(Map::keys).collect();
        let name = self.random.pick(&names).map(|it| (*it).clone());
        name.unwrap_or_else(|| "a".to_owned())
    }

    fn conditional(&mut self) -> Map<String, Value> {
        let mut made = self.object();
        if self.draft < Draft::Seven {
            return made;
        }
        let value = Value::Object(leaves::constant(self.draft, self.random));
        let name = self.random.pick(PROPERTIES).copied().unwrap_or("a");
        let test = json!({ "properties": { name: value }, "required": [name] });
        insert(&mut made, "if", test);
        if self.random.percent(80) {
            let then = json!({ "required": [self.declared(&made)] });
            insert(&mut made, "then", then);
        }
        if self.random.percent(50) {
            let otherwise = self.schema();
            insert(&mut made, "else", otherwise);
        }
        made
    }

    fn negated(&mut self) -> Map<String, Value> {
        if self.random.percent(30) {
            let mut made = self.object();
            insert(&mut made, "not", json!({ "required": ["a", "b"] }));
            return made;
        }
        let mut made = self.leaf();
        let what = match self.random.below(4) {
            0 => json!({ "enum": ["a", 1, null] }),
            1 => json!({ "type": ["null", "object"] }),
            2 => json!({ "minLength": 3, "minimum": 50 }),
            _ => self.schema(),
        };
        insert(&mut made, "not", what);
        made
    }

    fn many_types(&mut self) -> Map<String, Value> {
        let mut made = leaves::text(self.random);
        made.extend(self.array());
        let names = [
            "string", "array", "boolean", "integer", "object", "null", "number",
        ];
        let count = 2 + self.random.below(3);
        insert(&mut made, "type", json!(self.random.some(&names, count)));
        made
    }

    /// What is left over of a value that several schemas look at.
    fn unevaluated(&mut self) -> Map<String, Value> {
        if self.draft < Draft::Nineteen {
            return self.all_of();
        }
        if self.random.percent(35) {
            let mut made = self.tuple();
            let rest = self.part();
            made.shift_remove("additionalItems");
            made.retain(|name, value| name != "items" || value.is_array());
            insert(
                &mut made,
                "unevaluatedItems",
                if self.random.percent(60) {
                    json!(false)
                } else {
                    rest
                },
            );
            return made;
        }
        let mut made = self.object();
        made.shift_remove("additionalProperties");
        let branches = vec![Value::Object(self.object()), self.schema()];
        let keyword = ["allOf", "anyOf", "oneOf"][self.random.below(3)];
        insert(&mut made, keyword, Value::Array(branches));
        let rest = if self.random.percent(70) {
            json!(false)
        } else {
            self.part()
        };
        insert(&mut made, "unevaluatedProperties", rest);
        made
    }
}

fn typed(name: &str) -> Map<String, Value> {
    let mut made = Map::new();
    insert(&mut made, "type", json!(name));
    made
}

fn pointing(target: &str) -> Map<String, Value> {
    let mut made = Map::new();
    insert(&mut made, "$ref", json!(target));
    made
}
