//! Every key exchange on every CPU backend: both sides have the same key, and all backends compute the same
//! bytes.

use super::session::{Part, Protocol, Session};
use super::wrong;
use crate::error::Error;
use ringsmith::Cpu;
use ringsmith::scheme::EXCHANGES;
use ringsmith_oracle::Random;

/// Exchanges that are tried on a backend.
const TRIES: usize = 10;

/// Runs this part of the tour; how many checks that were.
pub(super) fn run(cpus: &[Cpu]) -> Result<usize, Error> {
    let part = Part {
        headings: ["key exchange", "offer", "respond", "finish"],
        plural: "key exchanges",
        checks: TRIES,
        transcript,
    };
    part.run(cpus, EXCHANGES.iter().copied().map(Protocol::Exchange))
}

/// Every byte of a number of exchanges, with randomness that is the same in every run: nobody must use these
/// keys.
fn transcript(cpu: Cpu, protocol: Protocol) -> Result<Vec<u8>, Error> {
    let (mut all, mut rng) = (Vec::new(), Random::new(1));
    for _ in 0..TRIES {
        let session = Session::new(cpu, protocol, &mut rng)?;
        if session.finish()? != session.shared {
            return Err(wrong(protocol.name(), cpu, "does not recover a shared key"));
        }
        let Session { public, private, answer, shared, .. } = session;
        [private, public, answer, shared].iter().for_each(|part| all.extend(part));
    }
    Ok(all)
}
