//! `ringsmith rings`: which routes serve which ring, and why the others do not.

use crate::any;
use crate::error::Error;
use crate::lookup::{self, Action};
use crate::output::print;
use clap::{Args, ValueHint};
use ringsmith::{Cpu, Planner, Route, WhyNot};
use ringsmith_routes::{EveryRoute, Visitor, entries, visit_all};
use std::fmt::Write;
use std::path::PathBuf;

/// Which rings to list.
#[derive(Args)]
pub(crate) struct Rings {
    /// Only this ring; one that is not in the list is computed with, too
    #[arg(long, value_name = "NAME")]
    ring: Option<String>,
    /// A file with the polynomial that the ring is taken modulo, all coefficients on a line, the constant
    /// term first, 1 last; the ring is then 'Z_3329[x]'
    #[arg(long, value_name = "FILE", requires = "ring", value_hint = ValueHint::FilePath)]
    modulus: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: &Rings) -> Result<(), Error> {
    let mut list = List { cpu: lookup::cpu()?, text: String::new() };
    let computed = |name: &str, near| any::ring(name, args.modulus.as_deref(), near);
    match &args.ring {
        Some(name) if args.modulus.is_some() => list.text = any::listing(&computed(name, Vec::new())?),
        Some(name) => match lookup::in_ring(name, &mut list) {
            Err(Error::UnknownRing { near, .. }) => list.text = any::listing(&computed(name, near)?),
            done => done?,
        },
        None => {
            visit_all(&mut list);
            list.words()?;
        }
    }
    print(list.text.as_bytes())
}

/// The listing so far.
struct List {
    cpu: Cpu,
    text: String,
}

impl List {
    /// A line between two rings.
    fn begin(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    /// The rings whose coefficients take lanes of 32 bits, which have one route each.
    fn words(&mut self) -> Result<(), Error> {
        for name in lookup::names_of_words() {
            self.begin();
            self.text += &any::listing(&any::ring(&name, None, Vec::new())?);
        }
        Ok(())
    }
}

impl Visitor for List {
    fn visit<R: EveryRoute>(&mut self) {
        self.begin();
        // Writing to a string can't fail.
        let _ = writeln!(self.text, "{}", R::NAME);
        let chosen = Planner::choose::<R>(self.cpu).route();
        let small = Planner::choose_small::<R>(self.cpu).route();
        let smalls = Planner::choose_smalls::<R>(self.cpu).route();
        let _ = writeln!(self.text, "  {chosen:<20} the planner's choice");
        for route in entries::<R>().map(|entry| entry.route()).filter(|route| *route != chosen) {
            let _ = match (route == small, route == smalls) {
                (true, _) => writeln!(self.text, "  {route:<20} the planner's choice for small operands"),
                (_, true) => writeln!(self.text, "  {route:<20} the planner's choice for two small operands"),
                _ => writeln!(self.text, "  {route}"),
            };
        }
        for (why, routes) in refused::<R>() {
            let _ = writeln!(self.text, "  not: {why}\n       {}", routes.join(", "));
        }
    }
}

impl Action for List {
    fn run<R: EveryRoute>(&mut self) -> Result<(), Error> {
        self.visit::<R>();
        Ok(())
    }
}

/// The reasons for which routes do not serve `R`, each with its routes.
fn refused<R: EveryRoute>() -> Vec<(WhyNot, Vec<String>)> {
    let mut reasons: Vec<(WhyNot, Vec<String>)> = Vec::new();
    for route in Route::candidates() {
        let Err(why) = route.find(entries::<R>()) else { continue };
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, routes)) => routes.push(route.to_string()),
            None => reasons.push((why, vec![route.to_string()])),
        }
    }
    reasons
}
