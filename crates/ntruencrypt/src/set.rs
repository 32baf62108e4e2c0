//! A parameter set: keys and operations (SVES).
//!
//! # The map
//! `f = 1 + 3 F`, `h = 3 g / f`. A ciphertext is `e = r h + m'`: `m'` is the message with random bytes before it
//! and zeroes behind it, as coefficients, plus a mask that is a hash of `r h`; and `r` is a hash of all that.
//!
//! `f e = 3 g r + f m'` is `m'` modulo 3, where it is centred. That gives `r h`, the mask, the message, and `r`
//! again: what is in the ciphertext must be what is made of the message.
//!
//! # Decryption
//! Everything is computed, whatever was found before. What is wrong is collected, and looked at in the end.
//! A message is checked to be what encryption writes, bit by bit: its padding, its last coefficient, the
//! bits behind the last coefficient of the ciphertext. So a ciphertext is accepted where encryption of its
//! message gives that ciphertext, and nowhere else.
//!
//! # Stack
//! Operations on encoded keys are one function after the other, none of which is inlined: what one has on the
//! stack is not beside what the next has.
//!
//! # Bounds
//! A polynomial that blinds, and `F`, have coefficients -1, 0, 1, or are a product of two such plus a third.
//!
//! Source: EESS#1 v3.1, section 9.2.

use crate::arithmetic::{
    add_message, add_ternary, counts, differ, has_too_few, multiple, not_ternary, open, subtract_message,
    subtract_ternary,
};
use crate::candidates::{Blocks, Candidates, LIMIT, Words};
use crate::choose::Chooser;
use crate::codec::{pack, pack_modulo_4, unpack};
use crate::compact::compact;
use crate::facts::{Counts, Facts, Flavour, MOST_COEFFICIENTS, MOST_MESSAGE, Weights};
use crate::hash::equal;
use crate::key;
use crate::mask::mask;
use crate::rings::Inverse;
use crate::seed::Seed;
use crate::trits::{from_message, to_message};
use core::hint::black_box;
use core::marker::PhantomData;
use ringsmith_cyclic::element::{AsIs, Element, Form, InRows, Ready, Second, Ternary, Work};
use ringsmith_kem::declassify::publish;
use ringsmith_kem::pke::{DecryptionError, EncodedMut, InvalidKey, KeysMut, KeysRef, OnceError, PkeSet};
use ringsmith_kem::secret::{SecretArray, SecretBytes};
use ringsmith_kem::set::{Bytes, Draw, Failed, Keys, Status};
use ringsmith_ring::{Multiplier, Ring};
use ringsmith_simd::{Cpu, Row};
use zeroize::ZeroizeOnDrop;

/// Bytes of a message with its random bytes and its length.
const PLAIN: usize = 32 + 1 + MOST_MESSAGE;
/// Bytes of coefficients modulo 4.
const PACKED_MODULO_4: usize = MOST_COEFFICIENTS / 4;
/// Most bytes of the public key that are hashed, and of a seed.
const MOST_STRENGTH: usize = 32;

/// What makes a set.
pub trait Parameters: Clone + Send + Sync + 'static {
    /// Its name in the standard.
    const NAME: &'static str;
    /// Whether it is one to use.
    const STATUS: Status;
    /// Where it is defined.
    const SOURCE: &'static str;
    /// Its numbers.
    const FACTS: Facts;
    /// Its ring.
    type Ring: Inverse;
    /// A public key.
    type PublicBytes: Bytes;
    /// A private key.
    type PrivateBytes: Bytes;
    /// A ciphertext.
    type CiphertextBytes: Bytes;
    /// Room for a message.
    type MessageBytes: Bytes;
}

/// The operand of an element of a set in a form.
type OperandOf<P, F> = <F as Form<<P as Parameters>::Ring>>::Of;

/// A public key, expanded.
pub struct Public<P: Parameters, F: Form<P::Ring> = Ready> {
    by: Multiplier<P::Ring>,
    h: OperandOf<P, F>,
    /// The beginning of `h` as it is packed.
    start: [u8; MOST_STRENGTH],
}

impl<P: Parameters, F: Form<P::Ring>> Clone for Public<P, F> {
    fn clone(&self) -> Self {
        Public { by: self.by, h: self.h.clone(), start: self.start }
    }
}

/// A private key without its public one, expanded.
pub struct Private<P: Parameters, F: Form<P::Ring> = Ready> {
    /// As it is encoded.
    bytes: SecretArray<P::PrivateBytes>,
    /// `F`.
    f: OperandOf<P, F>,
}

/// Its parts clear themselves.
impl<P: Parameters, F: Form<P::Ring>> ZeroizeOnDrop for Private<P, F> {}

/// The polynomials that a stream of candidates gives, or a list of indices: one, or three of a product.
struct Drawn<R: Ring>([Ternary<R>; 3]);

impl<R: Ring> Drawn<R> {
    fn zero() -> Self {
        Drawn([(); 3].map(|()| Ternary::zero()))
    }

    /// The first `count` of them, to write.
    fn write<T>(&mut self, count: usize, write: impl FnOnce(&mut [&mut [Row]]) -> T) -> T {
        let mut rows = self.0.each_mut().map(InRows::rows_mut);
        write(&mut rows[..count])
    }

    /// `F_1 F_2 + F_3`.
    fn combined(&self, work: &mut Work<R>, out: &mut Element<R>) {
        let (cpu, mut first) = (work.cpu(), Element::zero());
        let [a, b, c] = &self.0;
        a.widen_into(&mut first);
        work.product_into(&first, b, out);
        multiple(cpu, out.rows_mut(), c.rows(), 1);
    }

    /// The polynomial itself.
    fn whole(&self, work: &mut Work<R>, facts: &Facts, out: &mut Element<R>) {
        match facts.f {
            Weights::Of(_) => self.0[0].widen_into(out),
            Weights::Product(_) => self.combined(work, out),
        }
    }
}

/// A message as it is encrypted: random bytes, its length, itself, and zeroes.
struct Plain<'a> {
    facts: &'a Facts,
    bytes: SecretBytes<PLAIN>,
}

impl<'a> Plain<'a> {
    fn zero(facts: &'a Facts) -> Self {
        Plain { facts, bytes: SecretBytes::zero() }
    }

    /// Takes a message, without its random bytes.
    fn take(&mut self, message: &[u8]) {
        let (_, rest) = self.bytes.split_at_mut(self.facts.random);
        rest[0] = message.len() as u8;
        rest[1..][..message.len()].copy_from_slice(message);
    }

    /// All of it.
    fn all(&self) -> &[u8] {
        &self.bytes[..self.facts.random + 1 + self.facts.message]
    }

    fn all_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.facts.random + 1 + self.facts.message]
    }

    /// The random bytes, the length, a secret, and the message with zeroes behind it.
    fn parts(&self) -> (&[u8], usize, &[u8]) {
        let (random, rest) = self.all().split_at(self.facts.random);
        (random, usize::from(rest[0]), &rest[1..])
    }

    /// Makes the length one that there may be, and what is behind it zero; not 0 where they were not.
    fn settle(&mut self) -> u16 {
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
struct Masks<R: Ring> {
    masked: Ternary<R>,
    mask: Ternary<R>,
    modulo_4: SecretBytes<PACKED_MODULO_4>,
}

impl<R: Ring> Masks<R> {
    fn zero() -> Self {
        let [masked, mask] = [(); 2].map(|()| Ternary::zero());
        Masks { masked, mask, modulo_4: SecretBytes::zero() }
    }

    /// The mask of `r h`.
    fn fill(&mut self, facts: &Facts, product: &Element<R>) {
        let packed = &mut self.modulo_4[..facts.n.div_ceil(4)];
        pack_modulo_4(facts.flavour, product.rows(), facts.n, packed);
        mask(facts, packed, self.mask.rows_mut());
    }
}

impl<P: Parameters, F: Form<P::Ring>> Public<P, F> {
    fn blank(by: Multiplier<P::Ring>) -> Self {
        Public { by, h: OperandOf::<P, F>::blank(), start: [0; MOST_STRENGTH] }
    }

    /// Reads a key; not 0 where it is not as it is written.
    fn read(&mut self, work: &mut Work<P::Ring>, bytes: &[u8]) -> u16 {
        let facts = const { &P::FACTS };
        let (packed, bad) = key::read_public(facts, bytes);
        self.start[..facts.strength].copy_from_slice(&packed[..facts.strength]);
        bad | self.h.fill(work, |work, h| unpack(work.cpu(), facts.flavour, packed, facts.n, h.rows_mut()))
    }

    /// `r h`, of the `r` that a message gives.
    #[inline(never)]
    fn blind(&self, work: &mut Work<P::Ring>, plain: &Plain<'_>, out: &mut Element<P::Ring>) {
        let facts = const { &P::FACTS };
        let (random, length, message) = plain.parts();
        let mut seed = Seed::zero(facts);
        let mut blocks = Blocks::zero(facts.hash);
        seed.fill(facts, (message, length), random, &self.start);
        blocks.of_seed(facts, &seed);
        let mut stream = Candidates::new(facts, &mut blocks);
        stream.begin(facts.plan.blocks_of_f);
        let mut r = Drawn::<P::Ring>::zero();
        let minus_first = facts.flavour != Flavour::Eess;
        let mut chooser = Chooser { cpu: work.cpu(), n: facts.n, minus_first, taken: None };
        let (all, count) = const { P::FACTS.counts() };
        r.write(count, |rows| chooser.parts(&mut stream, &all[..count], rows));
        match facts.f {
            Weights::Of(_) => self.h.ternary_product_into(work, &r.0[0], out),
            Weights::Product(_) => {
                let mut whole = Element::zero();
                r.combined(work, &mut whole);
                self.h.product_into(work, &whole, out);
            }
        }
    }

    /// Writes a ciphertext of a message. Draws its random bytes by one call, and again as long as a masked
    /// message has too few coefficients of a value.
    #[inline(never)]
    fn seal(
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
            draw(&mut plain.bytes[..facts.random])?;
            self.blind(work, &plain, &mut product);
            masks.fill(facts, &product);
            from_message(facts.flavour, plain.all(), facts.n, masks.masked.rows_mut());
            add_ternary(cpu, masks.masked.rows_mut(), masks.mask.rows());
            let mut few = [has_too_few(cpu, masks.masked.rows(), facts.n, facts.least)];
            // Other random bytes are drawn then; these are forgotten.
            publish(&mut few);
            if few[0] == 0 {
                break;
            }
        }
        add_message(cpu, product.rows_mut(), masks.masked.rows(), facts.flavour != Flavour::Eess);
        pack(cpu, facts.flavour, product.rows(), facts.n, out);
        // A ciphertext is published.
        publish(out);
        Ok(())
    }
}

impl<P: Parameters, F: Form<P::Ring>> Private<P, F> {
    fn blank() -> Self {
        Private { bytes: SecretArray::zero(), f: OperandOf::<P, F>::blank() }
    }

    /// Draws the polynomials of a seed, and the indices of all, in their order, where they are wanted.
    #[inline(never)]
    fn draw_polynomials(
        work: &Work<P::Ring>,
        (all, first): (&[Counts], usize),
        draw: &mut Draw<'_>,
        out: &mut Drawn<P::Ring>,
        indices: Option<&mut [u16]>,
    ) -> Result<(), Failed> {
        let facts = const { &P::FACTS };
        let mut seed = SecretBytes::<{ 2 * MOST_STRENGTH }>::zero();
        let seed = &mut seed[..facts.seed()];
        draw(seed)?;
        let mut blocks = Blocks::zero(facts.hash);
        let mut taken = Words::zero();
        blocks.of_digest(seed, 4);
        let mut stream = Candidates::new(facts, &mut blocks);
        stream.begin(first);
        let marks = indices.is_some().then_some(&mut taken);
        let mut chooser = Chooser { cpu: work.cpu(), n: facts.n, minus_first: false, taken: marks };
        out.write(all.len(), |rows| chooser.parts(&mut stream, all, rows));
        if let Some(indices) = indices {
            let list = stream.list();
            let mut numbers = Words::<LIMIT>::zero();
            let numbers = &mut numbers.0[..list.len()];
            numbers.copy_from_slice(list);
            compact::<LIMIT>(numbers, &taken.0);
            indices.copy_from_slice(&numbers[..indices.len()]);
        }
        Ok(())
    }

    /// Draws `F` until `f = 1 + 3 F` has an inverse, and gives that.
    fn draw_f(
        work: &mut Work<P::Ring>,
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
            drawn.whole(work, facts, f);
            let mut unit = f.clone();
            multiple(work.cpu(), unit.rows_mut(), one.rows(), 3);
            let mut exists = [P::Ring::inverse_into(work, &unit, inverse).to_u8()];
            // Another seed is drawn then; this one is forgotten.
            publish(&mut exists);
            if exists[0] != 0 {
                return Ok(());
            }
        }
    }

    /// Fills a new pair of keys, and the encoded public key.
    #[inline(never)]
    fn generate(
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
        Self::draw_f(work, draw, &mut drawn, indices, [&mut f, &mut inverse])?;
        let mut packed = SecretBytes::<MOST_PACKED>::zero();
        let packed = &mut packed[..facts.packed()];
        key::write_secret(
            facts,
            indices,
            drawn.0[0].rows(),
            key::write_private(facts, packed, (*self.bytes).as_mut()),
        );
        let g = (&[const { P::FACTS.counts_of_g() }][..], facts.plan.blocks_of_g);
        Self::draw_polynomials(work, g, draw, &mut drawn, None)?;
        work.product_into(&inverse, &drawn.0[0], &mut h);
        multiple(cpu, h.rows_mut(), Element::<P::Ring>::zero().rows(), 3);
        pack(cpu, flavour, h.rows(), facts.n, packed);
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
    fn read(&mut self, work: &mut Work<P::Ring>, bytes: &P::PrivateBytes, public: &mut [u8]) -> u16 {
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
        bad |= unpack(work.cpu(), facts.flavour, packed, facts.n, h.rows_mut());
        bad |= Self::read_f(work, secret, &mut f);
        Second::<P::Ring, Element<P::Ring>>::product_into(&h, work, &f, &mut product);
        bad |= Self::is_no_key(work.cpu(), &mut h, &product);
        self.f.set(work, &f);
        bad
    }

    /// Reads `F`; not 0 where it is not as it is written.
    #[inline(never)]
    fn read_f(work: &mut Work<P::Ring>, bytes: &[u8], out: &mut Element<P::Ring>) -> u16 {
        let facts = const { &P::FACTS };
        let mut drawn = Drawn::<P::Ring>::zero();
        let bad = drawn.write(facts.parts().len(), |rows| key::read_secret(work.cpu(), facts, bytes, rows));
        drawn.whole(work, facts, out);
        bad
    }

    /// Not 0 where `g = f h / 3` is none, of `h` and `F h`.
    fn is_no_key(cpu: Cpu, h: &mut Element<P::Ring>, product: &Element<P::Ring>) -> u16 {
        // f h / 3 = F h + h / 3
        multiple(cpu, h.rows_mut(), product.rows(), const { THIRD });
        let [ones, all] = const { P::FACTS.counts_of_g() };
        let found = counts(cpu, h.rows());
        let others = (found[0] ^ ones as i16) | (found[1] ^ (all - ones) as i16);
        (not_ternary(cpu, h.rows()) | others) as u16
    }

    /// Writes the message in a ciphertext, and gives its length.
    #[inline(never)]
    fn open(
        &self,
        public: &Public<P, F>,
        work: &mut Work<P::Ring>,
        ciphertext: &[u8],
        out: &mut [u8],
    ) -> Result<usize, DecryptionError> {
        let (facts, cpu) = (const { &P::FACTS }, work.cpu());
        let (flavour, n, is_lifted) = (facts.flavour, facts.n, facts.flavour != Flavour::Eess);
        let mut e = Element::zero();
        let mut product = Element::zero();
        let mut masks = Masks::<P::Ring>::zero();
        let mut plain = Plain::zero(facts);
        let mut bad = unpack(cpu, flavour, ciphertext, n, e.rows_mut());
        self.f.product_into(work, &e, &mut product);
        open(cpu, e.rows(), product.rows(), masks.masked.rows_mut());
        bad |= has_too_few(cpu, masks.masked.rows(), n, facts.least) as u16;
        subtract_message(cpu, e.rows_mut(), masks.masked.rows(), is_lifted);
        masks.fill(facts, &e);
        subtract_ternary(cpu, masks.masked.rows_mut(), masks.mask.rows());
        bad |= to_message(flavour, masks.masked.rows(), n, plain.all_mut());
        bad |= plain.settle();
        public.blind(work, &plain, &mut product);
        bad |= differ(cpu, e.rows(), product.rows()) as u16;
        // Opaque to the compiler, which would make a branch of what follows.
        let good = equal(usize::from(black_box(bad)), 0);
        let (_, length, message) = plain.parts();
        out.iter_mut().zip(message).for_each(|(out, byte)| *out = byte & good as u8);
        // Whether there is a message, and how long it is; 0 where there is none.
        let mut told = [good as usize, length & good as usize];
        publish(&mut told);
        if told[0] == 0 { Err(DecryptionError) } else { Ok(told[1]) }
    }
}

/// `1 / 3` modulo `q`.
const THIRD: i16 = 683;
const _: () = assert!(3 * THIRD as usize % (1 << crate::facts::Q_BITS) == 1);

/// Most bytes of an element.
const MOST_PACKED: usize = (crate::facts::Q_BITS * MOST_COEFFICIENTS).div_ceil(8);

/// The set with these parameters.
pub struct Set<P>(PhantomData<P>);

/// Whether what was collected is nothing, which is told.
fn is_good(bad: u16) -> bool {
    let mut bad = [bad];
    // That the bytes are a key.
    publish(&mut bad);
    bad[0] == 0
}

impl<P: Parameters> Set<P> {
    /// Reads a private key with its public one.
    fn read<F: Form<P::Ring>>(
        keys: Keys<&mut Private<P, F>, &mut Public<P, F>, &mut P::PublicBytes>,
        work: &mut Work<P::Ring>,
        bytes: &P::PrivateBytes,
    ) -> Result<(), InvalidKey> {
        let Keys { private, public, bytes: published } = keys;
        let mut written = P::PublicBytes::ZERO;
        if !is_good(private.read(work, bytes, written.as_mut())) {
            return Err(InvalidKey);
        }
        public.read(work, written.as_ref());
        *published = written;
        Ok(())
    }
}

impl<P: Parameters> PkeSet for Set<P> {
    const NAME: &'static str = P::NAME;
    const STATUS: Status = P::STATUS;
    const SOURCE: &'static str = P::SOURCE;
    type PublicBytes = P::PublicBytes;
    type PrivateBytes = P::PrivateBytes;
    type CiphertextBytes = P::CiphertextBytes;
    type MessageBytes = P::MessageBytes;
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

    /// Draws a seed of `F`, another as long as `1 + 3 F` has no inverse, and a seed of `g`; each of twice the
    /// set's [strength](Facts::strength) by one call. The standard's reference fails where a seed of `F`
    /// does; of random seeds nearly none does. Whether `g` has an inverse is not asked, as there.
    fn generate(keys: KeysMut<'_, Self>, draw: &mut Draw<'_>) -> Result<(), Failed> {
        keys.private.generate(keys.public, draw, keys.bytes.as_mut())
    }

    /// It must be as it is written; any element is a key.
    fn read_public(public: &mut Self::Public, bytes: &Self::PublicBytes) -> Result<(), InvalidKey> {
        let mut work = Work::new(public.by);
        if public.read(&mut work, bytes.as_ref()) == 0 { Ok(()) } else { Err(InvalidKey) }
    }

    /// It must be as it is written, with the weights of its set, and `f h / 3` must have those of a `g`.
    fn read_private(keys: KeysMut<'_, Self>, bytes: &Self::PrivateBytes) -> Result<(), InvalidKey> {
        let mut work = Work::new(keys.public.by);
        Self::read(keys, &mut work, bytes)
    }

    fn write_private(keys: KeysRef<'_, Self>, out: &mut Self::PrivateBytes) {
        out.as_mut().copy_from_slice((*keys.private.bytes).as_ref());
    }

    fn encrypt(
        public: &Self::Public,
        message: &[u8],
        draw: &mut Draw<'_>,
        out: &mut Self::CiphertextBytes,
    ) -> Result<(), Failed> {
        public.seal(&mut Work::new(public.by), message, draw, out.as_mut())
    }

    fn decrypt(
        keys: KeysRef<'_, Self>,
        ciphertext: &Self::CiphertextBytes,
        out: &mut Self::MessageBytes,
    ) -> Result<usize, DecryptionError> {
        let mut work = Work::new(keys.public.by);
        keys.private.open(keys.public, &mut work, ciphertext.as_ref(), out.as_mut())
    }

    fn check_once(by: Self::Way, bytes: &Self::PublicBytes) -> Result<(), InvalidKey> {
        let (facts, mut h) = (const { &P::FACTS }, Element::<P::Ring>::zero());
        let (packed, bad) = key::read_public(facts, bytes.as_ref());
        let bad = bad | unpack(by.cpu(), facts.flavour, packed, facts.n, h.rows_mut());
        if bad == 0 { Ok(()) } else { Err(InvalidKey) }
    }

    fn generate_once(by: Self::Way, draw: &mut Draw<'_>, out: EncodedMut<'_, Self>) -> Result<(), Failed> {
        let mut private = Private::<P, AsIs>::blank();
        let mut public = Public::blank(by);
        private.generate(&mut public, draw, out.0.as_mut())?;
        out.1.as_mut().copy_from_slice((*private.bytes).as_ref());
        Ok(())
    }

    fn encrypt_once(
        by: Self::Way,
        bytes: &Self::PublicBytes,
        message: &[u8],
        draw: &mut Draw<'_>,
        out: &mut Self::CiphertextBytes,
    ) -> Result<(), OnceError> {
        let mut work = Work::new(by);
        let mut public = Public::<P, AsIs>::blank(by);
        if public.read(&mut work, bytes.as_ref()) != 0 {
            return Err(OnceError::InvalidKey);
        }
        Ok(public.seal(&mut work, message, draw, out.as_mut())?)
    }

    fn decrypt_once(
        by: Self::Way,
        bytes: &Self::PrivateBytes,
        ciphertext: &Self::CiphertextBytes,
        out: &mut Self::MessageBytes,
    ) -> Result<usize, OnceError> {
        let mut work = Work::new(by);
        let mut written = P::PublicBytes::ZERO;
        let mut private = Private::<P, AsIs>::blank();
        let mut public = Public::blank(by);
        let keys = Keys { private: &mut private, public: &mut public, bytes: &mut written };
        Self::read(keys, &mut work, bytes)?;
        Ok(private.open(&public, &mut work, ciphertext.as_ref(), out.as_mut())?)
    }

    fn public_key_of(
        by: Self::Way,
        bytes: &Self::PrivateBytes,
        out: &mut Self::PublicBytes,
    ) -> Result<(), InvalidKey> {
        let mut work = Work::new(by);
        let mut private = Private::<P, AsIs>::blank();
        let mut public = Public::blank(by);
        Self::read(Keys { private: &mut private, public: &mut public, bytes: out }, &mut work, bytes)
    }
}
