//! What is printed.

use super::Origin;
use super::fit::{Clock, Times};
use crate::any;
use crate::table::time;
use ringsmith::any::{Candidates, Ring, WhyNot};
use ringsmith_probe::aligned;
use std::fmt::Write;

/// How many methods are listed.
const LISTED: usize = 6;

/// A ring and what is known of its methods.
pub(super) struct Page<'a> {
    /// By the choice.
    pub(super) ring: &'a Ring,
    pub(super) candidates: &'a Candidates,
    pub(super) times: &'a Times,
    pub(super) origin: Origin,
    pub(super) clock: Clock,
}

impl Page<'_> {
    /// All of it.
    pub(super) fn text(&self) -> String {
        let (route, mut text) = (self.ring.route(), String::new());
        let operands = match self.ring.operands().bound() {
            None => "any two elements".into(),
            Some(bound) => format!("any element, and one with coefficients from -{bound} to {bound}"),
        };
        let lines = [
            ("ring", any::name(self.ring)),
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

    /// The fastest methods, with times.
    fn methods(&self) -> String {
        let measured = |ns: Option<f64>| ns.map_or_else(|| "-".into(), time);
        let mut rows = vec![[String::new(), "predicted".into(), "measured".into(), "method".into()]];
        let route = self.ring.route();
        if route.is_compiled() {
            let of_ring = |name| format!("{name}, compiled for this ring");
            let method = route.compiled_name().map_or_else(|| route.to_string(), of_ring);
            let predicted = measured(self.ring.predicted_cycles().map(|cycles| cycles * self.clock.0));
            rows.push([String::new(), predicted, measured(self.times.compiled), method]);
        }
        for (i, candidate) in self.candidates.iter().take(LISTED).enumerate() {
            let predicted = time(candidate.cycles() * self.clock.0);
            let method = candidate.method().to_string();
            rows.push([String::new(), predicted, measured(self.times.methods.get(i).copied()), method]);
        }
        rows.iter_mut().skip(1).zip(["chosen", "next best"]).for_each(|(row, mark)| row[0] = mark.into());
        let more = self.candidates.iter().count().saturating_sub(LISTED);
        let table = aligned(&rows, 1..3).concat();
        if more > 0 { format!("{table}and {more} more, slower as predicted\n") } else { table }
    }

    /// What does not serve, by its reason; more primes than are needed are not worth a line.
    fn refused(&self) -> String {
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
