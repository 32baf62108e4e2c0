//! Every route of every ring on every CPU backend, checked against the definition and timed.

use super::{backends, measure};
use crate::error::Error;
use crate::lookup::oracle_product;
use crate::output::print;
use crate::progress::Progress;
use crate::table::{Table, time};
use ringsmith::{Cpu, Multiplier, Planner, Poly, Ring};
use ringsmith_oracle::Random;
use ringsmith_routes::{EveryRoute, Visitor, entries, visit_all};
use std::hint::black_box;

/// Runs this part of the tour; how many products were compared.
pub(super) fn run(cpus: &[Cpu]) -> Result<usize, Error> {
    let names = cpus.iter().map(|cpu| cpu.name());
    let table = Table::new(3, ["ring", "route", "checked"].into_iter().chain(names));
    let mut tour =
        Tour { cpus: cpus.to_vec(), table, checked: 0, wrong: Vec::new(), progress: Progress::new() };
    visit_all(&mut tour);
    tour.progress.clear();
    print(tour.table.render().as_bytes())?;
    tour.verdict()?;
    Ok(tour.checked)
}

struct Tour {
    cpus: Vec<Cpu>,
    table: Table,
    checked: usize,
    wrong: Vec<String>,
    progress: Progress,
}

impl Tour {
    /// The last lines, or the error where a product is wrong.
    fn verdict(&self) -> Result<(), Error> {
        let (products, backends) = (self.checked, backends(self.cpus.len()));
        if let Some(first) = self.wrong.first() {
            let wrong = self.wrong.len();
            return Err(Error::Wrong(format!(
                "{wrong} of {products} products are wrong; the first: {first}"
            )));
        }
        print(
            format!(
                "\nTimes are for one product; * marks the planner's choice.\n\
                 {products} products on {backends}: all right\n"
            )
            .as_bytes(),
        )
    }
}

impl Visitor for Tour {
    fn visit<R: EveryRoute>(&mut self) {
        self.progress.show(R::NAME);
        let cases: Vec<Case<R>> = Case::all();
        for entry in entries::<R>() {
            let chosen =
                self.cpus.first().is_some_and(|cpu| Planner::choose::<R>(*cpu).route() == entry.route());
            let mark = if chosen { " *" } else { "" };
            let mut times = Vec::new();
            let before = (self.checked, self.wrong.len());
            for cpu in self.cpus.clone() {
                // Listed routes serve their ring; one that does not would be missing from the table.
                let multiplier = Multiplier::by_on(cpu, entry);
                self.check(&multiplier, &cases);
                times.push(time(time_of(&multiplier, &cases)));
            }
            let (checked, wrong) = (self.checked - before.0, self.wrong.len() - before.1);
            let verdict = if wrong == 0 { format!("{checked} right") } else { format!("{wrong} WRONG") };
            let mut row = vec![R::NAME.into(), format!("{}{mark}", entry.route()), verdict];
            row.append(&mut times);
            self.table.push(row);
        }
    }
}

impl Tour {
    /// Compares all products of the cases, also those with a prepared operand.
    fn check<R: Ring>(&mut self, multiplier: &Multiplier<R>, cases: &[Case<R>]) {
        let mut scratch = multiplier.scratch();
        for case in cases {
            let product = multiplier.multiply(&case.a, &case.b, &mut scratch);
            self.compare(multiplier, case, &product, "product");
            let prepared = multiplier.prepare(&case.b, &mut scratch);
            let mut product = Poly::zero();
            let done = multiplier.multiply_prepared_into(&case.a, &prepared, &mut product, &mut scratch);
            if done.is_ok() {
                self.compare(multiplier, case, &product, "product with a prepared factor");
            }
        }
    }

    fn compare<R: Ring>(
        &mut self,
        multiplier: &Multiplier<R>,
        case: &Case<R>,
        product: &Poly<R>,
        what: &str,
    ) {
        self.checked += 1;
        if product.centred() != case.expected {
            let (route, cpu) = (multiplier.route(), multiplier.cpu().name());
            self.wrong.push(format!("{} by {route} on {cpu}, {what} of {}", R::NAME, case.name));
        }
    }
}

/// Two factors and their product by the definition.
struct Case<R: Ring> {
    name: &'static str,
    a: Poly<R>,
    b: Poly<R>,
    expected: Vec<i16>,
}

impl<R: Ring> Case<R> {
    /// The worst that the bounds of an algorithm allow, and pseudo-random factors; always the same ones.
    fn all() -> Vec<Self> {
        let mut random = Random::new(1);
        let (low, high) = (-(R::Q / 2), (R::Q - 1) / 2);
        let mut uniform = || -> Vec<i64> { (0..R::N).map(|_| random.within(low, high)).collect() };
        let (x, y, z) = (uniform(), uniform(), uniform());
        let signs: Vec<i64> = z.iter().map(|c| if *c < 0 { low } else { high }).collect();
        let turns: Vec<i64> = (0..R::N).map(|i| [low, high][i % 2]).collect();
        let (least, greatest) = (vec![low; R::N], vec![high; R::N]);
        let cases = [
            ("the least by the least coefficients", &least, &least),
            ("the greatest by the greatest coefficients", &greatest, &greatest),
            ("the least by the greatest coefficients", &least, &greatest),
            ("alternating by alternating extremes", &turns, &turns),
            ("random by the same random extremes", &signs, &signs),
            ("random coefficients by random extremes", &x, &signs),
            ("random by random coefficients", &x, &y),
        ];
        cases.into_iter().filter_map(|(name, a, b)| Self::new(name, a, b)).collect()
    }

    fn new(name: &'static str, a: &[i64], b: &[i64]) -> Option<Self> {
        let (a, b) = (Poly::new(a).ok()?, Poly::new(b).ok()?);
        Some(Case { name, a, b, expected: oracle_product::<R>(a.centred(), b.centred()) })
    }
}

/// Nanoseconds for a product.
fn time_of<R: Ring>(multiplier: &Multiplier<R>, cases: &[Case<R>]) -> f64 {
    let Some(case) = cases.last() else { return f64::NAN };
    let (mut out, mut scratch) = (Poly::zero(), multiplier.scratch());
    measure(|| {
        multiplier.multiply_into(black_box(&case.a), black_box(&case.b), &mut out, &mut scratch);
        black_box(&out);
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringsmith::rings::MlKem;

    /// Protects: a single wrong coefficient in one product is found, named, and ends the tour with exit
    /// code 1.
    #[test]
    fn a_wrong_product_is_found() {
        let (table, progress) = (Table::new(3, ["ring"]), Progress::new());
        let mut tour = Tour { cpus: vec![Cpu::detect()], table, checked: 0, wrong: Vec::new(), progress };
        let multiplier = Multiplier::<MlKem>::new();
        let mut cases = Case::all();
        tour.check(&multiplier, &cases);
        assert!(tour.wrong.is_empty() && tour.checked == 2 * cases.len(), "{:?}", tour.wrong);
        cases[1].expected[255] ^= 1;
        tour.check(&multiplier, &cases);
        assert_eq!(tour.wrong.len(), 2);
        let error = tour.verdict().unwrap_err();
        assert_eq!(error.exit_code(), 1);
        let message = error.to_string();
        assert!(
            message.starts_with("2 of 28 products are wrong; the first: Z_3329[x]/(x^256+1) by "),
            "{message}"
        );
        assert!(message.ends_with("product of the greatest by the greatest coefficients"), "{message}");
    }
}
