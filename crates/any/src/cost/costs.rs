//! What a unit of work costs.

use crate::cost::work::{KINDS, Kind, Work};
use ringsmith_simd::Cpu;

/// What a unit of each kind of work costs on a machine, in cycles of its core.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Costs([f64; KINDS]);

impl Costs {
    /// The shipped costs for a backend. They were measured on one machine, those of AVX-512 on one that
    /// computes 512 bits at once and on one that takes longer; on others their ratios are what matters.
    pub fn of(cpu: Cpu) -> Self {
        match cpu.name() {
            "avx512" if cpu.wide_64() => AVX512,
            "avx512" => AVX512_LONGER,
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

/// Of an Intel Sapphire Rapids, whose cores are those of Alder Lake, which has no AVX-512.
const AVX2: Costs = Costs([
    0.05, 601.0, 17.1, 0.404, 1.34, 3.29, 1.79, 2.86, 3.0, 16.0, 3.84, 2.91, 1.05, 3.05, 2.48, 6.85, 0.707,
    1.27, 18.9, 3.84,
]);
/// Of an AMD Zen 5. Nothing there takes lanes of 64 bits, numbers word by word or the definition beyond the
/// lowest degrees: their costs are estimates.
const AVX512: Costs = Costs([
    0.05, 573.0, 46.7, 0.0, 1.04, 3.32, 0.685, 1.52, 3.0, 16.0, 0.257, 0.131, 0.331, 0.597, 0.443, 4.0,
    0.304, 0.545, 18.9, 3.8,
]);
/// Of the Sapphire Rapids.
const AVX512_LONGER: Costs = Costs([
    0.05, 548.0, 27.0, 0.13, 0.451, 13.7, 1.1, 0.0, 3.0, 16.0, 4.86, 0.501, 0.331, 1.03, 1.58, 7.18, 0.469,
    0.807, 18.9, 3.94,
]);
/// Of SSE2 on the Zen 5; other backends take them too.
const BASELINE: Costs = Costs([
    0.0, 1430.0, 146.0, 0.04, 2.69, 22.6, 8.0, 20.0, 9.51, 13.3, 3.7, 7.67, 3.88, 9.74, 10.4, 57.0, 2.47,
    3.28, 17.6, 3.8,
]);
