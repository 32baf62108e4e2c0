//! A case of a file: its fields, and what must come of it.

use crate::signed::{Signed, hash_of};
use ringsmith_kem::set::Bytes;
use ringsmith_kem::signature::{SigningKey, VerifyingKey};
use ringsmith_ml_dsa::{Mu, SignatureSet};
use ringsmith_simd::Cpu;
use serde_json::Value;

/// What a case has as its key.
#[derive(Clone, Copy)]
pub(crate) enum Key {
    /// Its seed, and the keys that must come of it.
    Generated,
    /// A private key, in the field of this name.
    Signing(&'static str),
    /// A public key and a signature, in fields of these names.
    Verifying(&'static str, &'static str),
}

/// Says which case it was, where it panics: `cargo xtask mutants` reads it.
struct Named<F: Fn() -> String>(F);

impl<F: Fn() -> String> Drop for Named<F> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("failed: {}", self.0());
        }
    }
}

/// Cases that held, and cases that were refused as they must be.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) valid: usize,
    pub(crate) invalid: usize,
}

/// A case.
pub(crate) struct Case<'a> {
    cpu: Cpu,
    /// The file's name.
    file: &'a str,
    /// Where a field may stand.
    places: [&'a Value; 3],
}

fn decode(hex: &str) -> Vec<u8> {
    let digits: Vec<u32> = hex.chars().map(|digit| digit.to_digit(16).expect("a digit")).collect();
    digits.chunks(2).map(|pair| (16 * pair[0] + pair[1]) as u8).collect()
}

impl<'a> Case<'a> {
    pub(crate) fn new(
        cpu: Cpu,
        (name, contents): (&'a str, &'a Value),
        group: &'a Value,
        test: &'a Value,
    ) -> Self {
        Case { cpu, file: name, places: [test, group, contents] }
    }

    /// The file and the case.
    fn name(&self) -> String {
        let (number, comment) = (self.text("tcId"), self.text("comment").unwrap_or_default());
        let number = number.or_else(|| self.places[0]["tcId"].as_u64().map(|number| number.to_string()));
        format!("{} case {}: {comment}", self.file, number.unwrap_or_default())
    }

    /// A field that is text.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.places.iter().find_map(|place| place[name].as_str()).map(str::to_owned)
    }

    /// A field that is bytes.
    fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        self.text(name).map(|text| decode(&text))
    }

    /// Whether the case must hold.
    fn holds(&self) -> bool {
        let test = self.places[0];
        test["result"].as_str().is_none_or(|result| result == "valid")
            && test["valid"].as_bool().unwrap_or(true)
            && test["testPassed"].as_bool().unwrap_or(true)
    }

    /// What is signed; `None` where the context is too long.
    fn mu<S: SignatureSet>(&self, key: &VerifyingKey<S>) -> Option<Mu> {
        let given = self.bytes("mu").map(|mu| mu.try_into().expect("64 bytes"));
        let given = given.and_then(|mu| Signed::Mu(&mu).mu(key));
        let Some(message) = self.bytes("message").or_else(|| self.bytes("msg")) else { return given };
        let context = self.bytes("context").or_else(|| self.bytes("ctx")).unwrap_or_default();
        let (context, message) = (&context[..], &message[..]);
        let hash = self.text("hashAlg").filter(|_| self.text("preHash").as_deref() == Some("preHash"));
        let signed = match hash.map(|name| hash_of(&name).expect("one of the twelve")) {
            Some(hash) => Signed::Prehashed { context, hash, message },
            None if self.text("signatureInterface").as_deref() == Some("internal") => {
                Signed::Internal(message)
            }
            None => Signed::Message { context, message },
        };
        let mu = signed.mu(key)?;
        if let Some(given) = given {
            assert!(mu == given, "mu");
        }
        Some(mu)
    }

    /// The private key of the case, of either form.
    fn signing_key<S: SignatureSet>(&self, field: &str) -> Option<SigningKey<S>> {
        let bytes = self.bytes(field).expect("a private key");
        match bytes.as_slice().try_into() {
            Ok(seed) => Some(SigningKey::from_seed_on(self.cpu, seed)),
            Err(_) => SigningKey::from_bytes_on(self.cpu, S::SigningBytes::of(&bytes)?).ok(),
        }
    }

    /// The signature that the key makes, if there is one.
    fn sign<S: SignatureSet>(&self, field: &str) -> Option<Vec<u8>> {
        let key = self.signing_key::<S>(field)?;
        if let Some(expected) = self.bytes("publicKey") {
            assert!(key.verifying_key().to_bytes().as_ref() == expected, "public key");
        }
        let mu = self.mu(key.verifying_key())?;
        let rnd = self.bytes("rnd").map_or([0; 32], |rnd| rnd.try_into().expect("32 bytes"));
        let signature = key.sign_mu_with(&mu, &rnd).ok()?;
        assert!(key.verifying_key().verify_mu(&mu, signature.as_ref()).is_ok(), "verifying");
        Some(signature.as_ref().to_vec())
    }

    /// Whether the signature verifies.
    fn verify<S: SignatureSet>(&self, key: &str, signature: &str) -> bool {
        let bytes = self.bytes(key).expect("a public key");
        let Some(bytes) = S::VerifyingBytes::of(&bytes) else { return false };
        let key = VerifyingKey::<S>::from_bytes_on(self.cpu, bytes);
        let signature = self.bytes(signature).expect("a signature");
        self.mu(&key).is_some_and(|mu| key.verify_mu(&mu, &signature).is_ok())
    }

    /// Key generation.
    fn generate<S: SignatureSet>(&self) {
        let seed = self.bytes("seed").expect("a seed").try_into().expect("32 bytes");
        let key = SigningKey::<S>::from_seed_on(self.cpu, &seed);
        let same = |ours: &[u8], field: &str| self.bytes(field).is_some_and(|theirs| theirs == ours);
        let (public, private) = (key.verifying_key().to_bytes(), key.to_bytes());
        assert!(same(public.as_ref(), "pk") && same((*private).as_ref(), "sk"), "keys");
        let read = SigningKey::<S>::from_bytes_on(self.cpu, &private).expect("a key");
        assert!(read.verifying_key() == key.verifying_key(), "the key as read");
        assert!(read.to_seed().is_none() && key.to_seed().as_deref() == Some(&seed));
    }

    /// Checks the case.
    pub(crate) fn check<S: SignatureSet>(&self, key: Key, tally: &mut Tally) {
        let _named = Named(|| self.name());
        let held = match key {
            Key::Generated => {
                self.generate::<S>();
                true
            }
            Key::Signing(field) => match self.sign::<S>(field) {
                Some(made) => {
                    let expected = self.bytes("signature").or_else(|| self.bytes("sig"));
                    assert!(Some(made) == expected, "signature");
                    true
                }
                None => false,
            },
            Key::Verifying(key, signature) => self.verify::<S>(key, signature),
        };
        let what = if held { "accepted" } else { "refused" };
        assert!(held == self.holds(), "{what}: {} on {:?}", S::NAME, self.cpu);
        *(if held { &mut tally.valid } else { &mut tally.invalid }) += 1;
    }
}
