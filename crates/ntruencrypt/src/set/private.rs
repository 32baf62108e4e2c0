//! Private keys: their generation, their form, and decryption.

use super::drawn::Drawn;
use super::plain::{Masks, Plain};
use super::public::Public;
use super::{MOST_PACKED, MOST_STRENGTH, OperandOf, Parameters};
use crate::arithmetic::{
    counts, differ, has_too_few, multiple, open, subtract_message, subtract_ternary, thirds,
};
use crate::candidates::{LIMIT, Words};
use crate::codec::{pack_key, unpack, unpack_key};
use crate::facts::Counts;
use crate::generators::polynomials;
use crate::hash::equal;
use crate::key;
use crate::rings::Inverse;
use crate::trits::to_message;
use core::hint::black_box;
use ctutils::Choice;
use ringsmith_cyclic::element::{Element, Form, InRows, Ready, Second, Work};
use ringsmith_kem::declassify::publish;
use ringsmith_kem::pke::DecryptionError;
use ringsmith_kem::secret::{SecretArray, SecretBytes};
use ringsmith_kem::set::{Draw, Failed};
use ringsmith_simd::Cpu;
use zeroize::ZeroizeOnDrop;

/// A private key without its public one, expanded.
pub struct Private<P: Parameters, F: Form<P::Ring> = Ready> {
    /// As it is encoded.
    pub(super) bytes: SecretArray<P::PrivateBytes>,
    /// `F`.
    pub(super) f: OperandOf<P, F>,
}

/// Its parts clear themselves.
impl<P: Parameters, F: Form<P::Ring>> ZeroizeOnDrop for Private<P, F> {}

impl<P: Parameters, F: Form<P::Ring>> Private<P, F> {
    pub(super) fn blank() -> Self {
        Private { bytes: SecretArray::zero(), f: OperandOf::<P, F>::blank() }
    }

    /// Draws the polynomials of a seed, and the indices of all, in their order, where they are wanted.
    #[inline(never)]
    pub(super) fn draw_polynomials(
        work: &Work<P::Ring>,
        counts: (&[Counts], usize),
        draw: &mut Draw<'_>,
        out: &mut Drawn<P::Ring>,
        indices: Option<&mut [u16]>,
    ) -> Result<(), Failed> {
        let facts = const { &P::FACTS };
        let mut seed = SecretBytes::<{ 2 * MOST_STRENGTH }>::zero();
        let seed = &mut seed[..facts.seed()];
        draw(seed)?;
        out.write(counts.0.len(), |rows| polynomials(work.cpu(), facts, seed, counts, rows, indices));
        Ok(())
    }

    /// Draws `F` until `f = 1 + 3 F` has an inverse, and gives that: `invert` writes it, and says whether
    /// there is one.
    pub(super) fn draw_f(
        work: &mut Work<P::Ring>,
        mut invert: impl FnMut(&mut Work<P::Ring>, &Element<P::Ring>, &mut Element<P::Ring>) -> Choice,
        draw: &mut Draw<'_>,
        drawn: &mut Drawn<P::Ring>,
        indices: &mut [u16],
        [f, inverse]: [&mut Element<P::Ring>; 2],
    ) -> Result<(), Failed> {
        let facts = const { &P::FACTS };
        let mut one = Element::<P::Ring>::zero();
        let (all, count) = const { P::FACTS.counts() };
        one.rows_mut()[0][0] = 1;
        loop {
            let counts = (&all[..count], facts.plan.blocks_of_f);
            Self::draw_polynomials(work, counts, draw, drawn, Some(&mut *indices))?;
            drawn.whole::<P::Modulus>(work, facts, f);
            let mut unit = f.clone();
            multiple::<P::Modulus>(work.cpu(), unit.rows_mut(), one.rows(), 3);
            let mut exists = [invert(work, &unit, inverse).to_u8()];
            // Another seed is drawn then; this one is forgotten.
            publish(&mut exists);
            if exists[0] != 0 {
                return Ok(());
            }
        }
    }

    /// Fills a new pair of keys, and the encoded public key.
    #[inline(never)]
    pub(super) fn generate(
        &mut self,
        public: &mut Public<P, F>,
        draw: &mut Draw<'_>,
        out: &mut [u8],
    ) -> Result<(), Failed> {
        let facts = const { &P::FACTS };
        let mut work = Work::new(public.by);
        let (work, cpu, flavour) = (&mut work, public.by.cpu(), facts.flavour);
        let mut drawn = Drawn::zero();
        let mut indices = Words::<LIMIT>::zero();
        let mut f = Element::zero();
        let mut inverse = Element::zero();
        let mut h = Element::zero();
        let indices = &mut indices.0[..facts.indices()];
        Self::draw_f(work, P::Ring::inverse_into, draw, &mut drawn, indices, [&mut f, &mut inverse])?;
        let mut packed = SecretBytes::<MOST_PACKED>::zero();
        let packed = &mut packed[..facts.packed_key()];
        key::write_secret(
            facts,
            indices,
            drawn.0[0].rows(),
            key::write_private(facts, packed, (*self.bytes).as_mut()),
        );
        let g = (&[const { P::FACTS.counts_of_g() }][..], facts.plan.blocks_of_g);
        Self::draw_polynomials(work, g, draw, &mut drawn, None)?;
        work.product_into(&inverse, &drawn.0[0], &mut h);
        multiple::<P::Modulus>(cpu, h.rows_mut(), Element::<P::Ring>::zero().rows(), 3);
        pack_key::<P::Modulus>(cpu, flavour, h.rows(), facts.n, packed);
        // The public key is published.
        publish(packed);
        key::write_private(facts, packed, (*self.bytes).as_mut());
        key::write_public(facts, packed, out);
        self.f.set(work, &f);
        public.read(work, out);
        Ok(())
    }

    /// Reads a key without its public one, which it writes; not 0 where it is not as it is written, and that
    /// of the other.
    #[inline(never)]
    pub(super) fn read(
        &mut self,
        work: &mut Work<P::Ring>,
        bytes: &P::PrivateBytes,
        public: &mut [u8],
    ) -> u16 {
        let facts = const { &P::FACTS };
        (*self.bytes).as_mut().copy_from_slice(bytes.as_ref());
        let (packed, secret, mut bad) = key::parts(facts, bytes.as_ref());
        key::write_public(facts, packed, public);
        // The public key is no secret where it is in a private one.
        publish(public);
        let mut f = Element::zero();
        let mut h = Element::zero();
        let mut product = Element::zero();
        let packed = key::read_public(facts, public).0;
        bad |= unpack_key::<P::Modulus>(work.cpu(), facts.flavour, packed, facts.n, h.rows_mut());
        bad |= Self::read_f(work, secret, &mut f);
        Second::<P::Ring, Element<P::Ring>>::product_into(&h, work, &f, &mut product);
        bad |= Self::is_no_key(work.cpu(), &h, &mut product);
        self.f.set(work, &f);
        bad
    }

    /// Reads `F`; not 0 where it is not as it is written.
    #[inline(never)]
    pub(super) fn read_f(work: &mut Work<P::Ring>, bytes: &[u8], out: &mut Element<P::Ring>) -> u16 {
        let facts = const { &P::FACTS };
        let mut drawn = Drawn::<P::Ring>::zero();
        let bad = drawn.write(facts.parts().len(), |rows| key::read_secret(work.cpu(), facts, bytes, rows));
        drawn.whole::<P::Modulus>(work, facts, out);
        bad
    }

    /// Not 0 where `g = f h / 3` is none, of `h` and `F h`.
    pub(super) fn is_no_key(cpu: Cpu, h: &Element<P::Ring>, product: &mut Element<P::Ring>) -> u16 {
        // f h = 3 F h + h
        multiple::<P::Modulus>(cpu, product.rows_mut(), h.rows(), 3);
        let bad = thirds(cpu, product.rows_mut());
        let [ones, all] = const { P::FACTS.counts_of_g() };
        let found = counts(cpu, product.rows());
        let others = (found[0] ^ ones as i16) | (found[1] ^ (all - ones) as i16);
        (bad | others) as u16
    }

    /// Writes the message in a ciphertext, and gives its length.
    #[inline(never)]
    pub(super) fn open(
        &self,
        public: &Public<P, F>,
        work: &mut Work<P::Ring>,
        ciphertext: &[u8],
        out: &mut [u8],
    ) -> Result<usize, DecryptionError> {
        let cpu = work.cpu();
        let mut opening = Opening::<P>::zero();
        let mut product = Element::zero();
        let mut masks = Masks::zero();
        opening.read(cpu, ciphertext);
        self.f.product_into(work, &opening.e, &mut product);
        opening.unmask(cpu, &product, &mut masks);
        public.blind(work, &opening.plain, &mut product);
        opening.finish(cpu, &product, out)
    }
}

/// A ciphertext that is being decrypted, between its two products.
pub(super) struct Opening<P: Parameters> {
    /// The ciphertext; then its `r h`.
    pub(super) e: Element<P::Ring>,
    pub(super) plain: Plain<'static>,
    /// Not 0 where it was not made for the key.
    bad: u16,
}

impl<P: Parameters> Opening<P> {
    /// Room for one.
    pub(super) fn zero() -> Self {
        let plain = Plain::zero(const { &P::FACTS });
        Opening { e: Element::zero(), plain, bad: 0 }
    }

    /// Reads a ciphertext.
    pub(super) fn read(&mut self, cpu: Cpu, ciphertext: &[u8]) {
        let facts = const { &P::FACTS };
        let rows = self.e.rows_mut();
        self.bad = unpack::<P::Modulus>(cpu, facts.flavour, ciphertext, facts.n, rows);
    }

    /// The message, of the product by `F`.
    pub(super) fn unmask(&mut self, cpu: Cpu, product: &Element<P::Ring>, masks: &mut Masks<P::Ring>) {
        let facts = const { &P::FACTS };
        let (flavour, n, is_lifted) = (facts.flavour, facts.n, facts.flavour.is_libntru());
        open::<P::Modulus>(cpu, self.e.rows(), product.rows(), masks.masked.rows_mut());
        self.bad |= has_too_few(cpu, masks.masked.rows(), n, facts.least) as u16;
        subtract_message::<P::Modulus>(cpu, self.e.rows_mut(), masks.masked.rows(), is_lifted);
        masks.fill::<P::Modulus>(cpu, facts, &self.e);
        subtract_ternary(cpu, masks.masked.rows_mut(), masks.mask.rows());
        self.bad |= to_message(flavour, masks.masked.rows(), n, self.plain.all_mut());
        self.bad |= self.plain.settle();
    }

    /// Writes the message if the `r h` that it gives is that of the ciphertext, and gives its length.
    pub(super) fn finish(
        &mut self,
        cpu: Cpu,
        product: &Element<P::Ring>,
        out: &mut [u8],
    ) -> Result<usize, DecryptionError> {
        let bad = self.bad | differ(cpu, self.e.rows(), product.rows()) as u16;
        // Opaque to the compiler, which would make a branch of what follows.
        let good = equal(usize::from(black_box(bad)), 0);
        let (_, length, message) = self.plain.parts();
        out.iter_mut().zip(message).for_each(|(out, byte)| *out = byte & good as u8);
        // Whether there is a message, and how long it is; 0 where there is none.
        let mut told = [good as usize, length & good as usize];
        publish(&mut told);
        if told[0] == 0 { Err(DecryptionError) } else { Ok(told[1]) }
    }
}
