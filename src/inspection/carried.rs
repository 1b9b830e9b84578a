//! Finds CustomData and commands in documents of other kinds: YAML of `az`, the XML document of the guest agent, Terraform and Bicep
//! files, notes.

use super::encoded::{SHORTEST, is_data};
use super::found::Kind;
use super::literals::{Command, commands};
use super::models::{carries, kind_of};
use super::walk::{At, Place, Walk};
use crate::document::Source;

/// The longest name of what contains base64, and the most signs between the two.
const LONGEST_NAME: usize = 40;
const MOST_SIGNS: usize = 16;

/// How lines end, also in JSON.
const LINE_BREAKS: [&str; 4] = ["\n", "\r\n", "\\n", "\\r\\n"];

impl Walk<'_> {
    /// Visits CustomData and commands in a document of another kind. Reports whether it has some.
    pub(super) fn carried(&mut self, text: &str, at: At) -> bool {
        let value = Source::new(text.as_bytes()).ok().and_then(|source| Some(source.tree().ok()?.json()));
        if let Some(value) = value
            && let Some(kind) = kind_of(&value).or_else(|| carries(&value).then_some(Kind::Text))
        {
            self.model(kind, &value, at);
            return true;
        }
        let mut commands = commands(text).into_iter().peekable();
        let mut data = data(text).peekable();
        let has_some = commands.peek().is_some() || data.peek().is_some();
        if has_some {
            self.layer(Kind::Text, at);
        }
        for Data { name, packed, place } in data {
            while let Some(command) = commands.next_if(|command| command.place.end <= place) {
                self.carried_command(&command, at);
            }
            if commands.peek().is_some_and(|command| command.place.contains(&place)) {
                continue;
            }
            match name {
                Some(name) => self.data(name, &packed, at),
                None => self.visit(packed.as_bytes(), At { place: Place::Alone, ..at.inside() }),
            }
        }
        for command in commands {
            self.carried_command(&command, at);
        }
        has_some
    }

    /// Reports whether a text creates a machine with CustomData: a script with commands of `az`.
    pub(super) fn creates_machine(text: &str) -> bool {
        let is_custom_data = |name: &str| {
            let letters = name.bytes().filter(u8::is_ascii_alphabetic).map(|byte| byte.to_ascii_lowercase());
            letters.eq("customdata".bytes())
        };
        data(text).any(|found| found.name.is_some_and(is_custom_data))
    }

    fn carried_command(&mut self, command: &Command<'_>, at: At) {
        let outer = std::mem::replace(&mut self.is_public, command.is_public);
        self.command(&command.text, At { size: command.text.len(), ..at.member(command.name, Place::Alone) });
        self.is_public = outer;
        if command.is_public {
            self.warn_public_settings();
        }
    }
}

/// Base64 that contains something for cloud-init or Ignition, the name before it, and its place in the text.
struct Data<'t> {
    name: Option<&'t str>,
    packed: String,
    place: usize,
}

/// Returns the base64 in a text that contains something for cloud-init or Ignition.
fn data(text: &str) -> impl Iterator<Item = Data<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at += text[at..].bytes().position(is_base64)?;
            // In JSON, the letter of an escaped line break is no part of it.
            let is_escape = text[..at].ends_with('\\') && text[at..].starts_with(['n', 'r', 't']);
            at += usize::from(is_escape);
            let start = at;
            let (packed, end) = run(text, start);
            at = end;
            if is_data(&packed) {
                return Some(Data { name: name_before(text, start), packed, place: start });
            }
        }
    })
}

const fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

/// Returns the base64 that begins at a place, and its end. A line that is as long as the first one can continue in the next line.
fn run(text: &str, start: usize) -> (String, usize) {
    let length = |from: usize| text[from..].bytes().take_while(|byte| is_base64(*byte)).count();
    let first = length(start);
    let mut packed = text[start..start + first].to_owned();
    let mut end = start + first;
    let mut last = first;
    while first >= SHORTEST && last == first {
        let rest = &text[end..];
        let Some(line) = LINE_BREAKS.iter().find_map(|line_break| rest.strip_prefix(line_break)) else { break };
        let next = text.len() - line.trim_start_matches([' ', '\t', '>']).len();
        last = length(next);
        if last == 0 || last > first {
            break;
        }
        packed.push_str(&text[next..next + last]);
        end = next + last;
    }
    let padding = text[end..].bytes().take(2).take_while(|byte| *byte == b'=').count();
    packed.push_str(&text[end..end + padding]);
    (packed, end + padding)
}

/// Returns the name of what contains the text at a place: `customData: '`, `<ns1:CustomData>`, `custom_data = sensitive("`.
fn name_before(text: &str, at: usize) -> Option<&str> {
    /// Functions around it.
    const MOST_CALLS: usize = 3;
    let is_inside = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    let mut end = at;
    for _ in 0..=MOST_CALLS {
        let signs =
            text[..end].bytes().rev().take(MOST_SIGNS).take_while(|byte| b" \t\\\"'`=:>(".contains(byte)).count();
        end -= signs;
        let length = text.as_bytes()[..end].iter().rev().take(LONGEST_NAME).take_while(is_inside).count();
        let name = text.get(end - length..end)?.trim_start_matches('-');
        if signs == 0 || name.is_empty() {
            return None;
        }
        if !text[end..].starts_with('(') {
            return Some(name);
        }
        end -= length;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_found_with_its_name_in_one_line_or_several() {
        let script = "IyEvYmluL2Jhc2gK".repeat(12);
        let names =
            |text: &str| data(text).map(|found| (found.name.map(str::to_owned), found.packed)).collect::<Vec<_>>();
        for (text, name) in [
            (format!("<ns1:CustomData>{script}</ns1:CustomData>"), Some("CustomData")),
            (format!("  custom_data = \"{script}\"\n"), Some("custom_data")),
            (format!("customData: '{script}'"), Some("customData")),
            (format!("  custom_data = sensitive(\"{script}\")\n"), Some("custom_data")),
            (format!("see ({script})"), Some("see")),
            (format!("{{\\\"customData\\\":\\\"{script}\\\"}}"), Some("customData")),
            (format!("az vmss create --custom-data {script} --image x"), Some("custom-data")),
            (format!("see\n{script}\n"), None),
        ] {
            assert_eq!(names(&text), [(name.map(str::to_owned), script.clone())], "{text}");
        }
        let (first, second) = script.split_at(76);
        let (second, third) = second.split_at(76);
        assert_eq!(names(&format!("> {first}\n> {second}\n> {third}\n> and more text")), [(None, script.clone())]);
        assert_eq!(names(&format!("{first}\r\n{second}\r\n{third}\r\n")), [(None, script.clone())]);
        // As `az vm run-command invoke` shows what a command printed.
        let shown = format!("{{\"message\": \"[stdout]\\n{first}\\n{second}\\n{third}\\n\\n[stderr]\\n\"}}");
        assert_eq!(names(&shown), [(None, script.clone())]);
        // Words, paths and digests are none.
        assert_eq!(names(&format!("/{} sha256:{}", "opt/azure/containers/".repeat(9), "ab12".repeat(16))), []);
    }
}
