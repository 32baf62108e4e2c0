//! Parts of the operations on lists of numbers, for tests against published vectors of these parts.

use super::codec;
use super::element::{Element, InRows, Second, Ternary, Work};
use super::rings::{self, Quotient};
use super::ternary::{Centre, modulo_3_and_phi, modulo_phi, ternary_modulo_phi};
use super::trits;
use ringsmith_cyclic::rows;
use ringsmith_ring::inverse::mod_2::{from_rows, inverse, to_rows, unit_modulo_2, words};
use ringsmith_ring::inverse::newton;
use ringsmith_ring::{Multiplier, Poly, Ring, Small};
use ringsmith_simd::Cpu;
use zeroize::Zeroizing;

/// What vectors take of numbers.
fn element<R: Ring>(numbers: &[u16]) -> Element<R> {
    let (mut out, centre) = (Element::zero(), const { Centre::of::<R>() });
    let words = out.rows_mut().as_flattened_mut();
    words.iter_mut().zip(&numbers[..R::N]).for_each(|(x, a)| *x = centre.word(*a as i16));
    out
}

/// Coefficients in `[0, m)`.
fn write(a: &impl InRows, m: i16, out: &mut [u16]) {
    out.iter_mut().zip(a.rows().as_flattened()).for_each(|(x, a)| *x = a.rem_euclid(m) as u16);
}

/// A product modulo `q` and `x^n - 1`, or `Phi_n`.
pub fn product<R: Quotient>(cpu: Cpu, [a, b]: [&[u16]; 2], phi: bool, out: &mut [u16]) {
    let (a, b, mut c) = (element::<R>(a), element::<R>(b), Element::zero());
    <Element<R> as Second<R, Element<R>>>::product_into(
        &b,
        &mut Work::new(Multiplier::new_on(cpu)),
        &a,
        &mut c,
    );
    if phi {
        modulo_phi(cpu, &mut c);
    }
    write(&c, R::Q as i16, out);
}

/// Modulo `q` and `Phi_n`.
pub fn reduced<R: Quotient>(cpu: Cpu, a: &[u16], out: &mut [u16]) {
    let mut a = element::<R>(a);
    modulo_phi(cpu, &mut a);
    write(&a, R::Q as i16, out);
}

/// Modulo 3 and `Phi_n`, of numbers modulo `q`.
pub fn reduced_modulo_3<R: Quotient>(cpu: Cpu, a: &[u16], out: &mut [u16]) {
    let mut reduced = Ternary::<R>::zero();
    modulo_3_and_phi(cpu, &element(a), &mut reduced);
    write(&reduced, 3, out);
}

/// An element whose sum is 0, or one modulo `Phi_n`, as bytes.
pub fn encoded<R: Quotient>(cpu: Cpu, a: &[u16], out: &mut [u8]) {
    codec::encode(cpu, &element::<R>(a), out);
}

/// The inverse, of an element whose sum is 0, or of one modulo `Phi_n`.
pub fn decoded<R: Quotient>(cpu: Cpu, bytes: &[u8], sum_zero: bool, out: &mut [u16]) {
    let mut a = Element::<R>::zero();
    match sum_zero {
        true => codec::decode_of_sum_zero(cpu, bytes, &mut a),
        false => codec::decode_modulo_phi(cpu, bytes, &mut a),
    }
    write(&a, R::Q as i16, out);
}

/// Numbers of which the low bytes count, five in a byte, modulo 256: the numbers' bits, one after the other,
/// are ternary elements, and the bytes of a sum are sums of bytes.
pub fn encoded_ternary<R: Quotient>(cpu: Cpu, a: &[u16], out: &mut [u8]) {
    let (mut work, mut ternary) = (Work::new(Multiplier::new_on(cpu)), Ternary::<R>::zero());
    // As many as the longest have.
    let mut sums = [0_u8; trits::bytes(<rings::NtruHrss1373 as Ring>::N)];
    let sums = &mut sums[..out.len()];
    for bit in 0..8 {
        let words = ternary.rows_mut().as_flattened_mut();
        words.iter_mut().zip(&a[..R::N - 1]).for_each(|(x, a)| *x = (a >> bit & 1) as i16);
        trits::encode(&mut work, &ternary, out);
        sums.iter_mut().zip(&*out).for_each(|(sum, byte)| *sum = sum.wrapping_add(byte << bit));
    }
    out.copy_from_slice(sums);
}

/// The inverse, of any bytes.
pub fn decoded_ternary<R: Quotient>(cpu: Cpu, bytes: &[u8], out: &mut [u16]) {
    let mut a = Ternary::<R>::zero();
    trits::decode(&mut Work::new(Multiplier::new_on(cpu)), bytes, &mut a);
    write(&a, 3, out);
}

/// An element as bytes, and less the sum of its coefficients again. Constant time.
pub fn packed<R: Quotient>(cpu: Cpu, a: &Poly<R>, bytes: &mut [u8], out: &mut Poly<R>) {
    let (a, mut back) = (Element(Zeroizing::new(*a)), Element::zero());
    codec::encode(cpu, &a, bytes);
    codec::decode_of_sum_zero(cpu, bytes, &mut back);
    *out = *back.0;
}

/// A ternary element as bytes, and again; 0 where these are one as it is written. Constant time.
pub fn packed_ternary<R: Quotient>(cpu: Cpu, a: &Small<R>, bytes: &mut [u8], out: &mut Small<R>) -> i16 {
    let (a, mut back) = (Ternary(Zeroizing::new(*a)), Ternary::zero());
    let mut work = Work::new(Multiplier::new_on(cpu));
    trits::encode(&mut work, &a, bytes);
    let is_bad = trits::decode(&mut work, bytes, &mut back);
    *out = *back.0;
    is_bad
}

/// `1 / a` modulo 3 and `Phi_n`, of numbers modulo 3; whether it exists.
pub fn inverse_modulo_3<R: Quotient>(cpu: Cpu, a: &[u16], out: &mut [u16]) -> bool {
    let [mut reduced, mut inverse] = [(); 2].map(|()| Ternary::<R>::zero());
    let mut small = Element::zero();
    let words = small.rows_mut().as_flattened_mut();
    words.iter_mut().zip(&a[..R::N]).for_each(|(x, a)| *x = (a % 3) as i16);
    modulo_3_and_phi(cpu, &small, &mut reduced);
    let exists =
        R::inverse_mod_3_into(&mut Work::new(Multiplier::new_on(cpu)), &reduced, &reduced, &mut inverse);
    write(&inverse, 3, out);
    exists.to_bool()
}

/// Numbers 0, 1, 2 modulo 3 as numbers modulo `q`.
pub fn widened<R: Quotient>(a: &[u16], out: &mut [u16]) {
    let (mut ternary, mut wide) = (Ternary::<R>::zero(), Element::zero());
    let words = ternary.rows_mut().as_flattened_mut();
    words.iter_mut().zip(&a[..R::N]).for_each(|(x, a)| *x = *a as i16 - 3 * (*a as i16 >> 1));
    ternary.widen_into(&mut wide);
    write(&wide, R::Q as i16, out);
}

/// The inverse; the top number must be 0. Whether all are such.
pub fn narrowed<R: Quotient>(cpu: Cpu, a: &[u16], out: &mut [u16]) -> bool {
    let mut ternary = Ternary::<R>::zero();
    let bad = ternary_modulo_phi(cpu, &mut element(a), &mut ternary);
    write(&ternary, 3, out);
    bad == 0
}

/// A ring with inverses modulo 2.
pub trait InverseModulo2: Quotient {
    /// `1 / a` modulo 2 and `Phi_n`; whether it exists.
    fn inverse_modulo_2(cpu: Cpu, a: &[u16], out: &mut [u16]) -> bool;
}

macro_rules! inverses_modulo_2 {
    ($($(#[$doc:meta])* $ring:ident: $q:literal, $n:literal;)*) => { $(
        impl InverseModulo2 for rings::$ring {
            fn inverse_modulo_2(cpu: Cpu, a: &[u16], out: &mut [u16]) -> bool {
                const WORDS: usize = words($n);
                const ROWS: usize = rows($n);
                let mut a = element::<Self>(a);
                let a = a.0.coeffs_mut();
                unit_modulo_2::<$n, ROWS>(a);
                let (inverse, exists) = inverse::<$n, WORDS>(cpu, &from_rows::<$n, WORDS, ROWS>(cpu, a));
                to_rows::<$n, WORDS, ROWS>(cpu, &inverse, a);
                newton::modulo_phi::<$n, ROWS>(cpu, 1, a);
                let coefficients = a.0.as_flattened();
                out.iter_mut().zip(coefficients).for_each(|(x, a)| *x = a.rem_euclid(2) as u16);
                exists.to_bool()
            }
        }
    )* };
}

ringsmith_cyclic::each_ntru_ring!(inverses_modulo_2);
