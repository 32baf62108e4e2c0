//! The section of a page that tells what was measured, made of results.

use crate::Failure;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Between these lines of a page stands what this module writes.
const BEGIN: &str = "<!-- measured: begin -->";
const END: &str = "<!-- measured: end -->";

/// Writes the section of the results of a file into a page.
///
/// # Errors
/// Where a file can't be read or written, a line is no result, or the page has no such section.
pub fn command(results: &Path, page: &Path) -> Result<(), Failure> {
    let (lines, text) = (fs::read_to_string(results)?, fs::read_to_string(page)?);
    let results: Vec<Value> = lines.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    Ok(fs::write(page, replaced(&text, &section(&results)?)?)?)
}

/// A page with another section.
fn replaced(page: &str, section: &str) -> Result<String, Failure> {
    let (before, rest) = page.split_once(BEGIN).ok_or("the page has no place for what was measured")?;
    let (_, after) = rest.split_once(END).ok_or("the page does not say where what was measured ends")?;
    Ok(format!("{before}{BEGIN}\n{section}{END}{after}"))
}

/// The results of a kind, of all experiments.
fn of<'a>(results: &'a [Value], what: &'a str) -> impl Iterator<Item = &'a Value> {
    results.iter().filter(move |result| result["what"] == what)
}

/// What a result has by a name.
fn text(result: &Value, name: &str) -> String {
    match &result[name] {
        Value::String(text) => text.clone(),
        Value::Null => "unknown".into(),
        other => other.to_string(),
    }
}

/// A rate in millions a second.
fn millions(result: &Value, name: &str) -> String {
    result[name].as_f64().map_or("unknown".into(), |rate| format!("{:.2}", rate / 1e6))
}

/// The section. Without the machine and with a wrong product there is none.
fn section(results: &[Value]) -> Result<String, Failure> {
    if let Some(wrong) = results.iter().find(|result| result["right"] == false) {
        return Err(format!("a result is wrong, and what is wrong is not published: {wrong}").into());
    }
    let machine = of(results, "machine").last().ok_or("the results do not name the machine")?;
    let parts = [
        head(machine),
        checks(results),
        instructions(results),
        rates(results),
        occupancy(results),
        encryptions(results),
        peer(results),
        streams(results),
        memory(results),
    ];
    Ok(parts.concat())
}

fn head(machine: &Value) -> String {
    let of = |name| text(machine, name);
    let gpu = format!("{}, compute capability {}", of("gpu"), of("capability"));
    format!(
        "Measured on one GPU, {gpu} (driver, highest clock, power limit: {}); the CPU's library on {} cores \
         of a CPU, {}.\n\n",
        of("driver"),
        of("cores"),
        of("cpu")
    )
}

/// What was checked, in sentences.
fn checks(results: &[Value]) -> String {
    let right: Vec<&Value> = of(results, "check").filter(|check| check["right"] == true).collect();
    let products: u64 = right.iter().filter_map(|check| check["products"].as_u64()).sum();
    let rings = right.len();
    let mut lines =
        vec![format!("Products checked against the CPU's library: {products}, in {rings} rings.")];
    for soak in of(results, "soak") {
        let (batches, products) = (text(soak, "batches"), text(soak, "products"));
        let seconds = soak["seconds"].as_f64().unwrap_or_default();
        lines.push(format!("A soak of {seconds:.0} seconds: {batches} batches, {products} products."));
    }
    lines.extend(of(results, "twice").map(|_| "Two processes on the GPU at once: both right.".to_string()));
    lines.extend(of(results, "sanitizer").map(|run| match run["tool"].as_str() {
        Some(tool) => format!("`compute-sanitizer`, {tool}: no error."),
        None => "`compute-sanitizer` was not on the machine, and did not run.".to_string(),
    }));
    lines.extend(
        of(results, "clocks")
            .map(|now| format!("Clock, power, temperature at the end: {}.", text(now, "now"))),
    );
    lines.join("\n") + "\n\n"
}

/// A table; nothing where it has no rows.
fn table(title: &str, columns: &[&str], rows: Vec<Vec<String>>) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = columns.iter().map(|column| (*column).to_string()).collect();
    // Text stands on the left, numbers behind it on the right: those whose title says a unit or a count.
    let rule: Vec<String> = columns
        .iter()
        .map(|column| {
            if column.contains("M/s") || column.ends_with(" ms") || *column == "batch" {
                "---:"
            } else {
                "---"
            }
            .to_string()
        })
        .collect();
    let rows: String = rows.iter().map(|row| line(row)).collect();
    format!("{title}\n\n{}{}{rows}\n", line(&head), line(&rule).replace(' ', ""))
}

fn instructions(results: &[Value]) -> String {
    let row = |mix: &Value| vec![format!("`{}`", text(mix, "mix")), millions(mix, "rate")];
    table(
        "Instructions of a warp, on the whole GPU:",
        &["loop", "M/s"],
        of(results, "instructions").map(row).collect(),
    )
}

/// A table for each experiment that has rates.
fn rates(results: &[Value]) -> String {
    let columns = ["ring", "kernel", "batch", "on the GPU, M/s", "with copies, M/s", "CPU, all cores, M/s"];
    let cells = |rate: &Value| {
        let kernel = match rate["parts"].as_u64() {
            Some(parts @ 2..) => format!("`{}` in {parts} parts", text(rate, "kernel")),
            _ => format!("`{}`", text(rate, "kernel")),
        };
        let rates = ["on_device", "from_host", "cpu"].map(|name| millions(rate, name));
        [vec![text(rate, "ring"), kernel, text(rate, "batch")], rates.to_vec()].concat()
    };
    let of_experiment = |number: u64| {
        let rows = of(results, "rate").filter(|rate| rate["experiment"] == number).map(cells).collect();
        let about = number.checked_sub(1).and_then(|at| crate::experiments::ALL.get(at as usize));
        table(&format!("Experiment {number}, {}:", about.map_or("", |(about, _)| about)), &columns, rows)
    };
    (1..=crate::experiments::ALL.len() as u64).map(of_experiment).collect()
}

/// What plans choose, and how many blocks a processor needs.
fn occupancy(results: &[Value]) -> String {
    let plan = |plan: &Value| {
        let (operands, kernel) = (text(plan, "operands"), text(plan, "kernel"));
        format!("Of operands of {operands} the plan takes `{kernel}`: {}.\n", text(plan, "why"))
    };
    let plans: String = of(results, "plan").filter(|plan| plan["kernel"].is_string()).map(plan).collect();
    let row = |rate: &Value| {
        let limit = rate["limit"].as_u64().map_or("none".into(), |limit| limit.to_string());
        let kernel = format!("`{}`", text(rate, "kernel"));
        vec![text(rate, "ring"), kernel, limit, text(rate, "resident"), millions(rate, "on_device")]
    };
    let title = "The same kernels with fewer blocks (of one warp) at once on a processor than it could have:";
    let columns = ["ring", "kernel", "limit", "blocks", "on the GPU, M/s"];
    let sweep = table(title, &columns, of(results, "occupancy").map(row).collect());
    if plans.is_empty() { sweep } else { format!("{plans}\n{sweep}") }
}

/// How well copies and products overlap: each rate beside that of one stream with the same memory.
fn streams(results: &[Value]) -> String {
    let is_one = |rate: &Value, other: &Value| {
        other["streams"] == 1 && other["pinned"] == rate["pinned"] && other["memory"] == rate["memory"]
    };
    let row = |rate: &Value| {
        let one = of(results, "streams").find(|other| is_one(rate, other));
        let ratio = one.and_then(|one| Some(rate["from_host"].as_f64()? / one["from_host"].as_f64()?));
        let efficiency = ratio.zip(rate["streams"].as_f64()).map(|(ratio, streams)| 100. * ratio / streams);
        let memory = rate["memory"].as_u64().unwrap_or_default() >> 10;
        vec![
            text(rate, "streams"),
            if rate["pinned"] == true { "pinned" } else { "pageable" }.to_string(),
            memory.to_string(),
            millions(rate, "from_host"),
            ratio.map_or("unknown".into(), |ratio| format!("{ratio:.2}")),
            efficiency.map_or("unknown".into(), |share| format!("{share:.0} %")),
        ]
    };
    let ring = of(results, "streams").next().map_or(String::new(), |rate| text(rate, "ring"));
    let title = format!("Copies and products side by side, {ring}; efficiency is the gain, by streams:");
    let columns =
        ["streams", "the host's memory", "KiB", "with copies, M/s", "to one stream's", "efficiency"];
    table(&title, &columns, of(results, "streams").map(row).collect())
}

/// Whole encryptions, by where what blinds messages is made.
fn encryptions(results: &[Value]) -> String {
    let milliseconds = |row: &Value, name: &str| {
        row[name].as_f64().map_or("unknown".into(), |seconds| format!("{:.3}", 1e3 * seconds))
    };
    let row = |row: &Value| {
        let [whole, without] = ["seconds", "without_copies"].map(|name| milliseconds(row, name));
        vec![text(row, "set"), text(row, "sampling"), text(row, "batch"), whole, without]
    };
    let title = "NTRUEncrypt, from messages to ciphertexts: the product is the GPU's, what blinds a \
                 message is the GPU's or the CPU's, and the rest is the CPU's, on all cores:";
    let columns = ["set", "sampling", "batch", "a batch, ms", "without copies, ms"];
    table(title, &columns, of(results, "encryptions").map(row).collect())
}

/// GPU-NTT beside ours, in the same run.
fn peer(results: &[Value]) -> String {
    let ran = of(results, "gpu-ntt").filter(|row| row["rate"].is_number());
    let row = |peer: &Value| {
        let is_ours = |rate: &&Value| rate["experiment"] == 5 && text(rate, "ring").ends_with(&degree(peer));
        let ours = of(results, "rate").filter(is_ours).last().and_then(|rate| rate["on_device"].as_f64());
        let ratio = ours.zip(peer["rate"].as_f64()).map(|(ours, theirs)| format!("{:.1}", ours / theirs));
        vec![text(peer, "n"), text(peer, "p"), millions(peer, "rate"), ratio.unwrap_or("unknown".into())]
    };
    let title = "GPU-NTT, which is not made for transforms as short as these: products of two transforms, \
                 one back, on the GPU:";
    table(title, &["n", "prime", "GPU-NTT, M/s", "ours in its"], ran.map(row).collect())
}

/// How a ring of so many coefficients ends.
fn degree(peer: &Value) -> String {
    format!("(x^{}+1)", text(peer, "n"))
}

fn memory(results: &[Value]) -> String {
    let micros = |result: &Value, name: &str| {
        result[name].as_f64().map_or("unknown".into(), |seconds| format!("{:.1}", seconds * 1e6))
    };
    let row = |cleared: &Value| {
        vec![text(cleared, "bytes"), micros(cleared, "made"), micros(cleared, "given_back")]
    };
    let title = "Memory of the GPU, made and cleared, and cleared and given back:";
    let columns = ["bytes", "made, microseconds", "given back, microseconds"];
    let clearing = table(title, &columns, of(results, "cleared").map(row).collect());
    let line = |full: &Value| {
        let rate = full["cleared"].as_f64().unwrap_or_default() / 1e9;
        format!(
            "With nine tenths of the GPU's memory taken a batch that asks for more is refused and a small \
             one is right. Memory is cleared and given back at {rate:.0} gigabytes a second.\n"
        )
    };
    clearing + &of(results, "full").map(line).collect::<String>()
}
