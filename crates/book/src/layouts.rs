//! Pictures of where coefficients stand.

use crate::svg::{FILLS, Svg, lowered, raised};

/// Rows of 16 coefficients, and a transform across them.
pub fn rows() -> String {
    let mut svg = Svg::new(
        780,
        400,
        "Eight rows of 16 coefficients. Butterflies add and subtract whole rows; lanes are never mixed.",
    );
    let (x, y, cell, row) = (70.0, 56.0, 20.0, 34.0);
    svg.text("h", [x + 8.0 * cell, 36.0], "rows of 16 coefficients").text("h", [620.0, 36.0], "residues");
    for i in 0..8usize {
        let at = y + row * i as f64;
        svg.text("r s", [x - 8.0, at + 17.0], &raised("y", i as i64));
        for lane in 0..16 {
            svg.rect("a", [x + cell * f64::from(lane), at, cell, 24.0]);
        }
        svg.text("s", [x + 0.5 * cell, at + 17.0], &(16 * i).to_string());
        svg.text("s", [x + 15.5 * cell, at + 17.0], &(16 * i + 15).to_string());
        svg.labelled("c", [560.0, at, 130.0, 24.0], &format!("modulo x¹⁶ − {}", lowered("w", i)));
        // The first layer: distance four rows.
        let partner = i ^ 4;
        svg.path("", [400.0, at + 12.0], [550.0, at + 12.0]);
        svg.path("", [440.0, at + 12.0], [500.0, y + row * partner as f64 + 12.0]);
    }
    svg.text("s", [470.0, 346.0], "first of three layers");
    svg.text(
        "",
        [390.0, 376.0],
        "y = x¹⁶. A butterfly takes two rows: one instruction each for 16 coefficients, no shuffle.",
    );
    svg.finish()
}

/// A piece times a power of `z`.
pub fn schoenhage() -> String {
    let mut svg = Svg::new(
        780,
        390,
        "Pieces of 32 coefficients in rooms of 64; a product by a power of z moves words and changes signs.",
    );
    svg.text(
        "l h",
        [40.0, 36.0],
        "1536 coefficients: 48 pieces of 32, of which an operand of degree 761 fills 24",
    );
    for i in 0..48 {
        let class = if i < 24 { "a" } else { "n" };
        svg.rect(class, [40.0 + 14.5 * f64::from(i), 50.0, 14.5, 26.0]);
    }
    let piece = "A piece in S = Z_q[z]/(z⁶⁴ + 1): the upper half has room for a product";
    svg.text("l h", [40.0, 120.0], piece);
    rotation(&mut svg, 135.0, 0, "1");
    svg.text("l h", [40.0, 205.0], "times z²⁴: words move by 24 places");
    rotation(&mut svg, 220.0, 24, "z²⁴");
    svg.text("l h", [40.0, 290.0], "times z⁴⁸: what passes the end comes in below, negated");
    rotation(&mut svg, 305.0, 48, "z⁴⁸");
    svg.text(
        "",
        [390.0, 368.0],
        "So z has order 128 without a root of unity in Z_q, and a twiddle costs no product.",
    );
    svg.finish()
}

/// 32 coefficients of 64, moved.
fn rotation(svg: &mut Svg, y: f64, by: usize, name: &str) {
    for i in 0..64usize {
        svg.rect("n", [80.0 + 10.5 * i as f64, y, 10.5, 26.0]);
    }
    for i in 0..32 {
        let place = i + by;
        let class = if place < 64 { "a" } else { "e" };
        svg.rect(class, [80.0 + 10.5 * (place % 64) as f64, y, 10.5, 26.0]);
        if place >= 64 {
            svg.text("s", [85.0 + 10.5 * (place % 64) as f64, y + 17.0], "−");
        }
    }
    svg.text("r", [70.0, y + 18.0], name);
}

/// Steps of interleaved multiplication: the sum begins later each time.
pub fn interleaved() -> String {
    let mut svg = Svg::new(
        780,
        410,
        "Interleaved multiplication: a step adds a product by a digit; the lowest digit moves to the top.",
    );
    let (x, digit) = (120.0, 46.0);
    svg.text("l h", [x, 36.0], "n = 8 digits of w words each; after step i the sum begins at digit i");
    for step in 0..4usize {
        let y = 56.0 + 66.0 * step as f64;
        svg.text("r", [x - 12.0, y + 22.0], &format!("+ a {}", lowered("b", step)));
        for i in 0..12usize {
            let inside = i >= step && i < step + 9;
            let class = if !inside {
                "n"
            } else if i == step {
                "e"
            } else if i == step + 8 {
                "c"
            } else {
                "a"
            };
            svg.rect(class, [x + digit * i as f64, y, digit, 34.0]);
        }
        let (from, to) = (x + digit * (step as f64 + 0.5), x + digit * (step as f64 + 8.5));
        svg.path("", [from, y + 34.0], [from, y + 46.0]).path("", [from, y + 46.0], [to, y + 46.0]);
        svg.arrow("", [to, y + 46.0], [to, y + 35.0]);
    }
    let y = 340.0;
    svg.rect("e", [x, y, 20.0, 20.0]).text(
        "l",
        [x + 28.0, y + 15.0],
        "the low digit q: it is q xⁿ, too, up to a sign",
    );
    svg.rect("c", [x, y + 28.0, 20.0, 20.0]).text(
        "l",
        [x + 28.0, y + 43.0],
        "where it is added or taken off",
    );
    svg.rect(FILLS[0], [x + 330.0, y, 20.0, 20.0]).text("l", [x + 358.0, y + 15.0], "the sum");
    svg.rect("n", [x + 330.0, y + 28.0, 20.0, 20.0]).text(
        "l",
        [x + 358.0, y + 43.0],
        "not read, or not read again",
    );
    svg.finish()
}
