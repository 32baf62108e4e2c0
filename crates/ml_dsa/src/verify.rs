//! Verifying: FIPS 204, algorithm 8. All is public.
//!
//! The matrix is sampled and consumed row by row, unless it is [kept](Expanded). Beside it runs the hash of
//! the high parts, which takes each row as soon as it is there.

use crate::codec::{self, Hints};
use crate::ring::{Ntt, Poly, Products, Values, Words, ZERO, ZERO_WORDS};
use crate::round::T1_BITS;
use crate::sample::{self, Matrix};
use crate::scheme::{MOST_HIGH, Parameters, WINDOW_BLANK, bytes};
use crate::sign::sample_both;
use crate::small::Challenge;
use core::array::from_fn;
use core::marker::PhantomData;
use ringsmith_hash::{IntermittentShake256, Lane, Shake256, Streams, run_streams};
use ringsmith_simd::Cpu;

/// Bytes of `mu`.
const MU: usize = 64;
/// The most bytes of a challenge's hash.
pub(crate) const MOST_CTILDE: usize = 64;

/// The high parts of `A z - c t1 2^d`, by a signature; rows have `TERMS` = `L + 1` terms.
struct High<'a, P, const L: usize, const TERMS: usize> {
    cpu: Cpu,
    set: PhantomData<P>,
    hints: Hints<'a>,
    /// In the domain.
    z: &'a [Values; L],
    /// `-c` in the domain.
    c: Values,
    product: Products,
    poly: Poly,
    masks: Words,
    /// `mu`, and behind it the high parts of the rows so far.
    message: [u8; MU + MOST_HIGH],
    /// Rows so far.
    rows: usize,
}

impl<'a, P: Parameters, const L: usize, const TERMS: usize> High<'a, P, L, TERMS> {
    /// Before the first row.
    fn new(cpu: Cpu, ctilde: &[u8], hints: Hints<'a>, z: &'a [Values; L], mu: &[u8; MU]) -> Self {
        let mut high = High {
            cpu,
            set: PhantomData,
            hints,
            z,
            c: Values::ZERO,
            product: Products::ZERO,
            poly: ZERO,
            masks: ZERO_WORDS,
            message: [0; MU + MOST_HIGH],
            rows: 0,
        };
        high.message[..MU].copy_from_slice(mu);
        let mut c = Challenge::BLANK;
        sample::in_ball(cpu, P::TAU, ctilde, &mut c);
        c.widen(&mut high.poly);
        high.poly.0.as_flattened_mut().iter_mut().for_each(|x| *x = -*x);
        Ntt::forward(cpu, &high.poly, &mut high.c);
        high
    }

    /// The next row, of these elements of the matrix, and of `2^d t1` in the domain.
    fn row<'m>(&mut self, element: impl Fn(usize) -> &'m Values, t: &Values) {
        let a = from_fn(|i| if i < L { element(i) } else { &self.c });
        let z = from_fn(|i| self.z.get(i).unwrap_or(t));
        Ntt::accumulate::<_, TERMS>(self.cpu, a, z, &mut self.product);
        Ntt::inverse(self.cpu, &mut self.product, &mut self.poly);
        let out = &mut self.message[MU + self.rows * bytes(P::HIGH_BITS)..][..bytes(P::HIGH_BITS)];
        self.hints.set(self.rows, &mut self.masks);
        P::ROUNDING.corrected(self.cpu, P::HIGH_BITS, &self.poly, &self.masks, out);
        self.hints.clear(self.rows, &mut self.masks);
        self.rows += 1;
    }

    /// `mu`, and the rows so far.
    fn message(&self) -> &[u8] {
        &self.message[..MU + self.rows * bytes(P::HIGH_BITS)]
    }
}

/// A verification that samples the matrix.
struct Verification<'a, P, const L: usize, const TERMS: usize> {
    matrix: Matrix<'a>,
    /// How many rows there are.
    count: usize,
    /// `t1`, encoded.
    t1: &'a [u8],
    t: Values,
    high: High<'a, P, L, TERMS>,
    hash: IntermittentShake256,
}

impl<P: Parameters, const L: usize, const TERMS: usize> Verification<'_, P, L, TERMS> {
    /// Takes the rows of the matrix that are there.
    fn advance(&mut self) {
        while self.matrix.row().is_some() {
            transform_t1(self.high.cpu, self.t1, self.high.rows, &mut self.t);
            self.high.row(|column| self.matrix.element(column), &self.t);
            self.matrix.consume();
        }
    }

    /// What is to be hashed beside other streams.
    fn hashable(&self) -> &[u8] {
        if self.high.rows < self.count { self.high.message() } else { &[] }
    }
}

/// A row of `2^d t1` in the domain.
fn transform_t1(cpu: Cpu, t1: &[u8], row: usize, t: &mut Values) {
    let mut poly = ZERO;
    codec::unpack_t1(cpu, &t1[row * bytes(T1_BITS)..][..bytes(T1_BITS)], &mut poly);
    Ntt::forward(cpu, &poly, t);
}

/// The number of the stream of the hash.
const HASH: usize = usize::MAX;

impl<P: Parameters, const L: usize, const TERMS: usize> Streams for Verification<'_, P, L, TERMS> {
    fn next(&mut self) -> Option<usize> {
        self.advance();
        if self.hash.ready(self.hashable().len()) { Some(HASH) } else { self.matrix.next() }
    }

    fn step(&mut self, stream: usize, lane: &mut Lane<'_>) -> bool {
        if stream != HASH {
            return self.matrix.step(stream, lane);
        }
        let done = self.high.rows == self.count;
        self.hash.step(if done { &[] } else { self.high.message() }, lane)
    }
}

/// The parts of a signature: `ctilde`, `z` in the domain, hints. `None` where it is none.
fn read<'a, P: Parameters, const L: usize>(
    cpu: Cpu,
    signature: &'a [u8],
    z: &mut [Values; L],
) -> Option<(&'a [u8], Hints<'a>)> {
    let (ctilde, rest) = signature.split_at(P::CTILDE);
    let (mut poly, hints) = (ZERO, Hints::new(P::OMEGA, &rest[L * bytes(P::MASK_BITS)..])?);
    for (i, z) in z.iter_mut().enumerate() {
        let encoded = &rest[i * bytes(P::MASK_BITS)..];
        if codec::unpack_mask(cpu, P::MASK_BITS, encoded, P::GAMMA1 - P::BETA, &mut poly) != 0 {
            return None;
        }
        Ntt::forward(cpu, &poly, z);
    }
    Some((ctilde, hints))
}

/// Whether a hash is that of a signature.
fn matches(ctilde: &[u8], hash: Shake256) -> bool {
    let mut again = [0; MOST_CTILDE];
    let again = &mut again[..ctilde.len()];
    hash.reader().squeeze(again);
    #[cfg(ringsmith_internals)]
    crate::internals::note_challenge(again);
    again == ctilde
}

/// Whether a signature is one of `mu`.
pub(crate) fn verify<P: Parameters, const L: usize, const TERMS: usize>(
    cpu: Cpu,
    count: usize,
    verifying: &[u8],
    mu: &[u8; MU],
    signature: &[u8],
) -> bool {
    let (mut z, mut window) = ([Values::ZERO; L], WINDOW_BLANK);
    let Some((ctilde, hints)) = read::<P, L>(cpu, signature, &mut z) else { return false };
    let Some((rho, t1)) = verifying.split_first_chunk() else { return false };
    let mut verification = Verification::<P, L, TERMS> {
        matrix: Matrix::new(cpu, rho, [count, L], &mut window),
        count,
        t1,
        t: Values::ZERO,
        high: High::new(cpu, ctilde, hints, &z, mu),
        hash: IntermittentShake256::new_on(cpu),
    };
    run_streams(cpu, verification.matrix.work(), &mut verification);
    verification.advance();
    matches(ctilde, verification.hash.finish(verification.high.message()))
}

/// A public key with the matrix, and `2^d t1` in the domain.
#[derive(Clone)]
pub struct Expanded<const K: usize, const L: usize> {
    matrix: [[Values; L]; K],
    t: [Values; K],
}

impl<const K: usize, const L: usize> Expanded<K, L> {
    /// Room for one.
    pub(crate) const BLANK: Self = Expanded { matrix: [[Values::ZERO; L]; K], t: [Values::ZERO; K] };

    /// Expands a public key.
    pub(crate) fn fill(&mut self, cpu: Cpu, verifying: &[u8]) {
        let Some((rho, t1)) = verifying.split_first_chunk() else { return };
        sample_both(cpu, rho, [K, L], self.matrix.as_flattened_mut(), None);
        self.t.iter_mut().enumerate().for_each(|(row, t)| transform_t1(cpu, t1, row, t));
    }

    /// Whether a signature is one of `mu`, on the CPU that expanded the key.
    pub(crate) fn verify<P: Parameters, const TERMS: usize>(
        &self,
        cpu: Cpu,
        mu: &[u8; MU],
        signature: &[u8],
    ) -> bool {
        let mut z = [Values::ZERO; L];
        let Some((ctilde, hints)) = read::<P, L>(cpu, signature, &mut z) else { return false };
        let mut high = High::<P, L, TERMS>::new(cpu, ctilde, hints, &z, mu);
        self.matrix.iter().zip(&self.t).for_each(|(a, t)| high.row(|column| &a[column], t));
        matches(ctilde, Shake256::new_on(cpu).absorb(high.message()))
    }
}
