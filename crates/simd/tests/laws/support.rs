//! Operands, and the definitions of permutations.

use ringsmith_oracle::Random;
use ringsmith_simd::{Row, Row32, Row64, Simd};
use std::array::from_fn;

#[inline(always)]
pub(crate) fn row<S: Simd>(s: S, v: S::I16) -> Row {
    let mut out = [0; 16];
    s.store(&mut out, v);
    out
}

#[inline(always)]
pub(crate) fn row32<S: Simd>(s: S, v: S::I32) -> Row32 {
    let mut out = [0; 8];
    s.store32(&mut out, v);
    out
}

#[inline(always)]
pub(crate) fn rows<S: Simd>(s: S, v: (S::I16, S::I16)) -> [Row; 2] {
    [row(s, v.0), row(s, v.1)]
}

#[inline(always)]
pub(crate) fn rows32<S: Simd>(s: S, v: (S::I32, S::I32)) -> [Row32; 2] {
    [row32(s, v.0), row32(s, v.1)]
}

pub(crate) fn random_row(random: &mut Random) -> Row {
    from_fn(|_| random.word() as i16)
}

fn random_row32(random: &mut Random) -> Row32 {
    from_fn(|_| random.word() as i32)
}

pub(crate) const ROUNDS: usize = if cfg!(miri) { 2 } else { 400 };
/// Where a round is eight operands, of each of many primes.
pub(crate) const ROUNDS_OF_WORDS: usize = if cfg!(miri) { 2 } else { 1600 };
/// One of so many, where a test has many operations of each operand: Miri takes a second for a hundred.
pub(crate) const SPARSELY: usize = if cfg!(miri) { 7 } else { 1 };

/// The ends of a word and of a byte, both signs, moduli, and bit patterns.
pub(crate) const EDGES: Row = [
    0,
    1,
    -1,
    i16::MIN,
    i16::MAX,
    i16::MIN + 1,
    i16::MAX - 1,
    0xff,
    0x100,
    -0x100,
    0x4000,
    -0x4000,
    3329,
    -12289,
    0x5555,
    -0x5556,
];

/// The same of a double word; `1 << 16` and around it where its words meet.
pub(crate) const EDGES32: Row32 = [0, 1, -1, i32::MIN, i32::MAX, 0x8000, -0x8001, 0x1_0000];

/// All pairs of edges, each in several lanes, and random rows.
pub(crate) fn pairs_of_rows() -> Vec<(Row, Row)> {
    let mut random = Random::new(1);
    let places = if cfg!(miri) { 1 } else { 16 };
    let edges = (0..places).flat_map(|at| (0..16).map(move |turn| (at, turn)));
    let edges =
        edges.map(|(at, turn)| (from_fn(|i| EDGES[(i + at) % 16]), from_fn(|i| EDGES[(i + at + turn) % 16])));
    let drawn: Vec<_> = (0..ROUNDS).map(|_| (random_row(&mut random), random_row(&mut random))).collect();
    edges.chain(drawn).collect()
}

/// The same in lanes of 32 bits.
pub(crate) fn pairs_of_rows32() -> Vec<(Row32, Row32)> {
    let mut random = Random::new(2);
    let places = if cfg!(miri) { 1 } else { 8 };
    let edges = (0..places).flat_map(|at| (0..8).map(move |turn| (at, turn)));
    let edges = edges
        .map(|(at, turn)| (from_fn(|i| EDGES32[(i + at) % 8]), from_fn(|i| EDGES32[(i + at + turn) % 8])));
    let drawn: Vec<_> = (0..ROUNDS).map(|_| (random_row32(&mut random), random_row32(&mut random))).collect();
    edges.chain(drawn).collect()
}

/// Operands of a partial operation: all those above, mapped into its domain.
pub(crate) fn within<T: Copy, const N: usize>(
    operands: Vec<([T; N], [T; N])>,
    domain: fn(T, T) -> (T, T),
) -> Vec<([T; N], [T; N])> {
    let into =
        |(a, b): ([T; N], [T; N])| (from_fn(|i| domain(a[i], b[i]).0), from_fn(|i| domain(a[i], b[i]).1));
    operands.into_iter().map(into).collect()
}

/// The low and the high word.
pub(crate) fn words(x: i32) -> [i16; 2] {
    [x as i16, (x >> 16) as i16]
}

/// Blocks of `block` elements of `a` and `b` in turn, cut in the middle.
pub(crate) fn interleave<T: Copy>(a: &[T], b: &[T], block: usize) -> [Vec<T>; 2] {
    let blocks = a.chunks(block).zip(b.chunks(block));
    let all: Vec<T> = blocks.flat_map(|(a, b)| [a, b].concat()).collect();
    let (first, second) = all.split_at(a.len());
    [first.to_vec(), second.to_vec()]
}

/// `zip`: interleaved within each half; blocks of half a row, in the row as a whole.
pub(crate) fn zipped<T: Copy>(a: &[T], b: &[T], block: usize) -> [Vec<T>; 2] {
    let half = a.len() / 2;
    if block == half {
        return interleave(a, b, block);
    }
    let low = interleave(&a[..half], &b[..half], block);
    let high = interleave(&a[half..], &b[half..], block);
    from_fn(|part| [&low[part][..], &high[part]].concat())
}

#[inline(always)]
pub(crate) fn row64<S: Simd>(s: S, v: S::U64) -> Row64 {
    let mut out = [0; 4];
    s.store64(&mut out, v);
    out
}

/// The ends of 64 bits, and patterns of bits and bytes.
const EDGES64: [u64; 8] = [
    0,
    1,
    u64::MAX,
    1 << 63,
    u64::MAX >> 1,
    0x0123_4567_89ab_cdef,
    0x5555_5555_5555_5555,
    0xff00_0000_0000_00ff,
];

/// All pairs of edges, each in every lane, and random rows, of 64 bits.
pub(crate) fn pairs_of_rows64() -> Vec<(Row64, Row64)> {
    let mut random = Random::new(3);
    let edges = (0..64)
        .map(|i| (from_fn(|lane| EDGES64[(i + lane) % 8]), from_fn(|lane| EDGES64[(i / 8 + 3 * lane) % 8])));
    let mut pairs: Vec<(Row64, Row64)> = edges.collect();
    pairs.extend((0..ROUNDS).map(|_| (from_fn(|_| random.word()), from_fn(|_| random.word()))));
    pairs
}
