//! `docs/formats.md`: how much of its limits each example takes on each route.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use aks_node_controller::Input;
use aks_node_controller::delivery::{Artefact, Compression, OPERATING_SYSTEMS, Request, Route};
use aks_node_controller::environment::ImageContents;
use aks_node_controller::inputs::NodeInput;

const HEAD: &str = "# What fits

The size of each built-in example on each route, relative to the limits: 87,380 characters of base64 for CustomData, and \
131,071 bytes for the CSE command. `make generate` renders the examples to write this page.

Every format contains the same CustomData and command, so a result that fits one format fits all. Only `az` differs: its \
compressed data has no carriage returns, which az would replace.

| format | CustomData | command |
|---|---|---|
| `json`, `arm`, `arm-vm`, `terraform-hcl`, `files` | yes | on a route that has one |
| `terraform` | yes | always, empty on a route without one |
| `bicep` | a secure parameter | a secure parameter, on a route that has one |
| `custom-data`, `az` | only this | no: pass it with `--format cse` or `arm` |
| `cse` | no | only this; an error on a route without one |

| example | system | route | CustomData | in `az` | command |
|---|---|---|---|---|---|
";

/// Returns the share of a limit, rounded up, so that a small change of a script rarely changes the page.
fn share(size: usize, artefact: Artefact) -> String {
    format!("{} %", (size * 100).div_ceil(artefact.limit()))
}

pub fn page() -> String {
    let mut page = HEAD.to_owned();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/examples");
    let mut files: Vec<_> =
        fs::read_dir(directory).expect("there").map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    for file in files {
        let name = file.file_stem().and_then(|name| name.to_str()).expect("text");
        let input = Input::from_document(&fs::read(&file).expect("readable")).expect("an example is valid");
        let os = input.labelled_os().unwrap_or(&OPERATING_SYSTEMS[0]);
        let image = ImageContents { containerd_version: os.containerd_version.to_owned(), ..ImageContents::default() };
        for route in Route::ALL {
            let request = Request { route, os, image: image.clone(), ..Request::default() };
            let cells = match request.render(&input) {
                Err(error) => format!("{error} | |"),
                Ok(delivery) => {
                    let text = Request { text_only: true, compression: Compression::Auto, ..request }.render(&input);
                    let text = match text {
                        Err(error) => error.to_string(),
                        Ok(text) => {
                            assert!(text.custom_data.to_latin_1().is_some(), "{name}");
                            share(text.custom_data.encoded.expose().len(), Artefact::CustomData)
                        }
                    };
                    let custom_data = share(delivery.custom_data.encoded.expose().len(), Artefact::CustomData);
                    let command =
                        delivery.cse.map_or("none".to_owned(), |cse| share(cse.expose().len(), Artefact::Command));
                    format!("{custom_data} | {text} | {command}")
                }
            };
            writeln!(page, "| {name} | {} | {} | {cells} |", os.name, route.name()).expect("text takes text");
        }
    }
    page
}

#[test]
fn every_example_fits_or_the_system_does_not_have_the_route() {
    // Another test compares the page with what is rendered.
    let page = include_str!("../../docs/formats.md");
    for row in page.lines().filter(|row| row.ends_with('|')) {
        assert!(!row.contains("over the limit"), "{row}");
        assert!(!row.contains(" | |") || row.contains("needs cloud-init"), "{row}");
    }
}
