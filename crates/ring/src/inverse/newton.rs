//! Inverses modulo `2^k` and `x^n - 1`, lifted from those modulo 2 by Newton's iteration, in constant time.
//!
//! # The map
//! Let `f v = 1` modulo `2^p`, and `e = (1 - f v) / 2^p`. Then `f v (1 + 2^p e) = 1` modulo `2^2p`. A step is two
//! products: `f v`, which is wanted modulo the new precision, and `v e`, which is wanted modulo what it grows
//! by. In the first step `p` is 1 and more terms of `1 / (1 - 2 e)` cost less than a step, for they are wanted
//! modulo 8 at most:
//!
//! ```text
//! 1 + 2 e + 4 e^2 + 8 e^3 = 1 + 2 (e + 2 e^2 + 4 e^3)
//! e^2 = b(x^2) + 2 s modulo 4,   e^3 = b b(x^2) modulo 2      with b = e modulo 2, s = sum_(i<j) b_i b_j x^(i+j)
//! ```
//!
//! all of which are polynomials over `F_2` ([`mod_2`]). So the precisions are 1, 3, 6, `k` for `k <= 12` and 1, 4,
//! 8, `k` above, with six products; those of `(v, e)` never take more than half of the bits, and only one takes
//! `k`.
//!
//! # Modulo `1 + x + .. + x^(n-1)`
//! [`mod_2::unit_modulo_2`] first, and [`modulo_phi`] in the end.
//!
//! # Bounds
//! Words of 16 bits wrap: everything is modulo `2^16` or less.
//!
//! # Source
//! The iteration is Hensel's and Newton's; for NTRU: J. H. Silverman, Almost inverses and fast NTRU key creation,
//! 1999. Growing precision is well known; the first step is Ringsmith's own.
//!
//! ```
//! use ringsmith_ring::Rows;
//! use ringsmith_ring::inverse::newton::{self, Products};
//! use ringsmith_simd::Cpu;
//!
//! /// By the definition; `f` is 3 x.
//! struct Slow;
//! impl Products<32> for Slow {
//!     fn by_element(&mut self, bits: u32, a: &Rows<32>, out: &mut Rows<32>) {
//!         let mut f = Rows([[0; 16]; 32]);
//!         f.0[0][1] = 3;
//!         self.multiply(bits, &f, a, out);
//!     }
//!     fn multiply(&mut self, _: u32, a: &Rows<32>, b: &Rows<32>, out: &mut Rows<32>) {
//!         out.0 = [[0; 16]; 32];
//!         for (i, x) in a.0.as_flattened()[..509].iter().enumerate() {
//!             for (j, y) in b.0.as_flattened()[..509].iter().enumerate() {
//!                 let sum = &mut out.0.as_flattened_mut()[(i + j) % 509];
//!                 *sum = sum.wrapping_add(x.wrapping_mul(*y));
//!             }
//!         }
//!     }
//! }
//!
//! let (mut f, mut v) = (Rows([[0; 16]; 32]), Rows([[0; 16]; 32]));
//! f.0[0][1] = 3;
//! let exists = newton::inverse::<509, 8, 32>(Cpu::detect(), 11, &f, &mut Slow, &mut v);
//! assert!(exists.to_bool());
//! // 3 * 683 = 2049
//! assert_eq!(v.0.as_flattened()[508], 683);
//! ```

use super::mod_2::{self, Bits, sum_of_pairs};
use crate::memory::{Rows, wipe};
use ctutils::Choice;
use ringsmith_simd::{Cpu, Kernel, Row, Simd};

/// The greatest `k` for which precisions are 1, 3, 6, `k`; above they are 1, 4, 8, `k`.
const THREE: u32 = 12;

/// Products modulo `x^n - 1` of coefficients of 16 bits, as precise as they must be.
///
/// Coefficients from `n` on are 0, in and out.
pub trait Products<const ROWS: usize> {
    /// `out = f a` modulo `2^bits`, where `f` is the element to be inverted; the bits above are of no meaning.
    fn by_element(&mut self, bits: u32, a: &Rows<ROWS>, out: &mut Rows<ROWS>);
    /// `out = a b` modulo `2^bits`; the bits above are of no meaning. `a` is below `2^8`, `b` below
    /// `2^bits`, which is `2^8` at most.
    fn multiply(&mut self, bits: u32, a: &Rows<ROWS>, b: &Rows<ROWS>, out: &mut Rows<ROWS>);
}

/// `-a / 2^P` modulo `mask + 1`.
struct Divide<'a, const P: i32> {
    a: &'a mut [Row],
    mask: i16,
}

impl<const P: i32> Kernel for Divide<'_, P> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (zero, mask, mut i) = (s.splat(0), s.splat(self.mask), 0);
        while i < self.a.len() {
            let quotient = s.shift_right::<P>(s.sub(zero, s.load(&self.a[i])));
            s.store(&mut self.a[i], s.and(quotient, mask));
            i += 1;
        }
    }
}

/// `a + scale b` modulo `mask + 1`.
struct AddMultiple<'a> {
    a: &'a mut [Row],
    b: &'a [Row],
    scale: i16,
    mask: i16,
}

impl Kernel for AddMultiple<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (scale, mask, mut i) = (s.splat(self.scale), s.splat(self.mask), 0);
        while i < self.a.len() {
            let sum = s.add(s.load(&self.a[i]), s.mul_lo(s.load(&self.b[i]), scale));
            s.store(&mut self.a[i], s.and(sum, mask));
            i += 1;
        }
    }
}

/// The low bits of a word.
const fn mask(bits: u32) -> i16 {
    if bits >= 16 { -1 } else { (1 << bits) - 1 }
}

/// Memory of a lift, cleared on drop.
struct Memory<const WORDS: usize, const ROWS: usize> {
    error: Rows<ROWS>,
    change: Rows<ROWS>,
    bits: [Bits<WORDS>; 3],
}

impl<const WORDS: usize, const ROWS: usize> Drop for Memory<WORDS, ROWS> {
    fn drop(&mut self) {
        wipe(self.error.0.as_flattened_mut());
        wipe(self.change.0.as_flattened_mut());
        wipe(self.bits.as_flattened_mut());
    }
}

impl<const WORDS: usize, const ROWS: usize> Memory<WORDS, ROWS> {
    /// `e = (1 - f v) / 2^p` modulo `2^(bits - p)`.
    fn error(&mut self, cpu: Cpu, p: u32, bits: u32, v: &Rows<ROWS>, by: &mut impl Products<ROWS>) {
        by.by_element(bits, v, &mut self.error);
        let (a, mask) = (&mut self.error.0, mask(bits - p));
        a[0][0] = a[0][0].wrapping_sub(1);
        match p {
            1 => cpu.run(Divide::<1> { a, mask }),
            3 => cpu.run(Divide::<3> { a, mask }),
            4 => cpu.run(Divide::<4> { a, mask }),
            6 => cpu.run(Divide::<6> { a, mask }),
            8 => cpu.run(Divide::<8> { a, mask }),
            _ => unreachable!("no precision of a step"),
        }
    }

    /// `e + 2 e^2 + 4 e^3` modulo `2^bits`, at most 8.
    fn more_terms<const N: usize>(&mut self, cpu: Cpu, bits: u32) {
        let [b, square, cube] = &mut self.bits;
        *b = mod_2::from_rows::<N, WORDS, ROWS>(cpu, &self.error);
        *square = mod_2::power::<N, WORDS>(cpu, b, 1);
        let (a, term, mask) = (&mut self.error.0, &mut self.change, mask(bits));
        mod_2::to_rows::<N, WORDS, ROWS>(cpu, square, term);
        cpu.run(AddMultiple { a, b: &term.0, scale: 2, mask });
        if bits > 2 {
            *cube = mod_2::product::<N, WORDS>(cpu, b, square);
            let pairs = sum_of_pairs::<N, WORDS>(cpu, b);
            cube.iter_mut().zip(&pairs).for_each(|(x, y)| *x ^= y);
            mod_2::to_rows::<N, WORDS, ROWS>(cpu, cube, term);
            cpu.run(AddMultiple { a, b: &term.0, scale: 4, mask });
        }
    }

    /// `v + 2^p v e` modulo `2^bits`.
    fn correct(&mut self, cpu: Cpu, p: u32, bits: u32, v: &mut Rows<ROWS>, by: &mut impl Products<ROWS>) {
        by.multiply(bits - p, v, &self.error, &mut self.change);
        cpu.run(AddMultiple { a: &mut v.0, b: &self.change.0, scale: 1 << p, mask: mask(bits) });
    }
}

/// `v`, the inverse of `f` modulo 2, as one modulo `2^k` and `x^N - 1`; `2 <= k <= 16`. Constant time.
///
/// # Panics
/// Where `k` is another number.
pub fn lift<const N: usize, const WORDS: usize, const ROWS: usize>(
    cpu: Cpu,
    k: u32,
    v: &Bits<WORDS>,
    by: &mut impl Products<ROWS>,
    out: &mut Rows<ROWS>,
) {
    assert!(2 <= k && k <= 16, "2^{k} is no modulus of words of 16 bits");
    let [error, change] = [Rows([[0; 16]; ROWS]); 2];
    let mut memory = Memory::<WORDS, ROWS> { error, change, bits: [[0; WORDS]; 3] };
    mod_2::to_rows::<N, WORDS, ROWS>(cpu, v, out);
    let mut precision = if k <= THREE { 3 } else { 4 };
    memory.error(cpu, 1, precision, out, by);
    memory.more_terms::<N>(cpu, precision - 1);
    memory.correct(cpu, 1, precision, out, by);
    while precision < k {
        let next = k.min(2 * precision);
        memory.error(cpu, precision, next, out, by);
        memory.correct(cpu, precision, next, out, by);
        precision = next;
    }
    out.0.as_flattened_mut().iter_mut().for_each(|x| *x &= mask(k));
}

/// `1 / f` modulo `2^k` and `x^N - 1`, coefficients in `[0, 2^k)`, and whether it exists; where it does not, what
/// is in its place is of no meaning. `2 <= k <= 16`; `WORDS` is [`mod_2::words`] of `N`. Constant time.
///
/// # Panics
/// Where `k` is another number.
pub fn inverse<const N: usize, const WORDS: usize, const ROWS: usize>(
    cpu: Cpu,
    k: u32,
    f: &Rows<ROWS>,
    by: &mut impl Products<ROWS>,
    out: &mut Rows<ROWS>,
) -> Choice {
    let mut f = mod_2::from_rows::<N, WORDS, ROWS>(cpu, f);
    let (mut v, exists) = mod_2::inverse::<N, WORDS>(cpu, &f);
    lift::<N, WORDS, ROWS>(cpu, k, &v, by, out);
    wipe(&mut f);
    wipe(&mut v);
    exists
}

/// `a` modulo `1 + x + .. + x^(N-1)` and `2^k`: less its top coefficient times that; in `[0, 2^k)`.
pub fn modulo_phi<const N: usize, const ROWS: usize>(k: u32, a: &mut Rows<ROWS>) {
    const { assert!(N <= 16 * ROWS) };
    let a = &mut a.0.as_flattened_mut()[..N];
    let top = a[N - 1];
    a.iter_mut().for_each(|x| *x = x.wrapping_sub(top) & mask(k));
}
