//! The templates under `templates/`, compiled once, and the quoting of values for shells.
//!
//! Templates are text with placeholders. Choices, loops over maps and encoding are done in Rust; a template may repeat
//! over a list or leave out an optional block. To add a template: the file, a constant of [`Template`], and a context
//! struct of its own.

mod shell_word;

pub use shell_word::{Quoting, ShellWord};

use std::sync::LazyLock;

use serde::Serialize;
use tera::{Context, Tera};

/// A template.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    name: &'static str,
    text: &'static str,
}

macro_rules! templates {
    ($($(#[$doc:meta])* $constant:ident = $file:literal;)*) => {
        impl Template {
            $($(#[$doc])* pub const $constant: Self =
                Self { name: $file, text: include_str!(concat!("../../templates/", $file)) };)*

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

/// The ending of names of shell templates, in which every value is quoted unless it is marked `safe`.
const SHELL: &str = ".sh.tera";

static ENGINE: LazyLock<Tera> = LazyLock::new(|| {
    let mut engine = Tera::new();
    engine.autoescape_on([SHELL]);
    engine.set_escape_fn(|value, out| out.write_all(ShellWord::quote(value).as_str().as_bytes()));
    engine
        .add_raw_templates(Template::ALL.iter().map(|template| (template.name, template.text)))
        .expect("the tests compile every template");
    engine
});

impl Template {
    /// Renders the template. `capacity` is the likely size of the result in bytes.
    ///
    /// # Panics
    /// Panics if the context lacks a name that the template uses. The tests render every template.
    #[must_use]
    pub fn render(self, context: &impl Serialize, capacity: usize) -> String {
        let context = Context::from_serialize(context).expect("a context is a struct");
        let mut text = Vec::with_capacity(capacity);
        ENGINE.render_to(self.name, &context, &mut text).expect("every name in a template is in its context");
        String::from_utf8(text).expect("templates and values are UTF-8")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_the_context_lacks_is_an_error() {
        #[derive(Serialize)]
        struct Nothing {}
        let context = Context::from_serialize(&Nothing {}).expect("a struct");
        for template in Template::ALL {
            let asks = !ENGINE.get_template_variables(template.name).expect("it is there").is_empty();
            assert_eq!(ENGINE.render(template.name, &context).is_err(), asks, "{}", template.name);
        }
    }

    #[test]
    fn only_values_of_shell_templates_are_quoted() {
        let mut engine = Tera::new();
        engine.register_from(&ENGINE);
        for (name, expected) in [("a.sh.tera", "'a b'"), ("a.toml.tera", "a b")] {
            let mut engine = ENGINE.clone();
            engine.add_raw_template(name, "{{ value }}").expect("it compiles");
            let mut context = Context::new();
            context.insert("value", "a b");
            assert_eq!(engine.render(name, &context).expect("it renders"), expected);
        }
    }
}
