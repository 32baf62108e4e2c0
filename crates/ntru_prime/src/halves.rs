//! Encapsulation of Streamlined NTRU Prime cut at its product, for whoever computes the products of many
//! ciphertexts at once.
//!
//! Everything else is the code of the operation itself. A product has coefficients in `[0, q)`, and what is
//! multiplied by -1, 0, 1.

use crate::element::{Element, Work};
use crate::hash::{Purpose, hash_into, public_hash};
use crate::sample;
use crate::set::{Hidden, Parameters, PublicKey};
use crate::streamlined::Public;
use ringsmith_kem::secret::SecretBytes;
use ringsmith_kem::set::{KemSet, SharedKey};
use ringsmith_ring::{Multiplier, Ring};
use ringsmith_simd::Cpu;

/// A set whose encapsulation is cut: those of Streamlined NTRU Prime.
pub trait Halves: Parameters + KemSet {
    /// The degree.
    const DEGREE: usize = <Self::Ring as Ring>::N;
    /// The modulus.
    const MODULUS: u32 = <Self::Ring as Ring>::Q as u32;
}

/// A ciphertext that is being made; cleared on drop.
pub struct Begun<P: Parameters>(Element<P::Ring>);

impl<P: Parameters> Begun<P> {
    /// Room for one.
    pub fn blank() -> Self {
        Begun(Element::zero())
    }
}

/// A public key.
pub struct Encapsulation<P: Parameters>(Public<P, Element<P::Ring>>);

impl<P: Parameters> Encapsulation<P> {
    /// Reads one: any bytes of the right number are a key.
    pub fn read(cpu: Cpu, bytes: &[u8]) -> Self {
        let by = Multiplier::new_on(cpu);
        let (mut public, mut work) = (Public::blank(by), Work::new(by));
        let hash = public_hash(&mut work.hash, bytes);
        public.read(&mut work, bytes, hash);
        Encapsulation(public)
    }

    /// Writes what is multiplied: `h`.
    pub fn key(&self, out: &mut [u16]) {
        let q = const { <P::Ring as Ring>::Q as i16 };
        let words = self.0.h().coefficients();
        out.iter_mut().zip(words).for_each(|(out, x)| *out = (x + (x >> 15 & q)) as u16);
    }

    /// The first half: writes the `r` of randomness.
    pub fn begin(&self, random: &[u8], begun: &mut Begun<P>, r: &mut [i8]) {
        sample::short(self.0.by().cpu(), random, P::WEIGHT, &mut begun.0);
        r.iter_mut().zip(begun.0.coefficients()).for_each(|(r, x)| *r = *x as i8);
    }

    /// The second half: writes the ciphertext, of `h r`, and the shared key.
    pub fn finish(&self, begun: &Begun<P>, product: &[u16], out: &mut [u8], shared: &mut SharedKey) {
        let q = const { <P::Ring as Ring>::Q as i16 };
        let (mut work, mut element) = (Work::new(self.0.by()), Element::zero());
        for (x, a) in element.coefficients_mut().iter_mut().zip(product) {
            let a = *a as i16;
            *x = a - ((q / 2 - a) >> 15 & q);
        }
        let mut hashed = SecretBytes::zero();
        let to = Hidden { ciphertext: &mut *out, hashed: &mut hashed };
        self.0.conceal(&mut work, &begun.0, &element, to);
        hash_into(&mut work.hash, Purpose::Session(1), [&*hashed, out], shared.as_mut_bytes());
    }
}
