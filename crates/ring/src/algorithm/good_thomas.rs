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
//! Where `2 n - 1 <= m`, one ring holds the product, and the first step alone is left: that is a product by
//! the number-theoretic transform (`Rings<_, ROWS, 1>`).
//!
//! # Conditions
//! Any `f` with `2 n - 1 <= 3072`, and a modulus whose products fit the three primes.
//!
//! # Bounds
//! In: what [`INPUT`](Convolution::INPUT) says; out: centred modulo the prime.
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

use super::choice::{Operand, Shrink};
use super::convolution::{Convolution, NegacyclicProduct};
use super::incomplete::{BySchoolbook, Incomplete, Negacyclic};
use super::network::{Aligned, Twiddle};
use super::ntt::Ntt;
use super::rns::{Rns, centres, digits_serve};
use crate::bound::Bound;
use crate::number::{inverse, power, root_of_unity};
use crate::reduce::montgomery::{Factor, bound_any};
use crate::reduce::residues::{OddResidues, Residues};
use crate::route::Route;
use crate::why_not::WhyNot;
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Row, Run, Simd};

/// Products over rings of 512 coefficients. The primes have roots of unity of order 3 and of the orders that
/// the transforms need.
pub type By512<M, const OPERAND: usize> =
    Rns<M, Rings<Ntt<7681, 32, 2>, 32, 3>, Rings<Ntt<10753, 32, 2>, 32, 3>, Rings<Ntt<12289, 32, 1>, 32, 3>>;

/// Products over rings of 1024 coefficients, where 7681 and 10753 leave residues of degree 8, whose products
/// are too large for a lane. The third prime has little to hold.
pub type By1024<M, const OPERAND: usize> = Rns<
    M,
    Rings<Ntt<12289, 64, 1>, 64, 3>,
    Rings<Ntt<15361, 64, 2>, 64, 3>,
    Rings<Incomplete<769, 64, 8, Negacyclic, BySchoolbook>, 64, 3>,
>;

/// Rows of the greatest ring.
const GREATEST: usize = 64;

/// Rows of the ring of which three hold the product of polynomials of `n` coefficients.
pub const fn third(n: usize) -> usize {
    if 2 * n - 1 <= 3 * 16 * GREATEST / 2 { GREATEST / 2 } else { GREATEST }
}

/// The primes of [`By512`], or of [`By1024`].
const fn primes(n: usize) -> [i64; 3] {
    if third(n) < GREATEST { [7681, 10753, 12289] } else { [12289, 15361, 769] }
}

/// The conditions of products over the auxiliary primes: there are rings for the length, and the primes hold
/// the product.
pub(crate) const fn serves(q: i64, n: usize) -> Result<(), WhyNot> {
    let ([p1, p2, p3], parts, operand) = (primes(n), parts(n.div_ceil(16), third(n)), Bound::centred(q));
    let lanes =
        prime_holds(p1, operand, parts) && prime_holds(p2, operand, parts) && prime_holds(p3, operand, parts);
    if !lanes || 2 * n - 1 > 3 * 16 * GREATEST {
        return Err(WhyNot::Auxiliary);
    }
    digits_serve(q, n, [p1, p2, p3])
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
struct Tables<M>(PhantomData<M>);

impl<M: OddResidues> Tables<M> {
    /// A root of order 3; none is needed in one ring.
    const ROOT: i64 = if M::Q % 3 == 1 { root_of_unity(3, M::Q) } else { 1 };
    const SQUARE: i64 = Self::ROOT * Self::ROOT % M::Q;
    const THIRD: i64 = inverse(3, M::Q);
    const FORWARD: Aligned<[[Twiddle; 3]; 2]> =
        Aligned([lanes(Self::ROOT, 1, M::Q), lanes(Self::SQUARE, 1, M::Q)]);
    const BACK: Aligned<[[Twiddle; 3]; 2]> =
        Aligned([lanes(Self::SQUARE, Self::THIRD, M::Q), lanes(Self::ROOT, Self::THIRD, M::Q)]);
    const SCALE: Factor = Factor::new(Self::THIRD, M::Q);
}

#[inline(always)]
fn twisted<S: Simd, M: OddResidues>(s: S, x: S::I16, twiddle: &Twiddle) -> S::I16 {
    s.mul_mont(x, s.load(&twiddle[0]), s.load(&twiddle[1]), s.splat(M::Q as i16))
}

/// An operand in a ring, centred modulo the prime.
struct Split<'a, M, const OPERAND: usize, const ROWS: usize> {
    by: M,
    from: &'a [Row; OPERAND],
    to: &'a mut [Row; ROWS],
    /// The factors of the ring; those of the ring of 1 are 1.
    table: Option<&'static [Twiddle; 3]>,
}

impl<M: OddResidues, const OPERAND: usize, const ROWS: usize> Kernel for Split<'_, M, OPERAND, ROWS> {
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
                    x = twisted::<S, M>(s, x, &table[row % 3]);
                }
                sum = if t.is_multiple_of(2) { s.add(sum, x) } else { s.sub(sum, x) };
                t += 1;
            }
            s.store(&mut self.to[i], self.by.shrink(s, sum));
            i += 1;
        }
    }
}

/// From the three rings to centred coefficients, in place.
struct Join<'a, M, const ROWS: usize> {
    by: M,
    rows: &'a mut [Row],
}

/// The sum for row `row` of the product, which has the factor 1 in the ring of 1.
#[inline(always)]
fn joined<S: Simd, M: OddResidues>(s: S, rings: [S::I16; 3], row: usize) -> S::I16 {
    let table = const { &Tables::<M>::BACK.0 };
    let [x, y, z] = rings;
    let (y, z) = (twisted::<S, M>(s, y, &table[0][row % 3]), twisted::<S, M>(s, z, &table[1][row % 3]));
    s.add(x, s.add(y, z))
}

impl<M: OddResidues, const ROWS: usize> Kernel for Join<'_, M, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let [x, y, z] = thirds::<ROWS>(self.rows);
        let mut i = 0;
        while i < ROWS {
            let plain = self.by.scale(s, s.load(&x[i]), const { Tables::<M>::SCALE });
            let rings = [plain, s.load(&y[i]), s.load(&z[i])];
            s.store(&mut x[i], self.by.shrink(s, joined::<S, M>(s, rings, i)));
            let negative = s.sub(s.splat(0), joined::<S, M>(s, rings, i + ROWS));
            s.store(&mut y[i], self.by.shrink(s, negative));
            s.store(&mut z[i], self.by.shrink(s, joined::<S, M>(s, rings, i + 2 * ROWS)));
            i += 1;
        }
    }
}

/// Panic message for too little memory; it cannot occur, because making an [`Entry`](crate::Entry) proves
/// that the memory is large enough.
const ROOM: &str = "memory for three rings";

fn thirds<const ROWS: usize>(rows: &mut [Row]) -> [&mut [Row; ROWS]; 3] {
    let (x, rest) = rows.split_first_chunk_mut().expect(ROOM);
    let (y, rest) = rest.split_first_chunk_mut().expect(ROOM);
    [x, y, rest.first_chunk_mut().expect(ROOM)]
}

/// Products in `RINGS` rings of `ROWS` rows by `N`: three, or one that is long enough by itself.
pub struct Rings<N, const ROWS: usize, const RINGS: usize>(PhantomData<N>);

/// Rows of memory that a product of `n` coefficients takes: modulo three primes, an operand in a ring, and
/// the domain of a transform.
pub const fn scratch(n: usize) -> usize {
    11 * third(n)
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

impl<N: NegacyclicProduct<ROWS>, const OPERAND: usize, const ROWS: usize, const RINGS: usize>
    Convolution<OPERAND> for Rings<N, ROWS, RINGS>
{
    type Residues = N::Residues;
    type Last = Shrink;
    const ROUTE: Route = if RINGS == 3 { Route::GOOD_THOMAS } else { Route::Ntt { base: N::BASE } };
    const INPUT: Bound = widest_operand(N::Residues::Q, parts(OPERAND, ROWS));
    const LENGTH: usize = RINGS * 16 * ROWS;
    const OUT: usize = RINGS * ROWS;
    const SCRATCH: usize = 2 * ROWS;
    const PROOF: () = {
        let () = N::PROOF;
        assert!(2 * OPERAND <= RINGS * ROWS && (RINGS == 1 || RINGS == 3 && N::Residues::Q % 3 == 1));
        assert!(
            prime_holds(N::Residues::Q, <Self as Convolution<OPERAND>>::INPUT, parts(OPERAND, ROWS)),
            "overflow: a lane of a ring"
        );
    };

    fn product<B: Operand>(
        cpu: impl Run,
        [a, b]: [&[Row; OPERAND]; 2],
        out: &mut [Row],
        scratch: &mut [Row],
    ) {
        let by = N::Residues::BY;
        let (other, rest) = scratch.split_first_chunk_mut::<ROWS>().expect(ROOM);
        let domain = rest.first_chunk_mut().expect(ROOM);
        for (i, ring) in out.as_chunks_mut::<ROWS>().0.iter_mut().enumerate().take(RINGS) {
            let table = const { &Tables::<N::Residues>::FORWARD.0 };
            let table = if i > 0 { Some(&table[i - 1]) } else { None };
            cpu.run(Split { by, from: a, to: ring, table });
            cpu.run(Split { by, from: b, to: other, table });
            N::multiply(cpu, ring, other, domain);
        }
        if RINGS == 3 {
            cpu.run(Join::<_, ROWS> { by, rows: out });
        }
    }
}
