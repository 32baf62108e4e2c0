//! Kinds of CPU.

use ringsmith_simd::Step;

/// What kinds of CPU differ in.
pub trait Machine: Copy + Send + Sync + 'static {
    /// The cheapest small reduction.
    const STEP: Step;
    /// Whether there is a rounding product.
    const ROUNDED: bool;
    /// Whether a number with the sign of zero is the number, or zero.
    const SIGN_OF_ZERO: bool;
}

/// Plain Rust; SSE2 reduces likewise.
#[derive(Clone, Copy)]
pub struct Plain;
impl Machine for Plain {
    const STEP: Step = Step::Sign;
    const ROUNDED: bool = false;
    const SIGN_OF_ZERO: bool = true;
}

/// x86 with AVX2.
#[derive(Clone, Copy)]
pub struct LikeAvx2;
impl Machine for LikeAvx2 {
    const STEP: Step = Step::Sign;
    const ROUNDED: bool = true;
    const SIGN_OF_ZERO: bool = false;
}

/// AArch64: reductions take one product each.
#[derive(Clone, Copy)]
pub struct LikeNeon;
impl Machine for LikeNeon {
    const STEP: Step = Step::Barrett;
    const ROUNDED: bool = true;
    const SIGN_OF_ZERO: bool = true;
}
