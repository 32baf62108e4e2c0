//! Stanzas by themselves: those for others, those that were altered, and those that are none.

use age::secrecy::ExposeSecret;
use age::{DecryptError, Identity as _, Recipient as _};
use age_core::format::{FileKey, Stanza};
use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD};
use ringsmith_age::{Identity, Kind, PLUGIN, Recipient, TextError};
use ringsmith_oracle::small_points;

const FILE_KEY: [u8; 16] = *b"a file's own key";
/// Bytes of sntrup761's public key and ciphertext, which X25519's follow.
const LATTICE: [usize; 2] = [1158, 1039];

fn identity(kind: Kind) -> Identity {
    Identity::generate(kind).expect("the system has randomness")
}

/// A stanza of the file's key, for this identity.
fn wrapped(key: &Identity) -> Stanza {
    let wrapped = key.to_recipient().wrap_file_key(&FileKey::new(Box::new(FILE_KEY)));
    let (mut stanzas, _) = wrapped.expect("the system has randomness");
    stanzas.pop().expect("a stanza")
}

fn copy(stanza: &Stanza) -> Stanza {
    Stanza { tag: stanza.tag.clone(), args: stanza.args.clone(), body: stanza.body.clone() }
}

/// What becomes of a stanza.
#[derive(PartialEq, Debug)]
enum Outcome {
    Opened,
    ForOthers,
    Malformed,
}

fn outcome(key: &Identity, stanza: &Stanza) -> Outcome {
    match key.unwrap_stanza(stanza) {
        None => Outcome::ForOthers,
        Some(Ok(file_key)) if *file_key.expose_secret() == FILE_KEY => Outcome::Opened,
        Some(Err(DecryptError::InvalidHeader)) => Outcome::Malformed,
        Some(_) => panic!("another key, or another error"),
    }
}

/// The argument's bytes, changed.
fn with_enc(stanza: &Stanza, change: impl FnOnce(&mut Vec<u8>)) -> Stanza {
    let mut bytes = BASE64_STANDARD_NO_PAD.decode(&stanza.args[0]).expect("base64");
    change(&mut bytes);
    Stanza { args: vec![BASE64_STANDARD_NO_PAD.encode(bytes)], ..copy(stanza) }
}

/// Protects: a stanza is opened by its identity, and by no other of its kind or of another; its name is the
/// kind's.
#[test]
fn for_one_identity() {
    let (keys, others) = (Kind::ALL.map(identity), Kind::ALL.map(identity));
    for key in &keys {
        let stanza = wrapped(key);
        assert_eq!(stanza.tag, key.kind().name());
        assert_eq!((stanza.args.len(), stanza.body.len()), (1, 32));
        assert_eq!(outcome(key, &stanza), Outcome::Opened);
        for other in keys.iter().filter(|other| other.kind() != key.kind()).chain(&others) {
            assert_eq!(outcome(other, &stanza), Outcome::ForOthers);
        }
    }
}

/// Protects: two stanzas for one recipient have nothing in common.
#[test]
fn never_the_same() {
    for key in Kind::ALL.map(identity) {
        let (one, other) = (wrapped(&key), wrapped(&key));
        assert!(one.args != other.args && one.body != other.body);
        let mixed = Stanza { body: other.body, ..one };
        assert_eq!(outcome(&key, &mixed), Outcome::ForOthers);
    }
}

/// Protects: where any bit of the argument or of the body differs, the stanza is for nobody.
#[test]
fn altered() {
    for key in Kind::ALL.map(identity) {
        let stanza = wrapped(&key);
        let bytes = 3 * stanza.args[0].len() / 4;
        // The last 33 bytes have the share of X25519 whole.
        for place in (0..bytes - 33).step_by(13).chain(bytes - 33..bytes) {
            for bit in [0, 7] {
                let altered = with_enc(&stanza, |enc| enc[place] ^= 1 << bit);
                assert_eq!(outcome(&key, &altered), Outcome::ForOthers, "{}: {place}", key.kind());
            }
        }
        for place in 0..32 {
            let mut altered = copy(&stanza);
            altered.body[place] ^= 1 << (place % 8);
            assert_eq!(outcome(&key, &altered), Outcome::ForOthers, "{}: body {place}", key.kind());
        }
    }
}

/// Protects: a stanza of our name that does not have its form is an error; one of another name is none of
/// ours.
#[test]
fn malformed() {
    for key in Kind::ALL.map(identity) {
        let stanza = wrapped(&key);
        let enc = &stanza.args[0];
        let arguments: [Vec<String>; 8] = [
            vec![],
            vec![enc.clone(), enc.clone()],
            vec![enc.clone(), String::new()],
            vec![String::new()],
            vec![enc[1..].into()],
            vec![enc[4..].into()],
            vec![format!("{enc}AAAA")],
            vec![enc.replacen(|_| true, "*", 1)],
        ];
        for args in arguments {
            assert_eq!(outcome(&key, &Stanza { args, ..copy(&stanza) }), Outcome::Malformed);
        }
        for change in [|enc: &mut Vec<u8>| enc.truncate(enc.len() - 1), |enc: &mut Vec<u8>| enc.push(0)] {
            assert_eq!(outcome(&key, &with_enc(&stanza, change)), Outcome::Malformed);
        }
        for length in [0, 16, 31, 33] {
            let mut body = stanza.body.clone();
            body.resize(length, 0);
            assert_eq!(outcome(&key, &Stanza { body, ..copy(&stanza) }), Outcome::Malformed);
        }
        for tag in ["", "X25519", "mlkem768x25518", "SNTRUP761X25519"] {
            assert_eq!(outcome(&key, &Stanza { tag: tag.into(), ..copy(&stanza) }), Outcome::ForOthers);
        }
        let padded = BASE64_STANDARD.encode(BASE64_STANDARD_NO_PAD.decode(enc).expect("base64"));
        let padded = Stanza { args: vec![format!("{}=", padded.trim_end_matches('='))], ..stanza };
        assert_eq!(outcome(&key, &padded), Outcome::Malformed);
    }
}

/// A recipient of a kind with this point, as the plugin gets it; its lattice's part is one of zeros.
fn with_point(kind: Kind, point: &[u8; 32]) -> Result<Recipient, TextError> {
    let (byte, lattice): (_, &[u8]) = match kind {
        Kind::MlKem768X25519 => (1, &[0; 1184]),
        Kind::Sntrup761X25519 => (2, &[7; LATTICE[0]]),
        other => panic!("a lattice's part for {other}"),
    };
    Recipient::from_plugin(PLUGIN, &[&[byte], lattice, point].concat())
}

/// Protects: no kind takes a point of small order, which would take the curve's part from the secret: in a
/// stanza it is an error, in a recipient no key.
#[test]
fn small_order() {
    for kind in Kind::ALL {
        let key = identity(kind);
        let stanza = wrapped(&key);
        for point in small_points() {
            let altered = with_enc(&stanza, |enc| *enc.last_chunk_mut().expect("a point") = point);
            assert_eq!(outcome(&key, &altered), Outcome::Malformed, "{kind} {point:?}");
            assert_eq!(with_point(kind, &point).err(), Some(TextError::InvalidKey), "{kind} {point:?}");
        }
        assert!(with_point(kind, &[9; 32]).is_ok(), "{kind}");
    }
}

/// Protects: a recipient has one text, and what is encrypted to it can be opened: its point is a number below
/// the prime.
#[test]
fn canonical_points() {
    for kind in Kind::ALL {
        let read = |point: [u8; 32]| with_point(kind, &point).err();
        let mut point = [0xff; 32];
        for (low, high, good) in
            [(0xeb, 0x7f, true), (0xef, 0x7f, false), (0xff, 0x7f, false), (9, 0x80, false)]
        {
            (point[0], point[31]) = (low, high);
            let expected = if good { None } else { Some(TextError::InvalidKey) };
            assert_eq!(read(point), expected, "{kind} {low:x} {high:x}");
        }
        (point[0], point[9], point[31]) = (0xff, 0xfe, 0x7f);
        assert_eq!(read(point), None, "{kind}");
    }
}

/// Protects: keys that are none: of another length, of no kind, with a coefficient that is not reduced; the
/// lattice's part of sntrup761 may be any bytes.
#[test]
fn no_recipients() {
    let read = |bytes: &[u8]| Recipient::from_plugin(PLUGIN, bytes).err();
    let invalid = Some(TextError::InvalidKey);
    let good = [&[1][..], &[0; 1184], &[9; 32]].concat();
    assert_eq!(read(&good), None);
    assert_eq!(read(&good[..good.len() - 1]), invalid);
    assert_eq!(read(&[&good[..], &[0]].concat()), invalid);
    assert_eq!(read(&[&[3], &good[1..]].concat()), invalid);
    assert_eq!(read(&[&[1, 0xff, 0xff], &good[3..]].concat()), invalid);
    assert_eq!(read(&[]), invalid);
    assert_eq!(read(&[1]), invalid);
    assert_eq!(read(&[&[2][..], &[0xff; LATTICE[0]], &[9; 32]].concat()), None);
}
