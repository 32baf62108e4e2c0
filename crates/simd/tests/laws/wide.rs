//! Lanes of 64 bits, eight in a vector, on CPUs that have them. Elsewhere there is nothing to run, which the
//! test says.

use crate::support::*;
use ringsmith_simd::{Cpu, Kernel, Simd, WideLanes, WideRow};
use std::array::from_fn;

/// What an operation makes of two rows.
type Results = [WideRow; 6];

/// Every operation on two rows.
struct All {
    a: WideRow,
    b: WideRow,
}

impl Kernel for All {
    /// Nothing without these vectors.
    type Out = Option<Results>;
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Option<Results> {
        None
    }
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(self, _: S, w: W) -> Option<Results> {
        let (a, b) = (w.load_words(&self.a, 0), w.load_words(&self.b, 0));
        let results = [
            w.xor_wide(a, b),
            w.and_not_wide(a, b),
            w.rotate_left_wide::<1>(a),
            w.rotate_left_wide::<32>(a),
            w.rotate_left_wide::<63>(a),
            w.splat_words(self.a[0]),
        ];
        let mut rows = [[0; 8]; 6];
        for (row, result) in rows.iter_mut().zip(results) {
            w.store_words(row, 0, result);
        }
        Some(rows)
    }
}

/// What they are.
fn definitions(a: &WideRow, b: &WideRow) -> Results {
    let lanes = |f: &dyn Fn(u64, u64) -> u64| from_fn(|i| f(a[i], b[i]));
    [
        lanes(&|a, b| a ^ b),
        lanes(&|a, b| !a & b),
        lanes(&|a, _| a.rotate_left(1)),
        lanes(&|a, _| a.rotate_left(32)),
        lanes(&|a, _| a.rotate_left(63)),
        [a[0]; 8],
    ]
}

#[test]
fn wide_lanes() {
    let rows = pairs_of_rows64();
    for cpu in Cpu::available() {
        let wide = cpu.name() == "avx512";
        if !wide {
            println!("{cpu:?} has no vectors of eight lanes");
        }
        for pair in rows.windows(2) {
            let join = |x: [u64; 4], y: [u64; 4]| from_fn(|i| if i < 4 { x[i] } else { y[i - 4] });
            let (a, b) = (join(pair[0].0, pair[1].0), join(pair[0].1, pair[1].1));
            let expected = wide.then(|| definitions(&a, &b));
            assert_eq!(cpu.run(All { a, b }), expected, "on {cpu:?} of {a:?} and {b:?}");
        }
    }
}
