//! Texts whose checksum is right, and which are not the one text of a key.

use ringsmith_age::{Identity, Kind, PLUGIN, Recipient, TextError, classical_recipient};
use ringsmith_oracle::small_points;

const ALPHABET: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
/// Characters of a checksum.
const CHECKSUM: usize = 6;

/// The remainder that the checksum is made of (BIP 173).
fn remainder(values: impl Iterator<Item = u8>) -> u32 {
    const GENERATOR: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];
    values.fold(1, |sum, value| {
        let next = ((sum & 0x01ff_ffff) << 5) ^ u32::from(value);
        let ones = (0..5).filter(|i| (sum >> (25 + i)) & 1 == 1);
        ones.fold(next, |sum, i| sum ^ GENERATOR[i])
    })
}

/// What is in front of a text's last `1`, and the values of the characters behind it but for the checksum.
fn taken_apart(text: &str) -> (String, Vec<u8>) {
    let text = text.to_lowercase();
    let (prefix, data) = text.rsplit_once('1').expect("a separator");
    let value = |byte| ALPHABET.iter().position(|letter| *letter == byte).expect("a letter") as u8;
    (prefix.into(), data.bytes().map(value).take(data.len() - CHECKSUM).collect())
}

/// The text of these values, with its checksum.
fn put_together(prefix: &str, values: &[u8]) -> String {
    let (high, low) = (prefix.bytes().map(|byte| byte >> 5), prefix.bytes().map(|byte| byte & 31));
    let all = high.chain([0]).chain(low).chain(values.iter().copied()).chain([0; CHECKSUM]);
    let sum = remainder(all) ^ 1;
    let checksum = (0..CHECKSUM).rev().map(|i| (sum >> (5 * i)) as u8 & 31);
    let letter = |value| char::from(ALPHABET[usize::from(value)]);
    let data: String = values.iter().copied().chain(checksum).map(letter).collect();
    format!("{prefix}1{data}")
}

/// A text, the bytes in it, and what reading it says.
type Case = (String, usize, fn(&str) -> Option<TextError>);

fn cases(kind: Kind, seed: u8) -> [Case; 4] {
    let byte = if kind == Kind::MlKem768X25519 { 1 } else { 2 };
    let bytes = [&[byte][..], &[seed; 32]].concat();
    let key = Identity::from_plugin(PLUGIN, &bytes).expect("a seed");
    let private: fn(&str) -> _ = |text| Identity::parse(text).err();
    let public: fn(&str) -> _ = |text| Recipient::parse(text).err();
    let (texts, recipient) = ([key.to_text(), key.to_plugin_text()], key.to_recipient());
    let length = |text: &str| taken_apart(text).1.len() * 5 / 8;
    let [own, plugin] = texts.map(|text| (text.to_lowercase(), length(&text), private));
    let [shown, shown_by_plugin] =
        [recipient.to_string(), recipient.to_plugin_text()].map(|text| (text.clone(), length(&text), public));
    [own, plugin, shown, shown_by_plugin]
}

/// Protects: the weakness of Bech32's checksum, which does not see a `q` inserted before a final `p`: such a
/// text is no key.
#[test]
fn a_letter_before_the_last() {
    for kind in Kind::ALL {
        let mut seen = [false; 4];
        for seed in 0..=u8::MAX {
            for ((text, _, parse), seen) in cases(kind, seed).into_iter().zip(&mut seen) {
                let Some(start) = text.strip_suffix('p') else { continue };
                *seen = true;
                assert_eq!(parse(&text), None, "{text}");
                assert!(parse(&format!("{start}qp")).is_some(), "{text}");
            }
            if seen == [true; 4] {
                break;
            }
        }
        assert_eq!(seen, [true; 4], "no text ended in p");
    }
}

/// Protects: a key has one text: with any bit set behind its bytes, or with letters too many, it is damaged,
/// whatever its checksum says.
#[test]
fn bits_behind_the_bytes() {
    for (text, length, parse) in Kind::ALL.into_iter().flat_map(|kind| cases(kind, 7)) {
        let (prefix, values) = taken_apart(&text);
        assert_eq!(put_together(&prefix, &values), text);
        let (last, before) = values.split_last().expect("a key");
        for bit in 0..5 * values.len() - 8 * length {
            let changed = put_together(&prefix, &[before, &[last ^ (1 << bit)]].concat());
            assert_eq!(parse(&changed), Some(TextError::Damaged), "{changed}");
        }
        let left = 5 * values.len() - 8 * length;
        let longer = put_together(&prefix, &[&values[..], &[0]].concat());
        let expected = if left + 5 < 8 { TextError::Damaged } else { TextError::InvalidKey };
        assert_eq!(parse(&longer), Some(expected), "{longer}");
    }
}

/// The text of a classical recipient with this point.
fn classical(point: &[u8; 32]) -> String {
    let bit = |at: usize| point.get(at / 8).map_or(0, |byte| byte >> (7 - at % 8) & 1);
    let values: Vec<u8> = (0..52).map(|i| (0..5).fold(0, |value, b| value << 1 | bit(5 * i + b))).collect();
    put_together("age", &values)
}

/// Protects: a classical recipient has no point of small order, for which the crate `age` panics, and none
/// that is not canonical; the others are those of that crate.
#[test]
fn classical_recipients() {
    for point in small_points() {
        let text = classical(&point);
        assert!(text.parse::<age::x25519::Recipient>().is_ok(), "{text}");
        assert_eq!(classical_recipient(&text).err(), Some(TextError::InvalidKey), "{text}");
    }
    let mut point = [0xff; 32];
    for (low, high, good) in [(0xeb, 0x7f, true), (0xef, 0x7f, false), (0xff, 0x7f, false), (9, 0x80, false)]
    {
        (point[0], point[31]) = (low, high);
        let read = classical_recipient(&classical(&point));
        assert_eq!(read.is_ok(), good, "{low:x} {high:x}");
    }
    let text = age::x25519::Identity::generate().to_public().to_string();
    assert_eq!(classical_recipient(&text).map(|read| read.to_string()), Ok(text.clone()));
    assert!(classical_recipient(&text.to_uppercase()).is_ok_and(|read| read.to_string() == text));
    for wrong in [format!("{text}q"), text.replace("age1", "age2"), text[..60].to_string(), "age1".into()] {
        assert!(classical_recipient(&wrong).is_err(), "{wrong}");
    }
}
