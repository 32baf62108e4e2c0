//! The NewHope key exchange: what both forms of it have in common.
//!
//! Alice offers `b = a s + e` and the seed of `a`; Bob responds with `u = a s' + e'` and hints on
//! `v = b s' + e''`; both have the same 256 bits of `v` then, by [`reconcile`]. The form says how noise is
//! made, in which order values are sent and with which factors.

pub(super) mod noise;
pub mod parts;
mod reconcile;
pub(super) mod types;

use crate::domain::{masked, no_values, product, transformed, zero};
use crate::rings::NewHope1024;
use noise::ROWS;
use ringsmith_kem::bits;
use ringsmith_kem::declassify::publish;
use ringsmith_kem::secret::SecretBytes;
use ringsmith_kem::set::SharedKey;
use ringsmith_ring::number::inverse;
use ringsmith_ring::{Domain, DomainEntry, PlainOrder, Rows};
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

/// Values of a form's domain.
type Values<F> = ringsmith_ring::Values<NewHope1024, <F as Form>::Order>;
/// How the form's operations are done: on which CPU, and by which route.
pub(crate) type Way<F> = Domain<NewHope1024, <F as Form>::Order>;
/// A domain of the form.
pub(crate) type Entry<F> = DomainEntry<NewHope1024, <F as Form>::Order>;
/// What Alice keeps, in `[0, q)`.
pub(crate) type Secret<F> = Zeroizing<Values<F>>;
/// The bits that both have.
pub(super) type Bits = Zeroizing<[u8; 32]>;

/// What tells the forms apart; a value of it are the options of the form.
///
/// Its last three functions are the steps of [`Exchange`](types::Exchange) without randomness: a form has
/// them, so that they are compiled where the form is.
pub trait Form: Sized + Copy + Default + Send + Sync + 'static {
    /// Its name.
    const NAME: &'static str;
    /// Where it is defined.
    const SOURCE: &'static str;
    /// The domain, by the planner's route.
    const PLANNED: &'static Entry<Self>;
    /// The order in which values are sent.
    type Order: PlainOrder;
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
    fn offer(
        way: Way<Self>,
        seed: &[u8; 32],
        noise: &Self::Noise<'_>,
        out: &mut [u8; OFFER_BYTES],
    ) -> Secret<Self>;
    /// Bob's step.
    fn respond(
        &self,
        way: Way<Self>,
        offer: &[u8; OFFER_BYTES],
        noise: &Self::Noise<'_>,
        out: &mut [u8; RESPONSE_BYTES],
        shared: &mut SharedKey,
    );
    /// Alice's last step.
    fn finish(
        &self,
        way: Way<Self>,
        secret: &mut Secret<Self>,
        response: &[u8; RESPONSE_BYTES],
        shared: &mut SharedKey,
    );
}

/// `x s` out of the domain, centred, of a polynomial as it is sent and of `s`, which it spoils.
fn unmasked<F: Form>(way: Way<F>, x: &Values<F>, s: &mut Values<F>, out: &mut Rows<ROWS>) {
    if F::FACTORS[1] != 1 {
        way.scale(s, const { inverse(F::FACTORS[1], Q) });
    }
    product(way, x, s, out);
}

/// Offers: writes what is sent, and returns what is kept. `seed` is sent.
pub(super) fn offer<F: Form>(
    way: Way<F>,
    seed: &[u8; 32],
    noise: &F::Noise<'_>,
    out: &mut [u8; OFFER_BYTES],
) -> Secret<F> {
    let (cpu, [mut s, mut e]) = (way.cpu(), [(); 2].map(|()| zero()));
    // What both sides see needs no clearing.
    let [mut a, mut b] = [Values::<F>::ZERO; 2];
    noise::uniform(cpu, seed, a.rows_mut());
    F::noise(cpu, noise, 0, &mut s);
    F::noise(cpu, noise, 1, &mut e);
    let mut secret = no_values();
    transformed(way, &s, &mut secret);
    let mut operand = secret.clone();
    masked(way, (&a, &mut operand, &e), Some(F::FACTORS), &mut b);
    let (polynomial, place) = out.split_at_mut(POLYNOMIAL);
    bits::encode::<BITS, ROWS>(cpu, &b.rows().0, polynomial);
    place.copy_from_slice(seed);
    // An offer is sent.
    publish(out);
    secret
}

/// Responds to an offer, whatever it is: writes what is sent; the bits that both have.
pub(super) fn respond<F: Form>(
    way: Way<F>,
    offer: &[u8; OFFER_BYTES],
    noise: &F::Noise<'_>,
    out: &mut [u8; RESPONSE_BYTES],
) -> Bits {
    let (cpu, [mut s, mut e]) = (way.cpu(), [(); 2].map(|()| zero()));
    let [mut a, mut b] = [Values::<F>::ZERO; 2];
    let (polynomial, seed) = offer.split_at(POLYNOMIAL);
    bits::decode::<Q, BITS, ROWS>(cpu, polynomial, &mut b.rows_mut().0);
    if let Some(seed) = seed.first_chunk() {
        noise::uniform(cpu, seed, a.rows_mut());
    }
    F::noise(cpu, noise, 0, &mut s);
    F::noise(cpu, noise, 1, &mut e);
    let (mut secret, mut sent, mut v) = (no_values(), no_values(), zero());
    way.forward(&s, &mut secret);
    let mut operand = secret.clone();
    let (u, hints) = out.split_at_mut(POLYNOMIAL);
    masked(way, (&a, &mut operand, &e), Some(F::FACTORS), &mut sent);
    bits::encode::<BITS, ROWS>(cpu, &sent.rows().0, u);

    unmasked::<F>(way, &b, &mut secret, &mut v);
    F::noise(cpu, noise, 2, &mut e);
    way.add_coeffs(&mut v, &e);
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
pub(super) fn finish<F: Form>(way: Way<F>, secret: &mut Values<F>, response: &[u8; RESPONSE_BYTES]) -> Bits {
    let (cpu, mut u, mut v) = (way.cpu(), Values::<F>::ZERO, zero());
    let (polynomial, hints) = response.split_at(POLYNOMIAL);
    bits::decode::<Q, BITS, ROWS>(cpu, polynomial, &mut u.rows_mut().0);
    unmasked::<F>(way, &u, secret, &mut v);
    let mut received = Rows([[0; 16]; ROWS]);
    way.add_coeffs(&mut v, &received);
    bits::decode_all::<2, ROWS>(cpu, hints, &mut received.0);
    let mut key = Bits::new([0; 32]);
    reconcile::reconcile(cpu, &v, &received, F::INCLUSIVE, &mut key);
    key
}

/// The secret as bytes.
pub(super) fn write_secret<F: Form>(cpu: Cpu, secret: &Values<F>, out: &mut [u8; SECRET_BYTES]) {
    bits::encode::<BITS, ROWS>(cpu, &secret.rows().0, out);
}

/// The secret of bytes, which any are.
pub(super) fn read_secret<F: Form>(cpu: Cpu, bytes: &[u8; SECRET_BYTES]) -> Secret<F> {
    let mut secret: Secret<F> = no_values();
    bits::decode::<Q, BITS, ROWS>(cpu, bytes, &mut secret.rows_mut().0);
    secret
}
