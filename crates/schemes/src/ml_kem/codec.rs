//! Bytes and bits: FIPS 203, section 4.2.1.
//!
//! `D` bits a coefficient, the least significant first: eight coefficients in `D` bytes. `Compress_d(x) = round(2^d x / q) mod 2^d`,
//! `Decompress_d(y) = round(q y / 2^d)`. Compression divides by multiplying: by `2^32 / q` modulo `2^32`, so that what the
//! standard takes modulo `2^d` falls off by itself. The compiler proves it for every coefficient.

use super::{Element, N, Q};
use ringsmith_ring::Rows;
use ringsmith_simd::{Cpu, Kernel, Row, Simd, each};
use zeroize::Zeroizing;

/// `2^32 / q` from above.
const RECIPROCAL: u32 = ((1 << 32) / Q as u64 + 1) as u32;

/// What is added before the quotient is cut off: half of it, less half of the reciprocal's greatest error.
const fn rounding(bits: u32) -> u32 {
    let error = RECIPROCAL as u64 * Q as u64 - (1 << 32);
    (1u32 << (31 - bits)) - ((error * (Q as u64 - 1) / Q as u64 / 2) as u32)
}

/// `Compress_d` of `x` in `[0, q)` in wrapping arithmetic: the quotient's bits above the lowest `d` are not there.
const fn compress(bits: u32, x: u32) -> u32 {
    x.wrapping_mul(RECIPROCAL).wrapping_add(rounding(bits)) >> (32 - bits)
}

/// The rounding is exact for every coefficient and every `d` of the standard.
const _: () = {
    let (all, mut i) = ([1, 4, 5, 10, 11], 0);
    while i < 5 {
        let mut x = 0;
        while x < Q as u32 {
            let exact = (((2 * x) << all[i]) + Q as u32) / (2 * Q as u32) % (1 << all[i]);
            assert!(compress(all[i], x) == exact, "the reciprocal is too coarse");
            x += 1;
        }
        i += 1;
    }
};

/// `Compress_d` of 16 coefficients in `[0, q)` at a time.
struct Compress<'a, const D: u32, const REST: i32> {
    a: &'a [Row; N / 16],
    out: &'a mut [Row; N / 16],
}

impl<const D: u32, const REST: i32> Kernel for Compress<'_, D, REST> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        const { assert!(D as i32 + REST == 32) };
        let (reciprocal, half) = (s.splat32(RECIPROCAL as i32), s.splat32(const { rounding(D) } as i32));
        let mask = s.splat32((1 << D) - 1);
        let mut r = 0;
        while r < N / 16 {
            let (low, high) = s.widen(s.load(&self.a[r]));
            let [low, high] = each(
                #[inline(always)]
                |i| {
                    let scaled = s.add32(s.mul_lo32([low, high][i], reciprocal), half);
                    s.and32(s.shift_right32::<REST>(scaled), mask)
                },
            );
            s.store(&mut self.out[r], s.narrow(low, high));
            r += 1;
        }
    }
}

/// `Decompress_d` of `y` below `2^d`, centred; constant time.
const fn decompress<const D: u32>(y: u16) -> i16 {
    let x = ((y as i32 * Q as i32 + (1 << (D - 1))) >> D) as i16;
    let above = (Q as i16 / 2 - x) >> 15;
    x - (above & Q as i16)
}

/// Eight values of `D` bits as `D` bytes.
fn pack<const D: usize>(values: &[i16; 8], out: &mut [u8]) {
    let half =
        |v: &[i16]| v[0] as u64 | (v[1] as u64) << D | (v[2] as u64) << (2 * D) | (v[3] as u64) << (3 * D);
    let bits = half(&values[..4]) as u128 | (half(&values[4..]) as u128) << (4 * D);
    out.copy_from_slice(&bits.to_le_bytes()[..D]);
}

/// The eight values of `D` bits in `D` bytes.
fn unpack<const D: usize>(bytes: &[u8]) -> [u16; 8] {
    let mut wide = [0; 16];
    wide[..D].copy_from_slice(bytes);
    let bits = u128::from_le_bytes(wide);
    let halves = [bits as u64, (bits >> (4 * D)) as u64];
    let (mut values, mut i) = ([0; 8], 0);
    while i < 8 {
        values[i] = ((halves[i / 4] >> (D * (i % 4))) as u16) & ((1 << D) - 1);
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
        pack::<12>(values, bytes);
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
pub(super) fn encode_compressed(cpu: Cpu, bits: usize, a: &Element, out: &mut [u8]) {
    match bits {
        4 => encode_compressed_of::<4, 28, 4>(cpu, a, out),
        5 => encode_compressed_of::<5, 27, 5>(cpu, a, out),
        10 => encode_compressed_of::<10, 22, 10>(cpu, a, out),
        _ => encode_compressed_of::<11, 21, 11>(cpu, a, out),
    }
}

fn encode_compressed_of<const D: u32, const REST: i32, const BYTES: usize>(
    cpu: Cpu,
    a: &Element,
    out: &mut [u8],
) {
    let mut values = Zeroizing::new(Rows([[0; 16]; N / 16]));
    cpu.run(Compress::<D, REST> { a: &a.0, out: &mut values.0 });
    for (values, bytes) in groups(&values).iter().zip(out.chunks_exact_mut(BYTES)) {
        pack::<BYTES>(values, bytes);
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
            *byte |= (compress(1, *value as u32) as u8) << i;
        }
    }
}
