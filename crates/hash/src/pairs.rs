//! Keccak-f\[1600\] on one state, two lanes a vector, for CPUs with AVX-512.
//!
//! # How
//! Vector `[r][x]` has the lanes `(x, 2 r)` and `(x, 2 r + 1)`, and `[2][x]` has lane `(x, 4)` twice. One
//! instruction adds three such pairs, one is all of chi, and one rotates both lanes, each by its number.
//! Lane `(x, y)` after pi is lane `(x + 3 y, x)` before it. So both lanes of a pair come from plane `x`: from
//! the first places of two vectors, or from the second ones. Pairs lie in the first half of a vector; the
//! second half stays zero.
//!
//! A whole plane in 512 bits takes half the instructions, but more time (docs/decisions/0046).

use crate::constants::{ROTATION, ROUND, ROUNDS};
use ringsmith_simd::{Row64, Simd, each};

/// By how much rho rotates the lanes of each vector.
const ROTATIONS: [[Row64; 5]; 3] = {
    let (mut out, mut i) = ([[[0; 4]; 5]; 3], 0);
    while i < 15 {
        let (r, x) = (i / 5, i % 5);
        let (a, b) = (ROTATION[x + 10 * r] as u64, ROTATION[second(r, x)] as u64);
        out[r][x] = [a, b, a, b];
        i += 1;
    }
    out
};

/// Which lane is the second of a vector.
const fn second(r: usize, x: usize) -> usize {
    if r == 2 { x + 20 } else { x + 10 * r + 5 }
}

/// All rounds.
#[inline(always)]
pub(crate) fn permute_pairs<S: Simd>(s: S, state: &mut [u64; 25]) {
    let mut a = pairs(
        #[inline(always)]
        |r, x| s.load64(&[state[x + 10 * r], state[second(r, x)], 0, 0]),
    );
    let mut round = 0;
    while round < ROUNDS {
        a = permute_round(s, a, ROUND[round]);
        round += 1;
    }
    let mut x = 0;
    while x < 5 {
        let rows: [_; 3] = each(
            #[inline(always)]
            |r| stored(s, a[r][x]),
        );
        (state[x], state[x + 5], state[x + 10]) = (rows[0][0], rows[0][1], rows[1][0]);
        (state[x + 15], state[x + 20]) = (rows[1][1], rows[2][0]);
        x += 1;
    }
}

#[inline(always)]
fn stored<S: Simd>(s: S, v: S::U64) -> Row64 {
    let mut row = [0; 4];
    s.store64(&mut row, v);
    row
}

#[inline(always)]
fn permute_round<S: Simd>(s: S, a: [[S::U64; 5]; 3], constant: u64) -> [[S::U64; 5]; 3] {
    let c: [_; 5] = each(
        #[inline(always)]
        |x| {
            let sums = s.xor64(a[0][x], a[1][x]);
            s.xor64(s.xor64(sums, s.across64(sums, sums)), a[2][x])
        },
    );
    let rotated: [_; 5] = each(
        #[inline(always)]
        |x| s.rotate_left64::<1, 63>(c[x]),
    );
    let a = pairs(
        #[inline(always)]
        |r, x| {
            let d = s.xor64(c[(x + 4) % 5], rotated[(x + 1) % 5]);
            s.rotate_each64(s.xor64(a[r][x], d), &ROTATIONS[r][x])
        },
    );
    let b = pairs(
        #[inline(always)]
        |r, x| {
            let plane = &a[x / 2];
            let first = plane[(x + 6 * r) % 5];
            let second = if r == 2 { first } else { plane[(x + 6 * r + 3) % 5] };
            if x % 2 == 0 { firsts(s, first, second) } else { seconds(s, first, second) }
        },
    );
    let mut a = pairs(
        #[inline(always)]
        |r, x| s.xor64(b[r][x], s.and_not64(b[r][(x + 1) % 5], b[r][(x + 2) % 5])),
    );
    a[0][0] = s.xor64(a[0][0], s.load64(&[constant, 0, 0, 0]));
    a
}

/// The vectors of a state.
#[inline(always)]
fn pairs<T: Copy>(f: impl Fn(usize, usize) -> T) -> [[T; 5]; 3] {
    each(
        #[inline(always)]
        |r| {
            each(
                #[inline(always)]
                |x| f(r, x),
            )
        },
    )
}

/// The first lanes of `a` and of `b`.
#[inline(always)]
fn firsts<S: Simd>(s: S, a: S::U64, b: S::U64) -> S::U64 {
    s.across64(s.across64(a, a), b)
}

/// The second lanes of `a` and of `b`.
#[inline(always)]
fn seconds<S: Simd>(s: S, a: S::U64, b: S::U64) -> S::U64 {
    s.across64(a, s.across64(b, b))
}
