//! The NewHope key exchange: what both forms of it have in common.
//!
//! Alice offers `b = a s + e` and the seed of `a`; Bob responds with `u = a s' + e'` and hints on `v = b s' + e''`; both have the
//! same 256 bits of `v` then, by [`reconcile`]. The form says how noise is made, in which order values are sent and with which
//! factors.

pub(super) mod noise;
mod reconcile;
pub(super) mod types;

use crate::bits;
use crate::declassify::publish;
use crate::secret::SecretBytes;
use noise::ROWS;
use ringsmith_ring::algorithm::ordered::OrderedEntry;
use ringsmith_ring::number::inverse;
use ringsmith_ring::{Route, Rows, WhyNot};
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
pub(super) const OFFER_BYTES: usize = POLYNOMIAL + 32;
/// Bytes of a response.
pub(super) const RESPONSE_BYTES: usize = POLYNOMIAL + HINTS;
/// Bytes of what Alice keeps.
pub(super) const SECRET_BYTES: usize = POLYNOMIAL;

/// What Alice keeps.
pub(super) type Secret = Zeroizing<Rows<ROWS>>;
/// The bits that both have.
pub(super) type Bits = Zeroizing<[u8; 32]>;

fn zero() -> Secret {
    Zeroizing::new(Rows([[0; 16]; ROWS]))
}

/// What tells the forms apart.
pub(super) trait Form {
    /// The domain, by each route; the planner's choice first.
    const ENTRIES: &'static [OrderedEntry<ROWS>];
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
}

/// How an exchange is done: on which CPU, by which route. It changes no result.
#[derive(Clone, Copy)]
pub(super) struct Way {
    pub(super) cpu: Cpu,
    domain: &'static OrderedEntry<ROWS>,
}

impl Way {
    /// The planner's.
    pub(super) fn new<F: Form>(cpu: Cpu) -> Self {
        Way { cpu, domain: &F::ENTRIES[0] }
    }

    /// The same by a route.
    pub(super) fn by<F: Form>(self, route: Route) -> Result<Self, WhyNot> {
        let domain = F::ENTRIES.iter().find(|entry| entry.route == route).ok_or(WhyNot::NotCompiled)?;
        Ok(Way { domain, ..self })
    }

    /// The route.
    pub(super) fn route(self) -> Route {
        self.domain.route
    }

    /// `out = S a s + E e` in the domain, in `[0, q)`, of `s` in the domain and the coefficients of `e`; spoils both.
    fn masked<F: Form>(self, a: &Rows<ROWS>, s: &mut Rows<ROWS>, e: &mut Rows<ROWS>, out: &mut Rows<ROWS>) {
        let Way { cpu, domain } = self;
        domain.scale_to_stay(cpu, s, F::FACTORS[0]);
        (domain.product)(cpu, a, s, out);
        (domain.forward)(cpu, e, s);
        if F::FACTORS[1] != 1 {
            (domain.scale)(cpu, s, F::FACTORS[1]);
        }
        (domain.add)(cpu, out, s);
    }

    /// `x s` out of the domain, centred, of a polynomial as it is sent and `s` in the domain, which it spoils.
    fn unmasked<F: Form>(self, x: &Rows<ROWS>, s: &mut Rows<ROWS>, out: &mut Rows<ROWS>) {
        let Way { cpu, domain } = self;
        if F::FACTORS[1] != 1 {
            (domain.scale)(cpu, s, const { inverse(F::FACTORS[1], Q) });
        }
        let mut product = zero();
        (domain.product)(cpu, x, s, &mut product);
        (domain.inverse)(cpu, &product, out);
    }
}

/// Offers: writes what is sent, and returns what is kept, in the domain and in `[0, q)`. `seed` is sent.
pub(super) fn offer<F: Form>(
    way: Way,
    seed: &[u8; 32],
    noise: &F::Noise<'_>,
    out: &mut [u8; OFFER_BYTES],
) -> Secret {
    let (Way { cpu, domain }, [mut a, mut s, mut e, mut b]) = (way, [(); 4].map(|()| zero()));
    noise::uniform(cpu, seed, &mut a);
    F::noise(cpu, noise, 0, &mut s);
    F::noise(cpu, noise, 1, &mut e);
    let mut secret = zero();
    (domain.forward)(cpu, &s, &mut secret);
    (domain.add)(cpu, &mut secret, &zero());
    *s = *secret;
    way.masked::<F>(&a, &mut s, &mut e, &mut b);
    let (polynomial, place) = out.split_at_mut(POLYNOMIAL);
    bits::encode::<BITS, ROWS>(cpu, &b.0, polynomial);
    place.copy_from_slice(seed);
    // An offer is sent.
    publish(out);
    secret
}

/// Responds to an offer, whatever it is: writes what is sent; the bits that both have.
pub(super) fn respond<F: Form>(
    way: Way,
    offer: &[u8; OFFER_BYTES],
    noise: &F::Noise<'_>,
    out: &mut [u8; RESPONSE_BYTES],
) -> Bits {
    let (Way { cpu, domain }, [mut a, mut b, mut s, mut e]) = (way, [(); 4].map(|()| zero()));
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
    way.masked::<F>(&a, &mut s, &mut e, &mut v);
    bits::encode::<BITS, ROWS>(cpu, &v.0, u);

    way.unmasked::<F>(&b, &mut transformed, &mut v);
    F::noise(cpu, noise, 2, &mut e);
    (domain.add)(cpu, &mut v, &e);
    let (mut random, mut key) = (SecretBytes::<32>::zero(), Bits::new([0; 32]));
    F::help_bits(noise, &mut random);
    reconcile::help(cpu, &v, &random, F::BIT_IS_TAKEN_OFF, &mut s);
    bits::encode::<2, ROWS>(cpu, &s.0, hints);
    reconcile::reconcile(cpu, &v, &s, F::INCLUSIVE, &mut key);
    // A response is sent.
    publish(out);
    key
}

/// The bits that both have, of a response, whatever it is; spoils the secret.
pub(super) fn finish<F: Form>(way: Way, secret: &mut Rows<ROWS>, response: &[u8; RESPONSE_BYTES]) -> Bits {
    let (Way { cpu, domain }, [mut u, mut v]) = (way, [(); 2].map(|()| zero()));
    let (polynomial, hints) = response.split_at(POLYNOMIAL);
    bits::decode::<Q, BITS, ROWS>(cpu, polynomial, &mut u.0);
    way.unmasked::<F>(&u, secret, &mut v);
    (domain.add)(cpu, &mut v, &zero());
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
