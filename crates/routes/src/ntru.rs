//! The ring of NTRU-HPS 2048-509, until its family comes: products modulo a power of two.

use crate::EveryRoute;
use ringsmith_ring::algorithm::karatsuba::{Karatsuba, WeimerskirchPaar};
use ringsmith_ring::algorithm::rns::{Cut, Rns};
use ringsmith_ring::algorithm::rows::RowsCyclic;
use ringsmith_ring::algorithm::schoolbook::Schoolbook;
use ringsmith_ring::algorithm::toom_cook::ToomCook;
use ringsmith_ring::residues::{Odd, Wrapping};
use ringsmith_ring::{Entry, Ring, Routes, Rows, Shape, Space};
use ringsmith_simd::Cpu;

/// The ring of NTRU-HPS 2048-509.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NtruHps509;

impl Ring for NtruHps509 {
    const Q: i64 = 2048;
    const N: usize = 509;
    const SHAPE: Shape = Shape::Cyclic;
    const NAME: &'static str = "Z_2048[x]/(x^509-1)";
    const SMALL: i16 = 1;
    type Coeffs = Rows<32>;
    type Scratch = Space<{ CUT.scratch(32) }, 0>;
    type Prepared = Space<64, 0>;
}

impl Routes for NtruHps509 {
    const PLANNED: &'static [Entry<Self>] = &PLANNED;

    /// By primes where a row is one register, and the 32-bit sums of a base product are cheap.
    fn planned(cpu: Cpu) -> &'static Entry<Self> {
        &PLANNED[usize::from(cpu.registers_64() == 1)]
    }
}

static PLANNED: [Entry<NtruHps509>; 2] = [
    Entry::product::<Karatsuba<Wrapping, 32, 3>>(),
    Entry::product::<
        Rns<Wrapping, By<{ CUT.prime(2048, 0) }>, By<{ CUT.prime(2048, 1) }>, By<{ CUT.prime(2048, 2) }>>,
    >(),
];

/// How a whole product is cut, and the transform across rows modulo a prime for it.
const CUT: Cut = Cut::of(32);
type By<const P: i64> = RowsCyclic<Odd<P>, 32, { CUT.rows }, { CUT.windows() }>;

static OTHERS: [Entry<NtruHps509>; 3] = [
    Entry::product::<WeimerskirchPaar<Wrapping, 32, 8>>(),
    Entry::product::<ToomCook<Karatsuba<Wrapping, 8, 2>, 32, 4, 8>>(),
    Entry::product::<Schoolbook<Wrapping, 32>>(),
];

impl EveryRoute for NtruHps509 {
    const OTHERS: &'static [Entry<Self>] = &OTHERS;
}

// The compiler proves the bounds of the ring: a lane that could overflow is a build error here.
const _: () = NtruHps509::CHECK;
