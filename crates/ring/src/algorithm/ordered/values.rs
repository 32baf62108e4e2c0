//! Values of a complete transform as words, by any route.
//!
//! [`complete`](super::complete) puts values in the order of a scheme. What it starts from is the same for
//! all transforms: words in the order of [`Ntt`](crate::algorithm::ntt), exact, and products of them with a
//! factor that the inverse takes off.

use crate::algorithm::ntt::Ntt;
use crate::bound::Bound;
use crate::memory::Rows;
use crate::multiply::Transform;
use crate::reduce::montgomery;
use crate::ring::Ring;
use crate::route::Route;
use core::marker::PhantomData;
use ringsmith_simd::{Cpu, Kernel, Row, Simd};

/// Values in the order of [`Ntt`]: slot (row `16 t + c`, lane `l`) is place `256 t + 16 l + c` of the
/// in-place transform.
pub trait CompleteTransform<R: Ring<Coeffs = Rows<N>>, const N: usize> {
    /// The algorithm.
    const ROUTE: Route;
    /// The bound of the values that [`forward`](CompleteTransform::forward) returns.
    const VALUES: Bound;
    /// Where products of values below `q` lie.
    const PRODUCTS: Bound;
    /// The factor of products.
    const FACTOR: i64;
    /// Evaluating this proves that no lane overflows, and that the inverse takes what products return.
    const PROOF: ();

    /// From centred coefficients, or coefficients below `q`.
    fn forward(cpu: Cpu, a: &Rows<N>, values: &mut [Row; N]);
    /// To centred coefficients; spoils the values.
    fn inverse(cpu: Cpu, values: &mut [Row; N], out: &mut Rows<N>);
    /// `FACTOR a b` of values within `1 - q` and `q - 1`.
    fn multiply<S: Simd>(s: S, a: S::I16, b: S::I16) -> S::I16;
}

impl<R: Ring<Coeffs = Rows<N>>, const Q: i64, const N: usize> CompleteTransform<R, N> for Ntt<Q, N, 1> {
    const ROUTE: Route = Route::Ntt { base: 1 };
    const VALUES: Bound = Self::forward_bound();
    const PRODUCTS: Bound = {
        let operand = Bound::symmetric(Q - 1);
        montgomery::bound_wide(operand.mul(operand).mirrored(), Q)
    };
    /// `2^-16`.
    const FACTOR: i64 = crate::number::inverse(1 << 16, Q);
    const PROOF: () = {
        let () = Ntt::<Q, N, 1>::PROOF;
        assert!(
            Ntt::<Q, N, 1>::inverse_takes(<Self as CompleteTransform<R, N>>::PRODUCTS),
            "overflow: the inverse"
        );
    };

    fn forward(cpu: Cpu, a: &Rows<N>, values: &mut [Row; N]) {
        <Self as Transform<R>>::forward(cpu, a, values);
    }

    fn inverse(cpu: Cpu, values: &mut [Row; N], out: &mut Rows<N>) {
        <Self as Transform<R>>::inverse(cpu, values, out);
    }

    #[inline(always)]
    fn multiply<S: Simd>(s: S, a: S::I16, b: S::I16) -> S::I16 {
        montgomery::product::<S, Q>(s, a, b)
    }
}

/// `out = FACTOR a b`, slot by slot.
pub(super) fn product<R: Ring<Coeffs = Rows<N>>, V: CompleteTransform<R, N>, const N: usize>(
    cpu: Cpu,
    a: &Rows<N>,
    b: &Rows<N>,
    out: &mut Rows<N>,
) {
    cpu.run(Product::<R, V, N> { a: &a.0, b: &b.0, out: &mut out.0, by: PhantomData });
}

struct Product<'a, R, V, const N: usize> {
    a: &'a [Row; N],
    b: &'a [Row; N],
    out: &'a mut [Row; N],
    by: PhantomData<(R, V)>,
}

impl<R: Ring<Coeffs = Rows<N>>, V: CompleteTransform<R, N>, const N: usize> Kernel for Product<'_, R, V, N> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut r = 0;
        while r < N {
            let (a, b) = (s.load(&self.a[r]), s.load(&self.b[r]));
            s.store(&mut self.out[r], V::multiply(s, a, b));
            r += 1;
        }
    }
}
