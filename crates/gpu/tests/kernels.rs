//! Every kernel at every size against the CPU, random and worst operands; and that mistakes in kernels are
//! seen.

use ringsmith_gpu::issue::{Issue, MIXES, Mix};
use ringsmith_gpu::{
    Batch, Cyclic, CyclicRoute, Device, Emulated, Faults, Form, GpuError, Interleaved, NtruPrime, Operand,
    Output, PrimeRoute, PublicTernary, Ring, Short, SlidingWindow, Sparse, Transform, Word, WordBy,
    WordRoute,
};
use ringsmith_ntru_prime::rings;
use ringsmith_oracle::Random;
use ringsmith_ring::{Multiplier, Poly, Routes};
use ringsmith_word::WordRing;
use std::sync::Arc;
use std::time::Duration;

fn device(faults: Faults) -> Device {
    Device::by(Arc::new(Emulated::new(faults)))
}

/// A device, with threads in either order.
fn devices(mutant: u32) -> [Device; 2] {
    [false, true].map(|descending| device(Faults { mutant, descending, ..Faults::default() }))
}

/// What the products of all pairs on a device are.
fn all<R: Ring>(device: &Device, ring: R, a: &[R::A], b: &[R::B]) -> Result<Vec<R::C>, GpuError> {
    let lengths = ring.lengths();
    let mut out = vec![R::C::default(); a.len() / lengths.a * lengths.c];
    let mut batch = Batch::new(device, ring, 1 << 20)?;
    batch.multiply(&Operand::Host(a), &Operand::Host(b), Output::Host(&mut out))?;
    Ok(out)
}

/// The products that the CPU's word ring has.
fn words(n: usize, p: u64, a: &[u32], b: &[u32]) -> Vec<u32> {
    let ring = WordRing::new(n, p).unwrap();
    let polynomial =
        |x: &[u32]| ring.polynomial(&x.iter().map(|x| u64::from(*x)).collect::<Vec<_>>()).unwrap();
    let pairs = a.chunks(n).zip(b.chunks(n));
    let product = |(a, b)| ring.product(polynomial(a), polynomial(b)).unwrap();
    pairs.map(product).flat_map(|c| c.coefficients().map(|x| x as u32).collect::<Vec<_>>()).collect()
}

/// Operands: random ones, the greatest coefficients, alternating ones, and one coefficient alone.
fn operands(n: usize, p: u64, random: &mut Random) -> Vec<u32> {
    let mut all: Vec<u32> = (0..n).map(|_| (random.word() % p) as u32).collect();
    all.extend((0..n).map(|_| (p - 1) as u32));
    all.extend((0..n).map(|i| if i % 2 == 0 { (p - 1) as u32 } else { 0 }));
    all.extend((0..n).map(|i| u32::from(i == n - 1)));
    all
}

/// Primes of all three sizes of kernels: the greatest ones that serve, and common ones.
const PRIMES: [u64; 6] = [40961, 49_201_153, 67_043_329, 1_073_479_681, 2_147_352_577, 2_013_265_921];

fn word_products(n: usize, p: u64, device: &Device) -> bool {
    word_products_by(n, p, WordRoute::Transform, device)
}

fn word_products_by(n: usize, p: u64, route: WordRoute, device: &Device) -> bool {
    let mut random = Random::new(p);
    let (a, mut b) = (operands(n, p, &mut random), operands(n, p, &mut random));
    b[2 * n..].rotate_left(n / 2);
    let got = all(device, Word::new(n, p).unwrap().by(route), &a, &b);
    got == Ok(words(n, p, &a, &b))
}

/// Protects: negacyclic products of every kernel are the CPU's, and canonical.
#[test]
fn negacyclic() {
    for p in PRIMES.into_iter().chain([12289]) {
        for n in [1024, 2048, 4096].into_iter().filter(|n| (p - 1) % (2 * n) == 0) {
            let right = devices(0).iter().all(|device| word_products(n as usize, p, device));
            assert!(right, "{n} {p}");
        }
    }
}

/// The products by prepared operands: pairs, and all by the first of them.
fn by_prepared(n: usize, p: u64, device: &Device) -> bool {
    let mut random = Random::new(p + 1);
    let (a, mut b) = (operands(n, p, &mut random), operands(n, p, &mut random));
    b[n..3 * n].rotate_left(n / 2);
    let mut batch = Batch::new(device, Word::new(n, p).unwrap(), 1 << 20).unwrap();
    let (pairs, key) = (batch.prepare(&b).unwrap(), batch.prepare(&b[n..2 * n]).unwrap());
    let mut products = |operand: Operand<'_, u32>| {
        let mut out = vec![0; a.len()];
        batch.multiply(&Operand::Host(&a), &operand, Output::Host(&mut out)).map(|()| out)
    };
    products(Operand::Prepared(&pairs)) == Ok(words(n, p, &a, &b))
        && products(Operand::OnePrepared(&key)) == Ok(words(n, p, &a, &b[n..2 * n].repeat(4)))
}

/// Protects: products by operands whose transforms stay on the device are the CPU's, and canonical.
#[test]
fn prepared() {
    for p in PRIMES.into_iter().chain([12289]) {
        for n in [1024, 2048, 4096].into_iter().filter(|n| (p - 1) % (2 * n) == 0) {
            let right = devices(0).iter().all(|device| by_prepared(n as usize, p, device));
            assert!(right, "{n} {p}");
        }
    }
}

fn short_products(q: u64, device: &Device) -> bool {
    let mut random = Random::new(q);
    let (a, mut b) = (operands(1024, q, &mut random), operands(1024, q, &mut random));
    b[2048..].rotate_left(512);
    let expected: Vec<u16> = words(1024, q, &a, &b).into_iter().map(|x| x as u16).collect();
    let [a, b] = [a, b].map(|all| all.into_iter().map(|x| x as u16).collect::<Vec<_>>());
    all(device, Short::new(q).unwrap(), &a, &b) == Ok(expected)
}

/// Protects: negacyclic products on tensor cores, whose tables are checked for sums of more than 32 bits; of
/// coefficients of 16 bits and of words.
#[test]
fn short() {
    assert!(devices(0).iter().all(|device| short_products(12289, device)));
    assert!(devices(0).iter().all(|device| word_products_by(1024, 12289, WordRoute::Tensor, device)));
}

/// The product by its definition.
fn cyclic(n: usize, bits: u32, a: &[u16], b: &[i64]) -> Vec<u16> {
    let mut out = vec![0i64; n];
    for (i, y) in b.iter().enumerate().filter(|(_, y)| **y != 0) {
        for (j, x) in a.iter().enumerate() {
            out[(i + j) % n] += i64::from(*x) * y;
        }
    }
    out.into_iter().map(|x| (x & ((1 << bits) - 1)) as u16).collect()
}

/// Pairs: random, the greatest by the least, one coefficient at the end.
fn pairs(n: usize, bits: u32, random: &mut Random) -> (Vec<u16>, Vec<i8>) {
    let mask = (1u64 << bits) - 1;
    let mut a: Vec<u16> = (0..n).map(|_| (random.word() & mask) as u16).collect();
    let mut b: Vec<i8> = (0..n).map(|_| random.within(-1, 1) as i8).collect();
    a.extend(vec![mask as u16; n]);
    b.extend(vec![i8::MIN; n]);
    a.extend((0..n).map(|_| (random.word() & mask) as u16));
    b.extend((0..n).map(|_| random.word() as i8));
    a.extend((0..n).map(|i| u16::from(i == n - 1)));
    b.extend((0..n).map(|i| i as i8));
    (a, b)
}

fn expected(n: usize, bits: u32, a: &[u16], b: &[i8]) -> Vec<u16> {
    let wide: Vec<i64> = b.iter().map(|x| i64::from(*x)).collect();
    a.chunks(n).zip(wide.chunks(n)).flat_map(|(a, b)| cyclic(n, bits, a, b)).collect()
}

fn by(n: usize, bits: u32, route: CyclicRoute) -> Cyclic {
    Cyclic::new(n, bits).unwrap().by(route)
}

/// Operands of `n` coefficients for products of any two: random ones by random ones and by one coefficient
/// at the end, and the greatest by the greatest and by alternating ones.
fn wide_pairs(n: usize, bits: u32) -> (Vec<u16>, Vec<u16>) {
    let mut random = Random::new(n as u64 + 1);
    let most = vec![(1u16 << bits) - 1; n];
    let alternating: Vec<u16> = most.iter().enumerate().map(|(i, x)| x * (i % 2) as u16).collect();
    let last: Vec<u16> = (0..n).map(|i| u16::from(i == n - 1)).collect();
    let a = [elements(n, 2, bits, &mut random), most.repeat(2)].concat();
    (a, [elements(n, 1, bits, &mut random), last, most, alternating].concat())
}

fn wide_expected(n: usize, bits: u32, a: &[u16], b: &[u16]) -> Vec<u16> {
    let wide: Vec<i64> = b.iter().map(|x| i64::from(*x)).collect();
    a.chunks(n).zip(wide.chunks(n)).flat_map(|(a, b)| cyclic(n, bits, a, b)).collect()
}

fn wide_by(n: usize, bits: u32, route: CyclicRoute) -> Cyclic<u16> {
    Cyclic::wide(n, bits).unwrap().by(route)
}

/// The library's degrees, and those where a kernel's length begins and ends.
const DEGREES: [(usize, u32); 18] = [
    (32, 14),
    (33, 1),
    (401, 11),
    (443, 11),
    (509, 11),
    (512, 13),
    (513, 14),
    (613, 11),
    (677, 11),
    (701, 13),
    (743, 11),
    (768, 8),
    (821, 12),
    (1087, 11),
    (1229, 12),
    (1373, 14),
    (1499, 11),
    (1536, 14),
];

fn cyclic_products(n: usize, bits: u32, route: CyclicRoute, device: &Device) -> bool {
    let (a, b) = pairs(n, bits, &mut Random::new(n as u64));
    all(device, by(n, bits, route), &a, &b) == Ok(expected(n, bits, &a, &b))
}

/// Protects: products of distinct pairs modulo `x^n - 1`, on tensor cores and by integers.
#[test]
fn distinct_pairs() {
    for (at, (n, bits)) in DEGREES.into_iter().enumerate() {
        let device = &devices(0)[at % 2];
        for route in [CyclicRoute::Pairs, CyclicRoute::Schoolbook] {
            assert!(cyclic_products(n, bits, route, device), "{n} {bits} {route:?}");
        }
    }
}

fn wide_products(n: usize, bits: u32, route: CyclicRoute, device: &Device) -> bool {
    let (a, b) = wide_pairs(n, bits);
    all(device, wide_by(n, bits, route), &a, &b) == Ok(wide_expected(n, bits, &a, &b))
}

/// Protects: products of any two elements modulo `x^n - 1` and a power of two, on tensor cores and by
/// integers.
#[test]
fn distinct_wide_pairs() {
    for (at, (n, bits)) in DEGREES.into_iter().enumerate() {
        let device = &devices(0)[at % 2];
        for route in [CyclicRoute::Pairs, CyclicRoute::Schoolbook] {
            assert!(wide_products(n, bits, route, device), "{n} {bits} {route:?}");
        }
    }
}

/// Products of any elements by one, which has the greatest coefficients.
fn wide_by_one_key(n: usize, bits: u32, count: usize, device: &Device) -> bool {
    let (most, mut random) = ((1u16 << bits) - 1, Random::new(5));
    let (key, mut messages) = (vec![most; n], elements(n, count, bits, &mut random));
    messages[..n].fill(most);
    let mut out = vec![0; n * count];
    let mut batch = Batch::new(device, wide_by(n, bits, CyclicRoute::OneKey), 1 << 20).unwrap();
    batch.multiply(&Operand::One(&key), &Operand::Host(&messages), Output::Host(&mut out)).unwrap();
    out == wide_expected(n, bits, &key.repeat(count), &messages)
}

/// Protects: products of many large messages by one key.
#[test]
fn wide_one_key() {
    let degrees = [(32, 14), (33, 8), (401, 11), (509, 14), (512, 7), (701, 13), (821, 12)];
    for (at, (n, bits)) in degrees.into_iter().enumerate() {
        let count = if n < 450 { 70 } else { 3 };
        assert!(wide_by_one_key(n, bits, count - at % 2, &devices(0)[at % 2]), "{n} {bits}");
    }
}

/// Pairs whose second operands are from -2 to 1: random, the greatest products with each sign, one
/// coefficient.
fn small_pairs(n: usize, bits: u32, random: &mut Random) -> (Vec<u16>, Vec<i8>) {
    let half: u16 = 1 << (bits - 1);
    let (mut a, _) = pairs(n, bits, random);
    let mut b: Vec<i8> = (0..n).map(|_| random.within(-2, 1) as i8).collect();
    a[n..2 * n].fill(half);
    b.extend(vec![-2; n]);
    a[2 * n..3 * n].fill(half - 1);
    b.extend(vec![-2; n]);
    b.extend((0..n).map(|i| i as i8 % 2));
    // -1 as it is stored: the greatest product of what is not centred.
    a.extend(vec![2 * half - 1; n]);
    b.extend(vec![-2; n]);
    (a, b)
}

fn transformed(n: usize, bits: u32, device: &Device) -> bool {
    let (a, b) = small_pairs(n, bits, &mut Random::new(n as u64));
    all(device, Transform::new(n, bits).unwrap(), &a, &b) == Ok(expected(n, bits, &a, &b))
}

/// Protects: products modulo `x^n - 1` by transforms, up to the greatest sums that the prime holds; a larger
/// operand is an error.
#[test]
fn by_transforms() {
    for (n, bits) in [(32, 14), (401, 11), (512, 1), (513, 13), (701, 13), (1024, 14), (1499, 14), (1501, 13)]
    {
        assert!(devices(0).iter().all(|device| transformed(n, bits, device)), "{n} {bits}");
    }
    for coefficient in [-3, 2] {
        let b = [vec![0; 400], vec![coefficient]].concat();
        let refused = all(&devices(0)[0], Transform::new(401, 11).unwrap(), &[0; 401], &b).unwrap_err();
        assert_eq!(refused.to_string(), "a coefficient is not in [-2, 2)");
    }
}

/// The products of messages by the first of these elements.
fn by_one_key(n: usize, bits: u32, count: usize, device: &Device) -> bool {
    let mut random = Random::new(3);
    let (a, _) = pairs(n, bits, &mut random);
    let key = if count.is_multiple_of(2) { &a[..n] } else { &a[n..2 * n] };
    let messages: Vec<i8> = (0..n * count).map(|_| random.word() as i8).collect();
    let mut out = vec![0; n * count];
    let mut batch = Batch::new(device, by(n, bits, CyclicRoute::OneKey), 1 << 20).unwrap();
    batch.multiply(&Operand::One(key), &Operand::Host(&messages), Output::Host(&mut out)).unwrap();
    out == expected(n, bits, &key.repeat(count), &messages)
}

/// Protects: products of many messages by one key, whose last block is not full.
#[test]
fn one_key() {
    let chosen = DEGREES.into_iter().filter(|(n, _)| ![1229, 1373, 1536].contains(n));
    for (at, (n, bits)) in chosen.enumerate() {
        let count = if n < 450 { 70 } else { 3 };
        assert!(by_one_key(n, bits, count - at % 2, &devices(0)[at % 2]), "{n} {bits}");
    }
}

/// Random elements of any size.
fn elements(n: usize, count: usize, bits: u32, random: &mut Random) -> Vec<u16> {
    (0..n * count).map(|_| (random.word() as u16) & ((1 << bits) - 1)).collect()
}

/// Products that the CPU's library has, of polynomials whose coefficients may be negative.
fn library<R: Routes>(a: &[u16], b: &[i8]) -> Vec<u16> {
    let (multiplier, n) = (Multiplier::<R>::new(), R::N);
    let mut scratch = multiplier.scratch();
    let mut product = |(a, b): (&[u16], &[i8])| {
        let (a, b) = (Poly::new(a).unwrap(), Poly::new(b).unwrap());
        let c = multiplier.multiply(&a, &b, &mut scratch);
        c.canonical().map(|x| x as u16).collect::<Vec<_>>()
    };
    a.chunks(n).zip(b.chunks(n)).flat_map(&mut product).collect()
}

/// Products of large operands by small ones.
type Products = fn(&[u16], &[i8]) -> Vec<u16>;

/// The library's products in NTRU Prime's rings, by their degrees.
const LIBRARY: [(usize, Products); 6] = [
    (653, library::<rings::NtruPrime653>),
    (761, library::<rings::NtruPrime761>),
    (857, library::<rings::NtruPrime857>),
    (953, library::<rings::NtruPrime953>),
    (1013, library::<rings::NtruPrime1013>),
    (1277, library::<rings::NtruPrime1277>),
];

/// The product modulo `x^p - x - 1` by its definition.
fn trinomial(p: usize, q: u32, a: &[u16], b: &[i8]) -> Vec<u16> {
    let mut all = vec![0i64; 2 * p];
    for (i, x) in a.iter().enumerate() {
        b.iter().enumerate().for_each(|(j, y)| all[i + j] += i64::from(*x) * i64::from(*y));
    }
    for k in (p..2 * p).rev() {
        all[k - p] += all[k];
        all[k - p + 1] += all[k];
    }
    all[..p].iter().map(|x| x.rem_euclid(i64::from(q)) as u16).collect()
}

/// Pairs modulo `q`: random by ternary, the greatest by the least and by the greatest, random by any bytes,
/// and single coefficients at the ends.
fn trinomial_pairs(p: usize, q: u32) -> (Vec<u16>, Vec<i8>) {
    let mut random = Random::new(u64::from(q));
    let mut residues = |count| (0..count).map(|_| (random.word() % u64::from(q)) as u16).collect::<Vec<_>>();
    let last: Vec<u16> = (0..p).map(|i| u16::from(i == p - 1)).collect();
    let a = [residues(p), vec![(q - 1) as u16; 2 * p], residues(2 * p), last].concat();
    let mut bytes = |low, high| (0..p).map(|_| random.within(low, high) as i8).collect::<Vec<_>>();
    let (ternary, any) = (bytes(-1, 1), bytes(-128, 127));
    let first = (0..p).map(|i| -i8::from(i == 0)).collect();
    let end = (0..p).map(|i| i8::from(i == p - 1)).collect();
    (a, [ternary, vec![i8::MIN; p], vec![i8::MAX; p], any, first, end].concat())
}

fn trinomial_products(p: usize, q: u32, route: CyclicRoute, device: &Device) -> bool {
    let (a, b) = trinomial_pairs(p, q);
    let expected: Vec<u16> = a.chunks(p).zip(b.chunks(p)).flat_map(|(a, b)| trinomial(p, q, a, b)).collect();
    let by_library = LIBRARY.iter().find(|(degree, _)| *degree == p && NtruPrime::SETS.contains(&(p, q)));
    assert!(by_library.is_none_or(|(_, products)| products(&a, &b) == expected), "the library, {p}");
    all(device, NtruPrime::new(p, q).unwrap().by(route), &a, &b) == Ok(expected)
}

/// Sizes at which a kernel's length begins and ends, and the greatest moduli, odd and even ones.
const TRINOMIALS: [(usize, u32); 10] = [
    (32, 16384),
    (33, 3),
    (64, 2),
    (509, 12289),
    (767, 9001),
    (768, 16384),
    (1023, 3),
    (1024, 16384),
    (1279, 13117),
    (1278, 8192),
];

/// Protects: products modulo `x^p - x - 1` are the library's in all of NTRU Prime's rings, and as defined in
/// others, on tensor cores and by integers, in both orders of threads.
#[test]
fn ntru_prime() {
    assert_eq!(LIBRARY.map(|(p, _)| p), NtruPrime::SETS.map(|(p, _)| p));
    for (at, (p, q)) in NtruPrime::SETS.into_iter().chain(TRINOMIALS).enumerate() {
        for (order, route) in [CyclicRoute::Pairs, CyclicRoute::Schoolbook].into_iter().enumerate() {
            assert!(trinomial_products(p, q, route, &devices(0)[(at + order) % 2]), "{p} {q} {route:?}");
        }
    }
}

/// Products of messages by one key: of an even number by the greatest coefficients, of an odd one by any.
fn trinomial_by_one_key(p: usize, q: u32, count: usize, device: &Device) -> bool {
    let mut random = Random::new(11);
    let any = (0..p).map(|_| (random.word() % u64::from(q)) as u16).collect();
    let key = if count.is_multiple_of(2) { vec![(q - 1) as u16; p] } else { any };
    let mut messages: Vec<i8> = (0..p * count).map(|_| random.word() as i8).collect();
    messages[..p].fill(i8::MIN);
    let mut out = vec![0; p * count];
    let ring = NtruPrime::new(p, q).unwrap().by(CyclicRoute::OneKey);
    let mut batch = Batch::new(device, ring, 1 << 20).unwrap();
    batch.multiply(&Operand::One(&key), &Operand::Host(&messages), Output::Host(&mut out)).unwrap();
    out == messages.chunks(p).flat_map(|b| trinomial(p, q, &key, b)).collect::<Vec<_>>()
}

/// Protects: products of many messages by one key modulo `x^p - x - 1`, whose last block is not full, also
/// where the coefficient that is computed last has a group of columns for itself.
#[test]
fn ntru_prime_one_key() {
    let others = [(32, 16384), (63, 3), (64, 12289), (1024, 16384)];
    for (at, (p, q)) in NtruPrime::SETS.into_iter().chain(others).enumerate() {
        let count = if p < 100 { 70 } else { 3 };
        assert!(trinomial_by_one_key(p, q, count - at % 2, &devices(0)[at % 2]), "{p} {q}");
    }
}

fn interleaved_products(n: usize, word: usize, form: Form, device: &Device) -> bool {
    let mut random = Random::new(word as u64);
    let a = [elements(n, 1, 11, &mut random), vec![2047; n]].concat();
    let b = [elements(n, 1, 11, &mut random), vec![2047; n]].concat();
    let wide: Vec<i64> = b.iter().map(|x| i64::from(*x)).collect();
    let mut expected: Vec<Vec<u16>> =
        a.chunks(n).zip(wide.chunks(n)).map(|(a, b)| cyclic(n, 11, a, b)).collect();
    if form == Form::OriginalUnfinished {
        expected.iter_mut().for_each(|c| c.rotate_left(word * n.div_ceil(word) % n));
    }
    all(device, Interleaved::new(n, 11, word, form).unwrap(), &a, &b) == Ok(expected.concat())
}

/// Protects: interleaved Montgomery multiplication in its forms, at every length of words.
#[test]
fn interleaved() {
    for form in [Form::Proposed, Form::Original, Form::OriginalUnfinished] {
        let sizes = [(401, 8), (401, 16), (401, 32), (401, 64), (64, 32), (64, 64), (97, 1), (1499, 32)];
        for (n, word) in sizes.into_iter().chain([(512, 8), (1536, 64), (853, 16)]) {
            let right = devices(0).iter().all(|device| interleaved_products(n, word, form, device));
            assert!(right, "{n} {word} {form:?}");
        }
    }
    assert!(Interleaved::new(63, 11, 64, Form::Proposed).is_err());
    assert!(Interleaved::new(401, 11, 4, Form::Proposed).is_err());
}

/// The paper's prime, and the greatest one below `2^29` that is 1 modulo 8192.
const PRIMES_OF_ROUTES: [u64; 2] = [49_201_153, 536_813_569];

fn prime_products(n: usize, p: u64, route: PrimeRoute, device: &Device) -> bool {
    let mut random = Random::new(n as u64);
    let (a, mut b) = (operands(n, p, &mut random), operands(n, p, &mut random));
    b[2 * n..].rotate_left(n / 2);
    let mut expected = words(n, p, &a, &b);
    if matches!(route, PrimeRoute::Interleaved { form: Form::OriginalUnfinished, .. }) {
        // The factor that stays is x^-n = -1.
        expected.iter_mut().for_each(|c| *c = (p as u32 - *c) % p as u32);
    }
    all(device, WordBy::new(n, p, route).unwrap(), &a, &b) == Ok(expected)
}

/// Protects: products modulo a prime by the routes without transforms, at every length of words. Short ones
/// take thousands of steps, so the greatest degrees are for the others.
#[test]
fn routes_modulo_a_prime() {
    let forms = [Form::Proposed, Form::Original, Form::OriginalUnfinished];
    let by = |word| forms.map(|form| (word, PrimeRoute::Interleaved { word, form }));
    let routes: Vec<_> = [1, 8, 16, 32, 64].into_iter().flat_map(by).collect();
    for (at, (word, route)) in routes.into_iter().chain([(64, PrimeRoute::Schoolbook)]).enumerate() {
        let [small, great] = PRIMES_OF_ROUTES;
        let sizes = [(1024, 1, great), (2048, 16, small), (4096, 32, great)];
        for (n, _, p) in sizes.into_iter().filter(|(_, least, _)| *least <= word) {
            assert!(prime_products(n, p, route, &devices(0)[at % 2]), "{n} {p} {route:?}");
        }
    }
}

fn sparse_products(n: usize, device: &Device) -> bool {
    let mut random = Random::new(9);
    let (plus, minus, count) = (20, 19, 3);
    let a = elements(n, count, 11, &mut random);
    let mut dense = vec![0i64; n * count];
    let places: Vec<u16> =
        (0..count * (plus + minus)).map(|_| random.within(0, n as i64 - 1) as u16).collect();
    for (at, place) in places.iter().enumerate() {
        let sign = if at % (plus + minus) < plus { 1 } else { -1 };
        dense[at / (plus + minus) * n + usize::from(*place)] += sign;
    }
    let expected: Vec<u16> =
        a.chunks(n).zip(dense.chunks(n)).flat_map(|(a, b)| cyclic(n, 11, a, b)).collect();
    all(device, Sparse::new(n, 11, plus, minus).unwrap(), &a, &places) == Ok(expected)
}

/// Protects: fast convolution by places of a public operand.
#[test]
fn sparse() {
    for (n, device) in [401, 439, 743, 1499].into_iter().zip(devices(0).iter().cycle()) {
        assert!(sparse_products(n, device), "{n}");
    }
    let ring = Sparse::new(401, 11, 2, 1).unwrap();
    let places = |plus: [usize; 2], minus| PublicTernary::declare(401, plus, minus).unwrap();
    assert_eq!(ring.operand(&places([400, 2], vec![7])), Ok(vec![2, 400, 7]));
    assert!(ring.operand(&places([400, 2], vec![])).is_err());
    assert!(ring.operand(&PublicTernary::declare(402, [400, 2], [7]).unwrap()).is_err());
}

/// What a loop of instructions computes.
fn issued(mix: Mix, device: &Device) -> bool {
    Issue::new(mix, 9).measure(device, 2, Duration::ZERO).unwrap().right
}

/// Protects: loops of instructions compute what they should, so that none of them is left out.
#[test]
fn instructions() {
    for mix in MIXES {
        assert!(devices(0).iter().all(|device| issued(mix, device)), "{}", mix.name());
    }
}

/// The greatest prime below `2^27` that is 1 modulo 8192.
const GREATEST_OF_DOUBLES: u64 = 134_176_769;

/// Operands that make the products of parts and the values of transforms as great as they can be: parts of
/// `-2^12` and of `2^13` in one coefficient, all alike, with signs that alternate, and with those of `cos` at
/// an angle that a node has; and their mirror image, of which all terms of a coefficient have one sign.
fn greatest(n: usize, p: u64) -> Vec<u32> {
    let top = p as i64 / 2;
    // The greatest number with the lower part -2^12, and the greatest one.
    let values = [(top - 4096).div_euclid(8192) * 8192 + 4096, top];
    let sign = |negative: bool| if negative { -1 } else { 1 };
    let cosine = |j: usize, k: usize| (std::f64::consts::PI * (j * (2 * k + 1)) as f64 / n as f64).cos();
    let mut all = Vec::new();
    for value in values {
        let value = |sign: i64| (sign * value).rem_euclid(p as i64) as u32;
        all.extend((0..n).map(|_| value(1)));
        all.extend((0..n).map(|j| value(sign(j % 2 == 1))));
        all.extend((0..n).map(|j| value(sign(cosine(j, 0) < 0.))));
        all.extend((0..n).map(|j| value(sign(cosine(j, n / 3) < 0.))));
        // By the first of these: coefficient n - 1 has n terms alike; by this one coefficient 0.
        all.extend((0..n).map(|j| value(sign(j > 0))));
    }
    all
}

fn doubles_products(n: usize, p: u64, device: &Device) -> bool {
    let mut random = Random::new(n as u64);
    let values = [greatest(n, p), operands(n, p, &mut random)].concat();
    // Each by itself, and by each of some others.
    let count = values.len() / n;
    let pairs: Vec<(usize, usize)> =
        (0..count).flat_map(|i| [(i, i), (i, 0), (i, (i + 4) % count)]).collect();
    let [a, b] = [|pair: &(usize, usize)| pair.0, |pair: &(usize, usize)| pair.1].map(|side| {
        pairs.iter().flat_map(|pair| values[side(pair) * n..][..n].to_vec()).collect::<Vec<u32>>()
    });
    all(device, WordBy::new(n, p, PrimeRoute::Doubles).unwrap(), &a, &b) == Ok(words(n, p, &a, &b))
}

/// Protects: products by transforms of doubles are exact, and as near to integers as the proof says, which
/// the kernel states; of the greatest operands, and at every degree.
#[test]
fn doubles() {
    for n in [1024, 2048, 4096] {
        for (p, device) in [GREATEST_OF_DOUBLES, 49_201_153].into_iter().zip(devices(0)) {
            assert!(doubles_products(n, p, &device), "{n} {p}");
        }
    }
    assert!(WordBy::new(1024, 536_813_569, PrimeRoute::Doubles).is_err());
}

/// Protects: the constants of these transforms are roots of unity: of node 1 the root of `i`, and of two
/// children the roots of what is above and of its negative.
#[test]
fn constants_of_doubles() {
    for n in [1024, 2048, 4096] {
        let ring = WordBy::new(n, 49_201_153, PrimeRoute::Doubles).unwrap();
        let double = |low: u32, high: u32| f64::from_bits(u64::from(high) << 32 | u64::from(low));
        let nodes: Vec<[f64; 2]> =
            ring.table().chunks(4).map(|w| [double(w[0], w[1]), double(w[2], w[3])]).collect();
        assert_eq!(nodes.len(), n / 2);
        let near = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]) < 4. * f64::EPSILON;
        let square = |[x, y]: [f64; 2]| [x * x - y * y, 2. * x * y];
        assert!(near(square(nodes[1]), [0., 1.]) && nodes[1][0] > 0.);
        for node in 1..n / 4 {
            let [x, y] = nodes[node];
            assert!(near(square(nodes[2 * node]), [x, y]) && near(square(nodes[2 * node + 1]), [-x, -y]));
        }
    }
}

/// A ternary element, and the places of its coefficients 1 and -1.
fn ternary(n: usize, coefficient: impl FnMut(usize) -> i64) -> (Vec<i64>, PublicTernary) {
    let dense: Vec<i64> = (0..n).map(coefficient).collect();
    let places = |sign| (0..n).filter(|at| dense[*at] == sign).collect::<Vec<_>>();
    let public = PublicTernary::declare(n, places(1), places(-1)).unwrap();
    (dense, public)
}

/// By random operands, by all ones and minus ones, of which windows are full, by one at the end, and by 0.
fn window_products(n: usize, device: &Device) -> bool {
    let mut random = Random::new(n as u64);
    let operands = [
        ternary(n, |_| random.within(-1, 1)),
        ternary(n, |_| 2 * random.within(0, 1) - 1),
        ternary(n, |_| -1),
        ternary(n, |at| -i64::from(at == n - 1)),
        ternary(n, |_| 0),
    ];
    let ring = SlidingWindow::new(n, 11, n).unwrap();
    let windows: Vec<u16> = operands.iter().flat_map(|(_, public)| ring.operand(public).unwrap()).collect();
    let a = elements(n, operands.len(), 11, &mut random);
    let pairs = a.chunks(n).zip(&operands);
    let expected: Vec<u16> = pairs.flat_map(|(a, (dense, _))| cyclic(n, 11, a, dense)).collect();
    all(device, ring, &a, &windows) == Ok(expected)
}

/// Protects: fast convolution with a sliding window by a public operand; what is no operand of the ring is
/// refused.
#[test]
fn sliding_window() {
    for (n, device) in [32, 401, 449, 653, 853, 1536].into_iter().zip(devices(0).iter().cycle()) {
        assert!(window_products(n, device), "{n}");
    }
    for places in [[401, 3], [3, 3]] {
        assert!(PublicTernary::declare(401, places, []).is_err(), "{places:?}");
    }
    let [ring, sparse] = [401, 2].map(|weight| SlidingWindow::new(401, 11, weight).unwrap());
    assert!(ring.operand(&PublicTernary::declare(402, [1], []).unwrap()).is_err());
    assert!(sparse.operand(&PublicTernary::declare(401, [1, 9], [50]).unwrap()).is_err());
    let a = vec![0; 401];
    let wrong = all(&devices(0)[0], sparse, &a, &[18 * 401 + 1, 0]);
    assert_eq!(wrong, Err(GpuError::Range { bound: 18 * 401 + 1 }));
}

const PROPOSED: PrimeRoute = PrimeRoute::Interleaved { word: 64, form: Form::Proposed };

/// Protects: the comparisons above. A kernel with a mistake fails them on one of the two devices: by a
/// product, by a bound, by shared memory that is read too early.
#[test]
fn mutants() {
    type Check = fn(&Device) -> bool;
    let checks: [(u32, Check); 28] = [
        (1, |device| word_products(1024, 1_073_479_681, device)),
        (2, |device| word_products(2048, 49_201_153, device)),
        (3, |device| word_products(4096, 49_201_153, device)),
        (10, |device| cyclic_products(701, 13, CyclicRoute::Pairs, device)),
        (11, |device| cyclic_products(509, 11, CyclicRoute::Pairs, device)),
        (12, |device| cyclic_products(821, 12, CyclicRoute::Pairs, device)),
        (13, |device| sparse_products(401, device)),
        (14, |device| wide_products(701, 13, CyclicRoute::Pairs, device)),
        (15, |device| wide_by_one_key(401, 11, 3, device)),
        (40, |device| trinomial_products(761, 4591, CyclicRoute::Pairs, device)),
        (40, |device| trinomial_by_one_key(653, 4621, 3, device)),
        (41, |device| trinomial_products(857, 5167, CyclicRoute::Schoolbook, device)),
        (42, |device| trinomial_products(1277, 7879, CyclicRoute::Pairs, device)),
        (30, |device| short_products(12289, device)),
        (31, |device| short_products(12289, device)),
        (30, |device| word_products_by(1024, 12289, WordRoute::Tensor, device)),
        (32, |device| word_products_by(1024, 12289, WordRoute::Tensor, device)),
        (20, |device| interleaved_products(401, 32, Form::Proposed, device)),
        (60, |device| by_prepared(2048, 2_013_265_921, device)),
        (61, |device| by_prepared(1024, 49_201_153, device)),
        (62, |device| transformed(1499, 14, device)),
        (63, |device| transformed(401, 11, device)),
        (50, |device| issued(MIXES[0], device)),
        (21, |device| prime_products(1024, 536_813_569, PROPOSED, device)),
        (23, |device| window_products(401, device)),
        (24, |device| doubles_products(1024, 49_201_153, device)),
        (25, |device| doubles_products(2048, 49_201_153, device)),
        (22, |device| prime_products(1024, 49_201_153, PrimeRoute::Schoolbook, device)),
    ];
    for (mutant, check) in checks {
        assert!(devices(0).iter().all(check), "{mutant}: right");
        assert!(!devices(mutant).iter().all(check), "{mutant}: not caught");
    }
}
