//! Polynomials over `F_2` from rows of coefficients, and back.

use super::polynomial::{Bits, Bytes, fits};
use crate::memory::{Rows, wipe};
use ringsmith_simd::{Cpu, Kernel, Row, Simd, each};

/// The least bits of coefficients.
struct Parities<'a, const WORDS: usize> {
    rows: &'a [Row],
    bytes: &'a mut Bytes<WORDS>,
}

impl<const WORDS: usize> Kernel for Parities<'_, WORDS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (bytes, one, mut i) = (self.bytes.as_flattened_mut().as_flattened_mut(), s.splat(1), 0);
        while i < self.rows.len() {
            let bits = s.and(s.load(&self.rows[i]), one);
            s.pack::<1>(bits, bytes[2 * i..2 * i + 32].first_chunk_mut().expect("32 bytes"));
            i += 1;
        }
    }
}

/// Bits as coefficients 0 and 1.
struct Coefficients<'a, const WORDS: usize> {
    bytes: &'a Bytes<WORDS>,
    rows: &'a mut [Row],
}

impl<const WORDS: usize> Kernel for Coefficients<'_, WORDS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (bytes, mut i) = (self.bytes.as_flattened().as_flattened(), 0);
        while i < self.rows.len() {
            let bits = s.unpack::<1>(bytes[2 * i..2 * i + 32].first_chunk().expect("32 bytes"));
            s.store(&mut self.rows[i], bits);
            i += 1;
        }
    }
}

/// The first `N` coefficients modulo 2.
pub fn from_rows<const N: usize, const WORDS: usize, const ROWS: usize>(
    cpu: Cpu,
    a: &Rows<ROWS>,
) -> Bits<WORDS> {
    const { assert!(fits(N, WORDS) && N <= 16 * ROWS) };
    let mut bytes = [[[0; 8]; WORDS]; 2];
    cpu.run(Parities { rows: &a.0[..N.div_ceil(16)], bytes: &mut bytes });
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
    let mut bytes = [[[0; 8]; WORDS]; 2];
    bytes[0] = each(|i| a[i].to_le_bytes());
    let (rows, rest) = out.0.split_at_mut(N.div_ceil(16));
    cpu.run(Coefficients { bytes: &bytes, rows });
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
