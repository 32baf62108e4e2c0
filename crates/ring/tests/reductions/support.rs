//! Words, functions of them, and hulls of results.

use ringsmith_ring::bound::Bound;
use ringsmith_ring::residues::Arithmetic;
use ringsmith_ring::{barrett, montgomery, sign};
use ringsmith_simd::{Cpu, Kernel, Row, Simd, each};
use std::ops::Range;

/// Words: all of them, in ascending order.
pub(crate) const WORDS: Range<i64> = -(1 << 15)..1 << 15;

/// The interval of all words.
pub(crate) const WORD: Bound = Bound::new(WORDS.start, WORDS.end - 1);

/// A function of words.
pub(crate) trait OfWords: Copy {
    fn apply<S: Simd>(self, s: S, a: S::I16) -> S::I16;
}

/// Declares functions of words: a type with its operand, if any, and what it computes.
macro_rules! of_words {
    ($($name:ident $(($field:ident: $ty:ty))?: |$s:ident, $a:ident, $q:ident| $value:expr;)*) => { $(
        #[derive(Clone, Copy)]
        pub(crate) struct $name<const Q: i64>$((pub(crate) $ty))?;
        impl<const $q: i64> OfWords for $name<$q> {
            #[inline(always)]
            fn apply<S: Simd>(self, $s: S, $a: S::I16) -> S::I16 {
                $(let $name($field): $name<$q> = self;)?
                $value
            }
        }
    )* };
}

of_words! {
    SignStep: |s, a, Q| sign::reduce::<S, Q>(s, a);
    OneWord: |s, a, Q| barrett::reduce::<S, Q>(s, a);
    Step: |s, a, Q| barrett::step::<S, Q>(s, a);
    Exact: |s, a, Q| barrett::exact::<S, Q>(s, a);
    Scale(factor: montgomery::Factor): |s, a, Q| montgomery::scale::<S, Q>(s, a, factor);
    Product(b: i16): |s, a, Q| montgomery::product::<S, Q>(s, a, s.splat(b));
}

/// What an arithmetic computes of a word.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    Shrink,
    Finish,
    Product(i16),
    Scale(montgomery::Factor),
    /// Of the low word, with this high word.
    FromWide(i16),
}

/// An arithmetic's operation.
#[derive(Clone, Copy)]
pub(crate) struct By<M>(pub(crate) M, pub(crate) Operation);

impl<M: Arithmetic> OfWords for By<M> {
    #[inline(always)]
    fn apply<S: Simd>(self, s: S, a: S::I16) -> S::I16 {
        match self.1 {
            Operation::Shrink => self.0.shrink(s, a),
            Operation::Finish => self.0.finish(s, a),
            Operation::Product(b) => self.0.product(s, a, s.splat(b)),
            Operation::Scale(factor) => self.0.scale(s, a, factor),
            Operation::FromWide(high) => self.0.reduce_wide(s, a, s.splat(high)),
        }
    }
}

/// A row of consecutive words.
#[inline(always)]
pub(crate) fn words_from(a: i64) -> Row {
    each(
        #[inline(always)]
        |i| (a + i as i64) as i16,
    )
}

/// The results for all words.
struct Sweep<F>(F);
impl<F: OfWords> Kernel for Sweep<F> {
    type Out = Vec<i16>;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Vec<i16> {
        let mut out = vec![0; 1 << 16];
        for (row, a) in out.as_chunks_mut().0.iter_mut().zip(WORDS.step_by(16)) {
            s.store(row, self.0.apply(s, s.load(&words_from(a))));
        }
        out
    }
}

/// All words with the results for them.
pub(crate) fn sweep(cpu: Cpu, f: impl OfWords) -> Vec<(i64, i64)> {
    WORDS.zip(cpu.run(Sweep(f)).into_iter().map(i64::from)).collect()
}

pub(crate) fn hull(values: impl IntoIterator<Item = i64>) -> Bound {
    values.into_iter().map(|x| Bound::new(x, x)).reduce(Bound::join).expect("a value")
}

/// By how much a bound exceeds the hull of what it bounds, which lies inside.
pub(crate) fn slack(bound: Bound, hull: Bound) -> i64 {
    assert!(hull.within(bound), "{hull:?} leaves {bound:?}");
    (hull.low - bound.low).max(bound.high - hull.high)
}

/// Calls a check with each interval `[-b, b]`, `[0, b]` and `[-b, 0]`, and the hull of the results in it.
pub(crate) fn intervals(results: &[(i64, i64)], mut check: impl FnMut(Bound, Bound)) {
    let result = |a: i64| Bound::new(results[(a - WORD.low) as usize].1, results[(a - WORD.low) as usize].1);
    let (mut negative, mut positive) = (result(0), result(0));
    for b in 0..1 << 15 {
        (negative, positive) = (negative.join(result(-b)), positive.join(result(b)));
        check(Bound::symmetric(b), negative.join(positive));
        check(Bound::new(0, b), positive);
        check(Bound::new(-b, 0), negative);
    }
    check(WORD, negative.join(positive).join(result(WORD.low)));
}

pub(crate) fn assert_congruent(results: &[(i64, i64)], factor: i64, q: i64) {
    for (a, r) in results {
        assert_eq!((a * factor - r) % q, 0, "{a} becomes {r}, modulo {q}");
    }
}

/// Whether all moduli are asked for.
pub(crate) fn all_moduli() -> bool {
    std::env::var_os("RINGSMITH_EXHAUSTIVE").is_some_and(|value| value == "1")
}

/// The joined hulls of the halves of a range, in two threads, on the fastest backend.
pub(crate) fn in_halves<K: Kernel<Out = Bound>>(range: Range<i64>, part: fn(Range<i64>) -> K) -> Bound {
    let (cpu, middle) = (Cpu::detect(), range.start.midpoint(range.end));
    std::thread::scope(|scope| {
        let lower = scope.spawn(move || cpu.run(part(range.start..middle)));
        let upper = cpu.run(part(middle..range.end));
        lower.join().expect("a verdict on the lower half").join(upper)
    })
}
