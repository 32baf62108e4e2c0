use super::*;
use ringsmith_oracle::Random;

/// Small sets of both kinds, which fail once in some hundred or thousand times.
fn small() -> [Parameters; 3] {
    let ternary = Parameters {
        name: "ternary",
        q: 100,
        n: 61,
        weights: Weights::Of(7),
        g: [21, 41],
        fewest: 15,
        greatest: 1,
        folds: 1,
    };
    let product = Parameters { q: 176, weights: Weights::Product([3, 3, 2]), ..ternary.clone() };
    let lifted = Parameters { name: "lifted", g: [20, 40], greatest: 2, ..product.clone() };
    [ternary, Parameters { name: "product", ..product }, lifted]
}

/// A polynomial with so many coefficients that are 1, and so many that are -1, at random places.
fn drawn(random: &mut Random, n: usize, [ones, all]: [usize; 2]) -> Vec<i64> {
    let mut a: Vec<i64> = (0..n).map(|i| i64::from(i < all) * if i < ones { 1 } else { -1 }).collect();
    for i in 0..n {
        a.swap(i, random.within(i as i64, n as i64 - 1) as usize);
    }
    a
}

fn product(a: &[i64], b: &[i64]) -> Vec<i64> {
    let n = a.len();
    let mut c = vec![0; n];
    for (i, x) in a.iter().enumerate().filter(|(_, x)| **x != 0) {
        (0..n).for_each(|j| c[(i + j) % n] += x * b[j]);
    }
    c
}

impl Parameters {
    /// A new `F`.
    fn draw(&self, random: &mut Random) -> Vec<i64> {
        let mut one = |weight| drawn(random, self.n, [weight, 2 * weight]);
        match self.weights {
            Weights::Of(weight) => one(weight),
            Weights::Product(weights) => {
                let [a, b, c] = weights.map(&mut one);
                product(&a, &b).iter().zip(&c).map(|(x, y)| x + y).collect()
            }
        }
    }

    /// A masked message.
    fn masked(&self, random: &mut Random) -> Vec<i64> {
        loop {
            let m: Vec<i64> = (0..self.n).map(|_| random.within(self.greatest - 2, self.greatest)).collect();
            let count = |value| m.iter().filter(|x| **x == value).count();
            if (self.greatest - 2..=self.greatest).all(|value| count(value) >= self.fewest) {
                return m;
            }
        }
    }

    /// The coefficients of `g r + F m'` of a message to a new key, and `m'`.
    fn sums(&self, random: &mut Random) -> (Vec<i64>, Vec<i64>) {
        let [f, r] = [(); 2].map(|()| self.draw(random));
        let (g, m) = (drawn(random, self.n, self.g), self.masked(random));
        (product(&r, &g).iter().zip(product(&f, &m)).map(|(x, y)| x + y).collect(), m)
    }

    /// Whether an encryption to a new key is decrypted to another message.
    fn fails(&self, random: &mut Random) -> bool {
        let ((sums, m), half) = (self.sums(random), self.q / 2);
        sums.iter().zip(&m).map(|(sum, m)| 3 * sum + m + half).any(|a| a.rem_euclid(self.q) != a)
    }
}

/// Protects: the bound, on the side where it must be, and no more than a few hundred times what happens.
#[test]
#[cfg_attr(
    any(miri, not(target_arch = "x86_64")),
    ignore = "minutes where it is emulated; numbers alone, the same everywhere"
)]
fn failures_of_small_sets() {
    const COUNT: usize = 20_000;
    for small in small() {
        let mut random = Random::new(1);
        let failures = (0..COUNT).filter(|_| small.fails(&mut random)).count();
        let (happens, bound) = (failures as f64 / COUNT as f64, small.failure().expect("it fails").exp2());
        assert!(failures > 5 && bound < 1.0, "{}: {failures} {bound}", small.name);
        assert!(happens < bound && bound < 300.0 * happens, "{}: {happens} {bound}", small.name);
    }
}

/// Protects: the moments of a sum, against sums that are drawn, and what is lost because weights are given,
/// against signs and messages that are.
#[test]
#[cfg_attr(
    any(miri, not(target_arch = "x86_64")),
    ignore = "minutes where it is emulated; numbers alone, the same everywhere"
)]
fn moments_of_small_sets() {
    const COUNT: usize = 20_000;
    for small in small() {
        let (t, mut random) = (0.15, Random::new(4));
        let moment =
            |random: &mut Random| small.sums(random).0.iter().map(|x| (t * *x as f64).exp()).sum::<f64>();
        let drawn = (0..COUNT).map(|_| moment(&mut random)).sum::<f64>() / (COUNT * small.n) as f64;
        let ratio = small.log_moment(&small.coefficients(), t).exp() / drawn;
        assert!((0.97..1.1).contains(&ratio), "{}: {ratio}", small.name);

        let [ones, all] = small.g;
        let given = |random: &mut Random| {
            let m: Vec<i64> = (0..small.n).map(|_| random.within(0, 2)).collect();
            let signs = (0..all).filter(|_| random.within(0, 1) == 1).count();
            let is_enough = |value| m.iter().filter(|x| **x == value).count() >= small.fewest;
            signs == ones && (0..3).all(is_enough)
        };
        let drawn = (0..COUNT).filter(|_| given(&mut random)).count() as f64 / COUNT as f64;
        let ratio = (-small.log_given()).exp() / drawn;
        assert!((0.93..1.07).contains(&ratio), "{}: {ratio}", small.name);
    }
}

/// Protects: the distribution of a coefficient of a product, against polynomials that are drawn.
#[test]
#[cfg_attr(
    any(miri, not(target_arch = "x86_64")),
    ignore = "minutes where it is emulated; numbers alone, the same everywhere"
)]
fn coefficients_of_products() {
    const COUNT: usize = 20_000;
    let [_, small, _] = small();
    let Weights::Product(weights) = small.weights else { unreachable!("it is one of a product") };
    let (found, mut random) = (of_products(small.n, weights), Random::new(2));
    assert!((found.iter().map(|(_, probability)| probability).sum::<f64>() - 1.0).abs() < 1e-12);
    let mut seen = vec![0; found.len()];
    for _ in 0..COUNT {
        small.draw(&mut random).iter().for_each(|x| seen[x.unsigned_abs() as usize] += 1);
    }
    for ((x, probability), seen) in found.iter().zip(seen) {
        let seen = f64::from(seen) / (COUNT * small.n) as f64;
        assert!((seen - probability).abs() < 0.002, "{x}: {seen} {probability}");
    }
}

/// Protects: what is assumed of products: that the moments of keys are less than those of independent
/// coefficients, where the bound takes them.
#[test]
#[cfg_attr(
    any(miri, not(target_arch = "x86_64")),
    ignore = "minutes where it is emulated; numbers alone, the same everywhere"
)]
fn moments_of_products() {
    const COUNT: usize = 2_000;
    let products = EESS.iter().filter(|set| matches!(set.weights, Weights::Product(_)));
    for set in products.clone() {
        let (coefficients, limit) = (set.coefficients(), set.limit());
        let (t, _) = least(|t| set.log_moment(&coefficients, t) - t * limit);
        let assumed = coefficients.log_moment(2.0 / 3.0, t);
        let moment = |x: &i64| (1.0 / 3.0 + 2.0 / 3.0 * (t * *x as f64).cosh()).ln();
        let mut random = Random::new(3);
        let relative = (0..COUNT)
            .map(|_| (set.draw(&mut random).iter().map(moment).sum::<f64>() - assumed).exp())
            .sum::<f64>()
            / COUNT as f64;
        assert!(relative < 0.6, "{}: {relative}", set.name);
    }
    assert_eq!(products.count(), 6);
}

/// Protects: greater weights have a greater bound, a greater modulus a less one.
#[test]
fn monotone() {
    let of = |set: &Parameters| set.failure().expect("it can fail");
    for set in small() {
        let heavier = match set.weights {
            Weights::Of(weight) => vec![Weights::Of(weight + 1)],
            Weights::Product([a, b, c]) => {
                [[a + 1, b, c], [a, b + 1, c], [a, b, c + 1]].map(Weights::Product).to_vec()
            }
        };
        let base = of(&set);
        for weights in heavier {
            assert!(of(&Parameters { weights, ..set.clone() }) > base, "{}: {weights:?}", set.name);
        }
        let [ones, all] = set.g;
        assert!(of(&Parameters { g: [ones + 1, all + 2], ..set.clone() }) > base, "{}", set.name);
        assert!(of(&Parameters { q: set.q + 12, ..set.clone() }) < base, "{}", set.name);
        assert!(of(&Parameters { folds: 2, ..set.clone() }) > base, "{}", set.name);
    }
}

/// Protects: sets whose greatest sum is below the limit, and only these, never fail; also modulo
/// `x^n - x - 1`, where a coefficient is two sums: with NTRU Prime's ring of degree 739 modulo 9829.
#[test]
fn never() {
    let light = [38, 42, 49, 55, 63, 79, 81];
    for set in EESS.iter().chain(&LIBNTRU) {
        let is_light = matches!(set.weights, Weights::Of(weight) if light.contains(&weight));
        assert_eq!(set.failure().is_none(), is_light, "{}", set.name);
    }
    let prime = Parameters {
        name: "",
        q: 9829,
        n: 739,
        weights: Weights::Of(202),
        g: [247, 493],
        fewest: 202,
        greatest: 1,
        folds: 2,
    };
    assert_eq!(prime.failure(), None);
    // The greatest coefficient is 3 * 2 * (404 + 404) + 1 = 4849.
    assert!(Parameters { q: 9698, ..prime.clone() }.failure().is_some());
    assert!(Parameters { q: 9699, ..prime }.failure().is_none());
}

/// Protects: no set fails more often than once in 2^100 messages.
#[test]
fn no_set_fails_often() {
    for set in EESS.iter().chain(&LIBNTRU) {
        assert!(set.failure().is_none_or(|failure| failure < -100.0), "{}: {:?}", set.name, set.failure());
    }
}
