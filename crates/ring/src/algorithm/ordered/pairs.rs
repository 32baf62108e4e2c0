//! The domain of an incomplete transform in the order of a standard, and inner products of vectors there.
//!
//! FIPS 203 samples the matrix of ML-KEM in the domain of its transform and sends a vector of it, so the
//! order of the domain is part of the standard: residue `i` modulo `x^2 - psi^(2 bitrev(i) + 1)` at places
//! `2 i` and `2 i + 1`.
//!
//! # The map
//! [`Ntt`] leaves each 16 x 16 tile transposed: a transpose puts it in order. There the two coefficients of a
//! residue stand side by side, so that of `a = a0 + a1 x` and `b = b0 + b1 x` modulo `x^2 - w`
//!
//! ```text
//! c0 = a0 b0 + a1 (w b1)      c1 = a0 b1 + a1 b0
//! ```
//!
//! are two pairwise multiply-adds, by `(b0, w b1)` and by `(b1, b0)`, on 32-bit sums that take all terms of
//! an inner product before a single Montgomery step. [`operand`](Domain::operand) makes these two rows of
//! `b`.
//!
//! # Factors
//! The Montgomery step leaves `2^-16`, which the inverse takes off. Inner products that stay in the domain
//! are by operands that [`operand_to_stay`](Domain::operand_to_stay) makes, which puts the factor in
//! beforehand.
//!
//! # Bounds and conditions
//! In: centred coefficients, for inner products at most `q - 1` in absolute value and at most `TERMS`
//! terms. `BASE` = 2.
//!
//! # Source
//! FIPS 203, sections 4.3 and 4.3.1. Accumulating products before they are reduced: as in vectorised ML-KEM
//! since; pairs by multiply-add in place of Montgomery products: Ringsmith's row transform.

use super::sum;
use crate::algorithm::choice::{Minus, Plus};
use crate::algorithm::network::{Aligned, Twiddle, gather, scatter, transpose8};
use crate::algorithm::ntt::Ntt;
use crate::bound::Bound;
use crate::domain::{Domain, DomainEntry, Order, Values};
use crate::memory::{Rows, wipe};
use crate::multiply::Transform;
use crate::number::{bit_reverse, power, root_of_unity};
use crate::reduce::barrett;
use crate::reduce::montgomery::{self, Factor};
use crate::ring::Ring;
use crate::route::Route;
use core::marker::PhantomData;
use ringsmith_simd::{Cpu, Kernel, Row, Simd};
use zeroize::{Zeroize, Zeroizing};

/// The most terms that an inner product may have.
const TERMS: usize = 4;

/// The second operand of products in the domain: for each row, `(b0, w b1)` and `(b1, b0)`.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct PairRows<const N: usize>([[Row; 2]; N]);

impl<const N: usize> PairRows<N> {
    /// All zero.
    pub const ZERO: Self = PairRows([[[0; 16]; 2]; N]);
}

impl<const N: usize> Zeroize for PairRows<N> {
    fn zeroize(&mut self) {
        wipe(self.0.as_flattened_mut().as_flattened_mut());
    }
}

/// Residues of degree 2 in the order of the in-place transform: what FIPS 203 samples and sends, of elements
/// of `N` rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InPairs<const N: usize>;

impl<const N: usize> Order for InPairs<N> {
    type Memory<R: Ring> = R::Coeffs;
    type Operand<R: Ring> = PairRows<N>;
    type More<R: Ring> = Prepares<R, N>;
}

/// How second operands are made.
pub struct Prepares<R: Ring, const N: usize> {
    /// Of an element.
    transform: fn(Cpu, &R::Coeffs, &mut PairRows<N>),
    /// Of values, for products that stay in the domain.
    to_stay: fn(Cpu, &R::Coeffs, &mut PairRows<N>),
}

impl<R: Ring, const N: usize> Domain<R, InPairs<N>> {
    /// Makes the second operand of products from an element. Products by it leave the domain through
    /// [`inverse`](Self::inverse).
    pub fn operand(self, b: &R::Coeffs, out: &mut PairRows<N>) {
        (self.entry.more.transform)(self.cpu, b, out);
    }

    /// Makes the second operand of products from values. Products by it stay in the domain.
    pub fn operand_to_stay(self, b: &Values<R, InPairs<N>>, out: &mut PairRows<N>) {
        (self.entry.more.to_stay)(self.cpu, &b.0, out);
    }
}

/// The ordered domain modulo `Q` on `ROWS` rows, residues of degree 2.
struct Pairs<const Q: i64, const ROWS: usize>;

impl<const Q: i64, const ROWS: usize> Pairs<Q, ROWS> {
    /// `1` and `w` in turn, as factors, times `2^16` or not.
    const PLAIN: Aligned<[Twiddle; ROWS]> = Aligned(Self::twiddles(1));
    const STAYING: Aligned<[Twiddle; ROWS]> = Aligned(Self::twiddles(1 << 16));

    const fn twiddles(scale: i64) -> [Twiddle; ROWS] {
        let residues = 8 * ROWS;
        let psi = root_of_unity(2 * residues as u64, Q);
        let (mut table, mut i) = ([[[0; 16]; 2]; ROWS], 0);
        while i < residues {
            let w = power(psi, 2 * bit_reverse(i, residues.trailing_zeros()) as u64 + 1, Q);
            let (even, odd) = (Factor::new(scale % Q, Q), Factor::new(scale % Q * w, Q));
            let (row, lane) = (i / 8, 2 * (i % 8));
            (table[row][0][lane], table[row][1][lane]) = (even.z, even.zq);
            (table[row][0][lane + 1], table[row][1][lane + 1]) = (odd.z, odd.zq);
            i += 1;
        }
        table
    }

    /// What an inner product returns: of `TERMS` terms by operands that are as the forward transform returns
    /// them.
    const fn product_bound() -> Bound {
        let b = Ntt::<Q, ROWS, 2>::forward_bound().join(Bound::symmetric(Q - 1));
        let sum = Bound::symmetric(Q - 1).mul(b).mirrored().scale(2 * TERMS as i64);
        assert!(sum.fits(32), "overflow: a sum of an inner product");
        montgomery::bound_wide(sum, Q)
    }

    /// Evaluating this proves that no lane overflows, and that the inverse takes what inner products return.
    const PROOF: () = {
        let () = Ntt::<Q, ROWS, 2>::PROOF;
        assert!(ROWS.is_multiple_of(16));
        let sum = Ntt::<Q, ROWS, 2>::forward_bound().add(Self::product_bound().join(Bound::symmetric(Q - 1)));
        assert!(sum.fits(16) && sum.magnitude() <= barrett::exact_limit(Q), "overflow: a sum in the domain");
        assert!(Ntt::<Q, ROWS, 2>::inverse_takes(Self::product_bound()), "overflow: the inverse");
    };
}

impl<R: Ring<Coeffs = Rows<N>>, const N: usize> DomainEntry<R, InPairs<N>> {
    /// The domain in pairs. Making it, at compile time, proves the bounds.
    pub const fn pairs<const Q: i64>() -> Self {
        let () = Pairs::<Q, N>::PROOF;
        assert!(R::Q == Q);
        DomainEntry {
            route: Route::Ntt { base: 2 },
            forward: |cpu, a, out| {
                transform::<R, Q, N>(cpu, a, out);
                sum::<Plus, Q, N>(cpu, out, &Rows([[0; 16]; N]));
            },
            inverse: |cpu, domain, out| {
                cpu.run(Transpose(&mut domain.0));
                <Ntt<Q, N, 2> as Transform<R>>::inverse(cpu, &mut domain.0, out);
            },
            accumulate: inner_product::<R, Q, N>,
            add: sum::<Plus, Q, N>,
            subtract: sum::<Minus, Q, N>,
            more: Prepares {
                transform: |cpu, b, out| {
                    let mut transformed = Zeroizing::new(Rows([[0; 16]; N]));
                    transform::<R, Q, N>(cpu, b, &mut transformed);
                    let (products, b) = (PhantomData::<Leave>, &transformed.0);
                    cpu.run(Prepare::<Q, N, _> { products, b, out: &mut out.0 });
                },
                to_stay: |cpu, b, out| {
                    cpu.run(Prepare::<Q, N, Stay> { products: PhantomData, b: &b.0, out: &mut out.0 });
                },
            },
        }
    }
}

/// Into the domain; values leave within 16 bits, not reduced.
fn transform<R: Ring<Coeffs = Rows<N>>, const Q: i64, const N: usize>(
    cpu: Cpu,
    a: &Rows<N>,
    out: &mut Rows<N>,
) {
    <Ntt<Q, N, 2> as Transform<R>>::forward(cpu, a, &mut out.0);
    cpu.run(Transpose(&mut out.0));
}

/// Transposes tiles of 16 x 16 where they are.
struct Transpose<'a, const ROWS: usize>(&'a mut [Row; ROWS]);

impl<const ROWS: usize> Kernel for Transpose<'_, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut tile = 0;
        while tile < ROWS {
            // Eight rows: their column c and their column 8 + c, side by side.
            let mut half = 0;
            while half < 16 {
                let x = transpose8(s, gather::<S, ROWS, 8>(s, self.0, tile + half, 1));
                scatter(s, self.0, tile + half, 1, x);
                half += 8;
            }
            let mut c = tile;
            while c < tile + 8 {
                let (low, high) = s.load_zip8(&self.0[c], &self.0[c + 8]);
                s.store(&mut self.0[c], low);
                s.store(&mut self.0[c + 8], high);
                c += 1;
            }
            tile += 16;
        }
    }
}

/// What becomes of products.
trait Destination {
    /// Whether they stay in the domain.
    const STAY: bool;
}

/// They leave it.
struct Leave;

impl Destination for Leave {
    const STAY: bool = false;
}

/// They stay.
struct Stay;

impl Destination for Stay {
    const STAY: bool = true;
}

/// `(b0, w b1)` and `(b1, b0)` of each residue, times `2^16` where the product is to stay.
struct Prepare<'a, const Q: i64, const ROWS: usize, D> {
    products: PhantomData<D>,
    b: &'a [Row; ROWS],
    out: &'a mut [[Row; 2]; ROWS],
}

impl<const Q: i64, const ROWS: usize, D: Destination> Kernel for Prepare<'_, Q, ROWS, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let table = if D::STAY {
            const { &Pairs::<Q, ROWS>::STAYING.0 }
        } else {
            const { &Pairs::<Q, ROWS>::PLAIN.0 }
        };
        let scale = const { Factor::new((1 << 16) % Q, Q) };
        let mut r = 0;
        while r < ROWS {
            let b = s.load(&self.b[r]);
            let (z, zq) = (s.load(&table[r][0]), s.load(&table[r][1]));
            let plain = if D::STAY { montgomery::scale::<S, Q>(s, b, scale) } else { b };
            s.store(&mut self.out[r][0], s.mul_mont(b, z, zq, s.splat(Q as i16)));
            s.store(&mut self.out[r][1], s.swap_pairs(plain));
            r += 1;
        }
    }
}

/// `out = sum a_i b_i`, at most `TERMS` terms at a time.
fn inner_product<R: Ring<Coeffs = Rows<N>>, const Q: i64, const N: usize>(
    cpu: Cpu,
    a: &[&Values<R, InPairs<N>>],
    b: &[PairRows<N>],
    out: &mut Rows<N>,
) {
    let mut terms = a.chunks(TERMS).zip(b.chunks(TERMS));
    if let Some((a, b)) = terms.next() {
        few_terms::<R, Q, N>(cpu, a, b, out);
    }
    for (a, b) in terms {
        let mut more = Zeroizing::new(Rows([[0; 16]; N]));
        few_terms::<R, Q, N>(cpu, a, b, &mut more);
        sum::<Plus, Q, N>(cpu, out, &more);
    }
}

/// At most [`TERMS`] terms.
fn few_terms<R: Ring<Coeffs = Rows<N>>, const Q: i64, const N: usize>(
    cpu: Cpu,
    a: &[&Values<R, InPairs<N>>],
    b: &[PairRows<N>],
    out: &mut Rows<N>,
) {
    match a.len().min(b.len()) {
        1 => terms::<R, Q, N, 1>(cpu, a, b, out),
        2 => terms::<R, Q, N, 2>(cpu, a, b, out),
        3 => terms::<R, Q, N, 3>(cpu, a, b, out),
        _ => terms::<R, Q, N, TERMS>(cpu, a, b, out),
    }
}

/// `K` terms, where there are as many.
fn terms<R: Ring<Coeffs = Rows<N>>, const Q: i64, const N: usize, const K: usize>(
    cpu: Cpu,
    a: &[&Values<R, InPairs<N>>],
    b: &[PairRows<N>],
    out: &mut Rows<N>,
) {
    if let (Some(a), Some(b)) = (a.first_chunk(), b.first_chunk()) {
        cpu.run(InnerProduct::<R, Q, N, K> { a, b, out: &mut out.0 });
    }
}

/// Inner products, row by row.
struct InnerProduct<'a, R: Ring, const Q: i64, const ROWS: usize, const K: usize> {
    a: &'a [&'a Values<R, InPairs<ROWS>>; K],
    b: &'a [PairRows<ROWS>; K],
    out: &'a mut [Row; ROWS],
}

impl<R: Ring<Coeffs = Rows<ROWS>>, const Q: i64, const ROWS: usize, const K: usize> Kernel
    for InnerProduct<'_, R, Q, ROWS, K>
{
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut r = 0;
        while r < ROWS {
            let (mut even, mut odd) = (s.acc_zero(), s.acc_zero());
            for (a, b) in self.a.iter().zip(self.b) {
                let x = s.load(&a.0.0[r]);
                even = s.madd_pairs(even, x, s.load(&b.0[r][0]));
                odd = s.madd_pairs(odd, x, s.load(&b.0[r][1]));
            }
            let (low, high) = s.even_odd(even, odd);
            s.store(&mut self.out[r], montgomery::reduce_wide::<S, Q>(s, low, high));
            r += 1;
        }
    }
}
