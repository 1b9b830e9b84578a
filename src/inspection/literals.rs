//! Finds commands in the literals of Terraform and Bicep files, of PowerShell, Go and TypeScript, and of JSON in a text.

use std::ops::Range;

use memchr::memmem;

use crate::recognition::is_command;

/// Names after which a command stands, in lower case.
const NAMES: [&str; 2] = ["commandtoexecute", "command_to_execute"];

/// A command, the name before it, and its place in the text.
#[derive(Debug, PartialEq)]
pub(super) struct Command<'t> {
    pub(super) name: &'t str,
    pub(super) text: String,
    pub(super) place: Range<usize>,
    /// Whether it is in settings that everyone can read who can read the machine.
    pub(super) is_public: bool,
}

/// Reports whether a text that looks like a command is a document that contains one.
pub(super) fn is_document(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    NAMES.iter().any(|name| lower.contains(name)) || !commands(text).is_empty()
}

/// Returns the commands in a document of another kind, in the order of the text: what stands after the name that the extension gives
/// it, and the values of parameters and variables that are commands of a node.
pub(super) fn commands(text: &str) -> Vec<Command<'_>> {
    let lower = text.to_ascii_lowercase();
    let members = NAMES.iter().flat_map(|name| {
        memmem::find_iter(lower.as_bytes(), name).map(|at| (at..at + name.len(), true)).collect::<Vec<_>>()
    });
    let mut places: Vec<_> = members.chain(assignments(text).map(|place| (place, false))).collect();
    places.sort_by_key(|(place, _)| place.start);
    let mut found: Vec<Command<'_>> = Vec::new();
    let mut end = 0;
    for (place, is_member) in places {
        if place.start < end {
            continue;
        }
        // A variable of PowerShell, or a member of a table there. Bicep writes a member with a colon.
        let is_powershell = is_member || text[..place.start].ends_with('$');
        let value = &text[place.end..];
        // Other here-documents may have a member with the command.
        if !is_member && value.trim_start_matches([' ', '=']).starts_with('<') {
            continue;
        }
        let Some((command, length)) = assigned(value, is_powershell) else { continue };
        // A reference to a parameter or a variable is no command.
        let is_reference = command.starts_with('$') && !command.contains(char::is_whitespace);
        if !command.is_empty() && !is_reference && (is_member || is_command(&command)) {
            end = place.end + length;
            let is_public = is_member && is_in_public_settings(&text[..place.start]);
            found.push(Command { name: &text[place.clone()], text: command, place: place.end..end, is_public });
        }
    }
    found
}

/// Reports whether a text ends inside of settings that are not protected.
fn is_in_public_settings(before: &str) -> bool {
    /// The most bytes between the name of the settings and the command.
    const NEAR: usize = 200;
    let near = before[before.ceil_char_boundary(before.len().saturating_sub(NEAR))..].to_ascii_lowercase();
    let name = near.rfind("settings").map(|at| near[..at].trim_end_matches(['_', '-']));
    name.is_some_and(|before| !before.ends_with("protected"))
}

/// Returns the names of parameters and variables at the beginning of a line: `param command = `, `$cse = `. In a command itself no
/// blanks are beside the sign.
fn assignments(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || b"_.$ \t".contains(&byte);
    let mut at = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let begin = at;
        at += line.len();
        let before = &line[..line.find('=').filter(|sign| line[..*sign].ends_with(' '))?];
        let name = before.trim_end().rsplit([' ', '\t', '$']).next().filter(|name| !name.is_empty())?;
        let end = begin + before.trim_end().len();
        before.bytes().all(is_inside).then_some(end - name.len()..end)
    })
}

/// Returns the literal that is assigned to the name before a text, and where it ends: `" = sensitive("x")`, `": "x"`. A backslash in
/// single quotes has no meaning in PowerShell.
fn assigned(text: &str, is_powershell: bool) -> Option<(String, usize)> {
    let signs = text.trim_start_matches(['"', '\'']).trim_start_matches([' ', '\t']);
    let is_raw = is_powershell && signs.starts_with('=');
    let mut value = signs.strip_prefix(['=', ':'])?.trim_start_matches([' ', '\t']);
    // Functions around it.
    loop {
        let name = value.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        match value[name..].strip_prefix('(') {
            Some(argument) => value = argument.trim_start(),
            None => break,
        }
    }
    let (content, length) = literal(value, is_raw)?;
    Some((content, text.len() - value.len() + length))
}

/// Returns the content of the literal that a text begins with, and the length of the literal. Its end can be missing.
fn literal(text: &str, is_raw: bool) -> Option<(String, usize)> {
    if let Some(rest) = text.strip_prefix("'''") {
        let length = rest.find("'''").unwrap_or(rest.len());
        return Some((rest[..length].trim_start_matches(['\r', '\n']).to_owned(), text.len().min(length + 6)));
    }
    if let Some(rest) = text.strip_prefix("<<") {
        return here_document(rest).map(|(content, length)| (content, length + 2));
    }
    // Of Go and TypeScript.
    if let Some(rest) = text.strip_prefix('`') {
        let length = rest.find('`').unwrap_or(rest.len());
        return Some((rest[..length].to_owned(), text.len().min(length + 2)));
    }
    let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let mut content = String::new();
    let mut at = 1;
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at + next.len_utf8()..];
        if next == quote && !(quote == '\'' && rest.starts_with('\'')) {
            return Some((content, at + 1));
        }
        let is_plain = is_raw && quote == '\'' && next != quote;
        let (replaced, length) = if is_plain { (next, 0) } else { escape(quote, next, rest) };
        content.push(replaced);
        at += next.len_utf8() + length;
    }
    Some((content, text.len()))
}

/// Returns what a character of a literal stands for, and how many bytes of the rest belong to it.
fn escape(quote: char, character: char, rest: &str) -> (char, usize) {
    let next = rest.chars().next().unwrap_or_default();
    match (character, next) {
        // Of YAML and PowerShell.
        ('\'', '\'') if quote == '\'' => ('\'', 1),
        ('`', '"' | '`' | '$') if quote == '"' => (next, 1),
        // Of Terraform, where an expression would begin.
        ('$', '$') if rest.starts_with("${") => ('$', 1),
        ('%', '%') if rest.starts_with("%{") => ('%', 1),
        ('\\', '"' | '\'' | '\\' | '/' | '$') => (next, 1),
        ('\\', 'n') => ('\n', 1),
        ('\\', 'r') => ('\r', 1),
        ('\\', 't') => ('\t', 1),
        ('\\', 'u') => {
            // `\u0024` of JSON and Terraform, `\u{24}` of Bicep.
            let (digits, length) = match rest[1..].strip_prefix('{') {
                Some(inside) => {
                    let digits = inside.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
                    (&inside[..digits], digits + 3)
                }
                None => (rest.get(1..5).unwrap_or_default(), 5),
            };
            let found = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
            found.filter(|_| length <= rest.len()).map_or((character, 0), |found| (found, length))
        }
        _ => (character, 0),
    }
}

/// Returns the lines up to the one that has only the word in the first line, and their length with both: of Terraform.
fn here_document(text: &str) -> Option<(String, usize)> {
    /// Bytes of the longest first line.
    const LONGEST: usize = 80;
    let (word, rest) = text.split_at(text[..text.floor_char_boundary(LONGEST)].find('\n')?);
    let word = word.trim_start_matches('-').trim_end();
    if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return None;
    }
    let mut length = 1;
    for line in rest[1..].split_inclusive('\n') {
        if line.trim() == word {
            let content = rest[1..length].trim_end_matches(['\r', '\n']);
            return Some((content.to_owned(), text.len() - rest.len() + length + line.len()));
        }
        length += line.len();
    }
    Some((rest[1..].to_owned(), text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_in_literals_of_each_language() {
        const COMMAND: &str = "A=\"x\"; B='y'; echo ${A} \\n; /opt/azure/containers/provision_start.sh";
        let hcl = COMMAND.replace('\\', "\\\\").replace('"', "\\\"").replace("${", "$${");
        let bicep = COMMAND.replace('\\', "\\\\").replace('\'', "\\'").replace("${", "\\${");
        let json = COMMAND.replace('\\', "\\\\").replace('"', "\\\"");
        let quoted = COMMAND.replace('\'', "''");
        for (text, name) in [
            (format!("  settings = jsonencode({{ commandToExecute = \"{hcl}\" }})\n"), "commandToExecute"),
            (format!("command_to_execute = sensitive(\"{hcl}\")"), "command_to_execute"),
            (format!("command_to_execute = \"{}\"", hcl.replace("$${", "\\u0024{")), "command_to_execute"),
            (format!("settings = <<SETTINGS\n  {{\"commandToExecute\": \"{json}\"}}\nSETTINGS\n"), "commandToExecute"),
            (format!("  command_to_execute = <<-EOT\n{COMMAND}\n  EOT\n"), "command_to_execute"),
            (format!("protectedSettings: {{\n  commandToExecute: '{bicep}'\n}}"), "commandToExecute"),
            (format!("commandToExecute: '{}'", bicep.replace("\\$", "\\u{24}")), "commandToExecute"),
            (format!("commandToExecute: '''\n{COMMAND}'''"), "commandToExecute"),
            (format!("param command = '{bicep}'\n"), "command"),
            (format!("map[string]any{{\"commandToExecute\": `{COMMAND}`}}"), "commandToExecute"),
            (format!("$cse = '{quoted}'\r\n"), "cse"),
            (format!("@{{ commandToExecute = '{quoted}' }}"), "commandToExecute"),
        ] {
            let found = commands(&text);
            assert_eq!(
                found.iter().map(|found| (found.name, found.text.as_str())).collect::<Vec<_>>(),
                [(name, COMMAND)],
                "{text}"
            );
            assert!(text[found[0].place.clone()].ends_with(['\'', '"', '`', '\n', 'T', 'S']), "{text}");
        }
    }

    #[test]
    fn settings_that_are_not_protected_are_public() {
        for (text, is_public) in [
            ("settings = jsonencode({ commandToExecute = \"a b\" })", true),
            ("protected_settings = sensitive(jsonencode({ commandToExecute = \"a b\" }))", false),
            ("{\"protectedSettings\": {\"commandToExecute\": \"a b\"", false),
            ("settings: {\n  commandToExecute: 'a b'", true),
            ("commandToExecute: 'a b'", false),
            ("az vm extension set --settings '{\"commandToExecute\": \"a b\"}'", true),
            ("az vm extension set --protected-settings '{\"commandToExecute\": \"a b\"}'", false),
        ] {
            assert_eq!(commands(text)[0].is_public, is_public, "{text}");
        }
    }

    #[test]
    fn references_other_values_and_commands_themselves_are_none() {
        for text in [
            "commandToExecute: command\n",
            "commandToExecute = \"${local.command}\"\n",
            "commandToExecute = $cse\n",
            "commandToExecute = \"\"\n",
            "param location = 'westeurope'\n",
            "A='x' /bin/bash -c \"/bin/bash /opt/azure/containers/provision_start.sh\"\n",
            "PROVISION_OUTPUT=\"/var/log/azure/cluster-provision.log\"; B=\"c\"\n",
        ] {
            assert_eq!(commands(text), [], "{text}");
        }
        // Its end can be missing.
        assert_eq!(commands("commandToExecute = \"a b")[0].text, "a b");
        assert_eq!(commands("commandToExecute = \"a\\u00")[0].text, "a\\u00");
    }
}
