//! What blinds messages of NTRUEncrypt, made of seeds on a device. `kernels/hash.cuh` has the map.

use crate::GpuError;
use crate::driver::Info;
use crate::kernels::{Kernel, Module};
use crate::ring::{Choice, Lengths, Operands, Params, Ring, Shared};
use ringsmith_ntruencrypt::{Facts, Flavour, Hash, Weights};

/// Bytes of a block that is hashed.
const BLOCK: usize = 64;
/// Bits of a byte.
const BITS: usize = 8;
/// Lanes of a warp, and messages of a block of threads: a warp each.
const LANES: usize = 32;
const WARPS: usize = 4;
/// Bits of a set of indices, one word a lane.
const INDICES: usize = 32 * LANES;
/// Planes of bits of a coefficient of a product and a sum.
const PLANES: u32 = 6;
/// Constants of the longest list.
const ROUNDS: usize = 64;

/// The greatest integer below `2^36` whose square or cube is not above `x`.
const fn root(power: u32, x: u128) -> u128 {
    let (mut root, mut bit) = (0_u128, 1_u128 << 36);
    while bit > 0 {
        let next = root + bit;
        if next < 1 << 36 && next.pow(power) <= x {
            root = next;
        }
        bit /= 2;
    }
    root
}

/// The first primes.
const fn primes<const COUNT: usize>() -> [u128; COUNT] {
    let (mut primes, mut found, mut x) = ([0; COUNT], 0, 2);
    while found < COUNT {
        let mut i = 0;
        while i < found && x % primes[i] != 0 {
            i += 1;
        }
        if i == found {
            primes[found] = x;
            found += 1;
        }
        x += 1;
    }
    primes
}

/// SHA-256's constants: the fractions of the cube roots of the first primes, 32 bits of each (FIPS 180-4,
/// section 4.2.2).
const SHA256: [u32; ROUNDS] = {
    let (primes, mut rounds, mut i) = (primes::<ROUNDS>(), [0; ROUNDS], 0);
    while i < ROUNDS {
        rounds[i] = root(3, primes[i] << 96) as u32;
        i += 1;
    }
    rounds
};

/// SHA-1's constants, each of twenty rounds: the square roots of 2, 3, 5 and 10, 30 bits behind the point
/// (section 4.2.1).
const SHA1: [u32; ROUNDS] = {
    let (squares, mut rounds, mut i) = ([2, 3, 5, 10], [0; ROUNDS], 0);
    while i < squares.len() {
        rounds[i] = root(2, squares[i] << 60) as u32;
        i += 1;
    }
    rounds
};

/// `struct BlindingParams` of the kernels.
#[repr(C)]
#[derive(Clone, Copy)]
struct BlindingParams {
    of: Operands,
    n: u32,
    bits: u32,
    limit: u32,
    reciprocal: u32,
    seed_blocks: u32,
    blocks: u32,
    candidates: u32,
    weights: [u32; 3],
    initial: [u32; 8],
    rounds: [u32; ROUNDS],
}

/// What blinds messages of a set of NTRUEncrypt's standard: the polynomial `r` of a seed. A batch makes it as
/// if it were a product. The first operand is the seed, padded, in as many blocks as the set's longest has;
/// the second is how many of them are the seed's own.
///
/// A batch hashes as many blocks of a stream as are enough for nearly all seeds. For another seed `r` is 0,
/// which is none.
pub struct Blinding {
    facts: Facts,
    blocks: usize,
}

impl Blinding {
    /// Of a set.
    ///
    /// # Errors
    /// Where it hashes in libntru's way.
    pub fn new(facts: &Facts) -> Result<Self, GpuError> {
        match facts.flavour {
            Flavour::Eess => Ok(Blinding { facts: *facts, blocks: facts.plan.blocks_of_f }),
            _ => Err(GpuError::Route {
                what: "what blinds messages is made on a GPU for the standard's sets alone",
            }),
        }
    }

    /// The same with fewer blocks of a stream, for tests: they are enough for fewer seeds.
    #[doc(hidden)]
    pub fn with_blocks(self, blocks: usize) -> Self {
        Blinding { blocks: blocks.clamp(1, self.blocks), ..self }
    }

    /// Bytes of a seed, as the first operand has it.
    pub fn seed_bytes(&self) -> usize {
        BLOCK * self.facts.blocks_of_seed()
    }

    /// The kernel, and why its bounds hold: a set of indices has room, and so have sums.
    fn kernel(&self) -> Result<&'static str, GpuError> {
        let Facts { n, f, hash, .. } = self.facts;
        let is_within = |[a, b, _]: [usize; 3]| 2 * a <= LANES && 2 * a.min(b) + 1 < 1 << (PLANES - 1);
        match (hash, f) {
            (Hash::Sha1, Weights::Of(_)) if n <= INDICES => Ok("blinding_sha1"),
            (Hash::Sha256, Weights::Of(_)) if n <= INDICES => Ok("blinding_sha256"),
            (Hash::Sha256, Weights::Of(_)) if n <= 2 * INDICES => Ok("blinding_sha256_long"),
            (Hash::Sha1, Weights::Product(all)) if n < INDICES && is_within(all) => {
                Ok("blinding_sha1_product")
            }
            (Hash::Sha256, Weights::Product(all)) if n < INDICES && is_within(all) => {
                Ok("blinding_sha256_product")
            }
            _ => Err(GpuError::Route { what: "there is no kernel for what blinds messages of this set" }),
        }
    }
}

// SAFETY: the kernel reads the blocks of a seed, all of them, and the byte that says how many are its own,
// which is compared and no more. It writes the coefficients, and zeros behind them to the end of their row. A
// warp has its stream in shared memory: whole rounds of its lanes, and a word behind them.
unsafe impl Ring for Blinding {
    type A = i8;
    type B = i8;
    type C = i8;

    fn lengths(&self) -> Lengths {
        Lengths { a: self.seed_bytes(), b: 1, c: self.facts.n }
    }
    fn bounds(&self) -> (u32, u32) {
        // All bytes.
        (1 << 7, 1 << 7)
    }
    fn choose(&self, _: &Info, _: Shared) -> Result<Choice, GpuError> {
        let words = self.blocks.next_multiple_of(LANES) * self.facts.hash.bytes() / 4 + 1;
        Ok(Choice {
            kernel: Kernel { name: self.kernel()?, module: Module::Hash },
            threads: (WARPS * LANES) as u32,
            products: WARPS as u32,
            parts: 1,
            shared: 4 * WARPS * words,
            why: "a warp a message: blocks of its stream side by side, and a set of indices in its registers",
        })
    }
    fn table(&self) -> &[u32] {
        &[]
    }
    fn params(&self, of: Operands) -> Params {
        let Facts { n, c, hash, plan, .. } = self.facts;
        let candidates = BITS * hash.bytes() * self.blocks / c as usize;
        let mut weights = [0; 3];
        weights.iter_mut().zip(self.facts.parts()).for_each(|(to, weight)| *to = *weight as u32);
        let params = BlindingParams {
            of,
            n: n as u32,
            bits: c,
            limit: plan.limit,
            reciprocal: plan.reciprocal,
            seed_blocks: self.facts.blocks_of_seed() as u32,
            blocks: self.blocks as u32,
            candidates: candidates as u32,
            weights,
            initial: hash.initial(),
            rounds: match hash {
                Hash::Sha1 => SHA1,
                Hash::Sha256 => SHA256,
            },
        };
        // SAFETY: all fields are words of 4 and 8 bytes, those of 8 stand first, and those of 4 are even in
        // number.
        unsafe { Params::new(params) }
    }
}
