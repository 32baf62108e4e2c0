//! What is measured, each once: every case that there is, and every figure of the papers' tables.
#![forbid(unsafe_code)]

use ringsmith::scheme::ALL;
use ringsmith_bench::{
    cpus, exchange_cases, hash_cases, kem_cases, paper, peers::Peers, pke_cases, ring_cases, signature_cases,
    try_all,
};
use ringsmith_routes::new_hope::EXCHANGES;
use ringsmith_simd::Cpu;

fn available() -> Vec<Cpu> {
    Cpu::available().collect()
}

/// Protects: every operation of every ring, route and CPU of this machine runs, and is listed once.
#[test]
fn every_ring() {
    try_all(ring_cases(&cpus().unwrap()));
}

/// Protects: the same of every KEM.
#[test]
fn every_kem() {
    let (cpus, cases) = (available(), kem_cases(&available()));
    // Each key of a set without CCA serves once: it is not prepared.
    let prepared = ALL.iter().filter(|scheme| scheme.cca).count();
    assert_eq!(cases.len(), (3 * ALL.len() + 2 * prepared + 6) * cpus.len() + 2);
    try_all(cases);
}

/// Protects: the same of every set for signatures, and that its row of signatures has a mean.
#[test]
fn every_signature() {
    let cases = signature_cases(&available());
    assert_eq!(cases.len(), 3 * (3 + 2) * available().len());
    for row in try_all(cases) {
        assert_eq!(row.cycles_mean.is_some(), row.operation.starts_with("sign"), "{row:?}");
        assert!(row.cycles_mean.is_none_or(|mean| mean > row.cycles_min), "{row:?}");
    }
}

/// Protects: the same of every set for encryption.
#[test]
fn every_encryption() {
    let cases = pke_cases(&available());
    assert_eq!(cases.len(), (3 * (20 + 18 + 2) + 2 * (20 + 2)) * available().len());
    try_all(cases);
}

/// Protects: the same of every step of every exchange, by every route.
#[test]
fn every_exchange() {
    let (cpus, cases) = (available(), exchange_cases(&available()));
    // Three steps and two transforms by each route, and four parts.
    assert_eq!(cases.len(), EXCHANGES.len() * cpus.len() * (EXCHANGES[0].len() * (3 + 2) + 4));
    try_all(cases);
}

/// Protects: the same of the hash.
#[test]
fn every_hash() {
    assert_eq!(try_all(hash_cases(&available())).len(), 5 * available().len() + 4);
}

/// Protects: every figure that a table has a place for is measured, on every CPU of this machine, unless it
/// needs a peer that is not there, and then a note says so; a row's published figures are as many as its
/// columns.
#[test]
fn tables_are_full() {
    for paper in paper::PAPERS {
        let rows = try_all(paper.cases(&available(), &Peers::NONE));
        if paper.name == "ml-dsa" {
            side_by_side(&paper.tables(&rows));
            continue;
        }
        for table in paper.tables(&rows) {
            let text = paper::text(&table);
            for line in &table.lines {
                assert_eq!(line.published.len(), table.published.len(), "{}", line.item);
                let all = table.ours.iter().zip(&line.ours);
                let (gpu, cpu): (Vec<_>, Vec<_>) =
                    all.partition(|(on, _)| paper::ON_GPU.contains(&on.as_str()));
                let full = cpu.iter().all(|(_, x)| x.is_some_and(|x| x > 0.0));
                assert_eq!(full, line.lacks.is_none(), "{}", line.item);
                assert!(cpu.len() == available().len() || table.ours == ["here"]);
                assert!(gpu.iter().all(|(_, x)| x.is_none()), "{}", line.item);
                let told = text.contains("- cuda was not measured: `cargo xtask bench --table NAME --gpu`");
                assert_eq!(gpu.len(), if told { 2 } else { 0 }, "{text}");
                assert_eq!(told, paper.is_on_gpu() && table.ours != ["here"], "{text}");
                assert!(line.lacks.as_ref().is_none_or(|note| text.contains(note)), "{text}");
            }
            assert!(text.lines().count() > table.lines.len(), "{text}");
        }
    }
}

/// A line for each CPU of this machine, in which what a first attempt and all else takes is known.
fn side_by_side(tables: &[paper::Table]) {
    assert_eq!(tables.len(), 3);
    for table in tables {
        assert_eq!((table.lines.len(), table.ours.len()), (available().len(), 9), "{}", table.title);
        for line in &table.lines {
            let known = line.ours.iter().all(|x| x.is_some_and(|x| x > 0.0));
            assert!(known, "{} {}", table.title, line.item);
        }
        assert!(paper::text(table).contains("--peers --table ml-dsa"));
    }
}
