//! What operations take.

use crate::vectors::Role;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// What a product takes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Products of two numbers, neither of which is a constant.
    pub multiplications: u64,
    /// Products by a number of a table.
    pub by_tables: u64,
    /// Products by a constant that is the same in all lanes.
    pub by_constants: u64,
    /// Sums and differences of two.
    pub additions: u64,
    /// By a number of coefficients: how many products of polynomials of so many.
    pub small_products: BTreeMap<usize, u64>,
    /// By a number of coefficients: how many sums of polynomials of so many.
    pub polynomial_sums: BTreeMap<usize, u64>,
}

thread_local! {
    /// What was counted on this thread.
    static COUNTS: RefCell<Counts> = RefCell::default();
}

/// What the token counts on this thread while `run` runs.
pub fn counted<T>(run: impl FnOnce() -> T) -> (T, Counts) {
    COUNTS.take();
    let out = run();
    (out, COUNTS.take())
}

/// Lanes of a vector, each of which is an operation.
const LANES: u64 = 16;

/// A sum or a difference.
pub(crate) fn sum(a: Role, b: Role) {
    if (a, b) == (Role::Number, Role::Number) {
        COUNTS.with_borrow_mut(|counts| counts.additions += LANES);
    }
}

/// A product of two vectors counts where both are numbers.
pub(crate) fn product(a: Role, b: Role) {
    if (a, b) == (Role::Number, Role::Number) {
        COUNTS.with_borrow_mut(|counts| counts.multiplications += LANES);
    }
}

/// A product modulo `q`, by the roles of its second factor and of what was prepared of that.
pub(crate) fn montgomery_product(z: Role, zq: Role) {
    COUNTS.with_borrow_mut(|counts| {
        // A number's second factor is computed, a table's is read beside the first.
        let of_its_kind = match (z, zq) {
            (Role::Number, Role::Between) => &mut counts.multiplications,
            (Role::Number, _) => &mut counts.by_tables,
            _ => &mut counts.by_constants,
        };
        *of_its_kind += LANES;
    });
}

/// So many products of polynomials of `size` coefficients.
pub(crate) fn small_products(size: usize, number: usize) {
    COUNTS.with_borrow_mut(|counts| *counts.small_products.entry(size).or_default() += number as u64);
}

/// A sum of two polynomials of `size` coefficients.
pub(crate) fn polynomial_sum(size: usize) {
    COUNTS.with_borrow_mut(|counts| *counts.polynomial_sums.entry(size).or_default() += 1);
}
