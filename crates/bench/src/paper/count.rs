//! Multiplications, additions and small products of a product, by ring and route.
//!
//! They are counted by running the product on a token that counts ([`ringsmith_watch`]), for which its
//! kernels are compiled once more. That is for the tests. The program has what they counted, in
//! `counts.tsv`; they fail where the file says anything else, and write it anew where the environment has
//! `RINGSMITH_BLESS`.

pub use ringsmith_watch::Counts;
use std::collections::BTreeMap;

/// A line for each product: ring, route, multiplications, those by numbers of tables, those by constants,
/// additions, then products and sums of polynomials, each as `size*number`.
const RECORDED: &str = include_str!("counts.tsv");

/// What a product by a route of a ring takes; nothing where it is not recorded.
pub fn counts(ring: &str, route: &str) -> Counts {
    let of = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        (cells.get(..2) == Some(&[ring, route])).then(|| parsed(&cells[2..]))
    };
    RECORDED.lines().find_map(of).unwrap_or_default()
}

/// The numbers of a line.
fn parsed(cells: &[&str]) -> Counts {
    let number = |text: &str| text.parse().unwrap_or_default();
    let at = |cell| cells.get(cell).copied().unwrap_or_default();
    let by_size = |cell: usize| -> BTreeMap<usize, u64> {
        let pairs = at(cell).split(' ').filter_map(|pair| pair.split_once('*'));
        pairs.map(|(size, many)| (number(size) as usize, number(many))).collect()
    };
    Counts {
        multiplications: number(at(0)),
        by_tables: number(at(1)),
        by_constants: number(at(2)),
        additions: number(at(3)),
        small_products: by_size(4),
        polynomial_sums: by_size(5),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::paper::{akleylek_tok, newhope_compact, ntru, ntru_prime};
    use ringsmith_oracle::{self as oracle, Random};
    use ringsmith_ring::{Coefficients, Multiply, Poly, Ring, Workspace};
    use ringsmith_watch::{LikeNeon, Machine, Watching, Words, counted};

    /// A product, and what it takes.
    pub(in crate::paper) type Counted = (&'static str, &'static str, Counts);

    fn product<C: Machine, R: Ring, M: Multiply<R>>(a: &R::Coeffs, b: &R::Coeffs) -> (R::Coeffs, Counts) {
        let () = M::CHECK;
        let (mut out, mut scratch) = (R::Coeffs::ZERO, R::Scratch::new());
        let ((), counts) = counted(|| M::multiply(Watching::<C>::new(), a, b, &mut out, &mut scratch));
        (out, counts)
    }

    /// What a product of random operands takes, which is the oracle's.
    pub(in crate::paper) fn counts_of<R: Ring, M: Multiply<R>>(route: &'static str) -> Counted {
        let mut random = Random::new(7);
        let [a, b]: [Vec<i64>; 2] =
            [(); 2].map(|()| (0..R::N).map(|_| random.within(-(R::Q / 2), (R::Q - 1) / 2)).collect());
        let rows = |x: &[i64]| *Poly::<R>::new(x).unwrap().coeffs();
        // A power of two, whose residues wrap; else reductions take one product each.
        let (out, counts) = match R::Q.count_ones() {
            1 => product::<Words, R, M>(&rows(&a), &rows(&b)),
            _ => product::<LikeNeon, R, M>(&rows(&a), &rows(&b)),
        };
        let ring = oracle::Ring::named(R::NAME).expect("a ring of the oracle's");
        let wide = |x: &[i64]| x.iter().map(|&x| x.into()).collect::<Vec<_>>();
        let expected: Vec<i64> = oracle::product(ring, &wide(&a), &wide(&b))
            .into_iter()
            .map(|x| oracle::centred(x, R::Q.into()) as i64)
            .collect();
        assert_eq!(out.rows(), rows(&expected).rows());
        (R::NAME, route, counts)
    }

    fn text((ring, route, counts): &Counted) -> String {
        let by_size = |map: &BTreeMap<usize, u64>| {
            map.iter().map(|(size, many)| format!("{size}*{many}")).collect::<Vec<_>>().join(" ")
        };
        let numbers = [counts.multiplications, counts.by_tables, counts.by_constants, counts.additions]
            .map(|x| x.to_string());
        let sizes = [&counts.small_products, &counts.polynomial_sums].map(by_size);
        let cells = [ring.to_string(), route.to_string()].into_iter().chain(numbers).chain(sizes);
        cells.collect::<Vec<_>>().join("\t") + "\n"
    }

    /// Protects: what is recorded is what these products take, all of which are the oracle's; and it is read
    /// as it was written.
    #[test]
    fn counted_again() {
        let all = [
            newhope_compact::tests::counted(),
            ntru_prime::tests::counted(),
            ntru::tests::counted(),
            akleylek_tok::tests::counted(),
        ]
        .concat();
        let lines: String = all.iter().map(text).collect();
        if std::env::var_os("RINGSMITH_BLESS").is_some() {
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/paper/counts.tsv");
            return std::fs::write(file, lines).unwrap();
        }
        assert_eq!(lines, RECORDED);
        for (ring, route, counted) in all {
            assert_eq!(counts(ring, route), counted);
        }
        assert_eq!(counts("no ring", "schoolbook"), Counts::default());
    }
}
