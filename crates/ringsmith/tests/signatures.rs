//! The list of sets of signatures, and keys of whichever set.

use ringsmith::Cpu;
use ringsmith::encoding::{EncodingError, read_any_signing_key, read_any_verifying_key};
use ringsmith::scheme::{SIGNATURES, SchemeError, SignatureScheme, signature_by_name};
use ringsmith::signature::{Context, Mu};
use ringsmith_oracle::Random;

/// A pair of keys of a seed, public and private.
fn pair(cpu: Cpu, set: &SignatureScheme, seed: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let (mut public, mut private) = (vec![0; set.public_key], vec![0; set.private_key]);
    (set.expand)(cpu, seed, &mut public, &mut private).expect("a seed");
    (public, private)
}

fn mu(cpu: Cpu, set: &SignatureScheme, public: &[u8], context: Context<'_>, message: &[u8]) -> Mu {
    let mut pieces = (set.message)(cpu, public, context).expect("a public key");
    message.chunks(7).for_each(|piece| pieces.update(piece));
    pieces.finish()
}

/// Protects: what tools do with the list, on every backend: the same bytes, verified, for this context alone.
#[test]
fn every_set() {
    for set in SIGNATURES {
        assert_eq!(signature_by_name(&set.name.to_lowercase()).map(|it| it.name), Some(set.name));
        let mut first: Option<Vec<u8>> = None;
        for cpu in Cpu::available() {
            let (public, private) = pair(cpu, set, &[7; 32]);
            let context = Context::new(b"test").expect("a context");
            let signed = mu(cpu, set, &public, context, b"a message in pieces");
            let (mut hedged, mut fixed) = (vec![0; set.signature], vec![0; set.signature]);
            (set.sign)(cpu, &private, &signed, &mut Random::new(1), &mut hedged).expect("a key");
            (set.sign_deterministic)(cpu, &private, &signed, &mut fixed).expect("a key");
            assert_ne!(hedged, fixed);
            for signature in [&hedged, &fixed] {
                assert_eq!((set.verify)(cpu, &public, &signed, signature), Ok(()));
                let other = mu(cpu, set, &public, Context::EMPTY, b"a message in pieces");
                let refused = Err(SchemeError::Verification);
                assert_eq!((set.verify)(cpu, &public, &other, signature), refused);
                assert_eq!((set.verify)(cpu, &public, &signed, &signature[1..]), refused);
            }
            let all = [public, private, hedged, fixed].concat();
            assert!(first.get_or_insert_with(|| all.clone()) == &all, "{} on {}", set.name, cpu.name());
        }
    }
}

/// Protects: arguments of another length are errors that say so, and a private key that is none is refused.
#[test]
fn bad_arguments() {
    let cpu = Cpu::detect();
    for set in SIGNATURES {
        let (mut public, private) = pair(cpu, set, &[7; 32]);
        let signed = mu(cpu, set, &public, Context::EMPTY, b"");
        let length = |what, expected, given| Err(SchemeError::Length { what, expected, given });
        let mut out = vec![1; set.signature];
        assert_eq!((set.sign_deterministic)(cpu, &private[1..], &signed, &mut out), {
            length("private key", set.private_key, set.private_key - 1)
        });
        assert_eq!((set.sign_deterministic)(cpu, &private, &signed, &mut out[1..]), {
            length("signature", set.signature, set.signature - 1)
        });
        assert!(out == vec![1; set.signature]);
        assert!((set.message)(cpu, &public[1..], Context::EMPTY).is_err());
        let refused = (set.verify)(cpu, &public[1..], &signed, &out);
        assert_eq!(refused, length("public key", set.public_key, set.public_key - 1));
        assert!((set.expand)(cpu, &[7; 31], &mut public, &mut vec![0; set.private_key]).is_err());
        let mut damaged = private;
        damaged[set.private_key - 1] ^= 0x10;
        assert_eq!((set.public_key_of)(cpu, &damaged, &mut public), Err(SchemeError::InvalidKey));
    }
}

/// Protects: keys of every set are read in every form without a word which set it is, where that can be
/// known.
#[test]
fn forms_of_keys() {
    let cpu = Cpu::detect();
    for set in SIGNATURES {
        let seed = [7; 32];
        let (public, private) = pair(cpu, set, &seed);
        let pem = set.public_key_to_pem(cpu, &public).expect("a key");
        let der = set.public_key_to_der(cpu, &public).expect("a key");
        for bytes in [pem.as_bytes(), der.as_bytes(), &public] {
            let read = read_any_verifying_key(cpu, bytes, None).expect("a public key");
            assert!(read.scheme.name == set.name && read.bytes == public);
            let other = SIGNATURES.iter().find(|other| other.name != set.name).expect("several sets");
            assert!(read_any_verifying_key(cpu, bytes, Some(other)).is_err());
        }
        for short in [&seed[..], &private] {
            let pem = set.private_key_to_pem(cpu, short).expect("a key");
            let der = set.private_key_to_der(cpu, short).expect("a key");
            for bytes in [pem.as_bytes(), der.as_bytes()] {
                let read = read_any_signing_key(cpu, bytes, None).expect("a private key");
                assert!(read.scheme.name == set.name && *read.bytes == private && read.short() == short);
            }
        }
        let read = read_any_signing_key(cpu, &private, None).expect("the long form");
        assert!(read.scheme.name == set.name && read.seed.is_none());
        let read = read_any_signing_key(cpu, &seed, Some(set)).expect("a seed");
        assert!(*read.bytes == private && read.short() == seed);
        let ambiguous = EncodingError::Ambiguous { what: "private key", given: 32 };
        assert_eq!(read_any_signing_key(cpu, &seed, None).err(), Some(ambiguous));
    }
}
