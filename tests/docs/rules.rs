//! `docs/rules.md` from the table of rules.

use std::fmt::Write;

use aks_node_controller::document::rules::RULES;

pub fn page() -> String {
    let mut page = String::from(
        "# Rules\n\n\
         Rules that `validate`, `generate` and `convert` check. Each finding has the id of its rule in brackets, and as `rule` \
         in JSON. Ids never change. An error rejects the document; a warning does not. \
         A note is advice: `validate` prints it, in JSON as `notes` beside `findings`. A few errors are warnings where the value has no \
         effect, for example in a configuration file that the kubelet does not read.\n\n\
         Under `testdata/rejected`, a document named after each rule violates it, and the file beside it is the report. \
         `make generate` writes this page from `src/document/rules.rs`.\n\n\
         | rule | severity | violation | consequence on the node | since |\n|---|---|---|---|---|\n",
    );
    for rule in RULES {
        let severity = rule.severity;
        writeln!(page, "| `{}` | {severity} | {} | {} | {} |", rule.id, rule.catches, rule.consequence, rule.since)
            .expect("text takes text");
    }
    page
}
