//! The named rings: where schemes live, each with the planner's route. The crate `ringsmith-routes` has the
//! others.
//!
//! To add one, see `docs/add-a-ring.md`.

use crate::algorithm::good_thomas;
use crate::algorithm::incomplete::{HALF_TRINOMIAL, Incomplete, NEGACYCLIC, SCHOOLBOOK};
use crate::algorithm::ntt::Ntt;
use crate::algorithm::ordered::OrderedEntry;
use crate::algorithm::ordered::pairs::PairsEntry;
use crate::algorithm::rader;
use crate::algorithm::rows::{RowTransform, RowsCyclic, cyclic};
use crate::algorithm::schoenhage;
use crate::inverse::divisors::{self, SmallFactors};
use crate::inverse::factors;
use crate::inverse::field::DivisionSteps;
use crate::inverse::field::jump::Jumps;
use crate::inverse::polynomial::Polynomial;
use crate::inverse::{Inverses, Way, ternary};
use crate::multiplier::Entry;
use crate::ring::{Ring, Rows, Shape, Space, Workspace};
use ctutils::Choice;
use ringsmith_simd::Cpu;

/// Rows of scratch memory that serve every route of a ring of `rows` rows.
const fn scratch(rows: usize) -> usize {
    8 * rows + 16
}

/// The greater of two.
const fn widest(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

/// NewHope's ring of degree 1024.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewHope1024;

impl Ring for NewHope1024 {
    const Q: i64 = 12289;
    const N: usize = 1024;
    const SHAPE: Shape = Shape::Negacyclic;
    const NAME: &'static str = "Z_12289[x]/(x^1024+1)";
    const SMALL: i16 = 16;
    type Coeffs = Rows<64>;
    type Scratch = Space<{ scratch(64) }, 256>;
    type Prepared = Space<128, 128>;
    const ROUTES: &'static [Entry<Self>] = &NEW_HOPE_1024;
}

static NEW_HOPE_1024: [Entry<NewHope1024>; 1] = [Entry::of::<RowTransform<12289, 64>>()];

/// NewHope's ring of degree 512.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewHope512;

impl Ring for NewHope512 {
    const Q: i64 = 12289;
    const N: usize = 512;
    const SHAPE: Shape = Shape::Negacyclic;
    const NAME: &'static str = "Z_12289[x]/(x^512+1)";
    const SMALL: i16 = 16;
    type Coeffs = Rows<32>;
    type Scratch = Space<{ scratch(32) }, 128>;
    type Prepared = Space<64, 64>;
    const ROUTES: &'static [Entry<Self>] = &NEW_HOPE_512;
}

static NEW_HOPE_512: [Entry<NewHope512>; 1] = [Entry::of::<RowTransform<12289, 32>>()];

/// The domain of NewHope's transform of degree 1024 in the order of the exponents of 7, from coefficients in
/// the order of their reversed exponents, by the planner's route.
pub static NEW_HOPE_1024_ORDERED: OrderedEntry<64> =
    OrderedEntry::reversed::<NewHope1024, Ntt<12289, 64, 1>, 12289>();

/// The domain of NewHope's transform of degree 512 in the order of the exponents of 10968, likewise.
pub static NEW_HOPE_512_ORDERED: OrderedEntry<32> =
    OrderedEntry::reversed::<NewHope512, Ntt<12289, 32, 1>, 12289>();

/// The domain of Longa and Naehrig's transform of degree 1024, whose root is 1945, in the order that it
/// leaves.
pub static LONGA_NAEHRIG_ORDERED: OrderedEntry<64> =
    OrderedEntry::by_root::<NewHope1024, Ntt<12289, 64, 1>, 12289, 1945>();

/// NewHope's modulus at degree 256, for comparison with ML-KEM's ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewHope256;

impl Ring for NewHope256 {
    const Q: i64 = 12289;
    const N: usize = 256;
    const SHAPE: Shape = Shape::Negacyclic;
    const NAME: &'static str = "Z_12289[x]/(x^256+1)";
    const SMALL: i16 = 16;
    type Coeffs = Rows<16>;
    type Scratch = Space<{ scratch(16) }, 64>;
    type Prepared = Space<32, 32>;
    const ROUTES: &'static [Entry<Self>] = &NEW_HOPE_256;
}

static NEW_HOPE_256: [Entry<NewHope256>; 1] = [Entry::of::<RowTransform<12289, 16>>()];

/// ML-KEM's ring (FIPS 203).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MlKem;

impl Ring for MlKem {
    const Q: i64 = 3329;
    const N: usize = 256;
    const SHAPE: Shape = Shape::Negacyclic;
    const NAME: &'static str = "Z_3329[x]/(x^256+1)";
    const SMALL: i16 = 3;
    type Coeffs = Rows<16>;
    type Scratch = Space<{ scratch(16) }, 0>;
    type Prepared = Space<32, 0>;
    const ROUTES: &'static [Entry<Self>] = &ML_KEM;
}

static ML_KEM: [Entry<MlKem>; 1] = [Entry::of::<RowTransform<3329, 16>>()];

/// The domain of ML-KEM's transform in the order of FIPS 203.
pub static ML_KEM_ORDERED: PairsEntry<16> = PairsEntry::of::<MlKem, 3329>();

/// NewHope-Compact's ring of degree 512: residues of degree 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Compact512;

impl Ring for Compact512 {
    const Q: i64 = 3329;
    const N: usize = 512;
    const SHAPE: Shape = Shape::Negacyclic;
    const NAME: &'static str = "Z_3329[x]/(x^512+1)";
    const SMALL: i16 = 2;
    type Coeffs = Rows<32>;
    type Scratch = Space<{ scratch(32) }, 0>;
    type Prepared = Space<64, 0>;
    const ROUTES: &'static [Entry<Self>] = &COMPACT_512;
}

static COMPACT_512: [Entry<Compact512>; 1] = [Entry::of::<RowTransform<3329, 32>>()];

/// The domain of NewHope-Compact's transform of degree 512, in planes, by the planner's route.
pub static COMPACT_512_ORDERED: OrderedEntry<32> =
    OrderedEntry::planar::<Compact512, 3329, 4, NEGACYCLIC, SCHOOLBOOK>();

/// NewHope-Compact's ring of degree 1024: residues of degree 8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Compact1024;

impl Ring for Compact1024 {
    const Q: i64 = 3329;
    const N: usize = 1024;
    const SHAPE: Shape = Shape::Negacyclic;
    const NAME: &'static str = "Z_3329[x]/(x^1024+1)";
    const SMALL: i16 = 2;
    type Coeffs = Rows<64>;
    type Scratch = Space<{ scratch(64) }, 0>;
    type Prepared = Space<128, 0>;
    const ROUTES: &'static [Entry<Self>] = &COMPACT_1024;
}

static COMPACT_1024: [Entry<Compact1024>; 1] = [Entry::of::<RowTransform<3329, 64>>()];

/// The domain of NewHope-Compact's transform of degree 1024, in planes, by the planner's route.
pub static COMPACT_1024_ORDERED: OrderedEntry<64> =
    OrderedEntry::planar::<Compact1024, 3329, 8, NEGACYCLIC, SCHOOLBOOK>();

/// NewHope-Compact's ring of degree 768.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Compact768;

impl Ring for Compact768 {
    const Q: i64 = 3457;
    const N: usize = 768;
    const SHAPE: Shape = Shape::HalfTrinomial;
    const NAME: &'static str = "Z_3457[x]/(x^768-x^384+1)";
    const SMALL: i16 = 2;
    type Coeffs = Rows<48>;
    type Scratch = Space<{ scratch(48) }, 0>;
    type Prepared = Space<96, 0>;
    const ROUTES: &'static [Entry<Self>] = &COMPACT_768;
}

static COMPACT_768: [Entry<Compact768>; 1] =
    [Entry::transform::<Incomplete<3457, 48, 6, HALF_TRINOMIAL, SCHOOLBOOK>>()];

/// The domain of NewHope-Compact's transform of degree 768, in planes, by the planner's route.
pub static COMPACT_768_ORDERED: OrderedEntry<48> =
    OrderedEntry::planar::<Compact768, 3457, 6, HALF_TRINOMIAL, SCHOOLBOOK>();

/// Rows of an operand.
const fn operand(n: usize) -> usize {
    n.div_ceil(16)
}

/// Rows of a jump of division steps: the wider super-rows are, the more base products cost beside steps.
const fn jump(width: usize) -> usize {
    8 * (width + 1)
}

/// The fields of NTRU Prime: `Z_q[x]/(x^p - x - 1)`. `rows` counts those of the row transform and `windows`
/// its windows of two rows; `degrees` are those of the irreducible `factors` of `x^p - x - 1` modulo 3.
macro_rules! ntru_prime {
    ($(
        $(#[$doc:meta])*
        $ring:ident = $name:literal {
            q: $q:literal, p: $p:literal,
            rows: $rows:literal, windows: $windows:literal,
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
            type Scratch =
                Space<{ widest(widest(good_thomas::scratch($p), schoenhage::scratch(2 * good_thomas::third($p))), cyclic::scratch($rows, $windows)) }, 0>;
            type Prepared = Space<{ cyclic::prepared($windows) }, 0>;
            const ROUTES: &'static [Entry<Self>] = {
                static ROUTES: &[Entry<$ring>] = &[
                    Entry::of::<RowsCyclic<$q, { operand($p) }, $rows, $windows>>(),
                ];
                ROUTES
            };
        }

        impl $ring {
            /// The irreducible factors of the modulus polynomial modulo 3.
            #[doc(hidden)]
            pub const FACTORS_MOD_3: [Polynomial; [$($degree),*].len()] =
                Polynomial::read($p, &[$($degree),*], &factors::$factors);
        }

        impl Inverses for $ring {
            const WAYS: [Way<Self>; 2] = {
                type Steps = DivisionSteps<$q, $p, { operand($p) }>;
                const WIDTH: usize = RowsCyclic::<$q, { operand($p) }, $rows, $windows>::GEOMETRY.width;
                type ByJumps = Jumps<$q, $p, { operand($p) }, $rows, $windows, { jump(WIDTH) }>;
                [
                    |cpu, a, out, scratch| Steps::inverse(cpu, a, out, &mut scratch.parts_mut().0[..Steps::SCRATCH]),
                    |cpu, a, out, _| ByJumps::inverse(cpu, a, out),
                ]
            };
            fn inverse_mod_3_into(cpu: Cpu, a: &Self::Coeffs, out: &mut Self::Coeffs) -> Choice {
                ternary::inverse::<$p, { ternary::vectors($p) }, { operand($p) }>(cpu, a, out)
            }
            const COFACTORS_MOD_3: &'static [Self::Coeffs] = {
                static COFACTORS: [Rows<{ operand($p) }>; divisors::large(&[$($degree),*])] =
                    divisors::cofactors::<$p, { operand($p) }, { divisors::large(&[$($degree),*]) }>(&$ring::FACTORS_MOD_3);
                &COFACTORS
            };
            fn no_small_factor_mod_3(cpu: Cpu, a: &Self::Coeffs) -> Choice {
                static FACTORS: SmallFactors<{ operand($p) }, { divisors::words(&[$($degree),*]) }> =
                    SmallFactors::of::<$p>(&$ring::FACTORS_MOD_3, &[$($degree),*]);
                FACTORS.divide_not(cpu, a)
            }
        }

        const _: () = {
            type Steps = DivisionSteps<$q, $p, { operand($p) }>;
            let () = Steps::PROOF;
            assert!(Steps::SCRATCH <= good_thomas::scratch($p) && rader::SCRATCH <= schoenhage::scratch(64));
        };
    )* };
}

ntru_prime! {
    /// The field of NTRU Prime 653.
    NtruPrime653 = "Z_4621[x]/(x^653-x-1)" {
        q: 4621, p: 653,
        rows: 84, windows: 84,
        degrees: [3, 16, 23, 77, 122, 124, 288], factors: P653,
    }
    /// The field of NTRU Prime 761.
    NtruPrime761 = "Z_4591[x]/(x^761-x-1)" {
        q: 4591, p: 761,
        rows: 90, windows: 90,
        degrees: [19, 60, 682], factors: P761,
    }
    /// The field of NTRU Prime 857.
    NtruPrime857 = "Z_5167[x]/(x^857-x-1)" {
        q: 5167, p: 857,
        rows: 126, windows: 126,
        degrees: [25, 113, 719], factors: P857,
    }
    /// The field of NTRU Prime 953.
    NtruPrime953 = "Z_6343[x]/(x^953-x-1)" {
        q: 6343, p: 953,
        rows: 126, windows: 210,
        degrees: [5, 11, 25, 392, 520], factors: P953,
    }
    /// The field of NTRU Prime 1013.
    NtruPrime1013 = "Z_7177[x]/(x^1013-x-1)" {
        q: 7177, p: 1013,
        rows: 156, windows: 156,
        degrees: [4, 21, 23, 39, 52, 67, 162, 270, 375], factors: P1013,
    }
    /// The field of NTRU Prime 1277.
    NtruPrime1277 = "Z_7879[x]/(x^1277-x-1)" {
        q: 7879, p: 1277,
        rows: 156, windows: 234,
        degrees: [3, 4, 7, 8, 177, 538, 540], factors: P1277,
    }
}

// The compiler proves the bounds of every ring: a lane that could overflow is a build error here.
const _: () = NewHope1024::CHECK;
const _: () = NewHope512::CHECK;
const _: () = NewHope256::CHECK;
const _: () = MlKem::CHECK;
const _: () = Compact512::CHECK;
const _: () = Compact1024::CHECK;
const _: () = Compact768::CHECK;
const _: () = NtruPrime653::CHECK;
const _: () = NtruPrime761::CHECK;
const _: () = NtruPrime857::CHECK;
const _: () = NtruPrime953::CHECK;
const _: () = NtruPrime1013::CHECK;
const _: () = NtruPrime1277::CHECK;
