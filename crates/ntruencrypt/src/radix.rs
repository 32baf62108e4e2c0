//! Elements modulo 9829 in mixed radix: three coefficients in five bytes.
//!
//! # The map
//! Of numbers below `q` the first three are `c_0 + q c_1 + q^2 c_2 < 2^40`, five bytes, the least significant
//! first; and so on. A coefficient that is left is two bytes. What is `q^3` or more, or at last `q` or more,
//! is none.
//!
//! # Division
//! With `r = floor(2^s / m)` the number `floor(v r / 2^s)` is the quotient of `v` by `m` or one less, for a
//! `v` up to `2^s`.
//!
//! # Source
//! Ringsmith's own: I. Gorbenko, O. Kachko, G. Naumenko (2016) have no format. Public keys alone are written
//! so: nothing here is a secret.

use crate::modulus::{Modulus, Prime9829};
use ringsmith_simd::Row;

/// Coefficients of a group, and its bytes.
const GROUP: usize = 3;
const GROUP_BYTES: usize = 5;
/// Bytes of a coefficient that is left.
const LAST_BYTES: usize = 2;
/// The modulus, and its square.
const Q: u64 = Prime9829::Q as u64;
const Q2: u64 = Q * Q;

const _: () = assert!(Q2 * Q < 1 << (8 * GROUP_BYTES) && Q < 1 << (8 * LAST_BYTES));

/// Bytes of `n` coefficients, of which a group leaves one, or none.
pub(crate) const fn bytes(n: usize) -> usize {
    assert!(n % GROUP < 2, "two coefficients are left");
    n / GROUP * GROUP_BYTES + n % GROUP * LAST_BYTES
}

/// The quotient by `M` and the rest, of numbers below `2^BITS`.
const fn divided<const M: u64, const BITS: u32>(x: u64) -> (u64, u64) {
    let reciprocal = const {
        assert!(2 * BITS - M.ilog2() < 64, "a product that overflows");
        (1 << BITS) / M
    };
    let quotient = (x * reciprocal) >> BITS;
    let rest = x - quotient * M;
    let more = (rest >= M) as u64;
    (quotient + more, rest - more * M)
}

/// A number below `2^14`, centred.
const fn centred(x: u64) -> i16 {
    x as i16 - (Q as i16) * (x > Q / 2) as i16
}

/// The first `n` coefficients as bytes.
pub(crate) fn pack(a: &[Row], n: usize, out: &mut [u8]) {
    let words = &a.as_flattened()[..n];
    for (group, out) in words.chunks(GROUP).zip(out.chunks_mut(GROUP_BYTES)) {
        let number = group.iter().rev().fold(0, |sum, x| sum * Q + u64::from(Prime9829::canonical_word(*x)));
        out.copy_from_slice(&number.to_le_bytes()[..out.len()]);
    }
}

/// The inverse, centred, with zeroes behind the coefficients; not 0 where a number is none.
pub(crate) fn unpack(bytes: &[u8], n: usize, out: &mut [Row]) -> u16 {
    let (words, behind) = out.as_flattened_mut().split_at_mut(n);
    let mut bad = 0;
    for (group, bytes) in words.chunks_mut(GROUP).zip(bytes.chunks(GROUP_BYTES)) {
        let number = bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
        let (high, rest) = divided::<Q2, 40>(number);
        let (middle, low) = divided::<Q, 28>(rest);
        let numbers = [low, middle, high];
        // Of a group it is the last that may be too great, of one that is left the others, too.
        bad |= numbers.iter().skip(group.len()).fold((high >= Q) as u64, |any, x| any | x);
        group.iter_mut().zip(numbers).for_each(|(word, x)| *word = centred(x));
    }
    behind.fill(0);
    bad as u16
}
