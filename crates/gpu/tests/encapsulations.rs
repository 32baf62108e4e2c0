//! Whole encapsulations in batches: byte by byte what the library makes of the same randomness.

use ringsmith_gpu::schemes::{BatchError, Encapsulations, StreamlinedEncapsulations};
use ringsmith_gpu::{Device, Emulated, Faults, GpuError};
use ringsmith_kem::keys::{DecapsulationKey, EncapsulationKey};
use ringsmith_kem::set::{Bytes, CcaSet, SharedKey};
use ringsmith_ntru as ntru;
use ringsmith_ntru_prime as ntru_prime;
use ringsmith_oracle::Random;
use std::sync::Arc;

fn emulated(faults: Faults) -> (Arc<Emulated>, Device) {
    let driver = Arc::new(Emulated::new(faults));
    (driver.clone(), Device::by(driver))
}

/// A batch of ciphertexts and shared keys, which are 0 where it fails.
type Made<S> = (Result<(), BatchError>, Vec<Ciphertext<S>>, Vec<SharedKey>);

type Ciphertext<S> = <S as ringsmith_kem::set::KemSet>::CiphertextBytes;

/// Fills a batch that has something in it.
fn filled<S: CcaSet>(
    count: usize,
    fill: impl FnOnce(&mut [Ciphertext<S>], &mut [SharedKey]) -> Result<(), BatchError>,
) -> Made<S> {
    let (mut made, mut shared) = (vec![Ciphertext::<S>::ZERO; count], Vec::new());
    made.iter_mut().for_each(|made| made.as_mut().fill(1));
    shared.resize_with(count, || {
        let mut key = SharedKey::zero();
        key.as_mut_bytes().fill(1);
        key
    });
    let done = fill(&mut made, &mut shared);
    (done, made, shared)
}

/// What makes a batch with a key on a device.
type Make<S> = fn(&Device, &EncapsulationKey<S>, usize) -> Made<S>;

fn by_ntru<S: CcaSet + ntru::halves::Halves>(
    device: &Device,
    key: &EncapsulationKey<S>,
    count: usize,
) -> Made<S> {
    filled::<S>(count, |made, shared| {
        Encapsulations::new(device, key)?.encapsulate(&mut Random::new(9), made, shared)
    })
}

fn by_streamlined<S: CcaSet + ntru_prime::halves::Halves>(
    device: &Device,
    key: &EncapsulationKey<S>,
    count: usize,
) -> Made<S> {
    filled::<S>(count, |made, shared| {
        StreamlinedEncapsulations::new(device, key)?.encapsulate(&mut Random::new(9), made, shared)
    })
}

/// Ciphertexts and shared keys are the library's, which opens some, and refuses a damaged one.
fn encapsulated<S: CcaSet>(make: Make<S>, sizes: &[usize]) {
    let key = DecapsulationKey::<S>::generate(&mut Random::new(5));
    for (at, size) in sizes.iter().enumerate() {
        let (driver, device) = emulated(Faults { descending: at % 2 == 1, ..Faults::default() });
        let (done, mut made, shared) = make(&device, key.encapsulation_key(), *size);
        assert_eq!(done, Ok(()));
        let mut rng = Random::new(9);
        for (at, (made, shared)) in made.iter().zip(&shared).enumerate() {
            let (ciphertext, expected) = key.encapsulation_key().encapsulate(&mut rng);
            assert!(ciphertext == *made && expected == *shared, "{} {at}", S::NAME);
            assert!(at > 2 || key.decapsulate(made) == *shared);
        }
        if let Some(made) = made.first_mut() {
            made.as_mut()[7] ^= 1;
            assert!(key.decapsulate(made) != shared[0], "{}", S::NAME);
        }
        drop(device);
        assert_eq!((driver.used().0, driver.uncleared()), (0, 0));
    }
}

/// Runs each set of a module.
macro_rules! each {
    ($make:ident, $of:ident: $($module:ident $set:ident)*) => {
        [$(encapsulated::<$of::$module::$set>($make, &[1, 33])),*]
    };
}

/// Protects: ciphertexts and shared keys of every set of NTRU are the library's.
#[test]
fn every_set_of_ntru() {
    let all = each!(by_ntru, ntru:
        ntruhps2048509 Ntruhps2048509 ntruhps2048677 Ntruhps2048677 ntruhps4096821 Ntruhps4096821
        ntruhps40961229 Ntruhps40961229 ntruhrss701 Ntruhrss701 ntruhrss1373 Ntruhrss1373
    );
    assert_eq!(all.len(), ntru::SCHEMES.len());
}

/// Protects: the same for every set of Streamlined NTRU Prime.
#[test]
fn every_set_of_streamlined_ntru_prime() {
    let all = each!(by_streamlined, ntru_prime:
        sntrup653 Sntrup653 sntrup761 Sntrup761 sntrup857 Sntrup857 sntrup953 Sntrup953
        sntrup1013 Sntrup1013 sntrup1277 Sntrup1277
    );
    // The others are of NTRU LPRime.
    assert_eq!(2 * all.len(), ntru_prime::SCHEMES.len());
}

/// Protects: batches of none and of a thousand, in more than one part.
#[test]
fn sizes() {
    encapsulated::<ntru::ntruhps2048509::Ntruhps2048509>(by_ntru, &[0, 1000]);
    encapsulated::<ntru_prime::sntrup653::Sntrup653>(by_streamlined, &[0, 1000]);
}

/// A device that is lost at any call is an error, and no ciphertext and no shared key is told.
fn lost_at_any_call<S: CcaSet>(make: Make<S>) {
    let key = DecapsulationKey::<S>::generate(&mut Random::new(3));
    let (mut calls, mut forgotten) = (0, 0);
    loop {
        let (driver, device) = emulated(Faults { lost_after: Some(calls), ..Faults::default() });
        let (done, made, shared) = make(&device, key.encapsulation_key(), 2);
        drop(device);
        assert_eq!((driver.used().0, driver.uncleared()), (0, 0));
        match done {
            Ok(()) => break,
            Err(error) => assert_eq!(error, BatchError::Gpu(GpuError::Lost)),
        }
        // Before the key is on the device nothing is touched.
        if made[0].as_ref().iter().any(|byte| *byte != 1) {
            assert!(made.iter().all(|made| made.as_ref().iter().all(|byte| *byte == 0)));
            assert!(shared.iter().all(|key| *key == [0; 32]));
            forgotten += 1;
        }
        calls += 1;
    }
    assert!(forgotten > 3, "{forgotten}");
}

/// Protects: shared keys are forgotten with the ciphertexts where a device is lost.
#[test]
fn lost() {
    lost_at_any_call::<ntru::ntruhps2048509::Ntruhps2048509>(by_ntru);
    lost_at_any_call::<ntru_prime::sntrup653::Sntrup653>(by_streamlined);
}

/// Protects: there are as many places for keys as for ciphertexts, or nothing is written.
#[test]
fn places() {
    let (_, device) = emulated(Faults::default());
    let key = DecapsulationKey::<ntru::ntruhrss701::Ntruhrss701>::generate(&mut Random::new(3));
    let mut batch = Encapsulations::new(&device, key.encapsulation_key()).unwrap();
    let (mut made, mut shared) = ([[1; ntru::ntruhrss701::CT_BYTES]; 2], [SharedKey::zero()]);
    shared[0].as_mut_bytes().fill(1);
    let error = batch.encapsulate(&mut Random::new(1), &mut made, &mut shared).unwrap_err();
    assert_eq!(error.to_string(), "there are 1 places for 2 results");
    assert!(made.iter().flatten().all(|byte| *byte == 0) && shared[0] == [0; 32]);
}
