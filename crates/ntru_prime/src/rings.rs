//! The fields of NTRU Prime, each with the planner's route, and with inverses.
//!
//! The crate `ringsmith-routes` has other routes. To add a ring, see `docs/add-a-ring.md`.

use crate::factors;
use ctutils::Choice;
use ringsmith_ring::algorithm::rns::Cut;
use ringsmith_ring::algorithm::rows::{RowsCyclic, cyclic};
use ringsmith_ring::algorithm::{good_thomas, rader, schoenhage};
use ringsmith_ring::inverse::divisors::{self, SmallFactors};
use ringsmith_ring::inverse::field::jump::Jumps;
use ringsmith_ring::inverse::polynomial::Polynomial;
use ringsmith_ring::inverse::{Inverses, InversesMod3, ternary};
use ringsmith_ring::residues::Odd;
use ringsmith_ring::{Entry, Ring, Routes, Rows, Shape, Space};
use ringsmith_simd::Cpu;

/// The greater of two.
const fn widest(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

/// Rows of an operand.
const fn operand(n: usize) -> usize {
    n.div_ceil(16)
}

/// Rows of a jump of division steps: the wider super-rows are, the more base products cost beside steps.
const fn jump(width: usize) -> usize {
    8 * (width + 1)
}

/// The fields of NTRU Prime: `Z_q[x]/(x^p - x - 1)`. `rows` counts those of the row transform and `windows`
/// its windows of two rows; a further route takes `more` rows of memory; `degrees` are those of the
/// irreducible `factors` of `x^p - x - 1` modulo 3.
macro_rules! ntru_prime {
    ($(
        $(#[$doc:meta])*
        $ring:ident = $name:literal {
            q: $q:literal, p: $p:literal,
            rows: $rows:literal, windows: $windows:literal, more: $more:expr,
            degrees: [$($degree:literal),*], factors: $factors:ident,
        }
    )*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $ring;

        impl Ring for $ring {
            const Q: i64 = $q;
            const N: usize = $p;
            const SHAPE: Shape = Shape::PrimeTrinomial;
            const NAME: &'static str = $name;
            const SMALL: i16 = 1;
            type Coeffs = Rows<{ operand($p) }>;
            type Scratch = Space<{
                let by_primes = widest(good_thomas::scratch($p), $more);
                let by_polynomials = schoenhage::scratch(2 * good_thomas::third($p));
                widest(widest(by_primes, by_polynomials), cyclic::scratch($rows, $windows))
            }, 0>;
            type Prepared = Space<{ cyclic::prepared($windows) }, 0>;
        }

        impl Routes for $ring {
            const PLANNED: &'static [Entry<Self>] = {
                static ROUTES: [Entry<$ring>; 1] =
                    [Entry::of::<RowsCyclic<Odd<$q>, { operand($p) }, $rows, $windows>>()];
                &ROUTES
            };
        }

        impl $ring {
            /// The irreducible factors of the modulus polynomial modulo 3.
            #[doc(hidden)]
            pub const FACTORS_MOD_3: [Polynomial; [$($degree),*].len()] =
                Polynomial::read($p, &[$($degree),*], &factors::$factors);
        }

        impl Inverses for $ring {
            fn inverse_into(cpu: Cpu, a: &Self::Coeffs, out: &mut Self::Coeffs) -> Choice {
                type By = RowsCyclic<Odd<$q>, { operand($p) }, $rows, $windows>;
                Jumps::<$q, $p, { jump(By::GEOMETRY.width) }>::inverse(cpu, By::BY, a, out)
            }
        }

        impl InversesMod3 for $ring {
            fn inverse_mod_3_into(cpu: Cpu, a: &Self::Coeffs, out: &mut Self::Coeffs) -> Choice {
                type Modulus = ternary::PrimeTrinomial<$p>;
                ternary::inverse::<Modulus, { ternary::vectors($p) }, { operand($p) }>(cpu, a, out)
            }
            const COFACTORS_MOD_3: &'static [Self::Coeffs] = {
                static COFACTORS: [Rows<{ operand($p) }>; divisors::large(&[$($degree),*])] =
                    divisors::cofactors::<$p, { operand($p) }, { divisors::large(&[$($degree),*]) }>(
                        &$ring::FACTORS_MOD_3,
                    );
                &COFACTORS
            };
            fn no_small_factor_mod_3(cpu: Cpu, a: &Self::Coeffs) -> Choice {
                static FACTORS: SmallFactors<{ operand($p) }, { divisors::words(&[$($degree),*]) }> =
                    SmallFactors::of::<$p>(&$ring::FACTORS_MOD_3, &[$($degree),*]);
                FACTORS.divide_not(cpu, a)
            }
        }

        const _: () = {
            assert!(rader::SCRATCH <= schoenhage::scratch(64));
        };
    )* };
}

ntru_prime! {
    /// The field of NTRU Prime 653.
    NtruPrime653 = "Z_4621[x]/(x^653-x-1)" {
        q: 4621, p: 653,
        rows: 84, windows: 84, more: 0,
        degrees: [3, 16, 23, 77, 122, 124, 288], factors: P653,
    }
    /// The field of NTRU Prime 761.
    NtruPrime761 = "Z_4591[x]/(x^761-x-1)" {
        q: 4591, p: 761,
        rows: 90, windows: 90, more: Cut::of(48).scratch(48),
        degrees: [19, 60, 682], factors: P761,
    }
    /// The field of NTRU Prime 857.
    NtruPrime857 = "Z_5167[x]/(x^857-x-1)" {
        q: 5167, p: 857,
        rows: 126, windows: 126, more: 0,
        degrees: [25, 113, 719], factors: P857,
    }
    /// The field of NTRU Prime 953.
    NtruPrime953 = "Z_6343[x]/(x^953-x-1)" {
        q: 6343, p: 953,
        rows: 126, windows: 210, more: 0,
        degrees: [5, 11, 25, 392, 520], factors: P953,
    }
    /// The field of NTRU Prime 1013.
    NtruPrime1013 = "Z_7177[x]/(x^1013-x-1)" {
        q: 7177, p: 1013,
        rows: 156, windows: 156, more: 0,
        degrees: [4, 21, 23, 39, 52, 67, 162, 270, 375], factors: P1013,
    }
    /// The field of NTRU Prime 1277.
    NtruPrime1277 = "Z_7879[x]/(x^1277-x-1)" {
        q: 7879, p: 1277,
        rows: 156, windows: 234, more: 0,
        degrees: [3, 4, 7, 8, 177, 538, 540], factors: P1277,
    }
}

// The compiler proves the bounds of every ring: a lane that could overflow is a build error here.
const _: () = NtruPrime653::CHECK;
const _: () = NtruPrime761::CHECK;
const _: () = NtruPrime857::CHECK;
const _: () = NtruPrime953::CHECK;
const _: () = NtruPrime1013::CHECK;
const _: () = NtruPrime1277::CHECK;
