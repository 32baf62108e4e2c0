//! Products modulo `x^n - 1` and a power of two, by transforms across rows of eight modulo two primes, or
//! three.
//!
//! # The map
//! The coefficients of a product over the integers are known from those modulo primes whose product is
//! greater than what lies between the least and the greatest that there can be. So a product modulo
//! `x^n - 1` and `2^k` is:
//! 1. Modulo a prime, `x^(16 R) - 1 = (y^R - 1)(y^R + 1)` with `y = x^8`: the lower eight lanes of a row are
//!    in the first ring, the upper eight in the second. An eighth of an operand is loaded in both halves,
//!    which is all that reducing it takes. In the second ring `y = u z` with `u^R = -1`: eighth `t` is
//!    multiplied by `u^t` there. `u = -1` where `R` is odd: signs.
//! 2. `R = A B` with coprime factors: `B` transforms of `A` points, then `A` of `B` (Good and Thomas), each a
//!    codelet in registers. Lanes are never touched.
//! 3. Base products modulo `x^8 - w` in each half: half of the multiplications of rows of 16.
//! 4. Backwards, and the halves joined: `c_t` is half of the sum of both, `c_(t + R)` half of the difference.
//! 5. Folded by `x^n = 1` while they are residues; then the Chinese remainder theorem by digits, in words
//!    that wrap: `c = x_1 + p_1 u_2 (+ p_1 p_2 u_3)`, of which the low `k` bits are what is wanted.
//! 6. Where `2 n - 1 > 16 R`, a few coefficients wrap at `x^(16 R) = 1`. They are computed modulo `2^16` by
//!    themselves, taken off where they stand and added where they belong.
//!
//! # Size classes
//! A kernel knows `A`, `B` and how many rows an operand has. The degree, the mask, the primes and all factors
//! are values ([`Field`]): rings of a class, and the primes of a ring, share every kernel.
//!
//! # The lazy remainder theorem
//! No residue is made canonical. `x_1` is what the transform leaves, folded; `u_2` is a Montgomery product,
//! `(x_2 - x_1) / p_1` modulo `p_2`. `x_1 + p_1 u_2` and the product agree modulo `p_1 p_2`, so they are
//! equal where `|c| + |x_1| + p_1 |u_2| < p_1 p_2`. What primes must have to spare for that is computed for
//! each ring, from its own degree and modulus ([`CHECK`](Multiply::CHECK)): four multiplications a row in
//! place of ten.
//!
//! # Conditions
//! A power of two, `x^n - 1`, a degree and a modulus within those of the class, and primes that hold the
//! product: one where both operands have coefficients -1, 0 and 1, two where the second has, three for any.
//!
//! # Bounds
//! In: centred; out: centred. Reductions are placed for the greatest prime of a class and proved for each
//! ([`Field::modulo`]).
//!
//! # Source
//! Ringsmith's own; its parts are Good and Thomas', Rader's and Garner's. Two small primes for NTRU:
//! C.-M. M. Chung, V. Hwang, M. J. Kannwischer, G. Seiler, C.-J. Shih, B.-Y. Yang, TCHES 2021 (eprint
//! 2020/1397).

mod exact;
mod field;
mod plan;
mod transform;
mod whole;

pub use field::Field;
pub use plan::{Plan, Size};
pub use transform::{Big, Class, Kind, Ternary};
pub use whole::Target;

use crate::algorithm::size_class::{self, folds_within, stands};
use crate::bound::Bound;
use crate::memory::{Room, Rows, Workspace};
use crate::multiply::Multiply;
use crate::reduce::residues::{Modulus, Residues, Wrapping};
use crate::ring::{Ring, Shape};
use crate::route::{Inner, Route};
use crate::why_not::WhyNot;
use core::marker::PhantomData;
use core::ops::Range;
use exact::{Alone, Digits, Join, Table, Unwrap};
use ringsmith_simd::{Row, Run};
use transform::{Back, Columns, Middle, Swap, product_bound};

/// Three primes of a class, with their tables in statics. Products by ternary operands take the first two.
pub trait Primes<const ROWS: usize>: Copy + Send + Sync + 'static {
    /// The class.
    type Of: Class;
    /// The primes.
    const FIELDS: [&'static Field<ROWS>; 3];
}

impl<const ROWS: usize> Field<ROWS> {
    /// The tables modulo a prime for a size class. Computing them proves that no lane overflows.
    pub const fn modulo<C: Class>(q: i64) -> Self {
        Self::of(&C::SIZE, C::PLAN, q)
    }
}

/// The greatest power of two for which three primes of a class can hold a product.
const GREATEST: i64 = 1 << 14;

/// The conditions of a ring.
pub(crate) const fn serves(q: i64, n: usize) -> Result<(), WhyNot> {
    match (Modulus::of(q), size_class::of(n)) {
        (Some(Modulus::Wrapping), Some(_)) if q <= GREATEST => Ok(()),
        _ => Err(WhyNot::Auxiliary),
    }
}

/// Products of operands of `OPERAND` rows by transforms of `ROWS` points modulo primes.
pub struct Exact<P, const OPERAND: usize, const ROWS: usize> {
    primes: PhantomData<P>,
}

/// Panic message for too little memory; it cannot occur, because making an [`Entry`](crate::Entry) proves
/// that the memory is large enough.
const ROOM: &str = "memory for transforms in halves";

/// How many rows of operands of degree below `n` have products that wrap.
const fn wrapping_rows(n: usize, rows: usize) -> usize {
    let operand = n.div_ceil(16);
    if 2 * n - 1 > 16 * rows { 2 * operand - rows } else { 0 }
}

/// The parts of the scratch memory.
struct Parts<'a, const OPERAND: usize, const ROWS: usize> {
    swapped: &'a mut [Row; OPERAND],
    first: &'a mut [Row; ROWS],
    halves: &'a mut [Row; ROWS],
    products: [&'a mut [[Row; OPERAND]; 2]; 3],
    rest: &'a mut [Row],
}

fn parts<const OPERAND: usize, const ROWS: usize>(memory: &mut [Row]) -> Parts<'_, OPERAND, ROWS> {
    let (first, rest) = memory.split_first_chunk_mut().expect(ROOM);
    let (halves, rest) = rest.split_first_chunk_mut().expect(ROOM);
    let (swapped, rest) = rest.split_first_chunk_mut().expect(ROOM);
    let (products, rest) = rest.split_at_mut(6 * OPERAND);
    let [x, y, z] = products.as_chunks_mut::<OPERAND>().0.as_chunks_mut::<2>().0 else { panic!("{ROOM}") };
    Parts { swapped, first, halves, products: [x, y, z], rest }
}

impl<P: Primes<ROWS>, const OPERAND: usize, const ROWS: usize> Exact<P, OPERAND, ROWS> {
    const DIGITS: Digits = Digits::of([P::FIELDS[0].q, P::FIELDS[1].q, P::FIELDS[2].q]);

    const TABLE: &'static Table = &Self::DIGITS.table();

    /// Where residues modulo each prime lie when they are folded.
    const FOLDED: [Bound; 3] = {
        let (mut folded, mut i) = ([Bound::symmetric(0); 3], 0);
        while i < 3 {
            folded[i] = product_bound(P::Of::PLAN, P::FIELDS[i].q).scale(2);
            i += 1;
        }
        folded
    };

    /// Whether so many primes hold the products modulo `q` and `x^n - 1` of centred coefficients by those
    /// that are at most `most`.
    pub const fn hold(count: usize, q: i64, n: usize, most: i64) -> bool {
        let wrapped = (2 * n - 1).saturating_sub(16 * ROWS);
        Self::DIGITS.hold(count, (n + wrapped) as i64 * (q / 2) * most, Self::FOLDED)
    }

    /// The prime that holds the products of two operands whose coefficients are at most 1, what wraps at
    /// `x^(16 R) = 1` among them, where such products are centred: the first one, or none.
    const fn alone(q: i64, n: usize) -> Option<usize> {
        let most = (n + (2 * n - 1).saturating_sub(16 * ROWS)) as i64;
        let mut i = 0;
        while i < 3 {
            let prime = P::FIELDS[i].q;
            if 2 * most < prime && 2 * most < q && 2 * prime < 1 << 15 && Self::FOLDED[i].fits(16) {
                return Some(i);
            }
            i += 1;
        }
        None
    }

    /// The transform of a second operand.
    fn second<K: Kind>(cpu: impl Run, field: &Field<ROWS>, b: &[Row; OPERAND], rows: &mut [Row; ROWS]) {
        cpu.run(Columns { field, input: b, out: rows, class: PhantomData::<(P::Of, K)> });
        cpu.run(transform::Rows { field, rows, class: PhantomData::<P::Of> });
    }

    /// A second operand that is kept: its transforms modulo these primes, and as it is.
    fn prepare_modulo(cpu: impl Run, primes: Range<usize>, b: &Rows<OPERAND>, prepared: &mut [Row]) {
        let (seconds, rest) = prepared.split_at_mut(3 * ROWS);
        let seconds = &mut seconds.as_chunks_mut().0[primes.clone()];
        for (field, rows) in P::FIELDS[primes].iter().zip(seconds) {
            Self::second::<Big>(cpu, field, &b.0, rows);
        }
        rest[..OPERAND].copy_from_slice(&b.0);
    }

    /// The product modulo a prime, before it is folded, of a first operand whose pairs are swapped.
    fn modulo(
        cpu: impl Run,
        field: &Field<ROWS>,
        a: &[Row; OPERAND],
        second: &[Row; ROWS],
        [rows, halves]: [&mut [Row; ROWS]; 2],
        out: &mut [[Row; OPERAND]; 2],
    ) {
        cpu.run(Columns { field, input: a, out: rows, class: PhantomData::<(P::Of, Big)> });
        cpu.run(Middle { field, rows, second, class: PhantomData::<P::Of> });
        cpu.run(Back { field, rows, halves, out, class: PhantomData::<P::Of> });
    }

    /// What wrapped goes where it belongs; the first operand's pairs are swapped.
    fn unwrap<R: Ring>(
        cpu: impl Run,
        by: Wrapping,
        [swapped, b]: [&[Row; OPERAND]; 2],
        out: &mut Rows<OPERAND>,
        memory: &mut [Row],
    ) {
        let (count, operand) = const { (wrapping_rows(R::N, ROWS), R::N.div_ceil(16)) };
        if count > 0 {
            let second = &mut memory[..=count];
            second[..count].copy_from_slice(&b[operand - count..operand]);
            second[count] = [0; 16];
            let swapped = &swapped[operand - count..operand];
            cpu.run(Unwrap { by, n: R::N, length: 16 * ROWS, swapped, second, out: &mut out.0 });
        }
    }

    /// By the one prime, of which `second` has the transform of the second operand.
    fn by_one<R: Ring<Coeffs = Rows<OPERAND>>>(
        cpu: impl Run,
        field: &Field<ROWS>,
        [a, b]: [&[Row; OPERAND]; 2],
        second: &[Row; ROWS],
        out: &mut Rows<OPERAND>,
        parts: Parts<'_, OPERAND, ROWS>,
    ) {
        let Parts { swapped, first, halves, products: [product, ..], rest } = parts;
        cpu.run(Swap { input: a, out: swapped });
        Self::modulo(cpu, field, swapped, second, [first, halves], product);
        let product = product.as_flattened().as_flattened();
        cpu.run(Alone { numbers: &field.numbers, n: R::N, product, out: &mut out.0 });
        Self::unwrap::<R>(cpu, Wrapping::modulo(R::Q), [swapped, b], out, rest);
    }

    /// By three primes, of which `second` has transforms of the second operand.
    fn by_three<R: Ring<Coeffs = Rows<OPERAND>>>(
        cpu: impl Run,
        [a, b]: [&[Row; OPERAND]; 2],
        second: &[Row],
        out: &mut Rows<OPERAND>,
        parts: Parts<'_, OPERAND, ROWS>,
    ) {
        let Parts { swapped, first, halves, mut products, rest } = parts;
        cpu.run(Swap { input: a, out: swapped });
        let by = Wrapping::modulo(R::Q);
        let seconds = second.as_chunks::<ROWS>().0;
        for ((field, second), product) in P::FIELDS.iter().zip(seconds).zip(&mut products) {
            Self::modulo(cpu, field, swapped, second, [first, halves], product);
        }
        let products = products.map(|product| product.as_flattened().as_flattened());
        cpu.run(Join { by, n: R::N, table: Self::TABLE, products, out: &mut out.0 });
        Self::unwrap::<R>(cpu, by, [swapped, b], out, rest);
    }
}

impl<R, P, const OPERAND: usize, const ROWS: usize> Multiply<R> for Exact<P, OPERAND, ROWS>
where
    R: Ring<Coeffs = Rows<OPERAND>>,
    P: Primes<ROWS>,
{
    const ROUTE: Route = Route::Rns { primes: 3, inner: Inner::Rows };
    const CHECK: () = {
        let size = P::Of::SIZE;
        assert!(matches!(R::SHAPE, Shape::Cyclic) && Wrapping::MODULUS.serves(R::Q) && R::SMALL == 1);
        assert!(stands::<R>(OPERAND) && R::N <= size.degree && R::Q / 2 <= size.input);
        assert!(size.present() <= 2 * OPERAND, "an operand has too few rows");
        assert!(folds_within(R::N, OPERAND), "a product has too few rows");
        assert!(Self::hold(2, R::Q, R::N, 1), "two primes do not hold a product by a ternary operand");
        assert!(Self::hold(3, R::Q, R::N, R::Q / 2), "three primes do not hold a product");
    };
    const SCRATCH: Room = Room::rows(3 * ROWS + 7 * OPERAND + (2 * OPERAND).saturating_sub(ROWS) + 1);
    const PREPARED: Room = Room::rows(3 * ROWS + OPERAND);

    fn multiply(
        cpu: impl Run,
        a: &Rows<OPERAND>,
        b: &Rows<OPERAND>,
        out: &mut Rows<OPERAND>,
        scratch: &mut R::Scratch,
    ) {
        let (second, rest) = scratch.parts_mut().0.split_first_chunk_mut::<ROWS>().expect(ROOM);
        let Parts { swapped, first, halves, mut products, rest } = parts(rest);
        cpu.run(Swap { input: &a.0, out: swapped });
        let by = Wrapping::modulo(R::Q);
        for (field, product) in P::FIELDS.iter().zip(&mut products) {
            Self::second::<Big>(cpu, field, &b.0, second);
            Self::modulo(cpu, field, swapped, second, [first, halves], product);
        }
        let products = products.map(|product| product.as_flattened().as_flattened());
        cpu.run(Join { by, n: R::N, table: Self::TABLE, products, out: &mut out.0 });
        Self::unwrap::<R>(cpu, by, [swapped, &b.0], out, rest);
    }

    fn multiply_small(
        cpu: impl Run,
        a: &Rows<OPERAND>,
        b: &Rows<OPERAND>,
        out: &mut Rows<OPERAND>,
        scratch: &mut R::Scratch,
    ) {
        let (second, rest) = scratch.parts_mut().0.split_first_chunk_mut::<ROWS>().expect(ROOM);
        let Parts { swapped, first, halves, products: [mut x, mut y, _], rest } = parts(rest);
        cpu.run(Swap { input: &a.0, out: swapped });
        let by = Wrapping::modulo(R::Q);
        for (field, product) in P::FIELDS.iter().zip([&mut x, &mut y]) {
            Self::second::<<P::Of as Class>::Small>(cpu, field, &b.0, second);
            Self::modulo(cpu, field, swapped, second, [first, halves], product);
        }
        let products = [x.as_flattened().as_flattened(), y.as_flattened().as_flattened()];
        cpu.run(Join { by, n: R::N, table: Self::TABLE, products, out: &mut out.0 });
        Self::unwrap::<R>(cpu, by, [swapped, &b.0], out, rest);
    }

    fn multiply_smalls(
        cpu: impl Run,
        a: &Rows<OPERAND>,
        b: &Rows<OPERAND>,
        out: &mut Rows<OPERAND>,
        scratch: &mut R::Scratch,
    ) {
        let Some(alone) = (const { Self::alone(R::Q, R::N) }) else {
            return <Self as Multiply<R>>::multiply_small(cpu, a, b, out, scratch);
        };
        let (second, rest) = scratch.parts_mut().0.split_first_chunk_mut::<ROWS>().expect(ROOM);
        Self::second::<<P::Of as Class>::Small>(cpu, P::FIELDS[alone], &b.0, second);
        Self::by_one::<R>(cpu, P::FIELDS[alone], [&a.0, &b.0], second, out, parts(rest));
    }

    fn prepare(cpu: impl Run, b: &Rows<OPERAND>, prepared: &mut R::Prepared, _: &mut R::Scratch) {
        Self::prepare_modulo(cpu, 0..3, b, prepared.parts_mut().0);
    }

    fn prepare_for_small(cpu: impl Run, b: &Rows<OPERAND>, prepared: &mut R::Prepared, _: &mut R::Scratch) {
        const { assert!(matches!(Self::alone(R::Q, R::N), None | Some(0 | 1)), "two primes are not enough") };
        Self::prepare_modulo(cpu, 0..2, b, prepared.parts_mut().0);
    }

    fn prepare_for_smalls(
        cpu: impl Run,
        b: &Rows<OPERAND>,
        prepared: &mut R::Prepared,
        scratch: &mut R::Scratch,
    ) {
        let Some(alone) = (const { Self::alone(R::Q, R::N) }) else {
            return <Self as Multiply<R>>::prepare_for_small(cpu, b, prepared, scratch);
        };
        Self::prepare_modulo(cpu, alone..alone + 1, b, prepared.parts_mut().0);
    }

    fn multiply_prepared(
        cpu: impl Run,
        a: &Rows<OPERAND>,
        prepared: &R::Prepared,
        out: &mut Rows<OPERAND>,
        scratch: &mut R::Scratch,
    ) {
        let (seconds, rest) = prepared.parts().0.split_at(3 * ROWS);
        let b = rest.first_chunk().expect(ROOM);
        let parts = parts(&mut scratch.parts_mut().0[..]);
        Self::by_three::<R>(cpu, [&a.0, b], seconds, out, parts);
    }

    fn multiply_prepared_small(
        cpu: impl Run,
        a: &Rows<OPERAND>,
        prepared: &R::Prepared,
        out: &mut Rows<OPERAND>,
        scratch: &mut R::Scratch,
    ) {
        let (seconds, rest) = prepared.parts().0.split_at(3 * ROWS);
        let (b, memory) = (rest.first_chunk().expect(ROOM), &mut scratch.parts_mut().0[..]);
        let Parts { swapped, first, halves, products: [mut x, mut y, _], rest } = parts(memory);
        cpu.run(Swap { input: &a.0, out: swapped });
        let seconds = seconds.as_chunks::<ROWS>().0;
        for ((field, second), product) in P::FIELDS.iter().zip(seconds).zip([&mut x, &mut y]) {
            Self::modulo(cpu, field, swapped, second, [first, halves], product);
        }
        let products = [x.as_flattened().as_flattened(), y.as_flattened().as_flattened()];
        let by = Wrapping::modulo(R::Q);
        cpu.run(Join { by, n: R::N, table: Self::TABLE, products, out: &mut out.0 });
        Self::unwrap::<R>(cpu, by, [swapped, b], out, rest);
    }

    fn multiply_prepared_smalls(
        cpu: impl Run,
        a: &Rows<OPERAND>,
        prepared: &R::Prepared,
        out: &mut Rows<OPERAND>,
        scratch: &mut R::Scratch,
    ) {
        let Some(alone) = (const { Self::alone(R::Q, R::N) }) else {
            return <Self as Multiply<R>>::multiply_prepared_small(cpu, a, prepared, out, scratch);
        };
        let (seconds, rest) = prepared.parts().0.split_at(3 * ROWS);
        let (b, memory) = (rest.first_chunk().expect(ROOM), &mut scratch.parts_mut().0[..]);
        let second = &seconds.as_chunks().0[alone];
        Self::by_one::<R>(cpu, P::FIELDS[alone], [&a.0, b], second, out, parts(memory));
    }
}
