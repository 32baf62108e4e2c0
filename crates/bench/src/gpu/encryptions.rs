//! Encryptions of NTRUEncrypt whose products are on a GPU, many messages by one key. Hashing, sampling and
//! packing are done by one core, in the code that the rows of CPUs have; so is the choice of messages that
//! need another try.

use super::products::{bytes_of, forms, places, public_of, window};
use super::{Effort, Job, Seconds, kernel_of};
use crate::paper::TENSOR_CORES;
use crate::public::convolution::Method;
use crate::public::encryption::{Encryption, Q_BITS, SETS, Set};
use crate::public::{self, ENCRYPT, Places};
use ringsmith_gpu::{Array, Batch, Cyclic, Device, Form, GpuError, Interleaved, Operand, Output, Ring};
use ringsmith_oracle::Random;
use ringsmith_routes::rings::{Ees401, Ees449, Ees653, Ees853};
use ringsmith_simd::Cpu;
use std::time::{Duration, Instant};

/// Those of all sets.
pub(super) fn jobs() -> Vec<Job> {
    let [first, second, third, fourth] = &SETS;
    let sets = [of::<Ees401>(first), of::<Ees449>(second), of::<Ees653>(third), of::<Ees853>(fourth)];
    sets.into_iter().flatten().collect()
}

/// How the product is computed.
#[derive(Clone, Copy)]
enum By {
    Interleaved { word: usize, form: Form },
    Walk(Method),
    TensorCores,
}

fn of<R: ringsmith_ring::Ring>(set: &'static Set) -> Vec<Job> {
    let forms = forms().map(|(name, word, form)| (name, By::Interleaved { word, form }));
    let walks = Method::ALL.map(|method| (method.name(), By::Walk(method)));
    let job = |(route, by)| Job {
        suite: public::SUITE,
        subject: set.scheme.name,
        operation: ENCRYPT,
        route,
        run: Box::new(move |device, effort| encrypt::<R>(device, effort, set, by)),
    };
    walks.into_iter().chain(forms).chain([(TENSOR_CORES, By::TensorCores)]).map(job).collect()
}

fn encrypt<R: ringsmith_ring::Ring>(
    device: &Device,
    effort: &Effort,
    set: &'static Set,
    by: By,
) -> Result<Option<Seconds>, GpuError> {
    let (n, bits) = (set.degree(), Q_BITS as u32);
    match by {
        By::Interleaved { word, form } => {
            let ring = Interleaved::new(n, bits, word, form)?;
            let encode = |r: &Places| {
                let minus_one = (1 << bits) - 1;
                Ok(bytes_of(n, r).into_iter().map(|x| x as u16 & minus_one).collect())
            };
            encrypt_in::<R, _>(device, effort, set, ring, &encode)
        }
        By::Walk(Method::SlidingWindow) => {
            let (ring, other) = (window(n, set.weight())?, window(n, set.weight())?);
            encrypt_in::<R, _>(device, effort, set, ring, &|r| other.operand(&public_of(n, r)?))
        }
        By::Walk(Method::FastConvolution) => {
            let (ring, other) = (places(n, set.weight())?, places(n, set.weight())?);
            encrypt_in::<R, _>(device, effort, set, ring, &|r| other.operand(&public_of(n, r)?))
        }
        By::TensorCores => {
            encrypt_in::<R, _>(device, effort, set, Cyclic::new(n, bits)?, &|r| Ok(bytes_of(n, r)))
        }
    }
}

/// The seed of the key, and of the first message.
const SEED: u64 = 1;

/// A batch of messages, and what was drawn for them.
struct Messages {
    random: Vec<Random>,
    plain: Vec<Vec<u8>>,
    ciphertexts: Vec<Vec<u8>>,
    /// Those that have none yet.
    left: Vec<usize>,
}

/// Makes a product's second operand.
type Encode<'a, R> = dyn Fn(&Places) -> Result<Vec<<R as Ring>::B>, GpuError> + 'a;

/// What products are done with.
struct Products<'a, R: Ring> {
    batch: Batch<R>,
    key: Array<u16>,
    encode: &'a Encode<'a, R>,
    /// Whether copies to and from the GPU are counted.
    copies: bool,
}

impl<R: Ring<A = u16, C = u16>> Products<'_, R> {
    /// The products by the key, and how long they took.
    fn of(&mut self, r: &[R::B], count: usize) -> Result<(Vec<u16>, Duration), GpuError> {
        let (key, batch) = (Operand::OneOnDevice(&self.key), &mut self.batch);
        let mut products = vec![0; count * self.key.degree()];
        if self.copies {
            let start = Instant::now();
            batch.multiply(&key, &Operand::Host(r), Output::Host(&mut products))?;
            return Ok((products, start.elapsed()));
        }
        let (r, mut room) = (batch.upload_second(r)?, batch.room(count)?);
        let start = Instant::now();
        batch.multiply(&key, &Operand::Device(&r), Output::Device(&mut room))?;
        let time = start.elapsed();
        batch.download(&room, &mut products)?;
        Ok((products, time))
    }
}

impl Messages {
    fn new(set: &Set, count: usize) -> Self {
        Messages {
            random: (0..count as u64).map(|at| Random::new(SEED + at)).collect(),
            plain: vec![Vec::new(); count],
            ciphertexts: vec![vec![0; set.scheme.ciphertext]; count],
            left: (0..count).collect(),
        }
    }

    /// From messages to ciphertexts; those that need another try go round again. How long it took.
    fn encrypt<R: ringsmith_ring::Ring, G: Ring<A = u16, C = u16>>(
        &mut self,
        message: &[u8],
        encryption: &mut Encryption<R>,
        products: &mut Products<'_, G>,
    ) -> Result<Duration, GpuError> {
        let mut time = Duration::ZERO;
        while !self.left.is_empty() {
            let start = Instant::now();
            let mut all = Vec::new();
            for at in &self.left {
                encryption.draw(message, &mut self.random[*at]);
                let (plain, r) = encryption.drawn();
                self.plain[*at] = plain.to_vec();
                all.extend((products.encode)(r)?);
            }
            time += start.elapsed();
            let (blinds, spent) = products.of(&all, self.left.len())?;
            let start = Instant::now();
            let left = std::mem::take(&mut self.left);
            for (at, blind) in left.into_iter().zip(blinds.chunks(products.key.degree())) {
                encryption.resume(&self.plain[at], blind);
                match encryption.mask() {
                    true => encryption.pack(&mut self.ciphertexts[at]),
                    false => self.left.push(at),
                }
            }
            time += spent + start.elapsed();
        }
        Ok(time)
    }
}

/// The library's ciphertexts, of the same randomness.
fn expected(set: &Set, public: &[u8], message: &[u8], count: usize) -> Vec<Vec<u8>> {
    let ciphertext = |at| {
        let (mut random, mut out) = (Random::new(SEED + at), vec![0; set.scheme.ciphertext]);
        (set.scheme.encrypt)(Cpu::detect(), public, message, &mut random, &mut out)
            .expect("a key of the set");
        out
    };
    (0..count as u64).map(ciphertext).collect()
}

/// Seconds of a message in a batch: the least of several times, copies not counted and counted.
fn encrypt_in<R: ringsmith_ring::Ring, G: Ring<A = u16, C = u16>>(
    device: &Device,
    effort: &Effort,
    set: &'static Set,
    ring: G,
    encode: &Encode<'_, G>,
) -> Result<Option<Seconds>, GpuError> {
    let Some(kernel) = kernel_of(device, &ring)? else { return Ok(None) };
    let (public, message) = (set.public_key(&mut Random::new(SEED)), vec![7; set.message]);
    let mut encryption = Encryption::<R>::new(Cpu::detect(), set, &public);
    let mut batch = Batch::new(device, ring, effort.memory)?;
    let key = batch.upload_first(&encryption.key())?;
    let mut products = Products { batch, key, encode, copies: false };
    let count = effort.messages.max(1);
    let expected = expected(set, &public, &message, count);
    let mut seconds = [f64::INFINITY; 2];
    for (copies, least) in [false, true].into_iter().zip(&mut seconds) {
        products.copies = copies;
        let (begin, mut times) = (Instant::now(), 0);
        // The first time may have to load kernels.
        while times < 2 || begin.elapsed() < effort.time {
            let mut messages = Messages::new(set, count);
            let time = messages.encrypt(&message, &mut encryption, &mut products)?;
            if messages.ciphertexts != expected {
                return Err(GpuError::Wrong { ring: kernel });
            }
            *least = least.min(time.as_secs_f64() / count as f64);
            times += 1;
        }
    }
    Ok(Some(seconds))
}
