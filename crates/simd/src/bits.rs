//! Numbers of `D` bits, one behind the other: where byte shuffles find them, and put them.
//!
//! Eight numbers fill `D` bytes. Number `i` begins at bit `D i mod 8` of byte `floor(D i / 8)`, and lies
//! within that byte and the next one or two.

/// An index of no byte: shuffles put zero there.
const NONE: u8 = 0x80;

/// The bit of its first byte that a number begins with.
pub(crate) const fn first_bit(d: usize, number: usize) -> usize {
    d * number % 8
}

/// Whether each of eight numbers lies within two bytes.
pub(crate) const fn within_two_bytes(d: usize) -> bool {
    let mut number = 0;
    while number < 8 {
        if first_bit(d, number) + d > 16 {
            return false;
        }
        number += 1;
    }
    true
}

/// The bytes of the numbers from `first` on, `width` bytes each.
pub(crate) const fn bytes_of(d: usize, width: usize, first: usize) -> [u8; 16] {
    let (mut places, mut i) = ([NONE; 16], 0);
    while i < 16 {
        let byte = d * (first + i / width) / 8 + i % width;
        if byte < 16 {
            places[i] = byte as u8;
        }
        i += 1;
    }
    places
}

/// What shifts the numbers of 16-bit lanes to the top, as a factor; nothing, where they do not lie within two
/// bytes.
pub(crate) const fn to_the_top(d: usize) -> [i16; 8] {
    let (mut factors, mut i) = ([0; 8], 0);
    while i < 8 && within_two_bytes(d) {
        factors[i] = (1_u16 << (16 - d - first_bit(d, i))) as i16;
        i += 1;
    }
    factors
}

/// How far the four numbers from `first` on in 32-bit lanes are from the bottom.
pub(crate) const fn from_the_bottom(d: usize, first: usize) -> [i32; 4] {
    [
        first_bit(d, first) as i32,
        first_bit(d, first + 1) as i32,
        first_bit(d, first + 2) as i32,
        first_bit(d, first + 3) as i32,
    ]
}

/// Two lanes of 64 bits hold four numbers each, from their first bits on; for odd `d` the second from bit 4
/// on. The bytes of the first lane, and of the second: where they share a byte (odd `d`), both have it.
pub(crate) const fn packed(d: usize) -> [[u8; 16]; 2] {
    let (mut first, mut second, mut i) = ([NONE; 16], [NONE; 16], 0);
    while i < d {
        if i < d.div_ceil(2) {
            first[i] = i as u8;
        }
        if i >= d / 2 {
            second[i] = (8 + i - d / 2) as u8;
        }
        i += 1;
    }
    [first, second]
}

/// The bytes of both lanes, where `d` is even and no byte is shared.
pub(crate) const fn joined(d: usize) -> [u8; 16] {
    let [mut places, second] = packed(d);
    let mut i = d / 2;
    while i < d {
        places[i] = second[i];
        i += 1;
    }
    places
}
