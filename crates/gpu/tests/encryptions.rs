//! Whole encryptions in batches: byte by byte what the library makes of the same random bytes.

#[macro_use]
mod sets;

use rand_core::{TryCryptoRng, TryRng};
use ringsmith_gpu::schemes::rates::{BLINDINGS, Effort, SAMPLINGS, times};
use ringsmith_gpu::schemes::{BatchError, Decryptions, Encryptions, Sampling};
use ringsmith_gpu::{Device, Emulated, Faults, GpuError};
use ringsmith_kem::pke::{DecryptionKey, PkeSet};
use ringsmith_kem::set::Bytes;
use ringsmith_ntruencrypt::{self as ntruencrypt, libntru, ntruprime739};
use ringsmith_oracle::Random;
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

fn emulated(faults: Faults) -> (Arc<Emulated>, Device) {
    let driver = Arc::new(Emulated::new(faults));
    (driver.clone(), Device::by(driver))
}

/// The bytes of a list, one after the other.
struct Replay<'a>(&'a [u8]);

impl TryRng for Replay<'_> {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("bytes are drawn")
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("bytes are drawn")
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        let (now, later) = self.0.split_at(out.len());
        out.copy_from_slice(now);
        self.0 = later;
        Ok(())
    }
}

impl TryCryptoRng for Replay<'_> {}

/// Messages of all lengths.
fn messages<S: PkeSet>(count: usize) -> Vec<Vec<u8>> {
    let (mut random, most) = (Random::new(7), S::MessageBytes::LEN);
    let message = |i: usize| {
        let mut message = vec![0; i * 5 % (most + 1)];
        random.fill(&mut message);
        message
    };
    (0..count).map(message).collect()
}

/// A ciphertext of a set.
type Ciphertext<S> = <S as PkeSet>::CiphertextBytes;

/// How an encryption went: the random bytes that were drawn for each message, and its ciphertext.
struct Encrypted<S: PkeSet> {
    drawn: Vec<Vec<u8>>,
    ciphertexts: Vec<Ciphertext<S>>,
}

/// How many of a batch are compared: the library takes a while for each.
const COMPARED: usize = 40;

/// A trait alias.
trait Pke: PkeSet + ntruencrypt::halves::Halves {}
impl<S: PkeSet + ntruencrypt::halves::Halves> Pke for S {}

/// Encrypts so many messages. The first ones, and all that were drawn again, are those of the library.
fn encrypted<S: Pke>(device: &Device, key: &DecryptionKey<S>, messages: &[Vec<u8>]) -> Encrypted<S> {
    encrypted_by(Encryptions::new(device, key.encryption_key()).unwrap(), key, messages)
}

/// The same by a batch.
fn encrypted_by<S: Pke>(batch: Encryptions<S>, key: &DecryptionKey<S>, messages: &[Vec<u8>]) -> Encrypted<S> {
    let mut batch = batch;
    let mut drawn = vec![vec![]; messages.len()];
    let mut ciphertexts = vec![Ciphertext::<S>::ZERO; messages.len()];
    let mut random = Random::new(11);
    let draw = |at: usize, bytes: &mut [u8]| {
        random.fill(bytes);
        drawn[at].extend_from_slice(bytes);
    };
    batch.encrypt_by(messages, draw, &mut ciphertexts).unwrap();
    for (at, drawn) in drawn.iter().enumerate() {
        if at < COMPARED || drawn.len() > S::NUMBERS.random {
            let mut rng = Replay(drawn);
            let expected = key.encryption_key().encrypt(&messages[at], &mut rng).unwrap();
            assert!(expected == ciphertexts[at] && rng.0.is_empty(), "{} {at}", <S as PkeSet>::NAME);
        }
    }
    Encrypted { drawn, ciphertexts }
}

/// Ciphertexts, some of which are damaged, decrypt as by the library.
fn decrypted<S: Pke>(device: &Device, key: &DecryptionKey<S>, ciphertexts: &mut [Ciphertext<S>]) {
    for (at, ciphertext) in ciphertexts.iter_mut().enumerate().skip(1).step_by(3) {
        let length = ciphertext.as_ref().len();
        match at % 9 {
            1 => ciphertext.as_mut()[at % length] ^= 1 << (at % 8),
            4 => ciphertext.as_mut().fill(0xff),
            _ => *ciphertext.as_mut().last_mut().unwrap() ^= 1,
        }
    }
    let opened = Decryptions::new(device, key).unwrap().decrypt(ciphertexts).unwrap();
    assert_eq!(opened.len(), ciphertexts.len());
    for (at, (opened, ciphertext)) in opened.iter().zip(ciphertexts.iter()).enumerate().take(COMPARED) {
        let expected = key.decrypt(ciphertext);
        assert!(at % 3 != 1 || expected.is_err());
        let (got, expected) = (opened.as_ref().map(|m| &m[..]), expected.as_ref().map(|m| &m[..]));
        assert_eq!(got, expected, "{} {at}", <S as PkeSet>::NAME);
    }
}

/// A set with batches of such sizes; how many messages were drawn again.
fn set<S: Pke>(sizes: &[usize]) -> usize {
    let key = DecryptionKey::<S>::generate(&mut Random::new(3));
    let mut again = 0;
    for (at, size) in sizes.iter().enumerate() {
        let (driver, device) = emulated(Faults { descending: at % 2 == 1, ..Faults::default() });
        let messages = messages::<S>(*size);
        let mut made = encrypted::<S>(&device, &key, &messages);
        again += made.drawn.iter().filter(|drawn| drawn.len() > S::NUMBERS.random).count();
        decrypted::<S>(&device, &key, &mut made.ciphertexts);
        drop(device);
        assert_eq!((driver.used().0, driver.uncleared()), (0, 0));
    }
    again
}

/// A set with what blinds messages made on the device, in batches of such sizes: the library's ciphertexts,
/// and nothing stays in the device's memory. How many messages were drawn again.
fn sampled<S: Pke>(sizes: &[usize]) -> usize {
    let key = DecryptionKey::<S>::generate(&mut Random::new(3));
    let mut again = 0;
    for (at, size) in sizes.iter().enumerate() {
        let (driver, device) = emulated(Faults { descending: at % 2 == 0, ..Faults::default() });
        let batch = Encryptions::new_by(&device, key.encryption_key(), Sampling::Device).unwrap();
        let made = encrypted_by::<S>(batch, &key, &messages::<S>(*size));
        again += made.drawn.iter().filter(|drawn| drawn.len() > S::NUMBERS.random).count();
        drop(device);
        assert_eq!((driver.used().0, driver.uncleared()), (0, 0));
    }
    again
}

/// Runs a function for a set of each module, and gives what all give.
macro_rules! each {
    ($run:ident, $argument:expr, $of:ident: $($module:ident $set:ident)*) => {
        [$($run::<$of::$module::$set>($argument)),*]
    };
}

/// Protects: ciphertexts of every set of EESS#1 and of the draft are the library's, and so is what is in good
/// and in damaged ones.
#[test]
fn every_set_of_the_standards() {
    let again = each_of_the_standards!(set, &[33]);
    assert_eq!(again.len(), ntruencrypt::SCHEMES.len());
}

/// Protects: the same where the device makes what blinds messages.
#[test]
fn every_set_sampled_on_the_device() {
    let again = each_of_the_standards!(sampled, &[9]);
    assert_eq!(again.len(), ntruencrypt::SCHEMES.len());
}

/// Protects: batches of none, one and many on the device; random bytes that are drawn again.
#[test]
fn sizes_sampled_on_the_device() {
    assert!(sampled::<ntruencrypt::ees401ep1::Ees401ep1>(&[0, 1, 500]) >= 1);
}

/// Protects: messages for which the device hashes too few blocks are blinded by the host, whichever of a
/// batch they are: all, most, some, or none.
#[test]
fn too_few_blocks_on_the_device() {
    type Set = ntruencrypt::ees401ep1::Ees401ep1;
    let key = DecryptionKey::<Set>::generate(&mut Random::new(3));
    let messages = messages::<Set>(20);
    let expected = encrypted::<Set>(&emulated(Faults::default()).1, &key, &messages).ciphertexts;
    let most = <Set as ntruencrypt::halves::Halves>::NUMBERS.plan.blocks_of_f;
    let mut launches = Vec::new();
    for blocks in [1, most - 4, most - 3, most - 2, most - 1, most] {
        let (driver, device) = emulated(Faults::default());
        let batch = Encryptions::new(&device, key.encryption_key()).unwrap();
        let batch = batch.with_blocks(&device, blocks).unwrap();
        assert!(encrypted_by::<Set>(batch, &key, &messages).ciphertexts == expected, "{blocks}");
        launches.push(driver.calls().launches);
    }
    // What blinds, its products, and products of the host's.
    assert!(launches[0] > launches[5] && launches.is_sorted_by(|a, b| a >= b), "{launches:?}");
}

/// Protects: the same for the sets of libntru, which hash and pack otherwise.
#[test]
fn every_set_of_libntru() {
    let again = each!(set, &[33], libntru:
        ees401ep1 Ees401ep1 ees401ep2 Ees401ep2 ees439ep1 Ees439ep1 ees443ep1 Ees443ep1 ees449ep1 Ees449ep1
        ees541ep1 Ees541ep1 ees587ep1 Ees587ep1 ees593ep1 Ees593ep1 ees613ep1 Ees613ep1 ees659ep1 Ees659ep1
        ees677ep1 Ees677ep1 ees743ep1 Ees743ep1 ees761ep1 Ees761ep1 ees887ep1 Ees887ep1
        ees1087ep1 Ees1087ep1 ees1087ep2 Ees1087ep2 ees1171ep1 Ees1171ep1 ees1499ep1 Ees1499ep1
    );
    assert_eq!(again.len(), libntru::SCHEMES.len());
}

/// Protects: batches of one and of many, in more than one part; and that random bytes are drawn again, for
/// some of a thousand messages of a set where that is not rare, by products of their own.
#[test]
fn sizes() {
    assert!(set::<ntruencrypt::ees401ep1::Ees401ep1>(&[0, 1, 1000]) >= 3);
    set::<ntruencrypt::ees443ep1::Ees443ep1>(&[1, 1000]);
}

/// Protects: a batch of more messages than are under way at a time.
#[test]
fn rounds() {
    let (_, device) = emulated(Faults::default());
    let key = DecryptionKey::<ntruencrypt::ees401ep2::Ees401ep2>::generate(&mut Random::new(3));
    let messages = messages::<ntruencrypt::ees401ep2::Ees401ep2>(2051);
    let mut made = encrypted(&device, &key, &messages);
    let last = made.ciphertexts.split_off(2048);
    for (ciphertext, message) in last.iter().zip(&messages[2048..]) {
        assert_eq!(&key.decrypt(ciphertext).unwrap()[..], &message[..]);
    }
    made.ciphertexts.extend(last);
    let opened = Decryptions::new(&device, &key).unwrap().decrypt(&made.ciphertexts).unwrap();
    for (opened, message) in opened.iter().zip(&messages) {
        assert_eq!(opened.as_ref().map(|opened| &opened[..]), Ok(&message[..]));
    }
}

/// Protects: a device that is lost at any call is an error. No ciphertext, shared key or message is told, and
/// nothing stays in its memory.
#[test]
fn lost_at_any_call() {
    type Set = ntruencrypt::ees401ep2::Ees401ep2;
    let key = DecryptionKey::<Set>::generate(&mut Random::new(3));
    let (messages, whole) = (messages::<Set>(3), emulated(Faults::default()).1);
    let good = encrypted::<Set>(&whole, &key, &messages).ciphertexts;
    let (mut calls, mut lost) = (0, 0);
    loop {
        let (driver, device) = emulated(Faults { lost_after: Some(calls), ..Faults::default() });
        let mut out = good.clone();
        let made = Encryptions::new(&device, key.encryption_key())
            .and_then(|mut batch| batch.encrypt(&messages, &mut Random::new(11), &mut out).map(|()| batch));
        if made.is_err() && out != good {
            assert!(out.iter().all(|ciphertext| ciphertext.iter().all(|byte| *byte == 0)));
            lost += 1;
        }
        let opened = made.and_then(|_| Decryptions::new(&device, &key)?.decrypt(&good));
        drop(device);
        assert_eq!((driver.used().0, driver.uncleared()), (0, 0), "{calls}");
        match opened {
            Err(error) => assert_eq!(error, BatchError::Gpu(GpuError::Lost)),
            Ok(opened) => {
                break assert!(opened.iter().zip(&messages).all(|(got, m)| got.as_deref() == Ok(m)));
            }
        }
        calls += 1;
    }
    assert!(lost > 5, "{lost}");
}

/// Protects: times are of right ciphertexts, of every operation, and a device that computes wrong products
/// has none.
#[test]
fn times_of_right_ciphertexts() {
    let effort = Effort { batch: 3, time: Duration::ZERO };
    let found = times(&emulated(Faults::default()).1, &effort).unwrap();
    let rows: Vec<_> = found.iter().map(|row| (row.set, row.operation)).collect();
    let sets = ["ees401ep1", "ees449ep1", "ees653ep1", "ees853ep1", "ees443ep1"];
    let encryptions = sets.iter().flat_map(|set| [(*set, "encrypt"), (*set, "decrypt")]);
    let others = ["ntruhps2048677", "ntruhrss701", "sntrup761"].map(|set| (set, "encapsulate"));
    assert_eq!(rows, encryptions.chain(others).collect::<Vec<_>>());
    for row in &found {
        assert!(row.batch == 3 && row.threads > 0);
        assert!([row.whole, row.products, row.on_device, row.library].iter().all(|time| !time.is_zero()));
    }
    let wrong = times(&emulated(Faults { mutant: 12, ..Faults::default() }).1, &effort);
    assert_eq!(wrong, Err(BatchError::Gpu(GpuError::Wrong { ring: "ees401ep1" })));
    let lost = times(&emulated(Faults { lost_after: Some(60), ..Faults::default() }).1, &effort);
    assert_eq!(lost, Err(BatchError::Gpu(GpuError::Lost)));
}

/// Protects: what does not fit is refused before anything is drawn, and says which message it is. A set over
/// a field is refused.
#[test]
fn refused() {
    type Set = ntruencrypt::ees401ep1::Ees401ep1;
    let (_, device) = emulated(Faults::default());
    let key = DecryptionKey::<Set>::generate(&mut Random::new(3));
    let mut batch = Encryptions::new(&device, key.encryption_key()).unwrap();
    let mut out = vec![[7; 552]; 3];
    let messages = [vec![0; 60], vec![0; 61], vec![]];
    let draw = |_, _: &mut [u8]| panic!("nothing is drawn");
    let error = batch.encrypt_by(&messages, draw, &mut out).unwrap_err();
    assert!(error.to_string().starts_with("message number 1: "), "{error}");
    assert!(out.iter().all(|ciphertext| *ciphertext == [0; 552]));
    let error = batch.encrypt_by(&messages[..1], draw, &mut out).unwrap_err();
    assert_eq!(error, BatchError::Places { needs: 1, has: 3 });
    let key = DecryptionKey::<ntruprime739::x998::X998>::generate(&mut Random::new(3));
    let error = Encryptions::new(&device, key.encryption_key()).err();
    assert!(matches!(error, Some(BatchError::Gpu(GpuError::Route { .. }))), "{error:?}");
    assert!(matches!(Decryptions::new(&device, &key).err(), Some(BatchError::Gpu(GpuError::Route { .. }))));
}

/// Protects: a device that is lost while it makes what blinds messages is an error, no ciphertext is told,
/// and nothing stays in its memory. libntru's sets are refused.
#[test]
fn lost_while_sampling() {
    type Set = ntruencrypt::ees443ep1::Ees443ep1;
    let key = DecryptionKey::<Set>::generate(&mut Random::new(3));
    let (messages, mut calls, mut lost) = (messages::<Set>(3), 0, 0);
    loop {
        let (driver, device) = emulated(Faults { lost_after: Some(calls), ..Faults::default() });
        let mut out = vec![[7; ntruencrypt::ees443ep1::CT_BYTES]; 3];
        let made = Encryptions::<Set>::new_by(&device, key.encryption_key(), Sampling::Device)
            .and_then(|mut batch| batch.encrypt(&messages, &mut Random::new(11), &mut out));
        drop(device);
        assert_eq!((driver.used().0, driver.uncleared()), (0, 0), "{calls}");
        match made {
            Err(error) => assert_eq!(error, BatchError::Gpu(GpuError::Lost)),
            Ok(()) => break,
        }
        // Before a key is on the device nothing is written.
        if out[0][0] != 7 {
            assert!(out.iter().flatten().all(|byte| *byte == 0));
            lost += 1;
        }
        calls += 1;
    }
    assert!(lost > 5, "{lost}");
    let key = DecryptionKey::<libntru::ees401ep1::Ees401ep1>::generate(&mut Random::new(3));
    let device = emulated(Faults::default()).1;
    let error = Encryptions::new_by(&device, key.encryption_key(), Sampling::Device).err();
    assert!(matches!(error, Some(BatchError::Gpu(GpuError::Route { .. }))), "{error:?}");
}

/// Protects: times of both kinds of sampling are of right ciphertexts and right polynomials, and a device
/// that makes wrong ones has none.
#[test]
fn times_of_both_samplings() {
    let effort = Effort { batch: 3, time: Duration::ZERO };
    let device = emulated(Faults::default()).1;
    let mut sets = Vec::new();
    for measure in SAMPLINGS {
        let rows = measure(&device, &effort).unwrap();
        assert_eq!(rows.each_ref().map(|row| row.sampling), [Sampling::Host, Sampling::Device]);
        assert!(rows.iter().all(|row| !row.whole.is_zero() && !row.without_copies.is_zero()));
        sets.push(rows[0].set);
    }
    assert_eq!(sets, ["ees401ep1", "ees449ep1", "ees653ep1", "ees853ep1", "ees443ep1"]);
    let blindings = BLINDINGS.map(|(_, measure)| measure(&device, &effort).unwrap());
    assert!(blindings.iter().all(|made| made.right));
    assert_eq!(blindings.iter().map(|made| made.kernel).collect::<BTreeSet<_>>().len(), 5);
    let wrong = emulated(Faults { mutant: 70, ..Faults::default() }).1;
    let expected = BatchError::Gpu(GpuError::Wrong { ring: "ees401ep1" });
    assert_eq!(SAMPLINGS[0](&wrong, &effort).err(), Some(expected));
    assert!(!BLINDINGS[0].1(&wrong, &effort).unwrap().right);
}

/// Protects: a device that computes wrong products gives no wrong message: a ciphertext of its making, and
/// one that it opens, are errors.
#[test]
fn wrong_products() {
    type Set = ntruencrypt::ees401ep1::Ees401ep1;
    let key = DecryptionKey::<Set>::generate(&mut Random::new(3));
    let messages = messages::<Set>(5);
    let wrong = emulated(Faults { mutant: 12, ..Faults::default() }).1;
    let mut out = vec![[0; 552]; 5];
    let mut batch = Encryptions::new(&wrong, key.encryption_key()).unwrap();
    batch.encrypt(&messages, &mut Random::new(11), &mut out).unwrap();
    assert!(out.iter().all(|ciphertext| key.decrypt(ciphertext).is_err()));
    let right = encrypted::<Set>(&emulated(Faults::default()).1, &key, &messages).ciphertexts;
    let opened = Decryptions::new(&wrong, &key).unwrap().decrypt(&right).unwrap();
    assert!(opened.iter().all(Result::is_err));
}
