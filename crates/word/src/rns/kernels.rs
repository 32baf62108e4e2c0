//! What runs on the CPU's vectors: sums of products modulo each prime, and of digits.
//!
//! Values are residues, a run of groups for each prime; digits are runs of all digits of a group. So every
//! load is of a whole row, and every factor is the same in all lanes.

use super::constants::{Basis, Modulus};
use super::digits::{DIGIT, DIGIT_BITS, Group, ROWS, pack, unpack};
use ringsmith_simd::{Factor, Kernel, Simd, WideLanes, WideRow, WordLanes, each};

/// Arithmetic modulo one prime.
#[derive(Clone, Copy)]
struct Sums<W: WordLanes> {
    w: W,
    prime: W::Prime,
    p: W::Words,
    zero: W::Words,
    one: [W::Words; 2],
    /// The middle of what a sum is reduced to: so high that a sum is not negative, and `p`.
    middle: W::Words,
    around_p: W::Words,
    room: usize,
}

/// A factor in all lanes.
#[inline(always)]
fn splat<W: WordLanes>(w: W, [low, high]: Factor) -> [W::Words; 2] {
    [w.splat_words(low), w.splat_words(high)]
}

impl<W: WordLanes> Sums<W> {
    #[inline(always)]
    fn new(w: W, modulus: &Modulus) -> Self {
        Sums {
            w,
            prime: w.prime52(modulus.p),
            p: w.splat_words(modulus.p),
            zero: w.splat_words(0),
            one: splat(w, modulus.one),
            middle: w.around52(modulus.room as u64 + 1, modulus.p),
            around_p: w.around52(1, modulus.p),
            room: modulus.room,
        }
    }

    /// The sum of the products of factors and numbers of 52 bits, in `[0, p)`. A product is in `(-p, p)`.
    /// With `room` of them a sum that is reduced to within `p` of `(room + 1) p` is not negative and below
    /// `2^52`.
    #[inline(always)]
    fn products<'a>(
        self,
        factors: &[Factor],
        mut numbers: impl Iterator<Item = &'a Group>,
        piece: usize,
    ) -> [W::Words; ROWS] {
        let w = self.w;
        let mut sums = [self.zero; ROWS];
        for factors in factors.chunks(self.room) {
            sums = each(
                #[inline(always)]
                |q| w.reduce52(sums[q], self.one, self.middle, self.prime),
            );
            for (factor, number) in factors.iter().zip(numbers.by_ref()) {
                let factor = splat(w, *factor);
                sums = each(
                    #[inline(always)]
                    |q| w.madd_factor52(sums[q], w.load_words(&number[q], piece), factor, self.prime),
                );
            }
        }
        let mask = w.splat_words(DIGIT);
        each(
            #[inline(always)]
            |q| {
                let reduced = w.reduce52(sums[q], self.one, self.around_p, self.prime);
                w.sub_if_words(w.and_words(reduced, mask), self.p)
            },
        )
    }
}

/// Writes a piece of the rows of a group.
#[inline(always)]
fn store<W: WordLanes>(w: W, group: &mut Group, piece: usize, rows: [W::Words; ROWS]) {
    let mut q = 0;
    while q < ROWS {
        w.store_words(&mut group[q], piece, rows[q]);
        q += 1;
    }
}

/// Residues of a group: the values of the primes from one on.
#[inline(always)]
fn column(values: &[Group], groups: usize, first: usize, group: usize) -> impl Iterator<Item = &Group> {
    values.get(first * groups + group..).unwrap_or_default().chunks(groups).filter_map(<[Group]>::first)
}

/// What digits are of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    /// Numbers of several words.
    Long,
    /// Numbers of a word with a sign.
    Small,
}

/// Residues of numbers modulo every prime.
pub(super) struct Remainders<'a> {
    pub(super) basis: &'a Basis,
    pub(super) groups: usize,
    pub(super) numbers: Numbers,
    pub(super) digits: &'a [Group],
    pub(super) values: &'a mut [Group],
}

impl Remainders<'_> {
    #[inline(always)]
    fn all<W: WordLanes>(self, w: W) {
        for (i, modulus) in self.basis.moduli.iter().enumerate() {
            let sums = Sums::new(w, modulus);
            let factors = if self.numbers == Numbers::Long { &modulus.powers[..] } else { &modulus.small };
            // No `zip`, which would ask how many chunks there are, and divide.
            for (group, digits) in self.digits.chunks(factors.len()).enumerate() {
                let Some(value) = self.values.get_mut(i * self.groups + group) else { continue };
                for piece in 0..W::PIECES {
                    store(w, value, piece, sums.products(factors, digits.iter(), piece));
                }
            }
        }
    }
}

/// Numbers of several words from their residues: digits in mixed radix in place of these, and words.
pub(super) struct Lift<'a> {
    pub(super) basis: &'a Basis,
    pub(super) groups: usize,
    pub(super) values: &'a mut [Group],
    pub(super) digits: &'a mut [Group],
}

impl Lift<'_> {
    #[inline(always)]
    fn all<W: WordLanes>(mut self, w: W) {
        self.mixed(w);
        let (basis, groups, values) = (self.basis, self.groups, &*self.values);
        for (group, digits) in self.digits.chunks_mut(basis.digits).enumerate().take(groups) {
            for piece in 0..W::PIECES {
                let mut terms = basis.terms.iter();
                for (start, digit) in basis.starts.iter().zip(&mut *digits) {
                    let sums = weighed(w, column(values, groups, *start, group), &mut terms, piece);
                    store(w, digit, piece, sums);
                }
            }
            let mut carry = [[0; 8]; ROWS];
            for (_, digit) in basis.starts.iter().zip(&mut *digits) {
                carried(digit, &mut carry);
            }
            pack(digits, basis.words);
        }
    }

    /// Residues to digits in mixed radix, which are below their primes.
    #[inline(always)]
    fn mixed<W: WordLanes>(&mut self, w: W) {
        for (i, modulus) in self.basis.moduli.iter().enumerate() {
            let sums = Sums::new(w, modulus);
            for group in 0..self.groups {
                for piece in 0..W::PIECES {
                    let before = column(self.values, self.groups, 0, group);
                    let digit = sums.products(&modulus.mixed, before, piece);
                    if let Some(value) = self.values.get_mut(i * self.groups + group) {
                        store(w, value, piece, digit);
                    }
                }
            }
        }
    }
}

/// The sum of the products of values and weights that is one digit's, without what is carried.
#[inline(always)]
fn weighed<'a, W: WordLanes>(
    w: W,
    values: impl Iterator<Item = &'a Group>,
    terms: &mut core::slice::Iter<'_, [u64; 2]>,
    piece: usize,
) -> [W::Words; ROWS] {
    let mut sums = [w.splat_words(0); ROWS];
    // Values end first: what is left of the terms is the next digit's.
    for (value, [this, below]) in values.zip(terms) {
        let (this, below) = (w.splat_words(*this), w.splat_words(*below));
        sums = each(
            #[inline(always)]
            |q| {
                let value = w.load_words(&value[q], piece);
                w.madd_high52(w.madd_low52(sums[q], value, this), value, below)
            },
        );
    }
    sums
}

/// Leaves 52 bits of a digit with what is carried into it, and carries the rest.
#[inline(always)]
fn carried(digit: &mut Group, carry: &mut Group) {
    for (digit, carry) in digit.iter_mut().zip(carry) {
        let sum: WideRow = each(
            #[inline(always)]
            |i| digit[i] + carry[i],
        );
        *digit = each(
            #[inline(always)]
            |i| sum[i] & DIGIT,
        );
        *carry = each(
            #[inline(always)]
            |i| sum[i] >> DIGIT_BITS,
        );
    }
}

/// Words to digits, in their places; a word that is not 0 where a number is not below the product of the
/// primes.
pub(super) struct Unpack<'a> {
    pub(super) basis: &'a Basis,
    pub(super) digits: &'a mut [Group],
}

impl Unpack<'_> {
    #[inline(always)]
    fn all(self) -> u64 {
        let mut outside = [[0; 8]; ROWS];
        for digits in self.digits.chunks_mut(self.basis.digits) {
            unpack(digits);
            let mut borrow = [[0; 8]; ROWS];
            for (digit, limit) in digits.iter().zip(&self.basis.product_digits) {
                borrow = each(
                    #[inline(always)]
                    |q| borrowed(&digit[q], *limit, &borrow[q]),
                );
            }
            outside = each(
                #[inline(always)]
                |q| not_borrowed(&outside[q], &borrow[q]),
            );
        }
        outside.as_flattened().iter().fold(0, |all, x| all | x)
    }
}

/// What a difference of digits borrows of the next.
#[inline(always)]
fn borrowed(digit: &WideRow, limit: u64, borrow: &WideRow) -> WideRow {
    each(
        #[inline(always)]
        |i| digit[i].wrapping_sub(limit + borrow[i]) >> (u64::BITS - 1),
    )
}

/// 1 where nothing was borrowed, or is there already.
#[inline(always)]
fn not_borrowed(outside: &WideRow, borrow: &WideRow) -> WideRow {
    each(
        #[inline(always)]
        |i| outside[i] | (1 ^ borrow[i]),
    )
}

/// What makes factors of the backend, before there is an operand.
pub(super) struct MakeFactor;

impl Kernel for MakeFactor {
    type Out = fn(u64, u64) -> Factor;
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Self::Out {
        S::factor52
    }
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(self, _: S, _: W) -> Self::Out {
        W::factor52
    }
}

/// With AVX-512 on its registers, else on those of the token.
macro_rules! on_words {
    ($($kernel:ident)*) => { $(
        impl Kernel for $kernel<'_> {
            type Out = ();
            const AVX512: bool = true;
            #[inline(always)]
            fn run<S: Simd>(self, s: S) {
                self.all(s);
            }
            #[inline(always)]
            fn run_avx512<S: Simd, W: WideLanes>(self, _: S, w: W) {
                self.all(w);
            }
        }
    )* };
}

on_words!(Remainders Lift);

impl Kernel for Unpack<'_> {
    type Out = u64;
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> u64 {
        self.all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rns::digits::{GROUP, ZEROES, collect, spread};
    use alloc::vec;
    use alloc::vec::Vec;
    use ringsmith_simd::Cpu;

    /// The greatest primes below `2^50`: a product and a reduced sum are all that a lane has room for.
    const PRIMES: [u64; 2] = [(1 << 50) - 27, (1 << 50) - 35];
    const Q: u128 = PRIMES[0] as u128 * PRIMES[1] as u128;

    /// Numbers at the ends of the range, at multiples of the primes, and between.
    fn numbers() -> Vec<u128> {
        let [p, q] = PRIMES.map(u128::from);
        let edges = [0, 1, Q - 1, Q - 2, p, q, p - 1, q - 1, Q - p, Q - q, (q - 1) * p - 1, (p - 1) * q - 1];
        let between = (1..=u128::from(u32::MAX)).step_by(1 << 27).map(|i| Q / 7 * (i % 7) + i * i * i);
        edges.into_iter().chain(between).take(GROUP).collect()
    }

    /// Protects: residues and the way back modulo primes as great as products by factors take, on every
    /// backend. Of rings only those of few coefficients have these: `p - 1` is no multiple of 8.
    #[test]
    fn the_greatest_primes() {
        let numbers = numbers();
        let words: Vec<u64> = numbers.iter().flat_map(|x| [*x as u64, (*x >> 64) as u64]).collect();
        assert_eq!(words.len(), 2 * GROUP);
        for cpu in Cpu::available() {
            let basis = &Basis::new(cpu, &PRIMES).unwrap();
            let (mut digits, mut values) = (vec![ZEROES; basis.digits], vec![ZEROES; PRIMES.len()]);
            spread(&words, basis.words, &mut digits, basis.digits);
            assert_eq!(cpu.run(Unpack { basis, digits: &mut digits }), 0);
            let of = Numbers::Long;
            cpu.run(Remainders { basis, groups: 1, numbers: of, digits: &digits, values: &mut values });
            for (p, values) in PRIMES.into_iter().zip(&values) {
                let expected = numbers.iter().map(|x| (x % u128::from(p)) as u64);
                assert!(values.as_flattened().iter().copied().eq(expected), "{cpu:?} {p}");
            }
            cpu.run(Lift { basis, groups: 1, values: &mut values, digits: &mut digits });
            let mut back = vec![0; words.len()];
            collect(&digits, basis.digits, &mut back, basis.words);
            assert_eq!(back, words, "{cpu:?}");
        }
    }
}
