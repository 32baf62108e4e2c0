//! Ten experiments, in their order. Each takes minutes, and tells results as it goes.

use crate::job::{Job, Task};
use crate::jobs::{self, PRIME, STEPS, Small};
use crate::{Effort, Failure, check, machine, memory, results::Results};
use ringsmith_gpu::issue::{Instructions, Issue, MIXES};
use ringsmith_gpu::schemes::Sampling;
use ringsmith_gpu::schemes::rates::{self, BLINDINGS, MeasureSamplings, SAMPLINGS};
use ringsmith_gpu::{
    CyclicRoute, Device, Form, NtruPrime, PrimeRoute, Ring, Shared, Short, Space, Word, WordRoute,
};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The ring of NTRU and its bits, by degree.
const NTRU: [(usize, u32); 6] = [(401, 11), (509, 11), (677, 11), (701, 13), (821, 12), (1499, 11)];

/// A batch that is measured.
const BATCH: usize = 1 << 16;

/// What an experiment has.
pub struct Bench<'a> {
    /// The GPU.
    pub device: &'a Device,
    /// Where results go.
    pub results: &'a Results,
    /// How much is done.
    pub effort: Effort,
    /// GPU-NTT's program, where it was built beside this one.
    pub gpu_ntt: Option<&'a Path>,
}

/// What an experiment does.
type Experiment = fn(&Bench<'_>) -> Result<(), Failure>;

/// The experiments, and what each asks.
pub const ALL: [(&str, Experiment); 10] = [
    ("every kernel's products are the CPU's", right),
    ("instructions a second, alone and in pairs", instructions),
    ("distinct pairs modulo x^n - 1", pairs),
    ("1024 coefficients modulo 12289: tensor cores and transforms", small_prime),
    ("1024, 2048 and 4096 coefficients modulo a prime, and GPU-NTT", word),
    ("one key for many messages", one_key),
    ("a paper's routes: interleaved Montgomery multiplication in both forms, and others", interleaved),
    ("NTRUEncrypt: products by one key, what blinds messages, whole encryptions", encryption),
    ("memory: streams, pinned memory, parts of a batch, a full GPU, clearing", memory::all),
    ("a soak, and the GPU's clock at its end", soak),
];

impl Bench<'_> {
    /// Runs the experiment of a number, from 1 on.
    ///
    /// # Errors
    /// Where there is none, a product is wrong, or the GPU fails.
    pub fn run(&self, number: usize) -> Result<(), Failure> {
        let chosen = number.checked_sub(1).and_then(|at| ALL.get(at));
        let (about, experiment) = chosen.ok_or("experiments have the numbers 1 to 10")?;
        eprintln!("experiment {number}: {about}");
        let start = Instant::now();
        experiment(self)?;
        let seconds = start.elapsed().as_secs_f64();
        self.results.tell(&json!({ "what": "experiment", "number": number, "seconds": seconds }))
    }

    /// A result of an experiment.
    pub(crate) fn tell(&self, experiment: usize, mut result: Value) -> Result<(), Failure> {
        result["experiment"] = json!(experiment);
        self.results.tell(&result)
    }

    /// Measures a ring's batch.
    fn rate(&self, experiment: usize, job: &Job, batch: usize) -> Result<(), Failure> {
        let space = Space { memory: self.effort.memory, ..Space::default() };
        self.measure(experiment, job, (batch, space), json!({ "what": "rate" }))
    }

    /// The same with other memory and streams; what is measured is added to what is known of it.
    pub(crate) fn measure(
        &self,
        experiment: usize,
        job: &Job,
        (batch, space): (usize, Space),
        mut result: Value,
    ) -> Result<(), Failure> {
        let task = Task { batch, seed: 1, space, time: Some(self.effort.time) };
        let Some(outcome) = job.run(self.device, &task)? else {
            return self.tell(experiment, json!({ "what": "too old", "ring": job.name }));
        };
        let [on_device, from_host, cpu] = outcome.rates;
        let rates = json!({
            "ring": job.name, "kernel": outcome.kernel, "parts": outcome.parts, "resident": outcome.resident,
            "batch": batch, "on_device": on_device, "from_host": from_host, "cpu": cpu,
            "right": outcome.right,
        });
        rates.as_object().into_iter().flatten().for_each(|(name, value)| result[name] = value.clone());
        self.tell(experiment, result)?;
        if outcome.right { Ok(()) } else { Err(format!("{}: a wrong product", job.name).into()) }
    }

    /// Measures several rings; a batch of so many products, or fewer.
    fn rates(&self, experiment: usize, jobs: &[Job], batch: usize) -> Result<(), Failure> {
        let batch = self.effort.batch(batch);
        jobs.iter().try_for_each(|job| self.rate(experiment, job, batch))
    }
}

fn right(bench: &Bench<'_>) -> Result<(), Failure> {
    let jobs = if bench.effort.divisor == 1 { jobs::all() } else { jobs::kernels() };
    check::all(bench.device, bench.results, &jobs, (bench.effort.batch(BATCH), bench.effort.memory))
}

fn instructions(bench: &Bench<'_>) -> Result<(), Failure> {
    // Eight blocks for each of a GPU's processors, and then some.
    let (blocks, steps) = (bench.effort.batch(1 << 13), if bench.effort.divisor == 1 { 1 << 12 } else { 2 });
    for mix in MIXES {
        let Instructions { rate, right } =
            Issue::new(mix, steps).measure(bench.device, blocks, bench.effort.time)?;
        bench.tell(2, json!({ "what": "instructions", "mix": mix.name(), "rate": rate, "right": right }))?;
        if !right {
            return Err(format!("{}: a wrong result", mix.name()).into());
        }
    }
    Ok(())
}

fn pairs(bench: &Bench<'_>) -> Result<(), Failure> {
    let job = |(n, bits)| jobs::cyclic(n, bits, CyclicRoute::Pairs, Small::Ternary);
    bench.rates(3, &NTRU.map(job), BATCH)?;
    bench.rates(3, &NTRU.map(|(n, bits)| jobs::transform(n, bits)), BATCH)?;
    bench.rates(3, &NTRU.map(|(n, bits)| jobs::wide(n, bits, CyclicRoute::Pairs)), BATCH)?;
    bench.rates(3, &NtruPrime::SETS.map(|set| jobs::ntru_prime(set, CyclicRoute::Pairs)), BATCH)
}

fn small_prime(bench: &Bench<'_>) -> Result<(), Failure> {
    [BATCH, 1 << 18].into_iter().try_for_each(|batch| {
        let by = |route| jobs::word_by(1024, 12289, route);
        bench.rates(4, &[jobs::short(), by(WordRoute::Tensor), by(WordRoute::Transform)], batch)
    })?;
    let (info, words, pairs) = (bench.device.info(), Word::new(1024, 12289)?, Shared::None);
    let plans = [("16 bits", Short::new(12289)?.choose(info, pairs)), ("words", words.choose(info, pairs))];
    for (operands, plan) in plans {
        let plan = plan.ok().map(|choice| (choice.kernel.name, choice.why)).unzip();
        bench.tell(4, json!({ "what": "plan", "operands": operands, "kernel": plan.0, "why": plan.1 }))?;
    }
    occupancy(bench)
}

/// Blocks that a processor has at most. Those of these kernels are a warp, so two to six warps a scheduler.
const BLOCKS: [usize; 5] = [8, 12, 16, 20, 24];

/// The same kernels with fewer blocks at once than a processor could have, and with all.
fn occupancy(bench: &Bench<'_>) -> Result<(), Failure> {
    let batch = bench.effort.batch(BATCH);
    let space = Space { memory: bench.effort.memory, ..Space::default() };
    for limit in BLOCKS.map(Some).into_iter().chain([None]) {
        for job in jobs::limited(limit.unwrap_or(usize::MAX)) {
            bench.measure(4, &job, (batch, space), json!({ "what": "occupancy", "limit": limit }))?;
        }
    }
    Ok(())
}

fn word(bench: &Bench<'_>) -> Result<(), Failure> {
    bench.rates(5, &jobs::DEGREES.map(|n| jobs::word(n, PRIME)), BATCH)?;
    bench.rates(5, &jobs::DEGREES.map(|n| jobs::prepared(n, PRIME)), BATCH)?;
    let Some(program) = bench.gpu_ntt else {
        return bench.tell(5, json!({ "what": "gpu-ntt", "ran": false }));
    };
    for n in jobs::DEGREES {
        let mut command = Command::new(program);
        command.args([n.ilog2().to_string(), bench.effort.batch(BATCH).to_string()]);
        let output = command.output()?;
        if !output.status.success() {
            return Err(format!("GPU-NTT ended: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        let mut said: Value = serde_json::from_slice(&output.stdout)?;
        said["what"] = json!("gpu-ntt");
        bench.tell(5, said)?;
    }
    Ok(())
}

fn one_key(bench: &Bench<'_>) -> Result<(), Failure> {
    let degrees = NTRU.into_iter().filter(|(n, _)| *n <= 1024);
    for (n, bits) in degrees.take(bench.effort.degrees) {
        // All columns in one block, each 64 in one of their own, and as the plan has it.
        let parts = [1, n.div_ceil(64) as u32].map(CyclicRoute::OneKeyParts);
        let routes = parts.into_iter().chain([CyclicRoute::OneKey]);
        let jobs: Vec<Job> = routes.map(|route| jobs::cyclic(n, bits, route, Small::Ternary)).collect();
        let mut batches = [5, 8, 11, 14, 17].map(|log| bench.effort.batch(1 << log)).to_vec();
        batches.dedup();
        for batch in batches {
            jobs.iter().try_for_each(|job| bench.rate(6, job, batch))?;
        }
    }
    Ok(())
}

fn interleaved(bench: &Bench<'_>) -> Result<(), Failure> {
    for (n, bits) in [(401, 11), (439, 11), (743, 11), (1499, 11)].into_iter().take(bench.effort.degrees) {
        for word in STEPS.into_iter().take(bench.effort.degrees) {
            let forms = [Form::Proposed, Form::Original, Form::OriginalUnfinished];
            bench.rates(7, &forms.map(|form| jobs::interleaved(n, bits, word, form)), BATCH)?;
        }
        bench.rates(7, &[jobs::sparse(n, bits, n / 3, n / 3), jobs::windows(n, bits)], BATCH)?;
    }
    for n in jobs::DEGREES.into_iter().take(bench.effort.degrees) {
        for word in STEPS.into_iter().take(bench.effort.degrees) {
            let forms = [Form::Proposed, Form::Original];
            let by = |form| jobs::paper(n, PRIME, PrimeRoute::Interleaved { word, form });
            bench.rates(7, &forms.map(by), BATCH)?;
        }
        let others = [PrimeRoute::Schoolbook, PrimeRoute::Doubles];
        bench.rates(7, &others.map(|route| jobs::paper(n, PRIME, route)), BATCH)?;
    }
    Ok(())
}

fn encryption(bench: &Bench<'_>) -> Result<(), Failure> {
    let sets = [401, 439, 593, 743].into_iter().take(bench.effort.degrees);
    let jobs: Vec<Job> = sets.map(|n| jobs::cyclic(n, 11, CyclicRoute::OneKey, Small::Ternary)).collect();
    for batch in [1000, BATCH] {
        bench.rates(8, &jobs, batch)?;
        bench.rates(8, &BLINDINGS.map(jobs::blinding), batch)?;
        SAMPLINGS.into_iter().take(bench.effort.degrees).try_for_each(|set| samplings(bench, set, batch))?;
    }
    Ok(())
}

/// Whole encryptions of a set, of which the polynomials that blind are made by the CPU, and by the GPU.
fn samplings(bench: &Bench<'_>, measure: MeasureSamplings, batch: usize) -> Result<(), Failure> {
    let effort = rates::Effort { batch: bench.effort.batch(batch), time: bench.effort.time };
    measure(bench.device, &effort)?.into_iter().try_for_each(|row| {
        let [whole, without_copies] = [row.whole, row.without_copies].map(|time| time.as_secs_f64());
        let on_gpu = row.sampling == Sampling::Device;
        bench.tell(
            8,
            json!({
                "what": "encryptions", "set": row.set, "sampling": if on_gpu { "GPU" } else { "CPU" },
                "batch": row.batch, "seconds": whole, "without_copies": without_copies, "cores": row.threads,
                "right": true,
            }),
        )
    })
}

fn soak(bench: &Bench<'_>) -> Result<(), Failure> {
    check::soak(bench.device, bench.results, &bench.effort, 0)?;
    machine::tell_clocks(bench.results)
}
