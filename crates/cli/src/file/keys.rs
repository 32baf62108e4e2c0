//! Files of recipients and of identities, one a line.

use super::input::Input;
use super::passphrase::Opening;
use super::protected::{is_age, unprotected};
use crate::error::Error;
use crate::keys::{read, warn_if_open};
use ringsmith::Cpu;
use ringsmith_age::{AnyIdentity, AnyRecipient};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use zeroize::Zeroizing;

/// A file of a private key: its public key as a comment, and itself.
pub(crate) fn file_text(key: &AnyIdentity) -> Zeroizing<String> {
    let (public, private) = (key.to_recipient().to_string(), key.to_text());
    // In one piece: a string that grows leaves copies behind.
    Zeroizing::new(["# public key: ", &public, "\n", &private, "\n"].concat())
}

/// The most bytes of a file of recipients, and of a line of one.
const RECIPIENTS_BYTES: usize = 1 << 24;
const RECIPIENT_LINE: usize = 1 << 13;

/// The recipients of a file, at least one.
pub(crate) fn recipients(cpu: Cpu, path: &Path) -> Result<Vec<AnyRecipient>, Error> {
    let Input { name, reader, .. } = Input::open(path)?;
    let (mut reader, mut line, mut number) = (BufReader::new(reader), Vec::new(), 0);
    let (mut left, mut found) = (RECIPIENTS_BYTES, Vec::new());
    loop {
        line.clear();
        let read = reader.by_ref().take(RECIPIENT_LINE as u64 + 1).read_until(b'\n', &mut line);
        let read = read.map_err(|why| Error::Read { name: name.clone(), why })?;
        number += 1;
        let problem = |problem| Error::KeyLine { name: name.clone(), line: number, problem };
        if read > RECIPIENT_LINE {
            return Err(problem(format!(
                "longer than {RECIPIENT_LINE} bytes, the most that a line may have"
            )));
        }
        left =
            left.checked_sub(read).ok_or(Error::TooLong { name: name.clone(), limit: RECIPIENTS_BYTES })?;
        match str::from_utf8(&line).map(says) {
            Ok(_) if read == 0 => break,
            Ok(Some(text)) => {
                found.push(AnyRecipient::parse_on(cpu, text).map_err(|why| problem(why.to_string()))?)
            }
            Ok(None) => {}
            Err(_) => return Err(Error::NoKeys { name, what: "recipient" }),
        }
    }
    if found.is_empty() { Err(Error::NoKeys { name, what: "recipient" }) } else { Ok(found) }
}

/// What a line says, if anything; empty ones and those that begin with `#` say nothing.
pub(crate) fn says(line: &str) -> Option<&str> {
    let line = line.trim();
    (!line.is_empty() && !line.starts_with('#')).then_some(line)
}

/// The identities of a file, at least one. A file that others may read is complained of.
/// One that a passphrase protects is opened with it.
pub(crate) fn identities(cpu: Cpu, path: &Path, opening: &Opening) -> Result<Vec<AnyIdentity>, Error> {
    let (name, bytes) = read(path)?;
    if is_age(&bytes) {
        return identities_in(cpu, &name, &unprotected(&name, bytes, opening)?);
    }
    let found = identities_in(cpu, &name, &bytes)?;
    warn_if_open(path);
    Ok(found)
}

/// The identities in what a file holds.
pub(crate) fn identities_in(cpu: Cpu, name: &str, bytes: &[u8]) -> Result<Vec<AnyIdentity>, Error> {
    let none = || Error::NoKeys { name: name.into(), what: "private key" };
    let text = str::from_utf8(bytes).map_err(|_| none())?;
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let at = |problem| Error::KeyLine { name: name.into(), line: number + 1, problem };
        if let Some(line) = says(line) {
            found.push(AnyIdentity::parse_on(cpu, line).map_err(|why| at(why.to_string()))?);
        }
    }
    if found.is_empty() { Err(none()) } else { Ok(found) }
}
