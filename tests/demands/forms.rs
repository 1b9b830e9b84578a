//! Each form of the table and the shell function of the same meaning accept the same values.

use std::fmt::Write;

use aks_node_controller::catalogue::demands::Form;
use aks_node_controller::environment::ShellWord;

use super::mutation::TEXTS;
use crate::shells::arbitrary;
use crate::support::needs;

/// Values at the limits of the forms.
const LIMITS: &[&str] = &[
    "v",
    "1",
    "1.",
    "1..2",
    "v1.2.3-alpha+b~c",
    "1.2_3",
    "999999999",
    "1234567890",
    "-1",
    "QQ==",
    "QQ=",
    "Q===",
    "QQ",
    "====",
    "=",
    "QQ==QQ==",
    "QU\nJD",
    "QUJD\n",
    "QUJD ",
    "QU\rJD",
    "{",
    " \t{}",
    "\u{b}{",
    "[1]",
    "e30=",
    "LS0t LS1C\nRUdJTg==",
    "LS0tLS1CRUdJTgA=",
    "LS0tLS1CRQBHSU4=",
    "a:",
    ":443",
    "a.io:443/x y",
    "/x",
    "a:b:c",
    "[Service] LimitNOFILE=1:2",
    "a]",
    "curl",
    " curl x",
    "curly",
    "x\ncurl",
    "\ncurl",
    "curl\nx",
    "a=b,c=d",
    "a=b,",
    ",a=b",
    "a,,b",
    "a=b=c",
    "a/b/c=d",
    "/a=b",
    "a/=b",
    "a.b-c/d_e=F.g",
    "-a/b=c",
    "a-/b=c",
    "a..b/c=d",
    "A.b/c=d",
    "a=-",
    "a= b",
    "a=b\n",
    "a=\n,b=c",
    "a=\n",
    ".",
    "_",
    "akscustom",
    "a/b",
];

#[test]
fn each_form_has_an_equal_in_the_scripts() {
    if !needs::programs(&[("bash", "bash")]) {
        return;
    }
    let long =
        ["a".repeat(63), "a".repeat(64), format!("{}=b", "a".repeat(64)), format!("{}/b=c", "a.".repeat(126) + "a")];
    let longer = format!("{}/b=c", "a.".repeat(126) + "aa");
    let mut source = arbitrary::Source::new();
    let hostile: Vec<_> = (0..2000).map(|_| source.text()).collect();
    let values: Vec<&str> = LIMITS
        .iter()
        .chain(TEXTS)
        .copied()
        .chain(long.iter().chain(&hostile).map(String::as_str))
        .chain([longer.as_str()])
        .filter(|value| !value.is_empty() && !value.contains('\0'))
        .collect();
    let mut calls = String::new();
    for form in Form::all().filter(|form| *form != Form::Given) {
        for value in &values {
            writeln!(calls, "{} {} && found+=1 || found+=0", form.function(), ShellWord::quote(value))
                .expect("text takes text");
        }
    }
    let found = super::output(&format!("found=\n{calls}printf '%s' \"$found\"\n"));
    let mut accepted = found.chars();
    for form in Form::all().filter(|form| *form != Form::Given) {
        let mut counts = [0, 0];
        for value in &values {
            let in_bash = accepted.next() == Some('1');
            assert_eq!(form.accepts(value), in_bash, "{form:?}: {value:?}");
            counts[usize::from(in_bash)] += 1;
        }
        assert!(counts.iter().all(|count| *count > 0), "{form:?}: accepts some values and rejects others: {counts:?}");
    }
    assert_eq!(accepted.next(), None);
}
