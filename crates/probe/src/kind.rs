//! What counts.

use std::fmt;

/// What a [`Counter`](crate::Counter) counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Cycles of the core in user mode, and instructions.
    Hardware,
    /// Ticks of the time-stamp counter: of a fixed rate, whatever the core's. [`canary`](crate::canary) gives
    /// the ratio.
    Tsc,
    /// Nanoseconds of the system's clock, on machines without either.
    Nanoseconds,
}

impl Kind {
    /// The kind's stable id in files: `hardware`, `tsc` or `nanoseconds`.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Hardware => "hardware",
            Kind::Tsc => "tsc",
            Kind::Nanoseconds => "nanoseconds",
        }
    }

    /// What one count is called: `cycles`, `ticks` or `ns`.
    pub const fn unit(self) -> &'static str {
        match self {
            Kind::Hardware => "cycles",
            Kind::Tsc => "ticks",
            Kind::Nanoseconds => "ns",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    /// Protects: the ids in files and the units in tables.
    #[test]
    fn names() {
        let kinds = [Kind::Hardware, Kind::Tsc, Kind::Nanoseconds];
        assert_eq!(kinds.map(Kind::name), ["hardware", "tsc", "nanoseconds"]);
        assert_eq!(kinds.map(Kind::unit), ["cycles", "ticks", "ns"]);
    }
}
