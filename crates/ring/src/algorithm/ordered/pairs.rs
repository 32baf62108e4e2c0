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
//! an inner product before a single Montgomery step. [`prepare`](PairsEntry::prepare) makes these two rows of
//! `b`.
//!
//! # Factors
//! The Montgomery step leaves `2^-16`, which the inverse takes off. Inner products that stay in the domain
//! are by operands prepared with [`prepare_to_stay`](PairsEntry::prepare_to_stay), which puts the factor in
//! beforehand.
//!
//! # Bounds and conditions
//! In: centred coefficients, for inner products at most `q - 1` in absolute value and at most [`TERMS`]
//! terms. `BASE` = 2.
//!
//! # Source
//! FIPS 203, sections 4.3 and 4.3.1. Accumulating products before they are reduced: as in vectorised ML-KEM
//! since; pairs by multiply-add in place of Montgomery products: Ringsmith's row transform.

use super::{Add, Subtract};
use crate::algorithm::network::{Aligned, Twiddle, gather, scatter, transpose8};
use crate::algorithm::ntt::Ntt;
use crate::bound::Bound;
use crate::memory::{Rows, wipe};
use crate::multiply::Transform;
use crate::number::{bit_reverse, power, root_of_unity};
use crate::reduce::barrett;
use crate::reduce::montgomery::{self, Factor};
use crate::ring::Ring;
use core::marker::PhantomData;
use ringsmith_simd::{Cpu, Kernel, Row, Simd};
use zeroize::Zeroize;

/// The most terms that an inner product may have.
pub const TERMS: usize = 4;

/// The second operand of products in the domain: for each row, `(b0, w b1)` and `(b1, b0)`.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct PairRows<const N: usize>(pub [[Row; 2]; N]);

impl<const N: usize> Zeroize for PairRows<N> {
    fn zeroize(&mut self) {
        wipe(self.0.as_flattened_mut().as_flattened_mut());
    }
}

/// An inner product; see [`PairsEntry::inner_product`].
pub type InnerProductOf<const N: usize> = fn(Cpu, &[&Rows<N>], &[PairRows<N>], &mut Rows<N>);

/// The functions of a ring's domain in the order of its standard. Constant time in all coefficients.
pub struct PairsEntry<const N: usize> {
    /// Into the domain; coefficients leave within 16 bits, not centred.
    pub forward: fn(Cpu, &Rows<N>, &mut Rows<N>),
    /// Out of the domain, from an inner product with its factor `2^-16`, to centred coefficients; spoils its
    /// input.
    pub inverse: fn(Cpu, &mut Rows<N>, &mut Rows<N>),
    /// Prepares an operand that [`forward`](Self::forward) returned, or one below `q`, for inner products
    /// that leave the domain.
    pub prepare: fn(Cpu, &Rows<N>, &mut PairRows<N>),
    /// The same for inner products that stay in the domain.
    pub prepare_to_stay: fn(Cpu, &Rows<N>, &mut PairRows<N>),
    /// `sum a_i b_i`, `|a_i| < q`: entry `k - 1` of `k` terms. Panics where it is given another number of
    /// them.
    pub inner_product: [InnerProductOf<N>; TERMS],
    /// `a = a + b` in `[0, q)`; sums must fit 16 bits, as they do of what the other functions return and
    /// coefficients below `q`.
    pub add: fn(Cpu, &mut Rows<N>, &Rows<N>),
    /// `a = a - b` in `[0, q)`.
    pub subtract: fn(Cpu, &mut Rows<N>, &Rows<N>),
}

/// The ordered domain modulo `Q` on `ROWS` rows, residues of degree 2.
pub struct Pairs<const Q: i64, const ROWS: usize>;

impl<const Q: i64, const ROWS: usize> Pairs<Q, ROWS> {
    /// `1` and `w` in turn, as factors, times `2^16` or not.
    const PLAIN: Aligned<[Twiddle; ROWS]> = Aligned(Self::turns(1));
    const STAYING: Aligned<[Twiddle; ROWS]> = Aligned(Self::turns(1 << 16));

    const fn turns(scale: i64) -> [Twiddle; ROWS] {
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
    pub const fn product_bound() -> Bound {
        let b = Ntt::<Q, ROWS, 2>::forward_bound().join(Bound::symmetric(Q - 1));
        let sum = Bound::symmetric(Q - 1).mul(b).mirrored().scale(2 * TERMS as i64);
        assert!(sum.fits(32), "overflow: a sum of an inner product");
        montgomery::bound_wide(sum, Q)
    }

    /// Evaluating this proves that no lane overflows, and that the inverse takes what inner products return.
    pub const PROOF: () = {
        let () = Ntt::<Q, ROWS, 2>::PROOF;
        assert!(ROWS.is_multiple_of(16));
        let sum = Ntt::<Q, ROWS, 2>::forward_bound().add(Self::product_bound().join(Bound::symmetric(Q - 1)));
        assert!(sum.fits(16) && sum.magnitude() <= barrett::exact_limit(Q), "overflow: a sum in the domain");
        assert!(Ntt::<Q, ROWS, 2>::inverse_takes(Self::product_bound()), "overflow: the inverse");
    };
}

impl<const N: usize> PairsEntry<N> {
    /// The entry of a ring. Making it, at compile time, proves the bounds.
    pub const fn of<R: Ring<Coeffs = Rows<N>>, const Q: i64>() -> Self {
        let () = Pairs::<Q, N>::PROOF;
        assert!(R::Q == Q);
        PairsEntry {
            forward: |cpu, a, out| {
                <Ntt<Q, N, 2> as Transform<R>>::forward(cpu, a, &mut out.0);
                cpu.run(Transpose(&mut out.0));
            },
            inverse: |cpu, domain, out| {
                cpu.run(Transpose(&mut domain.0));
                <Ntt<Q, N, 2> as Transform<R>>::inverse(cpu, &mut domain.0, out);
            },
            prepare: |cpu, b, out| {
                cpu.run(Prepare::<Q, N, Leave> { products: PhantomData, b: &b.0, out: &mut out.0 })
            },
            prepare_to_stay: |cpu, b, out| {
                cpu.run(Prepare::<Q, N, Stay> { products: PhantomData, b: &b.0, out: &mut out.0 })
            },
            inner_product: [
                inner_product::<Q, N, 1>,
                inner_product::<Q, N, 2>,
                inner_product::<Q, N, 3>,
                inner_product::<Q, N, 4>,
            ],
            add: |cpu, a, b| cpu.run(Add::<Q, N> { a: &mut a.0, b: &b.0 }),
            subtract: |cpu, a, b| cpu.run(Subtract::<Q, N> { a: &mut a.0, b: &b.0 }),
        }
    }
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

fn inner_product<const Q: i64, const ROWS: usize, const K: usize>(
    cpu: Cpu,
    a: &[&Rows<ROWS>],
    b: &[PairRows<ROWS>],
    out: &mut Rows<ROWS>,
) {
    let (a, b) = (a.try_into().expect("as many terms as said"), b.try_into().expect("as many terms as said"));
    cpu.run(InnerProduct::<Q, ROWS, K> { a, b, out: &mut out.0 });
}

/// Inner products, row by row.
struct InnerProduct<'a, const Q: i64, const ROWS: usize, const K: usize> {
    a: &'a [&'a Rows<ROWS>; K],
    b: &'a [PairRows<ROWS>; K],
    out: &'a mut [Row; ROWS],
}

impl<const Q: i64, const ROWS: usize, const K: usize> Kernel for InnerProduct<'_, Q, ROWS, K> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut r = 0;
        while r < ROWS {
            let (mut even, mut odd) = (s.acc_zero(), s.acc_zero());
            for (a, b) in self.a.iter().zip(self.b) {
                let x = s.load(&a.0[r]);
                even = s.madd_pairs(even, x, s.load(&b.0[r][0]));
                odd = s.madd_pairs(odd, x, s.load(&b.0[r][1]));
            }
            let (low, high) = s.even_odd(even, odd);
            s.store(&mut self.out[r], montgomery::reduce_wide::<S, Q>(s, low, high));
            r += 1;
        }
    }
}
