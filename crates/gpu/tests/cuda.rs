//! What can be tested of NVIDIA's driver and compiler without a GPU.
#![cfg(unix)]

use ringsmith_gpu::cuda::{cache::Cache, compile};
use ringsmith_gpu::kernels::Module;
use ringsmith_gpu::{Device, GpuError};
use sha2::{Digest, Sha256};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    let _ = fs::remove_file(&folder);
    folder
}

/// Protects: without a driver, or without such a GPU, a program says so.
#[test]
fn no_such_gpu() {
    let error = Device::cuda(99).err().unwrap();
    let is_said =
        matches!(error, GpuError::NoDriver | GpuError::NoGpu { ordinal: 99 } | GpuError::Driver { .. });
    assert!(is_said, "{error}");
}

/// Protects: what is kept comes back, and only as it was written.
#[test]
fn kept() {
    let folder = folder("kept");
    let cache = Cache::at(&folder).unwrap();
    assert_eq!(cache.load("key"), Ok(None));
    cache.store("key", b"kernel").unwrap();
    cache.store("key", b"another").unwrap();
    assert_eq!(cache.load("key"), Ok(Some(b"another".to_vec())));
    assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    let mut content = fs::read(folder.join("key")).unwrap();
    content[33] ^= 1;
    fs::write(folder.join("key"), &content).unwrap();
    assert_eq!(cache.load("key"), Ok(None));
    fs::write(folder.join("key"), b"short").unwrap();
    assert_eq!(cache.load("key"), Ok(None));
}

/// Protects: many may keep the same thing at once, and what a killed one left behind stops nobody.
#[test]
fn kept_at_once() {
    let folder = folder("kept-at-once");
    let cache = Cache::at(&folder).unwrap();
    let left = folder.join(format!("key.{}.0", std::process::id()));
    fs::write(&left, b"half").unwrap();
    let contents: Vec<_> = (0..8).map(|number| vec![number; 1 << 16]).collect();
    std::thread::scope(|scope| {
        for content in &contents {
            scope.spawn(|| (0..20).for_each(|_| cache.store("key", content).unwrap()));
        }
    });
    assert!(contents.contains(&cache.load("key").unwrap().unwrap()));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
}

/// Where a second program of the test below finds the folder that it writes to.
const FOLDER: &str = "RINGSMITH_GPU_TEST_FOLDER";

/// What that program keeps, again and again.
fn binaries() -> [Vec<u8>; 2] {
    [vec![1; 1 << 20], vec![2; 1 << 19]]
}

/// The second program: this test program again, with a folder.
#[test]
#[ignore = "`two_programs` starts it"]
fn writes() {
    let cache = Cache::at(Path::new(&std::env::var_os(FOLDER).unwrap())).unwrap();
    (0..100).flat_map(|_| binaries()).for_each(|binary| cache.store("key", &binary).unwrap());
}

/// Protects: of two programs with one folder one writes while the other reads, and there is never half a
/// file: once there is one it is always one of those that were written.
#[test]
fn two_programs() {
    let folder = folder("two-programs");
    let cache = Cache::at(&folder).unwrap();
    let mut other = std::process::Command::new(std::env::current_exe().unwrap());
    other.args(["--ignored", "--exact", "writes"]).env(FOLDER, &folder).stdout(std::process::Stdio::null());
    let mut other = other.spawn().unwrap();
    let (mut seen, mut is_there, written) = ([0; 2], false, binaries());
    let status = loop {
        let status = other.try_wait().unwrap();
        match cache.load("key").unwrap() {
            None => assert!(!is_there, "half a file, or none where there was one"),
            Some(binary) => {
                is_there = true;
                seen[written.iter().position(|one| *one == binary).expect("what nobody wrote")] += 1;
            }
        }
        if let Some(status) = status {
            break status;
        }
    };
    assert!(status.success());
    assert!(seen.iter().all(|times| *times > 0), "the two did not run at once: {seen:?}");
}

/// Protects: where there can be no folder there is no cache, and that is no error.
#[test]
fn no_folder() {
    let file = folder("no-folder");
    fs::write(&file, b"").unwrap();
    assert!(Cache::if_possible(&file.join("in/a/file")).unwrap().is_none());
    assert_eq!(why(Cache::if_possible(&file)), "it is no folder");
}

/// The reason of a refusal.
fn why<T>(result: Result<T, GpuError>) -> &'static str {
    match result {
        Err(GpuError::Cache { why, .. }) => why,
        _ => "not refused",
    }
}

/// Protects: a folder or a file that others may write is refused, and so are links.
#[test]
fn refused() {
    let folder = folder("refused");
    let cache = Cache::at(&folder).unwrap();
    cache.store("key", b"kernel").unwrap();
    let open = "others may use it: its mode must be 0700, or 0600 of a file";
    fs::set_permissions(folder.join("key"), Permissions::from_mode(0o622)).unwrap();
    assert_eq!(why(cache.load("key")), open);
    std::os::unix::fs::symlink("/etc/hostname", folder.join("link")).unwrap();
    assert_eq!(why(cache.load("link")), "it is no file");
    fs::set_permissions(&folder, Permissions::from_mode(0o755)).unwrap();
    assert_eq!(why(Cache::at(&folder)), open);
    let link = folder.with_file_name("link-to-refused");
    let _ = fs::remove_file(&link);
    std::os::unix::fs::symlink(&folder, &link).unwrap();
    assert_eq!(why(Cache::at(&link)), "it is no folder");
}

/// Protects: where there is NVRTC it compiles modules, for a GPU that this crate brings none for; where there
/// is none, that is the error.
#[test]
fn compiled_here() {
    for module in [Module::Cyclic, Module::NtruPrime, Module::Tensor] {
        match compile::compile(module, (12, 0)) {
            Ok(binary) => assert!(binary.starts_with(b"\x7fELF")),
            Err(error) => assert_eq!(error, GpuError::NoCompiler),
        }
    }
}

/// Protects: the binaries that this crate brings are of the sources that it brings, and as they were made.
#[test]
fn binaries_are_of_the_sources() {
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels");
    let listed = fs::read_to_string(kernels.join("compiled/files.txt")).unwrap();
    assert_eq!(listed.lines().count(), 45);
    for line in listed.lines() {
        let (hash, file) = line.split_once("  ").unwrap();
        let is = Sha256::digest(fs::read(kernels.join(file)).unwrap());
        let is: String = is.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(is, hash, "{file}: run `cargo xtask gpu --bless`");
    }
}
