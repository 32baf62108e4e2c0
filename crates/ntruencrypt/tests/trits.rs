//! Coefficients of bytes and of bits against tables, which are here and nowhere in the library: that of six
//! bits, with 64 entries, and that of five digits, with 243.

use ringsmith_ntruencrypt::trits::{from_digits, from_message, to_digits, to_message};
use ringsmith_ntruencrypt::{Facts, Flavour, ees443ep1, libntru};
use ringsmith_simd::{Cpu, Row};

/// Two coefficients of each number of three bits.
const PAIRS: [[i16; 2]; 8] = [[0, 0], [0, 1], [0, -1], [1, 0], [1, 1], [1, -1], [-1, 0], [-1, 1]];

/// Both orders of bits: the standard's, and libntru's.
const SETS: [Facts; 2] = [ees443ep1::FACTS, libntru::ees443ep1::FACTS];

/// Four coefficients of each number of six bits: of the first three, then of the others.
fn of_six_bits() -> [[i16; 4]; 64] {
    let mut table = [[0; 4]; 64];
    for (six, entry) in table.iter_mut().enumerate() {
        let ([a, b], [c, d]) = (PAIRS[six / 8], PAIRS[six % 8]);
        *entry = [a, b, c, d];
    }
    table
}

/// Five coefficients of each byte that has them, by counting: the first one turns fastest.
fn of_bytes() -> [[i16; 5]; 243] {
    let (mut table, mut digits) = ([[0; 5]; 243], [0; 5]);
    for entry in &mut table {
        *entry = digits;
        for digit in &mut digits {
            *digit = if *digit == -1 {
                0
            } else if *digit == 1 {
                -1
            } else {
                1
            };
            if *digit != 0 {
                break;
            }
        }
    }
    table
}

/// Three bytes whose groups of three bits are these, in a set's order.
fn bytes_of(facts: &Facts, groups: [usize; 8]) -> [u8; 3] {
    let is_libntru = matches!(facts.flavour, Flavour::Libntru { .. });
    let mut bytes = [0; 3];
    for (bit, set) in groups
        .iter()
        .flat_map(|group| {
            let of = move |i: usize| group >> if is_libntru { i } else { 2 - i } & 1;
            (0..3).map(of)
        })
        .enumerate()
    {
        bytes[bit / 8] |= (set as u8) << if is_libntru { bit % 8 } else { 7 - bit % 8 };
    }
    bytes
}

/// Protects: every entry of the table of 64, in every place of three bytes, in both orders of bits; and what
/// it gives is read back.
#[test]
fn six_bits() {
    let table = of_six_bits();
    for facts in &SETS {
        for (place, (six, entry)) in
            (0..4).flat_map(|place| table.iter().enumerate().map(move |x| (place, x)))
        {
            let mut groups = [0; 8];
            groups[2 * place..2 * place + 2].copy_from_slice(&[six / 8, six % 8]);
            let (bytes, mut rows) = (bytes_of(facts, groups), [[0; 16]; 28]);
            from_message(facts.flavour, &bytes, facts.n, &mut rows);
            let (there, behind) = rows.as_flattened().split_at(16);
            assert_eq!(there[4 * place..4 * place + 4], *entry, "{six:06b} in place {place}");
            let others = there.iter().enumerate().filter(|(i, _)| i / 4 != place).map(|(_, x)| x);
            assert!(others.chain(behind).all(|x| *x == 0), "{six:06b} in place {place}");
            let mut read = [0xa5; 3];
            assert_eq!(to_message(facts.flavour, &rows, facts.n, &mut read), 0, "{six:06b}");
            assert_eq!(read, bytes, "{six:06b} in place {place}");
        }
    }
}

/// Protects: the ninth pair, -1 and -1, is none, wherever it stands.
#[test]
fn no_bits() {
    for facts in &SETS {
        for place in 0..8 {
            let mut rows = [[0; 16]; 28];
            rows[0][2 * place..2 * place + 2].fill(-1);
            assert_ne!(to_message(facts.flavour, &rows, facts.n, &mut [0; 3]), 0, "pair {place}");
        }
    }
}

/// The digits of two bytes, of which the second is this, as coefficients; none where it is refused.
fn digits(cpu: Cpu, byte: u8, count: usize) -> Option<Vec<i16>> {
    let (mut bytes, mut out): (Row, [Row; 1]) = ([0; 16], [[5; 16]]);
    (bytes[0], bytes[1]) = (242, byte.into());
    let bad = from_digits(cpu, &[bytes], count, &mut out);
    assert_eq!(out[0][..5], [-1; 5]);
    assert!(out[0][count..].iter().all(|x| *x == 0));
    (bad == 0).then(|| out[0][5..count].to_vec())
}

/// Protects: every entry of the table of 243, on every backend; it is written back; and every byte above
/// it is refused.
#[test]
fn five_digits() {
    let table = of_bytes();
    for cpu in Cpu::available() {
        for byte in 0..=255 {
            let expected = table.get(usize::from(byte)).map(|entry| entry.to_vec());
            assert_eq!(digits(cpu, byte, 10), expected, "{byte} on {cpu:?}");
        }
    }
    for (byte, entry) in table.iter().enumerate() {
        let (mut rows, mut out): ([Row; 1], _) = ([[0; 16]], [0; 1]);
        rows[0][..5].copy_from_slice(entry);
        to_digits(&rows, 5, &mut out);
        assert_eq!(usize::from(out[0]), byte);
    }
}

/// Protects: a last byte of fewer digits has no others.
#[test]
fn fewer_digits() {
    let table = of_bytes();
    for cpu in Cpu::available() {
        for (count, byte) in (1..5).flat_map(|count| (0..=255).map(move |byte| (count, byte))) {
            let entry = table.get(usize::from(byte)).filter(|entry| entry[count..].iter().all(|x| *x == 0));
            let expected = entry.map(|entry| entry[..count].to_vec());
            assert_eq!(digits(cpu, byte, 5 + count), expected, "{byte}, {count} digits, on {cpu:?}");
        }
    }
}
