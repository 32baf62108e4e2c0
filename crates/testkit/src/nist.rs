//! The generator of NIST's known-answer tests, and the file that it makes of a scheme.
//!
//! AES-256 in counter mode (SP 800-90A, CTR_DRBG without derivation function), as in the submission package's
//! `rng.c`. A run of 100 draws a seed of 48 bytes each from one generator that starts from 0, 1, .. 47; the
//! generator of that seed then makes a key and a ciphertext.
//!
//! Nothing is allocated, and nothing of an operating system is needed: the program for bare machines has this
//! file, too.

use aes::Aes256;
use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};
use core::fmt::{self, Write};
use rand_core::utils::next_word_via_fill;
use rand_core::{Infallible, Rng, TryCryptoRng, TryRng};
use ringsmith_kem::scheme::{Scheme, SchemeError};
use ringsmith_simd::Cpu;

/// CTR_DRBG with AES-256.
pub struct Drbg {
    key: [u8; 32],
    counter: u128,
}

impl Drbg {
    /// From 48 bytes.
    pub fn new(seed: &[u8; 48]) -> Self {
        let mut drbg = Drbg { key: [0; 32], counter: 0 };
        drbg.update(seed);
        drbg
    }

    fn block(&mut self) -> [u8; 16] {
        self.counter = self.counter.wrapping_add(1);
        let mut block = Array::from(self.counter.to_be_bytes());
        Aes256::new(&Array::from(self.key)).encrypt_block(&mut block);
        block.into()
    }

    fn update(&mut self, data: &[u8; 48]) {
        let mut fresh = [0; 48];
        fresh.chunks_exact_mut(16).for_each(|chunk| chunk.copy_from_slice(&self.block()));
        fresh.iter_mut().zip(data).for_each(|(byte, data)| *byte ^= data);
        self.key.copy_from_slice(&fresh[..32]);
        self.counter = u128::from_be_bytes(*fresh.last_chunk().expect("48 bytes"));
    }
}

impl TryRng for Drbg {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        next_word_via_fill(self)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        next_word_via_fill(self)
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        for chunk in out.chunks_mut(16) {
            chunk.copy_from_slice(&self.block()[..chunk.len()]);
        }
        self.update(&[0; 48]);
        Ok(())
    }
}

impl TryCryptoRng for Drbg {}

/// Bytes in hexadecimal digits.
pub(crate) struct Hex<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02X}"))
    }
}

/// The first lines of response files where they do not say the scheme's name.
const TITLES: [(&str, &str); 7] = [
    ("NewHope-CPA-512", "NewHope512-CPAKEM"),
    ("NewHope-CPA-1024", "NewHope1024-CPAKEM"),
    ("NewHope-CCA-512", "NewHope512-CCAKEM"),
    ("NewHope-CCA-1024", "NewHope1024-CCAKEM"),
    ("NewHope-Compact-512", "NewHope-Compact512-CCAKEM"),
    ("NewHope-Compact-768", "NewHope-Compact768-CCAKEM"),
    ("NewHope-Compact-1024", "NewHope-Compact1024-CCAKEM"),
];

/// What stands before the title in the files of a submission that draws one by one.
pub(crate) const FOLDER: &str = "kem/";

/// What the first line of a scheme's response file says.
pub fn title(scheme: &Scheme) -> &'static str {
    TITLES.iter().find(|(name, _)| *name == scheme.name).map_or(scheme.name, |(_, title)| *title)
}

/// How a scheme draws the numbers of an element that is sampled from numbers of four bytes each, as NTRU
/// Prime's are. It makes a difference, because the generator begins anew with each call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Draws {
    /// One by one, as the submission does.
    AsSubmitted,
    /// All by one call, as this library and others do.
    AtOnce,
}

/// A generator that draws the numbers of an element one by one.
pub(crate) struct OneByOne {
    drbg: Drbg,
    /// Bytes of an element, of schemes that are concerned.
    element: Option<usize>,
}

impl OneByOne {
    pub(crate) fn new(drbg: Drbg, scheme: &Scheme, draws: Draws) -> Self {
        OneByOne { drbg, element: Self::element(scheme).filter(|_| draws == Draws::AsSubmitted) }
    }

    /// Bytes of an element, of schemes that are concerned.
    fn element(scheme: &Scheme) -> Option<usize> {
        let degree = ["sntrup", "ntrulpr"].into_iter().find_map(|family| scheme.name.strip_prefix(family))?;
        degree.parse().ok().map(|p: usize| 4 * p)
    }
}

impl TryRng for OneByOne {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.drbg.try_next_u32()
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.drbg.try_next_u64()
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        if self.element != Some(out.len()) {
            return self.drbg.try_fill_bytes(out);
        }
        out.chunks_mut(4).try_for_each(|number| self.drbg.try_fill_bytes(number))
    }
}

impl TryCryptoRng for OneByOne {}

/// Why there is no response file.
#[derive(Debug)]
pub enum NoFile {
    /// The scheme refuses what it made itself.
    Refused(SchemeError),
    /// It does not decapsulate what it encapsulated.
    Different,
    /// What takes the text does not.
    Unwritten,
    /// The memory is too small.
    Memory,
}

impl fmt::Display for NoFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoFile::Refused(why) => write!(f, "the scheme refuses what it made itself: {why}"),
            NoFile::Different => f.write_str("the scheme does not decapsulate what it encapsulated"),
            NoFile::Unwritten => f.write_str("the text can't be written"),
            NoFile::Memory => f.write_str("not enough memory for a key and a ciphertext"),
        }
    }
}

impl From<SchemeError> for NoFile {
    fn from(why: SchemeError) -> Self {
        NoFile::Refused(why)
    }
}

impl From<fmt::Error> for NoFile {
    fn from(_: fmt::Error) -> Self {
        NoFile::Unwritten
    }
}

/// Bytes of memory that [`write_response_file`] takes.
pub const fn memory(scheme: &Scheme) -> usize {
    scheme.public_key + scheme.private_key + scheme.ciphertext + 2 * scheme.shared_key
}

/// Writes the response file of `count` runs.
///
/// # Errors
/// See [`NoFile`].
pub fn write_response_file(
    cpu: Cpu,
    scheme: &Scheme,
    count: usize,
    draws: Draws,
    memory: &mut [u8],
    out: &mut impl Write,
) -> Result<(), NoFile> {
    let mut seeds = Drbg::new(&core::array::from_fn(|i| i as u8));
    let submitted = OneByOne::element(scheme).is_some() && draws == Draws::AsSubmitted;
    let folder = if submitted { FOLDER } else { "" };
    write!(out, "# {folder}{}\n\n", title(scheme))?;
    let (pk, rest) = memory.split_at_mut_checked(scheme.public_key).ok_or(NoFile::Memory)?;
    let (sk, rest) = rest.split_at_mut_checked(scheme.private_key).ok_or(NoFile::Memory)?;
    let (ct, rest) = rest.split_at_mut_checked(scheme.ciphertext).ok_or(NoFile::Memory)?;
    let (ss, rest) = rest.split_at_mut_checked(scheme.shared_key).ok_or(NoFile::Memory)?;
    let again = rest.get_mut(..scheme.shared_key).ok_or(NoFile::Memory)?;
    for i in 0..count {
        let mut seed = [0; 48];
        seeds.fill_bytes(&mut seed);
        let mut drbg = OneByOne::new(Drbg::new(&seed), scheme, draws);
        (scheme.generate)(cpu, &mut drbg, pk, sk)?;
        (scheme.encapsulate)(cpu, pk, &mut drbg, ct, ss)?;
        (scheme.decapsulate)(cpu, sk, ct, again)?;
        if ss != again {
            return Err(NoFile::Different);
        }
        write!(out, "count = {i}\nseed = {}\npk = {}\nsk = {}\n", Hex(&seed), Hex(pk), Hex(sk))?;
        write!(out, "ct = {}\nss = {}\n\n", Hex(ct), Hex(ss))?;
    }
    Ok(())
}
