//! How the module is linked: as much memory as addresses of 32 bits should take, so that a browser is not brought to its end.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo:rustc-cdylib-link-arg=--max-memory=2147483648");
    }
}
