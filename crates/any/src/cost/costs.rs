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
const AVX2: Costs =
    Costs([200.0, 150.0, 30.0, 3.0, 0.8, 5.0, 1.2, 8.0, 3.0, 16.0, 0.5, 3.0, 1.5, 1.5, 4.0, 0.7, 7.0]);
const AVX512: Costs = AVX2;
const BASELINE: Costs = AVX2;
