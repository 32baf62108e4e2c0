//! Key exchanges through the command: files and pipes, and what must not happen.

mod support;

use std::fs;
use std::path::Path;
use std::process::Output;
use support::{directory, names, one_error, piped, ringsmith};

const FORMS: [&str; 2] = ["NewHope-ADPS", "NewHope-Longa-Naehrig"];

/// Runs `ringsmith exchange`.
fn exchange(dir: &Path, args: &[&str]) -> Output {
    ringsmith(dir, &[&["exchange"], args].concat()).output().unwrap()
}

/// Runs it, and expects success without a word.
fn done(dir: &Path, args: &[&str]) -> Vec<u8> {
    let output = exchange(dir, args);
    assert!(output.status.success() && output.stderr.is_empty(), "{args:?}: {output:?}");
    output.stdout
}

/// Protects: both sides have the same key, for each form and whatever routes they take; the secret is gone
/// then.
#[test]
fn both_sides_agree() {
    for form in FORMS {
        for route in ["ntt", "k-red", "k-red-paper"] {
            let dir = directory(&format!("exchange-both_sides_agree-{form}-{route}"));
            done(&dir, &["offer", "--form", form, "--route", route, "-s", "alice.secret", "-o", "offer"]);
            done(&dir, &["respond", "--form", form, "-k", "bob", "-o", "response", "offer"]);
            assert_eq!(names(&dir), ["alice.secret", "bob", "offer", "response"]);
            let args =
                ["finish", "--form", form, "--route", route, "-s", "alice.secret", "-o", "alice", "response"];
            done(&dir, &args);
            assert_eq!(names(&dir), ["alice", "bob", "offer", "response"]);
            let [alice, bob] = ["alice", "bob"].map(|name| fs::read(dir.join(name)).unwrap());
            assert_eq!((alice.len(), &alice), (32, &bob), "{form} {route}");
            let message = one_error(&exchange(&dir, &args), 2);
            assert!(message.contains("cannot read alice.secret: no such file"), "{message}");
        }
    }
}

/// Protects: the messages go through pipes.
#[test]
fn pipes() {
    let dir = directory("exchange-pipes");
    let offer = done(&dir, &["offer", "-s", "alice.secret"]);
    let response = piped(&dir, &["exchange", "respond", "-k", "bob"], &offer).stdout;
    assert_eq!((offer.len(), response.len()), (1824, 2048));
    let alice = piped(&dir, &["exchange", "finish", "-s", "alice.secret"], &response).stdout;
    assert_eq!(alice, fs::read(dir.join("bob")).unwrap());
}

/// Protects: bad input is one clear line and exit code 2, the secret stays, and nothing is written.
#[test]
fn bad_input() {
    let dir = directory("exchange-bad_input");
    done(&dir, &["offer", "-s", "alice.secret", "-o", "offer"]);
    let before = names(&dir);
    fs::write(dir.join("short"), [0; 100]).unwrap();
    let cases: [(&[&str], &str); 11] = [
        (&["respond", "-k", "bob", "short"], "short: an offer of 100 bytes, where the scheme has 1824"),
        (&["respond", "-k", "bob", "none"], "cannot read none: no such file or directory"),
        (&["respond", "-k", "-", "offer"], "cannot both go to standard output"),
        (&["respond", "-k", "short", "-o", "response", "offer"], "short exists already"),
        (&["finish", "-s", "alice.secret", "short"], "a response of 100 bytes, where the scheme has 2048"),
        (&["finish", "-s", "short", "offer"], "a secret of 100 bytes, where the scheme has 1792"),
        (&["finish", "-s", "-", "offer"], "the secret is a file, which is removed"),
        (&["offer", "-s", "-"], "the secret does not go to standard output"),
        (&["offer", "-s", "alice.secret", "-o", "again"], "alice.secret exists already"),
        (&["offer", "--form", "newhope", "-s", "new"], "did you mean NewHope-ADPS or NewHope-Longa-Naehrig?"),
        (
            &["offer", "--route", "rows", "-s", "new", "-o", "again"],
            "route rows does not serve the exchange; it has: ntt, k-red, k-red-paper",
        ),
    ];
    for (args, expected) in cases {
        let output = exchange(&dir, args);
        let message = one_error(&output, 2);
        assert!(message.contains(expected), "{args:?}: {message}");
        assert!(output.stdout.is_empty());
    }
    fs::remove_file(dir.join("short")).unwrap();
    assert_eq!(names(&dir), before);
}

/// Protects: secrets are readable by their owner alone; where a result does not fit, nothing appears and the
/// secret stays.
#[test]
#[cfg(target_os = "linux")]
fn files() {
    use std::os::unix::fs::PermissionsExt;
    let dir = directory("exchange-files");
    done(&dir, &["offer", "-s", "alice.secret", "-o", "offer"]);
    done(&dir, &["respond", "-k", "bob", "-o", "response", "offer"]);
    for name in ["alice.secret", "bob"] {
        let mode = fs::metadata(dir.join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    let before = names(&dir);
    support::refuses_a_full_disk(&dir, &["exchange", "offer", "-s", "new"]);
    support::refuses_a_full_disk(&dir, &["exchange", "respond", "-k", "new", "offer"]);
    support::refuses_a_full_disk(&dir, &["exchange", "finish", "-s", "alice.secret", "response"]);
    assert_eq!(names(&dir), before);
}
