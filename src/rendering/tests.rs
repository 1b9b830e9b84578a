use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::sync::Mutex;

use proptest::prelude::*;
use saphyr_parser::{Event, Parser};
use serde_json::Value;

use super::*;
use crate::catalogue::operating_systems::{OPERATING_SYSTEMS, operating_system};
use crate::configuration::Configuration;
use crate::delivery::{Form, Request, Route, SecretPlacement, bootstrap_command};
use crate::environment::{Environment, ImageContents};
use crate::inputs::karpenter::BootstrapInputs;

/// Every text that a template writes unquoted, and why it may.
const SAFE: [(&str, &str, &str); 19] = [
    ("boothook.sh.tera", "configuration", "base64, in a here-document"),
    ("boothook.sh.tera", "features", "lines of a here-document, none of which ends it"),
    ("bootstrap_script.sh.tera", "assignments", "each value was quoted by `environment::lines`"),
    ("cloud_config_files.yaml.tera", "file.content", "base64 or one line of the catalogue, in a block"),
    ("containerd_1_plugins.toml.tera", "runtime", "one of two keys of TOML"),
    ("containerd_2_plugins.toml.tera", "runtime", "one of two keys of TOML"),
    ("controller_boothook.sh.tera", "script", "a script that was rendered"),
    ("controller_command.sh.tera", "payload", "base64, in quotation marks"),
    ("controller_entries.sh.tera", "file.payload", "base64, in a here-document"),
    ("custom_data.mime.tera", "part.body", "the boundary is chosen so that no part contains it"),
    ("ignition.json.tera", "mode", "a number"),
    ("karpenter_containerd.toml.tera", "runtime", "one of two keys of TOML"),
    ("karpenter_script.sh.tera", "after", "each value was quoted by `environment::lines`"),
    ("karpenter_script.sh.tera", "before", "each value was quoted by `environment::lines`"),
    ("scale_set.bicep.tera", "api_version", "a date of the program, inside a string"),
    ("scripted_cse.sh.tera", "assignments", "each value was quoted as its row says"),
    ("scripted_cse.sh.tera", "location", "a `ShellWord`, quoted as its row says"),
    ("scripted_cse.sh.tera", "repositories", "a `ShellWord`, quoted as its row says"),
    ("write_files.yaml.tera", "configuration", "base64, in a block"),
];

#[test]
fn every_text_that_is_not_quoted_is_listed_with_its_reason() {
    let mut found = BTreeSet::new();
    for (file, text) in TEMPLATES.iter().copied() {
        for part in text.split("{{").skip(1) {
            let (expression, _) = part.split_once("}}").expect("an expression ends");
            let expression = expression.trim_matches(['-', ' ']);
            if let Some((name, filter)) = expression.split_once('|') {
                assert_eq!(filter.trim(), "safe", "{file}");
                found.insert((file, name.trim()));
            }
        }
        assert!(!text.contains("{% filter"), "{file}");
    }
    let listed = SAFE.map(|(file, name, _)| (file, name));
    assert_eq!(found, BTreeSet::from(listed));
}

#[test]
fn every_file_is_a_template() {
    let directory = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/templates")).expect("the directory is there");
    let files = directory.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name is text"));
    assert_eq!(files.collect::<BTreeSet<_>>(), TEMPLATES.iter().map(|(file, _)| (*file).to_owned()).collect());
}

/// Templates that a test of this program has rendered.
static RENDERED: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());

/// Compares the names of a template with those of its values, and remembers that it was rendered.
pub(super) fn record(file: &'static str, values: &impl Serialize) {
    let tera = Engine::of(file).tera();
    let values = serde_json::to_value(values).expect("values are JSON");
    let given: BTreeSet<_> = values.as_object().expect("values are a struct").keys().map(String::as_str).collect();
    let used = tera.get_template_variables(file).expect("a template of this name");
    assert_eq!(given, used.into_iter().collect(), "{file}");
    let text = whole(file);
    for (name, member) in values.as_object().expect("values are a struct") {
        if !text.contains(&format!(", value in {name} ")) {
            members_are_used(file, &text, member);
        }
    }
    let mut rendered = RENDERED.lock().expect("no test fails while it holds the lock");
    rendered.insert(file);
    rendered.extend(included(&text));
}

/// The names of the templates that a template includes.
fn included(text: &str) -> Vec<&'static str> {
    let includes = |file: &&str| text.contains(&format!("{{% include \"{file}\""));
    TEMPLATES.iter().map(|(file, _)| *file).filter(includes).collect()
}

/// The text of a template and of those that it includes.
fn whole(file: &str) -> String {
    let text = TEMPLATES.iter().find(|(name, _)| *name == file).expect("it is listed").1;
    included(text).into_iter().fold(text.to_owned(), |all, other| all + &whole(other))
}

/// The engine fails for a member that is missing, and not for one too many. A loop over a map uses each.
fn members_are_used(file: &str, text: &str, value: &Value) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|element| members_are_used(file, text, element)),
        Value::Object(members) => {
            for (name, value) in members {
                assert!(text.contains(&format!(".{name}")), "{file}: {name}");
                members_are_used(file, text, value);
            }
        }
        _ => {}
    }
}

const DOCUMENT: &str = include_str!("../../testdata/examples/localdns.yaml");

#[test]
fn every_template_is_rendered_with_exactly_the_names_of_its_values() {
    let mut configuration = Configuration::from_document(DOCUMENT.as_bytes()).expect("it decodes").configuration;
    configuration.enabled_features.insert("A".to_owned(), "b".to_owned());
    let os = configuration.custom_linux_os_config.get_or_insert_default();
    os.ulimit_config.get_or_insert_default().no_file = Some("1048576".to_owned());
    configuration.http_proxy_config.get_or_insert_default().http_proxy = "http://proxy".to_owned();
    for containerd_version in ["1.7.22", "2.1.4"] {
        let image = ImageContents { containerd_version: containerd_version.to_owned(), ..ImageContents::default() };
        Environment::new(&configuration, &image).pairs().expect("every value can be passed on");
    }
    for (route, form) in [
        (Route::NodeBootstrapVariables, None),
        (Route::Scriptless, None),
        (Route::Scriptless, Some(Form::WriteFiles)),
        (Route::Scripted, None),
    ] {
        let delivery = Request { route, form, ..Request::default() }.render(&configuration).expect("it renders");
        assert_eq!(delivery.to_bicep().contains("param command"), delivery.cse.is_some());
        assert_eq!(delivery.to_terraform_hcl().expose().contains("extension {"), delivery.cse.is_some());
    }
    let os = operating_system("flatcar").expect("a known system");
    Request { route: Route::Scriptless, os, ..Request::default() }.render(&configuration).expect("it renders");
    for os in [os, &OPERATING_SYSTEMS[0]] {
        let secrets = SecretPlacement::ProtectedSettings;
        let request = Request { route: Route::Scriptless, os, secrets, ..Request::default() };
        request.render(&configuration).expect("it renders");
    }
    let (inputs, _) = BootstrapInputs::from_document(include_bytes!("../../benches/inputs.yaml")).expect("it decodes");
    Request::default().render(&inputs).expect("it renders");
    assert!(bootstrap_command().ends_with("provision_start.sh\" "));
    let all = TEMPLATES.iter().map(|(file, _)| *file).collect();
    assert_eq!(*RENDERED.lock().expect("no test fails while it holds the lock"), all);
}

#[test]
fn a_template_that_needs_another_name_is_an_error() {
    let file = "boothook.sh.tera";
    let error = Engine::of(file).tera().render(file, &Context::new()).expect_err("it needs names");
    assert!(error.to_string().contains("path"), "{error}");
}

fn written(quote: EscapeFn, value: &str) -> io::Result<String> {
    let mut text = Vec::new();
    quote(value, &mut text)?;
    Ok(String::from_utf8(text).expect("it is text"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parsers_read_back_what_was_quoted(value in r#"[^\r]{0,3}([\n"\\'#\[\]{}$%: \-]|\PC|\t|\x00|\x7f|\x85|\u{2028}|\{\{){0,8}"#) {
        let json = written(quoting::json, &value).expect("JSON has every text");
        prop_assert_eq!(serde_json::from_str::<String>(&json).expect("it is JSON"), value.as_str());

        let yaml = format!("- {}\n- next\n", written(quoting::yaml, &value).expect("YAML has every text"));
        let events = Parser::new_from_str(&yaml).map(|event| event.map(|(event, _)| event));
        let scalars: Vec<_> = events.filter_map(|event| match event.expect("it is YAML") {
            Event::Scalar(text, ..) => Some(text.into_owned()),
            _ => None,
        }).collect();
        prop_assert_eq!(scalars, [value.as_str(), "next"]);

        // Strings of Terraform's language are those of JSON but for templates.
        let hcl = written(quoting::hcl, &value).expect("it has every text");
        prop_assert!(!hcl.contains("${") && !hcl.contains("%{"), "{}", hcl);
        prop_assert_eq!(serde_json::from_str::<String>(&hcl).expect("it is JSON"), value.as_str());

        match written(quoting::toml, &value) {
            Ok(toml) => {
                let table: toml::Table = toml::from_str(&format!("[a]\nkey = {toml}\n[b]\n")).expect("it is TOML");
                prop_assert_eq!(table["a"]["key"].as_str(), Some(value.as_str()));
                prop_assert_eq!(table.len(), 2);
            }
            Err(refused) => prop_assert!(value.starts_with('"') || value.contains('\r'), "{}", refused),
        }
    }
}

#[test]
fn a_string_of_bicep_ends_and_expands_nowhere() {
    let value = "a'b\\c${d}$e\n\u{7f}é\"";
    assert_eq!(written(quoting::bicep, value).expect("it has every text"), r#"'a\'b\\c\${d}\$e\u{a}\u{7f}é"'"#);
}

#[test]
fn a_syntax_without_quotes_refuses_what_would_end_a_value() {
    for (quote, accepted, refused) in [
        (
            quoting::corefile as EscapeFn,
            &["cluster.local", "5s", "<nil>", "é"][..],
            &["a b", "a\nb", "\u{a0}", "a{", "}", "#x", "\"a\"", "a,b", "(a)", "\0"][..],
        ),
        (quoting::line, &["1024 65535", "a\tb"], &["1\nkernel.core_pattern=|x", "1\r", " 1", "\0"]),
        (quoting::word, &["infinity", "75000:80000"], &["1 ExecStart=x", "1 infinity", "1\nx", "x\\", "\0"]),
        (quoting::mime, &["text/cloud-boothook"], &["a\r\nb", "a\"b", "é"]),
        (
            quoting::double_quoted,
            &["http://d\\u:p$1!@proxy:80/", "a,b c"],
            &["\"; x; \"", "`x`", "$(x)", "${x}", "a\nb", "x\\"],
        ),
        (quoting::toml, &["\"", "a\"b"], &["\"a\"", "a\r\n"]),
    ] {
        for value in accepted {
            assert!(written(quote, value).is_ok(), "{value:?}");
        }
        for value in refused {
            let error = written(quote, value).expect_err(value).to_string();
            assert!(error.starts_with("a text "), "{error}");
        }
    }
}
