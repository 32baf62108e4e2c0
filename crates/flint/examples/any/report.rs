//! What is printed.

use crate::measure::{Budget, Times};
use crate::points::Point;
use ringsmith_flint::{has_fft_small, library, version};
use ringsmith_simd::Cpu;

/// A point with its times.
pub(crate) struct Row {
    pub(crate) point: Point,
    pub(crate) times: Times,
}

impl Row {
    /// Above 1 ours is faster.
    fn ratio(&self) -> f64 {
        self.times.theirs / self.times.ours
    }
}

/// The CPU's name, as Linux on x86-64 has it.
fn cpu_model() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or_else(|| "CPU of an unknown model".into(), |(_, name)| name.trim().into())
}

/// Prints where the figures come from.
pub(crate) fn print_heading(cpu: Cpu, budget: &Budget) {
    let fft = if has_fft_small() { "with fft_small" } else { "WITHOUT fft_small, its fastest transforms" };
    println!("machine    {}, {} {}", cpu_model(), std::env::consts::ARCH, std::env::consts::OS);
    println!("ringsmith  {}, backend {}", env!("CARGO_PKG_VERSION"), cpu.name());
    println!("FLINT      {} {fft}, {}", version(), library());
    let (rounds, time) = (budget.rounds, budget.time.as_millis());
    println!(
        "figures    nanoseconds of a product: the least of {rounds} rounds or more, {time} ms or more, both"
    );
    println!("           sides in turn; ratio: FLINT's over ours, so above 1 ours is faster\n");
    println!(
        "{:>9} {:>6} {:<8} {:>11} {:>11} {:>7}  how FLINT, how ours",
        "q", "n", "f", "FLINT", "ringsmith", "ratio"
    );
}

/// Prints a row.
pub(crate) fn print_row(row: &Row) {
    let Row { point, times: Times { ours, route, theirs, way } } = row;
    let (q, n, f, ratio) = (point.q_name(), point.n, point.form_name(), row.ratio());
    println!("{q:>9} {n:>6} {f:<8} {theirs:>11.0} {ours:>11.0} {ratio:>7.2}  {way}; {route}");
}

/// Prints means, worst points and those where FLINT is faster.
pub(crate) fn print_summary(rows: &[Row]) {
    let all: Vec<&Row> = rows.iter().collect();
    let large: Vec<&Row> = rows.iter().filter(|row| row.point.q > 17).collect();
    println!();
    print_mean("all", &all);
    print_mean("q > 17", &large);
    let lost: Vec<&&Row> = all.iter().filter(|row| row.ratio() < 1.0).collect();
    if !lost.is_empty() {
        println!("\nFLINT is faster:");
    }
    lost.iter().for_each(|row| println!("  {:.2}  {}", row.ratio(), row.point));
}

fn print_mean(name: &str, rows: &[&Row]) {
    let Some(worst) = rows.iter().min_by(|x, y| x.ratio().total_cmp(&y.ratio())) else { return };
    let mean = (rows.iter().map(|row| row.ratio().ln()).sum::<f64>() / rows.len() as f64).exp();
    let lost = rows.iter().filter(|row| row.ratio() < 1.0).count();
    let (points, worst_ratio, worst) = (rows.len(), worst.ratio(), worst.point);
    println!("{name:<7} {points:>3} points: geometric mean {mean:.2}, FLINT is faster at {lost};");
    println!("        least {worst_ratio:.2} at {worst}");
}
