//! Key encapsulation secure against chosen plaintexts alone: the submission's section 1.2.2, without what
//! makes it secure against chosen ciphertexts. A private key serves one ciphertext.

use super::parameters::Parameters;
use super::pke;
use super::way::{By, Way, zero};
use core::convert::Infallible;
use core::marker::PhantomData;
use ringsmith_hash::Shake256;
use ringsmith_kem::scheme::Status;
use ringsmith_kem::secret::SecretBytes;
use ringsmith_kem::set::{CpaSet, Draw, Failed, KemSet, SharedKey};
use ringsmith_simd::Cpu;
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// NewHope with the parameters `P`, secure against chosen plaintexts alone.
pub struct Cpa<P, const ROWS: usize>(PhantomData<P>);

/// A public key, expanded.
#[derive(Clone)]
pub struct Public<const ROWS: usize> {
    way: Way<ROWS>,
    key: pke::Public<ROWS>,
}

/// A private key.
pub struct Private<const ROWS: usize> {
    way: Way<ROWS>,
    key: pke::Secret<ROWS>,
}

/// Its key clears itself.
impl<const ROWS: usize> ZeroizeOnDrop for Private<ROWS> {}

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
    type Way = By<P, ROWS>;
    type Public = Public<ROWS>;
    type Private = Private<ROWS>;

    fn planned(cpu: Cpu) -> By<P, ROWS> {
        By::of(Way { cpu, domain: P::PLANNED })
    }

    fn blank_public(way: By<P, ROWS>) -> Public<ROWS> {
        Public { way: way.way(), key: pke::Public::blank() }
    }

    fn blank_private(way: By<P, ROWS>) -> Private<ROWS> {
        Private { way: way.way(), key: zero() }
    }

    fn way(public: &Public<ROWS>) -> By<P, ROWS> {
        By::of(public.way)
    }

    /// The seed of the public polynomial.
    fn told_by<'a>(_: &'a Public<ROWS>, bytes: &'a P::PublicBytes) -> &'a [u8] {
        let bytes = bytes.as_ref();
        &bytes[bytes.len() - 32..]
    }

    /// Draws 32 bytes.
    fn generate(
        private: &mut Private<ROWS>,
        public: &mut Public<ROWS>,
        bytes: &mut P::PublicBytes,
        draw: &mut Draw<'_>,
    ) -> Result<(), Failed> {
        let mut random = Zeroizing::new([0; 32]);
        draw(random.as_mut())?;
        let keys = (&mut private.key, &mut public.key);
        pke::generate::<P, ROWS>(private.way, &random, keys, bytes.as_mut());
        Ok(())
    }

    /// Any bytes are a key.
    fn read_public(public: &mut Public<ROWS>, bytes: &P::PublicBytes) -> Result<(), Infallible> {
        public.key.read::<P>(public.way.cpu, bytes.as_ref(), &mut []);
        Ok(())
    }

    /// The private key alone.
    fn write_private(
        private: &Private<ROWS>,
        _: &Public<ROWS>,
        _: &P::PublicBytes,
        out: &mut P::PrivateBytes,
    ) {
        Self::write_secret(private, out);
    }

    fn encapsulate(
        public: &Public<ROWS>,
        random: &[u8; 32],
        ciphertext: &mut P::CiphertextBytes,
        shared: &mut SharedKey,
    ) {
        let (mut message, mut coin) = (SecretBytes::<32>::zero(), SecretBytes::<32>::zero());
        let mut reader =
            Shake256::new_on(public.way.cpu).absorb(P::RULES.prefixes[1]).absorb(random).reader();
        reader.squeeze(message.as_mut());
        reader.squeeze(coin.as_mut());
        pke::encrypt::<P, ROWS>(public.way, &public.key, &message, &coin, ciphertext.as_mut());
        derive(public.way.cpu, &message, shared);
    }
}

impl<P: Parameters<ROWS>, const ROWS: usize> CpaSet for Cpa<P, ROWS> {
    fn read_secret(private: &mut Private<ROWS>, bytes: &P::PrivateBytes) {
        pke::read_secret::<P, ROWS>(private.way.cpu, bytes.as_ref(), &mut private.key);
    }

    fn write_secret(private: &Private<ROWS>, out: &mut P::PrivateBytes) {
        pke::write_secret::<P, ROWS>(private.way.cpu, &private.key, out.as_mut());
    }

    fn decapsulate(private: &Private<ROWS>, ciphertext: &P::CiphertextBytes, shared: &mut SharedKey) {
        let mut message = Zeroizing::new([0; 32]);
        pke::decrypt::<P, ROWS>(private.way, &private.key, ciphertext.as_ref(), &mut message);
        derive(private.way.cpu, &message, shared);
    }
}

#[cfg(feature = "hazmat")]
impl<P: Parameters<ROWS>, const ROWS: usize> ringsmith_kem::set::InnerSeedSet for Cpa<P, ROWS> {
    fn expand_inner(
        private: &mut Private<ROWS>,
        public: &mut Public<ROWS>,
        bytes: &mut P::PublicBytes,
        [seed, noise_seed, _]: [&[u8; 32]; 3],
    ) {
        let keys = (&mut private.key, &mut public.key);
        pke::generate_from::<P, ROWS>(private.way, [seed, noise_seed], keys, bytes.as_mut());
    }
}
