//! Other routes of the rings of NTRU, by size class.

use crate::{EveryRoute, Visitor};
use ringsmith_cyclic::{rings, rows};
use ringsmith_ring::Entry;
use ringsmith_ring::algorithm::karatsuba::{Karatsuba, WeimerskirchPaar};
use ringsmith_ring::algorithm::schoolbook::Schoolbook;
use ringsmith_ring::algorithm::size_class::InClass;
use ringsmith_ring::algorithm::toom_cook::ToomCook;
use ringsmith_ring::residues::Wrapping;

/// A size class by the rows of its elements.
struct Class<const ROWS: usize>;

/// Its routes.
trait Others {
    /// Karatsuba's product in one iteration.
    type Parts;
    /// Toom and Cook's with as few bits lost as modulus `2^14` can spare.
    type Three;
    /// The definition.
    type Every;
}

macro_rules! others {
    ($($rows:literal: $parts:ty, $three:ty;)*) => { $(
        impl Others for Class<$rows> {
            type Parts = InClass<$parts>;
            type Three = InClass<$three>;
            type Every = InClass<Schoolbook<Wrapping, $rows>>;
        }
    )* };
}

others! {
    32: WeimerskirchPaar<Wrapping, 32, 8>, ToomCook<Schoolbook<Wrapping, 11>, 32, 3, 11>;
    45: WeimerskirchPaar<Wrapping, 45, 5>, ToomCook<Schoolbook<Wrapping, 15>, 45, 3, 15>;
    56: WeimerskirchPaar<Wrapping, 56, 8>, ToomCook<Schoolbook<Wrapping, 19>, 56, 3, 19>;
    80: WeimerskirchPaar<Wrapping, 80, 8>, ToomCook<Schoolbook<Wrapping, 27>, 80, 3, 27>;
    96: WeimerskirchPaar<Wrapping, 96, 8>, ToomCook<Karatsuba<Wrapping, 32, 3>, 96, 3, 32>;
}

macro_rules! every_route {
    ($($(#[$doc:meta])* $ring:ident: $q:literal, $n:literal;)*) => {
        $(
            impl EveryRoute for rings::$ring {
                const OTHERS: &'static [Entry<Self>] = {
                    static ROUTES: &[Entry<rings::$ring>] = &[
                        Entry::product::<<Class<{ rows($n) }> as Others>::Parts>(),
                        Entry::product::<<Class<{ rows($n) }> as Others>::Three>(),
                        Entry::product::<<Class<{ rows($n) }> as Others>::Every>(),
                    ];
                    ROUTES
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
