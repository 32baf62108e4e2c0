//! What tells the parameter sets apart.

use ringsmith_ring::Rows;
use ringsmith_ring::algorithm::ordered::OrderedEntry;
use ringsmith_simd::{Cpu, Row};

/// How noise is made of random bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Noise {
    /// `k = 8`: 64 coefficients of 128 bytes.
    Eight,
    /// `k = 2`: 256 coefficients of 128 bytes.
    Two,
}

/// A parameter set, whose elements have `ROWS` rows.
pub(super) trait Parameters<const ROWS: usize>: 'static {
    /// The domain, by the planner's route.
    const PLANNED: &'static OrderedEntry<ROWS>;
    /// Bytes of a row of coefficients.
    const ROW_BYTES: usize;
    /// Bytes of a row of compressed coefficients.
    const COMPRESSED_ROW_BYTES: usize;
    /// Words from here on are rejected where the public polynomial is sampled.
    const LIMIT: u16;
    /// Whether words stand for signed numbers where the public polynomial is sampled.
    const SIGNED: bool;
    /// The noise.
    const NOISE: Noise;
    /// What stands before `a s` and before `e` where they are sent, see
    /// [`Way::masked`](super::way::Way::masked).
    const FACTORS: Option<[i64; 2]>;
    /// Whether the reference writes `q` for 0, so that ciphertexts with it are understood.
    const WRITES_Q: bool;
    /// What stands before the message of each hash: of the seeds of a key, of the message of a ciphertext, of
    /// what is derived from it.
    const PREFIXES: [&'static [u8]; 3];

    /// Words below [`LIMIT`](Parameters::LIMIT), which may be signed, as centred coefficients.
    fn reduce(cpu: Cpu, words: &mut [Row]);
    /// Coefficients in `[0, q)`.
    fn encode(cpu: Cpu, a: &Rows<ROWS>, out: &mut [u8]);
    /// Coefficients modulo `q`, in `[0, q)`: what is not canonical is accepted, as the reference accepts it.
    fn decode(cpu: Cpu, bytes: &[u8], out: &mut Rows<ROWS>);
    /// Encoded coefficients, with 0 where they are `q`.
    fn canonical(cpu: Cpu, bytes: &[u8], out: &mut [u8]);
    /// Coefficients in `[0, q)`, compressed.
    fn compress(cpu: Cpu, a: &Rows<ROWS>, out: &mut [u8]);
    /// Compressed coefficients, centred.
    fn decompress(cpu: Cpu, bytes: &[u8], out: &mut Rows<ROWS>);
    /// A message as coefficients.
    fn spread(cpu: Cpu, message: &[u8; 32], out: &mut Rows<ROWS>);
    /// The message of coefficients in `[0, q)`.
    fn gather(cpu: Cpu, a: &Rows<ROWS>, message: &mut [u8; 32]);
}

/// The functions of a parameter set.
macro_rules! functions {
    (
        q $q:literal, rows $rows:literal, bits $bits:literal,
        compressed $compressed:literal
    ) => {
        const ROW_BYTES: usize = 2 * $bits;
        const COMPRESSED_ROW_BYTES: usize = 2 * $compressed;

        fn reduce(cpu: Cpu, words: &mut [Row]) {
            sample::reduce::<$q>(cpu, words, Self::SIGNED);
        }
        fn encode(cpu: Cpu, a: &Rows<$rows>, out: &mut [u8]) {
            bits::encode::<$bits, $rows>(cpu, &a.0, out);
        }
        fn decode(cpu: Cpu, bytes: &[u8], out: &mut Rows<$rows>) {
            bits::decode::<$q, $bits, $rows>(cpu, bytes, &mut out.0);
        }
        fn canonical(cpu: Cpu, bytes: &[u8], out: &mut [u8]) {
            bits::canonical::<$q, $bits>(cpu, bytes, out);
        }
        fn compress(cpu: Cpu, a: &Rows<$rows>, out: &mut [u8]) {
            bits::compress::<$q, $compressed, $rows>(cpu, &a.0, out);
        }
        fn decompress(cpu: Cpu, bytes: &[u8], out: &mut Rows<$rows>) {
            bits::decompress::<$q, $compressed, $rows>(cpu, bytes, &mut out.0);
        }
        fn spread(cpu: Cpu, message: &[u8; 32], out: &mut Rows<$rows>) {
            codec::spread::<$q>(cpu, message, &mut out.0);
        }
        fn gather(cpu: Cpu, a: &Rows<$rows>, message: &mut [u8; 32]) {
            codec::gather::<$q>(cpu, &a.0, message);
        }
    };
}
pub(super) use functions;
