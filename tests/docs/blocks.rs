//! Every shell block of README and docs/ is run as it is written, where Azure CLI, kubectl and the journal are stand-ins that
//! print what the real ones printed, or a row says why it cannot be.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Scratch, finish, needs};

const PROJECT: &str = env!("CARGO_MANIFEST_DIR");

/// What a reader has, and does by hand.
struct Reader {
    /// Commands before the block.
    before: &'static [&'static str],
    /// A line begins with the first text: the second is a command before it.
    by_hand: Option<(&'static str, &'static str)>,
    /// What the block ends with.
    status: i32,
}

/// A Configuration in the directory.
const NODE: &str = "aks-node-controller generate --example ubuntu-azure-cni --print > node.yaml";

/// An image on which an image build ran.
const IMAGE: &str = "mkdir --parents image/opt/azure && touch image/opt/azure/vhd-install.complete";

/// The names that a recipe leaves to its reader.
const NAMES: &str = "IMAGE=image SUBNET=subnet IDENTITY=identity KEY=key";

/// Another cluster than `demo`, in which Karpenter runs.
const KARPENTER: &str = "export CLUSTER=karpenter";

/// The objects of Karpenter in a cluster.
const OBJECTS: &str = "kubectl get nodeclaim/general-x7k2p aksnodeclass/default -o yaml > objects.yaml\n\
    kubectl get deployment karpenter --namespace kube-system -o yaml > deployment.yaml\n\
    (kubectl config view --raw --minify; az vm list-skus --location westeurope --size Standard_D4s_v5) > cluster";

/// The secrets to which Karpenter's Deployment refers, which `generate` asks for.
const SECRETS: &str = "for file in secret bootstrap_token; do echo ---; cat \"$PROJECT/testdata/karpenter_bundles/$file.yaml\"; done >> deployment.yaml";

/// Placeholders that `new` names, replaced.
const FILLED: (&str, &str) = ("aks-node-controller validate", "sed --in-place 's/<[A-Z_]*>/filled/' node.yaml");

enum How {
    Run(Reader),
    /// It is not run, for this reason.
    Not(&'static str),
}

const fn with(before: &'static [&'static str]) -> How {
    How::Run(Reader { before, by_hand: None, status: 0 })
}

/// A page, the beginning of its block, and how it is run, or why it is not.
const BLOCKS: &[(&str, &str, How)] = &[
    ("README.md", "cargo run", How::Not("it compiles the program; .ci/run renders the same example")),
    ("README.md", "cargo test", How::Not("it runs this test")),
    ("README.md", "sudo dpkg", How::Not("tests/packages/deb.sh installs the package, in a root of its own")),
    ("README.md", "az aks show", How::Run(Reader { before: &[], by_hand: Some(FILLED), status: 0 })),
    ("README.md", "az vmss get-instance-view", with(&[])),
    (
        "README.md",
        "aks-node-controller inspect",
        // Like diff(1), it ends with 1 if there is a difference.
        How::Run(Reader {
            before: &[
                "aks-node-controller generate --example ubuntu-azure-cni --format custom-data > custom-data.txt",
                "aks-node-controller generate --example ubuntu-azure-cni > before.json",
                "aks-node-controller generate --example arm64-minimal > after.json",
            ],
            by_hand: None,
            status: 1,
        }),
    ),
    (
        "docs/batch.md",
        "aks-node-controller generate --batch",
        with(&["aks-node-controller convert --example ubuntu-azure-cni | jq --compact-output . > requests.jsonl"]),
    ),
    ("docs/image-facts.md", "aks-node-controller bake", with(&[NODE, IMAGE])),
    ("docs/images.md", "az sig image-version", with(&[])),
    ("docs/images.md", "aks-node-controller bake --list", with(&[IMAGE])),
    (
        "docs/images.md",
        "aks-node-controller validate image.yaml",
        How::Not("tests/provisioning bakes a machine and boots it"),
    ),
    ("docs/images.md", "sudo aks-node-controller bake", with(&[NODE, IMAGE])),
    (
        "docs/inputs-and-routes.md",
        "aks-node-controller generate node.yaml --route scriptless --format arm",
        with(&[NODE, "cp \"$PROJECT/testdata/nbc/arm64.json\" request.json"]),
    ),
    (
        "docs/inputs-and-routes.md",
        "aks-node-controller generate node.yaml --route scriptless --user-data",
        with(&[NODE, "printf '#cloud-config\\nruncmd: [[date]]\\n' > mine.yaml"]),
    ),
    (
        "docs/karpenter.md",
        "kubectl get nodeclaim",
        How::Run(Reader { before: &[KARPENTER], by_hand: Some(("aks-node-controller generate", SECRETS)), status: 0 }),
    ),
    ("docs/karpenter.md", "aks-node-controller env", with(&[KARPENTER, OBJECTS, SECRETS])),
    (
        "docs/karpenter.md",
        "aks-node-controller generate objects.yaml cluster --base",
        // The cluster is of a version of Kubernetes whose kubelet does not know the flag.
        with(&[OBJECTS, NODE, "sed --in-place /--cloud-config:/d node.yaml"]),
    ),
    (
        "docs/karpenter.md",
        "aks-node-controller convert",
        How::Run(Reader {
            before: &[
                KARPENTER,
                OBJECTS,
                SECRETS,
                "aks-node-controller generate objects.yaml deployment.yaml cluster > bootstrap.sh",
                "aks-node-controller generate --example ubuntu-azure-cni --route node-bootstrap-variables > node.custom-data",
            ],
            by_hand: None,
            status: 1,
        }),
    ),
    ("docs/new.md", "az aks show", How::Run(Reader { before: &[], by_hand: Some(FILLED), status: 0 })),
    (
        "docs/on-the-node.md",
        "sudo aks-node-controller diagnose",
        How::Not("it reads the logs of a node; tests/diagnose does"),
    ),
    (
        "docs/on-the-node.md",
        "aks-node-controller diagnose --root before",
        // Like diff(1), it ends with 1 if there is a difference.
        How::Run(Reader {
            before: &["cp --recursive \"$PROJECT/testdata/diagnose/before\" \"$PROJECT/testdata/diagnose/after\" ."],
            by_hand: None,
            status: 1,
        }),
    ),
    (
        "docs/on-the-node.md",
        "aks-node-controller retry",
        How::Not("it provisions a node again; tests/provisioning does"),
    ),
    ("docs/real-nodes.md", "tests/timeline", How::Not("it compares two runs of `make cluster`")),
    ("docs/recipes.md", "aks-node-controller generate node.yaml --route scriptless --format az", with(&[NODE, NAMES])),
    (
        "docs/recipes.md",
        "aks-node-controller generate node.yaml --route scriptless --format bicep",
        with(&[NODE, NAMES]),
    ),
    ("docs/recipes.md", "aks-node-controller generate node.yaml --route scriptless --format arm |", with(&[NODE])),
    (
        "docs/troubleshooting.md",
        "aks-node-controller explain 50",
        with(&["cp \"$PROJECT/testdata/explain/instance-view-50.txt\" cluster-provision.log"]),
    ),
    (
        "docs/troubleshooting.md",
        "sudo aks-node-controller diagnose",
        How::Not("it looks at a node; tests/diagnose does"),
    ),
];

/// Paths of a node, and what stands for them in the directory of a test.
const PATHS: [(&str, &str); 2] =
    [("/mnt/image", "image"), ("/var/log/azure/cluster-provision.log", "cluster-provision.log")];

/// Returns the page and the text of every shell block.
fn blocks() -> Vec<(String, String)> {
    let docs = fs::read_dir(Path::new(PROJECT).join("docs")).expect("it is there");
    let docs = docs.map(|entry| format!("docs/{}", entry.expect("an entry").file_name().display()));
    let pages = docs
        .filter(|name| Path::new(name).extension().is_some_and(|extension| extension == "md"))
        .chain(["README.md".to_owned()])
        .collect::<BTreeSet<_>>();
    let mut found = Vec::new();
    for page in pages {
        let text = fs::read_to_string(Path::new(PROJECT).join(&page)).expect("a text");
        for block in text.split("\n```sh\n").skip(1) {
            let (block, _) = block.split_once("\n```").expect("it ends");
            found.push((page.clone(), block.to_owned()));
        }
    }
    found
}

/// Returns what a reader types, until the first command fails.
fn typed(block: &str, reader: &Reader) -> String {
    let mut lines = reader.before.to_vec();
    for line in block.lines() {
        lines.extend(reader.by_hand.filter(|(before, _)| line.starts_with(before)).map(|(_, command)| command));
        lines.push(line);
    }
    lines.join("\n")
}

#[test]
fn every_block_of_the_pages_does_what_it_says() {
    if !needs::programs(&[("jq", "jq")]) {
        return;
    }
    let mut rows: Vec<_> = BLOCKS.iter().collect();
    for (page, block) in blocks() {
        // The longest beginning: one block can begin like another.
        let row = (0..rows.len())
            .filter(|at| rows[*at].0 == page && block.starts_with(rows[*at].1))
            .max_by_key(|at| rows[*at].1.len());
        let (_, _, how) = rows.remove(row.unwrap_or_else(|| panic!("{page}: no row for\n{block}")));
        let reader = match how {
            How::Run(reader) => reader,
            How::Not(reason) => {
                eprintln!("{page}: not run: {reason}");
                continue;
            }
        };
        let block = PATHS.iter().fold(block, |block, (path, here)| block.replace(path, here));
        let words = block.split([' ', '\n', '=', '"', '\'']);
        assert_eq!(
            words.filter(|word| word.starts_with('/')).collect::<Vec<_>>(),
            [""; 0],
            "{page}: a path of the host"
        );
        let script = typed(&block, reader);
        let place = Scratch::new("page");
        let program = Path::new(env!("CARGO_BIN_EXE_aks-node-controller")).parent().expect("it is in a directory");
        let path = std::env::var("PATH").expect("it is set");
        let run = finish(
            Command::new("bash")
                .args(["-eu", "-o", "pipefail", "-c", &script])
                .current_dir(&*place)
                .env("PATH", format!("{PROJECT}/testdata/stand_ins:{}:{path}", program.display()))
                .env("PROJECT", PROJECT)
                .stdin(Stdio::null()),
        );
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(reader.status), "{page}:\n{script}\n{stderr}");
        let last = block.lines().last().unwrap_or_default();
        if let Some((_, file)) = last.split_once(" > ") {
            assert_ne!(fs::metadata(place.join(file)).expect(&script).len(), 0, "{page}: {file} is empty");
        }
    }
    assert!(rows.is_empty(), "rows without a block: {:?}", rows.iter().map(|row| (row.0, row.1)).collect::<Vec<_>>());
}
