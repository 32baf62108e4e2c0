//! Good and Thomas' product modulo an auxiliary prime.
//!
//! # The map
//! The product of two polynomials with integer coefficients is computed modulo primes that have the roots of
//! unity that `q` lacks.
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
//! 5. The products modulo three primes are made whole by [`rns`](super::rns).
//!
//! # Conditions
//! Any `f` with `2 n - 1 <= 3072`, and a modulus whose products fit the three primes.
//!
//! # Bounds
//! In: what [`INPUT`](Thirds::INPUT) says; out: centred modulo the prime.
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
//! let good_thomas = multiplier(Cpu::detect(), Route::GOOD_THOMAS)?;
//! let rows = multiplier(Cpu::detect(), Route::Rows)?;
//! let (mut c, mut d, mut scratch) = (Poly::zero(), Poly::zero(), rows.scratch());
//! good_thomas.multiply_small_into(&a, &b, &mut c, &mut scratch);
//! rows.multiply_small_into(&a, &b, &mut d, &mut scratch);
//! assert_eq!(c.centred(), d.centred());
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

use super::incomplete::{BySchoolbook, Incomplete, Negacyclic};
use super::network::{Aligned, Twiddle};
use super::ntt::Ntt;
use super::rns::{Convolution, centres, digits_hold, how_many, reduces};
use super::rows::cyclic::PRODUCT;
use crate::bound::Bound;
use crate::number::{inverse, power, root_of_unity};
use crate::reduce::barrett;
use crate::reduce::montgomery::{self, Factor, bound_any};
use crate::reduce::residues::{Modulus, Odd};
use crate::route::Route;
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
    let (primes, parts) = (primes(n), parts(n.div_ceil(16), third(n)));
    let Some(modulus) = Modulus::of(q) else { return false };
    let [p1, p2, p3] = primes;
    let operand = Bound::centred(q);
    2 * n - 1 <= 3 * 16 * GREATEST
        && prime_holds(p1, operand, parts)
        && prime_holds(p2, operand, parts)
        && prime_holds(p3, operand, parts)
        && how_many(primes, q, n, q / 2) <= primes.len()
        && reduces(modulus)
        && digits_hold(modulus, primes)
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

/// An operand in a ring, centred modulo `P`.
struct Split<'a, const P: i64, const OPERAND: usize, const ROWS: usize> {
    from: &'a [Row; OPERAND],
    to: &'a mut [Row; ROWS],
    /// The factors of the ring; those of the ring of 1 are 1.
    table: Option<&'static [Twiddle; 3]>,
}

impl<const P: i64, const OPERAND: usize, const ROWS: usize> Kernel for Split<'_, P, OPERAND, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut i = 0;
        while i < ROWS {
            let (mut sum, mut t) = (s.splat(0), 0);
            while i + t * ROWS < OPERAND {
                let row = i + t * ROWS;
                let mut x = s.load(&self.from[row]);
                if let Some(table) = self.table {
                    x = turn::<S, P>(s, x, &table[row % 3]);
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

/// What every memory of a ring holds: making an [`Entry`](crate::Entry) proves it.
const ROOM: &str = "memory for three rings";

fn thirds<const ROWS: usize>(rows: &mut [Row]) -> [&mut [Row; ROWS]; 3] {
    let (x, rest) = rows.split_first_chunk_mut().expect(ROOM);
    let (y, rest) = rest.split_first_chunk_mut().expect(ROOM);
    [x, y, rest.first_chunk_mut().expect(ROOM)]
}

/// Products modulo a prime of operands of `OPERAND` rows, in rings of `ROWS` rows.
pub struct Thirds<const P: i64, const OPERAND: usize, const ROWS: usize>;

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

/// Whether the lanes of a prime's kernels hold: an operand in a ring, and the sum over the three rings.
const fn prime_holds(p: i64, operand: Bound, parts: i64) -> bool {
    let split = operand.mirrored().join(bound_any(operand, p)).scale(parts);
    centres(split, p) && centres(bound_any(Bound::centred(p), p).scale(3), p)
}

/// The widest operands whose lanes hold.
const fn widest_operand(p: i64, parts: i64) -> Bound {
    let (mut low, mut high) = (0, 1 << 15);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if prime_holds(p, Bound::symmetric(middle), parts) { low = middle } else { high = middle }
    }
    Bound::symmetric(low)
}

impl<const P: i64, const OPERAND: usize, const ROWS: usize> Convolution<OPERAND> for Thirds<P, OPERAND, ROWS>
where
    Auxiliary<P, ROWS>: Served<ROWS>,
{
    type Prime = Odd<P>;
    const ROUTE: Route = Route::GOOD_THOMAS;
    const INPUT: Bound = widest_operand(P, parts(OPERAND, ROWS));
    const LENGTH: usize = 3 * 16 * ROWS;
    const OUT: usize = 3 * ROWS;
    const SCRATCH: usize = 2 * ROWS;
    const PROOF: () = {
        let () = <Auxiliary<P, ROWS> as Served<ROWS>>::By::PROOF;
        assert!(2 * OPERAND <= 3 * ROWS);
        assert!(prime_holds(P, Self::INPUT, parts(OPERAND, ROWS)), "overflow: a lane of a ring");
    };

    fn product(cpu: impl Run, [a, b]: [&[Row; OPERAND]; 2], out: &mut [Row], scratch: &mut [Row]) {
        let (other, rest) = scratch.split_first_chunk_mut::<ROWS>().expect(ROOM);
        let domain = rest.first_chunk_mut().expect(ROOM);
        for i in 0..3 {
            let (table, ring) = (const { &Third::<P>::FORWARD.0 }, &mut *thirds::<ROWS>(out)[i]);
            let table = if i > 0 { Some(&table[i - 1]) } else { None };
            cpu.run(Split::<P, OPERAND, ROWS> { from: a, to: ring, table });
            cpu.run(Split::<P, OPERAND, ROWS> { from: b, to: other, table });
            <Auxiliary<P, ROWS> as Served<ROWS>>::By::multiply(cpu, ring, other, domain);
        }
        cpu.run(Join::<P, ROWS> { rows: out });
    }
}
