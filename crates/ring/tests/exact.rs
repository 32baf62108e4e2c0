//! Rings that no scheme here uses, by what is there for every ring: other powers of two, a modulus that is no
//! prime, and other forms of `f`, by three primes and by Karatsuba.

#[path = "common/operands.rs"]
mod operands;

use operands::{KINDS, expect, operand, smalls};
use ringsmith_oracle::Random;
use ringsmith_ring::algorithm::good_thomas::Rings;
use ringsmith_ring::algorithm::karatsuba::Karatsuba;
use ringsmith_ring::algorithm::ntt::Ntt;
use ringsmith_ring::algorithm::rader::Rader;
use ringsmith_ring::algorithm::rns::{Cut, Rns};
use ringsmith_ring::algorithm::rows::RowsCyclic;
use ringsmith_ring::algorithm::schoolbook::Schoolbook;
use ringsmith_ring::residues::{Odd, Wrapping};
use ringsmith_ring::{Entry, Multiplier, Poly, Ring, Routes, Rows, Shape, Small, Space};
use ringsmith_simd::Cpu;

/// A ring with its routes.
macro_rules! ring {
    (
        $(#[$doc:meta])*
        $ring:ident = $name:literal, $q:literal, $n:literal, $rows:literal, $shape:ident,
        [$($route:ty),*]
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        struct $ring;
        impl Ring for $ring {
            const Q: i64 = $q;
            const N: usize = $n;
            const SHAPE: Shape = Shape::$shape;
            const NAME: &'static str = $name;
            const SMALL: i16 = 1;
            type Coeffs = Rows<$rows>;
            type Scratch = Space<{ Cut::of($rows).scratch($rows) }, 0>;
            type Prepared = Space<{ 2 * $rows }, 0>;
        }

        impl Routes for $ring {
            const PLANNED: &'static [Entry<Self>] = {
                static ROUTES: &[Entry<$ring>] = &[$(Entry::product::<$route>()),*];
                ROUTES
            };
        }
    };
}

/// A whole product of operands of 43 rows across rows modulo a prime.
const CUT_43: Cut = Cut::of(43);
type By43<const P: i64> = RowsCyclic<Odd<P>, 43, { CUT_43.rows }, { CUT_43.windows() }>;
type ByPrimes43 = Rns<
    Wrapping,
    By43<{ CUT_43.prime(2048, 0) }>,
    By43<{ CUT_43.prime(2048, 1) }>,
    By43<{ CUT_43.prime(2048, 2) }>,
>;

/// The same of 32 rows.
const CUT_32: Cut = Cut::of(32);
type By32<const P: i64> = RowsCyclic<Odd<P>, 32, { CUT_32.rows }, { CUT_32.windows() }>;
type ByPrimes32 = Rns<
    Odd<4095>,
    By32<{ CUT_32.prime(4095, 0) }>,
    By32<{ CUT_32.prime(4095, 1) }>,
    By32<{ CUT_32.prime(4095, 2) }>,
>;

/// ProductRule of 32 rows by number-theoretic transforms, and by Rader's.
type ByNtt32 = Rns<
    Wrapping,
    Rings<Ntt<12289, 64, 1>, 64, 1>,
    Rings<Ntt<13313, 64, 2>, 64, 1>,
    Rings<Ntt<15361, 64, 2>, 64, 1>,
>;
type ByRader32 = Rns<Wrapping, Rader<2551, 32>, Rader<3673, 32>, Rader<4591, 32>>;

ring! {
    /// NTRU-HPS 2048-509's.
    Hps509 = "Z_2048[x]/(x^509-1)", 2048, 509, 32, Cyclic, [ByNtt32, ByRader32]
}
ring! {
    /// NTRU-HPS 2048-677's.
    Hps677 = "Z_2048[x]/(x^677-1)", 2048, 677, 43, Cyclic, [ByPrimes43, Schoolbook<Wrapping, 43>]
}
ring! {
    /// The same size class with twice the modulus: no kernel of its own.
    Hps677Twice = "Z_4096[x]/(x^677-1)", 4096, 677, 43, Cyclic, [Schoolbook<Wrapping, 43>]
}
ring! {
    /// A negacyclic ring modulo 2^13, as of Saber.
    Saber = "Z_8192[x]/(x^256+1)", 8192, 256, 16, Negacyclic, [Karatsuba<Wrapping, 16, 2>]
}
ring! {
    /// A modulus that is no prime.
    Composite = "Z_4095[x]/(x^509-1)", 4095, 509, 32, Cyclic,
    [ByPrimes32, Karatsuba<Odd<4095>, 32, 2>]
}

/// All products of a ring by all of its routes on every CPU.
fn check<R: Routes>() {
    let mut random = Random::new(1);
    for [x, y] in KINDS {
        let (a, b) = (operand::<R>(x, &mut random), operand::<R>(y, &mut random));
        product::<R>(&a, &b);
        for small in smalls::<R>(&a, &mut random) {
            product_small::<R>(&a, &small);
        }
    }
}

fn multipliers<R: Routes>() -> impl Iterator<Item = Multiplier<R>> {
    Cpu::available().flat_map(|cpu| R::PLANNED.iter().map(move |entry| Multiplier::by_on(cpu, entry)))
}

fn product<R: Routes>(a: &[i64], b: &[i64]) {
    let expected = expect::<R>(a, b);
    let (a, b) = (Poly::<R>::new(a).unwrap(), Poly::<R>::new(b).unwrap());
    for by in multipliers::<R>() {
        let c = by.multiply(&a, &b, &mut by.scratch());
        assert!(c.centred().iter().map(|x| i64::from(*x)).eq(expected.iter().copied()), "{}", by.route());
    }
}

fn product_small<R: Routes>(a: &[i64], b: &[i64]) {
    let expected = expect::<R>(a, b);
    let (a, b) = (Poly::<R>::new(a).unwrap(), Small::<R>::new(b).unwrap());
    for by in multipliers::<R>() {
        let (mut c, mut scratch) = (Poly::zero(), by.scratch());
        by.multiply_small_into(&a, &b, &mut c, &mut scratch);
        assert!(c.centred().iter().map(|x| i64::from(*x)).eq(expected.iter().copied()), "{}", by.route());
    }
}

/// Protects: products modulo powers of two that no ring of the library has, one text for all of them.
#[test]
fn other_powers_of_two() {
    check::<Hps509>();
    check::<Hps677>();
    check::<Hps677Twice>();
    check::<Saber>();
}

/// Protects: products modulo a number that is no prime.
#[test]
fn a_composite_modulus() {
    check::<Composite>();
}
