//! Whether this build has kernels for SSE2.
//!
//! A build for CPUs that all have what [`Avx2`](crate::Avx2) asks for would never choose them, and they are
//! half of what the compiler has to do there: `RUSTFLAGS=-Ctarget-cpu=native` on such a machine, or
//! `haswell`.

#[cfg(not(all(
    target_feature = "avx2",
    target_feature = "bmi1",
    target_feature = "bmi2",
    target_feature = "fma",
    target_feature = "pclmulqdq",
)))]
mod here {
    #[cfg(all(target_feature = "sse2", not(ringsmith_scalar)))]
    use crate::Cpu;
    use crate::Sse2;

    /// The token of SSE2 in a [`Cpu`](crate::Cpu).
    pub type Below = Sse2;

    /// The token.
    pub(crate) fn below() -> Option<Below> {
        Sse2::detect()
    }

    /// What every machine that this build is for can run.
    #[cfg(all(target_feature = "sse2", not(ringsmith_scalar)))]
    pub(crate) const BASELINE: Cpu = Cpu::Sse2(Sse2::BASELINE);
}

#[cfg(all(
    target_feature = "avx2",
    target_feature = "bmi1",
    target_feature = "bmi2",
    target_feature = "fma",
    target_feature = "pclmulqdq",
))]
mod here {
    use crate::Kernel;
    #[cfg(not(ringsmith_scalar))]
    use crate::{Avx2, Cpu};

    /// The token of SSE2 in a [`Cpu`](crate::Cpu): there is none in this build, so no kernel is compiled for
    /// it.
    #[derive(Clone, Copy)]
    pub enum Below {}

    /// None.
    pub(crate) fn below() -> Option<Below> {
        None
    }

    /// What every machine that this build is for can run.
    #[cfg(not(ringsmith_scalar))]
    pub(crate) const BASELINE: Cpu = Cpu::Avx2(Avx2::BASELINE);

    impl Below {
        /// Never called: there is no such token.
        #[inline(always)]
        pub(crate) fn vectorize<K: Kernel>(self, _: K) -> K::Out {
            match self {}
        }
    }
}

#[cfg(all(target_feature = "sse2", not(ringsmith_scalar)))]
pub(crate) use here::BASELINE;
pub use here::Below;
pub(crate) use here::below;
