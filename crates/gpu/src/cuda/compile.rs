//! Kernels compiled on this machine, by NVIDIA's library NVRTC, for GPUs that this crate brings none for.

use crate::GpuError;
use crate::kernels::Module;
use core::ffi::c_char;
use cudarc::nvrtc::{result, sys};
use sha2::{Digest, Sha256};
use std::ffi::CString;

/// What NVRTC is told.
fn options((major, minor): (u32, u32)) -> [String; 2] {
    [format!("--gpu-architecture=sm_{major}{minor}"), "--std=c++17".into()]
}

/// NVRTC's version.
fn version() -> Result<(i32, i32), GpuError> {
    // SAFETY: it looks for the library and calls nothing in it.
    if !unsafe { sys::is_culib_present() } {
        return Err(GpuError::NoCompiler);
    }
    let (mut major, mut minor) = (0, 0);
    // SAFETY: both are places for a number.
    let got = unsafe { sys::nvrtcVersion(&mut major, &mut minor) }.result();
    got.map(|()| (major, minor)).map_err(|_| GpuError::NoCompiler)
}

/// What a compiled module is kept by: a hash of all that it depends on.
///
/// # Errors
/// Where there is no NVRTC.
pub fn key(module: Module, capability: (u32, u32)) -> Result<String, GpuError> {
    let (major, minor) = version()?;
    let mut hash = Sha256::new();
    for part in options(capability).iter().chain([&format!("{major}.{minor}"), &module.source()]) {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A program of NVRTC's, which is destroyed with it.
struct Program(sys::nvrtcProgram);

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: it was created, and is not used again.
        let _ = unsafe { result::destroy_program(self.0) };
    }
}

impl Program {
    /// The end of what NVRTC says about the source.
    fn log(&self) -> GpuError {
        // SAFETY: the program lives.
        let log = unsafe { result::get_program_log(self.0) }.unwrap_or_default();
        let log: String = log.iter().map(|c| char::from(*c as u8)).filter(|c| *c != '\0').collect();
        let lines: Vec<&str> = log.lines().collect();
        GpuError::Compiler { log: lines[lines.len().saturating_sub(5)..].join("; ") }
    }

    /// The binary of a program that was compiled.
    fn binary(&self) -> Option<Vec<u8>> {
        let mut bytes = 0;
        // SAFETY: the program lives, and `bytes` is a place for a number.
        unsafe { sys::nvrtcGetCUBINSize(self.0, &mut bytes) }.result().ok()?;
        let mut binary = vec![0u8; bytes];
        // SAFETY: there is room for so many bytes.
        unsafe { sys::nvrtcGetCUBIN(self.0, binary.as_mut_ptr().cast::<c_char>()) }.result().ok()?;
        (!binary.is_empty()).then_some(binary)
    }
}

/// A module's binary for a GPU. It takes seconds.
///
/// # Errors
/// Where there is no NVRTC, or it refuses.
pub fn compile(module: Module, capability: (u32, u32)) -> Result<Vec<u8>, GpuError> {
    version()?;
    let source = CString::new(module.source()).map_err(|_| GpuError::NoCompiler)?;
    let program = Program(result::create_program(&source, None).map_err(|_| GpuError::NoCompiler)?);
    // SAFETY: the program was created, and `source` lives longer.
    unsafe { result::compile_program(program.0, &options(capability)) }.map_err(|_| program.log())?;
    program.binary().ok_or_else(|| program.log())
}
