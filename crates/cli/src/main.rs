//! The command `ringsmith`: products in lattice rings, and the schemes built on them, on any CPU backend of
//! the machine.
//!
//! Strings are turned into rings, routes and CPUs here; all arithmetic is the library's. Exit codes: 0, all
//! is well; 1, a check failed; 2, bad arguments or input, or something that can't be read or written; 130,
//! interrupted; 141, the reader of the output left.
#![forbid(unsafe_code)]

mod any;
mod bench;
mod completion;
mod error;
mod exchange;
mod file;
#[cfg(feature = "cuda")]
mod gpu;
mod input;
mod inspect;
mod kem;
mod key_files;
mod keys;
mod lookup;
mod multiply;
mod near;
mod openssl;
mod output;
mod pages;
mod pke;
mod pke_keys;
mod plan;
mod progress;
mod rings;
mod schemes;
mod shown;
mod signature;
mod table;
mod terminal;
mod tour;
mod unfinished;
mod usage;

use clap::{Parser, Subcommand};
use error::Error;
use ringsmith::Cpu;
use shown::escaped;
use std::io::{self, Write};
use std::process::ExitCode;

/// Lattice cryptography: key encapsulation, signatures, products of polynomials, on every CPU backend
#[derive(Parser)]
#[command(name = "ringsmith", version = version(), after_help = EXAMPLES, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Try what there is to do; check and time every route of every ring, and every scheme, on this machine
    #[command(after_help = TOUR_EXAMPLES)]
    Tour(tour::Tour),
    /// Make a key that files are encrypted to, or one that signs them
    #[command(after_help = KEYGEN_EXAMPLES)]
    Keygen(file::Keygen),
    /// Encrypt a file to public keys or with a passphrase, in the age format; `pke` is for keys of
    /// NTRUEncrypt
    #[command(after_help = ENCRYPT_EXAMPLES)]
    Encrypt(file::Encrypt),
    /// Decrypt a file with a private key or a passphrase
    #[command(after_help = DECRYPT_EXAMPLES)]
    Decrypt(file::Decrypt),
    /// Sign a file, of any length
    #[command(after_help = SIGN_EXAMPLES)]
    Sign(signature::Sign),
    /// Verify the signature of a file
    #[command(after_help = VERIFY_EXAMPLES)]
    Verify(signature::Verify),
    /// Make a certificate of a key that signs, by the key itself
    #[command(after_help = CERTIFICATE_EXAMPLES)]
    Certificate(signature::CertificateFile),
    /// Make keys, encapsulate and decapsulate
    Kem(kem::Kem),
    /// Encrypt short messages to keys of NTRUEncrypt; `encrypt` is for files
    #[command(after_help = PKE_EXAMPLES)]
    Pke(pke::Pke),
    /// Exchange keys in three steps: offer, respond, finish
    Exchange(exchange::Exchange),
    /// List the schemes, their sizes and their status
    Schemes,
    /// Say what a file is: which key, ciphertext or signature of which scheme, or which age file
    #[command(after_help = INSPECT_EXAMPLES)]
    Inspect(inspect::Inspect),
    /// List the rings, their routes, and why other routes do not serve them
    #[command(after_help = RINGS_EXAMPLES)]
    Rings(rings::Rings),
    /// Say how products in a ring are computed, how long they take, and why they are exact
    #[command(after_help = PLAN_EXAMPLES)]
    Plan(plan::Plan),
    /// Multiply the polynomials of two files, line by line
    #[command(after_help = MULTIPLY_EXAMPLES)]
    Multiply(multiply::Multiply),
    /// Measure schemes, hashing, transforms and products by CPU backend and route on this machine
    #[command(after_help = BENCH_EXAMPLES)]
    Bench(bench::Bench),
    /// Print the configuration with which OpenSSL 3 does TLS with ML-KEM
    #[command(after_help = OPENSSL_EXAMPLES)]
    OpensslConfig(openssl::OpensslConfig),
    /// Print a completion script for a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions(pages::Completions),
    /// Print the manual page, or write all of them
    #[command(after_help = MAN_EXAMPLES)]
    Man(pages::ManPages),
}

const EXAMPLES: &str = "\
Environment:
  RINGSMITH_CPU=avx512|avx2|sse2|neon|scalar  use this backend instead of the machine's best

Examples:
  ringsmith tour
  ringsmith keygen -o key.txt
  ringsmith encrypt -r age1pq1... -o letter.age letter.txt
  ringsmith decrypt -i key.txt -o letter.txt letter.age
  ringsmith keygen --kind ml-dsa-65 -o alice.key --public alice.pub
  ringsmith sign -i alice.key -o letter.sig letter.txt
  ringsmith verify --public alice.pub -s letter.sig letter.txt
  ringsmith kem keygen -o bob.key --public bob.pub
  ringsmith kem encapsulate -R bob.pub -o to-bob.ct -s alice.secret
  ringsmith kem decapsulate -i bob.key -o bob.secret to-bob.ct
  ringsmith multiply --ring 'Z_3329[x]/(x^256+1)' a.txt b.txt";

const KEYGEN_EXAMPLES: &str = "\
mlkem768x25519 is ML-KEM-768 and X25519, in the form of age 1.3: age1pq1... and
AGE-SECRET-KEY-PQ-1...; sntrup761x25519 is sntrup761 and X25519, which other programs know by
age-plugin-ringsmith alone: age1ringsmith1... and AGE-PLUGIN-RINGSMITH-1... Keys of these kinds
encrypt; those of ml-dsa-44, ml-dsa-65 and ml-dsa-87 sign, and are PEM.

With -p the file is an age file itself, which a passphrase opens; whatever takes a private key takes
it and asks for the passphrase. What is typed is not shown; --passphrase-file is for scripts.

Examples:
  ringsmith keygen -o key.txt
  ringsmith keygen -p -o key.age
  ringsmith keygen --kind sntrup761x25519 -o key.txt
  ringsmith keygen -y key.txt > recipients.txt
  ringsmith keygen --kind ml-dsa-65 -o alice.key --public alice.pub";

const ENCRYPT_EXAMPLES: &str = "\
The file is in the age format, which age 1.3 and other tools decrypt. Post-quantum recipients
(age1pq1..., age1ringsmith1...) and classical ones (age1...) cannot be mixed. No file is overwritten.
`ringsmith pke encrypt` is for short messages to keys of NTRUEncrypt.

A passphrase is asked for on the terminal, twice, and never taken from an argument; where nothing is
typed, one of seven words is made and shown. A script names a file that holds it, or a descriptor.

Examples:
  ringsmith encrypt -R recipients.txt -o letter.age letter.txt
  ringsmith encrypt -p -o letter.age letter.txt
  pass show backup | ringsmith encrypt -p --passphrase-file - -o home.tar.age home.tar
  tar c papers | ringsmith encrypt -r age1pq1... > papers.tar.age
  ringsmith encrypt -i key.txt --armor notes.txt";

const DECRYPT_EXAMPLES: &str = "\
What a pipe gets is authentic as far as it goes; where the file is damaged later on, the command
ends with an error. A file that is named with -o appears only if all is well.

Whoever makes a file chooses how much work its passphrase takes. What takes more than 1 GiB is
refused, unless --max-work-factor is given.

Examples:
  ringsmith decrypt -i key.txt -o letter.txt letter.age
  ringsmith decrypt -o letter.txt letter.age
  ringsmith decrypt -i key.txt papers.tar.age | tar x";

const SIGN_EXAMPLES: &str = "\
A key is made by `ringsmith keygen --kind ml-dsa-65`. The signature is binary, the bytes of FIPS 204
alone (2420, 3309 or 4627), which OpenSSL 3.5 and others verify. It stands beside the file, which is
read piece by piece. Two signatures of a file differ, unless --deterministic is given. No file is
overwritten.

Examples:
  ringsmith sign -i alice.key -o letter.sig letter.txt
  ringsmith sign -i alice.key --context 'release of example' -o example.sig example.tar
  tar c papers | ringsmith sign -i alice.key > papers.sig";

const VERIFY_EXAMPLES: &str = "\
Exit code 0 and a line where the signature is good; 1 and a sentence where it is not, whatever is
wrong with it; 2 where a file can't be read or holds no key. Of a certificate the key is taken, with
a warning where the certificate is not valid now. Take key or certificate from a place that you
trust: a certificate that its own key signed proves nothing about the name in it.

Examples:
  ringsmith verify --public alice.pub -s letter.sig letter.txt
  ringsmith verify --public alice.crt -s example.sig example.tar && tar xf example.tar
  tar c papers | ringsmith verify --public alice.pub -s papers.sig";

const CERTIFICATE_EXAMPLES: &str = "\
The certificate is PEM (X.509, RFC 9881). It says that the key is the subject's, for signatures but
not for certificates of others, and is signed by the key itself: to rely on it, get it from a source
that you trust.

Examples:
  ringsmith certificate -i alice.key --subject 'CN=Alice' -o alice.crt
  ringsmith certificate -i alice.key --subject 'CN=Alice,O=Example,C=CH' --days 30 > alice.crt";

const PKE_EXAMPLES: &str = "\
NTRUEncrypt is here for research and compatibility with what exists. A message has at most 49 to
247 bytes, by the set: `ringsmith schemes` lists them. `ringsmith encrypt` is for files, of any
length, in the age format, and for whatever is new.

Examples:
  ringsmith pke keygen -o bob.key --public bob.pub
  ringsmith pke encrypt -R bob.pub -o to-bob.ct message
  ringsmith pke decrypt -i bob.key to-bob.ct";

const INSPECT_EXAMPLES: &str = "\
Nothing secret is shown. A key is checked as its standard asks for. An age file does not tell for
which keys it is, only of which kinds they are; with -i it is tried whether a key opens it, and all
of it is checked then.

Examples:
  ringsmith inspect letter.age
  ringsmith inspect -i key.txt letter.age
  ringsmith inspect bob.key
  ringsmith inspect alice.crt
  ringsmith inspect --scheme ML-KEM-768 seed.bin";

const TOUR_EXAMPLES: &str = "\
A line for each thing that there is to do, by the commands that do it, or by the library where no
command does; then all schemes and all routes of all rings. Each product is compared with the
schoolbook definition. Ends with exit code 1 if one differs.

Examples:
  ringsmith tour
  ringsmith tour --keep tried letter.txt
  RINGSMITH_CPU=sse2 ringsmith tour";

const RINGS_EXAMPLES: &str = "\
Examples:
  ringsmith rings
  ringsmith rings --ring 'Z_12289[x]/(x^1024+1)'";

const PLAN_EXAMPLES: &str = "\
Times are predicted by a model of costs: a few numbers for each backend, of this machine once they
were measured. `ringsmith multiply` chooses by them too. They are in $XDG_CACHE_HOME/ringsmith or
~/.cache/ringsmith.

Examples:
  ringsmith plan 'Z_4096[x]/(x^743-x-1)'
  ringsmith plan --measure 'Z_(2^60-93)[x]/(x^1024+1)' --small 1";

const MULTIPLY_EXAMPLES: &str = "\
A polynomial is a line of as many coefficients as the ring's degree, the constant term first,
separated by spaces or commas, each from -q/2 to q - 1. Blank lines and lines that start with #
are skipped.

Examples:
  ringsmith multiply --ring 'Z_3329[x]/(x^256+1)' a.txt b.txt
  generate | ringsmith multiply --ring 'z_3329[x] / (x^256 + 1)' --check - b.txt > c.txt
  ringsmith multiply --ring 'Z_2048[x]/(x^509-1)' --route karatsuba:3 --centred -o c.txt a.txt b.txt";

const BENCH_EXAMPLES: &str = "\
Figures are the least of many batches. RINGSMITH_CPU restricts them to one backend.

Examples:
  ringsmith bench --only kem/ML-KEM-768/
  ringsmith bench --only /product/
  ringsmith bench --only 'Z_3329[x]/(x^256+1)' --json rows.json
  ringsmith bench --table newhope-compact --svg compact.svg
  ringsmith bench --table ntru-prime
  RINGSMITH_CPU=sse2 ringsmith bench --time 100";

const OPENSSL_EXAMPLES: &str = "\
The provider is a shared object, libringsmith_ossl.so of `cargo build --release -p ringsmith-ossl`,
under any name. OPENSSL_CONF names the configuration to programs that stand on OpenSSL: openssl,
curl, nginx.

Examples:
  ringsmith openssl-config ringsmith.so > openssl.cnf
  OPENSSL_CONF=openssl.cnf curl https://example.org/
  ringsmith openssl-config --groups X25519MLKEM768 ringsmith.so > strict.cnf";

const COMPLETIONS_EXAMPLES: &str = "\
Every shell completes commands and options. Bash, zsh and fish complete the names of schemes,
kinds of keys and routes too, and bash and zsh those of rings.

Examples:
  ringsmith completions bash > ~/.local/share/bash-completion/completions/ringsmith
  ringsmith completions fish > ~/.config/fish/completions/ringsmith.fish";

const MAN_EXAMPLES: &str = "\
Examples:
  ringsmith man | man -l -
  ringsmith man ~/.local/share/man/man1";

/// The version, and the CPU backends of this machine.
fn version() -> String {
    let cpus: Vec<_> = Cpu::available().map(Cpu::name).collect();
    format!("{} (CPU backends of this machine: {})", env!("CARGO_PKG_VERSION"), cpus.join(", "))
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if !error.is_closed_pipe() {
                // Where standard error is gone too, the exit code is all that is left to say.
                let _ = writeln!(io::stderr(), "ringsmith: {}", escaped(&error.to_string()));
                error.picture().iter().for_each(|line| {
                    let _ = writeln!(io::stderr(), "{line}");
                });
            }
            ExitCode::from(error.exit_code())
        }
    }
}

fn run() -> Result<(), Error> {
    output::heed_no_size_limit();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(answer) => return usage::answer(&answer),
    };
    match &cli.command {
        Command::Tour(args) => tour::run(args),
        Command::Keygen(args) => args.run(),
        Command::Encrypt(args) => args.run(),
        Command::Decrypt(args) => args.run(),
        Command::Sign(args) => args.run(),
        Command::Verify(args) => args.run(),
        Command::Certificate(args) => args.run(),
        Command::Kem(args) => kem::run(args),
        Command::Pke(args) => pke::run(args),
        Command::Exchange(args) => exchange::run(args),
        Command::Schemes => schemes::run(),
        Command::Inspect(args) => inspect::run(args),
        Command::Rings(args) => rings::run(args),
        Command::Plan(args) => plan::run(args),
        Command::Multiply(args) => multiply::run(args),
        Command::Bench(args) => bench::run(args),
        Command::OpensslConfig(args) => openssl::run(args),
        Command::Completions(args) => pages::completions(args),
        Command::Man(args) => pages::man(args),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use std::collections::{BTreeMap, BTreeSet};

    /// The long names that each short option has, in a command and those below it.
    fn collect(command: &clap::Command, names: &mut BTreeMap<char, BTreeSet<String>>) {
        for option in command.get_arguments() {
            if let (Some(short), Some(long)) = (option.get_short(), option.get_long()) {
                names.entry(short).or_default().insert(long.into());
            }
        }
        command.get_subcommands().for_each(|below| collect(below, names));
    }

    /// Protects: a short option means the same in every command. Two have two names: `-s` is the file of a
    /// secret where keys are agreed on, and of a signature where one is made or verified; `-R` is a file of
    /// public keys, of one where a scheme takes one.
    #[test]
    fn short_options_have_one_meaning() {
        let mut names = BTreeMap::new();
        collect(&Cli::command(), &mut names);
        names.retain(|_, long| long.len() > 1);
        let twice = [('R', ["recipient-file", "recipients-file"]), ('s', ["secret", "signature"])];
        assert_eq!(names, twice.map(|(short, long)| (short, long.map(String::from).into())).into());
    }
}
