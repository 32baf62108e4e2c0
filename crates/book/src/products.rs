//! Pictures of products as squares of small products.

use crate::svg::{FILLS, Svg, lowered};

/// A table of `a_i b_j`: the upper ones wrap.
pub fn schoolbook() -> String {
    let mut svg = Svg::new(
        760,
        340,
        "Products a_i b_j of two polynomials of 8 coefficients; those with i + j of 8 or more fold.",
    );
    let (n, cell, x, y) = (8, 34.0, 60.0, 50.0);
    for i in 0..n {
        let at = i as f64 * cell + cell / 2.0;
        svg.text("s", [x + at, y - 10.0], &lowered("b", i)).text(
            "s",
            [x - 18.0, y + at + 5.0],
            &lowered("a", i),
        );
        for j in 0..n {
            let class = if i + j < n { "a" } else { "b" };
            let place = [x + j as f64 * cell, y + i as f64 * cell, cell, cell];
            svg.rect(class, place);
            svg.text("s", [place[0] + cell / 2.0, place[1] + cell / 2.0 + 5.0], &(i + j).to_string());
        }
    }
    let x = 390.0;
    svg.text("l h", [x, 70.0], "The number in a cell is the power of x.");
    svg.text("l", [x, 95.0], "One diagonal is one coefficient of the product.");
    svg.rect("a", [x, 120.0, 20.0, 20.0]).text("l", [x + 30.0, 135.0], "below n: stays");
    svg.rect("b", [x, 150.0, 20.0, 20.0]).text("l", [x + 30.0, 165.0], "n and more: folds by f");
    let folds = [
        "Modulo x⁸ − 1, 8 goes to 0.",
        "Modulo x⁸ + 1, 8 goes to 0 and changes its sign.",
        "Modulo x⁸ − x − 1, 8 goes to 0 and to 1.",
    ];
    for (i, text) in folds.iter().enumerate() {
        svg.text("l", [x, 210.0 + 24.0 * i as f64], text);
    }
    svg.finish()
}

/// A square in quarters, in nine of sixteen, and a triangle.
pub fn karatsuba() -> String {
    let mut svg = Svg::new(
        760,
        330,
        "Karatsuba: three of four quarters, nine of sixteen; one iteration with four parts: ten of sixteen.",
    );
    let side = 176.0;
    let titles = ["one level: 3 of 4", "two levels: 9 of 16", "one iteration, s = 4: 10 of 16"];
    for (i, title) in titles.iter().enumerate() {
        let x = 30.0 + 250.0 * i as f64;
        svg.text("h", [x + side / 2.0, 30.0], title);
    }
    svg.labelled("a", [30.0, 50.0, side / 2.0, side / 2.0], "a₀b₀");
    svg.labelled("a", [30.0 + side / 2.0, 50.0 + side / 2.0, side / 2.0, side / 2.0], "a₁b₁");
    svg.rect("b", [30.0 + side / 2.0, 50.0, side / 2.0, side / 2.0]);
    svg.text("s", [30.0 + 0.75 * side, 90.0], "(a₀+a₁)");
    svg.text("s", [30.0 + 0.75 * side, 108.0], "(b₀+b₁)");
    svg.rect("n", [30.0, 50.0 + side / 2.0, side / 2.0, side / 2.0]);
    svg.text("s", [30.0 + side / 4.0, 50.0 + 0.75 * side], "comes with it");
    let quarter = side / 4.0;
    for i in 0..4 {
        for j in 0..4 {
            let place = |x: f64| [x + quarter * j as f64, 50.0 + quarter * i as f64, quarter, quarter];
            // Of each pair of bits: the diagonal, and one of the two beside it.
            let kept = (i & !j & 3) == 0;
            let class = match (kept, i == j) {
                (false, _) => "n",
                (_, true) => "a",
                _ => "b",
            };
            svg.rect(class, place(280.0));
            let class = if i == j {
                "a"
            } else if i < j {
                "b"
            } else {
                "n"
            };
            svg.rect(class, place(530.0));
            let index = if i == j { lowered("D", i) } else { lowered(&lowered("D", i), j) };
            if i <= j {
                let [x, y, ..] = place(530.0);
                svg.text("s", [x + quarter / 2.0, y + quarter / 2.0 + 5.0], &index);
            }
        }
    }
    svg.rect("a", [30.0, 250.0, 20.0, 20.0]).text("l", [60.0, 265.0], "a product of two parts as they are");
    svg.rect("b", [30.0, 280.0, 20.0, 20.0]).text("l", [60.0, 295.0], "a product of two sums of parts");
    svg.rect("n", [400.0, 250.0, 20.0, 20.0]).text("l", [430.0, 265.0], "no product: told by the others");
    svg.finish()
}

/// A matrix by its diagonals, in blocks.
pub fn toeplitz() -> String {
    let mut svg = Svg::new(
        720,
        350,
        "A Toeplitz matrix of 9 by 9 entries; its 9 blocks are 5 different ones, which are Toeplitz too.",
    );
    let (n, cell, x, y) = (9usize, 30.0, 40.0, 40.0);
    for i in 0..n {
        for j in 0..n {
            let block = 2 + i / 3 - j / 3;
            let place = [x + j as f64 * cell, y + i as f64 * cell, cell, cell];
            svg.rect(FILLS[block], place);
            let text = (i as i64 - j as i64).to_string().replace('-', "−");
            svg.text("s", [place[0] + cell / 2.0, place[1] + cell / 2.0 + 5.0], &text);
        }
    }
    for i in 1..3 {
        let at = f64::from(i) * 3.0 * cell;
        svg.path("red", [x + at, y], [x + at, y + 9.0 * cell]).path(
            "red",
            [x, y + at],
            [x + 9.0 * cell, y + at],
        );
    }
    let x = 350.0;
    let lines =
        ["The number in a cell is i − j: entries of a", "diagonal are equal. Of the 9 blocks, 5 differ:"];
    for (i, text) in lines.iter().enumerate() {
        svg.text("l", [x, 60.0 + 22.0 * i as f64], text);
    }
    for (i, name) in ["T₋₂", "T₋₁", "T₀", "T₁", "T₂"].iter().enumerate() {
        svg.labelled(FILLS[i], [x + 62.0 * i as f64, 105.0, 50.0, 30.0], name);
    }
    let lines = [
        "Schoolbook takes 9 products of block and part.",
        "Three parts at five points (Toom and Cook,",
        "transposed) take 5.",
        "A product modulo xⁿ − 1 is such a matrix with",
        "b twice on its diagonals: it is reduced already.",
    ];
    for (i, text) in lines.iter().enumerate() {
        svg.text("l", [x, 175.0 + 24.0 * i as f64], text);
    }
    svg.finish()
}

/// Shifted copies of one operand with the signs of the other, and one instruction of it.
pub fn signed() -> String {
    let about = "A product by -1, 0 and 1: shifted copies of one operand with signs; 16 signs at a time.";
    let mut svg = Svg::new(780, 430, about);
    let (signs, a) = ([-1i64, 0, 1, 0], [1i64, 2, 3, 4]);
    let (x, cell) = (130.0, 52.0);
    let y = |line: usize| 58.0 + 36.0 * line as f64;
    let line = |svg: &mut Svg, at: usize, name: &str, values: [i64; 4], classes: [&str; 4]| {
        svg.text("r", [x - 14.0, y(at) + 20.0], name);
        for (i, (value, class)) in values.into_iter().zip(classes).enumerate() {
            let place = [x + cell * i as f64, y(at), cell, 30.0];
            svg.labelled(class, place, &value.to_string().replace('-', "−"));
        }
    };
    for (i, power) in ["1", "x", "x²", "x³"].into_iter().enumerate() {
        svg.text("s", [x + cell * (i as f64 + 0.5), 48.0], power);
    }
    line(&mut svg, 0, "a", a, [""; 4]);
    let mut sum = [0; 4];
    for (j, sign) in signs.into_iter().enumerate() {
        let moved = |i: usize| (i + 4 - j) % 4;
        let values = std::array::from_fn(|i| sign * a[moved(i)]);
        let of = |i: usize| if sign == 0 { "n" } else { ["a", "b"][usize::from(i < j)] };
        let name = format!("{} = {}", lowered("b", j), sign.to_string().replace('-', "−"));
        line(&mut svg, j + 1, &name, values, std::array::from_fn(of));
        (0..4).for_each(|i| sum[i] += values[i]);
    }
    line(&mut svg, 5, "the sum", sum, ["c"; 4]);
    legend_of_signed(&mut svg);
    sixteen_signs(&mut svg);
    svg.finish()
}

/// What the rows of signed additions are.
fn legend_of_signed(svg: &mut Svg) {
    let x = 380.0;
    let product = "(1 + 2x + 3x² + 4x³)(x² − 1) modulo x⁴ − 1:";
    let lines = [product, "a row is a, moved by j places, times the sign bⱼ."];
    for (i, text) in lines.iter().enumerate() {
        svg.text("l", [x, 72.0 + 22.0 * i as f64], text);
    }
    let kinds = [
        ("a", "moved"),
        ("b", "moved past the end: comes in at the front"),
        ("n", "nothing, which is added all the same"),
    ];
    for (i, (class, text)) in kinds.into_iter().enumerate() {
        let y = 116.0 + 30.0 * i as f64;
        svg.rect(class, [x, y, 20.0, 20.0]).text("l", [x + 30.0, y + 15.0], text);
    }
    let lines =
        ["Which rows are nothing is a secret: an address", "or a branch that left them out would tell it."];
    for (i, text) in lines.iter().enumerate() {
        svg.text("l", [x, 228.0 + 22.0 * i as f64], text);
    }
}

/// One signed addition of a row: a coefficient in all lanes, 16 signs.
fn sixteen_signs(svg: &mut Svg) {
    let (x, cell) = (130.0, 38.0);
    let signs = [0i64, 1, -1, 0, 0, 1, 0, -1, -1, 0, 1, 1, 0, 0, -1, 0];
    svg.text("l h", [x, 300.0], "A signed addition: one coefficient of a, by 16 coefficients of b");
    for (line, name) in ["16 signs", "added"].into_iter().enumerate() {
        let y = 314.0 + 34.0 * line as f64;
        svg.text("r", [x - 14.0, y + 20.0], name);
        for (i, sign) in signs.into_iter().enumerate() {
            let class = if line == 0 { "" } else { ["n", "a"][usize::from(sign != 0)] };
            let texts = [["−1", "0", "1"], ["−aᵢ", "0", "aᵢ"]];
            let text = texts[line][(sign + 1) as usize];
            svg.labelled(class, [x + cell * i as f64, y, cell, 28.0], text);
        }
    }
    let text = "A sign is a lane of the operation. A product takes n² / 16 such additions, whatever b is.";
    svg.text("", [390.0, 412.0], text);
}
