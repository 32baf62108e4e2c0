//! The laws of the lanes: every operation of every backend of this machine, against its definition in plain
//! arithmetic.
//!
//! The definitions are written out here once more, so the scalar backend is held to them like any other.
//! Operands are all pairs of the edge values of a lane, then random ones; where an operation is defined on a
//! part of the words only, the operands are mapped into that part.

/// Runs an expression as a kernel: `on!(cpu, |s, a: Row| -> Row { .. })`. The operands are variables of these
/// names.
macro_rules! on {
    ($cpu:expr, |$s:ident $(, $operand:ident: $ty:ty)*| -> $out:ty $body:block) => {{
        #[derive(Clone, Copy)]
        struct Operation { $($operand: $ty),* }
        impl Kernel for Operation {
            type Out = $out;
            const AVX512: bool = true;
            #[inline(always)]
            fn run<S: Simd>(self, $s: S) -> $out {
                let Operation { $($operand),* } = self;
                $body
            }
        }
        $cpu.run(Operation { $($operand),* })
    }};
}

/// Repeats a block with a constant of each value: `for_each!(K: i32 = [1 2 3] { .. })`.
macro_rules! for_each {
    ($k:ident: $ty:ty = [$($value:literal)*] $body:block) => {
        $({
            const $k: $ty = $value;
            $body
        })*
    };
}

/// Holds a function of two rows to its definition in each lane, on every backend and all operands.
macro_rules! law {
    ($name:expr, $operands:expr, |$s:ident, $a:ident: $ty:ty, $b:ident| $body:block, $definition:expr) => {{
        let operands = $operands;
        for cpu in Cpu::available() {
            for &($a, $b) in &operands {
                let got = on!(cpu, |$s, $a: $ty, $b: $ty| -> $ty { $body });
                let expected: $ty = from_fn(|i| $definition($a[i], $b[i]));
                assert_eq!(got, expected, "{} on {cpu:?} of {:?} and {:?}", $name, $a, $b);
            }
        }
    }};
}

mod backends;
mod bytes;
mod carryless;
mod double_words;
mod numbers;
mod products;
mod quad_words;
mod residue;
mod support;
mod two_rows;
mod wide;
mod word;
mod words;
