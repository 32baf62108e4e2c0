//! Sampling: FIPS 203, section 4.2.2. Each element is a stream, of which four run at a time
//! ([`run_streams`](ringsmith_hash::run_streams)).

use super::{Element, N, Q};
use crate::secret::SecretBytes;
use ringsmith_hash::{Lane, RATE_128, RATE_256, Stream};
use ringsmith_simd::{Cpu, Kernel, Row, Simd, each};
use zeroize::Zeroizing;

/// An element of the matrix: algorithm 7 on `XOF(rho, j, i)`. Its time depends on `rho`, which is public.
pub(super) struct Uniform<'a> {
    cpu: Cpu,
    seed: Option<[u8; 34]>,
    /// The numbers taken so far, and room for what a vector writes past the last.
    numbers: [i16; N + 16],
    taken: usize,
    /// In the domain; coefficients in `[0, q)`.
    element: &'a mut Element,
}

/// The streams of the matrix of the seed `rho`.
pub(super) fn matrix<'a, const K: usize>(
    cpu: Cpu,
    rho: &[u8; 32],
    matrix: &'a mut [[Element; K]; K],
) -> [[Uniform<'a>; K]; K] {
    let mut at = 0;
    matrix.each_mut().map(|row| {
        row.each_mut().map(|element| {
            let mut seed = [0; 34];
            seed[..32].copy_from_slice(rho);
            // The column first.
            (seed[32], seed[33]) = ((at % K) as u8, (at / K) as u8);
            at += 1;
            Uniform { cpu, seed: Some(seed), numbers: [0; N + 16], taken: 0, element }
        })
    })
}

impl Stream for Uniform<'_> {
    fn step(&mut self, lane: &mut Lane<'_>) -> bool {
        if let Some(seed) = self.seed.take() {
            lane.shake::<RATE_128, 34>(&seed);
            return true;
        }
        let mut block = [0; RATE_128];
        lane.read(&mut block);
        self.taken = self.cpu.run(Take { block: &block, numbers: &mut self.numbers, taken: self.taken });
        if self.taken >= N {
            self.element.0.as_flattened_mut().copy_from_slice(&self.numbers[..N]);
        }
        self.taken < N
    }
}

/// Puts the numbers below `q` among a block's 12-bit numbers behind those `taken` before, until there are enough; how many they
/// are then.
struct Take<'a> {
    block: &'a [u8; RATE_128],
    numbers: &'a mut [i16; N + 16],
    taken: usize,
}

impl Kernel for Take<'_> {
    type Out = usize;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> usize {
        let mut taken = self.taken;
        for bytes in self.block.as_chunks::<24>().0 {
            if let Some(place) = self.numbers[taken.min(N)..].first_chunk_mut() {
                taken += s.take_below(bytes, Q as i16, place);
            }
        }
        taken
    }
}

/// Bytes of noise at most: `64 eta` of them are used.
const NOISE: usize = 2 * RATE_256;

/// An element of noise: algorithm 8 on `PRF(seed, nonce)`. Constant time.
pub(super) struct Noise<'a> {
    cpu: Cpu,
    eta: usize,
    seed: Zeroizing<[u8; 33]>,
    bytes: SecretBytes<NOISE>,
    /// Bytes of noise so far; `None` before the seed is absorbed.
    filled: Option<usize>,
    element: &'a mut Element,
}

/// The streams of the noise of the centred binomial distribution `eta` with the nonces from `nonce` on.
pub(super) fn noise<'a, const K: usize>(
    cpu: Cpu,
    eta: usize,
    seed: &[u8; 32],
    mut nonce: u8,
    elements: &'a mut [Element; K],
) -> [Noise<'a>; K] {
    elements.each_mut().map(|element| {
        let mut with_nonce = Zeroizing::new([0; 33]);
        with_nonce[..32].copy_from_slice(seed);
        with_nonce[32] = nonce;
        nonce += 1;
        Noise { cpu, eta, seed: with_nonce, bytes: SecretBytes::zero(), filled: None, element }
    })
}

impl Stream for Noise<'_> {
    fn step(&mut self, lane: &mut Lane<'_>) -> bool {
        let Some(filled) = self.filled else {
            lane.shake::<RATE_256, 33>(&self.seed);
            self.filled = Some(0);
            return true;
        };
        if let Some(block) = self.bytes[filled..].first_chunk_mut::<RATE_256>() {
            lane.read(block);
        }
        self.filled = Some(filled + RATE_256);
        let more = filled + RATE_256 < 64 * self.eta;
        if !more {
            self.finish();
        }
        more
    }
}

impl Noise<'_> {
    fn finish(&mut self) {
        if self.eta == 3 {
            binomial_3(&self.bytes[..192], self.element);
        } else if let Some(bytes) = self.bytes.as_chunks().0.first_chunk() {
            self.cpu.run(Binomial2 { bytes, out: &mut self.element.0 });
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
