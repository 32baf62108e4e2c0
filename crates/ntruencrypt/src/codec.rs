//! Elements modulo `q` as bytes, 11 bits a coefficient; and modulo 4, 2 bits.
//!
//! # The map
//! In EESS#1 bits go from the most significant on, in a coefficient and in a byte (RE2OSP). Sixteen
//! coefficients are 22 bytes. In reverse, these are the coefficients in reverse, with bits from the least
//! significant on, and vectors read and write that. libntru's bits go from the least significant on.
//!
//! Source: EESS#1 v3.1, sections 8.2.2 and 8.3.3. Constant time in the coefficients.

use crate::facts::{Flavour, Q_BITS};
use ringsmith_kem::secret::SecretBytes;
use ringsmith_simd::{Cpu, Kernel, Row, Simd, each};

/// Bytes of a row.
const ROW_BYTES: usize = 2 * Q_BITS;
/// Half of `q`.
pub(crate) const HALF: i16 = 1 << (Q_BITS - 1);

/// The lanes of a vector in reverse.
#[inline(always)]
fn reversed<S: Simd>(s: S, x: S::I16) -> S::I16 {
    /// All ones in the first two of four lanes.
    const FIRST: Row = [-1, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0];
    let pairs = s.swap_pairs(x);
    let [up, down] = [s.half_window::<2>(pairs, pairs), s.half_window::<6>(pairs, pairs)];
    let fours = s.select(s.load(&FIRST), up, down);
    let eights = s.half_window::<4>(fours, fours);
    let (low, high) = s.zip::<8>(eights, eights);
    s.zip::<8>(high, low).0
}

/// The first 22 of 32 bytes in reverse, and the others in any order.
#[inline(always)]
fn reversed_bytes(bytes: &[u8; ROW_BYTES], window: &mut [u8; 32]) {
    let word = |at: usize| u64::from_be_bytes(each(|i| bytes[at + i])).to_le_bytes();
    window[..8].copy_from_slice(&word(14));
    window[8..16].copy_from_slice(&word(6));
    window[14..22].copy_from_slice(&word(0));
}

/// Coefficients as 22 bytes a row.
struct Put<'a> {
    backwards: bool,
    a: &'a [Row],
    out: &'a mut [[u8; ROW_BYTES]],
}

impl Kernel for Put<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mask = s.splat(2 * HALF - 1);
        for (row, out) in self.a.iter().zip(self.out) {
            let (mut window, mut turned) = ([0; 32], [0; 32]);
            let x = s.and(s.load(row), mask);
            s.pack::<Q_BITS>(if self.backwards { reversed(s, x) } else { x }, &mut window);
            let bytes = window.first_chunk().expect("22 of 32 bytes");
            if self.backwards {
                reversed_bytes(bytes, &mut turned);
                *out = *turned.first_chunk().expect("22 of 32 bytes");
            } else {
                *out = *bytes;
            }
        }
    }
}

/// The inverse; coefficients are centred.
struct Take<'a> {
    backwards: bool,
    bytes: &'a [[u8; ROW_BYTES]],
    out: &'a mut [Row],
}

impl Kernel for Take<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let half = s.splat(HALF);
        for (bytes, out) in self.bytes.iter().zip(self.out) {
            let mut window = [0; 32];
            if self.backwards {
                reversed_bytes(bytes, &mut window);
            } else {
                window[..ROW_BYTES].copy_from_slice(bytes);
            }
            let x = s.unpack::<Q_BITS>(&window);
            // Of x + q / 2 the bit of q / 2 is another, and x - q / 2 is centred then.
            let x = s.sub(s.xor(x, half), half);
            s.store(out, if self.backwards { reversed(s, x) } else { x });
        }
    }
}

fn is_backwards(flavour: Flavour) -> bool {
    flavour == Flavour::Eess
}

/// The first `n` coefficients, which are zero behind them, in so many bytes.
pub(crate) fn pack(cpu: Cpu, flavour: Flavour, a: &[Row], n: usize, out: &mut [u8]) {
    let backwards = is_backwards(flavour);
    let (whole, rest) = out.as_chunks_mut();
    cpu.run(Put { backwards, a: &a[..whole.len()], out: whole });
    if !rest.is_empty() {
        let (row, mut last) = (a[n / 16], SecretBytes::<ROW_BYTES>::zero());
        let out = core::slice::from_mut(&mut *last);
        cpu.run(Put { backwards, a: core::slice::from_ref(&row), out });
        rest.copy_from_slice(&last[..rest.len()]);
    }
}

/// The inverse, centred, with zeroes behind the coefficients; not 0 if bits behind the last are not.
pub(crate) fn unpack(cpu: Cpu, flavour: Flavour, bytes: &[u8], n: usize, out: &mut [Row]) -> u16 {
    let (backwards, (whole, rest)) = (is_backwards(flavour), bytes.as_chunks());
    let (rows, behind) = out.split_at_mut(whole.len());
    cpu.run(Take { backwards, bytes: whole, out: rows });
    let Some((last, zeroes)) = behind.split_first_mut() else { return 0 };
    let mut padded = SecretBytes::<ROW_BYTES>::zero();
    padded[..rest.len()].copy_from_slice(rest);
    let bytes = core::slice::from_ref(&*padded);
    cpu.run(Take { backwards, bytes, out: core::slice::from_mut(last) });
    let bad = last[n % 16..].iter().fold(0, |any, x| any | x);
    last[n % 16..].fill(0);
    zeroes.as_flattened_mut().fill(0);
    bad as u16
}

/// The first `n` coefficients modulo 4, four in a byte.
pub(crate) fn pack_modulo_4(flavour: Flavour, a: &[Row], n: usize, out: &mut [u8]) {
    for (byte, four) in out.iter_mut().zip(a.as_flattened()[..n.next_multiple_of(4)].as_chunks::<4>().0) {
        let [a, b, c, d] = four.map(|x| (x & 3) as u8);
        *byte = match flavour {
            Flavour::Eess => a << 6 | b << 4 | c << 2 | d,
            Flavour::Libntru { .. } => d << 6 | c << 4 | b << 2 | a,
        };
    }
}
