//! Noise of schemes over (module) learning with errors, drawn from seeds.
//!
//! # The model
//! With `s`, `e` of the private key, `r`, `e1`, `e2` of a ciphertext, all centred binomial, a uniform matrix
//! `A`, and `compress` to bits and back,
//!
//! ```text
//! t = A s + e     u = compress(A^T r + e1)     v = compress(t^T r + e2 + floor(q/2) m)
//! noise = v - s^T u - floor(q/2) m             centred
//! ```
//!
//! A bit of the message stands in `copies` coefficients, `n / copies` apart, and is read wrongly where the
//! distances of these from `floor(q/2)` say another bit. Hashes are left out: noise is random, not
//! pseudo-random.
//!
//! # Source
//! FIPS 203, algorithms 13 to 15; E. Alkim et al., NewHope, algorithm specifications, round 2; E. Alkim,
//! Y. A. Bilgin, M. Cenk, *Compact and simple RLWE based key encapsulation mechanism* (LATINCRYPT 2019).

use ringsmith::any::{Expression, Operands, Ring, RingError, Room};
use ringsmith::{Cpu, compiled};
use ringsmith_oracle::Random;

/// What noise depends on.
#[derive(Clone)]
pub(crate) struct Model {
    /// The ring.
    pub(crate) ring: Expression,
    /// The rank of the module.
    pub(crate) rank: usize,
    /// The distribution of `s`, `e` and `r`.
    pub(crate) eta: u32,
    /// That of `e1` and `e2`.
    pub(crate) eta_ciphertext: u32,
    /// The bits of `u` and `v`; 0 where they are not compressed.
    pub(crate) bits: [u32; 2],
    /// How many coefficients a bit stands in.
    pub(crate) copies: usize,
}

/// A scheme's model: name, ring, rank, both etas, bits of `u` and `v`, copies.
type Row = (&'static str, &'static str, usize, [u32; 2], [u32; 2], usize);

/// The schemes.
const SCHEMES: [Row; 10] = [
    ("ML-KEM-512", "Z_3329[x]/(x^256+1)", 2, [3, 2], [10, 4], 1),
    ("ML-KEM-768", "Z_3329[x]/(x^256+1)", 3, [2, 2], [10, 4], 1),
    ("ML-KEM-1024", "Z_3329[x]/(x^256+1)", 4, [2, 2], [11, 5], 1),
    ("NewHope-CPA-512", "Z_12289[x]/(x^512+1)", 1, [8, 8], [0, 3], 2),
    ("NewHope-CPA-1024", "Z_12289[x]/(x^1024+1)", 1, [8, 8], [0, 3], 4),
    ("NewHope-CCA-512", "Z_12289[x]/(x^512+1)", 1, [8, 8], [0, 3], 2),
    ("NewHope-CCA-1024", "Z_12289[x]/(x^1024+1)", 1, [8, 8], [0, 3], 4),
    ("NewHope-Compact-512", "Z_3329[x]/(x^512+1)", 1, [2, 2], [0, 3], 2),
    ("NewHope-Compact-768", "Z_3457[x]/(x^768-x^384+1)", 1, [2, 2], [0, 4], 3),
    ("NewHope-Compact-1024", "Z_3329[x]/(x^1024+1)", 1, [2, 2], [0, 4], 4),
];

impl Model {
    /// That of a scheme.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let found = SCHEMES.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name));
        let (_, ring, rank, [eta, eta_ciphertext], bits, copies) = *found?;
        Some(Model { ring: ring.parse().ok()?, rank, eta, eta_ciphertext, bits, copies })
    }

    /// The names of those that there are.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        SCHEMES.iter().map(|(name, ..)| *name)
    }

    /// What draws.
    pub(crate) fn draws(&self, cpu: Cpu) -> Result<Draws<'_>, RingError> {
        let (Expression { q, f }, any) = (&self.ring, Operands::any());
        let ring = Ring::with_compiled(cpu, *q, f, any, compiled::table())?;
        let room = ring.room()?;
        Ok(Draws { model: self, ring, room })
    }
}

/// A ring, and its memory.
pub(crate) struct Draws<'a> {
    model: &'a Model,
    ring: Ring,
    room: Room,
}

/// An element, or a vector of elements.
type Element = Vec<u64>;
type Vector = Vec<Element>;

impl Draws<'_> {
    /// The noise of a seed, centred, and how many bits of the message are read wrongly.
    pub(crate) fn noise(&mut self, seed: u64) -> Result<(Vec<i64>, u64), RingError> {
        let Model { rank, eta, eta_ciphertext, bits, .. } = *self.model;
        let mut random = Random::new(seed);
        let matrix: Vec<Vector> =
            (0..rank).map(|_| self.vector(rank, |of| of.uniform(&mut random))).collect();
        let [s, e, r] = [(); 3].map(|()| self.vector(rank, |of| of.binomial(eta, &mut random)));
        let mut u = self.vector(rank, |of| of.binomial(eta_ciphertext, &mut random));
        let mut v = self.binomial(eta_ciphertext, &mut random);
        let message: Vec<u64> = self.message(&mut random);
        let mut t = e;
        for (i, row) in matrix.iter().enumerate() {
            for (j, a) in row.iter().enumerate() {
                self.add_product(a, &s[j], &mut t[i])?;
                self.add_product(a, &r[i], &mut u[j])?;
            }
        }
        t.iter().zip(&r).try_for_each(|(t, r)| self.add_product(t, r, &mut v))?;
        self.add(&mut v, &message);
        u.iter_mut().for_each(|u| self.compress(bits[0], u));
        self.compress(bits[1], &mut v);
        let minus: Vector = s.iter().map(|s| s.iter().map(|x| (self.q() - x) % self.q()).collect()).collect();
        u.iter().zip(&minus).try_for_each(|(u, s)| self.add_product(u, s, &mut v))?;
        Ok((self.apart(&v, &message), self.wrong(&v, &message)))
    }

    fn q(&self) -> u64 {
        self.ring.modulus()
    }

    fn vector(&self, rank: usize, mut element: impl FnMut(&Self) -> Element) -> Vector {
        (0..rank).map(|_| element(self)).collect()
    }

    /// Uniform, but for less than `2^-64 q` of a value's probability.
    fn uniform(&self, random: &mut Random) -> Element {
        let scaled = |x: u64| ((u128::from(x) * u128::from(self.q())) >> 64) as u64;
        (0..self.ring.degree()).map(|_| scaled(random.word())).collect()
    }

    /// Differences of the numbers of ones in `eta` bits, at most 32, each.
    fn binomial(&self, eta: u32, random: &mut Random) -> Element {
        let (q, mask) = (self.q(), (1_u64 << eta) - 1);
        let ones = |x: u64| u64::from((x & mask).count_ones());
        // Nothing below 0, however small q is.
        let one = |word: u64| (32 * q + ones(word) - ones(word >> 32)) % q;
        (0..self.ring.degree()).map(|_| one(random.word())).collect()
    }

    /// Random bits, each `copies` times, as 0 or `floor(q/2)`.
    fn message(&self, random: &mut Random) -> Element {
        let (n, copies) = (self.ring.degree(), self.model.copies);
        let bits: Vec<u64> = (0..n / copies).map(|_| (random.word() >> 63) * (self.q() / 2)).collect();
        (0..n).map(|i| bits[i % bits.len()]).collect()
    }

    fn add(&self, sum: &mut Element, x: &Element) {
        let q = self.q();
        sum.iter_mut().zip(x).for_each(|(sum, x)| *sum = (*sum + x) % q);
    }

    fn add_product(&mut self, a: &Element, b: &Element, sum: &mut Element) -> Result<(), RingError> {
        let mut product = vec![0; a.len()];
        self.ring.product(a, b, &mut product, &mut self.room)?;
        self.add(sum, &product);
        Ok(())
    }

    /// To so many bits and back.
    fn compress(&self, bits: u32, x: &mut Element) {
        let q = u128::from(self.q());
        let rounded = |x: u64| {
            let compressed = (((u128::from(x) << bits) + q / 2) / q) & ((1 << bits) - 1);
            (((compressed * q + (1 << bits >> 1)) >> bits) % q) as u64
        };
        if bits > 0 {
            x.iter_mut().for_each(|x| *x = rounded(*x));
        }
    }

    /// `x - y`, centred.
    fn apart(&self, x: &[u64], y: &[u64]) -> Vec<i64> {
        let q = self.q();
        let centred = |x: u64| if x > (q - 1) / 2 { x as i64 - q as i64 } else { x as i64 };
        x.iter().zip(y).map(|(x, y)| centred((x + q - y) % q)).collect()
    }

    /// How many bits are read wrongly.
    fn wrong(&self, v: &[u64], message: &[u64]) -> u64 {
        let (q, copies) = (self.q(), self.model.copies as u64);
        let count = v.len() / self.model.copies;
        let distance = |place: usize| v[place].abs_diff(q / 2);
        let is_one = |i: usize| (i..v.len()).step_by(count).map(distance).sum::<u64>() < copies * q / 4;
        (0..count).filter(|i| is_one(*i) != (message[*i] != 0)).count() as u64
    }
}
