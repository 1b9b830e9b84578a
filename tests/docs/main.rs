//! The reference pages under docs/ are made from the tables. `make generate` (that is, `REGENERATE=1`) writes them
//! instead of comparing them.

mod exit_codes;
mod requirements;
mod steps;

use std::fmt::Write;

use aks_node_controller::catalogue::variables::variable;
use aks_node_controller::environment::DERIVATIONS;

fn environment() -> String {
    let mut page = String::from(
        "# The environment of a node\n\n\
         Every variable that a Configuration leads to, in the order of the script. Made from the tables in \
         `src/catalogue/variables.rs` and `src/environment/table.rs` by `make generate`.\n",
    );
    for derivation in DERIVATIONS {
        let variable = variable(derivation.name).expect("every row has its variable");
        let fields = derivation.fields.iter().map(|field| format!("`{field}`")).collect::<Vec<_>>().join(", ");
        let fields = if fields.is_empty() { "no field".to_owned() } else { fields };
        write!(
            page,
            "\n## `{}`\n\n{}\n\n- From: {fields}\n- Rule: {}\n- Read by: {}\n{}",
            derivation.name,
            variable.meaning,
            derivation.rule,
            variable.read_by,
            if variable.secret { "- Secret: shown only when asked for\n" } else { "" },
        )
        .expect("text takes text");
    }
    page
}

/// Compares a file of the project with what it has to be, or writes it.
fn is_current(name: &str, page: &str) {
    let file = format!("{}/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("REGENERATE").is_some() {
        std::fs::write(file, page).expect("the page can be written");
        return;
    }
    let kept = std::fs::read_to_string(file).expect("the page is there");
    assert!(kept == page, "{name} is not current: run `make generate`");
}

#[test]
fn the_page_of_the_environment_is_current() {
    is_current("docs/environment.md", &environment());
}

#[test]
fn the_page_of_the_nodes_requirements_is_current_and_each_has_its_tests() {
    is_current("docs/node-requirements.md", &requirements::page());
}

#[test]
fn the_exit_codes_of_the_scripts_and_their_page_are_current() {
    is_current("parts/provisioning/source/exit_codes.sh", &exit_codes::script());
    is_current("docs/exit-codes.md", &exit_codes::page());
}

#[test]
fn the_page_of_the_steps_is_current() {
    is_current("docs/node-steps.md", &steps::page());
}
