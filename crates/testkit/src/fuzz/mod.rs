//! What random bytes are fed to: every decoder of bytes, with what must hold whatever the bytes are.
//!
//! No target may panic. What is accepted must come back the same from its own encoding, and every CPU backend
//! must come to the same answer. `cargo xtask fuzz` runs the targets in libFuzzer; any program can run them
//! on bytes of its own.
//!
//! ```
//! let target = ringsmith_testkit::fuzz::by_name("names").unwrap();
//! (target.seeds)().iter().for_each(|seed| (target.run)(seed));
//! ```

mod any;
mod encryption;
#[cfg(feature = "files")]
mod files;
mod signature;
#[cfg(feature = "tls")]
mod tls;
mod verify;

use crate::nist;
use crate::vectors::{Run, Selection};
use ringsmith::encoding::{read_private_key, read_public_key};
use ringsmith::scheme::{self, Scheme};
use ringsmith_oracle::Random;
use ringsmith_ring::Route;
use ringsmith_simd::Cpu;
use std::sync::LazyLock;

/// Something that takes bytes from anywhere.
pub struct Target {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it decodes.
    pub about: &'static str,
    /// Decodes, and checks what it decoded.
    ///
    /// # Panics
    /// Where something is wrong.
    pub run: fn(&[u8]),
    /// Bytes that are whole: where to start from.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// Every target.
pub static ALL: &[Target] = &[
    Target {
        name: "public-key",
        about: "public keys in PEM, DER or raw",
        run: public_key,
        seeds: public_keys,
    },
    Target {
        name: "private-key",
        about: "private keys in PEM, DER or raw",
        run: private_key,
        seeds: private_keys,
    },
    Target {
        name: "raw-public-key",
        about: "bytes of a public key's length, on every backend",
        run: raw_public_key,
        seeds: || EXCHANGES.iter().map(|exchange| exchange.public.clone()).collect(),
    },
    Target {
        name: "ciphertext",
        about: "bytes of a ciphertext's length, on every backend",
        run: ciphertext,
        seeds: || EXCHANGES.iter().map(|exchange| exchange.ciphertext.clone()).collect(),
    },
    Target {
        name: "encryption-public-key",
        about: "public keys of public-key encryption in PEM, DER or raw",
        run: encryption::public_key,
        seeds: encryption::public_keys,
    },
    Target {
        name: "encryption-private-key",
        about: "bytes of its private keys' lengths, on every backend",
        run: encryption::private_key,
        seeds: encryption::private_keys,
    },
    Target {
        name: "encrypted-message",
        about: "bytes of its ciphertexts' lengths, on every backend",
        run: encryption::ciphertext,
        seeds: encryption::ciphertexts,
    },
    Target {
        name: "verifying-key",
        about: "public keys of signatures in PEM or DER",
        run: signature::public_key,
        seeds: signature::public_keys,
    },
    Target {
        name: "signing-key",
        about: "private keys of signatures in PEM or DER, in every form",
        run: signature::private_key,
        seeds: signature::private_keys,
    },
    Target {
        name: "long-signing-key",
        about: "bytes of their length in the long form, on every backend",
        run: signature::long_key,
        seeds: signature::long_keys,
    },
    Target {
        name: "signature",
        about: "signatures, with their keys, contexts and messages, on every backend and by another library",
        run: verify::signature,
        seeds: verify::signatures,
    },
    Target {
        name: "context",
        about: "contexts of every length",
        run: signature::context,
        seeds: signature::contexts,
    },
    Target { name: "vectors", about: "files of test vectors", run: vectors, seeds: vector_files },
    Target { name: "names", about: "names of routes and schemes", run: names, seeds: all_names },
    Target {
        name: "rings",
        about: "ring expressions, and products in small rings, against the definition",
        run: any::rings,
        seeds: any::expressions,
    },
    #[cfg(feature = "tls")]
    Target {
        name: "client-share",
        about: "key shares of clients of TLS, of every length, on every backend",
        run: tls::client_share,
        seeds: tls::client_shares,
    },
    #[cfg(feature = "tls")]
    Target {
        name: "server-share",
        about: "key shares of servers of TLS, of every length, on every backend",
        run: tls::server_share,
        seeds: tls::server_shares,
    },
    #[cfg(feature = "files")]
    Target {
        name: "key-text",
        about: "keys of encrypted files as text",
        run: files::key_text,
        seeds: files::key_texts,
    },
    #[cfg(feature = "files")]
    Target {
        name: "stanza",
        about: "the part of an encrypted file's header that is for a key",
        run: files::stanza,
        seeds: files::stanzas,
    },
    #[cfg(feature = "files")]
    Target {
        name: "header",
        about: "encrypted files, binary or text, up to their contents",
        run: files::header,
        seeds: files::whole,
    },
    #[cfg(feature = "files")]
    Target {
        name: "commands",
        about: "what a client sends to the plugin",
        run: files::commands,
        seeds: files::sessions,
    },
];

/// A target by its name.
pub fn by_name(name: &str) -> Option<&'static Target> {
    ALL.iter().find(|target| target.name == name)
}

/// `bytes` with a random byte in one place, and what is before that place.
///
/// # Panics
/// Where there are no bytes.
pub fn neighbours(bytes: &[u8], random: &mut Random) -> [Vec<u8>; 2] {
    let mut changed = bytes.to_vec();
    let at = random.within(0, bytes.len() as i64 - 1) as usize;
    changed[at] = random.word() as u8;
    [changed, bytes[..at].to_vec()]
}

/// A key pair, and a ciphertext for it.
struct Exchange {
    scheme: &'static Scheme,
    public: Vec<u8>,
    private: Vec<u8>,
    ciphertext: Vec<u8>,
    shared: Vec<u8>,
}

/// One for each scheme, always the same.
static EXCHANGES: LazyLock<Vec<Exchange>> = LazyLock::new(|| {
    let exchange = |&scheme: &&'static Scheme| {
        let (cpu, mut random) = (Cpu::detect(), Random::new(1));
        let (mut public, mut private) = (vec![0; scheme.public_key], vec![0; scheme.private_key]);
        let (mut ciphertext, mut shared) = (vec![0; scheme.ciphertext], vec![0; scheme.shared_key]);
        (scheme.generate)(cpu, &mut random, &mut public, &mut private).expect("the scheme's own lengths");
        (scheme.encapsulate)(cpu, &public, &mut random, &mut ciphertext, &mut shared).expect("its own key");
        Exchange { scheme, public, private, ciphertext, shared }
    };
    scheme::ALL.iter().map(exchange).collect()
});

fn public_keys() -> Vec<Vec<u8>> {
    let forms = |Exchange { scheme, public, .. }: &Exchange| {
        let der = scheme.public_key_to_der(Cpu::detect(), public).ok().map(|der| der.to_vec());
        let pem = scheme.public_key_to_pem(Cpu::detect(), public).ok().map(String::into_bytes);
        [Some(public.clone()), der, pem].into_iter().flatten()
    };
    EXCHANGES.iter().flat_map(forms).collect()
}

fn public_key(bytes: &[u8]) {
    let cpu = Cpu::detect();
    let Ok(key) = read_public_key(cpu, bytes, None) else { return };
    if key.scheme.encoding.is_some() {
        let der = key.scheme.public_key_to_der(cpu, &key.bytes).expect("a key that was read");
        let again = read_public_key(cpu, der.as_bytes(), Some(key.scheme)).expect("a key that was written");
        assert_eq!(again.bytes, key.bytes);
    }
    let (mut ciphertext, mut shared) = (vec![0; key.scheme.ciphertext], vec![0; key.scheme.shared_key]);
    (key.scheme.encapsulate)(cpu, &key.bytes, &mut Random::new(1), &mut ciphertext, &mut shared)
        .expect("a key that was read");
}

fn private_keys() -> Vec<Vec<u8>> {
    let forms = |Exchange { scheme, private, .. }: &Exchange| {
        let seed = scheme.seed.as_ref().map(|seed| (0..seed.bytes).map(|i| i as u8).collect::<Vec<_>>());
        let forms = seed.into_iter().chain([private.clone()]).flat_map(|key| {
            let der = scheme.private_key_to_der(Cpu::detect(), &key).ok().map(|der| der.as_bytes().to_vec());
            let pem = scheme.private_key_to_pem(Cpu::detect(), &key).ok().map(|pem| pem.as_bytes().to_vec());
            [Some(key), der, pem].into_iter().flatten()
        });
        forms.collect::<Vec<_>>()
    };
    EXCHANGES.iter().flat_map(forms).collect()
}

/// A private key's bytes may hold numbers that are reduced when they are read: its own encoding holds them
/// reduced, and is the same key.
fn private_key(bytes: &[u8]) {
    let cpu = Cpu::detect();
    let Ok(key) = read_private_key(cpu, bytes, None) else { return };
    let scheme = key.scheme;
    if scheme.encoding.is_none() {
        return;
    }
    let der = scheme.private_key_to_der(cpu, key.short()).expect("a key that was read");
    let again = read_private_key(cpu, der.as_bytes(), Some(scheme)).expect("a key that was written");
    let twice = scheme.private_key_to_der(cpu, again.short()).expect("a key that was read");
    assert_eq!(twice.as_bytes(), der.as_bytes());
    let [one, other] = [&key, &again].map(|key| {
        let (mut public, mut shared) = (vec![0; scheme.public_key], vec![0; scheme.shared_key]);
        let public_key_of = scheme.public_key_of.expect("a scheme with an encoding has it");
        public_key_of(cpu, &key.bytes, &mut public).expect("a key that was read");
        (scheme.check_public_key)(cpu, &public).expect("the public key of a private one");
        (scheme.decapsulate)(cpu, &key.bytes, &vec![0; scheme.ciphertext], &mut shared)
            .expect("any ciphertext has a shared key");
        (public, shared)
    });
    assert_eq!(one, other);
}

/// The scheme whose `length` is closest, and the bytes cut or filled up to it.
fn fitted(bytes: &[u8], length: fn(&Scheme) -> usize) -> (&'static Scheme, Vec<u8>) {
    let distance = |scheme: &&'static Scheme| length(scheme).abs_diff(bytes.len());
    let scheme = scheme::ALL.iter().copied().min_by_key(distance).expect("there are schemes");
    let mut fitted = bytes.to_vec();
    fitted.resize(length(scheme), 0);
    (scheme, fitted)
}

/// What every backend answers.
fn same_everywhere<T: PartialEq>(answer: impl Fn(Cpu) -> T) -> T {
    let mut answers = Cpu::available().map(|cpu| (cpu, answer(cpu)));
    let (best, first) = answers.next().expect("there is a backend");
    for (cpu, other) in answers {
        assert!(other == first, "{cpu:?} and {best:?} differ");
    }
    first
}

fn raw_public_key(bytes: &[u8]) {
    let (scheme, key) = fitted(bytes, |scheme| scheme.public_key);
    let valid = same_everywhere(|cpu| (scheme.check_public_key)(cpu, &key).is_ok());
    let made = same_everywhere(|cpu| {
        let (mut ciphertext, mut shared) = (vec![0; scheme.ciphertext], vec![0; scheme.shared_key]);
        (scheme.encapsulate)(cpu, &key, &mut Random::new(1), &mut ciphertext, &mut shared)
            .ok()
            .map(|()| (ciphertext, shared))
    });
    assert_eq!(valid, made.is_some());
}

fn ciphertext(bytes: &[u8]) {
    let (scheme, ciphertext) = fitted(bytes, |scheme| scheme.ciphertext);
    let own = EXCHANGES.iter().find(|exchange| exchange.scheme.name == scheme.name).expect("one of each");
    let shared = same_everywhere(|cpu| {
        let mut shared = vec![0; scheme.shared_key];
        (scheme.decapsulate)(cpu, &own.private, &ciphertext, &mut shared).map(|()| shared)
    });
    let shared = shared.expect("any ciphertext has a shared key");
    if scheme.cca || ciphertext == own.ciphertext {
        assert_eq!(shared == own.shared, ciphertext == own.ciphertext);
    }
}

/// Vectors of key exchanges, whose values are too short.
const OF_EXCHANGES: [&str; 3] = [
    "DRBG_SeedA = 00\nH_OutputA = 00\nDRBG_SeedB = 00\nH_OutputB = 00\nSharedKey = 00\n",
    concat!(
        r#"[{"index":0,"alice_seed":"00","alice_noiseseed":"00","bob_noiseseed":"00","#,
        r#""msg_a":"00","msg_b":"00","key":"00"}]"#,
    ),
    concat!(
        r#"{"mode":"raw","vectors":[{"count":0,"alice_random":["00","00"],"bob_random":["00"],"#,
        r#""msg_a":"00","msg_b":"00","key":"00"}]}"#,
    ),
];

/// One of public-key encryption, likewise.
const OF_ENCRYPTION: &str = concat!(
    r#"{"param_set":"ees401ep1","vectors":[{"key":0,"keygen_random":["00"],"pub_blob":"00","#,
    r#""priv_blob":"00","tests":[{"msg":"00","b_tries":["00"],"ct":"00"}]}]}"#,
);

/// Vectors of signatures, likewise.
const OF_SIGNATURES: [&str; 3] = [
    concat!(
        r#"{"algorithm":"ML-DSA","mode":"sigVer","revision":"FIPS204","testGroups":[{"tgId":1,"#,
        r#""parameterSet":"ML-DSA-44","signatureInterface":"external","preHash":"pure","tests":["#,
        r#"{"tcId":1,"pk":"00","message":"00","context":"","signature":"00","testPassed":false}]}]}"#,
    ),
    concat!(
        r#"{"algorithm":"ML-DSA-44","schema":"","numberOfTests":1,"testGroups":[{"type":"MlDsaSign","#,
        r#""privateSeed":"00","tests":[{"tcId":1,"result":"invalid","msg":"00","sig":""}]}]}"#,
    ),
    concat!(
        r#"{"note":"","tests":[{"parameterSet":"ML-DSA-44","comment":"","pk":"00","msg":"","ctx":"","#,
        r#""sig":"","valid":false}]}"#,
    ),
];

fn vector_files() -> Vec<Vec<u8>> {
    let response = |scheme: &Scheme| {
        crate::response_file(Cpu::detect(), scheme, 1, nist::Draws::AtOnce).expect("its own keys")
    };
    let json = [
        concat!(
            r#"{"algorithm":"ML-KEM","mode":"keyGen","revision":"FIPS203","testGroups":[{"tgId":1,"#,
            r#""parameterSet":"ML-KEM-512","tests":[{"tcId":1,"d":"00","z":"00","ek":"00","dk":"00"}]}]}"#,
        ),
        concat!(
            r#"{"algorithm":"ML-KEM","testGroups":[{"type":"MLKEMTest","parameterSet":"ML-KEM-512","#,
            r#""tests":[{"tcId":1,"seed":"00","ek":"00","c":"00","K":"00","#,
            r#""result":"valid","flags":[],"comment":""}]}]}"#,
        ),
    ];
    let texts = json
        .into_iter()
        .chain(OF_SIGNATURES)
        .chain(OF_EXCHANGES)
        .chain([OF_ENCRYPTION])
        .map(|text| text.as_bytes().to_vec());
    scheme::ALL.iter().map(|scheme| response(scheme).into_bytes()).chain(texts).collect()
}

fn vectors(bytes: &[u8]) {
    // Whatever it says of them: it must say it.
    let _ = Run { cpu: Cpu::detect(), selection: Selection::All }.check(bytes);
}

fn all_names() -> Vec<Vec<u8>> {
    let names =
        ["rows", "ntt", "ntt:2", "k-red", "k-red-paper", "schoolbook", "karatsuba:3", "weimerskirch-paar:8"];
    let schemes = scheme::ALL.iter().map(|scheme| scheme.name);
    names.into_iter().chain(schemes).map(|name| name.as_bytes().to_vec()).collect()
}

fn names(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(route) = text.parse::<Route>() {
        assert_eq!(route.to_string().parse(), Ok(route));
    }
    if let Some(scheme) = scheme::by_name(text) {
        assert!(scheme.name.eq_ignore_ascii_case(text));
    }
}
