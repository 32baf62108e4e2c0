//! Key encapsulation secure against chosen plaintexts alone: the submission's section 1.2.2, without what
//! makes it secure against chosen ciphertexts. A private key serves one ciphertext.

use super::domain::{DomainOf, no_values};
use super::parameters::Parameters;
use super::pke;
use core::convert::Infallible;
use core::marker::PhantomData;
use ringsmith_hash::Shake256;
use ringsmith_kem::scheme::Status;
use ringsmith_kem::secret::SecretBytes;
use ringsmith_kem::set::{CpaSet, Draw, Failed, KemSet, Keys, KeysMut, KeysRef, SharedKey, To};
use ringsmith_ring::{Domain, PlainOrder, Ring};
use ringsmith_simd::Cpu;
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// NewHope with the parameters `P`, secure against chosen plaintexts alone.
pub struct Cpa<P, const ROWS: usize>(PhantomData<P>);

/// A public key, expanded.
#[derive(Clone)]
pub struct Public<R: Ring, O: PlainOrder> {
    way: Domain<R, O>,
    key: pke::Public<R, O>,
}

/// A private key.
pub struct Private<R: Ring, O: PlainOrder> {
    way: Domain<R, O>,
    key: pke::Secret<R, O>,
}

/// Its key clears itself.
impl<R: Ring, O: PlainOrder> ZeroizeOnDrop for Private<R, O> {}

/// The public key of a set.
type PublicOf<P, const ROWS: usize> = Public<<P as Parameters<ROWS>>::Ring, <P as Parameters<ROWS>>::Order>;
/// The private key of a set.
type PrivateOf<P, const ROWS: usize> = Private<<P as Parameters<ROWS>>::Ring, <P as Parameters<ROWS>>::Order>;

/// Writes the shared key of a message.
fn derive(cpu: Cpu, message: &[u8; 32], shared: &mut SharedKey) {
    Shake256::new_on(cpu).absorb(message).reader().squeeze(shared.as_mut_bytes());
}

impl<P: Parameters<ROWS>, const ROWS: usize> KemSet for Cpa<P, ROWS> {
    const NAME: &'static str = P::NAME;
    const STATUS: Status = Status::Historical;
    const SOURCE: &'static str = P::RULES.source;
    type PublicBytes = P::PublicBytes;
    type PrivateBytes = P::PrivateBytes;
    type CiphertextBytes = P::CiphertextBytes;
    type PublicError = Infallible;
    /// What the message and the randomness of the encryption are hashed of.
    type Randomness = [u8; 32];
    type Way = DomainOf<P, ROWS>;
    type Public = PublicOf<P, ROWS>;
    type Private = PrivateOf<P, ROWS>;

    fn planned(cpu: Cpu) -> DomainOf<P, ROWS> {
        Domain::new_on(cpu)
    }

    fn blank_public(way: DomainOf<P, ROWS>) -> PublicOf<P, ROWS> {
        Public { way, key: pke::Public::blank() }
    }

    fn blank_private(way: DomainOf<P, ROWS>) -> PrivateOf<P, ROWS> {
        Private { way, key: no_values() }
    }

    fn way(public: &PublicOf<P, ROWS>) -> DomainOf<P, ROWS> {
        public.way
    }

    /// The seed of the public polynomial.
    fn told_by<'a>(_: &'a PublicOf<P, ROWS>, bytes: &'a P::PublicBytes) -> &'a [u8] {
        let bytes = bytes.as_ref();
        &bytes[bytes.len() - 32..]
    }

    /// Draws 32 bytes.
    fn generate(keys: KeysMut<'_, Self>, draw: &mut Draw<'_>) -> Result<(), Failed> {
        let (Keys { private, public, bytes }, mut random) = (keys, Zeroizing::new([0; 32]));
        draw(random.as_mut())?;
        let keys = (&mut private.key, &mut public.key);
        pke::generate::<P, ROWS>(private.way, &random, keys, bytes.as_mut());
        Ok(())
    }

    /// Any bytes are a key.
    fn read_public(public: &mut PublicOf<P, ROWS>, bytes: &P::PublicBytes) -> Result<(), Infallible> {
        public.key.read::<P>(public.way.cpu(), bytes.as_ref(), &mut []);
        Ok(())
    }

    /// The private key alone.
    fn write_private(keys: KeysRef<'_, Self>, out: &mut P::PrivateBytes) {
        Self::write_secret(keys.private, out);
    }

    fn encapsulate(public: &PublicOf<P, ROWS>, random: &[u8; 32], to: To<'_, P::CiphertextBytes>) {
        let (mut message, mut coin) = (SecretBytes::<32>::zero(), SecretBytes::<32>::zero());
        let mut reader =
            Shake256::new_on(public.way.cpu()).absorb(P::RULES.prefixes[1]).absorb(random).reader();
        reader.squeeze(message.as_mut());
        reader.squeeze(coin.as_mut());
        pke::encrypt::<P, ROWS>(public.way, &public.key, &message, &coin, to.ciphertext.as_mut());
        derive(public.way.cpu(), &message, to.shared);
    }
}

impl<P: Parameters<ROWS>, const ROWS: usize> CpaSet for Cpa<P, ROWS> {
    fn read_secret(private: &mut PrivateOf<P, ROWS>, bytes: &P::PrivateBytes) {
        pke::read_secret::<P, ROWS>(private.way.cpu(), bytes.as_ref(), &mut private.key);
    }

    fn write_secret(private: &PrivateOf<P, ROWS>, out: &mut P::PrivateBytes) {
        pke::write_secret::<P, ROWS>(private.way.cpu(), &private.key, out.as_mut());
    }

    fn decapsulate(private: &PrivateOf<P, ROWS>, ciphertext: &P::CiphertextBytes, shared: &mut SharedKey) {
        let mut message = Zeroizing::new([0; 32]);
        pke::decrypt::<P, ROWS>(private.way, &private.key, ciphertext.as_ref(), &mut message);
        derive(private.way.cpu(), &message, shared);
    }
}

#[cfg(feature = "hazmat")]
impl<P: Parameters<ROWS>, const ROWS: usize> ringsmith_kem::set::InnerSeedSet for Cpa<P, ROWS> {
    fn expand_inner(keys: KeysMut<'_, Self>, [seed, noise_seed, _]: [&[u8; 32]; 3]) {
        let Keys { private, public, bytes } = keys;
        let keys = (&mut private.key, &mut public.key);
        pke::generate_from::<P, ROWS>(private.way, [seed, noise_seed], keys, bytes.as_mut());
    }
}
