//! What users see of a form: the exchange, and the secret of an offer.

use super::parts::{self, Part};
use super::{Entry, Form, OFFER_BYTES, RESPONSE_BYTES, SECRET_BYTES, Secret, Way, read_secret, write_secret};
use core::marker::PhantomData;
use rand_core::CryptoRng;
use ringsmith_kem::scheme::{KeyExchange, SchemeError, Status, exactly, exactly_mut};
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

    /// By another domain, as the crate `ringsmith-routes` lists them, on the same CPU; results do not depend on
    /// it.
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
        let mut out = [0; OFFER_BYTES];
        (self.offer_into(rng, &mut out), out)
    }

    fn offer_into(&self, rng: &mut (impl CryptoRng + ?Sized), out: &mut [u8; OFFER_BYTES]) -> Offer<F> {
        let (mut seed, mut noise_seed) = ([0; 32], Zeroizing::new([0; 32]));
        rng.fill_bytes(&mut seed);
        rng.fill_bytes(noise_seed.as_mut());
        self.offer_from(&seed, &self.form.noise_of(&noise_seed), out)
    }

    /// Bob's step: the response to send to an offer, which any bytes are, and the shared key. Draws 32 bytes.
    pub fn respond(
        &self,
        rng: &mut (impl CryptoRng + ?Sized),
        offer: &[u8; OFFER_BYTES],
    ) -> ([u8; RESPONSE_BYTES], SharedKey) {
        let (mut out, mut shared) = ([0; RESPONSE_BYTES], SharedKey::zero());
        self.respond_into(rng, offer, &mut out, &mut shared);
        (out, shared)
    }

    fn respond_into(
        &self,
        rng: &mut (impl CryptoRng + ?Sized),
        offer: &[u8; OFFER_BYTES],
        out: &mut [u8; RESPONSE_BYTES],
        shared: &mut SharedKey,
    ) {
        let mut noise_seed = Zeroizing::new([0; 32]);
        rng.fill_bytes(noise_seed.as_mut());
        self.form.respond(self.way, offer, &self.form.noise_of(&noise_seed), out, shared);
    }

    /// [`offer`](Self::offer) with the seed of the public polynomial and that of the noise in place of
    /// randomness. The second must be secret, and never used again.
    #[cfg(feature = "hazmat")]
    pub fn offer_deterministic(
        &self,
        seed: &[u8; 32],
        noise_seed: &[u8; 32],
    ) -> (Offer<F>, [u8; OFFER_BYTES]) {
        let mut out = [0; OFFER_BYTES];
        (self.offer_from(seed, &self.form.noise_of(noise_seed), &mut out), out)
    }

    /// [`respond`](Self::respond) with the seed of the noise in place of randomness. It must be secret, and
    /// never used again.
    #[cfg(feature = "hazmat")]
    pub fn respond_deterministic(
        &self,
        noise_seed: &[u8; 32],
        offer: &[u8; OFFER_BYTES],
    ) -> ([u8; RESPONSE_BYTES], SharedKey) {
        let (mut out, mut shared) = ([0; RESPONSE_BYTES], SharedKey::zero());
        self.form.respond(self.way, offer, &self.form.noise_of(noise_seed), &mut out, &mut shared);
        (out, shared)
    }

    /// The secret of an offer, from the bytes that [`Offer::into_bytes`] wrote.
    ///
    /// # Errors
    /// Where their number is another.
    pub fn read_offer(&self, bytes: &[u8]) -> Result<Offer<F>, SchemeError> {
        let bytes = exactly("secret", bytes)?;
        Ok(Offer { exchange: *self, secret: read_secret::<F>(self.way.cpu(), bytes) })
    }

    pub(crate) fn offer_from(
        &self,
        seed: &[u8; 32],
        noise: &F::Noise<'_>,
        out: &mut [u8; OFFER_BYTES],
    ) -> Offer<F> {
        Offer { exchange: *self, secret: F::offer(self.way, seed, noise, out) }
    }
}

impl<F: Form> Offer<F> {
    /// Alice's last step: the shared key, of Bob's response, which any bytes are.
    pub fn finish(mut self, response: &[u8; RESPONSE_BYTES]) -> SharedKey {
        let mut shared = SharedKey::zero();
        self.exchange.form.finish(self.exchange.way, &mut self.secret, response, &mut shared);
        shared
    }

    /// The secret as bytes, for a program that ends before the response comes: 14 bits for each value in the
    /// domain. They finish one exchange, as the offer does: erase them then.
    pub fn into_bytes(self) -> Zeroizing<[u8; SECRET_BYTES]> {
        let mut bytes = Zeroizing::new([0; SECRET_BYTES]);
        self.write(&mut bytes);
        bytes
    }

    fn write(&self, out: &mut [u8; SECRET_BYTES]) {
        write_secret::<F>(self.exchange.way.cpu(), &self.secret, out);
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
            Exchange::<F>::of::<D>(cpu).offer_into(rng, offer).write(secret);
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
            let (exchange, secret) = (Exchange::<F>::of::<D>(cpu), exactly("secret", secret)?);
            let mut key = SharedKey::zero();
            exchange.form.finish(exchange.way, &mut read_secret::<F>(cpu, secret), response, &mut key);
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
