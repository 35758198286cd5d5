//! Unique names: who asks first gets the plain name, whoever loses gets a readable other one.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    FieldName, MethodName, ModuleName, TypeName, VariantName,
    words::{self, Minus},
};

/// The names that are taken in one Rust scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    taken: BTreeSet<String>,
    /// By what stands before it, the least number that may be free.
    numbers: BTreeMap<String, usize>,
}

/// A name that is now taken in its [`Scope`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claimed<N> {
    pub(crate) name: N,
    /// The plain name was taken already, so this is another one: worth a note to the author.
    pub(crate) renamed: bool,
}

/// A kind of name that a [`Scope`] can make unique.
pub(crate) trait Name: Sized {
    /// The plain name of a text.
    fn of(text: &str) -> Self;
    /// The name of another identifier, as is.
    fn exactly(identifier: String) -> Self;
    /// The identifier, `r#` included.
    fn identifier(&self) -> &str;
    /// What stands between a name and the number that makes it unique.
    const BEFORE_NUMBER: &'static str;
}

macro_rules! name {
    ($name:ident, $of:path, $before:literal) => {
        impl Name for $name {
            fn of(text: &str) -> Self {
                $of(text)
            }

            fn exactly(identifier: String) -> Self {
                Self(identifier)
            }

            fn identifier(&self) -> &str {
                &self.0
            }

            const BEFORE_NUMBER: &'static str = $before;
        }
    };
}

name!(TypeName, super::type_name, "");
name!(VariantName, super::variant_name, "");
name!(FieldName, super::field_name, "_");
name!(MethodName, super::method_name, "_");
name!(ModuleName, super::module_name, "_");

impl Scope {
    /// A scope in which nothing is taken.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Takes a name; `false` when it was taken already.
    pub(crate) fn reserve<N: Name>(&mut self, name: &N) -> bool {
        self.taken.insert(name.identifier().to_owned())
    }

    /// A unique name for a text: the plain one, else with its symbols spelled out, else numbered.
    pub(crate) fn claim<N: Name>(&mut self, text: &str) -> Claimed<N> {
        let plain = N::of(text);
        if self.reserve(&plain) {
            return Claimed {
                name: plain,
                renamed: false,
            };
        }
        Claimed {
            name: self.claim_other(text, &plain),
            renamed: true,
        }
    }

    /// A unique name as close to this one as possible.
    pub(crate) fn claim_name<N: Name>(&mut self, wish: &N) -> Claimed<N> {
        if self.reserve(wish) {
            return Claimed {
                name: N::exactly(wish.identifier().to_owned()),
                renamed: false,
            };
        }
        Claimed {
            name: self.claim_number(wish),
            renamed: true,
        }
    }

    /// Unique names for texts that share this scope, in their order. Of several texts with one plain
    /// name, the first without symbols of its own has it, and the others have their symbols spelled out: `date`
    /// is `Date`, `-date` is `MinusDate`, whether or not there is a `date`. All plain names are given before
    /// any loser is renamed, so that a renamed one never takes the plain name of a later text.
    pub(crate) fn claim_all<'a, N: Name>(
        &mut self,
        texts: impl IntoIterator<Item = &'a str>,
    ) -> Vec<Claimed<N>> {
        let texts: Vec<&str> = texts.into_iter().collect();
        let plain: Vec<N> = texts.iter().map(|it| N::of(it)).collect();
        let mut alike: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, name) in plain.iter().enumerate() {
            alike.entry(name.identifier()).or_default().push(index);
        }
        let mut wishes: Vec<Option<String>> = vec![None; texts.len()];
        let mut names: Vec<Option<N>> = texts.iter().map(|_| None).collect();
        for group in alike.values().filter(|it| it.len() > 1) {
            let members: Vec<&str> = group.iter().map(|it| texts[*it]).collect();
            for (index, wish) in group.iter().zip(told_apart::<N>(&members)) {
                wishes[*index] = wish;
            }
        }
        for (index, name) in plain.iter().enumerate() {
            if wishes[index].is_none() && self.reserve(name) {
                names[index] = Some(N::exactly(name.identifier().to_owned()));
            }
        }
        let mut claimed = Vec::new();
        for ((plain, own), wish) in plain.iter().zip(names).zip(wishes) {
            let is_plain = own.is_some();
            let name = own.unwrap_or_else(|| match wish {
                Some(wish) => self.claim_name(&N::of(&wish)).name,
                None => self.claim_number(plain),
            });
            claimed.push(Claimed {
                name,
                renamed: !is_plain,
            });
        }
        claimed
    }

    fn claim_other<N: Name>(&mut self, text: &str, plain: &N) -> N {
        match words::spelled(text, Minus::AtEdges) {
            Some(spelled) => self.claim_name(&N::of(&spelled)).name,
            None => self.claim_number(plain),
        }
    }

    /// `Count2`, `count_2`, `V1_2`: the first number that is free.
    fn claim_number<N: Name>(&mut self, plain: &N) -> N {
        let base = plain.identifier();
        let base = base.strip_prefix("r#").unwrap_or(base);
        // `Self_` in camel case: the number alone tells it from the keyword.
        let base = if N::BEFORE_NUMBER.is_empty() {
            base.trim_end_matches('_')
        } else {
            base
        };
        let between = if base.ends_with(|it: char| it.is_ascii_digit()) {
            "_"
        } else if base.ends_with('_') {
            ""
        } else {
            N::BEFORE_NUMBER
        };
        let before = format!("{base}{between}");
        let first = self.numbers.get(&before).copied().unwrap_or(2);
        // One more than there are names.
        let (number, name) = (first..=first + self.taken.len())
            .map(|number| (number, N::exactly(format!("{before}{number}"))))
            .find(|(_, name)| self.reserve(name))
            .expect("a scope is finite, so some number is free");
        self.numbers.insert(before, number + 1);
        name
    }
}

/// Texts with one plain name, their symbols spelled out where those tell them apart; `None` for whoever
/// may have the plain name. Of `N/A` and `n/a`, that is the first.
fn told_apart<N: Name>(texts: &[&str]) -> Vec<Option<String>> {
    let is_signed = texts.iter().any(|it| it.contains('+'));
    let minus = if is_signed {
        Minus::Everywhere
    } else {
        Minus::AtEdges
    };
    let mut spelled: Vec<_> = texts.iter().map(|it| words::spelled(it, minus)).collect();
    let names: BTreeSet<String> = spelled
        .iter()
        .flatten()
        .map(|it| N::of(it).identifier().to_owned())
        .collect();
    if spelled.iter().all(Option::is_some)
        && names.len() < texts.len()
        && let Some(first) = spelled.first_mut()
    {
        *first = None;
    }
    spelled
}
