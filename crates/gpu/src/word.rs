//! Negacyclic rings of a prime that is known at run time: `Z_p[x]/(x^n + 1)`.
//!
//! The kernels take a prime and its constants as values, so there is nothing to compile for it. The transform
//! and its tables are those of `ringsmith_word`: node `j` of the tree has the constant `w_j`, with
//! `w_(2^k + s) = w_s w_(2^k)`; `kernels/ntt.cuh` tells the rest.

use crate::GpuError;
use crate::driver::Info;
use crate::field::Field;
use crate::kernels::{Kernel, Module};
use crate::ring::{Choice, Lengths, Operands, Params, Ring, Shared};
use crate::short::Short;
use ringsmith_word::{WordError, WordRing};

/// A factor `w` modulo `p`, and `floor(2^32 w / p)`: `Factor` of the kernels.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Factor {
    w: u32,
    quotient: u32,
}

/// `struct Prime` of the kernels.
#[repr(C)]
#[derive(Clone, Copy)]
struct Prime {
    p: u32,
    one: u32,
    inverse: u32,
    unused: u32,
    scale: Factor,
    last: Factor,
}

/// `struct NttParams` of the kernels.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct NttParams {
    of: Operands,
    prime: Prime,
    forward: [Factor; 64],
    backward: [Factor; 64],
}

/// `Z_p[x]/(x^n + 1)` for `n` = 1024, 2048 or 4096 and a prime `p < 2^31` that is 1 modulo `2 n`.
/// Coefficients are in `[0, p)`.
pub struct Word {
    n: usize,
    prime: Prime,
    forward: [Factor; 64],
    backward: [Factor; 64],
    /// The transform's, and behind it that of tensor cores.
    table: Vec<u32>,
    /// What tensor cores take, where they serve.
    short: Option<Short>,
    route: Option<WordRoute>,
}

/// How negacyclic products are done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WordRoute {
    /// A transform by 32-bit integers.
    Transform,
    /// A transform whose steps are matrix products of bytes on tensor cores: as [`Short`] has it, and for the
    /// same degree and primes.
    Tensor,
}

/// The kernel of [`WordRoute::Tensor`].
const TENSOR_WORDS: Kernel = Kernel { name: "tensor_1024_32", module: Module::Tensor };

/// Why a transform where tensor cores would serve.
const NO_TENSOR: &str = "a transform in registers: the GPU has no tensor cores that multiply these bytes";

/// How many coefficients a thread has.
fn each(n: usize) -> usize {
    if n == 1024 { 32 } else { 64 }
}

/// Words of the transform's table, or a few more: two for each node of the layers behind the exchange, of
/// both directions.
fn table_words(n: usize) -> usize {
    4 * n
}

impl Field {
    /// Both numbers are below `2^32`, since `w < p`.
    fn factor(self, w: u64) -> Factor {
        Factor { w: w as u32, quotient: ((w << 32) / self.0) as u32 }
    }
}

/// An empty vector with room.
fn room<T>(count: usize) -> Result<Vec<T>, GpuError> {
    let mut room = Vec::new();
    room.try_reserve_exact(count).map_err(|_| GpuError::Word(WordError::Memory))?;
    Ok(room)
}

/// `w_j` of the nodes below `n`, by a root of order `2 n`.
fn nodes(field: Field, n: usize, root: u64) -> Result<Vec<u64>, GpuError> {
    let mut nodes = room(n)?;
    nodes.push(1);
    while nodes.len() < n {
        let step = field.power(root, (n / 2 / nodes.len()) as u64);
        for s in 0..nodes.len() {
            nodes.push(field.times(nodes[s], step));
        }
    }
    Ok(nodes)
}

/// The factors of the layers behind the exchange, layer by layer and place by place, those of all threads
/// side by side.
fn extend(table: &mut Vec<u32>, n: usize, factor: impl Fn(usize) -> Factor) {
    let (each, threads) = (each(n), n / each(n));
    let mut local = each / threads;
    while local < each {
        for (s, t) in (0..local).flat_map(|s| (0..threads).map(move |t| (s, t))) {
            // Level `log2(threads local)` has a node for each block of it.
            let Factor { w, quotient } = factor(threads * local + t * local + s);
            table.extend([w, quotient]);
        }
        local *= 2;
    }
}

impl Word {
    /// The ring of a degree and a prime.
    ///
    /// # Errors
    /// Where they don't serve, or there is no memory.
    ///
    /// ```
    /// use ringsmith_gpu::{GpuError, Word};
    /// assert!(Word::new(1024, 12289).is_ok());
    /// assert_eq!(Word::new(512, 12289).err(), Some(GpuError::Negacyclic { n: 512, p: 12289 }));
    /// ```
    pub fn new(n: usize, p: u64) -> Result<Self, GpuError> {
        if ![1024, 2048, 4096].contains(&n) || p >> 31 != 0 {
            return Err(GpuError::Negacyclic { n, p });
        }
        let (field, root) = (Field(p), WordRing::new(n, p)?.root());
        let forward = nodes(field, n, root)?;
        let mut backward = room(n)?;
        backward.extend(forward.iter().map(|w| field.invert(*w)));
        let short = Self::short(n, p)?;
        let of_short = short.as_ref().map_or(&[][..], Ring::table);
        let mut table = room(table_words(n) + of_short.len())?;
        extend(&mut table, n, |node| field.factor(forward[node]));
        extend(&mut table, n, |node| field.factor(backward[node]));
        // At a multiple of 16 bytes, behind what the transform reads.
        table.resize(table_words(n), 0);
        table.extend_from_slice(of_short);
        let first = |nodes: &[u64]| core::array::from_fn(|node| field.factor(nodes[node]));
        let prime = Self::prime(field, n, backward[1]);
        let (forward, backward) = (first(&forward), first(&backward));
        Ok(Word { n, prime, forward, backward, table, short, route: None })
    }

    /// With a route that is not chosen, but given.
    pub fn by(self, route: WordRoute) -> Self {
        Word { route: Some(route), ..self }
    }

    /// What tensor cores take; `None` where they don't serve.
    fn short(n: usize, p: u64) -> Result<Option<Short>, GpuError> {
        if !Short::serves(n, p) {
            return Ok(None);
        }
        match Short::new(p) {
            Err(GpuError::Route { .. }) => Ok(None),
            short => short.map(Some),
        }
    }

    fn prime(field: Field, n: usize, w_1_inverse: u64) -> Prime {
        let scale = field.times((1 << 32) % field.0, field.invert(n as u64));
        Prime {
            p: field.0 as u32,
            one: ((1 << 32) / field.0) as u32,
            inverse: field.inverse_of_word(),
            unused: 0,
            scale: field.factor(scale),
            last: field.factor(field.times(scale, w_1_inverse)),
        }
    }

    fn transform(&self) -> Choice {
        let (name, why) = self.kernel();
        let (each, threads) = (each(self.n), self.n / each(self.n));
        let module = match self.n {
            1024 => Module::Ntt1024,
            2048 => Module::Ntt2048,
            _ => Module::Ntt4096,
        };
        Choice {
            kernel: Kernel { name, module },
            threads: threads as u32,
            products: 1,
            parts: 1,
            shared: 4 * threads * (each + 4) * if self.prime.p >> 26 == 0 { 1 } else { 2 },
            why,
        }
    }

    /// What the kernels take.
    pub(crate) fn ntt_params(&self, of: Operands) -> NttParams {
        NttParams { of, prime: self.prime, forward: self.forward, backward: self.backward }
    }

    /// The prime.
    pub fn prime_modulus(&self) -> u32 {
        self.prime.p
    }

    /// The name of the transform's kernel, and why it is this one.
    fn kernel(&self) -> (&'static str, &'static str) {
        let names = match self.n {
            1024 => ["ntt_1024_26", "ntt_1024_30", "ntt_1024_31"],
            2048 => ["ntt_2048_26", "ntt_2048_30", "ntt_2048_31"],
            _ => ["ntt_4096_26", "ntt_4096_30", "ntt_4096_31"],
        };
        let whys = [
            "a transform in registers: the prime is below 2^26, so no level forward reduces",
            "a transform in registers: the prime is below 2^30, so every other sum is reduced",
            "a transform in registers: the prime has 31 bits, so every sum is reduced",
        ];
        let size = usize::from(self.prime.p >> 26 != 0) + usize::from(self.prime.p >> 30 != 0);
        (names[size], whys[size])
    }
}

/// The kernels of prepared operands: one that prepares, and two that multiply, for primes below `2^26` and
/// all.
fn prepared_kernels(n: usize) -> (Module, [&'static str; 3]) {
    match n {
        1024 => {
            (Module::Prepared1024, ["ntt_1024_forward", "ntt_1024_by_prepared_26", "ntt_1024_by_prepared_31"])
        }
        2048 => {
            (Module::Prepared2048, ["ntt_2048_forward", "ntt_2048_by_prepared_26", "ntt_2048_by_prepared_31"])
        }
        _ => {
            (Module::Prepared4096, ["ntt_4096_forward", "ntt_4096_by_prepared_26", "ntt_4096_by_prepared_31"])
        }
    }
}

impl Word {
    /// One of these kernels. They keep one operand in registers, and none in shared memory.
    fn with_prepared(&self, which: usize, why: &'static str) -> Choice {
        let (module, names) = prepared_kernels(self.n);
        let (each, threads) = (each(self.n), self.n / each(self.n));
        let kernel = Kernel { name: names[which], module };
        let shared = 4 * threads * (each + 4);
        Choice { kernel, threads: threads as u32, products: 1, parts: 1, shared, why }
    }
}

// SAFETY: `kernels/ntt.cuh` reads n words of each operand and the factors that `extend` writes. It has T rows
// of C + 4 words of shared memory, and as many again where the first operand waits there.
// `kernels/prepared.cuh` reads and writes the same, with one operand at a time. The kernel of tensor cores
// takes the structure of `Short`, whose table it gets, and reads and writes 1024 words.
unsafe impl Ring for Word {
    type A = u32;
    type B = u32;
    type C = u32;

    fn lengths(&self) -> Lengths {
        Lengths { a: self.n, b: self.n, c: self.n }
    }
    fn bounds(&self) -> (u32, u32) {
        (self.prime.p, self.prime.p)
    }
    fn choose(&self, info: &Info, shared: Shared) -> Result<Choice, GpuError> {
        match (self.route, &self.short) {
            (Some(WordRoute::Transform), _) => Ok(Choice { why: "as asked for", ..self.transform() }),
            (Some(WordRoute::Tensor), None) => Err(GpuError::Route {
                what: "negacyclic products on tensor cores have 1024 coefficients modulo a prime below 2^14",
            }),
            (Some(WordRoute::Tensor), Some(short)) => {
                Ok(Choice { kernel: TENSOR_WORDS, why: "as asked for", ..short.choose(info, shared)? })
            }
            (None, None) => Ok(self.transform()),
            (None, Some(short)) => match short.choose(info, shared) {
                Ok(choice) => Ok(Choice { kernel: TENSOR_WORDS, ..choice }),
                Err(_) => Ok(Choice { why: NO_TENSOR, ..self.transform() }),
            },
        }
    }
    fn choose_forward(&self, _: &Info) -> Result<Choice, GpuError> {
        Ok(self.with_prepared(0, "a transform forward, whose values stay on the device"))
    }
    fn choose_prepared(&self, _: &Info) -> Result<Choice, GpuError> {
        let is_small = self.prime.p >> 26 == 0;
        Ok(match is_small {
            true => self.with_prepared(1, "one transform there and one back: the second operand is prepared"),
            false => self.with_prepared(
                2,
                "one transform there and one back: the second operand is prepared; every sum is reduced",
            ),
        })
    }
    fn table(&self) -> &[u32] {
        &self.table
    }
    fn params(&self, of: Operands) -> Params {
        // SAFETY: all fields are words of 4 and 8 bytes, and those of 8 stand first.
        unsafe { Params::new(self.ntt_params(of)) }
    }
    fn params_for(&self, choice: &Choice, of: Operands) -> Params {
        match &self.short {
            Some(short) if choice.kernel == TENSOR_WORDS => {
                short.params(Operands { table: of.table + 4 * table_words(self.n) as u64, ..of })
            }
            _ => self.params(of),
        }
    }
}
