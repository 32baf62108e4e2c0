//! Ciphertexts that nobody made: one error, whatever is wrong with them. Some fail by one cause alone, which
//! the slow code of `shared` shows.

mod shared;

use ringsmith_kem::pke::PublicKeyEncryption;
use ringsmith_kem::scheme::SchemeError;
use ringsmith_ntruencrypt::{SCHEMES, libntru, ntruprime739};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use shared::{Set, Wrong, decrypted, in_turn, keys, sets};

/// Every set.
fn all() -> impl Iterator<Item = &'static PublicKeyEncryption> {
    SCHEMES.into_iter().chain(libntru::SCHEMES).chain(ntruprime739::SCHEMES)
}

/// A key of a set, and random bytes.
struct Scene {
    set: Set,
    public: Vec<u8>,
    private: Vec<u8>,
    f: Vec<i64>,
    random: Random,
}

impl Scene {
    fn of(set: Set) -> Self {
        let [public, private, drawn] = keys(set.scheme, 3);
        let f = set.combined(&set.f_of(&drawn[..2 * set.strength]).0);
        Scene { set, public, private, f, random: Random::new(5) }
    }

    fn random_bytes(&mut self) -> Vec<u8> {
        let mut bytes = vec![0; self.set.random];
        self.random.fill(&mut bytes);
        bytes
    }

    /// The ciphertext is refused on every backend, and the slow code finds this wrong with it alone.
    fn fails_by(&self, ciphertext: &[u8], wrong: Wrong) {
        let (set, opened) = (self.set, self.set.open(&self.public, &self.f, ciphertext));
        assert_eq!(opened.wrong, [wrong], "{}", set.scheme.name);
        for cpu in Cpu::available() {
            let found = decrypted(set.scheme, cpu, &self.private, ciphertext);
            assert_eq!(found, Err(SchemeError::Decryption), "{} {wrong:?} on {cpu:?}", set.scheme.name);
        }
    }

    /// A ciphertext of coefficients that `make` makes of those of a message, blinded as the message is, until
    /// it has this wrong alone.
    fn sealed(&mut self, length: usize, wrong: Wrong, make: impl Fn(&mut Vec<u8>, &mut Vec<i64>)) {
        let set = self.set;
        for _ in 0..200 {
            let (random, message) = (self.random_bytes(), vec![b'm'; length]);
            let mut plain = set.plain(&random, length, &message);
            make(&mut plain, &mut vec![0; set.n]);
            let mut coefficients = set.coefficients(&plain);
            make(&mut plain, &mut coefficients);
            let r = set.blinding(&message, &random, &self.public);
            let (ciphertext, _) = set.sealed(&self.public, &r, &coefficients);
            if set.open(&self.public, &self.f, &ciphertext).wrong == [wrong] {
                return self.fails_by(&ciphertext, wrong);
            }
        }
        panic!("{}: no ciphertext has {wrong:?} wrong alone", set.scheme.name);
    }
}

/// Protects: each check by itself.
#[test]
fn each_check() {
    for set in sets() {
        let mut scene = Scene::of(set);
        // Random bytes that would be drawn again: of these sets some of a hundred.
        if set.n == 401 {
            scene.sealed(9, Wrong::Least, |_, _| ());
        }
        scene.sealed(9, Wrong::Padding, |plain, _| *plain.last_mut().expect("bytes") = 1);
        scene.sealed(9, Wrong::Padding, |plain, _| plain[set.random + 1 + 9] = 0x80);
        scene.sealed(0, Wrong::Length, |plain, _| plain[set.random] = set.message as u8 + 1);
        scene.sealed(0, Wrong::Length, |plain, _| plain[set.random] = 0xff);
        // The last pair is behind all bytes of a short message.
        scene.sealed(9, Wrong::Pair, |_, coefficients| coefficients[set.n - 3..set.n - 1].fill(-1));
        scene.sealed(9, Wrong::Last, |_, coefficients| coefficients[set.n - 1] = 1);
        scene.sealed(9, Wrong::Last, |_, coefficients| coefficients[set.n - 1] = -1);
    }
}

/// Protects: what blinds a message must be what the message gives.
#[test]
fn another_blinding() {
    for set in sets() {
        let mut scene = Scene::of(set);
        let ciphertext = loop {
            let (random, other) = (scene.random_bytes(), scene.random_bytes());
            let r = set.blinding(b"a message", &other, &scene.public);
            let coefficients = set.coefficients(&set.plain(&random, 9, b"a message"));
            let (ciphertext, masked) = set.sealed(&scene.public, &r, &coefficients);
            if set.is_balanced(&masked) {
                break ciphertext;
            }
        };
        scene.fails_by(&ciphertext, Wrong::Blinding);
    }
}

/// A key of a set, and a ciphertext.
fn example(scheme: &PublicKeyEncryption) -> [Vec<u8>; 2] {
    let [public, private, _] = keys(scheme, 2);
    let mut ciphertext = vec![0; scheme.ciphertext];
    let cpu = Cpu::detect();
    (scheme.encrypt)(cpu, &public, b"a message", &mut Random::new(9), &mut ciphertext).expect("a key");
    assert_eq!(decrypted(scheme, cpu, &private, &ciphertext), Ok(b"a message".to_vec()));
    [private, ciphertext]
}

/// Protects: a ciphertext that is altered at any byte, in any of its set's, is refused, by the backends in
/// turn; bits behind the last coefficient are such, too.
#[test]
fn altered_ciphertexts() {
    for scheme in all() {
        let [private, ciphertext] = example(scheme);
        for (i, cpu) in (0..ciphertext.len()).zip(in_turn()) {
            let mut altered = ciphertext.clone();
            altered[i] ^= 1 << (i % 8);
            let found = decrypted(scheme, cpu, &private, &altered);
            assert_eq!(found, Err(SchemeError::Decryption), "{} byte {i} on {cpu:?}", scheme.name);
        }
    }
}

/// Protects: bits behind the last coefficient alone.
#[test]
fn bits_behind_the_last_coefficient() {
    for set in sets() {
        let unused = 8 * set.packed() - set.bits * set.n;
        let scene = Scene::of(set);
        let mut ciphertext = vec![0; set.scheme.ciphertext];
        let rng = &mut Random::new(9);
        (set.scheme.encrypt)(Cpu::detect(), &scene.public, b"", rng, &mut ciphertext).expect("a key");
        for bit in 0..unused {
            let (mut altered, last) = (ciphertext.clone(), ciphertext.len() - 1);
            // libntru's first bit is the least.
            let bit = if set.scheme.name.starts_with("libntru") { 7 - bit } else { bit };
            altered[last] ^= 1 << bit;
            scene.fails_by(&altered, Wrong::Bits);
        }
    }
}

/// Protects: a number of `q` or more in a ciphertext is refused, though it stands for a coefficient that is
/// right.
#[test]
fn numbers_that_are_no_coefficients() {
    for set in sets().into_iter().filter(|set| set.is_field) {
        let scene = Scene::of(set);
        let mut ciphertext = vec![0; set.scheme.ciphertext];
        let rng = &mut Random::new(9);
        (set.scheme.encrypt)(Cpu::detect(), &scene.public, b"", rng, &mut ciphertext).expect("a key");
        let (numbers, _) = set.unpack(&ciphertext);
        let small = |(_, x): &(usize, &i64)| **x < (1 << set.bits) - set.q;
        for (place, x) in numbers.iter().enumerate().filter(small).take(20) {
            let (mut altered, other) = (ciphertext.clone(), x + set.q);
            for bit in 0..set.bits {
                let (at, shift) = ((set.bits * place + bit) / 8, 7 - (set.bits * place + bit) % 8);
                altered[at] &= !(1 << shift);
                altered[at] |= ((other >> (set.bits - 1 - bit) & 1) as u8) << shift;
            }
            scene.fails_by(&altered, Wrong::Bits);
        }
    }
}

/// Protects: ciphertexts that are cut, lengthened, empty or of another set are refused by the same error.
#[test]
fn other_lengths() {
    for scheme in all() {
        let [private, ciphertext] = example(scheme);
        let length = ciphertext.len();
        let others = [0, 1, length - 1, length + 1, 2 * length, 1 << 16];
        let of_others = SCHEMES.iter().map(|other| other.ciphertext).filter(|other| *other != length);
        for other in others.into_iter().chain(of_others) {
            let mut resized = ciphertext.clone();
            resized.resize(other, 0);
            let found = decrypted(scheme, Cpu::detect(), &private, &resized);
            assert_eq!(found, Err(SchemeError::Decryption), "{} of {other} bytes", scheme.name);
        }
    }
}

/// Protects: a ciphertext for another key, and one of a set of the same length, are refused.
#[test]
fn ciphertexts_of_others() {
    let all: Vec<_> = all().map(|scheme| (scheme, example(scheme))).collect();
    for (scheme, [private, _]) in &all {
        for (other, [_, ciphertext]) in &all {
            // The two packings are of one key here.
            let same = [scheme, other].iter().all(|set| set.name.starts_with("ntruprime739"));
            if scheme.name != other.name && !same {
                let found = decrypted(scheme, Cpu::detect(), private, ciphertext);
                assert_eq!(found, Err(SchemeError::Decryption), "{} of {}", scheme.name, other.name);
            }
        }
        let [public, _, _] = keys(scheme, 6);
        let mut ciphertext = vec![0; scheme.ciphertext];
        let rng = &mut Random::new(9);
        (scheme.encrypt)(Cpu::detect(), &public, b"a message", rng, &mut ciphertext).expect("a key");
        let found = decrypted(scheme, Cpu::detect(), private, &ciphertext);
        assert_eq!(found, Err(SchemeError::Decryption), "{}", scheme.name);
    }
}

/// Protects: bytes that look random, all equal ones, and those of an element 0 are refused.
#[test]
fn bytes_that_nobody_made() {
    for scheme in all() {
        let [private, _] = example(scheme);
        let mut random = vec![0; scheme.ciphertext];
        Random::new(1).fill(&mut random);
        for bytes in
            [random, vec![0; scheme.ciphertext], vec![0xff; scheme.ciphertext], vec![5; scheme.ciphertext]]
        {
            for cpu in Cpu::available() {
                let found = decrypted(scheme, cpu, &private, &bytes);
                assert_eq!(found, Err(SchemeError::Decryption), "{} on {cpu:?}", scheme.name);
            }
        }
    }
}
