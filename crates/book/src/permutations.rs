//! Pictures of transforms that are an order: Good and Thomas', Rader's.

use crate::svg::{FILLS, Svg};

/// Fifteen points as three by five.
pub fn good_thomas() -> String {
    let mut svg = Svg::new(
        760,
        330,
        "15 points as a torus of 3 by 5: index t stands in row t mod 3 and column t mod 5.",
    );
    let (x, y, cell) = (84.0, 70.0, 52.0);
    for t in 0..15usize {
        let (row, column) = (t % 3, t % 5);
        let class = if t < 8 { "a" } else { "n" };
        let place = [x + cell * column as f64, y + cell * row as f64, cell, cell];
        svg.labelled(class, place, &t.to_string());
    }
    for i in 0..5 {
        svg.text("s", [x + cell * (f64::from(i) + 0.5), y - 10.0], &i.to_string());
    }
    for i in 0..3 {
        svg.text("s", [x - 14.0, y + cell * (f64::from(i) + 0.5) + 5.0], &i.to_string());
    }
    svg.text("s", [x + 2.5 * cell, y - 30.0], "t mod 5").text("s", [x - 44.0, y - 10.0], "t mod 3");
    // From 0 to 1 to 2, and over the edge to 3.
    for t in 0..4usize {
        let at =
            |t: usize, d: f64| [x + cell * ((t % 5) as f64 + 0.5) + d, y + cell * ((t % 3) as f64 + 0.5) + d];
        if t != 2 {
            svg.arrow("red", at(t, 12.0), at(t + 1, -14.0));
        }
    }
    let lines = [
        "One step in t is one step down and one to the right,",
        "over both edges: a torus.",
        "w^(t k) is a product of a power of a root of order 3",
        "and one of a root of order 5: so 15 points are five",
        "transforms of 3 points and three of 5,",
        "and nothing is multiplied in between.",
        "Filled: the 8 points that operands of a product have.",
    ];
    for (i, text) in lines.iter().enumerate() {
        svg.text("l", [368.0, 80.0 + 25.0 * i as f64], text);
    }
    svg.text(
        "",
        [380.0, 290.0],
        "The fields of NTRU Prime 761 take 90 = 9 · 10 rows, and 10 = 2 · 5 once more.",
    );
    svg.finish()
}

/// Exponents of a transform of 7 points, before and after Rader's order.
pub fn rader() -> String {
    let mut svg = Svg::new(
        760,
        370,
        "Exponents i k modulo 7 as a table; in the order of powers of 3 equal ones stand on diagonals.",
    );
    let powers = [1usize, 3, 2, 6, 4, 5];
    let table = |svg: &mut Svg, x: f64, rows: [usize; 6], columns: [usize; 6]| {
        let (y, cell) = (76.0, 38.0);
        for (r, k) in rows.iter().enumerate() {
            svg.text("s", [x - 14.0, y + cell * (r as f64 + 0.5) + 5.0], &k.to_string());
            for (c, i) in columns.iter().enumerate() {
                let exponent = i * k % 7;
                let class = if exponent < 7 { FILLS.get(exponent).unwrap_or(&"n") } else { &"n" };
                svg.labelled(
                    class,
                    [x + cell * c as f64, y + cell * r as f64, cell, cell],
                    &exponent.to_string(),
                );
                if r == 0 {
                    svg.text("s", [x + cell * (c as f64 + 0.5), y - 8.0], &i.to_string());
                }
            }
        }
    };
    let natural = [1, 2, 3, 4, 5, 6];
    table(&mut svg, 70.0, natural, natural);
    svg.text("h", [184.0, 36.0], "i k mod 7").text(
        "h",
        [564.0, 36.0],
        "i by powers of 3, k by powers of 3⁻¹",
    );
    let inverse = [1usize, 5, 4, 6, 2, 3];
    table(&mut svg, 450.0, inverse, powers);
    svg.arrow("", [320.0, 190.0], [410.0, 190.0]);
    svg.text(
        "",
        [380.0, 336.0],
        "On the right, equal exponents stand on diagonals that come round: a cyclic convolution of 6 points.",
    );
    svg.text(
        "",
        [380.0, 358.0],
        "With 17 points it is one of 16, here across rows: the order is the order in which rows are read.",
    );
    svg.finish()
}
