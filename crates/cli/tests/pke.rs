//! Public-key encryption through the command: files and pipes, formats, and what must not happen.

mod support;

use ringsmith::scheme::{ENCRYPTIONS, PublicKeyEncryption, Status};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use support::{directory, inspect, names, one_error, piped, ringsmith, unwarned};

/// What is said of a ciphertext that was not made for a key, whatever is wrong with it.
const NOT_FOR_KEY: &str = "ringsmith: the ciphertext was not made for this key";

/// Runs `ringsmith pke`.
fn pke(dir: &Path, args: &[&str]) -> Output {
    ringsmith(dir, &[&["pke"], args].concat()).output().unwrap()
}

/// Asserts success without a word but a warning, and returns the output.
fn good(output: Output) -> Vec<u8> {
    let output = unwarned(output);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    output.stdout
}

/// Runs it, and expects success.
fn done(dir: &Path, args: &[&str]) -> Vec<u8> {
    good(pke(dir, args))
}

/// A directory with a pair of keys of the usual set, a message and its ciphertext.
fn encrypted(test: &str) -> PathBuf {
    let dir = directory(test);
    done(&dir, &["keygen", "-o", "bob.key", "--public", "bob.pub"]);
    fs::write(dir.join("message"), "a message\n").unwrap();
    done(&dir, &["encrypt", "-R", "bob.pub", "-o", "ct", "message"]);
    dir
}

/// Protects: keys of every set encrypt and decrypt messages of no byte, of one, and of as many as it takes;
/// sizes are those of the list; the set need not be named but where keys are not told from others.
#[test]
fn every_set() {
    for set in ENCRYPTIONS {
        let dir = directory(&format!("pke-every_set-{}", set.name));
        let all = ["--scheme", set.name];
        let named: &[&str] = if set.by_name { &all } else { &[] };
        done(&dir, &[&["keygen", "--format", "raw", "-o", "key", "--public", "pub"], &all[..]].concat());
        for length in [0, 1, set.message] {
            let message: Vec<u8> = (0..length).map(|i| (i * i) as u8).collect();
            let args = [&["pke", "encrypt", "-R", "pub"], named].concat();
            let ciphertext = good(piped(&dir, &args, &message));
            assert_eq!(ciphertext.len(), set.ciphertext, "{}", set.name);
            let args = [&["pke", "decrypt", "-i", "key"], named].concat();
            assert_eq!(good(piped(&dir, &args, &ciphertext)), message, "{} {length}", set.name);
            in_files(&dir, &message, named);
        }
        let length = |name| fs::read(dir.join(name)).unwrap().len();
        assert_eq!([length("key"), length("pub")], [set.private_key, set.public_key], "{}", set.name);
        let public = done(&dir, &[&["public", "-i", "key", "--format", "raw"], named].concat());
        assert_eq!(public, fs::read(dir.join("pub")).unwrap(), "{}", set.name);
        too_long(&dir, set, named);
        assert_eq!(names(&dir), ["key", "pub"], "{}", set.name);
    }
}

/// A message in a file becomes a ciphertext in a file, and that the message in another.
fn in_files(dir: &Path, message: &[u8], named: &[&str]) {
    let files = ["m", "ct", "found"].map(|name| dir.join(name));
    fs::write(&files[0], message).unwrap();
    for args in [["encrypt", "-R", "pub", "-o", "ct", "m"], ["decrypt", "-i", "key", "-o", "found", "ct"]] {
        assert!(done(dir, &[&args, named].concat()).is_empty());
    }
    assert_eq!(fs::read(&files[2]).unwrap(), message, "{named:?}");
    files.iter().for_each(|file| fs::remove_file(file).unwrap());
}

/// A message of one byte too many, from a pipe and from a file, is one error that says the limit.
fn too_long(dir: &Path, set: &PublicKeyEncryption, named: &[&str]) {
    let expected = format!(
        "is longer than {} bytes, the most that a message to a key of {} may have: \
         `ringsmith encrypt` takes files of any length",
        set.message, set.name
    );
    let args = [&["pke", "encrypt", "-R", "pub", "-o", "new"], named].concat();
    for length in [set.message + 1, 100_000] {
        let message = vec![b'a'; length];
        let error = one_error(&unwarned(piped(dir, &args, &message)), 2);
        assert_eq!(error, format!("ringsmith: standard input {expected}"));
        fs::write(dir.join("long"), message).unwrap();
        let output = ringsmith(dir, &[&args[..], &["long"]].concat()).output().unwrap();
        assert!(output.stdout.is_empty());
        assert_eq!(one_error(&unwarned(output), 2), format!("ringsmith: long {expected}"));
        fs::remove_file(dir.join("long")).unwrap();
    }
}

/// Protects: a user hears of a set that is not for new uses, once for each ciphertext, and from nothing else;
/// of sets that must be named, too, all of which are for research only.
#[test]
fn status_is_said() {
    for set in ENCRYPTIONS {
        let dir = directory(&format!("pke-status_is_said-{}", set.name));
        let silent = |output: &Output| assert!(output.status.success() && output.stderr.is_empty());
        let all = ["--scheme", set.name];
        let named: &[&str] = if set.by_name { &all } else { &[] };
        assert!(!set.by_name || set.status == Status::Research, "{}", set.name);
        let keygen = ["keygen", "--format", "raw", "-o", "key", "--public", "pub"];
        silent(&pke(&dir, &[&keygen[..], &all].concat()));
        let encrypt = ["pke", "encrypt", "-R", "pub", "-o", "ct"];
        let output = piped(&dir, &[&encrypt[..], named].concat(), b"a");
        let says = match set.status {
            Status::Historical => "is historical: for compatibility with what exists",
            _ => "is for research only: too weak, or of a broken hash, or never in a standard",
        };
        let expected = format!("ringsmith: warning: {} {says}\n", set.name);
        assert_eq!(String::from_utf8(output.stderr).unwrap(), expected);
        silent(&pke(&dir, &[&["decrypt", "-i", "key", "ct"], named].concat()));
    }
}

/// Protects: public keys are SubjectPublicKeyInfo where the set has an identifier, and an error says where
/// not; private keys are the bytes of the standard in any case.
#[test]
fn forms_of_keys() {
    for set in ENCRYPTIONS {
        let dir = directory(&format!("pke-forms_of_keys-{}", set.name));
        for format in ["pem", "der"] {
            let args = ["keygen", "--scheme", set.name, "--format", format, "-o", "key", "--public", "pub"];
            if set.encoding.is_none() {
                let expected = format!(
                    "ringsmith: {} has no object identifier, so its keys are raw bytes: add --format raw",
                    set.name
                );
                assert_eq!(one_error(&pke(&dir, &args), 2), expected);
                assert!(names(&dir).is_empty());
                done(&dir, &["keygen", "--scheme", set.name, "-o", "key"]);
                let args = ["public", "--scheme", set.name, "-i", "key", "--format", format, "-o", "pub"];
                assert_eq!(one_error(&pke(&dir, &args), 2), expected);
                assert_eq!(names(&dir), ["key"]);
            } else {
                done(&dir, &args);
                let public = fs::read(dir.join("pub")).unwrap();
                assert_eq!(public.starts_with(b"-----BEGIN PUBLIC KEY-----\n"), format == "pem");
                assert_eq!(done(&dir, &["public", "-i", "key", "--format", format]), public);
                fs::remove_file(dir.join("pub")).unwrap();
            }
            assert_eq!(fs::read(dir.join("key")).unwrap().len(), set.private_key);
            fs::remove_file(dir.join("key")).unwrap();
        }
    }
}

/// Protects: everything works through pipes, in every form of a public key.
#[test]
fn pipes() {
    let dir = directory("pke-pipes");
    let private = done(&dir, &["keygen"]);
    fs::write(dir.join("message"), "a message").unwrap();
    for format in ["pem", "der", "raw"] {
        let public = good(piped(&dir, &["pke", "public", "-i", "-", "--format", format], &private));
        let ciphertext = good(piped(&dir, &["pke", "encrypt", "-R", "-", "message"], &public));
        fs::write(dir.join("ct"), &ciphertext).unwrap();
        assert_eq!(good(piped(&dir, &["pke", "decrypt", "-i", "-", "ct"], &private)), b"a message");
    }
}

/// Protects: every run makes another key and another ciphertext.
#[test]
fn fresh_randomness() {
    let dir = encrypted("pke-fresh_randomness");
    assert_ne!(done(&dir, &["keygen"]), done(&dir, &["keygen"]));
    assert_ne!(done(&dir, &["encrypt", "-R", "bob.pub", "message"]), fs::read(dir.join("ct")).unwrap());
}

/// Protects: a ciphertext that is altered at any byte, cut, lengthened, empty, of another set or of
/// another key, and the private key of another set: one and the same error for all, and nothing is
/// written.
#[test]
fn ciphertexts_for_nobody() {
    let dir = encrypted("pke-ciphertexts_for_nobody");
    done(&dir, &["keygen", "-o", "other.key", "--public", "other.pub"]);
    done(&dir, &["keygen", "--scheme", "ees401ep1", "-o", "small.key", "--public", "small.pub"]);
    let good_one = fs::read(dir.join("ct")).unwrap();
    let altered = |at: usize, with: u8| {
        let mut ciphertext = good_one.clone();
        ciphertext[at] ^= with;
        ciphertext
    };
    let last = good_one.len() - 1;
    let mut spoiled = vec![
        Vec::new(),
        good_one[1..].to_vec(),
        good_one[..last].to_vec(),
        good_one[..1].to_vec(),
        [&good_one[..], &[0]].concat(),
        [&good_one[..], &good_one].concat(),
        [&good_one[..], &[0; 1 << 16]].concat(),
        vec![0; good_one.len()],
        vec![0xff; good_one.len()],
        done(&dir, &["encrypt", "-R", "small.pub", "message"]),
        done(&dir, &["encrypt", "-R", "other.pub", "message"]),
        fs::read(dir.join("bob.pub")).unwrap(),
    ];
    // The bits behind the last coefficient too.
    spoiled.extend((0..8).map(|bit| altered(last, 1 << bit)));
    let before = names(&dir);
    let refused = |output: &Output| {
        assert!(output.stdout.is_empty());
        assert_eq!(one_error(output, 1), NOT_FOR_KEY);
        assert_eq!(names(&dir), before);
    };
    for ciphertext in &spoiled {
        refused(&piped(&dir, &["pke", "decrypt", "-i", "bob.key"], ciphertext));
        refused(&piped(&dir, &["pke", "decrypt", "-i", "bob.key", "-o", "new"], ciphertext));
    }
    for at in 0..=last {
        refused(&piped(&dir, &["pke", "decrypt", "-i", "bob.key", "-o", "new"], &altered(at, 1 << (at % 8))));
    }
    for key in ["other.key", "small.key"] {
        refused(&pke(&dir, &["decrypt", "-i", key, "-o", "new", "ct"]));
    }
    assert_eq!(done(&dir, &["decrypt", "-i", "bob.key", "ct"]), b"a message\n");
}

/// Protects: a key in place of another, of another kind, set or scheme, is one error that says what it is.
#[test]
fn wrong_keys() {
    let dir = encrypted("pke-wrong_keys");
    done(&dir, &["public", "-i", "bob.key", "--format", "raw", "-o", "raw.pub"]);
    done(
        &dir,
        &["keygen", "--scheme", "ees653ep1", "--format", "raw", "-o", "draft.key", "--public", "draft.pub"],
    );
    let kem = ["kem", "keygen", "-o", "kem.key", "--public", "kem.pub"];
    assert!(ringsmith(&dir, &kem).output().unwrap().status.success());
    for (name, end) in [("bob.key", "key"), ("raw.pub", "pub")] {
        let mut bytes = fs::read(dir.join(name)).unwrap();
        // The bits behind the last number.
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(dir.join(format!("bad.{end}")), &bytes).unwrap();
        fs::write(dir.join(format!("cut.{end}")), &bytes[1..]).unwrap();
    }
    fs::write(dir.join("empty"), "").unwrap();
    let before = names(&dir);
    let encrypt =
        |key, more: &[&str]| pke(&dir, &[&["encrypt", "-R", key, "-o", "new", "message"], more].concat());
    let decrypt =
        |key, more: &[&str]| pke(&dir, &[&["decrypt", "-i", key, "-o", "new", "ct"], more].concat());
    let draft = &["--scheme", "ees653ep1"][..];
    let other = &["--scheme", "ees443ep1"][..];
    let cases = [
        (encrypt("bob.key", &[]), "bob.key is a private key of ees743ep1, and not a public key"),
        (encrypt("draft.key", &[]), "draft.key is a private key of ees653ep1, and not a public key"),
        (decrypt("bob.pub", &[]), "bob.pub is a public key of ees743ep1, and not a private key"),
        (decrypt("raw.pub", &[]), "raw.pub is a public key of ees743ep1, and not a private key"),
        (decrypt("draft.pub", draft), "draft.pub is a public key of ees653ep1, and not a private key"),
        (
            encrypt("draft.pub", &[]),
            "draft.pub may be a key of ees653ep1, which is taken only where it is named",
        ),
        (
            decrypt("draft.key", &[]),
            "draft.key may be a key of ees653ep1, which is taken only where it is named",
        ),
        (encrypt("bob.pub", other), "bob.pub: a key of ees743ep1, where ees443ep1 is expected"),
        (encrypt("raw.pub", other), "raw.pub: a public key of 1027 bytes, where the scheme has 615"),
        (decrypt("bob.key", other), "bob.key: the bytes are no key of the scheme"),
        (encrypt("kem.pub", &[]), "kem.pub: a key of the unknown algorithm 2.16.840.1.101.3.4.4.2"),
        (
            decrypt("kem.key", &[]),
            "kem.key: private keys of public-key encryption are raw bytes, not PEM or DER",
        ),
        (
            encrypt("bad.pub", &[]),
            "bad.pub: the bytes are no public key of ees743ep1, whose length they have",
        ),
        (
            decrypt("bad.key", &[]),
            "bad.key: the bytes are no private key of ees743ep1, whose length they have",
        ),
        (encrypt("cut.pub", &[]), "cut.pub: 1026 bytes that are no public key"),
        (decrypt("cut.key", &[]), "cut.key: 1119 bytes that are no private key"),
        (encrypt("empty", &[]), "empty: 0 bytes that are no public key"),
        (decrypt("empty", &[]), "empty: 0 bytes that are no private key"),
        (encrypt("missing", &[]), "cannot read missing: no such file or directory"),
        (decrypt("missing", &[]), "cannot read missing: no such file or directory"),
    ];
    for (output, expected) in cases {
        assert!(output.stdout.is_empty());
        let line = one_error(&output, 2);
        assert!(line.starts_with(&format!("ringsmith: {expected}")), "{line}, not {expected}");
    }
    assert_eq!(names(&dir), before);
}

/// Protects: other bad requests are one clear error each, and leave nothing.
#[test]
fn bad_requests() {
    let dir = encrypted("pke-bad_requests");
    let before: Vec<_> = names(&dir).iter().map(|name| fs::read(dir.join(name)).unwrap()).collect();
    let cases: [(&[&str], &str); 14] = [
        (&["encrypt", "-R", "bob.pub", "missing"], "cannot read missing: no such file or directory"),
        (&["encrypt", "-R", "bob.pub", "."], "cannot read .: it is a directory"),
        (&["decrypt", "-i", "bob.key", "missing"], "cannot read missing: no such file or directory"),
        (&["decrypt", "-i", "bob.key", "-o", "none/new", "ct"], "cannot write none/new: no such file"),
        (&["encrypt", "-R", "bob.pub", "-o", "ct", "message"], "ct exists already, and is not overwritten"),
        (&["decrypt", "-i", "bob.key", "-o", "message", "ct"], "message exists already"),
        (&["keygen", "-o", "bob.key"], "bob.key exists already, and is not overwritten"),
        (&["keygen", "-o", "new", "--public", "bob.pub"], "bob.pub exists already, and is not overwritten"),
        (&["public", "-i", "bob.key", "-o", "bob.pub"], "bob.pub exists already, and is not overwritten"),
        (&["keygen", "--public", "-"], "both keys cannot go to standard output: name a file with -o"),
        (&["keygen", "--scheme", "ees743"], "no scheme is named 'ees743'; did you mean ees743ep1"),
        (&["keygen", "--scheme", "ML-KEM-768"], "ML-KEM-768 encapsulates keys: use `ringsmith kem`"),
        (&["encrypt", "-R", "-"], "public key and message cannot both be standard input"),
        (&["decrypt", "-i", "-"], "private key and ciphertext cannot both be standard input"),
    ];
    for (args, expected) in cases {
        let line = one_error(&unwarned(pke(&dir, args)), 2);
        assert!(line.starts_with(&format!("ringsmith: {expected}")), "{args:?}: {line}");
        assert_eq!(names(&dir), ["bob.key", "bob.pub", "ct", "message"], "{args:?}");
    }
    let after: Vec<_> = names(&dir).iter().map(|name| fs::read(dir.join(name)).unwrap()).collect();
    assert_eq!(before, after);
    let output = ringsmith(&dir, &["kem", "keygen", "--scheme", "ees743ep1"]).output().unwrap();
    assert_eq!(one_error(&output, 2), "ringsmith: ees743ep1 encrypts messages: use `ringsmith pke`");
}

/// Protects: secrets are for their owner's eyes; where a result can't be delivered that is an error, and a
/// reader that leaves ends the command quietly; nothing is left.
#[test]
#[cfg(target_os = "linux")]
fn files() {
    use std::os::unix::fs::PermissionsExt;
    let dir = encrypted("pke-files");
    done(&dir, &["decrypt", "-i", "bob.key", "-o", "new", "ct"]);
    assert_eq!(fs::read(dir.join("new")).unwrap(), b"a message\n");
    for name in ["bob.key", "new"] {
        let mode = fs::metadata(dir.join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    fs::remove_file(dir.join("new")).unwrap();
    let before = names(&dir);
    let commands: [&[&str]; 4] = [
        &["pke", "keygen", "--public", "new"],
        &["pke", "public", "-i", "bob.key"],
        &["pke", "encrypt", "-R", "bob.pub", "message"],
        &["pke", "decrypt", "-i", "bob.key", "ct"],
    ];
    for args in commands {
        support::refuses_a_full_disk(&dir, args);
        assert_eq!(names(&dir), before, "{args:?}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let command = ringsmith(&dir, args).stdout(writer).output();
        let output = unwarned(command.unwrap());
        assert_eq!((output.status.code(), &output.stderr[..]), (Some(141), &b""[..]), "{args:?}");
        assert_eq!(names(&dir), before, "{args:?}");
    }
}

/// Protects: a file is named for what it is, in every form, and its secrets are not shown; both keys have one
/// fingerprint.
#[test]
fn inspected() {
    let dir = encrypted("pke-inspected");
    done(&dir, &["public", "-i", "bob.key", "--format", "raw", "-o", "raw.pub"]);
    done(&dir, &["public", "-i", "bob.key", "--format", "der", "-o", "der.pub"]);
    let checks = "  all checks of EESS#1 v3.1 passed\n  SHA3-256 of the public key: ";
    let kinds = [
        ("bob.key", "private key (raw)"),
        ("raw.pub", "public key (raw)"),
        ("bob.pub", "public key (PEM)"),
        ("der.pub", "public key (DER)"),
    ];
    let last = kinds.map(|(name, what)| {
        let text = inspect(&dir, &[name]);
        assert!(text.starts_with(&format!("{name}: ees743ep1 {what}, historical\n{checks}")), "{text}");
        assert_eq!(text, inspect(&dir, &[name, "--scheme", "EES743EP1"]));
        text.lines().last().unwrap().to_string()
    });
    assert!(last.iter().all(|line| *line == last[0]), "{last:?}");
    let named = inspect(&dir, &["ct", "--scheme", "ees743ep1"]);
    assert_eq!(named, "ct: 1022 bytes, as many as a ciphertext of ees743ep1 has\n");
    let hidden = "the private key tells whether it is one";
    let all = format!(
        "ct: 1022 bytes, as many as each of these has:\n  ees743ep1 ciphertext, historical: {hidden}\n  \
         libntru-ees743ep1 ciphertext, research only: {hidden}\n"
    );
    assert_eq!(inspect(&dir, &["ct"]), all);
}

/// Protects: of a set without identifiers a key and a ciphertext are told as what they can be, though another
/// scheme's private keys have their length.
#[test]
fn inspected_over_a_field() {
    let dir = directory("pke-inspected_over_a_field");
    let named = &["--scheme", "ntruprime739-x998"];
    let keygen = ["keygen", "--format", "raw", "-o", "key", "--public", "pub"];
    done(&dir, &[&keygen[..], named].concat());
    fs::write(dir.join("m"), "a message").unwrap();
    done(&dir, &[&["encrypt", "-R", "pub", "-o", "ct", "m"][..], named].concat());
    assert!(inspect(&dir, &["key"]).starts_with("key: ntruprime739-x998 private key (raw), research only\n"));
    for name in ["pub", "ct"] {
        let text = inspect(&dir, &[name]);
        for what in [
            "ntrulpr761 private key, historical: the checks of",
            "ntruprime739-x998 public key, research only: all checks of",
            "ntruprime739-x998 ciphertext, research only: the private key tells",
        ] {
            assert!(text.contains(what), "{text}");
        }
    }
}

/// Protects: keys that are none are told as such, for the set whose length they have.
#[test]
fn inspected_damaged() {
    let dir = encrypted("pke-inspected_damaged");
    let mut private = fs::read(dir.join("bob.key")).unwrap();
    *private.last_mut().unwrap() ^= 1;
    fs::write(dir.join("bad.key"), private).unwrap();
    let public = fs::read_to_string(dir.join("bob.pub")).unwrap();
    let line = public.lines().nth(2).unwrap();
    fs::write(dir.join("cut.pub"), public.replace(&format!("{line}\n"), "")).unwrap();
    let mut der = done(&dir, &["public", "-i", "bob.key", "--format", "der"]);
    // A bit behind the last number.
    *der.last_mut().unwrap() ^= 1;
    fs::write(dir.join("bad.der"), der).unwrap();
    let named = &["--scheme", "ees743ep1"][..];
    for (name, more, expected) in [
        ("bad.key", named, "the bytes are no private key of ees743ep1, whose length they have"),
        ("bad.der", named, "the bytes are no key of the scheme"),
        ("bad.der", &[], "the bytes are no key of the scheme"),
        ("cut.pub", named, "the text is no well-formed PEM"),
        ("cut.pub", &[], "the text is no well-formed PEM"),
    ] {
        let output = ringsmith(&dir, &[&["inspect", name], more].concat()).output().unwrap();
        assert_eq!(one_error(&output, 2), format!("ringsmith: {name}: {expected}"));
    }
}
