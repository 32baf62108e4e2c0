//! A ring with the memory of its products, for any number of threads.

use crate::Error;
use ringsmith::any::{Expression, Operands, Prepared, Ring, RingError, Room};
use ringsmith::{Cpu, compiled};
use std::ffi::CStr;
use std::fmt::{self, Write};
use std::sync::{Mutex, TryLockError};

/// An integer that a coefficient is given as.
pub(crate) use ringsmith::any::Coefficient as Word;

/// A second factor that is multiplied by often.
pub(crate) type Factor = Prepared;

/// A ring, and rooms that no thread uses.
pub(crate) struct Engine {
    ring: Ring,
    rooms: Mutex<Vec<Room>>,
}

/// Any number of threads of C's have the same ring and the same factor, which no compiler checks there.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Engine>();
    shared::<Factor>();
};

impl Engine {
    /// The ring of a text; where there is none, and the text is why, the place in it.
    pub(crate) fn new(text: &CStr, bound: Option<u64>, position: &mut usize) -> Result<Self, Error> {
        let text = text.to_str().map_err(|why| {
            *position = why.valid_up_to();
            Error::Expression
        })?;
        let Expression { q, f } = text.parse().map_err(|why: ringsmith::any::ParseError| {
            *position = why.position();
            if why.is_memory() { Error::Memory } else { Error::Expression }
        })?;
        let operands = bound.map_or(Operands::any(), |bound| Operands::any().small(bound));
        let ring = Ring::with_compiled(Cpu::detect(), q, &f, operands, compiled::table())?;
        Ok(Engine { ring, rooms: Mutex::default() })
    }

    /// The number of coefficients.
    pub(crate) fn degree(&self) -> usize {
        self.ring.degree()
    }

    /// The modulus of the coefficients.
    pub(crate) fn modulus(&self) -> u64 {
        self.ring.modulus()
    }

    /// How products are computed, and why that is exact: a line each.
    pub(crate) fn plan(&self) -> Result<String, Error> {
        let (route, mut plan) = (self.ring.route(), Text::default());
        write!(plan, "{route}\n{}", route.argument()).map_err(|_| Error::Memory)?;
        Ok(plan.0)
    }

    /// Prepares a second factor.
    pub(crate) fn prepare<T: Word>(&self, b: &[T]) -> Result<Factor, Error> {
        Ok(self.ring.prepare(b)?)
    }

    /// Writes a product.
    pub(crate) fn multiply<T: Word>(&self, a: &[T], b: &[T], out: &mut [T]) -> Result<(), Error> {
        self.with_room(|ring, room| ring.product(a, b, out, room))
    }

    /// Writes a product by a prepared factor.
    pub(crate) fn multiply_prepared<T: Word>(&self, a: &[T], b: &Factor, out: &mut [T]) -> Result<(), Error> {
        self.with_room(|ring, room| ring.product_prepared(a, b, out, room))
    }

    /// Does something with a room.
    fn with_room(&self, action: impl FnOnce(&Ring, &mut Room) -> Result<(), RingError>) -> Result<(), Error> {
        let mut room = self.free(Vec::pop).flatten().map_or_else(|| self.ring.room(), Ok)?;
        action(&self.ring, &mut room)?;
        self.free(|rooms| {
            if rooms.try_reserve(1).is_ok() {
                rooms.push(room);
            }
        });
        Ok(())
    }

    /// Does something with the rooms that no thread uses, if no other thread does just now. Nobody waits: in
    /// a child after `fork` a thread that is not there may have them for ever.
    fn free<T>(&self, action: impl FnOnce(&mut Vec<Room>) -> T) -> Option<T> {
        match self.rooms.try_lock() {
            Ok(mut rooms) => Some(action(&mut rooms)),
            Err(TryLockError::Poisoned(rooms)) => Some(action(&mut rooms.into_inner())),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

/// A text that may find no memory.
#[derive(Default)]
struct Text(String);

impl Write for Text {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        self.0.try_reserve(more.len()).map_err(|_| fmt::Error)?;
        self.0.push_str(more);
        Ok(())
    }
}

impl From<RingError> for Error {
    fn from(why: RingError) -> Self {
        match why {
            RingError::Modulus { .. } | RingError::Degree { .. } | RingError::NotMonic => Error::Ring,
            RingError::Length { .. } => Error::Length,
            RingError::Range | RingError::Bound { .. } | RingError::Operands => Error::Range,
            RingError::OtherRing => Error::OtherRing,
            RingError::Memory => Error::Memory,
            RingError::Inverses { .. } | RingError::NoInverse | RingError::Method => Error::Unsupported,
            _ => Error::Internal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: a product does not wait for rooms that another thread has for ever, as in a child after
    /// `fork`.
    #[test]
    fn rooms_that_are_locked() {
        let engine = Engine::new(c"Z_17[x]/(x^2+1)", None, &mut 0).unwrap();
        let _rooms = engine.rooms.lock().unwrap();
        let mut product = [0_u16; 2];
        engine.multiply(&[1, 1], &[1, 16], &mut product).unwrap();
        assert_eq!(product, [2, 0]);
    }
}
