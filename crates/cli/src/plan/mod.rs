//! `ringsmith plan`: which method computes products in a ring, how long it takes, why that is exact, and why
//! there is no other one.

mod cache;
mod fit;
mod page;

use crate::any;
use crate::error::Error;
use crate::lookup;
use crate::output::{Access, NewFile, print};
use clap::{Args, ValueHint};
use fit::{Clock, Times};
use page::Page;
use ringsmith::Cpu;
use ringsmith::any::{Candidates, Costs, Expression, Operands, Ring};
use ringsmith::compiled::table;
use std::path::PathBuf;

/// Which ring, and whether to measure.
#[derive(Args)]
pub(crate) struct Plan {
    /// The ring, as in 'Z_3329[x]/(x^256+1)': any modulus up to 2^62 and any monic polynomial up to degree
    /// 65536
    ring: String,
    /// A file with the polynomial that the ring is taken modulo, all coefficients on a line, the constant
    /// term first, 1 last; the ring is then 'Z_3329[x]'
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    modulus: Option<PathBuf>,
    /// The second factor's coefficients are from -B to B
    #[arg(long, value_name = "B", value_parser = bound, allow_negative_numbers = true)]
    small: Option<u64>,
    /// Fit the costs of units of work on this machine, in about a second, and keep them in the user's cache
    /// for other runs; then measure the ring's fastest methods
    #[arg(long)]
    measure: bool,
    /// Draw the methods and their times to a new file; a file that exists is never overwritten
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    svg: Option<PathBuf>,
}

/// A bound of coefficients; whether the ring takes it is asked later.
fn bound(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "a whole number is expected, from 1 to half of the modulus")
}

/// Where costs come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Shipped,
    Cached,
    Fitted,
}

/// What units of work cost on this machine: as the user's cache says, else as shipped.
pub(crate) fn costs(cpu: Cpu) -> Costs {
    known(cpu).0
}

fn known(cpu: Cpu) -> (Costs, Origin) {
    match cache::read(cpu) {
        Some(costs) => (costs, Origin::Cached),
        None => (Costs::of(cpu), Origin::Shipped),
    }
}

/// Those of this machine as they are now, which the cache then has.
fn fitted(cpu: Cpu) -> Result<(Costs, Origin), Error> {
    let costs = fit::costs(cpu)?;
    cache::write(cpu, &costs);
    Ok((costs, Origin::Fitted))
}

/// What is asked for.
#[derive(Clone)]
struct Asked {
    cpu: Cpu,
    expression: Expression,
    operands: Operands,
}

impl Asked {
    fn new(args: &Plan) -> Result<Self, Error> {
        let expression = any::expression(&args.ring, args.modulus.as_deref(), Vec::new)?;
        let operands = args.small.map_or(Operands::any(), |bound| Operands::any().small(bound));
        Ok(Asked { cpu: lookup::cpu()?, expression, operands })
    }

    fn candidates(&self, costs: &Costs) -> Result<Candidates, Error> {
        let Asked { cpu, expression: Expression { q, f }, operands } = self;
        Candidates::new(*cpu, *q, f, *operands, costs).map_err(|why| any::error(&self.expression, why))
    }

    /// The ring by the fastest whole products in lanes of 16 bits that it has, if it has any.
    fn by_rows(&self, costs: &Costs) -> Option<Ring> {
        let Asked { cpu, expression: Expression { q, f }, operands } = self;
        Ring::by_products(*cpu, *q, f, *operands, table(), costs).ok()
    }

    /// The ring by kernels that were compiled for it, or else by the model's choice.
    fn ring(&self, costs: &Costs) -> Result<Ring, Error> {
        let Asked { cpu, expression: Expression { q, f }, operands } = self;
        Ring::with_costs(*cpu, *q, f, *operands, table(), costs)
            .map_err(|why| any::error(&self.expression, why))
    }
}

/// Runs the command.
pub(crate) fn run(args: &Plan) -> Result<(), Error> {
    let asked = Asked::new(args)?;
    // A ring that there is not costs no measurement, nor does a file that can't be written.
    asked.candidates(&Costs::of(asked.cpu))?;
    let svg = args.svg.as_deref().map(|path| NewFile::create(path, Access::All)).transpose()?;
    let (costs, origin) = if args.measure { fitted(asked.cpu)? } else { known(asked.cpu) };
    let (candidates, ring, by_rows) = (asked.candidates(&costs)?, asked.ring(&costs)?, asked.by_rows(&costs));
    let mut page = Page { ring, candidates, by_rows, times: Times::default(), origin, clock: Clock::look() };
    if args.measure {
        page.times = Times::of(&asked, &page)?;
    }
    let text = page.text();
    print(text.as_bytes())?;
    svg.map_or(Ok(()), |file| drawn(file, &text))
}

/// The picture of a page, in a file.
fn drawn(mut file: NewFile, page: &str) -> Result<(), Error> {
    file.write(ringsmith_plot::plan::draw(page).unwrap_or_default().as_bytes())?;
    file.finish()
}
