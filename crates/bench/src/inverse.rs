//! Inverses in the rings of NTRU: modulo 2 and `x^n - 1`, modulo 3 and `1 + x + .. + x^(n-1)`, and where the
//! engine has products, modulo `2^k`.

use crate::RINGSMITH;
use crate::case::{Case, Id};
use crate::ring::{SUITE, operand};
use ringsmith_oracle::Random;
use ringsmith_ring::inverse::mod_2;
use ringsmith_ring::inverse::newton::{self, Products};
use ringsmith_ring::inverse::ternary::{self, AllOnes};
use ringsmith_ring::{Multiplier, Poly, Ring, Rows};
use ringsmith_routes::rings::NtruHps509;
use ringsmith_simd::Cpu;
use std::hint::black_box;

/// The cases of every degree of NTRU.
pub(crate) fn cases(cpus: &[Cpu]) -> Vec<Case> {
    let mut cases = Vec::new();
    for &cpu in cpus {
        cases.extend(of::<509, 8, 2, 32>(cpu));
        cases.extend(of::<677, 11, 3, 43>(cpu));
        cases.extend(of::<821, 13, 4, 52>(cpu));
        cases.extend(of::<1229, 20, 5, 77>(cpu));
        cases.extend(of::<701, 11, 3, 44>(cpu));
        cases.extend(of::<1373, 22, 6, 86>(cpu));
        cases.push(lifted(cpu));
    }
    cases
}

fn id(subject: &str, cpu: Cpu, route: &str) -> Id {
    Id::new(SUITE, subject, "inverse", RINGSMITH, cpu.name(), route)
}

/// Modulo 2 and modulo 3.
fn of<const N: usize, const WORDS: usize, const VECTORS: usize, const ROWS: usize>(cpu: Cpu) -> [Case; 2] {
    let modulo_2 = format!("Z_2[x]/(x^{N}-1)");
    let modulo_3 = format!("Z_3[x]/(1+..+x^{})", N - 1);
    [
        Case::new(id(&modulo_2, cpu, "power"), move || {
            let mut random = Random::new(1);
            let coefficients = Rows(std::array::from_fn(|_| std::array::from_fn(|_| random.word() as i16)));
            let a = mod_2::from_rows::<N, WORDS, ROWS>(cpu, &coefficients);
            move || _ = black_box(mod_2::inverse::<N, WORDS>(cpu, black_box(&a)))
        }),
        Case::new(id(&modulo_3, cpu, "division-steps"), move || {
            let mut random = Random::new(1);
            let mut a = Rows([[0; 16]; ROWS]);
            a.0.as_flattened_mut()[..N - 1].fill_with(|| random.within(-1, 1) as i16);
            let mut out = a;
            move || {
                let out = black_box(&mut out);
                black_box(ternary::inverse::<AllOnes<N>, VECTORS, ROWS>(cpu, black_box(&a), out));
            }
        }),
    ]
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
