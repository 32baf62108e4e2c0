//! Which backend runs: found once, at run time.

use crate::plain::{BASELINE, PLAIN};
use crate::{Kernel, Plain, Scalar, Simd};
use core::fmt;

/// A backend that this machine has. Holds the token, so it can run kernels.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Cpu {
    /// Plain Rust, on targets that have no vectors for certain. Elsewhere no build has it that does not ask
    /// (`--cfg ringsmith_scalar`).
    Scalar(Plain),
    /// x86-64's baseline; no kernel is compiled for it in a build for CPUs that all have AVX2.
    #[cfg(target_arch = "x86_64")]
    Sse2(crate::Below),
    /// 256-bit integer vectors of x86-64.
    #[cfg(target_arch = "x86_64")]
    Avx2(crate::Avx2),
    /// The same with AVX-512's instructions, for kernels that gain by them.
    #[cfg(target_arch = "x86_64")]
    Avx512(crate::Avx512),
    /// AArch64's vectors.
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    Neon(crate::Neon),
}

/// A backend was asked for that does not exist, or that this machine lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CpuError {
    /// No backend has this name.
    Unknown,
    /// The backend exists, but this machine can't run it.
    Missing(&'static str),
    /// Plain Rust, in a build for CPUs that all have vectors.
    NotBuilt,
    /// SSE2, in a build for CPUs that all have AVX2.
    Below,
}

impl fmt::Display for CpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CpuError::Unknown => write!(f, "no such CPU backend; there are: {}", Cpu::NAMES.join_display()),
            CpuError::Missing(name) => write!(f, "this machine has no {name}; it has: {}", Available),
            CpuError::NotBuilt => write!(
                f,
                "this build has no {}: all CPUs that it is for have vectors \
                 (RUSTFLAGS='--cfg ringsmith_scalar' adds it); it has: {}",
                Scalar::NAME,
                Available
            ),
            CpuError::Below => {
                write!(f, "this build has no sse2: all CPUs that it is for have AVX2; it has: {Available}")
            }
        }
    }
}

impl core::error::Error for CpuError {}

struct Available;
impl fmt::Display for Available {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, cpu) in Cpu::available().enumerate() {
            write!(f, "{}{}", if i == 0 { "" } else { ", " }, cpu.name())?;
        }
        Ok(())
    }
}

struct Names([&'static str; 5]);
struct Joined<'a>(&'a [&'static str]);
impl Names {
    fn join_display(&self) -> Joined<'_> {
        Joined(&self.0)
    }
}
impl fmt::Display for Joined<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, name) in self.0.iter().enumerate() {
            write!(f, "{}{name}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl Cpu {
    const NAMES: Names = Names(["scalar", "sse2", "avx2", "avx512", "neon"]);

    /// All backends that this build has and this machine can run, the best first. There is one.
    pub fn available() -> impl Iterator<Item = Cpu> {
        #[cfg(target_arch = "x86_64")]
        let vector = [
            crate::Avx512::detect().map(Cpu::Avx512),
            crate::Avx2::detect().map(Cpu::Avx2),
            crate::below::below().map(Cpu::Sse2),
        ];
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        let vector = [crate::Neon::detect().map(Cpu::Neon)];
        #[cfg(not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little"))))]
        let vector = [None];
        vector.into_iter().flatten().chain(PLAIN.map(Cpu::Scalar))
    }

    /// The best backend of this machine. The CPU is asked once and the answer kept.
    pub fn detect() -> Cpu {
        Self::available().next().unwrap_or(BASELINE)
    }

    /// The backend of a name: `scalar`, `sse2`, `avx2`, `avx512` or `neon`.
    ///
    /// # Errors
    /// Where no backend has the name, this machine can't run it, or this build does not have it.
    pub fn from_name(name: &str) -> Result<Cpu, CpuError> {
        let known = Self::NAMES.0.into_iter().find(|known| *known == name).ok_or(CpuError::Unknown)?;
        let missing = match known {
            Scalar::NAME => CpuError::NotBuilt,
            "sse2" if cfg!(target_arch = "x86_64") => CpuError::Below,
            _ => CpuError::Missing(known),
        };
        Self::available().find(|cpu| cpu.name() == known).ok_or(missing)
    }

    /// What `RINGSMITH_CPU` names, or the best backend where it is not set.
    ///
    /// # Errors
    /// Where the variable names no backend, or one that this machine lacks: never a silent fallback.
    #[cfg(feature = "std")]
    pub fn from_env() -> Result<Cpu, CpuError> {
        match std::env::var("RINGSMITH_CPU") {
            Ok(name) => Self::from_name(&name),
            Err(std::env::VarError::NotPresent) => Ok(Self::detect()),
            Err(std::env::VarError::NotUnicode(_)) => Err(CpuError::Unknown),
        }
    }

    /// The backend's name.
    pub fn name(self) -> &'static str {
        self.constants().0
    }

    /// How many registers a vector of four lanes of 64 bits takes
    /// ([`REGISTERS_64`](crate::U64Lanes::REGISTERS_64)).
    #[inline]
    pub fn registers_64(self) -> usize {
        self.constants().1
    }

    /// Whether vectors of 8 lanes of 64 bits take no longer than those of 4
    /// ([`WideLanes`](crate::WideLanes)).
    #[inline]
    pub fn wide_64(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512(token) => token.wide(),
            _ => false,
        }
    }

    /// Whether an instruction multiplies numbers of 52 bits ([`WordLanes`](crate::WordLanes)).
    #[inline]
    pub fn multiplies_52(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512(_) => true,
            _ => false,
        }
    }

    /// Whether products modulo primes below `2^49` are fastest on doubles
    /// ([`ResidueLanes`](crate::ResidueLanes)).
    #[inline]
    pub fn multiplies_doubles(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2(_) => true,
            _ => false,
        }
    }

    /// The same backend without the instruction for carry-less products, where not all CPUs of the backend
    /// have it and this one has ([`Kernel::CARRYLESS`]). What the others run can so be tested here.
    pub fn without_carryless(self) -> Option<Cpu> {
        match self {
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Cpu::Neon(token) => token.without_pmull().map(Cpu::Neon),
            #[allow(unreachable_patterns, reason = "plain Rust is no value where it is not built")]
            _ => None,
        }
    }

    /// What is asked of tokens outside of kernels.
    #[inline]
    fn constants(self) -> (&'static str, usize) {
        const fn of<S: Simd>() -> (&'static str, usize) {
            (S::NAME, S::REGISTERS_64)
        }
        match self {
            Cpu::Scalar(_) => of::<Scalar>(),
            #[cfg(target_arch = "x86_64")]
            Cpu::Sse2(_) => of::<crate::Sse2>(),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2(_) => of::<crate::Avx2>(),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512(_) => (crate::Avx512::NAME, of::<crate::Avx2>().1),
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Cpu::Neon(_) => of::<crate::Neon>(),
        }
    }

    /// Runs a kernel on this backend.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Out {
        match self {
            Cpu::Scalar(token) => token.vectorize(kernel),
            #[cfg(target_arch = "x86_64")]
            Cpu::Sse2(token) => token.vectorize(kernel),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2(token) => token.vectorize(kernel),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512(token) => token.vectorize(kernel),
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Cpu::Neon(token) => token.vectorize(kernel),
        }
    }
}

impl fmt::Debug for Cpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl PartialEq for Cpu {
    fn eq(&self, other: &Self) -> bool {
        core::mem::discriminant(self) == core::mem::discriminant(other)
    }
}
impl Eq for Cpu {}
