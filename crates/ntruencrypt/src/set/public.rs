//! Public keys, and encryption.

use super::drawn::Drawn;
use super::plain::{Masks, Plain};
use super::{MOST_STRENGTH, OperandOf, Parameters};
use crate::candidates::{Blocks, Candidates};
use crate::choose::Chooser;
use crate::codec::{start_of_key, unpack_key};
use crate::facts::{Facts, Weights};
use crate::key;
use crate::seed::{self, Seed};
use ringsmith_cyclic::element::{Element, Form, InRows, Ready, Second, Work};
use ringsmith_kem::set::{Draw, Failed};
use ringsmith_ring::Multiplier;
use ringsmith_simd::Cpu;

/// A public key, expanded.
pub struct Public<P: Parameters, F: Form<P::Ring> = Ready> {
    pub(super) by: Multiplier<P::Ring>,
    pub(super) h: OperandOf<P, F>,
    /// The beginning of `h` as it is packed.
    start: [u8; MOST_STRENGTH],
}

impl<P: Parameters, F: Form<P::Ring>> Clone for Public<P, F> {
    fn clone(&self) -> Self {
        Public { by: self.by, h: self.h.clone(), start: self.start }
    }
}

impl<P: Parameters, F: Form<P::Ring>> Public<P, F> {
    pub(super) fn blank(by: Multiplier<P::Ring>) -> Self {
        Public { by, h: OperandOf::<P, F>::blank(), start: [0; MOST_STRENGTH] }
    }

    /// Reads a key; not 0 where it is not as it is written.
    pub(super) fn read(&mut self, work: &mut Work<P::Ring>, bytes: &[u8]) -> u16 {
        let facts = const { &P::FACTS };
        let (packed, bad) = key::read_public(facts, bytes);
        let start = &mut self.start[..facts.strength];
        bad | self.h.fill(work, |work, h| {
            let (cpu, flavour) = (work.cpu(), facts.flavour);
            let bad = unpack_key::<P::Modulus>(cpu, flavour, packed, facts.n, h.rows_mut());
            start_of_key::<P::Modulus>(cpu, flavour, packed, h.rows(), start);
            bad
        })
    }

    /// Writes the seed of a message's `r`, padded, and gives its blocks. The length of the message is public.
    pub(super) fn write_seed(&self, facts: &Facts, message: &[u8], random: &[u8], out: &mut [u8]) -> usize {
        seed::write(facts, message, random, &self.start, out)
    }

    /// The `r` that a message gives, by its parts.
    #[inline(always)]
    pub(super) fn draw_blinding(&self, cpu: Cpu, plain: &Plain<'_>, r: &mut Drawn<P::Ring>) {
        let facts = const { &P::FACTS };
        let (random, length, message) = plain.parts();
        let mut seed = Seed::zero(facts);
        let mut blocks = Blocks::zero(facts.hash);
        seed.fill(facts, (message, length), random, &self.start);
        blocks.of_seed(facts, &seed);
        let mut stream = Candidates::new(facts, &mut blocks);
        stream.begin(facts.plan.blocks_of_f);
        let minus_first = facts.flavour.is_libntru();
        let mut chooser = Chooser { cpu, n: facts.n, minus_first, taken: None };
        let (all, count) = const { P::FACTS.counts() };
        r.write(count, |rows| chooser.parts(&mut stream, &all[..count], rows));
    }

    /// `r h`, of the `r` that a message gives.
    #[inline(never)]
    pub(super) fn blind(&self, work: &mut Work<P::Ring>, plain: &Plain<'_>, out: &mut Element<P::Ring>) {
        let mut r = Drawn::<P::Ring>::zero();
        self.draw_blinding(work.cpu(), plain, &mut r);
        match const { P::FACTS.f } {
            Weights::Of(_) => self.h.ternary_product_into(work, &r.0[0], out),
            Weights::Product(_) => {
                let mut whole = Element::zero();
                r.combined::<P::Modulus>(work, &mut whole);
                self.h.product_into(work, &whole, out);
            }
        }
    }

    /// Writes a ciphertext of a message. Draws its random bytes by one call, and again as long as a masked
    /// message has too few coefficients of a value.
    #[inline(never)]
    pub(super) fn seal(
        &self,
        work: &mut Work<P::Ring>,
        message: &[u8],
        draw: &mut Draw<'_>,
        out: &mut [u8],
    ) -> Result<(), Failed> {
        let (facts, cpu) = (const { &P::FACTS }, work.cpu());
        let mut plain = Plain::zero(facts);
        let mut product = Element::zero();
        let mut masks = Masks::<P::Ring>::zero();
        plain.take(message);
        loop {
            draw(plain.random_mut())?;
            self.blind(work, &plain, &mut product);
            if masks.hide::<P::Modulus>(cpu, &plain, &product) {
                break;
            }
        }
        masks.seal::<P::Modulus>(cpu, facts, &mut product, out);
        Ok(())
    }
}
