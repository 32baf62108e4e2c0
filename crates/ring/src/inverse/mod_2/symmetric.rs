//! Symmetric polynomials over `F_2` modulo `x^n - 1`, and as polynomials in `y = x + 1/x`.
//!
//! # The map
//! `n = 2 h + 1`. A symmetric element has the same coefficient `a_k` at `x^k` and `x^-k`. It is a polynomial
//! in `y`, whose coefficients come by halves: `y^2 = x^2 + x^-2`, so the element is `B_0 + y B_1`, both
//! symmetric in `x^2`, and
//!
//! ```text
//! a_(2j) = b0_j,    a_(2j+1) = b1_j + b1_(j+1)
//! ```
//!
//! That is the way back. On the way there `b1_j` is the sum of all `a_(2i+1)` from `i = j` on, which are made
//! of pairs, then of pairs of pairs. `bi_j` takes the place of `a_(2j+i)`. Each `B_i` is treated likewise,
//! with its coefficients in steps of 2, then of 4, and so on.
//!
//! Coefficients are in reverse, as division steps take them: bit `i` is the coefficient `count - 1 - i`.
//!
//! Constant time.

use super::polynomial::keep;

/// Levels of halves, of fewer than `2^11` coefficients.
pub(super) const LEVELS: usize = 11;

/// Of each level, which of so many coefficients' numbers have digit 1.
pub(super) const fn digits<const WORDS: usize>(count: usize) -> [[u64; WORDS]; LEVELS] {
    let (mut digits, mut i) = ([[0; WORDS]; LEVELS], 0);
    while i < count {
        let mut level = 0;
        while level < LEVELS {
            digits[level][i / 64] |= (((count - 1 - i) >> level & 1) as u64) << (i % 64);
            level += 1;
        }
        i += 1;
    }
    digits
}

/// Adds to the coefficients of some digits those that are so many powers higher.
const fn add_moved(a: &mut [u64], digits: &[u64], distance: usize) {
    let (whole, rest, mut i) = (distance / 64, distance % 64, a.len());
    while i > whole {
        i -= 1;
        let mut moved = a[i - whole] << rest;
        if rest > 0 && i > whole {
            moved |= a[i - whole - 1] >> (64 - rest);
        }
        a[i] ^= moved & digits[i];
    }
}

/// So many coefficients of `x^k + x^-k`, in reverse, become those of powers of `y`.
pub(super) const fn to_powers<const WORDS: usize>(
    a: &mut [u64],
    count: usize,
    digits: &[[u64; WORDS]; LEVELS],
) {
    let mut level = 0;
    while 2 << level < count {
        let mut distance = 2 << level;
        while distance < count {
            add_moved(a, &digits[level], distance);
            distance *= 2;
        }
        level += 1;
    }
}

/// The inverse of that.
pub(super) fn from_powers<const WORDS: usize>(a: &mut [u64], count: usize, digits: &[[u64; WORDS]; LEVELS]) {
    for (level, digits) in digits.iter().enumerate().rev() {
        if 2 << level < count {
            add_moved(a, digits, 2 << level);
        }
    }
}

/// The polynomial of degree `h = (n - 1) / 2`, in reverse, of which `x^h` times the value at `x + 1/x` is
/// `1 + x + .. + x^(n-1)`.
pub(super) const fn modulus<const WORDS: usize>(n: usize) -> [u64; WORDS] {
    let (mut a, mut i) = ([0; WORDS], 0);
    while i <= n / 2 {
        a[i / 64] |= 1 << (i % 64);
        i += 1;
    }
    to_powers(&mut a, n / 2 + 1, &digits::<WORDS>(n / 2 + 1));
    a
}

/// `out = a(1/x)` modulo `x^n - 1`: bit `k` is bit `n - k`.
pub(super) fn mirror(n: usize, a: &[u64], out: &mut [u64]) {
    out.iter_mut().zip(a.iter().rev()).for_each(|(out, a)| *out = a.reverse_bits());
    // Bit k of that is bit 64 words - 1 - k.
    shift_down(out, 64 * a.len() - 1 - n);
    keep(n, out);
    out[0] = (out[0] & !1) | (a[0] & 1);
}

/// `a / x^by`.
pub(super) fn shift_down(a: &mut [u64], by: usize) {
    let (whole, rest, words) = (by / 64, by % 64, a.len());
    for i in 0..words {
        let at = |i: usize| if i < words { a[i] } else { 0 };
        let (low, high) = (at(i + whole), at(i + whole + 1));
        a[i] = (low >> rest) | (high << 1 << (63 - rest));
    }
}

/// The coefficients `h - 1`, .., 1, 0 of a symmetric element modulo `1 + x + .. + x^(n-1)`.
pub(super) fn half_of(n: usize, a: &mut [u64]) {
    let h = n / 2;
    let middle = (a[h / 64] >> (h % 64) & 1).wrapping_neg();
    a.iter_mut().for_each(|word| *word ^= middle);
    let constant = a[0] & 1;
    keep(n, a);
    // Coefficient k is bit n - k, too; and bit n - 0 is not there.
    shift_down(a, h + 2);
    a[(h - 1) / 64] ^= constant << ((h - 1) % 64);
}

/// The symmetric element that has these.
pub(super) fn whole_of(n: usize, half: &[u64], a: &mut [u64]) {
    let h = n / 2;
    let (whole, rest) = ((h + 2) / 64, (h + 2) % 64);
    for (i, word) in a.iter_mut().enumerate() {
        let at = |i: Option<usize>| i.and_then(|i| half.get(i)).copied().unwrap_or(0);
        let (high, low) = (at(i.checked_sub(whole)), at(i.checked_sub(whole + 1)));
        *word = (high << rest) | (low >> 1 >> (63 - rest));
    }
    keep(n, a);
}
