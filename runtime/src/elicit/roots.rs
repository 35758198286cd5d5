//! The folders that a client works in.

use serde_json::Value;

/// A folder or file that the client works in.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Root {
    /// Where it is: a `file://` URI.
    pub uri: String,
    /// Its name for people.
    pub name: Option<String>,
}

impl Root {
    /// The result of `roots/list`.
    pub(super) fn read_all(result: &Value) -> Result<Vec<Self>, &'static str> {
        let roots = result.get("roots").and_then(Value::as_array);
        let roots = roots.ok_or("`roots` is not an array")?;
        roots.iter().map(Self::read).collect()
    }

    fn read(root: &Value) -> Result<Self, &'static str> {
        let text = |key: &str| root.get(key).and_then(Value::as_str).map(str::to_owned);
        Ok(Self {
            uri: text("uri").ok_or("the `uri` of a root is not a string")?,
            name: text("name"),
        })
    }
}
