//! What a transform down to residues is made of, as types: how its first layer splits, and how residues are
//! multiplied.

use crate::algorithm::network::Twiddle;
use crate::algorithm::plan::{self, Split};
use crate::algorithm::residues;
use crate::reduce::barrett;
use crate::ring::Shape;
use crate::route::Route;
use ringsmith_simd::Simd;

/// The polynomial that a transform splits.
pub trait Factors {
    /// Its form.
    const SHAPE: Shape;
    /// Its first layer.
    const SPLIT: Split;
}

/// `x^n + 1`.
pub struct Negacyclic;

impl Factors for Negacyclic {
    const SHAPE: Shape = Shape::Negacyclic;
    const SPLIT: Split = Split::Negacyclic;
}

/// `x^n - x^(n/2) + 1`.
pub struct HalfTrinomial;

impl Factors for HalfTrinomial {
    const SHAPE: Shape = Shape::HalfTrinomial;
    const SPLIT: Split = Split::HalfTrinomial;
}

/// How residues are multiplied.
pub trait BaseProduct {
    /// Whether sums of two coefficients are multiplied.
    const KARATSUBA: bool;
    /// An operand, from a value of the domain.
    fn operand<S: Simd, const Q: i64>(s: S, x: S::I16, code: u8) -> S::I16;
    /// `a b 2^-16` modulo `x^DEGREE - w`, as code inside of its caller's.
    fn inlined<S: Simd, const Q: i64, const DEGREE: usize>(
        s: S,
        a: &[S::I16; DEGREE],
        b: &[S::I16; DEGREE],
        w: &Twiddle,
    ) -> [S::I16; DEGREE];

    /// The same. In plain Rust it is a function of its own where that pays: of one coefficient it takes a
    /// quarter of the time then, of six and eight nine tenths; of two and four, passing the operands costs
    /// more than it gains.
    #[inline(always)]
    fn product<S: Simd, const Q: i64, const DEGREE: usize>(
        s: S,
        a: &[S::I16; DEGREE],
        b: &[S::I16; DEGREE],
        w: &Twiddle,
    ) -> [S::I16; DEGREE] {
        s.begin_products(DEGREE, 16);
        if const { DEGREE == 1 || DEGREE > 4 } {
            s.outlined(
                #[inline(always)]
                || Self::inlined::<S, Q, DEGREE>(s, a, b, w),
            )
        } else {
            Self::inlined::<S, Q, DEGREE>(s, a, b, w)
        }
    }
}

/// The route of a transform down to residues of degree `base`.
pub(in crate::algorithm) const fn route<B: BaseProduct>(base: usize) -> Route {
    if B::KARATSUBA { Route::NttKaratsuba { base } } else { Route::Ntt { base } }
}

/// By every product of two coefficients.
pub struct BySchoolbook;

impl BaseProduct for BySchoolbook {
    const KARATSUBA: bool = false;

    #[inline(always)]
    fn operand<S: Simd, const Q: i64>(s: S, x: S::I16, code: u8) -> S::I16 {
        plan::reduce::<S, Q>(s, code, x)
    }

    #[inline(always)]
    fn inlined<S: Simd, const Q: i64, const DEGREE: usize>(
        s: S,
        a: &[S::I16; DEGREE],
        b: &[S::I16; DEGREE],
        w: &Twiddle,
    ) -> [S::I16; DEGREE] {
        residues::schoolbook::<S, Q, DEGREE>(s, a, b, w)
    }
}

/// By one iteration of Karatsuba, of centred operands.
pub struct ByKaratsuba;

impl BaseProduct for ByKaratsuba {
    const KARATSUBA: bool = true;

    #[inline(always)]
    fn operand<S: Simd, const Q: i64>(s: S, x: S::I16, _: u8) -> S::I16 {
        barrett::exact::<S, Q>(s, x)
    }

    #[inline(always)]
    fn inlined<S: Simd, const Q: i64, const DEGREE: usize>(
        s: S,
        a: &[S::I16; DEGREE],
        b: &[S::I16; DEGREE],
        w: &Twiddle,
    ) -> [S::I16; DEGREE] {
        residues::karatsuba::<S, Q, DEGREE>(s, a, b, w)
    }
}

/// Where a domain has its residues.
pub(in crate::algorithm) trait Arrangement {
    /// Whether they are in their order.
    const ORDERED: bool;
}

/// Where the layers leave them.
pub(in crate::algorithm) struct InSlots;

impl Arrangement for InSlots {
    const ORDERED: bool = false;
}

/// In their order.
pub(in crate::algorithm) struct InOrder;

impl Arrangement for InOrder {
    const ORDERED: bool = true;
}
