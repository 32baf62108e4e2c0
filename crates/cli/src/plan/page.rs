//! What is printed.

use super::Origin;
use super::fit::{Clock, Times};
use crate::any;
use crate::table::time;
use ringsmith::any::{Candidate, Candidates, Ring, WhyNot};
use ringsmith_probe::aligned;
use std::fmt::Write;

/// How many methods are listed.
const LISTED: usize = 6;

/// A ring and what is known of its methods.
pub(super) struct Page {
    /// By the choice.
    pub(super) ring: Ring,
    pub(super) candidates: Candidates,
    /// By whole products in lanes of 16 bits.
    pub(super) by_rows: Option<Ring>,
    pub(super) times: Times,
    pub(super) origin: Origin,
    pub(super) clock: Clock,
}

/// A way to compute products: cycles as predicted, nanoseconds as measured.
struct Way {
    cycles: Option<f64>,
    measured: Option<f64>,
    name: String,
}

impl Page {
    /// All of it.
    pub(super) fn text(&self) -> String {
        let (route, mut text) = (self.ring.route(), String::new());
        let operands = match self.ring.operands().bound() {
            None => "any two elements".into(),
            Some(bound) => format!("any element, and one with coefficients from -{bound} to {bound}"),
        };
        let lines = [
            ("ring", any::name(&self.ring)),
            ("operands", operands),
            ("backend", format!("{}, {}", self.ring.cpu().name(), self.costs())),
            ("route", route.to_string()),
            ("exact", route.argument().to_string()),
        ];
        for (name, line) in lines {
            // Writing to a string can't fail.
            let _ = writeln!(text, "{name:<9} {line}");
        }
        text + "\n" + &self.methods() + "\n" + &self.refused()
    }

    fn costs(&self) -> String {
        let costs = match self.origin {
            Origin::Shipped => "costs as shipped for it",
            Origin::Cached => "costs of this machine, from the cache",
            Origin::Fitted => "costs of this machine, fitted now",
        };
        format!("{costs}; a core at {:.1} GHz now", 1.0 / self.clock.0)
    }

    /// Kernels that were compiled for the ring, which no model knows.
    pub(super) fn is_compiled(&self) -> bool {
        self.ring.route().compiled_name().is_some()
    }

    /// The ways that are listed, the fastest first.
    fn ways(&self) -> Vec<Way> {
        let method = |(i, candidate): (usize, &Candidate)| Way {
            cycles: Some(candidate.cycles()),
            measured: self.times.methods.get(i).copied(),
            name: candidate.method().to_string(),
        };
        let mut ways: Vec<_> = self.candidates.iter().take(LISTED).enumerate().map(method).collect();
        ways.extend(self.by_rows.as_ref().map(|ring| Way {
            cycles: ring.predicted_cycles(),
            measured: self.times.by_rows,
            name: ring.route().to_string(),
        }));
        let name = self.ring.route().compiled_name().map(|name| format!("{name}, compiled for this ring"));
        ways.extend(name.map(|name| Way { cycles: None, measured: self.times.compiled, name }));
        ways.sort_by(|x, y| x.cycles.unwrap_or(0.0).total_cmp(&y.cycles.unwrap_or(0.0)));
        ways
    }

    /// The fastest ways, with times.
    fn methods(&self) -> String {
        let shown = |ns: Option<f64>| ns.map_or_else(|| "-".into(), time);
        let mut rows = vec![[String::new(), "predicted".into(), "measured".into(), "method".into()]];
        for Way { cycles, measured, name } in self.ways() {
            let predicted = cycles.map(|cycles| cycles * self.clock.0);
            rows.push([String::new(), shown(predicted), shown(measured), name]);
        }
        rows.iter_mut().skip(1).zip(["chosen", "next best"]).for_each(|(row, mark)| row[0] = mark.into());
        let more = self.candidates.iter().count().saturating_sub(LISTED);
        let table = aligned(&rows, 1..3).concat();
        if more > 0 { format!("{table}and {more} more, slower as predicted\n") } else { table }
    }

    /// What does not serve, by its reason; more primes than are needed are not worth a line.
    fn refused(&self) -> String {
        let rows = "not rows of 16 bits: no three of their primes hold a product\n";
        let rows = if self.by_rows.is_none() { rows } else { "" };
        self.methods_refused() + rows
    }

    fn methods_refused(&self) -> String {
        let mut reasons: Vec<(WhyNot, Vec<String>)> = Vec::new();
        for refused in self.candidates.refused().filter(|refused| refused.why() != WhyNot::Fewer) {
            match reasons.iter_mut().find(|(known, _)| *known == refused.why()) {
                Some((_, what)) => what.push(refused.to_string()),
                None => reasons.push((refused.why(), vec![refused.to_string()])),
            }
        }
        let reason = |(why, what): (WhyNot, Vec<String>)| format!("not {}: {why}\n", what.join(", "));
        reasons.into_iter().map(reason).collect()
    }
}
