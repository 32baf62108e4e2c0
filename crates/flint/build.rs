//! Compiles the C code against the FLINT that `FLINT_PREFIX` names. Without the feature `code` it does
//! nothing.

#[cfg(feature = "code")]
mod code {
    use std::path::{Path, PathBuf};
    use std::process::exit;

    const SOURCE: &str = "src/products.c";
    const HOW: &str = "To build FLINT natively, in its sources: \
        ./bootstrap.sh && ./configure --prefix=PREFIX CFLAGS=\"-O3 -march=native\" && make && make install";

    /// The user's prefix, absolute.
    fn prefix() -> Result<PathBuf, String> {
        println!("cargo::rerun-if-env-changed=FLINT_PREFIX");
        let prefix = std::env::var_os("FLINT_PREFIX")
            .ok_or("FLINT_PREFIX is not set. It names the folder where FLINT is installed.")?;
        let header = Path::new(&prefix).join("include/flint/flint.h");
        println!("cargo::rerun-if-changed={}", header.display());
        match header.is_file() {
            true => std::path::absolute(prefix).map_err(|error| error.to_string()),
            false => Err(format!("There is no {}, where FLINT_PREFIX points.", header.display())),
        }
    }

    /// Compiles with what FLINT's own code is compiled with, and links.
    pub(crate) fn build() {
        println!("cargo::rerun-if-changed={SOURCE}");
        let prefix = prefix().unwrap_or_else(|why| {
            println!("cargo::error={why} {HOW}");
            exit(1)
        });
        let library = prefix.join("lib");
        let mut shim = cc::Build::new();
        shim.file(SOURCE).include(prefix.join("include")).opt_level(3).flag_if_supported("-march=native");
        shim.compile("ringsmith_flint");
        println!("cargo::rustc-link-search=native={}", library.display());
        println!("cargo::rustc-link-lib=dylib=flint");
        // Programs find it where it was found when they were linked.
        println!("cargo::rustc-link-arg=-Wl,-rpath,{}", library.display());
    }
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "code")]
    code::build();
}
