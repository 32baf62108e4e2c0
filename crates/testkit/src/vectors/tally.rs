//! What was checked, counted.

use super::subject::{Outcome, Target};
use std::fmt;

/// What a case checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The keys of a seed.
    KeyGeneration,
    /// The ciphertext and the shared key of a key and a message.
    Encapsulation,
    /// The shared key in a ciphertext.
    Decapsulation,
    /// An encapsulation key is taken.
    EncapsulationKeyTaken,
    /// An encapsulation key is refused.
    EncapsulationKeyRefused,
    /// A decapsulation key is taken.
    DecapsulationKeyTaken,
    /// A decapsulation key is refused.
    DecapsulationKeyRefused,
    /// A ciphertext is refused.
    CiphertextRefused,
    /// A decapsulation key or a ciphertext is refused.
    DecapsulationRefused,
    /// A seed is refused.
    SeedRefused,
    /// The offer of a key exchange.
    Offer,
    /// The response to it, and the responder's shared key.
    Response,
    /// The shared key of who made the offer.
    Finish,
    /// The ciphertext of a message.
    Encryption,
    /// The message in a ciphertext.
    Decryption,
    /// What a message is masked with.
    Mask,
    /// The indices of a private key.
    Indices,
    /// A product in a ring.
    Product,
    /// An element of a ring, reduced.
    Reduction,
    /// An inverse in a ring.
    Inverse,
    /// The bytes of an element.
    Encoding,
    /// The element of bytes.
    Decoding,
    /// The numbers that stand for residues.
    Representatives,
    /// The signature of a message.
    Signature,
    /// Nothing is signed.
    SigningRefused,
    /// A signature verifies.
    SignatureTaken,
    /// A signature does not verify.
    SignatureRefused,
    /// A private key in a file is read.
    PrivateKeyTaken,
    /// A private key in a file is refused.
    PrivateKeyRefused,
    /// A public key in a file is read.
    PublicKeyTaken,
    /// A certificate.
    Certificate,
    /// A text that is something else.
    OtherText,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::KeyGeneration => "key generation",
            Kind::Encapsulation => "encapsulation",
            Kind::Decapsulation => "decapsulation",
            Kind::EncapsulationKeyTaken => "encapsulation key taken",
            Kind::EncapsulationKeyRefused => "encapsulation key refused",
            Kind::DecapsulationKeyTaken => "decapsulation key taken",
            Kind::DecapsulationKeyRefused => "decapsulation key refused",
            Kind::CiphertextRefused => "ciphertext refused",
            Kind::DecapsulationRefused => "decapsulation refused",
            Kind::SeedRefused => "seed refused",
            Kind::Offer => "offer",
            Kind::Response => "response",
            Kind::Finish => "finish",
            Kind::Encryption => "encryption",
            Kind::Decryption => "decryption",
            Kind::Mask => "mask",
            Kind::Indices => "indices",
            Kind::Product => "product",
            Kind::Reduction => "reduction",
            Kind::Inverse => "inverse",
            Kind::Encoding => "encoding",
            Kind::Decoding => "decoding",
            Kind::Representatives => "representatives",
            Kind::Signature => "signature",
            Kind::SigningRefused => "signing refused",
            Kind::SignatureTaken => "signature taken",
            Kind::SignatureRefused => "signature refused",
            Kind::PrivateKeyTaken => "private key taken",
            Kind::PrivateKeyRefused => "private key refused",
            Kind::PublicKeyTaken => "public key taken",
            Kind::Certificate => "certificate",
            Kind::OtherText => "another text",
        })
    }
}

/// The counts of one kind of case in one parameter set.
pub struct Row {
    /// The parameter set, as the file names it.
    pub set: String,
    /// What the cases check.
    pub kind: Kind,
    /// How many cases passed.
    pub passed: usize,
    /// How many failed.
    pub failed: usize,
    /// How many were not checked, by reason.
    pub not_checked: Vec<(&'static str, usize)>,
    /// The first case that failed, and what differs.
    pub first_failure: Option<String>,
}

/// What was checked in a file.
pub struct Tally {
    /// The format of the file.
    pub format: &'static str,
    /// The counts, in the order of the file.
    pub rows: Vec<Row>,
}

impl Tally {
    /// Nothing so far.
    pub(super) fn new(format: &'static str) -> Self {
        Tally { format, rows: Vec::new() }
    }

    /// Counts a case: what a check says of the target, where the target is one to check.
    pub(super) fn check(
        &mut self,
        target: &Target,
        kind: Kind,
        case: impl fmt::Display,
        check: impl FnOnce(super::subject::Subject) -> Outcome,
    ) {
        self.count(&target.name, kind, case, target.subject.map_or_else(Outcome::NotChecked, check));
    }

    /// Counts a case and what became of it.
    pub(super) fn count(&mut self, set: &str, kind: Kind, case: impl fmt::Display, outcome: Outcome) {
        let row = self.row(set, kind);
        match outcome {
            Outcome::Passed => row.passed += 1,
            Outcome::Failed(what) => {
                row.failed += 1;
                row.first_failure.get_or_insert_with(|| format!("{case}: {what}"));
            }
            Outcome::NotChecked(reason) => {
                match row.not_checked.iter_mut().find(|(known, _)| *known == reason) {
                    Some((_, count)) => *count += 1,
                    None => row.not_checked.push((reason, 1)),
                }
            }
        }
    }

    fn row(&mut self, set: &str, kind: Kind) -> &mut Row {
        let found = self.rows.iter().position(|row| row.set == set && row.kind == kind);
        let index = found.unwrap_or_else(|| {
            let (set, not_checked) = (set.to_string(), Vec::new());
            self.rows.push(Row { set, kind, passed: 0, failed: 0, not_checked, first_failure: None });
            self.rows.len() - 1
        });
        &mut self.rows[index]
    }

    /// How many cases failed.
    pub fn failed(&self) -> usize {
        self.rows.iter().map(|row| row.failed).sum()
    }

    /// Where no case was checked, why.
    pub(super) fn reason_for_nothing(&self) -> Option<&'static str> {
        if self.rows.iter().any(|row| row.passed + row.failed > 0) {
            return None;
        }
        let reasons = self.rows.iter().flat_map(|row| &row.not_checked);
        Some(reasons.map(|(reason, _)| *reason).next().unwrap_or("no cases"))
    }
}
