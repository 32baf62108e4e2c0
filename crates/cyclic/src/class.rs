//! What is compiled for each size class.

use ringsmith_ring::algorithm::karatsuba::{Karatsuba, WeimerskirchPaar};
use ringsmith_ring::residues::Wrapping;

/// A size class by the rows of its elements.
pub(crate) struct Class<const ROWS: usize>;

/// The routes of a class.
pub(crate) trait Planned {
    /// In words that wrap, for any power of two up to `2^16`: the safe route.
    type InWords;
}

impl Planned for Class<32> {
    type InWords = Karatsuba<Wrapping, 32, 3>;
}

impl Planned for Class<45> {
    type InWords = WeimerskirchPaar<Wrapping, 45, 9>;
}

impl Planned for Class<56> {
    type InWords = Karatsuba<Wrapping, 56, 3>;
}

impl Planned for Class<80> {
    type InWords = Karatsuba<Wrapping, 80, 4>;
}

impl Planned for Class<96> {
    type InWords = Karatsuba<Wrapping, 96, 5>;
}
