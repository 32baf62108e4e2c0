//! What is published of NewHope's key exchanges: Botan's lines, and both forms of JSON.

use crate::support::{
    all_counts, check, cpu, error, first_failure, flipped, flipped_at, hex, run, with, without,
};
use ringsmith::new_hope::{adps, longa_naehrig};
use ringsmith_hash::Sha3_256;
use ringsmith_oracle::Random;
use ringsmith_testkit::vectors::Kind;
use serde_json::{Value, json};

/// An exchange of the ADPS form: its seeds, offer, response and key.
fn exchanged(seed: u8) -> ([[u8; 32]; 3], Vec<u8>, Vec<u8>, [u8; 32]) {
    let seeds = [seed, seed + 1, seed + 2].map(|byte| [byte; 32]);
    let exchange = adps::Exchange::new_on(cpu());
    let (_, offer) = exchange.offer_deterministic(&seeds[0], &seeds[1]);
    let (response, key) = exchange.respond_deterministic(&seeds[2], &offer);
    (seeds, offer.to_vec(), response.to_vec(), *key.as_bytes())
}

/// The hash of a message, in digits.
fn hashed(message: &[u8]) -> String {
    let hash: [u8; 32] = Sha3_256::new_on(cpu()).absorb(message).digest();
    hex(hash)
}

/// Two cases of Botan.
fn botan() -> String {
    let case = |seed: u8| {
        let ([seed, alice, bob], offer, response, key) = exchanged(seed);
        let [offer, response] = [offer, response].map(|message| hashed(&message));
        format!(
            "DRBG_SeedA = {}\nH_OutputA = {offer}\nDRBG_SeedB = {}\nH_OutputB = {response}\nSharedKey = {}\n",
            hex([seed, alice].concat()),
            hex(bob),
            hex(key)
        )
    };
    format!("# a comment\n{}\n{}", case(1), case(8))
}

/// One case of the reference.
fn reference() -> Value {
    let ([seed, alice, bob], offer, response, key) = exchanged(3);
    json!([{
        "index": 0, "alice_seed": hex(seed), "alice_noiseseed": hex(alice), "bob_noiseseed": hex(bob),
        "msg_a": hex(offer), "msg_b": hex(response), "key": hex(key),
    }])
}

/// The three modes of LatticeCrypto, with a case each.
fn latticecrypto() -> [Value; 3] {
    let exchange = longa_naehrig::Exchange::new_on(cpu());
    let file = |mode: &str, alice: &[&[u8]], bob: &[&[u8]], messages: [&[u8]; 3]| {
        let [alice, bob] = [alice, bob].map(|random| random.iter().map(hex).collect::<Vec<_>>());
        json!({"mode": mode, "vectors": [{
            "count": 0, "alice_random": alice, "bob_random": bob,
            "msg_a": hex(messages[0]), "msg_b": hex(messages[1]), "key": hex(messages[2]),
        }]})
    };
    let of_seeds = |exchange: longa_naehrig::Exchange, mode| {
        let (_, offer) = exchange.offer_deterministic(&[1; 32], &[2; 32]);
        let (response, key) = exchange.respond_deterministic(&[3; 32], &offer);
        file(mode, &[&[1; 32], &[2; 32]], &[&[3; 32]], [&offer, &response, key.as_bytes()])
    };
    let random = &mut Random::new(1);
    let noise: [[u8; longa_naehrig::NOISE_BYTES]; 5] = std::array::from_fn(|_| random.bytes());
    let (_, offer) = exchange.offer_from_noise(&[1; 32], [&noise[0], &noise[1]]);
    let (response, key) = exchange.respond_from_noise([&noise[2], &noise[3], &noise[4]], &[7; 32], &offer);
    let alice: [&[u8]; 3] = [&[1; 32], &noise[0], &noise[1]];
    let bob: [&[u8]; 4] = [&noise[2], &noise[3], &noise[4], &[7; 32]];
    [
        file("raw bytes", &alice, &bob, [&offer, &response, key.as_bytes()]),
        of_seeds(exchange, "nonce 3 in byte 7"),
        of_seeds(exchange.with_help_nonce_in_byte_one(), "nonce 3 in byte 1"),
    ]
}

const STEPS: [Kind; 3] = [Kind::Offer, Kind::Response, Kind::Finish];

/// Protects: each form passes, is counted under the name of its exchange, and is left out where another
/// scheme is asked for.
#[test]
fn exchanges_pass() {
    let tally = check(botan()).expect("a file");
    assert_eq!(all_counts(&tally), STEPS.map(|kind| (kind, [2, 0, 0])));
    assert!(tally.format == "Botan" && tally.rows.iter().all(|row| row.set == adps::EXCHANGE.name));
    let tally = check(reference().to_string()).expect("a file");
    assert_eq!(all_counts(&tally), STEPS.map(|kind| (kind, [1, 0, 0])));
    for file in latticecrypto() {
        let tally = check(file.to_string()).expect("a file");
        assert_eq!(all_counts(&tally), STEPS.map(|kind| (kind, [1, 0, 0])));
        assert!(tally.rows.iter().all(|row| row.set == longa_naehrig::EXCHANGE.name));
    }
    assert!(run("newhope-adps").check(botan().as_bytes()).is_ok());
    let other = run("ML-KEM-512").check(botan().as_bytes()).err().expect("nothing of it").to_string();
    assert_eq!(other, "has nothing to check for ML-KEM-512 (other set)");
}

/// Protects: another digit fails where it should.
#[test]
fn exchanges_that_differ() {
    for (start, failed) in
        [("DRBG_SeedA", 3), ("H_OutputA", 1), ("H_OutputB", 1), ("SharedKey", 2), ("DRBG_SeedB", 2)]
    {
        let tally = check(flipped(&botan(), start, 1)).expect("a file");
        assert!(tally.failed() >= failed, "{start}");
    }
    let tally = check(flipped(&botan(), "H_OutputA", 0)).expect("a file");
    let said = "line 2: the offer differs from the computed one, first in byte 31";
    assert_eq!(first_failure(&tally, Kind::Offer), said);
    for (path, failed) in
        [("/0/alice_seed", 3), ("/0/bob_noiseseed", 2), ("/0/msg_a", 1), ("/0/msg_b", 1), ("/0/key", 2)]
    {
        assert!(check(flipped_at(&reference(), path)).expect("a file").failed() >= failed, "{path}");
    }
    for file in latticecrypto() {
        for (path, failed) in
            [("alice_random/0", 3), ("bob_random/0", 1), ("msg_a", 1), ("msg_b", 1), ("key", 2)]
        {
            let changed = flipped_at(&file, &format!("/vectors/0/{path}"));
            assert!(check(changed).expect("a file").failed() >= failed, "{path}");
        }
    }
}

/// Protects: malformed files are refused with the place.
#[test]
fn malformed_exchanges() {
    let text = botan();
    assert_eq!(error(text.replacen("H_OutputB", "H_Output", 1)), "line 5: is not `H_OutputB`");
    let cut = text.rsplit_once("H_OutputB").expect("such a line").0;
    assert_eq!(error(cut), "line 10: ends within a case");
    assert_eq!(
        error(text.replacen("SeedB = ", "SeedB = 00", 1)),
        "line 4: `DRBG_SeedB` has 33 bytes, where the format has 32"
    );
    let file = reference();
    assert_eq!(
        error(with(&file, "/0/alice_seed", json!("00"))),
        "[0].alice_seed: has 1 bytes, where the format has 32"
    );
    assert!(error(without(&file, "/0", "key")).contains("missing field `key`"));
    assert_eq!(error("[]"), "has nothing to check for the schemes (no cases)");
    let [raw, seeds, _] = latticecrypto();
    assert_eq!(
        error(with(&seeds, "/mode", json!("new"))),
        "mode: says neither `raw` nor where nonce 3 stands"
    );
    let random = json!(["00"]);
    let said = "vectors[0]: has neither seeds nor noise of both sides";
    assert_eq!(error(with(&raw, "/vectors/0/alice_random", random.clone())), said);
    let said = "vectors[0].bob_random: has 1 bytes, where the format has 32";
    assert_eq!(error(with(&seeds, "/vectors/0/bob_random", random)), said);
}
