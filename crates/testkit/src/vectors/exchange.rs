//! NewHope's key exchanges: what others publish of them.
//!
//! | format | file | of | checked |
//! |---|---|---|---|
//! | Botan | `newhope.vec` | NewHope-ADPS | two seeds to the hashes of both messages, and the shared key |
//! | the reference | a list in JSON | NewHope-ADPS | the same, with the messages themselves |
//! | LatticeCrypto | an object in JSON | NewHope-Longa-Naehrig | random bytes to messages and shared key |
//!
//! Botan's file is `src/tests/data/pubkey/newhope.vec` of `randombit/botan`. Its hashes of offer and response
//! are SHA3-256. The object for LatticeCrypto has `mode` and `vectors`, with random bytes or seeds of them.
//!
//! The reference of NewHope-ADPS and LatticeCrypto print no files of vectors. The last two are what a program
//! writes that calls them: for each exchange, what was drawn, both messages and the shared key, as
//! hexadecimal digits.

use super::json::{self, Hex};
use super::subject::{Outcome, same};
use super::tally::{Kind, Tally};
use super::text::{self, Line};
use super::{FileError, Run};
use ringsmith::new_hope::{adps, longa_naehrig};
use ringsmith_hash::Sha3_256;
use ringsmith_simd::Cpu;
use serde::Deserialize;

/// The name in the first line of Botan's file.
pub(super) const FIRST_OF_BOTAN: &str = "DRBG_SeedA";

/// Where the selection is of others.
const OTHER: Outcome = Outcome::NotChecked("other set");

/// What an exchange gives: the offer, the response, and both shared keys.
struct Made {
    offer: Vec<u8>,
    response: Vec<u8>,
    keys: [[u8; 32]; 2],
}

/// What is published of it, where the messages may be hashed.
struct Published<'a> {
    offer: &'a [u8],
    response: &'a [u8],
    key: &'a [u8],
}

impl Made {
    /// With hashes of the messages in their places.
    fn hashed(self, cpu: Cpu) -> Self {
        let hash = |message: &[u8]| {
            let hashed: [u8; 32] = Sha3_256::new_on(cpu).absorb(message).digest();
            hashed.to_vec()
        };
        Made { offer: hash(&self.offer), response: hash(&self.response), ..self }
    }

    fn count(&self, tally: &mut Tally, set: &str, case: &str, published: &Published) {
        let response = same("response", published.response, &self.response);
        let response = response.and_then(|()| same("shared key", published.key, &self.keys[1]));
        tally.count(set, Kind::Offer, case, same("offer", published.offer, &self.offer).into());
        tally.count(set, Kind::Response, case, response.into());
        tally.count(set, Kind::Finish, case, same("shared key", published.key, &self.keys[0]).into());
    }
}

/// An exchange of the ADPS form.
fn adps(run: Run, [seed, alice, bob]: [&[u8; 32]; 3]) -> Made {
    let exchange = adps::Exchange::new_on(run.cpu);
    let (secret, offer) = exchange.offer_deterministic(seed, alice);
    let (response, key) = exchange.respond_deterministic(bob, &offer);
    Made {
        offer: offer.to_vec(),
        response: response.to_vec(),
        keys: [secret.finish(&response), key].map(|key| *key.as_bytes()),
    }
}

/// Counts an exchange, where it is of the selection.
fn check(
    run: Run,
    tally: &mut Tally,
    set: &str,
    case: &str,
    published: &Published,
    make: impl FnOnce() -> Made,
) {
    if run.selection.takes(set) {
        make().count(tally, set, case, published);
    } else {
        [Kind::Offer, Kind::Response, Kind::Finish]
            .into_iter()
            .for_each(|kind| tally.count(set, kind, case, OTHER));
    }
}

/// Checks Botan's file: groups of five lines.
pub(super) fn botan(run: Run, text: &str) -> Result<Tally, FileError> {
    const NAMES: [&str; 5] = [FIRST_OF_BOTAN, "H_OutputA", "DRBG_SeedB", "H_OutputB", "SharedKey"];
    let lines = text::lines(text).map(Line::parse).collect::<Result<Vec<_>, _>>()?;
    let mut tally = Tally::new("Botan");
    for group in lines.chunks(NAMES.len()) {
        for (line, name) in group.iter().zip(NAMES) {
            if line.name != name {
                return Err(FileError::line(line.number, format!("is not `{name}`")));
            }
        }
        let [seed_a, offer, seed_b, response, key] = group else {
            return Err(FileError::line(group[group.len() - 1].number, "ends within a case"));
        };
        let (a, bob) = (seed_a.array::<64>()?, seed_b.array()?);
        let [offer, response, key] = [offer.array::<32>()?, response.array()?, key.array()?];
        let (a, _) = a.as_chunks();
        let case = format!("line {}", seed_a.number);
        let published = Published { offer: &offer, response: &response, key: &key };
        check(run, &mut tally, adps::EXCHANGE.name, &case, &published, || {
            adps(run, [&a[0], &a[1], &bob]).hashed(run.cpu)
        });
    }
    Ok(tally)
}

/// Whether a text is a list of objects in JSON.
pub(super) fn is_list(text: &str) -> bool {
    text.trim_start().strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with(['{', ']']))
}

#[derive(Deserialize)]
struct OfReference {
    index: u64,
    alice_seed: Hex,
    alice_noiseseed: Hex,
    bob_noiseseed: Hex,
    msg_a: Hex,
    msg_b: Hex,
    key: Hex,
}

/// Bytes of a fixed number.
fn array<'a, const N: usize>(path: &str, bytes: &'a Hex) -> Result<&'a [u8; N], FileError> {
    bytes.array().map_err(|what| FileError::json(path, what))
}

/// Checks a list of the ADPS form.
pub(super) fn reference(run: Run, text: &str) -> Result<Tally, FileError> {
    let mut tally = Tally::new("NewHope reference");
    for (i, one) in json::parse::<Vec<OfReference>>(text)?.iter().enumerate() {
        let seeds = [
            array(&format!("[{i}].alice_seed"), &one.alice_seed)?,
            array(&format!("[{i}].alice_noiseseed"), &one.alice_noiseseed)?,
            array(&format!("[{i}].bob_noiseseed"), &one.bob_noiseseed)?,
        ];
        let published = Published { offer: &one.msg_a.0, response: &one.msg_b.0, key: &one.key.0 };
        let case = format!("index {}", one.index);
        check(run, &mut tally, adps::EXCHANGE.name, &case, &published, || adps(run, seeds));
    }
    Ok(tally)
}

#[derive(Deserialize)]
struct LatticeCrypto {
    vectors: Vec<OfLatticeCrypto>,
}

#[derive(Deserialize)]
struct OfLatticeCrypto {
    count: u64,
    alice_random: Vec<Hex>,
    bob_random: Vec<Hex>,
    msg_a: Hex,
    msg_b: Hex,
    key: Hex,
}

/// Checks a file of LatticeCrypto. Its mode says whether random bytes are those of the noise, or seeds of
/// ChaCha20, and then in which byte the nonce of the hints stands.
pub(super) fn latticecrypto(run: Run, text: &str, mode: &str) -> Result<Tally, FileError> {
    let plain = longa_naehrig::Exchange::new_on(run.cpu);
    let exchange = match mode {
        mode if mode.starts_with("raw") || mode.contains("nonce 3 in byte 7") => plain,
        mode if mode.contains("nonce 3 in byte 1") => plain.with_help_nonce_in_byte_one(),
        _ => return Err(FileError::json("mode", "says neither `raw` nor where nonce 3 stands")),
    };
    let mut tally = Tally::new("LatticeCrypto");
    for (i, one) in json::parse::<LatticeCrypto>(text)?.vectors.iter().enumerate() {
        let made = one.exchanged(exchange, &format!("vectors[{i}]"))?;
        let published = Published { offer: &one.msg_a.0, response: &one.msg_b.0, key: &one.key.0 };
        let case = format!("count {}", one.count);
        check(run, &mut tally, longa_naehrig::EXCHANGE.name, &case, &published, || made);
    }
    Ok(tally)
}

impl OfLatticeCrypto {
    fn exchanged(&self, exchange: longa_naehrig::Exchange, path: &str) -> Result<Made, FileError> {
        let (alice, bob) = (format!("{path}.alice_random"), format!("{path}.bob_random"));
        let (secret, offer, response, key) = match (&self.alice_random[..], &self.bob_random[..]) {
            ([seed, noise], [bobs]) => {
                let (secret, offer) =
                    exchange.offer_deterministic(array(&alice, seed)?, array(&alice, noise)?);
                let (response, key) = exchange.respond_deterministic(array(&bob, bobs)?, &offer);
                (secret, offer, response, key)
            }
            ([seed, s, e], [t, f, g, help]) => {
                let noise = [array(&alice, s)?, array(&alice, e)?];
                let (secret, offer) = exchange.offer_from_noise(array(&alice, seed)?, noise);
                let noise = [array(&bob, t)?, array(&bob, f)?, array(&bob, g)?];
                let (response, key) = exchange.respond_from_noise(noise, array(&bob, help)?, &offer);
                (secret, offer, response, key)
            }
            _ => return Err(FileError::json(path, "has neither seeds nor noise of both sides")),
        };
        Ok(Made {
            offer: offer.to_vec(),
            response: response.to_vec(),
            keys: [secret.finish(&response), key].map(|key| *key.as_bytes()),
        })
    }
}
