//! Products: both factors walk through the near cache together, part by part.

use super::{Plan, radix_far};
use crate::ends::Last;
use crate::kernels::{AsIs, AsPrepared, Backward, Part, Pointwise, ratio};
use crate::lanes::{Kind, RunBody};
use core::marker::PhantomData;

/// The second factor of a product, or the part of it below a node.
pub(super) enum Other<'a, K: Kind> {
    /// Coefficients, which become values.
    Polynomial(&'a mut [K::Line]),
    /// A prepared one.
    Prepared(&'a [K::Line]),
}

impl<'a, K: Kind> Other<'a, K> {
    /// All layers.
    fn forward(&mut self, plan: &Plan<K>, by: impl RunBody<K>, node: usize, first: usize) {
        if let Other::Polynomial(rows) = self {
            plan.forward_part(by, rows, node, first);
        }
    }

    /// The first layers.
    fn first_layers(&mut self, plan: &Plan<K>, by: impl RunBody<K>, node: usize, end: usize) {
        if let Other::Polynomial(rows) = self {
            plan.first_layers(by, rows, node, end);
        }
    }

    /// The values of `a` times these.
    fn multiply(&self, plan: &Plan<K>, by: impl RunBody<K>, a: &mut [K::Line]) {
        match self {
            Other::Polynomial(b) => by.run_body(&plan.prime, Pointwise { a, b, kind: PhantomData::<AsIs> }),
            Other::Prepared(b) => {
                by.run_body(&plan.prime, Pointwise { a, b, kind: PhantomData::<AsPrepared> })
            }
        }
    }

    /// Parts of so many rows.
    fn parts(self, size: usize) -> impl Iterator<Item = Other<'a, K>> {
        let (rows, prepared) = match self {
            Other::Polynomial(rows) => (rows, &[][..]),
            Other::Prepared(rows) => (&mut [][..], rows),
        };
        let rows = rows.chunks_mut(size).map(Other::Polynomial);
        rows.chain(prepared.chunks(size * K::PREPARED).map(Other::Prepared))
    }
}

impl<K: Kind> Plan<K> {
    /// A product: the layers of both factors, the values' products, and the layers back. Rows that don't stay
    /// in a near cache take all but the first and last layers part by part, so that values are multiplied and
    /// go back while they are near.
    pub(super) fn product_all(&self, by: impl RunBody<K>, a: &mut [K::Line], mut b: Other<'_, K>) {
        let (count, node) = (a.len(), self.ring.shape.node());
        let Some([radix, size]) = self.ends(count).filter(|_| count > K::NEAR) else {
            self.forward_part(by, a, node, 0);
            b.forward(self, by, node, 0);
            b.multiply(self, by, a);
            return self.backward_all(by, a);
        };
        self.product_of_parts(by, a, b, [node, 0], size);
        let (prime, table, scale) = (&self.prime, &self.tables.backward, self.scale);
        by.run_body(prime, Last { table, rows: a, node, radix, scale });
    }

    /// The first layers of the rows below a node, and then their parts' products.
    fn product_of_parts(
        &self,
        by: impl RunBody<K>,
        a: &mut [K::Line],
        mut b: Other<'_, K>,
        [node, first]: [usize; 2],
        size: usize,
    ) {
        self.first_layers(by, a, node, size);
        b.first_layers(self, by, node, size);
        let node = node * ratio(a.len(), size);
        for (i, (a, b)) in a.chunks_mut(size).zip(b.parts(size)).enumerate() {
            self.product_part(by, a, b, [node + i, first + i * size]);
        }
    }

    /// The product of the rows below a node, the first of which is row `first`, without the factor `1 / n`.
    fn product_part(
        &self,
        by: impl RunBody<K>,
        a: &mut [K::Line],
        mut b: Other<'_, K>,
        [node, first]: [usize; 2],
    ) {
        if a.len() <= K::NEAR {
            self.forward_part(by, a, node, first);
            b.forward(self, by, node, first);
            b.multiply(self, by, a);
            return self.backward_part(by, a, node, first);
        }
        let (size, end) = (a.len(), ratio(a.len(), radix_far::<K>(a.len())));
        self.product_of_parts(by, a, b, [node, first], end);
        let table = &self.tables.backward;
        by.run_body(&self.prime, Backward(Part { table, tails: &[], rows: a, size, node, end }));
    }
}
