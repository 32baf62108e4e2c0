//! The field `Z_9829[x]/(x^739 - x - 1)`, of NTRU Prime's form.
//!
//! # The map
//! Products are by the row transform of 84 points: 84 divides `q - 1 = 2^2 3^3 7 13`, and holds 1344 of a
//! product's 1477 coefficients. The others wrap, and are computed directly. 91 rows would hold more, but are
//! odd, and 126 hold all for more than they save. Inverses are by division steps, in jumps.
//!
//! Source: papers and measurements in `docs/decisions/0053-encryption-over-a-field.md`.

use super::Inverse;
use ctutils::Choice;
use ringsmith_cyclic::element::{Element, Work};
use ringsmith_ring::algorithm::rows::{RowsCyclic, cyclic};
use ringsmith_ring::inverse::Inverses;
use ringsmith_ring::inverse::field::jump::Jumps;
use ringsmith_ring::residues::Odd;
use ringsmith_ring::{Entry, Ring, Routes, Rows, Shape, Space};
use ringsmith_simd::Cpu;

/// The modulus.
const Q: i64 = 9829;
/// The degree.
const N: usize = 739;
/// Rows of an operand.
const OPERAND: usize = N.div_ceil(16);
/// Rows of the transform, each a super-row with its windows.
const ROWS: usize = 84;
/// Rows of a jump of division steps.
const JUMP: usize = 16;

type By = RowsCyclic<Odd<Q>, OPERAND, ROWS, ROWS>;

/// The field of ntruprime739-x998.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NtruPrime739;

impl Ring for NtruPrime739 {
    const Q: i64 = Q;
    const N: usize = N;
    const SHAPE: Shape = Shape::PrimeTrinomial;
    const NAME: &'static str = "Z_9829[x]/(x^739-x-1)";
    const SMALL: i16 = 1;
    type Coeffs = Rows<OPERAND>;
    // No other route takes more: where one is listed, the compiler sees to it.
    type Scratch = Space<{ cyclic::scratch(ROWS, ROWS) }, 0>;
    type Prepared = Space<{ cyclic::prepared(ROWS) }, 0>;
}

impl Routes for NtruPrime739 {
    const PLANNED: &'static [Entry<Self>] = {
        static ROUTES: [Entry<NtruPrime739>; 1] = [Entry::of::<By>()];
        &ROUTES
    };
}

// The compiler proves the bounds of the field: a lane that could overflow is a build error here.
const _: () = NtruPrime739::CHECK;

impl Inverses for NtruPrime739 {
    fn inverse_into(cpu: Cpu, a: &Self::Coeffs, out: &mut Self::Coeffs) -> Choice {
        Jumps::<Q, N, JUMP>::inverse(cpu, By::BY, a, out)
    }
}

impl Inverse for NtruPrime739 {
    fn inverse_into(work: &mut Work<Self>, a: &Element<Self>, out: &mut Element<Self>) -> Choice {
        <Self as Inverses>::inverse_into(work.cpu(), a.0.coeffs(), out.0.coeffs_mut())
    }
}
