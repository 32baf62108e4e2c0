//! The kernels on a device: those that this crate brings, or compiled on this machine.

use super::{NONE, cache::Cache, compile, plain};
use crate::GpuError;
use crate::driver::Info;
use crate::kernels::{Kernel, Module};
use cudarc::driver::result::{function, module};
use cudarc::driver::sys::{self, CUfunction_attribute_enum as Attribute};
use std::collections::HashMap;
use std::ffi::CString;
use std::sync::{Mutex, PoisonError};

/// What is loaded. Functions are the modules', which are unloaded at last.
#[derive(Default)]
struct Loaded {
    modules: HashMap<Module, sys::CUmodule>,
    functions: HashMap<&'static str, (sys::CUfunction, usize)>,
}

/// The modules of a device, loaded when they are needed.
#[derive(Default)]
pub(super) struct Modules(Mutex<Loaded>);

/// Bytes of shared memory that a block has without asking.
const SHARED: usize = 48 << 10;

/// Loads a binary on the current device.
fn load(image: &[u8]) -> Result<sys::CUmodule, GpuError> {
    // SAFETY: the image is one of NVIDIA's compilers': of this crate, or of the cache, which only this user
    // writes and which has a hash of it.
    unsafe { module::load_data(image.as_ptr().cast()) }.map_err(plain)
}

/// The module as this crate brings it, or compiled here, from the cache if it is there.
fn find(module: Module, info: &Info) -> Result<sys::CUmodule, GpuError> {
    if let Some(image) = module.compiled(info.capability) {
        match load(image) {
            // No binary for this GPU, or of a newer driver's.
            Err(GpuError::Driver { code: 200 | 209 | 218 | 222 }) => {}
            loaded => return loaded,
        }
    }
    let key = compile::key(module, info.capability)?;
    // Without a cache the kernels are compiled each time; a cache that somebody else could write is an error.
    let Some(cache) = Cache::of_user()? else {
        return load(&compile::compile(module, info.capability)?);
    };
    if let Some(image) = cache.load(&key)? {
        return load(&image);
    }
    let image = compile::compile(module, info.capability)?;
    // A full disk costs time, and no product.
    let _ = cache.store(&key, &image);
    load(&image)
}

impl Modules {
    /// A kernel, allowed so much shared memory.
    pub(super) fn function(
        &self,
        kernel: Kernel,
        info: &Info,
        shared: usize,
    ) -> Result<sys::CUfunction, GpuError> {
        let mut loaded = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = loaded.functions.get(kernel.name).filter(|(_, allowed)| shared <= *allowed);
        if let Some((function, _)) = known {
            return Ok(*function);
        }
        let module = loaded.modules.get(&kernel.module).copied().unwrap_or(NONE);
        let module = if module == NONE { find(kernel.module, info)? } else { module };
        loaded.modules.insert(kernel.module, module);
        let function = allow(of_module(module, kernel.name)?, shared)?;
        loaded.functions.insert(kernel.name, (function, shared.max(SHARED)));
        Ok(function)
    }

    /// Unloads all.
    pub(super) fn unload(&self) {
        let mut loaded = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.functions.clear();
        for (_, module) in loaded.modules.drain() {
            // SAFETY: it was loaded once, and none of its functions is known any more.
            let _ = unsafe { module::unload(module) };
        }
    }
}

fn of_module(module: sys::CUmodule, name: &str) -> Result<sys::CUfunction, GpuError> {
    let name = CString::new(name).map_err(|_| GpuError::Driver { code: 500 })?;
    // SAFETY: the module is loaded.
    unsafe { module::get_function(module, name) }.map_err(plain)
}

/// Shared memory beyond what a block has must be asked for.
fn allow(function: sys::CUfunction, shared: usize) -> Result<sys::CUfunction, GpuError> {
    if shared > SHARED {
        let most = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: the function is of a loaded module.
        unsafe { function::set_function_attribute(function, most, shared as i32) }.map_err(plain)?;
    }
    Ok(function)
}
