//! Bytes and bits of NewHope: 14 bits a coefficient, 3 bits for a part of the ciphertext, over [`bits`](crate::bits); and messages.

use crate::bits::{self, read, write};
use ringsmith_simd::{Cpu, Kernel, Row, Simd};

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
pub(super) fn encode<const ROWS: usize>(cpu: Cpu, a: &[Row; ROWS], out: &mut [u8]) {
    bits::encode::<BITS, ROWS>(cpu, a, out);
}

/// Coefficients modulo `q`, in `[0, q)`: what is not canonical is accepted, as the submission's code accepts it.
pub(super) fn decode<const ROWS: usize>(cpu: Cpu, bytes: &[u8], out: &mut [Row; ROWS]) {
    bits::decode::<Q, BITS, ROWS>(cpu, bytes, out);
}

/// Coefficients in `[0, q)`, compressed into [`COMPRESSED_ROW_BYTES`] a row.
pub(super) fn compress<const ROWS: usize>(cpu: Cpu, a: &[Row; ROWS], out: &mut [u8]) {
    bits::compress::<Q, COMPRESSED, { 32 - COMPRESSED as i32 }, ROWS>(cpu, a, out);
}

/// Compressed coefficients, centred.
pub(super) fn decompress<const ROWS: usize>(cpu: Cpu, bytes: &[u8], out: &mut [Row; ROWS]) {
    bits::decompress::<Q, COMPRESSED, ROWS>(cpu, bytes, out);
}

/// A message as coefficients.
pub(super) fn spread(cpu: Cpu, message: &[u8; 32], out: &mut [Row]) {
    cpu.run(Spread { message, out });
}

/// The message of coefficients in `[0, q)`.
pub(super) fn gather(cpu: Cpu, a: &[Row], message: &mut [u8; 32]) {
    cpu.run(Gather { a, message });
}
