//! Keys: what OpenSSL has handles of. Nothing here knows of C.

use crate::abi::selection;
use crate::kind::{How, Kind};
use rand_core::Rng;
use ringsmith_hybrid::tls::Client;
use ringsmith_kem::random;
use ringsmith_kem::scheme::Scheme;
use ringsmith_simd::Cpu;
use std::ffi::c_int;
use std::sync::{Arc, Mutex, PoisonError};
use zeroize::Zeroizing;

/// Bytes that are cleared on drop.
type Secret = Zeroizing<Vec<u8>>;

fn room(bytes: usize) -> Secret {
    Zeroizing::new(vec![0; bytes])
}

/// A scheme's private key.
struct SchemeKey {
    /// In its long form.
    long: Secret,
    /// In its short one, where it was made of that.
    seed: Option<Secret>,
}

/// A private key, which copies share.
#[derive(Clone)]
enum Private {
    /// A scheme's.
    Scheme(Arc<SchemeKey>),
    /// A client's secrets.
    Client(Arc<dyn Client>),
}

/// A ciphertext, and the secret in it.
pub(crate) struct Answer {
    pub(crate) ciphertext: Vec<u8>,
    pub(crate) secret: Secret,
}

/// A key: its public half, its private one, both or none.
pub(crate) struct Key {
    pub(crate) kind: &'static Kind,
    public: Option<Vec<u8>>,
    private: Option<Private>,
    /// A ciphertext for the public key, for the first who asks. To make it is the check of a public key,
    /// which OpenSSL wants to be done when it is read: it answers a client's share with the right alert
    /// then. So the check and the encapsulation that follows are done once.
    answer: Mutex<Option<Answer>>,
}

impl Key {
    /// A key without halves.
    pub(crate) fn blank(kind: &'static Kind) -> Self {
        Key { kind, public: None, private: None, answer: Mutex::new(None) }
    }

    /// A new key; `None` where the system has no randomness.
    pub(crate) fn generate(kind: &'static Kind) -> Option<Self> {
        let mut key = Key::blank(kind);
        match kind.how {
            How::Scheme(scheme) => {
                let mut seed = room(scheme.seed.as_ref()?.bytes);
                random::drawn(|rng| rng.fill_bytes(&mut seed)).ok()?;
                key.set_private(&seed).then_some(key)
            }
            How::Group(group) => {
                let client: Arc<dyn Client> =
                    random::drawn(|rng| group.start(Cpu::detect(), rng)).ok()?.into();
                key.public = Some(client.share().to_vec());
                key.private = Some(Private::Client(client));
                Some(key)
            }
        }
    }

    /// The same key with these parts alone.
    pub(crate) fn copy(&self, parts: c_int) -> Self {
        let mut copy = Key::blank(self.kind);
        if parts & selection::PAIR != 0 {
            copy.public = self.public.clone();
        }
        if parts & selection::PRIVATE != 0 {
            copy.private = self.private.clone();
        }
        copy
    }

    /// Whether it has all of these parts.
    pub(crate) fn has(&self, parts: c_int) -> bool {
        (parts & selection::PUBLIC == 0 || self.public.is_some())
            && (parts & selection::PRIVATE == 0 || self.private.is_some())
    }

    /// The public half.
    pub(crate) fn public(&self) -> Option<&[u8]> {
        self.public.as_deref()
    }

    /// The private half in its long form, and its seed; `None` for groups, whose keys do not stay.
    pub(crate) fn private(&self) -> Option<(&[u8], Option<&[u8]>)> {
        match self.private.as_ref()? {
            Private::Scheme(key) => Some((&key.long, key.seed.as_ref().map(|seed| seed.as_slice()))),
            Private::Client(_) => None,
        }
    }

    /// Sets the public half, and checks it. Where it is refused, the key is as it was.
    pub(crate) fn set_public(&mut self, bytes: &[u8]) -> bool {
        let Some(answer) = answer(self.kind, bytes) else { return false };
        self.public = Some(bytes.to_vec());
        self.private = None;
        self.answer = Mutex::new(Some(answer));
        true
    }

    /// Sets both halves, of a scheme's private key in either form, which is checked. Where it is refused, the
    /// key is as it was.
    pub(crate) fn set_private(&mut self, bytes: &[u8]) -> bool {
        let How::Scheme(scheme) = self.kind.how else { return false };
        let Some((public, private)) = expand(scheme, bytes) else { return false };
        self.public = Some(public);
        self.private = Some(Private::Scheme(Arc::new(private)));
        true
    }

    /// A ciphertext and its secret; `None` without a public half, or randomness.
    pub(crate) fn encapsulate(&self) -> Option<Answer> {
        let public = self.public()?;
        let made = self.answer.lock().unwrap_or_else(PoisonError::into_inner).take();
        made.or_else(|| answer(self.kind, public))
    }

    /// The secret in a ciphertext; `None` without a private half, or where the ciphertext is refused.
    pub(crate) fn decapsulate(&self, ciphertext: &[u8]) -> Option<Secret> {
        let [_, _, bytes] = self.kind.sizes();
        let mut secret = room(bytes);
        match (self.kind.how, self.private.as_ref()?) {
            (How::Scheme(scheme), Private::Scheme(private)) => {
                (scheme.decapsulate)(Cpu::detect(), &private.long, ciphertext, &mut secret).ok()?;
            }
            (_, Private::Client(client)) => client.finish(ciphertext, &mut secret).ok()?,
            _ => return None,
        }
        Some(secret)
    }
}

/// Both halves of a private key in either form.
fn expand(scheme: &Scheme, bytes: &[u8]) -> Option<(Vec<u8>, SchemeKey)> {
    let (seed, mut public) = (scheme.seed.as_ref()?, vec![0; scheme.public_key]);
    if bytes.len() == seed.bytes {
        let mut long = room(scheme.private_key);
        (seed.expand)(Cpu::detect(), bytes, &mut public, &mut long).ok()?;
        return Some((public, SchemeKey { long, seed: Some(Zeroizing::new(bytes.to_vec())) }));
    }
    (scheme.public_key_of?)(Cpu::detect(), bytes, &mut public).ok()?;
    Some((public, SchemeKey { long: Zeroizing::new(bytes.to_vec()), seed: None }))
}

/// A ciphertext for a public key, and the secret in it; `None` where the key is none, or without randomness.
fn answer(kind: &Kind, public: &[u8]) -> Option<Answer> {
    let [_, ciphertext, secret] = kind.sizes();
    let mut made = Answer { ciphertext: vec![0; ciphertext], secret: room(secret) };
    let (cpu, to, shared) = (Cpu::detect(), &mut made.ciphertext, &mut made.secret);
    let is_made = random::drawn(|rng| match kind.how {
        How::Scheme(scheme) => (scheme.encapsulate)(cpu, public, rng, to, shared).is_ok(),
        How::Group(group) => group.respond(cpu, public, rng, to, shared).is_ok(),
    });
    (is_made == Ok(true)).then_some(made)
}
