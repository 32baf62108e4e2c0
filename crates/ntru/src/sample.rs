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
use super::rings::Quotient;
use super::ternary::modulo_3;
use ringsmith_kem::secret::SecretBytes;
use ringsmith_ring::sort::{ROWS, low_bits, sort};
use ringsmith_ring::{Ring, Rows32};
use ringsmith_simd::{Cpu, Kernel, Row, Row32, Simd};
use zeroize::{Zeroize, Zeroizing};

/// Sixteen bytes as they are.
pub(super) const IN_ORDER: &Row = &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Bytes of an element with independent coefficients.
pub(super) const fn independent_bytes(n: usize) -> usize {
    n - 1
}

/// Bytes of an element of a fixed type.
pub(super) const fn fixed_bytes(n: usize) -> usize {
    (30 * (n - 1)).div_ceil(8)
}

/// Bytes modulo 3, sixteen a row, and those of a last row.
struct Independent<'a> {
    bytes: &'a [[u8; 16]],
    last: &'a [u8; 16],
    out: &'a mut [Row],
}

impl Kernel for Independent<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        if let Some((row, rows)) = self.out.split_last_mut() {
            for (row, bytes) in rows.iter_mut().zip(self.bytes) {
                s.store(row, modulo_3(s, s.pick(bytes, IN_ORDER)));
            }
            s.store(row, modulo_3(s, s.pick(self.last, IN_ORDER)));
        }
    }
}

/// An element with independent coefficients of [`independent_bytes`].
pub(super) fn independent<R: Ring>(cpu: Cpu, bytes: &[u8], out: &mut Ternary<R>) {
    const { assert!(!(R::N - 1).is_multiple_of(16)) };
    let ((bytes, end), mut last) = (bytes.as_chunks(), SecretBytes::<16>::zero());
    // Behind the bytes there are zeroes.
    last[..end.len()].copy_from_slice(end);
    let (out, behind) = out.rows_mut().split_at_mut(const { R::N.div_ceil(16) });
    cpu.run(Independent { bytes, last: &last, out });
    clear_from(0, behind);
}

/// Numbers, as many as are sorted where there are as many as coefficients; cleared on drop.
pub trait Numbers: Zeroize {
    /// All zero.
    const ZERO: Self;
    /// The blocks, to write.
    fn blocks_mut(&mut self) -> &mut [[Row32; ROWS]];
}

impl<const COUNT: usize> Numbers for Rows32<COUNT> {
    const ZERO: Self = Rows32([[0; 8]; COUNT]);
    fn blocks_mut(&mut self) -> &mut [[Row32; ROWS]] {
        self.0.as_chunks_mut().0
    }
}

/// Numbers of 30 bits, moved up by two, with a mark below; four of them have 15 bytes.
fn read_numbers(bytes: &[u8], mark: u64, words: &mut [i32]) {
    for (words, bytes) in words.as_chunks_mut::<4>().0.iter_mut().zip(bytes.as_chunks::<15>().0) {
        let [low, high] = [0, 7].map(|at| bytes[at..].first_chunk().expect("8 bytes"));
        let (low, high) = (u64::from_le_bytes(*low), u64::from_le_bytes(*high));
        // Number `i` begins at bit `30 i`, the second half of the bytes at bit 56.
        *words = [low, low >> 30, high >> 4, high >> 34].map(|x| (x << 2 | mark) as i32);
    }
}

/// The same numbers, of which the first `marked` are marked 1 and as many behind them 2.
fn read_marked(bytes: &[u8], marked: usize, words: &mut [i32]) {
    // Marks begin and end within fours of numbers, which are read at once.
    let [ones, twos] = [marked, 2 * marked].map(|end| end.div_ceil(4));
    read_numbers(bytes, 1, &mut words[..4 * ones]);
    read_numbers(&bytes[15 * ones..], 2, &mut words[4 * ones..4 * twos]);
    read_numbers(&bytes[15 * twos..], 0, &mut words[4 * twos..]);
    words[marked..4 * ones].iter_mut().for_each(|x| *x ^= 1 ^ 2);
    words[2 * marked..4 * twos].iter_mut().for_each(|x| *x ^= 2);
}

/// Marks as coefficients.
struct Marks<'a>(&'a mut [Row]);

impl Kernel for Marks<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for row in self.0 {
            let mark = s.load(row);
            s.store(row, modulo_3(s, mark));
        }
    }
}

/// An element of [`fixed_bytes`] with `weight` coefficients that are not 0, half of them 1 and half -1.
pub(super) fn fixed<R: Quotient>(cpu: Cpu, bytes: &[u8], weight: usize, out: &mut Ternary<R>) {
    const { assert!((R::N - 1).is_multiple_of(4)) };
    let mut words = Zeroizing::new(R::Numbers::ZERO);
    let blocks = words.blocks_mut();
    let (numbers, rest) = blocks.as_flattened_mut().as_flattened_mut().split_at_mut(R::N - 1);
    read_marked(bytes, weight / 2, numbers);
    // Behind all numbers, none of which is 3 modulo 4.
    rest.fill(i32::MAX);
    sort(cpu, blocks);
    low_bits(cpu, blocks, 3, out.rows_mut());
    cpu.run(Marks(out.rows_mut()));
    clear_from(R::N - 1, out.rows_mut());
}
