//! Products that are matrix products of bytes: which kernel, and what it takes. `kernels/cyclic.cuh` has the
//! mathematics, and the same formulas.

use crate::GpuError;
use crate::driver::Info;
use crate::kernels::{Kernel, Module};
use crate::ring::{Choice, Shared};

/// How products are done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CyclicRoute {
    /// Each pair as a matrix product on tensor cores.
    Pairs,
    /// All messages by one key as one matrix product on tensor cores. The first operand must be one for all.
    /// Where processors would have nothing to do, its columns are divided over blocks.
    OneKey,
    /// The same with columns divided over about so many blocks: at most one for each 64 columns.
    OneKeyParts(u32),
    /// By 32-bit integers.
    Schoolbook,
}

/// Messages that a warp takes by one key: of fewer some of its rows are empty.
const MESSAGES: usize = 32;

/// Columns that a warp computes at once.
const COLUMNS: usize = 64;

/// The least GPU with products of bytes on tensor cores in this form.
const TENSOR: (u32, u32) = (8, 0);

/// The kernels of one kind of ring.
pub(crate) struct Kernels {
    pub(crate) module: Module,
    /// Those of pairs, with their tiles of 256 coefficients.
    pub(crate) pairs: &'static [(usize, &'static str)],
    pub(crate) one_key: &'static str,
    /// That of blocks that have a part of the columns.
    pub(crate) one_key_parts: &'static str,
    pub(crate) schoolbook: &'static str,
    /// Limbs of the array on the left of pairs, and of the rows on the right.
    pub(crate) limbs: (usize, usize),
    /// Limbs of a message by one key.
    pub(crate) message: usize,
    /// 1 where coefficient 0 is computed at place `n`, and 0 otherwise.
    pub(crate) turned: usize,
    /// Degrees up to which one key's kernel has the better count; above, pairs have less to set up.
    pub(crate) one_key_until: usize,
    /// Why pairs.
    pub(crate) why: &'static str,
}

/// Words from one shifted array to the next: 8 more than a multiple of 32, for the banks.
fn stride(words: usize) -> usize {
    words.next_multiple_of(32) + 8
}

/// Why one matrix product, and why in parts.
const ONE_KEY: &str = "tensor cores: all messages by one key are one matrix product";
const ONE_KEY_IN_PARTS: &str = "tensor cores: all messages by one key are one matrix product, and there are \
                                processors for parts of its columns";

impl Kernels {
    fn kernel(&self, name: &'static str) -> Kernel {
        Kernel { name, module: self.module }
    }

    fn pairs(&self, n: usize, why: &'static str) -> Choice {
        let fits = |(tiles, _): &&(usize, _)| n + self.turned <= 256 * tiles;
        let (tiles, name) = *self.pairs.iter().find(fits).unwrap_or(&self.pairs[self.pairs.len() - 1]);
        let (columns, (left, right)) = (8 * tiles, self.limbs);
        let steps = columns + self.turned;
        let words = 4 * left * stride(8 * steps + 12) + right * (steps + columns) * 12;
        Choice { kernel: self.kernel(name), threads: 32, products: 1, parts: 1, shared: 4 * words, why }
    }

    /// Of so many parts, or fewer: none is without columns.
    fn one_key(&self, n: usize, parts: usize, why: &'static str) -> Choice {
        let (steps, groups, warps) = (n.div_ceil(32), (n + self.turned).div_ceil(COLUMNS), 2);
        let each = groups.div_ceil(parts.clamp(1, groups));
        let messages = self.message * MESSAGES * (8 * steps + 4);
        let words = 8 * stride(COLUMNS / 4 * each + 8 * steps + 1) + warps * messages;
        let (threads, parts) = (32 * warps as u32, groups.div_ceil(each) as u32);
        let kernel = self.kernel(if parts > 1 { self.one_key_parts } else { self.one_key });
        Choice { kernel, threads, products: threads, parts, shared: 4 * words, why }
    }

    /// The same in as many parts as leave no block to a processor that has one: each has less to do, then,
    /// and none has more.
    fn one_key_on(&self, n: usize, info: &Info, count: usize, why: &'static str) -> Choice {
        let whole = self.one_key(n, 1, why);
        let blocks = count.div_ceil(whole.products as usize).max(1);
        self.one_key(n, info.processors as usize / blocks, why)
    }

    fn schoolbook(&self, n: usize, why: &'static str) -> Choice {
        let threads = (n + self.turned).div_ceil(8).next_multiple_of(32) as u32;
        let shared = 4 * (3 * n + 8);
        Choice { kernel: self.kernel(self.schoolbook), threads, products: 1, parts: 1, shared, why }
    }

    /// The kernel for so many products of `n` coefficients.
    pub(crate) fn choose(
        &self,
        n: usize,
        route: Option<CyclicRoute>,
        info: &Info,
        (shared, count): (Shared, usize),
    ) -> Result<Choice, GpuError> {
        let one = match route {
            Some(CyclicRoute::OneKeyParts(parts)) => self.one_key(n, parts as usize, "as asked for"),
            Some(_) => self.one_key_on(n, info, count, "as asked for"),
            None => self.one_key_on(n, info, count, ONE_KEY),
        };
        let is_one = matches!(shared, Shared::First | Shared::Both);
        let given = "as asked for";
        match route {
            Some(CyclicRoute::Schoolbook) => Ok(self.schoolbook(n, given)),
            Some(_) if info.capability < TENSOR => Err(GpuError::TooOld { capability: info.capability }),
            Some(CyclicRoute::Pairs) => Ok(self.pairs(n, given)),
            Some(CyclicRoute::OneKey | CyclicRoute::OneKeyParts(_)) if !is_one => {
                Err(GpuError::Route { what: "products by one key need a first operand that is one for all" })
            }
            Some(_) if one.shared > info.shared => Err(GpuError::Route {
                what: "products by one key of so many coefficients need more shared memory than the GPU has",
            }),
            Some(_) => Ok(one),
            None if info.capability < TENSOR => {
                Ok(self.schoolbook(n, "integers: the GPU has no tensor cores that multiply these bytes"))
            }
            None if is_one && n <= self.one_key_until && one.shared <= info.shared => match count {
                ..MESSAGES => Ok(self.pairs(
                    n,
                    "tensor cores: by one key a warp takes 32 messages, and of fewer each has a warp",
                )),
                _ if one.parts > 1 => Ok(Choice { why: ONE_KEY_IN_PARTS, ..one }),
                _ => Ok(one),
            },
            None => Ok(self.pairs(n, self.why)),
        }
    }
}
