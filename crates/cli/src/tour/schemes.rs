//! Every scheme on every CPU backend: both sides agree, spoiled ciphertexts are rejected, and all backends
//! compute the same bytes.

use super::session::{Part, Protocol, Session};
use super::wrong;
use crate::error::Error;
use ringsmith::Cpu;
use ringsmith::scheme::ALL;
use ringsmith_oracle::Random;

/// Key pairs of a scheme that are tried on a backend.
const TRIES: usize = 10;

/// Runs this part of the tour; how many checks that were.
pub(super) fn run(cpus: &[Cpu]) -> Result<usize, Error> {
    let part = Part {
        headings: ["scheme", "keygen", "encapsulate", "decapsulate"],
        plural: "schemes",
        // Agreement and rejection.
        checks: 2 * TRIES,
        transcript,
    };
    part.run(cpus, ALL.iter().copied().map(Protocol::Kem))
}

/// Every byte of a number of exchanges, with randomness that is the same in every run: nobody must use these
/// keys.
fn transcript(cpu: Cpu, protocol: Protocol) -> Result<Vec<u8>, Error> {
    let (mut all, mut rng) = (Vec::new(), Random::new(1));
    let (name, cca) = (protocol.name(), matches!(protocol, Protocol::Kem(scheme) if scheme.cca));
    for _ in 0..TRIES {
        let mut session = Session::new(cpu, protocol, &mut rng)?;
        let recovered = session.finish()?;
        if recovered != session.shared {
            return Err(wrong(name, cpu, "does not recover a shared key"));
        }
        let at = usize::from(recovered[0]) % session.answer.len();
        session.answer[at] ^= 1;
        let rejected = session.finish()?;
        if cca && rejected == session.shared {
            return Err(wrong(name, cpu, "takes a spoiled ciphertext"));
        }
        let Session { public, private, answer, shared, .. } = session;
        [public, private, answer, shared, rejected].iter().for_each(|part| all.extend(part));
    }
    Ok(all)
}
