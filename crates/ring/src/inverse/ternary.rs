//! Division steps modulo 3, in planes of bits.
//!
//! # The map
//! A coefficient is two bits: whether it is not 0, and whether it is -1. Coefficient `i` of a polynomial in
//! `V` vectors is in vector `i mod V`; in a vector, the lanes go first, then the bits: so a division by `x`
//! makes vector `k + 1` vector `k`, and moves one vector alone by one place. A sum is six operations on
//! planes (T. Boothby, R. Bradshaw, 2009):
//!
//! ```text
//! s = a_0 ^ b_1, t = a_1 ^ b_0:    (a + b)_0 = (s ^ a_1) | (t ^ b_1),    (a + b)_1 = s & t
//! ```
//!
//! # A step
//! `f(0)` and `g(0)` are 1, -1 or 0, so `g' = g - f(0) g(0) f` does in place of `f(0) g - g(0) f`: a unit's
//! difference, the same for `r` and `v`. Where `f` and `g` change places it is the same up to a unit again.
//!
//! # Blocks
//! What `n` steps do is decided by the first `n` coefficients of `f` and `g`. Those of about 60 are gathered
//! in a word for each plane, and `decide`d there; then the vectors do the steps, of which each is three
//! masks, without a wait for what the one before made: `f` and `g` first, then `v` and `r`, each pair in
//! registers.
//!
//! # Conditions
//! `x^n - x - 1`, which need not be irreducible modulo 3: whether there is an inverse is part of the result.
//!
//! # Bounds
//! In and out: -1, 0, 1. There is nothing to overflow: `f` and `g` have `n + 1` coefficients at most, and
//! `256 V` have room.
//!
//! # Source
//! D. J. Bernstein, B.-Y. Yang (eprint 2019/266), sections 5 and 7. Deviation: coefficients go around the
//! vectors before they fill one.
//!
//! ```
//! use ringsmith_ring::{Ring, Small, inverse::Inverses};
//! use ringsmith_routes::rings::NtruPrime761 as Field;
//! use ringsmith_simd::Cpu;
//!
//! let x = Small::<Field>::new(&core::array::from_fn::<i16, 761, _>(|i| (i == 1) as i16)).unwrap();
//! let (inverse, exists) = Field::inverse_mod_3(Cpu::detect(), &x);
//! // x (x^760 - 1) = 1
//! assert!(exists.to_bool() && (inverse.centred()[0], inverse.centred()[760]) == (-1, 1));
//! ```

use super::exchange;
use crate::memory::Rows;
use ctutils::Choice;
use ringsmith_simd::{Cpu, Kernel, Row64, Simd, each};

/// A vector of coefficients: not 0, and -1.
type Planes<S> = [<S as ringsmith_simd::U64Lanes>::U64; 2];

/// Vectors that hold a modulus polynomial of degree `n`.
pub const fn vectors(n: usize) -> usize {
    n / 256 + 1
}

/// Coefficients as bits in memory.
type Bits<const V: usize> = [[Row64; 2]; V];

/// Sets coefficient `i`, which was 0.
#[inline(always)]
fn put<const V: usize>(bits: &mut Bits<V>, i: usize, x: i16) {
    let (vector, lane, bit) = (i % V, i / V % 4, i / V / 4);
    bits[vector][0][lane] |= ((x & 1) as u64) << bit;
    bits[vector][1][lane] |= ((x as u16 >> 15) as u64) << bit;
}

/// Coefficient `i`.
#[inline(always)]
fn get<const V: usize>(bits: &Bits<V>, i: usize) -> i16 {
    let (vector, lane, bit) = (i % V, i / V % 4, i / V / 4);
    let [one, minus] = [0, 1].map(|plane| ((bits[vector][plane][lane] >> bit) & 1) as i16);
    one - 2 * minus
}

/// A product by -1, 0, 1, given as two masks: not 0, and -1.
#[inline(always)]
fn scaled<S: Simd>(s: S, a: Planes<S>, [one, minus]: Planes<S>) -> Planes<S> {
    [s.and64(a[0], one), s.xor64(s.and64(a[1], one), s.and64(a[0], minus))]
}

#[inline(always)]
fn sum<S: Simd>(s: S, a: Planes<S>, b: Planes<S>) -> Planes<S> {
    let (x, y) = (s.xor64(a[0], b[1]), s.xor64(a[1], b[0]));
    [s.or64(s.xor64(x, a[1]), s.xor64(y, b[1])), s.and64(x, y)]
}

/// `b` where the mask is all ones, `a` where it is 0.
#[inline(always)]
fn chosen<S: Simd>(s: S, a: Planes<S>, b: Planes<S>, mask: S::U64) -> Planes<S> {
    each(
        #[inline(always)]
        |p| s.xor64(a[p], s.and64(s.xor64(a[p], b[p]), mask)),
    )
}

/// One place down, within a vector.
#[inline(always)]
fn down<S: Simd>(s: S, a: Planes<S>, last: S::U64) -> Planes<S> {
    each(
        #[inline(always)]
        |p| {
            let rotated = s.rotate_lanes64::<1>(a[p]);
            s.or64(s.and_not64(last, rotated), s.and64(last, s.shift_right64::<1>(rotated)))
        },
    )
}

/// One place up, within a vector.
#[inline(always)]
fn up<S: Simd>(s: S, a: Planes<S>, first: S::U64) -> Planes<S> {
    each(
        #[inline(always)]
        |p| {
            let rotated = s.rotate_lanes64::<3>(a[p]);
            s.or64(s.and_not64(first, rotated), s.and64(first, s.shift_left64::<1>(rotated)))
        },
    )
}

/// One step for all of its polynomials, as masks: whether `f` and `g` change places; whether `g(0)` is not 0;
/// whether `-f(0) g(0)` is -1.
#[derive(Clone, Copy, Default)]
struct Step {
    swap: u64,
    one: u64,
    minus: u64,
}

/// As many as a block can have.
const MAX: usize = 64;

/// Steps that the first bits of all words decide.
const fn block(vectors: usize) -> usize {
    64 / (4 * vectors) * (4 * vectors)
}

/// The first coefficients, in order, of one plane: bit `k` of a word goes to place `4 V k`, and a word's
/// place among all is its own.
#[inline(always)]
fn first<const V: usize>(bits: &Bits<V>, plane: usize) -> u64 {
    let stride = 4 * V;
    let (mut copies, mut places, mut k) = (0, 0, 0);
    while k < block(V) / stride {
        // Copies of all bits, each a word's bits further; of copy k bit k alone is wanted.
        copies |= 1 << ((stride - 1) * k);
        places |= 1 << (stride * k);
        k += 1;
    }
    let (low, mut all, mut i) = ((1 << k) - 1, 0, 0);
    while i < stride {
        all |= ((bits[i % V][plane][i / V] & low).wrapping_mul(copies) & places) << i;
        i += 1;
    }
    all
}

/// The steps that the first coefficients of `f` and `g` decide; `delta` goes on.
#[inline(always)]
fn decide(delta: &mut i32, mut f: [u64; 2], mut g: [u64; 2], steps: &mut [Step]) {
    for step in steps {
        let one = g[0] & 1;
        let (swap, next) = exchange(*delta, one as i32);
        *delta = next;
        let swap = swap as i64 as u64;
        let (one, minus) = (one.wrapping_neg(), (one & !(f[1] ^ g[1])).wrapping_neg());
        *step = Step { swap, one, minus };
        let b = [f[0] & one, (f[1] & one) ^ (f[0] & minus)];
        f = [f[0] ^ ((f[0] ^ g[0]) & swap), f[1] ^ ((f[1] ^ g[1]) & swap)];
        let (x, y) = (g[0] ^ b[1], g[1] ^ b[0]);
        g = [((x ^ g[1]) | (y ^ b[1])) >> 1, (x & y) >> 1];
    }
}

#[inline(always)]
fn load<S: Simd, const V: usize>(s: S, bits: &Bits<V>) -> [Planes<S>; V] {
    each(
        #[inline(always)]
        |i| [s.load64(&bits[i][0]), s.load64(&bits[i][1])],
    )
}

#[inline(always)]
fn store<S: Simd, const V: usize>(s: S, vectors: [Planes<S>; V], bits: &mut Bits<V>) {
    let mut i = 0;
    while i < V {
        s.store64(&mut bits[i][0], vectors[i][0]);
        s.store64(&mut bits[i][1], vectors[i][1]);
        i += 1;
    }
}

/// `(f, g)` after a step, `g` not yet divided.
#[inline(always)]
fn pair<S: Simd, const V: usize>(s: S, step: &Step, f: &mut [Planes<S>; V], g: &mut [Planes<S>; V]) {
    let [swap, one, minus] = [s.splat64(step.swap), s.splat64(step.one), s.splat64(step.minus)];
    let mut i = 0;
    while i < V {
        let (x, y) = (f[i], g[i]);
        g[i] = sum(s, y, scaled(s, x, [one, minus]));
        f[i] = chosen(s, x, y, swap);
        i += 1;
    }
}

/// Steps on `f` and `g`: a division by `x` each.
struct Divide<'a, const V: usize> {
    steps: &'a [Step],
    f: &'a mut Bits<V>,
    g: &'a mut Bits<V>,
}

impl<const V: usize> Kernel for Divide<'_, V> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let last = s.load64(&[0, 0, 0, u64::MAX]);
        let (mut f, mut g) = (load(s, self.f), load(s, self.g));
        for step in self.steps {
            pair(s, step, &mut f, &mut g);
            let (first, mut i) = (down(s, g[0], last), 1);
            while i < V {
                g[i - 1] = g[i];
                i += 1;
            }
            g[V - 1] = first;
        }
        store(s, f, self.f);
        store(s, g, self.g);
    }
}

/// Steps on `v` and `r`: a product by `x` each.
struct Multiply<'a, const V: usize> {
    steps: &'a [Step],
    v: &'a mut Bits<V>,
    r: &'a mut Bits<V>,
}

impl<const V: usize> Kernel for Multiply<'_, V> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let first = s.load64(&[u64::MAX, 0, 0, 0]);
        let (mut v, mut r) = (load(s, self.v), load(s, self.r));
        for step in self.steps {
            let (last, mut i) = (up(s, v[V - 1], first), V - 1);
            while i > 0 {
                v[i] = v[i - 1];
                i -= 1;
            }
            v[0] = last;
            pair(s, step, &mut v, &mut r);
        }
        store(s, v, self.v);
        store(s, r, self.r);
    }
}

/// The modulus polynomial and `a`, reversed.
fn reversed<const N: usize, const V: usize>(a: &[i16]) -> [Bits<V>; 2] {
    let (mut f, mut g) = ([[[0; 4]; 2]; V], [[[0; 4]; 2]; V]);
    put(&mut f, 0, 1);
    put(&mut f, N - 1, -1);
    put(&mut f, N, -1);
    for (i, &x) in a[..N].iter().rev().enumerate() {
        put(&mut g, i, x);
    }
    [f, g]
}

/// `out = 1 / a` modulo 3 and `x^N - x - 1`, and whether it exists. Coefficients are -1, 0, 1; `V` is
/// [`vectors`] of `N`. Constant time.
pub fn inverse<const N: usize, const V: usize, const ROWS: usize>(
    cpu: Cpu,
    a: &Rows<ROWS>,
    out: &mut Rows<ROWS>,
) -> Choice {
    const { assert!(V == vectors(N) && N <= 16 * ROWS) };
    let [mut f, mut g] = reversed::<N, V>(a.0.as_flattened());
    let (mut v, mut r) = ([[[0; 4]; 2]; V], [[[0; 4]; 2]; V]);
    put(&mut r, 0, 1);
    let (mut delta, mut left, mut steps) = (1, 2 * N - 1, [Step::default(); MAX]);
    while left > 0 {
        let steps = &mut steps[..left.min(const { block(V) })];
        decide(&mut delta, [first(&f, 0), first(&f, 1)], [first(&g, 0), first(&g, 1)], steps);
        cpu.run(Divide { steps, f: &mut f, g: &mut g });
        cpu.run(Multiply { steps, v: &mut v, r: &mut r });
        left -= steps.len();
    }
    crate::memory::wipe(&mut steps);
    let sign = get(&f, 0);
    let out = out.0.as_flattened_mut();
    for (i, x) in out[..N].iter_mut().rev().enumerate() {
        *x = sign * get(&v, i);
    }
    out[N..].fill(0);
    for bits in [&mut f, &mut g, &mut v, &mut r] {
        crate::memory::wipe(bits.as_flattened_mut());
    }
    Choice::from_u32_lsb(!super::nonzero(delta) as u32 & 1)
}
