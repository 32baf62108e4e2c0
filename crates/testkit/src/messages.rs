//! Random messages of public-key encryption, encrypted and decrypted: how many come out wrong.
//!
//! Every so many messages there is a new key pair, each on the next backend of this machine. Messages have
//! any length up to the longest one.

use ringsmith::scheme::{ENCRYPTIONS, PublicKeyEncryption, encryption_by_name};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;

/// How a run is asked for.
const USAGE: &str = "usage: messages [SET] [--count N] [--seed N]";
/// Messages of a set where nothing else is asked for.
const COUNT: usize = 10_000;
/// Messages of a key pair.
const PER_KEY: usize = 100;

/// What is run.
#[derive(Clone, Copy)]
pub struct Plan {
    /// One set; all where there is none.
    set: Option<&'static PublicKeyEncryption>,
    /// Messages of each set.
    pub count: usize,
    /// Messages of each key pair.
    per_key: usize,
    /// Of random numbers.
    pub seed: u64,
}

impl Plan {
    /// That of a command line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(args: &[String]) -> Result<Plan, String> {
        let mut plan = Plan { set: None, count: COUNT, per_key: PER_KEY, seed: 1 };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--count" => plan.count = number(arg, args.next())?,
                "--seed" => plan.seed = number(arg, args.next())?,
                option if option.starts_with('-') => return Err(format!("no option `{option}`\n{USAGE}")),
                name if plan.set.is_some() => return Err(format!("one set at most, and `{name}`\n{USAGE}")),
                name => plan.set = Some(encryption_by_name(name).ok_or_else(|| no_set(name))?),
            }
        }
        if plan.count == 0 { Err("`--count` is at least 1".to_string()) } else { Ok(plan) }
    }

    /// The sets, in the order of the list.
    pub fn sets(&self) -> &[&'static PublicKeyEncryption] {
        self.set.as_ref().map_or(ENCRYPTIONS, std::slice::from_ref)
    }
}

/// The number behind an option.
fn number<N: std::str::FromStr>(option: &str, text: Option<&String>) -> Result<N, String> {
    let text = text.ok_or_else(|| format!("`{option}` needs a number\n{USAGE}"))?;
    text.parse().map_err(|_| format!("`{option}`: `{text}` is no number"))
}

fn no_set(name: &str) -> String {
    let names: Vec<_> = ENCRYPTIONS.iter().map(|set| set.name).collect();
    format!("no set `{name}`; there are: {}", names.join(", "))
}

/// What came out of a set's messages.
#[derive(Default, PartialEq, Eq, Debug)]
pub struct Tally {
    /// How many there were.
    pub messages: usize,
    /// Of how many key pairs.
    pub keys: usize,
    /// How many were wrong.
    pub wrong: usize,
    /// The first of those.
    pub first: Option<String>,
}

/// A set's key pair on a backend, and places for ciphertexts and messages.
struct Pair<'a> {
    set: &'a PublicKeyEncryption,
    cpu: Cpu,
    public: Vec<u8>,
    private: Vec<u8>,
    ciphertext: Vec<u8>,
    found: Vec<u8>,
}

impl<'a> Pair<'a> {
    fn new(set: &'a PublicKeyEncryption, cpu: Cpu) -> Self {
        let [public, private, ciphertext, found] =
            [set.public_key, set.private_key, set.ciphertext, set.message].map(|length| vec![0; length]);
        Pair { set, cpu, public, private, ciphertext, found }
    }

    fn generate(&mut self, random: &mut Random) -> Result<(), String> {
        (self.set.generate)(self.cpu, random, &mut self.public, &mut self.private)
            .map_err(|why| format!("generation: {why}"))
    }

    /// Encrypts and decrypts a message; what is wrong.
    fn check(&mut self, message: &[u8], random: &mut Random) -> Result<(), String> {
        (self.set.encrypt)(self.cpu, &self.public, message, random, &mut self.ciphertext)
            .map_err(|why| format!("encryption: {why}"))?;
        let length = (self.set.decrypt)(self.cpu, &self.private, &self.ciphertext, &mut self.found)
            .map_err(|why| format!("decryption: {why}"))?;
        if self.found.get(..length) == Some(message) { Ok(()) } else { Err("another message".to_string()) }
    }
}

/// Runs a set's messages; `done` is told how many before each key pair.
///
/// # Errors
/// Where a key pair cannot be made.
pub fn run(set: &PublicKeyEncryption, plan: &Plan, mut done: impl FnMut(usize)) -> Result<Tally, String> {
    let (mut tally, mut random, mut text) = (Tally::default(), Random::new(plan.seed), vec![0; set.message]);
    let cpus: Vec<Cpu> = Cpu::available().collect();
    while tally.messages < plan.count {
        done(tally.messages);
        let mut pair = Pair::new(set, cpus[tally.keys % cpus.len()]);
        pair.generate(&mut random)?;
        tally.keys += 1;
        for _ in 0..plan.per_key.min(plan.count - tally.messages) {
            let message = &mut text[..random.within(0, set.message as i64) as usize];
            random.fill(message);
            if let Err(why) = pair.check(message, &mut random) {
                let Tally { messages, keys, .. } = tally;
                let first = || format!("message {messages}, key {} on {}: {why}", keys - 1, pair.cpu.name());
                tally.first.get_or_insert_with(first);
                tally.wrong += 1;
            }
            tally.messages += 1;
        }
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringsmith::ntruencrypt::Ees401ep1;
    use ringsmith::scheme::SchemeError;

    fn parse(args: &[&str]) -> Result<Plan, String> {
        Plan::parse(&args.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    /// Protects: messages of every length, of every set, on every backend.
    #[test]
    #[cfg_attr(miri, ignore = "rings of a thousand coefficients: minutes under Miri")]
    fn few_messages() {
        let plan = Plan { per_key: 5, ..parse(&["--count", "20"]).expect("a plan") };
        for set in plan.sets() {
            let tally = run(set, &plan, |_| ()).expect("its own keys");
            assert_eq!(tally, Tally { messages: 20, keys: 4, wrong: 0, first: None }, "{}", set.name);
        }
    }

    /// Protects: that a wrong message counts.
    #[test]
    #[cfg_attr(miri, ignore = "rings of a thousand coefficients: minutes under Miri")]
    fn wrong_messages() {
        fn another(_: Cpu, _: &[u8], ciphertext: &[u8], out: &mut [u8]) -> Result<usize, SchemeError> {
            out.fill(!ciphertext[0]);
            if ciphertext[0] & 1 == 0 { Ok(out.len()) } else { Err(SchemeError::Decryption) }
        }
        let set = PublicKeyEncryption { decrypt: another, ..PublicKeyEncryption::of::<Ees401ep1>() };
        let mut told = Vec::new();
        let plan = parse(&["--count", "110"]).expect("a plan");
        let tally = run(&set, &plan, |done| told.push(done)).expect("its own keys");
        assert_eq!((tally.wrong, tally.messages, tally.keys, told), (110, 110, 2, vec![0, 100]));
        assert!(tally.first.is_some_and(|first| first.starts_with("message 0, key 0 on ")));
    }

    /// Protects: command lines, good and bad.
    #[test]
    fn command_lines() {
        let plan = parse(&["LIBNTRU-ees401ep1", "--seed", "7", "--count", "3"]).expect("a plan");
        assert_eq!((plan.sets()[0].name, plan.seed, plan.count), ("libntru-ees401ep1", 7, 3));
        assert_eq!(parse(&[]).map(|plan| (plan.sets().len(), plan.count)), Ok((ENCRYPTIONS.len(), COUNT)));
        for bad in [
            &["--count"][..],
            &["--count", "0"],
            &["--count", "-1"],
            &["--seed", "x"],
            &["--fast"],
            &["ees1ep1"],
            &["ees401ep1", "ees401ep2"],
        ] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
    }
}
