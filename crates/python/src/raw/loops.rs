//! The loops of universal functions: over rows in memory with strides, of any integers.

use crate::convert::{Given, Word, write_canonical};
use crate::engine::{Core, Operation};
use crate::{error, threads};
use numpy::npyffi::npy_intp;
use pyo3::ffi::{PyGILState_Ensure, PyGILState_Release};
use pyo3::prelude::*;
use ringsmith::any::RingError;
use std::cell::Cell;
use std::ffi::{c_char, c_void};
use std::ops::Range;
use std::slice::{from_raw_parts, from_raw_parts_mut};
use std::sync::Arc;

/// A type of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Int {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
}

impl Int {
    /// The bytes of one.
    pub(super) const fn bytes(self) -> usize {
        match self {
            Int::I8 | Int::U8 => 1,
            Int::I16 | Int::U16 => 2,
            Int::I32 | Int::U32 => 4,
            Int::I64 | Int::U64 => 8,
        }
    }
}

/// Does something with the type of an [`Int`].
macro_rules! with_int {
    ($int:expr, $type:ident => $do:expr) => {
        match $int {
            Int::I8 => {
                type $type = i8;
                $do
            }
            Int::U8 => {
                type $type = u8;
                $do
            }
            Int::I16 => {
                type $type = i16;
                $do
            }
            Int::U16 => {
                type $type = u16;
                $do
            }
            Int::I32 => {
                type $type = i32;
                $do
            }
            Int::U32 => {
                type $type = u32;
                $do
            }
            Int::I64 => {
                type $type = i64;
                $do
            }
            Int::U64 => {
                type $type = u64;
                $do
            }
        }
    };
}

/// What a loop computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Job {
    /// `(n),(n)->(n)`.
    Binary(Operation),
    /// `(n)->(n)`: coefficients in `[0, q)`.
    Canonical,
    /// `(m,k,n),(k,p,n)->(m,p,n)`.
    Matmul,
}

/// What a loop is given: the ring, what to compute, and the types of operands.
pub(super) struct Entry {
    pub(super) core: Arc<Core>,
    pub(super) job: Job,
    pub(super) types: [Int; 2],
}

thread_local! {
    /// How many threads the loops of this thread may take.
    static THREADS: Cell<usize> = const { Cell::new(1) };
}

/// Does something, with so many threads for its loops.
pub(crate) fn with_threads<T>(threads: usize, action: impl FnOnce() -> T) -> T {
    /// Puts the former number back, whatever happens.
    struct Former(usize);
    impl Drop for Former {
        fn drop(&mut self) {
            THREADS.set(self.0);
        }
    }
    let _former = Former(THREADS.replace(threads));
    action()
}

/// Rows in memory, a step of bytes apart, and numbers in them.
#[derive(Clone, Copy)]
struct Rows {
    start: *mut u8,
    apart: isize,
    step: isize,
    n: usize,
}

// SAFETY: threads take different rows of what is written, and nobody writes to what is read.
unsafe impl Send for Rows {}
// SAFETY: as above.
unsafe impl Sync for Rows {}

impl Rows {
    fn at(self, row: usize) -> *mut u8 {
        self.start.wrapping_offset(self.apart * row as isize)
    }

    /// Whether rows are slices of a type.
    fn are_slices<T>(self, row: usize) -> bool {
        self.step == size_of::<T>() as isize && self.at(row).cast::<T>().is_aligned()
    }

    /// A row, as numbers that were given.
    ///
    /// # Safety
    /// The row has `n` numbers of this type.
    unsafe fn given<S: Given>(self, row: usize, copy: &mut Vec<S>) -> &[S] {
        if self.are_slices::<S>(row) {
            // SAFETY: aligned, without gaps, and the caller's promise.
            return unsafe { from_raw_parts(self.at(row).cast(), self.n) };
        }
        copy.clear();
        let place = |i: usize| self.at(row).wrapping_offset(self.step * i as isize).cast::<S>();
        // SAFETY: the caller's promise.
        copy.extend((0..self.n).map(|i| unsafe { place(i).read_unaligned() }));
        copy
    }

    /// Writes a row in `[0, q)` to `out`.
    ///
    /// # Safety
    /// The row has `n` numbers of this type.
    unsafe fn canonical<T: Word>(
        self,
        core: &Core,
        int: Int,
        row: usize,
        out: &mut [T],
    ) -> Result<(), RingError> {
        let (cpu, q) = (core.ring().cpu(), core.modulus());
        let fits = with_int!(int, S => {
            let mut copy = Vec::new();
            // SAFETY: the caller's promise.
            let given = unsafe { self.given::<S>(row, &mut copy) };
            write_canonical(cpu, q, given, out)
        });
        if fits { Ok(()) } else { Err(RingError::Range) }
    }

    /// Has a row written, which is one in memory or else a copy.
    ///
    /// # Safety
    /// The row has room for `n` numbers of this type, which nobody else reads or writes meanwhile.
    unsafe fn write<T: Word>(
        self,
        row: usize,
        copy: &mut Vec<T>,
        by: impl FnOnce(&mut [T]) -> Result<(), RingError>,
    ) -> Result<(), RingError> {
        if self.are_slices::<T>(row) {
            // SAFETY: aligned, without gaps, and the caller's promise. NumPy's outputs are initialised, or
            // integers that are written before they are read.
            return by(unsafe { from_raw_parts_mut(self.at(row).cast(), self.n) });
        }
        copy.resize(self.n, T::default());
        by(copy)?;
        for (i, x) in copy.iter().enumerate() {
            let place = self.at(row).wrapping_offset(self.step * i as isize).cast::<T>();
            // SAFETY: the caller's promise.
            unsafe { place.write_unaligned(*x) };
        }
        Ok(())
    }
}

/// What NumPy gives a loop.
pub(super) type Loop = unsafe extern "C" fn(*mut *mut c_char, *mut npy_intp, *mut npy_intp, *mut c_void);

/// The loop for elements of a type.
///
/// # Safety
/// As NumPy calls it: `data` is an [`Entry`], operands have its types, and all else is of its signature.
pub(super) unsafe extern "C" fn of_numpy<T: Word>(
    args: *mut *mut c_char,
    dimensions: *mut npy_intp,
    steps: *mut npy_intp,
    data: *mut c_void,
) {
    // SAFETY: the caller's promise; the function owns its entries.
    let entry = unsafe { &*data.cast::<Entry>() };
    // SAFETY: the caller's promise.
    let done = unsafe {
        match entry.job {
            Job::Binary(operation) => binary::<T>(entry, operation, args, dimensions, steps),
            Job::Canonical => canonical::<T>(entry, args, dimensions, steps),
            Job::Matmul => matmul::<T>(entry, args, dimensions, steps),
        }
    };
    if let Err(why) = done {
        leave(refused(&entry.core, why));
    }
}

/// Leaves an exception, for which NumPy looks when the loop has ended.
///
/// NumPy gives Python's lock back before long loops. The crate `pyo3` counts what it gave back itself, so
/// that within a call of ours `Python::attach` takes the thread for one that has the lock: Python itself is
/// asked.
fn leave(why: PyErr) {
    // SAFETY: the interpreter waits for this loop, and what is asked for is given back below.
    let state = unsafe { PyGILState_Ensure() };
    // SAFETY: since then the thread is attached.
    why.restore(unsafe { Python::assume_attached() });
    // SAFETY: as above.
    unsafe { PyGILState_Release(state) };
}

/// An operand's error; what is accepted, where it is one of range.
pub(crate) fn refused(core: &Core, why: RingError) -> PyErr {
    let (low, high) = core.accepted();
    match why {
        RingError::Range => error::refused(format!("{why}; accepted: {low} to {high}")),
        why => error::of_ring(why),
    }
}

/// Refuses rows that are no elements.
fn check(core: &Core, has: usize) -> Result<(), RingError> {
    let needs = core.degree();
    if has == needs { Ok(()) } else { Err(RingError::Length { needs, has }) }
}

/// How many threads write to memory with these counts and steps: one, where a number may have two places.
fn writers<const N: usize>(size: usize, mut steps: [(usize, isize); N]) -> usize {
    steps.sort_unstable_by_key(|(_, step)| step.unsigned_abs());
    let mut span = size;
    let are_apart = steps.into_iter().filter(|(count, _)| *count > 1).all(|(count, step)| {
        let (step, inside) = (step.unsigned_abs(), span);
        span = span.saturating_add((count - 1).saturating_mul(step));
        step >= inside
    });
    if are_apart { THREADS.get() } else { 1 }
}

/// # Safety
/// As [`of_numpy`].
unsafe fn binary<T: Word>(
    entry: &Entry,
    operation: Operation,
    args: *mut *mut c_char,
    dimensions: *mut npy_intp,
    steps: *mut npy_intp,
) -> Result<(), RingError> {
    // SAFETY: a function of two operands and one dimension has so many of each.
    let (args, sizes, steps) =
        unsafe { (from_raw_parts(args, 3), from_raw_parts(dimensions, 2), from_raw_parts(steps, 6)) };
    let (count, n, core) = (sizes[0] as usize, sizes[1] as usize, &*entry.core);
    check(core, n)?;
    let [a, b, out] =
        [0, 1, 2].map(|i| Rows { start: args[i].cast(), apart: steps[i], step: steps[3 + i], n });
    let is_direct = |rows: &Rows, int: Int, row| {
        operation == Operation::Mul && int == T::INT && rows.are_slices::<T>(row)
    };
    let writers = writers(size_of::<T>(), [(count, out.apart), (n, out.step)]);
    threads::parts(count, writers, |range: Range<usize>| {
        let [mut x, mut y, mut z] = [(); 3].map(|()| Vec::<T>::new());
        for row in range {
            let [a, b] =
                [(a, &mut x, entry.types[0]), (b, &mut y, entry.types[1])].map(|(rows, copy, int)| {
                    if is_direct(&rows, int, row) {
                        // SAFETY: aligned, without gaps, and the caller's promise. The product looks at all.
                        return Ok::<&[T], RingError>(unsafe { from_raw_parts(rows.at(row).cast(), n) });
                    }
                    copy.resize(n, T::default());
                    // SAFETY: the caller's promise.
                    unsafe { rows.canonical(core, int, row, copy)? };
                    Ok(&**copy)
                });
            let (a, b) = (a?, b?);
            // SAFETY: NumPy copies operands that overlap what is written.
            unsafe { out.write(row, &mut z, |out| core.apply(operation, [a, b], out))? };
        }
        Ok(())
    })
}

/// # Safety
/// As [`of_numpy`].
unsafe fn canonical<T: Word>(
    entry: &Entry,
    args: *mut *mut c_char,
    dimensions: *mut npy_intp,
    steps: *mut npy_intp,
) -> Result<(), RingError> {
    // SAFETY: a function of one operand and one dimension has so many of each.
    let (args, sizes, steps) =
        unsafe { (from_raw_parts(args, 2), from_raw_parts(dimensions, 2), from_raw_parts(steps, 4)) };
    let (count, n) = (sizes[0] as usize, sizes[1] as usize);
    let [a, out] = [0, 1].map(|i| Rows { start: args[i].cast(), apart: steps[i], step: steps[2 + i], n });
    let mut copy = Vec::<T>::new();
    (0..count).try_for_each(|row| {
        // SAFETY: the caller's promise; NumPy copies operands that overlap what is written.
        unsafe { out.write(row, &mut copy, |out| a.canonical(&entry.core, entry.types[0], row, out)) }
    })
}

/// # Safety
/// As [`of_numpy`].
unsafe fn matmul<T: Word>(
    entry: &Entry,
    args: *mut *mut c_char,
    dimensions: *mut npy_intp,
    steps: *mut npy_intp,
) -> Result<(), RingError> {
    // SAFETY: a function of two operands, four dimensions, and three for each operand has so many of each.
    let (args, sizes, steps) =
        unsafe { (from_raw_parts(args, 3), from_raw_parts(dimensions, 5), from_raw_parts(steps, 12)) };
    let [count, m, k, n, p] = [0, 1, 2, 3, 4].map(|i| sizes[i] as usize);
    check(&entry.core, n)?;
    let matrix = |i: usize, index: usize| Matrix {
        start: args[i].cast::<u8>().wrapping_offset(steps[i] * index as isize),
        steps: [0, 1, 2].map(|j| steps[3 + 3 * i + j]),
        n,
    };
    (0..count).try_for_each(|index| {
        let [a, b, out] = [0, 1, 2].map(|i| matrix(i, index));
        // SAFETY: the caller's promise.
        unsafe { product::<T>(entry, [a, b, out], [m, k, p]) }
    })
}

/// A matrix of elements in memory: the steps are those of its rows, its columns and of coefficients.
#[derive(Clone, Copy)]
struct Matrix {
    start: *mut u8,
    steps: [isize; 3],
    n: usize,
}

// SAFETY: as of rows.
unsafe impl Send for Matrix {}
// SAFETY: as above.
unsafe impl Sync for Matrix {}

impl Matrix {
    /// A row of it.
    fn row(self, i: usize) -> Rows {
        let [down, apart, step] = self.steps;
        Rows { start: self.start.wrapping_offset(down * i as isize), apart, step, n: self.n }
    }

    /// All of its elements in `[0, q)`, a row after the other.
    ///
    /// # Safety
    /// It has so many numbers of this type.
    unsafe fn canonical<T: Word>(
        self,
        core: &Core,
        int: Int,
        [rows, columns]: [usize; 2],
    ) -> Result<Vec<T>, RingError> {
        // Rows that are one in memory may be more than memory holds.
        let count = rows.checked_mul(columns).and_then(|count| count.checked_mul(self.n));
        let (count, mut all) = (count.ok_or(RingError::Memory)?, Vec::new());
        all.try_reserve_exact(count).map_err(|_| RingError::Memory)?;
        all.resize(count, T::default());
        for (place, to) in all.chunks_exact_mut(self.n).enumerate() {
            // SAFETY: the caller's promise.
            unsafe { self.row(place / columns).canonical(core, int, place % columns, to)? };
        }
        Ok(all)
    }
}

/// The product of two matrices; of no columns and no rows it is 0.
///
/// # Safety
/// They have so many numbers of the entry's types, and nobody else reads or writes what is written.
unsafe fn product<T: Word>(
    entry: &Entry,
    [a, b, out]: [Matrix; 3],
    [m, k, p]: [usize; 3],
) -> Result<(), RingError> {
    let (core, n) = (&*entry.core, a.n);
    // SAFETY: the caller's promise.
    let (a, b) = unsafe {
        (a.canonical::<T>(core, entry.types[0], [m, k])?, b.canonical::<T>(core, entry.types[1], [k, p])?)
    };
    let element = |place: usize| place * n..(place + 1) * n;
    let [down, across, step] = out.steps;
    let writers = writers(size_of::<T>(), [(m, down), (p, across), (n, step)]);
    threads::parts(m * p, writers, |range: Range<usize>| {
        let (mut copy, mut pairs) = (Vec::<T>::new(), Vec::<(&[T], &[T])>::with_capacity(k));
        for place in range {
            let (i, j) = (place / p, place % p);
            pairs.clear();
            pairs.extend((0..k).map(|l| (&a[element(i * k + l)], &b[element(l * p + j)])));
            let sum = |out: &mut [T]| match pairs.is_empty() {
                true => {
                    out.fill(T::default());
                    Ok(())
                }
                false => core.sum_of_products(&pairs, out),
            };
            // SAFETY: the caller's promise; threads have different places.
            unsafe { out.row(i).write(j, &mut copy, sum)? };
        }
        Ok(())
    })
}
