//! Which backends there are, and how one is chosen.

use ringsmith_simd::{Cpu, CpuError, Kernel, LazyReduction, Simd};

/// Whether this build has plain Rust: where it is asked for, and where the target has no vectors.
const PLAIN: bool = cfg!(any(
    ringsmith_scalar,
    not(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
    ))
));

/// Whether this build has SSE2's kernels: not where all CPUs that it is for have AVX2.
const SSE2: bool = cfg!(all(
    target_arch = "x86_64",
    not(all(
        target_feature = "avx2",
        target_feature = "bmi1",
        target_feature = "bmi2",
        target_feature = "fma",
        target_feature = "pclmulqdq",
    ))
));

/// The order of the backends: the best first, plain Rust last and only where it is built, none twice.
#[test]
fn backends_are_listed_best_first() {
    let names: Vec<_> = Cpu::available().map(Cpu::name).collect();
    assert_eq!(names.contains(&"scalar"), PLAIN);
    assert_eq!(Some(Cpu::detect()), Cpu::available().next());
    let known = ["avx512", "avx2", "sse2", "neon", "scalar"];
    let places: Vec<_> = names.iter().map(|name| known.iter().position(|k| k == name).expect(name)).collect();
    assert!(places.is_sorted_by(|a, b| a < b), "{names:?}");
    assert_eq!(names.contains(&"sse2"), SSE2);
    assert_eq!(names.contains(&"neon"), cfg!(all(target_arch = "aarch64", target_endian = "little")));
}

/// A kernel runs on the backend that it was given to, and that backend says what it prefers. AVX-512's
/// operations are AVX2's.
#[test]
fn kernels_run_where_they_are_sent() {
    struct Who;
    impl Kernel for Who {
        type Out = (&'static str, LazyReduction, bool);
        #[inline(always)]
        fn run<S: Simd>(self, _: S) -> Self::Out {
            (S::NAME, S::STEP, S::HAS_ROUNDED_PRODUCT)
        }
    }
    for cpu in Cpu::available() {
        let (name, step, rounded) = cpu.run(Who);
        assert_eq!(name, if cpu.name() == "avx512" { "avx2" } else { cpu.name() });
        assert_eq!(step, if name == "neon" { LazyReduction::Barrett } else { LazyReduction::Sign }, "{name}");
        assert_eq!(rounded, name == "avx2" || name == "neon", "{name}");
    }
}

/// A backend by name, or an error that says which there are: never another backend in silence.
#[test]
fn names_are_exact() {
    for cpu in Cpu::available() {
        assert_eq!(Cpu::from_name(cpu.name()), Ok(cpu));
        assert_eq!(format!("{cpu:?}"), cpu.name());
    }
    for wrong in ["", "AVX2", "avx", "avx512f", " scalar", "scalar\n"] {
        assert_eq!(Cpu::from_name(wrong), Err(CpuError::Unknown), "{wrong:?}");
    }
    assert_eq!(
        CpuError::Unknown.to_string(),
        "no such CPU backend; there are: scalar, sse2, avx2, avx512, neon"
    );
}

/// A backend that exists elsewhere: the error names it, and lists what there is here.
#[test]
fn missing_backends_are_named() {
    let here: Vec<_> = Cpu::available().map(Cpu::name).collect();
    for name in ["sse2", "avx2", "avx512", "neon"].into_iter().filter(|name| !here.contains(name)) {
        let (error, here) = (Cpu::from_name(name).unwrap_err(), here.join(", "));
        if name == "sse2" && cfg!(target_arch = "x86_64") {
            assert_eq!(error, CpuError::Below);
            let why = "this build has no sse2: all CPUs that it is for have AVX2";
            assert_eq!(error.to_string(), format!("{why}; it has: {here}"));
            continue;
        }
        assert_eq!(error, CpuError::Missing(name));
        assert_eq!(error.to_string(), format!("this machine has no {name}; it has: {here}"));
    }
}

/// Plain Rust that is not built is no backend of another machine: the error says how to build it.
#[test]
fn plain_rust_is_built_where_it_is_asked_for() {
    let scalar = Cpu::from_name("scalar").map(Cpu::name);
    assert_eq!(scalar, if PLAIN { Ok("scalar") } else { Err(CpuError::NotBuilt) });
    let how = CpuError::NotBuilt.to_string();
    assert!(
        how.contains("RUSTFLAGS='--cfg ringsmith_scalar'") && how.contains(Cpu::detect().name()),
        "{how}"
    );
}

/// `RINGSMITH_CPU` chooses the backend, and a wrong value is an error. In processes of their own, because a
/// variable of this one belongs to all tests; not under emulation, which cannot start processes.
#[cfg(all(feature = "std", target_arch = "x86_64", not(miri)))]
#[test]
fn environment_chooses() {
    const EXPECTED: &str = "RINGSMITH_TEST_EXPECTED";
    let outcome =
        |chosen: Result<Cpu, CpuError>| chosen.map_or_else(|e| e.to_string(), |cpu| cpu.name().to_string());
    if let Ok(expected) = std::env::var(EXPECTED) {
        assert_eq!(outcome(Cpu::from_env()), expected);
        return;
    }
    let values = ["scalar", "sse2", "avx2", "avx512", "neon", "", "fastest"]
        .map(|name| (Some(name), Cpu::from_name(name)));
    for (value, chosen) in values.into_iter().chain([(None, Ok(Cpu::detect()))]) {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child
            .args(["--exact", "backends::environment_chooses"])
            .env(EXPECTED, outcome(chosen))
            .env_remove("RINGSMITH_CPU");
        let child = value.iter().fold(&mut child, |child, value| child.env("RINGSMITH_CPU", value));
        let output = child.output().unwrap();
        assert!(
            output.status.success(),
            "RINGSMITH_CPU={value:?}: {}",
            String::from_utf8_lossy(&output.stdout)
        );
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "the child ran no test");
    }
}
