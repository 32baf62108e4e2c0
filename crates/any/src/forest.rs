//! Transforms modulo a prime and a polynomial of a degree at and between powers of two.
//!
//! # The map
//! The tree of `x^m - r` (`ringsmith_word`) has the node `x^N - 1`, and beside it pieces: `x^(N/2) - i`,
//! where `i^2 = -1`; `x^(N/4) - w`, where `w^2 = i`; and `x^(N/4) - w^3`. No two of them have a factor in
//! common. So
//!
//! ```text
//! length 1.25 N:   (x^N - 1) (x^(N/4) - w)
//! length 1.5 N:    (x^N - 1) (x^(N/2) - i)
//! length 1.75 N:   (x^N - 1) (x^(N/2) - i) (x^(N/4) - w^3)
//! ```
//!
//! are polynomials whose pieces have transforms, and which hold a product of that many coefficients.
//!
//! * **Apart.** `x^m` is `r` in a piece: chunks of `m` coefficients are added with weights `1, r, r^2, ..`.
//! * **Together.** With `c` the product modulo `M`, that of all pieces before, and `v` that of a piece, the
//!   product modulo both is `c + M t`, where `M t = v - c` in the piece. `M` is a number `s` there, as it is
//!   a polynomial in `x^m`; so `t = (v - c) / s`, and `M` has at most four terms.
//!
//! # Source
//! J. van der Hoeven, *The truncated Fourier transform and applications*, ISSAC 2004, walks a part of the
//! same tree for any length. Deviation: four lengths, whose pieces are whole.

use crate::RingError;
use crate::lanes;
use crate::memory::reserve;
use crate::weights::{Term, Weight, Weights};
use crate::zq::Zq;
use alloc::vec::Vec;
use core::iter::zip;
use ringsmith_simd::Cpu;
use ringsmith_word::{Polynomial, Prepared, Shape, Transformed, WordRing};

/// The pieces of a length, each the first one's part of so many halvings.
type Pieces = &'static [(Shape, u32)];

/// How long products are, or what they are taken modulo.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Length {
    /// The degree of the first piece, a power of two.
    first: usize,
    pieces: Pieces,
}

/// From the shortest on: by how many quarters of `N` a length is greater.
const LENGTHS: [Pieces; 4] = [
    &[(Shape::Cyclic, 0)],
    &[(Shape::Cyclic, 0), (Shape::Eighth, 2)],
    &[(Shape::Cyclic, 0), (Shape::Quarter, 1)],
    &[(Shape::Cyclic, 0), (Shape::Quarter, 1), (Shape::ThreeEighths, 2)],
];
/// Transforms of fewer coefficients take longer than those of so many: their rows are not full.
pub(crate) const SHORTEST: usize = 64;

impl Length {
    /// Modulo `x^n - 1` or `x^n + 1`, with `n` a power of two.
    pub(crate) fn wrapping(shape: Shape, n: usize) -> Self {
        let pieces: Pieces = if shape == Shape::Negacyclic { &[(Shape::Negacyclic, 0)] } else { LENGTHS[0] };
        Length { first: n, pieces }
    }

    /// `x^N - 1` with room for so many coefficients, and no shorter than is fast.
    pub(crate) fn power_of_two(count: usize) -> Self {
        Length { first: count.max(SHORTEST).next_power_of_two(), pieces: LENGTHS[0] }
    }

    /// From the power of two below so many coefficients to that which has room for them.
    pub(crate) fn around(count: usize) -> impl Iterator<Item = Self> {
        let longest = Self::power_of_two(count);
        let between = LENGTHS.map(|pieces| Length { first: longest.first / 2, pieces });
        between.into_iter().filter(|length| length.is_fast()).chain(core::iter::once(longest))
    }

    /// The order of the root of unity that its transforms need.
    pub(crate) fn order(self) -> usize {
        let order = |(shape, halvings): &(Shape, u32)| shape.order() * (self.first >> halvings);
        self.pieces.iter().map(order).max().unwrap_or(1)
    }

    /// The degree of the first piece.
    pub(crate) fn first(self) -> usize {
        self.first
    }

    /// The degree of each piece, and how many terms the product of those before has behind its leading one.
    pub(crate) fn pieces(self) -> impl Iterator<Item = (usize, usize)> {
        let piece = move |(i, (_, halvings)): (usize, &(Shape, u32))| (self.first >> halvings, (1 << i) - 1);
        self.pieces.iter().enumerate().map(piece)
    }

    /// The shape and the degree of each piece.
    fn polynomials(self) -> impl Iterator<Item = (Shape, usize)> {
        self.pieces.iter().map(move |(shape, halvings)| (*shape, self.first >> halvings))
    }

    /// Whether no piece is shorter than pieces should be.
    pub(crate) fn is_fast(self) -> bool {
        self.pieces.iter().all(|(_, halvings)| self.first >> halvings >= SHORTEST)
    }

    /// How many coefficients a product has.
    pub(crate) fn degree(self) -> usize {
        self.pieces.iter().map(|(_, halvings)| self.first >> halvings).sum()
    }
}

/// The lengths around a number of coefficients that the planner has, from the shortest on: of each the shapes
/// and the degrees of its pieces. For pictures.
pub fn lengths(count: usize) -> impl Iterator<Item = impl Iterator<Item = (Shape, usize)>> {
    Length::around(count).map(Length::polynomials)
}

/// A prime, and the pieces.
pub(crate) struct Forest {
    length: Length,
    weights: Weights,
    first: WordRing,
    others: Vec<Piece>,
}

/// A piece `x^m - r` beside others.
struct Piece {
    ring: WordRing,
    /// The degree of all pieces before.
    at: usize,
    /// `1, r, r^2, ..`.
    apart: Vec<Weight>,
    /// `-1/s, -r/s, -r^2/s, ..`.
    together: Vec<Weight>,
    /// `1/s`.
    scale: Weight,
    /// `M` without its leading term.
    before: Vec<(usize, Kind)>,
}

/// What is added.
enum Kind {
    One,
    MinusOne,
    Other(Weight),
}

/// An operand's piece. It is taken out while it is worked on, since transforms move it.
enum Slot {
    Coefficients(Polynomial),
    Values(Transformed),
    Moved,
}

/// The memory of an operand: a slot for each piece.
pub(crate) struct Operand(Vec<Slot>);

/// A second factor, made to be multiplied by.
pub(crate) struct PreparedOperand(Vec<Prepared>);

impl Slot {
    fn coefficients(&mut self) -> Result<Polynomial, RingError> {
        match core::mem::replace(self, Slot::Moved) {
            Slot::Coefficients(polynomial) => Ok(polynomial),
            _ => Err(RingError::OtherRing),
        }
    }

    /// Coefficients that stay.
    fn as_coefficients(&mut self) -> Result<&mut Polynomial, RingError> {
        match self {
            Slot::Coefficients(polynomial) => Ok(polynomial),
            _ => Err(RingError::OtherRing),
        }
    }

    fn values(&mut self) -> Result<Transformed, RingError> {
        match core::mem::replace(self, Slot::Moved) {
            Slot::Values(values) => Ok(values),
            _ => Err(RingError::OtherRing),
        }
    }

    /// Values that stay.
    fn in_place(&mut self) -> Result<&mut Transformed, RingError> {
        match self {
            Slot::Values(values) => Ok(values),
            _ => Err(RingError::OtherRing),
        }
    }

    fn as_values(&self) -> Result<&Transformed, RingError> {
        match self {
            Slot::Values(values) => Ok(values),
            _ => Err(RingError::OtherRing),
        }
    }
}

impl Forest {
    /// Modulo a prime that has the roots of unity.
    pub(crate) fn new(cpu: Cpu, length: Length, p: u64) -> Result<Self, RingError> {
        let (first, rest) = length.pieces.split_first().ok_or(RingError::Operands)?;
        let (weights, degree) = (Weights::new(cpu, p), |halvings: u32| length.first >> halvings);
        let first = WordRing::new_on(cpu, first.0, degree(first.1), p)?;
        let (mut others, mut product) = (reserve(rest.len())?, Binomials::new(&first)?);
        for (shape, halvings) in rest {
            let ring = WordRing::new_on(cpu, *shape, degree(*halvings), p)?;
            let piece = Piece::new(ring, &weights, &product)?;
            product = product.times(weights.zq(), &piece.ring)?;
            others.push(piece);
        }
        Ok(Forest { length, weights, first, others })
    }

    /// Whether products are of this length.
    pub(crate) fn is(&self, length: Length) -> bool {
        self.length == length
    }

    /// How many coefficients a product has.
    pub(crate) fn length(&self) -> usize {
        self.length.degree()
    }

    /// How many numbers [`set`](Forest::set) and [`coefficients`](Forest::coefficients) take: an operand, and
    /// room for a piece.
    pub(crate) fn numbers(&self) -> usize {
        self.first.degree() + self.others.iter().map(|piece| piece.ring.degree()).max().unwrap_or(0)
    }

    /// How many coefficients an operand may have.
    pub(crate) fn operand_length(&self) -> usize {
        self.first.degree()
    }

    /// The prime.
    pub(crate) fn prime(&self) -> u64 {
        self.first.prime()
    }

    /// The backend.
    pub(crate) fn cpu(&self) -> Cpu {
        self.first.cpu()
    }

    /// The rings of all pieces.
    fn rings(&self) -> impl Iterator<Item = &WordRing> {
        core::iter::once(&self.first).chain(self.others.iter().map(|piece| &piece.ring))
    }

    /// Memory for an operand, as coefficients.
    pub(crate) fn operand(&self) -> Result<Operand, RingError> {
        self.slots(|ring| Ok(Slot::Coefficients(ring.recycle(ring.zero()?)?)))
    }

    /// The same, as values.
    pub(crate) fn values(&self) -> Result<Operand, RingError> {
        self.slots(|ring| Ok(Slot::Values(ring.zero()?)))
    }

    fn slots(&self, slot: impl Fn(&WordRing) -> Result<Slot, RingError>) -> Result<Operand, RingError> {
        let mut slots = reserve(1 + self.others.len())?;
        for ring in self.rings() {
            slots.push(slot(ring)?);
        }
        Ok(Operand(slots))
    }

    /// Transforms an operand.
    pub(crate) fn forward(&self, operand: &mut Operand) -> Result<(), RingError> {
        zip(self.rings(), &mut operand.0).try_for_each(|(ring, slot)| {
            *slot = Slot::Values(ring.forward(slot.coefficients()?)?);
            Ok(())
        })
    }

    /// Takes numbers, as many as the first piece has, to an operand. `room` is as much as a piece.
    pub(crate) fn set(
        &self,
        numbers: &[u64],
        room: &mut [u64],
        operand: &mut Operand,
    ) -> Result<(), RingError> {
        let Some((first, others)) = operand.0.split_first_mut() else { return Err(RingError::OtherRing) };
        set(&self.first, numbers, first)?;
        for (piece, slot) in zip(&self.others, others) {
            let room = room.get_mut(..piece.ring.degree()).ok_or(RingError::OtherRing)?;
            self.weights.sum(chunks(numbers, room.len(), &piece.apart), room);
            set(&piece.ring, room, slot)?;
        }
        Ok(())
    }

    /// Whether there is one piece alone, which [`set_by`](Forest::set_by) and
    /// [`part`](Forest::part) take.
    pub(crate) fn is_one(&self) -> bool {
        self.others.is_empty()
    }

    /// Takes so many numbers to an operand of one piece, chunk by chunk: `fill` is told which is a chunk's
    /// first, and writes the chunk to `room`.
    pub(crate) fn set_by(
        &self,
        count: usize,
        room: &mut [u64],
        operand: &mut Operand,
        fill: impl FnMut(usize, &mut [u64]),
    ) -> Result<(), RingError> {
        let [slot] = operand.0.as_mut_slice() else { return Err(RingError::OtherRing) };
        if let Slot::Values(_) = slot {
            *slot = Slot::Coefficients(self.first.reset_by(slot.values()?, count, room, fill)?);
            return Ok(());
        }
        Ok(self.first.set_by(slot.as_coefficients()?, count, room, fill)?)
    }

    /// Writes coefficients of an operand of one piece, from number `at` on.
    pub(crate) fn part(&self, operand: &mut Operand, at: usize, out: &mut [u64]) -> Result<(), RingError> {
        let [slot] = operand.0.as_mut_slice() else { return Err(RingError::OtherRing) };
        Ok(self.first.coefficients_part(slot.as_coefficients()?, at, out)?)
    }

    /// Makes a second factor of numbers.
    pub(crate) fn prepare(&self, numbers: &[u64], room: &mut [u64]) -> Result<PreparedOperand, RingError> {
        let mut prepared = reserve(1 + self.others.len())?;
        prepared.push(self.first.prepare(self.first.polynomial(numbers)?)?);
        for piece in &self.others {
            let room = room.get_mut(..piece.ring.degree()).ok_or(RingError::OtherRing)?;
            self.weights.sum(chunks(numbers, room.len(), &piece.apart), room);
            prepared.push(piece.ring.prepare(piece.ring.polynomial(room)?)?);
        }
        Ok(PreparedOperand(prepared))
    }

    /// `a b` in place of `a`.
    pub(crate) fn pointwise(&self, a: &mut Operand, b: &Operand) -> Result<(), RingError> {
        let mut slots = zip(self.rings(), zip(&mut a.0, &b.0));
        slots.try_for_each(|(ring, (a, b))| Ok(ring.pointwise(a.in_place()?, b.as_values()?)?))
    }

    /// The same by a prepared `b`.
    pub(crate) fn pointwise_prepared(&self, a: &mut Operand, b: &PreparedOperand) -> Result<(), RingError> {
        let mut slots = zip(self.rings(), zip(&mut a.0, &b.0));
        slots.try_for_each(|(ring, (a, b))| Ok(ring.pointwise_prepared(a.in_place()?, b)?))
    }

    /// `sum + a b` in place of the sum.
    pub(crate) fn accumulate(&self, sum: &mut Operand, a: &Operand, b: &Operand) -> Result<(), RingError> {
        let mut slots = zip(self.rings(), zip(&mut sum.0, zip(&a.0, &b.0)));
        slots.try_for_each(|(ring, (sum, (a, b)))| {
            Ok(ring.accumulate(sum.in_place()?, a.as_values()?, b.as_values()?)?)
        })
    }

    /// The same by a prepared `b`.
    pub(crate) fn accumulate_prepared(
        &self,
        sum: &mut Operand,
        a: &Operand,
        b: &PreparedOperand,
    ) -> Result<(), RingError> {
        let mut slots = zip(self.rings(), zip(&mut sum.0, zip(&a.0, &b.0)));
        slots.try_for_each(|(ring, (sum, (a, b)))| {
            Ok(ring.accumulate_prepared(sum.in_place()?, a.as_values()?, b)?)
        })
    }

    /// `a b` of coefficients, in place of `a`; `b` is used up.
    pub(crate) fn product(&self, a: &mut Operand, b: &mut Operand) -> Result<(), RingError> {
        zip(self.rings(), zip(&mut a.0, &mut b.0)).try_for_each(|(ring, (a, b))| {
            *b = Slot::Values(ring.multiply(a.as_coefficients()?, b.coefficients()?)?);
            Ok(())
        })
    }

    /// The same by a prepared `b`.
    pub(crate) fn product_prepared(&self, a: &mut Operand, b: &PreparedOperand) -> Result<(), RingError> {
        let mut slots = zip(self.rings(), zip(&mut a.0, &b.0));
        slots.try_for_each(|(ring, (a, b))| Ok(ring.multiply_prepared(a.as_coefficients()?, b)?))
    }

    /// The polynomials of values.
    pub(crate) fn inverse(&self, operand: &mut Operand) -> Result<(), RingError> {
        zip(self.rings(), &mut operand.0).try_for_each(|(ring, slot)| {
            *slot = Slot::Coefficients(ring.inverse(slot.values()?)?);
            Ok(())
        })
    }

    /// Writes coefficients. `room` is that of [`set`](Forest::set).
    pub(crate) fn coefficients(
        &self,
        operand: &mut Operand,
        out: &mut [u64],
        room: &mut [u64],
    ) -> Result<(), RingError> {
        let mut at = 0;
        for (ring, slot) in zip(self.rings(), &mut operand.0) {
            let end = at + ring.degree();
            ring.coefficients(slot.as_coefficients()?, out.get_mut(at..end).ok_or(RingError::OtherRing)?)?;
            at = end;
        }
        for piece in &self.others {
            let room = room.get_mut(..piece.ring.degree()).ok_or(RingError::OtherRing)?;
            self.together(piece, out, room);
        }
        Ok(())
    }

    /// The product modulo the pieces before and one more.
    fn together(&self, piece: &Piece, out: &mut [u64], t: &mut [u64]) {
        let (low, high) = out.split_at_mut(piece.at);
        let value = &mut high[..t.len()];
        let last = (&*value, piece.scale);
        self.weights.sum(chunks(low, t.len(), &piece.together).chain(core::iter::once(last)), t);
        let (cpu, p) = (self.cpu(), self.prime());
        for (at, kind) in &piece.before {
            let low = &mut low[*at..at + t.len()];
            match kind {
                Kind::One => lanes::add(cpu, p, false, low, t),
                Kind::MinusOne => lanes::add(cpu, p, true, low, t),
                Kind::Other(weight) => {
                    self.weights.sum(core::iter::once((&*t, *weight)), value);
                    lanes::add(cpu, p, false, low, value);
                }
            }
        }
        value.copy_from_slice(t);
    }
}

/// Chunks of `m` numbers and their weights, as many as there are. No iterator over chunks, which would
/// divide.
fn chunks<'a>(numbers: &'a [u64], m: usize, weights: &'a [Weight]) -> impl Iterator<Item = Term<'a>> + Clone {
    weights
        .iter()
        .enumerate()
        .map_while(move |(k, weight)| numbers.get(k * m..(k + 1) * m).map(|numbers| (numbers, *weight)))
}

/// Numbers in the memory of a slot.
fn set(ring: &WordRing, numbers: &[u64], slot: &mut Slot) -> Result<(), RingError> {
    if let Slot::Values(_) = slot {
        *slot = Slot::Coefficients(ring.reset(slot.values()?, numbers)?);
        return Ok(());
    }
    Ok(ring.set(slot.as_coefficients()?, numbers)?)
}

/// The product of binomials `x^m - r`: exponents and coefficients, the greatest exponent first.
struct Binomials(Vec<(usize, u64)>);

/// `r` of a ring modulo `x^m - r`.
fn constant(zp: Zq, ring: &WordRing) -> u64 {
    zp.power(ring.root(), (ring.shape().exponent() * ring.degree()) as u64)
}

impl Binomials {
    /// The first one.
    fn new(ring: &WordRing) -> Result<Self, RingError> {
        let zp = Zq::new(ring.prime());
        let mut one = reserve(1)?;
        one.push((0, zp.word(1)));
        Binomials(one).times(zp, ring)
    }

    /// One more.
    fn times(&self, zp: Zq, ring: &WordRing) -> Result<Self, RingError> {
        let minus = zp.sub(0, constant(zp, ring));
        let mut product = reserve(2 * self.0.len())?;
        product.extend(self.0.iter().map(|(exponent, x)| (exponent + ring.degree(), *x)));
        product.extend(self.0.iter().map(|(exponent, x)| (*exponent, zp.product(*x, minus))));
        product.sort_unstable_by_key(|(exponent, _)| core::cmp::Reverse(*exponent));
        Ok(Binomials(product))
    }

    /// The degree.
    fn degree(&self) -> usize {
        self.0.first().map_or(0, |(exponent, _)| *exponent)
    }

    /// What it is where `x^m` is `r`.
    fn at(&self, zp: Zq, m: usize, r: u64) -> u64 {
        let term = |(exponent, x): &(usize, u64)| {
            zp.product(*x, zp.power(r, (exponent >> m.trailing_zeros()) as u64))
        };
        self.0.iter().fold(0, |sum, of| zp.add(sum, term(of)))
    }
}

impl Piece {
    /// Beside the product of those before.
    fn new(ring: WordRing, weights: &Weights, product: &Binomials) -> Result<Self, RingError> {
        let (zp, m) = (weights.zq(), ring.degree());
        let (r, at) = (constant(zp, &ring), product.degree());
        let s = zp.inverse_of_prime(product.at(zp, m, r));
        let chunks = at >> m.trailing_zeros();
        let (mut apart, mut together) = (reserve(chunks)?, reserve(chunks)?);
        let mut power = zp.word(1);
        for _ in 0..chunks {
            apart.push(weights.weight(power));
            together.push(weights.weight(zp.sub(0, zp.product(power, s))));
            power = zp.product(power, r);
        }
        let mut before = reserve(product.0.len())?;
        before.extend(product.0.iter().skip(1).map(|(exponent, x)| (*exponent, Kind::of(weights, *x))));
        Ok(Piece { ring, at, apart, together, scale: weights.weight(s), before })
    }
}

impl Kind {
    fn of(weights: &Weights, x: u64) -> Self {
        match x {
            1 => Kind::One,
            _ if x == weights.zq().modulus() - 1 => Kind::MinusOne,
            _ => Kind::Other(weights.weight(x)),
        }
    }
}
