//! Random ternary elements, of bytes that somebody drew.
//!
//! * Independent coefficients: byte `i` modulo 3, where 2 is -1; the top coefficient is 0. `256 = 1 (mod 3)`,
//!   so 0 is the likeliest, by 1 in 256.
//! * A fixed type: as many ones as minus ones. Words of 30 bits, the least significant first, move up by two
//!   bits; the first `w / 2` are marked 1, the next `w / 2` are marked 2; sorted as signed words, their marks
//!   are the coefficients, where 2 is -1.
//!
//! Source: NTRU, round 3, section 1.10. Constant time in the bytes.

use super::element::{InRows, Ternary, clear_from};
use super::ternary::modulo_3;
use ringsmith_kem::bits::read;
use ringsmith_kem::secret::SecretBytes;
use ringsmith_ring::sort::sort;
use ringsmith_ring::{Ring, Rows32};
use ringsmith_simd::{Cpu, Kernel, Row, Row32, Simd};
use zeroize::Zeroizing;

/// Numbers that are sorted together with others.
const BLOCK: usize = 64;
/// Rows of the largest ring.
pub(super) const MAX_ROWS: usize = 96;
/// Numbers of the largest ring that sorts, in whole blocks.
const MAX_SORTED: usize = 1280;

/// Bytes of an element with independent coefficients.
pub(super) const fn independent_bytes(n: usize) -> usize {
    n - 1
}

/// Bytes of an element of a fixed type.
pub(super) const fn fixed_bytes(n: usize) -> usize {
    (30 * (n - 1)).div_ceil(8)
}

/// Bytes modulo 3.
struct Independent<'a> {
    bytes: &'a [u8],
    out: &'a mut [Row],
}

impl Kernel for Independent<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for (r, row) in self.out.iter_mut().enumerate() {
            s.store(row, modulo_3(s, read::<S, 8>(s, self.bytes, r)));
        }
    }
}

/// An element with independent coefficients of [`independent_bytes`].
pub(super) fn independent<R: Ring>(cpu: Cpu, bytes: &[u8], out: &mut Ternary<R>) {
    let mut padded = SecretBytes::<{ 16 * MAX_ROWS }>::zero();
    padded[..bytes.len()].copy_from_slice(bytes);
    cpu.run(Independent { bytes: padded.as_ref(), out: out.rows_mut() });
    // Behind the bytes there are zeroes.
    clear_from(R::N - 1, out.rows_mut());
}

/// Numbers, cleared on drop.
struct Words(Zeroizing<Rows32<{ MAX_SORTED / 8 }>>);

impl Words {
    fn all_mut(&mut self) -> &mut [i32] {
        self.0.0.as_flattened_mut()
    }

    /// Numbers of 30 bits, moved up by two; four of them have 15 bytes.
    fn read(&mut self, bytes: &[u8]) {
        for (words, bytes) in self.all_mut().as_chunks_mut::<4>().0.iter_mut().zip(bytes.as_chunks::<15>().0)
        {
            let [low, high] = [0, 7].map(|at| bytes[at..].first_chunk().expect("8 bytes"));
            let (low, high) = (u64::from_le_bytes(*low), u64::from_le_bytes(*high));
            // Number `i` begins at bit `30 i`, the second half of the bytes at bit 56.
            *words = [low, low >> 30, high >> 4, high >> 34].map(|x| (x << 2) as i32);
        }
    }
}

/// What is left of sorted numbers: their marks.
struct Marks<'a> {
    words: &'a [Row32],
    out: &'a mut [Row],
}

impl Kernel for Marks<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let three = s.splat32(3);
        for (row, [a, b]) in self.out.iter_mut().zip(self.words.as_chunks().0) {
            let (a, b) = (s.and32(s.load32(a), three), s.and32(s.load32(b), three));
            s.store(row, modulo_3(s, s.narrow(a, b)));
        }
    }
}

/// An element of [`fixed_bytes`] with `weight` coefficients that are not 0, half of them 1 and half -1.
pub(super) fn fixed<R: Ring>(cpu: Cpu, bytes: &[u8], weight: usize, out: &mut Ternary<R>) {
    const { assert!(R::N < MAX_SORTED && (R::N - 1).is_multiple_of(4)) };
    let mut words = Words(Zeroizing::new(Rows32([[0; 8]; MAX_SORTED / 8])));
    words.read(bytes);
    let (numbers, rest) = words.all_mut().split_at_mut(R::N - 1);
    let (ones, others) = numbers.split_at_mut(weight / 2);
    ones.iter_mut().for_each(|x| *x |= 1);
    others[..weight / 2].iter_mut().for_each(|x| *x |= 2);
    // Behind all numbers, none of which is 3 modulo 4.
    rest.fill(i32::MAX);
    sort(cpu, &mut words.0.0.as_chunks_mut().0[..const { (R::N - 1).div_ceil(BLOCK) }]);
    cpu.run(Marks { words: &words.0.0, out: out.rows_mut() });
    clear_from(R::N - 1, out.rows_mut());
}
