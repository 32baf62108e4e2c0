//! Hellos of clients, byte by byte, with malformed key shares; and what a server must answer: an alert, and
//! nothing else.
//!
//! Source: RFC 8446, sections 4.1.2 and 4.2.8 (the hello and its shares), 5.1 (records), 6 (alerts).

use ringsmith_hybrid::tls::Group;
use std::iter::{once, repeat_n};

/// Bytes of a record at most.
const RECORD: usize = 1 << 14;
/// The modulus of ML-KEM: the least coefficient that an encapsulation key must not have.
const Q: u16 = 3329;

/// Numbers without order: xorshift of 64 bits (G. Marsaglia).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 16) as usize % end
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| (self.next() >> 32) as u8).collect()
    }
}

/// A client's hello.
pub(crate) struct Hello {
    /// What is wrong with it.
    pub(crate) what: String,
    group: u16,
    share: Vec<u8>,
    /// What is added to the lengths of the share, of the list of shares, and of the extension.
    lies: [i32; 3],
}

/// Bytes behind their length, which is told wrong by so much.
fn counted(bytes: &[u8], lie: i32) -> Vec<u8> {
    let told = (bytes.len() as i32 + lie) as u16;
    [&told.to_be_bytes(), bytes].concat()
}

/// An extension.
fn extension(number: u16, content: &[u8], lie: i32) -> Vec<u8> {
    [&number.to_be_bytes()[..], &counted(content, lie)].concat()
}

impl Hello {
    /// One with this share.
    pub(crate) fn new(what: String, group: &Group, share: Vec<u8>) -> Self {
        Hello { what, group: group.code_point, share, lies: [0; 3] }
    }

    /// Records with the hello: suites of TLS 1.3, one group, one share, which stands last.
    pub(crate) fn records(&self) -> Vec<u8> {
        let group = self.group.to_be_bytes();
        let [share, list, whole] = self.lies;
        let entry = [&group[..], &counted(&self.share, share)].concat();
        let extensions = [
            extension(43, &[2, 3, 4], 0),                             // TLS 1.3
            extension(13, &counted(&[4, 3, 8, 4, 8, 7, 4, 1], 0), 0), // signatures
            extension(10, &counted(&group, 0), 0),
            extension(51, &counted(&entry, list), whole),
        ];
        let session = [&[32][..], &[9; 32]].concat();
        let suites = counted(&[0x13, 1, 0x13, 2, 0x13, 3], 0);
        let body =
            [&[3, 3][..], &[7; 32], &session, &suites, &[1, 0], &counted(&extensions.concat(), 0)].concat();
        let length = (body.len() as u32).to_be_bytes();
        let message = [&[1][..], &length[1..], &body].concat();
        message.chunks(RECORD).flat_map(|part| [&[22, 3, 1][..], &counted(part, 0)].concat()).collect()
    }
}

/// Where the lattice scheme's part of a share begins.
fn lattice(group: &Group) -> usize {
    group.curve.map_or(0, |curve| if curve.start == 0 { curve.point } else { 0 })
}

/// Sets a coefficient of an encapsulation key: two have three bytes.
fn set_coefficient(key: &mut [u8], index: usize, value: u16) {
    let at = index / 2 * 3;
    if index.is_multiple_of(2) {
        key[at] = value as u8;
        key[at + 1] = key[at + 1] & 0xF0 | (value >> 8) as u8;
    } else {
        key[at + 1] = key[at + 1] & 0x0F | (value << 4) as u8;
        key[at + 2] = (value >> 4) as u8;
    }
}

/// Shares of another length: all up to a few more than the good one, and some that are far longer. Contents
/// are random; zeros and ones stand there too where the length is almost right.
fn lengths(group: &'static Group, random: &mut Random) -> Vec<Hello> {
    let good = group.client_share;
    let all = (0..good + 65).chain([2 * good, 4096, 8191, RECORD - 100, RECORD, 40_000]);
    let mut hellos = Vec::new();
    for length in all.filter(|length| *length != good) {
        let named = |content| format!("{}: {length} bytes, {content}", group.name);
        hellos.push(Hello::new(named("random"), group, random.bytes(length)));
        if length.abs_diff(good) < 20 {
            hellos.push(Hello::new(named("zeros"), group, vec![0; length]));
            hellos.push(Hello::new(named("ones"), group, vec![0xFF; length]));
        }
    }
    hellos
}

/// Shares of the right length that are none: those of keys, and points that are refused.
fn contents(group: &'static Group, share: &[u8], random: &mut Random) -> Vec<Hello> {
    let mut spoiled = Vec::new();
    let mut add = |what: &str, share| {
        spoiled.push(Hello::new(format!("{}: {what}", group.name), group, share));
    };
    // Any bytes are a key of sntrup761.
    if group.name.contains("MLKEM") {
        keys(group, share, random, &mut add);
    }
    let points = group.curve.map_or(Vec::new(), |curve| bad_points(curve.point));
    for (curve, point) in group.curve.into_iter().flat_map(|curve| points.iter().map(move |p| (curve, p))) {
        let mut share = share.to_vec();
        share[curve.start..][..curve.point].copy_from_slice(point);
        add(&format!("point {:02x?}..", &point[..4]), share);
    }
    spoiled
}

/// Shares whose encapsulation key of ML-KEM is none: random ones, and those with one coefficient that is too
/// large.
fn keys(group: &Group, share: &[u8], random: &mut Random, add: &mut impl FnMut(&str, Vec<u8>)) {
    add("ones", vec![0xFF; share.len()]);
    (0..20).for_each(|_| add("random", random.bytes(share.len())));
    let start = lattice(group);
    let coefficients = (share.len() - group.curve.map_or(0, |curve| curve.point) - 32) / 3 * 2;
    let some = [0, 1, coefficients - 1].into_iter().chain((0..20).map(|_| random.below(coefficients)));
    for (index, value) in some.zip([Q, 4095].into_iter().cycle()) {
        let mut share = share.to_vec();
        set_coefficient(&mut share[start..], index, value);
        add(&format!("coefficient {index} is {value}"), share);
    }
}

/// Points of so many bytes that a curve does not take: X25519's of order 4 and 1 and 8, others off the curve,
/// at infinity, or in another form.
fn bad_points(bytes: usize) -> Vec<Vec<u8>> {
    let filled = |first: u8| once(first).chain(repeat_n(0, bytes - 1)).collect();
    match bytes {
        32 => vec![filled(0), filled(1), [&[0xEC][..], &[0xFF; 30], &[0x7F]].concat()],
        _ => [0, 2, 3, 4, 6].into_iter().map(filled).collect(),
    }
}

/// Lengths that are told wrong.
fn lies(group: &'static Group, share: &[u8]) -> Vec<Hello> {
    let mut told = Vec::new();
    for (field, lie) in (0..3).flat_map(|field| [-300, -2, -1, 1, 2, 300].map(|lie| (field, lie))) {
        let what = format!("{}: length {field} is told as {lie:+}", group.name);
        let mut hello = Hello::new(what, group, share.to_vec());
        hello.lies[field] = lie;
        told.push(hello);
    }
    told
}

/// Everything malformed, of a good share.
pub(crate) fn malformed(group: &'static Group, share: &[u8], random: &mut Random) -> Vec<Hello> {
    let parts = [lengths(group, random), contents(group, share, random), lies(group, share)];
    parts.into_iter().flatten().collect()
}

/// Whether an answer is one fatal alert about a key share, and nothing else: `decode_error` where a length
/// is told wrong or nothing is there, else `illegal_parameter`.
pub(crate) fn is_alert(answer: &[u8]) -> bool {
    matches!(answer, [21, 3, _, 0, 2, 2, 47 | 50])
}

/// Whether an answer begins with a server's hello.
pub(crate) fn is_hello(answer: &[u8]) -> bool {
    matches!(answer, [22, 3, _, _, _, 2, ..])
}
