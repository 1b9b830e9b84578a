mod forms;

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;

use super::packed::LENIENT;
use super::*;
use crate::gzip;

fn redactor(secrets: &[&str]) -> Redactor {
    let secrets: Vec<Secret<'static>> = secrets.iter().map(|secret| (*secret).to_owned().into()).collect();
    Redactor::new(&secrets)
}

fn redacted(text: &str) -> String {
    Redactor::default().redact(text).into_string()
}

/// Returns what a finder adds for a text.
pub(super) fn found_by(find: fn(&[u8], &mut Vec<Range<usize>>), text: &str) -> Vec<&str> {
    let mut ranges = Vec::new();
    find(text.as_bytes(), &mut ranges);
    ranges.into_iter().map(|range| &text[range]).collect()
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn what_looks_like_a_secret_is_replaced_and_nothing_else() {
    let mut wrong = String::new();
    for (text, expected) in [
        ("token abcdef.0123456789abcdef x", "token [redacted] x"),
        // An open quote ends where another entry of the log begins.
        ("token='abc\n2026-11-28T10:41:17 a: isn't\n", "token='[redacted]\n2026-11-28T10:41:17 a: isn't\n"),
        ("password: \"abc\nNov 28 10:41:17 a: \"x\"\n", "password: \"[redacted]\nNov 28 10:41:17 a: \"x\"\n"),
        ("password: \"abc\ndef\"\n", "password: \"[redacted]\"\n"),
        // Values beside a name in the forms of other programs.
        (
            r#""adminPassword": {"type": "securestring", "defaultValue": "x1"}"#,
            r#""adminPassword": {"type": "securestring", "defaultValue": "[redacted]"}"#,
        ),
        (
            "variable \"db_password\" {\n  type = string\n  default = \"x1\"\n}\n",
            "variable \"db_password\" {\n  type = string\n  default = \"[redacted]\"\n}\n",
        ),
        ("<AdministratorPassword>\n <Value>x1</Value>", "<AdministratorPassword>\n <Value>[redacted]</Value>"),
        ("app: [wifi]#012psk=hunter22#012pass: hunter22", "app: [wifi]#012psk=[redacted]#012pass: [redacted]"),
        ("SSHPASS=x1 sshpass -e ssh h", "SSHPASS=[redacted] sshpass -e ssh h"),
        ("    Shared_Key  hunter22\n", "    Shared_Key  [redacted]\n"),
        ("auth_pass abc\n", "auth_pass [redacted]\n"),
        ("  login bob\n  password hunter2\n", "  login bob\n  password [redacted]\n"),
        ("Nov 22 05:54:15 h app[7]:     token: plainwords\n", "Nov 22 05:54:15 h app[7]:     token: [redacted]\n"),
        ("{user: bob, password: plainwords}", "{user: bob, password: [redacted]}"),
        ("map[password:plainwords user:bob]", "map[password:[redacted] user:bob]"),
        ("openssl rsa -passin pass:plainwords", "openssl rsa -passin pass:[redacted]"),
        ("password: &p hunter22", "password: &p [redacted]"),
        ("Generated password for bob: hunter22", "Generated password for bob: [redacted]"),
        (
            "A temporary password is generated for root@localhost: hunter22",
            "A temporary password is generated for root@localhost: [redacted]",
        ),
        ("kadmin -p a -w hunter2", "kadmin -p a -w [redacted]"),
        ("ssh-keygen -N hunter2 -f k", "ssh-keygen -N [redacted] -f k"),
        ("openssl passwd -6 hunter2", "openssl passwd -6 [redacted]"),
        ("echo -n hunter2 | cryptsetup luksOpen /dev/sdb x -", "echo -n [redacted] | cryptsetup luksOpen /dev/sdb x -"),
        ("a:$apr1$ab12cd34$Zk7MarlinQuay42abcdef1", "a:[redacted]"),
        ("userPassword: {SSHA}V5n7kbUUu5IPr43pCITxkP+tZEtFerjM", "userPassword: [redacted]"),
        ("Authorization: Splunk 3f2504e0-4f89", "Authorization: Splunk [redacted]"),
        ("{\"primaryKey\":\"0123456789abcdef\"}", "{\"primaryKey\":\"[redacted]\"}"),
        (
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOYBF9Z\n=aB3d\n-----END PGP PRIVATE KEY BLOCK-----\nx",
            "[redacted]\nx",
        ),
        ("htpasswd -bc /etc/x bob hunter2 2>/dev/null", "htpasswd -bc /etc/x bob [redacted] 2>/dev/null"),
        // The environment of a process, and a list of variables in JSON in JSON.
        ("PATH=/bin\0DB_PASSWORD=hunter22\0HOME=/root\0", "PATH=/bin\0DB_PASSWORD=[redacted]\0HOME=/root\0"),
        (
            r#"{"msg":"[\"A=b\",\"DB_PASSWORD=hunter22\",\"TZ=UTC\"]"}"#,
            r#"{"msg":"[\"A=b\",\"DB_PASSWORD=[redacted]\",\"TZ=UTC\"]"}"#,
        ),
        // Behind a time, a level or the number of a line.
        (
            "2026-11-22T05:54:15.1234567Z token: |\n2026-11-22T05:54:15.1234568Z   plainwords\n",
            "2026-11-22T05:54:15.1234567Z token: |\n2026-11-22T05:54:15.1234568Z   [redacted]\n",
        ),
        (
            "2026-11-22 05:54:15,123 INFO token: |\n2026-11-22 05:54:15,124 INFO   plainwords\n",
            "2026-11-22 05:54:15,123 INFO token: |\n2026-11-22 05:54:15,124 INFO   [redacted]\n",
        ),
        ("     9\ttoken: >-\n    10\t  plainwords\n", "     9\ttoken: >-\n    10\t  [redacted]\n"),
        ("  ? password\r\n  : plainwords\r\n", "  ? password\r\n  : [redacted]\r\n"),
        ("h app[7]: ? password\nh app[7]: : plainwords\n", "h app[7]: ? password\nh app[7]: : [redacted]\n"),
        (r#"{"device_code":"plainwords","interval":5}"#, r#"{"device_code":"[redacted]","interval":5}"#),
        // What only looks like one.
        ("az login --use-device-code --tenant contoso.com", ""),
        ("\x1b[31mlock_passwd: false\x1b[0m\n", ""),
        ("usage: kubeadm join --token <token> 10.0.0.4:6443\nE1122 exit status=52 <x>\n", ""),
        (r#"{"msg":"TLS_BOOTSTRAP_TOKEN=","code":52,"next":"words"}"#, ""),
        ("ssh2: RSA SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU", ""),
        ("sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==", ""),
        ("HTTP_PROXY=http://proxy.contoso.com:3128/", ""),
        ("WWW-Authenticate: Bearer realm=\"https://r/token\",service=\"r\"", ""),
        ("app[7]: Basic authentication is disabled", ""),
        ("mailto:oncall@contoso.com", ""),
        ("LoadCredential=token:/run/credentials/token", ""),
        (r#""adminPassword": "[parameters('adminPassword')]""#, ""),
        ("admin_password = var.admin_password", ""),
        ("password = (known after apply)", ""),
        ("export AZURE_CLIENT_SECRET=${SECRET:-}", ""),
        ("password=***", ""),
        ("pass=1 fail=0", ""),
        ("Secrets:             <none>", ""),
        ("https://u:p@proxy:3128/a", "https://[redacted]@proxy:3128/a"),
        ("https://u:p/q@proxy:3128/a", "https://[redacted]@proxy:3128/a"),
        ("HTTP://u:pa@ss@h", "HTTP://[redacted]@h"),
        ("u:p@h:3128", "u:[redacted]@h:3128"),
        ("socks5h://u:p@h", "socks5h://[redacted]@h"),
        ("http://u:p?ss@h/x", "http://[redacted]@h/x"),
        ("https://host:443/a@b", "https://host:443/a@b"),
        ("?sv=2024&sig=ab%2Fcd%3D&se=1", "?sv=2024&sig=[redacted]&se=1"),
        ("https://h/p#sig=abc", "https://h/p#sig=[redacted]"),
        (r#"{"password":"hunter two","user":"x"}"#, r#"{"password":"[redacted]","user":"x"}"#),
        (
            r#"{"a":"{\"clientSecret\": \"hun\\\"ter\",\"b\":1}"}"#,
            r#"{"a":"{\"clientSecret\": \"[redacted]\",\"b\":1}"}"#,
        ),
        (r#"{"token":"","other":"plain"}"#, ""),
        ("PASSWORD='' OTHER='plain'", ""),
        (r#"A="x" PASSWORD="a\"b c" B=1"#, r#"A="x" PASSWORD="[redacted]" B=1"#),
        ("<password>x y</password>", "<password>[redacted]</password>"),
        ("contains the placeholder `<BOOTSTRAP_TOKEN>`", ""),
        ("'<password>' <token>x</token>", "'<password>' <token>[redacted]</token>"),
        (r#""password": ["x1", 2]"#, r#""password": ["[redacted]", 2]"#),
        ("password:\n  hunter\nnext: 1", "password:\n  [redacted]\nnext: 1"),
        ("credentials:\n  username: x", ""),
        ("SECRET_ACCESS_KEY=abc", "SECRET_ACCESS_KEY=[redacted]"),
        ("passphrase=abc", "passphrase=[redacted]"),
        (r#"{"auth": "dXNlcjpwYXNz"}"#, r#"{"auth": "[redacted]"}"#),
        ("curl -u user:pass https://h", "curl -u user:[redacted] https://h"),
        ("docker login -u me -p hunter2 h", "docker login -u me -p [redacted] h"),
        (
            "echo hunter2 | docker login -u me --password-stdin h",
            "echo [redacted] | docker login -u me --password-stdin h",
        ),
        (
            "printf '%s' 'hunter two' | oras login -u me --password-stdin h",
            "printf '%s' '[redacted]' | oras login -u me --password-stdin h",
        ),
        ("docker login -u me --password-stdin h <<< hunter2", "docker login -u me --password-stdin h <<< [redacted]"),
        ("cat /run/a | docker login -u me --password-stdin h", ""),
        ("  clientSecret:\n    value: hunter2!\n", "  clientSecret:\n    value: [redacted]\n"),
        ("secret:\nvalue: plain2\n", ""),
        ("| password | hunter2 |", "| password | [redacted] |"),
        (r#"a0="mysql" a1="-u" a2="me" a3="-phunter2""#, r#"a0="mysql" a1="-u" a2="me" a3="-p[redacted]""#),
        (r#"{"user":"me","pw":"hunter2!"}"#, r#"{"user":"me","pw":"[redacted]"}"#),
        ("echo a; cat b | docker login -u me --password-stdin h", ""),
        ("echo 'root:hunter2' | chpasswd", "echo 'root:[redacted]' | chpasswd"),
        ("echo hunter2 | passwd --stdin root", "echo [redacted] | passwd --stdin root"),
        ("crictl pull --creds me:hunter2 h/x:1", "crictl pull --creds me:[redacted] h/x:1"),
        ("ctr -n k8s.io images pull --user me:hunter2 h/x:1", "ctr -n k8s.io images pull --user me:[redacted] h/x:1"),
        ("skopeo copy --src-creds=me:hunter2 a b", "skopeo copy --src-creds=me:[redacted] a b"),
        ("mysql -u root -phunter2 db", "mysql -u root -p[redacted] db"),
        (
            "curl -b session=abcdef --cookie-jar /tmp/a=b https://h",
            "curl -b session=[redacted] --cookie-jar /tmp/a=b https://h",
        ),
        ("kubeadm join h --certificate-key 0a1b2c3d4e5f6a7b", "kubeadm join h --certificate-key [redacted]"),
        ("LICENSE_KEY=abc-def", "LICENSE_KEY=[redacted]"),
        (
            "APPINSIGHTS_INSTRUMENTATIONKEY=a1b2\nsecret_key_base: 0a1b2c3d4e5f",
            "APPINSIGHTS_INSTRUMENTATIONKEY=[redacted]\nsecret_key_base: [redacted]",
        ),
        (
            "com2sec local 10.0.0.0/8 hunter2\ncreateUser me SHA \"hunter two\" AES hunter3",
            "com2sec local 10.0.0.0/8 [redacted]\ncreateUser me SHA \"[redacted]\" AES [redacted]",
        ),
        (
            "curl https://hooks.slack.com/services/T0123/B0456/a1B2c3D4e5F6 -d a",
            "curl https://hooks.slack.com/services/[redacted] -d a",
        ),
        ("see https://hooks.slack.com/services/ and glsa_x", ""),
        (
            "MY_CREDENTIALS=abc PASSWORDS='d e' TOKENS2=f",
            "MY_CREDENTIALS=[redacted] PASSWORDS='[redacted]' TOKENS2=[redacted]",
        ),
        ("me:$6$Zb3vK1mX$c9sT2uLfWq8hRjN4pGdEoVtYiBxCaSwMkHnJU0lQrXz7:19000:0", "me:[redacted]:19000:0"),
        ("echo $5$6$7 $y", ""),
        ("bindpw hunter2\nrocommunity public1 10.0.0.0/8", "bindpw [redacted]\nrocommunity [redacted] 10.0.0.0/8"),
        (
            "openssl enc -aes-256-cbc -k hunter2 -in x; curl -k https://h",
            "openssl enc -aes-256-cbc -k [redacted] -in x; curl -k https://h",
        ),
        ("openssl rsa -in k -passin pass:hunter2", "openssl rsa -in k -passin pass:[redacted]"),
        (
            "ConvertTo-SecureString 'hunter two' -AsPlainText; ConvertTo-SecureString -String \"a1\"",
            "ConvertTo-SecureString '[redacted]' -AsPlainText; ConvertTo-SecureString -String \"[redacted]\"",
        ),
        ("db.contoso.com:5432:*:me:hunter2\n*:*:*:me:a\\:b", "db.contoso.com:5432:*:me:[redacted]\n*:*:*:me:a\\:b"),
        (
            "htpasswd -bc /etc/users me hunter2 && htpasswd -n me",
            "htpasswd -bc /etc/users me [redacted] && htpasswd -n me",
        ),
        ("curl -sSLu 'me:hunter two' https://h", "curl -sSLu 'me:[redacted]' https://h"),
        (
            "redis-cli -h h -a hunter2; ldapsearch -x -w hunter2 -b dc=a",
            "redis-cli -h h -a [redacted]; ldapsearch -x -w [redacted] -b dc=a",
        ),
        ("echo hunter2 | sudo -S id", "echo [redacted] | sudo -S id"),
        ("CREATE USER me IDENTIFIED BY 'hunter two'", "CREATE USER me IDENTIFIED BY '[redacted]'"),
        (
            "kubectl create secret generic s --from-literal=k=hunter2",
            "kubectl create secret generic s --from-literal=k=[redacted]",
        ),
        ("keytool -storepass hunter2 -keystore a", "keytool -storepass [redacted] -keystore a"),
        ("secret \"aks-token\" not found; tar -P x; ls -k; root:x:0:0:root:/root:/bin/bash", ""),
        ("SERVICE_PRINCIPAL_FILE_CONTENT=abcd", "SERVICE_PRINCIPAL_FILE_CONTENT=[redacted]"),
        ("MY_REGISTRY_CREDENTIAL=a'b c'\"d\" X=1", "MY_REGISTRY_CREDENTIAL=[redacted] X=1"),
        ("kubeadm join --token abc123def456 h", "kubeadm join --token [redacted] h"),
        ("Authorization: Bearer abc123def456", "Authorization: Bearer [redacted]"),
        ("Proxy-Authorization: Basic dXNlcjpwYXNz", "Proxy-Authorization: Basic [redacted]"),
        ("curl --password hunter2x --token=abc x", "curl --password [redacted] --token=[redacted] x"),
        ("bootstrap token: unauthorized", ""),
        ("the secret was not found", ""),
        ("-----BEGIN RSA PRIVATE KEY-----\\nMIIE\\n-----END RSA PRIVATE KEY-----\\nx", "[redacted]\\nx"),
        ("-----BEGIN PRIVATE KEY-----\nMIIE\n", "[redacted]"),
        ("MIIEabc\nxyz\n-----END PRIVATE KEY-----\nrest", "[redacted]\nrest"),
        ("-----BEGIN CERTIFICATE-----", ""),
        ("/subscriptions/8d0ff1a2-0c5e-4f4e-93a5-5a1c7e2b9d10/resourceGroups/MC_Rg_Name_WestEurope1", ""),
        (
            "providerID: azure:///subscriptions/8d0ff1a2-0c5e-4f4e-93a5-5a1c7e2b9d10/resourceGroups/MC_Rg_W1/providers/Microsoft.Compute/virtualMachineScaleSets/aks-Nodepool1-12345678-vmss/virtualMachines/0",
            "",
        ),
        ("sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", ""),
        (
            "mcr.microsoft.com/oss/v2/pause:3.10@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "",
        ),
        ("AKS.CSE.configureKubeletAndKubectl.installKubeletKubectlFromURL", ""),
        ("kubelet-client-2026-11-22-05-55-30.pem", ""),
        ("--tls-cipher-suites=TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", ""),
        ("--authorization-mode=Webhook --authentication-token-webhook=true", ""),
        ("ExecStartPre=/bin/bash /opt/azure/containers/validate-kubelet-credentials.sh", ""),
        ("--token-file=/var/lib/kubelet/token tokenFile: /a/b", ""),
    ] {
        let expected = if expected.is_empty() { text } else { expected };
        for text in [text, expected] {
            let redacted = redacted(text);
            if redacted != expected {
                let _ = writeln!(wrong, "{text:?}\n  became {redacted:?}\n      is {expected:?}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn what_is_only_about_a_secret_is_none() {
    for name in ["TOKEN_URL", "SECRET_NAME", "secretName", "KEY_VAULT_URI", "CLIENT_KEY_FILE", "ACCESS_KEY_ENABLED"] {
        assert!(!is_secret_name(name), "{name}");
    }
    for name in ["TOKEN", "MY_TOKEN", "PROXY_URL", "SIGNING_KEY", "NAME_TOKEN", "TOKENURL", "SECRET_CONTENT"] {
        assert!(is_secret_name(name), "{name}");
    }
}

#[test]
fn dumps_and_lists_of_bytes_are_covered_as_a_whole_and_only_if_they_have_a_secret() {
    // From `printf 'the password=correct-horse it is' | PROGRAM`.
    for dump in [
        "00000000  74 68 65 20 70 61 73 73  77 6f 72 64 3d 63 6f 72  |the password=cor|\n\
         00000010  72 65 63 74 2d 68 6f 72  73 65 20 69 74 20 69 73  |rect-horse it is|",
        "00000000: 7468 6520 7061 7373 776f 7264 3d63 6f72  the password=cor\n\
         00000010: 7265 6374 2d68 6f72 7365 2069 7420 6973  rect-horse it is",
        "0000000 064164 020145 060560 071563 067567 062162 061475 071157\n\
         0000020 062562 072143 064055 071157 062563 064440 020164 071551",
        "0000000   t   h   e       p   a   s   s   w   o   r   d   =   c   o   r\n\
         0000020   r   e   c   t   -   h   o   r   s   e       i   t       i   s",
        " 116 104 101  32 112  97 115 115 119 111 114 100  61  99 111 114\n\
         \x20114 101  99 116  45 104 111 114 115 101  32 105 116  32 105 115",
        "[116,104,101,32,112,97,115,115,119,111,114,100,61,99,111,114,114,101,99,116,45,104,111,114,115,101]",
        "ORUGKIDQMFZXG53POJSD2Y3POJZGKY3UFVUG64TTMUQGS5BANFZQ",
    ] {
        for dump in [dump.to_owned(), dump.to_lowercase(), dump.replace('\n', "\nNov 22 05:54:15 host app[7]: ")] {
            let text = format!("Nov 22 05:54:15 host app[7]: {dump}\nNov 22 05:54:15 host app[7]: after it");
            for redactor in [redactor(&[]), redactor(&["correct-horse"])] {
                let shown = redactor.redact(&text);
                let is_covered = shown.contains(REDACTED) && !shown.contains("72") && !shown.contains("o   r");
                assert!(
                    is_covered && shown.starts_with("Nov 22 05:54:15") && shown.ends_with("after it"),
                    "{text}:\n{shown}"
                );
            }
        }
    }
    let bytes = |text: &str| text.bytes().map(|byte| byte.to_string()).collect::<Vec<_>>().join(",");
    let once = bytes("az login --password correct-horse");
    for list in [format!("sh -c {once}"), format!("sh -c {}", once.replace(',', " ")), bytes(&once)] {
        let shown = redacted(&list);
        assert!(shown.contains(REDACTED) && !shown.contains("99,111") && !shown.contains("99 111"), "{list}: {shown}");
    }
    let container = "2026-01-01T00:00:00Z stdout F kind: Secret\n2026-01-01T00:00:00Z stdout F stringData:\n2026-01-01T00:00:00Z stdout F   a: correct-horse\n";
    let packed = STANDARD.encode(container);
    assert!(
        !redacted(&packed).contains(&packed),
        "lines of a log have something before them, also where they are packed"
    );
    let harmless = "00000000  74 68 65 20 70 61 74 68  20 2f 65 74 63 2f 61 7a  |the path /etc/az|\n\
        Nov 22 05:54:15 host [1, 22, 333] 10.0.0.1:443 8d0ff1a2-0c5e-4f4e-93a5-5a1c7e2b9d10 0000000   a   b   c   d\n";
    assert_eq!(redacted(harmless), harmless);
}

/// Returns the forms in which logs and templates have a value.
fn encoded(value: &str) -> Vec<String> {
    let json = |text: &str| serde_json::to_string(text).expect("it is a text");
    let each = |form: &dyn Fn(u8) -> String| value.bytes().map(form).collect::<Vec<_>>().concat();
    let units: Vec<u16> = value.encode_utf16().collect();
    let mut nested = json(value);
    let mut forms = vec![value.to_owned(), nested.clone()];
    for _ in 0..3 {
        nested = json(&nested);
        forms.push(nested.clone());
    }
    forms.extend([
        json(value).replace('/', "\\/"),
        units.iter().fold(String::new(), |text, unit| text + &format!("\\u{unit:04x}")),
        each(&|byte| format!("\\x{byte:02x}")),
        each(&|byte| format!("\\{byte:03o}")),
        each(&|byte| format!("%{byte:02X}")),
        each(&|byte| format!("%{byte:02x}")),
        each(&|byte| format!("{byte:02x}")),
        each(&|byte| format!("{byte:02X}")),
        each(&|byte| format!("{byte:02x}:")),
        each(&|byte| format!("{byte:02X} ")),
        value.replace('&', "&amp;").replace('\'', "&apos;").replace('"', "&quot;").replace('<', "&lt;"),
        value.replace('&', "&amp;").replace('\'', "&#x27;").replace('"', "&#34;"),
        value.replace('\'', r"'\''"),
        value.replace('\'', "''"),
        value.chars().flat_map(|c| if c.is_alphanumeric() { vec![c] } else { vec!['\\', c] }).collect(),
        STANDARD.encode(value),
        STANDARD.encode(format!("x{value}")),
        STANDARD.encode(format!("xy{value}z")),
        STANDARD.encode(value).replace('+', "-").replace('/', "_"),
        STANDARD.encode(STANDARD.encode(value)),
        STANDARD.encode(gzip::compress(format!("x {value} y").as_bytes())),
        json(&format!("x={}", STANDARD.encode(json(value)))),
    ]);
    forms
}

#[test]
fn a_known_secret_is_replaced_in_every_form() {
    for secret in ["it's a \"canary\"/\u{e4}+x=1&2<3", "correct-horse-battery", "p%41ss\\w/rd"] {
        let redactor = redactor(&[secret]);
        for form in encoded(secret) {
            let text = format!("before {form} after");
            let redacted = redactor.redact(&text);
            assert!(redacted.starts_with("before ") && redacted.ends_with(" after"), "{text}: {redacted}");
            assert!(redacted.contains(REDACTED) && !redacted.contains(&form), "{text}: {redacted}");
        }
    }
}

#[test]
fn a_secret_that_a_log_has_cut_off_is_replaced_as_far_as_it_goes() {
    let redactor = redactor(&["correct-horse-battery-staple"]);
    for (text, expected) in [
        ("a correct-horse-bat", "a [redacted]"),
        ("tery-staple b", "tery-staple b"),
        ("rse-battery-staple b", "[redacted] b"),
    ] {
        assert_eq!(redactor.redact(text).as_str(), expected);
    }
}

#[test]
fn encoded_text_in_any_script_is_looked_through() {
    for text in ["clientSecret: пароль-для-кластера-и-узлов", "password: 接続用の秘密の合言葉です"]
    {
        for packed in [STANDARD.encode(text), STANDARD.encode(gzip::compress(text.as_bytes()))] {
            assert_eq!(redacted(&format!("begin {packed} end")), "begin [redacted] end", "{text}");
        }
    }
}

#[test]
fn base64_in_lines_is_replaced_as_a_whole() {
    let packed = STANDARD.encode(gzip::compress("a long text ".repeat(40).as_bytes()).repeat(5));
    let lines: Vec<_> = packed.as_bytes().chunks(76).map(String::from_utf8_lossy).collect();
    let text = format!("begin\n{}\nend", lines.join("\n"));
    assert_eq!(redacted(&text), "begin\n[redacted]\nend");
}

#[test]
fn base64_in_lines_of_the_agent_is_replaced() {
    let packed = STANDARD.encode("these are the settings: {\"clientSecret\": \"hunter2xq\"} and that is all");
    let lines: Vec<_> = packed.as_bytes().chunks(24).map(String::from_utf8_lossy).collect();
    for thread in ["Daemon", "ExtHandler"] {
        let log = lines.iter().map(|line| format!("2026-11-22T05:54:15.123456Z INFO {thread} {line}\n"));
        let shown = redacted(&log.collect::<String>());
        assert!(lines.iter().all(|line| !shown.contains(&**line)), "{shown}");
    }
}

#[test]
fn lines_that_a_shell_joined_by_blanks_are_replaced_as_a_whole() {
    let secret = "a long text ".repeat(20) + "password: hunter2x";
    let hexadecimal = secret.bytes().fold(String::new(), |digits, byte| digits + &format!("{byte:02x}"));
    for packed in [STANDARD.encode(&secret), STANDARD.encode(gzip::compress(secret.as_bytes())), hexadecimal] {
        let lines: Vec<_> = packed.as_bytes().chunks(76).map(String::from_utf8_lossy).collect();
        assert_eq!(redacted(&format!("begin {}; end", lines.join(" "))), "begin [redacted]; end");
    }
    let digests = format!("{} {}", "9f86d081884c7d65".repeat(4), "60303ae22b998861".repeat(4));
    assert_eq!(redacted(&digests), digests);
}

#[test]
fn certificates_and_public_keys_are_shown() {
    let certificate = include_str!("../../testdata/certificates/authority.pem");
    let der: String = certificate.lines().filter(|line| !line.starts_with("-----")).collect();
    let encoded = STANDARD.encode(certificate);
    let key = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDDl1SqTPbGxKPvbGdhRd2ZqYbW2Nv1Qm9m7FfrQXnRj9T8 me@host";
    for text in [certificate, &der, &encoded, key, &format!("certificate-authority-data: {encoded}")] {
        assert_eq!(redacted(text), *text);
    }
    for end in (100..certificate.len()).step_by(29) {
        let part = &certificate[..end];
        for text in [part, &STANDARD.encode(part), &serde_json::json!({ "ca": part }).to_string()] {
            assert_eq!(redacted(text), *text);
        }
        let behind = format!("{part}\n-----BEGIN PRIVATE KEY-----\nMIIEhunter2\n-----END PRIVATE KEY-----");
        assert_eq!(redacted(&behind), format!("{part}\n{REDACTED}"));
    }
}

proptest! {
    #[test]
    fn any_text_is_redacted_without_a_panic_and_twice_is_once(text in "[ -~\n\\\\\"':=ä%&;-]{0,200}", secret in "[a-z\"/+ ]{6,20}") {
        let redactor = redactor(&[&secret]);
        let once = redactor.redact_fully(&format!("{text}{secret}{text}"));
        prop_assert_eq!(redactor.redact(&once), once);
    }

    #[test]
    fn a_word_has_not_the_form_of_a_secret(text in "(AKIA|ghp_|glpat-|eyJ|sk-|AQ|[a-z]{6}\\.)?[A-Za-z0-9_./-]{0,19}") {
        let mut ranges = Vec::new();
        if is_word(text.as_bytes()) {
            let (nothing, budget) = (Redactor::default(), Budget::new(MOST_UNPACKED));
            nothing.look(text.as_bytes(), LAYERS, &budget, &mut ranges);
            nothing.look_at_numbers(text.as_bytes(), NUMBERS, &budget, &mut ranges);
        }
        prop_assert!(ranges.is_empty(), "{:?}", ranges);
    }

    #[test]
    fn a_secret_is_found_in_base64_at_any_place(before in ".{0,20}", secret in "[a-zA-Z0-9/+=.]{12,40}", after in ".{0,20}") {
        let encoded = STANDARD.encode(format!("{before}{secret}{after}"));
        let redacted = redactor(&[&secret]).redact(&format!("x {encoded} y"));
        let is_part = |character: char| character.is_ascii_alphanumeric() || "+/_-".contains(character);
        for piece in redacted.split(|character| !is_part(character)) {
            let decoded = LENIENT.decode(piece).unwrap_or_default();
            prop_assert!(memmem::find(&decoded, secret.as_bytes()).is_none(), "{}", redacted);
        }
    }
}

#[test]
fn whatever_is_deflated_is_taken_for_it() {
    let words = "registry.example.com token=abcdef.0123456789abcdef azureuser /etc/kubernetes {\"a\": [1, 22, 333]}\n";
    for level in 0..=9 {
        for length in (8..words.len()).chain((1..40).map(|lines| lines * 97)) {
            let text: Vec<u8> = words.bytes().cycle().take(length).collect();
            let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::new(level));
            std::io::Write::write_all(&mut encoder, &text).expect("it is in memory");
            let deflated = encoder.finish().expect("it is in memory");
            assert!(packed::may_be_deflated(&deflated), "level {level}, {length} bytes");
        }
    }
    let random = (0..u32::from(u16::MAX)).filter(|number| {
        let bytes: Vec<u8> =
            (0..64_u32).map(|at| (number * 64 + at).wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect();
        bytes[0] >> 1 & 3 != 1 && packed::may_be_deflated(&bytes)
    });
    assert!(random.count() < 1000, "few bytes begin with a complete code of lengths");
}
