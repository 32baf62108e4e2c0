//! The kernels by name, and their sources.

/// A source file, compiled as one module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Module {
    /// Negacyclic products by transforms.
    Ntt,
    /// Products modulo `x^n - 1` and a power of two.
    Cyclic,
    /// Interleaved Montgomery multiplication.
    Interleaved,
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

impl Module {
    /// All of them.
    pub const ALL: [Module; 3] = [Module::Ntt, Module::Cyclic, Module::Interleaved];

    /// The name of its file.
    pub const fn name(self) -> &'static str {
        match self {
            Module::Ntt => "ntt",
            Module::Cyclic => "cyclic",
            Module::Interleaved => "interleaved",
        }
    }

    /// Its source in one piece: what it includes stands before it.
    pub fn source(self) -> String {
        let (header, source) = match self {
            Module::Ntt => (include_str!("../kernels/ntt.cuh"), include_str!("../kernels/ntt.cu")),
            Module::Cyclic => (include_str!("../kernels/cyclic.cuh"), include_str!("../kernels/cyclic.cu")),
            Module::Interleaved => {
                (include_str!("../kernels/interleaved.cuh"), include_str!("../kernels/interleaved.cu"))
            }
        };
        let lines = [COMMON, header, source].into_iter().flat_map(str::lines);
        let kept = lines.filter(|line| !line.starts_with("#include \"") && *line != "#pragma once");
        kept.fold(String::new(), |text, line| text + line + "\n")
    }
}
