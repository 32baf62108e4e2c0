//! Routes: which algorithm multiplies, as plain data with a stable text form.
//!
//! A route's text is its id in the command line and in the benchmarks: `rows`, `ntt:2`, `karatsuba:3`.
//! [`Route::serves`] says why an algorithm cannot serve a ring.

use core::fmt;
use core::str::FromStr;

/// Where the K-RED transforms reduce additionally.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Placement {
    /// Where the bounds of 32-bit products demand it, found by the compile-time analysis.
    Analysis,
    /// Where Longa and Naehrig put them (64-bit products; m = 128 forward, m = 32 inverse).
    Paper,
}

/// How interleaved Montgomery multiplication takes a digit's worth off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Montgomery {
    /// By a shift and a sum: the modulus polynomial is `x^n - 1` or `x^n + 1`.
    Proposed,
    /// By products with its inverse and with itself, and a last subtraction: any modulus polynomial.
    Original,
}

/// An algorithm inside another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Inner {
    /// The transform across rows.
    Rows,
    /// Good and Thomas' transforms of three rings.
    GoodThomas,
    /// The number-theoretic transform, down to residues of degree `base`.
    Ntt {
        /// The degree of the residues.
        base: usize,
    },
    /// Rader's transform of 17 points.
    Rader,
    /// Every product of coefficients.
    Schoolbook,
    /// Karatsuba, recursively.
    Karatsuba {
        /// How often the operands are halved.
        levels: u32,
    },
    /// Parts of parts.
    Cut(Layers),
}

/// An algorithm that cuts operands into parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Layer {
    /// Toom and Cook's.
    ToomCook {
        /// Into how many parts.
        parts: u8,
    },
    /// One iteration of Karatsuba.
    WeimerskirchPaar {
        /// Into how many parts.
        parts: u8,
    },
}

impl Layer {
    /// Toom and Cook's product in so many parts; `None` of more than any serves.
    pub(crate) const fn toom_cook(parts: usize) -> Option<Layer> {
        if parts > u8::MAX as usize { None } else { Some(Layer::ToomCook { parts: parts as u8 }) }
    }

    /// One iteration of Karatsuba, likewise.
    pub(crate) const fn weimerskirch_paar(parts: usize) -> Option<Layer> {
        if parts > u8::MAX as usize { None } else { Some(Layer::WeimerskirchPaar { parts: parts as u8 }) }
    }

    const fn route(self, inner: Inner) -> Route {
        match self {
            Layer::ToomCook { parts } => Route::ToomCook { parts: parts as usize, inner: Some(inner) },
            Layer::WeimerskirchPaar { parts } => Route::weimerskirch_paar(parts as usize, Some(inner)),
        }
    }
}

/// How many algorithms of this kind can be inside one another, inside another.
const DEPTH: usize = 2;

/// Algorithms that cut parts into parts, the outer first, and what is inside the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layers {
    layers: [Option<Layer>; DEPTH],
    /// Levels of Karatsuba; 0 where products of the last parts are by schoolbook.
    levels: u32,
}

impl Layers {
    /// The outer one, and what is inside it.
    pub(crate) const fn split(self) -> (Layer, Inner) {
        let [Some(first), second] = self.layers else { panic!("layers without a layer") };
        let inner = match (second, self.levels) {
            (Some(_), levels) => Inner::Cut(Layers { layers: [second, None], levels }),
            (None, 0) => Inner::Schoolbook,
            (None, levels) => Inner::Karatsuba { levels },
        };
        (first, inner)
    }

    /// One, and what is inside it; `None` of what is too deep, or not known.
    const fn of(first: Layer, inner: Option<Inner>) -> Option<Layers> {
        match inner {
            Some(Inner::Schoolbook) => Some(Layers { layers: [Some(first), None], levels: 0 }),
            Some(Inner::Karatsuba { levels }) => Some(Layers { layers: [Some(first), None], levels }),
            Some(Inner::Cut(Layers { layers: [second, None], levels })) => {
                Some(Layers { layers: [Some(first), second], levels })
            }
            _ => None,
        }
    }
}

impl Inner {
    const fn cut(first: Option<Layer>, inner: Option<Inner>) -> Option<Inner> {
        let Some(first) = first else { return None };
        match Layers::of(first, inner) {
            Some(layers) => Some(Inner::Cut(layers)),
            None => None,
        }
    }

    /// What stands inside another algorithm where this is the route by itself.
    pub(crate) const fn of(route: Route) -> Option<Inner> {
        match route {
            Route::Rows => Some(Inner::Rows),
            Route::GOOD_THOMAS => Some(Inner::GoodThomas),
            Route::Ntt { base } => Some(Inner::Ntt { base }),
            Route::Rader => Some(Inner::Rader),
            Route::Schoolbook => Some(Inner::Schoolbook),
            Route::Karatsuba { levels } => Some(Inner::Karatsuba { levels }),
            Route::ToomCook { parts, inner } => Inner::cut(Layer::toom_cook(parts), inner),
            Route::WeimerskirchPaar { parts, inner: None } => {
                Inner::cut(Layer::weimerskirch_paar(parts), Some(Inner::Schoolbook))
            }
            Route::WeimerskirchPaar { parts, inner } => Inner::cut(Layer::weimerskirch_paar(parts), inner),
            _ => None,
        }
    }
}

/// An algorithm with its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Route {
    /// The number-theoretic transform in 16-bit lanes down to residues of degree `base` (1: complete).
    Ntt {
        /// The degree of the residues: 1, 2, 4, 6 or 8.
        base: usize,
    },
    /// The same, residues being multiplied by one iteration of Karatsuba.
    NttKaratsuba {
        /// The degree of the residues: 4, 6 or 8.
        base: usize,
    },
    /// The transform across rows with base products by pairwise multiply-add.
    Rows,
    /// Products modulo auxiliary primes, made whole by the Chinese remainder theorem.
    Rns {
        /// How many primes there are; where they hold a product, it is had of fewer.
        primes: usize,
        /// How products modulo a prime are had.
        inner: Inner,
    },
    /// Rader's transform of 17 points, Bruun's splits, and Karatsuba.
    Rader,
    /// A transform over polynomials, whose roots of unity are powers of `x`.
    Schoenhage,
    /// The transform in 32-bit lanes with K-RED.
    KRed(Placement),
    /// Every product of coefficients.
    Schoolbook,
    /// Karatsuba, recursively, `levels` deep, schoolbook inside.
    Karatsuba {
        /// How often the operands are halved.
        levels: u32,
    },
    /// Toom and Cook's product.
    ToomCook {
        /// Into how many parts the operands are cut: 3 to 5.
        parts: usize,
        /// How products of parts are had; `None` where any way will do.
        inner: Option<Inner>,
    },
    /// One iteration of Karatsuba with `parts` parts (Weimerskirch and Paar).
    WeimerskirchPaar {
        /// Into how many parts the operands are cut.
        parts: usize,
        /// How products of parts are had; `None` where it is schoolbook.
        inner: Option<Inner>,
    },
    /// A Toeplitz matrix of one operand times the other.
    Toeplitz {
        /// Into how many parts these are cut.
        parts: Parts,
    },
    /// Interleaved Montgomery multiplication.
    Interleaved {
        /// How many coefficients of an operand a step takes: 1 to 64.
        word: usize,
        /// How they are reduced.
        form: Montgomery,
    },
    /// Signed additions where the second operand is ternary; every product of coefficients elsewhere.
    Signed,
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Route::Ntt { base: 1 } => f.pad("ntt"),
            Route::Ntt { base } => write!(Padded(f), "ntt:{base}"),
            Route::NttKaratsuba { base } => write!(Padded(f), "ntt-karatsuba:{base}"),
            Route::Rows => f.pad("rows"),
            Route::GOOD_THOMAS => f.pad("good-thomas"),
            Route::Rns { primes, inner } => write!(Padded(f), "rns:{primes}/{inner}"),
            Route::Rader => f.pad("rader"),
            Route::Schoenhage => f.pad("schoenhage"),
            Route::KRed(Placement::Analysis) => f.pad("k-red"),
            Route::KRed(Placement::Paper) => f.pad("k-red-paper"),
            Route::Schoolbook => f.pad("schoolbook"),
            Route::Signed => f.pad("signed"),
            Route::Karatsuba { levels } => write!(Padded(f), "karatsuba:{levels}"),
            Route::ToomCook { parts, inner: None } => write!(Padded(f), "toom-cook:{parts}"),
            Route::ToomCook { parts, inner: Some(inner) } => write!(Padded(f), "toom-cook:{parts}/{inner}"),
            Route::Toeplitz { parts } => write!(Padded(f), "toeplitz:{parts}"),
            Route::Interleaved { word, form: Montgomery::Proposed } => {
                write!(Padded(f), "interleaved:{word}")
            }
            Route::Interleaved { word, form: Montgomery::Original } => {
                write!(Padded(f), "interleaved-original:{word}")
            }
            Route::WeimerskirchPaar { parts, inner: None } => write!(Padded(f), "weimerskirch-paar:{parts}"),
            Route::WeimerskirchPaar { parts, inner: Some(inner) } => {
                write!(Padded(f), "weimerskirch-paar:{parts}/{inner}")
            }
        }
    }
}

impl fmt::Display for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let route = match *self {
            Inner::Rows => Route::Rows,
            Inner::GoodThomas => Route::GOOD_THOMAS,
            Inner::Ntt { base } => Route::Ntt { base },
            Inner::Rader => Route::Rader,
            Inner::Schoolbook => Route::Schoolbook,
            Inner::Karatsuba { levels } => Route::Karatsuba { levels },
            Inner::Cut(layers) => {
                let (layer, inner) = layers.split();
                layer.route(inner)
            }
        };
        route.fmt(f)
    }
}

/// How often something is cut at most.
const CUTS: usize = 6;
/// What marks parts that are multiplied in pairs.
const PAIRS: u8 = 0x80;

/// Into how many parts something is cut, and how many these are cut into, and so on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    counts: [u8; CUTS],
    depth: u8,
}

impl Parts {
    /// Not cut.
    pub const NONE: Parts = Parts { counts: [0; CUTS], depth: 0 };

    /// These, each a part of `count`, in pairs or at points.
    pub(crate) const fn inside(self, count: usize, in_pairs: bool) -> Parts {
        let count = count as u8 | if in_pairs { PAIRS } else { 0 };
        let (mut out, mut i) = (Parts { counts: [count; CUTS], depth: self.depth + 1 }, 0);
        while i < self.depth() {
            out.counts[i + 1] = self.counts[i];
            i += 1;
        }
        // What is not there is zero, so that equal parts are equal.
        while i + 1 < CUTS {
            out.counts[i + 1] = 0;
            i += 1;
        }
        out
    }

    /// How often something is cut.
    pub const fn depth(self) -> usize {
        self.depth as usize
    }

    /// Into how many parts the `i`-th time.
    pub const fn count(self, i: usize) -> usize {
        (self.counts[i] & !PAIRS) as usize
    }

    /// Whether their products are those of pairs, as Karatsuba's in one iteration are, and not at points.
    pub const fn in_pairs(self, i: usize) -> bool {
        self.counts[i] & PAIRS != 0
    }

    fn read(text: &str) -> Option<Parts> {
        let mut parts = Parts::NONE;
        for count in text.split('/').rev() {
            let (digits, in_pairs) = count.strip_suffix('k').map_or((count, false), |digits| (digits, true));
            let valid = |count: &u8| (2..PAIRS).contains(count) && parts.depth() < CUTS;
            let count = digits.parse::<u8>().ok().filter(valid)?;
            parts = parts.inside(count.into(), in_pairs);
        }
        Some(parts)
    }
}

impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for i in 0..self.depth() {
            let (slash, pairs) = (if i == 0 { "" } else { "/" }, if self.in_pairs(i) { "k" } else { "" });
            write!(f, "{slash}{}{pairs}", self.count(i))?;
        }
        Ok(())
    }
}

/// Collects a short text and pads it as the formatter asks.
struct Padded<'a, 'b>(&'a mut fmt::Formatter<'b>);
impl Padded<'_, '_> {
    fn write_fmt(&mut self, args: fmt::Arguments<'_>) -> fmt::Result {
        struct Buffer([u8; 80], usize);
        impl fmt::Write for Buffer {
            fn write_str(&mut self, s: &str) -> fmt::Result {
                let space = self.0.get_mut(self.1..self.1 + s.len()).ok_or(fmt::Error)?;
                space.copy_from_slice(s.as_bytes());
                self.1 += s.len();
                Ok(())
            }
        }
        let mut buffer = Buffer([0; 80], 0);
        fmt::write(&mut buffer, args)?;
        self.0.pad(core::str::from_utf8(&buffer.0[..buffer.1]).map_err(|_| fmt::Error)?)
    }
}

/// A text that names no route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownRoute;

impl fmt::Display for UnknownRoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no such route; there are: ntt, ntt:BASE, ntt-karatsuba:BASE, rows, rns:PRIMES/INNER, \
             good-thomas, rader, schoenhage, k-red, k-red-paper, schoolbook, karatsuba:LEVELS, \
             toom-cook:PARTS/INNER, weimerskirch-paar:PARTS, weimerskirch-paar:PARTS/INNER, \
             toeplitz:PARTS/PARTS, signed, interleaved:WORD, interleaved-original:WORD"
        )
    }
}

impl core::error::Error for UnknownRoute {}

impl FromStr for Route {
    type Err = UnknownRoute;
    fn from_str(text: &str) -> Result<Self, UnknownRoute> {
        if let Some(parts) = text.strip_prefix("toeplitz:") {
            return Ok(Route::Toeplitz { parts: Parts::read(parts).ok_or(UnknownRoute)? });
        }
        let (name, inner) = match text.split_once('/') {
            Some((name, inner)) => (name, Some(Inner::of(inner.parse()?).ok_or(UnknownRoute)?)),
            None => (text, None),
        };
        let (name, parameter) = match name.split_once(':') {
            Some((name, digits)) => (name, Some(digits.parse::<u32>().map_err(|_| UnknownRoute)?)),
            None => (name, None),
        };
        match (name, parameter, inner) {
            ("rns", Some(primes), Some(inner)) => return Ok(Route::Rns { primes: primes as usize, inner }),
            ("toom-cook", Some(parts), _) => return Ok(Route::ToomCook { parts: parts as usize, inner }),
            ("weimerskirch-paar", Some(parts), _) => {
                return Ok(Route::weimerskirch_paar(parts as usize, inner));
            }
            (_, _, Some(_)) => return Err(UnknownRoute),
            _ => (),
        }
        match (name, parameter) {
            ("ntt", None) => Ok(Route::Ntt { base: 1 }),
            ("ntt", Some(base)) => Ok(Route::Ntt { base: base as usize }),
            ("ntt-karatsuba", Some(base)) => Ok(Route::NttKaratsuba { base: base as usize }),
            ("rows", None) => Ok(Route::Rows),
            ("good-thomas", None) => Ok(Route::GOOD_THOMAS),
            ("rader", None) => Ok(Route::Rader),
            ("schoenhage", None) => Ok(Route::Schoenhage),
            ("k-red", None) => Ok(Route::KRed(Placement::Analysis)),
            ("k-red-paper", None) => Ok(Route::KRed(Placement::Paper)),
            ("schoolbook", None) => Ok(Route::Schoolbook),
            ("signed", None) => Ok(Route::Signed),
            ("karatsuba", Some(levels)) => Ok(Route::Karatsuba { levels }),
            ("interleaved", Some(word)) => {
                Ok(Route::Interleaved { word: word as usize, form: Montgomery::Proposed })
            }
            ("interleaved-original", Some(word)) => {
                Ok(Route::Interleaved { word: word as usize, form: Montgomery::Original })
            }
            _ => Err(UnknownRoute),
        }
    }
}

impl Route {
    /// Good and Thomas' product over three primes: `good-thomas`, as it was called when it was the only one.
    pub const GOOD_THOMAS: Route = Route::Rns { primes: 3, inner: Inner::GoodThomas };
    /// One iteration of Karatsuba with so many parts, whose products are had by `inner`.
    pub const fn weimerskirch_paar(parts: usize, inner: Option<Inner>) -> Route {
        match inner {
            Some(Inner::Schoolbook) => Route::WeimerskirchPaar { parts, inner: None },
            inner => Route::WeimerskirchPaar { parts, inner },
        }
    }

    /// The transform across rows over three primes.
    pub const ROWS_BY_PRIMES: Route = Route::Rns { primes: 3, inner: Inner::Rows };
}
