//! A parameter set: keys and operations (SVES).
//!
//! # The map
//! `f = 1 + 3 F`, `h = 3 g / f`. A ciphertext is `e = r h + m'`: `m'` is the message with random bytes before
//! it and zeroes behind it, as coefficients, plus a mask that is a hash of `r h`; and `r` is a hash of all
//! that.
//!
//! `f e = 3 g r + f m'` is `m'` modulo 3, where it is centred. That gives `r h`, the mask, the message, and
//! `r` again: what is in the ciphertext must be what is made of the message.
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

mod drawn;
pub mod halves;
mod plain;
mod private;
mod public;

use crate::codec::unpack_key;
use crate::facts::{Facts, MOST_COEFFICIENTS};
use crate::key;
use crate::modulus::{Modulus, TwoTo11};
use crate::rings::Inverse;
use core::marker::PhantomData;
use ctutils::Choice;
use drawn::Drawn;
use private::Private;
use public::Public;
use ringsmith_cyclic::element::{AsIs, Element, Form, InRows, Work};
use ringsmith_kem::declassify::publish;
use ringsmith_kem::pke::{DecryptionError, EncodedMut, InvalidKey, KeysMut, KeysRef, OnceError, PkeSet};
use ringsmith_kem::set::{Bytes, Draw, Failed, Keys, Status};
use ringsmith_ring::Multiplier;
use ringsmith_simd::Cpu;

/// Most bytes of the public key that are hashed, and of a seed.
const MOST_STRENGTH: usize = 32;

/// The parameters of a set.
pub trait Parameters: Clone + Send + Sync + 'static {
    /// Its name in the standard.
    const NAME: &'static str;
    /// Whether it is a standard, historical, or for research.
    const STATUS: Status;
    /// Where it is defined.
    const SOURCE: &'static str;
    /// Its numbers.
    const FACTS: Facts;
    /// What its coefficients are modulo.
    type Modulus: Modulus;
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

/// Most bytes of an element.
const MOST_PACKED: usize = (TwoTo11::BITS * MOST_COEFFICIENTS).div_ceil(8);

/// The set with these parameters.
pub struct Set<P>(PhantomData<P>);

/// The indices of the first `F` whose `f = 1 + 3 F` has an inverse, and that inverse's coefficients, for
/// tests: a seed for which `refuses` says so is treated as one whose `f` has none. What is drawn is what
/// [`generate`](PkeSet::generate) draws for `F`.
///
/// # Errors
/// Those of what draws.
pub fn first_f<P: Parameters>(
    cpu: Cpu,
    draw: &mut Draw<'_>,
    mut refuses: impl FnMut() -> bool,
    indices: &mut [u16],
    out: &mut [i16],
) -> Result<(), Failed> {
    let mut work = Work::new(Multiplier::new_on(cpu));
    let [mut f, mut inverse] = [Element::<P::Ring>::zero(), Element::zero()];
    let invert = |work: &mut Work<P::Ring>, f: &Element<P::Ring>, out: &mut Element<P::Ring>| {
        let exists = P::Ring::inverse_into(work, f, out);
        if refuses() { Choice::FALSE } else { exists }
    };
    let places = [&mut f, &mut inverse];
    Private::<P>::draw_f(&mut work, invert, draw, &mut Drawn::zero(), indices, places)?;
    out.copy_from_slice(&inverse.rows().as_flattened()[..P::FACTS.n]);
    Ok(())
}

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
        let bad = bad | unpack_key::<P::Modulus>(by.cpu(), facts.flavour, packed, facts.n, h.rows_mut());
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
