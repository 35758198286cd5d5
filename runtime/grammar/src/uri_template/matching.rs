//! From a URI to the values of a template's variables, in time that grows with the URI's length and not faster.

use super::{Part, Query, UriTemplate};
use crate::percent;

/// No URI that anybody means is longer; it bounds what a client can make the server remember at a time.
const LONGEST: usize = 64 * 1024;

impl UriTemplate {
    /// The variables' values if `uri` matches, percent-decoded, in the order of the template; variables of `{/v}`, `{?a}` and
    /// `{&a}` may be absent.
    ///
    /// Whoever made the URI by the rules gets the values back that he put in. A `{v}` takes characters too that should have been
    /// encoded, as long as they are none of `/?#`. A value that is no UTF-8 does not match.
    pub fn matches(&self, uri: &str) -> Option<Vec<(&str, String)>> {
        if uri.len() > LONGEST {
            return None;
        }
        let (head, query) = match &self.query {
            Some(query) => query.split(uri),
            None => (uri, None),
        };
        if let Some(Part::Literal(text)) = self.parts.first()
            && !head.starts_with(text)
        {
            // Most templates are not meant, and need no closer look.
            return None;
        }
        let reach = self.reach(head);
        let mut values = self.walk(head, &reach)?;
        if let (Some(known), Some(query)) = (&self.query, query) {
            values.extend(known.values(query)?);
        }
        let decoded = values
            .into_iter()
            .map(|(name, value)| Some((name, percent::text(value)?)));
        decoded.collect()
    }

    /// `reach[k][p]`: whether the parts from the `k`-th on match what stands in `head` from byte `p` on.
    fn reach(&self, head: &str) -> Vec<Vec<bool>> {
        let bytes = head.as_bytes();
        let end = bytes.len();
        let mut reach = vec![vec![false; end + 1]; self.parts.len() + 1];
        if let Some(last) = reach.last_mut() {
            last[end] = true;
        }
        for (index, part) in self.parts.iter().enumerate().rev() {
            let (before, after) = reach.split_at_mut(index + 1);
            let (Some(this), Some(next)) = (before.last_mut(), after.first()) else {
                continue;
            };
            // Whether the next parts match after some more characters of this one.
            let mut run = next[end];
            for at in (0..end).rev() {
                let taken = self.takes(part, bytes[at]) && run;
                this[at] = match part {
                    Part::Literal(text) => {
                        bytes[at..].starts_with(text.as_bytes()) && next[at + text.len()]
                    }
                    Part::Simple { .. } | Part::Reserved(_) => taken,
                    Part::Segment(_) => next[at] || (bytes[at] == b'/' && run),
                };
                run = next[at] || taken;
            }
            this[end] = matches!(part, Part::Segment(_)) && next[end];
        }
        reach
    }

    /// The raw values along the way that `reach` shows.
    fn walk<'t, 'u>(
        &'t self,
        head: &'u str,
        reach: &[Vec<bool>],
    ) -> Option<Vec<(&'t str, &'u str)>> {
        let bytes = head.as_bytes();
        let reached = |part: usize, at: usize| reach[part].get(at) == Some(&true);
        let mut values = Vec::new();
        let mut at = 0;
        if !reached(0, at) {
            return None;
        }
        for (index, part) in self.parts.iter().enumerate() {
            let (start, least) = match part {
                Part::Literal(text) => {
                    at += text.len();
                    continue;
                }
                Part::Simple { .. } | Part::Reserved(_) => (at, at + 1),
                Part::Segment(_) if bytes.get(at) == Some(&b'/') => (at + 1, at + 1),
                Part::Segment(_) => continue,
            };
            let mut ends = (least..=head.len())
                .take_while(|end| *end == least || self.takes(part, bytes[*end - 1]))
                .filter(|end| reached(index + 1, *end));
            // What may hold slashes takes all it can, since what follows it can not hold them.
            let end = match part {
                Part::Reserved(_) => ends.last(),
                _ => ends.next(),
            };
            let Some(end) = end else {
                // A slash that belongs to what follows; only a variable that may be absent comes here.
                continue;
            };
            values.push((part.variable()?.name, head.get(start..end)?));
            at = end;
        }
        Some(values)
    }

    /// Whether the variable may hold this byte. The bytes that none may hold are ASCII, so values end between characters.
    fn takes(&self, part: &Part, byte: u8) -> bool {
        match part {
            Part::Literal(_) => false,
            Part::Simple { in_query: true, .. } => !b"/?#&".contains(&byte),
            Part::Simple { .. } | Part::Segment(_) => !b"/?#".contains(&byte),
            Part::Reserved(_) => self.query.is_none() || !b"?#".contains(&byte),
        }
    }
}

impl Query {
    /// What stands before the query variables, and they themselves if there are any.
    fn split<'u>(&self, uri: &'u str) -> (&'u str, Option<&'u str>) {
        let begin = uri.find('?');
        let at = match (self.begun, begin) {
            (Some(before), Some(begin)) => {
                let ampersands = uri.match_indices('&').map(|(at, _)| at);
                ampersands.filter(|at| *at > begin).nth(before)
            }
            (None, begin) => begin,
            (Some(_), None) => None,
        };
        match at {
            Some(at) => (&uri[..at], uri.get(at + 1..)),
            None => (uri, None),
        }
    }

    /// The raw values in a query; `None` if it has others, or one twice.
    fn values<'u>(&self, query: &'u str) -> Option<Vec<(&str, &'u str)>> {
        let mut values: Vec<(&str, &str)> = Vec::new();
        for pair in query.split('&').filter(|it| !it.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = self.names.iter().find(|it| *it == name)?;
            if values.iter().any(|(other, _)| other == name) {
                return None;
            }
            values.push((name, value));
        }
        Some(values)
    }
}
