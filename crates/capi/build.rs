//! The name by which programs load the shared library, as cargo-c gives it, too: functions may change with
//! the first number, or with the second one where the first is 0.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        let version = ["MAJOR", "MINOR"].map(|part| std::env::var(format!("CARGO_PKG_VERSION_{part}")));
        if let [Ok(major), Ok(minor)] = version {
            let name = if major == "0" { format!("0.{minor}") } else { major };
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libringsmith.so.{name}");
        }
    }
}
