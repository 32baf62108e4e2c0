//! The picture of inverses: a jump, a lift, and many at once.

use crate::svg::{Svg, lowered};

/// A jump of division steps, bits that are lifted, and four inverses by one.
pub fn inverses() -> String {
    let about =
        "A jump of division steps in a field, bits lifted modulo a power of two, four inverses by one.";
    let mut svg = Svg::new(780, 480, about);
    jump(&mut svg);
    lift(&mut svg, [30.0, 260.0]);
    many(&mut svg, [410.0, 260.0]);
    svg.finish()
}

/// Cells side by side, the first ones in another colour.
fn cells(svg: &mut Svg, [x, y]: [f64; 2], width: f64, count: usize, (first, classes): (usize, [&str; 2])) {
    for i in 0..count {
        let class = classes[usize::from(i >= first)];
        svg.rect(class, [x + width * i as f64, y, width, 22.0]);
    }
}

/// Few coefficients decide many steps.
fn jump(svg: &mut Svg) {
    svg.text("l h", [30.0, 28.0], "In a field: a jump of m division steps");
    for (i, name) in ["f", "g"].into_iter().enumerate() {
        let y = 46.0 + 30.0 * i as f64;
        svg.text("r", [50.0, y + 16.0], name);
        cells(svg, [60.0, y], 13.0, 24, (7, ["b", "a"]));
        cells(svg, [610.0, y], 13.0, 11, (7, ["b", "a"]));
    }
    svg.arrow("", [105.0, 102.0], [105.0, 132.0]);
    svg.labelled("b", [30.0, 132.0, 240.0, 34.0], "m steps on the low coefficients");
    svg.arrow("", [270.0, 149.0], [390.0, 149.0]);
    svg.labelled("c", [390.0, 132.0, 210.0, 34.0], "a matrix of 4 polynomials");
    svg.arrow("", [495.0, 132.0], [495.0, 92.0]);
    svg.arrow("", [378.0, 72.0], [420.0, 72.0]);
    svg.labelled("c", [420.0, 54.0, 150.0, 36.0], "matrix · (f, g) / xᵐ");
    svg.arrow("", [570.0, 72.0], [602.0, 72.0]);
    svg.text(
        "l s",
        [30.0, 190.0],
        "A step looks at the lowest coefficients alone, so m steps look at the m lowest.",
    );
    let end = "Products by the matrix do them to all coefficients at once; fewer are left then.";
    svg.text("l s", [30.0, 208.0], end);
}

/// How many bits of an inverse are known.
fn lift(svg: &mut Svg, [x, y]: [f64; 2]) {
    svg.text("l h", [x, y], "Modulo xⁿ − 1 and 2ᵏ: a lift");
    let lines = [(1, "1 bit: a power modulo 2"), (2, "2 bits"), (6, "6 bits"), (14, "14 bits: k = 14")];
    for (i, (bits, how)) in lines.into_iter().enumerate() {
        let at = y + 18.0 + 42.0 * i as f64;
        cells(svg, [x, at], 14.0, 14, (bits, ["c", "n"]));
        svg.text("l s", [x + 206.0, at + 16.0], how);
        if i > 0 {
            svg.arrow("", [x + 7.0, at - 20.0], [x + 7.0, at - 1.0]);
        }
    }
    svg.text("l s", [x, y + 186.0], "A cell is a bit of every coefficient, the lowest");
    svg.text("l s", [x, y + 204.0], "first. A step is two products.");
}

/// Montgomery's trick for four elements.
fn many(svg: &mut Svg, [x, y]: [f64; 2]) {
    svg.text("l h", [x, y], "Many at once: one inverse of a product");
    let at = |i: usize| x + 92.0 * i as f64;
    let rows = [18.0, 84.0, 150.0].map(|below| y + below);
    for i in 0..4 {
        let [name, left] = ["P", "a"].map(|of| lowered(of, i + 1));
        let before = lowered("P", i);
        let product = if i == 0 { "P₁ = a₁".into() } else { format!("{before} {left}") };
        svg.labelled("a", [at(i), rows[0], 66.0, 32.0], &product);
        svg.labelled("c", [at(i), rows[1], 66.0, 32.0], &format!("1 / {name}"));
        svg.labelled("b", [at(i), rows[2], 66.0, 32.0], &format!("1 / {left}"));
        svg.arrow("", [at(i) + 33.0, rows[1] + 32.0], [at(i) + 33.0, rows[2]]);
        if i > 0 {
            svg.arrow("", [at(i) - 26.0, rows[0] + 16.0], [at(i), rows[0] + 16.0]);
            svg.arrow("", [at(i), rows[1] + 16.0], [at(i) - 26.0, rows[1] + 16.0]);
            svg.text("s", [at(i) - 13.0, rows[1] + 10.0], &left);
            svg.text("l s", [at(i) + 38.0, rows[1] + 54.0], &before);
        }
    }
    svg.arrow("red", [at(3) + 33.0, rows[0] + 32.0], [at(3) + 33.0, rows[1]]);
    svg.text("r s", [at(3) + 26.0, rows[0] + 54.0], "the one inverse");
    svg.text("l s", [x, y + 204.0], "Beside an arrow: the other factor. Three products each.");
}
