//! What blinds messages of NTRUEncrypt, made on a device: the library's, coefficient by coefficient; and that
//! mistakes in kernels are seen.

#[macro_use]
mod sets;

use ringsmith_gpu::{Batch, Blinding, Device, Emulated, Faults, GpuError, Operand, Output, Ring, Shared};
use ringsmith_kem::pke::DecryptionKey;
use ringsmith_ntruencrypt::halves::{Encryption, Halves, Sealing};
use ringsmith_ntruencrypt::{self as ntruencrypt, Facts, libntru};
use ringsmith_oracle::Random;
use std::collections::BTreeSet;
use std::sync::Arc;

fn device(faults: Faults) -> Device {
    Device::by(Arc::new(Emulated::new(faults)))
}

/// A device, with threads in either order.
fn devices(mutant: u32) -> [Device; 2] {
    [false, true].map(|descending| device(Faults { mutant, descending, ..Faults::default() }))
}

/// Messages with random bytes: the empty one, the longest, and those whose seeds end where a block does.
fn sealings<S: Halves>() -> Vec<Sealing> {
    let (most, mut random) = (S::NUMBERS.message, Random::new(5));
    // The identifier, the random bytes and the key's; a byte and the length behind them.
    let others = 3 + S::NUMBERS.random + S::NUMBERS.strength + 9;
    let whole = |block: usize| (64 * block).saturating_sub(others).min(most);
    let lengths = [0, most, most / 2, whole(1), whole(1) + 1, whole(2), whole(2) + 1, whole(3)];
    let seal = |length: usize| {
        let (mut sealing, mut message) = (Sealing::blank::<S>(), vec![0; length.min(most)]);
        random.fill(&mut message);
        sealing.take(&message);
        random.fill(sealing.random_mut());
        sealing
    };
    lengths.into_iter().map(seal).collect()
}

/// What blinds these messages by the library, and on a device that hashes so many blocks of each stream.
fn both<S: Halves>(device: &Device, blocks: usize) -> Result<[Vec<i8>; 2], GpuError> {
    let key = DecryptionKey::<S>::generate(&mut Random::new(3));
    let key = key.encryption_key();
    let key = Encryption::<S>::read(key.cpu(), key.to_bytes().as_ref()).unwrap();
    let (sealings, n) = (sealings::<S>(), S::NUMBERS.n);
    let blinding = Blinding::new(&S::NUMBERS)?.with_blocks(blocks);
    let (each, count) = (blinding.seed_bytes(), sealings.len());
    let [mut expected, mut made] = [(); 2].map(|()| vec![0; n * count]);
    let (mut seeds, mut lengths) = (vec![0; each * count], Vec::new());
    for (sealing, (seed, r)) in sealings.iter().zip(seeds.chunks_mut(each).zip(expected.chunks_mut(n))) {
        lengths.push(key.seed(sealing, seed) as i8);
        key.begin(sealing, r);
    }
    let mut batch = Batch::new(device, blinding, 1 << 12)?;
    batch.multiply(&Operand::Host(&seeds), &Operand::Host(&lengths), Output::Host(&mut made))?;
    Ok([expected, made])
}

/// Whether all are the library's.
fn is_right<S: Halves>(device: &Device) -> bool {
    both::<S>(device, usize::MAX).is_ok_and(|[expected, made]| expected == made)
}

/// The kernel of a set that is right, on devices of both orders of threads.
fn kernel<S: Halves>() -> &'static str {
    assert!(devices(0).iter().all(is_right::<S>), "{}", S::NUMBERS.n);
    let blinding = Blinding::new(&S::NUMBERS).unwrap();
    let emulated = device(Faults::default());
    blinding.choose(emulated.info(), Shared::None).unwrap().kernel.name
}

/// Runs a function for a set of each module, and gives what all give.
macro_rules! each {
    ($run:ident: $($module:ident $set:ident)*) => {
        [$($run::<ntruencrypt::$module::$set>()),*]
    };
}

/// Protects: what blinds messages of every set of EESS#1 and of the draft is the library's, by every kernel.
#[test]
fn every_set_of_the_standards() {
    let kernels = each_of_the_standards!(kernel);
    assert_eq!(kernels.len(), ntruencrypt::SCHEMES.len());
    assert_eq!(BTreeSet::from(kernels).len(), 5);
}

/// Of messages for whose streams so many blocks are hashed: how many are blinded as by the library. All
/// others have an `r` of zeroes.
fn enough<S: Halves>(blocks: usize) -> usize {
    let [expected, made] = both::<S>(&device(Faults::default()), blocks).unwrap();
    let mut count = 0;
    for (made, expected) in made.chunks(S::NUMBERS.n).zip(expected.chunks(S::NUMBERS.n)) {
        let is_none = made.iter().all(|x| *x == 0);
        assert!(is_none || made == expected, "{} {blocks}", S::NUMBERS.n);
        count += usize::from(!is_none);
    }
    count
}

/// The same, with one block, and with each number from half of what the set has on: for how many of them some
/// messages have enough and others have not.
fn too_few<S: Halves>() -> usize {
    let (all, most) = (sealings::<S>().len(), S::NUMBERS.plan.blocks_of_f);
    assert_eq!((enough::<S>(1), enough::<S>(most)), (0, all));
    let counts: Vec<usize> = (most / 2..most).map(enough::<S>).collect();
    assert!(counts.is_sorted(), "{counts:?}");
    counts.iter().filter(|count| (1..all).contains(*count)).count()
}

/// Protects: where the blocks of a stream don't suffice `r` is 0, in every kernel, and never half of one.
#[test]
fn streams_that_end() {
    let some = each!(too_few:
        ees401ep1 Ees401ep1 ees439ep1 Ees439ep1 ees443ep1 Ees443ep1 ees653ep1 Ees653ep1 ees1171ep1 Ees1171ep1
    );
    assert!(some.iter().filter(|some| **some > 0).count() >= 3, "{some:?}");
}

/// Protects: sets that hash in another way, or have no kernel, are refused.
#[test]
fn refused() {
    let of_libntru = Blinding::new(&<libntru::ees401ep1::Ees401ep1 as Halves>::NUMBERS).err();
    assert!(of_libntru.is_some_and(|error| error.to_string().ends_with("for the standard's sets alone")));
    let facts = <ntruencrypt::ees401ep1::Ees401ep1 as Halves>::NUMBERS;
    let long = Blinding::new(&Facts { n: 1025, ..facts }).unwrap();
    assert!(matches!(
        long.choose(device(Faults::default()).info(), Shared::None),
        Err(GpuError::Route { .. })
    ));
}

/// Protects: the comparisons above. A kernel with a mistake fails them.
#[test]
fn mutants() {
    type Check = fn(&Device) -> bool;
    let checks: [(u32, Check); 6] = [
        (70, is_right::<ntruencrypt::ees401ep1::Ees401ep1>),
        (70, is_right::<ntruencrypt::ees677ep1::Ees677ep1>),
        (71, is_right::<ntruencrypt::ees1087ep2::Ees1087ep2>),
        (71, is_right::<ntruencrypt::ees401ep2::Ees401ep2>),
        (72, is_right::<ntruencrypt::ees401ep2::Ees401ep2>),
        (72, is_right::<ntruencrypt::ees743ep1::Ees743ep1>),
    ];
    for (mutant, check) in checks {
        assert!(!devices(mutant).iter().all(check), "{mutant}: not caught");
    }
}
