//! The complete negacyclic transform in 32-bit lanes, without a reduction between its layers.
//!
//! # The map
//! With `zeta` of order `2 n`, `Z_q[x]/(x^n + 1)` splits into `n` copies of `Z_q`: the values of a
//! polynomial at the odd powers of `zeta`. A layer takes `x^(2m) - r^2` to `x^m - r` and `x^m + r`; node `i`
//! of the tree has the twiddle `zeta^brv(i)`, with the bits of `i` in reverse order. Forward by
//! Cooley-Tukey, inverse by Gentleman-Sande with `1/n` merged in the last layer.
//!
//! Layers go two at a time. With `w` the twiddle of a node and `v`, `v'` those of its children, four rows
//! become
//!
//! ```text
//! x_0 + w x_2 +- (v x_1 + v w x_3)   and   x_0 - w x_2 +- (v' x_1 - v' w x_3).
//! ```
//!
//! Each bracket is reduced once: three reductions in place of four, of which none waits for another.
//! Backwards, with the inverses, `d = x_0 - x_1` and `d' = x_2 - x_3`,
//!
//! ```text
//! (x_0 + x_1) + (x_2 + x_3),   v d + v' d',   w ((x_0 + x_1) - (x_2 + x_3)),   v w d - v' w d'.
//! ```
//!
//! # Passes
//! Rows hold 8 coefficients. Two layers over rows a quarter of all apart, two over rows a sixteenth apart,
//! then tiles of eight rows: the layers that are left across rows (one of 32 rows, two of 64), a transpose
//! in registers, three layers inside.
//!
//! Where rows are arrays there are no tiles: the layers go number by number, with products that are exactly
//! centred (`plain.rs`).
//!
//! # The order of the values
//! In [`Standard`] order value `p` is that at `zeta^(2 brv(p) + 1)`, which is FIPS 204's order: tiles are
//! transposed back at the end, and before the inverse. In [`Tiled`] order they are not: slot (row `8 t + c`,
//! lane `l`) has value `64 t + 8 l + c` ([`place`]); [`Values::tiled`] and [`Values::standard`] change the
//! order. A transform in tiled order takes 0.93 of one in standard order (AVX2), which saves as much as it
//! costs to reorder the values of one polynomial. A matrix of ML-DSA-87 has 56 polynomials, a verification
//! 24 transforms: tiled order pays where a matrix is kept and used many times.
//!
//! # Bounds
//! All arithmetic is on signed lanes. Forward, from coefficients of at most `q` in absolute value, each
//! layer adds at most `q` and a little ([`WordNtt::forward_bounds`]). Backwards sums double in each layer,
//! so that after all of them they are at most `n q`, which must be below `2^31`: for `n` = 256 and `q` =
//! 8380417 it is 2145386752, so that no lane has room for a ninth layer. The inverse takes products of at
//! most `q`. Products of values are added in 64 bits, and reduced once; sums of up to [`TERMS`] are at most
//! `q` then.
//!
//! # Factors
//! Values have none. Products have `2^-32`, which the inverse takes off; so they are a type of their own.
//!
//! # Conditions
//! Negacyclic; `n` = 256 or 512; roots of unity of order `2 n` modulo a prime `q`; `n q < 2^31`.
//!
//! # Source
//! FIPS 204, algorithms 41 and 42, and 45 for products. Products by constants: Becker et al., *Neon NTT*,
//! IACR ePrint 2021/986; products of values: G. Seiler, IACR ePrint 2018/039 (see
//! `ringsmith_simd::ProductLanes`). Deviations: twiddles are centred, nothing is reduced to `[0, q)` but
//! results, and two layers share reductions.
//!
//! # Constant time
//! In all coefficients and values.
//!
//! ```
//! use ringsmith_ring::Rows32;
//! use ringsmith_ring::algorithm::words::{Products, Standard, Values, WordNtt};
//! use ringsmith_simd::Cpu;
//!
//! // The ring of ML-DSA: x^255 x = -1.
//! type Ntt = WordNtt<8380417, 32>;
//! let cpu = Cpu::detect();
//! let power = |degree: usize| {
//!     let (mut x, mut values) = (Rows32([[0; 8]; 32]), Values::<_, _, Standard>::ZERO);
//!     x.0.as_flattened_mut()[degree] = 1;
//!     Ntt::forward(cpu, &x, &mut values);
//!     values
//! };
//! let (mut product, mut out) = (Products::ZERO, Rows32([[0; 8]; 32]));
//! Ntt::accumulate(cpu, [&power(255)], [&power(1)], &mut product);
//! Ntt::inverse(cpu, &mut product, &mut out);
//! assert_eq!(out.0.as_flattened()[..2], [8380416, 0]);
//! ```

mod bounds;
mod butterfly;
mod kernels;
mod plain;
mod tables;

use self::kernels::{Centred, Forward, InnerProduct, Inverse, Reorder, Representatives, Residues};
use crate::bound::{Bound, hold};
use crate::memory::Rows32;
use crate::ring::Shape;
use crate::why_not::WhyNot;
use core::marker::PhantomData;
use ringsmith_simd::{Row32, Run};
use zeroize::Zeroize;

/// Products that one sum may have.
pub const TERMS: usize = 8;

/// The conditions.
pub const fn serves(q: i64, n: usize, shape: Shape) -> Result<(), WhyNot> {
    if !matches!(shape, Shape::Negacyclic) {
        return Err(WhyNot::Shape { needs: Shape::Negacyclic });
    }
    if n != 256 && n != 512 {
        return Err(WhyNot::Degree);
    }
    if let Err(why) = super::tree::roots_serve(q, 2 * n) {
        return Err(why);
    }
    if bounds::inverse_fits(q, n, Bound::symmetric(q)) { Ok(()) } else { Err(WhyNot::Bounds) }
}

/// In which order values stand.
pub trait Order: Copy + Send + Sync + 'static {
    /// Whether tiles of 8 x 8 stand as the transform leaves them.
    const TILED: bool;
}

/// Value `p` in row `p / 8`, lane `p mod 8`: the order of FIPS 204.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standard;

impl Order for Standard {
    const TILED: bool = false;
}

/// The order that the transform leaves: see [`place`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tiled;

impl Order for Tiled {
    const TILED: bool = true;
}

/// The place in standard order of the value that tiled order has in this row and lane.
pub const fn place(row: usize, lane: usize) -> usize {
    row / 8 * 64 + 8 * lane + row % 8
}

/// The values of an element, at most [`WordNtt::VALUES`] in absolute value.
///
/// They may be secret: so there is no `Debug`, and [`Zeroize`] clears them.
#[derive(Clone, Copy)]
pub struct Values<const Q: i64, const ROWS: usize, O: Order = Standard> {
    rows: Rows32<ROWS>,
    order: PhantomData<O>,
}

/// A sum of products of values, at most `q` in absolute value, with the factor `2^-32`.
///
/// They may be secret: so there is no `Debug`, and [`Zeroize`] clears them.
#[derive(Clone, Copy)]
pub struct Products<const Q: i64, const ROWS: usize, O: Order = Standard> {
    rows: Rows32<ROWS>,
    order: PhantomData<O>,
}

impl<const Q: i64, const ROWS: usize, O: Order> Zeroize for Values<Q, ROWS, O> {
    fn zeroize(&mut self) {
        self.rows.zeroize();
    }
}

impl<const Q: i64, const ROWS: usize, O: Order> Zeroize for Products<Q, ROWS, O> {
    fn zeroize(&mut self) {
        self.rows.zeroize();
    }
}

impl<const Q: i64, const ROWS: usize, O: Order> Products<Q, ROWS, O> {
    /// All zero.
    pub const ZERO: Self = Products { rows: Rows32([[0; 8]; ROWS]), order: PhantomData };
}

impl<const Q: i64, const ROWS: usize, O: Order> Values<Q, ROWS, O> {
    /// All zero.
    pub const ZERO: Self = Values { rows: Rows32([[0; 8]; ROWS]), order: PhantomData };

    /// The values in their order: congruent to those of the definition, not reduced.
    pub fn rows(&self) -> &[Row32; ROWS] {
        &self.rows.0
    }

    /// The same, to write: values in `[0, q)`, as they are sampled. Debug builds check that they are at most
    /// [`WordNtt::VALUES`] where they are multiplied.
    pub fn rows_mut(&mut self) -> &mut [Row32; ROWS] {
        &mut self.rows.0
    }
}

impl<const Q: i64, const ROWS: usize> Values<Q, ROWS, Standard> {
    /// The same values in tiled order; `out` is overwritten.
    pub fn tiled(&self, cpu: impl Run, out: &mut Values<Q, ROWS, Tiled>) {
        cpu.run(Reorder { input: self.rows(), out: out.rows_mut() });
    }
}

impl<const Q: i64, const ROWS: usize> Values<Q, ROWS, Tiled> {
    /// The same values in standard order; `out` is overwritten.
    pub fn standard(&self, cpu: impl Run, out: &mut Values<Q, ROWS, Standard>) {
        cpu.run(Reorder { input: self.rows(), out: out.rows_mut() });
    }
}

/// The transform of `Z_Q[x]/(x^(8 ROWS) + 1)`.
pub struct WordNtt<const Q: i64, const ROWS: usize>;

impl<const Q: i64, const ROWS: usize> WordNtt<Q, ROWS> {
    /// The degree.
    pub const DEGREE: usize = 8 * ROWS;
    /// What [`forward`](Self::forward) takes in each coefficient.
    pub const INPUT: Bound = Bound::symmetric(Q);
    /// Where values lie, on any CPU.
    pub const VALUES: Bound = bounds::values(Q, Self::DEGREE, Self::INPUT);
    /// Where sums of products lie that [`inverse`](Self::inverse) takes.
    pub const PRODUCTS: Bound = Bound::symmetric(Q);

    /// Where lanes lie before the first layer, after two, and so on, and after the last, of coefficients in
    /// `input`, on any CPU.
    ///
    /// # Panics
    /// Where a lane would overflow: where it is a constant, the build fails.
    pub const fn forward_bounds(input: Bound) -> [Bound; bounds::STAGES] {
        bounds::forward(Q, Self::DEGREE, input)
    }

    /// Where the sums of the inverse lie before the first layer, after one, and so on, and after the last, of
    /// products in `input`, on any CPU.
    ///
    /// # Panics
    /// Where a lane would overflow: where it is a constant, the build fails.
    pub const fn inverse_bounds(input: Bound) -> [Bound; bounds::LAYERS] {
        bounds::inverse(Q, Self::DEGREE, input)
    }

    /// Proves that the inverse takes products in `input`.
    ///
    /// # Panics
    /// Where a lane would overflow, or they are not in [`PRODUCTS`](Self::PRODUCTS), which is all that
    /// [`inverse`](Self::inverse) promises to take: where it is a constant, the build fails.
    pub const fn prove_inverse(input: Bound) {
        let _ = Self::inverse_bounds(input);
        assert!(input.within(Self::PRODUCTS), "overflow: the inverse takes products of at most q");
    }

    /// Where sums of so many products lie before a last step, on any CPU.
    const fn sums(terms: usize) -> Bound {
        bounds::sums(Q, Self::VALUES, terms)
    }

    /// Whether sums of so many products take a step towards 0, to be at most `q`.
    const fn stepped(terms: usize) -> bool {
        !Self::sums(terms).within(Self::PRODUCTS)
    }

    /// Proves at compile time that no lane overflows.
    pub const PROOF: () = {
        Self::prove_inverse(Self::PRODUCTS);
        assert!(serves(Q, Self::DEGREE, Shape::Negacyclic).is_ok(), "a ring that this transform serves");
        let _ = Self::forward_bounds(Self::INPUT);
        // Without vectors a layer adds half as much, and results are centred: see `plain`.
        let layers = Self::DEGREE.trailing_zeros() as i64;
        let plain = Self::INPUT.add(Bound::symmetric(layers * (Q / 2)));
        assert!(plain.within(Self::VALUES), "overflow: a lane of the transform without vectors");
        // Results become residues by two steps, and centred ones go through (q - 1) / 2 more.
        let results = bounds::results(Q, Self::DEGREE, Self::PRODUCTS).add(Bound::new(0, Q / 2));
        assert!(results.within(Bound::new(-2 * Q, 2 * Q - 1)), "overflow: a result of the inverse");
        // A step takes at most 2 q to q.
        assert!(Self::sums(TERMS).within(Bound::symmetric(2 * Q)), "overflow: a sum of products");
    };

    /// The values of `a`, whose coefficients are at most `q` in absolute value: those of `[0, q)`, centred
    /// ones, and any smaller.
    pub fn forward<O: Order>(cpu: impl Run, a: &Rows32<ROWS>, out: &mut Values<Q, ROWS, O>) {
        let () = Self::PROOF;
        debug_assert!(hold(a.0.as_flattened(), Self::INPUT), "coefficients out of range");
        cpu.run(Forward::<Q, ROWS, O> { input: &a.0, out: &mut out.rows.0, order: PhantomData });
    }

    /// `out = sum a_k b_k` of up to [`TERMS`] terms: one row of a matrix times a vector, say.
    pub fn accumulate<O: Order, const K: usize>(
        cpu: impl Run,
        a: [&Values<Q, ROWS, O>; K],
        b: [&Values<Q, ROWS, O>; K],
        out: &mut Products<Q, ROWS, O>,
    ) {
        let () = Self::PROOF;
        const { assert!(0 < K && K <= TERMS, "a sum of 1 to 8 products") };
        debug_assert!(a.iter().chain(&b).all(|x| hold(x.rows.0.as_flattened(), Self::VALUES)));
        let (a, b) = (a.map(Values::rows), b.map(Values::rows));
        cpu.run(InnerProduct::<Q, ROWS, K> { a: &a, b: &b, out: &mut out.rows.0 });
    }

    /// The element of a sum of products, with coefficients in `[0, q)`; spoils the products.
    pub fn inverse<O: Order>(cpu: impl Run, products: &mut Products<Q, ROWS, O>, out: &mut Rows32<ROWS>) {
        Self::inverse_to::<O, Residues>(cpu, products, out);
    }

    /// The same, centred: coefficients of at most `(q - 1) / 2` in absolute value.
    pub fn inverse_centred<O: Order>(
        cpu: impl Run,
        products: &mut Products<Q, ROWS, O>,
        out: &mut Rows32<ROWS>,
    ) {
        Self::inverse_to::<O, Centred>(cpu, products, out);
    }

    fn inverse_to<O: Order, P: Representatives>(
        cpu: impl Run,
        products: &mut Products<Q, ROWS, O>,
        out: &mut Rows32<ROWS>,
    ) {
        let () = Self::PROOF;
        debug_assert!(hold(products.rows.0.as_flattened(), Self::PRODUCTS), "products out of range");
        let (products, out) = (&mut products.rows.0, &mut out.0);
        cpu.run(Inverse::<Q, ROWS, O, P> { products, out, kinds: PhantomData });
    }
}
