//! What an algorithm is: how it multiplies, in which memory, within which bounds.
//!
//! An algorithm implements [`Multiply`]; or [`Transform`] where it has a transform of its own to offer
//! ([`ByTransform`] makes products of it); or [`Product`] where operands are kept as they are ([`ByProduct`]
//! does so).

use crate::algorithm::choice::{self, Any, Operand, Sign};
use crate::bound::Bound;
use crate::memory::{Coefficients, Room, Workspace};
use crate::ring::Ring;
use crate::route::Route;
use core::marker::PhantomData;
use ringsmith_simd::{Row, Row32, Run};

/// An algorithm for products in `R`. Constant time in all coefficients. What runs its kernels is a `Cpu`,
/// or a token of the caller's.
pub trait Multiply<R: Ring> {
    /// The algorithm's id.
    const ROUTE: Route;
    /// What it accepts in each coefficient.
    const IN: Bound = Bound::centred(R::Q);
    /// What it returns in each coefficient.
    const OUT: Bound = Bound::centred(R::Q);
    /// Proves at compile time that no lane overflows.
    const CHECK: ();
    /// The scratch memory that it takes.
    const SCRATCH: Room;
    /// The memory of an operand that is prepared.
    const PREPARED: Room;

    /// `out = a b`.
    fn multiply(cpu: impl Run, a: &R::Coeffs, b: &R::Coeffs, out: &mut R::Coeffs, scratch: &mut R::Scratch);

    /// `out = a b` with `|b| <= R::SMALL`; where the bound helps, faster.
    fn multiply_small(
        cpu: impl Run,
        a: &R::Coeffs,
        b: &R::Coeffs,
        out: &mut R::Coeffs,
        scratch: &mut R::Scratch,
    ) {
        Self::multiply(cpu, a, b, out, scratch);
    }

    /// `out = a b` with `|a| <= R::SMALL` and `|b| <= R::SMALL`; where both bounds help, faster.
    fn multiply_smalls(
        cpu: impl Run,
        a: &R::Coeffs,
        b: &R::Coeffs,
        out: &mut R::Coeffs,
        scratch: &mut R::Scratch,
    ) {
        Self::multiply_small(cpu, a, b, out, scratch);
    }

    /// Does the part of a product that depends on `b` alone.
    fn prepare(cpu: impl Run, b: &R::Coeffs, prepared: &mut R::Prepared, scratch: &mut R::Scratch);

    /// The same for products with `|a| <= R::SMALL` or `|b| <= R::SMALL` alone; where the bound helps, less.
    fn prepare_for_small(cpu: impl Run, b: &R::Coeffs, prepared: &mut R::Prepared, scratch: &mut R::Scratch) {
        Self::prepare(cpu, b, prepared, scratch);
    }

    /// The same for products with both `|a| <= R::SMALL` and `|b| <= R::SMALL` alone; where both help, less.
    fn prepare_for_smalls(
        cpu: impl Run,
        b: &R::Coeffs,
        prepared: &mut R::Prepared,
        scratch: &mut R::Scratch,
    ) {
        Self::prepare_for_small(cpu, b, prepared, scratch);
    }

    /// `out = a b` for the `b` that was prepared.
    fn multiply_prepared(
        cpu: impl Run,
        a: &R::Coeffs,
        prepared: &R::Prepared,
        out: &mut R::Coeffs,
        scratch: &mut R::Scratch,
    );

    /// The same with `|a| <= R::SMALL` or `|b| <= R::SMALL`; where the bound helps, faster.
    fn multiply_prepared_small(
        cpu: impl Run,
        a: &R::Coeffs,
        prepared: &R::Prepared,
        out: &mut R::Coeffs,
        scratch: &mut R::Scratch,
    ) {
        Self::multiply_prepared(cpu, a, prepared, out, scratch);
    }

    /// The same with `|a| <= R::SMALL` and `|b| <= R::SMALL`; where both bounds help, faster.
    fn multiply_prepared_smalls(
        cpu: impl Run,
        a: &R::Coeffs,
        prepared: &R::Prepared,
        out: &mut R::Coeffs,
        scratch: &mut R::Scratch,
    ) {
        Self::multiply_prepared_small(cpu, a, prepared, out, scratch);
    }
}

/// An algorithm whose transform is of use by itself: a product is two transforms forward, one product slot by
/// slot, and one transform back. Constant time in all coefficients.
///
/// The domain's order and factor are the algorithm's own; see its page.
pub trait Transform<R: Ring> {
    /// The algorithm's id.
    const ROUTE: Route;
    /// What it accepts in each coefficient.
    const IN: Bound = Bound::centred(R::Q);
    /// What it returns in each coefficient.
    const OUT: Bound = Bound::centred(R::Q);
    /// Proves at compile time that no lane overflows.
    const CHECK: ();
    /// Values in the domain.
    type Domain: DomainRows;

    /// Into the domain.
    fn forward(cpu: impl Run, a: &R::Coeffs, domain: &mut Self::Domain);
    /// `a = a b`, slot by slot.
    fn pointwise(cpu: impl Run, a: &mut Self::Domain, b: &Self::Domain);
    /// `a = a + b` or `a = a - b`, of products and of such sums: what the inverse takes, too.
    fn sum<G: Sign>(cpu: impl Run, a: &mut Self::Domain, b: &Self::Domain);
    /// Out of the domain; spoils it. A forward transform, [`pointwise`](Transform::pointwise) and this make a
    /// product: the factor of the domain is taken off here.
    fn inverse(cpu: impl Run, domain: &mut Self::Domain, out: &mut R::Coeffs);
}

/// The rows of a transform's domain, as they lie in a ring's memory.
pub trait DomainRows: Copy {
    /// How much memory it takes.
    const ROOM: Room;
    /// At the beginning of the memory.
    fn of(space: &impl Workspace) -> &Self;
    /// At the beginning of the memory, to write.
    fn of_mut(space: &mut impl Workspace) -> &mut Self;
    /// Two of them, to write.
    fn two_of_mut(space: &mut impl Workspace) -> [&mut Self; 2];
}

/// What every memory of a ring holds: making an [`Entry`] proves it.
const ROOM: &str = "memory for the domain";

macro_rules! domain {
    ($row:ty, $part:tt, |$n:ident| $room:expr) => {
        impl<const $n: usize> DomainRows for [$row; $n] {
            const ROOM: Room = $room;
            fn of(space: &impl Workspace) -> &Self {
                space.parts().$part.first_chunk().expect(ROOM)
            }
            fn of_mut(space: &mut impl Workspace) -> &mut Self {
                space.parts_mut().$part.first_chunk_mut().expect(ROOM)
            }
            fn two_of_mut(space: &mut impl Workspace) -> [&mut Self; 2] {
                let (a, rest) = space.parts_mut().$part.split_first_chunk_mut().expect(ROOM);
                [a, rest.first_chunk_mut().expect(ROOM)]
            }
        }
    };
}

domain!(Row, 0, |N| Room::rows(N));
domain!(Row32, 1, |N| Room { rows: 0, wide: N });

/// Products by a transform.
pub struct ByTransform<T>(PhantomData<T>);

impl<R: Ring, T: Transform<R>> Multiply<R> for ByTransform<T> {
    const ROUTE: Route = T::ROUTE;
    const IN: Bound = T::IN;
    const OUT: Bound = T::OUT;
    const CHECK: () = T::CHECK;
    const SCRATCH: Room = {
        let Room { rows, wide } = T::Domain::ROOM;
        Room { rows: 2 * rows, wide: 2 * wide }
    };
    const PREPARED: Room = T::Domain::ROOM;

    fn multiply(cpu: impl Run, a: &R::Coeffs, b: &R::Coeffs, out: &mut R::Coeffs, scratch: &mut R::Scratch) {
        let [x, y] = T::Domain::two_of_mut(scratch);
        T::forward(cpu, a, x);
        T::forward(cpu, b, y);
        T::pointwise(cpu, x, y);
        T::inverse(cpu, x, out);
    }

    fn prepare(cpu: impl Run, b: &R::Coeffs, prepared: &mut R::Prepared, _: &mut R::Scratch) {
        T::forward(cpu, b, T::Domain::of_mut(prepared));
    }

    fn multiply_prepared(
        cpu: impl Run,
        a: &R::Coeffs,
        prepared: &R::Prepared,
        out: &mut R::Coeffs,
        scratch: &mut R::Scratch,
    ) {
        let x = T::Domain::of_mut(scratch);
        T::forward(cpu, a, x);
        T::pointwise(cpu, x, T::Domain::of(prepared));
        T::inverse(cpu, x, out);
    }
}

/// An algorithm with nothing to prepare: the part of a product that depends on one operand alone is a small
/// one, or more than a ring has memory for. Constant time in all coefficients, which are centred, as those of
/// the product are.
pub trait Product<R: Ring> {
    /// The algorithm's id.
    const ROUTE: Route;
    /// Proves at compile time that no lane overflows.
    const CHECK: ();
    /// Rows of scratch memory that it takes.
    const SCRATCH: usize;

    /// `out = a b`, in rows of [`Ring::Coeffs`]; `b` is of the kind `B`.
    fn product<B: Operand>(cpu: impl Run, a: &[Row], b: &[Row], out: &mut [Row], scratch: &mut [Row]);
}

/// Products whose operands are kept as they are.
pub struct ByProduct<P>(PhantomData<P>);

impl<R: Ring, P: Product<R>> Multiply<R> for ByProduct<P> {
    const ROUTE: Route = P::ROUTE;
    const CHECK: () = P::CHECK;
    const SCRATCH: Room = Room::rows(P::SCRATCH);
    const PREPARED: Room = Room::rows(R::Coeffs::ROWS);

    fn multiply(cpu: impl Run, a: &R::Coeffs, b: &R::Coeffs, out: &mut R::Coeffs, scratch: &mut R::Scratch) {
        P::product::<Any<R>>(cpu, a.rows(), b.rows(), out.rows_mut(), scratch.parts_mut().0);
    }

    fn multiply_small(
        cpu: impl Run,
        a: &R::Coeffs,
        b: &R::Coeffs,
        out: &mut R::Coeffs,
        scratch: &mut R::Scratch,
    ) {
        P::product::<choice::Small<R>>(cpu, a.rows(), b.rows(), out.rows_mut(), scratch.parts_mut().0);
    }

    fn prepare(_: impl Run, b: &R::Coeffs, prepared: &mut R::Prepared, _: &mut R::Scratch) {
        prepared.parts_mut().0[..b.rows().len()].copy_from_slice(b.rows());
    }

    fn multiply_prepared(
        cpu: impl Run,
        a: &R::Coeffs,
        prepared: &R::Prepared,
        out: &mut R::Coeffs,
        scratch: &mut R::Scratch,
    ) {
        let b = &prepared.parts().0[..a.rows().len()];
        P::product::<Any<R>>(cpu, a.rows(), b, out.rows_mut(), scratch.parts_mut().0);
    }
}
