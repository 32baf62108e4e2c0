//! The domain of a complete transform in the order of the exponents.
//!
//! NewHope's public keys and messages hold polynomials as their values `a(psi^(2 i + 1))`, `i` from 0 to `n - 1`, and its public
//! polynomial is sampled as such values.
//!
//! # The map
//! [`Ntt`] leaves the value of exponent `2 bitrev(p) + 1` at slot (row `16 t + c`, lane `l`), `p = 256 t + 16 l + c`. So slot
//! `(t, c, l)` belongs at place `i = bitrev(p)`: the bits of `c` reversed are its highest four, those of `l` the next, those of `t`
//! the lowest. For one `c`, the rows of all tiles are a block of places, and only bits of the row and of the lane change places
//! inside: four layers of zips, found by a search over all sequences of them. Each zip is a permutation of those bits:
//!
//! ```text
//! with r the bit that tells its two registers apart
//! zip 1   row r <- lane bit 2 <- 1 <- 0 <- r
//! zip 2   row r <- lane bit 2 <- 1 <- r
//! zip 4   row r <-> lane bit 2
//! zip 8   row r <-> lane bit 3
//! ```
//!
//! NewHope's code takes coefficients in the order of the reversed bits of their exponents, and so defines where each number of the
//! sampled noise stands ([`forward_reversed`](CompleteEntry::forward_reversed)).
//!
//! # Factors
//! A [`product`](CompleteEntry::product) has a factor `2^-16`, which the inverse takes off; products that stay in the domain are by
//! operands that [`to_stay`](CompleteEntry::to_stay) has multiplied by `2^16`.
//!
//! # Bounds and conditions
//! In: centred coefficients, or below `q`. Negacyclic rings of degree 512 and 1024.
//!
//! # Source
//! The order: E. Alkim et al., NewHope (submission to NIST, 2019), section 1.2.1, and the USENIX paper's code before it. The zips:
//! Ringsmith's.

use super::Combine;
use crate::algorithm::network::{scatter, transpose8};
use crate::algorithm::ntt::Ntt;
use crate::algorithm::plan::KEEP_ALL;
use crate::bound::Bound;
use crate::multiplier::Transform;
use crate::number::bit_reverse;
use crate::reduce::barrett;
use crate::reduce::montgomery::{self, Factor};
use crate::ring::{Ring, Rows};
use ringsmith_simd::{Cpu, Kernel, Row, Simd, each};
use zeroize::Zeroizing;

/// The functions of a ring's complete domain in the order of the exponents. Constant time in all coefficients.
pub struct CompleteEntry<const N: usize> {
    /// Into the domain; values leave centred.
    pub forward: fn(Cpu, &Rows<N>, &mut Rows<N>),
    /// The same of an array whose place `j` holds the coefficient of `x^bitrev(j)`.
    pub forward_reversed: fn(Cpu, &Rows<N>, &mut Rows<N>),
    /// Out of the domain, from a product with its factor `2^-16`, to centred coefficients.
    pub inverse: fn(Cpu, &Rows<N>, &mut Rows<N>),
    /// `out = a b 2^-16`, value by value, of what the other functions return and numbers below `q`.
    pub product: fn(Cpu, &Rows<N>, &Rows<N>, &mut Rows<N>),
    /// `a = 2^16 a`, for products that stay in the domain.
    pub to_stay: fn(Cpu, &mut Rows<N>),
    /// `a = a + b` in `[0, q)`, of what the other functions return and numbers below `q`.
    pub add: fn(Cpu, &mut Rows<N>, &Rows<N>),
    /// `a = a - b` in `[0, q)`, of the same.
    pub subtract: fn(Cpu, &mut Rows<N>, &Rows<N>),
}

/// The ordered domain modulo `Q` on `ROWS` rows.
pub struct Complete<const Q: i64, const ROWS: usize>;

impl<const Q: i64, const ROWS: usize> Complete<Q, ROWS> {
    /// What the functions take: what the forward transform returns, centred, and numbers below `q`.
    const VALUES: Bound = Bound::symmetric(Q - 1);

    /// What a product returns.
    pub const fn product_bound() -> Bound {
        montgomery::bound_wide(Self::VALUES.mul(Self::VALUES).mirrored(), Q)
    }

    /// Evaluating this proves that no lane overflows, and that the inverse takes what products return.
    pub const PROOF: () = {
        let () = Ntt::<Q, ROWS, 1, KEEP_ALL>::PROOF;
        assert!(ROWS == 32 || ROWS == 64);
        assert!(
            Ntt::<Q, ROWS, 1>::forward_bound().magnitude() <= barrett::exact_limit(Q),
            "overflow: a value"
        );
        assert!(Self::product_bound().fits(16), "overflow: a product in the domain");
        let sum = Self::VALUES.join(Self::product_bound()).scale(2);
        assert!(sum.fits(16) && sum.magnitude() <= barrett::exact_limit(Q), "overflow: a sum in the domain");
        assert!(Ntt::<Q, ROWS, 1>::inverse_takes(Self::product_bound()), "overflow: the inverse");
    };
}

impl<const N: usize> CompleteEntry<N> {
    /// The entry of a ring. Making it, at compile time, proves the bounds.
    pub const fn of<R: Ring<Coeffs = Rows<N>>, const Q: i64>() -> Self {
        let () = Complete::<Q, N>::PROOF;
        assert!(R::Q == Q);
        CompleteEntry {
            forward: forward::<R, Q, N>,
            forward_reversed: |cpu, a, out| {
                let mut coefficients = Zeroizing::new(Rows([[0; 16]; N]));
                cpu.run(BitReverse { from: &a.0, to: &mut coefficients.0 });
                forward::<R, Q, N>(cpu, &coefficients, out);
            },
            inverse: |cpu, domain, out| {
                let mut reordered = Zeroizing::new(Rows([[0; 16]; N]));
                cpu.run(Reorder::<Q, N, true> { from: &domain.0, to: &mut reordered.0 });
                <Ntt<Q, N, 1> as Transform<R>>::inverse(cpu, &mut reordered.0, out);
            },
            product: |cpu, a, b, out| cpu.run(Product::<Q, N> { a: &a.0, b: &b.0, out: &mut out.0 }),
            to_stay: |cpu, a| cpu.run(ToStay::<Q, N>(&mut a.0)),
            add: |cpu, a, b| cpu.run(Combine::<Q, N, false> { a: &mut a.0, b: &b.0 }),
            subtract: |cpu, a, b| cpu.run(Combine::<Q, N, true> { a: &mut a.0, b: &b.0 }),
        }
    }
}

fn forward<R: Ring<Coeffs = Rows<N>>, const Q: i64, const N: usize>(
    cpu: Cpu,
    a: &Rows<N>,
    out: &mut Rows<N>,
) {
    let mut domain = Zeroizing::new(Rows([[0; 16]; N]));
    <Ntt<Q, N, 1> as Transform<R>>::forward(cpu, a, &mut domain.0);
    cpu.run(Reorder::<Q, N, false> { from: &domain.0, to: &mut out.0 });
}

/// From the order of the transform to that of the exponents, centred on the way; or `BACK`.
struct Reorder<'a, const Q: i64, const ROWS: usize, const BACK: bool> {
    from: &'a [Row; ROWS],
    to: &'a mut [Row; ROWS],
}

impl<const Q: i64, const ROWS: usize, const BACK: bool> Reorder<'_, Q, ROWS, BACK> {
    const TILES: usize = ROWS / 16;

    /// Of four registers that begin at row `c` of the tiles, which hold as many rows `c`, `c + 1` as there are blocks for: where
    /// register `g` stands in the transform's order, and where in that of the exponents.
    const fn places(c: usize, g: usize) -> [usize; 2] {
        let (c, tile) = (c + g / Self::TILES, g % Self::TILES);
        let reversed = bit_reverse(tile, Self::TILES.trailing_zeros());
        let of_exponents = if BACK { tile } else { reversed };
        [16 * reversed + c, Self::TILES * bit_reverse(c, 4) + of_exponents]
    }
}

impl<const Q: i64, const ROWS: usize, const BACK: bool> Kernel for Reorder<'_, Q, ROWS, BACK> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (source, target) = if BACK { (1, 0) } else { (0, 1) };
        let mut c = 0;
        while c < 16 {
            let mut x: [_; 4] = each(
                #[inline(always)]
                |g| {
                    let x = s.load(&self.from[Self::places(c, g)[source]]);
                    if BACK { x } else { barrett::exact::<S, Q>(s, x) }
                },
            );
            x = match (ROWS, BACK) {
                (32, _) => {
                    let x = zips::<S, 2, 1>(s, zips::<S, 1, 1>(s, x));
                    zips::<S, 2, 1>(s, zips::<S, 8, 1>(s, x))
                }
                (_, back) => {
                    let x = zips::<S, 2, 2>(s, zips::<S, 8, 2>(s, zips::<S, 1, 2>(s, x)));
                    if back { zips::<S, 2, 1>(s, x) } else { zips::<S, 1, 1>(s, x) }
                }
            };
            let mut g = 0;
            while g < 4 {
                s.store(&mut self.to[Self::places(c, g)[target]], x[g]);
                g += 1;
            }
            c += 4 / Self::TILES;
        }
    }
}

/// Zips the registers whose numbers differ by `APART`, 1 or 2.
#[inline(always)]
fn zips<S: Simd, const BLOCK: usize, const APART: usize>(s: S, x: [S::I16; 4]) -> [S::I16; 4] {
    if APART == 1 {
        let (a, b) = (s.zip::<BLOCK>(x[0], x[1]), s.zip::<BLOCK>(x[2], x[3]));
        [a.0, a.1, b.0, b.1]
    } else {
        let (a, b) = (s.zip::<BLOCK>(x[0], x[2]), s.zip::<BLOCK>(x[1], x[3]));
        [a.0, b.0, a.1, b.1]
    }
}

/// Moves place `j` to place `bitrev(j)`.
///
/// Place `(r, t, l)`, `r` four bits of the row, `t` the rest, `l` the lane, goes to `(bitrev(l), bitrev(t), bitrev(r))`: for each `t`
/// a transpose of 16 x 16, of rows that are read and written in the order of their reversed numbers.
struct BitReverse<'a, const ROWS: usize> {
    from: &'a [Row; ROWS],
    to: &'a mut [Row; ROWS],
}

impl<const ROWS: usize> BitReverse<'_, ROWS> {
    const TILES: usize = ROWS / 16;
}

impl<const ROWS: usize> Kernel for BitReverse<'_, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut t = 0;
        while t < Self::TILES {
            // Eight rows at a time: their columns c and 8 + c, side by side.
            let (mut columns, mut half) = ([[0; 16]; 16], 0);
            while half < 16 {
                let rows = each(
                    #[inline(always)]
                    |g| s.load(&self.from[Self::TILES * bit_reverse(half + g, 4) + t]),
                );
                scatter(s, &mut columns, half, 1, transpose8(s, rows));
                half += 8;
            }
            let (place, mut c) = (bit_reverse(t, Self::TILES.trailing_zeros()), 0);
            while c < 8 {
                let (low, high) = s.load_zip8(&columns[c], &columns[8 + c]);
                s.store(&mut self.to[Self::TILES * bit_reverse(c, 4) + place], low);
                s.store(&mut self.to[Self::TILES * bit_reverse(8 + c, 4) + place], high);
                c += 1;
            }
            t += 1;
        }
    }
}

/// `out = a b 2^-16`.
struct Product<'a, const Q: i64, const ROWS: usize> {
    a: &'a [Row; ROWS],
    b: &'a [Row; ROWS],
    out: &'a mut [Row; ROWS],
}

impl<const Q: i64, const ROWS: usize> Kernel for Product<'_, Q, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut r = 0;
        while r < ROWS {
            let (a, b) = (s.load(&self.a[r]), s.load(&self.b[r]));
            s.store(&mut self.out[r], montgomery::product::<S, Q>(s, a, b));
            r += 1;
        }
    }
}

/// `a = 2^16 a`.
struct ToStay<'a, const Q: i64, const ROWS: usize>(&'a mut [Row; ROWS]);

impl<const Q: i64, const ROWS: usize> Kernel for ToStay<'_, Q, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let factor = const { Factor::new(1 << 16, Q) };
        let mut r = 0;
        while r < ROWS {
            let a = s.load(&self.0[r]);
            s.store(&mut self.0[r], montgomery::scale::<S, Q>(s, a, factor));
            r += 1;
        }
    }
}
