//! What tells the two systems of NTRU apart: how elements are drawn, and how a message is lifted.

use super::element::{Element, Ternary};
use super::rings::Quotient;
use ringsmith_ring::Ring;
use ringsmith_simd::Cpu;

/// NTRU-HPS or NTRU-HRSS.
pub trait Variant: 'static {
    /// `f` and `g` of a key.
    fn sample_key<R: Quotient>(cpu: Cpu, bytes: &[u8], f: &mut Ternary<R>, g: &mut Ternary<R>);

    /// `r` and `m` of a ciphertext.
    fn sample_message<R: Quotient>(cpu: Cpu, bytes: &[u8], r: &mut Ternary<R>, m: &mut Ternary<R>);

    /// `a` times what `h` is a multiple of.
    fn multiple<R: Ring>(cpu: Cpu, a: &Element<R>, out: &mut Element<R>);

    /// `a + scale Lift(m)`, where `Lift(m)` is an element modulo `q` that is 0 at 1, and `m` modulo 3 and
    /// `Phi_n`.
    fn add_lift<R: Ring>(cpu: Cpu, a: &mut Element<R>, scale: i16, m: &Ternary<R>);

    /// 0 where `m` is one that [`sample_message`](Variant::sample_message) gives; which is a secret.
    fn not_a_message<R: Ring>(cpu: Cpu, m: &Ternary<R>) -> i16;
}
