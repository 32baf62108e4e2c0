//! The randomness of the exchanges: the public polynomial from SHAKE128, everything secret from ChaCha20.

use crate::secret::SecretBytes;
use chacha20::ChaCha20LegacyCore;
use chacha20::cipher::array::Array;
use chacha20::cipher::{KeyIvInit, StreamCipherCore};
use ringsmith_hash::{RATE_128, Shake128};
use ringsmith_ring::Rows;
use ringsmith_simd::{Cpu, Kernel, Row, Row32, Simd, each};

/// Rows of a polynomial.
pub(in crate::new_hope) const ROWS: usize = 64;
/// Coefficients of a polynomial.
const N: usize = 16 * ROWS;
/// The modulus.
const Q: i16 = 12289;

/// The public polynomial of a seed, in the domain: of the 16-bit words of SHAKE128 their lowest 14 bits, those that are below `q`. Its
/// time depends on the seed, which is public.
pub(super) fn uniform(cpu: Cpu, seed: &[u8; 32], a: &mut Rows<ROWS>) {
    let mut reader = Shake128::new(cpu).absorb(seed).reader();
    let (mut block, mut taken) = ([0; RATE_128], 0);
    while taken < N {
        reader.squeeze(&mut block);
        taken = cpu.run(Take { block: &block, taken, numbers: a.0.as_flattened_mut() });
    }
}

/// Puts what a block has behind the numbers that were taken before, until there are `N`; how many there are then.
struct Take<'a> {
    block: &'a [u8; RATE_128],
    taken: usize,
    numbers: &'a mut [i16],
}

impl Kernel for Take<'_> {
    type Out = usize;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> usize {
        let (mut taken, numbers) = (self.taken, self.numbers);
        // Vectors write 16 numbers; where there may be no room for these, it goes one by one.
        if numbers.len() - taken < self.block.len() / 2 + 16 {
            for bytes in self.block.as_chunks().0 {
                let number = i16::from_le_bytes(*bytes) & 0x3fff;
                if let Some(place) = numbers.get_mut(taken) {
                    *place = number;
                    taken += (number < Q) as usize;
                }
            }
            return taken;
        }
        for bytes in self.block.as_chunks().0 {
            taken += take(s, bytes, s.splat(-1), numbers, taken);
        }
        // The last vector ends with the block: its first lanes have been taken.
        const REST: usize = RATE_128 % 32 / 2;
        const NEW: Row = {
            let (mut lanes, mut i) = ([0; 16], 16 - REST);
            while i < 16 {
                lanes[i] = -1;
                i += 1;
            }
            lanes
        };
        if let Some(bytes) = self.block.last_chunk() {
            taken += take(s, bytes, s.load(&NEW), numbers, taken);
        }
        taken
    }
}

/// Puts the chosen numbers of a vector behind the `taken` first of `numbers`, if they are below `q`; how many they are.
#[inline(always)]
fn take<S: Simd>(s: S, bytes: &[u8; 32], chosen: S::I16, numbers: &mut [i16], taken: usize) -> usize {
    let number = s.and(s.load(&words(bytes)), s.splat(0x3fff));
    let below = s.gt(s.splat(Q), number);
    match numbers[taken..].first_chunk_mut() {
        Some(place) => s.take(number, s.and(chosen, below), place),
        None => 0,
    }
}

#[inline(always)]
fn words(bytes: &[u8; 32]) -> Row {
    each(
        #[inline(always)]
        |i| i16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]),
    )
}

/// The key stream of ChaCha20 with its first nonce, of 64 bits, and a counter of as many. Constant time.
pub(in crate::new_hope) fn stream<const BYTES: usize>(key: &[u8; 32], nonce: [u8; 8]) -> SecretBytes<BYTES> {
    let mut bytes = SecretBytes::zero();
    let mut cipher = ChaCha20LegacyCore::new(key.into(), &nonce.into());
    let (blocks, rest) = Array::slice_as_chunks_mut(bytes.as_mut_slice());
    cipher.write_keystream_blocks(blocks);
    if !rest.is_empty() {
        let mut last = SecretBytes::<64>::zero();
        cipher.write_keystream_blocks(Array::slice_as_chunks_mut(last.as_mut_slice()).0);
        rest.copy_from_slice(&last[..rest.len()]);
    }
    bytes
}

/// The bits of the first two of four bytes less those of the other two: the centred binomial distribution with `k = 16`.
pub(in crate::new_hope) fn binomial_16(cpu: Cpu, bytes: &[u8; 4 * N], out: &mut Rows<ROWS>) {
    cpu.run(Binomial16 { bytes, out: &mut out.0 });
}

struct Binomial16<'a> {
    bytes: &'a [u8; 4 * N],
    out: &'a mut [Row; ROWS],
}

impl Kernel for Binomial16<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let halves = self.bytes.as_chunks().0;
        let mut r = 0;
        while r < ROWS {
            let low = binomial_16_half(s, &halves[2 * r]);
            let high = binomial_16_half(s, &halves[2 * r + 1]);
            s.store(&mut self.out[r], s.narrow(low, high));
            r += 1;
        }
    }
}

/// Eight coefficients. Bits are added up to bytes; then one product adds two of these and takes off the other two, in the highest byte.
#[inline(always)]
fn binomial_16_half<S: Simd>(s: S, bytes: &[u8; 32]) -> S::I32 {
    let (mut words, mut i): (Row32, _) = ([0; 8], 0);
    while i < 8 {
        words[i] = i32::from_le_bytes([bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2], bytes[4 * i + 3]]);
        i += 1;
    }
    let x = s.load32(&words);
    let (ones, twos, fours) = (s.splat32(0x5555_5555), s.splat32(0x3333_3333), s.splat32(0x0f0f_0f0f));
    let pairs = s.add32(s.and32(x, ones), s.and32(s.shift_right32::<1>(x), ones));
    let nibbles = s.add32(s.and32(pairs, twos), s.and32(s.shift_right32::<2>(pairs), twos));
    let bytes = s.add32(s.and32(nibbles, fours), s.and32(s.shift_right32::<4>(nibbles), fours));
    // What lies below the highest byte is less than half of it, of either sign.
    let sums = s.mul_lo32(bytes, s.splat32((1 << 24) + (1 << 16) - (1 << 8) - 1));
    s.shift_right32::<24>(s.add32(sums, s.splat32(1 << 23)))
}

/// Longa and Naehrig's noise, the centred binomial distribution with `k = 12`, of 3072 bytes `X`, `Y`, `Z` of 1024 each: coefficients
/// `p` and `512 + p` are the differences of the bits of bytes `2 p` and `2 p + 1` of `X` and of `Y`, each with half of the bits of `Z`'s.
pub(in crate::new_hope) fn binomial_12(cpu: Cpu, bytes: &[u8; 3 * N], out: &mut Rows<ROWS>) {
    cpu.run(Binomial12 { bytes, out: &mut out.0 });
}

struct Binomial12<'a> {
    bytes: &'a [u8; 3 * N],
    out: &'a mut [Row; ROWS],
}

impl Kernel for Binomial12<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let rows = self.bytes.as_chunks::<32>().0;
        let (first, second) = self.out.split_at_mut(ROWS / 2);
        let nibble = s.splat(0x0f0f);
        let mut r = 0;
        while r < ROWS / 2 {
            let load = |part: usize| s.load(&words(&rows[ROWS / 2 * part + r]));
            let shared = nibble_sums(s, load(2));
            let halves = [s.and(shared, nibble), s.and(s.shift_right::<4>(shared), nibble)];
            let [a, b] = each(
                #[inline(always)]
                |i| {
                    let sums = nibble_sums(s, load(i));
                    let bytes = s.add(s.and(sums, nibble), s.and(s.shift_right::<4>(sums), nibble));
                    let all = s.add(bytes, halves[i]);
                    s.sub(s.and(all, s.splat(0xff)), s.shift_right::<8>(all))
                },
            );
            s.store(&mut first[r], a);
            s.store(&mut second[r], b);
            r += 1;
        }
    }
}

/// The bits of each nibble.
#[inline(always)]
fn nibble_sums<S: Simd>(s: S, x: S::I16) -> S::I16 {
    let (ones, twos) = (s.splat(0x5555), s.splat(0x3333));
    let pairs = s.add(s.and(x, ones), s.and(s.shift_right::<1>(x), ones));
    s.add(s.and(pairs, twos), s.and(s.shift_right::<2>(pairs), twos))
}
