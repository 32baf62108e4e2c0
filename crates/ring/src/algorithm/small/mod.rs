//! Products of a challenge and a small polynomial, over the integers modulo `x^n + 1`.
//!
//! A challenge has `WEIGHT` coefficients that are 1 or -1, and no others; the other operand has coefficients
//! of at most `SIZE` in absolute value. So those of the product are at most `WEIGHT SIZE`: 78, 196 and 120
//! in ML-DSA. Such products need no large modulus:
//!
//! * [`rows`]: the row transform modulo a prime above `2 WEIGHT SIZE`, with both operands prepared;
//! * [`sparse`]: shifted copies of the small polynomial, added and subtracted in lanes of 8 or of 16 bits.
//!
//! Both give the exact product, not a residue. The small operand is secret, the challenge is public:
//! [`sparse`] reads memory at places that follow it, [`rows`] at none.
//!
//! # Which is faster
//! For a product of 256 coefficients, with what depends on one operand prepared: in ticks, and on NEON in
//! instructions. On x86 bytes for weight 39 and rows for 49 and 60; on NEON bytes; in plain Rust words.
//!
//! | | rows | bytes, 39 / 49 / 60 | words, 39 / 49 / 60 |
//! |---|---|---|---|
//! | AVX2 | 176, and 55 for the challenge | 153 / 231 / 231 | 289 / 361 / 442 |
//! | SSE2 | 380, and 127 | 322 / 462 / 474 | 600 / 740 / 900 |
//! | plain Rust | 940, and 110 | 840 / 7500 / 1280 | 590 / 730 / 890 |
//! | NEON | 2764, and 564 | 1238 / 1836 / 1825 | 2354 / 2935 / - |

pub mod rows;
pub mod sparse;

/// The sizes of operands, as a type.
pub trait Sizes: Copy + Send + Sync + 'static {
    /// How many coefficients of a challenge are not zero.
    const WEIGHT: i64;
    /// The greatest absolute value of a small coefficient.
    const SIZE: i64;
    /// The greatest absolute value of a coefficient of a product.
    const PRODUCT: i64 = Self::WEIGHT * Self::SIZE;
}
