//! Coefficients -1, 0, 1 as bytes and bits.
//!
//! # The maps
//! * A byte below 243 is five digits of base 3, the least significant first, where 2 is -1.
//! * Three bits, the most significant first, are two digits of base 3, the most significant first. So 0 to 7
//!   are pairs of coefficients, and the ninth pair, -1 and -1, is none.
//! * Three bytes are eight groups of three bits, and a row. Their bits go from the most significant of the
//!   first byte to the least of the third; libntru's groups go from the least significant of the first on.
//!
//! Source: EESS#1 v3.1, sections 8.2.3 and 8.3.3. Constant time in the coefficients and in the bytes.

use crate::facts::{DIGITS, Flavour};
use ringsmith_cyclic::ternary::sum_of_lanes;
use ringsmith_kem::secret::SecretBytes;
use ringsmith_simd::{Cpu, Kernel, Row, Simd, wipe};

/// Bytes of a row of pairs.
const ROW_BYTES: usize = 3;

/// `floor(x / 3)` of a byte.
const fn third(x: u16) -> u16 {
    (x * 171) >> 9
}

const _: () = {
    let mut x = 0;
    while x < 256 {
        assert!(third(x) == x / 3, "not the quotient");
        x += 1;
    }
};

/// 0, 1 and 2 as 0, 1 and -1.
const fn centred(digit: u16) -> i16 {
    digit as i16 - 3 * (digit >> 1) as i16
}

/// The inverse.
const fn digit(x: i16) -> u16 {
    (x + (3 & (x >> 15))) as u16
}

/// Digits of sixteen bytes, cleared on drop.
struct Digits([Row; DIGITS]);

impl Drop for Digits {
    fn drop(&mut self) {
        wipe(self.0.as_flattened_mut());
    }
}

/// Bytes as coefficients, and which have a sixth digit: the sum of these.
struct FromDigits<'a> {
    bytes: &'a [Row],
    out: &'a mut [i16],
}

impl Kernel for FromDigits<'_> {
    type Out = i16;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i16 {
        /// Of a byte `x` its product by `171 / 2^9` has the same floor as that by `1 / 3`.
        const THIRD: i16 = 171 << 7;
        let (mut digits, mut sixth) = (Digits([[0; 16]; DIGITS]), s.splat(0));
        for (row, out) in self.bytes.iter().zip(self.out.chunks_mut(16 * DIGITS)) {
            let (mut rest, mut k) = (s.load(row), 0);
            while k < DIGITS {
                let quotient = s.mul_hi(rest, s.splat(THIRD));
                let digit = s.sub(rest, s.add(quotient, s.add(quotient, quotient)));
                let two = s.shift_right::<1>(digit);
                s.store(&mut digits.0[k], s.sub(digit, s.add(two, s.add(two, two))));
                (rest, k) = (quotient, k + 1);
            }
            sixth = s.add(sixth, rest);
            for (i, five) in out.chunks_mut(DIGITS).enumerate() {
                five.iter_mut().zip(&digits.0).for_each(|(x, digits)| *x = digits[i % 16]);
            }
        }
        sum_of_lanes(s, sixth)
    }
}

/// So many coefficients of bytes, which are the first of these; not 0 if a byte is above 242, or has a digit
/// behind the last.
pub fn from_digits(cpu: Cpu, bytes: &[Row], count: usize, out: &mut [Row]) -> u16 {
    let words = out.as_flattened_mut();
    let above = cpu.run(FromDigits { bytes, out: words });
    let (last, digits) = ((count - 1) / DIGITS, (count - 1) % DIGITS + 1);
    // Of a byte below `3^digits` there are no others.
    let behind = 3_i16.pow(digits as u32) - 1 - bytes.as_flattened()[last];
    words[count..].fill(0);
    (above | behind >> 15) as u16
}

/// So many coefficients as bytes.
pub fn to_digits(a: &[Row], count: usize, out: &mut [u8]) {
    for (byte, five) in out.iter_mut().zip(a.as_flattened()[..count].chunks(DIGITS)) {
        *byte = five.iter().rev().fold(0, |sum, x| 3 * sum + digit(*x) as u8);
    }
}

/// Where the groups of three bytes stand in their number.
const fn shift(flavour: Flavour, group: usize) -> usize {
    match flavour {
        Flavour::Libntru { .. } => 3 * group,
        _ => 21 - 3 * group,
    }
}

/// Three bytes as a number.
const fn number(flavour: Flavour, [a, b, c]: [u8; ROW_BYTES]) -> u32 {
    match flavour {
        Flavour::Libntru { .. } => u32::from_le_bytes([a, b, c, 0]),
        _ => u32::from_be_bytes([0, a, b, c]),
    }
}

/// The first `n` coefficients of a message, zeroes behind them; behind its bytes there are zeroes, too.
/// libntru leaves the last coefficient 0.
pub fn from_message(flavour: Flavour, message: &[u8], n: usize, out: &mut [Row]) {
    let mut bytes = message.chunks(ROW_BYTES);
    for row in out.iter_mut() {
        let mut three = SecretBytes::<ROW_BYTES>::zero();
        if let Some(next) = bytes.next() {
            three[..next.len()].copy_from_slice(next);
        }
        let bits = number(flavour, *three);
        for (group, pair) in row.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            let digits = (bits >> shift(flavour, group)) as u16 & 7;
            let first = third(digits);
            *pair = [first, digits - 3 * first].map(centred);
        }
    }
    let used = n - usize::from(flavour.is_libntru());
    out.as_flattened_mut()[used..].fill(0);
}

/// The inverse; not 0 if a pair is none, or a coefficient without a whole place in the bytes is not 0.
pub fn to_message(flavour: Flavour, a: &[Row], n: usize, out: &mut [u8]) -> u16 {
    let (mut bytes, mut bad) = (out.chunks_mut(ROW_BYTES), 0);
    for row in &a[..n.div_ceil(16)] {
        let mut bits = 0;
        for (group, [first, second]) in row.as_chunks::<2>().0.iter().enumerate() {
            let digits = 3 * digit(*first) + digit(*second);
            bad |= digits & 8;
            bits |= u32::from(digits & 7) << shift(flavour, group);
        }
        let three = match flavour {
            Flavour::Libntru { .. } => [bits, bits >> 8, bits >> 16],
            _ => [bits >> 16, bits >> 8, bits],
        };
        let place = bytes.next().unwrap_or_default();
        let (there, behind) = three.split_at(place.len());
        place.iter_mut().zip(there).for_each(|(byte, x)| *byte = *x as u8);
        bad |= behind.iter().fold(0, |any, x| any | (x & 0xff) as u16);
    }
    bad
}
