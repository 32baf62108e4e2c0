//! Sampling: FIPS 204, section 7.3. Each element is a stream of SHAKE, of which several run at a time
//! ([`run_streams`](ringsmith_hash::run_streams)).

use crate::ring::{N, Poly, Q, Secret, Values, Words};
use crate::small::Challenge;
use crate::{codec, publish};
use ringsmith_hash::{InOrder, Lane, RATE_128, RATE_256, Shake256, Work, run_streams};
use ringsmith_kem::secret::SecretBytes;
use ringsmith_ring::Rows;
use ringsmith_simd::{Cpu, Kernel, Simd, each};

/// Most elements of a matrix.
const MOST: usize = 56;
/// Places of a matrix that is consumed row by row: enough for a row, and for as many elements as are sampled
/// at a time. A power of two.
pub(crate) const WINDOW: usize = 16;

/// The elements of the matrix, row after row: algorithm 30 on `rho || column || row`. Its time depends on
/// `rho`, which is public.
///
/// There are places for all elements, or [`WINDOW`] of them: then a place is sampled again when its row is
/// [consumed](Self::consume).
pub(crate) struct Matrix<'a> {
    cpu: Cpu,
    rho: &'a [u8; 32],
    columns: usize,
    count: usize,
    /// In the domain, in `[0, q)`.
    places: &'a mut [Values],
    /// Values so far; `None` before the seed is absorbed.
    taken: [Option<u16>; MOST],
    started: usize,
    consumed: usize,
}

impl<'a> Matrix<'a> {
    /// Of so many rows and columns.
    pub(crate) fn new(
        cpu: Cpu,
        rho: &'a [u8; 32],
        [rows, columns]: [usize; 2],
        places: &'a mut [Values],
    ) -> Self {
        let count = rows * columns;
        debug_assert!(places.len() >= count || places.len() == WINDOW);
        Matrix { cpu, rho, columns, count, places, taken: [None; MOST], started: 0, consumed: 0 }
    }

    /// The work of its streams: five blocks mostly hold enough numbers below the modulus.
    pub(crate) fn work(&self) -> Work {
        Self::work_of(self.count)
    }

    /// The same of so many elements.
    pub(crate) fn work_of(count: usize) -> Work {
        Work::new(count, BLOCKS)
    }

    /// Where an element is.
    fn place(&self, element: usize) -> usize {
        if self.places.len() < self.count { element & (WINDOW - 1) } else { element }
    }

    /// The next stream that is ready.
    pub(crate) fn next(&mut self) -> Option<usize> {
        let stream = self.started;
        let ready = stream < self.count && stream - self.consumed < self.places.len();
        self.started += usize::from(ready);
        ready.then_some(stream)
    }

    /// How many streams have not begun.
    pub(crate) fn left(&self) -> usize {
        self.count - self.started
    }

    /// The first row that is not consumed, if it is there.
    pub(crate) fn row(&self) -> Option<usize> {
        let of_row = self.taken.get(self.consumed..self.consumed + self.columns)?;
        of_row.iter().all(|taken| *taken == Some(N as u16)).then_some(self.consumed)
    }

    /// Its element in a column.
    pub(crate) fn element(&self, column: usize) -> &Values {
        &self.places[self.place(self.consumed + column)]
    }

    /// Lets go of it.
    pub(crate) fn consume(&mut self) {
        self.consumed += self.columns;
    }

    /// A step of a stream; see [`Streams`](ringsmith_hash::Streams).
    pub(crate) fn step(&mut self, stream: usize, lane: &mut Lane<'_>) -> bool {
        let Some(taken) = self.taken[stream] else {
            let mut seed = [0; 34];
            seed[..32].copy_from_slice(self.rho);
            (seed[32], seed[33]) = self.coordinates(stream);
            lane.shake::<RATE_128, 34>(&seed);
            self.taken[stream] = Some(0);
            return true;
        };
        let place = self.place(stream);
        let (values, taken) = (self.places[place].rows_mut().as_flattened_mut(), taken.into());
        let taken = take_uniform(self.cpu, lane.words(), values, taken);
        self.taken[stream] = Some(taken as u16);
        taken < N
    }

    /// The column and the row of an element.
    fn coordinates(&self, mut element: usize) -> (u8, u8) {
        let mut row = 0;
        while element >= self.columns {
            (row, element) = (row + 1, element - self.columns);
        }
        (element as u8, row)
    }
}

/// Blocks of an element of the matrix, but for one in a great many, and of a mask.
const BLOCKS: usize = 5;

/// Puts the numbers of a block, whose words are so far apart, behind those `taken` before, until there are
/// `N`; how many they are then.
fn take_uniform(cpu: Cpu, (words, stride): (&[u64], usize), values: &mut [i32], taken: usize) -> usize {
    let (taken, group) = match (stride, words.first_chunk(), words.first_chunk()) {
        (4, Some(words), _) => cpu.run(TakeUniform::<4, { reach(4) }> { words, values, taken, group: 0 }),
        (_, _, Some(words)) => cpu.run(TakeUniform::<8, { reach(8) }> { words, values, taken, group: 0 }),
        _ => (taken, 0),
    };
    if taken < N && group < GROUPS { take_last((words, stride), group, values, taken) } else { taken }
}

/// Groups of eight numbers in a block.
const GROUPS: usize = RATE_128 / 24;

/// Words from the first of a block to the last, where they are so far apart.
const fn reach(stride: usize) -> usize {
    (RATE_128 / 8 - 1) * stride + 1
}

/// Puts the numbers of 23 bits below `q` among those of a block, whose words are `STRIDE` apart, behind those
/// `taken` before; how many they are then. It ends where there are places for less than eight.
struct TakeUniform<'a, const STRIDE: usize, const REACH: usize> {
    words: &'a [u64; REACH],
    values: &'a mut [i32],
    taken: usize,
    /// Groups that it went through, 0 at first.
    group: usize,
}

impl<const STRIDE: usize, const REACH: usize> Kernel for TakeUniform<'_, STRIDE, REACH> {
    /// Those that are taken, and the groups.
    type Out = (usize, usize);
    const SPILLS: bool = false;
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) -> (usize, usize) {
        const { assert!(GROUPS == 4 + 3) };
        let (q, mask) = (s.splat32(Q), s.splat32((1 << 23) - 1));
        let first: [_; 4] = each(
            #[inline(always)]
            |group| self.numbers(s, group, mask),
        );
        self.take(s, first, q);
        if self.group == 4 {
            let others: [_; 3] = each(
                #[inline(always)]
                |group| self.numbers(s, 4 + group, mask),
            );
            self.take(s, others, q);
        }
        (self.taken, self.group)
    }
}

impl<const STRIDE: usize, const REACH: usize> TakeUniform<'_, STRIDE, REACH> {
    /// Those of a group.
    #[inline(always)]
    fn numbers<S: Simd>(&self, s: S, group: usize, mask: S::I32) -> S::I32 {
        let word: [u64; 3] = each(
            #[inline(always)]
            |i| self.words[(3 * group + i) * STRIDE],
        );
        s.and32(s.of_words32(word), mask)
    }

    /// Takes those of the next groups: mostly all of them.
    #[inline(always)]
    fn take<S: Simd, const G: usize>(&mut self, s: S, numbers: [S::I32; G], q: S::I32) {
        let (mut all, mut i) = (s.splat32(-1), 0);
        while i < G {
            all = s.and32(all, s.sub32(numbers[i], q));
            i += 1;
        }
        i = 0;
        let places = self.values[self.taken..].as_chunks_mut::<8>().0;
        if let Some(places) = places.first_chunk_mut::<G>()
            && s.all_negative32(all)
        {
            while i < G {
                s.store32(&mut places[i], numbers[i]);
                i += 1;
            }
            (self.taken, self.group) = (self.taken + 8 * G, self.group + G);
            return;
        }
        while i < G {
            let Some(place) = self.values[self.taken..].first_chunk_mut() else { return };
            let below = s.shift_right32::<31>(s.sub32(numbers[i], q));
            self.taken += s.take32(numbers[i], below, place);
            (self.group, i) = (self.group + 1, i + 1);
        }
    }
}

/// Takes numbers one by one, from a group of a block on, whose words are so far apart: for the last places.
fn take_last((words, stride): (&[u64], usize), group: usize, values: &mut [i32], mut taken: usize) -> usize {
    let byte = |at: usize| (words[at / 8 * stride] >> (at % 8 * 8)) as u8;
    for i in 8 * group..RATE_128 / 3 {
        let Some(place) = values.get_mut(taken) else { break };
        *place = i32::from_le_bytes([byte(3 * i), byte(3 * i + 1), byte(3 * i + 2) & 0x7f, 0]);
        taken += usize::from(*place < Q);
    }
    taken
}

/// A block of SHAKE256, and bytes of the state behind it that the vectors read.
const READ_256: usize = RATE_256 + 24;
/// Rows of its nibbles.
const NIBBLES: usize = 17;
/// Its nibbles.
type Nibbles = Rows<NIBBLES>;

/// `s1` and `s2`: algorithm 33, on `rho' || number`. Coefficients in `[-eta, eta]`. Which nibbles it takes is
/// [published](publish::acceptance); their values stay secret.
pub(crate) struct Small<'a> {
    cpu: Cpu,
    eta: i32,
    seed: &'a [u8; 64],
    polys: &'a mut [Words],
    taken: [Option<usize>; MOST_SMALL],
    started: usize,
    /// Elements that are not complete.
    left: usize,
    work: Secret<Rows<NIBBLES>>,
}

/// Most elements of `s1` and `s2`.
const MOST_SMALL: usize = 15;

impl<'a> Small<'a> {
    /// Of this seed.
    pub(crate) fn new(cpu: Cpu, eta: i32, seed: &'a [u8; 64], polys: &'a mut [Words]) -> Self {
        let left = polys.len();
        let work = Secret::of(Rows([[0; 16]; NIBBLES]));
        Small { cpu, eta, seed, polys, taken: [None; MOST_SMALL], started: 0, left, work }
    }

    /// Those that are there already: no stream.
    pub(crate) fn given(cpu: Cpu, eta: i32, polys: &'a mut [Words]) -> Self {
        let (started, work) = (polys.len(), Secret::of(Rows([[0; 16]; NIBBLES])));
        Small { cpu, eta, seed: &[0; 64], polys, taken: [Some(N); MOST_SMALL], started, left: 0, work }
    }

    /// The work of its streams.
    pub(crate) fn work(&self) -> Work {
        Work::new(self.polys.len() - self.started, 2)
    }

    /// The next stream.
    pub(crate) fn next(&mut self) -> Option<usize> {
        let stream = self.started;
        self.started += usize::from(stream < self.polys.len());
        (stream < self.polys.len()).then_some(stream)
    }

    /// The elements, when all are there.
    pub(crate) fn polys(&self) -> Option<&[Words]> {
        (self.left == 0).then_some(self.polys)
    }

    /// A step of a stream; see [`Streams`](ringsmith_hash::Streams).
    pub(crate) fn step(&mut self, stream: usize, lane: &mut Lane<'_>) -> bool {
        let Some(taken) = self.taken[stream] else {
            numbered(lane, self.seed, stream as u16);
            self.taken[stream] = Some(0);
            return true;
        };
        let mut block = SecretBytes::<READ_256>::zero();
        lane.read(&mut block);
        let (mut accepted, eta) = (Rows([[0; 16]; NIBBLES]), self.eta);
        let numbers = self.polys[stream].0.as_flattened_mut();
        self.cpu.run(Coefficients { block: &block, eta, out: &mut self.work, accepted: &mut accepted });
        publish::acceptance(accepted.0.as_flattened_mut());
        let taken = take(self.cpu, &self.work, &accepted, numbers, taken);
        self.taken[stream] = Some(taken);
        self.left -= usize::from(taken == N);
        taken < N
    }
}

/// Starts the stream of a secret seed and a number.
fn numbered(lane: &mut Lane<'_>, seed: &[u8; 64], number: u16) {
    let mut with_number = SecretBytes::<66>::zero();
    with_number[..64].copy_from_slice(seed);
    with_number[64..].copy_from_slice(&number.to_le_bytes());
    lane.shake::<RATE_256, 66>(&with_number);
}

/// The coefficients of all nibbles (algorithm 15), and masks of those that are accepted: `2 - (nibble mod 5)`
/// below 15 for `eta = 2`, `4 - nibble` below 9 for `eta = 4`.
struct Coefficients<'a> {
    block: &'a [u8; READ_256],
    eta: i32,
    out: &'a mut Nibbles,
    accepted: &'a mut Nibbles,
}

impl Kernel for Coefficients<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (eta, limit, fives) = if self.eta == 2 { (2, 15, 5) } else { (4, 9, 0) };
        let (mut row, mut byte) = (0, 0);
        while let Some(bytes) = self.block[byte..].first_chunk()
            && row < NIBBLES
        {
            let nibbles = s.unpack::<4>(bytes);
            // 13/64 is a little more than 1/5: right for all nibbles.
            let fifth = s.shift_right::<6>(s.mul_lo(nibbles, s.splat(13)));
            let rest = s.sub(nibbles, s.mul_lo(fifth, s.splat(fives)));
            s.store(&mut self.out.0[row], s.sub(s.splat(eta), rest));
            s.store(&mut self.accepted.0[row], s.gt(s.splat(limit), nibbles));
            (row, byte) = (row + 1, byte + 8);
        }
    }
}

/// Puts those that are chosen, which is public, behind those `taken` before, until there are `N`; how many
/// they are then.
fn take(cpu: Cpu, from: &Nibbles, chosen: &Nibbles, numbers: &mut [i16], taken: usize) -> usize {
    let (mut taken, row) = cpu.run(Take { from, chosen, numbers, taken });
    for (number, chosen) in from.0[row..].as_flattened().iter().zip(chosen.0[row..].as_flattened()) {
        let Some(place) = numbers.get_mut(taken) else { break };
        *place = *number;
        taken += usize::from(*chosen != 0);
    }
    taken
}

/// The same, up to where there are places for less than sixteen; and the rows that it went through.
struct Take<'a> {
    from: &'a Nibbles,
    chosen: &'a Nibbles,
    numbers: &'a mut [i16],
    taken: usize,
}

impl Kernel for Take<'_> {
    type Out = (usize, usize);
    const SPILLS: bool = false;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> (usize, usize) {
        let (mut taken, mut row) = (self.taken, 0);
        while row < NIBBLES
            && let Some(place) = self.numbers[taken..].first_chunk_mut()
        {
            taken += s.take(s.load(&self.from.0[row]), s.load(&self.chosen.0[row]), place);
            row += 1;
        }
        (taken, row)
    }
}

/// Masks, which are sampled ahead: algorithm 34, on `rho'' || number`. Constant time.
///
/// An attempt takes 4, 5 or 7 of them, but 4 or 8 streams run in the time of one. So what runs beside those
/// of an attempt are those of the next ones.
pub(crate) struct Masks<'a> {
    seed: &'a [u8; 64],
    /// The number of the first mask that no attempt had, and of the first that is not sampled.
    first: u16,
    end: u16,
    bytes: &'a mut MaskBytes,
    /// Blocks so far; `None` before the seed is absorbed.
    blocks: [Option<usize>; AHEAD],
}

/// Places for masks: 6 that are left and 8 more, rounded up to a power of two.
const AHEAD: usize = 16;
/// Bytes of a mask.
const MASK: usize = BLOCKS * RATE_256;
/// Memory for them.
pub(crate) type MaskBytes = SecretBytes<{ AHEAD * MASK }>;

impl<'a> Masks<'a> {
    /// Those of a seed, from 0 on.
    pub(crate) fn new(seed: &'a [u8; 64], bytes: &'a mut MaskBytes) -> Self {
        Masks { seed, first: 0, end: 0, bytes, blocks: [None; AHEAD] }
    }

    /// How many to sample so that `wanted` are there, beside `others` streams as long as they are, and no
    /// state is idle.
    pub(crate) fn more(&self, cpu: Cpu, wanted: usize, others: usize) -> usize {
        let needed = wanted.saturating_sub(usize::from(self.end - self.first));
        let at_a_time = if cpu.wide_64() { 8 } else { 4 };
        if needed == 0 { 0 } else { (needed + others).next_multiple_of(at_a_time) - others }
    }

    /// The work of so many.
    pub(crate) fn work(more: usize) -> Work {
        Work::new(more, BLOCKS)
    }

    /// A step of stream `i` of those that are sampled now; see [`Streams`](ringsmith_hash::Streams).
    pub(crate) fn step(&mut self, i: usize, lane: &mut Lane<'_>) -> bool {
        let number = self.end + i as u16;
        let place = usize::from(number) & (AHEAD - 1);
        let Some(block) = self.blocks[place] else {
            numbered(lane, self.seed, number);
            self.blocks[place] = Some(0);
            return true;
        };
        lane.read(&mut self.bytes.as_chunks_mut::<RATE_256>().0[place * BLOCKS + block]);
        self.blocks[place] = Some(block + 1);
        block + 1 < BLOCKS
    }

    /// So many are sampled.
    pub(crate) fn sampled(&mut self, more: usize) {
        self.end += more as u16;
    }

    /// Samples what lacks of the masks of an attempt.
    pub(crate) fn ensure(&mut self, cpu: Cpu, wanted: usize) {
        let more = self.more(cpu, wanted, 0);
        if more > 0 {
            let step = |stream: usize, lane: &mut Lane<'_>| self.step(stream, lane);
            run_streams(cpu, Self::work(more), &mut InOrder::new(more, step));
            self.sampled(more);
        }
    }

    /// Mask `i` of the attempt, in `(-gamma1, gamma1]`, of `bits` bits.
    pub(crate) fn unpack(&self, cpu: Cpu, bits: usize, i: usize, y: &mut Poly) {
        let place = (usize::from(self.first) + i) & (AHEAD - 1);
        codec::unpack_mask(cpu, bits, &self.bytes[place * MASK..][..MASK], 1 << bits, y);
    }

    /// Lets go of the masks of an attempt.
    pub(crate) fn consume(&mut self, count: usize) {
        for _ in 0..count {
            self.blocks[usize::from(self.first) & (AHEAD - 1)] = None;
            self.first += 1;
        }
    }
}

/// The challenge `c`: algorithm 29, `tau` coefficients of 1 and -1. Its time depends on `ctilde`, which is
/// published.
pub(crate) fn in_ball(cpu: Cpu, tau: usize, ctilde: &[u8], c: &mut Challenge) {
    let mut reader = Shake256::new_on(cpu).absorb(ctilde).reader();
    let (mut block, mut at) = ([0; RATE_256], 8);
    reader.squeeze(&mut block);
    let mut signs = u64::from_le_bytes(*block.first_chunk().expect("a block"));
    let mut next = || {
        if at == RATE_256 {
            reader.squeeze(&mut block);
            at = 0;
        }
        at += 1;
        usize::from(block[at - 1])
    };
    c.coefficients = [0; N];
    for (i, place) in (N - tau..N).zip(&mut c.places) {
        let mut j = next();
        while j > i {
            j = next();
        }
        let moved = c.coefficients[j];
        c.coefficients[i] = moved;
        c.coefficients[j] = 1 - 2 * (signs & 1) as i8;
        *place = if moved == 0 { j } else { i } as u8;
        signs >>= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: uniform numbers against the definition: blocks with rejected numbers at every place, with
    /// bit 23 set, and the end of an element anywhere in a block; of four states and of eight.
    #[test]
    fn uniform() {
        let ends = [(8, 200), (9, 249), (0, 255), (99, 248)];
        for (rejected, before) in (0..56).map(|i| (i, 4 * i)).chain(ends) {
            let (mut block, mut expected) = ([0; RATE_128], std::vec::Vec::new());
            for (i, bytes) in block.as_chunks_mut::<3>().0.iter_mut().enumerate() {
                let outside = i == rejected || i % 13 == 5;
                let number = if outside { Q + i as i32 } else { Q - 1 - 71 * i as i32 };
                let [a, b, c, _] = number.to_le_bytes();
                *bytes = [a, b, c | 0x80];
                expected.extend((!outside).then_some(number));
            }
            expected.truncate(N - before);
            let (mut four, mut eight) = ([!0; 197], [!0; 193]);
            for (i, word) in block.as_chunks().0.iter().enumerate() {
                (four[4 * i], eight[8 * i]) = (u64::from_le_bytes(*word), u64::from_le_bytes(*word));
            }
            for cpu in Cpu::available() {
                let (mut values, mut others) = ([-1; N], [-1; N]);
                let taken = take_uniform(cpu, (&four, 4), &mut values, before);
                let again = take_uniform(cpu, (&eight, 8), &mut others, before);
                assert_eq!(
                    (taken, again),
                    (before + expected.len(), taken),
                    "{rejected} {before} on {cpu:?}"
                );
                assert_eq!(values[before..taken], expected);
                assert!(values[..taken] == others[..taken] && values[..before] == [-1; N][..before]);
            }
        }
    }

    /// Protects: algorithm 15 on every nibble, and the end of an element anywhere in a block.
    #[test]
    fn small() {
        for cpu in Cpu::available() {
            for (eta, limit) in [(2, 15), (4, 9)] {
                for before in [0, 1, 100, 200, 240, 241, 255] {
                    let block: [u8; READ_256] = core::array::from_fn(|i| (i * 37 + i / 16) as u8);
                    let nibbles = block[..RATE_256].iter().flat_map(|byte| [byte & 15, byte >> 4]);
                    let of = |n: u8| if eta == 2 { 2 - i16::from(n % 5) } else { 4 - i16::from(n) };
                    let accepted = nibbles.filter(|n| *n < limit).map(of);
                    let expected: std::vec::Vec<_> = accepted.take(N - before).collect();
                    let (mut out, mut chosen, mut numbers) =
                        (Rows([[0; 16]; NIBBLES]), Rows([[0; 16]; NIBBLES]), [9; N]);
                    cpu.run(Coefficients { block: &block, eta, out: &mut out, accepted: &mut chosen });
                    let taken = take(cpu, &out, &chosen, &mut numbers, before);
                    assert_eq!(numbers[before..taken], expected, "{eta} {before} on {cpu:?}");
                    assert_eq!(taken, before + expected.len());
                }
            }
        }
    }
}
