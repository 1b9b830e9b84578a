//! User data of cloud-init in every form, as other programs make it.

use std::fs;
use std::path::Path;

use aks_node_controller::difference::{Rules, diff};
use aks_node_controller::inspection::{Inspection, Kind};

use super::{inspected, problems};

fn file(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/user_data").join(name)).expect("it is test data")
}

fn runs(found: &Inspection) -> Vec<(&'static str, &str)> {
    found.runs.iter().map(|run| (run.stage.name(), run.text.expose())).collect()
}

#[test]
fn a_part_is_what_its_type_says() {
    // Of the `cloudinit_config` of Terraform: neither the cloud-config nor the boothook has a first line that says what it is.
    let found = inspected(file("terraform.mime"));
    let script = "#!/bin/bash\nset -eu\nprintf \"%s\\n\" \"installed\" >/var/log/own-install.log\n";
    assert_eq!(
        runs(&found),
        [
            ("boothook", "mkdir -p /var/lib/own\n"),
            ("write_files", "writes 1 file"),
            ("runcmd", "touch /run/provisioned"),
            ("runcmd", script),
        ]
    );
    assert_eq!(found.files[0].path, "/etc/sysctl.d/90-own.conf");
    assert_eq!(problems(&found), "");
}

#[test]
fn a_template_shows_names_instead_of_values() {
    let found = inspected(file("made-by-cloud-init.mime"));
    let commands = ["echo grüße > /run/greeting", "#!/bin/sh\necho a > /run/a\n", "echo <v1.region>"];
    for command in commands.into_iter().chain(["#!/bin/sh\necho from-archive\n"]) {
        assert!(runs(&found).contains(&("runcmd", command)), "{command}: {:?}", runs(&found));
    }
    assert_eq!(problems(&found), "the values of a template come from the machine\n");
    // Only its type says that this is a template.
    let mime = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/jinja2\n\n\
        #cloud-config\nruncmd: [\"echo {{ v1.region }}\"]\n--b--\n";
    assert_eq!(runs(&inspected(mime)), [("runcmd", "echo <v1.region>")]);
}

#[test]
fn documents_of_an_archive_are_read() {
    let found = inspected(file("archive.yaml"));
    assert_eq!(found.kind, Kind::CloudConfigArchive);
    let script = "#!/bin/sh\nlogger \"from an archive\"\n";
    assert_eq!(runs(&found), [("bootcmd", "modprobe br_netfilter"), ("runcmd", "mkdir -p /data"), ("runcmd", script)]);
    let found = inspected("#cloud-config-archive\n- type: [");
    assert!(problems(&found).contains("the cloud-config archive"), "{}", problems(&found));
}

#[test]
fn what_is_elsewhere_is_named() {
    let found = inspected("#include\nhttps://files.example/a.yaml\n# no address\n\nhttps://files.example/b.sh\n");
    assert_eq!(found.kind, Kind::Include);
    let downloads = ["downloads https://files.example/a.yaml", "downloads https://files.example/b.sh"];
    assert_eq!(runs(&found), downloads.map(|download| ("user_data", download)));
    assert!(problems(&found).contains("is downloaded when the machine starts"), "{}", problems(&found));

    let found = inspected("#part-handler\ndef list_types():\n    return [\"text/x-own\"]\n");
    assert_eq!((found.kind, runs(&found)), (Kind::PartHandler, vec![("user_data", "loads a part handler")]));

    // The header of a C program.
    assert!(inspected("#include <stdio.h>\nint main(void) { return 0; }\n").is_empty());
}

#[test]
fn another_address_is_a_difference() {
    let side = |name: &str| inspected(format!("#include\nhttps://files.example/{name}\n"));
    assert!(!diff(&side("a"), &side("b"), Rules::Meaning).is_empty());
    assert!(diff(&side("a"), &side("a"), Rules::Meaning).is_empty());
}

#[test]
fn quoted_printable_parts_and_scripts_without_an_interpreter_are_read() {
    let mime = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/x-shellscript\n\
        Content-Transfer-Encoding: quoted-printable\n\necho gr=C3=BC=C3=9Fe=\n > /a\n--b--\n";
    let found = inspected(mime);
    assert_eq!(runs(&found), [("runcmd", "echo grüße > /a")]);
    assert!(problems(&found).contains("does not begin with `#!`"), "{}", problems(&found));
}
