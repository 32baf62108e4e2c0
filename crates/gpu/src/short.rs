//! `Z_q[x]/(x^1024 + 1)` for a prime of up to 14 bits: the rings of NewHope and its kin. Products are
//! transforms whose two steps are matrix products of bytes on tensor cores; `kernels/tensor.cuh` has the
//! mathematics, and this page its tables.

use crate::GpuError;
use crate::driver::Info;
use crate::field::Field;
use crate::kernels::{Kernel, Module};
use crate::ring::{Choice, Lengths, Operands, Params, Ring, Shared};
use ringsmith_word::{WordError, WordRing};

/// `struct TensorParams` of the kernels.
#[repr(C)]
#[derive(Clone, Copy)]
struct TensorParams {
    of: Operands,
    q: u32,
    inverse: u32,
    start: u32,
    unused: u32,
}

/// `Z_q[x]/(x^1024 + 1)`, `q < 2^14` a prime that is 1 modulo 2048: there is one, 12289. Coefficients are in
/// `[0, q)`. It takes tensor cores; [`Word`](crate::Word) serves the same primes with and without, in words.
pub struct Short {
    q: u32,
    inverse: u32,
    start: u32,
    table: Vec<u32>,
}

/// The degree.
const N: usize = 1024;

/// Bits of the greatest prime: two bytes hold what is below.
const BITS: u32 = 14;

/// What the tables are made of.
struct Maker {
    field: Field,
    /// Of order 2048.
    psi: u64,
    /// The least and the greatest sum of a row of constants: those below 0, and those above.
    least: i64,
    greatest: i64,
    table: Vec<u32>,
}

/// The lane's two indices.
fn lanes() -> impl Iterator<Item = (usize, usize)> {
    (0..32).map(|lane| (lane / 4, lane % 4))
}

/// The index of `k1`, or `k0`, at place `16 f + 4 t + s` of a row: columns `2 t` and `2 t + 1` of two tiles.
fn of_place(t: usize, f: usize, s: usize) -> usize {
    8 * (2 * f + s / 2) + 2 * t + s % 2
}

impl Maker {
    /// A power of `psi`, whose exponent may be negative, as the centred number that constants are.
    fn constant(&self, exponent: i64) -> i64 {
        let w = self.field.power(self.psi, exponent.rem_euclid(2048) as u64) as i64;
        if 2 * w > self.field.0 as i64 { w - self.field.0 as i64 } else { w }
    }

    /// Notes the sums of a row of constants.
    fn note_row(&mut self, row: impl Iterator<Item = i64>) {
        let (below, above) = row.fold((0, 0), |(below, above), w| (below + w.min(0), above + w.max(0)));
        (self.least, self.greatest) = (self.least.min(below), self.greatest.max(above));
    }

    /// Four constants as bytes: the low ones, or the high ones, which are what is left over 256.
    fn word(four: [i64; 4], high: bool) -> u32 {
        let low = |w: i64| w as i8;
        let byte = |w: i64| if high { ((w - i64::from(low(w))) >> 8) as u8 } else { low(w) as u8 };
        u32::from_le_bytes(four.map(byte))
    }

    /// Constants on the left: entries of two tiles of 16 rows, low and high bytes. `exponent` is that of a
    /// row and the index at a place.
    fn left(&mut self, place: fn(usize, usize, usize) -> usize, exponent: fn(usize, usize) -> i64) {
        for (m, high) in [(0, false), (0, true), (1, false), (1, true)] {
            for (g, t) in lanes() {
                for (half, f) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let row = g + 8 * half + 16 * m;
                    let four = core::array::from_fn(|s| self.constant(exponent(row, place(t, f, s))));
                    self.table.push(Self::word(four, high));
                }
            }
        }
        for row in 0..32 {
            let constants: Vec<i64> = (0..32).map(|index| self.constant(exponent(row, index))).collect();
            self.note_row(constants.into_iter());
        }
    }

    /// Constants on the right, of `psi^(64 i0 k0)`: column `g` of tile `j` is `k0 = 8 j + g`, and place
    /// `16 f + 4 t + s` is `i0 = 8 t + 4 f + s`.
    fn right(&mut self) {
        for j in 0..4 {
            for (g, t) in lanes() {
                for (high, f) in [(false, 0), (false, 1), (true, 0), (true, 1)] {
                    let exponent = |s: usize| (64 * (8 * t + 4 * f + s) * (8 * j + g)) as i64;
                    let four = core::array::from_fn(|s| self.constant(exponent(s)));
                    self.table.push(Self::word(four, high));
                }
            }
        }
        for k0 in 0..32_i64 {
            let constants: Vec<i64> = (0..32).map(|i0| self.constant(64 * i0 * k0)).collect();
            self.note_row(constants.into_iter());
        }
    }

    /// Factors between the products, times `scale`: of an entry, a lane and a word the exponent of `psi`.
    fn factors(&mut self, scale: u64, exponent: impl Fn(usize, (usize, usize), usize) -> i64) {
        let (field, inverse) = (self.field, self.field.inverse_of_word());
        for (entry, lane) in (0..8).flat_map(|entry| lanes().map(move |lane| (entry, lane))) {
            for word in 0..4 {
                let power = field.power(self.psi, exponent(entry, lane, word).rem_euclid(2048) as u64);
                self.table.push((field.times(power, scale) as u32).wrapping_mul(inverse));
            }
        }
    }

    /// All tables, in the kernel's order.
    fn make(&mut self) {
        let (field, twos) = (self.field, (1 << 32) % self.field.0);
        // Each reduction divides by -2^32: three forward, for each operand, and four behind the product.
        let undo = |times| field.power(field.0 - twos, times);
        self.left(|t, f, s| t + 4 * (s + 4 * f), |k1, i1| (32 * i1 * (2 * k1 + 1)) as i64);
        self.right();
        // Row `g + 8 h + 16 m` is `i0 = 4 g + h + 2 m`.
        self.left(of_place, |row, k0| -64 * ((4 * (row % 8) + row / 8) * k0) as i64);
        self.left(of_place, |i1, k1| -32 * (i1 * (2 * k1 + 1)) as i64);
        self.factors(undo(3), |entry, (g, t), j| {
            let k1 = g + 8 * (entry / 2 % 2) + 16 * (entry / 4);
            ((2 * k1 + 1) * (8 * t + 4 * (entry % 2) + j)) as i64
        });
        let scale = field.times(undo(4), field.invert(N as u64));
        self.factors(scale, |entry, (g, t), s| {
            let (i0, k1) = (4 * g + entry / 2, of_place(t, entry % 2, s));
            -(((2 * k1 + 1) * i0) as i64)
        });
    }
}

impl Short {
    /// Whether there may be such a ring.
    pub(crate) fn serves(n: usize, q: u64) -> bool {
        n == N && q >> BITS == 0
    }

    /// The ring of a prime.
    ///
    /// # Errors
    /// Where it does not serve, or there is no memory.
    ///
    /// ```
    /// assert!(ringsmith_gpu::Short::new(12289).is_ok());
    /// assert!(ringsmith_gpu::Short::new(18433).is_err());
    /// ```
    pub fn new(q: u64) -> Result<Self, GpuError> {
        if q >> BITS != 0 {
            return Err(GpuError::Word(WordError::TooLarge { p: q, bits: BITS }));
        }
        let (field, psi) = (Field(q), WordRing::new(N, q)?.root());
        let mut table = Vec::new();
        table.try_reserve_exact(32 * 32 * 4).map_err(|_| GpuError::Word(WordError::Memory))?;
        let mut maker = Maker { field, psi, least: 0, greatest: 0, table };
        maker.make();
        // Sums begin at a multiple of q about 2^31; no sum may leave a word.
        let (start, most) = ((1 << 31) / q as i64 * q as i64, q as i64 - 1);
        if start + maker.least * most < 0 || (start + maker.greatest * most) >> 32 != 0 {
            return Err(GpuError::Route {
                what: "the prime's roots of unity make sums of more than 32 bits",
            });
        }
        Ok(Short { q: q as u32, inverse: field.inverse_of_word(), start: start as u32, table: maker.table })
    }
}

// SAFETY: `kernels/tensor.cuh` reads 1024 coefficients of each operand, and 32 entries of 128 words of the
// table. It uses no shared memory.
unsafe impl Ring for Short {
    type A = u16;
    type B = u16;
    type C = u16;

    fn lengths(&self) -> Lengths {
        Lengths { a: N, b: N, c: N }
    }
    fn bounds(&self) -> (u32, u32) {
        (self.q, self.q)
    }
    fn choose(&self, info: &Info, _: Shared) -> Result<Choice, GpuError> {
        if info.capability < (8, 0) {
            return Err(GpuError::TooOld { capability: info.capability });
        }
        let why = "tensor cores: the prime is below 2^14, so both steps of a transform are products of bytes";
        let kernel = Kernel { name: "tensor_1024", module: Module::Tensor };
        Ok(Choice { kernel, threads: 32, products: 1, parts: 1, shared: 0, why })
    }
    fn table(&self) -> &[u32] {
        &self.table
    }
    fn params(&self, of: Operands) -> Params {
        let (q, inverse, start) = (self.q, self.inverse, self.start);
        // SAFETY: all fields are words of 4 and 8 bytes, and those of 8 stand first.
        unsafe { Params::new(TensorParams { of, q, inverse, start, unused: 0 }) }
    }
}
