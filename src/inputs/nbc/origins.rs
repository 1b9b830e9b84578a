//! The origin of each value of the Configuration, so that a finding names the path that the user wrote.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::document::{DocPath, Finding, Spellings, Step};

/// The origin of one value of the Configuration. Fields are named by their paths, in the names of their types.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// A field that is copied, so everything below it has the same names.
    Field(&'static str),
    /// A field whose text is encoded in base64.
    Encoded(&'static str),
    /// The text at a key of a field.
    Entry(&'static str, Cow<'static, str>),
    /// An element of a list.
    Place(DocPath),
    /// The value is computed from all of these fields, or is the same for all documents with these fields.
    Computed(Vec<Origin>),
}

impl Origin {
    /// Returns the origin of a value that is computed from several fields, given as path and whether the document has
    /// it. Fields that it has come first.
    pub fn computed<const COUNT: usize>(fields: [(&'static str, bool); COUNT]) -> Self {
        let (present, absent): (Vec<_>, Vec<_>) = fields.into_iter().partition(|(_, is_present)| *is_present);
        Self::Computed(present.into_iter().chain(absent).map(|(path, _)| Self::Field(path)).collect())
    }
}

/// The origins of a converted document's values.
#[derive(Clone, Debug)]
pub(super) struct Origins {
    /// Path in the Configuration, as findings print it, with the origin. Of entries with the same path, the last one
    /// counts.
    by_target: Vec<(Cow<'static, str>, Origin)>,
}

impl Default for Origins {
    fn default() -> Self {
        // A document has about 200 of them.
        Self { by_target: Vec::with_capacity(256) }
    }
}

impl Origins {
    /// Records the origin of the value at a path of the Configuration.
    pub fn add(&mut self, target: impl Into<Cow<'static, str>>, origin: Origin) {
        self.by_target.push((target.into(), origin));
    }

    /// Rewrites the paths of findings on the Configuration; see [`Nbc::translate`](super::Nbc::translate).
    pub fn translate_all(&self, findings: Vec<Finding>, spellings: &Spellings) -> Vec<Finding> {
        let by_target = self.by_target.iter().map(|(target, origin)| (&**target, origin)).collect();
        let mut translated: Vec<Finding> = Vec::with_capacity(findings.len());
        let mut by_text: HashMap<String, Vec<usize>> = HashMap::new();
        for mut finding in findings {
            self.translate(&by_target, &mut finding, spellings);
            let known = by_text.entry(finding.to_string()).or_default();
            let same = known.iter().copied().find(|number| {
                let other = &translated[*number];
                other.path == finding.path && other.problem == finding.problem
            });
            if let Some(number) = same {
                translated[number].severity = translated[number].severity.min(finding.severity);
            } else {
                known.push(translated.len());
                translated.push(finding);
            }
        }
        translated
    }

    /// Rewrites the path of a finding on the Configuration to the path in the document that the value comes from.
    fn translate(&self, by_target: &HashMap<&str, &Origin>, finding: &mut Finding, spellings: &Spellings) {
        if finding.path.0.is_empty() {
            return;
        }
        let steps = std::mem::take(&mut finding.path.0);
        for length in (1..=steps.len()).rev() {
            let target = DocPath(steps[..length].to_vec()).to_string();
            let Some(origin) = by_target.get(&*target) else { continue };
            finding.path = origin.path();
            match origin {
                Origin::Field(_) | Origin::Place(_) => {
                    finding.path.0.extend(steps[length..].iter().map(as_in_document));
                }
                Origin::Encoded(_) => {
                    add_hint(finding, "write the text itself; the conversion encodes it in base64".to_owned());
                }
                Origin::Entry(..) => {}
                Origin::Computed(origins) => add_hint(finding, computed(&target, origins, spellings)),
            }
            finding.path = spellings.apply(&finding.path);
            return;
        }
        let target = DocPath(steps).to_string();
        finding.path = spellings.apply(&self.nearest_object(&target));
        add_hint(finding, format!("this applies to `{target}` of the equivalent Configuration"));
    }

    /// Returns the path of the innermost object that contains all sources of the values below a path.
    fn nearest_object(&self, target: &str) -> DocPath {
        let is_below = |known: &str| known.strip_prefix(target).is_some_and(|rest| rest.starts_with(['.', '[']));
        let paths = self.by_target.iter().filter(|(known, _)| is_below(known)).map(|(_, origin)| origin.path());
        let common = paths.reduce(|common, path| {
            let equal = common.0.iter().zip(&path.0).take_while(|(a, b)| a == b).count();
            DocPath(common.0[..equal].to_vec())
        });
        common.unwrap_or_default()
    }
}

impl Origin {
    /// Returns the path of the value, or of the first value from which it is computed.
    fn path(&self) -> DocPath {
        match self {
            Self::Field(path) | Self::Encoded(path) => DocPath::fields(path),
            Self::Entry(path, key) => DocPath::fields(path).join(Step::Key(key.clone().into_owned())),
            Self::Place(path) => path.clone(),
            Self::Computed(origins) => origins.first().map(Self::path).unwrap_or_default(),
        }
    }
}

/// Returns a step below a copied value, with the document's name of a field.
fn as_in_document(step: &Step) -> Step {
    match step {
        Step::Field { json_name, .. } => Step::Field { name: json_name, json_name },
        step => step.clone(),
    }
}

fn computed(target: &str, origins: &[Origin], spellings: &Spellings) -> String {
    let names: Vec<_> = origins.iter().map(|origin| format!("`{}`", spellings.apply(&origin.path()))).collect();
    let names = match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    };
    format!("`{target}` of the equivalent Configuration is computed from {names}")
}

fn add_hint(finding: &mut Finding, text: String) {
    finding.hint = Some(match finding.hint.take() {
        Some(hint) => format!("{hint}; {text}").into(),
        None => text.into(),
    });
}
