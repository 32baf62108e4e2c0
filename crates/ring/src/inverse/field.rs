//! Division steps modulo an odd prime `q`, in rows of 16 words.
//!
//! # A step
//! `g' = c g + d f` with `c = s f(0)`, `d = -s g(0)`, `s = -1` where `f` and `g` change places, else 1. `f'` is `f` or `g`. Likewise `r'` and
//! `v'`.
//!
//! # A sum of two products by constants
//! With `c' = round(2^k c / q)` at hand, `t = round(c' g / 2^k) + round(d' f / 2^k)` is the quotient of `c g + d f` by `q` up to a little more
//! than 1. So `c g + d f - t q` is computed modulo `2^16`, by five multiplications; two Montgomery products are six. `k` is 15 where there is
//! a rounded product of high words, else 16, and the product is rounded down, which makes the quotient 1 less.
//!
//! # Memory
//! Rows are written where they are. What is moved by a word is read so: `g` as what begins a word later, `v` as what begins a word earlier.
//! A write across two cache lines costs more than a read. Four rows are read before any of them is written.
//!
//! # Bounds
//! `f(0)` and `g(0)` are centred first. `|c' - 2^k c / q| <= 1/2 + q / 2^18`, so `|f|, |g| <= B` gives
//! `|g'| <= q (1 + 2 B (1/2 + q / 2^18) / 2^15)`, and `B` is where that is no more than `B`: about `q (1 + q / 2^15)`.
//! [`PROOF`](DivisionSteps::PROOF) says that it fits a word, and the last product the exact reduction.

use super::{exchange, nonzero};
use crate::bound::{Bound, hold};
use crate::number::{inverse_mod_word, is_prime};
use crate::reduce::barrett;
use crate::reduce::montgomery::{self, Factor, bound_any};
use crate::ring::Rows;
use core::hint::black_box;
use ctutils::Choice;
use ringsmith_simd::{Cpu, Kernel, Row, Simd};

/// Where the words of all four polynomials lie.
const fn lanes_bound(q: i64) -> Bound {
    let mut most = q / 2;
    loop {
        // 2 B (1/2 + q / 2^18) / 2^15, and the two halves.
        let next = q + ((2 * most * q * ((1 << 17) + q)) >> 33) + 1;
        if next <= most {
            return Bound::symmetric(most);
        }
        most = next;
    }
}

/// The centred representative of `|x| < 2^26`.
#[inline(always)]
fn centred<const Q: i64>(x: i32) -> i32 {
    // round(2^40 / q): the error of the quotient is below 2^26 / 2^41.
    let quotient = (x as i64 * const { ((1 << 41) / Q + 1) / 2 } + (1 << 39)) >> 40;
    x - (quotient * Q) as i32
}

/// `x^(q - 2)` modulo `q` of a centred `x`: its inverse, or 0.
#[inline(always)]
fn scalar_inverse<const Q: i64>(x: i32) -> i32 {
    let (mut result, mut square, mut exponent) = (1, x, Q - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = centred::<Q>(result * square);
        }
        square = centred::<Q>(square * square);
        exponent >>= 1;
    }
    result
}

/// Bits of a factor's fraction: what the CPU's product of high words takes off.
const fn fraction<S: Simd>() -> u32 {
    if S::HAS_ROUNDED_PRODUCT { 15 } else { 16 }
}

/// A centred number, and what it is in `q`: `round(2^k z / q)`.
#[inline(always)]
fn factor<S: Simd, const Q: i64>(s: S, z: i32) -> [S::I16; 2] {
    let scale = const { ((1 << (17 + fraction::<S>())) / Q + 1) / 2 };
    let part = (z as i64 * scale + (1 << 15)) >> 16;
    [s.splat(z as i16), s.splat(part as i16)]
}

/// What decides the next step.
struct State {
    delta: i32,
    /// The constant coefficients of `f` and `g`, centred.
    f0: i32,
    g0: i32,
}

/// A step, decided: `c`, `d`, and all ones where `f` and `g` change places.
struct Decided {
    c: i32,
    d: i32,
    swap: i32,
}

impl State {
    /// The next step. `g0` is to be set after it.
    #[inline(always)]
    fn decide(&mut self) -> Decided {
        let (swap, delta) = exchange(self.delta, self.g0);
        let decided = Decided { c: (self.f0 ^ swap) - swap, d: swap - (self.g0 ^ swap), swap };
        self.delta = delta;
        self.f0 ^= (self.f0 ^ self.g0) & swap;
        decided
    }
}

/// A step for vectors.
#[derive(Clone, Copy)]
struct Step<S: Simd> {
    c: [S::I16; 2],
    d: [S::I16; 2],
    swap: S::I16,
    q: S::I16,
}

impl<S: Simd> Step<S> {
    #[inline(always)]
    fn new<const Q: i64>(s: S, decided: &Decided) -> Self {
        Step {
            c: factor::<S, Q>(s, decided.c),
            d: factor::<S, Q>(s, decided.d),
            // Opaque to the compiler, which would make a branch of it.
            swap: s.splat(black_box(decided.swap as i16)),
            q: s.splat(Q as i16),
        }
    }

    /// Of `f` and `g`: `f`, or `g` where they change places, and `c g + d f`.
    #[inline(always)]
    fn on(&self, s: S, [f, g]: [S::I16; 2]) -> [S::I16; 2] {
        let sum = s.add(s.mul_lo(g, self.c[0]), s.mul_lo(f, self.d[0]));
        let rest = if const { S::HAS_ROUNDED_PRODUCT } {
            let quotient = s.add(s.mul_hi_rounded(g, self.c[1]), s.mul_hi_rounded(f, self.d[1]));
            s.sub(sum, s.mul_lo(quotient, self.q))
        } else {
            let quotient = s.add(s.mul_hi(g, self.c[1]), s.mul_hi(f, self.d[1]));
            s.sub(s.sub(sum, self.q), s.mul_lo(quotient, self.q))
        };
        [s.select(self.swap, g, f), rest]
    }
}

/// Inverses modulo `Q` and `x^N - x - 1`, in `ROWS` rows.
pub struct DivisionSteps<const Q: i64, const N: usize, const ROWS: usize>;

impl<const Q: i64, const N: usize, const ROWS: usize> DivisionSteps<Q, N, ROWS> {
    /// Rows of memory: each polynomial, one row behind `g` and one before `v`.
    pub const SCRATCH: usize = 4 * ROWS + 2;
    /// Evaluating this proves that no lane overflows, and that the polynomials fit.
    pub const PROOF: () = {
        let bound = lanes_bound(Q);
        assert!(is_prime(Q) && Q < 1 << 13 && bound.fits(16), "a lane overflows");
        assert!(bound_any(bound, Q).magnitude() <= barrett::exact_limit(Q), "the inverse is not centred");
        assert!(N + 1 < 16 * ROWS, "the modulus polynomial, x g and x v have one more coefficient");
    };

    /// `out = 1 / a`, and whether it exists. `a` and `out` are centred; `scratch` has [`SCRATCH`](Self::SCRATCH) rows. Constant time.
    pub fn inverse(cpu: Cpu, a: &Rows<ROWS>, out: &mut Rows<ROWS>, scratch: &mut [Row]) -> Choice {
        let () = Self::PROOF;
        scratch.fill([0; 16]);
        let (f, rest) = scratch.split_at_mut(ROWS);
        let (g, rest) = rest.split_at_mut(ROWS + 1);
        let (v, r) = rest.split_at_mut(ROWS + 1);
        let words = f.as_flattened_mut();
        (words[0], words[N - 1], words[N], r[0][0]) = (1, -1, -1, 1);
        let words = &mut g.as_flattened_mut()[1..];
        for (to, from) in words.iter_mut().zip(a.0.as_flattened()[..N].iter().rev()) {
            *to = *from;
        }
        let delta = cpu.run(Run::<Q, N> { f, g, v, r });
        cpu.run(Quotient::<Q, N> { f0: f[0][0], v: &mut v[1..], out: out.0.as_flattened_mut() });
        debug_assert!(hold(scratch.as_flattened(), lanes_bound(Q)));
        debug_assert!(hold(out.0.as_flattened(), Bound::centred(Q)));
        Choice::from_u32_lsb(!nonzero(delta) as u32 & 1)
    }
}

/// All steps; the last `delta`.
struct Run<'a, const Q: i64, const N: usize> {
    f: &'a mut [Row],
    /// Times `x`, and a row more.
    g: &'a mut [Row],
    /// After a row of zeroes.
    v: &'a mut [Row],
    r: &'a mut [Row],
}

impl<const Q: i64, const N: usize> Kernel for Run<'_, Q, N> {
    type Out = i32;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i32 {
        let mut state = State { delta: 1, f0: 1, g0: centred::<Q>(self.g[0][1] as i32) };
        let (rows, mut t) = (self.r.len(), 0);
        while t < 2 * N - 1 {
            let step = Step::new::<Q>(s, &state.decide());
            // The first row first: it has what the next step waits for.
            divide(s, &step, &mut self.f[..1], &mut self.g[..2]);
            state.g0 = centred::<Q>(self.g[0][1] as i32);
            let count = (2 * N - t).div_ceil(16).min(rows);
            divide(s, &step, &mut self.f[1..count], &mut self.g[1..count + 1]);
            let count = (t / 16 + 1).min(rows);
            multiply(s, &step, &mut self.v[..count + 1], &mut self.r[..count]);
            t += 1;
        }
        state.delta
    }
}

/// Rows that a step does together: read, computed, and then written. Compilers make vectors of the scalar backend's loops where no
/// row is written between them, which is 13 times as fast.
const BLOCK: usize = 4;

/// A step on rows of `f` and `x g`, of which there is one more.
#[inline(always)]
fn divide<S: Simd>(s: S, step: &Step<S>, f: &mut [Row], g: &mut [Row]) {
    let mut i = 0;
    while i + BLOCK <= f.len() {
        divide_rows::<S, BLOCK>(s, step, f, g, i);
        i += BLOCK;
    }
    while i < f.len() {
        divide_rows::<S, 1>(s, step, f, g, i);
        i += 1;
    }
}

/// `K` rows of it, from the row `at`.
#[inline(always)]
fn divide_rows<S: Simd, const K: usize>(s: S, step: &Step<S>, f: &mut [Row], g: &mut [Row], at: usize) {
    let mut pairs = [[step.q; 2]; K];
    let mut k = 0;
    while k < K {
        let next = s.window::<1>(g[at + k..].first_chunk().expect("two rows"));
        pairs[k] = step.on(s, [s.load(&f[at + k]), next]);
        k += 1;
    }
    k = 0;
    while k < K {
        s.store(&mut f[at + k], pairs[k][0]);
        s.store(&mut g[at + k], pairs[k][1]);
        k += 1;
    }
}

/// A step on rows of `v`, of which there is one more, and of `r`. The last ones first: a row of `x v` has a word of the one before it.
#[inline(always)]
fn multiply<S: Simd>(s: S, step: &Step<S>, v: &mut [Row], r: &mut [Row]) {
    let mut end = r.len();
    while end >= BLOCK {
        end -= BLOCK;
        multiply_rows::<S, BLOCK>(s, step, v, r, end);
    }
    while end > 0 {
        end -= 1;
        multiply_rows::<S, 1>(s, step, v, r, end);
    }
}

/// `K` rows of it, from the row `at` of `r`.
#[inline(always)]
fn multiply_rows<S: Simd, const K: usize>(s: S, step: &Step<S>, v: &mut [Row], r: &mut [Row], at: usize) {
    let mut pairs = [[step.q; 2]; K];
    let mut k = 0;
    while k < K {
        let before = s.window::<15>(v[at + k..].first_chunk().expect("two rows"));
        pairs[k] = step.on(s, [before, s.load(&r[at + k])]);
        k += 1;
    }
    k = 0;
    while k < K {
        s.store(&mut v[at + k + 1], pairs[k][0]);
        s.store(&mut r[at + k], pairs[k][1]);
        k += 1;
    }
}

/// `v / f(0)`, reversed.
struct Quotient<'a, const Q: i64, const N: usize> {
    f0: i16,
    v: &'a mut [Row],
    out: &'a mut [i16],
}

impl<const Q: i64, const N: usize> Kernel for Quotient<'_, Q, N> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let inverse = scalar_inverse::<Q>(centred::<Q>(self.f0 as i32));
        // Times 2^16, for the Montgomery product.
        let z = centred::<Q>(inverse * const { crate::number::centred(1 << 16, Q) as i32 });
        let factor = Factor { z: z as i16, zq: (z as i16).wrapping_mul(const { inverse_mod_word(Q) }) };
        for row in &mut *self.v {
            let x = montgomery::scale::<S, Q>(s, s.load(row), factor);
            s.store(row, barrett::exact::<S, Q>(s, x));
        }
        for (to, from) in self.out.iter_mut().zip(self.v.as_flattened()[..N].iter().rev()) {
            *to = *from;
        }
        self.out[N..].fill(0);
    }
}
