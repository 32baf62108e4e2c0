//! Pictures of transforms that split a ring step by step.

use crate::svg::{Svg, raised};

/// The butterflies of eight coefficients modulo `x^8 + 1`, and where incomplete transforms end.
pub fn ntt() -> String {
    let mut svg = Svg::new(
        780,
        430,
        "Butterflies of a negacyclic transform of eight coefficients: three layers, distances 4, 2 and 1.",
    );
    let (x, y, step, row) = (70.0, 76.0, 200.0, 36.0);
    // The exponent of psi at node i of the tree: bit reversal.
    let exponents = [0, 8, 4, 12, 2, 10, 6, 14].map(|e| e / 2);
    for layer in 0..3usize {
        let distance = 4usize >> layer;
        let left = x + step * layer as f64;
        let title = format!("layer {}, distance {distance}", layer + 1);
        svg.text("h", [left + step / 2.0, 34.0], &title);
        for i in 0..8usize {
            let (partner, top) = (i ^ distance, i & distance == 0);
            let at = |k: usize| y + row * k as f64;
            let begins = if top { 20.0 } else { 58.0 };
            svg.path("", [left + begins, at(i)], [left + step - 10.0, at(i)]);
            svg.path("", [left + 70.0, at(i)], [left + 130.0, at(partner)]);
            if !top {
                let node = (1 << layer) + i / (2 * distance);
                svg.labelled("b", [left + 24.0, at(i) - 11.0, 34.0, 22.0], &raised("ψ", exponents[node]));
                svg.text("s", [left + 142.0, at(i) - 4.0], "−");
            }
        }
    }
    for i in 0..8usize {
        let (at, end) = (y + row * i as f64, x + 3.0 * step);
        svg.text("r", [x + 6.0, at + 5.0], &crate::svg::lowered("a", i));
        let exponent = 2 * [0, 4, 2, 6, 1, 5, 3, 7][i] + 1;
        svg.text("l s", [end + 12.0, at + 5.0], &format!("a({})", raised("ψ", exponent)));
    }
    let ends = ["x⁸ + 1", "x⁴ − r: base 4", "x² − r: base 2", "x − r: complete"];
    for (i, text) in ends.iter().enumerate() {
        let at = x + step * i as f64 + if i == 0 { 12.0 } else { 4.0 };
        svg.path("d red", [at, 48.0], [at, 360.0]).text("s", [at, 380.0], text);
    }
    svg.text("", [390.0, 412.0], "A transform may end at any dashed line; what is left there are residues.");
    svg.finish()
}

/// The trees of two polynomials of degree 16.
pub fn bruun() -> String {
    let mut svg = Svg::new(
        760,
        300,
        "x^16 - 1 splits into binomials, x^16 + 1 after Bruun into trinomials with a root of 2.",
    );
    let node = |svg: &mut Svg, class: &str, x: f64, y: f64, w: f64, text: &str| {
        svg.labelled(class, [x - w / 2.0, y, w, 36.0], text);
    };
    for (x, y, u) in [(170.0, 76.0, 90.0), (170.0, 76.0, 250.0), (550.0, 76.0, 440.0), (550.0, 76.0, 660.0)] {
        svg.path("", [x, y], [u, 140.0]);
    }
    node(&mut svg, "", 170.0, 40.0, 130.0, "x¹⁶ − 1");
    node(&mut svg, "a", 90.0, 140.0, 120.0, "x⁸ − 1");
    node(&mut svg, "a", 250.0, 140.0, 120.0, "x⁸ + 1");
    node(&mut svg, "", 550.0, 40.0, 130.0, "x¹⁶ + 1");
    node(&mut svg, "c", 440.0, 140.0, 190.0, "x⁸ + √2 x⁴ + 1");
    node(&mut svg, "c", 660.0, 140.0, 190.0, "x⁸ − √2 x⁴ + 1");
    svg.text("", [170.0, 210.0], "a sum and a difference of halves;");
    svg.text("", [170.0, 230.0], "no product");
    svg.text("", [550.0, 210.0], "two of four quarters times √2;");
    svg.text("", [550.0, 230.0], "x⁸ = ∓√2 x⁴ − 1, so x¹² = x⁴ ± √2");
    svg.text(
        "",
        [380.0, 276.0],
        "√2 is 1229 modulo 4591. Each lane of a vector has one polynomial of degree below 16.",
    );
    svg.finish()
}
