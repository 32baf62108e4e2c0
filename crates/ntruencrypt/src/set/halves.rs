//! Operations cut at their products, for whoever computes the products of many messages at once.
//!
//! Everything else is the code of the operations themselves. A product has coefficients in `[0, q)`. What is
//! multiplied by has small ones: -1, 0, 1, or those of a product of two such plus a third.

use super::drawn::Drawn;
use super::plain::{Masks, Plain};
use super::private::{Opening, Private};
use super::public::Public;
use super::{Parameters, Set};
use crate::arithmetic::multiple;
use crate::facts::{Facts, Weights};
use crate::hash::{BLOCK, MOST_BLOCKS};
use crate::modulus::Modulus;
use ringsmith_cyclic::element::{AsIs, Element, InRows, Work};
use ringsmith_kem::pke::{DecryptionError, InvalidKey, PkeSet};
use ringsmith_kem::secret::SecretBytes;
use ringsmith_kem::set::{Bytes, Keys};
use ringsmith_ring::{Multiplier, Ring};
use ringsmith_simd::{Cpu, Row};

/// A set whose operations are cut: every one.
pub trait Halves: Parameters + PkeSet {
    /// Its numbers.
    const NUMBERS: Facts = <Self as Parameters>::FACTS;
}

impl<P: Parameters + PkeSet> Halves for P {}

/// Most bytes of a seed, padded.
const MOST_SEED: usize = BLOCK * MOST_BLOCKS;

/// The greatest coefficient of what is multiplied by fits a byte.
const fn check(facts: &Facts) {
    if let Weights::Product([a, b, _]) = facts.f {
        // Of the part with fewer coefficients each meets one of the other, at most.
        let most = 2 * if a < b { a } else { b } + 1;
        assert!(most <= i8::MAX as usize, "a coefficient has more than a byte");
    }
}

/// Small coefficients as bytes.
fn small(rows: &[Row], out: &mut [i8]) {
    out.iter_mut().zip(rows.as_flattened()).for_each(|(out, x)| *out = *x as i8);
}

/// Coefficients in `[0, q)`.
fn canonical<P: Parameters>(rows: &[Row], out: &mut [u16]) {
    out.iter_mut().zip(rows.as_flattened()).for_each(|(out, x)| *out = P::Modulus::canonical_word(*x));
}

/// The element of coefficients in `[0, q)`.
fn element<P: Parameters>(cpu: Cpu, coefficients: &[u16]) -> Element<P::Ring> {
    let (mut out, zero) = (Element::<P::Ring>::zero(), Element::<P::Ring>::zero());
    let words = out.rows_mut().as_flattened_mut();
    words.iter_mut().zip(&coefficients[..<P::Ring as Ring>::N]).for_each(|(x, a)| *x = *a as i16);
    multiple::<P::Modulus>(cpu, out.rows_mut(), zero.rows(), 1);
    out
}

/// A message that is being encrypted; cleared on drop.
pub struct Sealing(Plain<'static>);

impl Sealing {
    /// Room for one of a set.
    pub fn blank<P: Parameters>() -> Self {
        Sealing(Plain::zero(const { &P::FACTS }))
    }

    /// Takes a message, which is not too long for the set; before it there was none.
    pub fn take(&mut self, message: &[u8]) {
        self.0.take(message);
    }

    /// Where its random bytes are drawn, by one call.
    pub fn random_mut(&mut self) -> &mut [u8] {
        self.0.random_mut()
    }
}

/// A public key.
pub struct Encryption<P: Parameters>(Public<P, AsIs>);

impl<P: Parameters> Encryption<P> {
    /// Reads one.
    ///
    /// # Errors
    /// Where the bytes are no key.
    pub fn read(cpu: Cpu, bytes: &[u8]) -> Result<Self, InvalidKey> {
        const { check(&P::FACTS) };
        let by = Multiplier::new_on(cpu);
        let mut public = Public::blank(by);
        match public.read(&mut Work::new(by), bytes) {
            0 => Ok(Encryption(public)),
            _ => Err(InvalidKey),
        }
    }

    /// Writes what is multiplied: `h`.
    pub fn key(&self, out: &mut [u16]) {
        canonical::<P>(self.0.h.rows(), out);
    }

    /// The first half: writes the `r` of a message and its random bytes.
    pub fn begin(&self, sealing: &Sealing, r: &mut [i8]) {
        self.blinding(&sealing.0, r);
    }

    /// For those who make `r` by themselves: writes the seed that is hashed for it, padded, in as many blocks
    /// of 64 bytes as the set's longest has; and gives how many of them are the seed's. The length of the
    /// message is public.
    pub fn seed(&self, sealing: &Sealing, out: &mut [i8]) -> usize {
        let (facts, mut bytes) = (const { &P::FACTS }, SecretBytes::<MOST_SEED>::zero());
        let (random, length, message) = sealing.0.parts();
        let bytes = &mut bytes[..out.len()];
        let blocks = self.0.write_seed(facts, &message[..length], random, bytes);
        out.iter_mut().zip(bytes).for_each(|(out, byte)| *out = *byte as i8);
        blocks
    }

    fn blinding(&self, plain: &Plain<'_>, out: &mut [i8]) {
        let mut r = Drawn::<P::Ring>::zero();
        self.0.draw_blinding(self.0.by.cpu(), plain, &mut r);
        match const { P::FACTS.f } {
            Weights::Of(_) => small(r.0[0].rows(), out),
            Weights::Product(_) => {
                let mut whole = Element::zero();
                r.combined::<P::Modulus>(&mut Work::new(self.0.by), &mut whole);
                small(whole.rows(), out);
            }
        }
    }

    /// The second half: writes the ciphertext, of `r h`. False where other random bytes must be drawn, and
    /// both halves be done again.
    pub fn finish(&self, sealing: &Sealing, product: &[u16], out: &mut [u8]) -> bool {
        let (cpu, mut masks) = (self.0.by.cpu(), Masks::<P::Ring>::zero());
        let mut product = element::<P>(cpu, product);
        let is_hidden = masks.hide::<P::Modulus>(cpu, &sealing.0, &product);
        if is_hidden {
            masks.seal::<P::Modulus>(cpu, const { &P::FACTS }, &mut product, out);
        }
        is_hidden
    }
}

/// A private key with its public one.
pub struct Decryption<P: Parameters> {
    private: Private<P, AsIs>,
    public: Encryption<P>,
}

/// A ciphertext that is being decrypted; cleared on drop.
pub struct Opened<P: Parameters>(Opening<P>);

impl<P: Parameters> Opened<P> {
    /// Room for one.
    pub fn blank() -> Self {
        Opened(Opening::zero())
    }
}

impl<P: Parameters> Decryption<P> {
    /// Reads one.
    ///
    /// # Errors
    /// Where the bytes are no key.
    pub fn read(cpu: Cpu, bytes: &[u8]) -> Result<Self, InvalidKey> {
        const { check(&P::FACTS) };
        let by = Multiplier::new_on(cpu);
        let (mut private, mut public) = (Private::blank(), Public::blank(by));
        let mut published = <P as Parameters>::PublicBytes::ZERO;
        let keys = Keys { private: &mut private, public: &mut public, bytes: &mut published };
        let bytes = <P as Parameters>::PrivateBytes::of(bytes).ok_or(InvalidKey)?;
        Set::<P>::read(keys, &mut Work::new(by), bytes)?;
        Ok(Decryption { private, public: Encryption(public) })
    }

    /// Its public key.
    pub fn public(&self) -> &Encryption<P> {
        &self.public
    }

    /// Writes what multiplies ciphertexts: `F`.
    pub fn key(&self, out: &mut [i8]) {
        small(self.private.f.rows(), out);
    }

    /// The first third: writes the element of a ciphertext.
    pub fn begin(&self, ciphertext: &[u8], opened: &mut Opened<P>, e: &mut [u16]) {
        opened.0.read(self.public.0.by.cpu(), ciphertext);
        canonical::<P>(opened.0.e.rows(), e);
    }

    /// The second third: writes the `r` of what is in the ciphertext, of the product `F e`.
    pub fn unmask(&self, opened: &mut Opened<P>, product: &[u16], r: &mut [i8]) {
        let cpu = self.public.0.by.cpu();
        opened.0.unmask(cpu, &element::<P>(cpu, product), &mut Masks::zero());
        self.public.blinding(&opened.0.plain, r);
    }

    /// The last third: writes the message, of `r h`, and gives its length. Where there is none, zeroes are
    /// written.
    ///
    /// # Errors
    /// Where the ciphertext was not made for the key.
    pub fn finish(
        &self,
        opened: &mut Opened<P>,
        product: &[u16],
        out: &mut [u8],
    ) -> Result<usize, DecryptionError> {
        let cpu = self.public.0.by.cpu();
        opened.0.finish(cpu, &element::<P>(cpu, product), out)
    }
}
