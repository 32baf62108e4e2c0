//! X-Wing, and public key encryption with it: the draft's vectors, another library, and what is refused.

use ringsmith_hash::{Sha3_256, Shake128};
use ringsmith_hybrid::x_wing::{DK_BYTES, DecapsulationKey, EK_BYTES, EncapsulationKey};
use ringsmith_hybrid::{hpke, x_wing};
use ringsmith_ml_kem::InvalidKey;
use ringsmith_oracle::{Random, hex};
use ringsmith_simd::Cpu;
use x_wing_peer::{Decapsulate, KeyExport, KeyInit, TryKeyInit};

/// Changes one bit.
fn flip(bytes: &mut [u8], random: &mut Random) {
    let place = random.within(0, bytes.len() as i64 - 1);
    bytes[place as usize] ^= 1 << random.within(0, 7);
}

/// SHA3-256 of public key, ciphertext and shared key of the three vectors of draft-connolly-cfrg-xwing-kem,
/// appendix C.
const VECTORS: [&str; 3] = [
    "d18dc2d299d611766365c4814587a68838c8bd8f27d2c0ea44c622ee065fbbd6",
    "f571d714051e428fd168f977789d0c8da1d522a66c10aee1bf669148e4262ea9",
    "7a70ad3d6b419879d27a61c3a985d5c74bba9c3b53ae6b0c0f9d8466e64d4858",
];

/// Protects: the draft's vectors, on every backend. Their seeds are the stream SHAKE128 of nothing.
#[test]
fn vectors_of_the_draft() {
    for cpu in Cpu::available() {
        let mut stream = Shake128::new_on(cpu).reader();
        for expected in VECTORS {
            let (mut seed, mut randomness) = ([0; DK_BYTES], [0; x_wing::RANDOMNESS_BYTES]);
            stream.squeeze(&mut seed);
            stream.squeeze(&mut randomness);
            let key = DecapsulationKey::from_bytes_on(cpu, &seed);
            let (ciphertext, shared) = key.encapsulation_key().encapsulate_deterministic(&randomness);
            let public = key.encapsulation_key().to_bytes();
            let digest: [u8; 32] =
                Sha3_256::new_on(cpu).absorb(&public).absorb(&ciphertext).absorb(shared.as_bytes()).digest();
            assert_eq!(hex(&digest), expected, "{cpu:?}");
            assert_eq!(key.decapsulate(&ciphertext), shared, "{cpu:?}");
            assert_eq!(*key.to_bytes(), seed);
        }
    }
}

/// Protects: keys and ciphertexts are another library's, both ways; altered ciphertexts give the same other
/// key.
#[test]
fn another_library() {
    let mut random = Random::new(1);
    for _ in 0..20 {
        let seed: [u8; DK_BYTES] = random.bytes();
        let ours = DecapsulationKey::from_bytes(&seed);
        let theirs = x_wing_peer::DecapsulationKey::new(&seed.into());
        let public = ours.encapsulation_key().to_bytes();
        let their_public = x_wing_peer::EncapsulationKey::new_from_slice(&public).expect("a key");
        assert_eq!(their_public.to_bytes()[..], public);
        assert_eq!(EncapsulationKey::from_bytes(&public), Ok(ours.encapsulation_key()));

        let (mut ciphertext, shared) = ours.encapsulation_key().encapsulate(&mut random);
        assert_eq!(theirs.decapsulate(&ciphertext.into())[..], shared.as_bytes()[..]);
        let randomness = random.bytes();
        let (other, expected) = their_public.encapsulate_deterministic(&randomness.into());
        assert_eq!(ours.decapsulate(&other.0), expected.0);

        flip(&mut ciphertext, &mut random);
        assert_ne!(ours.decapsulate(&ciphertext), shared);
        assert_eq!(ours.decapsulate(&ciphertext), theirs.decapsulate(&ciphertext.into()).0);
    }
}

/// Protects: a public key with a coefficient that is no number below the modulus is none.
#[test]
fn coefficients_above_the_modulus() {
    let key = DecapsulationKey::from_bytes(&[7; DK_BYTES]).encapsulation_key();
    let mut bytes: [u8; EK_BYTES] = key.to_bytes();
    (bytes[0], bytes[1]) = (0xff, 0xff);
    assert_eq!(EncapsulationKey::from_bytes(&bytes), Err(InvalidKey));
}

/// Protects: the scheme by its name does what the types do, on every backend, and refuses wrong lengths,
/// after which nothing is written.
#[test]
fn scheme() {
    let of = &x_wing::SCHEME;
    for cpu in Cpu::available() {
        let seed = [5; DK_BYTES];
        let key = DecapsulationKey::from_bytes_on(cpu, &seed);
        let (mut public, mut private) = ([0; EK_BYTES], [0; DK_BYTES]);
        let expand = of.seed.as_ref().expect("private keys are seeds").expand;
        expand(cpu, &seed, &mut public, &mut private).expect("a seed");
        assert_eq!((public, private), (key.encapsulation_key().to_bytes(), seed));

        let (mut ciphertext, mut shared) = ([0; x_wing::CT_BYTES], [0; 32]);
        let encapsulate = |ciphertext: &mut [u8], shared: &mut [u8]| {
            (of.encapsulate)(cpu, &public, &mut Random::new(3), ciphertext, shared)
        };
        encapsulate(&mut ciphertext, &mut shared).expect("a key");
        assert_eq!(*key.decapsulate(&ciphertext).as_bytes(), shared);
        let mut again = [0; 32];
        (of.decapsulate)(cpu, &private, &ciphertext, &mut again).expect("a ciphertext");
        assert_eq!(again, shared);

        let (mut untouched, mut short) = ([0; x_wing::CT_BYTES], [0; 31]);
        assert!(encapsulate(&mut untouched, &mut short).is_err() && untouched == [0; x_wing::CT_BYTES]);
        assert!((of.decapsulate)(cpu, &private[1..], &ciphertext, &mut again).is_err());
        let (mut made, mut of_it) = ([0; EK_BYTES], [0; EK_BYTES]);
        (of.generate)(cpu, &mut Random::new(4), &mut made, &mut private).expect("room");
        of.public_key_of.expect("private keys tell it")(cpu, &private, &mut of_it).expect("a key");
        assert!((of.check_public_key)(cpu, &made).is_ok() && made == of_it && made != public);
        (made[0], made[1]) = (0xff, 0xff);
        assert!((of.check_public_key)(cpu, &made).is_err());
    }
}

const INFO: &[u8] = b"a test";

/// Protects: a message opens with its key and purpose, whatever its length, and after any change it does not.
#[test]
fn sealed_messages() {
    let mut random = Random::new(2);
    let [key, other] = [(); 2].map(|()| DecapsulationKey::generate(&mut random));
    for length in [0, 1, 16, 63, 64, 65, 1000] {
        let message: Vec<u8> = (0..length).map(|i| i as u8).collect();
        let mut sealed_message = message.clone();
        let sealed = hpke::seal(&key.encapsulation_key(), INFO, &mut sealed_message, &mut random)
            .expect("a short message");
        let open = |key: &DecapsulationKey, info: &[u8], sealed: &hpke::Sealed, message: &[u8]| {
            let mut message = message.to_vec();
            hpke::open(key, info, sealed, &mut message).map(|()| message)
        };
        assert_eq!(open(&key, INFO, &sealed, &sealed_message), Ok(message));
        assert_eq!(open(&key, b"another test", &sealed, &sealed_message), Err(hpke::OpenError));
        assert_eq!(open(&other, INFO, &sealed, &sealed_message), Err(hpke::OpenError));
        let mut altered = sealed.clone();
        flip(&mut altered.enc, &mut random);
        assert_eq!(open(&key, INFO, &altered, &sealed_message), Err(hpke::OpenError));
        let mut altered = sealed.clone();
        flip(&mut altered.tag, &mut random);
        assert_eq!(open(&key, INFO, &altered, &sealed_message), Err(hpke::OpenError));
        if length > 0 {
            let mut altered = sealed_message.clone();
            flip(&mut altered, &mut random);
            assert_eq!(open(&key, INFO, &sealed, &altered), Err(hpke::OpenError));
            assert_eq!(open(&key, INFO, &sealed, &sealed_message[1..]), Err(hpke::OpenError));
        }
    }
}

/// Protects: the bytes of an encrypted message, which Go's crypto/hpke opens.
#[test]
fn a_sealed_message() {
    for cpu in Cpu::available() {
        let key = DecapsulationKey::from_bytes_on(cpu, &std::array::from_fn(|i| i as u8));
        let mut message = *b"of sixteen bytes";
        let randomness = std::array::from_fn(|i| 255 - i as u8);
        let sealed = hpke::seal_deterministic(&key.encapsulation_key(), INFO, &mut message, &randomness)
            .expect("a short message");
        let digest: [u8; 32] =
            Sha3_256::new_on(cpu).absorb(&sealed.enc).absorb(&message).absorb(&sealed.tag).digest();
        assert_eq!(
            hex(&digest),
            "e677298a8978a343bdc2f4460958be11e51deeb03ff19deb2130b996b02382f8",
            "{cpu:?}"
        );
    }
}
