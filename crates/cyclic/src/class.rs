//! What is compiled for each size class: the transform, its primes, and a route in words that wrap.

use ringsmith_ring::algorithm::karatsuba::{Karatsuba, WeimerskirchPaar};
use ringsmith_ring::algorithm::rows::halves::{Big, Class, Exact, Field, Plan, Primes, Size, Ternary};
use ringsmith_ring::algorithm::size_class::InClass;
use ringsmith_ring::residues::Wrapping;

/// The greatest number of a lane.
const LANE: i64 = i16::MAX as i64;

/// A size class by the rows of its elements.
#[derive(Clone, Copy)]
pub struct Rows<const ROWS: usize>;

/// The routes of a class.
pub trait Planned {
    /// In words that wrap, for any power of two up to `2^16`: the safe route.
    type InWords;
}

/// Primes for powers of two up to `2^BITS`: two hold products by ternary operands, three any.
#[derive(Clone, Copy)]
pub struct UpTo<const ROWS: usize, const BITS: u32>;

/// The products by these primes.
pub trait ByPrimes {
    /// The route.
    type Route;
}

macro_rules! classes {
    ($(
        $rows:literal ($safe:ty, $small:ty): $points:literal = $a:literal x $b:literal,
        degree $degree:literal, input $input:literal, limits $limits:expr,
        $(bits $bits:literal: [$($p:literal),*];)*
    )*) => { $(
        impl Planned for Rows<$rows> {
            type InWords = InClass<$safe>;
        }

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
                type Route = Exact<Self, $rows, $points>;
            }
        )*
    )*
        /// The transforms of all classes.
        pub const SIZES: &[Size] = &[$(<Rows<$rows> as Class>::SIZE),*];
    };
}

classes! {
    32 (Karatsuba<Wrapping, 32, 3>, Ternary): 60 = 5 x 12, degree 512, input 1024,
        limits [LANE, LANE / 3, LANE / 3],
        bits 11: [1201, 1321, 1801];
    45 (WeimerskirchPaar<Wrapping, 45, 9>, Big): 84 = 7 x 12, degree 720, input 4096,
        limits [LANE / 6, LANE, LANE],
        bits 11: [1009, 2017, 2521];
        bits 13: [2521, 3361, 3529];
    56 (Karatsuba<Wrapping, 56, 3>, Big): 105 = 7 x 15, degree 896, input 2048,
        limits [LANE / 5, LANE / 2, LANE],
        bits 12: [2311, 2521, 1471];
    80 (Karatsuba<Wrapping, 80, 4>, Big): 156 = 12 x 13, degree 1248, input 2048,
        limits [LANE / 8, LANE, LANE],
        bits 12: [1873, 3433, 3121];
    96 (Karatsuba<Wrapping, 96, 5>, Big): 195 = 13 x 15, degree 1536, input 8192,
        limits [LANE / 3, LANE, LANE],
        bits 14: [5851, 7411, 8581];
}
