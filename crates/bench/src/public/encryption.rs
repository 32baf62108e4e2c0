//! NTRUEncrypt as EESS#1 v3.1 has it, with the polynomial `r` that blinds a message in the open, so that its
//! product may be by any method. Nothing of it is constant time, and nothing is cleared.
//!
//! Its ciphertexts are the library's, of the same message and randomness: the tests hold that. Hashing,
//! sampling and packing are the same code whatever the method, so that encryptions differ in the product
//! alone.

use super::convolution::{Method, Walk};
use super::{Places, Public};
use ringsmith::ntruencrypt::{ees401ep1, ees449ep1, ees653ep1, ees853ep1};
use ringsmith::pke::PublicKeyEncryption;
use ringsmith_oracle::Random;
use ringsmith_ring::{Coefficients, Entry, Multiplier, Poly, Ring, Small};
use ringsmith_simd::Cpu;
use sha1::Sha1;
use sha2::{Digest, Sha256};

/// The hash of a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hash {
    Sha1,
    Sha256,
}

/// The numbers of a parameter set.
pub struct Set {
    /// The library's set.
    pub scheme: &'static PublicKeyEncryption,
    /// The degree.
    n: usize,
    /// Coefficients 1 in `r`, and as many -1.
    weight: usize,
    /// Least coefficients of each value in a masked message.
    least: usize,
    /// Random bytes before a message.
    random: usize,
    /// Most bytes of a message.
    pub message: usize,
    /// Bits of a candidate for an index.
    c: u32,
    hash: Hash,
    oid: [u8; 3],
    /// Bytes of the public key that are hashed.
    strength: usize,
}

/// The sets of the paper.
pub static SETS: [Set; 4] = [
    Set {
        scheme: &ees401ep1::SCHEME,
        n: 401,
        weight: 113,
        least: 113,
        random: 14,
        message: 60,
        c: 11,
        hash: Hash::Sha1,
        oid: [0, 2, 4],
        strength: 14,
    },
    Set {
        scheme: &ees449ep1::SCHEME,
        n: 449,
        weight: 134,
        least: 134,
        random: 16,
        message: 67,
        c: 9,
        hash: Hash::Sha1,
        oid: [0, 3, 3],
        strength: 16,
    },
    Set {
        scheme: &ees653ep1::SCHEME,
        n: 653,
        weight: 194,
        least: 194,
        random: 24,
        message: 97,
        c: 11,
        hash: Hash::Sha256,
        oid: [0, 5, 3],
        strength: 24,
    },
    Set {
        scheme: &ees853ep1::SCHEME,
        n: 853,
        weight: 268,
        least: 268,
        random: 32,
        message: 126,
        c: 10,
        hash: Hash::Sha256,
        oid: [0, 6, 3],
        strength: 32,
    },
];

/// Bits of a coefficient.
pub(crate) const Q_BITS: usize = 11;

/// Bytes of a hash, from MGF1: the hash of a seed, and blocks of that with a counter.
struct Stream {
    hash: Hash,
    z: [u8; 32],
    counter: u32,
    block: [u8; 32],
    used: usize,
}

impl Hash {
    /// Bytes of a digest.
    const fn size(self) -> usize {
        match self {
            Hash::Sha1 => 20,
            Hash::Sha256 => 32,
        }
    }

    /// The hash of parts, zeroes behind it.
    fn digest(self, parts: &[&[u8]]) -> [u8; 32] {
        fn of<D: Digest>(parts: &[&[u8]], out: &mut [u8]) {
            let mut hash = D::new();
            parts.iter().for_each(|part| hash.update(part));
            out.copy_from_slice(&hash.finalize());
        }
        let mut out = [0; 32];
        match self {
            Hash::Sha1 => of::<Sha1>(parts, &mut out[..20]),
            Hash::Sha256 => of::<Sha256>(parts, &mut out),
        }
        out
    }
}

impl Stream {
    fn new(hash: Hash, seed: &[&[u8]]) -> Self {
        Stream { hash, z: hash.digest(seed), counter: 0, block: [0; 32], used: hash.size() }
    }

    fn byte(&mut self) -> u8 {
        if self.used == self.hash.size() {
            self.block = self.hash.digest(&[&self.z[..self.used], &self.counter.to_be_bytes()]);
            self.counter += 1;
            self.used = 0;
        }
        self.used += 1;
        self.block[self.used - 1]
    }
}

/// Bits behind each other, each number from its most significant one on.
struct Bits {
    held: u64,
    count: u32,
}

impl Bits {
    const NONE: Bits = Bits { held: 0, count: 0 };

    fn push(&mut self, number: u64, bits: u32) {
        self.held = self.held << bits | number;
        self.count += bits;
    }

    fn pop(&mut self, bits: u32) -> u64 {
        self.count -= bits;
        let number = self.held >> self.count;
        self.held &= (1 << self.count) - 1;
        number
    }
}

/// Packs numbers of so many bits.
fn pack(numbers: impl Iterator<Item = u64>, bits: u32, out: &mut [u8]) {
    let (mut left, mut bytes) = (Bits::NONE, out.iter_mut());
    let mut write = |left: &mut Bits| {
        if let Some(byte) = bytes.next() {
            *byte = left.pop(8) as u8;
        }
    };
    for number in numbers {
        left.push(number, bits);
        while left.count >= 8 {
            write(&mut left);
        }
    }
    if left.count > 0 {
        left.push(0, 8 - left.count);
        write(&mut left);
    }
}

/// Numbers of so many bits.
fn unpack(bytes: &[u8], bits: u32) -> impl Iterator<Item = u64> + '_ {
    let (mut left, mut bytes) = (Bits::NONE, bytes.iter());
    std::iter::from_fn(move || {
        while left.count < bits {
            left.push(u64::from(*bytes.next()?), 8);
        }
        Some(left.pop(bits))
    })
}

/// -1, 0 or 1 of 2, 0 or 1 more than a multiple of 3.
const fn centred(x: u8) -> i8 {
    [0, 1, -1][x as usize % 3]
}

impl Set {
    /// The degree.
    #[cfg(feature = "gpu")]
    pub(crate) const fn degree(&self) -> usize {
        self.n
    }

    /// How many coefficients of `r` are 1, and how many -1.
    #[cfg(feature = "gpu")]
    pub(crate) const fn weight(&self) -> usize {
        self.weight
    }

    /// Bytes of an element.
    const fn packed(&self) -> usize {
        (Q_BITS * self.n).div_ceil(8)
    }

    /// A new public key.
    pub fn public_key(&self, random: &mut Random) -> Vec<u8> {
        let (mut public, mut private) = (vec![0; self.scheme.public_key], vec![0; self.scheme.private_key]);
        (self.scheme.generate)(Cpu::detect(), random, &mut public, &mut private).expect("lengths");
        public
    }

    /// The polynomial of a seed: distinct places, those of 1 first.
    pub fn places(&self, seed: &[u8]) -> Places {
        let (mut places, mut taken) = (Places::default(), vec![false; self.n]);
        self.fill_places(&[seed], &mut taken, &mut places);
        places
    }

    fn fill_places(&self, seed: &[&[u8]], taken: &mut [bool], places: &mut Places) {
        let (mut stream, mut bits) = (Stream::new(self.hash, seed), Bits::NONE);
        let all = 1 << self.c;
        let limit = all - all % self.n;
        taken.fill(false);
        places.plus.clear();
        places.minus.clear();
        while places.minus.len() < self.weight {
            while bits.count < self.c {
                bits.push(u64::from(stream.byte()), 8);
            }
            let candidate = bits.pop(self.c) as usize;
            let index = candidate % self.n;
            if candidate < limit && !std::mem::replace(&mut taken[index], true) {
                let is_first = places.plus.len() < self.weight;
                (if is_first { &mut places.plus } else { &mut places.minus }).push(index);
            }
        }
    }

    /// The mask of `r h`, by its coefficients modulo 4.
    fn mask(&self, modulo_4: &[u8], out: &mut [i8]) {
        let mut stream = Stream::new(self.hash, &[modulo_4]);
        for five in out.chunks_mut(5) {
            let mut byte = stream.byte();
            while byte >= 243 {
                byte = stream.byte();
            }
            for digit in five {
                *digit = centred(byte);
                byte /= 3;
            }
        }
    }
}

/// How `r h` is computed.
pub enum Way<R: Ring> {
    /// By a route, in constant time.
    Route(&'static Entry<R>),
    /// By a list of places.
    Walk(Method),
}

impl<R: Ring> Clone for Way<R> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<R: Ring> Copy for Way<R> {}

/// A public key with the memory of encryptions.
pub struct Encryption<R: Ring> {
    cpu: Cpu,
    set: &'static Set,
    h: Poly<R>,
    /// The beginning of `h` as it is packed.
    start: Vec<u8>,
    r: Public<Places>,
    walk: Walk,
    small: Small<R>,
    product: Poly<R>,
    scratch: R::Scratch,
    taken: Vec<bool>,
    plain: Vec<u8>,
    mask: Vec<i8>,
    modulo_4: Vec<u8>,
}

impl<R: Ring> Encryption<R> {
    /// Of an encoded public key.
    pub fn new(cpu: Cpu, set: &'static Set, public: &[u8]) -> Self {
        assert_eq!(R::N, set.n, "another ring");
        let packed = &public[public.len() - set.packed()..];
        let h: Vec<i64> = unpack(packed, Q_BITS as u32).take(set.n).map(|x| x as i64).collect();
        Encryption {
            cpu,
            set,
            h: Poly::new(&h).expect("numbers below the modulus"),
            start: packed[..set.strength].to_vec(),
            r: Public::declare(Places::default()),
            walk: Walk::new::<R>(cpu),
            small: Small::zero(),
            product: Poly::zero(),
            scratch: ringsmith_ring::Workspace::new(),
            taken: vec![false; set.n],
            plain: vec![0; set.random + 1 + set.message],
            mask: vec![0; set.n],
            modulo_4: vec![0; set.n.div_ceil(4)],
        }
    }

    /// Writes a ciphertext of a message. Draws its random bytes by one call, and again as long as a masked
    /// message has too few coefficients of a value.
    pub fn encrypt(&mut self, way: Way<R>, message: &[u8], random: &mut Random, out: &mut [u8]) {
        loop {
            self.draw(message, random);
            self.blind(way);
            if self.mask() {
                return self.pack(out);
            }
        }
    }

    /// Draws the random bytes of a message, and makes `r` of both.
    pub(crate) fn draw(&mut self, message: &[u8], random: &mut Random) {
        let (set, plain) = (self.set, &mut self.plain);
        random.fill(&mut plain[..set.random]);
        plain[set.random] = message.len() as u8;
        plain[set.random + 1..].fill(0);
        plain[set.random + 1..][..message.len()].copy_from_slice(message);
        let seed: [&[u8]; 4] = [&set.oid, message, &plain[..set.random], &self.start];
        set.fill_places(&seed, &mut self.taken, &mut self.r.0);
    }

    /// `r h`.
    fn blind(&mut self, way: Way<R>) {
        match way {
            Way::Walk(method) => self.walk.product(method, &self.h, &self.r, &mut self.product),
            Way::Route(entry) => {
                let (words, Public(places)) =
                    (self.small.coeffs_mut().rows_mut().as_flattened_mut(), &self.r);
                words.fill(0);
                places.plus.iter().for_each(|i| words[*i] = 1);
                places.minus.iter().for_each(|i| words[*i] = -1);
                let by = Multiplier::by_on(self.cpu, entry);
                by.multiply_small_into(&self.h, &self.small, &mut self.product, &mut self.scratch);
            }
        }
    }

    /// Masks the message by `r h`; whether each value has enough coefficients.
    pub(crate) fn mask(&mut self) -> bool {
        let low = self.product.centred().iter().map(|x| (x & 3) as u64);
        pack(low, 2, &mut self.modulo_4);
        self.set.mask(&self.modulo_4, &mut self.mask);
        self.add_message();
        let count = |x| self.mask.iter().filter(|y| **y == x).count();
        [-1, 0, 1].iter().all(|x| count(*x) >= self.set.least)
    }

    /// Writes the sum of `r h` and the masked message.
    pub(crate) fn pack(&self, out: &mut [u8]) {
        let sum = self.product.centred().iter().zip(&self.mask).map(|(x, m)| x + i16::from(*m));
        pack(sum.map(|x| (x & (R::Q - 1) as i16) as u64), Q_BITS as u32, out);
    }

    /// `h`, canonical.
    #[cfg(feature = "gpu")]
    pub(crate) fn key(&self) -> Vec<u16> {
        self.h.canonical().map(|x| x as u16).collect()
    }

    /// What was drawn: the message with its random bytes, and `r`.
    #[cfg(feature = "gpu")]
    pub(crate) fn drawn(&self) -> (&[u8], &Places) {
        (&self.plain, self.r.get())
    }

    /// Goes on with what was drawn, and `r h` as it was computed elsewhere.
    #[cfg(feature = "gpu")]
    pub(crate) fn resume(&mut self, plain: &[u8], product: &[u16]) {
        self.plain.copy_from_slice(plain);
        let product: Vec<i64> = product.iter().map(|x| i64::from(*x)).collect();
        self.product = Poly::new(&product).expect("numbers below the modulus");
    }

    /// Adds the coefficients of a message to its mask, modulo 3: two for three bits.
    fn add_message(&mut self) {
        let groups = unpack(&self.plain, 3).chain(self.last_group()).chain(std::iter::repeat(0));
        for (two, group) in self.mask.chunks_mut(2).zip(groups) {
            for (digit, x) in two.iter_mut().zip([group / 3, group % 3]) {
                let sum = *digit + centred(x as u8);
                *digit = centred(sum.rem_euclid(3) as u8);
            }
        }
    }

    /// The last bits of a message where they are no whole group, and zeroes behind them.
    fn last_group(&self) -> Option<u64> {
        let bits = 8 * self.plain.len() % 3;
        let last = u64::from(*self.plain.last()?) & ((1 << bits) - 1);
        (bits > 0).then_some(last << (3 - bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringsmith_routes::rings::{Ees401, Ees449, Ees653, Ees853};
    use ringsmith_routes::{EveryRoute, entries};

    fn check<R: EveryRoute>(set: &'static Set) {
        let public = set.public_key(&mut Random::new(5));
        let walks = Method::ALL.into_iter().map(Way::Walk);
        let ways: Vec<_> = walks.chain(entries::<R>().map(Way::Route)).collect();
        let mut encryption = Encryption::<R>::new(Cpu::detect(), set, &public);
        for length in [0, 1, 7, set.message] {
            let message: Vec<u8> = (0..length).map(|i| 255 - i as u8).collect();
            let (mut expected, mut out) = (vec![0; set.scheme.ciphertext], vec![0; set.scheme.ciphertext]);
            let seed = Random::new(length as u64);
            (set.scheme.encrypt)(Cpu::detect(), &public, &message, &mut seed.clone(), &mut expected).unwrap();
            for way in &ways {
                out.fill(0);
                encryption.encrypt(*way, &message, &mut seed.clone(), &mut out);
                assert!(out == expected, "{}, {length} bytes", set.scheme.name);
            }
        }
    }

    /// Protects: what is measured is the scheme: ciphertexts are the library's, of the same randomness,
    /// by every method.
    #[test]
    fn ciphertexts_are_the_librarys() {
        let [first, second, third, fourth] = &SETS;
        check::<Ees401>(first);
        check::<Ees449>(second);
        check::<Ees653>(third);
        check::<Ees853>(fourth);
    }
}
