//! One scheme on one CPU backend, and what a case says of it.

use super::deterministic::Pair;
use super::text::excerpt;
use super::{Deterministic, Run};
use crate::nist::Drbg;
use rand_core::CryptoRng;
use ringsmith::scheme::{self, Scheme, SchemeError};
use ringsmith_simd::Cpu;

/// What became of a case.
pub(super) enum Outcome {
    /// All is as published.
    Passed,
    /// This is not.
    Failed(String),
    /// It was not checked, for this reason.
    NotChecked(&'static str),
}

impl From<Result<(), String>> for Outcome {
    fn from(result: Result<(), String>) -> Self {
        result.map_or_else(Outcome::Failed, |()| Outcome::Passed)
    }
}

/// A key pair as published.
#[derive(Clone, Copy)]
pub(super) struct Keys<'a> {
    pub(super) ek: &'a [u8],
    /// Where it is published.
    pub(super) dk: Option<&'a [u8]>,
}

/// A ciphertext and its shared key as published.
#[derive(Clone, Copy)]
pub(super) struct Encapsulated<'a> {
    pub(super) c: &'a [u8],
    pub(super) k: &'a [u8],
}

/// A parameter set that a file has cases for.
pub(super) struct Target {
    /// Its name.
    pub(super) name: String,
    /// What to check, or why not.
    pub(super) subject: Result<Subject, &'static str>,
}

impl Target {
    /// The set of a name.
    pub(super) fn named(run: Run, name: &str) -> Self {
        match scheme::by_name(name) {
            Some(scheme) => Self::of(run, scheme),
            None => Target { name: excerpt(name), subject: Err("no such scheme here") },
        }
    }

    /// The set.
    pub(super) fn of(run: Run, scheme: &'static Scheme) -> Self {
        let subject = Subject { cpu: run.cpu, scheme };
        let subject = if run.selection.takes(scheme.name) { Ok(subject) } else { Err("other set") };
        Target { name: scheme.name.into(), subject }
    }
}

/// A scheme on a CPU backend.
#[derive(Clone, Copy)]
pub(super) struct Subject {
    cpu: Cpu,
    scheme: &'static Scheme,
}

/// Where a file has seeds or messages, and the scheme takes none.
const NO_FORMS: Outcome = Outcome::NotChecked("no deterministic form");

impl Subject {
    /// The keys that a generator makes.
    pub(super) fn generate(self, drbg: &mut dyn CryptoRng, published: Keys) -> Outcome {
        let (mut ek, mut dk) = (vec![0; self.scheme.public_key], vec![0; self.scheme.private_key]);
        let made = (self.scheme.generate)(self.cpu, drbg, &mut ek, &mut dk);
        made.map_err(refused).and_then(|()| same_keys(published, &ek, &dk)).into()
    }

    /// What a generator encapsulates to a key.
    pub(super) fn encapsulate(self, drbg: &mut dyn CryptoRng, ek: &[u8], published: Encapsulated) -> Outcome {
        let made = self.encapsulate_with(drbg, ek);
        made.map_err(refused).and_then(|(c, k)| same_encapsulated(published, &c, &k)).into()
    }

    /// The shared key in a ciphertext.
    pub(super) fn decapsulate(self, dk: &[u8], published: Encapsulated) -> Outcome {
        let k = self.try_decapsulate(dk, published.c);
        k.map_err(refused).and_then(|k| same("shared key", published.k, &k)).into()
    }

    /// The keys of a seed.
    pub(super) fn generate_from(self, seed: &[u8], published: Keys) -> Outcome {
        match self.expand(seed) {
            Some(made) => made.map_err(refused).and_then(|(ek, dk)| same_keys(published, &ek, &dk)).into(),
            None => NO_FORMS,
        }
    }

    /// A seed of another length than the scheme's is refused.
    pub(super) fn refuse_seed(self, seed: &[u8]) -> Outcome {
        self.expand(seed).map_or(NO_FORMS, |made| judge(false, false, made))
    }

    fn expand(self, seed: &[u8]) -> Option<Result<Pair, SchemeError>> {
        let form = self.scheme.seed.as_ref()?;
        let (mut ek, mut dk) = (vec![0; self.scheme.public_key], vec![0; self.scheme.private_key]);
        let made = (form.expand)(self.cpu, seed, &mut ek, &mut dk);
        Some(made.map(|()| (ek, dk)))
    }

    /// What is encapsulated to a key with the message `m`.
    pub(super) fn encapsulate_from(self, ek: &[u8], m: &[u8; 32], published: Encapsulated) -> Outcome {
        let Some(forms) = Deterministic::of(self.scheme) else { return NO_FORMS };
        let made = (forms.encapsulate)(self.cpu, ek, m);
        made.map_err(refused).and_then(|(c, k)| same_encapsulated(published, &c, &k)).into()
    }

    /// Goes on with the private key of a seed.
    pub(super) fn with_key_from(self, seed: &[u8], check: impl FnOnce(&[u8]) -> Outcome) -> Outcome {
        match self.expand(seed) {
            Some(Ok((_, dk))) => check(&dk),
            Some(Err(error)) => Outcome::Failed(refused(error)),
            None => NO_FORMS,
        }
    }

    /// The key is taken, or refused: for its length where that is wrong, otherwise as no key.
    pub(super) fn judge_encapsulation_key(self, ek: &[u8], good: bool) -> Outcome {
        let made = self.encapsulate_with(&mut Drbg::new(&[0; 48]), ek);
        judge(good, ek.len() == self.scheme.public_key, made)
    }

    /// The key is taken, or refused.
    pub(super) fn judge_decapsulation_key(self, dk: &[u8], good: bool) -> Outcome {
        self.judge_decapsulation(dk, &vec![0; self.scheme.ciphertext], good)
    }

    /// Key and ciphertext are taken, or one of them is refused.
    pub(super) fn judge_decapsulation(self, dk: &[u8], c: &[u8], good: bool) -> Outcome {
        let lengths = dk.len() == self.scheme.private_key && c.len() == self.scheme.ciphertext;
        judge(good, lengths, self.try_decapsulate(dk, c))
    }

    fn encapsulate_with(
        self,
        drbg: &mut dyn CryptoRng,
        ek: &[u8],
    ) -> Result<(Vec<u8>, Vec<u8>), SchemeError> {
        let (mut c, mut k) = (vec![0; self.scheme.ciphertext], vec![0; self.scheme.shared_key]);
        (self.scheme.encapsulate)(self.cpu, ek, drbg, &mut c, &mut k)?;
        Ok((c, k))
    }

    fn try_decapsulate(self, dk: &[u8], c: &[u8]) -> Result<Vec<u8>, SchemeError> {
        let mut k = vec![0; self.scheme.shared_key];
        (self.scheme.decapsulate)(self.cpu, dk, c, &mut k)?;
        Ok(k)
    }
}

fn refused(error: SchemeError) -> String {
    format!("refused: {error}")
}

/// Whether good arguments were taken and bad ones refused, these for the right reason.
fn judge<T>(good: bool, lengths: bool, result: Result<T, SchemeError>) -> Outcome {
    match (good, result) {
        (true, Ok(_)) => Outcome::Passed,
        (true, Err(error)) => Outcome::Failed(refused(error)),
        (false, Ok(_)) => Outcome::Failed("taken, and should be refused".into()),
        (false, Err(SchemeError::InvalidKey)) if lengths => Outcome::Passed,
        (false, Err(SchemeError::Length { .. })) if !lengths => Outcome::Passed,
        (false, Err(error)) => Outcome::Failed(format!("refused for another reason: {error}")),
    }
}

fn same_keys(published: Keys, ek: &[u8], dk: &[u8]) -> Result<(), String> {
    same("encapsulation key", published.ek, ek)?;
    published.dk.map_or(Ok(()), |published| same("decapsulation key", published, dk))
}

fn same_encapsulated(published: Encapsulated, c: &[u8], k: &[u8]) -> Result<(), String> {
    same("ciphertext", published.c, c)?;
    same("shared key", published.k, k)
}

/// Says where they differ, and not what they are.
pub(super) fn same(what: &str, published: &[u8], computed: &[u8]) -> Result<(), String> {
    if published.len() != computed.len() {
        return Err(format!("the {what} has {} bytes, and {} computed", published.len(), computed.len()));
    }
    match published.iter().zip(computed).position(|(published, computed)| published != computed) {
        Some(first) => Err(format!("the {what} differs from the computed one, first in byte {first}")),
        None => Ok(()),
    }
}
