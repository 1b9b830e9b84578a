//! The helpers of `provision_source.sh` as a node gets it, each by itself in bash, with stand-ins for what they call.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::sync::OnceLock;

use aks_node_controller::catalogue::node_distros::Family;
use aks_node_controller::catalogue::operating_systems::operating_system;

use crate::support::{Scratch, baked, needs, shipped};

/// The helpers.
fn helpers() -> &'static str {
    static HELPERS: OnceLock<String> = OnceLock::new();
    HELPERS.get_or_init(|| shipped("provision_source.sh"))
}

/// The output of a script that has the helpers. `$S` is a scratch directory, instead of the node's directories; `stand_in`
/// replaces a program.
fn output(script: &str) -> String {
    let scratch = Scratch::new("helpers");
    let directory = scratch.display().to_string();
    let helpers = helpers()
        .replace("/var/log/azure", &format!("{directory}/log"))
        .replace("/opt/azure", &format!("{directory}/azure"))
        .replace("/etc/aks-node-controller", &format!("{directory}/etc"))
        .replace("/etc/os-release", &format!("{directory}/os-release"));
    fs::write(scratch.join("helpers"), helpers).expect("written");
    let frame = format!(
        "set -uo pipefail; S={directory}; PATH=$S/bin:$PATH; LC_ALL=C; mkdir -p $S/bin $S/log $S/azure/containers; . $S/helpers\n\
         stand_in() {{ printf '#!/bin/bash\\necho \"$0 $*\" >>%s/calls\\n%s\\n' \"$S\" \"${{2:-}}\" >$S/bin/$1; chmod 0755 $S/bin/$1; }}\n\
         stand_in sleep; OS_FAMILY=ubuntu\n{script}"
    );
    let ended =
        Command::new("bash").args(["-c", &frame]).env_remove("CSE_STARTTIME_SECONDS").output().expect("bash runs");
    let output = String::from_utf8_lossy(&ended.stdout) + String::from_utf8_lossy(&ended.stderr);
    output.trim_end().to_owned()
}

macro_rules! helpers {
    ($($name:ident: $($script:literal => $wanted:literal)*)*) => {
        const TESTED: &[&str] = &[$(stringify!($name)),*];
        $(#[test]
        fn $name() {
            let calls_jq = [$($script),*].iter().any(|script| script.contains("metadata") || script.contains("METADATA"));
            if calls_jq && !needs::programs(&[("jq", "jq")]) {
                return;
            }
            $(assert_eq!(output($script), $wanted, "{}", $script);)*
        })*
    };
}

helpers! {
    log: "log 'a  b' | cut -c 21-" => "a  b"
    warn: "warn x | cut -c 21-" => "warning: x"
    fail:
        "PROVISION_REASON_FILE=$S/reason; (fail 50 no way) | cut -c 21-; echo ${PIPESTATUS[0]} $(cat $S/reason)" => "error 50: no way\n50 no way"
    json_text:
        r#"json_text $'a"b\\c\nd\te\x01f'; echo "$json""# => r#"a\"b\\c\nd\te\u0001f"#
        "json_text $'\\xff\\xc3\\xa4x'; echo \"$json\"" => "äx"
        "json_text 'a&b'; echo \"$json\"" => "a&b"
    stamp: "TZ=UTC stamp s 1700000000123456; echo \"$s\"" => "2023-11-14 22:13:20.123"
    event:
        "event T Informational 1700000000000000 1700000000000001 'a \"b\"'; cat $S/log/M*/events/*.json | grep -o '\"Message.*'; ls $S/log/M*/events" =>
            "\"Message\":\"a \\\"b\\\"\",\"EventPid\":\"0\",\"EventTid\":\"0\"}\n1700000000000001000.json"
        "umask 0; event T I 1000000 2000000 a; stat -c %a $S/log/M*/events/*" => "600"
        "event T I 1000000 2000000 a; event T I 1000000 2000000 b; ls $S/log/M*/events" => "2000000000.json\n2000000001.json"
    write_new: "write_new $S/e x; write_new $S/e y || echo there; cat $S/e; set -o | grep noclobber | tr -d ' \\t'" => "there\nx\nnoclobberoff"
    leave_event: "mkdir -p $EVENTS; leave_event 7 x; leave_event 7 y; ls $EVENTS; cat $EVENTS/7.json; stat -c %a $EVENTS/7.json" => "7\n7.json\nx\n600"
    hold_events: "hold_events; event T I 1000000 2000000 a; ls $S/log/M*/events; ls $S/log/M*/held; stat -c %a $S/log/M*/held" => "2000000000.json\n700"
    hand_over_events:
        "hold_events; event T I 1000000 2000000 a; event T I 1000000 3000000 b; hand_over_events; ls $S/log/M*/events; stat -c %a $S/log/M*/events/*; ls $S/log/M*/held" => "2000000000.json\n3000000000.json\n600\n600"
        "hold_events; HANDED_OVER=$((EPOCHSECONDS - 11)); event T I 1000000 2000000 a; ls $S/log/M*/events" => "2000000000.json"
        "hand_over_events; ls $S/log" => ""
    before_pause:
        "hold_events; event T I 1000000 2000000 a; before_pause; ls $S/log/M*/events; HANDED_OVER=$((EPOCHSECONDS - 11)); retry 2 1 5 false; ls $S/log/M*/events" => "2000000000.json"
        "before_pause; ls $S/log" => ""
    leave_events_to_others: "hold_events; HANDED_OVER=0; leave_events_to_others; event T I 1000000 2000000 a; ls $S/log/M*/held" => "2000000000.json"
    now: "[[ $(now) =~ ^[0-9]{16}$ ]] && echo yes" => "yes"
    step:
        "one() { echo ran; }; step one always | head -n 1; step one on NO" => "ran"
        "one() { return 7; }; (step one always) >/dev/null; echo $?" => "7"
        "one() { fail 50 x; echo not here; }; (step one always) | grep -c not; grep -c . <(ls $S/log/M*/events 2>/dev/null)" => "0\n0"
    code_of_step: "for code in 1 2 3 4 7 124 126 127 131 244; do code_of_step $code; printf ' '; done" => "244 244 244 4 7 244 244 244 131 244"
    attempt:
        "one() { fail 50 x; }; attempt one always | grep -c 'continues without'; grep -oh 'Warning' $S/log/M*/events/*" => "1\nWarning"
        "one() { changed=yes; }; changed=no; attempt one always; echo $changed" => "no"
    beside:
        "one() { /bin/sleep 0.2; echo one; }; beside one always | head -n 1; one() { echo no; }; beside one on NO" => "one"
        "one() { changed=yes; }; changed=no; beside one always >/dev/null; joined; echo $changed ${#BESIDE[@]}" => "no 0"
    run_beside:
        ": >$S/why; PROVISION_REASON_FILE=$S/why; one() { fail 50 one; }; (run_beside one $S/why.one) >/dev/null; echo $? $(cat $S/why.one) $(wc -c <$S/why); grep -oh 'Failed with code 50: one: one' $S/log/M*/events/*" =>
            "50 one 0\nFailed with code 50: one: one"
        "log() { return 1; }; one() { :; }; beside one always; joined; echo $?" => "0"
    reason_of: "reason_of a; echo \"[$reason]\"; : >$S/why; PROVISION_REASON_FILE=$S/why; reason_of a; echo ${reason#$S/}" => "[]\nwhy.a"
    joined:
        "joined; echo $?" => "0"
        ": >$S/why; PROVISION_REASON_FILE=$S/why; one() { /bin/sleep 0.2; fail 50 one; }; two() { fail 51 two; }; (beside one always; beside two always; joined; echo not here) >/dev/null; echo $? $(cat $S/why)" => "50 one"
        "one() { fail 50 one; }; (beside one always; joined) >/dev/null; echo $?; grep -oh 'Failed with code 50: one' $S/log/M*/events/*" => "50\nFailed with code 50: one"
    stop_beside:
        "one() { /bin/sleep 30; }; beside one always; stop_beside; kill -0 ${BESIDE[0]#* } 2>/dev/null || echo gone; ls $S/log" => "gone"
        "one() { trap '' TERM; /bin/sleep 0.3; : >$S/done; }; beside one always >/dev/null; /bin/sleep 0.1; stop_beside; ls $S | grep done" => "done"
    report_open_steps:
        "RUNNING=(\"AKS.CSE.one $(now)\" \"AKS.CSE.two $(now)\"); report_open_steps 50; grep -oh '\"EventLevel\":\"Error\",\"Message\":\"Failed with code 50: [a-z]*' $S/log/M*/events/*" =>
            "\"EventLevel\":\"Error\",\"Message\":\"Failed with code 50: two\n\"EventLevel\":\"Error\",\"Message\":\"Failed with code 50: one"
        "report_open_steps 50; ls $S/log" => ""
    report:
        "RUNNING=('AKS.CSE.one 1000000'); report Warning text; echo ${#RUNNING[@]}; grep -oh 'TaskName[^M]*' $S/log/M*/events/*" =>
            "0\nTaskName\":\"AKS.CSE.one\",\"EventLevel\":\"Warning\",\""
    part:
        "one() { value=$1; }; part a.one one x; echo $? $value; grep -oh 'TaskName[^,]*,[^,]*' $S/log/M*/events/*" =>
            "0 x\nTaskName\":\"AKS.CSE.a.one\",\"EventLevel\":\"Informational\""
        "one() { return 7; }; part a.one one; echo $?; grep -oh 'EventLevel[^,]*' $S/log/M*/events/*" => "7\nEventLevel\":\"Warning\""
    logs_to_events: "logs_to_events AKS.Runtime.one true; grep -oh 'TaskName[^,]*' $S/log/M*/events/*" => "TaskName\":\"AKS.Runtime.one\""
    retrycmd_if_failure: "stand_in no 'exit 1'; retrycmd_if_failure 2 1 5 no; echo $? $(grep -c 'bin/no' $S/calls)" => "1 2"
    apart: "one() { changed=yes; exit 3; }; changed=no; apart one; echo $? $changed" => "3 no"
    note: "note one 'b c'; grep -oh 'TaskName.*Message[^,]*' $S/log/M*/events/*" =>
        "TaskName\":\"AKS.CSE.one\",\"EventLevel\":\"Informational\",\"Message\":\"b c\""
    always: "always && echo yes" => "yes"
    on: "A=true B=True; on A && echo yes; on B || echo no; on C || echo none" => "yes\nno\nnone"
    given: "A=x B=; given A && echo yes; given B || echo no; given C || echo none" => "yes\nno\nnone"
    not: "not false && echo yes" => "yes"
    count_seconds:
        "count_seconds; echo $left" => "86400"
        "CSE_STARTTIME_SECONDS=$((EPOCHSECONDS - 10)) CSE_MAX_DURATION_SECONDS=6000; count_seconds; [ $left -le 5990 ] && [ $left -ge 5000 ] && echo yes" => "yes"
        "CSE_STARTTIME_SECONDS=$((EPOCHSECONDS - 790)); count_seconds; [ $left -lt 0 ] && echo none" => "none"
    has_time: "has_time && echo yes; CSE_STARTTIME_SECONDS=$((EPOCHSECONDS - 790)); has_time || echo no" => "yes\nno"
    bounded:
        "bounded 5 echo x" => "x"
        "bounded 1 /bin/sleep 30; echo $?" => "124"
        "CSE_STARTTIME_SECONDS=1; bounded 5 echo x; echo $?" => "124"
    retry:
        "stand_in it '[ $(grep -c /it $S/calls) -ge 3 ]'; export S; retry 5 1 5 it; echo $? $(grep -c /it $S/calls)" => "0 3"
        "retry 3 1 5 false; echo $?; grep -c sleep $S/calls" => "1\n2"
        "CSE_STARTTIME_SECONDS=1; retry 3 1 5 true >/dev/null; echo $?" => "2"
        "retry 3 1 5 no-such-command 2>/dev/null; echo $?; grep -c sleep $S/calls 2>/dev/null" => "1"
        "retry 1 1 5 printf '%s|' 'a b' '$(x)'" => "a b|$(x)|"
    wait_until:
        "wait_until 2 true; echo $?; wait_until 1 false; echo $?" => "0\n1"
        "CSE_STARTTIME_SECONDS=1; wait_until 99 false; echo $?" => "1"
    put:
        "put $S/a/b 0640 echo x; stat -c %a $S/a/b; cat $S/a/b" => "640\nx"
        "echo old >$S/a; put $S/a 0600 false; echo $? $(cat $S/a) $(ls -A $S | grep -c '^.a')" => "1 old 0"
        "umask 0; put $S/a 0600 bash -c \"stat -c %a $S/.a.*\"; cat $S/a" => "600"
        "put $S/a 0755 echo x; stat -c %a $S/a" => "755"
        "echo left >$S/.a.new; chmod 0644 $S/.a.new; put $S/a 0600 bash -c \"stat -c %a $S/.a.new\"; cat $S/a; ls -A $S | grep -c '^.a'" => "600\n0"
        "ln -s $S/elsewhere $S/a; put $S/a 0600 echo x; [ ! -L $S/a ] && [ ! -e $S/elsewhere ] && echo replaced" => "replaced"
    put_text: "put_text $S/a 0644 'a%b\\n'; cat $S/a" => "a%b\\n"
    rm_existing:
        "ln -s none $S/link; mkdir $S/d; : >$S/d/f; stand_in rm; rm_existing $S/none; rm_existing $S/d $S/link $S/other; grep -o 'rm .*' $S/calls | sed \"s#$S#S#g\"" => "rm -rf S/d S/link"
    decoded:
        "A=aGVsbG8=; decoded A" => "hello"
        "A='!!'; decoded A; echo $?" => "1"
        "decoded NONE; echo $?" => "0"
    put_section:
        "printf 'one\\n' >$S/f; put_section $S/f 0644 x 'a=1'; put_section $S/f 0644 x 'a=2'; cat $S/f" => "one\n# x: begin\na=2\n# x: end"
        "printf 'one\\n' >$S/f; put_section $S/f 0644 x 'a=1'; put_section $S/f 0644 x ''; cat $S/f" => "one"
    with_section: "with_section $S/none x 'a'" => "# x: begin\na\n# x: end"
    unit_value:
        r#"unit_value 'a"b\c%d'"# => r#"a\"b\\c%%d"#
        "unit_value $'a\\nb'; echo $?" => "1"
    environment_line:
        r#"environment_line A 'x\y "z"'"# => r#"A=x\\y "z""#
        r#"environment_line A '"x"'"# => r#"A=\"x""#
        "environment_line A $'x\\nB=y'; echo $?" => "1"
    is_host: "for h in a.b-c x 10.0.0.1 '' 'a b' '$(x)' '-a' 'a;b'; do is_host \"$h\" && printf 1 || printf 0; done" => "11100000"
    is_number: "for n in 0 12 '' -1 1.5 '1 2' 08 9999999999; do is_number \"$n\" && printf 1 || printf 0; done" => "11000010"
    is_version: "for v in 1.33.5 v1.34.0-alpha.1+b 1. 1..2 x ''; do is_version \"$v\" && printf 1 || printf 0; done" => "110000"
    is_one_line: "for t in 'a b' '' $'a\\nb' $'\\r'; do is_one_line \"$t\" && printf 1 || printf 0; done" => "1100"
    is_unquoted: "for t in \"a'\\$b\" '\"' 'a\\\\b'; do is_unquoted \"$t\" && printf 1 || printf 0; done" => "100"
    is_base64: "for t in QUJD QQ== QUI= $'QU\\nJD' QQ Q=== QQ=a 'QUJD '; do is_base64 \"$t\" && printf 1 || printf 0; done" => "11110000"
    is_certificate: "for t in $'LS0tLS1C\\r\\nRUdJTg==' QUJD LS0tLS1CRUdJTg; do is_certificate \"$t\" && printf 1 || printf 0; done" => "100"
    is_object: "for t in '{}' $' \\n{' e30= '[]' e30; do is_object \"$t\" && printf 1 || printf 0; done" => "11100"
    is_registry: "for t in a.io a.io:443/x/y '/a' ' a' ''; do is_registry \"$t\" && printf 1 || printf 0; done" => "11000"
    is_file_name: "for t in akscustom a/b 'a b' ''; do is_file_name \"$t\" && printf 1 || printf 0; done" => "1000"
    are_unit_settings: "for t in '[Service] LimitNOFILE=1:2' $'a\\nb' '$(x)'; do are_unit_settings \"$t\" && printf 1 || printf 0; done" => "100"
    is_curl_call: "for t in 'curl -v x' '  curl' curly 'x; curl' ''; do is_curl_call \"$t\" && printf 1 || printf 0; done" => "11000"
    is_label_name: "for t in a A_b.c-9 '' -a a. 'a b' $(printf 'a%.0s' {1..64}); do is_label_name \"$t\" && printf 1 || printf 0; done" => "1100000"
    is_dns_name: "for t in a a-b.c0 '' A a..b -a a- a_b; do is_dns_name \"$t\" && printf 1 || printf 0; done" => "11000000"
    is_label: "for t in a=b a= a k8s.io/a=b K.io/a=b /a=b a/b/c=d 'a=b c'; do is_label \"$t\" && printf 1 || printf 0; done" => "11110000"
    are_labels: "for t in a=b,c=d a=b, ,a=b a=b,,c=d $'a=\\n,b=c'; do are_labels \"$t\" && printf 1 || printf 0; done" => "11110"
    is_ipv4: "for a in 10.0.0.1 a.b.c.d 10.0.0 ::1; do is_ipv4 $a && printf 1 || printf 0; done" => "1000"
    is_complete_file:
        "echo x >$S/a; tar -czf $S/a.tgz -C $S a; is_complete_file $S/a.tgz && echo whole; head -c 20 $S/a.tgz >$S/b.tar.gz; is_complete_file $S/b.tar.gz || echo not" => "whole\nnot"
        ": >$S/a; is_complete_file $S/a || echo empty; is_complete_file $S/none || echo none" => "empty\nnone"
    redacted_url: "redacted_url 'https://user:word@host/a/b.tgz?sig=word'" => "https://host/a/b.tgz"
    redacted_output:
        "HTTPS_PROXY='http://u:p/w@h:1'; redacted_output 'https://a?b' <<<'in http://u:p/w@h:1 or https://a?b'" => "in http://h:1 or https://a"
        "printf 'a ftp://u:w@h\\n\\nb' | redacted_output ftp://u:w@h" => "a ftp://h\n\nb"
    host_of: "for u in HTTPS://A.b:1/c h?x https://a@b/ 'https://a\\\\@b' ''; do host_of \"$u\"; echo; done" => "a.b:1\nh\n\na"
    is_unverified_host:
        "mkdir $S/etc; printf 'a\\nb:1\\n' >$S/etc/unverified-hosts; for u in https://a/x http://B:1 https://c https://a@b:1; do is_unverified_host $u && printf 1 || printf 0; done" => "1100"
        "mkdir $S/etc; echo a >$S/etc/unverified-hosts; chmod o+w $S/etc/unverified-hosts; is_unverified_host https://a || echo no" => "no"
    has_no_checksums: "for u in https://packages.aks.azure.com/a https://packages.aks.azure.com@b/a https://packages.aks.azure.com.b/ https://h; do has_no_checksums $u && printf 1 || printf 0; done" => "1000"
    fetch:
        "stand_in curl 'cat'; fetch 5 'https://host/a?sig=word' $S/f; grep -c word $S/calls" => "url = \"https://host/a?sig=word\"\n0"
        "fetch 5 'file:///etc/passwd' $S/f; echo $?; fetch 5 $'https://a\"\\noutput = x' $S/f; echo $?" => "3\n3\nonly https URLs are downloadedonly https URLs are downloaded"
        "stand_in curl; fetch 5 http://host/a $S/f 2>/dev/null; echo $?; ls $S | grep -c calls" => "3\n0"
    matches_published_checksum:
        "echo x >$S/a; fetch() { sha256sum <$S/a; }; matches_published_checksum https://h/a $S/a && echo same" => "same"
        "echo x >$S/a; fetch() { printf '%064d' 0; }; matches_published_checksum https://h/a $S/a; echo :$?" => "what was sent does not match the published checksum:1"
        "echo x >$S/a; fetch() { echo 'returned error: 404'; return 22; }; matches_published_checksum 'https://h/a?sig=word' $S/a; echo :$?" =>
            "no checksum is published at https://h/a.sha256:1"
        "echo x >$S/a; fetch() { echo ' error: 404'; return 22; }; matches_published_checksum https://packages.aks.azure.com/a $S/a; echo :$?" => ":0"
        "echo x >$S/a; fetch() { echo ' error: 500'; return 22; }; matches_published_checksum https://packages.aks.azure.com/a $S/a >/dev/null; echo :$?" => ":1"
        "echo x >$S/a; fetch() { :; }; matches_published_checksum https://packages.aks.azure.com/a $S/a; echo :$?" => "what was sent does not match the published checksum:1"
    is_permanent:
        "for e in '22 curl: (22) The requested URL returned error: 404' '22 curl: (22) The requested URL returned error: 410 Gone' '22 curl: (22) The requested URL returned error: 503' '22 curl: (22) The requested URL returned error: 429' '3 ' '23 x' '6 x' '0 '; do is_permanent ${e%% *} \"${e#* }\" && printf 1 || printf 0; done" => "11001100"
    keep_download_error:
        ": >$S/why; PROVISION_REASON_FILE=$S/why; keep_download_error one; keep_download_error ''; cat $S/why.download" => "one"
        "keep_download_error one; ls -A $S | grep -c why" => "0"
    download_error:
        "download_error; : >$S/why; PROVISION_REASON_FILE=$S/why; download_error; keep_download_error one; download_error" => ": one"
        ": >$S/why; PROVISION_REASON_FILE=$S/why; keep_download_error one; fetch() { case $2 in *.sha256) echo x | sha256sum ;; *) echo x >$3 ;; esac; }; download 1 1 5 9 https://h/a $S/a; download_error" => ""
    with_proxy_named:
        "HTTPS_PROXY=http://user:word@10.1.1.1:3128/; with_proxy_named 'curl: (7) Failed to connect to 10.1.1.1 port 3128 after 0 ms'" =>
            "curl: (7) Failed to connect to 10.1.1.1 port 3128 after 0 ms (this is the proxy)"
        "HTTPS_PROXY=http://10.1.1.1/; with_proxy_named 'curl: (7) Failed to connect to 10.1.1.10 port 443'" => "curl: (7) Failed to connect to 10.1.1.10 port 443"
        "HTTPS_PROXY=; with_proxy_named 'curl: (28) Connection timed out'" => "curl: (28) Connection timed out"
    download:
        "fetch() { echo asked >>$S/asked; echo 'curl: (22) The requested URL returned error: 404'; return 22; }; download 60 1 5 9 https://h/a $S/a | cut -c 21-; echo ${PIPESTATUS[0]} $(wc -l <$S/asked)" =>
            "warning: the download of https://h/a ends with code 22 of curl: curl: (22) The requested URL returned error: 404\n1 1"
        "fetch() { echo 'curl: (22) The requested URL returned error: 500'; return 22; }; download 60 1 5 9 https://h/a $S/a | grep -c 500" => "1"
        "fetch() { case $2 in *.sha256) echo x | sha256sum ;; *) echo x >$3 ;; esac; }; download 3 1 5 9 https://h/a $S/a; echo $? $(cat $S/a)" => "0 x"
        "fetch() { return 22; }; download 3 1 5 9 https://h/a $S/a >/dev/null; echo $?; ls $S | grep -c ^a$" => "1\n0"
        "fetch() { echo asked; }; echo x >$S/a; download 3 1 5 9 https://h/a $S/a; echo $?" => "0"
        "fetch() { case $2 in *.sha256) return 22 ;; *) echo cut >$3 ;; esac; }; download 2 1 5 9 https://h/a.tgz $S/a.tgz >/dev/null; echo $?; ls $S | grep -c tgz" => "1\n0"
        "CSE_STARTTIME_SECONDS=1; download 3 1 5 9 https://h/a $S/a >/dev/null; echo $?" => "2"
    download_path: "download_path 'https://h/x/a.tgz?sig=b/c' /opt/d" => "/opt/d/a.tgz"
    unit_exists: "stand_in systemctl '[ $3 = is.service ]'; unit_exists is.service && echo yes; unit_exists no.service || echo no" => "yes\nno"
    unit_status: "stand_in systemctl 'exit 3'; stand_in journalctl 'exit 1'; unit_status a; echo $?; grep -c a$ $S/calls" => "0\n2"
    enable_and_start:
        "stand_in systemctl '[ $1 != show ] || echo no'; enable_and_start a.service 5 --no-block; grep -o 'systemctl [^s].*' $S/calls" =>
            "systemctl restart --no-block a.service\nsystemctl enable --quiet --no-reload a.service"
        "stand_in systemctl '[ $1 != show ] || echo no'; UNITS_CHANGED=yes; enable_and_start a.service 5; enable_and_start b.service 5; grep -o 'systemctl [dr].*' $S/calls" =>
            "systemctl daemon-reload\nsystemctl restart a.service\nsystemctl restart b.service"
        // A unit that does not start may be one that systemd has read in parts.
        "stand_in systemctl 'case $1 in restart) [ $(grep -c restart $S/calls) -ge 2 ] ;; show) echo no ;; esac'; export S; enable_and_start a.service 5; grep -o 'systemctl [dr].*' $S/calls" =>
            "systemctl restart a.service\nsystemctl daemon-reload\nsystemctl restart a.service"
        "stand_in systemctl 'case $1 in restart) exit 1 ;; show) echo Result=exit-code; echo LoadState=not-found ;; esac'; enable_and_start a.service 5 >/dev/null; echo $? $(grep -c restart $S/calls); ls $S/log | grep status" =>
            "1 1\na.service-status.log"
        "stand_in systemctl 'case $1 in restart) exit 1 ;; show) echo Result=exit-code; echo LoadState=loaded ;; esac'; CSE_STARTTIME_SECONDS=$EPOCHSECONDS CSE_MAX_DURATION_SECONDS=1; enable_and_start a.service 5 >/dev/null; echo $?" => "1"
    needs_reload:
        "for said in yes no ''; do stand_in systemctl \"echo $said\"; needs_reload a && printf 1 || printf 0; done" => "101"
        "stand_in systemctl 'echo no'; UNITS_CHANGED=yes; needs_reload a && echo yes; ls $S | grep -c calls" => "yes\n0"
        "for said in yes no; do stand_in systemctl \"echo $said\"; UNITS_CHANGED=yes; OS_VERSION=22.04; needs_reload a && printf 1 || printf 0; done" => "10"
    reload_units: "stand_in systemctl; UNITS_CHANGED=yes; reload_units; echo \"[$UNITS_CHANGED]\"; stand_in systemctl 'exit 1'; UNITS_CHANGED=yes; reload_units || echo $UNITS_CHANGED" => "[]\nyes"
    stop_and_disable: "stand_in systemctl; stop_and_disable a; grep -c 'stop a' $S/calls" => "1"
    disable_and_stop:
        "stand_in systemctl; disable_and_stop a.service; grep -oh 'TaskName[^,]*' $S/log/M*/events/*" => "TaskName\":\"AKS.CSE.stop.a\""
        "stand_in systemctl; disable_and_stop a.service; grep -o 'systemctl [sd].*' $S/calls" => "systemctl stop a.service\nsystemctl disable --quiet a.service"
        "stand_in systemctl '[ $1 != cat ]'; disable_and_stop a.service; grep -c stop $S/calls" => "0"
    is_healthy: "for state in active failed activating; do stand_in systemctl \"echo $state\"; is_healthy x >/dev/null && printf 1 || printf 0; done" => "101"
    containerd_answers: "stand_in ctr; containerd_answers && echo yes; stand_in ctr 'exit 1'; containerd_answers || echo no" => "yes\nno"
    containerd_is_ready:
        "stand_in ctr; containerd_is_ready && echo yes" => "yes"
        "stand_in ctr 'exit 1'; stand_in systemctl 'echo 3'; containerd_is_ready || echo no; grep -c ctr $S/calls" => "no\n1"
    load_module: "stand_in modprobe; load_module x; load_module kernel; grep -o 'modprobe .*' $S/calls" => "modprobe x"
    os_field: "printf 'ID=\"a b\"\\nVERSION_ID=3.0\\n' >$S/os-release; for name in ID VERSION_ID NONE; do os_field $name; echo \"[$value]\"; done" => "[a b]\n[3.0]\n[]"
    read_os:
        "printf 'ID=azurelinux\\nVERSION_ID=3.0\\nVARIANT_ID=osguard\\n' >$S/os-release; read_os; echo $OS_FAMILY $OS_VERSION" => "osguard 3.0"
        "printf 'ID=azurelinux\\n' >$S/os-release; read_os; echo $OS_FAMILY" => "mariner"
        "printf 'ID=azurelinux\\nVARIANT_ID=azurecontainerlinux\\n' >$S/os-release; read_os; echo $OS_FAMILY" => "acl"
        "printf 'ID=flatcar\\n' >$S/os-release; read_os; echo $OS_FAMILY" => "flatcar"
        "printf 'ID=debian\\n' >$S/os-release; read_os; echo $OS_FAMILY" => "debian"
    read_trust_store:
        "for OS_FAMILY in ubuntu debian mariner osguard acl flatcar; do read_trust_store; echo $CA_ANCHORS $CA_SUFFIX ${CA_COMMAND[*]}; done" =>
            "/usr/local/share/ca-certificates crt update-ca-certificates\n\
             /usr/local/share/ca-certificates crt update-ca-certificates\n\
             /usr/share/pki/ca-trust-source/anchors crt update-ca-trust\n\
             /etc/pki/ca-trust/source/anchors crt update-ca-trust\n\
             /etc/pki/ca-trust/source/anchors crt update-ca-trust\n\
             /etc/ssl/certs pem update-ca-certificates"
    family: "family debian ubuntu && echo yes; family mariner || echo no" => "yes\nno"
    version_ge: "for pair in 1.34.0/1.34.0 1.34.1/1.34 1.9.0/1.10.0 v1.33.5-akslts/1.33.0 2.0.0+x/2.0.0 1.33.0~rc1/1.33.0 6.8.0-1058/6.8.0-124 6.8.0-99/6.8.0-124 1.34/1.34.0 1.08.1/1.9 1.33.x/1.33.0; do version_ge ${pair%/*} ${pair#*/} && printf 1 || printf 0; done" => "11011110001"
    kubernetes_ge: "KUBERNETES_VERSION=1.31.2; kubernetes_ge 1.29.0 && echo yes; kubernetes_ge 1.32.0 || echo no" => "yes\nno"
    makes_an_image: "makes_an_image || echo no; PRE_PROVISION_ONLY=true; makes_an_image && echo yes" => "no\nyes"
    is_prepared_image: "is_prepared_image || echo no; : >$S/azure/vhd-install.complete; is_prepared_image && echo yes" => "no\nyes"
    fetch_metadata:
        "stand_in curl 'echo {\\\"compute\\\":{}}'; fetch_metadata && fetch_metadata; grep -c curl $S/calls; stat -c %a $METADATA_CACHE" => "1\n600"
        "stand_in curl 'echo no'; fetch_metadata; echo $? $(grep -c curl $S/calls) $(ls $S/azure/containers | wc -l)" => "1 20 0"
    metadata: "echo '{\"a\":{\"b\":\"c\"}}' >$METADATA_CACHE; metadata .a.b; metadata .x; echo $?" => "c\n4"
    read_metadata:
        "echo '{\"compute\":{\"vmSize\":\"Size\",\"tagsList\":[{\"name\":\"One\",\"value\":\"True\"},{\"name\":\"two\",\"value\":\"\"}]},\"network\":{\"interface\":[{\"ipv4\":{\"ipAddress\":[{\"privateIpAddress\":\"10.1.1.1\"}]},\"ipv6\":{\"ipAddress\":[{\"privateIpAddress\":\"fd00::1\"}]}}]}}' >$METADATA_CACHE; read_metadata; printf '%s\\n' \"${METADATA[@]}\"" =>
            "Size\n10.1.1.1\n10.1.1.1,fd00::1\ntrue\none"
        "echo '{\"compute\":{\"vmSize\":7,\"tagsList\":\"x\"},\"network\":[]}' >$METADATA_CACHE; read_metadata; printf '[%s]' \"${METADATA[@]}\"" => "[][][][false]"
        "read_metadata || echo none; echo '{\"compute\":null}' >$METADATA_CACHE; read_metadata || echo none; echo '{' >$METADATA_CACHE; read_metadata || echo none" => "none\nnone\nnone"
    request_metadata:
        "stand_in curl 'echo x; exit 0'; request_metadata; cat $METADATA_CACHE; stat -c %a $METADATA_CACHE; stand_in curl 'exit 22'; request_metadata || echo no" => "x\n600\nno"
    has_metadata:
        "has_metadata || echo no; echo '{\"compute\":{}}' >$METADATA_CACHE; has_metadata && rm $METADATA_CACHE && has_metadata && echo yes" => "no\nyes"
    has_tags: "has_tags || echo no; echo '{\"compute\":{}}' >$METADATA_CACHE; has_tags && echo yes" => "no\nyes"
    has_tag:
        "has_tag x || echo no; echo '{\"compute\":{\"tagsList\":[{\"name\":\"aks-SkipGpuDriverInstall\",\"value\":\"True\"},{\"name\":\"other\",\"value\":\"no\"}]}}' >$METADATA_CACHE; has_tag skipgpudriverInstall && echo yes; has_tag Other || echo no" => "no\nyes\nno"
    vm_size: "vm_size || echo none; echo '{\"compute\":{\"vmSize\":\"Size\"}}' >$METADATA_CACHE; vm_size" => "none\nSize"
    has_address: "echo '{\"compute\":{}}' >$METADATA_CACHE; has_address || echo no" => "no"
    list_without:
        "list_without ' ' '--a=1 --b=2 --aa=3 --a' --a" => "--b=2 --aa=3"
        "list_without , 'x=1,y=2,x/z=3' x" => "y=2,x/z=3"
        "cd $S; touch f; list_without ' ' '--a=* --b=2' --b" => "--a=*"
    keep_others: "kept=a=1; keep_others , b=2,c=3 b; echo $kept" => "a=1,c=3"
    list_with:
        "list_with , 'a=1,b=2' a=3" => "b=2,a=3"
        "list_with , '' a=3" => "a=3"
    kubelet_flag: "KUBELET_FLAGS='--a=1 --ab=2 --c=x=y'; kubelet_flag --a; echo; kubelet_flag --c; echo; kubelet_flag --d; echo $?" => "1\nx=y\n1"
    // What oras prints: https://github.com/oras-project/oras-go/blob/main/errdef/errors.go
    ask_registry:
        "stand_in oras; ask_registry 5 pull a b; echo $? $(wc -l <$S/calls)" => "0 1"
        "stand_in oras 'echo tag; exit 0'; ask_registry 5 repo tags r" => "tag"
        r#"stand_in oras 'echo "Error: failed to resolve a: not found" >&2; exit 1'; ask_registry 5 pull a 2>/dev/null; echo $? $(grep -c oras $S/calls)"# => "1 3"
        r#"stand_in oras 'echo "Error: i/o timeout" >&2; exit 1'; ask_registry 5 pull a 2>/dev/null; echo $? $(grep -c oras $S/calls)"# => "1 10"
    pull_artifact: "stand_in oras; pull_artifact host/a:1 $S/d; grep -o 'oras .*host/a:1' $S/calls | sed \"s#$S#S#\"" => "oras pull --registry-config /etc/oras/config.yaml --output S/d host/a:1"
}

#[test]
fn every_helper_has_a_test() {
    let helpers = helpers();
    let helpers = helpers.lines().filter_map(|line| Some(line.split_once("() {")?.0));
    let helpers: BTreeSet<_> = helpers.filter(|name| !name.starts_with('\t')).collect();
    assert_eq!(helpers, TESTED.iter().copied().collect());
}

/// Scripts of an AKS image source one of the two files and call these functions, for example `ubuntu-snapshot-update.sh`,
/// `mariner-package-update.sh` and `validate-kubelet-credentials.sh` of <https://github.com/Azure/AgentBaker>.
#[test]
fn scripts_of_an_image_find_their_functions_in_each_file_by_itself() {
    for (os, file, functions) in [
        ("ubuntu", "provision_source_distro.sh", "apt_get_update apt_get_update_with_opts"),
        ("azurelinux", "provision_source_distro.sh", "dnf_update"),
        ("osguard", "provision_source_distro.sh", ""),
        ("flatcar", "provision_source_distro.sh", ""),
        ("acl", "provision_source_distro.sh", ""),
        ("ubuntu", "provision_source.sh", "logs_to_events retrycmd_if_failure"),
    ] {
        let image = baked(os);
        let script = format!(
            "set -euo pipefail; . {}/opt/azure/containers/{file}; for name in {functions}; do declare -F $name; done; echo end",
            image.display()
        );
        let ended = Command::new("bash").args(["-c", &script]).output().expect("bash runs");
        let said = String::from_utf8_lossy(&ended.stdout) + String::from_utf8_lossy(&ended.stderr);
        assert_eq!(
            said.split_whitespace().collect::<Vec<_>>().join(" "),
            format!("{functions} end").trim(),
            "{os} {file}"
        );
    }
}

#[test]
fn the_older_corefile_variable_is_the_base_corefile_of_the_service() {
    let configs = shipped("provision_configs.sh");
    let written = output(&format!("{configs}\nLOCALDNS_GENERATED_COREFILE=eA==; localdns_environment"));
    assert!(written.contains("LOCALDNS_COREFILE_BASE=eA==\n"), "{written}");
    assert!(written.contains("LOCALDNS_BASE64_ENCODED_COREFILE=eA=="), "{written}");
}

/// The scripts read the family from os-release, `bake` and CustomData take it from the name of the system.
#[test]
fn scripts_find_the_family_whose_files_are_on_the_image() {
    for (os_release, os) in [
        ("ID=ubuntu\nID_LIKE=debian\nVERSION_ID=\"24.04\"", "ubuntu"),
        ("ID=debian\nVERSION_ID=\"12\"", "ubuntu"),
        ("ID=mariner\nVERSION_ID=\"2.0\"", "mariner"),
        ("ID=azurelinux\nVERSION_ID=\"3.0\"", "azurelinux"),
        ("ID=azurelinux\nVARIANT_ID=osguard\nVERSION_ID=\"3.0\"", "osguard"),
        ("ID=azurelinux\nVARIANT_ID=azurecontainerlinux\nVERSION_ID=\"3.0\"", "acl"),
        ("ID=azurecontainerlinux\nVERSION_ID=\"3.0\"", "acl"),
        ("ID=flatcar\nID_LIKE=coreos\nVERSION_ID=4081.2.0", "flatcar"),
    ] {
        let found = output(&format!("printf '%s\\n' '{os_release}' >$S/os-release; read_os; echo $OS_FAMILY"));
        let baked = operating_system(os).expect("a system that can be baked").family;
        let family = operating_system(&found).map_or(Family::Ubuntu, |os| os.family);
        assert_eq!(family, baked, "{os_release} is read as {found}");
    }
}
