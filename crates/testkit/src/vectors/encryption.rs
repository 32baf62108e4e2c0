//! NTRUEncrypt: keys, messages and ciphertexts in JSON.
//!
//! Neither NTRU's own library nor libntru prints files of vectors. These are what a program writes that calls
//! them: for each key what was drawn for it, and for each message what was drawn, until it was taken, as
//! hexadecimal digits. libntru's keys come without what was drawn, in the fields `pub` and `priv`.
//!
//! | checked | of |
//! |---|---|
//! | the keys of what was drawn | NTRU's own library |
//! | the ciphertext of a message and of what was drawn | both |
//! | the message in a ciphertext | both |

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

/// Checks a file.
pub(super) fn check(run: Run, text: &str) -> Result<Tally, FileError> {
    let File { param_set, vectors } = json::parse(text)?;
    let is_libntru = vectors.iter().all(|key| key.keygen_random.is_none());
    let name = if is_libntru { format!("libntru-{param_set}") } else { param_set };
    let Some(scheme) = encryption_by_name(&name) else {
        return Err(FileError::json("param_set", format!("no set `{}`", excerpt(&name))));
    };
    let (mut tally, subject) = (Tally::new("NTRUEncrypt"), Subject { cpu: run.cpu, scheme });
    let mut count = |kind, case: &str, check: &dyn Fn() -> Outcome| {
        let outcome = if run.selection.takes(scheme.name) { check() } else { OTHER };
        tally.count(scheme.name, kind, case, outcome);
    };
    for key in &vectors {
        let (public, mut private) = (&key.r#pub.0, key.r#priv.0.clone());
        if is_libntru {
            private.extend_from_slice(public);
        }
        let case = format!("key {}", key.key);
        count(Kind::KeyGeneration, &case, &|| match &key.keygen_random {
            Some(random) => subject.generate(random, [public, &private]).into(),
            None => Outcome::NotChecked("not said what was drawn"),
        });
        for (i, message) in key.tests.iter().enumerate() {
            let case = format!("key {} message {i}", key.key);
            count(Kind::Encryption, &case, &|| subject.encrypt(public, message).into());
            count(Kind::Decryption, &case, &|| subject.decrypt(&private, message).into());
        }
    }
    Ok(tally)
}
