//! On macOS an extension module has symbols that the interpreter defines when it loads it.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
