//! The module `ringsmith._ringsmith`: what the Python package `ringsmith` has from Rust.
//!
//! Python's side (`python/ringsmith`) has the classes that users see. Here are rings over NumPy's arrays
//! ([`ring`]), schemes by their names ([`schemes`], [`signatures`]), encrypted files ([`files`]) and
//! experiments ([`experiments`]).
//!
//! # Unsafe code
//! NumPy's universal functions are given loops over raw memory: [`raw`] is the only module with unsafe code.
//!
//! # Constant time
//! As the library's, in coefficients and keys, down to Python's objects. Python copies and does not clear
//! memory: see `docs/python.md`.
#![deny(unsafe_code)]

mod busy;
mod convert;
mod engine;
mod error;
mod experiments;
mod files;
mod noise;
mod ntt;
mod plan;
mod products;
mod raw;
mod ring;
mod routes;
mod schemes;
mod signatures;
mod threads;

use pyo3::prelude::*;

/// What the Python package `ringsmith` has from Rust.
#[pymodule(gil_used = false)]
fn _ringsmith(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", version())?;
    busy::register(module)?;
    error::register(module)?;
    ring::register(module)?;
    schemes::register(module)?;
    signatures::register(module)?;
    files::register(module)?;
    experiments::register(module)
}

/// The version as Python's tools write it (PEP 440), and as the wheel has it: `1.0.0rc1` for 1.0.0-rc.1.
fn version() -> String {
    env!("CARGO_PKG_VERSION").replace("-alpha.", "a").replace("-beta.", "b").replace("-rc.", "rc")
}
