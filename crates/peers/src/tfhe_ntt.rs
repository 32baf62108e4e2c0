//! `tfhe-ntt` (before: `concrete-ntt`): transforms modulo primes of 32 bits, chosen at run time, for
//! homomorphic encryption.
//!
//! Its prime is a value where ours is a type, and its lanes have 32 bits where ours have 16. It picks its
//! instructions itself: AVX-512 where built and present (feature `ring`), AVX2, or none.
//!
//! Rows: `ntt` is `fwd`; `intt` is `inv`, which leaves a factor n; `pointwise` is `mul_assign_normalize`,
//! which takes that factor off; `product` is both operands copied, two `fwd`, `mul_assign_normalize`, `inv`.

use ringsmith_bench::ring::SUITE;
use ringsmith_bench::{Case, Id};
use ringsmith_oracle::Random;
use std::hint::black_box;
use tfhe_ntt::prime32::Plan;

/// Name and version.
pub(crate) const VERSION: &str = "tfhe-ntt 0.7.1";

/// NewHope's modulus; the other rings' have no root of unity of order 2n, which it needs.
const Q: u32 = 12289;

/// Coefficients in `[0, q)`, aligned as its own buffers are.
#[derive(Clone)]
#[repr(align(64))]
struct Words<const N: usize>([u32; N]);

/// Transforms and products of degree 512 and 1024.
pub(crate) fn cases() -> Vec<Case> {
    [of_degree::<1024>(), of_degree::<512>()].into_iter().flatten().collect()
}

fn of_degree<const N: usize>() -> Vec<Case> {
    // Whether it can serve the ring is known here; each case makes its own plan.
    if Plan::try_new(N, Q).is_none() {
        return Vec::new();
    }
    let id = |operation| Id::new(SUITE, &format!("Z_{Q}[x]/(x^{N}+1)"), operation, VERSION, cpu(), "prime32");
    vec![
        Case::new(id("product"), product::<N>),
        Case::new(id("ntt"), forward::<N>),
        Case::new(id("intt"), inverse::<N>),
        Case::new(id("pointwise"), pointwise::<N>),
    ]
}

/// The instructions that it picks here, by the same test.
fn cpu() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        if cfg!(feature = "ring")
            && has!("avx512f")
            && has!("avx512bw")
            && has!("avx512dq")
            && has!("avx512vl")
        {
            return "avx512";
        }
        if has!("avx2") && has!("fma") {
            return "avx2";
        }
    }
    "scalar"
}

fn plan<const N: usize>() -> Plan {
    Plan::try_new(N, Q).unwrap_or_else(|| unreachable!("of_degree has made this plan before"))
}

fn operand<const N: usize>(seed: u64) -> Words<N> {
    let mut random = Random::new(seed);
    Words(std::array::from_fn(|_| random.within(0, i64::from(Q) - 1) as u32))
}

fn multiply<const N: usize>(
    plan: &Plan,
    a: &Words<N>,
    b: &Words<N>,
    out: &mut Words<N>,
    scratch: &mut Words<N>,
) {
    out.0 = a.0;
    scratch.0 = b.0;
    plan.fwd(&mut out.0);
    plan.fwd(&mut scratch.0);
    plan.mul_assign_normalize(&mut out.0, &scratch.0);
    plan.inv(&mut out.0);
}

fn product<const N: usize>() -> impl FnMut() {
    let (plan, [a, b]) = (plan::<N>(), [1, 2].map(operand::<N>));
    let (mut out, mut scratch) = (Words([0; N]), Words([0; N]));
    move || multiply(&plan, black_box(&a), black_box(&b), black_box(&mut out), &mut scratch)
}

fn forward<const N: usize>() -> impl FnMut() {
    let (plan, mut a) = (plan::<N>(), operand::<N>(1));
    move || plan.fwd(black_box(&mut a.0))
}

fn inverse<const N: usize>() -> impl FnMut() {
    let (plan, mut a) = (plan::<N>(), operand::<N>(1));
    move || plan.inv(black_box(&mut a.0))
}

fn pointwise<const N: usize>() -> impl FnMut() {
    let (plan, mut a, b) = (plan::<N>(), operand::<N>(1), operand::<N>(2));
    move || plan.mul_assign_normalize(black_box(&mut a.0), black_box(&b.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringsmith_ring::{Multiplier, Poly};
    use ringsmith_routes::rings::NewHope1024;

    /// Protects: the peer computes what we compute, so that the times may be compared.
    #[test]
    fn same_product_as_ours() {
        let [a, b] = [1, 2].map(operand::<1024>);
        let (mut out, mut scratch) = (Words([0; 1024]), Words([0; 1024]));
        multiply(&plan::<1024>(), &a, &b, &mut out, &mut scratch);
        let [a, b] = [a, b].map(|words| Poly::<NewHope1024>::new(&words.0).unwrap());
        let multiplier = Multiplier::new();
        let ours = multiplier.multiply(&a, &b, &mut multiplier.scratch());
        assert!(ours.canonical().zip(out.0).all(|(x, y)| x as u32 == y));
    }

    /// Protects: both degrees are served, under the name of the ring that ours has.
    #[test]
    fn cases_exist() {
        assert_eq!(cases().len(), 8);
        assert!(cases()[0].id().subject == <NewHope1024 as ringsmith_ring::Ring>::NAME);
    }
}
