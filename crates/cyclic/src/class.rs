//! What is compiled for each size class: Toeplitz products, and the transform with its primes.

use crate::whole::Products;
use ringsmith_ring::algorithm::rows::halves::{Big, Class, Exact, Field, Plan, Primes, Size, Ternary};
use ringsmith_ring::algorithm::toeplitz::{AtPoints, Block, Cut, InPairs, Kept, Matrix, Toeplitz};

/// The greatest number of a lane.
const LANE: i64 = i16::MAX as i64;

/// A size class by the rows of its elements.
#[derive(Clone, Copy)]
pub struct Rows<const ROWS: usize>;

/// A class for powers of two up to `2^BITS`.
#[derive(Clone, Copy)]
pub struct UpTo<const ROWS: usize, const BITS: u32>;

/// The route by primes of a class: two hold products by ternary operands, three any.
pub trait ByPrimes {
    /// The route.
    type Of;
}

/// A matrix of a class: so many rows, and how many low bits of its products are right.
#[derive(Clone, Copy)]
pub struct Length<const ROWS: usize, const LENGTH: usize, const BITS: u32>;

/// The route by a Toeplitz matrix, in words that wrap.
pub trait ByMatrix {
    /// The route.
    type Of;
    /// Rows of memory: for a product, and for a prepared operand.
    const MEMORY: [usize; 2];
}

/// A [`Length`] as data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Rows of the class's elements.
    pub class: usize,
    /// Rows of the matrix.
    pub rows: usize,
    /// How many low bits of its products are right.
    pub bits: u32,
    /// How many products of a row by a row there are.
    pub products: usize,
}

/// The matrix of fewest products that serves degree `n` and `2^bits`, for elements of so many rows.
///
/// # Panics
/// Where there is none.
pub const fn matrix(class: usize, n: usize, bits: u32) -> Choice {
    let (mut best, mut i) = (None, 0);
    while i < MATRICES.len() {
        let one = MATRICES[i];
        let serves = one.class == class && n.div_ceil(16) <= one.rows && bits <= one.bits;
        best = match best {
            Some(Choice { products, .. }) if serves && one.products < products => Some(one),
            None if serves => Some(one),
            _ => best,
        };
        i += 1;
    }
    best.expect("a matrix for the degree and the modulus")
}

/// Matrices in two parts of two, and in three of as many, of one row in the end; in three parts by pairs.
type M2 = Cut<AtPoints<2>, Block<1>, 2, 1>;
type M4 = Cut<AtPoints<2>, M2, 4, 2>;
type M6 = Cut<AtPoints<3>, M2, 6, 2>;
type M8 = Cut<AtPoints<2>, M4, 8, 4>;
type M3 = Cut<AtPoints<3>, Block<1>, 3, 1>;
type M9 = Cut<AtPoints<3>, M3, 9, 3>;
type M9InPairs = Cut<InPairs<3>, Cut<InPairs<3>, Block<1>, 3, 1>, 9, 3>;
type M12 = Cut<AtPoints<3>, M4, 12, 4>;
type M16 = Cut<AtPoints<2>, M8, 16, 8>;
type M18 = Cut<AtPoints<3>, M6, 18, 6>;
type M24 = Cut<AtPoints<3>, M8, 24, 8>;
type M27 = Cut<AtPoints<3>, M9, 27, 9>;
/// A prepared operand has no room for the matrix side of all cuts.
type M32 = Cut<AtPoints<2>, Kept<M16>, 32, 16>;

macro_rules! classes {
    ($(
        $rows:literal $small:ty: $points:literal = $a:literal x $b:literal,
        degree $degree:literal, input $input:literal, limits $limits:expr,
        $(bits $bits:literal: [$($p:literal),*],)*
        $(matrix $length:literal, bits $right:literal: $matrix:ty),*;
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

            impl ByPrimes for UpTo<$rows, $bits> {
                type Of = Exact<Self, $rows, $points>;
            }
        )*

        $(
            impl ByMatrix for Length<$rows, $length, $right> {
                type Of = Toeplitz<$matrix, $length, $rows>;
                const MEMORY: [usize; 2] = <Toeplitz<$matrix, $length, $rows>>::MEMORY;
            }
        )*
    )*
        /// Whole products by the primes of all classes.
        pub static PRODUCTS: &[Products] =
            &[$($(Products::of::<UpTo<$rows, $bits>, $rows, $points>()),*),*];

        /// The transforms of all classes.
        pub const SIZES: &[Size] = &[$(<Rows<$rows> as Class>::SIZE),*];

        /// The matrices of all classes.
        pub const MATRICES: &[Choice] = &[$($({
            assert!(<$matrix as Matrix<$length>>::BITS == $right, "other bits are right");
            let products = <$matrix as Matrix<$length>>::PRODUCTS;
            Choice { class: $rows, rows: $length, bits: $right, products }
        }),*),*];
    };
}

classes! {
    32 Ternary: 60 = 5 x 12, degree 512, input 1024,
        limits [LANE, LANE / 3, LANE / 3],
        bits 11: [1201, 1321, 1801],
        matrix 27, bits 13: M27,
        matrix 30, bits 12: Cut<AtPoints<5>, Cut<AtPoints<2>, M3, 6, 3>, 30, 6>,
        matrix 32, bits 13: Cut<AtPoints<4>, M8, 32, 8>,
        matrix 36, bits 11: Cut<AtPoints<4>, M9, 36, 9>;
    45 Big: 84 = 7 x 12, degree 720, input 4096,
        limits [LANE / 6, LANE, LANE],
        bits 11: [1009, 2017, 2521],
        bits 13: [2521, 3361, 3529],
        matrix 36, bits 11: Cut<AtPoints<4>, M9, 36, 9>,
        matrix 45, bits 11: Cut<AtPoints<5>, M9, 45, 9>,
        matrix 45, bits 13: Cut<AtPoints<5>, M9InPairs, 45, 9>;
    56 Big: 105 = 7 x 15, degree 896, input 2048,
        limits [LANE / 5, LANE / 2, LANE],
        bits 12: [2311, 2521, 1471],
        matrix 48, bits 12: Cut<AtPoints<4>, M12, 48, 12>,
        matrix 54, bits 13: Cut<AtPoints<3>, M18, 54, 18>,
        matrix 60, bits 12: Cut<AtPoints<5>, M12, 60, 12>;
    80 Big: 156 = 12 x 13, degree 1248, input 2048,
        limits [LANE / 8, LANE, LANE],
        bits 12: [1873, 3433, 3121],
        matrix 72, bits 11: Cut<AtPoints<4>, M18, 72, 18>,
        matrix 81, bits 12: Cut<AtPoints<3>, M27, 81, 27>;
    96 Big: 195 = 13 x 15, degree 1536, input 8192,
        limits [LANE / 3, LANE, LANE],
        bits 14: [5851, 7411, 8581],
        matrix 96, bits 15: Cut<AtPoints<3>, M32, 96, 32>,
        matrix 96, bits 12: Cut<AtPoints<4>, M24, 96, 24>;
}

/// Whether primes are faster than this matrix for products by a ternary operand, where a row is one register:
/// that of moduli which leave two bits to lose. Figures are in decision 50.
pub(crate) const fn primes_win(matrix: Choice) -> bool {
    matrix.class == 96 && matrix.bits == 15
}
