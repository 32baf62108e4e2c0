//! X-Wing among the schemes of key encapsulation: the library has it as types alone.

use rand_core::CryptoRng;
use ringsmith::Cpu;
use ringsmith::scheme::{Scheme, SchemeError, Seed, Status};
use ringsmith::x_wing::{CT_BYTES, DK_BYTES, DecapsulationKey, EK_BYTES, EncapsulationKey};

/// Bytes of a shared key.
const SHARED_KEY: usize = 32;

/// ML-KEM-768 and X25519. Private keys are their seed.
pub(crate) static X_WING: Scheme = Scheme {
    name: "X-Wing",
    status: Status::Research,
    source: "draft-connolly-cfrg-xwing-kem",
    cca: true,
    public_key: EK_BYTES,
    private_key: DK_BYTES,
    ciphertext: CT_BYTES,
    shared_key: SHARED_KEY,
    generate,
    seed: Some(Seed { bytes: DK_BYTES, expand }),
    check_public_key,
    public_key_of: Some(public_key_of),
    encapsulate,
    decapsulate,
    encoding: None,
};

/// Bytes, of the scheme's number.
fn exactly<'a, const N: usize>(what: &'static str, bytes: &'a [u8]) -> Result<&'a [u8; N], SchemeError> {
    bytes.try_into().map_err(|_| SchemeError::Length { what, expected: N, given: bytes.len() })
}

/// Writes bytes where there is room for as many.
fn write(what: &'static str, bytes: &[u8], to: &mut [u8]) -> Result<(), SchemeError> {
    let (expected, given) = (bytes.len(), to.len());
    if expected != given {
        return Err(SchemeError::Length { what, expected, given });
    }
    to.copy_from_slice(bytes);
    Ok(())
}

fn key(cpu: Cpu, public: &[u8]) -> Result<EncapsulationKey, SchemeError> {
    let public = exactly("public key", public)?;
    EncapsulationKey::from_bytes_on(cpu, public).map_err(|_| SchemeError::InvalidKey)
}

fn generate(
    cpu: Cpu,
    rng: &mut dyn CryptoRng,
    public: &mut [u8],
    private: &mut [u8],
) -> Result<(), SchemeError> {
    let key = DecapsulationKey::generate_on(cpu, rng);
    write("public key", &key.encapsulation_key().to_bytes(), public)?;
    write("private key", key.to_bytes().as_slice(), private)
}

fn expand(cpu: Cpu, seed: &[u8], public: &mut [u8], private: &mut [u8]) -> Result<(), SchemeError> {
    let seed: &[u8; DK_BYTES] = exactly("seed", seed)?;
    public_key_of(cpu, seed, public)?;
    write("private key", seed, private)
}

fn check_public_key(cpu: Cpu, public: &[u8]) -> Result<(), SchemeError> {
    key(cpu, public).map(|_| ())
}

fn public_key_of(cpu: Cpu, private: &[u8], public: &mut [u8]) -> Result<(), SchemeError> {
    let key = DecapsulationKey::from_bytes_on(cpu, exactly("private key", private)?);
    write("public key", &key.encapsulation_key().to_bytes(), public)
}

fn encapsulate(
    cpu: Cpu,
    public: &[u8],
    rng: &mut dyn CryptoRng,
    ciphertext: &mut [u8],
    shared: &mut [u8],
) -> Result<(), SchemeError> {
    let (made, secret) = key(cpu, public)?.encapsulate(rng);
    write("ciphertext", &made, ciphertext)?;
    write("shared key", secret.as_bytes(), shared)
}

fn decapsulate(cpu: Cpu, private: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> Result<(), SchemeError> {
    let key = DecapsulationKey::from_bytes_on(cpu, exactly("private key", private)?);
    let secret = key.decapsulate(exactly("ciphertext", ciphertext)?);
    write("shared key", secret.as_bytes(), shared)
}
