//! What was measured.

use crate::case::Id;
use ringsmith_probe::{CANARY_CYCLES, Kind};
use serde::{Deserialize, Serialize};

/// One row: the cost of one operation. The names of the fields are those of the JSON form, and stable.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measurement {
    /// The group of benchmarks, as `ring`.
    pub suite: String,
    /// What is computed in: a ring's or a scheme's name.
    pub subject: String,
    /// What is computed, as `product` or `keygen`.
    pub operation: String,
    /// Which library: `ringsmith`, or a peer with its version.
    pub implementation: String,
    /// The CPU backend.
    pub cpu: String,
    /// The algorithm's id; of a scheme, whether keys are checked.
    pub route: String,
    /// The least count of an operation over all batches: cycles only where `counter` is `hardware`, else its
    /// ticks.
    pub cycles_min: f64,
    /// The median over the batches; of operations of a list, over the list.
    pub cycles_median: f64,
    /// The mean over a list of operations that each take another time, as signatures do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycles_mean: Option<f64>,
    /// Instructions of an operation, where the hardware counts them.
    pub instructions: Option<f64>,
    /// The least wall time of an operation, in nanoseconds.
    pub ns_min: f64,
    /// `hardware`, `tsc` or `nanoseconds`.
    pub counter: String,
    /// The least count of the chain of 1000 cycles, taken before each batch of this row and of those it was
    /// interleaved with.
    pub canary: f64,
}

impl Measurement {
    /// The row's name.
    pub fn id(&self) -> Id {
        Id::new(&self.suite, &self.subject, &self.operation, &self.implementation, &self.cpu, &self.route)
    }

    /// Whether its counts are cycles of the core, not ticks of a clock.
    pub fn counts_cycles(&self) -> bool {
        self.counter == Kind::Hardware.name()
    }

    /// Cycles of the core for one operation: counted, or else estimated as `ticks * 1000 / canary`.
    pub fn core_cycles(&self) -> f64 {
        self.in_core_cycles(self.cycles_min)
    }

    /// A count of this row in cycles of the core.
    pub fn in_core_cycles(&self, count: f64) -> f64 {
        match self.counts_cycles() {
            true => count,
            false => count * CANARY_CYCLES as f64 / self.canary,
        }
    }
}
