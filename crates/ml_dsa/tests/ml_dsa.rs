//! What ML-DSA does with messages, contexts and digests, and what bad inputs do; on every backend.

use ringsmith_kem::set::Bytes;
use ringsmith_kem::signature::{SigningKey, VerifyingKey};
use ringsmith_ml_dsa::{Context, InvalidKey, MlDsa44, MlDsa65, MlDsa87, Mu, Prehash, Prehashed};
use ringsmith_ml_dsa::{SignatureSet, VerificationError};
use ringsmith_simd::Cpu;

/// Bytes of parts of a set's encodings.
struct Sizes {
    /// A polynomial of the secret.
    small: usize,
    /// Polynomials of the secret.
    secrets: usize,
    /// The challenge's hash.
    ctilde: usize,
    /// Hints: positions and counts.
    hints: (usize, usize),
}

const SIZES_44: Sizes = Sizes { small: 96, secrets: 8, ctilde: 32, hints: (80, 4) };
const SIZES_65: Sizes = Sizes { small: 128, secrets: 11, ctilde: 48, hints: (55, 6) };
const SIZES_87: Sizes = Sizes { small: 96, secrets: 15, ctilde: 64, hints: (75, 8) };

fn key<S: SignatureSet>(cpu: Cpu) -> SigningKey<S> {
    SigningKey::from_seed_on(cpu, &[7; 32])
}

/// All forms of a message, the same on each backend.
fn forms<S: SignatureSet>() {
    let context = Context::new(&[9; 255]).expect("255 bytes");
    let of = |cpu| key::<S>(cpu).sign_deterministic(context, b"a message").expect("a signature");
    let signature = of(Cpu::detect());
    for cpu in Cpu::available() {
        assert_eq!(of(cpu), signature, "{cpu:?}");
        let key = key::<S>(cpu);
        let public = VerifyingKey::<S>::from_bytes_on(cpu, &key.verifying_key().to_bytes());
        assert_eq!(public.verify(context, b"a message", signature.as_ref()), Ok(()));
        let refused = Err(VerificationError);
        assert_eq!(public.verify(context, b"a messagf", signature.as_ref()), refused);
        assert_eq!(public.verify(Context::EMPTY, b"a message", signature.as_ref()), refused);
        let mut pieces = public.message(context);
        b"a message".chunks(2).for_each(|piece| pieces.update(piece));
        let mu = pieces.finish();
        assert_eq!(key.sign_mu_deterministic(&Mu::from_bytes(mu.to_bytes())), Ok(signature));

        let digest = Prehashed::new(Prehash::Sha256, &[5; 32]).expect("a digest");
        let other = Prehashed::new(Prehash::Sha3_256, &[5; 32]).expect("a digest");
        let hashed = key.sign_mu_deterministic(&public.prehashed(context, digest)).expect("a signature");
        assert_eq!(public.verify_prehashed(context, digest, hashed.as_ref()), Ok(()));
        assert_eq!(public.verify_prehashed(context, other, hashed.as_ref()), refused);
        assert_eq!(public.verify(context, &[5; 32], hashed.as_ref()), refused);
    }
}

/// Protects: that forms do not mix, that pieces are the whole, and one result on all backends.
#[test]
fn every_form() {
    forms::<MlDsa44>();
    forms::<MlDsa65>();
    forms::<MlDsa87>();
}

/// Signatures with a bit changed in each part, and of other lengths.
fn signatures<S: SignatureSet>(sizes: &Sizes) {
    let key = key::<S>(Cpu::detect());
    let public = key.verifying_key();
    let made = key.sign_deterministic(Context::EMPTY, b"m").expect("a signature");
    let verify = |signature: &[u8]| public.verify(Context::EMPTY, b"m", signature);
    assert_eq!(verify(made.as_ref()), Ok(()));
    let length = made.as_ref().len();
    for length in [0, 1, length - 1] {
        assert_eq!(verify(&made.as_ref()[..length]), Err(VerificationError));
    }
    assert_eq!(verify(&[made.as_ref(), &[0]].concat()), Err(VerificationError));
    let hints = length - sizes.hints.0 - sizes.hints.1;
    let changed = [0, sizes.ctilde - 1, sizes.ctilde, hints - 1, hints, length - sizes.hints.1, length - 1];
    for at in changed {
        for bit in 0..8 {
            let mut other = made;
            other.as_mut()[at] ^= 1 << bit;
            assert_eq!(verify(other.as_ref()), Err(VerificationError), "{}: {at}", S::NAME);
        }
    }
    // What follows the last hint must be zero: the last position is never used by so few.
    let mut padded = made;
    padded.as_mut()[length - sizes.hints.1 - 1] |= 1;
    assert_eq!(verify(padded.as_ref()), Err(VerificationError));
}

/// Protects: that a signature has one form.
#[test]
fn bad_signatures() {
    signatures::<MlDsa44>(&SIZES_44);
    signatures::<MlDsa65>(&SIZES_65);
    signatures::<MlDsa87>(&SIZES_87);
}

/// Whether hints are an encoding: counts of each row, behind positions.
#[cfg(ringsmith_internals)]
fn is_encoding<S: SignatureSet + ringsmith_ml_dsa::internals::Recode>(
    (omega, rows): (usize, usize),
    positions: &[(usize, u8)],
    counts: &[u8],
) -> bool {
    let (mut signature, mut again) = (S::SignatureBytes::ZERO, S::SignatureBytes::ZERO);
    // The response is zero: `gamma1` less that, in 18 or 20 bits.
    let response = signature.as_ref().len() - omega - rows;
    let bits = if rows == 4 { 18 } else { 20 };
    let columns = [4, 5, 7][[4, 6, 8].iter().position(|of| *of == rows).expect("a set")];
    let from = response - columns * 32 * bits;
    for at in (0..columns * 256).map(|i| from * 8 + i * bits + bits - 1) {
        signature.as_mut()[at / 8] |= 1 << (at % 8);
    }
    let hints = &mut signature.as_mut()[response..];
    positions.iter().for_each(|(at, position)| hints[*at] = *position);
    hints[omega..][..counts.len()].copy_from_slice(counts);
    // What is not given is the last count again.
    hints[omega + counts.len()..].fill(*counts.last().expect("a count"));
    S::recode(signature.as_ref(), again.as_mut())
}

#[cfg(ringsmith_internals)]
fn hints<S: SignatureSet + ringsmith_ml_dsa::internals::Recode>(sizes: (usize, usize)) {
    let (omega, full) = (sizes.0, sizes.0 as u8);
    let is = |positions: &[(usize, u8)], counts: &[u8]| is_encoding::<S>(sizes, positions, counts);
    assert!(is(&[], &[0]) && is(&[(0, 0)], &[1]) && is(&[(0, 3), (1, 5)], &[2]));
    assert!(is(&[(0, 5), (1, 3)], &[1, 2]) && is(&[(0, 5), (1, 5)], &[1, 2]), "of two rows");
    let all: Vec<_> = (0..omega).map(|i| (i, i as u8)).collect();
    assert!(is(&all, &[full]), "as many as there can be");
    assert!(!is(&[(0, 5), (1, 3)], &[2]), "order");
    assert!(!is(&[(0, 5), (1, 5)], &[2]), "a position twice");
    assert!(!is(&[(0, 1), (1, 2)], &[2, 1, 2]), "a count that falls");
    assert!(!is(&all, &[full + 1]) && !is(&all, &[full, full + 1]) && !is(&[], &[255]), "too many");
    assert!(!is(&[(1, 1)], &[1]) && !is(&[(omega - 1, 1)], &[0]), "padding");
}

/// Protects: hints have one encoding; each rule by itself.
#[cfg(ringsmith_internals)]
#[test]
fn one_encoding_of_hints() {
    hints::<MlDsa44>(SIZES_44.hints);
    hints::<MlDsa65>(SIZES_65.hints);
    hints::<MlDsa87>(SIZES_87.hints);
}

/// Private keys with each part changed, and of other lengths.
fn private_keys<S: SignatureSet>(sizes: &Sizes) {
    let key = key::<S>(Cpu::detect());
    let bytes = key.to_bytes();
    assert!(SigningKey::<S>::from_slice(bytes.as_ref()).is_ok_and(|read| read.to_seed().is_none()));
    assert!(SigningKey::<S>::from_slice(&[7; 32]).is_ok_and(|read| read.to_seed().is_some()));
    for length in [0, 31, 33, S::SigningBytes::LEN - 1] {
        assert_eq!(SigningKey::<S>::from_slice(&bytes.as_ref()[..length]).err(), Some(InvalidKey));
    }
    assert_eq!(VerifyingKey::<S>::from_slice(&[0; 31]).err(), Some(InvalidKey));
    let refused = |at: usize, change: u8| {
        let mut other = *bytes;
        other.as_mut()[at] ^= change;
        SigningKey::<S>::from_bytes(&other).is_err()
    };
    let t0 = 128 + sizes.secrets * sizes.small;
    // rho, tr, s1, s2, t0; K is any bytes.
    for at in [0, 31, 64, 127, 128, t0 - 1, t0, S::SigningBytes::LEN - 1] {
        assert!(refused(at, 1), "{}: {at}", S::NAME);
    }
    assert!(!refused(32, 1));
    // Out of range, in the first and the last coefficient of each secret.
    for at in [128, t0 - 1] {
        let change = bytes.as_ref()[at] ^ 0xff;
        assert!(refused(at, change));
    }
}

/// Protects: the checks of a private key in its long form.
#[test]
fn bad_private_keys() {
    private_keys::<MlDsa44>(&SIZES_44);
    private_keys::<MlDsa65>(&SIZES_65);
    private_keys::<MlDsa87>(&SIZES_87);
}

/// Protects: the lengths that types keep.
#[test]
fn lengths() {
    assert_eq!(Context::new(&[0; 256]).map_err(|why| why.given), Err(256));
    assert!(Context::new(&[0; 255]).is_ok());
    for hash in Prehash::ALL {
        let digest = [0; 65];
        for length in [0, hash.digest_bytes() - 1, hash.digest_bytes() + 1] {
            assert!(Prehashed::new(*hash, &digest[..length]).is_err());
        }
        assert!(Prehashed::new(*hash, &digest[..hash.digest_bytes()]).is_ok());
    }
}
