//! NTRUEncrypt: keys, messages and ciphertexts in JSON.
//!
//! Neither NTRU's own library nor libntru prints files of vectors. These are what a program writes that calls
//! them: for each key what was drawn for it, and for each message what was drawn, until it was taken, as
//! hexadecimal digits. libntru's keys come without what was drawn, in the fields `pub` and `priv`. Of
//! ntruprime739-x998 there is a model alone, whose file has seeds, and `F` as a list of places.
//!
//! | checked | of |
//! |---|---|
//! | the keys of what was drawn | NTRU's own library, the model |
//! | the ciphertext of a message and of what was drawn | all |
//! | the message in a ciphertext | all |

use super::json::{self, Hex};
use super::subject::{Outcome, same};
use super::tally::{Kind, Tally};
use super::text::excerpt;
use super::{FileError, Run};
use ringsmith::scheme::{PublicKeyEncryption, encryption_by_name};
use ringsmith_oracle::Generator;
use ringsmith_simd::Cpu;
use serde::Deserialize;

/// Where the selection is of others.
const OTHER: Outcome = Outcome::NotChecked("other set");

#[derive(Deserialize)]
struct File {
    param_set: String,
    vectors: Vec<Key>,
}

#[derive(Deserialize)]
struct Key {
    key: u64,
    keygen_random: Option<Vec<Hex>>,
    #[serde(alias = "pub_blob")]
    r#pub: Hex,
    #[serde(alias = "priv_blob")]
    r#priv: Hex,
    tests: Vec<Message>,
}

#[derive(Deserialize)]
struct Message {
    msg: Hex,
    b_tries: Vec<Hex>,
    ct: Hex,
}

/// Draws pieces, one by a call, as long as they are as long as what is asked for; and how many were drawn.
struct Pieces<'a> {
    pieces: &'a [Hex],
    drawn: usize,
}

impl<'a> Pieces<'a> {
    fn new(pieces: &'a [Hex]) -> Self {
        Pieces { pieces, drawn: 0 }
    }

    /// What `make` makes with them, or what is wrong.
    fn making<T, E: ToString>(
        mut self,
        make: impl FnOnce(&mut Generator<&mut dyn FnMut(&mut [u8])>) -> Result<T, E>,
    ) -> Result<T, String> {
        let mut draw = |bytes: &mut [u8]| {
            let piece = self.pieces.get(self.drawn).filter(|piece| piece.0.len() == bytes.len());
            // A call without an end must not be waited for: what counts is different for each.
            match piece {
                Some(piece) => bytes.copy_from_slice(&piece.0),
                None => bytes
                    .iter_mut()
                    .enumerate()
                    .for_each(|(i, byte)| *byte = (self.drawn >> (8 * (i % 4))) as u8),
            }
            self.drawn += 1;
        };
        let made = make(&mut Generator(&mut draw)).map_err(|why| why.to_string())?;
        match (self.drawn, self.pieces.len()) {
            (drawn, given) if drawn == given => Ok(made),
            (drawn, given) => Err(format!("draws {drawn} times, where the file has {given}")),
        }
    }
}

/// A set on a CPU backend.
#[derive(Clone, Copy)]
struct Subject {
    cpu: Cpu,
    scheme: &'static PublicKeyEncryption,
}

impl Subject {
    fn generate(self, random: &[Hex], [public, private]: [&[u8]; 2]) -> Result<(), String> {
        let (mut made, mut made_private) =
            (vec![0; self.scheme.public_key], vec![0; self.scheme.private_key]);
        Pieces::new(random)
            .making(|rng| (self.scheme.generate)(self.cpu, rng, &mut made, &mut made_private))?;
        same("public key", public, &made)?;
        same("private key", private, &made_private)
    }

    fn encrypt(self, public: &[u8], message: &Message) -> Result<(), String> {
        let mut made = vec![0; self.scheme.ciphertext];
        Pieces::new(&message.b_tries)
            .making(|rng| (self.scheme.encrypt)(self.cpu, public, &message.msg.0, rng, &mut made))?;
        same("ciphertext", &message.ct.0, &made)
    }

    fn decrypt(self, private: &[u8], message: &Message) -> Result<(), String> {
        let mut found = vec![0; self.scheme.message];
        let length = (self.scheme.decrypt)(self.cpu, private, &message.ct.0, &mut found);
        let length = length.map_err(|why| why.to_string())?;
        same("message", &message.msg.0, &found[..length])
    }
}

/// A key and its messages, as they are checked.
struct Checked<'a> {
    case: String,
    /// What was drawn, where that is said.
    random: Option<&'a [Hex]>,
    public: &'a [u8],
    private: Vec<u8>,
    tests: &'a [Message],
}

/// Checks keys of a set.
fn tally(run: Run, scheme: &'static PublicKeyEncryption, keys: &[Checked<'_>]) -> Tally {
    let (mut tally, subject) = (Tally::new("NTRUEncrypt"), Subject { cpu: run.cpu, scheme });
    let mut count = |kind, case: &str, check: &dyn Fn() -> Outcome| {
        let outcome = if run.selection.takes(scheme.name) { check() } else { OTHER };
        tally.count(scheme.name, kind, case, outcome);
    };
    for Checked { case, random, public, private, tests } in keys {
        count(Kind::KeyGeneration, case, &|| match random {
            Some(random) => subject.generate(random, [public, private]).into(),
            None => Outcome::NotChecked("not said what was drawn"),
        });
        for (i, message) in tests.iter().enumerate() {
            let case = format!("{case} message {i}");
            count(Kind::Encryption, &case, &|| subject.encrypt(public, message).into());
            count(Kind::Decryption, &case, &|| subject.decrypt(private, message).into());
        }
    }
    tally
}

/// Checks a file.
pub(super) fn check(run: Run, text: &str) -> Result<Tally, FileError> {
    let File { param_set, vectors } = json::parse(text)?;
    let is_libntru = vectors.iter().all(|key| key.keygen_random.is_none());
    let name = if is_libntru { format!("libntru-{param_set}") } else { param_set };
    let Some(scheme) = encryption_by_name(&name) else {
        return Err(FileError::json("param_set", format!("no set `{}`", excerpt(&name))));
    };
    let private_of = |key: &Key| {
        let mut private = key.r#priv.0.clone();
        if is_libntru {
            private.extend_from_slice(&key.r#pub.0);
        }
        private
    };
    let keys: Vec<Checked<'_>> = vectors
        .iter()
        .map(|key| Checked {
            case: format!("key {}", key.key),
            random: key.keygen_random.as_deref(),
            public: &key.r#pub.0,
            private: private_of(key),
            tests: &key.tests,
        })
        .collect();
    Ok(tally(run, scheme, &keys))
}

/// A file of the model of the scheme over a field.
#[derive(Deserialize)]
struct Model {
    oid: Hex,
    #[serde(rename = "N")]
    n: usize,
    vectors: Vec<ModelKey>,
}

#[derive(Deserialize)]
struct ModelKey {
    count: u64,
    #[serde(rename = "seedF")]
    seed_f: Hex,
    seedg: Hex,
    #[serde(rename = "F_indices_plus_then_minus")]
    f: Vec<usize>,
    r#pub: Hex,
    tests: Vec<Message>,
}

impl ModelKey {
    /// The private key: the public one, and `F` by five coefficients a byte; nothing where an index is none.
    fn private(&self, n: usize) -> Option<Vec<u8>> {
        let (mut digits, ones) = (vec![0; n], self.f.len() / 2);
        for (i, index) in self.f.iter().enumerate() {
            *digits.get_mut(*index)? = if i < ones { 1 } else { 2 };
        }
        let bytes = digits.chunks(5).map(|five| five.iter().rev().fold(0, |sum, digit| 3 * sum + digit));
        Some(self.r#pub.0.iter().copied().chain(bytes).collect())
    }
}

/// The identifier of ntruprime739-x998.
const OVER_A_FIELD: [u8; 3] = [0, 7, 0x39];

/// Checks a file of that model.
pub(super) fn over_a_field(run: Run, text: &str) -> Result<Tally, FileError> {
    let Model { oid, n, vectors } = json::parse(text)?;
    if oid.0 != OVER_A_FIELD {
        return Err(FileError::json("oid", "is not `000739`"));
    }
    let random: Vec<[Hex; 2]> =
        vectors.iter().map(|key| [&key.seed_f, &key.seedg].map(|seed| Hex(seed.0.clone()))).collect();
    let mut keys = vec![];
    for (i, (key, random)) in vectors.iter().zip(&random).enumerate() {
        let place = format!("vectors[{i}].F_indices_plus_then_minus");
        let private =
            key.private(n).ok_or_else(|| FileError::json(place, "an index is beyond the degree"))?;
        keys.push(Checked {
            case: format!("key {}", key.count),
            random: Some(random),
            public: &key.r#pub.0,
            private,
            tests: &key.tests,
        });
    }
    Ok(tally(run, &ringsmith::ntruencrypt::ntruprime739::x998::SCHEME, &keys))
}
