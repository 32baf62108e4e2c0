//! Multiplications, additions and small products, counted by running a product on a token that counts: what
//! counts is in [`ringsmith_watch`].

use ringsmith_ring::{Coefficients, Multiply, Ring, Workspace};
pub use ringsmith_watch::Counts;
use ringsmith_watch::{LikeNeon, Machine, Watching, Words, counted};

/// A product by an algorithm, and what it takes.
pub fn product<R: Ring, M: Multiply<R>>(a: &R::Coeffs, b: &R::Coeffs) -> (R::Coeffs, Counts) {
    // A power of two, whose residues wrap; else reductions take one product each.
    match R::Q.count_ones() {
        1 => product_on::<Words, R, M>(a, b),
        _ => product_on::<LikeNeon, R, M>(a, b),
    }
}

fn product_on<C: Machine, R: Ring, M: Multiply<R>>(a: &R::Coeffs, b: &R::Coeffs) -> (R::Coeffs, Counts) {
    let () = M::CHECK;
    let (mut out, mut scratch) = (R::Coeffs::ZERO, R::Scratch::new());
    let ((), counts) = counted(|| M::multiply(Watching::<C>::new(), a, b, &mut out, &mut scratch));
    (out, counts)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use ringsmith_oracle::{self as oracle, Random};
    use ringsmith_ring::ByTransform;
    use ringsmith_ring::Poly;
    use ringsmith_ring::algorithm::incomplete::{
        BaseProduct, ByKaratsuba, BySchoolbook, Incomplete, Negacyclic,
    };
    use ringsmith_routes::rings::Compact512;

    /// What a product of random operands takes, which is the oracle's.
    pub(in crate::paper) fn counts_of<R: Ring, M: Multiply<R>>() -> Counts {
        let mut random = Random::new(7);
        let [a, b]: [Vec<i64>; 2] =
            [(); 2].map(|()| (0..R::N).map(|_| random.within(-(R::Q / 2), (R::Q - 1) / 2)).collect());
        let rows = |x: &[i64]| *Poly::<R>::new(x).unwrap().coeffs();
        let (out, counts) = super::product::<R, M>(&rows(&a), &rows(&b));
        let ring = oracle::Ring::named(R::NAME).expect("a ring of the oracle's");
        let wide = |x: &[i64]| x.iter().map(|&x| x.into()).collect::<Vec<_>>();
        let expected: Vec<i64> = oracle::product(ring, &wide(&a), &wide(&b))
            .into_iter()
            .map(|x| oracle::centred(x, R::Q.into()) as i64)
            .collect();
        assert_eq!(out.rows(), rows(&expected).rows());
        counts
    }

    /// Protects: what is counted is the product, and the counts are those of the paper, section 3.2.
    #[test]
    fn as_published() {
        fn counts<B: BaseProduct>() -> [u64; 2] {
            type Transform<B> = ByTransform<Incomplete<3329, 32, 4, Negacyclic, B>>;
            let counts = counts_of::<Compact512, Transform<B>>();
            assert_eq!(counts.small_products, [(4, 128)].into());
            [counts.multiplications + counts.by_tables, counts.additions]
        }
        assert_eq!(counts::<BySchoolbook>(), [7808, 12288]);
        assert_eq!(counts::<ByKaratsuba>(), [7040, 14592]);
    }
}
