//! Inverses modulo `2^k` and `x^n - 1`, lifted from those modulo 2 by Newton's iteration, in constant time.
//!
//! # The map
//! Let `f v = 1` modulo `2^p`, and `e = (1 - f v) / 2^p`. Then `1 / f = v / (1 - 2^p e)`, so modulo `2^3p`
//!
//! ```text
//! 1 / f = v + 2^p v (e + 2^p e^2)
//! ```
//!
//! A step is two products: `f v`, which is wanted modulo the new precision, and one by `v`, which is wanted
//! modulo what it grows by. The square is not a third one. The precision grows from `p` to no more than
//! `2 p + 2`, so `e^2` is wanted modulo 4, where the parities `b` of `e` decide it; and it is two polynomials
//! over `F_2`:
//!
//! ```text
//! e^2 = b(x^2) + 2 s modulo 4      with s = sum_(i<j) b_i b_j x^(i+j)
//! ```
//!
//! ([`mod_2`]). From precision 1 to 2 the product by `v` is one over `F_2`, too. So the precisions are 1, 2,
//! 6 and any `k` up to 14, with five products of words: of 2, 6, 4, `k` and `k - 6` bits.
//!
//! # Modulo `1 + x + .. + x^(n-1)`
//! [`mod_2::unit_modulo_2`] first, and [`modulo_phi`] in the end.
//!
//! # Bounds
//! Words of 16 bits wrap: everything is modulo `2^16` or less.
//!
//! # Source
//! The iteration is Hensel's and Newton's; for NTRU: J. H. Silverman, Almost inverses and fast NTRU key
//! creation, 1999. Growing precision is well known; squares modulo 4 over `F_2`, which save three of eight
//! products, are Ringsmith's own.
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

/// Products modulo `x^n - 1` of coefficients of 16 bits, as precise as they must be.
///
/// Coefficients from `n` on are 0, in and out. A lift to `2^k` with `6 < k` asks for `by_element` with 2, 6
/// and `k` bits and for `multiply` with 4 and `k - 6`, in this order: 2, 6, 4, `k`, `k - 6`.
pub trait Products<const ROWS: usize> {
    /// `out = f a` modulo `2^bits`, where `f` is the element to be inverted; the bits above are of no
    /// meaning. `|a| <= 2^5`.
    fn by_element(&mut self, bits: u32, a: &Rows<ROWS>, out: &mut Rows<ROWS>);
    /// `out = a b` modulo `2^bits`, at most `2^8`; the bits above are of no meaning. `|a| <= 2^5`,
    /// `|b| <= 2^(bits - 1)`.
    fn multiply(&mut self, bits: u32, a: &Rows<ROWS>, b: &Rows<ROWS>, out: &mut Rows<ROWS>);
}

/// What centres words modulo `2^bits`.
#[derive(Clone, Copy)]
struct Centre {
    half: i16,
    mask: i16,
}

impl Centre {
    const fn new(bits: u32) -> Self {
        Centre { half: 1 << (bits - 1), mask: (1 << bits) - 1 }
    }

    #[inline(always)]
    fn apply<S: Simd>(self, s: S, x: S::I16) -> S::I16 {
        let half = s.splat(self.half);
        s.sub(s.and(s.add(x, half), s.splat(self.mask)), half)
    }
}

/// `-a / 2^P`, centred.
struct Divide<'a, const P: i32> {
    a: &'a mut [Row],
    centre: Centre,
}

impl<const P: i32> Kernel for Divide<'_, P> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (zero, mut i) = (s.splat(0), 0);
        while i < self.a.len() {
            let quotient = s.shift_right::<P>(s.sub(zero, s.load(&self.a[i])));
            s.store(&mut self.a[i], self.centre.apply(s, quotient));
            i += 1;
        }
    }
}

/// `a + scale b`, centred.
struct AddMultiple<'a> {
    a: &'a mut [Row],
    b: &'a [Row],
    scale: i16,
    centre: Centre,
}

impl Kernel for AddMultiple<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (scale, mut i) = (s.splat(self.scale), 0);
        while i < self.a.len() {
            let sum = s.add(s.load(&self.a[i]), s.mul_lo(s.load(&self.b[i]), scale));
            s.store(&mut self.a[i], self.centre.apply(s, sum));
            i += 1;
        }
    }
}

/// `a` less its coefficient `top` times all ones, centred.
struct LessTop<'a> {
    a: &'a mut [Row],
    top: i16,
    centre: Centre,
}

impl Kernel for LessTop<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (top, mut i) = (s.splat(self.top), 0);
        while i < self.a.len() {
            let less = s.sub(s.load(&self.a[i]), top);
            s.store(&mut self.a[i], self.centre.apply(s, less));
            i += 1;
        }
    }
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
    const fn new() -> Self {
        let [error, change] = [Rows([[0; 16]; ROWS]); 2];
        Memory { error, change, bits: [[0; WORDS]; 3] }
    }

    /// `e = (1 - f v) / 2^p` modulo `2^(next - p)`.
    fn error(&mut self, cpu: Cpu, [p, next]: [u32; 2], v: &Rows<ROWS>, by: &mut impl Products<ROWS>) {
        by.by_element(next, v, &mut self.error);
        let (a, centre) = (&mut self.error.0, Centre::new(next - p));
        a[0][0] = a[0][0].wrapping_sub(1);
        match p {
            1 => cpu.run(Divide::<1> { a, centre }),
            2 => cpu.run(Divide::<2> { a, centre }),
            6 => cpu.run(Divide::<6> { a, centre }),
            _ => unreachable!("no precision of a step"),
        }
    }

    /// `e + 2^p e^2` modulo `2^(next - p)`, at most `2^(p + 2)`.
    fn add_square<const N: usize>(&mut self, cpu: Cpu, [p, next]: [u32; 2]) {
        let ([parities, square, pairs], centre) = (&mut self.bits, Centre::new(next - p));
        let (a, term) = (&mut self.error, &mut self.change);
        if next > 2 * p {
            *parities = mod_2::from_rows::<N, WORDS, ROWS>(cpu, a);
            *square = mod_2::square::<N, WORDS>(cpu, parities);
            mod_2::to_rows::<N, WORDS, ROWS>(cpu, square, term);
            cpu.run(AddMultiple { a: &mut a.0, b: &term.0, scale: 1 << p, centre });
        }
        if next > 2 * p + 1 {
            *pairs = sum_of_pairs::<N, WORDS>(cpu, parities);
            mod_2::to_rows::<N, WORDS, ROWS>(cpu, pairs, term);
            cpu.run(AddMultiple { a: &mut a.0, b: &term.0, scale: 1 << (p + 1), centre });
        }
    }

    /// `v + 2^p v e` modulo `2^next`.
    fn correct(&mut self, cpu: Cpu, [p, next]: [u32; 2], v: &mut Rows<ROWS>, by: &mut impl Products<ROWS>) {
        by.multiply(next - p, v, &self.error, &mut self.change);
        let (scale, centre) = (1 << p, Centre::new(next));
        cpu.run(AddMultiple { a: &mut v.0, b: &self.change.0, scale, centre });
    }

    /// From precision 1, with the same `v` in words and in rows, to 2.
    fn first<const N: usize>(
        &mut self,
        cpu: Cpu,
        v: &Bits<WORDS>,
        rows: &mut Rows<ROWS>,
        by: &mut impl Products<ROWS>,
    ) {
        mod_2::to_rows::<N, WORDS, ROWS>(cpu, v, rows);
        self.error(cpu, [1, 2], rows, by);
        let [e, change, _] = &mut self.bits;
        *e = mod_2::from_rows::<N, WORDS, ROWS>(cpu, &self.error);
        *change = mod_2::product::<N, WORDS>(cpu, v, e);
        mod_2::to_rows::<N, WORDS, ROWS>(cpu, change, &mut self.change);
        cpu.run(AddMultiple { a: &mut rows.0, b: &self.change.0, scale: 2, centre: Centre::new(2) });
    }
}

/// `v`, the inverse of `f` modulo 2, as one modulo `2^k` and `x^N - 1`; `2 <= k <= 14`. Constant time.
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
    assert!((2..=14).contains(&k), "no lift to 2^{k}");
    let (mut memory, mut precision) = (Memory::<WORDS, ROWS>::new(), 2);
    memory.first::<N>(cpu, v, out, by);
    while precision < k {
        let step = [precision, k.min(2 * precision + 2)];
        memory.error(cpu, step, out, by);
        memory.add_square::<N>(cpu, step);
        memory.correct(cpu, step, out, by);
        precision = step[1];
    }
}

/// `1 / f` modulo `2^k` and `x^N - 1`, centred, and whether it exists; where it does not, what is
/// in its place is of no meaning. `2 <= k <= 14`; `WORDS` is [`mod_2::words`] of `N`. Constant time.
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

/// `a` modulo `1 + x + .. + x^(N-1)` and `2^k`, centred: less its top coefficient times all ones. Constant
/// time.
pub fn modulo_phi<const N: usize, const ROWS: usize>(cpu: Cpu, k: u32, a: &mut Rows<ROWS>) {
    const { assert!(N <= 16 * ROWS) };
    let top = a.0.as_flattened()[N - 1];
    cpu.run(LessTop { a: &mut a.0, top, centre: Centre::new(k) });
    a.0.as_flattened_mut()[N..].fill(0);
}
