//! The program, and what a bare machine needs to run it.

use crate::digests::FILES;
use crate::nist::{Draws, NoFile, memory, write_response_file};
use core::fmt::{self, Write};
use core::panic::PanicInfo;
use ringsmith_kem::scheme::Scheme;
use ringsmith_ml_kem::{ml_kem_512, ml_kem_768, ml_kem_1024};
use ringsmith_new_hope::compact_512;
use ringsmith_simd::Cpu;
use semihosting::{println, process};
use sha2::{Digest, Sha256};

const SCHEMES: [&Scheme; 4] =
    [&ml_kem_512::SCHEME, &ml_kem_768::SCHEME, &ml_kem_1024::SCHEME, &compact_512::SCHEME];
/// Bytes of the longest keys and ciphertext.
const MEMORY: usize = {
    let (mut most, mut i) = (0, 0);
    while i < SCHEMES.len() {
        let bytes = memory(SCHEMES[i]);
        most = if bytes > most { bytes } else { most };
        i += 1;
    }
    most
};

/// The digest of what is written to it.
struct Digested(Sha256);

impl Write for Digested {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text);
        Ok(())
    }
}

/// Whether a scheme's file has the digest that it must have.
fn is_right(scheme: &Scheme) -> Result<bool, NoFile> {
    let (mut memory, mut file) = ([0; MEMORY], Digested(Sha256::new()));
    write_response_file(Cpu::detect(), scheme, 100, Draws::AsSubmitted, &mut memory, &mut file)?;
    let digest = file.0.finalize();
    let expected = FILES.iter().find(|(name, _)| *name == scheme.name).map_or("", |(_, digest)| *digest);
    let digits = |byte: &u8| [byte >> 4, byte & 15].map(|digit| b"0123456789abcdef"[digit as usize]);
    Ok(digest.iter().flat_map(digits).eq(expected.bytes()))
}

#[cortex_m_rt::entry]
fn main() -> ! {
    let mut wrong = 0;
    for scheme in SCHEMES {
        let outcome = is_right(scheme);
        match &outcome {
            Ok(true) => println!("{}: right", scheme.name),
            Ok(false) => println!("{}: WRONG", scheme.name),
            Err(why) => println!("{}: {why}", scheme.name),
        }
        wrong += !matches!(outcome, Ok(true)) as i32;
    }
    process::exit(wrong)
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    println!("{info}");
    process::exit(101)
}
