//! What two sides do with a scheme, in a key exchange, with public-key encryption or with signatures, on
//! encoded bytes.

use super::{backends, check_backends, measure};
use crate::error::Error;
use crate::output::print;
use crate::progress::Progress;
use crate::table::{Table, time};
use ringsmith::Cpu;
use ringsmith::scheme::{KeyExchange, PublicKeyEncryption, Scheme, SchemeError, SignatureScheme, Status};
use ringsmith::signature::{Context, Mu};
use ringsmith_oracle::Random;
use std::hint::black_box;

/// Bytes of a message that is signed.
const MESSAGE: usize = 64;

/// What they go by.
#[derive(Clone, Copy)]
pub(super) enum Protocol {
    Kem(&'static Scheme),
    Exchange(&'static KeyExchange),
    Encryption(&'static PublicKeyEncryption),
    Signatures(&'static SignatureScheme),
}

impl Protocol {
    /// Its name.
    pub(super) const fn name(self) -> &'static str {
        self.facts().0
    }

    /// Its name and status.
    const fn facts(self) -> (&'static str, Status) {
        match self {
            Protocol::Kem(kem) => (kem.name, kem.status),
            Protocol::Exchange(exchange) => (exchange.name, exchange.status),
            Protocol::Encryption(encryption) => (encryption.name, encryption.status),
            Protocol::Signatures(signatures) => (signatures.name, signatures.status),
        }
    }
}

/// A part of the tour: protocols of one kind.
pub(super) struct Part {
    /// What a protocol is, and the names of the three steps.
    pub(super) headings: [&'static str; 4],
    /// What many of them are.
    pub(super) plural: &'static str,
    /// How many checks a transcript has.
    pub(super) checks: usize,
    /// All that a protocol computes, with randomness that is the same in every run.
    pub(super) transcript: fn(Cpu, Protocol) -> Result<Vec<u8>, Error>,
}

impl Part {
    /// Checks and times every protocol on every backend; how many checks that were.
    pub(super) fn run(&self, cpus: &[Cpu], all: impl Iterator<Item = Protocol>) -> Result<usize, Error> {
        let progress = Progress::new();
        let [what, steps @ ..] = self.headings;
        let headings = [what, "status", "cpu"].into_iter().chain(steps);
        let (mut table, mut checked) = (Table::new(3, headings), 0);
        for protocol in all {
            let (name, status) = protocol.facts();
            progress.show(name);
            let checks = check_backends(name, cpus, self.checks, |cpu| (self.transcript)(cpu, protocol));
            progress.clear();
            checked += checks?;
            for cpu in cpus {
                let mut rng = Random::new(2);
                let times = Session::new(*cpu, protocol, &mut rng)?.times(&mut rng);
                let row = [name, &status.to_string(), cpu.name()].map(String::from);
                table.push(row.into_iter().chain(times.map(time)).collect());
            }
        }
        let end = format!("{checked} checks of {} on {}: all right", self.plural, backends(cpus.len()));
        print(format!("\n{}\n{end}\n", table.render()).as_bytes())?;
        Ok(checked)
    }
}

/// The bytes of the three steps.
pub(super) struct Session {
    cpu: Cpu,
    protocol: Protocol,
    /// The public key, or the offer.
    pub(super) public: Vec<u8>,
    /// The private key, or the offer's secret.
    pub(super) private: Vec<u8>,
    /// The ciphertext, the response, or the signature.
    pub(super) answer: Vec<u8>,
    /// The shared key, the message, or what is signed.
    pub(super) shared: Vec<u8>,
}

impl Session {
    /// The first two steps.
    pub(super) fn new(cpu: Cpu, protocol: Protocol, rng: &mut Random) -> Result<Self, SchemeError> {
        let sizes = match protocol {
            Protocol::Kem(kem) => [kem.public_key, kem.private_key, kem.ciphertext, kem.shared_key],
            Protocol::Exchange(exchange) => {
                [exchange.offer, exchange.secret, exchange.response, exchange.shared_key]
            }
            Protocol::Encryption(pke) => [pke.public_key, pke.private_key, pke.ciphertext, pke.message],
            Protocol::Signatures(set) => [set.public_key, set.private_key, set.signature, MESSAGE],
        };
        let [public, private, answer, shared] = sizes.map(|size| vec![0; size]);
        let mut session = Session { cpu, protocol, public, private, answer, shared };
        if matches!(protocol, Protocol::Encryption(_) | Protocol::Signatures(_)) {
            rng.fill(&mut session.shared);
        }
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
            Protocol::Encryption(pke) => (pke.generate)(self.cpu, rng, &mut self.public, &mut self.private),
            Protocol::Signatures(set) => {
                let mut seed = vec![0; set.seed];
                rng.fill(&mut seed);
                (set.expand)(self.cpu, &seed, &mut self.public, &mut self.private)
            }
        }
    }

    /// What is signed of the message.
    fn mu(&self, set: &SignatureScheme) -> Result<Mu, SchemeError> {
        let mut message = (set.message)(self.cpu, &self.public, Context::EMPTY)?;
        message.update(&self.shared);
        Ok(message.finish())
    }

    fn answer(&mut self, rng: &mut Random) -> Result<(), SchemeError> {
        let answer = match self.protocol {
            Protocol::Kem(kem) => kem.encapsulate,
            Protocol::Exchange(exchange) => exchange.respond,
            Protocol::Encryption(pke) => {
                return (pke.encrypt)(self.cpu, &self.public, &self.shared, rng, &mut self.answer);
            }
            Protocol::Signatures(set) => {
                let mu = self.mu(set)?;
                return (set.sign)(self.cpu, &self.private, &mu, rng, &mut self.answer);
            }
        };
        answer(self.cpu, &self.public, rng, &mut self.answer, &mut self.shared)
    }

    /// The last step: the shared key that the first side has, or the message that it reads or verifies.
    pub(super) fn finish(&self) -> Result<Vec<u8>, SchemeError> {
        let mut shared = vec![0; self.shared.len()];
        let finish = match self.protocol {
            Protocol::Kem(kem) => kem.decapsulate,
            Protocol::Exchange(exchange) => exchange.finish,
            Protocol::Encryption(pke) => {
                let length = (pke.decrypt)(self.cpu, &self.private, &self.answer, &mut shared)?;
                shared.truncate(length);
                return Ok(shared);
            }
            Protocol::Signatures(set) => {
                (set.verify)(self.cpu, &self.public, &self.mu(set)?, &self.answer)?;
                return Ok(self.shared.clone());
            }
        };
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
