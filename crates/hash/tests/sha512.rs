//! SHA-512 against another implementation, and published digests.

use ringsmith_hash::Sha512;
use ringsmith_simd::Cpu;
use sha2::Digest;

/// Protects: the digests of FIPS 180-4's examples, as NIST publishes them.
#[test]
fn published_digests() {
    let two_blocks = b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn\
                       hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";
    for cpu in Cpu::available() {
        let begins = |message: &[u8]| {
            let digest = Sha512::new_on(cpu).digest(&[message]);
            digest.first_chunk::<8>().map(|bytes| u64::from_be_bytes(*bytes))
        };
        assert_eq!(begins(b"abc"), Some(0xddaf_35a1_9361_7aba), "{cpu:?}");
        assert_eq!(begins(two_blocks), Some(0x8e95_9b75_dae3_13da), "{cpu:?}");
        assert_eq!(begins(b""), Some(0xcf83_e135_7eef_b8bd), "{cpu:?}");
    }
}

/// Protects: every length around the ends of one, two and more blocks, in one part and in parts that end
/// anywhere.
#[test]
fn every_length_in_parts() {
    let message: Vec<u8> = (0..1400u32).map(|i| (i * i * 7 + i / 3) as u8).collect();
    for length in (0..=600).chain([1039, 1158, 1159, 1400]) {
        let message = &message[..length];
        let expected = sha2::Sha512::digest(message);
        for cpu in Cpu::available() {
            assert_eq!(Sha512::new_on(cpu).digest(&[message])[..], expected[..], "{length} bytes on {cpu:?}");
            let (head, tail) = message.split_at(length.min(1));
            let (middle, tail) = tail.split_at(tail.len() * 5 / 7);
            let parts = [head, middle, &[], tail];
            assert_eq!(
                Sha512::new_on(cpu).digest(&parts)[..],
                expected[..],
                "{length} bytes in parts on {cpu:?}"
            );
        }
    }
}
