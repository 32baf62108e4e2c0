//! Hashing of secrets.

use super::Case;
use crate::observe::observed;
use crate::operand::{make_defined, make_undefined, secret_bytes};
use ringsmith_hash::{Sha3_512, Shake256, Shake256x4, State4, permute};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use std::hint::black_box;

fn permutation(cpu: Cpu, seed: u64) {
    let mut random = Random::new(seed);
    let mut state = State4::new();
    state.0.as_flattened_mut().iter_mut().for_each(|word| *word = random.word());
    make_undefined(state.0.as_flattened_mut());
    observed(|| permute(cpu, &mut state));
    make_defined(black_box(state.0.as_flattened_mut()));
}

fn four_streams(cpu: Cpu, seed: u64) {
    let mut random = Random::new(seed);
    let keys: [[u8; 33]; 4] = std::array::from_fn(|_| secret_bytes(&mut random));
    let mut blocks = [[0; 136]; 4];
    observed(|| Shake256x4::new_on(cpu, keys.each_ref()).squeeze(&mut blocks));
    make_defined(black_box(blocks.as_flattened_mut()));
}

fn one_stream(cpu: Cpu, seed: u64) {
    let message: [u8; 200] = secret_bytes(&mut Random::new(seed));
    let (mut digest, mut out) = ([0; 64], [0; 200]);
    observed(|| {
        digest = Sha3_512::new_on(cpu).absorb(&message).digest();
        Shake256::new_on(cpu).absorb(&message).reader().squeeze(&mut out);
    });
    make_defined(black_box(&mut digest));
    make_defined(black_box(&mut out));
}

/// The cases.
pub(super) fn all() -> Vec<Case> {
    let case = |name: &str, counted, run: fn(Cpu, u64)| Case::new(name.to_string(), counted, run);
    vec![
        case("Keccak-f[1600] x4 permutation", true, permutation),
        case("SHAKE256 four streams of 33 bytes", false, four_streams),
        case("SHA-3 one stream of 200 bytes", false, one_stream),
    ]
}
