//! Secret operands: random within their bounds, the same for the same seed, and marked for valgrind.

use ringsmith_oracle::Random;
use ringsmith_probe::valgrind::{self, Plain};
use ringsmith_ring::{Coefficients, Poly, Ring, Small, Workspace};

/// Marks a value as secret. (Miri interprets no machine instruction, so no request to valgrind either.)
pub fn make_undefined<T: Plain>(data: &mut [T]) {
    if !cfg!(miri) {
        valgrind::make_undefined(data);
    }
}

/// Marks a value as public.
pub fn make_defined<T: Plain>(data: &mut [T]) {
    if !cfg!(miri) {
        valgrind::make_defined(data);
    }
}

/// Secret bytes.
pub fn secret_bytes<const N: usize>(random: &mut Random) -> [u8; N] {
    let mut bytes = random.bytes();
    make_undefined(&mut bytes);
    bytes
}

/// A secret element: centred coefficients.
pub fn secret<R: Ring>(random: &mut Random) -> Poly<R> {
    let mut secret = Poly::zero();
    secret_within::<R>(random, -(R::Q / 2), (R::Q - 1) / 2, secret.coeffs_mut());
    secret
}

/// A secret small element: coefficients within [`Ring::SMALL`].
pub fn secret_small<R: Ring>(random: &mut Random) -> Small<R> {
    let mut secret = Small::zero();
    secret_within::<R>(random, -(R::SMALL as i64), R::SMALL as i64, secret.coeffs_mut());
    secret
}

/// The padding is zero and public.
fn secret_within<R: Ring>(random: &mut Random, low: i64, high: i64, coeffs: &mut R::Coeffs) {
    let values = &mut coeffs.rows_mut().as_flattened_mut()[..R::N];
    values.iter_mut().for_each(|x| *x = random.within(low, high) as i16);
    make_undefined(values);
}

/// Publishes a result: the tool may see it looked at.
pub fn publish<C: Coefficients>(coeffs: &mut C) {
    make_defined(coeffs.rows_mut().as_flattened_mut());
}

/// Publishes memory that secrets went through.
pub fn publish_space<W: Workspace>(space: &mut W) {
    let (rows, wide) = space.parts_mut();
    make_defined(rows.as_flattened_mut());
    make_defined(wide.as_flattened_mut());
}
