//! liboqs's entry points, called as C does.

#[cfg(target_os = "linux")]
#[path = "../../cli/tests/support/randomness.rs"]
mod randomness;

use ringsmith::scheme::Scheme;
use ringsmith_oqs::*;
use std::ffi::c_int;
use std::ptr::{null, null_mut};

type Keypair = unsafe extern "C" fn(*mut u8, *mut u8) -> c_int;
type Encaps = unsafe extern "C" fn(*mut u8, *mut u8, *const u8) -> c_int;
type Decaps = unsafe extern "C" fn(*mut u8, *const u8, *const u8) -> c_int;

const KEMS: [(&Scheme, Keypair, Encaps, Decaps); 10] = [
    (
        &ringsmith::ntru_prime::sntrup761::SCHEME,
        OQS_KEM_ntruprime_sntrup761_keypair,
        OQS_KEM_ntruprime_sntrup761_encaps,
        OQS_KEM_ntruprime_sntrup761_decaps,
    ),
    (
        &ringsmith::ml_kem::ml_kem_512::SCHEME,
        OQS_KEM_ml_kem_512_keypair,
        OQS_KEM_ml_kem_512_encaps,
        OQS_KEM_ml_kem_512_decaps,
    ),
    (
        &ringsmith::ml_kem::ml_kem_768::SCHEME,
        OQS_KEM_ml_kem_768_keypair,
        OQS_KEM_ml_kem_768_encaps,
        OQS_KEM_ml_kem_768_decaps,
    ),
    (
        &ringsmith::ml_kem::ml_kem_1024::SCHEME,
        OQS_KEM_ml_kem_1024_keypair,
        OQS_KEM_ml_kem_1024_encaps,
        OQS_KEM_ml_kem_1024_decaps,
    ),
    (
        &ringsmith::ntru::ntruhps2048509::SCHEME,
        OQS_KEM_ntru_hps2048509_keypair,
        OQS_KEM_ntru_hps2048509_encaps,
        OQS_KEM_ntru_hps2048509_decaps,
    ),
    (
        &ringsmith::ntru::ntruhps2048677::SCHEME,
        OQS_KEM_ntru_hps2048677_keypair,
        OQS_KEM_ntru_hps2048677_encaps,
        OQS_KEM_ntru_hps2048677_decaps,
    ),
    (
        &ringsmith::ntru::ntruhps4096821::SCHEME,
        OQS_KEM_ntru_hps4096821_keypair,
        OQS_KEM_ntru_hps4096821_encaps,
        OQS_KEM_ntru_hps4096821_decaps,
    ),
    (
        &ringsmith::ntru::ntruhps40961229::SCHEME,
        OQS_KEM_ntru_hps40961229_keypair,
        OQS_KEM_ntru_hps40961229_encaps,
        OQS_KEM_ntru_hps40961229_decaps,
    ),
    (
        &ringsmith::ntru::ntruhrss701::SCHEME,
        OQS_KEM_ntru_hrss701_keypair,
        OQS_KEM_ntru_hrss701_encaps,
        OQS_KEM_ntru_hrss701_decaps,
    ),
    (
        &ringsmith::ntru::ntruhrss1373::SCHEME,
        OQS_KEM_ntru_hrss1373_keypair,
        OQS_KEM_ntru_hrss1373_encaps,
        OQS_KEM_ntru_hrss1373_decaps,
    ),
];

/// Memory for the bytes of a scheme.
struct Memory {
    public: Vec<u8>,
    private: Vec<u8>,
    ciphertext: Vec<u8>,
    shared: Vec<u8>,
}

impl Memory {
    fn new(scheme: &Scheme) -> Self {
        Memory {
            public: vec![0; scheme.public_key],
            private: vec![0; scheme.private_key],
            ciphertext: vec![0; scheme.ciphertext],
            shared: vec![0; scheme.shared_key],
        }
    }
}

/// Protects: what one side encapsulates, the other has; another key has not; and no more is written than the
/// lengths say.
#[test]
fn exchanges() {
    for (scheme, keypair, encaps, decaps) in KEMS {
        let (mut m, mut other, mut again) = (Memory::new(scheme), Memory::new(scheme), Memory::new(scheme));
        // SAFETY: all memory has the lengths of the scheme, and is apart.
        let results = unsafe {
            [
                keypair(m.public.as_mut_ptr(), m.private.as_mut_ptr()),
                keypair(other.public.as_mut_ptr(), other.private.as_mut_ptr()),
                encaps(m.ciphertext.as_mut_ptr(), m.shared.as_mut_ptr(), m.public.as_ptr()),
                decaps(again.shared.as_mut_ptr(), m.ciphertext.as_ptr(), m.private.as_ptr()),
                decaps(other.shared.as_mut_ptr(), m.ciphertext.as_ptr(), other.private.as_ptr()),
            ]
        };
        assert_eq!(results, [0; 5], "{}", scheme.name);
        assert_ne!(m.public, other.public, "{}", scheme.name);
        assert_eq!(m.shared, again.shared, "{}", scheme.name);
        assert_ne!(m.shared, other.shared, "{}", scheme.name);
    }
}

/// Protects: null pointers and invalid keys are refused, and nothing is written then.
#[test]
fn refusals() {
    for (scheme, keypair, encaps, decaps) in KEMS {
        let mut m = Memory::new(scheme);
        let invalid = vec![0xff; scheme.private_key];
        // SAFETY: all memory has the lengths of the scheme, and is apart; or the pointers are null.
        let results = unsafe {
            [
                keypair(null_mut(), m.private.as_mut_ptr()),
                keypair(m.public.as_mut_ptr(), null_mut()),
                encaps(null_mut(), m.shared.as_mut_ptr(), m.public.as_ptr()),
                encaps(m.ciphertext.as_mut_ptr(), null_mut(), m.public.as_ptr()),
                encaps(m.ciphertext.as_mut_ptr(), m.shared.as_mut_ptr(), null()),
                decaps(null_mut(), m.ciphertext.as_ptr(), m.private.as_ptr()),
                decaps(m.shared.as_mut_ptr(), null(), m.private.as_ptr()),
                decaps(m.shared.as_mut_ptr(), m.ciphertext.as_ptr(), null()),
                decaps(m.shared.as_mut_ptr(), m.ciphertext.as_ptr(), invalid.as_ptr()),
            ]
        };
        assert_eq!(results, [-1; 9], "{}", scheme.name);
        let written = [&m.public, &m.private, &m.ciphertext, &m.shared];
        assert!(written.into_iter().flatten().all(|byte| *byte == 0), "{}", scheme.name);
    }
}

/// Protects: C's memory may overlap, and may hold nothing yet: what is read is read before anything is
/// written.
#[test]
fn memory_of_c() {
    for (scheme, keypair, encaps, decaps) in KEMS {
        let mut m = Memory::new(scheme);
        let largest = scheme.private_key.max(scheme.ciphertext).max(scheme.public_key);
        let mut one = Vec::<u8>::with_capacity(largest);
        let one = one.as_mut_ptr();
        // SAFETY: the memory holds the largest of what is written to it; what is read from it was written
        // before.
        let results = unsafe {
            let first = keypair(one, m.private.as_mut_ptr());
            // The ciphertext over the public key that it is made for.
            let second = encaps(one, m.shared.as_mut_ptr(), one);
            // The shared key over the ciphertext that it is in.
            let third = decaps(one, one, m.private.as_ptr());
            one.copy_to(m.ciphertext.as_mut_ptr(), scheme.shared_key);
            [first, second, third]
        };
        assert_eq!(results, [0; 3], "{}", scheme.name);
        assert_eq!(m.ciphertext[..scheme.shared_key], m.shared, "{}", scheme.name);
    }
}

/// What the test below starts: draws by every function, and prints what each returned and whether it wrote.
#[test]
fn drawing() {
    if std::env::var_os("FAIL_AT").is_none() {
        return;
    }
    let (scheme, keypair, encaps, _) =
        KEMS[std::env::var("RINGSMITH_TEST_KEM").unwrap().parse::<usize>().unwrap()];
    let mut m = Memory::new(scheme);
    // SAFETY: all memory has the lengths of the scheme, and is apart.
    let results = unsafe {
        [
            keypair(m.public.as_mut_ptr(), m.private.as_mut_ptr()),
            encaps(m.ciphertext.as_mut_ptr(), m.shared.as_mut_ptr(), vec![0; scheme.public_key].as_ptr()),
        ]
    };
    let wrote =
        [&m.public, &m.private, &m.ciphertext, &m.shared].map(|memory| memory.iter().any(|byte| *byte != 0));
    assert_eq!(wrote, [results[0] == 0, results[0] == 0, results[1] == 0, results[1] == 0]);
    assert!(results.iter().all(|result| [0, -1].contains(result)));
    println!("returned {results:?}");
}

/// Protects: where the system fails to give randomness, at whichever call, a function returns -1 and writes
/// nothing; the host goes on.
#[cfg(target_os = "linux")]
#[test]
fn no_randomness() {
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("no_randomness");
    std::fs::create_dir_all(&dir).unwrap();
    for kem in 0..KEMS.len() {
        randomness::at_every_call(&dir, |environment| {
            let mut child = std::process::Command::new(std::env::current_exe().unwrap());
            child.args(["--exact", "drawing", "--nocapture"]).env("RINGSMITH_TEST_KEM", kem.to_string());
            child.envs(environment.iter().map(|(name, value)| (name, value)));
            let output = child.output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(output.status.success() && text.contains("returned ["), "{output:?}");
            text.contains("-1")
        });
    }
}
