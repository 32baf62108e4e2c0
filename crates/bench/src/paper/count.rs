//! Multiplications, additions and small products, counted by running a product on a token that counts.
//!
//! # What counts
//! The count is that of the papers: one multiplication for a product of two numbers modulo `q`, whatever instructions compute it, one
//! addition for a sum or a difference of two. Reductions don't count. Multiplications by constants are counted apart: those by a table's,
//! as twiddles are, and those by one constant in all lanes, most of which scale or take a factor off.
//!
//! # How
//! A vector knows what its lanes are: numbers, from memory or computed; one constant in all lanes; or something in between, as a
//! half of a product or a quotient. Products of numbers count, by [`mul_mont`](I16Lanes::mul_mont), by both halves or by pairs; sums of
//! numbers count; what is added or taken off in between belongs to a product or to a reduction. The arithmetic is the scalar backend's,
//! so that the result can be held against the oracle.
//!
//! Small products, of polynomials of few coefficients, are what algorithms say when they begin them
//! ([`begin_products`](Simd::begin_products)).

use ringsmith_ring::{Coefficients, Multiply, Ring, Workspace};
use ringsmith_simd::{
    ByteLanes, I16Lanes, I32Lanes, Kernel, Row, Row32, Row64, Scalar, Simd, Step, U64Lanes,
};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// What a product takes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Products of two numbers, neither of which is a constant.
    pub multiplications: u64,
    /// Products by a number of a table.
    pub by_tables: u64,
    /// Products by a constant that is the same in all lanes.
    pub by_constants: u64,
    /// Sums and differences of two.
    pub additions: u64,
    /// By a number of coefficients: how many products of polynomials of so many.
    pub small_products: BTreeMap<usize, u64>,
}

thread_local! {
    /// What was counted on this thread.
    static COUNTS: RefCell<Counts> = RefCell::default();
}

/// Lanes of a vector, each of which is an operation.
const LANES: u64 = 16;

/// Adds to what was counted.
fn count(add: impl FnOnce(&mut Counts)) {
    COUNTS.with_borrow_mut(add);
}

/// The token.
#[derive(Clone, Copy)]
struct Counting;

/// What lanes are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Constant,
    Between,
}
use Kind::{Between, Constant, Number};

type Words = <Scalar as I16Lanes>::I16;

/// Lanes, and what they are.
#[derive(Clone, Copy)]
struct Lanes(Words, Kind);

/// A sum or a difference.
fn sum(a: Lanes, b: Lanes, lanes: Words) -> Lanes {
    if a.1 == Number && b.1 == Number {
        count(|counts| counts.additions += LANES);
    }
    Lanes(lanes, Number)
}

/// A product of two vectors counts where both are numbers.
fn product_of(a: Lanes, b: Lanes) {
    if a.1 == Number && b.1 == Number {
        count(|counts| counts.multiplications += LANES);
    }
}

/// The high or the low half of a product.
fn half(lanes: Words) -> Lanes {
    Lanes(lanes, Between)
}

impl I16Lanes for Counting {
    type I16 = Lanes;
    type Acc = <Scalar as I16Lanes>::Acc;
    type Pairs = <Scalar as I16Lanes>::Pairs;
    // The reductions of one product each.
    const HAS_ROUNDED_PRODUCT: bool = true;
    const STEP: Step = Step::Barrett;
    const SIDE_BY_SIDE: bool = Scalar::SIDE_BY_SIDE;

    fn splat(self, x: i16) -> Lanes {
        Lanes(Scalar.splat(x), Constant)
    }
    fn load(self, row: &Row) -> Lanes {
        Lanes(Scalar.load(row), Number)
    }
    fn store(self, row: &mut Row, v: Lanes) {
        Scalar.store(row, v.0);
    }
    fn add(self, a: Lanes, b: Lanes) -> Lanes {
        sum(a, b, Scalar.add(a.0, b.0))
    }
    fn sub(self, a: Lanes, b: Lanes) -> Lanes {
        sum(a, b, Scalar.sub(a.0, b.0))
    }
    fn and(self, a: Lanes, b: Lanes) -> Lanes {
        half(Scalar.and(a.0, b.0))
    }
    fn xor(self, a: Lanes, b: Lanes) -> Lanes {
        half(Scalar.xor(a.0, b.0))
    }
    fn gt(self, a: Lanes, b: Lanes) -> Lanes {
        half(Scalar.gt(a.0, b.0))
    }
    fn mul_lo(self, a: Lanes, b: Lanes) -> Lanes {
        half(Scalar.mul_lo(a.0, b.0))
    }
    fn mul_hi(self, a: Lanes, b: Lanes) -> Lanes {
        product_of(a, b);
        half(Scalar.mul_hi(a.0, b.0))
    }
    fn mul_hi_rounded(self, a: Lanes, b: Lanes) -> Lanes {
        half(Scalar.mul_hi_rounded(a.0, b.0))
    }
    fn round_shift<const K: i32>(self, a: Lanes) -> Lanes {
        half(Scalar.round_shift::<K>(a.0))
    }
    fn shift_right<const K: i32>(self, a: Lanes) -> Lanes {
        half(Scalar.shift_right::<K>(a.0))
    }
    fn apply_sign(self, a: Lanes, s: Lanes) -> Lanes {
        half(Scalar.apply_sign(a.0, s.0))
    }
    fn mul_mont(self, a: Lanes, z: Lanes, zq: Lanes, q: Lanes) -> Lanes {
        count(|counts| {
            // A number's second factor is computed, a table's is read beside the first.
            let kind = match (z.1, zq.1) {
                (Number, Between) => &mut counts.multiplications,
                (Number, _) => &mut counts.by_tables,
                _ => &mut counts.by_constants,
            };
            *kind += LANES;
        });
        Lanes(Scalar.mul_mont(a.0, z.0, zq.0, q.0), Number)
    }
    fn mul_mont_n<const K: usize>(
        self,
        a: [Lanes; K],
        z: [Lanes; K],
        zq: [Lanes; K],
        q: Lanes,
    ) -> [Lanes; K] {
        std::array::from_fn(|i| self.mul_mont(a[i], z[i], zq[i], q))
    }
    fn zip<const B: usize>(self, a: Lanes, b: Lanes) -> (Lanes, Lanes) {
        let (x, y) = Scalar.zip::<B>(a.0, b.0);
        (Lanes(x, a.1), Lanes(y, a.1))
    }
    fn swap_pairs(self, a: Lanes) -> Lanes {
        Lanes(Scalar.swap_pairs(a.0), a.1)
    }
    fn acc_zero(self) -> Self::Acc {
        Scalar.acc_zero()
    }
    fn madd_pairs(self, c: Self::Acc, a: Lanes, b: Lanes) -> Self::Acc {
        product_of(a, b);
        Scalar.madd_pairs(c, a.0, b.0)
    }
    fn even_odd(self, e: Self::Acc, o: Self::Acc) -> (Lanes, Lanes) {
        let (low, high) = Scalar.even_odd(e, o);
        (half(low), half(high))
    }
    fn splat_pair(self, p: &[i16; 2]) -> Lanes {
        Lanes(Scalar.splat_pair(p), Constant)
    }
    fn pairs(self, row: &Row) -> Self::Pairs {
        Scalar.pairs(row)
    }
    fn pair<const K: usize>(self, row: &Row, prepared: Self::Pairs) -> Lanes {
        Lanes(Scalar.pair::<K>(row, prepared), Number)
    }
}

/// Methods of the scalar backend, as they are.
macro_rules! as_they_are {
    ($($name:ident $(<$($constant:ident: $type:ty),+>)? ($($argument:ident: $of:ty),*) $(-> $out:ty)?;)*) => { $(
        fn $name $(<$(const $constant: $type),+>)? (self, $($argument: $of),*) $(-> $out)? {
            Scalar.$name $(::<$($constant),+>)? ($($argument),*)
        }
    )* };
}

impl I32Lanes for Counting {
    type I32 = <Scalar as I32Lanes>::I32;

    as_they_are! {
        splat32(x: i32) -> Self::I32;
        load32(row: &Row32) -> Self::I32;
        store32(row: &mut Row32, v: Self::I32);
        add32(a: Self::I32, b: Self::I32) -> Self::I32;
        sub32(a: Self::I32, b: Self::I32) -> Self::I32;
        and32(a: Self::I32, b: Self::I32) -> Self::I32;
        xor32(a: Self::I32, b: Self::I32) -> Self::I32;
        min_max32(a: Self::I32, b: Self::I32) -> (Self::I32, Self::I32);
        shift_right32<K: i32>(a: Self::I32) -> Self::I32;
        mul_lo32(a: Self::I32, b: Self::I32) -> Self::I32;
        mul_word32(a: Self::I32, b: Self::I32) -> Self::I32;
        mul_split32<K: i32>(a: Self::I32, b: Self::I32) -> (Self::I32, Self::I32);
        zip32<B: usize>(a: Self::I32, b: Self::I32) -> (Self::I32, Self::I32);
    }
    fn madd32(self, a: Lanes, b: Lanes) -> Self::I32 {
        Scalar.madd32(a.0, b.0)
    }
    fn words(self, a: Self::I32) -> Lanes {
        half(Scalar.words(a))
    }
    fn double_words(self, a: Lanes) -> Self::I32 {
        Scalar.double_words(a.0)
    }
    fn widen(self, a: Lanes) -> (Self::I32, Self::I32) {
        Scalar.widen(a.0)
    }
    fn narrow(self, low: Self::I32, high: Self::I32) -> Lanes {
        half(Scalar.narrow(low, high))
    }
}

impl U64Lanes for Counting {
    type U64 = <Scalar as U64Lanes>::U64;

    as_they_are! {
        splat64(x: u64) -> Self::U64;
        load64(row: &Row64) -> Self::U64;
        store64(row: &mut Row64, v: Self::U64);
        add64(a: Self::U64, b: Self::U64) -> Self::U64;
        xor64(a: Self::U64, b: Self::U64) -> Self::U64;
        and64(a: Self::U64, b: Self::U64) -> Self::U64;
        or64(a: Self::U64, b: Self::U64) -> Self::U64;
        shift_right64<K: i32>(a: Self::U64) -> Self::U64;
        shift_left64<K: i32>(a: Self::U64) -> Self::U64;
        across64(a: Self::U64, b: Self::U64) -> Self::U64;
        rotate_lanes64<K: usize>(a: Self::U64) -> Self::U64;
        and_not64(a: Self::U64, b: Self::U64) -> Self::U64;
        rotate_left64<LEFT: i32, RIGHT: i32>(a: Self::U64) -> Self::U64;
    }
}

impl ByteLanes for Counting {}

impl Simd for Counting {
    const NAME: &'static str = "counting";

    fn vectorize<K: Kernel>(self, kernel: K) -> K::Out {
        kernel.run(self)
    }

    fn begin_products(self, size: usize, number: usize) {
        count(|counts| *counts.small_products.entry(size).or_default() += number as u64);
    }
}

/// A product by an algorithm, and what it takes.
pub fn product<R: Ring, M: Multiply<R>>(a: &R::Coeffs, b: &R::Coeffs) -> (R::Coeffs, Counts) {
    let () = M::CHECK;
    let (mut out, mut scratch) = (R::Coeffs::zero(), R::Scratch::new());
    COUNTS.take();
    M::multiply(Counting, a, b, &mut out, &mut scratch);
    (out, COUNTS.take())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use ringsmith_oracle::{self as oracle, Random};
    use ringsmith_ring::algorithm::incomplete::{Incomplete, KARATSUBA, SCHOOLBOOK};
    use ringsmith_ring::multiplier::ByTransform;
    use ringsmith_ring::rings::Compact512;
    use ringsmith_ring::{Poly, Shape};

    /// What a product of random operands takes, which is the oracle's.
    pub(in crate::paper) fn counted<R: Ring, M: Multiply<R>>() -> Counts {
        let mut random = Random::new(7);
        let [a, b]: [Vec<i64>; 2] =
            [(); 2].map(|()| (0..R::N).map(|_| random.within(-(R::Q / 2), (R::Q - 1) / 2)).collect());
        let rows = |x: &[i64]| *Poly::<R>::new(x).unwrap().rows();
        let (out, counts) = super::product::<R, M>(&rows(&a), &rows(&b));
        let shape = match R::SHAPE {
            Shape::Cyclic => oracle::Shape::Cyclic,
            Shape::Negacyclic => oracle::Shape::Negacyclic,
            Shape::HalfTrinomial => oracle::Shape::HalfTrinomial,
            Shape::PrimeTrinomial => oracle::Shape::PrimeTrinomial,
        };
        let ring = oracle::Ring { q: R::Q.into(), n: R::N, shape };
        let wide = |x: &[i64]| x.iter().map(|&x| x.into()).collect::<Vec<_>>();
        let expected: Vec<i64> = oracle::product(ring, &wide(&a), &wide(&b))
            .into_iter()
            .map(|x| oracle::centred(x, R::Q.into()) as i64)
            .collect();
        assert_eq!(out.rows(), rows(&expected).rows());
        counts
    }

    /// Protects: what is counted is the product, and the counts are those of the paper, section 3.2.
    #[test]
    fn as_published() {
        fn counts<const K: bool>() -> [u64; 2] {
            type Transform<const K: bool> = ByTransform<Incomplete<3329, 32, 4, false, K>>;
            let counts = counted::<Compact512, Transform<K>>();
            assert_eq!(counts.small_products, [(4, 128)].into());
            [counts.multiplications + counts.by_tables, counts.additions]
        }
        assert_eq!(counts::<SCHOOLBOOK>(), [7808, 12288]);
        assert_eq!(counts::<KARATSUBA>(), [7040, 14592]);
    }
}
