//! Texts for C.

use crate::Error;
use crate::error::answer;
use crate::memory::{Out, Own};
use ringsmith::scheme::Status;
use std::ffi::{CStr, c_char};

/// The longest name, with the zero behind it.
const LONGEST: usize = 32;

/// A name as C reads it: zeroes behind it.
pub(crate) type Name = [u8; LONGEST];

/// A name that the compiler has, for C.
pub(crate) const fn name(text: &str) -> Name {
    assert!(text.len() < LONGEST, "a name is too long");
    let (mut name, mut i) = ([0; LONGEST], 0);
    while i < text.len() {
        (name[i], i) = (text.as_bytes()[i], i + 1);
    }
    name
}

/// The names of a list: an array, as long as the list, that the compiler makes.
macro_rules! names {
    ($list:path) => {{
        const COUNT: usize = $list.len();
        static NAMES: [$crate::text::Name; COUNT] = {
            let (mut names, mut i) = ([[0; size_of::<$crate::text::Name>()]; COUNT], 0);
            while i < COUNT {
                (names[i], i) = ($crate::text::name($list[i].name), i + 1);
            }
            names
        };
        &NAMES
    }};
}
pub(crate) use names;

/// A list of schemes of one kind, as C sees it: its handles are the addresses of what it lists.
pub(crate) struct List<T: 'static> {
    pub(crate) all: &'static [&'static T],
    pub(crate) names: &'static [Name],
}

impl<T: Sync> List<T> {
    /// The handle at a place, or null behind the last one.
    pub(crate) fn at<H>(&self, at: usize) -> *const H {
        self.all.get(at).map_or(std::ptr::null(), |it| std::ptr::from_ref(*it).cast())
    }

    /// The handle of a name, in capitals or not; null where there is none of the name.
    ///
    /// # Safety
    /// The pointer is null, or at a text that ends with a zero.
    pub(crate) unsafe fn find<H>(&self, text: *const c_char) -> *const H {
        // SAFETY: by the contract.
        let text = unsafe { borrowed(text) };
        answer(std::ptr::null(), || {
            let text = text.ok()?.to_bytes();
            let is_it = |name: &Name| CStr::from_bytes_until_nul(name).is_ok_and(|it| same(it, text));
            Some(self.at(self.names.iter().position(is_it)?))
        })
    }

    /// What a handle is of.
    pub(crate) fn of<H>(&self, handle: *const H) -> Result<&'static T, Error> {
        Ok(self.all[self.place(handle)?])
    }

    /// The name of what a handle is of, or null.
    pub(crate) fn name<H>(&self, handle: *const H) -> *const c_char {
        self.place(handle).map_or(std::ptr::null(), |at| self.names[at].as_ptr().cast())
    }

    /// A fact of what a handle is of, or 0.
    pub(crate) fn fact<H>(&self, handle: *const H, fact: impl FnOnce(&T) -> usize) -> usize {
        answer(0, || self.of(handle).ok().map(fact))
    }

    fn place<H>(&self, handle: *const H) -> Result<usize, Error> {
        if handle.is_null() {
            return Err(Error::NullPointer);
        }
        let is_it = |it: &&T| std::ptr::eq(std::ptr::from_ref(*it).cast(), handle);
        self.all.iter().position(is_it).ok_or(Error::Handle)
    }
}

/// Whether a text is a name, in capitals or not.
fn same(name: &CStr, text: &[u8]) -> bool {
    name.to_bytes().eq_ignore_ascii_case(text)
}

/// A text of C's.
///
/// # Safety
/// The pointer is null, or at a text that ends with a zero and stays as it is for as long as this is used.
pub(crate) unsafe fn borrowed<'a>(text: *const c_char) -> Result<&'a CStr, Error> {
    if text.is_null() {
        return Err(Error::NullPointer);
    }
    // SAFETY: not null, so by the contract a text.
    Ok(unsafe { CStr::from_ptr(text) })
}

/// Whether a scheme is a standard, historical, or for research alone.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SchemeStatus {
    /// There is no such scheme.
    None = 0,
    /// A standard in force.
    Standard = 1,
    /// For research and compatibility.
    Historical = 2,
    /// For research alone: too weak, or of a broken hash, or never in a standard.
    Research = 3,
}

impl From<Status> for SchemeStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Standard => SchemeStatus::Standard,
            Status::Historical => SchemeStatus::Historical,
            // A kind that this version does not know is none to use.
            _ => SchemeStatus::Research,
        }
    }
}

/// Writes a text with a zero behind it, where there is room for all of it.
pub(crate) fn write(text: &str, out: Out<u8>) -> Result<(), Error> {
    if out.count() <= text.len() {
        return Err(Error::Length);
    }
    let mut with_end = Own::zero(text.len() + 1)?;
    with_end[..text.len()].copy_from_slice(text.as_bytes());
    out.write(&with_end);
    Ok(())
}
