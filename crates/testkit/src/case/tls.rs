//! The groups of TLS: the three steps, each with secrets of both parts.
//!
//! A client's numbers give the matrix of its key, too, so they are the same for all secrets, as X-Wing's; a
//! tool that follows secrets follows them. A server's are its own for each.

use super::Case;
use crate::observe::observed;
use crate::operand::{make_defined, make_undefined};
use ringsmith_hybrid::tls::{self, Client, Group};
use ringsmith_oracle::{Generator, Random};
use ringsmith_simd::Cpu;
use std::hint::black_box;

/// A group, as a type: cases are functions.
trait OfTls {
    const GROUP: &'static Group;
}

/// Declares a type for each group.
macro_rules! groups {
    ($($name:ident $group:ident;)*) => { $(
        enum $name {}
        impl OfTls for $name {
            const GROUP: &'static Group = &tls::$group;
        }
    )* };
}

groups! {
    X25519MlKem768 X25519_MLKEM768;
    SecP256r1MlKem768 SECP256R1_MLKEM768;
    SecP384r1MlKem1024 SECP384R1_MLKEM1024;
    MlKem768 MLKEM768;
}

/// A client whose numbers are these bytes.
fn client<G: OfTls>(cpu: Cpu, mark: fn(&mut [u8])) -> Box<dyn Client> {
    let numbers = |bytes: &mut [u8]| {
        bytes.fill(3);
        mark(bytes);
    };
    G::GROUP.start(cpu, &mut Generator(numbers))
}

/// A client's share that holds no secret.
fn public_share<G: OfTls>(cpu: Cpu) -> Vec<u8> {
    client::<G>(cpu, |_| ()).share().to_vec()
}

/// A server's answer to it, with numbers of this seed.
fn respond<G: OfTls>(cpu: Cpu, share: &[u8], seed: u64, mark: fn(&mut [u8])) -> [Vec<u8>; 2] {
    let mut random = Random::new(seed);
    let numbers = |bytes: &mut [u8]| {
        random.fill(bytes);
        mark(bytes);
    };
    let (mut answer, mut secret) = (vec![0; G::GROUP.server_share], vec![0; G::GROUP.secret]);
    let answered = G::GROUP.respond(cpu, share, &mut Generator(numbers), &mut answer, &mut secret);
    answered.expect("a good share");
    [answer, secret]
}

fn cases<G: OfTls>() -> Vec<Case> {
    let case = |name: &str, run: fn(Cpu, u64)| Case::new(format!("{} {name}", G::GROUP.name), false, run);
    vec![
        case("start", |cpu, _| {
            // The first point of a curve makes the curve's table, which all later ones use.
            drop(public_share::<G>(cpu));
            let client = observed(|| client::<G>(cpu, make_undefined));
            make_defined(black_box(&mut client.share().to_vec()));
        }),
        case("respond", |cpu, seed| {
            let share = public_share::<G>(cpu);
            let mut made = observed(|| respond::<G>(cpu, &share, seed, make_undefined));
            made.iter_mut().for_each(|bytes| make_defined(black_box(bytes)));
        }),
        case("finish", |cpu, _| {
            let client = client::<G>(cpu, make_undefined);
            let [answer, _] = respond::<G>(cpu, &public_share::<G>(cpu), 1, |_| ());
            let mut secret = vec![0; G::GROUP.secret];
            observed(|| client.finish(&answer, &mut secret)).expect("a good share");
            make_defined(black_box(&mut secret));
        }),
    ]
}

/// The cases.
pub(super) fn all() -> Vec<Case> {
    let groups =
        [cases::<X25519MlKem768>, cases::<SecP256r1MlKem768>, cases::<SecP384r1MlKem1024>, cases::<MlKem768>];
    groups.into_iter().flat_map(|cases| cases()).collect()
}
