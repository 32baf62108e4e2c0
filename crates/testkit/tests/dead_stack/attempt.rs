//! What attempts at a signature with ML-DSA compute with, by the definition: FIPS 204, algorithm 7.
//!
//! The values of an element are those at the powers `2 brv(p) + 1` of `zeta`, one by one.

use ringsmith_hash::{Shake128, Shake256};
use ringsmith_simd::Cpu;

/// Coefficients of an element.
pub(crate) const N: usize = 256;
const Q: i64 = 8_380_417;
/// Of order 512.
const ZETA: i64 = 1753;

/// A set: FIPS 204, table 1.
#[derive(Clone, Copy)]
pub(crate) struct Facts {
    pub(crate) k: usize,
    pub(crate) l: usize,
    pub(crate) eta: i64,
    /// Of a coefficient of the secret.
    pub(crate) bits: usize,
    /// The same of the mask, whose coefficients are at most `2^(mask_bits - 1)`.
    pub(crate) mask_bits: usize,
    /// Bytes of the challenge's hash.
    pub(crate) ctilde: usize,
    pub(crate) tau: usize,
    pub(crate) gamma2: i64,
    /// Of a coefficient of the high part.
    pub(crate) high_bits: usize,
}

/// So many bytes of a hash.
pub(crate) fn hash(cpu: Cpu, parts: &[&[u8]], bytes: usize) -> Vec<u8> {
    let mut out = vec![0; bytes];
    parts.iter().fold(Shake256::new_on(cpu), |hash, part| hash.absorb(part)).reader().squeeze(&mut out);
    out
}

/// An encoded element: each coefficient is `top` less a number of so many bits.
pub(crate) fn unpack(encoded: &[u8], bits: usize, top: i64) -> Vec<i64> {
    let bit = |at: usize| i64::from(encoded[at / 8] >> (at % 8) & 1);
    (0..N).map(|i| top - (0..bits).map(|b| bit(i * bits + b) << b).sum::<i64>()).collect()
}

/// Numbers of so many bits as bytes.
pub(crate) fn pack(numbers: &[i64], bits: usize) -> Vec<u8> {
    let mut out = vec![0; numbers.len() * bits / 8];
    for at in 0..numbers.len() * bits {
        out[at / 8] |= (numbers[at / bits] >> (at % bits) & 1) as u8 * (1 << (at % 8));
    }
    out
}

/// The powers of `zeta`.
fn powers() -> Vec<i64> {
    (0..512).scan(1, |x, _| Some(std::mem::replace(x, *x * ZETA % Q))).collect()
}

/// The power whose value stands at a place.
fn exponent(place: usize) -> usize {
    2 * usize::from((place as u8).reverse_bits()) + 1
}

fn values(powers: &[i64], element: &[i64]) -> Vec<i64> {
    let value = |p| element.iter().enumerate().map(|(i, x)| x * powers[exponent(p) * i % 512]).sum::<i64>();
    (0..N).map(|p| value(p).rem_euclid(Q)).collect()
}

/// The element of values, in `[0, q)`.
fn element(powers: &[i64], values: &[i64]) -> Vec<i64> {
    let power = |p: usize, i: usize| powers[(512 - exponent(p) * i % 512) % 512];
    let sum = |i| values.iter().enumerate().map(|(p, v)| v * power(p, i)).sum::<i64>() % Q;
    // 256^-1 is -(q - 1)/256.
    (0..N).map(|i| (sum(i) * (Q - (Q - 1) / 256)) % Q).collect()
}

/// The product of two elements over the integers, modulo `x^256 + 1`.
fn product(c: &[i64], x: &[i64]) -> Vec<i64> {
    let mut out = vec![0; N];
    for (i, c) in c.iter().enumerate().filter(|(_, c)| **c != 0) {
        for (j, x) in x.iter().enumerate() {
            let sign = if i + j < N { 1 } else { -1 };
            out[(i + j) % N] += sign * c * x;
        }
    }
    out
}

fn sum(x: &[i64], y: &[i64], sign: i64) -> Vec<i64> {
    x.iter().zip(y).map(|(x, y)| x + sign * y).collect()
}

/// An element of the matrix, in the domain: algorithm 30.
fn uniform(cpu: Cpu, rho: &[u8], [row, column]: [usize; 2]) -> Vec<i64> {
    let mut bytes = vec![0; 168 * 8];
    Shake128::new_on(cpu).absorb(rho).absorb(&[column as u8, row as u8]).reader().squeeze(&mut bytes);
    let numbers =
        bytes.chunks(3).map(|b| i64::from(b[0]) + (i64::from(b[1]) << 8) + (i64::from(b[2] & 127) << 16));
    numbers.filter(|x| *x < Q).take(N).collect()
}

/// The challenge: algorithm 29.
fn in_ball(cpu: Cpu, tau: usize, ctilde: &[u8]) -> Vec<i64> {
    let bytes = hash(cpu, &[ctilde], 1024);
    let (mut c, mut next) = (vec![0; N], bytes[8..].iter().map(|byte| usize::from(*byte)));
    for (sign, i) in (N - tau..N).enumerate() {
        let j = next.find(|j| *j <= i).expect("enough bytes");
        c[i] = c[j];
        c[j] = 1 - 2 * i64::from(bytes[sign / 8] >> (sign % 8) & 1);
    }
    c
}

/// The high and the low part: algorithm 36.
fn decompose(r: i64, gamma2: i64) -> (i64, i64) {
    let low = (r + gamma2 - 1).rem_euclid(2 * gamma2) - gamma2 + 1;
    if r - low == Q - 1 { (0, low - 1) } else { ((r - low) / (2 * gamma2), low) }
}

/// An attempt. Elements by themselves.
pub(crate) struct Attempt {
    pub(crate) mask: Vec<Vec<i64>>,
    pub(crate) w: Vec<Vec<i64>>,
    pub(crate) low: Vec<Vec<i64>>,
    pub(crate) ctilde: Vec<u8>,
    pub(crate) cs1: Vec<Vec<i64>>,
    pub(crate) cs2: Vec<Vec<i64>>,
    pub(crate) ct0: Vec<Vec<i64>>,
    /// `y + c s1`.
    pub(crate) response: Vec<Vec<i64>>,
    /// The low part less `c s2`.
    pub(crate) rest: Vec<Vec<i64>>,
}

/// A private key, taken apart.
pub(crate) struct Key {
    facts: Facts,
    cpu: Cpu,
    powers: Vec<i64>,
    matrix: Vec<Vec<i64>>,
    pub(crate) s1: Vec<Vec<i64>>,
    pub(crate) s2: Vec<Vec<i64>>,
    pub(crate) t0: Vec<Vec<i64>>,
}

impl Key {
    pub(crate) fn new(facts: Facts, cpu: Cpu, private: &[u8]) -> Self {
        let Facts { k, l, eta, bits, .. } = facts;
        let places = (0..k).flat_map(|row| (0..l).map(move |column| [row, column]));
        let matrix = places.map(|place| uniform(cpu, &private[..32], place)).collect();
        let (secret, t0) = private[128..].split_at((k + l) * 32 * bits);
        let mut s1: Vec<_> = secret.chunks(32 * bits).map(|bytes| unpack(bytes, bits, eta)).collect();
        let s2 = s1.split_off(l);
        let t0 = t0.chunks(32 * 13).map(|bytes| unpack(bytes, 13, 1 << 12)).collect();
        Key { facts, cpu, powers: powers(), matrix, s1, s2, t0 }
    }

    /// The attempt with these masks, encoded.
    pub(crate) fn attempt(&self, masks: &[Vec<u8>], mu: &[u8]) -> Attempt {
        let (Facts { k, l, mask_bits, gamma2, high_bits, .. }, cpu) = (self.facts, self.cpu);
        let mask: Vec<_> = masks.iter().map(|bytes| unpack(bytes, mask_bits, 1 << (mask_bits - 1))).collect();
        let of_mask: Vec<_> = mask.iter().map(|y| values(&self.powers, y)).collect();
        let row = |i: usize| {
            let entry =
                |p: usize| (0..l).map(|j| self.matrix[i * l + j][p] * of_mask[j][p] % Q).sum::<i64>() % Q;
            element(&self.powers, &(0..N).map(entry).collect::<Vec<_>>())
        };
        let w: Vec<_> = (0..k).map(row).collect();
        let part = |of: fn((i64, i64)) -> i64| -> Vec<Vec<i64>> {
            w.iter().map(|w| w.iter().map(|r| of(decompose(*r, gamma2))).collect()).collect()
        };
        let (high, low) = (part(|parts| parts.0), part(|parts| parts.1));
        let encoded: Vec<u8> = high.iter().flat_map(|high| pack(high, high_bits)).collect();
        let ctilde = hash(cpu, &[mu, &encoded], self.facts.ctilde);
        let c = in_ball(cpu, self.facts.tau, &ctilde);
        let products = |x: &[Vec<i64>]| x.iter().map(|x| product(&c, x)).collect::<Vec<_>>();
        let sums = |x: &[Vec<i64>], y: &[Vec<i64>], sign| {
            x.iter().zip(y).map(|(x, y)| sum(x, y, sign)).collect::<Vec<_>>()
        };
        let [cs1, cs2, ct0] = [&self.s1, &self.s2, &self.t0].map(|x| products(x));
        let (response, rest) = (sums(&mask, &cs1, 1), sums(&low, &cs2, -1));
        Attempt { mask, w, low, ctilde, cs1, cs2, ct0, response, rest }
    }
}
