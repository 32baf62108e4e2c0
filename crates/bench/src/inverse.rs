//! Inverses in the rings of NTRU: modulo 2 and `x^n - 1`, modulo 3 and `1 + x + .. + x^(n-1)`, and where the
//! engine has products, modulo `2^k`.

use crate::RINGSMITH;
use crate::case::{Case, Id};
use crate::ring::{SUITE, operand};
use ringsmith_cyclic::rings::{NtruHps509, NtruHps677, NtruHps821, NtruHps1229, NtruHrss701, NtruHrss1373};
use ringsmith_oracle::Random;
use ringsmith_ring::inverse::mod_2;
use ringsmith_ring::inverse::newton::{self, Products};
use ringsmith_ring::inverse::ternary;
use ringsmith_ring::inverse::ternary::symmetric::{self, mirror};
use ringsmith_ring::{Coefficients, Multiplier, Poly, Ring, Routes, Rows, Small};
use ringsmith_simd::Cpu;
use std::hint::black_box;

/// The cases of every degree of NTRU.
pub(crate) fn cases(cpus: &[Cpu]) -> Vec<Case> {
    let mut cases = Vec::new();
    for &cpu in cpus {
        cases.extend([modulo_2::<509, 8, 32>(cpu), modulo_3::<NtruHps509, 509, 1, 16>(cpu)]);
        cases.extend([modulo_2::<677, 11, 43>(cpu), modulo_3::<NtruHps677, 677, 2, 22>(cpu)]);
        cases.extend([modulo_2::<821, 13, 52>(cpu), modulo_3::<NtruHps821, 821, 2, 26>(cpu)]);
        cases.extend([modulo_2::<1229, 20, 77>(cpu), modulo_3::<NtruHps1229, 1229, 3, 39>(cpu)]);
        cases.extend([modulo_2::<701, 11, 44>(cpu), modulo_3::<NtruHrss701, 701, 2, 22>(cpu)]);
        cases.extend([modulo_2::<1373, 22, 86>(cpu), modulo_3::<NtruHrss1373, 1373, 3, 43>(cpu)]);
        cases.push(lifted(cpu));
    }
    cases
}

fn id(subject: &str, cpu: Cpu, route: &str) -> Id {
    Id::new(SUITE, subject, "inverse", RINGSMITH, cpu.name(), route)
}

/// Modulo 2 and `x^N - 1`.
fn modulo_2<const N: usize, const WORDS: usize, const ROWS: usize>(cpu: Cpu) -> Case {
    Case::new(id(&format!("Z_2[x]/(x^{N}-1)"), cpu, "jumps"), move || {
        let mut random = Random::new(1);
        let coefficients = Rows(std::array::from_fn(|_| std::array::from_fn(|_| random.word() as i16)));
        let a = mod_2::from_rows::<N, WORDS, ROWS>(cpu, &coefficients);
        move || _ = black_box(mod_2::inverse::<N, WORDS>(cpu, black_box(&a)))
    })
}

/// Modulo 3 and `1 + x + .. + x^(n-1)`: by a symmetric element, with two products of the ring.
fn modulo_3<R: Routes, const N: usize, const VECTORS: usize, const HALF: usize>(cpu: Cpu) -> Case {
    let id = id(&format!("Z_3[x]/(1+..+x^{})", N - 1), cpu, "division-steps");
    Case::new(id, move || {
        let (by, [mut a, mut mirrored, mut out]) =
            (Multiplier::<R>::new_on(cpu), [(); 3].map(|()| Small::<R>::zero()));
        let (mut random, mut product, mut scratch) = (Random::new(1), Poly::zero(), by.scratch());
        a.coeffs_mut().rows_mut().as_flattened_mut()[..N - 1].fill_with(|| random.within(-1, 1) as i16);
        move || {
            mirror::<N>(black_box(&a).coeffs().rows(), mirrored.coeffs_mut().rows_mut());
            by.multiply_smalls_into(&a, &mirrored, &mut product, &mut scratch);
            let (norm, inverse) = (product.coeffs().rows(), out.coeffs_mut().rows_mut());
            black_box(symmetric::inverse::<N, VECTORS, HALF>(cpu, norm, inverse));
            by.multiply_smalls_into(&mirrored, &out, &mut product, &mut scratch);
            ternary::modulo_phi::<N>(cpu, black_box(product.coeffs_mut()).rows_mut());
        }
    })
}

/// The products of a ring of the engine, all of them modulo its `q`.
struct Whole {
    by: Multiplier<NtruHps509>,
    scratch: <NtruHps509 as Ring>::Scratch,
    f: Poly<NtruHps509>,
    factors: [Poly<NtruHps509>; 2],
    product: Poly<NtruHps509>,
}

impl Products<32> for Whole {
    fn by_element(&mut self, _: u32, a: &Rows<32>, out: &mut Rows<32>) {
        *self.factors[0].coeffs_mut() = *a;
        self.by.multiply_into(&self.f, &self.factors[0], &mut self.product, &mut self.scratch);
        *out = *self.product.coeffs();
    }
    fn multiply(&mut self, _: u32, a: &Rows<32>, b: &Rows<32>, out: &mut Rows<32>) {
        (*self.factors[0].coeffs_mut(), *self.factors[1].coeffs_mut()) = (*a, *b);
        let [a, b] = &self.factors;
        self.by.multiply_into(a, b, &mut self.product, &mut self.scratch);
        *out = *self.product.coeffs();
    }
}

/// Modulo `2^11` and `x^509 - 1`.
fn lifted(cpu: Cpu) -> Case {
    let by = Multiplier::<NtruHps509>::new_on(cpu);
    Case::new(id(NtruHps509::NAME, cpu, &by.route().to_string()), move || {
        let (f, mut out) = (operand::<NtruHps509>(1), Rows([[0; 16]; 32]));
        let (factors, product) = ([Poly::zero(); 2], Poly::zero());
        let mut products = Whole { by, scratch: by.scratch(), f, factors, product };
        move || {
            let (f, out) = (black_box(f.coeffs()), black_box(&mut out));
            black_box(newton::inverse::<509, 8, 32>(cpu, 11, f, &mut products, out));
        }
    })
}
