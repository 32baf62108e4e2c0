//! Products by a ternary operand by signed additions: for any modulus and any `f`.
//!
//! # The map
//! `c = a b` over the integers by rows, reduced by `f` (see [`convolution`]). Where the
//! coefficients of `b` are -1, 0 and 1, no product of coefficients is left: with `b = sum_j b_j x^j`,
//!
//! ```text
//! c = sum_j b_j x^j a
//! ```
//!
//! adds `a`, nothing, or `-a`, moved by `j` places. The same sum by rows of 16 coefficients: with `a` as
//! `sum_i sum_r a_(16 i + r) x^(16 i + r)`,
//!
//! ```text
//! c[16 k + t] = sum_i sum_r a_(16 i + r) b[16 (k - i) - r + t]
//! ```
//!
//! For one `i`, `r` and `k`, the words of `b` are a window of a row; the word of `a` is the same for all `t`.
//! One signed addition serves 16 terms: `n^2 / 16` for a whole product, each to a row of `c` that stays in a
//! register. The window depends on `k - i` and `r` alone, so a group of rows `k` and a batch of rows `i`
//! share windows.
//!
//! # Constant time
//! All coefficients are gone through, zeroes among them. A sign is a lane of an operation
//! ([`add_signed`](ringsmith_simd::I16Lanes::add_signed)): it chooses no branch and no address.
//!
//! # Conditions
//! Nothing of `f`; a power of two as modulus, or an odd one as [`convolution`] has it
//! with `n q` below `2^24`. An operand that may have other coefficients is multiplied by
//! [schoolbook](super::schoolbook), so that products are right for all.
//!
//! # Bounds
//! In: centred; out: centred. Modulo a power of two words wrap. Modulo an odd number a sum has two words, a
//! byte in the first: its carries go to the second after as many additions as a word holds.
//! [`additions`] computes how many, at compile time. A carry is a shift, a mask and a sum, and needs no
//! multiplication, as a reduction would; a whole sum is reduced once.
//!
//! # Source
//! I. Gorbenko, O. Kachko, G. Naumenko: Implementing NTRU-similar algorithm on the basis of NTRUPrime (2016),
//! which multiplies by additions modulo `x^739 - x - 1` and 9829, as implementations of NTRUEncrypt do modulo
//! `x^n - 1` and 2048. Deviation: theirs go through the places of the ones, so that addresses are secret.
//!
//! ```
//! use ringsmith_ring::algorithm::signed::additions;
//! use ringsmith_ring::residues::Modulus;
//! use ringsmith_ring::{Poly, Route, Small};
//! use ringsmith_routes::{multiplier, rings::NtruPrime761};
//! use ringsmith_simd::Cpu;
//!
//! let (mut a, mut b) = ([0i16; 761], [0i16; 761]);
//! (a[760], b[1]) = (5, -1);
//! let (a, b) = (Poly::<NtruPrime761>::new(&a).unwrap(), Small::new(&b).unwrap());
//! let (signed, mut c) = (multiplier(Cpu::detect(), Route::Signed)?, Poly::zero());
//! signed.multiply_small_into(&a, &b, &mut c, &mut signed.scratch());
//! // 5 x^760 times -x = -5 x^761 = -5 x - 5
//! assert_eq!(c.centred()[..3], [-5, -5, 0]);
//!
//! // A word holds a byte and 14 residues modulo 4591, or 6 modulo 9829.
//! assert_eq!([4591, 9829].map(|q| additions(Modulus::Odd(q), 100)), [14, 6]);
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

use super::choice::{Finish, Operand};
use super::convolution::{self, Convolution, greater, lesser};
use super::schoolbook::Schoolbook;
use crate::bound::Bound;
use crate::reduce::residues::{Modulus, Residues};
use crate::route::Route;
use crate::why_not::WhyNot;
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Row, Run, Simd, each};

/// Rows of the product at a time, each a register; rows of an operand at a time, at most.
const GROUP: usize = 4;
/// Rows of zeroes before an operand of which windows are taken: before its first window that meets a row of a
/// group lie as many windows as a group and a batch have rows, and each begins in the row before.
const BEFORE: usize = 2 * GROUP;

/// Where coefficients lie that are added.
const SIGNS: Bound = Bound::symmetric(1);

/// What a carry leaves of a sum.
const BYTE: Bound = Bound::new(0, 255);

/// How many signed additions a word holds after a carry, at most `most`.
pub const fn additions(modulus: Modulus, most: usize) -> usize {
    let mut count = most;
    while count > 0 && !modulus.hold(modulus.operand().mirrored().scale(count as i64).add(BYTE)) {
        count -= 1;
    }
    count
}

/// The most additions between two carries.
const fn between_carries(modulus: Modulus) -> usize {
    additions(modulus, 16 * GROUP)
}

/// Rows of an operand at a time, each of which adds to every sum of a group: as many as a group has, or one
/// less where more additions fit between two carries so.
const fn batch(modulus: Modulus) -> usize {
    let most = between_carries(modulus);
    let less = GROUP - 1;
    if most < GROUP || most / less * less > most / GROUP * GROUP { lesser(most, less) } else { GROUP }
}

/// Batches between two carries.
const fn batches(modulus: Modulus) -> usize {
    between_carries(modulus) / batch(modulus)
}

/// Whether sums of products of so many rows, and their carries, are in their lanes.
const fn sums_fit(modulus: Modulus, rows: usize) -> bool {
    let sum = modulus.operand().mirrored().scale(16 * rows as i64);
    match modulus.reduce_wide(sum) {
        Some(reduced) => {
            let carries = sum.shift_right(8);
            between_carries(modulus) > 0 && modulus.hold(carries) && modulus.hold(reduced)
        }
        None => false,
    }
}

/// The conditions: those of products by sums of rows, and that there is room for carries.
pub(crate) const fn serves(q: i64, n: usize) -> Result<(), WhyNot> {
    match convolution::folds(q) {
        Ok(modulus) if !sums_fit(modulus, n.div_ceil(16)) => Err(WhyNot::Bounds),
        _ => convolution::serves(q),
    }
}

/// Rows of a product of operands of so many rows: whole groups.
const fn product_rows(rows: usize) -> usize {
    (2 * rows).next_multiple_of(GROUP)
}

/// Rows of memory for the words of one operand, each twice, and for the other one between zeroes.
const fn memory(rows: usize) -> [usize; 2] {
    [2 * (rows + GROUP), BEFORE + rows + 2 * GROUP]
}

/// A whole product.
struct Sums<'a, M> {
    by: M,
    a: &'a [Row],
    b: &'a [Row],
    /// Room for the words of `a`, each twice; zeroes behind it.
    words: &'a mut [Row],
    /// Zeroes, and room for `b` between them.
    signs: &'a mut [Row],
    out: &'a mut [Row],
}

/// A row with each word twice.
type Words = [[i16; 2]; 16];

impl<M: Residues> Sums<'_, M> {
    /// Each word of `a` twice.
    #[inline(always)]
    fn spread<S: Simd>(&mut self, s: S) {
        for (two, a) in self.words.as_chunks_mut::<2>().0.iter_mut().zip(self.a) {
            let a = s.load(a);
            let (low, high) = s.zip::<1>(a, a);
            let (first, second) = s.zip::<8>(low, high);
            s.store(&mut two[0], first);
            s.store(&mut two[1], second);
        }
    }

    /// `b` between rows of zeroes.
    #[inline(always)]
    fn pad<S: Simd>(&mut self, s: S) {
        for (row, b) in self.signs.iter_mut().skip(BEFORE).zip(self.b) {
            s.store(row, s.load(b));
        }
    }

    /// The rows of the product from `k` on, shrunk.
    #[inline(always)]
    fn group<S: Simd>(&self, s: S, k: usize) -> [S::I16; GROUP] {
        let mut sums = Group { sums: [s.splat(0); GROUP], carries: [s.splat(0); GROUP], held: 0 };
        // Rows of `a` whose windows are not all zeroes.
        let (mut i, end) = (k.saturating_sub(self.b.len()), (k + GROUP).min(self.a.len()));
        while i < end {
            let windows = self.signs.get(BEFORE + k - i - const { batch(M::MODULUS) }..).unwrap_or_default();
            let words =
                self.words.get(2 * i..).unwrap_or_default().as_flattened().as_chunks().0.as_chunks().0;
            let (Some(windows), Some(words)) = (windows.first_chunk(), words.first_chunk()) else { break };
            sums.add_batch::<M>(s, words, windows);
            i += const { batch(M::MODULUS) };
        }
        sums.reduce(s, self.by)
    }
}

/// Sums of a group of rows: `256 carries + sums`, where words do not wrap.
struct Group<V> {
    sums: [V; GROUP],
    carries: [V; GROUP],
    /// Batches since the last carry.
    held: usize,
}

impl<V: Copy> Group<V> {
    /// Adds what a batch of rows of `a` adds.
    #[inline(always)]
    fn add_batch<M: Residues>(
        &mut self,
        s: impl Simd<I16 = V>,
        words: &[Words; GROUP],
        windows: &[Row; 2 * GROUP],
    ) {
        let mut r = 0;
        while r < 16 {
            let x: [V; GROUP] = each(
                #[inline(always)]
                |h| s.splat_pair(&words[h][r]),
            );
            let windows = windows.as_flattened().get(16 - r..).unwrap_or_default().as_chunks().0;
            let Some(windows) = windows.first_chunk() else { break };
            add_words::<_, M>(s, &mut self.sums, &x, windows);
            self.held += 1;
            if self.held == const { batches(M::MODULUS) } {
                self.carry::<M>(s);
            }
            r += 1;
        }
    }

    /// Leaves a byte of each sum, where words do not wrap.
    #[inline(always)]
    fn carry<M: Residues>(&mut self, s: impl Simd<I16 = V>) {
        self.held = 0;
        if const { matches!(M::MODULUS, Modulus::Wrapping) } {
            return;
        }
        let (byte, mut g) = (s.splat(255), 0);
        while g < GROUP {
            self.carries[g] = s.add(self.carries[g], s.shift_right::<8>(self.sums[g]));
            self.sums[g] = s.and(self.sums[g], byte);
            g += 1;
        }
    }

    /// The residues of the sums, shrunk.
    #[inline(always)]
    fn reduce<M: Residues>(mut self, s: impl Simd<I16 = V>, by: M) -> [V; GROUP] {
        self.carry::<M>(s);
        each(
            #[inline(always)]
            |g| {
                // The byte, and one of the carries above it.
                let low = s.xor(self.sums[g], s.mul_lo(self.carries[g], s.splat(256)));
                by.shrink(s, by.reduce_wide(s, low, s.shift_right::<8>(self.carries[g])))
            },
        )
    }
}

/// Adds to each row of a group what a word of each row of a batch adds: row `g` and word `h` meet in window
/// `g - h`, counted from that of the last word.
#[inline(always)]
fn add_words<S: Simd, M: Residues>(
    s: S,
    sums: &mut [S::I16; GROUP],
    x: &[S::I16; GROUP],
    windows: &[Row; 2 * GROUP - 1],
) {
    let last = const { batch(M::MODULUS) - 1 };
    let mut w = 0;
    while w < GROUP + last {
        let signs = s.load(&windows[w]);
        let mut g = w.saturating_sub(last);
        while g < GROUP && g <= w {
            sums[g] = s.add_signed(sums[g], x[g + last - w], signs);
            g += 1;
        }
        w += 1;
    }
}

impl<M: Residues> Kernel for Sums<'_, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        s.begin_products(16 * self.a.len(), 1);
        self.spread(s);
        self.pad(s);
        let out = core::mem::take(&mut self.out);
        for (index, group) in out.as_chunks_mut::<GROUP>().0.iter_mut().enumerate() {
            let sums = self.group(s, GROUP * index);
            let mut g = 0;
            while g < GROUP {
                s.store(&mut group[g], sums[g]);
                g += 1;
            }
        }
    }
}

/// Signed additions for operands of `ROWS` rows of residues `M`.
pub struct Signed<M, const ROWS: usize> {
    residues: PhantomData<M>,
}

impl<M: Residues, const ROWS: usize> Convolution<ROWS> for Signed<M, ROWS> {
    type Residues = M;
    type Last = Finish;
    const ROUTE: Route = Route::Signed;
    const OUT: usize = product_rows(ROWS);
    const SCRATCH: usize = {
        let [words, signs] = memory(ROWS);
        greater(words + signs, <Schoolbook<M, ROWS> as Convolution<ROWS>>::SCRATCH)
    };
    const PROOF: () = {
        let () = <Schoolbook<M, ROWS> as Convolution<ROWS>>::PROOF;
        assert!(serves(M::MODULUS.greatest(16), 16 * ROWS).is_ok(), "overflow: a sum, or its carries");
    };

    fn product<B: Operand>(cpu: impl Run, operands: [&[Row; ROWS]; 2], out: &mut [Row], scratch: &mut [Row]) {
        Self::product_of::<B>(cpu, ROWS, operands, out, scratch);
    }

    fn product_of<B: Operand>(
        cpu: impl Run,
        used: usize,
        [a, b]: [&[Row; ROWS]; 2],
        out: &mut [Row],
        scratch: &mut [Row],
    ) {
        if const { !B::BOUND.within(SIGNS) } {
            return Schoolbook::<M, ROWS>::product_of::<B>(cpu, used, [a, b], out, scratch);
        }
        let [words, signs] = memory(used);
        let (words, rest) = scratch.split_at_mut(words);
        let (signs, out) = (&mut rest[..signs], &mut out[..product_rows(used)]);
        words[2 * used..].fill([0; 16]);
        signs.fill([0; 16]);
        cpu.run(Sums { by: M::BY, a: &a[..used], b: &b[..used], words, signs, out });
    }
}
