//! Polynomials modulo 3: the factors of `x^n - x - 1`, found, or read and proved.
//!
//! # The map
//! Two planes of bits, as in [`ternary`](super::ternary). `x^(3^d) - x` is the product of all irreducible
//! polynomials whose degrees divide `d`; so its greatest common divisor with what is left of `x^n - x - 1`,
//! once the factors of smaller degrees are gone, is the product of those of degree `d`. A cube is the
//! polynomial with its coefficients three places apart.
//!
//! Source: factorisation by distinct degrees (D. Cantor, H. Zassenhaus, 1981).

/// A word of a plane: as long as there is, because the compiler takes a long word no longer than a short one.
type Word = u128;
/// Bits of a word.
const BITS: usize = Word::BITS as usize;
/// Words of a plane: enough for the largest modulus polynomial.
const WORDS: usize = 10;

/// A plane.
type Bits = [Word; WORDS];

/// A polynomial modulo 3: which coefficients are not 0, and which are -1.
#[derive(Clone, Copy)]
pub struct Polynomial([Bits; 2]);

/// `a + b` on planes.
const fn sum(a: [Word; 2], b: [Word; 2]) -> [Word; 2] {
    let (x, y) = (a[0] ^ b[1], a[1] ^ b[0]);
    [(x ^ a[1]) | (y ^ b[1]), x & y]
}

/// Word `k` of bits that are moved up by `i`.
const fn moved_up(bits: &[Word], i: usize, k: usize) -> Word {
    let (words, shift) = (i / BITS, i % BITS);
    let low = if k >= words && k - words < bits.len() { bits[k - words] << shift } else { 0 };
    let high = if shift > 0 && k > words { bits[k - words - 1] >> (BITS - shift) } else { 0 };
    low | high
}

/// Word `k` of bits that are moved down by `i`.
const fn moved_down(bits: &[Word], i: usize, k: usize) -> Word {
    let (at, shift) = (k + i / BITS, i % BITS);
    let low = if at < bits.len() { bits[at] >> shift } else { 0 };
    let high = if shift > 0 && at + 1 < bits.len() { bits[at + 1] << (BITS - shift) } else { 0 };
    low | high
}

/// What a cube has.
type Wide = [[Word; 3 * WORDS]; 2];

/// The bits of a byte three places apart.
const SPREAD: [Word; 256] = {
    let (mut spread, mut i) = ([0; 256], 0);
    while i < 8 * 256 {
        spread[i / 8] |= ((i as Word / 8) >> (i % 8) & 1) << (3 * (i % 8));
        i += 1;
    }
    spread
};

/// `x^n = x + 1` once, for all powers from `n` on, in so many words.
const fn folded(a: &Wide, n: usize, words: usize) -> Wide {
    let (mut high, mut out, mut k) = ([[0; 3 * WORDS]; 2], *a, 0);
    while k < words {
        let below = ((k == n / BITS) as Word) << (n % BITS);
        let keep = if k < n / BITS { Word::MAX } else { below.saturating_sub(1) };
        let mut p = 0;
        while p < 2 {
            high[p][k] = moved_down(&a[p], n, k);
            out[p][k] &= keep;
            p += 1;
        }
        let rotated = [moved_up(&high[0], 1, k), moved_up(&high[1], 1, k)];
        [out[0][k], out[1][k]] = sum([out[0][k], out[1][k]], sum([high[0][k], high[1][k]], rotated));
        k += 1;
    }
    out
}

impl Polynomial {
    const ZERO: Polynomial = Polynomial([[0; WORDS]; 2]);

    /// `x^i`.
    pub const fn power(i: usize) -> Polynomial {
        Polynomial::ZERO.with(i, 1)
    }

    /// `x^n - x - 1`.
    pub const fn modulus(n: usize) -> Polynomial {
        Polynomial::power(n).with(1, -1).with(0, -1)
    }

    /// With coefficient `i`, which was 0.
    const fn with(mut self, i: usize, x: i16) -> Polynomial {
        self.0[0][i / BITS] |= ((x & 1) as Word) << (i % BITS);
        self.0[1][i / BITS] |= ((x < 0) as Word) << (i % BITS);
        self
    }

    /// Coefficient `i`.
    pub const fn get(&self, i: usize) -> i16 {
        let [one, minus] = self.0;
        ((one[i / BITS] >> (i % BITS)) & 1) as i16 - 2 * ((minus[i / BITS] >> (i % BITS)) & 1) as i16
    }

    /// The degree; 0 has none.
    pub const fn degree(&self) -> Option<usize> {
        self.degree_in(WORDS)
    }

    /// The degree of what has no coefficients behind so many words.
    const fn degree_in(&self, words: usize) -> Option<usize> {
        let mut k = words;
        while k > 0 {
            k -= 1;
            if self.0[0][k] != 0 {
                return Some(BITS * k + self.0[0][k].ilog2() as usize);
            }
        }
        None
    }

    /// The planes of a polynomial that a word holds: which coefficients are not 0, and which are -1.
    pub const fn planes(&self) -> [u128; 2] {
        assert!(matches!(self.degree(), Some(d) if d < BITS), "a degree above that");
        [self.0[0][0], self.0[1][0]]
    }

    /// `a - c x^i b`, where `c` is 1 or -1; the product has coefficients up to `end`.
    pub const fn sub(mut self, c: i16, i: usize, b: &Polynomial, end: usize) -> Polynomial {
        let (mut from, mut k, shift) = (0, i / BITS, i % BITS);
        // What a word of b leaves to the next one. No functions are called: this is what takes the compiler
        // its time.
        let mut left = [0; 2];
        while k <= end / BITS {
            let (one, minus) = (b.0[0][from], b.0[1][from]);
            let (y, mut z) = ((one << shift) | left[0], (minus << shift) | left[1]);
            left = if shift > 0 { [one >> (BITS - shift), minus >> (BITS - shift)] } else { left };
            if c > 0 {
                z ^= y;
            }
            let (u, v) = (self.0[0][k], self.0[1][k]);
            let (p, q) = (u ^ z, v ^ y);
            (self.0[0][k], self.0[1][k]) = ((p ^ v) | (q ^ z), p & q);
            from += 1;
            k += 1;
        }
        self
    }

    /// The quotient and the remainder by `b`, which is not 0.
    pub const fn divided(mut self, b: &Polynomial) -> [Polynomial; 2] {
        let Some(end) = b.degree() else { panic!("a division by 0") };
        let (mut quotient, mut words) = (Polynomial::ZERO, WORDS);
        while let Some(degree) = self.degree_in(words)
            && degree >= end
        {
            // A unit is its own inverse.
            let c = self.get(degree) * b.get(end);
            quotient = quotient.with(degree - end, c);
            self = self.sub(c, degree - end, b, degree);
            words = degree / BITS + 1;
        }
        [quotient, self]
    }

    /// The greatest common divisor, up to a unit.
    pub const fn common_divisor(mut self, mut b: Polynomial) -> Polynomial {
        while b.degree().is_some() {
            (self, b) = (b, self.divided(&b)[1]);
        }
        self
    }

    /// `a^3` modulo `x^n - x - 1`.
    pub const fn cubed(&self, n: usize) -> Polynomial {
        const BYTES: usize = BITS / 8;
        let (words, mut wide, mut k) = (n.div_ceil(BITS), [[0; 3 * WORDS]; 2], 0);
        while k < BYTES * words {
            let (word, place, mut p) = (24 * k / BITS, 24 * k % BITS, 0);
            while p < 2 {
                let spread = SPREAD[(self.0[p][k / BYTES] >> (8 * (k % BYTES))) as u8 as usize];
                wide[p][word] |= spread << place;
                if place > BITS - 24 {
                    wide[p][word + 1] |= spread >> (BITS - place);
                }
                p += 1;
            }
            k += 1;
        }
        // Degrees up to 3 n - 3, then 2 n - 2, then n - 1.
        let wide = folded(&folded(&wide, n, 3 * words), n, 2 * words);
        let (mut out, mut k) = (Polynomial::ZERO, 0);
        while k < words {
            [out.0[0][k], out.0[1][k]] = [wide[0][k], wide[1][k]];
            k += 1;
        }
        out
    }

    /// The polynomial of these digits, as [`digits`](Self::digits) says.
    const fn of_digits(digits: &str) -> Polynomial {
        let (digits, mut out, mut i) = (digits.as_bytes(), Polynomial::ZERO, 0);
        assert!(2 * digits.len() <= BITS * WORDS, "too many digits");
        while i < 2 * digits.len() {
            let digit = digits[i / 2];
            assert!(b'0' <= digit && digit < b'9', "no digit");
            let trit = if i.is_multiple_of(2) { (digit - b'0') % 3 } else { (digit - b'0') / 3 };
            out = out.with(i, if trit == 2 { -1 } else { trit as i16 });
            i += 1;
        }
        out
    }

    /// Its coefficients: two in a digit, `t + 3 u` of the lesser power and the greater one, where 2 is -1;
    /// the constant term is in the first.
    pub fn digits(&self) -> impl Iterator<Item = char> + '_ {
        let trit = |i: usize| self.get(i).rem_euclid(3) as u8;
        let count = self.degree().map_or(0, |degree| degree / 2 + 1);
        (0..count).map(move |k| char::from(b'0' + trit(2 * k) + 3 * trit(2 * k + 1)))
    }

    /// The factors of `x^n - x - 1` of these degrees, all but the last from their digits. Evaluating this
    /// proves that their product is `x^n - x - 1`.
    pub const fn read<const K: usize>(n: usize, degrees: &[usize; K], digits: &[&str]) -> [Polynomial; K] {
        assert!(n < BITS * WORDS && digits.len() == K - 1);
        let (mut factors, mut rest, mut k) = ([Polynomial::ZERO; K], Polynomial::modulus(n), 0);
        while k + 1 < K {
            factors[k] = Polynomial::of_digits(digits[k]);
            let [quotient, remainder] = rest.divided(&factors[k]);
            assert!(remainder.degree().is_none(), "no factor");
            rest = quotient;
            k += 1;
        }
        factors[k] = rest;
        check_degrees(&factors, degrees);
        factors
    }

    /// The factors of `x^n - x - 1`, up to units: one of each of these degrees, which ascend. Long work for
    /// the compiler.
    pub const fn factors<const K: usize>(n: usize, degrees: &[usize; K]) -> [Polynomial; K] {
        assert!(n < BITS * WORDS);
        let (mut factors, mut rest) = ([Polynomial::ZERO; K], Polynomial::modulus(n));
        let (mut frobenius, mut d, mut k) = (Polynomial::power(1), 0, 0);
        while k + 1 < K {
            while d < degrees[k] {
                frobenius = frobenius.cubed(n);
                d += 1;
            }
            let factor = rest.common_divisor(frobenius.sub(1, 1, &Polynomial::power(0), 1));
            factors[k] = factor;
            let [quotient, remainder] = rest.divided(&factor);
            assert!(remainder.degree().is_none());
            rest = quotient;
            k += 1;
        }
        factors[k] = rest;
        check_degrees(&factors, degrees);
        factors
    }
}

const fn check_degrees<const K: usize>(factors: &[Polynomial; K], degrees: &[usize; K]) {
    let mut k = 0;
    while k < K {
        assert!(matches!(factors[k].degree(), Some(d) if d == degrees[k]), "other degrees");
        k += 1;
    }
}
