//! Elements modulo `q` as bytes: `log2(q)` bits a coefficient, the least significant first, without the top
//! one.
//!
//! Of an element whose coefficients sum to 0, as public keys and ciphertexts are, the top coefficient is less
//! the sum of the others; of one modulo `Phi_n` it is 0. So any bytes are an element, and bits behind the
//! last coefficient say nothing.
//!
//! Source: NTRU, round 3, sections 1.8.3 to 1.8.6. Constant time in the coefficients.

use super::element::{Element, InRows, clear_from};
use super::ternary::{Centre, sum_of_lanes};
use ringsmith_kem::bits::{read, write};
use ringsmith_kem::secret::SecretBytes;
use ringsmith_ring::Ring;
use ringsmith_simd::{Cpu, Kernel, Row, Simd};

/// Bytes of an element modulo `2^bits`.
pub(super) const fn bytes(n: usize, bits: usize) -> usize {
    (bits * (n - 1)).div_ceil(8)
}

/// The bits of a ring's coefficients.
pub(super) const fn bits_of<R: Ring>() -> usize {
    R::Q.ilog2() as usize
}

/// The bits of the last byte that are a coefficient's.
const fn last_mask<R: Ring>() -> u8 {
    0xff >> (8 * bytes(R::N, bits_of::<R>()) - bits_of::<R>() * (R::N - 1))
}

/// The low `D` bits of coefficients, those of the last row by themselves.
struct Put<'a, const D: usize> {
    a: &'a [Row],
    out: &'a mut [u8],
    last: &'a mut [u8; 32],
}

impl<const D: usize> Kernel for Put<'_, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (Put { a, out, last }, mask) = (self, s.splat(const { (1 << D) - 1 }));
        if let Some((row, rows)) = a.split_last() {
            for (r, row) in rows.iter().enumerate() {
                write::<S, D>(s, s.and(s.load(row), mask), out, r);
            }
            s.pack::<D>(s.and(s.load(row), mask), last);
        }
    }
}

/// Numbers of `D` bits, centred, and those of a last row; the result is their sum.
struct Take<'a, const D: usize> {
    centre: Centre,
    bytes: &'a [u8],
    last: &'a [u8; 32],
    out: &'a mut [Row],
}

impl<const D: usize> Kernel for Take<'_, D> {
    type Out = i16;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i16 {
        let (Take { centre, bytes, last, out }, mut sum) = (self, s.splat(0));
        if let Some((row, rows)) = out.split_last_mut() {
            for (r, row) in rows.iter_mut().enumerate() {
                let x = centre.apply(s, read::<S, D>(s, bytes, r));
                sum = s.add(sum, x);
                s.store(row, x);
            }
            let x = centre.apply(s, s.unpack::<D>(last));
            sum = s.add(sum, x);
            s.store(row, x);
        }
        sum_of_lanes(s, sum)
    }
}

/// Rows of coefficients that are all written; behind them is one in part.
const fn whole_rows<R: Ring>() -> usize {
    assert!(!(R::N - 1).is_multiple_of(16));
    (R::N - 1) / 16
}

/// Bytes of these rows.
const fn whole_bytes<R: Ring>() -> usize {
    2 * bits_of::<R>() * whole_rows::<R>()
}

/// Writes rows, and one more by itself.
fn put<R: Ring>(cpu: Cpu, a: &[Row], out: &mut [u8], last: &mut [u8; 32]) {
    match const { bits_of::<R>() } {
        11 => cpu.run(Put::<11> { a, out, last }),
        12 => cpu.run(Put::<12> { a, out, last }),
        13 => cpu.run(Put::<13> { a, out, last }),
        _ => cpu.run(Put::<14> { a, out, last }),
    }
}

/// Reads rows, and one more by itself; their sum.
fn take<R: Ring>(cpu: Cpu, bytes: &[u8], last: &[u8; 32], out: &mut [Row]) -> i16 {
    let centre = const { Centre::of::<R>() };
    match const { bits_of::<R>() } {
        11 => cpu.run(Take::<11> { centre, bytes, last, out }),
        12 => cpu.run(Take::<12> { centre, bytes, last, out }),
        13 => cpu.run(Take::<13> { centre, bytes, last, out }),
        _ => cpu.run(Take::<14> { centre, bytes, last, out }),
    }
}

/// An element, in [`bytes`]: its coefficients but for the top one.
pub(super) fn encode<R: Ring>(cpu: Cpu, a: &Element<R>, out: &mut [u8]) {
    let (front, end) = out.split_at_mut(const { whole_bytes::<R>() });
    let mut last = SecretBytes::<32>::zero();
    put::<R>(cpu, &a.rows()[..=const { whole_rows::<R>() }], front, &mut last);
    last[end.len() - 1] &= const { last_mask::<R>() };
    end.copy_from_slice(&last[..end.len()]);
}

/// An element modulo `Phi_n`, of any bytes; and less the sum of its coefficients.
fn decode<R: Ring>(cpu: Cpu, bytes: &[u8], out: &mut Element<R>) -> i16 {
    let (front, end) = bytes.split_at(const { whole_bytes::<R>() });
    let (rows, behind) = out.rows_mut().split_at_mut(const { whole_rows::<R>() + 1 });
    let mut last = SecretBytes::<32>::zero();
    last[..end.len()].copy_from_slice(end);
    last[end.len() - 1] &= const { last_mask::<R>() };
    let sum = take::<R>(cpu, front, &last, rows);
    clear_from(0, behind);
    const { Centre::of::<R>() }.word(sum.wrapping_neg())
}

/// An element modulo `Phi_n`, of any bytes.
pub(super) fn decode_modulo_phi<R: Ring>(cpu: Cpu, bytes: &[u8], out: &mut Element<R>) {
    decode(cpu, bytes, out);
}

/// An element whose coefficients sum to 0, of any bytes.
pub(super) fn decode_of_sum_zero<R: Ring>(cpu: Cpu, bytes: &[u8], out: &mut Element<R>) {
    let top = decode(cpu, bytes, out);
    out.rows_mut().as_flattened_mut()[R::N - 1] = top;
}

/// The bits of an encoded element that are no coefficient's: 0 where it was written by [`encode`].
pub(super) fn unused_bits<R: Ring>(bytes: &[u8]) -> u8 {
    bytes.last().map_or(0, |last| last & const { !last_mask::<R>() })
}
