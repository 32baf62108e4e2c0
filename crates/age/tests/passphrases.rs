//! Files that a passphrase opens: made, opened, and refused.

use ringsmith_age::{
    AnyIdentity, ClosedFile, LAST_WORK_FACTOR, MAX_WORK_FACTOR, MakeError, OpenError, Passphrase, encryptor,
    open, passphrase_encryptor,
};
use std::collections::BTreeSet;
use std::io::{Read, Write};

/// A work factor that takes no time.
const LITTLE: u8 = 4;

fn passphrase(text: &str) -> Passphrase {
    Passphrase::new(text).unwrap()
}

/// A letter that is encrypted with a passphrase.
fn sealed(text: &str, work_factor: u8) -> Vec<u8> {
    let encryptor = passphrase_encryptor(&passphrase(text), work_factor).unwrap();
    let mut file = Vec::new();
    let mut writer = encryptor.wrap_output(&mut file).unwrap();
    writer.write_all(b"a letter").unwrap();
    writer.finish().unwrap();
    file
}

/// What was encrypted.
fn opened(file: &[u8], text: &str, most: u8) -> Result<Vec<u8>, OpenError> {
    let mut contents = Vec::new();
    let mut reader = ClosedFile::read(file)?.open_with(&passphrase(text), most)?;
    reader.read_to_end(&mut contents)?;
    Ok(contents)
}

/// A file of no contents with these stanzas.
fn with(stanzas: &str) -> Vec<u8> {
    let header = format!("age-encryption.org/v1\n{stanzas}--- {}\n", "A".repeat(43));
    [header.as_bytes(), &[0; 16]].concat()
}

/// A passphrase's stanza with this work factor.
fn stanza(work_factor: &str) -> String {
    let (salt, body) = ("A".repeat(22), "A".repeat(43));
    format!("-> scrypt {salt} {work_factor}\n{body}\n")
}

/// Protects: what is encrypted with a passphrase is opened with it, byte by byte as it stands, and with
/// nothing else.
#[test]
fn round_trip() {
    let words = "Zürich, 12 °C  ";
    let file = sealed(words, LITTLE);
    assert_eq!(opened(&file, words, MAX_WORK_FACTOR).unwrap(), b"a letter");
    assert_eq!(opened(&file, words, LITTLE).unwrap(), b"a letter");
    for other in ["Zürich, 12 °C", "zürich, 12 °C  ", "Zu\u{308}rich, 12 °C  "] {
        assert!(matches!(opened(&file, other, MAX_WORK_FACTOR), Err(OpenError::OtherPassphrase)), "{other}");
    }
    assert_ne!(file, sealed(words, LITTLE));
}

/// Protects: a file that another implementation made (scrypt of OpenSSL, the rest of PyCA's) is opened.
#[test]
fn of_another() {
    const FILE: &str = "-----BEGIN AGE ENCRYPTED FILE-----
YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCB4V29ORjk5NDVZMjcxdFRG
dnhtQ2h3IDEwCjRWeUxPOTZ6L1VsTUU1aEUwa1U0TlJCcTdDUHZtZjJaUTdLSzdM
eXlhbGsKLS0tIFJmUm1RWkpPc29LVDZ4QzI5dnM2RVdKQnFNeDFnb21GU0JuMEtv
Um1KZE0KpkJVeXgqSuF0TF7yJ5w2sQ2TOehhK57//w9x8ee0Q1gBoJHykVs7A74=
-----END AGE ENCRYPTED FILE-----
";
    assert_eq!(opened(FILE.as_bytes(), "Zürich, 12 °C", 10).unwrap(), b"a letter\n");
}

/// Protects: a key does not open a file with a passphrase, nor a passphrase one with a key, and that is said.
#[test]
fn the_other_kind() {
    let alice = AnyIdentity::generate_classical().unwrap();
    let why = open(&sealed("words", LITTLE)[..], &[alice]).err().unwrap();
    assert!(matches!(why, OpenError::Passphrase), "{why}");
    let alice = AnyIdentity::generate_classical().unwrap();
    let (mut file, encryptor) = (Vec::new(), encryptor(&[alice.to_recipient()]).unwrap());
    encryptor.wrap_output(&mut file).unwrap().finish().unwrap();
    assert!(matches!(opened(&file, "words", MAX_WORK_FACTOR), Err(OpenError::NoPassphrase)));
}

/// Protects: a work factor beyond the limit is refused before anything is computed or any memory is taken,
/// whatever the number; up to the limit it is accepted.
#[test]
fn work() {
    for (text, factor) in [
        ("22", 22),
        ("63", 63),
        ("64", 64),
        ("100", 100),
        ("255", 255),
        ("256", 256),
        ("18446744073709551615", u64::MAX),
        ("99999999999999999999999", u64::MAX),
    ] {
        let why = opened(&with(&stanza(text)), "words", MAX_WORK_FACTOR).err().unwrap();
        assert!(
            matches!(why, OpenError::WorkFactor { factor: it, most: MAX_WORK_FACTOR } if it == factor),
            "{text}: {why}"
        );
    }
    let why = opened(&with(&stanza("5")), "words", 4).err().unwrap();
    let says = "asks for 32 KiB of memory by its passphrase's work factor, which may be 4 at most";
    assert_eq!(why.to_string(), says);
    assert!(matches!(opened(&with(&stanza("5")), "words", 5), Err(OpenError::OtherPassphrase)));
}

/// Protects: a work factor that the reader accepts and the system has no memory for is an error, and no end
/// of the process.
#[test]
fn memory() {
    let why = opened(&with(&stanza("63")), "words", 63).err().unwrap();
    assert!(matches!(why, OpenError::Memory(_)), "{why}");
    for factor in [0, LAST_WORK_FACTOR + 1, 64, 255] {
        let why = passphrase_encryptor(&passphrase("words"), factor).err().unwrap();
        assert!(matches!(why, MakeError::WorkFactor(it) if it == factor), "{why}");
    }
}

/// Protects: stanzas of a passphrase that are not of the one form are refused as the format says.
#[test]
fn malformed() {
    let salt = "A".repeat(22);
    let body = "A".repeat(43);
    let numbers = ["018", "0", "00", "+18", "-1", "1e1", "0x12", "18.0", "١٨", "18 ", " 18", "", "18\r"];
    let others = [
        format!("-> scrypt {salt}\n{body}\n"),
        format!("-> scrypt {salt} 1 1\n{body}\n"),
        format!("-> scrypt {} 1\n{body}\n", &salt[1..]),
        format!("-> scrypt {salt}A 1\n{body}\n"),
        format!("-> scrypt {}B 1\n{body}\n", &salt[1..]),
        format!("-> scrypt {salt}== 1\n{body}\n"),
        format!("-> scrypt 1 {salt}\n{body}\n"),
        format!("-> scrypt {salt} 1\n{}\n", &body[4..]),
        format!("-> scrypt {salt} 1\n\n"),
        format!("-> scrypt {salt} 1\n{body}AAAA\n"),
        "-> scrypt\n\n".into(),
    ];
    for stanza in numbers.into_iter().map(stanza).chain(others) {
        let why = opened(&with(&stanza), "words", MAX_WORK_FACTOR).err().unwrap();
        assert!(matches!(why, OpenError::NoFile), "{stanza:?}: {why}");
    }
}

/// Protects: a passphrase beside another recipient, before or behind it, or two, are refused: who knows one
/// could pass the file off as made by who knows the other.
#[test]
fn beside() {
    let (one, key) = (stanza("1"), "-> X25519 AAAA\n\n");
    for stanzas in [one.repeat(2), format!("{one}{key}"), format!("{key}{one}"), format!("{key}{one}{key}")] {
        let why = opened(&with(&stanzas), "words", MAX_WORK_FACTOR).err().unwrap();
        assert!(matches!(why, OpenError::PassphraseBeside), "{stanzas:?}: {why}");
        let alice = AnyIdentity::generate_classical().unwrap();
        let why = open(&with(&stanzas)[..], &[alice]).err().unwrap();
        assert!(matches!(why, OpenError::PassphraseBeside), "{stanzas:?}: {why}");
    }
}

/// Protects: every cut and every changed byte of a file is an error.
#[test]
fn damaged() {
    let file = sealed("words", LITTLE);
    for end in 0..file.len() {
        assert!(opened(&file[..end], "words", MAX_WORK_FACTOR).is_err(), "{end}");
    }
    for at in 0..file.len() {
        let mut other = file.clone();
        other[at] ^= 1;
        assert!(opened(&other, "words", 8).is_err(), "{at}");
    }
}

/// Protects: what a header tells is told: types in their order, with their numbers, and no more types than
/// there is memory for.
#[test]
fn recipients() {
    let file = with("-> X25519 AAAA\n\n-> a b\n\n-> X25519 AAAA\n\n-> x-grease 1\n\n");
    let closed = ClosedFile::read(&file[..]).unwrap();
    let types: Vec<_> = closed.recipients().types().collect();
    assert_eq!((types, closed.recipients().others()), (vec![("X25519", 2), ("a", 1)], 0));
    let many: String = (0..100).map(|i| format!("-> type{i}\n\n")).collect();
    let file = with(&many);
    let closed = ClosedFile::read(&file[..]).unwrap();
    assert_eq!((closed.recipients().types().count(), closed.recipients().others()), (16, 84));
    let file = with(&stanza("18"));
    let closed = ClosedFile::read(&file[..]).unwrap();
    assert_eq!(closed.recipients().work_factor(), Some(18));
    assert_eq!(closed.recipients().work().as_deref(), Some("256 MiB of memory"));
}

/// Protects: the length of what was encrypted follows from that of the file, around the ends of chunks, and
/// the key that opens a file is found among others.
#[test]
fn lengths() {
    let [alice, bob] = [(); 2].map(|()| AnyIdentity::generate_classical().unwrap());
    let to = [bob.to_recipient()];
    let keys = [alice, bob];
    for length in [0usize, 1, 65535, 65536, 65537, 131072, 200_000] {
        let mut file = Vec::new();
        let mut writer = encryptor(&to).unwrap().wrap_output(&mut file).unwrap();
        writer.write_all(&vec![7; length]).unwrap();
        writer.finish().unwrap();
        let closed = ClosedFile::read(&file[..]).unwrap();
        assert_eq!(closed.opened_by(&keys).unwrap(), Some(1));
        assert_eq!(closed.opened_by(&keys[..1]).unwrap(), None);
        assert_eq!(closed.contents_bytes().unwrap(), length as u64);
        let cut = ClosedFile::read(&file[..file.len() - length.min(65536) - 16]).unwrap();
        if length <= 65536 {
            assert!(matches!(cut.contents_bytes(), Err(OpenError::CutOff)), "{length}");
        }
    }
}

/// Protects: new passphrases are of letters that can be spoken, all of which occur, and no two are alike.
#[test]
fn new_ones() {
    let (mut all, mut letters) = (BTreeSet::new(), BTreeSet::new());
    for _ in 0..200 {
        let new = Passphrase::generate().unwrap();
        let words: Vec<&str> = new.text().split('-').collect();
        assert_eq!(words.len(), 7);
        for word in words {
            assert_eq!(word.len(), 5);
            let kinds = word.chars().zip(["c", "v", "c", "v", "c"]);
            letters.extend(kinds.map(|(letter, kind)| format!("{kind}{letter}")));
        }
        assert!(all.insert(new.text().to_string()));
    }
    let expected: BTreeSet<_> = "bdfghjklmnprstvz"
        .chars()
        .map(|c| format!("c{c}"))
        .chain("aiou".chars().map(|v| format!("v{v}")))
        .collect();
    assert_eq!(letters, expected);
    assert!(Passphrase::new("").is_none());
}
