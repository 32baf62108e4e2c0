//! S. Akleylek, Z. Yuece Tok, 2014: interleaved Montgomery multiplication for NTRUEncrypt and modulo
//! `x^n + 1`, its two forms beside each other, and fast convolution.
//!
//! The paper measured on a GPU. Of its figure 1 it says two numbers in its text; the others were drawn,
//! and are not here. It does not say how many coefficients a step takes but that it is "the word length
//! of the target platform": its figures stand beside steps of 32, and its quotients beside all.

use super::count::{Counts, counts};
use super::rows::product;
use super::{Block, Here, Library, Operations, Paper, Row, Unit};
use crate::case::Case;
use crate::public::convolution::Method;
use crate::public::{self, ENCRYPT, LIBRARY, PRODUCT};
use crate::word;
use ringsmith_ring::Ring;
use ringsmith_routes::rings::{Ees401, Ees449, Ees653, Ees853};
use ringsmith_simd::Cpu;

pub(super) const PAPER: Paper = Paper {
    name: "akleylek-tok",
    source: "S. Akleylek, Z. Yuece Tok, IEICE Electronics Express 11, 2014, figure 1, tables I and II. \
             NVIDIA Quadro 600; CUDA",
    blocks,
    own_cases,
    beside: None,
    on_gpu: true,
};

/// A step's length, and the routes of the proposed form and of the original one.
pub(crate) type Step = (usize, &'static str, &'static str);

pub(crate) const STEPS: [Step; 5] = [
    (1, "interleaved:1", "interleaved-original:1"),
    (8, "interleaved:8", "interleaved-original:8"),
    (16, "interleaved:16", "interleaved-original:16"),
    (32, "interleaved:32", "interleaved-original:32"),
    (64, "interleaved:64", "interleaved-original:64"),
];

/// The length that the paper's figures stand beside: its platform's word.
const PLATFORM: usize = 32;

/// A set of the paper, its ring, and seconds for 1000 encryptions: with a sliding window, by fast
/// convolution, by the proposed form and by the original one.
pub(crate) type Set = (&'static str, &'static str, [f64; 4]);

pub(crate) const SETS: [Set; 4] = [
    ("ees401ep1", Ees401::NAME, [0.179, 0.265, 0.829, 1.142]),
    ("ees449ep1", Ees449::NAME, [0.233, 0.384, 1.401, 1.768]),
    ("ees653ep1", Ees653::NAME, [0.350, 0.621, 1.986, 2.502]),
    ("ees853ep1", Ees853::NAME, [0.749, 1.678, 3.037, 3.755]),
];

/// Products a second of degree 401, of the two forms.
const FIGURE_1: [f64; 2] = [12156.0, 9391.0];
/// Products a second modulo `x^n + 1` and a prime: by the proposed form, the original one, schoolbook, and
/// cuFFT.
const TABLE_2: [[f64; 4]; 3] =
    [[9659.0, 8074.0, 9478.0, 27650.0], [6034.0, 4965.0, 5897.0, 15308.0], [2671.0, 2153.0, 2515.0, 7691.0]];
/// Products and sums of a step of the proposed form.
const CLAIMED: [f64; 2] = [1.0, 3.0];

/// Routes of a GPU alone: a matrix product of bytes, and transforms of doubles.
pub(crate) const TENSOR_CORES: &str = "tensor-cores";
pub(crate) const DOUBLES: &str = "doubles";

/// What is compared with.
const SCHOOLBOOK: &str = "schoolbook";
/// The planner's choices for ternary operands.
const BY_MATRICES: [&str; 4] = ["toeplitz:3/3/3", "toeplitz:5/2/3", "toeplitz:5/3/3", "toeplitz:3/3/3/2"];

const PUBLISHED: &[&str] = &["published"];
const GPU: &[&str] = &["GPU"];

fn blocks() -> Vec<Block> {
    vec![
        steps(),
        counted_quotients(),
        products(),
        quotients_of_products(),
        encryptions(),
        counted_quotients_of_encryptions(),
        quotients_of_encryptions(),
        products_modulo_a_prime(),
        quotients_modulo_a_prime(),
    ]
}

fn own_cases(cpus: &[Cpu]) -> Vec<Case> {
    public::cases(cpus).into_iter().chain(word::cases(cpus)).collect()
}

/// What a product takes by both forms in steps of each length.
fn counted_in(ring: &str) -> [[Counts; 2]; 5] {
    STEPS.map(|(_, proposed, original)| [counts(ring, proposed), counts(ring, original)])
}

/// What the two forms take, counted: products and sums of polynomials a step, products and sums of numbers.
fn steps() -> Block {
    let of = |(&(word, ..), route, counts, published): (&Step, &'static str, &Counts, Option<[f64; 2]>)| {
        let steps = Ees401::N.div_ceil(word) as f64;
        let each =
            |counts: &std::collections::BTreeMap<usize, u64>| counts.values().sum::<u64>() as f64 / steps;
        let row = |item: &str, published, counted| Row {
            subject: Ees401::NAME,
            item: item.into(),
            route,
            published: vec![published],
            here: Here::Known(counted),
        };
        [
            row("products a step", published.map(|claimed| claimed[0]), each(&counts.small_products)),
            row("sums a step", published.map(|claimed| claimed[1]), each(&counts.polynomial_sums)),
            row("multiplications of numbers", None, counts.multiplications as f64),
            row("additions of numbers", None, counts.additions as f64),
        ]
    };
    let counted = counted_in(Ees401::NAME);
    let rows = STEPS.iter().zip(&counted).flat_map(|(step, [proposed, original])| {
        [(step, step.1, proposed, Some(CLAIMED)), (step, step.2, original, None)].into_iter().flat_map(of)
    });
    Block {
        title: "A product of degree 401, counted by running it: products and sums of polynomials a step, \
                the last subtraction with them. Of the three sums claimed one leaves what nobody reads",
        unit: Unit::Count,
        published: PUBLISHED,
        rows: rows.collect(),
    }
}

/// The quotient of the paper's own figures, where it has some, beside every length of a step.
fn compared(
    subject: &'static str,
    published: Option<f64>,
    here: impl Fn(&Step) -> Here,
) -> impl Iterator<Item = Row> {
    STEPS.iter().map(move |step| Row {
        subject,
        item: format!("original / proposed, steps of {}", step.0),
        route: "",
        published: vec![published],
        here: here(step),
    })
}

/// The paper's quotient of products, in the ring that it has one of.
fn published_of(ring: &str) -> Option<f64> {
    (ring == Ees401::NAME).then_some(FIGURE_1[0] / FIGURE_1[1])
}

fn counted_quotients() -> Block {
    let of = |(_, ring, _): Set| {
        let counted = counted_in(ring);
        let numbers = |counts: &Counts| counts.multiplications as f64;
        compared(ring, published_of(ring), move |step| {
            let at = STEPS.iter().position(|other| other.0 == step.0).unwrap_or_default();
            let [proposed, original] = &counted[at];
            Here::Known(numbers(original) / numbers(proposed))
        })
    };
    Block {
        title: "Multiplications of the original form divided by those of the proposed one, counted; \
                published is the quotient of products a second",
        unit: Unit::Quotient,
        published: PUBLISHED,
        rows: SETS.into_iter().flat_map(of).collect(),
    }
}

/// An operation of [`public`].
fn walked(subject: &'static str, names: &'static [&'static str], route: &'static str) -> Here {
    Here::Sum(Operations { suite: public::SUITE, subject, names, route, by: Library::Ours })
}

/// The same, of a GPU alone.
fn walked_on_gpu(subject: &'static str, names: &'static [&'static str], route: &'static str) -> Here {
    Here::OnGpu(Operations { suite: public::SUITE, subject, names, route, by: Library::Ours })
}

/// The two forms in steps of each length, beside what was published.
fn forms(
    subject: &'static str,
    item: &'static str,
    published: Option<[f64; 2]>,
    here: impl Fn(&'static str) -> Here,
) -> Vec<Row> {
    let row = |route, published| Row {
        subject,
        item: item.into(),
        route,
        published: vec![published],
        here: here(route),
    };
    let of = |form: usize| {
        let row = &row;
        STEPS.iter().map(move |(word, proposed, original)| {
            let published = published.filter(|_| *word == PLATFORM).map(|published| published[form]);
            row([proposed, original][form], published)
        })
    };
    of(0).chain(of(1)).collect()
}

fn products() -> Block {
    let of = |((_, ring, _), matrix): (Set, &'static str)| {
        let published = (ring == Ees401::NAME).then_some(FIGURE_1);
        let dense = |route| Here::Sum(product(ring, &["product"], route));
        let row = |item: &str, route, here| Row {
            subject: ring,
            item: item.into(),
            route,
            published: vec![None],
            here,
        };
        let mut rows = forms(ring, "product", published, dense);
        rows.push(row("product", SCHOOLBOOK, dense(SCHOOLBOOK)));
        rows.push(row("product", matrix, dense(matrix)));
        rows.extend(Method::ALL.map(|method| {
            row("product by a public ternary", method.name(), walked(ring, &[PRODUCT], method.name()))
        }));
        let by_tensors = walked_on_gpu(ring, &[PRODUCT], TENSOR_CORES);
        rows.push(row("product by a ternary", TENSOR_CORES, by_tensors));
        rows
    };
    Block {
        title: "Products a second. Published are those of 401, by steps of the platform's word, many at once",
        unit: Unit::PerSecond,
        published: GPU,
        rows: SETS.into_iter().zip(BY_MATRICES).flat_map(of).collect(),
    }
}

fn quotients_of_products() -> Block {
    let of = |(_, ring, _): Set| {
        let by = move |route| product(ring, &["product"], route);
        compared(ring, published_of(ring), move |step| Here::Quotient(by(step.2), by(step.1)))
    };
    Block {
        title: "The time of a product by the original form divided by that by the proposed one, \
                in the same run",
        unit: Unit::Quotient,
        published: GPU,
        rows: SETS.into_iter().flat_map(of).collect(),
    }
}

fn encryptions() -> Block {
    let of = |((set, _, published), matrix): (Set, &'static str)| {
        let [window, convolution, proposed, original] = published;
        let by = |route| walked(set, &[ENCRYPT], route);
        let row = |item: &str, route, published| Row {
            subject: set,
            item: item.into(),
            route,
            published: vec![published],
            here: by(route),
        };
        let walks = [Some(window), Some(convolution)].into_iter().zip(Method::ALL);
        let walks = walks.map(|(published, method)| row("r public", method.name(), published));
        let forms = forms(set, "r public", Some([proposed, original]), by);
        let others = [
            row("r public", SCHOOLBOOK, None),
            row("r public", matrix, None),
            row("the library's, r secret", LIBRARY, None),
            Row {
                subject: set,
                item: "r public".into(),
                route: TENSOR_CORES,
                published: vec![None],
                here: walked_on_gpu(set, &[ENCRYPT], TENSOR_CORES),
            },
        ];
        walks.chain(forms).chain(others).collect::<Vec<_>>()
    };
    Block {
        title: "Seconds for 1000 encryptions, one by one; on a GPU they are one batch by one key, and a core \
                of the CPU hashes and samples. The sliding window has three coefficients, the paper's is not \
                known; the library reads the key each time",
        unit: Unit::Seconds,
        published: GPU,
        rows: SETS.into_iter().zip(BY_MATRICES).flat_map(of).collect(),
    }
}

/// Operations on coefficients of an encryption of degree `n`: those of its one product, and the sum with the
/// message. Hashing and packing have none.
fn of_encryption(product: &Counts, n: usize) -> f64 {
    (product.multiplications + product.additions + n as u64) as f64
}

/// Those of an encryption by the original form divided by those by the proposed one, in steps of each length.
fn counted_quotients_of(ring: &str) -> [f64; 5] {
    let n = ringsmith_oracle::Ring::named(ring).map_or(0, |ring| ring.n);
    let quotient =
        |[proposed, original]: &[Counts; 2]| of_encryption(original, n) / of_encryption(proposed, n);
    counted_in(ring).each_ref().map(quotient)
}

fn counted_quotients_of_encryptions() -> Block {
    let of = |(set, ring, [.., proposed, original]): Set| {
        let counted = counted_quotients_of(ring);
        compared(set, Some(original / proposed), move |step| {
            let at = STEPS.iter().position(|other| other.0 == step.0).unwrap_or_default();
            Here::Known(counted[at])
        })
    };
    Block {
        title: "Multiplications and additions of coefficients in an encryption by the original form divided \
                by those by the proposed one, counted: its product, and the sum with the message; published \
                is the quotient of seconds",
        unit: Unit::Quotient,
        published: PUBLISHED,
        rows: SETS.into_iter().flat_map(of).collect(),
    }
}

fn quotients_of_encryptions() -> Block {
    let of = |(set, _, [.., proposed, original]): Set| {
        let by = move |route| Operations {
            suite: public::SUITE,
            subject: set,
            names: &[ENCRYPT],
            route,
            by: Library::Ours,
        };
        compared(set, Some(original / proposed), move |step| Here::Quotient(by(step.2), by(step.1)))
    };
    Block {
        title: "The time of an encryption by the original form divided by that by the proposed one, \
                in the same run",
        unit: Unit::Quotient,
        published: GPU,
        rows: SETS.into_iter().flat_map(of).collect(),
    }
}

/// A product modulo `x^n + 1` and the prime.
fn modulo_a_prime(subject: &'static str, route: &'static str) -> Operations {
    Operations { suite: word::SUITE, subject, names: &[word::PRODUCT], route, by: Library::Ours }
}

fn products_modulo_a_prime() -> Block {
    let of = |((_, ring), [proposed, original, schoolbook, fourier]): ((usize, &'static str), [f64; 4])| {
        let by = move |route| Here::Sum(modulo_a_prime(ring, route));
        let row = |route, published| Row {
            subject: ring,
            item: "product".into(),
            route,
            published: vec![Some(published)],
            here: by(route),
        };
        let mut rows = forms(ring, "product", Some([proposed, original]), by);
        rows.extend([row(SCHOOLBOOK, schoolbook), row(word::TRANSFORM, fourier)]);
        let doubles = Here::OnGpu(modulo_a_prime(ring, DOUBLES));
        rows.push(Row { here: doubles, ..row(DOUBLES, fourier) });
        rows
    };
    Block {
        title: "Products a second modulo 49201153. Published are those by steps of the platform's word, many \
                at once, and that of cuFFT beside the transform, and beside one of doubles",
        unit: Unit::PerSecond,
        published: GPU,
        rows: word::RINGS.into_iter().zip(TABLE_2).flat_map(of).collect(),
    }
}

fn quotients_modulo_a_prime() -> Block {
    let of = |((_, ring), [proposed, original, ..]): ((usize, &'static str), [f64; 4])| {
        let by = move |route| modulo_a_prime(ring, route);
        compared(ring, Some(proposed / original), move |step| Here::Quotient(by(step.2), by(step.1)))
    };
    Block {
        title: "The time of a product modulo 49201153 by the original form divided by that by the proposed \
                one, in the same run",
        unit: Unit::Quotient,
        published: GPU,
        rows: word::RINGS.into_iter().zip(TABLE_2).flat_map(of).collect(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::paper::count::tests::{Counted, counts_of};
    use ringsmith_ring::algorithm::interleaved::{ByProducts, ByShift, Interleaved, WORDS};
    use ringsmith_ring::{ByProduct, Montgomery, Planner, Route, Routes};
    use ringsmith_simd::Cpu;

    /// Protects: names are those of routes; what is compared with is the planner's choice.
    #[test]
    fn routes_are_named() {
        for ((word, proposed, original), listed) in STEPS.into_iter().zip(WORDS) {
            assert_eq!(word, listed);
            for (name, form) in [(proposed, Montgomery::Proposed), (original, Montgomery::Original)] {
                assert_eq!(name.parse(), Ok(Route::Interleaved { word, form }));
            }
        }
        fn planned<R: Routes>() -> String {
            Planner::choose::<R>(Cpu::detect()).route().to_string()
        }
        let chosen = [planned::<Ees401>(), planned::<Ees449>(), planned::<Ees653>(), planned::<Ees853>()];
        assert_eq!(chosen, BY_MATRICES);
    }

    /// Both forms in steps of each length.
    fn counted_of<R: Ring>() -> Vec<Counted> {
        macro_rules! both {
            ($($step:literal: $word:literal)*) => { vec![$(
                counts_of::<R, ByProduct<Interleaved<ByShift, $word>>>(STEPS[$step].1),
                counts_of::<R, ByProduct<Interleaved<ByProducts, $word>>>(STEPS[$step].2),
            )*] };
        }
        both!(0: 1 1: 8 2: 16 3: 32 4: 64)
    }

    /// The same in all rings.
    pub(in crate::paper) fn counted() -> Vec<Counted> {
        let rings = [counted_of::<Ees401>, counted_of::<Ees449>, counted_of::<Ees653>, counted_of::<Ees853>];
        rings.into_iter().flat_map(|counted| counted()).collect()
    }

    /// Protects: a step is one product by the proposed form, three by the original one, with a last one; and
    /// the numbers are those of the definition, in whole rows.
    #[test]
    fn as_claimed() {
        for ([proposed, original], (word, ..)) in counted_in(Ees401::NAME).iter().zip(STEPS) {
            let steps = Ees401::N.div_ceil(word) as u64;
            let all = |of: &std::collections::BTreeMap<usize, u64>| of.values().sum::<u64>();
            assert_eq!(all(&proposed.small_products), steps);
            assert_eq!(all(&original.small_products), 3 * steps + 1);
            // Of the three that the paper counts, one leaves zeroes.
            assert_eq!(all(&proposed.polynomial_sums), 2 * steps);
            assert_eq!(all(&original.polynomial_sums), 2 * steps + 1);
            let rows = |last: usize| 16 * (Ees401::N + last - 1).div_ceil(16) as u64;
            let (whole, rest) = (Ees401::N / word, Ees401::N % word);
            let last = if rest == 0 { 0 } else { rest as u64 * rows(rest) };
            assert_eq!(proposed.multiplications, (whole * word) as u64 * rows(word) + last);
            let quotient = original.multiplications as f64 / proposed.multiplications as f64;
            assert!((1.9..2.5).contains(&quotient), "{word}: {quotient}");
        }
    }

    /// Protects: counts of encryptions are there for every set and length, and say twice as much for the
    /// original form, where the paper's seconds say a third more.
    #[test]
    fn encryptions_are_counted() {
        for (set, ring, [.., proposed, original]) in SETS {
            let counted = counted_quotients_of(ring);
            assert!(counted.iter().all(|quotient| (1.9..2.4).contains(quotient)), "{set}: {counted:?}");
            assert!((1.2..1.4).contains(&(original / proposed)), "{set}");
        }
    }
}
