//! Forms in which programs write passwords, and ordinary lines that look like them.

use std::fmt::Write;

use super::redacted;

/// What stands for the secret in [`WITH_SECRET`].
const PLACE: char = '¤';

/// Lines with a secret.
const WITH_SECRET: &[&str] = &[
    "http -a bob:¤ https://h/x",
    "http --auth bob:¤ https://h/x",
    "http --auth=bob:¤ https://h/x",
    "https -a bob:¤ h/x",
    "xh -a bob:¤ https://h/x",
    "lftp -u bob,¤ sftp://h",
    "nsupdate -y hmac-sha256:ddns:¤",
    "dig -y hmac-sha256:ddns:¤ @h axfr z",
    "dig @h -y ddns:¤ axfr z",
    "xfreerdp /v:h /u:bob /p:¤",
    "xfreerdp /v:h /u:bob /p:\"¤\" /cert:ignore",
    "schtasks /create /tn t /ru bob /rp ¤ /tr c.exe",
    "schtasks.exe /Create /TN t /RU bob /RP \"¤\" /TR c.exe",
    "net use Z: \\\\srv\\share ¤ /user:dom\\bob",
    "net use \\\\srv\\share ¤ /user:bob",
    "net use \\\\srv\\share /user:bob ¤",
    "[mail.contoso.com]:587 bob@contoso.com:¤",
    "[mail.contoso.com]:587    bob:¤",
    "client * \"¤\" *",
    "bob\t*\t\"¤\"\t*",
    "bob pptpd ¤ *",
    "user bob on >¤ ~* +@all",
    "ACL SETUSER bob on >¤ ~* +@all",
    "cache_peer h parent 3128 0 no-query login=bob:¤",
    "user = \"bob:¤\"",
    "user=bob:¤",
    "proxy-user = \"bob:¤\"",
    "{<<\"password\">>,<<\"¤\">>}",
    "{<<\"password\">>, <<\"¤\">>}.",
    "{password, \"¤\"}",
    "[{default_pass, <<\"¤\">>}]",
    "INSERT INTO t (user, password) VALUES ('bob','¤')",
    "INSERT INTO t (user, password, mail) VALUES ('bob', '¤', 'a@b.c');",
    "insert into `t` (`user`, `password`) values ('bob', '¤'), ('eve', '¤');",
    "[\"nmcli\", \"con\", \"add\", \"wifi-sec.psk\", \"¤\"]",
    "[\"nmcli\",\"dev\",\"wifi\",\"connect\",\"x\",\"password\",\"¤\"]",
    "nmcli con add type wifi wifi-sec.psk ¤",
    "nmcli con add type wifi wifi-sec.key-mgmt wpa-psk wifi-sec.psk ¤ ssid x",
    "password:\t¤",
    "db:\n  password:\t\t\"¤\"\n",
    "\tpassword:\t¤\n",
    "key k {\n\talgorithm hmac-sha256;\n\tsecret \"¤\";\n};",
    "    secret \"¤\";",
    "secret\t\"¤\";",
    "    auth_token \"¤\";",
    "rootpw --plaintext ¤",
    "rootpw ¤",
    "rootpw --iscrypted ¤",
    "user --name=bob --password=¤ --plaintext",
    " neighbor 10.1.2.3 password ¤",
    " neighbor 10.1.2.3 password 7 ¤",
    "username bob privilege 15 password 0 ¤",
    "d-i passwd/root-password password ¤",
    "d-i passwd/root-password-again password ¤",
    "d-i passwd/user-password-crypted password ¤",
    "mysql-server mysql-server/root_password password ¤",
    "SetCredential=db:¤",
    "SetCredential=db.password:¤",
    "machine h login bob password ¤",
    "machine h\nlogin bob\npassword ¤\n",
    "db.contoso.com:5432:db:bob:¤",
    "[client]\nuser=bob\npassword=¤\n",
    "[client]\nuser=bob\npassword = \"¤\"\n",
    "machine apt.contoso.com/ubuntu login bob password ¤",
    "http_password=¤",
    "http_password = ¤",
    "ftp_password=¤",
    "PrivateKey = ¤",
    "PresharedKey = ¤",
    "> authorization: Bearer ¤",
    "< set-cookie: sid=¤; Path=/; HttpOnly",
    "set-cookie: sid=¤; Path=/",
    "[HTTP/2] [1] [authorization: Bearer ¤]",
    "[HTTP/2] [1] [authorization: Basic ¤]",
    "* h2h3 [authorization: Bearer ¤]",
    "authorization: Bearer ¤",
    "    \"set-cookie\": \"sid=¤; Path=/\",",
];

/// Lines with a secret that must not be a word, because words have this form as well.
const WITH_LONG_SECRET: &[&str] = &[
    "[\"password\",\"¤\"]",
    "[\"password\", \"¤\"]",
    "[[\"user\", \"bob\"], [\"password\", \"¤\"]]",
    "{\"password\", \"¤\"}",
    "  password ¤;",
];

/// A key as `az storage account keys list` shows it, made up.
const STORAGE_KEY: &str = "NyvBS0/grlCDMYFjBhVjKuDCs9uLIBKgKzVbdjf6rZLFwh3ezQ6pZfURFR37Wihn+gPiKVdPh+9qT8RvDuaFkw==";

/// Lines of healthy machines and ordinary files that stand as they are.
const HARMLESS: &[&str] = &[
    "http -a https://h:8080/x",
    "http GET https://h:8080/x X-Trace:abc",
    "apt-get -u upgrade 2>&1",
    "lftp -u bob sftp://h",
    "ls -a a:b /usr/bin:/usr/local/bin",
    "tar -a -cf x.tar.gz -C /etc http:dir",
    "dig -y @10.0.0.10 kubernetes.default.svc.cluster.local",
    "yum -y install nsupdate:any",
    "apt-get install -y dnsutils libssl3:amd64",
    "DEBIAN_FRONTEND=noninteractive apt-get -y install dig libc6:amd64 gcc:amd64",
    "xfreerdp /v:10.0.0.4 /u:bob /size:1920x1080 /port:3389",
    "schtasks /query /tn backup /fo list",
    "net use Z: /delete",
    "net use \\\\srv\\share /user:bob *",
    "net use Z: \\\\srv\\share /persistent:yes",
    "The net use of memory fell",
    "[fe80::1]:8080 is listening",
    "[::1]:6443 10.0.0.4:52134",
    "[::]:10250 [::]:* users:((\"kubelet\",pid=812,fd=20))",
    "[10.0.0.4]:22 ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl",
    "tcp   LISTEN 0 4096 [::]:9100 [::]:*",
    "users * \"word\" here",
    "crontab: 0 * * * * root \"run\" *",
    "*/5 * * * * root /usr/sbin/logrotate \"x\"",
    "user bob on > /dev/null",
    "cache_peer h parent 3128 0 no-query login=PASS",
    "cache_peer h parent 3128 0 no-query login=PASSTHRU",
    "user = \"bob\"",
    "user: \"1000:1000\"",
    "user = \"1000:1000\"",
    "    user: 65534:65534",
    "User=nobody",
    "user=system:node:aks-nodepool1-1",
    "user=\"system:serviceaccount:kube-system:replicaset-controller\"",
    "user: system:serviceaccount:kube-system:coredns",
    "[\"secrets\",\"configmaps\"]",
    "resources: [\"secrets\", \"configmaps\"]",
    "  resources: [\"configmaps\",\"secrets\",\"pods\"]",
    "[\"token\",\"Basic\"]",
    "scopes_supported: [\"token\", \"openid\", \"email\"]",
    "{\"token\", \"secret\", \"password\"}",
    "[\"authorization\", \"content-type\", \"accept\"]",
    "var words = []string{\"password\", \"token\", \"secret\"}",
    "[\"GET\", \"secret\"] [\"watch\", \"list\"]",
    "INSERT INTO t (user, mail) VALUES ('bob', 'a@b.c')",
    "INSERT INTO node (name, role, zone) VALUES ('aks-1', 'agent', '1')",
    "[\"nmcli\", \"con\", \"show\"]",
    "[\"nmcli\",\"con\",\"modify\",\"eth0\",\"ipv4.dns\",\"10.0.0.10\"]",
    "\"keyName\": \"pool\", \"value\": \"nodepool1\"",
    "{\"name\": \"kubernetes.io/os\", \"value\": \"linux\"}",
    "{\"key\": \"kubernetes.azure.com/mode\", \"operator\": \"In\", \"value\": \"system\"}",
    "{\"keyName\": \"node-role\", \"value\": \"agent\"}",
    "password:\t",
    "Password:\nLogin incorrect",
    "tokens:\t3",
    "  mountPath: /var/run/secrets/kubernetes.io/serviceaccount",
    "secret \"aks-token\" not found",
    "Error: secret \"aks-token\" not found; retrying",
    "MountVolume.SetUp failed for volume \"x\" : secret \"db\" not found",
    "  include \"/etc/bind/named.conf.options\";",
    "  server_name \"contoso.com\";",
    "rootpw --lock",
    " neighbor 10.1.2.3 remote-as 65001",
    " neighbor 10.1.2.3 update-source Loopback0",
    "d-i passwd/root-login boolean false",
    "d-i passwd/user-fullname string Ubuntu User",
    "d-i passwd/username string ubuntu",
    "d-i passwd/root-password seen true",
    "LoadCredential=db:/etc/credstore/db",
    "10:00:00:5432:up",
    "machine aks-nodepool1-1 login",
    "Public key: k8sP",
    "Endpoint = 10.0.0.4:51820",
    "AllowedIPs = 10.0.0.0/24",
    "> accept: */*",
    "< content-type: application/json",
    "[HTTP/2] [1] [:authority: mcr.microsoft.com]",
    "[HTTP/2] [1] [user-agent: curl/8.5.0]",
    "AuthenticationMethods [\"password\", \"publickey\"]",
    "grant_types: [\"password\", \"authorization_code\"]",
    "return []string{\"password\", \"oauth2\"}",
    "struct option o[] = {{\"password\", \"Password2\"}};",
    "INSERT INTO t (name, token_count) VALUES ('a', 12345)",
    "INSERT INTO audit (password_changed, who) VALUES ('yes', 'bob')",
    "nmcli con up eth0 ifname eth0",
    "msbuild /p:Configuration=Release",
    "please see docs/passwords password policy",
    "vary: cookie, authorization",
    "access-control-allow-headers: authorization, content-type",
    "enable secret scanning for this repository",
    "enable password authentication",
    "username bob password expired",
    "passwd: password expiry information changed.",
    "pam_unix(sshd:session): session opened for user root(uid=0) by root(uid=0)",
    "sshd[812]: Accepted publickey for azureuser from 10.0.0.4 port 52134 ssh2: RSA SHA256:abc",
    "systemd[1]: Starting systemd-ask-password-wall.path - Forward Password Requests to Wall",
    "user root on pts/0",
    "client * is connected",
    "ip route add default via 10.0.0.1 dev eth0 proto dhcp src 10.0.0.4 metric 100",
];

#[test]
fn secrets_in_the_forms_of_programs_are_covered() {
    let mut shown = String::new();
    let mut check = |line: &str, secret: &str| {
        let text = line.replace(PLACE, secret);
        let result = redacted(&text);
        if result.contains(secret) {
            let _ = writeln!(shown, "{text:?}\n  became {result:?}");
        }
    };
    for line in WITH_SECRET {
        for secret in ["Hunter27xq", "marlinquay", "a9"] {
            check(line, secret);
        }
    }
    for line in WITH_LONG_SECRET {
        check(line, "Hunter27xq");
    }
    check("[{\"keyName\": \"key1\", \"permissions\": \"FULL\", \"value\": \"¤\"}]", STORAGE_KEY);
    check("- creationTime: null\n  keyName: key1\n  permissions: FULL\n  value: ¤\n", STORAGE_KEY);
    assert!(shown.is_empty(), "{shown}");
}

#[test]
fn ordinary_lines_stand_as_they_are() {
    let mut covered = String::new();
    for line in HARMLESS {
        let result = redacted(line);
        if result != *line {
            let _ = writeln!(covered, "{line:?}\n  became {result:?}");
        }
    }
    assert!(covered.is_empty(), "{covered}");
}
