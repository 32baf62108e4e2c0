//! The NewHope key exchange: what both forms of it have in common.
//!
//! Alice offers `b = a s + e` and the seed of `a`; Bob responds with `u = a s' + e'` and hints on
//! `v = b s' + e''`; both have the same 256 bits of `v` then, by [`reconcile`]. The form says how noise is
//! made, in which order values are sent and with which factors.

pub(crate) mod chacha20;
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

/// What differs between the forms. A value of this type holds the options of a form.
pub trait Form: Sized + Copy + Default + Send + Sync + 'static {
    /// Its name.
    const NAME: &'static str;
    /// Where it is defined.
    const SOURCE: &'static str;
    /// The domain, by the planner's route.
    const PLANNED: &'static Entry<Self>;
    /// The order in which values are sent.
    type Order: PlainOrder;
    /// The constant factors of `a s` and of `e` in what is sent.
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
    fn help_bits(cpu: Cpu, noise: &Self::Noise<'_>, out: &mut [u8; 32]);
    /// The noise of a seed.
    fn noise_of<'a>(&self, seed: &'a [u8; 32]) -> Self::Noise<'a>;
    /// The shared key of the bits that both sides have.
    fn key(&self, cpu: Cpu, bits: &[u8; 32], shared: &mut SharedKey);
}

// These are not generic, so that their kernels are compiled here and not where an exchange is used.

/// A polynomial in `[0, q)` as it is sent.
fn write_polynomial(cpu: Cpu, polynomial: &Rows<ROWS>, out: &mut [u8]) {
    bits::encode::<BITS, ROWS>(cpu, &polynomial.0, out);
}

/// A polynomial of bytes, which any are.
fn read_polynomial(cpu: Cpu, bytes: &[u8], out: &mut Rows<ROWS>) {
    bits::decode::<Q, BITS, ROWS>(cpu, bytes, &mut out.0);
}

/// The hints as they are sent.
fn write_hints(cpu: Cpu, hints: &Rows<ROWS>, out: &mut [u8]) {
    bits::encode::<2, ROWS>(cpu, &hints.0, out);
}

/// The hints of bytes, which any are.
fn read_hints(cpu: Cpu, bytes: &[u8], out: &mut Rows<ROWS>) {
    bits::decode_all::<2, ROWS>(cpu, bytes, &mut out.0);
}

/// `x s` out of the domain, centred, of a polynomial as it is sent and of `s`, which it spoils.
fn unmasked<F: Form>(way: Way<F>, x: &Values<F>, s: &mut Values<F>, out: &mut Rows<ROWS>) {
    if F::FACTORS[1] != 1 {
        way.scale(s, const { inverse(F::FACTORS[1], Q) });
    }
    product(way, x, s, out);
}

/// Offers: writes what is kept, and what is sent, with `seed` in it.
pub(super) fn offer<F: Form>(
    way: Way<F>,
    seed: &[u8; 32],
    noise: &F::Noise<'_>,
    secret: &mut Secret<F>,
    out: &mut [u8; OFFER_BYTES],
) {
    let (cpu, [mut s, mut e]) = (way.cpu(), [(); 2].map(|()| zero()));
    // What both sides see needs no clearing.
    let [mut a, mut b] = [Values::<F>::ZERO; 2];
    noise::uniform(cpu, seed, a.rows_mut());
    F::noise(cpu, noise, 0, &mut s);
    F::noise(cpu, noise, 1, &mut e);
    transformed(way, &s, secret);
    let mut operand = secret.clone();
    masked(way, (&a, &mut operand, &e), Some(F::FACTORS), &mut b);
    let (polynomial, place) = out.split_at_mut(POLYNOMIAL);
    write_polynomial(cpu, b.rows(), polynomial);
    place.copy_from_slice(seed);
    // An offer is sent.
    publish(out);
}

/// Responds to an offer, whatever it is: writes what is sent, and the bits that both have.
pub(super) fn respond<F: Form>(
    way: Way<F>,
    offer: &[u8; OFFER_BYTES],
    noise: &F::Noise<'_>,
    out: &mut [u8; RESPONSE_BYTES],
    key: &mut [u8; 32],
) {
    let (cpu, [mut s, mut e, mut v]) = (way.cpu(), [(); 3].map(|()| zero()));
    let [mut a, mut b] = [Values::<F>::ZERO; 2];
    let (polynomial, seed) = offer.split_at(POLYNOMIAL);
    read_polynomial(cpu, polynomial, b.rows_mut());
    if let Some(seed) = seed.first_chunk() {
        noise::uniform(cpu, seed, a.rows_mut());
    }
    F::noise(cpu, noise, 0, &mut s);
    F::noise(cpu, noise, 1, &mut e);
    let [mut secret, mut sent] = [(); 2].map(|()| no_values());
    way.forward(&s, &mut secret);
    let mut operand = secret.clone();
    let (u, hints) = out.split_at_mut(POLYNOMIAL);
    masked(way, (&a, &mut operand, &e), Some(F::FACTORS), &mut sent);
    write_polynomial(cpu, sent.rows(), u);

    unmasked::<F>(way, &b, &mut secret, &mut v);
    F::noise(cpu, noise, 2, &mut e);
    way.add_coeffs(&mut v, &e);
    self::hints::<F>(cpu, noise, &v, &mut s);
    write_hints(cpu, &s, hints);
    reconcile::reconcile(cpu, &v, &s, F::INCLUSIVE, key);
    // A response is sent.
    publish(out);
}

/// The hints on `v`, with their random bits.
fn hints<F: Form>(cpu: Cpu, noise: &F::Noise<'_>, v: &Rows<ROWS>, out: &mut Rows<ROWS>) {
    let mut random = SecretBytes::<32>::zero();
    F::help_bits(cpu, noise, &mut random);
    reconcile::help(cpu, v, &random, F::BIT_IS_TAKEN_OFF, out);
}

/// Writes the bits that both have, of a response, whatever it is; spoils the secret.
pub(super) fn finish<F: Form>(
    way: Way<F>,
    secret: &mut Values<F>,
    response: &[u8; RESPONSE_BYTES],
    key: &mut [u8; 32],
) {
    let (cpu, mut u, mut v) = (way.cpu(), Values::<F>::ZERO, zero());
    let (polynomial, hints) = response.split_at(POLYNOMIAL);
    read_polynomial(cpu, polynomial, u.rows_mut());
    unmasked::<F>(way, &u, secret, &mut v);
    let mut received = Rows([[0; 16]; ROWS]);
    way.add_coeffs(&mut v, &received);
    read_hints(cpu, hints, &mut received);
    reconcile::reconcile(cpu, &v, &received, F::INCLUSIVE, key);
}
