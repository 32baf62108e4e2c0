//! Exact products: over the integers, from products modulo primes, and then modulo `q`.
//!
//! # The map
//! Transforms multiply modulo `x^N - 1` or `x^N + 1` and a prime `p_i`. A coefficient `c` of the product over
//! the integers has the residues `c mod p_i`, and is known from them where `p_1 p_2 ..` is greater than the
//! number of values that it can have. Its digits in base `p_1, p_2, ..` (H. L. Garner, 1959),
//!
//! ```text
//! v_1 = c mod p_1,   v_2 = (c - v_1) / p_1 mod p_2,   v_3 = ((c - v_1) / p_1 - v_2) / p_2 mod p_3,  ..
//! ```
//!
//! give `c = v_1 + v_2 p_1 + v_3 p_1 p_2 + ..`, which is summed modulo `q`.
//!
//! # How many primes
//! With `a` in `[0, q)`, a second factor in `[0, B]`, `n` products a coefficient and `t` products in a sum,
//! `0 <= c <= n t (q - 1) B`. Where a factor or a wrapped product has a sign, `|c|` is bounded by that, and a
//! multiple of `q` no less is added before digits are taken, which changes nothing modulo `q`.

use crate::RingError;
use crate::lanes::{self, Modulus};
use crate::memory::{Words, reserve};
use crate::zq::{Factor, Zq};
use alloc::vec::Vec;
use core::iter::zip;
use ringsmith_simd::{Cpu, Factor as LaneFactor};
use ringsmith_word::{Polynomial, Prepared, Shape, Transformed, WordRing};

/// The greatest primes below `2^46` that are 1 modulo `2^18`.
const PRIMES: [u64; lanes::MAX_DIGITS as usize] =
    [70_368_740_769_793, 70_368_738_410_497, 70_368_720_322_561, 70_368_718_225_409, 70_368_715_603_969];
/// One below `2^30`, which alone serves small products in lanes of 32 bits.
const NARROW: u64 = 1_073_479_681;

/// Which operands products have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    /// Of the first factor, in `[0, q)`.
    pub(crate) q: u64,
    /// The second factor: `None` for one in `[0, q)`, or at most this in absolute value.
    pub(crate) small: Option<u64>,
    /// How many products a coefficient sums.
    pub(crate) terms: u64,
    /// Whether what wraps around changes its sign.
    pub(crate) shape: Shape,
}

impl Bounds {
    /// Whether coefficients can be negative.
    pub(crate) fn signed(self) -> bool {
        self.small.is_some() || self.shape == Shape::Negacyclic
    }

    /// The factors whose product is no less than the number of values of a coefficient.
    fn values(self) -> [u64; 4] {
        let signs = if self.signed() { 2 } else { 1 };
        [signs, self.q, self.small.unwrap_or(self.q - 1), self.terms]
    }

    /// How many bits a coefficient has, its sign among them.
    pub(crate) fn bits(self) -> u32 {
        bits(&self.values())
    }

    /// The primes that hold a coefficient, `None` where all do not.
    fn primes(self) -> Option<&'static [u64]> {
        if holds(&[NARROW], self.values()) {
            return Some(&[NARROW]);
        }
        (1..=PRIMES.len()).map(|count| &PRIMES[..count]).find(|primes| holds(primes, self.values()))
    }
}

/// Whether the product of primes is greater than that of these numbers.
fn holds(primes: &[u64], numbers: [u64; 4]) -> bool {
    large(primes).iter().rev().gt(large(&numbers).iter().rev())
}

/// How many bits a product of numbers has.
fn bits(factors: &[u64]) -> u32 {
    let words = large(factors);
    let top = words.iter().rposition(|word| *word != 0).unwrap_or(0);
    u64::BITS * (top as u32 + 1) - words[top].leading_zeros()
}

/// The product of numbers, in five words.
fn large(factors: &[u64]) -> [u64; 5] {
    factors.iter().fold([1, 0, 0, 0, 0], times)
}

/// A number of five words, the least first, by a word.
fn times(number: [u64; 5], by: &u64) -> [u64; 5] {
    let mut carry = 0;
    number.map(|word| {
        let product = u128::from(word) * u128::from(*by) + carry;
        carry = product >> u64::BITS;
        product as u64
    })
}

/// Products modulo `x^N - 1` or `x^N + 1`, with coefficients modulo `q`.
pub(crate) struct Exact {
    zq: Zq,
    /// `q` in lanes, where it is below `2^46`.
    lanes: Option<Modulus>,
    bounds: Bounds,
    /// A ring of words for each prime.
    rings: Vec<Residue>,
}

/// One prime.
struct Residue {
    ring: WordRing,
    /// The prime, in lanes.
    modulus: Modulus,
    /// The multiple of `q` that makes coefficients positive.
    offset: u64,
    /// The inverses of the primes before this one.
    inverses: Vec<LaneFactor>,
    /// The product of the primes before this one, modulo `q`, and in lanes where `q` has some.
    place: Factor,
    place_in_lanes: LaneFactor,
}

/// Room for a product.
pub(crate) struct Room {
    numbers: Words,
    operands: Vec<Operands>,
}

/// Operands modulo a prime. They are taken out while they are worked on, since transforms move them.
struct Operands {
    a: Option<Polynomial>,
    b: Option<Polynomial>,
    sum: Option<Transformed>,
    /// The residues of a product.
    residues: Words,
}

/// An operand, which is there unless an operation failed.
fn take<T>(operand: &mut Option<T>) -> Result<T, RingError> {
    operand.take().ok_or(RingError::OtherRing)
}

/// A second factor, made to be multiplied by.
pub(crate) struct PreparedExact(Vec<Prepared>);

impl Exact {
    /// Products of `length` coefficients.
    pub(crate) fn new(cpu: Cpu, length: usize, bounds: Bounds) -> Result<Self, RingError> {
        let primes = bounds.primes().ok_or(RingError::Operands)?;
        Self::with(cpu, length, bounds, primes)
    }

    /// Modulo these primes.
    fn with(cpu: Cpu, length: usize, bounds: Bounds, primes: &[u64]) -> Result<Self, RingError> {
        let zq = Zq::new(bounds.q);
        let lanes = (bounds.q >> lanes::BITS == 0).then(|| Modulus::new(cpu, bounds.q));
        let mut rings = reserve(primes.len())?;
        for (i, p) in primes.iter().enumerate() {
            let ring = WordRing::new_on(cpu, bounds.shape, length, *p)?;
            rings.push(Residue::new(ring, (zq, lanes.as_ref()), bounds, &primes[..i])?);
        }
        Ok(Exact { zq, lanes, bounds, rings })
    }

    /// Products modulo `q` itself, which is a prime that has the roots of unity.
    pub(crate) fn direct(cpu: Cpu, length: usize, bounds: Bounds) -> Result<Self, RingError> {
        Self::with(cpu, length, bounds, &[bounds.q])
    }

    /// Begins a sum of products in the transform domain, or adds a product to it.
    pub(crate) fn add_product(
        &self,
        a: &[u64],
        b: &[u64],
        room: &mut Room,
        begin: bool,
    ) -> Result<(), RingError> {
        self.check(room)?;
        for (of, at) in self.rings.iter().zip(&mut room.operands) {
            let mut a = of.forward(of.first(self.bounds.q, a, &mut room.numbers), &mut at.a)?;
            let b = of.forward(of.second(self.bounds, b, &mut room.numbers), &mut at.b)?;
            let mut sum = take(&mut at.sum)?;
            if begin {
                of.ring.pointwise(&mut a, &b)?;
                core::mem::swap(&mut sum, &mut a);
            } else {
                of.ring.accumulate(&mut sum, &a, &b)?;
            }
            (at.a, at.b) = (Some(of.ring.recycle(a)?), Some(of.ring.recycle(b)?));
            at.sum = Some(sum);
        }
        Ok(())
    }

    /// The first coefficients of the sum, as many as `out` has places; it is used up.
    pub(crate) fn end_sum(&self, out: &mut [u64], room: &mut Room) -> Result<(), RingError> {
        self.check(room)?;
        for (of, at) in self.rings.iter().zip(&mut room.operands) {
            let spare = of.ring.forward(take(&mut at.a)?)?;
            let sum = at.sum.replace(spare);
            at.a = Some(of.inverse(sum.ok_or(RingError::OtherRing)?, &mut at.residues)?);
        }
        self.combine(out, room);
        Ok(())
    }

    /// The primes.
    pub(crate) fn primes(&self) -> impl Iterator<Item = u64> + '_ {
        self.rings.iter().map(|of| of.ring.prime())
    }

    /// How many bits every number has at most that the primes tell from all others.
    pub(crate) fn bits(&self) -> u32 {
        let mut primes = [1; PRIMES.len()];
        self.primes().zip(&mut primes).for_each(|(p, x)| *x = p);
        bits(&primes) - 1
    }

    /// How many coefficients a transform has.
    pub(crate) fn length(&self) -> usize {
        self.rings[0].ring.degree()
    }

    /// The bounds that the operands keep.
    pub(crate) fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Room for a product.
    pub(crate) fn room(&self) -> Result<Room, RingError> {
        let mut operands = reserve(self.rings.len())?;
        let numbers = Words::zero(self.length())?;
        for of in &self.rings {
            let zero = || of.ring.polynomial(&numbers);
            let residues = Words::zero(self.length())?;
            operands.push(Operands {
                a: Some(zero()?),
                b: Some(zero()?),
                sum: Some(of.ring.zero()?),
                residues,
            });
        }
        Ok(Room { numbers, operands })
    }

    /// Whether a room is one of these products'; that its primes are, their rings say.
    fn check(&self, room: &Room) -> Result<(), RingError> {
        let same = room.operands.len() == self.rings.len() && room.numbers.len() == self.length();
        if same { Ok(()) } else { Err(RingError::OtherRing) }
    }

    /// A second factor, made to be multiplied by.
    pub(crate) fn prepare(&self, b: &[u64], room: &mut Room) -> Result<PreparedExact, RingError> {
        self.check(room)?;
        let mut prepared = reserve(self.rings.len())?;
        for of in &self.rings {
            let b = of.second(self.bounds, b, &mut room.numbers);
            prepared.push(of.ring.prepare(of.ring.polynomial(b)?)?);
        }
        Ok(PreparedExact(prepared))
    }

    /// The first coefficients of `a b`, as many as `out` has places.
    pub(crate) fn product(
        &self,
        a: &[u64],
        b: &[u64],
        out: &mut [u64],
        room: &mut Room,
    ) -> Result<(), RingError> {
        self.check(room)?;
        for (of, at) in self.rings.iter().zip(&mut room.operands) {
            let a = of.forward(of.first(self.bounds.q, a, &mut room.numbers), &mut at.a)?;
            let b = of.forward(of.second(self.bounds, b, &mut room.numbers), &mut at.b)?;
            let mut product = a;
            of.ring.pointwise(&mut product, &b)?;
            at.a = Some(of.inverse(product, &mut at.residues)?);
            at.b = Some(of.ring.recycle(b)?);
        }
        self.combine(out, room);
        Ok(())
    }

    /// The same by a prepared `b`.
    pub(crate) fn product_prepared(
        &self,
        a: &[u64],
        PreparedExact(b): &PreparedExact,
        out: &mut [u64],
        room: &mut Room,
    ) -> Result<(), RingError> {
        self.check(room)?;
        for ((of, at), b) in self.rings.iter().zip(&mut room.operands).zip(b) {
            let mut product = of.forward(of.first(self.bounds.q, a, &mut room.numbers), &mut at.a)?;
            of.ring.pointwise_prepared(&mut product, b)?;
            at.a = Some(of.inverse(product, &mut at.residues)?);
        }
        self.combine(out, room);
        Ok(())
    }

    /// Coefficients modulo `q` of their residues, which become digits.
    fn combine(&self, out: &mut [u64], room: &mut Room) {
        let rows = out.len().next_multiple_of(8);
        let mut digits = [(&[][..], [0; 2]); PRIMES.len()];
        for (i, (of, operands)) in zip(&self.rings, &mut room.operands).enumerate() {
            let residues = &mut operands.residues[..rows];
            zip(&mut digits[..i], &of.inverses).for_each(|((_, factor), inverse)| *factor = *inverse);
            if i > 0 || of.offset != 0 {
                of.modulus.digits(of.offset, &digits[..i], residues);
            }
            digits[i].0 = residues;
        }
        let digits = &mut digits[..self.rings.len()];
        match &self.lanes {
            Some(lanes) => {
                zip(&mut *digits, &self.rings).for_each(|((_, factor), of)| *factor = of.place_in_lanes);
                lanes.sums(digits, out);
            }
            None => self.sums(digits, out),
        }
    }

    /// The sums of digits times their places, where `q` is too large for lanes.
    fn sums(&self, digits: &[(&[u64], LaneFactor)], out: &mut [u64]) {
        out.fill(0);
        for ((digits, _), of) in zip(digits, &self.rings) {
            zip(&mut *out, *digits)
                .for_each(|(sum, digit)| *sum = self.zq.add(*sum, self.zq.times(*digit, of.place)));
        }
    }
}

impl Residue {
    /// With the primes before it.
    fn new(
        ring: WordRing,
        (zq, lanes): (Zq, Option<&Modulus>),
        bounds: Bounds,
        before: &[u64],
    ) -> Result<Self, RingError> {
        let (zp, modulus) = (Zq::new(ring.prime()), Modulus::new(ring.cpu(), ring.prime()));
        let mut inverses = reserve(before.len())?;
        inverses.extend(before.iter().map(|p| modulus.factor(inverse(zp, zp.word(*p)))));
        let place = before.iter().fold(zq.word(1), |place, p| zq.product(place, zq.word(*p)));
        let offset = match bounds.signed() {
            true => bounds.values()[1..].iter().fold(1, |offset, x| zp.product(offset, zp.word(*x))),
            false => 0,
        };
        let place_in_lanes = lanes.map_or([0; 2], |lanes| lanes.factor(place));
        Ok(Residue { ring, modulus, offset, inverses, place: zq.factor(place), place_in_lanes })
    }

    /// Numbers in `[0, q)` as residues, and zeroes behind them.
    fn first<'a>(&self, q: u64, a: &'a [u64], numbers: &'a mut [u64]) -> &'a [u64] {
        let below = q <= self.ring.prime();
        if below && a.len() == numbers.len() {
            return a;
        }
        let (low, high) = numbers.split_at_mut(a.len());
        if below {
            low.copy_from_slice(a)
        } else {
            self.modulus.reduce(a, low)
        }
        high.fill(0);
        numbers
    }

    /// The same of the second factor, which may be small.
    fn second<'a>(&self, bounds: Bounds, b: &'a [u64], numbers: &'a mut [u64]) -> &'a [u64] {
        let Some(small) = bounds.small else { return self.first(bounds.q, b, numbers) };
        let (low, high) = numbers.split_at_mut(b.len());
        self.modulus.read_small(bounds.q, small, b, low);
        high.fill(0);
        numbers
    }

    /// The transform of residues, in the memory of an operand.
    fn forward(&self, numbers: &[u64], operand: &mut Option<Polynomial>) -> Result<Transformed, RingError> {
        let mut polynomial = take(operand)?;
        self.ring.set(&mut polynomial, numbers)?;
        Ok(self.ring.forward(polynomial)?)
    }

    /// The residues of a product.
    fn inverse(&self, product: Transformed, residues: &mut [u64]) -> Result<Polynomial, RingError> {
        let product = self.ring.inverse(product)?;
        self.ring.coefficients(&product, residues)?;
        Ok(product)
    }
}

/// `x^-1` modulo a prime, by Fermat.
fn inverse(zp: Zq, x: u64) -> u64 {
    let (mut result, mut square, mut rest) = (1, x, zp.modulus() - 2);
    while rest > 0 {
        if rest & 1 == 1 {
            result = zp.product(result, square);
        }
        (square, rest) = (zp.product(square, square), rest >> 1);
    }
    result
}
