//! Batches of polynomial products in lattice rings on NVIDIA GPUs.
//!
//! A [`Batch`] is made for a [`Device`] and a ring, and multiplies as many pairs of polynomials as there are:
//!
//! * [`Word`]: modulo `x^n + 1` and a prime below `2^31` that is known at run time, by transforms in
//!   registers;
//! * [`Short`]: the same for 1024 coefficients and a prime below `2^14`, on tensor cores;
//! * [`Cyclic`]: modulo `x^n - 1` and a power of two, by a small operand or any, as matrix products on tensor
//!   cores;
//! * [`NtruPrime`]: modulo `x^p - x - 1` and a number below `2^14` by a small operand, in the same way;
//! * [`Transform`]: products of [`Cyclic`] by a small operand by transforms, to be compared with;
//! * [`Interleaved`], [`Sparse`], [`SlidingWindow`] and [`WordBy`]: routes of a paper, to be compared with.
//!
//! ```no_run
//! # #[cfg(feature = "cuda")]
//! # fn main() -> Result<(), ringsmith_gpu::GpuError> {
//! use ringsmith_gpu::{Batch, Device, Operand, Output, Word};
//!
//! let device = Device::cuda(0)?;
//! let mut batch = Batch::new(&device, Word::new(1024, 12289)?, 256 << 20)?;
//! let (a, b) = (vec![1; 1024 * 1000], vec![2; 1024 * 1000]);
//! let mut products = vec![0; 1024 * 1000];
//! batch.multiply(&Operand::Host(&a), &Operand::Host(&b), Output::Host(&mut products))?;
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "cuda"))]
//! # fn main() {}
//! ```
//!
//! # Features
//! `cuda` has the driver of NVIDIA's GPUs. It looks for NVIDIA's libraries when a device is asked for: a
//! program with it starts everywhere, and says [`GpuError::NoDriver`] where they are not. `emulated` has a
//! driver that runs the same kernels on the CPU, for tests. `ntruencrypt`, `ntru` and `ntru-prime` add
//! `schemes`: batches of whole encryptions, decryptions and encapsulations.
//!
//! # Memory, errors and time
//! A batch keeps memory of a fixed size on the device, whatever is multiplied.
//! Memory on the device, and memory of the host that it copies from, is cleared before it is given back.
//! Where a device fails, the host's products are 0 and an error says why. No kernel but those of [`Sparse`]
//! and [`SlidingWindow`], whose second operands are public, branches on a coefficient or addresses memory by
//! one.
#![deny(unsafe_op_in_unsafe_fn)]

mod array;
mod batch;
#[cfg(feature = "ntruencrypt")]
mod blinding;
#[cfg(feature = "cuda")]
pub mod cuda;
mod cyclic;
mod device;
pub mod driver;
#[cfg(feature = "emulated")]
mod emulated;
mod error;
mod field;
mod fourier;
pub mod issue;
pub mod kernels;
mod lane;
mod limited;
mod matrices;
mod memory;
mod ntru_prime;
mod paper;
mod prime;
pub mod rates;
mod ring;
#[cfg(any(feature = "ntru", feature = "ntru-prime", feature = "ntruencrypt"))]
pub mod schemes;
mod short;
mod transform;
mod window;
mod word;

pub use array::{Array, Operand, Output, Prepared};
pub use batch::{Batch, Space};
#[cfg(feature = "ntruencrypt")]
pub use blinding::Blinding;
pub use cyclic::{Cyclic, Factor};
pub use device::Device;
#[cfg(feature = "emulated")]
pub use emulated::{Calls, Emulated, Faults};
pub use error::GpuError;
pub use limited::Limited;
pub use matrices::CyclicRoute;
pub use memory::Element;
pub use ntru_prime::NtruPrime;
pub use paper::{Form, Interleaved, Sparse};
pub use prime::{PrimeRoute, WordBy};
pub use ring::{Choice, Lengths, Operands, Params, Ring, Shared};
pub use short::Short;
pub use transform::Transform;
pub use window::{PublicTernary, SlidingWindow};
pub use word::{Word, WordRoute};
