//! Powers to be multiplied for a large one: addition chains, found by the compiler.
//!
//! With `b_t = a^(2^t - 1)` it is `b_(s+t) = b_s^(2^t) b_t`. So `b_e` costs as many products as a chain of
//! sums `1 = e_0, e_1, .., e` has, each one before it plus one of all before; and powers by `2^t` are cheap.
//! Such a chain is called a star chain. The search takes the shortest that begins with 1, 2, 4, 8, 16.

/// Numbers of a chain to an exponent below `2^11`.
pub const MAX: usize = 16;
/// The chain begins with so many powers of 2.
const FIRST: usize = 5;

/// A chain of sums.
#[derive(Clone, Copy)]
pub struct Chain {
    /// The numbers: each is the one before it and one of all before.
    pub sums: [usize; MAX],
    /// Number `k` is number `k - 1` plus number `with[k]`.
    pub with: [usize; MAX],
    /// How many numbers there are.
    pub length: usize,
}

impl Chain {
    /// A shortest chain to `e`, at least 16.
    ///
    /// # Panics
    /// Where there is none of at most [`MAX`] numbers.
    pub const fn to(e: usize) -> Chain {
        let mut chain = Chain { sums: [0; MAX], with: [0; MAX], length: FIRST };
        let mut k = 0;
        while k < FIRST {
            (chain.sums[k], chain.with[k]) = (1 << k, k.saturating_sub(1));
            k += 1;
        }
        assert!(e >= chain.sums[FIRST - 1]);
        let mut most = FIRST;
        while !chain.extend(most, e) {
            most += 1;
            assert!(most <= MAX, "no chain");
        }
        chain
    }

    /// Whether the chain can be brought to `e` with `most` numbers in all; if so, it is.
    const fn extend(&mut self, most: usize, e: usize) -> bool {
        let last = self.sums[self.length - 1];
        if last == e {
            return true;
        }
        if self.length == most {
            return false;
        }
        // So many numbers come after the next one.
        let (left, mut with) = (most - self.length - 1, self.length);
        while with > 0 {
            with -= 1;
            let sum = last + self.sums[with];
            // Doublings reach the most; the next sums are smaller.
            if sum << left < e {
                return false;
            }
            // One sum before doublings reaches the most but one.
            if sum == e || (sum < e && left > 0 && (sum << left == e || (sum + last) << (left - 1) >= e)) {
                (self.sums[self.length], self.with[self.length]) = (sum, with);
                self.length += 1;
                if self.extend(most, e) {
                    return true;
                }
                self.length -= 1;
            }
        }
        false
    }
}

/// The order of 2 modulo an odd `n`.
pub const fn order_of_2(n: usize) -> usize {
    let (mut power, mut order) = (2 % n, 1);
    while power != 1 {
        power = 2 * power % n;
        order += 1;
    }
    order
}

/// `2^-t` modulo an odd `n`.
pub const fn inverse_power_of_2(t: usize, n: usize) -> usize {
    let (mut power, mut k) = (1, 0);
    while k < t {
        // Half of an even number, or of its sum with n.
        power = (power + n * (power % 2)) / 2;
        k += 1;
    }
    power
}
