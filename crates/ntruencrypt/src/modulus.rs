//! The moduli: `2^11`, and the prime 9829 of a field.
//!
//! # Bounds
//! Centred coefficients; sums of one and three times another, which fit words and are centred again.

use ringsmith_ring::bound::Bound;
use ringsmith_ring::residues::{Arithmetic, Odd, Residues};
use ringsmith_simd::Simd;

/// What is asked of a modulus. Constant time in the coefficients.
pub trait Modulus: Copy + Send + Sync + 'static {
    /// The modulus.
    const Q: i64;
    /// Bits of a coefficient in bytes.
    const BITS: usize;
    /// Bytes of a row.
    const ROW_BYTES: usize = 2 * Self::BITS;

    /// `x`, centred, of up to `2 q`.
    fn centred<S: Simd>(s: S, x: S::I16) -> S::I16;
    /// The number from 0 to `q - 1` that is congruent to a centred one.
    fn canonical<S: Simd>(s: S, x: S::I16) -> S::I16;
    /// The same of a word.
    fn canonical_word(x: i16) -> u16;
    /// `any`, and its sign bit where `x`, of [`BITS`](Self::BITS) bits, is not below `q`.
    fn with_sign<S: Simd>(s: S, any: S::I16, x: S::I16) -> S::I16;
    /// A row of canonical numbers as bytes, the least significant bit first.
    fn pack<S: Simd>(s: S, x: S::I16, out: &mut [u8; 32]);
    /// The inverse.
    fn unpack<S: Simd>(s: S, bytes: &[u8; 32]) -> S::I16;
}

/// `2^11`.
#[derive(Clone, Copy, Debug)]
pub struct TwoTo11;

impl TwoTo11 {
    const HALF: i16 = (Self::Q / 2) as i16;
    const MASK: i16 = (Self::Q - 1) as i16;
}

impl Modulus for TwoTo11 {
    const Q: i64 = 1 << Self::BITS;
    const BITS: usize = 11;

    #[inline(always)]
    fn centred<S: Simd>(s: S, x: S::I16) -> S::I16 {
        let half = s.splat(Self::HALF);
        s.sub(s.and(s.add(x, half), s.splat(Self::MASK)), half)
    }
    #[inline(always)]
    fn canonical<S: Simd>(s: S, x: S::I16) -> S::I16 {
        s.and(x, s.splat(Self::MASK))
    }
    fn canonical_word(x: i16) -> u16 {
        (x & Self::MASK) as u16
    }
    #[inline(always)]
    fn with_sign<S: Simd>(_: S, any: S::I16, _: S::I16) -> S::I16 {
        any
    }
    #[inline(always)]
    fn pack<S: Simd>(s: S, x: S::I16, out: &mut [u8; 32]) {
        s.pack::<11>(x, out);
    }
    #[inline(always)]
    fn unpack<S: Simd>(s: S, bytes: &[u8; 32]) -> S::I16 {
        s.unpack::<11>(bytes)
    }
}

/// 9829.
#[derive(Clone, Copy, Debug)]
pub struct Prime9829;

impl Prime9829 {
    const Q_WORD: i16 = Self::Q as i16;
}

impl Modulus for Prime9829 {
    const Q: i64 = 9829;
    const BITS: usize = 14;

    #[inline(always)]
    fn centred<S: Simd>(s: S, x: S::I16) -> S::I16 {
        const { assert!(Odd::<9829>::MODULUS.centres(Bound::symmetric(2 * Self::Q)), "not centred") };
        Odd::<9829>.shrink(s, x)
    }
    #[inline(always)]
    fn canonical<S: Simd>(s: S, x: S::I16) -> S::I16 {
        s.add(x, s.and(s.shift_right::<15>(x), s.splat(Self::Q_WORD)))
    }
    fn canonical_word(x: i16) -> u16 {
        (x + (x >> 15 & Self::Q_WORD)) as u16
    }
    #[inline(always)]
    fn with_sign<S: Simd>(s: S, any: S::I16, x: S::I16) -> S::I16 {
        // The sums of masks are 0 or below, and above -2^15 for as many rows as there are.
        s.add(any, s.gt(x, s.splat(Self::Q_WORD - 1)))
    }
    #[inline(always)]
    fn pack<S: Simd>(s: S, x: S::I16, out: &mut [u8; 32]) {
        s.pack::<14>(x, out);
    }
    #[inline(always)]
    fn unpack<S: Simd>(s: S, bytes: &[u8; 32]) -> S::I16 {
        s.unpack::<14>(bytes)
    }
}
