//! The templates under `templates/`, and the quoting of values for shells.
//!
//! Templates are text with placeholders. Choices, loops and encoding are done in Rust; a template may leave out an
//! optional block. To add a template: the file, and a constant of [`Template`].
//!
//! The engine renders each combination of blocks once, with marks for the texts, when it is first needed. After that,
//! rendering is copying: the pieces between the marks, and the texts.

mod shell_word;

pub use shell_word::{Quoting, ShellWord};

use std::sync::OnceLock;

use tera::{Context, Tera, Value};

/// A template.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    name: &'static str,
    text: &'static str,
    compiled: fn() -> &'static OnceLock<Compiled>,
}

/// The value of a name in a template.
#[derive(Clone, Copy)]
pub enum Fill<'v> {
    /// A text, quoted as a word in shell templates.
    Text(&'v str),
    /// A text that is written unchanged.
    Raw(&'v str),
    /// As [`Fill::Raw`]. If it is empty, blocks that depend on it are left out.
    Optional(&'v str),
    /// Whether blocks that depend on it are written.
    Block(bool),
}

macro_rules! templates {
    ($($(#[$doc:meta])* $constant:ident = $file:literal;)*) => {
        impl Template {
            $($(#[$doc])* pub const $constant: Self = Self {
                name: $file,
                text: include_str!(concat!("../../templates/", $file)),
                compiled: || {
                    static COMPILED: OnceLock<Compiled> = OnceLock::new();
                    &COMPILED
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
    /// What comes before the body of each of its parts.
    CUSTOM_DATA_PART = "custom_data_part.mime.tera";
    /// The cloud-config that goes with the boothook.
    CLOUD_CONFIG = "cloud_config.yaml.tera";
    /// The older form of the same as one cloud-config.
    WRITE_FILES = "write_files.yaml.tera";
    /// The scripted route's cloud-config with the node's files.
    CLOUD_CONFIG_FILES = "cloud_config_files.yaml.tera";
    /// One of the files.
    CLOUD_CONFIG_FILE = "cloud_config_file.yaml.tera";
    /// The scripted route's CSE command.
    SCRIPTED_CSE = "scripted_cse.sh.tera";
    /// The Ignition document for images without cloud-init.
    IGNITION = "ignition.json.tera";
}

/// The ending of names of shell templates, in which each [`Fill::Text`] is quoted.
const SHELL: &str = ".sh.tera";

/// A template in the engine, and what the engine has made of it.
struct Compiled {
    engine: Tera,
    names: Vec<&'static str>,
    /// One for each combination of blocks. None contains a value.
    outlines: Vec<OnceLock<Outline>>,
}

/// A template with its blocks chosen, and marks for the values.
struct Outline {
    text: String,
    /// Where each mark is, and which of the values belongs there.
    marks: Vec<(usize, usize)>,
}

impl Outline {
    /// Private characters, which no template contains.
    const FIRST_MARK: u32 = 0xf_0000;
    /// The bytes of a mark.
    const MARK: usize = 4;
    /// The first of these bytes.
    const MARK_START: u8 = 0xf3;

    fn new(template: &str, engine: &Tera, values: &[(&'static str, Fill<'_>)]) -> Self {
        let mut context = Context::new();
        for (place, (name, fill)) in (Self::FIRST_MARK..).zip(values) {
            let value: Value = match fill {
                Fill::Block(is_written) => (*is_written).into(),
                Fill::Optional("") => "".into(),
                _ => char::from_u32(place).expect("there are fewer values than private characters").into(),
            };
            context.insert_value(*name, value);
        }
        let mut text = Vec::new();
        engine.render_to(template, &context, &mut text).expect("every name in a template has a value");
        let text = String::from_utf8(text).expect("templates are UTF-8");
        let place = |mark: char| Some(u32::from(mark).checked_sub(Self::FIRST_MARK)? as usize);
        let starts = text.bytes().enumerate().filter(|(_, byte)| *byte >= Self::MARK_START);
        let marks = starts.filter_map(|(at, _)| Some((at, text[at..].chars().next().and_then(place)?))).collect();
        Self { text, marks }
    }
}

impl Template {
    fn compile(self, names: Vec<&'static str>, blocks: usize) -> Compiled {
        let mut engine = Tera::new();
        let includes = self.text.contains("{% include");
        let used = Self::ALL.iter().filter(|other| includes && self.text.contains(other.name)).chain([&self]);
        let added = engine.add_raw_templates(used.map(|template| (template.name, template.text)));
        added.expect("the tests compile every template");
        Compiled { engine, names, outlines: (0..1 << blocks).map(|_| OnceLock::new()).collect() }
    }

    /// Renders the template with values for its names. All calls for one template have the same names in the same order.
    ///
    /// # Panics
    /// Panics if a name that the template uses has no value. The tests render every template.
    #[must_use]
    pub fn render(self, values: &[(&'static str, Fill<'_>)]) -> String {
        let (mut blocks, mut combination) = (0, 0);
        for (_, fill) in values {
            let is_written = match fill {
                Fill::Block(is_written) => *is_written,
                Fill::Optional(text) => !text.is_empty(),
                Fill::Text(_) | Fill::Raw(_) => continue,
            };
            blocks += 1;
            combination = combination * 2 + usize::from(is_written);
        }
        let names = || values.iter().map(|(name, _)| *name);
        let compiled = (self.compiled)().get_or_init(|| self.compile(names().collect(), blocks));
        debug_assert!(names().eq(compiled.names.iter().copied()), "{}: other names than before", self.name);
        let outline = compiled.outlines[combination].get_or_init(|| Outline::new(self.name, &compiled.engine, values));
        let length: usize = outline.marks.iter().map(|(_, place)| values[*place].1.text().len()).sum();
        let mut text = String::with_capacity(outline.text.len() + length);
        let mut copied = 0;
        for (at, place) in &outline.marks {
            text.push_str(&outline.text[copied..*at]);
            match values[*place].1 {
                Fill::Text(value) if self.name.ends_with(SHELL) => Quoting::Word.write(value, &mut text),
                fill => text.push_str(fill.text()),
            }
            copied = at + Outline::MARK;
        }
        text.push_str(&outline.text[copied..]);
        text
    }
}

impl<'v> Fill<'v> {
    fn text(self) -> &'v str {
        match self {
            Self::Text(text) | Self::Raw(text) | Self::Optional(text) => text,
            Self::Block(_) => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_a_value_is_an_error() {
        for template in Template::ALL {
            let engine = template.compile(Vec::new(), 0).engine;
            let asks = !engine.get_template_variables(template.name).expect("it is there").is_empty();
            assert_eq!(engine.render(template.name, &Context::new()).is_err(), asks, "{}", template.name);
        }
    }

    #[test]
    fn only_texts_of_shell_templates_are_quoted() {
        let text = "{{ text }} {{ raw }}{% if block %} {{ optional }}{% endif %}";
        let shell = Template {
            name: "a.sh.tera",
            text,
            compiled: || {
                static COMPILED: OnceLock<Compiled> = OnceLock::new();
                &COMPILED
            },
        };
        let other = Template {
            name: "a.toml.tera",
            compiled: || {
                static COMPILED: OnceLock<Compiled> = OnceLock::new();
                &COMPILED
            },
            ..shell
        };
        for (template, quoted) in [(shell, "'a b'"), (other, "a b")] {
            for (block, optional, rest) in [(false, "", ""), (true, "", " "), (false, "x", ""), (true, "x", " x")] {
                let values = [
                    ("text", Fill::Text("a b")),
                    ("raw", Fill::Raw("c d")),
                    ("block", Fill::Block(block)),
                    ("optional", Fill::Optional(optional)),
                ];
                assert_eq!(template.render(&values), format!("{quoted} c d{rest}"));
            }
        }
    }
}
