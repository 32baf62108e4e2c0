//! Plans with one reduction left out: a proof is one only if it can fail.

use ringsmith_ring::algorithm::incomplete::{BySchoolbook, HalfTrinomial, Incomplete, Negacyclic};
use ringsmith_ring::algorithm::ntt::Ntt;
use ringsmith_ring::algorithm::rader::Rader;
use ringsmith_ring::algorithm::rows::{RowTransform, RowsCyclic};
use ringsmith_ring::residues::Odd;

/// Protects: the plans of these transforms hold, and without any one of their reductions a lane overflows.
macro_rules! every_reduction_is_needed {
    ($($test:ident: $($transform:ty),*;)*) => { $(
        #[test]
        fn $test() {
            $(
                let plans = <$transform>::PLANS;
                let (name, counts) = (stringify!($transform), plans.counts());
                assert!(<$transform>::holds(&plans), "{name}");
                assert!(counts.iter().all(|count| *count > 0), "{name} has no reductions");
                for i in 0..counts[0].max(counts[1]) {
                    assert!(!<$transform>::holds(&plans.without(i)), "{name}: reduction {i} is needless");
                }
            )*
        }
    )* };
}

every_reduction_is_needed! {
    ntt:
        Ntt<12289, 64, 1>, Ntt<12289, 32, 1>, Ntt<12289, 16, 1>, Ntt<3329, 16, 2>, Ntt<7681, 32, 2>,
        Ntt<10753, 32, 2>, Ntt<15361, 64, 2>;
    incomplete:
        Incomplete<3329, 32, 4, Negacyclic, BySchoolbook>,
        Incomplete<3329, 64, 8, Negacyclic, BySchoolbook>,
        Incomplete<3457, 48, 6, HalfTrinomial, BySchoolbook>,
        Incomplete<769, 64, 8, Negacyclic, BySchoolbook>;
    rows:
        RowTransform<12289, 64>, RowTransform<12289, 32>, RowTransform<12289, 16>, RowTransform<3329, 16>,
        RowTransform<3329, 32>, RowTransform<3329, 64>;
    rows_cyclic:
        RowsCyclic<Odd<4621>, 41, 84, 84>, RowsCyclic<Odd<9829>, 47, 84, 84>,
        RowsCyclic<Odd<4591>, 48, 90, 90>,
        RowsCyclic<Odd<5167>, 54, 126, 126>, RowsCyclic<Odd<6343>, 60, 126, 210>,
        RowsCyclic<Odd<7177>, 64, 156, 156>, RowsCyclic<Odd<7879>, 80, 156, 234>;
    rader:
        Rader<4591, 48>;
}
