//! Implicit rejection: ciphertexts that fail by one cause alone, which the slow code of `shared` shows.

mod shared;

use ringsmith_kem::scheme::Scheme;
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use shared::{Opened, Set, decapsulated, keys, rejected_key, sets};

/// A key of a set, and a message for it.
struct Scene {
    scheme: &'static Scheme,
    set: Set,
    public: Vec<u8>,
    private: Vec<u8>,
    r: Vec<i128>,
    m: Vec<i128>,
}

impl Scene {
    fn of((scheme, set): (&'static Scheme, Set)) -> Self {
        let [public, private] = keys(scheme, 1);
        let mut random = vec![0; 8 * set.n];
        Random::new(2).fill(&mut random);
        let [r, m] = set.sample_message(&random);
        Scene { scheme, set, public, private, r, m }
    }

    fn opened(&self, ciphertext: &[u8]) -> Opened {
        self.set.open(&self.private, ciphertext)
    }

    /// Whether `m` is one that is drawn.
    fn is_message(&self, opened: &Opened) -> bool {
        !self.set.hps || opened.type_of_m() == [self.set.weight() / 2; 2]
    }

    /// The key of a ciphertext is that of a rejected one on every backend, and not that of what it holds.
    fn is_rejected(&self, ciphertext: &[u8]) {
        let expected = rejected_key(&self.private, ciphertext);
        for cpu in Cpu::available() {
            let shared = decapsulated(self.scheme, cpu, &self.private, ciphertext);
            assert_eq!(shared, expected, "{} on {cpu:?}", self.scheme.name);
        }
    }

    /// The key of a ciphertext is that of what it holds.
    fn is_accepted(&self, ciphertext: &[u8], shared: &[u8]) {
        for cpu in Cpu::available() {
            let found = decapsulated(self.scheme, cpu, &self.private, ciphertext);
            assert_eq!(found, shared, "{} on {cpu:?}", self.scheme.name);
        }
    }
}

/// Protects: bits behind the last coefficient. Each of them rejects; the ciphertext holds what it held.
#[test]
fn unused_bits() {
    let mut tried = 0;
    for scene in sets().map(Scene::of) {
        let [ciphertext, shared] = scene.set.encrypt(&scene.public, &scene.r, &scene.m);
        scene.is_accepted(&ciphertext, &shared);
        let used = scene.set.bits() * (scene.set.n - 1);
        for bit in used..8 * ciphertext.len() {
            let mut changed = ciphertext.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let opened = scene.opened(&changed);
            assert!(opened.unused != 0 && opened.r == scene.r && opened.m == scene.m);
            scene.is_rejected(&changed);
            tried += 1;
        }
    }
    // Four each of 509, 677 and 701; the others have none.
    assert_eq!(tried, 12);
}

/// Protects: `r` with a coefficient that is not -1, 0 or 1, at either end and inside; `m` is one that is
/// drawn.
#[test]
fn r_that_is_not_ternary() {
    for scene in sets().map(Scene::of) {
        for (at, value) in [(0, 2), (scene.set.n / 2, -2), (scene.set.n - 2, 2), (17, 3)] {
            let mut r = scene.r.clone();
            r[at] = value;
            let [ciphertext, _] = scene.set.encrypt(&scene.public, &r, &scene.m);
            let opened = scene.opened(&ciphertext);
            assert!(opened.m == scene.m && scene.is_message(&opened) && opened.unused == 0);
            assert!(opened.r == r && !opened.r_is_ternary());
            scene.is_rejected(&ciphertext);
        }
    }
}

/// A ternary element with so many ones and minus ones, of which the top coefficient is 0.
fn of_type(n: usize, [ones, minus]: [usize; 2]) -> Vec<i128> {
    let value = |i: usize| i128::from(i < ones) - i128::from(i >= ones && i < ones + minus);
    // Spread over all places: 7 and n - 1 have no common divisor, or 11 has none.
    let step = if (n - 1).is_multiple_of(7) { 11 } else { 7 };
    let mut m = vec![0; n];
    (0..n - 1).for_each(|i| m[i * step % (n - 1)] = value(i));
    m
}

/// Protects: `m` of NTRU-HPS with more or fewer ones and minus ones than a message has, as many of one as of
/// the other; `r` is ternary.
#[test]
fn m_of_wrong_weight() {
    for scene in sets().map(Scene::of).into_iter().filter(|scene| scene.set.hps) {
        let half = scene.set.weight() / 2;
        for count in [0, half - 1, half + 1] {
            let m = of_type(scene.set.n, [count; 2]);
            let [ciphertext, _] = scene.set.encrypt(&scene.public, &scene.r, &m);
            let opened = scene.opened(&ciphertext);
            assert!(opened.r == scene.r && opened.r_is_ternary() && opened.unused == 0);
            assert!(opened.m == m && opened.type_of_m() == [count; 2]);
            scene.is_rejected(&ciphertext);
        }
        let m = of_type(scene.set.n, [half; 2]);
        let [ciphertext, shared] = scene.set.encrypt(&scene.public, &scene.r, &m);
        scene.is_accepted(&ciphertext, &shared);
    }
}

/// Protects: `m` of NTRU-HPS with the right weight, but more of one sign. Such a ciphertext is `r h + m - t
/// Phi`, which is 0 at 1 as all must be: `m(1) = t n` modulo `q`. `r` is ternary.
#[test]
fn m_of_unequal_signs() {
    for scene in sets().map(Scene::of).into_iter().filter(|scene| scene.set.hps) {
        let (set, half) = (scene.set, scene.set.weight() as i128 / 2);
        let at_1 = |t: i128| shared::centred(t * set.n as i128, set.q);
        let fits = |t: &i128| at_1(*t) % 2 == 0 && at_1(*t) != 0 && at_1(*t).abs() < 40;
        let t = (1..60).find(fits).expect("small numbers");
        let counts = [half + at_1(t) / 2, half - at_1(t) / 2].map(|count| count as usize);
        let m = of_type(set.n, counts);
        let r_h = set.product(&scene.r, &set.decode_of_sum_zero(&scene.public));
        let c: Vec<i128> = r_h.iter().zip(&m).map(|(x, y)| x + y - t).collect();
        assert_eq!(c.iter().sum::<i128>().rem_euclid(set.q), 0);
        let ciphertext = set.encode(&c);
        let opened = scene.opened(&ciphertext);
        assert!(opened.r == scene.r && opened.r_is_ternary() && opened.unused == 0, "{}", scene.scheme.name);
        assert!(opened.m == m && opened.type_of_m() == counts && counts[0] != counts[1]);
        assert_eq!(counts.iter().sum::<usize>(), set.weight());
        scene.is_rejected(&ciphertext);
    }
}

/// Protects: one bit of a ciphertext, anywhere, and bytes that nobody made. A message of NTRU-HRSS is any
/// element, so the lowest bit of a coefficient near the end may make another message of one: then the key is
/// that of what the slow code finds.
#[test]
fn other_bytes() {
    for scene in sets().map(Scene::of) {
        let [ciphertext, _] = scene.set.encrypt(&scene.public, &scene.r, &scene.m);
        let step = if cfg!(all(target_arch = "x86_64", not(debug_assertions))) { 7 } else { 97 };
        for bit in (0..8 * ciphertext.len()).step_by(step) {
            let mut changed = ciphertext.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let key = decapsulated(scene.scheme, Cpu::detect(), &scene.private, &changed);
            if scene.set.hps || key == rejected_key(&scene.private, &changed) {
                scene.is_rejected(&changed);
                continue;
            }
            let opened = scene.opened(&changed);
            assert!(opened.r == scene.r && opened.m != scene.m && bit + 64 > 8 * ciphertext.len());
            let [sealed, shared] = scene.set.encrypt(&scene.public, &opened.r, &opened.m);
            assert_eq!(sealed, changed);
            scene.is_accepted(&changed, &shared);
        }
        let mut noise = vec![0; ciphertext.len()];
        Random::new(3).fill(&mut noise);
        for bytes in [vec![0xff; noise.len()], noise] {
            scene.is_rejected(&bytes);
        }
        // Zeroes are the ciphertext of zeroes, which NTRU-HRSS may draw.
        let (zero, zeroes) = (vec![0; scene.set.n], vec![0; ciphertext.len()]);
        let [sealed, shared] = scene.set.encrypt(&scene.public, &zero, &zero);
        assert_eq!(sealed, zeroes);
        match scene.set.hps {
            true => scene.is_rejected(&zeroes),
            false => scene.is_accepted(&zeroes, &shared),
        }
    }
}
