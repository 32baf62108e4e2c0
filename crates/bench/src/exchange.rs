//! The suite of the key exchanges: each step from bytes to bytes, by each route.
//!
//! `offer` writes a secret and an offer, `respond` reads an offer, `finish` a secret and a response: nothing
//! is kept from one run to the next. Randomness comes from a generator in memory. What they are made of is
//! measured too: `ntt` and `intt`, `uniform` (the public polynomial of a seed), `error` (one polynomial of
//! noise), `help` and `reconcile`.

use crate::RINGSMITH;
use crate::case::{Case, Id};
use ringsmith_oracle::Random;
use ringsmith_ring::{Placement, Route};
use ringsmith_schemes::new_hope::parts::{Part, Work};
use ringsmith_schemes::new_hope::{adps, longa_naehrig};
use ringsmith_schemes::scheme::{EXCHANGES, KeyExchange, SchemeError, Way};
use ringsmith_simd::Cpu;
use std::hint::black_box;

/// The suite's name in [`Id::suite`].
pub(crate) const SUITE: &str = "exchange";

/// [`Id::route`] of a part that is the same by every route.
pub(crate) const ANY: &str = "any";

/// The seed of what is drawn.
const SEED: u64 = 1;
/// The routes of their ring, the planner's choice first.
const ROUTES: [Route; 3] =
    [Route::Ntt { base: 1 }, Route::KRed(Placement::Analysis), Route::KRed(Placement::Paper)];

/// Every step and every part of every exchange on the given CPUs, by every route.
pub fn exchange_cases(cpus: &[Cpu]) -> Vec<Case> {
    let mut cases = steps(cpus);
    cases.extend(parts(cpus, adps::EXCHANGE.name, &adps::PARTS));
    cases.extend(parts(cpus, longa_naehrig::EXCHANGE.name, &longa_naehrig::PARTS));
    cases
}

fn parts(cpus: &[Cpu], exchange: &str, parts: &'static [Part]) -> Vec<Case> {
    let mut cases = Vec::new();
    for part in parts {
        let routes = if part.by_route { &ROUTES[..] } else { &ROUTES[..1] };
        for (&cpu, &route) in cpus.iter().flat_map(|cpu| routes.iter().map(move |route| (cpu, route))) {
            let name = if part.by_route { route.to_string() } else { ANY.into() };
            let id = Id::new(SUITE, exchange, part.name, RINGSMITH, cpu.name(), &name);
            cases.push(Case::new(id, move || run(part, (cpu, Some(route)))));
        }
    }
    cases
}

fn run(part: &'static Part, way: Way) -> impl FnMut() {
    let mut random = Random::new(SEED);
    let mut work = Box::new(Work::new([SEED as u8; 32], || random.within(0, 1) as i16));
    move || done((part.run)(way, black_box(&mut work)))
}

fn steps(cpus: &[Cpu]) -> Vec<Case> {
    let ways = || cpus.iter().flat_map(|&cpu| ROUTES.map(|route| (cpu, route)));
    EXCHANGES
        .into_iter()
        .flat_map(|exchange| ways().map(move |way| (exchange, way)))
        .flat_map(|(exchange, (cpu, route))| {
            let id = |operation: &str| {
                Id::new(SUITE, exchange.name, operation, RINGSMITH, cpu.name(), &route.to_string())
            };
            let way = (cpu, Some(route));
            [
                Case::new(id("offer"), move || offer(exchange, way)),
                Case::new(id("respond"), move || respond(exchange, way)),
                Case::new(id("finish"), move || finish(exchange, way)),
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
    fn of(exchange: &KeyExchange, way: Way) -> Self {
        let (mut rng, mut bytes) = (
            Random::new(SEED),
            Bytes {
                secret: vec![0; exchange.secret],
                offer: vec![0; exchange.offer],
                response: vec![0; exchange.response],
                shared: vec![0; exchange.shared_key],
            },
        );
        done((exchange.make_offer)(way, &mut rng, &mut bytes.secret, &mut bytes.offer));
        done((exchange.respond)(way, &bytes.offer, &mut rng, &mut bytes.response, &mut bytes.shared));
        bytes
    }
}

fn offer(exchange: &'static KeyExchange, way: Way) -> impl FnMut() {
    let (mut rng, mut to) = (Random::new(SEED), Bytes::of(exchange, way));
    move || done((exchange.make_offer)(way, &mut rng, black_box(&mut to.secret), black_box(&mut to.offer)))
}

fn respond(exchange: &'static KeyExchange, way: Way) -> impl FnMut() {
    let (mut rng, from, mut to) = (Random::new(SEED), Bytes::of(exchange, way), Bytes::of(exchange, way));
    move || {
        let (response, shared) = (black_box(&mut to.response), black_box(&mut to.shared));
        done((exchange.respond)(way, black_box(&from.offer), &mut rng, response, shared));
    }
}

fn finish(exchange: &'static KeyExchange, way: Way) -> impl FnMut() {
    let (from, mut shared) = (Bytes::of(exchange, way), vec![0; exchange.shared_key]);
    move || {
        let (secret, response) = (black_box(&from.secret), black_box(&from.response));
        done((exchange.finish)(way, secret, response, black_box(&mut shared)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::try_all;

    /// Protects: every step of every exchange runs on every CPU of this machine by every route, and is listed
    /// once; and what is measured is the exchange: both sides have one key.
    #[test]
    fn every_case_runs() {
        let cpus: Vec<_> = Cpu::available().collect();
        let cases = exchange_cases(&cpus);
        // Three steps and two transforms by each route, and four parts.
        assert_eq!(cases.len(), EXCHANGES.len() * cpus.len() * (ROUTES.len() * (3 + 2) + 4));
        try_all(cases);
        for exchange in EXCHANGES {
            let (way, mut shared) = ((Cpu::detect(), None), vec![0; exchange.shared_key]);
            let bytes = Bytes::of(exchange, way);
            done((exchange.finish)(way, &bytes.secret, &bytes.response, &mut shared));
            assert_eq!(shared, bytes.shared);
        }
    }
}
