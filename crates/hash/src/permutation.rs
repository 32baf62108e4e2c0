//! Keccak-f\[1600\] on four states at a time.
//!
//! # The map
//! Each of 24 rounds is, on lanes `a[x + 5 y]` (FIPS 202, section 3.2):
//! `c[x] = a[x, 0] ^ .. ^ a[x, 4]`, `d[x] = c[x - 1] ^ rot(c[x + 1], 1)` (theta); `b = rot(a ^ d)` at its place (rho and pi);
//! `a[x] = b[x] ^ (!b[x + 1] & b[x + 2])` in each plane (chi); a constant onto `a[0]` (iota).
//!
//! # How
//! A vector holds the same lane of four states, so the round is written as for one. Plane by plane: the five lanes of a plane of
//! `b` are made, combined and done with, which keeps the number of live values near that of the registers.

use crate::clear;
use crate::constants::{ROTATION, ROUND, ROUNDS, SOURCE};
use ringsmith_simd::{Cpu, Kernel, Row64, Simd, each};

/// Four states: lane `i` of state `s` is `[i][s]`. Cleared on drop.
#[repr(C, align(32))]
pub struct State4(pub [Row64; 25]);

impl State4 {
    /// All zero.
    pub const fn new() -> Self {
        State4([[0; 4]; 25])
    }
}

impl Default for State4 {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for State4 {
    fn drop(&mut self) {
        clear(self.0.as_flattened_mut());
    }
}

/// The permutation of four states. Constant time.
pub fn permute(cpu: Cpu, state: &mut State4) {
    cpu.run(Permute(&mut state.0));
}

struct Permute<'a>(&'a mut [Row64; 25]);

impl Kernel for Permute<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut a: [S::U64; 25] = each(
            #[inline(always)]
            |i| s.load64(&self.0[i]),
        );
        let mut round = 0;
        while round < ROUNDS {
            a = permute_round(s, a, ROUND[round]);
            round += 1;
        }
        let mut i = 0;
        while i < 25 {
            s.store64(&mut self.0[i], a[i]);
            i += 1;
        }
    }
}

/// Lanes of `b` by their places: rotated lanes of `a ^ d`.
macro_rules! plane {
    ($s:ident, $a:ident, $d:ident; $($to:literal)*) => {
        [$({
            const FROM: usize = SOURCE[$to];
            // Lane 0 stays; 32 stands in, so that the rotation that it does not get can be named.
            const LEFT: i32 = if FROM == 0 { 32 } else { ROTATION[FROM] };
            let lane = $s.xor64($a[FROM], $d[FROM % 5]);
            if FROM == 0 { lane } else { $s.rotate_left64::<LEFT, { 64 - LEFT }>(lane) }
        }),*]
    };
}

#[inline(always)]
fn permute_round<S: Simd>(s: S, a: [S::U64; 25], constant: u64) -> [S::U64; 25] {
    let c: [_; 5] = each(
        #[inline(always)]
        |x| s.xor64(s.xor64(s.xor64(a[x], a[x + 5]), s.xor64(a[x + 10], a[x + 15])), a[x + 20]),
    );
    let d: [_; 5] = each(
        #[inline(always)]
        |x| s.xor64(c[(x + 4) % 5], s.rotate_left64::<1, 63>(c[(x + 1) % 5])),
    );
    let planes = [
        chi(s, plane!(s, a, d; 0 1 2 3 4)),
        chi(s, plane!(s, a, d; 5 6 7 8 9)),
        chi(s, plane!(s, a, d; 10 11 12 13 14)),
        chi(s, plane!(s, a, d; 15 16 17 18 19)),
        chi(s, plane!(s, a, d; 20 21 22 23 24)),
    ];
    let mut out: [_; 25] = each(
        #[inline(always)]
        |i| planes[i / 5][i % 5],
    );
    out[0] = s.xor64(out[0], s.splat64(constant));
    out
}

#[inline(always)]
fn chi<S: Simd>(s: S, b: [S::U64; 5]) -> [S::U64; 5] {
    each(
        #[inline(always)]
        |x| s.xor64(b[x], s.and_not64(b[(x + 1) % 5], b[(x + 2) % 5])),
    )
}
