//! Names of functions, as written in the source.

/// The demangled name without hashes, crate disambiguators and lifetimes.
pub(crate) fn name(symbol: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol))
}
