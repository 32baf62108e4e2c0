//! Pictures of the lengths of transforms that products of any ring have, as its planner lists them.

use crate::svg::{FILLS, Svg};
use ringsmith_word::Shape;

/// The degree of the ring whose lengths are drawn.
const DEGREE: usize = 761;
/// How many coefficients a product of two of its elements has.
const NEEDS: usize = 2 * DEGREE - 1;
/// The parts of a turn that constants `r` of `x^m - r` are.
const TURN: usize = 8;

/// A node `x^m - r` of the tree: `m`, and `r` in parts of a turn.
type Node = (usize, usize);

/// A piece of a length.
fn node((shape, degree): (Shape, usize)) -> Node {
    (degree, TURN * shape.exponent() / shape.order())
}

/// The lengths around a product, from the shortest on, as nodes.
fn all() -> Vec<Vec<Node>> {
    ringsmith_any::lengths(NEEDS).map(|pieces| pieces.map(node).collect()).collect()
}

/// `N`: the degree of the first piece of the shortest length.
fn unit(lengths: &[Vec<Node>]) -> usize {
    lengths[0][0].0
}

/// A node as text, with `N` in it.
fn label(unit: usize, (degree, turn): Node) -> String {
    let exponent = match unit.checked_div(degree) {
        Some(1) => "N".to_owned(),
        Some(part @ 2..) => format!("N/{part}"),
        _ => format!("{}N", degree / unit),
    };
    let sign = if turn < TURN / 2 { '−' } else { '+' };
    format!("x^{{{exponent}}} {sign} {}", ["1", "w", "i", "w^{3}"][turn % (TURN / 2)])
}

/// The fill of a piece, by its degree.
fn fill(unit: usize, degree: usize) -> &'static str {
    FILLS[(unit / degree).checked_ilog2().unwrap_or(0) as usize]
}

/// The two factors of a node.
fn children((degree, turn): Node) -> [Node; 2] {
    [(degree / 2, turn / 2), (degree / 2, turn / 2 + TURN / 2)]
}

/// The tree, down to the smallest pieces.
struct Tree {
    unit: usize,
    pieces: Vec<Node>,
    svg: Svg,
    /// How many leaves were drawn.
    leaves: u32,
}

/// The size of a node's box, and how far one is from the next in a row and from that below.
const BOX: [f64; 2] = [112.0, 34.0];
const STEP: [f64; 2] = [126.0, 76.0];

impl Tree {
    /// Draws a node of a level and all below it. The place of its middle.
    fn draw(&mut self, node: Node, level: u32) -> f64 {
        let y = 20.0 + STEP[1] * f64::from(level);
        let children = children(node);
        let splits = node.0 >= self.unit || children.iter().any(|child| self.pieces.contains(child));
        let x = if splits {
            let below = children.map(|child| self.draw(child, level + 1));
            let x = f64::midpoint(below[0], below[1]);
            for child in below {
                self.svg.path("", [x, y + BOX[1]], [child, y + STEP[1]]);
            }
            x
        } else {
            self.leaves += 1;
            STEP[0] * (f64::from(self.leaves) - 0.5) + 12.0
        };
        let class = if self.pieces.contains(&node) { fill(self.unit, node.0) } else { "n" };
        self.svg.labelled(class, [x - BOX[0] / 2.0, y, BOX[0], BOX[1]], &label(self.unit, node));
        x
    }
}

/// The tree of `x^m - r`, with the pieces of lengths in colour.
pub fn tree() -> String {
    let lengths = all();
    let about =
        "The tree of the binomials that transforms walk; those that lengths are made of are coloured.";
    let (unit, svg) = (unit(&lengths), Svg::new(780, 340, about));
    let mut tree = Tree { unit, pieces: lengths.concat(), svg, leaves: 0 };
    tree.draw((2 * unit, 0), 0);
    tree.svg.text("", [390.0, 322.0], "i² = −1, w² = i. Lengths are made of the coloured ones.");
    tree.svg.finish()
}

/// The lengths, as bars of their pieces, and a product that needs one of them.
pub fn lengths() -> String {
    let (lengths, row) = (all(), 44.0);
    let about =
        "Each length as a bar of its pieces, and how many coefficients a product needs at degree 761.";
    let (unit, mut svg) = (unit(&lengths), Svg::new(780, 300, about));
    let (left, width) = (110.0, |degree: usize| 280.0 * degree as f64 / unit as f64);
    for (pieces, y) in lengths.iter().zip((0..).map(|i| 20.0 + row * f64::from(i))) {
        let length: usize = pieces.iter().map(|(degree, _)| degree).sum();
        svg.text("r", [left - 14.0, y + 22.0], &format!("{} N", length as f64 / unit as f64));
        pieces.iter().fold(left, |x, piece| {
            let (text, wide) = (label(unit, *piece), width(piece.0));
            svg.rect(fill(unit, piece.0), [x, y, wide, 34.0]);
            svg.text(if wide < BOX[0] { "s" } else { "" }, [x + wide / 2.0, y + 22.0], &text);
            x + wide
        });
    }
    let (needs, end) = (left + width(NEEDS), 28.0 + row * lengths.len() as f64);
    svg.path("d red", [needs, 8.0], [needs, end]);
    let text = format!("In a ring of degree {DEGREE} a product has {NEEDS} coefficients; here N = {unit}.");
    svg.text("", [390.0, end + 24.0], &text);
    svg.finish()
}
