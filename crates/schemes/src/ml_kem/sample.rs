//! Sampling, four streams at a time: FIPS 203, section 4.2.2.

use super::{Element, N, Q};
use ringsmith_hash::{RATE_128, RATE_256, Shake128x4, Shake256x4};
use ringsmith_ring::Rows;
use ringsmith_simd::{Cpu, Kernel, Row, Simd, each};
use zeroize::Zeroizing;

/// The matrix of the seed `rho`, in the domain; coefficients in `[0, q)`. Its time depends on `rho`, which is public.
pub(super) fn matrix<const K: usize>(cpu: Cpu, rho: &[u8; 32]) -> [[Element; K]; K] {
    let mut matrix = [[Rows([[0; 16]; 16]); K]; K];
    for (batch, elements) in matrix.as_flattened_mut().chunks_mut(4).enumerate() {
        let seeds: [[u8; 34]; 4] = core::array::from_fn(|stream| {
            let at = 4 * batch + stream;
            let mut seed = [0; 34];
            seed[..32].copy_from_slice(rho);
            // XOF(rho, j, i): the column first. Streams past the last element are computed and not used.
            (seed[32], seed[33]) = ((at % K) as u8, (at / K) as u8);
            seed
        });
        uniform(cpu, &seeds, elements);
    }
    matrix
}

/// Algorithm 7 on up to four streams.
fn uniform(cpu: Cpu, seeds: &[[u8; 34]; 4], elements: &mut [Element]) {
    let mut xof = Shake128x4::new(cpu, seeds.each_ref());
    let (mut blocks, mut taken) = ([[0; RATE_128]; 4], [const { Taken { numbers: [0; ROOM], count: 0 } }; 4]);
    while taken[..elements.len()].iter().any(|taken| taken.count < N) {
        xof.squeeze(&mut blocks);
        for (block, taken) in blocks.iter().zip(&mut taken).take(elements.len()) {
            cpu.run(Take { block, taken });
        }
    }
    for (element, taken) in elements.iter_mut().zip(&taken) {
        element.0.as_flattened_mut().copy_from_slice(&taken.numbers[..N]);
    }
}

/// Numbers that a block holds.
const OF_BLOCK: usize = RATE_128 * 2 / 3;
/// Numbers before the block that completes an element, that block's, and a vector past them.
const ROOM: usize = N + OF_BLOCK + 16;

/// Numbers below `q`, and how many they are.
struct Taken {
    numbers: [i16; ROOM],
    count: usize,
}

/// Appends the numbers below `q` among a block's 12-bit numbers, unless there are enough.
struct Take<'a> {
    block: &'a [u8; RATE_128],
    taken: &'a mut Taken,
}

impl Kernel for Take<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Taken { numbers, count } = self.taken;
        for bytes in self.block.as_chunks::<24>().0 {
            if let Some(place) = numbers.get_mut(*count..).and_then(|rest| rest.first_chunk_mut()) {
                *count += s.take_below(bytes, Q as i16, place);
            }
        }
    }
}

/// Noise of the centred binomial distribution `eta` from `PRF(seed, nonce)`, `nonce` and up (algorithm 8). Constant time.
pub(super) fn noise(cpu: Cpu, eta: usize, seed: &[u8; 32], nonce: u8, out: &mut [Element]) {
    for (batch, elements) in out.chunks_mut(4).enumerate() {
        let keys: Zeroizing<[[u8; 33]; 4]> = Zeroizing::new(core::array::from_fn(|stream| {
            let mut key = [0; 33];
            key[..32].copy_from_slice(seed);
            key[32] = nonce + (4 * batch + stream) as u8;
            key
        }));
        let mut xof = Shake256x4::new(cpu, keys.each_ref());
        let mut blocks = Zeroizing::new([[[0; RATE_256]; 4]; 2]);
        xof.squeeze(&mut blocks[0]);
        if eta == 3 {
            xof.squeeze(&mut blocks[1]);
        }
        for (stream, element) in elements.iter_mut().enumerate() {
            if eta == 3 {
                let mut bytes = Zeroizing::new([0; 2 * RATE_256]);
                bytes[..RATE_256].copy_from_slice(&blocks[0][stream]);
                bytes[RATE_256..].copy_from_slice(&blocks[1][stream]);
                binomial_3(&bytes[..192], element);
            } else {
                let (bytes, _) =
                    blocks[0][stream].as_chunks().0.split_first_chunk().expect("four times 32 bytes");
                cpu.run(Binomial2 { bytes, out: &mut element.0 });
            }
        }
    }
}

/// Four bits a coefficient: the sum of two minus the sum of the other two.
///
/// A word holds four coefficients. Bits are added in pairs, pairs subtracted, which leaves numbers from 1 to 5 in four bits each; these
/// are cut out into four rows, which are put in order.
struct Binomial2<'a> {
    bytes: &'a [[u8; 32]; 4],
    out: &'a mut [Row; 16],
}

impl Kernel for Binomial2<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (bits, pairs, nibble) = (s.splat(0x5555), s.splat(0x3333), s.splat(15));
        let mut i = 0;
        while i < 4 {
            let mut words = [0; 16];
            let mut j = 0;
            while j < 16 {
                words[j] = i16::from_le_bytes([self.bytes[i][2 * j], self.bytes[i][2 * j + 1]]);
                j += 1;
            }
            let x = s.load(&words);
            let sums = s.add(s.and(x, bits), s.and(s.shift_right::<1>(x), bits));
            let differences = s.sub(s.add(s.and(sums, pairs), pairs), s.and(s.shift_right::<2>(sums), pairs));
            let cut = [
                s.and(differences, nibble),
                s.and(s.shift_right::<4>(differences), nibble),
                s.and(s.shift_right::<8>(differences), nibble),
                s.and(s.shift_right::<12>(differences), nibble),
            ];
            let x: [_; 4] = each(
                #[inline(always)]
                |j| s.sub(cut[j], s.splat(3)),
            );
            let (a, b) = (s.zip::<1>(x[0], x[1]), s.zip::<1>(x[2], x[3]));
            let (first, last) = (s.zip::<2>(a.0, b.0), s.zip::<2>(a.1, b.1));
            let (first, last) = (s.zip::<8>(first.0, first.1), s.zip::<8>(last.0, last.1));
            s.store(&mut self.out[4 * i], first.0);
            s.store(&mut self.out[4 * i + 1], last.0);
            s.store(&mut self.out[4 * i + 2], first.1);
            s.store(&mut self.out[4 * i + 3], last.1);
            i += 1;
        }
    }
}

/// Six bits a coefficient: the sum of three minus the sum of the other three.
fn binomial_3(bytes: &[u8], element: &mut Element) {
    // Every third bit of 24.
    const THIRD: u32 = ((1 << 24) - 1) / 7;
    let groups = element.0.as_flattened_mut().as_chunks_mut::<4>().0;
    for ([a, b, c], values) in bytes.as_chunks::<3>().0.iter().zip(groups) {
        let bits = u32::from_le_bytes([*a, *b, *c, 0]);
        let sums = (bits & THIRD) + (bits >> 1 & THIRD) + (bits >> 2 & THIRD);
        for (i, value) in values.iter_mut().enumerate() {
            *value = (sums >> (6 * i) & 7) as i16 - (sums >> (6 * i + 3) & 7) as i16;
        }
    }
}
