//! Numbers moved together over those that are left out, in constant time.
//!
//! # The map
//! A number that stays moves down by as many places as numbers before it are left out. It moves by the powers
//! of two of which that is the sum, the least first. Two numbers that stay never meet: with `d` and `d'` left
//! out before them, they are at least `1 + d' - d` apart, and so they are after each step, as what is left to
//! move differs by no more.
//!
//! Which numbers stay is a secret; every step reads and writes all places.

use crate::candidates::Words;

/// Numbers, and how far they have to move.
struct Moving<const COUNT: usize> {
    numbers: Words<COUNT>,
    distances: Words<COUNT>,
}

impl<const COUNT: usize> Moving<COUNT> {
    const fn zero() -> Self {
        Moving { numbers: Words::zero(), distances: Words::zero() }
    }
}

/// Moves the numbers whose mask is all ones to the front, in their order; the others' is 0. Zeroes are behind
/// them.
pub(crate) fn compact<const COUNT: usize>(numbers: &mut [u16], stays: &[u16]) {
    let (count, mut left_out, mut bit) = (numbers.len(), 0, 0);
    let (mut one, mut other) = (Moving::<COUNT>::zero(), Moving::zero());
    let (mut from, mut to) = (&mut one, &mut other);
    for (i, (number, stays)) in numbers.iter().zip(stays).enumerate() {
        (from.numbers.0[i], from.distances.0[i]) = (number & stays, left_out & stays);
        left_out += 1 & !stays;
    }
    while 1 << bit < count {
        move_down(from, to, count, bit);
        (from, to) = (to, from);
        bit += 1;
    }
    numbers.copy_from_slice(&from.numbers.0[..count]);
}

/// All ones where a distance has the bit.
const fn moves(distance: u16, bit: u32) -> u16 {
    (distance >> bit & 1).wrapping_neg()
}

/// Moves those of the first `count` down by `2^bit` in whose distance it is. What moved has no use for the
/// bits up to it any more.
fn move_down<const COUNT: usize>(from: &Moving<COUNT>, to: &mut Moving<COUNT>, count: usize, bit: u32) {
    let step = 1 << bit;
    let (numbers, distances) = (&from.numbers.0[..count], &from.distances.0[..count]);
    let places = to.numbers.0[..count].iter_mut().zip(&mut to.distances.0[..count]);
    for ((place, distance), (number, to_go)) in places.zip(numbers.iter().zip(distances)) {
        let stays = !moves(*to_go, bit);
        (*place, *distance) = (number & stays, to_go & stays);
    }
    let places = to.numbers.0[..count - step].iter_mut().zip(&mut to.distances.0[..count - step]);
    for ((place, distance), (number, to_go)) in places.zip(numbers[step..].iter().zip(&distances[step..])) {
        let comes = moves(*to_go, bit);
        (*place, *distance) = (*place | number & comes, *distance | to_go & comes);
    }
}
