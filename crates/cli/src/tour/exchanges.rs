//! Every key exchange on every CPU backend: both sides have the same key, and all backends compute the same
//! bytes.

use super::session::{Protocol, Session};
use super::{backends, check_backends, wrong};
use crate::error::Error;
use crate::output::print;
use crate::table::{Table, time};
use ringsmith::Cpu;
use ringsmith::scheme::{EXCHANGES, KeyExchange};
use ringsmith_oracle::Random;

/// Exchanges that are tried on a backend.
const TRIES: usize = 10;

/// Runs this part of the tour.
pub(super) fn run(cpus: &[Cpu]) -> Result<(), Error> {
    let headings = ["key exchange", "status", "cpu", "offer", "respond", "finish"];
    let (mut table, mut checked) = (Table::new(3, headings), 0);
    for &exchange in EXCHANGES {
        checked += check_backends(exchange.name, cpus, TRIES, |cpu| transcript(cpu, exchange))?;
        for cpu in cpus {
            let mut rng = Random::new(2);
            let times = Session::new(*cpu, Protocol::Exchange(exchange), &mut rng)?.times(&mut rng);
            let row = [exchange.name, &exchange.status.to_string(), cpu.name()].map(String::from);
            table.push(row.into_iter().chain(times.map(time)).collect());
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
        let session = Session::new(cpu, Protocol::Exchange(exchange), &mut rng)?;
        if session.finish()? != session.shared {
            return Err(wrong(exchange.name, cpu, "does not recover a shared key"));
        }
        let Session { public, private, answer, shared, .. } = session;
        [private, public, answer, shared].iter().for_each(|part| all.extend(part));
    }
    Ok(all)
}
