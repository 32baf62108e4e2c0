//! The transform in 32-bit lanes with K-RED, the reduction of Longa and Naehrig.
//!
//! # The map
//! The complete negacyclic transform, forward by Cooley-Tukey, inverse by Gentleman-Sande, as in their
//! Algorithms 1 to 4. A butterfly's product is reduced by K-RED (`reduce::k_red`), which multiplies
//! by `k`; the tables are scaled by `k^-1`. Sums grow; where the plan says so they are reduced once more.
//!
//! * `k-red-paper`: the paper's own placement, m = 128 forward and m = 32 inverse, layer by layer, with
//!   64-bit products. Proved safe.
//! * `k-red`: the placement that the compile-time analysis finds for 32-bit products, which is what vector
//!   units do best, with most layers merged in pairs.
//!
//! # The domain
//! A factor `k^s` with `s` = `Plan32::forward_exponent`. Rows hold 8
//! coefficients; the last three layers run on 8 x 8 tiles transposed in registers, so slot (row `8 t + c`,
//! lane `l`) holds what the standard in-place transform leaves at place `8 (8 t + l) + c`.
//!
//! # Bounds and conditions
//! In: centred; out: centred. `q = k 2^m +- 1` prime with `m >= 8`, roots of unity of order `2 n`, `n` = 256,
//! 512, 1024.
//!
//! # Deviations
//! Twiddles are centred, the root of unity is NewHope's rather than 1945, and results are centred by two
//! K-REDs and a 16-bit reduction instead of conditional subtractions. None changes a product.
//!
//! # Source
//! P. Longa, M. Naehrig: Speeding up the Number Theoretic Transform for Faster Ideal Lattice-Based
//! Cryptography, CANS 2016, section 3, Algorithms 3 and 4.
//!
//! ```
//! use ringsmith_ring::{Placement, Poly, Route};
//! use ringsmith_routes::{multiplier, rings::NewHope1024};
//! use ringsmith_simd::Cpu;
//!
//! let a = Poly::<NewHope1024>::new(&[1i16; 1024]).unwrap();
//! let k_red = multiplier(Cpu::detect(), Route::KRed(Placement::Paper))?;
//! let c = k_red.multiply(&a, &a, &mut k_red.scratch());
//! assert_eq!(c.centred()[1023], 1024); // 1024 ways to make x^1023
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

mod butterfly;
mod passes;
#[cfg(not(ringsmith_internals))]
#[allow(unreachable_pub, reason = "tests see it")]
mod plan;
#[cfg(ringsmith_internals)]
pub mod plan;
mod values;

use self::passes::{Forward, Inverse, Pointwise};
use self::plan::{Plan32, Problem32};
use self::values::Sum;
use super::choice::Sign;
use super::network::Aligned;
use super::tree;
use crate::bound::{Bound, hold};
use crate::memory::Rows;
use crate::multiply::Transform;
use crate::number::{inverse, power, transform_root};
use crate::reduce::k_red::{KRed, k_red_form};
use crate::reduce::montgomery::Factor;
use crate::reduce::residues::Modulus;
use crate::ring::{Ring, Shape};
use crate::route::{Placement, Route};
use crate::why_not::WhyNot;
use core::marker::PhantomData;
use ringsmith_simd::{Row32, Run};

/// A twiddle in every lane, and the same times its parent's.
type Twiddle = [Row32; 2];

/// The modulus of Longa and Naehrig's case study.
const PAPER_MODULUS: i64 = 12289;

/// The conditions: those of a complete transform, the form of the modulus, and the paper's own modulus where
/// the placement is.
pub(crate) const fn serves(q: i64, n: usize, shape: Shape, placement: Placement) -> Result<(), WhyNot> {
    if let Err(why) = tree::serves(q, n, shape, 1) {
        return Err(why);
    }
    match placement {
        _ if k_red_form(q).is_none() => Err(WhyNot::KRedForm),
        Placement::Paper if q != PAPER_MODULUS => Err(WhyNot::PaperModulus { q: PAPER_MODULUS }),
        _ => Ok(()),
    }
}

/// Where a transform reduces, as a type.
pub trait Reductions {
    /// Where that is.
    const PLACEMENT: Placement;
    /// Whether that is where the paper does.
    const BY_PAPER: bool = matches!(Self::PLACEMENT, Placement::Paper);
}

/// [`Placement::Analysis`].
pub struct ByAnalysis;

impl Reductions for ByAnalysis {
    const PLACEMENT: Placement = Placement::Analysis;
}

/// [`Placement::Paper`].
pub struct ByPaper;

impl Reductions for ByPaper {
    const PLACEMENT: Placement = Placement::Paper;
}

/// The K-RED transform modulo `Q` of `16 ROWS = 8 WIDE` coefficients with the reductions `P`.
pub struct KRedTransform<const Q: i64, const ROWS: usize, const WIDE: usize, P> {
    reductions: PhantomData<P>,
}

impl<const Q: i64, const ROWS: usize, const WIDE: usize, P: Reductions> KRedTransform<Q, ROWS, WIDE, P> {
    const PROBLEM: Problem32 = {
        let (layers, width) = (WIDE.trailing_zeros() as usize + 3, if P::BY_PAPER { 64 } else { 32 });
        Problem32::new(Q, layers, transform_root(16 * WIDE as u64, Q), width, P::PLACEMENT)
    };
    /// The plan that the kernels read and the proof replays.
    pub const PLAN: Plan32 = Plan32::of(&Self::PROBLEM);
    /// Whether no lane overflows with this plan.
    pub const fn holds(plan: &Plan32) -> bool {
        plan.holds(&Self::PROBLEM)
    }

    /// Where values lie after so many forward layers; `None` between the two layers of a pair.
    pub const fn forward_bound_after(layers: usize) -> Option<Bound> {
        Self::PLAN.forward_bound_after(&Self::PROBLEM, layers)
    }

    /// Proves at compile time that no lane overflows.
    pub const PROOF: () = {
        assert!(WIDE == 2 * ROWS && (WIDE == 32 || WIDE == 64 || WIDE == 128));
        assert!(Self::holds(&Self::PLAN), "overflow: a lane of the K-RED transform");
        assert!(Modulus::Odd(Q).finish_is_centred(), "the results of the last product are not centred");
    };
    /// The constants of the last step; the paper's leave the tail's powers of `k` to a last product, ours
    /// take them off as well.
    const LAST: [i64; 6] =
        Self::PROBLEM.last(Self::PLAN.exponent() + if P::BY_PAPER { 0 } else { Self::PLAN.tail });
    const UNTAIL: Factor = Factor::new(power(inverse(KRed::<Q>::FORM.k, Q), Self::PLAN.tail as u64, Q), Q);
    const FORWARD: Aligned<[Twiddle; WIDE]> = Aligned(Self::rows(false));
    const INVERSE: Aligned<[Twiddle; WIDE]> = Aligned(Self::rows(true));
    const FORWARD_LANES: Aligned<[Twiddle; WIDE]> = Aligned(Self::lanes(false));
    const INVERSE_LANES: Aligned<[Twiddle; WIDE]> = Aligned(Self::lanes(true));

    /// Twiddles of the layers across rows in heap order, the same in every lane.
    const fn rows(inverted: bool) -> [Twiddle; WIDE] {
        let (mut table, mut i) = ([[[0; 8]; 2]; WIDE], 1);
        while i < WIDE {
            let (own, crossed) = (Self::PROBLEM.twiddle(i, inverted), Self::PROBLEM.crossed(i, inverted));
            table[i] = [[own as i32; 8], [crossed as i32; 8]];
            i += 1;
        }
        table
    }

    /// Twiddles of the last three layers: tile `t`, node `j` of its seven at `8 t + j`, one problem per lane.
    const fn lanes(inverted: bool) -> [Twiddle; WIDE] {
        let (mut table, mut i) = ([[[0; 8]; 2]; WIDE], 0);
        while i < WIDE {
            let (tile, node, mut lane) = (i / 8, i % 8, 0);
            while lane < 8 && node > 0 {
                let layer = node.ilog2();
                let problem = WIDE + 8 * tile + lane;
                let node = (problem << layer) + node - (1 << layer);
                table[i][0][lane] = Self::PROBLEM.twiddle(node, inverted) as i32;
                table[i][1][lane] = Self::PROBLEM.crossed(node, inverted) as i32;
                lane += 1;
            }
            i += 1;
        }
        table
    }
}

impl<R, const Q: i64, const ROWS: usize, const WIDE: usize, P: Reductions> Transform<R>
    for KRedTransform<Q, ROWS, WIDE, P>
where
    R: Ring<Coeffs = Rows<ROWS>>,
{
    const ROUTE: Route = Route::KRed(P::PLACEMENT);
    const CHECK: () = {
        assert!(R::Q == Q && R::N == 8 * WIDE && serves(R::Q, R::N, R::SHAPE, P::PLACEMENT).is_ok());
        let () = Self::PROOF;
    };
    type Domain = [Row32; WIDE];

    fn forward(cpu: impl Run, a: &Rows<ROWS>, out: &mut [Row32; WIDE]) {
        cpu.run(Forward::<Q, ROWS, WIDE, P> { input: &a.0, out, reductions: PhantomData });
        debug_assert!(
            Self::PLAN.forward_bound(&Self::PROBLEM).is_some_and(|bound| hold(out.as_flattened(), bound)),
            "a lane left the bound of the forward transform"
        );
    }

    fn pointwise(cpu: impl Run, a: &mut [Row32; WIDE], b: &[Row32; WIDE]) {
        cpu.run(Pointwise::<Q, ROWS, WIDE, P> { a, b, reductions: PhantomData });
    }

    fn sum<G: Sign>(cpu: impl Run, a: &mut [Row32; WIDE], b: &[Row32; WIDE]) {
        cpu.run(Sum::<Q, ROWS, WIDE, P, G> { a, b, of: PhantomData });
    }

    fn inverse(cpu: impl Run, domain: &mut [Row32; WIDE], out: &mut Rows<ROWS>) {
        cpu.run(Inverse::<Q, ROWS, WIDE, P> { domain, out: &mut out.0, reductions: PhantomData });
    }
}
