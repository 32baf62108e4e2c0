//! Kernels that are wrong on purpose: `cargo xtask asm --self-test` must see what is wrong with each.
#![forbid(unsafe_code)]

use ringsmith_simd::{Cpu, Kernel, Row, Simd};
use std::hint::black_box;

/// Calls a function that was not inlined.
struct Calls<'a>(&'a mut Row);

#[inline(never)]
fn out_of_line(x: i16) -> i16 {
    black_box(x) ^ 1
}

impl Kernel for Calls<'_> {
    type Out = ();
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let first = out_of_line(self.0[0]);
        let sum = s.add(s.load(self.0), s.splat(first));
        s.store(self.0, sum);
    }
}

/// Keeps twice as many vectors alive as the CPU with the most registers has.
struct Spills<'a>(&'a mut [Row; 64]);

/// Applies a macro to 0 up to 63: unrolled for certain.
macro_rules! each_of_64 {
    ($macro:ident) => {
        $macro!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
            24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47
            48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63)
    };
}

impl Kernel for Spills<'_> {
    type Out = ();
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (rows, mut v) = (self.0, [s.splat(0); 64]);
        macro_rules! load { ($($i:literal)*) => { $(v[$i] = s.load(&rows[$i]);)* }; }
        macro_rules! mix {
            ($($i:literal)*) => { $(v[$i] = s.mul_lo(s.add(v[$i], v[($i + 1) % 64]), v[($i + 7) % 64]);)* };
        }
        macro_rules! store { ($($i:literal)*) => { $(s.store(&mut rows[$i], v[$i]);)* }; }
        each_of_64!(load);
        each_of_64!(mix);
        each_of_64!(mix);
        each_of_64!(mix);
        each_of_64!(store);
    }
}

/// Divides a lane.
struct Divides<'a>(&'a mut Row, i16);

impl Kernel for Divides<'_> {
    type Out = ();
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let divisor = if self.1 == 0 { 1 } else { self.1 };
        self.0[0] = self.0[0].wrapping_div(divisor);
        let v = s.load(self.0);
        s.store(self.0, s.add(v, v));
    }
}

/// Divides doubles, which fill a vector of AVX2.
struct DividesDoubles<'a>(&'a mut [f64; 4], f64);

impl Kernel for DividesDoubles<'_> {
    type Out = ();
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        self.0.iter_mut().for_each(|x| *x /= self.1);
    }
}

/// Reduces what fills no vector modulo a number that is chosen at run time: no kernel, but code beside them.
#[inline(never)]
fn tail(words: &mut [u64], p: u64) {
    words.iter_mut().for_each(|x| *x %= p.max(1));
}

/// Divides doubles: no kernel either.
#[inline(never)]
fn quotients(doubles: &mut [f64; 4], divisor: f64) {
    doubles.iter_mut().for_each(|x| *x /= divisor);
}

/// Takes square roots, which the same unit of a CPU computes in a time that depends on the operand.
#[inline(never)]
fn roots(doubles: &mut [f64; 4]) {
    doubles.iter_mut().for_each(|x| *x = x.sqrt());
}

fn main() {
    let (mut row, mut rows, mut words, mut doubles) = ([3; 16], [[5; 16]; 64], [9; 3], [2.0; 4]);
    for cpu in Cpu::available() {
        cpu.run(Calls(black_box(&mut row)));
        cpu.run(Spills(black_box(&mut rows)));
        cpu.run(Divides(black_box(&mut row), black_box(7)));
        cpu.run(DividesDoubles(black_box(&mut doubles), black_box(7.0)));
    }
    tail(black_box(&mut words), black_box(7));
    quotients(black_box(&mut doubles), black_box(7.0));
    roots(black_box(&mut doubles));
    println!("{row:?} {:?} {words:?} {doubles:?}", rows[0]);
}
