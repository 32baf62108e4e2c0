//! Transforms of doubles.

use super::{all, devices, operands, words};
use ringsmith_gpu::{Device, PrimeRoute, Ring, WordBy};
use ringsmith_oracle::Random;

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

pub(crate) fn doubles_products(n: usize, p: u64, device: &Device) -> bool {
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
pub(crate) fn doubles() {
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
