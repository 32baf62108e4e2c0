//! ProductRule on the token.

use crate::climb::climbed;
use crate::operands::{KINDS, expect, operand, smalls};
use crate::rings::{Visit, visit_all, visit_some};
use ringsmith_oracle::Random;
use ringsmith_ring::ByProduct;
use ringsmith_ring::algorithm::rows::{RowTransform, RowsCyclic};
use ringsmith_ring::algorithm::schoenhage::Schoenhage;
use ringsmith_ring::residues::{Odd, widest};
use ringsmith_ring::{Coefficients, Multiply, Poly, Ring, Rows, Shape, Small, Space, Workspace};
use ringsmith_routes::rings::NewHope1024;
use ringsmith_watch::{LikeAvx2, LikeNeon, Machine, Plain, Watching};
use std::array::from_fn;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Steps of a search.
const STEPS: usize = 1500;

fn same<R: Ring>(out: &R::Coeffs, expected: &[i64]) {
    let out = out.rows().as_flattened()[..R::N].iter().map(|x| i64::from(*x));
    assert!(out.eq(expected.iter().copied()), "a wrong product");
}

/// Operands and their product, by the name of a ring.
type Known = HashMap<(&'static str, Vec<i64>, Vec<i64>), Vec<i64>>;

/// ProductRule by each route, and those that the oracle has computed for others.
struct ProductRule<K> {
    known: Known,
    kind: PhantomData<K>,
}

impl<K: Machine> ProductRule<K> {
    fn of(_: K) -> Self {
        ProductRule { known: HashMap::new(), kind: PhantomData }
    }

    fn expected<R: Ring>(&mut self, a: &[i64], b: &[i64]) -> &[i64] {
        self.known.entry((R::NAME, a.to_vec(), b.to_vec())).or_insert_with(|| expect::<R>(a, b))
    }

    /// `a b`, in both ways.
    fn check<R: Ring, M: Multiply<R>>(&mut self, a: &[i64], b: &[i64]) {
        let [x, y] = [a, b].map(|x| *Poly::<R>::new(x).unwrap().coeffs());
        let (cpu, mut out, mut scratch) = (Watching::<K>::new(), R::Coeffs::ZERO, R::Scratch::new());
        let expected = self.expected::<R>(a, b);
        M::multiply(cpu, &x, &y, &mut out, &mut scratch);
        same::<R>(&out, expected);
        let mut prepared = R::Prepared::new();
        M::prepare(cpu, &y, &mut prepared, &mut scratch);
        M::multiply_prepared(cpu, &x, &prepared, &mut out, &mut scratch);
        same::<R>(&out, expected);
    }

    /// `a b` for a small `b`.
    fn check_small<R: Ring, M: Multiply<R>>(&mut self, a: &[i64], b: &[i64]) {
        let (x, y) = (Poly::<R>::new(a).unwrap(), Small::<R>::new(b).unwrap().widen());
        let (mut out, mut scratch) = (R::Coeffs::ZERO, R::Scratch::new());
        M::multiply_small(Watching::<K>::new(), x.coeffs(), y.coeffs(), &mut out, &mut scratch);
        same::<R>(&out, self.expected::<R>(a, b));
    }
}

impl<K: Machine> Visit for ProductRule<K> {
    fn visit<R: Ring, M: Multiply<R>>(&mut self) {
        println!("{} {}", R::NAME, M::ROUTE);
        let (large, height) = climbed::<R, M, K>(STEPS, &mut Random::new(2));
        println!("a sum of {height}");
        self.check::<R, M>(&large, &large);
        let mut random = Random::new(1);
        for [x, y] in KINDS {
            let (a, b) = (operand::<R>(x, &mut random), operand::<R>(y, &mut random));
            self.check::<R, M>(&a, &b);
        }
        for a in [operand::<R>(0, &mut random), large] {
            for small in smalls::<R>(&a, &mut random) {
                self.check_small::<R, M>(&a, &small);
            }
        }
    }
}

/// Protects: no lane overflows on CPUs without a backend, and those with SSE2. Plans are those of AVX2.
#[test]
fn plain() {
    visit_some(&mut ProductRule::of(Plain));
}

/// Protects: no lane overflows on CPUs with AVX2.
#[test]
fn like_avx2() {
    visit_all(&mut ProductRule::of(LikeAvx2));
}

/// Protects: no lane overflows on AArch64, where plans are others, found and proved by the same code.
#[test]
fn like_neon() {
    visit_some(&mut ProductRule::of(LikeNeon));
}

/// Protects: the token finds a sum that leaves its lane: of any words, where plans are for centred ones.
#[test]
fn larger_than_centred() {
    let mut random = Random::new(4);
    let large = Rows(from_fn(|_| from_fn(|_| random.word() as i16)));
    let product = || {
        let cpu = Watching::<LikeAvx2>::new();
        let (mut prepared, mut scratch) =
            (<NewHope1024 as Ring>::Prepared::new(), <NewHope1024 as Ring>::Scratch::new());
        <RowTransform<12289, 64> as Multiply<NewHope1024>>::prepare(cpu, &large, &mut prepared, &mut scratch);
    };
    let caught = catch_unwind(AssertUnwindSafe(product)).expect_err("nothing overflowed");
    assert!(caught.downcast_ref::<String>().is_some_and(|text| text.contains("overflows")));
}

/// Protects: a search finds larger sums than operands of any kind have, and comes within a sixth of the end
/// of a lane.
#[test]
fn a_search_climbs() {
    type By = RowTransform<12289, 64>;
    let height = |steps| climbed::<NewHope1024, By, LikeAvx2>(steps, &mut Random::new(3)).1;
    let (drawn, found) = (height(1), height(10 * STEPS));
    println!("{drawn} and {found}");
    assert!(drawn < found && found > 27_000);
}

/// Rings that no scheme uses.
macro_rules! ring {
    ($(#[$doc:meta])* $ring:ident = $name:literal, $q:literal, $n:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        struct $ring;
        impl Ring for $ring {
            const Q: i64 = $q;
            const N: usize = $n;
            const SHAPE: Shape = Shape::PrimeTrinomial;
            const NAME: &'static str = $name;
            const SMALL: i16 = 1;
            type Coeffs = Rows<{ usize::div_ceil($n, 16) }>;
            type Scratch = Space<1024, 0>;
            type Prepared = Space<1024, 0>;
        }
    };
}

ring! {
    /// A degree that is 1 modulo 16, and coefficients that wrap.
    OneMore = "Z_4603[x]/(x^641-x-1)", 4603, 641
}
ring! {
    /// A modulus that is no prime.
    Composite = "Z_4575[x]/(x^653-x-1)", 4575, 653
}

/// Protects: rows that wrap where the last one has one coefficient.
#[test]
fn one_more_than_whole_rows() {
    type By = RowsCyclic<Odd<4603>, 41, 78, 78>;
    let () = <By as Multiply<OneMore>>::CHECK;
    ProductRule::of(Plain).visit::<OneMore, By>();
}

/// Protects: Schoenhage's product modulo any odd number.
#[test]
fn a_composite_modulus() {
    type By = ByProduct<Schoenhage<{ widest(4575) }, 41, 64>>;
    let () = <By as Multiply<Composite>>::CHECK;
    ProductRule::of(Plain).visit::<Composite, By>();
}
