use super::{plain, without_prefixes};

#[test]
fn escapes_of_any_depth_colours_html_quotes_and_breaks_are_undone() {
    for text in [
        "a \"b\" c",
        "a \\\"b\\\" c",
        "a \\\\\\\"b\\\\\\\" c",
        "a &quot;b&quot;\r\n   c",
        "> a \"b\"\n> c",
        "\u{1b}[0;31ma\u{1b}[0m \"b\" c",
        "#033[31ma \u{201c}b\u{201d}\\n c",
        "[1;31ma[0m \"b\" c",
        "\\u001b[31ma \\u0022b\\u0022\\tc",
    ] {
        assert_eq!(plain(text).text.trim_start_matches("> "), "a \"b\" c", "{text:?}");
    }
}

#[test]
fn what_precedes_each_line_in_a_log_is_removed() {
    let lines = ["Traceback:", "  File", "Error"];
    for prefix in ["Nov 22 05:54:1N host bash[812]: ", "2026-11-22T05:54:15.12345N+00:00 host python3[812]: "] {
        let text: String =
            (0..).zip(lines).map(|(at, line)| prefix.replace('N', &at.to_string()) + line + "\r\n").collect();
        assert_eq!(without_prefixes(&text), Some(lines.join("\n") + "\n"), "{text}");
    }
    for text in ["a b\na c", "2026 a", "2026-11-22 a\nb", ""] {
        assert_eq!(without_prefixes(text), None, "{text}");
    }
}

#[test]
fn entries_are_kept_apart_in_any_colours() {
    for (before, after) in
        [("", ""), ("\u{1b}[0;31m", "\u{1b}[0m\r"), ("> #033[31m", "#033[0m"), ("[0;31m", "[0m"), ("\\u001b[1m", "")]
    {
        let text = format!("{before}Jan 14 a{after}\n{before}Jan 14 b{after}\n{before}[c]{after}");
        assert_eq!(plain(&text).text.trim_start_matches("> "), "Jan 14 a\nJan 14 b [c]", "{text:?}");
    }
}

/// journalctl indents the other lines of an entry, and a quote has its mark before each line.
#[test]
fn lines_behind_a_journal_belong_to_its_last_entry_only_if_they_are_indented() {
    let entry = "2026-11-28T10:12:34+0000 h kubelet[1]: a\n";
    for (before, indent, apart) in
        [("", "", true), ("> ", "", true), ("", "          ", false), ("> ", "          ", false)]
    {
        let text = format!("{before}{entry}").repeat(4) + before + indent + "panic: b\n";
        let end = if apart { "a\npanic: b" } else { "a panic: b" };
        assert!(plain(&text).text.trim_end().ends_with(end), "{text}");
    }
}

#[test]
fn entries_are_kept_apart() {
    let text = "E0114 12:09:58.9 a\nb\nJan 14 c\n2026-01-14T00:00:00Z d\\n{\"e\": 1}";
    assert_eq!(plain(text).text, "E0114 12:09:58.9 a b\nJan 14 c\n2026-01-14T00:00:00Z d\n{\"e\": 1}");
}

#[test]
fn a_code_alone_is_shown_with_its_message() {
    for text in [
        "ERROR CODE: Bad\n---\n{\n  \"code\": \"Bad\",\n  \"message\": \"It is.\"",
        "\"code\": \"Bad\",\n\"message\": \"It is.\"",
    ] {
        let plain = plain(text);
        let start = plain.text.find("Bad").expect("it is there");
        assert_eq!(plain.telling_line(start, start + 3, 300), "\"message\": \"It is.\"", "{text}");
    }
    let plain = plain("Code: Bad\nThe end");
    assert_eq!(plain.telling_line(6, 9, 300), "Code: Bad");
}

#[test]
fn lines_of_configuration_files_are_known() {
    let files = |text: &str| -> String {
        plain(text).files().into_iter().map(|file| plain(text).text[file].to_owned()).collect()
    };
    let unit = "[Unit]\nAfter=a.service\n\n[Service]\n# b\nExecStart=/c fails\n";
    let mixed = format!("It fails:\n{unit}and so on");
    assert_eq!(files(&mixed), "[Unit] After=a.service\n[Service] # b ExecStart=/c fails ");
    assert_eq!(files("{\"a\": \"[Unit]\\nAfter=a\"}"), "{\"a\": \"[Unit] After=a\"}");
    assert_eq!(
        files("Of:\n.:53 {\n errors\n health {\n a 5s\n }\n ready\n}\nand"),
        ".:53 { errors health { a 5s } ready } "
    );
    for text in ["the node {\n fails", "\"error\": {\n\"a\": 1\n}", "{\n\"a\": 1\n}", "[stderr]\nA=b", "A=b", "[Unit]"]
    {
        assert!(matches!(files(text).as_str(), "" | "[Unit]"), "{text}");
    }
}

#[test]
fn the_line_of_a_range_is_that_of_the_original() {
    let plain = plain("one\ntwo three\nfour");
    let start = plain.text.find("three").expect("it is there");
    assert_eq!(plain.line(start, start + 5, 300), "two three");
    assert_eq!(plain.original(start, start + 5), 4..14);
    assert_eq!(plain.line(start, start + 5, 5), "three");
}
