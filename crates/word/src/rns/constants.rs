//! What follows from the primes, of which all is public.

use super::digits::{DIGIT_BITS, Group, WORD_BITS};
use super::kernels::MakeFactor;
use crate::memory::reserve;
use crate::{WordError, number};
use alloc::vec::Vec;
use ringsmith_simd::{Cpu, Factor, WideRow};

/// The most primes of a ring.
pub(crate) const MAX_PRIMES: usize = 64;
/// They are below `2^PRIME_BITS`, as products by factors take them.
pub(super) const PRIME_BITS: u32 = 50;
/// The digits of a number with a sign: 52 bits, 12 bits, and the sign.
pub(super) const SMALL_DIGITS: usize = 3;
/// Room for what a block's numbers are made to and of, in groups: enough for one group of the longest.
pub(super) const ROOM: usize = {
    let words = (MAX_PRIMES as u32 * PRIME_BITS).div_ceil(WORD_BITS);
    MAX_PRIMES + (words * WORD_BITS).div_ceil(DIGIT_BITS) as usize
};
/// What a product by a factor is less than, in multiples of the prime.
const REDUCED: u64 = 2;

const _: () = {
    // A digit's sum of low and high halves, and what is carried into it.
    assert!((2 * MAX_PRIMES as u128 + 1) << DIGIT_BITS <= 1 << (WORD_BITS - 1));
    // A reduced number and a product by a factor are a number of a lane, so that residues are digits too.
    assert!((2 * REDUCED) << PRIME_BITS <= 1 << DIGIT_BITS);
};

/// A prime, and what numbers are multiplied by modulo it.
pub(super) struct Modulus {
    pub(super) p: u64,
    /// The factor 1, by which a sum is reduced.
    pub(super) one: Factor,
    /// How many products may be added to a reduced number.
    pub(super) room: usize,
    /// `2^(52 j)`: of the digits of a number.
    pub(super) powers: Vec<Factor>,
    /// 1, `2^52` and `-2^64`: of the digits of a number with a sign.
    pub(super) small: [Factor; SMALL_DIGITS],
    /// Of the digits in mixed radix before it, and of the residue itself: what makes its own digit.
    pub(super) mixed: Vec<Factor>,
}

/// The constants of a list of primes.
pub(super) struct Basis {
    pub(super) moduli: Vec<Modulus>,
    /// How many words and how many digits a number has.
    pub(super) words: usize,
    pub(super) digits: usize,
    /// The product of all primes, in words and in digits.
    pub(super) product: Vec<u64>,
    pub(super) product_digits: Vec<u64>,
    /// For each digit of a number, the first of the digits in mixed radix that it takes.
    pub(super) starts: Vec<usize>,
    /// For each digit and each of those: the digit of that place's weight, and the one below.
    pub(super) terms: Vec<[u64; 2]>,
    /// How many groups of coefficients go together.
    pub(super) groups: usize,
}

impl Basis {
    /// Of different primes that serve, at most [`MAX_PRIMES`].
    pub(super) fn new(cpu: Cpu, primes: &[u64]) -> Result<Self, WordError> {
        let product = product_of(primes)?;
        let words = product.len();
        let digits = (words as u32 * WORD_BITS).div_ceil(DIGIT_BITS) as usize;
        let mut moduli = reserve(primes.len())?;
        for (i, p) in primes.iter().enumerate() {
            moduli.push(Modulus::new(cpu.run(MakeFactor), *p, &primes[..i], digits)?);
        }
        let weights = Weights::new(primes, digits)?;
        let (starts, terms) = weights.terms(primes.len())?;
        Ok(Basis {
            moduli,
            words,
            digits,
            product,
            product_digits: weights.all,
            starts,
            terms,
            groups: ROOM / (primes.len() + digits.max(SMALL_DIGITS)),
        })
    }

    /// How many coefficients go together.
    pub(super) fn block(&self) -> usize {
        self.groups * size_of::<Group>() / size_of::<u64>()
    }
}

impl Modulus {
    /// Of a prime, those before it, and so many digits of a number.
    fn new(factor: fn(u64, u64) -> Factor, p: u64, before: &[u64], digits: usize) -> Result<Self, WordError> {
        let factor = |w| factor(w, p);
        let digit = (1 << DIGIT_BITS) % p;
        let (mut powers, mut power) = (reserve(digits)?, 1 % p);
        for _ in 0..digits {
            powers.push(factor(power));
            power = number::multiply(power, digit, p);
        }
        let word = number::power(2, WORD_BITS.into(), p);
        let room = (((1 << DIGIT_BITS) / p - REDUCED) / REDUCED) as usize;
        let small = [factor(1), factor(digit), factor(p - word)];
        Ok(Modulus { p, one: factor(1), room, powers, small, mixed: mixed(factor, p, before)? })
    }
}

/// With `c` the inverse of the product of all primes before `p`: `-c`, `-c` times the first prime, times the
/// first two, and so on; last `c`.
fn mixed(factor: impl Fn(u64) -> Factor, p: u64, before: &[u64]) -> Result<Vec<Factor>, WordError> {
    let product = before.iter().fold(1, |product, q| number::multiply(product, q % p, p));
    let inverse = number::inverse(product, p);
    let (mut factors, mut weight) = (reserve(before.len() + 1)?, p - inverse);
    for q in before {
        factors.push(factor(weight));
        weight = number::multiply(weight, q % p, p);
    }
    factors.push(factor(inverse));
    Ok(factors)
}

/// `number *= by`, in places of so many bits; what is left beyond the last.
fn multiply(number: &mut [u64], by: u64, bits: u32) -> u64 {
    let mask = (1_u128 << bits) - 1;
    let mut carry = 0;
    for place in number {
        let x = u128::from(*place) * u128::from(by) + carry;
        (*place, carry) = ((x & mask) as u64, x >> bits);
    }
    carry as u64
}

/// The product of all, in words, of which the last is not 0.
fn product_of(primes: &[u64]) -> Result<Vec<u64>, WordError> {
    let mut product = reserve(primes.len() + 1)?;
    product.push(1);
    for p in primes {
        let carry = multiply(&mut product, *p, WORD_BITS);
        if carry > 0 {
            product.push(carry);
        }
    }
    Ok(product)
}

/// The weights of the digits in mixed radix: 1, the first prime, the first two, and so on.
struct Weights {
    /// Digits of all weights, one after the other.
    digits: Vec<u64>,
    /// Those of the product of all primes.
    all: Vec<u64>,
}

impl Weights {
    fn new(primes: &[u64], count: usize) -> Result<Self, WordError> {
        let (mut digits, mut all) = (reserve(primes.len() * count)?, reserve(count)?);
        all.resize(count, 0);
        all[0] = 1;
        for p in primes {
            digits.extend_from_slice(&all);
            multiply(&mut all, *p, DIGIT_BITS);
        }
        Ok(Weights { digits, all })
    }

    /// [`Basis::starts`] and [`Basis::terms`].
    fn terms(&self, primes: usize) -> Result<(Vec<usize>, Vec<[u64; 2]>), WordError> {
        let count = self.all.len();
        let weight = |i: usize| &self.digits[i * count..(i + 1) * count];
        let (mut starts, mut terms) = (reserve(count)?, reserve(count * primes)?);
        for t in 0..count {
            // Weights grow: those before have neither this digit nor the one below.
            let is_in = |i: &usize| weight(*i)[t.saturating_sub(1)..].iter().any(|digit| *digit > 0);
            let start = (0..primes).find(is_in).unwrap_or(primes);
            let below = |i| t.checked_sub(1).map_or(0, |below| weight(i)[below]);
            starts.push(start);
            terms.extend((start..primes).map(|i| [weight(i)[t], below(i)]));
        }
        Ok((starts, terms))
    }
}

/// Eight lanes of 0.
pub(super) const ZERO: WideRow = [0; 8];
