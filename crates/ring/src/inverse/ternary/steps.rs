//! Division steps modulo 3 on vectors of bits: on `f` and `g`, and on `v` and `r`.
//!
//! # Registers and memory
//! Two polynomials of two vectors are in registers while a block is done, and of six with the registers of
//! AVX-512. Of more vectors they would be spilled at each step. So they stay in memory, and two steps are
//! done at a time: the second follows one vector behind the first, and each vector is loaded and stored once
//! for both.
//!
//! The polynomial whose vectors change places slides through memory: its first vector, moved by one place, is
//! written behind its last one, and the next step begins one vector further. A product by `x` moves the last
//! vector, so the vectors of `v` and `r` are in reverse.
//!
//! Constant time: the steps are masks, and which addresses are taken depends on their number alone.

use super::super::planes::Bits;
use super::decision::{Decision, Step};
use ringsmith_simd::{Kernel, Row64, Simd, WideLanes, each};

/// A vector of coefficients: not 0, and -1.
type Planes<S> = [<S as ringsmith_simd::U64Lanes>::U64; 2];

/// Steps after which a polynomial that slides through memory goes back to the first place; an even number.
const SLIDE: usize = 32;

/// Up to so many vectors of a polynomial, a block has two polynomials in registers.
const REGISTERS: usize = 2;

/// The same with the registers of AVX-512, which are twice as many.
const REGISTERS_AVX512: usize = 6;

/// Vectors that two steps reach, of a polynomial of at most 8.
const REACH: usize = 10;

/// A polynomial that slides: a step makes one vector behind its last one and leaves its first one.
pub(super) type Window = [[Row64; 2]; SLIDE + REACH];

/// All zero.
pub(super) const NO_WINDOW: Window = [[[0; 4]; 2]; SLIDE + REACH];

/// The vectors of a polynomial that does not slide just now.
pub(super) fn vectors_of<const V: usize>(window: &mut Window) -> &mut Bits<V> {
    window.first_chunk_mut().expect("at most 8 vectors")
}

/// One place down, within a vector.
#[inline(always)]
fn down<S: Simd>(s: S, [x, minus_x]: Planes<S>) -> Planes<S> {
    [s.down64(x), s.down64(minus_x)]
}

/// One place up, within a vector.
#[inline(always)]
fn up<S: Simd>(s: S, [x, minus_x]: Planes<S>) -> Planes<S> {
    [s.up64(x), s.up64(minus_x)]
}

/// Steps on one vector of each of `f` and `g`, which is not yet divided. Where a vector is one register,
/// steps wait for each other: one more operation makes their chain shorter.
#[inline(always)]
fn pair<S: Simd>(s: S, step: &Masks<S>, [x, minus_x]: Planes<S>, [y, minus_y]: Planes<S>) -> [Planes<S>; 2] {
    let [swap, one, minus] = *step;
    let (a, sign) = (s.and64(x, one), s.xor64(minus_x, minus));
    let differ = s.xor64(sign, minus_y);
    let f = [s.select64(swap, y, x), s.select64(swap, minus_y, minus_x)];
    let zeroth = s.or64(s.xor64(a, y), s.and_not64(differ, a));
    let minus_g = match S::REGISTERS_64 {
        1 => s.or64(s.and64(a, s.xor64(sign, y)), s.and_not64(a, minus_y)),
        _ => s.xor64(minus_y, s.and64(a, s.xor64(differ, y))),
    };
    [f, [zeroth, minus_g]]
}

/// A step's masks in all lanes.
type Masks<S> = [<S as ringsmith_simd::U64Lanes>::U64; 3];

#[inline(always)]
fn masks<S: Simd>(s: S, step: &Step) -> Masks<S> {
    [s.splat64(step.swap), s.splat64(step.one), s.splat64(step.minus)]
}

#[inline(always)]
fn load<S: Simd>(s: S, bits: &[Row64; 2]) -> Planes<S> {
    [s.load64(&bits[0]), s.load64(&bits[1])]
}

#[inline(always)]
fn store<S: Simd>(s: S, bits: &mut [Row64; 2], a: Planes<S>) {
    s.store64(&mut bits[0], a[0]);
    s.store64(&mut bits[1], a[1]);
}

#[inline(always)]
fn load_all<S: Simd, const V: usize>(s: S, bits: &Bits<V>) -> [Planes<S>; V] {
    each(
        #[inline(always)]
        |i| load(s, &bits[i]),
    )
}

#[inline(always)]
fn store_all<S: Simd, const V: usize>(s: S, bits: &mut Bits<V>, vectors: [Planes<S>; V]) {
    let mut i = 0;
    while i < V {
        store(s, &mut bits[i], vectors[i]);
        i += 1;
    }
}

/// What two steps reach of a polynomial that slides: its vectors and two more.
#[inline(always)]
fn reach(window: &mut Window, place: usize) -> &mut [[Row64; 2]; REACH] {
    window[place..].first_chunk_mut().expect("a place of a window")
}

/// The last `V` vectors that steps made become the first.
#[inline(always)]
fn slide_back<S: Simd, const V: usize>(s: S, window: &mut Window, steps: usize) {
    let mut i = 0;
    while i < V {
        let a = load(s, &window[steps + i]);
        store(s, &mut window[i], a);
        i += 1;
    }
}

/// Steps on `f` and `g`: a division by `x` each.
pub(super) struct Divide<'a, const V: usize> {
    pub(super) steps: &'a [Step],
    pub(super) f: &'a mut Bits<V>,
    pub(super) g: &'a mut Window,
}

/// Two steps, of which the second follows one vector behind the first. There are two vectors or more.
#[inline(always)]
fn divide_twice<S: Simd, const V: usize>(
    s: S,
    steps: &[Step; 2],
    f: &mut Bits<V>,
    g: &mut [[Row64; 2]; REACH],
) {
    let (first, second) = (masks(s, &steps[0]), masks(s, &steps[1]));
    let [mut before, y] = pair(s, &first, load(s, &f[0]), load(s, &g[0]));
    let (moved, mut i) = (down(s, y), 1);
    while i < V {
        let [x, y] = pair(s, &first, load(s, &f[i]), load(s, &g[i]));
        let [done, y] = pair(s, &second, before, y);
        store(s, &mut f[i - 1], done);
        match i {
            1 => store(s, &mut g[V + 1], down(s, y)),
            _ => store(s, &mut g[i], y),
        }
        (before, i) = (x, i + 1);
    }
    let [done, y] = pair(s, &second, before, moved);
    store(s, &mut f[V - 1], done);
    store(s, &mut g[V], y);
}

/// One step.
#[inline(always)]
fn divide_once<S: Simd, const V: usize>(s: S, step: &Step, f: &mut Bits<V>, g: &mut [[Row64; 2]; REACH]) {
    let (step, mut i) = (masks(s, step), 0);
    while i < V {
        let [x, y] = pair(s, &step, load(s, &f[i]), load(s, &g[i]));
        store(s, &mut f[i], x);
        match i {
            0 => store(s, &mut g[V], down(s, y)),
            _ => store(s, &mut g[i], y),
        }
        i += 1;
    }
}

impl<const V: usize> Kernel for Divide<'_, V> {
    type Out = ();
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        match V {
            ..=REGISTERS => self.in_registers(s),
            _ => self.in_memory(s),
        }
    }
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(self, s: S, _: W) {
        match V {
            ..=REGISTERS_AVX512 => self.in_registers(s),
            _ => self.in_memory(s),
        }
    }
}

impl<const V: usize> Divide<'_, V> {
    /// With all vectors in registers.
    #[inline(always)]
    fn in_registers<S: Simd>(self, s: S) {
        let Divide { steps, f, g } = self;
        let g = vectors_of::<V>(g);
        let (mut x, mut y) = (load_all(s, f), load_all(s, g));
        for step in steps {
            let (step, mut i) = (masks(s, step), 0);
            while i < V {
                [x[i], y[i]] = pair(s, &step, x[i], y[i]);
                i += 1;
            }
            let (moved, mut i) = (down(s, y[0]), 1);
            while i < V {
                y[i - 1] = y[i];
                i += 1;
            }
            y[V - 1] = moved;
        }
        store_all(s, f, x);
        store_all(s, g, y);
    }

    /// Two steps at a time, with the vectors in memory.
    #[inline(always)]
    fn in_memory<S: Simd>(self, s: S) {
        let Divide { steps, f, g } = self;
        for steps in steps.chunks(SLIDE) {
            let (pairs, rest) = steps.as_chunks::<2>();
            for (k, two) in pairs.iter().enumerate() {
                divide_twice::<S, V>(s, two, f, reach(g, 2 * k));
            }
            if let [one] = rest {
                divide_once::<S, V>(s, one, f, reach(g, 2 * pairs.len()));
            }
            slide_back::<S, V>(s, g, steps.len());
        }
    }
}

/// Steps on `v` and `r`: a product by `x` each. Meanwhile the next steps are decided, which are no more. The
/// last vector comes first in both.
pub(super) struct Multiply<'a, const V: usize> {
    pub(super) steps: &'a [Step],
    pub(super) v: &'a mut Window,
    pub(super) r: &'a mut Bits<V>,
    pub(super) decision: &'a mut Decision,
    pub(super) next: &'a mut [Step],
}

/// Two steps, of which the second follows one vector behind the first. There are two vectors or more.
#[inline(always)]
fn multiply_twice<S: Simd, const V: usize>(
    s: S,
    steps: &[Step; 2],
    v: &mut [[Row64; 2]; REACH],
    r: &mut Bits<V>,
) {
    let (first, second) = (masks(s, &steps[0]), masks(s, &steps[1]));
    let moved = up(s, load(s, &v[0]));
    let [x, mut before] = pair(s, &first, load(s, &v[1]), load(s, &r[0]));
    let (again, mut i) = (up(s, x), 1);
    while i < V {
        let x = if i + 1 == V { moved } else { load(s, &v[i + 1]) };
        let [x, y] = pair(s, &first, x, load(s, &r[i]));
        let [x, done] = pair(s, &second, x, before);
        store(s, &mut v[i + 1], x);
        store(s, &mut r[i - 1], done);
        (before, i) = (y, i + 1);
    }
    let [x, done] = pair(s, &second, again, before);
    store(s, &mut v[V + 1], x);
    store(s, &mut r[V - 1], done);
}

/// One step.
#[inline(always)]
fn multiply_once<S: Simd, const V: usize>(s: S, step: &Step, v: &mut [[Row64; 2]; REACH], r: &mut Bits<V>) {
    let (step, moved, mut i) = (masks(s, step), up(s, load(s, &v[0])), 0);
    while i < V {
        let x = if i + 1 == V { moved } else { load(s, &v[i + 1]) };
        let [x, y] = pair(s, &step, x, load(s, &r[i]));
        store(s, &mut v[i + 1], x);
        store(s, &mut r[i], y);
        i += 1;
    }
}

impl<const V: usize> Multiply<'_, V> {
    /// With all vectors in registers.
    #[inline(always)]
    fn in_registers<S: Simd>(self, s: S) {
        let Multiply { steps, v, r, decision: state, next } = self;
        let v = vectors_of::<V>(v);
        let (mut x, mut y, mut decision, mut k) = (load_all(s, v), load_all(s, r), *state, 0);
        while k < steps.len() {
            let (moved, mut i) = (up(s, x[0]), 1);
            while i < V {
                x[i - 1] = x[i];
                i += 1;
            }
            x[V - 1] = moved;
            let (step, mut i) = (masks(s, &steps[k]), 0);
            while i < V {
                [x[i], y[i]] = pair(s, &step, x[i], y[i]);
                i += 1;
            }
            if k < next.len() {
                next[k] = decision.step();
            }
            k += 1;
        }
        *state = decision;
        store_all(s, v, x);
        store_all(s, r, y);
    }
}

impl<const V: usize> Kernel for Multiply<'_, V> {
    type Out = ();
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        match V {
            ..=REGISTERS => self.in_registers(s),
            _ => self.in_memory(s),
        }
    }
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(self, s: S, _: W) {
        match V {
            ..=REGISTERS_AVX512 => self.in_registers(s),
            _ => self.in_memory(s),
        }
    }
}

impl<const V: usize> Multiply<'_, V> {
    /// Two steps at a time, with the vectors in memory.
    #[inline(always)]
    fn in_memory<S: Simd>(self, s: S) {
        let Multiply { steps, v, r, decision: state, next } = self;
        let (mut decision, mut next) = (*state, next.iter_mut());
        for steps in steps.chunks(SLIDE) {
            let (pairs, rest) = steps.as_chunks::<2>();
            for (k, two) in pairs.iter().enumerate() {
                multiply_twice::<S, V>(s, two, reach(v, 2 * k), r);
                next.by_ref().take(2).for_each(|step| *step = decision.step());
            }
            if let [one] = rest {
                multiply_once::<S, V>(s, one, reach(v, 2 * pairs.len()), r);
                next.by_ref().take(1).for_each(|step| *step = decision.step());
            }
            slide_back::<S, V>(s, v, steps.len());
        }
        *state = decision;
    }
}
