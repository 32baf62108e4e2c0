//! Every kernel at every size against the CPU, random and worst operands; and that mistakes in kernels are
//! seen.

use ringsmith_gpu::{
    Batch, Cyclic, CyclicRoute, Device, Emulated, Faults, Form, GpuError, Interleaved, Operand, Output,
    PublicTernary, Ring, Short, SlidingWindow, Sparse, Word, WordBy, WordRoute,
};
use ringsmith_oracle::Random;
use ringsmith_word::WordRing;
use std::sync::Arc;

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
    let mut random = Random::new(p);
    let (a, mut b) = (operands(n, p, &mut random), operands(n, p, &mut random));
    b[2 * n..].rotate_left(n / 2);
    let got = all(device, Word::new(n, p).unwrap(), &a, &b);
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

fn short_products(q: u64, device: &Device) -> bool {
    let mut random = Random::new(q);
    let (a, mut b) = (operands(1024, q, &mut random), operands(1024, q, &mut random));
    b[2048..].rotate_left(512);
    let expected: Vec<u16> = words(1024, q, &a, &b).into_iter().map(|x| x as u16).collect();
    let [a, b] = [a, b].map(|all| all.into_iter().map(|x| x as u16).collect::<Vec<_>>());
    all(device, Short::new(q).unwrap(), &a, &b) == Ok(expected)
}

/// Protects: negacyclic products on tensor cores, whose tables are checked for sums of more than 32 bits.
#[test]
fn short() {
    assert!(devices(0).iter().all(|device| short_products(12289, device)));
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

fn prime_products(n: usize, p: u64, route: WordRoute, device: &Device) -> bool {
    let mut random = Random::new(n as u64);
    let (a, mut b) = (operands(n, p, &mut random), operands(n, p, &mut random));
    b[2 * n..].rotate_left(n / 2);
    let mut expected = words(n, p, &a, &b);
    if matches!(route, WordRoute::Interleaved { form: Form::OriginalUnfinished, .. }) {
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
    let by = |word| forms.map(|form| (word, WordRoute::Interleaved { word, form }));
    let routes: Vec<_> = [1, 8, 16, 32, 64].into_iter().flat_map(by).collect();
    for (at, (word, route)) in routes.into_iter().chain([(64, WordRoute::Schoolbook)]).enumerate() {
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
    all(device, WordBy::new(n, p, WordRoute::Doubles).unwrap(), &a, &b) == Ok(words(n, p, &a, &b))
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
    assert!(WordBy::new(1024, 536_813_569, WordRoute::Doubles).is_err());
}

/// Protects: the constants of these transforms are roots of unity: of node 1 the root of `i`, and of two
/// children the roots of what is above and of its negative.
#[test]
fn constants_of_doubles() {
    for n in [1024, 2048, 4096] {
        let ring = WordBy::new(n, 49_201_153, WordRoute::Doubles).unwrap();
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

const PROPOSED: WordRoute = WordRoute::Interleaved { word: 64, form: Form::Proposed };

/// Protects: the comparisons above. A kernel with a mistake fails them on one of the two devices: by a
/// product, by a bound, by shared memory that is read too early.
#[test]
fn mutants() {
    type Check = fn(&Device) -> bool;
    let checks: [(u32, Check); 15] = [
        (1, |device| word_products(1024, 1_073_479_681, device)),
        (2, |device| word_products(2048, 49_201_153, device)),
        (3, |device| word_products(4096, 49_201_153, device)),
        (10, |device| cyclic_products(701, 13, CyclicRoute::Pairs, device)),
        (11, |device| cyclic_products(509, 11, CyclicRoute::Pairs, device)),
        (12, |device| cyclic_products(821, 12, CyclicRoute::Pairs, device)),
        (13, |device| sparse_products(401, device)),
        (30, |device| short_products(12289, device)),
        (31, |device| short_products(12289, device)),
        (20, |device| interleaved_products(401, 32, Form::Proposed, device)),
        (21, |device| prime_products(1024, 536_813_569, PROPOSED, device)),
        (23, |device| window_products(401, device)),
        (24, |device| doubles_products(1024, 49_201_153, device)),
        (25, |device| doubles_products(2048, 49_201_153, device)),
        (22, |device| prime_products(1024, 49_201_153, WordRoute::Schoolbook, device)),
    ];
    for (mutant, check) in checks {
        assert!(devices(0).iter().all(check), "{mutant}: right");
        assert!(!devices(mutant).iter().all(check), "{mutant}: not caught");
    }
}
