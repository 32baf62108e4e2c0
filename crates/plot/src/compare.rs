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

/// A library beside ours: its time divided by ours.
pub(crate) struct Row {
    pub(crate) peer: String,
    pub(crate) ratios: Kinds,
}

/// What is compared in a scheme or a ring.
pub(crate) struct Group {
    pub(crate) name: String,
    /// Our core cycles.
    pub(crate) ours: Kinds,
    pub(crate) rows: Vec<Row>,
}

impl Group {
    /// Without rows that compare nothing, and then nothing if there are none.
    fn kept(name: &str, ours: Kinds, mut rows: Vec<Row>) -> Option<Group> {
        rows.retain(|row| row.ratios.iter().any(Option::is_some));
        (!rows.is_empty()).then(|| Group { name: name.into(), ours, rows })
    }
}

/// The kind of a row of a table of key encapsulations.
fn kind(operation: &str) -> Option<usize> {
    ["keygen", "encapsulate", "decapsulate"].iter().position(|name| *name == operation)
}

/// Key encapsulations: a line for each operation, a column for each library, ratios in parentheses.
fn encapsulations(table: &Table, name: &str) -> Option<Group> {
    let row = |(column, peer): (usize, &String)| {
        let mut ratios = [None; 4];
        for line in &table.lines {
            if let Some(kind) = kind(&line[0]) {
                ratios[kind] = ratio(&line[column]);
            }
        }
        Row { peer: peer.clone(), ratios }
    };
    let mut ours = [None; 4];
    for line in &table.lines {
        if let Some(kind) = kind(&line[0]) {
            // Columns of others have the backend in parentheses.
            let own = line.iter().zip(&table.columns).skip(1).filter(|(_, column)| !column.contains('('));
            ours[kind] = own.filter_map(|(cell, _)| number(cell)).reduce(f64::min);
        }
    }
    Group::kept(name, ours, table.columns.iter().enumerate().skip(1).map(row).collect())
}

/// Signatures: a line for each library on a backend, a column for each operation.
fn signatures(table: &Table, name: &str) -> Option<Group> {
    let columns = ["keygen", "mean", "verify"].map(|name| table.column(name));
    let figure = |line: &Vec<String>, column: Option<usize>| number(&line[column?]);
    let ours = columns.map(|column| {
        let lines = table.lines.iter().filter(|line| line[0] == OURS);
        lines.filter_map(|line| figure(line, column)).reduce(f64::min)
    });
    let row = |line: &Vec<String>| {
        let mut ratios = [None; 4];
        for (kind, (column, ours)) in columns.into_iter().zip(ours).enumerate() {
            ratios[kind] = figure(line, column).zip(ours).map(|(theirs, ours)| theirs / ours);
        }
        Row { peer: format!("{} ({})", line[0], line[1]), ratios }
    };
    let rows = table.lines.iter().filter(|line| line[0] != OURS).map(row).collect();
    // These tables count thousands.
    let [keygen, sign, verify] = ours.map(|figure| figure.map(|figure| 1e3 * figure));
    Group::kept(name, [keygen, sign, verify, None], rows)
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
    };
    let ours = lines.clone().next().and_then(|line| number(&line[table.column("ours")?]));
    Group::kept(ring, [None, None, None, ours], lines.map(row).collect())
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
