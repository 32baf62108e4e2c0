//! The kernels by name, and their sources.

/// A source file, compiled as one module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Module {
    /// Negacyclic products of 1024 coefficients by transforms.
    Ntt1024,
    /// Of 2048.
    Ntt2048,
    /// Of 4096.
    Ntt4096,
    /// Products of 1024 coefficients by prepared operands.
    Prepared1024,
    /// Of 2048.
    Prepared2048,
    /// Of 4096.
    Prepared4096,
    /// Products modulo `x^n - 1` and a power of two, by transforms.
    Transform,
    /// Products modulo `x^n - 1` and a power of two.
    Cyclic,
    /// Products modulo `x^p - x - 1`.
    NtruPrime,
    /// Interleaved Montgomery multiplication modulo `x^n - 1`.
    Interleaved,
    /// The same and schoolbook modulo a prime and `x^n + 1`.
    Prime,
    /// Negacyclic products on tensor cores.
    Tensor,
    /// Loops of instructions that are measured.
    Issue,
    /// Products by public operands, window by window.
    Window,
    /// Products modulo a prime and `x^n + 1` by transforms of doubles.
    Fourier,
    /// What blinds messages, of hashes.
    Hash,
}

/// A kernel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Kernel {
    /// Its name in the source.
    pub name: &'static str,
    /// Where it stands.
    pub module: Module,
}

/// All of `common.cuh`, which every module includes.
const COMMON: &str = include_str!("../kernels/common.cuh");
/// What the transforms have in common.
const NTT: &str = include_str!("../kernels/ntt.cuh");
/// The same, and what products modulo `x^n - 1` by transforms have.
const TRANSFORM: &str = concat!(include_str!("../kernels/ntt.cuh"), include_str!("../kernels/transform.cuh"));
/// The same, and what prepared operands have.
const PREPARED: &str = concat!(include_str!("../kernels/ntt.cuh"), include_str!("../kernels/prepared.cuh"));

impl Module {
    /// All of them.
    pub const ALL: [Module; 16] = [
        Module::Ntt1024,
        Module::Ntt2048,
        Module::Ntt4096,
        Module::Prepared1024,
        Module::Prepared2048,
        Module::Prepared4096,
        Module::Transform,
        Module::Cyclic,
        Module::NtruPrime,
        Module::Interleaved,
        Module::Prime,
        Module::Tensor,
        Module::Issue,
        Module::Window,
        Module::Fourier,
        Module::Hash,
    ];

    /// The name of its file.
    pub const fn name(self) -> &'static str {
        match self {
            Module::Ntt1024 => "ntt_1024",
            Module::Ntt2048 => "ntt_2048",
            Module::Ntt4096 => "ntt_4096",
            Module::Prepared1024 => "prepared_1024",
            Module::Prepared2048 => "prepared_2048",
            Module::Prepared4096 => "prepared_4096",
            Module::Transform => "transform",
            Module::Cyclic => "cyclic",
            Module::NtruPrime => "ntru_prime",
            Module::Interleaved => "interleaved",
            Module::Prime => "prime",
            Module::Tensor => "tensor",
            Module::Issue => "issue",
            Module::Window => "window",
            Module::Fourier => "fourier",
            Module::Hash => "hash",
        }
    }

    /// Its binary as this crate brings it: those for compute capabilities 8, 9 and 10 in one.
    #[cfg(feature = "cuda")]
    pub(crate) const fn compiled(self, (major, _): (u32, u32)) -> Option<&'static [u8]> {
        let all: &[u8] = match self {
            Module::Ntt1024 => include_bytes!("../kernels/compiled/ntt_1024.fatbin"),
            Module::Ntt2048 => include_bytes!("../kernels/compiled/ntt_2048.fatbin"),
            Module::Ntt4096 => include_bytes!("../kernels/compiled/ntt_4096.fatbin"),
            Module::Prepared1024 => include_bytes!("../kernels/compiled/prepared_1024.fatbin"),
            Module::Prepared2048 => include_bytes!("../kernels/compiled/prepared_2048.fatbin"),
            Module::Prepared4096 => include_bytes!("../kernels/compiled/prepared_4096.fatbin"),
            Module::Transform => include_bytes!("../kernels/compiled/transform.fatbin"),
            Module::Cyclic => include_bytes!("../kernels/compiled/cyclic.fatbin"),
            Module::NtruPrime => include_bytes!("../kernels/compiled/ntru_prime.fatbin"),
            Module::Interleaved => include_bytes!("../kernels/compiled/interleaved.fatbin"),
            Module::Prime => include_bytes!("../kernels/compiled/prime.fatbin"),
            Module::Tensor => include_bytes!("../kernels/compiled/tensor.fatbin"),
            Module::Issue => include_bytes!("../kernels/compiled/issue.fatbin"),
            Module::Window => include_bytes!("../kernels/compiled/window.fatbin"),
            Module::Fourier => include_bytes!("../kernels/compiled/fourier.fatbin"),
            Module::Hash => include_bytes!("../kernels/compiled/hash.fatbin"),
        };
        match major {
            8..=10 => Some(all),
            _ => None,
        }
    }

    /// Its source in one piece: what it includes stands before it.
    pub fn source(self) -> String {
        let (header, source) = match self {
            Module::Ntt1024 => (NTT, include_str!("../kernels/ntt_1024.cu")),
            Module::Ntt2048 => (NTT, include_str!("../kernels/ntt_2048.cu")),
            Module::Ntt4096 => (NTT, include_str!("../kernels/ntt_4096.cu")),
            Module::Prepared1024 => (PREPARED, include_str!("../kernels/prepared_1024.cu")),
            Module::Prepared2048 => (PREPARED, include_str!("../kernels/prepared_2048.cu")),
            Module::Prepared4096 => (PREPARED, include_str!("../kernels/prepared_4096.cu")),
            Module::Transform => (TRANSFORM, include_str!("../kernels/transform.cu")),
            Module::Cyclic => (include_str!("../kernels/cyclic.cuh"), include_str!("../kernels/cyclic.cu")),
            Module::NtruPrime => (
                concat!(include_str!("../kernels/cyclic.cuh"), include_str!("../kernels/ntru_prime.cuh")),
                include_str!("../kernels/ntru_prime.cu"),
            ),
            Module::Interleaved => {
                (include_str!("../kernels/interleaved.cuh"), include_str!("../kernels/interleaved.cu"))
            }
            Module::Prime => (
                concat!(include_str!("../kernels/interleaved.cuh"), include_str!("../kernels/prime.cuh")),
                include_str!("../kernels/prime.cu"),
            ),
            Module::Tensor => (include_str!("../kernels/tensor.cuh"), include_str!("../kernels/tensor.cu")),
            Module::Issue => (include_str!("../kernels/issue.cuh"), include_str!("../kernels/issue.cu")),
            Module::Window => (include_str!("../kernels/window.cuh"), include_str!("../kernels/window.cu")),
            Module::Fourier => (
                concat!(include_str!("../kernels/interleaved.cuh"), include_str!("../kernels/fourier.cuh")),
                include_str!("../kernels/fourier.cu"),
            ),
            Module::Hash => (include_str!("../kernels/hash.cuh"), include_str!("../kernels/hash.cu")),
        };
        let lines = [COMMON, header, source].into_iter().flat_map(str::lines);
        let kept = lines.filter(|line| !line.starts_with("#include \"") && *line != "#pragma once");
        kept.fold(String::new(), |text, line| text + line + "\n")
    }
}
