//! `docs/configuration.md` from the contract.

use std::fmt::Write;

use aks_node_controller::configuration::{Configuration, Descriptor, Field, Kind, Label};

pub fn page() -> String {
    let mut page = String::from(
        "# The Configuration\n\n\
         Every field of `aksnodeconfig.v1`, in the order of the contract. JSON and YAML have the same names; `lowerCamelCase` \
         is accepted too. `aks-node-controller new` writes a first document, `schema` prints the fields as a JSON Schema for \
         editors, and [environment.md](environment.md) lists the variables that a field \
         sets. `make generate` writes this page from \
         `proto/aksnodeconfig/v1`.\n",
    );
    let mut messages = Vec::new();
    collect(Configuration::descriptor(), &mut messages);
    for message in &messages {
        write!(page, "\n## {}\n\n{}\n\n| field | type | meaning |\n|---|---|---|\n", message.name, message.doc)
            .expect("text takes text");
        for field in message.fields {
            let secret = if field.secret { " Secret." } else { "" };
            writeln!(page, "| `{}` | {} | {}{secret} |", field.name, kind(field), field.doc.replace('|', "\\|"))
                .expect("text takes text");
        }
    }
    page
}

/// Adds a message and the messages in it, each once and in the order in which a reader meets them.
fn collect(message: &'static Descriptor, found: &mut Vec<&'static Descriptor>) {
    if found.iter().any(|known| known.name == message.name) {
        return;
    }
    found.push(message);
    for field in message.fields {
        if let Kind::Message(inner) = field.kind {
            collect(inner, found);
        }
    }
}

fn kind(field: &Field) -> String {
    let one = match field.kind {
        Kind::Text => "string".to_owned(),
        Kind::Bool => "boolean".to_owned(),
        Kind::Integer => "integer".to_owned(),
        Kind::Double => "number".to_owned(),
        Kind::Enum(names) => {
            let names: Vec<_> = names.values.iter().map(|value| format!("`{}`", value.name)).collect();
            names.join(", ")
        }
        Kind::Message(message) => format!("[{0}](#{1})", message.name, message.name.to_lowercase()),
    };
    match field.label {
        Label::Singular | Label::Optional => one,
        Label::Repeated => format!("list of {one}"),
        Label::Map => format!("map of {one}"),
    }
}
