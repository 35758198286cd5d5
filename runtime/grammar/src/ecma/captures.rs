//! The groups of a pattern, and what a back-reference finds in them.
//!
//! ECMA-262 lets a reference to a group that has no text match nothing, and each round of a repetition begins
//! with its groups empty. The engine behind the validator lets such a reference fail, and keeps the text of an
//! earlier round.

/// What a back-reference stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The text of the group, which has one whenever the reference is reached.
    Text,
    /// The text of the group if it has one, else nothing.
    TextOrNothing,
    /// Nothing, always.
    Nothing,
    /// What the engine would find is not what ECMA-262 says.
    Unreadable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The whole pattern, a group that captures, or one that does not.
    Plain,
    Ahead,
    NotAhead,
    Behind,
}

struct Group {
    parent: Option<usize>,
    kind: Kind,
    start: usize,
    end: usize,
    /// Its body has several alternatives.
    has_alternatives: bool,
    rounds: Rounds,
    /// One of its alternatives can match without a character.
    may_be_empty: bool,
    /// The alternative that is read needs a character.
    needs_character: bool,
}

/// The groups of a pattern.
pub(super) struct Groups {
    /// The whole pattern first, then by their opening parentheses.
    all: Vec<Group>,
    /// Those that capture, with their names.
    captures: Vec<(usize, Option<String>)>,
}

impl Groups {
    /// `None` where parentheses or brackets do not match.
    pub(super) fn of(pattern: &[char]) -> Option<Self> {
        let mut groups = Self {
            all: vec![Group::new(None, Kind::Plain, 0)],
            captures: Vec::new(),
        };
        let mut open = 0;
        let mut at = 0;
        while let Some(letter) = pattern.get(at) {
            let mut is_character = false;
            match letter {
                '\\' => {
                    at += 1;
                    let letter = pattern.get(at)?;
                    is_character = !matches!(letter, 'b' | 'B' | 'k' | '1'..='9');
                }
                '[' => {
                    at = end_of_class(pattern, at)?;
                    is_character = true;
                }
                '(' => {
                    let kind = groups.opened(pattern, at);
                    groups.all.push(Group::new(Some(open), kind, at));
                    at += prefix_length(&pattern[at..]);
                    open = groups.all.len() - 1;
                }
                '|' => {
                    groups.all[open].has_alternatives = true;
                    groups.all[open].end_alternative();
                }
                ')' => {
                    let group = &mut groups.all[open];
                    group.end_alternative();
                    group.end = at;
                    group.rounds = Rounds::of(&pattern[at + 1..]);
                    is_character = group.kind == Kind::Plain && !group.may_be_empty;
                    open = group.parent?;
                }
                '{' => at += Count::of(&pattern[at..]).map_or(0, |it| it.length - 1),
                '^' | '$' | '*' | '+' | '?' => {}
                _ => is_character = true,
            }
            at += 1;
            let is_needed = is_character && !Rounds::of(&pattern[at..]).may_be_none;
            groups.all[open].needs_character |= is_needed;
        }
        groups.all[0].end = pattern.len();
        (open == 0).then_some(groups)
    }

    /// The kind of the group that opens here; it is counted if it captures.
    fn opened(&mut self, pattern: &[char], at: usize) -> Kind {
        let name = group_name(&pattern[at..]);
        match pattern[at + 1..] {
            ['?', '=', ..] => Kind::Ahead,
            ['?', '!', ..] => Kind::NotAhead,
            ['?', '<', '=' | '!', ..] => Kind::Behind,
            ['?', ..] if name.is_none() => Kind::Plain,
            _ => {
                self.captures.push((self.all.len(), name));
                Kind::Plain
            }
        }
    }

    /// The numbers of the groups with a name: several where they stand in different alternatives.
    pub(super) fn named(&self, name: &str) -> Vec<usize> {
        let numbered = (1..).zip(&self.captures);
        numbered
            .filter(|(_, (_, own))| own.as_deref() == Some(name))
            .map(|(number, _)| number)
            .collect()
    }

    /// Whether a group has a name that the validator does not take.
    pub(super) fn has_unusual_name(&self) -> bool {
        let names = self.captures.iter().filter_map(|(_, it)| it.as_deref());
        let usual = |it: char| it.is_ascii_alphanumeric() || it == '_';
        names.into_iter().any(|it| !it.chars().all(usual))
    }

    /// What a reference at `at` to the group of a number stands for; `None` without such a group.
    pub(super) fn meaning(&self, at: usize, number: usize) -> Option<Meaning> {
        let (target, _) = self.captures.get(number.checked_sub(1)?)?;
        let holds = |it: usize| self.all[it].start < at && at < self.all[it].end;
        let is_behind = |it: &Group| it.kind == Kind::Behind;
        let around = self.all.iter().enumerate().filter(|(it, _)| holds(*it));
        let way: Vec<usize> = self.way_out(*target).collect();
        // Read from right to left there: the first text that fits is another one.
        if around.into_iter().any(|(_, it)| is_behind(it))
            || way.iter().any(|it| is_behind(&self.all[*it]))
        {
            return Some(Meaning::Unreadable);
        }
        // Not yet closed, or not yet reached in this round.
        if holds(*target) || self.all[*target].start > at {
            return Some(Meaning::Nothing);
        }
        let is_outside = |it: &&usize| **it != 0 && !holds(**it);
        let left = || way.iter().take_while(is_outside).map(|it| &self.all[*it]);
        if left().any(|it| it.kind == Kind::NotAhead) {
            return Some(Meaning::Nothing);
        }
        if self.keeps_older_text(&way) {
            return Some(Meaning::Unreadable);
        }
        let is_sure = |it: &Group| {
            let parent = it.parent.map(|it| &self.all[it]);
            !it.rounds.may_be_none && parent.is_none_or(|it| !it.has_alternatives)
        };
        Some(if left().all(is_sure) {
            Meaning::Text
        } else {
            Meaning::TextOrNothing
        })
    }

    /// Whether a later round of a repetition can pass the group by, or change what it has.
    fn keeps_older_text(&self, way: &[usize]) -> bool {
        let mut is_skippable = false;
        for (step, group) in way.iter().map(|it| &self.all[*it]).enumerate() {
            is_skippable |= step > 0 && group.has_alternatives;
            // A round without a character does not count in ECMA-262, and does in the engine.
            if group.rounds.may_be_several && (is_skippable || group.may_be_empty) {
                return true;
            }
            is_skippable |= group.rounds.may_be_none;
        }
        false
    }

    /// A group and those around it.
    fn way_out(&self, group: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(group), |it| self.all[*it].parent)
    }
}

impl Group {
    fn new(parent: Option<usize>, kind: Kind, start: usize) -> Self {
        Self {
            parent,
            kind,
            start,
            end: start,
            has_alternatives: false,
            rounds: Rounds::default(),
            may_be_empty: false,
            needs_character: false,
        }
    }

    fn end_alternative(&mut self) {
        self.may_be_empty |= !self.needs_character;
        self.needs_character = false;
    }
}

/// How much of a group's opening stands behind its parenthesis: `?:`, `?<name>`.
fn prefix_length(group: &[char]) -> usize {
    match group {
        ['(', '?', '<', '=' | '!', ..] => 3,
        ['(', '?', '<', ..] => group.iter().take_while(|it| **it != '>').count(),
        ['(', '?', '=' | '!', ..] => 2,
        // Up to the colon, flags and all.
        ['(', '?', rest @ ..] => 2 + rest.iter().take_while(|it| **it != ':').count(),
        _ => 0,
    }
}

/// The name in `(?<name>`.
pub(super) fn group_name(group: &[char]) -> Option<String> {
    let ['(', '?', '<', rest @ ..] = group else {
        return None;
    };
    let name = rest.iter().take_while(|it| **it != '>');
    (!matches!(rest, ['=' | '!', ..])).then(|| name.collect())
}

/// The index of the bracket that closes the class which opens at `start`.
fn end_of_class(pattern: &[char], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match pattern.get(at)? {
            '\\' => at += 2,
            ']' => return Some(at),
            _ => at += 1,
        }
    }
}

/// How often something may come.
#[derive(Clone, Copy, Default)]
struct Rounds {
    may_be_none: bool,
    may_be_several: bool,
}

impl Rounds {
    /// As the quantifier says that begins here; once where none does.
    fn of(rest: &[char]) -> Self {
        let (may_be_none, may_be_several) = match rest {
            ['*', ..] => (true, true),
            ['+', ..] => (false, true),
            ['?', ..] => (true, false),
            ['{', ..] => {
                let Some(count) = Count::of(rest) else {
                    return Self::default();
                };
                let number = |it: &str| it.trim_start_matches('0').to_owned();
                let several = |it: &str| !matches!(number(it).as_str(), "" | "1");
                (
                    number(&count.least).is_empty(),
                    count.most.as_deref().is_none_or(several),
                )
            }
            _ => (false, false),
        };
        Self {
            may_be_none,
            may_be_several,
        }
    }
}

/// A quantifier in braces, its numbers as they are written.
pub(super) struct Count {
    pub(super) least: String,
    /// `None` without an end.
    pub(super) most: Option<String>,
    /// How many characters it has.
    pub(super) length: usize,
}

impl Count {
    /// The quantifier that begins here, if it is one.
    pub(super) fn of(rest: &[char]) -> Option<Self> {
        let end = rest.iter().position(|it| *it == '}')?;
        let inner: String = rest.get(1..end)?.iter().collect();
        let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
        let (least, most) = match inner.split_once(',') {
            None => (inner.as_str(), Some(inner.as_str())),
            Some((least, "")) => (least, None),
            Some((least, most)) => (least, Some(most)),
        };
        let valid = is_number(least) && most.is_none_or(is_number);
        valid.then(|| Self {
            least: least.to_owned(),
            most: most.map(str::to_owned),
            length: end + 1,
        })
    }
}
