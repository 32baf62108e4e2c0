//! One set of signatures on one CPU backend, and what a case says of it.

use super::super::subject::{Outcome, same};
use super::super::text::excerpt;
use super::super::{Kind, Run, Tally};
use super::Signed;
use ringsmith::encoding::{EncodedSet, EncodingError, read_signing_key, read_verifying_key};
use ringsmith::ml_dsa::{MlDsa44, MlDsa65, MlDsa87};
use ringsmith::set::Bytes;
use ringsmith::signature::{SignatureSet, SigningKey, VerifyingKey};
use ringsmith_simd::Cpu;
use std::fmt::Display;

/// Why a signature was not made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Refused {
    Key,
    Context,
    Attempts,
}

impl Refused {
    fn said(self) -> String {
        let why = match self {
            Refused::Key => "the private key is none of the set",
            Refused::Context => "the context is too long",
            Refused::Attempts => "no attempt succeeded",
        };
        format!("refused: {why}")
    }
}

/// A public key, what is signed, and the signature.
struct Made {
    public: Vec<u8>,
    mu: [u8; 64],
    signature: Vec<u8>,
}

/// Signs: with a private key of either form, and bytes in place of randomness.
type Sign = fn(Cpu, &[u8], Signed<'_>, &[u8; 32]) -> Result<Made, Refused>;

/// Reads a key in PEM: gives the public key.
type Read = fn(Cpu, &str) -> Result<Vec<u8>, EncodingError>;

/// The functions of a set, on bytes of any length.
struct Functions {
    name: &'static str,
    expand: fn(Cpu, &[u8; 32]) -> [Vec<u8>; 2],
    sign: Sign,
    verify: fn(Cpu, &[u8], Signed<'_>, &[u8]) -> bool,
    read_private: Read,
    read_public: Read,
}

static SETS: [Functions; 3] = [of::<MlDsa44>(), of::<MlDsa65>(), of::<MlDsa87>()];

const fn of<S: EncodedSet>() -> Functions {
    Functions {
        name: S::NAME,
        expand: expand::<S>,
        sign: sign::<S>,
        verify: verify::<S>,
        read_private: |cpu, pem| {
            let key = read_signing_key::<S>(cpu, pem.as_bytes())?;
            Ok(key.verifying_key().to_bytes().as_ref().to_vec())
        },
        read_public: |cpu, pem| {
            Ok(read_verifying_key::<S>(cpu, pem.as_bytes())?.to_bytes().as_ref().to_vec())
        },
    }
}

fn expand<S: SignatureSet>(cpu: Cpu, seed: &[u8; 32]) -> [Vec<u8>; 2] {
    let key = SigningKey::<S>::from_seed_on(cpu, seed);
    [key.verifying_key().to_bytes().as_ref().to_vec(), (*key.to_bytes()).as_ref().to_vec()]
}

/// Of a private key of either form; what was made must verify.
fn sign<S: SignatureSet>(cpu: Cpu, key: &[u8], signed: Signed<'_>, rnd: &[u8; 32]) -> Result<Made, Refused> {
    let key = match key.try_into() {
        Ok(seed) => SigningKey::<S>::from_seed_on(cpu, seed),
        Err(_) => {
            let bytes = S::SigningBytes::of(key).ok_or(Refused::Key)?;
            SigningKey::from_bytes_on(cpu, bytes).map_err(|_| Refused::Key)?
        }
    };
    let mu = signed.mu(key.verifying_key()).ok_or(Refused::Context)?;
    let signature = key.sign_mu_with(&mu, rnd).map_err(|_| Refused::Attempts)?;
    let public = key.verifying_key().to_bytes().as_ref().to_vec();
    Ok(Made { public, mu: mu.to_bytes(), signature: signature.as_ref().to_vec() })
}

fn verify<S: SignatureSet>(cpu: Cpu, key: &[u8], signed: Signed<'_>, signature: &[u8]) -> bool {
    let Some(bytes) = S::VerifyingBytes::of(key) else { return false };
    let key = VerifyingKey::<S>::from_bytes_on(cpu, bytes);
    signed.mu(&key).is_some_and(|mu| key.verify_mu(&mu, signature).is_ok())
}

/// The name of a set of signatures, in any case.
pub(in super::super) fn named(name: &str) -> Option<&'static str> {
    names().find(|own| own.eq_ignore_ascii_case(name))
}

/// The names of all.
pub(in super::super) fn names() -> impl Iterator<Item = &'static str> {
    SETS.iter().map(|set| set.name)
}

/// What a file says of a signature that is made.
pub(super) struct Published<'a> {
    pub(super) public: Option<&'a [u8]>,
    pub(super) mu: Option<&'a [u8]>,
    pub(super) signature: &'a [u8],
}

/// A set that a file has cases for, on a backend.
pub(super) struct Subject {
    cpu: Cpu,
    name: String,
    set: Result<&'static Functions, &'static str>,
}

impl Subject {
    /// The set of a name.
    pub(super) fn named(run: Run, name: &str) -> Self {
        let found = SETS.iter().find(|set| set.name == name);
        let set = match found {
            Some(set) if run.selection.takes(set.name) => Ok(set),
            Some(_) => Err("other set"),
            None => Err("no such scheme here"),
        };
        Subject { cpu: run.cpu, name: excerpt(name), set }
    }

    fn count(
        &self,
        tally: &mut Tally,
        kind: Kind,
        case: impl Display,
        check: impl FnOnce(&Functions) -> Outcome,
    ) {
        tally.count(&self.name, kind, case, self.set.map_or_else(Outcome::NotChecked, check));
    }

    /// The keys of a seed.
    pub(super) fn generate(
        &self,
        tally: &mut Tally,
        case: impl Display,
        seed: &[u8; 32],
        published: [&[u8]; 2],
    ) {
        self.count(tally, Kind::KeyGeneration, case, |set| {
            let [public, private] = (set.expand)(self.cpu, seed);
            let both = same("public key", published[0], &public)
                .and_then(|()| same("private key", published[1], &private));
            both.into()
        });
    }

    /// A signature is made, and is the published one.
    pub(super) fn sign(
        &self,
        tally: &mut Tally,
        case: impl Display,
        key: &[u8],
        signed: Signed<'_>,
        rnd: &[u8; 32],
        published: &Published<'_>,
    ) {
        self.count(tally, Kind::Signature, case, |set| {
            let made = match (set.sign)(self.cpu, key, signed, rnd) {
                Ok(made) => made,
                Err(why) => return Outcome::Failed(why.said()),
            };
            if !(set.verify)(self.cpu, &made.public, signed, &made.signature) {
                return Outcome::Failed("the signature does not verify".into());
            }
            let public = published.public.map_or(Ok(()), |key| same("public key", key, &made.public));
            let mu = published.mu.map_or(Ok(()), |mu| same("mu", mu, &made.mu));
            public.and(mu).and_then(|()| same("signature", published.signature, &made.signature)).into()
        });
    }

    /// No signature is made: the key is none, or the context is too long.
    pub(super) fn refuse_to_sign(
        &self,
        tally: &mut Tally,
        case: impl Display,
        key: &[u8],
        signed: Signed<'_>,
    ) {
        self.count(tally, Kind::SigningRefused, case, |set| {
            match (set.sign)(self.cpu, key, signed, &[0; 32]) {
                Err(Refused::Key | Refused::Context) => Outcome::Passed,
                Err(why) => Outcome::Failed(format!("{}, for another reason", why.said())),
                Ok(_) => Outcome::Failed("signed, and should be refused".into()),
            }
        });
    }

    /// A signature verifies, or does not.
    pub(super) fn verify(
        &self,
        tally: &mut Tally,
        case: impl Display,
        (key, signed, signature): (&[u8], Signed<'_>, &[u8]),
        good: bool,
    ) {
        let kind = if good { Kind::SignatureTaken } else { Kind::SignatureRefused };
        self.count(tally, kind, case, |set| match ((set.verify)(self.cpu, key, signed, signature), good) {
            (true, true) | (false, false) => Outcome::Passed,
            (true, false) => Outcome::Failed("taken, and should be refused".into()),
            (false, true) => Outcome::Failed("does not verify".into()),
        });
    }

    /// A private key in PEM is read; `check` says what is to become of it.
    pub(super) fn read_private(
        &self,
        tally: &mut Tally,
        kind: Kind,
        case: impl Display,
        pem: &str,
        check: impl FnOnce(Result<Vec<u8>, EncodingError>) -> Outcome,
    ) {
        self.count(tally, kind, case, |set| check((set.read_private)(self.cpu, pem)));
    }

    /// A public key likewise.
    pub(super) fn read_public(
        &self,
        tally: &mut Tally,
        case: impl Display,
        pem: &str,
        check: impl FnOnce(Result<Vec<u8>, EncodingError>) -> Outcome,
    ) {
        self.count(tally, Kind::PublicKeyTaken, case, |set| check((set.read_public)(self.cpu, pem)));
    }

    /// What is there, and is not checked.
    pub(super) fn not_checked(
        &self,
        tally: &mut Tally,
        kind: Kind,
        case: impl Display,
        reason: &'static str,
    ) {
        self.count(tally, kind, case, |_| Outcome::NotChecked(reason));
    }
}
