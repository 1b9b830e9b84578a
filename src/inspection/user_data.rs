//! User data of cloud-init. <https://cloudinit.readthedocs.io/en/latest/explanation/format.html>

use super::encoded::decoded;
use super::found::{Kind, Stage};
use super::walk::{At, Place, Walk};
use super::{cloud_config, mime};
use crate::catalogue::paths;
use crate::recognition::{Binary, Text, included};

/// Returns what cloud-init takes a part of this type for, if that does not depend on how its text begins: a cloud-config that
/// Terraform's `cloudinit_config` packs has no first line of its own.
fn declared(content_type: &str, body: &[u8]) -> Option<Text> {
    match content_type {
        "text/cloud-config" => Some(Text::CloudConfig),
        "text/cloud-config-archive" => Some(Text::CloudConfigArchive),
        "text/cloud-boothook" => Some(Text::Boothook),
        "text/x-include-url" | "text/x-include-once-url" => Some(Text::Include),
        "text/part-handler" => Some(Text::PartHandler),
        "text/jinja2" => Some(Text::Template),
        // What is no script has this type too, so cloud-init looks at the text.
        "text/x-shellscript" => {
            let kind = Text::of(std::str::from_utf8(body).ok()?);
            (!kind.is_user_data() && kind != Text::Script && Binary::of(body).is_none()).then_some(Text::Script)
        }
        _ => None,
    }
}

/// Returns a template with `<name>` instead of `{{ name }}`, and without statements and comments, so that the YAML around them can be
/// read.
fn filled(template: &str) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(start) = rest.find('{') {
        let (before, from) = rest.split_at(start);
        let end = match from.as_bytes().get(1) {
            Some(b'{') => "}}",
            Some(b'%') => "%}",
            Some(b'#') => "#}",
            _ => "",
        };
        let inside = if end.is_empty() { None } else { from[2..].split_once(end) };
        filled += before;
        let Some((inside, behind)) = inside else {
            // Jinja does not accept it, and to look for the ends of later ones would search the text again and again.
            if !end.is_empty() {
                return filled + from;
            }
            filled.push('{');
            rest = &from[1..];
            continue;
        };
        if end == "}}" {
            filled.push('<');
            filled += inside.trim_matches(['-', ' ']);
            filled.push('>');
        }
        rest = behind;
    }
    filled + rest
}

impl Walk<'_> {
    pub(super) fn mime(&mut self, text: &str, at: At) {
        self.layer(Kind::Mime, at);
        self.keep("custom_data.mime", text);
        let (parts, cut) = mime::parts(text);
        if let Some(problem) = cut {
            self.warn(problem, "it is truncated, or was changed after it was created");
        }
        for part in parts {
            let label = part.name.as_deref().unwrap_or(&part.content_type);
            let Some(body) = part.content() else {
                self.warn(format!("the part {label} is not base64"), "the part could not be read");
                continue;
            };
            let declared = declared(&part.content_type, &body);
            if declared == Some(Text::Script) {
                self.warn(
                    format!("the script {label} does not begin with `#!`"),
                    "begin it with the line that names its interpreter: Linux cannot run it otherwise",
                );
            }
            self.visit(&body, At { declared, ..at.member(label, Place::Part) });
        }
    }

    pub(super) fn boothook(&mut self, text: &str, at: At) {
        self.layer(Kind::Boothook, at);
        if at.place == Place::Part {
            self.keep("boothook.sh", text);
        } else {
            self.keep("custom_data.sh", text);
            self.found.has_controller_files = true;
        }
        self.runs(Stage::Boothook, text);
        self.shell(text);
        self.script_files(text, at);
    }

    pub(super) fn cloud_config(&mut self, text: &str, at: At) {
        self.layer(Kind::CloudConfig, at);
        let config = cloud_config::read(text);
        if let Some(problem) = config.problem {
            self.warn(format!("the cloud-config: {problem}"), "cloud-init ignores the whole document");
        }
        // A cloud-config on the node is a file of its own.
        let is_layer = at.place != Place::File;
        let carries = config.files.iter().any(|file| file.path == paths::CONFIGURATION);
        let is_custom_data = at.place == Place::Alone && carries;
        if is_layer {
            self.keep(if is_custom_data { "custom_data.yaml" } else { "cloud_config.yaml" }, text);
        }
        // cloud-init does not read one that is a file: the controller takes files from it, and nothing else.
        if is_layer {
            config.boot_commands.into_iter().for_each(|command| self.runs(Stage::BootCommand, command));
            config.run_commands.into_iter().for_each(|command| self.runs(Stage::RunCommand, command));
            if !config.files.is_empty() {
                self.writes(Stage::WriteFiles, config.files.len());
            }
        }
        for file in config.files {
            let mode = u32::from_str_radix(file.permissions.trim_start_matches("0o"), 8).ok();
            let content = self.unpacked(&file.encoding, file.content);
            if file.append {
                self.warn(
                    format!("{} is appended to, so a second run repeats the text", file.path),
                    "write a separate file",
                );
            }
            self.file(&file.path, mode, &file.owner, content, at);
        }
    }

    /// Undoes an encoding of cloud-init: `gz`, `gzip`, `b64`, `base64`, `gz+b64` and so on.
    fn unpacked(&mut self, encoding: &str, mut content: Vec<u8>) -> Vec<u8> {
        let encoding = encoding.to_ascii_lowercase();
        if encoding.contains("b64") || encoding.contains("base64") {
            content = decoded(&String::from_utf8_lossy(&content)).map_or(content, |(bytes, _)| bytes);
        }
        if encoding.contains("gz") && Binary::of(&content) == Some(Binary::Gzip) {
            let (plain, cut) = self.gunzip(&content);
            if cut.is_some() {
                self.warn("a compressed file is truncated or too large", "the rest could not be read");
            }
            content = plain;
        }
        content
    }

    /// Visits the documents in a list. One without a type is what its text says, else a cloud-config.
    pub(super) fn archive(&mut self, text: &str, at: At) {
        self.layer(Kind::CloudConfigArchive, at);
        self.keep("cloud_config_archive.yaml", text);
        let (root, problem) = cloud_config::parsed(text);
        if let Some(problem) = problem {
            self.warn(format!("the cloud-config archive: {problem}"), "cloud-init ignores the whole document");
        }
        for entry in root.items() {
            let member = |name: &str| entry.member(name).map(cloud_config::Node::text).unwrap_or_default();
            let (content, content_type) = match entry {
                cloud_config::Node::Scalar(text, _) => (text.clone(), String::new()),
                _ => (member("content"), member("type")),
            };
            let kind = Text::of(&content);
            let declared = if !content_type.is_empty() {
                declared(&content_type, content.as_bytes())
            } else if kind.is_user_data() || kind == Text::Script {
                None
            } else {
                Some(Text::CloudConfig)
            };
            let label = [member("filename"), content_type].into_iter().find(|name| !name.is_empty());
            let inside = at.member(label.as_deref().unwrap_or("text/cloud-config"), Place::Part);
            self.visit(content.as_bytes(), At { declared, ..inside });
        }
    }

    /// Lists addresses from which cloud-init downloads user data.
    pub(super) fn include(&mut self, text: &str, at: At) {
        self.layer(Kind::Include, at);
        self.keep("include.txt", text);
        included(text).for_each(|address| self.runs(Stage::UserData, format!("downloads {address}")));
        self.warn("more user data is downloaded when the machine starts", "download it, and inspect it too");
    }

    pub(super) fn part_handler(&mut self, text: &str, at: At) {
        self.layer(Kind::PartHandler, at);
        self.keep("part_handler.py", text);
        self.runs(Stage::UserData, "loads a part handler");
        self.warn("a part handler is not run here", "read in it what it does with the other parts");
    }

    /// Visits what cloud-init makes of a template, with the names of values in place of the values.
    pub(super) fn template(&mut self, text: &str, at: At) {
        self.layer(Kind::Template, at);
        self.warn(
            "the values of a template come from the machine",
            "print them there: cloud-init query --all; here `<name>` stands for a value",
        );
        // A part with the type of a template can lack the line that says so.
        let is_marked = Text::of(text) == Text::Template;
        let template = if is_marked { text.split_once('\n').map_or("", |(_, template)| template) } else { text };
        self.visit(filled(template).as_bytes(), at.inside());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_of_a_template_are_replaced() {
        for (template, expected) in [
            ("a: {{ v1.region }}\n", "a: <v1.region>\n"),
            ("a: {{- v1.region -}}.b{{x}}\n", "a: <v1.region>.b<x>\n"),
            ("{% if v1.region == 'a' %}\na: {b: 1}\n{# comment #}{% endif %}", "\na: {b: 1}\n"),
            ("a: ${b} {", "a: ${b} {"),
            ("a: {{ b", "a: {{ b"),
            ("é{{é}}{", "é<é>{"),
        ] {
            assert_eq!(filled(template), expected, "{template}");
        }
    }
}
