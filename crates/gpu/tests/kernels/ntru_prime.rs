//! Products modulo `x^p - x - 1`.

use super::{all, devices};
use ringsmith_gpu::{Batch, CyclicRoute, Device, NtruPrime, Operand, Output};
use ringsmith_ntru_prime::rings;
use ringsmith_oracle::Random;
use ringsmith_ring::{Multiplier, Poly, Routes};

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

pub(crate) fn trinomial_products(p: usize, q: u32, route: CyclicRoute, device: &Device) -> bool {
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
pub(crate) fn ntru_prime() {
    assert_eq!(LIBRARY.map(|(p, _)| p), NtruPrime::SETS.map(|(p, _)| p));
    for (at, (p, q)) in NtruPrime::SETS.into_iter().chain(TRINOMIALS).enumerate() {
        for (order, route) in [CyclicRoute::Pairs, CyclicRoute::Schoolbook].into_iter().enumerate() {
            assert!(trinomial_products(p, q, route, &devices(0)[(at + order) % 2]), "{p} {q} {route:?}");
        }
    }
}

/// Products of messages by one key: of an even number by the greatest coefficients, of an odd one by any.
pub(crate) fn trinomial_by_one_key(p: usize, q: u32, (count, parts): (usize, u32), device: &Device) -> bool {
    let mut random = Random::new(11);
    let any = (0..p).map(|_| (random.word() % u64::from(q)) as u16).collect();
    let key = if count.is_multiple_of(2) { vec![(q - 1) as u16; p] } else { any };
    let mut messages: Vec<i8> = (0..p * count).map(|_| random.word() as i8).collect();
    messages[..p].fill(i8::MIN);
    let mut out = vec![0; p * count];
    let ring = NtruPrime::new(p, q).unwrap().by(CyclicRoute::OneKeyParts(parts));
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
        for parts in [1, [2 + at as u32, u32::MAX][at / 2 % 2]] {
            let right = trinomial_by_one_key(p, q, (count - at % 2, parts), &devices(0)[at % 2]);
            assert!(right, "{p} {q} {parts}");
        }
    }
}
