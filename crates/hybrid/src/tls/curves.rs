//! The curves of hybrid groups: Diffie-Hellman on encoded points.
//!
//! A scalar `a` is drawn, `a G` is sent, and of the other side's `b G` comes the secret: the coordinate `x`
//! of `ab G`. X25519's points are 32 bytes (RFC 7748); those of the NIST curves are uncompressed,
//! `04 || x || y` (SEC 1, section 2.3.3), which is the only form that TLS 1.3 has.

use super::{ShareError, check};
use crate::curve::{POINT_BYTES, shared};
use p256::elliptic_curve::ecdh::diffie_hellman;
use p256::elliptic_curve::point::AffineCoordinates;
use p256::elliptic_curve::sec1::{FromSec1Point, ModulusSize, Sec1Point, ToSec1Point};
use p256::elliptic_curve::subtle::CtOption;
use p256::elliptic_curve::{CurveArithmetic, FieldBytes, FieldBytesSize, NonZeroScalar, PublicKey};
use p256::elliptic_curve::{CurveGroup, Field, Group};
use rand_core::CryptoRng;
use ringsmith_kem::declassify::publish;
use ringsmith_kem::set::Bytes;
use x25519_dalek::StaticSecret;
use zeroize::{Zeroize, Zeroizing};

/// A curve.
pub(super) trait Curve: 'static {
    /// A scalar.
    type Scalar: Bytes;
    /// Its code point as a group of its own; 0 for none.
    const CODE_POINT: u16;
    /// Bytes of a point.
    const POINT: usize;
    /// Bytes of the secret.
    const SECRET: usize;

    /// Draws a scalar.
    fn draw(rng: &mut dyn CryptoRng, scalar: &mut Self::Scalar);

    /// Writes the point of a scalar, [`POINT`](Curve::POINT) bytes.
    fn point(scalar: &Self::Scalar, point: &mut [u8]);

    /// Writes the secret, [`SECRET`](Curve::SECRET) bytes, of the other side's point.
    fn agree(scalar: &Self::Scalar, point: &[u8], secret: &mut [u8]) -> Result<(), ShareError>;
}

/// No curve: for a lattice scheme alone.
pub(super) enum NoCurve {}

impl Curve for NoCurve {
    type Scalar = [u8; 0];
    const CODE_POINT: u16 = 0;
    const POINT: usize = 0;
    const SECRET: usize = 0;

    fn draw(_: &mut dyn CryptoRng, _: &mut [u8; 0]) {}
    fn point(_: &[u8; 0], _: &mut [u8]) {}
    fn agree(_: &[u8; 0], _: &[u8], _: &mut [u8]) -> Result<(), ShareError> {
        Ok(())
    }
}

/// X25519.
pub(super) enum X25519 {}

impl Curve for X25519 {
    type Scalar = [u8; POINT_BYTES];
    const CODE_POINT: u16 = 0x001D;
    const POINT: usize = POINT_BYTES;
    const SECRET: usize = 32;

    fn draw(rng: &mut dyn CryptoRng, scalar: &mut Self::Scalar) {
        rng.fill_bytes(scalar);
    }

    fn point(scalar: &Self::Scalar, point: &mut [u8]) {
        let scalar = StaticSecret::from(*scalar);
        point.copy_from_slice(x25519_dalek::PublicKey::from(&scalar).as_bytes());
    }

    fn agree(scalar: &Self::Scalar, point: &[u8], secret: &mut [u8]) -> Result<(), ShareError> {
        let point = <[u8; POINT_BYTES]>::try_from(point).map_err(|_| ShareError::Point)?;
        let agreed = shared(&StaticSecret::from(*scalar), &point.into()).ok_or(ShareError::Point)?;
        secret.copy_from_slice(agreed.as_bytes());
        Ok(())
    }
}

/// The NIST curve of 256 bits.
pub(super) enum P256 {}

/// The NIST curve of 384 bits.
pub(super) enum P384 {}

/// A curve in short Weierstrass form, of the crates of RustCrypto; a scalar has `N` bytes.
macro_rules! weierstrass {
    ($curve:ident, $of:ty, $code_point:literal, $bytes:literal) => {
        impl Curve for $curve {
            type Scalar = [u8; $bytes];
            const CODE_POINT: u16 = $code_point;
            const POINT: usize = 2 * $bytes + 1;
            const SECRET: usize = $bytes;

            fn draw(rng: &mut dyn CryptoRng, scalar: &mut Self::Scalar) {
                draw::<$of>(rng, scalar);
            }

            fn point(scalar: &Self::Scalar, point: &mut [u8]) {
                write_point::<$of>(scalar, point);
            }

            fn agree(scalar: &Self::Scalar, point: &[u8], secret: &mut [u8]) -> Result<(), ShareError> {
                agree::<$of>(scalar, point, secret)
            }
        }
    };
}

weierstrass!(P256, p256::NistP256, 0x0017, 32);
weierstrass!(P384, p384::NistP384, 0x0018, 48);

/// The scalar of bytes, where they are in `[1, order)`.
fn scalar<C: CurveArithmetic>(bytes: &[u8]) -> CtOption<NonZeroScalar<C>> {
    let mut encoded = FieldBytes::<C>::default();
    encoded.copy_from_slice(bytes);
    let scalar = NonZeroScalar::from_repr(encoded);
    encoded.zeroize();
    scalar
}

/// The scalar of bytes that [`draw`] took: no other ones come here, and nothing asks again which they are.
fn drawn<C: CurveArithmetic>(bytes: &[u8]) -> Zeroizing<NonZeroScalar<C>> {
    let one = NonZeroScalar::<C>::new(C::Scalar::ONE).unwrap();
    Zeroizing::new(scalar::<C>(bytes).unwrap_or(one))
}

/// Draws until the bytes are in `[1, order)`: the first are, but for one in `2^32`. Whether they are is told:
/// those that are not are thrown away.
fn draw<C: CurveArithmetic>(rng: &mut dyn CryptoRng, bytes: &mut [u8]) {
    let mut is_scalar = [0];
    while is_scalar == [0] {
        rng.fill_bytes(bytes);
        is_scalar = [scalar::<C>(bytes).is_some().unwrap_u8()];
        publish(&mut is_scalar);
    }
}

/// `04 || x || y`.
fn write_point<C: CurveArithmetic>(scalar: &[u8], point: &mut [u8]) {
    let affine = C::ProjectivePoint::mul_by_generator(&drawn::<C>(scalar)).to_affine();
    let (x, y) = point[1..].split_at_mut(scalar.len());
    x.copy_from_slice(affine.x().as_ref());
    y.copy_from_slice(affine.y().as_ref());
    point[0] = 4;
}

fn agree<C: CurveArithmetic>(scalar: &[u8], point: &[u8], secret: &mut [u8]) -> Result<(), ShareError>
where
    C::AffinePoint: FromSec1Point<C> + ToSec1Point<C>,
    FieldBytesSize<C>: ModulusSize,
{
    let point = Sec1Point::<C>::from_bytes(point).map_err(|_| ShareError::Point)?;
    if point.is_compressed() || point.is_compact() {
        return Err(ShareError::Point);
    }
    let point = PublicKey::<C>::from_sec1_point(&point).into_option().ok_or(ShareError::Point)?;
    let agreed = diffie_hellman::<C>(*drawn::<C>(scalar), *point.as_affine());
    check("secret", agreed.raw_secret_bytes().len(), secret.len())?;
    secret.copy_from_slice(agreed.raw_secret_bytes());
    Ok(())
}
