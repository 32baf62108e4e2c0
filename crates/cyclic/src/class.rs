//! What is compiled for each size class: Toeplitz products, and the transform with its primes.

use ringsmith_ring::algorithm::rows::halves::{Big, Class, Exact, Field, Plan, Primes, Size, Ternary};
use ringsmith_ring::algorithm::toeplitz::{AtPoints, Block, Cut, InPairs, Toeplitz};

/// The greatest number of a lane.
const LANE: i64 = i16::MAX as i64;

/// A size class by the rows of its elements.
#[derive(Clone, Copy)]
pub struct Rows<const ROWS: usize>;

/// A class for powers of two up to `2^BITS`.
#[derive(Clone, Copy)]
pub struct UpTo<const ROWS: usize, const BITS: u32>;

/// The routes that planners choose from.
pub trait Planned {
    /// By a Toeplitz matrix, in words that wrap.
    type ByMatrix;
    /// By primes: two hold products by ternary operands, three any.
    type ByPrimes;
    /// Rows of memory that the first takes: for a product, and for a prepared operand.
    const MEMORY: [usize; 2];
}

/// Matrices in two parts of two, and in three of as many, of one row in the end; in three parts by pairs.
type M2 = Cut<AtPoints<2>, Block<1>, 2, 1>;
type M8 = Cut<AtPoints<2>, Cut<AtPoints<2>, M2, 4, 2>, 8, 4>;
type M9 = Cut<AtPoints<3>, Cut<AtPoints<3>, Block<1>, 3, 1>, 9, 3>;
type M9InPairs = Cut<InPairs<3>, Cut<InPairs<3>, Block<1>, 3, 1>, 9, 3>;
type M18 = Cut<AtPoints<3>, Cut<AtPoints<3>, M2, 6, 2>, 18, 6>;
type M27 = Cut<AtPoints<3>, M9, 27, 9>;
/// In parts of five rows in the end: a modulus of 14 bits leaves two to lose.
type M30OfFive = Cut<AtPoints<3>, Cut<AtPoints<2>, Block<5>, 10, 5>, 30, 10>;

macro_rules! classes {
    ($(
        $rows:literal $small:ty: $points:literal = $a:literal x $b:literal,
        degree $degree:literal, input $input:literal, limits $limits:expr,
        $(bits $bits:literal: [$($p:literal),*], $length:literal by $matrix:ty;)*
    )*) => { $(
        impl Class for Rows<$rows> {
            const SIZE: Size = Size { degree: $degree, input: $input, a: $a, b: $b, primes: &[$($($p),*),*],
                limits: $limits, unrolled: $degree < 1000 };
            const PLAN: &'static Plan = &Plan::find(&Self::SIZE);
            type Small = $small;
        }

        $(
            impl Primes<$points> for UpTo<$rows, $bits> {
                type Of = Rows<$rows>;
                const FIELDS: [&'static Field<$points>; 3] = [$({
                    static FIELD: Field<$points> = Field::modulo::<Rows<$rows>>($p);
                    &FIELD
                }),*];
            }

            impl Planned for UpTo<$rows, $bits> {
                type ByMatrix = Toeplitz<$matrix, $length, $rows>;
                type ByPrimes = Exact<Self, $rows, $points>;
                const MEMORY: [usize; 2] = <Toeplitz<$matrix, $length, $rows>>::MEMORY;
            }
        )*
    )*
        /// The transforms of all classes.
        pub const SIZES: &[Size] = &[$(<Rows<$rows> as Class>::SIZE),*];
    };
}

classes! {
    32 Ternary: 60 = 5 x 12, degree 512, input 1024,
        limits [LANE, LANE / 3, LANE / 3],
        bits 11: [1201, 1321, 1801], 32 by Cut<AtPoints<4>, M8, 32, 8>;
    45 Big: 84 = 7 x 12, degree 720, input 4096,
        limits [LANE / 6, LANE, LANE],
        bits 11: [1009, 2017, 2521], 45 by Cut<AtPoints<5>, M9, 45, 9>;
        bits 13: [2521, 3361, 3529], 45 by Cut<AtPoints<5>, M9InPairs, 45, 9>;
    56 Big: 105 = 7 x 15, degree 896, input 2048,
        limits [LANE / 5, LANE / 2, LANE],
        bits 12: [2311, 2521, 1471], 54 by Cut<AtPoints<3>, M18, 54, 18>;
    80 Big: 156 = 12 x 13, degree 1248, input 2048,
        limits [LANE / 8, LANE, LANE],
        bits 12: [1873, 3433, 3121], 81 by Cut<AtPoints<3>, M27, 81, 27>;
    96 Big: 195 = 13 x 15, degree 1536, input 8192,
        limits [LANE / 3, LANE, LANE],
        bits 14: [5851, 7411, 8581], 90 by Cut<AtPoints<3>, M30OfFive, 90, 30>;
}

/// Whether primes are faster than a matrix for products by a ternary operand, where a row is one register.
/// Figures are in decision 50.
pub(crate) const fn primes_win(rows: usize, bits: u32) -> bool {
    !matches!((rows, bits), (45, 11))
}
