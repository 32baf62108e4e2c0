//! SSH's exchange: both sides agree, the secret is what the draft says, and bad points are refused.

use rand_core::Rng;
use ringsmith_hybrid::ssh::{Client, InvalidPoint, REPLY_BYTES, respond_on};
use ringsmith_ntru_prime::sntrup761;
use ringsmith_oracle::{Random, small_points, unhex};
use ringsmith_simd::Cpu;
use sha2::{Digest, Sha512};
use x25519_dalek::{PublicKey, StaticSecret};

/// Protects: lengths, order and hash, against the parts computed one by one; on every backend.
#[test]
fn both_sides_and_the_parts() {
    for cpu in Cpu::available() {
        let client = Client::new_on(cpu, &mut Random::new(1));
        let init = client.init();
        let (reply, theirs) = respond_on(cpu, &init, &mut Random::new(2)).expect("a good point");
        // What the client drew.
        let mut random = Random::new(1);
        let key = sntrup761::DecapsulationKey::generate_on(cpu, &mut random);
        let mut scalar = [0; 32];
        random.fill_bytes(&mut scalar);
        let scalar = StaticSecret::from(scalar);
        assert_eq!(init[..1158], key.encapsulation_key().to_bytes());
        assert_eq!(init[1158..], *PublicKey::from(&scalar).as_bytes());

        let lattice = key.decapsulate(reply[..1039].first_chunk().expect("a ciphertext"));
        let point: [u8; 32] = *reply[1039..].first_chunk().expect("a point");
        let curve = scalar.diffie_hellman(&PublicKey::from(point));
        let expected: [u8; 64] =
            Sha512::new().chain_update(lattice).chain_update(curve.as_bytes()).finalize().into();
        let ours = client.finish(&reply).expect("a good point");
        assert_eq!(*ours.as_bytes(), expected, "{cpu:?}");
        assert_eq!(*theirs.as_bytes(), expected, "{cpu:?}");
        let string = ours.string();
        assert_eq!((&string[..4], &string[4..]), (&[0, 0, 0, 64][..], &expected[..]));
    }
}

/// Protects: a change of either half of what was sent changes the secret.
#[test]
fn altered() {
    let cpu = Cpu::detect();
    for place in [0, 1038, 1039, REPLY_BYTES - 1] {
        let client = Client::new_on(cpu, &mut Random::new(1));
        let (mut reply, theirs) = respond_on(cpu, &client.init(), &mut Random::new(2)).expect("a good point");
        reply[place] ^= 1;
        let ours = client.finish(&reply).expect("a point");
        assert_ne!(ours.as_bytes(), theirs.as_bytes(), "byte {place}");
    }
}

/// Protects: points of small order are refused by both sides (RFC 8731), beside halves of sntrup761 that are
/// good; any other point is not.
#[test]
fn points_of_small_order() {
    let cpu = Cpu::detect();
    let init = Client::new_on(cpu, &mut Random::new(1)).init();
    let (reply, _) = respond_on(cpu, &init, &mut Random::new(2)).expect("a good point");
    let client = |point: &[u8; 32]| {
        let mut reply = reply;
        reply[1039..].copy_from_slice(point);
        Client::new_on(cpu, &mut Random::new(1)).finish(&reply).err()
    };
    let server = |point: &[u8; 32]| {
        let mut init = init;
        init[1158..].copy_from_slice(point);
        respond_on(cpu, &init, &mut Random::new(1)).err()
    };
    for point in small_points() {
        assert_eq!([client(&point), server(&point)], [Some(InvalidPoint); 2], "{point:x?}");
    }
    for first in [2, 9] {
        let mut point = [0; 32];
        point[0] = first;
        assert_eq!([client(&point), server(&point)], [None; 2], "{first}");
    }
}

/// Protects: the secret of an exchange, against one that other programs computed: X25519 by the Python
/// package `cryptography` of the client's scalar and the server's point, and SHA-512 by `hashlib` of the
/// shared key of sntrup761 and of that.
#[test]
fn a_fixed_secret() {
    let expected: [u8; 64] = unhex(concat!(
        "e92be05cb4a477891aa5129a31bfa6ea1df9a58446070f0497cf168da7ae027d",
        "4e12d7588bd85be82daf2f1c00735bce84764644f879d96f052723f93bb21403",
    ));
    for cpu in Cpu::available() {
        let client = Client::new_on(cpu, &mut Random::new(1));
        let (reply, theirs) = respond_on(cpu, &client.init(), &mut Random::new(2)).expect("a good point");
        let ours = client.finish(&reply).expect("a good point");
        assert_eq!([*ours.as_bytes(), *theirs.as_bytes()], [expected; 2], "{cpu:?}");
    }
}
