//! How rows are cut: super-rows, and the two factors of the transform across them.

use crate::algorithm::codelet::dft::{chinese, coprime, exists};
use crate::algorithm::codelet::{Codelet, POINTS};
use crate::number::{inverse, power, root_of_unity};

/// The greatest number of rows in a super-row.
const WIDEST: usize = 3;

/// The second pass of the first operand, among the codelets of a transform.
pub(super) const FIRST: usize = 0;
/// The second pass of the second operand.
pub(super) const SECOND: usize = 1;
/// The first pass backwards.
pub(super) const BACK: usize = 2;
/// The second pass backwards.
pub(super) const LAST: usize = 3;
/// Column 0 of the first pass forward; the other columns follow.
pub(super) const COLUMNS: usize = 4;
/// How many codelets there are at most.
pub(super) const CODELETS: usize = COLUMNS + POINTS;

/// Inputs that are all there.
const ALL: [bool; POINTS] = [true; POINTS];

/// The cyclic transform of length `a b` across super-rows of `width` rows, modulo `q`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Geometry {
    /// The modulus.
    pub q: i64,
    /// Rows of an operand; the others are zero.
    pub operand: usize,
    /// Rows of a super-row.
    pub width: usize,
    /// Points of the first pass.
    pub a: usize,
    /// Points of the second pass.
    pub b: usize,
    /// A root of unity of order `a b`.
    pub root: i64,
}

impl Geometry {
    /// The least width for which `q` has the roots of unity and there are factors, and the cheapest two;
    /// `None` where there are none.
    pub const fn find(q: i64, operand: usize, rows: usize) -> Option<Geometry> {
        let mut width = 1;
        while width <= WIDEST {
            if rows.is_multiple_of(2 * width) && (q - 1) % (rows / width) as i64 == 0 {
                let cut = Geometry::cut(q, operand, width, rows / width);
                if cut.is_some() {
                    return cut;
                }
            }
            width += 1;
        }
        None
    }

    /// The same where there is one.
    pub const fn of(q: i64, operand: usize, rows: usize) -> Geometry {
        match Geometry::find(q, operand, rows) {
            Some(geometry) => geometry,
            None => panic!("no transform across so many rows modulo this number"),
        }
    }

    /// The cheapest two coprime factors.
    const fn cut(q: i64, operand: usize, width: usize, points: usize) -> Option<Geometry> {
        let root = root_of_unity(points as u64, q);
        let (mut best, mut min, mut a) = (None, usize::MAX, 2);
        while a <= POINTS {
            let b = points / a;
            if points.is_multiple_of(a)
                && b > 1
                && b <= POINTS
                && coprime(a, b)
                && exists(a, q)
                && exists(b, q)
            {
                let geometry = Geometry { q, operand, width, a, b, root };
                let price = if geometry.has_inputs() { geometry.price() } else { usize::MAX };
                if price < min {
                    (best, min) = (Some(geometry), price);
                }
            }
            a += 1;
        }
        best
    }

    /// Whether no column is zero: a transform far longer than an operand would have some.
    const fn has_inputs(&self) -> bool {
        let (mut c, mut has) = (0, true);
        while c < self.b {
            let (present, mut r, mut any) = (self.present(c), 0, false);
            while r < self.a {
                any |= present[r];
                r += 1;
            }
            has &= any;
            c += 1;
        }
        has
    }

    /// What a product costs without its reductions, in instructions.
    const fn price(&self) -> usize {
        // The transforms backwards have as many operations.
        let [rows, columns] = self.forward(&Codelet::new(self.q));
        let mut price = (self.runs(FIRST) + self.runs(SECOND) + self.runs(BACK)) * operations(&rows)
            + self.runs(LAST) * operations(&columns);
        let mut c = 0;
        while c < self.b {
            price += self.runs(COLUMNS + c) * operations(&columns.with_inputs(&self.present(c)));
            c += 1;
        }
        price
    }

    /// Which super-row is point `r` of column `c`: the one that is `r` modulo `a` and `c` modulo `b`.
    pub const fn place(&self, r: usize, c: usize) -> usize {
        chinese(self.a, self.b, r, c)
    }

    /// The root of the super-row at place `k` in memory, point `k % b` of row `k / b`: it holds residues
    /// modulo `x^L` less this.
    pub const fn root(&self, k: usize) -> i64 {
        power(self.root, self.place(k / self.b, k % self.b) as u64, self.q)
    }

    /// `2^16 / (a b)`.
    pub const fn scale(&self) -> i64 {
        inverse((self.a * self.b) as i64, self.q) * (1 << 16) % self.q
    }

    /// The roots of the two passes.
    const fn roots(&self) -> [i64; 2] {
        [power(self.root, self.place(1, 0) as u64, self.q), power(self.root, self.place(0, 1) as u64, self.q)]
    }

    /// Which inputs of column `c` are there.
    const fn present(&self, c: usize) -> [bool; POINTS] {
        let (mut present, mut place, mut r) = ([false; POINTS], self.place(0, c), 0);
        let next = self.place(1, 0);
        while r < self.a {
            present[r] = self.width * place < self.operand;
            (place, r) = ((place + next) % (self.a * self.b), r + 1);
        }
        present
    }

    /// The transforms forward of `b` and of `a` points, of all inputs; `empty` is a program that computes
    /// nothing.
    const fn forward(&self, empty: &Codelet) -> [Codelet; 2] {
        let [a, b] = self.roots();
        [empty.transform(self.b, b, &ALL), empty.transform(self.a, a, &ALL)]
    }

    /// The codelets without their reductions; empty ones for columns that are not there.
    pub(super) const fn codelets(&self) -> [Codelet; CODELETS] {
        let (empty, [a, b]) = (Codelet::new(self.q), self.roots());
        let [rows, columns] = self.forward(&empty);
        let (mut codelets, mut c) = ([empty; CODELETS], 0);
        (codelets[FIRST], codelets[SECOND]) = (rows, rows);
        codelets[BACK] = empty.transform(self.b, inverse(b, self.q), &ALL);
        codelets[LAST] = empty.transform(self.a, inverse(a, self.q), &ALL);
        while c < self.b {
            codelets[COLUMNS + c] = columns.with_inputs(&self.present(c));
            c += 1;
        }
        codelets
    }

    /// How many products a coefficient of a base product is a sum of.
    pub(super) const fn terms(&self) -> i64 {
        16 * self.width as i64
    }

    /// How often codelet `i` runs for a product, in rows of each super-row.
    pub(super) const fn runs(&self, i: usize) -> usize {
        match i {
            FIRST | SECOND | BACK => self.a,
            LAST => self.b,
            _ => 2,
        }
    }
}

/// Instructions of a codelet; a product by a constant is four.
const fn operations(codelet: &Codelet) -> usize {
    let count = codelet.count();
    count.additions + 4 * count.products
}
