//! ML-KEM against published digests, and what bad inputs do.

use ringsmith_hash::{RATE_128, Reader, Shake128};
use ringsmith_ml_kem::{ml_kem_512, ml_kem_768, ml_kem_1024};
use ringsmith_simd::Cpu;

/// Draws from the generator: SHAKE128 of nothing.
fn draw<const N: usize>(random: &mut Reader<RATE_128>) -> [u8; N] {
    let mut bytes = [0; N];
    random.squeeze(&mut bytes);
    bytes
}

/// The accumulated digest of the Community Cryptography Test Vectors: 10,000 key generations, encapsulations,
/// decapsulations and rejected ciphertexts, from one generator into one hash (its procedure; the digests are
/// those of final FIPS 203).
macro_rules! accumulated {
    ($set:ident, $cpu:expr, $count:expr) => {{
        let (mut random, mut hash) = (Shake128::new_on($cpu).reader(), Shake128::new_on($cpu));
        for _ in 0..$count {
            let key = $set::DecapsulationKey::from_seed_on($cpu, &draw(&mut random));
            let (ciphertext, shared) = key.encapsulation_key().encapsulate_deterministic(&draw(&mut random));
            assert_eq!(key.decapsulate(&ciphertext), shared);
            let rejected = key.decapsulate(&draw(&mut random));
            let ek = key.encapsulation_key().to_bytes();
            hash = hash
                .absorb(&ek)
                .absorb(key.to_bytes().as_slice())
                .absorb(&ciphertext)
                .absorb(shared.as_bytes())
                .absorb(rejected.as_bytes());
        }
        let digest: [u8; 32] = hash.digest();
        ringsmith_oracle::hex(&digest)
    }};
}

/// Protects: every byte of keys, ciphertexts and shared keys, and implicit rejection.
#[test]
#[cfg_attr(
    any(debug_assertions, not(target_arch = "x86_64")),
    ignore = "30,000 key pairs: seconds in release, minutes elsewhere; the response files run everywhere"
)]
fn accumulated_digests() {
    for cpu in Cpu::available() {
        assert_eq!(
            accumulated!(ml_kem_512, cpu, 10000),
            "705dcffc87f4e67e35a09dcaa31772e86f3341bd3ccf1e78a5fef99ae6a35a13",
            "{cpu:?}"
        );
        assert_eq!(
            accumulated!(ml_kem_768, cpu, 10000),
            "f959d18d3d1180121433bf0e05f11e7908cf9d03edc150b2b07cb90bef5bc1c1",
            "{cpu:?}"
        );
        assert_eq!(
            accumulated!(ml_kem_1024, cpu, 10000),
            "e3bf82b013307b2e9d47dde791ff6dfc82e694e6382404abdb948b908b75bad5",
            "{cpu:?}"
        );
    }
}
