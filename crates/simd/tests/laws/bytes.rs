//! Bytes of public data.

use crate::support::*;
use ringsmith_simd::{Cpu, Kernel, Places, Row, Simd, as_bytes};
use std::array::from_fn;

/// Which lanes are taken, in which order, and how many they are.
#[test]
fn taken_by_a_mask() {
    for cpu in Cpu::available() {
        let check = |numbers: Row, choice: usize| {
            let mask: Row = from_fn(|i| -((choice >> i & 1) as i16));
            let (out, count) = on!(cpu, |s, numbers: Row, mask: Row| -> (Row, usize) {
                let mut out = [-1; 16];
                let count = s.take(s.load(&numbers), s.load(&mask), &mut out);
                (out, count)
            });
            let expected: Vec<_> = (0..16).filter(|i| mask[*i] == -1).map(|i| numbers[i]).collect();
            assert_eq!(out[..count], expected, "{numbers:?} where {mask:?} on {cpu:?}");
        };
        // Every choice of eight words, in either half.
        for half in (0..256).step_by(if cfg!(miri) { 37 } else { 1 }) {
            for choice in [half, half << 8, half | 0xff00, half << 8 | 0xff, half << 8 | half] {
                check(from_fn(|i| i as i16 + 1), choice);
            }
        }
        for (numbers, b) in pairs_of_rows() {
            check(numbers, b[0] as u16 as usize);
        }
    }
}

/// Numbers of `bits` bits as bytes, bit by bit.
fn bytes_of(numbers: &Row, bits: usize) -> [u8; 32] {
    let bit = |at: usize| numbers.get(at / bits).map_or(0, |number| (number >> (at % bits) & 1) as u8);
    from_fn(|i| (0..8).map(|j| bit(8 * i + j) << j).sum())
}

/// Packing and unpacking, for every number of bits.
#[test]
fn packed_and_unpacked() {
    for cpu in Cpu::available() {
        for (a, b) in pairs_of_rows().into_iter().step_by(SPARSELY) {
            for_each!(D: usize = [1 2 3 4 5 6 7 8 9 10 11 12 13 14] {
                let numbers: Row = from_fn(|i| (a[i] ^ b[i]) & ((1 << D) - 1));
                let expected = bytes_of(&numbers, D);
                let packed = on!(cpu, |s, numbers: Row| -> [u8; 32] {
                    let mut out = [0xaa; 32];
                    s.pack::<D>(s.load(&numbers), &mut out);
                    out
                });
                assert_eq!(packed[..2 * D], expected[..2 * D], "{numbers:?} in {D} bits on {cpu:?}");
                // What follows is not looked at.
                let bytes: [u8; 32] = from_fn(|i| if i < 2 * D { expected[i] } else { b[i % 16] as u8 });
                let unpacked = on!(cpu, |s, bytes: [u8; 32]| -> Row { row(s, s.unpack::<D>(&bytes)) });
                assert_eq!(unpacked, numbers, "{bytes:?} by {D} bits on {cpu:?}");
            });
        }
    }
}

/// Bytes by their places, any number of times, at any address.
#[test]
fn bytes_at_places() {
    for cpu in Cpu::available() {
        for (a, b) in pairs_of_rows() {
            let bytes: [u8; 17] = from_fn(|i| (a[i % 16] >> (i / 8)) as u8);
            let places = b.map(|place| place & 15);
            for at in 0..2 {
                let sixteen: [u8; 16] = *bytes[at..].first_chunk().expect("16 bytes");
                let got = on!(cpu, |s, sixteen: [u8; 16], places: Row| -> Row {
                    row(s, s.pick(&sixteen, &places))
                });
                let expected = places.map(|place| i16::from(sixteen[place as usize]));
                assert_eq!(got, expected, "{sixteen:?} at {places:?} on {cpu:?}");
            }
        }
    }
}

/// Lanes as bytes, and bytes in another order.
#[test]
fn narrowed_and_permuted() {
    struct Fifths;
    impl Places for Fifths {
        const PLACES: [u8; 32] = [
            0, 5, 10, 15, 20, 25, 30, 3, 8, 13, 18, 23, 28, 1, 6, 11, 16, 21, 26, 31, 4, 9, 14, 19, 24, 29,
            2, 7, 12, 17, 22, 27,
        ];
    }
    struct Last;
    impl Places for Last {
        const PLACES: [u8; 32] = [31; 32];
    }
    for cpu in Cpu::available() {
        for (a, b) in pairs_of_rows() {
            let (a, b) = (a.map(|x| i16::from(x as i8)), b.map(|x| i16::from(x as i8)));
            let got = on!(cpu, |s, a: Row, b: Row| -> [[i8; 32]; 3] {
                let (x, mut out) = (s.narrow8(s.load(&a), s.load(&b)), [[0; 32]; 3]);
                s.store8(&mut out[0], x);
                s.store8(&mut out[1], s.permute8::<Fifths>(x));
                s.store8(&mut out[2], s.permute8::<Last>(x));
                out
            });
            let bytes: [i8; 32] = from_fn(|i| if i < 16 { a[i] as i8 } else { b[i - 16] as i8 });
            let expected = [bytes, from_fn(|i| bytes[5 * i % 32]), [bytes[31]; 32]];
            assert_eq!(got, expected, "{a:?} and {b:?} on {cpu:?}");
        }
    }
}

/// Numbers of 8 bits, in memory at any address and in vectors; sums and differences of them wrap.
#[test]
fn numbers_of_eight_bits() {
    for cpu in Cpu::available() {
        for (a, b) in pairs_of_rows() {
            let bytes = |row: Row, at: usize| {
                let mut bytes = [0; 40];
                bytes[at..at + 32]
                    .copy_from_slice(row.map(|x| x.to_le_bytes().map(|x| x as i8)).as_flattened());
                bytes
            };
            let at = a[0] as usize % 8;
            let (x, y) = (bytes(a, at), bytes(b, 7 - at));
            let got = on!(cpu, |s, x: [i8; 40], y: [i8; 40], at: usize| -> [[i8; 32]; 3] {
                let (a, b) = (x[at..].first_chunk(), y[7 - at..].first_chunk());
                let (a, b) = (s.load8(a.expect("32 bytes")), s.load8(b.expect("32 bytes")));
                let mut out = [[0; 32]; 3];
                s.store8(&mut out[0], s.add8(a, b));
                s.store8(&mut out[1], s.sub8(a, b));
                out[2][..32]
                    .copy_from_slice(row(s, a).map(|x| x.to_le_bytes().map(|x| x as i8)).as_flattened());
                out
            });
            let of = |f: fn(i8, i8) -> i8| from_fn(|i| f(x[at + i], y[7 - at + i]));
            let expected = [of(i8::wrapping_add), of(i8::wrapping_sub), of(|x, _| x)];
            assert_eq!(got, expected, "on {cpu:?} of {a:?} and {b:?}");
        }
    }
}

/// Rows as bytes: what is written there is in the rows, and theirs are there.
#[test]
fn rows_as_bytes() {
    let mut rows = [[0x0101; 16], [-1; 16]];
    let bytes = as_bytes(&mut rows);
    assert_eq!(bytes, [[1; 32], [-1; 32]]);
    bytes[1] = [2; 32];
    assert_eq!(rows, [[0x0101; 16], [0x0202; 16]]);
}
