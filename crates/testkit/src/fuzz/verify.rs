//! Verifying signatures: on every backend, and by another library where the feature `second` brings it.
//!
//! Random changes of a signature are refused by all, and soon: its challenge is the hash of all else. So
//! there are inputs that change a valid signature in a few places, and the challenge can be computed anew:
//! of a key whose `t1` is zero it depends on the response and the hints alone. Such signatures go all the
//! way, and are valid where each rule of decoding is obeyed. Builds without `ringsmith_internals` can't
//! compute it.
//!
//! | part of an input | bytes |
//! |---|---|
//! | set, what follows, and whether the challenge is computed | 1 |
//! | a key and a signature; or the number of changes, and the changes | the set's; or 1, and 4 each |
//! | context | 1 of its length, and itself |
//! | message | all that is left |

use super::same_everywhere;
use super::signature::{MESSAGE, fitted, key};
use ringsmith::encoding::EncodedSet;
use ringsmith::ml_dsa::{Context, MlDsa44, MlDsa65, MlDsa87};
use ringsmith::set::Bytes;
use ringsmith::signature::VerifyingKey;
use ringsmith_simd::Cpu;

/// The context of the seeds.
const CONTEXT: &[u8] = b"a context";
/// The most changes of a signature.
const CHANGES: u8 = 8;

/// What is verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Source {
    /// The input's key and signature.
    Bytes,
    /// The signature of the context and the message by the seeds' key, with changes.
    Signed,
    /// The same with a response of zeros.
    Zero,
}

impl Source {
    const ALL: [Self; 3] = [Source::Bytes, Source::Signed, Source::Zero];
}

/// An input that is being read: what it lacks is zero.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        taken
    }

    fn byte(&mut self) -> u8 {
        self.take(1).first().copied().unwrap_or_default()
    }
}

/// A place and what becomes of its byte: where, how, and by which byte.
#[derive(Clone, Copy)]
struct Change([u8; 4]);

impl Change {
    fn read(input: &mut Input<'_>) -> Self {
        Change(core::array::from_fn(|_| input.byte()))
    }

    fn apply(self, signature: &mut [u8]) {
        let [low, high, how, by] = self.0;
        let at = usize::from(u16::from_le_bytes([low, high])) % signature.len();
        signature[at] = match how % 3 {
            0 => signature[at] ^ by,
            1 => by,
            _ => signature[at].wrapping_add(by),
        };
    }
}

/// A set, with the lengths of a signature's parts.
trait Verified: EncodedSet + Internals {
    /// Bytes of the challenge's hash.
    const CHALLENGE: usize;
    /// Bits of a number of the response.
    const RESPONSE_BITS: usize;
    /// Bytes of the hints.
    const HINTS: usize;

    /// Whether another library reads a signature, and whether it verifies it.
    fn by_another(public: &[u8], context: &[u8], message: &[u8], signature: &[u8]) -> Option<[bool; 2]>;

    /// The response with zeros in place of its numbers.
    fn without_response(signature: &mut [u8]) {
        let end = signature.len() - Self::HINTS;
        let response = &mut signature[Self::CHALLENGE..end];
        response.fill(0);
        // A number is stored as its difference from a power of two, which is the highest bit.
        for at in (Self::RESPONSE_BITS - 1..8 * response.len()).step_by(Self::RESPONSE_BITS) {
            response[at / 8] |= 1 << (at % 8);
        }
    }
}

macro_rules! verified {
    ($($set:ident, $challenge:literal, $bits:literal, $hints:expr;)*) => { $(
        impl Verified for $set {
            const CHALLENGE: usize = $challenge;
            const RESPONSE_BITS: usize = $bits;
            const HINTS: usize = $hints;

            #[cfg(feature = "second")]
            fn by_another(key: &[u8], context: &[u8], message: &[u8], signature: &[u8]) -> Option<[bool; 2]> {
                Some(second::<ml_dsa::$set>(key, context, message, signature))
            }

            #[cfg(not(feature = "second"))]
            fn by_another(_: &[u8], _: &[u8], _: &[u8], _: &[u8]) -> Option<[bool; 2]> {
                None
            }
        }
    )* };
}

verified! {
    MlDsa44, 32, 18, 80 + 4;
    MlDsa65, 48, 20, 55 + 6;
    MlDsa87, 64, 20, 75 + 8;
}

/// RustCrypto's library: whether the signature is an encoding, and whether it verifies.
#[cfg(feature = "second")]
fn second<P: ml_dsa::MlDsaParams>(
    public: &[u8],
    context: &[u8],
    message: &[u8],
    signature: &[u8],
) -> [bool; 2] {
    let key = ml_dsa::EncodedVerifyingKey::<P>::try_from(public).expect("the set's length");
    let read = ml_dsa::Signature::<P>::try_from(signature);
    let verify =
        |signature| ml_dsa::VerifyingKey::<P>::decode(&key).verify_with_context(message, context, signature);
    [read.is_ok(), read.as_ref().is_ok_and(verify)]
}

/// What a build with `ringsmith_internals` shows of a set.
#[cfg(ringsmith_internals)]
use ringsmith::ml_dsa::internals::Recode as Internals;

#[cfg(not(ringsmith_internals))]
trait Internals {}

#[cfg(not(ringsmith_internals))]
impl<S: EncodedSet> Internals for S {}

/// Whether a signature is an encoding, with its response in its bounds.
#[cfg(ringsmith_internals)]
fn is_encoding<S: Verified>(signature: &[u8]) -> Option<bool> {
    let mut again = S::SignatureBytes::ZERO;
    let valid = S::recode(signature, again.as_mut());
    assert!(!valid || again.as_ref() == signature, "another encoding of the same signature");
    Some(valid)
}

#[cfg(not(ringsmith_internals))]
fn is_encoding<S: Verified>(_: &[u8]) -> Option<bool> {
    None
}

/// Puts the challenge into a signature, which is then one by a key whose `t1` is zero, if there is one.
#[cfg(ringsmith_internals)]
fn complete<S: Verified>(public: &S::VerifyingBytes, context: Context<'_>, message: &[u8], made: &mut [u8]) {
    use ringsmith::ml_dsa::internals::take_challenge;
    let key = VerifyingKey::<S>::from_bytes_on(Cpu::detect(), public);
    _ = take_challenge();
    _ = key.verify(context, message, made);
    if let Some(challenge) = take_challenge() {
        made[..S::CHALLENGE].copy_from_slice(&challenge[..S::CHALLENGE]);
    }
}

#[cfg(not(ringsmith_internals))]
fn complete<S: Verified>(_: &S::VerifyingBytes, _: Context<'_>, _: &[u8], _: &mut [u8]) {}

/// What an input asks for.
struct Asked<'a> {
    source: Source,
    /// Whether the challenge is computed.
    completed: bool,
    input: Input<'a>,
}

/// What was verified.
#[cfg_attr(not(test), expect(dead_code, reason = "tests count what goes deep"))]
struct Done {
    /// Whether it is valid.
    verified: bool,
    /// Whether the challenge was computed of a response or hints that nobody signed.
    made_up: bool,
}

/// All that verification takes.
struct Subject<'a, S: Verified> {
    public: S::VerifyingBytes,
    context: Context<'a>,
    message: &'a [u8],
    signature: Vec<u8>,
    /// The seeds' key, and its signature.
    own: S::VerifyingBytes,
    signed: S::SignatureBytes,
}

impl<'a, S: Verified> Subject<'a, S> {
    fn of(Asked { source, completed, mut input }: Asked<'a>) -> Self {
        let given = (source == Source::Bytes).then(|| {
            [S::VerifyingBytes::LEN, S::SignatureBytes::LEN].map(|length| fitted(input.take(length), length))
        });
        let changes = if given.is_some() { 0 } else { input.byte() % (CHANGES + 1) };
        let changes: Vec<_> = (0..changes).map(|_| Change::read(&mut input)).collect();
        let length = input.byte().into();
        let (context, message) = (Context::new(input.take(length)).expect("a byte's length"), input.0);

        let key = key::<S>(Cpu::detect());
        let signed = key.sign_deterministic(context, message).expect("a key");
        let own = key.verifying_key().to_bytes();
        let [public, mut signature] = given.unwrap_or([own.as_ref().into(), signed.as_ref().into()]);
        if source == Source::Zero {
            S::without_response(&mut signature);
        }
        changes.iter().for_each(|change| change.apply(&mut signature));
        let mut public = *S::VerifyingBytes::of(&public).expect("the set's length");
        if completed {
            public.as_mut()[ringsmith::signature::SEED_BYTES..].fill(0);
            complete::<S>(&public, context, message, &mut signature);
        }
        Subject { public, context, message, signature, own, signed }
    }

    /// What each backend says.
    fn verify(&self) -> bool {
        same_everywhere(|cpu| {
            let key = VerifyingKey::<S>::from_bytes_on(cpu, &self.public);
            key.verify(self.context, self.message, &self.signature).is_ok()
        })
    }
}

fn check<S: Verified>(asked: Asked<'_>) -> Done {
    let completed = asked.completed;
    let subject = Subject::<S>::of(asked);
    let (signature, signed) = (&subject.signature[..], subject.signed.as_ref());
    let verified = subject.verify();
    if subject.public == subject.own {
        assert_eq!(verified, signed == signature, "{}: of its own key", S::NAME);
    }
    let encoding = is_encoding::<S>(signature);
    assert!(encoding != Some(false) || !verified, "{}: verified, and is no encoding", S::NAME);
    if let (true, Some(encoding)) = (completed, encoding) {
        assert_eq!(verified, encoding, "{}: all that is left is the encoding", S::NAME);
    }
    let Subject { public, context, message, .. } = &subject;
    let theirs = S::by_another(public.as_ref(), context.as_bytes(), message, signature);
    if let Some([read, also]) = theirs {
        assert_eq!(also, verified, "{}: another library says {also}", S::NAME);
        assert!(encoding.is_none_or(|encoding| encoding == read), "{}: another library reads it", S::NAME);
    }
    Done { verified, made_up: completed && signature[S::CHALLENGE..] != signed[S::CHALLENGE..] }
}

static SETS: [fn(Asked<'_>) -> Done; 3] = [check::<MlDsa44>, check::<MlDsa65>, check::<MlDsa87>];

/// The first byte of an input.
fn head(set: usize, source: usize, completed: bool) -> u8 {
    (set + SETS.len() * (source + Source::ALL.len() * usize::from(completed))) as u8
}

fn run(bytes: &[u8]) -> Done {
    let mut input = Input(bytes);
    let head = usize::from(input.byte());
    let (set, rest) = (head % SETS.len(), head / SETS.len());
    let source = Source::ALL[rest % Source::ALL.len()];
    let completed = rest / Source::ALL.len() % 2 == 1;
    SETS[set](Asked { source, completed, input })
}

/// A signature, its key, its context and its message: every backend and another library say the same of them.
/// The signatures of a key are its own, and no other; what can be read is written as it was.
pub(super) fn signature(bytes: &[u8]) {
    run(bytes);
}

/// Whole inputs, of every source, with the challenge as it is and computed: without changes, with one of the
/// response, and with one of the first hint and of the number of hints besides.
fn seeds<S: Verified>(set: usize) -> Vec<Vec<u8>> {
    let key = key::<S>(Cpu::detect());
    let context = Context::new(CONTEXT).expect("a short one");
    let made = key.sign_deterministic(context, MESSAGE).expect("a key");
    let whole = [key.verifying_key().to_bytes().as_ref(), made.as_ref()].concat();
    let tail = [&[CONTEXT.len() as u8], CONTEXT, MESSAGE].concat();

    let end = S::SignatureBytes::LEN;
    let change = |(at, by)| [(at as u16).to_le_bytes(), [2, by]].concat();
    let changes = [(S::CHALLENGE, 1), (end - S::HINTS, 1), (end - 1, 255)].map(change);
    let changes = [0, 1, 3].map(|count| [vec![count as u8], changes[..count].concat()].concat());
    let forms = [false, true].into_iter().flat_map(|completed| [0, 1, 2].map(|source| (source, completed)));
    let of_form = |(source, completed): (usize, bool)| {
        let middles = if source == 0 { std::slice::from_ref(&whole) } else { &changes[..] };
        let head = [head(set, source, completed)];
        middles.iter().map(|middle| [&head, &middle[..], &tail].concat()).collect::<Vec<_>>()
    };
    forms.flat_map(of_form).collect()
}

pub(super) fn signatures() -> Vec<Vec<u8>> {
    [seeds::<MlDsa44>(0), seeds::<MlDsa65>(1), seeds::<MlDsa87>(2)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::neighbours;
    use ringsmith_oracle::Random;

    /// Protects: that inputs go deep. Of the seeds and what is near them some are valid, and, where a build
    /// can compute challenges, some of those are of responses and hints that nobody signed.
    #[test]
    fn some_are_valid() {
        let (mut random, mut valid, mut made_up, mut all) = (Random::new(1), 0, 0, 0);
        for seed in signatures() {
            let near = (0..6).map(|_| neighbours(&seed, &mut random)[0].clone());
            for input in near.chain([seed.clone()]) {
                let done = run(&input);
                valid += usize::from(done.verified);
                made_up += usize::from(done.verified && done.made_up);
                all += 1;
            }
        }
        println!("{all} inputs, {valid} valid, {made_up} of those made up");
        assert!(valid > all / 20 && valid < all, "{valid} of {all}");
        assert_eq!(made_up > all / 20, cfg!(ringsmith_internals), "{made_up} of {all}");
    }
}
