//! The library's edges: what it refuses, and what it chooses.

#[cfg(ringsmith_harness)]
use ringsmith_ring::algorithm::rows::cyclic;
use ringsmith_ring::{
    Entry, Inner, Multiplier, Placement, Planner, Poly, PolyError, Ring, Route, Shape, Small, WhyNot,
};
use ringsmith_routes::rings::{MlKem, NewHope1024, NtruHps509, NtruPrime1277};
use ringsmith_routes::{entries, multiplier};
use ringsmith_simd::Cpu;

/// Protects: a polynomial of the wrong length or with a coefficient out of range is refused, with the place.
#[test]
fn coefficients_are_checked() {
    let error = |values: &[i64]| Poly::<MlKem>::new(values).err();
    assert_eq!(error(&[0; 255]), Some(PolyError::Length { expected: 256, given: 255 }));
    assert_eq!(error(&[]), Some(PolyError::Length { expected: 256, given: 0 }));
    let mut values = [0; 256];
    for (x, accepted) in
        [(3328, true), (3329, false), (-1664, true), (-1665, false), (i64::MAX, false), (i64::MIN, false)]
    {
        values[200] = x;
        let expected = PolyError::Range { index: 200, low: -1664, high: 3328 };
        assert_eq!(error(&values), (!accepted).then_some(expected), "{x}");
    }
    values[200] = 4;
    let refused = Small::<MlKem>::new(&values).err();
    assert_eq!(refused, Some(PolyError::Range { index: 200, low: -3, high: 3 }));
    assert_eq!(
        PolyError::Length { expected: 256, given: 0 }.to_string(),
        "0 coefficients where the ring has 256"
    );
}

/// Protects: canonical and centred representatives are the same element, for odd and even moduli.
#[test]
fn representatives_agree() {
    fn check<R: Ring>() {
        let n = R::N as i64;
        let canonical: Vec<i64> = (0..n).map(|i| (i * 37) % R::Q).collect();
        let centred: Vec<i64> = canonical.iter().map(|x| if 2 * x >= R::Q { x - R::Q } else { *x }).collect();
        let (x, y) = (Poly::<R>::new(&canonical).unwrap(), Poly::<R>::new(&centred).unwrap());
        assert_eq!(x.centred(), y.centred());
        assert!(x.centred().iter().zip(&centred).all(|(x, y)| *x as i64 == *y));
        assert!(y.canonical().zip(&canonical).all(|(x, y)| x as i64 == *y));
    }
    check::<MlKem>();
    check::<NewHope1024>();
    check::<NtruHps509>();
}

/// Protects: an operand prepared by one route, or on one backend, is not taken by another.
#[test]
fn prepared_operands_stay_with_their_multiplier() {
    let cpu = Cpu::detect();
    let by = |cpu, route| multiplier::<MlKem>(cpu, route).unwrap();
    let (rows, ntt) = (by(cpu, Route::Rows), by(cpu, Route::Ntt { base: 2 }));
    let (a, mut out, mut scratch) = (Poly::zero(), Poly::zero(), rows.scratch());
    let prepared = rows.prepare(&a, &mut scratch);
    assert!(rows.multiply_prepared_into(&a, &prepared, &mut out, &mut scratch).is_ok());
    let error = ntt.multiply_prepared_into(&a, &prepared, &mut out, &mut scratch).unwrap_err();
    assert_eq!((error.prepared.unwrap().0, error.multiplier.0), (Route::Rows, Route::Ntt { base: 2 }));
    for other in Cpu::available().filter(|other| *other != cpu) {
        let elsewhere = by(other, Route::Rows);
        assert!(elsewhere.multiply_prepared_into(&a, &prepared, &mut out, &mut scratch).is_err());
    }
}

/// Protects: a ring's own routes are the planner's; the others are found where they are compiled.
#[test]
fn routes_are_the_rings_or_others() {
    let ntt = Route::Ntt { base: 2 };
    assert_eq!(Route::Rows.applies::<MlKem>(), Ok(()));
    assert_eq!(Multiplier::<MlKem>::with_route(ntt).err(), Some(WhyNot::NotCompiled));
    assert_eq!(multiplier::<MlKem>(Cpu::detect(), ntt).map(|by| by.route()), Ok(ntt));
    let never = Route::Karatsuba { levels: 4 };
    assert_eq!(multiplier::<MlKem>(Cpu::detect(), never).err(), Some(WhyNot::NotCompiled));
}

/// Protects: a route that does not serve a ring says why.
#[test]
fn refusals_have_reasons() {
    let why = |route: Route| route.applies::<MlKem>().err();
    assert_eq!(why(Route::Ntt { base: 1 }), Some(WhyNot::Roots { order: 512 }));
    assert_eq!(why(Route::Ntt { base: 3 }), Some(WhyNot::Base { min: 1 }));
    assert_eq!(why(Route::NttKaratsuba { base: 2 }), Some(WhyNot::Base { min: 4 }));
    assert_eq!(why(Route::Ntt { base: 4 }), Some(WhyNot::Residues { needs: 512 }));
    assert_eq!(why(Route::Karatsuba { levels: 5 }), Some(WhyNot::Rows { rows: 16 }));
    assert_eq!(Route::Rows.applies::<NtruHps509>(), Err(WhyNot::Shape { needs: Shape::Negacyclic }));
    let (prime, trinomial) = (Shape::PrimeTrinomial, WhyNot::Shape { needs: Shape::PrimeTrinomial });
    assert_eq!([Route::Rader, Route::Schoenhage].map(why), [Some(trinomial); 2]);
    let by_primes = [Route::GOOD_THOMAS, Route::ROWS_BY_PRIMES];
    assert_eq!(by_primes.map(why), [Some(WhyNot::NotCompiled); 2]);
    assert_eq!(Route::Rader.serves(4621, 653, prime), Err(WhyNot::Roots { order: 102 }));
    assert_eq!(Route::Rader.serves(4591, 857, prime), Err(WhyNot::Length { max: 1536 }));
    assert_eq!(Route::Rader.serves(2143, 761, prime), Ok(()));
    assert_eq!(Route::Rader.serves(1021, 761, prime), Err(WhyNot::RootOfTwo));
    assert_eq!(Route::GOOD_THOMAS.serves(7879, 1536, prime), Ok(()));
    assert_eq!(Route::GOOD_THOMAS.serves(7879, 1537, prime), Err(WhyNot::Auxiliary));
    assert_eq!(Route::GOOD_THOMAS.serves(32749, 1536, prime), Err(WhyNot::Auxiliary));
    assert_eq!(Route::GOOD_THOMAS.serves(20261, 761, prime), Ok(()));
    assert_eq!(Route::GOOD_THOMAS.serves(20263, 761, prime), Err(WhyNot::Auxiliary));
    assert_eq!(Route::GOOD_THOMAS.serves(4096, 761, prime), Ok(()));
    assert_eq!(Route::ROWS_BY_PRIMES.applies::<NtruHps509>(), Ok(()));
    assert_eq!(Route::ROWS_BY_PRIMES.serves(32749, 1277, prime), Err(WhyNot::Auxiliary));
    let two = Route::Rns { primes: 2, inner: Inner::Rows };
    assert_eq!(two.serves(2048, 509, Shape::Cyclic), Err(WhyNot::Auxiliary));
    assert_eq!(Route::Schoenhage.applies::<NtruPrime1277>(), Err(WhyNot::Length { max: 2048 }));
    assert_eq!(Route::Schoenhage.serves(4096, 761, prime), Err(WhyNot::Even));
    assert_eq!(why(Route::ToomCook { parts: 6, inner: None }), Some(WhyNot::Points));
    let toom_cook = |parts, q| Route::ToomCook { parts, inner: None }.serves(q, 509, Shape::Cyclic);
    assert_eq!([toom_cook(3, 1 << 14), toom_cook(4, 1 << 13), toom_cook(4, 4591)], [Ok(()); 3]);
    assert_eq!(toom_cook(4, 1 << 14), Err(WhyNot::Bits { lost: 3 }));
    assert_eq!([toom_cook(4, 4593), toom_cook(5, 7)], [Err(WhyNot::Points); 2]);
    let paper = Route::KRed(Placement::Paper);
    assert_eq!(paper.serves(7681, 256, Shape::Negacyclic), Err(WhyNot::PaperModulus { q: 12289 }));
    assert_eq!(Route::Rows.serves(3329, 768, Shape::Negacyclic), Err(WhyNot::Degree));
    assert_eq!(Route::Rows.serves(4095, 256, Shape::Negacyclic), Err(WhyNot::Modulus));
    assert_eq!(why(Route::Karatsuba { levels: 7 }), Some(WhyNot::Rows { rows: 16 }));
    let rows = Route::ToomCook { parts: 4, inner: Some(Inner::Rows) };
    assert_eq!(rows.serves(2048, 509, Shape::Cyclic), Err(WhyNot::Inside));
    let deep = Route::ToomCook { parts: 4, inner: Some(Inner::Karatsuba { levels: 4 }) };
    assert_eq!(deep.serves(2048, 509, Shape::Cyclic), Err(WhyNot::Rows { rows: 8 }));
    // 41 rows, with zeroes: but no more parts than rows.
    let karatsuba = [5, 6].map(|levels| Route::Karatsuba { levels }.serves(4621, 653, prime));
    assert_eq!(karatsuba, [Ok(()), Err(WhyNot::Rows { rows: 41 })]);
    let parts = [6, 42].map(|parts| Route::weimerskirch_paar(parts, None).serves(4621, 653, prime));
    assert_eq!(parts, [Ok(()), Err(WhyNot::Rows { rows: 41 })]);
    let signed = [(9829, 739), (16381, 1024), (16381, 1025), (4590, 761), (32768, 1536)];
    let signed = signed.map(|(q, n)| Route::Signed.serves(q, n, prime).err());
    assert_eq!(signed, [None, None, Some(WhyNot::Bounds), Some(WhyNot::Even), None]);
    assert_eq!(Route::Schoolbook.serves(4590, 761, prime), Err(WhyNot::Even));
    assert_eq!(Route::Schoolbook.serves(32771, 761, prime), Err(WhyNot::Bounds));
    for text in [
        "",
        "toom-cook",
        "toom-cook:4/",
        "toom-cook:4/schoenhage",
        "karatsuba:3/schoolbook",
        "rns/rows",
        "good-thomas:2",
        "rns:3",
        "rns:x/rows",
        "rns:3/schoenhage",
        "ntt:",
        "ntt:x",
        "karatsuba",
        "weimerskirch-paar",
        "rows:2",
        "Rows",
        "ntt:99999999999",
        "interleaved",
        "interleaved:x",
        "interleaved:16/rows",
        "interleaved-proposed:16",
    ] {
        assert!(text.parse::<Route>().is_err(), "{text}");
    }
}

/// Protects: a route that has another inside is found by its whole name, and by the name without that.
#[test]
fn routes_nest() {
    for name in ["toom-cook:4", "toom-cook:4/karatsuba:2"] {
        let route = name.parse::<Route>().unwrap();
        assert_eq!(route.to_string(), name);
        let found = multiplier::<NtruHps509>(Cpu::detect(), route).unwrap().route();
        assert_eq!(found.to_string(), "toom-cook:4/karatsuba:2");
    }
    for name in ["toeplitz:4", "toeplitz:4/3/3"] {
        let route = name.parse::<Route>().unwrap();
        assert_eq!(route.to_string(), name);
        let found = multiplier::<NtruHps509>(Cpu::detect(), route).unwrap().route();
        assert_eq!(found.to_string(), "toeplitz:4/3/3");
    }
    for name in ["toeplitz:5", "toeplitz:4/3"] {
        let other = name.parse::<Route>().unwrap();
        assert_eq!(multiplier::<NtruHps509>(Cpu::detect(), other).err(), Some(WhyNot::NotCompiled), "{name}");
    }
    let other = "toom-cook:4/schoolbook".parse::<Route>().unwrap();
    assert_eq!(multiplier::<NtruHps509>(Cpu::detect(), other).err(), Some(WhyNot::NotCompiled));
    assert_eq!("rns:3/good-thomas".parse(), Ok(Route::GOOD_THOMAS));
    assert_eq!("rns:2/ntt:2".parse(), Ok(Route::Rns { primes: 2, inner: Inner::Ntt { base: 2 } }));
}

/// Protects: the rule for the bits that divisions lose, where products are inside products too: what is
/// impossible says so.
#[test]
fn lost_bits() {
    let serves = |text: &str, k: u32, n| text.parse::<Route>().expect(text).serves(1 << k, n, Shape::Cyclic);
    let five_in_threes = "toom-cook:5/toom-cook:3/toom-cook:3/schoolbook";
    assert_eq!(serves(five_in_threes, 11, 677), Ok(()));
    assert_eq!(serves(five_in_threes, 12, 677), Err(WhyNot::Bits { lost: 1 }));
    assert_eq!(serves("toom-cook:5/toom-cook:3/schoolbook", 12, 677), Ok(()));
    assert_eq!(serves("toom-cook:5/toom-cook:3/schoolbook", 13, 701), Err(WhyNot::Bits { lost: 1 }));
    assert_eq!(serves("toom-cook:5/weimerskirch-paar:3/weimerskirch-paar:3", 13, 701), Ok(()));
    assert_eq!(["toom-cook:4", "toom-cook:5"].map(|text| serves(text, 13, 701)), [Ok(()); 2]);
    let lost = Err(WhyNot::Bits { lost: 3 });
    assert_eq!(["toom-cook:4", "toom-cook:5"].map(|text| serves(text, 14, 1373)), [lost; 2]);
    assert_eq!(serves("toom-cook:3/karatsuba:5", 15, 1373), Ok(()));
    assert_eq!(serves("toeplitz:5/3/3", 11, 677), Ok(()));
    assert_eq!(serves("toeplitz:5/3/3", 12, 677), Err(WhyNot::Bits { lost: 5 }));
    assert_eq!(serves("toeplitz:5/3", 13, 701), Err(WhyNot::Bits { lost: 4 }));
    assert_eq!(serves("toeplitz:4", 11, 677), Ok(()));
    assert_eq!(serves("toeplitz:5/3k/3k", 13, 701), Ok(()));
    assert_eq!(serves("toeplitz:4k", 11, 677), Err(WhyNot::Points));
    assert_eq!(serves("toeplitz:5/5/5", 7, 677), Err(WhyNot::Rows { rows: 43 }));
    assert_eq!(serves("toeplitz:9", 11, 677), Err(WhyNot::Points));
    let toeplitz = "toeplitz:5".parse::<Route>().unwrap();
    assert_eq!(toeplitz.serves(4591, 761, Shape::PrimeTrinomial), Err(WhyNot::Wrapping));
    let shape = WhyNot::Shape { needs: Shape::Cyclic };
    assert_eq!(toeplitz.serves(2048, 509, Shape::Negacyclic), Err(shape));
    for text in ["toeplitz:", "toeplitz:1", "toeplitz:x", "toeplitz:2/2/2/2/2/2/2", "toeplitz:5/"] {
        assert!(text.parse::<Route>().is_err(), "{text}");
    }
}

/// Protects: a route refuses a modulus for which its proof would not compile, and does not panic where a
/// modulus has no codelet.
#[test]
fn refusals_by_bounds() {
    let prime = Shape::PrimeTrinomial;
    // Reduced exactly up to 30721 only; too large; too small.
    let schoenhage = |q| Route::Schoenhage.serves(q, 761, prime);
    assert_eq!([12289, 9001, 127].map(schoenhage), [Err(WhyNot::Bounds); 3]);
    assert_eq!([4591, 4575].map(schoenhage), [Ok(()); 2]);
    // 2 is a square modulo both, and 102 divides both less one.
    assert_eq!(Route::Rader.serves(30703, 761, prime), Err(WhyNot::Bounds));
    assert_eq!(Route::Rader.serves(103, 761, prime), Err(WhyNot::Bounds));
    // 13 points take roots of order 3, which 521 does not have: others serve it.
    assert_eq!(Route::Rows.serves(521, 400, prime), Ok(()));
    assert_eq!([13831, 127].map(|q| Route::Rows.serves(q, 761, prime)), [Err(WhyNot::Bounds); 2]);
    assert_eq!(Route::Rows.serves(4603, 641, prime), Ok(()));
    for n in [0, 1, 16, 17, 33] {
        for route in Route::candidates() {
            // Whatever the answer is.
            let _ = route.serves(4591, n, prime);
        }
    }
}

/// Protects: where the row transform's conditions hold, plans are found, and they hold: conditions ask for
/// less than the proof does.
#[cfg(ringsmith_harness)]
#[test]
fn what_rows_serve_is_proved() {
    let moduli =
        [229, 521, 1171, 2311, 3571, 4591, 5281, 6121, 7177, 8161, 9001, 10321, 10501, 10651, 10837, 10891];
    let served = moduli.into_iter().filter(|q| Route::Rows.serves(*q, 761, Shape::PrimeTrinomial).is_ok());
    let mut found = 0;
    for q in served {
        for hold in (90..=248).step_by(2).filter_map(|rows| cyclic::found(q, 761, rows)).take(2) {
            assert!(hold, "{q}");
            found += 1;
        }
    }
    assert!(found > 5, "{found} transforms");
}

/// Protects: the planner's rule, and that a measured choice is the cheapest route.
#[test]
fn the_planner_chooses() {
    for cpu in Cpu::available() {
        assert_eq!(Planner::choose::<NewHope1024>(cpu).route(), Route::Rows);
        assert_eq!(Multiplier::<NewHope1024>::new_on(cpu).route(), Route::Rows);
        let cost = |_: Cpu, entry: &Entry<_>| (entry.route() != Route::Schoolbook) as u64;
        let cheapest = Planner::measured(cpu, entries::<NewHope1024>(), cost);
        assert_eq!(cheapest.map(|entry| entry.route()), Some(Route::Schoolbook));
        assert!(Planner::measured(cpu, [], cost).is_none());
    }
}
