//! Tables that programs of a node print, in which a word means something only in its column: which pods, disks and nodes are in a bad state.
//!
//! To add one: a variant of [`Table`] with the words of its header, and how a row shows a failure.

use super::plain::{Plain, Row};
use crate::catalogue::failures::NEEDED_PODS;

/// The most rows of a table that are read.
const MOST_ROWS: usize = 500;

/// The most bytes between the state of a node and its version.
const LONGEST_ROW: usize = 80;

/// How headers begin.
const FIRST_WORDS: [&str; 4] = ["NAME", "Filesystem", "POD", "CONTAINER"];

/// A table that a program prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Table {
    /// `kubectl get nodeclaims`.
    NodeClaims,
    /// `df`, of blocks or inodes.
    Disks,
    /// `crictl pods`.
    Sandboxes,
    /// `crictl ps --all`.
    Containers,
    /// `kubectl get pods`.
    Pods,
    /// A row of `kubectl get nodes`, whose header can be cut off.
    NodeRow,
}

impl Table {
    /// Texts of the header in lower case, or the word that the row has.
    pub(super) const HEADERS: [(&'static str, Self); 7] = [
        ("zone node ready age", Self::NodeClaims),
        ("use% mounted on", Self::Disks),
        ("iuse% mounted on", Self::Disks),
        ("name namespace attempt", Self::Sandboxes),
        ("name attempt pod id", Self::Containers),
        ("name ready status restarts age", Self::Pods),
        ("notready", Self::NodeRow),
    ];

    /// Reports whether a text that ends at a position is its header.
    pub(super) fn is_at(self, text: &str, end: usize) -> bool {
        self != Self::NodeRow || is_row_of_node(&text[end..text.floor_char_boundary(end + LONGEST_ROW)])
    }

    /// Returns the reason of the failure that a table shows whose header is at a position, and the range of the row.
    pub(super) fn failure(self, plain: &Plain, (start, end): (usize, usize)) -> Option<(&'static str, (usize, usize))> {
        // What a log puts before each line.
        let header = plain.row_of(start).text;
        let is_first = |word: &str| FIRST_WORDS.iter().any(|first| word.ends_with(first));
        let prefix = header.split(' ').position(is_first).unwrap_or_default();
        let rows: Vec<_> = plain.rows_behind(end).take(MOST_ROWS).map(|row| row.without(prefix)).collect();
        match self {
            Self::NodeClaims => node_claim(&rows),
            Self::Disks => rows.iter().find(|row| is_full(row.text)).map(|row| ("DiskOfMachineFull", row.place)),
            Self::Sandboxes => {
                let sandboxes: Vec<_> = rows.iter().filter_map(|row| Some((sandbox(row.text)?, row.place))).collect();
                failing(&sandboxes)
            }
            Self::Containers => {
                let containers: Vec<_> =
                    rows.iter().filter_map(|row| Some((container(row.text)?, row.place))).collect();
                failing(&containers)
            }
            Self::Pods => {
                // Where one of them runs, there is a node.
                let needed = || rows.iter().filter(|row| is_needed(row.text));
                let runs = |row: &Row| row.text.contains(" Running ");
                let pending = needed().find(|row| row.text.contains(" Pending "));
                pending.filter(|_| !needed().any(runs)).map(|row| ("AddOnsNotRunning", row.place))
            }
            Self::NodeRow => Some(("NodeNotReady", (start, end))),
        }
    }
}

/// What runs on a node, and its state.
struct Workload<'t> {
    /// The name of the pod, and of its container.
    name: (&'t str, &'t str),
    runs: bool,
    /// Whether it has ended and was started before.
    fails: bool,
}

/// Returns the failure of Karpenter's claims of nodes of Azure: `NAME TYPE CAPACITY ZONE NODE READY AGE`. Cells are empty until Karpenter
/// knows their values.
fn node_claim(rows: &[Row]) -> Option<(&'static str, (usize, usize))> {
    let claims = || {
        rows.iter().filter_map(|row| {
            let words: Vec<_> = row.text.split(' ').collect();
            let ready = words.iter().position(|word| matches!(*word, "True" | "False" | "Unknown"))?;
            is_age(words.get(ready + 1)?).then_some((words, ready, row.place))
        })
    };
    if claims().any(|(words, ready, _)| ready >= 4 && !words[1].starts_with("Standard_")) {
        return None;
    }
    let (_, before, place) = claims().find(|(words, ready, _)| words[*ready] != "True")?;
    let reason = match before {
        5.. => "NodeNotInitialized",
        4 => "NodeNeverRegistered",
        _ => "NodeClaimNotLaunched",
    };
    Some((reason, place))
}

/// Reports whether a row of `df` shows that a disk of the node is full: not a disk of a pod, and not one that nothing is written to.
fn is_full(row: &str) -> bool {
    const MOUNTS: [&str; 13] = [
        "/",
        "/var",
        "/var/lib",
        "/var/lib/kubelet",
        "/var/lib/containerd",
        "/var/lib/docker",
        "/var/log",
        "/mnt",
        "/mnt/resource",
        "/tmp",
        "/home",
        "/opt",
        "/usr",
    ];
    let mut words = row.split(' ').skip_while(|word| *word != "100%").skip(1);
    let mount = words.next();
    !row.contains("/dev/loop") && mount.is_some_and(|mount| MOUNTS.contains(&mount))
}

/// Reads a row of `crictl pods`: `ID CREATED STATE NAME NAMESPACE ATTEMPT RUNTIME`.
fn sandbox(row: &str) -> Option<Workload<'_>> {
    let mut words = row.split(' ').skip_while(|word| !matches!(*word, "Ready" | "NotReady"));
    let runs = words.next()? == "Ready";
    let name = words.next()?;
    Some(Workload { name: (name, ""), runs, fails: !runs })
}

/// Reads a row of `crictl ps`: `CONTAINER IMAGE CREATED STATE NAME ATTEMPT POD-ID POD`.
fn container(row: &str) -> Option<Workload<'_>> {
    let mut words = row.split(' ').skip_while(|word| !matches!(*word, "Running" | "Exited"));
    let runs = words.next()? == "Running";
    let container = words.next()?;
    let attempt: u32 = words.next()?.parse().ok()?;
    // Containers that prepare a pod end too.
    Some(Workload { name: (words.nth(1).unwrap_or(container), container), runs, fails: !runs && attempt > 0 })
}

/// Reports whether the name of a pod that the node needs begins a text.
fn is_needed(name: &str) -> bool {
    NEEDED_PODS.iter().any(|needed| name.starts_with(needed.trim_end_matches('-')))
}

/// Returns the failure of a pod that the node needs, if it ends again and again and does not run.
fn failing(all: &[(Workload, (usize, usize))]) -> Option<(&'static str, (usize, usize))> {
    let runs = |name| all.iter().any(|(workload, _)| workload.runs && workload.name == name);
    let (_, place) =
        all.iter().find(|(workload, _)| workload.fails && is_needed(workload.name.0) && !runs(workload.name))?;
    Some(("SystemPodCrashes", *place))
}

/// Reports whether a row of a table of nodes goes on with roles, an age and a version.
fn is_row_of_node(rest: &str) -> bool {
    let words: Vec<_> = rest.split([' ', '\n']).take(4).collect();
    words.windows(2).any(|pair| is_age(pair[0]) && pair[1].starts_with("v1."))
}

/// Reports whether a word is an age: `2d16h`, `7s`.
fn is_age(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_digit())
        && word.ends_with(['s', 'm', 'h', 'd', 'y'])
        && word.bytes().all(|byte| byte.is_ascii_digit() || b"smhdy".contains(&byte))
}

#[cfg(test)]
mod tests {
    use crate::explain::explain;

    fn reason(text: &str) -> Option<String> {
        explain(text).ok().map(|found| found.reason)
    }

    #[test]
    fn a_node_claim_shows_how_far_its_node_came() {
        let header = "NAME            TYPE               CAPACITY    ZONE           NODE    READY     AGE\n";
        let table = |row: &str| reason(&format!("$ kubectl get nodeclaims\n{header}{row}"));
        let launched = "default-2hqbm   Standard_D4as_v5   on-demand   westus2-1";
        assert_eq!(table(&format!("{launched}          Unknown   12m")).as_deref(), Some("NodeNeverRegistered"));
        assert_eq!(
            table(&format!("{launched}   aks-default-2hqbm   Unknown   12m")).as_deref(),
            Some("NodeNotInitialized")
        );
        assert_eq!(
            table("default-2hqbm                        False     12m").as_deref(),
            Some("NodeClaimNotLaunched")
        );
        assert_eq!(table(&format!("{launched}   aks-default-2hqbm   True   12m")), None);
        let prefix = "Nov 22 05:54:15 aks-1 bash[812]: ";
        let logged = format!("{prefix}{header}{prefix}{launched}          Unknown   12m");
        assert_eq!(reason(&logged).as_deref(), Some("NodeNeverRegistered"));
        assert_eq!(
            table("w-284k9   m7i-flex.large   on-demand   eu-north-1b          Unknown   7s"),
            None,
            "another cloud"
        );
    }

    #[test]
    fn a_full_disk_of_the_node_counts_and_no_image_of_a_package() {
        let header = "Filesystem      Size  Used Avail Use% Mounted on\n";
        assert_eq!(reason(&format!("{header}/dev/root  124G  124G  0 100% /\n")).as_deref(), Some("DiskOfMachineFull"));
        assert_eq!(
            reason(&format!(
                "{header}/dev/root  124G  90G  34G 73% /\n/dev/loop0  64M  64M  0 100% /snap/core20/2318\n"
            )),
            None
        );
        let inodes =
            "Filesystem      Inodes   IUsed   IFree IUse% Mounted on\n/dev/sda1  3870720  3870720  0  100% /\n";
        assert_eq!(reason(inodes).as_deref(), Some("DiskOfMachineFull"));
    }

    #[test]
    fn a_pod_of_the_node_that_ends_again_and_again_is_found_in_the_tables_of_crictl() {
        let ps = "CONTAINER       IMAGE           CREATED         STATE    NAME        ATTEMPT  POD ID         POD\n";
        let exited = "b2fe17d3c5a1e   8b2d3f4a5c6d7   2 minutes ago   Exited   azure-cns   14       5c1f0e2d3b4a5   azure-cns-x7k2p\n";
        let running = "c3fe17d3c5a1e   8b2d3f4a5c6d7   1 minutes ago   Running   azure-cns   15       5c1f0e2d3b4a5   azure-cns-x7k2p\n";
        let prepared = "b2fe17d3c5a1e   8b2d3f4a5c6d7   2 days ago   Exited   cni-installer   0       5c1f0e2d3b4a5   azure-cns-x7k2p\n";
        assert_eq!(reason(&format!("{ps}{exited}")).as_deref(), Some("SystemPodCrashes"));
        assert_eq!(reason(&format!("{ps}{running}{exited}")), None);
        assert_eq!(reason(&format!("{ps}{prepared}")), None);
        let pods = "POD ID          CREATED         STATE      NAME               NAMESPACE     ATTEMPT   RUNTIME\n";
        let not_ready =
            "5c1f0e2d3b4a5   3 minutes ago   NotReady   kube-proxy-9qv2t   kube-system   7         (default)\n";
        assert_eq!(reason(&format!("{pods}{not_ready}")).as_deref(), Some("SystemPodCrashes"));
        let job = "5c1f0e2d3b4a5   3 minutes ago   NotReady   report-28473-9qv2t   default   0         (default)\n";
        assert_eq!(reason(&format!("{pods}{job}")), None);
        let images = "IMAGE                             TAG   IMAGE ID        SIZE\nmcr.microsoft.com/oss/pause   3.9   e6f1816883972   322kB\n";
        assert_eq!(reason(images), None);
    }

    #[test]
    fn add_ons_of_which_none_runs_show_that_there_is_no_node() {
        let header = "NAME                                  READY   STATUS    RESTARTS   AGE\n";
        let pending = "coredns-845757d86-7xjqb               0/1     Pending   0          78m\n";
        let running = "konnectivity-agent-67f7f5554f-nsw2g   1/1     Running   0          77m\n";
        let application = "web-845757d86-7xjqb               0/1     Pending   0          78m\n";
        assert_eq!(reason(&format!("{header}{pending}")).as_deref(), Some("AddOnsNotRunning"));
        assert_eq!(reason(&format!("{header}{pending}{running}")), None);
        assert_eq!(reason(&format!("{header}{application}")), None);
    }

    #[test]
    fn a_row_of_a_node_is_known_without_its_header() {
        for row in [
            "aksw000000   NotReady   2d16h   v1.21.2",
            "agentpool1-2   NotReady,agent   9m   v1.7.7",
            "n1 NotReady agent 9m v1.30.1",
        ] {
            assert_eq!(reason(row).as_deref(), Some("NodeNotReady"), "{row}");
        }
        assert_eq!(reason("n1 Ready agent 9m v1.30.1"), None);
    }
}
