//! RustCrypto's `ml-dsa`, both ways: keys, signatures with and without a context, of 64 bytes, keys as files;
//! and what either takes for a signature, on signatures that are changed at random.

use ml_dsa::common::KeyInit;
use ml_dsa::signature::Keypair;
use ml_dsa::{B32, EncodedVerifyingKey, MlDsaParams, Signature, VerifyingKey as TheirVerifyingKey};
use pkcs8::spki::AssociatedAlgorithmIdentifier;
use ringsmith_kem::encoding::EncodedSet;
use ringsmith_kem::pkcs8::{self, DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use ringsmith_kem::set::Bytes;
use ringsmith_kem::signature::{SigningKey, VerifyingKey};
use ringsmith_ml_dsa::{Context, MlDsa44, MlDsa65, MlDsa87, Mu};
use ringsmith_simd::Cpu;

/// Numbers that look random, always the same (splitmix64).
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }
}

/// A set of theirs whose keys are written as files.
trait Theirs: MlDsaParams + AssociatedAlgorithmIdentifier<Params = pkcs8::der::AnyRef<'static>> {}
impl<P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = pkcs8::der::AnyRef<'static>>> Theirs for P {}

type TheirKey<P> = ml_dsa::SigningKey<P>;

/// Both keys of a seed.
fn keys<S: EncodedSet, P: MlDsaParams>(seed: u8) -> (SigningKey<S>, TheirKey<P>) {
    (SigningKey::from_seed(&[seed; 32]), TheirKey::<P>::from_seed(&B32::from([seed; 32])))
}

/// Every context length that has another encoding of itself or of its neighbour.
const CONTEXTS: [usize; 5] = [0, 1, 127, 254, 255];

fn agree<S: EncodedSet, P: Theirs>() {
    for (seed, length) in (1..).zip(CONTEXTS) {
        let (ours, theirs) = keys::<S, P>(seed);
        let (public, their_public) = (ours.verifying_key(), theirs.verifying_key());
        assert!(public.to_bytes().as_ref() == their_public.encode().as_slice());
        let (context, message) = (vec![seed; length], vec![!seed; 100 * length]);
        let named = Context::new(&context).expect("a short context");
        let signature = ours.sign_deterministic(named, &message).expect("a signature");
        let expanded = theirs.expanded_key();
        let their_signature = expanded.sign_deterministic(&message, &context).expect("a signature");
        assert!(signature.as_ref() == their_signature.encode().as_slice(), "{}", S::NAME);
        assert!(public.verify(named, &message, &their_signature.encode()).is_ok());
        let read = Signature::<P>::try_from(signature.as_ref()).expect("a signature");
        assert!(their_public.verify_with_context(&message, &context, &read));
        assert!(!their_public.verify_with_context(&message, &[context, vec![0]].concat(), &read));

        let mu = [seed; 64];
        let signature = ours.sign_mu_deterministic(&Mu::from_bytes(mu)).expect("a signature");
        assert!(signature.as_ref() == expanded.sign_mu_deterministic(&mu.into()).encode().as_slice());
        assert!(their_public.verify_mu(&mu.into(), &Signature::try_from(signature.as_ref()).expect("one")));
    }
}

/// Protects: both make the same keys and the same signatures, and each verifies the other's.
#[test]
fn signatures() {
    agree::<MlDsa44, ml_dsa::MlDsa44>();
    agree::<MlDsa65, ml_dsa::MlDsa65>();
    agree::<MlDsa87, ml_dsa::MlDsa87>();
}

fn files<S: EncodedSet, P: Theirs>() {
    let (ours, theirs) = keys::<S, P>(9);
    let (private, public) =
        (ours.to_pkcs8_der().expect("DER"), ours.verifying_key().to_public_key_der().expect("DER"));
    assert!(private.as_bytes() == theirs.to_pkcs8_der().expect("DER").as_bytes());
    let their_public = theirs.verifying_key().to_public_key_der().expect("DER");
    assert!(public.as_bytes() == their_public.as_bytes());
    let read = TheirKey::<P>::from_pkcs8_der(private.as_bytes()).expect("our key");
    assert!(read.verifying_key().encode() == theirs.verifying_key().encode());
    let read = TheirVerifyingKey::<P>::from_public_key_der(public.as_bytes()).expect("our key");
    assert!(read.encode() == theirs.verifying_key().encode());
    let read = SigningKey::<S>::from_pkcs8_der(private.as_bytes()).expect("their key");
    assert!(read.to_bytes() == ours.to_bytes());
    let read = VerifyingKey::<S>::from_public_key_der(their_public.as_bytes()).expect("their key");
    assert!(read == *ours.verifying_key());
}

/// Protects: both write the same files of keys, and read each other's.
#[test]
fn keys_as_files() {
    files::<MlDsa44, ml_dsa::MlDsa44>();
    files::<MlDsa65, ml_dsa::MlDsa65>();
    files::<MlDsa87, ml_dsa::MlDsa87>();
}

/// Changes a signature in a place or a few: in its hints half of the time, where encodings are strict.
fn changed<S: EncodedSet>(signature: &S::SignatureBytes, random: &mut Random) -> S::SignatureBytes {
    let (mut changed, length) = (*signature, S::SignatureBytes::LEN);
    let hints = 84.max(length / 40);
    for _ in 0..1 + random.below(3) {
        let from = if random.word() & 1 == 0 { length - hints } else { 0 };
        let at = from + random.below(length - from);
        changed.as_mut()[at] = match random.below(4) {
            0 => changed.as_ref()[at] ^ 1 << random.below(8),
            1 => 0,
            2 => changed.as_ref()[at].wrapping_add(1),
            _ => random.word() as u8,
        };
    }
    changed
}

/// Signatures that are changed so often; how many of them still are encodings.
fn same_verdicts<S: MaybeRecode, P: Theirs>(rounds: usize) -> usize {
    let (ours, _) = keys::<S, P>(4);
    let (mut random, mut read, cpu) = (Random(rounds as u64), 0, Cpu::detect());
    let (context, message) = (Context::new(b"context").expect("short"), b"a message");
    let signature = ours.sign_deterministic(context, message).expect("a signature");
    let mut bytes = ours.verifying_key().to_bytes();
    for round in 0..rounds {
        let other = changed::<S>(&signature, &mut random);
        // Now and then under another key, which any bytes are.
        if round % 8 == 0 {
            let at = random.below(S::VerifyingBytes::LEN);
            bytes.as_mut()[at] ^= 1 << random.below(8);
        }
        let ours = VerifyingKey::<S>::from_bytes_on(cpu, &bytes).verify(context, message, other.as_ref());
        let encoded = EncodedVerifyingKey::<P>::try_from(bytes.as_ref()).expect("the length");
        let key = TheirVerifyingKey::<P>::new(&encoded);
        let their_signature = Signature::<P>::try_from(other.as_ref());
        let verified =
            their_signature.as_ref().is_ok_and(|made| key.verify_with_context(message, b"context", made));
        assert_eq!(ours.is_ok(), verified, "{}", S::NAME);
        if let Some(valid) = S::maybe_recode(&other) {
            assert_eq!(valid, their_signature.is_ok(), "{}: round {round}", S::NAME);
        }
        read += usize::from(their_signature.is_ok());
    }
    read
}

/// Whether a signature is an encoding of one, where the build shows it.
trait MaybeRecode: EncodedSet {
    fn maybe_recode(signature: &Self::SignatureBytes) -> Option<bool>;
}

#[cfg(ringsmith_internals)]
impl<S: EncodedSet + ringsmith_ml_dsa::internals::Recode> MaybeRecode for S {
    fn maybe_recode(signature: &S::SignatureBytes) -> Option<bool> {
        let mut again = S::SignatureBytes::ZERO;
        let valid = S::recode(signature.as_ref(), again.as_mut());
        assert!(!valid || again.as_ref() == signature.as_ref(), "written as it was read");
        Some(valid)
    }
}

#[cfg(not(ringsmith_internals))]
impl<S: EncodedSet> MaybeRecode for S {
    fn maybe_recode(_: &S::SignatureBytes) -> Option<bool> {
        None
    }
}

/// Rounds for each set: `RINGSMITH_EXHAUSTIVE` asks for many.
fn rounds() -> usize {
    if std::env::var_os("RINGSMITH_EXHAUSTIVE").is_some() { 1_000_000 } else { 2000 }
}

/// Protects: both take the same bytes for an encoding of a signature, and for a signature.
#[test]
fn changed_signatures() {
    for (set, read) in [
        ("ML-DSA-44", same_verdicts::<MlDsa44, ml_dsa::MlDsa44>(rounds())),
        ("ML-DSA-65", same_verdicts::<MlDsa65, ml_dsa::MlDsa65>(rounds())),
        ("ML-DSA-87", same_verdicts::<MlDsa87, ml_dsa::MlDsa87>(rounds())),
    ] {
        println!("{set}: {} changed signatures, {read} of them are encodings: the same verdicts", rounds());
        assert!(read > rounds() / 20 && read < rounds(), "{set}: {read}");
    }
}
