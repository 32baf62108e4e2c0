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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    /// Where the page has the table.
    const PLACE: [&str; 2] = [
        "<!-- written by `RINGSMITH_BLESS=1 cargo test -p ringsmith-cli --bin ringsmith rings` -->\n",
        "<!-- end -->",
    ];

    /// The rings as a table in Markdown, with their types and routes.
    struct Page(String);

    impl Page {
        fn line(&mut self, ring: &str, of: &str, routes: &str) {
            self.0 += &format!("| `{ring}` | {of} | {routes} |\n");
        }
    }

    impl Visitor for Page {
        fn visit<R: EveryRoute>(&mut self) {
            let path = std::any::type_name::<R>();
            let name = path.rsplit("::").next().unwrap_or(path);
            let mut routes: Vec<String> = entries::<R>().map(|entry| shown(entry.route())).collect();
            routes.dedup();
            self.line(R::NAME, &format!("`{name}`"), &routes.join(", "));
        }
    }

    /// A route; those by interleaved multiplication are many and go by their form.
    fn shown(route: Route) -> String {
        let name = route.to_string();
        match name.split_once(':') {
            Some((form @ ("interleaved" | "interleaved-original"), _)) => format!("`{form}:w`"),
            _ => format!("`{name}`"),
        }
    }

    fn table() -> String {
        let mut page = Page("| ring | type | routes |\n|---|---|---|\n".into());
        visit_all(&mut page);
        for name in lookup::names_of_words() {
            page.line(&name, "none", "[a transform in 32-bit lanes](algorithms/words.md)");
        }
        page.0
    }

    /// Protects: the page of the rings has every ring with every route that is compiled for it.
    #[test]
    fn page_of_the_rings() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rings.md");
        let page = fs::read_to_string(&path).unwrap();
        let (before, rest) = page.split_once(PLACE[0]).expect("a place for the table");
        let (_, behind) = rest.split_once(PLACE[1]).expect("an end of the table");
        let written = format!("{before}{}\n{}\n{}{behind}", PLACE[0], table(), PLACE[1]);
        if std::env::var_os("RINGSMITH_BLESS").is_some() {
            return fs::write(path, written).unwrap();
        }
        assert!(page == written, "docs/rings.md: RINGSMITH_BLESS=1 writes its table anew");
        for route in Route::candidates().map(|route| route.to_string()) {
            let form = route.split(':').next().unwrap_or_default();
            let explained =
                [format!("`{form}`"), format!("`{form}:")].iter().any(|form| behind.contains(form));
            assert!(explained, "docs/rings.md does not say what {route} is");
        }
    }
}
