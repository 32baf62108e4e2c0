//! Every set of signatures on every CPU backend: signatures are verified, spoiled ones are refused, and all
//! backends compute the same bytes.

use super::session::{Part, Protocol, Session};
use super::wrong;
use crate::error::Error;
use ringsmith::Cpu;
use ringsmith::scheme::{SIGNATURES, SchemeError};
use ringsmith_oracle::Random;

/// Key pairs and messages of a set that are tried on a backend.
const TRIES: usize = 5;

/// Runs this part of the tour; how many checks that were.
pub(super) fn run(cpus: &[Cpu]) -> Result<usize, Error> {
    let part = Part {
        headings: ["signature", "keygen", "sign", "verify"],
        plural: "signatures",
        // What is verified, and what is refused: another signature, another message.
        checks: 3 * TRIES,
        transcript,
    };
    part.run(cpus, SIGNATURES.iter().copied().map(Protocol::Signatures))
}

/// Every byte of a number of signatures, with randomness that is the same in every run: nobody must use these
/// keys.
fn transcript(cpu: Cpu, protocol: Protocol) -> Result<Vec<u8>, Error> {
    let (mut all, mut rng) = (Vec::new(), Random::new(1));
    for _ in 0..TRIES {
        let mut session = Session::new(cpu, protocol, &mut rng)?;
        session.finish()?;
        all.extend([&session.public, &session.private, &session.answer].into_iter().flatten());
        let at = usize::from(session.shared[0]) % session.answer.len();
        session.answer[at] ^= 1;
        if session.finish() != Err(SchemeError::Verification) {
            return Err(wrong(protocol.name(), cpu, "takes a spoiled signature"));
        }
        session.answer[at] ^= 1;
        session.shared[0] ^= 1;
        if session.finish() != Err(SchemeError::Verification) {
            return Err(wrong(protocol.name(), cpu, "takes a signature of another message"));
        }
    }
    Ok(all)
}
