//! The contract: our proto files against the wire contract of the reference, and the generated Rust against our proto
//! files. `make generate` writes the generated file.

mod generate;
mod pin;
mod wire;

use std::path::Path;

#[test]
fn what_is_generated_is_current() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(generate::FILE);
    let kept = std::fs::read_to_string(file).expect("the generated file is there");
    assert!(kept == generate::contract(), "{} is not current: run `make generate`", generate::FILE);
}
