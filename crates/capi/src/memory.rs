//! Memory of C, and memory of our own.
//!
//! C's memory may overlap, be unaligned, and hold nothing yet. So no reference is made to it: what is read is
//! copied, and what is written is copied from memory of our own when all of it is there.

use crate::Error;
use ringsmith_simd::wipe;
use std::ops::{Deref, DerefMut};

/// Numbers in memory of our own, cleared on drop.
pub(crate) struct Own<T: Copy + Default>(Vec<T>);

impl<T: Copy + Default> Own<T> {
    /// Zeroes, or an error where there is no memory.
    pub(crate) fn zero(count: usize) -> Result<Self, Error> {
        let mut numbers = Vec::new();
        numbers.try_reserve_exact(count).map_err(|_| Error::Memory)?;
        numbers.resize(count, T::default());
        Ok(Own(numbers))
    }
}

impl<T: Copy + Default> Deref for Own<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Copy + Default> DerefMut for Own<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: Copy + Default> Drop for Own<T> {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

/// How many numbers are copied at once, where not all of them are.
const PIECE: usize = 1 << 14;

/// A place of C's to read numbers from. It is not null, and they are there.
#[derive(Clone, Copy)]
pub(crate) struct In<T> {
    from: *const T,
    count: usize,
}

impl<T: Copy + Default> In<T> {
    /// A place for so many.
    ///
    /// # Safety
    /// The pointer is null, or valid for reads of so many numbers as long as this value is used.
    pub(crate) unsafe fn new(from: *const T, count: usize) -> Result<Self, Error> {
        if from.is_null() { Err(Error::NullPointer) } else { Ok(In { from, count }) }
    }

    /// The same, where the pointer may be null if there are none.
    ///
    /// # Safety
    /// As of [`new`](In::new).
    pub(crate) unsafe fn or_nothing(from: *const T, count: usize) -> Result<Self, Error> {
        match count {
            0 => Ok(In { from: std::ptr::dangling(), count }),
            // SAFETY: by the contract.
            count => unsafe { In::new(from, count) },
        }
    }

    /// The same where there are at most so many.
    pub(crate) fn up_to(self, most: usize) -> Option<Self> {
        (self.count <= most).then_some(self)
    }

    /// Checks how many there are.
    pub(crate) fn of(self, expected: usize) -> Result<Self, Error> {
        if self.count == expected { Ok(self) } else { Err(Error::Length) }
    }

    /// A copy.
    pub(crate) fn read(self) -> Result<Own<T>, Error> {
        let mut copy = Own::<T>::zero(self.count)?;
        // SAFETY: valid for reads of so many, as `new` was promised; bytes, so that it may be unaligned. The
        // memory that is written is ours and as long.
        unsafe { self.from.cast::<u8>().copy_to(copy.as_mut_ptr().cast(), self.count * size_of::<T>()) };
        Ok(copy)
    }

    /// Copies of a piece after the other, so that however many there are takes little memory.
    pub(crate) fn in_pieces(self, mut take: impl FnMut(&[T])) -> Result<(), Error> {
        let mut done = 0;
        while done < self.count {
            let count = PIECE.min(self.count - done);
            // SAFETY: within what `new` was promised.
            let from = unsafe { self.from.add(done) };
            take(&In { from, count }.read()?);
            done += count;
        }
        Ok(())
    }
}

/// A place of C's to write numbers to. It is not null, and there is room.
pub(crate) struct Out<T> {
    to: *mut T,
    count: usize,
}

impl<T: Copy> Out<T> {
    /// A place for so many.
    ///
    /// # Safety
    /// The pointer is null, or valid for writes of so many numbers as long as this value is used.
    pub(crate) unsafe fn new(to: *mut T, count: usize) -> Result<Self, Error> {
        if to.is_null() { Err(Error::NullPointer) } else { Ok(Out { to, count }) }
    }

    /// Checks how many there is room for.
    pub(crate) fn of(self, expected: usize) -> Result<Self, Error> {
        if self.count == expected { Ok(self) } else { Err(Error::Length) }
    }

    /// How many there is room for.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Writes numbers, as far as there is room.
    pub(crate) fn write(self, numbers: &[T]) {
        let count = self.count.min(numbers.len());
        // SAFETY: valid for writes of so many, as `new` was promised; bytes, so that it may be unaligned.
        unsafe { self.to.cast::<u8>().copy_from(numbers.as_ptr().cast(), count * size_of::<T>()) };
    }
}

impl Out<u8> {
    /// Writes what is made in memory of our own, if that goes well.
    pub(crate) fn fill(self, make: impl FnOnce(&mut [u8]) -> Result<(), Error>) -> Result<(), Error> {
        let mut made = Own::zero(self.count)?;
        make(&mut made)?;
        self.write(&made);
        Ok(())
    }

    /// Zeroes the place.
    pub(crate) fn wipe(self) {
        for at in 0..self.count {
            // SAFETY: within what `new` was promised. Volatile, so that it takes place.
            unsafe { self.to.add(at).write_volatile(0) };
        }
    }
}

/// A value behind a pointer that C keeps, or an error where there is no memory.
pub(crate) fn handed<T>(value: T) -> Result<*mut T, Error> {
    let mut values = Vec::new();
    values.try_reserve_exact(1).map_err(|_| Error::Memory)?;
    values.push(value);
    Ok(Box::into_raw(values.into_boxed_slice()).cast())
}

/// Takes such a value back and drops it. A null pointer is none.
///
/// # Safety
/// The pointer is null or from [`handed`], and nobody uses it any more.
pub(crate) unsafe fn taken<T>(value: *mut T) {
    if !value.is_null() {
        // SAFETY: `handed` made a box of an array of one value, and it is dropped once, by the contract.
        drop(unsafe { Box::from_raw(value.cast::<[T; 1]>()) });
    }
}

/// Writes two pieces that are made in memory of our own, or neither of them.
pub(crate) fn fill_both(
    [first, second]: [Out<u8>; 2],
    make: impl FnOnce(&mut [u8], &mut [u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    second.fill(|of_second| first.fill(|of_first| make(of_first, of_second)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: places may be unaligned and overlap; null pointers and other lengths are errors.
    #[test]
    fn places() {
        let mut memory = [0_u8; 17];
        let at = memory[1..].as_mut_ptr().cast::<u64>();
        // SAFETY: 16 bytes.
        let place = || unsafe { Out::new(at, 2) }.unwrap();
        place().write(&[1, 2]);
        // SAFETY: as above.
        let from = unsafe { In::new(at.cast_const(), 2) }.unwrap();
        assert_eq!(&from.of(2).unwrap().read().unwrap()[..], [1, 2]);
        assert!(matches!((from.of(3), place().of(1)), (Err(Error::Length), Err(Error::Length))));
        // SAFETY: as above.
        unsafe { Out::new(at.cast::<u8>(), 16) }.unwrap().wipe();
        assert_eq!(memory, [0; 17]);
        // SAFETY: null pointers.
        let null = unsafe { (In::<u8>::new(std::ptr::null(), 0), Out::<u8>::new(std::ptr::null_mut(), 0)) };
        assert!(matches!(null, (Err(Error::NullPointer), Err(Error::NullPointer))));
    }

    /// Protects: both pieces are written, or neither where one cannot be made.
    #[test]
    fn both_or_neither() {
        for (result, written) in [(Err(Error::Key), [0; 3]), (Ok(()), [1, 2, 2])] {
            let (mut one, mut two) = ([0_u8], [0_u8; 2]);
            // SAFETY: the lengths are those of the arrays.
            let places = unsafe { [Out::new(one.as_mut_ptr(), 1), Out::new(two.as_mut_ptr(), 2)] };
            let done = fill_both(places.map(Result::unwrap), |first, second| {
                (first[0], second[0], second[1]) = (1, 2, 2);
                result
            });
            assert_eq!((done, [one[0], two[0], two[1]]), (result, written));
        }
    }

    /// Protects: pieces are all there is, in order; a null pointer is fine where there is nothing.
    #[test]
    fn pieces() {
        let memory: Vec<u32> = (0..2 * PIECE as u32 + 3).collect();
        for count in [0, 1, PIECE, PIECE + 1, memory.len()] {
            let mut all = Vec::new();
            // SAFETY: the vector has so many.
            let from = unsafe { In::or_nothing(memory.as_ptr(), count) }.unwrap();
            from.in_pieces(|piece| all.extend_from_slice(piece)).unwrap();
            assert_eq!(all, memory[..count]);
        }
        // SAFETY: null pointers.
        let null = [0, 1].map(|count| unsafe { In::<u8>::or_nothing(std::ptr::null(), count) });
        assert!(matches!(null, [Ok(_), Err(Error::NullPointer)]));
        assert!(null[0].as_ref().is_ok_and(|none| none.read().unwrap().is_empty()));
    }

    /// Protects: what nobody has memory for is an error.
    #[test]
    fn no_memory() {
        assert!(matches!(Own::<u64>::zero(usize::MAX), Err(Error::Memory)));
    }
}
