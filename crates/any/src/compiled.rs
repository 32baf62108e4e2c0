//! Rings whose kernels are compiled, through the operations of any ring.
//!
//! This crate knows no such ring. [`Ring::with_compiled`](crate::Ring::with_compiled) is given a [`Table`]
//! and takes the ring with the same `q` and the same `f` modulo `q`. `ringsmith::compiled` has the table of
//! the named rings.
//!
//! A table has whole products in lanes of 16 bits, too, for any modulus of up to 14 bits and degrees to 1528.
//! Where the model of costs takes them for faster than all methods in lanes of words, they compute the
//! products of a ring that has no kernels of its own.
//!
//! # How
//! Products and prepared factors are the compiled ring's. Coefficients are copied as numbers of 16 bits, and
//! checked in the same pass. Sums of products are products, which are added modulo `q`; remainders are those
//! of any ring, and so are those of whole products.
//!
//! # Constant time
//! In the coefficients, as implementations of these traits must be.

use crate::memory::Halves;
use crate::range::told;
use crate::zq::Zq;
use crate::{Coefficient, Operands, RingError};
use alloc::boxed::Box;
use alloc::string::String;
use core::any::Any;
use core::iter::{once, zip};
use ringsmith_simd::Cpu;

/// Moduli are below this.
const LIMIT: u64 = 1 << 15;

/// A ring `Z_q[x]/(f)` whose kernels are compiled.
pub trait Compiled: Sync {
    /// The modulus `q`, from 2 to `2^15 - 1`.
    fn modulus(&self) -> u64;

    /// The exponents and coefficients of `f`, from the greatest exponent down. The first coefficient is 1,
    /// none is a multiple of `q`.
    fn terms(&self) -> &'static [(usize, i64)];

    /// The name of the algorithm on a backend.
    fn route(&self, cpu: Cpu) -> String;

    /// Multiplies on a backend.
    ///
    /// # Errors
    /// Where there is no memory.
    fn multiplier(&self, cpu: Cpu) -> Result<Box<dyn Multiply>, RingError>;
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
    /// Rings.
    pub rings: &'a [&'static dyn Compiled],
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
pub trait Multiply: Send + Sync {
    /// Writes `a b` to `out`.
    fn product(&mut self, a: &[u16], b: &[u16], out: &mut [u16]);

    /// Prepares a second factor.
    ///
    /// # Errors
    /// Where there is no memory.
    fn prepare(&mut self, b: &[u16]) -> Result<Factor, RingError>;

    /// Writes `a b` to `out`, by a prepared `b`.
    ///
    /// # Errors
    /// Where another ring or backend prepared it ([`RingError::OtherRing`]).
    fn product_prepared(&mut self, a: &[u16], b: &Factor, out: &mut [u16]) -> Result<(), RingError>;
}

/// A ring of a table, or whole products, on a backend.
pub(crate) struct Kernels {
    by: By,
    of: Identity,
}

/// Which of them.
enum By {
    Ring(&'static dyn Compiled),
    Whole(&'static dyn Whole),
}

/// Which kernels these are, and where.
#[derive(Clone, Copy, PartialEq)]
struct Identity {
    cpu: Cpu,
    q: u16,
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
    multiplier: Box<dyn Multiply>,
    a: Halves,
    b: Halves,
    product: Halves,
}

impl Kernels {
    /// The ring of a modulus, and of an `f` of this degree and these other terms, if the table has it.
    pub(crate) fn find(
        table: Table<'_>,
        cpu: Cpu,
        (q, n): (u64, usize),
        low: &[(usize, u64)],
    ) -> Option<Self> {
        let reduced = |(exponent, c): &(usize, i64)| (*exponent, c.rem_euclid(q as i64) as u64);
        let is_same = |ring: &dyn Compiled| {
            let f = once((n, 1)).chain(low.iter().copied());
            ring.modulus() == q && ring.terms().iter().map(reduced).eq(f)
        };
        let ring = table.rings.iter().copied().find(|ring| q < LIMIT && is_same(*ring))?;
        Some(Kernels {
            by: By::Ring(ring),
            of: Identity { cpu, q: q as u16, n, of: Kind::Ring(ring.terms()) },
        })
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
        if q >= LIMIT || !whole.holds(q, n, operands.bound().unwrap_or(q / 2)) {
            return None;
        }
        let of = Identity { cpu, q: q as u16, n, of: Kind::Whole(whole.primes()) };
        Some((Kernels { by: By::Whole(whole), of }, whole.cycles(cpu)))
    }

    /// How they compute products.
    pub(crate) fn route(&self, operands: Operands) -> Compilation {
        let half = u64::from(self.of.q / 2);
        match &self.by {
            By::Ring(ring) => Compilation::Ring(ring.route(self.of.cpu)),
            By::Whole(whole) => Compilation::Whole {
                primes: whole.primes(),
                terms: self.of.n as u64,
                most: [half, operands.bound().unwrap_or(half)],
            },
        }
    }

    /// How many coefficients a product has.
    fn outputs(&self) -> usize {
        match self.by {
            By::Ring(_) => self.of.n,
            By::Whole(_) => 2 * self.of.n - 1,
        }
    }

    /// The memory of products.
    pub(crate) fn room(&self) -> Result<Room, RingError> {
        let Identity { cpu, q, n, .. } = self.of;
        let multiplier = match &self.by {
            By::Ring(ring) => ring.multiplier(cpu)?,
            By::Whole(whole) => whole.multiplier(cpu, q.into(), n)?,
        };
        let (a, b, product) = (Halves::zero(n)?, Halves::zero(n)?, Halves::zero(self.outputs())?);
        Ok(Room { of: self.of, multiplier, a, b, product })
    }

    /// Writes `a b` to `out`.
    pub(crate) fn product<T: Coefficient>(
        &self,
        operands: Operands,
        factors: [&[T]; 2],
        out: &mut [T],
        room: &mut Option<Room>,
    ) -> Result<(), RingError> {
        self.write(self.multiply(operands, factors, room)?, out)
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
        let product = self.multiply(Operands::any(), factors, room)?;
        if begin {
            return self.write(product, sum);
        }
        zip(sum, product).for_each(|(sum, x)| *sum = zq.add(*sum, (*x).into()));
        Ok(())
    }

    /// The product, in the room for it.
    fn multiply<'a, T: Coefficient>(
        &self,
        operands: Operands,
        [a, b]: [&[T]; 2],
        room: &'a mut Option<Room>,
    ) -> Result<&'a [u16], RingError> {
        let room = self.own(room)?;
        self.read(a, &mut room.a)?;
        self.read(b, &mut room.b)?;
        if let Some(bound) = operands.checked_bound() {
            told(beyond_small(&room.b, self.of.q, bound as u16))?;
        }
        room.multiplier.product(&room.a, &room.b, &mut room.product);
        Ok(&room.product)
    }

    /// A second factor, made to be multiplied by; who calls has checked its bound.
    pub(crate) fn prepare(&self, b: &[u64]) -> Result<Factor, RingError> {
        let mut room = self.room()?;
        self.read(b, &mut room.b)?;
        room.multiplier.prepare(&room.b)
    }

    /// Writes `a b` to `out`, by a prepared `b`.
    pub(crate) fn product_prepared<T: Coefficient>(
        &self,
        a: &[T],
        b: &Factor,
        out: &mut [T],
        room: &mut Option<Room>,
    ) -> Result<(), RingError> {
        let room = self.own(room)?;
        self.read(a, &mut room.a)?;
        room.multiplier.product_prepared(&room.a, b, &mut room.product)?;
        self.write(&room.product, out)
    }

    /// The room, if it is this ring's.
    fn own<'a>(&self, room: &'a mut Option<Room>) -> Result<&'a mut Room, RingError> {
        room.as_mut().filter(|room| room.of == self.of).ok_or(RingError::OtherRing)
    }

    /// Coefficients of an element.
    fn read<T: Coefficient>(&self, from: &[T], to: &mut [u16]) -> Result<(), RingError> {
        check(from.len(), self.of.n)?;
        told(T::narrow(from, self.of.q, to))
    }

    /// All integers that coefficients are taken as hold them, since `q` is below `2^15`.
    fn write<T: Coefficient>(&self, product: &[u16], out: &mut [T]) -> Result<(), RingError> {
        check(out.len(), self.outputs())?;
        zip(out, product).for_each(|(x, y)| *x = T::of((*y).into()));
        Ok(())
    }
}

/// A number of coefficients.
fn check(has: usize, needs: usize) -> Result<(), RingError> {
    if has == needs { Ok(()) } else { Err(RingError::Length { needs, has }) }
}

/// How kernels of a table compute products.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Compilation {
    /// By the route of a ring.
    Ring(String),
    /// By whole products modulo primes, of so many products of coefficients of which none is greater than
    /// these.
    Whole { primes: [u64; 3], terms: u64, most: [u64; 2] },
}

/// A top bit, where a number in `[0, q)` is not from `-bound` to `bound` modulo `q`; the bound is at most
/// `q / 2`.
fn beyond_small(numbers: &[u16], q: u16, bound: u16) -> u64 {
    let outside = numbers.iter().fold(0, |outside, x| {
        // x + bound modulo q is at most 2 bound for those that are small. All is below 2^16.
        let above = (x + bound).wrapping_sub(q);
        let sum = above.wrapping_add(q & ((above as i16) >> 15) as u16);
        outside | sum | !sum.wrapping_sub(2 * bound + 1)
    });
    u64::from(outside >> 15) << (u64::BITS - 1)
}
