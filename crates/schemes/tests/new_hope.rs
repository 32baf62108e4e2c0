//! NewHope as submitted to NIST: what bytes that were not made as they should be give. Its known answers are in the test kit.

use rand_core::{Infallible, TryCryptoRng, TryRng};
use ringsmith_hash::Shake256;
use ringsmith_schemes::new_hope::{cca_512, cca_1024};
use ringsmith_schemes::scheme::InvalidKey;
use ringsmith_simd::Cpu;

/// Bytes that count up: a test knows what was drawn.
struct Counting(u8);

impl TryRng for Counting {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        rand_core::utils::next_word_via_fill(self)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        rand_core::utils::next_word_via_fill(self)
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        out.iter_mut().for_each(|byte| {
            *byte = self.0;
            self.0 = self.0.wrapping_add(1);
        });
        Ok(())
    }
}

impl TryCryptoRng for Counting {}

macro_rules! for_each_set {
    ($check:ident) => {
        $check!(cca_512);
        $check!(cca_1024);
    };
}

fn shake(cpu: Cpu, parts: [&[u8]; 2]) -> [u8; 32] {
    let mut out = [0; 32];
    Shake256::new(cpu).absorb(parts[0]).absorb(parts[1]).reader().squeeze(&mut out);
    out
}

/// Protects: implicit rejection. A ciphertext with one bit changed, in each of its parts, gives the key that only the private key's
/// holder knows, on every backend.
#[test]
fn one_bit_of_a_ciphertext() {
    macro_rules! check {
        ($set:ident) => {
            for cpu in Cpu::available() {
                let key = $set::DecapsulationKey::generate(cpu, &mut Counting(0));
                let (ciphertext, shared) = key.encapsulation_key().encapsulate(&mut Counting(9));
                assert_eq!(key.decapsulate(&ciphertext), shared);
                // The second 32 bytes that were drawn.
                let z: [u8; 32] = std::array::from_fn(|i| 32 + i as u8);
                let bits = 8 * $set::CT_BYTES;
                for bit in (0..bits).step_by(301).chain([bits - 1]) {
                    let mut changed = ciphertext;
                    changed[bit / 8] ^= 1 << (bit % 8);
                    let expected = shake(cpu, [&z, &shake(cpu, [&changed, &[]])]);
                    assert_eq!(key.decapsulate(&changed), expected, "{} bit {bit} {cpu:?}", stringify!($set));
                    assert_ne!(expected, shared);
                }
            }
        };
    }
    for_each_set!(check);
}

/// Protects: any bytes are a public key, as in the submission's code, and every backend takes its numbers modulo q.
#[test]
fn any_public_key() {
    macro_rules! check {
        ($set:ident) => {
            for byte in [0xff, 0xa5, 0] {
                let answers: Vec<_> = Cpu::available()
                    .map(|cpu| {
                        let key = $set::EncapsulationKey::from_bytes(cpu, &[byte; $set::EK_BYTES]);
                        assert_eq!(key.to_bytes(), [byte; $set::EK_BYTES]);
                        key.encapsulate(&mut Counting(1))
                    })
                    .collect();
                assert!(answers.iter().all(|answer| *answer == answers[0]), "{}", stringify!($set));
            }
        };
    }
    for_each_set!(check);
}

/// Protects: a private key comes back from its bytes; one whose public key or hash was altered is refused.
#[test]
fn private_keys() {
    macro_rules! check {
        ($set:ident) => {
            let cpu = Cpu::detect();
            let key = $set::DecapsulationKey::generate(cpu, &mut Counting(0));
            let bytes = key.to_bytes();
            let again = $set::DecapsulationKey::from_bytes(cpu, &bytes).expect("a key");
            assert_eq!(again.to_bytes(), bytes);
            assert_eq!(again.encapsulation_key(), key.encapsulation_key());
            let (ciphertext, shared) = key.encapsulation_key().encapsulate(&mut Counting(9));
            assert_eq!(again.decapsulate(&ciphertext), shared);
            let public = $set::DK_BYTES - 64 - $set::EK_BYTES;
            for place in [public, $set::DK_BYTES - 65, $set::DK_BYTES - 64, $set::DK_BYTES - 33] {
                let mut altered = bytes.clone();
                altered[place] ^= 1;
                let refused = $set::DecapsulationKey::from_bytes(cpu, &altered);
                assert!(matches!(refused, Err(InvalidKey)), "{} byte {place}", stringify!($set));
            }
        };
    }
    for_each_set!(check);
}
