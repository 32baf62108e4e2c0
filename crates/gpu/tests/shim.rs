//! What the emulated GPU refuses: kernels that would do something undefined on a real one.

use ringsmith_gpu::driver::{Driver, Grid};
use ringsmith_gpu::kernels::{Kernel, Module};
use ringsmith_gpu::{Emulated, Faults, GpuError};

/// What becomes of a kernel's launch.
fn run(name: &'static str, params: &[u8]) -> Result<(), GpuError> {
    let gpu = Emulated::new(Faults::default());
    let stream = gpu.stream().unwrap();
    let kernel = Kernel { name, module: Module::Cyclic };
    let grid = Grid { blocks: 1, threads: 64, shared: 64 };
    // SAFETY: the kernels of these tests use no memory but their own.
    unsafe { gpu.launch(stream, kernel, grid, params).unwrap() }
    gpu.wait(stream)
}

/// The kernel that does a thing that is wrong.
fn bad(which: u32) -> GpuError {
    run("bad", &which.to_ne_bytes()).unwrap_err()
}

/// Protects: a barrier that half of the threads don't come to, or come to elsewhere, ends the launch.
#[test]
fn divergence_at_a_barrier() {
    let what = "not all threads of a block came to the same barrier";
    assert_eq!([0, 3].map(bad), [GpuError::Kernel { what }, GpuError::Kernel { what }]);
}

/// Protects: writing behind shared memory, and a bound that does not hold, are seen.
#[test]
fn guards_and_bounds() {
    assert_eq!(bad(1), GpuError::Kernel { what: "it wrote behind its shared memory" });
    assert_eq!(bad(2), GpuError::Kernel { what: "a bound that it relies on did not hold" });
    assert_eq!(run("bad", &[9, 0, 0, 0]), Ok(()));
}

/// Protects: a kernel is started by its name, with its own structure.
#[test]
fn names_and_structures() {
    assert_eq!(run("none", &[]), Err(GpuError::Kernel { what: "there is no kernel of this name" }));
    assert_eq!(run("bad", &[0; 8]), Err(GpuError::Kernel { what: "it takes another structure" }));
}
