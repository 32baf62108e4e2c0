//! The types of a form.

/// What users see of a form; the module has `Exchange` with a field `way` and the methods `noise_of` a seed,
/// and `key`, which makes the shared key of the bits.
macro_rules! types {
    ($form:ident, $name:literal, $source:literal) => {
        use crate::new_hope::exchange::{self, Form};
        use crate::new_hope::way::Way;
        use crate::scheme::{self, KeyExchange, SchemeError, Status, exactly, exactly_mut};
        use rand_core::CryptoRng;
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

        /// The form among [all exchanges](crate::scheme::EXCHANGES), without options.
        pub static EXCHANGE: KeyExchange = KeyExchange {
            name: $name,
            status: Status::Historical,
            source: $source,
            secret: SECRET_BYTES,
            offer: OFFER_BYTES,
            response: RESPONSE_BYTES,
            shared_key: 32,
            make_offer: |way, rng, secret, offer| {
                let secret = exactly_mut("secret", secret)?;
                let offer = exactly_mut("offer", offer)?;
                Exchange::by(way)?.offer_into(rng, offer).write(secret);
                Ok(())
            },
            respond: |way, offer, rng, response, shared| {
                let response = exactly_mut("response", response)?;
                let shared = exactly_mut("shared key", shared)?;
                *shared = Exchange::by(way)?.respond_into(rng, exactly("offer", offer)?, response);
                Ok(())
            },
            finish: |way, secret, response, shared| {
                let shared = exactly_mut("shared key", shared)?;
                let response = exactly("response", response)?;
                *shared = Exchange::by(way)?.read_offer(secret)?.finish(response);
                Ok(())
            },
        };

        /// What an exchange is made of, to measure it. No part of the interface.
        #[cfg(feature = "parts")]
        pub static PARTS: [crate::new_hope::parts::Part; 6] = {
            use crate::new_hope::parts::{self, Part};
            [
                Part::by_route("ntt", |way, work| Exchange::by(way).map(|it| parts::ntt(it.way, work))),
                Part::by_route("intt", |way, work| Exchange::by(way).map(|it| parts::intt(it.way, work))),
                Part::new("uniform", |way, work| Exchange::by(way).map(|it| parts::uniform(it.way, work))),
                Part::new("error", |way, work| {
                    let (seed, out) = (&work.seed, &mut work.out);
                    Exchange::by(way).map(|it| parts::error::<$form>(it.way, &it.noise_of(seed), out))
                }),
                Part::new("help", |way, work| {
                    let (seed, v, out) = (&work.seed, &work.polynomials[0], &mut work.out);
                    Exchange::by(way).map(|it| parts::help::<$form>(it.way, &it.noise_of(seed), v, out))
                }),
                Part::new("reconcile", |way, work| {
                    Exchange::by(way).map(|it| parts::reconcile::<$form>(it.way, work))
                }),
            ]
        };

        /// The secret of an offer, until the response comes. It finishes one exchange, and is gone then;
        /// cleared on drop.
        pub struct Offer {
            exchange: Exchange,
            secret: exchange::Secret,
        }

        impl ZeroizeOnDrop for Offer {}

        impl Exchange {
            fn by((cpu, route): scheme::Way) -> Result<Self, SchemeError> {
                let exchange = Self::new(cpu);
                Ok(route.map_or(Ok(exchange), |route| exchange.with_route(route))?)
            }

            /// By another route of the ring; results do not depend on it.
            ///
            /// # Errors
            /// Where the exchange has no domain by this route.
            pub fn with_route(mut self, route: Route) -> Result<Self, WhyNot> {
                self.way = self.way.by(route, $form::ENTRIES)?;
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
                let Exchange { way, .. } = self.exchange;
                let bits = exchange::finish::<$form>(way, &mut self.secret, response);
                self.exchange.key(&bits)
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
