//! The routes of a paper without transforms.

use super::{all, cyclic, devices, elements, operands, words};
use ringsmith_gpu::{
    Device, Form, GpuError, Interleaved, PrimeRoute, PublicTernary, SlidingWindow, Sparse, WordBy,
};
use ringsmith_oracle::Random;

pub(crate) fn interleaved_products(n: usize, word: usize, form: Form, device: &Device) -> bool {
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

pub(crate) fn prime_products(n: usize, p: u64, route: PrimeRoute, device: &Device) -> bool {
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

pub(crate) fn sparse_products(n: usize, device: &Device) -> bool {
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

/// A ternary element, and the places of its coefficients 1 and -1.
pub(crate) fn ternary(n: usize, coefficient: impl FnMut(usize) -> i64) -> (Vec<i64>, PublicTernary) {
    let dense: Vec<i64> = (0..n).map(coefficient).collect();
    let places = |sign| (0..n).filter(|at| dense[*at] == sign).collect::<Vec<_>>();
    let public = PublicTernary::declare(n, places(1), places(-1)).unwrap();
    (dense, public)
}

/// By random operands, by all ones and minus ones, of which windows are full, by one at the end, and by 0.
pub(crate) fn window_products(n: usize, device: &Device) -> bool {
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
