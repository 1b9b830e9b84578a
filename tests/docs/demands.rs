//! The input checks of the scripts, from the table of demands.

use std::fmt::Write;

use aks_node_controller::catalogue::demands::{Checker, DEMANDS, Demand, Form};

pub fn script() -> String {
    let mut script = String::from(
        "# shellcheck shell=bash\n\
         # Checks of variables. Generated from src/catalogue/demands.rs by `make generate`; do not edit.\n",
    );
    for checker in [Checker::BaseInputs, Checker::NodeInputs] {
        let demands: Vec<_> = DEMANDS.iter().filter(|demand| demand.checked_by == checker).collect();
        write!(script, "\n{}() {{\n", checker.step()).expect("text takes text");
        for group in demands.chunk_by(|a, b| a.when == b.when) {
            let calls = group.chunk_by(|a, b| a.form == b.form).map(call);
            match group[0].when {
                Some(variable) => {
                    let calls = calls.fold(String::new(), |text, call| text + "\t\t" + &call + "\n");
                    write!(script, "\tif on {variable}; then\n{calls}\tfi\n").expect("text takes text");
                }
                None => calls.for_each(|call| writeln!(script, "\t{call}").expect("text takes text")),
            }
        }
        script += "\tfail_on_problems\n}\n";
    }
    script
}

/// The check of neighbours that differ in the variable only.
fn call(group: &[&Demand]) -> String {
    let form = group[0].form;
    let names = group.iter().map(|demand| demand.variable).collect::<Vec<_>>().join(" ");
    if form == Form::Given {
        return format!("require {names}");
    }
    let function = if form.is_shown() { "demand_shown" } else { "demand" };
    let words = form.words();
    assert!(!words.contains('\''), "the words stand between single quotes");
    format!("{function} {} '{words}' {names}", form.function())
}
