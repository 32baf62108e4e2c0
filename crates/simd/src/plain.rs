//! Whether this build has kernels in plain Rust.
//!
//! Every x86-64 CPU has SSE2 and every AArch64 one has NEON, so kernels in plain Rust would never be chosen
//! there; and they take the compiler as long as all others together. Builds for these targets have them only
//! where they are asked for, by `RUSTFLAGS='--cfg ringsmith_scalar'`; the project's tests and benchmarks ask.
//! All other targets have them.

#[cfg(any(
    ringsmith_scalar,
    not(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
    ))
))]
mod here {
    use crate::{Cpu, Scalar};

    /// The token of plain Rust in a [`Cpu`].
    pub type Plain = Scalar;
    pub(crate) const PLAIN: Option<Plain> = Some(Scalar);
    /// What every machine that this build is for can run.
    pub(crate) const BASELINE: Cpu = Cpu::Scalar(Scalar);
}

#[cfg(not(any(
    ringsmith_scalar,
    not(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
    ))
)))]
mod here {
    use crate::{Cpu, Kernel};

    /// The token of plain Rust in a [`Cpu`]: there is none in this build, so no kernel is compiled for it.
    #[derive(Clone, Copy)]
    pub enum Plain {}
    pub(crate) const PLAIN: Option<Plain> = None;
    /// What every machine that this build is for can run.
    #[cfg(target_arch = "x86_64")]
    pub(crate) const BASELINE: Cpu = crate::below::BASELINE;
    /// What every machine that this build is for can run.
    #[cfg(target_arch = "aarch64")]
    pub(crate) const BASELINE: Cpu = Cpu::Neon(crate::Neon::BASELINE);

    impl Plain {
        /// Never called: there is no such token.
        #[inline(always)]
        pub(crate) fn vectorize<K: Kernel>(self, _: K) -> K::Out {
            match self {}
        }
    }
}

pub use here::Plain;
pub(crate) use here::{BASELINE, PLAIN};
