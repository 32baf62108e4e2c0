//! Pictures of values: at points, modulo primes; and of the choice among them.

use crate::svg::{Svg, lowered};

/// Three parts, five points, five products, five parts.
pub fn toom_cook() -> String {
    let mut svg = Svg::new(
        780,
        400,
        "Toom and Cook with three parts: values of both operands at five points, five products, five parts.",
    );
    let points = ["0", "1", "−1", "2", "∞"];
    let values = ["a₀", "a₀+a₁+a₂", "a₀−a₁+a₂", "a₀+2a₁+4a₂", "a₂"];
    let row = |i: usize| 70.0 + 54.0 * i as f64;
    for (title, x) in [("parts", 55.0), ("values at points", 235.0), ("products", 470.0), ("parts", 700.0)] {
        svg.text("h", [x, 36.0], title);
    }
    for i in 0..5 {
        let y = row(i);
        for part in 0..3 {
            let used = match i {
                0 => part == 0,
                4 => part == 2,
                _ => true,
            };
            if used {
                svg.path("", [82.0, row(part + 1) + 16.0], [160.0, y + 16.0]);
            }
        }
        svg.labelled("b", [160.0, y, 150.0, 32.0], values[i]);
        svg.text("s", [332.0, y + 21.0], &format!("y = {}", points[i]));
        svg.arrow("", [358.0, y + 16.0], [420.0, y + 16.0]);
        svg.labelled("a", [420.0, y, 100.0, 32.0], &format!("a({0}) b({0})", points[i]));
        for part in 0..5 {
            svg.path("", [520.0, y + 16.0], [665.0, row(part) + 16.0]);
        }
        svg.labelled("c", [665.0, y, 70.0, 32.0], &lowered("c", i));
    }
    for part in 0..3 {
        svg.labelled("", [28.0, row(part + 1), 54.0, 32.0], &lowered("a", part));
    }
    svg.text(
        "",
        [390.0, 370.0],
        "Fewer products than the nine of schoolbook; what they cost is the divisions at the end:",
    );
    svg.text(
        "",
        [390.0, 390.0],
        "here by 2 and by 3. Modulo 2ᵏ a division by 2 loses a bit of the word, one by 3 is a product.",
    );
    svg.finish()
}

/// One number, three remainders, three digits.
pub fn rns() -> String {
    let mut svg = Svg::new(
        780,
        380,
        "A product over the integers from products modulo three primes, put together by digits.",
    );
    svg.labelled("", [300.0, 20.0, 180.0, 34.0], "a, b over the integers");
    let primes = [1801, 1321, 1201];
    for (i, p) in primes.iter().enumerate() {
        let x = 70.0 + 230.0 * i as f64;
        svg.arrow("", [390.0, 54.0], [x + 90.0, 90.0]);
        svg.labelled("a", [x, 90.0, 180.0, 34.0], &format!("a b modulo {p}"));
        svg.arrow("", [x + 90.0, 124.0], [x + 90.0, 160.0]);
    }
    let digits = [
        ("x₁ = c mod p₁", 70.0, 180.0),
        ("u₂ = (x₂ − x₁) / p₁", 300.0, 180.0),
        ("u₃ = ((x₃−x₁)/p₁ − u₂) / p₂", 520.0, 210.0),
    ];
    for (i, (text, x, width)) in digits.into_iter().enumerate() {
        svg.labelled("b", [x, 160.0, width, 34.0], text);
        svg.arrow("", [160.0 + 230.0 * i as f64, 194.0], [390.0, 232.0]);
    }
    let sum = "c = x₁ + p₁ u₂ + p₁ p₂ u₃, then mod q, mod f";
    svg.labelled("c", [220.0, 232.0, 340.0, 34.0], sum);
    // What the primes hold beside what a product needs: NTRU's largest coefficients of degree 509.
    let (needed, held) = (2.0 * 509.0 * 1024.0 * 1024.0, 1801.0 * 1321.0 * 1201.0);
    let scale = 520.0 / f64::log2(held);
    for (i, (text, value, class)) in
        [("range of c", needed, "e"), ("p₁ p₂ p₃", held, "c")].into_iter().enumerate()
    {
        let y = 300.0 + 34.0 * i as f64;
        svg.text("r", [130.0, y + 18.0], text).rect(class, [145.0, y, scale * f64::log2(value), 26.0]);
        svg.text("l s", [155.0, y + 18.0], &format!("{:.2} bits", f64::log2(value)));
    }
    svg.text("l s", [680.0, 318.0], "x⁵⁰⁹ − 1,").text("l s", [680.0, 336.0], "2048");
    svg.finish()
}

/// From a ring to a route.
pub fn planner() -> String {
    let mut svg = Svg::new(
        780,
        400,
        "How the planner chooses a route: by the form of f, and by the roots of unity that q has.",
    );
    let choices = [
        ("xⁿ + 1", "a prime with roots", "rows", "ML-KEM, NewHope, Compact-512"),
        ("xⁿ − xⁿᐟ² + 1", "a prime with roots", "ntt:6", "NewHope-Compact-768"),
        ("xⁿ − x − 1", "a prime with roots", "rows", "NTRU Prime"),
        ("xⁿ − 1", "a power of two", "toeplitz:..", "NTRU, NTRUEncrypt"),
        ("the same, b ternary", "2¹⁴, AVX2", "rns:3/rows", "ntruhrss1373"),
        ("any", "any, at run time", "the least cost", "all other rings"),
    ];
    for (title, x) in [("f", 95.0), ("q", 270.0), ("route", 440.0), ("rings", 640.0)] {
        svg.text("h", [x, 30.0], title);
    }
    for (i, (f, q, route, rings)) in choices.into_iter().enumerate() {
        let y = 46.0 + 54.0 * i as f64;
        svg.labelled("", [15.0, y, 160.0, 36.0], f).arrow("", [175.0, y + 18.0], [195.0, y + 18.0]);
        svg.labelled("", [195.0, y, 150.0, 36.0], q).arrow("", [345.0, y + 18.0], [370.0, y + 18.0]);
        svg.labelled("c", [370.0, y, 140.0, 36.0], route).text("l s", [522.0, y + 23.0], rings);
    }
    svg.text(
        "",
        [390.0, 386.0],
        "A choice is a line in the ring's list, which was measured; nothing is measured when a program runs.",
    );
    svg.finish()
}
