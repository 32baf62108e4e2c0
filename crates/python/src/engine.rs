//! A ring with the memory of its products, for any number of threads.

use crate::convert::{self, Word};
use ringsmith::any::{Expression, Inverses, Operands, Prepared, Ring, RingError, Room};
use std::sync::{Arc, Mutex, PoisonError};

/// A ring, and rooms that no thread uses.
struct Engine {
    ring: Ring,
    rooms: Mutex<Vec<Room>>,
}

impl Engine {
    fn new(ring: Ring) -> Self {
        Engine { ring, rooms: Mutex::default() }
    }

    /// Does something with a room.
    fn with_room<T>(
        &self,
        action: impl FnOnce(&Ring, &mut Room) -> Result<T, RingError>,
    ) -> Result<T, RingError> {
        let free = || self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        let room = free().pop();
        let mut room = room.map_or_else(|| self.ring.room(), Ok)?;
        let done = action(&self.ring, &mut room);
        free().push(room);
        done
    }
}

/// Makes the ring for certain operands, by the same choice of a method.
type Make = Box<dyn Fn(Operands) -> Result<Ring, RingError> + Send + Sync>;

/// What a `Ring` of Python's is. Shared by its universal functions.
pub(crate) struct Core {
    expression: Expression,
    make: Make,
    engine: Engine,
    /// Rings for sums of so many products.
    sums: Mutex<Vec<(usize, Arc<Engine>)>>,
}

/// The integers of a ring's elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Width {
    Two,
    Four,
    Eight,
}

impl Width {
    /// The narrowest that hold numbers below `q`.
    pub(crate) fn of(q: u64) -> Self {
        match q {
            0..=0x1_0000 => Width::Two,
            0x1_0001..=0x1_0000_0000 => Width::Four,
            _ => Width::Eight,
        }
    }
}

/// An operation on two elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operation {
    Mul,
    Add,
    Sub,
}

impl Core {
    /// The ring of an expression, made by `make`.
    pub(crate) fn new(expression: Expression, operands: Operands, make: Make) -> Result<Self, RingError> {
        let engine = Engine::new(make(operands)?);
        Ok(Core { expression, make, engine, sums: Mutex::default() })
    }

    /// The ring.
    pub(crate) fn ring(&self) -> &Ring {
        &self.engine.ring
    }

    /// `q` and `f`.
    pub(crate) fn expression(&self) -> &Expression {
        &self.expression
    }

    /// The number of coefficients.
    pub(crate) fn degree(&self) -> usize {
        self.ring().degree()
    }

    /// The modulus.
    pub(crate) fn modulus(&self) -> u64 {
        self.ring().modulus()
    }

    /// The integers of elements.
    pub(crate) fn width(&self) -> Width {
        Width::of(self.modulus())
    }

    /// What is accepted of coefficients: from the least to the greatest.
    pub(crate) fn accepted(&self) -> (i64, u64) {
        (-((self.modulus() / 2) as i64), self.modulus() - 1)
    }

    /// Writes the result of an operation on two elements.
    pub(crate) fn apply<T: Word>(
        &self,
        operation: Operation,
        [a, b]: [&[T]; 2],
        out: &mut [T],
    ) -> Result<(), RingError> {
        let (cpu, q) = (self.ring().cpu(), self.modulus());
        match operation {
            Operation::Mul => return self.engine.with_room(|ring, room| ring.product(a, b, out, room)),
            Operation::Add => convert::add(cpu, q, [a, b], out),
            Operation::Sub => convert::sub(cpu, q, [a, b], out),
        }
        Ok(())
    }

    /// Writes products of elements that stand one after the other.
    pub(crate) fn products<T: Word>(&self, a: &[T], b: &[T], out: &mut [T]) -> Result<(), RingError> {
        let n = self.degree();
        self.engine.with_room(|ring, room| {
            let pairs = a.chunks_exact(n).zip(b.chunks_exact(n));
            pairs.zip(out.chunks_exact_mut(n)).try_for_each(|((a, b), out)| ring.product(a, b, out, room))
        })
    }

    /// Prepares a second factor.
    pub(crate) fn prepare<T: Word>(&self, b: &[T]) -> Result<Prepared, RingError> {
        self.ring().prepare(b)
    }

    /// Writes products by a prepared factor.
    pub(crate) fn products_prepared<T: Word>(
        &self,
        a: &[T],
        b: &Prepared,
        out: &mut [T],
    ) -> Result<(), RingError> {
        let n = self.degree();
        self.engine.with_room(|ring, room| {
            let pairs = a.chunks_exact(n).zip(out.chunks_exact_mut(n));
            pairs.into_iter().try_for_each(|(a, out)| ring.product_prepared(a, b, out, room))
        })
    }

    /// Writes a sum of products, at least one.
    pub(crate) fn sum_of_products<T: Word>(
        &self,
        pairs: &[(&[T], &[T])],
        out: &mut [T],
    ) -> Result<(), RingError> {
        let engine = self.summing(pairs.len())?;
        engine.with_room(|ring, room| ring.sum_of_products(pairs, out, room))
    }

    /// The ring for sums of so many products.
    fn summing(&self, count: usize) -> Result<Arc<Engine>, RingError> {
        let mut sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, engine)) = sums.iter().find(|(known, _)| *known == count) {
            return Ok(engine.clone());
        }
        let engine = Arc::new(Engine::new((self.make)(self.ring().operands().sums(count))?));
        sums.push((count, engine.clone()));
        Ok(engine)
    }

    /// Writes the remainder of a polynomial of `n` to `2 n - 1` coefficients.
    pub(crate) fn remainder<T: Word>(&self, c: &[T], out: &mut [T]) -> Result<(), RingError> {
        self.engine.with_room(|ring, room| ring.remainder(c, out, room))
    }

    /// Writes inverses of elements that stand one after the other.
    pub(crate) fn inverses<T: Word>(&self, a: &[T], out: &mut [T]) -> Result<(), RingError> {
        let n = self.degree();
        // Factors of inverses are any elements.
        let ring = (self.make)(Operands::any())?;
        let mut inverses = Inverses::new(&ring)?;
        a.chunks_exact(n).zip(out.chunks_exact_mut(n)).try_for_each(|(a, out)| inverses.inverse(a, out))
    }
}
