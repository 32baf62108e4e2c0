//! AVX-512, at 256 bits: AVX2's operations, compiled with rotations and three-input logic.

use crate::avx2::keep_aligned;
use crate::{Avx2, Enter, Kernel, Simd};

/// The token of AVX-512 as it is since Intel's Ice Lake and AMD's Zen 4; only [`detect`](Avx512::detect)
/// makes one.
///
/// It has no operations of its own. Kernels that say so ([`Kernel::AVX512`]) are compiled once more, with
/// AVX2's operations, by which the compiler finds the instructions that AVX-512 adds: a rotation in place of
/// two shifts and an or, one instruction for any function of three words, and twice as many registers. All
/// others run as AVX2 has them, so that this backend costs the compiler little.
#[derive(Clone, Copy)]
pub struct Avx512(Avx2);

impl Avx512 {
    /// The backend's name.
    pub const NAME: &'static str = "avx512";

    /// The token, where the CPU has these instructions and the operating system keeps their registers.
    pub fn detect() -> Option<Self> {
        cpufeatures::new!(
            has_avx512,
            "avx512f",
            "avx512vl",
            "avx512bw",
            "avx512dq",
            "avx512vbmi",
            "avx512vbmi2",
            "avx512ifma"
        );
        Avx2::detect().filter(|_| has_avx512::get()).map(Avx512)
    }

    /// Runs a kernel with AVX-512's instructions, or with AVX2's where it has no use for them.
    #[inline]
    pub fn vectorize<K: Kernel>(self, kernel: K) -> K::Out {
        if const { !K::AVX512 } {
            return self.0.vectorize(kernel);
        }
        // SAFETY: `enter` needs AVX-512's parts, BMI1 and BMI2, which the token proves.
        unsafe { kernel.enter(self) }
    }
}

impl<K: Kernel> Enter<Avx512> for K {
    #[target_feature(
        enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vbmi,avx512vbmi2,avx512ifma,bmi1,bmi2"
    )]
    #[inline(never)]
    unsafe fn enter(self, token: Avx512) -> K::Out {
        keep_aligned::<K>();
        self.run_avx512(token.0)
    }
}
