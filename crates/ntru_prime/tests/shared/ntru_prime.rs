//! NTRU Prime by its specification (round 3), on lists of numbers: slow, and nothing of it is the library's.

use aes::Aes256;
use aes::cipher::{KeyIvInit, StreamCipher};
use ctr::Ctr128BE;
use ringsmith_kem::scheme::Scheme;
use ringsmith_ntru_prime::SCHEMES;
use ringsmith_oracle::{Ring, Shape, centred, product};
use sha2::{Digest, Sha512};

/// Moduli from here on give bytes off.
const LIMIT: u32 = 16384;

/// What becomes of two neighbours' moduli: the bytes that they give off, and the rest.
fn merged(pair: &[u32]) -> (usize, u32) {
    let (mut bytes, mut m) = (0, pair[0] * pair[1]);
    while m >= LIMIT {
        (bytes, m) = (bytes + 1, m.div_ceil(256));
    }
    (bytes, m)
}

/// Bytes of a number that is alone.
fn bytes_of(mut m: u32) -> usize {
    let mut bytes = 0;
    while m > 1 {
        (bytes, m) = (bytes + 1, m.div_ceil(256));
    }
    bytes
}

/// The moduli of the next level.
fn next(m: &[u32]) -> Vec<u32> {
    m.chunks(2).map(|pair| if pair.len() == 2 { merged(pair).1 } else { pair[0] }).collect()
}

/// `Encode(R, M)` of numbers below their moduli.
pub(crate) fn encode(r: &[u32], m: &[u32]) -> Vec<u8> {
    if let ([r], [m]) = (r, m) {
        return r.to_le_bytes()[..bytes_of(*m)].to_vec();
    }
    let (mut out, mut rest) = (Vec::new(), Vec::new());
    for (r, m) in r.chunks(2).zip(m.chunks(2)) {
        let (bytes, mut x) = (if m.len() == 2 { merged(m).0 } else { 0 }, r[0]);
        if m.len() == 2 {
            x += m[0] * r[1];
        }
        out.extend(&x.to_le_bytes()[..bytes]);
        rest.push(x >> (8 * bytes));
    }
    out.extend(encode(&rest, &next(m)));
    out
}

/// `Decode(S, M)` of any bytes.
pub(crate) fn decode(s: &[u8], m: &[u32]) -> Vec<u32> {
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |x, byte| (x << 8) | u32::from(*byte));
    if let [m] = m {
        return vec![number(s) % m];
    }
    let (mut low, mut s) = (Vec::new(), s);
    for pair in m.chunks_exact(2) {
        let (bytes, rest) = s.split_at(merged(pair).0);
        low.push(bytes);
        s = rest;
    }
    let above = decode(s, &next(m));
    let pairs = m.chunks_exact(2).zip(low).zip(&above).flat_map(|((pair, low), above)| {
        let r = number(low) + (above << (8 * low.len()));
        [r % pair[0], r / pair[0] % pair[1]]
    });
    pairs.chain(above.last().copied().filter(|_| m.len() % 2 == 1)).collect()
}

/// The modulus of the number that is left at the end, and its bytes, which are the last.
fn root(m: &[u32]) -> (u32, usize) {
    match m {
        [m] => (*m, bytes_of(*m)),
        _ => root(&next(m)),
    }
}

/// Other bytes that are decoded to the same numbers: the last ones are read modulo their modulus.
pub(crate) fn aliases(bytes: &[u8], m: &[u32]) -> Vec<Vec<u8>> {
    let (modulus, length) = root(m);
    let (before, last) = bytes.split_at(bytes.len() - length);
    let value = last.iter().rev().fold(0, |x, byte| (x << 8) | u32::from(*byte));
    assert!(value < modulus, "the bytes are no encoding themselves");
    let others = (1..).map(|i| value + i * modulus).take_while(|x| *x < 1 << (8 * length));
    others.map(|x| [before, &x.to_le_bytes()[..length]].concat()).collect()
}

/// Bytes in which the numbers of one level are the largest ones, and all bytes below that level are ones, for
/// each level: no numbers encode to them, and quotients are as large as they can be.
pub(crate) fn largest(m: &[u32]) -> Vec<Vec<u8>> {
    let (mut m, mut below, mut all) = (m.to_vec(), 0, Vec::new());
    loop {
        let most: Vec<u32> = m.iter().map(|m| m - 1).collect();
        all.push([vec![0xff; below], encode(&most, &m)].concat());
        if m.len() == 1 {
            return all;
        }
        below += m.chunks_exact(2).map(|pair| merged(pair).0).sum::<usize>();
        m = next(&m);
    }
}

/// The first half of SHA-512 of a byte and of what follows.
pub(crate) fn hash(byte: u8, parts: &[&[u8]]) -> Vec<u8> {
    let hash = Sha512::new_with_prefix([byte]).chain_update(parts.concat());
    hash.finalize()[..32].to_vec()
}

/// A parameter set.
#[derive(Clone, Copy)]
pub(crate) struct Set {
    pub(crate) streamlined: bool,
    pub(crate) p: usize,
    q: u32,
    w: usize,
    tau: [i128; 4],
}

/// Degree, modulus, both weights, and what makes four bits of a coefficient.
const TABLE: [(usize, u32, [usize; 2], [i128; 4]); 6] = [
    (653, 4621, [288, 252], [2175, 113, 2031, 290]),
    (761, 4591, [286, 250], [2156, 114, 2007, 287]),
    (857, 5167, [322, 281], [2433, 101, 2265, 324]),
    (953, 6343, [396, 345], [2997, 82, 2798, 400]),
    (1013, 7177, [448, 392], [3367, 73, 3143, 449]),
    (1277, 7879, [492, 429], [3724, 66, 3469, 496]),
];

/// All twelve, with the library's schemes.
pub(crate) fn sets() -> impl Iterator<Item = (&'static Scheme, Set)> {
    let of = |(i, family): (usize, &'static str)| {
        TABLE.map(|(p, q, w, tau)| {
            let scheme =
                SCHEMES.into_iter().find(|it| it.name == format!("{family}{p}")).expect("a listed scheme");
            (scheme, Set { streamlined: i == 0, p, q, w: w[i], tau })
        })
    };
    ["sntrup", "ntrulpr"].into_iter().enumerate().flat_map(of)
}

impl Set {
    /// The moduli of an element's coefficients.
    pub(crate) fn full(self) -> Vec<u32> {
        vec![self.q; self.p]
    }

    /// The same of a rounded element, in thirds.
    pub(crate) fn rounded(self) -> Vec<u32> {
        vec![(self.q - 1) / 3 + 1; self.p]
    }

    /// The moduli of what stands in a public key, and the bytes before it.
    pub(crate) fn of_public_key(self) -> (usize, Vec<u32>) {
        if self.streamlined { (0, self.full()) } else { (32, self.rounded()) }
    }

    /// Bytes of a ciphertext's parts: a rounded element, the four bits of NTRU LPRime's message, and the hash
    /// that confirms it.
    pub(crate) fn parts(self, ciphertext: usize) -> Vec<usize> {
        if self.streamlined { vec![ciphertext - 32, 32] } else { vec![ciphertext - 160, 128, 32] }
    }

    fn half(self) -> i128 {
        i128::from(self.q / 2)
    }

    /// An element, centred.
    pub(crate) fn decode_full(self, bytes: &[u8]) -> Vec<i128> {
        decode(bytes, &self.full()).into_iter().map(|x| i128::from(x) - self.half()).collect()
    }

    /// A rounded element, centred.
    pub(crate) fn decode_rounded(self, bytes: &[u8]) -> Vec<i128> {
        decode(bytes, &self.rounded()).into_iter().map(|x| 3 * i128::from(x) - self.half()).collect()
    }

    /// The bytes of the nearest multiples of 3.
    pub(crate) fn encode_rounded(self, a: &[i128]) -> Vec<u8> {
        let nearest = |x: &i128| x - ((x + 1).rem_euclid(3) - 1);
        let thirds: Vec<u32> = a.iter().map(|x| ((nearest(x) + self.half()) / 3) as u32).collect();
        encode(&thirds, &self.rounded())
    }

    /// `a b`, centred.
    pub(crate) fn product(self, a: &[i128], b: &[i128]) -> Vec<i128> {
        let q = i128::from(self.q);
        let ring = Ring { q, n: self.p, shape: Shape::PrimeTrinomial };
        product(ring, a, b).into_iter().map(|x| centred(x, q)).collect()
    }

    /// The short element of random bytes.
    pub(crate) fn short(self, bytes: &[u8]) -> Vec<i128> {
        let mut numbers: Vec<u32> = bytes.as_chunks().0.iter().map(|x| u32::from_le_bytes(*x)).collect();
        for (i, x) in numbers.iter_mut().enumerate() {
            *x = if i < self.w { *x & !1 } else { (*x & 0xffff_fffd) | 1 };
        }
        numbers.sort_unstable();
        numbers.into_iter().map(|x| i128::from(x & 3) - 1).collect()
    }

    /// As many bytes of AES-256 in counter mode as an element takes.
    fn stream(self, seed: &[u8]) -> Vec<u8> {
        let (mut stream, seed) = (vec![0; 4 * self.p], <[u8; 32]>::try_from(seed).expect("a seed"));
        Ctr128BE::<Aes256>::new(&seed.into(), &[0; 16].into()).apply_keystream(&mut stream);
        stream
    }

    /// The uniform element of a seed.
    pub(crate) fn uniform(self, seed: &[u8]) -> Vec<i128> {
        let number = |x: &[u8; 4]| i128::from(u32::from_le_bytes(*x) % self.q) - self.half();
        self.stream(seed).as_chunks().0.iter().map(number).collect()
    }

    /// How many random bytes a ciphertext takes.
    pub(crate) fn random_bytes(self) -> usize {
        if self.streamlined { 4 * self.p } else { 32 }
    }

    /// The ciphertext of random bytes, and the shared key in it.
    pub(crate) fn encapsulate(self, public: &[u8], random: &[u8]) -> [Vec<u8>; 2] {
        let (body, secret) = if self.streamlined {
            let r = self.short(random);
            let body = self.encode_rounded(&self.product(&self.decode_full(public), &r));
            (body, hash(3, &[&encode_small(&r)]))
        } else {
            (self.body_of_message(public, random), random.to_vec())
        };
        let tag = hash(2, &[&secret, &hash(4, &[public])]);
        let ciphertext = [body, tag].concat();
        let shared = hash(1, &[&secret, &ciphertext]);
        [ciphertext, shared]
    }

    /// NTRU LPRime: the rounded element and the four bits of each bit of a message.
    fn body_of_message(self, public: &[u8], message: &[u8]) -> Vec<u8> {
        let (seed, rounded) = public.split_at(32);
        let b = self.short(&self.stream(&hash(5, &[message])));
        let body = self.encode_rounded(&self.product(&self.uniform(seed), &b));
        let product = self.product(&self.decode_rounded(rounded), &b);
        let top = |i: usize| {
            let bit = i128::from((message[i / 8] >> (i % 8)) & 1);
            let c = centred(product[i] + bit * self.half(), i128::from(self.q));
            ((self.tau[1] * (c + self.tau[0]) + 16384) >> 15) as u8
        };
        let tops: Vec<u8> = (0..128).map(|i| top(2 * i) + 16 * top(2 * i + 1)).collect();
        [body, tops].concat()
    }
}

/// Coefficients -1, 0, 1 in two bits each.
pub(crate) fn encode_small(a: &[i128]) -> Vec<u8> {
    let byte = |four: &[i128]| four.iter().rev().fold(0, |byte, x| (byte << 2) | (x + 1) as u8);
    a.chunks(4).map(byte).collect()
}

/// So many of them.
pub(crate) fn decode_small(bytes: &[u8], count: usize) -> Vec<i128> {
    (0..count).map(|i| i128::from((bytes[i / 4] >> (2 * (i % 4))) & 3) - 1).collect()
}
