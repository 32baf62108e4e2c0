//! Ternary elements as bytes: five coefficients a byte.
//!
//! # The map
//! A byte is `c_0 + 3 c_1 + 9 c_2 + 27 c_3 + 81 c_4 < 243` with coefficients 0, 1 and 2, which is -1. The top
//! coefficient is 0 and is not written; what the last byte has no coefficients for is 0.
//!
//! A lane has the byte of its coefficient, and `floor(x / m) = round((x - (m - 1) / 2) / m)` for odd `m`: of
//! `m = 3^j` that has digit `j` at the ones.
//!
//! Source: NTRU, round 3, sections 1.8.7 and 1.8.8. Constant time in the coefficients.

use super::element::{InRows, Ternary, Work, clear_from};
use super::ternary::{modulo_3, sum_of_lanes};
use ringsmith_ring::Ring;
use ringsmith_simd::{Kernel, Row, Simd, wipe};

/// Coefficients of a byte.
const DIGITS: usize = 5;

/// Bytes of a ternary element.
pub(super) const fn bytes(n: usize) -> usize {
    (n - 1).div_ceil(DIGITS)
}

/// Coefficients 0, 1 and 2; then, at each place, what a byte that begins there is.
struct Join<'a> {
    a: &'a [Row],
    /// One row more, of zeroes.
    digits: &'a mut [Row],
    sums: &'a mut [Row],
}

impl Kernel for Join<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let three = s.splat(3);
        for (digits, row) in self.digits.iter_mut().zip(self.a) {
            let x = s.load(row);
            s.store(digits, s.add(x, s.and(s.shift_right::<15>(x), three)));
        }
        let digits = self.digits.as_flattened();
        for (r, sum) in self.sums.iter_mut().enumerate() {
            let at = |i: usize| s.load(digits[16 * r + i..].first_chunk().expect("a row more"));
            let (mut x, mut i) = (at(DIGITS - 1), DIGITS - 1);
            while i > 0 {
                i -= 1;
                x = s.add(s.mul_lo(x, three), at(i));
            }
            s.store(sum, x);
        }
    }
}

/// A ternary element, in [`bytes`].
pub(super) fn encode<R: Ring>(work: &mut Work<R>, a: &Ternary<R>, out: &mut [u8]) {
    let (cpu, rows) = (work.cpu(), const { R::N.div_ceil(16) });
    let (digits, rest) = work.rows_mut().split_at_mut(rows + 1);
    let sums = &mut rest[..rows];
    digits[rows] = [0; 16];
    cpu.run(Join { a: &a.rows()[..rows], digits, sums });
    for (byte, sums) in out.iter_mut().zip(sums.as_flattened().chunks(DIGITS)) {
        *byte = sums[0] as u8;
    }
}

/// The byte of sixteen of which lane `l` of row `r` has a digit.
const PLACES: [Row; DIGITS] = {
    let (mut places, mut i) = ([[0; 16]; DIGITS], 0);
    while i < 16 * DIGITS {
        places[i / 16][i % 16] = (i / DIGITS) as i16;
        i += 1;
    }
    places
};

/// What brings such a digit to the ones: less half of `3^j - 1`, then twice that times `2^14 / 3^j`.
const TO_THE_ONES: [[Row; DIGITS]; 2] = {
    let ([mut halves, mut factors], mut i) = ([[[0; 16]; DIGITS]; 2], 0);
    while i < 16 * DIGITS {
        let power = 3_i32.pow((i % DIGITS) as u32);
        halves[i / 16][i % 16] = ((power - 1) / 2) as i16;
        factors[i / 16][i % 16] = (((1 << 15) / power + 1) / 2) as i16;
        i += 1;
    }
    [halves, factors]
};

const _: () = {
    let (mut x, mut j) = (0, 0);
    while j < DIGITS {
        let (half, factor) = (TO_THE_ONES[0][0][j] as i32, TO_THE_ONES[1][0][j] as i32);
        while x <= u8::MAX as i32 {
            assert!((2 * (x - half) * factor + (1 << 14)) >> 15 == x / (2 * half + 1), "not the quotient");
            x += 1;
        }
        (x, j) = (0, j + 1);
    }
};

/// The greatest byte of five coefficients.
const GREATEST: i16 = 3_i16.pow(DIGITS as u32) - 1;

/// The digits of bytes, centred; not 0 if one of them has more than five.
struct Split<'a> {
    bytes: &'a [u8],
    /// Five of each sixteen bytes, as far as there is room.
    digits: &'a mut [Row],
}

/// The digits of sixteen bytes, and where these are greater than those of five.
#[inline(always)]
fn split<S: Simd>(s: S, bytes: &[u8; 16], digits: &mut [Row]) -> S::I16 {
    const EACH: Row = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    let [halves, factors] = &TO_THE_ONES;
    let constants = PLACES.iter().zip(halves).zip(factors);
    for (out, ((places, half), factor)) in digits.iter_mut().zip(constants) {
        let x = s.sub(s.pick(bytes, places), s.load(half));
        s.store(out, modulo_3(s, s.mul_hi_rounded(s.add(x, x), s.load(factor))));
    }
    s.gt(s.pick(bytes, &EACH), s.splat(GREATEST))
}

impl Kernel for Split<'_> {
    type Out = i16;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i16 {
        let ((bytes, end), mut more) = (self.bytes.as_chunks::<16>(), s.splat(0));
        let mut groups = self.digits.chunks_mut(DIGITS);
        for (bytes, digits) in bytes.iter().zip(groups.by_ref()) {
            more = s.or(more, split(s, bytes, digits));
        }
        let mut last = [0; 16];
        last[..end.len()].copy_from_slice(end);
        if let Some(digits) = groups.next() {
            more = s.or(more, split(s, &last, digits));
        }
        wipe(&mut last);
        sum_of_lanes(s, more)
    }
}

/// A ternary element, and 0 where the bytes are one as it is written.
pub(super) fn decode<R: Ring>(work: &mut Work<R>, encoded: &[u8], out: &mut Ternary<R>) -> i16 {
    let rows = const { (DIGITS * bytes(R::N)).div_ceil(16) };
    let more = work.cpu().run(Split { bytes: encoded, digits: &mut out.rows_mut()[..rows] });
    let words = out.rows_mut().as_flattened();
    let behind = words[R::N - 1..const { DIGITS * bytes(R::N) }].iter().fold(0, |any, x| any | x);
    clear_from(R::N - 1, out.rows_mut());
    more | behind
}
