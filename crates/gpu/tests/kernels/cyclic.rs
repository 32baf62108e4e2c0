//! Products modulo `x^n - 1` and a power of two.

use super::{all, cyclic, devices, elements};
use ringsmith_gpu::{Batch, Cyclic, CyclicRoute, Device, Operand, Output, Transform};
use ringsmith_oracle::Random;

/// Pairs: random, the greatest by the least, one coefficient at the end.
pub(crate) fn pairs(n: usize, bits: u32, random: &mut Random) -> (Vec<u16>, Vec<i8>) {
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

pub(crate) fn expected(n: usize, bits: u32, a: &[u16], b: &[i8]) -> Vec<u16> {
    let wide: Vec<i64> = b.iter().map(|x| i64::from(*x)).collect();
    a.chunks(n).zip(wide.chunks(n)).flat_map(|(a, b)| cyclic(n, bits, a, b)).collect()
}

pub(crate) fn by(n: usize, bits: u32, route: CyclicRoute) -> Cyclic {
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

pub(crate) fn cyclic_products(n: usize, bits: u32, route: CyclicRoute, device: &Device) -> bool {
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

pub(crate) fn wide_products(n: usize, bits: u32, route: CyclicRoute, device: &Device) -> bool {
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

/// Products of any elements by one, of an odd number by one of the greatest coefficients, by blocks for parts
/// of the columns.
pub(crate) fn wide_by_one_key(n: usize, bits: u32, (count, parts): (usize, u32), device: &Device) -> bool {
    let (most, mut random) = ((1u16 << bits) - 1, Random::new(5));
    let key = if count.is_multiple_of(2) { elements(n, 1, bits, &mut random) } else { vec![most; n] };
    let mut messages = elements(n, count, bits, &mut random);
    messages[..n].fill(most);
    let mut out = vec![0; n * count];
    let mut batch = Batch::new(device, wide_by(n, bits, CyclicRoute::OneKeyParts(parts)), 1 << 20).unwrap();
    batch.multiply(&Operand::One(&key), &Operand::Host(&messages), Output::Host(&mut out)).unwrap();
    out == wide_expected(n, bits, &key.repeat(count), &messages)
}

/// Protects: products of many large messages by one key.
#[test]
fn wide_one_key() {
    let degrees = [(32, 14), (33, 8), (401, 11), (509, 14), (512, 7), (701, 13), (821, 12)];
    for (at, (n, bits)) in degrees.into_iter().enumerate() {
        let count = if n < 450 { 70 } else { 3 };
        for parts in [1, [2 + at as u32, u32::MAX][at / 2 % 2]] {
            let right = wide_by_one_key(n, bits, (count - at % 2, parts), &devices(0)[at % 2]);
            assert!(right, "{n} {bits} {parts}");
        }
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

pub(crate) fn transformed(n: usize, bits: u32, device: &Device) -> bool {
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

/// The products of messages by one of these elements, by blocks for parts of the columns.
pub(crate) fn by_one_key(n: usize, bits: u32, (count, parts): (usize, u32), device: &Device) -> bool {
    let mut random = Random::new(3);
    let (a, _) = pairs(n, bits, &mut random);
    let key = if count.is_multiple_of(2) { &a[..n] } else { &a[n..2 * n] };
    let messages: Vec<i8> = (0..n * count).map(|_| random.word() as i8).collect();
    let mut out = vec![0; n * count];
    let mut batch = Batch::new(device, by(n, bits, CyclicRoute::OneKeyParts(parts)), 1 << 20).unwrap();
    batch.multiply(&Operand::One(key), &Operand::Host(&messages), Output::Host(&mut out)).unwrap();
    out == expected(n, bits, &key.repeat(count), &messages)
}

/// Protects: products of many messages by one key, whose last block is not full, in one part, and in several
/// or as many as there are.
#[test]
fn one_key() {
    let chosen = DEGREES.into_iter().filter(|(n, _)| ![1229, 1373, 1536].contains(n));
    for (at, (n, bits)) in chosen.enumerate() {
        let count = if n < 450 { 70 } else { 3 };
        for parts in [1, [2 + at as u32 / 2, u32::MAX][at / 2 % 2]] {
            let right = by_one_key(n, bits, (count - at % 2, parts), &devices(0)[at % 2]);
            assert!(right, "{n} {bits} {parts}");
        }
    }
}
