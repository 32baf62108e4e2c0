//! NTRUEncrypt against the files of both libraries' keys and messages, of strongSwan's generators, and of a
//! model of the scheme over a field; they are not in this repository.
//!
//! `RINGSMITH_VECTORS` names a folder with the folders `ntruencrypt`, `ntruencrypt_libntru` and
//! `ntruprime_x998`, whose files are named after their sets, compressed or not. That keys and ciphertexts are
//! those of the first, and that none has changed, is checked without them, too
//! (`crates/ntruencrypt/tests/known_answers.rs`).

mod published;

use published::{Count, every};
use ringsmith::ntruencrypt::{SCHEMES, libntru, ntruprime739};
use ringsmith::scheme::PublicKeyEncryption;
use ringsmith_testkit::vectors::Kind;

/// A file of each set, with so many keys, encryptions and decryptions.
fn of_each<'a>(
    sets: impl IntoIterator<Item = &'a PublicKeyEncryption>,
    [keys, messages]: [usize; 2],
    file: impl Fn(&str) -> String,
) -> Vec<(String, Vec<Count<'a>>)> {
    let of = |set: &'a PublicKeyEncryption| {
        let kinds = [
            (set.name, Kind::KeyGeneration, keys),
            (set.name, Kind::Encryption, messages),
            (set.name, Kind::Decryption, messages),
        ];
        (file(set.name), kinds.to_vec())
    };
    sets.into_iter().map(of).collect()
}

/// Protects: every key and every message of NTRU's own library.
#[test]
fn the_standards_library() {
    every(
        "ntruencrypt",
        |file| file.starts_with("oss_"),
        &of_each(SCHEMES, [6, 36], |set| format!("oss_{set}.json")),
    );
}

/// Protects: the mask and the indices of strongSwan, of two sets.
#[test]
fn strong_swans_generators() {
    let cases =
        vec![("ees439ep1", Kind::Mask, 1), ("ees439ep1", Kind::Indices, 1), ("ees613ep1", Kind::Indices, 1)];
    every(
        "ntruencrypt",
        |file| file.starts_with("strongswan_"),
        &[("strongswan_mgf_igf_sha1.json".to_string(), cases)],
    );
}

/// Protects: every key and every message of libntru, of whose keys no random bytes are known.
#[test]
fn libntrus() {
    let file = |set: &str| format!("{}.json", set.replacen('-', "_", 1));
    every(
        "ntruencrypt_libntru",
        |file| file.starts_with("libntru_"),
        &of_each(libntru::SCHEMES, [0, 8], file),
    );
}

/// Protects: every key and every message of the model, which was written from the paper, and not from this
/// library.
#[test]
fn the_model_over_a_field() {
    let model = ntruprime739::SCHEMES.into_iter().take(1);
    every(
        "ntruprime_x998",
        |file| file.starts_with("ntruprime739_"),
        &of_each(model, [4, 20], |set| format!("{}.json", set.replacen('-', "_", 1))),
    );
}
