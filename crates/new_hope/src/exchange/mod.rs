//! The NewHope key exchange: what both forms of it have in common.
//!
//! Alice offers `b = a s + e` and the seed of `a`; Bob responds with `u = a s' + e'` and hints on
//! `v = b s' + e''`; both have the same 256 bits of `v` then, by [`reconcile`]. The form says how noise is
//! made, in which order values are sent and with which factors.

pub(super) mod noise;
pub mod parts;
mod reconcile;
pub(super) mod types;

use crate::way::{Way, zero};
use noise::ROWS;
use ringsmith_kem::bits;
use ringsmith_kem::declassify::publish;
use ringsmith_kem::secret::SecretBytes;
use ringsmith_kem::set::SharedKey;
use ringsmith_ring::Rows;
use ringsmith_ring::algorithm::ordered::OrderedEntry;
use ringsmith_ring::number::inverse;
use ringsmith_simd::Cpu;
use zeroize::Zeroizing;

/// Bits of a coefficient.
const BITS: usize = 14;
/// The modulus.
const Q: i64 = 12289;
/// Bytes of a polynomial.
const POLYNOMIAL: usize = 2 * BITS * ROWS;
/// Bytes of the hints.
const HINTS: usize = 2 * 2 * ROWS;

/// Bytes of an offer.
pub const OFFER_BYTES: usize = POLYNOMIAL + 32;
/// Bytes of a response.
pub const RESPONSE_BYTES: usize = POLYNOMIAL + HINTS;
/// Bytes of what Alice keeps.
pub const SECRET_BYTES: usize = POLYNOMIAL;

/// What Alice keeps.
pub(crate) type Secret = Zeroizing<Rows<ROWS>>;
/// The bits that both have.
pub(super) type Bits = Zeroizing<[u8; 32]>;

/// What tells the forms apart; a value of it are the options of the form.
///
/// Its last three functions are the steps of [`Exchange`](types::Exchange) without randomness: a form has
/// them, so that they are compiled where the form is.
pub trait Form: Copy + Default + Send + Sync + 'static {
    /// Its name.
    const NAME: &'static str;
    /// Where it is defined.
    const SOURCE: &'static str;
    /// The domain, by the planner's route.
    const PLANNED: &'static OrderedEntry<ROWS>;
    /// What stands before `a s` and before `e` where they are sent.
    const FACTORS: [i64; 2];
    /// Whether the random bits of the hints are taken off, not added.
    const BIT_IS_TAKEN_OFF: bool;
    /// Whether a point on the border of both cells gives 1.
    const INCLUSIVE: bool;
    /// What noise is made of.
    type Noise<'a>;

    /// The noise of a nonce, 0, 1 or 2.
    fn noise(cpu: Cpu, noise: &Self::Noise<'_>, nonce: u8, out: &mut Rows<ROWS>);
    /// The random bits of the hints.
    fn help_bits(noise: &Self::Noise<'_>, out: &mut [u8; 32]);
    /// The noise of a seed.
    fn noise_of<'a>(&self, seed: &'a [u8; 32]) -> Self::Noise<'a>;
    /// Alice's first step.
    fn offer(way: Way<ROWS>, seed: &[u8; 32], noise: &Self::Noise<'_>, out: &mut [u8; OFFER_BYTES])
    -> Secret;
    /// Bob's step.
    fn respond(
        &self,
        way: Way<ROWS>,
        offer: &[u8; OFFER_BYTES],
        noise: &Self::Noise<'_>,
        out: &mut [u8; RESPONSE_BYTES],
        shared: &mut SharedKey,
    );
    /// Alice's last step.
    fn finish(
        &self,
        way: Way<ROWS>,
        secret: &mut Secret,
        response: &[u8; RESPONSE_BYTES],
        shared: &mut SharedKey,
    );
}

/// `x s` out of the domain, centred, of a polynomial as it is sent and `s` in the domain, which it spoils.
fn unmasked<F: Form>(way: Way<ROWS>, x: &Rows<ROWS>, s: &mut Rows<ROWS>, out: &mut Rows<ROWS>) {
    if F::FACTORS[1] != 1 {
        (way.domain.scale)(way.cpu, s, const { inverse(F::FACTORS[1], Q) });
    }
    way.product(x, s, out);
}

/// Offers: writes what is sent, and returns what is kept, in the domain and in `[0, q)`. `seed` is sent.
pub(super) fn offer<F: Form>(
    way: Way<ROWS>,
    seed: &[u8; 32],
    noise: &F::Noise<'_>,
    out: &mut [u8; OFFER_BYTES],
) -> Secret {
    let (cpu, [mut s, mut e]) = (way.cpu, [(); 2].map(|()| zero()));
    // What both sides see needs no clearing.
    let [mut a, mut b] = [Rows([[0; 16]; ROWS]); 2];
    noise::uniform(cpu, seed, &mut a);
    F::noise(cpu, noise, 0, &mut s);
    F::noise(cpu, noise, 1, &mut e);
    let mut secret = zero();
    way.transformed(&s, &mut secret);
    *s = *secret;
    way.masked(&a, &mut s, &mut e, Some(F::FACTORS), &mut b);
    let (polynomial, place) = out.split_at_mut(POLYNOMIAL);
    bits::encode::<BITS, ROWS>(cpu, &b.0, polynomial);
    place.copy_from_slice(seed);
    // An offer is sent.
    publish(out);
    secret
}

/// Responds to an offer, whatever it is: writes what is sent; the bits that both have.
pub(super) fn respond<F: Form>(
    way: Way<ROWS>,
    offer: &[u8; OFFER_BYTES],
    noise: &F::Noise<'_>,
    out: &mut [u8; RESPONSE_BYTES],
) -> Bits {
    let (Way { cpu, domain }, [mut s, mut e]) = (way, [(); 2].map(|()| zero()));
    let [mut a, mut b] = [Rows([[0; 16]; ROWS]); 2];
    let (polynomial, seed) = offer.split_at(POLYNOMIAL);
    bits::decode::<Q, BITS, ROWS>(cpu, polynomial, &mut b.0);
    if let Some(seed) = seed.first_chunk() {
        noise::uniform(cpu, seed, &mut a);
    }
    F::noise(cpu, noise, 0, &mut s);
    F::noise(cpu, noise, 1, &mut e);
    let [mut transformed, mut v] = [(); 2].map(|()| zero());
    (domain.forward)(cpu, &s, &mut transformed);
    *s = *transformed;
    let (u, hints) = out.split_at_mut(POLYNOMIAL);
    way.masked(&a, &mut s, &mut e, Some(F::FACTORS), &mut v);
    bits::encode::<BITS, ROWS>(cpu, &v.0, u);

    unmasked::<F>(way, &b, &mut transformed, &mut v);
    F::noise(cpu, noise, 2, &mut e);
    (domain.add)(cpu, &mut v, &e);
    self::hints::<F>(cpu, noise, &v, &mut s);
    bits::encode::<2, ROWS>(cpu, &s.0, hints);
    let mut key = Bits::new([0; 32]);
    reconcile::reconcile(cpu, &v, &s, F::INCLUSIVE, &mut key);
    // A response is sent.
    publish(out);
    key
}

/// The hints on `v`, with their random bits.
fn hints<F: Form>(cpu: Cpu, noise: &F::Noise<'_>, v: &Rows<ROWS>, out: &mut Rows<ROWS>) {
    let mut random = SecretBytes::<32>::zero();
    F::help_bits(noise, &mut random);
    reconcile::help(cpu, v, &random, F::BIT_IS_TAKEN_OFF, out);
}

/// The bits that both have, of a response, whatever it is; spoils the secret.
pub(super) fn finish<F: Form>(
    way: Way<ROWS>,
    secret: &mut Rows<ROWS>,
    response: &[u8; RESPONSE_BYTES],
) -> Bits {
    let (cpu, mut u, mut v) = (way.cpu, Rows([[0; 16]; ROWS]), zero());
    let (polynomial, hints) = response.split_at(POLYNOMIAL);
    bits::decode::<Q, BITS, ROWS>(cpu, polynomial, &mut u.0);
    unmasked::<F>(way, &u, secret, &mut v);
    way.canonical(&mut v);
    bits::decode_all::<2, ROWS>(cpu, hints, &mut u.0);
    let mut key = Bits::new([0; 32]);
    reconcile::reconcile(cpu, &v, &u, F::INCLUSIVE, &mut key);
    key
}

/// The secret as bytes.
pub(super) fn write_secret(cpu: Cpu, secret: &Rows<ROWS>, out: &mut [u8; SECRET_BYTES]) {
    bits::encode::<BITS, ROWS>(cpu, &secret.0, out);
}

/// The secret of bytes, which any are.
pub(super) fn read_secret(cpu: Cpu, bytes: &[u8; SECRET_BYTES]) -> Secret {
    let mut secret = zero();
    bits::decode::<Q, BITS, ROWS>(cpu, bytes, &mut secret.0);
    secret
}
