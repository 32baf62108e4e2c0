//! Words that wrap: how many low bits of a product are right. A composition has as many as its `BITS` says
//! and no more: modulo the next power of two it is wrong.

use ringsmith_oracle::{Random, centred, integer_product, remainder};
use ringsmith_ring::algorithm::convolution::Convolution;
use ringsmith_ring::algorithm::karatsuba::{Cut, Karatsuba, WeimerskirchPaar};
use ringsmith_ring::algorithm::schoolbook::Schoolbook;
use ringsmith_ring::algorithm::size_class::InClass;
use ringsmith_ring::algorithm::toeplitz::{self, AtPoints, Block, InPairs, Matrix, Toeplitz};
use ringsmith_ring::algorithm::toom_cook::ToomCook;
use ringsmith_ring::residues::Wrapping;
use ringsmith_ring::{ByProduct, Coefficients, Multiply, Poly, Ring, Rows, Shape, Space, Workspace};
use ringsmith_simd::Cpu;
use std::num::Wrapping as Word;

/// `Z_Q[x]/(x^701 - 1)` in 45 rows.
#[derive(Clone, Copy)]
struct Words<const Q: i64>;

impl<const Q: i64> Ring for Words<Q> {
    const Q: i64 = Q;
    const N: usize = 701;
    const SHAPE: Shape = Shape::Cyclic;
    const NAME: &'static str = "";
    const SMALL: i16 = 1;
    type Coeffs = Rows<45>;
    type Scratch = Space<{ 26 * 45 + 64 }, 0>;
    type Prepared = Space<{ 18 * 45 }, 0>;
}

/// Whether products of random elements are right, on every backend.
fn right<const Q: i64, M: Multiply<Words<Q>>>() -> bool {
    let mut random = Random::new(5);
    let mut element = || -> Vec<i64> { (0..701).map(|_| random.within(-Q / 2, Q / 2 - 1)).collect() };
    let mut f = vec![0; 702];
    (f[0], f[701]) = (-1, 1);
    (0..4).all(|_| {
        let (a, b) = (element(), element());
        let wide = |x: &[i64]| x.iter().map(|&x| x.into()).collect::<Vec<i128>>();
        let expected = remainder(integer_product(&wide(&a), &wide(&b)), &f);
        let rows = |x: &[i64]| *Poly::<Words<Q>>::new(x).unwrap().coeffs();
        let (a, b) = (rows(&a), rows(&b));
        Cpu::available().all(|cpu| {
            let (mut out, mut scratch) = (Rows::<45>::ZERO, <Words<Q> as Ring>::Scratch::new());
            M::multiply(cpu, &a, &b, &mut out, &mut scratch);
            let same = |(x, y): (&i16, &i128)| i128::from(*x) == centred(*y, Q.into());
            out.rows().as_flattened().iter().zip(&expected).all(same)
        })
    })
}

type Three = ToomCook<Schoolbook<Wrapping, 15>, 45, 3, 15>;
type Four = ToomCook<Karatsuba<Wrapping, 12, 2>, 45, 4, 12>;
type Five = ToomCook<Schoolbook<Wrapping, 9>, 45, 5, 9>;
type Nine = ToomCook<ToomCook<Schoolbook<Wrapping, 1>, 3, 3, 1>, 9, 3, 3>;
type FiveOfNine = ToomCook<Nine, 45, 5, 9>;
type FiveOfParts = ToomCook<Cut<WeimerskirchPaar<Wrapping, 3, 3>, 9, 3>, 45, 5, 9>;
type OfThree = toeplitz::Cut<AtPoints<3>, Block<15>, 45, 15>;
type OfFive = toeplitz::Cut<AtPoints<5>, Block<9>, 45, 9>;
type Of<B, const PART: usize, const ROWS: usize> = toeplitz::Cut<B, Block<PART>, ROWS, PART>;
type OfThreeThree = toeplitz::Cut<AtPoints<3>, Of<AtPoints<3>, 1, 3>, 9, 3>;
type OfFiveThreeThree = toeplitz::Cut<AtPoints<5>, OfThreeThree, 45, 9>;
type OfPairs = toeplitz::Cut<InPairs<3>, Of<InPairs<3>, 1, 3>, 9, 3>;
type OfFivePairs = toeplitz::Cut<AtPoints<5>, OfPairs, 45, 9>;

/// Protects: a composition has the bits that it says, and not one more.
macro_rules! bits {
    ($($name:ident: $bits:literal, $composition:ty, $trait:ident, $by:ty;)*) => { $(
        #[test]
        fn $name() {
            assert_eq!(<$composition as $trait<45>>::BITS, $bits);
            assert!(right::<{ 1 << $bits }, $by>(), "fewer than {} bits are right", $bits);
            assert!(!right::<{ 2 << $bits }, $by>(), "more than {} bits are right", $bits);
        }
    )* };
}

bits! {
    three_parts: 15, Three, Convolution, ByProduct<InClass<Three>>;
    four_parts: 13, Four, Convolution, ByProduct<InClass<Four>>;
    five_parts: 13, Five, Convolution, ByProduct<InClass<Five>>;
    five_in_three_in_three: 11, FiveOfNine, Convolution, ByProduct<InClass<FiveOfNine>>;
    five_in_karatsubas: 13, FiveOfParts, Convolution, ByProduct<InClass<FiveOfParts>>;
    matrix_in_three: 15, OfThree, Matrix, Toeplitz<OfThree, 45, 45>;
    matrix_in_five: 13, OfFive, Matrix, Toeplitz<OfFive, 45, 45>;
    matrix_in_five_pairs: 13, OfFivePairs, Matrix, Toeplitz<OfFivePairs, 45, 45>;
    matrix_in_five_three_three: 11, OfFiveThreeThree, Matrix, Toeplitz<OfFiveThreeThree, 45, 45>;
}

/// Protects: what loses no bits is right modulo `2^16`.
#[test]
fn all_bits() {
    type Parts = InClass<WeimerskirchPaar<Wrapping, 45, 9>>;
    assert!(right::<{ 1 << 16 }, ByProduct<Parts>>());
    assert!(right::<{ 1 << 16 }, ByProduct<InClass<Schoolbook<Wrapping, 45>>>>());
    assert!(right::<{ 1 << 16 }, Toeplitz<toeplitz::Cut<InPairs<3>, Block<15>, 45, 15>, 45, 45>>());
}

/// The product of four coefficients by as many by its values, in words: interpolation by steps, where the
/// halves of `w(1) + w(-1)` and `w(1) - w(-1)` are taken apart, or the first as what the second leaves.
fn by_steps(values: [i16; 7], apart: bool) -> [i16; 7] {
    let [c0, w1, m1, w2, m2, w3, c6] = values.map(Word);
    let [two, three, five, nine] = [2, 3, 5, 9].map(Word);
    let [third, fifth] = [-21845, -13107].map(Word);
    let o1 = (w1 - m1) >> 1;
    let e1 = (if apart { (w1 + m1) >> 1 } else { w1 - o1 }) - c0 - c6;
    let o2 = (w2 - m2) >> 2;
    let e2 = (w2 + m2 - two * c0 - Word(128) * c6) >> 3;
    let c4 = (e2 - e1) * third;
    let c2 = e1 - c4;
    // w(3) is this and 3 (c1 + 9 c3 + 81 c5).
    let even = c0 + nine * (c2 + nine * (c4 + nine * c6));
    let last = ((w3 - even) * third - o1) >> 3;
    let middle = (o2 - o1) * third;
    let c5 = (last - middle) * fifth;
    let c3 = middle - five * c5;
    assert_eq!(three * third, Word(1));
    [c0, o1 - c3 - c5, c2, c3, c4, c5, c6].map(|word| word.0)
}

/// Protects: what the tests above are for. An interpolation with its shifts in the wrong order is right
/// modulo `2^12`, and a test of such a ring does not see it; modulo `2^13` it is wrong.
#[test]
fn a_mistaken_order_of_shifts() {
    let mut random = Random::new(9);
    let mut least = [16; 2];
    for _ in 0..2000 {
        let [a, b] = [(); 2].map(|()| [(); 4].map(|()| random.within(-4096, 4095)));
        let value = |x: &[i64; 4], p: i64| x.iter().rev().fold(0, |sum, c| sum * p + c);
        let at = |p| (value(&a, p) * value(&b, p)) as i16;
        let w = [at(0), at(1), at(-1), at(2), at(-2), at(3), (a[3] * b[3]) as i16];
        for (apart, least) in [false, true].into_iter().zip(&mut least) {
            for (j, c) in by_steps(w, apart).into_iter().enumerate() {
                let of = |i: usize| (j >= i && j - i < 4).then(|| a[i] * b[j - i]);
                let difference = i64::from(c) - (0..4).filter_map(of).sum::<i64>();
                *least = difference.trailing_zeros().min(*least);
            }
        }
    }
    assert_eq!(least, [13, 12]);
}
