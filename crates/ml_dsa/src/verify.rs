//! Verifying: FIPS 204, algorithm 8. All is public.
//!
//! The matrix is sampled and consumed row by row. Beside it runs the hash of the high parts, which takes each
//! row as soon as it is there.

use crate::codec::{self, Hints};
use crate::ring::{Ntt, Poly, Products, Values, Words, ZERO, ZERO_WORDS};
use crate::round::T1_BITS;
use crate::sample::{self, Matrix};
use crate::scheme::{MOST_HIGH, Parameters, WINDOW_BLANK, bytes};
use crate::small::Challenge;
use core::array::from_fn;
use ringsmith_hash::{IntermittentShake256, Lane, Streams, run_streams};
use ringsmith_simd::Cpu;

/// Bytes of `mu`.
const MU: usize = 64;

/// A verification, with `TERMS` = `L + 1` terms a row.
struct Verification<'a, P, const L: usize, const TERMS: usize> {
    cpu: Cpu,
    matrix: Matrix<'a>,
    rows: usize,
    set: core::marker::PhantomData<P>,
    /// `2^d t1`, encoded.
    t1: &'a [u8],
    hints: Hints<'a>,
    /// In the domain.
    z: [Values; L],
    /// `-c` in the domain.
    c: Values,
    t: Values,
    product: Products,
    poly: Poly,
    masks: Words,
    /// `mu`, and behind it the high parts of the rows so far.
    message: [u8; MU + MOST_HIGH],
    hash: IntermittentShake256,
    /// Rows so far.
    done: usize,
}

impl<P: Parameters, const L: usize, const TERMS: usize> Verification<'_, P, L, TERMS> {
    /// Takes the rows of the matrix that are there.
    fn advance(&mut self) {
        while self.matrix.row().is_some() {
            let row = self.done;
            codec::unpack_t1(self.cpu, &self.t1[row * bytes(T1_BITS)..][..bytes(T1_BITS)], &mut self.poly);
            Ntt::forward(self.cpu, &self.poly, &mut self.t);
            let a = from_fn(|i| if i < L { self.matrix.element(i) } else { &self.c });
            let z = from_fn(|i| self.z.get(i).unwrap_or(&self.t));
            Ntt::accumulate::<_, TERMS>(self.cpu, a, z, &mut self.product);
            self.matrix.consume();
            Ntt::inverse(self.cpu, &mut self.product, &mut self.poly);
            let out = &mut self.message[MU + row * bytes(P::HIGH_BITS)..][..bytes(P::HIGH_BITS)];
            self.hints.set(row, &mut self.masks);
            P::ROUNDING.corrected(self.cpu, P::HIGH_BITS, &self.poly, &self.masks, out);
            self.hints.clear(row, &mut self.masks);
            self.done += 1;
        }
    }

    /// Bytes of the message that are there.
    fn length(&self) -> usize {
        MU + self.done * bytes(P::HIGH_BITS)
    }

    /// How much of it is to be hashed beside other streams.
    fn hashable(&self) -> usize {
        if self.done < self.rows { self.length() } else { 0 }
    }
}

/// The number of the stream of the hash.
const HASH: usize = usize::MAX;

impl<P: Parameters, const L: usize, const TERMS: usize> Streams for Verification<'_, P, L, TERMS> {
    fn next(&mut self) -> Option<usize> {
        self.advance();
        if self.hash.ready(self.hashable()) { Some(HASH) } else { self.matrix.next() }
    }

    fn step(&mut self, stream: usize, lane: &mut Lane<'_>) -> bool {
        if stream == HASH {
            let hashable = self.hashable();
            return self.hash.step(&self.message[..hashable], lane);
        }
        self.matrix.step(stream, lane)
    }
}

/// Whether a signature is one of `mu`.
pub(crate) fn verify<P: Parameters, const K: usize, const L: usize, const TERMS: usize>(
    cpu: Cpu,
    verifying: &[u8],
    mu: &[u8; 64],
    signature: &[u8],
) -> bool {
    let (ctilde, rest) = signature.split_at(P::CTILDE);
    let (mut z, mut window) = ([Values::ZERO; L], WINDOW_BLANK);
    let Some(hints) = Hints::new(P::OMEGA, &rest[L * bytes(P::MASK_BITS)..]) else { return false };
    let Some((rho, t1)) = verifying.split_first_chunk() else { return false };
    if !response::<P>(cpu, rest, &mut z) {
        return false;
    }
    let mut verification = Verification::<P, L, TERMS> {
        cpu,
        matrix: Matrix::new(cpu, rho, [K, L], &mut window),
        rows: K,
        set: core::marker::PhantomData,
        t1,
        hints,
        z,
        c: challenge::<P>(cpu, ctilde),
        t: Values::ZERO,
        product: Products::ZERO,
        poly: ZERO,
        masks: ZERO_WORDS,
        message: [0; MU + MOST_HIGH],
        hash: IntermittentShake256::new_on(cpu),
        done: 0,
    };
    verification.message[..MU].copy_from_slice(mu);
    run_streams(cpu, verification.matrix.work(), &mut verification);
    verification.advance();
    let (mut again, length) = ([0; 64], verification.length());
    let again = &mut again[..P::CTILDE];
    verification.hash.finish(&verification.message[..length]).reader().squeeze(again);
    again == ctilde
}

/// Reads `z` into the domain; whether all of it is small enough.
fn response<P: Parameters>(cpu: Cpu, encoded: &[u8], z: &mut [Values]) -> bool {
    let mut poly = ZERO;
    z.iter_mut().enumerate().all(|(i, z)| {
        let bytes = &encoded[i * bytes(P::MASK_BITS)..];
        let exceeding = codec::unpack_mask(cpu, P::MASK_BITS, bytes, P::GAMMA1 - P::BETA, &mut poly);
        Ntt::forward(cpu, &poly, z);
        exceeding == 0
    })
}

/// `-c` in the domain.
fn challenge<P: Parameters>(cpu: Cpu, ctilde: &[u8]) -> Values {
    let (mut c, mut poly, mut values) = (Challenge::BLANK, ZERO, Values::ZERO);
    sample::in_ball(cpu, P::TAU, ctilde, &mut c);
    poly.0.as_flattened_mut().iter_mut().zip(c.coefficients).for_each(|(to, x)| *to = -i32::from(x));
    Ntt::forward(cpu, &poly, &mut values);
    values
}
