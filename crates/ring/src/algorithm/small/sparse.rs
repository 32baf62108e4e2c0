//! Products of a sparse challenge and a small polynomial: shifted copies, added and subtracted.
//!
//! # The map
//! Modulo `x^256 + 1`, coefficient `i` of `x^p s` is `s_(i-p)`, or `-s_(256+i-p)` where `i < p`: the 256
//! words from `256 - p` on of `[-s | s]`. A product is the sum of such windows at the places of 1, less
//! those at the places of -1. Sums stay in registers while the challenge is gone through.
//!
//! # Bounds and conditions
//! A coefficient is at most `WEIGHT SIZE` in absolute value, and so is each sum on the way: it must fit a
//! lane. [`Sparse8`] has lanes of 8 bits. They hold 78 and 120 (ML-DSA-44 and 87); of 196 (65) the challenge
//! is gone through in parts of `floor(127 / SIZE)` places of one sign, whose sums are added in words.
//! [`Sparse16`] has lanes of 16 bits.
//!
//! # Constant time
//! In the small polynomial. **Not in the challenge**: addresses and times depend on its places. It is public
//! in signatures; those of rejected attempts are independent of the secret (L. Ducas et al.,
//! *CRYSTALS-Dilithium*, specification of round 3, section 5.5).
//!
//! # Source
//! Shifted sums are usual for sparse operands; in packed lanes with early evaluation: arXiv 2306.01989.
//! Deviation: vectors of bytes in place of packed words, and no early evaluation.
//!
//! ```
//! use ringsmith_ring::Rows;
//! use ringsmith_ring::algorithm::small::{Sizes, sparse::*};
//! use ringsmith_simd::Cpu;
//!
//! /// ML-DSA-44.
//! #[derive(Clone, Copy)]
//! struct Set;
//! impl Sizes for Set {
//!     const WEIGHT: i64 = 39;
//!     const SIZE: i64 = 2;
//! }
//!
//! // -x^255 times 2 x is 2.
//! let (mut c, mut s, mut out) = ([0; 256], Rows([[0; 16]; 16]), Rows([[0; 16]; 16]));
//! (c[255], s.0[0][1]) = (-1, 2);
//! let (mut doubled, c) = (Doubled8::ZERO, Places::new(&c).expect("a challenge"));
//! doubled.fill(&s);
//! Sparse8::<Set>::multiply(Cpu::detect(), &c, &doubled, &mut out);
//! assert_eq!(out.0[0][..2], [2, 0]);
//! ```

use super::Sizes;
use crate::algorithm::choice::{Minus, Plus, Sign};
use crate::memory::{Rows, wipe};
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Run, Simd, each};
use zeroize::Zeroize;

/// The degree.
const N: usize = 256;
/// The most coefficients of a challenge that are not zero.
const MAX: usize = 64;

/// Where a challenge is 1, and where it is -1.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    /// Those of 1 from the beginning, those of -1 from the end.
    places: [u8; MAX],
    /// How many are those of 1, and of -1.
    counts: [usize; 2],
}

impl Places {
    /// Of coefficients 0, 1 and -1; `None` where there are others, or more than 64 that are not 0. Not
    /// constant time.
    pub fn new(c: &[i8; N]) -> Option<Self> {
        let mut places = Places { places: [0; MAX], counts: [0; 2] };
        for (place, x) in (0..=u8::MAX).zip(c).filter(|(_, x)| **x != 0) {
            let [plus, minus] = places.counts;
            let at = match x {
                _ if plus + minus == MAX => return None,
                1 => plus,
                -1 => MAX - 1 - minus,
                _ => return None,
            };
            places.places[at] = place;
            places.counts[usize::from(*x < 0)] += 1;
        }
        Some(places)
    }

    /// The same of coefficients of which these places are not 0: `None` where one is 0, or they are more than
    /// 64. Addresses depend on the places, but no branch on the order of signs.
    pub fn of(c: &[i8; N], all: &[u8]) -> Option<Self> {
        if all.len() > MAX {
            return None;
        }
        let (mut places, mut signs, mut minus) = ([0; MAX], 0, 0);
        for (before, place) in all.iter().enumerate() {
            let x = c[usize::from(*place)];
            signs += x.unsigned_abs() as usize & 1;
            // Both ends get it: the wrong one is written over, or lies between them.
            (places[before - minus], places[MAX - 1 - minus]) = (*place, *place);
            minus += usize::from(x < 0);
        }
        (signs == all.len()).then_some(Places { places, counts: [all.len() - minus, minus] })
    }

    /// The places of 1, and those of -1.
    #[inline(always)]
    fn signs(&self) -> (&[u8], &[u8]) {
        let [plus, minus] = self.counts;
        (&self.places[..plus.min(MAX)], &self.places[MAX - minus.min(MAX)..])
    }

    /// How many there are.
    fn weight(&self) -> usize {
        self.counts[0] + self.counts[1]
    }
}

/// `[-s | s]` in lanes of `T`. It may be secret: [`Zeroize`] clears it.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Doubled<T>([[T; N]; 2]);

/// In bytes.
pub type Doubled8 = Doubled<i8>;
/// In words.
pub type Doubled16 = Doubled<i16>;

impl<T: Copy + Default> Zeroize for Doubled<T> {
    fn zeroize(&mut self) {
        wipe(self.0.as_flattened_mut());
    }
}

impl<T: Copy> Doubled<T> {
    /// The window of `x^p s`.
    #[inline(always)]
    fn window(&self, place: u8) -> &[T; N] {
        self.0.as_flattened()[N - place as usize..].first_chunk().expect("a place is below the degree")
    }

    fn fill_with(&mut self, s: &Rows<16>, narrow: impl Fn(i16) -> T) {
        for (i, x) in s.0.as_flattened().iter().enumerate() {
            (self.0[0][i], self.0[1][i]) = (narrow(-x), narrow(*x));
        }
    }
}

impl Doubled8 {
    /// That of 0.
    pub const ZERO: Self = Doubled([[0; N]; 2]);

    /// Of a polynomial whose coefficients are at most 127 in absolute value.
    pub fn fill(&mut self, s: &Rows<16>) {
        self.fill_with(s, |x| x as i8);
    }
}

impl Doubled16 {
    /// That of 0.
    pub const ZERO: Self = Doubled([[0; N]; 2]);

    /// Of a polynomial whose coefficients are at most 32767 in absolute value.
    pub fn fill(&mut self, s: &Rows<16>) {
        self.fill_with(s, |x| x);
    }
}

/// Products of sizes `C` in lanes of 8 bits.
pub struct Sparse8<C>(PhantomData<C>);

impl<C: Sizes> Sparse8<C> {
    /// Places of one part, where the challenge is taken in parts.
    const PART: usize = (i8::MAX as i64 / C::SIZE) as usize;
    /// Whether it is.
    const IN_PARTS: bool = C::PRODUCT > i8::MAX as i64;
    /// Proves at compile time that no lane overflows.
    pub const PROOF: () = {
        assert!(0 < C::SIZE && C::SIZE <= i8::MAX as i64, "overflow: a lane of 8 bits");
        assert!(C::PRODUCT <= i16::MAX as i64, "overflow: a lane of 16 bits");
    };

    /// `out = c s`.
    pub fn multiply(cpu: impl Run, c: &Places, s: &Doubled8, out: &mut Rows<16>) {
        let () = Self::PROOF;
        debug_assert!(c.weight() as i64 <= C::WEIGHT, "a challenge of too great a weight");
        cpu.run(Bytes::<C> { c, s, out, sizes: PhantomData });
    }
}

/// The same in lanes of 16 bits.
pub struct Sparse16<C>(PhantomData<C>);

impl<C: Sizes> Sparse16<C> {
    /// Proves at compile time that no lane overflows.
    pub const PROOF: () = assert!(C::PRODUCT <= i16::MAX as i64, "overflow: a lane of 16 bits");

    /// `out = c s`.
    pub fn multiply(cpu: impl Run, c: &Places, s: &Doubled16, out: &mut Rows<16>) {
        let () = Self::PROOF;
        debug_assert!(c.weight() as i64 <= C::WEIGHT, "a challenge of too great a weight");
        cpu.run(Words { c, s, out });
    }
}

/// Vectors of sums that stay in registers.
const SUMS: usize = 8;

/// In lanes of 8 bits.
struct Bytes<'a, C> {
    c: &'a Places,
    s: &'a Doubled8,
    out: &'a mut Rows<16>,
    sizes: PhantomData<C>,
}

impl<C: Sizes> Kernel for Bytes<'_, C> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (plus, minus) = self.c.signs();
        if const { !Sparse8::<C>::IN_PARTS } {
            let sums = windows::<S, Plus>(s, [s.splat(0); SUMS], plus, self.s);
            let sums = windows::<S, Minus>(s, sums, minus, self.s);
            return add_widened::<S, Plus>(s, sums, [s.splat(0); 16], self.out);
        }
        self.out.0 = [[0; 16]; 16];
        for part in plus.chunks(const { Sparse8::<C>::PART }) {
            let sums = windows::<S, Plus>(s, [s.splat(0); SUMS], part, self.s);
            add_widened::<S, Plus>(s, sums, loaded(s, self.out), self.out);
        }
        for part in minus.chunks(const { Sparse8::<C>::PART }) {
            let sums = windows::<S, Plus>(s, [s.splat(0); SUMS], part, self.s);
            add_widened::<S, Minus>(s, sums, loaded(s, self.out), self.out);
        }
    }
}

/// The windows of these places, added to the sums or taken off.
#[inline(always)]
fn windows<S: Simd, G: Sign>(s: S, mut sums: [S::I16; SUMS], places: &[u8], of: &Doubled8) -> [S::I16; SUMS] {
    for place in places {
        let window = of.window(*place).as_chunks::<32>().0;
        let mut i = 0;
        while i < SUMS {
            sums[i] = G::sum8(s, sums[i], s.load8(&window[i]));
            i += 1;
        }
    }
    sums
}

/// The rows.
#[inline(always)]
fn loaded<S: Simd>(s: S, rows: &Rows<16>) -> [S::I16; 16] {
    each(
        #[inline(always)]
        |i| s.load(&rows.0[i]),
    )
}

/// The sums as words, added to others or taken off.
#[inline(always)]
fn add_widened<S: Simd, G: Sign>(s: S, sums: [S::I16; SUMS], to: [S::I16; 16], out: &mut Rows<16>) {
    let mut i = 0;
    while i < SUMS {
        let (low, high) = widened(s, sums[i]);
        s.store(&mut out.0[2 * i], G::sum(s, to[2 * i], low));
        s.store(&mut out.0[2 * i + 1], G::sum(s, to[2 * i + 1], high));
        i += 1;
    }
}

/// The first sixteen of 32 bytes as words, and the others.
#[inline(always)]
fn widened<S: Simd>(s: S, bytes: S::I16) -> (S::I16, S::I16) {
    let even = s.shift_right::<8>(s.mul_lo(bytes, s.splat(1 << 8)));
    let (low, high) = s.zip::<1>(even, s.shift_right::<8>(bytes));
    s.zip::<8>(low, high)
}

/// In lanes of 16 bits, half of the coefficients at a time.
struct Words<'a> {
    c: &'a Places,
    s: &'a Doubled16,
    out: &'a mut Rows<16>,
}

impl Kernel for Words<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (plus, minus) = self.c.signs();
        let mut first = 0;
        while first < 16 {
            let sums = word_windows::<S, Plus>(s, [s.splat(0); SUMS], plus, self.s, first);
            let sums = word_windows::<S, Minus>(s, sums, minus, self.s, first);
            let mut i = 0;
            while i < SUMS {
                s.store(&mut self.out.0[first + i], sums[i]);
                i += 1;
            }
            first += SUMS;
        }
    }
}

/// The windows of these places from a row on, added to the sums or taken off.
#[inline(always)]
fn word_windows<S: Simd, G: Sign>(
    s: S,
    mut sums: [S::I16; SUMS],
    places: &[u8],
    of: &Doubled16,
    first: usize,
) -> [S::I16; SUMS] {
    for place in places {
        let window = of.window(*place).as_chunks::<16>().0;
        let mut i = 0;
        while i < SUMS {
            sums[i] = G::sum(s, sums[i], s.load(&window[first + i]));
            i += 1;
        }
    }
    sums
}
