//! Division steps modulo 3, in planes of bits.
//!
//! # The map
//! A coefficient is two bits: whether it is not 0, and, where it is not, whether it is -1; the second bit of
//! 0 is of no meaning. Coefficient `i` of a polynomial in `V` vectors is in vector `i mod V`; in a vector,
//! the lanes go first, then the bits: so a division by `x` makes vector `k + 1` vector `k`, and moves one
//! vector alone by one place. A sum is seven operations on planes:
//!
//! ```text
//! d = a_1 ^ b_1:    (a + b)_0 = (a_0 ^ b_0) | (a_0 & !d),    (a + b)_1 = b_1 ^ (a_0 & (d ^ b_0))
//! ```
//!
//! Where one of the two is 0 the sum has the other's bits. Else `d` tells whether they differ, which makes 0;
//! and if not, the sum is the negative of both.
//!
//! # A step
//! `f(0)` and `g(0)` are 1, -1 or 0, so `g' = g - f(0) g(0) f` does in place of `f(0) g - g(0) f`: a unit's
//! difference, the same for `r` and `v`. Where `f` and `g` change places it is the same up to a unit again. A
//! product by a unit is one operation, and the `d` of the signs serves the exchange as well.
//!
//! # Blocks
//! What `n` steps do is decided by the first `n` coefficients of `f` and `g`. Those of about 60 are gathered
//! in a word for each plane, and decided there; then the vectors do the steps, of which each is three masks,
//! without a wait for what the one before made: `f` and `g` first, then `v` and `r`, each pair in registers.
//! While `v` and `r` do the steps of a block, those of the next are decided: words and vectors have circuits
//! of their own.
//!
//! # Conditions
//! A [`Modulus`] whose constant term is not 0. It need not be irreducible modulo 3: whether there is an
//! inverse is part of the result.
//!
//! # Bounds
//! In and out: -1, 0, 1. There is nothing to overflow: `f` and `g` have as many coefficients as the modulus
//! polynomial, for which `256 V` have room.
//!
//! # Source
//! D. J. Bernstein, B.-Y. Yang (eprint 2019/266), sections 5 and 7. Deviations: coefficients go around the
//! vectors before they fill one; the sign of 0 is of no meaning; the next block is decided meanwhile.
//!
//! ```
//! use ringsmith_ring::{Ring, Small, inverse::InversesMod3};
//! use ringsmith_routes::rings::NtruPrime761 as Field;
//! use ringsmith_simd::Cpu;
//!
//! let x = Small::<Field>::new(&core::array::from_fn::<i16, 761, _>(|i| (i == 1) as i16)).unwrap();
//! let (inverse, exists) = Field::inverse_mod_3(Cpu::detect(), &x);
//! // x (x^760 - 1) = 1
//! assert!(exists.to_bool() && (inverse.centred()[0], inverse.centred()[760]) == (-1, 1));
//! ```

use super::exchange;
use super::planes::{Bits, Pack, Unpack, Words, reversed};
use crate::memory::{Rows, wipe};
use crate::reduce::three;
use ctutils::Choice;
use ringsmith_simd::{Cpu, Kernel, Simd, each};

/// A vector of coefficients: not 0, and -1.
type Planes<S> = [<S as ringsmith_simd::U64Lanes>::U64; 2];

/// A modulus polynomial with coefficients -1, 0, 1, the first and the last not 0.
pub trait Modulus {
    /// Its degree.
    const DEGREE: usize;
    /// Its coefficients: that of `x^DEGREE`, that of all powers between, and that of both `x` and 1.
    const COEFFICIENTS: [i16; 3];
}

/// `x^N - x - 1`.
pub struct PrimeTrinomial<const N: usize>;

impl<const N: usize> Modulus for PrimeTrinomial<N> {
    const DEGREE: usize = N;
    const COEFFICIENTS: [i16; 3] = [1, 0, -1];
}

/// `1 + x + .. + x^(N-1)`, of degree `N - 1`.
pub struct AllOnes<const N: usize>;

impl<const N: usize> Modulus for AllOnes<N> {
    const DEGREE: usize = N - 1;
    const COEFFICIENTS: [i16; 3] = [1; 3];
}

/// Vectors that hold a modulus polynomial of degree `n`.
pub const fn vectors(n: usize) -> usize {
    n / 256 + 1
}

/// Coefficient 0.
#[inline(always)]
fn constant<const V: usize>(bits: &Bits<V>) -> i16 {
    let [one, minus] = [bits[0][0][0], bits[0][1][0]];
    ((one & 1) as i16) - 2 * ((one & minus & 1) as i16)
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

/// Steps that the first bits of all words decide: so many bits of each that copies of them do not meet.
const fn block(vectors: usize) -> usize {
    let stride = 4 * vectors;
    let bits = if 64 / stride < stride { 64 / stride } else { stride - 1 };
    bits * stride
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
    let (low, mut all, mut i, mut lane) = ((1 << k) - 1, 0, 0, 0);
    while lane < 4 {
        let mut vector = 0;
        while vector < V {
            all |= ((bits[vector][plane][lane] & low).wrapping_mul(copies) & places) << i;
            (i, vector) = (i + 1, vector + 1);
        }
        lane += 1;
    }
    all
}

/// What decides steps: the first coefficients of `f` and `g`, and `delta`.
#[derive(Clone, Copy)]
struct Decision {
    delta: i32,
    f: [u64; 2],
    g: [u64; 2],
}

impl Decision {
    /// The next step.
    #[inline(always)]
    fn step(&mut self) -> Step {
        let ([f, minus_f], [g, minus_g]) = (self.f, self.g);
        let (swap, next) = exchange(self.delta, (g & 1) as i32);
        let (one, minus) = ((g & 1).wrapping_neg(), (!(minus_f ^ minus_g) & 1).wrapping_neg());
        let step = Step { swap: swap as i64 as u64, one, minus };
        let (a, signs) = (f & one, minus_f ^ minus_g);
        let differ = signs ^ minus;
        self.delta = next;
        self.f = [f ^ ((f ^ g) & step.swap), minus_f ^ (signs & step.swap)];
        self.g = [((a ^ g) | (a & !differ)) >> 1, (minus_g ^ (a & (differ ^ g))) >> 1];
        step
    }

    /// Takes the first coefficients of `f` and `g`.
    #[inline(always)]
    fn read<const V: usize>(&mut self, f: &Bits<V>, g: &Bits<V>) {
        (self.f, self.g) = ([first(f, 0), first(f, 1)], [first(g, 0), first(g, 1)]);
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
        let ([x, minus_x], [y, minus_y]) = (f[i], g[i]);
        let (a, signs) = (s.and64(x, one), s.xor64(minus_x, minus_y));
        let differ = s.xor64(signs, minus);
        f[i] = [s.select64(swap, y, x), s.select64(swap, minus_y, minus_x)];
        g[i] =
            [s.or64(s.xor64(a, y), s.and_not64(differ, a)), s.xor64(minus_y, s.and64(a, s.xor64(differ, y)))];
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

/// Steps on `v` and `r`: a product by `x` each. Meanwhile the next steps are decided, which are no more.
struct Multiply<'a, const V: usize> {
    steps: &'a [Step],
    v: &'a mut Bits<V>,
    r: &'a mut Bits<V>,
    decision: &'a mut Decision,
    next: &'a mut [Step],
}

impl<const V: usize> Kernel for Multiply<'_, V> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let first = s.load64(&[u64::MAX, 0, 0, 0]);
        let (mut v, mut r) = (load(s, self.v), load(s, self.r));
        let (mut decision, mut k) = (*self.decision, 0);
        while k < self.steps.len() {
            let (last, mut i) = (up(s, v[V - 1], first), V - 1);
            while i > 0 {
                v[i] = v[i - 1];
                i -= 1;
            }
            v[0] = last;
            pair(s, &self.steps[k], &mut v, &mut r);
            if k < self.next.len() {
                self.next[k] = decision.step();
            }
            k += 1;
        }
        *self.decision = decision;
        store(s, v, self.v);
        store(s, r, self.r);
    }
}

/// All memory, cleared on drop.
struct Memory<const V: usize> {
    f: Bits<V>,
    g: Bits<V>,
    v: Bits<V>,
    r: Bits<V>,
    steps: [[Step; MAX]; 2],
    decision: Decision,
}

impl<const V: usize> Memory<V> {
    /// The modulus polynomial, reversed; `g = v = 0`, `r = 1`.
    const fn new<M: Modulus>() -> Self {
        let decision = Decision { delta: 1, f: [0; 2], g: [0; 2] };
        let f = const { reversed(M::DEGREE, M::COEFFICIENTS) };
        let (g, v, mut r) = ([[[0; 4]; 2]; V], [[[0; 4]; 2]; V], [[[0; 4]; 2]; V]);
        r[0][0][0] = 1;
        let none = Step { swap: 0, one: 0, minus: 0 };
        Memory { f, g, v, r, steps: [[none; MAX]; 2], decision }
    }

    /// All steps. Not inlined: it is one function for all moduli of a size.
    #[inline(never)]
    fn run(&mut self, cpu: Cpu, mut left: usize) {
        let [mut steps, mut next] = self.steps.each_mut().map(|steps| &mut steps[..]);
        let mut count = left.min(block(V));
        self.decision.read(&self.f, &self.g);
        steps[..count].iter_mut().for_each(|step| *step = self.decision.step());
        while left > 0 {
            left -= count;
            let after = left.min(count);
            cpu.run(Divide { steps: &steps[..count], f: &mut self.f, g: &mut self.g });
            self.decision.read(&self.f, &self.g);
            let (decision, next_steps) = (&mut self.decision, &mut next[..after]);
            let [v, r] = [&mut self.v, &mut self.r];
            cpu.run(Multiply { steps: &steps[..count], v, r, decision, next: next_steps });
            core::mem::swap(&mut steps, &mut next);
            count = after;
        }
    }
}

impl<const V: usize> Drop for Memory<V> {
    fn drop(&mut self) {
        for bits in [&mut self.f, &mut self.g, &mut self.v, &mut self.r] {
            wipe(bits.as_flattened_mut());
        }
        self.steps.iter_mut().for_each(|steps| wipe(steps));
        wipe(core::slice::from_mut(&mut self.decision.delta));
        wipe(&mut self.decision.f);
        wipe(&mut self.decision.g);
    }
}

/// `out = 1 / a` modulo 3 and a polynomial, and whether it exists. Coefficients are -1, 0, 1, those of `a`
/// from the degree of the modulus polynomial on do not count; `V` is [`vectors`] of the degree. Constant
/// time.
pub fn inverse<M: Modulus, const V: usize, const ROWS: usize>(
    cpu: Cpu,
    a: &Rows<ROWS>,
    out: &mut Rows<ROWS>,
) -> Choice {
    const { assert!(V == vectors(M::DEGREE) && V <= 8 && M::DEGREE <= 16 * ROWS) };
    let (mut memory, mut words) = (Memory::<V>::new::<M>(), Words([[[0; 16]; ROWS]; 2]));
    words.0[1] = a.0;
    let n = M::DEGREE;
    cpu.run(Pack { n, words: words.0.as_flattened().as_flattened(), bits: &mut memory.g });
    memory.run(cpu, 2 * n - 1);
    let (sign, place) = (constant(&memory.f), words.0.as_flattened_mut().as_flattened_mut());
    cpu.run(Unpack { n, bits: &memory.v, sign, words: place });
    out.0 = words.0[1];
    out.0.as_flattened_mut()[n..].fill(0);
    Choice::from_u32_lsb(!super::nonzero(memory.decision.delta) as u32 & 1)
}

/// `a` modulo 3 and `1 + x + .. + x^(N-1)`: less its top coefficient times that. Coefficients between -4095
/// and 4095 in, -1, 0, 1 out. Constant time.
pub fn modulo_phi<const N: usize, const ROWS: usize>(cpu: Cpu, a: &mut Rows<ROWS>) {
    const { assert!(N <= 16 * ROWS && 2 * 4095 <= three::LIMIT) };
    let all = a.0.as_flattened_mut();
    let top = all[N - 1];
    all[..N].iter_mut().for_each(|x| *x -= top);
    three::reduce(cpu, &mut a.0);
}
