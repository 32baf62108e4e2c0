//! Sums of products by prepared factors.

use super::{Engine, Prepared, PreparedFactor, Ring, Room};
use crate::{Coefficient, RingError, schoolbook};

impl Ring {
    /// Writes `a_1 b_1 + a_2 b_2 + ..` to `out`, by prepared `b_1`, `b_2`, ..: transforms of the first
    /// factors are multiplied and summed, and the sum is transformed back once. A row of a matrix that is
    /// multiplied by often, times a vector, is one: `k` products take `k + 1` transforms, not `2 k + 1`.
    ///
    /// # Errors
    /// Where an operand does not serve, there are more pairs than the ring's operands say
    /// ([`RingError::Operands`]) or none, or a prepared factor or the room is that of another ring.
    ///
    /// # Constant time
    /// In the coefficients.
    ///
    /// ```
    /// use ringsmith_any::{Operands, Ring};
    /// use ringsmith_simd::Cpu;
    ///
    /// let ring = Ring::new_on(Cpu::detect(), 3329, &"x^256+1".parse()?, Operands::any().sums(2))?;
    /// let (a, b, mut sum) = ([1_u16; 256], [2_u16; 256], [0_u16; 256]);
    /// let (row, mut room) = ([ring.prepare(&a)?, ring.prepare(&b)?], ring.room()?);
    /// ring.sum_of_products_prepared(&[(&b, &row[0]), (&a, &row[1])], &mut sum, &mut room)?;
    /// assert_eq!(sum[255], 4 * 256);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sum_of_products_prepared<T: Coefficient>(
        &self,
        pairs: &[(&[T], &Prepared)],
        out: &mut [T],
        room: &mut Room,
    ) -> Result<(), RingError> {
        if pairs.is_empty() || pairs.len() as u64 > self.operands.count() {
            return Err(RingError::Operands);
        }
        if pairs.iter().any(|(_, b)| !self.has(&b.ring)) {
            return Err(RingError::OtherRing);
        }
        for (i, (a, b)) in pairs.iter().enumerate() {
            self.read(a, &mut room.a)?;
            self.add_product_prepared(room, &b.factor, i == 0)?;
        }
        self.end_sum(room)?;
        self.write(room, out)
    }

    /// Begins a sum with the product of the room's first factor and a prepared one, or adds it.
    fn add_product_prepared(
        &self,
        room: &mut Room,
        b: &PreparedFactor,
        begin: bool,
    ) -> Result<(), RingError> {
        let Room { a, product, transforms, narrow, .. } = room;
        match (&self.engine, b, transforms) {
            (Engine::Compiled(kernels), PreparedFactor::Compiled(b), _) => {
                kernels.add_product_prepared(self.zq, (a, b), &mut product[..self.degree()], begin, narrow)
            }
            (Engine::Rows { kernels, .. }, PreparedFactor::Compiled(b), _) => {
                kernels.add_product_prepared(self.zq, (a, b), product, begin, narrow)
            }
            (Engine::Schoolbook, PreparedFactor::Words(b), _) => {
                schoolbook::add_product(self.zq, a, b, product, begin);
                Ok(())
            }
            (
                Engine::Wrapped(exact) | Engine::Folded(exact) | Engine::Whole(exact),
                PreparedFactor::Transforms(b),
                Some(transforms),
            ) => exact.add_product_prepared(a, b, transforms, begin),
            _ => Err(RingError::OtherRing),
        }
    }
}
