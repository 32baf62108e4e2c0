//! Numbers below moduli that are no powers of two, packed as if they were digits of mixed radix.
//!
//! # The map
//! Two neighbours `r_0 < m_0` and `r_1 < m_1` become `r = r_0 + m_0 r_1 < m_0 m_1`; while the modulus is 2^14
//! or more, the low byte of `r` is written and the modulus divided by 256, rounded up. That halves how many
//! numbers there are; an odd one at the end is left as it is. The next level does the same with what is left,
//! until there is one number, whose bytes end the encoding.
//!
//! The moduli, and with them the bytes of each pair, are known in advance: those of a level are the same but
//! for the last one. A level's pairs are 16 at a time, its last pair by itself.
//!
//! # Division
//! Decoding takes `r` apart again: `r_1 = floor(r / m)` by the reciprocal `v = ceil(2^s / m)` of 31 bits,
//! `s = 31 + floor(log2 m)`. With `e = v m - 2^s < m` the quotient `floor(r v / 2^s)` is exact where
//! `r e < 2^s`, which holds for all `r < 2^29`.
//!
//! Bytes that no numbers encode to are decoded as the reference implementation does: quotients are taken
//! modulo `m_1`.
//!
//! # Source
//! D. J. Bernstein et al., NTRU Prime: round 3, 2020, sections 3.4 and 4.1 (`Encode` and `Decode`). Constant
//! time in the numbers.

use ringsmith_kem::bits::{read, words, write};
use ringsmith_kem::secret::SecretBytes;
use ringsmith_simd::{Cpu, Kernel, Row, Simd, each};

/// A modulus is below this; what is not gives bytes off.
const LIMIT: u64 = 1 << 14;
/// Levels for up to 2048 numbers.
const LEVELS: usize = 11;

/// A modulus, and how to divide by it.
#[derive(Clone, Copy)]
struct Modulus {
    m: u64,
    /// `ceil(2^shift / m)`.
    reciprocal: u64,
    shift: u32,
}

impl Modulus {
    const fn new(m: u64) -> Self {
        let shift = 31 + m.ilog2();
        Modulus { m, reciprocal: (1u64 << shift).div_ceil(m), shift }
    }

    /// Quotient and remainder of `r < 2^29`.
    const fn divide(&self, r: u64) -> (u64, u64) {
        let quotient = (r * self.reciprocal) >> self.shift;
        (quotient, r - quotient * self.m)
    }
}

/// What becomes of two moduli: how many bytes their pairs give, and the modulus of the rest.
const fn merged(a: u64, b: u64) -> (usize, u64) {
    let (mut bytes, mut m) = (0, a * b);
    while m >= LIMIT {
        bytes += 1;
        m = m.div_ceil(256);
    }
    (bytes, m)
}

/// One level: its numbers, in pairs.
#[derive(Clone, Copy)]
struct Level {
    count: usize,
    /// Of all numbers but the last.
    modulus: Modulus,
    /// Bytes of each pair of two such numbers: up to two.
    bytes: usize,
    /// Of the last.
    last: Modulus,
    /// Bytes of the last pair, where the count is even.
    last_bytes: usize,
    /// Where its bytes begin.
    at: usize,
}

impl Level {
    /// Pairs of two numbers with the same modulus.
    const fn regular(&self) -> usize {
        (self.count - 1) / 2
    }
    /// Where the bytes of the last pair begin.
    const fn last_at(&self) -> usize {
        self.at + self.bytes * self.regular()
    }
    /// Whether there is a last pair, rather than a last number.
    const fn is_even(&self) -> bool {
        self.count.is_multiple_of(2)
    }
}

/// How `count` numbers below one modulus are packed.
pub(super) struct Radix {
    levels: [Level; LEVELS],
    depth: usize,
    /// Of the number that is left.
    root: Modulus,
    root_bytes: usize,
    /// Bytes of the encoding.
    pub(super) bytes: usize,
}

impl Radix {
    /// For `count` numbers below `m`.
    pub(super) const fn new(count: usize, m: u64) -> Self {
        assert!(count >= 2 && 2 <= m && m < LIMIT);
        let one = Modulus::new(m);
        let none = Level { count: 2, modulus: one, bytes: 0, last: one, last_bytes: 0, at: 0 };
        let (mut levels, mut depth, mut at) = ([none; LEVELS], 0, 0);
        let (mut count, mut m, mut last) = (count, m, m);
        while count > 1 {
            let ((bytes, merged_m), (last_bytes, merged_last)) = (merged(m, m), merged(m, last));
            let level =
                Level { count, modulus: Modulus::new(m), bytes, last: Modulus::new(last), last_bytes, at };
            if level.regular() > 0 {
                assert!(bytes <= 2, "what the kernels write");
                // Of bytes that encode nothing, quotients are below twice the modulus.
                assert!((merged_m << (8 * bytes)) / m < 2 * m, "one subtraction is enough");
            }
            at = level.last_at() + if level.is_even() { last_bytes } else { 0 };
            levels[depth] = level;
            depth += 1;
            last = if level.is_even() { merged_last } else { last };
            (count, m) = (count.div_ceil(2), merged_m);
        }
        let root_bytes = if last > 256 { 2 } else { 1 };
        assert!(at + root_bytes + 32 <= PADDED);
        Radix { levels, depth, root: Modulus::new(last), root_bytes, bytes: at + root_bytes }
    }
}

/// The number at `i`.
#[inline(always)]
fn number(rows: &[Row], i: usize) -> u64 {
    rows[i / 16][i % 16] as u64
}

/// Writes the number at `i`.
#[inline(always)]
fn set(rows: &mut [Row], i: usize, x: u64) {
    rows[i / 16][i % 16] = x as i16;
}

/// `r` less its low bytes, which are written.
#[inline(always)]
fn put(out: &mut [u8], r: u64) -> u64 {
    for (i, byte) in out.iter_mut().enumerate() {
        *byte = (r >> (8 * i)) as u8;
    }
    r >> (8 * out.len())
}

/// `r` with these bytes below it.
#[inline(always)]
fn take(bytes: &[u8], r: u64) -> u64 {
    bytes.iter().rev().fold(r, |r, &byte| (r << 8) | u64::from(byte))
}

/// Encodes the numbers, of which nothing is left.
struct Encode<'a> {
    radix: &'a Radix,
    /// An even number of rows.
    rows: &'a mut [Row],
    out: &'a mut [u8],
}

impl Kernel for Encode<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for level in &self.radix.levels[..self.radix.depth] {
            let (regular, first) = (level.regular(), 2 * level.regular());
            // What the rows of pairs write over.
            let mut last = number(self.rows, first);
            if level.is_even() {
                last += level.modulus.m * number(self.rows, first + 1);
            }
            match level.bytes {
                0 => pack_pairs::<S, 0>(s, level, self.rows, self.out),
                1 => pack_pairs::<S, 1>(s, level, self.rows, self.out),
                _ => pack_pairs::<S, 2>(s, level, self.rows, self.out),
            }
            if level.is_even() {
                let at = level.last_at();
                last = put(&mut self.out[at..at + level.last_bytes], last);
            }
            set(self.rows, regular, last);
        }
        let at = self.radix.bytes - self.radix.root_bytes;
        put(&mut self.out[at..self.radix.bytes], number(self.rows, 0));
    }
}

/// The regular pairs of a level, from all rows into half of them. What is written behind them is written over
/// later.
#[inline(always)]
fn pack_pairs<S: Simd, const BYTES: usize>(s: S, level: &Level, rows: &mut [Row], out: &mut [u8]) {
    let factors = s.splat_pair(&[1, level.modulus.m as i16]);
    let (mask, sign) = (s.splat32((1 << (8 * BYTES)) - 1), s.splat32(if BYTES == 2 { 1 << 15 } else { 0 }));
    let mut j = 0;
    while 16 * j < level.regular() {
        let (a, b) = (s.madd32(s.load(&rows[2 * j]), factors), s.madd32(s.load(&rows[2 * j + 1]), factors));
        // The low bytes as a number, of two bytes with its sign.
        let low: [_; 2] = each(
            #[inline(always)]
            |i| s.sub32(s.xor32(s.and32([a, b][i], mask), sign), sign),
        );
        let rest = match BYTES {
            0 => s.narrow(a, b),
            1 => s.narrow(s.shift_right32::<8>(a), s.shift_right32::<8>(b)),
            _ => s.narrow(s.shift_right32::<16>(a), s.shift_right32::<16>(b)),
        };
        s.store(&mut rows[j], rest);
        if BYTES > 0 {
            put_row::<S, BYTES>(s, s.narrow(low[0], low[1]), &mut out[level.at..], j);
        }
        j += 1;
    }
}

/// Bytes of the longest encoding, and what vectors read and write behind it.
const PADDED: usize = 2112;

/// Writes row `j` of bytes, or of words. There is room for it.
#[inline(always)]
fn put_row<S: Simd, const BYTES: usize>(s: S, numbers: S::I16, out: &mut [u8], j: usize) {
    if BYTES == 1 {
        return write::<S, 8>(s, numbers, out, j);
    }
    let mut row = [0; 16];
    s.store(&mut row, numbers);
    if let Some(window) = out[32 * j..].first_chunk_mut::<32>() {
        let mut i = 0;
        while i < 32 {
            window[i] = (row[i / 2] >> (8 * (i % 2))) as u8;
            i += 1;
        }
    }
}

/// Row `j` of bytes, or of words. They are there.
#[inline(always)]
fn take_row<S: Simd, const BYTES: usize>(s: S, bytes: &[u8], j: usize) -> S::I16 {
    match bytes[16 * BYTES * j..].first_chunk() {
        Some(window) if BYTES == 1 => read::<S, 8>(s, window, 0),
        Some(window) => s.load(&words(window)),
        None => s.splat(0),
    }
}

/// Decodes bytes.
struct Decode<'a> {
    radix: &'a Radix,
    bytes: &'a [u8],
    /// An even number of rows.
    rows: &'a mut [Row],
}

impl Kernel for Decode<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let at = self.radix.bytes - self.radix.root_bytes;
        let root = take(&self.bytes[at..self.radix.bytes], 0);
        set(self.rows, 0, self.radix.root.divide(root).1);
        for level in self.radix.levels[..self.radix.depth].iter().rev() {
            let (regular, first) = (level.regular(), 2 * level.regular());
            // What the rows of pairs write over.
            let last = number(self.rows, regular);
            match level.bytes {
                0 => unpack_pairs::<S, 0>(s, level, self.bytes, self.rows),
                1 => unpack_pairs::<S, 1>(s, level, self.bytes, self.rows),
                _ => unpack_pairs::<S, 2>(s, level, self.bytes, self.rows),
            }
            if level.is_even() {
                let at = level.last_at();
                let (high, low) = level.modulus.divide(take(&self.bytes[at..at + level.last_bytes], last));
                set(self.rows, first, low);
                set(self.rows, first + 1, level.last.divide(high).1);
            } else {
                set(self.rows, first, last);
            }
        }
    }
}

/// A modulus in all lanes.
struct Division<S: Simd> {
    m: S::I32,
    reciprocal: S::I32,
    /// What makes the quotient's last shift one by 16, whatever the modulus.
    up: S::I32,
}

impl<S: Simd> Division<S> {
    #[inline(always)]
    fn new(s: S, modulus: &Modulus) -> Self {
        Division {
            m: s.splat32(modulus.m as i32),
            reciprocal: s.splat32(modulus.reciprocal as i32),
            up: s.splat32(1 << (47 - modulus.shift)),
        }
    }

    /// Remainders, and quotients modulo the modulus once more, side by side.
    #[inline(always)]
    fn divided(&self, s: S, r: S::I32) -> S::I16 {
        let (_, high) = s.mul_split32::<31>(r, self.reciprocal);
        let quotient = s.shift_right32::<16>(s.mul_lo32(high, self.up));
        let low = s.sub32(r, s.mul_word32(quotient, self.m));
        let rest = s.sub32(quotient, self.m);
        let high = s.add32(rest, s.and32(s.shift_right32::<31>(rest), self.m));
        s.add(s.words(low), s.swap_pairs(s.words(high)))
    }
}

/// The regular pairs of a level, from the rows into twice as many.
#[inline(always)]
fn unpack_pairs<S: Simd, const BYTES: usize>(s: S, level: &Level, bytes: &[u8], rows: &mut [Row]) {
    let by = Division::new(s, &level.modulus);
    let factors = s.splat_pair(&[1, 256]);
    let mut j = level.regular().div_ceil(16);
    while j > 0 {
        j -= 1;
        let above = s.load(&rows[j]);
        let (a, b) = if BYTES == 0 {
            s.zip::<1>(above, s.splat(0))
        } else {
            s.zip::<1>(take_row::<S, BYTES>(s, &bytes[level.at..], j), above)
        };
        let pairs: [_; 2] = each(
            #[inline(always)]
            |i| {
                let pairs = [a, b][i];
                by.divided(s, if BYTES == 1 { s.madd32(pairs, factors) } else { s.double_words(pairs) })
            },
        );
        let (a, b) = s.zip::<8>(pairs[0], pairs[1]);
        s.store(&mut rows[2 * j], a);
        s.store(&mut rows[2 * j + 1], b);
    }
}

/// Encodes the numbers in the rows, which are an even number and hold nothing of use afterwards, into as many
/// bytes as it takes.
pub(super) fn encode(cpu: Cpu, radix: &Radix, rows: &mut [Row], out: &mut [u8]) {
    let mut padded = SecretBytes::<PADDED>::zero();
    cpu.run(Encode { radix, rows, out: padded.as_mut() });
    out.copy_from_slice(&padded[..radix.bytes]);
}

/// Decodes as many bytes as it takes into rows, which are an even number; what is behind the last number is
/// of no meaning.
pub(super) fn decode(cpu: Cpu, radix: &Radix, bytes: &[u8], rows: &mut [Row]) {
    let mut padded = SecretBytes::<PADDED>::zero();
    padded[..radix.bytes].copy_from_slice(bytes);
    cpu.run(Decode { radix, bytes: padded.as_ref(), rows });
}
