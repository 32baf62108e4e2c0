//! Carry-less products: PCLMULQDQ with AVX2, PMULL on AArch64's CPUs that have it, elsewhere integer products
//! with holes.
//!
//! # The map
//! An instruction does what [`CarrylessProducts`] says. Without it: a polynomial over `F_2` is the number
//! whose bits are its coefficients. Where only every fourth bit of two numbers may be 1, bit `4 k` of their
//! integer product is the parity of the pairs that meet there, as long as there are fewer than 16 of them: so
//! a sum of pairs carries into no other fourth bit. Each operand is four such numbers, which makes 16 integer
//! products.
//!
//! # Bounds
//! The least 60 bits of `a` have 15 fourth bits: at most 15 pairs meet. The other 4 bits of `a` are
//! multiplied one by one.
//!
//! # Constant time
//! Instructions for it take the same time for all operands. Elsewhere there is no table and no branch, but
//! integer multiplications, which take the same time for all operands on the CPUs that this crate is for.

use crate::{CarrylessProducts, Scalar};

/// Products and squares by the functions `$multiply` and `$square`, as two words.
macro_rules! in_words {
    ($token:ty, $multiply:expr, $square:expr) => {
        impl CarrylessProducts for $token {
            type Product = [u64; 2];

            #[inline(always)]
            fn carryless_multiply64(self, a: u64, b: u64) -> [u64; 2] {
                $multiply(a, b)
            }
            #[inline(always)]
            fn carryless_square64(self, a: u64) -> [u64; 2] {
                $square(a)
            }
            #[inline(always)]
            fn carryless_add(self, a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
                [a[0] ^ b[0], a[1] ^ b[1]]
            }
            #[inline(always)]
            fn carryless_words(self, a: [u64; 2]) -> [u64; 2] {
                a
            }
        }
    };
}

in_words!(Scalar, multiply, square);
// PCLMULQDQ is younger than SSE2.
#[cfg(target_arch = "x86_64")]
in_words!(crate::Sse2, multiply, square);
// PMULL belongs to an optional extension.
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
in_words!(crate::Neon, multiply, square);

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod pmull {
    use crate::CarrylessProducts;
    use core::arch::aarch64::*;

    /// The token of PMULL, which belongs to the extension of AES; only [`detect`](Pmull::detect) makes one.
    #[derive(Clone, Copy)]
    pub(crate) struct Pmull(());

    impl Pmull {
        /// The token, where the target has the instruction or the operating system says that the CPU has it.
        pub(crate) fn detect() -> Option<Self> {
            cpufeatures::new!(has_pmull, "aes");
            has_pmull::get().then_some(Pmull(()))
        }
    }

    /// PMULL, with the features that the intrinsics ask of what calls them.
    #[target_feature(enable = "neon,aes")]
    #[inline]
    fn multiply(a: u64, b: u64) -> uint64x2_t {
        vreinterpretq_u64_p128(vmull_p64(a, b))
    }

    impl CarrylessProducts for Pmull {
        type Product = uint64x2_t;

        #[inline(always)]
        fn carryless_multiply64(self, a: u64, b: u64) -> uint64x2_t {
            // SAFETY: it needs AES, and NEON, which no CPU with AES lacks; a `Pmull` token exists only where
            // its `detect` saw AES.
            unsafe { multiply(a, b) }
        }
        #[inline(always)]
        fn carryless_square64(self, a: u64) -> uint64x2_t {
            self.carryless_multiply64(a, a)
        }
        #[inline(always)]
        fn carryless_add(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
            // SAFETY: the intrinsic touches no memory and needs NEON alone, which no CPU with AES lacks.
            unsafe { veorq_u64(a, b) }
        }
        #[inline(always)]
        fn carryless_words(self, a: uint64x2_t) -> [u64; 2] {
            // SAFETY: as above.
            let low = unsafe { vgetq_lane_u64::<0>(a) };
            // SAFETY: as above.
            let high = unsafe { vgetq_lane_u64::<1>(a) };
            [low, high]
        }
    }
}

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
pub(crate) use pmull::Pmull;

#[cfg(target_arch = "x86_64")]
mod pclmulqdq {
    use crate::{Avx2, CarrylessProducts};
    use core::arch::x86_64::*;

    /// An intrinsic that works on registers alone.
    macro_rules! op {
        ($intrinsic:expr; $($arg:expr),*) => {
            // SAFETY: the intrinsic touches no memory and needs AVX2 or PCLMULQDQ; an `Avx2` token exists
            // only where its `detect` saw both.
            unsafe { $intrinsic($($arg),*) }
        };
    }

    impl CarrylessProducts for Avx2 {
        type Product = __m128i;

        #[inline(always)]
        fn carryless_multiply64(self, a: u64, b: u64) -> __m128i {
            let (a, b) = (op!(_mm_cvtsi64_si128; a as i64), op!(_mm_cvtsi64_si128; b as i64));
            op!(_mm_clmulepi64_si128::<0>; a, b)
        }
        #[inline(always)]
        fn carryless_square64(self, a: u64) -> __m128i {
            let a = op!(_mm_cvtsi64_si128; a as i64);
            op!(_mm_clmulepi64_si128::<0>; a, a)
        }
        #[inline(always)]
        fn carryless_add(self, a: __m128i, b: __m128i) -> __m128i {
            op!(_mm_xor_si128; a, b)
        }
        #[inline(always)]
        fn carryless_words(self, a: __m128i) -> [u64; 2] {
            let (low, high) = (op!(_mm_cvtsi128_si64; a), op!(_mm_extract_epi64::<1>; a));
            [low as u64, high as u64]
        }
    }
}

/// Every fourth bit.
const FOURTH: u64 = u64::MAX / 15;
/// Bits of `a` that meet 15 at a time.
const BITS: u32 = 60;

/// `a b`, the low word first.
#[inline(always)]
const fn multiply(a: u64, b: u64) -> [u64; 2] {
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
const fn square(a: u64) -> [u64; 2] {
    [spread(a), spread(a >> 32)]
}
