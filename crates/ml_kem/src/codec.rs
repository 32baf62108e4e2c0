//! Bytes and bits: FIPS 203, section 4.2.1, over [`bits`](ringsmith_kem::bits).

use super::{Element, Q};
use ringsmith_kem::bits;
use ringsmith_simd::Cpu;

/// `ByteEncode_12` of coefficients in `[0, q)`, into 384 bytes.
pub(super) fn encode(cpu: Cpu, a: &Element, out: &mut [u8; 32 * 12]) {
    bits::encode::<12, _>(cpu, &a.0, out);
}

/// `ByteDecode_12` of the first 384 bytes, modulo `q`; and whether all coefficients were below `q`. Constant
/// time.
pub(super) fn decode(cpu: Cpu, bytes: &[u8], a: &mut Element) -> bool {
    bits::decode::<Q, 12, _>(cpu, bytes, &mut a.0)
}

/// `ByteEncode_d(Compress_d(a))` of coefficients in `[0, q)`, into `32 d` bytes; `d` is 1, 4, 5, 10 or 11.
pub(super) fn encode_compressed(cpu: Cpu, bits: usize, a: &Element, out: &mut [u8]) {
    let (a, out) = (&a.0, &mut out[..32 * bits]);
    match bits {
        1 => bits::compress::<Q, 1, _>(cpu, a, out),
        4 => bits::compress::<Q, 4, _>(cpu, a, out),
        5 => bits::compress::<Q, 5, _>(cpu, a, out),
        10 => bits::compress::<Q, 10, _>(cpu, a, out),
        _ => bits::compress::<Q, 11, _>(cpu, a, out),
    }
}

/// `Decompress_d(ByteDecode_d(bytes))` of the first `32 d` bytes, centred; `d` is 1, 4, 5, 10 or 11.
pub(super) fn decode_compressed(cpu: Cpu, bits: usize, bytes: &[u8], a: &mut Element) {
    let out = &mut a.0;
    match bits {
        1 => bits::decompress::<Q, 1, _>(cpu, bytes, out),
        4 => bits::decompress::<Q, 4, _>(cpu, bytes, out),
        5 => bits::decompress::<Q, 5, _>(cpu, bytes, out),
        10 => bits::decompress::<Q, 10, _>(cpu, bytes, out),
        _ => bits::decompress::<Q, 11, _>(cpu, bytes, out),
    }
}
