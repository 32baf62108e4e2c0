//! Products over the integers, computed from products modulo auxiliary primes: for any modulus and any `f`.
//!
//! # The map
//! A [`Convolution`] multiplies polynomials modulo a prime, without a reduction by any `f`. The product of
//! two polynomials with integer coefficients is known from those modulo primes `p_1, p_2, ...` by the Chinese
//! remainder theorem, where `p_1 p_2 ...` is more than twice the largest coefficient it can have.
//!
//! The digits `x_1`, `u_2 = (x_2 - x_1) / p_1 mod p_2`, `u_3 = ((x_3 - x_1) / p_1 - u_2) / p_2 mod p_3`,
//! centred, are those of the integer `x_1 + p_1 u_2 + p_1 p_2 u_3`. That is taken modulo `q`, and the product
//! modulo `f` (see [`convolution`]).
//!
//! # Which primes
//! An operand is centred, or small ([`Small`](crate::Small)). The exact bound of a coefficient of the
//! product, `n (q / 2) s` where `|b| <= s`, chooses how many primes there must be: of three, two often serve
//! where `b` is small. Over the row transform, primes are the least above `q` that have the roots of unity
//! ([`Cut::prime`]).
//!
//! # Conditions
//! Any `f`; an odd modulus or a power of two, such that three primes hold the product; operands within what
//! each convolution takes.
//!
//! # Bounds
//! In: centred; out: centred. The convolutions prove their own, the rest is in the `CHECK` of [`Rns`].
//!
//! # Source
//! The Chinese remainder theorem with digits: H. L. Garner, 1959. Two primes for NTRU Prime: D. J. Bernstein,
//! B. B. Brumley, M.-S. Chen, N. Tuveri: OpenSSLNTRU, USENIX Security 2022 (eprint 2021/826).
//!
//! ```
//! use ringsmith_ring::{Inner, Poly, Route, Small};
//! use ringsmith_routes::{multiplier, rings::NtruHps509};
//! use ringsmith_simd::Cpu;
//!
//! let a = Poly::<NtruHps509>::new(&[1023i16; 509]).unwrap();
//! let b = Small::new(&[-1i16; 509]).unwrap();
//! let rns = multiplier(Cpu::detect(), Route::Rns { primes: 3, inner: Inner::Rows })?;
//! let (mut c, mut scratch) = (Poly::zero(), rns.scratch());
//! rns.multiply_small_into(&a, &b, &mut c, &mut scratch);
//! // Each coefficient is -509 * 1023, which is -515 modulo 2048.
//! assert_eq!(c.centred(), [-515; 509]);
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

use super::choice::{Any, Finish, Operand, Shrink};
use super::codelet::POINTS;
use super::codelet::dft;
use super::convolution::{self, Convolution, fold, greater};
use super::rows::cyclic::{self, MAX_ROWS, convolution_scratch};
use crate::bound::Bound;
use crate::memory::Rows;
use crate::multiply::Product;
use crate::number::{inverse, is_prime};
use crate::reduce::barrett;
use crate::reduce::montgomery::{Factor, bound_any};
use crate::reduce::residues::{Modulus, OddResidues, Residues};
use crate::ring::Ring;
use crate::route::{Inner, Route};
use crate::why_not::WhyNot;
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Row, Run, Simd};

/// `x_1` and `x_2` to `x_1 + p_1 u_2` in the arithmetic `by`, in the place of `x_1`.
struct TwoPrimes<'a, M, P1, P2> {
    by: M,
    x: &'a mut [Row],
    y: &'a [Row],
    primes: PhantomData<(P1, P2)>,
}

/// `u_2`.
#[inline(always)]
fn second_digit<S: Simd, P1: OddResidues, P2: OddResidues>(s: S, x: S::I16, y: S::I16) -> S::I16 {
    let factor = const { Factor::new(inverse(P1::Q, P2::Q), P2::Q) };
    P2::BY.shrink(s, P2::BY.scale(s, s.sub(y, x), factor))
}

impl<M: Residues, P1: OddResidues, P2: OddResidues> Kernel for TwoPrimes<'_, M, P1, P2> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let weights = const { [M::MODULUS.lazy(1), M::MODULUS.lazy(P1::Q)] };
        for (x, y) in self.x.iter_mut().zip(self.y) {
            let first = s.load(x);
            let second = second_digit::<S, P1, P2>(s, first, s.load(y));
            let sum = s.add(self.by.scale(s, first, weights[0]), self.by.scale(s, second, weights[1]));
            s.store(x, self.by.shrink(s, sum));
        }
    }
}

/// `x_1`, `x_2` and `x_3` to `x_1 + p_1 u_2 + p_1 p_2 u_3`, likewise.
struct ThreePrimes<'a, M, P1, P2, P3> {
    by: M,
    x: &'a mut [Row],
    y: &'a [Row],
    z: &'a [Row],
    primes: PhantomData<(P1, P2, P3)>,
}

/// `u_3`, of `u_2`, `x_1` and `x_3`.
#[inline(always)]
fn third_digit<S: Simd, P1: OddResidues, P2: OddResidues, P3: OddResidues>(
    s: S,
    second: S::I16,
    x: S::I16,
    z: S::I16,
) -> S::I16 {
    let by = const {
        [Factor::new(inverse(P1::Q % P3::Q, P3::Q), P3::Q), Factor::new(inverse(P2::Q % P3::Q, P3::Q), P3::Q)]
    };
    let rest = P3::BY.scale(s, s.sub(z, x), by[0]);
    P3::BY.shrink(s, P3::BY.scale(s, s.sub(rest, second), by[1]))
}

impl<M: Residues, P1: OddResidues, P2: OddResidues, P3: OddResidues> Kernel
    for ThreePrimes<'_, M, P1, P2, P3>
{
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let weights = const { [M::MODULUS.lazy(1), M::MODULUS.lazy(P1::Q), M::MODULUS.lazy(P1::Q * P2::Q)] };
        for ((x, y), z) in self.x.iter_mut().zip(self.y).zip(self.z) {
            let first = s.load(x);
            let second = second_digit::<S, P1, P2>(s, first, s.load(y));
            let third = third_digit::<S, P1, P2, P3>(s, second, first, s.load(z));
            let low = s.add(self.by.scale(s, first, weights[0]), self.by.scale(s, second, weights[1]));
            s.store(x, self.by.shrink(s, s.add(low, self.by.scale(s, third, weights[2]))));
        }
    }
}

/// How many primes hold the product of `n` centred coefficients modulo `q` by `n` of which none is more than
/// `most`; one more than there are where they don't.
pub(crate) const fn how_many(primes: [i64; 3], q: i64, n: usize, most: i64) -> usize {
    let (twice, mut product, mut count) = (2 * n as i64 * (q / 2) * most, 1, 0);
    while product <= twice {
        if count == primes.len() {
            return count + 1;
        }
        product *= primes[count];
        count += 1;
    }
    count
}

/// Whether values are in a word, and their exact reduction modulo `p` centres them.
pub(super) const fn centres(x: Bound, p: i64) -> bool {
    x.fits(16) && x.magnitude() <= barrett::exact_limit(p)
}

/// Whether a digit of `p` is computed from the digits of the primes `before` it, in any order: of each the
/// difference with what is left, which the first time is centred and later a product by a constant, times a
/// constant.
const fn digit_holds(p: i64, before: &[i64]) -> bool {
    let (mut rest, mut i) = (Bound::centred(p).mirrored(), 0);
    while i < before.len() {
        let difference = rest.add(Bound::centred(before[i]).mirrored());
        if !difference.fits(16) {
            return false;
        }
        rest = bound_any(difference, p);
        i += 1;
    }
    centres(rest, p)
}

/// The conditions of digits modulo three primes and of their sum: the primes hold the product of polynomials
/// of `n` coefficients modulo `q`, and lanes hold the digits.
pub(super) const fn digits_serve(q: i64, n: usize, primes: [i64; 3]) -> Result<(), WhyNot> {
    let [p1, p2, p3] = primes;
    let sum = match convolution::folds(q) {
        Ok(Modulus::Odd(q)) => bound_any(Bound::centred(p1), q)
            .add(bound_any(Bound::centred(p2), q))
            .add(bound_any(Bound::centred(p3), q)),
        Ok(Modulus::Wrapping) => Bound::symmetric(0),
        Err(_) => return Err(WhyNot::Auxiliary),
    };
    let distinct = p1 != p2 && p1 != p3 && p2 != p3;
    let held = how_many(primes, q, n, q / 2) <= primes.len();
    match distinct && held && digit_holds(p2, &[p1]) && digit_holds(p3, &[p1, p2]) && sum.fits(16) {
        true => Ok(()),
        false => Err(WhyNot::Auxiliary),
    }
}

/// The product of operands of `OPERAND` rows of residues `M`, by three convolutions.
pub struct Rns<M, C1, C2, C3> {
    parameters: PhantomData<(M, C1, C2, C3)>,
}

/// Panic message for too little memory; it cannot occur, because making an [`Entry`](crate::Entry) proves
/// that the memory is large enough.
const ROOM: &str = "memory for three products";

impl<R, M, C1, C2, C3, const OPERAND: usize> Product<R> for Rns<M, C1, C2, C3>
where
    R: Ring<Coeffs = Rows<OPERAND>>,
    M: Residues,
    C1: Convolution<OPERAND, Residues: OddResidues, Last = Shrink>,
    C2: Convolution<OPERAND, Residues: OddResidues, Last = Shrink>,
    C3: Convolution<OPERAND, Residues: OddResidues, Last = Shrink>,
{
    const ROUTE: Route = match Inner::of(C1::ROUTE) {
        Some(inner) => Route::Rns { primes: 3, inner },
        None => panic!("no algorithm inside another"),
    };
    const CHECK: () = {
        let (primes, operand) = ([C1::Residues::Q, C2::Residues::Q, C3::Residues::Q], Bound::centred(R::Q));
        let ((), (), ()) = (C1::PROOF, C2::PROOF, C3::PROOF);
        assert!(M::MODULUS.serves(R::Q) && R::N.div_ceil(16) == OPERAND);
        assert!(operand.within(C1::INPUT) && operand.within(C2::INPUT) && operand.within(C3::INPUT));
        let length = 2 * R::N - 1;
        assert!(
            length <= C1::LENGTH && length <= C2::LENGTH && length <= C3::LENGTH,
            "a product is too long"
        );
        assert!(
            digits_serve(R::Q, R::N, primes).is_ok(),
            "overflow: the product, a digit, or a sum of digits"
        );
    };
    const SCRATCH: usize =
        C1::OUT + C2::OUT + C3::OUT + greater(C1::SCRATCH, greater(C2::SCRATCH, C3::SCRATCH));

    fn product<B: Operand>(cpu: impl Run, a: &[Row], b: &[Row], out: &mut [Row], scratch: &mut [Row]) {
        let operands = [a, b].map(|rows| rows.first_chunk().expect(ROOM));
        let (x, rest) = scratch.split_at_mut(C1::OUT);
        let (y, rest) = rest.split_at_mut(C2::OUT);
        let by = M::modulo(R::Q);
        let two = const {
            let primes = [C1::Residues::Q, C2::Residues::Q, C3::Residues::Q];
            how_many(primes, R::Q, R::N, B::BOUND.magnitude()) <= 2
        };
        C1::product::<Any<R>>(cpu, operands, x, rest);
        C2::product::<Any<R>>(cpu, operands, y, rest);
        let (x, y) = (&mut x[..2 * OPERAND], &y[..2 * OPERAND]);
        if two {
            cpu.run(TwoPrimes::<_, C1::Residues, C2::Residues> { by, x, y, primes: PhantomData });
        } else {
            let (z, rest) = rest.split_at_mut(C3::OUT);
            C3::product::<Any<R>>(cpu, operands, z, rest);
            let z = &z[..2 * OPERAND];
            let primes = PhantomData::<(C1::Residues, C2::Residues, C3::Residues)>;
            cpu.run(ThreePrimes { by, x, y, z, primes });
        }
        fold::<R, _, Finish, OPERAND>(cpu, by, x, out);
    }
}

/// How the row transform divides a whole product of operands of so many rows.
#[derive(Clone, Copy)]
pub struct Cut {
    /// Rows of the transform.
    pub rows: usize,
    /// Rows of a super-row.
    pub width: usize,
    /// The order of the roots of unity that a prime must have.
    order: i64,
}

impl Cut {
    /// The smallest number of rows in which no coefficient wraps and for which there is a codelet.
    pub const fn of(operand: usize) -> Cut {
        let mut rows = 2 * operand;
        while rows <= MAX_ROWS {
            let mut width = 1;
            while width <= 3 {
                if rows.is_multiple_of(2 * width) && splits(rows / width) {
                    // 13 points take roots of order 3.
                    let order = rows / width * if (rows / width).is_multiple_of(13) { 3 } else { 1 };
                    return Cut { rows, width, order: order as i64 };
                }
                width += 1;
            }
            rows += 2;
        }
        panic!("no transform holds the product")
    }

    /// Windows of two rows.
    pub const fn windows(self) -> usize {
        self.rows / self.width * (2 * self.width - 1)
    }

    /// The `i`-th prime above `q` for it.
    pub const fn prime(self, q: i64, mut i: usize) -> i64 {
        let mut p = q / self.order * self.order + 1;
        loop {
            p += self.order;
            if is_prime(p) {
                if i == 0 {
                    return p;
                }
                i -= 1;
            }
        }
    }

    /// Rows of memory that a product of operands of so many rows over three primes takes.
    pub const fn scratch(self, operand: usize) -> usize {
        6 * operand + convolution_scratch(self.rows, self.windows())
    }
}

/// Whether so many points are two coprime numbers of points for which there are codelets, modulo primes with
/// roots of order 3.
const fn splits(points: usize) -> bool {
    /// A prime that is 1 modulo 3.
    const ANY: i64 = 7;
    let mut a = 2;
    while a < POINTS {
        let b = points / a;
        if points.is_multiple_of(a)
            && b > 1
            && b < POINTS
            && dft::coprime(a, b)
            && dft::exists(a, ANY)
            && dft::exists(b, ANY)
        {
            return true;
        }
        a += 1;
    }
    false
}

/// The conditions of products over primes by the row transform.
pub(crate) const fn serves(q: i64, n: usize) -> Result<(), WhyNot> {
    let operand = n.div_ceil(16);
    if 4 * operand > MAX_ROWS || Modulus::of(q).is_none() {
        return Err(WhyNot::Auxiliary);
    }
    let cut = Cut::of(operand);
    let primes = [cut.prime(q, 0), cut.prime(q, 1), cut.prime(q, 2)];
    let mut i = 0;
    while i < primes.len() {
        if !cyclic::convolves(primes[i], operand, cut.rows, cut.windows()) {
            return Err(WhyNot::Auxiliary);
        }
        i += 1;
    }
    digits_serve(q, n, primes)
}
