//! Signatures through the command: files and pipes, forms of keys, certificates, and what must not happen.

mod support;

use ringsmith::scheme::{SIGNATURES, SignatureScheme};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use support::{directory, names, one_error, piped, ringsmith, unwarned};

/// The beginning of what is said where a signature is none of a file.
const BAD: &str = "by this key: one of them was altered, or the key or the context is another";

/// Runs the command.
fn run(dir: &Path, args: &[&str]) -> Output {
    ringsmith(dir, args).output().unwrap()
}

/// Asserts success without a word but a warning, and returns the output.
fn good(output: Output) -> Vec<u8> {
    let output = unwarned(output);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    output.stdout
}

/// Runs it, and expects success.
fn done(dir: &Path, args: &[&str]) -> Vec<u8> {
    good(run(dir, args))
}

/// A directory with a pair of keys, a letter and its signature.
fn signed_by(test: &str, kind: &str) -> PathBuf {
    let dir = directory(test);
    done(&dir, &["keygen", "--kind", kind, "-o", "alice.key", "--public", "alice.pub"]);
    fs::write(dir.join("letter"), "a letter\n").unwrap();
    done(&dir, &["sign", "-i", "alice.key", "-o", "sig", "letter"]);
    dir
}

fn signed(test: &str) -> PathBuf {
    signed_by(test, "ml-dsa-44")
}

fn read(dir: &Path, name: &str) -> Vec<u8> {
    fs::read(dir.join(name)).unwrap()
}

/// The bytes that a PEM text holds.
fn der(text: &[u8]) -> Vec<u8> {
    let text = str::from_utf8(text).unwrap();
    let base64 = |c: char| match c {
        'A'..='Z' => c as u32 - 'A' as u32,
        'a'..='z' => c as u32 - 'a' as u32 + 26,
        '0'..='9' => c as u32 - '0' as u32 + 52,
        '+' => 62,
        _ => 63,
    };
    let digits: Vec<u32> = text
        .lines()
        .filter(|line| !line.starts_with("-----"))
        .flat_map(|line| line.chars().filter(|c| *c != '=').map(base64))
        .collect();
    let bytes = digits.chunks(4).flat_map(|four| {
        let word = four.iter().fold(0, |word, digit| word << 6 | digit) << (6 * (4 - four.len()));
        word.to_be_bytes()[1..four.len()].to_vec()
    });
    bytes.collect()
}

/// The raw public key at the end of a SubjectPublicKeyInfo.
fn raw_public(dir: &Path, name: &str, set: &SignatureScheme) -> Vec<u8> {
    let der = der(&read(dir, name));
    der[der.len() - set.public_key..].to_vec()
}

/// Protects: keys of every set sign files of no byte, of one piece, and of one byte more; signatures are the
/// standard's bytes; keys are PEM, and the private one is its seed.
#[test]
fn every_set() {
    for set in SIGNATURES {
        let kind = set.name.to_lowercase();
        let dir = signed_by(&format!("signatures-every_set-{kind}"), &kind);
        let [private, public] = ["alice.key", "alice.pub"].map(|name| read(&dir, name));
        assert!(private.starts_with(b"-----BEGIN PRIVATE KEY-----\n") && der(&private).len() == 54);
        assert!(public.starts_with(b"-----BEGIN PUBLIC KEY-----\n"));
        assert_eq!(done(&dir, &["keygen", "-y", "alice.key"]), public);
        for length in [0, 1, 1 << 16, (1 << 16) + 1] {
            let file: Vec<u8> = (0..length).map(|i: u64| (i * i) as u8).collect();
            let signature = good(piped(&dir, &["sign", "-i", "alice.key"], &file));
            assert_eq!(signature.len(), set.signature, "{}", set.name);
            fs::write(dir.join("some"), &signature).unwrap();
            let said = good(piped(&dir, &["verify", "--public", "alice.pub", "-s", "some"], &file));
            assert_eq!(said, format!("standard input: good signature ({})\n", set.name).as_bytes());
        }
        let said = done(&dir, &["verify", "--public", "alice.pub", "-s", "sig", "letter"]);
        assert_eq!(said, format!("letter: good signature ({})\n", set.name).as_bytes());
    }
}

/// Protects: every form of a key is taken, from files and from pipes.
#[test]
fn forms_of_keys() {
    for set in SIGNATURES {
        let kind = set.name.to_lowercase();
        let dir = signed_by(&format!("signatures-forms_of_keys-{kind}"), &kind);
        let write = |name: &str, bytes: &[u8]| fs::write(dir.join(name), bytes).unwrap();
        let (private, public) = (read(&dir, "alice.key"), read(&dir, "alice.pub"));
        let seed = &der(&private)[22..];
        write("der.key", &der(&private));
        write("seed", seed);
        write("der.pub", &der(&public));
        write("raw.pub", &raw_public(&dir, "alice.pub", set));
        let named = ["--scheme", set.name];
        for (key, named) in
            [("alice.key", &[][..]), ("der.key", &[]), ("alice.key", &named), ("seed", &named)]
        {
            let signature = done(&dir, &[&["sign", "-i", key, "letter"], named].concat());
            write("some", &signature);
            for public in ["alice.pub", "der.pub", "raw.pub"] {
                done(&dir, &["verify", "--public", public, "-s", "some", "letter"]);
            }
        }
        let piped_key = good(piped(&dir, &["sign", "-i", "-", "letter"], &private));
        let verified = piped(&dir, &["verify", "--public", "alice.pub", "-s", "-", "letter"], &piped_key);
        assert_eq!(good(verified), format!("letter: good signature ({})\n", set.name).as_bytes());
        good(piped(&dir, &["verify", "--public", "-", "-s", "sig", "letter"], &public));
        good(piped(&dir, &["keygen", "-y", "-"], &private));
    }
}

/// Protects: signatures are hedged unless asked otherwise; deterministic ones are the same each time; every
/// run makes another key.
#[test]
fn randomness() {
    let dir = signed("signatures-randomness");
    let sign = |more: &[&str]| done(&dir, &[&["sign", "-i", "alice.key", "letter"], more].concat());
    assert_ne!(sign(&[]), sign(&[]));
    let first = sign(&["--deterministic"]);
    assert_eq!(first, sign(&["--deterministic"]));
    fs::write(dir.join("some"), first).unwrap();
    done(&dir, &["verify", "--public", "alice.pub", "-s", "some", "letter"]);
    let key = ["keygen", "--kind", "ml-dsa-44"];
    assert_ne!(done(&dir, &key), done(&dir, &key));
}

/// Protects: a signature for one context is none for another, be it longer, shorter or absent; the longest
/// context works, and no context is the empty one.
#[test]
fn contexts() {
    let dir = signed("signatures-contexts");
    let longest = "x".repeat(255);
    let contexts: [&[&str]; 5] =
        [&[], &["--context", "a"], &["--context", "ab"], &["--context", "b"], &["--context", &longest]];
    for (i, signed_for) in contexts.iter().enumerate() {
        let signature = done(&dir, &[&["sign", "-i", "alice.key", "letter"], *signed_for].concat());
        fs::write(dir.join("some"), signature).unwrap();
        for (k, context) in contexts.iter().enumerate() {
            let args = [&["verify", "--public", "alice.pub", "-s", "some", "letter"], *context].concat();
            let output = run(&dir, &args);
            assert_eq!(output.status.code(), Some(i32::from(i != k)), "{signed_for:?} {context:?}");
        }
    }
    done(&dir, &["verify", "--context", "", "--public", "alice.pub", "-s", "sig", "letter"]);
}

/// Protects: a signature that is altered in any part, cut, lengthened, empty, of another file or of another
/// key is a failed check: one sentence, exit code 1, and nothing on standard output.
#[test]
fn bad_signatures() {
    let dir = signed("signatures-bad_signatures");
    done(&dir, &["keygen", "--kind", "ml-dsa-44", "-o", "other.key", "--public", "other.pub"]);
    done(&dir, &["keygen", "--kind", "ml-dsa-65", "-o", "large.key", "--public", "large.pub"]);
    let whole = read(&dir, "sig");
    let refused = |output: &Output, says: &str| {
        assert!(output.stdout.is_empty(), "{output:?}");
        let line = one_error(output, 1);
        assert!(line.contains(says), "{line}, not {says}");
    };
    let verify = |signature: &[u8]| {
        fs::write(dir.join("bad"), signature).unwrap();
        run(&dir, &["verify", "--public", "alice.pub", "-s", "bad", "letter"])
    };
    let last = whole.len() - 1;
    // The challenge, the response, hints and their counts.
    for at in (0..=last).step_by(97).chain(last - 90..=last) {
        let mut altered = whole.clone();
        altered[at] ^= 1 << (at % 8);
        refused(&verify(&altered), BAD);
    }
    for same in [0, 0xff] {
        refused(&verify(&vec![same; whole.len()]), BAD);
    }
    let lengths = [Vec::new(), whole[1..].to_vec(), whole[..last].to_vec(), [&whole[..], &[0]].concat()];
    for wrong in lengths {
        let says = format!("bad: {} bytes, where a signature of ML-DSA-44 has 2420", wrong.len());
        refused(&verify(&wrong), &says);
    }
    refused(&verify(&[0; 1 << 17]), "bad is longer than a signature of ML-DSA-44, which has 2420 bytes");
    refused(&run(&dir, &["verify", "--public", "other.pub", "-s", "sig", "letter"]), BAD);
    refused(&run(&dir, &["verify", "--public", "alice.pub", "-s", "sig", "alice.pub"]), BAD);
    let large = run(&dir, &["verify", "--public", "large.pub", "-s", "sig", "letter"]);
    refused(&large, "sig: 2420 bytes, where a signature of ML-DSA-65 has 3309");
    for file in [&b""[..], b"a letter", b"a letter\n\n", b"A letter\n"] {
        refused(&piped(&dir, &["verify", "--public", "alice.pub", "-s", "sig"], file), BAD);
    }
    done(&dir, &["verify", "--public", "alice.pub", "-s", "sig", "letter"]);
}

/// Protects: a file in place of a key is one error that says what it is, and leaves nothing.
#[test]
fn wrong_keys() {
    let dir = signed("signatures-wrong_keys");
    let write = |name: &str, bytes: &[u8]| fs::write(dir.join(name), bytes).unwrap();
    done(&dir, &["kem", "keygen", "-o", "kem.key", "--public", "kem.pub"]);
    assert!(run(&dir, &["keygen", "-o", "age.key"]).status.success());
    write("seed", &der(&read(&dir, "alice.key"))[22..]);
    write("cut.key", &read(&dir, "alice.key")[..60]);
    write("cut.pub", &read(&dir, "alice.pub")[..600]);
    write("empty", b"");
    write("zeros", &[0; 2560]);
    write("cut.der", &der(&read(&dir, "alice.pub"))[..1000]);
    write("long", &[b'a'; (1 << 16) + 1]);
    let mut draft = der(&read(&dir, "alice.key"));
    // The seed without its tag, as drafts had it.
    draft.drain(20..22);
    (draft[1], draft[19]) = (draft[1] - 2, draft[19] - 2);
    write("draft", &draft);
    let before = names(&dir);
    let sign = |key| run(&dir, &["sign", "-i", key, "-o", "new", "letter"]);
    let verify = |key| run(&dir, &["verify", "--public", key, "-s", "sig", "letter"]);
    let cases = [
        (sign("alice.pub"), "alice.pub is a public key of ML-DSA-44, and not a private key"),
        (verify("alice.key"), "alice.key is a private key of ML-DSA-44, and not a public key"),
        (sign("kem.key"), "kem.key: ML-KEM-768 encapsulates keys: use `ringsmith kem`"),
        (verify("kem.pub"), "kem.pub: ML-KEM-768 encapsulates keys: use `ringsmith kem`"),
        (sign("age.key"), "age.key holds keys that decrypt files: `ringsmith keygen --kind ml-dsa-65` makes"),
        (sign("seed"), "seed: 32 bytes can be a raw private key of several schemes: name the scheme"),
        (sign("cut.key"), "cut.key: the text is no well-formed PEM"),
        (verify("cut.pub"), "cut.pub: the text is no well-formed PEM"),
        (sign("empty"), "empty: 0 bytes that are no private key"),
        (verify("empty"), "empty: 0 bytes that are no public key"),
        (sign("zeros"), "zeros: the bytes are no private key of ML-DSA-44, whose length they have"),
        (verify("cut.der"), "cut.der: 1000 bytes that are no public key"),
        (sign("long"), "long is longer than 65536 bytes, the most that it may have"),
        (verify("long"), "long is longer than 65536 bytes, the most that it may have"),
        (sign("draft"), "draft: a private key of ML-DSA-44 in a form of a draft of RFC 9881"),
        (sign("missing"), "cannot read missing: no such file or directory"),
        (verify("missing"), "cannot read missing: no such file or directory"),
        (sign("."), "cannot read .: it is a directory"),
        (verify("."), "cannot read .: it is a directory"),
    ];
    for (output, expected) in cases {
        assert!(output.stdout.is_empty());
        let line = one_error(&unwarned(output), 2);
        assert!(line.starts_with(&format!("ringsmith: {expected}")), "{line}, not {expected}");
    }
    assert_eq!(names(&dir), before);
}

/// Protects: other bad requests are one clear error each, and leave nothing.
#[test]
fn bad_requests() {
    let dir = signed("signatures-bad_requests");
    let before: Vec<_> = names(&dir).iter().map(|name| read(&dir, name)).collect();
    let long = "x".repeat(256);
    let cases: [(&[&str], &str); 16] = [
        (&["sign", "-i", "alice.key", "missing"], "cannot read missing: no such file or directory"),
        (&["sign", "-i", "alice.key", "."], "cannot read .: it is a directory"),
        (&["sign", "-i", "alice.key", "-o", "none/new", "letter"], "cannot write none/new: no such file"),
        (
            &["sign", "-i", "alice.key", "-o", "letter", "letter"],
            "letter exists already, and is not overwritten",
        ),
        (&["sign", "-i", "-"], "private key and file cannot both be standard input"),
        (
            &["sign", "-i", "alice.key", "--context", &long, "letter"],
            "--context: a context of 256 bytes, where",
        ),
        (
            &["sign", "-i", "alice.key", "--scheme", "ML-DSA-65", "letter"],
            "alice.key: a key of ML-DSA-44, where",
        ),
        (
            &["sign", "-i", "alice.key", "--scheme", "ML-DSA-66", "letter"],
            "no scheme is named 'ML-DSA-66'; did",
        ),
        (&["sign", "-i", "alice.key", "--scheme", "ees443ep1", "letter"], "ees443ep1 encrypts messages: use"),
        (
            &["verify", "--public", "alice.pub", "-s", "missing", "letter"],
            "cannot read missing: no such file",
        ),
        (&["verify", "--public", "alice.pub", "-s", "sig", "missing"], "cannot read missing: no such file"),
        (&["verify", "--public", "-", "-s", "-", "letter"], "standard input is named more than once"),
        (&["verify", "--public", "alice.pub", "-s", "-"], "standard input is named more than once"),
        (&["keygen", "--kind", "ml-dsa-44", "--public", "-"], "both keys cannot go to standard output"),
        (
            &["keygen", "--kind", "ml-dsa-44", "-o", "new", "--public", "sig"],
            "sig exists already, and is not",
        ),
        (
            &["keygen", "--kind", "ml-dsa-44", "--classical"],
            "the argument '--kind <KIND>' cannot be used with",
        ),
    ];
    for (args, expected) in cases {
        let line = one_error(&unwarned(run(&dir, args)), 2);
        assert!(line.starts_with(&format!("ringsmith: {expected}")), "{args:?}: {line}");
    }
    let after: Vec<_> = names(&dir).iter().map(|name| read(&dir, name)).collect();
    assert_eq!(before, after);
}

/// Protects: a private key is for its owner's eyes, whatever the process' mask allows; a public key, a
/// signature and a certificate are for whom it allows.
#[cfg(unix)]
#[test]
fn permissions() {
    use std::os::unix::fs::PermissionsExt;
    let dir = signed("signatures-permissions");
    done(&dir, &["certificate", "-i", "alice.key", "--subject", "CN=Alice", "-o", "crt"]);
    let mode = |name: &str| fs::metadata(dir.join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("alice.key"), 0o600);
    let letter = mode("letter");
    assert_eq!(["alice.pub", "sig", "crt"].map(mode), [letter; 3]);
    fs::set_permissions(dir.join("alice.key"), fs::Permissions::from_mode(0o640)).unwrap();
    let output = run(&dir, &["sign", "-i", "alice.key", "letter"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "ringsmith: warning: alice.key holds a private key, and others may read it\n");
}

/// Protects: where something can't be delivered, that is an error, and nothing else appears.
#[cfg(target_os = "linux")]
#[test]
fn full_disk() {
    let dir = signed("signatures-full_disk");
    let before = names(&dir);
    let commands: [&[&str]; 5] = [
        &["sign", "-i", "alice.key", "letter"],
        &["verify", "--public", "alice.pub", "-s", "sig", "letter"],
        &["certificate", "-i", "alice.key", "--subject", "CN=Alice"],
        &["keygen", "--kind", "ml-dsa-44", "--public", "new"],
        &["keygen", "-y", "alice.key"],
    ];
    for args in commands {
        support::refuses_a_full_disk(&dir, args);
        assert_eq!(names(&dir), before, "{args:?}");
    }
}

/// Protects: a certificate of every set says what was asked for, verifies files, and is refused where a byte
/// of it is another.
#[test]
fn certificates() {
    for set in SIGNATURES {
        let kind = set.name.to_lowercase();
        let dir = signed_by(&format!("signatures-certificates-{kind}"), &kind);
        let subject = "CN=Zoë \\, Example,O=Example,C=CH";
        done(&dir, &["certificate", "-i", "alice.key", "--subject", subject, "--days", "2", "-o", "crt"]);
        let said = done(&dir, &["verify", "--public", "crt", "-s", "sig", "letter"]);
        let expected = format!("letter: good signature ({}), by the key of {subject}\n", set.name);
        assert_eq!(String::from_utf8(said).unwrap(), expected);
        let text = String::from_utf8(done(&dir, &["inspect", "crt"])).unwrap();
        let start = format!("crt: certificate of a key of {}, standard\n  subject: {subject}\n", set.name);
        assert!(
            text.starts_with(&start) && text.contains("signed by: its own key, which is right\n"),
            "{text}"
        );
        let public = String::from_utf8(done(&dir, &["inspect", "alice.pub"])).unwrap();
        assert_eq!(text.lines().last(), public.lines().last(), "one fingerprint for both");
        let certificate = der(&read(&dir, "crt"));
        fs::write(dir.join("der"), &certificate).unwrap();
        done(&dir, &["verify", "--public", "der", "-s", "sig", "letter"]);
        altered(&dir, &certificate);
    }
}

/// A certificate of which a bit is another is refused, but where it names another issuer or algorithm then:
/// that is said.
fn altered(dir: &Path, certificate: &[u8]) {
    let step = certificate.len() / 40;
    for at in (0..certificate.len()).step_by(step) {
        let mut altered = certificate.to_vec();
        altered[at] ^= 1;
        fs::write(dir.join("altered"), altered).unwrap();
        let output = run(dir, &["verify", "--public", "altered", "-s", "sig", "letter"]);
        let said = String::from_utf8(output.stderr.clone()).unwrap();
        let warned = said.contains("which is not checked\n") && said.lines().count() == 1;
        let refused = !output.status.success() && output.stdout.is_empty();
        assert!(refused || warned, "bit {at}: {output:?}");
    }
}

/// Protects: of a chain the first certificate is taken; text that is cut is refused; two certificates of one
/// key differ in their number.
#[test]
fn texts_of_certificates() {
    let dir = signed("signatures-texts_of_certificates");
    let make = |key: &str, name: &str| done(&dir, &["certificate", "-i", key, "--subject", name]);
    done(&dir, &["keygen", "--kind", "ml-dsa-44", "-o", "other.key"]);
    let (alice, other) = (make("alice.key", "CN=Alice"), make("other.key", "CN=Other"));
    assert_ne!(alice, make("alice.key", "CN=Alice"));
    let verify = |text: &[u8]| {
        fs::write(dir.join("crt"), text).unwrap();
        run(&dir, &["verify", "--public", "crt", "-s", "sig", "letter"])
    };
    good(verify(&[&alice[..], &other].concat()));
    one_error(&verify(&[&other[..], &alice].concat()), 1);
    good(verify(&[b"\n\n", &alice[..]].concat()));
    let cut = verify(&alice[..alice.len() / 2]);
    assert_eq!(one_error(&cut, 2), "ringsmith: crt: the text is no well-formed PEM");
    let none = verify(b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    assert_eq!(one_error(&none, 2), "ringsmith: crt: the text is no well-formed PEM");
    let refused = run(&dir, &["sign", "-i", "crt", "letter"]);
    assert_eq!(one_error(&refused, 2), "ringsmith: crt: the PEM text does not say `BEGIN PRIVATE KEY`");
}

/// Protects: a subject is a name of its standard's form, and what is none is refused before anything is
/// written.
#[test]
fn subjects() {
    let dir = signed("signatures-subjects");
    let before = names(&dir);
    let long = format!("CN={}", "x".repeat(65));
    let bad = [
        "",
        "Alice",
        "CN",
        "CN=",
        "=Alice",
        "NO=Alice",
        "CN=Alice,",
        "C=Switzerland",
        "C=\u{e9}\u{e9}",
        &long,
        "CN=a\u{1b}[2J",
        "CN=#0500",
        "CN=a\\",
        "CN=\\ff",
        "1.2.3.=a",
    ];
    for subject in bad {
        let output = run(&dir, &["certificate", "-i", "alice.key", "--subject", subject, "-o", "new"]);
        let line = one_error(&output, 2);
        assert!(line.contains(" is no subject: it is written as in 'CN=Alice"), "{subject:?}: {line}");
        assert_eq!(names(&dir), before);
    }
    let longest = format!("CN={}", "x".repeat(64));
    for subject in ["CN=Alice", "CN=Alice+OU=Sales,DC=example,DC=org", &longest, "O=\u{532}", "CN=a b"] {
        done(&dir, &["certificate", "-i", "alice.key", "--subject", subject]);
    }
}

/// Protects: raw bytes are said to be what their length allows, and which checks they pass.
#[test]
fn inspected_lengths() {
    let dir = signed("signatures-inspected_lengths");
    let set = SIGNATURES[0];
    let write = |name: &str, bytes: &[u8]| fs::write(dir.join(name), bytes).unwrap();
    write("raw.pub", &raw_public(&dir, "alice.pub", set));
    write("zeros", &[0; 2560]);
    write("seed", &[7; 32]);
    let inspect = |name: &str| String::from_utf8(done(&dir, &["inspect", name])).unwrap();
    assert_eq!(inspect("sig"), "sig: 2420 bytes, as many as a signature of ML-DSA-44 has\n");
    let public = inspect("raw.pub");
    assert!(public.contains("ML-DSA-44 public key"), "{public}");
    let seed = inspect("seed");
    assert_eq!(seed.matches("private key, with its seed, standard").count(), SIGNATURES.len(), "{seed}");
    let output = run(&dir, &["inspect", "--scheme", "ML-DSA-44", "zeros"]);
    let line = one_error(&output, 2);
    assert!(line.starts_with("ringsmith: zeros: the bytes are no "), "{line}");
    let output = run(&dir, &["inspect", "--scheme", "ML-KEM-768", "alice.pub"]);
    assert!(one_error(&output, 2).contains("ML-DSA-44"), "{output:?}");
}
