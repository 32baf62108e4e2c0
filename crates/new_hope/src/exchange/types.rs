//! What users see of a form: the exchange, and the secret of an offer.

use super::parts::{self, Part};
use super::{Entry, Form, OFFER_BYTES, RESPONSE_BYTES, SECRET_BYTES, Secret, Way};
use crate::domain::no_values;
use core::marker::PhantomData;
use rand_core::CryptoRng;
use ringsmith_kem::scheme::{KeyExchange, SchemeError, Status, exactly, exactly_mut};
use ringsmith_kem::secret::SecretBytes;
use ringsmith_kem::set::SharedKey;
use ringsmith_ring::{Domain, Route};
use ringsmith_simd::Cpu;
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// A domain of the form `F` by one route, as a type: [`KeyExchange`]s are made of it.
pub trait By<F: Form> {
    /// Its functions.
    const ENTRY: &'static Entry<F>;
}

/// How an exchange of the form `F` is done: on which CPU, by which route, and the options of the form.
#[derive(Clone, Copy)]
pub struct Exchange<F: Form> {
    pub(crate) way: Way<F>,
    pub(crate) form: F,
}

/// The secret of an offer, until the response comes. It finishes one exchange, and is gone then; cleared on
/// drop.
pub struct Offer<F: Form> {
    exchange: Exchange<F>,
    secret: Secret<F>,
}

impl<F: Form> ZeroizeOnDrop for Offer<F> {}

impl<F: Form> Default for Exchange<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F: Form> Exchange<F> {
    /// By the planner's route, and without options.
    pub fn new() -> Self {
        Self::new_on(Cpu::detect())
    }

    /// The same on this CPU.
    pub fn new_on(cpu: Cpu) -> Self {
        Self::of::<Planned<F>>(cpu)
    }

    fn of<D: By<F>>(cpu: Cpu) -> Self {
        Exchange { way: Domain::by_on(cpu, D::ENTRY), form: F::default() }
    }

    /// By another domain, as the crate `ringsmith-routes` lists them, on the same CPU; results do not depend
    /// on it.
    pub fn with_domain(mut self, domain: &'static Entry<F>) -> Self {
        self.way = Domain::by_on(self.way.cpu(), domain);
        self
    }

    /// The route.
    pub fn route(&self) -> Route {
        self.way.route()
    }

    /// Alice's first step: the secret, and the offer to send. Draws 32 bytes by each of two calls.
    pub fn offer(&self, rng: &mut (impl CryptoRng + ?Sized)) -> (Offer<F>, [u8; OFFER_BYTES]) {
        let mut made = (self.blank(), [0; OFFER_BYTES]);
        made.0.offer_into(rng, &mut made.1);
        made
    }

    /// Bob's step: computes the response to an offer and the shared key. Every byte string of the right
    /// length is an offer. Draws 32 bytes.
    pub fn respond(
        &self,
        rng: &mut (impl CryptoRng + ?Sized),
        offer: &[u8; OFFER_BYTES],
    ) -> ([u8; RESPONSE_BYTES], SharedKey) {
        let mut made = ([0; RESPONSE_BYTES], SharedKey::zero());
        self.respond_into(rng, offer, &mut made.0, &mut made.1);
        made
    }

    fn respond_into(
        &self,
        rng: &mut (impl CryptoRng + ?Sized),
        offer: &[u8; OFFER_BYTES],
        out: &mut [u8; RESPONSE_BYTES],
        shared: &mut SharedKey,
    ) {
        let mut noise_seed = SecretBytes::<32>::zero();
        rng.fill_bytes(noise_seed.as_mut());
        self.respond_from(&self.form.noise_of(&noise_seed), offer, out, shared);
    }

    /// [`offer`](Self::offer) with the seed of the public polynomial and that of the noise in place of
    /// randomness. The second must be secret, and never used again.
    #[cfg(feature = "hazmat")]
    pub fn offer_deterministic(
        &self,
        seed: &[u8; 32],
        noise_seed: &[u8; 32],
    ) -> (Offer<F>, [u8; OFFER_BYTES]) {
        self.offer_from(seed, &self.form.noise_of(noise_seed))
    }

    /// [`respond`](Self::respond) with the seed of the noise in place of randomness. It must be secret, and
    /// never used again.
    #[cfg(feature = "hazmat")]
    pub fn respond_deterministic(
        &self,
        noise_seed: &[u8; 32],
        offer: &[u8; OFFER_BYTES],
    ) -> ([u8; RESPONSE_BYTES], SharedKey) {
        let mut made = ([0; RESPONSE_BYTES], SharedKey::zero());
        self.respond_from(&self.form.noise_of(noise_seed), offer, &mut made.0, &mut made.1);
        made
    }

    /// The secret of an offer, from the bytes that [`Offer::into_bytes`] wrote.
    ///
    /// # Errors
    /// Where their number is another.
    pub fn read_offer(&self, bytes: &[u8]) -> Result<Offer<F>, SchemeError> {
        let mut offer = self.blank();
        offer.read(bytes)?;
        Ok(offer)
    }

    /// Room for an offer.
    fn blank(&self) -> Offer<F> {
        Offer { exchange: *self, secret: no_values() }
    }

    #[cfg(feature = "hazmat")]
    pub(crate) fn offer_from(&self, seed: &[u8; 32], noise: &F::Noise<'_>) -> (Offer<F>, [u8; OFFER_BYTES]) {
        let mut made = (self.blank(), [0; OFFER_BYTES]);
        super::offer::<F>(self.way, seed, noise, &mut made.0.secret, &mut made.1);
        made
    }

    pub(crate) fn respond_from(
        &self,
        noise: &F::Noise<'_>,
        offer: &[u8; OFFER_BYTES],
        out: &mut [u8; RESPONSE_BYTES],
        shared: &mut SharedKey,
    ) {
        let mut bits = SecretBytes::zero();
        super::respond::<F>(self.way, offer, noise, out, &mut bits);
        self.form.key(self.way.cpu(), &bits, shared);
    }
}

impl<F: Form> Offer<F> {
    /// A new secret, and its offer.
    fn offer_into(&mut self, rng: &mut (impl CryptoRng + ?Sized), out: &mut [u8; OFFER_BYTES]) {
        let (Exchange { way, form }, mut seed, mut noise_seed) =
            (self.exchange, [0; 32], SecretBytes::<32>::zero());
        rng.fill_bytes(&mut seed);
        rng.fill_bytes(noise_seed.as_mut());
        super::offer::<F>(way, &seed, &form.noise_of(&noise_seed), &mut self.secret, out);
    }

    fn read(&mut self, bytes: &[u8]) -> Result<(), SchemeError> {
        let bytes = exactly::<[u8; SECRET_BYTES]>("secret", bytes)?;
        super::read_polynomial(self.exchange.way.cpu(), bytes, self.secret.rows_mut());
        Ok(())
    }

    /// Alice's last step: computes the shared key from Bob's response. Every byte string of the right length
    /// is a response.
    pub fn finish(mut self, response: &[u8; RESPONSE_BYTES]) -> SharedKey {
        let mut shared = SharedKey::zero();
        self.finish_into(response, &mut shared);
        shared
    }

    fn finish_into(&mut self, response: &[u8; RESPONSE_BYTES], shared: &mut SharedKey) {
        let (Exchange { way, form }, mut bits) = (self.exchange, SecretBytes::zero());
        super::finish::<F>(way, &mut self.secret, response, &mut bits);
        form.key(way.cpu(), &bits, shared);
    }

    /// The secret as bytes, for a program that ends before the response comes: 14 bits for each value in the
    /// domain. They finish one exchange, as the offer does: erase them then.
    pub fn into_bytes(self) -> Zeroizing<[u8; SECRET_BYTES]> {
        let mut bytes = Zeroizing::new([0; SECRET_BYTES]);
        self.write(&mut bytes);
        bytes
    }

    fn write(&self, out: &mut [u8; SECRET_BYTES]) {
        super::write_polynomial(self.exchange.way.cpu(), self.secret.rows(), out);
    }
}

/// A form among [all exchanges](ringsmith_kem::scheme), by a domain in its order and without options.
pub(crate) const fn key_exchange<F: Form, D: By<F>>() -> KeyExchange {
    KeyExchange {
        name: F::NAME,
        status: Status::Historical,
        source: F::SOURCE,
        route: D::ENTRY.route(),
        secret: SECRET_BYTES,
        offer: OFFER_BYTES,
        response: RESPONSE_BYTES,
        shared_key: 32,
        make_offer: |cpu, rng, secret, offer| {
            let secret = exactly_mut("secret", secret)?;
            let offer = exactly_mut("offer", offer)?;
            let mut made = Exchange::<F>::of::<D>(cpu).blank();
            made.offer_into(rng, offer);
            made.write(secret);
            Ok(())
        },
        respond: |cpu, offer, rng, response, shared| {
            let response = exactly_mut("response", response)?;
            let shared = exactly_mut("shared key", shared)?;
            let exchange = Exchange::<F>::of::<D>(cpu);
            let mut key = SharedKey::zero();
            exchange.respond_into(rng, exactly("offer", offer)?, response, &mut key);
            *shared = *key.as_bytes();
            Ok(())
        },
        finish: |cpu, secret, response, shared| {
            let shared = exactly_mut("shared key", shared)?;
            let response = exactly("response", response)?;
            let (mut key, mut offer) = (SharedKey::zero(), Exchange::<F>::of::<D>(cpu).blank());
            offer.read(secret)?;
            offer.finish_into(response, &mut key);
            *shared = *key.as_bytes();
            Ok(())
        },
    }
}

/// The planner's domain of a form.
pub(crate) struct Planned<F>(PhantomData<F>);

impl<F: Form> By<F> for Planned<F> {
    const ENTRY: &'static Entry<F> = F::PLANNED;
}

/// What an exchange by a domain is made of, to measure it.
pub(crate) const fn parts<F: Form, D: By<F>>() -> [Part; 6] {
    [
        Part::by_route("ntt", |cpu, work| parts::ntt::<F>(Exchange::<F>::of::<D>(cpu).way, work)),
        Part::by_route("intt", |cpu, work| parts::intt::<F>(Exchange::<F>::of::<D>(cpu).way, work)),
        Part::new("uniform", |cpu, work| parts::uniform::<F>(Exchange::<F>::of::<D>(cpu).way, work)),
        Part::new("error", |cpu, work| {
            let (it, seed, out) = (Exchange::<F>::of::<D>(cpu), &work.seed, &mut work.out);
            parts::error::<F>(it.way, &it.form.noise_of(seed), out);
        }),
        Part::new("help", |cpu, work| {
            let (it, seed, out) = (Exchange::<F>::of::<D>(cpu), &work.seed, &mut work.out);
            parts::help::<F>(it.way, &it.form.noise_of(seed), &work.polynomials[0], out);
        }),
        Part::new("reconcile", |cpu, work| {
            parts::reconcile::<F>(Exchange::<F>::of::<D>(cpu).way, work);
        }),
    ]
}
