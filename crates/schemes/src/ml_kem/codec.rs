//! Bytes and bits: FIPS 203, section 4.2.1.
//!
//! `D` bits a coefficient, the least significant first: eight coefficients in `D` bytes. `Compress_d(x) = round(2^d x / q) mod 2^d`,
//! `Decompress_d(y) = round(q y / 2^d)`. Compression divides by multiplying: with `t = 2^d x + (q - 1) / 2`,
//! `floor(t / q) = floor(t RECIPROCAL / 2^SHIFT)` for all `t < 2^11 q`, which a constant evaluation proves by the error of the
//! reciprocal.

use super::{Element, N, Q};

/// `RECIPROCAL / 2^SHIFT` is `1 / q` from above.
const SHIFT: u32 = 36;
const RECIPROCAL: u64 = (1 << SHIFT) / Q as u64 + 1;

/// `floor(t / q)` is exact while `t e < 2^SHIFT`, `e = RECIPROCAL q - 2^SHIFT`: the quotient is then too large by less than `1 / q`.
const _: () = {
    let largest = (Q as u64) << 11;
    let error = RECIPROCAL * Q as u64 - (1 << SHIFT);
    assert!(error > 0 && (largest + Q as u64) * error < 1 << SHIFT, "the reciprocal is too coarse");
};

/// `Compress_d` of `x` in `[0, q)`; constant time.
const fn compress<const D: u32>(x: i16) -> u16 {
    const { assert!(D <= 11) };
    let t = ((x as u64) << D) + (Q as u64 - 1) / 2;
    (((t * RECIPROCAL) >> SHIFT) & ((1 << D) - 1)) as u16
}

/// `Decompress_d` of `y` below `2^d`, centred; constant time.
const fn decompress<const D: u32>(y: u16) -> i16 {
    let x = ((y as i32 * Q as i32 + (1 << (D - 1))) >> D) as i16;
    let above = (Q as i16 / 2 - x) >> 15;
    x - (above & Q as i16)
}

/// Eight values of `D` bits as `D` bytes.
fn pack<const D: usize>(values: &[u16; 8], out: &mut [u8]) {
    let (mut bits, mut i) = (0u128, 0);
    while i < 8 {
        bits |= (values[i] as u128) << (D * i);
        i += 1;
    }
    out.copy_from_slice(&bits.to_le_bytes()[..D]);
}

/// The eight values of `D` bits in `D` bytes.
fn unpack<const D: usize>(bytes: &[u8]) -> [u16; 8] {
    let mut wide = [0; 16];
    wide[..D].copy_from_slice(bytes);
    let bits = u128::from_le_bytes(wide);
    let (mut values, mut i) = ([0; 8], 0);
    while i < 8 {
        values[i] = ((bits >> (D * i)) as u16) & ((1 << D) - 1);
        i += 1;
    }
    values
}

/// The coefficients, in groups of eight.
fn groups(a: &Element) -> &[[i16; 8]] {
    a.0.as_flattened().as_chunks().0
}

fn groups_mut(a: &mut Element) -> &mut [[i16; 8]] {
    a.0.as_flattened_mut().as_chunks_mut().0
}

/// `ByteEncode_12` of coefficients in `[0, q)`, into 384 bytes.
pub(super) fn encode(a: &Element, out: &mut [u8]) {
    for (values, bytes) in groups(a).iter().zip(out.chunks_exact_mut(12)) {
        pack::<12>(&values.map(|x| x as u16), bytes);
    }
}

/// `ByteDecode_12` of 384 bytes, modulo `q`; and whether all coefficients were below `q`. Constant time.
pub(super) fn decode(bytes: &[u8], a: &mut Element) -> bool {
    let mut above = 0;
    for (values, bytes) in groups_mut(a).iter_mut().zip(bytes.chunks_exact(12)) {
        *values = unpack::<12>(bytes).map(|x| {
            let rest = x as i16 - Q as i16;
            let below = rest >> 15;
            above |= !below;
            rest + (below & Q as i16)
        });
    }
    above == 0
}

/// `ByteEncode_d(Compress_d(a))` of coefficients in `[0, q)`, into `32 D` bytes; `D` is 4, 5, 10 or 11.
pub(super) fn encode_compressed(bits: usize, a: &Element, out: &mut [u8]) {
    match bits {
        4 => encode_compressed_of::<4, 4>(a, out),
        5 => encode_compressed_of::<5, 5>(a, out),
        10 => encode_compressed_of::<10, 10>(a, out),
        _ => encode_compressed_of::<11, 11>(a, out),
    }
}

fn encode_compressed_of<const D: u32, const BYTES: usize>(a: &Element, out: &mut [u8]) {
    for (values, bytes) in groups(a).iter().zip(out.chunks_exact_mut(BYTES)) {
        pack::<BYTES>(&values.map(compress::<D>), bytes);
    }
}

/// `Decompress_d(ByteDecode_d(bytes))`, centred.
pub(super) fn decode_compressed(bits: usize, bytes: &[u8], a: &mut Element) {
    match bits {
        4 => decode_compressed_of::<4, 4>(bytes, a),
        5 => decode_compressed_of::<5, 5>(bytes, a),
        10 => decode_compressed_of::<10, 10>(bytes, a),
        _ => decode_compressed_of::<11, 11>(bytes, a),
    }
}

fn decode_compressed_of<const D: u32, const BYTES: usize>(bytes: &[u8], a: &mut Element) {
    for (values, bytes) in groups_mut(a).iter_mut().zip(bytes.chunks_exact(BYTES)) {
        *values = unpack::<BYTES>(bytes).map(decompress::<D>);
    }
}

/// Adds `Decompress_1` of the message's bits: half the modulus for a one.
pub(super) fn add_message(message: &[u8; N / 8], a: &mut Element) {
    for (values, byte) in groups_mut(a).iter_mut().zip(message) {
        for (i, value) in values.iter_mut().enumerate() {
            let one = -((byte >> i & 1) as i16);
            *value += one & ((Q as i16 + 1) / 2);
        }
    }
}

/// `Compress_1` of coefficients in `[0, q)`: the bits of a message.
pub(super) fn message(a: &Element, out: &mut [u8; N / 8]) {
    for (values, byte) in groups(a).iter().zip(out) {
        *byte = 0;
        for (i, value) in values.iter().enumerate() {
            *byte |= (compress::<1>(*value) as u8) << i;
        }
    }
}
