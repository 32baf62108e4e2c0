//! Ternary elements as bytes: five coefficients a byte.
//!
//! # The map
//! A byte is `c_0 + 3 c_1 + 9 c_2 + 27 c_3 + 81 c_4 < 243` with coefficients 0, 1 and 2, which is -1. The top
//! coefficient is 0 and is not written; what the last byte has no coefficients for is 0.
//!
//! The digits of sixteen bytes are found side by side: `floor(x / 3) = round((x - 1) / 3)`.
//!
//! Source: NTRU, round 3, sections 1.8.7 and 1.8.8. Constant time in the coefficients.

use super::element::{InRows, Ternary, Work, clear_from};
use super::ternary::{modulo_3, sum_of_lanes};
use ringsmith_kem::bits::read;
use ringsmith_kem::secret::SecretBytes;
use ringsmith_ring::Ring;
use ringsmith_ring::three::third;
use ringsmith_simd::{Kernel, Row, Simd, each};

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

/// The digits of bytes; not 0 if one of them has more than five.
struct Split<'a> {
    bytes: &'a [u8],
    digits: &'a mut [[Row; DIGITS]],
}

impl Kernel for Split<'_> {
    type Out = i16;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i16 {
        let (mut more, one) = (s.splat(0), s.splat(1));
        for (r, rows) in self.digits.iter_mut().enumerate() {
            let (mut x, mut i) = (read::<S, 8>(s, self.bytes, r), 0);
            while i < DIGITS {
                s.store(&mut rows[i], modulo_3(s, x));
                x = third(s, s.sub(x, one));
                i += 1;
            }
            more = s.add(more, x);
        }
        sum_of_lanes(s, more)
    }
}

/// A ternary element, and 0 where the bytes are one as it is written.
pub(super) fn decode<R: Ring>(work: &mut Work<R>, encoded: &[u8], out: &mut Ternary<R>) -> i16 {
    let cpu = work.cpu();
    let (front, end) = encoded.split_at(const { bytes(R::N) / 16 * 16 });
    let (mut last, rows) = (SecretBytes::<16>::zero(), const { bytes(R::N) / 16 });
    last[..end.len()].copy_from_slice(end);
    let digits = &mut work.rows_mut().as_chunks_mut::<DIGITS>().0[..=rows];
    let (whole, partial) = digits.split_at_mut(rows);
    let more = cpu.run(Split { bytes: front, digits: whole })
        | cpu.run(Split { bytes: last.as_ref(), digits: partial });
    let words = out.rows_mut().as_flattened_mut();
    // Byte `i` of sixteen has five coefficients, one in each row.
    for (group, rows) in words.as_chunks_mut::<DIGITS>().0.chunks_mut(16).zip(&*digits) {
        for (i, coefficients) in group.iter_mut().enumerate() {
            *coefficients = each(|j| rows[j][i]);
        }
    }
    let behind = words[R::N - 1..const { DIGITS * bytes(R::N) }].iter().fold(0, |any, x| any | x);
    clear_from(R::N - 1, out.rows_mut());
    more | behind
}
