//! Binomial coefficients, as logarithms.

/// The logarithms of the factorials.
pub(super) struct Logs(Vec<f64>);

impl Logs {
    /// Those of 0 to `n`.
    pub(super) fn up_to(n: usize) -> Self {
        let sums = (1..=n).scan(0.0, |sum, i| {
            *sum += (i as f64).ln();
            Some(*sum)
        });
        Logs(std::iter::once(0.0).chain(sums).collect())
    }

    /// How many choices there are of `k` among `n`.
    pub(super) fn choose(&self, n: usize, k: usize) -> f64 {
        if k > n { f64::NEG_INFINITY } else { self.0[n] - self.0[k] - self.0[n - k] }
    }

    /// Of balls of three colours `count` are taken: how many of the first colour and of the second one there
    /// can be, and how likely (multivariate hypergeometric distribution).
    pub(super) fn met(&self, count: usize, colours: [usize; 3]) -> impl Iterator<Item = (usize, usize, f64)> {
        let [first, second, third] = colours;
        let all = self.choose(first + second + third, count);
        (0..=first.min(count)).flat_map(move |i| {
            (0..=second.min(count - i)).map(move |j| {
                let [a, b, c] = [(first, i), (second, j), (third, count - i - j)];
                (i, j, [a, b, c].into_iter().map(|(n, k)| self.choose(n, k)).sum::<f64>() - all)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: the distributions, by hand.
    #[test]
    fn by_hand() {
        let logs = Logs::up_to(10);
        assert!((logs.choose(10, 3).exp() - 120.0).abs() < 1e-9);
        assert_eq!(logs.choose(3, 4).exp(), 0.0);
        let all: f64 = logs.met(4, [3, 2, 5]).map(|(.., log)| log.exp()).sum();
        assert!((all - 1.0).abs() < 1e-12);
        // Two of the first colour, one of the second, one of the third: 3 * 2 * 5 of 210.
        let (.., log) = logs.met(4, [3, 2, 5]).find(|(i, j, _)| (*i, *j) == (2, 1)).expect("it can be");
        assert!((log.exp() - 30.0 / 210.0).abs() < 1e-12);
    }
}
