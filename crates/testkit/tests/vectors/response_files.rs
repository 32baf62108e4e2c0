//! Response files of NIST's generator, and those with given seeds.

use crate::support::{
    ALL_THREE, SET, all_counts, check, counts, cpu, error, first_failure, flipped, given_file, run,
};
use ringsmith::ml_kem::ml_kem_512;
use ringsmith::scheme;
use ringsmith_testkit::nist::Draws;
use ringsmith_testkit::response_file;
use ringsmith_testkit::vectors::Kind;

/// Protects: both kinds of response file of every scheme pass, in either case of the digits and with either
/// line ending.
#[test]
fn response_files() {
    for &scheme in scheme::ALL {
        let file = response_file(cpu(), scheme, 4, Draws::AtOnce).expect("a scheme takes its own keys");
        for text in [file.clone(), file.to_lowercase(), file.replace('\n', "\r\n")] {
            let tally = check(text).expect("a response file");
            assert_eq!(all_counts(&tally), ALL_THREE.map(|kind| (kind, [4, 0, 0])), "{}", scheme.name);
            assert!(tally.rows.iter().all(|row| row.set == scheme.name));
        }
    }
    assert_eq!(all_counts(&check(given_file()).expect("a file")), ALL_THREE.map(|kind| (kind, [3, 0, 0])));
}

/// Protects: one wrong digit anywhere in a response file fails what depends on it, and nothing else.
#[test]
fn a_wrong_digit_in_a_response_file() {
    use Kind::{Decapsulation, Encapsulation, KeyGeneration};
    let seeds =
        response_file(cpu(), &ml_kem_512::SCHEME, 3, Draws::AtOnce).expect("a scheme takes its own keys");
    for text in [seeds, given_file()] {
        // The last bytes: of `pk` the seed of the matrix, of `sk` what a rejected ciphertext's key is made
        // of.
        let fields: [(&str, &[Kind]); 4] = [
            ("pk = ", &[KeyGeneration, Encapsulation]),
            ("sk = ", &[KeyGeneration]),
            ("ct = ", &[Encapsulation, Decapsulation]),
            ("ss = ", &[Encapsulation, Decapsulation]),
        ];
        for (field, fails) in fields {
            let tally = check(flipped(&text, field, 1)).expect("a response file");
            for kind in ALL_THREE {
                let failed = usize::from(fails.contains(&kind));
                assert_eq!(counts(&tally, kind), [3 - failed, failed, 0], "{field}{kind}");
            }
            assert!(first_failure(&tally, fails[0]).starts_with("count = 1: the "), "{field}");
        }
        let start = if text.contains("seed") { "seed = " } else { "random = " };
        let tally = check(flipped(&text, start, 2)).expect("a response file");
        assert_eq!(counts(&tally, Encapsulation), [2, 1, 0], "{start}");
    }
}

/// Protects: a failure says what differs and where, and shows no key.
#[test]
fn what_a_failure_says() {
    let tally = check(flipped(&given_file(), "ct = ", 2)).expect("a file");
    assert_eq!(
        first_failure(&tally, Kind::Encapsulation),
        "count = 2: the ciphertext differs from the computed one, first in byte 767"
    );
    let text = given_file();
    let cut = &text[..text.trim_end().len() - 2];
    let tally = check(cut).expect("a file");
    assert_eq!(
        first_failure(&tally, Kind::Decapsulation),
        "count = 2: the shared key has 31 bytes, and 32 computed"
    );
}

/// Protects: a malformed response file is refused with the line.
#[test]
fn malformed_response_files() {
    let text = given_file();
    let replaced = |from: &str, to: &str| error(text.replacen(from, to, 1));
    let cut = &text[..text.trim_end().len() - 1];
    assert_eq!(error(cut), "line 22: `ss`: an odd number of hexadecimal digits: 63");
    assert_eq!(replaced("pk = ", "pk = x"), "line 5: `pk`: character 1 is no hexadecimal digit");
    assert_eq!(replaced("pk = ", "key = "), "line 5: `key` is no field of a response file");
    assert_eq!(replaced("pk = ", "pk "), "line 5: is not of the form `name = value`");
    assert_eq!(
        replaced("random = ", "random = 00"),
        "line 4: `random` has 97 bytes, where the format has 96"
    );
    assert_eq!(replaced("random = ", "seed = "), "line 4: `seed` has 96 bytes, where the format has 48");
    assert_eq!(replaced("count = 0\n", "count = 0\npk = 00\n"), "line 6: a second `pk`");
    assert_eq!(replaced("count = 0\n", "count = 0\nseed = 00\n"), "line 5: `random` beside `seed`");
    assert_eq!(
        replaced("random = ", "# "),
        "line 3: the record that starts here has no `seed` and no `random`"
    );
    assert_eq!(replaced("count = 0", "count ="), "line 3: `count` has no value");
    let (cut, _) = text.rsplit_once("ct = ").expect("a ciphertext");
    assert_eq!(error(cut), "line 17: the record that starts here has no `ct`");
}

/// Protects: the scheme of a response file is the one that it names, or the one with these sizes, and no
/// other is checked.
#[test]
fn the_scheme_of_a_response_file() {
    let unnamed = given_file().replace("# MLKem512", "# of no scheme");
    assert!(check(&unnamed).expect("a file").rows.iter().all(|row| row.set == SET));
    assert_eq!(run("ml-kem-512").check(unnamed.as_bytes()).map(|tally| tally.failed()).ok(), Some(0));
    for text in [unnamed.clone(), given_file()] {
        let error = run("ML-KEM-768").check(text.as_bytes()).err().expect("another set").to_string();
        assert_eq!(error, "has nothing to check for ML-KEM-768 (other set)");
    }
    let short = unnamed.replacen("ss = ", "ss = 00", 1);
    assert_eq!(error(short), "no scheme has pk, sk, ct, ss of [800, 1632, 768, 33] bytes");
}
