//! Operands: polynomials, their transforms, and transforms that are prepared to be multiplied by.

use crate::memory::Rows;
use crate::ring::Shape;
use crate::tables::BLOCK;
use crate::{WordError, balanced, narrow, number, wide};
use core::fmt;

/// What lanes a ring has, and so what its operands hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Numbers of 32 bits.
    Narrow,
    /// Numbers of 32 bits, whose constants have quotients.
    Quotient,
    /// Numbers of 52 bits.
    Wide,
    /// Doubles.
    Balanced,
    /// Numbers of 64 bits.
    Long,
    /// Numbers of 32 bits, which K-RED reduces.
    #[cfg(feature = "k-red")]
    KRed,
}

/// Which ring an operand is of. Rings with the same one share operands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity {
    /// What lanes it has.
    pub(crate) form: Form,
    pub(crate) shape: Shape,
    pub(crate) n: usize,
    pub(crate) p: u64,
}

impl Identity {
    /// How many coefficients a row has: below a block, one, which fills it.
    pub(crate) fn per_row(self) -> usize {
        if self.n < BLOCK { 1 } else { 8 }
    }

    /// How many rows an operand has.
    pub(crate) fn rows(self) -> usize {
        self.n / self.per_row()
    }

    /// Whether so many coefficients are an operand's.
    pub(crate) fn check_length(self, has: usize) -> Result<(), WordError> {
        if has == self.n { Ok(()) } else { Err(WordError::Length { needs: self.n, has }) }
    }

    /// Whether an operand is of this ring.
    pub(crate) fn check(self, other: Self) -> Result<(), WordError> {
        if self == other { Ok(()) } else { Err(WordError::OtherRing) }
    }
}

/// A polynomial of a ring. Cleared when it is dropped, and not printed.
pub struct Polynomial {
    pub(crate) ring: Identity,
    /// Where a transform starts: coefficients in `[0, p)`. In lanes that hold numbers of 52 bits they are
    /// within `p` of `START p`; in lanes of 32 they are times `2^32`; on doubles they are in `(-p, p)`.
    pub(crate) rows: Rows,
}

impl Polynomial {
    /// The coefficients in `[0, p)`, the constant term first.
    /// [`WordRing::coefficients`](crate::WordRing::coefficients) writes them to memory, eight at a time.
    pub fn coefficients(&self) -> impl Iterator<Item = u64> + '_ {
        let (p, inverse) = (self.ring.p, number::inverse_of_word(self.ring.p));
        let lanes = self.ring.per_row();
        (0..self.ring.rows()).flat_map(move |row| (0..lanes).map(move |lane| (row, lane))).map(
            move |(row, lane)| match &self.rows {
                Rows::Wide(lines) if self.ring.form == Form::Balanced => {
                    balanced::number(lines[row].0[lane], p)
                }
                Rows::Wide(lines) => wide::number(lines[row].0[lane], p),
                Rows::Long(lines) => lines[row].0[lane],
                Rows::Narrow(lines) => narrow::number(lines[row].0[lane], p, inverse),
                #[cfg(feature = "k-red")]
                Rows::KRed(lines) => crate::k_red::number(lines[row].0[lane], p),
            },
        )
    }

    /// A copy.
    ///
    /// # Errors
    /// Where there is no memory.
    pub fn try_clone(&self) -> Result<Self, WordError> {
        Ok(Polynomial { ring: self.ring, rows: self.rows.copy()? })
    }
}

/// The values of a polynomial: what [`WordRing::forward`](crate::WordRing::forward) makes. Cleared when it is
/// dropped, and not printed.
pub struct Transformed {
    pub(crate) ring: Identity,
    pub(crate) rows: Rows,
    /// Whether values are small enough for the way back; public.
    pub(crate) reduced: bool,
}

impl Transformed {
    /// A copy.
    ///
    /// # Errors
    /// Where there is no memory.
    pub fn try_clone(&self) -> Result<Self, WordError> {
        Ok(Transformed { ring: self.ring, rows: self.rows.copy()?, reduced: self.reduced })
    }
}

/// A transform that is prepared as the second factor of many products. Cleared when it is dropped, and not
/// printed.
pub struct Prepared {
    pub(crate) ring: Identity,
    pub(crate) rows: Rows,
}

/// Says of which ring it is, and nothing of its values.
macro_rules! not_printed {
    ($($type:ident)*) => { $(
        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let Identity { n, p, .. } = self.ring;
                write!(f, concat!(stringify!($type), " of {} coefficients modulo {}"), n, p)
            }
        }
    )* };
}

not_printed!(Polynomial Transformed Prepared);
