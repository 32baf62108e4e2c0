//! Good and Thomas' product over auxiliary primes: for any odd modulus.
//!
//! # The map
//! The product of two polynomials with integer coefficients is computed modulo primes `p_i` that have the
//! roots of unity that `q` lacks, and made whole by the Chinese remainder theorem, where `p_1 p_2 ...` is
//! more than twice the largest coefficient it can have.
//! 1. `2 n - 1 <= 3 m` with `m` a power of two: the product is one in `Z[x]/(x^(3 m) + 1)`. With `x = y z`,
//!    `y^m = -1`, `z^3 = 1` (Good and Thomas: 3 and `m` are coprime) that is `Z[y, z]/(y^m + 1, z^3 - 1)`:
//!    `x^(t m + k) = (-1)^t y^k z^(t m + k)`.
//! 2. Modulo a prime with `w` of order 3, `z = 1, w, w^2` leave three rings modulo `y^m + 1`. Coefficient `k`
//!    of the ring of `w^c` is the sum over `t` of `(-1)^t w^(c (t m + k)) a_(t m + k)`: a factor for each
//!    lane, which depends on the number of the row modulo 3. So nothing is permuted.
//! 3. In each of the three, a product by the transform of [`ntt`](super::ntt) or, where the prime lacks the
//!    roots for it, of [`incomplete`](super::incomplete).
//! 4. Back: `3 x_(t m + k) = (-1)^t` times the sum over `c` of `w^(-c (t m + k))` times coefficient `k` of
//!    the ring of `w^c`.
//! 5. The digits `x_1`, `u_2 = (x_2 - x_1) / p_1 mod p_2`, `u_3 = ((x_3 - x_1) / p_1 - u_2) / p_2 mod p_3`,
//!    centred, are those of the integer `x_1 + p_1 u_2 + p_1 p_2 u_3`, which is taken modulo `q`.
//! 6. `x^n = x + 1`, in one pass with the last reduction.
//!
//! # Which primes
//! An operand is centred, or small ([`Small`](crate::Small)). The exact bound of a coefficient of the
//! product, `n (q / 2) s` where `|b| <= s`, chooses how many primes there must be: for NTRU Prime two where
//! `b` is small, three where it is not.
//!
//! # Conditions
//! `x^n - x - 1` with `2 n - 1 <= 3072`, and an odd modulus whose products fit the three primes.
//!
//! # Bounds
//! In: centred; out: centred. The transforms prove their own; [`PROOF`](GoodThomas::PROOF) the rest.
//!
//! # Source
//! I. J. Good, 1958; L. H. Thomas, 1963. The primes 7681 and 10753 for `3 x 512`: D. J. Bernstein, B. B.
//! Brumley, M.-S. Chen, N. Tuveri: OpenSSLNTRU, USENIX Security 2022 (eprint 2021/826), section 3.2, which
//! transforms modulo `y^512 - 1` and permutes by masks.
//!
//! ```
//! use ringsmith_ring::{Poly, Route, Small};
//! use ringsmith_routes::{multiplier, rings::NtruPrime761};
//! use ringsmith_simd::Cpu;
//!
//! let a = Poly::<NtruPrime761>::new(&[2295i16; 761]).unwrap();
//! let b = Small::new(&[-1i16; 761]).unwrap();
//! let good_thomas = multiplier(Cpu::detect(), Route::GoodThomas)?;
//! let rows = multiplier(Cpu::detect(), Route::Rows)?;
//! let (mut c, mut d, mut scratch) = (Poly::zero(), Poly::zero(), rows.scratch());
//! good_thomas.multiply_small_into(&a, &b, &mut c, &mut scratch);
//! rows.multiply_small_into(&a, &b, &mut d, &mut scratch);
//! assert_eq!(c.centred(), d.centred());
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

use super::choice::Operand;
use super::incomplete::{BySchoolbook, Incomplete, Negacyclic};
use super::network::{Aligned, Twiddle};
use super::ntt::Ntt;
use super::rows::cyclic::PRODUCT;
use super::rows::cyclic::fold::Fold;
use crate::bound::{Bound, hold};
use crate::multiplier::Product;
use crate::number::{inverse, power, root_of_unity};
use crate::reduce::barrett;
use crate::reduce::montgomery::{self, Factor, bound_any};
use crate::reduce::residues::Odd;
use crate::ring::{Ring, Rows, Shape};
use crate::route::Route;
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Row, Run, Simd};

/// The primes of rings of 512 coefficients. All have roots of unity of order 3 and of the orders that the
/// transforms below need.
pub const PRIMES_512: [i64; 3] = [7681, 10753, 12289];
/// Those of rings of 1024, where 7681 and 10753 leave residues of degree 8, whose products are too large for
/// a lane. The third has little to hold.
pub const PRIMES_1024: [i64; 3] = [12289, 15361, 769];

/// Rows of the greatest ring.
const GREATEST: usize = 64;

/// Rows of the ring of which three hold the product of polynomials of `n` coefficients.
pub const fn third(n: usize) -> usize {
    if 2 * n - 1 <= 3 * 16 * GREATEST / 2 { GREATEST / 2 } else { GREATEST }
}

/// Its primes, in the order in which they are taken: as many as hold the product.
pub const fn primes(n: usize) -> [i64; 3] {
    if third(n) < GREATEST { PRIMES_512 } else { PRIMES_1024 }
}

/// Whether the product of polynomials of `n` coefficients modulo `q` is had over the auxiliary primes:
/// whether there are rings for its length, and the primes hold it.
pub(crate) const fn holds(q: i64, n: usize) -> bool {
    if 2 * n - 1 > 3 * 16 * GREATEST {
        return false;
    }
    let (primes, rows) = (primes(n), third(n));
    lanes_hold(q, primes, parts(n.div_ceil(16), rows)) && how_many(primes, q, n, q / 2) <= primes.len()
}

/// Elements modulo `y^m + 1` and a prime, in `ROWS` rows.
pub struct Auxiliary<const P: i64, const ROWS: usize>;

/// A product modulo `y^m + 1` and a prime, in `ROWS` rows.
pub trait Inner<const ROWS: usize> {
    /// Evaluating this proves that no lane overflows.
    const PROOF: ();
    /// `a = a b`, of centred elements and to one; spoils `b`.
    fn multiply(cpu: impl Run, a: &mut [Row; ROWS], b: &mut [Row; ROWS], scratch: &mut [Row; ROWS]);
}

impl<const P: i64, const ROWS: usize, const BASE: usize> Inner<ROWS> for Ntt<P, ROWS, BASE> {
    const PROOF: () = Self::PROOF;
    fn multiply(cpu: impl Run, a: &mut [Row; ROWS], b: &mut [Row; ROWS], scratch: &mut [Row; ROWS]) {
        Self::multiply_rows(cpu, a, b, scratch);
    }
}

impl<const P: i64, const ROWS: usize, const BASE: usize> Inner<ROWS>
    for Incomplete<P, ROWS, BASE, Negacyclic, BySchoolbook>
{
    const PROOF: () = Self::PROOF;
    fn multiply(cpu: impl Run, a: &mut [Row; ROWS], b: &mut [Row; ROWS], scratch: &mut [Row; ROWS]) {
        Self::multiply_rows(cpu, a, b, scratch);
    }
}

/// The transform that serves a prime and a length. Its proof is no constant of this: the compiler would
/// evaluate it for everybody who compiles this file, and not only where a ring lists the route.
pub trait Served<const ROWS: usize> {
    /// The transform.
    type By: Inner<ROWS>;
}

macro_rules! by {
    ($(($p:literal, $rows:literal) $transform:ty;)*) => { $(
        impl Served<$rows> for Auxiliary<$p, $rows> {
            type By = $transform;
        }
    )* };
}

by! {
    (7681, 32) Ntt<7681, 32, 2>;
    (10753, 32) Ntt<10753, 32, 2>;
    (12289, 32) Ntt<12289, 32, 1>;
    (12289, 64) Ntt<12289, 64, 1>;
    (15361, 64) Ntt<15361, 64, 2>;
    (769, 64) Incomplete<769, 64, 8, Negacyclic, BySchoolbook>;
}

/// `root` to the powers `0, 1, 2` times `scale`, lane by lane, in three rows: what lane `l` of a row has
/// whose number modulo 3 is `i`.
const fn lanes(root: i64, scale: i64, p: i64) -> [Twiddle; 3] {
    let (mut rows, mut i) = ([[[0; 16]; 2]; 3], 0);
    while i < 48 {
        // A row is 16 coefficients, and 16 is 1 modulo 3.
        let (row, lane) = (i / 16, i % 16);
        let factor = Factor::new(scale * power(root, (row + lane) as u64, p) % p, p);
        (rows[row][0][lane], rows[row][1][lane]) = (factor.z, factor.zq);
        i += 1;
    }
    rows
}

/// The tables of a prime: for the rings of `w` and `w^2`.
struct Third<const P: i64>;

impl<const P: i64> Third<P> {
    const ROOT: i64 = root_of_unity(3, P);
    const FORWARD: Aligned<[[Twiddle; 3]; 2]> =
        Aligned([lanes(Self::ROOT, 1, P), lanes(Self::ROOT * Self::ROOT % P, 1, P)]);
    const BACK: Aligned<[[Twiddle; 3]; 2]> =
        Aligned([lanes(Self::ROOT * Self::ROOT % P, inverse(3, P), P), lanes(Self::ROOT, inverse(3, P), P)]);
    const SCALE: Factor = Factor::new(inverse(3, P), P);
}

#[inline(always)]
fn turn<S: Simd, const P: i64>(s: S, x: S::I16, twiddle: &Twiddle) -> S::I16 {
    s.mul_mont(x, s.load(&twiddle[0]), s.load(&twiddle[1]), s.splat(P as i16))
}

/// An operand in the ring of `w^RING`, centred modulo `P`.
struct Split<'a, const P: i64, const OPERAND: usize, const ROWS: usize, const RING: usize> {
    from: &'a [Row; OPERAND],
    to: &'a mut [Row; ROWS],
}

impl<const P: i64, const OPERAND: usize, const ROWS: usize, const RING: usize> Kernel
    for Split<'_, P, OPERAND, ROWS, RING>
{
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let table = const { &Third::<P>::FORWARD.0 };
        let mut i = 0;
        while i < ROWS {
            let (mut sum, mut t) = (s.splat(0), 0);
            while i + t * ROWS < OPERAND {
                let row = i + t * ROWS;
                let mut x = s.load(&self.from[row]);
                if RING > 0 {
                    x = turn::<S, P>(s, x, &table[RING - 1][row % 3]);
                }
                sum = if t.is_multiple_of(2) { s.add(sum, x) } else { s.sub(sum, x) };
                t += 1;
            }
            s.store(&mut self.to[i], barrett::exact::<S, P>(s, sum));
            i += 1;
        }
    }
}

/// From the three rings to coefficients modulo `P`, centred, in place.
struct Join<'a, const P: i64, const ROWS: usize> {
    rows: &'a mut [Row],
}

/// The sum for row `row` of the product, which has the factor 1 in the ring of 1.
#[inline(always)]
fn joined<S: Simd, const P: i64>(s: S, rings: [S::I16; 3], row: usize) -> S::I16 {
    let table = const { &Third::<P>::BACK.0 };
    let [x, y, z] = rings;
    let (y, z) = (turn::<S, P>(s, y, &table[0][row % 3]), turn::<S, P>(s, z, &table[1][row % 3]));
    s.add(x, s.add(y, z))
}

impl<const P: i64, const ROWS: usize> Kernel for Join<'_, P, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let [x, y, z] = thirds::<ROWS>(self.rows);
        let mut i = 0;
        while i < ROWS {
            let plain = montgomery::scale::<S, P>(s, s.load(&x[i]), const { Third::<P>::SCALE });
            let rings = [plain, s.load(&y[i]), s.load(&z[i])];
            s.store(&mut x[i], barrett::exact::<S, P>(s, joined::<S, P>(s, rings, i)));
            let negative = s.sub(s.splat(0), joined::<S, P>(s, rings, i + ROWS));
            s.store(&mut y[i], barrett::exact::<S, P>(s, negative));
            s.store(&mut z[i], barrett::exact::<S, P>(s, joined::<S, P>(s, rings, i + 2 * ROWS)));
            i += 1;
        }
    }
}

/// What every memory of a ring holds: its `CHECK` could not prove it, its tests multiply by every route.
const ROOM: &str = "memory for three rings";

fn thirds<const ROWS: usize>(rows: &mut [Row]) -> [&mut [Row; ROWS]; 3] {
    let (x, rest) = rows.split_first_chunk_mut().expect(ROOM);
    let (y, rest) = rest.split_first_chunk_mut().expect(ROOM);
    [x, y, rest.first_chunk_mut().expect(ROOM)]
}

/// `x_1` and `x_2` to `x_1 + p_1 u_2` modulo `Q`, in the place of `x_1`.
struct TwoPrimes<'a, const Q: i64, const P1: i64, const P2: i64> {
    x: &'a mut [Row],
    y: &'a [Row],
}

/// `u_2`.
#[inline(always)]
fn second_digit<S: Simd, const P1: i64, const P2: i64>(s: S, x: S::I16, y: S::I16) -> S::I16 {
    let factor = const { Factor::new(inverse(P1, P2), P2) };
    barrett::exact::<S, P2>(s, montgomery::scale::<S, P2>(s, s.sub(y, x), factor))
}

impl<const Q: i64, const P1: i64, const P2: i64> Kernel for TwoPrimes<'_, Q, P1, P2> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let weight = const { Factor::new(P1, Q) };
        for (x, y) in self.x.iter_mut().zip(self.y) {
            let first = s.load(x);
            let second = second_digit::<S, P1, P2>(s, first, s.load(y));
            let sum = s.add(first, montgomery::scale::<S, Q>(s, second, weight));
            s.store(x, barrett::exact::<S, Q>(s, sum));
        }
    }
}

/// `x_1`, `x_2` and `x_3` to `x_1 + p_1 u_2 + p_1 p_2 u_3` modulo `Q`, in the place of `x_1`.
struct ThreePrimes<'a, const Q: i64, const P1: i64, const P2: i64, const P3: i64> {
    x: &'a mut [Row],
    y: &'a [Row],
    z: &'a [Row],
}

/// `u_3`, of `u_2`, `x_1` and `x_3`.
#[inline(always)]
fn third_digit<S: Simd, const P1: i64, const P2: i64, const P3: i64>(
    s: S,
    second: S::I16,
    x: S::I16,
    z: S::I16,
) -> S::I16 {
    let by = const { [Factor::new(inverse(P1, P3), P3), Factor::new(inverse(P2, P3), P3)] };
    let rest = montgomery::scale::<S, P3>(s, s.sub(z, x), by[0]);
    barrett::exact::<S, P3>(s, montgomery::scale::<S, P3>(s, s.sub(rest, second), by[1]))
}

impl<const Q: i64, const P1: i64, const P2: i64, const P3: i64> Kernel for ThreePrimes<'_, Q, P1, P2, P3> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let weights = const { [Factor::new(P1, Q), Factor::new(P1 * P2 % Q, Q)] };
        for ((x, y), z) in self.x.iter_mut().zip(self.y).zip(self.z) {
            let first = s.load(x);
            let second = second_digit::<S, P1, P2>(s, first, s.load(y));
            let third = third_digit::<S, P1, P2, P3>(s, second, first, s.load(z));
            let low = s.add(first, montgomery::scale::<S, Q>(s, second, weights[0]));
            let sum = s.add(low, montgomery::scale::<S, Q>(s, third, weights[1]));
            s.store(x, barrett::exact::<S, Q>(s, sum));
        }
    }
}

/// The product modulo `Q` of operands of `OPERAND` rows, in rings of `ROWS` rows, by three primes.
pub struct GoodThomas<
    const Q: i64,
    const OPERAND: usize,
    const ROWS: usize,
    const P1: i64,
    const P2: i64,
    const P3: i64,
>;

/// Rows of memory that a product of `n` coefficients takes: modulo three primes, an operand in a ring, and
/// the domain of a transform.
pub const fn scratch(n: usize) -> usize {
    let rows = 11 * third(n);
    if rows > PRODUCT { rows } else { PRODUCT }
}

/// Into how many parts an operand is cut, at most.
const fn parts(operand: usize, rows: usize) -> i64 {
    operand.div_ceil(rows) as i64
}

/// How many primes hold the product of `n` centred coefficients modulo `q` by `n` of which none is more than
/// `most`; one more than there are where they don't.
pub(crate) const fn how_many(primes: [i64; 3], q: i64, n: usize, most: i64) -> usize {
    let (twice, mut product, mut count) = (2 * n as i64 * (q / 2) * most, 1, 0);
    while product <= twice {
        if count == primes.len() {
            return count + 1;
        }
        product *= primes[count];
        count += 1;
    }
    count
}

/// Whether values are in a word, and their exact reduction modulo `p` centres them.
const fn centres(x: Bound, p: i64) -> bool {
    x.fits(16) && x.magnitude() <= barrett::exact_limit(p)
}

/// Whether the lanes of a prime's kernels hold: an operand in a ring, and the sum over the three rings.
const fn prime_holds(p: i64, q: i64, parts: i64) -> bool {
    let operand = Bound::centred(q);
    let split = operand.mirrored().join(bound_any(operand, p)).scale(parts);
    centres(split, p) && centres(bound_any(Bound::centred(p), p).scale(3), p)
}

/// Whether a digit of `p` is computed from the digits of the primes `before` it, in any order: of each the
/// difference with what is left, which the first time is centred and later a product by a constant, times a
/// constant.
const fn digit_holds(p: i64, before: &[i64]) -> bool {
    let (mut rest, mut i) = (Bound::centred(p).mirrored(), 0);
    while i < before.len() {
        let difference = rest.add(Bound::centred(before[i]).mirrored());
        if !difference.fits(16) {
            return false;
        }
        rest = bound_any(difference, p);
        i += 1;
    }
    centres(rest, p)
}

/// Whether the digits' sum modulo `q` is centred by its reduction, and the sum of three that `x^n = x + 1`
/// makes.
const fn sum_holds(q: i64, primes: [i64; 3]) -> bool {
    let digits = bound_any(Bound::centred(primes[1]), q).add(bound_any(Bound::centred(primes[2]), q));
    let sum = Bound::centred(primes[0]).mirrored().add(digits);
    centres(sum, q) && centres(Bound::centred(q).mirrored().scale(3), q)
}

/// Whether the lanes hold all but what the transforms prove: operands in `parts`, digits, and sums.
const fn lanes_hold(q: i64, primes: [i64; 3], parts: i64) -> bool {
    let [p1, p2, p3] = primes;
    let rings = prime_holds(p1, q, parts) && prime_holds(p2, q, parts) && prime_holds(p3, q, parts);
    let digits = digit_holds(p2, &[p1]) && digit_holds(p3, &[p1, p2]);
    q % 2 == 1 && barrett::serves(q) && rings && digits && sum_holds(q, primes)
}

impl<const Q: i64, const OPERAND: usize, const ROWS: usize, const P1: i64, const P2: i64, const P3: i64>
    GoodThomas<Q, OPERAND, ROWS, P1, P2, P3>
where
    Auxiliary<P1, ROWS>: Served<ROWS>,
    Auxiliary<P2, ROWS>: Served<ROWS>,
    Auxiliary<P3, ROWS>: Served<ROWS>,
{
    const PRIMES: [i64; 3] = [P1, P2, P3];
    /// Evaluating this proves that no lane overflows, on any CPU.
    pub const PROOF: () = {
        let () = <Auxiliary<P1, ROWS> as Served<ROWS>>::By::PROOF;
        let () = <Auxiliary<P2, ROWS> as Served<ROWS>>::By::PROOF;
        let () = <Auxiliary<P3, ROWS> as Served<ROWS>>::By::PROOF;
        assert!(2 * OPERAND <= 3 * ROWS);
        assert!(lanes_hold(Q, Self::PRIMES, parts(OPERAND, ROWS)), "overflow: a ring's lane, or a digit");
    };

    /// The coefficients of `a b` modulo `P`, in three times `ROWS` rows.
    fn modulo<const P: i64>(
        cpu: impl Run,
        [a, b]: [&[Row; OPERAND]; 2],
        rows: &mut [Row],
        [other, domain]: [&mut [Row; ROWS]; 2],
    ) where
        Auxiliary<P, ROWS>: Served<ROWS>,
    {
        macro_rules! rings {
            ($($ring:literal)*) => { $({
                let ring = &mut *thirds::<ROWS>(rows)[$ring];
                cpu.run(Split::<P, OPERAND, ROWS, $ring> { from: a, to: ring });
                cpu.run(Split::<P, OPERAND, ROWS, $ring> { from: b, to: other });
                <Auxiliary<P, ROWS> as Served<ROWS>>::By::multiply(cpu, ring, other, domain);
            })* };
        }
        rings!(0 1 2);
        cpu.run(Join::<P, ROWS> { rows });
    }
}

impl<
    R: Ring<Coeffs = Rows<OPERAND>>,
    const Q: i64,
    const OPERAND: usize,
    const ROWS: usize,
    const P1: i64,
    const P2: i64,
    const P3: i64,
> Product<R> for GoodThomas<Q, OPERAND, ROWS, P1, P2, P3>
where
    Auxiliary<P1, ROWS>: Served<ROWS>,
    Auxiliary<P2, ROWS>: Served<ROWS>,
    Auxiliary<P3, ROWS>: Served<ROWS>,
{
    const ROUTE: Route = Route::GoodThomas;
    const CHECK: () = {
        assert!(R::Q == Q && R::N.div_ceil(16) == OPERAND && matches!(R::SHAPE, Shape::PrimeTrinomial));
        assert!(how_many(Self::PRIMES, Q, R::N, Q / 2) <= Self::PRIMES.len(), "the primes hold no product");
        let () = Self::PROOF;
    };

    fn product<B: Operand<R>>(cpu: impl Run, a: &[Row], b: &[Row], out: &mut [Row], scratch: &mut [Row]) {
        let operands = [a, b].map(|rows| rows.first_chunk().expect(ROOM));
        let (x, rest) = scratch.split_at_mut(3 * ROWS);
        let (y, rest) = rest.split_at_mut(3 * ROWS);
        let (z, rest) = rest.split_at_mut(3 * ROWS);
        let (other, rest) = rest.split_first_chunk_mut().expect(ROOM);
        let domain = rest.first_chunk_mut().expect(ROOM);
        Self::modulo::<P1>(cpu, operands, x, [other, domain]);
        Self::modulo::<P2>(cpu, operands, y, [other, domain]);
        if const { how_many(Self::PRIMES, Q, R::N, B::BOUND.magnitude()) == 2 } {
            cpu.run(TwoPrimes::<Q, P1, P2> { x, y });
        } else {
            Self::modulo::<P3>(cpu, operands, z, [other, domain]);
            cpu.run(ThreePrimes::<Q, P1, P2, P3> { x, y, z });
        }
        debug_assert!(hold(x.as_flattened(), Bound::centred(Q)));
        let (product, out) = (scratch.first_chunk().expect(ROOM), out.first_chunk_mut().expect(ROOM));
        cpu.run(Fold::<R, _, OPERAND> { by: Odd::<Q>, product, out, ring: PhantomData });
    }
}
