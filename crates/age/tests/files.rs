//! Files through the crate `age`: what is encrypted is decrypted, and nothing that was altered is.

use age::armor::{ArmoredReader, ArmoredWriter, Format};
use age::{DecryptError, Decryptor, EncryptError, Encryptor, x25519};
use ringsmith_age::{Identity, Kind, NATIVE, PLUGIN, POSTQUANTUM, Recipient, TextError};
use ringsmith_oracle::Random;
use std::io::{Read, Write};

fn identity(kind: Kind) -> Identity {
    Identity::generate(kind).expect("the system has randomness")
}

fn encrypted(recipients: &[&dyn age::Recipient], contents: &[u8], format: Format) -> Vec<u8> {
    let encryptor = Encryptor::with_recipients(recipients.iter().copied()).expect("recipients of one kind");
    let armored = ArmoredWriter::wrap_output(Vec::new(), format).expect("memory takes what it is given");
    let mut writer = encryptor.wrap_output(armored).expect("memory takes what it is given");
    writer.write_all(contents).expect("memory takes what it is given");
    writer.finish().and_then(ArmoredWriter::finish).expect("memory takes what it is given")
}

/// What is read until the end or the first error, and the error.
fn decrypted(identity: &dyn age::Identity, file: &[u8]) -> (Vec<u8>, Result<(), DecryptError>) {
    let mut contents = Vec::new();
    let reader = Decryptor::new_buffered(ArmoredReader::new(file))
        .and_then(|file| file.decrypt([identity].into_iter()));
    let read = reader.and_then(|mut reader| {
        let mut piece = [0; 1 << 16];
        loop {
            match reader.read(&mut piece)? {
                0 => return Ok(()),
                count => contents.extend(&piece[..count]),
            }
        }
    });
    (contents, read)
}

/// Protects: what is encrypted to several recipients, of any kinds, as binary or text, is decrypted by each,
/// whatever the length.
#[test]
fn all_lengths_and_recipients() {
    let ([alice, bob], eves) = (Kind::ALL.map(identity), Kind::ALL.map(identity));
    let recipients = [alice.to_recipient(), bob.to_recipient()];
    for length in [0, 1, 47, 48, 49, 65535, 65536, 65537, 200_000] {
        let mut contents = vec![0; length];
        Random::new(length as u64).fill(&mut contents);
        for format in [Format::Binary, Format::AsciiArmor] {
            let file = encrypted(&[&recipients[0], &recipients[1]], &contents, format);
            for reader in [&alice, &bob] {
                let (read, end) = decrypted(reader, &file);
                assert!(end.is_ok() && read == contents, "{length} bytes");
            }
            for eve in &eves {
                assert!(matches!(decrypted(eve, &file), (_, Err(DecryptError::NoMatchingKeys))));
            }
        }
    }
}

/// Protects: a file that was altered at any byte, or cut anywhere, or has a byte more, is refused, and gives
/// nothing of the part that fails; for each kind.
#[test]
fn altered_files() {
    let contents: Vec<u8> = (0..300).map(|i| i as u8).collect();
    for key in Kind::ALL.map(identity) {
        let file = encrypted(&[&key.to_recipient()], &contents, Format::Binary);
        let refused = |file: &[u8], what: &str| {
            let (read, end) = decrypted(&key, file);
            assert!(end.is_err() && read.is_empty(), "{}: {what}", key.kind());
        };
        for place in 0..file.len() {
            let mut altered = file.clone();
            altered[place] ^= 1 << (place % 8);
            refused(&altered, &format!("byte {place} altered"));
            refused(&file[..place], &format!("cut at {place}"));
        }
        refused(&[&file[..], b"x"].concat(), "a byte more");
    }
}

/// Protects: of a long file that is damaged in its last part, the parts before come, and no byte of the last.
#[test]
fn parts_before_the_damage() {
    let key = identity(Kind::default());
    let contents = vec![7; (1 << 16) + 100];
    let mut file = encrypted(&[&key.to_recipient()], &contents, Format::Binary);
    let last = file.len() - 1;
    file[last] ^= 1;
    let (read, end) = decrypted(&key, &file);
    assert!(end.is_err() && read == contents[..1 << 16]);
}

/// Protects: classical recipients do not weaken a file: in neither order, and the label is the one that age
/// knows.
#[test]
fn mixed_recipients() {
    let classical = x25519::Identity::generate().to_public();
    for ours in Kind::ALL.map(|kind| identity(kind).to_recipient()) {
        let both: [[&dyn age::Recipient; 2]; 2] = [[&ours, &classical], [&classical, &ours]];
        for recipients in both {
            let refused = Encryptor::with_recipients(recipients.into_iter()).err();
            let Some(EncryptError::IncompatibleRecipients { l_labels, r_labels }) = refused else {
                panic!("a mixed file")
            };
            assert_eq!(l_labels.union(&r_labels).collect::<Vec<_>>(), [POSTQUANTUM]);
        }
    }
}

/// Protects: the plugin's keys are the same keys, as text and as what clients hand to the plugin, and other
/// bytes are none.
#[test]
fn keys_of_the_plugin() {
    for key in Kind::ALL.map(identity) {
        let (private, public) = (key.to_plugin_text(), key.to_recipient().to_plugin_text());
        assert!(private.starts_with("AGE-PLUGIN-RINGSMITH-1") && public.starts_with("age1ringsmith1"));
        assert_eq!(Recipient::parse(&public), Ok(key.to_recipient()));
        let again = Identity::parse(&private).expect("a text");
        assert_eq!((*again.to_text()).clone(), *key.to_text());
        assert_eq!([again.kind(), again.to_recipient().kind()], [key.kind(); 2]);
    }
    for (plugin, bytes, expected) in [
        (NATIVE, &[7; 32][..], None),
        (NATIVE, &[7; 31], Some(TextError::InvalidKey)),
        (PLUGIN, &[1; 33], None),
        (PLUGIN, &[2; 33], None),
        (PLUGIN, &[2; 32], Some(TextError::InvalidKey)),
        (PLUGIN, &[2; 34], Some(TextError::InvalidKey)),
        (PLUGIN, &[0; 33], Some(TextError::InvalidKey)),
        (PLUGIN, &[3; 33], Some(TextError::InvalidKey)),
        (PLUGIN, &[], Some(TextError::InvalidKey)),
        ("yubikey", &[7; 32], Some(TextError::OtherKind)),
    ] {
        assert_eq!(Identity::from_plugin(plugin, bytes).err(), expected, "{plugin} {bytes:?}");
    }
    for (plugin, bytes) in [(NATIVE, &[0xff; 1216][..]), (PLUGIN, &[2; 1190]), (PLUGIN, &[2; 1192])] {
        assert_eq!(Recipient::from_plugin(plugin, bytes).err(), Some(TextError::InvalidKey));
    }
}

/// Protects: kinds are found by the names that they show, and by no others.
#[test]
fn names_of_kinds() {
    for kind in Kind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(kind));
    }
    for none in ["", "mlkem768", "SNTRUP761X25519", "sntrup761x25519 "] {
        let why = none.parse::<Kind>().expect_err(none);
        assert_eq!(why.to_string(), "no such kind; there are: mlkem768x25519, sntrup761x25519");
    }
}

/// Protects: texts of keys are read as they were written, in small letters or capitals, and with any
/// character changed they are not.
#[test]
fn texts() {
    let expected = [
        ("AGE-SECRET-KEY-PQ-1", 77, "age1pq1", 1959),
        ("AGE-PLUGIN-RINGSMITH-1", 81, "age1ringsmith1", 1926),
    ];
    for (kind, expected) in Kind::ALL.into_iter().zip(expected) {
        let key = identity(kind);
        let (private, public) = (key.to_text(), key.to_recipient().to_string());
        assert!(private.starts_with(expected.0) && public.starts_with(expected.2));
        assert_eq!((private.len(), public.len()), (expected.1, expected.3));
        assert_eq!(Recipient::parse(&public), Ok(key.to_recipient()));
        assert_eq!(Recipient::parse(&public.to_uppercase()), Ok(key.to_recipient()));
        let again = Identity::parse(&private.to_lowercase()).expect("a text");
        assert_eq!(again.to_recipient(), key.to_recipient());
        altered_text(&private, expected.0.len(), |text| Identity::parse(text).err());
        altered_text(&public, expected.2.len(), |text| Recipient::parse(text).err());
        assert_eq!(Recipient::parse(&private), Err(TextError::OtherKind));
    }
    for other in ["", "age1", "age1q", "1", "age1pq", "\u{e4}ge1pq1", "age1pr1qqqqqq", "age1ringsmith"] {
        assert_eq!(Recipient::parse(other), Err(TextError::OtherKind), "{other}");
    }
}

/// A text with a character changed behind its prefix, with one less, and with one more.
fn altered_text(text: &str, prefix: usize, parse: impl Fn(&str) -> Option<TextError>) {
    let upper = text.starts_with('A');
    for place in (prefix..text.len()).step_by(7) {
        let mut altered = text.to_string();
        let other = if altered[place..].to_lowercase().starts_with('q') { "p" } else { "q" };
        let other = if upper { other.to_uppercase() } else { other.to_string() };
        altered.replace_range(place..place + 1, &other);
        assert_eq!(parse(&altered), Some(TextError::Damaged), "{place}");
        assert!(parse(&text[..place]).is_some(), "cut at {place}");
    }
    assert_eq!(parse(&format!("{text}q")), Some(TextError::Damaged));
}
