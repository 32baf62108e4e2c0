//! The groups of TLS: both sides agree, shares and secrets are laid out as the drafts say, and bad shares are
//! refused.

use p256::elliptic_curve::sec1::ToSec1Point;
use rand_core::Rng;
use ringsmith_hybrid::tls::{ALONE, Group, HYBRIDS, SNTRUP761_X25519, ShareError};
use ringsmith_hybrid::tls::{SECP256R1_MLKEM768, SECP384R1_MLKEM1024, X25519_MLKEM768};
use ringsmith_kem::set::SharedKey;
use ringsmith_ml_kem::{ml_kem_768, ml_kem_1024};
use ringsmith_ntru_prime::sntrup761;
use ringsmith_oracle::{Random, small_points};
use ringsmith_simd::Cpu;
use x25519_dalek::{PublicKey, StaticSecret};

fn groups() -> impl Iterator<Item = &'static Group> {
    HYBRIDS.into_iter().chain(ALONE).chain([&SNTRUP761_X25519])
}

/// What passes between a client and a server, and both secrets.
struct Exchanged {
    client: Vec<u8>,
    server: Vec<u8>,
    secrets: [Vec<u8>; 2],
}

/// The server's answer.
fn respond(cpu: Cpu, group: &Group, client: &[u8]) -> Result<(Vec<u8>, Vec<u8>), ShareError> {
    let (mut share, mut secret) = (vec![0xAA; group.server_share], vec![0xAA; group.secret]);
    let answer = group.respond(cpu, client, &mut Random::new(2), &mut share, &mut secret);
    if answer.is_err() {
        assert!(share.iter().chain(&secret).all(|byte| *byte == 0), "{group:?}: what failed is cleared");
    }
    answer.map(|()| (share, secret))
}

/// The secret of a client with the randomness `Random::new(1)`.
fn finish(cpu: Cpu, group: &Group, server: &[u8]) -> Result<Vec<u8>, ShareError> {
    let mut secret = vec![0xAA; group.secret];
    let answer = group.start(cpu, &mut Random::new(1)).finish(server, &mut secret);
    if answer.is_err() {
        assert!(secret.iter().all(|byte| *byte == 0), "{group:?}: what failed is cleared");
    }
    answer.map(|()| secret)
}

fn exchange(cpu: Cpu, group: &Group) -> Exchanged {
    let client = group.start(cpu, &mut Random::new(1)).share().to_vec();
    let (server, theirs) = respond(cpu, group, &client).expect("a good share");
    let ours = finish(cpu, group, &server).expect("a good share");
    Exchanged { client, server, secrets: [ours, theirs] }
}

/// Protects: sizes and code points of the drafts, and that both sides agree; on every backend.
#[test]
fn both_sides() {
    let facts = [
        ("X25519MLKEM768", 0x11EC, 1216, 1120, 64),
        ("SecP256r1MLKEM768", 0x11EB, 1249, 1153, 64),
        ("SecP384r1MLKEM1024", 0x11ED, 1665, 1665, 80),
        ("MLKEM768", 0x0201, 1184, 1088, 32),
        ("MLKEM1024", 0x0202, 1568, 1568, 32),
        ("MLKEM512", 0x0200, 800, 768, 32),
        ("sntrup761x25519", 0xFE61, 1190, 1071, 64),
    ];
    assert_eq!(groups().count(), facts.len());
    for (group, (name, code_point, client, server, secret)) in groups().zip(facts) {
        assert_eq!((group.name, group.code_point), (name, code_point));
        for cpu in Cpu::available() {
            let exchanged = exchange(cpu, group);
            assert_eq!((exchanged.client.len(), exchanged.server.len()), (client, server), "{name}");
            let [ours, theirs] = exchanged.secrets;
            assert_eq!((ours.len(), &ours), (secret, &theirs), "{name}");
            assert!(ours.chunks(16).all(|part| part.iter().any(|byte| *byte != 0)), "{name}");
        }
    }
}

/// Where the lattice scheme's parts are: of the client's share, of the server's, of the secret.
type Places = [core::ops::Range<usize>; 3];

/// Of a generator and the other side's point: a scalar's point, and what it agrees on.
type Agree = fn(&mut Random, &[u8]) -> (Vec<u8>, Vec<u8>);

/// Compares an exchange with its parts, one by one: `lattice` makes a private key of the client's randomness
/// and gives its public key and what it decapsulates; `curve` a scalar, its point and what it agrees on.
fn parts(
    group: &Group,
    lattice_at: Places,
    lattice: fn(&mut Random, &[u8]) -> (Vec<u8>, SharedKey),
    curve_at: Places,
    curve: Agree,
) {
    let Exchanged { client, server, secrets: [secret, _] } = exchange(Cpu::detect(), group);
    let mut random = Random::new(1);
    let (key, shared) = lattice(&mut random, &server[lattice_at[1].clone()]);
    assert_eq!(client[lattice_at[0].clone()], key, "{group:?}");
    assert_eq!(secret[lattice_at[2].clone()], *shared.as_bytes(), "{group:?}");
    let (point, agreed) = curve(&mut random, &server[curve_at[1].clone()]);
    assert_eq!(client[curve_at[0].clone()], point, "{group:?}");
    assert_eq!(secret[curve_at[2].clone()], agreed, "{group:?}");
}

fn x25519(random: &mut Random, theirs: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut scalar = [0; 32];
    random.fill_bytes(&mut scalar);
    let scalar = StaticSecret::from(scalar);
    let theirs = PublicKey::from(<[u8; 32]>::try_from(theirs).expect("a point"));
    (PublicKey::from(&scalar).as_bytes().to_vec(), scalar.diffie_hellman(&theirs).as_bytes().to_vec())
}

fn p256(random: &mut Random, theirs: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut scalar = [0; 32];
    random.fill_bytes(&mut scalar);
    let scalar = p256::SecretKey::from_slice(&scalar).expect("a scalar");
    let theirs = p256::PublicKey::from_sec1_bytes(theirs).expect("a point");
    let point = scalar.public_key().to_sec1_point(false).as_bytes().to_vec();
    (point, scalar.diffie_hellman(&theirs).raw_secret_bytes().to_vec())
}

fn p384(random: &mut Random, theirs: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut scalar = [0; 48];
    random.fill_bytes(&mut scalar);
    let scalar = p384::SecretKey::from_slice(&scalar).expect("a scalar");
    let theirs = p384::PublicKey::from_sec1_bytes(theirs).expect("a point");
    let point = scalar.public_key().to_sec1_point(false).as_bytes().to_vec();
    (point, scalar.diffie_hellman(&theirs).raw_secret_bytes().to_vec())
}

/// A key of a lattice scheme: its public bytes, and what it decapsulates.
macro_rules! lattice {
    ($module:ident) => {
        |random, ciphertext| {
            let key = $module::DecapsulationKey::generate(random);
            let shared = key.decapsulate(ciphertext.try_into().expect("a ciphertext"));
            (key.encapsulation_key().to_bytes().to_vec(), shared)
        }
    };
}

/// Protects: the order of the parts, which is not the same in all groups.
#[test]
fn layouts() {
    parts(
        &X25519_MLKEM768,
        [0..1184, 0..1088, 0..32],
        lattice!(ml_kem_768),
        [1184..1216, 1088..1120, 32..64],
        x25519,
    );
    parts(
        &SECP256R1_MLKEM768,
        [65..1249, 65..1153, 32..64],
        lattice!(ml_kem_768),
        [0..65, 0..65, 0..32],
        p256,
    );
    parts(
        &SECP384R1_MLKEM1024,
        [97..1665, 97..1665, 48..80],
        lattice!(ml_kem_1024),
        [0..97, 0..97, 0..48],
        p384,
    );
    parts(
        &SNTRUP761_X25519,
        [0..1158, 0..1039, 0..32],
        lattice!(sntrup761),
        [1158..1190, 1039..1071, 32..64],
        x25519,
    );
}

/// Protects: the curve's half of a client's share serves a server that has the curve alone.
#[test]
fn the_curve_alone() {
    let cpu = Cpu::detect();
    for group in HYBRIDS {
        let client = group.start(cpu, &mut Random::new(1));
        let curve = group.curve.expect("a hybrid");
        let point = &client.share()[curve.start..][..curve.point];
        let (theirs, agreed) = match curve.code_point {
            0x001D => x25519(&mut Random::new(3), point),
            0x0017 => p256(&mut Random::new(3), point),
            0x0018 => p384(&mut Random::new(3), point),
            other => panic!("{other:#x}"),
        };
        let mut secret = vec![0; curve.secret];
        client.finish_curve(&theirs, &mut secret).expect("a good point");
        assert_eq!(secret, agreed, "{group:?}");
        assert!(client.finish_curve(&theirs[1..], &mut secret).is_err());
        assert!(client.finish_curve(&theirs, &mut secret[1..]).is_err());
    }
    let alone = ALONE[0].start(cpu, &mut Random::new(1));
    assert_eq!(alone.finish_curve(&[], &mut []), Err(ShareError::Point));
}

/// Protects: shares and places of any other length are refused.
#[test]
fn lengths() {
    let cpu = Cpu::detect();
    for group in groups() {
        let Exchanged { client, server, .. } = exchange(cpu, group);
        let key = group.start(cpu, &mut Random::new(1));
        let mut secret = vec![0; group.secret];
        for (share, is_client) in [(&client, true), (&server, false)] {
            let long = [&share[..], &[0, 0]].concat();
            for length in (0..long.len()).filter(|length| *length != share.len()) {
                let refused = match is_client {
                    true => respond(cpu, group, &long[..length]).err(),
                    false => key.finish(&long[..length], &mut secret).err(),
                };
                let wrong = ShareError::Length { what: "key share", expected: share.len(), given: length };
                assert_eq!(refused, Some(wrong), "{group:?}");
            }
        }
        let random = &mut Random::new(2);
        let mut place = vec![0; group.server_share];
        assert!(group.respond(cpu, &client, random, &mut place[1..], &mut secret).is_err(), "{group:?}");
        assert!(group.respond(cpu, &client, random, &mut place, &mut secret[1..]).is_err(), "{group:?}");
        assert!(key.finish(&server, &mut secret[1..]).is_err(), "{group:?}");
    }
}

/// Bytes that are no point of a NIST curve, as long as one of its points, made of a good one.
fn no_points(good: &[u8]) -> Vec<Vec<u8>> {
    let with = |first: u8, flip: usize| {
        let mut point = good.to_vec();
        point[0] = first;
        point[flip] ^= 1;
        point
    };
    let half = good.len() / 2;
    let mut great = good.to_vec();
    great[1..=half].fill(0xFF); // not below the modulus
    let firsts = [0, 2, 3, 5, 6, 7, 0xFF].map(|first| with(first, good.len() - 1));
    let mut all = vec![with(4, 1), with(4, half), with(4, good.len() - 1), great];
    all.extend(firsts);
    all.extend([vec![0; good.len()], [&[4][..], &vec![0; good.len() - 1]].concat()]);
    all
}

/// Protects: a bad point beside a good half of the lattice scheme is refused by both sides.
#[test]
fn bad_points() {
    let cpu = Cpu::detect();
    for group in groups() {
        let Some(curve) = group.curve else { continue };
        let Exchanged { client, server, .. } = exchange(cpu, group);
        // A client's point begins where the server's does, or both are last.
        let at = |share: &[u8]| if curve.start == 0 { 0 } else { share.len() - curve.point };
        let bad = match curve.point {
            32 => small_points().map(|point| point.to_vec()).collect(),
            _ => no_points(&client[..curve.point]),
        };
        assert!(bad.len() > 5, "{group:?}");
        for point in bad {
            let put = |share: &[u8]| {
                let mut share = share.to_vec();
                let start = at(&share);
                share[start..][..curve.point].copy_from_slice(&point);
                share
            };
            assert_eq!(respond(cpu, group, &put(&client)).err(), Some(ShareError::Point), "{group:?}");
            assert_eq!(finish(cpu, group, &put(&server)).err(), Some(ShareError::Point), "{group:?}");
        }
    }
}

/// Protects: encapsulation keys of ML-KEM are checked, beside a good point; other ciphertexts give other
/// secrets.
#[test]
fn bad_lattice_parts() {
    let cpu = Cpu::detect();
    for group in HYBRIDS.into_iter().chain(ALONE) {
        let Exchanged { mut client, mut server, secrets: [secret, _] } = exchange(cpu, group);
        // The curve's part is first where it starts at zero.
        let lattice = group.curve.filter(|curve| curve.start == 0).map_or(0, |curve| curve.point);
        server[lattice] ^= 1;
        assert_ne!(finish(cpu, group, &server).expect("a ciphertext"), secret, "{group:?}");
        client[lattice..][..2].fill(0xFF); // a coefficient of 4095
        assert_eq!(respond(cpu, group, &client).err(), Some(ShareError::EncapsulationKey), "{group:?}");
    }
}

/// Protects: errors are sentences.
#[test]
fn errors() {
    let wrong = respond(Cpu::detect(), &X25519_MLKEM768, &[0; 7]).expect_err("too short");
    assert_eq!(wrong.to_string(), "a key share of 7 bytes, where the group has 1216");
    assert_eq!(ShareError::Point.to_string(), "the key share's point is invalid");
    assert_eq!(ShareError::EncapsulationKey.to_string(), "the key share's encapsulation key is invalid");
}
