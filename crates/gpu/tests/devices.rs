//! Batches: sizes, places of operands, errors, and a GPU that fails at any point.

use ringsmith_gpu::rates::{Effort, rates};
use ringsmith_gpu::{
    Batch, Cyclic, CyclicRoute, Device, Emulated, Faults, GpuError, Interleaved, Limited, NtruPrime, Operand,
    Output, Ring, Shared, Space, Sparse, Word, WordRoute,
};
use ringsmith_oracle::Random;
use std::fmt::Debug;
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

/// The products of a batch, which are 0 where it fails.
fn in_ring<R: Ring<C: From<u8> + PartialEq>>(
    device: &Device,
    ring: R,
    memory: usize,
    a: &[R::A],
    b: &[R::B],
) -> Result<Vec<R::C>, GpuError> {
    let lengths = ring.lengths();
    let mut batch = Batch::new(device, ring, memory)?;
    let mut out = vec![R::C::from(1); a.len() / lengths.a * lengths.c];
    let done = batch.multiply(&Operand::Host(a), &Operand::Host(b), Output::Host(&mut out));
    assert!(done.is_ok() || out.iter().all(|x| *x == R::C::default()), "a batch that fails writes 0");
    done.map(|()| out)
}

/// The same of a device that has room for so many at once.
fn products(device: &Device, chunk: usize, a: &[u32], b: &[u32]) -> Result<Vec<u32>, GpuError> {
    in_ring(device, word(), room_for(chunk), a, b)
}

/// Operands below `2^11`, and small ones.
fn short_polynomials(n: usize, count: usize) -> (Vec<u16>, Vec<i8>) {
    let mut random = Random::new(7);
    let large = (0..n * count).map(|_| (random.word() % 2048) as u16).collect();
    (large, (0..n * count).map(|_| random.word() as i8).collect())
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
        assert!(left == 0 && most < room_for(chunk) + 33_000, "{chunk}: {most}");
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

/// Protects: prepared operands of the host and of the device give the products of those that are not, in
/// parts of any size; they are uploaded and transformed once, and cleared when dropped. Where they don't
/// serve, that is an error.
#[test]
fn prepared_operands() {
    let (a, b) = (polynomials(5, 1), polynomials(5, 2));
    let (driver, device) = emulated(Faults::default());
    let whole = products(&device, 5, &a, &b).unwrap();
    let mut batch = Batch::new(&device, word(), room_for(2)).unwrap();
    let plain = batch.upload_second(&b).unwrap();
    let (prepared, same) = (batch.prepare(&b).unwrap(), batch.prepare_array(&plain).unwrap());
    assert_eq!((prepared.count(), prepared.degree()), (5, N));
    let (before, mut out) = (driver.calls(), vec![0; 5 * N]);
    for operand in [&prepared, &same] {
        batch.multiply(&Operand::Host(&a), &Operand::Prepared(operand), Output::Host(&mut out)).unwrap();
        assert_eq!(out, whole);
        out.fill(0);
    }
    let (after, parts) = (driver.calls(), 3);
    assert_eq!((after.uploads - before.uploads, after.launches - before.launches), (2 * parts, 2 * parts));
    let mut refused = |batch: &mut Batch<Word>, a: Operand<'_, u32>, b: Operand<'_, u32>| {
        batch.multiply(&a, &b, Output::Host(&mut out)).unwrap_err()
    };
    let several = refused(&mut batch, Operand::Host(&a), Operand::OnePrepared(&prepared));
    assert_eq!(several, GpuError::Length { needs: N, has: 5 * N });
    let first = refused(&mut batch, Operand::Prepared(&prepared), Operand::Host(&b));
    assert_eq!(first.to_string(), "only second operands are prepared");
    let mut other = Batch::new(&device, Word::new(N, 40961).unwrap(), room_for(2)).unwrap();
    assert_eq!(refused(&mut other, Operand::Host(&a), Operand::Prepared(&prepared)), GpuError::Foreign);
    let too_large = other.upload_second(&b).unwrap();
    assert_eq!(batch.prepare_array(&too_large).err(), Some(GpuError::Foreign));
    let mut cyclic = Batch::new(&device, Cyclic::new(401, 11).unwrap(), 1 << 16).unwrap();
    let error = cyclic.prepare(&[1; 401]).err().unwrap();
    assert_eq!(error.to_string(), "operands are prepared in rings of the type `Word` alone");
    drop((batch, other, cyclic, too_large, plain, prepared, same));
    assert_eq!((driver.used().0, driver.uncleared()), (0, 0));
}

/// Protects: a GPU that is lost at any call of preparing is an error, and all memory is given back.
#[test]
fn lost_while_preparing() {
    let b = polynomials(3, 1);
    let mut calls = 0;
    loop {
        let (driver, device) = emulated(Faults { lost_after: Some(calls), ..Faults::default() });
        let prepared = Batch::new(&device, word(), room_for(2)).and_then(|mut batch| batch.prepare(&b));
        match prepared {
            Err(error) => assert_eq!(error, GpuError::Lost),
            Ok(prepared) => break assert_eq!(prepared.count(), 3),
        }
        assert_eq!((driver.used().0, driver.uncleared()), (0, 0), "{calls}");
        calls += 1;
    }
    assert!(calls > 20);
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

/// Protects: a second operand as large as the first is checked as that is, in number and in size; products
/// by one of either side are those by as many, and a batch works on after an error.
#[test]
fn two_large_operands() {
    let (driver, device) = emulated(Faults::default());
    let mut batch = Batch::new(&device, Cyclic::wide(401, 11).unwrap(), 1 << 16).unwrap();
    let a: Vec<u16> = (0..2 * 401).map(|i| i % 2048).collect();
    let (mut out, mut again, mut high) = (vec![0; 802], vec![0; 802], a.clone());
    high[801] = 2048;
    for (a, b, error) in [
        (&a[..], &high[..], GpuError::Range { bound: 2048 }),
        (&high, &a, GpuError::Range { bound: 2048 }),
        (&a, &a[..401], GpuError::Length { needs: 802, has: 401 }),
        (&a, &a[1..], GpuError::Length { needs: 401, has: 801 }),
    ] {
        out.fill(1);
        let got = batch.multiply(&Operand::Host(a), &Operand::Host(b), Output::Host(&mut out));
        assert_eq!((got, out.iter().all(|x| *x == 0)), (Err(error), true));
    }
    batch.multiply(&Operand::Host(&a), &Operand::One(&a[401..]), Output::Host(&mut out)).unwrap();
    let repeated = a[401..].repeat(2);
    batch.multiply(&Operand::Host(&repeated), &Operand::Host(&a), Output::Host(&mut again)).unwrap();
    assert_eq!(out, again);
    batch.multiply(&Operand::One(&a[401..]), &Operand::Host(&a), Output::Host(&mut out)).unwrap();
    assert_eq!(out, again);
    drop(batch);
    assert_eq!((driver.used().0, driver.uncleared()), (0, 0));
}

/// A GPU that is lost at any call is an error; nothing is written but 0, and all memory is given back.
fn lost<R: Ring<C: From<u8> + PartialEq + Debug>>(
    ring: impl Fn() -> R,
    memory: usize,
    a: &[R::A],
    b: &[R::B],
) {
    let right = in_ring(&emulated(Faults::default()).1, ring(), 1 << 20, a, b).unwrap();
    let (mut calls, mut lost) = (0, 0);
    loop {
        let (driver, device) = emulated(Faults { lost_after: Some(calls), ..Faults::default() });
        match in_ring(&device, ring(), memory, a, b) {
            Err(error) => assert_eq!(error, GpuError::Lost),
            Ok(out) => break assert_eq!(out, right),
        }
        assert_eq!((driver.used().0, driver.uncleared()), (0, 0), "{calls}");
        (calls, lost) = (calls + 1, lost + 1);
    }
    assert!(lost > 20);
}

/// Protects: a GPU that is lost at any call is an error; nothing is written but 0, and all memory is given
/// back, in rings of each kind.
#[test]
fn lost_at_any_call() {
    lost(word, room_for(2), &polynomials(5, 1), &polynomials(5, 2));
    let (a, b) = short_polynomials(401, 5);
    lost(|| Cyclic::wide(401, 11).unwrap(), 1 << 13, &a, &a);
    let (p, q) = NtruPrime::SETS[0];
    lost(|| NtruPrime::new(p, q).unwrap(), 1 << 13, &a[..3 * p], &b[..3 * p]);
}

/// Where the GPU, or the host's memory for copies, has less room than asked for, by steps, that is an error.
fn without_room<R: Ring<C: From<u8> + PartialEq + Debug>>(
    ring: impl Fn() -> R,
    memory: usize,
    a: &[R::A],
    b: &[R::B],
) {
    let mut refused = 0;
    for at in 0..memory / 4096 {
        for host in [false, true] {
            let (memory_there, host_memory) = if host { (1 << 30, at << 12) } else { (at << 12, 1 << 30) };
            let (driver, device) =
                emulated(Faults { memory: memory_there, host_memory, ..Faults::default() });
            let got = in_ring(&device, ring(), memory, a, b);
            assert!(matches!(got, Ok(_) | Err(GpuError::OutOfMemory { .. })), "{at}: {got:?}");
            refused += usize::from(got.is_err());
            assert_eq!((driver.used().0, driver.uncleared()), (0, 0), "{at}");
        }
    }
    assert!(refused > 1);
}

/// Protects: where the GPU, or the host's memory for copies, has no room, that is an error, in rings of each
/// kind.
#[test]
fn no_room() {
    without_room(word, room_for(3), &polynomials(3, 1), &polynomials(3, 2));
    let (a, b) = short_polynomials(401, 3);
    without_room(|| Cyclic::wide(401, 11).unwrap(), 1 << 14, &a, &a);
    let (p, q) = NtruPrime::SETS[0];
    without_room(|| NtruPrime::new(p, q).unwrap(), 1 << 14, &a[..p], &b[..p]);
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

/// Protects: the same in NTRU Prime's rings, where the second operand has no bound; arrays of another modulus
/// or degree are refused, and parameters that do not serve.
#[test]
fn bad_operands_of_ntru_prime() {
    let (_, device) = emulated(Faults::default());
    let batch_of = |p, q| Batch::new(&device, NtruPrime::new(p, q).unwrap(), 1 << 14).unwrap();
    let ((p, q), (a, b)) = (NtruPrime::SETS[0], short_polynomials(653, 2));
    let (mut batch, mut out) = (batch_of(p, q), vec![0; 2 * p]);
    let mut range = a.clone();
    range[2 * p - 1] = q as u16;
    for (a, b, error) in [
        (&range[..], &b[..], GpuError::Range { bound: q }),
        (&a, &b[..p], GpuError::Length { needs: 2 * p, has: p }),
        (&a[..p], &b, GpuError::Length { needs: 2 * p, has: p }),
        (&a, &b[1..], GpuError::Length { needs: p, has: 2 * p - 1 }),
    ] {
        out.fill(1);
        let got = batch.multiply(&Operand::Host(a), &Operand::Host(b), Output::Host(&mut out));
        assert_eq!((got, out.iter().all(|x| *x == 0)), (Err(error), true));
    }
    let (mut above, mut longer) = (batch_of(p, q + 1), batch_of(p + 1, q));
    let others = [above.upload_first(&a).unwrap(), longer.upload_first(&a[..p + 1]).unwrap()];
    for array in &others {
        let got = batch.multiply(&Operand::Device(array), &Operand::Host(&b), Output::Host(&mut out));
        assert_eq!(got, Err(GpuError::Foreign));
    }
    batch.multiply(&Operand::Host(&a), &Operand::Host(&b), Output::Host(&mut out)).unwrap();
    assert_eq!(Ok(out), in_ring(&device, NtruPrime::new(p, q).unwrap(), 1 << 20, &a, &b));
    for (p, q) in [(31, 3), (1280, 3), (653, 1), (653, 16385), (1025, 16384), (usize::MAX, u32::MAX)] {
        assert_eq!(NtruPrime::new(p, q).err(), Some(GpuError::NtruPrime { p, q }));
    }
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
    let wide = |device: &Device, n, shared| {
        let batch = Batch::new(device, Cyclic::wide(n, 11).unwrap(), 1 << 16).unwrap();
        batch.explain(shared).unwrap().kernel.name
    };
    assert_eq!(wide(&new, 401, Shared::None), "wide_pair_512");
    assert_eq!(wide(&new, 401, Shared::First), "wide_one_key");
    assert_eq!(wide(&new, 701, Shared::First), "wide_pair_768");
    assert_eq!(wide(&old, 701, Shared::None), "wide_school");
    let small = emulated(Faults { shared: 64 << 10, ..Faults::default() }).1;
    assert_eq!(plan(&small, 1000, Shared::First), "pair_1024");
    assert_eq!(wide(&small, 509, Shared::First), "wide_pair_512");
    let asked = Batch::new(&small, Cyclic::new(1000, 11).unwrap().by(CyclicRoute::OneKey), 1 << 16);
    assert!(matches!(asked.err(), Some(GpuError::Route { .. })));
    let asked = Batch::new(&old, Cyclic::new(401, 11).unwrap().by(CyclicRoute::Pairs), 1 << 16);
    assert_eq!(asked.err(), Some(GpuError::TooOld { capability: (7, 5) }));
}

/// Why one key's columns are divided.
const IN_PARTS: &str = "tensor cores: all messages by one key are one matrix product, and there are \
                        processors for parts of its columns";

/// Protects: by one key columns are divided over blocks as long as there are processors without one, and at
/// most by 64; where the caller says in how many parts, in so many, if none is without columns.
#[test]
fn parts_by_one_key() {
    let of = |processors, n, route, count| {
        let device = emulated(Faults { processors, ..Faults::default() }).1;
        let ring = Cyclic::new(n, 11).unwrap();
        let ring = if let Some(route) = route { ring.by(route) } else { ring };
        let choice = Batch::new(&device, ring, 1 << 16).unwrap().explain_for(Shared::First, count).unwrap();
        assert_eq!(choice.kernel.name, if choice.parts > 1 { "one_key_parts" } else { "one_key" });
        choice.parts
    };
    // 401 coefficients are 7 groups of 64: two blocks have 4 and 3, five would have 2, 2, 2 and 1.
    for (processors, count, parts) in
        [(132, 64, 7), (132, 64 * 33, 4), (132, 64 * 66, 2), (132, 64 * 67, 1), (5, 64, 4), (1, 64, 1)]
    {
        assert_eq!(of(processors, 401, None, count), parts, "{processors} {count}");
        let asked = of(processors, 401, Some(CyclicRoute::OneKey), count);
        assert_eq!(asked, parts, "{processors} {count}");
    }
    for (n, asked, parts) in [(401, 0, 1), (401, 1, 1), (401, 3, 3), (401, 5, 4), (821, 13, 13), (64, 9, 1)] {
        let route = Some(CyclicRoute::OneKeyParts(asked));
        assert_eq!(of(132, n, route, 1 << 20), parts, "{n} {asked}");
    }
    let device = emulated(Faults::default()).1;
    let pairs = Cyclic::new(401, 11).unwrap().by(CyclicRoute::OneKeyParts(2));
    let apart = Batch::new(&device, pairs, 1 << 16).unwrap().explain(Shared::None);
    assert!(matches!(apart, Err(GpuError::Route { .. })));
}

/// The products of a batch with such memory and streams.
fn in_space(device: &Device, space: Space, a: &[u32], b: &[u32]) -> Result<Vec<u32>, GpuError> {
    let mut out = vec![0; a.len()];
    let mut batch = Batch::with(device, word(), &space)?;
    batch.multiply(&Operand::Host(a), &Operand::Host(b), Output::Host(&mut out)).map(|()| out)
}

/// Protects: with any number of streams, and with memory of the host that is not pinned, products are the
/// same, all streams have one share of the memory each, and what was in it is cleared. Only what is pinned is
/// the driver's.
#[test]
fn streams_and_memory_of_the_host() {
    let (a, b) = (polynomials(11, 1), polynomials(11, 2));
    let whole = products(&emulated(Faults::default()).1, 11, &a, &b).unwrap();
    // Room for the table alone.
    let little = Faults { host_memory: 33_000, ..Faults::default() };
    for (streams, pinned) in [0, 1, 2, 3, 7].into_iter().flat_map(|s| [true, false].map(|p| (s, p))) {
        let space = Space { memory: 12 * N * 6, streams, pinned };
        let (driver, device) = emulated(if pinned { Faults::default() } else { little });
        assert_eq!(in_space(&device, space, &a, &b).as_ref(), Ok(&whole), "{space:?}");
        let (left, most) = driver.used();
        assert!(left == 0 && most < space.memory.max(12 * N * streams) + 33_000, "{space:?}: {most}");
        assert_eq!(driver.uncleared(), 0);
        let mut batch = Batch::with(&device, word(), &space).unwrap();
        assert_eq!(batch.chunk(), [6, 6, 3, 2, 0, 0, 0, 1][streams]);
        let (on_a, mut on_c) = (batch.upload_first(&a).unwrap(), batch.room(11).unwrap());
        let before = driver.calls().waits;
        batch.multiply(&Operand::Device(&on_a), &Operand::Device(&on_a), Output::Device(&mut on_c)).unwrap();
        assert_eq!(driver.calls().waits - before, streams.max(1), "{space:?}");
    }
    let pinned = Space { memory: 12 * N, ..Space::default() };
    assert!(matches!(in_space(&emulated(little).1, pinned, &a, &b), Err(GpuError::OutOfMemory { .. })));
}

/// Protects: a GPU that is lost at any call is an error, and all memory is given back, with three streams and
/// memory of the host that is not pinned.
#[test]
fn lost_with_three_streams() {
    let (a, b) = (polynomials(5, 1), polynomials(5, 2));
    let whole = products(&emulated(Faults::default()).1, 5, &a, &b);
    let space = Space { memory: 12 * N * 3, streams: 3, pinned: false };
    let mut calls = 0;
    loop {
        let (driver, device) = emulated(Faults { lost_after: Some(calls), ..Faults::default() });
        let got = in_space(&device, space, &a, &b);
        if got.is_ok() {
            break assert_eq!(got, whole);
        }
        assert_eq!((got, driver.used().0, driver.uncleared()), (Err(GpuError::Lost), 0, 0), "{calls}");
        calls += 1;
    }
    assert!(calls > 20);
}

/// Protects: a ring whose kernels are limited has so many blocks on a processor, of the same kernel, and the
/// same products, also by prepared operands.
#[test]
fn limited_blocks() {
    let (_, device) = emulated(Faults::default());
    let (a, b) = (polynomials(3, 1), polynomials(3, 2));
    let whole = products(&device, 3, &a, &b).unwrap();
    for blocks in [1, 2, 8, 12, 16, 20, 24, usize::MAX] {
        let batch = |route| {
            let limited = Limited::new(word().by(route), blocks);
            let free = Batch::new(&device, word().by(route), room_for(2)).unwrap();
            (Batch::new(&device, limited, room_for(2)).unwrap(), free.explain(Shared::None).unwrap())
        };
        for route in [WordRoute::Tensor, WordRoute::Transform] {
            let (mut batch, free) = batch(route);
            let choice = batch.explain(Shared::None).unwrap();
            assert_eq!(choice.kernel, free.kernel);
            let most = batch.resident(&free).unwrap();
            assert_eq!(batch.resident(&choice), Ok(most.min(blocks.try_into().unwrap_or(most))));
            let mut out = vec![0; 3 * N];
            batch.multiply(&Operand::Host(&a), &Operand::Host(&b), Output::Host(&mut out)).unwrap();
            assert_eq!(out, whole);
            out.fill(0);
            let prepared = batch.prepare(&b).unwrap();
            batch
                .multiply(&Operand::Host(&a), &Operand::Prepared(&prepared), Output::Host(&mut out))
                .unwrap();
            assert_eq!(out, whole);
        }
    }
}

/// Protects: the plan by the size of a batch. By one key there are pairs up to 31 messages and one matrix
/// product from 32 on; a batch in parts of fewer is one of pairs. The products are the same.
#[test]
fn plans_by_size() {
    let (_, device) = emulated(Faults::default());
    let ring = || Cyclic::new(401, 11).unwrap();
    let mut batch = Batch::new(&device, ring(), 1 << 19).unwrap();
    let kernel = |batch: &Batch<Cyclic>, shared, count| {
        let choice = batch.explain_for(shared, count).unwrap();
        (choice.kernel.name, choice.why)
    };
    for (count, name, why) in [
        (1, "pair_512", "tensor cores: by one key a warp takes 32 messages, and of fewer each has a warp"),
        (31, "pair_512", "tensor cores: by one key a warp takes 32 messages, and of fewer each has a warp"),
        (32, "one_key_parts", IN_PARTS),
        (64 * 67, "one_key", "tensor cores: all messages by one key are one matrix product"),
        (1 << 20, "one_key", "tensor cores: all messages by one key are one matrix product"),
    ] {
        assert_eq!(kernel(&batch, Shared::First, count), (name, why));
        assert_eq!(kernel(&batch, Shared::None, count).0, "pair_512");
    }
    assert_eq!(kernel(&batch, Shared::First, usize::MAX), {
        let choice = batch.explain(Shared::First).unwrap();
        (choice.kernel.name, choice.why)
    });
    let asked = Batch::new(&device, ring().by(CyclicRoute::OneKey), 1 << 16).unwrap();
    assert_eq!(kernel(&asked, Shared::First, 1), ("one_key_parts", "as asked for"));
    // A mistake of pairs alone tells which kernel runs.
    let (_, wrong) = emulated(Faults { mutant: 12, ..Faults::default() });
    let key: Vec<u16> = (0..401).map(|i| i * 5 % 2048).collect();
    for (count, memory, is_pairs) in [(31, 1 << 19, true), (32, 1 << 19, false), (40, 1 << 16, true)] {
        let messages: Vec<i8> = (0..401 * count).map(|i| (i % 3) as i8 - 1).collect();
        let (mut right, mut got) = (vec![0; 401 * count], vec![0; 401 * count]);
        let one = Operand::One(&key);
        batch.multiply(&one, &Operand::Host(&messages), Output::Host(&mut right)).unwrap();
        let mut batch = Batch::new(&wrong, ring(), memory).unwrap();
        assert!((batch.chunk() < 32) == (memory == 1 << 16));
        batch.multiply(&one, &Operand::Host(&messages), Output::Host(&mut got)).unwrap();
        assert_eq!(got != right, is_pairs, "{count}");
    }
}

/// Protects: 12289 in words goes by tensor cores where the GPU has them, and by a transform elsewhere, as
/// other primes and degrees do; a route that is given is taken, or refused.
#[test]
fn plans_of_words() {
    let old = emulated(Faults { capability: (7, 5), ..Faults::default() }).1;
    let new = emulated(Faults::default()).1;
    let plan = |device: &Device, ring| {
        let choice = Batch::new(device, ring, room_for(1))?.explain_for(Shared::None, 1)?;
        Ok((choice.kernel.name, choice.why))
    };
    let (name, why) = plan(&new, word()).unwrap();
    assert!(name == "tensor_1024_32" && why.starts_with("tensor cores: the prime is below 2^14"), "{why}");
    let (name, why) = plan(&old, word()).unwrap();
    assert_eq!(name, "ntt_1024_26");
    assert_eq!(why, "a transform in registers: the GPU has no tensor cores that multiply these bytes");
    for (n, p, name) in [(1024, 40961, "ntt_1024_26"), (2048, 12289, "ntt_2048_26")] {
        let (got, why) = plan(&new, Word::new(n, p).unwrap()).unwrap();
        assert!(got == name && why.contains("below 2^26"), "{got}: {why}");
        let asked = plan(&new, Word::new(n, p).unwrap().by(WordRoute::Tensor));
        assert!(matches!(asked, Err(GpuError::Route { .. })));
    }
    assert_eq!(plan(&new, word().by(WordRoute::Transform)), Ok(("ntt_1024_26", "as asked for")));
    assert_eq!(plan(&new, word().by(WordRoute::Tensor)), Ok(("tensor_1024_32", "as asked for")));
    let error = plan(&old, word().by(WordRoute::Tensor)).unwrap_err();
    assert_eq!(error, GpuError::TooOld { capability: (7, 5) });
    let (a, b) = (polynomials(3, 1), polynomials(3, 2));
    assert_eq!(products(&old, 3, &a, &b), products(&new, 2, &a, &b));
}

/// Protects: the plan for NTRU Prime's rings.
#[test]
fn plans_of_ntru_prime() {
    let old = emulated(Faults { capability: (7, 5), ..Faults::default() }).1;
    let new = emulated(Faults::default()).1;
    let plan = |device: &Device, set: usize, shared| {
        let (p, q) = NtruPrime::SETS[set];
        let batch = Batch::new(device, NtruPrime::new(p, q).unwrap(), 1 << 16).unwrap();
        batch.explain(shared).unwrap()
    };
    let pairs = [0, 1, 2, 3, 4, 5].map(|set| plan(&new, set, Shared::Second).kernel.name);
    let (short, middle) = ("trinomial_768", "trinomial_1024");
    assert_eq!(pairs, [short, short, middle, middle, middle, "trinomial_1280"]);
    assert!(plan(&new, 1, Shared::None).why.contains("reduces by x^p - x - 1"));
    assert_eq!(plan(&new, 4, Shared::First).kernel.name, "trinomial_one_key");
    assert_eq!(plan(&new, 5, Shared::First).kernel.name, "trinomial_1280");
    let few = Batch::new(&new, NtruPrime::new(761, 4591).unwrap(), 1 << 16).unwrap();
    let kernel = |count| few.explain_for(Shared::First, count).unwrap().kernel.name;
    assert_eq!([kernel(31), kernel(32)], [short, "trinomial_one_key_parts"]);
    assert_eq!(plan(&old, 0, Shared::First).kernel.name, "trinomial_school");
    let asked = NtruPrime::new(761, 4591).unwrap().by(CyclicRoute::OneKey);
    let apart = Batch::new(&new, asked, 1 << 16).unwrap().explain(Shared::None);
    assert!(matches!(apart, Err(GpuError::Route { .. })));
    // A length that the last coefficient, which is computed behind the others, takes to the next kernel.
    let full = Batch::new(&new, NtruPrime::new(768, 4591).unwrap(), 1 << 16).unwrap();
    assert_eq!(full.explain(Shared::None).unwrap().kernel.name, middle);
}

/// Protects: rates are of the kernels that are chosen, with one launch for a batch that stays on the device,
/// and a GPU that computes a wrong product has none.
#[test]
fn rates_of_right_products() {
    let effort = Effort { coefficients: 13000, memory: 1 << 16, time: Duration::ZERO };
    let of = |faults| rates(&emulated(faults).1, &effort);
    let found = of(Faults::default()).unwrap();
    let kernels: Vec<_> = found.iter().map(|rate| rate.kernel).collect();
    let words =
        [1024, 2048, 4096].map(|n| [format!("ntt_{n}_30"), format!("ntt_{n}_by_prepared_31")]).concat();
    let of_bytes =
        ["pair_768", "transform_2048", "wide_pair_768", "one_key_parts", "trinomial_768"].map(String::from);
    assert_eq!(kernels, [&["tensor_1024".to_string()], &words[..], &of_bytes].concat());
    let batches: Vec<_> = found.iter().map(|rate| rate.batch).collect();
    assert_eq!(batches, [12, 12, 12, 6, 6, 3, 3, 18, 18, 18, 32, 17]);
    assert!(found.iter().all(|rate| rate.on_device > 0. && rate.from_host > 0.));
    let old = of(Faults { capability: (7, 5), ..Faults::default() }).unwrap();
    let kernels: Vec<_> = old.iter().map(|rate| rate.kernel).collect();
    let of_bytes =
        ["school", "transform_2048", "wide_school", "school", "trinomial_school"].map(String::from);
    assert_eq!(kernels, [&words[..], &of_bytes].concat());
    // Mistakes of transforms, of pairs and of tensor cores.
    for (mutant, ring) in [
        (2, "Z_998244353[x]/(x^1024+1)"),
        (60, "Z_998244353[x]/(x^1024+1)"),
        (12, "Z_8192[x]/(x^701-1)"),
        (14, "Z_8192[x]/(x^701-1), any two"),
        (30, "Z_12289[x]/(x^1024+1)"),
        (40, "Z_4591[x]/(x^761-x-1)"),
    ] {
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
    let error = NtruPrime::new(2000, 4591).err().unwrap();
    assert!(error.to_string().ends_with("not p = 2000 and q = 4591"), "{error}");
    assert!(Sparse::new(401, 11, 300, 102).is_err());
    assert!(Sparse::new(401, 11, 0, 0).is_err());
    assert!(Interleaved::new(401, 11, 4, ringsmith_gpu::Form::Proposed).is_err());
}
