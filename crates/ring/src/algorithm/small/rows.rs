//! Products of a challenge and a small polynomial by the row transform modulo a small prime.
//!
//! # The map
//! That of [`RowTransform`]: residues modulo `x^16 - w` across rows, products of them, and back to centred
//! coefficients. Both operands are transformed once for many products: a challenge meets all polynomials of a
//! secret vector, a secret polynomial all challenges.
//!
//! # Bounds and conditions
//! Those of [`RowTransform`], and that centred residues modulo `q` are the product: `2 WEIGHT SIZE < q`. With
//! `q` = 3329 all sets of ML-DSA have it.
//!
//! # Constant time
//! In both operands.
//!
//! # Source
//! Ringsmith's own: see [`RowTransform`].
//!
//! ```
//! use ringsmith_ring::Rows;
//! use ringsmith_ring::algorithm::small::{Sizes, rows::*};
//! use ringsmith_simd::Cpu;
//!
//! /// ML-DSA-65.
//! #[derive(Clone, Copy)]
//! struct Set;
//! impl Sizes for Set {
//!     const WEIGHT: i64 = 49;
//!     const SIZE: i64 = 4;
//! }
//!
//! // -x^255 times 4 x is 4.
//! type Product = SmallRows<Set, 3329, 16>;
//! let (cpu, mut c, mut s) = (Cpu::detect(), Rows([[0; 16]; 16]), Rows([[0; 16]; 16]));
//! (c.0[15][15], s.0[0][1]) = (-1, 4);
//! let (mut challenge, mut small) = (Challenge::ZERO, Small::ZERO);
//! Product::transform(cpu, &c, &mut challenge);
//! Product::prepare(cpu, &s, &mut small, &mut Rows([[0; 16]; 16]));
//! let (mut out, mut scratch) = (Rows([[0; 16]; 16]), Rows([[0; 16]; 16]));
//! Product::multiply(cpu, &challenge, &small, &mut out, &mut scratch);
//! assert_eq!(out.0[0][..2], [4, 0]);
//! ```

use super::Sizes;
use crate::algorithm::rows::RowTransform;
use crate::bound::{Bound, hold};
use crate::memory::{Rows, wipe};
use core::marker::PhantomData;
use ringsmith_simd::{Row, Run};
use zeroize::Zeroize;

/// A challenge, transformed.
#[derive(Clone, Copy)]
pub struct Challenge<const ROWS: usize>(Rows<ROWS>);

impl<const ROWS: usize> Challenge<ROWS> {
    /// That of 0.
    pub const ZERO: Self = Challenge(Rows([[0; 16]; ROWS]));
}

/// A small polynomial, prepared: windows of its residues. It may be secret: [`Zeroize`] clears it.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Small<const ROWS: usize>([[Row; 2]; ROWS]);

impl<const ROWS: usize> Small<ROWS> {
    /// That of 0.
    pub const ZERO: Self = Small([[[0; 16]; 2]; ROWS]);
}

impl<const ROWS: usize> Zeroize for Small<ROWS> {
    fn zeroize(&mut self) {
        wipe(self.0.as_flattened_mut().as_flattened_mut());
    }
}

/// Products of sizes `C` modulo `Q` and `x^(16 ROWS) + 1`.
pub struct SmallRows<C, const Q: i64, const ROWS: usize>(PhantomData<C>);

impl<C: Sizes, const Q: i64, const ROWS: usize> SmallRows<C, Q, ROWS> {
    /// Evaluating this proves that products are exact, and that no lane overflows.
    pub const PROOF: () = {
        let () = RowTransform::<Q, ROWS>::PROOF;
        assert!(2 * C::PRODUCT < Q, "overflow: a product beyond the modulus");
    };

    /// Transforms a challenge: coefficients 0, 1 and -1.
    pub fn transform(cpu: impl Run, c: &Rows<ROWS>, out: &mut Challenge<ROWS>) {
        let () = Self::PROOF;
        debug_assert!(hold(c.0.as_flattened(), Bound::symmetric(1)), "a challenge out of range");
        RowTransform::<Q, ROWS>::forward_first(cpu, c, &mut out.0.0);
    }

    /// Prepares a small polynomial; spoils the scratch memory, which has secrets afterwards where it is one.
    pub fn prepare(cpu: impl Run, s: &Rows<ROWS>, out: &mut Small<ROWS>, scratch: &mut Rows<ROWS>) {
        let () = Self::PROOF;
        debug_assert!(hold(s.0.as_flattened(), Bound::symmetric(C::SIZE)), "a small one out of range");
        RowTransform::<Q, ROWS>::forward_second(cpu, s, &mut scratch.0, &mut out.0);
    }

    /// `out = c s`; spoils the scratch memory likewise.
    pub fn multiply(
        cpu: impl Run,
        c: &Challenge<ROWS>,
        s: &Small<ROWS>,
        out: &mut Rows<ROWS>,
        scratch: &mut Rows<ROWS>,
    ) {
        let () = Self::PROOF;
        *scratch = c.0;
        RowTransform::<Q, ROWS>::multiply_transformed(cpu, &mut scratch.0, &s.0, out);
        debug_assert!(hold(out.0.as_flattened(), Bound::symmetric(C::PRODUCT)), "a product out of range");
    }
}
