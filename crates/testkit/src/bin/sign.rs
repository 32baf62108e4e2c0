//! Signatures for programs of other libraries: what `cargo xtask interop` runs beside them. Keys are PEM,
//! contexts are hexadecimal digits, messages come by the standard input.
//!
//! ```text
//! sign keygen SET SEED                     the private key of a seed in hexadecimal digits
//! sign public SET KEY                      its public key
//! sign sign SET KEY CONTEXT                the signature of a message
//! sign sign-mu SET KEY                     that of 64 bytes
//! sign verify SET KEY SIGNATURE CONTEXT    whether it is one: the exit code is 1 where it is not
//! sign verify-mu SET KEY SIGNATURE
//! ```
#![forbid(unsafe_code)]

use ringsmith::encoding::{EncodedSet, read_signing_key, read_verifying_key};
use ringsmith::ml_dsa::{Context, MlDsa44, MlDsa65, MlDsa87, Mu};
use ringsmith::pkcs8::{EncodePrivateKey, EncodePublicKey, LineEnding};
use ringsmith::signature::{SigningKey, VerificationError, VerifyingKey};
use ringsmith_simd::Cpu;
use std::error::Error;
use std::io::{Read, Write};
use std::process::ExitCode;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn hex(text: &str) -> Outcome<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2).map(|pair| Ok(u8::from_str_radix(str::from_utf8(pair)?, 16)?));
    pairs.collect()
}

fn stdin() -> Outcome<Vec<u8>> {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn mu() -> Outcome<Mu> {
    Ok(Mu::from_bytes(stdin()?.try_into().map_err(|_| "not 64 bytes")?))
}

fn private<S: EncodedSet>(path: &str) -> Outcome<SigningKey<S>> {
    Ok(read_signing_key(Cpu::from_env()?, &std::fs::read(path)?)?)
}

fn public<S: EncodedSet>(path: &str) -> Outcome<VerifyingKey<S>> {
    Ok(read_verifying_key(Cpu::from_env()?, &std::fs::read(path)?)?)
}

/// What goes to the standard output; of verifying, nothing.
fn run<S: EncodedSet>(args: &[&str]) -> Outcome<Vec<u8>> {
    match *args {
        ["keygen", seed] => {
            let seed = hex(seed)?.try_into().map_err(|_| "not 32 bytes")?;
            Ok(SigningKey::<S>::from_seed(&seed).to_pkcs8_pem(LineEnding::LF)?.as_bytes().to_vec())
        }
        ["public", key] => {
            Ok(private::<S>(key)?.verifying_key().to_public_key_pem(LineEnding::LF)?.into_bytes())
        }
        ["sign", key, context] => {
            let context = hex(context)?;
            let made = private::<S>(key)?.sign_deterministic(Context::new(&context)?, &stdin()?)?;
            Ok(made.as_ref().to_vec())
        }
        ["sign-mu", key] => Ok(private::<S>(key)?.sign_mu_deterministic(&mu()?)?.as_ref().to_vec()),
        ["verify", key, signature, context] => {
            let (context, signature) = (hex(context)?, std::fs::read(signature)?);
            public::<S>(key)?.verify(Context::new(&context)?, &stdin()?, &signature)?;
            Ok(Vec::new())
        }
        ["verify-mu", key, signature] => {
            public::<S>(key)?.verify_mu(&mu()?, &std::fs::read(signature)?)?;
            Ok(Vec::new())
        }
        _ => Err("see the head of crates/testkit/src/bin/sign.rs".into()),
    }
}

fn of_set(args: &[&str]) -> Outcome<Vec<u8>> {
    let [what, set, rest @ ..] = args else { return run::<MlDsa44>(&[]) };
    let args = [&[*what][..], rest].concat();
    match *set {
        "ML-DSA-44" => run::<MlDsa44>(&args),
        "ML-DSA-65" => run::<MlDsa65>(&args),
        "ML-DSA-87" => run::<MlDsa87>(&args),
        other => Err(format!("no set `{other}`").into()),
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let written = of_set(&args).and_then(|out| Ok(std::io::stdout().write_all(&out)?));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) if why.is::<VerificationError>() => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("sign: {why}");
            ExitCode::from(2)
        }
    }
}
