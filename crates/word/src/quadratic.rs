//! Products without transforms, for small primes: here for comparison with the transforms.
//!
//! # The map
//! Modulo `x^n - s`, `s` being 1 or -1, and a prime `p` below `2^26`. Numbers in `[0, p)` are multiplied and
//! summed in words of 64 bits, which hold `n <= 4096` products.
//!
//! * **Schoolbook**: all `2 n - 1` coefficients of the product, then those from `x^n` on times `s` added to
//!   the others.
//! * **Interleaved Montgomery multiplication**, `w` coefficients of `b` at a time, the digits `b_i` of `b` in
//!   `y = x^w`. With `M = x^n - s` and `M' = -1 / M mod y` each step is
//!
//!   ```text
//!   c = c + a b_i,      q = M' c mod y,      c = (c + q M) / y
//!   ```
//!
//!   and what is left in the end is `a b y^(-n/w) = a b x^-n = s a b`. *The original form* multiplies by `M'`
//!   and `M` as by any polynomial, and takes a multiple of `M` off at last, which is 0. *The proposed form*
//!   knows that `M' = s`: `q` is the low digit of `c`, or its negative, and is added at `x^n`.
//!
//! # Here
//! A division by `y` moves nothing: `c` begins `w` words later. What becomes 0 below is not computed, since
//! nobody reads it again. Only low digits are reduced in a step, and all coefficients in the end.
//!
//! # Bounds
//! A coefficient is a sum of at most `n` products below `p^2`, of a reduced number, and of multiples of `p`
//! that pad a digit to whole rows: below `n p^2 + 9 p`, which the compiler holds against `2^64`. A reduction
//! takes the top 16 bits down, `x mod 2^48 + floor(x / 2^48) (2^48 mod p) < 2^49`, and reduces that in lanes
//! of 64 bits, whichever the ring has.
//!
//! # Source
//! S. Akleylek, Z. Yuece Tok: Efficient interleaved Montgomery modular multiplication for lattice-based
//! cryptography (IEICE Electronics Express 11, 2014), algorithm 2. Deviation: `w` divides `n` here, so that
//! its step 8 is a sign. The paper reduces every product; sums of 64 bits need not.

use crate::WordError;
use crate::element::Identity;
use crate::lanes::Arithmetic;
use crate::memory::Lines;
use crate::ring::Shape;
use crate::wide::{Lanes52, MakeFactor, Prime, ROOMY_BITS};
use ringsmith_simd::{Cpu, Kernel, Simd, WideLanes, WideRow, WordLanes, each, wipe};

/// The greatest degree.
pub(crate) const MAX_DEGREE: usize = 4096;
/// The bits of the greatest prime.
pub(crate) const PRIME_BITS: u32 = 26;
/// The most coefficients of a step, and the least degree.
pub(crate) const LONGEST: usize = 64;
/// Zeroes before an operand that is multiplied by digits.
const BEFORE: usize = LONGEST;
/// A word is reduced by so many bits, and what is above.
const TOP: u32 = 48;
/// Rows of `c` at a time.
const GROUP: usize = 4;

const _: () = {
    let greatest = (1_u128 << PRIME_BITS) - 1;
    assert!(MAX_DEGREE as u128 * greatest * greatest + 9 * greatest < 1 << 64);
};

/// How a product is computed that takes no transforms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Every coefficient by every coefficient.
    Schoolbook,
    /// Interleaved Montgomery multiplication.
    Interleaved {
        /// How many coefficients a step takes: 1, 2, 4, .. 64.
        word: usize,
        /// How a step reduces.
        form: Form,
    },
}

/// How a step of an interleaved multiplication reduces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// By a sign and a shift.
    Proposed,
    /// By two products.
    Original,
}

impl Method {
    /// Whether it serves.
    pub(crate) fn serves(self, Identity { shape, n, p, .. }: Identity) -> Result<(), WordError> {
        let signs = matches!(shape, Shape::Cyclic | Shape::Negacyclic);
        if !signs || !(LONGEST..=MAX_DEGREE).contains(&n) || p >> PRIME_BITS != 0 {
            return Err(WordError::Quadratic { n, p });
        }
        match self {
            Method::Interleaved { word, .. } if !word.is_power_of_two() || word > LONGEST => {
                Err(WordError::Step { word })
            }
            _ => Ok(()),
        }
    }
}

/// The operands of a product, and room for what it makes of them.
pub(crate) struct Operands {
    ring: Identity,
    /// Zeroes, `a` and zeroes.
    a: Lines<u64>,
    b: Lines<u64>,
    /// `M` and `M'`, among zeroes as `a` is.
    modulus: Lines<u64>,
    inverse: Lines<u64>,
    /// Zeroes: room for `c` from the first step to the last.
    c: Lines<u64>,
}

impl Operands {
    /// Both are 0.
    pub(crate) fn zero(ring: Identity) -> Result<Self, WordError> {
        let Identity { n, p, .. } = ring;
        let around = BEFORE + LONGEST + 8 * GROUP;
        let [a, mut modulus] = [Lines::zero(around + n)?, Lines::zero(around + n)?];
        let [b, mut inverse] = [Lines::zero(n)?, Lines::zero(around)?];
        let c = Lines::zero(2 * n + LONGEST + 8 * GROUP)?;
        // M = x^n - s, M' = s
        let s = if ring.shape == Shape::Negacyclic { p - 1 } else { 1 };
        (modulus[BEFORE], modulus[BEFORE + n]) = (p - s, 1);
        inverse[BEFORE] = s;
        Ok(Operands { ring, a, b, modulus, inverse, c })
    }

    /// Room for the coefficients of `a`.
    pub(crate) fn first(&mut self) -> &mut [u64] {
        &mut self.a[BEFORE..BEFORE + self.ring.n]
    }

    /// Room for those of `b`.
    pub(crate) fn second(&mut self) -> &mut [u64] {
        &mut self.b
    }

    /// The coefficients of `a b`, in `[0, p)`; the operands are used up.
    pub(crate) fn product(&mut self, cpu: Cpu, method: Method) -> &[u64] {
        let Identity { shape, n, p, .. } = self.ring;
        cpu.run(Product {
            prime: &Prime::new(p, cpu.run(MakeFactor)),
            p,
            top: (1 << TOP) % p,
            n,
            negacyclic: shape == Shape::Negacyclic,
            method,
            a: &self.a,
            b: &self.b,
            modulus: &self.modulus,
            inverse: &self.inverse,
            c: &mut self.c,
        });
        &self.c[..n]
    }
}

/// A product: the ring, the method, and what [`Operands`] hold.
struct Product<'a> {
    prime: &'a Prime,
    p: u64,
    /// `2^TOP` modulo `p`.
    top: u64,
    n: usize,
    negacyclic: bool,
    method: Method,
    a: &'a [u64],
    b: &'a [u64],
    modulus: &'a [u64],
    inverse: &'a [u64],
    c: &'a mut [u64],
}

/// `out += x_0 f + x_1 x f + ..` for rows of `out` and words `x`, with the words of `f` around those rows.
#[inline(always)]
fn add_rows<W: WordLanes, const ROWS: usize>(w: W, digit: &[u64], f: &[u64], out: &mut [WideRow; ROWS]) {
    for piece in 0..W::PIECES {
        add_piece(w, digit, f, out, piece);
    }
}

/// The same for a piece of the rows of `out`.
#[inline(always)]
fn add_piece<W: WordLanes, const ROWS: usize>(
    w: W,
    digit: &[u64],
    f: &[u64],
    out: &mut [WideRow; ROWS],
    piece: usize,
) {
    let mut sums: [W::Words; ROWS] = each(
        #[inline(always)]
        |i| w.load_words(&out[i], piece),
    );
    // The last word meets the first window.
    for (x, window) in digit.iter().rev().zip(f.windows(8 * ROWS)) {
        let Some(rows) = window.as_chunks().0.first_chunk::<ROWS>() else { return };
        let x = w.splat_words(*x);
        sums = each(
            #[inline(always)]
            |i| w.madd_low32(sums[i], w.load_words(&rows[i], piece), x),
        );
    }
    let mut i = 0;
    while i < ROWS {
        w.store_words(&mut out[i], piece, sums[i]);
        i += 1;
    }
}

/// `out += digit f`, as long as `out` is; `f` has zeroes before and behind it.
#[inline(always)]
fn add_product<W: WordLanes>(w: W, digit: &[u64], f: &[u64], out: &mut [u64]) {
    let mut f = f.get(BEFORE + 1 - digit.len()..).unwrap_or_default();
    let (groups, rest) = out.as_chunks_mut::<{ 8 * GROUP }>();
    for group in groups {
        let Some(rows) = group.as_chunks_mut().0.first_chunk_mut::<GROUP>() else { return };
        add_rows(w, digit, f, rows);
        f = f.get(8 * GROUP..).unwrap_or_default();
    }
    for row in rest.as_chunks_mut::<8>().0 {
        add_rows(w, digit, f, core::array::from_mut(row));
        f = f.get(8..).unwrap_or_default();
    }
}

/// Words of whole rows.
#[inline(always)]
const fn whole(words: usize) -> usize {
    words.div_ceil(8) * 8
}

/// Reduction of whole words.
#[derive(Clone, Copy)]
struct Reduction<W: WordLanes> {
    w: W,
    lanes: Lanes52<W, ROOMY_BITS>,
    /// `2^TOP - 1`, and `2^TOP` modulo `p`.
    low: W::Words,
    top: W::Words,
    p: W::Words,
}

impl<W: WordLanes> Reduction<W> {
    #[inline(always)]
    fn new(w: W, of: &Product<'_>) -> Self {
        let [low, top, p] = [w.splat_words((1 << TOP) - 1), w.splat_words(of.top), w.splat_words(of.p)];
        Reduction { w, lanes: Lanes52::new(w, of.prime), low, top, p }
    }

    /// A word in `[0, p)`.
    #[inline(always)]
    fn word(self, x: W::Words) -> W::Words {
        let x = self.w.madd_low32(self.w.and_words(x, self.low), self.w.top_words(x), self.top);
        self.lanes.canonical(self.lanes.reduce(x))
    }

    /// `p - x`, modulo `p` in `[0, p)`.
    #[inline(always)]
    fn negative(self, x: W::Words) -> W::Words {
        self.w.sub_if_words(self.w.sub_words(self.p, x), self.p)
    }

    /// The first words reduced, zeroes behind them.
    #[inline(always)]
    fn digit(self, from: &[u64], word: usize, to: &mut [u64; LONGEST]) {
        for (from, to) in from.as_chunks::<8>().0.iter().zip(to.as_chunks_mut::<8>().0) {
            for piece in 0..W::PIECES {
                self.w.store_words(to, piece, self.word(self.w.load_words(from, piece)));
            }
        }
        to[word..].fill(0);
    }
}

impl Product<'_> {
    /// `c + q M`, `c` being where the step began, by two products.
    #[inline(always)]
    fn reduce_by_products<W: WordLanes>(&mut self, by: Reduction<W>, place: usize, word: usize) {
        let (mut low, mut q) = ([0; LONGEST], [0; LONGEST]);
        let Some(c) = self.c.get_mut(place..) else { return };
        by.digit(&c[..whole(word)], word, &mut low);
        add_product(by.w, &low[..word], self.inverse, &mut q[..whole(word)]);
        by.digit(&q[..whole(word)], word, &mut low);
        if let Some(c) = c.get_mut(..whole(self.n + word)) {
            add_product(by.w, &low[..word], self.modulus, c);
        }
        wipe(&mut low);
        wipe(&mut q);
    }

    /// The same by a sign and a shift.
    #[inline(always)]
    fn reduce_by_shift<W: WordLanes>(&mut self, by: Reduction<W>, place: usize, word: usize) {
        let w = by.w;
        let mut low = [0; LONGEST];
        let Some((from, to)) = self.c.get_mut(place..).and_then(|c| c.split_at_mut_checked(self.n)) else {
            return;
        };
        by.digit(&from[..whole(word)], word, &mut low);
        for (to, low) in to.as_chunks_mut::<8>().0.iter_mut().zip(low[..whole(word)].as_chunks::<8>().0) {
            for piece in 0..W::PIECES {
                let low = w.load_words(low, piece);
                // Where it is 0 that adds p.
                let q = if self.negacyclic { w.sub_words(by.p, low) } else { low };
                w.store_words(to, piece, w.add_words(w.load_words(to, piece), q));
            }
        }
        wipe(&mut low);
    }

    /// All steps; the result is `s` times what is from `n` on.
    #[inline(always)]
    fn interleaved<W: WordLanes>(&mut self, by: Reduction<W>, word: usize, form: Form) {
        let n = self.n;
        // All are whole; `chunks_exact` would divide.
        for (i, digit) in self.b.chunks(word).enumerate() {
            let place = i * word;
            if let Some(c) = self.c.get_mut(place..place + whole(n + word - 1)) {
                add_product(by.w, digit, self.a, c);
            }
            match form {
                Form::Proposed => self.reduce_by_shift(by, place, word),
                Form::Original => self.reduce_by_products(by, place, word),
            }
        }
        // The multiple of M that the original form takes off: its degree is below n.
        if let (Form::Original, Some(c)) = (form, self.c.get_mut(n..)) {
            let top = [c[n]];
            add_product(by.w, &top, self.modulus, &mut c[..whole(n + 1)]);
        }
        let negacyclic = self.negacyclic;
        self.write(
            by,
            #[inline(always)]
            |_, high| if negacyclic { by.negative(high) } else { high },
        );
    }

    /// All products, then those from `x^n` on taken down.
    #[inline(always)]
    fn schoolbook<W: WordLanes>(&mut self, by: Reduction<W>) {
        let negacyclic = self.negacyclic;
        for (i, digit) in self.b.chunks_exact(LONGEST).enumerate() {
            let end = i * LONGEST + whole(self.n + LONGEST - 1);
            if let Some(c) = self.c.get_mut(i * LONGEST..end) {
                add_product(by.w, digit, self.a, c);
            }
        }
        self.write(
            by,
            #[inline(always)]
            |low, high| {
                let high = if negacyclic { by.negative(high) } else { high };
                by.w.sub_if_words(by.w.add_words(low, high), by.p)
            },
        );
    }

    /// Writes `map` of the words from 0 and from `n` on, reduced, in place of the former.
    #[inline(always)]
    fn write<W: WordLanes>(&mut self, by: Reduction<W>, map: impl Fn(W::Words, W::Words) -> W::Words) {
        let (low, high) = self.c.split_at_mut(self.n);
        for (low, high) in low.as_chunks_mut().0.iter_mut().zip(high.as_chunks().0) {
            for piece in 0..W::PIECES {
                let [x, y] = [by.w.load_words(low, piece), by.w.load_words(high, piece)];
                by.w.store_words(low, piece, map(by.word(x), by.word(y)));
            }
        }
    }

    /// The product by its method.
    #[inline(always)]
    fn product<W: WordLanes>(&mut self, w: W) {
        let by = Reduction::new(w, self);
        match self.method {
            Method::Interleaved { word, form } => self.interleaved(by, word, form),
            Method::Schoolbook => self.schoolbook(by),
        }
    }
}

/// With AVX-512 on its registers, else on those of the token.
impl Kernel for Product<'_> {
    type Out = ();
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        self.product(s);
    }
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(mut self, _: S, w: W) {
        self.product(w);
    }
}
