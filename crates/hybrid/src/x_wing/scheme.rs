//! X-Wing among the schemes that have names: its operations on encoded bytes.

use super::{CT_BYTES, DK_BYTES, DecapsulationKey, EK_BYTES, EncapsulationKey};
use rand_core::CryptoRng;
use ringsmith_kem::scheme::{Scheme, SchemeError, Seed, Status};
use ringsmith_simd::Cpu;

/// Bytes of a shared key.
const SHARED_KEY: usize = 32;

/// ML-KEM-768 and X25519, for tools that serve schemes by their names. A private key is its own seed; keys
/// have neither DER nor PEM.
///
/// ```
/// use ringsmith_hybrid::x_wing::SCHEME;
///
/// assert_eq!((SCHEME.public_key, SCHEME.private_key, SCHEME.ciphertext), (1216, 32, 1120));
/// ```
pub static SCHEME: Scheme = Scheme {
    name: "X-Wing",
    status: Status::Draft,
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

/// Room for bytes of the scheme's number.
fn room<'a, const N: usize>(what: &'static str, to: &'a mut [u8]) -> Result<&'a mut [u8; N], SchemeError> {
    let given = to.len();
    to.try_into().map_err(|_| SchemeError::Length { what, expected: N, given })
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
    let (public, private): (_, &mut [u8; DK_BYTES]) =
        (room("public key", public)?, room("private key", private)?);
    let key = DecapsulationKey::generate_on(cpu, rng);
    *public = key.encapsulation_key().to_bytes();
    private.copy_from_slice(key.to_bytes().as_slice());
    Ok(())
}

fn expand(cpu: Cpu, seed: &[u8], public: &mut [u8], private: &mut [u8]) -> Result<(), SchemeError> {
    let seed: &[u8; DK_BYTES] = exactly("seed", seed)?;
    let private: &mut [u8; DK_BYTES] = room("private key", private)?;
    public_key_of(cpu, seed, public)?;
    private.copy_from_slice(seed);
    Ok(())
}

fn check_public_key(cpu: Cpu, public: &[u8]) -> Result<(), SchemeError> {
    key(cpu, public).map(|_| ())
}

fn public_key_of(cpu: Cpu, private: &[u8], public: &mut [u8]) -> Result<(), SchemeError> {
    let (private, public) = (exactly("private key", private)?, room("public key", public)?);
    *public = DecapsulationKey::from_bytes_on(cpu, private).encapsulation_key().to_bytes();
    Ok(())
}

fn encapsulate(
    cpu: Cpu,
    public: &[u8],
    rng: &mut dyn CryptoRng,
    ciphertext: &mut [u8],
    shared: &mut [u8],
) -> Result<(), SchemeError> {
    let key = key(cpu, public)?;
    let ciphertext: &mut [u8; CT_BYTES] = room("ciphertext", ciphertext)?;
    let shared: &mut [u8; SHARED_KEY] = room("shared key", shared)?;
    let (made, secret) = key.encapsulate(rng);
    *ciphertext = made;
    shared.copy_from_slice(secret.as_bytes());
    Ok(())
}

fn decapsulate(cpu: Cpu, private: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> Result<(), SchemeError> {
    let (private, ciphertext) = (exactly("private key", private)?, exactly("ciphertext", ciphertext)?);
    let shared: &mut [u8; SHARED_KEY] = room("shared key", shared)?;
    let secret = DecapsulationKey::from_bytes_on(cpu, private).decapsulate(ciphertext);
    shared.copy_from_slice(secret.as_bytes());
    Ok(())
}
