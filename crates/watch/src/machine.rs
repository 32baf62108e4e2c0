//! Kinds of CPU.

use ringsmith_simd::{LazyReduction, Quotient};

/// What kinds of CPU differ in.
pub trait Machine: Copy + Send + Sync + 'static {
    /// The cheapest small reduction.
    const STEP: LazyReduction;
    /// Whether there is a rounding product.
    const ROUNDED: bool;
    /// Whether a number with the sign of zero is the number, or zero.
    const SIGN_OF_ZERO: bool;
    /// The quotient of products by constants of 32 bits.
    const QUOTIENT: Quotient = Quotient::Floor;
    /// Whether sums wrap on purpose, as those of residues modulo powers of two do: nothing overflows then.
    const WRAPS: bool = false;
}

/// Plain Rust; SSE2 reduces likewise.
#[derive(Clone, Copy)]
pub struct Plain;
impl Machine for Plain {
    const STEP: LazyReduction = LazyReduction::Sign;
    const ROUNDED: bool = false;
    const SIGN_OF_ZERO: bool = true;
}

/// x86 with AVX2.
#[derive(Clone, Copy)]
pub struct LikeAvx2;
impl Machine for LikeAvx2 {
    const STEP: LazyReduction = LazyReduction::Sign;
    const ROUNDED: bool = true;
    const SIGN_OF_ZERO: bool = false;
}

/// AArch64: reductions take one product each.
#[derive(Clone, Copy)]
pub struct LikeNeon;
impl Machine for LikeNeon {
    const STEP: LazyReduction = LazyReduction::Barrett;
    const ROUNDED: bool = true;
    const SIGN_OF_ZERO: bool = true;
    const QUOTIENT: Quotient = Quotient::Rounded;
}

/// Words that wrap: products modulo powers of two, to be counted.
#[derive(Clone, Copy)]
pub struct Words;
impl Machine for Words {
    const STEP: LazyReduction = LazyReduction::Barrett;
    const ROUNDED: bool = true;
    const SIGN_OF_ZERO: bool = true;
    const WRAPS: bool = true;
}
