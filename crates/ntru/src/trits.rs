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
use super::sample::IN_ORDER;
use super::ternary::{modulo_3, sum_of_lanes};
use ringsmith_kem::secret::SecretBytes;
use ringsmith_ring::Ring;
use ringsmith_simd::{Kernel, Places, Row, Simd, as_bytes};

/// Coefficients of a byte.
const DIGITS: usize = 5;

/// Bytes of a ternary element.
pub(super) const fn bytes(n: usize) -> usize {
    (n - 1).div_ceil(DIGITS)
}

/// Bytes of a vector.
const BYTES: usize = 32;

/// Coefficients 0, 1 and 2 as bytes; then, at each place, what a byte that begins there is. Five vectors have
/// a byte for each lane of one: those that are wanted are put together, and in order.
struct Join<'a> {
    a: &'a [Row],
    /// A vector for two rows, and more, as many as are read.
    digits: &'a mut [[i8; BYTES]],
    out: &'a mut [[i8; BYTES]],
}

/// Where a byte begins, in each of five vectors.
const BEGINS: [[i8; BYTES]; DIGITS] = {
    let (mut begins, mut i) = ([[0; BYTES]; DIGITS], 0);
    while i < BYTES {
        begins[DIGITS * i / BYTES][DIGITS * i % BYTES] = -1;
        i += 1;
    }
    begins
};

/// The bytes in order.
struct InOrder;

impl Places for InOrder {
    const PLACES: [u8; BYTES] = {
        let (mut places, mut i) = ([0; BYTES], 0);
        while i < BYTES {
            places[i] = (DIGITS * i % BYTES) as u8;
            i += 1;
        }
        places
    };
}

/// Coefficients of two rows as 0, 1 and 2.
#[inline(always)]
fn digits<S: Simd>(s: S, low: &Row, high: &Row) -> S::I16 {
    let (x, ones) = (s.narrow8(s.load(low), s.load(high)), s.splat(0x0101));
    s.add(s.and(x, ones), s.and(s.shift_right::<7>(x), ones))
}

/// The bytes that begin at the places of a vector, by Horner's rule: none is greater than a byte, so those of
/// a word are computed as one number.
#[inline(always)]
fn bytes_at<S: Simd>(s: S, digits: &[i8], at: usize) -> S::I16 {
    let three = s.splat(3);
    let digit = |i: usize| s.load8(digits[at + i..].first_chunk().expect("digits of all bytes"));
    let (mut x, mut i) = (digit(DIGITS - 1), DIGITS - 1);
    while i > 0 {
        i -= 1;
        x = s.add(s.mul_lo(x, three), digit(i));
    }
    x
}

impl Kernel for Join<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (used, behind) = self.digits.split_at_mut(self.a.len().div_ceil(2));
        for (out, rows) in used.iter_mut().zip(self.a.chunks(2)) {
            s.store8(out, digits(s, &rows[0], rows.get(1).unwrap_or(&[0; 16])));
        }
        behind.fill([0; BYTES]);
        let digits = self.digits.as_flattened();
        for (g, out) in self.out.iter_mut().enumerate() {
            let mut joined = s.splat(0);
            for (v, begins) in BEGINS.iter().enumerate() {
                let at = bytes_at(s, digits, BYTES * (DIGITS * g + v));
                joined = s.or(joined, s.and(at, s.load8(begins)));
            }
            s.store8(out, s.permute8::<InOrder>(joined));
        }
    }
}

/// Vectors of digits that are read for so many bytes: some lanes read beyond the last ones.
const fn vectors(bytes: usize) -> usize {
    DIGITS * bytes.div_ceil(BYTES) + 1
}

/// A ternary element, in [`bytes`].
pub(super) fn encode<R: Ring>(work: &mut Work<R>, a: &Ternary<R>, out: &mut [u8]) {
    let (cpu, rows) = (work.cpu(), const { R::N.div_ceil(16) });
    let (digits, rest) = work.rows_mut().split_at_mut(const { vectors(bytes(R::N)) });
    let joined = as_bytes(&mut rest[..const { bytes(R::N).div_ceil(BYTES) }]);
    cpu.run(Join { a: &a.rows()[..rows], digits: as_bytes(digits), out: joined });
    out.iter_mut().zip(joined.as_flattened()).for_each(|(out, byte)| *out = *byte as u8);
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
    bytes: &'a [[u8; 16]],
    last: &'a [u8; 16],
    /// Five of each sixteen bytes, as far as there is room.
    digits: &'a mut [Row],
}

/// The digits of sixteen bytes, and where these are greater than those of five.
#[inline(always)]
fn split<S: Simd>(s: S, bytes: &[u8; 16], digits: &mut [Row]) -> S::I16 {
    let [halves, factors] = &TO_THE_ONES;
    let constants = PLACES.iter().zip(halves).zip(factors);
    for (out, ((places, half), factor)) in digits.iter_mut().zip(constants) {
        let x = s.sub(s.pick(bytes, places), s.load(half));
        s.store(out, modulo_3(s, s.mul_hi_rounded(s.add(x, x), s.load(factor))));
    }
    s.gt(s.pick(bytes, IN_ORDER), s.splat(GREATEST))
}

impl Kernel for Split<'_> {
    type Out = i16;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i16 {
        let (bytes, mut more) = (self.bytes.iter().chain([self.last]), s.splat(0));
        for (bytes, digits) in bytes.zip(self.digits.chunks_mut(DIGITS)) {
            more = s.or(more, split(s, bytes, digits));
        }
        sum_of_lanes(s, more)
    }
}

/// A ternary element, and 0 where the bytes are one as it is written.
pub(super) fn decode<R: Ring>(work: &mut Work<R>, encoded: &[u8], out: &mut Ternary<R>) -> i16 {
    let ((bytes_of_rows, end), mut last) = (encoded.as_chunks(), SecretBytes::<16>::zero());
    last[..end.len()].copy_from_slice(end);
    let digits = &mut out.rows_mut()[..const { (DIGITS * bytes(R::N)).div_ceil(16) }];
    let more = work.cpu().run(Split { bytes: bytes_of_rows, last: &last, digits });
    let words = out.rows_mut().as_flattened();
    let behind = words[R::N - 1..const { DIGITS * bytes(R::N) }].iter().fold(0, |any, x| any | x);
    clear_from(R::N - 1, out.rows_mut());
    more | behind
}
