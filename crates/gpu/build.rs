//! With the feature `emulated`: compiles the kernels for this machine, as a library that tests start them
//! from.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "emulated")]
    emulated();
}

#[cfg(feature = "emulated")]
fn emulated() {
    println!("cargo::rerun-if-changed=kernels");
    // Fast to compile rather than fast: tests are small.
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .opt_level(1)
        .flag_if_supported("-Wno-unknown-pragmas")
        .file("kernels/host.cpp")
        .compile("ringsmith_gpu_emulated");
}
