//! What compositions take, counted by running them, beside what their papers say.
//!
//! `cargo test -p ringsmith-cyclic --test counts -- --nocapture` prints the table.

use ringsmith_cyclic::rings::{NtruHps677, NtruHrss701};
use ringsmith_oracle::{self as oracle, Random};
use ringsmith_ring::algorithm::karatsuba::{Cut, WeimerskirchPaar};
use ringsmith_ring::algorithm::schoolbook::Schoolbook;
use ringsmith_ring::algorithm::size_class::InClass;
use ringsmith_ring::algorithm::toeplitz::{AtPoints, Block, Cut as Matrices, Toeplitz};
use ringsmith_ring::algorithm::toom_cook::ToomCook;
use ringsmith_ring::residues::Wrapping;
use ringsmith_ring::{ByProduct, Coefficients, Multiply, Poly, Ring, Workspace};
use ringsmith_watch::{Counts, Watching, Words, counted};

/// Operands of `n` rows of coefficients in words.
type One = Schoolbook<Wrapping, 1>;
/// Five parts in three in three, the paper's for 677.
type FiveInThrees = ToomCook<ToomCook<ToomCook<One, 3, 3, 1>, 9, 3, 3>, 45, 5, 9>;
/// Five in Karatsuba's of three in three, its for 701.
type FiveInKaratsuba = ToomCook<Cut<WeimerskirchPaar<Wrapping, 3, 3>, 9, 3>, 45, 5, 9>;
/// The first by Toeplitz matrices.
type ByMatrices = Matrices<AtPoints<5>, NineByThree, 45, 9>;
/// Nine rows of it.
type NineByThree = Matrices<AtPoints<3>, Matrices<AtPoints<3>, Block<1>, 3, 1>, 9, 3>;

/// What a product of random operands takes, which is the oracle's.
fn counts<R: Ring, M: Multiply<R>>() -> Counts {
    let () = M::CHECK;
    let mut random = Random::new(3);
    let [a, b]: [Vec<i64>; 2] =
        [(); 2].map(|()| (0..R::N).map(|_| random.within(-R::Q / 2, R::Q / 2 - 1)).collect());
    let rows = |x: &[i64]| *Poly::<R>::new(x).unwrap().coeffs();
    let (mut out, mut scratch) = (R::Coeffs::ZERO, R::Scratch::new());
    let run = || M::multiply(Watching::<Words>::new(), &rows(&a), &rows(&b), &mut out, &mut scratch);
    let ((), counts) = counted(run);
    let wide = |x: &[i64]| x.iter().map(|x| i128::from(*x)).collect::<Vec<_>>();
    let ring = oracle::Ring::named(R::NAME).expect("a ring of the oracle's");
    let product = oracle::product(ring, &wide(&a), &wide(&b));
    let expected: Vec<_> = product.into_iter().map(|x| oracle::centred(x, R::Q.into()) as i64).collect();
    assert_eq!(out.rows(), rows(&expected).rows());
    println!(
        "{:<22} {:<60} products {:?}, multiplications {}, by constants {}, additions {}",
        R::NAME,
        M::ROUTE.to_string(),
        counts.small_products,
        counts.multiplications,
        counts.by_constants + counts.by_tables,
        counts.additions
    );
    counts
}

/// Protects: the compositions are those of the papers: 225 products of 16 by 16 coefficients for 677, 324 for
/// 701 (eprint 2023/541 and 2023/1637).
#[test]
fn as_published() {
    let small = counts::<NtruHps677, ByProduct<InClass<FiveInThrees>>>().small_products;
    assert_eq!(small, [(16, 225)].into());
    let small = counts::<NtruHrss701, ByProduct<InClass<FiveInKaratsuba>>>().small_products;
    assert_eq!(small, [(16, 324)].into());
    let small = counts::<NtruHps677, Toeplitz<ByMatrices, 45, 45>>().small_products;
    assert_eq!(small, [(16, 225)].into());
}
