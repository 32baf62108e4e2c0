//! Carry-less products without an instruction for them: integer products with holes.
//!
//! # The map
//! A polynomial over `F_2` is the number whose bits are its coefficients. Where only every fourth bit of two
//! numbers may be 1, bit `4 k` of their integer product is the parity of the pairs that meet there, as long as
//! there are fewer than 16 of them: so a sum of pairs carries into no other fourth bit. Each operand is four
//! such numbers, which makes 16 integer products.
//!
//! # Bounds
//! The least 60 bits of `a` have 15 fourth bits: at most 15 pairs meet. The other 4 bits of `a` are multiplied
//! one by one.
//!
//! # Constant time
//! No table, no branch: integer multiplications, which take the same time for all operands on the CPUs that
//! this crate is for.

/// Every fourth bit.
const FOURTH: u64 = u64::MAX / 15;
/// Bits of `a` that meet 15 at a time.
const BITS: u32 = 60;

/// `a b`, the low word first.
#[inline(always)]
pub(crate) const fn multiply(a: u64, b: u64) -> [u64; 2] {
    let (low, mut product, mut sum) = (a & ((1 << BITS) - 1), 0_u128, 0);
    while sum < 4 {
        // The parts of a and b whose places in a group of four add up to this one modulo 4.
        let (mut parities, mut i) = (0_u128, 0);
        while i < 4 {
            let (x, y) = (low & (FOURTH << i), b & (FOURTH << ((4 + sum - i) % 4)));
            parities ^= x as u128 * y as u128;
            i += 1;
        }
        product ^= parities & ((FOURTH as u128 | (FOURTH as u128) << 64) << sum);
        sum += 1;
    }
    let mut bit = BITS;
    while bit < 64 {
        let mask = ((a >> bit) & 1).wrapping_neg();
        product ^= ((b & mask) as u128) << bit;
        bit += 1;
    }
    [product as u64, (product >> 64) as u64]
}

/// The bits of the low half of a word, each with a 0 above it.
#[inline(always)]
const fn spread(x: u64) -> u64 {
    let mut x = x & 0xffff_ffff;
    x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
    x = (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    x = (x | x << 2) & 0x3333_3333_3333_3333;
    (x | x << 1) & 0x5555_5555_5555_5555
}

/// `a^2`, the low word first: coefficient `i` of `a` is coefficient `2 i`.
#[inline(always)]
pub(crate) const fn square(a: u64) -> [u64; 2] {
    [spread(a), spread(a >> 32)]
}
