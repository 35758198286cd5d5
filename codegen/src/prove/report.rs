//! What a comparison of a type with its schema found.

/// Findings are listed up to this many; more only count.
const MOST: usize = 8;

/// What the comparison of one type with the schemas that it was made from found.
#[derive(Clone, Debug, Default)]
pub(super) struct Report {
    /// What the type accepts, or may accept, and the schema refuses. None at all: the type is
    /// exact.
    pub(super) leaks: Vec<Leak>,
    /// What the schema may accept and the type refuse: not a proof that it does.
    pub(super) doubts: Vec<String>,
}

/// Values that pass a type and not its schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Leak {
    /// Where in an instance, as a pointer; `*` stands for any key or index.
    pub(super) pointer: String,
    /// Which values.
    pub(super) what: String,
    /// Proved: there is such a value. Else only not disproved.
    pub(super) certain: bool,
}

impl Report {
    pub(super) fn leak(&mut self, certain: bool, what: impl Into<String>) {
        self.add(Leak {
            pointer: String::new(),
            what: what.into(),
            certain,
        });
    }

    pub(super) fn doubt(&mut self, why: impl Into<String>) {
        if self.doubts.len() < MOST {
            self.doubts.push(why.into());
        }
    }

    /// Takes over what was found below a member or element.
    pub(super) fn absorb(&mut self, below: Self, segment: &str) {
        let escaped = segment.replace('~', "~0").replace('/', "~1");
        for leak in below.leaks {
            let pointer = format!("/{escaped}{}", leak.pointer);
            self.add(Leak { pointer, ..leak });
        }
        for doubt in below.doubts {
            self.doubt(doubt);
        }
    }

    /// Takes over what was found for the same value.
    pub(super) fn join(&mut self, other: Self) {
        other.leaks.into_iter().for_each(|it| self.add(it));
        other.doubts.into_iter().for_each(|it| self.doubt(it));
    }

    /// The same findings, where it is not known whether the values get here at all.
    pub(super) fn uncertain(mut self) -> Self {
        self.leaks.iter_mut().for_each(|it| it.certain = false);
        self
    }

    /// The same findings in other words.
    pub(super) fn told(mut self, how: impl Fn(&str) -> String) -> Self {
        self.leaks.iter_mut().for_each(|it| it.what = how(&it.what));
        self
    }

    pub(super) fn is_exact(&self) -> bool {
        self.leaks.is_empty()
    }

    pub(super) fn is_refuted(&self) -> bool {
        self.leaks.iter().any(|it| it.certain)
    }

    fn add(&mut self, leak: Leak) {
        if self.leaks.contains(&leak) {
            return;
        }
        if self.leaks.len() < MOST {
            self.leaks.push(leak);
        } else if leak.certain && !self.is_refuted() {
            // What is proved says more than what is only possible.
            self.leaks.pop();
            self.leaks.push(leak);
        }
    }
}
