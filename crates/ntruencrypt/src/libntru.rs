//! Keys and ciphertexts of the library libntru, which differ from those of EESS#1 in every part. **For
//! compatibility with libntru alone**: no other library and no standard uses them.
//!
//! The sets have the names of EESS#1's, and all but a few of their numbers. What differs:
//!
//! | | EESS#1 | libntru |
//! |---|---|---|
//! | what indices are of | `H(H(seed), counter)` | `H(seed, counter)` |
//! | that counter | 4 bytes, the most significant first | 2 bytes, the least first |
//! | how | from the first bit on | from the last bit of so many blocks on |
//! | which are drawn first | those of coefficients 1 | those of coefficients -1 |
//! | what a mask is of | a counter of 4 bytes | of 2 |
//! | bits | the most significant first | the least first |
//! | a masked message | -1, 0, 1 | 0, 1, 2 |
//! | its last coefficient | of the message's bits | of the mask alone |
//! | `g` | one more 1 than -1 | as many |
//! | a public key | `01 03 OID h` | `n q h`, the numbers in 2 bytes |
//! | a private key | `02 03 OID h F` | `n q 03 F`, or `n q 07 F` of a product; no public key |
//! | a part of `F` in it | indices or trits | indices, and before them how many of each value, in 2 bytes |
//!
//! Here a private key is libntru's with its public key behind it, since what encrypts is needed to decrypt.
//!
//! For degrees `16 k + 1` libntru accepts a message whose last coefficient is not 0. Ringsmith rejects it,
//! because no encryption produces it.
//!
//! Source: libntru, 2016 (`key.c`, `idxgen.c`, `mgf.c`, `ntru.c`).

use crate::bits::{self, Order};
use crate::facts::{Facts, Weights};
use crate::key::other;
use ringsmith_kem::pke::PublicKeyEncryption;

/// Bytes before `h`: the degree and the modulus.
pub(crate) const PUBLIC_HEADER: usize = 4;
/// Bytes before `F`.
const PRIVATE_HEADER: usize = PUBLIC_HEADER + 1;
/// Bytes before the indices of a part: how many of each value.
const COUNTS: usize = 4;

/// The degree and the modulus.
const fn numbers(facts: &Facts) -> [u8; PUBLIC_HEADER] {
    let ([a, b], [c, d]) = ((facts.n as u16).to_be_bytes(), (facts.q as u16).to_be_bytes());
    [a, b, c, d]
}

/// Bytes of a part of `F`, behind its counts.
const fn listed(facts: &Facts, weight: usize) -> usize {
    (2 * weight * facts.index_bits()).div_ceil(8)
}

/// Bytes of a private key without its public one.
pub(crate) const fn secret_bytes(facts: &Facts) -> usize {
    let (parts, mut bytes, mut i) = (facts.parts(), PRIVATE_HEADER, 0);
    while i < parts.len() {
        bytes += COUNTS + listed(facts, parts[i]);
        i += 1;
    }
    bytes
}

pub(crate) fn write_public(facts: &Facts, packed: &[u8], out: &mut [u8]) {
    out[..PUBLIC_HEADER].copy_from_slice(&numbers(facts));
    out[PUBLIC_HEADER..].copy_from_slice(packed);
}

pub(crate) fn read_public<'a>(facts: &Facts, bytes: &'a [u8]) -> (&'a [u8], u16) {
    let (start, packed) = bytes.split_at(PUBLIC_HEADER);
    (packed, other(start, &numbers(facts)))
}

/// What says whether `F` is a product.
const fn flags(facts: &Facts) -> u8 {
    match facts.f {
        Weights::Of(_) => 3,
        Weights::Product(_) => 7,
    }
}

/// How many indices a part has of each value.
const fn counts(weight: usize) -> [u8; COUNTS] {
    let [a, b] = (weight as u16).to_be_bytes();
    [a, b, a, b]
}

/// Writes `F` and what is before it.
pub(crate) fn write_secret(facts: &Facts, indices: &[u16], out: &mut [u8]) {
    let (start, mut rest) = out.split_at_mut(PRIVATE_HEADER);
    start[..PUBLIC_HEADER].copy_from_slice(&numbers(facts));
    start[PUBLIC_HEADER] = flags(facts);
    let mut indices = indices;
    for weight in facts.parts() {
        let (part, others) = core::mem::take(&mut rest).split_at_mut(COUNTS + listed(facts, *weight));
        let (of_part, of_others) = indices.split_at(2 * weight);
        part[..COUNTS].copy_from_slice(&counts(*weight));
        bits::write(Order::Least, facts.index_bits(), of_part, &mut part[COUNTS..]);
        (rest, indices) = (others, of_others);
    }
}

/// Reads the indices of all parts; 0 where the rest is as it is written.
pub(crate) fn read_secret(facts: &Facts, bytes: &[u8], indices: &mut [u16]) -> u16 {
    let (start, mut rest) = bytes.split_at(PRIVATE_HEADER);
    let mut bad =
        other(&start[..PUBLIC_HEADER], &numbers(facts)) | u16::from(start[PUBLIC_HEADER] ^ flags(facts));
    let mut places = indices;
    for weight in facts.parts() {
        let (part, others) = rest.split_at(COUNTS + listed(facts, *weight));
        let (place, of_others) = core::mem::take(&mut places).split_at_mut(2 * weight);
        bad |= other(&part[..COUNTS], &counts(*weight));
        bad |= bits::read(Order::Least, facts.index_bits(), &part[COUNTS..], place);
        (rest, places) = (others, of_others);
    }
    bad
}

/// Every set of libntru, for tools that serve all.
pub static SCHEMES: [&PublicKeyEncryption; 18] = [
    &ees401ep1::SCHEME,
    &ees449ep1::SCHEME,
    &ees677ep1::SCHEME,
    &ees1087ep2::SCHEME,
    &ees541ep1::SCHEME,
    &ees613ep1::SCHEME,
    &ees887ep1::SCHEME,
    &ees1171ep1::SCHEME,
    &ees659ep1::SCHEME,
    &ees761ep1::SCHEME,
    &ees1087ep1::SCHEME,
    &ees1499ep1::SCHEME,
    &ees401ep2::SCHEME,
    &ees439ep1::SCHEME,
    &ees593ep1::SCHEME,
    &ees743ep1::SCHEME,
    &ees443ep1::SCHEME,
    &ees587ep1::SCHEME,
];

crate::sets::sets! {
    "libntru-" "libntru" TwoTo11 Research Libntru true:
    ees401ep1 Ees401ep1, Ees401 401, Of(113), 133, 113, 14, 60, 11, Sha1, [0, 2, 4], 14 blocks 32;
    ees449ep1 Ees449ep1, Ees449 449, Of(134), 149, 134, 16, 67, 9, Sha1, [0, 3, 3], 16 blocks 31;
    ees677ep1 Ees677ep1, NtruHps677 677, Of(157), 225, 157, 24, 101, 11, Sha256, [0, 5, 3], 24 blocks 27;
    ees1087ep2 Ees1087ep2, Ees1087 1087, Of(120), 362, 120, 32, 170, 13, Sha256, [0, 6, 3], 32 blocks 25;
    ees541ep1 Ees541ep1, Ees541 541, Of(49), 180, 49, 14, 86, 12, Sha1, [0, 2, 5], 14 blocks 15;
    ees613ep1 Ees613ep1, Ees613 613, Of(55), 204, 55, 16, 97, 11, Sha1, [0, 3, 4], 16 blocks 16;
    ees887ep1 Ees887ep1, Ees887 887, Of(81), 295, 81, 24, 141, 10, Sha256, [0, 5, 4], 24 blocks 13;
    ees1171ep1 Ees1171ep1, Ees1171 1171, Of(106), 390, 106, 32, 186, 12, Sha256, [0, 6, 4], 32 blocks 20;
    ees659ep1 Ees659ep1, Ees659 659, Of(38), 219, 38, 14, 108, 11, Sha1, [0, 2, 6], 14 blocks 11;
    ees761ep1 Ees761ep1, Ees761 761, Of(42), 253, 42, 16, 125, 12, Sha1, [0, 3, 5], 16 blocks 13;
    ees1087ep1 Ees1087ep1, Ees1087 1087, Of(63), 362, 63, 24, 178, 13, Sha256, [0, 5, 5], 24 blocks 13;
    ees1499ep1 Ees1499ep1, Ees1499 1499, Of(79), 499, 79, 32, 247, 13, Sha256, [0, 6, 5], 32 blocks 17;
    ees401ep2 Ees401ep2, Ees401 401, Product([8, 8, 6]), 133, 101, 14, 60, 11, Sha1, [0, 2, 16], 14 blocks 10;
    ees439ep1 Ees439ep1, Ees439 439, Product([9, 8, 5]), 146, 112, 16, 65, 9, Sha1, [0, 3, 16], 16 blocks 15;
    ees593ep1 Ees593ep1, Ees593 593, Product([10, 10, 8]), 197, 158,
        24, 86, 11, Sha256, [0, 5, 16], 24 blocks 12;
    ees743ep1 Ees743ep1, Ees743 743, Product([11, 11, 15]), 247, 204,
        32, 106, 13, Sha256, [0, 6, 16], 32 blocks 12;
    ees443ep1 Ees443ep1, Ees443 443, Product([9, 8, 5]), 148, 115, 16, 65, 9, Sha256, [0, 3, 17], 16 blocks 8;
    ees587ep1 Ees587ep1, Ees587 587, Product([10, 10, 8]), 196, 157,
        24, 84, 11, Sha256, [0, 5, 17], 24 blocks 13;
}
