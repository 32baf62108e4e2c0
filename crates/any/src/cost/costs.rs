//! What a unit of work costs.

use crate::cost::work::{KINDS, Kind, Work};
use ringsmith_simd::Cpu;

/// What a unit of each kind of work costs on a machine, in cycles of its core.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Costs([f64; KINDS]);

impl Costs {
    /// Those that are shipped for a backend. They are of one machine, and serve others by their ratios.
    pub fn of(cpu: Cpu) -> Self {
        match cpu.name() {
            "avx512" => AVX512,
            "avx2" => AVX2,
            _ => BASELINE,
        }
    }

    /// Those of a list in the order of [`Kind::ALL`]; `None` unless all are numbers from 0 to a million.
    pub fn new(cycles: &[f64]) -> Option<Self> {
        let cycles: [f64; KINDS] = cycles.try_into().ok()?;
        let serve = cycles.iter().all(|x| (0.0..=GREATEST).contains(x));
        serve.then_some(Costs(cycles))
    }

    /// In the order of [`Kind::ALL`].
    pub fn values(&self) -> &[f64; KINDS] {
        &self.0
    }

    /// What work costs.
    pub fn cycles(&self, work: &Work) -> f64 {
        core::iter::zip(&self.0, work.units()).map(|(cost, units)| cost * units).sum()
    }

    /// The same of one kind.
    pub fn unit(&self, kind: Kind) -> f64 {
        self.0[kind as usize]
    }
}

/// No unit costs more.
const GREATEST: f64 = 1e6;

/// Of an AMD Zen 3.
const AVX2: Costs = Costs([
    26.0, 843.0, 97.4, 0.65, 1.15, 5.69, 1.7, 7.3, 3.0, 16.0, 4.31, 2.73, 1.96, 0.88, 8.93, 0.3, 18.9,
]);
/// Estimated from AVX2's and the ratios of transforms that were measured before (decision 57).
const AVX512: Costs =
    Costs([26.0, 843.0, 60.0, 0.65, 1.15, 5.69, 0.54, 6.2, 3.0, 16.0, 3.0, 0.6, 0.4, 0.3, 4.0, 0.3, 18.9]);
/// Of SSE2 on the same machine; other backends take them too.
const BASELINE: Costs = Costs([
    21.0, 1355.0, 195.5, 1.34, 2.6, 24.98, 8.0, 20.0, 10.09, 9.37, 2.58, 3.98, 6.47, 3.49, 57.0, 1.78, 17.8,
]);
