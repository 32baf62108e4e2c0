//! Streamlined NTRU Prime: a quotient is the public key, rounding is the noise. Section 3 of the submission.

use super::codec::{self, encode_small};
use super::element::{Element, Prepared, Second, Work};
use super::hash::{BYTES, Purpose, hash_into, public_hash};
use super::sample::{self, Sampler};
use super::set::{Hidden, Parameters, PrivateKey, PublicKey, Set, System};
use core::hint::black_box;
use core::marker::PhantomData;
use ctutils::{Choice, CtEq};
use ringsmith_kem::declassify::publish;
use ringsmith_kem::secret::{SecretArray, SecretBytes};
use ringsmith_kem::set::{BatchSet, Bytes, Draw, Failed, Keys, Places, PlacesOf};
use ringsmith_ring::inverse::InversesMod3;
use ringsmith_ring::three;
use ringsmith_ring::{Multiplier, Ring};
use ringsmith_simd::Cpu;
use zeroize::ZeroizeOnDrop;

/// Bytes of the largest small element.
const MAX_SMALL: usize = codec::small_bytes(1277);

/// A public key, expanded: for many operations, or for one with its operand as it is.
#[derive(Clone)]
pub struct Public<P: Parameters, H = Prepared<<P as Parameters>::Ring>> {
    by: Multiplier<P::Ring>,
    h: H,
    hash: [u8; BYTES],
}

/// A private key without its public one, likewise.
pub struct Private<P: Parameters, H = Prepared<<P as Parameters>::Ring>> {
    /// Encoded.
    f: SecretArray<P::Small>,
    /// The inverse of `g` modulo 3.
    g_inverse: Element<P::Ring>,
    three_f: H,
    /// What a rejected ciphertext's key is made of.
    rho: SecretArray<P::Small>,
}

/// `x` where the mask is -1, `y` where it is 0.
fn select(mask: i16, x: i16, y: i16) -> i16 {
    y ^ ((x ^ y) & mask)
}

/// An element, whose coefficients are small, times three.
fn thrice<R: Ring>(a: &mut Element<R>) {
    for x in a.coefficients_mut() {
        *x *= 3;
    }
}

/// Its parts clear themselves.
impl<P: Parameters, H: Second<P::Ring>> ZeroizeOnDrop for Private<P, H> {}

impl<P: Parameters, H: Second<P::Ring>> PublicKey<P> for Public<P, H> {
    fn blank(by: Multiplier<P::Ring>) -> Self {
        Public { by, h: H::zero(), hash: [0; BYTES] }
    }

    fn read(&mut self, work: &mut Work<P::Ring>, bytes: &[u8], hash: [u8; BYTES]) {
        self.h.fill(work, |work, h| P::CODEC.decode(work, bytes, h));
        self.hash = hash;
    }

    fn hash(&self) -> &[u8; BYTES] {
        &self.hash
    }

    fn by(&self) -> Multiplier<P::Ring> {
        self.by
    }

    /// Of `4 p` random bytes.
    fn encapsulate(&self, work: &mut Work<P::Ring>, random: &P::Randomness, to: Hidden<'_>) {
        let mut r = Element::zero();
        sample::short(self.by.cpu(), random.as_ref(), P::WEIGHT, &mut r);
        self.hide(work, &r, to);
    }
}

impl<P: Parameters> Public<P, Element<P::Ring>> {
    /// What multiplies.
    pub(super) fn h(&self) -> &Element<P::Ring> {
        &self.h
    }
}

impl<P: Parameters, H: Second<P::Ring>> Public<P, H> {
    /// Writes the ciphertext of a short element.
    fn hide(&self, work: &mut Work<P::Ring>, r: &Element<P::Ring>, to: Hidden<'_>) {
        let product = work.product(r, &self.h);
        self.conceal(work, r, &product, to);
    }

    /// The same, of its product by `h`.
    #[inline(always)]
    pub(super) fn conceal(
        &self,
        work: &mut Work<P::Ring>,
        r: &Element<P::Ring>,
        product: &Element<P::Ring>,
        to: Hidden<'_>,
    ) {
        let (hashed, (body, tag)) = (to.hashed, to.ciphertext.split_at_mut(P::CODEC.rounded.bytes));
        P::CODEC.encode_rounded(work, product, body);
        let mut small = SecretBytes::<MAX_SMALL>::zero();
        let small = &mut small[..codec::small_bytes(<P::Ring as Ring>::N)];
        encode_small(self.by.cpu(), r, small);
        hash_into(&mut work.hash, Purpose::Element, [small, &[]], hashed);
        let confirmation = tag.first_chunk_mut().expect("a ciphertext ends with a hash");
        hash_into(&mut work.hash, Purpose::Confirm, [hashed, &self.hash], confirmation);
    }
}

/// What the rest of a pair of keys is made of.
struct Parts<'a, R: Ring> {
    g: &'a Element<R>,
    three_f: &'a Element<R>,
    /// `1 / 3 f` modulo `q`.
    f_inverse: &'a Element<R>,
}

impl<R: Ring> Parts<'_, R> {
    /// The encoded public key, and both keys but for `f`, `1 / g` and what a rejected ciphertext's key is
    /// made of.
    fn keys<P: Parameters<Ring = R>, H: Second<R>>(
        self,
        work: &mut Work<R>,
        private: &mut Private<P, H>,
        public: &mut Public<P, H>,
        out: &mut [u8],
    ) {
        let mut h = work.product(self.f_inverse, self.g);
        P::CODEC.encode(work, &h, out);
        // The public key is published.
        publish(out);
        publish(h.coefficients_mut());
        public.h.set(work, &h);
        public.hash = public_hash(&mut work.hash, out);
        private.three_f.set(work, self.three_f);
    }
}

/// Draws a small element that has an inverse modulo 3, as `invert` says.
fn invertible<R: InversesMod3>(
    cpu: Cpu,
    sampler: &mut Sampler<'_, '_>,
    g: &mut Element<R>,
    mut invert: impl FnMut(&Element<R>) -> Choice,
) -> Result<(), Failed> {
    loop {
        sampler.small(cpu, g)?;
        // Whether g has an inverse: a g without one is not used, and says nothing of the one that is.
        let mut exists = [invert(g).to_u8()];
        publish(&mut exists);
        if exists[0] != 0 {
            return Ok(());
        }
    }
}

/// Most keys that are made with one inversion.
const BATCH: usize = 32;

/// A pair of keys in a batch, before the inverses are there.
struct Draft<R: Ring> {
    g: Element<R>,
    f: Element<R>,
    /// The product of all `g` up to this one, modulo 3.
    g_product: Element<R>,
    /// The product of all `3 f` up to this one.
    f_product: Element<R>,
}

impl<P: Parameters> Private<P> {
    /// Draws as many pairs as there are places, at least one. Source of the batches: D. J. Bernstein, B. B.
    /// Brumley, M.-S. Chen, N. Tuveri: OpenSSLNTRU, 2022 (eprint 2021/826), section 3; of the trick: P.
    /// Montgomery, 1987.
    fn drafts(
        work: &mut Work<P::Ring>,
        sampler: &mut Sampler<'_, '_>,
        drafts: &mut [Draft<P::Ring>],
    ) -> Result<(), Failed> {
        let (cpu, units, mut three_f) = (work.cpu(), work.invertible(), Element::zero());
        for i in 0..drafts.len() {
            let (before, rest) = drafts.split_at_mut(i);
            let Draft { g, f, g_product, f_product } = &mut rest[0];
            invertible(cpu, sampler, g, |g| work.is_invertible(&units, g))?;
            sampler.short(cpu, P::WEIGHT, f)?;
            match before.last() {
                None => {
                    g_product.copy_from(g);
                    f_product.copy_from(f);
                    thrice(f_product);
                }
                Some(before) => {
                    work.product_of_into(&before.g_product, g, g_product);
                    work.modulo_3(g_product);
                    three_f.copy_from(f);
                    thrice(&mut three_f);
                    work.product_of_into(&before.f_product, &three_f, f_product);
                }
            }
        }
        Ok(())
    }

    /// New pairs of keys, one to at most [`BATCH`], with one inversion modulo `q` and one modulo 3.
    fn generate_batch(
        by: Multiplier<P::Ring>,
        sampler: &mut Sampler<'_, '_>,
        keys: &mut dyn Places<Self, Public<P>, P::PublicBytes>,
    ) -> Result<(), Failed> {
        let mut drafts: [_; BATCH] = core::array::from_fn(|_| Draft {
            g: Element::zero(),
            f: Element::zero(),
            g_product: Element::zero(),
            f_product: Element::zero(),
        });
        let (mut work, drafts) = (Work::new(by), &mut drafts[..keys.count()]);
        let [mut g_rest, mut f_rest, mut f_inverse, mut three_f] = [(); 4].map(|()| Element::zero());
        let mut prepared = Prepared::<P::Ring>::blank();
        Self::drafts(&mut work, sampler, drafts)?;
        if let Some(last) = drafts.last() {
            // Both exist: factors without an inverse were not taken.
            P::Ring::inverse_mod_3_into(by.cpu(), last.g_product.0.coeffs(), g_rest.0.coeffs_mut());
            work.inverse_into(&last.f_product, &mut f_rest);
        }
        for i in (0..keys.count()).rev() {
            // Before there is a key: a generator may fail.
            let mut rho = SecretArray::<P::Small>::zero();
            (sampler.draw)((*rho).as_mut())?;
            let Keys { private, public, bytes } = keys.place(i);
            let Draft { g, f, .. } = &drafts[i];
            three_f.copy_from(f);
            thrice(&mut three_f);
            encode_small(by.cpu(), f, (*private.f).as_mut());
            private.rho = rho;
            // What is left is the inverse of all up to this one.
            match drafts[..i].last() {
                None => {
                    private.g_inverse.copy_from(&g_rest);
                    f_inverse.copy_from(&f_rest);
                }
                Some(before) => {
                    prepared.set(&mut work, &f_rest);
                    prepared.product_into(&mut work, &before.f_product, &mut f_inverse);
                    prepared.product_into(&mut work, &three_f, &mut f_rest);
                    prepared.set(&mut work, &g_rest);
                    prepared.product_into(&mut work, &before.g_product, &mut private.g_inverse);
                    work.modulo_3(&mut private.g_inverse);
                    prepared.product_into(&mut work, g, &mut g_rest);
                    work.modulo_3(&mut g_rest);
                }
            }
            Parts { g, three_f: &three_f, f_inverse: &f_inverse }.keys(
                &mut work,
                private,
                public,
                bytes.as_mut(),
            );
        }
        Ok(())
    }
}

impl<P: Parameters, H: Second<P::Ring>> PrivateKey<P> for Private<P, H> {
    type Public = Public<P, H>;
    const SECRET_BYTES: usize = 2 * P::Small::LEN;
    const RHO_BYTES: usize = P::Small::LEN;

    fn blank() -> Self {
        let [f, rho] = [SecretArray::zero(), SecretArray::zero()];
        Private { f, g_inverse: Element::zero(), three_f: H::zero(), rho }
    }

    fn generate(
        &mut self,
        public: &mut Public<P, H>,
        work: &mut Work<P::Ring>,
        sampler: &mut Sampler<'_, '_>,
        out: &mut [u8],
    ) -> Result<(), Failed> {
        let cpu = work.cpu();
        let [mut g, mut f, mut f_inverse] = [(); 3].map(|()| Element::zero());
        let g_inverse = &mut self.g_inverse.0;
        invertible(cpu, sampler, &mut g, |g| {
            P::Ring::inverse_mod_3_into(cpu, g.0.coeffs(), g_inverse.coeffs_mut())
        })?;
        sampler.short(cpu, P::WEIGHT, &mut f)?;
        encode_small(cpu, &f, (*self.f).as_mut());
        thrice(&mut f);
        // It exists: f is not 0, and the ring a field.
        work.inverse_into(&f, &mut f_inverse);
        Parts { g: &g, three_f: &f, f_inverse: &f_inverse }.keys(work, self, public, out);
        (sampler.draw)((*self.rho).as_mut())
    }

    fn read(&mut self, work: &mut Work<P::Ring>, secret: &[u8], rho: &[u8]) -> bool {
        let (first, second) = secret.split_at(P::Small::LEN);
        let mut good = codec::decode_small(work.cpu(), second, &mut self.g_inverse);
        self.three_f.fill(work, |work, f| {
            good &= codec::decode_small(work.cpu(), first, f);
            thrice(f);
        });
        (*self.f).as_mut().copy_from_slice(first);
        (*self.rho).as_mut().copy_from_slice(rho);
        let mut good = [good as u8];
        // That the bytes are a key.
        publish(&mut good);
        good[0] != 0
    }

    fn write(&self, cpu: Cpu, secret: &mut [u8], rho: &mut [u8]) {
        let (f, g_inverse) = secret.split_at_mut(P::Small::LEN);
        f.copy_from_slice((*self.f).as_ref());
        encode_small(cpu, &self.g_inverse, g_inverse);
        rho.copy_from_slice((*self.rho).as_ref());
    }

    fn again(&self, work: &mut Work<P::Ring>, public: &Public<P, H>, sent: &[u8], to: Hidden<'_>) {
        let r = self.decrypt(work, &sent[..P::CODEC.rounded.bytes]);
        public.hide(work, &r, to);
    }

    fn reject(&self, work: &mut Work<P::Ring>, out: &mut [u8; BYTES]) {
        hash_into(&mut work.hash, Purpose::Element, [(*self.rho).as_ref(), &[]], out);
    }
}

impl<P: Parameters, H: Second<P::Ring>> Private<P, H> {
    /// The short element in a ciphertext, or a fixed one.
    fn decrypt(&self, work: &mut Work<P::Ring>, body: &[u8]) -> Element<P::Ring> {
        let mut c = Element::zero();
        P::CODEC.decode_rounded(work, body, &mut c);
        let mut e = work.product(&c, &self.three_f);
        three::reduce(work.cpu(), e.rows_mut());
        let mut r = work.product(&e, &self.g_inverse);
        work.modulo_3(&mut r);
        let weight = r.coefficients().iter().fold(0, |sum: i16, x| sum + (x & 1));
        // Opaque to the compiler, which would make a branch of it.
        let good = black_box(-(weight.ct_eq(&(P::WEIGHT as i16)).to_u8() as i16));
        let (ones, zeroes) = r.coefficients_mut().split_at_mut(P::WEIGHT);
        ones.iter_mut().for_each(|x| *x = select(good, *x, 1));
        zeroes.iter_mut().for_each(|x| *x &= good);
        r
    }
}

/// Streamlined NTRU Prime with these parameters.
pub struct Streamlined<P>(PhantomData<P>);

impl<P: Parameters> System for Streamlined<P> {
    type Parameters = P;
    type Private<H: Second<P::Ring>> = Private<P, H>;
}

impl<P: Parameters> BatchSet for Set<Streamlined<P>> {
    const BATCH: usize = BATCH;

    fn generate_batch(
        by: Multiplier<P::Ring>,
        draw: &mut Draw<'_>,
        to: &mut PlacesOf<'_, Self>,
    ) -> Result<(), Failed> {
        Private::generate_batch(by, &mut Sampler::new(draw), to)
    }
}
