//! Lists the targets of [`ringsmith_testkit::fuzz`], and writes the bytes that they start from: a folder for
//! each in the one given.
#![forbid(unsafe_code)]

use ringsmith_testkit::fuzz::{ALL, Target};
use std::path::Path;
use std::process::ExitCode;

fn write(folder: &Path, target: &Target) -> std::io::Result<()> {
    let folder = folder.join(target.name);
    std::fs::create_dir_all(&folder)?;
    let mut seeds = (target.seeds)().into_iter().enumerate();
    seeds.try_for_each(|(i, seed)| std::fs::write(folder.join(format!("seed-{i}")), seed))
}

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("usage: fuzz-seeds FOLDER");
        return ExitCode::from(2);
    };
    for target in ALL {
        if let Err(error) = write(folder.as_ref(), target) {
            eprintln!("fuzz-seeds: {}: {error}", Path::new(&folder).display());
            return ExitCode::FAILURE;
        }
        println!("{}\t{}", target.name, target.about);
    }
    ExitCode::SUCCESS
}
