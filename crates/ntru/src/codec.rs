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
use ringsmith_ring::Ring;
use ringsmith_simd::{Cpu, Kernel, Row, Simd, wipe};

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

/// The low `D` bits of coefficients, of the last row as many as there is room for.
struct Put<'a, const D: usize> {
    a: &'a [Row],
    /// The bits of the last byte that are numbers'.
    mask: u8,
    out: &'a mut [u8],
}

impl<const D: usize> Kernel for Put<'_, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (Put { a, mask, out }, low, mut last) = (self, s.splat(const { (1 << D) - 1 }), [0; 32]);
        if let Some((row, rows)) = a.split_last() {
            for (r, row) in rows.iter().enumerate() {
                write::<S, D>(s, s.and(s.load(row), low), out, r);
            }
            s.pack::<D>(s.and(s.load(row), low), &mut last);
            let end = &mut out[2 * D * rows.len()..];
            last[end.len() - 1] &= mask;
            end.copy_from_slice(&last[..end.len()]);
        }
        wipe(&mut last);
    }
}

/// Numbers of `D` bits, centred, one row more than whole ones; the result is their sum.
struct Take<'a, const D: usize> {
    centre: Centre,
    bytes: &'a [u8],
    /// The bits of the last byte that are numbers'.
    mask: u8,
    out: &'a mut [Row],
}

impl<const D: usize> Kernel for Take<'_, D> {
    type Out = i16;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i16 {
        let Take { centre, bytes, mask, out } = self;
        let (mut sum, mut last) = (s.splat(0), [0; 32]);
        if let Some((row, rows)) = out.split_last_mut() {
            for (r, row) in rows.iter_mut().enumerate() {
                let x = centre.apply(s, read::<S, D>(s, bytes, r));
                sum = s.add(sum, x);
                s.store(row, x);
            }
            let end = &bytes[2 * D * rows.len()..];
            last[..end.len()].copy_from_slice(end);
            last[end.len() - 1] &= mask;
            let x = centre.apply(s, s.unpack::<D>(&last));
            sum = s.add(sum, x);
            s.store(row, x);
        }
        wipe(&mut last);
        sum_of_lanes(s, sum)
    }
}

/// Rows of coefficients that are written, the last one in part.
const fn rows<R: Ring>() -> usize {
    assert!(!(R::N - 1).is_multiple_of(16));
    R::N.div_ceil(16)
}

fn put<R: Ring>(cpu: Cpu, a: &[Row], out: &mut [u8]) {
    let mask = const { last_mask::<R>() };
    match const { bits_of::<R>() } {
        11 => cpu.run(Put::<11> { a, mask, out }),
        12 => cpu.run(Put::<12> { a, mask, out }),
        13 => cpu.run(Put::<13> { a, mask, out }),
        _ => cpu.run(Put::<14> { a, mask, out }),
    }
}

fn take<R: Ring>(cpu: Cpu, bytes: &[u8], out: &mut [Row]) -> i16 {
    let (centre, mask) = const { (Centre::of::<R>(), last_mask::<R>()) };
    match const { bits_of::<R>() } {
        11 => cpu.run(Take::<11> { centre, bytes, mask, out }),
        12 => cpu.run(Take::<12> { centre, bytes, mask, out }),
        13 => cpu.run(Take::<13> { centre, bytes, mask, out }),
        _ => cpu.run(Take::<14> { centre, bytes, mask, out }),
    }
}

/// An element, in [`bytes`]: its coefficients but for the top one.
pub(super) fn encode<R: Ring>(cpu: Cpu, a: &Element<R>, out: &mut [u8]) {
    put::<R>(cpu, &a.rows()[..const { rows::<R>() }], out);
}

/// An element modulo `Phi_n`, of any bytes; and less the sum of its coefficients.
fn decode<R: Ring>(cpu: Cpu, bytes: &[u8], out: &mut Element<R>) -> i16 {
    let (rows, behind) = out.rows_mut().split_at_mut(const { rows::<R>() });
    let sum = take::<R>(cpu, bytes, rows);
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
