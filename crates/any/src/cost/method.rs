//! What a product is computed by.

use crate::exact::{NARROW, PRIMES};
use crate::forest::Length;
use core::fmt;

/// A method of a ring, as [`Candidates`](super::Candidates) list them: how products are computed, down to the
/// primes, the lengths of transforms, and the division by `f`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Method(pub(crate) How);

/// The methods.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum How {
    /// By the definition.
    Schoolbook { division: Division },
    /// By transforms that wrap around as `f` does.
    Wrapped { by: Transforms },
    /// By transforms that hold the whole product, of which residues are taken modulo `f`.
    Folded { by: Transforms },
    /// By transforms that hold the whole product, which is divided.
    Whole { by: Transforms, division: Division },
}

/// Products by transforms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Transforms {
    pub(crate) moduli: Moduli,
    pub(crate) length: Length,
    /// Whether two coefficients are one number.
    pub(crate) packed: bool,
}

/// What products are computed modulo.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Moduli {
    /// `q` itself.
    Q,
    /// The prime of 30 bits.
    Narrow,
    /// So many primes of 46 bits, at most as many as there are.
    Primes(usize),
}

/// How a product gets below `f`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Division {
    /// Term by term.
    Terms,
    /// By two products.
    Products { quotients: Transforms, remainders: Transforms },
}

impl Moduli {
    /// All.
    pub(crate) const ALL: [Moduli; 7] = [
        Moduli::Q,
        Moduli::Narrow,
        Moduli::Primes(1),
        Moduli::Primes(2),
        Moduli::Primes(3),
        Moduli::Primes(4),
        Moduli::Primes(5),
    ];

    /// The primes, or `q`.
    pub(crate) fn primes(self, q: &u64) -> &[u64] {
        match self {
            Moduli::Q => core::slice::from_ref(q),
            Moduli::Narrow => &[NARROW],
            Moduli::Primes(count) => &PRIMES[..count.min(PRIMES.len())],
        }
    }
}

impl How {
    /// All transforms.
    pub(crate) fn transforms(self) -> impl Iterator<Item = Transforms> {
        let product = match self {
            How::Schoolbook { .. } => None,
            How::Wrapped { by } | How::Folded { by } | How::Whole { by, .. } => Some(by),
        };
        let division = match self.division() {
            Some(Division::Products { quotients, remainders }) => [Some(quotients), Some(remainders)],
            _ => [None; 2],
        };
        product.into_iter().chain(division.into_iter().flatten())
    }

    /// How the product is divided, where it is.
    pub(crate) fn division(self) -> Option<Division> {
        match self {
            How::Wrapped { .. } | How::Folded { .. } => None,
            How::Schoolbook { division } | How::Whole { division, .. } => Some(division),
        }
    }
}

impl fmt::Display for Moduli {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Moduli::Q => f.write_str("modulo q"),
            Moduli::Narrow => f.write_str("1 prime of 30 bits"),
            Moduli::Primes(1) => f.write_str("1 prime"),
            Moduli::Primes(count) => write!(f, "{count} primes"),
        }
    }
}

impl fmt::Display for Transforms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let packed = if self.packed { ", two coefficients a number" } else { "" };
        write!(f, "{}, length {}{packed}", self.moduli, self.length.degree())
    }
}

impl fmt::Display for Division {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Division::Terms => f.write_str("divided term by term"),
            Division::Products { quotients, remainders } => {
                write!(f, "divided by products ({quotients}; {remainders})")
            }
        }
    }
}

/// In the order of a table: `1 prime, length 1536, residues modulo f`.
impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            How::Schoolbook { division } => write!(f, "schoolbook, {division}"),
            How::Wrapped { by } => write!(f, "{by}, wraps as f"),
            How::Folded { by } => write!(f, "{by}, residues modulo f"),
            How::Whole { by, division } => write!(f, "{by}, {division}"),
        }
    }
}
