//! Inverses in the rings of NTRU: modulo 2, modulo 3, and lifted to `2^k`.

use super::Case;
use crate::observe::observed;
use crate::operand::{make_defined, make_undefined, publish};
use ringsmith_oracle::Random;
use ringsmith_ring::Rows;
use ringsmith_ring::inverse::mod_2::{self, unit_modulo_2};
use ringsmith_ring::inverse::newton::{self, Products, modulo_phi};
use ringsmith_ring::inverse::ternary;
use ringsmith_ring::inverse::ternary::symmetric::{self, mirror};
use ringsmith_simd::Cpu;
use std::hint::black_box;

/// Secret coefficients within a bound; the padding is zero and public.
fn secret<const N: usize, const ROWS: usize>(seed: u64, bound: i64) -> Rows<ROWS> {
    let (mut random, mut rows) = (Random::new(seed), Rows([[0; 16]; ROWS]));
    let words = &mut rows.0.as_flattened_mut()[..N];
    words.fill_with(|| random.within(-bound, bound) as i16);
    make_undefined(words);
    rows
}

/// Half of the secrets have an inverse, half not.
fn modulo_2<const N: usize, const WORDS: usize, const ROWS: usize>(cpu: Cpu, seed: u64) {
    let a = secret::<N, ROWS>(seed, 1000);
    let (mut out, exists) = observed(|| {
        let a = mod_2::from_rows::<N, WORDS, ROWS>(cpu, &a);
        mod_2::inverse::<N, WORDS>(cpu, &a)
    });
    make_defined(black_box(&mut [exists.to_u8()]));
    make_defined(black_box(&mut out));
}

/// Rows for every degree.
const MOST_ROWS: usize = 86;

/// Of a symmetric element.
fn modulo_3<const N: usize, const V: usize, const HALF: usize>(cpu: Cpu, seed: u64) {
    let (mut a, mut out) = (secret::<N, MOST_ROWS>(seed, N as i64 / 2), Rows([[0; 16]; MOST_ROWS]));
    let exists = observed(|| {
        mirror::<N>(&a.0, &mut out.0);
        a.0.as_flattened_mut().iter_mut().zip(out.0.as_flattened()).for_each(|(x, y)| *x += y);
        let exists = symmetric::inverse::<N, V, HALF>(cpu, &a.0, &mut out.0);
        ternary::modulo_phi::<N>(cpu, &mut out.0);
        exists
    });
    make_defined(black_box(&mut [exists.to_u8()]));
    publish(black_box(&mut out));
}

/// Products by the definition.
struct Slow<const N: usize, const ROWS: usize>(Rows<ROWS>);

impl<const N: usize, const ROWS: usize> Products<ROWS> for Slow<N, ROWS> {
    fn by_element(&mut self, bits: u32, a: &Rows<ROWS>, out: &mut Rows<ROWS>) {
        let f = self.0;
        self.multiply(bits, &f, a, out);
    }
    fn multiply(&mut self, _: u32, a: &Rows<ROWS>, b: &Rows<ROWS>, out: &mut Rows<ROWS>) {
        let [a, b] = [a, b].map(|rows| &rows.0.as_flattened()[..N]);
        let out = &mut out.0.as_flattened_mut()[..N];
        out.fill(0);
        for (i, x) in a.iter().enumerate() {
            let (head, tail) = out.split_at_mut(i);
            let sums = tail.iter_mut().chain(head).zip(b);
            sums.for_each(|(sum, y)| *sum = sum.wrapping_add(x.wrapping_mul(*y)));
        }
    }
}

fn lifted<const N: usize, const WORDS: usize, const ROWS: usize>(cpu: Cpu, seed: u64, k: u32) {
    let (mut f, mut out) = (secret::<N, ROWS>(seed, 1 << (k - 1)), Rows([[0; 16]; ROWS]));
    let exists = observed(|| {
        unit_modulo_2::<N, ROWS>(&mut f);
        let exists = newton::inverse::<N, WORDS, ROWS>(cpu, k, &f, &mut Slow::<N, ROWS>(f), &mut out);
        modulo_phi::<N, ROWS>(cpu, k, &mut out);
        exists
    });
    make_defined(black_box(&mut [exists.to_u8()]));
    publish(black_box(&mut out));
}

fn case(name: String, run: impl Fn(Cpu, u64) + 'static) -> Case {
    Case { name, counted: false, run: Box::new(run) }
}

/// The degrees of which inverses modulo 2 are counted.
const COUNTED: [usize; 2] = [677, 1373];

/// Modulo 2 and `x^N - 1`.
fn power<const N: usize, const WORDS: usize, const ROWS: usize>() -> Case {
    let counted = COUNTED.contains(&N);
    Case { counted, ..case(format!("Z_2[x]/(x^{N}-1) inverse"), modulo_2::<N, WORDS, ROWS>) }
}

/// The same with the kernels for CPUs without an instruction for carry-less products, where this CPU has it
/// and others of its backend have not.
fn power_by_integers<const N: usize, const WORDS: usize, const ROWS: usize>() -> Option<Case> {
    Cpu::detect().without_carryless()?;
    let run = |cpu: Cpu, seed| modulo_2::<N, WORDS, ROWS>(cpu.without_carryless().unwrap_or(cpu), seed);
    Some(Case { counted: true, ..case(format!("Z_2[x]/(x^{N}-1) by integer products inverse"), run) })
}

/// Modulo 3 and `1 + x + .. + x^(N-1)`.
fn steps<const N: usize, const V: usize, const HALF: usize>() -> Case {
    case(format!("Z_3[x]/(1+..+x^{}) symmetric inverse", N - 1), modulo_3::<N, V, HALF>)
}

/// The cases.
pub(super) fn all() -> Vec<Case> {
    let small = [
        power::<509, 8, 32>(),
        steps::<509, 1, 16>(),
        power::<677, 11, 43>(),
        steps::<677, 2, 22>(),
        power::<821, 13, 52>(),
        steps::<821, 2, 26>(),
        power::<1229, 20, 77>(),
        steps::<1229, 3, 39>(),
        power::<701, 11, 44>(),
        steps::<701, 2, 22>(),
        power::<1373, 22, 86>(),
        steps::<1373, 3, 43>(),
    ];
    // With no, one and two terms of a square in the last step.
    let lifts = [
        case("Z_2048[x]/(1+..+x^508) inverse".into(), |cpu, seed| lifted::<509, 8, 32>(cpu, seed, 11)),
        case("Z_2048[x]/(1+..+x^676) inverse".into(), |cpu, seed| lifted::<677, 11, 43>(cpu, seed, 11)),
        case("Z_4096[x]/(1+..+x^820) inverse".into(), |cpu, seed| lifted::<821, 13, 52>(cpu, seed, 12)),
        case("Z_4096[x]/(1+..+x^1228) inverse".into(), |cpu, seed| lifted::<1229, 20, 77>(cpu, seed, 12)),
        case("Z_8192[x]/(1+..+x^700) inverse".into(), |cpu, seed| lifted::<701, 11, 44>(cpu, seed, 13)),
        case("Z_16384[x]/(1+..+x^1372) inverse".into(), |cpu, seed| lifted::<1373, 22, 86>(cpu, seed, 14)),
    ];
    let by_integers = [power_by_integers::<677, 11, 43>(), power_by_integers::<1373, 22, 86>()];
    small.into_iter().chain(by_integers.into_iter().flatten()).chain(lifts).collect()
}
