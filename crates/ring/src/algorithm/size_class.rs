//! Size classes: the lengths that rings modulo `x^n - 1` and a power of two share.
//!
//! A product modulo `x^n - 1` and `2^k` is a whole product that is folded, and words that wrap know neither
//! `n` nor `k`. So rings of many degrees are products of a few lengths: an element of a ring of degree `n`
//! stands in the rows of the least class that holds it, with zeroes behind its `n` coefficients, and a
//! kernel of that class serves all of them. The numbers of rows are those that Toom and Cook's products and
//! Karatsuba's cut well: `45 = 5 3 3`, `80 = 5 2^4`.

use super::choice::{LastStep, Operand};
use super::convolution::{Convolution, folds};
use crate::bound::Bound;
use crate::memory::Rows;
use crate::multiply::Product;
use crate::reduce::residues::{Arithmetic, Residues};
use crate::ring::{Ring, Shape};
use crate::route::Route;
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Row, Run, Simd};

/// A length of convolution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SizeClass {
    /// The greatest degree.
    pub degree: usize,
    /// Rows of an element.
    pub rows: usize,
}

/// All of them, the least first.
pub const CLASSES: [SizeClass; 5] = [
    SizeClass { degree: 512, rows: 32 },
    SizeClass { degree: 720, rows: 45 },
    SizeClass { degree: 896, rows: 56 },
    SizeClass { degree: 1248, rows: 80 },
    SizeClass { degree: 1536, rows: 96 },
];

/// The smallest class that holds elements of degree below `n`; `None` if no class does.
pub const fn of(n: usize) -> Option<SizeClass> {
    let mut i = 0;
    while i < CLASSES.len() {
        if n <= CLASSES[i].degree {
            return Some(CLASSES[i]);
        }
        i += 1;
    }
    None
}

/// How many coefficients elements of a ring are stored with: those of the rows of its class, if it has one.
pub(crate) const fn stored(q: i64, n: usize, shape: Shape) -> usize {
    match of(n) {
        Some(class) if matches!(shape, Shape::Cyclic) && q % 2 == 0 => 16 * class.rows,
        _ => n,
    }
}

/// Products in the rings of a class by a convolution: its operands have the rows of the class.
pub struct InClass<C>(PhantomData<C>);

/// Panic message for too little memory; it cannot occur, because making an [`Entry`](crate::Entry) proves
/// that the memory is large enough.
const ROOM: &str = "memory for a whole product";

impl<R: Ring<Coeffs = Rows<OPERAND>>, C: Convolution<OPERAND>, const OPERAND: usize> Product<R>
    for InClass<C>
{
    const ROUTE: Route = C::ROUTE;
    const CHECK: () = {
        let ((), modulus) = (C::PROOF, <C::Residues as Residues>::MODULUS);
        assert!(modulus.serves(R::Q) && R::Q <= modulus.greatest(C::BITS), "residues of another ring");
        assert!(stands::<R>(OPERAND) && 2 * R::N - 1 <= C::LENGTH, "a product is too long");
        assert!(folds_within(R::N, OPERAND), "a product has too few rows");
        assert!(Bound::centred(R::Q).within(C::INPUT) && folds(R::Q).is_ok(), "operands are too large");
    };
    const SCRATCH: usize = C::OUT + C::SCRATCH;

    fn product<B: Operand>(cpu: impl Run, a: &[Row], b: &[Row], out: &mut [Row], scratch: &mut [Row]) {
        let ((c, scratch), by) = (scratch.split_at_mut(C::OUT), C::Residues::modulo(R::Q));
        let operands = [a, b].map(|rows| rows.first_chunk().expect(ROOM));
        C::product_of::<B>(cpu, R::N.div_ceil(16), operands, c, scratch);
        let (product, out) = (c.as_chunks().0.first_chunk().expect(ROOM), out.first_chunk_mut().expect(ROOM));
        cpu.run(FoldCyclic::<_, C::Last, OPERAND> { by, n: R::N, product, out, last_step: PhantomData });
    }
}

/// Whether elements of a ring stand in so many rows, zeroes behind them.
pub(crate) const fn stands<R: Ring>(rows: usize) -> bool {
    matches!(R::SHAPE, Shape::Cyclic) && R::N.div_ceil(16) <= rows
}

/// Whether a product in twice so many rows has all rows that are read when it is folded: those that begin at
/// coefficient `n`, of which the last may be of a few coefficients.
pub(crate) const fn folds_within(n: usize, rows: usize) -> bool {
    let last = if n.is_multiple_of(16) { n - 16 } else { n / 16 * 16 };
    last + n + 16 <= 32 * rows
}

/// A product modulo `x^n - 1`, centred. The degree is a value: rings of as many rows share the kernel.
struct FoldCyclic<'a, M, L, const OPERAND: usize> {
    by: M,
    n: usize,
    product: &'a [[Row; OPERAND]; 2],
    out: &'a mut [Row; OPERAND],
    last_step: PhantomData<L>,
}

/// Ones in all lanes, and zeroes behind them: the 16 lanes from `16 - count` on are ones below `count`.
const LANES: &[i16; 32] = &{
    let (mut lanes, mut i) = ([0; 32], 0);
    while i < 16 {
        lanes[i] = -1;
        i += 1;
    }
    lanes
};

/// All ones in the lanes below `count`; `count <= 16`.
#[inline(always)]
pub(crate) fn lanes_below(count: usize) -> &'static Row {
    LANES[16 - count..].first_chunk().expect("16 lanes")
}

impl<M: Arithmetic, L: LastStep, const OPERAND: usize> Kernel for FoldCyclic<'_, M, L, OPERAND> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let words = self.product.as_flattened().as_flattened();
        let at = |at: usize| s.load(words[at..].first_chunk().expect("a row of the product"));
        let (whole, rest) = self.out.split_at_mut(self.n / 16);
        for (i, out) in whole.iter_mut().enumerate() {
            s.store(out, L::centre(s, self.by, s.add(at(16 * i), at(16 * i + self.n))));
        }
        for (i, out) in rest.iter_mut().enumerate() {
            let count = if i == 0 { self.n % 16 } else { 0 };
            *out = [0; 16];
            if count > 0 {
                let first = self.n - count;
                let sum = L::centre(s, self.by, s.add(at(first), at(first + self.n)));
                s.store(out, s.and(sum, s.load(lanes_below(count))));
            }
        }
    }
}
