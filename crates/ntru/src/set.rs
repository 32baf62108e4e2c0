//! A parameter set: keys and operations.
//!
//! An encoded private key is `f`, `1 / f` modulo 3 and `Phi_n`, `1 / h` modulo `q` and `Phi_n`, and what a
//! rejected ciphertext's key is made of. It does not hold the public key; but `h` is 0 at 1, and so all that
//! the inverse of its inverse leaves open is known ([`Private::public_key`]).
//!
//! # Decapsulation
//! Of `c = r h + Lift(m)` with `h = G / f`, where `G` is a multiple of 3: `c f` is `Lift(m) f` modulo 3, and
//! `r` is `(c - Lift(m)) / h`. Nothing is encrypted again: `c` is one that was made where `r` and `m` are
//! elements that are drawn, and all of its bits are those of coefficients.
//!
//! Source: NTRU, round 3, sections 1.11 and 1.12.

pub mod halves;

use super::codec;
use super::element::{AsIs, Element, Form, InRows, Prepared, Ready, Second, Ternary, Work, of_element};
use super::rings::Quotient;
use super::ternary::{modulo_3_and_phi, modulo_phi, ternary_modulo_phi, zero_at_one};
use super::trits;
use super::variant::Variant;
use core::convert::Infallible;
use core::hint::black_box;
use core::marker::PhantomData;
use ctutils::{Choice, CtAssign, CtEq};
use ringsmith_hash::{Digest, InOrder, Lane, Sha3_256, run_streams};
use ringsmith_kem::declassify::publish;
use ringsmith_kem::scheme::{InvalidKey, Status};
use ringsmith_kem::secret::{SecretArray, SecretBytes};
use ringsmith_kem::set::{Bytes, CcaSet, Draw, EncodedMut, Failed, KemSet, Keys, KeysMut, KeysRef};
use ringsmith_kem::set::{SharedKey, To};
use ringsmith_ring::{Multiplier, Ring};
use ringsmith_simd::Cpu;
use zeroize::ZeroizeOnDrop;

/// Bytes of what a rejected ciphertext's key is made of, and of hashes.
pub(super) const HASH_BYTES: usize = 32;

/// The parameters of a set.
pub trait Parameters: Clone + Send + Sync + 'static {
    /// Its name in the submission.
    const NAME: &'static str;
    /// Its ring.
    type Ring: Quotient;
    /// Its system.
    type Variant: Variant;
    /// A pair of encoded ternary elements.
    type Pair: Bytes;
    /// A public key, or a ciphertext.
    type PublicBytes: Bytes;
    /// A private key.
    type PrivateBytes: Bytes;
    /// The randomness from which a ciphertext, or a key, is made.
    type Randomness: Bytes;
}

/// The operand of an element of a set in a form.
type OperandOf<P, F> = <F as Form<<P as Parameters>::Ring>>::Of;
/// The same of a ternary element.
type TernaryOf<P, F> = <F as Form<<P as Parameters>::Ring>>::OfTernary;

/// A public key, expanded.
pub struct Public<P: Parameters, F: Form<P::Ring> = Ready> {
    by: Multiplier<P::Ring>,
    h: OperandOf<P, F>,
}

impl<P: Parameters, F: Form<P::Ring>> Clone for Public<P, F> {
    fn clone(&self) -> Self {
        Public { by: self.by, h: self.h.clone() }
    }
}

/// A private key without its public one, expanded.
pub struct Private<P: Parameters, F: Form<P::Ring> = Ready> {
    /// As it is encoded.
    bytes: SecretArray<P::PrivateBytes>,
    f: TernaryOf<P, F>,
    /// Modulo 3.
    f_inverse: TernaryOf<P, F>,
    h_inverse: OperandOf<P, F>,
}

/// Its parts clear themselves.
impl<P: Parameters, F: Form<P::Ring>> ZeroizeOnDrop for Private<P, F> {}

/// The parts of an encoded private key.
struct Parts<'a> {
    f: &'a [u8],
    f_inverse: &'a [u8],
    h_inverse: &'a [u8],
    /// What a rejected ciphertext's key is made of.
    rejected: &'a [u8],
}

impl<'a> Parts<'a> {
    fn of<R: Ring>(bytes: &'a [u8]) -> Self {
        let (f, rest) = bytes.split_at(const { trits::bytes(R::N) });
        let (f_inverse, rest) = rest.split_at(const { trits::bytes(R::N) });
        let (h_inverse, rejected) = rest.split_at(rest.len() - HASH_BYTES);
        Parts { f, f_inverse, h_inverse, rejected }
    }
}

/// The hashes of two messages in two parts each, of which the longer one comes first: side by side on CPUs
/// with AVX-512, where four states take as long as one, and one after the other elsewhere.
fn hash_both(cpu: Cpu, messages: [[&[u8]; 2]; 2], out: [&mut [u8; HASH_BYTES]; 2]) {
    if !cpu.multiplies_52() {
        for ([head, tail], out) in messages.into_iter().zip(out) {
            let mut sponge = Sha3_256::new_on(cpu);
            [head, tail].into_iter().for_each(|bytes| sponge.update(bytes));
            sponge.reader().squeeze(out);
        }
        return;
    }
    let mut both = messages.map(|[head, tail]| Digest::sha3_256(head, tail));
    let work = both[0].work().and(both[1].work());
    run_streams(cpu, work, &mut InOrder::new(2, |i, lane: &mut Lane<'_>| both[i].step(lane)));
    out.into_iter().zip(&both).for_each(|(out, hash)| *out = *hash.digest());
}

impl<P: Parameters, F: Form<P::Ring>> Public<P, F> {
    fn blank(by: Multiplier<P::Ring>) -> Self {
        Public { by, h: OperandOf::<P, F>::blank() }
    }

    /// Reads a key: any bytes are one.
    fn read(&mut self, work: &mut Work<P::Ring>, bytes: &[u8]) {
        self.h.fill_for_ternary(work, |work, h| codec::decode_of_sum_zero(work.cpu(), bytes, h));
    }

    /// Writes `r h + Lift(m)` and the key in it.
    fn seal(&self, work: &mut Work<P::Ring>, random: &P::Randomness, to: To<'_, P::PublicBytes>) {
        let (mut sealing, mut product) = (Sealing::<P>::zero(), Element::zero());
        sealing.begin(work, random.as_ref(), to.shared);
        self.h.ternary_product_into(work, &sealing.r, &mut product);
        sealing.finish(work.cpu(), &mut product, to.ciphertext.as_mut());
    }
}

/// What a ciphertext is made of.
struct Sealing<P: Parameters> {
    r: Ternary<P::Ring>,
    m: Ternary<P::Ring>,
}

impl<P: Parameters> Sealing<P> {
    fn zero() -> Self {
        Sealing { r: Ternary::zero(), m: Ternary::zero() }
    }

    /// Of randomness; and writes the shared key, the hash of both.
    fn begin(&mut self, work: &mut Work<P::Ring>, random: &[u8], shared: &mut SharedKey) {
        let (mut pair, cpu) = (SecretArray::<P::Pair>::zero(), work.cpu());
        P::Variant::sample_message::<P::Ring>(cpu, random, &mut self.r, &mut self.m);
        encode_pair::<P>(work, [&self.r, &self.m], &mut pair);
        Sha3_256::new_on(cpu).absorb((*pair).as_ref()).reader().squeeze(shared.as_mut_bytes());
    }

    /// Writes the ciphertext, of `r h`, which becomes the sum.
    fn finish(&self, cpu: Cpu, product: &mut Element<P::Ring>, out: &mut [u8]) {
        P::Variant::add_lift(cpu, product, 1, &self.m);
        codec::encode(cpu, product, out);
    }
}

/// Two encoded elements, of whose hash a shared key is made.
fn encode_pair<P: Parameters>(
    work: &mut Work<P::Ring>,
    pair: [&Ternary<P::Ring>; 2],
    out: &mut SecretArray<P::Pair>,
) {
    let bytes = (**out).as_mut().chunks_exact_mut(const { trits::bytes(<P::Ring as Ring>::N) });
    bytes.zip(pair).for_each(|(bytes, a)| trits::encode(work, a, bytes));
}

/// What a pair of keys is made of.
struct Draft<R: Ring> {
    f: Ternary<R>,
    g: Ternary<R>,
    f_square: Element<R>,
    /// `f` for products by ternary elements; then `1 / (G f)` modulo `q` and `Phi_n`, where `G` is the
    /// multiple of `g`, for two products.
    factor: Prepared<R>,
}

impl<R: Quotient> Draft<R> {
    /// Room for one.
    fn blank() -> Self {
        let [f, g] = [(); 2].map(|()| Ternary::zero());
        Draft { f, g, f_square: Element::zero(), factor: Prepared::blank() }
    }

    /// `f` and `g`, of random bytes.
    fn sample<V: Variant>(&mut self, work: &mut Work<R>, random: &[u8]) {
        V::sample_key(work.cpu(), random, &mut self.f, &mut self.g);
        self.factor.set_for_ternary(work, &self.f);
    }

    /// `1 / f` modulo 3 and `Phi_n`.
    fn f_inverse(&self, work: &mut Work<R>, out: &mut Ternary<R>) {
        // It exists, but for keys that nobody will ever draw.
        R::inverse_mod_3_into(work, &self.factor, &self.f, out);
    }

    /// The products by `f`, and the inverse in its place.
    fn invert<V: Variant>(&mut self, work: &mut Work<R>) {
        let ([mut product, mut multiple], by) = ([(); 2].map(|()| Element::zero()), &mut self.factor);
        Second::<R, Ternary<R>>::ternary_product_into(by, work, &self.f, &mut self.f_square);
        Second::<R, Ternary<R>>::ternary_product_into(by, work, &self.g, &mut product);
        V::multiple(work.cpu(), &product, &mut multiple);
        // It exists, likewise.
        R::inverse_into(work, by, &multiple, &mut product);
        by.set(work, &product);
    }

    /// `1 / h = f^2 / (G f)` modulo `q` and `Phi_n`.
    fn h_inverse(&self, work: &mut Work<R>, out: &mut Element<R>) {
        of_element(&self.factor).product_into(work, &self.f_square, out);
        modulo_phi(work.cpu(), out);
    }

    /// `h = G^2 / (G f)`, whose coefficients sum to 0.
    fn h<V: Variant>(&self, work: &mut Work<R>, out: &mut Element<R>) {
        let (mut once, cpu) = (Element::zero(), work.cpu());
        work.ternary_product_into(&self.g, &self.g, &mut once);
        of_element(&self.factor).product_into(work, &once, out);
        V::multiple(cpu, out, &mut once);
        V::multiple(cpu, &once, out);
    }
}

impl<P: Parameters, F: Form<P::Ring>> Private<P, F> {
    fn blank() -> Self {
        let [f, f_inverse] = [TernaryOf::<P, F>::blank(), TernaryOf::<P, F>::blank()];
        Private { bytes: SecretArray::zero(), f, f_inverse, h_inverse: OperandOf::<P, F>::blank() }
    }

    /// Fills a new pair of keys, and the encoded public key.
    fn generate(
        &mut self,
        public: &mut Public<P, F>,
        draw: &mut Draw<'_>,
        out: &mut [u8],
    ) -> Result<(), Failed> {
        let mut random = SecretArray::<P::Randomness>::zero();
        let (work, cpu) = (&mut Work::new(public.by), public.by.cpu());
        draw((*random).as_mut())?;
        let mut draft = Draft::blank();
        draft.sample::<P::Variant>(work, (*random).as_ref());
        let (small, rest) =
            (*self.bytes).as_mut().split_at_mut(const { 2 * trits::bytes(<P::Ring as Ring>::N) });
        let (f, f_inverse) = small.split_at_mut(const { trits::bytes(<P::Ring as Ring>::N) });
        let (h_inverse, rejected) = rest.split_at_mut(rest.len() - HASH_BYTES);
        draw(rejected)?;
        trits::encode(work, &draft.f, f);
        self.f.set(work, &draft.f);
        self.f_inverse.fill_for_ternary(work, |work, inverse| {
            draft.f_inverse(work, inverse);
            trits::encode(work, inverse, f_inverse);
        });
        draft.invert::<P::Variant>(work);
        self.h_inverse.fill(work, |work, inverse| {
            draft.h_inverse(work, inverse);
            codec::encode(cpu, inverse, h_inverse);
        });
        public.h.fill_for_ternary(work, |work, h| {
            draft.h::<P::Variant>(work, h);
            codec::encode(cpu, h, out);
            // The public key is published.
            publish(out);
            publish(h.rows_mut().as_flattened_mut());
        });
        Ok(())
    }

    /// Reads a key, and whether it is one as it is written.
    fn read(&mut self, work: &mut Work<P::Ring>, bytes: &P::PrivateBytes) -> bool {
        let parts = Parts::of::<P::Ring>(bytes.as_ref());
        (*self.bytes).as_mut().copy_from_slice(bytes.as_ref());
        let bad = self.f.fill(work, |work, f| trits::decode(work, parts.f, f))
            | self.f_inverse.fill_for_ternary(work, |work, f| trits::decode(work, parts.f_inverse, f))
            | i16::from(codec::unused_bits::<P::Ring>(parts.h_inverse));
        self.h_inverse.fill(work, |work, h| codec::decode_modulo_phi(work.cpu(), parts.h_inverse, h));
        let mut bad = [bad];
        // That the bytes are a key.
        publish(&mut bad);
        bad[0] == 0
    }

    /// Writes the encoded public key of an encoded private one, and whether there is one.
    fn public_key(work: &mut Work<P::Ring>, bytes: &P::PrivateBytes, out: &mut [u8]) -> bool {
        let ([mut a, mut h], mut memory) = ([(); 2].map(|()| Element::zero()), Prepared::blank());
        let parts = Parts::of::<P::Ring>(bytes.as_ref());
        codec::decode_modulo_phi(work.cpu(), parts.h_inverse, &mut a);
        let mut exists = [P::Ring::inverse_into(work, &mut memory, &a, &mut h).to_u8()];
        zero_at_one(work.cpu(), &mut h);
        codec::encode(work.cpu(), &h, out);
        // The public key is published, and whether the private one has one.
        publish(&mut exists);
        publish(out);
        exists[0] != 0
    }

    /// `r` and `m` of a ciphertext, and whether there are any; whether there are is a secret.
    fn decrypt(
        &self,
        work: &mut Work<P::Ring>,
        ciphertext: &[u8],
        [r, m]: [&mut Ternary<P::Ring>; 2],
    ) -> Choice {
        let ([mut c, mut product], cpu) = ([(); 2].map(|()| Element::zero()), work.cpu());
        codec::decode_of_sum_zero(cpu, ciphertext, &mut c);
        self.f.product_into(work, &c, &mut product);
        modulo_3_and_phi(cpu, &product, r);
        self.f_inverse.ternary_product_into(work, r, &mut product);
        modulo_3_and_phi(cpu, &product, m);
        P::Variant::add_lift(cpu, &mut c, -1, m);
        self.h_inverse.product_into(work, &c, &mut product);
        let bad = ternary_modulo_phi(cpu, &mut product, r)
            | P::Variant::not_a_message(cpu, m)
            | i16::from(codec::unused_bits::<P::Ring>(ciphertext));
        // Opaque to the compiler, which would make a branch of it.
        black_box(bad).ct_eq(&0)
    }

    /// Writes the shared key in a ciphertext, or one that nobody else has. Which of the two it is is a
    /// secret.
    fn open(&self, work: &mut Work<P::Ring>, ciphertext: &[u8], shared: &mut SharedKey) {
        let ([mut r, mut m], mut pair) = ([(); 2].map(|()| Ternary::zero()), SecretArray::<P::Pair>::zero());
        let good = self.decrypt(work, ciphertext, [&mut r, &mut m]);
        let rejected = Parts::of::<P::Ring>((*self.bytes).as_ref()).rejected;
        encode_pair::<P>(work, [&r, &m], &mut pair);
        let (messages, mut key) = ([[rejected, ciphertext], [(*pair).as_ref(), &[]]], SecretBytes::zero());
        hash_both(work.cpu(), messages, [shared.as_mut_bytes(), &mut key]);
        shared.as_mut_bytes().ct_assign(&*key, good);
    }
}

/// The set with these parameters.
pub struct Set<P>(PhantomData<P>);

impl<P: Parameters> KemSet for Set<P> {
    const NAME: &'static str = P::NAME;
    const STATUS: Status = Status::Historical;
    const SOURCE: &'static str = "NTRU, NIST round 3";
    type PublicBytes = P::PublicBytes;
    type PrivateBytes = P::PrivateBytes;
    type CiphertextBytes = P::PublicBytes;
    type PublicError = Infallible;
    type Randomness = P::Randomness;
    type Way = Multiplier<P::Ring>;
    type Public = Public<P>;
    type Private = Private<P>;

    fn planned(cpu: Cpu) -> Self::Way {
        Multiplier::new_on(cpu)
    }

    fn blank_public(by: Self::Way) -> Self::Public {
        Public::blank(by)
    }

    fn blank_private(_: Self::Way) -> Self::Private {
        Private::blank()
    }

    fn way(public: &Self::Public) -> Self::Way {
        public.by
    }

    fn told_by<'a>(_: &'a Self::Public, bytes: &'a Self::PublicBytes) -> &'a [u8] {
        bytes.as_ref()
    }

    fn generate(keys: KeysMut<'_, Self>, draw: &mut Draw<'_>) -> Result<(), Failed> {
        keys.private.generate(keys.public, draw, keys.bytes.as_mut())
    }

    /// Any bytes are a key.
    fn read_public(public: &mut Self::Public, bytes: &Self::PublicBytes) -> Result<(), Infallible> {
        public.read(&mut Work::new(public.by), bytes.as_ref());
        Ok(())
    }

    fn write_private(keys: KeysRef<'_, Self>, out: &mut Self::PrivateBytes) {
        out.as_mut().copy_from_slice((*keys.private.bytes).as_ref());
    }

    fn encapsulate(public: &Self::Public, random: &Self::Randomness, to: To<'_, Self::CiphertextBytes>) {
        public.seal(&mut Work::new(public.by), random, to);
    }

    fn generate_once(by: Self::Way, draw: &mut Draw<'_>, out: EncodedMut<'_, Self>) -> Result<(), Failed> {
        // One by one: what is made in a pair is moved out of it.
        let mut private = Private::<P, AsIs>::blank();
        let mut public = Public::blank(by);
        private.generate(&mut public, draw, out.0.as_mut())?;
        out.1.as_mut().copy_from_slice((*private.bytes).as_ref());
        Ok(())
    }

    fn encapsulate_once(
        by: Self::Way,
        bytes: &Self::PublicBytes,
        random: &Self::Randomness,
        to: To<'_, Self::CiphertextBytes>,
    ) -> Result<(), Infallible> {
        let work = &mut Work::new(by);
        let mut public = Public::<P, AsIs>::blank(by);
        public.read(work, bytes.as_ref());
        public.seal(work, random, to);
        Ok(())
    }
}

/// Whether bytes are a private key as it is written. On a stack of its own: what it takes is free afterwards.
#[inline(never)]
fn is_private_key<P: Parameters>(work: &mut Work<P::Ring>, bytes: &P::PrivateBytes) -> bool {
    Private::<P, AsIs>::blank().read(work, bytes)
}

impl<P: Parameters> CcaSet for Set<P> {
    /// It must be as it is written, and the inverse of a public key, which is computed.
    fn read_private(keys: KeysMut<'_, Self>, bytes: &Self::PrivateBytes) -> Result<(), InvalidKey> {
        let Keys { private, public, bytes: published } = keys;
        let mut work = Work::new(public.by);
        let good = private.read(&mut work, bytes);
        if !good || !Private::<P>::public_key(&mut work, bytes, published.as_mut()) {
            return Err(InvalidKey);
        }
        public.read(&mut work, published.as_ref());
        Ok(())
    }

    fn decapsulate(keys: KeysRef<'_, Self>, ciphertext: &Self::CiphertextBytes, shared: &mut SharedKey) {
        keys.private.open(&mut Work::new(keys.public.by), ciphertext.as_ref(), shared);
    }

    /// The private key must be as it is written; whether there is a public key to it is not asked.
    fn decapsulate_once(
        by: Self::Way,
        bytes: &Self::PrivateBytes,
        ciphertext: &Self::CiphertextBytes,
        shared: &mut SharedKey,
    ) -> Result<(), InvalidKey> {
        let work = &mut Work::new(by);
        let mut private = Private::<P, AsIs>::blank();
        if !private.read(work, bytes) {
            return Err(InvalidKey);
        }
        private.open(work, ciphertext.as_ref(), shared);
        Ok(())
    }

    fn public_key_of(
        by: Self::Way,
        bytes: &Self::PrivateBytes,
        out: &mut Self::PublicBytes,
    ) -> Result<(), InvalidKey> {
        let (work, mut public) = (&mut Work::new(by), P::PublicBytes::ZERO);
        if !is_private_key::<P>(work, bytes) || !Private::<P>::public_key(work, bytes, public.as_mut()) {
            return Err(InvalidKey);
        }
        *out = public;
        Ok(())
    }
}
