//! Values of the K-RED transforms as words, for domains that are sent ([`CompleteTransform`]).
//!
//! # The map
//! Slot (row `8 T + c`, lane `l`) of the domain is place `64 T + 8 l + c`, which in the order of
//! [`Ntt`](crate::algorithm::ntt) is (row `16 t + 8 (l mod 2) + c`, lane `4 (T mod 4) + floor(l / 2)`),
//! `t = floor(T / 4)`: four rows of 8 become two of 16 by narrowing and four zips.
//!
//! # Factors
//! K-RED multiplies by `k`. Before values become words they are reduced until a constant can follow that
//! takes all these factors off. A product of two words has `k^2`, from two K-REDs; on the way back a constant
//! makes of it what the plan counts on.

use super::passes::k_red_times;
use super::{Inverse, KRedTransform, Reductions};
use crate::algorithm::choice::Sign;
use crate::algorithm::ordered::values::CompleteTransform;
use crate::bound::Bound;
use crate::memory::{Rows, Rows32};
use crate::multiply::Transform;
use crate::number::{centred, inverse, power};
use crate::reduce::barrett;
use crate::reduce::k_red::KRed;
use crate::ring::Ring;
use crate::route::Route;
use core::marker::PhantomData;
use ringsmith_simd::{Cpu, Kernel, Row, Row32, Simd, each};
use zeroize::Zeroizing;

/// K-REDs, a product by a constant, K-REDs.
#[derive(Clone, Copy)]
struct Change {
    before: u32,
    constant: i64,
    after: u32,
    /// Where the results lie.
    out: Bound,
}

impl Change {
    /// Of values in `a` with a factor `k^from`, to `k^to`, until they lie within `target`.
    const fn new<const Q: i64>(mut a: Bound, from: u32, to: u32, target: Bound) -> Change {
        let (form, mut before, mut after) = (KRed::<Q>::FORM, 0, 0);
        while !a.mul(Bound::centred(Q)).fits(32) {
            a = form.bound(a);
            before += 1;
            assert!(before < 4, "overflow: a product by a constant");
        }
        let mut out = a.mul(Bound::centred(Q)).mirrored();
        while !out.within(target) {
            out = form.bound(out);
            after += 1;
            assert!(after < 4, "overflow: a value as a word");
        }
        let off = power(inverse(form.k, Q), (from + before + after) as u64, Q);
        Change { before, constant: centred(off * power(form.k, to as u64, Q), Q), after, out }
    }

    #[inline(always)]
    fn apply<S: Simd, const Q: i64>(self, s: S, a: S::I32) -> S::I32 {
        let scaled = s.mul_lo32(k_red_times::<S, Q>(s, a, self.before), s.splat32(self.constant as i32));
        k_red_times::<S, Q>(s, scaled, self.after)
    }
}

/// K-REDs of a product of two words.
const PRODUCT: u32 = 2;

impl<const Q: i64, const ROWS: usize, const WIDE: usize, P: Reductions> KRedTransform<Q, ROWS, WIDE, P> {
    /// Where values of the domain lie.
    const DOMAIN: Bound = match Self::PLAN.forward_bound(&Self::PROBLEM) {
        Some(bound) => bound,
        None => panic!("overflow: a lane of the K-RED transform"),
    };
    /// Words that the exact reduction centres.
    const WORD: Bound = Bound::symmetric(barrett::exact_limit(Q) - 1);
    /// From the domain to words.
    const TO_WORDS: Change = Change::new::<Q>(Self::DOMAIN, Self::PLAN.forward_exponent(), 0, Self::WORD);
    /// Where a product of words lies.
    const WORD_PRODUCTS: Bound = {
        let (form, operand) = (KRed::<Q>::FORM, Bound::symmetric(Q - 1));
        form.bound(form.bound(operand.mul(operand).mirrored()))
    };
    /// From products of words to what enters the inverse.
    const FROM_WORDS: Change = {
        let exponent = Self::PLAN.entering_exponent();
        Change::new::<Q>(Self::WORD_PRODUCTS, PRODUCT, exponent, Self::entering())
    };
    /// From sums of two values that enter the inverse to such a value.
    const SUM: Change = {
        let (a, exponent) = (Self::entering(), Self::PLAN.entering_exponent());
        let sum = a.add(a).join(a.sub(a));
        assert!(sum.fits(32), "overflow: a sum in the domain");
        Change::new::<Q>(sum, exponent, exponent, a)
    };

    /// What the inverse was planned for.
    const fn entering() -> Bound {
        match Self::PLAN.entering_bound(&Self::PROBLEM) {
            Some(bound) => bound,
            None => panic!("overflow: a product in the domain"),
        }
    }
}

impl<R: Ring<Coeffs = Rows<ROWS>>, const Q: i64, const ROWS: usize, const WIDE: usize, P: Reductions>
    CompleteTransform<R, ROWS> for KRedTransform<Q, ROWS, WIDE, P>
{
    const ROUTE: Route = Route::KRed(P::PLACEMENT);
    const VALUES: Bound = Self::TO_WORDS.out;
    const PRODUCTS: Bound = Self::WORD_PRODUCTS;
    const FACTOR: i64 = power(KRed::<Q>::FORM.k, PRODUCT as u64, Q);
    const PROOF: () = {
        let () = Self::PROOF;
        assert!(ROWS.is_multiple_of(16));
        assert!(Self::WORD_PRODUCTS.fits(16), "overflow: a product as a word");
        let (to, from) = (Self::TO_WORDS, Self::FROM_WORDS);
        assert!(to.out.within(Self::WORD) && from.out.within(Self::entering()));
    };

    fn forward(cpu: Cpu, a: &Rows<ROWS>, values: &mut [Row; ROWS]) {
        let mut domain = Zeroizing::new(Rows32([[0; 8]; WIDE]));
        <Self as Transform<R>>::forward(cpu, a, &mut domain.0);
        cpu.run(ToWords::<Q, ROWS, WIDE, P> { domain: &domain.0, values, reductions: PhantomData });
    }

    fn inverse(cpu: Cpu, values: &mut [Row; ROWS], out: &mut Rows<ROWS>) {
        let mut domain = Zeroizing::new(Rows32([[0; 8]; WIDE]));
        cpu.run(FromWords::<Q, ROWS, WIDE, P> { values, domain: &mut domain.0, reductions: PhantomData });
        cpu.run(Inverse::<Q, ROWS, WIDE, P> {
            domain: &mut domain.0,
            out: &mut out.0,
            reductions: PhantomData,
        });
    }

    #[inline(always)]
    fn multiply<S: Simd>(s: S, a: S::I16, b: S::I16) -> S::I16 {
        let (a, b) = (s.widen(a), s.widen(b));
        let low = k_red_times::<S, Q>(s, s.mul_lo32(a.0, b.0), PRODUCT);
        s.narrow(low, k_red_times::<S, Q>(s, s.mul_lo32(a.1, b.1), PRODUCT))
    }
}

/// The rows of a tile of 16: its rows 8 of all four tiles of 8, and the two rows of 16.
const fn rows_of(t: usize, c: usize) -> ([usize; 4], [usize; 2]) {
    let first = 32 * t + c;
    ([first, first + 8, first + 16, first + 24], [16 * t + c, 16 * t + 8 + c])
}

/// The domain as words.
struct ToWords<'a, const Q: i64, const ROWS: usize, const WIDE: usize, P> {
    domain: &'a [Row32; WIDE],
    values: &'a mut [Row; ROWS],
    reductions: PhantomData<P>,
}

impl<const Q: i64, const ROWS: usize, const WIDE: usize, P: Reductions> Kernel
    for ToWords<'_, Q, ROWS, WIDE, P>
{
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let change = const { KRedTransform::<Q, ROWS, WIDE, P>::TO_WORDS };
        let mut i = 0;
        while i < ROWS / 2 {
            let (wide, narrow) = rows_of(i / 8, i % 8);
            let x: [_; 4] = each(
                #[inline(always)]
                |j| change.apply::<S, Q>(s, s.load32(&self.domain[wide[j]])),
            );
            let x = s.zip::<8>(s.narrow(x[0], x[1]), s.narrow(x[2], x[3]));
            let x = s.zip::<1>(x.0, x.1);
            let x = s.zip::<1>(x.0, x.1);
            let x = s.zip::<1>(x.0, x.1);
            s.store(&mut self.values[narrow[0]], x.0);
            s.store(&mut self.values[narrow[1]], x.1);
            i += 1;
        }
    }
}

/// Products of words as what the inverse takes.
struct FromWords<'a, const Q: i64, const ROWS: usize, const WIDE: usize, P> {
    values: &'a [Row; ROWS],
    domain: &'a mut [Row32; WIDE],
    reductions: PhantomData<P>,
}

impl<const Q: i64, const ROWS: usize, const WIDE: usize, P: Reductions> Kernel
    for FromWords<'_, Q, ROWS, WIDE, P>
{
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let change = const { KRedTransform::<Q, ROWS, WIDE, P>::FROM_WORDS };
        let mut i = 0;
        while i < ROWS / 2 {
            let (wide, narrow) = rows_of(i / 8, i % 8);
            let x = s.zip::<1>(s.load(&self.values[narrow[0]]), s.load(&self.values[narrow[1]]));
            let x = s.zip::<8>(x.0, x.1);
            let (a, b) = (s.widen(x.0), s.widen(x.1));
            let (x, mut j) = ([a.0, a.1, b.0, b.1], 0);
            while j < 4 {
                s.store32(&mut self.domain[wide[j]], change.apply::<S, Q>(s, x[j]));
                j += 1;
            }
            i += 1;
        }
    }
}

/// `a = a + b` or `a = a - b`, of what enters the inverse, and as it enters.
pub(super) struct Sum<'a, const Q: i64, const ROWS: usize, const WIDE: usize, P, G> {
    pub(super) a: &'a mut [Row32; WIDE],
    pub(super) b: &'a [Row32; WIDE],
    pub(super) of: PhantomData<(P, G)>,
}

impl<const Q: i64, const ROWS: usize, const WIDE: usize, P: Reductions, G: Sign> Kernel
    for Sum<'_, Q, ROWS, WIDE, P, G>
{
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let change = const { KRedTransform::<Q, ROWS, WIDE, P>::SUM };
        let mut r = 0;
        while r < WIDE {
            let sum = G::sum32(s, s.load32(&self.a[r]), s.load32(&self.b[r]));
            s.store32(&mut self.a[r], change.apply::<S, Q>(s, sum));
            r += 1;
        }
    }
}
