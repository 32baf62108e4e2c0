//! Bits and bytes: FIPS 204, section 7.1. Numbers go into bits with the least significant first.
//!
//! A number `a` in `[top - 2^bits + 1, top]` is stored as `top - a`; where `top` does not appear, `a` is
//! stored as it is. Constant time, but for hints, which are public.

use crate::ring::{N, Poly};

/// Writes `bits` bits of each number that `value` gives.
fn write(bits: usize, out: &mut [u8], value: impl Fn(usize) -> i32) {
    let (mut window, mut filled, mut i) = (0u64, 0, 0);
    for byte in &mut out[..N / 8 * bits] {
        while filled < 8 {
            window |= (value(i) as u32 as u64) << filled;
            (filled, i) = (filled + bits, i + 1);
        }
        *byte = window as u8;
        (window, filled) = (window >> 8, filled - 8);
    }
}

/// Reads numbers of `bits` bits and hands them over.
fn read(bits: usize, bytes: &[u8], mut take: impl FnMut(usize, i32)) {
    let (mut window, mut filled, mut bytes) = (0u64, 0, bytes.iter());
    for i in 0..N {
        while filled < bits {
            window |= (bytes.next().copied().unwrap_or(0) as u64) << filled;
            filled += 8;
        }
        take(i, (window & ((1 << bits) - 1)) as i32);
        (window, filled) = (window >> bits, filled - bits);
    }
}

/// `SimpleBitPack` of coefficients in `[0, 2^bits)`, into `32 bits` bytes: algorithm 16.
pub(crate) fn pack(bits: usize, poly: &[i32; N], out: &mut [u8]) {
    write(bits, out, |i| poly[i]);
}

/// The same of coefficients that are bytes.
pub(crate) fn pack_bytes(bits: usize, poly: &[u8; N], out: &mut [u8]) {
    write(bits, out, |i| poly[i].into());
}

/// `SimpleBitUnpack`: algorithm 18.
pub(crate) fn unpack(bits: usize, bytes: &[u8], poly: &mut Poly) {
    read(bits, bytes, |i, value| poly.0[i] = value);
}

/// `BitPack` of coefficients in `[top - 2^bits + 1, top]`: algorithm 17.
pub(crate) fn pack_below(bits: usize, top: i32, poly: &Poly, out: &mut [u8]) {
    write(bits, out, |i| top - poly.0[i]);
}

/// `BitUnpack`: algorithm 19.
pub(crate) fn unpack_below(bits: usize, top: i32, bytes: &[u8], poly: &mut Poly) {
    read(bits, bytes, |i, value| poly.0[i] = top - value);
}

/// `BitUnpack` of coefficients that should be in `[-eta, eta]`: -1 where one is not, else 0.
pub(crate) fn unpack_small(bits: usize, eta: i32, bytes: &[u8], poly: &mut Poly) -> i32 {
    let mut invalid = 0;
    read(bits, bytes, |i, value| {
        invalid |= (2 * eta - value) >> 31;
        poly.0[i] = eta - value;
    });
    invalid
}

/// `HintBitPack`: algorithm 20. The rows hold 0 and 1, and at most `omega` ones; `out` has `omega` bytes and
/// one for each row.
pub(crate) fn pack_hints(omega: usize, rows: &[[u8; N]], out: &mut [u8]) {
    let (positions, counts) = out.split_at_mut(omega);
    positions.fill(0);
    let mut count = 0;
    for (row, end) in rows.iter().zip(counts) {
        for (i, _) in row.iter().enumerate().filter(|(_, hint)| **hint != 0) {
            positions[count] = i as u8;
            count += 1;
        }
        *end = count as u8;
    }
}

/// `HintBitUnpack`: algorithm 21. Whether the bytes are the one encoding of hints: counts do not decrease nor
/// exceed `omega`, positions of a row increase strictly, and what follows the last is zero.
#[must_use]
pub(crate) fn unpack_hints(omega: usize, bytes: &[u8], rows: &mut [[u8; N]]) -> bool {
    let (positions, counts) = bytes.split_at(omega);
    let mut from = 0;
    for (row, to) in rows.iter_mut().zip(counts) {
        row.fill(0);
        let Some(of_row) = positions.get(from..usize::from(*to)) else { return false };
        if !of_row.is_sorted_by(|a, b| a < b) {
            return false;
        }
        of_row.iter().for_each(|i| row[usize::from(*i)] = 1);
        from = usize::from(*to);
    }
    positions[from..].iter().all(|byte| *byte == 0)
}
