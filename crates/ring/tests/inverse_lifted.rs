//! Inverses modulo `2^k` and `x^n - 1`.

use ringsmith_oracle::{Random, inverse_modulo};
use ringsmith_ring::Rows;
use ringsmith_ring::inverse::mod_2::{sum_of_pairs, unit_modulo_2};
use ringsmith_ring::inverse::newton::{self, Products, modulo_phi};
use ringsmith_simd::Cpu;

/// Products by the definition, with all bits above the asked for wrong; counted.
struct Slow<const N: usize, const ROWS: usize> {
    f: Rows<ROWS>,
    random: Random,
    bits: Vec<u32>,
}

/// `a b` modulo `x^N - 1` and `2^16`.
fn product<const N: usize, const ROWS: usize>(a: &Rows<ROWS>, b: &Rows<ROWS>) -> Rows<ROWS> {
    let [a, b] = [a, b].map(|rows| rows.0.as_flattened());
    assert!(a[N..].iter().chain(&b[N..]).all(|&x| x == 0), "coefficients from {N} on");
    let mut twice = [b[..N].to_vec(), b[..N].to_vec()].concat();
    twice.reverse();
    let mut out = Rows([[0; 16]; ROWS]);
    for (k, sum) in out.0.as_flattened_mut()[..N].iter_mut().enumerate() {
        // b at k - i, which is 2 N - 1 - (k - i) in reverse.
        let window = &twice[N - 1 - k..2 * N - 1 - k];
        *sum = a.iter().zip(window).fold(0, |sum: i16, (x, y)| sum.wrapping_add(x.wrapping_mul(*y)));
    }
    out
}

impl<const N: usize, const ROWS: usize> Slow<N, ROWS> {
    fn spoilt(&mut self, bits: u32, product: Rows<ROWS>, out: &mut Rows<ROWS>) {
        self.bits.push(bits);
        *out = product;
        let above = ((1_u32 << 16) - (1 << bits)) as u16 as i16;
        let words = out.0.as_flattened_mut()[..N].iter_mut();
        words.for_each(|x| *x ^= self.random.word() as i16 & above);
    }
}

impl<const N: usize, const ROWS: usize> Products<ROWS> for Slow<N, ROWS> {
    fn by_element(&mut self, bits: u32, a: &Rows<ROWS>, out: &mut Rows<ROWS>) {
        assert!(within(a, 32));
        let product = product::<N, ROWS>(&self.f, a);
        self.spoilt(bits, product, out);
    }
    fn multiply(&mut self, bits: u32, a: &Rows<ROWS>, b: &Rows<ROWS>, out: &mut Rows<ROWS>) {
        assert!(bits <= 8 && within(a, 32) && within(b, 1 << (bits - 1)), "factors of {bits} bits");
        self.spoilt(bits, product::<N, ROWS>(a, b), out);
    }
}

/// Whether no coefficient is larger than this.
fn within<const ROWS: usize>(a: &Rows<ROWS>, most: i16) -> bool {
    a.0.as_flattened().iter().all(|x| (-most..=most).contains(x))
}

fn slow<const N: usize, const ROWS: usize>(f: &Rows<ROWS>) -> Slow<N, ROWS> {
    Slow { f: *f, random: Random::new(9), bits: Vec::new() }
}

/// Elements of all kinds: any, small, constants, `x^i`, the worst words.
fn elements<const N: usize, const ROWS: usize>() -> Vec<Rows<ROWS>> {
    let mut random = Random::new(N as u64);
    let rows = |coefficient: &mut dyn FnMut(usize) -> i64| {
        let mut rows = Rows([[0; 16]; ROWS]);
        (0..N).for_each(|i| rows.0[i / 16][i % 16] = coefficient(i) as i16);
        rows
    };
    vec![
        rows(&mut |_| random.within(-32768, 32767)),
        rows(&mut |_| random.within(0, 2047)),
        rows(&mut |_| 3 * random.within(-1, 1)),
        rows(&mut |i| 3 * random.within(-1, 1) + (i == 0) as i64),
        rows(&mut |i| -((i == 0) as i64)),
        rows(&mut |i| 3 * (i == N - 1) as i64),
        rows(&mut |i| -1 - (i == 1) as i64),
        rows(&mut |_| 0),
        rows(&mut |_| 2 * random.within(0, 1000)),
    ]
}

/// `x^N - 1`, or `1 + x + .. + x^(N-1)`.
fn modulus(n: usize, phi: bool) -> Vec<i128> {
    if phi {
        return vec![1; n];
    }
    let mut f = vec![0; n + 1];
    (f[0], f[n]) = (-1, 1);
    f
}

fn wide(a: &[i16]) -> Vec<i128> {
    a.iter().map(|&x| x.into()).collect()
}

/// Whether the element has an inverse: modulo `x^N - 1`, or modulo `1 + x + .. + x^(N-1)`.
fn check<const N: usize, const WORDS: usize, const ROWS: usize>(
    cpu: Cpu,
    k: u32,
    a: &Rows<ROWS>,
    phi: bool,
) -> bool {
    let (mut f, mut v) = (*a, Rows([[7; 16]; ROWS]));
    if phi {
        unit_modulo_2::<N, ROWS>(&mut f);
    }
    let mut by = slow::<N, ROWS>(&f);
    let exists = newton::inverse::<N, WORDS, ROWS>(cpu, k, &f, &mut by, &mut v).to_bool();
    assert_eq!(exists, inverse_modulo(&wide(&a.0.as_flattened()[..N]), &modulus(N, phi), 2).is_some());
    assert_eq!(by.bits, expected(k));
    if phi {
        modulo_phi::<N, ROWS>(cpu, k, &mut v);
        assert_eq!(v.0.as_flattened()[N - 1], 0);
    }
    let all = v.0.as_flattened();
    assert!(all[N..].iter().all(|&x| x == 0) && within(&v, 1 << (k - 1)));
    if exists {
        let mut one = product::<N, ROWS>(a, &v);
        if phi {
            modulo_phi::<N, ROWS>(cpu, k, &mut one);
        }
        let one = one.0.as_flattened()[..N].iter().map(|&x| u32::from(x as u16) % (1 << k));
        assert!(one.enumerate().all(|(i, x)| x == (i == 0) as u32), "{N}, 2^{k}, on {cpu:?}");
    }
    exists
}

/// The bits of the products of a lift.
fn expected(k: u32) -> Vec<u32> {
    [
        vec![2],
        if k > 2 { vec![k.min(6), k.min(6) - 2] } else { vec![] },
        if k > 6 { vec![k, k - 6] } else { vec![] },
    ]
    .concat()
}

fn ring<const N: usize, const WORDS: usize, const ROWS: usize>(k: u32, phi: bool) -> usize {
    let mut found = 0;
    for cpu in Cpu::available() {
        for a in elements::<N, ROWS>() {
            found += check::<N, WORDS, ROWS>(cpu, k, &a, phi) as usize;
        }
    }
    found / Cpu::available().count()
}

/// Protects: inverses modulo `2^k` and `1 + x + .. + x^(n-1)` in every ring of NTRU, with five products of no
/// more bits than they need, whatever is above these; and that elements without one are told.
#[test]
fn inverses_of_ntru() {
    let found = [
        ring::<509, 8, 32>(11, true),
        ring::<677, 11, 43>(11, true),
        ring::<821, 13, 52>(12, true),
        ring::<1229, 20, 77>(12, true),
        ring::<701, 11, 44>(13, true),
        ring::<1373, 22, 86>(14, true),
    ];
    assert_eq!(found, [7; 6]);
}

/// Protects: the same modulo `x^n - 1`, where an even value at 1 has no inverse.
#[test]
fn inverses_of_ntruencrypt() {
    let found =
        [ring::<439, 7, 28>(11, false), ring::<443, 7, 28>(11, false), ring::<743, 12, 47>(11, false)];
    assert!(found.iter().all(|found| (3..7).contains(found)), "{found:?}");
}

/// Protects: the same in all rings of NTRUEncrypt, of three times an element of -1, 0, 1, and 1 more where
/// its value at 1 is even, so that it is odd; and of one whose value is even.
#[test]
fn inverses_of_all_ntruencrypt() {
    let found = [
        few::<401, 7, 26>(),
        few::<439, 7, 28>(),
        few::<443, 7, 28>(),
        few::<449, 8, 29>(),
        few::<541, 9, 34>(),
        few::<587, 10, 37>(),
        few::<593, 10, 38>(),
        few::<613, 10, 39>(),
        few::<653, 11, 41>(),
        few::<659, 11, 42>(),
        few::<677, 11, 43>(),
        few::<743, 12, 47>(),
        few::<761, 12, 48>(),
        few::<853, 14, 54>(),
        few::<887, 14, 56>(),
        few::<1087, 17, 68>(),
        few::<1171, 19, 74>(),
        few::<1499, 24, 94>(),
    ];
    assert_eq!(found, [1; 18]);
}

/// How many of two have an inverse.
fn few<const N: usize, const WORDS: usize, const ROWS: usize>() -> usize {
    let mut random = Random::new(N as u64);
    let mut f = Rows([[0; 16]; ROWS]);
    f.0.as_flattened_mut()[..N].iter_mut().for_each(|x| *x = 3 * random.within(-1, 1) as i16);
    let sum: i16 = f.0.as_flattened().iter().sum();
    f.0[0][0] += (sum + 1) & 1;
    let mut even = f;
    even.0[0][1] += 1;
    let check = |a: &Rows<ROWS>, cpu| check::<N, WORDS, ROWS>(cpu, 11, a, false) as usize;
    // By the definition a product is slow, and what the backends do is the same in every ring.
    let cpus: Vec<Cpu> = Cpu::available().collect();
    check(&f, cpus[N / 2 % cpus.len()]) + check(&even, cpus[(N / 2 + 1) % cpus.len()])
}

/// Protects: every `k`.
#[test]
fn every_power_of_two() {
    let a = &elements::<509, 32>()[1];
    for k in 2..=14 {
        for cpu in Cpu::available() {
            assert!(check::<509, 8, 32>(cpu, k, a, true));
        }
    }
}

/// Protects: a square modulo 4 is its squares and twice the sum of pairs.
#[test]
fn pairs() {
    fn check<const N: usize, const WORDS: usize, const ROWS: usize>() {
        for cpu in Cpu::available() {
            for mut a in elements::<N, ROWS>() {
                a.0.as_flattened_mut().iter_mut().for_each(|x| *x &= 1);
                let bits: [u64; WORDS] = core::array::from_fn(|i| {
                    let bit = |j: usize| a.0.as_flattened().get(64 * i + j).map_or(0, |&x| x as u64) << j;
                    (0..64).map(bit).fold(0, |word, bit| word | bit)
                });
                let (square, sums) = (product::<N, ROWS>(&a, &a), sum_of_pairs::<N, WORDS>(cpu, &bits));
                for i in 0..N {
                    // The coefficient whose double is i.
                    let root = i * N.div_ceil(2) % N;
                    let squares = (bits[root / 64] >> (root % 64)) & 1;
                    let pairs = (sums[i / 64] >> (i % 64)) & 1;
                    let expected = square.0.as_flattened()[i] as u64 & 3;
                    assert_eq!((squares + 2 * pairs) & 3, expected, "{i} of {N} on {cpu:?}");
                }
            }
        }
    }
    check::<509, 8, 32>();
    check::<701, 11, 44>();
    check::<1373, 22, 86>();
}
