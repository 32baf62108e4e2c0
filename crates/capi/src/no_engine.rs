//! What stands for rings in a library that was built without them: nothing of these types is ever there.

use crate::Error;
use std::ffi::CStr;

/// An integer that a coefficient is given as.
pub(crate) trait Word {}

impl Word for u16 {}
impl Word for u32 {}
impl Word for u64 {}

/// A second factor.
pub(crate) enum Factor {}

/// A ring.
pub(crate) enum Engine {}

impl Engine {
    /// There is none.
    pub(crate) fn new(_: &CStr, _: Option<u64>, _: &mut usize) -> Result<Self, Error> {
        Err(Error::Unsupported)
    }

    pub(crate) fn degree(&self) -> usize {
        match *self {}
    }

    pub(crate) fn modulus(&self) -> u64 {
        match *self {}
    }

    pub(crate) fn plan(&self) -> Result<String, Error> {
        match *self {}
    }

    pub(crate) fn prepare<T: Word>(&self, _: &[T]) -> Result<Factor, Error> {
        match *self {}
    }

    pub(crate) fn multiply<T: Word>(&self, _: &[T], _: &[T], _: &mut [T]) -> Result<(), Error> {
        match *self {}
    }

    pub(crate) fn multiply_prepared<T: Word>(&self, _: &[T], _: &Factor, _: &mut [T]) -> Result<(), Error> {
        match *self {}
    }
}
