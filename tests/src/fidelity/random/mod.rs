//! Made-up subjects: random schemas of every dialect, for what nobody thought of writing down.

mod leaves;
mod schema;
mod value;

use serde_json::Value;

pub(super) use value::value;

use super::{
    args::Args,
    subjects::{Expect, Side, Subject},
};
use mcp_codegen::config::FormatPolicy;

/// A small deterministic generator (splitmix64); quality matters little, stability does.
#[derive(Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: &str) -> Self {
        Self(seed.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        }))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % (limit.max(1) as u64)).unwrap_or(0)
    }

    /// A whole number below a small limit.
    pub(super) fn number_below(&mut self, limit: u16) -> f64 {
        f64::from(u16::try_from(self.below(limit.into())).unwrap_or(0))
    }

    /// True so many times of a hundred.
    pub(super) fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }

    pub(super) fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }

    /// `count` different ones of `all`, in its order.
    pub(super) fn some<'a, T>(&mut self, all: &'a [T], count: usize) -> Vec<&'a T> {
        let mut left = count.min(all.len());
        let mut chosen = Vec::with_capacity(left);
        for (index, it) in all.iter().enumerate() {
            if left > 0 && self.below(all.len() - index) < left {
                left -= 1;
                chosen.push(it);
            }
        }
        chosen
    }
}

/// A dialect, the oldest first; a later one has most keywords of the earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Draft {
    Four,
    Six,
    Seven,
    Nineteen,
    Twenty,
}

impl Draft {
    const ALL: [Self; 5] = [
        Self::Twenty,
        Self::Nineteen,
        Self::Seven,
        Self::Six,
        Self::Four,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Four => "draft4",
            Self::Six => "draft6",
            Self::Seven => "draft7",
            Self::Nineteen => "draft2019-09",
            Self::Twenty => "draft2020-12",
        }
    }

    fn url(self) -> &'static str {
        match self {
            Self::Four => "http://json-schema.org/draft-04/schema#",
            Self::Six => "http://json-schema.org/draft-06/schema#",
            Self::Seven => "http://json-schema.org/draft-07/schema#",
            Self::Nineteen => "https://json-schema.org/draft/2019-09/schema",
            Self::Twenty => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// The keyword under which definitions stand.
    fn definitions(self) -> &'static str {
        if self >= Self::Nineteen {
            "$defs"
        } else {
            "definitions"
        }
    }
}

/// The subjects that `args` asks for; they have no instances yet.
pub(super) fn subjects(args: &Args) -> Vec<Subject> {
    let mut all = Vec::new();
    for draft in Draft::ALL {
        for index in 0..args.random {
            let id = format!("random/{}/{}/{index}", args.seed, draft.name());
            let schema = schema::document(draft, &mut Random::new(&id));
            all.push(Subject {
                row: format!("random {}", draft.name()),
                side: side(&schema),
                schema,
                // The judge takes `format` for an annotation in every dialect.
                formats: Some(FormatPolicy::Annotate),
                remotes: None,
                expect: Expect::Generated,
                sampled: true,
                unjudged: None,
                instances: Vec::new(),
                id,
            });
        }
    }
    all
}

/// What a tool takes is an object; what it gives can be anything.
fn side(schema: &Value) -> Side {
    if schema["type"] == "object" {
        Side::Input
    } else {
        Side::Output
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_made_up_schema_is_right_by_its_meta_schema() {
        let args = Args {
            random: 300,
            seed: 3,
            ..Args::default()
        };
        for subject in subjects(&args) {
            let wrong = jsonschema::meta::validate(&subject.schema).err();
            assert!(
                wrong.is_none(),
                "{}: {wrong:?}\n{:#}",
                subject.id,
                subject.schema
            );
            let compiled = jsonschema::options().offline().build(&subject.schema).err();
            assert!(
                compiled.is_none(),
                "{}: {compiled:?}\n{:#}",
                subject.id,
                subject.schema
            );
        }
    }

    #[test]
    fn the_same_seed_makes_the_same_schemas() {
        let made = |seed| {
            let args = Args {
                random: 5,
                seed,
                ..Args::default()
            };
            let all = subjects(&args).into_iter();
            all.map(|it| it.schema).collect::<Vec<_>>()
        };
        assert_eq!(made(1), made(1));
        assert_ne!(made(1), made(2));
    }
}
