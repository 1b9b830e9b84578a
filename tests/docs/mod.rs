//! The files that are generated from tables, and tests that the committed ones are current. `make generate` writes them
//! (`examples/generate.rs`).

#[cfg(test)]
mod blocks;
mod demands;
mod exit_codes;
mod failures;
mod fields;
mod formats;
mod functions;
mod layout;
mod links;
mod packed;
mod paths;
mod readers;
mod requirements;
mod rules;
mod steps;

use std::fmt::Write;

use aks_node_controller::catalogue::demands::Demand;
use aks_node_controller::catalogue::features;
use aks_node_controller::catalogue::variables::variable;
use aks_node_controller::environment::DERIVATIONS;

fn environment() -> String {
    let mut page = String::from(
        "# The environment of a node\n\n\
         Every variable that a Configuration sets, in the order of the script. `make generate` writes this page from the tables \
         in `src/catalogue/variables.rs`, `src/catalogue/demands.rs` and `src/environment/table.rs`. The named step checks a \
         demand, and ends provisioning with the exit code.\n",
    );
    for derivation in DERIVATIONS {
        let variable = variable(derivation.name).expect("every row has its variable");
        let fields = derivation.fields().iter().map(|field| format!("`{field}`")).collect::<Vec<_>>().join(", ");
        let fields = if fields.is_empty() { "none" } else { &fields };
        write!(
            page,
            "\n## `{}`\n\n{}\n\n- Fields: {fields}\n- Value: {}\n",
            derivation.name,
            variable.meaning,
            derivation.rule(),
        )
        .expect("text takes text");
        page += if variable.secret { "- Secret: shown only with `--show-secrets`\n" } else { "" };
        for demand in Demand::on(derivation.name) {
            writeln!(page, "- Demand: {}", demand.sentence()).expect("text takes text");
        }
        page += if variable.readers.is_empty() { "- Read by: nothing\n" } else { "- Read by:\n" };
        for reader in variable.readers {
            writeln!(page, "  - {reader}").expect("text takes text");
        }
    }
    page
}

/// The path of a generated file, and the function that makes its text.
type Page = (&'static str, fn() -> String);

/// Every generated file but `contract.rs`.
pub const PAGES: &[Page] = &[
    ("docs/configuration.md", fields::page),
    ("docs/environment.md", environment),
    ("docs/node-requirements.md", requirements::page),
    ("parts/provisioning/source/exit_codes.sh", exit_codes::script),
    ("parts/provisioning/configs/demands.sh", demands::script),
    ("parts/controller/reserved_names.sh", features::script),
    ("docs/exit-codes.md", exit_codes::page),
    ("docs/failures.md", failures::page),
    ("docs/formats.md", formats::page),
    ("docs/rules.md", rules::page),
    ("docs/node-steps.md", steps::page),
];

#[test]
fn generated_files_are_current() {
    for (name, page) in PAGES {
        let file = format!("{}/{name}", env!("CARGO_MANIFEST_DIR"));
        let kept = std::fs::read_to_string(file).expect("the page is there");
        assert!(kept == page(), "{name} is not current: run `make generate`");
    }
}
