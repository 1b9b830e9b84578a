//! The templates under `templates/`, each compiled when it is first rendered, and the quoting of values for shells.
//!
//! Templates are text with placeholders. Choices, loops over maps and encoding are done in Rust; a template may repeat
//! over a list or leave out an optional block. Long lists are joined in Rust, which is much faster than a loop of a
//! template. To add a template: the file, and a constant of [`Template`].

mod shell_word;

pub use shell_word::{Quoting, ShellWord};

use std::sync::LazyLock;

use tera::{Context, Tera};

pub use tera::Value;

/// A template.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    name: &'static str,
    text: &'static str,
    /// Returns an engine with this template, and with those that it includes.
    engine: fn() -> &'static Tera,
}

macro_rules! templates {
    ($($(#[$doc:meta])* $constant:ident = $file:literal;)*) => {
        impl Template {
            $($(#[$doc])* pub const $constant: Self = Self {
                name: $file,
                text: include_str!(concat!("../../templates/", $file)),
                engine: || {
                    static ENGINE: LazyLock<Tera> = LazyLock::new(|| Template::$constant.compiled());
                    &ENGINE
                },
            };)*

            /// Every template.
            const ALL: &[Self] = &[$(Self::$constant),*];
        }
    };
}

templates! {
    /// containerd's configuration for containerd 1.x.
    CONTAINERD_1 = "containerd_1.toml.tera";
    /// containerd's configuration for containerd 2.x.
    CONTAINERD_2 = "containerd_2.toml.tera";
    /// CoreDNS's configuration of the node-local DNS.
    COREFILE = "corefile.tera";
    /// One zone of it.
    COREFILE_ZONE = "corefile_zone.tera";
    /// The command that the node's controller runs.
    BOOTSTRAP_COMMAND = "cse_cmd.sh.tera";
    /// The beginning of a script that runs without the controller: it waits for the scripts of the image.
    PROLOGUE = "prologue.sh.tera";
    /// The whole environment of a node as a script.
    BOOTSTRAP_SCRIPT = "bootstrap_script.sh.tera";
    /// Karpenter's script.
    KARPENTER_SCRIPT = "karpenter_script.sh.tera";
    /// containerd's configuration in Karpenter's script.
    KARPENTER_CONTAINERD = "karpenter_containerd.toml.tera";
    /// The boothook of the scriptless route, which cloud-init runs first.
    BOOTHOOK = "boothook.sh.tera";
    /// The MIME document around the boothook.
    CUSTOM_DATA = "custom_data.mime.tera";
    /// The cloud-config that goes with the boothook.
    CLOUD_CONFIG = "cloud_config.yaml.tera";
    /// The older form of the same as one cloud-config.
    WRITE_FILES = "write_files.yaml.tera";
    /// The scripted route's cloud-config with the node's files.
    CLOUD_CONFIG_FILES = "cloud_config_files.yaml.tera";
    /// The scripted route's CSE command.
    SCRIPTED_CSE = "scripted_cse.sh.tera";
    /// The Ignition document for images without cloud-init.
    IGNITION = "ignition.json.tera";
}

/// The ending of names of shell templates, in which every value is quoted unless it is a [`Value::safe_string`].
const SHELL: &str = ".sh.tera";

impl Template {
    fn compiled(self) -> Tera {
        let mut engine = Tera::new();
        engine.autoescape_on([SHELL]);
        engine.set_escape_fn(|value, out| out.write_all(ShellWord::quote(value).as_str().as_bytes()));
        let used = Self::ALL.iter().filter(|other| other.name == self.name || self.text.contains(other.name));
        let added = engine.add_raw_templates(used.map(|template| (template.name, template.text)));
        added.expect("the tests compile every template");
        engine
    }

    /// Renders the template with the values of its placeholders. `capacity` is the likely size of the result in bytes.
    ///
    /// # Panics
    /// Panics if a name that the template uses has no value. The tests render every template.
    #[must_use]
    pub fn render(self, values: &[(&'static str, Value)], capacity: usize) -> String {
        let mut context = Context::new();
        for (name, value) in values {
            context.insert_value(*name, value.clone());
        }
        let mut text = Vec::with_capacity(capacity);
        (self.engine)().render_to(self.name, &context, &mut text).expect("every name in a template has a value");
        String::from_utf8(text).expect("templates and values are UTF-8")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_a_value_is_an_error() {
        for template in Template::ALL {
            let engine = (template.engine)();
            let asks = !engine.get_template_variables(template.name).expect("it is there").is_empty();
            assert_eq!(engine.render(template.name, &Context::new()).is_err(), asks, "{}", template.name);
        }
    }

    #[test]
    fn only_values_of_shell_templates_are_quoted() {
        for (name, expected) in [("a.sh.tera", "'a b'"), ("a.toml.tera", "a b")] {
            let mut engine = Template::PROLOGUE.compiled();
            engine.add_raw_template(name, "{{ value }}").expect("it compiles");
            let mut context = Context::new();
            context.insert("value", "a b");
            assert_eq!(engine.render(name, &context).expect("it renders"), expected);
        }
    }
}
