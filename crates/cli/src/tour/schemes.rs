//! Every scheme on every CPU backend: both sides agree, spoiled ciphertexts are rejected, and all backends
//! compute the same bytes.

use super::session::{Protocol, Session};
use super::{backends, check_backends, wrong};
use crate::error::Error;
use crate::output::print;
use crate::progress::Progress;
use crate::table::{Table, time};
use ringsmith::Cpu;
use ringsmith::scheme::{ALL, Scheme};
use ringsmith_oracle::Random;

/// Key pairs of a scheme that are tried on a backend.
const TRIES: usize = 10;

/// Runs this part of the tour.
pub(super) fn run(cpus: &[Cpu]) -> Result<(), Error> {
    let progress = Progress::new();
    let headings = ["scheme", "status", "cpu", "keygen", "encapsulate", "decapsulate"];
    let (mut table, mut checked) = (Table::new(3, headings), 0);
    for &scheme in ALL {
        progress.show(scheme.name);
        // Agreement and rejection.
        let checks = check_backends(scheme.name, cpus, 2 * TRIES, |cpu| transcript(cpu, scheme));
        progress.clear();
        checked += checks?;
        for cpu in cpus {
            let mut rng = Random::new(2);
            let times = Session::new(*cpu, Protocol::Kem(scheme), &mut rng)?.times(&mut rng);
            let row = [scheme.name, &scheme.status.to_string(), cpu.name()].map(String::from);
            table.push(row.into_iter().chain(times.map(time)).collect());
        }
    }
    let backends = backends(cpus.len());
    print(format!("\n{}\n{checked} checks of schemes on {backends}: all right\n", table.render()).as_bytes())
}

/// Every byte of a number of exchanges, with randomness that is the same in every run: nobody must use these
/// keys.
fn transcript(cpu: Cpu, scheme: &Scheme) -> Result<Vec<u8>, Error> {
    let (mut all, mut rng) = (Vec::new(), Random::new(1));
    for _ in 0..TRIES {
        let mut session = Session::new(cpu, Protocol::Kem(scheme), &mut rng)?;
        let recovered = session.finish()?;
        if recovered != session.shared {
            return Err(wrong(scheme.name, cpu, "does not recover a shared key"));
        }
        let at = usize::from(recovered[0]) % session.answer.len();
        session.answer[at] ^= 1;
        let rejected = session.finish()?;
        if scheme.cca && rejected == session.shared {
            return Err(wrong(scheme.name, cpu, "takes a spoiled ciphertext"));
        }
        let Session { public, private, answer, shared, .. } = session;
        [public, private, answer, shared, rejected].iter().for_each(|part| all.extend(part));
    }
    Ok(all)
}
