//! Hostile files, failing systems, and requests that must come to nothing: `hostile/*.cases`, one group of
//! inputs a file.
#![cfg(target_os = "linux")]

#[path = "support/cases.rs"]
mod cases;
#[path = "support/randomness.rs"]
mod randomness;
mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use support::{directory, names, one_error, ringsmith, unwarned};

/// A directory with keys of all kinds and forms, a letter of three chunks, a small one, and both encrypted.
fn with_files(test: &str) -> PathBuf {
    let dir = directory(test);
    let done = |args: &[&str]| {
        let output = ringsmith(&dir, args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
    };
    fs::write(dir.join("letter"), "a letter\n".repeat(20_000)).unwrap();
    fs::write(dir.join("small"), "a small letter\n").unwrap();
    // What a passphrase opens, made by another implementation: a letter, and a key to which another is.
    let inputs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd/inputs");
    for (name, new) in [
        ("words.txt", "words"),
        ("words.age", "words.age"),
        ("protected.key", "safe.key"),
        ("letter.age", "safe.age"),
    ] {
        fs::copy(inputs.join(name), dir.join(new)).unwrap();
    }
    fs::set_permissions(dir.join("words"), fs::Permissions::from_mode(0o600)).unwrap();
    done(&["keygen", "-o", "key"]);
    done(&["keygen", "--kind", "sntrup761x25519", "-o", "prime"]);
    done(&["keygen", "--classical", "-o", "old"]);
    done(&["keygen", "-y", "key", "-o", "recipients"]);
    done(&["kem", "keygen", "-o", "bob.key"]);
    done(&["kem", "keygen", "--format", "raw", "-o", "bob.dk", "--public", "bob.ek"]);
    done(&["encrypt", "-R", "recipients", "-o", "good.age", "letter"]);
    done(&["encrypt", "-R", "recipients", "--armor", "-o", "text.age", "small"]);
    dir
}

macro_rules! groups {
    ($($(#[$doc:meta])* $group:ident)*) => {$(
        $(#[$doc])*
        #[test]
        fn $group() {
            let cases = include_str!(concat!("hostile/", stringify!($group), ".cases"));
            let dir = with_files(concat!("hostile_", stringify!($group)));
            cases::check(&dir, env!("CARGO_BIN_EXE_ringsmith"), cases);
        }
    )*};
}

groups! {
    /// Protects: an age file that was made or altered by somebody else is refused for the right reason, with
    /// exit code 1, and nothing is written.
    files
    /// Protects: what is unusual and allowed is decrypted.
    taken
    /// Protects: text that is not quite armor is refused.
    armor
    /// Protects: whoever makes the input chooses neither the time nor the memory: 64 MiB are enough for all
    /// of it.
    resources
    /// Protects: no file is overwritten or followed, whatever it is; and what is made is as private as it
    /// should be, whatever its name and the process's mask.
    outputs
    /// Protects: a key that is none, or not in the one form that its standard has, is refused; there is no
    /// second way to write a key.
    keys
    /// Protects: a system that gives no room, no output or no input is an error that is said, and nothing is
    /// half-written or lost.
    systems
    /// Protects: whatever ends the process, nobody but its owner can read what it leaves.
    signals
    /// Protects: what users type and files are called neither reaches a terminal raw nor passes for a key.
    texts
    /// Protects: a terminal gets text alone, and neither binary data nor controls.
    terminal
    /// Protects: messages, keys and ciphertexts of public-key encryption that have no end or no form are
    /// refused, and so are places that are none for them.
    pke
    /// Protects: keys, signatures and certificates that have no end or no form are refused, files of any
    /// length are signed in constant memory, and nothing is left half-written.
    signatures
    /// Protects: passphrases come from a terminal or a named file and nowhere else; whoever makes a file does
    /// not choose the work; keys and passphrases are not taken for each other.
    passphrases
    /// Protects: age files and their keys are said to be what they are, whoever made them, and nothing secret
    /// is shown.
    inspected
    /// Protects: the secret of an exchange serves once; malformed messages and polynomials are refused.
    exchange
    /// Protects: a file of a ring's polynomial that is greater than memory, or has no end, is one error, in
    /// 64 MiB.
    modulus
}

/// Protects: where the system fails to give randomness, at whichever call, every command says so, writes
/// nothing, and does not blame itself.
#[test]
fn no_randomness() {
    let dir = with_files("hostile_no_randomness");
    let done = |args: &[&str]| assert!(ringsmith(&dir, args).output().unwrap().status.success());
    done(&["kem", "keygen", "-o", "bob", "--public", "pub"]);
    done(&[
        "kem",
        "keygen",
        "--scheme",
        "sntrup761",
        "--format",
        "raw",
        "-o",
        "carl",
        "--public",
        "carl.pub",
    ]);
    done(&["exchange", "offer", "-s", "secret", "-o", "offer"]);
    done(&["pke", "keygen", "-o", "dora", "--public", "dora.pub"]);
    done(&["keygen", "--kind", "ml-dsa-65", "-o", "eve"]);
    let commands: [&[&str]; 16] = [
        &["keygen", "-o", "new"],
        &["keygen", "--kind", "sntrup761x25519", "-o", "new"],
        &["keygen", "--classical", "-o", "new"],
        &["encrypt", "-i", "key", "-o", "new", "small"],
        &["encrypt", "-i", "key", "-i", "prime", "-o", "new", "small"],
        &["encrypt", "-i", "old", "-o", "new", "small"],
        &["kem", "keygen", "-o", "new", "--public", "new2"],
        &["kem", "keygen", "--scheme", "sntrup761", "--format", "raw", "-o", "new", "--public", "new2"],
        &["kem", "encapsulate", "-R", "pub", "-s", "new", "-o", "new2"],
        &["pke", "keygen", "-o", "new", "--public", "new2"],
        &["pke", "encrypt", "-R", "dora.pub", "-o", "new", "small"],
        &["exchange", "offer", "-s", "new", "-o", "new2"],
        &["exchange", "respond", "-k", "new", "-o", "new2", "offer"],
        &["keygen", "--kind", "ml-dsa-65", "-o", "new", "--public", "new2"],
        &["sign", "-i", "eve", "-o", "new", "small"],
        &["certificate", "-i", "eve", "--subject", "CN=Eve", "-o", "new"],
    ];
    for args in commands {
        let before = names(&dir);
        randomness::at_every_call(&dir, |environment| {
            let mut command = ringsmith(&dir, args);
            command.envs(environment.iter().map(|(name, value)| (name, value)));
            let output = unwarned(command.output().unwrap());
            let made: Vec<_> = names(&dir).into_iter().filter(|name| name.starts_with("new")).collect();
            made.iter().for_each(|name| fs::remove_file(dir.join(name)).unwrap());
            if !output.status.success() {
                let error = one_error(&output, 2);
                assert!(
                    error.contains("the system gives no random bytes"),
                    "{args:?} {environment:?}: {error}"
                );
                assert!(made.is_empty(), "{args:?} {environment:?}: {made:?}");
            }
            !output.status.success()
        });
        assert_eq!(names(&dir), before, "{args:?}");
    }
}

/// Protects: the same where a passphrase is the recipient, for the first calls: each takes a second.
#[test]
fn no_randomness_for_passphrases() {
    let dir = with_files("hostile_no_randomness_for_passphrases");
    let commands: [&[&str]; 2] = [
        &["encrypt", "-p", "--passphrase-file", "words", "-o", "new", "small"],
        &["keygen", "-p", "--passphrase-file", "words", "-o", "new", "--public", "new2"],
    ];
    for args in commands {
        let before = names(&dir);
        randomness::at_first_calls(&dir, 3, |environment| {
            let mut command = ringsmith(&dir, args);
            command.envs(environment.iter().map(|(name, value)| (name, value)));
            let error = one_error(&unwarned(command.output().unwrap()), 2);
            assert!(error.contains("the system gives no random bytes"), "{args:?} {environment:?}: {error}");
        });
        assert_eq!(names(&dir), before, "{args:?}");
    }
}
