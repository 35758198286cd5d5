//! From a text to a template, with every reason why it could be read in two ways.

use super::{Part, Query, TemplateError, UriTemplate};

impl UriTemplate {
    /// The template in `text`.
    ///
    /// # Errors
    ///
    /// Where it is malformed, uses another operator or modifier, has no variables, or could match one URI in two ways.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let mut parser = Parser::default();
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|it| !it.is_empty()) {
            if let Some(inside) = rest.strip_prefix('{') {
                let end = inside.find(['{', '}']).unwrap_or(inside.len());
                if !inside[end..].starts_with('}') {
                    return error(at, "`{` is not closed");
                }
                parser.expression(&inside[..end], at)?;
                at += end + 2;
            } else {
                let end = rest.find(['{', '}']).unwrap_or(rest.len());
                if rest[end..].starts_with('}') {
                    return error(at + end, "`}` without `{`");
                }
                parser.literal(&rest[..end], at)?;
                at += end;
            }
        }
        if parser.names.is_empty() {
            return error(0, "it has no variables, so it is a URI: say `uri`");
        }
        Ok(Self {
            parts: parser.parts,
            query: parser.query,
        })
    }
}

fn error<T>(at: usize, message: impl Into<String>) -> Result<T, TemplateError> {
    let message = message.into();
    Err(TemplateError { at, message })
}

/// Characters that an expanded `{v}` has only encoded, so that they tell where it ends.
const RESERVED: [char; 18] = [
    ':', '/', '?', '#', '[', ']', '@', '!', '$', '&', '\'', '(', ')', '*', '+', ',', ';', '=',
];

#[derive(Default)]
struct Parser {
    parts: Vec<Part>,
    query: Option<Query>,
    names: Vec<String>,
    /// The variable whose end nothing has told yet.
    open: Option<String>,
    /// Whether a literal began the query or the fragment, and with how many `&` so far.
    begun: Option<usize>,
    /// The last variable that holds a slash, and the last that begins with one.
    reserved: Option<String>,
    segment: Option<String>,
}

impl Parser {
    fn literal(&mut self, text: &str, at: usize) -> Result<(), TemplateError> {
        if self.query.is_some() {
            return error(at, "nothing but `{&…}` may follow the query variables");
        }
        if text.contains(RESERVED) {
            self.open = None;
        }
        let rest = match self.begun {
            Some(_) => Some(text),
            None => text.split_once(['?', '#']).map(|(_, rest)| rest),
        };
        if let Some(rest) = rest {
            *self.begun.get_or_insert(0) += rest.matches('&').count();
        }
        self.parts.push(Part::Literal(text.to_owned()));
        Ok(())
    }

    fn expression(&mut self, inside: &str, at: usize) -> Result<(), TemplateError> {
        let operator = inside.chars().next();
        let operator = operator.filter(|it| *it == '.' || !is_name(*it));
        let list = operator.map_or(inside, |it| &inside[it.len_utf8()..]);
        let names: Vec<String> = list.split(',').map(str::to_owned).collect();
        for name in &names {
            self.name(name, at)?;
        }
        match operator {
            Some('?' | '&') => return self.query(names, operator == Some('?'), at),
            _ if self.query.is_some() => {
                return error(at, "nothing but `{&…}` may follow the query variables");
            }
            Some('/') => return names.into_iter().try_for_each(|it| self.segment(it, at)),
            None | Some('+') => {}
            Some(other) => {
                return error(
                    at,
                    format!(
                        "the operator `{other}` is not supported: only `+`, `/`, `?` and `&` are"
                    ),
                );
            }
        }
        if names.len() > 1 {
            return error(
                at,
                "one variable per expression: write `{a},{b}` for `{a,b}`",
            );
        }
        names
            .into_iter()
            .try_for_each(|it| self.value(it, operator.is_some(), at))
    }

    /// Takes note of a name.
    fn name(&mut self, name: &str, at: usize) -> Result<(), TemplateError> {
        if name.is_empty() {
            return error(at, "a variable without a name");
        }
        if name.contains([':', '*']) {
            return error(
                at,
                format!("`{name}`: the modifiers `:n` and `*` are not supported"),
            );
        }
        if !name.chars().all(is_name) {
            return error(
                at,
                format!("`{name}` is no name of a variable: letters, digits, `_` and `.` are"),
            );
        }
        if self.names.iter().any(|it| it == name) {
            return error(at, format!("the variable `{name}` is there twice"));
        }
        self.names.push(name.to_owned());
        Ok(())
    }

    /// `{v}` or `{+v}`.
    fn value(&mut self, name: String, reserved: bool, at: usize) -> Result<(), TemplateError> {
        if let Some(open) = &self.open {
            return error(
                at,
                format!(
                    "nothing tells where `{open}` ends and `{name}` begins: put one of `/ : , ; = @` between them"
                ),
            );
        }
        if reserved {
            if let Some(other) = self.reserved.as_ref().or(self.segment.as_ref()) {
                return error(at, two_slashes(other, &name));
            }
            self.reserved = Some(name.clone());
            self.parts.push(Part::Reserved(name.clone()));
        } else {
            let in_query = self.begun.is_some();
            let name = name.clone();
            self.parts.push(Part::Simple { name, in_query });
        }
        self.open = Some(name);
        Ok(())
    }

    /// One variable of `{/v}`. The slash that it begins with tells where the one before ends.
    fn segment(&mut self, name: String, at: usize) -> Result<(), TemplateError> {
        if let Some(other) = &self.reserved {
            return error(at, two_slashes(other, &name));
        }
        self.segment = Some(name.clone());
        self.parts.push(Part::Segment(name.clone()));
        self.open = Some(name);
        Ok(())
    }

    fn query(&mut self, names: Vec<String>, begins: bool, at: usize) -> Result<(), TemplateError> {
        match &mut self.query {
            Some(_) if begins => return error(at, "the query begins twice: say `{&…}`"),
            Some(query) => query.names.extend(names),
            None if begins && self.begun.is_some() => {
                return error(at, "the query has begun already: say `{&…}`");
            }
            None if !begins && self.begun.is_none() => {
                return error(at, "the query has not begun: say `{?…}`");
            }
            None => {
                let begun = self.begun;
                self.query = Some(Query { names, begun });
            }
        }
        Ok(())
    }
}

fn two_slashes(one: &str, other: &str) -> String {
    format!("nothing tells which slashes belong to `{one}` and which to `{other}`")
}

fn is_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || ['_', '.', '%'].contains(&character)
}
