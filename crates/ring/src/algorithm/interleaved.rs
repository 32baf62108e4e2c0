//! Interleaved Montgomery multiplication modulo `x^n - 1` or `x^n + 1`: for powers of two.
//!
//! # The map
//! `c = a b` modulo `M = x^n - s`, `s` being 1 or -1, `w` coefficients of `b` at a time. With the digits
//! `b = b_0 + b_1 y + ..`, `y = x^w`, of which there are `m = ceil(n / w)`, each step is
//!
//! ```text
//! c = c + a b_i,      q = M' c mod y,      c = (c + q M) / y        with M' = -1 / M mod y
//! ```
//!
//! and leaves `a b y^-m` in the end. What is divided is a multiple of `y`: `M M' = -1`.
//!
//! * **The original form** multiplies by `M'` and by `M`, as for any `M`, and takes a multiple of `M`
//!   off at last, which is 0.
//! * **The proposed form** has `M' = s` for granted (lemmas 1 and 2). So `q` is the low digit of `c`, or
//!   that with the other sign, and `q M = s q x^n - q`: the digit goes away below, and is added or taken
//!   off at `x^n`.
//!
//! The result is made plain by `x^(w m)`: a rotation by `w m - n` places. What passes the end changes
//! its sign modulo `x^n + 1`.
//!
//! # Here
//! A division by `y` moves nothing: `c` begins `w` words later. So its `- q` is no operation, since nobody
//! reads those words again, and the rotation says where words are read at last. A product by a digit is
//! one by each of its words, several rows of `c` at a time. `n`, `w` and the form are values: there is
//! one kernel.
//!
//! # Conditions
//! A power of two; `x^n - 1` or `x^n + 1`; `1 <= w <= 64 <= n` ([`WORDS`] are tried).
//!
//! # Bounds
//! In: centred; out: centred. Words wrap.
//!
//! # Source
//! S. Akleylek, Z. Yuece Tok: Efficient interleaved Montgomery modular multiplication for lattice-based
//! cryptography (IEICE Electronics Express 11, 2014), algorithms 1 and 2. Deviation: its step 8 multiplies by
//! `x^(w m)`, which is that rotation. The original form is made plain by it, too, where the paper has another
//! product.
//!
//! ```
//! use ringsmith_ring::{Poly, Route};
//! use ringsmith_routes::{multiplier, rings::Ees401};
//! use ringsmith_simd::Cpu;
//!
//! let mut x = [0i16; 401];
//! x[400] = 3;
//! let x = Poly::<Ees401>::new(&x).unwrap();
//! for route in ["interleaved:16", "interleaved-original:16"] {
//!     let interleaved = multiplier(Cpu::detect(), route.parse::<Route>().unwrap())?;
//!     // 3 x^400 3 x^400 = 9 x^399
//!     let square = interleaved.multiply(&x, &x, &mut interleaved.scratch());
//!     assert_eq!(square.centred()[398..], [0, 9, 0]);
//! }
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

use super::choice::Operand;
use super::size_class::lanes_below;
use crate::memory::Coefficients;
use crate::multiply::Product;
use crate::reduce::residues::{Arithmetic, Modulus, Residues, Wrapping};
use crate::ring::{Ring, Shape};
use crate::route::{Montgomery, Route};
use crate::why_not::WhyNot;
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Row, Run, Simd, each};

/// Word lengths that tools try: a coefficient, the words of a vector of 128 bits, those of one or
/// several rows.
pub const WORDS: [usize; 5] = [1, 8, 16, 32, 64];

/// The longest word.
const LONGEST: usize = 64;
/// Rows of `c` at a time.
const GROUP: usize = 4;

/// The conditions.
pub(crate) const fn serves(q: i64, n: usize, shape: Shape, word: usize) -> Result<(), WhyNot> {
    match (Modulus::of(q), shape) {
        (_, Shape::HalfTrinomial | Shape::PrimeTrinomial) => Err(WhyNot::Shape { needs: Shape::Cyclic }),
        (Some(Modulus::Wrapping), _) if word < 1 || word > LONGEST || n < LONGEST => Err(WhyNot::Word),
        (Some(Modulus::Wrapping), _) => Ok(()),
        _ => Err(WhyNot::PowerOfTwo),
    }
}

/// What a product depends on, beside its operands.
#[derive(Clone, Copy, Debug)]
pub struct Interleaving {
    /// The degree.
    pub n: usize,
    /// How many coefficients a step takes.
    pub word: usize,
    /// Whether the modulus polynomial is `x^n + 1`.
    pub negacyclic: bool,
    /// How a step reduces.
    pub form: Montgomery,
}

/// Words of whole rows.
#[inline(always)]
const fn whole(words: usize) -> usize {
    words.div_ceil(16) * 16
}

impl Interleaving {
    /// Rows of memory.
    pub const fn memory(&self) -> usize {
        let [c, multiplicand, modulus, inverse, digit] = memory(self.n);
        c + multiplicand + modulus + inverse + digit
    }

    /// `out = a b` modulo `q`, a power of two, and zeroes behind it; operands stand in rows, zeroes
    /// behind them. A function of its own, which the routes of all rings call.
    #[inline(never)]
    pub fn product(&self, cpu: impl Run, q: i64, [a, b]: [&[Row]; 2], out: &mut [Row], scratch: &mut [Row]) {
        let [sizes @ .., _] = memory(self.n);
        let (used, mut rest) = (self.n.div_ceil(16), scratch);
        let [c, multiplicand, modulus, inverse] = sizes.map(|rows| {
            let (rows, more) = core::mem::take(&mut rest).split_at_mut(rows);
            rest = more;
            rows.as_flattened_mut()
        });
        c.fill(0);
        multiplicand.fill(0);
        multiplicand[BEFORE..][..16 * used].copy_from_slice(a[..used].as_flattened());
        let original = match self.form {
            Montgomery::Proposed => None,
            Montgomery::Original => {
                modulus.fill(0);
                inverse.fill(0);
                let x_to_the_n = if self.negacyclic { -1 } else { 1 };
                (modulus[BEFORE], modulus[BEFORE + self.n], inverse[BEFORE]) = (-x_to_the_n, 1, x_to_the_n);
                Some(Original { modulus, inverse, digit: rest.as_flattened_mut() })
            }
        };
        let (front, behind) = out.split_at_mut(used);
        behind.fill([0; 16]);
        let b = &b.as_flattened()[..self.n];
        let by = Wrapping::modulo(q);
        cpu.run(Steps { by, of: *self, a: multiplicand, b, original, c, out: front });
    }
}

/// Zeroes before an operand that is multiplied by digits.
const BEFORE: usize = LONGEST;

/// Rows of `c` from the first step to the last, of `a`, `M` and `M'` with zeroes around them, and of `q`.
const fn memory(n: usize) -> [usize; 5] {
    let padded = (BEFORE + n + LONGEST).div_ceil(16) + 2;
    [(2 * n + LONGEST).div_ceil(16) + 2, padded, padded, (BEFORE + LONGEST) / 16 + 1, LONGEST / 16]
}

/// What the original form multiplies by.
struct Original<'a> {
    modulus: &'a [i16],
    inverse: &'a [i16],
    /// Room for `q`.
    digit: &'a mut [i16],
}

/// All steps.
struct Steps<'a> {
    by: Wrapping,
    of: Interleaving,
    a: &'a [i16],
    b: &'a [i16],
    original: Option<Original<'a>>,
    c: &'a mut [i16],
    out: &'a mut [Row],
}

/// `out += x_0 f + x_1 x f + ..` for rows of `out` and words `x`, with the words of `f` around those rows.
#[inline(always)]
fn add_rows<S: Simd, const ROWS: usize>(s: S, digit: &[i16], f: &[i16], out: &mut [Row; ROWS]) {
    let mut sums: [S::I16; ROWS] = each(
        #[inline(always)]
        |i| s.load(&out[i]),
    );
    // The last word meets the first window.
    for (x, window) in digit.iter().rev().zip(f.windows(16 * ROWS)) {
        let Some(rows) = window.as_chunks().0.first_chunk::<ROWS>() else { return };
        let mut i = 0;
        while i < ROWS {
            sums[i] = s.mac_word(sums[i], s.load(&rows[i]), *x);
            i += 1;
        }
    }
    let mut i = 0;
    while i < ROWS {
        s.store(&mut out[i], sums[i]);
        i += 1;
    }
}

/// `out += digit f`, as long as `out` is; `f` has zeroes before and behind it.
#[inline(always)]
fn add_product<S: Simd>(s: S, digit: &[i16], f: &[i16], out: &mut [i16]) {
    s.begin_products(digit.len(), 1);
    let mut f = f.get(BEFORE + 1 - digit.len()..).unwrap_or_default();
    let (groups, rest) = out.as_chunks_mut::<{ 16 * GROUP }>();
    for group in groups {
        let Some(rows) = group.as_chunks_mut().0.first_chunk_mut::<GROUP>() else { return };
        add_rows(s, digit, f, rows);
        f = f.get(16 * GROUP..).unwrap_or_default();
    }
    for row in rest.as_chunks_mut::<16>().0 {
        add_rows(s, digit, f, core::array::from_mut(row));
        f = f.get(16..).unwrap_or_default();
    }
}

/// `to = to + from` in the first `words` words, or `to - from`.
#[inline(always)]
fn add_words<S: Simd>(s: S, subtract: bool, words: usize, from: &[i16], to: &mut [i16]) {
    let (from, to) = (from.as_chunks::<16>().0, to.as_chunks_mut::<16>().0);
    let mut left = words;
    for (from, to) in from.iter().zip(to) {
        let few = s.and(s.load(from), s.load(lanes_below(if left < 16 { left } else { 16 })));
        let sum = s.load(to);
        s.store(to, if subtract { s.sub(sum, few) } else { s.add(sum, few) });
        left = left.saturating_sub(16);
        if left == 0 {
            break;
        }
    }
}

impl Steps<'_> {
    /// `(c + q M) / y` of the original form, `c` being where the step began.
    #[inline(always)]
    fn reduce_by_products<S: Simd>(s: S, of: &Interleaving, by: &mut Original<'_>, c: &mut [i16]) {
        let (word, length) = (of.word, whole(of.n + of.word));
        let (Some(low), Some(digit)) = (c.get(..word), by.digit.get_mut(..whole(word))) else { return };
        digit.fill(0);
        add_product(s, low, by.inverse, digit);
        let (Some(digit), Some(c)) = (digit.get(..word), c.get_mut(..length)) else { return };
        s.begin_sum(of.n + word);
        add_product(s, digit, by.modulus, c);
    }

    /// The same of the proposed form.
    #[inline(always)]
    fn reduce_by_shift<S: Simd>(s: S, of: &Interleaving, c: &mut [i16]) {
        let Some((low, high)) = c.split_at_mut_checked(of.n) else { return };
        s.begin_sum(of.word);
        add_words(s, of.negacyclic, of.word, low, high);
    }

    /// The result, which begins at `place`, made plain: word `n + k` is coefficient `k`, and so is word
    /// `2 n + k`.
    #[inline(always)]
    fn rotate<S: Simd>(self, s: S, place: usize) {
        let Interleaving { n, negacyclic, .. } = self.of;
        let Some(words) = self.c.get_mut(n..) else { return };
        let Some((front, passed)) = words.split_at_mut_checked(n) else { return };
        // What passed the end comes to the front, where nothing else is looked at any more.
        let count = place - n;
        if let Some(front) = front.get_mut(..count) {
            front.fill(0);
        }
        add_words(s, negacyclic, count, passed, front);
        let (zero, mut left) = (s.splat(0), n);
        for (out, row) in self.out.iter_mut().zip(words.as_chunks::<16>().0) {
            let row = s.load(row);
            let centred = self.by.finish(s, if negacyclic { s.sub(zero, row) } else { row });
            s.store(out, s.and(centred, s.load(lanes_below(if left < 16 { left } else { 16 }))));
            left = left.saturating_sub(16);
        }
    }
}

impl Kernel for Steps<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let Interleaving { n, word, .. } = self.of;
        let (mut b, mut place) = (self.b, 0);
        while !b.is_empty() {
            let (digit, more) = b.split_at(if b.len() < word { b.len() } else { word });
            let Some(c) = self.c.get_mut(place..) else { return };
            if let Some(c) = c.get_mut(..whole(n + digit.len() - 1)) {
                s.begin_sum(n + digit.len() - 1);
                add_product(s, digit, self.a, c);
            }
            match &mut self.original {
                Some(original) => Self::reduce_by_products(s, &self.of, original, c),
                None => Self::reduce_by_shift(s, &self.of, c),
            }
            place += word;
            b = more;
        }
        if let (Some(original), Some(c)) = (&self.original, self.c.get_mut(place..))
            && let (Some(top), Some(c)) = (c.get(n).copied(), c.get_mut(..whole(n + 1)))
        {
            s.begin_sum(n + 1);
            add_product(s, &[top.wrapping_neg()], original.modulus, c);
        }
        self.rotate(s, place);
    }
}

/// A form as a type.
pub trait Form {
    /// The form.
    const FORM: Montgomery;
}

/// [`Montgomery::Proposed`].
pub struct ByShift;

impl Form for ByShift {
    const FORM: Montgomery = Montgomery::Proposed;
}

/// [`Montgomery::Original`].
pub struct ByProducts;

impl Form for ByProducts {
    const FORM: Montgomery = Montgomery::Original;
}

/// Products in a ring, `WORD` coefficients at a time.
pub struct Interleaved<F, const WORD: usize>(PhantomData<F>);

impl<F: Form, const WORD: usize> Interleaved<F, WORD> {
    const fn of<R: Ring>() -> Interleaving {
        let negacyclic = matches!(R::SHAPE, Shape::Negacyclic);
        Interleaving { n: R::N, word: WORD, negacyclic, form: F::FORM }
    }
}

impl<R: Ring, F: Form, const WORD: usize> Product<R> for Interleaved<F, WORD> {
    const ROUTE: Route = Route::Interleaved { word: WORD, form: F::FORM };
    const CHECK: () = {
        assert!(serves(R::Q, R::N, R::SHAPE, WORD).is_ok(), "another ring, or no word");
        assert!(R::N <= 16 * <R::Coeffs as Coefficients>::ROWS, "an element has too few rows");
    };
    const SCRATCH: usize = Self::of::<R>().memory();

    fn product<B: Operand>(cpu: impl Run, a: &[Row], b: &[Row], out: &mut [Row], scratch: &mut [Row]) {
        const { Self::of::<R>() }.product(cpu, R::Q, [a, b], out, scratch);
    }
}
