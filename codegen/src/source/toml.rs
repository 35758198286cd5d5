//! TOML: where the parts of the configuration stand.

use toml::de::{DeTable, DeValue};

use super::spans::{Children, Node};

/// Where the parts of a text stand; `None` when it does not parse.
pub(super) fn spans(text: &str) -> Option<Node> {
    let table = DeTable::parse(text).ok()?;
    let mut root = Node::leaf(table.span());
    root.children = members(table.get_ref());
    Some(root)
}

fn members(table: &DeTable<'_>) -> Children {
    let members = table.iter().map(|(key, value)| {
        let children = match value.get_ref() {
            DeValue::Table(table) => members(table),
            DeValue::Array(array) => {
                Children::Elements(array.iter().map(|it| Node::leaf(it.span())).collect())
            }
            DeValue::String(_)
            | DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_) => Children::None,
        };
        let node = Node {
            key: Some(key.span()),
            value: value.span(),
            children,
        };
        (key.get_ref().clone().into_owned(), node)
    });
    Children::Members(members.collect())
}
