//! NTRUEncrypt by its standard (EESS#1 v3.1), as libntru has it, and over a field, on lists of numbers: slow,
//! and nothing of it is the library's.
#![allow(dead_code, reason = "each test takes what it needs")]

use ringsmith_kem::pke::PublicKeyEncryption;
use ringsmith_ntruencrypt::{libntru, ntruprime739, *};
use ringsmith_oracle::Random;
use sha1::{Digest, Sha1};
use sha2::Sha256;

/// A parameter set.
#[derive(Clone, Copy)]
pub(crate) struct Set {
    pub(crate) scheme: &'static PublicKeyEncryption,
    pub(crate) n: usize,
    pub(crate) q: i64,
    /// Bits of a coefficient.
    pub(crate) bits: usize,
    /// Whether `x^n = x + 1`, and not 1.
    pub(crate) is_field: bool,
    /// Whether a public key is in mixed radix.
    pub(crate) is_radix: bool,
    /// The weights of `F`, of one part or of three.
    pub(crate) f: &'static [usize],
    pub(crate) g: usize,
    pub(crate) least: usize,
    pub(crate) random: usize,
    pub(crate) message: usize,
    c: usize,
    is_sha_1: bool,
    oid: [u8; 3],
    pub(crate) strength: usize,
    /// Blocks that libntru's index generator begins with; of the standard's sets none.
    blocks: Option<usize>,
}

/// Sets of all kinds: with trits, with a product, with indices; of SHA-1 and SHA-256; and libntru's.
/// Those over the field are the last two.
pub(crate) fn sets() -> [Set; 8] {
    let ternary = Set {
        scheme: &ees401ep1::SCHEME,
        n: 401,
        q: 2048,
        bits: 11,
        is_field: false,
        is_radix: false,
        f: &[113],
        g: 133,
        least: 113,
        random: 14,
        message: 60,
        c: 11,
        is_sha_1: true,
        oid: [0, 2, 4],
        strength: 14,
        blocks: None,
    };
    let product = Set {
        scheme: &ees439ep1::SCHEME,
        n: 439,
        f: &[9, 8, 5],
        g: 146,
        least: 112,
        random: 16,
        message: 65,
        c: 9,
        oid: [0, 3, 16],
        strength: 16,
        ..ternary
    };
    let listed = Set {
        scheme: &ees1087ep1::SCHEME,
        n: 1087,
        f: &[63],
        g: 362,
        least: 63,
        random: 24,
        message: 178,
        c: 13,
        is_sha_1: false,
        oid: [0, 5, 5],
        strength: 24,
        ..ternary
    };
    let other_random = Set {
        scheme: &ees443ep1::SCHEME,
        n: 443,
        f: &[9, 8, 5],
        g: 148,
        least: 115,
        random: 32,
        message: 49,
        c: 9,
        oid: [0, 3, 17],
        strength: 16,
        ..listed
    };
    let libntru_ternary = Set { scheme: &libntru::ees401ep1::SCHEME, blocks: Some(32), ..ternary };
    let libntru_product = Set { scheme: &libntru::ees439ep1::SCHEME, blocks: Some(15), ..product };
    let x998 = Set {
        scheme: &ntruprime739::x998::SCHEME,
        n: 739,
        q: 9829,
        bits: 14,
        is_field: true,
        f: &[202],
        g: 246,
        least: 202,
        random: 24,
        message: 113,
        c: 11,
        oid: [0, 7, 0x39],
        strength: 24,
        ..listed
    };
    let radix = Set { scheme: &ntruprime739::radix::SCHEME, is_radix: true, ..x998 };
    [ternary, product, listed, other_random, libntru_ternary, libntru_product, x998, radix]
}

/// Bits of bytes, each from the most significant on.
fn bits(bytes: &[u8]) -> impl Iterator<Item = u8> + '_ {
    bytes.iter().flat_map(|byte| (0..8).rev().map(move |i| byte >> i & 1))
}

/// A number of bits from the most significant on.
fn number(bits: &[u8]) -> usize {
    bits.iter().fold(0, |number, bit| 2 * number + usize::from(*bit))
}

/// Bytes of bits, each from the most significant on.
fn bytes_of(bits: &[u8]) -> Vec<u8> {
    bits.chunks(8).map(|byte| byte.iter().enumerate().map(|(i, bit)| bit << (7 - i)).sum()).collect()
}

/// The number -1, 0 or 1 that is congruent modulo 3.
pub(crate) fn centred_mod_3(x: i64) -> i64 {
    (x + 1).rem_euclid(3) - 1
}

/// What opening a ciphertext finds wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wrong {
    /// Bits behind the last coefficient of the ciphertext.
    Bits,
    /// Too few coefficients of a value.
    Least,
    /// A pair of coefficients that is no group of bits.
    Pair,
    /// The last coefficient, which has no place in the message.
    Last,
    /// A length that no message has.
    Length,
    /// Bytes behind the message.
    Padding,
    /// Another polynomial blinds it than the message gives.
    Blinding,
}

/// What a ciphertext holds.
pub(crate) struct Opened {
    pub(crate) message: Vec<u8>,
    pub(crate) wrong: Vec<Wrong>,
}

impl Set {
    fn hash(self, parts: &[&[u8]]) -> Vec<u8> {
        if self.is_sha_1 {
            Sha1::digest(parts.concat()).to_vec()
        } else {
            Sha256::digest(parts.concat()).to_vec()
        }
    }

    fn is_libntru(self) -> bool {
        self.blocks.is_some()
    }

    /// Bytes of an element.
    pub(crate) fn packed(self) -> usize {
        (self.bits * self.n).div_ceil(8)
    }

    /// An element as bytes; libntru's bits go the other way round.
    pub(crate) fn pack(self, a: &[i64]) -> Vec<u8> {
        let width = self.bits;
        let order = |i: usize| if self.is_libntru() { i } else { width - 1 - i };
        let bit = |x: &i64, i: usize| (x.rem_euclid(self.q) >> order(i) & 1) as u8;
        let bits: Vec<u8> = a.iter().flat_map(|x| (0..width).map(move |i| bit(x, i))).collect();
        self.bytes(&bits)
    }

    /// Bytes of bits in the order of the set.
    fn bytes(self, bits: &[u8]) -> Vec<u8> {
        let bytes = bytes_of(bits);
        if self.is_libntru() { bytes.into_iter().map(u8::reverse_bits).collect() } else { bytes }
    }

    /// The inverse.
    fn bits(self, bytes: &[u8]) -> Vec<u8> {
        let reversed: Vec<u8> = bytes.iter().map(|byte| byte.reverse_bits()).collect();
        bits(if self.is_libntru() { &reversed } else { bytes }).collect()
    }

    /// An element of bytes, and whether bits behind it are 0.
    pub(crate) fn unpack(self, bytes: &[u8]) -> (Vec<i64>, bool) {
        let bits = self.bits(bytes);
        let (used, unused) = bits.split_at(self.bits * self.n);
        let coefficient = |bits: &[u8]| {
            let mut bits = bits.to_vec();
            if self.is_libntru() {
                bits.reverse();
            }
            number(&bits) as i64
        };
        let numbers: Vec<i64> = used.chunks(self.bits).map(coefficient).collect();
        let good = unused.iter().all(|bit| *bit == 0) && numbers.iter().all(|x| *x < self.q);
        (numbers, good)
    }

    /// The element of a public key.
    pub(crate) fn h(self, public: &[u8]) -> Vec<i64> {
        if !self.is_radix {
            return self.unpack(self.packed_of(public)).0;
        }
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, byte| 256 * sum + i64::from(*byte));
        let digits = |x: i64| [x % self.q, x / self.q % self.q, x / self.q / self.q];
        public.chunks(5).flat_map(|bytes| digits(number(bytes))).take(self.n).collect()
    }

    /// `a b` in the ring, of an `a` with few coefficients.
    pub(crate) fn product(self, a: &[i64], b: &[i64]) -> Vec<i64> {
        let mut c = vec![0; self.n];
        for (i, x) in a.iter().enumerate().filter(|(_, x)| **x != 0) {
            for (j, y) in b.iter().enumerate() {
                c[(i + j) % self.n] += x * y;
                if self.is_field && i + j >= self.n {
                    c[i + j + 1 - self.n] += x * y;
                }
            }
        }
        c.into_iter().map(|x| x.rem_euclid(self.q)).collect()
    }

    /// A polynomial of its parts.
    pub(crate) fn combined(self, parts: &[Vec<i64>]) -> Vec<i64> {
        let [first, second, third] = parts else { return parts[0].clone() };
        let product = self.product(first, second).into_iter().map(|x| (x + self.q / 2) % self.q - self.q / 2);
        product.zip(third).map(|(x, y)| x + y).collect()
    }

    /// Candidates of a stream, as many as there are bits, of a message's seed.
    fn candidates(self, seed: &[u8]) -> Vec<usize> {
        const BLOCKS: usize = 200;
        let block = |z: &[u8], i: usize| match self.blocks {
            Some(_) => self.hash(&[z, &(i as u16).to_le_bytes()]),
            None => self.hash(&[z, &(i as u32).to_be_bytes()]),
        };
        let Some(first) = self.blocks else { return self.standard_candidates(seed) };
        // Groups of blocks, each read from its end; what is left of one is behind the next.
        let mut groups = vec![(0..first).flat_map(|i| block(seed, i)).collect::<Vec<u8>>()];
        groups.extend((first..BLOCKS).map(|i| block(seed, i)));
        let (mut left, mut found) = (Vec::new(), Vec::new());
        for group in groups {
            let backwards: Vec<u8> = group.into_iter().rev().collect();
            let all: Vec<u8> = bits(&backwards).chain(left).collect();
            let (whole, rest) = all.split_at(all.len() / self.c * self.c);
            found.extend(whole.chunks(self.c).map(number));
            left = rest.to_vec();
        }
        found
    }

    /// The same of the standard, of any seed.
    fn standard_candidates(self, seed: &[u8]) -> Vec<usize> {
        const BLOCKS: u32 = 200;
        let z = self.hash(&[seed]);
        let stream: Vec<u8> = (0..BLOCKS).flat_map(|i| self.hash(&[&z, &i.to_be_bytes()])).collect();
        let bits: Vec<u8> = bits(&stream).collect();
        bits.chunks_exact(self.c).map(number).collect()
    }

    /// Distinct indices of candidates.
    fn distinct(self, candidates: &mut impl Iterator<Item = usize>, count: usize) -> Vec<usize> {
        let limit = (1 << self.c) - (1 << self.c) % self.n;
        let mut found = Vec::new();
        while found.len() < count {
            let candidate = candidates.next().expect("enough candidates");
            let index = candidate % self.n;
            if candidate < limit && !found.contains(&index) {
                found.push(index);
            }
        }
        found
    }

    /// A polynomial with these values at indices, the first `ones` of which have the first value.
    fn polynomial(self, indices: &[usize], ones: usize, values: [i64; 2]) -> Vec<i64> {
        let mut a = vec![0; self.n];
        for (i, index) in indices.iter().enumerate() {
            a[*index] = values[usize::from(i >= ones)];
        }
        a
    }

    /// The parts of `F` of a seed, and their indices.
    pub(crate) fn f_of(self, seed: &[u8]) -> (Vec<Vec<i64>>, Vec<usize>) {
        let mut candidates = self.standard_candidates(seed).into_iter();
        let lists: Vec<_> = self.f.iter().map(|weight| self.distinct(&mut candidates, 2 * weight)).collect();
        let parts = lists.iter().zip(self.f).map(|(list, ones)| self.polynomial(list, *ones, [1, -1]));
        (parts.collect(), lists.concat())
    }

    /// `g` of a seed.
    pub(crate) fn g_of(self, seed: &[u8]) -> Vec<i64> {
        let ones = self.g + usize::from(!self.is_libntru());
        let list = self.distinct(&mut self.standard_candidates(seed).into_iter(), ones + self.g);
        self.polynomial(&list, ones, [1, -1])
    }

    /// What blinds a message.
    pub(crate) fn blinding(self, message: &[u8], random: &[u8], public: &[u8]) -> Vec<i64> {
        let packed = &self.pack(&self.h(public))[..self.strength];
        let mut candidates = self.candidates(&[&self.oid[..], message, random, packed].concat()).into_iter();
        let values = if self.is_libntru() { [-1, 1] } else { [1, -1] };
        let parts = self.f.iter().map(|weight| {
            let list = self.distinct(&mut candidates, 2 * weight);
            self.polynomial(&list, *weight, values)
        });
        self.combined(&parts.collect::<Vec<_>>())
    }

    /// The mask of `r h`.
    pub(crate) fn mask(self, product: &[i64]) -> Vec<i64> {
        let order = |i: usize| if self.is_libntru() { i } else { 1 - i };
        let bits: Vec<u8> =
            product.iter().flat_map(|x| (0..2).map(move |i| (x >> order(i) & 1) as u8)).collect();
        let z = self.hash(&[&self.bytes(&bits)]);
        let block = |i: u32| match self.is_libntru() {
            true => self.hash(&[&z, &(i as u16).to_be_bytes()]),
            false => self.hash(&[&z, &i.to_be_bytes()]),
        };
        let bytes = (0..).flat_map(block).filter(|byte| *byte < 243);
        let digits = bytes.flat_map(|byte| (0..5).map(move |i| i64::from(byte) / 3_i64.pow(i) % 3));
        digits.take(self.n).map(centred_mod_3).collect()
    }

    /// The coefficients of bytes of a message.
    pub(crate) fn coefficients(self, plain: &[u8]) -> Vec<i64> {
        let mut bits = self.bits(plain);
        bits.resize(3 * self.n, 0);
        let pair = |group: &[u8]| {
            let mut group = group.to_vec();
            if self.is_libntru() {
                group.reverse();
            }
            let x = number(&group) as i64;
            [x / 3, x % 3].map(centred_mod_3)
        };
        let mut all: Vec<i64> = bits.chunks(3).flat_map(pair).take(self.n).collect();
        if self.is_libntru() {
            all[self.n - 1] = 0;
        }
        all
    }

    /// Random bytes, a length, and what follows.
    pub(crate) fn plain(self, random: &[u8], length: usize, rest: &[u8]) -> Vec<u8> {
        let mut plain = [random, &[length as u8], rest].concat();
        plain.resize(self.random + 1 + self.message, 0);
        plain
    }

    /// `r h` plus a message's coefficients, masked; and those.
    pub(crate) fn sealed(self, public: &[u8], r: &[i64], message: &[i64]) -> (Vec<u8>, Vec<i64>) {
        let product = self.product(r, &self.h(public));
        let mask = self.mask(&product);
        let masked: Vec<i64> = message.iter().zip(mask).map(|(x, y)| centred_mod_3(x + y)).collect();
        let added = |x: i64| if self.is_libntru() { x.rem_euclid(3) } else { x };
        let sum: Vec<i64> = product.iter().zip(&masked).map(|(x, y)| x + added(*y)).collect();
        (self.pack(&sum), masked)
    }

    /// Whether there are as many coefficients of each value as there must be.
    pub(crate) fn is_balanced(self, masked: &[i64]) -> bool {
        [-1, 0, 1].iter().all(|value| masked.iter().filter(|x| *x == value).count() >= self.least)
    }

    /// A message's ciphertext with these random bytes; none where others are drawn.
    pub(crate) fn encrypt(self, public: &[u8], message: &[u8], random: &[u8]) -> Option<Vec<u8>> {
        let r = self.blinding(message, random, public);
        let coefficients = self.coefficients(&self.plain(random, message.len(), message));
        let (ciphertext, masked) = self.sealed(public, &r, &coefficients);
        self.is_balanced(&masked).then_some(ciphertext)
    }

    /// What is packed in a public key.
    pub(crate) fn packed_of(self, public: &[u8]) -> &[u8] {
        &public[public.len() - self.packed()..]
    }

    /// What a ciphertext holds, and all that is wrong with it, for `F`.
    pub(crate) fn open(self, public: &[u8], f: &[i64], ciphertext: &[u8]) -> Opened {
        let (e, good_bits) = self.unpack(ciphertext);
        let product = self.product(f, &e);
        let centred = |x: i64| (x + self.q / 2).rem_euclid(self.q) - self.q / 2;
        let masked: Vec<i64> =
            e.iter().zip(&product).map(|(e, p)| centred_mod_3(centred(e + 3 * p))).collect();
        let added = |x: i64| if self.is_libntru() { x.rem_euclid(3) } else { x };
        let blinded: Vec<i64> =
            e.iter().zip(&masked).map(|(e, m)| (e - added(*m)).rem_euclid(self.q)).collect();
        let mask = self.mask(&blinded);
        let message: Vec<i64> = masked.iter().zip(mask).map(|(x, y)| centred_mod_3(x - y)).collect();
        let mut wrong = Vec::new();
        let mut note = |is_wrong: bool, what: Wrong| wrong.extend(is_wrong.then_some(what));
        note(!good_bits, Wrong::Bits);
        note(!self.is_balanced(&masked), Wrong::Least);
        let (pairs, last) = message.split_at(self.n - 1);
        note(pairs.chunks(2).any(|pair| pair == [-1, -1]), Wrong::Pair);
        note(last != [0], Wrong::Last);
        let plain = self.bytes_of_pairs(pairs);
        let (random, rest) = plain.split_at(self.random);
        let length = usize::from(rest[0]);
        note(length > self.message, Wrong::Length);
        let length = if length > self.message { 0 } else { length };
        let (message, behind) = rest[1..].split_at(length);
        note(behind.iter().any(|byte| *byte != 0), Wrong::Padding);
        let r = self.blinding(message, random, public);
        note(self.product(&r, &self.h(public)) != blinded, Wrong::Blinding);
        Opened { message: message.to_vec(), wrong }
    }

    /// All bytes that pairs of coefficients are.
    fn bytes_of_pairs(self, pairs: &[i64]) -> Vec<u8> {
        let group = |pair: &[i64]| {
            let x = 3 * pair[0].rem_euclid(3) + pair[1].rem_euclid(3);
            let mut bits = [2, 1, 0].map(|i| (x >> i & 1) as u8);
            if self.is_libntru() {
                bits.reverse();
            }
            bits
        };
        self.bytes(&pairs.chunks(2).flat_map(group).collect::<Vec<_>>())
    }
}

/// A new public key and its private key, and what was drawn.
pub(crate) fn keys(scheme: &PublicKeyEncryption, seed: u64) -> [Vec<u8>; 3] {
    let (mut public, mut private) = (vec![0; scheme.public_key], vec![0; scheme.private_key]);
    let (mut random, mut drawn) = (Random::new(seed), vec![]);
    let mut rng = ringsmith_oracle::Generator(|bytes: &mut [u8]| {
        random.fill(bytes);
        drawn.extend_from_slice(bytes);
    });
    (scheme.generate)(ringsmith_simd::Cpu::detect(), &mut rng, &mut public, &mut private).expect("lengths");
    [public, private, drawn]
}

/// The message in a ciphertext.
pub(crate) fn decrypted(
    scheme: &PublicKeyEncryption,
    cpu: ringsmith_simd::Cpu,
    private: &[u8],
    ciphertext: &[u8],
) -> Result<Vec<u8>, ringsmith_kem::scheme::SchemeError> {
    const UNTOUCHED: u8 = 0xa5;
    let mut message = vec![UNTOUCHED; scheme.message];
    let length = (scheme.decrypt)(cpu, private, ciphertext, &mut message);
    if length.is_err() {
        assert!(message.iter().all(|byte| *byte == UNTOUCHED), "{}: something was written", scheme.name);
    }
    length.map(|length| message[..length].to_vec())
}

/// The backends, one after the other, without end.
pub(crate) fn in_turn() -> impl Iterator<Item = ringsmith_simd::Cpu> {
    ringsmith_simd::Cpu::available().collect::<Vec<_>>().into_iter().cycle()
}

/// What a call draws, one after the other.
pub(crate) fn drawing(pieces: &[Vec<u8>]) -> ringsmith_oracle::Generator<impl FnMut(&mut [u8])> {
    let mut pieces = pieces.iter();
    ringsmith_oracle::Generator(move |bytes: &mut [u8]| {
        bytes.copy_from_slice(pieces.next().expect("enough random bytes"));
    })
}
