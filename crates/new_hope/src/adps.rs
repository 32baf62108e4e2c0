//! The NewHope key exchange of Alkim, Ducas, Poeppelmann and Schwabe. **For research and compatibility.**
//!
//! ```
//! use ringsmith_new_hope::adps::Exchange;
//! # struct Fixed(u8);
//! # impl rand_core::TryRng for Fixed {
//! #     type Error = core::convert::Infallible;
//! #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> { Ok(4) }
//! #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> { Ok(4) }
//! #     fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Self::Error> { dst.fill(self.0); Ok(()) }
//! # }
//! # impl rand_core::TryCryptoRng for Fixed {}
//! # let mut rng = Fixed(4);
//! let exchange = Exchange::new();
//! let (alice, offer) = exchange.offer(&mut rng);
//! let (response, bobs_key) = exchange.respond(&mut rng, &offer);
//! assert_eq!(alice.finish(&response), bobs_key);
//! ```
//!
//! Alice sends [`OFFER_BYTES`], 1824, Bob [`RESPONSE_BYTES`], 2048. The exchange is secure against a
//! listener; it does not authenticate the other side. With a probability below `2^-60` it fails, and the two
//! keys differ. An offer serves one exchange, and its type enforces that.
//!
//! # How
//! Noise with `k = 16` from ChaCha20 with a nonce of 64 bits; values in the order of the exponents of 7, and
//! sent as they are; the shared key is SHA3-256 of the reconciled bits.
//!
//! # Constant time
//! In everything except the seed of the public polynomial, offers and responses, which are public.
//!
//! # Source
//! E. Alkim, L. Ducas, T. Poeppelmann, P. Schwabe: Post-quantum key exchange, a new hope, USENIX Security
//! 2016, and its code.

pub use super::exchange::{OFFER_BYTES, RESPONSE_BYTES, SECRET_BYTES};
pub use ringsmith_kem::set::SharedKey;

use super::exchange::chacha20::ChaCha20;
use super::exchange::noise::{ROWS, stream};
use super::exchange::parts::Part;
use super::exchange::types::{self, By};
use super::exchange::{Entry, Form};
use crate::rings::NEW_HOPE_1024_ORDERED;
use ringsmith_hash::Sha3_256;
use ringsmith_kem::binomial::Binomial16;
use ringsmith_kem::scheme::KeyExchange;
use ringsmith_kem::secret::SecretBytes;
use ringsmith_ring::{Exponents, Rows};
use ringsmith_simd::Cpu;

/// How an exchange is done: on which CPU, by which route.
pub type Exchange = types::Exchange<Adps>;
/// The secret of an offer, until the response comes.
pub type Offer = types::Offer<Adps>;

/// The form among [all exchanges](ringsmith_kem::scheme), by the planner's route and without options.
pub static EXCHANGE: KeyExchange = key_exchange::<types::Planned<Adps>>();

/// The same by another domain in the same order.
pub const fn key_exchange<D: By<Adps>>() -> KeyExchange {
    types::key_exchange::<Adps, D>()
}

/// What an exchange by a domain is made of, to measure it. No part of the interface.
#[doc(hidden)]
pub const fn parts<D: By<Adps>>() -> [Part; 6] {
    types::parts::<Adps, D>()
}

/// Rows of noise that are made at a time: the less memory is to be cleared, the better.
const PIECE: usize = 16;

/// The form: it has no options.
#[derive(Clone, Copy, Default)]
pub struct Adps;

impl Form for Adps {
    const NAME: &'static str = "NewHope-ADPS";
    const SOURCE: &'static str = "USENIX Security 2016";
    const PLANNED: &'static Entry<Self> = &NEW_HOPE_1024_ORDERED;
    type Order = Exponents;
    const FACTORS: [i64; 2] = [1, 1];
    const BIT_IS_TAKEN_OFF: bool = false;
    const INCLUSIVE: bool = false;
    /// The seed.
    type Noise<'a> = &'a [u8; 32];

    fn noise(cpu: Cpu, seed: &&[u8; 32], nonce: u8, out: &mut Rows<ROWS>) {
        let mut stream = ChaCha20::new(cpu, seed, [nonce, 0, 0, 0, 0, 0, 0, 0]);
        let mut bytes = SecretBytes::<{ 64 * PIECE }>::zero();
        for out in out.0.as_chunks_mut().0 {
            stream.write(bytes.as_mut_slice());
            if let Some(bytes) = bytes.as_chunks().0.as_chunks().0.first_chunk() {
                cpu.run(Binomial16::<PIECE> { bytes, out });
            }
        }
    }

    fn help_bits(cpu: Cpu, seed: &&[u8; 32], out: &mut [u8; 32]) {
        // In the last byte, where the noise has its nonce in the first.
        *out = *stream(cpu, seed, [0, 0, 0, 0, 0, 0, 0, 3]);
    }

    fn noise_of<'a>(&self, seed: &'a [u8; 32]) -> &'a [u8; 32] {
        seed
    }

    fn key(&self, cpu: Cpu, bits: &[u8; 32], shared: &mut SharedKey) {
        Sha3_256::new_on(cpu).absorb(bits).reader().squeeze(shared.as_mut_bytes());
    }
}
