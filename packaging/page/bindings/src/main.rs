//! `bindings PROGRAM.wasm DIRECTORY` writes the program and the JavaScript that calls it.

use std::env;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [program, directory] = &arguments[..] else {
        eprintln!("usage: bindings PROGRAM.wasm DIRECTORY");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(program).typescript(false).remove_name_section(true).remove_producers_section(true);
    let written = bindgen.no_modules(true).and_then(|bindgen| bindgen.generate(directory));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
