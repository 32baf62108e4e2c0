//! Encapsulation cut at its product, for whoever computes the products of many ciphertexts at once.
//!
//! Everything else is the code of the operation itself. A product has coefficients in `[0, q)`, and what is
//! multiplied by -1, 0, 1.

use super::{Parameters, Public, Sealing};
use crate::element::{AsIs, Element, InRows, Work};
use crate::ternary::Centre;
use ringsmith_kem::set::{KemSet, SharedKey};
use ringsmith_ring::{Multiplier, Ring};
use ringsmith_simd::Cpu;

/// A set whose encapsulation is cut: every one.
pub trait Halves: Parameters + KemSet {
    /// The degree.
    const DEGREE: usize = <Self::Ring as Ring>::N;
    /// Bits of a coefficient: `q` is a power of two.
    const BITS: u32 = <Self::Ring as Ring>::Q.trailing_zeros();
}

impl<P: Parameters + KemSet> Halves for P {}

/// A ciphertext that is being made; cleared on drop.
pub struct Begun<P: Parameters>(Sealing<P>);

impl<P: Parameters> Begun<P> {
    /// Room for one.
    pub fn blank() -> Self {
        Begun(Sealing::zero())
    }
}

/// A public key.
pub struct Encapsulation<P: Parameters>(Public<P, AsIs>);

impl<P: Parameters> Encapsulation<P> {
    /// Reads one: any bytes of the right number are a key.
    pub fn read(cpu: Cpu, bytes: &[u8]) -> Self {
        let by = Multiplier::new_on(cpu);
        let mut public = Public::blank(by);
        public.read(&mut Work::new(by), bytes);
        Encapsulation(public)
    }

    /// Writes what is multiplied: `h`.
    pub fn key(&self, out: &mut [u16]) {
        let mask = const { (<P::Ring as Ring>::Q - 1) as u16 };
        let words = self.0.h.rows().as_flattened();
        out.iter_mut().zip(words).for_each(|(out, x)| *out = *x as u16 & mask);
    }

    /// The first half: writes the `r` of randomness, and the shared key.
    pub fn begin(&self, random: &[u8], begun: &mut Begun<P>, shared: &mut SharedKey, r: &mut [i8]) {
        begun.0.begin(&mut Work::new(self.0.by), random, shared);
        r.iter_mut().zip(begun.0.r.rows().as_flattened()).for_each(|(r, x)| *r = *x as i8);
    }

    /// The second half: writes the ciphertext, of `r h`.
    pub fn finish(&self, begun: &Begun<P>, product: &[u16], out: &mut [u8]) {
        let (mut sum, centre) = (Element::<P::Ring>::zero(), const { Centre::of::<P::Ring>() });
        let words = sum.rows_mut().as_flattened_mut();
        let coefficients = &product[..<P::Ring as Ring>::N];
        words.iter_mut().zip(coefficients).for_each(|(x, a)| *x = centre.word(*a as i16));
        begun.0.finish(self.0.by.cpu(), &mut sum, out);
    }
}
