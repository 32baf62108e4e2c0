//! Noise of centred binomial distributions from random bits: a coefficient is the sum of `k` bits minus the
//! sum of `k` others. Constant time.
//!
//! Bits are added in parallel within the words of a row: first pairs, then fours, up to `k` bits.

use crate::bits::words;
use ringsmith_simd::{Kernel, Row, Row32, Simd, each};

/// Bytes of a row of [`Binomial3`]: six bits a coefficient.
pub const ROW_3: usize = 12;

/// Four bits a coefficient: the sum of two minus the sum of the other two.
///
/// A word holds four coefficients. Bits are added in pairs, pairs subtracted, which leaves numbers from 1 to
/// 5 in four bits each; these are cut out into four rows, which are put in order.
pub struct Binomial2<'a> {
    pub bytes: &'a [[u8; 32]; 4],
    pub out: &'a mut [Row; 16],
}

impl Kernel for Binomial2<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (bits, pairs, nibble) = (s.splat(0x5555), s.splat(0x3333), s.splat(15));
        let mut i = 0;
        while i < 4 {
            let x = s.load(&words(&self.bytes[i]));
            let sums = s.add(s.and(x, bits), s.and(s.shift_right::<1>(x), bits));
            let differences = s.sub(s.add(s.and(sums, pairs), pairs), s.and(s.shift_right::<2>(sums), pairs));
            let cut = [
                s.and(differences, nibble),
                s.and(s.shift_right::<4>(differences), nibble),
                s.and(s.shift_right::<8>(differences), nibble),
                s.and(s.shift_right::<12>(differences), nibble),
            ];
            let x: [_; 4] = each(
                #[inline(always)]
                |j| s.sub(cut[j], s.splat(3)),
            );
            let (a, b) = (s.zip::<1>(x[0], x[1]), s.zip::<1>(x[2], x[3]));
            let (first, last) = (s.zip::<2>(a.0, b.0), s.zip::<2>(a.1, b.1));
            let (first, last) = (s.zip::<8>(first.0, first.1), s.zip::<8>(last.0, last.1));
            s.store(&mut self.out[4 * i], first.0);
            s.store(&mut self.out[4 * i + 1], last.0);
            s.store(&mut self.out[4 * i + 2], first.1);
            s.store(&mut self.out[4 * i + 3], last.1);
            i += 1;
        }
    }
}

/// Six bits a coefficient: the sum of three minus the sum of the other three, in rows of [`ROW_3`] bytes.
pub struct Binomial3<'a> {
    /// The rows, and room for what a vector reads behind the last.
    pub bytes: &'a [u8],
    pub out: &'a mut [Row],
}

impl Kernel for Binomial3<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        // Every third bit of six: sums of three bits fit in three.
        let (thirds, low) = (s.splat(0b001_001), s.splat(0b111));
        let mut r = 0;
        while r < self.out.len() {
            if let Some(window) = self.bytes[ROW_3 * r..].first_chunk() {
                let bits = s.unpack::<6>(window);
                let pairs = s.add(s.and(bits, thirds), s.and(s.shift_right::<1>(bits), thirds));
                let sums = s.add(pairs, s.and(s.shift_right::<2>(bits), thirds));
                s.store(&mut self.out[r], s.sub(s.and(sums, low), s.shift_right::<3>(sums)));
            }
            r += 1;
        }
    }
}

/// Of each word, the bits of its low byte less those of its high byte.
pub struct Binomial8<'a> {
    pub bytes: &'a [[u8; 32]],
    pub out: &'a mut [Row],
}

impl Kernel for Binomial8<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let fours = s.splat(0x0f0f);
        for (bytes, out) in self.bytes.iter().zip(self.out) {
            let nibbles = nibble_sums(s, s.load(&words(bytes)));
            let bits = s.add(s.and(nibbles, fours), s.and(s.shift_right::<4>(nibbles), fours));
            s.store(out, s.sub(s.and(bits, s.splat(15)), s.shift_right::<8>(bits)));
        }
    }
}

/// The bits of the first two of four bytes less those of the other two: `k = 16`.
pub struct Binomial16<'a, const ROWS: usize> {
    pub bytes: &'a [[[u8; 32]; 2]; ROWS],
    pub out: &'a mut [Row; ROWS],
}

impl<const ROWS: usize> Kernel for Binomial16<'_, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut r = 0;
        while r < ROWS {
            let [low, high] = &self.bytes[r];
            s.store(&mut self.out[r], s.narrow(binomial_16_half(s, low), binomial_16_half(s, high)));
            r += 1;
        }
    }
}

/// Eight coefficients. Bits are added up to bytes; then one product adds two of these and takes off the other
/// two, in the highest byte.
#[inline(always)]
fn binomial_16_half<S: Simd>(s: S, bytes: &[u8; 32]) -> S::I32 {
    let (mut words, mut i): (Row32, _) = ([0; 8], 0);
    while i < 8 {
        words[i] = i32::from_le_bytes([bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2], bytes[4 * i + 3]]);
        i += 1;
    }
    let x = s.load32(&words);
    let (ones, twos, fours) = (s.splat32(0x5555_5555), s.splat32(0x3333_3333), s.splat32(0x0f0f_0f0f));
    let pairs = s.add32(s.and32(x, ones), s.and32(s.shift_right32::<1>(x), ones));
    let nibbles = s.add32(s.and32(pairs, twos), s.and32(s.shift_right32::<2>(pairs), twos));
    let bytes = s.add32(s.and32(nibbles, fours), s.and32(s.shift_right32::<4>(nibbles), fours));
    // What lies below the highest byte is less than half of it, of either sign.
    let sums = s.mul_lo32(bytes, s.splat32((1 << 24) + (1 << 16) - (1 << 8) - 1));
    s.shift_right32::<24>(s.add32(sums, s.splat32(1 << 23)))
}

/// Longa and Naehrig's noise, `k = 12`, of bytes `X`, `Y`, `Z`: coefficient `p` of each half is the
/// difference of the bits of bytes `2 p` and `2 p + 1`, the first half's of `X`, the second's of `Y`, each
/// with half of the bits of `Z`'s byte.
pub struct Binomial12<'a, const HALF: usize> {
    pub bytes: &'a [[[u8; 32]; HALF]; 3],
    pub out: &'a mut [[Row; HALF]; 2],
}

impl<const HALF: usize> Kernel for Binomial12<'_, HALF> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (nibble, low) = (s.splat(0x0f0f), s.splat(0xff));
        let mut r = 0;
        while r < HALF {
            let shared = nibble_sums(s, s.load(&words(&self.bytes[2][r])));
            let shared = [s.and(shared, nibble), s.and(s.shift_right::<4>(shared), nibble)];
            let mut half = 0;
            while half < 2 {
                let sums = nibble_sums(s, s.load(&words(&self.bytes[half][r])));
                let bytes = s.add(s.and(sums, nibble), s.and(s.shift_right::<4>(sums), nibble));
                let all = s.add(bytes, shared[half]);
                s.store(&mut self.out[half][r], s.sub(s.and(all, low), s.shift_right::<8>(all)));
                half += 1;
            }
            r += 1;
        }
    }
}

/// The bits of each nibble of sixteen words, added up.
#[inline(always)]
fn nibble_sums<S: Simd>(s: S, x: S::I16) -> S::I16 {
    let (ones, twos) = (s.splat(0x5555), s.splat(0x3333));
    let pairs = s.add(s.and(x, ones), s.and(s.shift_right::<1>(x), ones));
    s.add(s.and(pairs, twos), s.and(s.shift_right::<2>(pairs), twos))
}
