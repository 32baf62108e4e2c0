//! Elements as bytes: small ones in two bits a coefficient, others by mixed radix; and how coefficients are
//! rounded.
//!
//! A coefficient modulo `q` is rounded to the nearest multiple of 3. Because `q = 1` modulo 6, the multiples
//! of 3 are `3 i` for `|i| <= (q - 1) / 6`, and what is sent is `i + (q - 1) / 6`.
//!
//! Source: NTRU Prime, round 3, sections 3.1 to 3.4 and 4. Constant time in the coefficients.

use super::element::{Element, Work};
use super::radix::{self, Radix};
use core::marker::PhantomData;
use ringsmith_kem::bits::{read, write};
use ringsmith_ring::Ring;
use ringsmith_ring::three::third;
use ringsmith_simd::{Cpu, Kernel, Row, Simd};

/// Rows of the largest ring.
const MAX: usize = 80;

/// How the elements of a ring are encoded.
pub struct Codec {
    /// Any coefficients.
    pub(super) full: Radix,
    /// Rounded coefficients.
    pub(super) rounded: Radix,
}

impl Codec {
    pub(super) const fn new(n: usize, q: i64) -> Self {
        assert!(q % 6 == 1 && q < 1 << 13);
        Codec { full: Radix::new(n, q as u64), rounded: Radix::new(n, (q as u64 - 1) / 3 + 1) }
    }
}

/// What of coefficients is sent.
trait Precision {
    /// Whether they are rounded.
    const ROUNDED: bool;
}

/// All of them.
struct Exact;

impl Precision for Exact {
    const ROUNDED: bool = false;
}

/// A third of them, rounded.
struct Rounded;

impl Precision for Rounded {
    const ROUNDED: bool = true;
}

/// `a + c`, of a third where it is rounded.
struct Above<'a, P> {
    precision: PhantomData<P>,
    a: &'a [Row],
    c: i16,
    out: &'a mut [Row],
}

impl<P: Precision> Kernel for Above<'_, P> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let c = s.splat(self.c);
        for (to, from) in self.out.iter_mut().zip(self.a) {
            let x = s.load(from);
            s.store(to, s.add(if P::ROUNDED { third(s, x) } else { x }, c));
        }
    }
}

/// `a - c`, three times where it was rounded.
struct Below<'a, P> {
    precision: PhantomData<P>,
    a: &'a [Row],
    c: i16,
    out: &'a mut [Row],
}

impl<P: Precision> Kernel for Below<'_, P> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let c = s.splat(self.c);
        for (to, from) in self.out.iter_mut().zip(self.a) {
            let x = s.sub(s.load(from), c);
            s.store(to, if P::ROUNDED { s.add(s.add(x, x), x) } else { x });
        }
    }
}

fn encode_by<R: Ring, P: Precision>(work: &mut Work<R>, radix: &Radix, a: &Element<R>, out: &mut [u8]) {
    let (cpu, numbers) = (work.cpu(), work.rows::<MAX>());
    let c = ((R::Q - 1) / if P::ROUNDED { 6 } else { 2 }) as i16;
    cpu.run(Above::<P> { precision: PhantomData, a: a.rows(), c, out: numbers });
    radix::encode(cpu, radix, numbers, out);
}

fn decode_by<R: Ring, P: Precision>(work: &mut Work<R>, radix: &Radix, bytes: &[u8], out: &mut Element<R>) {
    let (cpu, numbers) = (work.cpu(), work.rows::<MAX>());
    let c = ((R::Q - 1) / if P::ROUNDED { 6 } else { 2 }) as i16;
    radix::decode(cpu, radix, bytes, numbers);
    cpu.run(Below::<P> { precision: PhantomData, a: numbers, c, out: out.rows_mut() });
    out.clear_tail();
}

impl Codec {
    /// An element.
    pub(super) fn encode<R: Ring>(&self, work: &mut Work<R>, a: &Element<R>, out: &mut [u8]) {
        encode_by::<R, Exact>(work, &self.full, a, out);
    }

    /// An element: any bytes are one.
    pub(super) fn decode<R: Ring>(&self, work: &mut Work<R>, bytes: &[u8], out: &mut Element<R>) {
        decode_by::<R, Exact>(work, &self.full, bytes, out);
    }

    /// An element, rounded.
    pub(super) fn encode_rounded<R: Ring>(&self, work: &mut Work<R>, a: &Element<R>, out: &mut [u8]) {
        encode_by::<R, Rounded>(work, &self.rounded, a, out);
    }

    /// A rounded element: any bytes are one.
    pub(super) fn decode_rounded<R: Ring>(&self, work: &mut Work<R>, bytes: &[u8], out: &mut Element<R>) {
        decode_by::<R, Rounded>(work, &self.rounded, bytes, out);
    }
}

/// Bytes of a small element of degree `n`.
pub(super) const fn small_bytes(n: usize) -> usize {
    n.div_ceil(4)
}

/// `a + 1` in two bits each.
struct PutSmall<'a> {
    a: &'a [Row],
    out: &'a mut [u8],
}

impl Kernel for PutSmall<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for (r, row) in self.a.iter().enumerate() {
            write::<S, 2>(s, s.add(s.load(row), s.splat(1)), self.out, r);
        }
    }
}

/// Numbers of two bits less 1; -1 if none is 2.
struct TakeSmall<'a> {
    bytes: &'a [u8],
    out: &'a mut [Row],
}

impl Kernel for TakeSmall<'_> {
    type Out = i16;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i16 {
        let mut good = s.splat(-1);
        for (r, row) in self.out.iter_mut().enumerate() {
            let x = read::<S, 2>(s, self.bytes, r);
            good = s.and(good, s.gt(s.splat(3), x));
            s.store(row, s.sub(x, s.splat(1)));
        }
        let mut lanes = [0; 16];
        s.store(&mut lanes, good);
        lanes.iter().fold(-1, |all, x| all & x)
    }
}

/// Bytes of the largest small element in whole rows.
const MAX_SMALL: usize = 4 * MAX;

/// A small element, in [`small_bytes`].
pub(super) fn encode_small<R: Ring>(cpu: Cpu, a: &Element<R>, out: &mut [u8]) {
    let mut padded = ringsmith_kem::secret::SecretBytes::<MAX_SMALL>::zero();
    cpu.run(PutSmall { a: a.rows(), out: padded.as_mut() });
    out.copy_from_slice(&padded[..out.len()]);
    // Behind the last coefficient there are zeroes.
    if let Some(last) = out.last_mut() {
        *last &= (1 << (2 * ((R::N - 1) % 4 + 1))) - 1;
    }
}

/// A small element, and whether its coefficients are -1, 0, 1.
pub(super) fn decode_small<R: Ring>(cpu: Cpu, bytes: &[u8], out: &mut Element<R>) -> bool {
    let mut padded = ringsmith_kem::secret::SecretBytes::<MAX_SMALL>::zero();
    padded[..bytes.len()].copy_from_slice(bytes);
    let good = cpu.run(TakeSmall { bytes: padded.as_ref(), out: out.rows_mut() });
    out.clear_tail();
    good != 0
}
