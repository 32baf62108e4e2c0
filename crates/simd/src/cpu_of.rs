//! Backends that run kernels which others have no use for: what is compiled is a cost.
//!
//! Plain Rust, where a build has it, runs them all.

#[allow(unused_imports, reason = "the token of plain Rust has its methods itself where it is not built")]
use crate::Simd;
use crate::{Cpu, Kernel, Plain};

/// A backend whose instructions multiply numbers of 52 bits ([`WordLanes`](crate::WordLanes)).
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Cpu52 {
    /// Plain Rust.
    Scalar(Plain),
    /// AVX-512's.
    #[cfg(target_arch = "x86_64")]
    Avx512(crate::Avx512),
}

/// A backend whose products modulo primes below `2^49` are fastest on doubles
/// ([`ResidueLanes`](crate::ResidueLanes)).
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum CpuDoubles {
    /// Plain Rust, on integers.
    Scalar(Plain),
    /// AVX2's, with fused multiply-adds.
    #[cfg(target_arch = "x86_64")]
    Avx2(crate::Avx2),
}

impl Cpu52 {
    /// A backend, if it is one of these.
    #[inline]
    pub fn new(cpu: Cpu) -> Option<Self> {
        match cpu {
            Cpu::Scalar(token) => Some(Cpu52::Scalar(token)),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512(token) => Some(Cpu52::Avx512(token)),
            #[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")))]
            _ => None,
        }
    }

    /// Runs a kernel.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Out {
        match self {
            Cpu52::Scalar(token) => token.vectorize(kernel),
            #[cfg(target_arch = "x86_64")]
            Cpu52::Avx512(token) => token.vectorize(kernel),
        }
    }
}

impl CpuDoubles {
    /// A backend, if it is one of these.
    #[inline]
    pub fn new(cpu: Cpu) -> Option<Self> {
        match cpu {
            Cpu::Scalar(token) => Some(CpuDoubles::Scalar(token)),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2(token) => Some(CpuDoubles::Avx2(token)),
            #[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")))]
            _ => None,
        }
    }

    /// Runs a kernel.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Out {
        match self {
            CpuDoubles::Scalar(token) => token.vectorize(kernel),
            #[cfg(target_arch = "x86_64")]
            CpuDoubles::Avx2(token) => token.vectorize(kernel),
        }
    }
}
