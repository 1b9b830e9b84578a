//! The quoting of values, one function for each syntax of the templates. The quoting for shells is in `shell_word`.
//!
//! A value that its syntax cannot represent is rejected. The error does not contain the value, which can be a secret.

use std::io::{self, Write};

use super::ShellWord;

/// Writes a word of a shell command.
pub fn shell(value: &str, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(ShellWord::quote(value).as_str().as_bytes())
}

/// Writes a JSON string.
pub fn json(value: &str, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(out, value).map_err(io::Error::from)
}

/// Writes a TOML basic string. Rejects a value that is already quoted or has a carriage return, because the document
/// must be wrong.
pub fn toml(value: &str, out: &mut dyn Write) -> io::Result<()> {
    if value.len() > 1 && value.starts_with('"') && value.ends_with('"') {
        return Err(io::Error::other("a text in quotation marks"));
    }
    if value.contains('\r') {
        return Err(with_character('\r'));
    }
    // Of the characters that a JSON string may have, TOML forbids one.
    out.write_all(serde_json::to_string(value)?.replace('\u{7f}', "\\u007f").as_bytes())
}

/// Writes a YAML scalar: plain if it is a path, which every reader reads as a string, otherwise in double quotes.
pub fn yaml(value: &str, out: &mut dyn Write) -> io::Result<()> {
    let is_plain = value.starts_with('/')
        && value.chars().all(|character| character.is_ascii_alphanumeric() || "/._@-".contains(character));
    if is_plain {
        return out.write_all(value.as_bytes());
    }
    // YAML forbids or folds some characters that a JSON string may have.
    for character in serde_json::to_string(value)?.chars() {
        match character {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => write!(out, "\\u{:04x}", character as u32)?,
            _ => write!(out, "{character}")?,
        }
    }
    Ok(())
}

/// Writes a word of a Corefile. Braces are blocks and variables, parentheses snippets, a comma begins another zone.
/// <https://github.com/coredns/caddy/blob/master/caddyfile/parse.go>
pub fn corefile(value: &str, out: &mut dyn Write) -> io::Result<()> {
    without(value, out, |character| {
        character.is_control()
            || character.is_whitespace()
            || matches!(character, '"' | '#' | '{' | '}' | '(' | ')' | ',')
    })
}

/// Writes the rest of a line, whose blanks at both ends no reader keeps.
pub fn line(value: &str, out: &mut dyn Write) -> io::Result<()> {
    if value.trim() != value {
        return Err(io::Error::other("a text with blanks at its ends"));
    }
    without(value, out, |character| character.is_control() && character != '\t')
}

/// Writes a word of a systemd unit.
pub fn word(value: &str, out: &mut dyn Write) -> io::Result<()> {
    without(value, out, |character| character.is_control() || character.is_whitespace() || character == '\\')
}

/// Writes a value between double quotes of a shell command. A `$` or `\` can change the value, but runs nothing.
pub fn double_quoted(value: &str, out: &mut dyn Write) -> io::Result<()> {
    if value.contains("$(") || value.contains("${") {
        return Err(io::Error::other("a text with `$(` or `${`"));
    }
    if value.ends_with('\\') {
        return Err(io::Error::other("a text with a backslash at its end"));
    }
    without(value, out, |character| character.is_control() || matches!(character, '"' | '`'))
}

/// Writes a string of Bicep.
/// <https://learn.microsoft.com/azure/azure-resource-manager/bicep/data-types#strings>
pub fn bicep(value: &str, out: &mut dyn Write) -> io::Result<()> {
    let escaped = value.chars().map(|character| match character {
        '\\' | '\'' | '$' => format!("\\{character}"),
        _ if character.is_control() => format!("\\u{{{:x}}}", character as u32),
        _ => character.to_string(),
    });
    write!(out, "'{}'", escaped.collect::<String>())
}

/// Writes a string of Terraform's language. The beginning of a template is written as an escape.
/// <https://developer.hashicorp.com/terraform/language/expressions/strings>
pub fn hcl(value: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut characters = value.chars().peekable();
    out.write_all(b"\"")?;
    while let Some(character) = characters.next() {
        let begins_template = "$%".contains(character) && characters.peek() == Some(&'{');
        match character {
            '"' | '\\' => write!(out, "\\{character}")?,
            _ if begins_template || character.is_control() => write!(out, "\\u{:04x}", character as u32)?,
            _ => write!(out, "{character}")?,
        }
    }
    out.write_all(b"\"")
}

/// Writes a value in the headers of a MIME document.
pub fn mime(value: &str, out: &mut dyn Write) -> io::Result<()> {
    without(value, out, |character| !character.is_ascii_graphic() || character == '"')
}

/// Writes a value unless it contains a character that `is_refused`.
fn without(value: &str, out: &mut dyn Write, is_refused: impl Fn(char) -> bool) -> io::Result<()> {
    match value.chars().find(|character| is_refused(*character)) {
        None => out.write_all(value.as_bytes()),
        Some(character) => Err(with_character(character)),
    }
}

fn with_character(character: char) -> io::Error {
    io::Error::other(format!("a text with U+{:04X}", character as u32))
}

/// Writes a value unchanged.
pub fn unquoted(value: &str, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(value.as_bytes())
}

/// Writes a value unchanged between quotation marks.
pub fn in_quotation_marks(value: &str, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "\"{value}\"")
}
