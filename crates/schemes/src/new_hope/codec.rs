//! Bytes and bits of NewHope: 14 bits a coefficient, 3 bits for a part of the ciphertext, and messages.

use ringsmith_simd::{Cpu, Kernel, Row, Simd, each};

/// The modulus.
pub(super) const Q: i64 = 12289;
/// Bits of a coefficient below `q`.
const BITS: usize = 14;
/// Bits of a compressed coefficient.
const COMPRESSED: usize = 3;

/// Bytes of a row of coefficients.
pub(super) const ROW_BYTES: usize = 2 * BITS;
/// Bytes of a row of compressed coefficients.
pub(super) const COMPRESSED_ROW_BYTES: usize = 2 * COMPRESSED;

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

/// Coefficients in `[0, q)` as bytes.
struct Encode<'a> {
    a: &'a [Row],
    out: &'a mut [u8],
}

impl Kernel for Encode<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut r = 0;
        while r < self.a.len() {
            write::<S, BITS>(s, s.load(&self.a[r]), self.out, r);
            r += 1;
        }
    }
}

/// Coefficients of bytes, modulo `q`.
struct Decode<'a> {
    bytes: &'a [u8],
    out: &'a mut [Row],
}

impl Kernel for Decode<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        const { assert!(1 << BITS <= 2 * Q, "one subtraction is enough") };
        let q = s.splat(Q as i16);
        let mut r = 0;
        while r < self.out.len() {
            let rest = s.sub(read::<S, BITS>(s, self.bytes, r), q);
            s.store(&mut self.out[r], s.add(rest, s.and(s.shift_right::<15>(rest), q)));
            r += 1;
        }
    }
}

/// `2^32 / q` from above: see ML-KEM's compression, whose reasoning holds for every odd modulus.
const RECIPROCAL: u32 = ((1 << 32) / Q as u64 + 1) as u32;
/// What is added before the quotient is cut off: half of it, less half of the reciprocal's greatest error.
const ROUNDING: u32 = {
    let error = RECIPROCAL as u64 * Q as u64 - (1 << 32);
    (1u32 << (31 - COMPRESSED)) - ((error * (Q as u64 - 1) / Q as u64 / 2) as u32)
};

/// The rounding is exact for every coefficient.
const _: () = {
    let mut x = 0;
    while x < Q as u32 {
        let exact = ((x << COMPRESSED) + Q as u32 / 2) / Q as u32 % (1 << COMPRESSED);
        let quick = x.wrapping_mul(RECIPROCAL).wrapping_add(ROUNDING) >> (32 - COMPRESSED);
        assert!(quick == exact, "the reciprocal is too coarse");
        x += 1;
    }
};

/// `round(8 x / q) mod 8` of coefficients in `[0, q)`, as bytes.
struct Compress<'a> {
    a: &'a [Row],
    out: &'a mut [u8],
}

impl Kernel for Compress<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (reciprocal, half) = (s.splat32(RECIPROCAL as i32), s.splat32(ROUNDING as i32));
        let mask = s.splat32((1 << COMPRESSED) - 1);
        let mut r = 0;
        while r < self.a.len() {
            let (low, high) = s.widen(s.load(&self.a[r]));
            let [low, high] = each(
                #[inline(always)]
                |i| {
                    let scaled = s.add32(s.mul_lo32([low, high][i], reciprocal), half);
                    s.and32(s.shift_right32::<{ 32 - COMPRESSED as i32 }>(scaled), mask)
                },
            );
            write::<S, COMPRESSED>(s, s.narrow(low, high), self.out, r);
            r += 1;
        }
    }
}

/// `round(q y / 8)` of bytes, centred: the rounded high half of `q` and `2^12 y`.
struct Decompress<'a> {
    bytes: &'a [u8],
    out: &'a mut [Row],
}

impl Kernel for Decompress<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (q, half) = (s.splat(Q as i16), s.splat(Q as i16 / 2));
        let scale = s.splat(const { 1 << (15 - COMPRESSED) });
        let mut r = 0;
        while r < self.out.len() {
            let x = s.mul_hi_rounded(s.mul_lo(read::<S, COMPRESSED>(s, self.bytes, r), scale), q);
            s.store(&mut self.out[r], s.sub(x, s.and(s.gt(x, half), q)));
            r += 1;
        }
    }
}

/// Rows of a message's bits.
const MESSAGE_ROWS: usize = 16;

/// Each bit of a message, times `(q - 1) / 2`, as coefficients: copies of 256 one after the other.
struct Spread<'a> {
    message: &'a [u8; 32],
    out: &'a mut [Row],
}

impl Kernel for Spread<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let half = s.splat(Q as i16 / 2);
        let mut r = 0;
        while r < self.out.len() {
            let bits = read::<S, 1>(s, self.message, r % MESSAGE_ROWS);
            s.store(&mut self.out[r], s.and(s.sub(s.splat(0), bits), half));
            r += 1;
        }
    }
}

/// The bits whose copies, coefficients in `[0, q)`, are nearer to `(q - 1) / 2` than to 0: those whose distances from it have a
/// sum below `q` times a quarter of the copies.
struct Gather<'a> {
    a: &'a [Row],
    message: &'a mut [u8; 32],
}

impl Kernel for Gather<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let copies = self.a.len() / MESSAGE_ROWS;
        let (half, limit) = (s.splat(Q as i16 / 2), s.splat((copies as i64 * Q / 4) as i16));
        let mut r = 0;
        while r < MESSAGE_ROWS {
            let (mut sum, mut copy) = (s.splat(0), 0);
            while copy < copies {
                let x = s.sub(s.load(&self.a[r + MESSAGE_ROWS * copy]), half);
                // |x| = x - 2 x where x is negative.
                let negative = s.and(x, s.shift_right::<15>(x));
                sum = s.add(sum, s.sub(x, s.add(negative, negative)));
                copy += 1;
            }
            write::<S, 1>(s, s.and(s.gt(limit, sum), s.splat(1)), self.message, r);
            r += 1;
        }
    }
}

/// Coefficients in `[0, q)`, into [`ROW_BYTES`] a row.
pub(super) fn encode(cpu: Cpu, a: &[Row], out: &mut [u8]) {
    cpu.run(Encode { a, out });
}

/// Coefficients modulo `q`, in `[0, q)`: what is not canonical is accepted, as the submission's code accepts it.
pub(super) fn decode(cpu: Cpu, bytes: &[u8], out: &mut [Row]) {
    cpu.run(Decode { bytes, out });
}

/// Coefficients in `[0, q)`, compressed into [`COMPRESSED_ROW_BYTES`] a row.
pub(super) fn compress(cpu: Cpu, a: &[Row], out: &mut [u8]) {
    cpu.run(Compress { a, out });
}

/// Compressed coefficients, centred.
pub(super) fn decompress(cpu: Cpu, bytes: &[u8], out: &mut [Row]) {
    cpu.run(Decompress { bytes, out });
}

/// A message as coefficients.
pub(super) fn spread(cpu: Cpu, message: &[u8; 32], out: &mut [Row]) {
    cpu.run(Spread { message, out });
}

/// The message of coefficients in `[0, q)`.
pub(super) fn gather(cpu: Cpu, a: &[Row], message: &mut [u8; 32]) {
    cpu.run(Gather { a, message });
}
