//! The numbers in which parameter sets differ.
//!
//! Source: EESS#1 v3.1; for two sets a draft of IEEE 1363.1; for those of libntru that library's tables.

use crate::choose::expected;
use crate::hash::Hash;
use crate::radix;

/// Coefficients of a byte in the form of trits.
pub(crate) const DIGITS: usize = 5;
/// What a public key begins with in EESS#1's form: a tag, how many bytes the identifier has, and that.
pub(crate) const HEADER: usize = 5;

/// How many coefficients of `F` are 1, and as many are -1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weights {
    /// Of `F` itself.
    Of(usize),
    /// `F = F_1 F_2 + F_3`: of each of the three.
    Product([usize; 3]),
}

/// Whose bytes they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flavour {
    /// EESS#1's, as NTRU's own library and strongSwan write them.
    Eess,
    /// EESS#1's without identifiers: a public key is its element.
    Bare,
    /// The same, and in a public key three coefficients are five bytes.
    Radix,
    /// Those of the library libntru, which differ everywhere.
    Libntru {
        /// Blocks that its index generator begins with.
        blocks: usize,
    },
}

impl Flavour {
    /// Whether they are libntru's.
    pub(crate) const fn is_libntru(self) -> bool {
        matches!(self, Flavour::Libntru { .. })
    }
}

/// A parameter set.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The degree.
    pub n: usize,
    /// The modulus.
    pub q: i64,
    /// Bits of a coefficient in bytes.
    pub bits: usize,
    /// The weights of `F` and of what blinds a message.
    pub f: Weights,
    /// `g` has one more coefficient 1, and so many that are -1.
    pub g: usize,
    /// Fewest coefficients of each value in a masked message.
    pub least: usize,
    /// Random bytes of a message.
    pub random: usize,
    /// The greatest length of a message, in bytes.
    pub message: usize,
    /// Bits of an index before it is reduced.
    pub c: u32,
    /// The hash function.
    pub hash: Hash,
    /// What stands for the set in keys and in what is hashed.
    pub oid: [u8; 3],
    /// Bytes of the public key that are hashed with a message. A seed has twice as many.
    pub strength: usize,
    /// How all of it is written.
    pub flavour: Flavour,
    /// What follows from these numbers.
    pub plan: Plan,
}

/// What follows from the numbers of a set, and would take divisions.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// `2^32 / n` from above.
    pub reciprocal: u32,
    /// The greatest multiple of `n` up to `2^c`: candidates below it are indices.
    pub limit: u32,
    /// Blocks of hashes that are enough for nearly all polynomials that blind, and `F`.
    pub blocks_of_f: usize,
    /// For `g`.
    pub(crate) blocks_of_g: usize,
    /// For a mask.
    pub(crate) blocks_of_mask: usize,
}

impl Plan {
    /// Nothing yet.
    pub const NONE: Plan =
        Plan { reciprocal: 0, limit: 0, blocks_of_f: 0, blocks_of_g: 0, blocks_of_mask: 0 };
}

/// How many coefficients have the first value that is drawn, and how many either.
pub type Counts = [usize; 2];

impl Facts {
    /// With what follows from the numbers; proves that they fit.
    pub const fn planned(mut self) -> Facts {
        self.check();
        let (n, c, bits) = (self.n as u32, self.c, 8 * self.hash.bytes());
        let (all, count) = self.counts();
        let of_f = expected(self.n, c, all.split_at(count).0);
        let of_g = expected(self.n, c, &[self.counts_of_g()]);
        self.plan = Plan {
            reciprocal: u32::MAX / n + 1,
            limit: (1 << c) - (1 << c) % n,
            blocks_of_f: (of_f * c as usize).div_ceil(bits),
            blocks_of_g: (of_g * c as usize).div_ceil(bits),
            blocks_of_mask: crate::mask::expected(self.n).div_ceil(self.hash.bytes()),
        };
        self
    }

    /// What the parts of `F`, and of a polynomial that blinds, have of each value; and how many parts there
    /// are.
    pub(crate) const fn counts(&self) -> ([Counts; 3], usize) {
        let (parts, mut all, mut i) = (self.parts(), [[0; 2]; 3], 0);
        while i < parts.len() {
            all[i] = [parts[i], 2 * parts[i]];
            i += 1;
        }
        (all, parts.len())
    }

    /// What `g` has of each value: its value at 1 is 1, or 0.
    pub const fn counts_of_g(&self) -> Counts {
        let ones = self.g + !self.flavour.is_libntru() as usize;
        [ones, ones + self.g]
    }

    /// Bytes of an element modulo `q`.
    pub const fn packed(&self) -> usize {
        (self.bits * self.n).div_ceil(8)
    }

    /// The same of that of a public key.
    pub const fn packed_key(&self) -> usize {
        match self.flavour {
            Flavour::Radix => radix::bytes(self.n),
            _ => self.packed(),
        }
    }

    /// Bits of an index.
    pub const fn index_bits(&self) -> usize {
        (self.n - 1).ilog2() as usize + 1
    }

    /// The weights of the parts of `F`.
    pub const fn parts(&self) -> &[usize] {
        match &self.f {
            Weights::Of(weight) => core::slice::from_ref(weight),
            Weights::Product(weights) => weights,
        }
    }

    /// Indices of all parts.
    pub const fn indices(&self) -> usize {
        let (parts, mut sum, mut i) = (self.parts(), 0, 0);
        while i < parts.len() {
            (sum, i) = (sum + 2 * parts[i], i + 1);
        }
        sum
    }

    /// Bytes of `F` as a list of indices.
    pub const fn listed(&self) -> usize {
        (self.indices() * self.index_bits()).div_ceil(8)
    }

    /// Bytes of `F` as trits; a product has no such form.
    pub const fn trits(&self) -> Option<usize> {
        match self.f {
            Weights::Of(_) => Some(self.n.div_ceil(DIGITS)),
            Weights::Product(_) => None,
        }
    }

    /// Whether a private key has indices: where it must, and where they are no longer than trits.
    pub const fn is_listed(&self) -> bool {
        match self.trits() {
            Some(trits) => self.listed() <= trits,
            None => true,
        }
    }

    /// Bytes of a public key.
    pub const fn public_bytes(&self) -> usize {
        self.packed_key()
            + match self.flavour {
                Flavour::Eess => HEADER,
                Flavour::Bare | Flavour::Radix => 0,
                Flavour::Libntru { .. } => crate::libntru::PUBLIC_HEADER,
            }
    }

    /// Bytes of a private key.
    pub const fn private_bytes(&self) -> usize {
        let secret = match (self.flavour, self.trits()) {
            (Flavour::Libntru { .. }, _) => crate::libntru::secret_bytes(self),
            (_, Some(trits)) if !self.is_listed() => trits,
            _ => self.listed(),
        };
        secret + self.public_bytes()
    }

    /// Bytes of a seed of key generation.
    pub const fn seed(&self) -> usize {
        2 * self.strength
    }

    /// That the parts of all operations have room, and a message its trits.
    const fn check(&self) {
        let message = 8 * (self.random + 1 + self.message);
        assert!(message <= 3 * (self.n / 2), "a message has too many bits");
        assert!(self.n % 2 == 1 && self.n < MOST_COEFFICIENTS && self.message <= MOST_MESSAGE);
        assert!(self.random <= 32 && self.strength <= 32);
        assert!(3 * self.least <= self.n && 2 * self.g < self.n);
    }
}

/// More than any degree, in whole rows.
pub(crate) const MOST_COEFFICIENTS: usize = 1504;
/// Most bytes of a message of any set: their number is written in one byte.
pub(crate) const MOST_MESSAGE: usize = 255;
