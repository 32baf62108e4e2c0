//! Every set of public-key encryption on every CPU backend: messages are read, spoiled ciphertexts are
//! refused, and all backends compute the same bytes.

use super::session::{Part, Protocol, Session};
use super::wrong;
use crate::error::Error;
use ringsmith::Cpu;
use ringsmith::scheme::{ENCRYPTIONS, SchemeError};
use ringsmith_oracle::Random;

/// Key pairs and messages of a set that are tried on a backend.
const TRIES: usize = 5;

/// Runs this part of the tour; how many checks that were.
pub(super) fn run(cpus: &[Cpu]) -> Result<usize, Error> {
    let part = Part {
        headings: ["encryption", "keygen", "encrypt", "decrypt"],
        plural: "public-key encryption",
        // What is read and what is refused.
        checks: 2 * TRIES,
        transcript,
    };
    part.run(cpus, ENCRYPTIONS.iter().copied().map(Protocol::Encryption))
}

/// Every byte of a number of messages, with randomness that is the same in every run: nobody must use these
/// keys.
fn transcript(cpu: Cpu, protocol: Protocol) -> Result<Vec<u8>, Error> {
    let (mut all, mut rng) = (Vec::new(), Random::new(1));
    for _ in 0..TRIES {
        let mut session = Session::new(cpu, protocol, &mut rng)?;
        if session.finish()? != session.shared {
            return Err(wrong(protocol.name(), cpu, "does not read a message"));
        }
        all.extend([&session.public, &session.private, &session.answer].into_iter().flatten());
        let at = usize::from(session.shared[0]) % session.answer.len();
        session.answer[at] ^= 1;
        if session.finish() != Err(SchemeError::Decryption) {
            return Err(wrong(protocol.name(), cpu, "takes a spoiled ciphertext"));
        }
    }
    Ok(all)
}
