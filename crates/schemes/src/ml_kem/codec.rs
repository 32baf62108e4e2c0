//! Bytes and bits: FIPS 203, section 4.2.1.
//!
//! `D` bits a coefficient, the least significant first: eight coefficients in `D` bytes. `Compress_d(x) = round(2^d x / q) mod 2^d`,
//! `Decompress_d(y) = round(q y / 2^d)`. Compression divides by multiplying: by `2^32 / q` modulo `2^32`, so that what the
//! standard takes modulo `2^d` falls off by itself. The compiler proves it for every coefficient.

use super::{Element, Q, ROWS};
use ringsmith_simd::{Cpu, Kernel, Row, Simd, each};

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

/// Row `r` of numbers of `D` bits. The vectors read 32 bytes, so the last rows are copied where no other bytes follow.
#[inline(always)]
fn read<S: Simd, const D: usize>(s: S, bytes: &[u8], r: usize) -> S::I16 {
    let at = 2 * D * r;
    if let Some(window) = bytes[at..].first_chunk() {
        return s.unpack::<D>(window);
    }
    let mut window = [0; 32];
    window[..2 * D].copy_from_slice(&bytes[at..at + 2 * D]);
    s.unpack::<D>(&window)
}

/// Writes row `r` of numbers of `D` bits. The vectors write 32 bytes, of which the next rows replace what is not theirs.
#[inline(always)]
fn write<S: Simd, const D: usize>(s: S, numbers: S::I16, out: &mut [u8], r: usize) {
    let at = 2 * D * r;
    if let Some(window) = out[at..].first_chunk_mut() {
        return s.pack::<D>(numbers, window);
    }
    let mut window = [0; 32];
    s.pack::<D>(numbers, &mut window);
    out[at..at + 2 * D].copy_from_slice(&window[..2 * D]);
}

/// `ByteEncode_12`.
struct Encode<'a> {
    a: &'a [Row; ROWS],
    out: &'a mut [u8],
}

impl Kernel for Encode<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut r = 0;
        while r < ROWS {
            write::<S, 12>(s, s.load(&self.a[r]), self.out, r);
            r += 1;
        }
    }
}

/// `ByteDecode_12`, modulo `q`; the result is -1 where all numbers were below `q`, otherwise 0.
struct Decode<'a> {
    bytes: &'a [u8],
    out: &'a mut [Row; ROWS],
}

impl Kernel for Decode<'_> {
    type Out = i16;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i16 {
        let q = s.splat(Q as i16);
        let (mut all, mut r) = (s.splat(-1), 0);
        while r < ROWS {
            let rest = s.sub(read::<S, 12>(s, self.bytes, r), q);
            let below = s.shift_right::<15>(rest);
            all = s.and(all, below);
            s.store(&mut self.out[r], s.add(rest, s.and(below, q)));
            r += 1;
        }
        let mut lanes = [0; 16];
        s.store(&mut lanes, all);
        let (mut all, mut i) = (-1, 0);
        while i < 16 {
            all &= lanes[i];
            i += 1;
        }
        all
    }
}

/// `ByteEncode_d(Compress_d(a))` of coefficients in `[0, q)`.
struct Compress<'a, const D: usize, const REST: i32> {
    a: &'a [Row; ROWS],
    out: &'a mut [u8],
}

impl<const D: usize, const REST: i32> Kernel for Compress<'_, D, REST> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        const { assert!(D as i32 + REST == 32) };
        let (reciprocal, half) =
            (s.splat32(RECIPROCAL as i32), s.splat32(const { rounding(D as u32) } as i32));
        let mask = s.splat32((1 << D) - 1);
        let mut r = 0;
        while r < ROWS {
            let (low, high) = s.widen(s.load(&self.a[r]));
            let [low, high] = each(
                #[inline(always)]
                |i| {
                    let scaled = s.add32(s.mul_lo32([low, high][i], reciprocal), half);
                    s.and32(s.shift_right32::<REST>(scaled), mask)
                },
            );
            write::<S, D>(s, s.narrow(low, high), self.out, r);
            r += 1;
        }
    }
}

/// `Decompress_d(ByteDecode_d(bytes))`, centred: `round(q y / 2^d)` is the rounded high half of `q` and `2^(15 - d) y`.
struct Decompress<'a, const D: usize> {
    bytes: &'a [u8],
    out: &'a mut [Row; ROWS],
}

impl<const D: usize> Kernel for Decompress<'_, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (q, half, scale) = (s.splat(Q as i16), s.splat(Q as i16 / 2), s.splat(const { 1 << (15 - D) }));
        let mut r = 0;
        while r < ROWS {
            let x = s.mul_hi_rounded(s.mul_lo(read::<S, D>(s, self.bytes, r), scale), q);
            s.store(&mut self.out[r], s.sub(x, s.and(s.gt(x, half), q)));
            r += 1;
        }
    }
}

/// `ByteEncode_12` of coefficients in `[0, q)`, into 384 bytes.
pub(super) fn encode(cpu: Cpu, a: &Element, out: &mut [u8; 32 * 12]) {
    cpu.run(Encode { a: &a.0, out });
}

/// `ByteDecode_12` of the first 384 bytes, modulo `q`; and whether all coefficients were below `q`. Constant time.
pub(super) fn decode(cpu: Cpu, bytes: &[u8], a: &mut Element) -> bool {
    cpu.run(Decode { bytes, out: &mut a.0 }) != 0
}

/// `ByteEncode_d(Compress_d(a))` of coefficients in `[0, q)`, into `32 d` bytes; `d` is 1, 4, 5, 10 or 11.
pub(super) fn encode_compressed(cpu: Cpu, bits: usize, a: &Element, out: &mut [u8]) {
    let (a, out) = (&a.0, &mut out[..32 * bits]);
    match bits {
        1 => cpu.run(Compress::<1, 31> { a, out }),
        4 => cpu.run(Compress::<4, 28> { a, out }),
        5 => cpu.run(Compress::<5, 27> { a, out }),
        10 => cpu.run(Compress::<10, 22> { a, out }),
        _ => cpu.run(Compress::<11, 21> { a, out }),
    }
}

/// `Decompress_d(ByteDecode_d(bytes))` of the first `32 d` bytes, centred; `d` is 1, 4, 5, 10 or 11.
pub(super) fn decode_compressed(cpu: Cpu, bits: usize, bytes: &[u8], a: &mut Element) {
    let out = &mut a.0;
    match bits {
        1 => cpu.run(Decompress::<1> { bytes, out }),
        4 => cpu.run(Decompress::<4> { bytes, out }),
        5 => cpu.run(Decompress::<5> { bytes, out }),
        10 => cpu.run(Decompress::<10> { bytes, out }),
        _ => cpu.run(Decompress::<11> { bytes, out }),
    }
}
