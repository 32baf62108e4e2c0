//! What other libraries take beside this one, in a scheme or a ring: from the page of performance.

use crate::table::{Table, markdown, number, ratio};

/// The name of this library in tables.
const OURS: &str = "ringsmith";
/// One set of each family, in the order of the picture.
const SETS: [&str; 6] =
    ["ML-KEM-768", "ML-DSA-65", "sntrup761", "ntrulpr761", "ntruhps2048677", "ntruhrss701"];
/// The rings whose products are compared.
const RINGS: [&str; 2] = ["Z_12289[x]/(x^1024+1)", "Z_12289[x]/(x^512+1)"];

/// A value for each kind of operation: key generation, what makes a ciphertext or a signature, what takes it,
/// and a product.
pub(crate) type Kinds = [Option<f64>; 4];

/// A library beside ours.
pub(crate) struct Row {
    pub(crate) peer: String,
    /// Its time divided by ours on our fastest backend.
    pub(crate) ratios: Kinds,
    /// The same by ours on AVX2; nothing where it runs on AVX-512 itself.
    pub(crate) with_avx2: Kinds,
}

/// What is compared in a scheme or a ring.
pub(crate) struct Group {
    pub(crate) name: String,
    /// Our core cycles on the backend that is fastest at an operation.
    pub(crate) ours: Kinds,
    /// Our core cycles on AVX2.
    pub(crate) with_avx2: Kinds,
    pub(crate) rows: Vec<Row>,
}

impl Group {
    /// Without rows that compare nothing, and then nothing if there are none.
    fn kept(name: &str, [ours, with_avx2]: [Kinds; 2], mut rows: Vec<Row>) -> Option<Group> {
        rows.retain(|row| row.ratios.iter().any(Option::is_some));
        (!rows.is_empty()).then(|| Group { name: name.into(), ours, with_avx2, rows })
    }
}

/// Their figures divided by ours.
fn over(theirs: Kinds, ours: Kinds) -> Kinds {
    [0, 1, 2, 3].map(|kind| theirs[kind].zip(ours[kind]).map(|(theirs, ours)| theirs / ours))
}

/// The same by ours on AVX2, of a library that does not run on AVX-512.
fn over_avx2(on: &str, theirs: Kinds, ours: Kinds) -> Kinds {
    if on.contains("avx512") { [None; 4] } else { over(theirs, ours) }
}

/// The kind of a row of a table of key encapsulations.
fn kind(operation: &str) -> Option<usize> {
    ["keygen", "encapsulate", "decapsulate"].iter().position(|name| *name == operation)
}

/// Key encapsulations: a line for each operation, a column for each library, ratios in parentheses.
fn encapsulations(table: &Table, name: &str) -> Option<Group> {
    let of_kinds = |read: &dyn Fn(&Vec<String>) -> Option<f64>| {
        let mut found: Kinds = [None; 4];
        for line in &table.lines {
            if let Some(kind) = kind(&line[0]) {
                found[kind] = read(line);
            }
        }
        found
    };
    // Columns of others have the backend in parentheses.
    let own = |column: usize| column > 0 && !table.columns[column].contains('(');
    let ours = of_kinds(&|line| {
        let own = line.iter().enumerate().filter(|(column, _)| own(*column));
        own.filter_map(|(_, cell)| number(cell)).reduce(f64::min)
    });
    let with_avx2 = of_kinds(&|line| number(&line[table.column("avx2")?]));
    let row = |(column, peer): (usize, &String)| {
        let theirs = of_kinds(&|line| number(&line[column]));
        Row {
            peer: peer.clone(),
            ratios: of_kinds(&|line| ratio(&line[column])),
            with_avx2: over_avx2(peer, theirs, with_avx2),
        }
    };
    Group::kept(name, [ours, with_avx2], table.columns.iter().enumerate().skip(1).map(row).collect())
}

/// Signatures: a line for each library on a backend, a column for each operation.
fn signatures(table: &Table, name: &str) -> Option<Group> {
    let columns = ["keygen", "mean", "verify"].map(|name| table.column(name));
    // These tables count thousands.
    let figures = |line: &Vec<String>| -> Kinds {
        let [keygen, sign, verify] = columns.map(|column| Some(1e3 * number(&line[column?])?));
        [keygen, sign, verify, None]
    };
    let own = || table.lines.iter().filter(|line| line[0] == OURS);
    let least = |kind: usize| own().filter_map(|line| figures(line)[kind]).reduce(f64::min);
    let ours = [0, 1, 2, 3].map(least);
    let with_avx2 = own().find(|line| line[1] == "avx2").map_or([None; 4], figures);
    let row = |line: &Vec<String>| Row {
        peer: format!("{} ({})", line[0], line[1]),
        ratios: over(figures(line), ours),
        with_avx2: over_avx2(&line[1], figures(line), with_avx2),
    };
    let rows = table.lines.iter().filter(|line| line[0] != OURS).map(row).collect();
    Group::kept(name, [ours, with_avx2], rows)
}

/// Products: a line for each ring, operation and library.
fn products(table: &Table, ring: &str) -> Option<Group> {
    let [of, operation, peer, cpu, ratio] =
        ["of", "operation", "peer", "its CPU", "ratio"].map(|name| table.column(name));
    let (of, operation, peer, cpu, ratio) = (of?, operation?, peer?, cpu?, ratio?);
    let lines = table.lines.iter().filter(|line| line[of] == ring && line[operation] == "product");
    let row = |line: &Vec<String>| Row {
        peer: format!("{} ({})", line[peer], line[cpu]),
        ratios: [None, None, None, number(&line[ratio])],
        with_avx2: [None; 4],
    };
    let ours = lines.clone().next().and_then(|line| number(&line[table.column("ours")?]));
    Group::kept(ring, [[None, None, None, ours], [None; 4]], lines.map(row).collect())
}

/// The table of a set: that whose title ends with its name, or has it before a colon and counts times.
fn group(tables: &[Table], set: &str) -> Option<Group> {
    let of_set = |table: &&Table| {
        let title = table.title.rsplit(" / ").next().unwrap_or_default();
        title == set || title.starts_with(&format!("{set}: "))
    };
    let mut found = tables.iter().filter(of_set);
    found.find_map(|table| match table.column("verify") {
        Some(_) => signatures(table, set),
        None => encapsulations(table, set),
    })
}

/// All that the page compares, of one set of each family and of two rings.
pub(crate) fn groups(page: &str) -> Vec<Group> {
    let tables = markdown(page);
    let schemes = SETS.iter().filter_map(|set| group(&tables, set));
    let of_ring = |ring: &&str| tables.iter().find_map(|table| products(table, ring));
    schemes.chain(RINGS.iter().filter_map(of_ring)).collect()
}
