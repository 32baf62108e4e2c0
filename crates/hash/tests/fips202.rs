//! Against another implementation, and published digests.

use ringsmith_hash::{
    Digest as Stream256, InOrder, IntermittentSha3_256, Lane, RATE_128, Sha3_256, Sha3_512, Shake128,
    Shake256, State4, Streams, Work, Xof4, permute, run_streams,
};
use ringsmith_simd::Cpu;
use sha3::Digest;
use shake::digest::{ExtendableOutput, Update, XofReader};

/// Bytes without a pattern.
fn message(length: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let step = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    (0..length).map(step).collect()
}

/// Protects: digests of every length around the ends of blocks, absorbed in two parts.
#[test]
fn one_stream() {
    Cpu::available().for_each(one_stream_on);
}

fn one_stream_on(cpu: Cpu) {
    for length in (0..300).chain([1184, 4000]) {
        let bytes = message(length, length as u64 + 1);
        let (head, tail) = bytes.split_at(length / 3);
        let digest: [u8; 32] = Sha3_256::new_on(cpu).absorb(head).absorb(tail).digest();
        assert_eq!(digest[..], sha3::Sha3_256::digest(&bytes)[..], "SHA3-256 of {length} bytes on {cpu:?}");
        let digest: [u8; 64] = Sha3_512::new_on(cpu).absorb(head).absorb(tail).digest();
        assert_eq!(digest[..], sha3::Sha3_512::digest(&bytes)[..], "SHA3-512 of {length} bytes on {cpu:?}");
        let (mut out, mut expected) = ([0; 500], [0; 500]);
        let mut reader = Shake128::new_on(cpu).absorb(head).absorb(tail).reader();
        out.chunks_mut(7).for_each(|part| reader.squeeze(part));
        shake128(&bytes, &mut expected);
        assert_eq!(out, expected, "SHAKE128 of {length} bytes on {cpu:?}");
        Shake256::new_on(cpu).absorb(&bytes).reader().squeeze(&mut out);
        shake256(&bytes, &mut expected);
        assert_eq!(out, expected, "SHAKE256 of {length} bytes on {cpu:?}");
    }
}

fn shake128(message: &[u8], out: &mut [u8]) {
    let mut hasher = shake::Shake128::default();
    hasher.update(message);
    hasher.finalize_xof().read(out);
}

fn shake256(message: &[u8], out: &mut [u8]) {
    let mut hasher = shake::Shake256::default();
    hasher.update(message);
    hasher.finalize_xof().read(out);
}

fn four_of<const RATE: usize, const N: usize>(reference: fn(&[u8], &mut [u8])) {
    let messages: Vec<[u8; N]> = (0..4).map(|i| message(N, i + 7).try_into().unwrap()).collect();
    for cpu in Cpu::available() {
        let mut xof = Xof4::<RATE>::new_on(cpu, [&messages[0], &messages[1], &messages[2], &messages[3]]);
        let mut got = [const { Vec::new() }; 4];
        for _ in 0..3 {
            let mut blocks = [[0; RATE]; 4];
            xof.squeeze(&mut blocks);
            got.iter_mut().zip(blocks).for_each(|(got, block)| got.extend(block));
        }
        for (message, got) in messages.iter().zip(got) {
            let mut expected = vec![0; 3 * RATE];
            reference(message, &mut expected);
            assert_eq!(got, expected, "{N} bytes at rate {RATE} on {cpu:?}");
        }
    }
}

/// Protects: four streams are the four streams, on every backend, for messages of less than a block, of whole
/// blocks, and longer.
#[test]
fn four_streams() {
    four_of::<168, 0>(shake128);
    four_of::<168, 34>(shake128);
    four_of::<168, 167>(shake128);
    four_of::<168, 168>(shake128);
    four_of::<136, 33>(shake256);
    four_of::<136, 135>(shake256);
    four_of::<136, 136>(shake256);
    four_of::<136, 300>(shake256);
}

/// Protects: the permutation of the zero state, whose first word the designers publish; in all four states,
/// and once more.
#[test]
fn permutation_of_zero() {
    for cpu in Cpu::available() {
        let mut state = State4::new();
        permute(cpu, &mut state);
        assert_eq!(state.0[0], [0xf125_8f79_40e1_dde7; 4], "{cpu:?}");
        permute(cpu, &mut state);
        assert_eq!(state.0[0], [0x2d5c_954d_f96e_cb3c; 4], "{cpu:?}");
    }
}

/// SHAKE128 of a seed, as many blocks as it is told.
struct Blocks {
    seed: Option<[u8; 34]>,
    left: usize,
    out: Vec<u8>,
}

impl Blocks {
    fn step(&mut self, lane: &mut Lane<'_>) -> bool {
        if let Some(seed) = self.seed.take() {
            lane.shake::<RATE_128, 34>(&seed);
            return true;
        }
        let mut block = [0; RATE_128];
        lane.read(&mut block);
        self.out.extend(block);
        self.left -= 1;
        self.left > 0
    }
}

/// Every CPU with work that goes four at a time, and with work that goes eight at a time where it has that.
fn cpus_and_widths() -> impl Iterator<Item = (Cpu, Work)> {
    Cpu::available().flat_map(|cpu| [Work::new(4, 1), Work::new(100, 1)].map(|work| (cpu, work)))
}

/// Protects: streams of different kinds and lengths that share permutations do not disturb each other,
/// whatever their number and order, and messages in two parts are cut at any place.
#[test]
fn streams_side_by_side() {
    let lengths = [0, 1, 7, 8, 31, 135, 136, 137, 271, 272, 273, 1184];
    for (cpu, work) in cpus_and_widths() {
        for number in 0..9 {
            let messages: Vec<_> =
                (0..number).map(|i| message(lengths[(5 * i + number) % lengths.len()], i as u64)).collect();
            let cut: Vec<_> = messages.iter().enumerate().map(|(i, m)| m.split_at(m.len() * i / 9)).collect();
            let mut sha: Vec<_> = cut.iter().map(|(a, b)| Stream256::sha3_256(a, b)).collect();
            let mut shake: Vec<_> = cut.iter().map(|(a, b)| Stream256::shake256(a, b)).collect();
            let seed = |i: usize| message(34, i as u64).try_into().ok();
            let blocks = |i: usize| Blocks { seed: seed(i), left: 1 + i % 4, out: Vec::new() };
            let mut blocks: Vec<_> = (0..number).map(blocks).collect();
            let step = |stream: usize, lane: &mut Lane<'_>| match stream % 3 {
                0 => sha[stream / 3].step(lane),
                1 => blocks[stream / 3].step(lane),
                _ => shake[stream / 3].step(lane),
            };
            run_streams(cpu, work, &mut InOrder::new(3 * number, step));
            for i in 0..number {
                assert_eq!(
                    sha[i].digest()[..],
                    sha3::Sha3_256::digest(&messages[i])[..],
                    "SHA3-256 on {cpu:?}"
                );
                let mut expected = [0; 32];
                shake256(&messages[i], &mut expected);
                assert_eq!(*shake[i].digest(), expected, "SHAKE256 on {cpu:?}");
                let mut expected = vec![0; RATE_128 * (1 + i % 4)];
                shake128(&message(34, i as u64), &mut expected);
                assert_eq!(blocks[i].out, expected, "SHAKE128 on {cpu:?}");
            }
        }
    }
}

/// A message of which every other stream that ends brings some bytes more, and its hash.
struct Growing<'a> {
    message: &'a [u8],
    there: usize,
    hash: IntermittentSha3_256,
    others: Vec<Blocks>,
    started: usize,
}

impl Streams for Growing<'_> {
    fn next(&mut self) -> Option<usize> {
        if self.hash.ready(self.there) {
            return Some(self.others.len());
        }
        let stream = self.started;
        self.started += (stream < self.others.len()) as usize;
        (stream < self.others.len()).then_some(stream)
    }

    fn step(&mut self, stream: usize, lane: &mut Lane<'_>) -> bool {
        let Some(other) = self.others.get_mut(stream) else {
            return self.hash.step(&self.message[..self.there], lane);
        };
        let more = other.step(lane);
        self.there = (self.there + if more { 0 } else { 37 * stream }).min(self.message.len());
        more
    }
}

/// Protects: a hash that comes and goes between other streams, as its message grows, is the hash, and the
/// others are not disturbed.
#[test]
fn a_hash_of_a_growing_message() {
    for (cpu, work) in cpus_and_widths() {
        for length in [0, 1, 135, 136, 137, 272, 600, 1184] {
            for number in 0..9 {
                let message = message(length, number as u64);
                let other = |i: usize| Blocks {
                    seed: self::message(34, i as u64).try_into().ok(),
                    left: 1 + i % 4,
                    out: Vec::new(),
                };
                let hash = IntermittentSha3_256::new_on(cpu);
                let others = (0..number).map(other).collect();
                let mut growing = Growing { message: &message, there: 0, hash, others, started: 0 };
                run_streams(cpu, work, &mut growing);
                let digest: [u8; 32] = growing.hash.finish(&message).digest();
                assert_eq!(digest[..], sha3::Sha3_256::digest(&message)[..], "{length} bytes on {cpu:?}");
                for (i, other) in growing.others.iter().enumerate() {
                    let mut expected = vec![0; RATE_128 * (1 + i % 4)];
                    shake128(&self::message(34, i as u64), &mut expected);
                    assert_eq!(other.out, expected, "stream {i} on {cpu:?}");
                }
            }
        }
    }
}
