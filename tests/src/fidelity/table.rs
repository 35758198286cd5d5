//! The table of a run: one row per kind of input.

use std::{collections::BTreeMap, fmt, io, path::Path};

use mcp_codegen::{config::ConstraintPolicy, proof::Exactness};
use serde_json::{Map, Value, json};

use super::{
    args::Args,
    batch::Outcome,
    exceptions::Sorted,
    few::{self, Few},
    generate::Product,
    judge::WANTED,
    peer::{self, Columns},
    subjects::{Expect, Subject},
    verdict::{came_back, may_fill_in},
};

/// Counts of one row.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    schemas: usize,
    refused_expected: usize,
    refused: usize,
    generated: usize,
    compiled: usize,
    valid: usize,
    accepted: usize,
    round_trips: usize,
    invalid: usize,
    invalid_refused: usize,
    refused_by_type: usize,
    /// The contract document says that no validator is needed.
    exact: usize,
    /// The type is proved to let something through.
    wider: usize,
    /// Neither is proved.
    unknown: usize,
    /// The peer's columns, when it ran.
    peer: Option<Columns>,
}

/// What a run came to.
#[derive(Debug)]
pub struct Table {
    rows: BTreeMap<String, Row>,
    sorted: Sorted,
    considered: Vec<String>,
    /// Schemas with fewer instances than wanted.
    few: Vec<Few>,
    /// The made-up schemas with unexpected faults, which are nowhere else to be read.
    made_up: Map<String, Value>,
    /// What the peer did not make, or not so that it compiles.
    peer_failures: Vec<String>,
}

impl Table {
    /// Counts a run.
    pub fn new(
        args: &Args,
        subjects: &[Subject],
        products: &[Product],
        outcomes: &[Outcome],
        sorted: Sorted,
        peer: Option<&[peer::Made]>,
    ) -> Self {
        let mut rows: BTreeMap<String, Row> = BTreeMap::new();
        for ((subject, product), outcome) in subjects.iter().zip(products).zip(outcomes) {
            let row = rows.entry(row_of(subject, args)).or_default();
            count(row, subject, product, outcome);
        }
        for (subject, made) in subjects.iter().zip(peer.into_iter().flatten()) {
            let row = rows.entry(row_of(subject, args)).or_default();
            row.peer.get_or_insert_default().count(subject, made);
        }
        let peer_failures = subjects
            .iter()
            .zip(peer.into_iter().flatten())
            .filter_map(|(subject, made)| Some(format!("{}: {}", subject.id, made.failure()?)))
            .collect();
        let is_wrong = |id: &str| sorted.unexpected.iter().any(|it| it.subject == id);
        let made_up = subjects
            .iter()
            .filter(|it| it.id.starts_with("random/") && is_wrong(&it.id))
            .map(|it| (it.id.clone(), it.schema.clone()))
            .collect();
        let considered = subjects.iter().map(|it| it.id.clone()).collect();
        Self {
            rows,
            sorted,
            considered,
            few: few::all(subjects),
            made_up,
            peer_failures,
        }
    }

    /// Schemas with fewer instances than wanted, and why, a line each; of made-up schemas, many of which accept or
    /// refuse nearly everything, a line for all.
    pub fn few(&self) -> Vec<String> {
        let (made_up, real): (Vec<&Few>, Vec<&Few>) =
            self.few.iter().partition(|it| it.row.starts_with("random"));
        let mut lines: Vec<String> = real
            .iter()
            .map(|it| {
                format!(
                    "few: {} valid, {} invalid: {} ({})",
                    it.valid, it.invalid, it.subject, it.why
                )
            })
            .collect();
        if !made_up.is_empty() {
            let of = |it: fn(&Few) -> bool| made_up.iter().filter(|few| it(few)).count();
            lines.push(format!(
                "few: {} made-up schemas have less than {WANTED} instances of a verdict: {} of them no valid one, {} no invalid one",
                made_up.len(),
                of(|it| it.valid == 0),
                of(|it| it.invalid == 0),
            ));
        }
        lines
    }

    /// Exceptions whose subject was in the run, but whose fault was not.
    fn stale(&self) -> impl Iterator<Item = String> + '_ {
        self.sorted
            .stale
            .iter()
            .filter(|it| self.considered.iter().any(|id| it.covers(id)))
            .map(|it| {
                format!(
                    "{} {} {}",
                    it.subject,
                    it.kind,
                    it.instance.as_deref().unwrap_or("*")
                )
            })
    }

    /// Whether nothing is wrong but what the exceptions name.
    pub fn is_clean(&self) -> bool {
        self.sorted.unexpected.is_empty() && self.stale().next().is_none()
    }

    /// Every unexpected fault and stale exception, a line each.
    pub fn faults(&self) -> Vec<String> {
        let faults = self.sorted.unexpected.iter().map(|it| {
            let detail: String = it.detail.chars().take(400).collect();
            let instance = it.instance.as_deref().unwrap_or("-");
            format!(
                "{:<10} {}  [{instance}]  {detail}",
                it.kind.as_str(),
                it.subject
            )
        });
        faults
            .chain(self.stale().map(|it| format!("stale exception: {it}")))
            .collect()
    }

    /// Writes the table as JSON.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn write_json(&self, path: &Path) -> io::Result<()> {
        let rows: Map<String, Value> = self
            .rows
            .iter()
            .map(|(name, row)| (name.clone(), row.to_json()))
            .collect();
        let mut document = json!({
            "rows": rows,
            "excepted": self.sorted.excepted.len(),
            "faults": self.faults(),
            "made_up": self.made_up,
            "few": self.few.iter().map(Few::to_json).collect::<Vec<_>>(),
        });
        if self.rows.values().any(|it| it.peer.is_some()) {
            document["typify_failures"] = json!(self.peer_failures);
        }
        std::fs::write(path, format!("{document:#}\n"))
    }
}

/// The row that counts a subject, marked where types are not made as by default.
fn row_of(subject: &Subject, args: &Args) -> String {
    let mark = match (args.constraints, args.model) {
        (ConstraintPolicy::Validator, false) => "",
        (ConstraintPolicy::Newtype, false) => ", newtype",
        (ConstraintPolicy::Validator, true) => ", model",
        (ConstraintPolicy::Newtype, true) => ", newtype, model",
    };
    format!("{}{mark}", subject.row)
}

fn count(row: &mut Row, subject: &Subject, product: &Product, outcome: &Outcome) {
    row.schemas += 1;
    let Product::Code(code) = product else {
        let expected = subject.expect == Expect::Refused;
        *(if expected {
            &mut row.refused_expected
        } else {
            &mut row.refused
        }) += 1;
        return;
    };
    row.generated += 1;
    row.compiled += usize::from(outcome.compiler.is_none());
    row.exact += usize::from(code.exact);
    row.wider += usize::from(matches!(code.proof, Exactness::Wider(_)));
    row.unknown += usize::from(matches!(code.proof, Exactness::Unknown(_)));
    let defaults = may_fill_in(&subject.schema);
    for (index, instance) in subject.instances.iter().enumerate() {
        let answer = outcome.answers.get(index);
        if instance.valid {
            row.valid += 1;
            let accepted = answer.is_some_and(|it| it.refused.is_none());
            row.accepted += usize::from(accepted);
            let kept = answer
                .and_then(|it| it.kept.as_ref())
                .is_some_and(|it| came_back(&instance.value, it, defaults));
            row.round_trips += usize::from(accepted && kept);
        } else {
            row.invalid += 1;
            row.invalid_refused += usize::from(answer.is_some_and(|it| it.refused.is_some()));
            row.refused_by_type += usize::from(answer.is_some_and(|it| !it.by_type));
        }
    }
}

impl Row {
    fn to_json(self) -> Value {
        let mut row = json!({
            "schemas": self.schemas,
            "refused_expected": self.refused_expected,
            "refused_unexpected": self.refused,
            "generated": self.generated,
            "compiled": self.compiled,
            "valid": self.valid,
            "valid_accepted": self.accepted,
            "valid_round_trips": self.round_trips,
            "invalid": self.invalid,
            "invalid_refused": self.invalid_refused,
            "invalid_refused_by_type": self.refused_by_type,
            "exact": self.exact,
            "wider": self.wider,
            "unknown": self.unknown,
        });
        if let Some(peer) = self.peer {
            row["typify"] = peer.to_json();
        }
        row
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with_peer = self.rows.values().any(|it| it.peer.is_some());
        write!(
            f,
            "{:<28} {:>7} {:>9} {:>9} {:>13} {:>13} {:>13} {:>13} {:>7} {:>7} {:>7}",
            "input",
            "schemas",
            "refused",
            "compiled",
            "valid ok",
            "round trip",
            "invalid ok",
            "by type",
            "exact",
            "wider",
            "unknown"
        )?;
        writeln!(f, "{}", if with_peer { Columns::TITLES } else { "" })?;
        for (name, row) in &self.rows {
            write!(
                f,
                "{name:<28} {:>7} {:>9} {:>9} {:>13} {:>13} {:>13} {:>13} {:>7} {:>7} {:>7}",
                row.schemas,
                format!("{}+{}", row.refused_expected, row.refused),
                row.compiled,
                format!("{}/{}", row.accepted, row.valid),
                format!("{}/{}", row.round_trips, row.valid),
                format!("{}/{}", row.invalid_refused, row.invalid),
                format!("{}/{}", row.refused_by_type, row.invalid),
                row.exact,
                row.wider,
                row.unknown,
            )?;
            if let Some(peer) = row.peer {
                write!(f, "{peer}")?;
            }
            writeln!(f)?;
        }
        if with_peer {
            writeln!(f, "{}", Columns::LEGEND)?;
        }
        write!(
            f,
            "{} expected faults, {} unexpected (refused: expected+unexpected)",
            self.sorted.excepted.len(),
            self.faults().len()
        )
    }
}
