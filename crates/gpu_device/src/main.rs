//! The program.
#![forbid(unsafe_code)]

use ringsmith_gpu::Device;
use ringsmith_gpu_device::experiments::{ALL, Bench};
use ringsmith_gpu_device::results::Results;
use ringsmith_gpu_device::{Effort, Failure, check, jobs, machine, report};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

const USAGE: &str = "\
usage: ringsmith-gpu-device [OPTION...] COMMAND

  all                           the machine, ten experiments, two processes at once, the sanitizer
  machine                       which GPU and CPU there are
  check [PRODUCTS [kernels]]    products of every ring (or every kernel once) against the CPU's (65536)
  experiment NUMBER             one of ten
  soak [SECONDS [SEED]]         random rings and batches against the CPU's (300 seconds)
  twice [SECONDS]               two processes that soak at the same time (60 seconds)
  sanitize                      every kernel under compute-sanitizer's memcheck, racecheck, initcheck
  report RESULTS PAGE           writes what was measured into a page

  --device NUMBER               the GPU (0)
  --results FILE                a line of JSON for each result goes to its end
  --sanitizer PROGRAM           where compute-sanitizer is
  --gpu-ntt PROGRAM             GPU-NTT's, as `cargo xtask gpu --device` builds it
  --tiny                        as little as there is, for a test
  --emulated                    the kernels on the CPU, if the program has them
";

/// What the options say.
struct Options {
    device: usize,
    emulated: bool,
    effort: Effort,
    gpu_ntt: Option<PathBuf>,
    results: Results,
    sanitizer: String,
    /// Those that another process of this program is given, too.
    common: Vec<String>,
    words: Vec<String>,
}

impl Options {
    fn parse(args: impl Iterator<Item = String>) -> Result<Self, Failure> {
        let sanitizer = "compute-sanitizer".to_string();
        let mut options = Options {
            device: 0,
            emulated: false,
            effort: Effort::FULL,
            gpu_ntt: None,
            results: Results(None),
            sanitizer,
            common: Vec::new(),
            words: Vec::new(),
        };
        let mut args = args;
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(format!("{arg} needs a value"));
            match arg.as_str() {
                "--device" => {
                    let number = value()?;
                    options.device = number.parse()?;
                    options.common.extend([arg, number]);
                }
                "--results" => options.results = Results(Some(value()?.into())),
                "--sanitizer" => options.sanitizer = value()?,
                "--gpu-ntt" => options.gpu_ntt = Some(value()?.into()),
                "--tiny" => {
                    options.effort = Effort::TINY;
                    options.common.push(arg);
                }
                "--emulated" => {
                    options.emulated = true;
                    options.common.push(arg);
                }
                _ if arg.starts_with('-') => return Err(format!("{arg} is no option\n{USAGE}").into()),
                _ => options.words.push(arg),
            }
        }
        Ok(options)
    }

    /// The GPU, or what behaves like one.
    fn open(&self) -> Result<Device, Failure> {
        if self.emulated { emulated() } else { cuda(self.device) }
    }

    /// Another process of this program.
    fn again(&self) -> Result<impl Fn() -> Command, Failure> {
        let (program, common) = (std::env::current_exe()?, self.common.clone());
        Ok(move || {
            let mut command = Command::new(&program);
            command.args(&common);
            command
        })
    }
}

#[cfg(feature = "emulated")]
fn emulated() -> Result<Device, Failure> {
    use ringsmith_gpu::{Emulated, Faults};
    let faults = Faults { memory: 64 << 20, ..Faults::default() };
    Ok(Device::by(std::sync::Arc::new(Emulated::new(faults))))
}

#[cfg(not(feature = "emulated"))]
fn emulated() -> Result<Device, Failure> {
    Err("this program was built without the kernels for the CPU".into())
}

#[cfg(feature = "cuda")]
fn cuda(number: usize) -> Result<Device, Failure> {
    Ok(Device::cuda(number)?)
}

#[cfg(not(feature = "cuda"))]
fn cuda(_: usize) -> Result<Device, Failure> {
    Err("this program was built without NVIDIA's driver".into())
}

/// The number that a word is, or another one where there is no word.
fn number(word: Option<&&str>, otherwise: u64) -> Result<u64, Failure> {
    word.map_or(Ok(otherwise), |word| word.parse().map_err(|_| format!("{word} is no number").into()))
}

/// Everything, one after the other; what fails is told at the end.
fn everything(options: &Options, bench: &Bench<'_>) -> Result<(), Failure> {
    let (results, again) = (&options.results, options.again()?);
    machine::tell(bench.device, results)?;
    let mut outcomes: Vec<Result<(), Failure>> = (1..=ALL.len()).map(|number| bench.run(number)).collect();
    outcomes.push(check::twice(&again, results, bench.effort.soak / 5));
    outcomes.push(check::sanitize(&options.sanitizer, &again, results));
    let failures: Vec<String> =
        outcomes.into_iter().filter_map(|outcome| Some(outcome.err()?.to_string())).collect();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

fn command(options: &Options) -> Result<(), Failure> {
    let words: Vec<&str> = options.words.iter().map(String::as_str).collect();
    let (results, effort) = (&options.results, options.effort);
    if let ["report", from, page] = words[..] {
        return report::command(Path::new(from), Path::new(page));
    }
    if let ["twice", rest @ ..] = &words[..] {
        return check::twice(&options.again()?, results, Duration::from_secs(number(rest.first(), 60)?));
    }
    if words == ["sanitize"] {
        return check::sanitize(&options.sanitizer, &options.again()?, results);
    }
    let device = options.open()?;
    let bench = Bench { device: &device, results, effort, gpu_ntt: options.gpu_ntt.as_deref() };
    match &words[..] {
        ["all"] => everything(options, &bench),
        ["machine"] => machine::tell(&device, results),
        ["check", rest @ ..] => {
            let jobs = match rest.get(1) {
                None => jobs::all(),
                Some(&"kernels") => jobs::kernels(),
                Some(_) => return Err(USAGE.into()),
            };
            let batch = number(rest.first(), 1 << 16)? as usize;
            check::all(&device, results, &jobs, (batch, effort.memory))
        }
        ["experiment", which] => bench.run(number(Some(which), 0)? as usize),
        ["soak", rest @ ..] => {
            let soak = Duration::from_secs(number(rest.first(), 300)?);
            check::soak(&device, results, &Effort { soak, ..effort }, number(rest.get(1), 0)?)
        }
        _ => Err(USAGE.into()),
    }
}

fn main() -> ExitCode {
    match Options::parse(std::env::args().skip(1)).and_then(|options| command(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}
