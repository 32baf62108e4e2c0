//! What is known of the operands of products.

use crate::RingError;

/// The most products in a sum.
const MAX_PRODUCTS: usize = 1 << 16;

/// What is known of the operands of a product: the less they can be, the fewer primes it takes.
///
/// ```
/// use ringsmith_any::{Operands, Ring};
/// use ringsmith_simd::Cpu;
///
/// let f = "x^743-x-1".parse()?;
/// let any = Ring::new_on(Cpu::detect(), 1 << 40, &f, Operands::any())?;
/// let ternary = Ring::new_on(Cpu::detect(), 1 << 40, &f, Operands::any().small(1))?;
/// assert_eq!((any.route().primes().count(), ternary.route().primes().count()), (2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operands {
    bound: Option<u64>,
    products: usize,
    /// Whether the bound is only promised, and nobody looks.
    promised: bool,
}

impl Operands {
    /// Both factors are any elements. Nothing is gained by saying that coefficients are centred: those of
    /// every element are, above `q / 2` as negative ones, and are read so where that saves a prime.
    pub const fn any() -> Self {
        Operands { bound: None, products: 1, promised: false }
    }

    /// The second factor's coefficients are from `-bound` to `bound`, where `-1` is `q - 1`; the bound is
    /// from 1 to `q / 2`. Modulo 12289 a factor from -2 to 2 has the coefficients 0, 1, 2, 12287 and 12288.
    pub const fn small(self, bound: u64) -> Self {
        Operands { bound: Some(bound), ..self }
    }

    /// The bound of [`small`](Operands::small) is promised: nobody looks whether second factors keep it.
    ///
    /// A coefficient beyond the bound makes a wrong product, whose coefficients are in `[0, q)` all the
    /// same; or a right one, as by the definition; or it is refused as before, where two coefficients are
    /// one number. That depends on the ring's method. Coefficients that are not below `q` are always refused.
    ///
    /// ```
    /// use ringsmith_any::{Operands, Ring, RingError};
    /// use ringsmith_simd::Cpu;
    ///
    /// let (q, f) = (1 << 40, "x^743-x-1".parse()?);
    /// let (a, mut b, mut product) = ([1_u64; 743], [1; 743], [0; 743]);
    /// b[5] = 2;
    /// let checked = Ring::new_on(Cpu::detect(), q, &f, Operands::any().small(1))?;
    /// assert_eq!(checked.product(&a, &b, &mut product, &mut checked.room()?), Err(RingError::Range));
    /// let promised = Ring::new_on(Cpu::detect(), q, &f, Operands::any().small(1).promised())?;
    /// promised.product(&a, &b, &mut product, &mut promised.room()?)?;
    /// assert!(product.iter().all(|x| *x < q));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn promised(self) -> Self {
        Operands { promised: true, ..self }
    }

    /// Sums have so many products, at most: from 1 to 65536.
    pub const fn sums(self, products: usize) -> Self {
        Operands { products, ..self }
    }

    /// The bound of the second factor's coefficients, where they are small.
    pub fn bound(self) -> Option<u64> {
        self.bound
    }

    /// Whether nobody looks for the bound.
    pub fn is_promised(self) -> bool {
        self.promised
    }

    /// The bound that is looked for.
    pub(crate) fn checked_bound(self) -> Option<u64> {
        self.bound.filter(|_| !self.promised)
    }

    /// How many products a sum has.
    pub(crate) fn count(self) -> u64 {
        self.products as u64
    }

    /// Whether they serve.
    pub(crate) fn check(self, q: u64) -> Result<(), RingError> {
        match self.bound {
            Some(bound) if !(1..=q / 2).contains(&bound) => Err(RingError::Bound { bound, q }),
            _ if !(1..=MAX_PRODUCTS).contains(&self.products) => Err(RingError::Operands),
            _ => Ok(()),
        }
    }
}
