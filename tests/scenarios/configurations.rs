//! Every built-in example, and the Configurations under `testdata/configurations`, by the routes for Configurations.

use std::path::Path;

use super::layers::layers;
use super::program;
use super::snapshots::{Snapshots, stem};

#[test]
fn every_configuration_gives_what_is_kept() {
    let mut snapshots = Snapshots::below("scenarios/configuration");
    let mut count = 0;
    insta::glob!("../../testdata/examples", "*.*", |path| {
        keep(&mut snapshots, "examples", path);
        count += 1;
    });
    assert!(count >= 10);
    insta::glob!("../../testdata/configurations", "*.*", |path| keep(&mut snapshots, "configurations", path));

    // What the controller starts on a node is the same for every Configuration.
    let plan = program(&["provision", "--dry-run", "--provision-config", "examples/ubuntu-azure-cni.yaml"]).0;
    snapshots.file("provision_command.sh", plan.lines().last().expect("the plan ends with the command"));
    snapshots.has_no_others();
}

fn keep(snapshots: &mut Snapshots, directory: &str, path: &Path) {
    let name = stem(path);
    let document = format!("{directory}/{}", path.file_name().expect("a name").to_str().expect("our names are text"));
    let mut routes = vec![("scriptless", vec!["--route", "scriptless"])];
    if name != "flatcar" {
        routes.push(("node-bootstrap-variables", vec!["--route", "node-bootstrap-variables"]));
    }
    if name == "ubuntu-azure-cni" {
        let arguments = vec!["--route", "scriptless", "--custom-data-form", "write-files"];
        routes.push(("scriptless-write-files", arguments));
    }
    if name == "ubuntu-azure-cni" || name == "flatcar" {
        let arguments = vec!["--route", "scriptless", "--secrets", "protected-settings"];
        routes.push(("scriptless-protected-settings", arguments));
    }
    for (directory, arguments) in routes {
        let (layers, _) = layers(&[&["--config", &*document], &*arguments].concat());
        for (layer, text) in layers {
            snapshots.file(&format!("{name}/{directory}/{layer}"), text);
        }
    }
    snapshots.text(&format!("{name}/environment"), &program(&["env", "--config", &document]).0);
    snapshots.text(&format!("{name}/report"), &program(&["validate", &document]).0);
}
