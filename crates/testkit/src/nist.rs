//! The generator of NIST's known-answer tests, and the file that it makes of a scheme.
//!
//! AES-256 in counter mode (SP 800-90A, CTR_DRBG without derivation function), as in the submission package's `rng.c`. A run of 100
//! draws a seed of 48 bytes each from one generator that starts from 0, 1, .. 47; the generator of that seed then makes a key and a
//! ciphertext.

use aes::Aes256;
use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};
use rand_core::utils::next_word_via_fill;
use rand_core::{Infallible, Rng, TryCryptoRng, TryRng};
use ringsmith_schemes::scheme::{Scheme, SchemeError};
use ringsmith_simd::Cpu;
use std::fmt::Write;

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

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02X}").expect("a string takes what it is given");
        text
    })
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

/// What the first line of a scheme's response file says.
pub fn title(scheme: &Scheme) -> &'static str {
    TITLES.iter().find(|(name, _)| *name == scheme.name).map_or(scheme.name, |(_, title)| *title)
}

/// The response file of `count` runs.
///
/// # Errors
/// Where the scheme refuses what it made itself.
pub fn response_file(cpu: Cpu, scheme: &Scheme, count: usize) -> Result<String, SchemeError> {
    let mut seeds = Drbg::new(&std::array::from_fn(|i| i as u8));
    let mut text = format!("# {}\n\n", title(scheme));
    for i in 0..count {
        let mut seed = [0; 48];
        seeds.fill_bytes(&mut seed);
        let mut drbg = Drbg::new(&seed);
        let (mut pk, mut sk) = (vec![0; scheme.public_key], vec![0; scheme.private_key]);
        let (mut ct, mut ss) = (vec![0; scheme.ciphertext], vec![0; scheme.shared_key]);
        (scheme.generate)(cpu, &mut drbg, &mut pk, &mut sk)?;
        (scheme.encapsulate)(cpu, &pk, &mut drbg, &mut ct, &mut ss)?;
        let mut again = vec![0; scheme.shared_key];
        (scheme.decapsulate)(cpu, &sk, &ct, &mut again)?;
        assert_eq!(ss, again, "{} does not decapsulate what it encapsulated", scheme.name);
        text += &format!("count = {i}\nseed = {}\npk = {}\nsk = {}\n", hex(&seed), hex(&pk), hex(&sk));
        text += &format!("ct = {}\nss = {}\n\n", hex(&ct), hex(&ss));
    }
    Ok(text)
}
