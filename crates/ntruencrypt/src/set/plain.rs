//! What is encrypted, and what masks it.

use crate::arithmetic::{add_message, add_ternary, has_too_few};
use crate::codec::{pack, pack_modulo_4};
use crate::facts::{Facts, MOST_COEFFICIENTS, MOST_MESSAGE};
use crate::mask::mask;
use crate::modulus::Modulus;
use crate::trits::from_message;
use core::hint::black_box;
use ringsmith_cyclic::element::{Element, InRows, Ternary};
use ringsmith_kem::declassify::publish;
use ringsmith_kem::secret::SecretBytes;
use ringsmith_ring::Ring;
use ringsmith_simd::Cpu;

/// Bytes of a message with its random bytes and its length.
const PLAIN: usize = 32 + 1 + MOST_MESSAGE;
/// Bytes of coefficients modulo 4.
const PACKED_MODULO_4: usize = MOST_COEFFICIENTS / 4;

/// A message as it is encrypted: random bytes, its length, itself, and zeroes.
pub(super) struct Plain<'a> {
    facts: &'a Facts,
    pub(super) bytes: SecretBytes<PLAIN>,
}

impl<'a> Plain<'a> {
    pub(super) fn zero(facts: &'a Facts) -> Self {
        Plain { facts, bytes: SecretBytes::zero() }
    }

    /// Takes a message, without its random bytes.
    pub(super) fn take(&mut self, message: &[u8]) {
        let (_, rest) = self.bytes.split_at_mut(self.facts.random);
        rest[0] = message.len() as u8;
        rest[1..][..message.len()].copy_from_slice(message);
    }

    /// Where its random bytes are drawn.
    pub(super) fn random_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.facts.random]
    }

    /// All of it.
    pub(super) fn all(&self) -> &[u8] {
        &self.bytes[..self.facts.random + 1 + self.facts.message]
    }

    pub(super) fn all_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.facts.random + 1 + self.facts.message]
    }

    /// The random bytes, the length, a secret, and the message with zeroes behind it.
    pub(super) fn parts(&self) -> (&[u8], usize, &[u8]) {
        let (random, rest) = self.all().split_at(self.facts.random);
        (random, usize::from(rest[0]), &rest[1..])
    }

    /// Makes the length one that there may be, and what is behind it zero; not 0 where they were not.
    pub(super) fn settle(&mut self) -> u16 {
        let (random, message) = (self.facts.random, self.facts.message);
        let length = u16::from(self.bytes[random]);
        let too_long = black_box(((message as u16).wrapping_sub(length) as i16 >> 15) as u16);
        let mut bad = too_long;
        let length = length & !too_long;
        self.bytes[random] = length as u8;
        for (i, byte) in self.bytes[random + 1..][..message].iter_mut().enumerate() {
            let behind = !((i as u16).wrapping_sub(length) as i16 >> 15) as u8;
            bad |= u16::from(*byte & behind);
            *byte &= !behind;
        }
        bad
    }
}

/// What masks and is masked.
pub(super) struct Masks<R: Ring> {
    pub(super) masked: Ternary<R>,
    pub(super) mask: Ternary<R>,
    modulo_4: SecretBytes<PACKED_MODULO_4>,
}

impl<R: Ring> Masks<R> {
    pub(super) fn zero() -> Self {
        let [masked, mask] = [(); 2].map(|()| Ternary::zero());
        Masks { masked, mask, modulo_4: SecretBytes::zero() }
    }

    /// The mask of `r h`.
    pub(super) fn fill<M: Modulus>(&mut self, cpu: Cpu, facts: &Facts, product: &Element<R>) {
        let packed = &mut self.modulo_4[..facts.n.div_ceil(4)];
        pack_modulo_4::<M>(facts.flavour, product.rows(), facts.n, packed);
        mask(cpu, facts, packed, self.mask.rows_mut());
    }

    /// Masks a message by its `r h`. False where it has too few coefficients of a value then, which is told:
    /// other random bytes are drawn then, and these are forgotten.
    pub(super) fn hide<M: Modulus>(&mut self, cpu: Cpu, plain: &Plain<'_>, product: &Element<R>) -> bool {
        let facts = plain.facts;
        self.fill::<M>(cpu, facts, product);
        from_message(facts.flavour, plain.all(), facts.n, self.masked.rows_mut());
        add_ternary(cpu, self.masked.rows_mut(), self.mask.rows());
        let mut few = [has_too_few(cpu, self.masked.rows(), facts.n, facts.least)];
        publish(&mut few);
        few[0] == 0
    }

    /// Writes the ciphertext of what is masked and of `r h`, which becomes their sum.
    pub(super) fn seal<M: Modulus>(&self, cpu: Cpu, facts: &Facts, product: &mut Element<R>, out: &mut [u8]) {
        let is_lifted = facts.flavour.is_libntru();
        add_message::<M>(cpu, product.rows_mut(), self.masked.rows(), is_lifted);
        pack::<M>(cpu, facts.flavour, product.rows(), facts.n, out);
        // A ciphertext is published.
        publish(out);
    }
}
