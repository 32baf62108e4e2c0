//! Other routes of the rings of NTRU and NTRUEncrypt, by size class and by the bits that their moduli leave;
//! interleaved Montgomery multiplication modulo 2048, for any degree.

use crate::{EveryRoute, Visitor};
use ringsmith_cyclic::{bits, rings, rows};
use ringsmith_ring::algorithm::interleaved::{ByProducts, ByShift, Interleaved};
use ringsmith_ring::algorithm::karatsuba::{Cut, Karatsuba, WeimerskirchPaar};
use ringsmith_ring::algorithm::schoolbook::Schoolbook;
use ringsmith_ring::algorithm::signed;
use ringsmith_ring::algorithm::size_class::InClass;
use ringsmith_ring::algorithm::toom_cook::ToomCook;
use ringsmith_ring::residues::Wrapping;
use ringsmith_ring::{Entry, Ring};

/// A size class by the rows of its elements, for powers of two up to `2^BITS`.
pub struct Class<const ROWS: usize, const BITS: u32>;

/// Its routes, as products and multiplications.
pub trait Others {
    /// Karatsuba's product: for any power of two up to `2^16`.
    type Safe;
    /// The same in other parts.
    type Parts;
    /// Toom and Cook's, with as many bits lost as can be.
    type Most;
    /// The same with fewer, or in other parts.
    type Fewer;
    /// The definition.
    type Every;
    /// Signed additions.
    type Signed;
}

macro_rules! others {
    ($($rows:literal, $bits:literal: $safe:ty, $parts:ty, $most:ty, $fewer:ty;)*) => { $(
        impl Others for Class<$rows, $bits> {
            type Safe = InClass<$safe>;
            type Parts = InClass<$parts>;
            type Most = InClass<$most>;
            type Fewer = InClass<$fewer>;
            type Every = InClass<Schoolbook<Wrapping, $rows>>;
            type Signed = InClass<signed::Signed<Wrapping, $rows>>;
        }
    )* };
}

/// A row as three parts of three of one: 36 products for 81.
type Nine = Cut<WeimerskirchPaar<Wrapping, 3, 3>, 9, 3>;
/// The same by Toom and Cook's product: 25, and two bits lost.
type NineByFive = ToomCook<ToomCook<Schoolbook<Wrapping, 1>, 3, 3, 1>, 9, 3, 3>;

others! {
    32, 11: Karatsuba<Wrapping, 32, 3>, WeimerskirchPaar<Wrapping, 32, 8>,
        ToomCook<Karatsuba<Wrapping, 8, 2>, 32, 4, 8>, ToomCook<Schoolbook<Wrapping, 7>, 32, 5, 7>;
    45, 11: WeimerskirchPaar<Wrapping, 45, 9>, Cut<Nine, 45, 9>, ToomCook<NineByFive, 45, 5, 9>,
        ToomCook<Karatsuba<Wrapping, 12, 2>, 45, 4, 12>;
    45, 13: WeimerskirchPaar<Wrapping, 45, 9>, Cut<Nine, 45, 9>, ToomCook<Nine, 45, 5, 9>,
        ToomCook<Karatsuba<Wrapping, 12, 2>, 45, 4, 12>;
    56, 12: Karatsuba<Wrapping, 56, 3>, WeimerskirchPaar<Wrapping, 56, 8>,
        ToomCook<ToomCook<Karatsuba<Wrapping, 4, 2>, 12, 3, 4>, 56, 5, 12>,
        ToomCook<Karatsuba<Wrapping, 14, 1>, 56, 4, 14>;
    80, 12: Karatsuba<Wrapping, 80, 4>, WeimerskirchPaar<Wrapping, 80, 8>,
        ToomCook<Karatsuba<Wrapping, 16, 4>, 80, 5, 16>, ToomCook<Karatsuba<Wrapping, 20, 2>, 80, 4, 20>;
    96, 14: Karatsuba<Wrapping, 96, 5>, WeimerskirchPaar<Wrapping, 96, 8>,
        ToomCook<Karatsuba<Wrapping, 32, 5>, 96, 3, 32>, ToomCook<Karatsuba<Wrapping, 32, 3>, 96, 3, 32>;
}

/// How many of a ring's routes are listed: those by interleaved multiplication, which are the last ones, are
/// modulo the paper's 2048.
const fn listed<R: Ring>() -> usize {
    if R::Q == 2048 { 16 } else { 6 }
}

macro_rules! every_route {
    ($($(#[$doc:meta])* $ring:ident: $q:literal, $n:literal;)*) => {
        $(
            impl EveryRoute for rings::$ring {
                const OTHERS: &'static [Entry<Self>] = {
                    type Of = Class<{ rows($n) }, { bits($n, $q) }>;
                    static ROUTES: [Entry<rings::$ring>; 16] = [
                        Entry::product::<<Of as Others>::Safe>(),
                        Entry::product::<<Of as Others>::Parts>(),
                        Entry::product::<<Of as Others>::Most>(),
                        Entry::product::<<Of as Others>::Fewer>(),
                        Entry::product::<<Of as Others>::Every>(),
                        Entry::product::<<Of as Others>::Signed>(),
                        Entry::product::<Interleaved<ByShift, 1>>(),
                        Entry::product::<Interleaved<ByShift, 8>>(),
                        Entry::product::<Interleaved<ByShift, 16>>(),
                        Entry::product::<Interleaved<ByShift, 32>>(),
                        Entry::product::<Interleaved<ByShift, 64>>(),
                        Entry::product::<Interleaved<ByProducts, 1>>(),
                        Entry::product::<Interleaved<ByProducts, 8>>(),
                        Entry::product::<Interleaved<ByProducts, 16>>(),
                        Entry::product::<Interleaved<ByProducts, 32>>(),
                        Entry::product::<Interleaved<ByProducts, 64>>(),
                    ];
                    ROUTES.split_at(listed::<rings::$ring>()).0
                };
            }
        )*

        /// Calls the visitor with every ring modulo `x^n - 1` and a power of two.
        pub(crate) fn visit_all(visitor: &mut impl Visitor) {
            $(visitor.visit::<rings::$ring>();)*
        }
    };
}

ringsmith_cyclic::each_ring!(every_route);
