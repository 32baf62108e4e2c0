//! Noise of centred binomial distributions from random bits: a coefficient is the sum of `k` bits minus the sum of `k` others.
//! Constant time.
//!
//! Bits are added side by side in the words of a row: pairs, then fours, as far as a number goes.

use ringsmith_simd::{Kernel, Row, Simd, each};

/// Bytes of a row of [`Binomial3`]: six bits a coefficient.
pub(crate) const ROW_3: usize = 12;

/// Four bits a coefficient: the sum of two minus the sum of the other two.
///
/// A word holds four coefficients. Bits are added in pairs, pairs subtracted, which leaves numbers from 1 to 5 in four bits each; these
/// are cut out into four rows, which are put in order.
pub(crate) struct Binomial2<'a> {
    pub(crate) bytes: &'a [[u8; 32]; 4],
    pub(crate) out: &'a mut [Row; 16],
}

impl Kernel for Binomial2<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (bits, pairs, nibble) = (s.splat(0x5555), s.splat(0x3333), s.splat(15));
        let mut i = 0;
        while i < 4 {
            let mut words = [0; 16];
            let mut j = 0;
            while j < 16 {
                words[j] = i16::from_le_bytes([self.bytes[i][2 * j], self.bytes[i][2 * j + 1]]);
                j += 1;
            }
            let x = s.load(&words);
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
pub(crate) struct Binomial3<'a> {
    /// The rows, and room for what a vector reads behind the last.
    pub(crate) bytes: &'a [u8],
    pub(crate) out: &'a mut [Row],
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
pub(crate) struct Binomial8<'a> {
    pub(crate) bytes: &'a [[u8; 32]],
    pub(crate) out: &'a mut [Row],
}

impl Kernel for Binomial8<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (ones, twos, fours) = (s.splat(0x5555), s.splat(0x3333), s.splat(0x0f0f));
        for (bytes, out) in self.bytes.iter().zip(self.out) {
            let mut words = [0; 16];
            let mut i = 0;
            while i < 16 {
                words[i] = i16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]);
                i += 1;
            }
            let x = s.load(&words);
            let pairs = s.add(s.and(x, ones), s.and(s.shift_right::<1>(x), ones));
            let nibbles = s.add(s.and(pairs, twos), s.and(s.shift_right::<2>(pairs), twos));
            let bits = s.add(s.and(nibbles, fours), s.and(s.shift_right::<4>(nibbles), fours));
            s.store(out, s.sub(s.and(bits, s.splat(15)), s.shift_right::<8>(bits)));
        }
    }
}
