//! The transform in 32-bit lanes, and products of challenges, on the token.

use ringsmith_oracle::Random;
use ringsmith_ring::algorithm::small::Sizes;
use ringsmith_ring::algorithm::small::sparse::{Doubled8, Places, Sparse8};
use ringsmith_ring::algorithm::words::{Order, Products, Standard, TERMS, Tiled, Values, WordNtt};
use ringsmith_ring::{Rows, Rows32};
use ringsmith_simd::Run;
use ringsmith_watch::{LikeAvx2, LikeNeon, Machine, Plain, Watching};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// ML-DSA's ring.
const Q: i64 = 8380417;
type Ntt = WordNtt<Q, 32>;

/// Rows of words of `next`.
fn rows(mut next: impl FnMut() -> i64) -> Rows32<32> {
    let mut rows = Rows32([[0; 8]; 32]);
    rows.0.as_flattened_mut().fill_with(|| next() as i32);
    rows
}

/// Forward, a sum of as many products as there may be, and back.
fn there_and_back<O: Order>(cpu: impl Run, a: &Rows32<32>) -> Rows32<32> {
    let (mut values, mut products, mut out) = (Values::<Q, 32, O>::ZERO, Products::ZERO, *a);
    Ntt::forward(cpu, a, &mut values);
    Ntt::accumulate(cpu, [&values; TERMS], [&values; TERMS], &mut products);
    Ntt::inverse_centred(cpu, &mut products.clone(), &mut out);
    Ntt::inverse(cpu, &mut products, &mut out);
    out
}

/// Extreme coefficients of random signs, and others, in both orders.
fn extremes<M: Machine>() {
    let mut random = Random::new(1);
    for round in 0..20 {
        let a = rows(|| match round {
            0 => Q,
            1 => -Q,
            _ if round < 15 => [-Q, Q][random.within(0, 1) as usize],
            _ => random.within(-Q, Q),
        });
        let standard = there_and_back::<Standard>(Watching::<M>::new(), &a);
        assert_eq!(there_and_back::<Tiled>(Watching::<M>::new(), &a), standard);
    }
}

/// The inverse of values that are all the same.
fn inverse_of<M: Machine>(value: i64) -> bool {
    // No product is such a value: so it comes in by a sum of eight, of values and of a number that is none.
    let mut values = Values::<Q, 32>::ZERO;
    *values.rows_mut() = rows(|| value).0;
    let run = || {
        let (mut products, mut out) = (Products::ZERO, rows(|| 0));
        let cpu = Watching::<M>::new();
        Ntt::accumulate(cpu, [&values; TERMS], [&values; TERMS], &mut products);
        Ntt::inverse(cpu, &mut products, &mut out);
    };
    catch_unwind(AssertUnwindSafe(run)).is_ok()
}

/// Protects: no lane overflows, on any kind of CPU.
#[test]
fn words() {
    extremes::<Plain>();
    extremes::<LikeAvx2>();
    extremes::<LikeNeon>();
}

/// Protects: the token finds lanes that overflow: of values far beyond those of the transform, and not of
/// those that it has.
#[test]
fn larger_than_values() {
    let greatest = Ntt::VALUES.magnitude();
    assert!(inverse_of::<LikeAvx2>(greatest) && inverse_of::<LikeNeon>(greatest));
    assert!(!inverse_of::<LikeAvx2>(4 * greatest) && !inverse_of::<LikeNeon>(4 * greatest));
}

/// Sums of bytes that are as great as can be, of one sign and of both.
fn challenges<C: Sizes>() {
    let mut s = Doubled8::ZERO;
    s.fill(&Rows([[C::SIZE as i16; 16]; 16]));
    for alternate in [false, true] {
        let mut c = [0; 256];
        for (i, x) in c.iter_mut().take(C::WEIGHT as usize).enumerate() {
            *x = if alternate && i % 2 == 1 { -1 } else { 1 };
        }
        let mut out = Rows([[0; 16]; 16]);
        Sparse8::<C>::multiply(Watching::<LikeAvx2>::new(), &Places::new(&c).unwrap(), &s, &mut out);
        assert_eq!(i64::from(out.0[15][15]), C::SIZE * c.iter().map(|x| i64::from(*x)).sum::<i64>());
    }
}

/// Protects: no byte overflows, where a challenge is taken in parts and where it is not.
#[test]
fn sparse_sums() {
    /// The sizes of ML-DSA.
    macro_rules! sets {
        ($($name:ident: $weight:literal, $size:literal;)*) => { $(
            #[derive(Clone, Copy)]
            struct $name;
            impl Sizes for $name {
                const WEIGHT: i64 = $weight;
                const SIZE: i64 = $size;
            }
            challenges::<$name>();
        )* };
    }
    sets! {
        Set44: 39, 2;
        Set65: 49, 4;
        Set87: 60, 2;
    }
}
