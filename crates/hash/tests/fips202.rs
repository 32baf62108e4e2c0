//! Against another implementation, and published digests.

use ringsmith_hash::{Sha3_256, Sha3_512, Shake128, Shake256, State4, Xof4, permute};
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
    for length in (0..300).chain([1184, 4000]) {
        let bytes = message(length, length as u64 + 1);
        let (head, tail) = bytes.split_at(length / 3);
        let digest: [u8; 32] = Sha3_256::new().absorb(head).absorb(tail).digest();
        assert_eq!(digest[..], sha3::Sha3_256::digest(&bytes)[..], "SHA3-256 of {length} bytes");
        let digest: [u8; 64] = Sha3_512::new().absorb(head).absorb(tail).digest();
        assert_eq!(digest[..], sha3::Sha3_512::digest(&bytes)[..], "SHA3-512 of {length} bytes");
        let (mut out, mut expected) = ([0; 500], [0; 500]);
        let mut reader = Shake128::new().absorb(head).absorb(tail).reader();
        out.chunks_mut(7).for_each(|part| reader.squeeze(part));
        shake128(&bytes, &mut expected);
        assert_eq!(out, expected, "SHAKE128 of {length} bytes");
        Shake256::new().absorb(&bytes).reader().squeeze(&mut out);
        shake256(&bytes, &mut expected);
        assert_eq!(out, expected, "SHAKE256 of {length} bytes");
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
        let mut xof = Xof4::<RATE>::new(cpu, [&messages[0], &messages[1], &messages[2], &messages[3]]);
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

/// Protects: four streams are the four streams, on every backend, for messages of less than a block, of whole blocks, and longer.
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

/// Protects: the permutation of the zero state, whose first word the designers publish; in all four states, and once more.
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
