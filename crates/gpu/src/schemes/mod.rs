//! Whole encryptions in batches: the products of all messages on the device, everything else on all cores of
//! the host.
//!
//! Hashing, sampling and packing are the code of the scheme's own crate, which is cut at its products. So
//! what comes out is what that crate makes of the same random bytes. Of NTRUEncrypt the device may make what
//! blinds messages, too ([`Sampling`]).
//!
//! ```no_run
//! # #[cfg(all(feature = "cuda", feature = "ntruencrypt"))]
//! # fn example(rng: &mut impl rand_core::CryptoRng) -> Result<(), Box<dyn core::error::Error>> {
//! use ringsmith_gpu::Device;
//! use ringsmith_gpu::schemes::{Decryptions, Encryptions};
//! use ringsmith_ntruencrypt::ees443ep1::{CT_BYTES, DecryptionKey, Ees443ep1};
//!
//! let (device, key) = (Device::cuda(0)?, DecryptionKey::generate(rng));
//! let messages = [b"first message", b"other message"];
//! let mut ciphertexts = [[0; CT_BYTES]; 2];
//! Encryptions::<Ees443ep1>::new(&device, key.encryption_key())?.encrypt(&messages, rng, &mut ciphertexts)?;
//! let opened = Decryptions::<Ees443ep1>::new(&device, &key)?.decrypt(&ciphertexts)?;
//! assert_eq!(opened[1].as_ref().unwrap().as_slice(), messages[1]);
//! # Ok(())
//! # }
//! ```
//!
//! # Secrets and errors
//! What is on the host between the two halves of an encryption is cleared on drop; memory of the device is,
//! as [`Batch`] has it. Where the device fails, all ciphertexts and shared keys of the call are zeroes, and
//! there are no messages.
#![forbid(unsafe_code)]

#[cfg(any(feature = "ntru", feature = "ntru-prime"))]
mod encapsulation;
#[cfg(feature = "ntru")]
mod ntru;
#[cfg(feature = "ntru-prime")]
mod ntru_prime;
#[cfg(feature = "ntruencrypt")]
mod ntruencrypt;

#[cfg(all(feature = "ntru", feature = "ntru-prime", feature = "ntruencrypt"))]
pub mod rates;

#[cfg(feature = "ntru")]
pub use ntru::Encapsulations;
#[cfg(feature = "ntru-prime")]
pub use ntru_prime::StreamlinedEncapsulations;
#[cfg(feature = "ntruencrypt")]
pub use ntruencrypt::{Decrypted, Decryptions, Encryptions, Sampling};

use crate::{Array, Batch, Device, GpuError, Operand, Output, Ring};
use core::fmt;
use ringsmith_kem::pke::{InvalidKey, MessageTooLong};
use ringsmith_word::WordError;
use zeroize::{Zeroize, Zeroizing};

/// Why a batch was not encrypted or decrypted. Nothing was written that anybody should read.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BatchError {
    /// The device.
    Gpu(GpuError),
    /// A message is too long for the set.
    Message {
        /// Which one.
        index: usize,
        /// By how much.
        why: MessageTooLong,
    },
    /// There are not as many places for results as there are results.
    Places {
        /// How many results there are.
        needs: usize,
        /// How many places.
        has: usize,
    },
    /// The bytes of a key are none.
    InvalidKey,
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchError::Gpu(error) => error.fmt(f),
            BatchError::Message { index, why } => write!(f, "message number {index}: {why}"),
            BatchError::Places { needs, has } => write!(f, "there are {has} places for {needs} results"),
            BatchError::InvalidKey => InvalidKey.fmt(f),
        }
    }
}

impl core::error::Error for BatchError {}

impl From<GpuError> for BatchError {
    fn from(error: GpuError) -> Self {
        BatchError::Gpu(error)
    }
}

impl From<InvalidKey> for BatchError {
    fn from(_: InvalidKey) -> Self {
        BatchError::InvalidKey
    }
}

/// Messages at a time. What is under way of them is in the host's memory, some kilobytes each.
const ROUND: usize = 2048;

/// Bytes of a batch's memory on the device: one part, or a few, for a round.
const MEMORY: usize = 16 << 20;

/// Whether there are as many places as results.
fn places(needs: usize, has: usize) -> Result<(), BatchError> {
    if needs == has { Ok(()) } else { Err(BatchError::Places { needs, has }) }
}

/// Room on the host, cleared on drop.
fn room<T: Zeroize + Clone + Default>(count: usize) -> Result<Zeroizing<Vec<T>>, GpuError> {
    let mut room = Vec::new();
    room.try_reserve_exact(count).map_err(|_| GpuError::Word(WordError::Memory))?;
    room.resize(count, T::default());
    Ok(Zeroizing::new(room))
}

/// Products by a public key, which stays on the device.
struct OneKey<R: OfBytes> {
    batch: Batch<R>,
    key: Array<u16>,
    n: usize,
}

/// A ring whose products are by small operands.
trait OfBytes: Ring<A = u16, B = i8, C = u16> {}

impl<R: Ring<A = u16, B = i8, C = u16>> OfBytes for R {}

impl<R: OfBytes> OneKey<R> {
    /// Of the key that `fill` writes.
    fn new(device: &Device, ring: R, fill: impl FnOnce(&mut [u16])) -> Result<Self, GpuError> {
        let n = ring.lengths().a;
        let mut batch = Batch::new(device, ring, MEMORY)?;
        let mut key = room(n)?;
        fill(&mut key);
        let key = batch.upload_first(&key)?;
        Ok(OneKey { batch, key, n })
    }

    fn multiply(&mut self, small: &[i8], products: &mut [u16]) -> Result<(), GpuError> {
        let key = Operand::OneOnDevice(&self.key);
        self.batch.multiply(&key, &Operand::Host(small), Output::Host(products))
    }
}
