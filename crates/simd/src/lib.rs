//! The seam between mathematics and machine: one token per CPU, one body per algorithm.
//!
//! # Design
//!
//! An algorithm is written once, as a [`Kernel`]: a function generic over a token `S: Simd`. Holding a token
//! proves that the CPU has its features, so every operation on it is safe to call. [`Cpu`] finds the best
//! token of the machine once, at run time; no build flag is needed.
//!
//! * **The virtual row.** A vector is 16 lanes of `i16` ([`Row`]), 8 of `i32` or 4 of `u64` on every backend:
//!   one AVX2 register, two of SSE2 or NEON, an array on others. So there is one layout, one table and one
//!   bound for all CPUs, and loads need no checks.
//! * **One function with the feature.** Only the function that [`Simd::vectorize`] enters a kernel by carries
//!   `#[target_feature]`. Everything between it and an intrinsic is `#[inline(always)]`: a function that is
//!   not compiles without the feature and calls its intrinsics out of line, a hundred times slower.
//!   `cargo xtask asm` fails on any call left inside a kernel.
//! * **One stage, one kernel.** A multiplication is a plain function that starts one kernel per stage.
//! * **Inside kernels** use `while` loops over arrays of constant size, const generics, and [`each`]:
//!   closures of the standard library's `map` and `from_fn` are only `#[inline]` and fall out of line when
//!   they grow.
//!
//! ```
//! use ringsmith_simd::{Cpu, Kernel, Row, Simd};
//!
//! struct Double<'a>(&'a mut Row);
//! impl Kernel for Double<'_> {
//!     type Out = ();
//!     #[inline(always)]
//!     fn run<S: Simd>(self, s: S) {
//!         let x = s.load(self.0);
//!         s.store(self.0, s.add(x, x));
//!     }
//! }
//!
//! let mut row = [21; 16];
//! Cpu::detect().run(Double(&mut row));
//! assert_eq!(row, [42; 16]);
//! ```
//!
//! # Constant time
//! No operation branches on, or forms an address from, the value of a lane. The instructions behind them
//! (vector additions, shuffles, 16- and 32-bit multiplications, carry-less ones) take the same time for all
//! operands on the CPUs that this crate has backends for; the scalar backend, and carry-less products of
//! those without an instruction for them, rely on the same of the integer multiplier.
#![no_std]
#![deny(clippy::multiple_unsafe_ops_per_block)]
#[cfg(feature = "std")]
extern crate std;

#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")))]
mod bits;
mod bytes;
mod carryless;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")))]
mod compaction;
mod cpu;
mod cpu_of;
#[doc(hidden)]
pub mod declassify;
mod each;
mod lanes;
mod numbers;
mod plain;
mod products;
mod residue;
mod scalar;
mod transpose;
mod wipe;
mod word;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod below;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
#[cfg(target_arch = "x86_64")]
mod sse2;

pub use bytes::as_bytes;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
use carryless::Pmull;
pub use cpu::{Cpu, CpuError};
pub use cpu_of::{Cpu52, CpuDoubles};
pub use each::each;
pub use lanes::{
    ByteLanes, CarrylessProducts, I16Lanes, I32Lanes, LazyReduction, Places, Row, Row32, Row64, U64Lanes,
    WideLanes, WideRow,
};
pub use numbers::NumberLanes;
pub use plain::Plain;
pub use products::{Line32, ProductLanes, Quotient, RowLanes, RowsApart, TwoRowLanes};
pub use residue::{ResidueLanes, residue_number};
pub use scalar::Scalar;
pub use transpose::transpose32;
pub use wipe::wipe;
pub use word::{Factor, WordLanes, factor64};

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
#[cfg(target_arch = "x86_64")]
pub use below::Below;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
pub use neon::Neon;
#[cfg(target_arch = "x86_64")]
pub use sse2::Sse2;

/// A token: holding one proves that this CPU has the backend's instructions.
pub trait Simd:
    ProductLanes + U64Lanes + WordLanes + ResidueLanes + ByteLanes + NumberLanes + CarrylessProducts + Watched
{
    /// The backend's name, as in `RINGSMITH_CPU` and in every table.
    const NAME: &'static str;
    /// Whether kernels have instructions that code for every CPU of the target lacks.
    const ABOVE_BASELINE: bool = false;
    /// Whether rows are vectors of the CPU. Where they are arrays, a kernel may have a body that goes number
    /// by number.
    const VECTORS: bool = true;
    /// Runs a kernel with this CPU's instructions: the one function per backend that carries the target
    /// feature.
    fn vectorize<K: Kernel>(self, kernel: K) -> K::Out;
}

/// What kernels tell a token that watches them. The backends do nothing.
pub trait Watched: Copy {
    /// Products of polynomials of `size` coefficients begin, `count` of them side by side.
    #[inline(always)]
    fn begin_products(self, size: usize, count: usize) {
        let _ = (size, count);
    }
    /// A sum of two polynomials of `size` coefficients begins.
    #[inline(always)]
    fn begin_sum(self, size: usize) {
        let _ = size;
    }
}

/// What runs kernels: a [`Cpu`] that was found, or a token.
pub trait Run: Copy {
    /// Runs a kernel.
    fn run<K: Kernel>(self, kernel: K) -> K::Out;
}

impl<S: Simd> Run for S {
    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Out {
        self.vectorize(kernel)
    }
}

impl Run for Cpu {
    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Out {
        Cpu::run(self, kernel)
    }
}

/// Runs kernels as parts of the one that it is used in: short ones, which cost less than to begin a function.
/// Mark what calls it `#[inline(always)]`, as all that is in a kernel.
#[derive(Clone, Copy)]
pub struct Within<S>(pub S);

impl<S: Simd> Run for Within<S> {
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Out {
        self.0.outlined(
            #[inline(always)]
            || kernel.run(self.0),
        )
    }
}

/// A computation that is written once and runs on every backend.
pub trait Kernel {
    /// What it returns.
    type Out;
    /// Whether it may need more values at once than there are registers. `false` spares a short kernel the
    /// few instructions that align its stack frame; the suite `asm` finds one that says so and spills.
    const SPILLS: bool = true;
    /// Whether CPUs with AVX-512 have a body of their own, because it gains. Without it they run AVX2's.
    const AVX512: bool = false;
    /// Whether AArch64's CPUs with an instruction for carry-less products, which not all have, run a body of
    /// their own.
    const CARRYLESS: bool = false;
    /// The body. Mark it, and all that it calls, `#[inline(always)]`.
    fn run<S: Simd>(self, simd: S) -> Self::Out;
    /// The body for CPUs with AVX-512, where it is another one, or has wider vectors: marked likewise.
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(self, simd: S, wide: W) -> Self::Out
    where
        Self: Sized,
    {
        let _ = wide;
        self.run(simd)
    }
    /// The body for AArch64's CPUs with an instruction for carry-less products: marked likewise.
    #[inline(always)]
    fn run_carryless<S: Simd, C: CarrylessProducts>(self, simd: S, carryless: C) -> Self::Out
    where
        Self: Sized,
    {
        let _ = carryless;
        self.run(simd)
    }
}

/// A kernel as one function of the backend `S`: never inlined itself, while everything in it is.
///
/// A method of the kernel's type, not of the token's: the compiler keeps it with the module of that type, and
/// compiles modules side by side. As methods of the token, all kernels of a backend would be one unit of its
/// work.
trait Enter<S>: Kernel {
    /// Runs the kernel.
    ///
    /// # Safety
    /// The CPU must have the instructions of `S`, which a token proves.
    unsafe fn enter(self, token: S) -> Self::Out;
}
