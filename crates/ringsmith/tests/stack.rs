//! How much stack the operations of the [table of schemes](ringsmith::scheme) take.

use ringsmith::ntru_prime::{sntrup761, sntrup1277};
use ringsmith::scheme::{ALL, ENCRYPTIONS, PublicKeyEncryption, Scheme};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;

/// What is enough to generate.
const GENERATE: usize = 256 << 10;
/// What is enough for all else: a thread of a small C library has as much where nobody asks for more.
const OTHERS: usize = 128 << 10;

/// Runs a closure on a thread with such a stack. One that needs more ends the process.
fn with_stack(bytes: usize, what: &str, run: impl FnOnce() + Send) {
    // Code that is not optimised keeps much more there.
    let bytes = if cfg!(debug_assertions) { 32 * bytes } else { bytes };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name(what.into()).stack_size(bytes);
        thread.spawn_scoped(scope, run).expect("a thread").join().expect("no panic");
    });
}

fn check(scheme: &Scheme, cpu: Cpu) {
    let random = &mut Random::new(1);
    let (mut public, mut private) = (vec![0; scheme.public_key], vec![0; scheme.private_key]);
    let (mut ciphertext, mut shared) = (vec![0; scheme.ciphertext], vec![0; scheme.shared_key]);
    let name = |operation| format!("{} {operation} {}", scheme.name, cpu.name());
    (scheme.generate)(cpu, random, &mut public, &mut private).expect("lengths");
    if let Some(seed) = &scheme.seed {
        let bytes = random.bytes::<64>();
        let expand = || (seed.expand)(cpu, &bytes[..seed.bytes], &mut public, &mut private).expect("a seed");
        with_stack(OTHERS, &name("expand"), expand);
    }
    with_stack(OTHERS, &name("check"), || (scheme.check_public_key)(cpu, &public).expect("a key"));
    with_stack(OTHERS, &name("encapsulate"), || {
        (scheme.encapsulate)(cpu, &public, random, &mut ciphertext, &mut shared).expect("a key");
    });
    let mut again = vec![0; scheme.shared_key];
    with_stack(OTHERS, &name("decapsulate"), || {
        (scheme.decapsulate)(cpu, &private, &ciphertext, &mut again).expect("a key");
    });
    assert!(shared == again, "{}", scheme.name);
    if let Some(public_key_of) = scheme.public_key_of {
        let mut again = vec![0; scheme.public_key];
        with_stack(OTHERS, &name("public key of"), || {
            public_key_of(cpu, &private, &mut again).expect("a key");
        });
        assert!(public == again, "{}", scheme.name);
    }
}

/// Public-key encryption.
fn check_encryption(scheme: &PublicKeyEncryption, cpu: Cpu) {
    let random = &mut Random::new(1);
    let (mut public, mut private) = (vec![0; scheme.public_key], vec![0; scheme.private_key]);
    let (mut ciphertext, mut found) = (vec![0; scheme.ciphertext], vec![0; scheme.message]);
    let name = |operation| format!("{} {operation} {}", scheme.name, cpu.name());
    (scheme.generate)(cpu, random, &mut public, &mut private).expect("lengths");
    with_stack(OTHERS, &name("check"), || (scheme.check_public_key)(cpu, &public).expect("a key"));
    with_stack(OTHERS, &name("encrypt"), || {
        (scheme.encrypt)(cpu, &public, b"a message", random, &mut ciphertext).expect("a key");
    });
    with_stack(OTHERS, &name("decrypt"), || {
        let length = (scheme.decrypt)(cpu, &private, &ciphertext, &mut found).expect("its own ciphertext");
        assert_eq!(&found[..length], b"a message");
    });
    let mut again = vec![0; scheme.public_key];
    with_stack(OTHERS, &name("public key of"), || {
        (scheme.public_key_of)(cpu, &private, &mut again).expect("a key");
    });
    assert!(public == again, "{}", scheme.name);
    if let Some(import) = scheme.import {
        let mut again = vec![0; scheme.private_key];
        with_stack(OTHERS, &name("import"), || import(cpu, &private, &mut again).expect("a key"));
    }
}

/// A key pair of so many bytes.
fn check_generate(
    scheme: &str,
    cpu: Cpu,
    [public, private]: [usize; 2],
    generate: impl FnOnce(&mut Random, &mut [u8], &mut [u8]) + Send,
) {
    let (mut public, mut private) = (vec![0; public], vec![0; private]);
    let name = format!("{scheme} generate {}", cpu.name());
    with_stack(GENERATE, &name, || generate(&mut Random::new(1), &mut public, &mut private));
}

/// Protects: what the batches of Streamlined NTRU Prime say that they need.
#[test]
fn batches_fit() {
    fn of<K: Send>(what: &str, bytes: usize, generate: fn(Cpu, &mut Random, &mut [Option<K>])) {
        for cpu in Cpu::available() {
            let mut keys: Vec<Option<K>> = (0..32).map(|_| None).collect();
            with_stack(bytes, what, || generate(cpu, &mut Random::new(1), &mut keys));
            assert!(keys.iter().all(Option::is_some), "{what}");
        }
    }
    of("sntrup761", 640 << 10, sntrup761::DecapsulationKey::generate_batch_on);
    of("sntrup1277", 1 << 20, sntrup1277::DecapsulationKey::generate_batch_on);
}

/// Protects: threads with small stacks. A C library keeps the stacks of threads that have ended, and gives a
/// new thread one of up to four times what it asks for: all threads with the least come first, and the test
/// of batches has greater ones than that.
#[test]
fn operations_fit() {
    for cpu in Cpu::available() {
        ALL.iter().for_each(|scheme| check(scheme, cpu));
        ENCRYPTIONS.iter().for_each(|scheme| check_encryption(scheme, cpu));
    }
    for cpu in Cpu::available() {
        for scheme in ALL {
            let lengths = [scheme.public_key, scheme.private_key];
            check_generate(scheme.name, cpu, lengths, |random, public, private| {
                (scheme.generate)(cpu, random, public, private).expect("lengths");
            });
        }
        for scheme in ENCRYPTIONS {
            let lengths = [scheme.public_key, scheme.private_key];
            check_generate(scheme.name, cpu, lengths, |random, public, private| {
                (scheme.generate)(cpu, random, public, private).expect("lengths");
            });
        }
    }
}
