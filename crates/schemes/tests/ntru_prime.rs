//! NTRU Prime beyond its bytes: keys that are made many at a time.

use ringsmith_oracle::Random;
use ringsmith_schemes::ntru_prime::{sntrup653, sntrup761, sntrup857, sntrup953, sntrup1013, sntrup1277};
use ringsmith_simd::Cpu;

macro_rules! batch {
    ($set:ident, $cpu:expr, $keys:expr) => {{
        let (mut rng, mut keys) = (Random::new($keys as u64), Vec::new());
        keys.resize_with($keys, || None);
        $set::DecapsulationKey::generate_batch($cpu, &mut rng, &mut keys);
        let mut published = Vec::new();
        for key in keys {
            let key = key.expect("a key in each place");
            let public = key.encapsulation_key().to_bytes();
            let read = $set::EncapsulationKey::from_bytes($cpu, &public);
            let (ciphertext, shared) = read.encapsulate(&mut rng);
            assert_eq!(key.decapsulate(&ciphertext), shared, "{}", stringify!($set));
            let again = $set::DecapsulationKey::from_bytes($cpu, &key.to_bytes()).expect("a key");
            assert_eq!(again.decapsulate(&ciphertext), shared, "{}", stringify!($set));
            published.push(public);
        }
        published.sort();
        published.dedup();
        assert_eq!(published.len(), $keys, "keys are equal");
    }};
}

/// Protects: each key of a batch is one, whether it is the first, the last or alone, in one batch or the next; and no two are equal.
#[test]
fn batches() {
    let sizes: &[usize] = if cfg!(debug_assertions) { &[0, 1, 3] } else { &[0, 1, 2, 32, 33, 70] };
    for cpu in Cpu::available() {
        for &keys in sizes {
            batch!(sntrup761, cpu, keys);
        }
    }
}

/// Protects: the same in every set.
#[test]
fn batches_of_all_sets() {
    let cpu = Cpu::detect();
    batch!(sntrup653, cpu, 3);
    batch!(sntrup857, cpu, 3);
    batch!(sntrup953, cpu, 3);
    batch!(sntrup1013, cpu, 3);
    batch!(sntrup1277, cpu, 3);
}
