//! Keys as bytes.
//!
//! # The forms of EESS#1
//! * A public key is `01 03 OID h`, `h` [packed](crate::codec).
//! * A private key is `02 03 OID h F`. `F` is a list of indices, of `ceil(log2 n)` bits each, where it is a
//!   product or where that is no longer, and else trits. Indices are first those where a polynomial is 1,
//!   then those where it is -1, in the order in which they were drawn; one polynomial after the other.
//! * In place of `02` there may be `fe` before trits, and `ff` before indices ([`import`]).
//!
//! A set without identifiers has keys `h` and `h F`.
//!
//! Bits behind the last number are 0. A key must be as it is written; in which order indices stand is not
//! asked.
//!
//! Source: EESS#1 v3.1, section 8.4; NTRU's own library.

use crate::bits::{self, Order};
use crate::candidates::{LIMIT, Words};
use crate::choose::Chooser;
use crate::compact::compact;
use crate::facts::{DIGITS, Facts, Flavour, HEADER, MOST_COEFFICIENTS};
use crate::hash::equal;
use crate::libntru;
use crate::trits::{from_digits, to_digits};
use ringsmith_kem::declassify::publish;
use ringsmith_kem::pke::InvalidKey;
use ringsmith_simd::{Cpu, Row};
use zeroize::Zeroizing;

/// What public and private keys begin with, and private keys in another form.
const PUBLIC: u8 = 1;
const PRIVATE: u8 = 2;
const TRITS: u8 = 0xfe;
const INDICES: u8 = 0xff;

/// How `F` is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Trits,
    Indices,
}

impl Form {
    /// A set's own.
    const fn of(facts: &Facts) -> Self {
        if facts.is_listed() { Form::Indices } else { Form::Trits }
    }
}

/// The beginning of a key.
const fn header(tag: u8, facts: &Facts) -> [u8; HEADER] {
    let [a, b, c] = facts.oid;
    [tag, facts.oid.len() as u8, a, b, c]
}

/// The beginning of a set's public keys.
#[cfg(feature = "pkcs8")]
pub(crate) const fn header_of_public<P: crate::set::Parameters>() -> &'static [u8] {
    const { &header(PUBLIC, &P::FACTS) }
}

/// Not 0 where bytes are others; in constant time.
pub(crate) fn other(a: &[u8], b: &[u8]) -> u16 {
    let bits = a.iter().zip(b).fold(0, |bits, (a, b)| bits | a ^ b);
    u16::from(bits) | u16::from(a.len() != b.len())
}

/// Writes a public key around what is packed.
pub(crate) fn write_public(facts: &Facts, packed: &[u8], out: &mut [u8]) {
    match facts.flavour {
        Flavour::Eess => {
            out[..HEADER].copy_from_slice(&header(PUBLIC, facts));
            out[HEADER..].copy_from_slice(packed);
        }
        Flavour::Bare | Flavour::Radix => out.copy_from_slice(packed),
        Flavour::Libntru { .. } => libntru::write_public(facts, packed, out),
    }
}

/// What is packed in a public key, and 0 where the rest of it is as it is written.
pub(crate) fn read_public<'a>(facts: &Facts, bytes: &'a [u8]) -> (&'a [u8], u16) {
    match facts.flavour {
        Flavour::Eess => {
            let (start, packed) = bytes.split_at(HEADER);
            (packed, other(start, &header(PUBLIC, facts)))
        }
        Flavour::Bare | Flavour::Radix => (bytes, 0),
        Flavour::Libntru { .. } => libntru::read_public(facts, bytes),
    }
}

/// A private key's parts: what is packed of its public key, and `F`; and 0 where the rest is as it is
/// written.
pub(crate) fn parts<'a>(facts: &Facts, bytes: &'a [u8]) -> (&'a [u8], &'a [u8], u16) {
    match facts.flavour {
        Flavour::Eess => {
            let (start, rest) = bytes.split_at(HEADER);
            let (packed, secret) = rest.split_at(facts.packed());
            (packed, secret, other(start, &header(PRIVATE, facts)))
        }
        Flavour::Bare | Flavour::Radix => {
            let (packed, secret) = bytes.split_at(facts.packed_key());
            (packed, secret, 0)
        }
        Flavour::Libntru { .. } => {
            let (secret, public) = bytes.split_at(libntru::secret_bytes(facts));
            let (packed, bad) = libntru::read_public(facts, public);
            (packed, secret, bad)
        }
    }
}

/// Writes the parts that need no `F`, and gives the place for that.
pub(crate) fn write_private<'a>(facts: &Facts, packed: &[u8], out: &'a mut [u8]) -> &'a mut [u8] {
    match facts.flavour {
        Flavour::Eess => {
            let (start, rest) = out.split_at_mut(HEADER);
            start.copy_from_slice(&header(PRIVATE, facts));
            let (place, secret) = rest.split_at_mut(facts.packed());
            place.copy_from_slice(packed);
            secret
        }
        Flavour::Bare | Flavour::Radix => {
            let (place, secret) = out.split_at_mut(facts.packed_key());
            place.copy_from_slice(packed);
            secret
        }
        Flavour::Libntru { .. } => {
            let (secret, public) = out.split_at_mut(libntru::secret_bytes(facts));
            libntru::write_public(facts, packed, public);
            secret
        }
    }
}

/// Coefficients of each of `F`'s parts, all of them or the first.
pub(crate) type Parts<'a, 'b> = &'a mut [&'b mut [Row]];

/// Writes `F` in a set's own form: of its indices, and of its first part.
pub(crate) fn write_secret(facts: &Facts, indices: &[u16], first: &[Row], out: &mut [u8]) {
    match (facts.flavour, Form::of(facts)) {
        (Flavour::Libntru { .. }, _) => libntru::write_secret(facts, indices, out),
        (_, Form::Indices) => bits::write(Order::Most, facts.index_bits(), indices, out),
        (_, Form::Trits) => to_digits(first, facts.n, out),
    }
}

/// Reads `F`, and 0 where it is as it is written.
pub(crate) fn read_secret(cpu: Cpu, facts: &Facts, bytes: &[u8], out: Parts<'_, '_>) -> u16 {
    match facts.flavour {
        Flavour::Libntru { .. } => {
            let mut indices = Words::<LIMIT>::zero();
            let indices = &mut indices.0[..facts.indices()];
            libntru::read_secret(facts, bytes, indices) | from_indices(cpu, facts, indices, out)
        }
        _ => read_form(cpu, facts, Form::of(facts), bytes, out),
    }
}

fn read_form(cpu: Cpu, facts: &Facts, form: Form, bytes: &[u8], out: Parts<'_, '_>) -> u16 {
    match form {
        Form::Indices => {
            let mut indices = Words::<LIMIT>::zero();
            let indices = &mut indices.0[..facts.indices()];
            let behind = bits::read(Order::Most, facts.index_bits(), bytes, indices);
            behind | from_indices(cpu, facts, indices, out)
        }
        Form::Trits => {
            let rows = &mut *out[0];
            let mut words = Zeroizing::new([[0; 16]; MOST_COEFFICIENTS.div_ceil(16 * DIGITS)]);
            words.as_flattened_mut().iter_mut().zip(bytes).for_each(|(to, from)| *to = i16::from(*from));
            let bad = from_digits(cpu, &words[..bytes.len().div_ceil(16)], facts.n, rows);
            let [ones, minus_ones] = crate::arithmetic::counts(cpu, rows);
            let weight = facts.parts()[0] as i16;
            bad | (ones ^ weight | minus_ones ^ weight) as u16
        }
    }
}

/// The coefficients of a list of indices, and 0 where they are indices, and no two of a part the same.
fn from_indices(cpu: Cpu, facts: &Facts, indices: &[u16], out: Parts<'_, '_>) -> u16 {
    let (mut rest, mut good) = (indices, !0);
    let mut chooser = Chooser { cpu, n: facts.n, minus_first: false, taken: None };
    for (weight, out) in facts.parts().iter().zip(out) {
        let (part, others) = rest.split_at(2 * weight);
        good &= chooser.choose(part, &mut 0, [*weight, 2 * weight], out);
        rest = others;
    }
    !good
}

/// The indices of a polynomial's coefficients: those that are 1, then those that are -1, each in order.
fn to_indices(weight: usize, a: &[i16], out: &mut [u16]) {
    let (ones, minus_ones) = out.split_at_mut(weight);
    for (value, out) in [(1_i16, ones), (-1, minus_ones)] {
        let (mut numbers, mut stays) =
            (Words::<MOST_COEFFICIENTS>::zero(), Words::<MOST_COEFFICIENTS>::zero());
        for (i, (number, stays)) in numbers.0.iter_mut().zip(&mut stays.0).enumerate().take(a.len()) {
            *stays = equal(a[i] as u16 as usize, value as u16 as usize) as u16;
            *number = i as u16;
        }
        compact::<MOST_COEFFICIENTS>(&mut numbers.0[..a.len()], &stays.0);
        out.copy_from_slice(&numbers.0[..weight]);
    }
}

/// Writes a private key in the usual form, of one in any of the standard's. Whether the key is one is not
/// asked.
///
/// # Errors
/// Where the bytes have no such form.
#[inline(never)]
pub(crate) fn import(cpu: Cpu, facts: &Facts, bytes: &[u8], out: &mut [u8]) -> Result<(), InvalidKey> {
    let form = match (facts.flavour, bytes.first()) {
        (Flavour::Eess, Some(&PRIVATE)) => Form::of(facts),
        (Flavour::Eess, Some(&TRITS)) if facts.trits().is_some() => Form::Trits,
        (Flavour::Eess, Some(&INDICES)) => Form::Indices,
        _ => return Err(InvalidKey),
    };
    let length = if form == Form::Indices { Some(facts.listed()) } else { facts.trits() };
    let Some((start, rest)) = bytes.split_at_checked(HEADER) else { return Err(InvalidKey) };
    let Some((packed, secret)) = rest.split_at_checked(facts.packed()) else { return Err(InvalidKey) };
    if Some(secret.len()) != length || start[1..] != header(PRIVATE, facts)[1..] {
        return Err(InvalidKey);
    }
    let place = write_private(facts, packed, out);
    if form == Form::of(facts) {
        place.copy_from_slice(secret);
        return Ok(());
    }
    let mut rows = Zeroizing::new([[0; 16]; MOST_COEFFICIENTS / 16]);
    let bad = read_form(cpu, facts, form, secret, &mut [&mut rows[..]]);
    let mut indices = Words::<LIMIT>::zero();
    let indices = &mut indices.0[..facts.indices()];
    to_indices(facts.parts()[0], &rows.as_flattened()[..facts.n], indices);
    write_secret(facts, indices, &rows[..], place);
    let mut bad = [bad];
    // That the bytes are a key.
    publish(&mut bad);
    if bad[0] == 0 { Ok(()) } else { Err(InvalidKey) }
}
