//! Age files, and the keys of such files.

use super::Inspect;
use crate::error::Error;
use crate::file::input::copy;
use crate::file::keys::{identities, identities_in, says};
use crate::file::protected::is_armor;
use crate::file::stream::not_opened;
use crate::keys::permissions;
use ringsmith::Cpu;
use ringsmith_age::{
    AnyIdentity, AnyRecipient, ClosedFile, LAST_WORK_FACTOR, MAX_WORK_FACTOR, Recipients, excerpt,
};
use std::io::{BufRead, Read};
use std::path::Path;

/// What an age file says to everybody, and whether one of the user's keys opens it. `begin` is its beginning.
pub(super) fn file(
    cpu: Cpu,
    name: &str,
    begin: &[u8],
    rest: impl Read,
    args: &Inspect,
) -> Result<String, Error> {
    let mut keys = Vec::new();
    for path in &args.identity {
        keys.extend(identities(cpu, path, &args.opening)?);
    }
    let form = if is_armor(begin) { "text" } else { "binary" };
    let wrong = |why| not_opened(name, why);
    let closed = ClosedFile::read(begin.chain(rest)).map_err(wrong)?;
    let recipients = recipients(closed.recipients());
    let rest = contents(name, closed, &keys)?;
    Ok(format!("age file, version 1, {form}\n  recipients: {recipients}\n{rest}"))
}

/// Who can open a file.
fn recipients(of: &Recipients) -> String {
    if let (Some(factor), Some(work)) = (of.work_factor(), of.work()) {
        let refused = match factor {
            it if it <= MAX_WORK_FACTOR.into() => "",
            it if it <= LAST_WORK_FACTOR.into() => ": more than is accepted without --max-work-factor",
            _ => ": more than is accepted",
        };
        return format!("a passphrase, of work factor {factor}, which takes {work}{refused}");
    }
    let types = of.types().map(|(name, count)| format!("{count} of {}", excerpt(name)));
    let others = (of.others() > 0).then(|| format!("{} of other types", of.others()));
    types.chain(others).collect::<Vec<_>>().join(", ")
}

/// What is in a file, and which key opens it. Where one does, all of it is checked.
fn contents(name: &str, closed: ClosedFile<impl BufRead>, keys: &[AnyIdentity]) -> Result<String, Error> {
    let wrong = |why| not_opened(name, why);
    let by = if keys.is_empty() { None } else { closed.opened_by(keys).map_err(wrong)? };
    let Some(key) = by.and_then(|index| keys.get(index)) else {
        let nobody = if keys.is_empty() { "" } else { "  opened by: none of these keys\n" };
        let count = closed.contents_bytes().map_err(wrong)?;
        return Ok(format!("  contents: {count} bytes, by the file's length\n{nobody}"));
    };
    let (mut reader, mut count) = (closed.open(keys).map_err(wrong)?, 0);
    copy(
        &mut reader,
        None,
        |why| wrong(why.into()),
        |piece| {
            count += piece.len();
            Ok(())
        },
    )?;
    let public = excerpt(&key.to_recipient().to_string());
    Ok(format!("  contents: {count} bytes, all as they were encrypted\n  opened by: the key of {public}\n"))
}

/// What the lines of a file of keys are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    Public,
    Private,
}

impl Keys {
    /// By the first line that is no comment.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let first = str::from_utf8(bytes).ok()?.lines().find_map(says)?;
        let begins = |start: &str| first.get(..start.len()).is_some_and(|it| it.eq_ignore_ascii_case(start));
        match () {
            () if begins("age-secret-key-") || begins("age-plugin-") => Some(Keys::Private),
            () if begins("age1") => Some(Keys::Public),
            () => None,
        }
    }
}

/// The keys of a file: their kinds, the public keys, and who may read the private ones.
pub(super) fn keys(cpu: Cpu, name: &str, path: &Path, bytes: &[u8], keys: Keys) -> Result<String, Error> {
    let (what, all) = match keys {
        Keys::Private => {
            let all = identities_in(cpu, name, bytes)?;
            ("private", all.iter().map(AnyIdentity::to_recipient).collect())
        }
        Keys::Public => ("public", public_keys(cpu, name, bytes)?),
    };
    let s = if all.len() == 1 { "" } else { "s" };
    let lines: String = all.iter().map(|key| format!("  {}: {key}\n", kind(key))).collect();
    let secret = if keys == Keys::Private { readers(path) } else { String::new() };
    Ok(format!("{} {what} key{s} of age files\n{lines}{secret}", all.len()))
}

fn public_keys(cpu: Cpu, name: &str, bytes: &[u8]) -> Result<Vec<AnyRecipient>, Error> {
    let text = str::from_utf8(bytes).unwrap_or_default();
    let lines = text.lines().zip(1..).filter_map(|(line, number)| Some((says(line)?, number)));
    let parsed = lines.map(|(text, line)| {
        let wrong = |problem| Error::KeyLine { name: name.into(), line, problem };
        AnyRecipient::parse_on(cpu, text).map_err(|why| wrong(why.to_string()))
    });
    parsed.collect()
}

fn kind(key: &AnyRecipient) -> &'static str {
    match key {
        AnyRecipient::PostQuantum(key) => key.kind().name(),
        AnyRecipient::Classical(_) => "X25519",
    }
}

/// Who may read a file, where the system tells.
fn readers(path: &Path) -> String {
    match permissions(path) {
        Some(mode) if mode & 0o077 == 0 => format!("  permissions: {mode:03o}, its owner alone\n"),
        Some(mode) => format!("  permissions: {mode:03o}, others may read it\n"),
        None => String::new(),
    }
}
