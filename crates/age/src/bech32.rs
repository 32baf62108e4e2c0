//! Bech32 (BIP 173) of any length, in constant time: it is private keys that are read and written.
//!
//! A text is a prefix, `1`, and letters of five bits each, the last six of which are a checksum: the
//! remainder of a polynomial over the field of 32 elements. What is compared and chosen here is so by masks
//! of bits, and no table is looked up at a place that a letter says. Lengths, the prefix, and whether a text
//! is one are public.

use ringsmith_kem::declassify::publish;
use zeroize::Zeroizing;

/// The letters by their values.
const ALPHABET: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
/// Letters of a checksum.
const CHECKSUM: usize = 6;
/// What the checksum's polynomial leaves of its upper five bits.
const GENERATOR: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];

/// What is wrong with a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wrong {
    /// There is another `1` behind the prefix: it is another one's.
    Prefix,
    /// It is not the one text of any bytes.
    Text,
}

/// All ones where both are the same.
fn same(a: u8, b: u8) -> u8 {
    (u16::from(a ^ b).wrapping_sub(1) >> 8) as u8
}

/// All ones where `byte` is one of the 26 letters from `first` on.
fn is_letter(byte: u8, first: u8) -> u8 {
    0u8.wrapping_sub((u16::from(byte.wrapping_sub(first)).wrapping_sub(26) >> 15) as u8)
}

/// The value of a small letter or a digit, and all ones where it has one.
fn value(letter: u8) -> (u8, u8) {
    ALPHABET.iter().zip(0..).fold((0, 0), |(value, found), (one, index)| {
        let is = same(*one, letter);
        (value | is & index, found | is)
    })
}

/// The letter of a value, capital or small.
fn letter(value: u8, upper: bool) -> u8 {
    let small = ALPHABET.iter().zip(0..).fold(0, |letter, (one, index)| letter | one & same(index, value));
    // The compiler is told that it is ASCII, and asks no byte for it.
    (small ^ (is_letter(small, b'a') & if upper { 0x20 } else { 0 })) & 0x7f
}

/// A checksum as it goes along the values.
struct Sum(u32);

impl Sum {
    /// After the prefix, in small letters.
    fn of(prefix: &str) -> Self {
        let mut sum = Sum(1);
        prefix.bytes().for_each(|byte| sum.add(byte >> 5));
        sum.add(0);
        prefix.bytes().for_each(|byte| sum.add(byte & 31));
        sum
    }

    fn add(&mut self, value: u8) {
        let top = self.0 >> 25;
        self.0 = (self.0 & 0x01ff_ffff) << 5 ^ u32::from(value);
        for (i, part) in GENERATOR.iter().enumerate() {
            self.0 ^= part & 0u32.wrapping_sub(top >> i & 1);
        }
    }

    /// The values of the checksum's letters.
    fn finish(mut self) -> [u8; CHECKSUM] {
        (0..CHECKSUM).for_each(|_| self.add(0));
        let sum = self.0 ^ 1;
        std::array::from_fn(|i| (sum >> (5 * (CHECKSUM - 1 - i)) & 31) as u8)
    }
}

/// Bytes as a text.
pub(crate) fn encode(prefix: &str, upper: bool, bytes: &[u8]) -> Zeroizing<String> {
    let letters = (8 * bytes.len()).div_ceil(5) + CHECKSUM;
    // The memory is all there, so that no copy of a secret is left behind by a string that grew.
    let mut text = Zeroizing::new(String::with_capacity(prefix.len() + 1 + letters));
    let shown = |byte: u8| char::from(if upper { byte.to_ascii_uppercase() } else { byte });
    prefix.bytes().chain([b'1']).for_each(|byte| text.push(shown(byte)));
    let (mut sum, mut left, mut count) = (Sum::of(prefix), 0u32, 0);
    let mut push = |value: u8| {
        sum.add(value);
        text.push(char::from(letter(value, upper)));
    };
    for byte in bytes {
        (left, count) = (left << 8 | u32::from(*byte), count + 8);
        while count >= 5 {
            count -= 5;
            push((left >> count & 31) as u8);
        }
    }
    if count > 0 {
        push((left << (5 - count) & 31) as u8);
    }
    sum.finish().into_iter().for_each(|value| text.push(char::from(letter(value, upper))));
    text
}

/// The bytes of a text with this prefix, which stands before its first `1`. One key has one text: at most
/// four bits are left over, and they are zeros. Without that a `q` before a final `p`, which the checksum
/// does not see, would be read over.
pub(crate) fn decode(prefix: &str, text: &str) -> Result<Zeroizing<Vec<u8>>, Wrong> {
    let (start, data) = text.as_bytes().split_at_checked(prefix.len() + 1).ok_or(Wrong::Text)?;
    let letters = data.len().checked_sub(CHECKSUM).ok_or(Wrong::Text)?;
    // The memory is all there, so that no copy of a secret is left behind by a vector that grew.
    let mut bytes = Zeroizing::new(Vec::with_capacity(5 * letters / 8));
    let (mut sum, mut left, mut count) = (Sum::of(prefix), 0u32, 0);
    let (mut upper, mut lower, mut others, mut ones) = (0, 0, 0, 0);
    for byte in start {
        (upper, lower) = (upper | is_letter(*byte, b'A'), lower | is_letter(*byte, b'a'));
    }
    for (i, byte) in data.iter().enumerate() {
        let capital = is_letter(*byte, b'A');
        (upper, lower) = (upper | capital, lower | is_letter(*byte, b'a'));
        let (value, found) = value(byte | capital & 0x20);
        (others, ones) = (others | !found, ones | same(*byte, b'1'));
        sum.add(value);
        if i < letters {
            (left, count) = (left << 5 | u32::from(value), count + 5);
            if count >= 8 {
                count -= 8;
                bytes.push((left >> count) as u8);
            }
        }
    }
    let padding = (left & ((1 << count) - 1)) as u8 | if count > 4 { 0xff } else { 0 };
    let sum = (sum.0 ^ 1).to_le_bytes();
    let mut wrong = [sum.into_iter().fold(upper & lower | others | padding, |all, byte| all | byte), ones];
    // Whether the text is one is said to whoever gave it.
    publish(&mut wrong);
    match wrong {
        [0, 0] => Ok(bytes),
        [_, 0] => Err(Wrong::Text),
        _ => Err(Wrong::Prefix),
    }
}
