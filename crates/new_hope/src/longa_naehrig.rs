//! The NewHope key exchange as Longa and Naehrig ship it in LatticeCrypto. **For research and
//! compatibility.**
//!
//! ```
//! use ringsmith_new_hope::longa_naehrig::Exchange;
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
//! The messages have the sizes of [`adps`](super::adps), and are not compatible with it: the noise has
//! `k = 12`, the root of unity is 1945, values are in the order that its transform leaves, and the
//! transforms' powers of 3 are sent with them: `27 a s + 81 e`.
//!
//! # Options
//! * The shared key is the reconciled bits, as the code has it; the paper derives it by SHAKE128, which is
//!   [`with_hashed_key`](Exchange::with_hashed_key).
//! * The original code asks its user for a stream cipher. Here noise comes from ChaCha20 as in
//!   [`adps`](super::adps); [`with_help_nonce_in_byte_one`](Exchange::with_help_nonce_in_byte_one) has the
//!   nonce of the hints where the original is believed to have it, which is not established.
//! * With the feature `hazmat`, the bytes of the noise themselves, as liboqs had it.
//!
//! # Constant time
//! In everything except the seed of the public polynomial, offers and responses, which are public.
//!
//! # Source
//! P. Longa, M. Naehrig: Speeding up the Number Theoretic Transform for faster ideal lattice-based
//! cryptography, CANS 2016, section 4; LatticeCrypto 1.0 as adapted in liboqs.

pub use super::exchange::{OFFER_BYTES, RESPONSE_BYTES, SECRET_BYTES};
pub use ringsmith_kem::set::SharedKey;

use super::exchange::noise::{ROWS, stream};
use super::exchange::parts::Part;
use super::exchange::types::{self, By};
use super::exchange::{Entry, Form};
use crate::rings::LONGA_NAEHRIG_ORDERED;
use ringsmith_hash::Shake128;
use ringsmith_kem::binomial::Binomial12;
use ringsmith_kem::scheme::KeyExchange;
use ringsmith_ring::{ByRoot, Rows};
use ringsmith_simd::Cpu;

/// Bytes that the noise of a polynomial is made of.
pub const NOISE_BYTES: usize = 3072;

/// How an exchange is done: on which CPU, by which route, and the options above.
pub type Exchange = types::Exchange<LongaNaehrig>;
/// The secret of an offer, until the response comes.
pub type Offer = types::Offer<LongaNaehrig>;

/// The form among [all exchanges](ringsmith_kem::scheme), by the planner's route and without options.
pub static EXCHANGE: KeyExchange = key_exchange::<types::Planned<LongaNaehrig>>();

/// The same by another domain in the same order.
pub const fn key_exchange<D: By<LongaNaehrig>>() -> KeyExchange {
    types::key_exchange::<LongaNaehrig, D>()
}

/// What an exchange by a domain is made of, to measure it. No part of the interface.
#[doc(hidden)]
pub const fn parts<D: By<LongaNaehrig>>() -> [Part; 6] {
    types::parts::<LongaNaehrig, D>()
}

/// What noise is made of.
pub enum Noise<'a> {
    /// A seed, and the byte of the nonce of the hints.
    Seed(&'a [u8; 32], usize),
    /// The bytes of each noise, and the bits of the hints.
    #[cfg_attr(not(feature = "hazmat"), allow(dead_code, reason = "what takes it is behind the feature"))]
    Bytes([&'a [u8; NOISE_BYTES]; 3], &'a [u8; 32]),
}

/// The noise of its bytes.
fn binomial(cpu: Cpu, bytes: &[u8; NOISE_BYTES], out: &mut Rows<ROWS>) {
    const HALF: usize = ROWS / 2;
    let (rows, halves) = (bytes.as_chunks().0.as_chunks().0, out.0.as_chunks_mut().0);
    if let (Some(bytes), Some(out)) = (rows.first_chunk(), halves.first_chunk_mut()) {
        cpu.run(Binomial12::<HALF> { bytes, out });
    }
}

/// The form, with its options.
#[derive(Clone, Copy)]
pub struct LongaNaehrig {
    hashed: bool,
    help_nonce_byte: usize,
}

/// The shared key is the reconciled bits; the nonce of the hints is where [`adps`](super::adps) has it.
impl Default for LongaNaehrig {
    fn default() -> Self {
        LongaNaehrig { hashed: false, help_nonce_byte: 7 }
    }
}

impl Form for LongaNaehrig {
    const NAME: &'static str = "NewHope-Longa-Naehrig";
    const SOURCE: &'static str = "CANS 2016, LatticeCrypto";
    const PLANNED: &'static Entry<Self> = &LONGA_NAEHRIG_ORDERED;
    type Order = ByRoot<1945>;
    const FACTORS: [i64; 2] = [27, 81];
    const BIT_IS_TAKEN_OFF: bool = true;
    const INCLUSIVE: bool = true;
    type Noise<'a> = Noise<'a>;

    fn noise(cpu: Cpu, noise: &Noise<'_>, nonce: u8, out: &mut Rows<ROWS>) {
        match noise {
            Noise::Seed(seed, _) => binomial(cpu, &stream(cpu, seed, [nonce, 0, 0, 0, 0, 0, 0, 0]), out),
            Noise::Bytes(bytes, _) => binomial(cpu, bytes[nonce as usize], out),
        }
    }

    fn help_bits(cpu: Cpu, noise: &Noise<'_>, out: &mut [u8; 32]) {
        match noise {
            Noise::Seed(seed, byte) => {
                let mut nonce = [0; 8];
                nonce[*byte] = 3;
                *out = *stream(cpu, seed, nonce);
            }
            Noise::Bytes(_, bits) => *out = **bits,
        }
    }

    fn noise_of<'a>(&self, seed: &'a [u8; 32]) -> Noise<'a> {
        Noise::Seed(seed, self.help_nonce_byte)
    }

    fn key(&self, cpu: Cpu, bits: &[u8; 32], shared: &mut SharedKey) {
        if self.hashed {
            Shake128::new_on(cpu).absorb(bits).reader().squeeze(shared.as_mut_bytes());
        } else {
            *shared.as_mut_bytes() = *bits;
        }
    }
}

impl Exchange {
    /// The shared key is the first 32 bytes of SHAKE128 of the reconciled bits, as in the paper.
    pub fn with_hashed_key(self) -> Self {
        Exchange { form: LongaNaehrig { hashed: true, ..self.form }, ..self }
    }

    /// The nonce 3 of the hints' random bits stands in byte 1, not in byte 7.
    pub fn with_help_nonce_in_byte_one(self) -> Self {
        Exchange { form: LongaNaehrig { help_nonce_byte: 1, ..self.form }, ..self }
    }

    /// [`offer`](Self::offer) of the bytes that the secret and the error are made of. They must be random,
    /// secret, and never used again.
    #[cfg(feature = "hazmat")]
    pub fn offer_from_noise(
        &self,
        seed: &[u8; 32],
        [secret, error]: [&[u8; NOISE_BYTES]; 2],
    ) -> (Offer, [u8; OFFER_BYTES]) {
        self.offer_from(seed, &Noise::Bytes([secret, error, error], &[0; 32]))
    }

    /// [`respond`](Self::respond) of the bytes that the secret and both errors are made of, and of the random
    /// bits of the hints. They must be random, secret, and never used again.
    #[cfg(feature = "hazmat")]
    pub fn respond_from_noise(
        &self,
        noise: [&[u8; NOISE_BYTES]; 3],
        help: &[u8; 32],
        offer: &[u8; OFFER_BYTES],
    ) -> ([u8; RESPONSE_BYTES], SharedKey) {
        let mut made = ([0; RESPONSE_BYTES], SharedKey::zero());
        self.respond_from(&Noise::Bytes(noise, help), offer, &mut made.0, &mut made.1);
        made
    }
}
