//! The templates under `templates/`, which Tera renders, and the quoting of values for the syntax of each.
//!
//! Each syntax has one engine, whose escape function is the quoting function of the syntax, so that no value enters a text
//! unquoted. `| safe` marks texts that are in the syntax already; a test lists each with its reason.
//!
//! To add a template: see CONTRIBUTING.md.

mod quoting;
mod shell_word;

pub use shell_word::{Quoting, ShellWord};

use std::error::Error as _;
use std::io;
use std::sync::OnceLock;

use serde::Serialize;
use tera::{Context, EscapeFn, Tera};

macro_rules! templates {
    ($($file:literal),* $(,)?) => {
        [$(($file, include_str!(concat!("../../templates/", $file)))),*]
    };
}

/// Every file under `templates/`, with its text.
static TEMPLATES: [(&str, &str); 27] = templates![
    "boothook.sh.tera",
    "bootstrap_command.sh.tera",
    "bootstrap_script.sh.tera",
    "cloud_config.yaml.tera",
    "cloud_config_files.yaml.tera",
    "containerd.toml.tera",
    "containerd_1_plugins.toml.tera",
    "containerd_2_plugins.toml.tera",
    "containerd_ulimits.service.tera",
    "controller_boothook.sh.tera",
    "controller_command.sh.tera",
    "controller_entries.sh.tera",
    "controller_ignition.json.tera",
    "controller_script.sh.tera",
    "corefile.tera",
    "custom_data.mime.tera",
    "ignition.json.tera",
    "karpenter_containerd.toml.tera",
    "karpenter_script.sh.tera",
    "prologue.sh.tera",
    "proxy_vars.exports.tera",
    "scale_set.bicep.tera",
    "scale_set.tf.tera",
    "scripted_cse.sh.tera",
    "start.sh.tera",
    "sysctl.conf.tera",
    "write_files.yaml.tera",
];

/// The engine for one syntax, built on first use.
struct Engine {
    /// How the names of its templates end.
    suffix: &'static str,
    /// Quotes a value so that it is read back unchanged. Fails for a value that the syntax cannot carry.
    quote: EscapeFn,
    /// Writes a value as AgentBaker does.
    as_reference: EscapeFn,
    tera: OnceLock<Tera>,
}

static ENGINES: [Engine; 11] = [
    Engine::new(".sh.tera", quoting::shell, quoting::unquoted),
    Engine::new(".toml.tera", quoting::toml, quoting::in_quotation_marks),
    Engine::new(".yaml.tera", quoting::yaml, quoting::unquoted),
    Engine::new(".json.tera", quoting::json, quoting::unquoted),
    Engine::new(".exports.tera", quoting::double_quoted, quoting::unquoted),
    Engine::new(".mime.tera", quoting::mime, quoting::unquoted),
    Engine::new("corefile.tera", quoting::corefile, quoting::unquoted),
    Engine::new(".conf.tera", quoting::line, quoting::unquoted),
    Engine::new(".service.tera", quoting::word, quoting::unquoted),
    Engine::new(".bicep.tera", quoting::bicep, quoting::unquoted),
    Engine::new(".tf.tera", quoting::hcl, quoting::unquoted),
];

impl Engine {
    const fn new(suffix: &'static str, quote: EscapeFn, as_reference: EscapeFn) -> Self {
        Self { suffix, quote, as_reference, tera: OnceLock::new() }
    }

    fn of(file: &str) -> &'static Self {
        ENGINES.iter().find(|engine| file.ends_with(engine.suffix)).expect("a suffix names a syntax")
    }

    fn tera(&self) -> &Tera {
        self.tera.get_or_init(|| {
            let mut tera = Tera::new();
            tera.autoescape_on([self.suffix]);
            tera.set_escape_fn(self.quote);
            let templates = TEMPLATES.iter().copied().filter(|(file, _)| file.ends_with(self.suffix));
            tera.add_raw_templates(templates).expect("the tests render every template");
            tera
        })
    }
}

/// A description of a value that the syntax of a template cannot carry: `a text with U+000A`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(String);

/// A text that was rendered from values of a document.
#[derive(Clone)]
pub struct Rendered {
    /// The text. It has AgentBaker's bytes, unquoted, if a value was rejected.
    pub text: String,
    /// Why the text must not reach a node.
    pub refused: Option<Refused>,
}

/// A text without values.
impl From<String> for Rendered {
    fn from(text: String) -> Self {
        Self { text, refused: None }
    }
}

/// Reports whether a template of TOML can carry a value.
pub fn is_toml_text(value: &str) -> bool {
    quoting::toml(value, &mut io::sink()).is_ok()
}

/// The values of a template that has none.
#[derive(Serialize)]
pub struct NoValues {}

/// Renders a template whose syntax can carry every value that is passed to it.
///
/// # Panics
/// Panics if it cannot.
pub fn render(file: &'static str, values: &impl Serialize) -> String {
    try_render(file, &context(file, values)).unwrap_or_else(|refused| panic!("{file} cannot carry {refused}"))
}

/// Renders a template. If its syntax cannot carry a value, returns AgentBaker's text and the reason not to use it.
pub fn render_untrusted(file: &'static str, values: &impl Serialize) -> Rendered {
    untrusted(file, &context(file, values))
}

/// Renders a template as [`render_untrusted`], first with a switch among its values off, then with it on. The values are serialized once.
pub fn render_untrusted_both(file: &'static str, values: &impl Serialize, switch: &'static str) -> [Rendered; 2] {
    let mut context = context(file, values);
    [false, true].map(|is_on| {
        context.insert(switch, &is_on);
        untrusted(file, &context)
    })
}

fn untrusted(file: &'static str, context: &Context) -> Rendered {
    let (text, refused) = match try_render(file, context) {
        Ok(text) => (text, None),
        Err(refused) => {
            let engine = Engine::of(file);
            let mut tera = engine.tera().clone();
            tera.set_escape_fn(engine.as_reference);
            (tera.render(file, context).expect("nothing is refused"), Some(refused))
        }
    };
    Rendered { text, refused }
}

fn try_render(file: &'static str, context: &Context) -> Result<String, Refused> {
    Engine::of(file).tera().render(file, context).map_err(|error| {
        // Only an escape function fails with a source.
        Refused(error.source().expect("the tests render every template").to_string())
    })
}

fn context(file: &'static str, values: &impl Serialize) -> Context {
    #[cfg(test)]
    tests::record(file, values);
    Context::from_serialize(values).unwrap_or_else(|error| panic!("the values of {file} are no struct: {error}"))
}

#[cfg(test)]
mod tests;
