//! Pairs of type and schemas: those that are compared, and those that are being compared.
//!
//! Recursion is met with induction: a pair that comes back while it is being compared is taken for
//! granted. What depends on such a pair is finished, but pending: it may be used again right away,
//! or the walk of types that refer to each other would be exponential, and is settled together
//! with the first pair of its cycle. Cycles are found as strongly connected components are, by
//! Gabow's path-based algorithm.
//!
//! Induction proves that pairs are exact only if all of them are. So where one that was taken for
//! granted turns out not to be, whatever is pending and exact below it is forgotten. What is not
//! exact stays so: a pair that lets more through never makes another one let less through.

use std::collections::BTreeMap;

use super::conjunction::Identity;
use crate::{graph::TypeId, lower::kinds::Kinds, prove::report::Report};

/// A type, the schemas that apply to its values, and the kinds of value in question.
pub(super) type Key = (Identity, Kinds, TypeId);

#[derive(Debug)]
pub(super) struct Pairs {
    known: BTreeMap<Key, Report>,
    active: BTreeMap<Key, Active>,
    pending: BTreeMap<Key, Pending>,
    /// The pending pairs in the order in which they were finished.
    finished: Vec<Key>,
    /// How many pairs were begun.
    begun: usize,
    /// The active pairs that no pair below leads out of, as far as is known.
    heads: Vec<usize>,
    /// The least depth at which something was taken for granted.
    granted_at: usize,
}

#[derive(Debug)]
struct Active {
    number: usize,
    depth: usize,
    /// Whether it was taken for granted.
    granted: bool,
}

#[derive(Debug)]
struct Pending {
    number: usize,
    depth: usize,
    /// The least depth at which something was taken for granted for it.
    granted_at: usize,
    report: Report,
}

/// A comparison that was begun.
#[derive(Debug)]
pub(super) struct Begun {
    number: usize,
    depth: usize,
    /// How many pairs were pending before.
    pending: usize,
    granted_at: usize,
}

impl Pairs {
    pub(super) const fn new() -> Self {
        Self {
            known: BTreeMap::new(),
            active: BTreeMap::new(),
            pending: BTreeMap::new(),
            finished: Vec::new(),
            begun: 0,
            heads: Vec::new(),
            granted_at: usize::MAX,
        }
    }

    /// What is known of a pair that comes up at this depth of the value, or taken for granted.
    pub(super) fn recall(&mut self, key: &Key, depth: usize) -> Option<Report> {
        if let Some(known) = self.known.get(key) {
            return Some(known.clone());
        }
        if let Some(active) = self.active.get_mut(key) {
            active.granted = true;
            let number = active.number;
            let mut report = Report::default();
            if active.depth == depth {
                report.leak(false, "anything: the type contains itself without end");
            }
            self.depend(number, depth);
            return Some(report);
        }
        let pending = self.pending.get(key)?;
        // Nearer to the root, what was taken for granted may be at the same depth: no induction.
        let sinks = pending.granted_at > pending.depth;
        if !sinks && depth < pending.depth {
            return None;
        }
        let number = pending.number;
        let granted_at = depth + pending.granted_at.saturating_sub(pending.depth);
        let report = pending.report.clone();
        self.depend(number, granted_at);
        Some(report)
    }

    /// The active pairs after this one, and it, are one cycle.
    fn depend(&mut self, number: usize, depth: usize) {
        while self.heads.last().is_some_and(|it| *it > number) {
            self.heads.pop();
        }
        self.granted_at = self.granted_at.min(depth);
    }

    pub(super) fn begin(&mut self, key: &Key, depth: usize) -> Begun {
        let number = self.begun;
        self.begun += 1;
        let active = Active {
            number,
            depth,
            granted: false,
        };
        self.active.insert(key.clone(), active);
        self.heads.push(number);
        Begun {
            number,
            depth,
            pending: self.finished.len(),
            granted_at: std::mem::replace(&mut self.granted_at, usize::MAX),
        }
    }

    /// `complete`: the walk did not give up.
    pub(super) fn end(&mut self, key: Key, begun: &Begun, report: &Report, complete: bool) {
        let active = self.active.remove(&key);
        if active.is_some_and(|it| it.granted) && !report.is_exact() {
            for key in &self.finished[begun.pending..] {
                if self.pending.get(key).is_some_and(|it| it.report.is_exact()) {
                    self.pending.remove(key);
                }
            }
        }
        if self.heads.last() == Some(&begun.number) {
            self.heads.pop();
            self.settle(begun.pending, report, complete);
            self.known.insert(key, report.clone());
            self.granted_at = begun.granted_at;
            return;
        }
        let pending = Pending {
            number: begun.number,
            depth: begun.depth,
            granted_at: self.granted_at,
            report: report.clone(),
        };
        self.finished.push(key.clone());
        self.pending.insert(key, pending);
        self.granted_at = self.granted_at.min(begun.granted_at);
    }

    /// All pairs of a cycle are finished.
    fn settle(&mut self, first: usize, head: &Report, complete: bool) {
        for key in self.finished.drain(first..) {
            let Some(Pending { mut report, .. }) = self.pending.remove(&key) else {
                continue;
            };
            // An open question may be one that the rest of the cycle decides.
            let decided = report.is_refuted() || !head.is_refuted();
            if report.is_exact() || (complete && decided) {
                head.doubts.iter().for_each(|it| report.doubt(it.clone()));
                self.known.insert(key, report);
            }
        }
    }
}
