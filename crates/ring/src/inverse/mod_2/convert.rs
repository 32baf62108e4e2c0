//! Polynomials over `F_2` from rows of coefficients, and back.

use super::polynomial::{Bits, Bytes, fits};
use crate::memory::{Rows, wipe};
use ringsmith_simd::{Cpu, Kernel, Row, Simd, each};

/// The least bits of coefficients.
struct Parities<'a> {
    rows: &'a [Row],
    /// Two for each row, and room for a store.
    bytes: &'a mut [u8],
}

impl Kernel for Parities<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let one = s.splat(1);
        for (i, row) in self.rows.iter().enumerate() {
            let bits = s.and(s.load(row), one);
            s.pack::<1>(bits, self.bytes[2 * i..].first_chunk_mut().expect("32 bytes"));
        }
    }
}

/// Bits as coefficients 0 and 1.
struct Coefficients<'a> {
    /// Two for each row, and room for a load.
    bytes: &'a [u8],
    rows: &'a mut [Row],
}

impl Kernel for Coefficients<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for (i, row) in self.rows.iter_mut().enumerate() {
            s.store(row, s.unpack::<1>(self.bytes[2 * i..].first_chunk().expect("32 bytes")));
        }
    }
}

/// The first `N` coefficients modulo 2.
pub fn from_rows<const N: usize, const WORDS: usize, const ROWS: usize>(
    cpu: Cpu,
    a: &Rows<ROWS>,
) -> Bits<WORDS> {
    const { assert!(fits(N, WORDS) && N <= 16 * ROWS) };
    let mut bytes: Bytes<WORDS> = [[[0; 8]; WORDS]; 2];
    let place = bytes.as_flattened_mut().as_flattened_mut();
    cpu.run(Parities { rows: &a.0[..N.div_ceil(16)], bytes: place });
    let mut out: Bits<WORDS> = each(|i| u64::from_le_bytes(bytes[0][i]));
    out[WORDS - 1] &= (1 << (N % 64)) - 1;
    wipe(bytes.as_flattened_mut().as_flattened_mut());
    out
}

/// Coefficients 0 and 1; those from `N` on are 0.
pub fn to_rows<const N: usize, const WORDS: usize, const ROWS: usize>(
    cpu: Cpu,
    a: &Bits<WORDS>,
    out: &mut Rows<ROWS>,
) {
    const { assert!(fits(N, WORDS) && N <= 16 * ROWS) };
    let mut bytes: Bytes<WORDS> = [[[0; 8]; WORDS]; 2];
    bytes[0] = each(|i| a[i].to_le_bytes());
    let (rows, rest) = out.0.split_at_mut(N.div_ceil(16));
    cpu.run(Coefficients { bytes: bytes.as_flattened().as_flattened(), rows });
    rest.as_flattened_mut().fill(0);
    wipe(bytes.as_flattened_mut().as_flattened_mut());
}

/// Adds 1 to all of the first `N` coefficients where their sum is even: the same element modulo
/// `1 + x + .. + x^(N-1)`, and a unit modulo 2 and `x^N - 1` where it is one modulo that and 2.
pub fn unit_modulo_2<const N: usize, const ROWS: usize>(a: &mut Rows<ROWS>) {
    const { assert!(N % 2 == 1 && N <= 16 * ROWS) };
    let a = &mut a.0.as_flattened_mut()[..N];
    let even = 1 & !a.iter().fold(0, |sum, x| sum ^ x);
    a.iter_mut().for_each(|x| *x = x.wrapping_add(even));
}
