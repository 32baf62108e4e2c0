//! NTRUEncrypt in JSON, of both libraries' forms.

use crate::support::{all_counts, check, cpu, error, first_failure, flipped_at, hex, run, with, without};
use ringsmith::ntruencrypt::generators;
use ringsmith::scheme::{PublicKeyEncryption, encryption_by_name};
use ringsmith_oracle::{Generator, Random};
use ringsmith_testkit::vectors::Kind;
use serde_json::{Value, json};

const KINDS: [Kind; 3] = [Kind::KeyGeneration, Kind::Encryption, Kind::Decryption];

/// What `make` draws, a piece for each call.
fn drawing(seed: u64, make: impl FnOnce(&mut Generator<&mut dyn FnMut(&mut [u8])>)) -> Vec<String> {
    let (mut random, mut pieces) = (Random::new(seed), vec![]);
    let mut draw = |bytes: &mut [u8]| {
        random.fill(bytes);
        pieces.push(hex(bytes));
    };
    make(&mut Generator(&mut draw));
    pieces
}

/// One key and two messages of a set.
fn file(name: &str) -> Value {
    let scheme: &PublicKeyEncryption = encryption_by_name(name).expect("a set");
    let (mut public, mut private) = (vec![0; scheme.public_key], vec![0; scheme.private_key]);
    let for_the_key = drawing(1, |rng| {
        (scheme.generate)(cpu(), rng, &mut public, &mut private).expect("lengths");
    });
    let message = |bytes: &[u8]| {
        let mut ciphertext = vec![0; scheme.ciphertext];
        let drawn = drawing(2, |rng| {
            (scheme.encrypt)(cpu(), &public, bytes, rng, &mut ciphertext).expect("a key");
        });
        json!({"msg": hex(bytes), "b_tries": drawn, "ct": hex(&ciphertext)})
    };
    let tests = json!([message(b""), message(b"a message")]);
    match name.strip_prefix("libntru-") {
        Some(set) => {
            let private = &private[..private.len() - public.len()];
            let key = json!({"key": 0, "pub": hex(&public), "priv": hex(private), "tests": tests});
            json!({"param_set": set.to_uppercase(), "vectors": [key]})
        }
        None => {
            let (public, private) = (hex(&public), hex(&private));
            let key = json!({"key": 0, "keygen_random": for_the_key, "pub_blob": public,
                "priv_blob": private, "tests": tests});
            json!({"param_set": name, "vectors": [key]})
        }
    }
}

/// Protects: both forms pass, and are left out where another set is asked for.
#[test]
fn encryptions_pass() {
    for (name, keys) in [("ees401ep1", [1, 0, 0]), ("libntru-ees401ep2", [0, 0, 1])] {
        let tally = check(file(name).to_string()).expect("a file");
        let expected = KINDS.into_iter().zip([keys, [2, 0, 0], [2, 0, 0]]).collect::<Vec<_>>();
        assert_eq!(all_counts(&tally), expected);
        assert!(tally.format == "NTRUEncrypt" && tally.rows.iter().all(|row| row.set == name));
    }
    let one = file("ees401ep1").to_string();
    assert!(run("EES401EP1").check(one.as_bytes()).is_ok());
    let other = run("ees401ep2").check(one.as_bytes()).err().expect("nothing of it").to_string();
    assert_eq!(other, "has nothing to check for ees401ep2 (other set)");
}

/// Protects: another digit fails where it should, and a piece too many or too few is seen.
#[test]
fn encryptions_that_differ() {
    let file = file("ees401ep1");
    for (path, failed) in [
        ("keygen_random/0", 1),
        ("keygen_random/1", 1),
        ("pub_blob", 2),
        ("priv_blob", 3),
        ("tests/1/msg", 2),
        ("tests/1/b_tries/0", 1),
        ("tests/1/ct", 2),
    ] {
        let tally = check(flipped_at(&file, &format!("/vectors/0/{path}"))).expect("a file");
        assert!(tally.failed() >= failed, "{path}: {}", tally.failed());
    }
    let tally = check(with(&file, "/vectors/0/tests/0/b_tries", json!([]))).expect("a file");
    let said = first_failure(&tally, Kind::Encryption);
    assert!(said.starts_with("key 0 message 0: draws "), "{said}");
}

/// A seed, and what both generators give of it.
fn generated() -> Value {
    let seed = Random::new(3).bytes::<110>();
    let facts = &ringsmith::ntruencrypt::ees439ep1::FACTS;
    let (mut mask, mut indices) = (vec![0; facts.n], vec![0; facts.indices()]);
    generators::mask(cpu(), facts, &seed, &mut mask);
    generators::indices(cpu(), facts, &seed[..24], &mut indices);
    let mask: Vec<_> = mask.iter().map(|x| x.rem_euclid(3)).collect();
    let of_a_set = json!({"param": "ees439ep1", "indices(+1s then -1s per poly)": indices});
    json!({"hash": "SHA1", "mgf_seed": hex(seed), "trits(0,1,2=-1)": mask,
        "igf_seed_len": 24, "igf": [of_a_set]})
}

/// Protects: both generators' numbers are compared, each of them; malformed files are refused with the place.
#[test]
fn generators_by_themselves() {
    let file = generated();
    let tally = check(file.to_string()).expect("a file");
    assert_eq!(all_counts(&tally), [(Kind::Mask, [1, 0, 0]), (Kind::Indices, [1, 0, 0])]);
    assert!(run("ees401ep1").check(file.to_string().as_bytes()).is_err());
    let first = "/igf/0/indices(+1s then -1s per poly)/0";
    let tally = check(with(&file, first, json!(439))).expect("a file");
    assert_eq!(first_failure(&tally, Kind::Indices), "the seed: number 0 differs");
    let tally = check(with(&file, "/trits(0,1,2=-1)/438", json!(3))).expect("a file");
    assert_eq!(first_failure(&tally, Kind::Mask), "the seed: number 438 differs");
    let tally = check(with(&file, "/igf/0/indices(+1s then -1s per poly)", json!([]))).expect("a file");
    assert_eq!(first_failure(&tally, Kind::Indices), "the seed: has 0 numbers, ours 44");
    for (path, value, said) in [
        ("/igf_seed_len", json!(111), "igf_seed_len: is beyond the seed"),
        ("/hash", json!("SHA256"), "trits(0,1,2=-1): no set has 439 coefficients and SHA256"),
        ("/igf/0/param", json!("ees443ep1"), "igf[0].param: no set `ees443ep1` with SHA1"),
    ] {
        assert_eq!(error(with(&file, path, value)), said);
    }
}

/// Protects: malformed files are refused with the place.
#[test]
fn malformed_encryptions() {
    let file = file("ees401ep1");
    assert_eq!(error(with(&file, "/param_set", json!("ees402"))), "param_set: no set `ees402`");
    assert!(error(without(&file, "/vectors/0/tests/0", "ct")).contains("missing field `ct`"));
    assert!(error(without(&file, "", "param_set")).contains("algorithm"));
    let said = "has nothing to check for the schemes (no cases)";
    assert_eq!(error(with(&file, "/vectors", json!([]))), said);
}
