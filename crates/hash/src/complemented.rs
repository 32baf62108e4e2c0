//! Keccak-f\[1600\] on one state, for CPUs without an instruction for `!a & b`: x86-64's baseline.
//!
//! # The map
//! Chi is `a[x] ^ (!a[x + 1] & a[x + 2])`. Where some lanes are kept as their complements, De Morgan's laws
//! make `&` or `|` of lanes as they are of it: `!a & !b = !(a | b)`, and a complement outside of it is one
//! of the result. All other steps are sums and moves. With the lanes below complemented, the columns of a
//! round give the sums that keep them so, and five complements remain of the 25 of a round (G. Bertoni and
//! others, Keccak implementation overview, section 2.2).
//!
//! Constant time.

use crate::constants::{ROTATION, ROUND, ROUNDS, SOURCE};
use crate::permutation::{Single, theta};
use ringsmith_simd::wipe;

/// The lanes that are kept as their complements.
const COMPLEMENTED: [usize; 6] = [1, 2, 8, 12, 17, 20];

/// All rounds.
#[inline(always)]
pub(crate) fn permute_complemented(state: &mut [u64; 25]) {
    const { assert!(ROUNDS.is_multiple_of(2)) };
    let (mut other, mut round) = ([0; 25], 0);
    complement(state);
    while round < ROUNDS {
        permute_round(state, &mut other, ROUND[round]);
        permute_round(&other, state, ROUND[round + 1]);
        round += 2;
    }
    complement(state);
    wipe(&mut other);
}

#[inline(always)]
fn complement(state: &mut [u64; 25]) {
    let mut i = 0;
    while i < COMPLEMENTED.len() {
        state[COMPLEMENTED[i]] ^= !0;
        i += 1;
    }
}

/// Lanes of a plane before chi: rotated lanes of `a ^ d`.
macro_rules! plane {
    ($a:ident, $d:ident; $($to:literal)*) => {
        [$({
            const FROM: usize = SOURCE[$to];
            ($a[FROM] ^ $d[FROM % 5]).rotate_left(ROTATION[FROM] as u32)
        }),*]
    };
}

#[inline(always)]
fn permute_round(a: &[u64; 25], out: &mut [u64; 25], constant: u64) {
    let d = theta(Single, a);
    let [v, w, x, y, z] = plane!(a, d; 0 1 2 3 4);
    let plane = [v ^ (w | x) ^ constant, w ^ (!x | y), x ^ (y & z), y ^ (z | v), z ^ (v & w)];
    out[..5].copy_from_slice(&plane);
    let [v, w, x, y, z] = plane!(a, d; 5 6 7 8 9);
    let plane = [v ^ (w | x), w ^ (x & y), x ^ (y | !z), y ^ (z | v), z ^ (v & w)];
    out[5..10].copy_from_slice(&plane);
    let [v, w, x, y, z] = plane!(a, d; 10 11 12 13 14);
    let plane = [v ^ (w | x), w ^ (x & y), x ^ (!y & z), !y ^ (z | v), z ^ (v & w)];
    out[10..15].copy_from_slice(&plane);
    let [v, w, x, y, z] = plane!(a, d; 15 16 17 18 19);
    let plane = [v ^ (w & x), w ^ (x | y), x ^ (!y | z), !y ^ (z & v), z ^ (v | w)];
    out[15..20].copy_from_slice(&plane);
    let [v, w, x, y, z] = plane!(a, d; 20 21 22 23 24);
    let plane = [v ^ (!w & x), !w ^ (x | y), x ^ (y & z), y ^ (z | v), z ^ (v & w)];
    out[20..].copy_from_slice(&plane);
}
