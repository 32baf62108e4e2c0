//! A group of two parts: one body for all of them.
//!
//! Shares and secrets are those of both parts, one behind the other: `lattice || curve`, or `curve ||
//! lattice`. The lattice scheme's part of the client's share is an encapsulation key, of the server's a
//! ciphertext; the curve's are points.

use super::curves::Curve;
use super::{Client, Component, Group, ShareError, check};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use rand_core::CryptoRng;
use ringsmith_kem::keys::DecapsulationKey;
use ringsmith_kem::scheme::{exactly, exactly_mut};
use ringsmith_kem::secret::SecretArray;
use ringsmith_kem::set::{Bytes, CcaSet, KemSet, SHARED_KEY_BYTES, SharedKey, To};
use ringsmith_simd::{Cpu, wipe};

/// Which part stands first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// The lattice scheme's.
    LatticeFirst,
    /// The curve's.
    CurveFirst,
}

impl Order {
    /// Where to cut, of the lengths of both parts.
    const fn cut(self, lattice: usize, curve: usize) -> usize {
        match self {
            Order::LatticeFirst => lattice,
            Order::CurveFirst => curve,
        }
    }

    /// Both parts, the lattice scheme's first, in whichever order they stand.
    fn parts<T>(self, (first, second): (T, T)) -> (T, T) {
        match self {
            Order::LatticeFirst => (first, second),
            Order::CurveFirst => (second, first),
        }
    }
}

/// What a group is made of.
pub(super) trait Parts: 'static {
    /// Its name.
    const NAME: &'static str;
    /// Its code point.
    const CODE_POINT: u16;
    /// Bits of security of the lattice scheme.
    const SECURITY_BITS: u32;
    /// Which part stands first.
    const ORDER: Order;
    /// The lattice scheme.
    type Lattice: CcaSet;
    /// The curve.
    type Curve: Curve;
}

/// Bytes of the lattice scheme's part of the client's share.
const fn public<P: Parts>() -> usize {
    <<P::Lattice as KemSet>::PublicBytes as Bytes>::LEN
}

/// Bytes of the lattice scheme's part of the server's share.
const fn ciphertext<P: Parts>() -> usize {
    <<P::Lattice as KemSet>::CiphertextBytes as Bytes>::LEN
}

/// Both parts of a string: the lattice scheme's, of so many bytes, and the curve's, which is the rest.
fn split<P: Parts>(bytes: &[u8], lattice: usize) -> (&[u8], &[u8]) {
    let curve = bytes.len() - lattice;
    P::ORDER.parts(bytes.split_at(P::ORDER.cut(lattice, curve)))
}

/// The same, to write.
fn split_mut<P: Parts>(bytes: &mut [u8], lattice: usize) -> (&mut [u8], &mut [u8]) {
    let curve = bytes.len() - lattice;
    P::ORDER.parts(bytes.split_at_mut(P::ORDER.cut(lattice, curve)))
}

/// The group of these parts.
pub(super) const fn group<P: Parts>() -> Group {
    Group {
        name: P::NAME,
        code_point: P::CODE_POINT,
        security_bits: P::SECURITY_BITS,
        client_share: public::<P>() + P::Curve::POINT,
        server_share: ciphertext::<P>() + P::Curve::POINT,
        secret: SHARED_KEY_BYTES + P::Curve::SECRET,
        curve: component::<P>(),
        start: |cpu, rng| Key::<P>::generate(cpu, rng),
        respond: respond::<P>,
    }
}

const fn component<P: Parts>() -> Option<Component> {
    if P::Curve::POINT == 0 {
        return None;
    }
    let start = match P::ORDER {
        Order::LatticeFirst => public::<P>(),
        Order::CurveFirst => 0,
    };
    let (point, secret) = (P::Curve::POINT, P::Curve::SECRET);
    Some(Component { code_point: P::Curve::CODE_POINT, start, point, secret })
}

/// A client's secrets. The key clears itself, as the scalar does.
struct Key<P: Parts> {
    lattice: Box<DecapsulationKey<P::Lattice>>,
    scalar: Box<SecretArray<<P::Curve as Curve>::Scalar>>,
    share: Vec<u8>,
}

impl<P: Parts> Key<P> {
    /// New ones: draws the key of the lattice scheme, then the scalar.
    fn generate(cpu: Cpu, rng: &mut dyn CryptoRng) -> Box<dyn Client> {
        let lattice = DecapsulationKey::<P::Lattice>::generate_boxed_on(cpu, rng);
        let mut scalar = Box::new(SecretArray::zero());
        P::Curve::draw(rng, &mut scalar);
        let mut share = vec![0; public::<P>() + P::Curve::POINT];
        let (key, point) = split_mut::<P>(&mut share, public::<P>());
        key.copy_from_slice(lattice.encapsulation_key().to_bytes().as_ref());
        P::Curve::point(&scalar, point);
        Box::new(Key::<P> { lattice, scalar, share })
    }

    fn try_finish(&self, share: &[u8], secret: &mut [u8]) -> Result<(), ShareError> {
        check("key share", ciphertext::<P>() + P::Curve::POINT, share.len())?;
        check("secret", SHARED_KEY_BYTES + P::Curve::SECRET, secret.len())?;
        let (ciphertext, point) = split::<P>(share, ciphertext::<P>());
        let (of_lattice, of_curve) = split_mut::<P>(secret, SHARED_KEY_BYTES);
        P::Curve::agree(&self.scalar, point, of_curve)?;
        let mut shared = SharedKey::zero();
        self.lattice.decapsulate_into(exactly("ciphertext", ciphertext)?, &mut shared);
        of_lattice.copy_from_slice(shared.as_bytes());
        Ok(())
    }

    fn try_finish_curve(&self, point: &[u8], secret: &mut [u8]) -> Result<(), ShareError> {
        if P::Curve::POINT == 0 {
            return Err(ShareError::Point);
        }
        check("key share", P::Curve::POINT, point.len())?;
        check("secret", P::Curve::SECRET, secret.len())?;
        P::Curve::agree(&self.scalar, point, secret)
    }
}

impl<P: Parts> Client for Key<P> {
    fn share(&self) -> &[u8] {
        &self.share
    }

    fn finish(&self, share: &[u8], secret: &mut [u8]) -> Result<(), ShareError> {
        self.try_finish(share, secret).inspect_err(|_| wipe(secret))
    }

    fn finish_curve(&self, point: &[u8], secret: &mut [u8]) -> Result<(), ShareError> {
        self.try_finish_curve(point, secret).inspect_err(|_| wipe(secret))
    }
}

/// Of a client's share: writes the server's, and the secret. Draws the scalar, then the randomness of a
/// ciphertext.
fn respond<P: Parts>(
    cpu: Cpu,
    client: &[u8],
    rng: &mut dyn CryptoRng,
    share: &mut [u8],
    secret: &mut [u8],
) -> Result<(), ShareError> {
    check("key share", public::<P>() + P::Curve::POINT, client.len())?;
    check("place for a key share", ciphertext::<P>() + P::Curve::POINT, share.len())?;
    check("secret", SHARED_KEY_BYTES + P::Curve::SECRET, secret.len())?;
    let (key, theirs) = split::<P>(client, public::<P>());
    let (ciphertext, ours) = split_mut::<P>(share, ciphertext::<P>());
    let (of_lattice, of_curve) = split_mut::<P>(secret, SHARED_KEY_BYTES);
    exchange::<P::Curve>(theirs, rng, ours, of_curve)?;
    encapsulate::<P::Lattice>(cpu, key, rng, ciphertext, of_lattice)
}

/// The curve's part of an answer.
fn exchange<C: Curve>(
    theirs: &[u8],
    rng: &mut dyn CryptoRng,
    ours: &mut [u8],
    secret: &mut [u8],
) -> Result<(), ShareError> {
    let mut scalar = SecretArray::<C::Scalar>::zero();
    C::draw(rng, &mut scalar);
    C::point(&scalar, ours);
    C::agree(&scalar, theirs, secret)
}

/// The lattice scheme's part of an answer.
fn encapsulate<S: CcaSet>(
    cpu: Cpu,
    key: &[u8],
    rng: &mut dyn CryptoRng,
    ciphertext: &mut [u8],
    secret: &mut [u8],
) -> Result<(), ShareError> {
    let mut random = SecretArray::<S::Randomness>::zero();
    rng.fill_bytes(random.as_mut());
    let mut shared = SharedKey::zero();
    let to = To { ciphertext: exactly_mut("ciphertext", ciphertext)?, shared: &mut shared };
    S::encapsulate_once(S::planned(cpu), exactly("key", key)?, &random, to)
        .map_err(|_| ShareError::EncapsulationKey)?;
    secret.copy_from_slice(shared.as_bytes());
    Ok(())
}
