//! What operations leave on the stack when they have returned.
//!
//! A value that is returned is moved, and what a move leaves behind nobody clears. So shared keys are left,
//! and of new keys what their constructors moved. All else is cleared: of a private key that is used, nothing
//! is left.

use ringsmith::scheme::{ALL, Scheme};
use ringsmith_oracle::Random;
use ringsmith_probe::dead_stack;
use ringsmith_simd::Cpu;

/// More than any operation takes.
const STACK: usize = 700 << 10;

/// Whether memory holds these bytes; they are too many to be there by chance.
fn holds(memory: &[u8], bytes: &[u8]) -> bool {
    assert!(bytes.len() >= 32, "{} bytes are found everywhere", bytes.len());
    memory.windows(bytes.len()).any(|window| window == bytes)
}

/// The first sixteen coefficients of a private key, which has so many bits of each, as they are in memory.
fn coefficients(private: &[u8], bits: usize) -> Vec<u8> {
    let bit = |at: usize| i16::from(private[at / 8] >> (at % 8) & 1);
    let coefficient = |i: usize| (0..bits).map(|b| bit(i * bits + b) << b).sum::<i16>();
    // Two bits are a coefficient and one.
    let less = i16::from(bits == 2);
    (0..16).flat_map(|i| (coefficient(i) - less).to_ne_bytes()).collect()
}

/// What is a secret of a private key.
struct Secrets {
    encoded: Vec<u8>,
    coefficients: Vec<u8>,
    /// What the key of a rejected ciphertext is made of.
    rejected: Option<Vec<u8>>,
}

impl Secrets {
    fn of(scheme: &Scheme, private: &[u8], public: &[u8]) -> Self {
        let bits = match scheme.source {
            "NewHope, NIST round 2" => 14,
            "NTRU Prime, NIST round 3" => 2,
            _ => 12,
        };
        let rejected = match bits {
            2 => {
                let at = private.windows(public.len()).position(|window| window == public);
                let behind = at.expect("a private key holds the public one") + public.len();
                Some(private[behind..behind + 32].to_vec())
            }
            _ if scheme.cca => Some(private[private.len() - 32..].to_vec()),
            _ => None,
        };
        Secrets { encoded: private[..32].to_vec(), coefficients: coefficients(private, bits), rejected }
    }

    /// Those that memory holds.
    fn left(&self, memory: &[u8]) -> Vec<&'static str> {
        let all = [
            ("the encoded secret", Some(&self.encoded)),
            ("coefficients", Some(&self.coefficients)),
            ("what rejection needs", self.rejected.as_ref()),
        ];
        let left = all.into_iter().filter(|(_, bytes)| bytes.is_some_and(|bytes| holds(memory, bytes)));
        left.map(|(what, _)| what).collect()
    }
}

/// What a new key leaves: its constructor moves it.
fn moved(scheme: &Scheme) -> &'static [&'static str] {
    match scheme.source {
        "FIPS 203" => &["coefficients", "what rejection needs"],
        "NewHope, NIST round 2" if !scheme.cca => &["coefficients"],
        "NewHope, NIST round 2" | "LATINCRYPT 2019" => &["what rejection needs"],
        _ => &[],
    }
}

/// Protects: what is known to be left, and nothing else: of a private key that is used, nothing.
#[test]
#[cfg_attr(debug_assertions, ignore = "variables of such builds live longer, and nobody clears them")]
fn what_is_left() {
    for (scheme, cpu) in ALL.iter().flat_map(|&scheme| Cpu::available().map(move |cpu| (scheme, cpu))) {
        let random = &mut Random::new(1);
        let (mut public, mut private) = (vec![0; scheme.public_key], vec![0; scheme.private_key]);
        let (mut ciphertext, mut shared) = (vec![0; scheme.ciphertext], vec![0; scheme.shared_key]);
        let generated = dead_stack::<STACK>(|| {
            (scheme.generate)(cpu, random, &mut public, &mut private).expect("lengths");
        });
        (scheme.encapsulate)(cpu, &public, random, &mut ciphertext, &mut shared).expect("a key");
        let used = dead_stack::<STACK>(|| {
            (scheme.decapsulate)(cpu, &private, &ciphertext, &mut shared).expect("a key");
        });
        let secrets = Secrets::of(scheme, &private, &public);
        let what = format!("{} {}", scheme.name, cpu.name());
        for left in secrets.left(&generated) {
            assert!(moved(scheme).contains(&left), "{what}: generate leaves {left}");
        }
        let left = secrets.left(&used);
        assert!(left.is_empty(), "{what}: decapsulate leaves {left:?}");
    }
}

/// Protects: the test above can fail: an operation that keeps a copy of a key is seen to.
#[test]
#[cfg_attr(debug_assertions, ignore = "AddressSanitizer's builds are such, and keep variables elsewhere")]
fn a_copy_is_seen() {
    let (scheme, cpu) = (ALL[0], Cpu::detect());
    let (mut public, mut private) = (vec![0; scheme.public_key], vec![0; scheme.private_key]);
    (scheme.generate)(cpu, &mut Random::new(1), &mut public, &mut private).expect("lengths");
    let left = dead_stack::<STACK>(|| {
        let mut copy = [0; 1000];
        copy.copy_from_slice(&private[..1000]);
        std::hint::black_box(&mut copy);
    });
    assert!(Secrets::of(scheme, &private, &public).left(&left).contains(&"the encoded secret"));
}
