//! Division steps modulo 3 on vectors of bits, and what decides them.
//!
//! # Side by side
//! Steps on `f` and `g` wait for each other, and so do those on `v` and `r`, and decisions. One loop has all
//! three: each fills the units that the others leave idle. A step is decided [`LEAD`] steps before it is
//! done, so its masks come from memory, and not from one kind of register to the other.
//!
//! Where four polynomials are more than the registers hold, steps on `v` and `r` are a loop behind that one.
//! Not with AVX2: vectors come back from memory there while others are computed.
//!
//! A division by `x` makes vector `k + 1` vector `k`, and moves the first one by one place. A product by `x`
//! is the same from the last vector on, so the vectors of `v` and `r` are in reverse.
//!
//! Constant time: the steps are masks, and which addresses are taken depends on their number alone.

use super::super::planes::Bits;
use super::Memory;
use super::decision::{Decision, Step, block};
use ringsmith_simd::{Kernel, Simd, WideLanes, each};

/// A step is decided so many steps before it is done.
const LEAD: usize = 2;

/// A vector of coefficients: not 0, and -1.
type Planes<S> = [<S as ringsmith_simd::U64Lanes>::U64; 2];

/// The vectors of a polynomial.
type Polynomial<S, const V: usize> = [Planes<S>; V];

/// A step's masks in all lanes.
type Masks<S> = [<S as ringsmith_simd::U64Lanes>::U64; 3];

#[inline(always)]
fn masks<S: Simd>(s: S, step: &Step) -> Masks<S> {
    [s.splat64(step.swap), s.splat64(step.one), s.splat64(step.minus)]
}

#[inline(always)]
fn load<S: Simd, const V: usize>(s: S, bits: &Bits<V>) -> Polynomial<S, V> {
    each(
        #[inline(always)]
        |i| [s.load64(&bits[i][0]), s.load64(&bits[i][1])],
    )
}

#[inline(always)]
fn store<S: Simd, const V: usize>(s: S, bits: &mut Bits<V>, polynomial: &Polynomial<S, V>) {
    let mut i = 0;
    while i < V {
        s.store64(&mut bits[i][0], polynomial[i][0]);
        s.store64(&mut bits[i][1], polynomial[i][1]);
        i += 1;
    }
}

/// A step on one vector of each of two polynomials, which is neither divided nor multiplied here.
#[inline(always)]
fn pair<S: Simd>(s: S, step: &Masks<S>, [x, minus_x]: Planes<S>, [y, minus_y]: Planes<S>) -> [Planes<S>; 2] {
    let [swap, one, minus] = *step;
    let (a, signs) = (s.and64(x, one), s.xor64(minus_x, minus_y));
    let (sum, differ) = (s.xor64(a, y), s.xor64(signs, minus));
    // Where they change places `one` is set, so that the sum is x ^ y.
    let f = [s.replace64(swap, x, y, sum), s.replace64(swap, minus_x, minus_y, signs)];
    let g = [s.or64(sum, s.and_not64(differ, a)), s.xor64(minus_y, s.and64(a, s.xor64(differ, y)))];
    [f, g]
}

/// The second vector becomes the first, and so on; the last one is given.
#[inline(always)]
fn turn<S: Simd, const V: usize>(polynomial: &mut Polynomial<S, V>, last: Planes<S>) {
    let mut i = 1;
    while i < V {
        polynomial[i - 1] = polynomial[i];
        i += 1;
    }
    polynomial[V - 1] = last;
}

/// A step on `f` and `g`, with a division by `x`.
#[inline(always)]
fn divide<S: Simd, const V: usize>(s: S, step: &Step, f: &mut Polynomial<S, V>, g: &mut Polynomial<S, V>) {
    let (step, mut i) = (masks(s, step), 0);
    while i < V {
        [f[i], g[i]] = pair(s, &step, f[i], g[i]);
        i += 1;
    }
    let [first, minus_first] = g[0];
    turn::<S, V>(g, [s.down64(first), s.down64(minus_first)]);
}

/// A step on `v` and `r`, with a product by `x`.
#[inline(always)]
fn multiply<S: Simd, const V: usize>(s: S, step: &Step, v: &mut Polynomial<S, V>, r: &mut Polynomial<S, V>) {
    let (step, [first, minus_first], mut i) = (masks(s, step), v[0], 0);
    turn::<S, V>(v, [s.up64(first), s.up64(minus_first)]);
    while i < V {
        [v[i], r[i]] = pair(s, &step, v[i], r[i]);
        i += 1;
    }
}

/// Steps on `f` and `g`, of which each is decided a little before, and on `v` and `r` if these are beside.
#[inline(always)]
fn decide_and_divide<S: Simd, const V: usize>(
    s: S,
    beside: bool,
    steps: &mut [Step],
    decision: &mut Decision,
    [f, g, v, r]: &mut [Polynomial<S, V>; 4],
) {
    let (count, mut k) = (steps.len(), 0);
    while k < LEAD.min(count) {
        steps[k] = decision.step();
        k += 1;
    }
    k = 0;
    while k < count {
        divide(s, &steps[k], f, g);
        if beside {
            multiply(s, &steps[k], v, r);
        }
        if k + LEAD < count {
            steps[k + LEAD] = decision.step();
        }
        k += 1;
    }
}

/// So many division steps. Of what decides them, `f` and `delta` are those behind them in the end.
pub(super) struct Steps<'a, const V: usize> {
    pub(super) count: usize,
    pub(super) memory: &'a mut Memory<V>,
}

impl<const V: usize> Steps<'_, V> {
    /// All of them, block by block.
    #[inline(always)]
    fn all<S: Simd>(self, s: S, beside: bool) {
        let (mut left, Memory { f, g, v, r, steps, decision }) = (self.count, self.memory);
        let (mut all, mut ahead) = ([load(s, f), load(s, g), load(s, v), load(s, r)], *decision);
        while left > 0 {
            let steps = &mut steps[..left.min(const { block(V) })];
            store(s, f, &all[0]);
            store(s, g, &all[1]);
            ahead.read(f, g);
            decide_and_divide(s, beside, steps, &mut ahead, &mut all);
            if !beside {
                let (mut v_here, mut r_here) = (load(s, v), load(s, r));
                for step in &*steps {
                    multiply(s, step, &mut v_here, &mut r_here);
                }
                store(s, v, &v_here);
                store(s, r, &r_here);
            }
            left -= steps.len();
        }
        (decision.f, decision.minus_delta) = (ahead.f, ahead.minus_delta);
        if beside {
            store(s, v, &all[2]);
            store(s, r, &all[3]);
        }
    }
}

impl<const V: usize> Kernel for Steps<'_, V> {
    type Out = ();
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        self.all(s, V == 1 || S::REGISTERS_64 == 1);
    }
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(self, s: S, _: W) {
        self.all(s, V <= 3);
    }
}
