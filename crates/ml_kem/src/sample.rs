//! Sampling: FIPS 203, section 4.2.2. Each element is a stream, of which several run at a time
//! ([`run_streams`](ringsmith_hash::run_streams)).

use super::{Element, N, Q, ROWS, Values};
use ringsmith_hash::{Lane, RATE_128, RATE_256, Work};
use ringsmith_kem::binomial::{Binomial2, Binomial3, ROW_3};
use ringsmith_kem::secret::SecretBytes;
use ringsmith_simd::{Cpu, Kernel, Row, Simd};
use zeroize::Zeroizing;

/// How much of a stream there is before its seed is absorbed. (Of an `Option` the compiler may read what was
/// never written before it asks whether there is something, which tools that watch memory complain of.)
const UNSEEDED: usize = usize::MAX;

/// The matrix of a seed: element `(i, j)` is algorithm 7 on `XOF(rho, j, i)`, stream `K i + j`. Its time
/// depends on `rho`, which is public.
pub(super) struct Matrix<'a, const K: usize> {
    cpu: Cpu,
    rho: &'a [u8; 32],
    /// In the domain; coefficients in `[0, q)`.
    values: &'a mut [[Values; K]; K],
    /// Coefficients so far, or [`UNSEEDED`].
    taken: [[usize; K]; K],
}

impl<'a, const K: usize> Matrix<'a, K> {
    /// Streams of the matrix.
    pub(super) const STREAMS: usize = K * K;
    /// Their work: three blocks mostly hold enough numbers below the modulus.
    pub(super) const WORK: Work = Work::new(Self::STREAMS, 3);

    /// The matrix of the seed `rho`.
    pub(super) fn new(cpu: Cpu, rho: &'a [u8; 32], values: &'a mut [[Values; K]; K]) -> Self {
        Matrix { cpu, rho, values, taken: [[UNSEEDED; K]; K] }
    }

    /// A row, if there is one of this number and it is complete.
    pub(super) fn row(&self, i: usize) -> Option<&[Values; K]> {
        self.taken.get(i)?.iter().all(|taken| *taken == N).then(|| &self.values[i])
    }

    /// A step of a stream; see [`Streams`](ringsmith_hash::Streams).
    pub(super) fn step(&mut self, stream: usize, lane: &mut Lane<'_>) -> bool {
        let (i, j) = (stream / K, stream % K);
        let taken = self.taken[i][j];
        if taken == UNSEEDED {
            let mut seed = [0; 34];
            seed[..32].copy_from_slice(self.rho);
            // The column first.
            (seed[32], seed[33]) = (j as u8, i as u8);
            lane.shake::<RATE_128, 34>(&seed);
            self.taken[i][j] = 0;
            return true;
        }
        let mut block = [0; READ];
        lane.read(&mut block);
        let numbers = self.values[i][j].rows_mut().0.as_flattened_mut();
        let take = Take { block: &block, numbers, taken, beside: &mut [0; 32] };
        let taken = self.cpu.run(take).min(N);
        self.taken[i][j] = taken;
        taken < N
    }
}

/// A block, and as many bytes of the state behind it as a row's worth of the last numbers takes: these are
/// not looked at.
const READ: usize = RATE_128 + 8;

/// Puts the numbers below `q` among a block's 12-bit numbers behind those `taken` before, until there are
/// `N`; how many they are then, or more.
struct Take<'a> {
    block: &'a [u8; READ],
    numbers: &'a mut [i16],
    taken: usize,
    /// Zeroes, for what would be written over the end: two rows, which begin where the last row does.
    beside: &'a mut [i16; 32],
}

impl Kernel for Take<'_> {
    type Out = usize;
    const SPILLS: bool = false;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> usize {
        let (mut taken, mut from) = (self.taken, 16);
        let mut byte = 0;
        while let Some(bytes) = self.block[byte..].first_chunk() {
            byte += 24;
            let numbers = s.unpack::<12>(bytes);
            let below = s.gt(s.splat(Q as i16), numbers);
            if let Some(place) = self.numbers[taken.min(N)..].first_chunk_mut() {
                taken += s.take(numbers, below, place);
                continue;
            }
            let at = taken.min(N) - (N - 16);
            from = from.min(at);
            if let Some(place) = self.beside[at..].first_chunk_mut() {
                taken += s.take(numbers, below, place);
            }
        }
        // Lanes from there on.
        const LANES: Row = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
        if from < 16
            && let (Some(last), Some(beside)) = (self.numbers.last_chunk_mut(), self.beside.first_chunk())
        {
            let chosen = s.gt(s.load(&LANES), s.splat(from as i16 - 1));
            let difference = s.and(chosen, s.sub(s.load(beside), s.load(last)));
            s.store(last, s.add(s.load(last), difference));
        }
        taken
    }
}

/// `K` elements of noise: algorithm 8 on `PRF(seed, nonce)` with nonces in sequence, a stream each. Constant
/// time.
pub(super) struct Noise<'a, const K: usize> {
    cpu: Cpu,
    eta: usize,
    seed: &'a [u8; 32],
    /// The nonce of the first.
    nonce: u8,
    elements: &'a mut [Element; K],
    /// Rows so far, or [`UNSEEDED`].
    rows: [usize; K],
    /// Bytes of a block that are no whole row.
    rest: Zeroizing<[[u8; REST]; K]>,
}

/// What the first block leaves of them.
const REST: usize = RATE_256 % ROW_3;

impl<'a, const K: usize> Noise<'a, K> {
    /// The noise of the centred binomial distribution `eta`, 2 or 3, with the nonces from `nonce` on.
    pub(super) fn new(
        cpu: Cpu,
        eta: usize,
        seed: &'a [u8; 32],
        nonce: u8,
        elements: &'a mut [Element; K],
    ) -> Self {
        Noise { cpu, eta, seed, nonce, elements, rows: [UNSEEDED; K], rest: Zeroizing::new([[0; REST]; K]) }
    }

    /// The work of its streams.
    pub(super) fn work(&self) -> Work {
        Work::new(K, if self.eta == 3 { 2 } else { 1 })
    }

    /// The elements, once all are complete.
    pub(super) fn elements(&self) -> Option<&[Element; K]> {
        self.rows.iter().all(|rows| *rows == ROWS).then_some(self.elements)
    }

    /// A step of a stream; see [`Streams`](ringsmith_hash::Streams).
    pub(super) fn step(&mut self, stream: usize, lane: &mut Lane<'_>) -> bool {
        let done = self.rows[stream];
        if done == UNSEEDED {
            let mut with_nonce = SecretBytes::<33>::zero();
            with_nonce[..32].copy_from_slice(self.seed);
            with_nonce[32] = self.nonce + stream as u8;
            lane.shake::<RATE_256, 33>(&with_nonce);
            self.rows[stream] = 0;
            return true;
        }
        let done = if self.eta == 3 { self.step_3(stream, done, lane) } else { self.step_2(stream, lane) };
        self.rows[stream] = done;
        done < ROWS
    }

    /// One block is enough.
    fn step_2(&mut self, stream: usize, lane: &Lane<'_>) -> usize {
        let mut bytes = SecretBytes::<RATE_256>::zero();
        lane.read(&mut bytes);
        if let Some(bytes) = bytes.as_chunks().0.first_chunk() {
            self.cpu.run(Binomial2 { bytes, out: &mut self.elements[stream].0 });
        }
        ROWS
    }

    /// A block, behind what the one before has left; how many rows are done then.
    fn step_3(&mut self, stream: usize, done: usize, lane: &Lane<'_>) -> usize {
        let mut bytes = SecretBytes::<{ REST + RATE_256 + 32 }>::zero();
        let (rest, block) = bytes.split_at_mut(REST);
        rest.copy_from_slice(&self.rest[stream]);
        if let Some(block) = block.first_chunk_mut::<RATE_256>() {
            lane.read(block);
        }
        let (from, rows) = if done == 0 { (REST, RATE_256 / ROW_3) } else { (0, ROWS - done) };
        let out = &mut self.elements[stream].0[done..done + rows];
        self.cpu.run(Binomial3 { bytes: &bytes[from..], out });
        self.rest[stream].copy_from_slice(&bytes[RATE_256..REST + RATE_256]);
        done + rows
    }
}
