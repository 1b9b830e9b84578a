//! `conformance/node-bootstrap-variables`: Karpenter's inputs → its script.

use aks_node_controller::delivery::{RenderError, Request};
use aks_node_controller::inputs::karpenter::BootstrapInputs;

use super::vectors;

#[test]
fn karpenters_script_is_the_references() {
    for (name, vector) in vectors("node-bootstrap-variables") {
        let document = vector["input"].to_string();
        let (inputs, _) =
            BootstrapInputs::from_document(document.as_bytes()).unwrap_or_else(|report| panic!("{name}: {report}"));
        let layers = Request::default()
            .layers(&inputs)
            .map(|layers| layers.into_iter().find(|layer| layer.name == "bootstrap.sh"));
        match (layers, vector["expect"]["error"]["field"].as_str()) {
            (Ok(script), None) => {
                let script = script.expect("the script is a layer").text;
                let script = script.expose();
                let wanted = vector["expect"]["script"].as_str().expect("a text");
                for (found, wanted) in script.lines().zip(wanted.lines()) {
                    // Values that are not plain are quoted here; what a shell makes of them is tested in real shells.
                    if found != wanted {
                        let (variable, value) = wanted.split_once('=').expect("only assignments may differ");
                        let value = value.trim_matches('"');
                        let quoted = format!("{variable}='{value}'");
                        assert!(!value.contains('\'') && found == quoted, "{name}: {found}\nshould be\n{wanted}");
                    }
                }
                assert_eq!(script.lines().count(), wanted.lines().count(), "{name}");
            }
            (Err(RenderError::Document(finding)), Some(field)) => assert_eq!(finding.path.to_string(), field, "{name}"),
            (Ok(_), Some(field)) => panic!("{name}: should be refused because of {field}"),
            (Err(error), _) => panic!("{name}: {error}"),
        }
    }
}
