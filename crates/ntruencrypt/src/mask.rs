//! What a message is masked with: a polynomial with coefficients -1, 0, 1 of a hash (MGF-TP-1).
//!
//! # The map
//! Bytes of a stream of hashes that are above 242 are left out, in constant time
//! ([`compact`](crate::compact)); each of the others is five coefficients.
//!
//! # How many bytes
//! As many blocks are hashed as hold enough bytes for nearly all streams: those that are left out on average,
//! 13 of 256, and four standard deviations. Where there are too few another block is hashed, which shows.
//!
//! Source: EESS#1 v3.1, section 8.2.3.1.

use crate::candidates::{Blocks, Words};
use crate::compact::compact;
use crate::facts::{DIGITS, Facts, MOST_COEFFICIENTS};
use crate::trits::from_digits;
use ringsmith_kem::declassify::publish;
use ringsmith_kem::secret::SecretBytes;
use ringsmith_simd::{Cpu, Row};
use zeroize::Zeroizing;

/// Bytes below this are five digits.
const BYTES: u16 = 243;
/// Most bytes of a stream. That fewer of them than any set needs are below 243 has a probability below
/// `2^-400`.
const LIMIT: usize = 512;

/// Bytes that are enough for nearly all masks of degree `n`.
pub(crate) const fn expected(n: usize) -> usize {
    let (needed, rejected) = (n.div_ceil(DIGITS), 256 - BYTES as usize);
    // Of x bytes 13 x / 256 are left out, with a variance of nearly as much: four deviations are 4 sqrt of
    // it.
    let mean = needed * rejected / BYTES as usize + 1;
    let mut deviation = 0;
    while deviation * deviation < mean {
        deviation += 1;
    }
    needed + mean + 4 * deviation
}

/// Bytes of a stream that are below 243 and those that are not, as words; all zero after its end.
struct Bytes {
    words: Words<LIMIT>,
    stays: Words<LIMIT>,
    count: usize,
}

impl Bytes {
    /// Those of the next block.
    fn take(&mut self, bytes: &[u8]) {
        let places = self.words.0[self.count..].iter_mut().zip(&mut self.stays.0[self.count..]);
        for ((word, stays), byte) in places.zip(bytes) {
            *word = u16::from(*byte);
            *stays = (word.wrapping_sub(BYTES) as i16 >> 15) as u16;
            self.count += 1;
        }
    }

    /// How many are below 243.
    fn staying(&self) -> u16 {
        self.stays.0.iter().map(|mask| mask & 1).sum()
    }
}

/// Rows of bytes of digits.
const ROWS: usize = MOST_COEFFICIENTS.div_ceil(16 * DIGITS);

/// Writes the mask of an element modulo 4, as it is packed.
pub(crate) fn mask(cpu: Cpu, facts: &Facts, packed: &[u8], out: &mut [Row]) {
    let counter = if facts.flavour.is_libntru() { 2 } else { 4 };
    let mut stream = Blocks::zero(facts.hash);
    stream.of_digest(packed, counter);
    let mut bytes = Bytes { words: Words::zero(), stays: Words::zero(), count: 0 };
    let (needed, mut index) = (facts.n.div_ceil(DIGITS), 0);
    loop {
        let mut block = SecretBytes::zero();
        let length = stream.write(index, &mut block);
        bytes.take(&block[..length]);
        index += 1;
        if index < facts.plan.blocks_of_mask {
            continue;
        }
        // Whether another block is hashed.
        let mut too_few = [bytes.staying().wrapping_sub(needed as u16) >> 15];
        publish(&mut too_few);
        if too_few[0] == 0 || bytes.count == LIMIT {
            break;
        }
    }
    let numbers = &mut bytes.words.0[..bytes.count];
    compact::<LIMIT>(numbers, &bytes.stays.0);
    let mut rows = Zeroizing::new([[0; 16]; ROWS]);
    rows.as_flattened_mut().iter_mut().zip(&numbers[..needed]).for_each(|(to, from)| *to = *from as i16);
    from_digits(cpu, &rows[..needed.div_ceil(16)], facts.n, out);
}

const _: () = assert!(LIMIT * BYTES as usize / 256 > MOST_COEFFICIENTS / DIGITS + 100);
