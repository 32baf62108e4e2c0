//! NTRU by its specification (round 3), on lists of numbers: slow, and nothing of it is the library's.
#![allow(dead_code, reason = "each test takes what it needs")]

use ringsmith_kem::scheme::Scheme;
use ringsmith_ntru::SCHEMES;
use ringsmith_oracle::{Ring, Shape, product};
use ringsmith_simd::Cpu;
use sha3::{Digest, Sha3_256};

/// A parameter set.
#[derive(Clone, Copy)]
pub(crate) struct Set {
    pub(crate) n: usize,
    pub(crate) q: i128,
    /// Whether it is one of NTRU-HPS.
    pub(crate) hps: bool,
}

/// Every set, with its scheme.
pub(crate) fn sets() -> [(&'static Scheme, Set); 6] {
    let sets = [(509, 2048), (677, 2048), (821, 4096), (1229, 4096), (701, 8192), (1373, 16384)];
    let set = |i: usize| Set { n: sets[i].0, q: sets[i].1, hps: i < 4 };
    std::array::from_fn(|i| (SCHEMES[i], set(i)))
}

/// The number from `-q / 2` on that is congruent.
pub(crate) fn centred(x: i128, q: i128) -> i128 {
    (x + q / 2).rem_euclid(q) - q / 2
}

/// What a ciphertext holds.
pub(crate) struct Opened {
    pub(crate) r: Vec<i128>,
    pub(crate) m: Vec<i128>,
    /// Bits of the last byte that are no coefficient's.
    pub(crate) unused: u8,
}

impl Set {
    pub(crate) fn bits(self) -> usize {
        self.q.ilog2() as usize
    }

    /// Coefficients of an element of the fixed type that are not 0.
    pub(crate) fn weight(self) -> usize {
        (self.q / 8 - 2) as usize
    }

    pub(crate) fn small_bytes(self) -> usize {
        (self.n - 1).div_ceil(5)
    }

    /// `a b` modulo `x^n - 1` and a number.
    fn product_modulo(self, q: i128, a: &[i128], b: &[i128]) -> Vec<i128> {
        let c = product(Ring { q, n: self.n, shape: Shape::Cyclic }, a, b);
        c.into_iter().map(|x| centred(x, q)).collect()
    }

    /// `a b` modulo `x^n - 1` and `q`.
    pub(crate) fn product(self, a: &[i128], b: &[i128]) -> Vec<i128> {
        self.product_modulo(self.q, a, b)
    }

    /// Modulo `1 + x + .. + x^(n-1)` and a number.
    pub(crate) fn modulo_phi(self, q: i128, a: &[i128]) -> Vec<i128> {
        a.iter().map(|x| centred(x - a[self.n - 1], q)).collect()
    }

    /// Numbers of some bits, one behind the other.
    fn numbers(bytes: &[u8], bits: usize, count: usize) -> Vec<i128> {
        let bit = |i: usize| i128::from(bytes[i / 8] >> (i % 8) & 1);
        (0..count).map(|i| (0..bits).map(|b| bit(i * bits + b) << b).sum()).collect()
    }

    /// All coefficients but the top one, which is 0.
    pub(crate) fn decode_modulo_phi(self, bytes: &[u8]) -> Vec<i128> {
        let mut a = Self::numbers(bytes, self.bits(), self.n - 1);
        a.push(0);
        a
    }

    /// All coefficients but the top one: their sum is 0.
    pub(crate) fn decode_of_sum_zero(self, bytes: &[u8]) -> Vec<i128> {
        let mut a = self.decode_modulo_phi(bytes);
        a[self.n - 1] = centred(-a.iter().sum::<i128>(), self.q);
        a
    }

    pub(crate) fn encode(self, a: &[i128]) -> Vec<u8> {
        let mut out = vec![0; (self.bits() * (self.n - 1)).div_ceil(8)];
        for (i, x) in a[..self.n - 1].iter().enumerate() {
            for b in 0..self.bits() {
                let at = i * self.bits() + b;
                out[at / 8] |= ((x >> b & 1) as u8) << (at % 8);
            }
        }
        out
    }

    pub(crate) fn decode_ternary(self, bytes: &[u8]) -> Vec<i128> {
        let digit = |i: usize| i128::from(bytes[i / 5]) / 3_i128.pow((i % 5) as u32) % 3;
        (0..self.n).map(|i| if i < self.n - 1 { centred(digit(i), 3) } else { 0 }).collect()
    }

    pub(crate) fn encode_ternary(self, a: &[i128]) -> Vec<u8> {
        let digits = |five: &[i128]| five.iter().rev().fold(0, |sum, x| 3 * sum + x.rem_euclid(3)) as u8;
        a[..self.n - 1].chunks(5).map(digits).collect()
    }

    /// Bytes modulo 3.
    fn independent(self, bytes: &[u8]) -> Vec<i128> {
        let coefficient = |byte: &u8| centred(i128::from(byte % 3), 3);
        bytes[..self.n - 1].iter().map(coefficient).chain([0]).collect()
    }

    /// As many ones as minus ones.
    fn fixed(self, bytes: &[u8]) -> Vec<i128> {
        let numbers = Self::numbers(bytes, 30, self.n - 1);
        let mark = |i: usize| if i < self.weight() / 2 { 1 } else { 2 * i128::from(i < self.weight()) };
        let mut words: Vec<i32> = (0..self.n - 1).map(|i| ((numbers[i] << 2) | mark(i)) as i32).collect();
        words.sort_unstable();
        words.iter().map(|x| [0, 1, -1][(x & 3) as usize]).chain([0]).collect()
    }

    /// The same, its coefficients of even powers negated where the products of neighbours sum to less than 0.
    fn not_negatively_correlated(self, bytes: &[u8]) -> Vec<i128> {
        let a = self.independent(bytes);
        let sum: i128 = a.windows(2).map(|pair| pair[0] * pair[1]).sum();
        a.iter().enumerate().map(|(i, x)| if sum < 0 && i % 2 == 0 { -x } else { *x }).collect()
    }

    /// `f` and `g` of the randomness of a key.
    pub(crate) fn sample_key(self, bytes: &[u8]) -> [Vec<i128>; 2] {
        let (first, second) = bytes.split_at(self.n - 1);
        match self.hps {
            true => [self.independent(first), self.fixed(second)],
            false => [first, second].map(|bytes| self.not_negatively_correlated(bytes)),
        }
    }

    /// `r` and `m` of the randomness of a ciphertext.
    pub(crate) fn sample_message(self, bytes: &[u8]) -> [Vec<i128>; 2] {
        let (first, second) = bytes.split_at(self.n - 1);
        [self.independent(first), if self.hps { self.fixed(second) } else { self.independent(second) }]
    }

    /// `1 / (x - 1)` modulo 3 and `Phi = 1 + x + .. + x^(n-1)`: `(x - 1) (sum of i x^i) = n - Phi`, and `n`
    /// is -1.
    fn inverse_of_x_less_1(self) -> Vec<i128> {
        assert_eq!(self.n % 3, 2);
        (0..self.n as i128).map(|i| -i % 3).collect()
    }

    pub(crate) fn lift(self, m: &[i128]) -> Vec<i128> {
        if self.hps {
            return m.to_vec();
        }
        let quotient = self.product_modulo(3, m, &self.inverse_of_x_less_1());
        let quotient = self.modulo_phi(3, &quotient);
        (0..self.n).map(|i| quotient[(i + self.n - 1) % self.n] - quotient[i]).collect()
    }

    /// `r h + Lift(m)` and the key in it.
    pub(crate) fn encrypt(self, public: &[u8], r: &[i128], m: &[i128]) -> [Vec<u8>; 2] {
        let c: Vec<i128> = self.product(r, &self.decode_of_sum_zero(public));
        let c: Vec<i128> = c.iter().zip(self.lift(m)).map(|(x, y)| x + y).collect();
        [self.encode(&c), hash(&[&self.encode_ternary(r), &self.encode_ternary(m)])]
    }

    /// What a ciphertext holds, whatever it is.
    pub(crate) fn open(self, private: &[u8], ciphertext: &[u8]) -> Opened {
        let (f, rest) = private.split_at(self.small_bytes());
        let (f_inverse, rest) = rest.split_at(self.small_bytes());
        let [f, f_inverse] = [f, f_inverse].map(|bytes| self.decode_ternary(bytes));
        let h_inverse = self.decode_modulo_phi(&rest[..rest.len() - 32]);
        let c = self.decode_of_sum_zero(ciphertext);
        let m = self.modulo_phi(3, &self.product(&c, &f));
        let m = self.modulo_phi(3, &self.product_modulo(3, &m, &f_inverse));
        let b: Vec<i128> = c.iter().zip(self.lift(&m)).map(|(x, y)| x - y).collect();
        let r = self.modulo_phi(self.q, &self.product(&b, &h_inverse));
        let used = self.bits() * (self.n - 1) - 8 * (ciphertext.len() - 1);
        let unused = u16::from(*ciphertext.last().unwrap_or(&0)) >> used;
        Opened { r, m, unused: unused as u8 }
    }
}

impl Opened {
    pub(crate) fn r_is_ternary(&self) -> bool {
        self.r.iter().all(|x| (-1..=1).contains(x))
    }

    /// How many ones `m` has, and how many minus ones.
    pub(crate) fn type_of_m(&self) -> [usize; 2] {
        [1, -1].map(|value| self.m.iter().filter(|x| **x == value).count())
    }
}

pub(crate) fn hash(parts: &[&[u8]]) -> Vec<u8> {
    Sha3_256::digest(parts.concat()).to_vec()
}

/// The key of a rejected ciphertext.
pub(crate) fn rejected_key(private: &[u8], ciphertext: &[u8]) -> Vec<u8> {
    hash(&[&private[private.len() - 32..], ciphertext])
}

/// A new public key and its private key.
pub(crate) fn keys(scheme: &Scheme, seed: u64) -> [Vec<u8>; 2] {
    let (mut public, mut private) = (vec![0; scheme.public_key], vec![0; scheme.private_key]);
    let rng = &mut ringsmith_oracle::Random::new(seed);
    (scheme.generate)(Cpu::detect(), rng, &mut public, &mut private).expect("lengths");
    [public, private]
}

/// The shared key in a ciphertext.
pub(crate) fn decapsulated(scheme: &Scheme, cpu: Cpu, private: &[u8], ciphertext: &[u8]) -> Vec<u8> {
    let mut shared = vec![0; scheme.shared_key];
    (scheme.decapsulate)(cpu, private, ciphertext, &mut shared).expect("a key");
    shared
}
