//! From the values of a template's variables to a URI: the direction of RFC 6570.

use serde_json::{Map, Value};

use super::{Part, Query, UriTemplate};
use crate::percent;

impl UriTemplate {
    /// The URI of these values; `None` where it would not match the template and give the same values back.
    ///
    /// Variables of `{/v}`, `{?a}` and `{&a}` may be absent.
    pub fn expand(&self, values: &Map<String, Value>) -> Option<String> {
        let value = |name: &str| values.get(name).and_then(Value::as_str);
        let mut uri = String::new();
        for part in &self.parts {
            match part {
                Part::Literal(text) => uri.push_str(text),
                Part::Simple { name, .. } => percent::encode(value(name)?, "", &mut uri),
                Part::Reserved(name) => percent::encode(value(name)?, percent::RESERVED, &mut uri),
                Part::Segment(name) => {
                    if let Some(value) = value(name) {
                        uri.push('/');
                        percent::encode(value, "", &mut uri);
                    }
                }
            }
        }
        if let Some(query) = &self.query {
            query.expand(value, &mut uri);
        }
        let read = self.matches(&uri)?;
        let same =
            read.len() == values.len() && read.iter().all(|(name, read)| value(name) == Some(read));
        same.then_some(uri)
    }
}

impl Query {
    fn expand<'v>(&self, value: impl Fn(&str) -> Option<&'v str>, uri: &mut String) {
        let mut sign = if self.begun.is_some() { '&' } else { '?' };
        for name in &self.names {
            let Some(value) = value(name) else { continue };
            uri.push(sign);
            uri.push_str(name);
            uri.push('=');
            percent::encode(value, "", uri);
            sign = '&';
        }
    }
}
