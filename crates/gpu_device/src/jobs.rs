//! The rings whose products are checked and measured.

use crate::job::{Job, Outcome, Sample, Words};
use ringsmith_gpu::schemes::rates::{self, BLINDINGS, MeasureBlinding};
use ringsmith_gpu::{
    Cyclic, CyclicRoute, Form, Interleaved, Limited, NtruPrime, PrimeRoute, Short, SlidingWindow, Sparse,
    Transform, Word, WordBy, WordRoute,
};
use ringsmith_oracle::Random;
use std::time::Duration;

/// A prime below `2^26` that serves every degree of `Word`.
pub const PRIME: u64 = 49_201_153;
/// Primes of all three sizes of kernels that serve every degree: the common one, and the greatest ones.
const PRIMES: [u64; 5] = [40961, PRIME, 67_043_329, 1_073_479_681, 2_013_265_921];
/// The degrees of `Word`.
pub const DEGREES: [usize; 3] = [1024, 2048, 4096];
/// Coefficients of a step of interleaved multiplication.
pub const STEPS: [usize; 5] = [1, 8, 16, 32, 64];
/// NTRU's degrees and their bits, and those where a kernel's length begins and ends.
const CYCLIC: [(usize, u32); 12] = [
    (32, 14),
    (401, 11),
    (509, 11),
    (513, 14),
    (677, 11),
    (701, 13),
    (768, 8),
    (821, 12),
    (1087, 11),
    (1229, 12),
    (1499, 11),
    (1536, 14),
];

/// `Z_p[x]/(x^n + 1)`.
pub fn word(n: usize, p: u64) -> Job {
    let ring = format!("Z_{p}[x]/(x^{n}+1)");
    let canonical = (0, p as i64 - 1);
    let sample = Sample::pairs(ring.clone(), canonical, canonical);
    Job::new(ring, move || Word::new(n, p), sample)
}

/// The same by a route.
pub fn word_by(n: usize, p: u64, route: WordRoute) -> Job {
    let ring = format!("Z_{p}[x]/(x^{n}+1)");
    let canonical = (0, p as i64 - 1);
    let sample = Sample::pairs(ring.clone(), canonical, canonical);
    Job::new(format!("{ring}, {route:?}"), move || Ok(Word::new(n, p)?.by(route)), sample)
}

/// The same by a paper's routes.
pub fn paper(n: usize, p: u64, route: PrimeRoute) -> Job {
    let ring = format!("Z_{p}[x]/(x^{n}+1)");
    let canonical = (0, p as i64 - 1);
    let pairs = Sample::pairs(ring.clone(), canonical, canonical);
    Job::new(format!("{ring}, {route:?}"), move || WordBy::new(n, p, route), pairs)
}

/// The same by prepared second operands.
pub fn prepared(n: usize, p: u64) -> Job {
    let ring = format!("Z_{p}[x]/(x^{n}+1)");
    let canonical = (0, p as i64 - 1);
    let sample = Sample { prepared: true, ..Sample::pairs(ring.clone(), canonical, canonical) };
    Job::new(format!("{ring}, prepared"), move || Word::new(n, p), sample)
}

/// `Z_12289[x]/(x^1024 + 1)` in words of 16 bits.
pub fn short() -> Job {
    let ring = "Z_12289[x]/(x^1024+1)".to_string();
    let sample = Sample::pairs(ring.clone(), (0, 12288), (0, 12288));
    Job::new(format!("{ring}, 16 bits"), || Short::new(12289), sample)
}

/// 1024 coefficients modulo 12289, by each kernel, of which a processor has at most so many blocks.
pub fn limited(blocks: usize) -> [Job; 4] {
    const N: usize = 1024;
    const Q: u64 = 12289;
    let (ring, canonical) = (format!("Z_{Q}[x]/(x^{N}+1)"), (0, Q as i64 - 1));
    let sample = || Sample::pairs(ring.clone(), canonical, canonical);
    let name = |what: &str| format!("{ring}, {what}");
    let by = |route: WordRoute| {
        let word = move || Ok(Limited::new(Word::new(N, Q)?.by(route), blocks));
        Job::new(name(&format!("{route:?}")), word, sample())
    };
    let short = move || Ok(Limited::new(Short::new(Q)?, blocks));
    let word = move || Ok(Limited::new(Word::new(N, Q)?, blocks));
    [
        Job::new(name("16 bits"), short, sample()),
        by(WordRoute::Tensor),
        by(WordRoute::Transform),
        Job::new(name("prepared"), word, Sample { prepared: true, ..sample() }),
    ]
}

/// Second operands of a ring modulo `x^n - 1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Small {
    /// All bytes.
    Byte,
    /// -1, 0 and 1.
    Ternary,
}

impl Small {
    fn range(self) -> (i64, i64) {
        match self {
            Small::Byte => (i8::MIN.into(), i8::MAX.into()),
            Small::Ternary => (-1, 1),
        }
    }
}

/// The same by transforms.
pub fn transform(n: usize, bits: u32) -> Job {
    let ring = cyclic_ring(n, bits);
    let sample = Sample::pairs(ring.clone(), (0, (1 << bits) - 1), Small::Ternary.range());
    Job::new(format!("{ring}, Transform"), move || Transform::new(n, bits), sample)
}

/// The name of a ring modulo `x^n - 1` and `2^bits`.
fn cyclic_ring(n: usize, bits: u32) -> String {
    format!("Z_{}[x]/(x^{n}-1)", 1_u64 << bits)
}

/// Whether a route takes one first operand for all.
fn is_one_key(route: CyclicRoute) -> bool {
    matches!(route, CyclicRoute::OneKey | CyclicRoute::OneKeyParts(_))
}

/// `Z_(2^bits)[x]/(x^n - 1)` by a route; by one key where the route asks for it.
pub fn cyclic(n: usize, bits: u32, route: CyclicRoute, small: Small) -> Job {
    let (ring, one) = (cyclic_ring(n, bits), is_one_key(route));
    let pairs = Sample::pairs(ring.clone(), (0, (1 << bits) - 1), small.range());
    let name = format!("{ring}, {route:?}");
    Job::new(name, move || Ok(Cyclic::new(n, bits)?.by(route)), Sample { one, ..pairs })
}

/// The same by second operands that are no bytes.
pub fn wide(n: usize, bits: u32, route: CyclicRoute) -> Job {
    let (ring, one) = (cyclic_ring(n, bits), is_one_key(route));
    let canonical = (0, (1 << bits) - 1);
    let pairs = Sample::pairs(ring.clone(), canonical, canonical);
    let name = format!("{ring}, any two, {route:?}");
    Job::new(name, move || Ok(Cyclic::wide(n, bits)?.by(route)), Sample { one, ..pairs })
}

/// `Z_q[x]/(x^p - x - 1)` by ternary operands.
pub fn ntru_prime((p, q): (usize, u32), route: CyclicRoute) -> Job {
    let (ring, one) = (format!("Z_{q}[x]/(x^{p}-x-1)"), is_one_key(route));
    let pairs = Sample::pairs(ring.clone(), (0, i64::from(q) - 1), Small::Ternary.range());
    let name = format!("{ring}, {route:?}");
    Job::new(name, move || Ok(NtruPrime::new(p, q)?.by(route)), Sample { one, ..pairs })
}

/// `x^n - 1` by interleaved Montgomery multiplication.
pub fn interleaved(n: usize, bits: u32, word: usize, form: Form) -> Job {
    let ring = cyclic_ring(n, bits);
    let canonical = (0, (1 << bits) - 1);
    let turn = if form == Form::OriginalUnfinished { word * n.div_ceil(word) % n } else { 0 };
    let sample = Sample { turn, ..Sample::pairs(ring.clone(), canonical, canonical) };
    let name = format!("{ring}, {form:?} by {word}");
    Job::new(name, move || Interleaved::new(n, bits, word, form), sample)
}

/// The same by a public operand of so many coefficients 1 and -1.
pub fn sparse(n: usize, bits: u32, plus: usize, minus: usize) -> Job {
    let ring = cyclic_ring(n, bits);
    let pairs = Sample::pairs(ring.clone(), (0, (1 << bits) - 1), (0, n as i64 - 1));
    let name = format!("{ring}, {} places", plus + minus);
    Job::new(name, move || Sparse::new(n, bits, plus, minus), Sample { words: Words::Places(plus), ..pairs })
}

/// The same by windows of a public operand.
pub fn windows(n: usize, bits: u32) -> Job {
    let ring = cyclic_ring(n, bits);
    let pairs = Sample::pairs(ring.clone(), (0, (1 << bits) - 1), (0, 18 * n as i64));
    let name = format!("{ring}, windows");
    Job::new(name, move || SlidingWindow::new(n, bits, n), Sample { words: Words::Windows, ..pairs })
}

/// What blinds messages of a set of NTRUEncrypt.
pub fn blinding((set, measure): (&str, MeasureBlinding)) -> Job {
    Job::by(format!("{set}, r of a message"), move |device, task| {
        let effort = rates::Effort { batch: task.batch, time: task.time.unwrap_or(Duration::ZERO) };
        let made = measure(device, &effort)?;
        let times = [made.on_device, made.with_copies, made.host];
        let rates =
            times.map(|time| if task.time.is_some() { task.batch as f64 / time.as_secs_f64() } else { 0. });
        Ok(Some(Outcome { kernel: made.kernel, parts: 1, resident: None, right: made.right, rates }))
    })
}

/// Every kernel once.
pub fn kernels() -> Vec<Job> {
    let one_key = [1, 4].map(CyclicRoute::OneKeyParts);
    let mut jobs = vec![short(), sparse(401, 11, 30, 29)];
    jobs.extend(one_key.map(|route| cyclic(401, 11, route, Small::Byte)));
    jobs.push(cyclic(401, 11, CyclicRoute::Schoolbook, Small::Byte));
    let sizes = [PRIME, PRIMES[3], PRIMES[4]];
    jobs.extend(DEGREES.into_iter().flat_map(|n| sizes.map(|p| word(n, p))));
    jobs.extend(DEGREES.into_iter().flat_map(|n| [PRIME, PRIMES[4]].map(|p| prepared(n, p))));
    let lengths = [401, 701, 1000, 1229, 1499];
    jobs.extend(lengths.map(|n| cyclic(n, 11, CyclicRoute::Pairs, Small::Byte)));
    jobs.extend([401, 701, 1499].map(|n| transform(n, 11)));
    let forms = [Form::Proposed, Form::Original];
    jobs.extend(STEPS.into_iter().flat_map(|word| forms.map(|form| interleaved(401, 11, word, form))));
    let by = |word| forms.map(|form| paper(1024, PRIME, PrimeRoute::Interleaved { word, form }));
    jobs.extend(STEPS.into_iter().flat_map(by));
    jobs.extend([PrimeRoute::Schoolbook, PrimeRoute::Doubles].map(|route| paper(1024, PRIME, route)));
    jobs.extend([word_by(1024, 12289, WordRoute::Tensor), windows(401, 11)]);
    jobs.extend(lengths.map(|n| wide(n, 11, CyclicRoute::Pairs)));
    jobs.extend(one_key.into_iter().chain([CyclicRoute::Schoolbook]).map(|route| wide(401, 11, route)));
    jobs.extend([1, 3, 5].map(|set| ntru_prime(NtruPrime::SETS[set], CyclicRoute::Pairs)));
    let routes = one_key.into_iter().chain([CyclicRoute::Schoolbook]);
    jobs.extend(routes.map(|route| ntru_prime(NtruPrime::SETS[0], route)));
    jobs.extend(BLINDINGS.map(blinding));
    jobs
}

/// Every kernel in the sizes that it serves.
pub fn all() -> Vec<Job> {
    let mut jobs = kernels();
    jobs.extend(DEGREES.into_iter().flat_map(|n| [PRIMES[0], PRIMES[2]].map(|p| word(n, p))));
    for (n, bits) in CYCLIC {
        let one = (n <= 1024).then_some(CyclicRoute::OneKey);
        let routes = [CyclicRoute::Pairs, CyclicRoute::Schoolbook].into_iter().chain(one);
        jobs.extend(routes.map(|route| cyclic(n, bits, route, Small::Byte)));
        jobs.push(wide(n, bits, CyclicRoute::Pairs));
    }
    jobs.extend(NtruPrime::SETS.map(|set| ntru_prime(set, CyclicRoute::Pairs)));
    jobs.extend([2048, 4096].into_iter().flat_map(|n| {
        let proposed = PrimeRoute::Interleaved { word: 32, form: Form::Proposed };
        [proposed, PrimeRoute::Schoolbook, PrimeRoute::Doubles].map(|route| paper(n, PRIME, route))
    }));
    jobs.extend([439, 743, 1499].map(|n| windows(n, 11)));
    jobs.extend([64, 512, 1499].map(|n| interleaved(n, 11, 32, Form::OriginalUnfinished)));
    jobs.extend([439, 743, 1499].map(|n| sparse(n, 11, n / 3, n / 3)));
    jobs
}

/// A ring that a number of `random` chooses.
pub fn any(random: &mut Random) -> Job {
    let mut below = |bound: usize| (random.word() % bound as u64) as usize;
    let (n, bits) = (32 + below(1505), 1 + below(14) as u32);
    let (degree, p) = (DEGREES[below(DEGREES.len())], PRIMES[below(PRIMES.len())]);
    match below(13) {
        0 => short(),
        1 => cyclic(32 + n % 993, bits, CyclicRoute::OneKey, Small::Byte),
        2 => cyclic(n, bits, CyclicRoute::Schoolbook, Small::Byte),
        3 | 4 => cyclic(n, bits, CyclicRoute::Pairs, Small::Byte),
        5 => interleaved(n, bits, [1, 8, 32][below(3)], Form::Original),
        6 => prepared(degree, p),
        7 => wide(n, bits, CyclicRoute::Pairs),
        8 => ntru_prime(NtruPrime::SETS[n % 6], CyclicRoute::Pairs),
        9 => windows(n, bits),
        10 => blinding(BLINDINGS[n % BLINDINGS.len()]),
        _ => word(degree, p),
    }
}
