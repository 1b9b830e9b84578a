//! The templates under `templates/`, and the quoting of values for shells.
//!
//! Templates are text with placeholders. Choices, loops and encoding are done in Rust; a template may leave out an
//! optional block. To add a template: the file, and a constant of [`Template`].
//!
//! `build.rs` lets the engine render each template, with marks for its values and blocks. The program only copies the pieces
//! between the marks, and the values.

mod shell_word;

pub use shell_word::{Quoting, ShellWord};

/// A template.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// What has values, in the order in which the template needs them.
    names: &'static [&'static str],
    /// Whether each [`Fill::Text`] is quoted as a word.
    is_shell: bool,
    /// The size of all texts in bytes.
    length: usize,
    pieces: &'static [Piece],
}

/// A piece of a template.
#[derive(Clone, Copy, Debug)]
enum Piece {
    Text(&'static str),
    /// The value of a name.
    Value(u8),
    /// So many pieces follow that are written only if the name is, or only if it is not.
    Block {
        name: u8,
        is_else: bool,
        pieces: usize,
    },
}

/// The value of a name in a template.
#[derive(Clone, Copy)]
pub enum Fill<'v> {
    /// A text, quoted as a word in shell templates. Blocks that depend on it are written.
    Text(&'v str),
    /// A text that is written unchanged. If it is empty, blocks that depend on it are left out.
    Raw(&'v str),
    /// Whether blocks that depend on it are written.
    Block(bool),
}

macro_rules! templates {
    ($($(#[$doc:meta])* $constant:ident = $file:literal;)*) => {
        impl Template {
            $($(#[$doc])* pub const $constant: Self = include!(concat!(env!("OUT_DIR"), "/templates/", $file, ".rs"));)*

            /// Every template, and its file.
            #[cfg(test)]
            const ALL: &[(&str, Self)] = &[$(($file, Self::$constant)),*];
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

/// The most names of a template.
const MOST_NAMES: usize = 16;

impl Template {
    /// Renders the template with values for its names. It is fastest if they are in the order of the template.
    ///
    /// # Panics
    /// Panics if a name that the template uses has no value. The tests render every template.
    #[must_use]
    pub fn render(self, values: &[(&'static str, Fill<'_>)]) -> String {
        let mut fills = [Fill::Block(false); MOST_NAMES];
        let mut length = self.length;
        for (at, name) in self.names.iter().enumerate() {
            let is_name = |value: &&(&str, Fill<'_>)| value.0 == *name;
            let value = values.get(at).filter(is_name).or_else(|| values.iter().find(is_name));
            fills[at] = value.expect("every name of a template has a value").1;
            length += fills[at].text().len();
        }
        let mut text = String::with_capacity(length);
        let mut rest = self.pieces.iter();
        while let Some(piece) = rest.next() {
            match *piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Value(name) => match fills[usize::from(name)] {
                    Fill::Text(value) if self.is_shell => Quoting::Word.write(value, &mut text),
                    fill => text.push_str(fill.text()),
                },
                Piece::Block { name, is_else, pieces } => {
                    if fills[usize::from(name)].is_written() == is_else {
                        rest = rest.as_slice()[pieces..].iter();
                    }
                }
            }
        }
        text
    }
}

impl<'v> Fill<'v> {
    fn text(self) -> &'v str {
        match self {
            Self::Text(text) | Self::Raw(text) => text,
            Self::Block(_) => "",
        }
    }

    fn is_written(self) -> bool {
        match self {
            Self::Text(_) => true,
            Self::Raw(text) => !text.is_empty(),
            Self::Block(is_written) => is_written,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tera::{Context, Tera};

    use super::*;

    /// The engine renders the same as the pieces, for each combination of blocks.
    #[test]
    fn pieces_are_what_the_engine_renders() {
        let mut engine = Tera::new();
        let folder = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/templates")).expect("it is there");
        let sources = folder.map(|entry| {
            let path = entry.expect("it can be listed").path();
            let file = path.file_name().expect("it has a name").to_string_lossy().into_owned();
            (file, fs::read_to_string(path).expect("it is text"))
        });
        engine.add_raw_templates(sources).expect("they compile");
        for (file, template) in Template::ALL {
            assert!(template.names.len() <= MOST_NAMES, "{file} has more names");
            let is_block = |at: usize| {
                template
                    .pieces
                    .iter()
                    .any(|piece| matches!(piece, Piece::Block { name, .. } if usize::from(*name) == at))
            };
            let blocks: Vec<usize> = (0..template.names.len()).filter(|at| is_block(*at)).collect();
            for combination in 0..1_usize << blocks.len() {
                let mut context = Context::new();
                let mut values = Vec::new();
                for (at, name) in template.names.iter().enumerate() {
                    let block = blocks.iter().position(|block| *block == at);
                    let value = if block.is_some_and(|bit| combination >> bit & 1 == 0) { "" } else { name };
                    context.insert(*name, value);
                    values.push((*name, Fill::Raw(value)));
                }
                values.reverse();
                assert_eq!(template.render(&values), engine.render(file, &context).expect("it renders"), "{file}");
            }
        }
    }

    #[test]
    fn only_texts_of_shell_templates_are_quoted() {
        let pieces = &[Piece::Value(0), Piece::Text(" "), Piece::Value(1)];
        for (is_shell, expected) in [(true, "'a b' c d"), (false, "a b c d")] {
            let template = Template { names: &["text", "raw"], is_shell, length: 0, pieces };
            assert_eq!(template.render(&[("raw", Fill::Raw("c d")), ("text", Fill::Text("a b"))]), expected);
        }
    }

    #[test]
    #[should_panic(expected = "every name of a template has a value")]
    fn a_name_without_a_value_is_an_error() {
        let _ = Template::COREFILE.render(&[]);
    }
}
