//! The numbers of `docs/bounds.md`, as the compiler derives them.

use ringsmith_book::bars::{NewHope, forward, forward_of_ml_kem};
use ringsmith_ring::algorithm::k_red::{ByAnalysis, ByPaper, KRedTransform};
use ringsmith_ring::algorithm::words::WordNtt;
use ringsmith_ring::bound::Bound;
use ringsmith_ring::number::{bit_reverse, centred, power, transform_root};
use ringsmith_simd::LazyReduction;
use std::fs;
use std::path::Path;

const Q: i64 = 12289;

/// The page, with its lines joined.
fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/bounds.md");
    fs::read_to_string(path).expect("docs/bounds.md").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// That the page says this.
fn says(page: &str, what: &str) {
    assert!(page.contains(what), "docs/bounds.md should say: {what}");
}

/// A cell for a bound and one for a mark.
fn cells((bound, reduced): (Option<i64>, bool)) -> String {
    format!("| {} | {}", bound.expect("a plan that holds"), if reduced { "**r** " } else { "" })
}

/// Protects: a row of the table of the worked example that is not what the compiler proves.
#[test]
fn layers_of_the_worked_example() {
    let page = page();
    let [none, sign, barrett] = [None, Some(LazyReduction::Sign), Some(LazyReduction::Barrett)].map(forward);
    let mut overflows = true;
    for layer in 0..11 {
        let name = if layer == 0 { "input".to_string() } else { layer.to_string() };
        let without = match none[layer].0 {
            Some(bound) => format!(" {bound} "),
            None if std::mem::take(&mut overflows) => " overflow ".to_string(),
            None => " ".to_string(),
        };
        let row = format!("| {name} |{without}{}{}|", cells(sign[layer]), cells(barrett[layer]));
        says(&page, &row);
    }
}

/// Protects: the constants, the one butterfly, and the sentences below the table.
#[test]
fn numbers_of_the_worked_example() {
    let page = page();
    let psi = transform_root(2048, Q);
    let twiddle = power(psi, bit_reverse(1, 10) as u64, Q);
    says(&page, &format!("The least is `psi = {psi}`"));
    says(&page, &format!("node 1 has `{psi}^512 = {twiddle}`"));
    let factor = centred(twiddle * (1 << 16) % Q, Q);
    says(&page, &format!("holds `{twiddle} * 2^16` modulo `q`, centred: {factor}."));
    // All terms over 2^17, so that nothing is rounded before the end.
    let product = (2 * 6144 * factor.abs() + (Q << 16)) >> 17;
    says(&page, &format!("`6144 * {} / 2^16 + 12289 / 2`, rounded down {product}.", factor.abs()));
    says(&page, &format!("6144 + {product} = {} after layer 1", 6144 + product));
    assert_eq!(forward(None)[1].0, Some(6144 + product));

    let sign = forward(Some(LazyReduction::Sign));
    let third = sign[3].0.expect("a bound");
    let reduced = third - Q;
    says(&page, &format!("The sign step makes {reduced} of {third}, since {third} - {Q} = {reduced}"));
    let products = sign[4].0.expect("a bound") - reduced;
    says(&page, &format!("the products are at most {products}; together {}", reduced + products));
    let out = sign[10].0.expect("a bound");
    let in_the_domain = (2 * out * out + (Q << 16)) >> 17;
    says(&page, &format!("values up to {out} to at most {in_the_domain}: {out}^2 / 2^16 + {Q} / 2"));
    let plans = NewHope::PLANS;
    let [by_sign, by_barrett] = plans.counts();
    says(
        &page,
        &format!("The plan for the sign step has {by_sign} codes in all, the one for Barrett {by_barrett};"),
    );
    let results = [(plans.sign, LazyReduction::Sign), (plans.barrett, LazyReduction::Barrett)]
        .map(|(plan, step)| NewHope::result_bound(&plan, step).expect("a plan that holds").magnitude());
    says(&page, &format!("results are at most {} and {}", results[0], results[1]));
}

/// Protects: the layers of ML-KEM's transform.
#[test]
fn layers_of_ml_kem() {
    let bounds: Vec<String> = forward_of_ml_kem()[1..].iter().flatten().map(i64::to_string).collect();
    assert_eq!(bounds.len(), 7);
    let page = page();
    says(&page, &format!("reduce nothing forward: {}.", bounds.join(", ")));
    let room = |q: f64| 32767.0 / q;
    says(&page, &format!("With q = 3329 there is room for {:.1} q", room(3329.0)));
    says(&page, &format!("A modulus like 12289 leaves room for {:.2} q in a lane", room(12289.0)));
}

/// Protects: the ledger of K-RED.
#[test]
fn k_red() {
    let page = page();
    type Paper = KRedTransform<Q, 64, 128, ByPaper>;
    type Analysis = KRedTransform<Q, 64, 128, ByAnalysis>;
    let (paper, analysis) = (Paper::PLAN.exponent(), Analysis::PLAN.exponent());
    says(&page, &format!("| exponent, without the tail | {paper} | {analysis} |"));
    let reduced = |plan: [bool; 10]| plan.iter().position(|reduced| *reduced);
    assert_eq!(reduced(Paper::PLAN.forward), Some(7));
    assert_eq!(reduced(Analysis::PLAN.forward), Some(6));
    says(&page, "| reduced forward | the eighth layer (m = 128) | the seventh layer |");
}

/// Protects: the table of lanes of 32 bits.
#[test]
fn lanes_of_32_bits() {
    let q = 8380417i64;
    let stages = WordNtt::<8380417, 32>::forward_bounds(Bound::symmetric(q));
    let cells: Vec<String> = stages
        .iter()
        .enumerate()
        .map(|(i, bound)| match (i, bound.magnitude()) {
            (0, size) => (size / q).to_string(),
            (_, size) => format!("{:.3}", size as f64 / q as f64),
        })
        .collect();
    says(&page(), &format!("| forward | {} |", cells.join(" | ")));
    says(&page(), "| backward | 1 | 4 | 16 | 32 | 128 | 256 |");
}
