//! Every suite, in the order in which they run.

use crate::builds::Build;
use crate::needs::Need::{self, File, Machine, Module, Program, Target, Toolchain};
use crate::needs::{NIGHTLY, OLDEST};
use crate::suite::{Folder, Suite};
use crate::suites::{
    asm, avx512, bounds, constant_time, divisions, instructions, interop, mutants, nightly, once, packages,
    python, targets, trace, workspace,
};

const CHECKED: Folder = Folder::Of(Build::Checked);
const NEON: Folder = Folder::Of(Build::Aarch64);

const AARCH64: Need = Target("aarch64-unknown-linux-gnu");
const QEMU_AARCH64: Need = Program { name: "qemu-aarch64", package: "qemu-user" };
const CC: Need = Program { name: "cc", package: "gcc" };
const CC_AARCH64: Need = Program { name: "aarch64-linux-gnu-gcc", package: "gcc-aarch64-linux-gnu" };
const LIBC_AARCH64: Need =
    File { path: "/usr/aarch64-linux-gnu/lib/libc.so.6", package: "libc6-dev-arm64-cross" };
const OBJDUMP: Need = Program { name: "objdump", package: "binutils" };
const OBJDUMP_AARCH64: Need =
    Program { name: "aarch64-linux-gnu-objdump", package: "binutils-aarch64-linux-gnu" };
const I686: Need = Target("i686-unknown-linux-gnu");
const CC_I686: Need = Program { name: "i686-linux-gnu-gcc", package: "gcc-i686-linux-gnu" };
const LIBC_I686: Need = File { path: "/usr/i686-linux-gnu/lib/libc.so", package: "libc6-dev-i386-cross" };
const LOADER_I686: Need = File { path: "/lib/ld-linux.so.2", package: "libc6-i386" };
const LIBGCC_I686: Need = File { path: "/usr/lib32/libgcc_s.so.1", package: "lib32gcc-s1" };
const CXX: Need = Program { name: "c++", package: "g++" };
const GIT: Need = Program { name: "git", package: "git" };
const X86_64: Need = Machine("x86_64");

/// Every suite. The first ones that can run side by side start first, so the longest of each folder are at
/// the head.
pub(crate) const ALL: &[Suite] = &[
    Suite {
        name: "format",
        folders: &[Folder::Lint],
        about: "no change by rustfmt, no long line, no header of many numbers, no test that is not built",
        needs: &[GIT],
        run: workspace::format,
    },
    Suite {
        name: "once",
        folders: &[],
        about: "each of our crates is compiled once in each build, as cargo's unit graph has it",
        needs: &[Toolchain(NIGHTLY, &[])],
        run: once::run,
    },
    Suite {
        name: "unit",
        folders: &[CHECKED],
        about: "tests of the library, the programs and the tools: units, integration, pages, messages",
        needs: &[
            CC,
            CXX,
            Program { name: "script", package: "bsdutils" },
            Program { name: "nm", package: "binutils" },
            Program { name: "valgrind", package: "valgrind" },
        ],
        run: workspace::unit,
    },
    Suite {
        name: "tour",
        folders: &[CHECKED],
        about: "`ringsmith tour`: every route and every scheme on this machine",
        needs: &[],
        run: workspace::tour,
    },
    Suite {
        name: "aarch64",
        folders: &[NEON],
        about: "the tests of what lanes compute on AArch64 (NEON), emulated",
        needs: &[AARCH64, CC_AARCH64, LIBC_AARCH64, QEMU_AARCH64],
        run: targets::aarch64,
    },
    Suite {
        name: "interop",
        folders: &[CHECKED],
        about: "files and keys with age, rage, PyCA, Go, BouncyCastle; AsyncSSH, Paramiko, sshd; TLS with \
                OpenSSL, Go; the C library as installed",
        needs: &[
            // What `python3 -m venv` installs pip from; the program is there without it.
            Module { name: "ensurepip", package: "python3-venv" },
            File { path: interop::ssh::SERVER, package: "openssh-server" },
            // `java` compiles the program, for which it needs what comes with `javac`.
            Program { name: "javac", package: "default-jdk-headless" },
            Program { name: "mvn", package: "maven" },
            Program { name: "pkg-config", package: "pkgconf" },
            CC,
            Program { name: "openssl", package: "openssl" },
            File { path: "/usr/include/openssl/core_dispatch.h", package: "libssl-dev" },
            Program { name: "curl", package: "curl" },
            File { path: "/usr/sbin/nginx", package: "nginx-light" },
            Program { name: "valgrind", package: "valgrind" },
        ],
        run: interop::run,
    },
    Suite {
        name: "python",
        folders: &[CHECKED],
        about: "the Python package: rings beside python-flint, schemes beside PyCA's, the command's \
                sentences",
        needs: &[
            // What `python3 -m venv` installs pip from; the program is there without it.
            Module { name: "ensurepip", package: "python3-venv" },
        ],
        run: python::run,
    },
    Suite {
        name: "asan",
        folders: &[Folder::Sanitizer],
        about: "no access out of bounds, as AddressSanitizer sees it",
        needs: &[X86_64, Toolchain(NIGHTLY, &[]), CXX],
        run: nightly::asan,
    },
    Suite {
        name: "fuzz",
        folders: &[Folder::Sanitizer],
        about: "random bytes into every decoder, under AddressSanitizer",
        needs: &[X86_64, Toolchain(NIGHTLY, &[]), CXX],
        run: nightly::fuzz,
    },
    Suite {
        name: "s390x",
        folders: &[Folder::Of(Build::S390x)],
        about: "lanes, words of bytes and known answers on a big-endian machine, emulated",
        needs: &[
            Target("s390x-unknown-linux-gnu"),
            Program { name: "s390x-linux-gnu-gcc", package: "gcc-s390x-linux-gnu" },
            File { path: "/usr/s390x-linux-gnu/lib/libc.so.6", package: "libc6-dev-s390x-cross" },
            Program { name: "qemu-s390x", package: "qemu-user" },
        ],
        run: targets::s390x,
    },
    Suite {
        name: "i686",
        folders: &[Folder::Of(Build::I686)],
        about: "the tests of what lanes compute on 32-bit x86, which has plain Rust",
        needs: &[X86_64, I686, CC_I686, LIBC_I686, LOADER_I686, LIBGCC_I686],
        run: targets::i686,
    },
    Suite {
        name: "miri",
        folders: &[Folder::Miri],
        about: "no undefined behaviour in the AVX2 code, as Miri sees it",
        needs: &[X86_64, Toolchain(NIGHTLY, &["miri", "rust-src"])],
        run: nightly::miri,
    },
    Suite {
        name: "lint",
        folders: &[Folder::Lint],
        about: "clippy has nothing to say, here, with all peers, and for aarch64",
        needs: &[AARCH64, CC, CXX],
        run: workspace::lint,
    },
    Suite {
        name: "packages",
        folders: &[Folder::Lint],
        about: "published crates pack what they need; each family is accepted without the others",
        needs: &[],
        run: packages::run_all,
    },
    Suite {
        name: "docs",
        folders: &[Folder::Lint],
        about: "the documentation builds without a warning; no link of the book is dead; \
                what its pages say is done, in a copy",
        needs: &[
            GIT,
            // What `python3 -m venv` installs pip from: the book is built by a program of Python's registry.
            Module { name: "ensurepip", package: "python3-venv" },
        ],
        run: workspace::docs,
    },
    Suite {
        name: "oldest-rust",
        folders: &[Folder::Oldest],
        about: "the command, the library, and what C and TLS have are accepted by the oldest Rust",
        needs: &[Toolchain(OLDEST, &[])],
        run: workspace::oldest_rust,
    },
    Suite {
        name: "no-std",
        folders: &[Folder::Lint, Folder::Of(Build::Thumb)],
        about: "the library without an operating system; known answers on an emulated Cortex-M4",
        needs: &[
            Target("thumbv7em-none-eabi"),
            Program { name: "qemu-system-arm", package: "qemu-system-arm" },
        ],
        run: targets::no_std,
    },
    Suite {
        name: "backends",
        folders: &[CHECKED],
        about: "the tests again with RINGSMITH_CPU naming each backend",
        needs: &[],
        run: workspace::backends,
    },
    Suite {
        name: "reductions",
        folders: &[CHECKED],
        about: "every reduction on every input that it may meet",
        needs: &[],
        run: workspace::reductions,
    },
    Suite {
        name: "bounds",
        folders: &[CHECKED, Folder::Bounds],
        about: "a transform in which a lane would overflow does not compile",
        needs: &[X86_64],
        run: bounds::run,
    },
    Suite {
        name: "mutants",
        folders: &[Folder::Mutants],
        about: "ML-DSA with one rule broken at a time: a published vector sees each",
        needs: &[],
        run: mutants::run,
    },
    Suite {
        name: "asm",
        folders: &[CHECKED],
        about: "kernels as compiled: no calls, no divisions, vectors in registers",
        needs: &[X86_64, OBJDUMP],
        run: asm::run,
    },
    Suite {
        name: "asm-samples",
        folders: &[CHECKED],
        about: "the checks of `asm` and `divisions` see the bad samples",
        needs: &[X86_64, OBJDUMP],
        run: asm::self_test,
    },
    Suite {
        name: "divisions",
        folders: &[CHECKED, NEON, Folder::Of(Build::I686)],
        about: "no division, of integers or of doubles, where secrets are",
        needs: &[
            X86_64,
            OBJDUMP,
            AARCH64,
            CC_AARCH64,
            LIBC_AARCH64,
            OBJDUMP_AARCH64,
            I686,
            CC_I686,
            LIBC_I686,
            LOADER_I686,
            LIBGCC_I686,
        ],
        run: divisions::run,
    },
    Suite {
        name: "constant-time",
        folders: &[CHECKED],
        about: "valgrind sees no branch and no address that depends on a secret",
        needs: &[
            X86_64,
            Program { name: "valgrind", package: "valgrind" },
            File { path: "/usr/lib/debug/.build-id", package: "libc6-dbg" },
        ],
        run: constant_time::run,
    },
    Suite {
        name: "constant-time-avx512",
        folders: &[CHECKED],
        about: "with AVX-512, instructions and addresses are the same for every secret, on this CPU",
        needs: &[X86_64, OBJDUMP],
        run: avx512::run,
    },
    Suite {
        name: "constant-time-neon",
        folders: &[NEON],
        about: "on NEON, instructions and addresses are the same for every secret",
        needs: &[AARCH64, CC, CC_AARCH64, LIBC_AARCH64, OBJDUMP_AARCH64, QEMU_AARCH64],
        run: trace::neon,
    },
    Suite {
        name: "constant-time-i686",
        folders: &[Folder::Of(Build::I686)],
        about: "on 32-bit x86, instructions and addresses are the same for every secret",
        needs: &[
            X86_64,
            CC,
            OBJDUMP,
            I686,
            CC_I686,
            LIBC_I686,
            LOADER_I686,
            LIBGCC_I686,
            Program { name: "qemu-i386", package: "qemu-user" },
        ],
        run: trace::i686,
    },
    Suite {
        name: "instructions",
        folders: &[CHECKED, NEON],
        about: "instruction counts of the products against the committed ones",
        needs: &[
            X86_64,
            OBJDUMP,
            Program { name: "qemu-x86_64", package: "qemu-user" },
            AARCH64,
            CC,
            CC_AARCH64,
            LIBC_AARCH64,
            OBJDUMP_AARCH64,
            QEMU_AARCH64,
        ],
        run: instructions::run,
    },
];

/// Parts of other suites, which run where they are named.
pub(crate) const PARTS: &[Suite] = &[Suite {
    name: "gpu",
    folders: &[CHECKED],
    about: "of `unit`: the GPU's kernels, run by the CPU, and its driver with every failure",
    needs: &[CC, CXX],
    run: workspace::gpu,
}];

/// Every suite, and every part of one.
pub(crate) fn every() -> impl Iterator<Item = &'static Suite> {
    ALL.iter().chain(PARTS)
}

/// The suites of these names, in the order of [`ALL`]; all of those where no name is given.
///
/// # Errors
/// At the first name that no suite has.
pub(crate) fn choose(names: &[&str]) -> Result<Vec<&'static Suite>, String> {
    if names.is_empty() {
        return Ok(ALL.iter().collect());
    }
    if let Some(unknown) = names.iter().find(|name| every().all(|suite| suite.name != **name)) {
        let known: Vec<_> = every().map(|suite| suite.name).collect();
        return Err(format!("no suite `{unknown}`; there are: {}", known.join(", ")));
    }
    Ok(every().filter(|suite| names.contains(&suite.name)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// The table of a page that begins with this line.
    fn table(page: &str, head: &str) -> String {
        let text = fs::read_to_string(crate::shell::root().join(page)).unwrap();
        let (_, table) = text.split_once(head).unwrap_or_else(|| panic!("{page} has no {head}"));
        table.split("\n\n").next().unwrap().into()
    }

    /// Protects: the pages name every suite: what it protects, what it builds, and which build it shares.
    #[test]
    fn suites_on_the_pages() {
        let shares = |suite: &&Suite| suite.folders.iter().any(|folder| matches!(folder, Folder::Of(_)));
        let every: Vec<&Suite> = super::every().collect();
        let sharing: Vec<&Suite> = every.iter().copied().filter(shares).collect();
        for (page, head, suites) in [
            ("CONTRIBUTING.md", "| suite | what it protects |", &every),
            ("docs/architecture.md", "| suites | what they build |", &every),
            ("CONTRIBUTING.md", "| build | what is compiled | suites |", &sharing),
        ] {
            let table = table(page, head);
            for suite in suites {
                assert!(table.contains(&format!("`{}`", suite.name)), "{page}: no {} in {head}", suite.name);
            }
        }
    }
}
