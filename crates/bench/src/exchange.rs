//! The suite of the key exchanges: each step from bytes to bytes, by each route.
//!
//! `offer` writes a secret and an offer, `respond` reads an offer, `finish` a secret and a response: nothing
//! is kept from one run to the next. Randomness comes from a generator in memory. What they are made of is
//! measured too: `ntt` and `intt`, `uniform` (the public polynomial of a seed), `error` (one polynomial of
//! noise), `help` and `reconcile`.

use crate::RINGSMITH;
use crate::case::{Case, Id};
use ringsmith::new_hope::parts::{Part, Work};
use ringsmith::scheme::{KeyExchange, SchemeError};
use ringsmith_oracle::Random;
use ringsmith_routes::new_hope::{EXCHANGES, PARTS};
use ringsmith_simd::Cpu;
use std::hint::black_box;

/// The suite's name in [`Id::suite`].
pub(crate) const SUITE: &str = "exchange";

/// [`Id::route`] of a part that is the same by every route.
pub(crate) const ANY: &str = "any";

/// The seed of what is drawn.
const SEED: u64 = 1;
/// Every step and every part of every exchange on the given CPUs, by every route.
pub fn exchange_cases(cpus: &[Cpu]) -> Vec<Case> {
    let mut cases = steps(cpus);
    for (exchanges, parts) in EXCHANGES.iter().zip(&PARTS) {
        cases.extend(parts_of(cpus, exchanges, parts));
    }
    cases
}

/// What an exchange is made of: what its route makes a difference to, by every route.
fn parts_of(cpus: &[Cpu], exchanges: &[KeyExchange], by_route: &'static [[Part; 6]]) -> Vec<Case> {
    let mut cases = Vec::new();
    for index in 0..by_route[0].len() {
        let routes = if by_route[0][index].by_route { by_route.len() } else { 1 };
        for (&cpu, k) in cpus.iter().flat_map(|cpu| (0..routes).map(move |k| (cpu, k))) {
            let part = &by_route[k][index];
            let name = if part.by_route { exchanges[k].route.to_string() } else { ANY.into() };
            let id = Id::new(SUITE, exchanges[k].name, part.name, RINGSMITH, cpu.name(), &name);
            cases.push(Case::new(id, move || run(part, cpu)));
        }
    }
    cases
}

fn run(part: &'static Part, cpu: Cpu) -> impl FnMut() {
    let mut random = Random::new(SEED);
    let mut work = Box::new(Work::new([SEED as u8; 32], || random.within(0, 1) as i16));
    move || (part.run)(cpu, black_box(&mut work))
}

fn steps(cpus: &[Cpu]) -> Vec<Case> {
    let by_cpu = |exchanges: &'static [KeyExchange; 3]| {
        cpus.iter().flat_map(move |&cpu| exchanges.iter().map(move |exchange| (exchange, cpu)))
    };
    EXCHANGES
        .iter()
        .flat_map(by_cpu)
        .flat_map(|(exchange, cpu)| {
            let id = |operation: &str| {
                Id::new(SUITE, exchange.name, operation, RINGSMITH, cpu.name(), &exchange.route.to_string())
            };
            [
                Case::new(id("offer"), move || offer(exchange, cpu)),
                Case::new(id("respond"), move || respond(exchange, cpu)),
                Case::new(id("finish"), move || finish(exchange, cpu)),
            ]
        })
        .collect()
}

/// The bytes of an exchange.
struct Bytes {
    secret: Vec<u8>,
    offer: Vec<u8>,
    response: Vec<u8>,
    shared: Vec<u8>,
}

/// The bytes have the exchange's lengths by construction.
fn done(result: Result<(), SchemeError>) {
    result.unwrap_or_else(|error| unreachable!("{error}"));
}

impl Bytes {
    /// Those of a whole exchange.
    fn of(exchange: &KeyExchange, cpu: Cpu) -> Self {
        let (mut rng, mut bytes) = (
            Random::new(SEED),
            Bytes {
                secret: vec![0; exchange.secret],
                offer: vec![0; exchange.offer],
                response: vec![0; exchange.response],
                shared: vec![0; exchange.shared_key],
            },
        );
        done((exchange.make_offer)(cpu, &mut rng, &mut bytes.secret, &mut bytes.offer));
        done((exchange.respond)(cpu, &bytes.offer, &mut rng, &mut bytes.response, &mut bytes.shared));
        bytes
    }
}

fn offer(exchange: &'static KeyExchange, cpu: Cpu) -> impl FnMut() {
    let (mut rng, mut to) = (Random::new(SEED), Bytes::of(exchange, cpu));
    move || done((exchange.make_offer)(cpu, &mut rng, black_box(&mut to.secret), black_box(&mut to.offer)))
}

fn respond(exchange: &'static KeyExchange, cpu: Cpu) -> impl FnMut() {
    let (mut rng, from, mut to) = (Random::new(SEED), Bytes::of(exchange, cpu), Bytes::of(exchange, cpu));
    move || {
        let (response, shared) = (black_box(&mut to.response), black_box(&mut to.shared));
        done((exchange.respond)(cpu, black_box(&from.offer), &mut rng, response, shared));
    }
}

fn finish(exchange: &'static KeyExchange, cpu: Cpu) -> impl FnMut() {
    let (from, mut shared) = (Bytes::of(exchange, cpu), vec![0; exchange.shared_key]);
    move || {
        let (secret, response) = (black_box(&from.secret), black_box(&from.response));
        done((exchange.finish)(cpu, secret, response, black_box(&mut shared)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: what is measured is the exchange: both sides have one key.
    #[test]
    fn both_sides_have_one_key() {
        for exchange in EXCHANGES.as_flattened() {
            let (cpu, mut shared) = (Cpu::detect(), vec![0; exchange.shared_key]);
            let bytes = Bytes::of(exchange, cpu);
            done((exchange.finish)(cpu, &bytes.secret, &bytes.response, &mut shared));
            assert_eq!(shared, bytes.shared);
        }
    }
}
