//! ChaCha20 with a nonce of 64 bits, as its designer had it, eight blocks at a time. Of the counter's 64 bits
//! those above the lowest 31 stay zero, as an exchange takes 64 blocks of a stream.
//!
//! # The map
//! A block is sixteen words: four constants, eight of the key, two of the counter, two of the nonce. Twenty
//! rounds of four quarter rounds each mix them, on the columns and the diagonals of a square in turn; then
//! what they were is added (D. J. Bernstein, "ChaCha, a variant of Salsa20", 2008). A quarter round on
//! `a, b, c, d` is `a += b, d = rot(d ^ a, 16), c += d, b = rot(b ^ c, 12)`, and the same with 8 and 7.
//!
//! # How
//! Lane `i` of a vector belongs to block `i`, so that rounds need no shuffles. Words `0 .. 8` of all blocks,
//! and words `8 .. 16`, change from vectors of blocks to blocks in a transpose each.
//!
//! # Constant time
//! In the key. The key stays where it is, and no other memory has a copy of it.

use ringsmith_kem::secret::SecretBytes;
use ringsmith_simd::{Cpu, I32Lanes, Kernel, Row32, Simd, WideLanes, each, transpose32};

/// "expand 32-byte k", as words.
const CONSTANTS: [i32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];
/// How often columns and diagonals are mixed.
const DOUBLE_ROUNDS: usize = 10;
/// Bytes of eight blocks.
const EIGHT: usize = 512;

/// The key stream, from block 0 on.
pub(crate) struct ChaCha20<'a> {
    cpu: Cpu,
    key: &'a [u8; 32],
    nonce: [u8; 8],
    /// The next block.
    counter: i32,
}

impl<'a> ChaCha20<'a> {
    pub(crate) fn new(cpu: Cpu, key: &'a [u8; 32], nonce: [u8; 8]) -> Self {
        ChaCha20 { cpu, key, nonce, counter: 0 }
    }

    /// The next bytes; what is left of their last eight blocks is lost.
    pub(crate) fn write(&mut self, bytes: &mut [u8]) {
        let (whole, rest) = bytes.as_chunks_mut::<EIGHT>();
        self.write_eights(whole);
        if !rest.is_empty() {
            let mut last = SecretBytes::<EIGHT>::zero();
            self.write_eights(last.as_chunks_mut().0);
            rest.copy_from_slice(&last[..rest.len()]);
        }
    }

    fn write_eights(&mut self, out: &mut [[u8; EIGHT]]) {
        let count = out.len() as i32;
        self.cpu.run(Blocks { key: self.key, nonce: &self.nonce, counter: self.counter, out });
        self.counter += 8 * count;
    }
}

/// Blocks from block `counter` on, by eights.
struct Blocks<'a> {
    key: &'a [u8; 32],
    nonce: &'a [u8; 8],
    counter: i32,
    out: &'a mut [[u8; EIGHT]],
}

/// The words of eight blocks.
type Words<S> = [<S as I32Lanes>::I32; 16];

impl Kernel for Blocks<'_> {
    type Out = ();
    const AVX512: bool = true;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Blocks { key, nonce, mut counter, out } = self;
        for out in out.as_chunks_mut().0 {
            eights(s, key, nonce, [counter], out);
            counter += 8;
        }
    }

    /// With 32 registers two eights side by side: an operation waits for the one before it.
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(self, s: S, _: W) {
        let Blocks { key, nonce, mut counter, out } = self;
        let (pairs, rest) = out.as_chunks_mut();
        for out in pairs {
            eights(s, key, nonce, [counter, counter + 8], out);
            counter += 16;
        }
        for out in rest.as_chunks_mut().0 {
            eights(s, key, nonce, [counter], out);
        }
    }
}

/// Eights of blocks, from these counters on.
#[inline(always)]
fn eights<S: Simd, const K: usize>(
    s: S,
    key: &[u8; 32],
    nonce: &[u8; 8],
    counters: [i32; K],
    out: &mut [[u8; EIGHT]; K],
) {
    let first: [Words<S>; K] = each(
        #[inline(always)]
        |k| words(s, key, nonce, counters[k]),
    );
    let mut v = first;
    let mut round = 0;
    while round < DOUBLE_ROUNDS {
        v = quarter_rounds(s, v, 0);
        v = quarter_rounds(s, v, 1);
        round += 1;
    }
    let mut k = 0;
    while k < K {
        let sums: Words<S> = each(
            #[inline(always)]
            |i| s.add32(v[k][i], first[k][i]),
        );
        write_half::<S, 0>(s, &sums, &mut out[k]);
        write_half::<S, 1>(s, &sums, &mut out[k]);
        k += 1;
    }
}

/// What rounds begin with.
#[inline(always)]
fn words<S: Simd>(s: S, key: &[u8; 32], nonce: &[u8; 8], counter: i32) -> Words<S> {
    const BLOCKS: Row32 = [0, 1, 2, 3, 4, 5, 6, 7];
    each(
        #[inline(always)]
        |i| match i {
            0..4 => s.splat32(CONSTANTS[i]),
            4..12 => s.splat32(word(key, i - 4)),
            12 => s.add32(s.splat32(counter), s.load32(&BLOCKS)),
            13 => s.splat32(0),
            _ => s.splat32(word(nonce, i - 14)),
        },
    )
}

/// Word `i` of some bytes.
#[inline(always)]
fn word<const N: usize>(bytes: &[u8; N], i: usize) -> i32 {
    i32::from_le_bytes([bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2], bytes[4 * i + 3]])
}

/// Four quarter rounds of each eight, one after the other, so that few registers are in use: on the columns,
/// which is `turn` 0, or on the diagonals, where row `r` is taken `r` places on.
#[inline(always)]
fn quarter_rounds<S: Simd, const K: usize>(s: S, mut v: [Words<S>; K], turn: usize) -> [Words<S>; K] {
    let mut x = 0;
    while x < 4 {
        let [a, b, c, d] = [x, 4 + (x + turn) % 4, 8 + (x + 2 * turn) % 4, 12 + (x + 3 * turn) % 4];
        v = add_rotate::<S, K, 16, 16>(s, v, [a, b, d]);
        v = add_rotate::<S, K, 12, 20>(s, v, [c, d, b]);
        v = add_rotate::<S, K, 8, 24>(s, v, [a, b, d]);
        v = add_rotate::<S, K, 7, 25>(s, v, [c, d, b]);
        x += 1;
    }
    v
}

/// Adds word `b` to word `a`, and rotates what word `d` differs from it by `LEFT`.
#[inline(always)]
fn add_rotate<S: Simd, const K: usize, const LEFT: i32, const RIGHT: i32>(
    s: S,
    mut v: [Words<S>; K],
    [a, b, d]: [usize; 3],
) -> [Words<S>; K] {
    let mut k = 0;
    while k < K {
        v[k][a] = s.add32(v[k][a], v[k][b]);
        v[k][d] = s.rotate_left32::<LEFT, RIGHT>(s.xor32(v[k][d], v[k][a]));
        k += 1;
    }
    v
}

/// Half `H` of each block: eight words.
#[inline(always)]
fn write_half<S: Simd, const H: usize>(s: S, sums: &[S::I32; 16], out: &mut [u8; EIGHT]) {
    let blocks = transpose32(
        s,
        each(
            #[inline(always)]
            |i| sums[8 * H + i],
        ),
    );
    let mut block = 0;
    while block < 8 {
        let mut row = [0; 8];
        s.store32(&mut row, blocks[block]);
        let mut i = 0;
        while i < 8 {
            let at = 64 * block + 32 * H + 4 * i;
            [out[at], out[at + 1], out[at + 2], out[at + 3]] = row[i].to_le_bytes();
            i += 1;
        }
        block += 1;
    }
}
