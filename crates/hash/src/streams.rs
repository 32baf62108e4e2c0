//! Streams of any lengths, four at a time, or eight at a time on CPUs that permute eight states in less than
//! twice the time of four.
//!
//! Each of these states runs one stream; where it ends, the next one that is ready takes its place. So a
//! long hash is almost free where short streams run beside it: ML-KEM hashes a public key while it samples
//! the matrix from the key's seed. A hash whose message is made meanwhile ([`Intermittent`]) takes a place
//! whenever there is a block for it.

use crate::one::Sponge;
use crate::states::{States, runs_eight};
use crate::{RATE_256, SHA3, SHAKE};
use ringsmith_simd::Cpu;
use zeroize::Zeroizing;

/// A stream's state, between two permutations.
pub struct Lane<'a> {
    states: &'a mut States,
    /// Where its first word is.
    first: usize,
}

impl<'a> Lane<'a> {
    /// That of a stream.
    #[inline]
    fn new(states: &'a mut States, stream: usize) -> Self {
        let first = states.first(stream);
        Lane { states, first }
    }

    /// Word `i` of the state.
    #[inline]
    fn word(&mut self, i: usize) -> &mut u64 {
        &mut self.states.words[self.first + self.states.apart() * i]
    }

    /// The words of the state, from the first on, which are so far apart.
    #[inline]
    fn each<const APART: usize>(&mut self) -> impl Iterator<Item = &mut u64> {
        self.states.words[self.first..][..24 * APART + 1].iter_mut().step_by(APART)
    }

    fn clear(&mut self) {
        match self.states.apart() {
            1 => self.each::<1>().for_each(|word| *word = 0),
            4 => self.each::<4>().for_each(|word| *word = 0),
            _ => self.each::<8>().for_each(|word| *word = 0),
        }
    }

    /// Adds bytes to the state, from its byte `at` on.
    fn add(&mut self, mut at: usize, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(at.next_multiple_of(8) - at));
        let (words, tail) = rest.as_chunks::<8>();
        head.iter().for_each(|byte| {
            self.add_byte(at, *byte);
            at += 1;
        });
        words.iter().for_each(|word| {
            *self.word(at / 8) ^= u64::from_le_bytes(*word);
            at += 8;
        });
        tail.iter().enumerate().for_each(|(i, byte)| self.add_byte(at + i, *byte));
    }

    fn add_byte(&mut self, at: usize, byte: u8) {
        *self.word(at / 8) ^= (byte as u64) << (8 * (at % 8));
    }

    /// Ends a message at byte `at` of a block.
    fn pad<const RATE: usize>(&mut self, at: usize, suffix: u8) {
        self.add_byte(at, suffix);
        self.add_byte(RATE - 1, 0x80);
    }

    /// Continues with a state that is kept elsewhere; this one is zero.
    fn enter(&mut self, state: &[u64; 25]) {
        state.iter().enumerate().for_each(|(i, word)| *self.word(i) = *word);
    }

    /// Keeps the state elsewhere.
    fn leave(&mut self, state: &mut [u64; 25]) {
        state.iter_mut().enumerate().for_each(|(i, word)| *word = *self.word(i));
    }

    /// SHAKE with this rate of a seed that is shorter than a block. The state is zero before.
    pub fn shake<const RATE: usize, const N: usize>(&mut self, seed: &[u8; N]) {
        const { assert!(N < RATE && RATE < 200 && RATE.is_multiple_of(8)) };
        let (words, tail) = seed.as_chunks::<8>();
        // The suffix is behind the last byte of the seed, in the same word.
        let last = tail.iter().rfold(u64::from(SHAKE), |word, byte| word << 8 | u64::from(*byte));
        let words = words.iter().map(|word| u64::from_le_bytes(*word)).chain([last]);
        match self.states.apart() {
            1 => self.each::<1>().zip(words).for_each(|(lane, word)| *lane ^= word),
            4 => self.each::<4>().zip(words).for_each(|(lane, word)| *lane ^= word),
            _ => self.each::<8>().zip(words).for_each(|(lane, word)| *lane ^= word),
        }
        *self.word(RATE / 8 - 1) ^= 1 << 63;
    }

    /// The words of the state, from the first on, and how far they are apart: 1, 4 or 8.
    #[inline]
    pub fn words(&self) -> (&[u64], usize) {
        (&self.states.words[self.first..], self.states.apart())
    }

    /// The first bytes of the state: a block, or the digest.
    pub fn read<const N: usize>(&self, out: &mut [u8; N]) {
        const { assert!(N.is_multiple_of(8) && N < 200) };
        match self.states.apart() {
            1 => self.read_of::<1>(out.as_chunks_mut().0),
            4 => self.read_of::<4>(out.as_chunks_mut().0),
            _ => self.read_of::<8>(out.as_chunks_mut().0),
        }
    }

    /// The same of words that are so far apart.
    #[inline]
    fn read_of<const APART: usize>(&self, out: &mut [[u8; 8]]) {
        let words = self.states.words[self.first..][..24 * APART + 1].iter().step_by(APART);
        out.iter_mut().zip(words).for_each(|(bytes, word)| *bytes = word.to_le_bytes());
    }
}

/// Streams that run side by side, by their numbers.
pub trait Streams {
    /// The next stream that is ready to start. `None` does not end the run: while other streams run, the
    /// question is asked again after each permutation. The answer must not depend on a secret.
    fn next(&mut self) -> Option<usize>;
    /// One step of a stream: adds bytes to its state, which is zero at first, or reads bytes from it. Returns
    /// whether the stream continues after the next permutation; this must not depend on a secret.
    fn step(&mut self, stream: usize, lane: &mut Lane<'_>) -> bool;
}

/// An estimate of permutations: of all streams together, and of the longest one alone.
#[derive(Clone, Copy)]
pub struct Work {
    all: usize,
    longest: usize,
}

impl Work {
    /// So many streams, of so many permutations each.
    pub const fn new(streams: usize, permutations: usize) -> Self {
        Work { all: streams * permutations, longest: permutations }
    }

    /// Both side by side.
    pub const fn and(self, other: Work) -> Self {
        let longest = if self.longest > other.longest { self.longest } else { other.longest };
        Work { all: self.all + other.all, longest }
    }

    /// How many states a CPU permutes at a time for it. Eight gain nothing where the longest stream would
    /// take as long as all others four at a time. Two times four gain less than vectors of eight do.
    fn at_a_time(self, cpu: Cpu) -> usize {
        let often = if cpu.wide_64() { 4 } else { 12 };
        if self.all > often * self.longest { states_at_a_time(cpu) } else { 4 }
    }
}

/// How many states a CPU permutes at a time, where there is much work: four, or eight where that takes less
/// than twice the time.
#[inline]
pub fn states_at_a_time(cpu: Cpu) -> usize {
    if runs_eight(cpu) { 8 } else { 4 }
}

/// Runs streams until none is running and none is ready. The longest should come first, because its rest is
/// permuted alone when the others have ended. `work` affects the speed only.
pub fn run_streams(cpu: Cpu, work: Work, streams: &mut impl Streams) {
    let mut states = States::new(cpu, work.at_a_time(cpu));
    let mut running = [None; States::MOST];
    loop {
        for (stream, slot) in running.iter_mut().enumerate().take(states.count()) {
            let mut lane = Lane::new(&mut states, stream);
            while slot.is_none_or(|number| !streams.step(number, &mut lane)) {
                *slot = streams.next();
                if slot.is_none() {
                    break;
                }
                lane.clear();
            }
        }
        if running == [None; States::MOST] {
            return;
        }
        states.gather(&mut running);
        states.permute(cpu, running.map(|slot| slot.is_some()));
    }
}

/// Streams that are all ready, in the order of their numbers.
pub struct InOrder<F> {
    started: usize,
    count: usize,
    step: F,
}

impl<F: FnMut(usize, &mut Lane<'_>) -> bool> InOrder<F> {
    /// So many streams, whose steps are those of `step`: see [`Streams::step`].
    pub fn new(count: usize, step: F) -> Self {
        InOrder { started: 0, count, step }
    }
}

impl<F: FnMut(usize, &mut Lane<'_>) -> bool> Streams for InOrder<F> {
    fn next(&mut self) -> Option<usize> {
        let stream = self.started;
        self.started += (stream < self.count) as usize;
        (stream < self.count).then_some(stream)
    }

    fn step(&mut self, stream: usize, lane: &mut Lane<'_>) -> bool {
        (self.step)(stream, lane)
    }
}

/// The first 32 bytes of a hash of rate 136, of a message in two parts.
pub struct Digest<'a> {
    suffix: u8,
    rest: [&'a [u8]; 2],
    padded: bool,
    out: Zeroizing<[u8; 32]>,
}

impl<'a> Digest<'a> {
    /// SHA3-256 of `head || tail`.
    pub fn sha3_256(head: &'a [u8], tail: &'a [u8]) -> Self {
        Digest { suffix: SHA3, rest: [head, tail], padded: false, out: Zeroizing::new([0; 32]) }
    }

    /// SHAKE256 of `head || tail`.
    pub fn shake256(head: &'a [u8], tail: &'a [u8]) -> Self {
        Digest { suffix: SHAKE, ..Self::sha3_256(head, tail) }
    }

    /// The work of the stream.
    pub fn work(&self) -> Work {
        Work::new(1, (self.rest[0].len() + self.rest[1].len()) / RATE_256 + 1)
    }

    /// The digest, once [`run_streams`] has run the stream.
    pub fn digest(&self) -> &[u8; 32] {
        &self.out
    }

    /// The step of [`Streams`].
    pub fn step(&mut self, lane: &mut Lane<'_>) -> bool {
        if self.padded {
            lane.read(&mut self.out);
            return false;
        }
        let mut at = 0;
        for rest in &mut self.rest {
            let (now, later) = rest.split_at(rest.len().min(RATE_256 - at));
            lane.add(at, now);
            at += now.len();
            *rest = later;
        }
        self.padded = at < RATE_256;
        if self.padded {
            lane.pad::<RATE_256>(at, self.suffix);
        }
        true
    }
}

/// The hash of a message that is still being written. It absorbs the finished blocks beside other streams,
/// gives up its place when no block is ready, and returns later. The rest of the message is absorbed alone at
/// the end.
pub struct Intermittent<const RATE: usize, const SUFFIX: u8> {
    sponge: Sponge<RATE, SUFFIX>,
    running: bool,
    absorbed: usize,
}

/// SHA3-256 of such a message.
pub type IntermittentSha3_256 = Intermittent<RATE_256, SHA3>;
/// SHAKE256 of such a message.
pub type IntermittentShake256 = Intermittent<RATE_256, SHAKE>;

impl<const RATE: usize, const SUFFIX: u8> Intermittent<RATE, SUFFIX> {
    /// Nothing absorbed yet.
    pub fn new_on(cpu: Cpu) -> Self {
        Intermittent { sponge: Sponge::new_on(cpu), running: false, absorbed: 0 }
    }

    /// Whether it could take a place now, with so many bytes of the message there.
    pub fn ready(&self, length: usize) -> bool {
        !self.running && length >= self.absorbed + RATE
    }

    /// The step of [`Streams`]: `message` is what there is of it, from its beginning, or less to make it
    /// leave its place.
    pub fn step(&mut self, message: &[u8], lane: &mut Lane<'_>) -> bool {
        if !self.running {
            lane.enter(self.sponge.state());
        }
        self.running = message.len() >= self.absorbed + RATE;
        if self.running {
            lane.add(0, &message[self.absorbed..][..RATE]);
            self.absorbed += RATE;
        } else {
            lane.leave(self.sponge.state());
        }
        self.running
    }

    /// Takes the rest of the message; call it when the streams have run.
    pub fn finish(self, message: &[u8]) -> Sponge<RATE, SUFFIX> {
        self.sponge.absorb(&message[self.absorbed..])
    }
}
