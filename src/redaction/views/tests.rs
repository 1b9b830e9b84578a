use super::*;

#[test]
fn each_escape_is_undone_and_its_place_is_kept() {
    for (escapes, text, expected) in [
        (Escapes::Backslash, r#"a\"b\\c\/d"#, r#"a"b\c/d"#),
        (Escapes::Backslash, r"\u0041\u00e4\ud83d\ude00\ud83d", "Aä😀\\ud83d"),
        (Escapes::Backslash, r"\x2d\055\n\q\xg", "--\n\\q\\xg"),
        (Escapes::Percent, "%41%2f%zz%", "A/%zz%"),
        (Escapes::Entity, "&amp;&#39;&#x27;&lt;&nope;&#39", "&''<&nope;'"),
        (Escapes::All, r"%5C\u0026amp;&quot;", "\\&amp;\""),
        (Escapes::Color, "a \x1b[32mtoken\x1b[0m#033[1;2m: ^[[K#1^[x", "a token: #1^[x"),
        (Escapes::Color, "a#012b#011c#0123", "a\nb\tc\n3"),
        (Escapes::Backtick, "`u{5a}eb`-a`\"`n` x `\n-a `code`", "Zeb-a\"\n x -a `code`"),
    ] {
        let view = unescaped(text.as_bytes(), escapes).expect(text);
        assert_eq!(String::from_utf8_lossy(&view.text), expected);
        assert_eq!(view.original(&(0..view.text.len())), 0..text.len(), "{text}");
    }
    assert!(unescaped(b"plain", Escapes::All).is_none());
    let padded = format!("CERTIFICATE={}=\nTIMEOUT=2026\n", "QUJD".repeat(20));
    assert!(unescaped(padded.as_bytes(), Escapes::Quoted).is_none(), "no line of a mail is that long");
    assert!(unescaped(b"a=3Db", Escapes::Quoted).is_some());
    let view = unescaped(br#"ab\"cd\"ef"#, Escapes::Backslash).expect("it has escapes");
    assert_eq!((view.original(&(2..5)), view.original(&(3..5))), (2..6, 4..6));
}

#[test]
fn what_was_escaped_several_times_is_reached() {
    let mut text = "it's \"x\"".to_owned();
    for _ in 0..4 {
        text = serde_json::to_string(&text).expect("it is a text");
    }
    let mut found = false;
    each(text.as_bytes(), |view, original| {
        if let Some(at) = memchr::memmem::find(view, b"it's \"x\"") {
            let range = original(&(at..at + 8));
            found = text[range].starts_with("it's ");
        }
    });
    assert!(found);
}
