//! The types of a form.

/// What users see of a form; the module has `Exchange` with a field `way` and the methods `noise_of` a seed,
/// and `key`, which makes the shared key of the bits.
macro_rules! types {
    ($form:ident, $name:literal, $source:literal) => {
        use crate::exchange::{self, Form};
        use crate::way::{Domain, Way};
        use rand_core::CryptoRng;
        use ringsmith_kem::scheme::{KeyExchange, SchemeError, Status, exactly, exactly_mut};
        use ringsmith_ring::{Route, WhyNot};
        use ringsmith_simd::Cpu;
        use zeroize::{ZeroizeOnDrop, Zeroizing};

        /// Bytes of an offer.
        pub const OFFER_BYTES: usize = exchange::OFFER_BYTES;
        /// Bytes of a response.
        pub const RESPONSE_BYTES: usize = exchange::RESPONSE_BYTES;
        /// Bytes of the secret of an offer.
        pub const SECRET_BYTES: usize = exchange::SECRET_BYTES;
        /// A shared key.
        pub type SharedKey = [u8; 32];

        /// The form among [all exchanges](ringsmith_kem::scheme), by the planner's route and without
        /// options.
        pub static EXCHANGE: KeyExchange = key_exchange::<Planned>();

        struct Planned;

        impl Domain for Planned {
            const ENTRY: &'static OrderedEntry<ROWS> = $form::PLANNED;
        }

        /// The same by another domain in the same order.
        pub const fn key_exchange<D: Domain>() -> KeyExchange {
            KeyExchange {
                name: $name,
                status: Status::Historical,
                source: $source,
                route: D::ENTRY.route,
                secret: SECRET_BYTES,
                offer: OFFER_BYTES,
                response: RESPONSE_BYTES,
                shared_key: 32,
                make_offer: |cpu, rng, secret, offer| {
                    let secret = exactly_mut("secret", secret)?;
                    let offer = exactly_mut("offer", offer)?;
                    Exchange::of::<D>(cpu).offer_into(rng, offer).write(secret);
                    Ok(())
                },
                respond: |cpu, offer, rng, response, shared| {
                    let response = exactly_mut("response", response)?;
                    let shared = exactly_mut("shared key", shared)?;
                    let exchange = Exchange::of::<D>(cpu);
                    *shared = exchange.respond_into(rng, exactly("offer", offer)?, response);
                    Ok(())
                },
                finish: |cpu, secret, response, shared| {
                    let shared = exactly_mut("shared key", shared)?;
                    let response = exactly("response", response)?;
                    let (exchange, secret) = (Exchange::of::<D>(cpu), exactly("secret", secret)?);
                    *shared = exchange.finish(&mut exchange::read_secret(cpu, secret), response);
                    Ok(())
                },
            }
        }

        /// What an exchange by a domain is made of, to measure it. No part of the interface.
        #[doc(hidden)]
        pub const fn parts<D: Domain>() -> [crate::parts::Part; 6] {
            use crate::parts::{self, Part};
            [
                Part::by_route("ntt", |cpu, work| parts::ntt(Exchange::of::<D>(cpu).way, work)),
                Part::by_route("intt", |cpu, work| parts::intt(Exchange::of::<D>(cpu).way, work)),
                Part::new("uniform", |cpu, work| parts::uniform(Exchange::of::<D>(cpu).way, work)),
                Part::new("error", |cpu, work| {
                    let (it, seed, out) = (Exchange::of::<D>(cpu), &work.seed, &mut work.out);
                    parts::error::<$form>(it.way, &it.noise_of(seed), out);
                }),
                Part::new("help", |cpu, work| {
                    let (it, seed, out) = (Exchange::of::<D>(cpu), &work.seed, &mut work.out);
                    parts::help::<$form>(it.way, &it.noise_of(seed), &work.polynomials[0], out);
                }),
                Part::new("reconcile", |cpu, work| {
                    parts::reconcile::<$form>(Exchange::of::<D>(cpu).way, work);
                }),
            ]
        }

        /// The secret of an offer, until the response comes. It finishes one exchange, and is gone then;
        /// cleared on drop.
        pub struct Offer {
            exchange: Exchange,
            secret: exchange::Secret,
        }

        impl ZeroizeOnDrop for Offer {}

        impl Exchange {
            fn of<D: Domain>(cpu: Cpu) -> Self {
                let mut exchange = Self::new(cpu);
                exchange.way.domain = D::ENTRY;
                exchange
            }

            /// By another domain, as the crate `ringsmith-routes` lists them; results do not depend on it.
            ///
            /// # Errors
            /// Where the domain has its values in another order.
            pub fn with_domain(mut self, domain: &'static OrderedEntry<ROWS>) -> Result<Self, WhyNot> {
                self.way = self.way.by(domain)?;
                Ok(self)
            }

            /// The route.
            pub fn route(&self) -> Route {
                self.way.domain.route
            }

            /// Alice's first step: the secret, and the offer to send. Draws 32 bytes by each of two calls.
            pub fn offer(&self, rng: &mut (impl CryptoRng + ?Sized)) -> (Offer, [u8; OFFER_BYTES]) {
                let mut out = [0; OFFER_BYTES];
                (self.offer_into(rng, &mut out), out)
            }

            fn offer_into(&self, rng: &mut (impl CryptoRng + ?Sized), out: &mut [u8; OFFER_BYTES]) -> Offer {
                let (mut seed, mut noise_seed) = ([0; 32], Zeroizing::new([0; 32]));
                rng.fill_bytes(&mut seed);
                rng.fill_bytes(noise_seed.as_mut());
                self.offer_from(&seed, &self.noise_of(&noise_seed), out)
            }

            /// Bob's step: the response to send to an offer, which any bytes are, and the shared key. Draws
            /// 32 bytes.
            pub fn respond(
                &self,
                rng: &mut (impl CryptoRng + ?Sized),
                offer: &[u8; OFFER_BYTES],
            ) -> ([u8; RESPONSE_BYTES], SharedKey) {
                let mut out = [0; RESPONSE_BYTES];
                let shared = self.respond_into(rng, offer, &mut out);
                (out, shared)
            }

            fn respond_into(
                &self,
                rng: &mut (impl CryptoRng + ?Sized),
                offer: &[u8; OFFER_BYTES],
                out: &mut [u8; RESPONSE_BYTES],
            ) -> SharedKey {
                let mut noise_seed = Zeroizing::new([0; 32]);
                rng.fill_bytes(noise_seed.as_mut());
                self.respond_from(&self.noise_of(&noise_seed), offer, out)
            }

            /// [`offer`](Self::offer) with the seed of the public polynomial and that of the noise in place
            /// of randomness. The second must be secret, and never used again.
            #[cfg(feature = "hazmat")]
            pub fn offer_deterministic(
                &self,
                seed: &[u8; 32],
                noise_seed: &[u8; 32],
            ) -> (Offer, [u8; OFFER_BYTES]) {
                let mut out = [0; OFFER_BYTES];
                (self.offer_from(seed, &self.noise_of(noise_seed), &mut out), out)
            }

            /// [`respond`](Self::respond) with the seed of the noise in place of randomness. It must be
            /// secret, and never used again.
            #[cfg(feature = "hazmat")]
            pub fn respond_deterministic(
                &self,
                noise_seed: &[u8; 32],
                offer: &[u8; OFFER_BYTES],
            ) -> ([u8; RESPONSE_BYTES], SharedKey) {
                let mut out = [0; RESPONSE_BYTES];
                let shared = self.respond_from(&self.noise_of(noise_seed), offer, &mut out);
                (out, shared)
            }

            /// The secret of an offer, from the bytes that [`Offer::into_bytes`] wrote.
            ///
            /// # Errors
            /// Where their number is another.
            pub fn read_offer(&self, bytes: &[u8]) -> Result<Offer, SchemeError> {
                let bytes = exactly("secret", bytes)?;
                Ok(Offer { exchange: *self, secret: exchange::read_secret(self.way.cpu, bytes) })
            }

            /// The shared key of a secret, which is spoiled.
            fn finish(&self, secret: &mut exchange::Secret, response: &[u8; RESPONSE_BYTES]) -> SharedKey {
                self.key(&exchange::finish::<$form>(self.way, secret, response))
            }

            fn offer_from(
                &self,
                seed: &[u8; 32],
                noise: &<$form as Form>::Noise<'_>,
                out: &mut [u8; OFFER_BYTES],
            ) -> Offer {
                Offer { exchange: *self, secret: exchange::offer::<$form>(self.way, seed, noise, out) }
            }

            fn respond_from(
                &self,
                noise: &<$form as Form>::Noise<'_>,
                offer: &[u8; OFFER_BYTES],
                out: &mut [u8; RESPONSE_BYTES],
            ) -> SharedKey {
                self.key(&exchange::respond::<$form>(self.way, offer, noise, out))
            }
        }

        impl Offer {
            /// Alice's last step: the shared key, of Bob's response, which any bytes are.
            pub fn finish(mut self, response: &[u8; RESPONSE_BYTES]) -> SharedKey {
                self.exchange.finish(&mut self.secret, response)
            }

            /// The secret as bytes, for a program that ends before the response comes: 14 bits for each value
            /// in the domain. They finish one exchange, as the offer does: erase them then.
            pub fn into_bytes(self) -> Zeroizing<[u8; SECRET_BYTES]> {
                let mut bytes = Zeroizing::new([0; SECRET_BYTES]);
                self.write(&mut bytes);
                bytes
            }

            fn write(&self, out: &mut [u8; SECRET_BYTES]) {
                exchange::write_secret(self.exchange.way.cpu, &self.secret, out);
            }
        }
    };
}
pub(crate) use types;
