//! Files inside variables: a text of the Configuration comes back as the same text, or the environment is refused.

use std::fs;
use std::path::Path;

use aks_node_controller::configuration::{Configuration, KubeBinaryConfig, KubeletConfig};
use aks_node_controller::environment::{Environment, ImageContents};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::CASES;
use crate::shells::arbitrary::Source;

/// Returns containerd's configuration, with or without the settings for GPUs, as a parser reads it.
fn containerd(configuration: &Configuration, image: &ImageContents) -> Result<[toml::Table; 2], String> {
    let environment = Environment::new(configuration, image);
    environment.pairs().map_err(|error| error.to_string())?;
    Ok(["CONTAINERD_CONFIG_CONTENT", "CONTAINERD_CONFIG_NO_GPU_CONTENT"].map(|name| {
        let text = STANDARD.decode(environment.get(name).expect("a variable")).expect("base64");
        let text = String::from_utf8(text).expect("text");
        toml::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }))
}

fn with_texts(data_dir: &str, pause_image: &str) -> Configuration {
    Configuration {
        kubelet_config: Some(KubeletConfig { container_data_dir: data_dir.to_owned(), ..KubeletConfig::default() }),
        kube_binary_config: Some(KubeBinaryConfig {
            pod_infra_container_image_url: pause_image.to_owned(),
            ..KubeBinaryConfig::default()
        }),
        ..Configuration::default()
    }
}

fn images() -> [ImageContents; 2] {
    ["1.7.22", "2.1.4"]
        .map(|version| ImageContents { containerd_version: version.to_owned(), ..ImageContents::default() })
}

/// Compares what a parser reads with the texts.
fn assert_texts(table: &toml::Table, data_dir: &str, pause_image: &str) {
    assert_eq!(table.get("root").and_then(toml::Value::as_str), Some(data_dir).filter(|text| !text.is_empty()));
    let plugins = &table["plugins"];
    let found = match plugins.get("io.containerd.grpc.v1.cri") {
        Some(plugin) => &plugin["sandbox_image"],
        None => &plugins["io.containerd.cri.v1.images"]["pinned_images"]["sandbox"],
    };
    assert_eq!(found.as_str(), Some(pause_image));
}

/// The names of all keys, those of tables in them included.
fn keys(table: &toml::Table) -> Vec<String> {
    let below = |value: &toml::Value| value.as_table().map(keys).unwrap_or_default();
    table.iter().flat_map(|(key, value)| [vec![key.clone()], below(value)].concat()).collect()
}

#[test]
fn containerd_gets_the_texts_of_the_configuration_and_no_other_settings() {
    let texts = [
        "x\"\n[plugins]\n",
        "\"\noom_score = 0 #",
        "a\"b",
        "a\\",
        "a\nb",
        "${x}",
        "{{ pause_image }}",
        "{% raw %}",
        "[a] # b = 'c'",
        "\u{0}\u{7f}\t\u{2028}é",
    ];
    for image in images() {
        let names = |tables: &[toml::Table; 2]| tables.each_ref().map(keys);
        let plain = names(&containerd(&with_texts("a", "b"), &image).expect("plain texts"));
        for text in texts {
            let tables = containerd(&with_texts(text, text), &image).unwrap_or_else(|error| panic!("{error}"));
            for table in &tables {
                assert_texts(table, text, text);
            }
            assert_eq!(names(&tables), plain, "{text:?}");
        }
    }
}

#[test]
fn containerd_reads_back_hostile_texts_or_the_environment_is_refused() {
    let mut source = Source::new();
    let mut read = 0;
    for _ in 0..CASES {
        let (data_dir, pause_image) = (source.text(), source.text());
        for image in images() {
            match containerd(&with_texts(&data_dir, &pause_image), &image) {
                Ok(tables) => tables.iter().for_each(|table| assert_texts(table, &data_dir, &pause_image)),
                Err(error) => {
                    assert!(error.starts_with("the value of CONTAINERD_CONFIG_CONTENT cannot carry"), "{error}");
                    let is_refused = |text: &String| text.contains('\r') || text.starts_with('"');
                    assert!([&data_dir, &pause_image].into_iter().any(is_refused), "{error}");
                    continue;
                }
            }
            read += 1;
        }
    }
    assert!(read > CASES, "only {read} were read");
}

#[test]
fn a_file_without_quoting_is_refused_if_a_text_would_end_its_place() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/examples/localdns.yaml");
    let example = fs::read(example).expect("the example is there");
    let image = ImageContents::default();
    let base = || Configuration::from_document(&example).expect("it decodes").configuration;
    let dns = |zone: &str, duration: &str, domain: &str| {
        let mut configuration = base();
        let profile = configuration.local_dns_profile.as_mut().expect("the example has it");
        let zone = profile.kube_dns_overrides.entry(zone.to_owned()).or_default();
        let check = zone.health_check.get_or_insert_default();
        check.duration = Some(duration.to_owned());
        check.domain = Some(domain.to_owned());
        configuration
    };
    let system = |ports: &str, limit: &str| {
        let mut configuration = base();
        let os = configuration.custom_linux_os_config.get_or_insert_default();
        os.sysctl_config.get_or_insert_default().net_ipv4_ip_local_port_range = Some(ports.to_owned());
        os.ulimit_config.get_or_insert_default().no_file = Some(limit.to_owned());
        configuration
    };
    let proxy = |address: &str| {
        let mut configuration = base();
        configuration.http_proxy_config.get_or_insert_default().http_proxy = address.to_owned();
        configuration
    };
    for (configuration, refused) in vec![
        (dns("a.b", "5s", "c.d"), None),
        (dns("a\n}\n.:54 {", "5s", ""), Some("LOCALDNS_COREFILE_BASE")),
        (dns("a.b", "5s\nforce_tcp", ""), Some("LOCALDNS_COREFILE_BASE")),
        (dns("a.b", "5s", "c }"), Some("LOCALDNS_COREFILE_BASE")),
        (dns("a.b", "5s", "{$HOME}"), Some("LOCALDNS_COREFILE_BASE")),
        (dns("a.b,c.d", "5s", ""), Some("LOCALDNS_COREFILE_BASE")),
        (dns("(a)", "5s", ""), Some("LOCALDNS_COREFILE_BASE")),
        (system("1024 65535", "1048576"), None),
        (system("1\nkernel.core_pattern=|/x", ""), Some("SYSCTL_CONTENT")),
        (system("", "1 ExecStartPre=/x"), Some("CONTAINERD_ULIMITS")),
        (system("", "1 infinity"), Some("CONTAINERD_ULIMITS")),
        (proxy("http://u:p$w@proxy/"), None),
        (proxy("\"; touch x; \""), Some("PROXY_VARS")),
        (proxy("$(touch x)"), Some("PROXY_VARS")),
    ] {
        let environment = Environment::new(&configuration, &image);
        let error = environment.script().map(drop).map_err(|error| error.variable);
        assert_eq!(error.err().as_deref(), refused);
        assert_eq!(environment.pairs().is_err(), refused.is_some());
        assert_eq!(environment.words().is_err(), refused.is_some());
    }
}
