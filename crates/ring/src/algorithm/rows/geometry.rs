//! How rows are cut: super-rows, and the two factors of the transform across them.

use crate::algorithm::codelet::dft::{self, chinese};
use crate::algorithm::codelet::{Codelet, POINTS};
use crate::number::{inverse, power, root_of_unity};

/// The greatest number of rows in a super-row.
const WIDEST: usize = 3;

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
    /// The least width for which `q` has the roots of unity, and the cheapest two factors; `None` where there are none.
    pub const fn find(q: i64, operand: usize, rows: usize) -> Option<Geometry> {
        let mut width = 1;
        while width <= WIDEST {
            if rows.is_multiple_of(2 * width) && (q - 1) % (rows / width) as i64 == 0 {
                return Geometry::cut(q, operand, width, rows / width);
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
        let (mut best, mut least, mut a) = (None, usize::MAX, 2);
        while a <= POINTS {
            let b = points / a;
            if points.is_multiple_of(a)
                && b > 1
                && b <= POINTS
                && coprime(a, b)
                && dft::exists(a)
                && dft::exists(b)
            {
                let geometry = Geometry { q, operand, width, a, b, root };
                let price = geometry.price();
                if price < least {
                    (best, least) = (Some(geometry), price);
                }
            }
            a += 1;
        }
        best
    }

    /// What both transforms of operands and the inverse cost without their reductions, in instructions.
    const fn price(&self) -> usize {
        let (mut columns, mut c) = (0, 0);
        while c < self.b {
            columns += price(&self.column(c));
            c += 1;
        }
        let (back, last) = (self.back(), self.last());
        2 * columns + 3 * self.a * price(&back) + self.b * price(&last)
    }

    /// Which super-row is point `r` of column `c`: the one that is `r` modulo `a` and `c` modulo `b`.
    pub const fn place(&self, r: usize, c: usize) -> usize {
        chinese(self.a, self.b, r, c)
    }

    /// The root of the super-row at place `k` in memory, point `k % b` of row `k / b`: it holds residues modulo `x^L` less this.
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
    pub const fn present(&self, c: usize) -> [bool; POINTS] {
        let (mut present, mut r) = ([false; POINTS], 0);
        while r < self.a {
            present[r] = self.width * self.place(r, c) < self.operand;
            r += 1;
        }
        present
    }

    /// Column `c` forward.
    pub const fn column(&self, c: usize) -> Codelet {
        dft::dft(self.a, self.roots()[0], self.q, &self.present(c))
    }

    /// The second pass forward.
    pub const fn second(&self) -> Codelet {
        dft::dft(self.b, self.roots()[1], self.q, &[true; POINTS])
    }

    /// The first pass backwards.
    pub const fn back(&self) -> Codelet {
        dft::dft(self.b, inverse(self.roots()[1], self.q), self.q, &[true; POINTS])
    }

    /// The second pass backwards.
    pub const fn last(&self) -> Codelet {
        dft::dft(self.a, inverse(self.roots()[0], self.q), self.q, &[true; POINTS])
    }
}

const fn coprime(a: usize, b: usize) -> bool {
    let (mut a, mut b) = (a, b);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a == 1
}

/// Instructions of a codelet: a product by a constant is four.
const fn price(codelet: &Codelet) -> usize {
    let count = codelet.count();
    count.additions + 4 * count.products
}
