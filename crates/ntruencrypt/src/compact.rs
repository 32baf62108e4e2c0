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

/// Moves the numbers whose mask is all ones to the front, in their order; the others' is 0. Zeroes are behind
/// them.
pub(crate) fn compact<const COUNT: usize>(numbers: &mut [u16], stays: &[u16]) {
    let (mut distances, mut left_out) = (Words::<COUNT>::zero(), 0);
    let distances = &mut distances.0[..numbers.len()];
    for ((number, distance), stays) in numbers.iter_mut().zip(&mut *distances).zip(stays) {
        (*number, *distance) = (*number & stays, left_out & stays);
        left_out += 1 & !stays;
    }
    let mut step = 1;
    while step < numbers.len() {
        move_down(numbers, distances, step);
        step *= 2;
    }
}

/// Moves those down by `step` in whose distance it is. What moved has no use for the bits up to it any more.
fn move_down(numbers: &mut [u16], distances: &mut [u16], step: usize) {
    let moves = |distance: u16| ((distance & step as u16 != 0) as u16).wrapping_neg();
    for i in 0..numbers.len() {
        let stays = !moves(distances[i]);
        let (mut number, mut distance) = (numbers[i] & stays, distances[i] & stays);
        if let (Some(from), Some(to_go)) = (numbers.get(i + step), distances.get(i + step)) {
            let comes = moves(*to_go);
            (number, distance) = (number | from & comes, distance | to_go & comes);
        }
        (numbers[i], distances[i]) = (number, distance);
    }
}
