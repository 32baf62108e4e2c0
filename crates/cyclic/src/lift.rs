//! The products of a [lift](newton) from `F_2` to a power of two.
//!
//! They are those of the ring, and the element that is inverted is prepared for its three.

use super::element::{Element, InRows, Prepared, Second, Ternary, Work, of_element};
#[cfg(doc)]
use ringsmith_ring::inverse::newton;
use ringsmith_ring::inverse::newton::Products;
use ringsmith_ring::{Ring, Rows};

/// A multiplier with the element that is inverted.
pub struct Lift<'a, R: Ring> {
    work: &'a mut Work<R>,
    f: &'a mut Prepared<R>,
    operands: [Element<R>; 2],
    product: Element<R>,
}

impl<'a, R: Ring> Lift<'a, R> {
    /// Room for what is computed; `f` is where the element will be.
    pub fn blank(work: &'a mut Work<R>, f: &'a mut Prepared<R>) -> Self {
        let [x, y, product] = [(); 3].map(|()| Element::zero());
        Lift { work, f, operands: [x, y], product }
    }

    /// Takes the element.
    pub fn take(&mut self, f: &Element<R>) {
        Second::<R, Element<R>>::set(self.f, self.work, f);
    }
}

impl<R: Ring<Coeffs = Rows<ROWS>>, const ROWS: usize> Products<ROWS> for Lift<'_, R> {
    /// Modulo 4 the coefficients of `a` are 0 and 1.
    fn by_element(&mut self, bits: u32, a: &Rows<ROWS>, out: &mut Rows<ROWS>) {
        if bits == 2 {
            let mut small = Ternary::zero();
            *small.0.coeffs_mut() = *a;
            of_element(self.f).ternary_product_into(self.work, &small, &mut self.product);
        } else {
            *self.operands[0].0.coeffs_mut() = *a;
            of_element(self.f).product_into(self.work, &self.operands[0], &mut self.product);
        }
        *out = *self.product.0.coeffs();
    }
    fn multiply(&mut self, _: u32, a: &Rows<ROWS>, b: &Rows<ROWS>, out: &mut Rows<ROWS>) {
        let [x, y] = &mut self.operands;
        (*x.0.coeffs_mut(), *y.0.coeffs_mut()) = (*a, *b);
        y.product_into(self.work, x, &mut self.product);
        *out = *self.product.0.coeffs();
    }
}
