//! Bars of bounds, as the compiler derives them.

use crate::svg::Svg;
use ringsmith_ring::algorithm::k_red::{ByAnalysis, ByPaper, KRedTransform, Reductions};
use ringsmith_ring::algorithm::ntt::Ntt;
use ringsmith_ring::algorithm::words::WordNtt;
use ringsmith_ring::bound::Bound;
use ringsmith_simd::LazyReduction;

/// NewHope's transform: 1024 coefficients modulo 12289, complete.
pub type NewHope = Ntt<12289, 64, 1>;
/// ML-KEM's: 256 coefficients modulo 3329, down to residues of degree 2.
pub type MlKem = Ntt<3329, 16, 2>;

/// Where values of NewHope's transform lie before the first layer and after each: without reductions, and
/// with those of a plan and whether it reduces before that layer.
pub fn forward(step: Option<LazyReduction>) -> [(Option<i64>, bool); 11] {
    let plans = NewHope::PLANS;
    let (mut plan, of) = match step {
        Some(LazyReduction::Barrett) => (plans.barrett, LazyReduction::Barrett),
        _ => (plans.sign, LazyReduction::Sign),
    };
    if step.is_none() {
        plan.forward = [0; 10];
    }
    std::array::from_fn(|layer| {
        let bound = NewHope::forward_bound_after(&plan, of, layer);
        (bound.map(Bound::magnitude), layer > 0 && plan.forward[layer - 1] != 0)
    })
}

/// The same of ML-KEM's, whose plan reduces nothing.
pub fn forward_of_ml_kem() -> [Option<i64>; 8] {
    let plan = MlKem::PLANS.sign;
    std::array::from_fn(|layer| {
        MlKem::forward_bound_after(&plan, LazyReduction::Sign, layer).map(Bound::magnitude)
    })
}

/// A group of bars at each layer, and a line where the lane ends.
struct Chart {
    svg: Svg,
    left: f64,
    bottom: f64,
    height: f64,
    group: f64,
}

impl Chart {
    /// Where a part of the lane is drawn.
    fn y(&self, part: f64) -> f64 {
        self.bottom - self.height * part
    }

    fn bar(&mut self, group: usize, at: f64, width: f64, class: &str, part: f64) {
        let x = self.left + self.group * group as f64 + at;
        let y = self.y(part);
        self.svg.rect(class, [x, y, width, self.bottom - y]);
    }

    /// A bar of 31 bits at most, with its number of bits in it.
    fn bits(&mut self, group: usize, at: f64, class: &str, bound: f64) {
        const WIDTH: f64 = 32.0;
        let (bits, part) = (bound.log2(), bound.log2() / 31.0);
        self.bar(group, at, WIDTH, class, part);
        let place = [self.left + self.group * group as f64 + at + 0.5 * WIDTH, self.y(part) + 15.0];
        self.svg.text("s", place, &format!("{bits:.1}"));
    }

    fn label(&mut self, group: usize, text: &str) {
        let x = self.left + self.group * (group as f64 + 0.5);
        self.svg.text("s", [x, self.bottom + 18.0], text);
    }

    fn lane(&mut self, width: f64, text: &str) {
        let y = self.y(1.0);
        self.svg.path("red", [self.left - 10.0, y], [self.left + width, y]);
        self.svg.text("l s", [self.left - 6.0, y - 6.0], text);
    }
}

/// NewHope's transform without reductions and with both plans.
pub fn transform() -> String {
    let about =
        "Greatest values after each layer of NewHope's transform: without reductions, and with both plans.";
    let svg = Svg::new(780, 400, about);
    let mut chart = Chart { svg, left: 50.0, bottom: 320.0, height: 260.0, group: 65.0 };
    let plans = [None, Some(LazyReduction::Sign), Some(LazyReduction::Barrett)].map(forward);
    for layer in 0..11 {
        for (i, (plan, class)) in plans.iter().zip(["e", "a", "c"]).enumerate() {
            let at = 4.0 + 19.0 * i as f64;
            if let (Some(bound), reduced) = plan[layer] {
                let part = bound as f64 / 32767.0;
                chart.bar(layer, at, 17.0, class, part);
                if reduced {
                    let x = chart.left + chart.group * layer as f64 + at + 8.5;
                    let y = chart.y(part) - 4.0;
                    chart.svg.text("s h", [x, y], "r");
                }
            }
        }
        chart.label(layer, &if layer == 0 { "input".to_string() } else { layer.to_string() });
    }
    chart.lane(715.0, "32767: the lane");
    let svg = &mut chart.svg;
    for (i, (class, text)) in
        [("e", "no reduction"), ("a", "sign step (x86)"), ("c", "Barrett (NEON)")].into_iter().enumerate()
    {
        let x = 60.0 + 200.0 * i as f64;
        svg.rect(class, [x, 360.0, 20.0, 20.0]).text("l", [x + 28.0, 375.0], text);
    }
    svg.text("l", [640.0, 375.0], "r: reduced before").finish()
}

/// The bounds of a K-RED transform after each layer; none inside a pair of layers.
pub fn k_red_forward<const WIDE: usize, P: Reductions>() -> [Option<i64>; 11] {
    std::array::from_fn(|layer| {
        KRedTransform::<12289, 64, WIDE, P>::forward_bound_after(layer).map(Bound::magnitude)
    })
}

/// Which layers of a K-RED transform begin with a reduction.
pub fn k_red_reduced<const WIDE: usize, P: Reductions>() -> [bool; 10] {
    KRedTransform::<12289, 64, WIDE, P>::PLAN.forward
}

/// Both placements of K-RED, as bits of a lane of 32.
pub fn k_red() -> String {
    let about = "Bits of the greatest values after each layer of K-RED's transforms, by both placements.";
    let svg = Svg::new(890, 400, about);
    let mut chart = Chart { svg, left: 40.0, bottom: 320.0, height: 260.0, group: 76.0 };
    let bounds = [k_red_forward::<128, ByPaper>(), k_red_forward::<128, ByAnalysis>()];
    let reduced = [k_red_reduced::<128, ByPaper>(), k_red_reduced::<128, ByAnalysis>()];
    for layer in 0..11 {
        for i in 0..2 {
            let Some(bound) = bounds[i][layer] else { continue };
            let at = 4.0 + 35.0 * i as f64;
            chart.bits(layer, at, ["a", "c"][i], bound as f64);
            // A step is reduced where it begins; its bar stands where it ends.
            let begins = (0..layer).rev().find(|&l| l == 0 || bounds[i][l].is_some());
            if begins.is_some_and(|l| reduced[i][l]) {
                let x = chart.left + chart.group * layer as f64 + at + 16.0;
                let y = chart.y((bound as f64).log2() / 31.0);
                chart.svg.text("s h", [x, y - 4.0], "r");
            }
        }
        chart.label(layer, &if layer == 0 { "input".to_string() } else { layer.to_string() });
    }
    chart.lane(836.0, "31 bits: the lane");
    let svg = &mut chart.svg;
    svg.rect("a", [60.0, 360.0, 20.0, 20.0]).text("l", [88.0, 375.0], "k-red-paper: products of 64 bits");
    svg.rect("c", [380.0, 360.0, 20.0, 20.0]).text("l", [408.0, 375.0], "k-red: of 32 bits, layers in pairs");
    svg.text("l", [740.0, 375.0], "r: reduced before").finish()
}

/// Lanes of 32 bits without reductions, there and back, in bits.
pub fn words() -> String {
    let about =
        "Bits of the greatest values of ML-DSA's transform after each pair of layers, forward and backward.";
    let svg = Svg::new(780, 380, about);
    let mut chart = Chart { svg, left: 60.0, bottom: 300.0, height: 240.0, group: 78.0 };
    let (q, n) = (8380417i64, 256i64);
    let forward = WordNtt::<8380417, 32>::forward_bounds(Bound::symmetric(q));
    let layers = [0, 2, 4, 5, 7, 8];
    for layer in 0..9usize {
        if let Some(stage) = layers.iter().position(|&l| l == layer) {
            let bound = forward[stage].magnitude() as f64;
            chart.bits(layer, 5.0, "a", bound);
        }
        chart.bits(layer, 40.0, "c", (q << layer) as f64);
        chart.label(layer, &if layer == 0 { "input".to_string() } else { layer.to_string() });
    }
    chart.lane(702.0, "31 bits: the lane");
    let svg = &mut chart.svg;
    let last = format!("backward: doubles; {n} q = {} < 2³¹", n * q);
    svg.rect("a", [60.0, 340.0, 20.0, 20.0]).text(
        "l",
        [88.0, 355.0],
        "forward: each layer adds q and a little",
    );
    svg.rect("c", [410.0, 340.0, 20.0, 20.0]).text("l", [438.0, 355.0], &last).finish()
}
