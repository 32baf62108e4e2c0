//! A picture as text: boxes, lines, words, and the style that all pictures have.

use std::fmt::Write;

/// Colours of fills, by name. Text is grey, so that it reads on light and on dark pages.
const STYLE: &str = "text{font:14px sans-serif;fill:#808080;text-anchor:middle}\
    @media (prefers-color-scheme:light){text{fill:#333}}\
    @media (prefers-color-scheme:dark){text{fill:#ccc}}\
    .l{text-anchor:start}.r{text-anchor:end}.s{font-size:12px}.h{font-weight:bold}\
    path{fill:none;stroke:#888;stroke-width:1.5}.d{stroke-dasharray:5 4}\
    .red{stroke:#d62728}rect{fill:#8882;stroke:#888}\
    .a{fill:#1f77b455}.b{fill:#ff7f0e55}.c{fill:#2ca02c55}.e{fill:#d6272855}.f{fill:#9467bd55}\
    .g{fill:#8c564b55}.i{fill:#17becf55}.n{fill:none}";

/// Classes of fills that tell things apart, in the order in which pictures take them.
pub const FILLS: [&str; 7] = ["a", "b", "c", "e", "f", "g", "i"];

/// The colours of figures, readable on light and on dark pages and told apart in all kinds of colour vision:
/// `o` ours and `t` another's, filled; `O` and `T` in outline; `k0` to `k3` for kinds of operations.
pub const FIGURES: &str = ".o,.O{fill:#3d8fd1;stroke:#3d8fd1}.t,.T{fill:#e08a1e;stroke:#e08a1e}\
    .O,.T{fill-opacity:0;stroke-width:1.5}.k0{fill:#3d8fd1;stroke:none}.k1{fill:#e08a1e;stroke:none}\
    .k2{fill:#2e9e6b;stroke:none}.k3{fill:#a56cc1;stroke:none}\
    .grid{stroke:#8884;stroke-width:1}.one{stroke:#888;stroke-width:2}.join{stroke:#8888;stroke-width:1.5}\
    .x{font-size:11px}.p{fill:#8887}";

/// A picture of a width and a height in pixels.
pub struct Svg {
    text: String,
    style: &'static str,
    width: i32,
    height: i32,
}

impl Svg {
    /// An empty picture. `about` is read to those who cannot see it.
    pub fn new(width: i32, height: i32, about: &str) -> Svg {
        let text = format!("<title>{}</title>\n", escaped(about));
        Svg { text, style: "", width, height }
    }

    /// An empty picture of figures, which has the colours [`FIGURES`].
    pub fn of_figures(width: i32, height: i32, about: &str) -> Svg {
        Svg { style: FIGURES, ..Svg::new(width, height, about) }
    }

    /// A box with a class of the style; `n` is a frame.
    pub fn rect(&mut self, class: &str, [x, y, w, h]: [f64; 4]) -> &mut Svg {
        let line =
            format!("<rect class='{class}' x='{x:.1}' y='{y:.1}' width='{w:.1}' height='{h:.1}' rx='3'/>");
        self.line(&line)
    }

    /// Text at a place, centred unless a class says otherwise. What stands in `^{..}` is raised.
    pub fn text(&mut self, class: &str, [x, y]: [f64; 2], text: &str) -> &mut Svg {
        let text = with_exponents(&escaped(text));
        self.line(&format!("<text class='{class}' x='{x:.1}' y='{y:.1}'>{text}</text>"))
    }

    /// A box with a line of text in its middle.
    pub fn labelled(&mut self, class: &str, [x, y, w, h]: [f64; 4], text: &str) -> &mut Svg {
        self.rect(class, [x, y, w, h]).text("", [x + w / 2.0, y + h / 2.0 + 5.0], text)
    }

    /// A mark of a value: 0 a disc, 1 a square, 2 a triangle, 3 a diamond.
    pub fn mark(&mut self, class: &str, shape: usize, [x, y]: [f64; 2]) -> &mut Svg {
        let points: &[[f64; 2]] = match shape {
            1 => &[[-4.0, -4.0], [4.0, -4.0], [4.0, 4.0], [-4.0, 4.0]],
            2 => &[[0.0, -5.5], [5.2, 4.0], [-5.2, 4.0]],
            3 => &[[0.0, -5.5], [5.5, 0.0], [0.0, 5.5], [-5.5, 0.0]],
            _ => return self.line(&format!("<circle class='{class}' cx='{x:.1}' cy='{y:.1}' r='4.2'/>")),
        };
        let points: Vec<_> = points.iter().map(|[u, v]| format!("{:.1},{:.1}", x + u, y + v)).collect();
        self.line(&format!("<polygon class='{class}' points='{}'/>", points.join(" ")))
    }

    /// A small disc that others may cover.
    pub fn dot(&mut self, class: &str, [x, y]: [f64; 2]) -> &mut Svg {
        self.line(&format!("<circle class='{class}' fill-opacity='0.6' cx='{x:.1}' cy='{y:.1}' r='3'/>"))
    }

    /// A straight line.
    pub fn path(&mut self, class: &str, from: [f64; 2], to: [f64; 2]) -> &mut Svg {
        let [[x, y], [u, v]] = [from, to];
        self.line(&format!("<path class='{class}' d='M{x:.1} {y:.1}L{u:.1} {v:.1}'/>"))
    }

    /// A line with a head at its end.
    pub fn arrow(&mut self, class: &str, from: [f64; 2], to: [f64; 2]) -> &mut Svg {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let length = dx.hypot(dy);
        let (x, y) = (8.0 * dx / length, 8.0 * dy / length);
        self.path(class, from, to);
        self.path(class, [to[0] - x - y / 2.0, to[1] - y + x / 2.0], to);
        self.path(class, [to[0] - x + y / 2.0, to[1] - y - x / 2.0], to)
    }

    fn line(&mut self, line: &str) -> &mut Svg {
        let _ = writeln!(self.text, "{line}");
        self
    }

    /// The file.
    pub fn finish(&self) -> String {
        let (w, h) = (self.width, self.height);
        let frame = format!("viewBox='0 0 {w} {h}' width='{w}' height='{h}'");
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' {frame}>\n<style>{STYLE}{}</style>\n{}</svg>\n",
            self.style, self.text
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Text in which `^{..}` is raised, and what follows is not.
fn with_exponents(text: &str) -> String {
    let (start, rest) = text.split_once("^{").unwrap_or((text, ""));
    rest.split("^{").fold(start.to_owned(), |text, part| match part.split_once('}') {
        Some((exponent, after)) => {
            // The way back down takes a character, which has no width: a space would be left out there.
            format!("{text}<tspan class='s' dy='-5'>{exponent}</tspan><tspan dy='5'>&#8203;</tspan>{after}")
        }
        None => text + part,
    })
}

/// A number as an exponent: `x^12` with raised digits.
pub fn raised(base: &str, exponent: i64) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = exponent.abs().to_string();
    let digits = digits.bytes().map(|digit| DIGITS[usize::from(digit - b'0')]);
    base.chars().chain((exponent < 0).then_some('⁻')).chain(digits).collect()
}

/// The same with lowered digits.
pub fn lowered(base: &str, index: usize) -> String {
    const DIGITS: [char; 10] = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];
    base.chars().chain(index.to_string().bytes().map(|digit| DIGITS[usize::from(digit - b'0')])).collect()
}
