//! Coefficients as they are sent, by [`bits`]; messages as coefficients, and back: the submission's
//! algorithms 10 and 11.

use ringsmith_kem::bits::{self, masks, write};
use ringsmith_ring::Rows;
use ringsmith_ring::residues::{Arithmetic, Odd};
use ringsmith_simd::{Cpu, Kernel, Row, Simd};

/// Coefficients modulo `Q`, which are sent in `BITS` bits, or in `COMPRESSED`.
pub struct Numbers<const Q: i64, const BITS: usize, const COMPRESSED: usize>;

/// What depends on the modulus and on the bits that are sent.
pub trait Coding: 'static {
    /// Bytes of a row of coefficients.
    const ROW_BYTES: usize;
    /// Bytes of a row of compressed coefficients.
    const COMPRESSED_ROW_BYTES: usize;
    /// The greatest multiple of `q` of 16 bits: words from here on are rejected where the public polynomial
    /// is sampled.
    const LIMIT: u16;

    /// Words below [`LIMIT`](Coding::LIMIT), which may be signed, as centred coefficients.
    fn reduce(cpu: Cpu, words: &mut [Row], signed: bool);
    /// Coefficients in `[0, q)`.
    fn encode<const ROWS: usize>(cpu: Cpu, a: &Rows<ROWS>, out: &mut [u8]);
    /// Coefficients modulo `q`, in `[0, q)`: what is not canonical is accepted, as the reference accepts it.
    fn decode<const ROWS: usize>(cpu: Cpu, bytes: &[u8], out: &mut Rows<ROWS>);
    /// Encoded coefficients, with 0 where they are `q`.
    fn canonical(cpu: Cpu, bytes: &[u8], out: &mut [u8]);
    /// Coefficients in `[0, q)`, compressed.
    fn compress<const ROWS: usize>(cpu: Cpu, a: &Rows<ROWS>, out: &mut [u8]);
    /// Compressed coefficients, centred.
    fn decompress<const ROWS: usize>(cpu: Cpu, bytes: &[u8], out: &mut Rows<ROWS>);
    /// A message as coefficients.
    fn spread<const ROWS: usize>(cpu: Cpu, message: &[u8; 32], out: &mut Rows<ROWS>);
    /// The message of coefficients in `[0, q)`.
    fn gather<const ROWS: usize>(cpu: Cpu, a: &Rows<ROWS>, message: &mut [u8; 32]);
}

impl<const Q: i64, const BITS: usize, const COMPRESSED: usize> Coding for Numbers<Q, BITS, COMPRESSED> {
    const ROW_BYTES: usize = 2 * BITS;
    const COMPRESSED_ROW_BYTES: usize = 2 * COMPRESSED;
    const LIMIT: u16 = ((1 << 16) / Q * Q) as u16;

    fn reduce(cpu: Cpu, words: &mut [Row], signed: bool) {
        cpu.run(Reduce::<Q> { words, signed });
    }

    fn encode<const ROWS: usize>(cpu: Cpu, a: &Rows<ROWS>, out: &mut [u8]) {
        bits::encode::<BITS, ROWS>(cpu, &a.0, out);
    }

    fn decode<const ROWS: usize>(cpu: Cpu, bytes: &[u8], out: &mut Rows<ROWS>) {
        bits::decode::<Q, BITS, ROWS>(cpu, bytes, &mut out.0);
    }

    fn canonical(cpu: Cpu, bytes: &[u8], out: &mut [u8]) {
        bits::canonical::<Q, BITS>(cpu, bytes, out);
    }

    fn compress<const ROWS: usize>(cpu: Cpu, a: &Rows<ROWS>, out: &mut [u8]) {
        bits::compress::<Q, COMPRESSED, ROWS>(cpu, &a.0, out);
    }

    fn decompress<const ROWS: usize>(cpu: Cpu, bytes: &[u8], out: &mut Rows<ROWS>) {
        bits::decompress::<Q, COMPRESSED, ROWS>(cpu, bytes, &mut out.0);
    }

    fn spread<const ROWS: usize>(cpu: Cpu, message: &[u8; 32], out: &mut Rows<ROWS>) {
        cpu.run(Spread::<Q> { message, out: &mut out.0 });
    }

    fn gather<const ROWS: usize>(cpu: Cpu, a: &Rows<ROWS>, message: &mut [u8; 32]) {
        cpu.run(Gather::<Q> { a: &a.0, message });
    }
}

/// Words, signed or not, as centred coefficients.
struct Reduce<'a, const Q: i64> {
    words: &'a mut [Row],
    signed: bool,
}

impl<const Q: i64> Kernel for Reduce<'_, Q> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        // An unsigned word from 2^15 on is 2^16 more than the signed one.
        let more = s.splat(if self.signed { 0 } else { const { ((1 << 16) % Q) as i16 } });
        for row in self.words {
            let word = s.load(row);
            let correction = s.and(s.shift_right::<15>(word), more);
            let sum = s.add(Odd::<Q>.shrink(s, word), correction);
            s.store(row, Odd::<Q>.shrink(s, sum));
        }
    }
}

/// Rows of a message's bits.
const MESSAGE_ROWS: usize = 16;

/// Each bit of a message, times `(q - 1) / 2`, as coefficients: copies of 256 one after the other.
struct Spread<'a, const Q: i64> {
    message: &'a [u8; 32],
    out: &'a mut [Row],
}

impl<const Q: i64> Kernel for Spread<'_, Q> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let half = s.splat(Q as i16 / 2);
        let mut r = 0;
        while r < self.out.len() {
            let set = masks(s, self.message, r % MESSAGE_ROWS);
            s.store(&mut self.out[r], s.and(set, half));
            r += 1;
        }
    }
}

/// The bits whose copies, coefficients in `[0, q)`, are nearer to `(q - 1) / 2` than to 0: those whose
/// distances from it have a sum below `q` times a quarter of the copies.
struct Gather<'a, const Q: i64> {
    a: &'a [Row],
    message: &'a mut [u8; 32],
}

impl<const Q: i64> Kernel for Gather<'_, Q> {
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
