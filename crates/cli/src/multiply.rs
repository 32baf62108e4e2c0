//! `ringsmith multiply`: products of the lines of two files.

use crate::any;
use crate::error::Error;
use crate::input::Polynomials;
use crate::lookup::{self, Action};
use crate::output::{Access, Output};
use clap::{Args, ValueHint};
use ringsmith::{Cpu, Multiplier, Poly, Ring};
use ringsmith_routes::EveryRoute;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What to multiply, where, and how.
#[derive(Args)]
pub(crate) struct Multiply {
    /// The ring, as in 'Z_3329[x]/(x^256+1)': one that `ringsmith rings` lists, or any modulus up to 2^62 and
    /// any monic polynomial up to degree 65536
    #[arg(long, value_name = "NAME")]
    ring: String,
    /// A file with the polynomial that the ring is taken modulo, all coefficients on a line, the constant
    /// term first, 1 last; the ring is then 'Z_3329[x]'
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    modulus: Option<PathBuf>,
    /// The algorithm, as in ntt or karatsuba:2; the planner's choice if left out
    #[arg(long)]
    route: Option<String>,
    /// Write the coefficients centred, -q/2 to q/2, instead of 0 to q - 1
    #[arg(long, alias = "centered")]
    centred: bool,
    /// Compare each product with the schoolbook definition; one that differs ends the command with exit code
    /// 1
    #[arg(long)]
    check: bool,
    /// Write to a new file, which appears only when all is well; a file that exists is never overwritten
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// The first factors, one polynomial a line; - is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    a: PathBuf,
    /// The second factors, as many; - is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    b: PathBuf,
}

/// Runs the command.
pub(crate) fn run(args: &Multiply) -> Result<(), Error> {
    if args.a == Path::new("-") && args.b == Path::new("-") {
        return Err(Error::Usage("A and B cannot both be standard input".into()));
    }
    let standard = |path: &PathBuf| path == Path::new("-");
    if args.modulus.as_ref().is_some_and(standard) && [&args.a, &args.b].into_iter().any(standard) {
        return Err(Error::Usage("the modulus and a factor cannot both be standard input".into()));
    }
    let cpu = lookup::cpu()?;
    if args.modulus.is_some() {
        return run_any(args, Vec::new());
    }
    match lookup::in_ring(&args.ring, &mut Job { args, cpu }) {
        Err(Error::UnknownRing { near, .. }) => run_any(args, near),
        done => done,
    }
}

/// In a ring that has no name here.
fn run_any(args: &Multiply, near: Vec<String>) -> Result<(), Error> {
    let ring = any::ring(&args.ring, args.modulus.as_deref(), near)?;
    if args.route.is_some() {
        return Err(Error::UnnamedRoute { ring: args.ring.clone() });
    }
    let job = any::Job { ring, centred: args.centred, check: args.check };
    let (mut files, mut room) = (Files::open(args)?, job.room()?);
    let mut out = Output::open(args.output.as_deref(), Access::All)?;
    let read = |file: &mut Polynomials| Ok(file.next_values(job.accepted())?.map(<[i64]>::to_vec));
    while let Some([a, b]) = files.next(read)? {
        job.multiply([&a, &b], &mut room, &mut out, files.count)?;
    }
    out.finish()
}

/// The two files, read line by line.
struct Files {
    a: Polynomials,
    b: Polynomials,
    /// How many pairs have been read.
    count: u64,
}

impl Files {
    fn open(args: &Multiply) -> Result<Self, Error> {
        Ok(Files { a: Polynomials::open(&args.a)?, b: Polynomials::open(&args.b)?, count: 0 })
    }

    /// The next polynomial of each, or `None` where both end.
    fn next<T>(
        &mut self,
        read: impl Fn(&mut Polynomials) -> Result<Option<T>, Error>,
    ) -> Result<Option<[T; 2]>, Error> {
        let Files { a, b, count } = self;
        let pair = match (read(a)?, read(b)?) {
            (Some(x), Some(y)) => [x, y],
            (None, None) if *count == 0 => return Err(empty(a)),
            (None, None) => return Ok(None),
            (Some(_), None) => return Err(uneven(b, *count, a)),
            (None, Some(_)) => return Err(uneven(a, *count, b)),
        };
        *count += 1;
        Ok(Some(pair))
    }
}

struct Job<'a> {
    args: &'a Multiply,
    cpu: Cpu,
}

impl Action for Job<'_> {
    fn run<R: EveryRoute>(&mut self) -> Result<(), Error> {
        let multiplier = match &self.args.route {
            Some(name) => lookup::multiplier::<R>(self.cpu, name)?,
            None => Multiplier::new_on(self.cpu),
        };
        let mut files = Files::open(self.args)?;
        let mut out = Output::open(self.args.output.as_deref(), Access::All)?;
        self.multiply_all::<R>(&multiplier, &mut files, &mut out)?;
        out.finish()
    }
}

impl Job<'_> {
    /// Multiplies line by line until both files end.
    fn multiply_all<R: Ring>(
        &self,
        multiplier: &Multiplier<R>,
        files: &mut Files,
        out: &mut Output,
    ) -> Result<(), Error> {
        let (mut scratch, mut product, mut line) = (multiplier.scratch(), Poly::zero(), String::new());
        while let Some([x, y]) = files.next(Polynomials::next::<R>)? {
            multiplier.multiply_into(&x, &y, &mut product, &mut scratch);
            if self.args.check {
                check(multiplier, &x, &y, &product, files.count)?;
            }
            format_line(&product, self.args.centred, &mut line);
            out.write(line.as_bytes())?;
        }
        Ok(())
    }
}

/// The error for a file that ends before the other one.
fn uneven(shorter: &Polynomials, has: u64, longer: &Polynomials) -> Error {
    if has == 0 {
        return empty(shorter);
    }
    let (shorter, longer, line) = (shorter.name().into(), longer.name().into(), longer.line());
    Error::Uneven { shorter, has, longer, line }
}

fn empty(file: &Polynomials) -> Error {
    Error::Empty { name: file.name().into() }
}

/// Compares a product with the definition.
fn check<R: Ring>(
    multiplier: &Multiplier<R>,
    a: &Poly<R>,
    b: &Poly<R>,
    product: &Poly<R>,
    count: u64,
) -> Result<(), Error> {
    let expected = lookup::oracle_product::<R>(a.centred(), b.centred());
    match product.centred().iter().zip(&expected).position(|(got, want)| got != want) {
        None => Ok(()),
        Some(i) => Err(Error::Wrong(format!(
            "product {count} by {} on {} is wrong: coefficient {} is {} instead of {}",
            multiplier.route(),
            multiplier.cpu().name(),
            i + 1,
            product.centred()[i],
            expected[i],
        ))),
    }
}

/// The coefficients of a product, separated by spaces.
fn format_line<R: Ring>(product: &Poly<R>, centred: bool, line: &mut String) {
    line.clear();
    let mut push = |x: i16| {
        // Writing to a string can't fail.
        let _ = write!(line, "{}{x}", if line.is_empty() { "" } else { " " });
    };
    match centred {
        true => product.centred().iter().copied().for_each(&mut push),
        false => product.canonical().for_each(&mut push),
    }
    line.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringsmith::rings::MlKem;

    /// Protects: `--check` finds a product that differs in its last coefficient only, and ends with exit
    /// code 1.
    #[test]
    fn check_finds_a_wrong_product() {
        let one = |at: usize| {
            let mut values = [0i64; 256];
            values[at] = 1;
            Poly::<MlKem>::new(&values).unwrap()
        };
        let multiplier = Multiplier::<MlKem>::new();
        assert!(check(&multiplier, &one(0), &one(255), &one(255), 1).is_ok());
        let error = check(&multiplier, &one(0), &one(255), &Poly::zero(), 7).unwrap_err();
        assert_eq!(error.exit_code(), 1);
        assert!(error.to_string().starts_with("product 7 by "), "{error}");
        assert!(error.to_string().ends_with("coefficient 256 is 0 instead of 1"), "{error}");
    }
}
