//! Keys, ciphertexts and shared keys through the command: files and pipes, formats, and what must not happen.

mod support;

use std::fs;
use std::path::Path;
use std::process::Output;
use support::{directory, inspect, names, one_error, piped, ringsmith};

const SCHEMES: [&str; 3] = ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"];

/// Runs `ringsmith kem`.
fn kem(dir: &Path, args: &[&str]) -> Output {
    ringsmith(dir, &[&["kem"], args].concat()).output().unwrap()
}

/// Runs it, and expects success without a word but a warning; `hostile/texts.cases` has both warnings.
fn done(dir: &Path, args: &[&str]) -> Vec<u8> {
    let output = kem(dir, args);
    let stderr = String::from_utf8(output.stderr.clone()).unwrap();
    let silent = stderr.lines().all(|line| line.starts_with("ringsmith: warning: "));
    assert!(output.status.success() && silent, "{args:?}: {output:?}");
    output.stdout
}

/// A directory with a key pair, a ciphertext and its shared key.
fn exchanged(test: &str) -> std::path::PathBuf {
    let dir = directory(test);
    done(&dir, &["keygen", "-o", "bob.key", "--public", "bob.pub"]);
    done(&dir, &["encapsulate", "-R", "bob.pub", "-o", "ct", "-s", "alice"]);
    dir
}

/// Protects: both sides have the same shared key, for every scheme, in every format, over files.
#[test]
fn both_sides_agree() {
    for scheme in SCHEMES {
        for format in ["pem", "der", "raw"] {
            let dir = directory(&format!("both_sides_agree-{scheme}-{format}"));
            done(
                &dir,
                &["keygen", "--scheme", scheme, "--format", format, "-o", "bob.key", "--public", "bob.pub"],
            );
            done(&dir, &["encapsulate", "-R", "bob.pub", "-o", "ct", "-s", "alice"]);
            done(&dir, &["decapsulate", "-i", "bob.key", "-o", "bob", "ct"]);
            let [alice, bob] = ["alice", "bob"].map(|name| fs::read(dir.join(name)).unwrap());
            assert_eq!((alice.len(), &alice), (32, &bob), "{scheme} {format}");
            assert_eq!(names(&dir), ["alice", "bob", "bob.key", "bob.pub", "ct"]);
            let public = done(&dir, &["public", "-i", "bob.key", "--format", format]);
            assert_eq!(public, fs::read(dir.join("bob.pub")).unwrap(), "{scheme} {format}");
        }
    }
}

/// Protects: schemes without an object identifier: raw keys, named where their length does not say the
/// scheme.
#[test]
fn schemes_without_identifiers() {
    let schemes = [
        "NewHope-CPA-512",
        "NewHope-CPA-1024",
        "NewHope-CCA-512",
        "NewHope-CCA-1024",
        "NewHope-Compact-512",
        "NewHope-Compact-768",
        "NewHope-Compact-1024",
        "sntrup761",
        "ntrulpr761",
        "ntruhps2048677",
        "ntruhrss701",
    ];
    for scheme in schemes {
        let dir = directory(&format!("schemes_without_identifiers-{scheme}"));
        let named = ["--scheme", scheme];
        let message = one_error(&kem(&dir, &[&["keygen", "-o", "bob.key"], &named[..]].concat()), 2);
        assert!(message.contains("no object identifier"), "{message}");
        assert!(names(&dir).is_empty());
        done(
            &dir,
            &[&["keygen", "--format", "raw", "-o", "bob.key", "--public", "bob.pub"], &named[..]].concat(),
        );
        done(&dir, &[&["encapsulate", "-R", "bob.pub", "-o", "ct", "-s", "alice"], &named[..]].concat());
        done(&dir, &[&["decapsulate", "-i", "bob.key", "-o", "bob", "ct"], &named[..]].concat());
        let [alice, bob] = ["alice", "bob"].map(|name| fs::read(dir.join(name)).unwrap());
        assert_eq!((alice.len(), &alice), (32, &bob), "{scheme}");
        let public = kem(&dir, &[&["public", "-i", "bob.key", "--format", "raw"], &named[..]].concat());
        if scheme.contains("CPA") {
            assert!(one_error(&public, 2).contains("does not tell its public key"));
        } else {
            assert_eq!(public.stdout, fs::read(dir.join("bob.pub")).unwrap(), "{scheme}");
        }
    }
}

/// Protects: keys are of the sizes and forms of the standards; a private key is written as its seed.
#[test]
fn forms_of_keys() {
    let dir = directory("forms_of_keys");
    done(&dir, &["keygen", "-o", "pem", "--public", "pem.pub"]);
    let [private, public] = ["pem", "pem.pub"].map(|name| fs::read_to_string(dir.join(name)).unwrap());
    assert!(private.starts_with("-----BEGIN PRIVATE KEY-----\n") && private.len() < 300, "{private}");
    assert!(public.starts_with("-----BEGIN PUBLIC KEY-----\n"), "{public}");
    let raw = done(&dir, &["public", "-i", "pem", "--format", "raw"]);
    assert_eq!(raw.len(), 1184);
    assert_eq!(done(&dir, &["keygen", "--scheme", "ml-kem-512", "--format", "raw"]).len(), 1632);
    assert_eq!(done(&dir, &["keygen", "--scheme", "ML-KEM-1024", "--format", "der"]).len(), 86);
}

/// Protects: everything works through pipes, one secret at a time.
#[test]
fn pipes() {
    let dir = directory("pipes");
    let private = done(&dir, &["keygen"]);
    let public = piped(&dir, &["kem", "public", "-i", "-"], &private).stdout;
    let ciphertext = piped(&dir, &["kem", "encapsulate", "-R", "-", "-s", "alice"], &public).stdout;
    assert_eq!(ciphertext.len(), 1088);
    fs::write(dir.join("bob.key"), &private).unwrap();
    let bob = piped(&dir, &["kem", "decapsulate", "-i", "bob.key"], &ciphertext).stdout;
    assert_eq!(bob, fs::read(dir.join("alice")).unwrap());
    fs::write(dir.join("ct"), &ciphertext).unwrap();
    let bob = piped(&dir, &["kem", "decapsulate", "-i", "-", "ct"], &private).stdout;
    assert_eq!(bob, fs::read(dir.join("alice")).unwrap());
}

/// Protects: every run makes another key and another ciphertext.
#[test]
fn fresh_randomness() {
    let dir = exchanged("fresh_randomness");
    assert_ne!(done(&dir, &["keygen"]), done(&dir, &["keygen"]));
    let again = done(&dir, &["encapsulate", "-R", "bob.pub", "-s", "again"]);
    assert_ne!(again, fs::read(dir.join("ct")).unwrap());
}

/// Protects: secrets are for their owner's eyes, whatever the process' mask allows.
#[cfg(unix)]
#[test]
fn permissions() {
    use std::os::unix::fs::PermissionsExt;
    let dir = exchanged("permissions");
    done(&dir, &["decapsulate", "-i", "bob.key", "-o", "bob", "ct"]);
    for name in ["bob.key", "alice", "bob"] {
        let mode = fs::metadata(dir.join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}

/// Protects: a spoiled ciphertext gives a shared key that nobody else has, and no error that an attacker
/// could see.
#[test]
fn implicit_rejection() {
    let dir = exchanged("implicit_rejection");
    let mut ciphertext = fs::read(dir.join("ct")).unwrap();
    ciphertext[700] ^= 4;
    let [one, two] = [(); 2].map(|()| piped(&dir, &["kem", "decapsulate", "-i", "bob.key"], &ciphertext));
    assert!(one.status.success() && one.stderr.is_empty(), "{one:?}");
    assert_eq!((one.stdout.len(), &one.stdout), (32, &two.stdout));
    assert_ne!(one.stdout, fs::read(dir.join("alice")).unwrap());
}

/// Protects: nothing is overwritten, and of two outputs none appears where the other can't.
#[test]
fn nothing_is_overwritten() {
    let dir = exchanged("nothing_is_overwritten");
    let before: Vec<_> = names(&dir).iter().map(|name| fs::read(dir.join(name)).unwrap()).collect();
    for args in [
        &["keygen", "-o", "bob.key"][..],
        &["keygen", "-o", "new", "--public", "bob.pub"],
        &["encapsulate", "-R", "bob.pub", "-o", "ct", "-s", "new"],
        &["encapsulate", "-R", "bob.pub", "-o", "new", "-s", "alice"],
        &["decapsulate", "-i", "bob.key", "-o", "alice", "ct"],
        &["public", "-i", "bob.key", "-o", "bob.pub"],
    ] {
        assert!(
            one_error(&kem(&dir, args), 2).ends_with(" exists already, and is not overwritten"),
            "{args:?}"
        );
        assert_eq!(names(&dir), ["alice", "bob.key", "bob.pub", "ct"], "{args:?}");
    }
    let after: Vec<_> = names(&dir).iter().map(|name| fs::read(dir.join(name)).unwrap()).collect();
    assert_eq!(before, after);
    let output = kem(&dir, &["keygen", "-o", "same", "--public", "same"]);
    one_error(&output, 2);
    assert_eq!(names(&dir).len(), 4);
}

/// Protects: bad files of every kind are one clear error each, and leave nothing.
#[test]
fn bad_inputs() {
    let dir = exchanged("bad_inputs");
    let write = |name: &str, bytes: &[u8]| fs::write(dir.join(name), bytes).unwrap();
    let read = |name: &str| fs::read(dir.join(name)).unwrap();
    write("short.ct", &read("ct")[1..]);
    write("empty", b"");
    write("cut.key", &read("bob.key")[..150]);
    write("seed", &[7; 64]);
    write("noise", &[0xff; 1184]);
    write("long", &[b'a'; (1 << 16) + 1]);
    let before = names(&dir);
    let cases: [(&[&str], &str); 15] = [
        (
            &["decapsulate", "-i", "bob.key", "short.ct"],
            "short.ct: a ciphertext of 1087 bytes, where the scheme has 1088",
        ),
        (
            &["decapsulate", "-i", "bob.key", "empty"],
            "empty: a ciphertext of 0 bytes, where the scheme has 1088",
        ),
        (&["decapsulate", "-i", "bob.key", "missing"], "cannot read missing: no such file or directory"),
        (&["decapsulate", "-i", "cut.key", "ct"], "cut.key: the text is no well-formed PEM"),
        (&["decapsulate", "-i", "bob.pub", "ct"], "bob.pub: the PEM text does not say `BEGIN PRIVATE KEY`"),
        (
            &["encapsulate", "-R", "bob.key", "-s", "s"],
            "bob.key: the PEM text does not say `BEGIN PUBLIC KEY`",
        ),
        (
            &["encapsulate", "-R", "noise", "-s", "s"],
            "noise: the bytes are no public key of ML-KEM-768, whose length they have: \
             if they are of another scheme, name it",
        ),
        (
            &["encapsulate", "-R", "noise", "-s", "s", "--scheme", "ML-KEM-768"],
            "noise: the bytes are no key of the scheme",
        ),
        (
            &["encapsulate", "-R", "bob.pub", "--scheme", "ML-KEM-512", "-s", "s"],
            "bob.pub: a key of ML-KEM-768, where ML-KEM-512 is expected",
        ),
        (
            &["decapsulate", "-i", "seed", "ct"],
            "seed: 64 bytes can be a raw private key of several schemes: name the scheme",
        ),
        (&["decapsulate", "-i", "long", "ct"], "long is longer than 65536 bytes, the most that it may have"),
        (&["keygen", "--scheme", "ML-KEM-769"], "no scheme is named 'ML-KEM-769'; did you mean ML-KEM-768"),
        (&["keygen", "--public", "-"], "both keys cannot go to standard output: name a file with -o"),
        (
            &["encapsulate", "-R", "bob.pub", "-s", "-"],
            "ciphertext and shared key cannot both go to standard output: name a file with -o",
        ),
        (&["decapsulate", "-i", "-"], "private key and ciphertext cannot both be standard input"),
    ];
    for (args, expected) in cases {
        let line = one_error(&kem(&dir, args), 2);
        assert!(line.starts_with(&format!("ringsmith: {expected}")), "{args:?}: {line}");
        assert_eq!(names(&dir), before, "{args:?}");
    }
    assert_eq!(done(&dir, &["decapsulate", "-i", "seed", "--scheme", "ML-KEM-768", "ct"]).len(), 32);
}

/// Protects: where the ciphertext can't be delivered, the shared key does not appear, and no private key
/// without its public one.
#[cfg(target_os = "linux")]
#[test]
fn full_disk() {
    let dir = exchanged("kem_full_disk");
    for args in [
        &["kem", "encapsulate", "-R", "bob.pub", "-s", "new"][..],
        &["kem", "keygen", "--public", "new"],
        &["kem", "decapsulate", "-i", "bob.key", "ct"],
        &["schemes"],
        &["inspect", "bob.key"],
    ] {
        support::refuses_a_full_disk(&dir, args);
        assert_eq!(names(&dir), ["alice", "bob.key", "bob.pub", "ct"], "{args:?}");
    }
}

/// Protects: a file is named for what it is, and its secrets are not shown.
#[test]
fn inspected() {
    let dir = exchanged("inspected");
    done(&dir, &["keygen", "--format", "raw", "-o", "raw.key", "--public", "raw.pub"]);
    let (private, public) = (inspect(&dir, &["bob.key"]), inspect(&dir, &["bob.pub"]));
    assert!(
        private.starts_with("bob.key: ML-KEM-768 private key, with its seed (PEM), standard\n"),
        "{private}"
    );
    assert!(public.starts_with("bob.pub: ML-KEM-768 public key (PEM), standard\n"), "{public}");
    assert_eq!(private.lines().last(), public.lines().last(), "one fingerprint for both");
    let raw = |name| inspect(&dir, &[name, "--scheme", "ML-KEM-768"]);
    let (private, public) = (raw("raw.key"), raw("raw.pub"));
    let expected =
        "raw.key: ML-KEM-768 private key, expanded, without its seed (raw), standard\n  all checks of ";
    assert!(private.starts_with(expected), "{private}");
    assert!(public.starts_with("raw.pub: ML-KEM-768 public key (raw), standard\n  all checks of "));
    assert_eq!(private.lines().last(), public.lines().last(), "one fingerprint for both");
    assert_eq!(raw("ct"), "ct: 1088 bytes, as many as a ciphertext of ML-KEM-768 has\n");
    fs::write(dir.join("text"), "hello").unwrap();
    let output = ringsmith(&dir, &["inspect", "text"]).output().unwrap();
    assert!(one_error(&output, 2).starts_with("ringsmith: text: 5 bytes that are no public key"));
}

const ANY: &str = "nothing to check, any bytes of this length are one";

/// Protects: raw bytes that can be several things are said to be each of them, and which checks each of these
/// passes or has.
#[test]
fn inspected_lengths_of_several_schemes() {
    let dir = directory("inspected_lengths_of_several_schemes");
    done(&dir, &["keygen", "--format", "raw", "-o", "raw.key", "--public", "raw.pub"]);
    fs::write(dir.join("ones"), [0xff; 1184]).unwrap();
    fs::write(dir.join("seed"), [7; 64]).unwrap();
    // Without the lines of fingerprints.
    let listed = |name: &str| {
        let text = inspect(&dir, &[name]);
        text.lines().filter(|line| !line.starts_with("    ")).collect::<Vec<_>>().join("\n")
    };
    let of_1184 = |name: &str, checked: &str| {
        format!(
            "{name}: 1184 bytes, as many as each of these has:
  ML-KEM-768 public key, standard: {checked}
  NewHope-Compact-768 public key, historical: {ANY}
  sntrup857 ciphertext, historical: {ANY}
  ntrulpr857 public key, historical: {ANY}"
        )
    };
    assert_eq!(listed("raw.pub"), of_1184("raw.pub", "all checks of FIPS 203 passed"));
    assert_eq!(listed("ones"), of_1184("ones", "the checks of FIPS 203 failed"));
    assert_eq!(
        listed("raw.key"),
        "raw.key: 2400 bytes, as many as each of these has:
  ML-KEM-768 private key, expanded, without its seed, standard: all checks of FIPS 203 passed
  NewHope-Compact-768 private key, historical: the checks of LATINCRYPT 2019 failed"
    );
    let seed = ["512", "768", "1024"]
        .map(|size| format!("\n  ML-KEM-{size} private key, with its seed, standard: {ANY}"))
        .concat();
    assert_eq!(listed("seed"), format!("seed: 64 bytes, as many as each of these has:{seed}"));
    // One fingerprint for each that can be a public key, or tells one.
    let fingerprints =
        |name: &str| inspect(&dir, &[name]).matches("    SHA3-256 of the public key: ").count();
    assert_eq!(["raw.pub", "ones", "raw.key", "seed"].map(fingerprints), [3, 2, 1, 3]);
}

/// Protects: a ciphertext of sntrup761 is not taken for a public key of ntrulpr761, which is as long; keys of
/// lengths that nothing else has are named for what they are, without checks that there are not.
#[test]
fn inspected_ntru_prime() {
    let dir = directory("inspected_ntru_prime");
    for scheme in ["sntrup761", "ntrulpr761"] {
        let [key, public, ciphertext] = ["key", "pub", "ct"].map(|end| format!("{scheme}.{end}"));
        done(&dir, &["keygen", "--format", "raw", "--scheme", scheme, "-o", &key, "--public", &public]);
        done(&dir, &["encapsulate", "-R", &public, "-o", &ciphertext, "-s", &format!("{scheme}.secret")]);
        let private = inspect(&dir, &[&key]);
        let expected = "private key (raw), historical\n  all checks of NTRU Prime, NIST round 3 passed\n";
        assert!(private.starts_with(&format!("{key}: {scheme} {expected}")), "{private}");
        let named = inspect(&dir, &[&public, "--scheme", scheme]);
        let expected = format!("{public}: {scheme} public key (raw), historical\n  {ANY}\n");
        assert!(named.starts_with(&expected), "{named}");
        assert_eq!(private.lines().last(), named.lines().last(), "one fingerprint for both");
    }
    assert!(inspect(&dir, &["sntrup761.pub"]).starts_with("sntrup761.pub: sntrup761 public key (raw)"));
    let length = fs::read(dir.join("ntrulpr761.ct")).unwrap().len();
    let expected = format!("ntrulpr761.ct: {length} bytes, as many as a ciphertext of ntrulpr761 has\n");
    assert_eq!(inspect(&dir, &["ntrulpr761.ct"]), expected);
    for name in ["sntrup761.ct", "ntrulpr761.pub"] {
        let text = inspect(&dir, &[name]);
        let expected = format!(
            "{name}: 1039 bytes, as many as each of these has:
  sntrup761 ciphertext, historical: {ANY}
  ntrulpr761 public key, historical: {ANY}
    SHA3-256 of the public key: "
        );
        assert!(text.starts_with(&expected), "{text}");
    }
}

/// Protects: a private key of NTRU Prime that does not fit its public key is refused, by whatever reads it,
/// and leaves nothing; the error says for which scheme it was taken.
#[test]
fn damaged_keys_of_ntru_prime() {
    for scheme in ["sntrup761", "ntrulpr761"] {
        let dir = directory(&format!("damaged_keys_of_ntru_prime-{scheme}"));
        done(
            &dir,
            &["keygen", "--format", "raw", "--scheme", scheme, "-o", "bob.key", "--public", "bob.pub"],
        );
        done(&dir, &["encapsulate", "-R", "bob.pub", "-o", "ct", "-s", "alice"]);
        let mut key = fs::read(dir.join("bob.key")).unwrap();
        *key.last_mut().unwrap() ^= 1;
        fs::write(dir.join("bad.key"), key).unwrap();
        let assumed =
            format!("ringsmith: bad.key: the bytes are no private key of {scheme}, whose length they have");
        for args in [
            &["kem", "decapsulate", "-i", "bad.key", "-o", "new", "ct"][..],
            &["kem", "public", "-i", "bad.key", "--format", "raw", "-o", "new"],
            &["inspect", "bad.key"],
        ] {
            assert_eq!(one_error(&ringsmith(&dir, args).output().unwrap(), 2), assumed, "{args:?}");
            let named = [args, &["--scheme", scheme]].concat();
            let named = one_error(&ringsmith(&dir, &named).output().unwrap(), 2);
            assert_eq!(named, "ringsmith: bad.key: the bytes are no key of the scheme", "{args:?}");
            assert_eq!(names(&dir), ["alice", "bad.key", "bob.key", "bob.pub", "ct"], "{args:?}");
        }
    }
}
