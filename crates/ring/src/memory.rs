//! The memory of polynomials: rows of 16 coefficients, aligned, cleared on drop where secrets may lie.

pub(crate) use ringsmith_simd::wipe;
use ringsmith_simd::{Row, Row32};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Rows of scratch memory that serve every route of a ring of `rows` rows whose degree is no prime.
pub const fn scratch(rows: usize) -> usize {
    8 * rows + 16
}

/// Rows of 16 coefficients, aligned to cache lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Rows<const N: usize>(pub [Row; N]);

/// Rows of 8 coefficients of 32 bits, aligned to cache lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Rows32<const N: usize>(pub [Row32; N]);

impl<const N: usize> Zeroize for Rows<N> {
    fn zeroize(&mut self) {
        wipe(self.0.as_flattened_mut());
    }
}

impl<const N: usize> Zeroize for Rows32<N> {
    fn zeroize(&mut self) {
        wipe(self.0.as_flattened_mut());
    }
}

/// Storage of `n` coefficients in rows.
pub trait Coefficients: Copy + Zeroize + Send + Sync + 'static {
    /// All zero.
    const ZERO: Self;
    /// How many rows there are: as many as `n` coefficients take, or more.
    const ROWS: usize;
    /// The rows.
    fn rows(&self) -> &[Row];
    /// The rows, to write.
    fn rows_mut(&mut self) -> &mut [Row];
}

impl<const N: usize> Coefficients for Rows<N> {
    const ZERO: Self = Rows([[0; 16]; N]);
    const ROWS: usize = N;

    fn rows(&self) -> &[Row] {
        &self.0
    }
    fn rows_mut(&mut self) -> &mut [Row] {
        &mut self.0
    }
}

/// How much memory there is, or is needed: rows of 16-bit and of 32-bit coefficients.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// Rows of 16-bit coefficients.
    pub rows: usize,
    /// Rows of 32-bit coefficients.
    pub wide: usize,
}

impl Room {
    /// Rows of 16-bit coefficients.
    pub const fn rows(rows: usize) -> Room {
        Room { rows, wide: 0 }
    }

    /// Whether there is as much as is needed.
    pub const fn holds(self, needed: Room) -> bool {
        needed.rows <= self.rows && needed.wide <= self.wide
    }
}

/// Memory of a fixed size that is cleared when it is dropped.
pub trait Workspace: Send + Sync + 'static {
    /// How much there is.
    const ROOM: Room;
    /// All zero. A field that is given this is written in its place; what a function makes would be moved.
    const ZERO: Self;
    /// All zero.
    fn new() -> Self
    where
        Self: Sized,
    {
        Self::ZERO
    }
    /// The 16-bit part and the 32-bit part.
    fn parts(&self) -> (&[Row], &[Row32]);
    /// The 16-bit part and the 32-bit part, to write.
    fn parts_mut(&mut self) -> (&mut [Row], &mut [Row32]);
}

/// `A` rows of 16-bit and `B` rows of 32-bit coefficients; cleared on drop, because operands may be secret.
#[repr(C, align(64))]
pub struct Space<const A: usize, const B: usize> {
    rows: Rows<A>,
    wide: Rows32<B>,
}

impl<const A: usize, const B: usize> Drop for Space<A, B> {
    fn drop(&mut self) {
        self.rows.zeroize();
        self.wide.zeroize();
    }
}

impl<const A: usize, const B: usize> ZeroizeOnDrop for Space<A, B> {}

impl<const A: usize, const B: usize> Workspace for Space<A, B> {
    const ROOM: Room = Room { rows: A, wide: B };
    const ZERO: Self = Space { rows: Rows([[0; 16]; A]), wide: Rows32([[0; 8]; B]) };

    fn parts(&self) -> (&[Row], &[Row32]) {
        (&self.rows.0, &self.wide.0)
    }
    fn parts_mut(&mut self) -> (&mut [Row], &mut [Row32]) {
        (&mut self.rows.0, &mut self.wide.0)
    }
}
