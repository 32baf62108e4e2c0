//! Bits and bytes: FIPS 204, section 7.1. Numbers go into bits with the least significant first.
//!
//! A number `a` in `[top - 2^bits + 1, top]` is stored as `top - a`; where `top` does not appear, `a` is
//! stored as it is. Constant time, but for hints, which are public.

use crate::ring::{Extremes, N, Poly, ROWS, Words};
use crate::round::{D, T0_TOP, T1_BITS};
use ringsmith_kem::bits;
use ringsmith_simd::{Cpu, Kernel, Simd};

/// `BitPack` of coefficients in `(-2^(bits-1), 2^(bits-1)]`, of 18 or 20 bits, into `32 bits` bytes:
/// algorithm 17.
pub(crate) fn pack_mask(cpu: Cpu, bits: usize, poly: &Poly, out: &mut [u8]) {
    match bits {
        18 => cpu.run(Pack::<18> { poly, out }),
        _ => cpu.run(Pack::<20> { poly, out }),
    }
}

/// `BitUnpack` of as many: algorithm 19. Whether one is `bound` or more in absolute value, as a mask.
pub(crate) fn unpack_mask(cpu: Cpu, bits: usize, bytes: &[u8], bound: i32, poly: &mut Poly) -> i32 {
    match bits {
        18 => cpu.run(Unpack::<18> { bytes, bound, poly }),
        _ => cpu.run(Unpack::<20> { bytes, bound, poly }),
    }
}

/// `BitPack` of coefficients in `[-eta, eta]`.
pub(crate) fn pack_small(cpu: Cpu, eta: i32, s: &Words, out: &mut [u8]) {
    match eta {
        2 => cpu.run(PackSmall::<3> { eta, s, out }),
        _ => cpu.run(PackSmall::<4> { eta, s, out }),
    }
}

/// `BitUnpack` of coefficients that should be in `[-eta, eta]`: -1 where one is not, else 0.
pub(crate) fn unpack_small(cpu: Cpu, eta: i32, bytes: &[u8], s: &mut Words) -> i32 {
    match eta {
        2 => cpu.run(UnpackSmall::<3> { eta, bytes, s }),
        _ => cpu.run(UnpackSmall::<4> { eta, bytes, s }),
    }
}

/// `2^d t1`: algorithm 18, and a shift.
pub(crate) fn unpack_t1(cpu: Cpu, bytes: &[u8], poly: &mut Poly) {
    cpu.run(UnpackLow::<T1_BITS> { bytes, by: 1 << D, from: 0, poly });
}

/// `t0`.
pub(crate) fn unpack_t0(cpu: Cpu, bytes: &[u8], poly: &mut Poly) {
    cpu.run(UnpackLow::<{ D as usize }> { bytes, by: -1, from: T0_TOP, poly });
}

struct Pack<'a, const BITS: usize> {
    poly: &'a Poly,
    out: &'a mut [u8],
}

impl<const BITS: usize> Kernel for Pack<'_, BITS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (top, mut row) = (s.splat32(1 << (BITS - 1)), 0);
        while row < ROWS {
            let number = s.sub32(top, s.load32(&self.poly.0[row]));
            // 32 bytes are written: the next rows replace what is not theirs.
            if let Some(window) = self.out[BITS * row..].first_chunk_mut() {
                s.pack32::<BITS>(number, window);
            } else {
                let mut window = [0; 32];
                s.pack32::<BITS>(number, &mut window);
                self.out[BITS * row..][..BITS].copy_from_slice(&window[..BITS]);
            }
            row += 1;
        }
    }
}

struct Unpack<'a, const BITS: usize> {
    bytes: &'a [u8],
    bound: i32,
    poly: &'a mut Poly,
}

impl<const BITS: usize> Kernel for Unpack<'_, BITS> {
    type Out = i32;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i32 {
        let (top, mut extremes, mut row) = (s.splat32(1 << (BITS - 1)), Extremes::new(s), 0);
        while row < ROWS {
            let bytes = &self.bytes[BITS * row..];
            // 32 bytes are read; other parts follow most elements.
            let number = if let Some(window) = bytes.first_chunk() {
                s.unpack32::<BITS>(window)
            } else {
                let mut window = [0; 32];
                window[..BITS].copy_from_slice(&bytes[..BITS]);
                s.unpack32::<BITS>(&window)
            };
            let x = s.sub32(top, number);
            extremes = extremes.and(s, x);
            s.store32(&mut self.poly.0[row], x);
            row += 1;
        }
        extremes.exceed(s, self.bound)
    }
}

struct PackSmall<'a, const BITS: usize> {
    eta: i32,
    s: &'a Words,
    out: &'a mut [u8],
}

impl<const BITS: usize> Kernel for PackSmall<'_, BITS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (eta, mut row) = (s.splat(self.eta as i16), 0);
        while row < ROWS / 2 {
            bits::write::<S, BITS>(s, s.sub(eta, s.load(&self.s.0[row])), self.out, row);
            row += 1;
        }
    }
}

struct UnpackSmall<'a, const BITS: usize> {
    eta: i32,
    bytes: &'a [u8],
    s: &'a mut Words,
}

impl<const BITS: usize> Kernel for UnpackSmall<'_, BITS> {
    type Out = i32;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i32 {
        let (eta, least, mut row) = (s.splat(self.eta as i16), s.splat(-self.eta as i16), 0);
        let mut invalid = s.splat(0);
        while row < ROWS / 2 {
            let x = s.sub(eta, bits::read::<S, BITS>(s, self.bytes, row));
            invalid = s.or(invalid, s.gt(least, x));
            s.store(&mut self.s.0[row], x);
            row += 1;
        }
        let (mut lanes, mut any, mut i) = ([0; 16], 0, 0);
        s.store(&mut lanes, invalid);
        while i < 16 {
            any |= lanes[i];
            i += 1;
        }
        any.into()
    }
}

/// `by a + from` of numbers `a` of few bits.
struct UnpackLow<'a, const BITS: usize> {
    bytes: &'a [u8],
    by: i32,
    from: i32,
    poly: &'a mut Poly,
}

impl<const BITS: usize> Kernel for UnpackLow<'_, BITS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (by, from, mut row) = (s.splat32(self.by), s.splat32(self.from), 0);
        while row < ROWS / 2 {
            let (low, high) = s.widen(bits::read::<S, BITS>(s, self.bytes, row));
            s.store32(&mut self.poly.0[2 * row], s.add32(s.mul_word32(low, by), from));
            s.store32(&mut self.poly.0[2 * row + 1], s.add32(s.mul_word32(high, by), from));
            row += 1;
        }
    }
}

/// `HintBitPack`: algorithm 20. The rows hold 0 and 1, and at most `omega` ones; `out` has `omega` bytes and
/// one for each row.
pub(crate) fn pack_hints(omega: usize, rows: &[[u8; N]], out: &mut [u8]) {
    let (positions, counts) = out.split_at_mut(omega);
    positions.fill(0);
    let mut count = 0;
    for (row, end) in rows.iter().zip(counts) {
        for (i, eight) in row.as_chunks().0.iter().enumerate() {
            let mut left = u64::from_le_bytes(*eight);
            while left != 0 {
                positions[count] = (8 * i) as u8 + (left.trailing_zeros() / 8) as u8;
                (left, count) = (left & (left - 1), count + 1);
            }
        }
        *end = count as u8;
    }
}

/// The hints of a signature: positions of ones, row after row, and where each row's end.
#[derive(Clone, Copy)]
pub(crate) struct Hints<'a> {
    positions: &'a [u8],
    counts: &'a [u8],
}

impl<'a> Hints<'a> {
    /// `HintBitUnpack`: algorithm 21. `None` where the bytes are not the one encoding of hints: counts do not
    /// decrease nor exceed `omega`, positions of a row increase strictly, and what follows the last is zero.
    pub(crate) fn new(omega: usize, bytes: &'a [u8]) -> Option<Self> {
        let (positions, counts) = bytes.split_at(omega);
        let mut from = 0;
        for to in counts {
            let of_row = positions.get(from..usize::from(*to))?;
            if !of_row.is_sorted_by(|a, b| a < b) {
                return None;
            }
            from = usize::from(*to);
        }
        positions[from..].iter().all(|byte| *byte == 0).then_some(Hints { positions, counts })
    }

    /// The positions of a row.
    fn positions(self, row: usize) -> &'a [u8] {
        let from = if row == 0 { 0 } else { self.counts[row - 1].into() };
        &self.positions[from..self.counts[row].into()]
    }

    /// Puts -1 where a row has its hints; all else must be zero.
    pub(crate) fn set(self, row: usize, masks: &mut Words) {
        self.positions(row).iter().for_each(|i| masks.0.as_flattened_mut()[usize::from(*i)] = -1);
    }

    /// Puts zero there again.
    pub(crate) fn clear(self, row: usize, masks: &mut Words) {
        self.positions(row).iter().for_each(|i| masks.0.as_flattened_mut()[usize::from(*i)] = 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ring::{ZERO, ZERO_WORDS};

    /// Coefficients in `[-span, span + 1)`, all kinds.
    fn coefficients(span: i32) -> [i32; N] {
        core::array::from_fn(|i| match i {
            0 => span,
            1 => 1 - span,
            _ => (i as i32).wrapping_mul(0x2c1b_3c6d).rem_euclid(2 * span) + 1 - span,
        })
    }

    /// Packs by the definition.
    fn packed(bits: usize, numbers: impl Iterator<Item = i32>) -> std::vec::Vec<u8> {
        let mut out = std::vec![0; 32 * bits];
        for (i, number) in numbers.enumerate() {
            (0..bits).for_each(|b| {
                out[(bits * i + b) / 8] |= ((number >> b & 1) as u8) << ((bits * i + b) % 8);
            });
        }
        out
    }

    /// Protects: every packing against its definition, both ways, and the bounds, on every backend.
    #[test]
    fn packings() {
        for cpu in Cpu::available() {
            for bits in [18, 20] {
                let top = 1 << (bits - 1);
                let (numbers, mut poly, mut again) = (coefficients(top), ZERO, ZERO);
                poly.0.as_flattened_mut().copy_from_slice(&numbers);
                let expected = packed(bits, numbers.iter().map(|x| top - x));
                let mut out = std::vec![0; 32 * bits];
                pack_mask(cpu, bits, &poly, &mut out);
                assert_eq!(out, expected, "{bits} on {cpu:?}");
                assert_eq!(unpack_mask(cpu, bits, &out, top, &mut again), -1);
                assert_eq!(unpack_mask(cpu, bits, &out, top + 1, &mut again), 0);
                assert_eq!(again, poly);
            }
            for (eta, bits) in [(2, 3), (4, 4)] {
                let (mut s, mut again, mut out) = (ZERO_WORDS, ZERO_WORDS, [0; 128]);
                let numbers = coefficients(eta).map(|x| if x == 1 { -eta } else { x });
                s.0.as_flattened_mut().copy_from_slice(&numbers.map(|x| x as i16));
                pack_small(cpu, eta, &s, &mut out[..32 * bits]);
                assert_eq!(out[..32 * bits], packed(bits, numbers.iter().map(|x| eta - x)));
                assert_eq!(unpack_small(cpu, eta, &out[..32 * bits], &mut again), 0);
                assert_eq!(again, s);
                // The largest number is out of range, and so is the next one.
                for wrong in [2 * eta + 1, (1 << bits) - 1] {
                    let bytes = packed(bits, numbers.iter().map(|x| if *x == eta { wrong } else { eta - x }));
                    assert_eq!(unpack_small(cpu, eta, &bytes, &mut again), -1);
                }
            }
            let (numbers, mut poly) = (coefficients(512).map(|x| x + 511), ZERO);
            unpack_t1(cpu, &packed(10, numbers.iter().copied()), &mut poly);
            assert_eq!(poly.0.as_flattened(), numbers.map(|x| x << 13));
            let numbers = coefficients(4096);
            unpack_t0(cpu, &packed(13, numbers.iter().map(|x| 4096 - x)), &mut poly);
            assert_eq!(poly.0.as_flattened(), numbers);
        }
    }

    /// Protects: hints both ways, and each rule of their decoding.
    #[test]
    fn hint_rules() {
        let (mut rows, mut out) = ([[0; N]; 3], [7; 8]);
        (rows[0][3], rows[0][255], rows[2][0]) = (1, 1, 1);
        pack_hints(5, &rows, &mut out);
        assert_eq!(out, [3, 255, 0, 0, 0, 2, 2, 3]);
        let hints = Hints::new(5, &out).expect("valid");
        let mut masks = ZERO_WORDS;
        hints.set(0, &mut masks);
        assert!(masks.0[0][3] == -1 && masks.0[15][15] == -1);
        hints.clear(0, &mut masks);
        assert!(masks == ZERO_WORDS);
        // Order, equality, padding, a count that decreases, and one that is too large.
        for (at, byte) in [(0, 255), (1, 3), (4, 1), (6, 1), (7, 6), (5, 4)] {
            let mut other = out;
            other[at] = byte;
            assert!(Hints::new(5, &other).is_none(), "{at} {byte}");
        }
    }
}
