//! Lanes of residues around 0, on doubles where there are fused multiply-adds: arithmetic modulo primes below
//! `2^49`, lazily reduced.
//!
//! # The maps
//! A value is an integer of either sign (`ringsmith_simd::ResidueLanes`, where the proofs are). A butterfly
//! is a product by a constant, a sum and a difference: eight operations on doubles, of which four multiply.
//! Values stay doubles from the reading of coefficients to their writing. All that is prepared of a second
//! factor is that it is reduced.
//!
//! # Bounds
//! `bounds`: a transform forward reduces its values once, before the last six layers; a pass backward the
//! half of its rows.
//!
//! # Source
//! See `ringsmith_simd::ResidueLanes`.

mod bounds;

use crate::WordError;
use crate::lanes::{Arithmetic, Body, Kind, Lanes, OnLanes};
use crate::memory::{Line64, Rows};
use crate::pair::Pair;
pub(crate) use bounds::PRIME_BITS;
use ringsmith_simd::{Cpu, CpuDoubles, Factor, Kernel, ResidueLanes, Simd, WideRow, residue_number};

/// This kind of lanes.
#[derive(Clone, Copy)]
pub(crate) struct Balanced;

/// A prime and what follows from it.
#[derive(Clone, Copy)]
pub(crate) struct Prime {
    p: u64,
    constants: [u64; 2],
    /// Makes factors of the backend.
    factor: fn(u64, u64) -> Factor,
}

/// What makes constants and factors of the backend.
struct Make;

impl Kernel for Make {
    type Out = (fn(u64) -> [u64; 2], fn(u64, u64) -> Factor);
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Self::Out {
        (S::constants49, S::factor49)
    }
}

impl<B: Body<Balanced>> Kernel for OnLanes<'_, Balanced, B> {
    type Out = B::Out;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> B::Out {
        self.body.run(Lanes49::new(s, self.prime))
    }
}

/// The number in `[0, p)` of a coefficient, on a backend of doubles: [`Lanes::write`] of one.
pub(crate) fn number(bits: u64, p: u64) -> u64 {
    residue_number(bits, p, true)
}

impl Kind for Balanced {
    type Cpu = CpuDoubles;
    type Line = Line64;
    type Prime = Prime;
    type Factor = Factor;
    type Cross = ();
    type FactorLines = [Line64; 2];
    type CrossLines = ();
    const PREPARED: usize = 1;
    /// 32 KiB.
    const NEAR: usize = 512;

    fn on(cpu: Cpu) -> Option<CpuDoubles> {
        CpuDoubles::new(cpu)
    }
    fn prime(on: CpuDoubles, p: u64) -> Prime {
        let (constants, factor) = on.run(Make);
        Prime { p, constants: constants(p), factor }
    }
    fn factor(prime: &Prime, w: u64) -> Factor {
        (prime.factor)(w, prime.p)
    }
    fn cross(_: &Prime, _: [u64; 3]) {}
    fn put([low, high]: &mut [Line64; 2], lane: usize, [w, quotient]: Factor) {
        (low.0[lane], high.0[lane]) = (w, quotient);
    }
    fn put_cross((): &mut (), _: usize, (): ()) {}
    fn zero(_: &Prime) -> Line64 {
        Line64::default()
    }
    fn run<B: Body<Self>>(on: CpuDoubles, prime: &Prime, body: B) -> B::Out {
        on.run(OnLanes::<Self, _> { prime, body })
    }
    fn rows(count: usize) -> Result<Rows, WordError> {
        Rows::wide(count)
    }
    fn lines(rows: &Rows) -> Result<&[Line64], WordError> {
        match rows {
            Rows::Wide(lines) => Ok(lines),
            _ => Err(WordError::OtherRing),
        }
    }
    fn lines_mut(rows: &mut Rows) -> Result<&mut [Line64], WordError> {
        match rows {
            Rows::Wide(lines) => Ok(lines),
            _ => Err(WordError::OtherRing),
        }
    }
}

/// The arithmetic in the lanes of a token.
#[derive(Clone, Copy)]
pub(crate) struct Lanes49<S: ResidueLanes> {
    s: S,
    p: S::Modulus,
}

impl<S: ResidueLanes> Lanes49<S> {
    /// Of a prime.
    #[inline(always)]
    fn new(s: S, prime: &Prime) -> Self {
        Lanes49 { s, p: s.modulus49(prime.p, prime.constants) }
    }
}

impl<S: ResidueLanes> Arithmetic for Lanes49<S> {
    type Vector = S::Residues;
    type Factors = [S::Residues; 2];
    type Cross = ();
    type Operand = S::Residues;
    #[inline(always)]
    fn butterfly(self, a: S::Residues, b: S::Residues, w: [S::Residues; 2]) -> [S::Residues; 2] {
        let t = self.s.times_residues(b, w, self.p);
        [self.s.add_residues(a, t), self.s.sub_residues(a, t)]
    }
    #[inline(always)]
    fn butterfly_back(self, a: S::Residues, b: S::Residues, w: [S::Residues; 2]) -> [S::Residues; 2] {
        [self.s.add_residues(a, b), self.s.times_residues(self.s.sub_residues(a, b), w, self.p)]
    }
    #[inline(always)]
    fn end_back(self, x: S::Residues) -> S::Residues {
        self.reduce(x)
    }
    #[inline(always)]
    fn end_sum(self, x: S::Residues) -> S::Residues {
        self.reduce(x)
    }
    #[inline(always)]
    fn transpose(self, x: [S::Residues; 8]) -> [S::Residues; 8] {
        self.s.transpose_residues(x)
    }
    #[inline(always)]
    fn renew(self, x: S::Residues) -> S::Residues {
        x
    }
    #[inline(always)]
    fn renew_before_tail(self, x: S::Residues) -> S::Residues {
        self.reduce(x)
    }
    #[inline(always)]
    fn reduce(self, x: S::Residues) -> S::Residues {
        self.s.reduce_residues(x, self.p)
    }
    #[inline(always)]
    fn scale(self, x: S::Residues, factor: [S::Residues; 2]) -> S::Residues {
        self.s.times_residues(x, factor, self.p)
    }
    #[inline(always)]
    fn operand(self, x: S::Residues) -> S::Residues {
        self.reduce(x)
    }
    #[inline(always)]
    fn product(self, a: S::Residues, b: S::Residues) -> S::Residues {
        self.s.multiply_residues(a, b, self.p)
    }
}

impl<S: ResidueLanes> Lanes for Lanes49<S> {
    type Kind = Balanced;
    type Two = Pair<Self>;
    #[inline(always)]
    fn two(self) -> Pair<Self> {
        Pair(self)
    }
    #[inline(always)]
    fn load(self, line: &Line64, _: usize) -> S::Residues {
        self.s.load_residues(&line.0)
    }
    #[inline(always)]
    fn store(self, line: &mut Line64, _: usize, x: S::Residues) {
        self.s.store_residues(&mut line.0, x);
    }
    #[inline(always)]
    fn splat(self, [w, quotient]: Factor) -> [S::Residues; 2] {
        [self.s.splat_residues(w), self.s.splat_residues(quotient)]
    }
    #[inline(always)]
    fn splat_cross(self, (): ()) {}
    #[inline(always)]
    fn load_factors(self, [low, high]: &[Line64; 2], _: usize) -> [S::Residues; 2] {
        [self.load(low, 0), self.load(high, 0)]
    }
    #[inline(always)]
    fn load_cross(self, (): &(), _: usize) {}
    #[inline(always)]
    fn load_operand(self, lines: &[Line64], _: usize) -> S::Residues {
        self.load(&lines[0], 0)
    }
    #[inline(always)]
    fn store_operand(self, lines: &mut [Line64], _: usize, x: S::Residues) {
        self.store(&mut lines[0], 0, x);
    }
    #[inline(always)]
    fn add_product(self, sum: S::Residues, product: S::Residues) -> S::Residues {
        self.reduce(self.s.add_residues(sum, product))
    }
    #[inline(always)]
    fn read(self, numbers: &WideRow, _: usize) -> S::Residues {
        self.s.residues(numbers)
    }
    #[inline(always)]
    fn begin(self, x: S::Residues) -> S::Residues {
        x
    }
    #[inline(always)]
    fn write(self, numbers: &mut WideRow, _: usize, x: S::Residues) {
        self.s.numbers(numbers, x, self.p);
    }
    #[inline(always)]
    fn write_values(self, numbers: &mut WideRow, _: usize, x: S::Residues) {
        self.write(numbers, 0, self.reduce(x));
    }
}
