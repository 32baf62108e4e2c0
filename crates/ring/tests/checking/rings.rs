//! The routes of all rings with odd moduli, as types: what a ring lists are functions for CPUs.

use ringsmith_ring::algorithm::good_thomas::{By512, By1024};
use ringsmith_ring::algorithm::incomplete::{
    ByKaratsuba, BySchoolbook, HalfTrinomial, Incomplete, Negacyclic,
};
use ringsmith_ring::algorithm::k_red::{ByAnalysis, ByPaper, KRedTransform};
use ringsmith_ring::algorithm::karatsuba::{Karatsuba, WeimerskirchPaar};
use ringsmith_ring::algorithm::ntt::Ntt;
use ringsmith_ring::algorithm::rader::Rader;
use ringsmith_ring::algorithm::rows::{RowTransform, RowsCyclic};
use ringsmith_ring::algorithm::schoenhage::Schoenhage;
use ringsmith_ring::algorithm::schoolbook::Schoolbook;
use ringsmith_ring::algorithm::signed::Signed;
use ringsmith_ring::algorithm::toom_cook::ToomCook;
use ringsmith_ring::algorithm::with_zeroes::WithZeroes;
use ringsmith_ring::residues::{Odd, widest};
use ringsmith_ring::{ByProduct, ByTransform};
use ringsmith_ring::{Multiply, Ring, Route};
use ringsmith_routes::ntru_prime::ByPrimes761;
use ringsmith_routes::rings::*;
use ringsmith_routes::{EveryRoute, Visitor, entries};

/// What is done with each route.
pub(crate) trait Visit {
    fn visit<R: Ring, M: Multiply<R>>(&mut self);
}

/// A ring of the list below.
trait Routed: Ring {
    /// Calls the visitor with every route.
    fn routes(visitor: &mut impl Visit);
}

fn visit_ring<R: Routed, V: Visit>(visitor: &mut V) {
    R::routes(visitor);
}

/// Calls the visitor with every route of some rings: each algorithm is among them.
pub(crate) fn visit_some(visitor: &mut impl Visit) {
    visit_ring::<NewHope512, _>(visitor);
    visit_ring::<MlKem, _>(visitor);
    visit_ring::<Compact512, _>(visitor);
    visit_ring::<Compact768, _>(visitor);
    visit_ring::<NtruPrime761, _>(visitor);
    visit_ring::<NtruPrime857, _>(visitor);
}

/// The type of an entry.
macro_rules! by {
    (of $by:ty) => { $by };
    (transform $by:ty) => { ByTransform<$by> };
    (product $by:ty) => { ByProduct<$by> };
}

macro_rules! rings {
    ($($ring:ident: $($entry:ident $by:ty),*;)*) => {
        /// Calls the visitor with every route of every ring.
        pub(crate) fn visit_all(visitor: &mut impl Visit) {
            $( visit_ring::<$ring, _>(visitor); )*
        }

        $(
            impl Routed for $ring {
                fn routes(visitor: &mut impl Visit) {
                    $( visitor.visit::<$ring, by!($entry $by)>(); )*
                }
            }
        )*

        /// Each ring's routes here, and those that it lists.
        fn listed() -> Vec<[Vec<Route>; 2]> {
            vec![$([
                vec![$(<by!($entry $by) as Multiply<$ring>>::ROUTE),*],
                entries::<$ring>().map(|entry| entry.route()).collect(),
            ]),*]
        }
    };
}

rings! {
    NewHope1024:
        of RowTransform<12289, 64>, transform Ntt<12289, 64, 1>,
        transform KRedTransform<12289, 64, 128, ByAnalysis>,
        transform KRedTransform<12289, 64, 128, ByPaper>, product Schoolbook<Odd<12289>, 64>,
        product Karatsuba<Odd<12289>, 64, 3>, product WeimerskirchPaar<Odd<12289>, 64, 8>;
    NewHope512:
        of RowTransform<12289, 32>, transform Ntt<12289, 32, 1>,
        transform KRedTransform<12289, 32, 64, ByAnalysis>, transform KRedTransform<12289, 32, 64, ByPaper>,
        product Schoolbook<Odd<12289>, 32>, product Karatsuba<Odd<12289>, 32, 2>,
        product WeimerskirchPaar<Odd<12289>, 32, 4>;
    NewHope256:
        of RowTransform<12289, 16>, transform Ntt<12289, 16, 1>,
        transform KRedTransform<12289, 16, 32, ByAnalysis>, transform KRedTransform<12289, 16, 32, ByPaper>,
        product Schoolbook<Odd<12289>, 16>, product Karatsuba<Odd<12289>, 16, 2>,
        product WeimerskirchPaar<Odd<12289>, 16, 4>;
    MlKem:
        of RowTransform<3329, 16>, transform Ntt<3329, 16, 2>, product Schoolbook<Odd<3329>, 16>,
        product Karatsuba<Odd<3329>, 16, 2>, product WeimerskirchPaar<Odd<3329>, 16, 4>;
    Compact512:
        of RowTransform<3329, 32>, transform Incomplete<3329, 32, 4, Negacyclic, BySchoolbook>,
        transform Incomplete<3329, 32, 4, Negacyclic, ByKaratsuba>, product Schoolbook<Odd<3329>, 32>,
        product Karatsuba<Odd<3329>, 32, 2>, product WeimerskirchPaar<Odd<3329>, 32, 4>;
    Compact1024:
        of RowTransform<3329, 64>, transform Incomplete<3329, 64, 8, Negacyclic, BySchoolbook>,
        transform Incomplete<3329, 64, 8, Negacyclic, ByKaratsuba>, product Schoolbook<Odd<3329>, 64>,
        product Karatsuba<Odd<3329>, 64, 3>, product WeimerskirchPaar<Odd<3329>, 64, 8>;
    Compact768:
        transform Incomplete<3457, 48, 6, HalfTrinomial, BySchoolbook>,
        transform Incomplete<3457, 48, 6, HalfTrinomial, ByKaratsuba>, product Karatsuba<Odd<3457>, 48, 3>,
        product WeimerskirchPaar<Odd<3457>, 48, 6>, product Schoolbook<Odd<3457>, 48>;
    NtruPrime653:
        of RowsCyclic<Odd<4621>, 41, 84, 84>,
        product By512<Odd<4621>, 41>,
        product Schoenhage<{ widest(4621) }, 41, 64>, product ToomCook<Schoolbook<Odd<4621>, 11>, 41, 4, 11>,
        product Signed<Odd<4621>, 41>, product Schoolbook<Odd<4621>, 41>;
    NtruPrime761:
        of RowsCyclic<Odd<4591>, 48, 90, 90>,
        product By512<Odd<4591>, 48>,
        product ByPrimes761,
        of Rader<4591, 48>, product Schoenhage<{ widest(4591) }, 48, 64>,
        product ToomCook<Karatsuba<Odd<4591>, 12, 2>, 48, 4, 12>,
        product Karatsuba<Odd<4591>, 48, 3>, product WeimerskirchPaar<Odd<4591>, 48, 6>,
        product Signed<Odd<4591>, 48>, product Schoolbook<Odd<4591>, 48>;
    NtruPrime739:
        of RowsCyclic<Odd<9829>, 47, 84, 84>,
        product By512<Odd<9829>, 47>, product ToomCook<Karatsuba<Odd<9829>, 12, 2>, 47, 4, 12>,
        product WithZeroes<Karatsuba<Odd<9829>, 48, 3>, 47, 48>,
        product Signed<Odd<9829>, 47>, product Schoolbook<Odd<9829>, 47>;
    NtruPrime857:
        of RowsCyclic<Odd<5167>, 54, 126, 126>,
        product By1024<Odd<5167>, 54>,
        product Schoenhage<{ widest(5167) }, 54, 128>,
        product ToomCook<Karatsuba<Odd<5167>, 14, 1>, 54, 4, 14>,
        product Karatsuba<Odd<5167>, 54, 1>,
        product WithZeroes<Karatsuba<Odd<5167>, 56, 3>, 54, 56>, product WeimerskirchPaar<Odd<5167>, 54, 6>,
        product Signed<Odd<5167>, 54>, product Schoolbook<Odd<5167>, 54>;
    NtruPrime953:
        of RowsCyclic<Odd<6343>, 60, 126, 210>,
        product By1024<Odd<6343>, 60>,
        product Schoenhage<{ widest(6343) }, 60, 128>, product ToomCook<Schoolbook<Odd<6343>, 15>, 60, 4, 15>,
        product Karatsuba<Odd<6343>, 60, 2>, product WeimerskirchPaar<Odd<6343>, 60, 6>,
        product Signed<Odd<6343>, 60>, product Schoolbook<Odd<6343>, 60>;
    NtruPrime1013:
        of RowsCyclic<Odd<7177>, 64, 156, 156>,
        product By1024<Odd<7177>, 64>,
        product Schoenhage<{ widest(7177) }, 64, 128>,
        product ToomCook<Karatsuba<Odd<7177>, 16, 2>, 64, 4, 16>,
        product Karatsuba<Odd<7177>, 64, 3>, product WeimerskirchPaar<Odd<7177>, 64, 8>,
        product Signed<Odd<7177>, 64>, product Schoolbook<Odd<7177>, 64>;
    NtruPrime1277:
        of RowsCyclic<Odd<7879>, 80, 156, 234>,
        product By1024<Odd<7879>, 80>,
        product ToomCook<Karatsuba<Odd<7879>, 20, 2>, 80, 4, 20>, product Karatsuba<Odd<7879>, 80, 3>,
        product WeimerskirchPaar<Odd<7879>, 80, 8>, product Signed<Odd<7879>, 80>,
        product Schoolbook<Odd<7879>, 80>;
}

struct OddRings(usize);
impl Visitor for OddRings {
    fn visit<R: EveryRoute>(&mut self) {
        self.0 += (R::Q % 2) as usize;
    }
}

/// Protects: no route and no ring with an odd modulus is missing here.
#[test]
fn all_routes_are_here() {
    let mut odd = OddRings(0);
    ringsmith_routes::visit_all(&mut odd);
    assert_eq!(listed().len(), odd.0);
    for [here, there] in listed() {
        assert_eq!(here, there);
    }
}
