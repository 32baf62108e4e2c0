//! Rings that no scheme here uses, by what is there for every ring: other powers of two, a modulus that is no
//! prime, and other forms of `f`, by three primes and by Karatsuba.

#[path = "common/operands.rs"]
mod operands;

use operands::{KINDS, expect, operand, smalls};
use ringsmith_oracle::Random;
use ringsmith_ring::algorithm::karatsuba::Karatsuba;
use ringsmith_ring::algorithm::rns::{Cut, Rns};
use ringsmith_ring::algorithm::rows::RowsCyclic;
use ringsmith_ring::algorithm::schoolbook::Schoolbook;
use ringsmith_ring::reduce::residues::{Odd, Wrapping};
use ringsmith_ring::{Entry, Multiplier, Poly, Ring, Rows, Shape, Small, Space};
use ringsmith_simd::Cpu;

/// A ring whose whole products are by three primes, and by the others that are given.
macro_rules! ring {
    (
        $(#[$doc:meta])*
        $ring:ident = $name:literal, $residues:ty, $q:literal, $n:literal, $rows:literal, $shape:ident,
        [$($other:ty),*]
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
            const ROUTES: &'static [Entry<Self>] = {
                const CUT: Cut = Cut::of($rows);
                type By<const P: i64> = RowsCyclic<Odd<P>, $rows, { CUT.rows }, { CUT.windows() }>;
                type ByPrimes = Rns<
                    $residues,
                    By<{ CUT.prime($q, 0) }>,
                    By<{ CUT.prime($q, 1) }>,
                    By<{ CUT.prime($q, 2) }>,
                >;
                static ROUTES: &[Entry<$ring>] =
                    &[Entry::product::<ByPrimes>() $(, Entry::product::<$other>())*];
                ROUTES
            };
        }
    };
}

ring! {
    /// NTRU-HPS 2048-677's.
    Hps677 = "Z_2048[x]/(x^677-1)", Wrapping, 2048, 677, 43, Cyclic, [Schoolbook<Wrapping, 43>]
}
ring! {
    /// The same size class with twice the modulus: no kernel of its own but three primes.
    Hps677Twice = "Z_4096[x]/(x^677-1)", Wrapping, 4096, 677, 43, Cyclic, [Schoolbook<Wrapping, 43>]
}
ring! {
    /// A negacyclic ring modulo 2^13, as of Saber.
    Saber = "Z_8192[x]/(x^256+1)", Wrapping, 8192, 256, 16, Negacyclic, [Karatsuba<Wrapping, 16, 2>]
}
ring! {
    /// A modulus that is no prime.
    Composite = "Z_4095[x]/(x^509-1)", Odd<4095>, 4095, 509, 32, Cyclic, [Karatsuba<Odd<4095>, 32, 2>]
}

/// All products of a ring by all of its routes on every CPU.
fn check<R: Ring>() {
    let mut random = Random::new(1);
    for [x, y] in KINDS {
        let (a, b) = (operand::<R>(x, &mut random), operand::<R>(y, &mut random));
        product::<R>(&a, &b);
        for small in smalls::<R>(&a, &mut random) {
            product_small::<R>(&a, &small);
        }
    }
}

fn multipliers<R: Ring>() -> impl Iterator<Item = Multiplier<R>> {
    Cpu::available().flat_map(|cpu| R::ROUTES.iter().map(move |entry| Multiplier::by(cpu, entry)))
}

fn product<R: Ring>(a: &[i64], b: &[i64]) {
    let expected = expect::<R>(a, b);
    let (a, b) = (Poly::<R>::new(a).unwrap(), Poly::<R>::new(b).unwrap());
    for by in multipliers::<R>() {
        let c = by.multiply(&a, &b, &mut by.scratch());
        assert!(c.centred().iter().map(|x| i64::from(*x)).eq(expected.iter().copied()), "{}", by.route());
    }
}

fn product_small<R: Ring>(a: &[i64], b: &[i64]) {
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
    check::<Hps677>();
    check::<Hps677Twice>();
    check::<Saber>();
}

/// Protects: products modulo a number that is no prime.
#[test]
fn a_composite_modulus() {
    check::<Composite>();
}
