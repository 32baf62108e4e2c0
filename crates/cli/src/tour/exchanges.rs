//! Every key exchange on every CPU backend: both sides have the same key, and all backends compute the same
//! bytes.

use super::{backends, check_backends, measure, wrong};
use crate::error::Error;
use crate::output::print;
use crate::table::{Table, time};
use ringsmith::Cpu;
use ringsmith::scheme::{EXCHANGES, KeyExchange, SchemeError};
use ringsmith_oracle::Random;
use std::hint::black_box;

/// Exchanges that are tried on a backend.
const TRIES: usize = 10;

/// Runs this part of the tour.
pub(super) fn run(cpus: &[Cpu]) -> Result<(), Error> {
    let headings = ["key exchange", "status", "cpu", "offer", "respond", "finish"];
    let (mut table, mut checked) = (Table::new(3, headings), 0);
    for &exchange in EXCHANGES {
        checked += check_backends(exchange.name, cpus, TRIES, |cpu| transcript(cpu, exchange))?;
        for cpu in cpus {
            let row = [exchange.name, &exchange.status.to_string(), cpu.name()].map(String::from);
            table.push(row.into_iter().chain(times(*cpu, exchange)?.map(time)).collect());
        }
    }
    let backends = backends(cpus.len());
    let end = format!("{checked} checks of key exchanges on {backends}: all right");
    print(format!("\n{}\n{end}\n", table.render()).as_bytes())
}

/// Every byte of a number of exchanges, with randomness that is the same in every run: nobody must use these
/// keys.
fn transcript(cpu: Cpu, exchange: &KeyExchange) -> Result<Vec<u8>, Error> {
    let (mut all, mut rng) = (Vec::new(), Random::new(1));
    for _ in 0..TRIES {
        let run = Run::new(cpu, exchange, &mut rng)?;
        if run.finish()? != run.shared {
            return Err(wrong(exchange.name, cpu, "does not recover a shared key"));
        }
        [run.secret, run.offer, run.response, run.shared].iter().for_each(|part| all.extend(part));
    }
    Ok(all)
}

/// The bytes of an exchange.
struct Run<'a> {
    cpu: Cpu,
    exchange: &'a KeyExchange,
    secret: Vec<u8>,
    offer: Vec<u8>,
    response: Vec<u8>,
    shared: Vec<u8>,
}

impl<'a> Run<'a> {
    fn new(cpu: Cpu, exchange: &'a KeyExchange, rng: &mut Random) -> Result<Self, SchemeError> {
        let mut run = Run {
            cpu,
            exchange,
            secret: vec![0; exchange.secret],
            offer: vec![0; exchange.offer],
            response: vec![0; exchange.response],
            shared: vec![0; exchange.shared_key],
        };
        run.offer(rng)?;
        run.respond(rng)?;
        Ok(run)
    }

    fn offer(&mut self, rng: &mut Random) -> Result<(), SchemeError> {
        (self.exchange.make_offer)(self.cpu, rng, &mut self.secret, &mut self.offer)
    }

    fn respond(&mut self, rng: &mut Random) -> Result<(), SchemeError> {
        (self.exchange.respond)(self.cpu, &self.offer, rng, &mut self.response, &mut self.shared)
    }

    fn finish(&self) -> Result<Vec<u8>, SchemeError> {
        let mut shared = vec![0; self.exchange.shared_key];
        (self.exchange.finish)(self.cpu, &self.secret, &self.response, &mut shared)?;
        Ok(shared)
    }
}

/// Nanoseconds of the three steps, on encoded bytes.
fn times(cpu: Cpu, exchange: &KeyExchange) -> Result<[f64; 3], Error> {
    let mut rng = Random::new(2);
    let run = Run::new(cpu, exchange, &mut rng)?;
    let mut spare = Run::new(cpu, exchange, &mut rng)?;
    // The steps have succeeded on the same arguments.
    let offer = measure(|| _ = black_box(spare.offer(&mut rng)));
    let respond = measure(|| _ = black_box(spare.respond(&mut rng)));
    let finish = measure(|| _ = black_box(run.finish()));
    Ok([offer, respond, finish])
}
