//! `new`: names that would be commands, or more members of the document.

use super::{run, run_with};

#[test]
fn a_name_is_one_word_of_the_command_that_prints_a_value() {
    for (name, word) in
        [("$(id)", "'$(id)'"), ("a`id`", "'a`id`'"), ("a;id", "'a;id'"), ("it's", r"'it'\''s'"), ("pool1", "pool1")]
    {
        let made = run(&["new", "--node-pool", name]);
        let command = format!("  az aks nodepool show -g GROUP --cluster-name CLUSTER -n {word} --query vmSize -o tsv");
        for text in [&made.stdout, &made.stderr] {
            assert!(text.contains(&command), "{name}: {text}");
        }
        assert!(name == "pool1" || !made.stdout.contains(&format!("=='{name}'")), "{}", made.stdout);
    }
    // A name can contain the word that stands for another one.
    let cluster = r#"{"id": "/subscriptions/s/resourceGroups/group/providers/Microsoft.ContainerService/managedClusters/a POOL b",
        "name": "a POOL b", "resourceGroup": "group", "type": "Microsoft.ContainerService/ManagedClusters",
        "agentPoolProfiles": [{"name": "$(id)"}]}"#;
    let made = run_with(&["new", "-"], cluster.as_bytes());
    let command = "az aks nodepool show -g group --cluster-name 'a POOL b' -n '$(id)' --query vmSize -o tsv";
    assert!(made.stdout.contains(command), "{}{}", made.stdout, made.stderr);
}

#[test]
fn a_name_adds_no_member_to_the_document() {
    for end in ["\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}"] {
        let made = run(&["new", "--node-pool", &format!("pool{end}linux_admin_username: other")]);
        let lines = made.stdout.split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']);
        let added: Vec<_> = lines.filter(|line| line.starts_with("linux_admin_username: other")).collect();
        assert!(added.is_empty() && made.stdout.contains("vm_size: <VM_SIZE>"), "{end:?}: {}", made.stdout);
    }
}
