//! Rings whose kernels are compiled, through the operations of any ring.
//!
//! This crate knows no such ring. [`Ring::with_compiled`](crate::Ring::with_compiled) is given a [`Table`]
//! and takes the ring with the same `q` and the same `f` modulo `q`. `ringsmith::compiled` has the table of
//! the named rings.
//!
//! Kernels are of one of two [lanes](Lane): of 16 bits, for moduli below `2^15`, or of 32, below `2^31`.
//!
//! A table has whole products in lanes of 16 bits, too, for any modulus of up to 14 bits and degrees to 1528.
//! Where the model of costs takes them for faster than all methods in lanes of words, they compute the
//! products of a ring that has no kernels of its own.
//!
//! # How
//! Products and prepared factors are the compiled ring's. Coefficients are copied as numbers of 16 or 32
//! bits, and checked in the same pass. Sums of products are products, which are added modulo `q`; remainders
//! are those of any ring, and so are those of whole products.
//!
//! # Constant time
//! In the coefficients, as implementations of these traits must be.

pub use crate::coefficient::Lane;
pub use crate::memory::boxed;

use crate::memory::Cleared;
use crate::range::told;
use crate::written::Written;
use crate::zq::Zq;
use crate::{Coefficient, Operands, RingError};
use alloc::boxed::Box;
use core::any::Any;
use core::fmt;
use core::iter::{once, zip};
use ringsmith_simd::Cpu;

/// A ring `Z_q[x]/(f)` whose kernels are compiled, and take coefficients as `T`.
pub trait Compiled<T: Lane = u16>: Sync {
    /// The modulus `q`, at least 2 and below [`Lane::LIMIT`].
    fn modulus(&self) -> u64;

    /// The exponents and coefficients of `f`, from the greatest exponent down. The first coefficient is 1,
    /// none is a multiple of `q`.
    fn terms(&self) -> &'static [(usize, i64)];

    /// Writes the name of the algorithm on a backend: at most 80 bytes. A piece beyond is left out.
    ///
    /// # Errors
    /// Those of what is written to.
    fn route(&self, cpu: Cpu, name: &mut dyn fmt::Write) -> fmt::Result;

    /// Writes why no lane of its kernels overflows: a sentence without a full stop, of at most 160 bytes. A
    /// piece beyond is left out.
    ///
    /// # Errors
    /// Those of what is written to.
    fn argument(&self, text: &mut dyn fmt::Write) -> fmt::Result {
        text.write_str("the compiler proves the bounds of the ring's kernels")
    }

    /// Multiplies on a backend.
    ///
    /// # Errors
    /// Where there is no memory.
    fn multiplier(&self, cpu: Cpu) -> Result<Box<dyn Multiply<T>>, RingError>;
}

/// Whole products modulo any `q` of some range, in lanes of 16 bits.
pub trait Whole: Sync {
    /// The primes modulo which the products are computed, each once.
    fn primes(&self) -> [u64; 3];

    /// Whether a product of `n` coefficients modulo `q` is exact, if the coefficients of the second factor
    /// are from `-bound` to `bound`.
    fn holds(&self, q: u64, n: usize, bound: u64) -> bool;

    /// About how many cycles a product takes on a backend.
    fn cycles(&self, cpu: Cpu) -> f64;

    /// Multiplies elements of `n` coefficients modulo `q` on a backend: products have `2 n - 1`.
    ///
    /// # Errors
    /// Where there is no memory, or the product is not held.
    fn multiplier(&self, cpu: Cpu, q: u64, n: usize) -> Result<Box<dyn Multiply>, RingError>;
}

/// What kernels there are.
#[derive(Clone, Copy, Default)]
pub struct Table<'a> {
    /// Rings in lanes of 16 bits.
    pub rings: &'a [&'static dyn Compiled],
    /// Rings in lanes of 32 bits.
    pub words: &'a [&'static dyn Compiled<u32>],
    /// Whole products.
    pub products: &'a [&'static dyn Whole],
}

/// A second factor that a [`Multiply`] prepared. Clears itself when it is dropped.
pub type Factor = Box<dyn Any + Send + Sync>;

/// Multiplies in a compiled ring, or makes whole products, in memory of its own, which it clears when it is
/// dropped.
///
/// Elements are `n` coefficients in `[0, q)`, the constant term first; the caller has checked them. `out` has
/// `n` coefficients, or `2 n - 1` for whole products. Constant time in all coefficients.
pub trait Multiply<T: Lane = u16>: Send + Sync {
    /// Writes `a b` to `out`.
    fn product(&mut self, a: &[T], b: &[T], out: &mut [T]);

    /// Prepares a second factor.
    ///
    /// # Errors
    /// Where there is no memory.
    fn prepare(&mut self, b: &[T]) -> Result<Factor, RingError>;

    /// Writes `a b` to `out`, by a prepared `b`.
    ///
    /// # Errors
    /// Where another ring or backend prepared it ([`RingError::OtherRing`]).
    fn product_prepared(&mut self, a: &[T], b: &Factor, out: &mut [T]) -> Result<(), RingError>;
}

/// As in [`boxed`].
impl<T: Lane, M: Multiply<T>> Multiply<T> for [M; 1] {
    fn product(&mut self, a: &[T], b: &[T], out: &mut [T]) {
        self[0].product(a, b, out);
    }

    fn prepare(&mut self, b: &[T]) -> Result<Factor, RingError> {
        self[0].prepare(b)
    }

    fn product_prepared(&mut self, a: &[T], b: &Factor, out: &mut [T]) -> Result<(), RingError> {
        self[0].product_prepared(a, b, out)
    }
}

/// A ring of a table, or whole products, on a backend.
pub(crate) struct Kernels {
    by: By,
    of: Identity,
}

/// Which of them.
enum By {
    Halves(&'static dyn Compiled),
    Words(&'static dyn Compiled<u32>),
    Whole(&'static dyn Whole),
}

/// Which kernels these are, and where.
#[derive(Clone, Copy, PartialEq)]
struct Identity {
    cpu: Cpu,
    q: u64,
    n: usize,
    of: Kind,
}

/// What tells kernels of the same `q` and `n` apart.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Ring(&'static [(usize, i64)]),
    Whole([u64; 3]),
}

/// The memory of products.
pub(crate) struct Room {
    of: Identity,
    lanes: Lanes,
}

/// In the lanes of the kernels.
enum Lanes {
    Halves(Memory<u16>),
    Words(Memory<u32>),
}

/// Kernels, and the memory of their products modulo `q`.
struct Memory<L: Lane> {
    q: u64,
    multiplier: Box<dyn Multiply<L>>,
    a: Cleared<L>,
    b: Cleared<L>,
    product: Cleared<L>,
}

/// The ring of a modulus, and of an `f` of this degree and these other terms, if there is one.
fn found<L: Lane>(
    rings: &[&'static dyn Compiled<L>],
    (q, n): (u64, usize),
    low: &[(usize, u64)],
) -> Option<&'static dyn Compiled<L>> {
    let reduced = |(exponent, c): &(usize, i64)| (*exponent, c.rem_euclid(q as i64) as u64);
    let is_same = |ring: &dyn Compiled<L>| {
        let f = once((n, 1)).chain(low.iter().copied());
        ring.modulus() == q && ring.terms().iter().map(reduced).eq(f)
    };
    rings.iter().copied().find(|ring| q < L::LIMIT && is_same(*ring))
}

impl Kernels {
    /// The ring of a modulus, and of an `f` of this degree and these other terms, if the table has it.
    pub(crate) fn find(
        table: Table<'_>,
        cpu: Cpu,
        (q, n): (u64, usize),
        low: &[(usize, u64)],
    ) -> Option<Self> {
        let of = |by, terms| Kernels { by, of: Identity { cpu, q, n, of: Kind::Ring(terms) } };
        let halves = found(table.rings, (q, n), low).map(|ring| of(By::Halves(ring), ring.terms()));
        halves.or_else(|| found(table.words, (q, n), low).map(|ring| of(By::Words(ring), ring.terms())))
    }

    /// The fastest whole products of `n` coefficients modulo `q`, and about how many cycles one takes.
    pub(crate) fn whole(
        table: Table<'_>,
        cpu: Cpu,
        (q, n): (u64, usize),
        operands: Operands,
    ) -> Option<(Self, f64)> {
        let held = table.products.iter().filter_map(|whole| Self::of_whole(*whole, cpu, (q, n), operands));
        held.min_by(|(_, x), (_, y)| x.total_cmp(y))
    }

    /// These whole products, if they hold, and about how many cycles one takes.
    pub(crate) fn of_whole(
        whole: &'static dyn Whole,
        cpu: Cpu,
        (q, n): (u64, usize),
        operands: Operands,
    ) -> Option<(Self, f64)> {
        if q >= u16::LIMIT || !whole.holds(q, n, operands.bound().unwrap_or(q / 2)) {
            return None;
        }
        let of = Identity { cpu, q, n, of: Kind::Whole(whole.primes()) };
        Some((Kernels { by: By::Whole(whole), of }, whole.cycles(cpu)))
    }

    /// How they compute products.
    pub(crate) fn route(&self, operands: Operands) -> Compilation {
        let (cpu, half) = (self.of.cpu, self.of.q / 2);
        match &self.by {
            By::Halves(ring) => Compilation::ring(cpu, *ring),
            By::Words(ring) => Compilation::ring(cpu, *ring),
            By::Whole(whole) => Compilation::Whole {
                primes: whole.primes(),
                terms: self.of.n as u64,
                most: [half, operands.bound().unwrap_or(half)],
            },
        }
    }

    /// The memory of products.
    pub(crate) fn room(&self) -> Result<Room, RingError> {
        let of @ Identity { cpu, q, n, .. } = self.of;
        let lanes = match &self.by {
            By::Halves(ring) => Lanes::Halves(Memory::new(q, n, n, ring.multiplier(cpu)?)?),
            By::Words(ring) => Lanes::Words(Memory::new(q, n, n, ring.multiplier(cpu)?)?),
            By::Whole(whole) => Lanes::Halves(Memory::new(q, n, 2 * n - 1, whole.multiplier(cpu, q, n)?)?),
        };
        Ok(Room { of, lanes })
    }

    /// Writes `a b` to `out`.
    pub(crate) fn product<T: Coefficient>(
        &self,
        operands: Operands,
        factors: [&[T]; 2],
        out: &mut [T],
        room: &mut Option<Room>,
    ) -> Result<(), RingError> {
        match self.own(room)? {
            Lanes::Halves(memory) => memory.multiply(operands, factors)?.write(out),
            Lanes::Words(memory) => memory.multiply(operands, factors)?.write(out),
        }
    }

    /// Writes `a b` to the sum of products where that begins, or adds it.
    pub(crate) fn add_product(
        &self,
        zq: Zq,
        factors: [&[u64]; 2],
        sum: &mut [u64],
        begin: bool,
        room: &mut Option<Room>,
    ) -> Result<(), RingError> {
        match self.own(room)? {
            Lanes::Halves(memory) => memory.multiply(Operands::any(), factors)?.add(zq, sum, begin),
            Lanes::Words(memory) => memory.multiply(Operands::any(), factors)?.add(zq, sum, begin),
        }
    }

    /// The same by a prepared `b`.
    pub(crate) fn add_product_prepared(
        &self,
        zq: Zq,
        (a, b): (&[u64], &Factor),
        sum: &mut [u64],
        begin: bool,
        room: &mut Option<Room>,
    ) -> Result<(), RingError> {
        match self.own(room)? {
            Lanes::Halves(memory) => memory.multiply_prepared(a, b)?.add(zq, sum, begin),
            Lanes::Words(memory) => memory.multiply_prepared(a, b)?.add(zq, sum, begin),
        }
    }

    /// A second factor, made to be multiplied by; who calls has checked its bound.
    pub(crate) fn prepare(&self, b: &[u64]) -> Result<Factor, RingError> {
        match self.room()?.lanes {
            Lanes::Halves(mut memory) => memory.prepare(b),
            Lanes::Words(mut memory) => memory.prepare(b),
        }
    }

    /// Writes `a b` to `out`, by a prepared `b`.
    pub(crate) fn product_prepared<T: Coefficient>(
        &self,
        a: &[T],
        b: &Factor,
        out: &mut [T],
        room: &mut Option<Room>,
    ) -> Result<(), RingError> {
        match self.own(room)? {
            Lanes::Halves(memory) => memory.multiply_prepared(a, b)?.write(out),
            Lanes::Words(memory) => memory.multiply_prepared(a, b)?.write(out),
        }
    }

    /// The room, if it is this ring's.
    fn own<'a>(&self, room: &'a mut Option<Room>) -> Result<&'a mut Lanes, RingError> {
        let room = room.as_mut().filter(|room| room.of == self.of).ok_or(RingError::OtherRing)?;
        Ok(&mut room.lanes)
    }
}

impl<L: Lane> Memory<L> {
    /// For elements of `n` coefficients, whose products have so many.
    fn new(q: u64, n: usize, outputs: usize, multiplier: Box<dyn Multiply<L>>) -> Result<Self, RingError> {
        let (a, b, product) = (Cleared::zero(n)?, Cleared::zero(n)?, Cleared::zero(outputs)?);
        Ok(Memory { q, multiplier, a, b, product })
    }

    /// The product of two elements is here.
    fn multiply<T: Coefficient>(
        &mut self,
        operands: Operands,
        [a, b]: [&[T]; 2],
    ) -> Result<&Self, RingError> {
        read(a, self.q, &mut self.a)?;
        read(b, self.q, &mut self.b)?;
        if let Some(bound) = operands.checked_bound() {
            told(L::beyond_small(&self.b, self.q, bound))?;
        }
        self.multiplier.product(&self.a, &self.b, &mut self.product);
        Ok(self)
    }

    /// The product by a prepared one is here.
    fn multiply_prepared<T: Coefficient>(&mut self, a: &[T], b: &Factor) -> Result<&Self, RingError> {
        read(a, self.q, &mut self.a)?;
        self.multiplier.product_prepared(&self.a, b, &mut self.product)?;
        Ok(self)
    }

    /// Prepares a second factor.
    fn prepare(&mut self, b: &[u64]) -> Result<Factor, RingError> {
        read(b, self.q, &mut self.b)?;
        self.multiplier.prepare(&self.b)
    }

    /// Writes the product.
    fn write<T: Coefficient>(&self, out: &mut [T]) -> Result<(), RingError> {
        check(out.len(), self.product.len())?;
        if self.q - 1 > T::MAX {
            return Err(RingError::Range);
        }
        zip(out, &*self.product).for_each(|(x, y)| *x = T::of((*y).into()));
        Ok(())
    }

    /// Begins a sum with the product, or adds it.
    fn add(&self, zq: Zq, sum: &mut [u64], begin: bool) -> Result<(), RingError> {
        if begin {
            return self.write(sum);
        }
        zip(sum, &*self.product).for_each(|(sum, x)| *sum = zq.add(*sum, (*x).into()));
        Ok(())
    }
}

/// Coefficients of an element.
fn read<T: Coefficient, L: Lane>(from: &[T], q: u64, to: &mut [L]) -> Result<(), RingError> {
    check(from.len(), to.len())?;
    told(L::read(from, q, to))
}

/// A number of coefficients.
fn check(has: usize, needs: usize) -> Result<(), RingError> {
    if has == needs { Ok(()) } else { Err(RingError::Length { needs, has }) }
}

/// How kernels of a table compute products.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(clippy::large_enum_variant, reason = "a route has one, and a box could find no memory")]
pub(crate) enum Compilation {
    /// By the route of a ring, and why that is exact.
    Ring { name: Written<80>, argument: Written<160> },
    /// By whole products modulo primes, of so many products of coefficients of which none is greater than
    /// these.
    Whole { primes: [u64; 3], terms: u64, most: [u64; 2] },
}

impl Compilation {
    /// That of a ring on a backend.
    fn ring<T: Lane>(cpu: Cpu, ring: &dyn Compiled<T>) -> Self {
        let name = Written::of(|name| ring.route(cpu, name));
        Compilation::Ring { name, argument: Written::of(|text| ring.argument(text)) }
    }
}
