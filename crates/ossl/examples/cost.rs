//! What a handshake's key exchange costs in the provider, beside the library's own time for the same bytes.
//!
//! The provider is called by its tables, as OpenSSL calls it: what OpenSSL does itself is not in it. The
//! library's time is that of `ringsmith_hybrid::tls`, with the same randomness of the system. Both alternate,
//! and the least time of each counts.

#[path = "../tests/loaded/mod.rs"]
mod loaded;

use loaded::*;
use ringsmith_hybrid::tls::{self, Client, Group};
use ringsmith_kem::random::drawn;
use ringsmith_simd::Cpu;
use std::ffi::c_void;
use std::hint::black_box;
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

/// How often each step is done.
const ROUNDS: usize = 2000;
/// OpenSSL's number for both halves of a key.
const PAIR: i32 = 3;
/// What the provider may add to a key share, in microseconds.
const MOST: f64 = 5.0;

/// A kind of keys in the provider: it, its key management and its encapsulation.
struct Kind {
    loaded: Loaded,
    name: &'static str,
    group: &'static Group,
}

impl Kind {
    fn new(name: &'static str, group: &'static Group) -> Self {
        Kind { loaded: Loaded::new(&NOTHING), name, group }
    }

    /// A function of key management.
    ///
    /// # Safety
    /// The type is that of the number.
    unsafe fn keys<F: Copy>(&self, id: i32) -> F {
        // SAFETY: a table of the provider's; the rest is the contract.
        unsafe { function(self.loaded.functions(KEYMGMT, self.name), id) }
    }

    /// A function of encapsulation.
    ///
    /// # Safety
    /// As above.
    unsafe fn kem<F: Copy>(&self, id: i32) -> F {
        // SAFETY: as above.
        unsafe { function(self.loaded.functions(KEM, self.name), id) }
    }
}

/// The functions of a kind, looked up once, as OpenSSL does.
struct Entries {
    provider: *mut c_void,
    gen_init: GenInit,
    generate: Gen,
    gen_cleanup: Free,
    new_key: New,
    free_key: Free,
    get: Get,
    set: Set,
    new_operation: New,
    free_operation: Free,
    encapsulate_init: Init,
    encapsulate: Encapsulate,
    decapsulate_init: Init,
    decapsulate: Decapsulate,
}

impl Entries {
    fn new(kind: &Kind) -> Self {
        // SAFETY: the types that OpenSSL's manual has under these numbers.
        unsafe {
            Entries {
                provider: kind.loaded.provider,
                gen_init: kind.keys(2),
                generate: kind.keys(6),
                gen_cleanup: kind.keys(7),
                new_key: kind.keys(1),
                free_key: kind.keys(10),
                get: kind.keys(11),
                set: kind.keys(13),
                new_operation: kind.kem(1),
                free_operation: kind.kem(6),
                encapsulate_init: kind.kem(2),
                encapsulate: kind.kem(3),
                decapsulate_init: kind.kem(4),
                decapsulate: kind.kem(5),
            }
        }
    }

    /// A client's key, and its share.
    fn start(&self, share: &mut [u8]) -> *mut c_void {
        // SAFETY: functions by their numbers, in the order that OpenSSL calls them in; a place of the size of
        // the share.
        unsafe {
            let asked = (self.gen_init)(self.provider, PAIR, null());
            let key = (self.generate)(asked, null_mut(), null_mut());
            (self.gen_cleanup)(asked);
            assert_eq!((self.get)(key, octets(c"encoded-pub-key", share).as_mut_ptr()), 1);
            key
        }
    }

    /// A server's share, and the secret, of a client's share.
    fn respond(&self, theirs: &mut [u8], share: &mut [u8], secret: &mut [u8]) {
        let (mut bytes, mut of_secret) = (share.len(), secret.len());
        // SAFETY: as above.
        unsafe {
            let key = (self.new_key)(self.provider);
            assert_eq!((self.set)(key, octets(c"encoded-pub-key", theirs).as_ptr()), 1);
            let operation = (self.new_operation)(self.provider);
            assert_eq!((self.encapsulate_init)(operation, key, null()), 1);
            let (to, of) = (share.as_mut_ptr(), secret.as_mut_ptr());
            assert_eq!((self.encapsulate)(operation, to, &mut bytes, of, &mut of_secret), 1);
            (self.free_operation)(operation);
            (self.free_key)(key);
        }
    }

    /// The secret of a client, of the server's share. The key is freed.
    fn finish(&self, key: *mut c_void, share: &[u8], secret: &mut [u8]) {
        let mut of_secret = secret.len();
        // SAFETY: as above.
        unsafe {
            let operation = (self.new_operation)(self.provider);
            assert_eq!((self.decapsulate_init)(operation, key, null()), 1);
            let (from, of) = (share.as_ptr(), secret.as_mut_ptr());
            assert_eq!((self.decapsulate)(operation, of, &mut of_secret, from, share.len()), 1);
            (self.free_operation)(operation);
            (self.free_key)(key);
        }
    }
}

/// The least time of a step so far.
fn timed<T>(least: &mut Duration, step: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let made = black_box(step());
    *least = (*least).min(start.elapsed());
    made
}

/// The library's steps: a client's share, a server's answer, the client's end.
fn library(group: &Group, least: &mut [Duration; 3]) {
    let (mut share, mut theirs) = (vec![0; group.server_share], vec![0; group.secret]);
    let client: Box<dyn Client> =
        timed(&mut least[0], || drawn(|rng| group.start(Cpu::detect(), rng))).expect("randomness");
    let answer = || drawn(|rng| group.respond(Cpu::detect(), client.share(), rng, &mut share, &mut theirs));
    timed(&mut least[1], answer).expect("randomness").expect("a good share");
    let mut ours = vec![0; group.secret];
    timed(&mut least[2], || client.finish(&share, &mut ours)).expect("a good share");
    assert_eq!(ours, theirs);
}

/// The provider's.
fn provider(entries: &Entries, group: &Group, least: &mut [Duration; 3]) {
    let (mut share, mut answer) = (vec![0; group.client_share], vec![0; group.server_share]);
    let [mut ours, mut theirs] = [0; 2].map(|_| vec![0; group.secret]);
    let key = timed(&mut least[0], || entries.start(&mut share));
    timed(&mut least[1], || entries.respond(&mut share, &mut answer, &mut theirs));
    timed(&mut least[2], || entries.finish(key, &answer, &mut ours));
    assert_eq!(ours, theirs);
}

/// A row for each step; whether all are within what a share may cost.
fn rows(kind: &Kind) -> bool {
    let (entries, mut least) = (Entries::new(kind), [[Duration::MAX; 3]; 2]);
    for _ in 0..ROUNDS {
        library(kind.group, &mut least[0]);
        provider(&entries, kind.group, &mut least[1]);
    }
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    let mut is_within = true;
    for (step, name) in ["client's share", "server", "client's end"].into_iter().enumerate() {
        let [library, provider] = [micros(least[0][step]), micros(least[1][step])];
        println!("{:<20} {name:<15} {library:8.1} {provider:8.1} {:8.1}", kind.name, provider - library);
        is_within &= provider - library <= MOST;
    }
    is_within
}

fn main() {
    println!("us, the least of {ROUNDS}:                 library provider   more");
    let kinds = [
        Kind::new("ML-KEM-768", &tls::MLKEM768),
        Kind::new("X25519MLKEM768", &tls::X25519_MLKEM768),
        Kind::new("SecP256r1MLKEM768", &tls::SECP256R1_MLKEM768),
    ];
    let within = kinds.iter().filter(|kind| rows(kind)).count();
    println!("{within} of {} within {MOST} us", kinds.len());
}
