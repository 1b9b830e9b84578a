//! The one template engine: the texts under `templates/`, compiled once, and the quoting of values for shells.
//!
//! Templates hold text with holes. Choices, loops over maps and encoding happen in Rust; a template may repeat over a
//! list or drop an optional block. To add one: the file, a constant in [`Template`], a context struct of its own.

mod shell_word;

pub use shell_word::{Quoting, ShellWord};

use std::sync::LazyLock;

use serde::Serialize;
use tera::{Context, Tera};

/// A text with holes.
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

            /// All of them.
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
    /// How a script without controller begins: it waits for the image's scripts.
    PROLOGUE = "prologue.sh.tera";
    /// The whole environment of a node as a script.
    BOOTSTRAP_SCRIPT = "bootstrap_script.sh.tera";
    /// Karpenter's script.
    KARPENTER_SCRIPT = "karpenter_script.sh.tera";
    /// containerd's configuration in Karpenter's script.
    KARPENTER_CONTAINERD = "karpenter_containerd.toml.tera";
    /// What cloud-init runs first on the scriptless route.
    BOOTHOOK = "boothook.sh.tera";
    /// The MIME document around the boothook.
    CUSTOM_DATA = "custom_data.mime.tera";
    /// The cloud-config that goes with the boothook.
    CLOUD_CONFIG = "cloud_config.yaml.tera";
    /// The older form of the same, a cloud-config.
    WRITE_FILES = "write_files.yaml.tera";
    /// The scripted route's cloud-config with the node's files.
    CLOUD_CONFIG_FILES = "cloud_config_files.yaml.tera";
    /// The scripted route's CSE command.
    SCRIPTED_CSE = "scripted_cse.sh.tera";
    /// The Ignition document for images without cloud-init.
    IGNITION = "ignition.json.tera";
}

/// Names that end like this are shell text: every value in them is quoted unless the template says `safe`.
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
    /// The text with its holes filled. `room` is how many bytes the result is likely to take.
    ///
    /// # Panics
    /// A template asks for a name that its context does not have. The tests render every template.
    #[must_use]
    pub fn render(self, context: &impl Serialize, room: usize) -> String {
        let context = Context::from_serialize(context).expect("a context is a struct");
        let mut text = Vec::with_capacity(room);
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
    fn only_shell_texts_are_quoted() {
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
