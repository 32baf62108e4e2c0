//! Elements modulo `q` as bytes, 11 bits a coefficient, or 14; and modulo 4, 2 bits.
//!
//! # The map
//! In EESS#1 bits go from the most significant on, in a coefficient and in a byte (RE2OSP). Sixteen
//! coefficients are 22 bytes, or 28. In reverse, these are the coefficients in reverse, with bits from the
//! least significant on, and vectors read and write that. libntru's bits go from the least significant on.
//!
//! A number of 14 bits may be no coefficient: it is centred all the same, and told at last.
//!
//! Source: EESS#1 v3.1, sections 8.2.2 and 8.3.3. Constant time in the coefficients.

use crate::facts::Flavour;
use crate::modulus::Modulus;
use crate::radix;
use core::marker::PhantomData;
use ringsmith_kem::secret::SecretBytes;
use ringsmith_simd::{Cpu, Kernel, Row, Simd, each};

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

/// The first `count` of 32 bytes in reverse, 16 or more; the others are of no meaning.
#[inline(always)]
fn reversed_bytes(bytes: &[u8; 32], count: usize) -> [u8; 32] {
    let word = |at: usize| u64::from_be_bytes(each(|i| bytes[at + i])).to_le_bytes();
    let (mut out, mut i) = ([0; 32], 0);
    while 8 * (i + 1) <= count {
        out[8 * i..][..8].copy_from_slice(&word(count - 8 * (i + 1)));
        i += 1;
    }
    out[count - 8..][..8].copy_from_slice(&word(0));
    out
}

/// Coefficients as bytes.
struct Put<'a, M> {
    modulus: PhantomData<M>,
    backwards: bool,
    a: &'a [Row],
    out: &'a mut [u8],
}

impl<M: Modulus> Kernel for Put<'_, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let row_bytes = const { M::ROW_BYTES };
        for (row, out) in self.a.iter().zip(self.out.chunks_exact_mut(row_bytes)) {
            let mut window = [0; 32];
            let x = M::canonical(s, s.load(row));
            M::pack(s, if self.backwards { reversed(s, x) } else { x }, &mut window);
            if self.backwards {
                window = reversed_bytes(&window, row_bytes);
            }
            out.copy_from_slice(&window[..row_bytes]);
        }
    }
}

/// The inverse; coefficients are centred. Below 0 where a number is none.
struct Take<'a, M> {
    modulus: PhantomData<M>,
    backwards: bool,
    bytes: &'a [u8],
    out: &'a mut [Row],
}

impl<M: Modulus> Kernel for Take<'_, M> {
    type Out = i16;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i16 {
        let row_bytes = const { M::ROW_BYTES };
        let mut least = s.splat(0);
        for (bytes, out) in self.bytes.chunks_exact(row_bytes).zip(self.out) {
            let mut window = [0; 32];
            window[..row_bytes].copy_from_slice(bytes);
            if self.backwards {
                window = reversed_bytes(&window, row_bytes);
            }
            let x = M::unpack(s, &window);
            least = M::with_sign(s, least, x);
            let x = M::centred(s, x);
            s.store(out, if self.backwards { reversed(s, x) } else { x });
        }
        let mut lanes = [0; 16];
        s.store(&mut lanes, least);
        lanes.iter().fold(0, |any, x| any | x)
    }
}

fn is_backwards(flavour: Flavour) -> bool {
    !flavour.is_libntru()
}

/// The first `n` coefficients, which are zero behind them, in so many bytes.
pub(crate) fn pack<M: Modulus>(cpu: Cpu, flavour: Flavour, a: &[Row], n: usize, out: &mut [u8]) {
    let (modulus, backwards) = (PhantomData::<M>, is_backwards(flavour));
    let whole = out.len() / M::ROW_BYTES;
    let (rows, rest) = out.split_at_mut(whole * M::ROW_BYTES);
    cpu.run(Put { modulus, backwards, a: &a[..whole], out: rows });
    if !rest.is_empty() {
        let (row, mut last) = (a[n / 16], SecretBytes::<32>::zero());
        let a = core::slice::from_ref(&row);
        cpu.run(Put { modulus, backwards, a, out: &mut last[..M::ROW_BYTES] });
        rest.copy_from_slice(&last[..rest.len()]);
    }
}

/// The inverse, centred, with zeroes behind the coefficients; not 0 if a number is `q` or more, or bits
/// behind the last one are not zero.
pub(crate) fn unpack<M: Modulus>(cpu: Cpu, flavour: Flavour, bytes: &[u8], n: usize, out: &mut [Row]) -> u16 {
    let (modulus, backwards) = (PhantomData::<M>, is_backwards(flavour));
    let whole = bytes.len() / M::ROW_BYTES;
    let ((bytes, rest), (rows, behind)) = (bytes.split_at(whole * M::ROW_BYTES), out.split_at_mut(whole));
    let mut bad = cpu.run(Take { modulus, backwards, bytes, out: rows });
    let Some((last, zeroes)) = behind.split_first_mut() else { return (bad >> 15) as u16 };
    let mut padded = SecretBytes::<32>::zero();
    padded[..rest.len()].copy_from_slice(rest);
    let bytes = &padded[..M::ROW_BYTES];
    bad |= cpu.run(Take { modulus, backwards, bytes, out: core::slice::from_mut(last) });
    let behind_last = last[n % 16..].iter().fold(0, |any, x| any | x);
    last[n % 16..].fill(0);
    zeroes.as_flattened_mut().fill(0);
    (bad >> 15 | behind_last) as u16
}

/// [`pack`] as a set's public keys have it.
pub(crate) fn pack_key<M: Modulus>(cpu: Cpu, flavour: Flavour, a: &[Row], n: usize, out: &mut [u8]) {
    match flavour {
        Flavour::Radix => radix::pack(a, n, out),
        _ => pack::<M>(cpu, flavour, a, n, out),
    }
}

/// [`unpack`] likewise.
pub(crate) fn unpack_key<M: Modulus>(
    cpu: Cpu,
    flavour: Flavour,
    bytes: &[u8],
    n: usize,
    out: &mut [Row],
) -> u16 {
    match flavour {
        Flavour::Radix => radix::unpack(bytes, n, out),
        _ => unpack::<M>(cpu, flavour, bytes, n, out),
    }
}

/// The beginning of what is [packed](pack), as much as is hashed, of a set's public key.
pub(crate) fn start_of_key<M: Modulus>(cpu: Cpu, flavour: Flavour, packed: &[u8], a: &[Row], out: &mut [u8]) {
    match flavour {
        Flavour::Radix => {
            let (rows, mut bytes) = (out.len().div_ceil(M::ROW_BYTES), [0; 2 * 32]);
            let bytes = &mut bytes[..rows * M::ROW_BYTES];
            pack::<M>(cpu, flavour, &a[..rows], 16 * rows, bytes);
            out.copy_from_slice(&bytes[..out.len()]);
        }
        _ => out.copy_from_slice(&packed[..out.len()]),
    }
}

/// The first `n` coefficients modulo 4, four in a byte.
pub(crate) fn pack_modulo_4<M: Modulus>(flavour: Flavour, a: &[Row], n: usize, out: &mut [u8]) {
    for (byte, four) in out.iter_mut().zip(a.as_flattened()[..n.next_multiple_of(4)].as_chunks::<4>().0) {
        let [a, b, c, d] = four.map(|x| (M::canonical_word(x) & 3) as u8);
        *byte = match flavour {
            Flavour::Libntru { .. } => d << 6 | c << 4 | b << 2 | a,
            _ => a << 6 | b << 4 | c << 2 | d,
        };
    }
}
