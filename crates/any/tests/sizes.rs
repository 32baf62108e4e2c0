//! Products at every size at and around powers of two, halfway between them, and where the transform of a
//! whole product becomes longer, to degree 1025; moduli at the edges of every range; every kind of modulus
//! polynomial and of second factor. Longer ones are compared with FLINT's: the suite `interop`.

mod support;

use ringsmith_oracle::{MODULI, Random};
use support::{Form, Kind, check, definition, element, product};

/// Up to here all moduli, polynomials and kinds of factors meet.
const SMALL: [usize; 19] = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65];
/// Beyond, some of them do: others at each size.
const MIDDLE: [usize; 18] =
    [80, 81, 95, 96, 97, 112, 113, 127, 128, 129, 160, 161, 191, 192, 193, 255, 256, 257];
const GREAT: [usize; 17] =
    [320, 321, 383, 384, 385, 511, 512, 513, 640, 641, 767, 768, 769, 896, 1023, 1024, 1025];

/// Checks one of `stride` combinations of a modulus, a polynomial and a kind of second factor at each size.
/// A prime that divides none of their numbers lets the steps go through each of them in turn.
fn check_sizes(sizes: &[usize], stride: usize) {
    for (place, n) in sizes.iter().enumerate() {
        let mut random = Random::new(*n as u64);
        let forms = Form::ALL.iter().flat_map(|form| Kind::ALL.iter().map(move |kind| (form, kind)));
        let all = forms.flat_map(|(form, kind)| MODULI.iter().map(move |q| (*q, form, kind)));
        for (turn, (q, form, kind)) in all.skip(place % stride).step_by(stride).enumerate() {
            let f = form.polynomial(&mut random, *n, q);
            check(&mut random, q, &f, *kind, turn);
        }
    }
}

/// Protects: every combination at small sizes.
#[test]
fn small_sizes() {
    check_sizes(&SMALL, 1);
}

/// Protects: a fifth of them at each of these sizes.
#[test]
fn middle_sizes() {
    check_sizes(&MIDDLE, 5);
}

/// Protects: a part of them at the greatest sizes that are compared with the definition.
#[test]
fn great_sizes() {
    check_sizes(&GREAT, 31);
}

/// Protects: the definition by integers that are reduced once is the definition, for the greatest factors.
#[test]
fn definitions_agree() {
    let mut random = Random::new(1);
    for q in MODULI {
        for n in [1, 2, 9, 64] {
            let dense: Vec<u64> = element(&mut random, n, q).into_iter().chain([1]).collect();
            let greatest: Vec<u64> = vec![q - 1; n].into_iter().chain([1]).collect();
            for f in [dense, greatest] {
                let (a, b) = (vec![q - 1; n], element(&mut random, n, q));
                assert_eq!(product(q, &f, &a, &a), definition(q, &f, &a, &a));
                assert_eq!(product(q, &f, &a, &b), definition(q, &f, &a, &b));
            }
        }
    }
}
