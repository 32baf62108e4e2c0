//! Multiplications and additions modulo `q`, counted by running a kernel on a token that counts.
//!
//! # What counts
//! The count is that of the papers: one multiplication for a product of two numbers modulo `q`, whatever instructions compute it, one
//! addition for a sum or a difference of two. Reductions don't count, nor does scaling by one constant (the `1 / n` of the inverse).
//!
//! # How
//! A vector knows what its lanes are: numbers, from memory or computed; one constant in all lanes; or something in between, as a
//! half of a product or a quotient. Products of numbers count, by [`mul_mont`](I16Lanes::mul_mont) or by both halves; sums of
//! numbers count; what is added or taken off in between belongs to a product or to a reduction. The arithmetic is the scalar backend's,
//! so that the result can be held against the oracle.

use ringsmith_ring::algorithm::incomplete::Incomplete;
use ringsmith_simd::{
    ByteLanes, I16Lanes, I32Lanes, Kernel, Row, Row32, Row64, Scalar, Simd, Step, U64Lanes,
};
use std::cell::Cell;

/// Operations modulo `q`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Products of two numbers.
    pub multiplications: u64,
    /// Sums and differences of two.
    pub additions: u64,
}

thread_local! {
    /// What was counted on this thread.
    static COUNTS: Cell<Counts> = const { Cell::new(Counts { multiplications: 0, additions: 0 }) };
}

/// Lanes of a vector, each of which is an operation.
const LANES: u64 = 16;

fn count(multiplications: u64, additions: u64) {
    COUNTS.set(Counts {
        multiplications: COUNTS.get().multiplications + multiplications,
        additions: COUNTS.get().additions + additions,
    });
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
        count(0, LANES);
    }
    Lanes(lanes, Number)
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
        if a.1 == Number && b.1 == Number {
            count(LANES, 0);
        }
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
        if z.1 == Number {
            count(LANES, 0);
        }
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
        xor64(a: Self::U64, b: Self::U64) -> Self::U64;
        and64(a: Self::U64, b: Self::U64) -> Self::U64;
        or64(a: Self::U64, b: Self::U64) -> Self::U64;
        shift_right64<K: i32>(a: Self::U64) -> Self::U64;
        shift_left64<K: i32>(a: Self::U64) -> Self::U64;
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
}

/// What one product in `Z_Q[x]/(x^n + 1)` takes by the incomplete transform: two transforms, the products of residues, the inverse.
pub fn product<const Q: i64, const ROWS: usize, const DEGREE: usize, const KARATSUBA: bool>(
    a: &[Row; ROWS],
    b: &[Row; ROWS],
    out: &mut [Row; ROWS],
) -> Counts {
    COUNTS.set(Counts { multiplications: 0, additions: 0 });
    Incomplete::<Q, ROWS, DEGREE, false, KARATSUBA>::product_of_planes(Counting, a, b, out);
    COUNTS.get()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringsmith_oracle::Random;
    use ringsmith_ring::algorithm::incomplete::{KARATSUBA, SCHOOLBOOK};

    const Q: i64 = 3329;
    const ROWS: usize = 32;

    /// Planes of a polynomial: coefficient `4 j + k` is number `j` of plane `k`.
    fn planes(coefficients: &[i64]) -> [Row; ROWS] {
        let mut rows = [[0; 16]; ROWS];
        for (i, &c) in coefficients.iter().enumerate() {
            rows.as_flattened_mut()[128 * (i % 4) + i / 4] = c as i16;
        }
        rows
    }

    fn counted<const K: bool>() -> Counts {
        let mut random = Random::new(7);
        let [a, b]: [Vec<i64>; 2] =
            [(); 2].map(|()| (0..512).map(|_| random.within(-Q / 2, Q / 2)).collect());
        let (mut out, mut product) = ([[0; 16]; ROWS], [0; 512]);
        let counts = super::product::<Q, ROWS, 4, K>(&planes(&a), &planes(&b), &mut out);
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                product[(i + j) % 512] += if i + j < 512 { x * y } else { -x * y };
            }
        }
        let product = product.map(|c: i64| (c + Q / 2).rem_euclid(Q) - Q / 2);
        assert_eq!(out, planes(&product));
        counts
    }

    /// Protects: what is counted is the product, and the counts are those of the paper, section 3.2.
    #[test]
    fn as_published() {
        assert_eq!(counted::<SCHOOLBOOK>(), Counts { multiplications: 7808, additions: 12288 });
        assert_eq!(counted::<KARATSUBA>(), Counts { multiplications: 7040, additions: 14592 });
    }
}
