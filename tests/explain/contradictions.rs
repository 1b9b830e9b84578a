//! What is said of a failure contradicts no line of its text.

use std::fs;

use aks_node_controller::explain::{self, Explanation};

fn explained(file: &str) -> Explanation {
    let text = fs::read_to_string(format!("{}/{file}.txt", super::DIRECTORY)).expect("it is there");
    explain::explain(&text).expect("it shows a failure")
}

fn ruled_out(found: &Explanation) -> Vec<&str> {
    found.rules_out.iter().map(|layer| layer.name()).collect()
}

#[test]
fn a_restart_that_somebody_asked_for_is_no_maintenance_of_azure() {
    for file in ["nine-kubelet-down", "nine-restart-requested"] {
        for cause in explained(file).causes {
            let says_otherwise = ["maintenance or a failure of its host", "AKS does not accept the request"];
            assert!(!says_otherwise.iter().any(|words| cause.cause.contains(words)), "{file}: {}", cause.cause);
        }
    }
}

#[test]
fn a_layer_whose_failure_the_text_shows_is_not_ruled_out() {
    let down = "Warning  KubeletIsDown  26m  kubelet-custom-plugin-monitor  Kubelet service is not running\n";
    let evicted =
        "Warning  PreemptScheduled  1m  node/aks-spot-12345678-vmss000000  Preempt Scheduled: Fri, 06 Dec 2024\n";
    let both = explain::explain(&format!("{down}{evicted}")).expect("it shows a failure");
    let alone = explain::explain(evicted).expect("it shows a failure");
    assert_eq!((both.layer.name(), alone.layer.name()), ("lifecycle", "lifecycle"));
    assert!(!ruled_out(&both).contains(&"kubelet") && ruled_out(&both).contains(&"machine"), "{both:?}");
    assert!(ruled_out(&alone).contains(&"kubelet"), "{alone:?}");
}

/// `IOError` is also a reason of node-problem-detector.
#[test]
fn an_exception_of_python_is_no_error_of_the_kernel() {
    for file in ["five-wa-provision-status", "wa-ready", "five-wa-download"] {
        let found = explained(file);
        assert!(found.causes.iter().all(|cause| !cause.cause.contains("kernel")), "{file}: {:?}", found.causes);
    }
}

/// Its client tries until the network is up: `internal/resource/http.go` of <https://github.com/coreos/ignition>.
#[test]
fn what_ignition_fetched_at_last_did_not_fail() {
    let url = "http://169.254.169.254/metadata/instance/compute/userData?api-version=2021-01-01&format=text";
    let failed = format!(
        "ignition[720]: GET {url}: attempt #1\nignition[720]: GET error: Get \"{url}\": dial tcp 169.254.169.254:80: connect: \
         network is unreachable\nignition[720]: GET {url}: attempt #2\n"
    );
    assert_eq!(explain::explain(&failed).expect("it shows a failure").layer.name(), "user-data");
    let fetched = format!("{failed}ignition[720]: GET result: OK\n");
    assert_eq!(explain::explain(&fetched), Err(explain::NoFailure::NotFound));
    let invalid = format!("{fetched}ignition[720]: failed to parse config: not a config (found script)\n");
    assert_eq!(explain::explain(&invalid).expect("it shows a failure").layer.name(), "user-data");
}
