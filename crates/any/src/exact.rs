//! Exact products: over the integers, from products modulo primes, and then modulo `q`.
//!
//! # The map
//! Transforms ([`Forest`]) multiply modulo a prime `p_i`. A coefficient `c` of the product over
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
//!
//! A factor in `[0, q)` may as well be read as centred, from `-q/2` to `q/2`: then `|c| <= n t (q/2)^2`,
//! which leaves half of the values, or a quarter where products have signs anyway. Reading takes longer so,
//! and is done only where it saves a prime, or takes a shorter one.
//!
//! # Chunks
//! Where transforms are of one piece, coefficients become residues a chunk at a time, and a chunk of residues
//! modulo each prime becomes digits and their sums before the next: both stay in the first cache. Of several
//! pieces, and where residues are taken modulo `f`, all are needed at once.

use crate::RingError;
use crate::cost::Transforms;
use crate::divisor::Sparse;
use crate::fold::Fold;
use crate::forest::{Forest, Length, Operand, PreparedOperand};
use crate::lanes::Modulus;
use crate::memory::{Words, reserve};
use crate::packed::Packing;
use crate::weights::{Weight, Weights};
use crate::zq::Zq;
use alloc::vec::Vec;
pub(crate) use bounds::{Bounds, bits};
use core::iter::zip;
use ringsmith_simd::{Cpu, Factor as LaneFactor};

mod bounds;

/// The greatest primes below `2^46` that are 1 modulo `2^18`.
pub(crate) const PRIMES: [u64; 5] =
    [70_368_740_769_793, 70_368_738_410_497, 70_368_720_322_561, 70_368_718_225_409, 70_368_715_603_969];
/// One below `2^30`, which alone serves small products in lanes of 32 bits.
pub(crate) const NARROW: u64 = 1_073_479_681;

/// So many coefficients at a time are taken to residues and back, so that they stay in the first cache. A
/// multiple of 8.
const CHUNK: usize = 1024;

/// Products of polynomials, or those modulo `f`, with coefficients modulo `q`.
pub(crate) struct Exact {
    q: Weights,
    bounds: Bounds,
    residues: Vec<Residue>,
}

/// One prime.
struct Residue {
    forest: Forest,
    /// The prime, in lanes.
    modulus: Modulus,
    /// The multiple of `q` that makes coefficients positive.
    offset: u64,
    /// The inverses of the primes before this one.
    inverses: Vec<LaneFactor>,
    /// The product of the primes before this one, modulo `q`.
    place: Weight,
    /// What takes a product modulo `f`, where coefficients are told apart behind that.
    fold: Option<Sparse>,
    /// How two coefficients are packed, if they are.
    packing: Option<Packing>,
    /// How factors are read that have signs.
    signed: [Option<Signed>; 2],
}

/// A factor that has signs.
#[derive(Clone, Copy)]
struct Signed {
    /// What it is at most in absolute value.
    bound: u64,
    /// What takes that off modulo the prime.
    back: u64,
}

/// A factor: its coefficients from the least power up, or from the greatest down.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    Up(&'a [u64]),
    Down(&'a [u64]),
}

impl Source<'_> {
    /// How many coefficients it has.
    fn len(self) -> usize {
        let (Source::Up(numbers) | Source::Down(numbers)) = self;
        numbers.len()
    }

    /// Coefficients from `at` on, as many as `to` has places, by `reduce`; `room` has as many.
    fn read(self, at: usize, to: &mut [u64], room: &mut [u64], reduce: impl Fn(&[u64], &mut [u64])) {
        match self {
            Source::Up(numbers) => reduce(&numbers[at..at + to.len()], to),
            Source::Down(numbers) => {
                let (end, room) = (numbers.len() - at, &mut room[..to.len()]);
                zip(&mut *room, numbers[end - to.len()..end].iter().rev()).for_each(|(x, y)| *x = *y);
                reduce(room, to);
            }
        }
    }
}

/// Room for a product.
pub(crate) struct Room {
    /// An operand, and a piece of one.
    numbers: Words,
    /// A chunk that is turned around.
    turned: Words,
    operands: Vec<Operands>,
}

/// Operands modulo a prime.
struct Operands {
    a: Operand,
    b: Operand,
    sum: Operand,
    /// The residues of a product.
    residues: Words,
}

/// Room for an operand and a piece of one, and for a chunk that is turned around.
type Chunks<'a> = (&'a mut [u64], &'a mut [u64]);

/// A second factor, made to be multiplied by.
pub(crate) struct PreparedExact(Vec<PreparedOperand>);

impl Exact {
    /// Products by transforms that hold these bounds: of polynomials, or modulo `f`, whose remainders' bounds
    /// they then are.
    pub(crate) fn by(
        cpu: Cpu,
        by: Transforms,
        bounds: Bounds,
        fold: Option<&Fold>,
    ) -> Result<Self, RingError> {
        let primes = by.moduli.primes(&bounds.q);
        Self::with(cpu, by.length, bounds.within(primes).unwrap_or(bounds), primes, fold)
    }

    /// Whether products by transforms of sums of so many terms, of two factors in `[0, q)`, are these.
    pub(crate) fn serves(&self, by: Transforms, terms: u64) -> bool {
        let Bounds { small, terms: most, .. } = self.bounds;
        let plain = small.is_none() && !by.packed && self.packing().is_none() && terms <= most;
        let primes = by.moduli.primes(&self.bounds.q);
        plain && self.residues[0].forest.is(by.length) && self.primes().eq(primes.iter().copied())
    }

    /// The same of operands that are packed.
    pub(crate) fn packed(mut self, packing: Packing) -> Self {
        self.residues.iter_mut().for_each(|residue| residue.packing = Some(packing));
        self
    }

    /// How coefficients are packed, if they are.
    pub(crate) fn packing(&self) -> Option<&Packing> {
        self.residues[0].packing.as_ref()
    }

    /// Modulo these primes.
    fn with(
        cpu: Cpu,
        length: Length,
        bounds: Bounds,
        primes: &[u64],
        fold: Option<&Fold>,
    ) -> Result<Self, RingError> {
        let (q, mut residues) = (Weights::new(cpu, bounds.q), reserve(primes.len())?);
        for (i, p) in primes.iter().enumerate() {
            let mut residue = Residue::new(Forest::new(cpu, length, *p)?, &q, bounds, &primes[..i])?;
            residue.fold = fold.map(|fold| fold.modulo(cpu, *p)).transpose()?;
            residues.push(residue);
        }
        Ok(Exact { q, bounds, residues })
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
        for (of, at) in zip(&self.residues, &mut room.operands) {
            of.first(self.bounds.q, Source::Up(a), (&mut room.numbers, &mut room.turned), &mut at.a)?;
            of.second(self.bounds.q, b, (&mut room.numbers, &mut room.turned), &mut at.b)?;
            of.forest.forward(&mut at.a)?;
            of.forest.forward(&mut at.b)?;
            if begin {
                of.forest.pointwise(&mut at.a, &at.b)?;
                core::mem::swap(&mut at.sum, &mut at.a);
            } else {
                of.forest.accumulate(&mut at.sum, &at.a, &at.b)?;
            }
        }
        Ok(())
    }

    /// The same by a prepared `b`.
    pub(crate) fn add_product_prepared(
        &self,
        a: &[u64],
        PreparedExact(b): &PreparedExact,
        room: &mut Room,
        begin: bool,
    ) -> Result<(), RingError> {
        self.check(room)?;
        for ((of, at), b) in zip(zip(&self.residues, &mut room.operands), b) {
            of.first(self.bounds.q, Source::Up(a), (&mut room.numbers, &mut room.turned), &mut at.a)?;
            of.forest.forward(&mut at.a)?;
            if begin {
                of.forest.pointwise_prepared(&mut at.a, b)?;
                core::mem::swap(&mut at.sum, &mut at.a);
            } else {
                of.forest.accumulate_prepared(&mut at.sum, &at.a, b)?;
            }
        }
        Ok(())
    }

    /// The first coefficients of the sum, as many as `out` has places; it is used up.
    pub(crate) fn end_sum(&self, out: &mut [u64], room: &mut Room) -> Result<(), RingError> {
        self.check(room)?;
        for (of, at) in zip(&self.residues, &mut room.operands) {
            of.forest.inverse(&mut at.sum)?;
            // Back to where it was before the first product, so that every sum has the same addresses.
            core::mem::swap(&mut at.sum, &mut at.a);
        }
        self.combine(out, room)
    }

    /// The primes.
    pub(crate) fn primes(&self) -> impl Iterator<Item = u64> + '_ {
        self.residues.iter().map(|of| of.forest.prime())
    }

    /// How many bits every number has at most that the primes tell from all others.
    pub(crate) fn bits(&self) -> u32 {
        let mut primes = [1; PRIMES.len()];
        self.primes().zip(&mut primes).for_each(|(p, x)| *x = p);
        bits(&primes) - 1
    }

    /// How many coefficients a product has before it is taken modulo `f`.
    pub(crate) fn length(&self) -> usize {
        self.residues[0].forest.length()
    }

    /// The bounds that the operands keep.
    pub(crate) fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Room for a product.
    pub(crate) fn room(&self) -> Result<Room, RingError> {
        let mut operands = reserve(self.residues.len())?;
        for Residue { forest, .. } in &self.residues {
            // As products and sums leave them, so that the first one has the addresses and branches of all.
            let (a, b, sum) = (forest.operand()?, forest.values()?, forest.values()?);
            let residues = Words::zero(self.residues_at_once())?;
            operands.push(Operands { a, b, sum, residues });
        }
        let numbers = Words::zero(self.residues[0].forest.numbers())?;
        Ok(Room { numbers, turned: Words::zero(CHUNK)?, operands })
    }

    /// How many residues there are at once.
    fn residues_at_once(&self) -> usize {
        let chunks = self.residues.iter().all(Residue::by_chunks);
        if chunks { CHUNK.min(self.length()) } else { self.length() }
    }

    /// Whether a room is one of these products'; that its primes are, their rings say.
    fn check(&self, room: &Room) -> Result<(), RingError> {
        let (numbers, residues) = (self.residues[0].forest.numbers(), self.residues_at_once());
        let same = room.operands.len() == self.residues.len() && room.numbers.len() == numbers;
        let same = same && room.operands.iter().all(|at| at.residues.len() == residues);
        if same { Ok(()) } else { Err(RingError::OtherRing) }
    }

    /// A second factor, made to be multiplied by.
    pub(crate) fn prepare(&self, b: &[u64], room: &mut Room) -> Result<PreparedExact, RingError> {
        self.check(room)?;
        let mut prepared = reserve(self.residues.len())?;
        for of in &self.residues {
            prepared.push(of.prepare(self.bounds.q, b, (&mut room.numbers, &mut room.turned))?);
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
        for (of, at) in zip(&self.residues, &mut room.operands) {
            of.first(self.bounds.q, Source::Up(a), (&mut room.numbers, &mut room.turned), &mut at.a)?;
            of.second(self.bounds.q, b, (&mut room.numbers, &mut room.turned), &mut at.b)?;
            of.forest.product(&mut at.a, &mut at.b)?;
        }
        self.combine(out, room)
    }

    /// The same by a prepared `b`.
    pub(crate) fn product_prepared(
        &self,
        a: Source<'_>,
        PreparedExact(b): &PreparedExact,
        out: &mut [u64],
        room: &mut Room,
    ) -> Result<(), RingError> {
        self.check(room)?;
        for ((of, at), b) in zip(zip(&self.residues, &mut room.operands), b) {
            of.first(self.bounds.q, a, (&mut room.numbers, &mut room.turned), &mut at.a)?;
            of.forest.product_prepared(&mut at.a, b)?;
        }
        self.combine(out, room)
    }

    /// Coefficients modulo `q` of products modulo each prime, chunk by chunk where these are whole
    /// polynomials.
    fn combine(&self, out: &mut [u64], room: &mut Room) -> Result<(), RingError> {
        if !self.residues.iter().all(Residue::by_chunks) {
            for (of, at) in zip(&self.residues, &mut room.operands) {
                of.write(&mut at.a, &mut at.residues, &mut room.numbers)?;
            }
            self.combine_residues(out, room);
            return Ok(());
        }
        for (i, out) in out.chunks_mut(CHUNK).enumerate() {
            let count = out.len().next_multiple_of(8);
            for (of, at) in zip(&self.residues, &mut room.operands) {
                of.forest.part(&mut at.a, i * CHUNK, &mut at.residues[..count])?;
            }
            self.combine_residues(out, room);
        }
        Ok(())
    }

    /// Coefficients modulo `q` of the first residues, which become digits.
    fn combine_residues(&self, out: &mut [u64], room: &mut Room) {
        if self.residues[0].forest.prime() == self.bounds.q {
            return out.copy_from_slice(&room.operands[0].residues[..out.len()]);
        }
        if let Some(packing) = self.packing() {
            return packing.unpack(&mut room.operands[0].residues, out);
        }
        let rows = out.len().next_multiple_of(8);
        let mut digits = [(&[][..], [0; 2]); PRIMES.len()];
        for (i, (of, operands)) in zip(&self.residues, &mut room.operands).enumerate() {
            let residues = &mut operands.residues[..rows];
            zip(&mut digits[..i], &of.inverses).for_each(|((_, factor), inverse)| *factor = *inverse);
            if i > 0 || of.offset != 0 {
                of.modulus.digits(of.offset, &digits[..i], residues);
            }
            digits[i].0 = residues;
        }
        let digits = zip(&digits, &self.residues).map(|((digits, _), of)| (*digits, of.place));
        self.q.sum(digits, out);
    }
}

impl Residue {
    /// With the primes before it.
    fn new(forest: Forest, q: &Weights, bounds: Bounds, before: &[u64]) -> Result<Self, RingError> {
        let (zp, modulus) = (Zq::new(forest.prime()), Modulus::new(forest.cpu(), forest.prime()));
        let mut inverses = reserve(before.len())?;
        inverses.extend(before.iter().map(|p| modulus.factor(zp.inverse_of_prime(zp.word(*p)))));
        let zq = q.zq();
        let place = before.iter().fold(zq.word(1), |place, p| zq.product(place, zq.word(*p)));
        let (place, offset) = (q.weight(place), bounds.offset(zq, zp));
        let signed = |bound| Signed { bound, back: modulus.back(bound) };
        let signed = bounds.signed_factors().map(|bound| bound.map(signed));
        Ok(Residue { forest, modulus, offset, inverses, place, fold: None, packing: None, signed })
    }

    /// Whether products are given chunk by chunk.
    fn by_chunks(&self) -> bool {
        self.forest.is_one() && self.fold.is_none() && self.packing.is_none()
    }

    /// Numbers in `[0, q)` to residues.
    fn first(&self, q: u64, a: Source<'_>, room: Chunks<'_>, operand: &mut Operand) -> Result<(), RingError> {
        self.set((q, self.signed[0]), a, room, operand)
    }

    /// The same of the second factor, which may be small.
    fn second(&self, q: u64, b: &[u64], room: Chunks<'_>, operand: &mut Operand) -> Result<(), RingError> {
        self.set((q, self.signed[1]), Source::Up(b), room, operand)
    }

    /// The same of a factor, which may have signs.
    fn set(
        &self,
        (q, signed): (u64, Option<Signed>),
        a: Source<'_>,
        (numbers, turned): Chunks<'_>,
        operand: &mut Operand,
    ) -> Result<(), RingError> {
        if !self.forest.is_one() {
            let (numbers, room) = numbers.split_at_mut(self.forest.operand_length());
            return self.forest.set(self.residues((q, signed), a, numbers, turned), room, operand);
        }
        let chunk = &mut numbers[..CHUNK.min(self.forest.operand_length())];
        match (&self.packing, a) {
            (Some(packing), Source::Up(a)) => {
                self.forest.set_by(a.len().div_ceil(2), chunk, operand, |at, chunk| {
                    packing.pack(&a[2 * at..a.len().min(2 * (at + chunk.len()))], chunk);
                })
            }
            _ => self.forest.set_by(a.len(), chunk, operand, |at, chunk| {
                let (low, high) = chunk.split_at_mut(chunk.len().min(a.len() - at));
                a.read(at, low, turned, |from, to| self.reduce(q, signed, from, to));
                high.fill(0);
            }),
        }
    }

    /// A second factor, made to be multiplied by.
    fn prepare(
        &self,
        q: u64,
        b: &[u64],
        (numbers, turned): Chunks<'_>,
    ) -> Result<PreparedOperand, RingError> {
        let (numbers, room) = numbers.split_at_mut(self.forest.operand_length());
        let residues = self.residues((q, self.signed[1]), Source::Up(b), numbers, turned);
        self.forest.prepare(residues, room)
    }

    /// Numbers in `[0, q)` as residues, and zeroes behind them.
    fn residues<'a>(
        &self,
        (q, signed): (u64, Option<Signed>),
        a: Source<'a>,
        numbers: &'a mut [u64],
        turned: &mut [u64],
    ) -> &'a [u64] {
        match (&self.packing, a) {
            (Some(packing), Source::Up(a)) => {
                packing.pack(a, numbers);
                return numbers;
            }
            (None, Source::Up(a))
                if q <= self.forest.prime() && a.len() == numbers.len() && signed.is_none() =>
            {
                return a;
            }
            _ => {}
        }
        let (low, high) = numbers.split_at_mut(a.len());
        for (i, chunk) in low.chunks_mut(CHUNK).enumerate() {
            a.read(i * CHUNK, chunk, turned, |from, to| self.reduce(q, signed, from, to));
        }
        high.fill(0);
        numbers
    }

    /// Numbers in `[0, q)` as residues.
    fn reduce(&self, q: u64, signed: Option<Signed>, from: &[u64], to: &mut [u64]) {
        match signed {
            Some(signed) => self.read_signed(q, signed, from, to),
            None if q <= self.forest.prime() => to.copy_from_slice(from),
            None => self.modulus.reduce(from, to),
        }
    }

    /// The same of a factor that has signs.
    fn read_signed(&self, q: u64, Signed { bound, back }: Signed, from: &[u64], to: &mut [u64]) {
        if Modulus::takes_small(self.forest.prime(), q, bound) {
            self.modulus.read_small(q, bound, from, to);
        } else {
            self.modulus.read_bounded(q, [bound, back], from, to);
        }
    }

    /// The residues of a product, modulo `f` where the prime takes it so.
    fn write(
        &self,
        product: &mut Operand,
        residues: &mut [u64],
        numbers: &mut [u64],
    ) -> Result<(), RingError> {
        let (_, room) = numbers.split_at_mut(self.forest.operand_length());
        self.forest.coefficients(product, residues, room)?;
        if let Some(fold) = &self.fold {
            fold.reduce_product(residues);
        }
        Ok(())
    }
}
