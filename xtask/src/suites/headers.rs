//! Headers of generic items say what they are generic over in types: at most three numbers stand among their
//! parameters, and no flag. What macros make of their arguments is not seen.

use crate::shell;
use crate::suite::Verdict;
use std::fs;
use syn::visit::{self, Visit};
use syn::{GenericParam, Generics, Type};

/// The most numbers that a header has.
const MAX: usize = 3;

/// Crates that bind what others made, and have their flags.
const OTHERS: &str = "crates/peers/";

/// A source with what must be found in it: four numbers in one header, a flag in another.
const SAMPLE: &str = "struct A<const X: i64, const Y: i64,
    const Z: i64, const W: i64>;
impl<const FLAG: bool> B<FLAG> { fn right<T, const X: usize>() {} }";

/// The headers of a source that have too many numbers, or a flag.
#[derive(Default)]
struct Headers {
    found: Vec<(usize, &'static str)>,
}

impl<'a> Visit<'a> for Headers {
    fn visit_generics(&mut self, generics: &'a Generics) {
        let numbers = generics.params.iter().filter_map(|parameter| match parameter {
            GenericParam::Const(number) => Some(number),
            _ => None,
        });
        let flag = |ty: &Type| matches!(ty, Type::Path(path) if path.path.is_ident("bool"));
        let line = generics.lt_token.as_ref().map_or(0, |token| token.span.start().line);
        if numbers.clone().count() > MAX {
            self.found.push((line, "more than three numbers"));
        }
        if numbers.clone().any(|number| flag(&number.ty)) {
            self.found.push((line, "a flag"));
        }
        visit::visit_generics(self, generics);
    }
}

fn of_source(source: &str) -> Result<Vec<(usize, &'static str)>, String> {
    let file = syn::parse_file(source).map_err(|error| error.to_string())?;
    let mut headers = Headers::default();
    headers.visit_file(&file);
    Ok(headers.found)
}

/// The check, of the sources of every crate but their tests; the sample first.
pub(super) fn run(sources: &[String]) -> Verdict {
    if of_source(SAMPLE)?.len() != 2 {
        return Err("a header with four numbers, or one with a flag, was not seen".to_string());
    }
    println!("sample of headers with four numbers and with a flag: caught");
    let ours =
        |file: &&String| file.starts_with("crates/") && file.contains("/src/") && !file.starts_with(OTHERS);
    let mut count = 0;
    for file in sources.iter().filter(ours) {
        let source =
            fs::read_to_string(shell::root().join(file)).map_err(|error| format!("{file}: {error}"))?;
        for (line, what) in of_source(&source).map_err(|error| format!("{file}: {error}"))? {
            println!("{file}:{line}: {what} in a header");
            count += 1;
        }
    }
    match count {
        0 => Ok(()),
        count => Err(format!("{count} headers have more than {MAX} numbers, or a flag")),
    }
}
