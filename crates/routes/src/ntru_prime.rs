//! The routes of the fields of NTRU Prime, and their inverses in another way.

use crate::EveryRoute;
use ctutils::Choice;
use ringsmith_ntru_prime::rings::{
    NtruPrime653, NtruPrime761, NtruPrime857, NtruPrime953, NtruPrime1013, NtruPrime1277,
};
use ringsmith_ntruencrypt::rings::NtruPrime739;
use ringsmith_ring::algorithm::good_thomas::{By512, By1024};
use ringsmith_ring::algorithm::karatsuba::{Karatsuba, WeimerskirchPaar};
use ringsmith_ring::algorithm::rader::Rader;
use ringsmith_ring::algorithm::rns::{Cut, Rns};
use ringsmith_ring::algorithm::rows::RowsCyclic;
use ringsmith_ring::algorithm::schoenhage::Schoenhage;
use ringsmith_ring::algorithm::schoolbook::Schoolbook;
use ringsmith_ring::algorithm::signed::Signed;
use ringsmith_ring::algorithm::toom_cook::ToomCook;
use ringsmith_ring::algorithm::with_zeroes::WithZeroes;
use ringsmith_ring::inverse::Inverses;
use ringsmith_ring::inverse::field::DivisionSteps;
use ringsmith_ring::residues::{Odd, widest};
use ringsmith_ring::{Entry, Space, Workspace};
use ringsmith_simd::Cpu;

/// A field whose inverses are there step by step too, as the paper gives them.
pub trait BySteps: Inverses {
    /// `1 / a` modulo `q`, and whether it exists; where it does not, what is in its place is of no meaning.
    /// Constant time.
    fn inverse_by_steps(cpu: Cpu, a: &Self::Coeffs, out: &mut Self::Coeffs) -> Choice;
}

/// How a whole product of degree 761 is cut, and the transform across rows modulo a prime for it.
const CUT: Cut = Cut::of(48);
type By<const P: i64> = RowsCyclic<Odd<P>, 48, { CUT.rows }, { CUT.windows() }>;

/// The product of degree 761 by three of these.
pub type ByPrimes761 =
    Rns<Odd<4591>, By<{ CUT.prime(4591, 0) }>, By<{ CUT.prime(4591, 1) }>, By<{ CUT.prime(4591, 2) }>>;

/// The routes of a field, modulo `q` with operands of so many rows: Good and Thomas' over these primes first,
/// signed additions and the schoolbook last.
macro_rules! routes {
    ($(
        $ring:ident: $q:literal, $p:literal, $rows:literal, $primes:ident, [$($entry:ident $other:ty),*];
    )*) => { $(
        impl EveryRoute for $ring {
            const OTHERS: &'static [Entry<Self>] = {
                static ROUTES: [Entry<$ring>; 3 + [$(stringify!($entry)),*].len()] = [
                    Entry::product::<$primes<Odd<$q>, $rows>>(),
                    $(Entry::$entry::<$other>(),)*
                    Entry::product::<Signed<Odd<$q>, $rows>>(),
                    Entry::product::<Schoolbook<Odd<$q>, $rows>>(),
                ];
                &ROUTES
            };
        }

        impl BySteps for $ring {
            fn inverse_by_steps(cpu: Cpu, a: &Self::Coeffs, out: &mut Self::Coeffs) -> Choice {
                type Steps = DivisionSteps<$q, $p, $rows>;
                let mut scratch = Space::<{ Steps::SCRATCH }, 0>::new();
                Steps::inverse(cpu, a, out, scratch.parts_mut().0)
            }
        }
    )* };
}

routes! {
    NtruPrime653: 4621, 653, 41, By512, [
        product Schoenhage<{ widest(4621) }, 41, 64>,
        product ToomCook<Schoolbook<Odd<4621>, 11>, 41, 4, 11>
    ];
    NtruPrime739: 9829, 739, 47, By512, [
        product ToomCook<Karatsuba<Odd<9829>, 12, 2>, 47, 4, 12>,
        product WithZeroes<Karatsuba<Odd<9829>, 48, 3>, 47, 48>
    ];
    NtruPrime761: 4591, 761, 48, By512, [
        product ByPrimes761,
        of Rader<4591, 48>,
        product Schoenhage<{ widest(4591) }, 48, 64>,
        product ToomCook<Karatsuba<Odd<4591>, 12, 2>, 48, 4, 12>,
        product Karatsuba<Odd<4591>, 48, 3>,
        product WeimerskirchPaar<Odd<4591>, 48, 6>
    ];
    NtruPrime857: 5167, 857, 54, By1024, [
        product Schoenhage<{ widest(5167) }, 54, 128>,
        product ToomCook<Karatsuba<Odd<5167>, 14, 1>, 54, 4, 14>,
        product Karatsuba<Odd<5167>, 54, 1>,
        product WithZeroes<Karatsuba<Odd<5167>, 56, 3>, 54, 56>,
        product WeimerskirchPaar<Odd<5167>, 54, 6>
    ];
    NtruPrime953: 6343, 953, 60, By1024, [
        product Schoenhage<{ widest(6343) }, 60, 128>,
        product ToomCook<Schoolbook<Odd<6343>, 15>, 60, 4, 15>,
        product Karatsuba<Odd<6343>, 60, 2>,
        product WeimerskirchPaar<Odd<6343>, 60, 6>
    ];
    NtruPrime1013: 7177, 1013, 64, By1024, [
        product Schoenhage<{ widest(7177) }, 64, 128>,
        product ToomCook<Karatsuba<Odd<7177>, 16, 2>, 64, 4, 16>,
        product Karatsuba<Odd<7177>, 64, 3>,
        product WeimerskirchPaar<Odd<7177>, 64, 8>
    ];
    NtruPrime1277: 7879, 1277, 80, By1024, [
        product ToomCook<Karatsuba<Odd<7879>, 20, 2>, 80, 4, 20>,
        product Karatsuba<Odd<7879>, 80, 3>,
        product WeimerskirchPaar<Odd<7879>, 80, 8>
    ];
}
