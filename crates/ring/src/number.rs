//! Integers modulo a prime, at compile time: every constant and table comes from here.

/// `x mod q` in `[0, q)`.
pub(crate) const fn canonical(x: i64, q: i64) -> i64 {
    x.rem_euclid(q)
}

/// `x mod q`, the representative of least absolute value; of two, the negative one.
#[inline]
pub const fn centred(x: i64, q: i64) -> i64 {
    let r = x.rem_euclid(q);
    if 2 * r >= q { r - q } else { r }
}

/// `base^exponent mod q`.
pub const fn power(base: i64, mut exponent: u64, q: i64) -> i64 {
    let (mut result, mut square) = (1 % q, base.rem_euclid(q));
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * square % q;
        }
        square = square * square % q;
        exponent >>= 1;
    }
    result
}

/// The inverse of `a` modulo the prime `q`, by Fermat.
pub const fn inverse(a: i64, q: i64) -> i64 {
    power(a, (q - 2) as u64, q)
}

/// The inverse of an odd `q` modulo `2^16`, by Newton: each step doubles the correct bits. 0 for an even `q`,
/// which has none (the constant is evaluated, but not used, in code for either kind of modulus).
#[inline]
pub const fn inverse_mod_word(q: i64) -> i16 {
    if q & 1 == 0 {
        return 0;
    }
    let (mut x, mut bits) = (1i64, 1);
    while bits < 16 {
        x = (x * (2 - q * x)) & 0xffff;
        bits *= 2;
    }
    x as u16 as i16
}

/// Whether `q` is prime, by trial division.
pub const fn is_prime(q: i64) -> bool {
    let mut d = 2;
    while d * d <= q {
        if q % d == 0 {
            return false;
        }
        d += 1;
    }
    q > 1
}

/// Whether `x` has multiplicative order exactly `order` modulo `q`.
const fn has_order(x: i64, order: u64, q: i64) -> bool {
    if power(x, order, q) != 1 {
        return false;
    }
    let (mut rest, mut p) = (order, 2);
    while rest > 1 {
        if rest % p == 0 {
            if power(x, order / p, q) == 1 {
                return false;
            }
            while rest % p == 0 {
                rest /= p;
            }
        }
        p += 1;
    }
    true
}

/// The smallest positive integer of multiplicative order exactly `order` modulo the prime `q`: 7 for (2048,
/// 12289), as NewHope chose it, and 17 for (256, 3329), as Kyber did.
pub const fn root_of_unity(order: u64, q: i64) -> i64 {
    assert!((q - 1) % order as i64 == 0, "the field has no root of unity of this order");
    let mut x = 1;
    while !has_order(x, order, q) {
        x += 1;
    }
    x
}

/// The root of unity of a transform whose domain may be sent: the smallest of its order, but those that
/// NewHope chose for degree 512 (its specification, table 4), and NewHope-Compact for degree 768.
pub const fn transform_root(order: u64, q: i64) -> i64 {
    let chosen = match (order, q) {
        (1024, 12289) => 10968,
        (384, 3457) => 55,
        _ => return root_of_unity(order, q),
    };
    assert!(has_order(chosen, order, q));
    chosen
}

/// The lowest `bits` bits of `x` in reverse order.
pub const fn bit_reverse(x: usize, bits: u32) -> usize {
    if bits == 0 { 0 } else { x.reverse_bits() >> (usize::BITS - bits) }
}
