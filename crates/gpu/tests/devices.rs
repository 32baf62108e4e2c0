//! Batches: sizes, places of operands, errors, and a GPU that fails at any point.

use ringsmith_gpu::rates::{Effort, rates};
use ringsmith_gpu::{
    Batch, Cyclic, CyclicRoute, Device, Emulated, Faults, GpuError, Interleaved, Operand, Output, Shared,
    Sparse, Word,
};
use ringsmith_oracle::Random;
use std::sync::Arc;
use std::time::Duration;

const N: usize = 1024;
const P: u64 = 12289;

fn emulated(faults: Faults) -> (Arc<Emulated>, Device) {
    let driver = Arc::new(Emulated::new(faults));
    (driver.clone(), Device::by(driver))
}

fn polynomials(count: usize, seed: u64) -> Vec<u32> {
    let mut random = Random::new(seed);
    (0..N * count).map(|_| (random.word() % P) as u32).collect()
}

fn word() -> Word {
    Word::new(N, P).unwrap()
}

/// Memory for some products at once: 4 coefficients of 3 polynomials, in 2 lanes.
fn room_for(products: usize) -> usize {
    2 * 12 * N * products
}

/// The products of a batch whose device has room for so many at once.
fn products(device: &Device, chunk: usize, a: &[u32], b: &[u32]) -> Result<Vec<u32>, GpuError> {
    let mut batch = Batch::new(device, word(), room_for(chunk))?;
    let mut out = vec![1; a.len()];
    let done = batch.multiply(&Operand::Host(a), &Operand::Host(b), Output::Host(&mut out));
    assert!(done.is_ok() || out.iter().all(|x| *x == 0), "a batch that fails writes 0");
    done.map(|()| out)
}

/// Protects: a batch of any size is the same in parts of any size, in memory of a fixed size.
#[test]
fn sizes() {
    let (a, b) = (polynomials(11, 1), polynomials(11, 2));
    let (_, device) = emulated(Faults::default());
    let whole = products(&device, 11, &a, &b).unwrap();
    for chunk in [1, 2, 5, 10] {
        let (driver, device) = emulated(Faults::default());
        assert_eq!(products(&device, chunk, &a, &b).as_ref(), Ok(&whole));
        let (left, most) = driver.used();
        assert!(left == 0 && most < room_for(chunk) + 20_000, "{chunk}: {most}");
        assert_eq!(driver.uncleared(), 0);
    }
    assert_eq!(products(&device, 4, &[], &[]), Ok(vec![]));
}

/// Protects: operands on the device, and one for all, give the same products; arrays are cleared when
/// dropped.
#[test]
fn places() {
    let (a, b) = (polynomials(5, 1), polynomials(5, 2));
    let (driver, device) = emulated(Faults::default());
    let whole = products(&device, 5, &a, &b).unwrap();
    let mut batch = Batch::new(&device, word(), room_for(2)).unwrap();
    let (on_a, on_b) = (batch.upload_first(&a).unwrap(), batch.upload_second(&b).unwrap());
    let (mut on_c, mut out) = (batch.room(5).unwrap(), vec![0; 5 * N]);
    batch.multiply(&Operand::Device(&on_a), &Operand::Host(&b), Output::Host(&mut out)).unwrap();
    assert_eq!(out, whole);
    batch.multiply(&Operand::Device(&on_a), &Operand::Device(&on_b), Output::Device(&mut on_c)).unwrap();
    out.fill(0);
    batch.download(&on_c, &mut out).unwrap();
    assert_eq!(out, whole);
    batch.multiply(&Operand::One(&a[..N]), &Operand::Device(&on_b), Output::Host(&mut out)).unwrap();
    assert_eq!(Ok(out), products(&device, 5, &a[..N].repeat(5), &b));
    drop((batch, on_a, on_b, on_c));
    assert_eq!((driver.used().0, driver.uncleared()), (0, 0));
}

/// Protects: an operand that is one for all and stays on the device gives the same products as one of the
/// host, on either side, and is uploaded once. With all on the device a batch is one launch and waits for
/// each lane once, however little memory it has. An array of another length than one is an error.
#[test]
fn one_that_stays() {
    let (a, b) = (polynomials(5, 1), polynomials(5, 2));
    let (driver, device) = emulated(Faults::default());
    let mut batch = Batch::new(&device, word(), room_for(2)).unwrap();
    let key = batch.upload_first(&a[..N]).unwrap();
    let (on_a, on_b) = (batch.upload_first(&a).unwrap(), batch.upload_second(&b).unwrap());
    let other_key = batch.upload_second(&b[..N]).unwrap();
    let (mut on_c, mut out) = (batch.room(5).unwrap(), vec![0; 5 * N]);
    let before = driver.calls();
    for _ in 0..3 {
        let (one, many) = (Operand::OneOnDevice(&key), Operand::Device(&on_b));
        batch.multiply(&one, &many, Output::Device(&mut on_c)).unwrap();
    }
    let after = driver.calls();
    assert_eq!((after.uploads, after.allocations), (before.uploads, before.allocations));
    assert_eq!((after.launches - before.launches, after.waits - before.waits), (3, 3 * 2));
    let by_one = products(&device, 5, &a[..N].repeat(5), &b);
    batch.download(&on_c, &mut out).unwrap();
    assert_eq!(Ok(&out), by_one.as_ref());
    // Messages of the host, in parts.
    out.fill(0);
    batch.multiply(&Operand::OneOnDevice(&key), &Operand::Host(&b), Output::Host(&mut out)).unwrap();
    assert_eq!(Ok(&out), by_one.as_ref());
    batch
        .multiply(&Operand::Device(&on_a), &Operand::OneOnDevice(&other_key), Output::Host(&mut out))
        .unwrap();
    assert_eq!(Ok(&out), products(&device, 5, &a, &b[..N].repeat(5)).as_ref());
    let several = batch.multiply(&Operand::OneOnDevice(&on_a), &Operand::Host(&b), Output::Host(&mut out));
    assert_eq!(several, Err(GpuError::Length { needs: N, has: 5 * N }));
    drop((batch, key, other_key, on_a, on_b, on_c));
    assert_eq!((driver.used().0, driver.uncleared()), (0, 0));
}

/// Protects: one second operand, of a ring where it is smaller than the first.
#[test]
fn one_small_operand() {
    let (_, device) = emulated(Faults::default());
    let mut batch = Batch::new(&device, Cyclic::new(401, 11).unwrap(), 1 << 16).unwrap();
    let (a, b): (Vec<u16>, Vec<i8>) = ((0..2 * 401).map(|i| i % 2048).collect(), vec![-1; 401]);
    let (mut out, mut again) = (vec![0; 802], vec![0; 802]);
    batch.multiply(&Operand::Host(&a), &Operand::One(&b), Output::Host(&mut out)).unwrap();
    batch.multiply(&Operand::Host(&a), &Operand::Host(&b.repeat(2)), Output::Host(&mut again)).unwrap();
    assert_eq!(out, again);
}

/// Protects: a GPU that is lost at any call is an error; nothing is written but 0, and all memory is given
/// back.
#[test]
fn lost_at_any_call() {
    let (a, b) = (polynomials(5, 1), polynomials(5, 2));
    let (mut calls, mut lost) = (0, 0);
    loop {
        let (driver, device) = emulated(Faults { lost_after: Some(calls), ..Faults::default() });
        match products(&device, 2, &a, &b) {
            Err(error) => assert_eq!(error, GpuError::Lost),
            Ok(out) => break assert_eq!(out, products(&emulated(Faults::default()).1, 5, &a, &b).unwrap()),
        }
        assert_eq!((driver.used().0, driver.uncleared()), (0, 0), "{calls}");
        (calls, lost) = (calls + 1, lost + 1);
    }
    assert!(lost > 20);
}

/// Protects: where the GPU, or the host's memory for copies, has no room, that is an error.
#[test]
fn no_room() {
    let (a, b) = (polynomials(3, 1), polynomials(3, 2));
    for at in 0..room_for(3) / 4096 {
        for host in [false, true] {
            let (memory, host_memory) = if host { (1 << 30, at << 12) } else { (at << 12, 1 << 30) };
            let (driver, device) = emulated(Faults { memory, host_memory, ..Faults::default() });
            let got = products(&device, 3, &a, &b);
            assert!(matches!(got, Ok(_) | Err(GpuError::OutOfMemory { .. })), "{at}: {got:?}");
            assert_eq!((driver.used().0, driver.uncleared()), (0, 0), "{at}");
        }
    }
}

/// Protects: what does not fit is refused, and a batch works on.
#[test]
fn bad_operands() {
    let (_, device) = emulated(Faults::default());
    let mut batch = Batch::new(&device, word(), room_for(2)).unwrap();
    let (a, mut out) = (polynomials(3, 1), vec![0; 3 * N]);
    let mut range = a.clone();
    range[3 * N - 1] = P as u32;
    let mut check = |a: &[u32], b: &[u32], error: GpuError| {
        let got = batch.multiply(&Operand::Host(a), &Operand::Host(b), Output::Host(&mut out));
        assert_eq!(got, Err(error));
    };
    check(&range, &a, GpuError::Range { bound: P as u32 });
    check(&a, &range, GpuError::Range { bound: P as u32 });
    check(&a[..N], &a, GpuError::Length { needs: 3 * N, has: N });
    check(&a[1..], &a, GpuError::Length { needs: N, has: 3 * N - 1 });
    batch.multiply(&Operand::Host(&a), &Operand::Host(&a), Output::Host(&mut out)).unwrap();
    assert_eq!(Ok(out), products(&device, 3, &a, &a));
}

/// Protects: an array of another ring, or on another GPU, is refused.
#[test]
fn foreign_arrays() {
    let (_, device) = emulated(Faults::default());
    let mut batch = Batch::new(&device, word(), room_for(2)).unwrap();
    let mut other = Batch::new(&device, Word::new(N, 40961).unwrap(), room_for(2)).unwrap();
    let mut elsewhere = Batch::new(&emulated(Faults::default()).1, word(), room_for(2)).unwrap();
    let (a, mut out) = (polynomials(1, 1), vec![0; N]);
    for array in [other.upload_first(&a).unwrap(), elsewhere.upload_first(&a).unwrap()] {
        for operand in [Operand::Device(&array), Operand::OneOnDevice(&array)] {
            let got = batch.multiply(&operand, &Operand::Host(&a), Output::Host(&mut out));
            assert_eq!(got, Err(GpuError::Foreign));
        }
    }
}

/// Protects: the plan, by the GPU, the ring and the operands.
#[test]
fn plans() {
    let old = emulated(Faults { capability: (7, 5), ..Faults::default() }).1;
    let new = emulated(Faults::default()).1;
    let plan = |device: &Device, n, shared| {
        let batch = Batch::new(device, Cyclic::new(n, 11).unwrap(), 1 << 16).unwrap();
        batch.explain(shared).unwrap().kernel.name
    };
    assert_eq!(plan(&new, 401, Shared::None), "pair_512");
    assert_eq!(plan(&new, 401, Shared::First), "one_key");
    assert_eq!(plan(&new, 401, Shared::Second), "pair_512");
    assert_eq!(plan(&new, 1499, Shared::First), "pair_1536");
    assert_eq!(plan(&old, 401, Shared::First), "school");
    let small = emulated(Faults { shared: 64 << 10, ..Faults::default() }).1;
    assert_eq!(plan(&small, 1000, Shared::First), "pair_1024");
    let asked = Batch::new(&small, Cyclic::new(1000, 11).unwrap().by(CyclicRoute::OneKey), 1 << 16);
    assert!(matches!(asked.err(), Some(GpuError::Route { .. })));
    let asked = Batch::new(&old, Cyclic::new(401, 11).unwrap().by(CyclicRoute::Pairs), 1 << 16);
    assert_eq!(asked.err(), Some(GpuError::TooOld { capability: (7, 5) }));
}

/// Protects: rates are of the kernels that are chosen, with one launch for a batch that stays on the device,
/// and a GPU that computes a wrong product has none.
#[test]
fn rates_of_right_products() {
    let effort = Effort { coefficients: 2 * 4096, memory: 1 << 16, time: Duration::ZERO };
    let of = |faults| rates(&emulated(faults).1, &effort);
    let found = of(Faults::default()).unwrap();
    let kernels: Vec<_> = found.iter().map(|rate| rate.kernel).collect();
    assert_eq!(kernels, ["tensor_1024", "ntt_1024_30", "ntt_2048_30", "ntt_4096_30", "pair_768", "one_key"]);
    let batches: Vec<_> = found.iter().map(|rate| rate.batch).collect();
    assert_eq!(batches, [8, 8, 4, 2, 11, 20]);
    assert!(found.iter().all(|rate| rate.on_device > 0. && rate.from_host > 0.));
    let old = of(Faults { capability: (7, 5), ..Faults::default() }).unwrap();
    let kernels: Vec<_> = old.iter().map(|rate| rate.kernel).collect();
    assert_eq!(kernels, ["ntt_1024_30", "ntt_2048_30", "ntt_4096_30", "school", "school"]);
    // Mistakes of transforms, of pairs and of tensor cores.
    for (mutant, ring) in
        [(2, "Z_998244353[x]/(x^1024+1)"), (12, "Z_8192[x]/(x^701-1)"), (30, "Z_12289[x]/(x^1024+1)")]
    {
        assert_eq!(of(Faults { mutant, ..Faults::default() }), Err(GpuError::Wrong { ring }));
    }
}

/// Protects: what a user reads, one sentence each.
#[test]
fn errors() {
    let old = GpuError::TooOld { capability: (7, 5) };
    assert_eq!(old.to_string(), "the GPU, of compute capability 7.5, is too old for these products");
    assert_eq!(GpuError::NoDriver.to_string(), "there is no NVIDIA driver on this machine");
    assert_eq!(GpuError::Lost.to_string(), "the GPU stopped answering: start the program again");
    let error = Word::new(1024, 4_294_957_057).err().unwrap();
    assert!(error.to_string().ends_with("not 1024 and 4294957057"), "{error}");
    let error = Word::new(1024, 12287).err().unwrap();
    assert_eq!(error.to_string(), "the modulus 12287 is no odd prime");
    let error = Cyclic::new(2000, 11).err().unwrap();
    assert!(error.to_string().ends_with("not 2000 of 11"), "{error}");
    assert!(Sparse::new(401, 11, 300, 102).is_err());
    assert!(Sparse::new(401, 11, 0, 0).is_err());
    assert!(Interleaved::new(401, 11, 4, ringsmith_gpu::Form::Proposed).is_err());
}
