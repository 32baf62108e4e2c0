//! The domain of a complete transform in the order of the exponents.
//!
//! NewHope's public keys and messages hold polynomials as their values `a(psi^(2 i + 1))`, `i` from 0 to
//! `n - 1`, and its public polynomial is sampled as such values.
//!
//! # The map
//! [`Ntt`](crate::algorithm::ntt::Ntt) leaves the value of exponent `2 bitrev(p) + 1` at slot (row
//! `16 t + c`, lane `l`), `p = 256 t + 16 l + c`. So slot `(t, c, l)` belongs at place `i = bitrev(p)`: the
//! bits of `c` reversed are its highest four, those of `l` the next, those of `t` the lowest. For one `c`,
//! the rows of all tiles are a block of places, and only bits of the row and of the lane change places
//! inside: four layers of zips, found by a search over all sequences of them. Each zip is a permutation of
//! those bits:
//!
//! ```text
//! with r the bit that tells its two registers apart
//! zip 1   row r <- lane bit 2 <- 1 <- 0 <- r
//! zip 2   row r <- lane bit 2 <- 1 <- r
//! zip 4   row r <-> lane bit 2
//! zip 8   row r <-> lane bit 3
//! ```
//!
//! NewHope's code takes coefficients in the order of the reversed bits of their exponents, and so defines
//! where each number of the sampled noise stands ([`exponents`](DomainEntry::exponents)).
//!
//! # Another root of unity
//! Longa and Naehrig's code takes 1945 for the root, and leaves values in the order of the in-place
//! transform: place `p` is the value at `1945^(2 bitrev(p) + 1)`. With `1945 = psi^k` that is the value of
//! another place, at exponent `k (2 bitrev(p) + 1)`: a table ([`by_root`](DomainEntry::by_root)).
//!
//! # Bounds and conditions
//! In: centred coefficients, or below `q`. Negacyclic rings of degree 512 and 1024.
//!
//! # Source
//! The orders: E. Alkim et al., NewHope (submission to NIST, 2019), section 1.2.1, and the USENIX paper's
//! code before it; Microsoft's LatticeCrypto 1.0, for P. Longa, M. Naehrig, CANS 2016. The zips: Ringsmith's.

use super::values::{CompleteTransform, product};
use super::{ByRoot, Exponents, PlainOrder, Scaled, accumulate, scale, sum};
use crate::algorithm::choice::{self, Direction, Minus, Plus};
use crate::algorithm::network::{scatter, transpose8};
use crate::algorithm::ntt::domain_place;
use crate::bound::Bound;
use crate::domain::DomainEntry;
use crate::memory::Rows;
use crate::number::{bit_reverse, inverse as inverse_of, inverse_mod_word, power, transform_root};
use crate::reduce::barrett;
use crate::reduce::centre::Centre;
use crate::reduce::residues::Odd;
use crate::ring::Ring;
use core::marker::PhantomData;
use ringsmith_simd::{Cpu, Kernel, Row, Simd, each};
use zeroize::Zeroizing;

/// Proves that no lane overflows where values of `V` are put in order and added.
const fn proof<R: Ring<Coeffs = Rows<N>>, V: CompleteTransform<R, N>, const Q: i64, const N: usize>() {
    let () = V::PROOF;
    assert!(R::Q == Q && (N == 32 || N == 64));
    assert!(V::VALUES.magnitude() <= barrett::exact_limit(Q), "overflow: a value");
    let value = Bound::symmetric(Q - 1).join(V::PRODUCTS);
    let sum = value.add(value).join(value.sub(value));
    assert!(sum.fits(16) && sum.magnitude() <= barrett::exact_limit(Q), "overflow: a sum in the domain");
}

impl<R: Ring<Coeffs = Rows<N>>, const N: usize> DomainEntry<R, Exponents> {
    /// The domain in the order of the exponents, by the transform of `V`. Elements enter as arrays whose
    /// place `j` holds the coefficient of `x^bitrev(j)`; the inverse leaves coefficients in their order.
    /// Making it, at compile time, proves the bounds.
    pub const fn exponents<V: CompleteTransform<R, N>, const Q: i64>() -> Self {
        entry::<R, V, Exponents, Q, N>(
            |cpu, a, out| {
                let mut coefficients = Zeroizing::new(Rows([[0; 16]; N]));
                cpu.run(BitReverse { from: &a.0, to: &mut coefficients.0 });
                let mut domain = Zeroizing::new(Rows([[0; 16]; N]));
                V::forward(cpu, &coefficients, &mut domain.0);
                let way = PhantomData::<choice::Forward>;
                cpu.run(Reorder::<Q, N, _> { way, from: &domain.0, to: &mut out.0 });
            },
            |cpu, domain, out| {
                let mut reordered = Zeroizing::new(Rows([[0; 16]; N]));
                let way = PhantomData::<choice::Inverse>;
                cpu.run(Reorder::<Q, N, _> { way, from: &domain.0, to: &mut reordered.0 });
                V::inverse(cpu, &mut reordered.0, out);
            },
        )
    }
}

impl<R: Ring<Coeffs = Rows<N>>, const ROOT: i64, const N: usize> DomainEntry<R, ByRoot<ROOT>> {
    /// The domain of the in-place transform by `ROOT`: place `p` is the value at `ROOT^(2 bitrev(p) + 1)`.
    /// Making it, at compile time, proves the bounds.
    pub const fn by_root<V: CompleteTransform<R, N>, const Q: i64>() -> Self {
        entry::<R, V, ByRoot<ROOT>, Q, N>(
            |cpu, a, out| {
                let mut domain = Zeroizing::new(Rows([[0; 16]; N]));
                V::forward(cpu, a, &mut domain.0);
                cpu.run(Centre { by: Odd::<Q>, rows: &mut domain.0 });
                let (from, to) = (domain.0.as_flattened(), out.0.as_flattened_mut());
                let slots = const { &Slots::<Q, N, ROOT>::SLOTS }.as_flattened();
                to.iter_mut().zip(slots).for_each(|(value, slot)| *value = from[*slot as usize]);
            },
            |cpu, domain, out| {
                let mut reordered = Zeroizing::new(Rows([[0; 16]; N]));
                let (from, to) = (domain.0.as_flattened(), reordered.0.as_flattened_mut());
                let slots = const { &Slots::<Q, N, ROOT>::SLOTS }.as_flattened();
                from.iter().zip(slots).for_each(|(value, slot)| to[*slot as usize] = *value);
                V::inverse(cpu, &mut reordered.0, out);
            },
        )
    }
}

/// A domain by the transform of `V`, that enters and is left so.
const fn entry<
    R: Ring<Coeffs = Rows<N>>,
    V: CompleteTransform<R, N>,
    O: PlainOrder,
    const Q: i64,
    const N: usize,
>(
    forward: fn(Cpu, &Rows<N>, &mut Rows<N>),
    inverse: fn(Cpu, &mut Rows<N>, &mut Rows<N>),
) -> DomainEntry<R, O> {
    let () = proof::<R, V, Q, N>();
    DomainEntry {
        route: V::ROUTE,
        forward,
        inverse,
        accumulate: |cpu, a, b, out| {
            accumulate::<R, O, Q, N>(cpu, a, b, out, |a, b, out| product::<R, V, N>(cpu, a, b, out));
        },
        add: sum::<Plus, Q, N>,
        subtract: sum::<Minus, Q, N>,
        more: Scaled { scale: scale::<Q, N>, unfactor: inverse_of(V::FACTOR, Q) },
    }
}

/// The order of the transform by `ROOT`.
struct Slots<const Q: i64, const ROWS: usize, const ROOT: i64>;

impl<const Q: i64, const ROWS: usize, const ROOT: i64> Slots<Q, ROWS, ROOT> {
    /// The slot of each place's value in the order of [`Ntt`](crate::algorithm::ntt::Ntt), whose root is
    /// `psi`.
    const SLOTS: [[u16; 16]; ROWS] = {
        let (n, bits) = (16 * ROWS, ROWS.trailing_zeros() + 4);
        let (psi, mut k) = (transform_root(2 * n as u64, Q), 1);
        while power(psi, k, Q) != ROOT {
            k += 2;
            assert!(k < 2 * n as u64, "the roots of unity have different orders");
        }
        let (mut places, mut slot) = ([[0; 16]; ROWS], 0);
        // Exponents are modulo 2 n, a power of two.
        let back = inverse_mod_word(k as i64) as u16 as usize;
        // Of a slot's value: its place by the root psi, the exponent of psi, that of ROOT, its place by it.
        while slot < n {
            let exponent = 2 * bit_reverse(domain_place(slot / 16, slot % 16), bits) + 1;
            let place = bit_reverse(exponent * back % (2 * n) / 2, bits);
            places[place / 16][place % 16] = slot as u16;
            slot += 1;
        }
        places
    };
}

/// From the order of the transform to that of the exponents, centred on the way; or back.
struct Reorder<'a, const Q: i64, const ROWS: usize, D> {
    way: PhantomData<D>,
    from: &'a [Row; ROWS],
    to: &'a mut [Row; ROWS],
}

impl<const Q: i64, const ROWS: usize, D: Direction> Reorder<'_, Q, ROWS, D> {
    const TILES: usize = ROWS / 16;

    /// Of four registers that begin at row `c` of the tiles, which hold as many rows `c`, `c + 1` as there
    /// are blocks for: where register `g` stands in the transform's order, and where in that of the
    /// exponents.
    const fn places(c: usize, g: usize) -> [usize; 2] {
        let (c, tile) = (c + g / Self::TILES, g % Self::TILES);
        let reversed = bit_reverse(tile, Self::TILES.trailing_zeros());
        let of_exponents = if D::INVERSE { tile } else { reversed };
        [16 * reversed + c, Self::TILES * bit_reverse(c, 4) + of_exponents]
    }
}

impl<const Q: i64, const ROWS: usize, D: Direction> Kernel for Reorder<'_, Q, ROWS, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (source, target) = if D::INVERSE { (1, 0) } else { (0, 1) };
        let mut c = 0;
        while c < 16 {
            let mut x: [_; 4] = each(
                #[inline(always)]
                |g| {
                    let x = s.load(&self.from[Self::places(c, g)[source]]);
                    if D::INVERSE { x } else { barrett::exact::<S, Q>(s, x) }
                },
            );
            x = match (ROWS, D::INVERSE) {
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

/// Zips the registers whose numbers differ by `DISTANCE`, 1 or 2.
#[inline(always)]
fn zips<S: Simd, const BLOCK: usize, const DISTANCE: usize>(s: S, x: [S::I16; 4]) -> [S::I16; 4] {
    if DISTANCE == 1 {
        let (a, b) = (s.zip::<BLOCK>(x[0], x[1]), s.zip::<BLOCK>(x[2], x[3]));
        [a.0, a.1, b.0, b.1]
    } else {
        let (a, b) = (s.zip::<BLOCK>(x[0], x[2]), s.zip::<BLOCK>(x[1], x[3]));
        [a.0, b.0, a.1, b.1]
    }
}

/// Moves place `j` to place `bitrev(j)`.
///
/// Place `(r, t, l)`, `r` four bits of the row, `t` the rest, `l` the lane, goes to
/// `(bitrev(l), bitrev(t), bitrev(r))`: for each `t` a transpose of 16 x 16, of rows that are read and
/// written in the order of their reversed numbers.
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
