//! How much stack the operations take, of every set and on every backend.

use ringsmith_kem::set::Bytes;
use ringsmith_kem::signature::{PreparedSigningKey, PreparedVerifyingKey};
use ringsmith_ml_dsa::{Context, MlDsa44, MlDsa65, MlDsa87, PreparedSet, SignatureSet};
use ringsmith_simd::Cpu;

type Signing<S> = ringsmith_kem::signature::SigningKey<S>;

/// What is enough to sign: a thread of a small C library has as much where nobody asks for more.
const SIGN: usize = 128 << 10;
/// What is enough to make a key, to check one, and to verify; to prepare a key in its place, and to sign and
/// verify with one that is prepared.
const OTHERS: usize = 64 << 10;
/// What is enough to prepare a key by value, which takes up to 85 KiB.
const BY_VALUE: usize = 320 << 10;

/// Runs a closure on a thread with such a stack. One that needs more ends the process.
fn with_stack<T: Send>(bytes: usize, what: &str, run: impl FnOnce() -> T + Send) -> T {
    // Code that is not optimised keeps more there.
    let bytes = if cfg!(debug_assertions) { 8 * bytes } else { bytes };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name(what.into()).stack_size(bytes);
        thread.spawn_scoped(scope, run).expect("a thread").join().expect("no panic")
    })
}

fn check<S: SignatureSet>(cpu: Cpu) {
    let name = |operation| format!("{} {operation} {}", S::NAME, cpu.name());
    let key = with_stack(OTHERS, &name("generate"), || Box::new(Signing::<S>::from_seed_on(cpu, &[1; 32])));
    let bytes = key.to_bytes();
    let read = || Box::new(Signing::<S>::from_bytes_on(cpu, &bytes).expect("its own"));
    let read = with_stack(OTHERS, &name("read"), read);
    for context in [b"a", b"b", b"c", b"d", b"e"] {
        let context = Context::new(context).expect("a short context");
        // What a thread returns it copies several times: the place is outside.
        let mut signature = S::SignatureBytes::ZERO;
        let sign = || signature = read.sign_deterministic(context, b"a message").expect("a signature");
        with_stack(SIGN, &name("sign"), sign);
        let verify = || read.verifying_key().verify(context, b"a message", signature.as_ref());
        with_stack(OTHERS, &name("verify"), verify).expect("its own signature");
    }
}

/// The same of keys that are prepared.
fn check_prepared<S: PreparedSet>(cpu: Cpu) {
    let name = |operation| format!("{} {operation} {}", S::NAME, cpu.name());
    let [key, other] = [1, 2].map(|seed| Signing::<S>::from_seed_on(cpu, &[seed; 32]));
    let public = key.verifying_key();
    let mut signer =
        with_stack(BY_VALUE, &name("prepare a signing key"), || PreparedSigningKey::new_boxed(&other));
    with_stack(OTHERS, &name("prepare in its place"), || signer.prepare_into(&key));
    let verifier = with_stack(BY_VALUE, &name("prepare a verifying key"), || {
        Box::new(PreparedVerifyingKey::new(public))
    });
    for context in [b"a", b"b", b"c", b"d", b"e"] {
        let context = Context::new(context).expect("a short context");
        let mut signature = S::SignatureBytes::ZERO;
        let sign = || signature = signer.sign_deterministic(context, b"a message").expect("a signature");
        with_stack(OTHERS, &name("sign, prepared"), sign);
        let verify = || verifier.verify(context, b"a message", signature.as_ref());
        with_stack(OTHERS, &name("verify, prepared"), verify).expect("its own signature");
    }
}

/// Protects: what the page of the crate says of memory. Of a build that is not optimised it says nothing.
#[test]
fn stack() {
    for cpu in Cpu::available() {
        check::<MlDsa44>(cpu);
        check::<MlDsa65>(cpu);
        check::<MlDsa87>(cpu);
        check_prepared::<MlDsa44>(cpu);
        check_prepared::<MlDsa65>(cpu);
        check_prepared::<MlDsa87>(cpu);
    }
}
