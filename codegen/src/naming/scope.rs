//! Unique names: who asks first gets the plain name, whoever loses gets a readable other one.

use std::collections::BTreeSet;

use super::{FieldName, MethodName, ModuleName, TypeName, VariantName, words};

/// The names that are taken in one Rust scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    taken: BTreeSet<String>,
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
    pub(crate) fn claim_name<N: Name + Clone>(&mut self, wish: &N) -> Claimed<N> {
        if self.reserve(wish) {
            return Claimed {
                name: wish.clone(),
                renamed: false,
            };
        }
        Claimed {
            name: self.claim_number(wish),
            renamed: true,
        }
    }

    /// Unique names for texts that share this scope, in their order. A plain name goes to the
    /// first text that has it before any loser is renamed, so that a renamed one never takes
    /// the plain name of a later text.
    pub(crate) fn claim_all<'a, N: Name>(
        &mut self,
        texts: impl IntoIterator<Item = &'a str>,
    ) -> Vec<Claimed<N>> {
        let first_round: Vec<(&str, N, bool)> = texts
            .into_iter()
            .map(|text| {
                let plain = N::of(text);
                let won = self.reserve(&plain);
                (text, plain, won)
            })
            .collect();
        first_round
            .into_iter()
            .map(|(text, plain, won)| {
                let name = if won {
                    plain
                } else {
                    self.claim_other(text, &plain)
                };
                Claimed {
                    name,
                    renamed: !won,
                }
            })
            .collect()
    }

    fn claim_other<N: Name>(&mut self, text: &str, plain: &N) -> N {
        if let Some(spelled) = words::spelled(text) {
            let name = N::of(&spelled);
            if self.reserve(&name) {
                return name;
            }
        }
        self.claim_number(plain)
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
        // One more than there are names.
        (2..=self.taken.len() + 2)
            .map(|number| N::exactly(format!("{base}{between}{number}")))
            .find(|name| self.reserve(name))
            .expect("a scope is finite, so some number is free")
    }
}
