//! Vectors as places in lists of the thread, which grow until they are forgotten.

use ringsmith_simd::{Row, Row32};
use std::cell::RefCell;

/// What lanes are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Number,
    Constant,
    Between,
}

/// 16 lanes of 16 bits.
#[derive(Clone, Copy)]
pub struct Vector16(usize);

/// 8 lanes of 32 bits.
#[derive(Clone, Copy)]
pub struct Vector32(usize);

thread_local! {
    static VECTORS_16: RefCell<Vec<(Row, Role)>> = const { RefCell::new(Vec::new()) };
    static VECTORS_32: RefCell<Vec<Row32>> = const { RefCell::new(Vec::new()) };
}

/// Forgets all vectors of the thread.
pub(crate) fn forget() {
    VECTORS_16.with_borrow_mut(Vec::clear);
    VECTORS_32.with_borrow_mut(Vec::clear);
}

impl Vector16 {
    pub(crate) fn new(lanes: Row, role: Role) -> Self {
        VECTORS_16.with_borrow_mut(|vectors| {
            vectors.push((lanes, role));
            Vector16(vectors.len() - 1)
        })
    }

    pub(crate) fn lanes(self) -> Row {
        VECTORS_16.with_borrow(|vectors| vectors[self.0].0)
    }

    pub(crate) fn role(self) -> Role {
        VECTORS_16.with_borrow(|vectors| vectors[self.0].1)
    }
}

impl Vector32 {
    pub(crate) fn new(lanes: Row32) -> Self {
        VECTORS_32.with_borrow_mut(|vectors| {
            vectors.push(lanes);
            Vector32(vectors.len() - 1)
        })
    }

    pub(crate) fn lanes(self) -> Row32 {
        VECTORS_32.with_borrow(|vectors| vectors[self.0])
    }
}
