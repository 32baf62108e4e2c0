//! Karatsuba's product, recursive and in one iteration: for any modulus and any `f`.
//!
//! # The map
//! `c = a b` over the integers modulo `q`, and that reduced by `f` (see [`convolution`]).
//!
//! Recursive:
//! With `a = a0 + a1 y`, `b = b0 + b1 y`, `y = x^h`:
//! `a b = l + ((a0 + a1)(b0 + b1) - l - u) y + u y^2`, `l = a0 b0`, `u = a1 b1`: three products of half the
//! size for four. `levels` deep that is `3^levels` products of rows blocks.
//!
//! In one iteration (Weimerskirch and Paar):
//! with `s` parts `a = sum a_i y^i` and `D_i = a_i b_i`, `D_ij = (a_i + a_j)(b_i + b_j)`: the coefficient of
//! `y^k` is `sum_(i<j, i+j=k) (D_ij - D_i - D_j)`, and `D_(k/2)` besides for even `k`: `s (s + 1) / 2`
//! products for `s^2`.
//!
//! # Conditions
//! Rows that can be cut so: their number a multiple of `2^levels`, or of `s`, if need be
//! [with zeroes](super::with_zeroes). Modulo `q` four residues fit a lane, and a row of products a sum.
//!
//! # Bounds
//! In: centred; out: centred. Sums are shrunk at once, so every block product has operands that are.
//!
//! # Source
//! A. Karatsuba, Y. Ofman, 1962; A. Weimerskirch, C. Paar: Generalizations of the Karatsuba algorithm for
//! efficient implementations (eprint 2006/224). Deviation: products of blocks, of whole rows, are schoolbook.
//!
//! ```
//! use ringsmith_ring::{Poly, Route};
//! use ringsmith_routes::{multiplier, rings::NtruPrime761};
//! use ringsmith_simd::Cpu;
//!
//! let mut x = [0i16; 761];
//! x[760] = 1;
//! let x = Poly::<NtruPrime761>::new(&x).unwrap();
//! for route in [Route::Karatsuba { levels: 3 }, Route::weimerskirch_paar(6, None)] {
//!     let karatsuba = multiplier(Cpu::detect(), route)?;
//!     // x^1520 = x^759 x^761 = x^760 + x^759
//!     assert_eq!(karatsuba.multiply(&x, &x, &mut karatsuba.scratch()).centred()[758..], [0, 1, 1]);
//! }
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

use super::choice::{Finish, Operand, Shrunk};
use super::convolution::{self, Convolution, product_scratch, rows_per_sum};
use crate::reduce::residues::{Modulus, Residues};
use crate::route::{Inner, Route};
use crate::why_not::WhyNot;
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Row, Run, Simd};

/// `sum = shrink(x + y)` for parts `x` and `y` of each operand.
struct Sums<'a, M> {
    by: M,
    parts: [[&'a [Row]; 2]; 2],
    sums: [&'a mut [Row]; 2],
}

impl<M: Residues> Kernel for Sums<'_, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for ([x, y], sum) in self.parts.into_iter().zip(self.sums) {
            for ((sum, x), y) in sum.iter_mut().zip(x).zip(y) {
                s.store(sum, self.by.shrink(s, s.add(s.load(x), s.load(y))));
            }
        }
    }
}

/// `c = shrink(c + d - l - u)`.
struct Cross<'a, M> {
    by: M,
    c: &'a mut [Row],
    d: &'a [Row],
    l: &'a [Row],
    u: &'a [Row],
}

impl<M: Residues> Kernel for Cross<'_, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for (((c, d), l), u) in self.c.iter_mut().zip(self.d).zip(self.l).zip(self.u) {
            s.store(c, cross(s, self.by, [s.load(c), s.load(d)], [s.load(l), s.load(u)]));
        }
    }
}

/// `shrink(c + d - l - u)` of four residues.
#[inline(always)]
fn cross<S: Simd, M: Residues>(s: S, by: M, [c, d]: [S::I16; 2], [l, u]: [S::I16; 2]) -> S::I16 {
    by.shrink(s, s.sub(s.add(c, d), s.add(l, u)))
}

/// Karatsuba's middle, added to what it lies on: `l` and `u` are the lower and the upper product, each in
/// halves, and `d` that of the sums.
struct Middle<'a, M> {
    by: M,
    l: (&'a [Row], &'a mut [Row]),
    u: (&'a mut [Row], &'a [Row]),
    d: (&'a [Row], &'a [Row]),
}

impl<M: Residues> Kernel for Middle<'_, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let rows = self.l.0.iter().zip(self.l.1).zip(self.u.0.iter_mut().zip(self.u.1));
        for (((l0, l1), (u0, u1)), (d0, d1)) in rows.zip(self.d.0.iter().zip(self.d.1)) {
            let (low, high) = (s.load(l1), s.load(u0));
            s.store(l1, cross(s, self.by, [low, s.load(d0)], [s.load(l0), high]));
            s.store(u0, cross(s, self.by, [high, s.load(d1)], [low, s.load(u1)]));
        }
    }
}

/// Rows per sum in a block product: its operands are shrunk, or centred.
const fn block_rows(modulus: Modulus) -> usize {
    rows_per_sum(modulus, modulus.operand(), modulus.operand(), 64)
}

/// `c = a b`, recursively; `c` has twice the rows.
fn recursive<M: Residues>(
    cpu: impl Run,
    by: M,
    levels: u32,
    a: &[Row],
    b: &[Row],
    c: &mut [Row],
    scratch: &mut [Row],
) {
    if levels == 0 {
        return convolution::product(cpu, by, const { block_rows(M::MODULUS) }, a, b, c, scratch);
    }
    let h = a.len() / 2;
    let ((a0, a1), (b0, b1)) = (a.split_at(h), b.split_at(h));
    let (sum_a, rest) = scratch.split_at_mut(h);
    let (sum_b, rest) = rest.split_at_mut(h);
    let (middle, rest) = rest.split_at_mut(2 * h);
    cpu.run(Sums { by, parts: [[a0, a1], [b0, b1]], sums: [sum_a, sum_b] });
    recursive(cpu, by, levels - 1, sum_a, sum_b, middle, rest);
    let (lower, upper) = c.split_at_mut(2 * h);
    recursive(cpu, by, levels - 1, a0, b0, lower, rest);
    recursive(cpu, by, levels - 1, a1, b1, upper, rest);
    let (l0, l1) = lower.split_at_mut(h);
    let (u0, u1) = upper.split_at_mut(h);
    cpu.run(Middle { by, l: (l0, l1), u: (u0, u1), d: middle.split_at(h) });
}

/// Rows of scratch memory that [`recursive`] takes for operands of so many rows.
const fn recursive_scratch(levels: u32, rows: usize) -> usize {
    if levels == 0 { product_scratch(rows) } else { 2 * rows + recursive_scratch(levels - 1, rows / 2) }
}

/// `c = a b` in one iteration with `parts` parts, whose products are `product` of two parts, into twice the
/// rows, with the memory that is left.
fn one_iteration<M: Residues>(
    cpu: impl Run,
    by: M,
    parts: usize,
    [a, b]: [&[Row]; 2],
    c: &mut [Row],
    scratch: &mut [Row],
    product: impl Fn([&[Row]; 2], &mut [Row], &mut [Row]),
) {
    let h = a.len() / parts;
    let (diagonal, rest) = scratch.split_at_mut(2 * a.len());
    let (sum_a, rest) = rest.split_at_mut(h);
    let (sum_b, rest) = rest.split_at_mut(h);
    let (d, rest) = rest.split_at_mut(2 * h);
    for (i, d) in diagonal.chunks_exact_mut(2 * h).enumerate() {
        let at = i * h..(i + 1) * h;
        product([&a[at.clone()], &b[at]], d, rest);
    }
    c.copy_from_slice(diagonal);
    for j in 1..parts {
        for i in 0..j {
            let (x, y) = (i * h..(i + 1) * h, j * h..(j + 1) * h);
            let pairs = [[&a[x.clone()], &a[y.clone()]], [&b[x], &b[y]]];
            cpu.run(Sums { by, parts: pairs, sums: [sum_a, sum_b] });
            product([sum_a, sum_b], d, rest);
            let (l, u) = (&diagonal[2 * i * h..][..2 * h], &diagonal[2 * j * h..][..2 * h]);
            cpu.run(Cross { by, c: &mut c[(i + j) * h..][..2 * h], d, l, u });
        }
    }
}

/// Recursive Karatsuba, `LEVELS` deep.
pub struct Karatsuba<M, const ROWS: usize, const LEVELS: u32> {
    residues: PhantomData<M>,
}

/// Karatsuba in one iteration with `PARTS` parts.
pub struct WeimerskirchPaar<M, const ROWS: usize, const PARTS: usize> {
    residues: PhantomData<M>,
}

/// The conditions of `parts` parts: a row for each, and sums of four residues in a lane. Rows that cannot be
/// cut so can be with [zeroes](super::with_zeroes) behind them.
pub(crate) const fn parts_serve(q: i64, n: usize, parts: usize) -> Result<(), WhyNot> {
    let rows = n.div_ceil(16);
    if parts < 2 || parts > rows {
        return Err(WhyNot::Rows { rows });
    }
    match Modulus::of(q) {
        Some(modulus) if !modulus.hold(modulus.shrunk().scale(4).mirrored()) => Err(WhyNot::Bounds),
        _ => convolution::serves(q),
    }
}

/// The same, and that so many rows can be cut as they are.
const fn parts_are_equal(q: i64, rows: usize, parts: usize) -> bool {
    rows.is_multiple_of(parts) && parts_serve(q, 16 * rows, parts).is_ok()
}

/// The conditions of so many levels: the same of `2^levels` parts, up to 6 levels.
pub(crate) const fn serves(q: i64, n: usize, levels: u32) -> Result<(), WhyNot> {
    parts_serve(q, n, if levels > 6 { 0 } else { 1 << levels })
}

impl<M: Residues, const ROWS: usize, const LEVELS: u32> Convolution<ROWS> for Karatsuba<M, ROWS, LEVELS> {
    type Residues = M;
    type Last = Finish;
    const ROUTE: Route = Route::Karatsuba { levels: LEVELS };
    const SCRATCH: usize = recursive_scratch(LEVELS, ROWS);
    const PROOF: () = {
        assert!(
            LEVELS <= 6 && parts_are_equal(M::MODULUS.greatest(16), ROWS, 1 << LEVELS),
            "parts, or bounds"
        );
    };

    fn product<B: Operand>(cpu: impl Run, [a, b]: [&[Row; ROWS]; 2], out: &mut [Row], scratch: &mut [Row]) {
        recursive(cpu, M::BY, LEVELS, a, b, out, scratch);
    }
}

impl<M: Residues, const ROWS: usize, const PARTS: usize> Convolution<ROWS>
    for WeimerskirchPaar<M, ROWS, PARTS>
{
    type Residues = M;
    type Last = Finish;
    const ROUTE: Route = Route::WeimerskirchPaar { parts: PARTS, inner: None };
    const SCRATCH: usize = 2 * ROWS + 4 * (ROWS / PARTS) + product_scratch(ROWS / PARTS);
    const PROOF: () = assert!(parts_are_equal(M::MODULUS.greatest(16), ROWS, PARTS), "parts, or bounds");

    fn product<B: Operand>(cpu: impl Run, [a, b]: [&[Row; ROWS]; 2], out: &mut [Row], scratch: &mut [Row]) {
        let block = const { block_rows(M::MODULUS) };
        one_iteration(cpu, M::BY, PARTS, [a, b], out, scratch, |[a, b], c, scratch| {
            convolution::product(cpu, M::BY, block, a, b, c, scratch);
        });
    }
}

/// Karatsuba in one iteration with parts of `PART` rows, whose products are by `I`: `PARTS` parts of so many
/// are all rows.
pub struct Cut<I, const ROWS: usize, const PART: usize> {
    inner: PhantomData<I>,
}

/// Panic message for too little memory; it cannot occur, because making an [`Entry`](crate::Entry) proves
/// that the memory is large enough.
const ROOM: &str = "memory for products of parts";

impl<I: Convolution<PART>, const ROWS: usize, const PART: usize> Convolution<ROWS> for Cut<I, ROWS, PART> {
    type Residues = I::Residues;
    type Last = I::Last;
    const ROUTE: Route = Route::weimerskirch_paar(ROWS / PART, Inner::of(I::ROUTE));
    const BITS: u32 = I::BITS;
    const SCRATCH: usize = 2 * ROWS + 4 * PART + I::SCRATCH;
    const PROOF: () = {
        let ((), modulus) = (I::PROOF, <I::Residues as Residues>::MODULUS);
        assert!(parts_are_equal(modulus.greatest(I::BITS), ROWS, ROWS / PART), "parts, or bounds");
        assert!(I::OUT == 2 * PART && 32 * PART <= I::LENGTH, "other parts");
        assert!(Shrunk::<I::Residues>::BOUND.within(I::INPUT), "parts are too large");
    };

    fn product<B: Operand>(cpu: impl Run, [a, b]: [&[Row; ROWS]; 2], out: &mut [Row], scratch: &mut [Row]) {
        let by = I::Residues::BY;
        one_iteration(cpu, by, ROWS / PART, [a, b], out, scratch, |parts, c, scratch| {
            let [a, b] = parts.map(|rows| rows.first_chunk().expect(ROOM));
            I::product::<Shrunk<I::Residues>>(cpu, [a, b], c, scratch);
        });
    }
}
