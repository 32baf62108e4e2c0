//! What a library must share with ours before it is measured.

use super::list::Entry;
use super::{KEYGEN, Names, PrepareSign, SEED, Sign};
use crate::kem::{Done, Refused};
use ringsmith_oracle::Random;

/// What a check says, as an error of an implementation.
fn fails<T>(names: Names, what: &str) -> Result<T, String> {
    let Names { set, implementation, cpu, .. } = names;
    Err(format!("{implementation} ({cpu}), {}: {what}", set.name))
}

/// Signs every message of the list, which ours must verify, and which must be the list's where the randomness
/// is.
pub(super) fn signatures<K: Sign>(names: Names, scheme: K) -> Result<(), String> {
    names.set.list().iter().try_for_each(|entry| signature(names, scheme, entry))
}

fn signature<K: Sign>(names: Names, scheme: K, entry: &Entry) -> Result<(), String> {
    let Entry { public, private, message, .. } = entry;
    let mut signature = vec![0; names.set.signature];
    let signed = scheme.read(private).and_then(|key| scheme.sign(&key, message, &mut signature));
    if signed.is_err() {
        return fails(names, "signing failed");
    }
    if !names.set.verifies(public, message, &signature) {
        return fails(names, "ours refuses a signature of its");
    }
    if !names.is_hedged() && signature != entry.signature {
        return fails(names, "a signature differs from ours");
    }
    Ok(())
}

/// Verifies the list, and refuses each signature for another message.
pub(super) fn verifying(names: Names, scheme: impl Sign) -> Result<(), String> {
    for Entry { public, message, signature, .. } in names.set.list() {
        if scheme.verify(public, message, signature).is_err() {
            return fails(names, "it refuses a signature of ours");
        }
        let mut other = *message;
        other[0] ^= 1;
        if scheme.verify(public, &other, signature).is_ok() {
            return fails(names, "it takes a signature for another message");
        }
    }
    Ok(())
}

/// The same seed gives the same keys, or, where a library draws it itself, keys that ours verifies by.
pub(super) fn keys(names: Names, scheme: impl Sign) -> Result<(), String> {
    let set = names.set;
    let (mut public, mut private) = (vec![0; set.public], vec![0; set.private]);
    let mut rng = Random::new(SEED);
    if scheme.generate(&mut rng, &mut public, &mut private).is_err() {
        return fails(names, &format!("{KEYGEN} failed"));
    }
    // The first entry of a list that began there.
    let entry = (set.entry)(SEED, &set.shape);
    if !names.is_hedged() {
        let same = public == entry.public && private == entry.private;
        return if same { Ok(()) } else { fails(names, "a key of the same seed differs from ours") };
    }
    signature(names, scheme, &Entry { public, private, ..entry })
}

/// Prepared keys, each read for one use.
#[derive(Clone, Copy)]
pub(super) struct Prepared<K>(pub(super) K);

impl<K: PrepareSign> Sign for Prepared<K> {
    type Private = K::Private;

    fn generate(self, _: &mut Random, _: &mut [u8], _: &mut [u8]) -> Done {
        Err(Refused)
    }

    fn read(self, private: &[u8]) -> Result<Self::Private, Refused> {
        self.0.read_private(private)
    }

    fn sign(self, key: &Self::Private, message: &[u8], signature: &mut [u8]) -> Done {
        K::sign(key, message, signature)
    }

    fn verify(self, public: &[u8], message: &[u8], signature: &[u8]) -> Done {
        K::verify(&self.0.read_public(public)?, message, signature)
    }
}
