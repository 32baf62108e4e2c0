//! Steps one after the other, on rows of 16 words.
//!
//! # The map
//! Division steps on `f`, `g` and on columns `(v, r)`, as [`inverse`](super::super) defines them.
//!
//! # A step
//! `g' = c g + d f` with `c = s f(0)`, `d = -s g(0)`, `s = -1` where `f` and `g` change places, else 1. `f'`
//! is `f` or `g`. Likewise `r'` and `v'`.
//!
//! # A sum of two products by constants
//! With `c' = round(2^k c / q)` at hand, `t = round(c' g / 2^k) + round(d' f / 2^k)` is the quotient of
//! `c g + d f` by `q` up to a little more than 1. So `c g + d f - t q` is computed modulo `2^16`, by five
//! multiplications; two Montgomery products are six. `k` is 15 where there is a rounded product of high
//! words, else 16, and the product is rounded down, which makes the quotient 1 less.
//!
//! # Memory
//! Rows are written where they are. What is moved by a word is read so: `g` as what begins a word later, `v`
//! as what begins a word earlier. A write across two cache lines costs more than a read. Four rows are read
//! before any of them is written. `v` is kept divided by `x`: a step multiplies it by `x` again.
//!
//! # Conditions
//! An odd `q` for which the bound below fits a lane: below `2^14`, as [`PROOF`](super::DivisionSteps::PROOF)
//! has it.
//!
//! # Bounds
//! `f(0)` and `g(0)` are centred first. `|c' - 2^k c / q| <= 1/2 + q / 2^18`, so `|f|, |g| <= B` gives
//! `|g'| <= q (1 + 2 B (1/2 + q / 2^18) / 2^15)`, and `B` is where that is no more than `B`: about
//! `q (1 + q / 2^15)`.
//!
//! # Source
//! D. J. Bernstein, B.-Y. Yang (eprint 2019/266), section 5; one quotient for the sum of two products is
//! Ringsmith's own. The doctest is that of [`field`](super).

use super::super::exchange;
use crate::bound::Bound;
use core::hint::black_box;
use ringsmith_simd::{Kernel, Row, Simd};

/// Where the words of all four polynomials lie.
pub(super) const fn lanes_bound(q: i64) -> Bound {
    let mut widest = q / 2;
    loop {
        // 2 B (1/2 + q / 2^18) / 2^15, and the two halves.
        let next = q + ((2 * widest * q * ((1 << 17) + q)) >> 33) + 1;
        if next <= widest {
            return Bound::symmetric(widest);
        }
        widest = next;
    }
}

/// The centred representative of `|x| < 2^26`.
#[inline(always)]
pub(super) fn centred<const Q: i64>(x: i32) -> i32 {
    // round(2^40 / q): the error of the quotient is below 2^26 / 2^41.
    let quotient = (x as i64 * const { ((1 << 41) / Q + 1) / 2 } + (1 << 39)) >> 40;
    x - (quotient * Q) as i32
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
pub(super) struct State {
    pub(super) delta: i32,
    /// The constant coefficients of `f` and `g`, centred.
    pub(super) f0: i32,
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

/// Two polynomials that steps multiply: rows of `v` after a row more, and of `r`.
pub(super) struct Column<'a> {
    pub(super) v: &'a mut [Row],
    pub(super) r: &'a mut [Row],
}

/// Steps on the first coefficients of `f` and `g`, and on columns.
pub(super) struct Run<'a, const Q: i64, const COLUMNS: usize> {
    pub(super) delta: i32,
    pub(super) steps: usize,
    pub(super) f: &'a mut [Row],
    /// Times `x`, and a row more.
    pub(super) g: &'a mut [Row],
    pub(super) columns: [Column<'a>; COLUMNS],
}

impl<const Q: i64, const COLUMNS: usize> Kernel for Run<'_, Q, COLUMNS> {
    type Out = State;
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) -> State {
        let (f0, g0) = (centred::<Q>(self.f[0][0] as i32), centred::<Q>(self.g[0][1] as i32));
        let (mut state, mut t) = (State { delta: self.delta, f0, g0 }, 0);
        while t < self.steps {
            let step = Step::new::<Q>(s, &state.decide());
            // The first row first: it has what the next step waits for.
            divide(s, &step, &mut self.f[..1], &mut self.g[..2]);
            state.g0 = centred::<Q>(self.g[0][1] as i32);
            // So many coefficients decide the steps that are left.
            let count = (self.steps - t).div_ceil(16).min(self.f.len());
            divide(s, &step, &mut self.f[1..count], &mut self.g[1..count + 1]);
            let mut k = 0;
            while k < COLUMNS {
                let Column { v, r } = &mut self.columns[k];
                let count = (t / 16 + 1).min(r.len());
                multiply(s, &step, &mut v[..count + 1], &mut r[..count]);
                // Where it began with 1 / x, that is gone.
                v[0] = [0; 16];
                k += 1;
            }
            t += 1;
        }
        state
    }
}

/// Rows that a step does together: read, computed, and then written. Compilers make vectors of the scalar
/// backend's loops where no row is written between them, which is 13 times as fast.
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

/// A step on rows of `v`, of which there is one more, and of `r`. The last ones first: a row of `x v` has a
/// word of the one before it.
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
