//! Plans with one reduction left out, one a line: a name, a tab, and a constant expression that must not compile.
//!
//! The case `control` has nothing left out and must compile; `cargo xtask test bounds` builds them all.
#![forbid(unsafe_code)]

use ringsmith_ring::algorithm::k_red::KRedTransform;
use ringsmith_ring::algorithm::ntt::Ntt;
use ringsmith_ring::algorithm::rows::RowTransform;

/// A transform with planned reductions.
trait Planned {
    /// How many reductions the longest of its plans has.
    const COUNT: usize;
}

const fn longest(counts: [usize; 2]) -> usize {
    if counts[0] > counts[1] { counts[0] } else { counts[1] }
}

impl<const Q: i64, const ROWS: usize, const BASE: usize> Planned for Ntt<Q, ROWS, BASE> {
    const COUNT: usize = longest(Self::reductions());
}

impl<const Q: i64, const ROWS: usize> Planned for RowTransform<Q, ROWS> {
    const COUNT: usize = longest(Self::reductions());
}

impl<const Q: i64, const ROWS: usize, const WIDE: usize> Planned for KRedTransform<Q, ROWS, WIDE, false> {
    const COUNT: usize = Self::PLAN.count() as usize;
}

/// The type up to its last argument, which says what to leave out, and the number of reductions.
macro_rules! planned {
    ($($module:ident::$transform:ident<$($argument:literal),*>;)*) => {
        [$((
            concat!(stringify!($module), "::", stringify!($transform), "::<", $(stringify!($argument), ", ",)*),
            <$transform<$($argument),*> as Planned>::COUNT,
        )),*]
    };
}

fn main() {
    let all = planned! {
        ntt::Ntt<12289, 64, 1>;
        ntt::Ntt<3329, 16, 2>;
        rows::RowTransform<12289, 64>;
        rows::RowTransform<3329, 16>;
        k_red::KRedTransform<12289, 64, 128, false>;
    };
    let proof = |name: &str, left_out: usize| format!("ringsmith_ring::algorithm::{name}{left_out}>::PROOF");
    let whole: Vec<String> = all.iter().map(|(name, _)| proof(name, usize::MAX)).collect();
    println!("control\t{{ {} }}", whole.join("; "));
    for (name, count) in all {
        let words: Vec<&str> =
            name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        for left_out in 0..count {
            println!("{}-without-{left_out}\t{}", words.join("-").to_lowercase(), proof(name, left_out));
        }
    }
}
