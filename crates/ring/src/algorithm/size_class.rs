//! Size classes: the lengths that rings modulo `x^n - 1` and a power of two share.
//!
//! A product modulo `x^n - 1` and `2^k` is a whole product that is folded, and words that wrap know neither `n`
//! nor `k`. So rings of many degrees are products of a few lengths: an element of a ring of degree `n` stands
//! in the rows of the least class that holds it, with zeroes behind its `n` coefficients, and a kernel of that
//! class serves all of them. The numbers of rows are those that Toom and Cook's products and Karatsuba's cut
//! well: `45 = 5 3 3`, `80 = 5 2^4`.

use crate::ring::Shape;

/// A length of convolution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SizeClass {
    /// The greatest degree.
    pub degree: usize,
    /// Rows of an element.
    pub rows: usize,
}

/// All of them, the least first.
pub const CLASSES: [SizeClass; 5] = [
    SizeClass { degree: 512, rows: 32 },
    SizeClass { degree: 720, rows: 45 },
    SizeClass { degree: 896, rows: 56 },
    SizeClass { degree: 1248, rows: 80 },
    SizeClass { degree: 1536, rows: 96 },
];

/// The least class that holds elements of degree below `n`; none of elements that are longer than all.
pub const fn of(n: usize) -> Option<SizeClass> {
    let mut i = 0;
    while i < CLASSES.len() {
        if n <= CLASSES[i].degree {
            return Some(CLASSES[i]);
        }
        i += 1;
    }
    None
}

/// How many coefficients elements of a ring are stored with: those of the rows of its class, if it has one.
pub(crate) const fn stored(q: i64, n: usize, shape: Shape) -> usize {
    match of(n) {
        Some(class) if matches!(shape, Shape::Cyclic) && q % 2 == 0 => 16 * class.rows,
        _ => n,
    }
}
