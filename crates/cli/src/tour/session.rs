//! What two sides do with a scheme, or in a key exchange, on encoded bytes.

use super::measure;
use ringsmith::Cpu;
use ringsmith::scheme::{KeyExchange, Scheme, SchemeError};
use ringsmith_oracle::Random;
use std::hint::black_box;

/// What they go by.
#[derive(Clone, Copy)]
pub(super) enum Protocol<'a> {
    Kem(&'a Scheme),
    Exchange(&'a KeyExchange),
}

/// The bytes of the three steps.
pub(super) struct Session<'a> {
    cpu: Cpu,
    protocol: Protocol<'a>,
    /// The public key, or the offer.
    pub(super) public: Vec<u8>,
    /// The private key, or the offer's secret.
    pub(super) private: Vec<u8>,
    /// The ciphertext, or the response.
    pub(super) answer: Vec<u8>,
    pub(super) shared: Vec<u8>,
}

impl<'a> Session<'a> {
    /// The first two steps.
    pub(super) fn new(cpu: Cpu, protocol: Protocol<'a>, rng: &mut Random) -> Result<Self, SchemeError> {
        let sizes = match protocol {
            Protocol::Kem(kem) => [kem.public_key, kem.private_key, kem.ciphertext, kem.shared_key],
            Protocol::Exchange(exchange) => {
                [exchange.offer, exchange.secret, exchange.response, exchange.shared_key]
            }
        };
        let [public, private, answer, shared] = sizes.map(|size| vec![0; size]);
        let mut session = Session { cpu, protocol, public, private, answer, shared };
        session.begin(rng)?;
        session.answer(rng)?;
        Ok(session)
    }

    fn begin(&mut self, rng: &mut Random) -> Result<(), SchemeError> {
        match self.protocol {
            Protocol::Kem(kem) => (kem.generate)(self.cpu, rng, &mut self.public, &mut self.private),
            Protocol::Exchange(exchange) => {
                (exchange.make_offer)(self.cpu, rng, &mut self.private, &mut self.public)
            }
        }
    }

    fn answer(&mut self, rng: &mut Random) -> Result<(), SchemeError> {
        let answer = match self.protocol {
            Protocol::Kem(kem) => kem.encapsulate,
            Protocol::Exchange(exchange) => exchange.respond,
        };
        answer(self.cpu, &self.public, rng, &mut self.answer, &mut self.shared)
    }

    /// The last step: the shared key that the first side has.
    pub(super) fn finish(&self) -> Result<Vec<u8>, SchemeError> {
        let finish = match self.protocol {
            Protocol::Kem(kem) => kem.decapsulate,
            Protocol::Exchange(exchange) => exchange.finish,
        };
        let mut shared = vec![0; self.shared.len()];
        finish(self.cpu, &self.private, &self.answer, &mut shared)?;
        Ok(shared)
    }

    /// Nanoseconds of the steps, which succeed on the same arguments.
    pub(super) fn times(mut self, rng: &mut Random) -> [f64; 3] {
        let finish = measure(|| _ = black_box(self.finish()));
        let begin = measure(|| _ = black_box(self.begin(rng)));
        [begin, measure(|| _ = black_box(self.answer(rng))), finish]
    }
}
