//! AVX-512, at 256 bits: AVX2's operations, compiled with rotations and three-input logic.

use crate::avx2::keep_aligned;
use crate::{Avx2, Enter, Kernel, Simd, WideLanes};
use core::arch::x86_64::*;
use core::sync::atomic::{AtomicU8, Ordering};

/// The token of AVX-512 as it is since Intel's Ice Lake and AMD's Zen 4; only [`detect`](Avx512::detect)
/// makes one.
///
/// It has no operations of its own on one row; on words and on two rows of 32-bit lanes it has. Kernels that
/// say so ([`Kernel::AVX512`]) are compiled once more, with AVX2's operations, in which the compiler finds
/// the instructions that AVX-512 adds: a rotation in place of two shifts and an or, one instruction for any
/// function of three words, and twice as many registers. All others run as AVX2 has them, so that this
/// backend costs the compiler little.
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

    /// Whether an instruction on 512 bits takes no longer than one on 256.
    pub fn wide(self) -> bool {
        wide_at_once()
    }

    /// Runs a kernel with AVX-512's instructions, or with AVX2's where it has no use for them.
    #[inline]
    pub fn vectorize<K: Kernel>(self, kernel: K) -> K::Out {
        if const { !K::AVX512 } {
            return self.0.vectorize(kernel);
        }
        // SAFETY: `enter` needs AVX-512's parts and what AVX2's token asks for, which the token proves.
        unsafe { kernel.enter(self) }
    }
}

impl<K: Kernel> Enter<Avx512> for K {
    #[target_feature(
        enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vbmi,avx512vbmi2,avx512ifma,bmi1,bmi2,pclmulqdq"
    )]
    #[inline(never)]
    unsafe fn enter(self, token: Avx512) -> K::Out {
        keep_aligned::<K>();
        self.run_avx512(token.0, token)
    }
}

/// Whether 512 bits are computed at once, as on AMD's Zen 5 (family 1Ah); its smallest cores halve them, and
/// lose a little. The CPU is asked once: virtual machines take their time to answer.
fn wide_at_once() -> bool {
    /// No answer yet; else whether it is so.
    static ANSWER: AtomicU8 = AtomicU8::new(2);
    match ANSWER.load(Ordering::Relaxed) {
        2 => {
            let answer = vendor() == *b"AuthenticAMD" && family() == 0x1a;
            ANSWER.store(answer as u8, Ordering::Relaxed);
            answer
        }
        answer => answer == 1,
    }
}

/// A leaf of what the CPU says of itself.
fn cpuid(leaf: u32) -> CpuidResult {
    // SAFETY: every CPU with AVX2 has the instruction.
    #[allow(unused_unsafe, reason = "it is a safe function since Rust 1.94")]
    unsafe {
        __cpuid(leaf)
    }
}

/// Who made the CPU.
fn vendor() -> [u8; 12] {
    let leaf = cpuid(0);
    let mut name = [0; 12];
    let words = name.as_chunks_mut().0.iter_mut();
    words.zip([leaf.ebx, leaf.edx, leaf.ecx]).for_each(|(bytes, word)| *bytes = word.to_le_bytes());
    name
}

/// Its family: two fields of a word are added.
fn family() -> u32 {
    let word = cpuid(1).eax;
    (word >> 8 & 0xf) + (word >> 20 & 0xff)
}

/// An intrinsic that works on registers alone.
macro_rules! op {
    ($intrinsic:expr; $($arg:expr),*) => {
        // SAFETY: the intrinsic touches no memory and needs AVX-512F alone; an `Avx512` token exists only
        // where `detect` saw it.
        unsafe { $intrinsic($($arg),*) }
    };
}

impl WideLanes for Avx512 {
    #[inline(always)]
    fn xor_wide(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_xor_si512; a, b)
    }
    #[inline(always)]
    fn and_not_wide(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_andnot_si512; a, b)
    }
    #[inline(always)]
    fn rotate_left_wide<const LEFT: i32>(self, a: __m512i) -> __m512i {
        op!(_mm512_rol_epi64::<LEFT>; a)
    }
}
