//! Functions that leak a secret through time: every tool that looks for leaks must find each of them.

use crate::observe::observed;
use crate::operand::{make_defined, make_undefined};
use ringsmith_oracle::Random;
use std::hint::black_box;

/// A leaky function of a secret.
pub struct Sample {
    /// What it does wrong.
    pub name: &'static str,
    leak: fn(&[i16; 16]) -> i64,
}

/// All samples.
pub const ALL: [Sample; 4] = [
    Sample { name: "branch", leak: branch },
    Sample { name: "look-up", leak: look_up },
    Sample { name: "early-exit", leak: early_exit },
    Sample { name: "loop-count", leak: loop_count },
];

impl Sample {
    /// Runs it between the marks of [`observe`](crate::observe).
    pub fn run(&self, seed: u64) {
        let mut random = Random::new(seed);
        let mut secret = [0; 16];
        secret.iter_mut().for_each(|x| *x = random.within(-1000, 1000) as i16);
        make_undefined(&mut secret);
        let leak = self.leak;
        let mut out = [observed(|| leak(black_box(&secret)))];
        make_defined(&mut out);
        make_defined(&mut secret);
        black_box(out);
    }
}

/// Does more for one secret than for another.
#[inline(never)]
fn branch(secret: &[i16; 16]) -> i64 {
    if secret[0] > 0 { black_box(secret[1] as i64 * 3) } else { 0 }
}

/// Reads memory at an address that is the secret.
#[inline(never)]
fn look_up(secret: &[i16; 16]) -> i64 {
    static TABLE: [u8; 256] = [7; 256];
    black_box(&TABLE)[(secret[0] & 255) as usize] as i64
}

/// Stops at the first difference.
#[inline(never)]
fn early_exit(secret: &[i16; 16]) -> i64 {
    secret.iter().position(|x| black_box(*x) & 1 == 0).unwrap_or(16) as i64
}

/// Goes round as often as the secret says.
#[inline(never)]
fn loop_count(secret: &[i16; 16]) -> i64 {
    (0..secret[0] & 15).map(|i| black_box(i) as i64).sum()
}
